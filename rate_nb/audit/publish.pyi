# Written by `make export` from the module beside it. Edit the notebook.
"""How do I show an audit to others so that they can check it, without giving away the texts?"""
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import pandas as pd
FORMAT: str
DRY_RUN: str

def public_config(said: Any, path: str='') -> tuple[Any, list[str]]:
    """A configuration without paths, addresses and keys"""

def publish_run(run: str | Path, to: str | Path, *, with_texts: bool=False, license: str='', repo: str='') -> Publication:
    """Write an audit as a folder that others can check"""

def published_manifest(folder: str | Path) -> dict:
    """What a published audit says of itself"""

def verify_published(folder: str | Path, digest: str | None=None) -> Verification:
    """Is a published audit what its author published, and do its effects follow from its scores?"""

def published_in(folder: str | Path) -> list[Path]:
    """Published audits in a folder, also those that cannot be read"""

def published_effects(folder: str | Path) -> pd.DataFrame:
    """The effects of a published audit, as a grid has them"""

def upload_published(folder: str | Path, repo: str, *, private: bool=False) -> str:
    """Send a published audit to a hub"""

@dataclass(frozen=True)
class Publication:
    """A published audit"""
    folder: Path
    digest: str
    files: int
    left_out: tuple

@dataclass(frozen=True, repr=False)
class Verification:
    """What a look at a published audit found"""
    folder: Path
    digest: str
    table: pd.DataFrame

    @property
    def differs(self) -> bool:
        ...

    def sentence(self) -> str:
        ...

    def __repr__(self) -> str:
        ...
