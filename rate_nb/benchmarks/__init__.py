"""RM-Bench, RewardBench, AlpacaEval, EvalBiasBench, preferences for training."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".alpaca_eval": ["alpaca_eval_leaderboard", "compare_alpaca_eval", "gameability", "load_alpaca_eval",
                     "score_alpaca_eval"],
    ".pairs": ["baselines", "compare_accuracy", "judge_responses", "score_responses"],
    ".rm_bench": ["calibrate_rm_bench", "load_eval_bias", "load_rm_bench", "miniature_rm_bench",
                  "rm_bench_accuracy", "rm_bench_leaderboard", "style_matrix"],
    ".reward_bench": ["load_reward_bench", "load_reward_scores", "planted_reward_bench",
        "recalibrate_reward_bench", "reward_bench_scores"],
    ".preferences": ["load_candidates", "pick_preferences", "relabel_preferences", "write_preferences"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
