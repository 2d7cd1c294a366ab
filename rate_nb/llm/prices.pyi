# Written by `make export` from the module beside it. Edit the notebook.
"""What will a rewrite cost, before it is asked for?"""
from dataclasses import dataclass
from rate_nb.base.core import BudgetError
from typing import Any
import pandas as pd
LISTED: tuple[str, ...]

def price_table(prices=None) -> pd.DataFrame:
    """The known prices, yours first"""

def price_of(model, prices=None, today=None) -> Price:
    """The price of a model"""

def shutdown_note(model, date=None, today=None) -> str:
    """Is a model gone, or will it be within three months?"""

def listed_models(answer) -> dict:
    """What a list of models says of prices and shutdowns"""

def endpoint_prices(base_url, headers=None, timeout=10.0, key='') -> dict:
    """What an endpoint says that its models cost, and when they go off"""

def estimate_tokens(text) -> float:
    """Tokens from words, letters, signs, digits, newlines and bytes beyond ASCII"""

def token_counter(model=None) -> TokenCounter:
    """The best way at hand to count a model's tokens"""

def count_tokens(text, model=None) -> int:
    """How many tokens a text has, exactly or by estimate"""

def message_tokens(messages, model=None) -> int:
    """Tokens of a conversation: the texts, four around each message, three to begin the reply"""

def most_tokens(body) -> tuple:
    """The most tokens that a call is charged for"""

def most_cost(price, body, batch=False):
    ...

def spending(store, account=None) -> dict:
    """What has been spent in a store, over all runs"""

@dataclass(frozen=True)
class Price:
    """What a model's tokens cost"""
    prompt: float
    completion: float
    batch_discount: float = ...
    cached: float = ...
    cache_write: float = ...
    flex_discount: float = ...
    priority_premium: float = ...
    tier: str = ...

    def __post_init__(self):
        ...

    def cost(self, prompt_tokens, completion_tokens, batch=False, cached=0, cache_written=0, tier=None):
        """What so many tokens cost"""

    def dearest(self, prompt_tokens, completion_tokens, batch=False):
        """The most that so many tokens can cost: all written to the provider's cache, nothing cheaper for waiting"""

class ShutdownWarning(UserWarning):
    """A model that is gone, or soon will be"""

@dataclass(frozen=True)
class TokenCounter:
    """A way of counting tokens, and how far a total may be off"""
    name: str
    error: float
    count: object

    def __call__(self, text) -> int:
        ...

class Budget:
    """Dollars that may be spent"""
    batch: Any
    covers_earlier: Any
    dollars: Any
    price: Any
    reserved: float
    spent: Any
    told: Any
    under_way: int

    def __init__(self, dollars, price, batch=False, earlier=None):
        ...

    def __repr__(self):
        ...

    def most(self, body):
        ...

    def fits(self, dollars):
        ...

    def covers(self, earlier):
        ...

    def take(self, dollars):
        ...

    async def reserve(self, dollars):
        """Set dollars aside, waiting for room if there may be some; raise `BudgetError` if there will be none"""

    def settle(self, reserved, cost=0.0):
        """A reply came: what it cost takes the place of what was set aside"""

    def exhausted(self, dollars) -> BudgetError:
        ...

    def overbilled(self, cost, most) -> BudgetError:
        ...

class SpendingWarning(UserWarning):
    """Money that may have been spent without a reply"""

class Ledger:
    """What an account has spent in a store, over all runs"""
    account: Any
    earlier: Any
    row: dict[str, Any]
    store: Any
    unanswered: Any

    def __init__(self, store, account):
        ...

    def __repr__(self):
        ...

    def so_far(self, open_batches=True) -> float:
        ...

    async def begin(self, key, most) -> str:
        """Write down that a call sets out; return when it is written"""

    def settle(self, name, cost=0.0, estimated=False):
        """A call has ended; this is written with the next that begins, and at the end"""
