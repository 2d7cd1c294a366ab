# Written by `make export` from the module beside it. Edit the notebook.
"""What else differs between the rewrites to 1 and the rewrites to 0, and how much does the reward pay for it?"""
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.verdicts import Finding
from typing import Any
import numpy as np
import pandas as pd
import re
MOST_PAIRS: int
MOST_CHARACTERS: int
RARE: float
FEWEST: int
LONGEST: int
PLAIN: dict[str, int]
SHAPES: dict[str, tuple[Any, ...]]
KEPT: dict[str, Any]
ANY: str
UNUSUAL: str
TOGETHER: str
LEAST_DF: int
LEAST_PROMPTS: int
CLEAR: float
LARGE: float
LARGE_STEP: float
NO_VARIATION: str
CONFOUNDED: str
STRETCHED: str
FAR: int
RATES: tuple[str, ...]
MOST_IN_PAIRS: int
MOST_TAGS: int
ALIKE: float
BLOCK: int
MOST_TOGETHER: int
FOLDS: int
DERIVED: tuple[str, ...]
SIZES: tuple[str, ...]
MOST_MARKED: float
MOST_SHOWN: int
FEW_PAIRS: int
NEAREST: int
BLIND: str
ADVICE: dict[str, str]
ROUNDS: int

def text_pairs(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, cluster: str) -> TextPairs:
    """Rewrites to 1 and to 0 of the same responses"""

def vocabulary(texts: Sequence[str], table: TextTable | None=None) -> tuple:
    """Words, phrases and marks, how texts begin and end, and where all that is"""

def without(texts: Sequence[str], patterns: Iterable[re.Pattern]) -> tuple:
    """Blank marked phrases in texts"""

def mark_of(mark: Any, argument: str) -> Any:
    ...

def mark_said(mark: re.Pattern[str]) -> str:
    """A pattern as a file says it"""

def of_measure(mark: Any, measures: Collection[str]) -> Any:
    """“any: lists” and “how far from usual: words” name lists and words"""

def unmatched(marks: str | re.Pattern[str] | Iterable[str | re.Pattern[str]], texts: Collection[str], measures: Collection[str]) -> list:
    """Marks that name no measure and stand in no text"""

def measured_names(examples: pd.DataFrame, extra: dict[str, Callable[..., float]] | None=None) -> set:
    """What a mark can name besides words, phrases and patterns"""

def without_marks(examples: pd.DataFrame, rewrites: pd.DataFrame, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]], extra: dict[str, Callable[..., float]] | None=None) -> tuple:
    """An audit's texts without what is the attribute, for whatever measures the rest of them"""

def slopes(x: np.ndarray, y: np.ndarray, sums: Any) -> Slopes:
    """Slope of each column of y on its column of x, errors clustered"""

def worth_of(moved: Slopes, priced: Slopes) -> tuple:
    """Difference times price"""

def design_of(pairs: TextPairs, still: np.ndarray, itself: np.ndarray) -> Design:
    """What is common to all features"""

def rates_and_prices(design: Design, X: np.ndarray, x: np.ndarray | None=None) -> tuple:
    """Rates, differences and prices of some features"""

def between_responses(design: Design, X: np.ndarray) -> Slopes:
    """Do responses in which a feature changes more gain more?"""

def in_one_sentence(texts: Sequence[str], marks: Sequence[str], tags: dict[str, re.Pattern[str]]) -> dict:
    """How often do marks and tags share a sentence?"""

def beside_each(design: Design, pairs: dict[str, np.ndarray], own: Iterable[str]=()) -> dict:
    """What two marks do together and neither does alone"""

