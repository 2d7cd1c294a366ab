"What a rising reward was paid for: the parts, their intervals, and what is refused."
from zlib import crc32
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError
from rate_nb.data import Attribute, Predicate
from rate_nb.scoring import CallableReward
from rate_nb.studies import explain_reward
from sampling import WHOLE

# A world of its own: a text is a bag of letters, and what it earns is counted in letters.
PAYS = dict(a=.5, b=-.3, c=.8)


def earned(text, rng):
    return sum(text.count(k)*v for k, v in PAYS.items()) + rng.normal(0, .5)


def bag(rng, a, b, c):
    return "x" + "a"*rng.poisson(a) + "b"*rng.poisson(b) + "c"*rng.poisson(c)


def audit(letter, rng, prompts=40, drags=0., misses=0., draws=1):
    "Rewrites that add or take away a letter; `drags` b's come along with every addition of an a or c"
    examples, rewrites, rewards = [], [], []
    def score(i, draw, depth, target, text):
        rewards.append(dict(example_id=i, draw=draw, depth=depth, target_w=target, model="r",
                            reward=earned(text, rng), status="ok"))
    def rewritten(text, target):
        if rng.random() < misses:
            return text
        core = text.replace(letter, "").rstrip("b") if drags else text.replace(letter, "")
        return core + (letter*2 + "b"*rng.poisson(drags))*target
    for i in range(prompts):
        text, w = bag(rng, 2, 1, 1), int(rng.integers(2))
        examples.append(dict(example_id=i, prompt_id=f"{letter}{i}", prompt=f"say {letter} {i}",
                             response=text, w=w))
        score(i, 0, 0, w, text)
        for draw in range(draws):
            first = rewritten(text, 1 - w)
            second = rewritten(first, w)
            for depth, target, t in ((1, 1 - w, first), (2, w, second)):
                rewrites.append(dict(example_id=i, draw=draw, depth=depth, target_w=target, text=t,
                                     instruction_id="i", status="ok", finish_reason="stop", model="w"))
                score(i, draw, depth, target, t)
    return tuple(map(pd.DataFrame, (examples, rewrites, rewards)))


def policy(rng, means, prompts=40, each=2):
    "{step: (a, b, c)} → what a policy wrote"
    rows = []
    for step, (a, b, c) in means.items():
        for i in range(prompts):
            for _ in range(each):
                text = bag(rng, a, b, c)
                rows.append(dict(step=step, prompt_id=i, prompt=f"p{i}", response=text,
                                 reward=earned(text, rng)))
    return pd.DataFrame(rows)


COUNTS = {k: (lambda text, k=k: text.count(k)) for k in "abc"}
BEFORE, AFTER = (2, 1, 1), (4, 2, 2)
PARTS = dict(gain=.5*2 - .3*1 + .8*1, a=1., b=-.3, c=.8)


def explained(seed, letters="abc", means=None, **more):
    rng = np.random.default_rng(seed)
    table = policy(rng, means or {0: BEFORE, 100: AFTER})
    audits = {k: audit(k, rng, drags=.8*(k != "b")) for k in letters}
    return explain_reward(table, audits, measures={k: COUNTS[k] for k in letters}, **more)


def test_the_parts_add_up_and_attributes_that_move_together_are_counted_once():
    found = explained(1)
    t = found.table
    assert t.part.tolist() == ["gain", "a", "b", "c", "rest"]
    assert abs(t.estimate.iloc[0] - t.estimate.iloc[1:].sum()) < 1e-9
    told = found.effects.set_index("attribute")
    assert ((told.ci_low < pd.Series(PAYS)) & (pd.Series(PAYS) < told.ci_high)).all()
    assert told.alone["a"] < told.effect["a"] - .05 # the b's that come along cost something
    assert found.moves.loc["a", "b"] > .4 > .2 > abs(found.moves.loc["b", "a"])
    assert "rose" in found.headline() and "rest" in found.plot().to_dict()["description"]
    assert found.part("a").estimate == t.estimate.iloc[1]
    with pytest.raises(InputError, match="no part 'd'"):
        found.part("d")


