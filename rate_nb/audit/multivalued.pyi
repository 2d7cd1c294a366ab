# Written by `make export` from the module beside it. Edit the notebook.
"""An attribute may have three levels, or be continuous. What does each level do to the reward?"""
from collections.abc import Mapping
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.stats.inference import Effect
import numpy as np
import pandas as pd
TONE: LevelAttribute

def dial(name, targets, words='about {t:g} words long', reference=None, instruction=...) -> LevelAttribute:
    """A continuous attribute as a few target levels"""

def level_sides(examples, attribute, level, rng=0) -> np.ndarray:
    """From which side each text enters one contrast"""

def rewrite_levels(examples, attribute, rewriter, *, draws=1, rng=0) -> pd.DataFrame:
    """Rewrite every text to every level and to the reference"""

def score_levels(examples, rewrites, reward_model, store=None) -> pd.DataFrame:
    """Rewards of rewrites to several levels"""

def band_reach(psi, df, level=0.95, replicates=4000, rng=0, few=50) -> np.ndarray:
    """How far a band must reach that holds for all contrasts at once"""

def level_effects(examples, rewards, attribute, level=0.95, adjust='holm', replicates=4000, rng=0) -> LevelEffects:
    """RATE for several levels through a common reference, multiplicity controlled"""

def dose_curve(examples, rewards, attribute, measure='words', **options) -> LevelEffects:
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
    def others(self):
        ...

    def contrast(self, level) -> Attribute:
        """One level against the reference, as a binary attribute"""

@dataclass(frozen=True)
class LevelEffects:
    """Effects of several levels against one reference"""
    attribute: LevelAttribute
    table: pd.DataFrame
    level: float
    adjust: str
    joint: dict = ...

    def between(self, a, b, model=None) -> Effect:
        """The effect of one level against another"""

    def plot(self):
        """Effect of each level, or the dose–response curve with its band"""
