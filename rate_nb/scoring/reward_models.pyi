# Written by `make export` from the module beside it. Edit the notebook.
"""What does an audit need from a reward model, and how is each text scored once and never lost?"""
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from rate_nb.base.options import Function
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.checkpoints.encoding import Encoded
from rate_nb.scoring.judges import Judge
from typing import Any
from typing import Callable
import numpy as np
IN_PYTHON: str
AnyReward = RewardModel | Callable

def with_settings(model: RewardModel, **settings: Any) -> RewardModel:
    ...

def as_numbers(who: str, values: Any) -> np.ndarray:
    """Numbers, or one error for what is none, such as 1j, {} or 10**400"""

def score_row(value: float | None, tokens: int=0, truncated: bool=False, parts: dict[str, float] | None=None) -> dict:
    """One reward as it is stored"""

def function_reward(function: Function, name: str | None=None, key: str | None=None, batch_size: Positive=64) -> CallableReward:
    """A Python function"""

def as_reward_model(model: AnyReward) -> RewardModel:
    """Accept functions in place of a reward model"""

def check_names(models: Sequence[RewardModel], what: str) -> None:
    """Raise unless each has a name of its own"""

def as_pairs(prompts: str | Iterable, responses: Iterable) -> list:
    """Prompts and responses side by side, in one canonical form"""

def check_read(model: RewardModel | Judge, pairs: list[tuple], names: Iterable | None=None) -> list:
    """Raise `InputError` for what a model would not read whole"""

def findable(model: RewardModel, key: str | None, store: Store | None) -> Store | None:
    ...

def check_unchanged(model: RewardModel, pairs: list[tuple], store: Store | None) -> None:
    """Does a server or a function still give the rewards that are stored under its key?"""

def score_pairs(model: RewardModel, pairs: list[tuple], store: Store | None=None, progress: Any=None, alone: Callable[[str], Any]=...) -> list:
    """Score each distinct pair once, in batches that do not depend on what is stored"""

def look_up(distinct: dict[str, tuple], have: dict[str, dict], store: Store | None, progress: Any) -> None:
    """Take from the store what is not known yet"""

def pace(tokens: int, since: float) -> str:
    """How fast it goes, for a progress line"""

def rewards_of(rows: list[dict]) -> np.ndarray:
    ...

def score_texts(prompts: str | Iterable, responses: Iterable, reward: AnyReward, store: Store | None=None, progress: Any=None) -> np.ndarray:
    """The reward of each response"""

def objective_scores(prompts: str | Iterable, responses: Iterable, reward: AnyReward, store: Store | None=None) -> dict:
    """Every objective of each response"""

class RewardModel:
    """A named way to score batches of (prompt, response) pairs; a subclass supplies `score_batch`"""
    batch_size: int
    elsewhere: bool
    key: str | None
    name: Any
    needs_reference: bool

    def __init__(self, name: str, key: str | None=None, batch_size: int=64):
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def prepare(self, pairs: list[tuple]) -> list:
        ...

    def plan(self, items: list) -> list[np.ndarray]:
        ...

    def score_batches(self, batches: list[list], planned: int) -> Iterator[list[dict]]:
        ...

    def __repr__(self):
        ...

    def score(self, prompts: str | Iterable, responses: Iterable, progress: Any=None) -> np.ndarray:
        """The reward of each response, nothing stored"""

class CallableReward(RewardModel):
    """A Python function as a reward model"""
    fn: Callable
    needs_reference: Any

    def __init__(self, name: str, fn: Callable, key: str | None=None, batch_size: Positive=64):
        ...

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...

class TokenReward(RewardModel):
    """A reward model that reads tokens here. A subclass supplies `prepare` and `_forward`, has a `device`, says in `_cannot_share` why it cannot share prefixes, names in `_torch_models` what it reads with, and makes a `_worker`"""
    reuse_prefixes: bool | None
    token_budget: int

    def __init__(self, name: str, key: str | None=None, token_budget: int=1024, reuse_prefixes: bool | None=False):
        ...

    def plan(self, items: list[Encoded]) -> list[np.ndarray]:
        ...

    @property
    def scheme(self) -> str:
        """How texts that begin alike are computed"""

    def score_batch(self, items: list[Encoded]) -> list[dict]:
        ...

    @property
    def workers(self) -> int:
        """How many batches can be scored at once"""

    def score_batches(self, batches: list[list[Encoded]], planned: int) -> Iterator[list[dict]]:
        ...

class RewardWarning(UserWarning):
    """What to know of a reward before its numbers are used"""
