("The same-target placebo, the same-depth contrast and the third rewrite: exact functionals, size, power, "
 "and what they cannot see")
from fractions import Fraction as F
from functools import cache
import numpy as np, pandas as pd, pytest
from conftest import CI
from scipy.stats import f as fisher, t as student
from rate_nb.base.core import InputError, SchemaError
from rate_nb.diagnostics.placebo_tests import drift, LATER, PLACEBO, placebo, RATE3, SHIFTS
from rate_nb.theory.text_world import read_draft
from rate_nb.estimators.effects import CONTRASTS, estimate_effects
from rate_nb.theory.finite import FiniteWorld
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import MARK, side, TextWorld

ARMS = (("ATT", 1), ("ATU", 0))
RECIPES = {"placebo": PLACEBO, "third": LATER, "rate": CONTRASTS["rate"],
           "same_depth": CONTRASTS["same_depth"]} | RATE3 | SHIFTS
# TextWorld: P(film | W=1) = .5 + .2·.8, and sentiment counts .9 ± .2
TRUTH = dict(ATT=.9 + .4*.16, ATU=.9 - .4*.16, ATE=.9)


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


def test_the_mean_of_a_column_is_that_of_a_sample():
    world = FiniteWorld.random(8, keeps=F(1, 3), misses=F(1, 4), rewrite=lambda x, z, t, d: law(t, d))
    big = world.sample(20_000, rng=1, depth=3)
    for column in (c for c in big if c.startswith("reward_")):
        for arm in (0, 1):
            v = big.loc[big.w == arm, column]
            assert abs(v.mean() - float(world.level(column, arm))) < 4*v.std()/len(v)**.5, column
    pd.testing.assert_frame_equal(world.sample(50, rng=1, draws=2), world.sample(50, rng=1, draws=2, depth=2))
    pd.testing.assert_frame_equal(world.sample(50, rng=1),
                                  world.sample(50, rng=1, depth=3).drop(columns="reward_depth_3"))


# Many audits at once: estimates and p-values of 1,000 texts each, as arrays; the public functions must agree

N, REPLICATES, AT_ONCE = 1000, 2000 if CI else 500, 250
SLACK = .02*(2000/REPLICATES)**.5 # four standard errors of a share of .05

def arms(w): return dict(ATT=w == 1, ATU=w == 0, ATE=w >= 0)

# (R, G, 2) contrasts of texts in prompts → estimate, CR2 contributions (R, G), degrees of freedom
def estimates(v, keep):
    m = keep.sum((1, 2))
    est, h = (v*keep).sum((1, 2))/m, keep.sum(2)/m[:, None]
    a, b = h/(1 - h), h*h/(1 - h)
    df = 1/((a**2).sum(1) - 2*(a*b).sum(1) + b.sum(1)**2)
    return est, ((v - est[:, None, None])*keep).sum(2)/m[:, None]/np.sqrt(1 - h), df

def error(psi): return np.sqrt((psi**2).sum(1))

def joint_p(one, two, G): # F test that both are 0; G is large, so its degrees of freedom need not be exact
    psi = np.stack([one[1], two[1]], -1)
    V = np.einsum("rgi,rgj->rij", psi, psi)
    m = np.stack([one[0], two[0]], -1)
    return fisher.sf(np.einsum("ri,ri->r", m, np.linalg.solve(V, m[..., None])[..., 0])*(G - 2)/(2*(G - 1)),
                     2, G - 2)

