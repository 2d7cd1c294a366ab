# Written by `make export` from the module beside it. Edit the notebook.
"""I am about to optimise against this reward. What will it do to my model's answers, and would calibration change that?"""
from altair.typing import ChartType
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.data.attributes import Attribute
import numpy as np
import pandas as pd
MOST: int
RAW: str
FIXED: str
CHANGE: str
PAIRINGS: tuple[str, ...]

def best_weights(k: int, n: int) -> np.ndarray:
    """Share of the subsets of n in which each candidate is the best"""

def best_means(values: np.ndarray, reward: np.ndarray, prompt: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Expected numbers of the best of n, prompt by prompt"""

def kl_bound(n: int) -> float:
    """The most that best-of-n diverges from the policy (Stiennon et al., 2020)"""

def pair_means(values: np.ndarray, reward: np.ndarray, prompt: np.ndarray, pairing: str) -> np.ndarray:
    """Means over the preference pairs of each prompt"""

def normal_maximum(n: int) -> float:
    """Expected maximum of n standard normal numbers"""

def attribute_values(table: pd.DataFrame, attribute: str | Attribute) -> np.ndarray:
    """How much of an attribute each response has"""

def answers_alone(table: pd.DataFrame) -> pd.DataFrame:
    """What is measured of responses that are messages"""

def scored_candidates(candidates: pd.DataFrame, calibrated: str | None) -> tuple[pd.DataFrame, list[str]]:
    """Candidates that compete, or what is wrong with them"""

def check_asked(c: pd.DataFrame, attributes: str | Attribute | Sequence[str | Attribute], gold: str | None=None, sizes: Sequence[int] | None=None) -> tuple:
    """Can a forecast be made of what was asked?"""

def forecast(candidates: pd.DataFrame, attributes: str | Attribute | Sequence[str | Attribute], *, calibrated: str | None=None, gold: str | None=None, sizes: Sequence[int] | None=None, prompts: int | None=None, level: float=0.95, band: float=0.9) -> Forecast:
    """How far best-of-n and DPO pairs by this reward would move attributes and quality"""

def causally_calibrated(candidates: pd.DataFrame, folder: str | Path, model: str | None=None) -> pd.DataFrame:
    """Take the effect that an audit has measured out of the candidates' rewards"""

def audited_attribute(folder: str | Path) -> Attribute:
    """What an audit was about"""

def count_of(a: Attribute) -> str:
    """The count of a text by which an attribute is known"""

def without_effect(candidates: pd.DataFrame, examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, attribute: str | dict | Attribute, model: str | None=None) -> pd.DataFrame:
    """Take the effect of an attribute out of the candidates' rewards"""

@dataclass(frozen=True, repr=False)
class Forecast:
    """What optimising against a reward would move, before and after calibration"""
    table: pd.DataFrame
    pairs: pd.DataFrame
    prompts: int
    level: float
    band: float
    gold: str = ...
    columns: tuple[str, ...] = ...
    notes: tuple[str, ...] = ...

    def get(self, quantity: str, n: int, reward: str=...) -> pd.Series:
        """One n of one quantity"""

    def against(self, realised: pd.DataFrame, n: int | None=None) -> pd.DataFrame:
        """Was the forecast right?"""

    def sentences(self) -> list[str]:
        """What is moved, at the largest n that the candidates reach"""

    def summary(self) -> pd.DataFrame:
        """The best-of-n table as people read it"""

    def pair_summary(self) -> pd.DataFrame:
        """The table of pairs as people read it"""

    def __str__(self) -> str:
        ...

    def __repr__(self) -> str:
        ...

    def plot(self) -> ChartType:
        """Attributes and quality against n"""
