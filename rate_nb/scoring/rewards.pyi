# Written by `make export` from the module beside it. Edit the notebook.
"""Which reward does every original and every rewrite get, and which of them get none?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.scoring.ray_engine import RayOptions
from rate_nb.scoring.reward_models import AnyReward
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
from typing import Literal
import numpy as np
import pandas as pd
SOMETIMES: str
COMPANY: tuple[str, ...]

def score_rewrites(examples: pd.DataFrame, rewrites: pd.DataFrame | None, reward: RewardModel | Callable | Sequence[RewardModel | Callable], *, store: Store | None=None, engine: str='local', ray: RayOptions | None=None, progress: bool=True, alone: Callable[[str], Any]=...) -> pd.DataFrame:
    """Score originals and rewrites; unusable rewrites keep their status and get no reward"""

def by_objective(rewards: pd.DataFrame, keep: bool=True) -> pd.DataFrame:
    """Each objective of a reward model as a reward of its own"""

def criteria_apart(rewards: pd.DataFrame, models: Iterable[str]) -> pd.DataFrame:
    """The criteria of these models as rewards of their own, beside the whole"""

def repeat_counts(repeats: pd.Series) -> pd.Series:
    ...

def repeat_variances(repeats: pd.Series) -> pd.Series:
    """How much the scores of one text differ between repeats"""

def to_scored(examples: pd.DataFrame, rewrites: pd.DataFrame | None, rewards: pd.DataFrame) -> pd.DataFrame:
    """Set the rewards of one example side by side"""

def texts_of(examples: pd.DataFrame, rewrites: pd.DataFrame | None, rewards: pd.DataFrame) -> pd.Series:
    """The text that each reward belongs to"""

def load_rate_scores(path: str | Path) -> pd.DataFrame:
    """Read scores of the RATE paper's own code"""

def check_scorer(reward: RewardModel | Callable, prompts: str | Iterable, responses: Iterable, tolerance: float | None=None) -> ScorerCheck:
    """Does a score depend on the pair alone, and does the pair reach the model?"""

def try_reward(model: RewardModel | Callable, prompts: Sequence, responses: Sequence, first: int=8, store: Store | None=None, ids: Sequence | None=None, keep_going: bool=False) -> None:
    """Raise where a reward cannot be audited at all"""

def texts_to_score(examples: pd.DataFrame, rewrites: pd.DataFrame | None) -> pd.DataFrame:
    """What an outside scorer has to score; a conversation is JSON of its messages, tools and audited turn"""

def scores_from_file(path: pd.DataFrame | str | Path, name: str | None=None, *, reward: str='reward', prompt: str='prompt', response: str='response', missing: Literal['error', 'failed']='error') -> FileReward:
    """Scores that were made elsewhere"""

def ensemble(models: list[AnyReward], prompts: str | Iterable, responses: Iterable, *, weights: list[float] | None=None, name: str='ensemble', store: Store | None=None) -> EnsembleReward:
    """A weighted mean of standardised rewards (post-hoc reward calibration, figure 16)"""

def parquet_columns(path: str | Path, columns: dict[str, str] | None=None) -> dict:
    """The columns of a Parquet file, without reading its rows"""

def pandas_index(schema: Any) -> list[str]:
    """Columns of a Parquet file that pandas reads as an index"""

def read_scored(source: str | Path, columns: dict[str, str] | None=None, texts: bool | Sequence[str]=True, ids: Iterable[str] | None=None) -> tuple:
    """A scored table, from an audit, from the RATE paper's code, or from anywhere"""

def texts_in(scored: pd.DataFrame) -> tuple:
    """The examples table and the rewrites table of a scored table with texts"""

def parquet_batches(source: str | Path, columns: list[str] | None=None, rows: int=20000) -> Iterator:
    """Read a Parquet file in batches"""

def rows_of_examples(path: str | Path, ids: Iterable[str], columns: list[str] | None=None, called: str='example_id') -> pd.DataFrame:
    """The rows of some examples of a large file"""

def columns_of_examples(examples: str | Path | pd.DataFrame, wanted: Iterable[str], columns: dict[str, str] | None=None) -> pd.DataFrame:
    """Columns and counts, without all responses in memory"""

def align_scored(tables: dict[str, pd.DataFrame], sources: dict[str, str | Path], needed: Iterable[str]) -> tuple:
    """The same examples of several scored tables; different labels or texts under one id are an error"""

@dataclass(frozen=True)
class ScorerCheck:
    """Verdict of `check_scorer`"""
    name: str
    table: pd.DataFrame
    moved: dict[str, float] = ...

    @property
    def passed(self) -> bool:
        ...

    @property
    def verdict(self) -> str:
        ...

    def __str__(self):
        ...

class FileReward(RewardModel):
    """Scores made elsewhere, looked up by prompt and response"""
    missing: str
    scores: dict[tuple[str, str], float | None]

    def __init__(self, name: str, scores: dict[tuple[str, str], float | None], missing: str='error', key: str | None=None):
        ...

    def prepare(self, pairs: list[tuple]) -> list:
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...

class EnsembleReward(RewardModel):
    """A weighted mean of standardised rewards"""
    means: np.ndarray
    models: list[RewardModel]
    needs_reference: Any
    sds: np.ndarray
    store: Store | None
    weights: np.ndarray

    def __init__(self, name: str, models: list[RewardModel], means: np.ndarray, sds: np.ndarray, weights: np.ndarray, store: Store | None=None, key: str | None=None):
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...
