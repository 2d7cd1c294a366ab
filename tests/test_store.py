"The store under several processes, and over kill -9"
import asyncio, contextlib, importlib.util, os, re, shutil, signal, sqlite3, subprocess, sys, tempfile
import threading, time, warnings
import numpy as np, pytest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from hypothesis import given, settings, strategies as st
from rate_nb.base.core import InputError, RateError
from rate_nb.base.store import (
    as_store, Provenance, repair_store, Store, StoreError, StoreGoneError, StoreWarning, storing,
    take_lock)

WRITER = """
import sys
from rate_nb.base.store import Store
store, who = Store(sys.argv[1]), sys.argv[2]
for i in range(200): store.put_many("rewrite", {f"{who}-{i}": dict(text=who), f"both-{i}": dict(text=who)})
"""


def test_two_processes_share_it(tmp_path):
    path = tmp_path/"store.sqlite"
    children = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), who]) for who in "abc"]
    assert [c.wait() for c in children] == [0, 0, 0]
    store = Store(path)
    assert len(store) == store.verify() == 800
    both = store.get_many("rewrite", [f"both-{i}" for i in range(200)])
    assert len(both) == 200 and {v["text"] for v in both.values()} <= set("abc")


def test_kill_9_leaves_whole_transactions(tmp_path):
    path = tmp_path/"store.sqlite"
    code = ("import sys\nfrom rate_nb.base.store import Store\ns = Store(sys.argv[1])\nfor i in "
            "range(10**6): s.put_many('r', {f'{i}-{j}': dict(x=j) for j in range(64)}); print(i, flush=True)")
    for wait in (.02, .1, .2):
        child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
        last = int(child.stdout.readline())
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        last = max([last] + [int(l) for l in child.stdout if l.endswith("\n")])
        child.wait()
        store = Store(path)
        assert (store.verify() % 64 == 0
                and len(store.get_many("r", [f"{i}-0" for i in range(last + 1)])) == last + 1)


@pytest.mark.parametrize("key", [None, 3, 1.5, b"x", ("a",), "\ud83d"])
def test_a_key_that_is_no_text_is_refused_before_anything_is_written(tmp_path, key):
    store = Store(tmp_path/"store.sqlite")
    for call in (lambda: store.put_many("r", {"fine": dict(x=1), key: dict(x=2)}),
                 lambda: store.put_records("r", {"fine": dict(x=1), key: dict(x=2)}),
                 lambda: store.get_many("r", ["fine", key])):
        with pytest.raises(InputError, match="keys of 'r' must be texts"):
            call()
    assert len(store) == 0 == len(store.records("r")) == store.verify()
    with pytest.raises(InputError, match="`kind` must be a text, not None"):
        store.put_many(None, {"a": {}})
    assert store.put_many("r", {np.str_("a"): dict(x=1), "b\0": {}, "": {}}) == 3


def test_a_folder_in_the_place_of_a_lock_is_said(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    (tmp_path/"store.sqlite.door").mkdir()
    async def enter():
        async with store.alone("door"):
            pass
    with pytest.raises(RateError, match="door: a folder stands where a lock's file goes. Move this folder"):
        asyncio.run(enter())
    (tmp_path/"a.lock").mkdir()
    with pytest.raises(RateError, match="a.lock: a folder stands where a lock's file goes"):
        take_lock(tmp_path/"a.lock")


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.text(max_size=10).filter(lambda k: k.isprintable()), st.fixed_dictionaries(
    dict(reward=st.floats(allow_nan=False), text=st.text(st.characters(), max_size=20),
         n=st.none() | st.integers())), max_size=8))
def test_values_come_back_as_they_were(tmp_path_factory, entries):
    store = Store(tmp_path_factory.mktemp("s")/"store.sqlite")
    assert store.put_many("reward", entries) == len(entries) and store.get_many("reward", entries) == entries
    store.close()


