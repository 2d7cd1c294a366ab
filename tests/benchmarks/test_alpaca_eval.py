("AlpacaEval: the real files by hand, malformed ones by name, 200 generators in little memory, and the "
 "regression against another solver.")
import json, os, warnings
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
from sampling import repeats
from rate_nb.benchmarks.alpaca_eval import (
    FORMS, alpaca_eval_leaderboard, calibrate_annotations, compare_alpaca_eval,
    joint_regression, length_controlled, load_alpaca_eval, rank_agreement,
    read_ranking, score_alpaca_eval, slope_range, win_rates)
from rate_nb.benchmarks.preferences import load_responses, response_tables
from rate_nb.calibration.calibrators import CalibrationWarning, RCLWR, RCMean
from rate_nb.base.core import InputError, SchemaError
from rate_nb.calibration.calibrators import MarginCalibrator

GENERATORS = ["alpaca-7b", "alpaca-7b_concise", "alpaca-7b_verbose", "claude-2", "vicuna-7b"]


def rows(name, n=40, seed=0, taste=.002):
    "A file in the public layout: instructions are shared, answers are not"
    shared, own = np.random.default_rng(0), np.random.default_rng([seed, 1])
    base = shared.integers(300, 900, n)
    length = np.clip(base + own.normal(0, 250, n), 20, None).astype(int)
    p = 1/(1 + np.exp(-(taste*(length - base) + own.normal(size=n))))
    return [dict(instruction=f"task {i}", output_1="b"*int(k), generator_1="base", dataset="koala",
                 output_2="x"*int(l), generator_2=name, preference=float(1 + v))
            for i, (k, l, v) in enumerate(zip(base, length, p))]


def write(folder, name, content, judge=""):
    at = Path(folder)/name/judge
    at.mkdir(parents=True, exist_ok=True)
    (at/"annotations.json").write_text(json.dumps(content))


def test_win_rates_of_the_real_files(data):
    a = load_alpaca_eval(data/"alpaca_eval")
    board = alpaca_eval_leaderboard(a).set_index("generator")
    assert sorted(board.index) == GENERATORS and (board.n == 150).all()
    for g in GENERATORS:
        file = json.loads((data/"alpaca_eval"/g/"annotations.json").read_text(encoding="utf-8"))
        p = [r["preference"] for r in file]
        assert board.win_rate[g] == pytest.approx(100*sum(v - 1 for v in p)/len(p), abs=1e-9)
        assert board.discrete_win_rate[g] == pytest.approx(100*sum((v > 1.5) + .5*(v == 1.5)
            for v in p)/len(p), abs=1e-9)
        assert board.std_error[g] == pytest.approx(100*np.std([v - 1 for v in p], ddof=1)/len(p)**.5)
        assert board.length[g] == pytest.approx(np.mean([len(r["output_2"]) for r in file]))


@pytest.mark.parametrize("spoil, said", [
    (lambda r: r[1].pop("output_1"), "`output_1` is missing in 1 row (row 2)"),
    (lambda r: r[3].update(preference=float("nan")), "1 row does not: row 4 (nan)"),
    (lambda r: r[2].update(preference=2.5), "`preference` must be a number from 1"),
    (lambda r: r[5].update(instruction="task 0"), "`instruction` must name one row; 1 row does not: row 6"),
    (lambda r: [x.update(generator_2="other") for x in r], "`generator_2` must be the folder's name, 'm'"),
    (lambda r: r[0].update(output_2=None), "`output_2` must be text"),
    (lambda r: r.append("no row"), "must be an object")])
def test_malformed_files_are_named(tmp_path, spoil, said):
    content = rows("m", 8)
    spoil(content)
    write(tmp_path, "m", content)
    with pytest.raises(SchemaError) as error:
        load_alpaca_eval(tmp_path)
    assert said in str(error.value) and f"m{os.sep}annotations.json" in str(error.value)


