# Written by `make export` from the module beside it. Edit the notebook.
"""How many responses, and how many rewrites of each, does an audit need?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from numpy.typing import ArrayLike
import numpy as np
import pandas as pd
FULL_PILOT: tuple[int, ...]

def variance_components(values: ArrayLike, examples: ArrayLike, prompts: ArrayLike) -> VarianceComponents:
    """Split the variance of contrasts into prompt, response and rewrite"""

def planned_error(n: int, components: VarianceComponents | float, per_prompt: int=1, draws: int=1) -> float:
    """Standard error that an audit of this size will have"""

def power_at(effect: float, n: int, components: VarianceComponents | float, per_prompt: int=1, draws: int=1, level: float=0.95) -> float:
    """Chance of detecting an effect"""

def smallest(enough: Callable[[int], bool], start: int=2, max_n: float=...) -> int | None:
    """The smallest number that is enough"""

def power_n(effect: float, components: VarianceComponents | float, *, power: float=0.8, per_prompt: int=1, draws: int=1, level: float=0.95) -> int:
    """Number of responses an audit needs"""

def minimum_detectable_effect(n: int, components: VarianceComponents | float, *, power: float=0.8, per_prompt: int=1, draws: int=1, level: float=0.95) -> float:
    """Smallest effect an audit of this size finds with the wanted power"""

def equivalence_power(margin: float, std_error: float, df: float, times: float=1.0, level: float=0.95) -> float:
    """Chance of showing that a difference is negligible"""

def growth_to_show(chance: Callable[[float], float], power: float=0.8) -> float:
    """By what factor must a sample grow to show what is negligible?"""

def growth_to_find(gap: float, std_error: float, power: float=0.8, level: float=0.95) -> float:
    """By what factor must a sample grow to find a difference of the size that was estimated?"""

def design_effect(sizes: ArrayLike, icc: float) -> float:
    """How much more a mean of responses errs because some share a prompt"""

def planned_variance(psi: np.ndarray, within: np.ndarray, n: int, df: float, weight: float=1.0, draws: float=1.0) -> tuple[float, float]:
    """Variance of an audit's estimate times its responses"""

def variance_range(se: float, df: float, sure: float=0.9) -> tuple[float, float]:
    """What a pilot leaves open about a variance, tails included"""

def pilot_variance(values: ArrayLike, examples: ArrayLike, prompts: ArrayLike, noise: ArrayLike | None=None, repeats: ArrayLike | None=None) -> PilotVariance:
    """Mean squares of prompts, responses, draws and repeats, of any sizes"""

def design_variance(found: PilotVariance, m: int | None, k: int | None, sure: float=0.9, q: int | None=None) -> tuple:
    """The variance of one prompt's contribution to an effect, in some design"""

def prompts_for_width(width: float, variance: float, level: float=0.95) -> int:
    """The fewest prompts whose interval is no wider"""

def declared_variances(excess: float=0.0, people: float=0.7, reward: float=0.65, voters: float=0.1) -> tuple:
    """Variances of an excess over people from how often choices agree"""

def vote_error_at_margin(margin: float, pairs: int) -> float:
    ...

def votes_power(pairs: int, per_pair: int, voters: int, variances: tuple[float, float, float], excess: float=0.0, *, margin: float | None=None, level: float=0.95) -> float:
    """Chance that a vote of this size decides"""

def votes_needed(excess: float=0.2, *, variances: tuple[float, float, float] | None=None, people: float=0.7, reward: float=0.65, voter_sd: float=0.1, voters: Sequence[int]=(3, 10, 30, 100), per_pair: Sequence[int]=(1, 2, 3), margin: float=0.1, power: float=0.8, level: float=0.95) -> pd.DataFrame:
    """How many votes does an excess over people need?"""

@dataclass(frozen=True)
class VarianceComponents:
    """Where the variance of a contrast comes from, in squared units of the reward"""
    prompt: float
    example: float
    rewrite: float

    @property
    def total(self) -> float:
        ...

@dataclass(frozen=True)
class MeanSquare:
    """A variance with its degrees of freedom"""
    value: float
    df: float

@dataclass(frozen=True)
class PilotVariance:
    """What a pilot says about the spread of contrasts"""
    prompts: MeanSquare
    responses: MeanSquare
    draws: MeanSquare
    clusters: int
    m: float
    k: float
    a: float
    b: float
    h: float
    repeats: MeanSquare = ...
    q: float = ...
    each: float = ...
    of: float = ...

    @property
    def full(self) -> bool:
        ...