def test_the_first_value_stays_and_a_bad_batch_leaves_nothing(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"a": dict(text="1")})
    with pytest.raises(TypeError, match="must be JSON"):
        store.put_many("rewrite", {"b": dict(text="2"), "c": dict(text=object())})
    assert (store.put_many("rewrite", {"a": dict(text="3")}) == 0
            and store.get_many("rewrite", ["a", "b", "c"]) == {"a": dict(text="1")})


def test_a_writer_waits_for_the_other(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    blocker = sqlite3.connect(store.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        write = pool.submit(store.put_many, "rewrite", {"a": dict(text="1")})
        time.sleep(.2)
        assert not write.done() and store.get_many("rewrite", ["a"]) == {}    # readers do not wait
        blocker.execute("COMMIT")
        assert write.result() == 1


def test_fork_and_pickle_get_their_own_connection(tmp_path):
    import pickle
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"parent": dict(text="p")})
    twin = pickle.loads(pickle.dumps(store))
    if (pid := os.fork()) == 0: # in the child
        try:
            store.put_many("rewrite", {"child": dict(text="c")})
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    assert set(twin.get_many("rewrite", ["parent", "child"])) == {"parent", "child"}


def test_paths_that_cannot_be_a_store(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        Store(tmp_path)
    (tmp_path/"x.txt").write_text("not a database, but long enough to look like one " * 50)
    with pytest.raises(InputError, match="cannot be used as a store"):
        as_store(tmp_path/"x.txt")


def as_somebody_else(path): # what opening a store says to a user without special rights
    read, write = os.pipe()
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
            os.write(write, said.encode())
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    os.close(write)
    with os.fdopen(read) as f:
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
        assert as_somebody_else(folder/"open"/"store.sqlite") == "fine"
        assert "this file may not be read and written" in as_somebody_else(folder/"open"/"theirs.sqlite")
        assert "its folder may not be written" in as_somebody_else(folder/"shut"/"store.sqlite")
        assert "its folder cannot be made: Permission denied" in as_somebody_else(
            folder/"shut"/"new"/"store.sqlite")
        (folder/"shut").chmod(0o755)


def test_a_full_disk_is_an_error_that_says_so_and_loses_nothing(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"a": dict(text="1")})
    store._db.execute(f"PRAGMA max_page_count = {store._db.execute('PRAGMA page_count').fetchone()[0] + 1}")
    with pytest.raises(RateError, match="cannot be written: database or disk is full"):
        store.put_many("rewrite", {f"k{i}": dict(text="x" * 1000) for i in range(100)})
    assert store.get_many("rewrite", ["a", "k0"]) == {"a": dict(text="1")} and store.verify() == 1


HOLDER = """
import asyncio, sys, time
from rate_nb.base.store import Store
async def hold():
    async with Store(sys.argv[1]).alone("door"): print("in", flush=True); time.sleep(60)
asyncio.run(hold())
"""

def test_a_lock_ends_with_its_holder(tmp_path):
    holder, store = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path/"s.sqlite")],
                                     stdout=subprocess.PIPE, text=True), Store(tmp_path/"s.sqlite")
    assert holder.stdout.readline() == "in\n"
    async def enter(patience):
        async with asyncio.timeout(patience):
            async with store.alone("door"):
                return True
    with pytest.raises(TimeoutError):
        asyncio.run(enter(.2))
    holder.kill()
    holder.wait()
    holder.stdout.close()
    assert asyncio.run(enter(10)) and asyncio.run(enter(10))


