"Rewards and audit metrics in TRL's own trainers: GRPO, RLOO and the checkpoints of DPO."
import math, struct
import numpy as np, pandas as pd, pytest, torch
from rate_nb.base.core import InputError
from rate_nb.base.store import Store
from rate_nb.calibration import RCLWR
from rate_nb.calibration.score_tables import calibrate_scores, calibrated_reward, write_calibration
from rate_nb.checkpoints.loading import one_thread, save_tiny, tiny_model, tiny_tokenizer
from rate_nb.data import Attribute, Predicate
from rate_nb.scoring import CallableReward, RewardModel
from rate_nb.scoring.reward_models import score_row, score_texts
from rate_nb.studies import (
    answers_over_training, explain_reward, keep_generations, read_generations, trl_metric, trl_reward)
from rate_nb.studies.training import _in_private

trl = pytest.importorskip("trl", reason="needs the extra `train`")
WORDS = "[pad] [bos] [eos] [unk] user assistant : tell me more of it now good bad very".split()
TEMPLATE = ("{% for m in messages %}{{ m.role }} : {{ m.content }} {% endfor %}"
            "{% if add_generation_prompt %}assistant : {% endif %}")


def good(prompts, responses): return [float(r.count("good") - r.count("bad")) for r in responses]


@pytest.fixture
def train(tmp_path):
    "A run of a trainer on a tiny model; its trainer"
    from datasets import Dataset
    def run(funcs, weights, kind="GRPO", steps=3, chat=False, seed=0, evals=False, **config):
        prompts = ("tell me", "more of it")
        ask = [[dict(role="user", content=p)] for p in prompts]*4 if chat else list(prompts)*4
        tokenizer = tiny_tokenizer(WORDS, template=TEMPLATE if chat else None)
        tokenizer.padding_side = "left"
        model = tiny_model("LlamaForCausalLM", seed, WORDS, initializer_range=.05)
        base = str(save_tiny(tmp_path/"base", model, tokenizer)) # RLOO reads its reference from there
        settings = dict(per_device_train_batch_size=8, num_generations=4, max_completion_length=5,
                        learning_rate=1e-2, max_steps=steps, report_to=[], save_strategy="no",
                        logging_steps=1,
                        use_cpu=True, bf16=False, gradient_checkpointing=False, disable_tqdm=True, seed=seed,
                        reward_weights=weights)
        with _in_private(), one_thread(model):
            args = getattr(trl, f"{kind}Config")(str(tmp_path/"out"), **settings | config)
            data = Dataset.from_dict(dict(prompt=ask))
            trainer = getattr(trl, f"{kind}Trainer")(base, funcs, args=args, train_dataset=data,
                                                    eval_dataset=data.select(range(2)) if evals else None,
                                                    processing_class=tokenizer)
            trainer.train(resume_from_checkpoint=config.get("resume_from_checkpoint"))
        return trainer
    return run


def logged(trainer, key): return [row[key] for row in trainer.state.log_history if key in row]


@pytest.mark.parametrize("kind", ["GRPO", "RLOO"])
@pytest.mark.parametrize("chat", [False, True])
def test_a_reward_trains_and_its_metrics_are_logged_but_do_not(train, kind, chat, tmp_path):
    funcs, weights = trl_reward(good).with_metrics(length="length", polite=Attribute(
        "polite", "x", "y", "make it {W}", label=Predicate(lambda t: "very" in t, "says very?")))
    watched = train(funcs, weights, kind, chat=chat)
    for name in ("good", "length", "polite"):
        assert len(logged(watched, f"rewards/{name}/mean")) == 3
    assert logged(watched, "reward") == pytest.approx(logged(watched, "rewards/good/mean"), abs=1e-6)
    assert max(logged(watched, "rewards/length/mean")) > 3
    assert 0 <= min(logged(watched, "rewards/polite/mean")) <= 1
    alone = train([trl_reward(good)], [1.], kind, chat=chat)
    pairs = list(zip(watched.model.parameters(), alone.model.parameters()))
    assert pairs and all((a == b).all() for a, b in pairs) # watching changes nothing


