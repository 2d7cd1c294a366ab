"The default calibration finds biases of any shape, leaves unbiased rewards alone, says what it cannot know."
import importlib.util, warnings
from pathlib import Path
import numpy as np, pandas as pd, pytest
from sampling import repeats
from rate_nb.audit import Audit, Design
from rate_nb.base.core import InputError
from rate_nb.calibration.calibrators import CalibrationWarning, RCLWR, RCLWRPenalty
from rate_nb.diagnostics.corrections import corrected_rewards
from rate_nb.calibration.causal import CausalCalibrator, causal_calibration, fit_causal
from rate_nb.calibration.evaluation import Sensitivity
from rate_nb.calibration.score_tables import calibrate_rewards

_at = Path(__file__).parents[2]/"benchmarks"/"calibration_choice.py"
_spec = importlib.util.spec_from_file_location("calibration_choice", _at)
simulation = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(simulation) # plain numpy: no name of the package in it but the functions under test


@pytest.mark.parametrize("shape", simulation.SHAPES)
@pytest.mark.parametrize("relation", simulation.RELATIONS)
@pytest.mark.slow("12 samples of each of ten simulations; the whole study has 60")
def test_the_defaults_meet_the_bar(shape, relation):
    samples = simulation.simulate(shape, relation, range(repeats(12, 60)))
    assert not simulation.missed(samples.mean(), shape, relation)


def below_oracle(sample): # points
    fixed, worth = simulation.with_rewrites(sample), sample["worth"]
    return simulation.right(sample["fair"], worth) - simulation.right(fixed, worth)


@pytest.mark.parametrize("shape, relation", [("none", .4), ("hump", .4), ("step", 0.)])
def test_with_rewrites_a_few_samples(shape, relation):
    lost = [below_oracle(simulation.essays(shape, relation, seed)) for seed in range(3)]
    # points; the standard deviation of a sample is about 1.5
    assert np.mean(lost) < 2 + 1.5/3**.5


def test_a_whim_that_lengthens_and_pleases_is_not_taken_for_length():
    lost = [below_oracle(simulation.essays("none", .4, seed, bond=.6)) for seed in range(4)]
    assert np.mean(lost) < 1.5


def test_without_rewrites_the_result_says_what_it_cannot_know():
    s = simulation.essays("none", .4, 1)
    fixed, line = simulation.without_rewrites(s)
    happened = (simulation.right(fixed, s["worth"]) - simulation.right(s["marks"][0], s["worth"]))/100
    may, does = line.harmful["above"]
    assert happened < 0 and 0 < may <= does < .4 and "cannot be told apart" in line.words
    assert line.at(.4).ci_low <= happened <= line.at(.4).ci_high
    assert line.table.relation.between(-1, 1).all() and line.table.relation.is_monotonic_increasing


def test_what_may_harm_comes_before_what_does():
    "Either end of the reliability can be the first to turn; one that turns alone is no certain harm"
    rho = np.array([-.5, 0, .5])
    line = lambda noisy, clean: Sensitivity(pd.DataFrame(dict(
        relation=rho, gain_noisy=noisy, gain_clean=clean, ci_low=0., ci_high=0.)), (.5, 1.), "m", True)
    for ends in (([.1, .1, -.15], [.1, .1, -.025]), ([.1, .1, -.025], [.1, .1, -.15])):
        may, does = line(*ends).harmful["above"]
        assert (may, does) == (pytest.approx(.2), pytest.approx(.4))
        assert "above +0.20 it may harm, above +0.40 it does" in line(*ends).words
    for ends in (([.1]*3, [-.1, .1, .1]), ([-.1, .1, .1], [.1]*3)):
        assert "below −0.25 it may harm; otherwise" in line(*ends).words
        assert "where accuracy was measured, go by that" in line(*ends).words # it may have fallen

def test_a_number_is_exact_and_the_papers_rule_has_a_name():
    s = simulation.essays("log", 0., 0, questions=300)
    c, r = s["sizes"][0], s["marks"][0]
    from statsmodels.nonparametric.smoothers_lowess import lowess
    for frac, it in ((1/3, 3), (.9, 0), (.2, 1)):
        usual = lowess(r, c, frac, it, delta=0, return_sorted=False)
        assert np.abs(RCLWR(frac, it).fit(c, r).predict(c) - usual).max() < 1e-9*np.ptp(r)
    assert RCLWR() == RCLWR(frac=1/3, it=3, gamma=1.)
    paper = RCLWR.paper(it=1, gamma=.5).fit(c, r)
    assert paper.frac_ == .9 and np.array_equal(paper.calibrate(c, r), RCLWR(.9, 1, .5).fit_calibrate(c, r))
    many = np.tile(c, 17)
    assert RCLWR.paper(it=0).fit(many, np.tile(r, 17)).frac_ == 1/3
    assert RCLWRPenalty.paper(alpha=.01).fit(c, r).frac_ == .9
    with pytest.raises(InputError, match="'cv' or 'paper'"):
        RCLWR("best").fit(c, r)


