# Written by `make export` from the module beside it. Edit the notebook.
"""Does this wording make a rewriter do what is asked, and nothing else?"""
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.rewriting.instructions import Instruction
from typing import Any
import pandas as pd
PICKS: tuple[str, ...]
DRIFT: dict[str, Any]
LINKS: tuple[str, ...]

def pick_examples(examples, how='random', k=5, seed=0, store=None) -> pd.DataFrame:
    """Choose examples to look at"""

def chatting(rewriter):
    ...

def try_instruction(examples, attribute, rewriter, instruction=None, reward_model=None, store=None, cut=None) -> Trial:
    """Try an instruction on a few examples, and wait for it"""

def label_cut(attribute, examples) -> float:
    """The cut behind the labels of this table"""

def compare_trials(trials) -> pd.DataFrame:
    """Wordings side by side"""

def estimate_run(examples, attribute, rewriter, instruction=None, most=100, **limits):
    """Cost and time of a run, from a sample of its examples"""

def choice(attribute, instruction, store) -> dict:
    """An instruction as parameters of an audit"""

def safe(text):
    ...

def number(v, digits=2, sign=False):
    ...

def table_html(head, rows) -> str:
    """A small table, escaped"""

def texts_html(trial, links, example_id, against='original') -> str:
    """The three texts of one example, with their differences"""

def prompt_html(examples, example_id) -> str:
    """What the original is a response to"""

def glance_html(trial) -> str:
    """What moved, and how it went"""

def comparison_html(table) -> str:
    """Two wordings side by side"""

def plan_html(plan) -> str:
    """What the whole run would take"""

def page_html(content):
    ...

@dataclass(frozen=True)
class Trial:
    """An instruction on a few examples"""
    attribute: Attribute
    instruction: Instruction
    examples: pd.DataFrame
    rewrites: pd.DataFrame
    rewards: pd.DataFrame = ...
    cut: float = ...

    @property
    def complete(self) -> bool:
        ...

    def links(self) -> pd.DataFrame:
        """Every text of the trial with all that is said about it"""

    def glance(self) -> pd.DataFrame:
        """What moved, on average"""

    def counts(self) -> dict:
        """How it went, in numbers"""

    def troubles(self) -> dict:
        """What went wrong, as the endpoint, the function or the scorer said it"""

class Attempt:
    """The making of a trial: from the store at once, the rest by `run`"""
    attribute: Any
    chains: Any
    cut: Any
    examples: Any
    instruction: Any
    model: Any
    rewards: Any
    rewriter: Any
    store: Any

    def __init__(self, examples, attribute, rewriter, instruction=None, reward_model=None, store=None, cut=None):
        ...

    @property
    def missing(self) -> list:
        ...

    @property
    def calls(self) -> int:
        ...

    def trial(self) -> Trial:
        """What is there so far, flags honoured"""

    async def run(self, tick=...) -> Trial:
        """Make what is missing; a cancelled run keeps what has arrived"""

    async def score(self, loop):
        ...

class _Stopped(Exception):
    """The person has seen enough"""
