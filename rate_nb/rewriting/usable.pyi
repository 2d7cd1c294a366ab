# Written by `make export` from the module beside it. Edit the notebook.
"""A rewriter that returns every text unchanged, or " and " for every text, also gives an effect. How is this detected before the rest is paid for?"""
from dataclasses import dataclass
from rate_nb.base.core import RateError
from rate_nb.data.attributes import Attribute
from rate_nb.rewriting.instructions import Instruction
import pandas as pd
REASONS: dict[str, str]
LEAST_KEPT: float
LEAST_WORDS: int
FIRST: int

def why_unusable(before: str, after: str, target: int, attribute: Attribute, template: str='') -> str:
    """What is wrong with one rewrite"""

def usability(examples: pd.DataFrame, rewrites: pd.DataFrame, attribute: str | Attribute, instruction: Instruction | None=None) -> Usability:
    """Read the first rewrites of each response"""

def check_any(rewrites: pd.DataFrame) -> None:
    """Stop where there is no rewrite"""

def check_usable(found: Usability) -> None:
    """Stop where nothing would be measured"""

@dataclass(frozen=True)
class Usability:
    """How many rewrites can be used, and why the others cannot"""
    n: int
    usable: int
    reasons: dict
    shown: tuple = ...
    opening: str = ...
    cut: int = ...

    @property
    def nothing(self) -> bool:
        ...

    @property
    def lost(self) -> int:
        ...

    def __str__(self) -> str:
        ...

class UnusableRewritesError(RateError):
    """The first rewrites cannot be used"""
