# Written by `make export` from the module beside it. Edit the notebook.
"""Some rewrites were refused or failed. How much could the missing ones have changed the estimate?"""
from altair.typing import ChartType
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.diagnostics.verdicts import Finding
import numpy as np
import pandas as pd
FLOOR: float
FOLDS: int

def reward_limits(rewards: np.ndarray, given: tuple[float, float] | None, model: str) -> tuple:
    """The range that a missing reward is taken to lie in"""

def contrast_bounds(scored: pd.DataFrame, weights: dict[str, float], low: float | np.ndarray, high: float | np.ndarray) -> tuple:
    """The contrasts that the observed rewards allow, row by row"""

def imbens_manski(low: float, high: float, se_low: float, se_high: float, df: float, level: float=0.95) -> tuple:
    """Confidence interval for an effect that is only bounded"""

def bounded_mean(low: np.ndarray, high: np.ndarray, codes: np.ndarray, level: float=0.95) -> dict:
    """Bounds of a mean of contrasts, with cluster-robust errors"""

def attrition_by_arm(df: pd.DataFrame, weights: dict[str, float]) -> pd.DataFrame:
    """Missing contrasts by arm and reason"""

def pseudo_outcomes(c: np.ndarray, s1: np.ndarray, s2: np.ndarray, m1: np.ndarray, m2: np.ndarray, e1: np.ndarray, e2: np.ndarray) -> np.ndarray:
    """Augmented inverse-probability weighting with two stages"""

def basis(X: np.ndarray) -> np.ndarray:
    """What the regressions see of the predictors"""

def ridge(A: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Least squares, shrunk by generalised cross-validation"""

def logistic(A: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Logistic regression, shrunk by Schwarz's criterion"""

def predicted(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    ...

def chance(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    ...

def prompt_folds(labels: np.ndarray) -> np.ndarray:
    """Folds of whole clusters"""

def cross_fitted(X: np.ndarray, r1: np.ndarray | None, c: np.ndarray, folds: np.ndarray) -> tuple:
    """Pseudo-outcomes of one arm, each from regressions that did not see its prompt"""

def recorded(df: pd.DataFrame, examples: pd.DataFrame | None=None, measured: pd.DataFrame | None=None, columns: Sequence[str]=(), cluster: str | None=None) -> pd.DataFrame:
    """What loss may depend on, besides the arm"""

def attrition_bounds(scored: pd.DataFrame, examples: pd.DataFrame | None=None, *, measured: pd.DataFrame | None=None, columns: Sequence[str]=(), reward_range: tuple[float, float] | dict[str, tuple[float, float]] | None=None, estimator: str | dict[str, float]='rate', margin: float=0.1, delta: float=1.0, cluster: str | None='prompt_id', level: float=0.95) -> AttritionBounds:
    """The effect of complete cases, adjusted for recorded loss, and in worst-case (Manski) bounds"""

@dataclass(frozen=True, repr=False, eq=False)
class AttritionBounds:
    """What the missing rewrites could have done to an effect"""
    table: pd.DataFrame
    arms: pd.DataFrame
    contrasts: pd.DataFrame
    estimator: str
    delta: float
    level: float
    notes: tuple
    told: dict

    def row(self, estimand: str='ATE', model: str | None=None) -> pd.Series:
        """The bounds of one estimand of one model"""

    def finding(self, model: str | None=None) -> Finding:
        """Can the missing rewrites have changed the answer?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...

    def plot(self) -> ChartType:
        """Estimates, bounds and intervals as a chart"""
