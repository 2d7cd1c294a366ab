"""Experiments built of the above; the demo."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".training": ["ROUND", "start_training", "train_on_rewards", "TrainingSettings"],
    ".closed_loop": ["close_the_loop"],
    ".demo": ["demo_reward_model"],
    ".discovery": ["discover", "Discovery"],
    ".forecasting": ["forecast", "Forecast"],
    ".rising": ["answers_over_training", "explain_reward", "keep_generations", "read_generations",
                "RewardExplanation", "trl_metric", "trl_reward"],
    ".shift": ["dynamic_benchmark", "shift_experiment"],
    ".watch": ["AuditCallback", "Watch"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
