# Written by `make export` from the module beside it. Edit the notebook.
"""A language model scores each response on several criteria. Which criterion pays for the attribute, and would the same model give the same score again?"""
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.base.options import Model
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.llm.chat import Answer
from rate_nb.scoring.judges import AsksEndpoint
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.stats.inference import Effect
from typing import Any
from typing import Literal
RUBRIC_SYSTEM: str

def as_criteria(criteria: Sequence[Criterion | dict]) -> list[Criterion]:
    """Checked criteria of different names"""

def weighted_whole(criteria: Sequence[Criterion], scores: dict[str, float]) -> float:
    """The reward that a rubric gives"""

def rubric_messages(prompt: str | list | dict, response: str, criteria: Sequence[Criterion], form: str='json', think: bool=False, system: str=..., template: str=...) -> list:
    """What a rubric asks"""

def read_scores(text: str, criteria: Sequence[Criterion], form: str='json') -> dict[str, float] | None:
    """The scores in a reply"""

def expected_scores(answer: Answer, criteria: Sequence[Criterion], form: str='json') -> dict[str, float]:
    """Scores as expectations over the tokens of the scale, where log-probabilities came"""

def endpoint_rubric(model: str, criteria: list[Criterion], *, temperature: NotNegative | None=None, name: str | None=None, separately: bool=False, form: Literal['json', 'text']='json', think: bool=False, system: str | None=None, repeats: Positive=1, logprobs: bool=True, structured: bool=True, template: str | None=None, options: dict[str, Any] | None=None, **kwargs: Any) -> RubricReward:
    """A language model behind an endpoint that scores a response on several criteria"""

def pointwise(model: str, question: str='How good is the response?', scale: str='1-10', **kwargs: Any) -> RubricReward:
    """A language model behind an endpoint that scores a response with one number"""

def local_rubric(model: Model, criteria: list[Criterion], *, name: str | None=None, separately: bool=False, form: Literal['json', 'text']='text', think: bool=False, system: str | None=None, repeats: Positive=1, **kwargs: Any) -> RubricReward:
    """A language model on this machine that scores a response on several criteria"""

def self_agreement(repeats: Sequence[Sequence[float]], clusters: Sequence, level: float=0.95) -> Effect:
    """Krippendorff's alpha of a judge with itself, for ordered scores"""

@dataclass(frozen=True)
class Criterion:
    """One question that a rubric asks about a response"""
    name: str
    question: str
    scale: str = ...
    weight: float = ...

    def __post_init__(self):
        ...

    @property
    def ends(self) -> tuple[int, int] | None:
        ...

    @property
    def words(self) -> dict[str, float]:
        ...

    @property
    def asks(self) -> str:
        ...

    @property
    def schema(self) -> dict:
        ...

    def read(self, said: Any) -> float | None:
        ...

class RubricReward(AsksEndpoint, RewardModel):
    """A language model that scores a response on one or more criteria"""
    asked: dict[str, Any]
    criteria: Any
    endpoint: Any
    form: Literal['json', 'text']
    logprobs: bool
    questions: int
    repeats: Positive
    separately: bool
    stored_answers: int
    structured: Any
    think: bool

    def __init__(self, endpoint: Any, criteria: Sequence[Criterion | dict], name: str | None=None, separately: bool=False, form: Literal['json', 'text']='json', think: bool=False, system: str | None=None, repeats: Positive=1, logprobs: bool=True, structured: bool=True, template: str | None=None):
        ...

    @property
    def by_criteria(self) -> bool:
        ...

    def unanswered(self, pairs: Sequence[tuple]) -> list:
        """What would have to be asked"""

    def score_batch(self, pairs: list[tuple]) -> list[dict]:
        ...
