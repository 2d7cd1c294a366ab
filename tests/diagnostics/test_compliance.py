("Compliance and the complier average causal effect: exact functionals, size and power, labels and their "
 "errors")
from dataclasses import replace
from fractions import Fraction as F
import numpy as np, pandas as pd, pytest
from calm import PLANTED_SENTIMENT
from sampling import possible, repeats
from rate_nb.data.attributes import Attribute, ATTRIBUTES, get_attribute, Threshold
from rate_nb.diagnostics.compliance_rates import (
    compliance, FIRST_STAGES, label_rewrites, second_labels, wald_effects)
from rate_nb.base.core import InputError, SchemaError
from rate_nb.base.display import interval_words
from rate_nb.diagnostics.verdicts import times_to_pass
from rate_nb.stats.inference import t_quantile
from rate_nb.theory.finite import FiniteWorld
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.labellers import LabelRule
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import side, TextWorld

ESTIMANDS = ("ATT", "ATU", "ATE")


# Exact

def test_first_stages_are_the_derived_chances():
    for s in range(15):
        miss = {0: F(s % 6, 7), 1: F(1 + s % 4, 5)}
        world = FiniteWorld.random(s, misses=miss, keeps=F(s % 3, 4))
        for e, first, second in (("ATT", miss[0], miss[1]), ("ATU", miss[1], miss[0])):
            both = (1 - first)*(1 - second)
            assert (world.functional(FIRST_STAGES["rate"], e, of="w") == both
                    and world.functional(FIRST_STAGES["same_depth"], e, of="w") == 1 - first)
            assert world.functional(FIRST_STAGES["rate3"], e, of="w") == both + first*second*(1 - first)/2
        assert world.functional(FIRST_STAGES["rate"], "ATE", of="w") == (1 - miss[0])*(1 - miss[1])


@pytest.mark.parametrize("name", FIRST_STAGES)
def test_the_ratio_is_the_complier_average_causal_effect(name):
    other = 0
    for s in range(12):
        miss = {0: lambda x, z: F(1 + x + z, 5), 1: lambda x, z: F(2*z, 7 + x)}
        world = FiniteWorld.random(s, misses=miss)
        for arm, e in enumerate(("ATU", "ATT")):
            def chance(x, w, z, k):
                first, second = miss[1 - w](x, z), miss[w](x, z)
                return {"rate": (1 - first)*(1 - second), "same_depth": 1 - first,
                        "rate3": (1 - first)*(1 - second) + first*second*(1 - first)/2}[name]
            here = lambda x, w, z, k: w == arm
            weighted = world._mean(lambda *u: chance(*u)*world.effect(*u), here)/world._mean(chance, here)
            ratio = world.functional(FIRST_STAGES[name], e)/world.functional(FIRST_STAGES[name], e, of="w")
            assert ratio == weighted
            other += ratio != world.estimand(e)
        flat = FiniteWorld.random(s, misses={0: F(1, 5), 1: F(1, 5)})
        assert flat.functional(FIRST_STAGES["rate"], "ATE")/flat.functional(FIRST_STAGES["rate"], "ATE",
            of="w") == flat.estimand("ATE")
        assert flat.expected("rate", "ATE") == F(16, 25)*flat.estimand("ATE")
    assert other > 15


# Words

@pytest.fixture(scope="module")
def texts():
    world = TextWorld(misses=.2)
    examples = world.examples(1000, np.random.default_rng(7))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    return world, examples, rewrites, to_scored(examples, rewrites,
                                                score_rewrites(examples, rewrites, world.reward,
                                                    progress=False))

def truth(world, examples):
    effect = (2*examples.w - 1)*(world.reward(examples.prompt, examples.response)
                                 - world.reward(examples.prompt, world.counterfactual(examples).response))
    return dict(ATT=effect[examples.w == 1].mean(), ATU=effect[examples.w == 0].mean(), ATE=effect.mean())


def test_one_audit_of_texts_whose_flips_fail(texts):
    world, examples, rewrites, scored = texts
    c = compliance(examples, rewrites, PLANTED_SENTIMENT)
    first_stage, wald, true = c.first_stage.set_index("estimand"), wald_effects(scored,
        c).table.set_index("estimand"), truth(world, examples)
    for e in ESTIMANDS:
        assert (first_stage.ci_low[e] < .64 < first_stage.ci_high[e]
                and abs(wald.effect[e]/true[e] - .64) < .08)
        assert (wald.ci_low[e] < true[e] < wald.ci_high[e]
                and wald.fieller_low[e] < true[e] < wald.fieller_high[e])
    found = wald_effects(scored, c).finding()
    assert found.verdict == "failed" and "instruction" in found.advice and found.blind_to
    # 36% of the effect is missing, which a margin of the whole effect would allow
    assert wald_effects(scored, c, margin=5.).finding().verdict == "passed"
    first = c.table[c.table.rewrite == "rewrite"]
    assert ((first.ci_low < .8).all()
            and (first.ci_high > .8).all()
            and (np.sign(first.moved) == 2*first.target_w - 1).all())
    page = c._repr_markdown_() + wald_effects(scored, c)._repr_markdown_()
    assert "complies" in page and "| rate |" in page and "nan" not in page


