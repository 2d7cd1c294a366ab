# Written by `make export` from the module beside it. Edit the notebook.
"""What would a reader notice between two rewrites that no list of features counts?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.verdicts import Finding
from typing import Any
import numpy as np
import pandas as pd
CLOSINGS: dict[str, tuple[str, ...]]
CHANGES: dict[str, Any]
NOTHING: str
SIDES: tuple[str, ...]
READ_COLUMNS: list[str]
AT_ONCE: int
IN_CODEBOOK: int
LONGEST_TAG: int
TO_FILL_IN: list[str]
VAGUE: Any
STATEMENTS: int
MOST_CODED: int
LEAST_DF: int
MOST_JOINT: int
MOST_OF_THREE: int
ORDERED: float
RIGHT: float
OVER_DRAWS: str
BETWEEN: str
DISCORDANT: str
JOINT: str
LEVELS: str
ALL_TAGS: str
NOT_CODED: str
NO_PRICE: str
ONE_DRAW: str
NO_DATA: str
NO_CODE: str
WHOLE: float
NAMED: int
RARELY: int
OFTEN: float
ENOUGH: int
SCATTERED: str
NOT_CONFIRMED: str
CHECK: str

def add_closing(text: str, rng: np.random.Generator) -> str:
    """One more sentence at the end, as assistants write it"""

def move_sentence(text: str, rng: np.random.Generator) -> str | None:
    """One sentence stands in another place"""

def change_number(text: str, rng: np.random.Generator) -> str | None:
    """One number has another last digit"""

def lose_line_break(text: str, rng: np.random.Generator) -> str | None:
    """Two lines, or two paragraphs, become one"""

def drop_sentence(text: str, rng: np.random.Generator) -> str | None:
    """One sentence, and what it said, is missing"""

def double_sentence(text: str, rng: np.random.Generator) -> str | None:
    """One sentence stands there twice"""

def review_pairs(examples: pd.DataFrame, rewrites: pd.DataFrame, attribute: str | Attribute, k: int=40, rng: np.random.Generator | int=0, *, same_target: int=10, planted: int=96, changes: dict[str, Callable] | None=None) -> ReviewPairs:
    """Draw the pairs that a reviewer reads"""

def plain_tag(tag: str) -> str:
    """A tag as the codebook has it"""

def parse_reading(text: str) -> dict | None:
    """Read one answer; a difference that names no version is left out, and an answer of such alone is none"""

def reading_messages(pair: pd.Series, attribute: str | Attribute, codebook: Sequence[str]=()) -> list:
    """The conversation that asks for one reading"""

def read_pairs(pairs: ReviewPairs, attribute: str | Attribute, reviewer: Any, *, store: Store | str | Path | None=None, codebook: Sequence[str]=()) -> pd.DataFrame:
    """Let a language model read pairs"""

def visible_space(text: str) -> str:
    """A text with the white space that a reader would overlook"""

def reading_ballot(pairs: ReviewPairs) -> pd.DataFrame:
    """A table for a person to fill in"""

def read_ballot(filled: str | Path | pd.DataFrame, pairs: ReviewPairs) -> pd.DataFrame:
    """Readings of a person, checked row by row"""

def reading_sensitivity(pairs: ReviewPairs, reads: pd.DataFrame, level: float=0.95, banked: pd.DataFrame | None=None) -> pd.DataFrame:
    """How often planted changes were noticed"""

def tags_of(pairs: ReviewPairs, reads: pd.DataFrame) -> pd.DataFrame:
    """The codebook that the reading ended with"""

def coding_messages(prompt: str, original: str, text: str, tags: Sequence[str]) -> list:
    """The conversation that codes one version"""

def parse_codes(text: str, n: int) -> tuple | None:
    """Read the coder's answer, strictly: yes is 1, no is 0"""

def code_rewrites(pairs: ReviewPairs, reads: pd.DataFrame, examples: pd.DataFrame, rewrites: pd.DataFrame, attribute: str | Attribute, coder: Any=None, *, rules: dict[str, Any] | None=None, store: Store | str | Path | None=None) -> Codes:
    """Code all rewrites for all tags, blind to target and rewards"""

def same_family(name: str, other: str) -> bool:
    """Are two models related, by their names?"""

def price_tags(pairs: ReviewPairs, reads: pd.DataFrame, codes: Codes, scored: pd.DataFrame, *, model: str | None=None, level: float=0.95, banked: pd.DataFrame | None=None, by_person: bool=False, others: dict[str, str] | None=None) -> Review:
    """What the tags are worth to one reward"""

def review_rewrites(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, attribute: str | Attribute, reviewer: Any, *, k: int=40, rng: np.random.Generator | int=0, coder: Any=None, rules: dict[str, Any] | None=None, same_target: int=10, planted: int=96, changes: dict[str, Callable] | None=None, model: str | None=None, level: float=0.95, banked: pd.DataFrame | None=None, others: dict[str, str] | None=None, store: Store | str | Path | None=None) -> Review:
    """Read some pairs, code all rewrites, and say what is worth what"""

@dataclass(frozen=True, eq=False)
class ReviewPairs:
    """Pairs of versions to read, and what they are"""
    shown: pd.DataFrame
    key: pd.DataFrame
    notes: tuple = ...

    def __len__(self) -> int:
        ...

    @property
    def k(self) -> int:
        ...

    @property
    def table(self) -> pd.DataFrame:
        ...

@dataclass(frozen=True, eq=False)
class Codes:
    """Which rewrites have which tag; made without rewards"""
    tags: pd.DataFrame
    rows: pd.DataFrame
    one: np.ndarray
    zero: np.ndarray
    coder: str = ...
    patterns: dict = ...

class _Rewards:
    """One model's rewards of coded rows: what prices are read from"""
    G: Any
    example: Any
    levels: Any
    n: Any
    of_example: Any
    prompt: Any
    rows: Any
    to_0: Any
    to_1: Any
    w: Any

    def __init__(self, rows, levels):
        ...

    def only(self, keep):
        ...

    def size(self, arm):
        ...

    def mean(self, values):
        ...

    def rate(self, d, arm=None):
        ...

    def over_draws(self, one, zero):
        ...

    def between(self, *columns):
        ...

@dataclass(frozen=True, repr=False, eq=False)
class Review:
    """What a reader saw in some pairs, and what it is worth in all"""
    k: int
    reads: pd.DataFrame
    tags: pd.DataFrame
    worths: pd.DataFrame
    sensitivity: pd.DataFrame
    false_alarms: tuple
    reviewer: str
    coder: str
    confirmed: bool
    agreement: tuple
    model: str
    sd: float
    level: float
    notes: tuple
    pairs: ReviewPairs
    codes: Codes
    scored: pd.DataFrame

    @property
    def weakest(self) -> str:
        """The class of planted changes that was noticed least surely"""

    @property
    def sensitivity_low(self) -> float:
        """Lower limit of the chance that a change of the weakest class is noticed"""

    @property
    def arm(self) -> str:
        ...

    def confirm(self, answers: dict[str, str]) -> Review:
        """A person says which tags belong to the attribute"""

    def parts(self, margin: float) -> list:
        """Numbers for the verdict"""

    def finding(self, margin: float) -> Finding:
        """Does anything that a reader noticed bias the result?"""

    def summary(self) -> pd.DataFrame:
        """The tags as people read them"""

    def sentences(self) -> list[str]:
        """The quality of the reading in words"""

    def __repr__(self) -> str:
        ...
