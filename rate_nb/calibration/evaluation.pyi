# Written by `make export` from the module beside it. Edit the notebook.
"""Is the correlation removed, are the preferences better, how many were overturned, and how certain is this?"""
from altair.typing import ChartType
from collections.abc import Iterable
from dataclasses import dataclass
from numpy.typing import ArrayLike
from rate_nb.calibration.calibrators import Calibrator
from typing import Any
import numpy as np
import pandas as pd
RELATIONS: Any

def overturned(before: np.ndarray, after: np.ndarray) -> float:
    """Share of preferences that a calibration reverses (calibration paper, figure 4)"""

def gold_pairs(prompt_id: ArrayLike, preferred: ArrayLike) -> np.ndarray:
    """All pairs of a better and a worse answer to one prompt"""

def pair_clusters(pairs: np.ndarray, n: int) -> np.ndarray:
    """Pairs that share a text belong to one cluster"""

def outcome(calibrator: Calibrator | None, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None, gold: bool=False, level: float=0.95, fixed: ArrayLike | None=None) -> Outcome:
    """Correlations, accuracy, gain and overturned preferences of one calibration"""

def bias_curve(calibrator: Calibrator, c: ArrayLike, r: ArrayLike, clusters: ArrayLike | None=None, points: int=60, replicates: int=100, level: float=0.95, rng: np.random.Generator | int=0, max_texts: int=6000) -> BiasCurve:
    """The bias a method estimates, with a band"""

def asks_for_length(prompt: str) -> bool:
    """Prompts that make length a part of quality"""

def check_independence(c: ArrayLike, pairs: ArrayLike | None=None, prompts: Iterable[str] | None=None, level: float=0.95) -> Check:
    """Does the better answer tend to have more, or less, of the characteristic?"""

def check_density(c: ArrayLike, pairs: ArrayLike | None=None, calibrator: Calibrator | None=None, max_share: float=0.01) -> Check:
    """Do texts have neighbours?"""

def bins_of(x: np.ndarray, per: int=50, max_bins: int=100) -> np.ndarray:
    """Narrow bins with about equally many texts"""

def between_bins(y: np.ndarray, k: np.ndarray) -> tuple:
    """The two variances of an analysis of variance"""

def check_smoothness(calibrator: Calibrator, c: ArrayLike, r: ArrayLike, max_missed: float=0.1, fixed: ArrayLike | None=None) -> Check:
    """Is there anything left that narrow bins of the characteristic can see?"""

def expected_overturned(c: ArrayLike, r: ArrayLike) -> float:
    """What the strength of a bias accounts for"""

def check_overturned(result: Outcome, expected: float, slack: float=0.05) -> Check:
    """Were more preferences overturned than the bias can account for?"""

def check_gold(result: Outcome) -> Check:
    """Did agreement with gold preferences fall?"""

def check_calibration(calibrator: Calibrator, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None, gold: bool=False, prompts: Iterable[str] | None=None, warn: bool=True, level: float=0.95, fixed: ArrayLike | None=None, result: Outcome | None=None) -> CalibrationChecks:
    """Look for traces of broken assumptions and of harm done"""

def sensitivity(calibrator: Calibrator, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None, level: float=0.95, reliability: tuple[float, float]=(0.5, 1.0), max_pairs: int=20000, fixed: ArrayLike | None=None) -> Sensitivity:
    """How strong a true relation of quality and characteristic would have to be for the correction to harm"""

@dataclass(frozen=True)
class Outcome:
    """What one calibration did to one model's rewards"""
    correlations: dict
    accuracy: object
    gain: object
    overturned: float
    uncalibrated: int

@dataclass(frozen=True)
class Comparison:
    """Several calibrations of one or several reward models"""
    table: pd.DataFrame
    level: float

    @property
    def summary(self) -> pd.DataFrame:
        """Over models: |Spearman| and its spread, and mean, least and greatest gain (table 3 and figure 1)"""

    def plot(self) -> ChartType:
        """Gains of one model's calibrations, or preferences overturned in several models"""

@dataclass(frozen=True)
class BiasCurve:
    """An estimated bias and a pointwise bootstrap band"""
    table: pd.DataFrame
    label: str
    level: float
    n: int
    replicates: int
    c: object = ...

    def plot(self) -> ChartType:
        """The curve and its band"""

@dataclass(frozen=True)
class Check:
    """One question about a calibration"""
    name: str
    ok: object
    value: float
    words: str

@dataclass(frozen=True)
class CalibrationChecks:
    """Assumptions and guards of one calibration"""
    label: str
    checks: tuple

    @property
    def table(self) -> pd.DataFrame:
        """One row per check"""

    def get(self, name: str) -> Check:
        """One check by name"""

@dataclass(frozen=True)
class Sensitivity:
    """What a correction does to pairwise accuracy if quality is truly correlated with the characteristic"""
    table: pd.DataFrame
    reliability: tuple
    label: str
    corrects: bool

    @property
    def harmful(self) -> dict:
        """Where the gain turns negative at one end of the reliability, and at both; NaN: nowhere"""

    def at(self, relation: float) -> pd.Series:
        """Gains if the true relation were this"""

    @property
    def words(self) -> str:
        """The line in words"""
