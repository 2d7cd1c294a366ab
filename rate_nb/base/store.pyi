# Written by `make export` from the module beside it. Edit the notebook.
"""How can a run be killed at any moment and still pay for nothing twice?"""
from collections.abc import AsyncIterator
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import asynccontextmanager
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.core import InputError
from rate_nb.base.core import RateError
from typing import Any
import pandas as pd
import sqlite3

def kind_digest(table, kind):
    ...

def row_digest(begun, key, value, provenance=None) -> bytes:
    """What a row says, in eight bytes"""

def as_store(store: Store | str | Path | None) -> Store | None:
    """A store from whatever names one"""

@contextmanager
def storing(store: Any, *step: Any) -> Iterator[None]:
    """A step that stores: when it ends, in whatever way, the one file holds all that was stored"""

def repair_store(path: str | Path) -> str:
    """Read every value of a store, remove damaged ones, and write a malformed file anew"""

def take_lock(shared: Store | str | Path, *what: Any) -> Held | None:
    """Take a lock, if it is free"""

@contextmanager
def lock(shared: Store | str | Path, *what: Any, patience: float | None=None) -> Iterator[None]:
    """Lock a step that several processes may want"""

def network_file_system(folder: str | Path, mounts: str | None=None) -> str:
    """The network file system that a folder lies on"""

def own_folder(folder: str | Path, of: Any, claim: Callable) -> Owner:
    """Hold a folder against every process that would use it for something else"""

class StoreError(InputError):
    """Values of a store are damaged or gone; the message names the file and the keys"""

class StoreGoneError(RateError):
    """A store's file was removed or replaced while it was in use; the message says where its values are kept"""

class StoreWarning(UserWarning):
    """Values were damaged or lost; a run requests again those that it needs"""

class _Damage(sqlite3.DatabaseError):
    """Damage that SQLite does not see"""

class _File:
    """A file or folder as this process holds it"""
    beside: dict[Any, Any]
    checked: bool
    db: Any
    fd: Any
    identity: Any
    kept: dict[Any, Any]
    locks: Any
    path: Any
    turn: Any
    use: Any
    users: int

    def __init__(self, path):
        ...

    def gone(self) -> bool:
        ...

    def connection(self):
        ...

    def close(self) -> None:
        ...

    def forget(self) -> None:
        ...

class Store:
    """A content-addressed store in one SQLite file, safe for several threads and processes"""
    path: Any

    def __init__(self, path: str | Path):
        ...

    def __getstate__(self):
        ...

    def __setstate__(self, state):
        ...

    def __enter__(self) -> Store:
        ...

    def __exit__(self, *error: Any) -> None:
        ...

    def put_many(self, kind: str, entries: dict[str, dict[str, Any]], provenance: Provenance | dict[str, Provenance] | None=None) -> int:
        """Keep many values in one transaction"""

    def get_many(self, kind: str, keys: Iterable[str]) -> dict:
        """Look up many keys"""

    def counts(self) -> dict:
        """How many values of each kind there are"""

    def __len__(self) -> int:
        ...

    def __bool__(self):
        ...

    def __repr__(self) -> str:
        ...

    def summary(self) -> pd.DataFrame:
        """What is in it"""

    def values(self, kind: str) -> list[tuple[str, dict[str, Any]]]:
        """All values of a kind, checked"""

    def provenance(self, kind: str, keys: Iterable[str] | None=None) -> dict:
        """Where values came from"""

    def put_records(self, kind: str, records: dict[str, dict[str, Any]], first: bool=False) -> int:
        """Keep many records in one transaction"""

    def records(self, kind: str) -> dict:
        """All records of a kind"""

    def update_record(self, kind: str, key: str, turn: Callable[[dict[str, Any]], dict[str, Any] | None]) -> bool:
        """Look at one record and change it, with no other writer in between"""

    def checkpoint(self) -> bool:
        """Bring everything into the one file"""

    def close(self) -> None:
        """Close this process's connection to the file; the next use opens another"""

    def export(self, path: str | Path) -> Path:
        """Write all undamaged values to a file"""

    def load(self, path: str | Path) -> int:
        """Take in the values of a file; one that cannot be taken in changes nothing"""

    def prune(self, kind: str, drop: Callable[[dict[str, Any]], bool]) -> int:
        """Remove values, and give their space back unless another process is writing just then"""

    def verify(self) -> int:
        """Read every value and change nothing; raise if the file or a value is damaged, or rows are missing"""

    @asynccontextmanager
    def alone(self, what: Any) -> AsyncIterator[None]:
        """Hold off every other holder of this store from a step, on an event loop"""

@dataclass(frozen=True)
class Provenance:
    """Where a value came from, and what it cost"""
    endpoint: str | None = ...
    served_model: str | None = ...
    fingerprint: str | None = ...
    time: float | None = ...
    cost: float | None = ...
    estimated: bool = ...

    def __post_init__(self):
        ...

class _Late(Store):
    ...

class LockedError(RateError, TimeoutError):
    """Another process or thread holds the lock"""

class Held:
    """A lock that is held until it is released, forgotten, or its process ends"""

    def release(self) -> None:
        ...

class Owner:
    """A run folder that this process works in, as long as something refers to this"""
    folder: Path
    of: str

    def __init__(self, folder: Path, of: str):
        ...

    def check(self) -> None:
        """Raise `RunFolderError` if the folder is ours no more"""
