# Written by `make export` from the module beside it. Edit the notebook.
"""How can a million local regressions cost little more than one pass over the data, and lose no digit that matters?"""
from dataclasses import dataclass
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

def window_radius(points, k, at) -> np.ndarray:
    """Half-width of the window of the k nearest points"""

def local_lines(x, at, radius, k) -> LocalLines:
    """Find the groups inside every window"""

def two_passes(x, a, b, alive, at, radius) -> np.ndarray:
    """Weighted line through every window, means first"""

def from_anchor(steps, anchor) -> np.ndarray:
    """Running sums in both directions"""

def powers(t, out):
    """Powers 0 … 11 by doubling"""

def lane_sums(t, a, b, spare, sums):
    """sums[j, p, 0 or 1] = Σ t^p a or b over the first j groups of each lane"""

def edge_sums(t, a, b, edges) -> tuple:
    """Moments at the edges of every window of a block"""

def kernel_sums(moments, s, w) -> np.ndarray:
    """Sums of the tricube kernel times powers of v = (x - x₀)/h"""

def lines_and_bounds(sums, cover, s, floor, k) -> tuple:
    """Value of each local line and how far rounding may have moved it"""

def leaves(at, size=...) -> list:
    """Cut rows into leaves of neighbours by medians"""

def squared_distances(x, at) -> np.ndarray:
    """Every point from every other, difference by difference"""

def products(x, at) -> tuple:
    """|x - x₀|² = -2 x·x₀ + |x|² + |x₀|² as a product of matrices"""

def leaf_radii(points, at, k) -> np.ndarray:
    """Radius of the window of each row of a leaf"""

def local_planes(x, counts, at, k) -> LocalPlanes:
    """Find every window"""

def plane_values(level, centre, cov, cross) -> np.ndarray:
    """Evaluate weighted planes; directions without spread carry no slope"""

def window_sums(x, at, radius, terms) -> np.ndarray:
    """Sum columns over every window of a leaf"""

def window_size(frac, n) -> int:
    """k = int(frac·n + 1e-10), between 2 and n"""

def tie_groups(x) -> tuple:
    """Responses with the same characteristic"""

def scatter(y, x, frac):
    """Group ties and note the rewards' middle, scale and rounding noise"""

def bisquare(residuals, reach) -> np.ndarray:
    """Tukey's robustness weights"""

def lowess(y, x, *, frac=..., it=3, x_eval=None) -> np.ndarray:
    """Robust locally weighted regression (Cleveland 1979; post-hoc reward calibration, Algorithm 1)"""

@dataclass(frozen=True)
class LocalLines:
    """Where local lines are wanted and what each of them sees; the same for every robust refit"""
    x: np.ndarray
    at: np.ndarray
    radius: np.ndarray
    edges: np.ndarray
    k: int

    def exactly(self, which, a, b, alive, pairs=...) -> np.ndarray:
        """Lines in two passes, a few at a time: O(pairs) memory"""

    def by_moments(self, which, a, b, scale) -> tuple:
        """One block of local lines from moments"""

    def blocks(self, which, reach) -> list:
        """Cut lines into blocks of neighbours"""

    def fit(self, a, b, alive, scale) -> np.ndarray:
        """Fit every local line, by moments where they can be trusted and in two passes where not"""

@dataclass(frozen=True)
class LocalPlanes:
    """Where local planes are wanted and how far each of them sees; the same for every robust refit"""
    x: np.ndarray
    at: np.ndarray
    radius: np.ndarray
    leaves: list
    k: int

    def exactly(self, i, a, b, alive) -> float:
        """One local plane in two passes"""

    def by_leaf(self, rows, a, b) -> tuple:
        """The planes of one leaf"""

    def fit(self, a, b, alive, scale=None) -> np.ndarray:
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

    def windows(self, at=None) -> tuple:
        """Every window, found once for all refits"""

    def curve(self, windows, delta) -> np.ndarray:
        """Fit every window with these robustness weights"""

    def robustness(self, windows, it) -> np.ndarray:
        """Weights after `it` rounds of fitting and looking at residuals"""
