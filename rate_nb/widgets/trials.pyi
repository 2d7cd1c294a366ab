# Written by `make export` from the module beside it. Edit the notebook.
"""Does this wording make a rewriter change the attribute and nothing else?"""
from collections.abc import Callable
from collections.abc import Iterable
from dataclasses import dataclass
from markupsafe import Markup
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.rewriting.instructions import Instruction
from rate_nb.rewriting.planning import Plan
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import asyncio
import pandas as pd
PICKS: tuple[str, ...]
DRIFT: dict[str, Any]
LINKS: tuple[str, ...]

def pick_examples(examples: pd.DataFrame, how: str='random', k: int=5, seed: int=0, store: Store | None=None) -> pd.DataFrame:
    """Choose examples to look at"""

def chatting(rewriter: Any) -> Any:
    ...

def try_instruction(examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, instruction: str | Instruction | None=None, reward: RewardModel | Callable | None=None, store: Store | None=None, cut: float | None=None) -> Trial:
    """Try an instruction on a few examples, and wait for it"""

def label_cut(attribute: str | Attribute, examples: pd.DataFrame) -> float | None:
    """The cut behind the labels of this table"""

def compare_trials(trials: dict[str, Trial]) -> pd.DataFrame:
    """Wordings side by side"""

def flip_matrix(trials: dict[str, Trial]) -> pd.DataFrame:
    """Which wording turns which text; the hardest texts first"""

def estimate_run(examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, instruction: Instruction | None=None, max_examples: int=100, **limits: Any) -> Plan:
    """Cost and time of a run, from a sample of its examples"""

def choice(attribute: str | Attribute, instruction: Instruction, store: Store) -> dict:
    """An instruction as parameters of an audit"""

def safe(text: str) -> str:
    ...

def number(v: Any, digits: int=2, sign: bool=False) -> str:
    ...

def table_html(head: Iterable[str], rows: Iterable[Iterable], note: str='') -> Markup:
    """A small table"""

def texts_html(trial: Trial, links: pd.DataFrame, example_id: Any, against: str='original') -> Markup:
    """The three texts of one example, with their differences"""

def prompt_html(examples: pd.DataFrame, example_id: Any) -> Markup:
    """What the original is a response to"""

def glance_html(trial: Trial) -> Markup:
    """How it went, and what moved"""

def comparison_html(table: pd.DataFrame) -> Markup:
    """Two wordings side by side"""

def matrix_html(matrix: pd.DataFrame) -> Markup:
    """Which wording turns which text"""

def plan_html(plan: Plan) -> Markup:
    """What the whole run would take"""

def page_html(content: str) -> Markup:
    ...

@dataclass(frozen=True)
class Trial:
    """An instruction on a few examples"""
    attribute: Attribute
    instruction: Instruction
    examples: pd.DataFrame
    rewrites: pd.DataFrame
    rewards: pd.DataFrame | None = ...
    cut: float | None = ...

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
    cut: float | None
    examples: Any
    instruction: Any
    model: Any
    rewards: Any
    rewriter: Any
    store: Store | None

    def __init__(self, examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, instruction: Instruction | None=None, reward_model: RewardModel | Callable | None=None, store: Store | None=None, cut: float | None=None):
        ...

    @property
    def missing(self) -> list:
        ...

    @property
    def calls(self) -> int:
        ...

    def trial(self) -> Trial:
        """What is there so far, flags honoured"""

    async def run(self, tick: Callable[[], Any]=...) -> Trial:
        """Make what is missing; a cancelled run keeps what has arrived"""

    async def score(self, loop: asyncio.AbstractEventLoop) -> Trial:
        ...

class _Stopped(Exception):
    """The person has seen enough"""
