# Written by `make export` from the module beside it. Edit the notebook.
"""What will this run cost, how long will it take, and how much of it is paid for already?"""
from dataclasses import dataclass
from rate_nb.llm.prices import Price
from typing import Any
import pandas as pd
PILOT: int
ASSUMED_GROWTH: tuple[float, ...]
EFFORT_SHARE: dict[str, Any]
FEW_HUNDRED: int

def stored_rewrites(examples, attribute, rewriter, draws=1, depth=2, both=False, instruction=None, first_draw=0) -> pd.DataFrame:
    """The rewrites that are already stored"""

def effort_of(settings) -> str:
    """How hard a model is asked to think: as the settings say, or as it does by itself"""

def thoughts(visible, effort, limit=None):
    """What a model thinks before it writes, while no pilot says"""

def known_price(model, prices, rewriter=None, ask=True) -> tuple:
    """The price of a model, if there is one"""

def plan_rewriting(examples, attribute, rewriter, draws=1, depth=2, both=False, instruction=None, first_draw=0, requests_per_minute=None, tokens_per_minute=None, prices=None, seconds_per_call=None) -> Plan:
    """Calls, tokens, cost and time of a `double_rewrite`; no text is sent"""

def spell_seconds(seconds):
    ...

@dataclass(frozen=True)
class Plan:
    """What a rewriting run will take"""
    model: str
    by_depth: pd.DataFrame
    prompt_tokens: tuple
    completion_tokens: tuple
    price: Price
    mode: str
    seconds: float
    notes: tuple

    @property
    def calls(self) -> int:
        ...

    @property
    def stored(self) -> int:
        ...

    def cost(self, batch=None) -> tuple:
        """What the calls will cost"""

    def sentence(self) -> str:
        """The plan in a few words"""

    def __repr__(self):
        ...
