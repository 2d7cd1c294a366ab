("Several rewriters of the same texts: size and power of the joint test, and what is said about their "
 "differences.")
import numpy as np
import pandas as pd
import pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.theory.text_world import MOST_BREAKS, MOST_TYPOS, REWRITER, Style
from rate_nb.estimators.effects import contrast, estimate_effects
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.diagnostics.sensitivity import compare_rewriters, joint_wald
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


def p_values(c):
    "The joint test of each of R audits: `joint_wald` on covariances from prompts of two"
    R, n, k = c.shape
    m = c.mean(1)
    psi = (c - m[:, None]).reshape(R, n // 2, 2, k).sum(2) / n
    G = n // 2
    return joint_wald(m, G / (G - 1) * np.einsum("rgi,rgj->rij", psi, psi), G)[1]


def test_the_closed_form_is_textworlds():
    "Mean and variance of simulated contrasts against texts that were really written, rewritten and read"
    world = TextWorld("sentiment", style=STYLES[2])
    examples = world.examples(400, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "sentiment", world.rewriter)
    c = contrast(to_scored(examples, rewrites,
                           score_rewrites(examples, rewrites, world.reward, progress=False)), "rate")
    mine = contrasts(np.random.default_rng(1), 1, 20_000, STYLES[2:])[0, :, 0]
    assert abs(c.mean() - mine.mean()) < 4 * c.std() / 400**.5 and abs(c.var() / mine.var() - 1) < .3


def test_size_of_the_joint_test():
    "2,000 audits of 1,000 texts under three rewriters that only write differently: 3% to 7% rejections"
    rng = np.random.default_rng(2)
    rejected = np.concatenate([p_values(contrasts(rng, 100, 1000)) < .05 for _ in range(20)])
    assert len(rejected) == 2000 and .03 < rejected.mean() < .07, rejected.mean()


def test_power_of_the_joint_test():
    "One of three is bolder towards 1: 0.06 of an effect of 0.9, found in over 90% of audits of 1,000 texts"
    p = p_values(contrasts(np.random.default_rng(3), 300, 1000, asymmetry=.2))
    assert (p < .05).mean() > .9, (p < .05).mean()


def as_scored(c):
    "One rewriter's contrasts as a scored table"
    w = np.arange(len(c)) % 2
    return pd.DataFrame(dict(example_id=np.arange(len(c)), prompt_id=np.arange(len(c)) // 2, draw=0,
                             model="taste", w=w, reward_original=0.,
                             reward_rewrite=np.where(w, 0, c), reward_rewrite_of_rewrite=np.where(w, c, 0)))


def test_what_is_simulated_is_what_ships():
    c = contrasts(np.random.default_rng(4), 1, 400)
    found = compare_rewriters({f"r{i}": as_scored(c[0, :, i]) for i in range(3)})
    assert np.isclose(found.test.p_value,
                      p_values(c)[0]) and found.test.df == 2 and found.test.df_denom == 198


def test_a_gap_without_error_settles_it():
    "Half a point in every text: no luck explains it, alone or beside a rewriter that varies"
    c = contrasts(np.random.default_rng(8), 1, 200)[0]
    a, gap, other = as_scored(c[:, 0]), as_scored(c[:, 0] + .5), as_scored(c[:, 1])
    for tables in ({"a": a, "gap": gap}, {"a": a, "gap": gap, "other": other},
                   {"other": other, "a": a, "gap": gap}):
        found = compare_rewriters(tables)
        assert (found.test.statistic == np.inf and found.test.p_value == 0 and found.i2 == 1
                and found.pooled is None and found.test.df == len(tables) - 1)
        assert found.finding().verdict == "broken" and "should not be pooled" in found.finding().finding


def test_equal_tables_count_once():
    "F and its p-value use the same degrees of freedom, those of the differences that there are"
    from scipy.stats import f
    c = contrasts(np.random.default_rng(9), 1, 200)[0]
    a, b = as_scored(c[:, 0]), as_scored(c[:, 1])
    two, three = compare_rewriters({"a": a, "b": b}), compare_rewriters({"a": a, "again": a, "b": b})
    assert (three.test.df, three.test.df_denom) == (two.test.df, two.test.df_denom) == (1, 99)
    assert (np.isclose(three.test.statistic, two.test.statistic)
            and np.isclose(three.test.p_value, two.test.p_value)
            and np.isclose(three.i2, two.i2))
    assert np.isclose(f.sf(three.test.statistic, three.test.df, three.test.df_denom), three.test.p_value)
    # rounding is no rewriter of its own
    nearly = as_scored(c[:, 0] + 1e-9 * np.random.default_rng(0).normal(size=200))
    assert (compare_rewriters({"a": a, "nearly": nearly, "b": b}).test.df == 1
            and compare_rewriters({"a": a, "nearly": nearly}).test.p_value == 1)


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
    fair, all_three = compare_rewriters({k: tables[k] for k in "ab"}), compare_rewriters(tables)
    assert fair.finding(equivalence_margin=.2).verdict == "holds" and fair.pooled is not None
    assert fair.pooled.std_error < fair.table.std_error.min()
    assert (all_three.finding(
        equivalence_margin=.05).verdict == "broken" and all_three.pooled is None
            and "bold" in all_three.finding(equivalence_margin=.05).advice)
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
    assert compare_rewriters(stacked).test == compare_rewriters(tables).test
    att = compare_rewriters(tables, estimand="ATT")
    assert att.table.estimate[0] != compare_rewriters(tables).table.estimate[0]
    two = {k: pd.concat([d, d.assign(model="other")]) for k, d in tables.items()}
    assert compare_rewriters(two, model="other").test == compare_rewriters(tables).test
    for bad, kind, words in (((two, {}), InputError, "several models"),
                             ((stacked, dict(by="who")), InputError, "no column 'who'"),
                             (({"a": tables["a"]}, {}), InputError, "two rewriters or more"),
                             ((tables, dict(estimator="naive")), InputError, "uses no rewrite"),
                             ((tables, dict(model="x")), InputError, "no rewards of model 'x'"),
                             (({"a": tables["a"], "b": tables["b"].assign(w=0)}, {}), SchemaError,
                              "`w` must be the same")):
        with pytest.raises(kind, match=words):
            compare_rewriters(bad[0], **bad[1])
