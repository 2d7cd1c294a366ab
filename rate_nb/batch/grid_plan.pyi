# Written by `make export` from the module beside it. Edit the notebook.
"""Which of hundreds of runs can start, and which would fail during the night because of a misspelt word?"""
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import queue

def parameter_sets(said: dict, over: Callable[[dict, dict], dict]=...) -> list:
    """All parameter sets of a grid, in order"""

def number_of(name: str, value: Any, kind: type, least: float) -> float:
    """The value of `jobs` or `timeout`, or an error"""

def read_grid(said: str | Path | dict | list, *, notebook: str | Path | None=None, folder: str | Path | None=None, **settings: Any) -> Grid:
    """Read a grid and check every set of it, before anything runs"""

def code_key(notebook: str | Path) -> str:
    """A key that is equal exactly when the code is"""

def run_record(folder: str | Path) -> dict:
    """What a run's folder says about how it stands"""

def keep_record(folder: str | Path, record: dict) -> dict:
    """Write down how a run stands"""

def rewrites_of(run: GridRun) -> str:
    ...

def divided(grid: Grid, share: str | Sequence[int]) -> Grid:
    """The grid, with one share of its runs to do"""

def chosen_runs(grid: Grid, only: int | str | Collection | None) -> list:
    """The runs that are meant"""

def execute_run(task: dict) -> dict:
    """Execute one run and record how it ended"""

def work() -> None:
    """What a worker process does"""

def end_workers(workers: Sequence[Worker], patience: float=15.0) -> None:
    """Interrupt those at work, let the idle go, wait, then kill"""

def run_tasks(tasks: Iterable[dict], log: Any, *, jobs: int=1, timeout: float=0.0, stands: dict | None=None, show: Callable[[dict], Any] | None=None) -> dict:
    """Execute runs in worker processes"""

@dataclass(frozen=True)
class GridRun:
    """One parameter set of a grid"""
    number: int
    values: dict
    id: str = ...
    faults: tuple = ...

@dataclass(frozen=True)
class Grid:
    """A run notebook and many sets of parameters, checked"""
    notebook: Path
    folder: Path
    runs: tuple
    varying: tuple = ...
    jobs: int = ...
    timeout: float = ...
    share: bool = ...
    title: str = ...
    of: tuple = ...

    @property
    def good(self) -> list[GridRun]:
        ...

    @property
    def rejected(self) -> list[GridRun]:
        ...

    def one_store(self) -> bool:
        """Is there one store for all runs?"""

    def store_path(self) -> Path:
        """Where this share keeps what it pays for"""

    def gather_stores(self) -> int:
        """Take in what other shares of this grid have paid for"""

    def task(self, run: GridRun) -> dict:
        ...

    def save(self) -> Path:
        """Write down what the grid consists of, for the summary"""

    def plan(self, runs: list[GridRun]) -> dict:
        """What runs would ask and cost, in this order"""

    def run_folder(self, run: GridRun) -> Path:
        ...

    def finished(self, run: GridRun) -> bool:
        """Has this run been done already, by this notebook?"""

    def mine(self) -> list:
        """The runs of this share, each in one share only"""

class Worker:
    """A worker process as its parent sees it"""
    process: Any
    since: Any
    task: Any

    def __init__(self, log: Any, threads: int, said: queue.SimpleQueue):
        ...

    def give(self, task: dict) -> None:
        ...