def test_the_opposite_of_the_instruction_is_answered_by_an_exchange(texts):
    _, examples, rewrites, scored = texts
    by_rule = label_rewrites(examples, rewrites, PLANTED_SENTIMENT).label
    for label, exchanged in ((by_rule, False), (1 - by_rule, True)):
        c = compliance(examples, rewrites.assign(label=label), "formality")
        found = wald_effects(scored, c).finding()
        assert found.verdict == "failed"
        assert ("`treated` and `untreated` may be exchanged" in found.advice) == exchanged


def test_all_witnesses_agree_on_clear_texts(texts):
    _, examples, rewrites, _ = texts
    examples = examples.head(150)
    rewrites = rewrites[rewrites.example_id.isin(examples.example_id)]
    reader = lambda responses, prompts: [side(t, "sentiment") for t in responses]
    by_rule = label_rewrites(examples, rewrites, PLANTED_SENTIMENT).label
    assert (by_rule == label_rewrites(examples, rewrites, PLANTED_SENTIMENT, by=reader).label).all()
    assert (by_rule == label_rewrites(examples, rewrites, replace(PLANTED_SENTIMENT, label=reader),
                                      by="label").label).all()
    assert (by_rule == label_rewrites(examples, rewrites.assign(judged=by_rule), PLANTED_SENTIMENT,
                                      by="judged").label).all()
    shuffled = rewrites.sample(frac=1, random_state=1)
    assert (label_rewrites(examples, shuffled, PLANTED_SENTIMENT).label.sort_index() == by_rule).all()
    # a column of labels needs no rule
    assert compliance(examples, rewrites.assign(label=by_rule), "formality").by == "label"


def test_rates_of_the_labeller_are_taken_out(texts):
    _, examples, rewrites, scored = texts
    examples = examples.head(500)
    rewrites, scored = (t[t.example_id.isin(examples.example_id)] for t in (rewrites, scored))
    rng, sens, spec = np.random.default_rng(1), .9, .8
    clear = label_rewrites(examples, rewrites, "sentiment").label
    rewrites = rewrites.assign(clear=clear)
    judged = rewrites.assign(judged=np.where(rng.random(len(clear)) < np.where(clear == 1, 1 - sens,
        1 - spec), 1 - clear, clear))
    ask = lambda **k: compliance(examples, judged, "sentiment", by="judged", **k)
    raw, known, checked = ask(), ask(sensitivity=sens, specificity=spec), ask(sensitivity=(90, 100),
        specificity=(80, 100))
    exact = compliance(examples, rewrites, "sentiment", by="clear")
    assert (np.allclose(known.first_stage.compliance, raw.first_stage.compliance/.7)
            and np.allclose(checked.first_stage.compliance, known.first_stage.compliance)
            and (checked.first_stage.std_error > known.first_stage.std_error).all())
    assert (abs(known.first_stage.compliance - exact.first_stage.compliance)
            < 4*known.first_stage.std_error).all() and (raw.first_stage.ci_high
                                                        < exact.first_stage.compliance).all()
    assert (abs(known.table.share - exact.table.share)
            < .12).all() and (abs(raw.table.share - exact.table.share) > .02).any()
    # target 1: (P(label 1) - (1 - spec))/k
    mixed = known.table.set_index(["rewrite", "w"]).share["rewrite", 0]
    assert np.isclose(mixed, (judged.judged[(rewrites.depth == 1) & (rewrites.target_w == 1)].mean() - .2)/.7)
    naive, right, wide = (wald_effects(scored, c).table.set_index("estimand").loc["ATE"]
                          for c in (raw, known, checked))
    assert np.isclose(naive.estimate*.7,
                      right.estimate) and wide.ci_high - wide.ci_low > right.ci_high - right.ci_low
    with pytest.raises(InputError, match="compares two"):
        compliance(examples, rewrites, "sentiment", sensitivity=.9)
    with pytest.raises(InputError, match="no better than a coin"):
        ask(sensitivity=.4, specificity=.5)