def test_columns_of_unequal_length_are_named(tmp_path):
    content = rows("m", 6)
    columns = {k: [r[k] for r in content] for k in content[0]}
    columns["preference"].pop()
    write(tmp_path, "m", columns)
    with pytest.raises(SchemaError, match="`preference` has 5 values, the other fields 6; from row 6"):
        load_alpaca_eval(tmp_path)


def test_judges_and_missing_preferences(tmp_path):
    content = rows("m", 8)
    content[2]["preference"] = None
    write(tmp_path, "m", content, "judge_a")
    write(tmp_path, "m", rows("m", 8), "judge_b")
    with pytest.raises(InputError, match="judge_a"):
        load_alpaca_eval(tmp_path)
    assert len(load_alpaca_eval(tmp_path, "judge_b")) == 8 and len(load_alpaca_eval(tmp_path, "judge_a",
        missing="drop")) == 7
    with pytest.raises(InputError, match="no annotations.json"):
        load_alpaca_eval(tmp_path, "judge_c")
    (tmp_path/"only_outputs").mkdir()
    with pytest.warns(UserWarning, match="1 folder without annotations left out \\('only_outputs'\\)"):
        load_alpaca_eval(tmp_path, "judge_b")


def test_draws_count_half(tmp_path):
    write(tmp_path, "m", [dict(r, preference=v) for r, v in zip(rows("m", 4), (0, 1, 2, 1.5))])
    board = win_rates(load_alpaca_eval(tmp_path)).iloc[0]
    assert board.win_rate == board.discrete_win_rate == 50


def test_the_two_official_files_are_the_folders_they_were_made_of(tmp_path):
    kinds = ("verbose", "concise")
    for i, g in enumerate(("m", "base_verbose", "base_concise")):
        write(tmp_path/"results", g, rows(g, 60, i))
    a = load_alpaca_eval(tmp_path/"results")
    hard = np.random.default_rng(3).normal(size=60)
    pd.DataFrame(dict(index=range(60), instruction_difficulty=hard)).to_csv(tmp_path/"hard.csv", index=False)
    parts = []
    for k, i in zip(kinds, (1, 2)): # as the official code writes them: the baseline's length comes first
        r = pd.DataFrame(rows(f"base_{k}", 60, i))
        gap = r.output_1.str.len() - r.output_2.str.len()
        parts.append(pd.DataFrame(dict(model=k, preference=r.preference - 1, index=range(60),
            std_delta_len=gap/gap.std(), instruction_difficulty=hard, not_gamed_baseline=False)))
    pd.concat(parts).to_csv(tmp_path/"df_gamed.csv", index=False)
    folders = length_controlled(a, tmp_path/"hard.csv", [f"base_{k}" for k in kinds])
    for options in (dict(gamed=tmp_path/"df_gamed.csv"),
                    dict(gamed=tmp_path/"df_gamed.csv", difficulty=dict(enumerate(hard)))):
        assert np.allclose(folders.lc_win_rate, length_controlled(a, **options).lc_win_rate, atol=1e-4)
    with pytest.raises(SchemaError, match="`gamed`.*1 column missing: std_delta_len"):
        length_controlled(a, gamed=parts[0].drop(columns="std_delta_len"))
    with pytest.raises(SchemaError, match="must lie between 0 and 1"):
        length_controlled(a, gamed=parts[0].assign(preference=1.5))
    with pytest.raises(SchemaError, match="no column `row`"):
        length_controlled(a.drop(columns="row"), tmp_path/"hard.csv")


