# Written by `make export` from the module beside it. Edit the notebook.
"""What did the rewrites change besides the attribute, and what does the reward pay for it?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
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
ALIKE: tuple[float, ...]
NO_N: str
BLIND: str

def left_out(examples: pd.DataFrame) -> tuple:
    """Measures that do not cover the language of the responses, or say nothing of any of them"""

def chosen_measures(examples: pd.DataFrame, characteristics: Sequence[str] | None=None, attributes: Sequence[str | Attribute] | None=None, extra: dict[str, Callable[..., float]] | None=None) -> dict:
    """What is measured on every text"""

def measure_texts(examples: pd.DataFrame, rewrites: pd.DataFrame, characteristics: Sequence[str] | None=None, attributes: Sequence[str | Attribute] | None=None, extra: dict[str, Callable[..., float]] | None=None) -> pd.DataFrame:
    """Every characteristic of every usable text, side by side"""

def one_model(scored: pd.DataFrame, model: str | None=None) -> pd.DataFrame:
    """The rows of one reward model, or an error that lists the names"""

def measured_at(table: pd.DataFrame, measured: pd.DataFrame, names: Iterable[str]) -> Iterator[tuple]:
    """What was measured, row by row of another table"""

def pair_up(scored: pd.DataFrame, measured: pd.DataFrame, names: Sequence[str], model: str | None=None, cluster: str='prompt_id') -> Pairs:
    """Rewards and characteristics of the same texts as arrays"""

def varying(X: np.ndarray, rtol: float=1e-08) -> np.ndarray:
    """A largest set of leading columns that neither stand still nor repeat each other"""

def least_squares(y: np.ndarray, X: np.ndarray, codes: np.ndarray, n_clusters: int | None=None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficients and what each cluster adds to their error"""

def joint_test(estimates: np.ndarray, psi: np.ndarray, df: float | None=None) -> dict:
    """Approximate Hotelling test (HTZ) that all of several estimates are 0, clusters as units"""

def contrast_slopes(pairs: Pairs, given: Sequence[str]=()) -> tuple:
    """Interaction of each characteristic with W, from the contrasts of rewrites"""

def arm_slopes(pairs: Pairs, given: Sequence[str]=()) -> tuple:
    """Interaction of each characteristic with W, from originals against rewrites of rewrites"""

def memory_slopes(pairs: Pairs, given: Sequence[str]=()) -> tuple:
    """How each characteristic of the first rewrite follows the original, and Z"""

def given_slopes(pairs: Pairs, given: Sequence[str]) -> tuple:
    """Interaction of each characteristic with measured Z, from the contrasts of rewrites"""

def own_measures(attribute: str | Attribute | None=None, itself: Iterable[str] | None=None) -> tuple[str, set[str]]:
    """What measures the attribute itself"""

def additivity(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, *, attribute: str | Attribute | None=None, characteristics: Sequence[str] | None=None, attributes: Sequence[str | Attribute] | None=None, extra: dict[str, Callable[..., float]] | None=None, itself: Iterable[str] | None=None, measured: pd.DataFrame | None=None, given: Sequence[str]=(), estimand: str='ATE', model: str | None=None, cluster: str='prompt_id', level: float=0.95) -> Additivity:
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
    def contrast(self) -> np.ndarray:
        ...

    @property
    def at(self) -> tuple[np.ndarray, np.ndarray]:
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

    def finding(self, margin: float | None=None) -> Finding:
        """Does what was measured say that RATE answers another question than the one asked?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...
