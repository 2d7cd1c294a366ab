# Written by `make export` from the module beside it. Edit the notebook.
"""An audit found that a reward pays for length. How can its rewrites be used to train the reward not to?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.scoring.sequence_rewards import SequenceReward
from typing import Any
import numpy as np
import pandas as pd

def augmentation_pairs(examples: pd.DataFrame, rewrites: pd.DataFrame, preferred: str='', quality: tuple[pd.DataFrame, pd.DataFrame] | None=None, reward: Callable | None=None, rng: np.random.Generator | int=0) -> pd.DataFrame:
    """Neutral and causal pairs from stored rewrites (CROME)"""

def sigmoid(m: np.ndarray) -> np.ndarray:
    ...

def fit_head(z: np.ndarray, weights: np.ndarray, pairs: pd.DataFrame, tie: float=3.0, anchor: float=0.01) -> np.ndarray:
    """The head that minimises the loss"""

def hidden_states(model: SequenceReward, prompts: Sequence, responses: Sequence[str]) -> np.ndarray:
    """Input of the head for each text"""

def repair_reward(model: SequenceReward, pairs: pd.DataFrame, folder: str | Path, train: str='head', tie: float=3.0, anchor: float=0.01, **settings: Any) -> Path:
    """Train a reward on neutral and causal pairs"""

def audit_repair(examples: pd.DataFrame, rewrites: pd.DataFrame, before: RewardModel, after: RewardModel, causal: pd.DataFrame | None=None, store: Store | None=None, level: float=0.95) -> Repair:
    """Effect of the attribute and accuracy, before and after"""

def audit_folder(path: str | Path) -> tuple:
    """Examples and rewrites from the run folder of an audit"""

def held_out(prompt_ids: Sequence | np.ndarray | pd.Series, share: float=0.3, seed: int=0) -> np.ndarray:
    """Which rows are held out"""

def write_pairs(pairs: pd.DataFrame, path: str | Path) -> Path:
    """Pairs as JSON lines"""

@dataclass(frozen=True)
class Repair:
    """A reward before and after a repair, on held-out prompts"""
    table: pd.DataFrame
    level: float
    prompts: int

    def get(self, quantity: str, reward: str) -> float:
        ...