def test_the_joint_regression_against_a_library():
    import statsmodels.api as sm
    rng, G, I = np.random.default_rng(0), 40, 25
    g, i = np.repeat(np.arange(G), I), np.tile(np.arange(I), G)
    t = np.tanh(rng.normal(size=G*I))
    eta = rng.normal(size=G)[g] + rng.normal(1.5, .7, G)[g]*t + rng.normal(size=I)[i]
    p = 1/(1 + np.exp(-eta - .5*rng.normal(size=G*I)))
    d, slope, variance = joint_regression(t, p, g, i)
    dummies = np.c_[np.eye(G)[g], np.eye(G)[g]*t[:, None], np.eye(I)[i][:, 1:]]
    library = sm.GLM(p, dummies, family=sm.families.Binomial()).fit()
    # the prior draws difficulties in, and changes hardly anything else
    assert np.corrcoef(d, np.r_[0, library.params[2*G:]])[0, 1] > .99
    assert .6 < d.std()/library.params[2*G:].std() < 1
    assert np.corrcoef(slope, library.params[G:2*G])[0, 1] > .97
    assert np.allclose(variance, np.diag(library.normalized_cov_params)[G:2*G], rtol=.35)


def gamed_folder(rng, spread, n=120, k=5):
    "Annotations of k generators and the baseline gamed twice; each has a slope of length of its own"
    own, ease = rng.normal(1.6, spread, k + 1), rng.normal(0, 1, n)
    base, out = rng.lognormal(7, .4, n), []
    def judge(name, slope, quality, ratio):
        long = base*np.exp(rng.normal(np.log(ratio), .35, n))
        gap = long - base
        logit = quality + ease + slope*np.tanh(gap/gap.std(ddof=1))
        out.append(pd.DataFrame(dict(generator=name, instruction_id=[f"i{j}" for j in range(n)],
            baseline="base", length=long.round(), baseline_length=base.round(),
            preference=1 + 1/(1 + np.exp(-3*(logit + rng.logistic(size=n)))))))
    for j in range(k):
        judge(f"g{j}", own[j], rng.normal(-1, 1), rng.choice([.35, .6, .8, 1., 1.4]))
    judge("base_verbose", own[k], 0, 1.5)
    judge("base_concise", own[k], 0, .6)
    return pd.concat(out, ignore_index=True)


@pytest.mark.slow("4 folders are controlled for length three times; the whole study has 12")
def test_the_range_holds_what_gamed_rows_would_have_given():
    rng, inside, gaps, plain = np.random.default_rng(0), [], [], []
    for spread in [.2, .7]*repeats(2, 6):
        whole = gamed_folder(rng, spread)
        bare = whole[~whole.generator.str.startswith("base_")]
        want = length_controlled(whole).set_index("generator").lc_win_rate
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            got = length_controlled(bare).set_index("generator")
        alone = length_controlled(bare, gamed=()).set_index("generator").lc_win_rate
        want = want[got.index]
        inside += list(want.between(got.lc_low, got.lc_high))
        gaps += list((got.lc_win_rate - want).abs())
        plain += list((alone - want).abs())
    print(f"held in {np.mean(inside):.3f} of {len(inside)}; mean gap {np.mean(gaps):.2f} points, "
          f"without stand-ins {np.mean(plain):.2f}; largest {np.max(gaps):.1f} and {np.max(plain):.1f}")
    assert np.mean(inside) >= .9 and np.mean(gaps) < np.mean(plain)


def test_a_generator_of_few_instructions_is_said_and_not_drawn_to_a_half():
    whole = gamed_folder(np.random.default_rng(2), .3, n=40, k=2)
    whole = whole[~whole.generator.str.startswith("base_")]
    few = pd.concat([whole, whole[whole.generator == "g0"].iloc[:1].assign(generator="one", preference=1.1),
                     whole[whole.generator == "g1"].iloc[:3].assign(generator="three")])
    with pytest.warns(UserWarning, match="2 generators with fewer than 20 instructions \\('three', 'one'\\)"):
        got = length_controlled(few).set_index("generator")
    assert got.lc_win_rate["one"] < 25 and np.isfinite(got.lc_win_rate).all()
    assert np.isnan(got.lc_std_error["one"])
    with pytest.raises(InputError, match="the one instruction of 'one' without gamed rows"):
        length_controlled(few, gamed=())


