# Written by `make export` from the module beside it. Edit the notebook.
"""Do the rewrites to 1 and the rewrites to 0 differ in measured characteristics, and how large would a difference have to be to explain the effect?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.open_vocabulary import Differences
from rate_nb.estimators.effects import Effects
from rate_nb.stats.inference import Effect
import pandas as pd

def balance(examples: pd.DataFrame, rewrites: pd.DataFrame, *, attribute: str | Attribute | None=None, characteristics: Sequence[str] | None=None, attributes: Sequence[str | Attribute] | None=None, extra: dict[str, Callable[..., float]] | None=None, itself: Iterable[str] | None=None, estimand: str='ATE', estimator: str='rate', cluster: str | None='prompt_id', level: float=0.95) -> Balance:
    """Standardised differences of everything measured between rewrites to 1 and rewrites to 0"""

def tipping_point(differences: Differences, effect: Effect) -> pd.DataFrame:
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
    def off_target(self) -> tuple[str, ...]:
        ...

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...

    def plot(self, equivalence_margin: float=0.25, itself: bool=False) -> ChartType:
        """A love plot: imbalance of originals and of rewrites"""