# Small cases by hand

ASKED = Attribute("shout", "in capitals", "in lower case", "Write it {W}.", label=lambda responses,
                  prompts: [float(t.isupper()) for t in responses],
                  complies=lambda before, after, target: after.isupper() if target else after.islower(),
                  moved=lambda before, after: float(after.isupper()) - before.isupper())

def two(): return pd.DataFrame(dict(example_id=["a", "b"], prompt_id=["p", "q"], prompt="Say it.",
                                    response=["LOUD", "soft"], w=[1, 0]))

def written(texts, statuses=None): # texts: {(example, depth): text}
    w = dict(a=1, b=0)
    return pd.DataFrame([dict(example_id=e, draw=0, depth=d, target_w=1 - w[e] if d % 2 else w[e],
                              instruction_id="i", text=t, status=(statuses or {}).get((e, d), "ok"))
                         for (e, d), t in texts.items()])


def test_a_comparison_remembers_where_a_text_stood():
    rewrites = written({("a", 1): "LOUD", ("a", 2): "LOUD", ("b", 1): "SOFT", ("b", 2): "Soft"})
    labelled = label_rewrites(two(), rewrites, ASKED, by="complies")
    # a never left; b left and did not come back
    assert labelled.label.tolist() == [1, 1, 1, 1] and labelled.moved.tolist() == [0, 0, 1, -1]
    c = compliance(two(), rewrites, ASKED, by="complies")
    assert c.first_stage.set_index("estimand").compliance.to_dict() == {"ATT": 0, "ATU": 0, "ATE": 0}
    assert (c.table.set_index(["rewrite", "w"]).share
            == pd.Series({("rewrite", 1): 0., ("rewrite", 0): 1., ("rewrite_of_rewrite", 1): 1.,
                          ("rewrite_of_rewrite", 0): 0.})).all()


def test_refused_rewrites_have_no_label_and_are_counted():
    rewrites = written({("a", 1): "loud", ("a", 2): "LOUD", ("b", 1): "I cannot", ("b", 2): None},
                       {("b", 1): "refused", ("b", 2): "refused"})
    c = compliance(two(), rewrites, ASKED)
    row = c.table.set_index(["rewrite", "w"]).loc[("rewrite", 0)]
    assert (row.n == 0
            and row.n_missing == 1
            and np.isnan(row.share)
            and list(c.first_stage.estimand) == ["ATT"]
            and "–" in c._repr_markdown_())


def test_a_median_stays_where_the_originals_put_it():
    rewrites = written({("a", 1): "lo", ("a", 2): "loud and clear", ("b", 1): "softer and longer",
                        ("b", 2): "stays a long text"})
    length = replace(ATTRIBUTES["length"], label=Threshold("characters"))
    examples = two().assign(response=["long one", "few"])
    assert label_rewrites(examples, rewrites, length, by="label").label.tolist() == [0, 1, 1, 1]
    # alone, its own median would be no measure
    assert label_rewrites(examples, rewrites.head(1), length, by="label").label.tolist() == [0]


def test_what_cannot_be_asked_says_so():
    rewrites = written({("a", 1): "loud", ("a", 2): "LOUD", ("b", 1): "SOFT", ("b", 2): "soft"})
    one = TextWorld().simulate(40, np.random.default_rng(2))
    for wrong, says in ((lambda: compliance(two(), rewrites, "formality"), "nothing tells"),
                        (lambda: compliance(two(), rewrites, ASKED, by="nobody"), "nothing tells"),
                        (lambda: label_rewrites(two(), rewrites.assign(v=2), ASKED, by="v"), "must be 0, 1 "
                                                                                             "or missing"),
                        (lambda: label_rewrites(two().head(1), rewrites, ASKED), "holds examples"),
                        (lambda: wald_effects(one, one, estimators="single"), "only comparisons of rewrites"),
                        (lambda: wald_effects(one, one.drop(columns="label_depth_3"), estimators="rate3"),
                         "needs the labels"),
                        (lambda: compliance(two(), rewrites.assign(text=None, status="failed"), ASKED),
                         "no rewrite of a rewrite has a label"),
                        (lambda: wald_effects(one, one).finding(estimator="rate3"), "no row of 'rate3'")):
        with pytest.raises(InputError, match=says):
            wrong()


