"The run notebook: a file of scores in, calibrated rewards and what is known about them out."
import contextlib, json, re
import numpy as np, pandas as pd, pytest
from warm import run_with
from rate_nb.batch.cli import main
from rate_nb.batch.notebooks import run_notebook, run_notebooks
from rate_nb.theory.text_world import planted_rewards
from rate_nb.calibration.calibrators import RCLWR, RCLWRPenalty, RCMean
from rate_nb.base.core import InputError, SchemaError
from rate_nb.calibration.causal import CausalCalibrator
from rate_nb.calibration.score_tables import (
    artefacts_of_audit, calibrate_scores, check_scores, counted_scores, load_calibration, load_scores,
    make_calibrator, names_in_audit, scores_of_audit, write_calibration)


def scored(prompts=400, seed=0):
    return planted_rewards(prompts,
                           np.random.default_rng(seed))[["prompt_id", "length", "reward", "preferred"]]


def test_run_notebook_does_the_whole(tmp_path):
    table = scored()
    table.to_csv(tmp_path/"scores.csv", index=False)
    run_notebook(run_notebooks()["calibrate"], tmp_path/"out"/"calibrate.ipynb",
                 dict(scores=str(tmp_path/"scores.csv"), run_dir=str(tmp_path/"out"), replicates=5))
    back, record = pd.read_csv(tmp_path/"out"/"calibrated.csv"), json.loads(
        (tmp_path/"out"/"calibration.json").read_text())
    chosen = RCLWR("cv").fit(table.length, table.reward, table.prompt_id)
    fit, = record["fitted"]
    assert fit["chosen"] == chosen.choice_in_words() and fit["model"] == "model"
    summary = json.loads((tmp_path/"out"/"summary.json").read_text())
    assert summary["fitted"] == record["fitted"] and len(summary["table"]) == 2  # rows, no names as keys
    assert (tmp_path/"out"/"sensitivity.csv").exists()
    assert (np.allclose(back.calibrated, chosen.calibrate(table.length, table.reward))
            and np.allclose(back.reward, table.reward))
    raw, after = record["outcomes"]
    assert (raw["method"] == "raw"
            and after["method"] == "RC-LWR"
            and after["gain_low"] > 0
            and record["rows"] == 800)
    assert set(pd.read_csv(tmp_path/"out"/"checks.csv")["check"]) == {"independence", "density",
        "slow variation", "preferences overturned", "gold preferences"}
    cells = json.loads((tmp_path/"out"/"calibrate.ipynb").read_text())["cells"]
    pictures = [o for c in cells if c["cell_type"] == "code"
                for o in c["outputs"] if "image/png" in o.get("data", {})]
    # the bias curve, the clouds, the dial
    assert len(pictures) == 3


