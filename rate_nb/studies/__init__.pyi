# Written by `make export` from the module beside it. Edit the notebook.
"""Experiments built of the above; the demo."""
from .training import ROUND as ROUND
from .training import start_training as start_training
from .training import train_on_rewards as train_on_rewards
from .training import TrainingSettings as TrainingSettings
from .closed_loop import close_the_loop as close_the_loop
from .demo import demo_reward_model as demo_reward_model
from .discovery import discover as discover
from .discovery import Discovery as Discovery
from .shift import dynamic_benchmark as dynamic_benchmark
from .shift import shift_experiment as shift_experiment
from .watch import AuditCallback as AuditCallback
from .watch import Watch as Watch
__all__ = ['AuditCallback', 'Discovery', 'ROUND', 'TrainingSettings', 'Watch', 'close_the_loop', 'demo_reward_model', 'discover', 'dynamic_benchmark', 'shift_experiment', 'start_training', 'train_on_rewards']