def test_a_length_that_is_no_number_switches_no_control_off():
    a = gamed_folder(np.random.default_rng(2), .3, n=40, k=2)
    for column, value in (("length", np.nan), ("baseline_length", None)):
        spoiled = a.assign(**{column: a[column].where(a.index != 6, value)})
        said = f"`{column}` must be a number.*1 row does not: row 7"
        with pytest.raises(SchemaError, match=said):
            length_controlled(spoiled)
    with pytest.raises(InputError, match="`length` must be finite; 1 value infinite \\(row 7\\)"):
        length_controlled(a.assign(length=a.length.where(a.index != 6, np.inf)))
    with pytest.raises(InputError, match="`strength` must be a finite number, 0 or more"):
        length_controlled(a, strength=-.2)


def test_a_window_for_a_judge_is_chosen_over_instructions():
    "Two hundred judgements of five instructions are five prompts: too few to choose a window by"
    a = gamed_folder(np.random.default_rng(3), .3, n=5, k=38)
    with pytest.warns(CalibrationWarning, match="5 prompts are too few to choose a window by"):
        fixed = calibrate_annotations(a, MarginCalibrator(RCLWR("cv", it=0)))
    assert np.allclose(fixed.preference, 1 + np.clip(a.preference - 1, .01, .99), atol=1e-9)


def test_methods_compared_by_default_make_no_robust_refits_for_a_judge():
    a = gamed_folder(np.random.default_rng(4), .3, n=60, k=3)
    a["preference"] = 1. + (a.preference > 1.8) # sure verdicts: one in five won
    rates = win_rates(calibrate_annotations(a))[["generator", "win_rate"]]
    ranking = dict(zip(rates.generator, rates.win_rate))
    table = compare_alpaca_eval({"judge": a}, {"itself": ranking}, replicates=100).set_index("method")
    assert table.spearman["RC-LWR"] == pytest.approx(1) and set(table.index) == {
        "Original", "Length penalty", "RC-Mean", "RC-LWR", "LC"}
    moved = calibrate_annotations(a, RCLWR()).preference - calibrate_annotations(a).preference
    assert np.abs(moved).max() > .01 # what the refits would have changed


def test_all_generators_and_the_baseline_once_are_fitted():
    "Calibration paper, section 4: every response at hand, whatever its generator"
    rng, n, k = np.random.default_rng(0), 40, 3
    base, rows = rng.integers(100, 900, n), []
    for g in range(k):
        length = rng.integers(100, 900, n)
        rows.append(pd.DataFrame(dict(generator=f"g{g}", instruction_id=[f"i{i}" for i in range(n)],
                                      length=length, baseline_length=base, reward=.01*length + g,
                                      baseline_reward=.01*base)))
    a = pd.concat(rows, ignore_index=True)
    a["preference"] = 1.5
    c, r = np.r_[a.length, base], np.r_[a.reward, .01*base]
    curve = RCLWR(.9).fit(c.astype(float), r)
    margin = a.reward - curve.predict(a.length) - a.baseline_reward + curve.predict(a.baseline_length)
    found = calibrate_annotations(a, RCLWR(.9)).preference
    assert np.allclose(found, 1 + 1/(1 + np.exp(-margin)))


def test_missing_gamed_rows_are_said_loudly(tmp_path):
    whole = gamed_folder(np.random.default_rng(1), .3, n=40, k=2)
    with pytest.warns(UserWarning, match="no rows of 'base_verbose', 'base_concise'.*points apart"):
        bare = length_controlled(whole[~whole.generator.str.startswith("base_")])
    assert (bare.lc_low < bare.lc_win_rate).all() and (bare.lc_win_rate < bare.lc_high).all()
    said = {"own difficulties, stand-ins": bare, "own difficulties, no gamed rows":
            length_controlled(whole, gamed=()), "own difficulties, gamed rows": length_controlled(whole)}
    for form, table in said.items():
        assert set(table.lc_form) == {form}
        assert table[["lc_gap", "lc_gap_largest"]].isna().all(axis=None) # it depends on the other generators
    x = dict(zip(whole.instruction_id.astype(str), np.random.default_rng(0).normal(size=len(whole))))
    both = length_controlled(whole, difficulty=x)
    assert set(zip(both.lc_gap, both.lc_gap_largest)) == {FORMS["given difficulties, gamed rows"]}
    # more generators that agree, a narrower range; none, the public slopes alone
    wide = [np.ptp(slope_range(np.full(k, 1.5), np.full(k, .05))[1:]) for k in (0, 3, 30)]
    assert wide == sorted(wide, reverse=True) and slope_range([], [])[0] == pytest.approx(1.7)


