# Written by `make export` from the module beside it. Edit the notebook.
"""How do an estimate, a slope, a p-value and a table read, the same way in every diagnostic?"""
from pathlib import Path
from tqdm.std import tqdm
from typing import Any

def presentable(text) -> str:
    """A text that can be sent"""

def escape(text) -> str:
    """Make model text inert wherever it is shown"""

def markdown_table(df, align=None) -> str:
    """A DataFrame as Markdown"""

def in_kernel():
    ...

def with_minus(text):
    ...

def decimals(widths) -> int:
    """Decimals that show two figures of a typical interval's width; past three, one of its standard error"""

def signed(x, digits=2):
    ...

def interval_words(m, lo, hi, digits=None):
    """An estimate and its interval, as they are printed"""

def interval_row(effect) -> dict:
    """An effect as the columns that every table of estimates has"""

def interval_cells(table, columns=...) -> list:
    """Estimates with their intervals, as they are printed"""

def number_cell(v) -> str:
    ...

def p_cell(p) -> str:
    ...

def p_words(p) -> str:
    ...

def titled_table(title, table, notes=(), words=1) -> str:
    """A diagnostic as a page shows it"""

class Progress(tqdm):
    """A tqdm bar whose last state also stays in a saved notebook, and which writes whole lines to a log"""
    every: Any
    kernel: Any
    monitor_interval: int

    def __init__(self, total, label, every=10.0):
        ...

    def __str__(self):
        ...

    def update(self, n=1, note=''):
        """Count `n` more as done and show it, at most ten times a second"""

    def skip(self, n, note=''):
        """Count `n` as done that took no work: the time that is left goes by the others"""

    def display(self, msg=None, pos=None):
        """Show the present state: in place in a kernel or a terminal, as a line now and then in a log"""

    def close(self):
        """Show the last state, and let go"""

class OpenPath(Path):
    """A path that JupyterLab shows as a link to the file"""

    def __repr__(self):
        ...
