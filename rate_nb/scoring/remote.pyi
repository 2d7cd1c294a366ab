# Written by `make export` from the module beside it. Edit the notebook.
"""The reward model runs on another machine. Is the returned number the raw score, and does it belong to this text?"""
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Function
from rate_nb.base.options import Natural
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.options import Url
from rate_nb.base.options import Variables
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
from typing import Callable
from typing import Literal
import numpy as np
WIRES: dict[str, Wire]

def http_reward(url: Url | list[Url], wire: str | Wire='vllm-classify', *, api_key_env: Variables | None=None, **kwargs: Any) -> RewardModel:
    """A server that scores: vLLM, TEI, SGLang, or one of your own"""

@dataclass(frozen=True)
class Wire:
    """How to ask one kind of endpoint and read its replies"""
    path: str
    layouts: tuple
    body: object
    read: object
    single: bool = ...
    check: str = ...

class HTTPReward(RewardModel):
    """A scoring endpoint as a reward model"""
    api_key: Callable | None
    elsewhere: bool
    extra: dict[str, Any]
    label: str | int | None
    layout: Any
    max_concurrency: Positive
    max_retries: Natural
    model: str | None
    needs_reference: bool
    patience: NotNegative
    per_request: Any
    show: Function | None
    timeout: AboveZero
    url: Any
    wire: Any
    wire_name: Any

    def __init__(self, url: Url, wire: str | Wire, model: str | None=None, *, name: str | None=None, layout: Literal['messages', 'pair', 'text'] | None=None, show: Function | None=None, needs_reference: bool=False, label: str | int | None=None, api_key: Callable | None=None, revision: str='', extra: dict[str, Any] | None=None, per_request: Positive=32, max_concurrency: Positive=4, timeout: AboveZero=120.0, max_retries: Natural=5, patience: NotNegative=600.0):
        ...

    @property
    def by_criteria(self) -> bool:
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def plan(self, pairs: list[tuple]) -> list[np.ndarray]:
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...

class SharedReward(RewardModel):
    """Several servers of one model, which share the texts"""
    elsewhere: bool
    needs_reference: Any
    servers: Any

    def __init__(self, servers: Iterable[HTTPReward], name: str | None=None):
        ...

    @property
    def by_criteria(self) -> bool:
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...

class EnvironmentKeys:
    """The keys that environment variables hold, in turn"""
    names: Any

    def __init__(self, names: Sequence[str]):
        ...

    def __call__(self) -> str:
        ...
