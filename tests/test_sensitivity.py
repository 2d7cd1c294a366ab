("Several rewriters of the same texts: how often they are said to disagree or to agree, and what is said "
 "about it.")
import numpy as np
import pandas as pd
import pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.theory.text_world import MOST_BREAKS, MOST_TYPOS, REWRITER, Style
from rate_nb.estimators.effects import contrast, estimate_effects
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.diagnostics.sensitivity import compare_rewriters
from rate_nb.theory.text_world import Taste, TextWorld

# three rewriters, as unlike as can be
STYLES = (REWRITER, Style(hedge=.5, bold=.2, polish=.4),
          Style(typos=.1, breaks=.2, hedge=.1, bold=.6, polish=.5))


def worth(style, shape, rng, taste=Taste()):
    "Reward of surfaces drawn from a style: the closed form of TextWorld's reward"
    coin = lambda p: rng.random(shape, dtype=np.float32) < p
    return (taste.typos * rng.binomial(MOST_TYPOS, style.typos, shape)
            + taste.breaks * rng.binomial(MOST_BREAKS, style.breaks, shape)
            + taste.hedge * coin(style.hedge) + taste.bold * coin(style.bold)
            + taste.polish * coin(style.polish))


def contrasts(rng, R, n, styles=STYLES, asymmetry=0.):
    ("(R, n, k) RATE contrasts of TextWorld; pairs of texts share a prompt; `asymmetry`: how much bolder "
     "the last rewriter is towards 1")
    film = np.repeat(rng.random((R, n // 2)) < .5, 2, axis=1)
    effect = np.where(film, 1.1, .7)
    columns = []
    for i, s in enumerate(styles):
        bolder = Style(**(vars(s) | dict(bold=s.bold + asymmetry * (i == len(styles) - 1))))
        columns.append(effect + worth(bolder, (R, n), rng) - worth(s, (R, n), rng))
    return np.stack(columns, axis=-1)


def test_the_closed_form_is_textworlds():
    "Mean and variance of simulated contrasts against texts that were really written, rewritten and read"
    world = TextWorld("sentiment", style=STYLES[2])
    examples = world.examples(400, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    c = contrast(to_scored(examples, rewrites,
                           score_rewrites(examples, rewrites, world.reward, progress=False)), "rate")
    mine = contrasts(np.random.default_rng(1), 1, 20_000, STYLES[2:])[0, :, 0]
    assert abs(c.mean() - mine.mean()) < 4 * c.std() / 400**.5 and abs(c.var() / mine.var() - 1) < .3


# original rewards whose standard deviation is 1 within each arm, whatever the arms are
ORIGINALS = np.array([1., 1., -1., -1.])


def tally(shifts, R, n, seed, margin=.1, within=.5, shared=1.):
    """Of R comparisons of rewriters whose effects are `shifts`, on n responses in prompts of two: share in
    which any pair disagrees, in which each agrees, in which all disagree; t tests written out, on prompts"""
    from itertools import combinations
    from scipy.stats import t
    rng, pairs = np.random.default_rng(seed), list(combinations(range(len(shifts)), 2))
    prompt = shared*rng.normal(size=(R, n//2, 1)) + np.asarray(shifts) + within*rng.normal(
        size=(R, n//2, len(shifts)))
    d = np.stack([prompt[..., a] - prompt[..., b] for a, b in pairs], axis=-1)
    m, se, df = d.mean(1), d.std(1, ddof=1)/np.sqrt(n//2), n//2 - 1
    inside = t.sf((margin - np.abs(m))/se, df) <= .05
    outside = np.sort(np.minimum(2*t.sf((np.abs(m) - margin)/se, df), 1), axis=1)
    first = outside*np.arange(len(pairs), 0, -1) <= .05
    return first[:, 0].mean(), inside.mean(0), first.all(1).mean()


def test_neither_answer_is_given_too_often():
    """Three rewriters, two of them a margin apart: "agree" is false for that pair and "disagree" false for
    all; each is said in at most 5% of 4,000 comparisons. Three that do not differ nearly always agree"""
    slack = 4*np.sqrt(.05*.95/4000)
    disagree, agree, _ = tally((0, .1, .05), 4000, 200, 1)
    assert disagree < .05 + slack and agree[0] < .05 + slack
    disagree, agree, _ = tally((0, 0, 0), 1000, 1600, 2, within=.5)
    assert disagree < .01 and (agree > .8).all(), agree
    disagree, agree, every = tally((0, .3, -.3), 500, 1600, 3)
    assert every > .95 and (agree == 0).all()


def as_scored(c):
    "One rewriter's contrasts as a scored table"
    w = np.arange(len(c)) % 2
    return pd.DataFrame(dict(example_id=np.arange(len(c)), prompt_id=np.arange(len(c)) // 2, draw=0,
                             model="taste", w=w, reward_original=np.resize(ORIGINALS, len(c)),
                             reward_rewrite=np.where(w, 0, c), reward_rewrite_of_rewrite=np.where(w, c, 0)))


def by_prompt(c):
    "(G, k) mean contrast of each prompt of two"
    return c.reshape(len(c)//2, 2, -1).mean(1)


def test_what_is_simulated_is_what_ships():
    "Differences, intervals and both p-values against t tests of prompts' means"
    from scipy.stats import t
    c = contrasts(np.random.default_rng(4), 1, 400, asymmetry=.3)[0]
    found = compare_rewriters({f"r{i}": as_scored(c[:, i]) for i in range(3)})
    assert np.isclose(found.margin, .1, rtol=.02) and len(found.pairs) == 3
    sizes = []
    for r in found.pairs.itertuples():
        d = np.diff(by_prompt(c)[:, [int(r.minus[1]), int(r.rewriter[1])]])[:, 0]
        se = d.std(ddof=1)/np.sqrt(200)
        assert np.isclose(r.difference, d.mean()) and np.isclose(r.std_error, se)
        assert np.isclose(r.ci_high - r.difference, t.ppf(.975, 199)*se)
        assert np.isclose(r.p_agree, t.sf((found.margin - abs(d.mean()))/se, 199))
        sizes.append(min(1, 2*t.sf((abs(d.mean()) - found.margin)/se, 199)))
    holm = np.minimum(np.maximum.accumulate(np.sort(sizes)*[3, 2, 1]), 1)
    assert np.allclose(np.sort(found.pairs.p_disagree), holm)


def test_a_gap_without_error_settles_it():
    "Half a point in every text: no luck explains it, alone or beside a rewriter that varies"
    c = contrasts(np.random.default_rng(8), 1, 200)[0]
    a, gap, other = as_scored(c[:, 0]), as_scored(c[:, 0] + .5), as_scored(c[:, 1])
    for tables in ({"a": a, "gap": gap}, {"a": a, "gap": gap, "other": other}):
        found = compare_rewriters(tables)
        assert found.pairs.set_index(["rewriter", "minus"]).outcome["a", "gap"] == "disagree"
        assert found.pooled is None and found.finding().verdict == "refuted"
    again = compare_rewriters({"a": a, "again": a})
    assert again.pairs.outcome[0] == "agree" and again.finding().verdict == "passed"


def test_the_margin_is_set_in_standard_deviations_and_never_by_the_estimate():
    "Ten times the effect, the same margin; ten times the reward, ten times the margin"
    c = contrasts(np.random.default_rng(9), 1, 300)[0]
    tables = lambda scale, add: {k: as_scored(scale*c[:, i] + add).assign(
        reward_original=lambda d: scale*d.reward_original) for i, k in enumerate("ab")}
    one, shifted, scaled = (compare_rewriters(tables(*v)) for v in ((1, 0), (1, 9), (10, 0)))
    assert one.margin == shifted.margin and np.isclose(scaled.margin, 10*one.margin)
    assert one.pairs.outcome.equals(shifted.pairs.outcome) and one.pairs.outcome.equals(scaled.pairs.outcome)
    assert compare_rewriters(tables(1, 0), margin=2.).pairs.outcome[0] == "agree"


def test_texts_needed_decide():
    "With as many texts as an undecided comparison asked for, rewriters that do not differ are said to agree"
    c = contrasts(np.random.default_rng(10), 1, 100, STYLES[:2])[0]
    found = compare_rewriters({k: as_scored(c[:, i]) for i, k in enumerate("ab")})
    needed = found.pairs.texts_needed[0]
    assert found.pairs.outcome[0] == "undecided" and 100 < needed < 5000
    assert f"{int(np.ceil(needed)):,} texts" in found.finding().needs
    n = 2*int(np.ceil(needed/2))
    d = contrasts(np.random.default_rng(11), 300, n, STYLES[:2])
    d = (d[..., 0] - d[..., 1]).reshape(300, n//2, 2).mean(2)
    agree = (np.abs(d.mean(1)) + 1.65*d.std(1)/np.sqrt(n//2) < found.margin).mean()
    assert .6 < agree < .95, agree


def test_real_rewriters_that_agree_and_one_that_does_not():
    "Through the whole chain on English texts"
    world = TextWorld("sentiment")
    examples = world.examples(160, np.random.default_rng(5))
    bold = lambda prompt, text, target, seed=0: TextWorld("sentiment",
                                                          style=Style(bold=.9 if target
                                                              else .1)).rewriter(prompt, text, target, seed)
    def audit(rewriter):
        rewrites = double_rewrite(examples, "sentiment", rewriter)
        return to_scored(examples, rewrites, score_rewrites(examples, rewrites, world.reward, progress=False))
    tables = {"a": audit(world.rewriter), "b": audit(TextWorld("sentiment", style=STYLES[1]).rewriter),
              "bold": audit(bold)}
    fair = compare_rewriters({k: tables[k] for k in "ab"}, margin=.3)
    all_three = compare_rewriters(tables)
    assert fair.finding().verdict == "passed" and fair.pooled is not None
    assert fair.pooled.std_error < fair.table.std_error.min()
    assert all_three.finding().verdict == "refuted" and all_three.pooled is None
    assert "bold" in all_three.finding().finding
    worst = all_three.pairs.set_index("minus").loc["bold"]
    assert ((worst.ci_low < -.24) & (-.24 < worst.ci_high)).all()            # .8 bolder at .3 each
    assert "together" in fair._repr_markdown_() and "together" not in all_three._repr_markdown_()


def test_only_texts_that_all_returned_are_compared():
    "A rewriter that loses the texts with the largest contrasts is not blamed for the others' effect"
    c = contrasts(np.random.default_rng(6), 1, 600)[0]
    a, b = as_scored(c[:, 0]), as_scored(c[:, 1])
    lost = c[:, 1] > np.quantile(c[:, 1], .7)
    b.loc[lost, "reward_rewrite"] = np.nan
    found = compare_rewriters({"a": a, "b": b})
    assert (found.table.n.tolist() == [int((~lost).sum())] * 2
            and found.table.n_missing.tolist() == [0, int(lost.sum())])
    assert np.isclose(found.table.estimate[0], estimate_effects(a[~lost], estimators=["rate"]).get("rate",
        "ATE").estimate) and "b lost" in found.notes[0]


def test_ways_to_ask_and_ways_to_go_wrong():
    c = contrasts(np.random.default_rng(7), 1, 100)[0]
    tables = {k: as_scored(c[:, i]) for i, k in enumerate("ab")}
    stacked = pd.concat([d.assign(rewriter=k) for k, d in tables.items()])
    assert compare_rewriters(stacked).pairs.equals(compare_rewriters(tables).pairs)
    att = compare_rewriters(tables, estimand="ATT")
    assert att.table.estimate[0] != compare_rewriters(tables).table.estimate[0]
    two = {k: pd.concat([d, d.assign(model="other")]) for k, d in tables.items()}
    assert compare_rewriters(two, model="other").pairs.equals(compare_rewriters(tables).pairs)
    for bad, kind, words in (((two, {}), InputError, "several models"),
                             ((stacked, dict(by="who")), InputError, "no column 'who'"),
                             (({"a": tables["a"]}, {}), InputError, "two rewriters or more"),
                             ((tables, dict(estimator="naive")), InputError, "uses no rewrite"),
                             ((tables, dict(model="x")), InputError, "no rewards of model 'x'"),
                             (({"a": tables["a"], "b": tables["b"].assign(w=0)}, {}), SchemaError,
                              "`w` must be the same")):
        with pytest.raises(kind, match=words):
            compare_rewriters(bad[0], **bad[1])
