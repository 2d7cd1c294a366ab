# Written by `make export` from the module beside it. Edit the notebook.
"""How are thousands of rewrites asked for at once, from a server that stumbles, without losing one?"""
from contextlib import contextmanager
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Natural
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.options import Url
from rate_nb.base.options import Variables
from rate_nb.llm.batch_api import BatchLimits
from rate_nb.llm.calls import Reply
from typing import Any
from typing import Callable
from typing import Literal

def batch_rewriter(model: str, *, mode: Literal['batch']='batch', **kwargs) -> OpenAIRewriter:
    """The endpoint's Batch API: at half the price, within a day"""

class Gate:
    """Bounded, adaptive concurrency"""
    active: int
    limit: Any
    most: Any
    resume_at: float

    def __init__(self, most):
        ...

    async def enter(self, patience=...):
        ...

    def leave(self):
        ...

    def succeeded(self):
        ...

    def slow_down(self, wait=None):
        """Halve the limit, and hold everyone for as long as was asked"""

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
    headers: Any
    left_behind: str
    limits: BatchLimits
    mode: Literal['chat', 'batch']
    model: str
    price: Any
    prompt_tokens: int
    renamed: bool
    requests_per_minute: Natural
    revision: Any
    service_tier: str | None
    store: Any
    tokens_per_minute: Natural

    def __init__(self, model: str, base_url: Url | None=None, store=None, max_concurrency: Positive=32, mode: Literal['chat', 'batch']='chat', temperature: NotNegative | None=None, seed: int | None=0, api_key: Callable | None=None, api_key_env: Variables | None=None, headers: dict[str, str] | None=None, reasoning_effort: str | None=None, service_tier: str | None=None, timeout: AboveZero=120.0, max_tokens: Positive | None=4096, max_retries: Natural=6, patience: NotNegative=3600.0, give_up_after: Positive | None=10, revision: str | None=None, budget: float | None=None, prices: Any=None, batch: BatchLimits=..., requests_per_minute: Natural=0, tokens_per_minute: Natural=0, **options):
        ...

    def listed(self) -> dict:
        """What the endpoint's list says of its models, asked for once"""

    def learn_price(self):
        """The price of the model, from the endpoint's list where it is known from nowhere else"""

    @property
    def settings(self) -> dict:
        ...

    @property
    def batched(self) -> bool:
        ...

    @property
    def note(self) -> str:
        ...

    @property
    def endpoint(self) -> str:
        ...

    def further_headers(self) -> dict:
        """The headers of your own"""

    def __repr__(self):
        ...

    def body(self, request) -> dict:
        """The call for one request"""

    def renames(self, words) -> bool:
        ...

    def accounted(self, reply, body) -> Reply:
        """What a reply cost"""

    def most_for(self, body) -> float:
        ...

    def ledger(self):
        ...

    def hold(self, replies) -> dict:
        """Raise `EndpointError` if the endpoint has changed its model, keeping what was paid for"""

    @contextmanager
    def keeping(self, store):
        ...

    @property
    def seconds_per_call(self):
        ...

    def count(self, reply):
        ...

    async def rewrite(self, request) -> Reply:
        """Ask for one rewrite until it is there or there is no hope"""

    def check(self):
        """Raise if the endpoint is down, refuses the key, does not know the model, or its price is nowhere known"""

    def shutdown(self) -> str:
        """Is the model gone or about to go, as its endpoint says, or the table where that is not our own?"""

    async def rewrite_many(self, requests, arrived):
        """Ask for many rewrites by the provider's Batch API"""
