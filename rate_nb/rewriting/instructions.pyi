# Written by `make export` from the module beside it. Edit the notebook.
"""What exactly is a language model asked, so that it rewrites a text and does nothing else with it?"""
from dataclasses import dataclass
from functools import cached_property
from typing import Any
import numpy as np
import pandas as pd
SYSTEM: str
LEAST_OVERLAP: float
LEAST_GROWTH: int
CHECKS: dict[str, Any]

def instruction_for(attribute, **changes) -> Instruction:
    """The attribute's own instruction (RATE, table 2)"""

def unwrap(text):
    ...

def language_notes(examples, attribute) -> list:
    """Which checks do not cover the language of these responses"""

def content_words(text) -> frozenset:
    """What a text is about"""

def overlap(before, after) -> tuple:
    """What two texts have in common"""

def looks_answered(before, after) -> bool:
    """Did it reply to the text instead of rewriting it?"""

def reply_status(request, reply, checks=...) -> str:
    """The status of one rewrite"""

def alarm_rates(before, after, checks=..., level=0.95) -> pd.DataFrame:
    """How often each status is given"""

def save_version(store, instruction, attribute, note='') -> str:
    """Keep a wording; the same one again only changes its note"""

def saved_versions(store, attribute=None) -> pd.DataFrame:
    """The wordings kept so far"""

def get_version(store, instruction_id) -> Instruction:
    """A saved wording"""

def flag(store, key, reason, **about):
    """Say that a rewrite is bad"""

def unflag(store, key):
    """Take a flag back"""

def flags(store) -> dict:
    """The flags that stand"""

def flagged(rewrites, store) -> pd.DataFrame:
    """Honour the flags"""

def remember_used(examples, store, attribute, instruction):
    """Remember that somebody looked at these while working on an instruction"""

def used(examples, store, attribute) -> np.ndarray:
    """Which examples were looked at while iterating"""

def exclude_tuned_examples(examples, store, attribute) -> pd.DataFrame:
    """Leave out what the instruction was made on"""

@dataclass(frozen=True)
class Instruction:
    """What a rewriter is told; its `id` is a hash of all that asks for a change"""
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
    def keeping(self):
        ...

    def request(self, target) -> str:
        """The request for one target"""

    def messages(self, prompt, text, target) -> list:
        """The conversation that asks for one rewrite"""

@dataclass(frozen=True)
class RewriteRequest:
    """Re(x, y, w): one text to be rewritten"""
    prompt: str
    text: str
    target: int
    draw: int
    instruction: Instruction
