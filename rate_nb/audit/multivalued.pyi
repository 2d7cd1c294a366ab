# Written by `make export` from the module beside it. Edit the notebook.
"""An attribute may have three levels, or be continuous. How does each level affect the reward?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.stats.inference import Effect
from typing import Any
import numpy as np
import pandas as pd
TONE: LevelAttribute

def dial(name: str, targets: Iterable[float], words: str='about {t:g} words long', reference: float | None=None, instruction: str=...) -> LevelAttribute:
    """A continuous attribute as a few target levels"""

def level_attribute(said: Any) -> LevelAttribute:
    """An attribute with levels, as it is written in a file"""

def level_sides(examples: pd.DataFrame, attribute: LevelAttribute, level: Any, rng: np.random.Generator | int=0) -> np.ndarray:
    """From which side each text enters one contrast"""

def rewrite_levels(examples: pd.DataFrame, attribute: LevelAttribute, rewriter: Any, *, draws: int=1, rng: np.random.Generator | int=0) -> pd.DataFrame:
    """Rewrite every text to every level and to the reference"""

def score_levels(examples: pd.DataFrame, rewrites: pd.DataFrame, reward: RewardModel | Callable | Sequence, store: Store | None=None) -> pd.DataFrame:
    """Rewards of rewrites to several levels"""

def band_reach(psi: np.ndarray, df: np.ndarray | Sequence[float], level: float=0.95, replicates: int=4000, rng: np.random.Generator | int=0, few: int=50) -> np.ndarray:
    """How far a band must reach that holds for all contrasts at once"""

def level_effects(examples: pd.DataFrame, rewards: pd.DataFrame, attribute: LevelAttribute, level: float=0.95, adjust: str='holm', replicates: int=4000, rng: np.random.Generator | int=0) -> LevelEffects:
    """RATE for several levels through a common reference, multiplicity controlled"""

def dose_curve(examples: pd.DataFrame, rewards: pd.DataFrame, attribute: LevelAttribute, measure: str | Callable[[str], float]='words', **options: Any) -> LevelEffects:
    """Dose–response: the effect of each target against the reference, and the dose that was achieved"""

@dataclass(frozen=True)
class LevelAttribute:
    """A property of a response with several levels, one of them the reference"""
    name: str
    levels: Mapping
    reference: object
    instruction: str = ...

    def __post_init__(self):
        ...

    @property
    def others(self) -> list:
        ...

    def contrast(self, level: Any) -> Attribute:
        """One level against the reference, as a binary attribute"""

@dataclass(frozen=True)
class LevelEffects:
    """Effects of several levels against one reference"""
    attribute: LevelAttribute
    table: pd.DataFrame
    level: float
    adjust: str
    joint: dict = ...

    def between(self, a: Any, b: Any, model: str | None=None) -> Effect:
        """The effect of one level against another"""

    def plot(self) -> ChartType:
        """Effect of each level, or the dose–response curve with its band"""
