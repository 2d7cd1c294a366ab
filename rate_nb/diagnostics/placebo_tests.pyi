# Written by `make export` from the module beside it. Edit the notebook.
"""Is the second rewrite written as the first was? If not, RATE mistakes the difference for the attribute."""
from dataclasses import dataclass
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

def is_relative(attribute):
    ...

def placebo(scored, attribute=None, *, margin=0.1, cluster='prompt_id', level=0.95) -> Placebo:
    """Re(x, Re(x, y, 1-w), w) against Re(x, y, w); if relative, Re(x, keep(x, y), 1-w) against Re(x, y, 1-w)"""

def drift(scored, attribute=None, *, margin=0.1, cluster='prompt_id', level=0.95) -> Drift:
    """What one more rewrite adds, and what that does to RATE"""

def flipped_labels(codes, rng, replicates=1):
    """A coin for each prompt: all its labels turned round, or none"""

def permuted_rows(codes, rng):
    """Rewards handed on from prompt to prompt, and among the texts of an example"""

def false_alarms(units, kind, rng, replicates, level) -> float:
    """How often the interval of a nothing leaves out 0"""

def attained(examples, rewrites, attribute):
    """Which texts have the attribute, after rewriting"""

def known_reward(has, measured, names, bonus):
    """A reward whose effect is b, confounded as badly as the texts allow"""

def control_tests(examples, rewrites, scored, attribute, *, bonus=None, invisible=None, measured=None, characteristics=None, extra=None, replicates=400, rng=0, model=None, cluster='prompt_id', level=0.95) -> ControlTests:
    """Negative and positive controls, from an audit's own tables"""

@dataclass(frozen=True, eq=False, repr=False)
class Placebo:
    """The same target at depth 2 against depth 1"""
    table: pd.DataFrame
    joint: pd.DataFrame
    level: float
    relative: bool
    told: dict

    def finding(self, model=None) -> object:
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

    def finding(self, model=None) -> object:
        """How far does drift put ATT and ATU off?"""

@dataclass(frozen=True)
class _Units:
    """One row per example: label, cluster and the three rewards, draws averaged"""
    w: np.ndarray
    R: np.ndarray
    codes: np.ndarray

@dataclass(frozen=True, repr=False, eq=False)
class ControlTests:
    """What the audit reads where the answer is known"""
    table: pd.DataFrame
    bonus: float
    by: str
    replicates: int
    level: float
    notes: tuple = ...

    def verdicts(self, equivalence_margin=None) -> pd.DataFrame:
        """Each control's verdict"""

    def finding(self, equivalence_margin=None) -> Finding:
        """Can the instrument be trusted?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...
