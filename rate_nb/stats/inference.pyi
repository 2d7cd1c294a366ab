# Written by `make export` from the module beside it. Edit the notebook.
"""How precise is a mean when responses come in pairs and in clusters by prompt?"""
from collections.abc import Callable
from dataclasses import dataclass
from numpy.typing import ArrayLike
from typing import Any
import numpy as np
import pandas as pd
FEW_DF: int
LEAST_ALIKE: float
FEW_CLUSTERS: int
MANY_CLUSTERS: int
METHODS: dict[str, Any]
TIES: dict[str, float]

def check_level(level: float) -> float:
    """A confidence level is a share strictly between 0 and 1"""

def t_quantile(level: float, df: float) -> float:
    """Student's t quantile that leaves (1 - level)/2 in each tail"""

def t_effect(estimate: float, std_error: float, df: float, level: float=0.95, n_clusters: int=0) -> Effect:
    """An `Effect` from an estimate and its standard error"""

def rough_words(df: dict[str, float]) -> str:
    """Which of several intervals are rough, or missing, in a sentence"""

def warn_rough(df: dict[str, float]) -> None:
    """Say it of a result that is a plain table"""

def skewed(errors: np.ndarray, df: float) -> tuple:
    """Cochran's rule: are there enough numbers for how skewed they are?"""

def cluster_sums(values: np.ndarray, codes: np.ndarray, n_clusters: int | None=None) -> np.ndarray:
    """Sum columns within clusters"""

