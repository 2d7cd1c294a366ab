("Looking while texts come in: bands hold at all looks together, and audits that stop themselves may be "
 "believed.")
import numpy as np
import pytest
from rate_nb.audit import Audit, Design
from rate_nb.base.core import InputError
from rate_nb.estimators.effects import estimate_effects
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.estimators.anytime import anytime_interval, audit_until, sequential_effects
from rate_nb.theory.text_world import TextWorld

world = TextWorld("sentiment")


@pytest.fixture(scope="module")
def pool():
    examples = world.examples(600, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    return to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))


def test_an_audit_that_stops_itself_pays_for_no_text_twice(tmp_path):
    "Growing parts of one population through Audit and an endpoint; the shared store makes earlier parts free"
    examples, asked = world.examples(300, np.random.default_rng(3)), []
    with Sandbox() as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "store.sqlite",
                                  api_key=lambda: "k")
        def score(part):
            scored = Audit(part, "sentiment", rewriter, world.reward, tmp_path / f"{len(part)}",
                           store=tmp_path / "store.sqlite", design=Design(check=0)).score()
            asked.append((len(part), box.requests))
            return scored
        stopped = audit_until(score, examples, .3, rng=4, first=32)
    assert stopped.reached and len(stopped.looks) > 1 and stopped.looks.texts.iloc[-1] < 300
    assert stopped.looks.width.iloc[-1] <= .3 < stopped.looks.width.iloc[-2]
    # two rewrites of each text, none of them twice
    assert all(requests <= 2 * texts for texts, requests in asked) and asked[0][1] > 0
    assert ("after a burn-in of 32 prompts" in stopped.sentence()
            and str(int(stopped.looks.texts.iloc[-1])) in stopped._repr_markdown_())


@pytest.fixture(scope="module")
def singles(pool):
    "Examples with a prompt each, and their scored table"
    scored = pool.drop_duplicates("prompt_id").reset_index(drop=True)
    return scored[["example_id", "prompt_id", "w"]].assign(prompt="?", response="x"), scored


def test_failures_before_the_first_look_only_postpone_it(singles):
    "Twenty prompts of which two failed are too few for a look at twenty; the next step has enough"
    examples, scored = singles[0].head(40), singles[1].copy()
    scored.loc[scored.index % 10 == 0, "reward_rewrite"] = np.nan
    score = lambda part: scored[scored.example_id.isin(part.example_id)]
    stopped = audit_until(score, examples, .01, rng=0, first=20)
    assert (not stopped.reached
            and len(stopped.looks) >= 1
            and stopped.looks.texts.iloc[-1] == 40
            and "after 40 texts" in stopped.sentence())
    assert np.isclose(stopped.looks.estimate.iloc[-1],
                      estimate_effects(score(examples), estimators=["rate"]).get("rate", "ATE").estimate)
    # rows that are not there at all
    whole = lambda part: score(part).dropna(subset="reward_rewrite")
    assert np.isclose(audit_until(whole, examples, .01, rng=0, first=20).looks.estimate.iloc[-1],
                      estimate_effects(whole(examples), estimators=["rate"]).get("rate", "ATE").estimate)
    # a third is left
    def hardly(part): return (s := score(part)).assign(reward_rewrite=s.reward_rewrite.where(s.index % 3
        == 1))
    with pytest.raises(InputError, match="no ATE after all 40 prompts: fewer than 20"):
        audit_until(hardly, examples, .01, rng=0, first=20)
    with pytest.raises(InputError, match="no text has a usable rate contrast"):
        audit_until(lambda part: score(part).assign(reward_rewrite=np.nan), examples, .01, rng=0, first=20)
    def paid(part): raise AssertionError("nothing may be scored for a question that has no answer")
    with pytest.raises(InputError, match="`estimand` must be one of"):
        audit_until(paid, examples, .01, rng=0, estimand="ate")
    with pytest.raises(InputError, match="so there is no ATE"):
        audit_until(paid, examples[examples.w == 1], .01, rng=0)


