# Written by `make export` from the module beside it. Edit the notebook.
"""What is the effect of one attribute on a reward, with everything else unchanged?"""
from altair.typing import ChartType
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.stats.inference import Effect
from rate_nb.stats.inference import JointEstimates
from typing import Any
import numpy as np
import pandas as pd
CONTRASTS: dict[str, dict[str, float]]
ESTIMANDS: dict[str, str]
OVER: tuple[str, ...]
CLAIMS: tuple[str, ...]
LARGE: float

def over_words(over: str) -> str:
    """What an effect is a mean over"""

def claim_words(estimators: Iterable[str]) -> str:
    """Which of the two claims estimates make"""

def without_levels(scored: pd.DataFrame) -> np.ndarray:
    """Which rows are those of a judge"""

def contrast(scored: pd.DataFrame, estimator: str | dict[str, float]) -> np.ndarray:
    """With minus without, row by row"""

def average_draws(df: pd.DataFrame, contrasts: dict[str, np.ndarray], keep: Sequence[str]) -> pd.DataFrame:
    """Average the draws of each example"""

def sufficient_sums(units: pd.DataFrame, name: str) -> np.ndarray:
    """What each example adds to the sums from which every estimand follows"""

def counting(table: pd.DataFrame) -> list:
    ...

def contrast_recipes(estimators: Sequence[str] | dict[str, dict[str, float]], df: pd.DataFrame) -> dict:
    """How each estimator combines the rewards of an example"""

def labelled_rows(df: pd.DataFrame, cluster: str | None, by: str | Sequence[str] | None) -> tuple:
    """The rows that can be used, and what to tell about the others"""

def estimate_effects(scored: pd.DataFrame, *, estimators: str | Sequence[str] | dict[str, dict[str, float]]=('naive', 'single', 'rate'), cluster: str | None='prompt_id', level: float=0.95, by: str | Sequence[str] | None=None, bootstrap: int | None=None, rng: np.random.Generator | int=0, estimand_over: str=...) -> Effects:
    """Naive, single-rewrite and RATE effects with honest intervals"""

def estimate_contrastive_effects(contrasts: pd.DataFrame, *, cluster: str | None='prompt_id', level: float=0.95, by: str | Sequence[str] | None=None, bootstrap: int | None=None, rng: np.random.Generator | int=0, estimand_over: str=...) -> Effects:
    """RATE for a judge that compares two texts"""

def text_contrast(estimator: str | dict[str, float], df: pd.DataFrame, otherwise: str) -> tuple:
    """One estimator that has a contrast for each text"""

def error_rate(r: float | tuple[int, int], name: str) -> tuple[float, float]:
    ...

def hand_checked(scored: pd.DataFrame, truth: str) -> list[tuple[int, int]]:
    """How often the classifier agrees with a person"""

def correct_label_error(scored: pd.DataFrame, sensitivity: float | tuple[int, int], specificity: float | tuple[int, int], *, estimator: str='rate', cluster: str | None='prompt_id', level: float=0.95) -> pd.DataFrame:
    """Effects with the labels' errors taken out"""

@dataclass(frozen=True)
class _Cell:
    """What one estimator says about one group of examples of one model"""
    estimands: tuple
    joint: JointEstimates
    counts: dict
    recipe: tuple
    sd: tuple

@dataclass(frozen=True, repr=False, eq=False)
class Effects:
    """Effects of one attribute on the rewards of one or more models, with intervals"""
    table: pd.DataFrame
    level: float
    influence: pd.DataFrame
    smd_influence: pd.DataFrame
    leverage: np.ndarray
    loading: np.ndarray
    sd_excess: np.ndarray
    alike: np.ndarray | None = ...
    by: tuple = ...
    cluster: str | None = ...
    notes: tuple = ...
    estimand_over: str = ...
    answers: tuple = ...

    def joint(self, rows: Sequence[int] | np.ndarray, unit: str='reward') -> JointEstimates:
        """Several rows as estimates from the same clusters"""

    def get(self, estimator: str, estimand: str='ATE', model: str | None=None, **by: Any) -> AttributeEffect:
        """One effect"""

    def __getitem__(self, estimand: str) -> AttributeEffect:
        """The RATE effect"""

    def __float__(self):
        ...

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...

    def plot(self, truth: dict[str, float] | None=None) -> ChartType:
        """Estimates and intervals as a chart"""

@dataclass(frozen=True)
class AttributeEffect(Effect):
    """One row of `Effects`"""
    model: str = ...
    estimator: str = ...
    estimand: str = ...
    smd: float = ...
    smd_low: float = ...
    smd_high: float = ...
    smd_df: float = ...
    n: int = ...
    n_treated: int = ...
    n_untreated: int = ...
    n_missing_treated: int = ...
    n_missing_untreated: int = ...
    group: tuple = ...
    p_zero: float = ...

    def p_value(self, null: float=0.0) -> float:
        """Two-sided p-value against one value of the effect"""

    def standardised(self) -> Effect:
        """Cohen's d with its interval, e.g. for `equivalence_test`"""
