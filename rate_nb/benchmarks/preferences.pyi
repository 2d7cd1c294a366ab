# Written by `make export` from the module beside it. Edit the notebook.
"""Which response should a model be trained towards after length bias is removed from the reward?"""
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.stats.inference import Effect
from typing import Any
import numpy as np
import pandas as pd
TRL_COLUMNS: list[str]
LAYOUTS: tuple[str, ...]

def load_candidates(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    """Read scored responses, several a prompt"""

def prompt_faults(candidates: pd.DataFrame) -> list[str]:
    """Is a prompt without a name, or are there two of one name?"""

def check_candidates(candidates: pd.DataFrame) -> pd.DataFrame:
    """Columns, rewards and keys of a table of candidates"""

def pick_preferences(candidates: pd.DataFrame, calibrator: Calibrator | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', level: float=0.95) -> Preferences:
    """Best and worst response to each prompt, with what calibration changed"""

def relabel_preferences(candidates: pd.DataFrame, calibrator: Calibrator | None=None, **options: Any) -> pd.DataFrame:
    """Best and worst response to each prompt by calibrated reward"""

def write_preferences(preferences: Preferences | pd.DataFrame, path: str | Path, extra: bool=False) -> Path:
    """Write pairs in TRL's format"""

def layout_of(source: str | Path) -> str:
    """The layout of a file of texts, by its names and fields"""

def response_rows(pairs: pd.DataFrame) -> pd.DataFrame:
    """The responses of a benchmark, one a row"""

def scored_pairs(scores: pd.DataFrame, reward: str='reward') -> dict:
    """The pairs of a score file, model by model"""

def load_responses(source: str | Path | pd.DataFrame, layout: str='auto', n: int=0, seed: int=0, annotator: str | None=None, **options: Any) -> pd.DataFrame:
    """The responses of any file of texts, ready to be scored"""

def score_rows(rows: pd.DataFrame, reward_model: RewardModel, store: Store | None=None, progress: Any=None) -> pd.DataFrame:
    """Give every response its reward"""

def storable_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Columns of one kind each, and texts that UTF-8 holds"""

def write_pairs(tables: dict[str, pd.DataFrame], folder: str | Path) -> list:
    """Scored pairs as files, one a model"""

def of_run(source: str | Path, names: Sequence[str]=...) -> Path:
    ...

def read_pairs(source: str | Path, reward: str='reward') -> dict:
    """Scored pairs, model by model"""

def file_kind(path: Path) -> str:
    ...

def row_batches(source: str | Path | pd.DataFrame, rows: int=20000, verbatim: Sequence[str]=()) -> Iterator[pd.DataFrame]:
    """A file of rows, batch by batch"""

def split_pairs(table: pd.DataFrame) -> tuple:
    ...

def response_batches(source: str | Path | pd.DataFrame, model: str='', rows: int=20000, columns: dict[str, str] | None=None, scored: bool=False) -> Iterator[pd.DataFrame]:
    """The responses of a file, a row each, batch by batch"""

def check_responses(source: str | Path, characteristic: str | Sequence[str]='length', *, model: str='', columns: dict[str, str] | None=None, scored: bool=True, tokenizer: Any=None, rows: int=1000) -> None:
    """Look at the first responses before a reward is computed"""

def relabel_file(source: str | Path | pd.DataFrame, folder: str | Path, calibrator: Calibrator | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', *, model: str='', columns: dict[str, str] | None=None, reward: Callable[[pd.DataFrame], Any] | None=None, tokenizer: Any=None, test: float=0.1, seed: int=0, fit_rows: int=200000, format: str='jsonl', rows: int=20000, level: float=0.95) -> Relabelled:
    """Best and worst response of each prompt before and after calibration, written batch by batch"""

def response_tables(source: str | Path | pd.DataFrame, layout: str='auto', n: int=0, seed: int=0, rows: int=50000, **options: Any) -> Iterator[pd.DataFrame]:
    """The responses of a file, in batches where it is large"""

def write_scored(parts: ScoredParts, path: str | Path) -> Path:
    """One table of all parts, each read and forgotten"""

@dataclass(frozen=True)
class Preferences:
    """Preference pairs, and what calibration changed about them"""
    table: pd.DataFrame
    margin: Effect
    margin_before: Effect
    change: Effect
    changed: float
    dropped: int

    def __len__(self) -> int:
        ...

@dataclass
class _Numbers:
    """What decides pairs, of all responses of a file"""
    group: np.ndarray
    prompt: np.ndarray
    text: np.ndarray
    reward: np.ndarray
    length: np.ndarray
    c: np.ndarray
    given: np.ndarray
    names: list
    chat: bool

@dataclass(frozen=True)
class Relabelled:
    """Files of preferences before and after calibration, and what changed between them"""
    table: pd.DataFrame
    change: Effect
    flips: dict
    calibrator: object
    fitted_on: int
    responses: int
    without_reward: int
    files: dict

class _Texts:
    """Responses that wait for the others of their prompt, on disk"""
    db: Any

    def __init__(self, path):
        ...

    def add(self, prompts, rows, cells):
        ...

    def bundles(self, prompts: int=20000):
        ...

class _Sink:
    """One file of preferences that grows"""
    file: Any
    n: int
    path: Any

    def __init__(self, path):
        ...

    def add(self, rows):
        ...

    def close(self):
        ...

class ScoredParts:
    """Scored batches on their way to one Parquet file, and their counts"""
    folder: Path
    ids: Any
    kept: dict[Any, Any]
    pairs: dict[Any, Any]
    parts: list[Any]
    prompts: Any
    responses: int

    def __init__(self, folder: str | Path):
        ...

    def check(self, rows: pd.DataFrame) -> None:
        ...

    def add(self, scored: pd.DataFrame) -> None:
        ...

    def table(self) -> list[dict[str, Any]]:
        ...

    def scored_pairs(self) -> dict[str, pd.DataFrame]:
        ...
