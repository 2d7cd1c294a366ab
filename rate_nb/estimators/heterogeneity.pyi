# Written by `make export` from the module beside it. Edit the notebook.
"""For which responses does the attribute matter more, and how much of the spread is only rewrite noise?"""
from dataclasses import dataclass
from rate_nb.stats.inference import Effect
from rate_nb.stats.inference import JointTest
import pandas as pd

def heterogeneity_test(effects, estimator='rate', estimand='ATE', model=None) -> JointTest:
    """Approximate Hotelling test that every group, or every model, has the same effect"""

def individual_contrasts(scored, estimator='rate', keep=()) -> pd.DataFrame:
    """One contrast per text"""

def effect_regression(scored, on, *, estimator='rate', estimand='ATE', model=None, level=0.95):
    """How effects change with covariates"""

def contrast_variance(scored, estimator='rate') -> dict:
    """Split the variance of contrasts: prompts, texts, rewrites"""

def difference(effects, a, b, unit='reward') -> Effect:
    """Difference of two effects estimated from the same texts"""

def compare_models(effects, estimator='rate', estimand='ATE', unit='sd', adjust='holm') -> pd.DataFrame:
    """Paired differences between all models"""

def panel(effects, estimator='rate', estimand='ATE', unit='sd', adjust='holm', rng=None) -> Panel:
    """One table of attributes × models, adjusted for its size"""

@dataclass(frozen=True, repr=False)
class Panel:
    """Effects of every attribute on every model"""
    table: pd.DataFrame
    estimator: str
    estimand: str
    unit: str
    adjust: str
    level: float
    beside: pd.DataFrame = ...

    def wide(self) -> pd.DataFrame:
        """The panel as people read it"""

    def __repr__(self):
        ...

    def plot(self):
        """Every attribute and model, with the naive estimate beside RATE's (RATE paper, figure 2)"""
