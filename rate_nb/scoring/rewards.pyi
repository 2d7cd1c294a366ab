# Written by `make export` from the module beside it. Edit the notebook.
"""Which reward does every original and every rewrite get, and which gets none?"""
from dataclasses import dataclass
from pathlib import Path
from rate_nb.scoring.reward_models import AnyReward
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
from typing import Literal
import pandas as pd

def score_rewrites(examples, rewrites, reward_model, *, store=None, engine='local', ray=None, progress=True, alone=...) -> pd.DataFrame:
    """Score originals and rewrites; unusable rewrites keep their status and get no reward"""

def by_objective(rewards, keep=True) -> pd.DataFrame:
    """Each objective of a reward model as a reward of its own"""

def to_scored(examples, rewrites, rewards) -> pd.DataFrame:
    """Set the rewards of one example side by side"""

def texts_of(examples, rewrites, rewards) -> pd.Series:
    """The text that each reward belongs to"""

def load_rate_scores(path) -> pd.DataFrame:
    """Read scores of the RATE paper's own code"""

def check_scorer(reward_model, prompts, responses, tolerance=None) -> ScorerCheck:
    """Does a score depend on the pair alone, and does the pair reach the model?"""

def try_reward(model, prompts, responses, first=8, store=None):
    """Raise where a reward cannot be audited at all"""

def texts_to_score(examples, rewrites) -> pd.DataFrame:
    """What an outside scorer has to score; a conversation is JSON of its messages, tools and audited turn"""

def scores_from_file(path: pd.DataFrame | str | Path, name: str | None=None, *, reward: str='reward', prompt: str='prompt', response: str='response', missing: Literal['error', 'failed']='error') -> FileReward:
    """Scores that were made elsewhere"""

def ensemble(models: list[AnyReward], prompts, responses, *, weights: list[float] | None=None, name: str='ensemble', store=None) -> EnsembleReward:
    """A weighted mean of standardised rewards (post-hoc reward calibration, figure 16)"""

def parquet_columns(path, columns=None) -> dict:
    """What a file holds, read off its end"""

def pandas_index(schema):
    ...

def read_scored(source, columns=None, texts=True, ids=None) -> tuple:
    """A scored table, from an audit, from the RATE paper's code, or from anywhere"""

def texts_in(scored) -> tuple:
    """The texts that a scored table carries"""

def parquet_batches(source, columns=None, rows=20000):
    """A Parquet file that is never whole in memory"""

def rows_of_examples(path, ids, columns=None, called='example_id') -> pd.DataFrame:
    """Some examples of a large file; the others pass by"""

def columns_of_examples(examples, wanted, columns=None) -> pd.DataFrame:
    """Columns and counts, without holding the responses"""

@dataclass(frozen=True)
class ScorerCheck:
    """Verdict of `check_scorer`"""
    name: str
    table: pd.DataFrame

    @property
    def passed(self):
        ...

    @property
    def verdict(self):
        ...

    def __str__(self):
        ...

class FileReward(RewardModel):
    """Scores made elsewhere, looked up by prompt and response"""
    missing: Any
    scores: Any

    def __init__(self, name, scores, missing='error', key=None):
        ...

    def prepare(self, pairs):
        ...

    def score_batch(self, pairs):
        ...

class EnsembleReward(RewardModel):
    """A weighted mean of standardised rewards"""
    means: Any
    models: Any
    needs_reference: Any
    sds: Any
    store: Any
    weights: Any

    def __init__(self, name, models, means, sds, weights, store=None, key=None):
        ...

    def refusals(self, pairs):
        ...

    def score_batch(self, pairs):
        ...
