# Written by `make export` from the module beside it. Edit the notebook.
"""What does every table look like, and what does an error say when one does not?"""
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import numpy as np
import pandas as pd
STATUSES: tuple[str, ...]
USABLE: tuple[str, ...]
SCHEMAS: Any

def visible(text) -> str:
    """A text whose control characters show"""

def listing(values, most=3) -> str:
    """Name the first few of many values"""

def counted(n, noun) -> str:
    """A number with its noun"""

def check_table(df, name, source=None, sides=...) -> pd.DataFrame:
    """Raise one `SchemaError` that lists everything wrong with a table"""

def content_key(**parts) -> str:
    """A key that is equal exactly when all parts are equal"""

def parsed_json(text, **hooks):
    """JSON from outside; what is too deep or too large is a `ValueError` in words"""

def write_atomic(path, write, within=None) -> Path:
    """Write a file so that it is whole or absent"""

def shell_path(path) -> str:
    """A path as somebody types it"""

def cache_dir() -> Path:
    """Where what can be made again is kept between sessions"""

def as_floats(values, name) -> np.ndarray:
    """Numbers as floats, or an error that shows which values are not numbers"""

def as_numbers(values, name, n=None) -> np.ndarray:
    """A one-dimensional array of finite numbers or NaN"""

def checked_number(value, name, means, least=...):
    """A finite number, or an error that says what it is for"""

def remembers(make):
    """Let what is made know how it was asked for"""

class RateError(Exception):
    """Anything a user can put right; the message names the argument, the values, the rule and the way out"""

    def __str__(self):
        ...

class InputError(RateError, ValueError):
    """An argument is outside what the function is defined for"""

class SchemaError(RateError, ValueError):
    """A table lacks columns, or some of its rows break a rule"""

class EndpointError(RateError, ConnectionError):
    """An LLM endpoint is down, refuses the key, or answers with something else"""

class ModelError(RateError, ValueError):
    """A model directory or hub name cannot be used for what was asked"""

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
