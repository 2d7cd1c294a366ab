# Written by `make export` from the module beside it. Edit the notebook.
"""In training the reward went up. How much of that is length, or lists, or praise, and how much is none of what was audited?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.scoring.reward_models import AnyReward
from typing import Any
import numpy as np
import pandas as pd
PADDING: tuple[str, ...]
MOST_TIMES: int
DRAWS: int
LEAST_F: float

def is_list(text: str) -> bool:
    ...

def demo_reward(prompts: Sequence[str], responses: Sequence[str]) -> list[float]:
    """Right less wrong statements, .004 a character, .8 for a list, and a little noise"""

def demo_answers(prompts: Sequence[str], step: float, rng: np.random.Generator) -> list[str]:
    """Responses of a policy that learns to pad and to make lists, and forgets what is right"""

def demo_rewrite(attribute: str) -> Callable[[str, str, int], str]:
    """A rewriter; a list gets a sentence more"""

def explain_reward(generations: pd.DataFrame | dict[str, pd.DataFrame], audits: dict[str, Any] | Sequence[str | Path], *, measures: dict[str, Any] | None=None, model: str | dict[str, str] | None=None, reward: AnyReward | None=None, prompts: str='shared', order: Sequence[Any] | None=None, spans: int | None=None, level: float=0.95, store: Store | None=None) -> RewardExplanation:
    """Reward gained = joint effects × changes in the attributes + rest"""

def trl_reward(reward: AnyReward | str | dict[str, Any], *, name: str | None=None, store: Store | None=None, keep: str | Path | None=None) -> TRLReward:
    """Any reward of this package, for `reward_funcs` of GRPO and RLOO"""

def trl_metric(measure: Any, *, name: str | None=None, beside: TRLReward | None=None) -> TRLReward:
    """An attribute's level or share, or another reward, as a reward function to log with weight 0"""

def keep_generations(function: Callable[..., Any], folder: str | Path) -> TRLReward:
    """Keep what a reward function scores"""

def read_generations(folder: str | Path, *, split: str='train', reward: str | None=None) -> pd.DataFrame:
    """What a policy wrote, for `explain_reward`"""

def answers_over_training(policies: dict[Any, str | Path], prompts: Sequence[Any], reward: AnyReward, folder: str | Path, *, samples: int=1, max_new_tokens: int=256, temperature: float=1.0, seed: int=0, device: str | None=None, store: Store | None=None) -> pd.DataFrame:
    """What each checkpoint answers to the same prompts, for `explain_reward`"""

@dataclass(frozen=True)
class RewardExplanation:
    """What a change in the reward was paid for"""
    table: pd.DataFrame
    levels: pd.DataFrame
    effects: pd.DataFrame
    moves: pd.DataFrame
    level: float
    notes: tuple = ...

    def part(self, name: str, time: Any=None) -> Any:
        """One part of the explanation"""

    def headline(self) -> str:
        """What happened to the reward, and what for"""

    def plot(self) -> ChartType:
        """The parts of the gain"""

class TRLReward:
    """A reward function as TRL's trainers call it"""
    __name__: str
    function: Callable[..., Any]
    log: GenerationLog | None

    def __init__(self, function: Callable[..., Any], name: str, log: GenerationLog | None=None):
        ...

    def __call__(self, prompts: list[Any], completions: list[Any], **more: Any) -> list[float | None]:
        """Rewards; None where there is none"""

    def silent(self, completions: list[Any]) -> list[bool]:
        ...

    def with_metrics(self, **measures: Any) -> tuple:
        """This reward, and what is logged beside it"""

class GenerationLog:
    """A folder of what a policy wrote in training, a line of JSON each"""
    calls: int
    folder: Any
    path: Any
    rank: Any

    def __init__(self, folder: str | Path):
        ...

    def add(self, prompts: list[Any], completions: list[Any], rewards: list[float | None], state: Any=None, log_metric: Any=None, name: str='') -> None:
        """Write them down"""