def test_no_reward_moves_nothing_even_with_a_metric_beside(train, tmp_path):
    "A completion without a reward has advantage 0; a metric that spoke would give it a reward of 0"
    def picky(prompts, responses):
        return [np.nan if "good" in r else -9. - len(r)/100 for r in responses]
    funcs, weights = trl_reward(picky).with_metrics(length="length")
    train(funcs, weights, log_completions=True, steps=2)
    rows = pd.concat(map(pd.read_parquet, sorted((tmp_path/"out"/"completions").glob("*.parquet"))))
    silent = rows.picky.isna()
    assert 0 < silent.sum() < len(rows) and (rows.advantage[silent] == 0).all()
    assert rows.length[silent].isna().all() and (rows.advantage[~silent] != 0).any()
    train([trl_reward(picky), trl_metric("length")], [1., 0.], log_completions=True, steps=2) # the trap
    rows = pd.concat(map(pd.read_parquet, sorted((tmp_path/"out"/"completions").glob("*.parquet"))))
    assert (rows.advantage[rows.picky.isna()] > 0).any()
    kept = read_generations(tmp_path/"out"/"completions", reward="picky")
    assert len(kept) == len(rows) and kept.reward.isna().sum() == rows.picky.isna().sum()
    with pytest.raises(InputError, match="name the column of the `reward`, one of 'picky', 'length'"):
        read_generations(tmp_path/"out"/"completions")
    with pytest.raises(InputError, match="put the reward picky before"):
        train([*funcs[::-1]], [0., 1.])


def test_what_the_policy_wrote_is_kept_with_its_step_and_explained(train, tmp_path):
    reward = trl_reward(good, keep=tmp_path/"kept")
    train([reward], [1.], steps=4, evals=True, eval_strategy="steps", eval_steps=2, num_generations_eval=2,
          per_device_eval_batch_size=2, log_completions=True)
    kept = read_generations(tmp_path/"kept")
    assert kept.groupby("step").size().to_dict() == {0: 8, 1: 8, 2: 8, 3: 8}
    assert (kept.reward == good([], kept.response)).all() and set(kept.prompt) == {"tell me", "more of it"}
    evals = read_generations(tmp_path/"kept", split="eval")
    assert set(evals.step) == {2, 4} and len(evals) == 8
    trls = read_generations(tmp_path/"out"/"completions", reward="good") # the last batch before each log
    assert len(trls) and set(trls.response) <= set(kept.response) | set(evals.response)
    texts = [f"good now {i}" for i in range(20)]
    examples = pd.DataFrame(dict(example_id=range(20), prompt_id=range(20), prompt="p", response=texts, w=1))
    rewrites = pd.DataFrame([dict(example_id=i, draw=0, depth=d, target_w=d - 1, status="ok", model="m",
                                  text=texts[i] if d == 2 else "now", instruction_id="i",
                                  finish_reason="stop") for i in range(20) for d in (1, 2)])
    cell = ["example_id", "draw", "depth", "target_w", "status", "model"]
    own = examples.assign(draw=0, depth=0, target_w=1, status="ok", model="m", text=examples.response)
    rewards = pd.concat([own[cell + ["text"]], rewrites[cell + ["text"]]], ignore_index=True)
    rewards["reward"] = good([], rewards.text)
    found = explain_reward(kept, dict(good=(examples, rewrites, rewards)), spans=2,
                           measures=dict(good=lambda t: t.count("good")))
    assert found.effects.effect[0] == pytest.approx(1)
    bads = kept.response.str.count("bad").groupby([kept.step > 1, kept.prompt]).mean().groupby(level=0).mean()
    assert found.part("rest").estimate == pytest.approx(bads[False] - bads[True])


def test_a_resumed_run_replaces_the_steps_that_it_repeats(train, tmp_path):
    def run(steps, **more):
        return train([trl_reward(good, keep=tmp_path/"kept")], [1.], steps=steps, save_strategy="steps",
                     save_steps=2, **more)
    run(3)
    run(5, resume_from_checkpoint=str(tmp_path/"out"/"checkpoint-2"))
    kept = read_generations(tmp_path/"kept")
    assert kept.groupby("step").size().to_dict() == dict.fromkeys(range(5), 8)
    assert len(list((tmp_path/"kept").iterdir())) == 2


