# Written by `make export` from the module beside it. Edit the notebook.
"""How many responses, and how many rewrites of each, does an audit need?"""
from dataclasses import dataclass
import pandas as pd
FULL_PILOT: tuple[int, ...]

def variance_components(values, examples, prompts) -> VarianceComponents:
    """Split the variance of contrasts into prompt, response and rewrite"""

def planned_error(n, components, per_prompt=1, draws=1) -> float:
    """Standard error that an audit of this size will have"""

def power_at(effect, n, components, per_prompt=1, draws=1, level=0.95) -> float:
    """Chance of detecting an effect"""

def smallest(enough, start=2, most=...):
    """The smallest number that is enough"""

def power_n(effect, components, *, power=0.8, per_prompt=1, draws=1, level=0.95) -> int:
    """Number of responses an audit needs"""

def minimum_detectable_effect(n, components, *, power=0.8, per_prompt=1, draws=1, level=0.95) -> float:
    """Smallest effect an audit of this size finds with the wanted power"""

def equivalence_power(margin, std_error, df, times=1.0, level=0.95) -> float:
    """Chance of showing that a difference is negligible"""

def growth_to_show(chance, power=0.8) -> float:
    """By what factor must a sample grow to show what is negligible?"""

def growth_to_find(gap, std_error, power=0.8, level=0.95) -> float:
    """By what factor must a sample grow to find a difference of the size that was estimated?"""

def design_effect(sizes, icc):
    """How much more a mean of responses errs because some share a prompt"""

def planned_variance(psi, within, n, df, weight=1.0, draws=1.0):
    """Variance of an audit's estimate times its responses"""

def variance_range(se, df, sure=0.9):
    """What a pilot leaves open about a variance, tails included"""

def pilot_variance(values, examples, prompts) -> PilotVariance:
    """Mean squares of prompts, responses and draws, of any sizes"""

def design_variance(found, m, k, sure=0.9) -> tuple:
    """The variance of one prompt's contribution to an effect, in some design"""

def prompts_for_width(width, variance, level=0.95) -> int:
    """The fewest prompts whose interval is no wider"""

def declared_variances(excess=0.0, people=0.7, reward=0.65, voters=0.1) -> tuple:
    """Variances of an excess over people from how often choices agree"""

def vote_error_at_margin(margin, pairs):
    ...

def votes_power(pairs, per_pair, voters, variances, excess=0.0, *, margin=None, level=0.95) -> float:
    """Chance that a vote of this size decides"""

def votes_needed(excess=0.2, *, variances=None, people=0.7, reward=0.65, voter_sd=0.1, voters=(3, 10, 30, 100), per_pair=(1, 2, 3), margin=0.1, power=0.8, level=0.95) -> pd.DataFrame:
    """How many votes does an excess over people need?"""

@dataclass(frozen=True)
class VarianceComponents:
    """Where the variance of a contrast comes from, in squared units of the reward"""
    prompt: float
    example: float
    rewrite: float

    @property
    def total(self):
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

    @property
    def full(self):
        ...
