# Written by `make export` from the module beside it. Edit the notebook.
"""How do hundreds of runs finish overnight, whatever fails, is killed or was asked for wrongly?"""
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import pandas as pd
STANDS: tuple[str, ...]

def takes_locks(notebook) -> bool:
    """Does this notebook take locks at a shared store?"""

def read_runs(folder) -> tuple:
    """A grid's runs and how they ended, from its folder"""

def run_grid(grid, *, jobs=None, timeout=None, only=None, shard=None, summary=True, quiet=False) -> GridResult:
    """Do what is left of a grid"""

def combine_effects(folder) -> pd.DataFrame:
    """The results of all finished runs in one table"""

def one_line(text) -> str:
    """A text without line breaks and without characters that steer a terminal"""

def stand_table(grid, stands) -> pd.DataFrame:
    """How every run stands"""

def recorded_stand(record) -> dict:
    """How a run stands that is not finished, by its record"""

def counts_line(table) -> str:
    """How many runs stand how"""

def stand_text(table, width=None) -> str:
    """The table for a terminal"""

def stand_html(table) -> str:
    """The table for JupyterLab"""

def run_verdicts(folder) -> pd.DataFrame:
    """What a run's own checks say of its effects"""

def grid_effects(table, *, method='holm', level=0.95, estimator='rate', estimand='ATE', labels=None) -> GridEffects:
    """Which effects of a grid are left when the number of tests is counted"""

def grid_report(effects, runs=None, title='', places=None) -> str:
    """The report of a grid"""

@dataclass(frozen=True, repr=False)
class GridResult:
    """How a grid ended"""
    table: pd.DataFrame
    folder: Path
    summary: str = ...
    notes: tuple = ...
    asked: tuple = ...
    whole: bool = ...

    @property
    def exit_code(self) -> int:
        """0: all are done; 1: some failed or are not done; 2: some were rejected and the others are done"""

    def __repr__(self):
        ...

class LiveTable:
    """The table, where it can be seen"""
    at: Any
    handle: Any
    lines: int
    quiet: Any
    said: dict[Any, Any]

    def __init__(self, quiet=False):
        ...

    def __call__(self, table, last=False):
        ...

@dataclass(frozen=True, repr=False)
class GridEffects:
    """The effects of a grid, with what is left of them after counting the tests"""
    table: pd.DataFrame
    level: float
    method: str
    labels: tuple
    estimator: str = ...
    estimand: str = ...
    beside: pd.DataFrame = ...

    @property
    def found(self) -> pd.DataFrame:
        ...

    @property
    def refused(self) -> pd.Series:
        ...

    def sentence(self) -> str:
        """What a grid found"""

    def graded(self) -> str:
        """How their own audits grade the effects found; empty where no audit was checked"""

    def names(self, row) -> str:
        ...

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...

    def plot(self):
        """Every effect of the grid with both intervals, and what naive says of it (RATE paper, figure 2)"""
