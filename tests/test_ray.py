"Workers of Ray: every row comes back once, whatever dies on the way."
import os, signal, subprocess, sys, threading, time
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from rate_nb.base.core import InputError, ModelError, RateError
from rate_nb.scoring.ray_engine import ray_session, RayOptions, read_parts, RewardRecipe, score_pairs_with_ray
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
    with pytest.raises(InputError, match="has no key.*could be another model's"):
        score_rewrites(few, None, reader(tmp_path / "log", key=None), engine="ray",
                       ray=RayOptions(output=tmp_path / "out"), progress=False)
    with pytest.raises(InputError, match="all machines share"):
        RayOptions(address="auto")
    for wrong in (dict(workers=1.5), dict(block=0), dict(gpus=-1), dict(tries=True)):
        with pytest.raises(InputError, match=f"`{list(wrong)[0]}`"):
            RayOptions(**wrong)


@pytest.fixture
def in_process(monkeypatch):
    "Workers in this process, finished blocks in any order: everything but Ray's own handing out"
    import contextlib, random
    from rate_nb.scoring import ray_engine
    dies_after = []
    def finished(ray, names, run, output, key, options):
        workers = [ray_engine._Worker(str(run), str(output), key, options.tries, 9)
                   for _ in range(options.workers)]
        for i, name in enumerate(random.Random(0).sample(names, len(names))):
            part = workers[i % len(workers)](dict(block=[name]))["part"]
            # this part is finished, and not reported
            if dies_after and i == dies_after[0]:
                raise ValueError("a long trace\nthe end of the world")
            yield from part
    monkeypatch.setattr(ray_engine, "_finished", finished)
    monkeypatch.setattr(ray_engine, "ray_session", lambda options: contextlib.nullcontext())
    monkeypatch.setattr(ray_engine, "_check_cluster", lambda ray, options: None)
    return dies_after


def test_a_run_that_ends_early_goes_on_where_it_was(in_process, tmp_path):
    examples, log, store = table(200, bad=2), tmp_path / "log", Store(tmp_path / "store.sqlite")
    local = score_rewrites(examples, None, reader(tmp_path / "local", raises=False), progress=False)
    go = lambda output=tmp_path / "out", **o: score_rewrites(examples, None, reader(log), engine="ray",
                                                             ray=RayOptions(output=output, block=20, **o),
                                                             store=store, progress=False)
    in_process.append(4)
    with pytest.raises(RateError, match="Ray ended before the work did: the end of the world. Finished rows "
                                        "are kept"):
        go()
    first = len(seen(log))
    assert 0 < first < 198 and store.counts() == dict(reward=first)
    # the parts are enough; without them the store is
    for output, more in ((tmp_path / "out", 198 - first), (tmp_path / "out", 0), (None, 0)):
        # where all is done, a worker at work would be the end
        before, in_process[:] = len(seen(log)), [] if more or not output else [0]
        with pytest.warns(RewardWarning, match="2 texts of 200"):
            far = go(output)
        assert ((far.status == "failed").sum() == 2
                and far.reward.equals(local.reward.where(far.status == "ok")))
        assert len(seen(log)) - before == more and store.counts() == dict(reward=198)
    assert (len({i for _, i in seen(log)}) == len(seen(log)) == 198
            and not list((tmp_path / "out").glob("run-*")))


@pytest.mark.slow("Ray is started")
def test_every_row_comes_back_with_its_reward_or_its_error(session, tmp_path):
    examples, log, options = table(60, bad=3), tmp_path / "log", RayOptions(output=tmp_path / "out", block=20)
    local = score_rewrites(examples, None, reader(tmp_path / "local", raises=False), progress=False)
    with pytest.warns(RewardWarning, match=r"3 texts of 60 got no reward.*ValueError: unreadable"):
        far = score_rewrites(examples.sample(frac=1, random_state=1), None, reader(log), engine="ray",
                             ray=options, progress=False)
    far = far.set_index("example_id").loc[local.example_id].reset_index()
    ok = far.status == "ok"
    assert (~ok).sum() == 3 and examples.response[~ok.to_numpy()].str.endswith("#").all() and far.reward[
        ~ok].isna().all()
    assert (far.reward[ok] == local.reward[ok]).all() and far.error[~ok].eq("ValueError: unreadable: #").all()
    read = len(seen(log))
    # the blocks are gone
    assert len(list((tmp_path / "out").iterdir())) == len(
        list((tmp_path / "out").glob("part-*.parquet"))) == 4
    with pytest.warns(RewardWarning):
        again = score_rewrites(examples, None, reader(log), engine="ray", ray=options, progress=False)
    assert again.reward.equals(local.reward.where(ok)) and len(seen(log)) == read
    mended = score_rewrites(examples, None, reader(log, raises=False), engine="ray",
                            ray=RayOptions(output=tmp_path / "out", retry_failed=True), progress=False)
    # only what had failed
    assert mended.reward.equals(local.reward) and len(seen(log)) == read + 3
    store = Store(tmp_path / "store.sqlite")
    for part in (tmp_path / "out").glob("part-*.parquet"):
        store.load(part) # a part is a file that a store takes in
    assert store.counts() == dict(reward=60, failed=3)


