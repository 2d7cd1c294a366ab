# Written by `make export` from the module beside it. Edit the notebook.
"""If the data had been collected differently, would the estimate be the same?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.base.store import Store
from rate_nb.stats.inference import Effect
from typing import Any
import numpy as np
import pandas as pd
LEVELS: Any

def level_samples(units: pd.DataFrame, other: str, levels: Sequence[float], seed: int, n: int, share: float | None=None) -> np.ndarray:
    """The sample of each level"""

def slope_of(contrasts: np.ndarray, truth: np.ndarray | None, w: np.ndarray, other: np.ndarray, clusters: np.ndarray, inside: np.ndarray, levels: Sequence[float], naive: bool=False, confidence: float=0.95) -> Effect:
    """Slope of estimate (minus truth) on the level; its error knows which texts are used at several levels"""

def shift_experiment(scored: pd.DataFrame, other: str, levels: Sequence[float]=..., rng: np.random.Generator | int=0, truth: float | Sequence[float] | str | None=None, *, estimators: Sequence[str] | dict[str, dict[str, float]]=('naive', 'rate'), n: int | None=None, share: float | None=None, cluster: str | None='prompt_id', level: float=0.95) -> ShiftExperiment:
    """Correlate W with another property, more and more, and watch the estimates of the ATE (RATE, figure 3)"""

def labels_by(table: pd.DataFrame, name: str, label: Any) -> pd.Series:
    """Labels of a described rule, whatever the table's own say"""

def dynamic_benchmark(models: Iterable, attributes: dict, examples: pd.DataFrame | Callable | dict, rewriter: Any, rng: np.random.Generator, *, n: int=200, store: Store | None=None, level: float=0.95, first_draw: int=0) -> DynamicBenchmark:
    """Rank reward models by the effects they should and should not have, on fresh responses (RATE paper)"""

def wanted_effects(said: dict | str) -> dict:
    """What each attribute should do to a reward, as a run says it"""

def specified_benchmark(attributes: Sequence[str], reward: Any, rewriter: Any, examples: Any, store: Store, services: Any) -> dict:
    """Rewards, rewriter and examples of a dynamic benchmark, loaded"""

@dataclass(frozen=True, repr=False, eq=False)
class ShiftExperiment:
    """Estimates of one effect as the data's correlation changes, the model unchanged"""
    table: pd.DataFrame
    slopes: pd.DataFrame
    other: str
    level: float
    n: int
    notes: tuple = ...

    def slope(self, estimator: str, model: str | None=None) -> Effect:
        """One slope with its interval"""

    def summary(self) -> pd.DataFrame:
        """Levels as rows, estimators as columns"""

    def verdicts(self) -> list:
        """What the slopes say"""

    def __repr__(self):
        ...

    def plot(self) -> ChartType:
        """Estimates against the level, with their intervals"""

@dataclass(frozen=True)
class DynamicBenchmark:
    """Reward models ranked by the effects they should and should not have"""
    leaderboard: pd.DataFrame
    effects: pd.DataFrame
    stability: dict
    level: float

    def summary(self) -> pd.DataFrame:
        """The leaderboard as people read it"""

    def sentence(self) -> str:
        """Who leads, and how stable the order is"""

    def __repr__(self):
        ...

    def plot(self) -> ChartType:
        """Merits with their intervals"""
