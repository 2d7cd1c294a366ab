# Written by `make export` from the module beside it. Edit the notebook.
"""How do hundreds of runs finish overnight, even if some fail, are killed or have wrong parameters?"""
from altair.typing import ChartType
from collections.abc import Collection
from collections.abc import Sequence
from dataclasses import dataclass
from markupsafe import Markup
from pathlib import Path
from rate_nb.batch.grid_plan import Grid
from typing import Any
import pandas as pd
STANDS: tuple[str, ...]

def takes_locks(notebook: str | Path) -> bool:
    """Does this notebook take locks at a shared store?"""

def read_runs(folder: str | Path) -> tuple:
    """A grid's runs and how they ended, from its folder"""

def plan_sentence(plans: dict) -> str:
    """What the runs cost together"""

def run_grid(grid: Grid | str | Path | dict | list, *, jobs: int | None=None, timeout: float | None=None, only: int | str | Collection | None=None, shard: str | Sequence[int] | None=None, summary: bool=True, quiet: bool=False) -> GridResult:
    """Do what is left of a grid"""

def combine_effects(folder: str | Path) -> pd.DataFrame:
    """The results of all finished runs in one table"""

def one_line(text: Any) -> str:
    """A text without line breaks and without characters that steer a terminal"""

def stand_table(grid: Grid, stands: dict) -> pd.DataFrame:
    """How every run stands"""

def recorded_stand(record: dict) -> dict:
    """How a run stands that is not finished, by its record"""

def counts_line(table: pd.DataFrame) -> str:
    """How many runs stand how"""

def stand_text(table: pd.DataFrame, width: int | None=None) -> str:
    """The table for a terminal"""

def stand_html(table: pd.DataFrame, notes: tuple=()) -> Markup:
    """The table for JupyterLab"""

def run_verdicts(folder: str | Path) -> pd.DataFrame:
    """What a run's own checks say of its effects"""

def grid_effects(table: pd.DataFrame, *, method: str='holm', level: float=0.95, estimator: str='rate', estimand: str='ATE', labels: Sequence[str] | None=None) -> GridEffects:
    """Which effects of a grid are left when the number of tests is counted"""

def grid_report(effects: GridEffects | None, runs: pd.DataFrame | None=None, title: str='', places: dict | None=None) -> str:
    """The report of a grid"""

@dataclass(frozen=True, repr=False)
class GridResult:
    """How a grid ended"""
    table: pd.DataFrame
    folder: Path
    summary: str = ...
    notes: tuple = ...
    asked: tuple | None = ...
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
    quiet: bool
    said: dict[Any, Any]

    def __init__(self, quiet: bool=False):
        ...

    def __call__(self, table: pd.DataFrame, last: bool=False) -> None:
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
    beside: pd.DataFrame | None = ...

    @property
    def found(self) -> pd.DataFrame:
        ...

    @property
    def refused(self) -> pd.Series:
        ...

    def sentence(self) -> str:
        """What a grid found"""

    def graded(self) -> str:
        """The verdicts of their own audits on the effects found; empty where no audit was checked"""

    def names(self, row: pd.Series | dict) -> str:
        ...

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...

    def plot(self) -> ChartType:
        """Every effect of the grid with both intervals, and what naive says of it (RATE paper, figure 2)"""
