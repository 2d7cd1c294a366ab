# Written by `make export` from the module beside it. Edit the notebook.
"""What does a reward model really reward? Causal audits by rewrites of rewrites, and calibration."""
__version__: str
from .audit import Audit as Audit
from .audit import Design as Design
from .audit import Grading as Grading
from .calibration import calibrate_scores as calibrate_scores
from .data import Attribute as Attribute
from .data import load_examples as load_examples
from .estimators import estimate_effects as estimate_effects
from .rewriting import OpenAIRewriter as OpenAIRewriter
from .scoring import CallableReward as CallableReward
from .scoring import load_reward_model as load_reward_model
from .widgets import PromptLab as PromptLab
__all__ = ['Attribute', 'Audit', 'CallableReward', 'Design', 'Grading', 'OpenAIRewriter', 'PromptLab', 'calibrate_scores', 'estimate_effects', 'load_examples', 'load_reward_model']
