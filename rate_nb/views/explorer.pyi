# Written by `make export` from the module beside it. Edit the notebook.
"""Which words did a rewrite change, and which responses drive the effect?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from markupsafe import Markup
from rate_nb.data.attributes import Attribute
from rate_nb.estimators.effects import Effects
from typing import Any
import numpy as np
import pandas as pd
MOST_PAIRS: int
MOST_WORK: int
MOST_SHOWN: int
MOST_CHARACTERS: int

def word_diff(before: str, after: str) -> list:
    """What stayed, what went and what came"""

def shown_text(text: str, max_characters: int=...) -> Markup:
    """A text made inert, cut where it is very long"""

def diff_html(before: str | None, after: str, max_characters: int=...) -> Markup:
    """The new text with what went struck through and what came underlined"""

def response_effects(scored: pd.DataFrame) -> tuple:
    """What each response adds to the effect of RATE"""

def explorer_tables(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, *, max_responses: int=2000, rng: np.random.Generator | int=0, effects: Effects | None=None) -> dict:
    """The responses whose texts are shown, and the distribution of all effects"""

def explorer_of(tables: dict, attribute: str | Attribute, *, measures: pd.DataFrame | None=None, flags: dict | None=None, itself: Sequence[str]=(), said: Iterable[str]=(), name: str='') -> dict:
    """The chosen responses with their versions, rewards, effect and status"""

def explorer_data(examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, attribute: str | Attribute, *, measures: pd.DataFrame | None=None, flags: dict | None=None, max_responses: int=2000, rng: np.random.Generator | int=0, effects: Effects | None=None, itself: Sequence[str]=(), said: Iterable[str]=(), name: str='') -> dict:
    """Every response with its versions, rewards, effect and status"""

def front_end(kind: str) -> str:
    ...

def embedded_json(data: Any) -> str:
    ...

def explorer_html(data: dict, heading_id: str='texts') -> Markup:
    """The explorer inside a report, without a server and without a network"""

def explorer_widget(data: dict, mark: Callable | None=None, selected: str='') -> Any:
    """The explorer in a notebook"""
