"The store under several processes, and over kill -9"
import os, signal, sqlite3, subprocess, sys, time
import numpy as np, pytest
from concurrent.futures import ThreadPoolExecutor
from hypothesis import given, settings, strategies as st
from rate_nb.core import InputError
from rate_nb.store import Store, as_store

WRITER = """
import sys
from rate_nb.store import Store
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
    code = "import sys\nfrom rate_nb.store import Store\ns = Store(sys.argv[1])\nfor i in range(10**6): s.put_many('r', {f'{i}-{j}': dict(x=j) for j in range(64)}); print(i, flush=True)"
    for wait in (.02, .1, .2):
        child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
        last = int(child.stdout.readline())
        time.sleep(wait); child.send_signal(signal.SIGKILL)
        last = max([last] + [int(l) for l in child.stdout if l.endswith("\n")]); child.wait()
        store = Store(path)
        assert store.verify() % 64 == 0 and len(store.get_many("r", [f"{i}-0" for i in range(last + 1)])) == last + 1


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.text(max_size=10).filter(lambda k: k.isprintable()), st.fixed_dictionaries(
    dict(reward=st.floats(allow_nan=False), text=st.text(st.characters(), max_size=20), n=st.none() | st.integers())), max_size=8))
def test_values_come_back_as_they_were(tmp_path_factory, entries):
    store = Store(tmp_path_factory.mktemp("s")/"store.sqlite")
    assert store.put_many("reward", entries) == len(entries) and store.get_many("reward", entries) == entries
    store.close()


def test_the_first_value_stays_and_a_bad_batch_leaves_nothing(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    store.put_many("rewrite", {"a": dict(text="1")})
    with pytest.raises(TypeError, match="must be JSON"): store.put_many("rewrite", {"b": dict(text="2"), "c": dict(text=object())})
    assert store.put_many("rewrite", {"a": dict(text="3")}) == 0 and store.get_many("rewrite", ["a", "b", "c"]) == {"a": dict(text="1")}


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
        try: store.put_many("rewrite", {"child": dict(text="c")}); os._exit(0)
        except BaseException: os._exit(1)
    assert os.waitpid(pid, 0)[1] == 0
    assert set(twin.get_many("rewrite", ["parent", "child"])) == {"parent", "child"}


def test_paths_that_cannot_be_a_store(tmp_path):
    with pytest.raises(InputError, match="is a folder"): Store(tmp_path)
    (tmp_path/"x.txt").write_text("not a database, but long enough to look like one " * 50)
    with pytest.raises(InputError, match="cannot be used as a store"): as_store(tmp_path/"x.txt")


def test_bulk_is_fast_enough(tmp_path): # the aim is 40,000 inserts and 100,000 gets a second on a quiet machine; this one may be busy
    store = Store(tmp_path/"store.sqlite")
    entries = {f"{i:032x}": dict(reward=float(i), status="ok") for i in range(20_000)}
    began = time.perf_counter()
    for start in range(0, 20_000, 512): store.put_many("reward", dict(list(entries.items())[start:start + 512]))
    wrote = 20_000 / (time.perf_counter() - began); began = time.perf_counter()
    assert len(store.get_many("reward", entries)) == 20_000
    read = 20_000 / (time.perf_counter() - began)
    assert wrote > 8_000 and read > 20_000, (wrote, read)
