"Calibration: planted biases are found, unbiased rewards are left alone, and the paper's identities hold."
import json, warnings
import numpy as np, pandas as pd, pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import spearmanr
from rate_nb.theory.text_world import hump, planted_rewards
from rate_nb.calibration.calibrators import (
    CalibrationWarning, default_distance, LengthPenalty, RCLWR, RCLWRPenalty, RCMean)
from rate_nb.calibration.evaluation import check_calibration
from rate_nb.calibration.evaluation import gold_pairs, outcome
from rate_nb.calibration.studies import (
    compare_calibrations, compare_densities, data_efficiency, sweep)
from rate_nb.base.core import InputError
from rate_nb.benchmarks.pairs import compare_accuracy
from rate_nb.stats.inference import paired_effect
from rate_nb.calibration.calibrators import AdditiveRCLWR, JointRCLWR
from rate_nb.calibration.calibrators import MarginCalibrator, to_margin


def rising(length): return 1.5*np.tanh(length/900 - 1)


def planted(bias, n=50_000, seed=0): # rewards, lengths, gold pairs, all of one world
    w = planted_rewards(n//2, np.random.default_rng(seed), bias=bias)
    return w, w.length.to_numpy(), w.reward.to_numpy(), gold_pairs(w.prompt_id, w.preferred)


def margins(r, pairs): return r[pairs[:, 0]] - r[pairs[:, 1]]


@pytest.mark.parametrize("method", [RCLWR(), RCMean(), LengthPenalty(.002), RCLWRPenalty(.0005)],
                         ids=lambda m: m.label)
def test_gamma_moves_the_correlation_monotonically(method):
    w, c, r, pairs = planted(rising, 10_000)
    t = sweep(method, "gamma", np.linspace(0, 2, 11), c, r, pairs, gold=True).table
    if not isinstance(method, RCLWRPenalty):
        assert t.overturned[0] == 0 # gamma dials its regression, not its penalty
    assert t.spearman.is_monotonic_decreasing and t.spearman.iloc[0] > .1 > -.1 > t.spearman.iloc[-1]


@pytest.mark.parametrize("frac, it", [(1/3, 3), (.9, 0), (.2, 1)])
@pytest.mark.parametrize("alpha", [1e-3, -.02])
def test_penalty_before_lwr_is_no_penalty(frac, it, alpha):
    _, c, r, _ = planted(hump, 4_000)
    plain = RCLWR(frac, it).fit(c, r).calibrate(c, r)
    assert np.abs(RCLWRPenalty(alpha, frac, it).fit_calibrate(c, r) - plain).max() < 1e-9
    assert np.abs(RCLWR(frac, it).fit(c, r - alpha*c).calibrate(c, r - alpha*c) - plain).max() < 1e-9
    half, half_plain = RCLWRPenalty(alpha, frac, it, gamma=.5).fit_calibrate(c, r), RCLWR(frac, it,
        gamma=.5).fit_calibrate(c, r)
    # gamma below 1 leaves -(1 - gamma) alpha c
    assert np.abs(half - half_plain + .5*alpha*c).max() < 1e-9


numbers = st.lists(st.integers(0, 60) | st.floats(0, 60, width=32), min_size=1, max_size=60)

@settings(max_examples=150, deadline=None)
@given(numbers, st.floats(0, 25, width=32) | st.sampled_from([1., 2., .1, .3]), st.integers(0, 12),
       st.integers(0, 2**31))
def test_rc_mean_is_equation_6(c, d, least, seed):
    c = np.array(c, dtype=float)/10
    r = np.random.default_rng(seed).normal(size=len(c))
    d = d/10
    m = RCMean(d, least).fit(c, r)
    near = [r[np.abs(c - q) < d] for q in c]
    expected = np.array([x.mean() if len(x) >= max(least, 1) else np.nan for x in near])
    assert np.allclose(m.predict(c), expected, equal_nan=True,
                       atol=1e-10) and m.uncalibrated_ == np.isnan(expected).sum()
    order = np.random.default_rng(seed).permutation(len(c))
    assert np.allclose(RCMean(d, least).fit(c[order], r[order]).predict(c), expected, equal_nan=True,
                       atol=1e-10)


def test_default_distance_over_pairs_prompts_and_everything():
    rng = np.random.default_rng(0)
    c = rng.integers(0, 500, 60).astype(float)
    ids = np.arange(60)//3
    brute = lambda p: np.mean([abs(c[i] - c[j]) for i, j in p])/4
    same = [(i, j) for i in range(60) for j in range(i) if ids[i] == ids[j]]
    assert RCMean().fit(c, c, ids).distance_ == pytest.approx(brute(same)) == RCMean().fit(c, c,
        np.array(same)).distance_
    assert default_distance(c) == pytest.approx(brute([(i, j) for i in range(60) for j in range(i)]))
    c2 = c.copy()
    c2[0] = np.nan
    assert RCMean().fit(c2, c, ids).distance_ == pytest.approx(brute([p for p in same if 0 not in p]))


def test_pairs_with_an_unknown_side_stay():
    m = RCMean(5, 3).fit([1, 2, 3, 100], [1., 1, 1, 9])
    c, r = [1, 2, 3, 100], [1., 2, 3, 9]
    assert m.calibrate_pairs(c, r, [[3, 0], [1, 0]]).tolist() == [8, 1]
    with pytest.warns(CalibrationWarning, match="leaves 1 reward of 4 uncalibrated.*100.0"):
        assert m.calibrate(c, r).tolist() == [0, 1, 2, 9]


def test_lwr_agrees_with_statsmodels_at_texts_and_between():
    from statsmodels.nonparametric.smoothers_lowess import lowess as reference
    rng = np.random.default_rng(1)
    c = rng.integers(20, 900, 400).astype(float)
    r = np.sin(c/200) + .2*rng.standard_t(2, 400)
    m = RCLWR(.4, 3).fit(c, r)
    assert np.abs(m.predict(c) - reference(r, c, .4, 3, return_sorted=False)).max() < 1e-9*np.ptp(r)
    between = np.array([33.25, 400.5, 899.])
    assert np.abs(m.predict(between) - reference(r, c, .4, 3,
                                                 xvals=np.clip(between, c.min(),
                                                     c.max()))).max() < 1e-9*np.ptp(r)


@pytest.mark.parametrize("method", [RCLWR(), RCMean(), LengthPenalty(), RCLWRPenalty(), JointRCLWR(),
                                    AdditiveRCLWR()], ids=lambda m: m.label)
def test_every_calibrator_has_defined_edges(method):
    rng = np.random.default_rng(0)
    for c in (np.full(30, 7.), np.repeat([1., 2.], 15), np.r_[np.full(29, 3.), 1e6], np.arange(30.),
              np.arange(2.), [5.]):
        r = rng.normal(size=len(c))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CalibrationWarning)
            fixed = method.clone().fit(c, r).calibrate(c, r)
            far = method.clone().fit(c, r).calibrate([-1e9, 0., 1e9], [0., 0, 0])
        assert np.isfinite(fixed).all() and np.isfinite(far).all()
    r = rng.normal(size=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CalibrationWarning)
        flat = method.clone().fit(np.full(30, 7.), r).calibrate(np.full(30, 7.), r)
    # a constant characteristic moves no preference
    assert np.allclose(np.diff(flat), np.diff(r))


