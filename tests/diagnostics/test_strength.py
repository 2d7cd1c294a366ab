"""What a reviewer's silence is worth: habits that are unnoticed and lie beyond the stated bound are rare.

The simulation draws habits, rewards and a reviewer by itself; only the bound comes from the package.
"""
from itertools import product
import numpy as np
import pandas as pd
import pytest
from sampling import possible, repeats
from rate_nb.base.core import InputError
from rate_nb.diagnostics.strength import (
    required_strength, sensitivity_limit, told_apart, unseen_bound)

N, DRAWS, PAIRS, PLANTED = 300, 2, 40, 40


def habits(rng, p0, d, agreement): # (2, N, DRAWS) is the habit there, in rewrites to 0 and to 1?
    "Draws of one response and target agree: with this chance a draw follows what is usual for the response"
    usual, own = rng.random((2, N, 1)), rng.random((2, N, DRAWS))
    u = np.where(rng.random((2, N, DRAWS)) < agreement, usual, own)
    return (u < np.array([p0, p0 + d])[:, None, None]).astype(float)


def table(rewards): # (2, N, DRAWS) rewards of rewrites to 0 and to 1 → a scored table
    w = np.arange(N) % 2 # every other response is treated
    own, other = rewards[w, np.arange(N)], rewards[1 - w, np.arange(N)]
    at, originals = np.repeat(np.arange(N), DRAWS), np.random.default_rng(9).normal(size=N)
    return pd.DataFrame(dict(example_id=at, prompt_id=at, draw=np.tile(np.arange(DRAWS), N), model="m",
                             w=np.repeat(w, DRAWS), reward_original=originals[at],
                             reward_rewrite=other.ravel(), reward_rewrite_of_rewrite=own.ravel()))


def unnoticed_beyond(seed, p0, d, agreement, noise, sensitivity):
    "One audit: is a habit worth 1 unnoticed in all pairs read, although its bias lies beyond the bound?"
    rng = np.random.default_rng(seed)
    h = habits(rng, p0, d, agreement)
    read = rng.choice(N, PAIRS, replace=False)
    if (rng.random(PAIRS) < sensitivity*(h[0, read, 0] != h[1, read, 0])).any():
        return False # noted, so that it is coded and priced
    low = sensitivity_limit(rng.binomial(PLANTED, sensitivity), PLANTED)
    rewards = h + noise*rng.normal(size=h.shape)
    return d > unseen_bound(table(rewards), PAIRS, low).bound


@pytest.mark.slow("each habit a hundred times; the whole study has more")
@pytest.mark.parametrize("sensitivity", [.9, .6])
def test_unnoticed_habits_beyond_the_bound_are_rare(sensitivity):
    cells = list(product((0, .2, .45), (.05, .1, .15, .2, .3), (0, .8, 1), (0, .3, 1)))
    times = repeats(100, 1000)
    hits = [sum(unnoticed_beyond(10_000*i + s, *cell, sensitivity) for s in range(times))
            for i, cell in enumerate(cells)]
    assert possible(hits, times, 0, .05), dict(zip(cells, hits))
    assert sum(hits) <= .05*times*len(cells)


def test_a_fixed_habit_shows_nothing_within_cells_and_is_bounded_between_responses():
    "A multiple of σ would call this bias impossible"
    rng = np.random.default_rng(3)
    there = np.repeat((rng.random(N) < .1)[:, None], DRAWS, axis=1)
    scored = table(np.stack([0*there, there]).astype(float))
    assert required_strength(scored).withheld
    low = sensitivity_limit(38, 40)
    assert unseen_bound(scored, PAIRS, low).bound > .1


def noisy(rng, effect=1., scale=1.): # an effect, and noise of 1 in every rewrite
    rewards = rng.normal(size=(2, N, DRAWS)) + np.array([0, effect])[:, None, None]
    return table(rewards*scale)


def test_yardstick_and_required_strength_of_known_noise():
    found = required_strength(noisy(np.random.default_rng(1)))
    assert abs(found.sigma - 1) < .1 < found.sigma_high - found.sigma + .1
    assert abs(found.yardstick - 1/np.sqrt(2)) < .15
    assert 0 < found.required < 1/5 # of r = 1: the limits are used
    assert found.table.required.iloc[0] == found.required


def test_no_effect_requires_nothing():
    found = required_strength(noisy(np.random.default_rng(2), effect=0.))
    assert found.required == 0 and "explain" not in str(found)
    assert not unseen_bound(noisy(np.random.default_rng(2), effect=0.), 40, .8).enough


