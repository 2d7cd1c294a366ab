# Written by `make export` from the module beside it. Edit the notebook.
"""Does a reward model prefer the right response when the wrong one is longer and prettier?"""
import numpy as np
import pandas as pd
STYLES: tuple[str, ...]
DOMAINS: tuple[str, ...]
FILES: tuple[str, ...]
MEASURES: tuple[str, ...]
BIASES: tuple[str, ...]

def load_rm_bench(source) -> pd.DataFrame:
    """Read RM-Bench"""

def miniature_rm_bench(n, rng) -> dict:
    """Five files in RM-Bench's layout, of sums with a right and a wrong result"""

def check_rm_bench(pairs):
    """The columns and the domains of a scored table"""

def style_matrix(pairs, ties='lose') -> pd.DataFrame:
    """RM-Bench's 3×3 matrix of accuracies"""

def prompt_measures(pairs, ties='lose') -> np.ndarray:
    """RM-Bench's measures, prompt by prompt"""

def rm_bench_accuracy(pairs, *, ties='lose', safety='pooled', domains=..., level=0.95) -> pd.DataFrame:
    """RM-Bench's accuracies, by the authors' conventions"""

def calibrate_rm_bench(pairs, calibrator, characteristic='length', **options) -> pd.DataFrame:
    """RM-Bench scores without what a characteristic explains, as `calibrate_responses`"""

def rm_bench_leaderboard(models, calibrator=None, rng=0, **options) -> pd.DataFrame:
    """Models side by side, with length only and random"""

def load_eval_bias(source) -> pd.DataFrame:
    """Read EvalBiasBench"""

def eval_bias_accuracy(pairs, *, ties='lose', level=0.95) -> pd.DataFrame:
    """How often is the trap avoided?"""

def length_bias_accuracy(pairs, **options) -> dict:
    """Accuracy on the cases of length bias, as the calibration paper's figure 2 has it"""
