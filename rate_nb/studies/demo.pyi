# Written by `make export` from the module beside it. Edit the notebook.
"""What can be audited on a machine without a model, data or network?"""
from collections.abc import Iterable
from pathlib import Path
from rate_nb.base.options import Natural
from rate_nb.data.attributes import Attribute
from rate_nb.rewriting.chains import FunctionRewriter
from rate_nb.scoring.reward_models import RewardModel
from transformers import PreTrainedModel
from transformers import PreTrainedTokenizerBase
import numpy as np
import pandas as pd
import torch
RECIPE: int

def training_latents(n: int, k: int, rng: np.random.Generator) -> pd.DataFrame:
    """Latent plans for training, without confounding"""

def demo_tokenizer(texts: Iterable[str], vocab_size: int=3000) -> PreTrainedTokenizerBase:
    """Byte-level BPE with a chat template"""

def demo_network(vocab_size: int, seed: int=0) -> PreTrainedModel:
    """A small transformer with a reward head, untrained"""

def bradley_terry_loss(r: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    """How far the model's choices are from the planted ones"""

def train_reward_model(network: PreTrainedModel, ids: list[list[int]], utilities: np.ndarray, rng: np.random.Generator, lr: float=0.004) -> float:
    """One epoch of AdamW on all pairs"""

def demo_reward_model(folder: str | Path | None=None, seed: int=0, prompts: int=5000, responses: int=4) -> Path:
    """The demo reward model: shipped, or trained once, in under a minute of CPU time, then found again"""

def demo_reward(name: str='demo-reward-model') -> RewardModel:
    """The reward model of the embedded demo"""

def demo_examples(n: Natural=0, seed: Natural=0, *, attribute: Attribute) -> pd.DataFrame:
    """Examples of the embedded demo, whose true effects are known"""

def demo_rewriter(attribute: Attribute) -> FunctionRewriter:
    """The simulation's own rewriter, in this process; for examples of the demo"""
