"""The store under damage: what a broken disk, copy or tool does to its files, and what a user then gets.

    python benchmarks/store_damage.py            # 1,000 corruptions; exits with 1 if one of them deceives
    python benchmarks/store_damage.py 200 7      # so many, from this seed

Each case takes a store of known contents (left in order, or killed in the middle of its work), damages its
files, and reads everything. A value that comes back must be the one that was stored. One that does not must
have been named, by its key, its page or the count of what is gone. Where the store asks for a repair, the
repair is made; then every value whose bytes still stand in a file must be back, and only the others may be
asked for again. The truth is kept in memory, and what still stands in a file is searched for as plain bytes:
nothing here knows how the store checks or repairs.
"""
import contextlib, json, random, shutil, sqlite3, sys, tempfile, time, warnings
from collections import Counter
from pathlib import Path
from rate_nb.base.core import RateError
from rate_nb.base.store import Provenance, repair_store, Store

PAGE = 4096


# ---- a store of known contents ----------------------------------------------------------------------------

def text(rng, words):
    known = "film plot scene actor light dull superb dear été 電影 🙂 no".split()
    return " ".join(rng.choice(known) for _ in range(words))


def contents(rng, n):
    "Kind → key → value"
    def key(): return f"{rng.getrandbits(128):032x}"
    def words(): return rng.choice((3, 8, 20, 60) if rng.random() > .03 else (900, 2500))
    rewrites = {key(): dict(text=text(rng, words()), status="ok", model="m-1", n=i) for i in range(n)}
    rewards = {key(): dict(reward=rng.gauss(0, 1), status="ok") for _ in range(n)}
    return dict(rewrite=rewrites, reward=rewards)


def parts(values, n):
    items = list(values.items())
    return [dict(items[i::n]) for i in range(n)]


class Template:
    "A store written in three steps, as it lies on the disk: in order, or killed in its third step"
    def __init__(self, folder, rng, killed, n=120):
        self.killed, self.truth = killed, contents(rng, n)
        self.records = {f"batch-{i}": dict(id=f"b{i}", open=bool(i % 2)) for i in range(6)}
        self.folder, path = folder, folder / "work" / "store.sqlite"
        store = Store(path)
        store.put_records("batch", self.records)
        told = Provenance("api.example.com/v1", "m-1-served", cost=.001, time=1.8e9)
        thirds = [[parts(values, 3)[i] for values in self.truth.values()] for i in range(3)]
        for i, third in enumerate(thirds):
            for kind, some in zip(self.truth, third):
                for few in parts(some, 4):
                    store.put_many(kind, few, told if kind == "rewrite" else None)
            if i < 2 or not killed:
                store.checkpoint()
            if i == 0:
                self.earlier = path.read_bytes()
        if not killed:
            store.close()
        self.files = {p.name: p.read_bytes() for p in path.parent.iterdir() if not p.name.endswith("-shm")}
        store.close()

    def lay(self, folder): # the files, in a new folder
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        return folder / "store.sqlite"


# ---- what can happen to its files ------------------------------------------------------------------------

DAMAGES = {}


def damage(weight=1, killed=None):
    def named(f):
        DAMAGES[f.__name__] = (f, weight, killed)
        return f
    return named


def changed(path, change):
    data = bytearray(path.read_bytes())
    data = change(data) or data
    path.write_bytes(data)


