# Written by `make export` from the module beside it. Edit the notebook.
"""Which tokens does a model see, which of them are cut, and how many are padding?"""
from dataclasses import dataclass
from typing import Any
import numpy as np
DAY: Any
FOOT: int

def token_budget_batches(lengths, budget) -> list:
    """Split texts into length-sorted batches of about equal area"""

def timeless(template) -> str:
    """A template that does not look at the calendar"""

def check_template(template, tokenizer, **names):
    """Raise `ModelError` for a template that takes without end; each is tried once, in 0.1 s"""

def one_text(prompt) -> str:
    """A prompt for a tokenizer without a chat template"""

def chat_text(tokenizer, prompt, response, template=None) -> str:
    """A conversation with the response in its place, through a chat template once"""

def check_shown(render, text, messages, tools, reference):
    ...

def own_template(tokenizer) -> str:
    """The tokenizer's chat template; of several, the default one"""

def kept_tokens(ids, most, special, side) -> np.ndarray:
    """Which tokens survive truncation"""

def places(model) -> int:
    """How long a text can be at all"""

def context_length(model, tokenizer, wanted=None) -> int:
    """How many tokens a text may have: as asked for, else the smallest that model and tokenizer say"""

def check_ids(ids, rows, name, pair) -> np.ndarray:
    """Ids that the model knows, at least one of them"""

def rectangle(items, pad, side='right', positions=False) -> dict:
    """Texts of different lengths as one batch"""

def read_conventions(path) -> list:
    """The rows of a table of reading conventions"""

def known_models(path=None) -> list:
    """The reading conventions that are known, yours before the package's"""

def hub_name(source) -> str:
    """What a model is called; the hub's cache keeps it in a directory with a hash for a name"""

def find_convention(name, architectures, rows) -> Convention:
    """The row for a model: the first that fits its name, else one that fits its architecture alone"""

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
    models: str = ...
    architecture: str = ...
    head: str = ...
    template: str = ...
    bos: str = ...
    eos: str = ...
    system: bool = ...
    context: int = ...
    dtype: str = ...
    sign: int = ...
    tokenizer: str = ...
    reference: bool = ...
    refused: str = ...
    unless: str = ...
    expected: tuple = ...
    tolerance: float = ...
    source: str = ...
    scores: str = ...
