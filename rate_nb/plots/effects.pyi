# Written by `make export` from the module beside it. Edit the notebook.
"""Can a reader see the finding before reading a number?"""
from altair.typing import ChartType
from collections.abc import Sequence
from rate_nb.audit.multivalued import LevelEffects
from rate_nb.diagnostics.attrition import AttritionBounds
from rate_nb.diagnostics.covariate_balance import Balance
from rate_nb.diagnostics.sensitivity import RewriterComparison
from rate_nb.estimators.anytime import SequentialEffects
from rate_nb.estimators.effects import Effects
from rate_nb.studies.shift import ShiftExperiment
from typing import Any
import pandas as pd
BLUE: Any
GREY: Any

def plot_effects(effects: Effects | pd.DataFrame, truth: dict[str, float] | pd.DataFrame | None=None, scale: str | None=None, level: float | None=None) -> ChartType:
    """Naive, one rewrite and RATE side by side"""

def reward_tables(scored: pd.DataFrame) -> dict:
    """Reward distributions of originals and of rewrites of rewrites, binned"""

def draw_rewards(tables: dict[str, Any]) -> ChartType:
    """Draw binned rewards"""

def plot_rewards(scored: pd.DataFrame) -> ChartType:
    """Reward distributions of originals and of rewrites of rewrites (RATE, figure 4)"""

def plot_curves(table: pd.DataFrame, x: str, title: str, x_title: str, y_title: str=..., level: float | None=None, notes: Sequence[str]=()) -> ChartType:
    """Estimates, intervals and truth along a parameter"""

def plot_shift(experiment: ShiftExperiment) -> ChartType:
    """Estimates as the data's correlation is turned (RATE, figure 3)"""

def plot_panel(table: pd.DataFrame, title: str, unit: str='standard deviations', notes: Sequence[str]=()) -> ChartType:
    """All attributes, models and estimators (RATE, figure 2)"""

def level_words(effects: LevelEffects) -> tuple[str, list[str]]:
    """What the levels do, in words"""

def plot_levels(effects: LevelEffects) -> ChartType:
    """Effect of each level, or the dose–response curve with its band"""

def plot_rewriters(comparison: RewriterComparison) -> ChartType:
    """One effect under several rewriters (forest plot)"""

def plot_bounds(bounds: AttritionBounds) -> ChartType:
    """Worst-case bounds of each effect"""

def plot_sequence(sequence: SequentialEffects, estimand: str='ATE', model: str | None=None, truth: float | None=None) -> ChartType:
    """Estimate and anytime interval as texts come in"""

def love_plot(balance: Balance, equivalence_margin: float=0.25, itself: bool=False) -> ChartType:
    """Standardised differences before and after rewriting"""

def plot_gain(table: pd.DataFrame, level: float=0.95) -> ChartType:
    """A gain in reward and its parts; over several times as lines"""
