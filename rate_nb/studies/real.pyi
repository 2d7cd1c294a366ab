# Written by `make export` from the module beside it. Edit the notebook.
"""Which real model, preferences and rewriter are available on a machine without a hub?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from pathlib import Path
from rate_nb.audit.audit import Audit
from transformers import PreTrainedTokenizerBase
from typing import Any
import numpy as np
import pandas as pd
REAL_MODELS: dict[str, dict[str, Any]]
MARKS: Any
ITSELF: tuple[Any, ...]
REAL_DATA: dict[str, tuple[str, ...]]
SIZES: dict[str, dict[str, Any]]

def real_model(name: str='smollm2', folder: str | Path | None=None, quiet: bool=False) -> Path:
    """A real language model out of an installed package, unpacked once"""

def without_markup(text: str) -> str:
    """Markup off: the words stay"""

def with_markup(text: str) -> str:
    """Markup on, in one style whatever the text had before"""

def markup_rewriter(prompt: Any, text: str, target: int) -> str:
    '''The deterministic rewriter of the attribute "structure"'''

def real_data(name: str) -> Path:
    """Where a source of real data lies, or what is missing"""

def study_size(size: str | None=None) -> dict:
    """How large the studies are"""

def cut_texts(texts: Iterable[str], tokenizer: PreTrainedTokenizerBase, tokens: int=256) -> list:
    """Texts as far as a model is to read them"""

def preference_pairs(folder: str | Path, tokenizer: PreTrainedTokenizerBase, n: int | None=None, tokens: int=256) -> pd.DataFrame:
    """AlpacaEval's comparisons, split by instruction"""

def as_examples(pairs: pd.DataFrame) -> pd.DataFrame:
    """The responses of a table of comparisons"""

def bradley_terry_head(z: np.ndarray, p: np.ndarray, shrink: float=1.0) -> np.ndarray:
    """The coefficients that minimise the cross-entropy plus λ|θ|²/2"""

def best_shrinkage(z: np.ndarray, p: np.ndarray, prompts: Sequence | np.ndarray | pd.Series) -> float:
    """Choose how much is shrunk, by prompts that were left out"""

def train_preference_reward(pairs: pd.DataFrame, base: str | Path | None=None, folder: str | Path | None=None, layers: int=12, lora: bool=False, **settings: Any) -> Path:
    """A Bradley–Terry reward on frozen features; trained once for the same comparisons"""

def preference_accuracy(pairs: pd.DataFrame, reward: Callable) -> pd.DataFrame:
    """How often a reward agrees with the judge on prompts it was not trained on, beside always the longer"""

def chart_effects(effects: dict, title: str, axis: str, note: str='') -> ChartType:
    """Estimates with their intervals, one below the other"""

def publish_study(audit: Audit, name: str, license: str) -> Path:
    """Publish an audit without its texts, in the folder that RATE_NB_PUBLISHED names, or beside the run"""

def obtained(data: Iterable[str]=('alpaca_eval',)) -> dict:
    """What a real study needs, each part with its source and licence"""

def demo_real(run_dir: str='audits/real', instructions: int=45) -> Audit:
    """Study 1, shortened: a learnt reward and markup at equal words"""
