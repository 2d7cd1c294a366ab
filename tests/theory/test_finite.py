"Theorem 1 and its failures in hundreds of finite worlds, by equality of fractions"
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
from itertools import product
import numpy as np, pytest
from rate_nb.base.core import InputError
from rate_nb.theory.finite import FiniteWorld

ESTIMANDS, REWRITES = ("ATT", "ATU", "ATE"), ("single", "rate", "same_depth")


@cache
def laws(seed, k=12):
    counts = np.random.default_rng([seed, 99]).integers(1, 9, (k, 3))
    return [{i: F(int(c), int(row.sum())) for i, c in enumerate(row)} for row in counts]


@cache
def numbers(seed, *shape): return np.random.default_rng([seed, 7]).integers(-5, 6, shape)


def test_rate_is_exactly_unbiased_and_its_variance_times_n_is_constant():
    for seed in range(60):
        world = FiniteWorld.random(seed)
        for e in ESTIMANDS:
            assert world.expected("rate", e) == world.estimand(e)
        ate, att = world.variance("rate", "ATE", 1), world.variance("rate", "ATT", 1)
        for n in (2, 17, 1000):
            assert n*world.variance("rate", "ATE", n) == ate and n*world.variance("rate", "ATT", n) == att
        M = max(abs(world.reward(x, a, z, k)) for x, w, z, k in world.population for a in (0, 1))
        assert att <= 4*M*M                                                     # the theorem's bound


DIALS = {
    "by target": lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[target]),
    "by depth": lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[depth]),
    "by everything": lambda s: dict(rewrite=lambda x, z, target,
                                    depth: laws(s)[(3*x + 5*z + 2*target + depth) % 12]),
    "by old xi": lambda s: dict(keeps=F(1 + s % 9, 10)),
    "by old xi and depth": lambda s: dict(keeps=lambda depth: F(2*depth + s % 4, 9)),
    "interaction": lambda s: dict(interaction=lambda x, w, z, k: int(numbers(s, 2, 2, 2, 3)[x, w, z, k]),
                                  strength=F(1 + s % 5, 3)),
    "missed flips": lambda s: dict(misses={0: F(s % 7, 10), 1: F(1 + s % 4, 10)}),
    "old xi, law and interaction": lambda s: DIALS["by old xi"](s) | DIALS["by everything"](s)
    | DIALS["interaction"](s),
    "old xi, law and missed flips": lambda s: DIALS["by old xi"](s) | DIALS["by everything"](s)
    | DIALS["missed flips"](s),
}


@pytest.mark.parametrize("dial", DIALS)
def test_predicted_bias_equals_the_enumerated_one(dial):
    biased = 0
    for seed in range(12):
        world = FiniteWorld.random(seed, **DIALS[dial](seed))
        for e in ESTIMANDS:
            for name in REWRITES:
                assert world.predicted_bias(name, e) == world.bias(name, e), (seed, name, e)
        assert world.predicted_bias("naive", "ATE") == world.bias("naive", "ATE")
        biased += world.bias("rate", "ATT") != 0
    # the dial does break something
    assert biased >= 9


# In whose style: loops over plain tables, which share nothing with the simulation's own enumeration
XZ = list(product((0, 1), repeat=2))
ARMS = ((1, "ATT"), (0, "ATU"))


def alike(seed): # (x, z, target, depth) → law of ξ, which reads neither target nor depth
    return {(x, z, t, d): laws(seed)[2*x + z] for x, z in XZ for t in (0, 1) for d in (1, 2, 3)}


def in_style(law, h, seed=0, keeps=(0, 0), **more):
    "A simulation that draws ξ from `law`, and in which the table h[x, w, z, ξ] is a part of the reward"
    return FiniteWorld.random(seed, rewrite=lambda x, z, target, depth: law[x, z, target, depth],
                              keeps=lambda depth: F(keeps[min(depth, 2) - 1]), strength=F(1),
                              interaction=lambda x, w, z, k: int(h[x, w, z, k]), **more)


