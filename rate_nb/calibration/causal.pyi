# Written by `make export` from the module beside it. Edit the notebook.
"""Calibration removes a correlation with length. Does it remove the causal effect of length?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from numpy.typing import ArrayLike
from rate_nb.base.core import InputError
from rate_nb.calibration.calibrators import Calibrator
from typing import Any
import numpy as np
import pandas as pd
PIECES: tuple[int, ...]

def even_draws(responses: np.ndarray) -> np.ndarray:
    """Every response counts once, however many draws of it are there: as in RATE"""

def usual_spread(c: np.ndarray) -> float:
    """Standard deviation, or what the middle half says of it if that is less"""

def chosen_pieces(contrasts: Contrasts, prompts: np.ndarray) -> int:
    """The number of pieces that predicts other prompts' contrasts best"""

def chain_pairs(examples: pd.DataFrame, rewards: pd.DataFrame) -> pd.DataFrame:
    """Which rewards belong to one chain"""

def dose_response(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', level: float=0.95, tokenizer: Any=None) -> DoseResponse:
    """Causal, regression and confounding slope of a reward on a characteristic"""

def recommended_gamma(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, calibrator: Calibrator | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', level: float=0.95, tokenizer: Any=None) -> pd.DataFrame:
    """The γ at which calibration leaves no causal effect, beside what γ = 1 removes"""

def folds_of(prompts: ArrayLike, folds: int, rng: np.random.Generator | int) -> np.ndarray:
    """Deal prompts into folds of equal size"""

def causal_calibration(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, characteristic: str | Callable[[str], float] | np.ndarray='length', folds: int=5, rng: np.random.Generator | int=0, calibrator: Calibrator | None=None, tokenizer: Any=None) -> pd.DataFrame:
    """Take the causal effect of a characteristic out of the rewards of an audit, model by model"""

def audited_model(names: Sequence[str], model: str | None) -> str:
    """The reward of an audit that is meant"""

def fit_causal(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, model: str | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', calibrator: Calibrator | None=None, tokenizer: Any=None) -> Calibrator:
    """The causal calibrator of one model"""

class CausalCalibrator(Calibrator):
    """Subtract what a rewriter's changes of the characteristic cause, not what is correlated with it"""
    gamma: float
    label: str
    least_first_stage: float
    outside: str
    pieces: int | str | None

    def __init__(self, pieces: int | str | None='cv', gamma: float=1.0, outside: str='hold'):
        ...

    def choice_in_words(self) -> str:
        ...

    def fit(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None, prompts: ArrayLike | None=None, responses: ArrayLike | None=None) -> CausalCalibrator:
        """Estimate the dose–response"""

    def predict(self, c: ArrayLike) -> np.ndarray:
        """The dose–response curve at any characteristic"""

class NotMoved(InputError):
    """Rewrites that do not move the characteristic can tell nothing of its effect"""

@dataclass(frozen=True)
class Contrasts:
    """Pairs of rewrites, and the curves that can be fitted to them"""
    more: np.ndarray
    less: np.ndarray
    reward: np.ndarray
    ends: tuple
    weight: np.ndarray

    def knots(self, pieces: int) -> np.ndarray:
        """Where the pieces meet"""

    def doses(self, pieces: int) -> np.ndarray:
        """How much more of each piece the long version has"""

    def controls(self) -> np.ndarray:
        """What of the dose the midpoint does not explain, by itself and times the midpoint"""

    def slopes(self, pieces: int) -> np.ndarray:
        """Slope of each piece"""

    def unbridged(self, c: np.ndarray) -> tuple:
        """Where the curve's rise is not measured"""

@dataclass(frozen=True)
class DoseResponse:
    """What a unit of a characteristic causes, and what is correlated with it"""
    table: pd.DataFrame
    characteristic: str
    level: float
    notes: tuple = ...

    def get(self, quantity: str, model: str | None=None) -> Any:
        ...
