# Written by `make export` from the module beside it. Edit the notebook.
"""Calibration removes a correlation with length. Does it remove the causal effect of length?"""
from dataclasses import dataclass
from rate_nb.base.core import InputError
from rate_nb.calibration.calibrators import Calibrator
from typing import Any
import numpy as np
import pandas as pd
PIECES: tuple[int, ...]

def even_draws(responses) -> np.ndarray:
    """Every response counts once, however many draws of it are there: as in RATE"""

def usual_spread(c) -> float:
    """Standard deviation, or what the middle half says of it if that is less"""

def chosen_pieces(contrasts, prompts) -> int:
    """The number of pieces that predicts other prompts' contrasts best"""

def chain_pairs(examples, rewards) -> pd.DataFrame:
    """Which rewards belong to one chain"""

def dose_response(examples, rewrites, rewards, characteristic='length', level=0.95, tokenizer=None) -> DoseResponse:
    """Causal, regression and confounding slope of a reward on a characteristic"""

def recommended_gamma(examples, rewrites, rewards, calibrator=None, characteristic='length', level=0.95, tokenizer=None) -> pd.DataFrame:
    """The γ at which calibration leaves no causal effect, beside what γ = 1 removes"""

def folds_of(prompts, folds, rng) -> np.ndarray:
    """Deal prompts into folds of equal size"""

def causal_calibration(examples, rewrites, rewards, characteristic='length', folds=5, rng=0, calibrator=None, tokenizer=None) -> pd.DataFrame:
    """Take the causal effect of a characteristic out of the rewards of an audit, model by model"""

def fit_causal(examples, rewrites, rewards, model=None, characteristic='length', calibrator=None, tokenizer=None) -> Calibrator:
    """The causal calibrator of one model"""

class CausalCalibrator(Calibrator):
    """Subtract what a rewriter's changes of the characteristic cause, not what goes along with it"""
    gamma: Any
    label: str
    least_first_stage: float
    outside: Any
    pieces: Any

    def __init__(self, pieces='cv', gamma=1.0, outside='hold'):
        ...

    def choice_in_words(self):
        ...

    def fit(self, c, r, pairs=None, prompts=None, responses=None):
        """Estimate the dose–response"""

    def predict(self, c) -> np.ndarray:
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

    def knots(self, pieces) -> np.ndarray:
        """Where the pieces meet"""

    def doses(self, pieces) -> np.ndarray:
        """How much more of each piece the long version has"""

    def controls(self) -> np.ndarray:
        """What of the dose the midpoint does not explain, by itself and times the midpoint"""

    def slopes(self, pieces) -> np.ndarray:
        """Slope of each piece"""

    def unbridged(self, c) -> tuple:
        """Where the curve's rise is not measured"""

@dataclass(frozen=True)
class DoseResponse:
    """What a unit of a characteristic causes, and what goes along with it"""
    table: pd.DataFrame
    characteristic: str
    level: float
    notes: tuple = ...

    def get(self, quantity, model=None):
        ...
