# Written by `make export` from the module beside it. Edit the notebook.
"""How are estimates, p-values and tables shown in the same way in every diagnostic?"""
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import contextmanager
from markupsafe import Markup
from numpy.typing import ArrayLike
from pathlib import Path
from rate_nb.stats.inference import Effect
from tqdm.std import tqdm
from typing import Any
import pandas as pd
import threading

def escape(text: Any) -> str:
    """Make model text inert wherever it is shown"""

def shown_cell(v: Any) -> str:
    ...

def markdown_table(df: pd.DataFrame, align: dict[str, str] | None=None) -> str:
    """A DataFrame as Markdown"""

def presentable(text: str) -> str:
    """A text that can be sent"""

def in_kernel() -> bool:
    ...

def repeatedly(do: Callable[[], Any], every: float) -> threading.Event:
    ...

@contextmanager
def waiting(what: str, every: float=10.0) -> Iterator[None]:
    """Say now and then that work without steps to count still runs"""

def light_jsonschema() -> None:
    """Import jsonschema without its optional grammar of web addresses"""

def interval_row(effect: Effect) -> dict:
    """An effect as the columns that every table of estimates has"""

def with_minus(text: str) -> str:
    ...

def decimals(widths: ArrayLike) -> int:
    """Decimals for two figures of the median width, at most three; more if its standard error needs them"""

def signed(x: float, digits: int=2) -> str:
    ...

def tiny(*values: float) -> bool:
    """Are numbers so small that they need an exponent?"""

def share_words(share: float) -> str:
    """A share in whole percent"""

def interval_words(m: float, lo: float, hi: float, digits: int | None=None) -> str:
    """An estimate and its interval, as they are printed"""

def interval_cells(table: pd.DataFrame, columns: tuple[str, str, str]=...) -> list:
    """Estimates with their intervals, as they are printed"""

def number_cell(v: float) -> str:
    ...

def p_cell(p: float) -> str:
    ...

def p_words(p: float) -> str:
    ...

def titled_table(title: str, table: pd.DataFrame, notes: Sequence[str]=(), words: int=1) -> str:
    """A diagnostic as a page shows it"""

def html_table(df: pd.DataFrame, caption: str='') -> Markup:
    """A DataFrame as a table of a page"""

def with_code(text: str) -> Markup:
    """A sentence in which names between backticks, and flags, are code"""

def render(template: str, **values: Any) -> Markup:
    """A template, filled in"""

class Progress(tqdm):
    """A tqdm bar that stays in a saved notebook, writes whole lines to a log, and tells when nothing happens"""
    every: float
    kernel: Any
    monitor_interval: int

    def __init__(self, total: int, label: str, every: float=10.0):
        ...

    def __str__(self) -> str:
        ...

    def update(self, n: int=1, note: str='') -> None:
        """Count `n` more as done and show it, at most ten times a second"""

    def skip(self, n: int, note: str='') -> None:
        """Count `n` as done that took no work: the time that is left goes by the others"""

    def display(self, msg: str | None=None, pos: int | None=None) -> bool | None:
        """Show the present state: in place in a kernel or a terminal; in a kernel or a log, a line now and then"""

    def close(self) -> None:
        """Show the last state, and let go"""

class OpenPath(Path):
    """A path that JupyterLab shows as a link to the file"""

    def __repr__(self) -> str:
        ...
