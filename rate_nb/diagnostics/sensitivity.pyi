# Written by `make export` from the module beside it. Edit the notebook.
"""Would another instruction, or another model that rewrites, have given another estimate?"""
from altair.typing import ChartType
from dataclasses import dataclass
from rate_nb.diagnostics.verdicts import Finding
from rate_nb.diagnostics.verdicts import Part
from rate_nb.stats.inference import Effect
import pandas as pd
OUTCOMES: dict[str, str]

def texts_to_decide(part: Part, level: float=0.95, power: float=0.8) -> float:
    """Texts that would decide: for agreement, if nothing differs; beyond the margin, if the estimate is right"""

def compare_rewriters(tables: dict[str, pd.DataFrame] | pd.DataFrame, *, by: str='rewriter', estimator: str | dict[str, float]='rate', estimand: str='ATE', model: str | None=None, cluster: str | None='prompt_id', level: float=0.95, margin: float=0.1) -> RewriterComparison:
    """Do rewriters, or instructions, disagree about an effect by more than would matter?"""

@dataclass(frozen=True, repr=False)
class RewriterComparison:
    """One effect, measured with several rewriters on the same texts"""
    table: pd.DataFrame
    pairs: pd.DataFrame
    margin: float
    pooled: Effect
    parts: tuple
    estimator: str
    estimand: str
    level: float
    notes: tuple

    def finding(self) -> Finding:
        """Does the answer depend on the rewriter?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...

    def plot(self) -> ChartType:
        """A forest plot"""
