"""A watch: false alarms and delay where the truth is known, training left as it is, and what is wrong.

The simulation shares nothing with the package: a text is a name, and its reward a number in a dictionary.
"""
import json, logging, math, subprocess, sys, zlib
from pathlib import Path
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError
from rate_nb.studies.watch import AuditCallback, Watch
from sampling import possible, repeats

NAMES = ("blue", "loud", "old")


def audits_by_hand(rng, groups=60, names=NAMES):
    "Two responses a group; each has a version on either side of each property, and a second one"
    out = {}
    for name in names:
        side = rng.integers(0, 2, 2*groups)
        ids = [f"{name} {i}" for i in range(2*groups)]
        first = pd.DataFrame(dict(example_id=ids, prompt_id=[f"g{i//2}" for i in range(2*groups)],
                                  prompt="?", response=[f"{i} as it was" for i in ids], w=side))
        rows = [dict(example_id=i, draw=0, depth=d, target_w=t, instruction_id="x", status="ok",
                     text=f"{i} made {d}") for i, own in zip(ids, side) for d, t in ((1, 1 - own), (2, own))]
        out[name] = first, pd.DataFrame(rows)
    return out


class Drifting:
    "Numbers of all texts, which wander; what each property earns is the same plus a known course"
    def __init__(self, audits, rng, courses, wander=.12):
        self.value, self.side, self.group, self.rng = {}, {}, {}, rng
        self.names = list(audits)
        for k, (first, made) in enumerate(audits.values()):
            of = dict(zip(first.example_id, first.prompt_id))
            for text, w, i in [*zip(first.response, first.w, first.example_id),
                               *zip(made.text, made.target_w, made.example_id)]:
                self.value[text] = rng.normal()
                self.side[text], self.group[text] = (k, w), of[i]
        self.lean = {(g, k): .2*rng.normal() for g in {*self.group.values()} for k in range(len(self.names))}
        self.courses, self.wander, self.look = courses, wander, 0

    def move(self):
        "The next checkpoint: every text and every group's lean a little elsewhere, no mean with it"
        self.look += 1
        for text in self.value:
            self.value[text] += self.wander*self.rng.normal()
        for key in self.lean:
            self.lean[key] += self.wander*self.rng.normal()

    def __call__(self, prompts, texts):
        def number(text):
            k, w = self.side[text]
            return self.value[text] + w*(self.lean[self.group[text], k] + self.courses[k](self.look))
        return [number(t) for t in texts]


def run_of(seed, courses, margin, looks=10, planned=True, groups=60):
    rng = np.random.default_rng(seed)
    audits = audits_by_hand(rng, groups, NAMES[:len(courses)])
    numbers = Drifting(audits, rng, courses)
    watch = Watch(audits, unit="reward", margin=margin, level=.97, looks=looks if planned else None,
                  seed=seed)
    for look in range(looks + 1):
        watch.add(look, numbers)
        numbers.move()
    return watch


def nothing(look): return .5
def edge(look): return .5 + .3*(look > 0)


@pytest.mark.parametrize("what, course, margin, planned", [
    ("no change", nothing, 0., True), ("at its edge", edge, .3, True), ("open end", nothing, 0., False)])
@pytest.mark.slow("trainings")
def test_false_alarms_over_all_looks_and_attributes(what, course, margin, planned):
    "Designed at 3% of the trainings: 17 of 200 are a bound that 3.0% exceeds in 1 of 10,000 studies"
    n = repeats(5, 200)
    alarmed = [bool(run_of(s, [course]*3, margin, planned=planned).alarms) for s in range(n)]
    print(what, sum(alarmed), "of", len(alarmed))
    assert sum(alarmed) <= 17 and possible(sum(alarmed), n, 0., .03), what