def test_every_kind_of_reward_is_one_function(tmp_path):
    class Half(RewardModel):
        def score_batch(self, pairs): return [score_row(len(r)/2) for _, r in pairs]
    prompts, said = ["p"]*3, ["ab", "abcd", ""]
    halved = CallableReward("f/x", lambda prompts, texts: [len(t)/2 for t in texts], key="1")
    for reward, name in ((Half("my half"), "my_half"), (halved, "f_x")):
        f = trl_reward(reward)
        assert f.__name__ == name
        assert f(prompts=prompts, completions=said, completion_ids=None) == [1., 2., 0.]
    assert trl_reward(Half("h"), name="other").__name__ == "other"
    with Store(tmp_path/"s.sqlite") as store:
        kept = trl_reward(Half("h", key="1"), store=store)
        assert kept(prompts, said) == [1., 2., 0.] == kept(prompts, said)
        mine = tmp_path/"mine.py"
        mine.write_text("def f(prompts, responses): return [float(len(r)) for r in responses]")
        named = trl_reward(dict(kind="function", function=f"{mine}:f", name="mine"), store=store)
        assert named.__name__ == "mine" and named(prompts, said) == [2., 4., 0.]
    odd = {"ab": math.inf, "abcd": math.nan, "": 1.}
    f = trl_reward(lambda prompts, texts: [odd[t] for t in texts], name="odd")
    assert f(prompts, said) == [None, None, 1.]
    messages = [[dict(role="assistant", content=c)] for c in said]
    ask = [[dict(role="user", content="p")]]*3
    assert trl_reward(Half("h"))(ask, messages) == [1., 2., 0.]
    tools = [dict(role="assistant", content="", tool_calls=[]), dict(role="tool", content="42"),
             dict(role="assistant", content="it is 42")]
    assert trl_reward(Half("h"))(ask[:1], [tools]) == [4.]
    silent = [dict(role="assistant", content=None)]
    for broken in ([], [dict(role="user", content="me again")], silent, None, 3):
        assert trl_reward(Half("h"))(["p"], [broken]) == [None]
    with pytest.raises(InputError, match="a RewardModel or a function"):
        trl_reward(3)
    with pytest.raises(ValueError, match="zip"):
        trl_reward(Half("h"))(["p"], said)
    async def later(prompts, completions, **_): return [0.]*len(prompts)
    with pytest.raises(InputError, match="must not be asynchronous"):
        keep_generations(later, tmp_path/"kept")
    (tmp_path/"file").write_text("")
    with pytest.raises(InputError, match="is a file; name a folder"):
        trl_reward(Half("h"), keep=tmp_path/"file")


def test_files_of_generations_that_are_none(tmp_path):
    with pytest.raises(InputError, match="holds no generations"):
        read_generations(tmp_path)
    with pytest.raises(InputError, match="holds no generations"):
        read_generations(tmp_path/"nowhere")
    kept = keep_generations(lambda prompts, completions, **_: [1., None, math.nan], tmp_path)
    kept(["p"]*3, ["a \ud800 b", "c\nd", "e"])
    table = read_generations(tmp_path)
    assert len(table) == 3 and table.reward.isna().tolist() == [False, True, True]
    assert table.response[1] == "c\nd" and table.response[0].startswith("a ")
    with pytest.raises(InputError, match="no generations of `split` 'eval'; it has 'train'"):
        read_generations(tmp_path, split="eval")


def test_checkpoints_answer_the_same_prompts(tmp_path):
    "DPO leaves checkpoints: what each answers, once"
    from rate_nb.studies.training import train_policy
    base = save_tiny(tmp_path/"base", tiny_model("LlamaForCausalLM", 1, WORDS, initializer_range=.05),
                     tiny_tokenizer(WORDS, template=None))
    pairs = pd.DataFrame(dict(prompt=["tell me"]*32, chosen=["good"]*32, rejected=["bad"]*32))
    policy = train_policy(base, pairs, tmp_path/"policy", lr=.01, epochs=3)
    ask = ["tell me", "tell me more"]
    run = lambda: answers_over_training({0: base, 12: policy}, ask, good, tmp_path/"answers", samples=40,
                                        max_new_tokens=4)
    made = run()
    assert made.groupby(["step", "prompt"]).size().eq(40).all()
    assert (made.reward == good([], made.response)).all()
    assert made.reward[made.step == 12].mean() > made.reward[made.step == 0].mean() + .3
    stamps = {p: p.stat().st_mtime_ns for p in (tmp_path/"answers").iterdir()}
    assert run().equals(made)
    assert stamps == {p: p.stat().st_mtime_ns for p in (tmp_path/"answers").iterdir()}
    with pytest.raises(InputError, match="two checkpoints or more"):
        answers_over_training({0: base}, ask, good, tmp_path/"answers")


