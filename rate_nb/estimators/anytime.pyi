# Written by `make export` from the module beside it. Edit the notebook.
"""May I look at the interval while rewrites come in, and stop when it is narrow enough?"""
from altair.typing import ChartType
from collections.abc import Callable
from dataclasses import dataclass
from numpy.typing import ArrayLike
from rate_nb.stats.inference import Effect
from typing import Any
import numpy as np
import pandas as pd

def mixture_bound(variance: float | np.ndarray, level: float=0.95, tuned_at: int=500) -> float | np.ndarray:
    """How far a sum of errors goes, at all looks together (Robbins, 1970)"""

def anytime_quantile(clusters: float | np.ndarray, level: float=0.95, tuned_at: int=500) -> float | np.ndarray:
    """What stands in for 1.96 when one may look at any time"""

def skewed_reach(quantile: float | np.ndarray, skew: float | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Half-widths that allow for skewness (Hall, 1992)"""

def bounded_reach(squares: np.ndarray, weights2: np.ndarray, texts: np.ndarray, sd: float, level: float=0.95, tuned_at: int=500) -> np.ndarray:
    """A band that needs no burn-in where the variance has a bound (Delyon, 2009)"""

def running(f: Callable[[np.ndarray], np.ndarray], sums: np.ndarray, rows: Callable[[np.ndarray], np.ndarray], looks: np.ndarray, level: float) -> list:
    """Estimates, and what a band needs to know, at each look"""

def anytime_interval(contrasts: ArrayLike, clusters: ArrayLike | None=None, *, burn_in: int | None=None, sd: float | None=None, level: float=0.95, tuned_at: int=500) -> pd.DataFrame:
    """A band around the running mean that may be looked at after every prompt"""

def sequential_effects(scored: pd.DataFrame, *, order: str | None=None, shuffle: np.random.Generator | int | None=None, estimator: str | dict[str, float]='rate', cluster: str | None='prompt_id', burn_in: int | None=None, sd: float | None=None, level: float=0.95, tuned_at: int=500) -> SequentialEffects:
    """ATT, ATU and ATE with anytime intervals, after a declared burn-in or with a declared bound"""

def audit_until(score: Callable[[pd.DataFrame], pd.DataFrame], examples: pd.DataFrame, width: float, *, rng: np.random.Generator | int, first: int=100, grow: float=1.5, estimand: str='ATE', model: str | None=None, **settings: Any) -> StoppedAudit:
    """Audit growing parts of the examples until the answer is narrow enough"""

@dataclass(frozen=True)
class _Band:
    level: float
    burn_in: int
    sd: float
    tuned_at: int

    def __post_init__(self):
        ...

    @property
    def start(self) -> int:
        ...

    def __str__(self) -> str:
        ...

@dataclass(frozen=True, repr=False)
class SequentialEffects:
    """Effects with intervals that may be looked at any time"""
    table: pd.DataFrame
    estimator: str
    level: float
    promise: str
    notes: tuple

    def path(self, estimand: str='ATE', model: str | None=None) -> pd.DataFrame:
        """How one effect and its band developed"""

    def now(self, estimand: str='ATE', model: str | None=None) -> Effect:
        """The effect at the last look"""

    def reached(self, width: float, estimand: str='ATE', model: str | None=None) -> pd.Series | None:
        """When could one have stopped?"""

    def plot(self, estimand: str='ATE', model: str | None=None, truth: float | None=None) -> ChartType:
        """The band as texts come in"""

    def summary(self) -> pd.DataFrame:
        """The last look"""

    def __repr__(self) -> str:
        ...

@dataclass(frozen=True, repr=False)
class StoppedAudit:
    """An audit that ended when its interval was narrow enough, or when the texts did"""
    effects: SequentialEffects
    looks: pd.DataFrame
    scored: pd.DataFrame
    reached: bool
    width: float

    def sentence(self) -> str:
        """How it ended"""

    def __repr__(self) -> str:
        ...
