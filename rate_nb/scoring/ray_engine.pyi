# Written by `make export` from the module beside it. Edit the notebook.
"""One process is too slow. How can several share the work, and what happens when one of them dies?"""
from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from rate_nb.base.options import Function
from rate_nb.base.options import Natural
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import numpy as np

def plan_blocks(pairs: list[tuple], size: int) -> list:
    """Which pairs travel together; it depends on the pairs alone"""

def failed_row(error: Exception | str) -> dict:
    """The row of a pair that could not be scored"""

def score_block(model: RewardModel, pairs: list[tuple]) -> list:
    """Score pairs so that a bad one costs only itself"""

@contextmanager
def ray_session(options: RayOptions) -> Iterator[Any]:
    """Ray, as long as this context is open; ended with it if it was started here"""

def score_pairs_with_ray(model: RewardModel, pairs: list[tuple], store: Store | None=None, progress: Any=None, options: RayOptions | None=None, alone: Callable[[str], Any]=...) -> list:
    """Score each distinct pair once, by workers of Ray"""

@dataclass(frozen=True)
class RayOptions:
    """Scoring by workers"""
    output: str | None = ...
    workers: Positive = ...
    gpus: NotNegative = ...
    cpus: NotNegative = ...
    address: str | None = ...
    block: Positive = ...
    tries: Positive = ...
    restarts: Natural = ...
    init: dict[str, Any] = ...

    def __post_init__(self):
        ...

class RewardRecipe(RewardModel):
    """A function of yours that loads a reward, where it is needed: here, or on each worker of Ray"""
    args: Any
    load: Function
    name: Any
    options: Any

    def __init__(self, function: Function, *args: Any, name: str | None=None, **options: Any):
        ...

    def __getstate__(self):
        ...

    def __getattr__(self, name):
        ...

    @property
    def needs_reference(self) -> bool:
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def prepare(self, pairs: list[tuple]) -> list:
        ...

    def plan(self, items: list) -> list[np.ndarray]:
        ...

    def score_batch(self, items: list) -> list[dict]:
        ...

    def score_batches(self, batches: list[list], planned: int) -> Iterator[list[dict]]:
        ...

    @property
    def loaded(self) -> RewardModel:
        """The reward model itself, in this process"""

class _Worker:
    model: Any

    def load(self, packed):
        ...

    def score(self, packed, pairs, key):
        ...

class _Pool:
    """Processes of Ray that hold the model, and what each of them is doing"""
    actor: Any
    busy: dict[Any, Any]
    deaths: int
    idle: list[Any]
    options: Any
    packed: list[Any]
    ray: Any
    workers: list[Any]

    def __init__(self, ray, packed, options):
        ...

    def start(self):
        ...

    def key(self):
        ...

    def score(self, blocks, distinct, key):
        ...

    def replace(self, worker):
        ...

    def close(self):
        ...
