"""Every kind of reward, how it is read, prefix sharing, workers, Ray, judges, reward servers, labels."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".reward_models": ["CallableReward", "RewardModel", "score_texts"],
    ".remote": ["HTTPReward"],
    ".judges": ["LLMJudge", "LocalJudge", "to_contrasts"],
    ".ray_engine": ["RayOptions"],
    ".likelihood": ["implicit_reward", "log_ratio"],
    ".labellers": ["label_with_classifier", "label_with_judge"],
    ".sequence_rewards": ["load_reward_model"],
    ".rewards": ["score_rewrites", "to_scored"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
