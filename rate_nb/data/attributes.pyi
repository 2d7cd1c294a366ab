# Written by `make export` from the module beside it. Edit the notebook.
"""Which property of a response is audited, and how is it put into words, labelled and checked?"""
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from numpy.typing import ArrayLike
from rate_nb.base.options import Function
from typing import Any
from typing import Literal
import numpy as np
import pandas as pd
ADJUST: str
DO_NOT_ANSWER: str
VOWEL: Any
STYLES: tuple[Attribute, ...]
ATTRIBUTES: Any
WORDINGS: dict[str, tuple[Any, ...]]

def split(values: ArrayLike, cut: float | None=None, name: str='value') -> tuple:
    """Binarise numbers"""

def starts_with_vowel(text: str) -> bool | None:
    ...

def tone(text: str) -> float:
    ...

def named_together(names: Any) -> list[str]:
    """Attributes where one is wanted"""

def get_attribute(name: str | dict[str, Any] | Attribute) -> Attribute:
    """An attribute by name, or the one you bring"""

def covered(attribute: str | Attribute, texts: Iterable[str]) -> Attribute:
    """The attribute as far as its rules can read these responses"""

def reworded(attribute: str | Attribute, wording: str) -> Attribute:
    """Ask for the same attribute differently"""

def unlabelled(examples: pd.DataFrame) -> np.ndarray:
    """Which examples still need a label"""

def with_labels(examples: pd.DataFrame, where: np.ndarray, labels: ArrayLike, source: str | Sequence[str] | None) -> pd.DataFrame:
    """Write labels and their source into a copy"""

def labels_to_find(examples: pd.DataFrame, attribute: str | Attribute, overwrite: bool=False) -> np.ndarray:
    """Can the attribute's own rule label what has no label yet? The rule itself does not run"""

def label_examples(examples: pd.DataFrame, attribute: str | Attribute, overwrite: bool=False) -> pd.DataFrame:
    """Label by the attribute's own rule what has no label yet"""

def label_column(examples: pd.DataFrame, column: str, rule: float | Contrast | None=None, overwrite: bool=False) -> pd.DataFrame:
    """Label by a column that others filled"""

def label_function_takes(name: str, taken: list[str]) -> list[str]:
    """What a label function takes: the names of its arguments say what it is given"""

def column_label(column: str, above: float | Literal['median'] | None=None, treated: Any=None, untreated: Any=None) -> _Column:
    """Labels that stand in a column"""

def regex_label(regex: str) -> Predicate:
    """1 where a regular expression is found in the response"""

def characteristic_label(characteristic: str, above: float | Literal['median']='median') -> Threshold:
    """1 where a characteristic lies above a cut"""

def function_label(function: Function) -> _Function:
    """A Python function as a label rule"""

def label_of(of: str) -> Any:
    """The label rule of an attribute that is shipped"""

def label_rule(rule: Any, attribute: Attribute) -> Any:
    """A label rule from plain values"""

def make_attribute(name: str, treated: str, untreated: str, *, instruction: str | None=None, keep: str | None=None, label: Any=None, sides: tuple[str, str] | None=None, meaning: str='') -> Attribute:
    """An attribute of your own"""

def builtin_attribute(name: str, instruction: str | None=None, label: Any=None) -> Attribute:
    """An attribute that is shipped"""

def attribute_config(attribute: str | Attribute) -> str | dict[str, Any]:
    """What a specification says of an attribute"""

def label_sources(examples: pd.DataFrame) -> str:
    """Who labelled how many"""

@dataclass(frozen=True)
class Threshold:
    """1 above the cut, 0 at or below it"""
    characteristic: str = ...
    cut: float | None = ...

    @property
    def name(self) -> str:
        ...

    @property
    def looks_at_all(self) -> bool:
        ...

    def of(self, values: ArrayLike) -> tuple:
        ...

    def __call__(self, responses: Iterable[str], prompts: Any=None) -> np.ndarray:
        ...

    def says(self, responses: Iterable[str]) -> str:
        ...

@dataclass(frozen=True)
class Contrast:
    """1 for some values of a column, 0 for others, and no label for the rest"""
    treated: tuple
    untreated: tuple
    name: str = ...

    def __post_init__(self):
        ...

    def of(self, values: ArrayLike) -> tuple:
        ...

@dataclass(frozen=True)
class Predicate:
    """1 where a question about the text is answered yes, 0 for no, NaN for None"""
    ask: object
    words: str

    def __call__(self, responses: Iterable[str], prompts: Any=None) -> np.ndarray:
        ...

    def says(self, responses: Iterable[str]) -> str:
        ...

@dataclass(frozen=True)
class Attribute:
    """A binary property of a response: its words, its label rule, and how to tell whether a rewrite complied"""
    name: str
    treated: str
    untreated: str
    instruction: str
    label: object = ...
    complies: object = ...
    moved: object = ...
    sides: tuple | None = ...
    meaning: str = ...
    keep: str = ...

    def __post_init__(self):
        ...

    def words(self, target: int) -> str:
        """The words for one side of the attribute"""

@dataclass(frozen=True)
class _Column:
    """The labels of a column of the table; says nothing of other texts"""
    column: str
    rule: object = ...

    def __call__(self, responses, prompts=None):
        ...

    def fill(self, examples: pd.DataFrame, overwrite):
        ...

@dataclass(frozen=True)
class _Function:
    """The labels of a function of one response, or of a prompt and a response"""
    function: object

    @property
    def looks_at_all(self):
        ...

    def __call__(self, responses, prompts):
        ...

    def says(self, responses):
        ...