@pytest.mark.slow("trainings")
def test_the_delay_is_what_the_width_allows():
    "Counted from where the true effect crosses the margin"
    begins, slope, margin = 2, .06, .15
    rise = lambda look: .5 + slope*max(look - begins, 0)
    crossed = next(k for k in range(40) if rise(k) - .5 > margin + 1e-9)
    delays, halves, others = [], [], 0
    for s in range(repeats(6, 200)):
        watch = run_of(s, [rise, nothing], margin, looks=14)
        delays.append(watch.alarms.get("blue", 99) - crossed)
        others += bool(set(watch.alarms) - {"blue"})
        row = watch.table.query(f"attribute == 'blue' and step == {crossed + 3}").iloc[0]
        halves.append((row.change_high - row.change_low)/2)
    half = np.median(halves)
    allowed = lambda more: next(k for k in range(99) if rise(k) - .5 >= margin + more) - crossed
    z = half/2.6 # a standard error or more: critical values of this watch are 2.6 or larger
    median, ninth = np.median(delays), np.quantile(delays, .9)
    print(f"half width {half:.3f}; delay {median} (allowed {allowed(half)}), 90% {ninth} "
          f"(allowed {allowed(half + 1.28*z)}); others {others}")
    assert median <= allowed(half) and ninth <= allowed(half + 1.28*z) + 1
    assert others <= max(2, .085*len(delays))


# in a trainer

WORDS = "[pad] [bos] [eos] [unk] user assistant : the film was very long good bad".split()


def sayings(rng, n, longer_from=10**6):
    "Preferences in order: more good words, later more words"
    out = []
    for i in range(n):
        a, b = [*rng.choice(["good", "bad", "was"], 4)], [*rng.choice(["good", "bad", "was"], 4)]
        if i >= longer_from:
            a += [*rng.choice(["very", "long", "the"], 14)]
        else:
            a, b = (t + [*rng.choice(["very", "long", "the"], rng.integers(0, 15))] for t in (a, b))
            a, b = (b, a) if a.count("good") < b.count("good") else (a, b)
        out.append([[dict(role="user", content="the film")], [dict(role="assistant", content=" ".join(a))],
                    [dict(role="assistant", content=" ".join(b))]])
    return out


def length_audit(rng, n=60):
    w = np.arange(n)//2 % 2
    says = lambda t: " ".join([*rng.choice(["good", "bad", "was"], 4),
                               *rng.choice(["very", "long", "the"], 14 if t else 3)])
    first = pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt="the film", w=w,
                              prompt_id=[f"p{i//2}" for i in range(n)], response=[says(t) for t in w]))
    rows = [dict(example_id=f"e{i}", draw=0, depth=d, target_w=t, instruction_id="x", status="ok",
                 text=says(t)) for i in range(n) for d, t in ((1, 1 - w[i]), (2, w[i]))]
    return first, pd.DataFrame(rows)


def fresh(seed=1, **more):
    from rate_nb.checkpoints.loading import tiny_model
    options = dict(initializer_range=.05, attention_dropout=.2, max_position_embeddings=96) | more
    return tiny_model(seed=seed, words=WORDS, **options)


def trainer_of(folder, model, steps=20, longer_from=10**6, callbacks=(), **more):
    from datasets import Dataset
    from rate_nb.checkpoints.loading import tiny_tokenizer
    from trl import RewardConfig, RewardTrainer
    rows = sayings(np.random.default_rng(0), 4*steps, 4*longer_from)
    data = Dataset.from_list([dict(zip(("prompt", "chosen", "rejected"), r)) for r in rows])
    settings = dict(per_device_train_batch_size=4, learning_rate=3e-3, lr_scheduler_type="constant",
                    report_to="none", save_strategy="no", logging_steps=5, disable_tqdm=True, bf16=False,
                    gradient_checkpointing=False, use_cpu=True, max_length=None, seed=0,
                    train_sampling_strategy="sequential", num_train_epochs=1)
    return RewardTrainer(model, args=RewardConfig(str(folder), **settings | more), train_dataset=data,
                         processing_class=tiny_tokenizer(WORDS), callbacks=list(callbacks))


def watched(trainer, audits=None, **options):
    audits = audits or dict(length=length_audit(np.random.default_rng(3)))
    callback = AuditCallback(trainer, audits, **dict(prompts=30, show=False) | options)
    trainer.add_callback(callback)
    return callback


