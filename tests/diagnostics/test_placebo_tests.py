("The same-target placebo, the same-depth contrast and the third rewrite: exact functionals, size, power, "
 "and what they cannot see")
from fractions import Fraction as F
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.diagnostics.placebo_tests import drift, LATER, PLACEBO, placebo, RATE3
from rate_nb.estimators.effects import estimate_effects
from rate_nb.theory.finite import FiniteWorld
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import MARK, TextWorld

ARMS = (("ATT", 1), ("ATU", 0))
# Exact

def law(t, d, s=0): return {0: F(1 + t + s % 3, 9), 1: F(d, 9), 2: F(8 - t - d - s % 3, 9)}

def direct(w, x, z): return w.reward_wz(x, 1, z) - w.reward_wz(x, 0, z)

# what each unmirrored difference expects of one text: the placebo, and the third less the first rewrite
def by_hand(world, keeps, miss, s):
    Q = lambda x, t, d: sum(q*world.reward_xi(x, k) for k, q in law(t, d, s).items())
    def expect(x, w, z, k):
        o, own, k_ = 1 - w, world.reward_xi(x, k), 1 - keeps
        xi = dict(same=keeps*own + k_*Q(x, w, 1), one=keeps*own + k_*Q(x, o, 1))
        xi["two"] = keeps*xi["one"] + k_*Q(x, w, 2)
        xi["three"] = keeps*xi["two"] + k_*Q(x, o, 3)
        phi, psi, sign = miss[o], miss[w], 2*w - 1
        return dict(placebo=xi["two"] - xi["same"] - sign*(1 - phi)*psi*direct(world, x, z),
                    third=(xi["three"] - xi["one"] - sign*phi*psi*(1 - phi)*direct(world, x, z))/2)
    return expect


def test_each_difference_is_the_derived_formula_under_every_broken_assumption_at_once():
    off = 0
    for s in range(18):
        keeps, miss = F(s % 4, 5), {0: F(s % 3, 7), 1: F(s % 5, 9)}
        world = FiniteWorld.random(s, rewrite=lambda x, z, t, d: law(t, d, s), keeps=keeps, misses=miss)
        expect = by_hand(world, keeps, miss, s)
        for e, arm in ARMS:
            mean = lambda what: world._mean(lambda *u: expect(*u)[what], lambda x, w, z, k: w == arm)
            assert ((2*arm - 1)*world.functional(PLACEBO, e) == mean("placebo")
                    and (2*arm - 1)*world.functional(LATER, e) == mean("third"))
            off += mean("placebo") != 0
    assert off > 30


# Words

@pytest.fixture(scope="module")
def texts():
    world = TextWorld(drift=.3)
    examples = world.examples(1000, np.random.default_rng(5))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter, depth=3, both=True)
    return world, examples, rewrites, to_scored(examples, rewrites,
                                                score_rewrites(examples, rewrites, world.reward,
                                                    progress=False))


def test_one_audit_of_texts_that_drift(texts):
    world, examples, rewrites, scored = texts
    sign = 2*examples.w - 1
    effect = sign*(world.reward(examples.prompt, examples.response) - world.reward(examples.prompt,
        world.counterfactual(examples).response))
    truth = dict(ATT=effect[examples.w == 1].mean(), ATU=effect[examples.w == 0].mean())
    p, d = placebo(scored), drift(scored)
    assert (p.table.ci_low < .3).all() and (p.table.ci_high > .3).all() and not p.table.equivalent.any()
    t = d.table.set_index(["estimator", "estimand"])
    for e, s in (("ATT", 1), ("ATU", -1)):
        for k in ("same_depth", "rate3"):
            assert t.ci_low[k, e] < truth[e] < t.ci_high[k, e]
        assert (abs(t.estimate["rate", e] - truth[e] - s*.3) < 4*t.std_error["rate", e]
                and not t.ci_low["rate", e] < truth[e] < t.ci_high["rate", e])
    assert (p.finding().verdict == d.finding().verdict == "failed" and "+0.3" in p.finding().finding
            and "target" in p.finding().blind_to)


def test_a_world_without_dials_is_the_world_it_was(texts):
    _, examples, *_ = texts
    plain, off = TextWorld(), TextWorld(drift=0., misses={0: 0., 1: 0.})
    for r in examples.head(20).itertuples():
        assert (plain.rewriter("", r.response, 1 - r.w, 3) == off.rewriter("", r.response, 1 - r.w, 3)
                and MARK not in plain.rewriter("", r.response, r.w))
    with pytest.raises(InputError, match="`misses` must be a chance"):
        TextWorld(misses=1.5)
    with pytest.raises(InputError, match="`misses` must be a chance"):
        TextWorld(misses={0: .5})


