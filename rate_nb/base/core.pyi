# Written by `make export` from the module beside it. Edit the notebook.
"""What does every table look like, and what does an error say when a table is wrong?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numpy.typing import ArrayLike
from pathlib import Path
from typing import Any
import numpy as np
import pandas as pd
STATUSES: tuple[str, ...]
USABLE: tuple[str, ...]
SCHEMAS: Any
ADDRESS: str

def visible(text: str) -> str:
    """A text whose control characters show"""

@contextmanager
def requires(what: str, packages: str, instead: str='') -> Iterator[None]:
    """Say how to get a package, where importing it fails"""

def listing(values: Iterable[Any], n: int=3) -> str:
    """Name the first few of many values"""

def counted(n: int, noun: str) -> str:
    """A number with its noun"""

def nearest(word: Any, known: Iterable[Any], n: int=3) -> list[str]:
    """Which words may be meant"""

def did_you_mean(word: Any, known: Iterable[Any]) -> str:
    """The question at the end of an error"""

def expanded(path: str | Path) -> Path:
    """The path with its ~ and variables such as $HOME replaced by what they stand for"""

def did_you_mean_file(path: str | Path) -> str:
    """The question where a file or folder is missing"""

def outside() -> int:
    """The `stacklevel` of the user's line that led to a warning: the first one outside of this package"""

def spelt(make: Callable, *others: Callable, instead: str='') -> Callable:
    """Let a misspelt argument be answered by the one that may be meant"""

def pointing(cls: type, said: dict[str, str], parts: dict[str, type]) -> None:
    """Let objects say where the names stand that they lack"""

def split_names(text: str, known: Iterable[str]) -> list[str]:
    """Names between commas, of which some hold commas themselves"""

def in_dollars(amount: float) -> str:
    """An amount of money; a small one is not 0"""

def number_hint(cells: pd.Series) -> str:
    """Decimal commas and percent signs"""

def check_table(df: pd.DataFrame, name: str | Schema, source: str | None=None, sides: tuple[str, str]=...) -> pd.DataFrame:
    """Raise one `SchemaError` that lists everything wrong with a table"""

def content_key(**parts: Any) -> str:
    """A key that is equal exactly when all parts are equal"""

def parsed_json(text: str | bytes, **hooks: Any) -> Any:
    """JSON from outside; what is too deep or too large is a `ValueError` in words"""

def write_atomic(path: str | Path, write: Callable[[Path], Any]) -> Path:
    """Write a file so that it is whole or absent"""

def shell_path(path: str | Path) -> str:
    """A path as a user types it"""

def cache_dir() -> Path:
    """Where what can be made again is kept between sessions"""

def as_floats(values: Any, name: str) -> np.ndarray:
    """Numbers as floats, or an error that shows which values are not numbers"""

def as_numbers(values: ArrayLike, name: str, n: int | None=None) -> np.ndarray:
    """A one-dimensional array of finite numbers or NaN"""

def checked_number(value: float, name: str, means: str, least: float=...) -> float:
    """A finite number, or an error that says what it is for"""

def check_choice(name: str, value: Any, known: Iterable[Any]) -> None:
    """A parameter has one of a few values"""

def check_whole(name: str, value: Any, least: int=0) -> None:
    """A parameter counts something"""

def model_meant(model: Any, names: Iterable[Any]) -> Any:
    """The model that is meant"""

class RateError(Exception):
    """Anything a user can put right; the message names the argument, the values, the rule and the way out"""

    def __str__(self) -> str:
        ...

class InputError(RateError, ValueError):
    """An argument is outside what the function is defined for"""

class SchemaError(RateError, ValueError):
    """A table lacks columns, or some of its rows break a rule"""

class EndpointError(RateError, ConnectionError):
    """An LLM endpoint is down, refuses the key, or answers with something else"""

class ModelError(RateError, ValueError):
    """A model directory or hub name cannot be used for this purpose"""

class RunFolderError(RateError, FileExistsError):
    """A run folder belongs to another run"""

class BudgetError(RateError):
    """A run would cost more than it may"""

@dataclass(frozen=True)
class Column:
    """One column of a table and the rule its values obey"""
    name: str
    kind: str
    nullable: bool = ...
    required: bool = ...

@dataclass(frozen=True)
class Schema:
    """A table: its columns and the columns that identify a row"""
    name: str
    columns: tuple
    key: tuple
    way_out: str = ...

class Pointing(type):
    """A class that says where the names stand that it lacks itself"""

    def __getattr__(cls, name):
        ...
