"""Names that neither the package nor a lesson, run or page calls, and why each one stays.

They are features that a user imports from their module; the faces have room for 150 names.
"""
# attributes with levels or a dial (16_audit/04_multivalued)
TONE, rewrite_levels, score_levels, dose_curve
# attributes by values of a column, in other words, or labelled by a column (04_data/02_attributes)
Contrast, reworded, label_column
# labels by judges and classifiers, and what they are worth (10_scoring/13_labellers)
check_labels, with_classifier, labelled_by
# judges that see pairs, and their preference for a position (10_scoring/12_judges)
PairJudge, judge_responses, position_bias
# rewards made elsewhere, by several models or for several objectives (10_scoring/09_rewards, 11_ensembles)
objective_scores, by_objective, texts_to_score, scores_from_file, load_rate_scores, ensemble
# the papers' tables, figures and grids (11_calibration/05_evaluation, 17_studies/03_training)
compare_calibrations, ALPHAS, FRACS, length_margins, data_efficiency, ensemble_matrix, ROUND
# AlpacaEval by a reward model, several judges against several rankings, and their charts (13_benchmarks)
score_alpaca_eval, compare_alpaca_eval, plot_gameability, plot_rank_heatmap
# EvalBiasBench; candidates and pairs as files; models in one table before and after (13_benchmarks)
load_eval_bias, load_candidates, write_preferences, compare_accuracy
# intervals that may be looked at early, and an audit that stops by them (06_estimators/05_anytime)
anytime_interval, audit_until
# effects by covariates (06_estimators/03_heterogeneity)
effect_regression
# rewriting the prompt instead of the response (09_rewriting/05_prompts)
rewrite_prompts, prompt_compliance
# how many replies were no rewrites, and how often a check is wrong (09_rewriting/02_checks, 04_chains)
status_counts, alarm_rates
# token counts of a text, and a run notebook from functions (08_llm/04_prices, 18_batch/01_notebooks)
count_tokens, write_run_notebook
# a reward whose scores are known beforehand (07_checkpoints/02_tiny)
good_minus_bad
# pairwise comparisons of models in one table (06_estimators/04_panel)
compare_models
# how large a difference would explain the effect (12_diagnostics/09_covariate_balance)
tipping_point
# what the prompt lab does, without a hand (15_widgets/02_trials)
try_instruction
