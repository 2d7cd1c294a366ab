# Written by `make export` from the module beside it. Edit the notebook.
"""Does a reward model prefer the right response when the wrong one is longer and prettier?"""
from collections.abc import Callable
from collections.abc import Sequence
from pathlib import Path
from rate_nb.calibration.calibrators import Calibrator
from typing import Any
import numpy as np
import pandas as pd
STYLES: tuple[str, ...]
DOMAINS: tuple[str, ...]
FILES: tuple[str, ...]
MEASURES: tuple[str, ...]
BIASES: tuple[str, ...]

def load_rm_bench(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    """Read RM-Bench"""

def miniature_rm_bench(n: int, rng: np.random.Generator) -> dict:
    """Five files in RM-Bench's layout, of sums with a right and a wrong result"""

def check_rm_bench(pairs: pd.DataFrame) -> pd.DataFrame:
    """The columns and the domains of a scored table"""

def style_matrix(pairs: pd.DataFrame, ties: str='lose') -> pd.DataFrame:
    """RM-Bench's 3×3 matrix of accuracies"""

def prompt_measures(pairs: pd.DataFrame, ties: str='lose') -> np.ndarray:
    """RM-Bench's measures, prompt by prompt"""

def rm_bench_accuracy(pairs: pd.DataFrame | list[dict[str, Any]], *, ties: str='lose', safety: str='pooled', domains: Sequence[str]=..., level: float=0.95) -> pd.DataFrame:
    """RM-Bench's accuracies, by the authors' conventions"""

def calibrate_rm_bench(pairs: pd.DataFrame, calibrator: Calibrator, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', **options: Any) -> pd.DataFrame:
    """RM-Bench scores without what a characteristic explains, as `calibrate_responses`"""

def rm_bench_leaderboard(models: dict[str, pd.DataFrame], calibrator: Calibrator | None=None, rng: np.random.Generator | int | None=0, **options: Any) -> pd.DataFrame:
    """Models side by side, with length only and random"""

def load_eval_bias(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    """Read EvalBiasBench"""

def eval_bias_accuracy(pairs: pd.DataFrame, *, ties: str='lose', level: float=0.95) -> pd.DataFrame:
    """How often is the trap avoided?"""

def length_bias_accuracy(pairs: pd.DataFrame, **options: Any) -> dict:
    """Accuracy on the cases of length bias, as the calibration paper's figure 2 has it"""