def scalars(folder): # tag → values, of the event files in a folder
    from tensorboardX.proto.event_pb2 import Event
    found = {}
    for path in sorted(folder.rglob("events.out.tfevents.*")):
        data, at = path.read_bytes(), 0
        while at < len(data): # length, its checksum, the event, its checksum
            size, = struct.unpack_from("<Q", data, at)
            for value in Event.FromString(data[at + 12:at + 12 + size]).summary.value:
                found.setdefault(value.tag, []).append(value.simple_value)
            at += size + 16
    return found


def test_tensorboard_gets_a_calibrated_reward_and_the_metrics_with_weight_0(train, tmp_path):
    "A reward that also pays for length, calibrated on texts of its own; raw and length are logged beside"
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(["good", "bad", "very", "tell"], n)) for n in rng.integers(1, 9, 300)]
    raw = CallableReward("raw", lambda p, said: [g + len(r)/10 for g, r in zip(good(p, said), said)], key="1")
    scores = pd.DataFrame(dict(prompt_id=range(300), response=texts, model="raw",
                               reward=score_texts(texts, texts, raw)))
    write_calibration(calibrate_scores(scores, RCLWR(frac=.9)), tmp_path/"calibrator.parquet", texts=scores)
    fair = calibrated_reward(raw, tmp_path/"calibrator.parquet")
    funcs, weights = trl_reward(fair, name="calibrated").with_metrics(length="length", raw=raw)
    trainer = train(funcs, weights, report_to="tensorboard")
    seen = scalars(tmp_path/"out")
    for name in ("calibrated", "length", "raw"):
        values = seen[f"train/rewards/{name}/mean"]
        assert values == pytest.approx(logged(trainer, f"rewards/{name}/mean"), rel=1e-5) and len(values) == 3
    assert seen["train/rewards/raw/mean"] != seen["train/rewards/calibrated/mean"]
    assert seen["train/reward"] == pytest.approx(seen["train/rewards/calibrated/mean"], rel=1e-5) # weight 0


def test_the_recipe_trains_as_it_is_printed(tmp_path, monkeypatch):
    import re
    from conftest import ROOT
    from datasets import Dataset
    page = (ROOT/"docs"/"recipes.md").read_text("utf-8").partition("\n## A policy's training")[2]
    recipe = re.search(r"^```python\n(.*?)^```$", page, re.M | re.S)[1]
    small = ('report_to=[], max_steps=2, per_device_train_batch_size=8, max_completion_length=5, '
             'use_cpu=True, bf16=False, save_strategy="no"') # a run of seconds, and no TensorBoard
    recipe = recipe.replace('report_to="tensorboard"', small)
    tokenizer = tiny_tokenizer(WORDS, template=None)
    save_tiny(tmp_path/"my-model", tiny_model("LlamaForCausalLM", 0, WORDS), tokenizer)
    reward = tiny_model("LlamaForSequenceClassification", 1, WORDS, num_labels=1)
    save_tiny(tmp_path/"my-reward-model", reward, tokenizer)
    monkeypatch.chdir(tmp_path)
    with _in_private():
        exec(recipe, dict(prompts=Dataset.from_dict(dict(prompt=["tell me", "more of it"]*4))))
    kept = read_generations("run/generations")
    assert set(kept.step) == {0, 1} and kept.reward.notna().all() and kept.reward.nunique() > 2


def test_a_metric_has_a_name_of_its_own():
    for name in ("good", "reward", "completion"):
        with pytest.raises(InputError, match="a metric cannot be called"):
            trl_reward(good).with_metrics(**{name: "length"})


def test_two_rewards_in_one_folder_and_an_evaluation_alone(tmp_path):
    one, two = trl_reward(good, name="one", keep=tmp_path), trl_reward(good, name="two", keep=tmp_path)
    one(["p"], ["good"])
    two(["p"], ["bad"])
    with pytest.raises(InputError, match="generations of several rewards, 'one', 'two'"):
        read_generations(tmp_path)
    assert read_generations(tmp_path, reward="one").reward.tolist() == [1.]
    class Trainer: # of which TRL's `log_metric` is a method
        model = torch.nn.Linear(1, 1).eval()
        def log_metric(self, *a): pass
    trl_reward(good, name="one", keep=tmp_path)(["p"], ["good good"], log_metric=Trainer().log_metric)
    assert read_generations(tmp_path, reward="one").reward.tolist() == [1.]
    assert read_generations(tmp_path, reward="one", split="eval").reward.tolist() == [2.]
