# Written by `make export` from the module beside it. Edit the notebook.
"""A reward model prefers long responses. How is that preference taken out of rewards it has already given?"""
from typing import Any
import numpy as np
FEW_LEVELS: int
CLIP: float
FOLDS: int
LEAST_PROMPTS: int
CANDIDATES: tuple[tuple[Any, ...], ...]
MOST_TEXTS: int

def whole_rows(c, r):
    """Characteristics and rewards of the rows that have both"""

def checked_gamma(gamma):
    ...

def compared_rows(pairs, n):
    """Which rows are compared with which"""

def needed_pairs(pairs, n):
    """Which rows are compared with which, or an error"""

def window(u, q, d):
    """The strict window of equation 6 in a sorted list"""

def default_distance(c, pairs=None, here=None) -> float:
    """The window's half-width of Appendix C"""

def paper_frac(n):
    ...

def sigmoid(m):
    ...

def to_margin(preference, clip=...) -> np.ndarray:
    """The margin behind a preference probability (equation 1)"""

def as_columns(c):
    """Several characteristics as an array, with their names"""

def prompts_of(pairs, here) -> np.ndarray:
    """Texts that are compared, directly or through others, belong to one prompt"""

def ranked(prompts, c, r) -> np.ndarray:
    """Places of prompts, the same whatever the order of the rows and the units"""

def prompt_losses(errors, prompts) -> np.ndarray:
    """Losses by prompt"""

def chosen(losses) -> int:
    """The simplest candidate within one standard error of the best"""

def largest_jump(c, r):
    """The place that divides the rewards best in two levels"""

def step_at(c, jump):
    ...

def candidates(n) -> list:
    """What cross-validation may choose from, the simplest first"""

def fewer(place, c, r):
    """Every k-th prompt; where these have too many texts, every k-th of each prompt's"""

def chosen_window(c, r, prompts, it=3) -> tuple:
    """The window that predicts the rewards of other prompts best"""

class CalibrationWarning(UserWarning):
    """A calibration that should not be used without a look"""

class Calibrator:
    """A bias estimated from rewards and a characteristic, and a dial for how much of it to take out"""
    __hash__: Any
    by_prompt: bool
    gamma: float
    label: str

    def choice_in_words(self) -> str:
        ...

    def get_params(self, deep=True) -> dict:
        ...

    def __repr__(self):
        ...

    def __eq__(self, other):
        ...

    def set_params(self, **params) -> Calibrator:
        """Change parameters by name"""

    def clone(self, **params) -> Calibrator:
        """The same method, unfitted, with some parameters changed"""

    def turned(self, gamma) -> Calibrator:
        """The same fit with another γ, which is no part of a fit"""

    def fit(self, c, r, pairs=None) -> Calibrator:
        """Estimate the bias"""

    def calibrate(self, c, r) -> np.ndarray:
        """Take the estimated bias out of rewards"""

    def calibrate_margin(self, c1, c0, margin) -> np.ndarray:
        """Take the estimated bias out of margins (equations 6 to 8)"""

    def calibrate_pairs(self, c, r, pairs) -> np.ndarray:
        """Calibrated margins of pairs of rows"""

    def fit_calibrate(self, c, r, pairs=None) -> np.ndarray:
        """Fit, and calibrate what was fitted"""

    def refit(self, c, r, pairs=None) -> Calibrator:
        """The same method on other rewards, without choosing again what its fit chose"""

class LengthPenalty(Calibrator):
    """r - alpha * c (calibration paper, section 4)"""
    alpha: Any
    gamma: Any
    label: str
    normalise: Any
    scale_: Any

    def __init__(self, alpha=0.001, normalise=False, gamma=1.0):
        ...

    def predict(self, c) -> np.ndarray:
        """alpha * c, in the unit of the reward"""

