"Calibration and cause: the formula, the cross-fitted slope, the three worlds, the run notebook."
import json
import numpy as np, pandas as pd, pytest
from warm import run_with
from sampling import possible, repeats
from rate_nb.batch.notebooks import run_notebooks
from rate_nb.calibration.score_tables import calibrate_rewards
from rate_nb.calibration.calibrators import RCLWR
from rate_nb.calibration.causal import (
    _gamma_range, causal_calibration, CausalCalibrator, dose_response, fit_causal, folds_of,
    recommended_gamma)
from rate_nb.studies.closed_loop import close_the_loop
from rate_nb.base.core import InputError
from rate_nb.estimators.effects import estimate_effects
from rate_nb.scoring.rewards import to_scored


def audit(prompts=60, beta=.01, kappa=.02, rng=0, draws=1, each=2):
    ("Tables of an audit whose texts are only as long as they must be: W adds 100 to 200 characters, hidden "
     "quality goes along with length")
    rng = np.random.default_rng(rng)
    n = prompts*each
    w, base = rng.integers(0, 2, n), 200 + rng.integers(0, 80, n)
    quality = kappa*(base + 150*w) + rng.normal(0, .5, n)
    own = base + 150*w + rng.integers(0, 40, n)
    examples = pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)],
                                 prompt_id=np.repeat([f"p{i}" for i in range(prompts)], each), prompt="?",
                                 response=["x"*c for c in own], w=w))
    rows = [dict(example_id=f"e{i}", draw=0, depth=0, target_w=w[i], text="x"*own[i],
                 reward=beta*own[i] + quality[i] + rng.normal(0, .1)) for i in range(n)]
    for i in range(n):
        for draw in range(draws):
            for depth, target in ((1, 1 - w[i]), (2, w[i])):
                xi = rng.integers(0, 40)
                c = base[i] + 150*target + xi
                # ξ moves both, against each other
                rows.append(dict(example_id=f"e{i}", draw=draw, depth=depth, target_w=target, text="x"*c,
                                 reward=beta*c + quality[i] - .02*xi + rng.normal(0, .1)))
    table = pd.DataFrame(rows).assign(model="m", status="ok")
    rewrites = table[table.depth > 0].drop(columns=["model", "reward"]).assign(instruction_id="i")
    return examples, rewrites, table.drop(columns="text")


def ate(examples, rewrites, rewards): return estimate_effects(to_scored(examples, rewrites, rewards),
                                                              estimators=("rate",)).get("rate", "ATE")


def test_each_prompt_is_calibrated_by_the_others():
    examples, rewrites, rewards = audit()
    fixed = causal_calibration(examples, rewrites, rewards, folds=4, rng=3)
    deal = fixed.groupby("example_id").fold.first()
    assert (list(fixed.columns) == [*rewards.columns, "fold"]
            and (fixed.model == "m, causal calibration").all()
            and (rewards.model == "m").all())
    assert examples.assign(fold=examples.example_id.map(deal)).groupby("prompt_id").fold.nunique().eq(
        1).all() and deal.value_counts().nunique() == 1
    mine = fixed.fold == 1
    # fold 1 alone now loves the attribute
    other = rewards.assign(reward=rewards.reward + np.where(mine, 50.*rewards.target_w, 0))
    again = causal_calibration(examples, rewrites, other, folds=4, rng=3)
    taken = lambda f, r: (r.reward - f.reward).to_numpy()
    assert (np.allclose(taken(again, other)[mine], taken(fixed, rewards)[mine])
            and not np.allclose(taken(again, other)[~mine], taken(fixed, rewards)[~mine]))
    assert np.allclose(taken(causal_calibration(examples, rewrites, rewards, folds=4, rng=3), rewards),
                       taken(fixed, rewards))


def tied(rng, sizes=[2]*40):
    """(c, r, chains, γ*): lengths and rewards of originals, first and second rewrites of prompts with so many
    texts. A unit is worth .004, and quality goes along with length by another .0025: the line's γ* is
    .004/.0065"""
    prompts, n, p = len(sizes), sum(sizes), np.repeat(np.arange(len(sizes)), sizes)
    z = .4**.5*rng.normal(size=prompts)[p] + .6**.5*rng.normal(size=n)
    c = 800 + 100*z
    up = 150*np.exp(.3*rng.normal(size=n))
    w = z + rng.normal(size=n) > 0
    first, second = c + np.where(w, -up, up), c + 15*rng.normal(size=n)
    quality = .25*z + .3*rng.normal(size=prompts)[p] + .5*rng.normal(size=n)
    lengths = np.r_[c, first, second]
    rewards = .004*lengths + np.tile(quality, 3) + np.r_[np.zeros(n), .3*rng.normal(size=2*n)]
    i = np.arange(n)
    chains = pd.DataFrame(dict(prompt_id=p, original=i, high=np.where(w, i + 2*n, i + n),
                               low=np.where(w, i + n, i + 2*n), example_id=i))
    return lengths, rewards, chains, .004/.0065


