# Written by `make export` from the module beside it. Edit the notebook.
"""What is the true effect, exactly, and what does each estimator converge to?"""
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
import numpy as np
import pandas as pd
FLIPS: dict[str, Any]
COMPARED: dict[str, tuple[list[str], ...]]

@dataclass(frozen=True, eq=False)
class FiniteWorld:
    """A simulation of finitely many responses in which every expectation is a sum of fractions"""
    population: Mapping
    reward_wz: object
    reward_xi: object
    rewrite: object
    keeps: object = ...
    misses: object = ...
    interaction: object = ...
    strength: Fraction = ...

    def __post_init__(self):
        ...

    def reward(self, x: Any, w: Any, z: Any, xi: Any) -> Fraction:
        """R = R_WZ(x, w, z) + R_ξ(x, ξ) + λ·interaction (RATE paper, assumption 1)"""

    def effect(self, x: Any, w: Any, z: Any, xi: Any) -> Fraction:
        """R(x, y(1)) - R(x, y(0)) of one text"""

    def share(self) -> Fraction:
        """Probability that a text has the attribute"""

    def estimand(self, name: str, given: Callable[..., bool] | None=None, style: str='originals', estimator: str='rate') -> Fraction:
        """The true effect"""

    def rewrites(self, x: Any, w: Any, z: Any, xi: Any, target: int, depth: int) -> dict:
        """The law of Re(x, y, target)"""

    def paths(self, estimator: str, x: Any, w: Any, z: Any, xi: Any) -> Iterator[tuple[Fraction, Fraction]]:
        """Every contrast one text can yield"""

    def expected(self, estimator: str, estimand: str) -> Fraction:
        """Expectation of an estimator, at every sample size"""

    def bias(self, estimator: str, estimand: str) -> Fraction:
        """Expectation minus truth, by enumeration"""

    def variance(self, estimator: str, estimand: str, n: int) -> Fraction:
        """Exact variance of an estimator at one sample size"""

    def after(self, x: Any, w: Any, z: Any, xi: Any, targets: Sequence[int]) -> dict:
        """The law of a rewrite of a rewrite of …"""

    def level(self, column: str, arm: int, of: str='reward') -> Fraction:
        """Mean of one column of a scored table in one arm"""

    def functional(self, weights: dict[str, Any], estimand: str, of: str='reward') -> Fraction:
        """What a combination of rewards converges to: with minus without"""

    def styles(self, estimator: str, x: Any, w: Any, z: Any, given: Callable[..., bool]=...) -> tuple:
        """P(ξ | x, z, w) on the two sides that an estimator compares"""

    def predicted_bias(self, estimator: str, estimand: str) -> Fraction:
        """Bias in closed form, without following any path"""

    @classmethod
    def on_grid(cls, counts: Sequence[int], wz: Sequence[int], xi: Sequence[int], rewrite: Sequence[int] | Callable[..., Any], **dials: Any) -> FiniteWorld:
        """A simulation with 2 prompts × 2 attributes × 2 Z × 3 ξ from whole numbers"""

    @classmethod
    def random(cls, rng: np.random.Generator | int, **dials: Any) -> FiniteWorld:
        """A simulation drawn at random that satisfies the theorem's assumptions unless a dial says otherwise"""

    def sample(self, n: int, rng: np.random.Generator | int, draws: int=1, depth: int=2) -> pd.DataFrame:
        """Draw texts, rewrite them, score everything"""

    @classmethod
    def least_squares(cls, rows: Sequence[tuple]) -> list:
        """Population least squares"""

    def regression_slope(self, wz: Callable[..., Any], xi: Callable[..., Any]) -> Fraction:
        """λ: slope of the population's regression of reward on characteristic"""

    def minus_line(self, slope: Any, wz: Callable[..., Any], xi: Callable[..., Any]) -> FiniteWorld:
        """A finite world whose rewards have had a line subtracted"""

    def measuring(self, wz: Callable[..., Any], xi: Callable[..., Any]) -> FiniteWorld:
        """The same population and rewriter, the reward being the characteristic itself"""

    def predict_line(self, wz: Callable[..., Any], xi: Callable[..., Any], gamma: Any=1, estimand: str='ATE') -> Prediction:
        """What a regression line leaves of an effect, in fractions"""

    def chains(self) -> list:
        """Every chain a text can go through"""

@dataclass(frozen=True)
class Prediction:
    """What subtracting γ times a fitted curve does to an effect; exact when its parts are"""
    effect: object
    removed: object
    gamma: object = ...

    @property
    def left(self) -> Fraction:
        ...

    @property
    def gamma_zero(self) -> Fraction:
        ...
