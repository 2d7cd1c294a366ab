# Written by `make export` from the module beside it. Edit the notebook.
"""A prompt and its fifty rewrites begin with the same tokens. Must a model process them fifty times?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from rate_nb.checkpoints.encoding import Encoded
from transformers import PreTrainedModel
from typing import Any
import numpy as np
import torch
LEAST: int
BLOCK: int
CACHE: tuple[str, ...]
MOST: int

def common_length(one: np.ndarray, other: np.ndarray) -> int:
    """The longest common prefix"""

def in_token_order(items: Sequence[Encoded]) -> list:
    """Texts that begin alike, side by side"""

def shared_tokens(items: Sequence[Encoded], ends: Sequence[int], least: int=...) -> list:
    """What each text need not be read for again"""

def share_prefix(items: Sequence[Encoded], ends: Sequence[int], least: int=...) -> SharedPrefix:
    """Put texts into one row"""

def shared_prefixes(items: Sequence[Encoded], ends: Sequence[int], budget: int, least: int=...) -> list:
    """Which texts are read together"""

@contextmanager
def only_where_read(model: PreTrainedModel, at: torch.Tensor) -> Iterator[None]:
    """While this context is open, the last layer works only for the tokens that are read"""

def read_row(model: PreTrainedModel, pack: SharedPrefix, lean: bool=False, **more: Any) -> Any:
    """Let a model read a row"""

def read_hidden(model: PreTrainedModel, pack: SharedPrefix, lean: bool=False) -> torch.Tensor:
    ...

def read_shared_prefix(model: PreTrainedModel, pack: SharedPrefix, lean: bool=True) -> torch.Tensor:
    """The outputs for each text of a row"""

def cache_argument(model: PreTrainedModel) -> str | None:
    """What the forward pass of a model calls its cache"""

def why_full_sequences(model: PreTrainedModel) -> str:
    """Why a model must read full sequences"""

def spares_last_layer(model: PreTrainedModel) -> bool:
    """May the last layer work for the token that is read alone? Tried on the model itself"""

def own_modules(model: torch.nn.Module) -> torch.nn.Module:
    """A model once more, around the same weights"""

def why_one_worker(model: torch.nn.Module) -> str:
    """Why only one batch is scored at a time"""

def worker_count(threads: int, planned: float) -> int:
    """How many batches are scored at once"""

def run_workers(workers: Sequence[Callable[[Any], Any]], batches: Iterable, share: int) -> Iterator:
    """Let each batch be scored by a worker that is free, at most two rounds ahead of what was reported"""

@dataclass(frozen=True)
class SharedPrefix:
    """Texts in one row, without padding and without what they share with the text before"""
    ids: np.ndarray
    places: np.ndarray
    own: tuple
    lies: tuple
    read: np.ndarray
    reused: int

class SharingLost(str):
    """A reason that lies with this package or with transformers, not with the model"""
