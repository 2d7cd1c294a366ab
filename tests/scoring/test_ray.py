"Workers of Ray: every row comes back once, whatever dies on the way."
import contextlib, os, random, signal, subprocess, sys, threading, time, types
from functools import partial
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from rate_nb.base.core import EndpointError, InputError, ModelError, RateError
from rate_nb.scoring import ray_engine
from rate_nb.scoring.ray_engine import ray_session, RayOptions, RewardRecipe, score_pairs_with_ray
from rate_nb.scoring.reward_models import CallableReward, RewardWarning
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.scoring.rewards import score_rewrites
from rate_nb.base.store import Store
from rate_nb.checkpoints.loading import save_tiny, tiny_model, WORDS

pytest.importorskip("ray", reason="needs the extra `scale`")


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """Keep Ray's processes from importing a grammar that they never use

    Each of them imports jsonschema, and with it, where JupyterLab is installed, a grammar that takes seconds
    of a core: on two busy cores, longer than the 15 s within which Ray must have started
    (ray-project/ray#65983).
    """
    folder, old = tmp_path_factory.mktemp("light"), os.environ.get("PYTHONPATH")
    (folder / "rfc3987_syntax.py").write_text("raise ImportError('not for Ray')")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), str(ROOT)] + [old] * bool(old))
    yield
    os.environ.pop("PYTHONPATH") if old is None else os.environ.__setitem__("PYTHONPATH", old)


@pytest.fixture(scope="module")
def session(light):
    "One small Ray for all tests of this file"
    with ray_session(RayOptions(init=dict(num_cpus=2))) as ray:
        yield ray


def table(n, bad=0):
    "Examples with a text of their own each, every `n/bad`-th of them unreadable"
    rng = np.random.default_rng(0)
    every = n // bad if bad else n + 1
    text = [f"{i} " + " ".join(rng.choice(WORDS[7:], rng.integers(1, 12))) + (" #" if i % every == every - 1
        else "") for i in range(n)]
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)],
                             prompt_id=[f"p{i % 97}" for i in range(n)],
                             prompt=[f"prompt {i % 97}" for i in range(n)], response=text,
                             w=np.arange(n) % 2))


def reader(log, pause=0., raises=True, dies=False, key="1"):
    "A reward that writes down what it reads, and in which process; defined here, so that it travels by value"
    def read(prompts, responses):
        import os, time
        if dies and any(r.endswith("#") for r in responses):
            os._exit(1)
        if raises and any(r.endswith("#") for r in responses):
            raise ValueError("unreadable: #")
        with open(log, "a") as f:
            f.write("".join(f"{os.getpid()} {r.split()[0]}\n" for r in responses))
        if len(responses) > 1:
            time.sleep(pause)
        return [(len(p) * 31 + sum(map(ord, r))) / 7 for p, r in zip(prompts, responses)]
    return CallableReward("reader", read, key=key, batch_size=50)


def seen(log): return [tuple(map(int, line.split()))
                       for line in log.read_text().splitlines()] if log.exists() else []


def test_scoring_does_not_import_ray():
    code = "import rate_nb.scoring.rewards, rate_nb.scoring.ray_engine, sys; print('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          timeout=100).stdout.strip() == "False"


def test_arguments_are_checked_before_ray_starts(tmp_path):
    few, model = table(4), reader(tmp_path / "log")
    with pytest.raises(InputError, match="'local' or 'ray'.*'spark'"):
        score_rewrites(few, None, model, engine="spark")
    with pytest.raises(InputError, match="`ray` given"):
        score_rewrites(few, None, model, ray=RayOptions())
    for wrong in (dict(workers=1.5), dict(block=0), dict(gpus=-1), dict(tries=True)):
        with pytest.raises(InputError, match=f"`{list(wrong)[0]}`"):
            RayOptions(**wrong)


class Killed(BaseException):
    "Stands for the death of a process"

class RayError(Exception):
    "What Ray says of a worker that died each time"

class RayTaskError(RayError):
    "What Ray makes of an error in a worker"
    def __init__(self, cause): self.cause = cause


