# Written by `make export` from the module beside it. Edit the notebook.
"""If the data had been collected differently, would the estimate be the same?"""
from dataclasses import dataclass
from rate_nb.stats.inference import Effect
from typing import Any
import pandas as pd
LEVELS: Any

def slope_of(contrasts, truth, w, other, clusters, inside, levels, naive=False, confidence=0.95) -> Effect:
    """Slope of estimate (minus truth) on the level; its error knows which texts are used at several levels"""

def shift_experiment(scored, other, levels=..., rng=None, truth=None, *, estimators=('naive', 'rate'), n=None, share=None, cluster='prompt_id', level=0.95) -> ShiftExperiment:
    """Correlate W with another property, more and more, and watch the estimates of the ATE (RATE, figure 3)"""

def dynamic_benchmark(models, attributes, examples, rewriter, rng, *, n=200, store=None, level=0.95, first_draw=0) -> DynamicBenchmark:
    """Rank reward models by the effects they should and should not have, on fresh responses (RATE paper)"""

def wanted_effects(said) -> dict:
    """What each attribute should do to a reward, as a run says it"""

def specified_benchmark(attributes, reward, rewriter, examples, store, services) -> dict:
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

    def slope(self, estimator, model=None) -> Effect:
        """One slope with its interval"""

    def summary(self) -> pd.DataFrame:
        """Levels as rows, estimators as columns"""

    def verdicts(self) -> list:
        """What the slopes say"""

    def __repr__(self):
        ...

    def plot(self):
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

    def plot(self):
        """Merits with their intervals"""
