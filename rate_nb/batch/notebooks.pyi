# Written by `make export` from the module beside it. Edit the notebook.
"""How does a notebook run unattended, and fail with a clear error when its parameters are wrong?"""
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from rate_nb.audit.specification import Specification
from rate_nb.base.core import RateError
from rate_nb.base.store import Store
from typing import Any
import pandas as pd
RENAMED: dict[str, str]
RULES: dict[Any, Any]

def runs_dir() -> Path:
    """The folder of the run notebooks"""

def run_notebooks() -> dict:
    """The run notebooks that are shipped; the page that draws them is none"""

def notebook_cells(notebook: str | Path) -> list:
    """The cells of a notebook file, or one sentence that says why it is not a notebook"""

def notebook_parameters(notebook: str | Path) -> dict:
    """Read the parameters cell of a run notebook"""

def notebook_question(notebook: str | Path) -> str:
    """The question that a run notebook answers"""

def run_files(notebook: str | Path) -> dict:
    """The files that a run notebook takes and gives, by the bullets of its first cell"""

def run_graph(notebooks: dict | None=None) -> list:
    """All arrows between runs, by which end soever they are said"""

def check_parameters(notebook: str | Path, values: dict) -> dict:
    """Check names and types against the parameters cell; one error for all that is wrong"""

def rule_of(parameter: Parameter) -> str:
    """The rule for the values of a parameter"""

def broken_rule(rule: str, value: Any) -> str:
    """Say what is wrong with a value"""

def specified(field: str, value: Any) -> tuple:
    """One field of a specification by itself"""

def locate_rewards(value: Any) -> None:
    """Look at the model directories and files of scores that rewards name, before anything is loaded"""

def rewards_of(value: Any, examples: pd.DataFrame | None=None, store: Store | None=None) -> list:
    """The rewards that a run names, loaded"""

def parameter_faults(notebook: str | Path, values: dict, typed: bool=False) -> tuple:
    """Everything that is wrong with a set of parameters, before a kernel is started"""

def check_injected(namespace: dict, notebook: str | Path) -> Specification | str:
    """Raise for parameters that papermill injected and this notebook does not know, or that break a rule"""

def command_of(notebook: str | Path, namespace: dict) -> str:
    """The command that repeats a run"""

def write_run_notebook(path: str | Path, parameters: str, code: str, question: str='How much is it?') -> Path:
    """Write a run notebook"""

def check_inputs(notebook: str | Path, values: dict) -> None:
    """Run the cells of a notebook that only read what it is given, without a kernel"""

@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGINT and SIGTERM raise `Stopped`, once; after that they end the process"""

def run_notebook(notebook: str | Path, output: str | Path, parameters: dict | None=None, stream: Any=None) -> Path:
    """Execute a run notebook through papermill"""

@dataclass(frozen=True)
class Parameter:
    """One line of a parameters cell"""
    name: str
    type: type
    default: object
    help: str

    @property
    def required(self) -> bool:
        ...

class Stopped(KeyboardInterrupt):
    """A run got a signal to stop; the same command goes on from here"""
    code: Any

    def __init__(self, signum: int):
        ...

class RunError(RateError):
    """A run notebook stopped; the message is its error"""
    bad_input: bool
    notebook: Any

class _Losses:
    stream: Any

    def __init__(self, stream):
        ...

    def flush(self):
        ...

    def write(self, text):
        ...
