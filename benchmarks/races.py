"""Who wins a race for a run folder, and does anybody pay twice? Processes and threads that start together.

    python benchmarks/races.py                               # 200 races of 2 to 16, a table
    python benchmarks/races.py --races 40 --keep races.jsonl # goes on where the file ends
    python benchmarks/races.py --probes                      # 1,600 probes of one folder; loops

A loopback endpoint counts the calls and a file the texts that are scored (tests/racing.py). Kinds: the
same audit many times; audits with two different settings; the same in threads of one process; one process
killed by SIGKILL; one stopped by SIGSTOP, its locks broken, and woken when another has finished. The
script exits with 1 if a race is not as it should be.
"""
import argparse, json, os, random, sys, tempfile, threading
os.environ.setdefault("OMP_NUM_THREADS", "1")
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import pandas as pd
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import racing

SHARES = dict(same=.25, other=.2, threads=.2, killed=.2, stopped=.15)
SIZES = (2, 3, 4, 6, 8, 12, 16)


def planned(n):
    "n races: (kind, how many take part, seed)"
    rng = random.Random(18)
    return [(rng.choices(list(SHARES), SHARES.values())[0], rng.choice(SIZES), seed) for seed in range(n)]


def run(n, keep):
    "The facts of n races, those of the file not run again"
    known = [json.loads(line) for line in keep.read_text().splitlines()] if keep and keep.exists() else []
    done = {(f["kind"], f["n"], f["seed"]): f for f in known}
    for one in planned(n):
        if one not in done:
            kind, size, seed = one
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                done[one] = racing.race(kind, folder, size, seed)
            if found := racing.wrong(done[one]):
                print(f"{one}: {'; '.join(found)}", file=sys.stderr, flush=True)
            if keep:
                with open(keep, "a") as f:
                    f.write(json.dumps(done[one]) + "\n")
    return [done[one] for one in planned(n)]


def table(facts):
    "One row a kind"
    rows = []
    for kind in racing.KINDS:
        these = [f for f in facts if f["kind"] == kind]
        sums = {k: sum(f[k] for f in these) for k in ("n", "twice", "rescored", "mixed")}
        rows.append({"race": kind, "races": len(these), "took part": sums["n"],
                     "calls paid twice": sums["twice"], "texts scored twice": sums["rescored"],
                     "mixed folders": sums["mixed"],
                     "written after": sum(len(f.get("written", ())) for f in these),
                     "raw errors": sum(f["outcomes"].get("raw", 0) for f in these),
                     "wrong": sum(bool(racing.wrong(f)) for f in these)})
    return pd.DataFrame(rows)


def probes():
    "Spurious failures of 1,600 probes of a folder, and loops in 300 trials of 8 threads"
    from rate_nb.audit.audit import usable_folder
    from rate_nb.base.core import write_atomic
    from rate_nb.llm import calls
    failed = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(16) as threads:
        def probe(i):
            try:
                usable_folder(folder)
                write_atomic(Path(folder) / "same.txt", lambda p: p.write_text("x" * 1000))
            except Exception as e:
                failed.append(repr(e))
        list(threads.map(probe, range(1600)))
    several = 0
    for _ in range(300):
        calls._loops.clear() # as if this process had none yet
        gate = threading.Barrier(8)
        with ThreadPoolExecutor(8) as threads:
            made = list(threads.map(lambda _: (gate.wait(), calls.background_loop())[1], range(8)))
        several += len(set(made)) > 1
        made[0].call_soon_threadsafe(made[0].stop)
    return dict(probes=1600, failed=len(failed), trials=300, several_loops=several)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="file of finished races")
    parser.add_argument("--probes", action="store_true")
    args = parser.parse_args()
    if args.probes:
        print(probes())
        sys.exit()
    facts = run(args.races, args.keep)
    shown = table(facts)
    print(shown.to_string(index=False))
    sys.exit(int(shown.wrong.sum() > 0))
