# Written by `make export` from the module beside it. Edit the notebook.
"""What does a language model itself reward, and what did an edit of the model change?"""
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Model
from rate_nb.base.options import Positive
from rate_nb.checkpoints.encoding import Encoded
from rate_nb.scoring.prefix_sharing import SharedPrefix
from rate_nb.scoring.reward_models import TokenReward
from transformers import PreTrainedModel
from transformers import PreTrainedTokenizerBase
from typing import Any
from typing import Literal
import numpy as np
import pandas as pd
import torch
AnyLanguageModel = LanguageModel | str | Path

def load_language_model(model: Model, *, name: str | None=None, device: str | None=None, dtype: str | None=None, trust_remote_code: bool=False, revision: str | None=None) -> LanguageModel:
    """Load a causal language model, or say why not"""

def response_span(tokenizer: PreTrainedTokenizerBase, prompt: str | list | dict, response: str, template: str | None=None, separator: str='\n\n') -> tuple[str, int, int]:
    """Where the response lies in the text that the model sees"""

def special_ids(tokenizer: PreTrainedTokenizerBase) -> set:
    """Special tokens: those with a role, and those that were only added as such"""

def encode_response(tokenizer: PreTrainedTokenizerBase, prompt: str | list | dict, response: str, template: str | None=None, separator: str='\n\n') -> Encoded:
    """A pair as token ids, from the beginning to the token that ends the response"""

def decoder_layers(model: PreTrainedModel) -> torch.nn.ModuleList:
    """The layers whose outputs are the residual stream"""

@contextmanager
def steering(model: PreTrainedModel, layer: int | None, vector: torch.Tensor | None) -> Iterator[None]:
    """While this context is open, the model runs with a vector added to its residual stream"""

def steered(model: AnyLanguageModel, layer: int, vector: Any, scale: float=1.0, name: str | None=None) -> LanguageModel:
    """A language model with a vector added to its residual stream"""

def as_language_model(model: AnyLanguageModel, **options: Any) -> LanguageModel:
    """Load a language model that is given by its name"""

def token_logprobs(lm: LanguageModel, items: list[Encoded]) -> list:
    """The log-probability of each response token"""

def packed_logprobs(lm: LanguageModel, items: list[Encoded], row: SharedPrefix) -> list:
    """The log-probability of each response token, what texts begin with read once"""

def implicit_reward(policy: AnyLanguageModel, reference: AnyLanguageModel | None=None, beta: AboveZero=0.1, *, name: str | None=None, **kwargs: Any) -> LikelihoodReward:
    """DPO's implicit reward (Rafailov et al. 2023, equation 5)"""

def log_ratio(edited: AnyLanguageModel | None, base: AnyLanguageModel, *, steering: Steering | None=None, **kwargs: Any) -> LikelihoodReward:
    """What an edit of a language model rewards: log π(y|x)/π₀(y|x) (RATE, section 6)"""

@dataclass(frozen=True)
class LanguageModel:
    """A causal language model, plain or steered"""
    model: object
    tokenizer: object
    name: str
    key: str | None = ...
    layer: int | None = ...
    vector: object = ...

    @property
    def device(self) -> torch.device:
        ...

    def __repr__(self):
        ...

class LikelihoodReward(TokenReward):
    """The log-likelihood of the response under a language model"""
    key: Any
    max_length: Any
    per_token: Literal['sum', 'mean', 'norm']
    policy: Any
    reference: Any
    rows: Any
    scale: Any
    separator: str
    template: Any
    tokenizer: Any
    truncation: str

    def __init__(self, model: AnyLanguageModel, reference: AnyLanguageModel | None=None, scale: float=1.0, name: str | None=None, per_token: Literal['sum', 'mean', 'norm']='sum', template: str | None=None, separator: str='\n\n', token_budget: Positive | None=None, max_length: Positive | None=None, reuse_prefixes: bool | None=None, device: str | None=None, dtype: str | None=None, trust_remote_code: bool=False, revision: str | None=None):
        ...

    @property
    def device(self) -> torch.device:
        ...

    def prepare(self, pairs: list[tuple]) -> list[Encoded]:
        ...

    def refusals(self, pairs: list[tuple]) -> dict[int, str]:
        ...

    @property
    def facts(self) -> pd.DataFrame:
        """What scores here, and how"""

@dataclass(frozen=True)
class Steering:
    """A vector that is added to the residual stream"""
    layer: int
    vector: Any
    scale: float = ...

    def numbers(self) -> np.ndarray | torch.Tensor:
        ...
