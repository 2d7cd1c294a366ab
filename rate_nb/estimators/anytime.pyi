# Written by `make export` from the module beside it. Edit the notebook.
"""May I look at the interval while rewrites come in, and stop when it is narrow enough?"""
from dataclasses import dataclass
from rate_nb.stats.inference import Effect
import pandas as pd

def mixture_bound(variance, level=0.95, tuned_at=500):
    """How far a sum of errors goes, at all looks together (Robbins, 1970)"""

def anytime_quantile(clusters, level=0.95, tuned_at=500):
    """What stands in for 1.96 when one may look at any time"""

def skewed_reach(quantile, skew):
    """Half-widths that allow for skewness (Hall, 1992)"""

def bounded_reach(squares, weights2, texts, sd, level=0.95, tuned_at=500):
    """A band that needs no burn-in where the variance has a bound (Delyon, 2009)"""

def running(f, sums, rows, looks, level):
    """Estimates, and what a band needs to know, at each look"""

def anytime_interval(contrasts, clusters=None, *, burn_in=None, sd=None, level=0.95, tuned_at=500) -> pd.DataFrame:
    """A band around the running mean that may be looked at after every prompt"""

def sequential_effects(scored, *, order=None, rng=None, estimator='rate', cluster='prompt_id', burn_in=None, sd=None, level=0.95, tuned_at=500) -> SequentialEffects:
    """ATT, ATU and ATE with anytime intervals, after a declared burn-in or with a declared bound"""

def audit_until(score, examples, width, *, rng, first=100, grow=1.5, estimand='ATE', model=None, **settings) -> StoppedAudit:
    """Audit growing parts of the examples until the answer is narrow enough"""

@dataclass(frozen=True)
class _Band:
    level: float
    burn_in: int
    sd: float
    tuned_at: int

    def __post_init__(self):
        ...

    @property
    def start(self):
        ...

    def __str__(self):
        ...

@dataclass(frozen=True, repr=False)
class SequentialEffects:
    """Effects with intervals that may be looked at any time"""
    table: pd.DataFrame
    estimator: str
    level: float
    promise: str
    notes: tuple

    def path(self, estimand='ATE', model=None) -> pd.DataFrame:
        """How one effect and its band developed"""

    def now(self, estimand='ATE', model=None) -> Effect:
        """The effect at the last look"""

    def reached(self, width, estimand='ATE', model=None):
        """When could one have stopped?"""

    def plot(self, estimand='ATE', model=None, truth=None):
        """The band as texts come in"""

    def summary(self) -> pd.DataFrame:
        """The last look"""

    def __repr__(self):
        ...

@dataclass(frozen=True, repr=False)
class StoppedAudit:
    """An audit that ended when its interval was narrow enough, or when the texts did"""
    effects: SequentialEffects
    looks: pd.DataFrame
    scored: pd.DataFrame
    reached: bool
    width: float

    def sentence(self) -> str:
        """How it ended"""

    def __repr__(self):
        ...