def test_rankings(tmp_path):
    (tmp_path/"arena.csv").write_text("model,elo,votes\nm,1000,5\nn,1100,5\n")
    with pytest.raises(InputError, match="which column ranks"):
        read_ranking(tmp_path/"arena.csv")
    assert read_ranking(tmp_path/"arena.csv", "elo").to_dict() == dict(m=1000, n=1100)
    (tmp_path/"twice.csv").write_text("model,elo\nm,1000\nm,1100\n")
    with pytest.raises(SchemaError, match=r"twice.csv:\s+- `model` must name one row; 1 row does not: "
                                           r"row 2 \('m'\)"):
        read_ranking(tmp_path/"twice.csv")
    (tmp_path/"hole.csv").write_text("model,elo\nm,1000\nk,\nn,high\n")
    with pytest.raises(SchemaError, match=r"must be a number or empty; 1 row does not: row 3 \('high'\)"):
        read_ranking(tmp_path/"hole.csv", "elo")
    (tmp_path/"endless.csv").write_text("model,elo\nm,1000\nn,inf\n")
    with pytest.raises(SchemaError, match=r"1 row does not: row 2 \(inf\)"):
        read_ranking(tmp_path/"endless.csv", "elo")
    # the layout of the public benchmarks.csv: headers of two lines, empty cells, short rows
    (tmp_path/"public.csv").write_text('Model,"Arena Elo\n[Feb 2, 2024]","Arena Elo\n[April 18, 2024]",LC\n'
                                       "a,,1260,55.0\nb,1249.0,,\nc,1247.0,1255\n")
    assert read_ranking(tmp_path/"public.csv", "Arena Elo [Feb 2, 2024]").to_dict() == dict(b=1249, c=1247)
    assert list(read_ranking(tmp_path/"public.csv", "Arena Elo\n[April 18, 2024]").index) == ["a", "c"]
    with pytest.raises(InputError, match=r"one of 'Arena Elo \[Feb 2, 2024\]'"):
        read_ranking(tmp_path/"public.csv")
    with pytest.raises(InputError, match="shares 1"):
        rank_agreement(pd.DataFrame(dict(generator=["m", "q"], win_rate=[1., 2])), dict(m=1, n=2))


def test_rank_agreement_interval_covers():
    rng, hit = np.random.default_rng(0), []
    for s in range(60):
        x = rng.normal(size=40)
        y = x + rng.normal(size=40) # Pearson √½ in the population; Spearman 6/π·asin(√½/2)
        got = rank_agreement(pd.DataFrame(dict(generator=[f"g{i}" for i in range(40)], win_rate=x)),
                             {f"g{i}": v for i, v in enumerate(y)}, replicates=200, rng=s)
        hit.append(got["spearman_low"] <= 6/np.pi*np.arcsin(.5**.5/2) <= got["spearman_high"])
    assert .85 <= np.mean(hit) <= 1


