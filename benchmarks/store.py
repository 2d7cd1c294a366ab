"""The store: values a second into a file and out of it, beside a bare table that checks nothing.

    python benchmarks/store.py            # 100,000 rewrites, best of 5; exits with 1 if a target is missed
    python benchmarks/store.py 20000 3    # so many, best of so many
    python benchmarks/store.py open       # how long it takes to open a million values, and how much memory

Keys are hashes, as in a run, so they arrive in no order; values are rewrites of 60 characters. Batches of
512 go in and all keys are asked for at once. Other work on the machine can only slow this down: the best of
several rounds counts, and where the machine is busy all along, the rate per second of CPU. The bare table is
what the store would be without digests and provenance: the same file format, the same batches, the same JSON.
The ratio of the two, round by round, is what trust costs.
"""
import hashlib, json, sqlite3, subprocess, sys, tempfile, time
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


class Bare:
    "Keys and values in one table"
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        settings = dict(journal_mode="WAL", synchronous="NORMAL", cache_size=-32768, wal_autocheckpoint=8000)
        for name, value in settings.items():
            self.db.execute(f"PRAGMA {name} = {value}")
        self.db.execute("CREATE TABLE t (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, "
                        "PRIMARY KEY (kind, key))")
        self.encode = json.JSONEncoder(separators=(",", ":")).encode

    def put_many(self, kind, entries):
        rows = [(kind, key, self.encode(value)) for key, value in entries.items()]
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany("INSERT OR IGNORE INTO t VALUES (?, ?, ?)", rows)
        self.db.execute("COMMIT")

    def get_many(self, kind, keys):
        keys, found = list(keys), {}
        for start in range(0, len(keys), 500):
            part = keys[start:start + 500]
            rows = self.db.execute(f"SELECT key, value FROM t WHERE kind = ? AND key IN "
                                   f"({','.join('?' * len(part))})", [kind, *part]).fetchall()
            values = json.loads(f"[{','.join([value for _, value in rows])}]")
            found.update(zip((key for key, _ in rows), values))
        return found

    def close(self): self.db.close()


def once(entries, kind=Store):
    with tempfile.TemporaryDirectory() as folder:
        found, items = {}, list(entries.items())
        store = kind(Path(folder)/"store.sqlite")
        batches = [dict(items[start:start + BATCH]) for start in range(0, len(items), BATCH)]
        def insert():
            for batch in batches:
                store.put_many("rewrite", batch)
        inserts, gets = timed(insert), timed(lambda: found.update(store.get_many("rewrite", entries)))
        assert found == entries
        store.close()
        return {(what, clock): len(entries) / seconds for what, took in (("inserts", inserts), ("gets", gets))
                for clock, seconds in took.items()}


def main(n=100_000, repeats=5):
    entries = rewrites(n)
    pairs = [(once(entries), once(entries, Bare)) for _ in range(repeats)]
    rounds = [store for store, _ in pairs]
    missed = 0
    for what, aim in TARGETS.items():
        wall, cpu = (sorted(r[what, clock] for r in rounds) for clock in ("wall", "cpu"))
        ratio = sorted(store[what, "cpu"] / bare[what, "cpu"] for store, bare in pairs)[repeats//2]
        print(f"{what}: {wall[-1]:,.0f} a second, best of {repeats} (lowest {wall[0]:,.0f}); {cpu[-1]:,.0f} "
              f"a second of CPU (aim {aim:,}); {ratio:.2f} of a bare table's (median over rounds)",
              flush=True)
        missed += max(wall[-1], cpu[-1]) < aim
    return int(missed > 0)


READ = """
import resource, sys, time
from rate_nb.base.store import Store
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss/1024
before, began = peak(), time.perf_counter()
store = Store(sys.argv[1])
opened, store_peak = time.perf_counter() - began, peak()
store.get_many("rewrite", [f"new {i}" for i in range(1000)])
print(f"opened in {opened:.3f} s with {store_peak - before:.0f} MB; the first key that is not there makes it "
      f"read everything once: {time.perf_counter() - began - opened:.1f} s, {peak() - before:.0f} MB")
"""


def opening(n=1_000_000):
    with tempfile.TemporaryDirectory() as folder:
        path, items = Path(folder)/"store.sqlite", list(rewrites(n).items())
        with Store(path) as store:
            for start in range(0, n, BATCH):
                store.put_many("rewrite", dict(items[start:start + BATCH]))
        print(f"{n:,} values, {path.stat().st_size/1e6:,.0f} MB:", flush=True)
        subprocess.run([sys.executable, "-c", READ, str(path)], check=True)


if __name__ == "__main__":
    sys.exit(opening() if sys.argv[1:] == ["open"] else main(*map(int, sys.argv[1:])))
