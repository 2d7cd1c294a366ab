("ControlTests: null by design and exactly so, planted effects recovered by as much as flips succeed, sized "
 "and powered in the text world")
from dataclasses import replace
import numpy as np, pandas as pd, pytest
from calm import PLANTED_SENTIMENT
from test_balance import SURFACE
from rate_nb.data.attributes import ATTRIBUTES
from rate_nb.diagnostics.placebo_tests import (
    _t_statistics, _Units, attained, control_tests, ControlTests, false_alarms,
    flipped_labels)
from rate_nb.base.core import InputError
from rate_nb.stats.inference import t_quantile
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.reward_models import as_reward_model
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import Taste, TextWorld


def test_false_alarms_show_intervals_that_are_too_narrow():
    ("Prompts taken for single texts: contrasts of a prompt go together, and the shuffles say that the "
     "intervals are wrong")
    rng = np.random.default_rng(2)
    prompt = np.repeat(np.arange(100), 5)
    shared = np.repeat(rng.normal(size=100), 5)
    w = rng.integers(0, 2, 500).astype(float)
    R = np.stack([np.zeros(500), np.zeros(500), (2*w - 1)*(shared + .1*rng.normal(size=500))], axis=1)
    honest = false_alarms(_Units(w, R, prompt), "random label", rng, 1000, .95)
    contrasts = flipped_labels(prompt, rng, 1000)*((2*w - 1)*R[:, 2])[:, None]
    t, G = _t_statistics(contrasts, np.arange(500))
    assert honest < .09 and (np.abs(t) > t_quantile(.95, G - 1)).mean() > .3


@pytest.fixture(scope="module")
def audit():
    world = TextWorld()
    texts = world.examples(240, np.random.default_rng(6))
    made = double_rewrite(texts, "sentiment", world.rewriter)
    return world, texts, made, to_scored(texts, made,
                                         score_rewrites(texts, made, as_reward_model(world.reward),
                                                        progress=False))


def test_controls_of_a_sound_audit(audit):
    world, texts, made, scored = audit
    blind = to_scored(texts, made,
                      score_rewrites(texts, made, as_reward_model(Taste(sentiment=0., film_sentiment=0.)),
                                     progress=False))
    found = control_tests(texts, made, scored, PLANTED_SENTIMENT, invisible=blind, characteristics=SURFACE)
    t = found.table.set_index(["control", "estimator"])
    assert (found.by == "complies"
            and found.bonus == pytest.approx(scored.reward_original.std())
            and t.estimate["planted bonus", "rate"] == pytest.approx(found.bonus))
    assert t.ci_low["attribute the reward cannot see",
                    "naive"] > 0 and abs(t.estimate["known reward", "naive"]
                                         - found.bonus) > 4*abs(t.estimate["known reward", "rate"]
                                             - found.bonus)
    assert set(found.verdicts().control) == {"random label", "shuffled reward", "attribute the reward "
                                                                                "cannot see", "planted bonus",
                                             "known reward"}
    assert (found.finding().verdict != "failed" and "false alarms" in found.finding().finding
            and "should be" in found._repr_markdown_())
    again = control_tests(texts, made, scored, PLANTED_SENTIMENT, invisible=blind, characteristics=SURFACE)
    assert again.table.equals(found.table)


def test_who_says_what_a_rewrite_has(audit):
    world, texts, made, scored = audit
    few = texts.head(60)
    some = made[made.example_id.isin(few.example_id)]
    s = scored[scored.example_id.isin(few.example_id)]
    no_rule = replace(ATTRIBUTES["sentiment"], label=None, complies=None, moved=None)
    has, by = attained(few, some, no_rule)
    assert by == "target" and (has.reward_rewrite == 1 - has.w).all() and "cannot fail" in control_tests(few,
        some, s, no_rule, characteristics=SURFACE)._repr_markdown_()
    by_label = replace(no_rule, label=lambda texts, prompts: np.ones(len(texts)))
    has, by = attained(few, some, by_label)
    assert by == "label" and (has.reward_rewrite == 1).all() and (has.reward_original == has.w).all()
    idle = some.assign(text=some.example_id.map(few.set_index("example_id").response), status="unchanged")
    has, by = attained(few, idle, "sentiment")
    assert (by == "complies"
            and (has.reward_rewrite == has.w).all()
            and (has.reward_rewrite_of_rewrite == has.w).all())
    assert control_tests(few, idle, s, "sentiment",
                         characteristics=["characters"]).finding().verdict == "failed"


