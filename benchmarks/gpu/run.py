"""How right and how fast is scoring on this GPU?

    python benchmarks/gpu/run.py --out results                  # everything, under nine minutes
    python benchmarks/gpu/run.py --out results --data FOLDER    # with RM-Bench's files there
    python benchmarks/gpu/run.py --out results --device cpu --small

One JSON file, written again after every step: what the machine is, whether rewards are right (16 bits,
attention implementations, shared prefixes, compiled, a batch that does not fit), how fast three shapes are
scored against common practice and against the floor, and what was left out for want of time. Nothing is
fetched: weights are random, which no timing can tell, and the tokenizer is trained on the texts. Needs
torch, transformers and what `pack.py` packs. Exits with 1 if a reward is wrong and with 2 if there is no such
device.
"""
import argparse, json, os, platform, sys, time
os.environ["HF_HUB_OFFLINE"] = "1"
from pathlib import Path
sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]
import numpy as np
import torch
from scoring import bpe, texts
from gpu import correctness, throughput

RM_BENCH = Path(__file__).resolve().parents[3]/"shared"/"data"/"rm_bench"


class Clock:
    "What is left of the time that was given"
    def __init__(self, minutes):
        self.end, self.left_out = time.monotonic() + 60*minutes, []
    def left(self): return self.end - time.monotonic()
    def allows(self, seconds, what):
        if self.left() < seconds:
            self.left_out.append(f"{what}: {self.left():.0f} s left of the {seconds:.0f} it takes")
        return self.left() >= seconds


def made_texts(n, size=1., seed=0):
    "n prompts with three responses each, `size` times as long as RM-Bench's, where that is not at hand"
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), k)) for k in rng.integers(2, 9, 3000)]
    often = 1/np.arange(1, 3001)

    def text(k):
        return " ".join(rng.choice(words, max(5, int(size*k)), p=often/often.sum()))

    prompts = [p for p in map(text, rng.lognormal(3.5, .9, n).clip(5, 600)) for _ in range(3)]
    return prompts, [text(k) for k in rng.lognormal(4.9, .7, 3*n).clip(10, 1500)]


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def matmul_peak(device, small, seconds=2.):
    "FLOP a second of a large bf16 matrix product of random numbers: what this device really reaches"
    n = 512 if small else 8192
    a, b = (torch.randn(n, n, device=device).to(torch.bfloat16) for _ in range(2))
    for _ in range(3):
        a @ b
    best, until = np.inf, time.monotonic() + seconds
    while time.monotonic() < until:
        wait(device)
        start = time.perf_counter()
        for _ in range(10):
            a @ b
        wait(device)
        best = min(best, (time.perf_counter() - start)/10)
    return 2*n**3/best


def machine(device):
    import transformers
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else platform.processor() or "cpu"
    return dict(device=name, torch=torch.__version__, transformers=transformers.__version__,
                cuda=torch.version.cuda, python=platform.python_version(),
                flash_attention=correctness.has_flash())


def main(argv=None):
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--out", type=Path, required=True, help="folder for gpu.json")
    ask.add_argument("--device", default="cuda")
    ask.add_argument("--data", type=Path, default=RM_BENCH, help="folder with RM-Bench's files")
    ask.add_argument("--prompts", type=int, default=600)
    ask.add_argument("--minutes", type=float, default=8.5)
    ask.add_argument("--architectures", nargs="+", choices=list(correctness.ARCHITECTURES),
                     default=list(correctness.ARCHITECTURES), help="whose rewards are looked at")
    ask.add_argument("--small", action="store_true", help="tiny shapes: does everything run?")
    a = ask.parse_args(argv)
    if a.device.startswith("cuda") and not torch.cuda.is_available():
        print("no GPU here: nothing was measured")
        return 2
    clock, device = Clock(a.minutes), torch.device(a.device)
    torch.set_float32_matmul_precision("highest")
    real = a.data.is_dir()
    prompts, responses = texts(a.data, a.prompts) if real else made_texts(a.prompts, .2 if a.small else 1.)
    tokenizer = bpe(prompts, responses, 2048 if a.small else 16384)
    a.out.mkdir(parents=True, exist_ok=True)
    found = machine(device) | dict(texts=len(prompts), of="RM-Bench" if real else "made texts",
                                   small=a.small)

    def keep(**more):
        found.update(more, left_out=clock.left_out, seconds=round(60*a.minutes - clock.left(), 1))
        (a.out/"gpu.json").write_text(json.dumps(found, indent=1), encoding="utf-8")

    peak = matmul_peak(device, a.small)
    keep(matmul_tflops=round(peak/1e12, 2))
    print(f"{found['device']}: {peak/1e12:,.1f} TFLOP/s in bf16; {len(prompts):,} texts of {found['of']}",
          flush=True)
    some = slice(0, 24 if a.small else 96)
    rows = []
    for row in correctness.rewards(prompts[some], responses[some], tokenizer, device, clock,
                                   a.architectures):
        rows.append(row)
        keep(rewards=rows)
    print(correctness.table(rows), flush=True)
    keep(memory=correctness.does_not_fit(prompts[some], responses[some], tokenizer, device))
    print(f"a batch that does not fit: {found['memory']['said']}", flush=True)
    rows = []
    for row in throughput.schemes(prompts, responses, tokenizer, device, peak, clock, a.small):
        rows.append(row)
        keep(throughput=rows)
    keep()
    print(throughput.table(rows), flush=True)
    for said in clock.left_out:
        print(f"left out: {said}")
    wrong = [r for r in found["rewards"] if not r["right"]]
    print(f"{len(wrong)} of {len(found['rewards'])} ways to score are wrong; {a.out/'gpu.json'}")
    return int(bool(wrong) or found["memory"]["right"] is False)


if __name__ == "__main__":
    sys.exit(main())
