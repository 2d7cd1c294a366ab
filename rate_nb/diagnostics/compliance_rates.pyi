# Written by `make export` from the module beside it. Edit the notebook.
"""Did the rewrites flip the attribute, and what is the effect on the responses that did flip?"""
from dataclasses import dataclass
from rate_nb.diagnostics.verdicts import Finding
from typing import Any
import pandas as pd
FIRST_STAGES: dict[str, Any]

def label_rewrites(examples, rewrites, attribute, by=None) -> pd.DataFrame:
    """On which side of the attribute does each rewrite stand?"""

def compliance(examples, rewrites, attribute, *, by=None, sensitivity=1.0, specificity=1.0, cluster='prompt_id', level=0.95) -> Compliance:
    """Did the rewrites flip the attribute, and how far did they move it?"""

def wald_effects(scored, compliance, *, estimators=('rate',), margin=0.1, least=0.2, cluster='prompt_id', level=0.95) -> WaldEffects:
    """Complier average causal effect: the effect divided by the difference in compliance"""

def rows_of(table, model):
    """The rows of one reward model"""

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

@dataclass(frozen=True, eq=False, repr=False)
class WaldEffects:
    """Effects divided by compliance, or the reason why not"""
    table: pd.DataFrame
    level: float
    least: float
    step: str = ...
    notes: tuple = ...

    def finding(self, model=None, estimator='rate') -> Finding:
        """Does incomplete compliance change the answer?"""
