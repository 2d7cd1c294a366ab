# Written by `make export` from the module beside it. Edit the notebook.
"""Somebody scored a million responses. How do they get calibrated rewards back, with everything that should be known about them?"""
from dataclasses import dataclass
from pathlib import Path
from rate_nb.calibration.evaluation import Comparison
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import numpy as np
import pandas as pd
SCORE_METHODS: tuple[str, ...]
WHOLE: str
FITTED: str

def check_scores(df, source='the table of scores') -> pd.DataFrame:
    """Raise one `SchemaError` that lists what is wrong with a table of scores"""

def load_scores(path) -> pd.DataFrame:
    """Read a file of scores, or say what is wrong with it"""

def make_calibrator(method='rc-lwr', rows=10000, *, gamma=1.0, frac=0.0, it=3, distance=0.0, min_count=10, alpha=0.001, normalise=False):
    """A calibrator from plain values, as a command line has them"""

def whole_lengths(df) -> np.ndarray:
    """What the paper's penalty falls on"""

def calibrate_scores(scores, calibrator=None, characteristic='length', *, fit_on=None, tokenizer=None, level=0.95) -> CalibratedScores:
    """Calibrate a table of scores, model by model"""

def calibrate_rewards(examples, rewrites, rewards, calibrator=None, fit_on='originals', characteristic='length', tokenizer=None) -> pd.DataFrame:
    """Take a bias out of the rewards of an audit, model by model"""

def write_calibration(done, path, *, fit_on=None, tokenizer=None, texts=None) -> Path:
    """Keep what a calibrated reward needs"""

def load_calibration(path, model=None) -> tuple:
    """A calibrator as it was fitted"""

def calibrated_reward(reward, calibration, model=None, name=None, store=None) -> CalibratedReward:
    """A reward without the bias that was estimated from a table of scores"""

def scores_of_audit(folder) -> pd.DataFrame:
    """The rewards of an audit's originals as a table of scores"""

def counted_scores(path, names, tokenizer=None) -> tuple:
    """Read a file of scores of any size; its texts are counted where they are"""

def write_calibrated(done, source, path) -> Path:
    """Every row of a file of scores with its calibrated reward, batch by batch"""

@dataclass(frozen=True)
class CalibratedScores:
    """Calibrated rewards and what is known about them"""
    table: pd.DataFrame
    calibrators: dict
    comparison: Comparison
    checks: dict
    sensitivity: dict
    names: tuple
    penalised: str
    seconds: dict

class _Clock:
    last: Any
    seconds: dict[Any, Any]

    def __init__(self):
        ...

    def __call__(self, step):
        ...

class CalibratedReward(RewardModel):
    """A reward without the bias that was estimated from a table of scores"""
    calibrator: Any
    model: Any
    names: Any
    needs_reference: Any
    store: Any
    tokenizer: Any
    whole: Any

    def __init__(self, name, model, calibrator, said, store=None, key=None):
        ...

    def refusals(self, pairs):
        ...

    def score_batch(self, pairs):
        ...
