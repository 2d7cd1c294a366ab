# Written by `make export` from the module beside it. Edit the notebook.
"""How can a million local regressions cost little more than one pass over the data, without losing relevant digits?"""
from collections.abc import Callable
from dataclasses import dataclass
from numpy.typing import ArrayLike
from typing import Any
import numpy as np
EDGE: float
FLOOR: float
COUNTS: float
POWERS: int
LANE: int
STRIP: int
TRUST: float
SMALL: int
REACHES: tuple[Any, ...]
BLOCK: float
GROUP: float
LINE: float
PAIR: float
LEAF: int
PAIRS: Any
FLAT: float

def window_radius(points: np.ndarray, k: int, at: np.ndarray) -> np.ndarray:
    """Half-width of the window of the k nearest points"""

def local_lines(x: np.ndarray, at: np.ndarray, radius: np.ndarray, k: int) -> LocalLines:
    """Find the groups inside every window"""

def two_passes(x: np.ndarray, a: np.ndarray, b: np.ndarray, alive: np.ndarray, at: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Weighted line through every window, means first"""

def from_anchor(steps: np.ndarray, anchor: int) -> np.ndarray:
    """Running sums in both directions"""

def powers(t: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Powers 0 … 11 by doubling"""

def lane_sums(t: np.ndarray, a: np.ndarray, b: np.ndarray, spare: np.ndarray, sums: np.ndarray) -> None:
    """sums[j, p, 0 or 1] = Σ t^p a or b over the first j groups of each lane"""

def edge_sums(t: np.ndarray, a: np.ndarray, b: np.ndarray, edges: np.ndarray) -> tuple:
    """Moments at the edges of every window of a block"""

def kernel_sums(moments: np.ndarray, s: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Sums of the tricube kernel times powers of v = (x - x₀)/h"""

def lines_and_bounds(sums: np.ndarray, cover: np.ndarray, s: np.ndarray, floor: np.ndarray, k: int) -> tuple:
    """Value of each local line and how far rounding may have moved it"""

def leaves(at: np.ndarray, size: int=...) -> list:
    """Cut rows into leaves of neighbours by medians"""

def squared_distances(x: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Every point from every other, difference by difference"""

def products(x: np.ndarray, at: np.ndarray) -> tuple:
    """|x - x₀|² = -2 x·x₀ + |x|² + |x₀|² as a product of matrices"""

def leaf_radii(points: np.ndarray, at: np.ndarray, k: int) -> np.ndarray:
    """Radius of the window of each row of a leaf"""

def local_planes(x: np.ndarray, counts: np.ndarray, at: np.ndarray, k: int) -> LocalPlanes:
    """Find every window"""

def plane_values(level: np.ndarray, centre: np.ndarray, cov: np.ndarray, cross: np.ndarray) -> np.ndarray:
    """Evaluate weighted planes; directions without spread carry no slope"""

def window_sums(x: np.ndarray, at: np.ndarray, radius: np.ndarray, terms: np.ndarray) -> np.ndarray:
    """Sum columns over every window of a leaf"""

def window_size(frac: float, n: int) -> int:
    """k = int(frac·n + 1e-10), between 2 and n"""

def tie_groups(x: np.ndarray) -> tuple:
    """Responses with the same characteristic"""

def scatter(y: np.ndarray, x: np.ndarray, frac: float) -> Scatter:
    """Group ties and note the rewards' middle, scale and rounding noise"""

def bisquare(residuals: np.ndarray, reach: float) -> np.ndarray:
    """Tukey's robustness weights"""

def lowess(y: ArrayLike, x: ArrayLike, *, frac: float=..., it: int=3, x_eval: ArrayLike | None=None) -> np.ndarray:
    """Robust locally weighted regression (Cleveland 1979; post-hoc reward calibration, Algorithm 1)"""

@dataclass(frozen=True)
class LocalLines:
    """Where local lines are wanted and what each of them sees; the same for every robust refit"""
    x: np.ndarray
    at: np.ndarray
    radius: np.ndarray
    edges: np.ndarray
    k: int

    def exactly(self, which: np.ndarray, a: np.ndarray, b: np.ndarray, alive: np.ndarray, pairs: int=...) -> np.ndarray:
        """Lines in two passes, a few at a time: O(pairs) memory"""

    def by_moments(self, which: np.ndarray, a: np.ndarray, b: np.ndarray, scale: float) -> tuple:
        """One block of local lines from moments"""

    def blocks(self, which: np.ndarray, reach: float) -> list:
        """Cut lines into blocks of neighbours"""

    def fit(self, a: np.ndarray, b: np.ndarray, alive: Callable[[], np.ndarray], scale: float) -> np.ndarray:
        """Fit every local line, by moments where they can be trusted and in two passes where not"""

@dataclass(frozen=True)
class LocalPlanes:
    """Where local planes are wanted and how far each of them sees; the same for every robust refit"""
    x: np.ndarray
    at: np.ndarray
    radius: np.ndarray
    leaves: list
    k: int

    def exactly(self, i: int, a: np.ndarray, b: np.ndarray, alive: np.ndarray) -> float:
        """One local plane in two passes"""

    def by_leaf(self, rows: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple:
        """The planes of one leaf"""

    def fit(self, a: np.ndarray, b: np.ndarray, alive: Callable[[], np.ndarray], scale: float | None=None) -> np.ndarray:
        """Fit every local plane, leaf by leaf"""

@dataclass(frozen=True)
class Scatter:
    """Rewards over a characteristic, ties grouped"""
    x: np.ndarray
    counts: np.ndarray
    group: np.ndarray
    y: np.ndarray
    middle: float
    scale: float
    noise: float
    k: int

    def windows(self, at: np.ndarray | None=None) -> tuple:
        """Every window, found once for all refits"""

    def curve(self, windows: tuple, delta: np.ndarray | None) -> np.ndarray:
        """Fit every window with these robustness weights"""

    def robustness(self, windows: tuple, it: int) -> np.ndarray | None:
        """Weights after `it` rounds of fitting and looking at residuals"""
