# Written by `make export` from the module beside it. Edit the notebook.
"""Naive, single, RATE, same-depth, contrastive, CATE, panels, label error, anytime intervals."""
from .effects import CONTRASTS as CONTRASTS
from .effects import Effects as Effects
from .effects import contrast as contrast
from .effects import correct_label_error as correct_label_error
from .effects import estimate_contrastive_effects as estimate_contrastive_effects
from .effects import estimate_effects as estimate_effects
from .heterogeneity import compare_models as compare_models
from .heterogeneity import effect_regression as effect_regression
from .heterogeneity import heterogeneity_test as heterogeneity_test
from .anytime import anytime_interval as anytime_interval
from .anytime import audit_until as audit_until
from .anytime import sequential_effects as sequential_effects
__all__ = ['CONTRASTS', 'Effects', 'anytime_interval', 'audit_until', 'compare_models', 'contrast', 'correct_label_error', 'effect_regression', 'estimate_contrastive_effects', 'estimate_effects', 'heterogeneity_test', 'sequential_effects']
