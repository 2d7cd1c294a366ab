# Written by `make export` from the module beside it. Edit the notebook.
"""After a pilot of fifty responses: how many more responses do I need, and what precision do I get for $60?"""
from dataclasses import dataclass
from rate_nb.rewriting.planning import Plan
from rate_nb.stats.power import PilotVariance
from rate_nb.stats.power import VarianceComponents
from typing import Any
import pandas as pd

def chain_cost(rewrites: pd.DataFrame | None=None, rewriting: Plan | None=None, prices: Any=None, batch: bool | None=None, seconds: float | None=None) -> ChainCost:
    """Tokens, dollars and time of one chain"""

def plan_sample_size(pilot: pd.DataFrame, *, rewrites: pd.DataFrame | None=None, rewriting: Plan | None=None, estimator: str | dict[str, float]='rate', estimand: str='ATE', model: str | None=None, cluster: str | None='prompt_id', draws: int | None=None, compliance: float=1.0, prices: Any=None, batch: bool | None=None, seconds: float | None=None, cost_response: float=0.0, level: float=0.95, sure: float=0.9) -> SampleSizePlan:
    """What a pilot says about audits of any size"""

def plan_design(pilot: pd.DataFrame, width: float, *, estimator: str='rate', estimand: str='ATE', largest: tuple[int, int]=(12, 8), max_prompts: int=0, cost_prompt: float=0.0, cost_response: float=0.0, cost_chain: float=..., cost_repeat: float=0.0, level: float=0.95, sure: float=0.9) -> tuple:
    """How many prompts, responses and draws make an interval as narrow as wished"""

def repeat_noise(scored: pd.DataFrame, weights: dict[str, float]) -> tuple:
    """How much a contrast changes when scoring is repeated"""

def variance_parts(found: PilotVariance) -> pd.DataFrame:
    """Where the spread of contrasts comes from"""

def better_spent(designs: pd.DataFrame, now: tuple[int, int, int]) -> str:
    """Is a dollar better spent on prompts, responses, draws or repeats?"""

@dataclass(frozen=True)
class ChainCost:
    """What rewriting one response once, there and back, takes"""
    prompt: float
    completion: float
    dollars: float
    error: float
    seconds: float
    note: str

@dataclass(frozen=True, repr=False)
class SampleSizePlan:
    """What an audit of any size will know, and cost"""
    variance: float
    log_error: float
    clusters: int
    df: float
    n_pilot: int
    components: VarianceComponents
    draws: int
    cost: ChainCost
    cost_response: float
    compliance: float
    rates: pd.DataFrame
    estimand: str
    level: float
    sure: float
    notes: tuple

    @property
    def per_prompt(self) -> float:
        ...

    @property
    def dollars_response(self) -> float:
        ...

    def width(self, n: int) -> tuple:
        """Width of the interval of an audit of `n` responses"""

    def size(self, n: int, n_range: tuple[float, float] | None=None) -> AuditSize:
        """What an audit of `n` responses will know, and what it takes"""

    def for_width(self, width: float) -> AuditSize:
        """Responses for an interval of this width"""

    def for_power(self, effect: float, power: float=0.8) -> AuditSize:
        """Responses to find an effect of this size"""

    def for_budget(self, dollars: float) -> AuditSize:
        """What so much money buys"""

    @property
    def table(self) -> pd.DataFrame:
        """Audits of many sizes"""

    def __repr__(self) -> str:
        ...

@dataclass(frozen=True, repr=False)
class AuditSize:
    """An audit of one size: what it will know, and what it takes"""
    n: int
    n_range: tuple
    width: float
    width_range: tuple
    prompts: int
    df: float
    dollars: float
    dollars_range: tuple
    tokens: tuple
    seconds: float
    draws: int
    level: float
    sure: float

    @property
    def detectable(self) -> float:
        """Smallest effect found with power 80%"""

    def sentence(self) -> str:
        """The answer in words"""

    def __repr__(self) -> str:
        ...
