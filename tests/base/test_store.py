"The store under faults: damage, processes, threads, links, full disks: no wrong value, none lost in silence"
import asyncio, json, os, pickle, random, re, shutil, signal, sqlite3, subprocess, sys
import tempfile, threading, time, warnings
import numpy as np, pytest
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sampling import repeats
from rate_nb.base.core import InputError, RateError
from rate_nb.base import store as store_module
from rate_nb.base.store import (
    as_store, lock, LockedError, Provenance, repair_store, Store, StoreError, StoreGoneError,
    StoreWarning, storing, take_lock)
from rate_nb.llm.calls import Reply
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.theory.text_world import TextWorld

PAGE, N = 4096, 240


# ---- damage: a table of what can happen to a file, and how many values it may cost -----------------------

def contents(seed=0):
    rng = random.Random(seed)
    words = "film plot scene actor light dull superb dear été 電影 🙂 no".split()
    def text(): return " ".join(rng.choice(words) for _ in range(rng.choice((3, 8, 20, 60, 900))))
    return {f"{rng.getrandbits(128):032x}": dict(text=text(), model="m-1", n=i) for i in range(N)}


RECORDS = {f"b{i}": dict(id=f"batch-{i}", open=bool(i % 2)) for i in range(6)}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    "A store left in order, the same killed in its last step, and an older copy"
    folder, values = tmp_path_factory.mktemp("template"), contents()
    path, items = folder/"store.sqlite", list(values.items())
    with Store(path) as store:
        store.put_records("batch", RECORDS)
        for start in range(0, N, 20):
            if start == 160:
                store.checkpoint()
                older = path.read_bytes()
            told = Provenance("api.example.com/v1", cost=.1, time=1.8e9)
            store.put_many("rewrite", dict(items[start:start + 20]), told)
        killed = {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.endswith("-shm")}
    ordered = {p.name: p.read_bytes() for p in folder.iterdir()}
    return dict(values=values, older=older, killed=killed, ordered=ordered)


def laid(template, folder, state="ordered"):
    folder.mkdir(exist_ok=True)
    for name, data in template[state].items():
        (folder/name).write_bytes(data)
    return folder/"store.sqlite"


def read(path, values): # (values, records, what was said)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with Store(path) as store:
            return store.get_many("rewrite", values), store.records("batch"), [str(w.message) for w in told
                                                                              if w.category is StoreWarning]


def survives(path, values, most, records=True): # the outcome that every damage must have
    got, kept, said = read(path, values)
    lost = set(values) - set(got)
    assert all(got[k] == values[k] for k in got), "a value is wrong"
    assert all(RECORDS[k] == kept[k] for k in kept) and (kept == RECORDS or not records)
    assert len(lost) <= most, f"{len(lost)} lost: {said}"
    if lost:
        counts = re.findall(r"(\d+) (?:damaged )?values? (?:\(|(?:and .* )?that had)", "; ".join(said))
        assert sum(map(int, counts)) >= len(lost), f"lost in silence: {lost}, said {said}"
    with Store(path) as store: # what is asked for again is kept again, and the store is in order
        assert store.put_many("rewrite", values) == len(lost) and store.get_many("rewrite", values) == values
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Store(path).verify() >= N and read(path, values)[0] == values
    return said


def change(path, edit):
    data = bytearray(path.read_bytes())
    path.write_bytes(edit(data) or data)


