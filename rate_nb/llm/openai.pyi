# Written by `make export` from the module beside it. Edit the notebook.
"""How can thousands of rewrites be requested from an unreliable server without losing one?"""
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Natural
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.options import Url
from rate_nb.base.options import Variables
from rate_nb.base.store import Store
from rate_nb.llm.batch_api import BatchLimits
from rate_nb.llm.calls import Failure
from rate_nb.llm.calls import Reply
from rate_nb.llm.chat import Question
from rate_nb.llm.prices import Ledger
from rate_nb.llm.prices import Price
from rate_nb.rewriting.instructions import RewriteRequest
from typing import Any
from typing import Callable
from typing import Literal
FEW: int
LOOK: float

def batch_rewriter(model: str, *, mode: Literal['batch']='batch', **kwargs: Any) -> OpenAIRewriter:
    """The endpoint's Batch API: at half the price, within a day"""

class Gate:
    """Bounded, adaptive concurrency"""
    active: int
    limit: Any
    most: int
    resume_at: Any
    slow: int

    def __init__(self, most: int):
        ...

    async def enter(self, patience: float=...) -> float:
        """Wait for a turn"""

    def leave(self) -> None:
        ...

    def succeeded(self) -> None:
        ...

    def slow_down(self, wait: float | None=None) -> None:
        """Halve the limit, and hold every call for as long as the endpoint asks"""

class _Secret(str):

    def __repr__(self):
        ...

class OpenAIRewriter:
    """An OpenAI-compatible endpoint"""
    account: Any
    api_key_env: Any
    attempts: int
    base_url: Any
    budget: Any
    calling: Any
    calls: int
    completion_tokens: int
    dollars: float
    extra: Any
    gate: Gate
    headers: Any
    jitter: Any
    left_behind: str
    limits: BatchLimits
    mode: Literal['chat', 'batch']
    model: str
    price: Any
    prompt_tokens: int
    refused: Any
    renamed: bool
    requests_per_minute: Natural
    revision: Any
    service_tier: str | None
    store: Any
    tokens_per_minute: Natural

    def __init__(self, model: str, base_url: Url | None=None, store: Store | str | Path | None=None, max_concurrency: Positive=32, mode: Literal['chat', 'batch']='chat', temperature: NotNegative | None=None, seed: int | None=0, api_key: Callable | None=None, api_key_env: Variables | None=None, headers: dict[str, str] | None=None, reasoning_effort: str | None=None, service_tier: str | None=None, timeout: AboveZero=120.0, max_tokens: Positive | None=4096, max_retries: Natural=6, patience: NotNegative=3600.0, give_up_after: Positive | None=10, revision: str | None=None, budget: float | None=None, prices: Any=None, batch: BatchLimits=..., requests_per_minute: Natural=0, tokens_per_minute: Natural=0, **options: Any):
        ...

    def listed(self) -> dict:
        """What the endpoint's list says of its models, asked for once"""

    def learn_price(self) -> Price | None:
        """The price of the model, from the endpoint's list where it is known from nowhere else"""

    @property
    def settings(self) -> dict:
        ...

    @property
    def batched(self) -> bool:
        ...

    @property
    def endpoint(self) -> str:
        ...

    def further_headers(self) -> dict:
        """The headers of your own"""

    def __repr__(self):
        ...

    def failed_with(self, failure: Failure) -> None:
        ...

    @property
    def note(self) -> str:
        ...

    def body(self, request: RewriteRequest | Question) -> dict:
        """The call for one request"""

    def renames(self, words: str) -> bool:
        ...

    def refuses(self, request: RewriteRequest | Question, body: dict, words: str) -> bool:
        ...

    def accounted(self, reply: Reply, body: dict | None) -> Reply:
        """What a reply cost"""

    def most_for(self, body: dict) -> float:
        ...

    def ledger(self, anew: bool=False) -> Ledger | None:
        ...

    def hold(self, replies: dict[str, Reply]) -> dict:
        """Raise `EndpointError` if the endpoint has changed its model, keeping what was paid for"""

    @contextmanager
    def keeping(self, store: Store) -> Iterator[OpenAIRewriter]:
        ...

    @property
    def seconds_per_call(self) -> float | None:
        ...

    def count(self, reply: Reply) -> None:
        ...

    async def rewrite(self, request: RewriteRequest | Question) -> Reply:
        """Ask for one rewrite until it is there or there is no hope"""

    def check(self) -> None:
        """Raise if the endpoint is down, refuses the key, does not know the model, or its price is nowhere known"""

    def shutdown(self) -> str:
        """Is the model gone or about to go, as its endpoint says, or the table where that is not our own?"""

    def reach(self) -> None:
        """Raise if nothing answers at the address, or it refuses the key; no text is sent"""

    def check_listed(self) -> None:
        """After `reach`: raise if the list lacks the model, and a call of one token is refused"""

    async def rewrite_many(self, requests: dict, arrived: Callable) -> None:
        """Ask for many rewrites by the provider's Batch API"""

class UnlistedWarning(UserWarning):
    """An endpoint answers to the name of a model that its list does not have"""
