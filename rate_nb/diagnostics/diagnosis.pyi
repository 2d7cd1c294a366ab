# Written by `make export` from the module beside it. Edit the notebook.
"""What may be claimed of this audit, and what would decide the rest?"""
from dataclasses import dataclass
from typing import Any
import pandas as pd
MOST_MEASURED: int
UNTESTED: dict[Any, str]

def evenly(examples, rewrites):
    ...

def check_position_margin(value):
    ...

def diagnose(examples, rewrites, scored, attribute, *, margin=0.1, delta=1.0, position_margin=0.25, itself=(), artefacts=(), extra=None, limits=None, rng=0, kept=None, cluster='prompt_id', level=0.95) -> Diagnosis:
    """Run every check that the data allow, and grade both claims"""

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

    def of(self, model):
        ...

    def of_judge(self, model):
        ...

    def points(self, model):
        ...

    def once(self, name, make):
        ...

    def measured(self):
        ...

@dataclass(frozen=True, eq=False, repr=False)
class Diagnosis:
    """What every check says about one audit, and the grade of each claim"""
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

    def grade(self, model=None, claim=...) -> str:
        """May this claim be made of the effect?"""

    def n_needed(self, model=None, claim=..., power=0.9) -> float:
        """How many examples would let a healthy audit pass every check?"""

    def needs(self, model=None, claim=..., power=0.9) -> pd.DataFrame:
        """What would decide what is undecided"""

    def headline(self, model=None, claim=...) -> str:
        """The grade in a sentence or three"""

    def grades(self) -> pd.DataFrame:
        """Every grade, for machines"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...