@pytest.mark.slow("2,000 rows, and a worker killed among them")
def test_two_thousand_rows_one_worker_killed_one_row_in_a_hundred_raising(session, tmp_path):
    examples, log = table(2000, bad=20), tmp_path / "log"
    local = score_rewrites(examples, None, reader(tmp_path / "local", raises=False), progress=False)
    options, store, killed = RayOptions(output=tmp_path / "out",
                                        block=100), Store(tmp_path / "store.sqlite"), []
    def kill(): # one worker, while both are at work
        while len({pid for pid, _ in seen(log)}) < 2 or len(list((tmp_path / "out").glob("part-*"))) < 3:
            time.sleep(.01)
        killed.append(seen(log)[-1][0])
        os.kill(killed[0], signal.SIGKILL)
    threading.Thread(target=kill, daemon=True).start()
    with pytest.warns(RewardWarning, match="20 texts of 2,000"):
        far = score_rewrites(examples, None, reader(log, pause=.3), engine="ray", ray=options, store=store,
                             progress=False)
    ok = far.status == "ok"
    assert len(far) == 2000 and far.example_id.tolist() == examples.example_id.tolist()
    assert (far.status[~ok] == "failed").all() and (~ok).sum() == 20 and far.error[~ok].notna().all()
    assert (far.reward[ok] == local.reward[ok]).all()
    pids = {pid for pid, _ in seen(log)}
    # two workers, and the one that took the dead one's place
    assert killed and len(pids) == 3
    assert store.counts() == dict(reward=1980)
    read = len(seen(log))
    with pytest.warns(RewardWarning):
        again = score_rewrites(examples, None, reader(log), engine="ray", ray=options, progress=False)
    assert again.reward.equals(far.reward) and len(seen(log)) == read                   # the parts are enough
    near = score_rewrites(examples[ok.to_numpy()], None, reader(log), store=store, progress=False)
    # so is the store, for the other engine
    assert near.reward.tolist() == far.reward[ok].tolist() and len(seen(log)) == read


CANCELLED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from test_ray import RayOptions, reader, score_rewrites, table
if __name__ == "__main__":
    import signal
    signal.signal(signal.SIGINT, signal.default_int_handler) # whoever started the tests may ignore it
    out = Path(sys.argv[2])
    options = RayOptions(output=out / "out", block=50, init=dict(num_cpus=2))
    slow = reader(out / "log", pause=.3)
    score_rewrites(table(1000), None, slow, engine="ray", ray=options, progress=False)
"""


@pytest.mark.slow("a second Ray is started and interrupted")
def test_cancelled_and_run_again_scores_nothing_twice(session, tmp_path):
    out, log = tmp_path / "out", tmp_path / "log"
    (tmp_path / "script.py").write_text(CANCELLED)
    parts = lambda: list(out.glob("part-*.parquet"))
    env = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    run = subprocess.Popen([sys.executable, str(tmp_path / "script.py"), str(ROOT / "tests"), str(tmp_path)],
                           stderr=subprocess.PIPE, text=True, env=env)
    end = time.monotonic() + 150
    while len(parts()) < 3 and run.poll() is None and time.monotonic() < end:
        time.sleep(.02)
    run.send_signal(signal.SIGINT)                                                       # Ctrl-C
    said = run.communicate(timeout=60)[1]
    assert run.returncode != 0 and "KeyboardInterrupt" in said, said[-3000:]
    left = read_parts(out)
    assert 0 < len(left) < 1000 and not list(out.glob("run-*"))
    workers = {pid for pid, _ in seen(log)}
    end = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{pid}") for pid in workers) and time.monotonic() < end:
        time.sleep(.1)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in workers)                    # nobody goes on
    log.unlink()
    store = Store(tmp_path / "store.sqlite")
    rewards = score_rewrites(table(1000), None, reader(log), engine="ray",
                             ray=RayOptions(output=out, block=50), store=store, progress=False)
    assert (sorted(i for _, i in seen(log)) == sorted({i for _, i in seen(log)})
            and len(seen(log)) == 1000 - len(left))
    assert rewards.reward.equals(score_rewrites(table(1000), None, reader(tmp_path / "local"),
                                                progress=False).reward)
    # what the cancelled run left is in it too
    assert store.counts() == dict(reward=1000)
    log.unlink()
    assert score_rewrites(table(1000), None, reader(log), engine="ray", ray=RayOptions(output=out),
                          progress=False).reward.equals(rewards.reward) and not log.exists()


@pytest.mark.slow("workers are waited for")
def test_a_cancelled_run_in_a_ray_of_the_users_own_leaves_no_worker(session, tmp_path):
    examples, log, store = table(400), tmp_path / "log", Store(tmp_path / "store.sqlite")
    class Cancel:
        def update(self, n=1, note=""): raise KeyboardInterrupt
    pairs = list(zip(examples.prompt, examples.response))
    with pytest.raises(KeyboardInterrupt):
        score_pairs_with_ray(reader(log, pause=.5), pairs, store, Cancel(), RayOptions(block=50))
    kept = store.counts()["reward"]
    # no `output`: the store has what was finished
    assert 0 < kept < 400
    end = time.monotonic() + 30
    while any(os.path.exists(f"/proc/{pid}") for pid, _ in seen(log)) and time.monotonic() < end:
        time.sleep(.1)
    assert not any(os.path.exists(f"/proc/{pid}") for pid, _ in seen(log))
    log.unlink()
    score_pairs_with_ray(reader(log), pairs, store, options=RayOptions(block=50))
    assert len(seen(log)) == 400 - kept and store.counts()["reward"] == 400


CLUSTER = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
import pandas as pd
from ray.cluster_utils import Cluster
from test_ray import CallableReward, InputError, RayOptions, score_rewrites, table
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
        go = lambda **o: score_rewrites(table(200), None, where, engine="ray", ray=RayOptions(block=20, **o),
                                        progress=False)
        rewards = go(address=cluster.address, output=sys.argv[2])
        assert not ray.is_initialized()                      # disconnected, the cluster runs on
        assert len(rewards) == 200 and rewards.reward.nunique() == 2 and rewards.status.eq("ok").all()
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        try: go()
        except InputError as e: print(e)
    finally: ray.shutdown(); cluster.shutdown()
"""


