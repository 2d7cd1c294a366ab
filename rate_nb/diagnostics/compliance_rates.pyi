# Written by `make export` from the module beside it. Edit the notebook.
"""Did the rewrites flip the attribute, and what is the effect on the responses that did flip?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.verdicts import Finding
from typing import Any
import pandas as pd
FIRST_STAGES: dict[str, Any]
CHECKED: int

def label_rewrites(examples: pd.DataFrame, rewrites: pd.DataFrame, attribute: str | Attribute, by: str | Callable[..., Any] | None=None) -> pd.DataFrame:
    """On which side of the attribute does each rewrite stand?"""

def second_labels(examples: pd.DataFrame, labelled: pd.DataFrame, second: Callable[..., Any], *, cluster: str | None='prompt_id', level: float=0.95, seed: int=0) -> SecondLabels:
    """Let a second labeller look at some rewrites that a judge labelled"""

def compliance(examples: pd.DataFrame, rewrites: pd.DataFrame, attribute: str | Attribute, *, by: str | Callable[..., Any] | None=None, sensitivity: float | tuple[int, int]=1.0, specificity: float | tuple[int, int]=1.0, cluster: str | None='prompt_id', level: float=0.95) -> Compliance:
    """Did the rewrites flip the attribute, and how far did they move it?"""

def wald_effects(scored: pd.DataFrame, compliance: Compliance | pd.DataFrame, *, estimators: Sequence[str] | dict[str, dict[str, float]]=('rate',), margin: float=0.1, least: float=0.2, cluster: str | None='prompt_id', level: float=0.95) -> WaldEffects:
    """Complier average causal effect: the effect divided by the difference in compliance"""

def rows_of(table: pd.DataFrame, model: str | None) -> pd.DataFrame:
    """The rows of one reward model"""

@dataclass(frozen=True)
class SecondLabels:
    """A judge's labels of some rewrites against those of a second labeller"""
    n: int
    missing: int
    agreement: tuple
    kappa: float
    by_judge: float
    by_second: float
    change: tuple
    who: str

    def __str__(self) -> str:
        ...

@dataclass(frozen=True, eq=False, repr=False)
class Compliance:
    """Whether rewrites flipped the attribute"""
    table: pd.DataFrame
    first_stage: pd.DataFrame
    labels: pd.DataFrame
    k: float
    var_k: float
    by: str
    level: float
    relative: bool = ...
    labelling: str = ...
    checked: SecondLabels | None = ...

@dataclass(frozen=True, eq=False, repr=False)
class WaldEffects:
    """Effects divided by compliance, or the reason why not"""
    table: pd.DataFrame
    level: float
    least: float
    step: str = ...
    labelling: str = ...
    doubt: str = ...
    notes: tuple = ...

    @property
    def nothing(self) -> str:
        """Did the rewrites change nothing of the attribute, or the opposite?"""

    def finding(self, model: str | None=None, estimator: str='rate') -> Finding:
        """Does incomplete compliance change the answer?"""
