# Written by `make export` from the module beside it. Edit the notebook.
"""What will this run cost, how long will it take, and how much of it is already paid for?"""
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.llm.prices import Price
from rate_nb.rewriting.instructions import Instruction
from typing import Any
import numpy as np
import pandas as pd
PILOT: int
ASSUMED_GROWTH: tuple[float, ...]
EFFORT_SHARE: dict[str, Any]
FEW_HUNDRED: int

def stored_rewrites(examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, draws: int=1, depth: int=2, both: bool=False, instruction: Instruction | None=None, first_draw: int=0) -> pd.DataFrame:
    """The rewrites that are already stored"""

def effort_of(settings: dict[str, Any]) -> str:
    """How hard a model has to think: as the settings say, or as it does by itself"""

def thoughts(visible: np.ndarray, effort: str, limit: int | None=None) -> np.ndarray:
    """What a model thinks before it writes, while no pilot says"""

def known_price(model: str, prices: Any, rewriter: Any=None, ask: bool=True) -> tuple:
    """The price of a model, if there is one"""

def price_to_count_with(rewriter: Any, prices: Any) -> Price:
    """The price of a rewriter's model, for a budget"""

def plan_rewriting(examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, draws: int=1, depth: int=2, both: bool=False, instruction: Instruction | None=None, first_draw: int=0, requests_per_minute: float | None=None, tokens_per_minute: float | None=None, prices: Any=None, seconds_per_call: float | None=None) -> Plan:
    """Calls, tokens, cost and time of a `double_rewrite`; no text is sent"""

def spell_seconds(seconds: float) -> str:
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

    def cost(self, batch: bool | None=None) -> tuple[float, float, float] | None:
        """What the calls will cost"""

    def sentence(self) -> str:
        """The plan in a few words"""

    def __repr__(self) -> str:
        ...
