"The same inputs through the official code (its numbers are kept beside the inputs) and through this package"
import gzip, json
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
from rate_nb.benchmarks.alpaca_eval import gameability, length_controlled, win_rates
from rate_nb.benchmarks.pairs import calibrate_responses
from rate_nb.benchmarks.reward_bench import (
    PAPER_METHODS, load_reward_scores, recalibrate_reward_bench, reward_bench_scores)
from rate_nb.benchmarks.rm_bench import rm_bench_accuracy
from rate_nb.calibration.calibrators import RCMean
from rate_nb.estimators.effects import estimate_effects
from rate_nb.scoring.rewards import load_rate_scores

HERE = Path(__file__).resolve().parent
EXACT = dict(rel=1e-12, abs=1e-12)


def fixture(name):
    with gzip.open(HERE/f"{name}.json.gz", "rt", encoding="utf-8") as f:
        kept = json.load(f)
    assert kept["made_by"] and all(len(s["commit"]) == 40 for s in kept["made_by"])
    return kept["inputs"], kept["expected"]


@pytest.mark.parametrize("model", ["org/model", "org/other"])
def test_effects_of_the_rate_paper(tmp_path, model):
    "Its own score file, read by our loader: every estimate, and the standard errors that mean the same"
    lines, expected = fixture("rate")
    (tmp_path/"scored.jsonl").write_text("\n".join(map(json.dumps, lines)))
    scored = load_rate_scores(tmp_path/"scored.jsonl")
    effects = estimate_effects(scored[scored.model == model], estimators=("naive", "single", "rate"))
    want = expected[model]
    for ours, theirs in (("single", "single_rewrite"), ("rate", "rewritten_rewrite")):
        for estimand in ("ATT", "ATU", "ATE"):
            got = effects.get(ours, estimand)
            assert got.estimate == pytest.approx(want[f"{estimand}_{theirs}"], **EXACT)
    assert effects.get("naive", "ATE").estimate == pytest.approx(want["naive_effect"], **EXACT)
    t = effects.table.set_index(["estimator", "estimand"])
    assert t.std_error["naive", "ATE"] == pytest.approx(want["naive_effect_stderr"], rel=1e-9)
    for estimand in ("ATT", "ATU"): # theirs are paired for the single rewrite only
        single, rate = (want[f"{estimand}_{k}_stderr"] for k in ("single_rewrite", "rewritten_rewrite"))
        assert t.std_error["single", estimand] == pytest.approx(single, rel=1e-9)
        assert t.std_error["rate", estimand] != pytest.approx(rate, rel=1e-3)
    assert (t.estimate/t.smd).to_numpy() == pytest.approx(want["reward_std"], rel=1e-9)
    assert (t.n_treated == want["Y1_count"]).all() and (t.n_untreated == want["Y0_count"]).all()


def test_rm_bench():
    rows, expected = fixture("rm_bench")
    table = rm_bench_accuracy(rows).set_index("domain")
    names = dict(hard="hard_acc", normal="normal_acc", easy="easy_acc")
    for domain, want in expected["domains"].items():
        assert {m: table.loc[domain, m] for m in names} == pytest.approx(
            {m: want[k] for m, k in names.items()}, **EXACT)
        assert table.average[domain] == pytest.approx(expected["total"][domain], **EXACT)
    for m, k in (names | dict(average="total_avg_acc")).items():
        assert table.loc["Overall", m] == pytest.approx(expected["total"][k], **EXACT)


@pytest.mark.parametrize("weights", ["official", "2024-08"])
def test_reward_bench_1(weights):
    inputs, expected = fixture("reward_bench")
    table = reward_bench_scores(pd.DataFrame(inputs["version_1"]), weights=weights).set_index("section")
    for section, want in expected["sections"][weights].items():
        assert table.score[section] == pytest.approx(100*want, **EXACT)
    assert expected["sections"]["official"]["Safety"] != expected["sections"]["2024-08"]["Safety"]


def test_reward_bench_2(tmp_path):
    inputs, expected = fixture("reward_bench")
    columns = {k: [r[k] for r in inputs["version_2"]] for k in ("id", "subset", "scores", "num_correct")}
    (tmp_path/"m.json").write_text(json.dumps(dict(model="m", **columns)))
    got = reward_bench_scores(load_reward_scores(tmp_path)).set_index("section").score
    for subset, want in expected["best_of_4"].items():
        assert got[subset] == pytest.approx(100*want, **EXACT)
    assert got["Ties"] == pytest.approx(100*expected["ties"], **EXACT)


def calibration_inputs():
    inputs, expected = fixture("reward_calibration")
    p = pd.DataFrame(inputs["pairs"])
    pairs = pd.DataFrame(dict(id=range(len(p)), subset=p.subsets, score_chosen=p.scores_chosen,
                              score_rejected=p.scores_rejected, length_chosen=p.chosen_output_len_char,
                              length_rejected=p.rejected_output_len_char,
                              text_length_chosen=p.chosen_text_len_char,
                              text_length_rejected=p.rejected_text_len_char))
    return pairs, p, expected


@pytest.mark.parametrize("method", ["RC-LWR", "RC-LWR-Penalty", "Length penalty"])
def test_calibrated_rewards(method):
    "Reward by reward, up to the template's constant; the penalty alone reads the response, not the prompt"
    pairs, p, expected = calibration_inputs()
    got = calibrate_responses(pairs, PAPER_METHODS[method])
    want = expected[method]
    margin = np.subtract(want["chosen"], want["rejected"])
    assert (got.score_chosen - got.score_rejected).to_numpy() == pytest.approx(margin, abs=1e-9)
    if method != "Length penalty":
        assert got.score_chosen.to_numpy() == pytest.approx(np.array(want["chosen"]), abs=1e-9)
    result = recalibrate_reward_bench(pairs, {method: PAPER_METHODS[method]}, weights="2024-08", at_least=0)
    row = result.table.iloc[0]
    for section in ("Chat", "Chat Hard", "Safety", "Reasoning"):
        assert row[f"{section} before"] == pytest.approx(100*expected["original"]["found"][section], **EXACT)
        assert row[f"{section} after"] == pytest.approx(100*want["found"][section], **EXACT)
    spearman = next(v for k, v in want["found"].items() if k.startswith("spearman"))
    if method != "Length penalty":
        assert row.correlation_after == pytest.approx(spearman, abs=1e-9)


