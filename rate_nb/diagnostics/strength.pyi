# Written by `make export` from the module beside it. Edit the notebook.
"""Could a habit of the rewriter that no check noticed explain the whole effect?"""
from dataclasses import dataclass
from rate_nb.estimators.effects import AttributeEffect
from rate_nb.stats.inference import Effect
from typing import Any
import numpy as np
import pandas as pd
ARMS: dict[str, tuple[int, ...]]
ERRORS: dict[str, Any]

def smallest(effect: Effect) -> float:
    """Lower limit of the size of an effect"""

def required_strength(scored: pd.DataFrame, *, model: str | None=None, estimand: str='ATE', rewrites: pd.DataFrame | None=None, reached: float=..., cluster: str | None='prompt_id', level: float=0.95, estimand_over: str=...) -> RequiredStrength:
    """How well must style predict the target to explain all of an effect?"""

def told_apart(one: np.ndarray, zero: np.ndarray, clusters: np.ndarray | None=None, folds: int=5) -> float:
    """R² with which features predict the target of a rewrite"""

def sensitivity_limit(noticed: int, planted: int, level: float=0.95) -> float:
    """Lower limit of a reviewer's sensitivity"""

def unseen_bound(scored: pd.DataFrame, k: int, sensitivity: float, *, model: str | None=None, estimand: str='ATE', cluster: str | None='prompt_id', level: float=0.95, at_once: int=1, estimand_over: str=...) -> UnseenBound:
    """How much could a habit explain that a reviewer did not notice?"""

@dataclass(frozen=True)
class RequiredStrength:
    """How strong style would have to be to explain an effect"""
    effect: AttributeEffect
    sigma: float
    sigma_high: float
    cells: int
    repeated: float
    withheld: str = ...
    reached: float = ...

    @property
    def yardstick(self) -> float:
        ...

    @property
    def ratio(self) -> float:
        ...

    @property
    def required(self) -> float:
        ...

    @property
    def table(self) -> pd.DataFrame:
        ...

    def __str__(self) -> str:
        ...

@dataclass(frozen=True)
class UnseenBound:
    """How much unnoticed habits could still explain, after a review"""
    effect: AttributeEffect
    spread: float
    spread_high: float
    k: int
    sensitivity: float
    at_once: int
    level: float

    @property
    def share(self) -> float:
        ...

    @property
    def bound(self) -> float:
        ...

    @property
    def enough(self) -> bool:
        ...

    def with_pairs(self, k: int) -> float:
        """What the bound would be after a review of so many pairs"""

    def pairs_for(self, wish: float) -> float:
        """How many pairs would make the bound so small?"""

    @property
    def table(self) -> pd.DataFrame:
        ...

    def __str__(self) -> str:
        ...
