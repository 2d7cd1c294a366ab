# Written by `make export` from the module beside it. Edit the notebook.
"""RM-Bench, RewardBench, AlpacaEval, EvalBiasBench, preferences for training."""
from .alpaca_eval import alpaca_eval_leaderboard as alpaca_eval_leaderboard
from .alpaca_eval import compare_alpaca_eval as compare_alpaca_eval
from .alpaca_eval import gameability as gameability
from .alpaca_eval import load_alpaca_eval as load_alpaca_eval
from .alpaca_eval import score_alpaca_eval as score_alpaca_eval
from .pairs import baselines as baselines
from .pairs import compare_accuracy as compare_accuracy
from .pairs import judge_responses as judge_responses
from .pairs import score_responses as score_responses
from .rm_bench import calibrate_rm_bench as calibrate_rm_bench
from .rm_bench import load_eval_bias as load_eval_bias
from .rm_bench import load_rm_bench as load_rm_bench
from .rm_bench import miniature_rm_bench as miniature_rm_bench
from .rm_bench import rm_bench_accuracy as rm_bench_accuracy
from .rm_bench import rm_bench_leaderboard as rm_bench_leaderboard
from .rm_bench import style_matrix as style_matrix
from .reward_bench import load_reward_bench as load_reward_bench
from .reward_bench import load_reward_scores as load_reward_scores
from .reward_bench import planted_reward_bench as planted_reward_bench
from .reward_bench import recalibrate_reward_bench as recalibrate_reward_bench
from .reward_bench import reward_bench_scores as reward_bench_scores
from .preferences import load_candidates as load_candidates
from .preferences import pick_preferences as pick_preferences
from .preferences import relabel_preferences as relabel_preferences
from .preferences import write_preferences as write_preferences
__all__ = ['alpaca_eval_leaderboard', 'baselines', 'calibrate_rm_bench', 'compare_accuracy', 'compare_alpaca_eval', 'gameability', 'judge_responses', 'load_alpaca_eval', 'load_candidates', 'load_eval_bias', 'load_reward_bench', 'load_reward_scores', 'load_rm_bench', 'miniature_rm_bench', 'pick_preferences', 'planted_reward_bench', 'recalibrate_reward_bench', 'relabel_preferences', 'reward_bench_scores', 'rm_bench_accuracy', 'rm_bench_leaderboard', 'score_alpaca_eval', 'score_responses', 'style_matrix', 'write_preferences']
