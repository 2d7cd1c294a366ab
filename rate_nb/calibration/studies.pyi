# Written by `make export` from the module beside it. Edit the notebook.
"""Which method, which parameter, how much data, and would an ensemble have been as good?"""
from altair.typing import ChartType
from collections.abc import Sequence
from dataclasses import dataclass
from numpy.typing import ArrayLike
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.calibration.evaluation import Comparison
from typing import Any
import numpy as np
import pandas as pd
METHODS: dict[str, Any]
ALPHAS: tuple[float, ...]
FRACS: Any
FRACTIONS: tuple[float, ...]
FOUR: dict[str, Any]

def compare_calibrations(methods: dict[str, Calibrator] | None, c: ArrayLike, rewards: ArrayLike | pd.DataFrame, pairs: ArrayLike | None=None, gold: bool=False, level: float=0.95) -> Comparison:
    """Fit each method to each model and say what it did"""

def sweep(calibrator: Calibrator, parameter: str, values: Sequence[Any] | np.ndarray, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None, gold: bool=False, level: float=0.95) -> Sweep:
    """Vary one parameter and watch the outcome"""

def length_margins(c: ArrayLike, pairs: ArrayLike, at: Sequence[float]=...) -> pd.Series:
    """Cumulative distribution of |c1 - c2| over pairs (calibration paper, figure 9)"""

def data_efficiency(methods: dict[str, Calibrator], c: ArrayLike, r: ArrayLike, pairs: ArrayLike, rng: np.random.Generator, fractions: Sequence[float]=..., draws: int=10, judge: str='rest') -> pd.DataFrame:
    """Accuracy after fitting on a few pairs"""

def normalised_mean(rewards: pd.DataFrame | np.ndarray) -> np.ndarray:
    """Normalise, then average"""

def ensemble_matrix(rewards: pd.DataFrame, pairs: ArrayLike, c: ArrayLike | None=None, calibrator: Calibrator | None=None) -> pd.DataFrame:
    """Ensembles of two beside calibration (calibration paper, figure 16)"""

def study_calibrations(c: ArrayLike, rewards: pd.DataFrame, pairs: ArrayLike, calibrator: Calibrator | None=None, alpha: float=0.001, draws: int=10, rng: np.random.Generator | int=0, level: float=0.95) -> Studies:
    """Sweeps (figures 7, 8, 15), margins (9), data efficiency (12 to 14), ensembles (16)"""

def aligned_rewards(scores: pd.DataFrame, characteristic: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rewards of several models side by side"""

def compare_densities(c: ArrayLike, r: ArrayLike, methods: dict[str, Calibrator] | None=None, pairs: ArrayLike | None=None, max_texts: int=10000) -> Densities:
    """Rewards against a characteristic, before and after calibration"""

@dataclass(frozen=True)
class Sweep:
    """Outcomes along one parameter of a calibrator"""
    parameter: str
    label: str
    table: pd.DataFrame
    level: float

    def plot(self) -> ChartType:
        """Accuracy, correlation and preferences overturned against the parameter"""

@dataclass(frozen=True, eq=False, repr=False)
class Studies:
    """The calibration paper's experiments on one set of scores"""
    sweeps: dict[tuple[str, str], Sweep]
    data: pd.DataFrame
    margins: pd.Series
    ensembles: pd.DataFrame | None

    @property
    def table(self) -> pd.DataFrame:
        """All sweeps, one below the other"""

@dataclass(frozen=True, eq=False, repr=False)
class Densities:
    """Rewards before and after calibrations, each with the smooth line through it"""
    characteristic: np.ndarray
    rewards: dict
    lines: pd.DataFrame
    spearman: dict

    def plot(self, characteristic: str='length (characters)', width: int=230) -> ChartType:
        """The clouds side by side"""