def some_page(rng, data, least=0): return rng.randrange(least, max(len(data) // PAGE, least + 1))


@damage(4)
def a_bit_flips(path, rng, template):
    def change(data): data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    changed(path, change)


@damage(6)
def a_bit_of_a_value_flips(path, rng, template):
    def change(data):
        kind = rng.choice(list(template.truth))
        key = rng.choice(list(template.truth[kind])).encode()
        at = data.find(key + b"{")
        if at >= 0:
            data[at + rng.randrange(len(key) + 40)] ^= 1 << rng.randrange(8)
    changed(path, change)


@damage(2)
def a_digit_becomes_another(path, rng, template):
    def change(data):
        places = [i for i in range(len(data) - 12) if data[i:i + 9] == b'"reward":']
        if places:
            data[rng.choice(places) + 11] ^= 1
    changed(path, change)


@damage(2)
def bytes_are_overwritten(path, rng, template):
    def change(data):
        at = rng.randrange(len(data) - 40)
        data[at:at + 16] = rng.randbytes(16)
    changed(path, change)


@damage(2)
def the_end_is_cut_off(path, rng, template):
    changed(path, lambda data: data[:rng.randrange(len(data))])


@damage(2)
def pages_at_the_end_are_cut_off(path, rng, template):
    changed(path, lambda data: data[:PAGE * some_page(rng, data, 1)])


@damage(2)
def a_block_is_zero(path, rng, template):
    def change(data):
        at = 512 * rng.randrange(len(data) // 512)
        data[at:at + 512] = bytes(512)
    changed(path, change)


@damage(2)
def a_page_is_zero(path, rng, template):
    def change(data):
        at = PAGE * some_page(rng, data)
        data[at:at + PAGE] = bytes(PAGE)
    changed(path, change)


@damage(2)
def a_page_is_torn(path, rng, template):
    "Half of it as it was an earlier time, or as another page is"
    def change(data):
        at, old = PAGE * some_page(rng, data, 1), template.earlier
        half = 512 * rng.randrange(1, 8)
        source = old[at:at + PAGE] if at + PAGE <= len(old) else bytes(data[PAGE:2 * PAGE])
        data[at + half:at + PAGE] = source[half:]
    changed(path, change)


@damage(2)
def a_page_was_never_written(path, rng, template):
    "It is as it was an earlier time: the disk said it had written, and had not"
    def change(data):
        at = PAGE * rng.randrange(1, len(template.earlier) // PAGE)
        data[at:at + PAGE] = template.earlier[at:at + PAGE]
    changed(path, change)


@damage(1)
def a_page_went_to_another_place(path, rng, template):
    def change(data):
        a, b = (PAGE * some_page(rng, data, 1) for _ in range(2))
        data[b:b + PAGE] = data[a:a + PAGE]
    changed(path, change)


@damage(1)
def two_pages_are_swapped(path, rng, template):
    def change(data):
        a, b = (PAGE * some_page(rng, data, 1) for _ in range(2))
        data[a:a + PAGE], data[b:b + PAGE] = data[b:b + PAGE], data[a:a + PAGE]
    changed(path, change)


@damage(2)
def two_values_are_swapped(path, rng, template):
    def change(data):
        kind = rng.choice(list(template.truth))
        by_length = {}
        for key, value in template.truth[kind].items():
            stored = json.dumps(value, separators=(",", ":")).encode()
            at = data.find(key.encode() + stored)
            if at >= 0:
                by_length.setdefault(len(stored), []).append((at + len(key), stored))
        pairs = [some for some in by_length.values() if len(some) > 1]
        if pairs:
            (a, first), (b, second) = rng.sample(rng.choice(pairs), 2)
            data[a:a + len(first)], data[b:b + len(second)] = second, first
    changed(path, change)


def by_sql(path, statement, *values):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement, values)


@damage(2)
def two_rows_change_places(path, rng, template):
    "Whole values with all that stands beside them, under each other's keys"
    kind = rng.choice(list(template.truth))
    a, b = rng.sample(list(template.truth[kind]), 2)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        for old, new in ((a, "between"), (b, a), ("between", b)):
            db.execute("UPDATE entries SET key = ? WHERE kind = ? AND key = ?", (new, kind, old))


@damage(1)
def a_row_is_removed(path, rng, template):
    by_sql(path, "DELETE FROM entries WHERE key = ?", rng.choice(list(template.truth["reward"])))


@damage(1)
def a_status_is_changed(path, rng, template):
    by_sql(path, "UPDATE entries SET value = replace(value, '\"ok\"', '\"no\"') WHERE key = ?",
           rng.choice(list(template.truth["rewrite"])))


@damage(1)
def a_source_is_changed(path, rng, template):
    by_sql(path, "UPDATE entries SET provenance = replace(provenance, 'example', 'another') WHERE key = ?",
           rng.choice(list(template.truth["rewrite"])))


@damage(1)
def a_record_is_changed(path, rng, template):
    by_sql(path, "UPDATE records SET value = replace(value, 'true', 'false') WHERE key = 'batch-1'")


@damage(2, killed=True)
def the_log_is_deleted(path, rng, template): Path(f"{path}-wal").unlink()


@damage(2, killed=True)
def the_log_is_cut_between_two_transactions(path, rng, template):
    "What SQLite takes for a log that has always been so short"
    def change(data):
        starts = range(32, len(data), 24 + PAGE)
        ends = [at + 24 + PAGE for at in starts if any(data[at + 4:at + 8])] # a frame that commits
        return data[:rng.choice([32, *ends[:-1]])]
    changed(Path(f"{path}-wal"), change)


@damage(3, killed=True)
def a_bit_of_the_log_flips(path, rng, template): a_bit_flips(Path(f"{path}-wal"), rng, template)


@damage(2, killed=True)
def a_block_of_the_log_is_zero(path, rng, template): a_block_is_zero(Path(f"{path}-wal"), rng, template)


@damage(1, killed=False)
def an_earlier_file_comes_back(path, rng, template): path.write_bytes(template.earlier)


@damage(1)
def the_counts_are_damaged(path, rng, template):
    for other in path.parent.iterdir():
        if other.name not in (path.name, f"{path.name}-wal"):
            a_bit_flips(other, rng, template)


# ---- what a user gets ------------------------------------------------------------------------------------

def read(path, template):
    "(everything that can be read, or None; what was said)"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            with Store(path) as store:
                got = {kind: store.get_many(kind, values) for kind, values in template.truth.items()}
                got["batch"] = store.records("batch")
        except RateError as e:
            return None, [str(w.message) for w in told] + [str(e)]
    return got, [str(w.message) for w in told]


def counting(path, template):
    "The files' bytes without the pages that a sound log supersedes: opening the store writes over those"
    data, log = bytearray(path.read_bytes()), Path(f"{path}-wal")
    frames = log.read_bytes() if log.exists() else b""
    if frames == template.files.get(log.name):
        for at in range(32, len(frames) - PAGE, 24 + PAGE):
            page = int.from_bytes(frames[at:at + 4], "big")
            data[PAGE * (page - 1):PAGE * page] = bytes(len(data[PAGE * (page - 1):PAGE * page]))
    return [bytes(data), frames]


def standing(template, before, after):
    "(kind, key) of the short values whose bytes all still stand in the files somewhere"
    out = set()
    for kind, values in template.truth.items():
        for key, value in values.items():
            stored = kind.encode() + key.encode() + json.dumps(value, separators=(",", ":")).encode()
            for data in before:
                if (at := data.find(stored)) >= 0:
                    break
            else:
                continue # a long value, in several pages
            said = data.find(b"\x1c" + stored) # the header ends here, the digest is eight bytes
            source = data.find(b"}", at + len(stored)) + 1 if kind == "rewrite" else at + len(stored)
            whole = data[said - 9:source + 8] if said >= 0 else data[at - 10:source + 8]
            if any(whole in there for there in after):
                out.add((kind, key))
    return out


def named(said, path, kind, key):
    "Do the words name the file, and this value by its key, its page or by the count of what is gone?"
    signs = key[:8], key[-8:], "page", f"of kind {kind!r}", "stored since the last step", "-wal"
    return any(str(path) in s and any(sign in s for sign in signs) for s in said)


def missing(template, got):
    truth = template.truth | dict(batch=template.records)
    return {(kind, key) for kind, values in truth.items() for key in values if key not in got[kind]}


def false(template, got):
    truth = template.truth | dict(batch=template.records)
    return [(kind, key) for kind, values in got.items() for key, value in values.items()
            if value != truth[kind].get(key)]


def case(template, folder, rng, name):
    "Faults of one corruption, as words; none where all went well"
    path = template.lay(folder)
    before = [p.read_bytes() for p in sorted(folder.iterdir())]
    DAMAGES[name][0](path, rng, template)
    after = counting(path, template)
    rest = standing(template, before, after)
    got, said = read(path, template)
    repaired = got is None
    if repaired:
        signs = "page", "of kind", "stored since the last step", "-wal"
        if not any(str(path) in s and any(sign in s for sign in signs) for s in said):
            return [f"an error that does not say where: {said}"], "refused"
        try:
            said.append(repair_store(path))
        except RateError as e:
            return [f"no repair: {e}"], "refused"
        got, more = read(path, template)
        if got is None:
            return [f"still refused after the repair: {more}"], "refused"
    faults = [f"changed in silence: {where}" for where in false(template, got)]
    gone = missing(template, got)
    faults += [f"lost though it stands there: {where}" for where in sorted(gone & rest)]
    faults += [f"lost in silence: {where}, said {said}" for where in sorted(gone)
               if not named(said, path, *where)]
    with Store(path) as store: # what is asked for again is kept again, and then all is well
        for kind, values in template.truth.items():
            store.put_many(kind, {k: v for k, v in values.items() if (kind, k) in gone})
    got, _ = read(path, template)
    if got is None or any(kind != "batch" for kind, _ in missing(template, got)):
        faults.append("what was asked for again was not kept")
    return faults, "repaired" if repaired else "mended" if said else "unharmed"


def fuzz(folder, n, seed=0, size=120):
    "(faults, how many of each end)"
    rng, faults, ends = random.Random(seed), [], Counter()
    templates = {killed: Template(folder / f"template-{killed}", rng, killed, size)
                 for killed in (False, True)}
    names = [name for name, (_, weight, _) in DAMAGES.items() for _ in range(weight)]
    order = [*DAMAGES, *(rng.choice(names) for _ in range(n))][:n] # each at least once
    rng.shuffle(order)
    for i, name in enumerate(order):
        must = DAMAGES[name][2]
        killed = rng.random() < .3 if must is None else must
        begun = random.Random(f"{seed}-{i}-{name}")
        try:
            wrong, end = case(templates[killed], folder / f"{i}", begun, name)
        except Exception as e: # an error that no user should see
            wrong, end = [f"raw error: {type(e).__name__}: {e}"], "raw"
        ends[end] += 1
        faults += [f"case {i}, {name}{', killed' if killed else ''}: {w}" for w in wrong[:3]]
        shutil.rmtree(folder / f"{i}", ignore_errors=True)
    return faults, ends


def main(n=1000, seed=0):
    with tempfile.TemporaryDirectory() as folder:
        began = time.time()
        faults, ends = fuzz(Path(folder), n, seed)
    print(*faults[:40], sep="\n")
    print(f"{n:,} corruptions: {len(faults)} faults; {dict(ends)}; {time.time() - began:.0f} s")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
