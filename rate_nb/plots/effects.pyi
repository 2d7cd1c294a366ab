# Written by `make export` from the module beside it. Edit the notebook.
"""Can a reader see the finding before reading a number?"""
from typing import Any
BLUE: Any
GREY: Any

def plot_effects(effects, truth=None, scale=None, level=None):
    """Naive, one rewrite and RATE side by side"""

def reward_tables(scored) -> dict:
    """Reward distributions of originals and of rewrites of rewrites, binned"""

def draw_rewards(tables):
    """Draw binned rewards"""

def plot_rewards(scored):
    """Reward distributions of originals and of rewrites of rewrites (RATE, figure 4)"""

def plot_curves(table, x, title, x_title, y_title=..., level=None, notes=()):
    """Estimates, intervals and truth along a parameter"""

def plot_shift(experiment):
    """Estimates as the data's correlation is turned (RATE, figure 3)"""

def plot_panel(table, title, unit='standard deviations', notes=()):
    """All attributes, models and estimators (RATE, figure 2)"""

def level_words(effects):
    """What the levels do, in words"""

def plot_levels(effects):
    """Effect of each level, or the dose–response curve with its band"""

def plot_rewriters(comparison):
    """One effect under several rewriters (forest plot)"""

def plot_bounds(bounds):
    """Worst-case bounds of each effect"""

def plot_sequence(sequence, estimand='ATE', model=None, truth=None):
    """Estimate and anytime interval as texts come in"""

def love_plot(balance, equivalence_margin=0.25, itself=False):
    """Standardised differences before and after rewriting"""
