# Written by `make export` from the module beside it. Edit the notebook.
"""A judge compares two responses; does it see the attribute, or which response came first?"""
from rate_nb.base.options import Fraction
from rate_nb.base.options import Function
from rate_nb.base.options import Model
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.llm.local import LocalRewriter
from rate_nb.scoring.reward_models import AnyReward
from rate_nb.scoring.reward_models import TokenReward
from typing import Any
from typing import Callable
from typing import Literal
import pandas as pd
JUDGE_SYSTEM: str
JUDGE_CRITERION: str
TIES: tuple[str, ...]
VERSIONS: dict[str, tuple[int, ...]]
AGAINST_FIRST: tuple[str, ...]
OF_RELATIVE: tuple[str, ...]

def is_judge(thing) -> bool:
    """Does it compare two responses, rather than score one?"""

def verdict_row(value, status='ok', source='number') -> dict:
    """One verdict as it is stored"""

def function_judge(function: Function, name: str | None=None, key: str | None=None, bounded: bool=False) -> CallableJudge:
    """A Python function that compares two responses"""

def judge_messages(prompt, first, second, criterion=..., words=('A', 'B', 'tie')) -> list:
    """What an LLM judge is asked"""

def endpoint_judge(model: str, *, temperature: NotNegative | None=0.0, criterion: str | None=None, ties: Literal['zero', 'missing', 'forbidden']='zero', name: str | None=None, logprobs: bool | None=True, options: dict[str, Any] | None=None, **kwargs) -> LLMJudge:
    """A language model behind an endpoint that compares two responses"""

def as_judge(judge) -> Judge:
    """Accept reward models and functions where a judge is asked for"""

def compare_both_orders(prompts, treated, untreated, judge, store=None) -> pd.DataFrame:
    """Ask in both orders, average the position out"""

def to_contrasts(examples, rewrites, judge, *, store=None, versions='rate') -> pd.DataFrame:
    """Judge the two versions of every text, in both orders"""

def position_bias(contrasts, level=0.95) -> pd.DataFrame:
    """What does not cancel between the two orders"""

def compared_versions(relative):
    ...

def against_first(examples, rewrites, relative=False) -> pd.DataFrame:
    """Which pairs of versions are judged"""

def judge_rewrites(examples, rewrites, judges, *, store=None, relative=False, alone=...) -> pd.DataFrame:
    """Judge every version of a text against its first rewrite, in both orders"""

def verdicts_to_scored(examples, rewrites, verdicts, judges) -> pd.DataFrame:
    """Set the verdicts of one example side by side"""

def by_order(verdicts) -> pd.DataFrame:
    """What a judge said, by what it was shown first"""

def position_effects(verdicts, level=0.95) -> pd.DataFrame:
    """P(first chosen) − P(second chosen), in the pairs that RATE compares"""

def try_judge(judge, prompts, responses, first=8, store=None):
    """Raise where a judge cannot be audited at all"""

class Judge:
    """A named way to compare two responses; a subclass supplies `compare`"""
    bounded: bool
    comparisons: int
    endpoint: Any
    key: Any
    name: Any

    def __init__(self, name, key=None):
        ...

    def __repr__(self):
        ...

    @property
    def identity(self):
        ...

    @property
    def forward_passes(self):
        ...

    def run_on(self, engine, ray=None):
        ...

class CallableJudge(Judge):
    """A Python function as a judge"""
    bounded: bool
    fn: Callable

    def __init__(self, name: str, fn: Callable, key: str | None=None, bounded: bool=False):
        ...

    def compare(self, triples, store=None):
        ...

class DifferenceJudge(Judge):
    """A reward as a judge: the difference of two rewards"""
    reward_model: Any

    def __init__(self, reward: AnyReward, name: str | None=None):
        ...

    @property
    def identity(self):
        ...

    def compare(self, triples, store=None):
        ...

class PairJudge(Judge):
    """A classifier that reads two responses at once"""
    reward_model: Any
    show: str | Callable

    def __init__(self, model: AnyReward, show: str | Callable=..., name: str | None=None):
        ...

    @property
    def bounded(self):
        ...

    @property
    def identity(self):
        ...

    def run_on(self, engine, ray=None):
        ...

    def compare(self, triples, store=None):
        ...

class LLMJudge(Judge):
    """A language model behind an OpenAI-compatible endpoint as a judge"""
    bounded: bool
    endpoint: Any
    logprobs: Any
    messages: Any
    parse: Any
    ties: Literal['zero', 'missing', 'forbidden']
    words: Any

    def __init__(self, endpoint: Any, name: str | None=None, criterion: str=..., ties: Literal['zero', 'missing', 'forbidden']='zero', messages: Callable | None=None, parse: Callable | None=None, logprobs: bool=True):
        ...

    @property
    def identity(self):
        ...

    def run_on(self, engine, ray=None):
        ...

    def owned(self, store, **settings):
        """The same judge with an endpoint of its own"""

    def unanswered(self, triples) -> list:
        """What would have to be asked"""

    def compare(self, triples, store=None):
        ...

class AnswerReward(TokenReward):
    """The probability that a language model answers a comparison with the first of two words"""
    answers: Any
    criterion: Any
    key: Any
    least: Any
    made_of: dict[str, Any]
    output: str
    reader: LocalRewriter
    words: Any

    def __init__(self, model, name=None, criterion=..., words=('A', 'B'), token_budget=None, least=0.01, **loading):
        ...

    def __reduce__(self):
        ...

    @property
    def device(self):
        ...

    def prepare(self, pairs):
        ...

class LocalJudge(PairJudge):
    """A local language model that compares two responses, by the logits of its answer tokens"""

    def __init__(self, model: Model, name: str | None=None, criterion: str | None=None, words: tuple[str, ...] | None=None, *, device: str | None=None, dtype: str | None=None, revision: str | None=None, trust_remote_code: bool=False, template: str | None=None, template_options: dict[str, Any] | None=None, token_budget: Positive | None=None, least: Fraction | None=0.01):
        ...
