# Written by `make export` from the module beside it. Edit the notebook.
"""My reward model is being trained. Does it begin to pay for length, and from which step on?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.scoring.sequence_rewards import SequenceReward
from typing import Any
import numpy as np
import pandas as pd
import torch
UNITS: dict[str, Any]
FEWEST: int
DRAWS: int
logger: Any
COLUMNS: list[str]
GROWN: int
FIRST: int

def portion(alpha: float, k: int, looks: int | None) -> float:
    """How much of α a look spends"""

def checkpoints_in(said: str | Path) -> dict:
    """The checkpoints of one training"""

@contextmanager
def undisturbed(model: torch.nn.Module):
    """Read a model in training: evaluation mode, no gradients, and everything as it was afterwards"""

class _Texts:
    """Every text that any of the audits needs, once; their scored tables hold positions in this list"""
    keys: list[Any]
    pairs: list[Any]
    tables: dict[Any, Any]

    def __init__(self, audits, seed):
        ...

    def prompts(self):
        ...

    def needed(self, n, originals):
        ...

    def table(self, name, n, rewards, model):
        ...

class FirstCrossings:
    """Critical p-values of looks that come one after another"""
    alive: Any
    noise: Any
    spent: float

    def __init__(self, clusters: int, seed: int=0):
        ...

    def next(self, psi: np.ndarray, spend: float) -> float:
        """The critical p-value of the next look"""

class Watch:
    """Effects at one checkpoint after another, compared with the first"""
    folder: Any
    level: Any
    looks: int | None
    margins: Any
    over: Any
    prompts: Any
    seed: int
    steps: list[Any]
    table: Any
    texts: Any
    unit: Any

    def __init__(self, audits: str | Path | Sequence[str | Path] | Mapping[str, Any], unit: str='sd', margin: float | Mapping[str, float]=0.1, level: float=0.95, looks: int | None=None, prompts: int=0, seed: int=0, folder: str | Path | None=None):
        ...

    def add(self, step: int, reward: Any, prompts: int=0, store: Store | None=None) -> pd.DataFrame:
        """Score one checkpoint"""

    @property
    def alarms(self) -> dict:
        """Where effects left their margins"""

    @property
    def unit_words(self) -> str:
        ...

    def plot(self) -> ChartType:
        """Changes of the effects, their intervals, margins and alarms"""

    def __repr__(self):
        ...

    def half_widths(self) -> dict:
        """At most so wide is a change's interval at the first look, if later rewards vary as those of the first do"""

    def plan_words(self) -> str:
        """What this watch can see"""

    @property
    def headline(self) -> str:
        """What happened, in a sentence or two"""

    def forget_after(self, step: int) -> None:
        """Forget looks at checkpoints that are trained again"""

class TrainingReward(SequenceReward):
    """A reward model that is being trained: no tensor that inference mode has made stays in it"""

class AuditCallback:
    """Watches the effects of attributes while a reward model is trained, in a transformers or TRL trainer"""
    audits: Any
    every: int
    folder: str | Path | None
    options: Any
    prompts: int
    seconds: float
    share: float
    show: bool
    stop: bool
    template: str | None
    trainer: Any
    watch: Any

    def __new__(cls, *args, **kwargs):
        ...

    def __init__(self, trainer: Any, audits: Any, every: int=0, share: float=0.02, prompts: int=0, stop: bool=False, folder: str | Path | None=None, reward: Callable | None=None, template: str | None=None, show: bool=True, **options: Any):
        ...

    @property
    def table(self) -> pd.DataFrame:
        """What was seen"""

    @property
    def time_share(self) -> float:
        """Share of the training time that scoring took"""

    def plot(self) -> ChartType:
        """The chart of the watch"""

    def on_train_begin(self, args: Any, state: Any, control: Any, model: Any=None, processing_class: Any=None, **kwargs: Any) -> None:
        """The first checkpoint"""

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any=None, **kwargs: Any) -> None:
        """A look every so many steps, and at the last one"""

    def on_train_end(self, args: Any, state: Any, control: Any, model: Any=None, **kwargs: Any) -> None:
        """A training that ended early has a last look, too"""