def test_draws_that_repeat_are_known_by_their_texts():
    "A reward in whole points gives many ties although the texts differ"
    scored = noisy(np.random.default_rng(4))
    rewards = ["reward_rewrite", "reward_rewrite_of_rewrite"]
    scored[rewards] = (scored[rewards] > 1.2).astype(float)
    made = pd.concat([scored[["example_id", "draw"]].assign(
        depth=depth, target_w=(1 - scored.w if depth == 1 else scored.w), status="ok") for depth in (1, 2)])
    made = made.reset_index(drop=True).assign(text=lambda t: t.index.astype(str))
    assert required_strength(scored).withheld and not required_strength(scored, rewrites=made).withheld
    assert required_strength(scored, rewrites=made.assign(text="the same")).withheld


@pytest.mark.parametrize("scale", [1e-9, 1e6])
def test_the_scale_of_rewards_changes_no_share(scale):
    one, other = (noisy(np.random.default_rng(5), scale=s) for s in (1., scale))
    assert required_strength(other).required == pytest.approx(required_strength(one).required)
    bound = unseen_bound(one, 40, .8).bound
    assert unseen_bound(other, 40, .8).bound == pytest.approx(scale*bound)


def test_one_arm_missing_rewrites_and_one_response():
    scored = noisy(np.random.default_rng(6))
    treated = scored[scored.w == 1]
    assert required_strength(treated, estimand="ATT").required > 0
    assert unseen_bound(treated, 40, .8, estimand="ATT").effect.estimand == "ATT"
    with pytest.raises(InputError, match="No example without"):
        unseen_bound(treated, 40, .8)
    gaps = scored.assign(reward_rewrite=scored.reward_rewrite.where(scored.index % 3 > 0))
    assert np.isfinite(unseen_bound(gaps, 40, .8).bound) and required_strength(gaps).cells < 2*N
    lone = scored[scored.example_id == 1]
    assert unseen_bound(lone, 40, .8, estimand="ATT").bound == np.inf
    assert not required_strength(lone, estimand="ATT").required > 0


def test_a_judge_has_a_bound_and_no_required_strength():
    judged = noisy(np.random.default_rng(7)).assign(judge_unit=1., reward_rewrite=0.)
    assert "judge" in required_strength(judged).withheld
    assert np.isfinite(unseen_bound(judged, 40, .8).bound)


def test_several_models_are_named_and_nonsense_is_refused():
    two = pd.concat([noisy(np.random.default_rng(8)).assign(model=m) for m in "ab"])
    with pytest.raises(InputError, match="model="):
        unseen_bound(two, 40, .8)
    for wrong in (dict(k=-1), dict(k=2.5), dict(sensitivity=1.2), dict(sensitivity=np.nan),
                  dict(at_once=0), dict(level=2)):
        with pytest.raises(InputError, match=next(iter(wrong))):
            unseen_bound(two, **dict(k=40, sensitivity=.8, model="a") | wrong)
    found = unseen_bound(two, 40, .8, model="a")
    for wish in (0, -1, np.nan):
        with pytest.raises(InputError, match="wish"):
            found.pairs_for(wish)


def test_two_rows_of_a_response_count_as_one_cluster():
    "Rows that repeat each other in a prompt leave the spread and raise its upper limit"
    scored = noisy(np.random.default_rng(10))
    again = pd.concat([scored, scored.assign(example_id=scored.example_id + N)])
    one, two = (unseen_bound(t, 40, .8) for t in (scored, again))
    assert two.spread == pytest.approx(one.spread)
    assert two.spread_high == pytest.approx(one.spread_high, rel=.02)
    free = unseen_bound(again, 40, .8, cluster=None)
    assert free.spread_high < two.spread_high


def test_features_that_reveal_the_target_and_many_that_do_not():
    rng = np.random.default_rng(11)
    prompts = np.arange(200)//2
    noise = rng.normal(size=(2, 200, 150))
    assert told_apart(*noise, prompts) < .05
    shifted = noise[0] + 3*np.eye(150)[0]
    assert .2 < told_apart(shifted, noise[1], prompts) < 9/(4 + 9) + .05 # r = 3 in one of 150
    assert np.isnan(told_apart(np.ones((1, 1)), np.zeros((1, 1))))
    with pytest.raises(InputError, match="finite"):
        told_apart(np.full((3, 1), np.nan), np.zeros((3, 1)))
