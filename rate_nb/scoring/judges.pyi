# Written by `make export` from the module beside it. Edit the notebook.
"""A judge compares two responses. Does it react to the attribute, or to which response came first?"""
from collections.abc import Iterable
from collections.abc import Sequence
from pathlib import Path
from rate_nb.base.options import Fraction
from rate_nb.base.options import Function
from rate_nb.base.options import Model
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.checkpoints.encoding import Encoded
from rate_nb.llm.local import LocalRewriter
from rate_nb.scoring.ray_engine import RayOptions
from rate_nb.scoring.reward_models import AnyReward
from rate_nb.scoring.reward_models import TokenReward
from typing import Any
from typing import Callable
from typing import Literal
import pandas as pd
import torch
JUDGE_SYSTEM: str
JUDGE_CRITERION: str
TIES: tuple[str, ...]
VERSIONS: dict[str, tuple[int, ...]]
AGAINST_FIRST: tuple[str, ...]
OF_RELATIVE: tuple[str, ...]

def is_judge(thing: Any) -> bool:
    """Does it compare two responses, rather than score one?"""

def verdict_row(value: float | None, status: str='ok', source: str='number') -> dict:
    """One verdict as it is stored"""

def function_judge(function: Function, name: str | None=None, key: str | None=None, bounded: bool=False) -> CallableJudge:
    """A Python function that compares two responses"""

def judge_messages(prompt: str | list | dict, first: str, second: str, criterion: str=..., words: Sequence[str]=('A', 'B', 'tie')) -> list:
    """What an LLM judge gets to read"""

def endpoint_judge(model: str, *, temperature: NotNegative | None=0.0, criterion: str | None=None, ties: Literal['zero', 'missing', 'forbidden']='zero', name: str | None=None, logprobs: bool | None=True, options: dict[str, Any] | None=None, repeats: Positive=1, **kwargs: Any) -> LLMJudge:
    """A language model behind an endpoint that compares two responses"""

def needed(function: Callable) -> int:
    ...

def as_judge(judge: Judge | AnyReward) -> Judge:
    """Accept reward models and functions in place of a judge"""

def compare_both_orders(prompts: Iterable, treated: Iterable[str], untreated: Iterable[str], judge: Judge | AnyReward, store: Store | None=None) -> pd.DataFrame:
    """Ask in both orders, average the position out"""

def to_contrasts(examples: pd.DataFrame, rewrites: pd.DataFrame, judge: Judge | AnyReward | Sequence[Judge | AnyReward], *, store: Store | None=None, versions: str='rate') -> pd.DataFrame:
    """Judge the two versions of every text, in both orders"""

def position_bias(contrasts: pd.DataFrame, level: float=0.95) -> pd.DataFrame:
    """What does not cancel between the two orders"""

def compared_versions(relative: bool) -> tuple:
    ...

def against_first(examples: pd.DataFrame, rewrites: pd.DataFrame, relative: bool=False) -> pd.DataFrame:
    """Which pairs of versions are judged"""

def judge_rewrites(examples: pd.DataFrame, rewrites: pd.DataFrame, judges: Iterable[Judge], *, store: Store | None=None, relative: bool=False, alone: Callable[[str], Any]=...) -> pd.DataFrame:
    """Judge every version of a text against its first rewrite, in both orders"""

def verdicts_to_scored(examples: pd.DataFrame, rewrites: pd.DataFrame, verdicts: pd.DataFrame, judges: Iterable[Judge]) -> pd.DataFrame:
    """Set the verdicts of one example side by side"""

def by_order(verdicts: pd.DataFrame) -> pd.DataFrame:
    """What a judge said, by what it was shown first"""

def position_effects(verdicts: pd.DataFrame, level: float=0.95) -> pd.DataFrame:
    """P(first chosen) − P(second chosen), in the pairs that RATE compares"""

def try_judge(judge: Judge, prompts: Sequence, responses: Sequence, first: int=8, store: Store | None=None) -> list[dict]:
    """Raise where a judge cannot be audited at all"""

