# Written by `make export` from the module beside it. Edit the notebook.
"""The reward pays for the attribute. Do people want it as well, and by how much does the reward go beyond them?"""
from dataclasses import dataclass
import pandas as pd
VERSIONS: dict[str, tuple[str, ...]]
OF: tuple[str, ...]

def make_ballot(examples, rewrites, n, rng, *, versions='rewrites', relative=False) -> tuple:
    """Pairs of versions for people to vote on, and which is which"""

def read_votes(votes, ballot_key=None) -> pd.DataFrame:
    """Votes of people, checked row by row"""

def effect_on_people(votes, scored, *, versions='rewrites', level=0.95, margin=0.1) -> PeopleEffects:
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

    def get(self, of='excess over people', estimand=None, model=None):
        ...

    def sentences(self) -> list:
        """The finding of each model, and what it rests on"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...

    def plot(self, estimand=None):
        """People, reward and excess on one axis, the margin shaded"""