def test_pointwise_rewards_from_model_outputs(tmp_path):
    for name, k in (("base", 1), ("m", 2), ("n", 3)):
        (tmp_path/name).mkdir()
        (tmp_path/name/"model_outputs.json").write_text(json.dumps([dict(instruction=f"task {i}",
            output="x"*k*(i + 1), generator=name) for i in range(30)]))
    seen = []
    def reward(prompts, responses):
        seen.extend(responses)
        return [len(r)/10 for r in responses]
    with pytest.raises(InputError, match="say baseline="):
        score_alpaca_eval(tmp_path, reward)
    seen.clear()
    a = score_alpaca_eval(tmp_path, reward, "base")
    # the baseline's answers are scored once
    assert sorted(a.generator.unique()) == ["m", "n"] and len(seen) == 90
    want = 100*np.mean([1/(1 + np.exp(-(i + 1)/10)) for i in range(30)])
    assert win_rates(a).set_index("generator").win_rate["m"] == pytest.approx(want)
    assert abs(win_rates(calibrate_annotations(a, RCLWR(.9))).win_rate - 50).max() < 1
    # one window for all: nothing to take out
    assert (calibrate_annotations(a, RCMean(distance=1e9)).preference == a.preference).all()


def official(folder, judges=("weighted",), generators=("m", "n")): # as published: outputs beside annotations
    for k, name in enumerate(generators, 2):
        (folder/name).mkdir(parents=True)
        said = [dict(instruction=f"task {i}", output="x"*k*(i + 1), generator=name) for i in range(6)]
        (folder/name/"model_outputs.json").write_text(json.dumps(said))
        for judge in judges:
            (folder/name/judge).mkdir()
            (folder/name/judge/"annotations.json").write_text(json.dumps([dict(
                instruction=r["instruction"], output_1="y"*(i + 1), generator_1="base", output_2=r["output"],
                generator_2=name, annotator=judge, preference=1.2) for i, r in enumerate(said)]))
    return folder


def test_a_reward_judges_results_as_they_are_published(tmp_path):
    reward = lambda prompts, responses: [len(r)/10 for r in responses]
    a = score_alpaca_eval(official(tmp_path/"one"), reward)
    assert len(a) == 12 and set(a.baseline) == {"base"}
    assert a.baseline_reward.tolist() == [(i + 1)/10 for i in range(6)]*2
    some = set(a.instruction_id[:2])
    assert len(score_alpaca_eval(tmp_path/"one", reward, instructions=some)) == 4
    two = official(tmp_path/"two", ("weighted", "alpaca_eval_gpt4"))
    with pytest.raises(InputError, match="annotator="):
        load_responses(two)
    assert len(load_responses(two, annotator="weighted")) == 18 # of m, n and base
    assert len(score_alpaca_eval(two, reward, annotator="weighted")) == 12
    (tmp_path/"t.csv").write_text("prompt,response\na,b\n")
    with pytest.raises(InputError, match="`annotator` is the judge of AlpacaEval results"):
        list(response_tables(tmp_path/"t.csv", annotator="weighted"))


def test_the_dial_of_a_calibrator_reaches_a_judge(data):
    a = load_alpaca_eval(data/"alpaca_eval")
    rate = {g: win_rates(calibrate_annotations(a, MarginCalibrator(RCLWR(it=0, gamma=g)))).win_rate
            for g in (0., .5, 1.)}
    clipped = win_rates(a.assign(preference=1 + np.clip(a.preference - 1, .01, .99))).win_rate
    assert np.allclose(rate[0.], clipped) and (rate[0.] < rate[.5]).all() and (rate[.5] < rate[1.]).all()
    with pytest.raises(SchemaError,
                       match=r"say characteristics=\('words',\).* 2 columns missing: words, baseline_words"):
        calibrate_annotations(a, characteristic="words")


def test_few_instructions_that_were_all_won_prove_little():
    one = pd.DataFrame(dict(generator="m", instruction_id=range(6), preference=2., length=10.,
                            baseline_length=9.))
    won, lost = (win_rates(one.assign(preference=p)).iloc[0] for p in (2., 1.))
    assert won.ci_low == pytest.approx(100*.025**(1/6)) and won.ci_high == won.win_rate == 100
    assert lost.ci_high == pytest.approx(100 - won.ci_low) and lost.ci_low == 0
