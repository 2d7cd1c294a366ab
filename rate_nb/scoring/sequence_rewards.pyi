# Written by `make export` from the module beside it. Edit the notebook.
"""Which number does a model give a text, and is it the same number whatever else is in the batch?"""
from rate_nb.scoring.reward_models import TokenReward
from typing import Any
import numpy as np
import pandas as pd

def read_logits(logits, label, output, apart=False) -> np.ndarray:
    """The reward in a model's outputs"""

def load_reward_model(name_or_path, *, name=None, device=None, dtype=None, trust_remote_code=False, revision=None, label_index=None, output='logit', head=None, loading=None, compiled=False, tokenizer=None, known_models=None, **layout) -> SequenceReward:
    """Load a reward model, or say exactly why it cannot be used"""

def check_card(model) -> tuple:
    """Does a model give the texts on its card the scores on its card?"""

class SequenceReward(TokenReward):
    """A transformers sequence-classification model, or one with a registered head, as a reward model"""
    bos: Any
    card: Any
    convention: Any
    eos: Any
    head: Any
    label_index: Any
    max_length: Any
    model: Any
    needs_reference: Any
    output: Any
    padding_side: Any
    sign: Any
    special: Any
    suffix: Any
    takes: Any
    template: Any
    tokenizer: Any
    truncation: Any

    def __init__(self, model, tokenizer, name, key=None, label_index=0, output='logit', template=None, token_budget=None, max_length=None, truncation='left', padding_side='right', head=None, reuse_prefixes=None, bos='template', eos='template', sign=1, convention=None):
        ...

    @property
    def device(self):
        ...

    @property
    def reads_last(self) -> bool:
        """Is the score read at the last token?"""

    @property
    def layout(self) -> str:
        """How a pair becomes one text"""

    def refusals(self, pairs):
        ...

    def prepare(self, pairs):
        ...

    @property
    def own_pad(self) -> int:
        """The padding token that the model's configuration names, if it is a real one"""

    @property
    def lean(self) -> bool:
        """Does the last layer work only for the token that is read?"""

    @property
    def reads(self) -> str:
        """What the reward is, in words"""

    @property
    def reading(self) -> str:
        """What is fed to the model, in words"""

    @property
    def facts(self) -> pd.DataFrame:
        """What scores here, and how"""
