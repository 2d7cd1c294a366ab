# Written by `make export` from the module beside it. Edit the notebook.
"""Can a model on this machine write the rewrites, many at a time, so that none depends on its neighbours?"""
from dataclasses import dataclass
from rate_nb.llm.calls import Reply
from typing import Any
import numpy as np

def own_numbers(key, n) -> np.ndarray:
    """Random numbers of one request (Philox, a counter-based generator)"""

class OwnNumbers:
    """A logits processor that samples each row with numbers of its own"""
    numbers: Any
    step: int
    temperature: Any
    top_p: Any

    def __init__(self, numbers, temperature, top_p):
        ...

    def __call__(self, ids, scores):
        ...

class LocalRewriter:
    """Rewrites by a causal language model on this machine"""
    calls: int
    completion_tokens: int
    extra: Any
    max_new_tokens: Any
    model: Any
    name: Any
    prompt_tokens: int
    seed: Any
    source: Any
    store: Any
    temperature: Any
    template_options: Any
    top_p: Any

    def __init__(self, name_or_path, *, store=None, name=None, device=None, dtype=None, batch_size=None, temperature=None, top_p=1.0, max_new_tokens=1024, seed=0, revision=None, trust_remote_code=False, template=None, template_options=None, **settings):
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

    def encode(self, messages) -> list:
        """A conversation as the model reads it"""

    def check(self):
        """Read the weights, unless they are there"""

    async def rewrite(self, request) -> Reply:
        """Ask for one rewrite; requests that wait together are answered together"""

@dataclass(eq=False)
class _Job:
    ids: list
    limit: int
    key: str
    future: object
