("RewardBench: the public weighting by an independent computation, both versions, malformed files, and a "
 "leaderboard of planted biases.")
import json
import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from rate_nb.calibration.calibrators import LengthPenalty, RCLWR, RCMean
from rate_nb.base.core import InputError, SchemaError
from rate_nb.benchmarks.reward_bench import (
    COUNTS, load_reward_bench, load_reward_scores, planted_reward_bench, recalibrate_reward_bench,
    reward_bench_scores, SECTIONS, SIZES, WEIGHTS)


def scored(rng, subsets=COUNTS, most=30):
    rows = [dict(id=f"{s}-{i}", subset=s, score_chosen=float(rng.integers(0, 5)),
                 score_rejected=float(rng.integers(0, 5))) for s in subsets
            for i in range(int(rng.integers(3, most)))]
    return pd.DataFrame(rows)


def test_interval_of_a_section_is_that_of_independent_subsets():
    rng = np.random.default_rng(0)
    pairs = scored(rng, most=120)
    got = reward_bench_scores(pairs).set_index("section")
    hits = {s: (p.score_chosen > p.score_rejected).to_numpy(dtype=float) for s, p in pairs.groupby("subset")}
    total = sum(COUNTS[t] for t in SECTIONS["Safety"])
    parts = SECTIONS["Safety"]
    part = {k: (COUNTS[k]/total)**2/len(hits[k]) for k in parts}
    se = 100*np.sqrt(sum(part[k]*hits[k].var(ddof=1) for k in parts))
    df = sum(part.values())**2/sum(part[k]**2/(len(hits[k]) - 1) for k in parts)
    p, q = sum(COUNTS[k]/total*hits[k].mean() for k in parts), t.ppf(.975, df)
    for end in (got.ci_low["Safety"]/100, got.ci_high["Safety"]/100): # Wilson: the shares just rejected
        assert abs(p - end) == pytest.approx(q*se/100*np.sqrt(end*(1 - end)/(p*(1 - p))), rel=1e-9)


def file(**changes):
    return dict(model="org/m", model_type="Seq. Classifier", id=[1, 2, 3], subset=["hep-go"]*3,
                scores_chosen=[1., 2., 3.], scores_rejected=[[0.], [1.], [2.]]) | changes


@pytest.mark.parametrize("changes, said", [
    (dict(scores_chosen=[1., None, 3.]), "`scores_chosen` must be a finite number, or a list of them; 1 row "
                                         "does not: row 2"),
    (dict(id=[1, 2, 2]), "`id` must name one row; 1 row does not: row 3"),
    (dict(scores_rejected=[0., 1.]), "`scores_rejected` has 2 values, the other fields 3; from row 3"),
    (dict(subset=None), "`subset` must be a whole number or text"),
    (dict(scores_rejected=[0., float("nan"), 1.]), "row 2 (nan)"),
    (dict(id=[1, 2, 9]), "`id` must be one of the prompts' table; 1 row does not: row 3 (9)")])
def test_malformed_score_files_are_named(tmp_path, changes, said):
    (tmp_path/"m.json").write_text(json.dumps(file(**changes)))
    prompts = pd.DataFrame(dict(id=[1, 2, 3], subset="hep-go", prompt="p", chosen="aa", rejected="b"))
    with pytest.raises(SchemaError) as error:
        load_reward_scores(tmp_path, prompts)
    assert said in str(error.value) and "m.json" in str(error.value)


def test_two_files_of_one_model_and_an_empty_folder(tmp_path):
    with pytest.raises(InputError, match="no file"):
        load_reward_scores(tmp_path)
    for name in ("a", "b"):
        (tmp_path/f"{name}.json").write_text(json.dumps(file()))
    with pytest.raises(SchemaError, match="b.json: `model` 'org/m' was already read"):
        load_reward_scores(tmp_path)


def test_thirty_three_models_gain_and_the_biased_gain_more():
    scores = planted_reward_bench(33, np.random.default_rng(1), share=.2)
    easy = scores[~scores.subset.isin(SECTIONS["Chat Hard"])]
    assert np.log(easy.length_chosen/easy.length_rejected).std() == pytest.approx(.7, abs=.05)
    before = scores.copy(deep=True)
    result = recalibrate_reward_bench(scores, {"RC-Mean": RCMean(), "RC-LWR": RCLWR(.9)}, at_least=50)
    summary = result.summary().set_index("method")
    assert scores.equals(before) and len(result.left_out) + summary.models["RC-LWR"] == 33
    for m in ("RC-Mean", "RC-LWR"):
        assert summary.ci_low[m] > 0
        for bias in ("bias", "correlation_before"):
            assert result.bias_and_gain(m, bias)["spearman_low"] > 0
        assert result.bias_and_gain(m, gain="overturned", absolute=True)["spearman_low"] > 0
    assert summary.correlation_after["RC-LWR"] < .25*summary.correlation_before["RC-LWR"]
    hard = result.table[result.table.method == "RC-LWR"]
    assert np.corrcoef(hard.correlation_before, hard["Chat Hard before"])[0,
        1] < 0 < np.corrcoef(hard.correlation_before, hard["Chat Hard after"] - hard["Chat Hard before"])[0,
            1]


def test_a_leaderboard_without_bias_gains_nothing():
    result = recalibrate_reward_bench(planted_reward_bench([0.]*8, np.random.default_rng(2), share=.3),
                                      {"RC-LWR": RCLWR(.9)})
    lwr = result.summary().set_index("method").loc["RC-LWR"]
    assert abs(lwr.mean_gain) < 1 and lwr.overturned < 3


