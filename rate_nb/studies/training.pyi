# Written by `make export` from the module beside it. Edit the notebook.
"""Does a calibrated reward train a better model, or does it only choose other pairs?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.benchmarks.preferences import Preferences
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.stats.inference import Effect
from transformers import PreTrainedModel
from transformers import PreTrainedTokenizerBase
from typing import Any
import numpy as np
import pandas as pd
import torch
COLOURS: Any
THINGS: dict[str, Any]
FILLERS: Any
WRITER_WORDS: Any
ROUND: tuple[float, ...]
NONE: str
ORIGINAL: str
PENALTY: str
LWR: str
PAIRS: tuple[tuple[Any, ...], ...]
SEPARATOR: str

def draw_prompts(n: int, rng: np.random.Generator) -> list:
    """Questions for the colours of three things"""

def write_answers(prompts: Iterable[str], rng: np.random.Generator, right: float=0.6) -> list:
    """Responses as people in this simulation give them: some talk more than others, and know no more for it"""

def true_quality(prompts: Iterable[str], responses: Iterable[str]) -> np.ndarray:
    """The quality of responses about colours"""

def score_candidates(candidates: pd.DataFrame, rng: np.random.Generator, liking: float=1.0, noise: float=0.25) -> pd.DataFrame:
    """Reward candidates by quality, length and noise"""

def writer_tokenizer() -> PreTrainedTokenizerBase:
    """One token a word; question marks and special tokens need no space"""

def untrained_writer(seed: int=0) -> PreTrainedModel:
    """A causal language model that has read nothing"""

def alike(lengths: np.ndarray, size: int, rng: np.random.Generator, noise: float) -> list[np.ndarray]:
    """Texts of like length together, in random order"""

def one_pass(model: torch.nn.Module, losses: Iterable[torch.Tensor], steps: int, lr: float, rise: float) -> list:
    """AdamW, a step for each loss"""

def pretrain(model: PreTrainedModel, prompts: Sequence[str], responses: Sequence[str], rng: np.random.Generator) -> list:
    """One pass of next-word prediction over answers"""

def sample_answers(model: PreTrainedModel, prompts: list[str], rng: np.random.Generator, answers: int=1) -> pd.DataFrame:
    """Draw answers at temperature 1"""

def one_reward(said: Any, store: Store) -> RewardModel:
    """The one reward that a run was given"""

@contextmanager
def same_randomness() -> Iterator[None]:
    ...

def train_dpo(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, pairs: pd.DataFrame | Preferences, seed: int=0, beta: float=0.1, lr: float=0.0003, batch: int=8, epochs: int=1, peft: Any=None, **config: Any) -> PreTrainedModel:
    """Direct preference optimisation through TRL"""

def training_rewards(gammas: Iterable[float]=(0.0, 1.0), penalty: bool=True, settings: TrainingSettings=...) -> dict:
    """The rewards that train"""

def start_training(seed: int, settings: TrainingSettings=...) -> TrainingStart:
    """Make a writer and let it answer"""

def judge_writer(model: PreTrainedModel, questions: list[str], rng: np.random.Generator, samples: int=2) -> dict:
    """How long and how good are its answers?"""

def judge_untrained(start: TrainingStart, settings: TrainingSettings) -> dict:
    ...

def train_once(start: TrainingStart, calibrator: Calibrator | None, settings: TrainingSettings=...) -> dict:
    """Relabel, train, judge"""

def train_on_rewards(seeds: Iterable[int], gammas: Iterable[float]=(0.0, 1.0), penalty: bool=True, settings: TrainingSettings=..., folder: str | Path | None=None, level: float=0.95) -> TrainingResult:
    """Sample, score, calibrate, relabel, train and judge, for each seed and reward (calibration paper, section 4.3)"""

def checked_preferences(pairs: pd.DataFrame, source: str | Path='`pairs`') -> pd.DataFrame:
    """Preferences in one form, or which cells are none"""

def load_preferences(source: str | Path) -> pd.DataFrame:
    """Preferences in TRL's format"""

def load_prompts(source: str | Path) -> list:
    """Prompts that are answered"""

def as_the_model_reads(table: pd.DataFrame, tokenizer: PreTrainedTokenizerBase) -> pd.DataFrame:
    """Preferences in the one form that a model is trained and asked in"""

def train_policy(base: str | Path, pairs: pd.DataFrame, folder: str | Path, *, lora: int=0, beta: float=0.1, lr: float=5e-06, epochs: int=1, batch: int=8, max_length: int=1024, seed: int=0, device: str | None=None) -> Path:
    """Direct preference optimisation of a model directory, through TRL"""

def made_once(target: Path, make: Callable[[Path], None]) -> Path:
    """A model directory that is made when it is not there"""

def key_in(note: Path) -> str:
    ...

def generated(folder: str | Path, prompts: Sequence, path: str | Path, *, samples: int=1, max_new_tokens: int=256, temperature: float=1.0, seed: int=0, size: int=16, device: str | None=None) -> pd.DataFrame:
    """Answers of a model, drawn once"""

def compare_answers(answers: dict[str, pd.DataFrame], outcomes: Sequence[str]=('length', 'finished'), level: float=0.95) -> pd.DataFrame:
    """Outcomes of several models, and their differences"""

def with_outcomes(answers: pd.DataFrame, prompts: Sequence, reward: RewardModel | Callable | None=None, store: Store | None=None) -> pd.DataFrame:
    """What is measured of answers"""

def demo_policy(folder: str | Path, seed: int=0) -> tuple[Path, pd.DataFrame]:
    """A tiny writer and preferences, made once for each seed"""

@dataclass(frozen=True)
class TrainingSettings:
    """Sizes and dials of the loop"""
    texts: int = ...
    prompts: int = ...
    answers: int = ...
    questions: int = ...
    samples: int = ...
    right: float = ...
    liking: float = ...
    noise: float = ...
    alpha: float = ...
    frac: float = ...
    beta: float = ...
    lr: float = ...
    batch: int = ...

    def __post_init__(self):
        ...

@dataclass(frozen=True)
class TrainingStart:
    """What all rewards of one seed share"""
    seed: int
    model: object
    candidates: pd.DataFrame
    questions: list

@dataclass(frozen=True)
class TrainingResult:
    """What training on each reward did"""
    table: pd.DataFrame
    level: float = ...

    def outcomes(self, name: str, gamma: float | None=None) -> pd.DataFrame:
        """What one reward did"""

    def compare(self, first: str | tuple[str, float], second: str | tuple[str, float]=..., outcome: str='quality') -> Effect:
        """The difference that one reward makes beside another"""

    def summary(self) -> pd.DataFrame:
        """Mean length and quality of each reward"""

    def differences(self, pairs: Iterable[tuple]=...) -> pd.DataFrame:
        """What one reward does beside another, paired over seeds"""

    def plot(self) -> ChartType:
        """Length and quality against γ"""