@pytest.mark.slow("200 policies with three audits each")
def test_parts_cover_and_the_rest_shows_what_was_left_out():
    "All attributes audited: 95% intervals hold. One left out: its share is in the rest, which is then not 0"
    seeds = range(400 if WHOLE else 100)
    whole, less = [], []
    for seed in seeds:
        found = explained(seed).table.set_index("part")
        truth = pd.Series(PARTS | dict(rest=0.))
        whole.append((found.ci_low < truth) & (truth < found.ci_high))
        rest = explained(seed, "ab").part("rest")
        less.append((rest.ci_low < .8 < rest.ci_high, rest.ci_low > 0))
    allowed = .95 - 3.1*(.95*.05/len(seeds))**.5
    assert (pd.DataFrame(whole).mean() > allowed).all(), pd.DataFrame(whole).mean()
    covered, large = np.mean(less, axis=0)
    assert covered > allowed and large > .5, (covered, large)


def test_identical_texts_and_an_attribute_that_stands_still():
    rng = np.random.default_rng(0)
    before = policy(rng, {0: BEFORE})
    audits = {k: audit(k, rng) for k in "ab"}
    how = dict(measures=dict(a=COUNTS["a"], b=COUNTS["b"]))
    same = explain_reward({"before": before, "after": before}, audits, **how)
    assert (same.table[["estimate", "std_error", "ci_low", "ci_high"]].abs() < 1e-12).all(axis=None)
    assert same.table.share.isna().all() and "did not change" in same.headline()
    still = policy(rng, {0: (2, 0, 1), 9: (4, 0, 1)})
    part = explain_reward(still, audits, **how).part("b")
    assert part.change == 0 and np.allclose([part.estimate, part.ci_low, part.ci_high], 0, atol=1e-12)


def test_labels_that_are_wrong_alike_cancel():
    "A label that sees an attribute in 70% shrinks the rewrites' move and the policy's change alike"
    rng = np.random.default_rng(3)
    has = lambda text: "a" in text
    seen = lambda text: has(text) and rng.random() < .7
    table = policy(rng, {0: (.2, 1, 1), 1: (3, 1, 1)}, prompts=300, each=1)
    made = audit("a", rng, prompts=300)
    exact, shrunk = (explain_reward(table, dict(a=made), measures=dict(a=Predicate(f, "")))
                     for f in (has, seen))
    assert shrunk.moves.loc["a", "a"] < .8*exact.moves.loc["a", "a"]
    assert abs(shrunk.part("a").estimate - exact.part("a").estimate) < .25*exact.part("a").estimate
    rule = Attribute("a", "x", "y", "make it {W}", label=Predicate(has, "has it an a?"))
    for measure in (rule, rule.label):
        found = explain_reward(table, dict(a=made), measures=dict(a=measure))
        assert found.table.estimate.equals(exact.table.estimate) and found.effects.unit[0] == "share"


def test_rewriting_that_fails_sometimes_and_draws_that_repeat():
    rng = np.random.default_rng(4)
    table = policy(rng, {0: BEFORE, 1: (4, 1, 1)})
    found = explain_reward(table, dict(a=audit("a", rng, prompts=150, misses=.3, draws=2)),
                           measures=dict(a=COUNTS["a"]))
    effect = found.effects.iloc[0]
    assert effect.ci_low < .5 < effect.ci_high and effect.prompts == 150 and found.moves.iloc[0, 0] < 1.9


def test_attributes_that_cannot_be_told_apart_are_named():
    rng = np.random.default_rng(5)
    table, audits = policy(rng, {0: BEFORE, 1: AFTER}), {k: audit(k, rng) for k in "ab"}
    twice = audits | dict(aa=audit("a", rng))
    with pytest.raises(InputError, match=r"'a', 'aa' move together in every audit"):
        explain_reward(table, twice, measures=dict(a=COUNTS["a"], b=COUNTS["b"],
                                                   aa=lambda t: 2*t.count("a")))
    with pytest.raises(InputError, match="the audit of b do not move it"):
        explain_reward(table, dict(a=audits["a"], b=audits["a"]), measures=dict(a=COUNTS["a"], b=COUNTS["b"]))
    with pytest.raises(InputError, match="the audit of z do not move it"): # constant wherever one looks
        explain_reward(table, dict(z=audits["a"]), measures=dict(z=lambda t: 1.))


