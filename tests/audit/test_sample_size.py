("Plans from pilots: the planned number of texts reaches the wanted width, and the stated ranges mean what "
 "they say.")
import math
from dataclasses import replace
import numpy as np
import pandas as pd
import pytest
from rate_nb.base.core import InputError
from rate_nb.estimators.effects import estimate_effects
from rate_nb.theory.finite import FiniteWorld
from rate_nb.rewriting.planning import plan_rewriting
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.llm.prices import Price
from rate_nb.rewriting.chains import double_rewrite, tokens_used
from rate_nb.audit.sample_size import chain_cost, plan_design, plan_sample_size
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import TextWorld

world = TextWorld("sentiment")


def audit(n, seed, draws=1):
    examples = world.examples(n, np.random.default_rng(seed))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter, draws=draws)
    return to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))


@pytest.fixture(scope="module")
def population(): return audit(800, 0)


def dice(draws, n, rng, lost=0., clustered=1):
    "A pilot in which only rewrites vary: the variance of a contrast is 1/draws"
    e = np.repeat(np.arange(n), draws)
    d = pd.DataFrame(dict(example_id=e, prompt_id=e // clustered, draw=np.tile(np.arange(draws), n),
                          model="m", w=e % 2, reward_original=(e % 7) / 7., reward_rewrite=0.))
    d["reward_rewrite_of_rewrite"] = np.where(d.w == 1, 1, -1) * (.5 + rng.normal(size=len(e)))
    return d.assign(reward_rewrite=d.reward_rewrite.mask(d.example_id // 2 % 100 < 100 * lost))


def test_no_pilot_plans_a_variance_of_nothing():
    "Pilots of ten prompts, ten draws planned from two: rewrites alone are the least that V can be"
    plans = [plan_sample_size(dice(2, 50, np.random.default_rng(seed), clustered=5), draws=10)
             for seed in range(20)]
    assert all(.02 < p.variance < .5 and math.isfinite(p.log_error)
               for p in plans), [p.variance for p in plans]
    assert all(2 <= a.n_range[0] <= a.n <= a.n_range[1] for a in (p.for_width(.2) for p in plans))


def test_a_pilot_whose_contrasts_are_all_equal_plans_nothing():
    pilot = dice(1, 40, np.random.default_rng(0))
    for change in (0., .5): # an interval of no width was promised with six texts
        even = pilot.assign(reward_rewrite=change*(1 - pilot.w), reward_rewrite_of_rewrite=change*pilot.w)
        with pytest.raises(InputError, match=f"contrasts of this pilot are all {change:.3g}, which"):
            plan_sample_size(even)


def test_a_variance_that_is_no_number_is_said():
    pilot = dice(2, 60, np.random.default_rng(0))
    with pytest.raises(InputError, match="pilot's variance is not a number"):
        replace(plan_sample_size(pilot), variance=math.nan).for_width(.2)
    # every second draw failed
    once = pilot.assign(reward_rewrite=pilot.reward_rewrite.mask(pilot.draw == 1))
    with pytest.raises(InputError, match="no response behind this estimate has two usable draws"):
        plan_sample_size(once, draws=5)
    assert math.isfinite(plan_sample_size(once).variance)


def test_costs_are_those_of_the_pilot(tmp_path):
    "Tokens counted by the endpoint, at a price: sixty dollars are sixty dollars"
    examples = world.examples(40, np.random.default_rng(6))
    with Sandbox() as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                  api_key=lambda: "k")
        rewrites = double_rewrite(examples, "sentiment", rewriter)
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))
    price = Price(2.5, 10)
    plan = plan_sample_size(scored, rewrites=rewrites, prices=price)
    spent = tokens_used(rewrites)
    assert np.isclose(40 * plan.dollars_response, price.cost(spent["prompt"], spent["completion"]))
    got = plan.for_budget(60)
    assert (got.dollars <= 60 < got.dollars + plan.dollars_response
            and got.dollars_range[0] < got.dollars < got.dollars_range[1])
    assert np.isclose(plan_sample_size(scored, rewrites=rewrites, prices=price, batch=True).for_budget(60).n,
                      2 * got.n, rtol=.001)
    assert np.isclose(plan_sample_size(scored, rewrites=rewrites, prices=price,
                                       cost_response=plan.dollars_response).for_budget(60).n,
                      got.n / 2, rtol=.01)
    assert np.isclose(got.tokens[0], got.n * spent["prompt"] / 40,
                      rtol=1e-3) and r"\$" in got._repr_markdown_()
    planned = chain_cost(rewriting=plan_rewriting(examples, "sentiment", world.rewriter, prices=price))
    assert planned.dollars > 0 and planned.error > 0