@pytest.mark.parametrize("sizes", [[2]*40, [50] + [2]*30], ids=["equal", "one large prompt"])
@pytest.mark.parametrize("audits", [5, pytest.param(repeats(90, 300), marks=pytest.mark.slow)])
def test_the_interval_of_gamma_knows_that_the_curve_was_estimated(audits, sizes):
    "Before, the curve was taken as known, and the interval covered in .73; then a large prompt counted as "
    "one of equals, and it covered in .91"
    rng, covered = np.random.default_rng(30), []
    for _ in range(audits):
        c, r, chains, truth = tied(rng, sizes)
        n = len(c)//3
        low, high = _gamma_range(RCLWR(.9).fit(c[:n], r[:n]), c, r, chains, .95)
        covered.append(low <= truth <= high)
    assert possible(sum(covered), audits, .95), np.mean(covered)


def test_failed_rewrites_several_models_and_draws():
    examples, rewrites, rewards = audit(draws=2)
    lost = rewards.index[rewards.depth.eq(2)][:7]
    rewards = rewards.assign(reward=rewards.reward.where(~rewards.index.isin(lost)),
                             status=rewards.status.where(~rewards.index.isin(lost), "refused"))
    two = pd.concat([rewards, rewards.assign(model="half", reward=rewards.reward/2)], ignore_index=True)
    fixed = causal_calibration(examples, rewrites, two)
    assert set(fixed.model) == {"m, causal calibration",
                                "half, causal calibration"} and fixed.reward.isna().sum() == 14
    a, b = (fixed[fixed.model.str.startswith(m)].reward.to_numpy() for m in ("m", "half"))
    assert np.allclose(a, 2*b, equal_nan=True)
    slopes = dose_response(examples, rewrites, two).table.query("quantity == 'causal slope'").estimate
    assert np.isclose(slopes.iloc[0], 2*slopes.iloc[1])
    with pytest.raises(InputError, match="name one of 'm', 'half' with `model=`"):
        fit_causal(examples, rewrites, two)
    straight = fit_causal(examples, rewrites, two, "half", calibrator=CausalCalibrator(1))
    assert np.isclose(straight.slopes_[0], slopes.iloc[1], rtol=.02)


def test_what_cannot_be_fitted_is_said():
    examples, rewrites, rewards = audit()
    short = rewrites.assign(text=["x"*(300 + i % 7) for i in range(len(rewrites))])
    for f in (dose_response, causal_calibration, fit_causal):
        with pytest.raises(InputError, match="hardly move the characteristic"):
            f(examples, short, rewards)
    with pytest.raises(InputError, match="one name"):
        dose_response(examples, rewrites, rewards, "length,words")
    with pytest.raises(InputError, match="no chain"):
        dose_response(examples, rewrites, rewards[rewards.depth < 2])
    with pytest.raises(InputError, match="`folds` must lie between"):
        causal_calibration(examples, rewrites, rewards, folds=61)
    with pytest.raises(InputError, match="`pieces` must be a whole number"):
        causal_calibration(examples, rewrites, rewards, calibrator=CausalCalibrator(pieces=0))
    with pytest.raises(InputError, match="`outside`"):
        causal_calibration(examples, rewrites, rewards, calibrator=CausalCalibrator(outside="guess"))
    with pytest.raises(InputError, match="2 or more"):
        close_the_loop(seeds=range(1))
    assert np.bincount(folds_of(np.arange(10), 3, 0)).tolist() == [4, 3, 3]


