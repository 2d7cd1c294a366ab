# Written by `make export` from the module beside it. Edit the notebook.
"""Which tokens does a model see, which of them are cut, and how many are padding?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from transformers import PreTrainedTokenizerBase
from typing import Any
import numpy as np
import torch
DAY: Any
FOOT: int

def token_budget_batches(lengths: Sequence[int] | np.ndarray, budget: int) -> list:
    """Split texts into length-sorted batches of about equal area"""

def timeless(template: str) -> str:
    """A template that does not look at the calendar"""

def check_template(template: str, tokenizer: PreTrainedTokenizerBase, **names: Any) -> None:
    """Raise `ModelError` for a template that takes without end; each is tried once, in 0.1 s"""

def one_text(prompt: str | list | dict) -> str:
    """A prompt for a tokenizer without a chat template"""

def chat_text(tokenizer: PreTrainedTokenizerBase, prompt: str | list | dict, response: str, template: str | None=None) -> str:
    """A conversation with the response in its place, through a chat template once"""

def check_shown(render: Callable[..., str], text: str, messages: list, tools: list | None, reference: str | None) -> None:
    ...

def own_template(tokenizer: PreTrainedTokenizerBase) -> str | None:
    """The tokenizer's chat template; of several, the default one"""

def kept_tokens(ids: np.ndarray, max_tokens: int | None, special: Iterable[int], side: str) -> np.ndarray:
    """Which tokens survive truncation"""

def places(model: torch.nn.Module) -> int | None:
    """How long a text can be at all"""

def context_length(model: torch.nn.Module, tokenizer: PreTrainedTokenizerBase, wanted: int | None=None) -> int | None:
    """How many tokens a text may have: as asked for, else the smallest that model and tokenizer say"""

def check_ids(ids: Sequence[int] | np.ndarray, rows: int, name: str, pair: tuple) -> np.ndarray:
    """Ids that the model knows, at least one of them"""

def rectangle(items: Sequence[Encoded], pad: int, side: str='right', positions: bool=False) -> dict:
    """Texts of different lengths as one batch"""

def read_conventions(path: str | Path) -> list:
    """The rows of a table of reading conventions"""

def known_models(path: str | Path | None=None) -> list:
    """The reading conventions that are known, yours before the package's"""

def hub_name(source: str | Path) -> str:
    """What a model is called; the hub's cache keeps it in a directory with a hash for a name"""

def find_convention(name: str, architectures: Sequence[str] | None, rows: Sequence[Convention]) -> Convention:
    """The row for a model: the first that fits its name, else one that fits its architecture alone"""

def in_reading(convention: Convention, template: str | None) -> Convention:
    """The row as others read the model, where `template` is the name of their reading"""

@dataclass(frozen=True)
class Encoded:
    """One (prompt, response) pair as the model will see it"""
    ids: np.ndarray
    segments: object = ...
    truncated: bool = ...
    start: int = ...

@dataclass(frozen=True)
class Convention:
    """How one family of reward models is read: a row of the table"""
    family: str = ...
    models: str | None = ...
    architecture: str | None = ...
    head: str | None = ...
    template: str | None = ...
    readings: dict | None = ...
    bos: str = ...
    eos: str = ...
    system: bool | None = ...
    context: int | None = ...
    dtype: str | None = ...
    sign: int = ...
    tokenizer: str | None = ...
    reference: bool = ...
    refused: str | None = ...
    unless: str | None = ...
    expected: tuple = ...
    tolerance: float | None = ...
    source: str | None = ...
    scores: str | None = ...
