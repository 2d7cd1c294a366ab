"The store under several processes, and over kill -9"
import asyncio, os, signal, sqlite3, subprocess, sys, tempfile, time
import numpy as np, pytest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from hypothesis import given, settings, strategies as st
from rate_nb.base.core import InputError, RateError
from rate_nb.base.store import as_store, Store

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


def test_pruning_while_another_writes(tmp_path):
    store = Store(tmp_path/"s.sqlite", timeout=.1)
    store.put_many("rewrite", {"a": dict(text="1"), "b": dict(text="2")})
    store._db.execute("INSERT INTO entries VALUES ('rewrite', 'c', '[1]')")        # damaged: no dict
    blocker = sqlite3.connect(store.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(RateError, match="cannot be written: database is locked"):
        store.prune("rewrite", lambda v: v["text"] == "1")
    assert not store._db.in_transaction
    blocker.execute("COMMIT")
    reader = sqlite3.connect(store.path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM entries").fetchone() # VACUUM cannot run
    assert store.prune("rewrite", lambda v: v["text"] == "1") == 1 and store.counts() == dict(rewrite=2)
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
    store._db.execute("INSERT INTO entries VALUES ('rewrite', 'c', '[1]')")
    with pytest.raises(InputError, match="damaged: 1 value .* other than a dict .*'c'"):
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