def test_labels_of_a_plain_table_are_checked():
    one = TextWorld().simulate(40, np.random.default_rng(2))
    labels = one[["example_id", "draw", "label_rewrite", "label_rewrite_of_rewrite"]]
    for wrong, says in ((labels.assign(label_rewrite=100*labels.label_rewrite), "must be 0 or 1; .* 100"),
                        (labels.assign(label_rewrite="yes"), "must be 0 or 1; 40 rows hold 'yes'"),
                        (labels.drop(columns="draw"), "1 column missing: draw"),
                        (pd.concat([labels, labels[:1]]), "must name one row; 2 rows share theirs"),
                        (None, "expected a pandas DataFrame")):
        with pytest.raises(SchemaError, match=says):
            wald_effects(one, wrong)
    assert wald_effects(one, labels.assign(label_by="people")).table.equals(wald_effects(one, labels).table)


def test_a_constant_reward_hides_no_failures():
    one = TextWorld(misses=.2).simulate(400, np.random.default_rng(4))
    same = one.assign(**{c: .1 for c in one if c.startswith("reward_")})
    assert "all succeeded" not in wald_effects(same, one).finding().finding


def test_a_few_texts_that_all_flipped_prove_little():
    "No spread is no certainty: as many failures as may have stayed unseen are allowed for"
    world = TextWorld()
    examples = world.examples(300, np.random.default_rng(3))
    examples["prompt_id"] = examples.example_id
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))
    arms = {w: examples.example_id[examples.w == w] for w in (0, 1)}
    # a labeller that calls every flip a success
    sure = replace(ATTRIBUTES["sentiment"], complies=lambda before, after, target: True)
    def asked(n, rule=sure):
        some = [*arms[0][:n], *arms[1][:n]]
        of = lambda table: table[table.example_id.isin(some)]
        return wald_effects(of(scored), compliance(of(examples), of(rewrites), rule))
    few, many = asked(6), asked(140)
    assert (few.table.compliance == 1).all() and (few.table.shortfall == 0).all()
    assert [asked_.finding().verdict for asked_ in (few, many)] == ["inconclusive", "passed"]
    slack = few.table.set_index("estimand").loc["ATT"]
    assert slack.shortfall_slack == pytest.approx(abs(slack.effect)*(1/.025**(1/6) - 1))
    three = compliance(examples[examples.example_id.isin([*arms[0][:3], *arms[1][:3]])],
                       rewrites[rewrites.example_id.isin([*arms[0][:3], *arms[1][:3]])], sure)
    d = three.first_stage.set_index("estimand")
    assert (np.isclose(d.ci_low["ATT"], .025**(1/3))
            and d.ci_high["ATT"] == 1
            and np.isclose(d.ci_low["ATE"], .025**(1/6)))
    never = replace(ATTRIBUTES["sentiment"], complies=lambda before, after, target: False)
    assert asked(140, never).finding().verdict == "failed" and asked(6, never).finding().verdict != "passed"
    # failures that are too rare to be seen among six are seen among more, and the finding says so
    assert 1 < times_to_pass(few.finding().parts) <= 140/6 and "may hide failures" in few.finding().finding
    assert "may hide" not in many.finding().finding
    low = asked(12, never).finding()
    assert all(p.lacks for p in low.parts) and "too low" in low.needs
    alone = asked(1) # one prompt in each arm: too few, not too low
    assert not any(p.lacks or p.known for p in alone.finding().parts)
    assert "as far as so few responses tell" in alone.finding().finding


def test_the_interval_of_a_shortfall_has_the_level_of_the_result():
    one = TextWorld(misses=.1).simulate(60, np.random.default_rng(5))
    low, high = (wald_effects(one, one, level=v) for v in (.5, .99))
    assert (low.table.status == "ok").all()
    for found in (low, high):
        r = found.table.set_index("estimand").loc["ATT"]
        end = r.shortfall + t_quantile(found.level, r.df)*r.shortfall_std_error
        assert interval_words(r.shortfall, 2*r.shortfall - end, end) in found.finding().finding


