# Written by `make export` from the module beside it. Edit the notebook.
"""People voted on 60 pairs, and a judge compared all 300. What do both together say about people?"""
from dataclasses import dataclass
from numpy.typing import ArrayLike
from rate_nb.stats.inference import Effect
from rate_nb.stats.inference import JointTest
import numpy as np
import pandas as pd
FEW_LABELLED: int

def prediction_powered(values: ArrayLike, at: ArrayLike, predictions: ArrayLike, clusters: ArrayLike, raters: ArrayLike | None=None, *, label_weights: ArrayLike | None=None, pair_weights: ArrayLike | None=None, level: float=0.95) -> PoweredEffect:
    """The mean label of all pairs, from labels of some and predictions of all (PPI++, weights cross-fitted)"""

def compare_labelled(recorded: pd.DataFrame, labelled: ArrayLike, clusters: ArrayLike, level: float=0.95) -> tuple[pd.DataFrame, JointTest]:
    """How pairs with labels differ from those without"""

@dataclass(frozen=True)
class PoweredEffect:
    """A mean label, estimated from few labels and many predictions"""
    effect: Effect
    alone: Effect
    weights: np.ndarray
    n_labels: int
    n_labelled: int
    n_prompts: int

    @property
    def worth(self) -> float:
        """How many labels would give this precision without predictions"""

    @property
    def saved(self) -> float:
        ...

    def caution(self) -> str:
        """What a reader of the interval must know"""
