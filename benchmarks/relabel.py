"""How much time and memory do millions of preferences take to relabel?

    python benchmarks/relabel.py                  # 100,000 and 1,000,000 preference rows
    python benchmarks/relabel.py 5000000          # exits with 1 above 4 GiB
    python benchmarks/relabel.py --score 500000   # scored instead, as `rate_nb score` does, by a function

A row is a pair, `chosen` and `rejected` with a score of each, in a Parquet file made here. Each size runs in
a process of its own, whose peak memory is the one that the system saw.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import json, resource, subprocess, sys, tempfile, time
from pathlib import Path
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

LIMIT = 4*2**30
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz     "))


def write(path, n, rng, batch=100_000):
    "Pairs of texts of 40 to 600 characters, scored by quality and by length"
    book = "".join(rng.choice(LETTERS, 2_000_000))
    def slices(k, low, high):
        starts, sizes = rng.integers(0, len(book) - high, k), rng.integers(low, high, k)
        return [book[a:a + s] for a, s in zip(starts, sizes)]
    writer = None
    for i in range(0, n, batch):
        k = min(batch, n - i)
        columns = dict(prompt=slices(k, 20, 120), chosen=slices(k, 40, 600), rejected=slices(k, 40, 600))
        for side in ("chosen", "rejected"):
            columns[f"reward_{side}"] = rng.normal(size=k) + .003*np.array([len(t) for t in columns[side]])
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def once(path, out):
    "Relabel a file and say what it took"
    from rate_nb.benchmarks.preferences import relabel_file
    from rate_nb.calibration import make_calibrator
    began, cpu = time.time(), time.process_time()
    done = relabel_file(path, out, make_calibrator("rc-lwr"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss*1024
    print(json.dumps(dict(seconds=time.time() - began, cpu=time.process_time() - cpu, peak=peak,
                          flipped=done.flips["flipped"], fitted_on=done.fitted_on)))


def once_scored(path, out):
    "Score the responses of a file in batches, every reward kept in a store, and say what it took"
    from rate_nb.base.store import Store
    from rate_nb.benchmarks.preferences import ScoredParts, response_tables, score_rows, write_scored
    from rate_nb.scoring.reward_models import CallableReward
    began, cpu, out = time.time(), time.process_time(), Path(out)
    out.mkdir()
    kept = Store(out/"store.sqlite")
    parts = ScoredParts(out)
    length = CallableReward("length", lambda prompts, texts: [len(t) for t in texts], key="1")
    for table in response_tables(path):
        parts.check(table)
        parts.add(score_rows(table, length, kept))
    write_scored(parts, out/"scores.parquet")
    right = parts.scored_pairs()["length"].pipe(lambda p: p.score_chosen > p.score_rejected)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss*1024
    print(json.dumps(dict(seconds=time.time() - began, cpu=time.process_time() - cpu, peak=peak,
                          flipped=int((~right).sum()))))


def main(sizes, how):
    last = "flipped" if how == "--once" else "the longer is rejected"
    print(f"| preference rows | file, MB | CPU, s | wall, s | peak memory, GiB | {last} |\n"
          "|--:|--:|--:|--:|--:|--:|", flush=True)
    worst = 0
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)/"pairs.parquet"
            write(path, n, np.random.default_rng(0))
            said = subprocess.run([sys.executable, __file__, how, path, Path(folder)/"out"],
                                  capture_output=True, text=True, check=True)
            r = json.loads(said.stdout.splitlines()[-1])
            print(f"| {n:,} | {path.stat().st_size/1e6:,.0f} | {r['cpu']:,.0f} | {r['seconds']:,.0f} | "
                  f"{r['peak']/2**30:.2f} | {r['flipped']:,} |", flush=True)
            worst = max(worst, r["peak"])
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        once(*sys.argv[2:])
    elif sys.argv[1:2] == ["--once-scored"]:
        once_scored(*sys.argv[2:])
    else:
        how = "--once-scored" if "--score" in sys.argv else "--once"
        main([int(a) for a in sys.argv[1:] if a != "--score"] or [100_000, 1_000_000], how)
