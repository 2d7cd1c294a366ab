# Written by `make export` from the module beside it. Edit the notebook.
"""These responses have no labels. How can I label them, and how reliable are the labels?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import numpy as np
import pandas as pd
JUDGING: str

def classified(scores: Sequence[float] | np.ndarray, threshold: float | None=0.5, band: float=0.0) -> tuple:
    """Labels from scores"""

def label_with_classifier(examples: pd.DataFrame, attribute: str | Attribute, model: str | Path | RewardModel | Callable, *, threshold: float | None=0.5, band: float=0.0, store: Store | str | Path | None=None, overwrite: bool=False, **loading: Any) -> pd.DataFrame:
    """Label by the probability that a classifier gives"""

def label_instruction_for(attribute: str | Attribute, **changes: Any) -> LabelInstruction:
    """The attribute's own words"""

def label_with_judge(examples: pd.DataFrame, attribute: str | Attribute, endpoint: Any, *, instruction: LabelInstruction | None=None, draws: int=1, band: float=0.0, store: Store | str | Path | None=None, overwrite: bool=False) -> pd.DataFrame:
    """Label by what an LLM judge says"""

def check_labels(labelled: pd.DataFrame, truth: pd.Series | str) -> LabelCheck:
    """Compare labels with those that people gave"""

def classifier_label(attribute: Any, classifier: Any, *, threshold: float | None=0.5, band: NotNegative=0.0, template: str | None=None, store: Any=None, **kwargs: Any) -> LabelRule:
    """The side on which a classifier sees the response"""

def judge_label(attribute: Any, judge: Any, draws: Positive=1, band: NotNegative=0.0, store: Any=None, instruction: Any=None, second: Any=None) -> LabelRule:
    """What an LLM judge calls the response"""

def second_rule(second: Any, attribute: Attribute | None, model: str) -> Any:
    """A labeller of any text, other than the judge"""

def labelled_by(attribute: str | Attribute, labeller: Callable | dict, *args: Any, **settings: Any) -> Attribute:
    """Let a labeller be the attribute's rule"""

@dataclass(frozen=True)
class LabelInstruction:
    """What a labelling judge gets to read"""
    treated: str
    untreated: str
    meaning: str = ...
    neither: str = ...
    show_prompt: bool = ...
    system: str = ...
    examples: tuple = ...

    def __post_init__(self):
        ...

    @property
    def parse(self) -> Callable[[str], Any]:
        ...

    def messages(self, prompt: str, response: str, turned: bool=False) -> list:
        """The conversation that asks for one label"""

@dataclass(frozen=True)
class LabelCheck:
    """A labeller against people"""
    n: int
    agreement: float
    kappa: float
    sensitivity: tuple
    specificity: tuple
    declined: int

    @property
    def table(self) -> pd.DataFrame:
        ...

class LabelRule:
    """A labeller in the shape of a label rule"""
    calls: int
    judge: str
    label: Callable[[pd.DataFrame], pd.DataFrame]
    second: Any
    sources: dict[Any, Any]

    def __init__(self, label: Callable[[pd.DataFrame], pd.DataFrame], judge: str='', calls: int=0, second: Any=None):
        ...

    def __call__(self, responses: Sequence[str], prompts: Sequence) -> np.ndarray:
        ...

    def says(self, responses: Sequence[str]) -> list:
        ...
