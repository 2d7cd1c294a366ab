# Written by `make export` from the module beside it. Edit the notebook.
"""What did the rewrites change besides the attribute, and what does the reward pay for it?"""
from dataclasses import dataclass
from rate_nb.diagnostics.verdicts import Finding
from rate_nb.stats.inference import Effect
import numpy as np
import pandas as pd
MEASURES: tuple[str, ...]
ITSELF: dict[str, tuple[str, ...]]
TEXTS_AT_ONCE: int
CHECKS: dict[str, str]
BY_CHARACTERISTIC: tuple[str, ...]
CENTRAL: float
OVERLAP: float
NO_N: str
BLIND: str

def left_out(examples) -> tuple:
    """Measures that do not cover the language of the responses, or say nothing of any of them"""

def chosen_measures(examples, characteristics=None, attributes=None, extra=None) -> dict:
    """What is measured on every text"""

def measure_texts(examples, rewrites, characteristics=None, attributes=None, extra=None) -> pd.DataFrame:
    """Every characteristic of every usable text, side by side"""

def one_model(scored, model=None):
    """The rows of one reward model, or an error that lists the names"""

def measured_at(table, measured, names):
    """What was measured, row by row of another table"""

def pair_up(scored, measured, names, model=None, cluster='prompt_id') -> Pairs:
    """Rewards and characteristics of the same texts as arrays"""

def varying(X, rtol=1e-08) -> np.ndarray:
    """A largest set of leading columns that neither stand still nor repeat each other"""

def least_squares(y, X, codes, n_clusters=None):
    """Coefficients and what each cluster adds to their error"""

def joint_test(estimates, psi, df=None) -> dict:
    """Approximate Hotelling test (HTZ) that all of several estimates are 0, clusters as units"""

def contrast_slopes(pairs, given=()):
    """Interaction of each characteristic with W, from the contrasts of rewrites"""

def arm_slopes(pairs, given=()):
    """Interaction of each characteristic with W, from originals against rewrites of rewrites"""

def memory_slopes(pairs, given=()):
    """How each characteristic of the first rewrite follows the original, and the invariants"""

def given_slopes(pairs, given):
    """Interaction of each characteristic with measured invariants, from the contrasts of rewrites"""

def own_measures(attribute=None, itself=None):
    """What measures the attribute itself"""

def additivity(examples, rewrites, scored, *, attribute=None, characteristics=None, attributes=None, extra=None, itself=None, measured=None, given=(), estimand='ATE', model=None, cluster='prompt_id', level=0.95) -> Additivity:
    """Does the effect of the attribute depend on ξ, and ξ on the text?"""

@dataclass(frozen=True)
class Pairs:
    """One model's rewards and every measured characteristic of the same texts, row by row"""
    names: tuple
    R: np.ndarray
    C: np.ndarray
    w: np.ndarray
    codes: np.ndarray
    clusters: pd.Index
    example: np.ndarray
    rows: pd.DataFrame

    @property
    def contrast(self):
        ...

    @property
    def at(self):
        ...

@dataclass(frozen=True, repr=False, eq=False)
class Additivity:
    """Does the effect depend on ξ, and ξ on the text?"""
    table: pd.DataFrame
    joint: pd.DataFrame
    bias: dict
    parts: tuple
    arms: Effect
    effect: Effect
    estimand: str
    level: float
    notes: tuple = ...

    def finding(self, margin=None) -> Finding:
        """Does what was measured say that RATE answers another question than the one asked?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...