def gradient(f: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
    """Derivative by the complex step"""

def from_influence(estimates: np.ndarray, psi: np.ndarray, rows: np.ndarray | None=None, jackknife: bool=False) -> JointEstimates:
    """Estimates whose influence values are known, such as weighted means"""

def column_df(share: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Degrees of freedom (CR2) of each column by itself, without the pairs of columns"""

def wishart_df(leverage: np.ndarray, within: np.ndarray, loading: np.ndarray, power: float=0.5) -> float:
    ...

def df_between(independent: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """Degrees of freedom that serve rows between these extremes"""

def linearised(f: Callable[[np.ndarray], np.ndarray], sums: np.ndarray, rows: np.ndarray | None=None, arms: np.ndarray | None=None, jackknife: bool=False) -> JointEstimates:
    """Any smooth function of totals as a regression on its rows' influence values"""

def delta_method(f: Callable[[np.ndarray], np.ndarray], sums: np.ndarray, rows: np.ndarray | None=None, arms: np.ndarray | None=None, level: float=0.95) -> list:
    """Estimates of any smooth function of totals, with cluster-robust intervals"""

def least_squares_sums(grams: np.ndarray, moments: np.ndarray) -> JointEstimates:
    """Least squares with CR2 from sums per cluster"""

def least_squares(X: ArrayLike, y: ArrayLike, clusters: ArrayLike | None=None) -> JointEstimates:
    """Least squares with CR2"""

def fieller(top: float, bottom: float, V: np.ndarray, t: float) -> tuple:
    """Confidence interval of a ratio (Fieller 1954)"""

def excess_kurtosis(joint: JointEstimates) -> np.ndarray:
    ...

def mean_effect(values: ArrayLike, clusters: ArrayLike | None=None, level: float=0.95) -> Effect:
    """Mean over rows in clusters"""

def paired_effect(treated: ArrayLike, control: ArrayLike, clusters: ArrayLike | None=None, level: float=0.95) -> Effect:
    """Mean within-response difference"""

def group_means(values: ArrayLike, groups: ArrayLike, clusters: ArrayLike | None=None) -> JointEstimates:
    """Means within groups"""

def whole_seed(rng: np.random.Generator | int | None) -> int:
    """One whole number from a generator or a seed"""

def webb_weights(keys: np.ndarray, replicates: int, seed: int) -> np.ndarray:
    """Six-point bootstrap weights as a function of seed, cluster and replicate"""

def sign_weights(keys: np.ndarray, replicates: int, seed: int) -> np.ndarray:
    ...

def bootstrap_totals(linear: np.ndarray, squared: np.ndarray, replicates: int=1000, seed: int=0, names: np.ndarray | None=None, six: bool=True, block: int=512) -> tuple:
    """Totals of every bootstrap replicate, streamed over clusters"""

def bootstrap_effects(f: Callable[[np.ndarray], np.ndarray], sums: np.ndarray, rows: np.ndarray | None=None, arms: np.ndarray | None=None, replicates: int=1000, rng: np.random.Generator | int=0, level: float=0.95, names: np.ndarray | None=None) -> list:
    """Wild cluster bootstrap of any function of totals; standard errors are the closed form's"""

def equivalence_test(effect: Effect, margin: float | tuple[float, float], alpha: float=0.05) -> Equivalence:
    """Two one-sided tests (TOST)"""

def adjust_pvalues(pvalues: ArrayLike | pd.Series | pd.DataFrame, method: str='holm') -> Any:
    """Adjust p-values for the number of tests"""

def sign_flips(psi: np.ndarray, replicates: int, rng: np.random.Generator) -> np.ndarray:
    """Studentised statistics when the sign of each cluster's contribution is a coin flip"""

def romano_wolf(estimates: np.ndarray, psi: np.ndarray, replicates: int=2000, rng: np.random.Generator | int=0, share: np.ndarray | None=None) -> np.ndarray:
    """Step-down p-values that use how the tests depend on each other (Romano and Wolf 2005)"""

def wins(chosen: ArrayLike, rejected: ArrayLike, ties: str='lose') -> np.ndarray:
    """Does the better response win?"""

def wilson(p: float, se: float, t: float, max_n: float=...) -> tuple:
    """Wilson's interval with the number of responses that the standard error implies"""

def within_unit(effect: Effect, n_clusters: int) -> Effect:
    """An interval that a share can have"""

def accuracy(hits: ArrayLike, clusters: ArrayLike | None=None, level: float=0.95) -> Effect:
    """Share of wins"""

def accuracy_gain(now: ArrayLike, before: ArrayLike, clusters: ArrayLike | None=None, level: float=0.95) -> Effect:
    """Paired difference of two shares of wins, its interval between -1 and 1"""

def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """McNemar's exact test"""

def compare_wins(hits: dict[str, ArrayLike], reference: str | None=None, clusters: ArrayLike | None=None, level: float=0.95) -> pd.DataFrame:
    """Paired comparison of accuracies"""

def spearman(c: ArrayLike, r: ArrayLike) -> float:
    """Rank correlation of reward and characteristic"""

def rank_correlations(c: ArrayLike, r: ArrayLike) -> tuple:
    """Both rank correlations; Kendall's takes most of the time"""

def rank_bootstrap(x: ArrayLike, y: ArrayLike, replicates: int=1000, rng: np.random.Generator | int=0, level: float=0.95) -> dict:
    """Rank correlations with intervals over models"""

def two_way_effect(values: ArrayLike, first: ArrayLike, second: ArrayLike | None, weights: ArrayLike | None=None, level: float=0.95) -> Effect:
    """Weighted mean, its error clustered two ways (Cameron, Gelbach and Miller 2011), without their bias"""

def two_way_variances(values: ArrayLike, first: ArrayLike, second: ArrayLike | None, weights: ArrayLike | None=None) -> tuple:
    """Where the variance of rows in clusters of two kinds comes from; estimates below 0 are cut to 0"""

@dataclass(frozen=True)
class Effect:
    """An estimate and how sure of it one may be"""
    estimate: float
    std_error: float
    ci_low: float
    ci_high: float
    df: float
    level: float = ...
    n_clusters: int = ...

    def p_value(self, null: float=0.0) -> float:
        """Two-sided p-value against one value of the effect"""

    def caution(self) -> str:
        """What a reader of the interval must know"""

    def __str__(self) -> str:
        ...

@dataclass(frozen=True)
class JointEstimates:
    """Estimates from the same clusters, and all that their intervals and tests need"""
    estimates: np.ndarray
    psi: np.ndarray
    leverage: np.ndarray
    loading: np.ndarray
    alike: np.ndarray | None = ...
    jackknife: bool = ...
    sd_psi: np.ndarray | None = ...
    sd_excess: np.ndarray | None = ...

    def cov(self) -> np.ndarray:
        """Cluster-robust covariance of the estimates"""

    @property
    def n_clusters(self) -> np.ndarray:
        """Clusters that hold data for each estimate"""

    def share(self) -> np.ndarray:
        """Share of each estimate's rows that a cluster holds"""

    @property
    def df(self) -> np.ndarray:
        """Satterthwaite's degrees of freedom of each estimate"""

    def effects(self, level: float=0.95) -> list:
        """Each estimate with its Student t interval"""

    def combine(self, weights: np.ndarray) -> JointEstimates:
        """Linear combinations: differences between arms, groups and models"""

    def transform(self, f: Callable[[np.ndarray], np.ndarray]) -> JointEstimates:
        """Smooth functions of the estimates, linearised"""

    def test(self, claim: str='no effect at all') -> JointTest:
        """Approximate Hotelling test (HTZ) that all estimates are 0"""

@dataclass(frozen=True)
class JointTest:
    """Are several effects all 0?"""
    statistic: float
    df: int
    df_denom: float
    p_value: float
    claim: str = ...

    def __str__(self) -> str:
        ...

@dataclass(frozen=True)
class Equivalence:
    """Is an effect small enough not to matter?"""
    effect: Effect
    margin: tuple
    p_value: float
    alpha: float

    @property
    def equivalent(self) -> bool:
        ...

    def __str__(self) -> str:
        ...

@dataclass(frozen=True)
class McNemar:
    """Two models' wins on the same prompts"""
    both: int
    only_first: int
    only_second: int
    neither: int
    p_value: float

    def __str__(self) -> str:
        ...

@dataclass(frozen=True)
class _Crossed:
    """Rows in clusters of two kinds, and what weight each cluster holds"""
    weight: np.ndarray
    rows: tuple
    of_cell: tuple
    held: tuple
    squares: tuple
    third: tuple
