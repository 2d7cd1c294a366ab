("ControlTests: null by design and exactly so, planted effects recovered by as much as flips succeed, sized "
 "and powered in the text world")
import itertools
from dataclasses import replace
from fractions import Fraction as F
import numpy as np, pandas as pd, pytest
from calm import PLANTED_SENTIMENT
from test_balance import SURFACE, latent_audit
from rate_nb.data.attributes import ATTRIBUTES
from rate_nb.diagnostics.placebo_tests import (
    _null_contrasts, _t_statistics, _Units, attained, control_tests, ControlTests, false_alarms,
    permuted_rows, flipped_labels)
from rate_nb.base.core import InputError
from rate_nb.theory.finite import FiniteWorld
from rate_nb.stats.inference import paired_effect, t_quantile
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.reward_models import as_reward_model
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import Taste, TextWorld


def test_nulls_are_exact_over_all_coins_and_orders():
    R, w, group = [(F(3), F(1), F(-2)), (F(0), F(5), F(4)), (F(1), F(1), F(9))], (1, 0, 0), (0, 0, 1)
    d = [(2*a - 1)*(r[2] - r[1]) for a, r in zip(w, R)]
    coins = [sum((1 if c[g] else -1)*v for g, v in zip(group, d))
             for c in itertools.product((0, 1), repeat=2)]
    orders = [sum((2*w[i] - 1)*(R[p[i]][s[i][2]] - R[p[i]][s[i][1]]) for i in range(3))
              for p in itertools.permutations(range(3))
              for s in itertools.product(list(itertools.permutations(range(3))), repeat=3)]
    assert sum(coins) == sum(orders) == 0 and any(coins) and any(orders)


def test_planted_bonus_is_recovered_up_to_failed_flips_and_blind_to_habits():
    laws = [{0: F(1, 2), 1: F(1, 4), 2: F(1, 4)}, {0: F(1, 6), 1: F(1, 6), 2: F(2, 3)}]
    for seed in range(12):
        m = {0: F(seed % 5, 10), 1: F(1 + seed % 3, 10)}
        for world, share in ((FiniteWorld.random(seed, misses=m), (1 - m[0])*(1 - m[1])),
                             (FiniteWorld.random(seed, rewrite=lambda x, z, t, d: laws[t]), 1),
                             (FiniteWorld.random(seed), 1)):
            more = replace(world, reward_wz=lambda x, w, z: world.reward_wz(x, w, z) + 7*w)
            for e in ("ATT", "ATU", "ATE"):
                assert more.expected("rate", e) - world.expected("rate", e) == 7*share
            assert more.expected("naive", "ATE") - world.expected("naive", "ATE") == 7
        # a reward that cannot see W
        unseen = replace(FiniteWorld.random(seed), reward_wz=lambda x, w, z: 3*x - z)
        assert all(unseen.expected("rate", e) == 0 for e in ("ATT", "ATU", "ATE"))


def units(pairs): return _Units(pairs.w, pairs.R, pairs.codes)


def test_shuffles_keep_what_they_should():
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(50), 3)
    turn = flipped_labels(codes, rng, 40)
    assert set(np.unique(turn)) == {-1, 1} and (np.ptp(turn.reshape(50, 3, 40), axis=1) == 0).all()
    donor, slot = permuted_rows(codes, rng)
    assert sorted(donor) == list(range(150)) and (np.ptp(codes[donor].reshape(50, 3), axis=1)
                                                  == 0).all() and (np.sort(slot, axis=1) == [0, 1, 2]).all()
    ragged = np.array([0, 1, 1, 2, 2, 2])
    assert sorted(permuted_rows(ragged, rng)[0]) == list(range(6))


def test_t_statistics_are_those_of_inference():
    rng = np.random.default_rng(1)
    d = rng.normal(.1, 1, (60, 4)) + np.repeat(rng.normal(size=20), 3)[:, None]
    codes = np.repeat(np.arange(20), 3)
    t, df = _t_statistics(d, codes)
    for j in range(4):
        e = paired_effect(d[:, j], np.zeros(60), codes)
        assert t[j] == pytest.approx(e.estimate/e.std_error) and df == pytest.approx(19)