def test_an_attribute_without_an_audit_is_refused():
    rng = np.random.default_rng(6)
    table, audits = policy(rng, {0: BEFORE, 1: AFTER}), dict(a=audit("a", rng))
    with pytest.raises(InputError, match=r"`measures` names 'c', which no audit covers.*leave it out"):
        explain_reward(table, audits, measures=dict(a=COUNTS["a"], c=COUNTS["c"]))
    with pytest.raises(InputError, match="without an audit"):
        explain_reward(table, {})
    with pytest.raises(InputError, match="`measures` must say how a is measured"):
        explain_reward(table, audits)
    with pytest.raises(InputError, match="cannot be called 'rest'"):
        explain_reward(table, dict(rest=audits["a"]), measures=dict(rest=COUNTS["a"]))
    with pytest.raises(InputError, match="must be the run folder"):
        explain_reward(table, dict(a=3), measures=dict(a=COUNTS["a"]))


def test_different_prompts_are_compared_only_when_asked_for():
    rng = np.random.default_rng(7)
    audits, how = dict(a=audit("a", rng)), dict(measures=dict(a=COUNTS["a"]))
    one, two = policy(rng, {0: BEFORE}), policy(rng, {1: AFTER})
    other = two.assign(prompt_id=two.prompt_id + 1000, prompt="other " + two.prompt)
    with pytest.raises(InputError, match=r"0 prompts in common .*prompts='all'"):
        explain_reward(pd.concat([one, other]), audits, **how)
    apart = explain_reward(pd.concat([one, other]), audits, prompts="all", **how)
    same = explain_reward(pd.concat([one, two]), audits, **how)
    assert apart.part("gain").estimate == pytest.approx(same.part("gain").estimate)
    assert any("different prompts" in n for n in apart.notes) and not same.notes
    half = explain_reward(pd.concat([one, two[two.prompt_id < 25], other]), audits, **how)
    assert any("25 prompts that every time has" in n for n in half.notes)
    assert half.levels.prompts.eq(25).all()
    with pytest.raises(InputError, match="`prompts` must be"):
        explain_reward(pd.concat([one, two]), audits, prompts="some", **how)
    reused = pd.concat([one, two.assign(prompt="other " + two.prompt)])
    with pytest.raises(InputError, match="a `prompt_id` must mean one prompt"):
        explain_reward(reused, audits, **how)
    assert explain_reward(reused.drop(columns="prompt_id"), audits, prompts="all", **how).notes
    chat = lambda t: t.assign(prompt=[[dict(role="user", content=p)] for p in t.prompt])
    found = explain_reward(chat(pd.concat([one, two])).drop(columns="prompt_id"), audits, **how)
    assert found.table.estimate.equals(same.table.estimate)


def test_missing_rewards_are_left_out_and_counted():
    rng = np.random.default_rng(8)
    audits, how = dict(a=audit("a", rng)), dict(measures=dict(a=COUNTS["a"]))
    table = policy(rng, {0: BEFORE, 1: AFTER})
    holes = table.assign(reward=table.reward.where(np.arange(len(table)) % 7 > 0))
    found = explain_reward(holes, audits, **how)
    lost = holes.reward.isna().groupby(holes.step).sum()
    assert f"{lost[0]} of 80 at 0, {lost[1]} of 80 at 1" in found.notes[0]
    texts = table.assign(response=table.response.where(np.arange(len(table)) % 5 > 0, None))
    assert "Left out" in explain_reward(texts, audits, **how).notes[0]
    with pytest.raises(InputError, match="no text at 1 has a reward"):
        explain_reward(table.assign(reward=table.reward.where(table.step == 0)), audits, **how)
    with pytest.raises(InputError, match="lacks the columns reward"):
        explain_reward(table.drop(columns="reward"), audits, **how)
    examples, rewrites, rewards = audits["a"]
    gone = rewards.assign(reward=rewards.reward.where(rewards.example_id != 3))
    less = explain_reward(table, dict(a=(examples, rewrites, gone)), **how)
    assert "1 pair of rewrites left out" in less.notes[0]
    with pytest.raises(InputError, match="no pair of rewrites"):
        explain_reward(table, dict(a=(examples, rewrites, rewards.assign(reward=np.nan))), **how)