class Judge:
    """A named way to compare two responses; a subclass supplies `compare`"""
    bounded: bool
    comparisons: int
    endpoint: Any
    key: str | None
    name: Any

    def __init__(self, name: str, key: str | None=None):
        ...

    def __repr__(self):
        ...

    @property
    def identity(self) -> str:
        ...

    @property
    def forward_passes(self) -> int:
        ...

    def run_on(self, engine: str, ray: RayOptions | None=None) -> Judge:
        ...

class CallableJudge(Judge):
    """A Python function as a judge"""
    bounded: bool
    fn: Callable

    def __init__(self, name: str, fn: Callable, key: str | None=None, bounded: bool=False):
        ...

    def compare(self, triples: Sequence[tuple], store: Store | None=None) -> list[dict]:
        ...

class DifferenceJudge(Judge):
    """A reward as a judge: the difference of two rewards"""
    reward_model: Any

    def __init__(self, reward: AnyReward, name: str | None=None):
        ...

    @property
    def identity(self) -> str:
        ...

    def compare(self, triples: Sequence[tuple], store: Store | None=None) -> list[dict]:
        ...

class PairJudge(Judge):
    """A classifier that reads two responses at once"""
    reward_model: Any
    show: str | Callable

    def __init__(self, model: AnyReward, show: str | Callable=..., name: str | None=None):
        ...

    @property
    def bounded(self) -> bool:
        ...

    @property
    def identity(self) -> str:
        ...

    def run_on(self, engine: str, ray: RayOptions | None=None) -> PairJudge:
        ...

    def compare(self, triples: Sequence[tuple], store: Store | None=None) -> list[dict]:
        ...

class AsksEndpoint:
    """What asks a language model behind an `endpoint`"""

    def owned(self, store: Store, **settings: Any) -> AsksEndpoint:
        """The same with an endpoint of its own"""

class LLMJudge(AsksEndpoint, Judge):
    """A language model behind an OpenAI-compatible endpoint as a judge"""
    bounded: bool
    endpoint: Any
    logprobs: Any
    messages: Any
    parse: Any
    repeats: Positive
    ties: Literal['zero', 'missing', 'forbidden']
    words: Any

    def __init__(self, endpoint: Any, name: str | None=None, criterion: str=..., ties: Literal['zero', 'missing', 'forbidden']='zero', messages: Callable | None=None, parse: Callable | None=None, logprobs: bool=True, repeats: Positive=1):
        ...

    @property
    def identity(self) -> str:
        ...

    def run_on(self, engine: str, ray: RayOptions | None=None) -> LLMJudge:
        ...

    def unanswered(self, triples: Sequence[tuple]) -> list:
        """What would have to be asked"""

    def compare(self, triples: Sequence[tuple], store: Store | None=None) -> list[dict]:
        ...

class AnswerReward(TokenReward):
    """The probability that a language model answers a comparison with the first of two words"""
    answers: Any
    criterion: str
    key: Any
    least: Any
    made_of: dict[str, Any]
    output: str
    reader: LocalRewriter
    words: Any

    def __init__(self, model: str | Path, name: str | None=None, criterion: str=..., words: Sequence[str]=('A', 'B'), token_budget: int | None=None, least: float=0.01, **loading: Any):
        ...

    def __reduce__(self):
        ...

    @property
    def device(self) -> torch.device:
        ...

    def prepare(self, pairs: list[tuple]) -> list[Encoded]:
        ...

class LocalJudge(PairJudge):
    """A local language model that compares two responses, by the logits of its answer tokens"""

    def __init__(self, model: Model, name: str | None=None, criterion: str | None=None, words: tuple[str, ...] | None=None, *, device: str | None=None, dtype: str | None=None, revision: str | None=None, trust_remote_code: bool=False, template: str | None=None, template_options: dict[str, Any] | None=None, token_budget: Positive | None=None, least: Fraction | None=0.01):
        ...
