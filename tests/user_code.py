"What users write, from the README and the lessons: read by a type checker, never run. See test_types.py."
from typing import assert_type
import numpy as np
import pandas as pd
from rate_nb import (
    Audit, CallableReward, Grading, OpenAIRewriter, PromptLab, estimate_effects, load_reward_model)
from rate_nb.audit import human_effects, plan_sample_size
from rate_nb.base import InputError
from rate_nb.calibration import (
    LengthPenalty, MarginCalibrator, RCLWR, RCLWRPenalty, asks_for_length, calibrate_scores,
    causal_calibration, check_calibration, gold_pairs, recommended_gamma, sweep)
from rate_nb.data import characteristics, label_examples, load_examples, sentiment
from rate_nb.diagnostics import (
    RATE3, Diagnosis, additivity, attrition_bounds, compare_rewriters, compliance, control_tests, differences,
    drift, placebo, wald_effects)
from rate_nb.estimators import (
    CONTRASTS, Effects, anytime_interval, compare_models, contrast, estimate_contrastive_effects,
    sequential_effects)
from rate_nb.plots import causal_graph, plot_effects
from rate_nb.rewriting import FunctionRewriter, double_rewrite
from rate_nb.scoring import score_rewrites, score_texts, to_scored
from rate_nb.stats import adjust_pvalues, equivalence_test, lowess, paired_effect, power_n
from rate_nb.studies import demo_reward_model, shift_experiment
from rate_nb.theory import FiniteWorld, LengthTaste, Surface, TextWorld, planted_rewards, true_effects

# README
world = TextWorld("length")
audit = Audit(world.examples(300, np.random.default_rng(0)), "length", world.rewriter, world.reward,
              "audits/readme")
assert_type(audit.effects(), Effects)

audit = Audit("docs/examples/responses.csv", "length", OpenAIRewriter("gpt-6-luna"),
              load_reward_model("Skywork/Skywork-Reward-V2-Llama-3.1-8B"), "audits/skywork")
audit.plan()
effects = audit.effects()
assert_type(audit.diagnose(), Diagnosis)
audit.calibrate()
audit.explore()
audit.people("votes.csv", margin=.05).powered_summary()
audit.lab()
audit.report()
assert_type(audit.rewrite(), pd.DataFrame)
Audit.from_config("audit.yaml", draws=2).to_config("again.yaml")
human_effects(audit).plot()
plan_sample_size(audit.score(), draws=2).for_power(.2)
audit.plan(pilot=audit.diagnose()).n_best

# lessons 4, 5, 9: effects and their intervals
rewrites = double_rewrite(audit.examples, world.attribute, world.rewriter, depth=3, both=True)
scores = score_rewrites(audit.examples, rewrites, world.reward, progress=False)
scored = to_scored(audit.examples, rewrites, scores)
assert_type(scored, pd.DataFrame)
large = estimate_effects(scored, estimators=("naive", "single", "rate", "same_depth"), by="topic")
e = large.get("rate", "ATT", topic="films")
assert abs(e.estimate - 1) < 4*e.std_error and e.ci_low < e.ci_high and e.smd > 0
estimate_effects(scored, estimators={**RATE3, **CONTRASTS}, cluster=None, bootstrap=999, rng=0)
assert_type(contrast(scored, "rate"), np.ndarray)
estimate_contrastive_effects(pd.DataFrame(), level=.9).table.to_csv("effects.csv")
compare_models(large)
plot_effects(large, truth={"ATE": .3})
band = anytime_interval(scored["reward_original"], scored["prompt_id"], burn_in=100)
assert_type(band, pd.DataFrame)
sequential_effects(scored, burn_in=100, shuffle=0).now("ATE").p_value()
paired_effect(scored.reward_original, scored.reward_rewrite, scored.prompt_id).p_value(null=.1)
assert equivalence_test(e, .1).equivalent
assert_type(power_n(.2, 1.), int)
adjust_pvalues([.01, .04], "bh")
lowess([1., 2., 3.], np.arange(3), frac=.9)

# lessons 6, 7, 10, 18: what would break it
FiniteWorld({("a prompt", 1, "a content", "plain"): 1}, lambda x, w, z: w, lambda x, xi: 0, {"plain": 1})
compliance(audit.examples, rewrites, "length", by="complies").table.round(2)
placebo(scored).finding(model="Taste")
drift(scored, margin=.2).finding()
additivity(audit.examples, rewrites, scored, attribute="length").finding()
differences(audit.examples, rewrites, scored, itself=("length", "re:very+")).summary(max_rows=5)
control_tests(audit.examples, rewrites, scored, "length", rng=0).verdicts()
attrition_bounds(scored, delta=.5).row("ATT")
compare_rewriters({"a": scored, "b": scored}).plot()
wald_effects(scored, compliance(audit.examples, rewrites, "length")).finding()
shift_experiment
true_effects, demo_reward_model, Surface

# lessons 13 to 17, 21: calibration
table = planted_rewards(2000, rng=np.random.default_rng(0))
length, reward = characteristics(["one text", "another"], "length"), pd.Series([1., 2.])
pairs = gold_pairs([0, 0], [1, 0])
curve = RCLWR("cv", gamma=.8).fit(length["length"], reward, pairs)
assert_type(curve.calibrate(length["length"], reward), np.ndarray)
RCLWRPenalty(1e-3).fit_calibrate([1., 2.], [3., 4.])
MarginCalibrator(RCLWR(.9, 0), .01).fit([1., 2.], [.2, .9]).calibrate([1., 2.], [.2, .9]).mean()
check_calibration(LengthPenalty(1e-3), [1., 2.], [1., 2.], pairs, gold=True)
sweep(RCLWR(), "gamma", np.linspace(0, 2, 5), [1., 2.], [1., 2.]).plot()
calibrate_scores(pd.DataFrame(), LengthPenalty(), characteristic=["length", "words"])
recommended_gamma(audit.examples, rewrites, scores)
causal_calibration(audit.examples, rewrites, scores, folds=3)
assert_type(asks_for_length("Write 200 words."), bool)

# own functions, own rewards, errors
LengthTaste
reward_of_length = CallableReward("length", lambda prompts, responses: [len(r) for r in responses])
score_texts(["a prompt"], ["a response"], reward_of_length)
rewriter = FunctionRewriter(lambda prompt, text, target: text.upper(), "upper")
try:
    Audit(load_examples("reviews.csv", n=100), "sentiment", rewriter, [reward_of_length], "audits/mine",
          grading=Grading(itself="re:!+"), budget=2.5, store="shared.sqlite")
except InputError as error:
    print(error)
label_examples(load_examples("reviews.csv"), audit.attribute)
sentiment("What a film!")
causal_graph({"W": (0, 0, "attribute"), "R": (1, 0, "reward")}, [("W", "R", "")], "W acts on R", "One arrow.")
PromptLab(audit.examples, "length", rewriter)
