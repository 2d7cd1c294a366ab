"What all tests share: one thread for small models, one demo model, and slow proofs only in CI."
import os, re, signal, subprocess, sys
from collections import Counter
from pathlib import Path
from shutil import which
import pytest
import warm
from slow import listed, name

os.environ.setdefault("OMP_NUM_THREADS", "1")   # small models are slower, not faster, on more threads
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ["HF_HUB_OFFLINE"] = "1"              # nothing here may reach a hub
# hides a slow import from the processes that tests start, and from this one: see the file in that folder
START = str(Path(__file__).resolve().parent / "start")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [START, os.environ.get("PYTHONPATH")]))
sys.path.insert(0, START)
import real # noqa: E402, it is in that folder
real.kernels = warm.kernel
# modules are compiled once, and not in each of the thousand processes that the tests start
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# started in the background, where an interrupt would reach no test
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"          # real data, present only in the developers' checkout
CI = os.environ.get("CI", "").lower() in ("1", "true")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: a proof that takes minutes; runs when CI=1")
    if not hasattr(config, "workerinput"): # the workers inherit it
        os.environ["RATE_NB_QUICK"] = str(int(not CI and config.args_source is config.ArgsSource.TESTPATHS))


def room_of(path):
    "The room that a file of the repository belongs to, such as estimators, lessons or whole"
    found = re.match(r"(?:nbs|rate_nb|tests)/(?:\d\d_)?(\w+)", path)
    return found[1] if found else ""


def room(test):
    "The room that a test is about: a notebook's own"
    notebook = re.search(r"test_notebooks::\w+\[(.+)\]", test)
    return room_of(f"nbs/{notebook[1]}" if notebook else test.replace(".", "/"))


def changed():
    """Rooms with a file that is not committed, or not pushed to where this branch comes from; then whole, too

    None where Git cannot say: then all tests run.
    """
    if not (which("git") and (ROOT / ".git").exists()):
        return None
    git = lambda *words: subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout
    names = [line[3:] for line in git("status", "--porcelain").splitlines()]
    names += git("diff", "--name-only", "@{upstream}", "HEAD").splitlines()
    return {room_of(path) for path in names} | ({"whole"} if names else set())


def pytest_collection_modifyitems(items):
    # files that take longest come first: no worker is left with one when the other has done
    seconds, whole = listed(), Counter()
    for item in items:
        whole[item.path] += seconds.get(name(item.nodeid), .1)
    items.sort(key=lambda item: (-whole[item.path], item.path.name))
    for item in items:
        if "slow" in item.keywords and not CI:
            item.add_marker(pytest.mark.skip(reason=f"{item.name}: a slow proof, runs with CI=1"))
    if os.environ["RATE_NB_QUICK"] == "1": # all tests, and none by its file or name
        here = changed()
        for item in items:
            test = name(item.nodeid)
            if here is not None and test in seconds and room(test) not in here:
                item.add_marker(pytest.mark.skip(
                    reason=f"{item.name}: takes {seconds[test]:.0f} s, runs with CI=1, and where "
                           f"{room(test)} was changed"))


@pytest.fixture(scope="session", autouse=True)
def pictures():
    with warm.drawing():
        yield


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    ("Models made by the tests go to a cache of their own, shared with the processes that tests start and "
     "with the other worker")
    base = tmp_path_factory.getbasetemp()
    old, folder = os.environ.get("RATE_NB_CACHE"), (base.parent if "PYTEST_XDIST_WORKER" in os.environ
                                                    else base) / "cache"
    folder.mkdir(exist_ok=True)
    os.environ["RATE_NB_CACHE"] = str(folder)
    yield folder
    os.environ.pop("RATE_NB_CACHE") if old is None else os.environ.__setitem__("RATE_NB_CACHE", old)


@pytest.fixture(scope="session")
def demo_model(cache):
    "Folder of the demo reward model, which is shipped"
    from rate_nb.studies.demo import demo_reward_model
    return demo_reward_model()


@pytest.fixture
def forked_workers():
    "A grid's workers are forks that start no kernel"
    with warm.forked_workers():
        yield


@pytest.fixture
def data():
    "Folder with the real data; tests that need it skip where it is absent"
    if not DATA.is_dir():
        pytest.skip("needs ../shared/data, which is not part of the repository")
    return DATA
