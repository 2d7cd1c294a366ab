# Written by `make export` from the module beside it. Edit the notebook.
"""Do the rewrites to 1 and the rewrites to 0 differ in what was measured, and how large would a difference have to be to explain the effect?"""
from dataclasses import dataclass
from rate_nb.estimators.effects import Effects
import pandas as pd

def balance(examples, rewrites, *, attribute=None, characteristics=None, attributes=None, extra=None, itself=None, estimand='ATE', estimator='rate', cluster='prompt_id', level=0.95) -> Balance:
    """Standardised differences of everything measured between rewrites to 1 and rewrites to 0"""

def tipping_point(differences, effect) -> pd.DataFrame:
    """How large a difference would explain the effect, at the price that draws show"""

@dataclass(frozen=True, repr=False, eq=False)
class Balance:
    """How far rewrites to 1 and rewrites to 0 differ in what was measured"""
    table: pd.DataFrame
    joint: dict
    effects: Effects
    measured: pd.DataFrame
    attribute: str
    estimand: str
    estimator: str
    cluster: str
    level: float
    notes: tuple = ...
    not_covered: tuple = ...

    @property
    def off_target(self):
        ...

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...

    def plot(self, equivalence_margin=0.25, itself=False):
        """A love plot: imbalance of originals and of rewrites"""
