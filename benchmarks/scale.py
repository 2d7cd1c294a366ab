"""How does the cost of each stage of an audit grow with the number of responses?

    python benchmarks/scale.py 10000 100000           # a process per size; 1000000 where memory allows
    python benchmarks/scale.py 10000 --profile diagnose # where the time of one stage goes

Responses are made of random words (plain numpy), the rewriter makes them longer or shorter by a rule, and the
reward counts characters: what is left is the package's own work. A stage's seconds are CPU seconds of its
process; its peak is the most memory the process held so far. `grows` is the exponent between two sizes: 1
is linear, and n log n is at most 1.1 between 10⁴ and 10⁶. The report is made of tables computed before.
Exits with 1 where a stage grows faster than n log n, or a report at the largest size takes or weighs more
than twice that at the smallest.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import json, math, resource, subprocess, sys, tempfile, time
from pathlib import Path
import numpy as np
import pandas as pd

STAGES = ("plan", "rewrite", "score", "store", "effects", "diagnose", "report")
PER_PROMPT = 2 # responses
SLACK = 1.35   # of a stage's seconds: timing on a shared machine


def responses(n, seed=0):
    "Prompts with two responses each: random words, twenty to a hundred"
    rng = np.random.default_rng(seed)
    words = np.array([f"{a}{b}" for a in ("ba", "do", "ki", "lu", "me", "no", "ra", "so", "tu", "vi")
                      for b in ("ban", "del", "fin", "gor", "ham", "jet", "kol", "lim", "mop", "nus")])
    sizes = rng.integers(20, 100, n)
    picked = words[rng.integers(0, len(words), sizes.sum())]
    ends = np.cumsum(sizes)
    texts = [" ".join(picked[b - k:b]) + "." for b, k in zip(ends, sizes)]
    prompts = [f"Question {k//PER_PROMPT}: what of it?" for k in range(n)]
    return pd.DataFrame(dict(example_id=[f"e{k}" for k in range(n)], prompt_id=[f"q{k//PER_PROMPT}"
                             for k in range(n)], prompt=prompts, response=texts, w=(sizes > 59).astype(int)))


def rewriter(prompt, text, target):
    "Half of the words again, or the first two thirds of them"
    words = text[:-1].split(" ")
    return " ".join(words + words[:len(words)//2] if target else words[:2*len(words)//3]) + "."


def stored(folder, n):
    "What the store alone costs: n rows in, n rows out"
    from rate_nb.base import Store
    with tempfile.TemporaryDirectory(dir=folder) as place:
        store, found = Store(Path(place)/"rows.sqlite"), 0
        for at in range(0, n, 10_000):
            keys = [f"key {k:09d}" for k in range(at, min(at + 10_000, n))]
            store.put_many("reward", {k: dict(reward=1.25) for k in keys})
        for at in range(0, n, 10_000):
            found += len(store.get_many("reward", [f"key {k:09d}" for k in range(at, min(at + 10_000, n))]))
        assert found == n


def one(n, folder):
    "Every stage at one size; a line of JSON each"
    from rate_nb.audit import Audit, Design
    from rate_nb.scoring import CallableReward
    reward = CallableReward("characters", lambda prompts, texts: [len(t)/100 for t in texts], key="c")
    audit = Audit(responses(n), "length", rewriter, reward, folder, design=Design(check=0))
    run = dict(plan=audit.plan, rewrite=audit.rewrite, score=audit.score, store=lambda: stored(folder, n),
               effects=audit.effects, diagnose=audit.diagnose, report=audit.report)
    for stage in STAGES:
        cpu, wall = time.process_time(), time.perf_counter()
        run[stage]()
        said = dict(n=n, stage=stage, cpu=time.process_time() - cpu, wall=time.perf_counter() - wall,
                    peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024)
        if stage == "report":
            said["bytes"] = (Path(folder)/"report.html").stat().st_size
        print(json.dumps(said), flush=True)


def profiled(n, stage):
    import cProfile, pstats
    from rate_nb.audit import Audit, Design
    from rate_nb.scoring import CallableReward
    reward = CallableReward("characters", lambda prompts, texts: [len(t)/100 for t in texts], key="c")
    with tempfile.TemporaryDirectory() as folder:
        audit = Audit(responses(n), "length", rewriter, reward, folder, design=Design(check=0))
        for before in STAGES[:STAGES.index(stage)]:
            if before != "store":
                getattr(audit, before)()
        watch = cProfile.Profile()
        watch.runcall(getattr(audit, stage))
        pstats.Stats(watch).sort_stats("cumtime").print_stats(45)


def compared(rows):
    "A row per stage: seconds at each size, and how they grow from the smallest to the largest"
    t = pd.DataFrame(rows)
    wide = t.pivot(index="stage", columns="n", values="cpu").reindex(STAGES)
    small, large = wide.columns.min(), wide.columns.max()
    table = wide.add_prefix("cpu s, ")
    times = math.log(large/small) if large > small else math.nan
    table["grows"] = np.log(wide[large]/wide[small])/times
    table["peak MB"] = t[t.n == large].set_index("stage").peak_mb
    pages = t[t.stage == "report"].set_index("n").bytes
    return table, small, large, pages


if __name__ == "__main__":
    if "--one" in sys.argv:
        one(int(sys.argv[1]), sys.argv[3])
        sys.exit()
    if "--profile" in sys.argv:
        profiled(int(sys.argv[1]), sys.argv[3])
        sys.exit()
    rows = []
    for size in sys.argv[1:] or ["10000", "100000"]:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, __file__, size, "--one", folder]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
                for line in run.stdout: # a stage at a time: a large size takes long
                    print(line, end="", flush=True)
                    rows += [json.loads(line)] if line.startswith("{") else [] # or how far a stage is
        if run.returncode:
            sys.exit(f"{size} responses: stopped with {run.returncode}")
    table, small, large, pages = compared(rows)
    print(table.round(2).to_string(), f"\nreport, bytes: {pages.to_dict()}")
    if large == small:
        sys.exit()
    allowed = SLACK*(large/small)*math.log(large)/math.log(small)
    slow = [s for s in STAGES if s != "report"
            and table.loc[s, f"cpu s, {large}"] > allowed*max(table.loc[s, f"cpu s, {small}"], .05)]
    heavy = (pages[large] > 2*pages[small]
             or table.loc["report", f"cpu s, {large}"] > 2*table.loc["report", f"cpu s, {small}"])
    print("faster than n log n:", slow or "no stage", "; report more than doubled:", bool(heavy))
    sys.exit(bool(slow or heavy))
