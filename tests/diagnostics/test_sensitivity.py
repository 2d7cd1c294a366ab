("Several rewriters of the same texts: how often they are said to disagree or to agree, and what is said "
 "about it.")
import numpy as np
import pandas as pd
import pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.theory.text_world import MOST_BREAKS, MOST_TYPOS, REWRITER, Style
from rate_nb.diagnostics.sensitivity import compare_rewriters
from rate_nb.theory.text_world import Taste

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


# original rewards whose standard deviation is 1 within each arm, whatever the arms are
ORIGINALS = np.array([1., 1., -1., -1.])


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
    "With as many texts as an inconclusive comparison asked for, rewriters that do not differ agree"
    c = contrasts(np.random.default_rng(10), 1, 100, STYLES[:2])[0]
    found = compare_rewriters({k: as_scored(c[:, i]) for i, k in enumerate("ab")})
    needed = found.pairs.texts_needed[0]
    assert found.pairs.outcome[0] == "inconclusive" and 100 < needed < 5000
    assert f"{int(np.ceil(needed)):,} texts" in found.finding().needs
    n = 2*int(np.ceil(needed/2))
    d = contrasts(np.random.default_rng(11), 300, n, STYLES[:2])
    d = (d[..., 0] - d[..., 1]).reshape(300, n//2, 2).mean(2)
    agree = (np.abs(d.mean(1)) + 1.65*d.std(1)/np.sqrt(n//2) < found.margin).mean()
    assert .6 < agree < .95, agree


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