# The table they take

def test_draws_models_missing_rewards_and_clusters():
    world = TextWorld(drift=.1)
    one = world.simulate(300, np.random.default_rng(1))
    # the same rewards twice
    both = pd.concat([one, world.simulate(300, np.random.default_rng(1)).assign(draw=1)], ignore_index=True)
    assert (np.allclose(placebo(both).table.difference, placebo(one).table.difference)
            and (placebo(both).table.n == placebo(one).table.n).all())
    two = pd.concat([one,
                     one.assign(model="ten times", **{c: 10*one[c] for c in one if c.startswith("reward_")})],
                    ignore_index=True)
    p, d = placebo(two), drift(two)
    assert np.allclose(p.table[p.table.model == "ten times"].difference,
                       10*p.table[p.table.model == "taste"].difference) and len(p.joint) == 2
    assert np.isclose(*p.joint.p_value) and "model" in p._repr_markdown_() and "model" in d._repr_markdown_()
    for result in (p, d):
        with pytest.raises(InputError, match="name one of"):
            result.finding()
        with pytest.raises(InputError, match="`model` must be one of"):
            result.finding(model="a third")
        assert result.finding(model="taste").verdict in ("passed", "inconclusive", "failed")
    holes = one.assign(reward_same_target=one.reward_same_target.where(one.index % 3 > 0))
    assert (placebo(holes).table.n_missing > 0).all() and placebo(holes).table.n.iloc[0] == 200
    assert placebo(one, cluster=None).table.n_clusters.iloc[0] == 300 > placebo(one).table.n_clusters.iloc[0]
    alone = one[one.w == 1]
    assert (list(placebo(alone, margin=.2).table.arm) == ["all", "with"]
            and set(drift(alone).table.estimand) == { "ATT"}
            and drift(alone, margin=.05).finding().verdict == "failed")


def test_rate3_is_a_name_like_the_others():
    one = TextWorld().simulate(400, np.random.default_rng(2))
    effects = estimate_effects(one, estimators=RATE3)
    assert effects.get("rate3",
                       "ATT").estimate == pytest.approx(drift(one).table.set_index(["estimator",
                           "estimand"]).estimate["rate3", "ATT"])


def test_errors_say_what_to_make():
    one = TextWorld().simulate(40, np.random.default_rng(2))
    with pytest.raises(InputError, match="both=True"):
        placebo(one.drop(columns="reward_same_target"))
    with pytest.raises(InputError, match="both=True"):
        placebo(one.assign(reward_same_target=np.nan))
    with pytest.raises(InputError, match="depth=3"):
        drift(one.drop(columns=["reward_same_target", "reward_depth_3"]))
    with pytest.raises(SchemaError):
        drift(one.drop(columns="w"))
    with pytest.raises(InputError, match="between 0 and 1"):
        placebo(one, level=95)


def test_a_third_rewrite_is_a_second_opinion():
    ("The same-depth gap is the placebo; with both, drift is judged by the third rewrite, and by the "
     "same-depth contrast only without it")
    one = TextWorld(drift=.3).simulate(1000, np.random.default_rng(8))
    # a third rewrite that says: no drift
    one["reward_depth_3"] = one.reward_rewrite
    placebo_says, both = placebo(one).finding(), drift(one).finding()
    alone = drift(one.drop(columns="reward_depth_3")).finding()
    assert placebo_says.verdict == alone.verdict == "failed" and both.verdict == "passed"
    assert ("third rewrite" in both.finding and "placebo again" in alone.finding
            and "saturates" in both.blind_to)
    assert abs(alone.estimate) == pytest.approx(abs(placebo_says.estimate))


def test_prompts_without_a_comparison_are_no_degrees_of_freedom():
    "Half of the prompts lost their same-target rewrites: the joint test is that of the half that did not"
    one = TextWorld(drift=.1).simulate(60, np.random.default_rng(4))
    gone = pd.factorize(one.prompt_id)[0] % 2 == 0
    holes, rest = one.assign(reward_same_target=one.reward_same_target.where(~gone)), one[~gone]
    a, b = placebo(holes, margin=.2).joint, placebo(rest, margin=.2).joint
    assert (a.df2[0] == pytest.approx(b.df2[0]) and a.df2[0] <= rest.prompt_id.nunique() - a.df1[0]
            and np.allclose(a[["statistic", "p_value"]], b[["statistic", "p_value"]]))