def test_the_penalty_on_prompt_and_response_is_not_rc_lwr():
    pairs, _, expected = calibration_inputs()
    lwr, both = (expected[m]["found"] for m in ("RC-LWR", "RC-LWR-Penalty"))
    assert any(lwr[s] != both[s] for s in ("Chat", "Chat Hard", "Safety", "Reasoning"))
    asked = (pairs.text_length_chosen - pairs.length_chosen).astype(int)
    alone = pairs.drop(columns=["text_length_chosen", "text_length_rejected"])
    whole = alone.assign(prompt=[" "*k for k in asked]) # lengths from the prompts themselves
    got, want = calibrate_responses(whole, PAPER_METHODS["RC-LWR-Penalty"]), expected["RC-LWR-Penalty"]
    assert np.allclose(got.score_chosen - got.score_rejected, np.subtract(want["chosen"], want["rejected"]))
    pooled = [np.r_[pairs[f"{k}_chosen"], pairs[f"{k}_rejected"]] for k in ("length", "score", "text_length")]
    fitted = PAPER_METHODS["RC-LWR-Penalty"].clone().fit(*pooled[:2], length=pooled[2])
    margin = fitted.calibrate_margin(pairs.length_chosen, pairs.length_rejected,
                                     pairs.score_chosen - pairs.score_rejected,
                                     pairs.text_length_chosen, pairs.text_length_rejected + 100)
    assert margin - .1 == pytest.approx(np.subtract(want["chosen"], want["rejected"]), abs=1e-9)


def test_rc_mean_differs_by_the_one_neighbour_that_the_official_code_leaves_out():
    "Its slice ends before the last text of the window; equation 6 has them all"
    pairs, p, expected = calibration_inputs()
    c = np.r_[p.chosen_output_len_char, p.rejected_output_len_char]
    r = np.r_[p.scores_chosen, p.scores_rejected]
    d = (p.chosen_output_len_char - p.rejected_output_len_char).abs().mean()/4
    order = np.argsort(c, kind="stable")
    cs, rs = c[order], r[order]
    def mean_of(x, short): # of the window around x, without its last `short` texts
        i, j = np.searchsorted(cs, x - d, "left"), np.searchsorted(cs, x + d, "right")
        return rs[i:j - short].mean()
    want = np.r_[expected["RC-Mean"]["chosen"], expected["RC-Mean"]["rejected"]]
    theirs = r - [mean_of(x, 1) for x in c]
    tied = pd.Series(cs).duplicated(keep=False).mean() # theirs shuffles ties: another last text there
    assert np.isclose(theirs, want).mean() > 1 - 2*tied - .02
    ours = r - RCMean(distance=d + 1e-9).fit(c, r).predict(c)
    assert np.allclose(ours, r - [mean_of(x, 0) for x in c])
    assert 0 < np.abs(ours - want).max() < .1


def test_gameability_by_the_code():
    inputs, expected = fixture("reward_calibration")
    want = np.mean(list(expected["gameability"].values()))
    board = pd.DataFrame(inputs["board"])
    got = gameability(board, list(board.generator[:3]), "metric", definition="code")
    assert got == pytest.approx(want, **EXACT)


def alpaca_eval(generators):
    kept = np.load(HERE/"alpaca_eval.npz")
    n = kept["length"].shape[1]
    base = 16.*kept["baseline_length"]
    rows = pd.concat([pd.DataFrame(dict(generator=f"g{g:02d}", instruction_id=np.arange(n), row=np.arange(n),
                                        length=16.*kept["length"][g], baseline_length=base,
                                        preference=1 + kept["preference"][g]/50)) for g in generators])
    gaps = [base - 16.*k for k in kept["gamed_length"]]
    gamed = pd.concat([pd.DataFrame(dict(preference=p/50, index=np.arange(n), std_delta_len=g/g.std(ddof=1),
                                         instruction_difficulty=kept["difficulty"]))
                       for p, g in zip(kept["gamed_preference"], gaps)], ignore_index=True)
    return rows.assign(baseline="base").reset_index(drop=True), gamed, kept


def check_alpaca_eval(generators):
    rows, gamed, kept = alpaca_eval(generators)
    difficulty = pd.Series(kept["difficulty"], index=range(len(kept["difficulty"])))
    got = length_controlled(rows, difficulty=difficulty, gamed=gamed)
    assert set(got.lc_form) == {"given difficulties, gamed rows"}
    gap = (got.lc_win_rate - kept["length_controlled_winrate"][generators]).abs()
    assert gap.max() < .1, gap.max()
    assert np.abs(got.lc_std_error - kept["lc_standard_error"][generators]).max() < .02
    raw = win_rates(rows).set_index("generator").loc[got.generator]
    assert raw.win_rate.to_numpy() == pytest.approx(kept["win_rate"][generators], abs=1e-9)
    return gap


def test_alpaca_eval():
    check_alpaca_eval([0, 17, 34, 49])


@pytest.mark.slow
def test_alpaca_eval_on_every_generator():
    gap = check_alpaca_eval(list(range(50)))
    print(f"50 generators: mean {gap.mean():.4f}, largest {gap.max():.4f} points")
