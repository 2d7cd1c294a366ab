# Written by `make export` from the module beside it. Edit the notebook.
"""Calibration removes a correlation with length. Does it remove the causal effect of length, and does it leave quality alone?"""
from dataclasses import dataclass
import pandas as pd
SIMULATIONS: dict[str, tuple[float, ...]]
STAGES: tuple[str, ...]

def loop_sample(confounding, n, rng) -> dict:
    """Responses and their rewrites, measured once for every coefficient of length"""

def loop_effects(sample, per_100, pieces=1) -> dict:
    """Effects of length and quality before and after two calibrations, each audited on other prompts"""

def loop_predictions(confounding, n, rng, prices) -> dict:
    """The effects by formula, from perfect counterfactuals"""

def close_the_loop(n=240, seeds=..., worlds=None, truth_n=600, level=0.95, progress=None) -> Loop:
    """Does calibration remove the causal effect of length? Simulation by simulation, predicted and audited"""

def loop_words(loop) -> str:
    """What the loop found, for a title"""

def plot_loop(loop):
    """The effects of length and of quality before and after two calibrations, one simulation a row"""

@dataclass(frozen=True)
class Loop:
    """Effects of length and quality before and after calibration, in several simulations"""
    table: pd.DataFrame
    runs: pd.DataFrame
    level: float

    def get(self, world, effect_of, stage):
        ...

    def plot(self):
        """Before, after RC-LWR, after causal calibration"""
