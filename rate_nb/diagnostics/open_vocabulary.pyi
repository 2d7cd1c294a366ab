# Written by `make export` from the module beside it. Edit the notebook.
"""What else differs between the rewrites to 1 and the rewrites to 0, and how much does the reward pay for it?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.verdicts import Finding
from rate_nb.diagnostics.verdicts import Part
from typing import Any
import numpy as np
import pandas as pd
import re
MOST_PAIRS: int
MOST_CHARACTERS: int
RARE: float
FEWEST: int
LONGEST: int
SHAPES: dict[str, tuple[Any, ...]]
LEAST_DF: int
NO_VARIATION: str
LARGE: float
LARGE_STEP: float
UNPRICED: str
FREE: Any
FREE_STEP: Any
TOGETHER: str
MOST_TOGETHER: int
FOLDS: int
TELLS: str
APART: float
BLOCK: int
RATES: tuple[str, ...]
SIZES: tuple[str, ...]
NEAREST: int
BLIND: str
ADVICE: dict[str, str]

def text_pairs(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, cluster: str) -> TextPairs:
    """Rewrites to 1 and to 0 of the same responses"""

def vocabulary(texts: Sequence[str]) -> tuple:
    """Words, phrases and marks, and where they are"""

def without(texts: Sequence[str], patterns: Iterable[re.Pattern]) -> tuple:
    """Take marked phrases out of texts"""

def mark_of(mark: Any, argument: str) -> Any:
    ...

def without_marks(examples: pd.DataFrame, rewrites: pd.DataFrame, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]], extra: dict[str, Callable[..., float]] | None=None) -> tuple:
    """An audit's texts without what is the attribute, for whatever measures the rest of them"""

def slopes(x: np.ndarray, y: np.ndarray, sums: Any) -> Slopes:
    """Slope of each column of y on its column of x, errors clustered"""

def worth_of(moved: Slopes, priced: Slopes) -> tuple:
    """Difference times price"""

def compare_columns(design: _Design, X: np.ndarray, kinds: np.ndarray | None=None) -> tuple:
    """Rates, differences and prices of some features"""

def other_prices(design: _Design, X: np.ndarray) -> Iterator[tuple]:
    """Way of pricing, (p,) for which features, (share of each response, `Slopes` of its price), which add up"""

def ridge(A: np.ndarray, y: np.ndarray) -> np.ndarray:
    ...

def score_together(design: _Design, X: np.ndarray, prompts: np.ndarray, weight: float | np.ndarray=1.0) -> np.ndarray:
    """One feature for all"""

def told_apart(X: np.ndarray, prompts: np.ndarray) -> np.ndarray:
    """Which target was it written for?"""

def differences(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, *, attribute: str | Attribute | None=None, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), artefacts: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), extra: dict[str, Callable[..., float]] | None=None, measured: pd.DataFrame | None=None, model: str | None=None, margin: float | None=None, cluster: str='prompt_id', level: float=0.95, fdr: float=0.05) -> Differences:
    """Every word, phrase, mark and measure whose rate differs between rewrites to 1 and to 0"""

def worth_parts(worths: pd.DataFrame, margin: float, level: float, artefacts: Sequence[str]=()) -> Iterator[Part]:
    """The worths that decide whether all of them lie inside the margin"""

def less(a: Slopes, b: Slopes) -> Slopes:
    """One slope less another"""

def compare_interactions(design: _Design, X: np.ndarray, kinds: np.ndarray) -> tuple:
    """Rates, shifts and interactions of some features"""

def interaction_score(design: _Design, X: np.ndarray, prompts: np.ndarray, clear: np.ndarray) -> np.ndarray:
    """What all features together say of how the effect depends on a text"""

def phrase_interactions(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, *, attribute: str | Attribute | None=None, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), extra: dict[str, Callable[..., float]] | None=None, measured: pd.DataFrame | None=None, model: str | None=None, margin: float | None=None, cluster: str='prompt_id', level: float=0.95) -> list:
    """What may rewriting a word or phrase away have done to RATE, where the effect depends on it?"""

@dataclass(frozen=True, eq=False)
class TextPairs:
    """The two rewrites of each response, and one model's rewards of them"""
    rows: pd.DataFrame
    texts: list
    rewards: np.ndarray
    example: np.ndarray
    cluster: np.ndarray

class Words:
    """A set of words as a mark, however large"""
    few: Any
    pattern: str
    words: Any

    def __init__(self, words: Iterable[str], name: str='words'):
        ...

    def __eq__(self, other):
        ...

    def __hash__(self):
        ...

    def search(self, text: str) -> re.Match[str] | None:
        ...

    def subn(self, by: str, text: str) -> tuple[str, int]:
        ...

@dataclass(frozen=True, eq=False)
class Slopes:
    """Slopes through the origin, a feature each"""
    estimate: np.ndarray
    influence: np.ndarray
    std_error: np.ndarray
    df: np.ndarray
    at_least: np.ndarray = ...

@dataclass(frozen=True, eq=False)
class _Design:
    mean: object
    arms: dict
    examples: object
    texts: object
    cells: object
    contrasts: bool
    gain: np.ndarray
    own: np.ndarray
    held: np.ndarray
    rewards: np.ndarray

    def deviations(self, v):
        ...

    def free(self, X):
        ...

@dataclass(frozen=True, repr=False, eq=False)
class Differences:
    """What differs between rewrites to 1 and rewrites to 0, and what it is worth"""
    table: pd.DataFrame
    worths: pd.DataFrame
    margin: float
    model: str
    draws: int
    level: float
    fdr: float
    notes: tuple = ...
    sd: float = ...
    of_judge: bool = ...

    def inconclusive(self, margin: float | None=None) -> pd.DataFrame:
        """The differences that somebody has to mark, or that need more data"""

    def finding(self, margin: float | None=None) -> Finding:
        """Could an unmarked difference be worth more than the margin?"""

    def summary(self, max_rows: int=30) -> pd.DataFrame:
        """What is shown or inconclusive, what may be worth most first"""

    def __repr__(self) -> str:
        ...
