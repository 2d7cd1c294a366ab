# Written by `make export` from the module beside it. Edit the notebook.
"""What is a reward model to an audit, and how is each text scored once and never lost?"""
from rate_nb.base.options import Function
from rate_nb.base.options import Positive
from typing import Any
from typing import Callable
import numpy as np
AnyReward = RewardModel | Callable

def with_settings(model, **settings):
    ...

def as_numbers(who, values) -> np.ndarray:
    """Numbers, or one error for what is none, such as 1j, {} or 10**400"""

def score_row(value, tokens=0, truncated=False, parts=None) -> dict:
    """One reward as it is stored"""

def function_reward(function: Function, name: str | None=None, key: str | None=None, batch_size: Positive=64) -> CallableReward:
    """A Python function"""

def as_reward_model(model: AnyReward) -> RewardModel:
    """Accept functions where a reward model is asked for"""

def as_pairs(prompts, responses) -> list:
    """Prompts and responses side by side, in one canonical form"""

def check_read(model, pairs, names=None) -> list:
    """Raise `InputError` for what a model would not read whole"""

def findable(model, key, store):
    ...

def score_pairs(model, pairs, store=None, progress=None, alone=...) -> list:
    """Score each distinct pair once, in batches that do not depend on what is stored"""

def pace(tokens, since) -> str:
    """How fast it goes, for a progress line"""

def score_texts(prompts, responses, reward_model, store=None, progress=None) -> np.ndarray:
    """The reward of each response"""

def objective_scores(prompts, responses, reward_model, store=None) -> dict:
    """Every objective of each response"""

class RewardModel:
    """A named way to score batches of (prompt, response) pairs; a subclass supplies `score_batch`"""
    batch_size: Any
    key: Any
    name: Any
    needs_reference: bool

    def __init__(self, name, key=None, batch_size=64):
        ...

    def refusals(self, pairs):
        ...

    def prepare(self, pairs):
        ...

    def plan(self, items):
        ...

    def score_batches(self, batches, planned):
        ...

    def __repr__(self):
        ...

    def score(self, prompts, responses, progress=None) -> np.ndarray:
        """The reward of each response, nothing stored"""

class CallableReward(RewardModel):
    """A Python function as a reward model"""
    fn: Callable
    needs_reference: Any

    def __init__(self, name: str, fn: Callable, key: str | None=None, batch_size: Positive=64):
        ...

    def score_batch(self, pairs):
        ...

class TokenReward(RewardModel):
    """A reward model that reads tokens here. A subclass supplies `prepare` and `_forward`, has a `device`, says in `_cannot_share` why it cannot share prefixes, names in `_torch_models` what it reads with, and makes a `_worker`"""
    reuse_prefixes: Any
    token_budget: Any

    def __init__(self, name, key=None, token_budget=1024, reuse_prefixes=False):
        ...

    def plan(self, items):
        ...

    @property
    def scheme(self) -> str:
        """How texts that begin alike are computed"""

    def score_batch(self, items):
        ...

    @property
    def workers(self) -> int:
        """How many batches can be scored at once"""

    def score_batches(self, batches, planned):
        ...

class RewardWarning(UserWarning):
    """What to know of a reward before its numbers are used"""