@cache
# {(what, arm): (estimate, standard error, degrees of freedom)}, and joint p-values
def audits(world, replicates=REPLICATES, seed=11):
    rng, out, joint = np.random.default_rng(seed), {}, []
    for _ in range(0, replicates, AT_ONCE):
        df = world.simulate(N*min(AT_ONCE, replicates), rng)
        w = df.w.to_numpy().reshape(-1, N//2, 2)
        for name, recipe in RECIPES.items():
            plain = sum(b*df[c].to_numpy() for c, b in recipe.items()).reshape(w.shape)
            # what a rewrite adds, not mirrored
            level = name in ("placebo", "third")
            found = {dict(ATT="with", ATU="without", ATE="all")[e] if level
                     else e: estimates(plain if level else plain*(2*w - 1), keep) for e,
                     keep in arms(w).items()}
            if name == "placebo":
                joint.append(joint_p(found["with"], found["without"], np.full(len(w), N//2)))
            for e, (est, psi, dof) in found.items():
                out.setdefault((name, e), []).append((est, error(psi), dof))
    return {k: tuple(np.concatenate(v) for v in zip(*parts))
            for k, parts in out.items()}, np.concatenate(joint)

def p_values(found, null=0.): return 2*student.sf(abs(found[0] - null)/found[1], found[2])

def covers(found, truth): return p_values(found, truth) >= .05


def test_the_public_functions_say_what_the_arrays_say():
    world, R = TextWorld(drift=.02), 3
    df = world.simulate(N*R, np.random.default_rng(11))
    many, joint = audits(world, R)
    for r in range(R):
        one = df.iloc[r*N:(r + 1)*N]
        p, d = placebo(one), drift(one)
        steps = d.steps.set_index(["way", "arm"])
        for arm in ("all", "with", "without"):
            row = p.table.set_index("arm").loc[arm]
            for here, there in ((row, "placebo"), (steps.loc[("same target", arm)], "placebo"),
                                (steps.loc[("third rewrite", arm)], "third")):
                m = here["difference"] if "difference" in here else here["per_rewrite"]
                assert np.allclose((m, here.std_error, here.p_value),
                                   (many[there, arm][0][r], many[there, arm][1][r],
                                    p_values(many[there, arm])[r]), rtol=1e-9, atol=1e-12)
        assert np.isclose(p.joint.p_value[0], joint[r], rtol=.1)
        for row in d.table.itertuples():
            assert (np.isclose(row.estimate, many[row.estimator, row.estimand][0][r])
                    and np.isclose(row.std_error, many[row.estimator, row.estimand][1][r]))
            if row.estimator != "rate":
                assert np.allclose((row.shift, row.shift_p),
                                   (many[f"rate less {row.estimator}", row.estimand][0][r],
                                    p_values(many[f"rate less {row.estimator}", row.estimand])[r]), rtol=1e-8)


def test_size_is_five_per_cent_when_all_holds():
    many, joint = audits(TextWorld())
    sizes = {k: (p_values(v) < .05).mean() for k, v in many.items() if k[0] in ("placebo", "third", *SHIFTS)}
    sizes |= {("joint", "either arm"): (joint < .05).mean()}
    # intervals of the effects
    sizes |= {(k, e): 1 - covers(many[k, e], TRUTH[e]).mean() for k in ("rate", "same_depth", "rate3")
              for e in TRUTH}
    assert len(sizes) == 25 and all(abs(s - .05) <= SLACK for s in sizes.values()), sizes


def test_the_equivalence_test_has_its_size_at_the_margin_and_power_at_no_difference():
    edge, still = (audits(TextWorld(drift=d))[0]["placebo", "all"] for d in (.3, 0.))
    claims = lambda v, margin: np.maximum(student.sf((v[0] + margin)/v[1], v[2] - 1),
                                          student.sf((margin - v[0])/v[1], v[2] - 1)) < .05
    assert abs(claims(edge, .3).mean() - .05) <= SLACK and claims(still, .18).mean() > .99


def test_drift_of_three_tenths_is_always_found_and_the_other_estimators_keep_their_truth():
    many, joint = audits(TextWorld(drift=.3))
    assert (joint < .05).mean() > .9
    for way in ("placebo", "third"):
        for arm in ("all", "with", "without"):
            assert (p_values(many[way, arm]) < .05).mean() > .9 and abs(many[way, arm][0].mean() - .3) < .005
    for e, sign in (("ATT", 1), ("ATU", -1)):
        assert (abs(many["rate", e][0].mean() - TRUTH[e] - sign*.3) < .005
                and (p_values(many["rate", e], TRUTH[e]) < .05).mean() > .9)
        for k in ("same_depth", "rate3"):
            assert ((p_values(many[f"rate less {k}", e]) < .05).mean() > .9
                    and abs(covers(many[k, e], TRUTH[e]).mean() - .95) <= SLACK)
    # half the texts gain, half lose: the ATE looks fine
    assert abs(many["rate", "ATE"][0].mean() - .9) < .01


# Words

@pytest.fixture(scope="module")
def texts():
    world = TextWorld(drift=.3)
    examples = world.examples(N, np.random.default_rng(5))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter, depth=3, both=True)
    return world, examples, rewrites, to_scored(examples, rewrites,
                                                score_rewrites(examples, rewrites, world.reward,
                                                    progress=False))


def test_simulated_rewards_are_those_of_rendered_texts(texts):
    world, examples, rewrites, scored = texts
    domain, rewrites = examples.set_index("example_id").domain, rewrites.head(600)
    seen = [read_draft(t.replace(f" {MARK}", "")) for t in rewrites.text]
    latents = pd.DataFrame([vars(d.surface)
                            for d in seen]).assign(domain=rewrites.example_id.map(domain).to_numpy(),
                                                   marks=[t.count(MARK) for t in rewrites.text],
        sentiment=[side(t, "sentiment") for t in rewrites.text],
                                                   length=[side(t, "length") for t in rewrites.text])
    prompts = rewrites.example_id.map(examples.set_index("example_id").prompt)
    assert np.allclose(world.reward.of(latents), world.reward(prompts, rewrites.text), rtol=0, atol=1e-12)
    assert np.allclose(world.reward.of(examples.assign(marks=0)),
                       world.reward(examples.prompt, examples.response), rtol=0, atol=1e-12)
    # in law: both moments of every contrast, per arm, from texts and from latents alone
    big = world.simulate(40_000, np.random.default_rng(6))
    assert rewrites.depth.nunique() == 3
    for recipe in (*RECIPES.values(), {"reward_original": 1.}):
        for w in (0, 1):
            a, b = (sum(c*d.loc[d.w == w, k].astype(float) for k, c in recipe.items()) for d in (scored, big))
            assert abs(a.mean() - b.mean()) < 4.5*(a.var()/len(a) + b.var()/len(b))**.5
            spread = ((a - a.mean())**2).std()/len(a)**.5
            assert abs(a.var() - b.var()) < 5*spread + .1*b.var()


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
    assert (p.finding().verdict == d.finding().verdict == "refuted" and "+0.3" in p.finding().finding
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
        with pytest.raises(InputError, match="must name one of"):
            result.finding()
        with pytest.raises(InputError, match="is not among"):
            result.finding(model="a third")
        assert result.finding(model="taste").verdict in ("passed", "undecided", "refuted")
    holes = one.assign(reward_same_target=one.reward_same_target.where(one.index % 3 > 0))
    assert (placebo(holes).table.n_missing > 0).all() and placebo(holes).table.n.iloc[0] == 200
    assert placebo(one, cluster=None).table.n_clusters.iloc[0] == 300 > placebo(one).table.n_clusters.iloc[0]
    alone = one[one.w == 1]
    assert (list(placebo(alone, margin=.2).table.arm) == ["all", "with"]
            and set(drift(alone).table.estimand) == { "ATT"}
            and drift(alone, margin=.05).finding().verdict == "refuted")


def test_rate3_is_a_name_like_the_others():
    one = TextWorld().simulate(400, np.random.default_rng(2))
    effects = estimate_effects(one, estimators=RATE3)
    assert effects.get("rate3",
                       "ATT").estimate == pytest.approx(drift(one).table.set_index(["estimator",
                           "estimand"]).estimate["rate3", "ATT"])


def test_a_margin_is_said_with_what_it_is_a_share_of():
    one = TextWorld().simulate(40, np.random.default_rng(2))
    arms = one.drop_duplicates("example_id").groupby("w").reward_original
    sd = np.sqrt((arms.var()*(arms.size() - 1)).sum()/(arms.size() - 1).sum())
    for margin in (.1, .25):
        said = f"Up to {margin*sd:.3f}, {margin} standard deviations of the original rewards, would not"
        for check in (placebo, drift):
            assert said in check(one, margin=margin).finding().finding
    judged = one.assign(judge_unit=1.)
    assert "0.2 of a verdict, would not matter" in placebo(judged, margin=.2).finding().finding


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
    assert placebo_says.verdict == alone.verdict == "refuted" and both.verdict == "passed"
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
