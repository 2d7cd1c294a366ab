# Written by `make export` from the module beside it. Edit the notebook.
"""Does a calibrated reward train a better model, or does it only choose other pairs?"""
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import numpy as np
import pandas as pd
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

def draw_prompts(n, rng) -> list:
    """Questions for the colours of three things"""

def write_answers(prompts, rng, right=0.6) -> list:
    """Responses as people in this simulation give them: some talk more than others, and know no more for it"""

def true_quality(prompts, responses) -> np.ndarray:
    """The quality of responses about colours"""

def score_candidates(candidates, rng, liking=1.0, noise=0.25) -> pd.DataFrame:
    """Reward candidates by quality, length and noise"""

def writer_tokenizer():
    """One token a word; question marks and special tokens need no space"""

def untrained_writer(seed=0):
    """A causal language model that has read nothing"""

def pretrain(model, prompts, responses, rng, size=16, lr=0.003) -> list:
    """One pass of next-word prediction over answers"""

def sample_answers(model, prompts, rng, answers=1, limit=96) -> pd.DataFrame:
    """Draw answers at temperature 1"""

def one_reward(said, store):
    """The one reward that a run was given"""

def train_dpo(model, tokenizer, pairs, seed=0, beta=0.1, lr=0.0003, batch=8, epochs=1, peft=None, **config):
    """Direct preference optimisation through TRL"""

def training_rewards(gammas=(0.0, 1.0), penalty=True, settings=...) -> dict:
    """The rewards that train"""

def start_training(seed, settings=...) -> TrainingStart:
    """Make a writer and let it answer"""

def judge_writer(model, questions, rng, samples=2) -> dict:
    """How long and how good are its answers?"""

def judge_untrained(start, settings):
    ...

def train_once(start, calibrator, settings=...) -> dict:
    """Relabel, train, judge"""

def train_on_rewards(seeds, gammas=(0.0, 1.0), penalty=True, settings=..., folder=None, level=0.95) -> TrainingResult:
    """Sample, score, calibrate, relabel, train and judge, for each seed and reward (calibration paper, section 4.3)"""

def augmentation_pairs(examples, rewrites, preferred='', quality=None, reward=None, rng=0) -> pd.DataFrame:
    """Neutral and causal pairs from stored rewrites (CROME)"""

def fit_head(z, weights, pairs, tie=3.0, anchor=0.01) -> np.ndarray:
    """The head that minimises the loss"""

def hidden_states(model, prompts, responses) -> np.ndarray:
    """What the head reads of each text"""

def repair_reward(model, pairs, folder, train='head', tie=3.0, anchor=0.01, **settings) -> Path:
    """Train a reward on neutral and causal pairs"""

def audit_repair(examples, rewrites, before, after, causal=None, store=None, level=0.95) -> Repair:
    """Effect of the attribute and accuracy, before and after"""

def audit_folder(path):
    """What an audit has stored in its run folder"""

def held_out(prompt_ids, share=0.3, seed=0) -> np.ndarray:
    """Which rows are kept for the test"""

def write_pairs(pairs, path):
    """Pairs as JSON lines"""

def checked_preferences(pairs, source='`pairs`') -> pd.DataFrame:
    """Preferences in one form, or which cells are none"""

def load_preferences(source) -> pd.DataFrame:
    """Preferences in TRL's format"""

def load_prompts(source) -> list:
    """Prompts that are answered"""

def as_the_model_reads(table, tokenizer) -> pd.DataFrame:
    """Preferences in the one form that a model is trained and asked in"""

def train_policy(base, pairs, folder, *, lora=0, beta=0.1, lr=5e-06, epochs=1, batch=8, max_length=1024, seed=0, device=None) -> Path:
    """Direct preference optimisation of a model directory, through TRL"""

def generated(folder, prompts, path, *, samples=1, max_new_tokens=256, temperature=1.0, seed=0, size=16, device=None) -> pd.DataFrame:
    """Answers of a model, drawn once"""

def compare_answers(answers, outcomes=('length', 'finished'), level=0.95) -> pd.DataFrame:
    """Outcomes of several models, and their differences"""

def with_outcomes(answers, prompts, reward=None, store=None) -> pd.DataFrame:
    """What is measured of answers"""

def demo_policy(folder, seed=0):
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

    def outcomes(self, name, gamma=None) -> pd.DataFrame:
        """What one reward did"""

    def compare(self, first, second=..., outcome='quality'):
        """The difference that one reward makes beside another"""

    def summary(self) -> pd.DataFrame:
        """Mean length and quality of each reward"""

    def differences(self, pairs=...) -> pd.DataFrame:
        """What one reward does beside another, paired over seeds"""

    def plot(self):
        """Length and quality against γ"""

@dataclass(frozen=True)
class Repair:
    """A reward before and after a repair, on held-out prompts"""
    table: pd.DataFrame
    level: float
    prompts: int

    def get(self, quantity, reward):
        ...
