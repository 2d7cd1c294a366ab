# Written by `make export` from the module beside it. Edit the notebook.
"""Can a model on this machine write many rewrites at a time, so that none depends on its neighbours in the batch?"""
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.options import Model
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.llm.calls import Reply
from rate_nb.llm.chat import Question
from rate_nb.rewriting.instructions import RewriteRequest
from typing import Any
import numpy as np
import torch

def own_numbers(key: str, n: int) -> np.ndarray:
    """Random numbers of one request (Philox, a counter-based generator)"""

class OwnNumbers:
    """A logits processor that samples each row with numbers of its own"""
    numbers: np.ndarray
    step: int
    temperature: float
    top_p: float

    def __init__(self, numbers: np.ndarray, temperature: float, top_p: float):
        ...

    def __call__(self, ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        ...

class LocalRewriter:
    """A causal language model on this machine"""
    calls: int
    completion_tokens: int
    extra: Any
    max_new_tokens: Positive
    model: Any
    name: Any
    prompt_tokens: int
    seed: int
    source: Any
    store: Any
    temperature: Any
    template_options: Any
    top_p: float

    def __init__(self, model: Model, *, store: Store | str | Path | None=None, name: str | None=None, device: str | None=None, dtype: str | None=None, batch_size: Positive | None=None, temperature: NotNegative | None=None, top_p: float=1.0, max_new_tokens: Positive=1024, seed: int=0, revision: str | None=None, trust_remote_code: bool=False, template: str | None=None, template_options: dict[str, Any] | None=None, **options: Any):
        ...

    @property
    def settings(self) -> dict:
        ...

    @property
    def max_concurrency(self) -> int:
        ...

    @property
    def note(self) -> str:
        ...

    def __repr__(self):
        ...

    def encode(self, messages: list[dict]) -> list:
        """A conversation as the model reads it"""

    def check(self) -> None:
        """Read the weights, unless they are there"""

    async def rewrite(self, request: RewriteRequest | Question) -> Reply:
        """Ask for one rewrite; requests that wait together are answered together"""

@dataclass(eq=False)
class _Job:
    ids: list
    limit: int
    key: str
    future: object