def test_the_order_of_rows_changes_nothing():
    examples, rewrites, rewards = audit()
    mixed = [t.sample(frac=1, random_state=k).reset_index(drop=True)
             for k, t in enumerate((examples, rewrites, rewards))]
    by_text = lambda t: t.sort_values(list(t.columns.drop(["reward", "model"]))).reset_index(drop=True)
    one, other = (by_text(causal_calibration(*tables)) for tables in ((examples, rewrites, rewards), mixed))
    assert one.drop(columns="reward").equals(other.drop(columns="reward"))
    assert np.allclose(one.reward, other.reward, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_rewards_of_a_few_levels_are_calibrated_too(seed):
    examples, rewrites, rewards = audit(prompts=150, kappa=.002, rng=seed, each=4)
    noisy = rewards.reward/rewards.reward.std() + np.random.default_rng(seed).normal(0, .4, len(rewards))
    whole = np.clip(np.round(noisy - noisy.mean() + 3), 1, 5).astype(int) # as a judge's
    judged = rewards.assign(reward=whole, model=pd.Categorical(rewards.model)) # int64, and categories
    before = ate(examples, rewrites, judged)
    after = ate(examples, rewrites, causal_calibration(examples, rewrites, judged))
    assert before.ci_low > 0 and abs(after.estimate) < .25*before.estimate
    assert len(calibrate_rewards(examples, rewrites, judged)) == len(judged)


def test_a_response_counts_once_however_many_draws_it_has():
    examples, rewrites, rewards = audit(draws=4)
    odd = set(examples.example_id[::3]) # these gain more, and keep all of their draws
    rewards["reward"] += 2.*(rewards.example_id.isin(odd) & rewards.target_w.eq(1) & rewards.depth.gt(0))
    few = [t[(t.draw == 0) | t.example_id.isin(odd)].reset_index(drop=True) for t in (rewrites, rewards)]
    before = ate(examples, *few)
    assert dose_response(examples, *few).get("effect").estimate == pytest.approx(before.estimate, abs=1e-9)
    after = ate(examples, few[0], causal_calibration(examples, *few, folds=1, calibrator=CausalCalibrator(2)))
    assert abs(after.estimate) < 1e-9 < before.estimate
    gamma = recommended_gamma(examples, *few).gamma[0]
    left = causal_calibration(examples, *few, folds=1, calibrator=RCLWR.paper(gamma=gamma))
    assert abs(ate(examples, few[0], left).estimate) < .05*before.estimate


@pytest.mark.slow("close_the_loop on its own simulations")
def test_run_notebook_demo(tmp_path):
    code, printed = run_with(run_notebooks()["close_the_loop"], tmp_path,
                             dict(n=60, seeds=2, run_dir=str(tmp_path/"out")))
    assert code == 0, printed
    said = json.loads((tmp_path/"out"/"summary.json").read_text())
    stages = {r["stage"]: r for r in said["table"]}
    assert (list(stages) == ["before", "RC-LWR", "causal calibration", "RC-LWR, causal γ"]
            and abs(stages["causal calibration"]["estimate"]) < .1 < stages["before"]["estimate"])
    assert len(said["worlds"]) == 18 and (tmp_path/"out"/"loop.html").stat().st_size > 5000
    board = pd.read_csv(tmp_path/"out"/"benchmark.csv")
    hard = board[board.domain == "chat"].set_index("rewards").hard
    assert hard["causal calibration"] > hard["raw"] + .2


def test_run_notebook_with_an_audit_of_ones_own(tmp_path):
    examples, rewrites, rewards = audit()
    examples.to_csv(tmp_path/"examples.csv", index=False)
    rewrites.to_parquet(tmp_path/"rewrites.parquet")
    rewards.to_parquet(tmp_path/"rewards.parquet")
    to_scored(examples, rewrites, rewards).to_parquet(tmp_path/"scored.parquet")
    code, printed = run_with(run_notebooks()["close_the_loop"], tmp_path,
                             dict(examples=str(tmp_path/"examples.csv"), audit=str(tmp_path), seeds=0,
                                  run_dir=str(tmp_path/"o")))
    assert code == 0, printed
    slopes = pd.read_csv(tmp_path/"o"/"slopes.csv").set_index("quantity").estimate
    assert np.allclose(slopes,
                       dose_response(examples, rewrites,
                                     rewards).table.estimate) and not (
                                         tmp_path/"o"/"worlds.csv").exists() and not (
                                             tmp_path/"o"/"benchmark.csv").exists()
    (tmp_path/"x.csv").write_text("prompt,response,w\n")
    code, printed = run_with(run_notebooks()["close_the_loop"], tmp_path,
                             dict(examples=str(tmp_path/"x.csv"), run_dir=str(tmp_path/"y")))
    assert code and "`audit` is needed" in printed


def _looped(tmp_path, reward, world="length", n=30, **more):
    from rate_nb.audit import Audit
    from rate_nb.scoring.reward_models import CallableReward
    from rate_nb.theory.text_world import TextWorld
    population = TextWorld(world)
    audit = Audit(population.examples(n, np.random.default_rng(0)), world, population.rewriter,
                  CallableReward("r", reward, key="r"), tmp_path/"audit")
    audit.score()
    audit.close()
    return run_with(run_notebooks()["close_the_loop"], tmp_path,
                    dict(audit=str(tmp_path/"audit"), seeds=0, run_dir=str(tmp_path/"o"), **more))


def test_thirty_reviews_close_the_loop_or_say_first_what_is_missing(tmp_path):
    # originals are paid by chance, rewrites by length: the originals' curve is flat along the rewrites
    from rate_nb.theory.text_world import TextWorld
    own = set(TextWorld("length").examples(30, np.random.default_rng(0)).response)
    def flat(prompts, responses):
        return [(len(r)*7919 % 13)/5 if r in own else len(r)/100 for r in responses]
    code, printed = _looped(tmp_path, flat)
    assert code == 0, printed
    said = json.loads((tmp_path/"o"/"summary.json").read_text())
    assert {r["stage"] for r in said["table"]} >= {"before", "causal calibration"}
    assert any("15 prompts" in n for n in said["notes"])
    page = (tmp_path/"o"/"report.html").read_text()
    assert "after the causal calibration" in page and "`calibrator`" not in page


@pytest.mark.parametrize("world, n, says", [
    ("sentiment", 30, "cannot tell what `characteristic` length causes"), ("length", 4, "audit 4 or more")])
def test_what_an_audit_cannot_answer_is_said_before_anything_is_computed(tmp_path, world, n, says):
    code, printed = _looped(tmp_path, lambda p, r: [len(x)/100 for x in r], world, n)
    assert code and says in printed and not (tmp_path/"o"/"worlds.csv").exists()


def test_a_folder_that_is_no_audit_is_named(tmp_path):
    code, printed = run_with(run_notebooks()["close_the_loop"], tmp_path,
                             dict(audit=str(tmp_path), run_dir=str(tmp_path/"o")))
    assert code and "lacks examples.parquet, rewrites.parquet" in printed


def test_a_count_whose_rewrites_all_fall_to_zero_can_be_calibrated():
    "Markup taken off leaves 0 everywhere: quantile knots coincide there, and the choice must pass them over"
    for seed in range(12):
        rng = np.random.default_rng(seed)
        high = rng.integers(1, 9, 100).astype(float)
        c = np.r_[high, np.zeros(100)]
        r = 2.*(c >= 5) + .1*rng.normal(size=200)
        pairs, prompts = np.c_[np.arange(100), 100 + np.arange(100)], np.tile(np.arange(20).repeat(5), 2)
        fitted = CausalCalibrator().fit(c, r, pairs, prompts)
        removed = fitted.predict(high) - fitted.predict(np.zeros(100))
        assert abs(removed.mean() - 2*(high >= 5).mean()) < .1


def test_a_function_of_a_text_is_a_characteristic():
    "As it is for other calibrators; a list is refused, because one rewrite chain tells of one dose"
    def letters(text): return float(len(text))
    examples, rewrites, rewards = audit(20)
    by_name, own = (causal_calibration(examples, rewrites, rewards, c) for c in ("length", letters))
    assert np.array_equal(by_name.reward, own.reward, equal_nan=True)
    assert fit_causal(examples, rewrites, rewards, characteristic=letters).slopes_[0] > 0
    for several in ("length, words", ["length", "words"]):
        with pytest.raises(InputError, match="`characteristic` must be one name"):
            causal_calibration(examples, rewrites, rewards, several)


def test_what_was_not_chosen_is_not_called_chosen():
    "Below ten prompts nothing is compared"
    rng = np.random.default_rng(4)
    for prompts, said in ((8, "1 piece, not chosen by data: fewer than 10 prompts"), (12, "chosen by")):
        c = np.exp(rng.normal(6, .5, 6*prompts))
        r, rows = c/400 + rng.normal(0, .1, len(c)), np.arange(len(c)).reshape(-1, 2)
        pairs = np.where((c[rows[:, 0]] > c[rows[:, 1]])[:, None], rows, rows[:, ::-1])
        fitted = CausalCalibrator().fit(c, r, pairs, prompts=np.arange(len(c))//6)
        assert fitted.choice_in_words().startswith(said)