def rejections(replicates, rng, what): # t statistics of one shuffle, or of RATE itself, in many audits
    out = []
    for _ in range(replicates):
        if what == "invisible":
            pairs, _ = latent_audit(1000, rng, taste=Taste(sentiment=0., film_sentiment=0.))
            d = pairs.contrast[:, None]
        else:
            pairs, _ = latent_audit(1000, rng)
            d = _null_contrasts(units(pairs), what, rng, 1)
        t, G = _t_statistics(d, pairs.codes)
        out.append(abs(t[0]) > t_quantile(.95, G - 1))
    return np.mean(out)


@pytest.mark.slow("2,000 audits of 1,000 texts, three times")
@pytest.mark.parametrize("what", ["random label", "shuffled reward", "invisible"])
def test_size_is_five_percent(what):
    size = rejections(2000, np.random.default_rng(31), what)
    assert .03 <= size <= .07, size


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


def test_power_of_the_planted_bonus():
    ("A fifth of flips fail: .64 of the bonus comes back, its interval is outside the equivalence_margin in "
     "nearly every audit")
    rng, found = np.random.default_rng(33), []
    for _ in range(200):
        pairs, W = latent_audit(1000, rng, misses=.2)
        d = (2*pairs.w - 1)*(W[:, 2] - W[:, 1])
        e = paired_effect(d, np.zeros(len(d)), pairs.codes)
        found.append((e.ci_high < .8, e.ci_low < .64 < e.ci_high))
    broken, covers = np.mean(found, axis=0)
    assert broken > .9 and covers > .89


def test_known_reward_is_covered_and_naive_is_far():
    rng, found = np.random.default_rng(34), []
    for _ in range(300):
        pairs, W = latent_audit(1000, rng)
        C = pairs.C
        lean = np.where(C[pairs.w == 1, 0].mean(0) >= C[pairs.w == 0, 0].mean(0), 1, -1)
        R = W + (C*lean/C[:, 0].std(0, ddof=1)).sum(2)/C.shape[2]
        e = paired_effect((2*pairs.w - 1)*(R[:, 2] - R[:, 1]), np.zeros(len(R)), pairs.codes)
        found.append((e.ci_low < 1 < e.ci_high, R[pairs.w == 1, 0].mean() - R[pairs.w == 0, 0].mean()))
    covers, naive = np.mean(found, axis=0)
    assert covers > .91 and naive > 1.3


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
    assert (found.finding().verdict != "refuted" and "false alarms" in found.finding().finding
            and "should be" in found._repr_markdown_())
    again = control_tests(texts, made, scored, PLANTED_SENTIMENT, invisible=blind, characteristics=SURFACE)
    assert again.table.equals(found.table)


def test_who_says_what_a_rewrite_has(audit):
    world, texts, made, scored = audit
    few = texts.head(60)
    some = made[made.example_id.isin(few.example_id)]
    s = scored[scored.example_id.isin(few.example_id)]
    no_rule = replace(ATTRIBUTES["sentiment"], complies=None, moved=None)
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
                         characteristics=["characters"]).finding().verdict == "refuted"


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
    assert (found.finding().verdict != "refuted" and "every contrast is 0" in found.finding().finding
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
    assert (t.verdict[["random label", "shuffled reward"]] == "undecided").all()


def test_a_finding_states_the_tolerance_that_it_was_judged_by():
    "An attribute that the reward cannot see is judged against a fifth of |RATE|, not of the bonus"
    rows = [("the reward as it is", "comparison", 1., .9, 1.1), ("random label", "negative", 0., -.1, .1),
            ("attribute the reward cannot see", "negative", .3, .28, .32),
            ("planted bonus", "positive", 9., 8.9, 9.1)]
    table = pd.DataFrame([dict(control=c, kind=k, estimator="rate", estimate=m, ci_low=a, ci_high=b,
                               expected=9. if k == "positive" else 0., false_alarms=.05, n_clusters=50) for c,
                          k, m, a, b in rows])
    said = ControlTests(table, 9., "label", 400, .95).finding()
    assert (said.verdict == "refuted" and said.claim == "none"
            and said.estimate == pytest.approx(.3)
            and said.equivalence_margin == pytest.approx(.2))
