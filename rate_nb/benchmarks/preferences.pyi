# Written by `make export` from the module beside it. Edit the notebook.
"""Which response should a model be trained towards, once length bias is out of the reward that chooses?"""
from dataclasses import dataclass
from pathlib import Path
from rate_nb.stats.inference import Effect
from typing import Any
import numpy as np
import pandas as pd
TRL_COLUMNS: list[str]
LAYOUTS: tuple[str, ...]

def load_candidates(source) -> pd.DataFrame:
    """Read scored responses, several a prompt"""

def check_candidates(candidates):
    """Columns, rewards and keys of a table of candidates"""

def pick_preferences(candidates, calibrator=None, characteristic='length', level=0.95) -> Preferences:
    """Best and worst response to each prompt, with what calibration changed"""

def relabel_preferences(candidates, calibrator=None, **options) -> pd.DataFrame:
    """Best and worst response to each prompt by calibrated reward"""

def write_preferences(preferences, path, extra=False) -> Path:
    """Write pairs in TRL's format"""

def layout_of(source) -> str:
    """The layout of a file of texts, by its names and fields"""

def response_rows(pairs) -> pd.DataFrame:
    """The responses of a benchmark, one a row"""

def scored_pairs(scores, reward='reward') -> dict:
    """The pairs of a score file, model by model"""

def load_responses(source, layout='auto', n=0, seed=0, annotator=None, **options) -> pd.DataFrame:
    """The responses of any file of texts, ready to be scored"""

def score_rows(rows, reward_model, store=None, progress=None) -> pd.DataFrame:
    """Give every response its reward"""

def storable_rows(rows) -> pd.DataFrame:
    """Columns of one kind each, and texts that UTF-8 holds"""

def write_pairs(tables, folder) -> list:
    """Scored pairs as files, one a model"""

def of_run(source, names=...):
    ...

def read_pairs(source, reward='reward') -> dict:
    """Scored pairs, model by model"""

def row_batches(source, rows=20000):
    """A file of rows, batch by batch"""

def split_pairs(table):
    ...

def response_batches(source, model='', rows=20000):
    """The responses of a file, a row each, batch by batch"""

def relabel_file(source, folder, calibrator=None, characteristic='length', *, model='', reward=None, tokenizer=None, test=0.1, seed=0, fit_rows=200000, format='jsonl', rows=20000, level=0.95) -> Relabelled:
    """Best and worst response of each prompt before and after calibration, written batch by batch"""

def response_tables(source, layout='auto', n=0, seed=0, rows=50000, **options):
    """The responses of a file, in batches where it is large"""

def write_scored(parts, path) -> Path:
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

    def __len__(self):
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

    def bundles(self, prompts=20000):
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
    """Scored batches on their way to one Parquet file, and what is told of them"""
    folder: Path
    ids: Any
    kept: dict[Any, Any]
    pairs: dict[Any, Any]
    parts: list[Any]
    prompts: Any
    responses: int

    def __init__(self, folder):
        ...

    def check(self, rows):
        ...

    def add(self, scored):
        ...

    def table(self):
        ...

    def scored_pairs(self):
        ...
