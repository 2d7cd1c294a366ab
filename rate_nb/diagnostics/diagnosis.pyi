# Written by `make export` from the module beside it. Edit the notebook.
"""What can be claimed from this audit, and what would settle the rest?"""
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.open_vocabulary import TextTable
from rate_nb.diagnostics.review import Review
from rate_nb.diagnostics.verdicts import Finding
from typing import Any
import pandas as pd
import re
MOST_MEASURED: int
UNSEEN: str
SIZES: str
CHECKS: dict[str, str]
UNTESTED: dict[Any, tuple[str, ...]]

def evenly(examples: pd.DataFrame, rewrites: pd.DataFrame) -> tuple:
    ...

def check_position_margin(value: float) -> None:
    ...

def diagnose(examples: pd.DataFrame | None, rewrites: pd.DataFrame | None, scored: pd.DataFrame, attribute: str | Attribute, *, margin: float=0.1, delta: float=1.0, position_margin: float=0.25, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), artefacts: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), extra: dict[str, Callable[..., float]] | None=None, reward_range: tuple[float, float] | dict[str, tuple[float, float]] | None=None, review: Review | dict[str, Review] | None=None, kept: dict[str, Any] | None=None, trials: dict[str, dict] | None=None, cluster: str | None='prompt_id', level: float=0.95, estimand_over: str=...) -> Diagnosis:
    """Run every check that the data allow, and give a verdict on both claims"""

def untested() -> str:
    ...

@dataclass(frozen=True)
class _Case:
    """What every check is about"""
    examples: pd.DataFrame
    rewrites: pd.DataFrame
    scored: pd.DataFrame
    attribute: object
    estimand: str
    margin: float
    position_margin: float
    common: dict
    marks: dict
    kept: dict
    reviews: dict
    texts_read: TextTable = ...

    def of(self, model: str) -> pd.DataFrame:
        ...

    def of_judge(self, model: str) -> bool:
        ...

    def points(self, model: str) -> float:
        ...

    def patterns(self, model: str) -> dict:
        ...

    def once(self, name, make):
        ...

    def marked_measures(self) -> list:
        ...

    def measured(self) -> pd.DataFrame:
        ...

@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis:
    """What every check says about one audit, and the verdict of each claim"""
    table: pd.DataFrame
    parts: pd.DataFrame
    findings: dict
    results: dict
    level: float
    margin: float
    n: int
    per_example: dict = ...
    clusters: int = ...
    doubts: dict = ...
    points: dict = ...
    prices: dict = ...
    noise: dict = ...
    again: str = ...
    estimand_over: str = ...

    def verdict(self, model: str | None=None, claim: str=...) -> str:
        """May this claim be made of the effect?"""

    def __bool__(self):
        ...

    def __getitem__(self, check: str) -> Finding:
        """What one check found"""

    def n_needed(self, model: str | None=None, claim: str=..., power: float=0.9, assurance: float | None=None) -> float:
        """How many examples would let a healthy audit pass every check?"""

    def needs(self, model: str | None=None, claim: str=..., power: float=0.9) -> pd.DataFrame:
        """What would decide what is inconclusive"""

    def closing(self, model: str | None=None, claim: str=...) -> list[str]:
        """What would close the open checks of a claim, in words"""

    def closing_all(self, claim: str=...) -> list[str]:
        """What of it is the same for every reward whose claim is open"""

    def closing_sentence(self, claim: str=...) -> str:
        """What would decide every reward whose claim is open"""

    def headline(self, model: str | None=None, claim: str=..., besides: Collection[str]=()) -> str:
        """The verdict in a sentence or two, and what would decide it"""

    def claims(self) -> pd.DataFrame:
        """The verdict on each claim, for machines"""

    def strengths(self) -> list[str]:
        """How strong an unseen habit would have to be, in words"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...
