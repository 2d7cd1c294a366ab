# Written by `make export` from the module beside it. Edit the notebook.
"""What does a language model itself reward, and what did an edit of it change?"""
from contextlib import contextmanager
from dataclasses import dataclass
from rate_nb.checkpoints.encoding import Encoded
from rate_nb.scoring.reward_models import TokenReward
from typing import Any
import pandas as pd

def load_language_model(name_or_path, *, name=None, device=None, dtype=None, trust_remote_code=False, revision=None) -> LanguageModel:
    """Load a causal language model, or say why not"""

def response_span(tokenizer, prompt, response, template=None, separator='\n\n'):
    """Where the response lies in the text that the model sees"""

def marks(tokenizer) -> set:
    """Special tokens: those with a role, and those that were only added as such"""

def encode_response(tokenizer, prompt, response, template=None, separator='\n\n') -> Encoded:
    """A pair as token ids, from the beginning to the token that ends the response"""

def token_logprobs(lm, items) -> list:
    """The log-probability of each response token"""

def packed_logprobs(lm, items, row) -> list:
    """The log-probability of each response token, what texts begin with read once"""

def decoder_layers(model):
    """The layers whose outputs are the residual stream"""

@contextmanager
def steering(model, layer, vector):
    """While this context is open, the model runs with a vector added to its residual stream"""

def steered(model, layer, vector, scale=1.0, name=None) -> LanguageModel:
    """A language model with a vector added to its residual stream"""

def as_language_model(model, **options) -> LanguageModel:
    """Accept names where a language model is asked for"""

def implicit_reward(policy, reference=None, beta=0.1, *, name=None, template=None, separator='\n\n', token_budget=None, max_length=None, reuse_prefixes=None, **options) -> LikelihoodReward:
    """DPO's implicit reward (Rafailov et al. 2023, equation 5)"""

def log_ratio(edited, base, *, name=None, template=None, separator='\n\n', token_budget=None, max_length=None, reuse_prefixes=None, **options) -> LikelihoodReward:
    """What an edit of a language model rewards (RATE, section 6)"""

@dataclass(frozen=True)
class LanguageModel:
    """A causal language model, plain or steered"""
    model: object
    tokenizer: object
    name: str
    key: str = ...
    layer: int = ...
    vector: object = ...

    @property
    def device(self):
        ...

    def __repr__(self):
        ...

class LikelihoodReward(TokenReward):
    """A (scaled, differenced) log-likelihood of the response as a reward model"""
    key: Any
    max_length: Any
    policy: Any
    reference: Any
    rows: Any
    scale: Any
    separator: Any
    template: Any
    tokenizer: Any
    truncation: str

    def __init__(self, policy, reference=None, scale=1.0, name=None, template=None, separator='\n\n', token_budget=None, max_length=None, reuse_prefixes=None):
        ...

    @property
    def device(self):
        ...

    def prepare(self, pairs):
        ...

    def refusals(self, pairs):
        ...

    @property
    def facts(self) -> pd.DataFrame:
        """What scores here, and how"""