def by_sql(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def flip_in_a_value(data, rng):
    at = rng.choice([m.start() for m in re.finditer(rb'"text":"', data)]) + rng.randrange(20)
    data[at] ^= 1 << rng.randrange(8)


def flip(data, at, rng): data[at] ^= 1 << rng.randrange(8)


def sql(*statements): return lambda path, rng: by_sql(path, *statements)


def overwrite(data, at, with_):
    data[at:at + len(with_)] = with_


def any_page(data, rng): return PAGE*rng.randrange(1, len(data)//PAGE)


def zero_a_leaf(path): # a page of rows in the middle
    def edit(data):
        leaves = [at for at in range(PAGE, len(data), PAGE)
                  if data[at] == 13 and b'"text"' in data[at:at + PAGE]]
        overwrite(data, leaves[len(leaves)//2], bytes(PAGE))
    change(path, edit)


def pages_change_places(data, rng):
    a, b = any_page(data, rng), any_page(data, rng)
    data[a:a + PAGE], data[b:b + PAGE] = data[b:b + PAGE], data[a:a + PAGE]


SWAP = [f"UPDATE entries SET key = '{new}' WHERE key = {old}" for old, new in (
    ("(SELECT key FROM entries WHERE id = 3)", "between"),
    ("(SELECT key FROM entries WHERE id = 5)", "later"))] + [
    "UPDATE entries SET key = (SELECT CAST(key AS TEXT) FROM entries WHERE id = 7) || 'x' WHERE id = 3"]

REWORDED = "UPDATE sqlite_master SET sql = replace(sql, 'key TEXT', 'key  TEXT') WHERE name = 'entries'"

# name → (what is done to the file, given a random number generator; how many values may be lost)
DAMAGES = {
    "a bit of a value": (lambda p, r: change(p, lambda d: flip_in_a_value(d, r)), 1),
    "a bit anywhere": (lambda p, r: change(p, lambda d: flip(d, r.randrange(PAGE, len(d)), r)), 60),
    "a bit of the header": (lambda p, r: change(p, lambda d: flip(d, r.randrange(100), r)), 0),
    "the header is noise": (lambda p, r: change(p, lambda d: overwrite(d, 0, r.randbytes(200))), 0),
    "the first page is zero": (lambda p, r: change(p, lambda d: overwrite(d, 0, bytes(PAGE))), 0),
    "a page is zero": (lambda p, r: change(p, lambda d: overwrite(d, any_page(d, r), bytes(PAGE))), N),
    "a page is noise": (lambda p, r: change(p, lambda d: overwrite(d, any_page(d, r), r.randbytes(PAGE))), N),
    "half a page is zero": (lambda p, r: change(p, lambda d: overwrite(d, any_page(d, r) + PAGE//2,
                                                                       bytes(PAGE//2))), N),
    "two pages change places": (lambda p, r: change(p, lambda d: pages_change_places(d, r)), N),
    "the end is cut off": (lambda p, r: change(p, lambda d: d[:r.randrange(PAGE, len(d) + 1)]), N),
    "pages at the end are cut off": (lambda p, r: change(p, lambda d: d[:any_page(d, r)]), N),
    "the file is empty": (lambda p, r: p.write_bytes(b""), N),
    "the file is removed": (lambda p, r: p.unlink(), N),
    "noise behind the end": (lambda p, r: change(p, lambda d: d + r.randbytes(9000)), 0),
    "a value is changed": (sql("UPDATE entries SET value = '{\"text\":\"\"}' WHERE id = 3"), 1),
    "a value is no JSON": (sql("UPDATE entries SET value = '{' WHERE id = 3"), 1),
    "a source is changed": (sql("UPDATE entries SET provenance = NULL WHERE id = 9"), 1),
    "a key is changed": (sql("UPDATE entries SET key = 'other' WHERE id = 11"), 1),
    "rows change places": (sql(*SWAP), 2),
    "a row is removed": (sql("DELETE FROM entries WHERE id = 100"), 1),
    "the last rows are removed": (sql("DELETE FROM entries WHERE id > 230"), 10),
    "a value is no text": (sql("UPDATE entries SET value = X'ff00fe' WHERE id = 3"), 1),
    "a value is not UTF-8": (sql("UPDATE entries SET value = CAST(X'ff00fe' AS TEXT) WHERE id = 3"), 1),
    "a digest is gone": (sql("UPDATE entries SET digest = X'' WHERE id = 3"), 1),
    "all digests are zero": (sql("UPDATE entries SET digest = zeroblob(8)"), N),
    "another journal mode": (sql("PRAGMA journal_mode = DELETE"), 0),
    "the table is described otherwise": (sql("PRAGMA writable_schema = ON", REWORDED), 0),
    "no count beside it": (lambda p, r: Path(f"{p}.count").unlink(), 0),
    "noise as its count": (lambda p, r: Path(f"{p}.count").write_bytes(r.randbytes(3000)), 0),
    "a folder as its count": (lambda p, r: (Path(f"{p}.count").unlink(), Path(f"{p}.count").mkdir()), 0),
    "noise as its log": (lambda p, r: Path(f"{p}-wal").write_bytes(r.randbytes(20_000)), 0),
    "noise as its index": (lambda p, r: Path(f"{p}-shm").write_bytes(r.randbytes(32_768)), 0),
    "noise as a journal": (lambda p, r: Path(f"{p}-journal").write_bytes(r.randbytes(5000)), 0),
    "a symlink to it": (lambda p, r: p.symlink_to(p.rename(p.with_name("real"))), 0),
}
IN_THE_LOG = {
    "the log is removed": (lambda p, r: Path(f"{p}-wal").unlink(), 80),
    "the log is cut": (lambda p, r: change(Path(f"{p}-wal"), lambda d: d[:r.randrange(len(d))]), 80),
    "a bit of the log": (lambda p, r: change(
        Path(f"{p}-wal"), lambda d: flip(d, r.randrange(len(d)), r)), 80),
    "a block of the log is zero": (lambda p, r: change(Path(f"{p}-wal"), lambda d: overwrite(
        d, 512*r.randrange(len(d)//512), bytes(512))), 80),
    "nothing": (lambda p, r: None, 0),
}
RECORDS_TOO = ("page", "end", "empty", "removed", "anywhere", "digests", "bit of the header")


# after a kill the log stands beside the file; what takes it away costs what is in it
FAULTS = [("ordered", name) for name in DAMAGES] + [
    ("killed", name) for name in DAMAGES | IN_THE_LOG if name not in ("noise as its log", "a symlink to it")]


def damaged(template, folder, state, name, seed):
    edit, most = (DAMAGES | IN_THE_LOG)[name]
    path = laid(template, folder, state)
    edit(path, random.Random(f"{name}{seed}"))
    records = not any(word in name for word in RECORDS_TOO)
    survives(path, template["values"], most, records)


@pytest.mark.parametrize("state, name", FAULTS)
def test_damage_changes_no_value_and_what_is_lost_is_said(template, tmp_path, state, name):
    for seed in (1, 2):
        damaged(template, tmp_path/f"{seed}", state, name, seed)


@pytest.mark.slow("every damage with five more seeds; the whole study has thirty")
def test_much_damage(template, tmp_path):
    for seed in range(3, repeats(8, 33)):
        for state, name in FAULTS:
            damaged(template, tmp_path/f"{state} {name} {seed}"[:200], state, name, seed)


def test_a_copy_without_its_count_loses_no_row_with_its_first_page(template, tmp_path):
    path = laid(template, tmp_path)
    Path(f"{path}.count").unlink(missing_ok=True)
    change(path, lambda data: overwrite(data, 0, bytes(PAGE)))
    values, _, said = read(path, template["values"])
    assert len(values) == N and f"{N + 6:,} rows could be read" in said[0]


def test_rows_on_a_broken_page_of_a_copy_alone_are_counted(template, tmp_path):
    path = laid(template, tmp_path)
    Path(f"{path}.count").unlink()
    zero_a_leaf(path)
    assert "that had been stored could not be found" in survives(path, template["values"], 60)[0]


PRUNES_WHERE_FULL = """
import os, resource, signal
from rate_nb.base.core import RateError
from rate_nb.base.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store(sys.argv[1])
store.checkpoint()
resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, resource.RLIM_INFINITY))
try:
    store.prune("rewrite", lambda v: True) # its log does not fit
except RateError:
    os._exit(3)
"""

def test_a_removal_that_does_not_commit_is_not_counted(template, tmp_path):
    path = laid(template, tmp_path)
    with process(PRUNES_WHERE_FULL, path) as child:
        assert child.wait() == 3
    assert len(Store(path)) == N and not read(path, [*template["values"], "nowhere"])[2]
    by_sql(path, "DELETE FROM entries WHERE id > 230")
    assert "10 values that had been stored" in survives(path, template["values"], 10)[0]


def test_an_older_file_that_is_put_back_is_said(template, tmp_path):
    path = laid(template, tmp_path)
    path.write_bytes(template["older"])
    assert "80 values that had been stored" in survives(path, template["values"], 80)[0]


def test_a_missing_record_is_said_and_a_removed_value_is_not(template, tmp_path):
    path = laid(template, tmp_path)
    by_sql(path, "DELETE FROM records WHERE key = 'b1'", "DELETE FROM entries WHERE id = 9")
    _, records, said = read(path, template["values"])
    assert "2 values that had been stored" in said[0] and len(records) == 5 # a record is one, too
    with Store(path) as store: # what we remove ourselves is not missing
        assert store.prune("rewrite", lambda v: v["n"] % 2) > 100
    assert not read(path, template["values"])[2]
    with Store(path) as store: # nor what a process that was killed did not count
        before = Path(f"{path}.count").read_bytes()
        store.put_many("rewrite", {f"more {i}": {} for i in range(9)})
    Path(f"{path}.count").write_bytes(before)
    assert not read(path, template["values"])[2] and Store(path).verify()
    by_sql(path, "DELETE FROM entries WHERE key LIKE 'more%'", "DELETE FROM entries WHERE id = 1")
    with Store(path) as store: # rows that are added hide nothing of the gap
        store.put_many("rewrite", {f"new {i}": {} for i in range(9)})
    assert "10 values that had been stored" in read(path, template["values"])[2][0]


PRUNES = """
import os
import rate_nb.base.store as module
real, end = os.pwrite, sys.argv[2]
def pwrite(*args): # the process dies before its removal is counted in the file beside, or just after
    if end == "counted":
        real(*args)
    os._exit(9)
with module.Store(sys.argv[1]) as store:
    print('in', flush=True)
    sys.stdin.readline()
    os.pwrite = real if end == "whole" else pwrite
    store.prune("rewrite", lambda v: True)
"""

def test_a_removal_at_any_moment_is_no_alarm(template, tmp_path, monkeypatch):
    for end in ("before", "counted"):
        path = laid(template, tmp_path/end)
        with process(PRUNES, path, end) as child:
            child.communicate("\n")
            assert child.wait() == 9
        assert not read(path, [*template["values"], "nowhere"])[2] and len(Store(path)) == N
    path, real = laid(template, tmp_path/"meanwhile"), store_module._beside
    with process(PRUNES, path, "whole") as child:
        def beside(path): # all is removed after the number was read
            number = real(path)
            monkeypatch.undo()
            child.communicate("\n")
            return number
        monkeypatch.setattr(store_module, "_beside", beside)
        assert not read(path, template["values"])[2] and child.wait() == 0 == len(Store(path))


ADDS = """
import random, warnings
from rate_nb.base.store import Store
warnings.simplefilter("error") # a false alarm
who, rng = sys.argv[2], random.Random(sys.argv[2])
for i in range(150):
    with Store(sys.argv[1]) as store:
        store.put_many("rewrite", {f"{who}-{i}-{j}": dict(n=rng.randrange(9)) for j in range(3)})
        if i % 7 == 0:
            store.prune("rewrite", lambda v: v["n"] < 3)
        store.put_records("batch", {f"{who}-{i}": {}})
        store.get_many("rewrite", ["nowhere"]) # counts
"""

def test_no_alarm_is_false_while_others_add_and_remove(tmp_path):
    path = tmp_path/"store.sqlite"
    for killed in (False, True):
        children = [process(ADDS, path, f"{who}{killed}") for who in "abc"]
        if killed:
            for child in children:
                time.sleep(1)
                child.kill()
        assert {c.wait() for c in children} <= ({-9, 0} if killed else {0}) # one may have been done before
        assert not read(path, ["nowhere"])[2]
    assert path.with_name("store.sqlite.count").exists()


CUTS = """
import json, sys, warnings
from pathlib import Path
from rate_nb.base.store import Store
warnings.simplefilter("ignore")
whole, values = Path(sys.argv[1]).read_bytes(), json.loads(Path(sys.argv[2]).read_text())
path, kept = Path(sys.argv[1]).with_name("cut.sqlite"), []
for size in [0, *range(4096, 20_000, 2497), *range(20_000, len(whole), 50_000)]:
    for old in path.parent.glob("cut.sqlite*"):
        old.unlink()
    path.write_bytes(whole[:size])
    Path(f"{path}.count").write_bytes(Path(sys.argv[1] + ".count").read_bytes() if size % 2 else b"")
    with Store(path) as store:
        got = store.get_many("rewrite", values)
        assert all(got[k] == values[k] for k in got)
        kept.append(len(got))
print(json.dumps(kept))
"""

def test_a_file_cut_anywhere_hangs_nothing(template, tmp_path):
    path = laid(template, tmp_path)
    (tmp_path/"values.json").write_text(json.dumps(template["values"]))
    done = subprocess.run([sys.executable, "-c", CUTS, str(path), str(tmp_path/"values.json")], text=True,
                          capture_output=True, timeout=300)
    kept = json.loads(done.stdout or f'"{done.stderr[-2000:]}"')
    assert kept[0] == 0 and kept[-1] > N/2


def test_a_damaged_file_is_kept_and_nothing_is_renewed_under_another_process(template, tmp_path):
    path = laid(template, tmp_path)
    with process(HOLDS_OPEN, path) as other:
        zero_a_leaf(path)
        before = path.read_bytes()
        with pytest.raises(RateError, match=f"process {other.pid} .*has it open"):
            read(path, template["values"])
        assert path.read_bytes() == before
    said = survives(path, template["values"], N)
    assert len(said) == 1 and (tmp_path/"store.sqlite.damaged-1").stat().st_size >= len(before)


def test_verify_and_repair_say_what_is_wrong(template, tmp_path):
    path = laid(template, tmp_path)
    assert "nothing to repair, 240 values" in repair_store(path)
    by_sql(path, "UPDATE entries SET provenance = NULL WHERE id = 9")
    key = list(template["values"])[8]
    for _ in range(2): # it changes nothing
        with pytest.raises(StoreError, match=f"rewrite '{key}'"):
            Store(path).verify()
    assert key in repair_store(path) and Store(path).verify() == N - 1


def test_a_file_that_is_no_store_is_left_as_it_was(tmp_path):
    by_sql(tmp_path/"invoices.sqlite", "CREATE TABLE invoices (id)")
    (tmp_path/"x.txt").write_text("not a database, but long enough to look like one " * 50)
    for path in tmp_path.iterdir():
        before = path.read_bytes()
        with pytest.raises(InputError, match="cannot be used as a store"):
            as_store(path)
        assert path.read_bytes() == before
    (tmp_path/"stump.sqlite").write_bytes(b"SQLite format 3") # nothing of it can be read
    with pytest.raises(InputError, match="cannot be used as a store"):
        Store(tmp_path/"stump.sqlite")
    assert len(list(tmp_path.iterdir())) == 3


# ---- names, folders, disks -------------------------------------------------------------------------------

def test_a_store_by_any_name_is_one_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store("store.sqlite")
    Path("link.sqlite").symlink_to("store.sqlite")
    Path("away").symlink_to(tmp_path, target_is_directory=True)
    names = ["link.sqlite", "away/store.sqlite", tmp_path/"store.sqlite"]
    for i, name in enumerate(names):
        Store(name).put_many("rewrite", {f"{i}": {}})
        with ThreadPoolExecutor(1) as other, lock(store, "step"), pytest.raises(LockedError):
            other.submit(lock(name, "step", patience=0).__enter__).result()
    code = "from rate_nb.base.store import Store\nStore(sys.argv[1]).put_many('rewrite', {'theirs': {}})"
    with process(code, "link.sqlite") as other:
        assert other.wait() == 0
    monkeypatch.chdir("/")
    store.put_many("rewrite", {"later": {}})
    assert len(store) == len(names) + 2 == store.verify() and store.path == tmp_path/"store.sqlite"
    store.close()
    os.link(tmp_path/"store.sqlite", tmp_path/"b.sqlite") # SQLite's log would have two names
    for name in ("store.sqlite", "b.sqlite"):
        with pytest.raises(InputError, match="2 names .hard links."):
            Store(tmp_path/name)


def test_paths_that_cannot_be_a_store(tmp_path):
    (tmp_path/"circle").symlink_to(tmp_path/"circle")
    os.mkfifo(tmp_path/"pipe")
    for path, why in ((tmp_path, "is a folder"), (tmp_path/("x"*300), "too long"),
                      (tmp_path/"circle", "cannot be kept there"), (tmp_path/"pipe", "a pipe or a device"),
                      (tmp_path/"pipe"/"x.sqlite", "cannot be kept there")):
        with pytest.raises(InputError, match=why):
            Store(path)


def as_another_user(path): # what opening a store says to a user without special rights
    read_end, write_end = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            try:
                Store(path).put_many("rewrite", {"a": {}})
                said = "fine"
            except InputError as e:
                said = str(e)
            os.write(write_end, said.encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    os.close(write_end)
    with os.fdopen(read_end) as f:
        return f.read()


def test_a_path_that_may_not_be_written_is_named_before_anything_is_paid():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        folder.chmod(0o755)
        for name, mode in (("open", 0o777), ("shut", 0o555)):
            (folder/name).mkdir()
            (folder/name).chmod(mode)
        Store(folder/"open"/"theirs.sqlite").close()
        (folder/"open"/"theirs.sqlite").chmod(0o444)
        assert as_another_user(folder/"open"/"store.sqlite") == "fine"
        assert "Permission denied" in as_another_user(folder/"open"/"theirs.sqlite")
        assert "Permission denied" in as_another_user(folder/"shut"/"store.sqlite")
        assert "Permission denied" in as_another_user(folder/"shut"/"new"/"store.sqlite")
        (folder/"shut").chmod(0o755)


FULL = """
import re, resource, sys
from rate_nb.base.store import Store
from rate_nb.base.core import RateError
store, kept = Store(sys.argv[1]), 0
store.put_many("rewrite", {"a": dict(text="1")})
limit = 600_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    for i in range(1000):
        store.put_many("rewrite", {f"{i}": dict(text="x" * 5000)})
except RateError as e:
    said = str(e)
print(said)
try:
    store.put_many("rewrite", {"late": dict(text="x" * 5000)})
except RateError as e:
    assert str(e) == said
"""

def test_a_full_disk_loses_nothing_and_says_where_the_rest_is(tmp_path):
    with process(FULL, tmp_path/"run"/"store.sqlite") as child:
        said = child.communicate()[0]
    kept = re.search(r"--import ([^\s`]+)", said)[1]
    assert "cannot be used: d" in said and "move" not in said and "make room" in said
    store = Store(tmp_path/"run"/"store.sqlite")
    before = len(store)
    assert store.load(kept) == 2 and before > 20 and store.verify() == before + 2
    assert len(store.get_many("rewrite", ["a", "late", *map(str, range(before))])) == before + 2
    Path(kept).unlink()


@pytest.mark.parametrize("how", ["removed", "replaced", "made again", "moved", "file removed"])
def test_what_was_paid_for_outlives_its_folder(tmp_path, how):
    run, entries = tmp_path/"runs"/"one", {f"k{i}": dict(text=f"{i}") for i in range(30)}
    store = Store(run/"store.sqlite")
    store.put_many("rewrite", entries, Provenance("api.example.com/v1", cost=1.))
    store.put_records("batch", {"b": dict(open=True)})
    if how == "file removed":
        store.path.unlink()
    elif how == "moved":
        run.rename(tmp_path/"runs"/"two")
    else:
        shutil.rmtree(run)
    other = process(HOLDS_OPEN, store.path) if how == "replaced" else None # another process, which goes on
    if how == "made again":
        run.mkdir()
    for key in ("late", "later"):
        with pytest.raises(StoreGoneError, match="removed or replaced while it was in use") as told:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(store.put_many, "rewrite", {key: dict(text=key)}).result()
    kept = Store(re.search(r"store='(.+?)'", str(told.value))[1])
    assert kept.get_many("rewrite", [*entries, "late", "later"]) == entries | {
        key: dict(text=key) for key in ("late", "later")}
    assert kept.records("batch") == {"b": dict(open=True)} and len(kept.provenance("rewrite")) == 30
    assert kept.path.parent == tmp_path/"runs"
    store.close()
    if other: # our end took nothing from its log
        assert Path(f"{store.path}-wal").exists()
        other.communicate("\n")
    assert Store(run/"store.sqlite").load(kept.path) == 32 # and can be taken in again


# ---- processes -------------------------------------------------------------------------------------------

class process(subprocess.Popen):
    "A Python child that is ended when the block ends"
    def __init__(self, code, *args):
        command = [sys.executable, "-c", f"import sys\n{code}", *map(str, args)]
        super().__init__(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if "print('open'" in code or "print('in'" in code:
            assert self.stdout.readline().strip() in ("open", "in")
    def __exit__(self, *error):
        self.kill()
        return super().__exit__(*error)


HOLDS_OPEN = """
from rate_nb.base.store import Store
store = Store(sys.argv[1])
store.put_many("rewrite", {"held": {}})
print('open', flush=True)
sys.stdin.readline()
"""
WRITER = """
from rate_nb.base.store import Store
store, who = Store(sys.argv[1]), sys.argv[2]
for i in range(200): store.put_many("rewrite", {f"{who}-{i}": dict(text=who), f"both-{i}": dict(text=who)})
"""


def test_processes_share_a_new_store(tmp_path):
    path = tmp_path/"store.sqlite"
    children = [process(WRITER, path, who) for who in "abc"]
    assert [c.wait() for c in children] == [0, 0, 0]
    store = Store(path)
    assert len(store) == store.verify() == 800
    both = store.get_many("rewrite", [f"both-{i}" for i in range(200)])
    assert len(both) == 200 and {v["text"] for v in both.values()} <= set("abc")
    store.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store.sqlite", "store.sqlite.count"] # no litter


TOGETHER = """
import os, pathlib
from rate_nb.base.core import RateError
from rate_nb.base.store import Store
failed = 0
for turn in range(40):
    wait, go = os.pipe()
    children = []
    for i in range(24):
        children.append(os.fork())
        if not children[-1]:
            os.close(go)
            os.read(wait, 1)
            try:
                with Store(pathlib.Path(sys.argv[1])/f"{turn}.sqlite") as store:
                    store.put_many("r", {str(i): {}})
            except RateError as e:
                print(e, flush=True)
                os._exit(1)
            os._exit(0)
    os.close(wait)
    os.close(go)
    failed += sum(os.waitpid(child, 0)[1] != 0 for child in children)
sys.exit(min(failed, 9))
"""


def test_processes_that_begin_a_store_at_once_wait_for_each_other(tmp_path): # one turn in 12 once failed
    child = process(TOGETHER, tmp_path)
    said, _ = child.communicate()
    assert child.returncode == 0, said
    assert [len(Store(tmp_path/f"{turn}.sqlite")) for turn in range(40)] == [24]*40


def test_kill_9_leaves_whole_transactions(tmp_path):
    path = tmp_path/"store.sqlite"
    code = ("from rate_nb.base.store import Store\ns = Store(sys.argv[1])\nfor i in range(10**6): "
            "s.put_many('r', {f'{i}-{j}': dict(x=j) for j in range(64)}); print(i, flush=True)")
    for wait in (.02, .1, .2):
        child = process(code, path)
        last = int(child.stdout.readline())
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        last = max([last] + [int(l) for l in child.stdout if l.endswith("\n")])
        child.wait()
        with warnings.catch_warnings():
            warnings.simplefilter("error") # nothing is missed
            with Store(path) as store:
                assert (store.verify() % 64 == 0
                        and len(store.get_many("r", [f"{i}-0" for i in range(last + 1)])) == last + 1)
    shutil.copy(path, tmp_path/"copy.sqlite") # it was opened once since
    assert len(Store(tmp_path/"copy.sqlite")) == len(Store(path))


class Slow: # a rewriter that says to a file what it is asked
    max_concurrency, settings = 4, dict(engine="test", model="slow-1")
    def __init__(self, store, log): self.store, self.log = as_store(store), log
    async def rewrite(self, request):
        with open(self.log, "a") as f:
            f.write(json.dumps([request.text, request.target]) + "\n")
        await asyncio.sleep(.02)
        return Reply(f"{request.text} to {request.target}", "stop", "slow-1", 1, 1)


ASKS = """
from pathlib import Path
sys.path[:0] = [sys.argv[3], sys.argv[3] + "/base"]
from test_store import Slow, world
from rate_nb.rewriting.chains import double_rewrite
print('in', flush=True)
double_rewrite(world(), "length", Slow(sys.argv[1], sys.argv[2]))
"""


def world(): return TextWorld("length").examples(12, np.random.default_rng(1))


@pytest.mark.parametrize("ends", ["both live", "one is killed", "one is stopped and wakes"])
def test_two_processes_that_rewrite_pay_for_each_request_once(tmp_path, ends):
    args = tmp_path/"store.sqlite", tmp_path/"log", Path(__file__).parents[1]
    children = [process(ASKS, *args) for _ in range(2)]
    if ends != "both live":
        while not (tmp_path/"log").exists():
            time.sleep(.01)
        time.sleep(.1)
        children[0].send_signal(signal.SIGKILL if ends == "one is killed" else signal.SIGSTOP)
        time.sleep(.5)
        children[0].send_signal(signal.SIGCONT)
    codes = [c.wait(120) for c in children]
    asked = (tmp_path/"log").read_text().splitlines()
    under_way = 4 if ends == "one is killed" else 0
    assert len(set(asked)) == 24 and len(asked) <= 24 + under_way, len(asked)
    assert codes[1] == 0 and len(Store(args[0])) == 24


def test_threads_that_rewrite_pay_for_each_request_once(tmp_path):
    with ThreadPoolExecutor(8) as threads:
        ask = lambda _: double_rewrite(world(), "length", Slow(tmp_path/"s.sqlite", tmp_path/"log"))
        tables = list(threads.map(ask, range(8)))
    assert len((tmp_path/"log").read_text().splitlines()) == 24
    assert all(list(t.text) == list(tables[0].text) for t in tables)


def free_for_others(path, step): # can another process take this lock?
    code = "from rate_nb.base.store import take_lock\nprint(take_lock(sys.argv[1], sys.argv[2]) is not None)"
    with process(code, path, step) as other:
        return other.communicate()[0] == "True\n"


def test_fork_and_pickle_get_their_own_connection(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"parent": dict(text="p")})
    twin, held = pickle.loads(pickle.dumps(store)), take_lock(store, "step")
    with lock(store, "ours"):
        if (pid := os.fork()) == 0:
            try:
                store.close()
                mine = take_lock(store, "step") # it is the parent's
                with pytest.raises(LockedError), lock(store, "ours", patience=0):
                    pass
                store.put_many("rewrite", {"child": dict(text="c")})
                held.release()
                os._exit(int(mine is not None))
            except BaseException:
                os._exit(1)
        assert os.waitpid(pid, 0)[1] == 0
    store.put_many("rewrite", {"after": dict(text="a")})
    assert set(twin.get_many("rewrite", ["parent", "child", "after"])) == {"parent", "child", "after"}
    assert not free_for_others(store.path, "step") # the child's end did not free it
    held.release()
    assert free_for_others(store.path, "step")


@pytest.mark.parametrize("parent_first", [True, False])
def test_what_a_child_stores_stays_whoever_closes_first(tmp_path, parent_first):
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"parent": {}})
    (told, tell), (heard, say) = os.pipe(), os.pipe()
    if (pid := os.fork()) == 0:
        try:
            store.put_many("rewrite", {"first": {}})
            os.write(tell, b".")
            os.read(heard, 1)
            store.put_many("rewrite", {f"later {i}": {} for i in range(50)})
            os._exit(0)
        except BaseException:
            os._exit(1)
    os.read(told, 1)
    store.put_many("rewrite", {"beside": {}})
    if parent_first:
        store.close()
    os.write(say, b".")
    assert os.waitpid(pid, 0)[1] == 0
    store.close()
    values, _, said = read(store.path, ["parent", "first", "beside", *(f"later {i}" for i in range(50))])
    assert len(values) == 53 and not said


def test_a_fork_beside_a_thread_that_stores_holds_up_neither(tmp_path, monkeypatch):
    store, inside, real = Store(tmp_path/"store.sqlite"), threading.Event(), os.pwrite
    def slow(*args): # the thread is just counting
        inside.set()
        time.sleep(.5)
        return real(*args)
    monkeypatch.setattr(os, "pwrite", slow)
    thread = threading.Thread(target=lambda: store.put_many("rewrite", {"a": {}}))
    thread.start()
    inside.wait(5)
    if (pid := os.fork()) == 0:
        time.sleep(20)
        os._exit(0)
    try:
        thread.join()
        began = time.monotonic()
        store.put_many("rewrite", {"b": {}})
        assert time.monotonic() - began < 10 and len(store) == 2
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)


HOLDER = """
import asyncio, time
from rate_nb.base.store import Store
async def hold():
    async with Store(sys.argv[1]).alone("door"):
        print('in', flush=True)
        time.sleep(60)
asyncio.run(hold())
"""

def test_a_lock_ends_with_its_holder_and_no_file_stands_for_it(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    async def enter(patience):
        async with asyncio.timeout(patience):
            async with store.alone("door"):
                return True
    with process(HOLDER, store.path) as holder:
        for _ in range(2):
            with pytest.raises(TimeoutError):
                asyncio.run(enter(.2))
            assert not [p for p in tmp_path.iterdir() if "lock" in p.name or "door" in p.name]
        holder.kill()
        holder.wait()
        assert asyncio.run(enter(10)) and asyncio.run(enter(10))


ELSEWHERE = """
from types import SimpleNamespace
import rate_nb.base.store as module
module.sys = SimpleNamespace(platform="elsewhere", argv=sys.argv, stderr=sys.stderr)
store = module.Store(sys.argv[1])
store.put_many("rewrite", {sys.argv[2]: {}})
held = module.take_lock(store, "step")
print(held is not None, flush=True)
sys.stdin.readline()
"""

def test_locks_where_the_kernel_has_none_of_ranges(tmp_path):
    "As on macOS: beside the file"
    with process(ELSEWHERE, tmp_path/"s.sqlite", "a") as first:
        assert first.stdout.readline() == "True\n"
        with process(ELSEWHERE, tmp_path/"s.sqlite", "b") as second:
            assert second.stdout.readline() == "False\n"
        first.kill()
        first.wait()
        with process(ELSEWHERE, tmp_path/"s.sqlite", "c") as third:
            assert third.stdout.readline() == "True\n"
    assert len(Store(tmp_path/"s.sqlite")) == 3


def test_a_lock_survives_the_renewal_of_its_file(template, tmp_path):
    path = laid(template, tmp_path)
    store = Store(path)
    with lock(store, "rewrite"):
        zero_a_leaf(path)
        with pytest.warns(StoreWarning, match="was damaged"):
            Store(path).get_many("rewrite", template["values"])
        assert not free_for_others(path, "rewrite")


@pytest.mark.parametrize("where", ["a page of rows", "the header"])
def test_several_processes_that_find_a_damaged_file_renew_it_once(template, tmp_path, where):
    path = laid(template, tmp_path)
    (tmp_path/"keys").write_text(json.dumps(list(template["values"])))
    if where == "the header":
        change(path, lambda d: overwrite(d, 0, bytes(100)))
    else:
        zero_a_leaf(path)
    code = """
import json, warnings
from rate_nb.base.store import Store
warnings.simplefilter("ignore")
store = Store(sys.argv[1])
print(len(store.get_many("rewrite", json.load(open(sys.argv[2])))))
"""
    children = [process(code, path, tmp_path/"keys") for _ in range(3)]
    kept = {c.communicate(timeout=60)[0] for c in children}
    assert len(kept) == 1 and 100 < int(kept.pop()) <= N
    assert len(list(tmp_path.glob("*.damaged*"))) == 1


STORES = """
from rate_nb.base.store import Store
for i in range(25):
    with Store(sys.argv[1]) as store: store.put_many("rewrite", {f"{sys.argv[2]}-{i}": dict(text="y"*500)})
    print('in', flush=True)
"""

def test_what_others_store_while_a_damaged_file_is_renewed_stays(template, tmp_path):
    path = laid(template, tmp_path)
    zero_a_leaf(path)
    children = [process(STORES, path, who) for who in "ab"]
    got, _, said = read(path, template["values"])
    for child in children:
        child.communicate(timeout=60)
    later = {f"{who}-{i}" for who in "ab" for i in range(25)}
    assert len(got) > 100 and len(said) == 1 and set(Store(path).get_many("rewrite", later)) == later


def test_a_pruned_store_survives_the_loss_of_its_first_page(template, tmp_path):
    path = laid(template, tmp_path)
    with Store(path) as store:
        assert store.prune("rewrite", lambda v: v["n"] % 3 == 0) == 80
    change(path, lambda d: overwrite(d, 0, bytes(PAGE)))
    got, records, said = read(path, template["values"])
    assert len(got) == 160 and records == RECORDS and "246 rows" not in said[0] and "could not" not in said[0]


def test_a_kill_while_a_damaged_file_is_renewed_costs_nothing(template, tmp_path):
    values = template["values"]
    (tmp_path/"keys").write_text(json.dumps(list(values)))
    whole = laid(template, tmp_path/"whole")
    zero_a_leaf(whole)
    code = """
import json, os, warnings
import rate_nb.base.store as module
warnings.simplefilter("ignore")
calls = int(sys.argv[3])
def at(event, args): # the process dies at one of the steps with which files are changed
    global calls
    steps = "sqlite3.connect", "open", "shutil.copyfile", "os.remove", "os.rmdir"
    if event in steps and "store.sqlite" in str(args):
        calls -= 1
        if calls < 0:
            os._exit(9)
sys.addaudithook(at)
print(len(module.Store(sys.argv[1]).get_many("rewrite", json.load(open(sys.argv[2])))))
"""
    ends = set()
    for calls in (3, 8, 12, 16, 20, 24, 60):
        path = laid(template, tmp_path/f"{calls}")
        shutil.copy(whole, path)
        with process(code, path, tmp_path/"keys", calls) as child:
            ends.add(child.wait())
        got, records, _ = read(path, values)
        assert len(got) > N - 40 and all(got[k] == values[k] for k in got) and records == RECORDS
    assert ends == {0, 9}


def test_a_copy_of_the_one_file_is_the_store(tmp_path):
    "Written by threads, in a process that lives on and is idle"
    rng = np.random.default_rng(1)
    for i in range(10):
        store, many = Store(tmp_path/f"{i}"/"store.sqlite"), int(rng.integers(1, 4))
        sizes = rng.integers(1, 6000, int(rng.integers(1, 60)))
        entries = {f"{j}": dict(text="x" * int(size)) for j, size in enumerate(sizes)}
        with storing(store), ThreadPoolExecutor(many) as pool:
            list(pool.map(lambda key: store.put_many("rewrite", {key: entries[key]}), entries))
        shutil.copy(store.path, tmp_path/f"{i}.sqlite")
        assert Store(tmp_path/f"{i}.sqlite").get_many("rewrite", entries) == entries


@pytest.mark.parametrize("end, code", [("pass", 0), ("raise SystemExit(3)", 3), ("1/0", 1)])
def test_the_one_file_is_whole_when_a_process_ends(tmp_path, end, code):
    work = """
import threading
from rate_nb.base.store import Store
store = Store(sys.argv[1])
def work():
    for i in range(30): store.put_many("rewrite", {f"{i}": dict(text="t" * 2000)})
threading.Thread(target=work).start()
store.put_many("rewrite", {"last": dict(text="z")})
[t.join() for t in threading.enumerate() if t is not threading.main_thread()]
"""
    done = subprocess.run([sys.executable, "-c", "import sys" + work + end, str(tmp_path/"store.sqlite")],
                          capture_output=True, timeout=60)
    assert done.returncode == code and not (tmp_path/"store.sqlite-wal").exists()
    shutil.copy(tmp_path/"store.sqlite", tmp_path/"copy.sqlite")
    assert Store(tmp_path/"copy.sqlite").counts() == dict(rewrite=31)


def test_a_writer_waits_for_the_other(tmp_path, monkeypatch):
    store = Store(tmp_path/"store.sqlite")
    with closing(sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(1) as pool:
            write = pool.submit(store.put_many, "rewrite", {"a": dict(text="1")})
            time.sleep(.2)
            assert not write.done()
            other.execute("COMMIT")
            assert write.result() == 1
    monkeypatch.setattr(store_module, "_PATIENCE", .1)
    hasty = Store(tmp_path/"hasty.sqlite")
    with closing(sqlite3.connect(hasty.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RateError, match="database is locked.*wait for the process"):
            hasty.put_many("rewrite", {"a": {}})
        other.execute("ROLLBACK")
        other.execute("BEGIN")
        other.execute("SELECT * FROM entries").fetchall() # VACUUM cannot run; pruning goes on all the same
        assert hasty.put_many("rewrite", {"a": dict(n=1), "b": dict(n=2)}) == 2
        assert hasty.prune("rewrite", lambda v: v["n"] == 1) == 1 and hasty.counts() == dict(rewrite=1)


# ---- values and records ----------------------------------------------------------------------------------

@pytest.mark.parametrize("key", [None, 3, 1.5, b"x", ("a",), "\ud83d"])
def test_a_key_that_is_no_text_is_refused_before_anything_is_written(tmp_path, key):
    store = Store(tmp_path/"store.sqlite")
    for call in (lambda: store.put_many("r", {"fine": dict(x=1), key: dict(x=2)}),
                 lambda: store.put_records("r", {"fine": dict(x=1), key: dict(x=2)}),
                 lambda: store.get_many("r", ["fine", key])):
        with pytest.raises(InputError, match="keys of 'r' must be texts"):
            call()
    assert len(store) == 0 == len(store.records("r")) == store.verify()
    with pytest.raises(InputError, match="kind and keys of None must be texts"):
        store.put_many(None, {"a": {}})
    assert store.put_many("r", {np.str_("a"): dict(x=1), "b\0": {}, "": {}}) == 3


def test_the_first_value_stays_and_a_bad_batch_leaves_nothing(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"a": dict(text="1")})
    with pytest.raises(TypeError, match="must be JSON"):
        store.put_many("rewrite", {"b": dict(text="2"), "c": dict(text=object())})
    for bad in ([1], "text", 7, None):
        with pytest.raises(InputError, match="must hold dicts"):
            store.put_many("rewrite", {"a": {}, "b": bad})
    assert (store.put_many("rewrite", {"a": dict(text="3")}) == 0
            and store.get_many("rewrite", ["a", "b", "c"]) == {"a": dict(text="1")})


def test_an_export_can_be_loaded_and_a_bad_line_is_named(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    store.put_many("rewrite", {"a": dict(text="1"), "b": dict(text="2")}, Provenance("h/v1", cost=.5))
    store.put_records("batch", {"b": dict(open=True)})
    for end in ("jsonl", "parquet"):
        other = Store(tmp_path/f"{end}.sqlite")
        assert other.load(store.export(tmp_path/f"out.{end}")) == 2 and other.records("batch") == {}
        assert other.provenance("rewrite") == store.provenance("rewrite")
    change(tmp_path/"out.jsonl", lambda d: d.replace(b'"text":"2', b'"text":"3'))
    with pytest.raises(InputError, match="rewrite 'b' is damaged"):
        Store(tmp_path/"third.sqlite").load(tmp_path/"out.jsonl")
    for line in ('{"kind":"rewrite","key":"k","value":[["text",1]]}', '{"kind":"rewrite","key":7,"value":{}}',
                 '{"kind":"rewrite","key":"k","value":"[1]"}', '[]', "[" * 100_000):
        (tmp_path/"bad.jsonl").write_text(line)
        with pytest.raises(InputError, match="cannot be read as an exported store"):
            store.load(tmp_path/"bad.jsonl")
    assert len(store) == store.verify() == 2


def test_only_one_of_many_turns_a_record(tmp_path):
    Store(tmp_path/"s.sqlite").put_records("batch", {f"b{i}": dict(open=True) for i in range(20)})
    def finish(who): return [Store(tmp_path/"s.sqlite").update_record("batch", f"b{i}",
        lambda r: r | dict(open=False, by=who) if r["open"] else None) for i in range(20)]
    with ThreadPoolExecutor(4) as pool:
        won = np.array(list(pool.map(finish, range(4))))
    assert (won.sum(0) == 1).all() and not Store(tmp_path/"s.sqlite").update_record("batch", "b99", dict)


def test_a_store_of_version_0_1_0_opens(tmp_path):
    row = ("(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, "
           "provenance TEXT, digest BLOB NOT NULL, UNIQUE (kind, key))")
    columns = "(kind, key, value, provenance, digest)"
    by_sql(tmp_path/"old.sqlite", f"CREATE TABLE entries {row}", f"CREATE TABLE records {row}",
           "CREATE TABLE damaged (held TEXT, kind BLOB, key BLOB, value BLOB, provenance BLOB, digest BLOB)",
           f"INSERT INTO entries {columns} VALUES ('reward', 'r0', '{{\"reward\":0.1}}', NULL, "
           "X'4C883CCF38E59300')",
           f"INSERT INTO records {columns} VALUES ('batch', 'b1', '{{\"open\":true}}', NULL, "
           "X'B4A0FCEE77DFD29A')")
    (tmp_path/"old.sqlite.sums").write_text("000000000001 000000000000 000000000001 000000000001 00000000\n")
    store = Store(tmp_path/"old.sqlite")
    assert store.verify() == 1 and store.get_many("reward", ["r0", "r1"]) == {"r0": dict(reward=.1)}
    assert store.records("batch") == {"b1": dict(open=True)}
    assert store.put_many("reward", {"r0": {}, "r1": {}}) == 1


def test_provenance_keeps_no_secrets_and_counts_sources(tmp_path):
    for url, bare in (("https://user:sk-1@api.x.com:8443/v1/?key=sk-2#sk-3", "api.x.com:8443/v1"),
                      ("http://127.0.0.1:8000", "127.0.0.1:8000"), ("api.x.com/v1/", "api.x.com/v1"),
                      ("u:sk@h/v1/a@b", "h/v1/a@b"), ("https://[::1]:80/v1?u=@", "[::1]:80/v1")):
        assert Provenance(url).endpoint == bare == Provenance(bare).endpoint
    store = Store(tmp_path/"s.sqlite")
    mock, real = Provenance("http://127.0.0.1:1/v1", "m", cost=0.), Provenance("https://real/v1", "m-2", "fp",
                                                                             cost=.25, estimated=True)
    store.put_many("rewrite", {f"a{i}": dict(text="") for i in range(4)}, mock)
    store.put_many("rewrite", {f"b{i}": dict(text="") for i in range(2)}, {f"b{i}": real for i in range(2)})
    store.put_many("rewrite", {"c": dict(text="")})
    told = [replace(p, time=None) for p in store.provenance("rewrite").values()]
    assert told == [mock]*4 + [real]*2 and not store.provenance("reward")
    assert set(store.provenance("rewrite", ["b0", "c", "nowhere"])) == {"b0"}
    for bad in (dict(cost=float("nan")), dict(cost=-1), dict(time="now")):
        with pytest.raises(InputError, match="must be a number"):
            Provenance(**bad)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("known", [(), ("a",), ("a", "b")])
def test_values_with_and_without_provenance_are_exported_and_read(tmp_path, kind, known):
    with Store(tmp_path/"one.sqlite") as one, Store(tmp_path/"two.sqlite") as two:
        one.put_many("rewrite", {key: dict(text=key) for key in "ab"},
                     {key: Provenance(served_model="m", cost=.5) for key in known})
        assert two.load(one.export(tmp_path/f"out.{kind}")) == 2
        assert two.values("rewrite") == one.values("rewrite")
        assert two.provenance("rewrite") == one.provenance("rewrite")


def test_a_store_that_is_opened_when_it_is_needed_leaves_no_file_before(tmp_path):
    path = tmp_path/"new"/"s.sqlite"
    late = as_store(path)
    assert not len(late) and not late.get_many("k", ["a"]) and not late.records("batch") and late.checkpoint
    assert not late.provenance("k") and late.counts() == {} and not late.values("k") and "empty" in repr(late)
    late.close()
    assert pickle.loads(pickle.dumps(late)).path == path and not [*tmp_path.iterdir()]
    other = as_store(path)
    late.put_many("k", {"a": dict(n=1)})
    assert other.get_many("k", ["a"]) == Store(path).get_many("k", ["a"]) == {"a": dict(n=1)}
    assert other.verify() == 1 and other.values("k") == [("a", dict(n=1))]
    shutil.rmtree(path.parent)
    with pytest.raises(StoreGoneError):
        late.put_many("k", {"b": dict(n=2)})
    with storing(as_store(tmp_path/"t.sqlite"), "ask") as _: # a step makes it
        pass
    assert (tmp_path/"t.sqlite").is_file()


def test_a_place_where_no_store_can_be_is_told_before_it_is_needed(tmp_path):
    (tmp_path/"file").write_text("text")
    for path in (tmp_path/"file", tmp_path/"file"/"s.sqlite", tmp_path):
        with pytest.raises(RateError, match="cannot be (kept there|used)|no store|not a database"):
            as_store(path)
