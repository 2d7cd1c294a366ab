# Written by `make export` from the module beside it. Edit the notebook.
"""What happens to the scores of every reward model on a leaderboard when its length bias is removed?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.calibration.calibrators import Calibrator
from typing import Any
import numpy as np
import pandas as pd
SIZES: dict[str, int]
COUNTS: Any
WEIGHTS: dict[str, Any]
SECTIONS: dict[str, Any]
PRIOR_SETS: tuple[str, ...]
SECTIONS_2: tuple[str, ...]
TIES_PARTS: dict[str, float]
PAPER_METHODS: dict[str, Any]

def load_reward_bench(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    """Read RewardBench, either version"""

def lone(v: Any) -> Any:
    ...

def load_reward_scores(folder: str | Path, pairs: pd.DataFrame | None=None, characteristics: Sequence[str]=('length',)) -> pd.DataFrame:
    """Read the scores of many models"""

def best_of(chosen: Sequence[float], rejected: Sequence[float]) -> float:
    """RewardBench 2's credit for one prompt"""

def tie_items(ids: Sequence[str], chosen: Sequence[Sequence[float]], rejected: Sequence[Sequence[float]]) -> dict:
    """RewardBench 2's ties subset, prompt by prompt"""

def check_reward_bench(pairs: pd.DataFrame) -> pd.DataFrame:
    """Columns of a scored RewardBench table"""

def reward_bench_scores(pairs: pd.DataFrame, *, version: int | None=None, prior: bool=False, ties: str='lose', by: str='section', weights: str | dict[str, float]='official', level: float=0.95) -> pd.DataFrame:
    """RewardBench's scores, by the published weights"""

def planted_reward_bench(models: int | Sequence[float] | np.ndarray, rng: np.random.Generator | int, share: float=1.0) -> pd.DataFrame:
    """Score files of models whose length bias is known"""

def recalibrate_reward_bench(scores: pd.DataFrame, methods: dict[str, Calibrator] | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', *, at_least: float=50.0, version: int | None=None, prior: bool=False, ties: str='lose', weights: str | dict[str, float]='official', level: float=0.95) -> Recalibration:
    """Calibrate every model of a folder of scores, and count what it gains"""

@dataclass(frozen=True)
class Recalibration:
    """A leaderboard before and after calibration"""
    table: pd.DataFrame
    left_out: tuple
    level: float
    weights: str = ...

    def summary(self) -> pd.DataFrame:
        """Gains and correlations over models"""

    def bias_and_gain(self, method: str='RC-LWR', bias: str='correlation_before', gain: str='gain', absolute: bool=False, replicates: int=1000, rng: np.random.Generator | int=0) -> dict:
        """Do models with a stronger bias change more?"""

    def plot_gains(self) -> ChartType:
        """Gain of each method on every section (calibration paper, figure 3)"""

    def plot_overturned(self) -> ChartType:
        """Share of preferences that each method overturned (calibration paper, figure 4)"""

    def plot_section(self, section: str) -> ChartType:
        """Gain on one section against each model's preference for length (calibration paper, figure 10)"""
