("Gaps in the rewards: bounds that hold whatever the gaps hide, exactly and in samples, and verdicts that "
 "say when it matters.")
import math
from fractions import Fraction as F
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from rate_nb.base.core import InputError
from rate_nb.estimators.effects import contrast, estimate_effects
from rate_nb.theory.finite import FiniteWorld
from rate_nb.stats.inference import t_effect
from rate_nb.diagnostics.attrition import bounded_mean, contrast_bounds, imbens_manski, attrition_bounds
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import TextWorld


@pytest.fixture(scope="module")
def pool():
    "600 English texts, rewritten twice and scored by the closed-form reward"
    world = TextWorld("sentiment")
    examples = world.examples(600, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    return to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))


def lose(scored, gone, second_only=False):
    "Those texts' rewrites are refused"
    out = scored.assign(status_rewrite=np.where(gone & (not second_only), "refused", "ok"))
    out.loc[gone, ["reward_rewrite_of_rewrite"] + ["reward_rewrite"] * (not second_only)] = np.nan
    return out


def test_bounds_cover_when_a_fifth_of_one_arm_is_missing_not_at_random(pool):
    ("500 audits of 300 texts; in turn each arm loses the texts with the largest, or the smallest, "
     "contrasts; the range is the observed one")
    rng, c, w = np.random.default_rng(1), contrast(pool, "rate"), pool.w.to_numpy(int)
    rewards = pool[["reward_rewrite", "reward_rewrite_of_rewrite", "reward_original"]].to_numpy(float)
    prompts = pd.factorize(pool.prompt_id)[0]
    members = [np.flatnonzero(prompts == p) for p in range(prompts.max() + 1)]
    held, naive, checked = [], [], 0
    for i in range(500):
        arm, sign = i % 2, 1 - 2 * (i // 2 % 2)
        drawn = rng.integers(0, len(members), 150)
        rows, codes = np.concatenate([members[p] for p in drawn]), np.concatenate([np.full(len(members[p]), k)
            for k, p in enumerate(drawn)])
        in_arm = w[rows] == arm
        key = np.where(in_arm, sign * c[rows] + .05 * rng.normal(size=len(rows)), -np.inf)
        gone = key >= np.sort(key)[::-1][int(.2 * in_arm.sum()) - 1]
        r = rewards[rows].copy()
        r[gone, :2] = np.nan
        width = np.nanmax(r) - np.nanmin(r)
        low, high = np.where(gone, -width, c[rows]), np.where(gone, width, c[rows])
        found = bounded_mean(low[in_arm], high[in_arm], pd.factorize(codes[in_arm])[0])
        truth = c[w == arm].mean()
        held.append(found["ci_low"] <= truth <= found["ci_high"])
        seen = in_arm & ~gone
        left = bounded_mean(c[rows][seen], c[rows][seen], pd.factorize(codes[seen])[0])
        naive.append(left["ci_low"] <= truth <= left["ci_high"])
        # what was simulated is what ships
        if i in (0, 3):
            table = lose(pool.iloc[rows].assign(example_id=np.arange(len(rows)),
                                                prompt_id=codes).reset_index(drop=True), gone)
            shipped = attrition_bounds(table).row(("ATU", "ATT")[arm])
            assert np.allclose([shipped[k] for k in ("low", "high", "ci_low", "ci_high")],
                               [found[k] for k in ("low", "high", "ci_low", "ci_high")])
            checked += 1
    assert checked == 2
    assert np.mean(held) >= .95, np.mean(held)
    # leaving them out is what the bounds are for
    assert np.mean(naive) < .5, np.mean(naive)


def test_intervals_are_no_wider_than_they_must_be():
    ("With the truth at one end of the bounds the interval covers it in 95%, and it is shorter than one for "
     "both ends")
    rng, hits, shorter = np.random.default_rng(2), [], []
    for _ in range(2000):
        c, gone = rng.normal(.5, 1, 80), rng.random(80) < .15
        b = bounded_mean(np.where(gone, -3., c), np.where(gone, 3., c), np.arange(80))
        hits.append(b["ci_low"] <= .85 * .5 + .15 * 3 <= b["ci_high"])
        both = t_effect(b["low"], b["std_error_low"], 79).ci_low, t_effect(b["high"], b["std_error_high"],
            79).ci_high
        shorter.append(both[0] < b["ci_low"] and b["ci_high"] < both[1])
    assert abs(np.mean(hits) - .95) < 4 * math.sqrt(.95 * .05 / 2000), np.mean(hits)
    assert all(shorter)


@pytest.mark.parametrize("seed", range(4))
def test_sample_bounds_converge_to_the_exact_ones(seed):
    "Gaps that depend on the reward they hide, exactly and in a sample of 4,000"
    world, L, U = FiniteWorld.random(seed), -20, 20
    m1, m2 = (lambda u, r1: F(3, 10) if r1 > 0 else F(1, 10)), F(1, 5)
    exact = {}
    for estimand, arms in (("ATT", (1,)), ("ATU", (0,)), ("ATE", (0, 1))):
        total = low = high = first = second = F(0)
        for u, p in world.population.items():
            x, w, z, xi = u
            if w not in arms:
                continue
            total += p
            s = 2 * w - 1
            for (w1, k1), q1 in world.rewrites(x, w, z, xi, 1 - w, 1).items():
                r1 = world.reward(x, w1, z, k1)
                a = m1(u, r1)
                for (w2, k2), q2 in world.rewrites(x, w1, z, k1, w, 2).items():
                    c, q = s * (world.reward(x, w2, z, k2) - r1), p * q1 * q2
                    ends = sorted((s * (L - r1), s * (U - r1)))
                    low += q * (a * (L - U) + (1 - a) * (m2 * ends[0] + (1 - m2) * c))
                    high += q * (a * (U - L) + (1 - a) * (m2 * ends[1] + (1 - m2) * c))
                    first += q * a
                    second += q * (1 - a) * m2
        exact[estimand] = low / total, high / total
        assert (high - low) / total == (U - L) * (2 * first + second) / total
        assert exact[estimand][0] <= world.estimand(estimand) <= exact[estimand][1]
    rng, sample = np.random.default_rng(100 + seed), world.sample(4000, seed)
    gone = rng.random(4000) < np.where(sample.reward_rewrite > 0, .3, .1)
    sample.loc[gone | (rng.random(4000) < .2), "reward_rewrite_of_rewrite"] = np.nan
    sample.loc[gone, "reward_rewrite"] = np.nan
    found = attrition_bounds(sample, limits=(L, U))
    for estimand, (low, high) in exact.items():
        r = found.row(estimand)
        assert (abs(r.low - float(low)) < 4.5 * r.std_error_low
                and abs(r.high - float(high)) < 4.5 * r.std_error_high)
        assert r.range == "given"


def test_without_gaps_the_answer_is_rates(pool):
    bounds, effects = attrition_bounds(pool), estimate_effects(pool, estimators=["rate"])
    for estimand in ("ATT", "ATU", "ATE"):
        r, e = bounds.row(estimand), effects.get("rate", estimand)
        assert np.allclose([r.low, r.high, r.ci_low, r.ci_high],
                           [e.estimate, e.estimate, e.ci_low, e.ci_high]) and r.missing == 0
    assert bounds.finding().verdict == "holds" and bounds.finding().finding == "No rate contrast is missing."


def test_half_a_chain_is_worth_something(pool):
    "A text whose first rewrite is known has bounds half as wide, for each arm"
    gone = np.arange(len(pool)) % 10 == 0
    whole, half = (attrition_bounds(lose(pool, gone, second), limits=(-5, 5)).table.set_index("estimand")
                   for second in (False, True))
    assert np.allclose(half.high - half.low, (whole.high - whole.low) / 2)
    assert (half.low >= whole.low).all() and (half.high <= whole.high).all()


def test_draws_are_bounded_one_by_one():
    "One of two draws lost: half of the text's contrast is known"
    world = FiniteWorld.random(3)
    two = world.sample(200, 1, draws=2)
    gone = ((two.example_id % 5 == 0) & (two.draw == 1)).to_numpy()
    r = attrition_bounds(lose(two, gone), limits=(-25, 25)).row("ATE")
    assert np.isclose(r.high - r.low, .2 * .5 * 100) and np.isclose(r.missing, .1)


def test_arms_reasons_and_ranges_are_told(pool):
    gone = ((pool.w == 1) & (np.arange(len(pool)) % 4 == 0)).to_numpy()
    table = lose(pool, gone)
    table.loc[table.index[(pool.w == 0)][:7], "reward_rewrite_of_rewrite"] = np.nan
    bounds = attrition_bounds(table)
    arms = bounds.arms.set_index("w")
    assert (arms.loc[1, "refused"] == gone.sum()
            and arms.loc[0, "no reward"] == 7
            and arms.loc[0, "refused"] == 0)
    assert "observed" in bounds.notes[0] and "as given" in attrition_bounds(table, limits=(-9, 9)).notes[0]
    said = bounds._repr_markdown_()
    assert "refused" in said and "worst-case bounds" in said
    with pytest.raises(InputError, match="do not hold its own rewards"):
        attrition_bounds(table, limits=(0, .1))
    both = pd.concat([table, table.assign(model="other")])
    with pytest.raises(InputError, match="several models"):
        attrition_bounds(both).finding()
    assert attrition_bounds(both, limits={"other": (-9, 9)}).finding(model="other").verdict == "doubtful"


def test_the_tipping_mean_is_the_one_that_tips(pool):
    "Missing contrasts filled with it make the effect 0"
    gone = ((pool.w == 1) & (np.arange(len(pool)) % 2 == 0)).to_numpy()
    r = attrition_bounds(lose(pool, gone)).row("ATE")
    assert np.isclose(np.where(gone, r.tipping, contrast(pool, "rate")).mean(), 0)


def test_verdicts_follow_what_gaps_could_do(pool):
    "Few gaps: holds; many: cannot tell; and a second rewrite that is gone where the first one says enough"
    few, many = (attrition_bounds(lose(pool, np.arange(len(pool)) % k == 0)).finding(equivalence_margin=.2)
                 for k in (200, 5))
    assert few.verdict == "holds" and many.verdict == "cannot tell" and few.ci_low < 0 < few.ci_high
    assert imbens_manski(0, 1, 0, 0, 10) == (0, 1) and all(map(math.isnan, imbens_manski(0, 1, .1, .1, 0)))
    w = pd.DataFrame(dict(w=[1, 0], reward_rewrite=[1., 1.], reward_rewrite_of_rewrite=[np.nan, np.nan]))
    low, high = contrast_bounds(w, {"reward_rewrite_of_rewrite": 1., "reward_rewrite": -1.}, 0, 4)
    assert low.tolist() == [-1, -3] and high.tolist() == [3, 1]


def test_a_sign_at_stake_is_doubtful_and_nothing_is_broken(pool):
    ("Doubtful where RATE has a sign and the bounds have none; where the bounds keep the sign, or RATE has "
     "none, it cannot tell")
    lost = lambda k, **how: attrition_bounds(lose(pool, np.arange(len(pool)) % k == 0), **how)
    wide, mild = lost(4), lost(25)
    r, m = wide.row("ATE"), mild.row("ATE")
    assert (r.low < 0 < r.high and r.estimate_low > 0 and wide.finding().verdict == "doubtful"
            and "other sign" in wide.finding().finding)
    assert m.low > 0 and mild.finding(equivalence_margin=.01).verdict == "cannot tell" and mild.finding(
        equivalence_margin=2.).verdict == "holds"
    e = estimate_effects(lose(pool, np.arange(len(pool)) % 4 == 0), estimators=["rate"]).get("rate", "ATE")
    assert np.allclose([r.estimate_low, r.estimate_high], [e.ci_low, e.ci_high])
    # no effect: RATE has no sign to lose
    coin = np.where(np.random.default_rng(0).random(len(pool)) < .5, 1, -1)*contrast(pool, "rate")
    nothing = pool.assign(reward_rewrite_of_rewrite=pool.reward_rewrite + coin)
    assert attrition_bounds(lose(nothing,
                                 np.arange(len(pool)) % 4
                                 == 0)).finding(equivalence_margin=.01).verdict == "cannot tell"
    half = attrition_bounds(lose(pool.assign(reward_rewrite=np.where(np.arange(len(pool)) % 4 == 0, 9., -9.)),
                                 np.arange(len(pool)) % 4 == 0, True), limits=(-9, 9))
    assert all(half.finding(equivalence_margin=0., estimand=e).verdict in ("cannot tell", "doubtful")
               for e in ("ATT", "ATU", "ATE"))


@pytest.mark.parametrize("level", [.1, .4, .5, .8])
def test_an_interval_of_any_level_lies_between_the_one_sided_and_the_two_sided_one(level):
    "Also below a half, where the one-sided end lies inside the bounds"
    low, high = (-imbens_manski(0, width, 1, 1, 40, level)[0] for width in (1e6, 0))
    between = -imbens_manski(0, .5, 1, 1, 40, level)[0]
    assert (low <= between <= high
            and low == pytest.approx(student.ppf(level, 40))
            and high == pytest.approx(student.ppf((1 + level)/2, 40)))