def ridge(A: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Coefficients at the penalty that generalised cross-validation chooses"""

def score_together(design: Design, X: np.ndarray, prompts: np.ndarray) -> np.ndarray:
    """One feature for all"""

def feature_columns(texts: Sequence[str], n: int, values: dict[str, np.ndarray], planted: dict[str, np.ndarray]=..., own: Iterable[str]=(), artefacts: Iterable[str]=(), table: TextTable | None=None) -> tuple:
    """All that differs between the two texts of a pair"""

def usual_step(X: np.ndarray, kinds: np.ndarray, n: int) -> np.ndarray:
    """What is taken to earn one standard deviation of the rewards where no price is known"""

def compared(pairs: TextPairs, names: np.ndarray, kinds: np.ndarray, columns: Any, design: Design, sd: float, margin: float) -> pd.DataFrame:
    """Rates, prices and worths of all features, and of all together"""

def differences(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, *, attribute: str | Attribute | None=None, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), artefacts: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), extra: dict[str, Callable[..., float]] | None=None, measured: pd.DataFrame | None=None, model: str | None=None, margin: float | None=None, cluster: str | None='prompt_id', level: float=0.95, fdr: float=0.05, texts_read: TextTable | None=None, tags: dict[str, re.Pattern[str]] | None=None) -> Differences:
    """What differs between rewrites to 1 and to 0, feature by feature, and what the reward pays for it"""

def worth_parts(t: pd.DataFrame, margin: float, n: int, level: float) -> list:
    """The worths that decide whether all of them lie inside the margin"""

def less(a: Slopes, b: Slopes) -> Slopes:
    """One slope less another"""

def interactions(design: Design, X: np.ndarray) -> Slopes:
    """How far the effect depends on a feature"""

def phrase_interactions(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, *, attribute: str | Attribute | None=None, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), extra: dict[str, Callable[..., float]] | None=None, measured: pd.DataFrame | None=None, model: str | None=None, margin: float | None=None, cluster: str='prompt_id', level: float=0.95, texts_read: TextTable | None=None) -> list:
    """What may rewriting a word or phrase away have done to RATE, where the effect depends on it?"""

@dataclass(frozen=True, eq=False)
class TextPairs:
    """The two rewrites of each response, and one model's rewards of them"""
    rows: pd.DataFrame
    texts: list
    rewards: np.ndarray
    example: np.ndarray
    cluster: np.ndarray

class TextTable:
    """Texts in tokens and numbers, each read once, whichever checks look at them"""

    def __init__(self):
        ...

    def tokens(self, texts: Sequence[str]) -> tuple:
        """Which token stands where"""

    def shapes(self, texts: Sequence[str]) -> np.ndarray:
        """Case and layout"""

class Words:
    """A set of words as a mark, however large"""
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

    def sub(self, by: Callable[[re.Match[str]], str], text: str) -> str:
        ...

@dataclass(frozen=True, eq=False)
class Slopes:
    """Slopes through the origin, a feature each"""
    estimate: np.ndarray
    influence: np.ndarray
    std_error: np.ndarray
    df: np.ndarray

@dataclass(frozen=True, eq=False)
class Design:
    """Which texts are draws of one response and target, and what is held fixed"""
    mean: Any
    examples: Any
    texts: Any
    cells: Any
    of_judge: bool
    still: np.ndarray
    itself: np.ndarray
    held: np.ndarray
    rewards: np.ndarray
    gain: np.ndarray

    def deviations(self, v: np.ndarray) -> np.ndarray:
        ...

    def free(self, X: np.ndarray, x: np.ndarray | None=None, held: np.ndarray | None=None) -> np.ndarray:
        ...

@dataclass(frozen=True, repr=False, eq=False)
class Differences:
    """What differs between rewrites to 1 and rewrites to 0, and what it is worth"""
    table: pd.DataFrame
    margin: float
    model: str
    n: int
    draws: int
    level: float
    fdr: float
    notes: tuple = ...
    sd: float = ...
    of_judge: bool = ...
    marks: tuple = ...
    again: Callable[..., Any] | None = ...

    def inconclusive(self) -> pd.DataFrame:
        """The differences that a person has to mark, or that need more data"""

    def finding(self) -> Finding:
        """Is a difference worth more than the margin, or may it be?"""

    def summary(self, max_rows: int=...) -> pd.DataFrame:
        """What is shown or inconclusive, what may be worth most first; what stands together in one row"""

    def __repr__(self) -> str:
        ...