class HereRay:
    "Actors in this process, finished in any order: everything but Ray's own restarting"
    exceptions = types.SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
    def __init__(self): self.random, self.alive, self.started = random.Random(0), [], 0
    def nodes(self): return [dict(Alive=True, Resources=dict(CPU=9))]
    def cluster_resources(self): return dict(CPU=9)
    def put(self, value): return value
    def remote(self, **options):
        return lambda kind: types.SimpleNamespace(remote=lambda *args: self.start(kind, args))
    def start(self, kind, args):
        worker, self.started = kind(*args), self.started + 1
        actor = types.SimpleNamespace(load=types.SimpleNamespace(remote=partial(partial, worker.load)),
                                      score=types.SimpleNamespace(remote=partial(partial, worker.score)))
        self.alive.append(actor)
        return actor
    def kill(self, actor): self.alive.remove(actor)
    def wait(self, refs):
        self.random.shuffle(refs)
        return refs[:1], refs[1:]
    def get(self, ref):
        try:
            return ref()
        except Killed:
            raise RayError("the actor died") from None
        except Exception as e:
            raise RayTaskError(e) from e


@pytest.fixture
def here(monkeypatch):
    ray = HereRay()
    monkeypatch.setattr(ray_engine, "ray_session", lambda options: contextlib.nullcontext(ray))
    monkeypatch.setattr("ray.get", lambda packed: packed) # by a worker
    yield ray
    assert not ray.alive # whatever happened


def test_a_run_that_ends_early_goes_on_where_it_was(here, tmp_path):
    examples, log, store = table(200, bad=2), tmp_path / "log", Store(tmp_path / "store.sqlite")
    local = score_rewrites(examples, None, reader(tmp_path / "local", raises=False), progress=False)
    pairs = list(zip(examples.prompt, examples.response))
    class Cancel:
        n = 0
        def update(self, n=1, note=""):
            self.n += 1
            if self.n == 4:
                raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        score_pairs_with_ray(reader(log), pairs, store, Cancel(), RayOptions(block=20))
    first = store.counts()["reward"]
    assert 0 < first < 198 # a block is in the store the moment it arrives
    log.unlink()
    for more in (198 - first, 0):
        with pytest.warns(RewardWarning, match="2 texts of 200"):
            far = score_rewrites(examples, None, reader(log), engine="ray", ray=RayOptions(block=20),
                                 store=store, progress=False)
        assert ((far.status == "failed").sum() == 2
                and far.reward.equals(local.reward.where(far.status == "ok")))
        assert len({i for _, i in seen(log)}) == len(seen(log)) == 198 - first
        assert store.counts() == dict(reward=198)


def test_without_a_store_finished_rows_stay_in_output(here, tmp_path):
    options, log = RayOptions(output=tmp_path / "out", block=20), tmp_path / "log"
    once, again = (score_rewrites(table(100), None, reader(log), engine="ray", ray=options, progress=False)
                   for _ in range(2))
    assert once.equals(again) and len(seen(log)) == 100 and here.started == 2


def test_deaths_cost_only_the_row_that_caused_them_or_end_the_run(here, tmp_path):
    examples = table(60, bad=2)
    def read(prompts, responses):
        if any(r.endswith("#") for r in responses):
            raise Killed
        return [len(r) for r in responses]
    model = CallableReward("reader", read, key="1", batch_size=50)
    with pytest.warns(RewardWarning, match="2 texts of 60"):
        far = score_rewrites(examples, None, model, engine="ray", ray=RayOptions(block=20), progress=False)
    bad = examples.response.str.endswith("#").to_numpy()
    assert far.status[bad].eq("failed").all() and far.error[bad].str.contains("worker process died").all()
    assert far.reward[~bad].tolist() == examples.response[~bad].str.len().tolist()
    store = Store(tmp_path / "store.sqlite")
    with pytest.raises(RateError, match=r"workers were started 6 times and died \(out of memory\?\)"):
        score_rewrites(examples, None, model, engine="ray", ray=RayOptions(block=20, restarts=5), store=store,
                       progress=False)
    assert store.counts().get("reward", 0) > 0 # the others are not lost
    def never(prompts, responses): raise Killed
    with pytest.raises(RateError, match="out of memory"):
        score_rewrites(examples, None, CallableReward("never", never, key="1"), engine="ray", progress=False)


def test_what_no_retry_can_mend_ends_the_run_in_one_sentence(here, tmp_path):
    def unreachable(prompts, responses): raise EndpointError("nobody answers at http://127.0.0.1:9")
    lock = threading.Lock()
    def held(prompts, responses): return [bool(lock) for _ in responses]
    def missing(): raise ModuleNotFoundError("No module named 'mine'")
    for model, options, error, said in (
            (CallableReward("away", unreachable), {}, ModelError, "nobody answers.*Finished rows are kept"),
            (CallableReward("held", held), {}, InputError, "cannot be sent to workers.*RewardRecipe"),
            (RewardRecipe(missing, name="mine"), {}, ModelError, "No module named 'mine'.*runtime_env"),
            (reader(tmp_path / "log"), dict(gpus=8), InputError, "`gpus` 8 a worker")):
        with pytest.raises(error, match=said):
            score_rewrites(table(20), None, model, engine="ray", ray=RayOptions(**options), progress=False)