def test_the_choice_depends_on_prompts_and_not_on_the_order_of_rows():
    s = simulation.essays("hump", 0., 2)
    c, r, q = s["sizes"][0], s["marks"][0], s["question"]
    mixed = np.random.default_rng(0).permutation(len(c))
    a, b = RCLWR("cv").fit(c, r, q), RCLWR("cv").fit(c[mixed], r[mixed], q[mixed])
    assert a.chosen_ == b.chosen_ and np.allclose(a.predict(c), b.predict(c))
    # ten copies of each row under one prompt are no more data
    copies = np.repeat(np.arange(60), 10)
    assert RCLWR("cv").fit(c[copies], np.random.default_rng(5).normal(size=60)[copies], copies).frac_ == 0


@pytest.mark.parametrize("shape, relation, seed", [("step", .4, 14), ("hump", 0., 1), ("hump", .4, 9)])
def test_ties_leave_the_choice_to_the_data(shape, relation, seed):
    "Rounded lengths and whole marks: prompts with equal means, curves that are one"
    s = simulation.essays(shape, relation, seed, questions=100)
    c, r, q = (s["sizes"][0]/300).round(), s["marks"][0].round(), s["question"]
    mixed = np.random.default_rng(seed).permutation(len(c))
    one = RCLWR("cv").fit(c, r, q)
    for x, y, ids in ((c[mixed], r[mixed], q[mixed]), (c*.001, r*1e-6 + 3, 7*q % 101)):
        assert RCLWR("cv").fit(x, y, ids).chosen_ == one.chosen_


def test_giants_do_not_choose_the_curve():
    s = simulation.essays("log", 0., 1)
    giants = s["marks"][0].copy()
    giants[::37] += 1e6
    plain, wild = (RCLWR("cv").fit(s["sizes"][0], r, s["question"]) for r in (s["marks"][0], giants))
    q = np.quantile(s["sizes"][0], [.1, .5, .9])
    assert wild.frac_ and np.abs(np.diff(plain.predict(q)) - np.diff(wild.predict(q))).max() < .6


def test_pieces_are_chosen_on_contrasts_and_few_prompts_take_one():
    line, hump, nothing = (fit_causal(*simulation.as_tables(simulation.essays(k, 0., 0)))
                           for k in ("linear", "hump", "none"))
    assert line.pieces_ < hump.pieces_ and nothing.pieces_ == 0 and np.ptp(nothing.predict([100., 900.])) == 0
    assert "no correction" in nothing._repr_markdown_() and "pieces" in hump._repr_markdown_()
    few = simulation.as_tables(simulation.essays("linear", 0., 0, questions=8))
    assert fit_causal(*few).pieces_ == 1
    examples, rewrites, rewards = simulation.as_tables(simulation.essays("hump", 0., 0))
    for k in (1, 3, 9): # no effect is left on its own data, in any number of pieces
        own = causal_calibration(examples, rewrites, rewards, folds=1, calibrator=CausalCalibrator(k)).reward
        high = np.where(examples.w, own[rewards.depth == 2], own[rewards.depth == 1])
        low = np.where(examples.w, own[rewards.depth == 1], own[rewards.depth == 2])
        assert abs(np.mean(high - low)) < 1e-9
    with pytest.raises(InputError, match="whole number"):
        fit_causal(examples, rewrites, rewards, calibrator=CausalCalibrator("many"))


def test_one_giant_essay_does_not_switch_the_rewrites_off():
    s = simulation.essays("log", .4, 0)
    calm = below_oracle(s)
    i = int(np.argmax(s["sizes"][0]))
    s["sizes"][0] = np.where(np.arange(300) == i, 200_000., s["sizes"][0]) # its rewrites have usual lengths
    assert below_oracle(s) < calm + 2


def test_an_audit_takes_the_causal_curve_or_says_why_not(tmp_path):
    examples, _, _ = simulation.as_tables(simulation.essays("log", .4, 0, questions=40))
    twice = lambda prompt, text, target: text*2 if target else text[:len(text)//2]
    swapped = lambda prompt, text, target: text.replace("x", "y") if target else text.replace("y", "x")
    likes_long = lambda prompts, texts: [np.log(len(t)) for t in texts]
    by_length = Audit(examples, "length", twice, likes_long, tmp_path/"a", design=Design(check=0))
    with warnings.catch_warnings():
        warnings.simplefilter("error", CalibrationWarning)
        assert by_length.calibrate().scored.model.str.endswith("causal calibration").all()
    by_letter = Audit(examples, "length", swapped, likes_long, tmp_path/"b", design=Design(check=0))
    by_letter.score()
    tables = by_letter.examples, by_letter.tables.rewrites, by_letter.tables.rewards
    with pytest.raises(InputError, match="hardly move.*calibrator=RCLWR"):
        corrected_rewards(*tables, "length")
    assert corrected_rewards(*tables, "length", RCLWR())[1].model.str.endswith("RC-LWR").all()
    with pytest.raises(InputError, match="hardly move"):
        corrected_rewards(*tables, "length", CausalCalibrator())


def test_calibrated_rewards_carry_their_line():
    tables = simulation.as_tables(simulation.essays("linear", 0., 0))
    assert "above" in calibrate_rewards(*tables).attrs["sensitivity"]["marker"]
