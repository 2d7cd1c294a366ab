# Written by `make export` from the module beside it. Edit the notebook.
"""Nobody has labelled these responses. Who can say on which side of an attribute each one stands, and how far is that to be trusted?"""
from dataclasses import dataclass
from typing import Any
import pandas as pd
JUDGING: str

def classified(scores, threshold=0.5, band=0.0) -> tuple:
    """Labels from scores"""

def label_with_classifier(examples, attribute, model, *, threshold=0.5, band=0.0, store=None, overwrite=False, **loading) -> pd.DataFrame:
    """Label by the probability that a classifier gives"""

def label_instruction_for(attribute, **changes) -> LabelInstruction:
    """The attribute's own words"""

def label_with_judge(examples, attribute, endpoint, *, instruction=None, draws=1, band=0.0, store=None, overwrite=False) -> pd.DataFrame:
    """Label by what an LLM judge says"""

def check_labels(labelled, truth) -> LabelCheck:
    """Compare labels with those that people gave"""

def with_classifier(attribute, model, *, texts=(), side=False, threshold=0.5, store=None, **loading):
    """Let a classifier say whether rewrites complied"""

def label_rule_from(attribute, rule) -> LabelRule:
    """A label rule from plain values"""

def labelled_by(attribute, labeller, *args, **settings):
    """Let a labeller be the attribute's rule"""

@dataclass(frozen=True)
class LabelInstruction:
    """What a labelling judge is told"""
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
    def parse(self):
        ...

    def messages(self, prompt, response, turned=False) -> list:
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

@dataclass
class TextScore:
    """A classifier as a function of one text, each text scored once"""
    model: object
    prompt: str = ...
    store: object = ...
    known: dict = ...

    def prime(self, texts):
        ...

    def __call__(self, text):
        ...

class LabelRule:
    """A labeller in the shape of a label rule"""
    label: Any
    rule: Any
    sources: dict[Any, Any]

    def __init__(self, label, rule=None):
        ...

    def __call__(self, responses, prompts):
        ...

    def says(self, responses):
        ...