def test_records_change_and_values_do_not(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    for status in ("validating", "completed"):
        store.put_records("batch", {"b": dict(status=status)})
    assert (store.records("batch") == {"b": dict(status="completed")}
            and len(store) == store.verify() == 0
            and store.counts() == {})
    store.put_many("rewrite", {"k": dict(text="t")})
    store.export(tmp_path/"out.jsonl")
    assert ((other := Store(tmp_path/"o.sqlite")).load(tmp_path/"out.jsonl") == 1
            and other.records("batch") == {})


def test_a_store_of_an_earlier_layout_still_opens(tmp_path):
    old = sqlite3.connect(tmp_path/"old.sqlite", isolation_level=None)
    old.execute("CREATE TABLE entries (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY "
                "KEY (kind, key)) WITHOUT ROWID")
    old.execute("INSERT INTO entries VALUES ('rewrite', 'a', '{\"text\":\"1\"}')")
    old.close()
    store = Store(tmp_path/"old.sqlite")
    assert (store.put_many("rewrite", {"a": dict(text="2"), "b": dict(text="3")}) == 1
            and store.get_many("rewrite", "ab") == {"a": dict(text="1"), "b": dict(text="3")})


def test_a_database_of_somebody_else_is_left_as_it_was(tmp_path):
    theirs = sqlite3.connect(tmp_path/"invoices.sqlite")
    theirs.execute("CREATE TABLE invoices (id)")
    theirs.close()
    before = (tmp_path/"invoices.sqlite").read_bytes()
    with pytest.raises(InputError, match="no such table: entries. Give another path"):
        Store(tmp_path/"invoices.sqlite")
    assert (tmp_path/"invoices.sqlite").read_bytes() == before


def by_hand(store, key, value): # a row that no store has written
    store._db.execute("INSERT INTO entries (kind, key, value, digest) VALUES ('rewrite', ?, ?, x'00')",
                      (key, value))


def test_pruning_while_another_writes(tmp_path):
    store = Store(tmp_path/"s.sqlite", timeout=.1)
    store.put_many("rewrite", {"a": dict(text="1"), "b": dict(text="2")})
    by_hand(store, "c", "[1]")
    blocker = sqlite3.connect(store.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(RateError, match="another process is busy with this store: database is locked"):
        store.prune("rewrite", lambda v: v["text"] == "1")
    assert not store._db.in_transaction
    blocker.execute("COMMIT")
    reader = sqlite3.connect(store.path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM entries").fetchone() # VACUUM cannot run
    with pytest.warns(StoreWarning, match="1 damaged value put aside .*'c'"):
        assert store.prune("rewrite", lambda v: v["text"] == "1") == 1 and store.counts() == dict(rewrite=1)
    reader.close()
    assert store.prune("rewrite", lambda v: v["text"] == "2") == 1


def test_values_are_dicts(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    for bad in ([1], "text", 7, None):
        with pytest.raises(InputError, match="must hold dicts"):
            store.put_many("rewrite", {"a": {}, "b": bad})
    for line in ('{"kind":"rewrite","key":"k","value":[["text",1]]}',
                 '{"kind":"rewrite","key":"k","value":"[1]"}', '{"kind":"rewrite","key":7,"value":{}}', '[]'):
        (tmp_path/"bad.jsonl").write_text(line)
        with pytest.raises(InputError, match="cannot be read as an exported store"):
            store.load(tmp_path/"bad.jsonl")
    assert len(store) == store.verify() == 0
    by_hand(store, "c", "[1]")
    with pytest.raises(InputError, match="damaged: 1 value damaged .*'c'"):
        store.verify()


def test_the_model_that_rewrites_came_from_travels_with_them(tmp_path):
    store, other, third = (Store(tmp_path/f"{n}.sqlite") for n in "abc")
    store.put_many("rewrite", {"k": dict(text="t")})
    store.put_records("revision", {"settings": dict(model="m-1")})
    store.put_records("batch", {"b": dict(open=True)})
    for suffix in ("jsonl", "parquet"):
        assert (other.load(store.export(tmp_path/f"out.{suffix}")) == (suffix == "jsonl")
                and other.records("revision") == {"settings": dict(model="m-1")})
    assert other.records("batch") == {} and len(other) == 1
    third.put_records("revision", {"settings": dict(model="m-2")})
    with pytest.raises(InputError, match="came from model 'm-1' there and from 'm-2' here"):
        third.load(tmp_path/"out.jsonl")
    assert len(third) == 0


def test_only_one_of_many_turns_a_record(tmp_path):
    Store(tmp_path/"s.sqlite").put_records("batch", {f"b{i}": dict(open=True) for i in range(20)})
    def close(who): return [Store(tmp_path/"s.sqlite").update_record("batch", f"b{i}",
        lambda r: r | dict(open=False, by=who) if r["open"] else None) for i in range(20)]
    with ThreadPoolExecutor(4) as pool:
        won = np.array(list(pool.map(close, range(4))))
    assert (won.sum(0) == 1).all() and not Store(tmp_path/"s.sqlite").update_record("batch", "b99", dict)
    assert [r["by"] for _, r in sorted(Store(tmp_path/"s.sqlite").records("batch").items(),
                                       key=lambda x: int(x[0][1:]))] == won.argmax(0).tolist()


# ---- damage ----------------------------------------------------------------------------------------------

_at = Path(__file__).parents[1] / "benchmarks" / "store_damage.py"
_spec = importlib.util.spec_from_file_location("store_damage", _at)
store_damage = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(store_damage)


@pytest.mark.parametrize("n, seed, size", [
    (40, 11, 60), pytest.param(200, 12, 120, marks=pytest.mark.slow("200 corruptions"))])
def test_damage_changes_nothing_in_silence_and_costs_only_what_is_lost(tmp_path, n, seed, size):
    faults, ends = store_damage.fuzz(tmp_path, n, seed, size)
    assert not faults, "\n".join(faults[:20])
    assert ends["mended"] and ends["repaired"] and sum(ends.values()) == n


def test_the_fuzzer_would_see_a_store_that_believes_everything(tmp_path, monkeypatch):
    "Without its digests, the store hands out changed values, and the fuzzer says so"
    import rate_nb.base.store as module
    class Believer:
        def __init__(self, *_, **__): pass
        def copy(self): return self
        def update(self, _): pass
        def digest(self): return bytes(8)
    monkeypatch.setattr(module, "kind_digest", lambda *_: Believer())
    monkeypatch.setattr(module, "row_digest", lambda *_: bytes(8))
    quiet = ("a_digit_becomes_another", "two_values_are_swapped")
    monkeypatch.setattr(store_damage, "DAMAGES", {name: store_damage.DAMAGES[name] for name in quiet})
    faults, _ = store_damage.fuzz(tmp_path, 6, 5, 40)
    assert any("changed in silence" in fault for fault in faults)


def flip(path, text, by=1): # one bit of the first place where these bytes stand
    data = bytearray(path.read_bytes())
    data[data.index(text) + len(text) - 1] ^= by
    path.write_bytes(data)


def test_one_damaged_value_stops_nothing(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    store.put_many("rewrite", {f"k{i}": dict(text=f"response {i}", model="m") for i in range(50)})
    store.put_records("revision", {"settings": dict(model="m")})
    store.close()
    flip(store.path, b"response 17")
    whole = store.path.read_bytes()
    with pytest.raises(StoreError, match=r"s.sqlite: .*1 value damaged \(rewrite 'k17'\)"):
        store.verify()
    store.close()
    assert store.path.read_bytes() == whole                                  # verifying changes nothing
    with pytest.warns(StoreWarning, match="1 damaged value put aside .rewrite 'k17'."):
        store.export(tmp_path/"out.jsonl")
    assert Store(tmp_path/"other.sqlite").load(tmp_path/"out.jsonl") == 49   # what is exported can be loaded
    assert store.prune("rewrite", lambda v: v["text"] == "response 3") == 1 and store.verify() == 48
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        there = Store(store.path).get_many("rewrite", [f"k{i}" for i in range(50)])
    assert set(map("k{}".format, range(50))) - set(there) == {"k3", "k17"}


def test_a_damaged_line_of_an_export_is_named(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    store.put_many("rewrite", {"a": dict(text="1"), "b": dict(text="2")}, Provenance("h/v1", cost=.5))
    for end in ("jsonl", "parquet"):
        assert Store(tmp_path/f"{end}.sqlite").load(store.export(tmp_path/f"out.{end}")) == 2
        assert Store(tmp_path/f"{end}.sqlite").provenance("rewrite") == store.provenance("rewrite")
    flip(tmp_path/"out.jsonl", b'"text":"2')
    with pytest.raises(InputError, match="rewrite 'b' is damaged"):
        Store(tmp_path/"third.sqlite").load(tmp_path/"out.jsonl")


def test_a_repaired_store_asks_again_for_what_is_lost_only(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    entries = {f"k{i}": dict(text=f"response {i} " * 9) for i in range(400)}
    store.put_many("rewrite", entries)
    store.close()
    with open(store.path, "r+b") as f:
        f.truncate(store.path.stat().st_size - 3 * 4096)
    with pytest.raises(StoreError, match="s.sqlite: the store is damaged: page .*`rate_nb store repair"):
        Store(store.path).get_many("rewrite", entries)
    lost = int(re.search(r"(\d+) of the 400 of kind 'rewrite'", repair_store(store.path))[1])
    kept = (again := Store(store.path)).get_many("rewrite", entries)
    assert len(kept) == 400 - lost and 0 < lost < 200 and all(entries[k] == v for k, v in kept.items())
    assert again.put_many("rewrite", entries) == lost and again.verify() == 400
    assert (tmp_path/"s.sqlite.damaged-1").exists()


# ---- the one file ----------------------------------------------------------------------------------------

def same(copy, original, keys): # do both hold the same?
    return Store(copy).get_many("rewrite", keys) == Store(original).get_many("rewrite", keys) != {}


@pytest.mark.parametrize("n", [10, pytest.param(100, marks=pytest.mark.slow("100 copies"))])
def test_a_copy_of_the_one_file_is_the_store(tmp_path, n):
    "Written by threads, in a process that lives on and is idle"
    rng = np.random.default_rng(n)
    for i in range(n):
        store, many = Store(tmp_path/f"{i}"/"store.sqlite"), int(rng.integers(1, 4))
        sizes = rng.integers(1, 6000, int(rng.integers(1, 60)))
        entries = {f"{j}": dict(text="x" * int(size)) for j, size in enumerate(sizes)}
        with storing(store), ThreadPoolExecutor(many) as pool:
            list(pool.map(lambda key: store.put_many("rewrite", {key: entries[key]}), entries))
        shutil.copy(store.path, tmp_path/f"{i}.sqlite")
        assert Store(tmp_path/f"{i}.sqlite").get_many("rewrite", entries) == entries


ENDS = """
import sys, threading, time, os, signal
from rate_nb.base.store import Store
store = Store(sys.argv[1])
def work():
    for i in range(30): store.put_many("rewrite", {f"{i}": dict(text="t" * 2000)})
thread = threading.Thread(target=work, daemon=True)
thread.start()
thread.join()
store.put_many("rewrite", {"last": dict(text="z")})
ready = threading.Event()
def another(): # a thread that still has its connection
    store.counts()
    ready.set()
    time.sleep(60)
threading.Thread(target=another, daemon=True).start()
ready.wait()
print("idle", flush=True)
"""


_slow = pytest.mark.slow("another way out of a process")


@pytest.mark.parametrize("end, code", [
    pytest.param("pass", 0, marks=_slow), pytest.param("raise SystemExit(3)", 3, marks=_slow),
    pytest.param("1/0", 1, marks=_slow), ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)", -15)])
def test_the_one_file_is_whole_on_every_way_out(tmp_path, end, code):
    path = tmp_path/"store.sqlite"
    done = subprocess.run([sys.executable, "-c", ENDS + end, str(path)], capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == code and done.stdout == "idle\n"
    shutil.copy(path, tmp_path/"copy.sqlite")
    assert Store(tmp_path/"copy.sqlite").counts() == dict(rewrite=31)
    assert not Path(f"{path}-wal").exists()


def test_close_closes_the_connections_of_all_threads(tmp_path):
    store, hold, out = Store(tmp_path/"s.sqlite"), threading.Event(), threading.Event()
    def work():
        store.put_many("rewrite", {"a": dict(text="1")})
        hold.set()
        out.wait(20)
        store.put_many("rewrite", {"b": dict(text="2")})                     # it opens another
    thread = threading.Thread(target=work)
    thread.start()
    hold.wait(20)
    store.close()
    assert not Path(f"{store.path}-wal").exists() and not store._file.connections
    out.set()
    thread.join()
    assert len(store) == 2


def test_a_child_leaves_the_connections_of_its_parent_alone(tmp_path):
    store = Store(tmp_path/"s.sqlite")
    store.put_many("rewrite", {"parent": dict(text="p")})
    if (pid := os.fork()) == 0:
        try:
            store.close()
            store.put_many("rewrite", {"child": dict(text="c")})
            store.close()
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    store.put_many("rewrite", {"after": dict(text="a")})
    assert store.verify() == 3


TRIGGER = "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE key = 'k1'; END"
VIEW = "ALTER TABLE entries RENAME TO e", "CREATE VIEW entries AS SELECT * FROM e"

def sums_of(path): return Path(f"{path}.sums")

ODD = { # what may stand where a store should, or beside one; and what is said (None: nothing is lost)
    "an empty file": (lambda p: p.write_bytes(b""), "values of kind 'rewrite' of 50 are not there"),
    "no file": (lambda p: p.unlink(), "values of kind 'rewrite' of 50 are not there"),
    "a hundred bytes": (lambda p: os.truncate(p, 100), "page 1 is cut off"),
    "one byte": (lambda p: os.truncate(p, 1), "values of kind 'rewrite' of 50 are not there"),
    "a page and a byte": (lambda p: os.truncate(p, 4097), "page 2 is cut off"),
    "a device": (lambda p: (p.unlink(), p.symlink_to("/dev/null")), "a pipe or a device"),
    "a pipe": (lambda p: (p.unlink(), os.mkfifo(p)), "a pipe or a device"),
    "a link to itself": (lambda p: (p.unlink(), p.symlink_to(p)), "unable to open"),
    "a link to the file": (lambda p: p.symlink_to(p.rename(p.with_name("x"))), None),
    "a folder as its log": (lambda p: Path(f"{p}-wal").mkdir(), "rate_nb store repair"),
    "noise as its log": (lambda p: Path(f"{p}-wal").write_bytes(bytes(range(256)) * 20), "page 0 of the log"),
    "noise as its index": (lambda p: Path(f"{p}-shm").write_bytes(bytes(range(256)) * 128), None),
    "noise as a journal": (lambda p: Path(f"{p}-journal").write_bytes(bytes(range(256)) * 20), None),
    "noise as its sums": (lambda p: sums_of(p).write_bytes(bytes(range(256))), None),
    "a folder as its sums": (lambda p: (sums_of(p).unlink(), sums_of(p).mkdir()), None),
    "another journal mode": (lambda p: by_sql(p, "PRAGMA journal_mode = DELETE"), None),
    "a trigger that deletes": (lambda p: by_sql(p, TRIGGER), "1 value of kind"),
    "a view in place of the table": (lambda p: by_sql(p, *VIEW), "rate_nb store repair"),
    "a further column": (lambda p: by_sql(p, "ALTER TABLE entries ADD COLUMN x"), "`entries` is not descr"),
    "a negative row": (lambda p: by_sql(p, "UPDATE entries SET id = -id WHERE key = 'k7'"), "1 value of"),
    "a later number of its transactions": (lambda p: by_sql(p, f"PRAGMA user_version = {2**31 - 1}"), None),
}


def by_sql(path, *statements):
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize("name", ODD)
def test_whatever_stands_there_is_read_or_named(tmp_path, name):
    change, why = ODD[name]
    store, entries = Store(tmp_path/"store.sqlite"), {f"k{i}": dict(text=f"{i}") for i in range(50)}
    store.put_many("rewrite", entries)
    store.close()
    change(store.path)
    def use():
        again = Store(store.path)
        again.put_many("rewrite", {"new": dict(text="new")})
        assert again.get_many("rewrite", [*entries, "new"]) == entries | {"new": dict(text="new")}
        again.close()
        return Store(store.path).verify()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StoreWarning)
        if why is None:
            assert use() == 51
        else:
            with pytest.raises(InputError, match=re.escape(why)):
                use()


# ---- a folder that goes away -----------------------------------------------------------------------------

@pytest.mark.parametrize("how", ["removed", "replaced", "made again"])
def test_what_was_paid_for_outlives_its_folder(tmp_path, how):
    run, entries = tmp_path/"runs"/"one", {f"k{i}": dict(text=f"{i}") for i in range(30)}
    store = Store(run/"store.sqlite")
    store.put_many("rewrite", entries, Provenance("api.example.com/v1", cost=1.))
    store.put_records("batch", {"b": dict(open=True)})
    shutil.rmtree(run)
    if how == "replaced":
        Store(run/"store.sqlite").put_many("rewrite", {"other": dict(text="x")})
    elif how == "made again":
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
    mine = Store(run/"store.sqlite").load(kept.path)
    assert mine == 32                                                        # and can be taken in again


# ---- earlier versions and provenance ---------------------------------------------------------------------

@pytest.mark.parametrize("end", ["", " WITHOUT ROWID"])
def test_stores_of_earlier_versions_get_digests_and_can_be_salvaged(tmp_path, end):
    def earlier(path, n, bad=()):
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN")
            for table in ("entries", "records"):
                db.execute(f"CREATE TABLE {table} (kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT "
                           f"NULL, PRIMARY KEY (kind, key)){end}")
            rows = [("rewrite", f"k{i:05d}", '{"text":"' + f"{i}" * 99 + '"}') for i in range(n)]
            db.executemany("INSERT INTO entries VALUES (?, ?, ?)", [*rows, *bad])
            db.execute("INSERT INTO records VALUES ('batch', 'b', '{\"open\":true}')")
            db.execute("COMMIT")
    earlier(tmp_path/"old.sqlite", 300, [("rewrite", "bad", "{not JSON")])
    with pytest.warns(StoreWarning, match="1 damaged value put aside .rewrite 'bad'."):
        store = Store(tmp_path/"old.sqlite")
    assert store.verify() == 300 and store.records("batch") == {"b": dict(open=True)}
    store.close()
    flip(store.path, b'"text":"7777')
    with pytest.warns(StoreWarning, match="k00007"):
        assert len(Store(store.path).get_many("rewrite", [f"k{i:05d}" for i in range(300)])) == 299
    earlier(tmp_path/"ruin.sqlite", 300)
    data = bytearray((tmp_path/"ruin.sqlite").read_bytes())
    data[3 * 4096:4 * 4096] = data[30:60] = b""
    (tmp_path/"ruin.sqlite").write_bytes(data)
    repair_store(tmp_path/"ruin.sqlite")
    assert 150 < Store(tmp_path/"ruin.sqlite").verify() < 302


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
    told = store.sources("rewrite")
    assert told[["endpoint", "served_model", "fingerprint", "values"]].values.tolist() == [
        ["127.0.0.1:1/v1", "m", None, 4], ["real/v1", "m-2", "fp", 2], [None, None, None, 1]]
    assert told.estimated.tolist() == [0, 2, 0] and told.cost.fillna(-1).tolist() == [0, .5, -1]
    assert set(store.provenance("rewrite", ["b0", "c", "nowhere"])) == {"b0"}
    assert store.sources("reward").empty
    for bad in (dict(cost=float("nan")), dict(cost=-1), dict(time="now")):
        with pytest.raises(InputError, match="must be a number"):
            Provenance(**bad)