@pytest.mark.parametrize("method", [RCLWR(.5), RCMean(min_count=2), LengthPenalty(), JointRCLWR(.5),
                                    AdditiveRCLWR(.5)], ids=lambda m: m.label)
def test_missing_values_take_no_part_and_inputs_are_left_alone(method):
    rng = np.random.default_rng(0)
    c, r = rng.integers(1, 40, 200).astype(float), rng.normal(size=200)
    cx, rx = np.r_[c, np.nan, 3.], np.r_[r, 1., np.nan]
    before = cx.copy(), rx.copy()
    m = method.clone().fit(cx, rx)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CalibrationWarning)
        out = m.calibrate(cx, rx)
    assert m.n_ == 200 and m.n_missing_ == 2 and np.isnan(out[-1])
    assert np.allclose(out[:200], method.clone().fit(c, r).calibrate(c, r))
    assert np.array_equal(cx, before[0], equal_nan=True) and np.array_equal(rx, before[1], equal_nan=True)
    for bad in ([np.inf]*2, ["a", "b"]):
        with pytest.raises(InputError):
            method.clone().fit([1., 2.], bad)
    with pytest.raises(InputError):
        method.clone().fit([1., 2.], [1., 2., 3.])
    with pytest.raises(InputError):
        method.clone().fit([np.nan], [1.])