@pytest.mark.slow(reason="240 audits; the whole study has 1,200")
def test_coverage_of_wald_effects_and_their_warning():
    "Symmetric noise: at least .925. Lognormal noise: less, and four audits of five warn of it"
    rng, found, audits = np.random.default_rng(43), {}, repeats(120, 600)
    noise = {"normal": lambda k: rng.normal(size=k),
             "lognormal": lambda k: (rng.lognormal(size=k) - 1.6487)/2.1612}
    for tail, draw in noise.items():
        held, by_fieller, warned = [], [], []
        for _ in range(audits):
            prompt = np.repeat(np.arange(20), 6)
            n, w = len(prompt), np.arange(120) % 2
            flips = rng.random(n) < .75
            gain = (2*w - 1)*(.8*flips + .8*draw(n) + .6*draw(20)[prompt])
            table = pd.DataFrame(dict(example_id=np.arange(n), prompt_id=prompt, draw=0, model="m", w=w,
                                      reward_original=draw(n), reward_rewrite=0.,
                                      reward_rewrite_of_rewrite=gain))
            labels = table[["example_id", "draw"]].assign(
                label_original=w, label_rewrite_of_rewrite=w, label_rewrite=np.where(flips, 1 - w, w))
            wald = wald_effects(table, labels)
            r = wald.table.set_index("estimand").loc["ATE"]
            held.append(r.ci_low <= .8 <= r.ci_high)
            by_fieller.append(r.fieller_low <= .8 <= r.fieller_high)
            warned.append(any("rate ATE" in note for note in wald.notes))
        found[tail] = sum(held), sum(by_fieller), sum(warned)
    normal, lognormal = found.values()
    assert possible(normal[:2], audits, .935) and possible(normal[2], audits, 0, .005), found
    assert possible(lognormal[:2], audits, 0, .95) and possible(lognormal[2], audits, .85), found


# A second labeller beside a judge

@pytest.fixture(scope="module")
def judged():
    "The judge says that every rewrite reached its target; a function checks it"
    world = TextWorld("length")
    examples = world.examples(150, np.random.default_rng(1))
    rewrites = double_rewrite(examples, "length", world.rewriter)
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))
    target = dict(zip(rewrites.text, rewrites.target_w.astype(float)))

    def judge(df):
        return df.assign(w=[target.get(t, 1.) for t in df.response], w_source="judge x", w_status="ok",
                         w_said="")

    def found(second): # compliance as a diagnosis grades it
        attribute = replace(get_attribute("length"), label=LabelRule(judge, "x", 1, second), complies=None)
        read = compliance(examples, rewrites, attribute)
        return read, wald_effects(scored, read, margin=.1).finding()
    found.target = target
    return found


def test_a_second_labeller_that_contradicts_the_judge_is_not_passed_over(judged):
    read, finding = judged(lambda responses, prompts: [judged.target[r] for r in responses])
    assert finding.verdict == "passed" and read.checked.kappa == 1 and read.checked.change[0] == 0
    read, finding = judged(lambda responses, prompts: np.ones(len(responses)))
    assert read.checked.change[2] < 0 and finding.verdict == "inconclusive"
    assert "finds fewer rewrites at their target" in finding.needs
    assert "a better second labeller" in finding.needs


@pytest.mark.parametrize("keeps, verdict", [(0, "inconclusive"), (.7, "inconclusive"), (.95, "passed")])
def test_a_second_labeller_that_sees_little_confirms_nothing(judged, keeps, verdict):
    def second(responses, prompts): # agrees, and leaves some out
        rng = np.random.default_rng(0)
        return [judged.target[r] if rng.random() < keeps else np.nan for r in responses]
    read, finding = judged(second)
    assert finding.verdict == verdict
    few = f"labelled {read.checked.n} of 50 rewrites that it got; label some by hand"
    assert (few in finding.needs) == (verdict != "passed")
    assert ("labels do not exclude that" in finding.finding) == (keeps > 0)


def broken(responses, prompts): raise RuntimeError("server on fire")


@pytest.mark.parametrize("second, said", [
    (broken, "server on fire"),
    (lambda responses, prompts: ["yes"]*len(responses), "must return 0, 1 or NaN"),
    (lambda responses, prompts: [1], "labels of shape (1,)"),
    (lambda responses, prompts: np.ones(len(responses) - 1), "must return 0, 1 or NaN"),
    (lambda responses, prompts: np.full(len(responses), .5), "not 0.5")])
def test_a_second_labeller_that_fails_takes_no_check_away(judged, second, said):
    read, finding = judged(second)
    assert said in read.labelling and len(read.table) and finding.verdict == "inconclusive"
    assert np.isfinite(read.first_stage.compliance).all()


def test_a_few_labels_that_all_differ_alike_have_wide_intervals():
    labelled = pd.DataFrame(dict(example_id=np.repeat(range(6), 2), draw=0, depth=1, target_w=[0, 1]*6,
                                 label=[0., 1.]*6, status="ok", text=[f"text {i}" for i in range(12)]))
    examples = pd.DataFrame(dict(example_id=range(6), prompt_id=range(6), prompt="Why?", response="x", w=1))
    half = second_labels(examples, labelled, lambda responses, prompts: np.ones(len(responses)))
    share, low, high = half.agreement
    assert share == .5 and 0 <= low < .2 and .8 < high <= 1
    assert half.change[0] == -.5 and -1 <= half.change[1] < -.9 and half.change[2] > -.1
