"""The store: values a second into a file and out of it.

    python benchmarks/store.py            # 100,000 rewrites, best of 5; exits with 1 if a target is missed
    python benchmarks/store.py 20000 3    # so many, best of so many

Keys are hashes, as in a run, so they arrive in no order; values are rewrites of 60 characters. Batches of
512 go in and all keys are asked for at once. Other work on the machine can only slow this down: the best of
several rounds counts, and where the machine is busy all along, the rate per second of CPU.
"""
import hashlib, sys, tempfile, time
from pathlib import Path
from rate_nb.base.store import Store

TARGETS, BATCH = {"inserts": 40_000, "gets": 100_000}, 512


def rewrites(n):
    key = lambda i: hashlib.sha256(str(i).encode()).hexdigest()[:32]
    return {key(i): dict(text=f"A superb film, and I loved every minute of it. Number {i:,}.",
                         finish_reason="stop", model="m-1", prompt_tokens=200, completion_tokens=50)
            for i in range(n)}


def timed(run):
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return dict(wall=time.perf_counter() - wall, cpu=time.process_time() - cpu)


def once(entries):
    with tempfile.TemporaryDirectory() as folder:
        found, store, items = {}, Store(Path(folder)/"store.sqlite"), list(entries.items())
        batches = [dict(items[start:start + BATCH]) for start in range(0, len(items), BATCH)]
        def insert():
            for batch in batches:
                store.put_many("rewrite", batch)
        inserts, gets = timed(insert), timed(lambda: found.update(store.get_many("rewrite", entries)))
        assert found == entries
        return {(what, clock): len(entries) / seconds for what, took in (("inserts", inserts), ("gets", gets))
                for clock, seconds in took.items()}


def main(n=100_000, repeats=5):
    entries = rewrites(n)
    rounds = [once(entries) for _ in range(repeats)]
    missed = 0
    for what, aim in TARGETS.items():
        wall, cpu = (sorted(r[what, clock] for r in rounds) for clock in ("wall", "cpu"))
        print(f"{what}: {wall[-1]:,.0f} a second, best of {repeats} (lowest {wall[0]:,.0f}); {cpu[-1]:,.0f} "
              f"a second of CPU (aim {aim:,})", flush=True)
        missed += max(wall[-1], cpu[-1]) < aim
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