@pytest.mark.parametrize("names, order", [
    (("9", "10", "100"), None), (("step-9", "step-10", "step-100"), None), ((9., 10., 100.), None),
    (("start", "middle", "end"), ["start", "middle", "end"])])
def test_steps_are_put_in_order_or_asked_for(names, order):
    rng = np.random.default_rng(9)
    table = policy(rng, dict(zip(names, (BEFORE, (3, 1, 1), AFTER)))).sample(frac=1, random_state=0)
    found = explain_reward(table, dict(a=audit("a", rng)), measures=dict(a=COUNTS["a"]), order=order)
    assert found.table.time.unique().tolist() == list(names[1:]) and set(found.table.since) == {names[0]}


def test_steps_without_an_order_too_many_or_only_one():
    rng = np.random.default_rng(10)
    audits, how = dict(a=audit("a", rng)), dict(measures=dict(a=COUNTS["a"]))
    table = policy(rng, {"before": BEFORE, "after": AFTER})
    with pytest.raises(InputError, match="the order of the steps 'before', 'after' is not known"):
        explain_reward(table, audits, **how)
    for mixed in (("base", "step-5"), ("a-1", "b-1")):
        with pytest.raises(InputError, match="is not known"):
            explain_reward(policy(rng, dict(zip(mixed, (BEFORE, AFTER)))), audits, **how)
    with pytest.raises(InputError, match="`order` names 'befor'"):
        explain_reward(table, audits, order=["befor", "after"], **how)
    with pytest.raises(InputError, match="two times or more"):
        explain_reward(table[table.step == "after"], audits, **how)
    with pytest.raises(InputError, match="missing in 1 row"):
        explain_reward(table.assign(step=table.step.where(table.index > 0)), audits, **how)
    many = policy(rng, {s: (2 + s/20, 1, 1) for s in range(40)}, prompts=5)
    with pytest.raises(InputError, match="40 steps.*spans=5"):
        explain_reward(many, audits, **how)
    spans = explain_reward(many, audits, spans=4, **how)
    assert spans.table.time.unique().tolist() == ["10 to 19", "20 to 29", "30 to 39"]
    assert (np.diff(spans.table[spans.table.part == "a"].change) > 0).all()
    with pytest.raises(InputError, match="`spans` must be a whole number from 2"):
        explain_reward(many, audits, spans=1, **how)


def test_several_rewards_in_an_audit_and_a_reward_that_scores_again():
    rng = np.random.default_rng(11)
    examples, rewrites, rewards = audit("a", rng)
    table = policy(rng, {0: BEFORE, 1: AFTER})
    both = pd.concat([rewards, rewards.assign(model="other", reward=rewards.reward*2)], ignore_index=True)
    how = dict(measures=dict(a=COUNTS["a"]))
    with pytest.raises(InputError, match="`model` must be the reward that trained the policy"):
        explain_reward(table, dict(a=(examples, rewrites, both)), **how)
    one, two = (explain_reward(table, dict(a=(examples, rewrites, both)), model=m, **how)
                for m in ("r", "other"))
    assert two.effects.effect[0] == pytest.approx(2*one.effects.effect[0])
    assert explain_reward(table, dict(a=(examples, rewrites, both)), model=dict(a="other"),
                          **how).table.equals(two.table)
    flat = CallableReward("flat", lambda prompts, texts: [3.*t.count("a") for t in texts], key="3")
    again = explain_reward(table.drop(columns="reward"), dict(a=(examples, rewrites, rewards)), reward=flat,
                           **how)
    assert again.effects.effect[0] == pytest.approx(3) and abs(again.part("rest").estimate) < 1e-9


