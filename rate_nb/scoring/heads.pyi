# Written by `make export` from the module beside it. Edit the notebook.
"""A reward model is a backbone with a head; what if `transformers` does not know the head?"""
from dataclasses import dataclass
from typing import Any
HEADS: dict[Any, Any]
ARMO_OBJECTIVES: Any
ARMO_TURN: tuple[int, ...]

def register_head(head) -> Head:
    """Teach `load_reward_model` another kind of head"""

def find_head(head, architectures) -> Head:
    """The registry entry for a model"""

def build_headed(folder, config, dtype, make_head, beside=(), in_32_bits=False):
    """A backbone and a head, both from one checkpoint"""

def last_hidden(hidden, attention_mask):
    """The hidden state at each text's last token"""

def scale_and_shift(config):
    """The normalisation that a model's makers apply to its number (OpenRLHF; Safe-RLHF's score models)"""

def turned(config) -> int:
    """The sign that makes a reward of a model's number"""

def stored_names(keys) -> list:
    """The heads that a checkpoint holds"""

def stored_layers(weights, more=()):
    """The layers of a head, found by their names"""

def last_occurrence(input_ids, pattern):
    """Where each row last holds a sequence of tokens"""

def build_remote(folder, config, dtype):
    ...

def check_trust(head, trusted):
    """Refuse foreign code that nobody asked for"""

def build_head(head, source, config, dtype, trust_remote_code=False, revision=None):
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
