# Written by `make export` from the module beside it. Edit the notebook.
"""A prompt and its fifty rewrites begin with the same tokens; must a model read them fifty times?"""
from contextlib import contextmanager
from dataclasses import dataclass
from transformers import PreTrainedModel
import numpy as np
LEAST: int
BLOCK: int
CACHE: tuple[str, ...]
MOST: int

def common_length(one, other) -> int:
    """The longest common prefix"""

def in_token_order(items) -> list:
    """Texts that begin alike, side by side"""

def shared_tokens(items, ends, least=...) -> list:
    """What each text need not be read for again"""

def share_prefix(items, ends, least=...) -> SharedPrefix:
    """Put texts into one row"""

def shared_prefixes(items, ends, budget, least=...) -> list:
    """Which texts are read together"""

@contextmanager
def only_where_read(model, at):
    """While this context is open, the last layer works only for the tokens that are read"""

def read_row(model, pack, lean=False, **more):
    """Let a model read a row"""

def read_hidden(model, pack, lean=False):
    ...

def read_shared_prefix(model, pack, lean=True):
    """The outputs for each text of a row"""

def cache_argument(model: PreTrainedModel) -> str | None:
    """What the forward pass of a model calls its cache"""

def why_full_sequences(model: PreTrainedModel) -> str:
    """Why a model must read full sequences"""

def spares_last_layer(model) -> bool:
    """May the last layer work for the token that is read alone? Tried on the model itself"""

def own_modules(model):
    """A model once more, around the same weights"""

def why_one_worker(model) -> str:
    """Why only one batch is scored at a time"""

def worker_count(threads, planned) -> int:
    """How many batches are scored at once"""

def run_workers(workers, batches, share):
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