@pytest.mark.slow("trainings")
@pytest.mark.parametrize("more", [dict(), dict(gradient_checkpointing=True),
                                  dict(gradient_accumulation_steps=2)])
def test_weights_are_identical_with_and_without(tmp_path, more):
    "With dropout, and with the optimiser's numbers and the losses"
    import torch
    one = trainer_of(tmp_path/"a", fresh(), **more)
    callback = watched(one, every=3, prompts=0)
    one.train()
    after = torch.get_rng_state()
    other = trainer_of(tmp_path/"b", fresh(), **more)
    other.train()
    assert torch.equal(after, torch.get_rng_state())
    a, b = one.model.state_dict(), other.model.state_dict()
    assert a.keys() == b.keys() and all(torch.equal(a[k], b[k]) for k in a)
    moments = [[v for s in t.optimizer.state_dict()["state"].values() for v in s.values()]
               for t in (one, other)]
    assert all(torch.equal(x, y) for x, y in zip(*moments)) and len(moments[0])
    plain = [{k: v for k, v in h.items() if k not in ("train_runtime", "train_samples_per_second",
              "train_steps_per_second")} for h in one.state.log_history if "audit/length" not in h]
    assert [h.get("loss") for h in plain] == [h.get("loss") for h in other.state.log_history]
    assert [h.get("accuracy") for h in plain] == [h.get("accuracy") for h in other.state.log_history]
    assert callback.watch.steps[0] == 0 and callback.watch.steps[-1] == one.state.max_steps
    assert one.model.training == other.model.training
    for m, n in zip(one.model.modules(), other.model.modules()):
        assert m.training == n.training


@pytest.mark.slow("trainings")
@pytest.mark.parametrize("seed", range(repeats(1, 10)))
def test_a_bias_of_a_real_training_is_seen_when_it_begins(tmp_path, seed):
    "A reward that knows quality is trained on; the longer one is preferred from step 30 on, or never"
    knows = fresh(seed)
    trainer_of(tmp_path, knows, steps=120, learning_rate=1e-2).train()
    state = {k: v.clone() for k, v in knows.state_dict().items()}
    found = {}
    for begins in (30, 10**6):
        trainer = trainer_of(tmp_path, knows, steps=80, longer_from=begins)
        knows.load_state_dict(state)
        callback = watched(trainer, every=5, margin=.5, level=.97)
        trainer.train()
        found[begins] = callback.watch.alarms.get("length")
    print(seed, found)
    assert found[10**6] is None and found[30] and found[30] > 30


@pytest.mark.slow("a training")
def test_reporters_get_the_numbers_and_an_alarm_stops(tmp_path, caplog):
    from transformers import TrainerCallback
    class Reporter(TrainerCallback):
        seen = []
        def on_log(self, args, state, control, logs=None, **kwargs):
            self.seen.append((state.global_step, dict(logs)))
    trainer = trainer_of(tmp_path, fresh(), steps=60, longer_from=0, learning_rate=1e-2,
                         callbacks=[Reporter()])
    callback = watched(trainer, every=4, margin=.5, stop=True)
    with caplog.at_level(logging.WARNING, "rate_nb.watch"):
        trainer.train()
    step = callback.watch.alarms["length"]
    assert 0 < step == trainer.state.global_step < 60
    mine = {s: logs for s, logs in Reporter.seen if "audit/length" in logs}
    assert list(mine) == callback.watch.steps == list(range(0, step + 1, 4))
    row = callback.table[callback.table.step == step].iloc[0]
    assert mine[step]["audit/length_change_low"] == pytest.approx(row.change_low)
    assert mine[step]["audit/length_alarm"] == 1 and mine[0]["audit/length_alarm"] == 0
    assert "Alarm: length left its margin" in caplog.text
    history = [h for h in trainer.state.log_history if "audit/length" in h]
    assert [h["step"] for h in history] == callback.watch.steps and json.dumps(history)