def alone(world): # the same texts, but nothing of the reward is left beside the table
    return replace(world, reward_wz=lambda x, w, z: 0, reward_xi=lambda x, k: 0)


def by_hand(world, law, keeps, arm, authors=None): # authors: the arms whose ξ is remembered
    "Of each (x, z) in one arm: its share, and the laws of ξ after one rewrite and after two"
    in_arm = sum(p for (x, w, z, k), p in world.population.items() if w == arm)
    for x, z in XZ:
        share = sum(world.population[x, arm, z, k] for k in range(3))/in_arm
        old = [sum(world.population[x, a, z, k] for a in authors or [arm]) for k in range(3)]
        s, t = map(F, keeps)
        one = [s*old[k]/sum(old) + (1 - s)*law[x, z, 1 - arm, 1][k] for k in range(3)]
        yield x, z, share, one, [t*one[k] + (1 - t)*law[x, z, arm, 2][k] for k in range(3)]


def reward_by_hand(world, x, w, z, k):
    return world.reward_wz(x, w, z) + world.reward_xi(x, k) + world.interaction(x, w, z, k)


def rate_by_hand(world, law, keeps, arm): # rewrite of rewrite against rewrite, as with minus without
    R = lambda *text: reward_by_hand(world, *text)
    return (2*arm - 1)*sum(share*(two[k]*R(x, arm, z, k) - one[k]*R(x, 1 - arm, z, k))
                           for x, z, share, one, two in by_hand(world, law, keeps, arm) for k in range(3))


def effect_by_hand(world, law, keeps, arm, authors=None): # at the ξ of the first rewrite
    R = lambda *text: reward_by_hand(world, *text)
    return sum(share*one[k]*(R(x, 1, z, k) - R(x, 0, z, k))
               for x, z, share, one, _ in by_hand(world, law, keeps, arm, authors) for k in range(3))


ONE_LAW = {"no memory": (0, 0), "the second rewrite remembers the first": (0, F(2, 3)),
           "the second rewrite copies the first": (0, 1), "it copies one that remembers": (F(1, 3), 1),
           "nothing changes": (1, 1)}


@pytest.mark.parametrize("memory", ONE_LAW)
def test_rate_is_the_effect_in_the_rewriters_style_without_additivity(memory):
    keeps, not_the_authors, not_both_arms = ONE_LAW[memory], 0, 0
    for seed in range(8):
        law, h = alike(seed), numbers(seed, 2, 2, 2, 3)
        world = in_style(law, h, seed, keeps)
        for arm, e in ARMS:
            found = world.expected("rate", e)
            assert (found == world.estimand(e, style="rewriter") == rate_by_hand(world, law, keeps, arm)
                    == effect_by_hand(world, law, keeps, arm))
            for x, z, _, one, two in by_hand(world, law, keeps, arm):
                assert world.styles("rate", x, arm, z) == tuple({k: p for k, p in enumerate(each) if p}
                                                                for each in (two, one)) and one == two
            not_the_authors += found != world.estimand(e)
            not_both_arms += found != effect_by_hand(world, law, keeps, arm, authors=(0, 1))
        assert world.expected("rate", "ATE") == world.estimand("ATE", style="rewriter")
        # ξ does not meet W: the effect is the same in every style
        flat = in_style(law, h[:, :1].repeat(2, axis=1), seed, keeps)
        assert all(flat.expected("rate", e) == flat.estimand(e, style="rewriter") == flat.estimand(e)
                   for e in ESTIMANDS)
    assert not_the_authors >= 14 if memory != "nothing changes" else not not_the_authors
    # the law is one given the arm, and the arm matters as soon as the original is remembered
    assert not_both_arms >= 14 if keeps[0] else not not_both_arms


