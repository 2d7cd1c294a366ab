# Written by `make export` from the module beside it. Edit the notebook.
"""A rubric has three criteria and an overall score. Which of them does the attribute move, by how much, and could the others have moved at all?"""
from collections.abc import Iterator
from rate_nb.estimators.effects import Effects
from typing import Any
import pandas as pd
TOO_MANY: Any

def scale_ends(models: list) -> dict[str, tuple[float, float] | None]:
    """The ends of the scales of rubrics, of each criterion and of the whole"""

def criteria_effects(effects: Effects, scored: pd.DataFrame, models: list, rewards: pd.DataFrame | None=None, examples: pd.DataFrame | None=None, estimand: str='ATE', adjust: str='holm') -> pd.DataFrame:
    """What the attribute is worth on every criterion"""

def criteria_notes(table: pd.DataFrame) -> Iterator[str]:
    """What to know beside the effects on criteria"""