def test_errors_say_what_to_do(audit):
    world, texts, made, scored = audit
    with pytest.raises(InputError, match="`bonus` must be above 0"):
        control_tests(texts, made, scored, "sentiment", bonus=-1)
    with pytest.raises(InputError, match="several models"):
        control_tests(texts, made, pd.concat([scored, scored.assign(model="other")]), "sentiment")
    with pytest.raises(InputError, match="same reward"):
        control_tests(texts, made, scored.assign(reward_original=0.), "sentiment")


def test_nothing_to_shuffle_is_no_reproach(audit):
    ("A reward of the prompt alone, and four prompts: no alarms to count; contrasts of exactly 0 hold, too "
     "few prompts cannot tell")
    world, texts, made, _ = audit
    flat = to_scored(texts, made,
                     score_rewrites(texts, made,
                                    as_reward_model(lambda prompts,
                                                    responses: [float(len(p)) for p in prompts]),
                                    progress=False))
    found = control_tests(texts, made, flat, "sentiment", characteristics=SURFACE, replicates=40)
    t = found.verdicts().set_index("control")
    assert (t.false_alarms[["random label", "shuffled reward"]].isna().all()
            and (t.verdict[["random label", "shuffled reward"]] == "passed").all())
    assert (found.finding().verdict != "failed" and "every contrast is 0" in found.finding().finding
            and "–" in found._repr_markdown_())
    one = _Units(np.tile([0., 1.], 10), np.random.default_rng(0).normal(size=(20, 3)),
                 np.repeat(np.arange(4), 5))
    assert np.isnan(false_alarms(one, "random label", np.random.default_rng(0), 40, .95))
    assert np.isfinite(false_alarms(replace(one, codes=np.repeat(np.arange(10), 2)), "random label",
                                    np.random.default_rng(0), 40, .95))


def test_few_prompts_cannot_tell(audit):
    world, texts, made, scored = audit
    ids = texts.prompt_id.unique()[:4]
    few = texts[texts.prompt_id.isin(ids)]
    pick = lambda t: t[t.example_id.isin(few.example_id)]
    assert few.w.nunique() == 2
    t = control_tests(few, pick(made), pick(scored), "sentiment", characteristics=SURFACE,
                      replicates=40).verdicts().set_index("control")
    assert (t.verdict[["random label", "shuffled reward"]] == "inconclusive").all()


def test_a_finding_states_the_tolerance_that_it_was_judged_by():
    "An attribute that the reward cannot see is judged against a fifth of |RATE|, not of the bonus"
    rows = [("the reward as it is", "comparison", 1., .9, 1.1), ("random label", "negative", 0., -.1, .1),
            ("attribute the reward cannot see", "negative", .3, .28, .32),
            ("planted bonus", "positive", 9., 8.9, 9.1)]
    table = pd.DataFrame([dict(control=c, kind=k, estimator="rate", estimate=m, ci_low=a, ci_high=b,
                               expected=9. if k == "positive" else 0., false_alarms=.05, n_clusters=50) for c,
                          k, m, a, b in rows])
    said = ControlTests(table, 9., "label", 400, .95).finding()
    assert (said.verdict == "failed" and said.claim == "none"
            and said.estimate == pytest.approx(.3)
            and said.equivalence_margin == pytest.approx(.2))
