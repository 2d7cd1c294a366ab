# Written by `make export` from the module beside it. Edit the notebook.
"""Which reward does a model give to a text, and is it the same whatever else is in the batch?"""
from rate_nb.base.options import FilePath
from rate_nb.base.options import Model
from rate_nb.base.options import Positive
from rate_nb.checkpoints.encoding import Convention
from rate_nb.checkpoints.encoding import Encoded
from rate_nb.scoring.heads import Head
from rate_nb.scoring.reward_models import TokenReward
from transformers import PreTrainedTokenizerBase
from typing import Any
from typing import Callable
from typing import Literal
import numpy as np
import pandas as pd
import torch

def read_logits(logits: np.ndarray, label: int | dict[int, float] | Callable, output: str, apart: bool=False) -> np.ndarray:
    """The reward in a model's outputs"""

def hub_options(name: str, trust_remote_code: bool, revision: str | None) -> dict:
    """Where a model is taken from, and a warning where its code runs"""

def load_reward_model(model: Model, *, name: str | None=None, device: str | None=None, dtype: str | None=None, trust_remote_code: bool=False, revision: str | None=None, label_index: str | int | dict[str | int, float] | Callable | None=None, output: Literal['logit', 'probability']='logit', head: str | Head | None=None, loading: dict[str, Any] | None=None, compiled: bool=False, tokenizer: Model | None=None, known_models: FilePath | None=None, template: str | None=None, token_budget: Positive | None=None, max_length: Positive | None=None, truncation: Literal['left', 'right'] | None=None, padding_side: Literal['left', 'right'] | None=None, reuse_prefixes: bool | None=None, bos: Literal['template', 'once'] | None=None, eos: Literal['template', 'once', 'last'] | None=None, sign: Literal[1, -1] | None=None) -> SequenceReward:
    """A sequence classifier, the usual reward model"""

def check_card(model: SequenceReward) -> tuple:
    """Does a model give the texts on its card the scores on its card?"""

class SequenceReward(TokenReward):
    """A transformers sequence-classification model, or one with a registered head, as a reward model"""
    bos: str
    card: Any
    convention: Any
    eos: str
    head: Head | None
    label_index: int | dict[int, float] | Callable
    max_length: Any
    model: torch.nn.Module
    needs_reference: Any
    output: str
    padding_side: str
    sign: int
    special: Any
    suffix: Any
    takes: Any
    template: Any
    tokenizer: PreTrainedTokenizerBase
    truncation: str

    def __init__(self, model: torch.nn.Module, tokenizer: PreTrainedTokenizerBase, name: str, key: str | None=None, label_index: int | dict[int, float] | Callable=0, output: str='logit', template: str | None=None, token_budget: int | None=None, max_length: int | None=None, truncation: str='left', padding_side: str='right', head: Head | None=None, reuse_prefixes: bool | None=None, bos: str='template', eos: str='template', sign: int=1, convention: Convention | None=None):
        ...

    @property
    def device(self) -> torch.device:
        ...

    @property
    def reads_last(self) -> bool:
        """Is the score read at the last token?"""

    @property
    def layout(self) -> str:
        """How a pair becomes one text"""

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    def prepare(self, pairs: list[tuple]) -> list[Encoded]:
        ...

    @property
    def own_pad(self) -> int | None:
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