def test_a_recipe_is_one_model_for_all_workers(here, tmp_path):
    def load(): # another model each time
        with open(tmp_path / "loads", "a") as f:
            f.write("x")
        key = str((tmp_path / "loads").stat().st_size)
        return CallableReward("reader", lambda prompts, responses: [1.] * len(responses), key=key)
    with pytest.raises(ModelError, match="not the same model"):
        score_rewrites(table(40), None, RewardRecipe(load, name="two"), engine="ray", progress=False)


@pytest.mark.slow("Ray is started")
def test_every_row_comes_back_with_its_reward_or_its_error(session, tmp_path):
    examples, log, store = table(60, bad=3), tmp_path / "log", Store(tmp_path / "store.sqlite")
    local = score_rewrites(examples, None, reader(tmp_path / "local", raises=False), progress=False)
    go = lambda x, **o: score_rewrites(x, None, reader(log, **o), engine="ray", ray=RayOptions(block=20),
                                       store=store, progress=False)
    with pytest.warns(RewardWarning, match=r"3 texts of 60 got no reward.*ValueError: unreadable"):
        far = go(examples.sample(frac=1, random_state=1))
    far = far.set_index("example_id").loc[local.example_id].reset_index()
    ok = far.status == "ok"
    assert (~ok).sum() == 3 and examples.response[~ok.to_numpy()].str.endswith("#").all()
    assert (far.reward[ok] == local.reward[ok]).all() and far.error[~ok].eq("ValueError: unreadable: #").all()
    assert far.reward[~ok].isna().all() and store.counts() == dict(reward=57)
    read = len(seen(log))
    mended = go(examples, raises=False) # only what had failed
    assert mended.reward.equals(local.reward) and len(seen(log)) == read + 3


STOPPED = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/scoring"]
from pathlib import Path
from test_ray import RayOptions, Store, reader, score_rewrites, table
if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler) # whoever started the tests may ignore it
    out = Path(sys.argv[2])
    score_rewrites(table(1000), None, reader(out/"log", pause=.3), store=Store(out/"store.sqlite"),
                   engine="ray", ray=RayOptions(block=50, init=dict(num_cpus=2)), progress=False)
"""


@pytest.mark.slow("a second Ray is started and stopped")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_stopped_or_killed_and_run_again_scores_no_stored_row_twice(session, stop, tmp_path):
    log, at = tmp_path / "log", tmp_path / "store.sqlite"
    (tmp_path / "script.py").write_text(STOPPED)
    env = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    run = subprocess.Popen([sys.executable, str(tmp_path / "script.py"), str(ROOT / "tests"), str(tmp_path)],
                           stderr=subprocess.PIPE, text=True, env=env)
    end = time.monotonic() + 150
    while len(seen(log)) < 300 and run.poll() is None and time.monotonic() < end:
        time.sleep(.02)
    run.send_signal(stop)
    said = run.communicate(timeout=60)[1]
    assert run.returncode != 0 and (stop == signal.SIGKILL or "KeyboardInterrupt" in said), said[-3000:]
    workers, end = {pid for pid, _ in seen(log)}, time.monotonic() + 60
    while any(os.path.exists(f"/proc/{pid}") for pid in workers) and time.monotonic() < end:
        time.sleep(.1)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in workers)                    # nobody goes on
    log.unlink()
    store = Store(at)
    left = store.counts()["reward"]
    assert 200 <= left < 1000
    rewards = score_rewrites(table(1000), None, reader(log), engine="ray", ray=RayOptions(block=50),
                             store=store, progress=False)
    assert len({i for _, i in seen(log)}) == len(seen(log)) == 1000 - left
    assert rewards.reward.equals(score_rewrites(table(1000), None, reader(tmp_path / "local"),
                                                progress=False).reward)
    assert store.counts() == dict(reward=1000)


@pytest.mark.slow("workers are waited for")
def test_a_cancelled_run_in_a_ray_of_the_users_own_leaves_no_worker(session, tmp_path):
    examples, log, store = table(400), tmp_path / "log", Store(tmp_path / "store.sqlite")
    class Cancel:
        def update(self, n=1, note=""): raise KeyboardInterrupt
    pairs = list(zip(examples.prompt, examples.response))
    with pytest.raises(KeyboardInterrupt):
        score_pairs_with_ray(reader(log, pause=.5), pairs, store, Cancel(), RayOptions(block=50))
    assert 0 < store.counts()["reward"] < 400
    end = time.monotonic() + 30
    while any(os.path.exists(f"/proc/{pid}") for pid, _ in seen(log)) and time.monotonic() < end:
        time.sleep(.1)
    assert not any(os.path.exists(f"/proc/{pid}") for pid, _ in seen(log))


CLUSTER = """
import os, sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/scoring"]
from pathlib import Path
from ray.cluster_utils import Cluster
from test_ray import CallableReward, RayOptions, ray_session, score_rewrites, table
if __name__ == "__main__":
    import ray
    nodes = Path(sys.argv[2] + "-nodes"); nodes.mkdir()
    def place(prompts, responses): # where it runs; the first machine waits until the other one works too
        import ray, time
        node, end = ray.get_runtime_context().get_node_id(), time.monotonic() + 120
        (nodes / node).touch()
        while len(list(nodes.iterdir())) < 2 and time.monotonic() < end: time.sleep(.05)
        return [int(node[:8], 16) for _ in responses]
    cluster = Cluster(initialize_head=True, head_node_args=dict(num_cpus=1, object_store_memory=200_000_000))
    try:
        cluster.add_node(num_cpus=1, object_store_memory=200_000_000)
        where = CallableReward("place", place, key="1")
        # more workers than the cluster has room for: those that wait hold nobody up
        rewards = score_rewrites(table(200), None, where, engine="ray", progress=False,
                                 ray=RayOptions(workers=3, block=20, address=cluster.address))
        assert not ray.is_initialized()                      # disconnected, the cluster runs on
        assert len(rewards) == 200 and rewards.reward.nunique() == 2 and rewards.status.eq("ok").all()
        # somebody's cluster on this machine is not joined unless it is named; RAY_ADDRESS names it
        for address in ("", cluster.address):
            os.environ["RAY_ADDRESS"] = address
            with ray_session(RayOptions(workers=1)) as joined:
                assert (joined.get_runtime_context().gcs_address == cluster.address) == bool(address)
    finally: ray.shutdown(); cluster.shutdown()
