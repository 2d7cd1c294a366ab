# Written by `make export` from the module beside it. Edit the notebook.
"""A reward model prefers long responses. How can this preference be removed from existing rewards?"""
from numpy.typing import ArrayLike
from typing import Any
import numpy as np
FEW_LEVELS: int
CLIP: float
FOLDS: int
LEAST_PROMPTS: int
CANDIDATES: tuple[tuple[Any, ...], ...]
MOST_TEXTS: int

def whole_rows(c: ArrayLike, r: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Characteristics and rewards of the rows that have both"""

def checked_gamma(gamma: float) -> float:
    ...

def compared_rows(pairs: ArrayLike | None, n: int) -> np.ndarray | None:
    """Which rows are compared with which"""

def needed_pairs(pairs: ArrayLike | None, n: int) -> np.ndarray:
    """Which rows are compared with which, or an error"""

def check_calibrator(calibrator: Any) -> None:
    ...

def window(u: np.ndarray, q: np.ndarray, d: float) -> tuple[np.ndarray, np.ndarray]:
    """The strict window of equation 6 in a sorted list"""

def default_distance(c: np.ndarray, pairs: ArrayLike | None=None, here: np.ndarray | None=None) -> float:
    """The window's half-width of Appendix C"""

def paper_frac(n: int) -> float:
    ...

def sigmoid(m: ArrayLike) -> np.ndarray:
    ...

def to_margin(preference: ArrayLike, clip: float=...) -> np.ndarray:
    """The margin behind a preference probability (equation 1)"""

def as_columns(c: ArrayLike) -> tuple[np.ndarray, list]:
    """Several characteristics as an array, with their names"""

def prompts_of(pairs: ArrayLike | None, here: np.ndarray) -> np.ndarray:
    """Texts that are compared, directly or through others, belong to one prompt"""

def ranked(prompts: np.ndarray, c: ArrayLike, r: ArrayLike) -> np.ndarray:
    """Places of prompts, the same whatever the order of the rows and the units"""

def prompt_losses(errors: np.ndarray, prompts: np.ndarray) -> np.ndarray:
    """Losses by prompt"""

def chosen(losses: np.ndarray) -> int:
    """The simplest candidate within one standard error of the best"""

def largest_jump(c: ArrayLike, r: ArrayLike) -> tuple[float, float] | None:
    """The place that divides the rewards best in two levels"""

def step_at(c: ArrayLike, jump: tuple[float, float] | None) -> np.ndarray | float:
    ...

def candidates(n: int) -> list:
    """What cross-validation may choose from, the simplest first"""

def fewer(place: np.ndarray, c: ArrayLike, r: ArrayLike) -> np.ndarray:
    """Every k-th prompt; where these have too many texts, every k-th of each prompt's"""

def chosen_window(c: ArrayLike, r: ArrayLike, prompts: np.ndarray, it: int=3) -> tuple:
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

    def get_params(self, deep: bool=True) -> dict:
        ...

    def __repr__(self) -> str:
        ...

    def __eq__(self, other):
        ...

    def set_params(self, **params: Any) -> Calibrator:
        """Change parameters by name"""

    def clone(self, **params: Any) -> Calibrator:
        """The same method, unfitted, with some parameters changed"""

    def turned(self, gamma: float) -> Calibrator:
        """The same fit with another γ, which is no part of a fit"""

    def fit(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None) -> Calibrator:
        """Estimate the bias"""

    def calibrate(self, c: ArrayLike, r: ArrayLike) -> np.ndarray:
        """Take the estimated bias out of rewards"""

    def calibrate_margin(self, c1: ArrayLike, c0: ArrayLike, margin: ArrayLike) -> np.ndarray:
        """Take the estimated bias out of margins (equation 8)"""

    def calibrate_pairs(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike) -> np.ndarray:
        """Calibrated margins of pairs of rows"""

    def fit_calibrate(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None) -> np.ndarray:
        """Fit, and calibrate what was fitted"""

    def refit(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None) -> Calibrator:
        """The same method on other rewards, without choosing again what its fit chose"""

class LengthPenalty(Calibrator):
    """r - alpha * c (calibration paper, section 4)"""
    alpha: float
    gamma: float
    label: str
    normalise: bool
    scale_: Any

    def __init__(self, alpha: float=0.001, normalise: bool=False, gamma: float=1.0):
        ...

    def predict(self, c: ArrayLike) -> np.ndarray:
        """alpha * c, in the unit of the reward"""

class RCMean(Calibrator):
    """Mean reward of texts with a like characteristic (calibration paper, equation 6)"""
    distance: float | None
    distance_: Any
    gamma: float
    label: str
    min_count: int
    uncalibrated_: Any

    def __init__(self, distance: float | None=None, min_count: int=10, gamma: float=1.0):
        ...

    def predict(self, c: ArrayLike) -> np.ndarray:
        """Local mean reward"""

class RCLWR(Calibrator):
    """Robust locally weighted regression of rewards (calibration paper, equations 7 and 8, Algorithm 1)"""
    frac: float | str | None
    gamma: float
    it: int
    label: str
    outside: str

    def __init__(self, frac: float | str | None=..., it: int=3, gamma: float=1.0, outside: str='hold'):
        ...

    @classmethod
    def paper(cls, **params: Any) -> RCLWR:
        """The settings of the calibration paper, whose window depends on the number of texts"""

    @property
    def by_prompt(self) -> bool:
        ...

    def choice_in_words(self) -> str:
        ...

    def predict(self, c: ArrayLike) -> np.ndarray:
        """The fitted curve at any characteristic"""

    def refit(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None) -> Calibrator:
        """The same window on other rewards"""

class RCLWRPenalty(RCLWR):
    """A length penalty, then RC-LWR (calibration paper, section 4)"""
    alpha: float
    label: str

    def __init__(self, alpha: float=0.001, frac: float | str | None=..., it: int=3, gamma: float=1.0, outside: str='hold'):
        ...

    def fit(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None, length: ArrayLike | None=None) -> RCLWRPenalty:
        """Penalise, then estimate what the characteristic still explains"""

    def penalty(self, c: ArrayLike, length: ArrayLike | None=None) -> np.ndarray:
        """What the penalty alone takes off"""

    def calibrate(self, c: ArrayLike, r: ArrayLike, length: ArrayLike | None=None) -> np.ndarray:
        """Penalise, then take out what the characteristic still explains"""

    def calibrate_margin(self, c1: ArrayLike, c0: ArrayLike, margin: ArrayLike, length1: ArrayLike | None=None, length0: ArrayLike | None=None) -> np.ndarray:
        """Penalised margins without what the characteristic still explains"""

class MarginCalibrator(Calibrator):
    """The bias of a judge's margin as a function of the difference of a characteristic (calibration paper, Appendix C)"""
    calibrator: Calibrator | None
    clip: float
    gamma: float
    label: str
    recentre: bool

    def __init__(self, calibrator: Calibrator | None=None, clip: float=..., recentre: bool=True, gamma: float=1.0):
        ...

    def fit(self, difference: ArrayLike, preference: ArrayLike, pairs: ArrayLike | None=None) -> Calibrator:
        """Estimate how the margin follows the difference"""

    def predict(self, difference: ArrayLike) -> np.ndarray:
        """The part of the margin that the difference explains"""

    def margin(self, difference: ArrayLike, preference: ArrayLike) -> np.ndarray:
        """Margins without the bias"""

    def calibrate(self, difference: ArrayLike, preference: ArrayLike) -> np.ndarray:
        """Preferences without the bias; their mean is a win rate"""

    def calibrate_margin(self, c1: ArrayLike, c0: ArrayLike, margin: ArrayLike) -> np.ndarray:
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

    def fit(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike | None=None) -> SeveralCalibrator:
        """Estimate the bias"""

    def predict(self, c: ArrayLike) -> np.ndarray:
        """The bias at any combination of characteristics"""

    def calibrate_pairs(self, c: ArrayLike, r: ArrayLike, pairs: ArrayLike) -> np.ndarray:
        """Calibrated margins of pairs of rows"""

class JointRCLWR(SeveralCalibrator):
    """Local regression on all characteristics at once, z-scored, Euclidean (calibration paper, Appendix D)"""
    frac: float
    gamma: float
    it: int
    label: str

    def __init__(self, frac: float=..., it: int=3, gamma: float=1.0):
        ...

class AdditiveRCLWR(SeveralCalibrator):
    """A sum of robust local regressions, one a characteristic, by backfitting"""
    frac: float | str | None
    gamma: float
    it: int
    label: str
    sweeps: int
    tol: float

    def __init__(self, frac: float | str | None=..., it: int=3, gamma: float=1.0, sweeps: int=20, tol: float=0.001):
        ...

    @property
    def by_prompt(self) -> bool:
        ...

    def choice_in_words(self) -> str:
        ...
