"Theorem 1 and its failures in hundreds of finite worlds, by equality of fractions"
from dataclasses import replace
from fractions import Fraction as F
from functools import cache
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
    for seed in range(300):
        world = FiniteWorld.random(seed)
        for e in ESTIMANDS:
            assert world.expected("rate", e) == world.estimand(e)
        ate, att = world.variance("rate", "ATE", 1), world.variance("rate", "ATT", 1)
        for n in (2, 17, 1000):
            assert n*world.variance("rate", "ATE", n) == ate and n*world.variance("rate", "ATT", n) == att
        M = max(abs(world.reward(x, a, z, k)) for x, w, z, k in world.population for a in (0, 1))
        assert att <= 4*M*M                                                     # the theorem's bound


def test_most_worlds_bias_the_other_two():
    worlds = [FiniteWorld.random(s) for s in range(100)]
    assert (sum(w.bias("naive", "ATE") != 0 for w in worlds) > 90
            and sum(w.bias("single", "ATT") != 0 for w in worlds) > 90)


DIALS = {
    "by target": lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[target]),
    "by depth": lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[depth]),
    "by everything": lambda s: dict(rewrite=lambda x, z, target,
                                    depth: laws(s)[(3*x + 5*z + 2*target + depth) % 12]),
    "by old xi": lambda s: dict(keeps=F(1 + s % 9, 10)),
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


@pytest.mark.parametrize("harmless", [
    lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[x]),
    lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[z]),
    lambda s: dict(rewrite=lambda x, z, target, depth: laws(s)[2*x + z]),
    lambda s: dict(interaction=lambda x, w, z, k: int(numbers(s, 2, 2, 3)[x, z, k]), strength=F(1)),   # Z × ξ
    lambda s: dict(interaction=lambda x, w, z, k: int(numbers(s, 2, 2, 2)[x, w, z]), strength=F(1)),   # W × Z
    lambda s: dict(keeps=F(1)),
], ids=["prompt", "Z", "prompt and Z", "Z with xi", "W with Z", "perfect rewriter"])
def test_these_violations_do_not_bias_rate(harmless):
    for seed in range(40):
        world = FiniteWorld.random(seed, **harmless(seed))
        assert all(world.bias("rate", e) == 0 for e in ESTIMANDS)


def test_same_depth_survives_drift_and_old_xi():
    for seed in range(20):
        for dial in ("by depth", "by old xi"):
            assert all(FiniteWorld.random(seed, **DIALS[dial](seed)).bias("same_depth", e) == 0
                       for e in ESTIMANDS)


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
                 lambda: world.estimand("CATE"),
                 lambda: world.estimand("CATE", given=lambda x, w, z, xi: x == 9),
                 lambda: FiniteWorld.random(0, misses=F(1, 2), interaction=lambda *u: 1,
                                      strength=F(1)).predicted_bias("rate", "ATT")):
        with pytest.raises(InputError):
            call()
