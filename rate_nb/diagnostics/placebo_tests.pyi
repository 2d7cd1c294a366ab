# Written by `make export` from the module beside it. Edit the notebook.
"""Is the second rewrite written like the first? If not, RATE mistakes the difference for the attribute."""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.verdicts import Finding
from rate_nb.estimators.effects import Effects
from typing import Any
import numpy as np
import pandas as pd
RATE3: dict[str, Any]
PLACEBO: dict[str, float]
KEPT: dict[str, float]
LATER: dict[str, float]
SHIFTS: dict[str, Any]
FEWEST: int
BLIND: str

def is_relative(attribute: str | Attribute | None) -> bool:
    ...

def nothing_kept(scored: pd.DataFrame) -> bool:
    ...

def placebo(scored: pd.DataFrame, attribute: str | Attribute | None=None, *, margin: float=0.1, cluster: str | None='prompt_id', level: float=0.95) -> Placebo:
    """Re(x, Re(x, y, 1-w), w) against Re(x, y, w); if relative, Re(x, keep(x, y), 1-w) against Re(x, y, 1-w)"""

def drift(scored: pd.DataFrame, attribute: str | Attribute | None=None, *, margin: float=0.1, cluster: str | None='prompt_id', level: float=0.95) -> Drift:
    """What one more rewrite adds, and what that does to RATE"""

def flipped_labels(codes: np.ndarray, rng: np.random.Generator, replicates: int=1) -> np.ndarray:
    """A coin for each prompt: all its labels swapped, or none"""

def permuted_rows(codes: np.ndarray, rng: np.random.Generator) -> tuple:
    """A shuffle of the rewards between prompts, and among the texts of an example"""

def false_alarms(units: _Units, kind: str, rng: np.random.Generator, replicates: int, level: float) -> float:
    """How often an interval excludes 0 although the effect is 0 by design"""

def attained(examples: pd.DataFrame, rewrites: pd.DataFrame, attribute: str | Attribute) -> tuple:
    """Which texts have the attribute, after rewriting"""

def known_reward(has: pd.DataFrame, measured: pd.DataFrame, names: Sequence[str], bonus: float) -> pd.DataFrame:
    """A reward whose effect is b, confounded by each measure in the same direction"""

def control_tests(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, attribute: str | Attribute, *, bonus: float | None=None, invisible: pd.DataFrame | None=None, measured: pd.DataFrame | None=None, characteristics: Sequence[str] | None=None, extra: dict[str, Callable[..., float]] | None=None, replicates: int=400, rng: np.random.Generator | int=0, model: str | None=None, cluster: str='prompt_id', level: float=0.95) -> ControlTests:
    """Negative and positive controls, from an audit's own tables"""

@dataclass(frozen=True, eq=False, repr=False)
class Placebo:
    """The same target at depth 2 against depth 1"""
    table: pd.DataFrame
    joint: pd.DataFrame
    level: float
    relative: bool
    told: dict

    def finding(self, model: str | None=None) -> object:
        """Does a text that came back differ from one that stayed?"""

@dataclass(frozen=True, eq=False, repr=False)
class Drift:
    """RATE beside the estimators that do not drift, and the drift"""
    table: pd.DataFrame
    steps: pd.DataFrame
    effects: Effects
    margins: dict
    level: float
    told: dict

    def finding(self, model: str | None=None) -> object:
        """How far does drift put ATT and ATU off?"""

@dataclass(frozen=True)
class _Units:
    """One row per example: label, cluster and the three rewards, draws averaged"""
    w: np.ndarray
    R: np.ndarray
    codes: np.ndarray

@dataclass(frozen=True, repr=False, eq=False)
class ControlTests:
    """The audit's estimates where the answer is known"""
    table: pd.DataFrame
    bonus: float
    by: str
    replicates: int
    level: float
    notes: tuple = ...

    def verdicts(self, equivalence_margin: float | None=None) -> pd.DataFrame:
        """Each control's verdict"""

    def finding(self, equivalence_margin: float | None=None) -> Finding:
        """Can the instrument be trusted?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...