def texts(n=300, seed=3):
    rng = np.random.default_rng(seed)
    t = pd.DataFrame(dict(prompt_id=np.repeat(np.arange(n//2), 2),
                          prompt=["Q"*int(k) for k in rng.integers(5, 900, n)],
                          response=["a"*int(k) for k in rng.integers(20, 1500, n)]))
    return t.assign(reward=rng.normal(size=n) + t.response.str.len()/400)


def penalty_then_lowess(t, alpha, frac, it): # the paper's, by statsmodels and nothing of the package's
    from statsmodels.nonparametric.smoothers_lowess import lowess
    c = t.response.str.len().to_numpy(float)
    left = t.reward.to_numpy() - alpha*np.array([len(p) + len(r) for p, r in zip(t.prompt, t.response)])
    return left - lowess(left, c, frac=frac, it=it, delta=0, return_sorted=False)


@pytest.mark.slow
def test_the_penalty_falls_on_prompt_and_response_where_the_file_has_them(tmp_path):
    t = texts()
    t.to_csv(tmp_path/"s.csv", index=False)
    run_notebook(run_notebooks()["calibrate"], tmp_path/"out"/"calibrate.ipynb",
                 dict(scores=str(tmp_path/"s.csv"), method="rc-lwr-penalty", alpha=.002, frac=.6, it=0,
                      run_dir=str(tmp_path/"out"), replicates=3))
    back = pd.read_csv(tmp_path/"out"/"calibrated.csv")
    assert np.allclose(back.calibrated, penalty_then_lowess(t, .002, .6, 0), atol=1e-6)
    record = json.loads((tmp_path/"out"/"calibration.json").read_text())
    assert record["penalised"] == "the characters of prompt and response together, as in the paper"
    table = pd.DataFrame(record["outcomes"]).set_index("method")
    i, j = np.arange(0, 300, 2), np.arange(1, 300, 2)
    raw, now = (np.sign(v[i] - v[j]) for v in (t.reward.to_numpy(), back.calibrated.to_numpy()))
    assert table.overturned["RC-LWR-Penalty"] == pytest.approx((raw != now).mean(), abs=1e-9)
    assert table.spearman["RC-LWR-Penalty"] == pytest.approx(
        back.calibrated.corr(t.response.str.len(), method="spearman"), abs=1e-9)


def test_the_penalty_on_another_file_and_where_prompts_are_missing():
    a, b = texts(400, 0), texts(200, 1)
    method = make_calibrator("rc-lwr-penalty", 400, alpha=.002, frac=.6)
    done = calibrate_scores(b, method, fit_on=a)
    both = lambda t: (t.prompt + t.response).str.len().to_numpy(float)
    plain = RCLWR(.6).fit(a.response.str.len(), a.reward - .002*both(a))
    assert np.allclose(done.table.calibrated,
                       plain.calibrate(b.response.str.len(), b.reward - .002*both(b)), atol=1e-9)
    for lacking in (b.drop(columns="prompt"), b.assign(prompt=[None, *b.prompt[1:]]), b.assign(prompt=1)):
        done = calibrate_scores(lacking, method, fit_on=a)
        assert "`length` itself" in done.penalised and "nearly RC-LWR" in done._repr_markdown_()
    known = b.drop(columns="prompt").assign(text_length=both(b))
    assert "prompt and response" in calibrate_scores(known, method).penalised


def test_wrong_input_is_said_before_anything_else(tmp_path):
    (tmp_path/"s.csv").write_text("score,length\n1,2\n")
    code, printed = run_with(run_notebooks()["calibrate"], tmp_path,
                             dict(scores=str(tmp_path/"s.csv"), run_dir=str(tmp_path/"out")))
    assert code and "has no column `reward`" in printed


@pytest.mark.slow
def test_a_measured_loss_comes_first(tmp_path):
    scored(100).to_csv(tmp_path/"s.csv", index=False)
    assert not run_with(run_notebooks()["calibrate"], tmp_path, dict(
        scores=str(tmp_path/"s.csv"), gamma=9., replicates=0, run_dir=str(tmp_path/"out")))[0]
    said = json.loads((tmp_path/"out"/"summary.json").read_text())
    assert next(iter(said)) == "warning"
    assert said["warning"].startswith("Worse after calibration: RC-LWR took 9 of")
    assert "points (95% interval −" in said["warning"] and said["rests_on"].startswith("Assumed")


@pytest.mark.slow
def test_preferences_that_are_all_alike_are_named(tmp_path):
    scored(100).assign(preferred=1).to_csv(tmp_path/"s.csv", index=False)
    assert not run_with(run_notebooks()["calibrate"], tmp_path, dict(
        scores=str(tmp_path/"s.csv"), replicates=0, run_dir=str(tmp_path/"out")))[0]
    said = json.loads((tmp_path/"out"/"summary.json").read_text())
    assert said["warning"].startswith("No accuracy: `preferred` is 1 in all rows")


def test_each_model_has_its_own_curve_and_gaps_stay():
    w = planted_rewards(800, np.random.default_rng(0))
    two = pd.concat([w.assign(model="a"), w.assign(model="b", reward=10*w.unbiased)],
                    ignore_index=True).sample(frac=1, random_state=0)
    two.loc[two.index[:5], "reward"] = np.nan
    done = calibrate_scores(two, RCLWR(.9))
    for m in "ab":
        mine = two[two.model == m]
        assert np.allclose(done.table.calibrated[done.table.model == m],
                           RCLWR(.9).fit(mine.length, mine.reward).calibrate(mine.length, mine.reward),
                           equal_nan=True)
    assert (done.table.calibrated.isna().sum() == 5
            and len(done.comparison.table) == 4
            and "raw" in done._repr_markdown_())


def test_rows_without_a_pair_or_gold_are_fine(tmp_path):
    t = scored().drop(columns=["prompt_id", "preferred"])
    t.to_parquet(tmp_path/"s.parquet")
    done = calibrate_scores(load_scores(tmp_path/"s.parquet"), RCMean())
    assert np.isnan(done.comparison.table.overturned).all() and "gain" not in done.comparison.table
    assert done.checks["model"].get("independence").ok is None


def test_bad_rows_are_counted_in_the_whole_file(tmp_path):
    t = pd.DataFrame(dict(response="a", reward=np.arange(3000.), length=np.arange(3000).astype(str)))
    t.loc[[5, 1500, 2999], "length"] = "long"
    t.to_parquet(tmp_path/"s.parquet", row_group_size=700)
    for names in ("length", "words, length"):
        with pytest.raises(InputError, match=r"3 rows of 3,000 hold 'long' \(row 6, 1501, 3000\)"):
            counted_scores(tmp_path/"s.parquet", names)


def test_an_audit_of_calibrated_rewards():
    from rate_nb.scoring.rewards import texts_of
    from rate_nb.calibration.score_tables import calibrate_rewards
    examples = pd.DataFrame(dict(example_id=["a", "b", "c"], prompt_id=["a", "b", "c"], prompt="?",
                                 response=["x"*10, "y"*20, "z"*40], w=[0, 1, 1]))
    rewrites = pd.DataFrame(dict(example_id=["a", "b"], draw=0, depth=1, target_w=[1, 0], instruction_id="i",
                                 text=["x"*35, None], status=["ok", "refused"]))
    rewards = pd.DataFrame(dict(example_id=["a", "b", "c", "a", "b"], draw=0, depth=[0, 0, 0, 1, 1],
                                target_w=[0, 1, 1, 1, 0], model="m", reward=[1., 2., 4., 3., np.nan],
                                status=["ok"]*4 + ["refused"]))
    assert texts_of(examples, rewrites, rewards).str.len().tolist()[:4] == [10, 20, 40, 35]
    fixed = calibrate_rewards(examples, rewrites, rewards, RCLWR(1., 0))
    on_originals = RCLWR(1., 0).fit([10, 20, 40], [1., 2., 4.])
    assert np.allclose(fixed.reward, on_originals.calibrate([10, 20, 40, 35, np.nan], rewards.reward),
                       equal_nan=True) and set(fixed.model) == {"m, RC-LWR"}
    everything = RCLWR(1., 0).fit([10, 20, 40, 35], [1., 2., 4., 3.]).calibrate([10, 20, 40, 35],
        [1., 2., 4., 3.])
    assert np.allclose(calibrate_rewards(examples, rewrites, rewards, RCLWR(1., 0), fit_on="all").reward[:4],
                       everything) and rewards.reward[0] == 1
    asked = examples.assign(prompt=["?"*9, "?"*90, "?"*30])
    fixed = calibrate_rewards(asked, rewrites, rewards, RCLWRPenalty(.01, 1., 0))
    length, both = np.array([10, 20, 40, 35]), np.array([19, 110, 70, 44])
    left = rewards.reward.to_numpy()[:4] - .01*both
    assert np.allclose(fixed.reward[:4], RCLWR(1., 0).fit(length[:3], left[:3]).calibrate(length, left))
    assert np.isnan(fixed.reward[4]) and "quality" in fixed.attrs["sensitivity"]["m"]


def test_one_answer_a_prompt_is_a_file_like_any_other():
    t = pd.DataFrame(dict(prompt_id=range(60), length=range(60),
                          reward=np.random.default_rng(0).normal(size=60)))
    for method in ("rc-lwr", "rc-mean"):
        assert calibrate_scores(t, make_calibrator(method, 60)).comparison.table.overturned.isna().all()


def test_words_for_preferences_and_rows_without_a_model_are_named():
    t = scored(20)
    with pytest.raises(SchemaError, match=r"`preferred` must be 0 or 1, .* 40 rows do not: row 1, 2, 3, … "
                                          r"\('yes', 'yes', 'yes'\)"):
        check_scores(t.assign(preferred="yes"))
    with pytest.raises(SchemaError,
                       match=r"`model` must name the reward model in every row; 2 rows do not: row 1, 2"):
        check_scores(t.assign(model=[None]*2 + ["m"]*38))
    with pytest.raises(SchemaError, match=r"`reward` must be a finite number, or empty; 2 rows do not: "
                                          r"row 2, 3 \('high', inf\)"):
        check_scores(pd.DataFrame(dict(reward=[1, "high", np.inf])))


def test_an_audit_keeps_one_level_where_a_method_has_no_estimate():
    from rate_nb.calibration.score_tables import calibrate_rewards
    n = 40
    text = [("x"*(100 + i)) for i in range(n)]
    examples = pd.DataFrame(dict(example_id=[str(i) for i in range(n)], prompt_id=range(n), prompt="p",
                                 response=text, w=[i % 2 for i in range(n)]))
    row = dict(draw=0, depth=1, target_w=0, model="m", status="ok")
    rewrites = pd.DataFrame([dict(row, example_id="1", text="x"*9000)])
    rewards = pd.concat([pd.DataFrame(dict(example_id=examples.example_id, draw=0, depth=0,
                                           target_w=examples.w, model="m", reward=50., status="ok")),
                         pd.DataFrame([dict(row, example_id="1", reward=51.)])], ignore_index=True)
    with pytest.warns(UserWarning, match="leaves 1 reward of 41"):
        fixed = calibrate_rewards(examples, rewrites, rewards, RCMean(distance=20))
    assert np.allclose(fixed.reward, [0]*n + [1])


def test_what_cannot_be_calibrated_is_said_before_anything_is_fitted(monkeypatch):
    def never(*args, **options): raise AssertionError("fitted")
    t = texts().assign(length=lambda t: t.response.str.len().astype(float), model="b")
    two = pd.concat([t.assign(model="a"), t], ignore_index=True)
    two.loc[330, "length"] = np.inf
    gold = t.assign(preferred=np.tile([1, 0], len(t)//2), length=t.length + np.tile([900, 0], len(t)//2))
    for kind in (RCLWR, CausalCalibrator):
        monkeypatch.setattr(kind, "fit", never)
    said = r"column `length` must hold finite numbers; 1 row of 600 holds inf \(row 331\)"
    with pytest.raises(InputError, match=said):
        calibrate_scores(two)
    with pytest.raises(InputError, match="Write 0.95"):
        calibrate_scores(t, level=95)
    with pytest.raises(InputError, match="`characteristic` is empty; name a column"):
        calibrate_scores(t, characteristic=" ")
    with pytest.raises(InputError, match="needs rewrites.*causal_calibration"): # gold pairs are no rewrites
        calibrate_scores(gold, CausalCalibrator())


def test_several_curves_choose_their_windows_and_keep_them(tmp_path):
    rng = np.random.default_rng(4)
    t = texts(600)
    t["reward"] += 3*np.exp(-((t.response.str.len() - 700)/150)**2)
    t["response"] += pd.Series(["\n- x"*int(k) for k in rng.poisson(2, len(t))])
    prompts = t.prompt_id.sample(frac=1, random_state=0).index
    done = calibrate_scores(t, characteristic="length, list_items")
    curves = done.calibrators["model"].curves_
    assert curves[0].frac_ < .5 and curves[1].frac_ != curves[0].frac_
    assert "length: chosen by cross-validation" in done.calibrators["model"]._repr_markdown_()
    mixed = calibrate_scores(t.loc[prompts], characteristic="length, list_items")
    assert np.allclose(mixed.table.calibrated.sort_index(), done.table.calibrated, atol=1e-9)
    write_calibration(done, tmp_path/"k.parquet")
    fitted, names = load_calibration(tmp_path/"k.parquet")
    here = done.table[names]
    assert np.array_equal(fitted.predict(here), done.calibrators["model"].predict(here))


def test_a_curve_that_knows_no_text_of_the_file_changes_no_preference():
    here, there = scored(30), scored(30, 1).assign(length=lambda t: t.length + 9000)
    method = RCMean(min_count=1, distance=200.)
    line = calibrate_scores(here, method, fit_on=there).sensitivity["model"]
    assert "changes no preference" in line.words and (line.table.gain_clean == 0).all()


def audit_folder(folder, attribute="length"):
    "What an audit of a reward that pays for length leaves, as far as a calibration reads it"
    from rate_nb.rewriting import double_rewrite
    from rate_nb.scoring import CallableReward, score_rewrites
    from rate_nb.theory.text_world import Taste, TextWorld
    world = TextWorld(attribute)
    examples = world.examples(200, np.random.default_rng(0))
    rewrites = double_rewrite(examples, attribute, world.rewriter)
    rewards = score_rewrites(examples, rewrites, CallableReward("taste", Taste(length=1.2), key="1"),
                             progress=False)
    folder.mkdir()
    for name, table in dict(examples=examples, rewrites=rewrites, rewards=rewards).items():
        table.to_parquet(folder/f"{name}.parquet")
    return examples, rewrites, rewards


def calibrated_in(tmp_path, **parameters):
    run_notebook(run_notebooks()["calibrate"], tmp_path/"out"/"calibrate.ipynb",
                 dict(run_dir=str(tmp_path/"out"), replicates=0, **parameters))
    fit, = json.loads((tmp_path/"out"/"calibration.json").read_text())["fitted"]
    return fit, re.sub("</?code[^>]*>", "", (tmp_path/"out"/"report.html").read_text(encoding="utf-8"))


def test_with_an_audit_of_the_same_rewards_the_causal_curve_is_the_default(tmp_path):
    from rate_nb.calibration.causal import fit_causal
    tables = audit_folder(tmp_path/"audit")
    fit, report = calibrated_in(tmp_path, scores=str(tmp_path/"audit"))
    assert fit["calibrator"].startswith("CausalCalibrator") and "rewriting changes length, from" in report
    assert "no diagnosis yet" in report
    fitted, names = load_calibration(tmp_path/"out")
    own = fit_causal(*tables)
    lengths = tables[0].response.str.len()
    assert names == ["length"] and np.allclose(fitted.predict(lengths), own.predict(lengths))
    kept = pd.read_parquet(tmp_path/"out"/"calibrated.parquet")
    assert np.allclose(kept.calibrated, kept.reward - own.predict(kept.response.str.len()))
    # the same rewards in a file, the audit beside it; one of its checks failed
    pd.DataFrame(dict(check=["differences", "drift with depth"], verdict="failed")).to_csv(
        tmp_path/"audit"/"diagnosis.csv", index=False)
    kept.drop(columns=["calibrated", "length"]).to_csv(tmp_path/"scores.csv", index=False)
    fit, report = calibrated_in(tmp_path, scores=str(tmp_path/"scores.csv"), audit=str(tmp_path/"audit"))
    assert fit["calibrator"].startswith("CausalCalibrator")
    assert "Failed in the audit: differences." in report and "takes this artefact out, too" in report

    assert "The audit is of" not in report # it is of what is taken out


def test_what_the_audit_has_audited_is_taken_out_also_where_it_has_labels(tmp_path):
    "By the audit's labels of its own texts, and by its rule in a file; length only where it is asked for"
    from rate_nb.rewriting import double_rewrite
    from rate_nb.scoring import CallableReward, score_rewrites
    rng, there = np.random.default_rng(0), tmp_path/"audit"
    phrase = " thanks" + " so very much"*12
    texts = ["word "*int(rng.integers(5, 40)) + phrase*(i % 2) for i in range(120)]
    examples = pd.DataFrame(dict(example_id=range(120), prompt_id=range(120), prompt="Why?", response=texts,
                                 w=[i % 2 for i in range(120)]))
    of = dict(name="courtesy", treated="with thanks", untreated="without thanks", label=dict(regex="thanks"))
    rewrites = double_rewrite(examples, {k: v for k, v in of.items() if k != "label"},
                              lambda prompt, text, target: text + phrase if target else text[:-len(phrase)])
    pays = lambda prompts, responses: [.01*len(t) + .6*("thanks" in t) for t in responses]
    rewards = score_rewrites(examples, rewrites, CallableReward("pays", pays, key="1"), progress=False)
    there.mkdir()
    for name, table in dict(examples=examples, rewrites=rewrites, rewards=rewards).items():
        table.to_parquet(there/f"{name}.parquet")
    (there/"manifest.json").write_text(json.dumps(dict(audit=dict(attribute=dict(name="courtesy")))))
    (there/"audit.yaml").write_text(json.dumps(dict(attribute=of)))
    _, report = calibrated_in(tmp_path, scores=str(there))
    kept = pd.read_parquet(tmp_path/"out"/"calibrated.parquet")
    taken = (kept.reward - kept.calibrated).groupby(kept.w).agg(["mean", "std"])
    assert np.allclose(taken["mean"].diff().iloc[1], .6 + .01*len(phrase)) and (taken["std"] < 1e-9).all()
    assert "where rewriting changes courtesy" in report and "rate_nb calibrate FILE --audit" in report
    assert "changes courtesy" in json.loads((tmp_path/"out"/"summary.json").read_text())["rests_on"]
    others = [t.replace("word", "other") for t in texts]
    pd.DataFrame(dict(response=others, reward=pays(None, others))).to_csv(tmp_path/"new.csv", index=False)
    calibrated_in(tmp_path, scores=str(tmp_path/"new.csv"), audit=str(there))
    new = pd.read_parquet(tmp_path/"out"/"calibrated.parquet")
    assert np.allclose((new.reward - new.calibrated).groupby(kept.w).mean().diff().iloc[1],
                       .6 + .01*len(phrase))
    _, report = calibrated_in(tmp_path, scores=str(there), characteristic="length")
    assert "The audit is of courtesy: whatever else courtesy changes in a text is taken for length" in report


def test_without_an_audit_the_report_begins_with_what_is_assumed_and_what_it_costs(tmp_path):
    scored().to_csv(tmp_path/"scores.csv", index=False)
    fit, report = calibrated_in(tmp_path, scores=str(tmp_path/"scores.csv"))
    assert fit["calibrator"].startswith("RCLWR")
    assert "Assumed: better responses have neither more nor less length" in report
    line = pd.read_csv(tmp_path/"out"/"sensitivity.csv")
    worst = line[np.isclose(line.relation.abs(), .4)].gain_noisy.min()
    assert f"{100*worst:+.1f}".replace("-", "−") in report
    assert report.index("Assumed:") < report.index("took the bias for length")


def test_scores_of_another_reward_than_the_audits_are_told_apart(tmp_path):
    audit_folder(tmp_path/"audit")
    own = scores_of_audit(tmp_path/"audit")[["prompt", "response", "reward"]]
    other = own.assign(reward=np.random.default_rng(1).normal(size=len(own)))
    names = lambda scores, *models: names_in_audit(tmp_path/"audit", models or ["model"], scores)
    assert names(own) == ({"model": "taste"}, "")
    assert names(own.assign(model="mine", reward=2*own.reward + 1), "mine") == ({"mine": "taste"}, "")
    assert names(own.assign(response="of others")) == ({"model": "taste"}, "") # nothing to compare
    assert names(other)[1].startswith("The audit is of 'taste', these scores are of another reward: for 200 ")
    with pytest.raises(InputError, match="the audit is of 'taste', these scores are of 'mine': "):
        names(other.assign(model="mine"), "mine")
    pd.DataFrame(dict(check=["same-target placebo", "additivity", "controls", "differences"],
                      verdict=["inconclusive", "inconclusive", "failed", "passed"], model="taste",
                      claim=["", "originals' style", "none", ""])).to_csv(tmp_path/"audit"/"diagnosis.csv")
    doubt = "The audit is inconclusive (same-target placebo): the correction may take out what is no bias."
    assert artefacts_of_audit(tmp_path/"audit", ["taste"]) == doubt
    assert artefacts_of_audit(tmp_path/"audit", ["none"]) == ""


def test_what_is_doubtful_of_an_audit_stands_first(tmp_path, capsys):
    audit_folder(tmp_path/"audit")
    pd.DataFrame(dict(check=["compliance"], verdict=["failed"])).to_csv(tmp_path/"audit"/"diagnosis.csv")
    texts = pd.read_parquet(tmp_path/"audit"/"examples.parquet")[["prompt", "response"]]
    for more in ({}, dict(model="mine")):
        texts.assign(reward=np.arange(len(texts)) % 7, **more).to_csv(tmp_path/"s.csv", index=False)
        command = ["calibrate", "s.csv", "--audit", "audit", "--characteristic", "length", "--run-dir", "out",
                   "--replicates", "0"]
        with contextlib.chdir(tmp_path):
            assert main(command) == 0
        first = " ".join(capsys.readouterr().out.strip().split()[:99])
        of = "'mine'" if more else "another reward"
        assert f"he audit is of 'taste', these scores are of {of}: " in first[:200], first
        report = (tmp_path/"out"/"report.html").read_text(encoding="utf-8")
        assert "these scores are of" in report
        doubt = "The audit failed (compliance): the correction may take out what is no bias."
        assert (doubt in first and doubt in report) != bool(more) # then nothing of the audit is taken
        assert "warning" in json.loads((tmp_path/"out"/"summary.json").read_text())


def test_an_audit_whose_rewrites_do_not_move_the_characteristic_has_no_causal_curve(tmp_path):
    examples, rewrites, rewards = audit_folder(tmp_path/"audit")
    rewrites.assign(text="the same words").to_parquet(tmp_path/"audit"/"rewrites.parquet")
    fit, report = calibrated_in(tmp_path, scores=str(tmp_path/"audit"))
    assert fit["calibrator"].startswith("RCLWR") and "No causal curve: the rewrites hardly move" in report
    with pytest.raises(Exception, match="hardly move the characteristic"):
        calibrated_in(tmp_path, scores=str(tmp_path/"audit"), method="causal")


def test_options_that_the_causal_curve_does_not_use_are_refused(tmp_path, capsys):
    audit_folder(tmp_path/"audit")
    with contextlib.chdir(tmp_path):
        assert main(["calibrate", "audit", "--characteristic", "length", "--it", "1", "--frac", ".5"]) == 2
    assert "--frac and --it: not used by the causal curve" in capsys.readouterr().err