def test_a_column_of_generations_needs_the_same_of_rewrites():
    rng = np.random.default_rng(12)
    examples, rewrites, rewards = audit("a", rng)
    table = policy(rng, {0: BEFORE, 1: AFTER})
    table["n_a"] = table.response.str.count("a")
    with pytest.raises(InputError, match="the generations have the column n_a, the rewrites"):
        explain_reward(table, dict(a=(examples, rewrites, rewards)), measures=dict(a="n_a"))
    told = rewrites.assign(n_a=rewrites.text.str.count("a"))
    by_column = explain_reward(table, dict(a=(examples, told, rewards)), measures=dict(a="n_a"))
    by_count = explain_reward(table, dict(a=(examples, rewrites, rewards)), measures=dict(a=COUNTS["a"]))
    assert np.allclose(by_column.table.estimate, by_count.table.estimate)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    "Run folders of two real audits, and a policy's texts"
    from rate_nb.audit import Audit
    home, rng = tmp_path_factory.mktemp("audits"), np.random.default_rng(13)
    pays = lambda prompts, texts: [.01*len(t) + 1.*("!" in t) + (crc32((p + t).encode()) % 100)/100
                                   for p, t in zip(prompts, texts)]
    reward = CallableReward("pays", pays, key="1")
    def write(n, long, loud):
        return [("Word " * (3 + rng.poisson(long))).strip() + ("!" if rng.random() < loud else ".")
                for _ in range(n)]
    examples = pd.DataFrame(dict(prompt_id=range(60), prompt=[f"q{i}" for i in range(60)],
                                 response=write(60, 6, .5)))
    length = lambda prompt, text, target: "Word "*(14 if target else 4) + text[-1]
    loud = lambda prompt, text, target: text[:-1] + (" and so on!" if target else ".")
    shout = Attribute("loud", "loud", "calm", "make it {W}", label=Predicate(lambda t: "!" in t, "a !?"))
    for attribute, rewriter in (("length", length), (shout, loud)):
        name = getattr(attribute, "name", attribute)
        audit = Audit(examples, attribute, rewriter, reward, home/name)
        audit.rewrite()
        audit.score()
        audit.close()
    rows = pd.concat([pd.DataFrame(dict(step=f"step-{s}", prompt=[f"p{i}" for i in range(50)],
                                        response=write(50, 6 + s/10, .3 + s/400))) for s in (0, 90, 180)])
    rows["reward"] = pays(rows.prompt, rows.response)
    rows.to_csv(home/"generations.csv", index=False)
    for step, part in rows.groupby("step"):
        part.drop(columns="step").to_json(home/f"{step}.jsonl", orient="records", lines=True)
    return home, rows


def test_run_folders_say_what_was_audited(folders):
    home, rows = folders
    with pytest.raises(InputError, match="`measures` must say how loud is measured"): # a rule of Python
        explain_reward(rows, [home/"length", home/"loud"])
    how = dict(loud=dict(regex="!"))
    found = explain_reward(rows, [home/"length", str(home/"loud")], measures=how)
    effects = found.effects.set_index("attribute")
    assert effects.unit.tolist() == ["characters", "share"]
    assert np.allclose(effects.effect, [.01, 1], rtol=.35)
    assert effects.alone["loud"] > effects.effect["loud"] + .02 # " and so on" is longer, too
    assert found.part("length").share > .5
    assert found.part("rest").ci_low < 0 < found.part("rest").ci_high
    assert all("no diagnosis yet" in n for n in found.notes)
    with pytest.raises(InputError, match="`audits` must be of different attributes"):
        explain_reward(rows, [home/"length", home/"length"])
    with pytest.raises(InputError, match="lacks 'examples.parquet'"):
        explain_reward(rows, dict(length=home))


