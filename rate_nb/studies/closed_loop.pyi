# Written by `make export` from the module beside it. Edit the notebook.
"""Calibration removes a correlation with length. Does it remove the causal effect of length, and does it leave quality alone?"""
from altair.typing import ChartType
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
import numpy as np
import pandas as pd
SIMULATIONS: dict[str, tuple[float, ...]]
STAGES: tuple[str, ...]

def loop_sample(confounding: float, n: int, rng: np.random.Generator) -> dict:
    """Responses and their rewrites, measured once for every coefficient of length"""

def loop_effects(sample: dict, per_100: float) -> dict:
    """Effects of length and quality before and after two calibrations, each audited on other prompts"""

def loop_predictions(confounding: float, n: int, rng: np.random.Generator, prices: Iterable[float]) -> dict:
    """The effects by formula, from perfect counterfactuals"""

def close_the_loop(n: int=240, seeds: Sequence[int]=..., worlds: dict | None=None, truth_n: int=600, level: float=0.95, progress: Any=None) -> Loop:
    """Does calibration remove the causal effect of length? Simulation by simulation, predicted and audited"""

def loop_words(loop: Loop) -> str:
    """What the loop found, for a title"""

def plot_loop(loop: Loop) -> ChartType:
    """The effects of length and of quality before and after two calibrations, one simulation a row"""

@dataclass(frozen=True)
class Loop:
    """Effects of length and quality before and after calibration, in several simulations"""
    table: pd.DataFrame
    runs: pd.DataFrame
    level: float

    def get(self, world: str, effect_of: str, stage: str) -> Any:
        ...

    def plot(self) -> ChartType:
        """Before, after RC-LWR, after causal calibration"""
