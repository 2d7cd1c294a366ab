# Written by `make export` from the module beside it. Edit the notebook.
"""How does a folder know which audit it belongs to?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from rate_nb.audit.inputs import AuditInputs
from rate_nb.base.store import Owner
from rate_nb.base.store import Store
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import pandas as pd
UNLOADED: str

def versions() -> dict[str, str]:
    """The versions an audit ran with"""

def usable_folder(path: str | Path, name: str='run_dir') -> Path:
    """A folder that can be written to, or an error that says why not"""

def named_folder(path: str | Path, name: str='run_dir') -> Path:
    """A folder that has a name"""

def manifest_in(run_dir: str | Path) -> dict[str, Any]:
    """The manifest of a run folder"""

def audited_over(places: Iterable[str | Path]) -> str:
    """What the effects of audits are a mean over"""

def not_passed(run_dir: str | Path, models: Iterable[str]) -> list[str]:
    """Which claims of a finished audit did not pass"""

def accepted_endpoints(asked: AuditInputs) -> list[str]:
    """Whose stored replies may be used besides ours: as said now, and before"""

def run_anew(asked: AuditInputs) -> str:
    """How an audit is run again with other settings, so that no call is paid twice"""

def may_be_taken(run_dir: str | Path, identity: dict[str, Any]) -> bool:
    """Whose folder is it? Nothing is written"""

def claim_folder(run_dir: str | Path, identity: dict[str, Any]) -> Path:
    """Take a run folder, or say whose it is"""

def as_storable(table: pd.DataFrame) -> pd.DataFrame:
    """A table that a Parquet file can hold"""

def write_parquet(table: pd.DataFrame, path: str | Path) -> None:
    ...

class UnloadedReward(RewardModel):
    """A reward model by its name alone: enough to plan with, not to score"""

    def __init__(self, name: str | Path):
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...

class RunFolder:
    """The folder of one audit: taken with the first file, held until `close`"""
    path: Path

    def __init__(self, path: Path, identity: dict[str, Any], store: Path):
        ...

    def __reduce__(self):
        ...

    def take(self) -> Owner:
        ...

    def write(self, name: str, write: Callable[[Path], Any]) -> Path:
        """A file of the folder, unless that was taken from us"""

    def write_text(self, name: str, text: str) -> Path:
        ...

    def write_json(self, name: str, said: Any) -> Path:
        ...

    def write_table(self, name: str, table: pd.DataFrame) -> Path:
        ...

    def write_paid(self, paid: dict[str, Any]) -> Path:
        """What this run did, and all that use the folder at the same time: added up, and of each in `runs`"""

    @contextmanager
    def alone(self, store: Store, *step: str) -> Iterator[None]:
        """For what costs money or time: one process at a time, and only while the folder is ours"""

    def close(self) -> None:
        ...
