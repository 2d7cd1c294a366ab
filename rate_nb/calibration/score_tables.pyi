# Written by `make export` from the module beside it. Edit the notebook.
"""I have scores of a million responses. How do I get calibrated rewards, with everything that I should know about them?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.calibration.causal import CausalCalibrator
from rate_nb.calibration.evaluation import Comparison
from rate_nb.scoring.reward_models import AnyReward
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import numpy as np
import pandas as pd
SCORE_COLUMNS: tuple[str, ...]
SCORE_METHODS: dict[str, Any]
WHOLE: str
FITTED: str
ARTEFACT_CHECKS: tuple[str, ...]

def check_scores(df: pd.DataFrame, source: str='the table of scores') -> pd.DataFrame:
    """Raise one `SchemaError` that lists what is wrong with a table of scores"""

def load_scores(path: str | Path, columns: dict[str, str] | None=None) -> pd.DataFrame:
    """Read a file of scores, or say what is wrong with it"""

def check_method_options(method: str, **given: Any) -> None:
    """Raise `InputError` where an option was set that the method does not use"""

def make_calibrator(method: str='rc-lwr', rows: int=10000, *, gamma: float=1.0, frac: float=0.0, it: int=3, distance: float=0.0, min_count: int=10, alpha: float=0.001, normalise: bool=False) -> Calibrator:
    """A calibrator from plain values, as a command line has them"""

def whole_lengths(df: pd.DataFrame) -> np.ndarray | None:
    """What the paper's penalty falls on"""

def check_biased(scores: pd.DataFrame, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length') -> None:
    """Can these rewards hold a bias of this characteristic?"""

def calibrate_scores(scores: pd.DataFrame, calibrator: Calibrator | dict[str, Calibrator] | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', *, fit_on: pd.DataFrame | None=None, tokenizer: Any=None, level: float=0.95) -> CalibratedScores:
    """Calibrate a table of scores, model by model"""

def calibrate_rewards(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, calibrator: Calibrator | None=None, fit_on: str='originals', characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', tokenizer: Any=None) -> pd.DataFrame:
    """Take a bias out of the rewards of an audit, model by model"""

def write_calibration(done: CalibratedScores, path: str | Path, *, fit_on: pd.DataFrame | None=None, tokenizer: Any=None, texts: pd.DataFrame | None=None) -> Path:
    """Keep what a calibrated reward needs"""

def load_calibration(path: str | Path, model: str | None=None) -> tuple:
    """A calibrator as it was fitted"""

def calibrated_reward(reward: AnyReward, calibration: str, model: str | None=None, name: str | None=None, store: Store | None=None) -> CalibratedReward:
    """A reward without the bias that `rate_nb calibrate` estimated"""

def scores_of_audit(folder: str | Path) -> pd.DataFrame:
    """The rewards of an audit's originals as a table of scores"""

def audit_files(folder: str | Path, argument: str, other: str, *names: str) -> list[Path]:
    """The files of an audit that was scored"""

def causal_calibrators(folder: str | Path, models: Sequence[str], characteristic: str | np.ndarray='length', calibrator: CausalCalibrator | None=None, tokenizer: Any=None) -> dict:
    """The causal curves of an audit"""

def names_in_audit(folder: str | Path, models: Sequence[str], scores: pd.DataFrame) -> tuple[dict, str]:
    """Are these the rewards that were audited?"""

def artefacts_of_audit(folder: str | Path, models: Sequence[str]=()) -> str:
    """What an audit's checks say about its causal curve"""

def counted_scores(path: str | Path, names: str | Callable[[str], float] | Sequence[str | Callable[[str], float]], tokenizer: Any=None, columns: dict[str, str] | None=None) -> tuple:
    """Read a file of scores of any size; its texts are counted where they are"""

def write_calibrated(done: CalibratedScores, source: str | Path, path: str | Path, columns: dict[str, str] | None=None) -> Path:
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
    calibrator: Calibrator
    model: Any
    names: Any
    needs_reference: Any
    store: Store | None
    tokenizer: Any
    whole: Any

    def __init__(self, name: str, model: Any, calibrator: Calibrator, said: dict, store: Store | None=None, key: str | None=None):
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...
