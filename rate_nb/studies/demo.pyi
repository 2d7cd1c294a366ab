# Written by `make export` from the module beside it. Edit the notebook.
"""What is there to audit on a machine with no model, no data and no network?"""
from pathlib import Path
from rate_nb.base.options import Natural
import pandas as pd
RECIPE: int

def training_latents(n, k, rng) -> pd.DataFrame:
    """Latent plans for training, without confounding"""

def demo_tokenizer(texts, vocab_size=3000):
    """Byte-level BPE with a chat template"""

def demo_network(vocab_size, seed=0):
    """A small transformer with a reward head, untrained"""

def bradley_terry_loss(r, u):
    """How far the model's choices are from the planted ones"""

def train_reward_model(network, ids, utilities, rng, size=8, lr=0.004) -> float:
    """One epoch of AdamW on all pairs"""

def demo_reward_model(folder=None, seed=0, prompts=5000, responses=4) -> Path:
    """The demo reward model: trained once, in under a minute of CPU time, then found again"""

def demo_reward(name: str='demo-reward-model'):
    """The reward model of the embedded demo"""

def demo_examples(n: Natural=0, seed: Natural=0, *, attribute) -> pd.DataFrame:
    """Examples of the embedded demo, whose true effects are known"""

def demo_rewriter(attribute):
    """The simulation's own rewriter, in this process; for examples of the demo"""
