"""Every kind of reward, how it is read, prefix sharing, workers, Ray, judges, reward servers, labels."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".reward_models": ["CallableReward", "objective_scores", "RewardModel", "score_texts"],
    ".remote": ["HTTPReward"],
    ".judges": ["LLMJudge", "LocalJudge", "PairJudge", "position_bias", "to_contrasts"],
    ".rubrics": ["Criterion", "RubricReward", "self_agreement"],
    ".ray_engine": ["RayOptions"],
    ".likelihood": ["implicit_reward", "log_ratio"],
    ".labellers": ["check_labels", "label_with_classifier", "label_with_judge", "labelled_by"],
    ".sequence_rewards": ["load_reward_model"],
    ".rewards": ["by_objective", "ensemble", "load_rate_scores", "score_rewrites", "scores_from_file",
                 "texts_to_score", "to_scored"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
