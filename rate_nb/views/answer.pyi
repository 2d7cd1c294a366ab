# Written by `make export` from the module beside it. Edit the notebook.
"""What is the result, in which direction, how certain is it, and can I act on it?"""
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.estimators.effects import AttributeEffect
from rate_nb.estimators.effects import Effects
from rate_nb.rewriting.usable import Usability
from rate_nb.stats.inference import Effect
import pandas as pd
FEW: int
UNCHECKED: str
MARKS: dict[str, str]

def win_rate(scored: pd.DataFrame, level: float=0.95, cluster: str | None='prompt_id', estimand_over: str=...) -> Effect | None:
    """How often the rewrite with the attribute scores higher than the one without"""

def spread_words(smd: float) -> str:
    """How large an effect is, among rewards as they usually differ"""

def effect_sentence(effect: AttributeEffect, attribute: Attribute, won: Effect | None=None, clusters: int=..., margin: float=..., of_judge: bool=False, yardstick: float=..., adjusted: tuple[float, int] | None=None, verdict: str='', ties: bool=False, whose: str='') -> str:
    """The effect of an attribute, in a sentence or two"""

def answer(effects: Effects, attribute: Attribute, scored: pd.DataFrame, diagnosis: Diagnosis | None=None, model: str | None=None, read: Usability | None=None) -> Answer:
    """The first thing that a reader sees"""

def answers(effects: Effects, attribute: Attribute, scored: pd.DataFrame, diagnosis: Diagnosis | None=None, read: Usability | None=None) -> list[Answer]:
    """The answer of every reward"""

def several_sentence(answers: Sequence[Answer]) -> str:
    """What several rewards pay for, in a sentence for each answer"""

@dataclass(frozen=True)
class Answer:
    """What an audit found for one reward"""
    model: str
    sentence: str
    verdict: str
    reliability: str
    estimate: float = ...
    ci_low: float = ...
    ci_high: float = ...
    smd: float = ...
    win_rate: float = ...
    win_low: float = ...
    win_high: float = ...
    length: str = ...
    yardstick: float = ...
    claim: str = ...

    def __str__(self) -> str:
        ...
