# Written by `make export` from the module beside it. Edit the notebook.
"""What happens to the scores of every reward model on a leaderboard when its length bias is removed?"""
from dataclasses import dataclass
from typing import Any
import pandas as pd
SIZES: dict[str, int]
COUNTS: Any
WEIGHTS: dict[str, Any]
SECTIONS: dict[str, Any]
PRIOR_SETS: tuple[str, ...]
SECTIONS_2: tuple[str, ...]
TIES_PARTS: dict[str, float]
PAPER_METHODS: dict[str, Any]

def load_reward_bench(source) -> pd.DataFrame:
    """Read RewardBench, either version"""

def load_reward_scores(folder, pairs=None, characteristics=('length',)) -> pd.DataFrame:
    """Read the scores of many models"""

def best_of(chosen, rejected) -> float:
    """RewardBench 2's credit for one prompt"""

def tie_items(ids, chosen, rejected) -> dict:
    """RewardBench 2's ties subset, prompt by prompt"""

def check_reward_bench(pairs):
    """Columns of a scored RewardBench table"""

def reward_bench_scores(pairs, *, version=None, prior=False, ties='lose', by='section', weights='official', level=0.95) -> pd.DataFrame:
    """RewardBench's scores, by the published weights"""

def planted_reward_bench(models, rng, share=1.0) -> pd.DataFrame:
    """Score files of models whose length bias is known"""

def recalibrate_reward_bench(scores, methods=None, characteristic='length', *, at_least=50.0, version=None, prior=False, ties='lose', weights='official', level=0.95) -> Recalibration:
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

    def bias_and_gain(self, method='RC-LWR', bias='correlation_before', gain='gain', absolute=False, replicates=1000, rng=0) -> dict:
        """Do models with a stronger bias change more?"""

    def plot_gains(self):
        """Gain of each method on every section (calibration paper, figure 3)"""

    def plot_overturned(self):
        """Share of preferences that each method overturned (calibration paper, figure 4)"""

    def plot_section(self, section):
        """Gain on one section against each model's preference for length (calibration paper, figure 10)"""