"""


@pytest.mark.slow("two machines are played by one")
def test_a_cluster_by_its_address_works_on_all_its_machines(light, tmp_path):
    (tmp_path / "script.py").write_text(CLUSTER)
    env = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    done = subprocess.run([sys.executable, str(tmp_path / "script.py"), str(ROOT / "tests"),
                           str(tmp_path / "out")], capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


@pytest.mark.slow("workers die and are started again, six times")
def test_a_row_that_kills_its_worker_every_time_is_given_up(session, tmp_path):
    examples, log = table(30, bad=1), tmp_path / "log"
    with pytest.warns(RewardWarning, match="1 text of 30"):
        far = score_rewrites(examples, None, reader(log, dies=True), engine="ray", ray=RayOptions(block=15),
                             progress=False)
    assert ((far.status == "failed").sum() == 1
            and "worker process died" in far.error[far.status == "failed"].iloc[0])
    assert far.reward.notna().sum() == 29
    with pytest.raises(RateError, match="started 4 times and died"):
        score_rewrites(examples, None, reader(log, dies=True), engine="ray",
                       ray=RayOptions(workers=1, restarts=3, tries=4), progress=False)


@pytest.mark.slow("torch starts in several workers")
def test_models_and_recipes_score_as_the_local_engine_does(session, tmp_path):
    rng = np.random.default_rng(0)
    examples = table(80).assign(prompt=lambda d: ["the film was "
                                                  + " ".join(rng.choice(WORDS[7:], 20)) * (i % 3)
                                                  for i in range(len(d))])
    folder, store = save_tiny(tmp_path / "tiny", tiny_model(seed=1)), Store(tmp_path / "store.sqlite")
    direct, recipe = load_reward_model(folder, device="cpu"), RewardRecipe(load_reward_model, folder,
        device="cpu")
    local = score_rewrites(examples, None, direct, progress=False)
    assert local.reward.nunique() > 20
    for model, kept in ((direct, None), (recipe, store)):
        far = score_rewrites(examples, None, model, engine="ray", ray=RayOptions(workers=1, block=30),
                             progress=False, store=kept)
        assert far.model.tolist() == local.model.tolist() and np.abs(far.reward - local.reward).max() < 1e-5
    assert recipe._model is None and store.counts() == dict(reward=len(examples))
    before = direct.forward_passes # one key, whoever loaded the model
    assert np.abs(score_rewrites(examples, None, direct, store=store, progress=False).reward
                  - local.reward).max() < 1e-5 and direct.forward_passes == before
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="lacks weights"):
        score_rewrites(examples, None, RewardRecipe(load_reward_model, folder), engine="ray", progress=False)