@pytest.mark.slow("four notebooks")
def test_the_command_explains(folders, tmp_path):
    import json
    from rate_nb.batch.notebooks import run_notebooks
    from warm import run_with
    home, rows = folders
    how = dict(audits=f"{home/'length'},{home/'loud'}", measures=dict(loud=dict(regex="!")))
    def run(name, **more):
        code, said = run_with(run_notebooks()["explain"], tmp_path/"books"/name,
                              dict(run_dir=str(tmp_path/name)) | more)
        path = tmp_path/name/"summary.json"
        return code, said, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    code, _, one = run("one", generations=str(home/"generations.csv"), **how)
    exact = explain_reward(rows, [home/"length", home/"loud"], measures=how["measures"])
    assert not code and [r["estimate"] for r in one["table"]] == pytest.approx(exact.table.estimate.tolist())
    assert one["said"][0] == exact.headline() and (tmp_path/"one"/"report.html").exists()
    several = ",".join(str(home/f"step-{s}.jsonl") for s in (0, 90, 180))
    code, _, two = run("two", generations=several, **how | dict(
        audits=f"length={home/'length'},shouting={home/'loud'}", measures=dict(shouting=dict(regex="!"))))
    assert not code and two["audits"] == ["length", "shouting"]
    assert [r["estimate"] for r in two["table"]] == pytest.approx(exact.table.estimate.tolist())
    code, said, _ = run("none", generations=str(home/"generations.csv"))
    assert code and "without an audit" in said
    code, _, demo = run("demo")
    assert not code and demo["audits"] == ["length", "list"]


# hostile cases

def test_rows_as_others_keep_them():
    "Prompts and responses as messages, also as Parquet has them; ids that are missing; rules that decline"
    rng = np.random.default_rng(14)
    audits, how = dict(a=audit("a", rng)), dict(measures=dict(a=COUNTS["a"]))
    table = policy(rng, {0: BEFORE, 1: AFTER})
    plain = explain_reward(table, audits, **how).table
    ask = lambda p: np.array([dict(role="user", content=p)], dtype=object)
    turns = table.assign(prompt=list(map(ask, table.prompt)),
                         response=[[dict(role="assistant", content=r)] for r in table.response])
    for rows in (turns, turns.drop(columns="prompt_id"), turns.rename(columns=dict(response="completion"))):
        assert explain_reward(rows, audits, **how).table.estimate.equals(plain.estimate)
    empty = turns.assign(response=[[dict(role="user", content="no answer")] if i == 0 else r
                                   for i, r in enumerate(turns.response)])
    assert "1 of 80 at 0" in explain_reward(empty, audits, **how).notes[0]
    with pytest.raises(InputError, match=r"`prompt_id` must name the prompt of each text; .*1 row \(row 3\)"):
        explain_reward(table.assign(prompt_id=table.prompt_id.where(table.index != 2)), audits, **how)
    declines = Predicate(lambda t: None if "ccc" in t else "a" in t, "has an a")
    assert any("Left out" in n for n in explain_reward(table, audits, measures=dict(a=declines)).notes)
    shuffled = table.sample(frac=1, random_state=1)
    assert np.allclose(explain_reward(shuffled, audits, **how).table.estimate, plain.estimate)
    with pytest.raises(InputError, match="reward"):
        explain_reward(table.assign(reward=np.where(table.index == 3, np.inf, table.reward)), audits, **how)
    with pytest.raises(InputError, match="reward"):
        explain_reward(table.assign(reward="high"), audits, **how)
    for level in (0, 1, 95):
        with pytest.raises(InputError, match="level"):
            explain_reward(table, audits, level=level, **how)
    named = explain_reward(policy(rng, {f"run-{s}": (2 + s, 1, 1) for s in range(6)}), audits, spans=3, **how)
    assert named.table.time.unique().tolist() == ["run-2 to run-3", "run-4 to run-5"]
    before = table.copy()
    explain_reward(table, audits, **how)
    assert table.equals(before)


