# Written by `make export` from the module beside it. Edit the notebook.
"""For which responses does the attribute matter more, and how much of the spread is only rewrite noise?"""
from altair.typing import ChartType
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.estimators.effects import Effects
from rate_nb.stats.inference import Effect
from rate_nb.stats.inference import JointTest
from typing import Any
import numpy as np
import pandas as pd

def heterogeneity_test(effects: Effects, estimator: str='rate', estimand: str='ATE', model: str | None=None) -> JointTest:
    """Approximate Hotelling test that every group, or every model, has the same effect"""

def individual_contrasts(scored: pd.DataFrame, estimator: str | dict[str, float]='rate', keep: Sequence[str]=()) -> pd.DataFrame:
    """One contrast per text"""

def effect_regression(scored: pd.DataFrame, on: str | Sequence[str], *, estimator: str='rate', estimand: str='ATE', model: str | None=None, level: float=0.95) -> tuple[pd.DataFrame, JointTest]:
    """How effects change with covariates"""

def contrast_variance(scored: pd.DataFrame, estimator: str | dict[str, float]='rate') -> dict:
    """Split the variance of contrasts: prompts, texts, rewrites"""

def difference(effects: Effects, a: dict[str, Any], b: dict[str, Any], unit: str='reward') -> Effect:
    """Difference of two effects estimated from the same texts"""

def compare_models(effects: Effects, estimator: str='rate', estimand: str='ATE', unit: str='sd', adjust: str='holm') -> pd.DataFrame:
    """Paired differences between all models"""

def panel(effects: dict[str, Effects], estimator: str='rate', estimand: str='ATE', unit: str='sd', adjust: str='holm', rng: np.random.Generator | int=0) -> Panel:
    """One table of attributes × models, adjusted for its size"""

def pool_rewriters(effects: Effects, estimator: str='rate', estimand: str='ATE', unit: str='reward') -> Pooled:
    """Effects by rewriter on the same texts, their spread, and their mean"""

def read_conditions(said: str, known: Sequence[str]) -> list[Condition]:
    """Conditions on differences of effects, from text"""

@dataclass(frozen=True, repr=False)
class Panel:
    """Effects of every attribute on every model"""
    table: pd.DataFrame
    estimator: str
    estimand: str
    unit: str
    adjust: str
    level: float
    beside: pd.DataFrame | None = ...

    def wide(self) -> pd.DataFrame:
        """The panel as people read it"""

    def __repr__(self) -> str:
        ...

    def plot(self) -> ChartType:
        """Every attribute and model, with the naive estimate beside RATE's (RATE paper, figure 2)"""

@dataclass(frozen=True, repr=False)
class Pooled:
    """What several rewriters say together"""
    table: pd.DataFrame
    effect: Effect
    spread: float
    p_same: float

    @property
    def words(self) -> str:
        """The pooled effect, the spread, and what agreement does not show"""

    def __repr__(self) -> str:
        ...

@dataclass(frozen=True)
class Condition:
    """A statement on the difference of two effects, such as `length > 0.1` or `|length| > 0.1`"""
    said: str
    attribute: str
    sign: str
    bound: float
    size: bool = ...

    def state(self, low: float, high: float) -> str:
        """holds, excluded, or not excluded"""
