# Written by `make export` from the module beside it. Edit the notebook.
"""What exactly is the request to a language model, so that it rewrites a text and does nothing else with it?"""
from collections.abc import Callable
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.llm.calls import Reply
from typing import Any
import numpy as np
import pandas as pd
SYSTEM: str
LEAST_OVERLAP: float
LEAST_GROWTH: int
CHECKS: dict[str, Any]

def instruction_for(attribute: str | Attribute, **changes: Any) -> Instruction:
    """The attribute's own instruction (RATE, table 2)"""

def unwrap(text: str | None) -> str | None:
    ...

def language_notes(examples: pd.DataFrame, attribute: str | Attribute) -> list:
    """Which checks do not cover the language of these responses"""

def content_words(text: str) -> frozenset:
    """What a text is about"""

def overlap(before: str, after: str) -> tuple:
    """What two texts have in common"""

def looks_answered(before: str, after: str) -> bool:
    """Did it reply to the text instead of rewriting it?"""

def reply_status(request: RewriteRequest, reply: Reply, checks: dict[str, Callable[..., bool]]=...) -> str:
    """The status of one rewrite"""

def alarm_rates(before: Iterable[str], after: Iterable[str], checks: dict[str, Callable[..., bool]]=..., level: float=0.95) -> pd.DataFrame:
    """How often each status is given"""

def save_version(store: Store | str | Path, instruction: Instruction, attribute: str | Attribute, note: str='') -> str:
    """Keep a wording; the same one again only changes its note"""

def saved_versions(store: Store | str | Path, attribute: str | Attribute | None=None) -> pd.DataFrame:
    """The wordings kept so far"""

def get_version(store: Store | str | Path, instruction_id: str) -> Instruction:
    """A saved wording"""

def flag(store: Store | str | Path, key: str, reason: str, **about: Any) -> None:
    """Say that a rewrite is bad"""

def unflag(store: Store | str | Path, key: str) -> None:
    """Take a flag back"""

def flags(store: Store | str | Path) -> dict:
    """The flags that stand"""

def flagged(rewrites: pd.DataFrame, store: Store | str | Path | None) -> pd.DataFrame:
    """Honour the flags"""

def remember_used(examples: pd.DataFrame, store: Store | str | Path, attribute: str | Attribute, instruction: Instruction) -> None:
    """Remember that a person looked at these while working on an instruction"""

def used(examples: pd.DataFrame, store: Store | str | Path | None, attribute: str | Attribute) -> np.ndarray:
    """Which examples were looked at while iterating"""

def exclude_tuned_examples(examples: pd.DataFrame, store: Store | str | Path | None, attribute: str | Attribute) -> pd.DataFrame:
    """Leave out what the instruction was made on"""

@dataclass(frozen=True)
class Instruction:
    """What a rewriter gets to read; its `id` is a hash of all that asks for a change"""
    template: str
    treated: str
    untreated: str
    show_prompt: bool = ...
    system: str = ...
    examples: tuple = ...
    keep: str = ...

    def __post_init__(self):
        ...

    @cached_property
    def id(self) -> str:
        ...

    @cached_property
    def keeping(self) -> Instruction:
        ...

    def request(self, target: int) -> str:
        """The request for one target"""

    def messages(self, prompt: str, text: str, target: int) -> list:
        """The conversation that asks for one rewrite"""

@dataclass(frozen=True)
class RewriteRequest:
    """Re(x, y, w): one text to be rewritten"""
    prompt: str
    text: str
    target: int
    draw: int
    instruction: Instruction