def test_table_of_methods_over_models():
    w, c, _, pairs = planted(hump, 6_000)
    models = pd.DataFrame({f"{s:g}": w.unbiased + s*np.tanh(w.length/900 - 1) for s in (-1, 0, .5, 1, 2)})
    both = compare_calibrations({"penalty": LengthPenalty(), "mean": RCMean(), "lwr": RCLWR(.9)}, c, models,
                                pairs, gold=True)
    s = both.summary.set_index("method")
    assert (s["|spearman|"]["lwr"] < .02
            and s["|spearman|"]["mean"] < .06 < s["|spearman|"]["penalty"]
            and s.gain["lwr"] > s.gain["penalty"]
            and len(both.table) == 20)
    raw = both.table[both.table.method == "raw"]
    assert (raw.gain == 0).all() and np.isclose(s["|spearman|"]["raw"],
                                                np.mean([abs(spearmanr(c, models[m])[0]) for m in models]))
    row = both.table.query("method == 'lwr' and model == '2'").iloc[0]
    fixed = RCLWR(.9).fit(c, models["2"]).calibrate_pairs(c, models["2"].to_numpy(), pairs)
    gain = paired_effect((fixed > 0).astype(float),
                         (margins(models["2"].to_numpy(), pairs) > 0).astype(float), np.arange(len(pairs)))
    assert ((row.gain, row.gain_low) == (pytest.approx(gain.estimate), pytest.approx(gain.ci_low))
            and row.accuracy == pytest.approx((fixed > 0).mean()))


def test_margins_clip_and_recentre():
    assert np.abs(to_margin([0, 1e-12, .5, 1])).max() == pytest.approx(np.log(99)) and to_margin([.5])[0] == 0
    rng = np.random.default_rng(0)
    d = rng.normal(0, 300, 2000).round()
    p = 1/(1 + np.exp(-(rng.normal(size=2000) + d/300)))
    m = MarginCalibrator().fit(d, p)
    assert m.predict([0.])[0] == 0 and abs(spearmanr(d, m.margin(d, p))[0]) < .05 < spearmanr(d, p)[0]
    assert np.allclose(m.calibrate_margin(d, np.zeros(2000), to_margin(p)), m.margin(d, p))
    assert np.allclose(to_margin(p) - m.predict(d), m.margin(d, p))
    with pytest.raises(InputError, match="1 … 2 scale"):
        MarginCalibrator().fit(d, p + 1)


@pytest.mark.parametrize("method", [LengthPenalty(), RCMean(5, 1), RCLWR(), RCLWRPenalty(), JointRCLWR(),
                                    AdditiveRCLWR(), MarginCalibrator()])
def test_a_value_too_few_or_a_dial_that_is_no_number_is_an_error(method):
    fitted = method.clone().fit([1., 2., 3., 4.], [.1, .2, .4, .3])
    for wrong in (lambda: fitted.calibrate([1., 2.], [.2]),
                  lambda: fitted.calibrate_margin([1., 2.], [2.], [.1, .1]),
                  lambda: fitted.calibrate_margin([1., 2.], [2., 3.], [.1]),
                  lambda: method.clone().fit([1., 2., 3.], [.1]),
                  lambda: method.clone(gamma=np.nan).fit([1., 2.], [.1, .2])):
        with pytest.raises(InputError):
            wrong()
    fitted.gamma = np.nan
    with pytest.raises(InputError, match="`gamma` must be a finite number"):
        fitted.calibrate([1., 2.], [.1, .2])


def test_parameters_that_make_no_sense_are_named():
    for method, words in ((LengthPenalty(np.nan), "`alpha`"), (LengthPenalty(None), "`alpha`"),
                          (RCMean("near"), "`distance`"), (RCMean(np.inf), "`distance`"),
                          (RCMean(1, -3), "`min_count`"),
                          (AdditiveRCLWR(sweeps=0), "`sweeps`"), (RCLWRPenalty(np.inf), "`alpha`")):
        with pytest.raises(InputError, match=words):
            method.fit([1., 2., 3.], [1., 2., 3.])
    with pytest.raises(InputError, match="`pairs` says which texts are compared"):
        RCLWR().fit([1., 2.], [1., 2.]).calibrate_pairs([1., 2.], [1., 2.], None)
    with pytest.raises(InputError, match=r"`r` must hold numbers; 1 value does not: row 2 \('good'\)"):
        RCLWR().fit([1., 2.], [1., "good"])