class RCMean(Calibrator):
    """Mean reward of texts with a like characteristic (calibration paper, equation 6)"""
    distance: Any
    distance_: Any
    gamma: Any
    label: str
    min_count: Any
    uncalibrated_: Any

    def __init__(self, distance=None, min_count=10, gamma=1.0):
        ...

    def predict(self, c) -> np.ndarray:
        """Local mean reward"""

class RCLWR(Calibrator):
    """Robust locally weighted regression of rewards (calibration paper, equations 7 and 8, Algorithm 1)"""
    frac: Any
    gamma: Any
    it: Any
    label: str
    outside: Any

    def __init__(self, frac=..., it=3, gamma=1.0, outside='hold'):
        ...

    @classmethod
    def paper(cls, **params):
        """The settings of the calibration paper, whose window depends on the number of texts"""

    @property
    def by_prompt(self):
        ...

    def choice_in_words(self):
        ...

    def predict(self, c) -> np.ndarray:
        """The fitted curve at any characteristic"""

    def refit(self, c, r, pairs=None) -> Calibrator:
        """The same window on other rewards"""

class RCLWRPenalty(RCLWR):
    """A length penalty, then RC-LWR (calibration paper, section 4)"""
    alpha: Any
    label: str

    def __init__(self, alpha=0.001, frac=..., it=3, gamma=1.0, outside='hold'):
        ...

    def fit(self, c, r, pairs=None, length=None):
        """Penalise, then estimate what the characteristic still explains"""

    def penalty(self, c, length=None) -> np.ndarray:
        """What the penalty alone takes off"""

    def calibrate(self, c, r, length=None) -> np.ndarray:
        """Penalise, then take out what the characteristic still explains"""

    def calibrate_margin(self, c1, c0, margin, length1=None, length0=None) -> np.ndarray:
        """Penalised margins without what the characteristic still explains"""

class MarginCalibrator(Calibrator):
    """The bias of a judge's margin as a function of the difference of a characteristic (calibration paper, Appendix C)"""
    calibrator: Any
    clip: Any
    gamma: Any
    label: str
    recentre: Any

    def __init__(self, calibrator=None, clip=..., recentre=True, gamma=1.0):
        ...

    def fit(self, difference, preference, pairs=None) -> Calibrator:
        """Estimate how the margin follows the difference"""

    def predict(self, difference) -> np.ndarray:
        """The part of the margin that the difference explains"""

    def margin(self, difference, preference) -> np.ndarray:
        """Margins without the bias"""

    def calibrate(self, difference, preference) -> np.ndarray:
        """Preferences without the bias; their mean is a win rate"""

    def calibrate_margin(self, c1, c0, margin) -> np.ndarray:
        """Take the bias out of margins"""

class SeveralCalibrator(Calibrator):
    """A bias that depends on several characteristics"""
    high_: Any
    low_: Any
    mean_: Any
    n_: Any
    n_missing_: Any
    named_: Any
    names_: Any
    sd_: Any

    def fit(self, c, r, pairs=None):
        """Estimate the bias"""

    def predict(self, c) -> np.ndarray:
        """The bias at any combination of characteristics"""

    def calibrate_pairs(self, c, r, pairs) -> np.ndarray:
        """Calibrated margins of pairs of rows"""

class JointRCLWR(SeveralCalibrator):
    """Local regression on all characteristics at once, z-scored, Euclidean (calibration paper, Appendix D)"""
    frac: Any
    gamma: Any
    it: Any
    label: str

    def __init__(self, frac=..., it=3, gamma=1.0):
        ...

class AdditiveRCLWR(SeveralCalibrator):
    """A sum of robust local regressions, one a characteristic, by backfitting"""
    frac: Any
    gamma: Any
    it: Any
    label: str
    sweeps: Any
    tol: Any

    def __init__(self, frac=..., it=3, gamma=1.0, sweeps=20, tol=0.001):
        ...

    @property
    def by_prompt(self):
        ...

    def choice_in_words(self):
        ...