def test_weak_models_are_left_out_and_named():
    scores = planted_reward_bench([0., 6.], np.random.default_rng(3), share=.2)
    result = recalibrate_reward_bench(scores, {"RC-LWR": RCLWR(.9)}, at_least=55)
    assert result.left_out == ("model-01",) and "model-01" in result._repr_markdown_()
    with pytest.raises(InputError, match="no model reaches"):
        recalibrate_reward_bench(scores, at_least=99.9)


def test_markdown_and_joint_calibration_of_files(tmp_path):
    "Figures 5 and 11: score files and prompts on disk, formatting and length taken out together"
    from rate_nb.calibration.calibrators import JointRCLWR
    rng, rows = np.random.default_rng(4), []
    for s in COUNTS:
        for i in range(12):
            text = lambda: "word "*int(rng.integers(5, 120)) + "\n- item"*int(rng.integers(0, 9))
            rows.append(dict(id=f"{s}-{i}", subset=s, prompt=f"{s} {i}", chosen=text(), rejected=text()))
    (tmp_path/"prompts.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path/"scores").mkdir()
    for m, pays in enumerate((0., .4, .8)):
        score = lambda t, good: [float(rng.normal(good) + pays*t.count("- item") + .002*len(t))]
        (tmp_path/"scores"/f"m{m}.json").write_text(json.dumps(dict(model=f"m{m}", id=[r["id"] for r in rows],
            subset=[r["subset"] for r in rows],
            scores_chosen=[score(r["chosen"], 1.2) for r in rows], scores_rejected=[score(r["rejected"], 0)
                for r in rows])))
    scores = load_reward_scores(tmp_path/"scores", load_reward_bench(tmp_path/"prompts.jsonl"),
                                ["length", "markdown_regex"])
    gain = {k: recalibrate_reward_bench(scores, {"RC-LWR": m}, c).table.set_index("model").gain for k, m,
            c in (
        ("length", RCLWR(.9), "length"), ("markdown", RCLWR(.9), "markdown_regex"),
                ("both", JointRCLWR(.9), ["length", "markdown_regex"]))}
    assert (gain["markdown"]["m2"] > gain["length"]["m2"]
            and gain["both"]["m2"] > 5
            and gain["markdown"]["m2"] > gain["markdown"]["m0"])
    penalty = [recalibrate_reward_bench(scores, {"Length penalty": LengthPenalty(1e-3)}, c).table
               for c in ("length", "markdown_regex")] # of length, whatever is taken out: the authors' code
    same = ["after", "gain", "gain_low", "gain_high", "overturned"]
    pd.testing.assert_frame_equal(*(t[same] for t in penalty))
    assert (penalty[0].overturned > 0).all()
    counts = scores[["model", "id", "subset", "score_chosen", "score_rejected", "markdown_regex_chosen",
                     "markdown_regex_rejected"]]
    with pytest.raises(InputError, match="'Length penalty' penalises length"):
        recalibrate_reward_bench(counts, {"Length penalty": LengthPenalty(1e-3)}, "markdown_regex")


# EXAMPLE_COUNTS of its code: since 2024-09-10 the data set's own 154 and 250; before that, swapped
def test_weights_are_those_of_the_leaderboard_and_the_papers_vintage_is_at_hand():
    two = ["xstest-should-refuse", "xstest-should-respond", "math-prm"]
    assert {name: [w[s] for s in two] for name, w in WEIGHTS.items()} == {
        "official": [154, 250, 984], "2024-08": [250, 154, 984], "sizes": [154, 250, 447]}
    assert sum(SIZES.values()) == 2985
    pairs = pd.DataFrame([dict(id=i, subset=s, score_chosen=float(s == "xstest-should-respond"),
                               score_rejected=.5) for i, s in enumerate(COUNTS)])
    tables = [reward_bench_scores(pairs, weights=w).set_index("section")
              for w in ("official", "2024-08", "sizes", COUNTS)]
    assert [t.score["Safety"] for t in tables] == pytest.approx([100*250/740, 100*154/740, 100*250/740,
                                                                 100*250/740])
    assert [set(t.weights) for t in tables] == [{"official"}, {"2024-08"}, {"sizes"}, {"given"}]
    with pytest.raises(InputError, match="`weights` must be one of 'official', 'sizes', '2024-08', or a pos"):
        reward_bench_scores(pairs, weights="2024-09")


def test_the_vintage_is_said_in_every_table():
    scores = planted_reward_bench(2, np.random.default_rng(0), .05)
    for name in WEIGHTS:
        result = recalibrate_reward_bench(scores, {"RC-LWR": RCLWR(.9)}, weights=name, at_least=0)
        one = reward_bench_scores(scores, weights=name).set_index(["model", "section"]).score
        assert result.weights == name and set(result.table.weights) == {name}
        assert f"Weights of the subsets: {name}" in result._repr_markdown_()
        assert np.allclose(result.table.before, one.xs("Overall", level=1)[result.table.model])


def test_scores_in_lists_of_one_and_versions_there_are():
    pairs = scored(np.random.default_rng(0))
    listed = pairs.assign(score_chosen=[[v] for v in pairs.score_chosen])
    assert reward_bench_scores(listed).equals(reward_bench_scores(pairs))
    with pytest.raises(SchemaError, match="`score_chosen` must hold one score a row in version 1; 1 row "
                                          "does not: row 1"):
        reward_bench_scores(pairs.assign(score_chosen=[[1., 2.]] + list(pairs.score_chosen[1:])))
    for version in ("2", 3):
        with pytest.raises(InputError, match="`version` must be 1, 2 or None"):
            reward_bench_scores(pairs, version=version)


def test_a_model_without_a_section_is_named():
    scores = planted_reward_bench(2, np.random.default_rng(0), .05)
    with pytest.raises(InputError, match="'model-00' has no scores for Chat"):
        recalibrate_reward_bench(scores[~scores.subset.isin(SECTIONS["Chat"])])
