# Written by `make export` from the module beside it. Edit the notebook.
"""What does this reward pay for, besides what I thought of?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from typing import Any
import numpy as np
import pandas as pd
PROPOSING: str

def propose_words(examples: pd.DataFrame, rewards: np.ndarray, most: int=60, least: float=0.03, alike: float=0.8) -> tuple:
    """What can be counted, by its association with the rewards of one prompt's responses"""

def propose_with(endpoint: Any, examples: pd.DataFrame, rewards: np.ndarray, prompts: int=24) -> list[Candidate]:
    """What a language model sees in the higher responses"""

def halves(examples: pd.DataFrame, rng: np.random.Generator | int=0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Prompts to look at, and prompts to confirm on"""

def screen(candidates: Sequence[Candidate], examples: pd.DataFrame, rewards: np.ndarray, keep: int=20) -> pd.DataFrame:
    """Association with the rewards among responses to one prompt, in standard deviations of the rewards"""

def confirm(candidates: Sequence[Candidate], examples: pd.DataFrame, rewriter: Any, reward: Any, *, margin: float=0.1, q: float=0.05, most: int=200, store: Store | None=None, audit: Callable | None=None, rng: np.random.Generator | int=0) -> pd.DataFrame:
    """A small audit of every candidate, with the false discovery rate controlled"""

def discover(examples: pd.DataFrame, rewriter: Any, reward: Any, *, proposer: Any=None, propose: int=60, keep: int=20, most: int=200, margin: float=0.1, q: float=0.05, store: Store | None=None, audit: Callable | None=None, rng: np.random.Generator | int=0) -> Discovery:
    """Propose and screen on half of the prompts, confirm on the other half"""

def small_audits(run_dir: str | Path, budget: float | None=None, **settings: Any) -> Callable:
    """Confirmations as audits, resumable and checked"""

def write_discovery(found: Discovery, run_dir: str | Path, specification: dict, again: str='') -> Path:
    """Leaderboard, screen, report, and the file of each candidate's full audit"""

@dataclass(frozen=True)
class Candidate:
    """An attribute that a reward may pay for"""
    name: str
    sentence: str
    treated: str
    untreated: str
    label: dict = ...

    @property
    def folder(self) -> str:
        ...

    @property
    def attribute(self) -> Attribute:
        ...

@dataclass(frozen=True)
class Discovery:
    """What a reward pays for, as far as was looked"""
    table: pd.DataFrame
    screened: pd.DataFrame
    tried: int
    candidates: dict
    margin: float
    q: float

    @property
    def said(self) -> str:
        ...

    def __repr__(self):
        ...
