# Written by `make export` from the module beside it. Edit the notebook.
"""Which method, which dial, how much data, and would an ensemble have done as well?"""
from dataclasses import dataclass
from rate_nb.calibration.evaluation import Comparison
from typing import Any
import numpy as np
import pandas as pd
METHODS: dict[str, Any]
ALPHAS: tuple[float, ...]
FRACS: Any
FRACTIONS: tuple[float, ...]
FOUR: dict[str, Any]

def compare_calibrations(methods, c, rewards, pairs=None, gold=False, level=0.95) -> Comparison:
    """Fit each method to each model and say what it did"""

def sweep(calibrator, parameter, values, c, r, pairs=None, gold=False, level=0.95) -> Sweep:
    """Vary one parameter and watch the outcome"""

def length_margins(c, pairs, at=...) -> pd.Series:
    """Cumulative distribution of |c1 - c2| over pairs (calibration paper, figure 9)"""

def data_efficiency(methods, c, r, pairs, rng, fractions=..., draws=10, judge='rest') -> pd.DataFrame:
    """Accuracy after fitting on a few pairs"""

def normalised_mean(rewards) -> np.ndarray:
    """Normalise, then average"""

def ensemble_matrix(rewards, pairs, c=None, calibrator=None) -> pd.DataFrame:
    """Ensembles of two beside calibration (calibration paper, figure 16)"""

def compare_densities(c, r, methods=None, pairs=None, most=10000) -> Densities:
    """Rewards against a characteristic, before and after calibration"""

@dataclass(frozen=True)
class Sweep:
    """Outcomes along one parameter of a calibrator"""
    parameter: str
    label: str
    table: pd.DataFrame
    level: float

    def plot(self):
        """Accuracy, correlation and preferences overturned against the parameter"""

@dataclass(frozen=True, eq=False, repr=False)
class Densities:
    """Rewards before and after calibrations, each with the smooth line through it"""
    characteristic: np.ndarray
    rewards: dict
    lines: pd.DataFrame
    spearman: dict

    def plot(self, characteristic='length (characters)', width=230):
        """The clouds side by side"""