def test_a_gap_is_crossed_and_no_text_in_it_keeps_another_level():
    c = np.r_[np.full(40, 100.), np.full(40, 900.)]
    r = np.r_[np.full(40, 5.), np.full(40, 9.)]
    assert np.allclose(RCLWR(.1).fit(c, r).calibrate([300., 500.], [6., 7.]), 0)
    far = np.c_[c, c] + np.random.default_rng(0).normal(size=(80, 2))
    # the bias of the nearest
    assert np.abs(JointRCLWR(.1).fit(far, r).predict([[300., 300.], [700., 700.]]) - [5, 9]).max() < .1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert MarginCalibrator().fit([1, -1, 0, 3], [.2, .3, np.nan, .9]).calibrate([0, 1],
            [np.nan, .5]).shape == (2,)
    with pytest.warns(CalibrationWarning):
        unknown = RCLWRPenalty(.01).fit(c, r).calibrate([np.nan, 100.], [6., 5.])
    assert unknown[0] == 6 and abs(unknown[1]) < 1e-9


def test_answers_that_share_a_text_are_one_witness():
    # ten prompts, each best answer against three worse ones
    length = np.r_[np.tile([9., 1, 2, 3], 8), np.tile([1., 9, 8, 7], 2)]
    pairs = np.array([[4*i, 4*i + j] for i in range(10) for j in (1, 2, 3)])
    from rate_nb.calibration.evaluation import check_independence
    k, alone = check_independence(length, pairs), check_independence(length[pairs].ravel(),
        np.arange(60).reshape(30, 2))
    # 8 of 10 prompts; 24 of 30 strangers would be sure
    assert k.value == alone.value == .8 and k.ok and not alone.ok


def test_few_pairs_leave_some_to_judge_by():
    c, pairs = np.arange(20.), np.arange(20).reshape(10, 2)
    with pytest.raises(InputError, match="`fractions` must lie between 0 and 1"):
        data_efficiency({"a": RCLWR()}, c, c, pairs, np.random.default_rng(0), fractions=(.5, 1.))
    with pytest.raises(InputError, match="two pairs or more"):
        data_efficiency({"a": RCLWR()}, c, c, pairs[:1], np.random.default_rng(0))
    assert data_efficiency({"a": RCLWR(.9)}, c, c, pairs, np.random.default_rng(0), fractions=(.99,),
                           draws=1).accuracy.notna().all()
    with pytest.raises(InputError, match="`preferred` must hold numbers; 2 values do not"):
        gold_pairs(["p", "p"], ["yes", "no"])


def test_ties_that_a_calibration_breaks_are_no_gain():
    rng = np.random.default_rng(3)
    r = np.clip(np.round(3.5 + rng.normal(size=2000)), 1, 5) # whole points, whatever the length
    c, pairs = rng.lognormal(6, .5, 2000), np.arange(2000).reshape(-1, 2)
    better = r[pairs[:, 0]] + rng.normal(size=1000) < r[pairs[:, 1]] + rng.normal(size=1000)
    pairs[better] = pairs[better][:, ::-1]
    found = outcome(RCLWR(.9).fit(c, r), c, r, pairs, gold=True)
    tied = np.mean(r[pairs[:, 0]] == r[pairs[:, 1]])
    assert tied > .2 and abs(found.gain.estimate) < .05 and found.overturned < .05
    table = pd.DataFrame(dict(prompt="p", score_chosen=r[pairs[:, 0]], score_rejected=r[pairs[:, 1]],
                              length_chosen=c[pairs[:, 0]], length_rejected=c[pairs[:, 1]]))
    with pytest.warns(UserWarning, match="of the comparisons are ties, which count as lost"):
        compare_accuracy({"whole points": table}, RCLWR(.9), rng=None)


def test_rewards_of_two_levels_are_smoothed_without_refits():
    rng = np.random.default_rng(4)
    c = rng.uniform(0, 1, 3000)
    r = 1.*(rng.random(3000) < .7 + .29*c) # refits would take the zeros for outliers
    chosen = RCLWR("cv").fit(c, r, np.arange(3000)//2)
    slope = lambda f: f.predict(np.array([.9]))[0] - f.predict(np.array([.1]))[0]
    assert chosen.it_ == 0 and slope(chosen) > .15 > slope(RCLWR(.33).fit(c, r))
    said = check_calibration(RCLWR(.33), c, r, warn=False).get("slow variation").words
    assert "`it=0` makes none" in said


def test_a_reward_that_is_all_bias_can_be_drawn():
    "What is left differs by rounding alone"
    c = np.arange(30.)*20 + 7
    drawn = compare_densities(c, 2.9 + c/100, {"Penalty": LengthPenalty(.01)}).plot()
    assert "0.00 after Penalty" in json.dumps(drawn.to_dict())
