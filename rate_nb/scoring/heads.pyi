# Written by `make export` from the module beside it. Edit the notebook.
"""A reward model is a backbone with a head; what if `transformers` does not know the head?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from transformers import PretrainedConfig
from typing import Any
import torch
HEADS: dict[Any, Any]
ARMO_OBJECTIVES: Any
ARMO_TURN: tuple[int, ...]

def register_head(head: Head) -> Head:
    """Teach `load_reward_model` another kind of head"""

def find_head(head: str | Head | None, architectures: Sequence[str] | None) -> Head | None:
    """The registry entry for a model"""

def build_headed(folder: str | Path, config: PretrainedConfig, dtype: torch.dtype, make_head: Callable, beside: Sequence[str]=(), in_32_bits: bool=False) -> torch.nn.Module:
    """A backbone and a head, both from one checkpoint"""

def last_hidden(hidden: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
    """The hidden state at each text's last token"""

def scale_and_shift(config: PretrainedConfig) -> tuple[float, float]:
    """The normalisation that a model's makers apply to its number (OpenRLHF; Safe-RLHF's score models)"""

def turned(config: PretrainedConfig) -> int:
    """The sign that makes a reward of a model's number"""

def stored_names(keys: Iterable[str]) -> list:
    """The heads that a checkpoint holds"""

def stored_layers(weights: dict[str, torch.Tensor], more: Iterable[str]=()) -> list[dict]:
    """The layers of a head, found by their names"""

def last_occurrence(input_ids: torch.Tensor, pattern: Sequence[int]) -> torch.Tensor:
    """Where each row last holds a sequence of tokens"""

def build_remote(folder: str | Path, config: PretrainedConfig, dtype: torch.dtype) -> torch.nn.Module:
    ...

def check_trust(head: Head, trusted: bool) -> None:
    """Refuse foreign code that the user did not allow"""

def build_head(head: Head, source: str | Path, config: PretrainedConfig, dtype: torch.dtype, trust_remote_code: bool=False, revision: str | None=None) -> torch.nn.Module:
    """Build a registered kind of model"""

@dataclass(frozen=True)
class Head:
    """How to build and read one kind of reward head"""
    name: str
    pattern: str
    build: object
    read: object = ...
    suffix: object = ...
    remote: bool = ...
    about: str = ...