def test_failures_widen_the_plan(population):
    "A pilot in which a third of the treated failed needs more texts, and says how many failed"
    pilot = population.head(200).copy()
    whole = plan_sample_size(pilot)
    pilot.loc[(pilot.w == 1) & (np.arange(200) % 3 == 0), "reward_rewrite"] = np.nan
    holed = plan_sample_size(pilot)
    assert holed.for_width(.1).n > whole.for_width(.1).n and .25 < holed.rates.set_index("w").share[1] < .42
    unchanged = pilot.assign(status_rewrite=np.where(np.arange(200) % 5 == 0, "unchanged", "ok"))
    assert any("compliance=0.80" in n for n in plan_sample_size(unchanged).notes)
    assert plan_sample_size(unchanged, compliance=.8).for_width(.1).n > 1.5 * holed.for_width(.1).n


def test_an_arms_own_plan(population):
    "Planning for the ATT counts and pays the texts of both arms"
    plan = plan_sample_size(population, estimand="ATT")
    e = estimate_effects(population, estimators=["rate"]).get("rate", "ATT")
    assert np.isclose(plan.variance,
                      len(population) * e.std_error**2) and plan.for_width(.1).n > plan_sample_size(
                          population).for_width(.1).n
    assert plan.table.width.is_monotonic_decreasing and "80% power" in plan._repr_markdown_()


def test_prompts_are_counted_in_whole_numbers():
    ("22 texts of 10 prompts: three times the texts are three times the prompts, never one fewer for want "
     "of a digit")
    plan = plan_sample_size(FiniteWorld.random(3).sample(22, 1).assign(prompt_id=lambda d: d.example_id % 10))
    assert [plan.size(22*k).prompts for k in range(1, 200)] == list(range(10, 2000, 10))


def noise(kind, rng, n): # mean 0, variance 1
    if kind == "t3":
        return rng.standard_t(3, n)/3**.5
    if kind == "lognormal":
        return (rng.lognormal(size=n) - math.exp(.5))/math.sqrt(math.exp(2) - math.e)
    return rng.exponential(size=n) - 1 if kind == "exponential" else rng.normal(size=n)


def pilot_of(rng, kind, prompts, texts, draws):
    "A scored table; contrasts are .5 plus noise of prompt, text and rewrite, with variances .5, .2 and .3"
    n = prompts*texts
    p, e = np.repeat(np.arange(prompts), texts), np.repeat(np.arange(n), draws)
    text = .5 + .5**.5*noise(kind, rng, prompts)[p] + .2**.5*noise(kind, rng, n)
    c, w = text[e] + .3**.5*noise(kind, rng, n*draws), rng.integers(0, 2, n)[e]
    return pd.DataFrame(dict(example_id=e, prompt_id=p[e], draw=np.tile(np.arange(draws), n), model="m", w=w,
                             reward_original=0., reward_rewrite=np.where(w == 1, 0, c),
                             reward_rewrite_of_rewrite=np.where(w == 1, c, 0)))


def test_a_pilot_too_small_for_tails_says_so():
    rng = np.random.default_rng(21)
    small, large = (plan_sample_size(pilot_of(rng, "normal", G, 1, 1)) for G in (20, 30))
    assert "long tails" in small.notes[0] and "long tails" not in large.notes[0]
    width, low, high = large.width(1000)
    assert high/width > width/low # longer upwards: what was not seen can only add


def test_uneven_prompts_cost_what_their_mean_size_costs():
    "A third of the prompts has four responses, the others one: two a prompt, though 1/m has another mean"
    rng = np.random.default_rng(0)
    even = pilot_of(rng, "normal", 30, 4, 1)
    uneven = even[(even.prompt_id % 3 == 0) | ~even.prompt_id.duplicated()]
    table, found = plan_design(uneven, width=.5)
    assert found.each == len(uneven)/30 > found.m and table.responses[0] == found.each
    assert table.chains[0] == pytest.approx(table.prompts[0]*found.each)
