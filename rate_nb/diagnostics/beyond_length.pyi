# Written by `make export` from the module beside it. Edit the notebook.
"""The rewrites also differ in length. How much of the effect is merely that?"""
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.stats.inference import Effect
import pandas as pd
ENOUGH: float
MOST_PIECES: int
PER_PIECE: int
LENGTHS: tuple[str, ...]

def is_length(attribute: str | Attribute) -> bool:
    """Is the attribute itself a length?"""

def beyond_length(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, cluster: str | None='prompt_id', level: float=0.95) -> BeyondLength | None:
    """How much of an effect remains when both versions are equally long"""

@dataclass(frozen=True)
class BeyondLength:
    """What remains of an effect between versions of equal length"""
    effect: Effect | None
    total: float
    longer: float
    shorter: float
    n: int

    def __str__(self) -> str:
        ...