def test_names_are_inert_and_a_fall_is_called_one():
    rng = np.random.default_rng(15)
    evil = "<script>alert(1)</script>"
    found = explain_reward(policy(rng, {0: AFTER, 1: (1, 1, 1)}), {evil: audit("a", rng)},
                           measures={evil: COUNTS["a"]})
    assert "<script" not in found._repr_markdown_() and "fell" in found.headline()
    assert found.part(evil).estimate < 0 < found.part(evil).share


def test_prompts_that_audit_and_policy_share_are_one_cluster():
    "The same draws of prompts in two audits and in the policy: errors are not taken for independent"
    rng, shared, apart = np.random.default_rng(16), [], []
    hits = []
    for _ in range(60):
        luck = rng.normal(0, 2, 30) # of each prompt: whatever a's are worth there
        def worth(i, text): return (1 + luck[i])*text.count("a") + rng.normal(0, .1)
        rows, made = [], []
        for i in range(30):
            rows += [dict(step=s, prompt_id=f"a{i}", prompt=f"say a {i}", response="x" + "a"*n,
                          reward=worth(i, "a"*n)) for s, n in ((0, 1), (1, 3))]
            made.append([dict(example_id=i, draw=0, depth=d, target_w=w, status="ok", model="r",
                              text="x" + "a"*2*w*(d > 0), reward=worth(i, "a"*2*w))
                         for d, w in ((0, 1), (1, 0), (2, 1))])
        cells = pd.DataFrame([c for part in made for c in part])
        examples = pd.DataFrame(dict(example_id=range(30), prompt_id=[f"a{i}" for i in range(30)], w=1,
                                     prompt=[f"say a {i}" for i in range(30)], response="x"))
        rewrites = cells[cells.depth > 0].drop(columns="reward")
        rewrites = rewrites.assign(instruction_id="i", finish_reason="stop")
        tables = examples, rewrites, cells.drop(columns="text")
        how = dict(measures=dict(a=COUNTS["a"]))
        one = explain_reward(pd.DataFrame(rows), dict(a=tables), **how)
        other = explain_reward(pd.DataFrame(rows).drop(columns="prompt_id"), dict(a=tables), **how)
        shared.append(one.part("rest").std_error)
        apart.append(other.part("rest").std_error)
        hits.append(one.part("rest").ci_low < 0 < one.part("rest").ci_high)
    assert np.mean(shared) < .3*np.mean(apart) and np.mean(hits) > .85


def test_audits_of_different_rewards_are_not_mixed():
    rng = np.random.default_rng(5)
    table = policy(rng, {0: BEFORE, 1: AFTER})
    examples, rewrites, rewards = audit("b", rng)
    other = rewards.assign(model="another", reward=10*rewards.reward)
    mixed = dict(a=audit("a", rng), b=(examples, rewrites, other))
    how = dict(measures={k: COUNTS[k] for k in "ab"})
    with pytest.raises(InputError, match="are of different rewards: a: r, b: another"):
        explain_reward(table, mixed, **how)
    assert len(explain_reward(table, mixed, model=dict(a="r", b="another"), **how).table) == 4


def test_days_are_put_in_order():
    import datetime
    rng = np.random.default_rng(6)
    table = policy(rng, {0: BEFORE, 1: AFTER})
    day = {0: datetime.date(2026, 1, 31), 1: datetime.date(2026, 2, 1)}
    audits, how = dict(a=audit("a", rng)), dict(measures=dict(a=COUNTS["a"]))
    found = explain_reward(table.assign(step=table.step.map(day)), audits, **how)
    assert found.part("gain").since == day[0] and found.part("gain").estimate > 0
    signed = explain_reward(table.assign(step=table.step.map({0: "-10", 1: "-5"})), audits, **how)
    assert signed.part("gain").since == "-10"
    named = explain_reward(table, audits, order=np.array([0, 1]), **how)
    assert named.part("gain").estimate == found.part("gain").estimate
