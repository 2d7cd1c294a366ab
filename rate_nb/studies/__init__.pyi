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
from .forecasting import forecast as forecast
from .forecasting import Forecast as Forecast
from .rising import answers_over_training as answers_over_training
from .rising import explain_reward as explain_reward
from .rising import keep_generations as keep_generations
from .rising import read_generations as read_generations
from .rising import RewardExplanation as RewardExplanation
from .rising import trl_metric as trl_metric
from .rising import trl_reward as trl_reward
from .shift import dynamic_benchmark as dynamic_benchmark
from .shift import shift_experiment as shift_experiment
from .watch import AuditCallback as AuditCallback
from .watch import Watch as Watch
__all__ = ['AuditCallback', 'Discovery', 'Forecast', 'ROUND', 'RewardExplanation', 'TrainingSettings', 'Watch', 'answers_over_training', 'close_the_loop', 'demo_reward_model', 'discover', 'dynamic_benchmark', 'explain_reward', 'forecast', 'keep_generations', 'read_generations', 'shift_experiment', 'start_training', 'train_on_rewards', 'trl_metric', 'trl_reward']
