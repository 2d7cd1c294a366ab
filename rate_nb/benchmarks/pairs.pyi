# Written by `make export` from the module beside it. Edit the notebook.
"""One table holds prompts with better and worse responses. How does any reward model score it, any calibrator correct it, and what would length alone have said?"""
from dataclasses import dataclass
import numpy as np
import pandas as pd
SIDES: tuple[str, ...]

def flat(pairs, what='') -> Flat:
    """The values of both sides in one list"""

def folded(pairs, shape, values, what) -> pd.DataFrame:
    """Put values back into cells of the same shape"""

def score_responses(pairs, reward_model, store=None, progress=None) -> pd.DataFrame:
    """Rewards of all responses"""

def judge_responses(pairs, judge, both_orders=True, store=None) -> pd.DataFrame:
    """Margins of every better response against every worse one"""

def win_array(pairs, ties='lose') -> np.ndarray:
    """Who wins in each comparison?"""

def warn_of_ties(tables, won=...):
    """Calibration breaks ties, which is no gain where a tie counts as lost"""

def with_text_lengths(pairs) -> pd.DataFrame:
    """Lengths of prompt and response together"""

def with_characteristic(pairs, what='length', **options) -> pd.DataFrame:
    """Measure a characteristic of every response"""

def baselines(pairs, rng) -> dict:
    """The rows that every table needs: length only, and random"""

def beside(rows, extra) -> dict:
    """Put rows into one table, or say which name is taken"""

def calibrate_responses(pairs, calibrator, characteristic='length', **options) -> pd.DataFrame:
    """Take a characteristic out of all rewards of a table"""

def response_characteristics(pairs, what='length', **options) -> np.ndarray:
    """Characteristics of all responses, in the order of `flat`"""

def compare_accuracy(models, calibrator=None, *, characteristic='length', reference=None, subset=None, ties='lose', rng=0, level=0.95) -> ModelComparison:
    """Compare reward models, calibrated and not, in pairs"""

@dataclass(frozen=True)
class Flat:
    """All values of a table's better and worse responses, one after the other"""
    values: list
    rows: np.ndarray
    sizes: list

@dataclass(frozen=True)
class ModelComparison:
    """Models and their calibrated twins on the same prompts"""
    table: pd.DataFrame
    reference: str
    subsets: pd.DataFrame
    level: float

    def plot(self):
        """Accuracies with their intervals"""
