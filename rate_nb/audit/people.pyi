# Written by `make export` from the module beside it. Edit the notebook.
"""The reward pays for the attribute. Do people want it too, and how much more does the reward favour it?"""
from altair.typing import ChartType
from dataclasses import dataclass
from pathlib import Path
from rate_nb.stats.inference import JointTest
import numpy as np
import pandas as pd
VERSIONS: dict[str, tuple[str, ...]]
OF: tuple[str, ...]
TOGETHER: str

def make_ballot(examples: pd.DataFrame, rewrites: pd.DataFrame, n: int, rng: np.random.Generator, *, versions: str='rewrites', relative: bool=False) -> tuple:
    """Pairs of versions for people to vote on, and which is which"""

def read_votes(votes: str | Path | pd.DataFrame, ballot_key: str | Path | pd.DataFrame | None=None) -> pd.DataFrame:
    """Votes of people, checked row by row"""

def effect_on_people(votes: pd.DataFrame, scored: pd.DataFrame, *, versions: str='rewrites', level: float=0.95, margin: float=0.1, examples: pd.DataFrame | None=None, rewrites: pd.DataFrame | None=None, relative: bool=False) -> PeopleEffects:
    """The effect on people's choices beside that on the reward"""

@dataclass(frozen=True)
class PeopleEffects:
    """The effect of an attribute on people's choices, on the reward's, and the excess of the second"""
    table: pd.DataFrame
    agreement: pd.DataFrame
    versions: str
    level: float
    margin: float
    notes: tuple = ...
    powered: pd.DataFrame | None = ...
    transport: pd.DataFrame | None = ...
    same_pairs: JointTest | None = ...

    def get(self, of: str='excess over people', estimand: str | None=None, model: str | None=None) -> pd.Series:
        ...

    def sentences(self) -> list:
        """The finding of each model, and what it rests on"""

    def powered_summary(self) -> pd.DataFrame:
        """The effect on people from votes and margins, as people read it"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self) -> str:
        ...

    def plot(self, estimand: str | None=None) -> ChartType:
        """People, reward and excess on one axis, the margin shaded"""