def drawn(kind, rng, shape):
    "Noise of mean 0 and variance 1; `rare`: one prompt in fifty differs from the rest"
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "t3":
        return rng.standard_t(3, shape)/3**.5
    if kind == "lognormal":
        return (rng.lognormal(size=shape) - np.exp(.5))/np.sqrt(np.exp(2) - np.exp(1))
    return ((rng.random(shape) < .02) - .02)/np.sqrt(.02*.98)


@pytest.mark.parametrize("kind", ["lognormal", "rare"])
def test_a_declared_bound_needs_no_burn_in(kind):
    """The true mean is missed where a sum of errors exceeds the mixture's bound for Delyon's variance: in at
    most 5% of audits from the first prompt on. The band that ships holds all means that are not excluded"""
    rng, R, G = np.random.default_rng(13), 500, 400
    x, t = drawn(kind, rng, (R, G)), np.arange(1, G + 1)
    c = 500/(2*np.log(20) + np.log(2*np.log(20) + 1))
    def excluded(mean): # (R, G)
        v = (np.cumsum((x - mean)**2, 1) + 2*t)/3
        return np.cumsum(x - mean, 1)**2 > (v + c)*np.log((v/c + 1)*400)
    assert excluded(0.).any(1).mean() < .05 + 3*np.sqrt(.05*.95/R)
    path = anytime_interval(x[0], sd=1.)
    for mean in np.linspace(-.6, .6, 13):
        kept = ~excluded(mean)[0, 1:]
        assert ((path.ci_low <= mean) & (mean <= path.ci_high))[kept].all()


def test_a_bound_on_the_spread_is_kept_with_prompts_of_every_size():
    "A prompt's texts move together, one prompt in five has ten of them; the bound is that of a prompt's mean"
    rng, misses = np.random.default_rng(12), []
    for _ in range(40):
        size = np.where(rng.random(80) < .2, 10, 1)
        prompts = np.repeat(np.arange(80), size)
        path = anytime_interval(2 + 3*drawn("lognormal", rng, 80)[prompts], prompts, sd=3.)
        misses.append(((path.ci_low > 2) | (path.ci_high < 2)).any())
        assert np.isinf(path.ci_high[0]) and np.isfinite(path.ci_high.iloc[-1])
    assert np.mean(misses) < .05 + 3*np.sqrt(.05*.95/40)


def test_nothing_is_claimed_without_a_declaration(pool):
    for declared, words in ((dict(), "declare one of two"), (dict(burn_in=5), "20 prompts or more"),
                            (dict(burn_in="20"), "`burn_in` must be a finite number"),
                            (dict(sd="2"), "`sd` must be a finite number"),
                            (dict(sd=-1.), "positive number")):
        with pytest.raises(InputError, match=words):
            sequential_effects(pool, **declared)
    # before anything is paid for
    with pytest.raises(InputError, match="`burn_in` must be a finite number"):
        audit_until(None, world.examples(9, np.random.default_rng(0)), 1., rng=0, burn_in="20")
    declared = sequential_effects(pool, sd=3., shuffle=0)
    assert "at most 3" in declared.promise and "at most 3" in repr(declared)
    assert declared.table.clusters.min() == 2
    assert "burn-in of 40 prompts" in sequential_effects(pool, burn_in=40).promise
    # contrasts that are all alike say nothing of those to come
    same = anytime_interval(np.ones(60), burn_in=30)
    assert np.isinf(same.ci_high).all() and np.isinf(same.ci_low).all()


def test_a_declared_bound_covers_every_estimand(pool):
    "With rewrites missing and unequal arms, the bands hold the population's effects"
    some = pool.sample(400, random_state=0).reset_index(drop=True)
    some.loc[::11, "reward_rewrite"] = np.nan
    truth = estimate_effects(pool, estimators=["rate"]).table.set_index("estimand").estimate
    t = sequential_effects(some, sd=2., shuffle=1).table
    assert ((t.ci_low <= t.estimand.map(truth)) & (t.estimand.map(truth) <= t.ci_high)).all()
    last = t.groupby("estimand").tail(1)
    assert np.isfinite(last.ci_low).all() and (last.ci_low < last.fixed_low).all()
