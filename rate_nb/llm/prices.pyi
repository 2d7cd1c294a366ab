# Written by `make export` from the module beside it. Edit the notebook.
"""What will a rewrite cost?"""
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.core import BudgetError
from rate_nb.base.store import Store
from typing import Any
import datetime
import numpy as np
import pandas as pd
LISTED: tuple[str, ...]
MEASURED_ERROR: float

def price_table(prices: dict | str | Path | None=None) -> pd.DataFrame:
    """The known prices, yours first"""

def price_of(model: str, prices: dict | str | Path | Price | tuple | list | None=None, today: datetime.date | None=None) -> Price:
    """The price of a model"""

def shutdown_note(model: str, date: str | None=None, today: datetime.date | None=None) -> str:
    """Is a model gone, or will it be within three months?"""

def listed_models(answer: Any) -> dict:
    """What a list of models says of prices and shutdowns"""

def endpoint_prices(base_url: str | None, headers: dict | None=None, timeout: float=10.0, key: str='') -> dict | None:
    """What an endpoint says that its models cost, and when they go off"""

def catalogue_price(model: str) -> tuple:
    """The price of a model in `genai-prices`"""

def estimate_tokens(text: str) -> float:
    """Tokens from words, letters, signs, digits, newlines and bytes beyond ASCII"""

def token_counter(model: str | None=None) -> TokenCounter:
    """The best way at hand to count a model's tokens"""

def count_tokens(text: str | None, model: str | None=None) -> int:
    """How many tokens a text has, exactly or by estimate"""

def message_tokens(messages: Iterable[dict], model: str | None=None) -> int:
    """Tokens of a conversation: the texts, four around each message, three to begin the reply"""

def most_tokens(body: dict) -> tuple:
    """The most tokens that a call is charged for"""

def most_cost(price: Price, body: dict, batch: bool=False) -> float:
    ...

def spending(store: Store, account: str | None=None) -> dict:
    """What has been spent in a store, over all runs"""

@dataclass(frozen=True)
class Price:
    """What a model's tokens cost"""
    prompt: float
    completion: float
    batch_discount: float = ...
    cached: float | None = ...
    cache_write: float | None = ...
    flex_discount: float = ...
    priority_premium: float = ...
    tier: str | None = ...

    def __post_init__(self):
        ...

    def cost(self, prompt_tokens: float | np.ndarray, completion_tokens: float | np.ndarray, batch: bool=False, cached_tokens: float | np.ndarray=0, cache_write_tokens: float | np.ndarray=0, tier: str | None=None) -> float | np.ndarray:
        """What so many tokens cost"""

    def dearest(self, prompt_tokens: float | np.ndarray, completion_tokens: float | np.ndarray, batch: bool=False) -> float | np.ndarray:
        """The most that so many tokens can cost: all written to the provider's cache, flex at the standard price"""

class ShutdownWarning(UserWarning):
    """A model that is gone, or soon will be"""

@dataclass(frozen=True)
class TokenCounter:
    """A way of counting tokens, and how far a total may be off"""
    name: str
    error: float
    count: object

    def __call__(self, text: str | None) -> int:
        ...

class Budget:
    """Dollars that may be spent"""
    batch: bool
    covers_earlier: Any
    dollars: Any
    price: Price
    reserved: float
    spent: Any
    told: dict[Any, Any]
    under_way: int

    def __init__(self, dollars: float, price: Price, batch: bool=False, earlier: float | None=None):
        ...

    def __repr__(self):
        ...

    def most(self, body: dict) -> float:
        ...

    def fits(self, dollars: float) -> bool:
        ...

    def covers(self, earlier: float) -> None:
        ...

    def learn(self, of: Any, so_far: float) -> None:
        ...

    def take(self, dollars: float) -> None:
        ...

    async def reserve(self, dollars: float) -> None:
        """Set dollars aside, waiting for room if there may be some; raise `BudgetError` if there will be none"""

    def settle(self, reserved: float, cost: float=0.0) -> None:
        """A reply came: what it cost takes the place of what was set aside"""

    def exhausted(self, dollars: float) -> BudgetError:
        ...

    def overbilled(self, cost: float, most: float) -> BudgetError:
        ...

class SpendingWarning(UserWarning):
    """Money that may have been spent without a reply"""

class Ledger:
    """What an account has spent in a store, over all runs"""
    account: str
    earlier: Any
    row: dict[str, Any]
    store: Store
    unanswered: Any

    def __init__(self, store: Store, account: str):
        ...

    def __repr__(self):
        ...

    def so_far(self, open_batches: bool=True) -> float:
        ...

    async def begin(self, key: str, most: float) -> str:
        """Write down that a call sets out; return when it is written"""

    def settle(self, name: str, cost: float=0.0, estimated: bool=False) -> None:
        """A call has ended; this is written with the next that begins, and at the end"""