@pytest.mark.slow("two machines are played by one")
def test_a_cluster_by_its_address_works_on_all_its_machines(light, tmp_path):
    (tmp_path / "script.py").write_text(CLUSTER)
    env = {k: v for k, v in os.environ.items() if not k.startswith("RAY_")}
    done = subprocess.run([sys.executable, str(tmp_path / "script.py"), str(ROOT / "tests"),
                           str(tmp_path / "out")], capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 0 and "`output` is needed: Ray runs on 2 machines" in done.stdout, done.stdout[
        -2000:] + done.stderr[-4000:]


@pytest.mark.slow("workers die and are started again, seven times")
def test_a_row_that_kills_its_worker_every_time_is_given_up(session, tmp_path):
    examples, log = table(30, bad=1), tmp_path / "log"
    with pytest.warns(RewardWarning, match="1 text of 30"):
        far = score_rewrites(examples, None, reader(log, dies=True), engine="ray", ray=RayOptions(block=15),
                             progress=False)
    assert ((far.status == "failed").sum() == 1
            and "worker process died" in far.error[far.status == "failed"].iloc[0])
    assert far.reward.notna().sum() == 29
    # fewer lives than tries: the run ends instead of going on for ever
    with pytest.raises(RateError, match="started 3 times and died"):
        score_rewrites(examples, None, reader(log, dies=True), engine="ray",
                       ray=RayOptions(workers=1, restarts=2, tries=9), progress=False)


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
    for model in (direct, recipe):
        far = score_rewrites(examples, None, model, engine="ray",
                             ray=RayOptions(workers=1, block=30, output=tmp_path / type(model).__name__),
                             progress=False, store=store)
        assert far.model.tolist() == local.model.tolist() and np.abs(far.reward - local.reward).max() < 1e-5
        # one key, whoever loaded the model
        assert store.counts() == dict(reward=len(examples))
    assert recipe._model is None
    before = direct.forward_passes
    assert np.abs(score_rewrites(examples, None, direct, store=store, progress=False).reward
                  - local.reward).max() < 1e-5 and direct.forward_passes == before
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="lacks weights"):
        score_rewrites(examples, None, RewardRecipe(load_reward_model, folder), engine="ray", progress=False)


@pytest.mark.slow("several runs of Ray")
def test_what_no_retry_can_mend_ends_the_run_in_one_sentence(session, tmp_path):
    def unreachable(prompts, responses):
        from rate_nb.base.core import EndpointError
        raise EndpointError("nobody answers at http://127.0.0.1:9")
    with pytest.raises(RateError, match="nobody answers"):
        score_rewrites(table(20), None, unreachable, engine="ray", ray=RayOptions(workers=1), progress=False)
    lock = threading.Lock()
    def held(prompts, responses): return [bool(lock) for _ in responses]
    with pytest.raises(InputError, match="cannot be sent to workers.*RewardRecipe"):
        score_rewrites(table(4), None, held, engine="ray", progress=False)
    with pytest.raises(InputError, match="`gpus` 8 a worker"):
        score_rewrites(table(4), None, reader(tmp_path / "log"), engine="ray", ray=RayOptions(gpus=8),
                       progress=False)