TWO = """
import os, sys, torch
sys.path[:0] = sys.argv[1:3]
import test_watch as t
trainer = t.trainer_of(sys.argv[3] + os.environ["RANK"], t.fresh(), steps=40, longer_from=0,
                       learning_rate=1e-2, ddp_backend="gloo")
callback = t.watched(trainer, every=3, margin=.5, stop=True)
trainer.train()
said = os.environ["RANK"], trainer.state.global_step, trainer.state.max_steps, callback.watch is None
with open(sys.argv[3] + os.environ["RANK"] + ".txt", "w") as f: # what two print may become one line
    print(*said, file=f)
torch.distributed.destroy_process_group() # ends its threads, which may abort a process that ends before them
"""


@pytest.mark.slow("two processes")
def test_several_processes_stop_together(tmp_path):
    "The first one reads the model; what it decides holds in all, so that none waits for another"
    here = Path(__file__).parent
    (tmp_path/"two.py").write_text(TWO)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2",
               str(tmp_path/"two.py"), str(here), str(here.parent), str(tmp_path/"out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    ended = [(tmp_path/f"out{rank}.txt").read_text().split() for rank in (0, 1)]
    assert [e[0] for e in ended] == ["0", "1"] and [e[3] for e in ended] == ["False", "True"]
    assert ended[0][1] == ended[1][1] != ended[0][2]


@pytest.mark.slow("trainings")
def test_a_training_goes_on_and_so_does_its_watch(tmp_path):
    whole = trainer_of(tmp_path/"whole", fresh(), steps=24)
    complete = watched(whole, every=4, folder=tmp_path/"w1")
    whole.train()
    saved = dict(save_strategy="steps", save_steps=8)
    from transformers import TrainerCallback
    class Killed(TrainerCallback):
        def on_step_begin(self, args, state, control, **kwargs):
            if state.global_step == 14:
                raise KeyboardInterrupt
    trainer = trainer_of(tmp_path/"parts", fresh(), steps=24, callbacks=[Killed()], **saved)
    watched(trainer, every=4, folder=tmp_path/"w2")
    with pytest.raises(KeyboardInterrupt):
        trainer.train()
    assert sorted(p.name[5:14] for p in (tmp_path/"w2").glob("look-*"))[-1] == "000000012"
    trainer = trainer_of(tmp_path/"parts", fresh(seed=9), steps=24, **saved)
    resumed = watched(trainer, every=4, folder=tmp_path/"w2")
    trainer.train(resume_from_checkpoint=str(tmp_path/"parts"/"checkpoint-8"))
    assert resumed.watch.steps == [0, 4, 8, 12, 16, 20, 24]
    pd.testing.assert_frame_equal(resumed.table, complete.table)
    kept = pd.read_csv(tmp_path/"w2"/"watch.csv")
    assert len(kept) == 7 and np.allclose(kept.change, complete.table.change)
    trainer = trainer_of(tmp_path/"other", fresh(seed=5), steps=24)
    watched(trainer, every=4, folder=tmp_path/"w2")
    with pytest.raises(InputError, match="keeps the watch of another training"):
        trainer.train()


def test_what_a_callback_refuses(tmp_path):
    trainer = trainer_of(tmp_path, fresh(), steps=2)
    for wrong, what in ((dict(every=-1), "`every`"), (dict(every=2.5), "`every`"), (dict(share=0), "`share`"),
                        (dict(share=2), "`share`"), (dict(prompts=True), "`prompts`")):
        with pytest.raises(InputError, match=what):
            AuditCallback(trainer, "nowhere", **wrong)
    watched(trainer, audits=str(tmp_path/"none"))
    with pytest.raises(InputError, match="holds no examples.parquet"):
        trainer.train()
    trainer = trainer_of(tmp_path, fresh(), steps=2)
    with pytest.raises(InputError, match="`margin` must name the attributes"):
        watched(trainer, margin=dict(tone=.1))
        trainer.train()
    from transformers import TrainerCallback
    assert isinstance(watched(trainer), TrainerCallback) and isinstance(watched(trainer), AuditCallback)
    assert len(watched(trainer).table) == 0


# what is wrong, and what is odd

def pair(n=30, seed=0):
    return length_audit(np.random.default_rng(seed), n)


def size(prompts, texts): return [float(len(t)) + zlib.crc32(t.encode()) % 7/10 for t in texts]


def test_inputs_that_cannot_be_watched():
    good = pair(60)
    for options, what in ((dict(unit="points"), "`unit`"), (dict(margin=-1), "`margin`"),
                          (dict(level=1), "`level`"), (dict(looks=0), "`looks`"),
                          (dict(looks=1.5), "`looks`"), (dict(prompts=3), "`prompts`")):
        with pytest.raises(InputError, match=what):
            Watch(dict(a=good), **options)
    with pytest.raises(InputError, match="`audits` is empty"):
        Watch({})
    with pytest.raises(InputError, match="has 5 prompts with usable rewrites"):
        Watch(dict(a=pair(10)))
    first, made = good
    with pytest.raises(InputError, match="holds no rewrite of a rewrite"):
        Watch(dict(a=(first, made[made.depth == 1])))
    with pytest.raises(InputError, match="all get the same reward"):
        Watch(dict(a=good)).add(0, lambda p, t: [1.]*len(t))
    with pytest.raises(InputError, match="ATE"):
        w = first.assign(w=1)
        Watch(dict(a=(w, made.assign(target_w=made.depth - 1)))).add(0, size)


def test_a_reward_that_breaks_is_a_row_and_no_alarm(caplog):
    watch = Watch(dict(a=pair(60)), looks=4)
    watch.add(0, size)
    with pytest.warns(UserWarning, match="not finite"), caplog.at_level(logging.WARNING, "rate_nb.watch"):
        rows = watch.add(1, lambda p, t: [math.nan]*len(t))
    assert rows.effect.isna().all() and not rows.alarm.any() and "no effect" in caplog.text
    with pytest.warns(UserWarning, match="not finite"): # a few missing: paired on what both have
        rows = watch.add(2, lambda p, t: [math.inf if i % 9 == 0 else v for i, v in enumerate(size(p, t))])
    assert abs(rows.change.iloc[0]) < 1e-9 and not rows.alarm.any()
    watch.add(3, size)
    assert watch.table.change.iloc[-1] == 0 and "No effect left" in watch.headline
    assert watch.plot().to_dict()["title"]["text"].startswith("No effect")


def test_looks_after_the_plan_raise_no_alarm(caplog):
    watch = Watch(dict(a=pair(60)), looks=1, margin=0)
    watch.add(0, size)
    watch.add(5, lambda p, t: [2*v for v in size(p, t)])
    assert watch.alarms == {"a": 5}
    with caplog.at_level(logging.WARNING, "rate_nb.watch"):
        rows = watch.add(9, lambda p, t: [3*v for v in size(p, t)])
    assert np.isinf(rows.change_high).all() and not rows.alarm.any() and "1 look" in caplog.text
    watch.plot().to_dict()


def test_names_prompts_and_units():
    "Prompts that are numbers, attributes with marks, several draws, one unit for both checkpoints"
    first, made = pair(60)
    first = first.assign(prompt_id=first.prompt_id.str[1:].astype(int))
    twice = pd.concat([made, made.assign(draw=1, text=made.text + " good")], ignore_index=True)
    extra = made[made.depth == 1].assign(target_w=lambda d: 1 - d.target_w, text="the same side")
    watches = {u: Watch({"<b>|a/b": (first, pd.concat([twice, extra]))}, unit=u, looks=2) for u in
               ("sd", "reward", "own sd")}
    for w in watches.values():
        w.add(0, size)
        w.add(1, lambda p, t: [3*v for v in size(p, t)])
    of = {u: w.table.iloc[-1] for u, w in watches.items()}
    assert of["own sd"].change == pytest.approx(0, abs=1e-9) and not of["own sd"].alarm # the scale
    assert of["sd"].effect == pytest.approx(3*watches["sd"].table.effect.iloc[0])
    assert of["sd"].alarm and of["reward"].change > of["sd"].change > 0
    watches["sd"].add(2, lambda p, t: [4*v for v in size(p, t)])
    assert "spread 4.0 times as widely" in watches["sd"].headline
    few = Watch({"x": (first, made)}, prompts=12, seed=4)
    few.add(0, size)
    assert few.table.prompts.iloc[0] == 12 == Watch({"x": (first, made)}, prompts=12, seed=4).prompts
    same = [Watch({"x": (f, m)}, prompts=12, seed=4).texts.needed(12, True).size
            for f, m in ((first, made), (first[::-1], made[::-1]))]
    assert same[0] == same[1]


def test_an_audit_that_counts_each_prompt_once_is_watched_so(tmp_path):
    "What the large prompt earns for length falls, and the small ones keep the mean where it was"
    first, made = pair(60)
    large = first.index < 40
    first = first.assign(prompt_id=first.prompt_id.where(~large, "large"))
    heavy = set(first.response[large]) | set(made.text[made.example_id.isin(first.example_id[large])])
    (tmp_path / "run").mkdir()
    first.to_parquet(tmp_path / "run" / "examples.parquet")
    made.to_parquet(tmp_path / "run" / "rewrites.parquet")
    found = {}
    for over in ("prompts of these sizes", "each prompt once"):
        said = dict(audit=dict(attribute=dict(name="length")), intervals=dict(estimand_over=over))
        (tmp_path / "run" / "manifest.json").write_text(json.dumps(said), encoding="utf-8")
        watch = Watch(tmp_path / "run", unit="reward", looks=1)
        watch.add(0, size)
        watch.add(1, lambda p, t: [v*(0 if r in heavy else 1) for v, r in zip(size(p, t), t)])
        found[over] = watch.table.iloc[-1]
        assert ("Each prompt counts once in length" in watch.headline) == (over == "each prompt once")
    usual, once = found.values()
    assert usual.effect < .75*once.effect and usual.change < 3*once.change < 0, found


# checkpoints on disk

def ran(folder, **parameters):
    from rate_nb.batch.notebooks import run_notebooks
    from warm import run_with
    return run_with(run_notebooks()["watch"], folder/"book", parameters | dict(run_dir=str(folder/"out")))


@pytest.mark.slow("a training and three notebooks")
def test_checkpoints_on_disk_give_what_the_callback_saw(tmp_path):
    "Trained by TRL, saved by it, loaded as hub models are; and a second run scores nothing"
    for name, seed in (("length", 3), ("other", 4)):
        (tmp_path/name).mkdir()
        first, made = length_audit(np.random.default_rng(seed))
        first.to_parquet(tmp_path/name/"examples.parquet")
        made.to_parquet(tmp_path/name/"rewrites.parquet")
    audits = f"{tmp_path/'length'}, {tmp_path/'other'}"
    model = fresh()
    model.save_pretrained(tmp_path/"base-0")
    trainer = trainer_of(tmp_path/"out", model, steps=24, longer_from=4, save_strategy="steps", save_steps=8)
    trainer.processing_class.save_pretrained(tmp_path/"base-0")
    callback = watched(trainer, audits, every=8)
    trainer.train()
    places = ",".join([str(tmp_path/"base-0"), *(str(tmp_path/"out"/f"checkpoint-{s}") for s in (8, 16, 24))])
    code, said = ran(tmp_path, checkpoints=places, audits=audits)
    assert code == 0, said[-3000:]
    found = pd.read_csv(tmp_path/"out"/"watch.csv")
    assert set(found.attribute) == {"length", "other"} and list(found.step.unique()) == [0, 8, 16, 24]
    numbers = ["effect", "ci_low", "ci_high", "change", "change_low", "change_high"]
    np.testing.assert_allclose(found[numbers], callback.table[numbers].astype(float), rtol=1e-3, atol=1e-3)
    summary = json.loads((tmp_path/"out"/"summary.json").read_text(encoding="utf-8"))
    assert summary["alarms"] == callback.watch.alarms and summary["said"][0].startswith("Alarm: ")
    assert "Alarm: " in (tmp_path/"out"/"report.html").read_text(encoding="utf-8")
    code, said = ran(tmp_path, checkpoints=str(tmp_path/"out"), audits=audits, prompts=20)
    assert code == 0, said[-3000:] # a folder of checkpoints; the first is step 8
    assert list(pd.read_csv(tmp_path/"out"/"watch.csv").step.unique()) == [8, 16, 24]
    code, said = ran(tmp_path, checkpoints=places)
    assert code and "`audits` must name" in said


def test_no_more_is_spent_than_the_watch_may_spend():
    "One attribute, looks that have nothing in common: what all critical p-values let cross together"
    from rate_nb.studies.watch import FirstCrossings, portion
    for clusters, looks, planned in ((300, 100, True), (300, 200, False)):
        spent, rng = [], np.random.default_rng(3)
        for seed in range(3):
            first = FirstCrossings(clusters, seed)
            p = [first.next(rng.normal(size=(clusters, 1)), portion(.05, k, looks if planned else None))
                 for k in range(1, looks + 1)]
            spent.append(1 - np.prod(1 - np.array(p)))
        assert np.mean(spent) < .053, (clusters, looks, spent) # .058 and more with what each look overspent


def test_a_folder_of_another_training_loses_nothing(tmp_path):
    trainer = trainer_of(tmp_path/"a", fresh(), steps=4)
    watched(trainer, every=2, folder=tmp_path/"kept")
    trainer.train()
    looks = {p.name: p.read_bytes() for p in (tmp_path/"kept").glob("look-*")}
    trainer = trainer_of(tmp_path/"b", fresh(seed=5), steps=4)
    watched(trainer, every=2, folder=tmp_path/"kept")
    with pytest.raises(InputError, match="another training: its checkpoint at step 0"):
        trainer.train()
    assert looks == {p.name: p.read_bytes() for p in (tmp_path/"kept").glob("look-*")} and len(looks) == 3


def test_a_resume_that_looks_more_often_plans_all_its_looks(tmp_path):
    saved = dict(save_strategy="steps", save_steps=4)
    trainer = trainer_of(tmp_path/"a", fresh(), steps=8, **saved)
    watched(trainer, every=4, folder=tmp_path/"kept")
    trainer.train()
    trainer = trainer_of(tmp_path/"a", fresh(seed=9), steps=8, **saved)
    resumed = watched(trainer, every=1, folder=tmp_path/"kept")
    trainer.train(resume_from_checkpoint=str(tmp_path/"a"/"checkpoint-4"))
    assert resumed.watch.steps == [0, 4, 5, 6, 7, 8] and np.isfinite(resumed.table.change_low).all()


def test_kept_looks_that_do_not_fit_are_said(tmp_path):
    audits = dict(a=pair())
    watch = Watch(audits, unit="reward", looks=3, prompts=12, folder=tmp_path)
    for step in range(3):
        watch.add(step, size)
    with pytest.raises(InputError, match="made with another `seed`"):
        Watch(audits, unit="reward", looks=3, prompts=12, folder=tmp_path, seed=1)
    (tmp_path/"look-old.parquet").write_text("not a look")
    assert Watch(audits, unit="reward", looks=3, prompts=12, folder=tmp_path).steps == [0, 1, 2]
    (tmp_path/"look-000000002.parquet").write_text("cut")
    with pytest.raises(InputError, match="cannot be read"):
        Watch(audits, unit="reward", looks=3, prompts=12, folder=tmp_path)
    alone = Watch(audits, unit="reward", looks=3)
    for step in range(3):
        alone.add(step, size)
    alone.forget_after(1)
    assert alone.steps == [0, 1] and len(alone.table) == 2 # without a folder, too


def test_what_could_not_be_computed_is_no_good_news():
    watch = Watch(dict(a=pair()), unit="own sd", looks=2)
    with pytest.raises(InputError, match="no unit"):
        watch.add(0, lambda prompts, texts: [0.]*len(texts)) # a new head
    watch = Watch(dict(a=pair()), unit="own sd", looks=2)
    watch.add(0, size)
    watch.add(1, lambda prompts, texts: [1.]*len(texts))
    said = watch.headline
    assert "could be computed at 1 look" in said and "No effect left its margin" not in said