def test_which_memory_breaks_it():
    for seed, keeps in enumerate([(F(1, 2), F(1, 2)), (F(1, 3), 0), (1, F(3, 4)), (F(1, 5), F(4, 5))]):
        law, h = alike(seed), numbers(seed, 2, 2, 2, 3)
        for arm, e in ARMS:
            world = in_style(law, h, seed, keeps)
            with pytest.raises(InputError, match="two styles"):
                world.estimand(e, style="rewriter")
            blind = alone(in_style(law, h[:, :1].repeat(2, axis=1), seed, keeps))
            in_arm = sum(p for u, p in world.population.items() if u[1] == arm)
            gap = sum(p*(sum(q*h[x, 0, z, j] for j, q in law[x, z, 0, 1].items()) - h[x, 0, z, k])
                      for (x, w, z, k), p in world.population.items() if w == arm)/in_arm
            s, t = keeps
            assert blind.expected("rate", e) == (2*arm - 1)*s*(1 - t)*gap != 0
            # authors who write like the rewriter: what is remembered has the same law
            like = {u: law[u[0], u[2], 0, 1] for u in world.population}
            same = replace(world, population={u: F(1, 8)*like[u][u[3]] for u in like})
            assert same.expected("rate", e) == same.estimand(e, style="rewriter") == same.estimand(e)
            assert world.expected("same_depth", e) == world.estimand(e, style="rewriter",
                                                                     estimator="same_depth")


def test_naive_variance_by_brute_force():
    world = FiniteWorld.random(2)
    law = [(p, u[1], world.reward(*u)) for u, p in world.population.items()]
    total = first = second = F(0)
    for p, w, r in law:
        for q, v, s in law:
            if w != v:
                total += p*q
                d = (r - s)*(1 if w else -1)
                first += p*q*d
                second += p*q*d*d
    assert (first/total == world.expected("naive", "ATE")
            and second/total - (first/total)**2 == world.variance("naive", "ATE", 2))


def test_samples_have_the_exact_moments():
    world = FiniteWorld.random(6, keeps=F(1, 3))
    big = world.sample(40_000, rng=1)
    for name, a, b in (("single", "reward_original", "reward_rewrite"),
                       ("rate", "reward_rewrite_of_rewrite", "reward_rewrite"),
                       ("same_depth", "reward_same_target", "reward_rewrite")):
        for w, e in ((1, "ATT"), (0, "ATU")):
            c = ((2*w - 1)*(big[a] - big[b]))[big.w == w]
            variance = float(world.variance(name, e, 1))
            assert abs(c.mean() - float(world.expected(name, e))) < 4*np.sqrt(variance/len(c))
            assert abs(c.var() - variance) < 5*np.sqrt(((c - c.mean())**4).mean()/len(c))


@pytest.mark.parametrize("change, says", [
    (dict(keeps=.5), "is a float"), (dict(keeps=F(3, 2)), "are probabilities"),
    (dict(rewrite={0: F(1, 2)}), "add up to 1/2"), (dict(misses={0: -1, 1: 0}), "are probabilities")])
def test_bad_worlds(change, says):
    with pytest.raises(InputError, match=says):
        replace(FiniteWorld.random(0), **change)


def test_bad_questions():
    world = FiniteWorld.random(0)
    for call in (lambda: world.estimand("ATM"), lambda: world.expected("naive", "ATT"),
                 lambda: world.expected("rats", "ATT"), lambda: world.variance("rate", "ATT", 0),
                 lambda: world.estimand("CATE"), lambda: world.estimand("ATT", style="mine"),
                 lambda: world.estimand("ATT", style="rewriter", estimator="naive"),
                 lambda: world.styles("rate", 9, 1, 0),
                 lambda: world.estimand("CATE", given=lambda x, w, z, xi: x == 9),
                 lambda: FiniteWorld.random(0, misses=F(1, 2), interaction=lambda *u: 1,
                                      strength=F(1)).predicted_bias("rate", "ATT")):
        with pytest.raises(InputError):
            call()
