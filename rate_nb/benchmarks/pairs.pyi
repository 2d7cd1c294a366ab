# Written by `make export` from the module beside it. Edit the notebook.
"""A table has prompts with better and worse responses. How can any reward model score it and any calibrator correct it, and what would length alone give?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.base.store import Store
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.scoring.judges import Judge
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import numpy as np
import pandas as pd
SIDES: tuple[str, ...]

def flat(pairs: pd.DataFrame, what: str='') -> Flat:
    """The values of both sides in one list"""

def folded(pairs: pd.DataFrame, shape: Flat, values: np.ndarray | Sequence[Any], what: str) -> pd.DataFrame:
    """Put values back into cells of the same shape"""

def score_responses(pairs: pd.DataFrame, reward: RewardModel | Callable[[list[str], list[str]], Any], store: Store | None=None, progress: Any=None) -> pd.DataFrame:
    """Rewards of all responses"""

def judge_responses(pairs: pd.DataFrame, judge: Judge | Callable[..., Any], store: Store | None=None) -> pd.DataFrame:
    """Margins of every better response against every worse one"""

def win_array(pairs: pd.DataFrame, ties: str='lose') -> np.ndarray:
    """Who wins in each comparison?"""

def warn_of_ties(tables: Iterable[pd.DataFrame], won: Callable[..., np.ndarray]=...) -> None:
    """Calibration breaks ties, which is no gain where a tie counts as lost"""

def with_text_lengths(pairs: pd.DataFrame) -> pd.DataFrame:
    """Lengths of prompt and response together"""

def with_characteristic(pairs: pd.DataFrame, what: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', **options: Any) -> pd.DataFrame:
    """Measure a characteristic of every response"""

def baselines(pairs: pd.DataFrame, rng: np.random.Generator | int) -> dict:
    """The rows that every table needs: length only, and random"""

def beside(rows: dict[str, pd.DataFrame], extra: dict[str, pd.DataFrame]) -> dict:
    """Put rows into one table, or say which name is taken"""

def calibrated_by_prompt(calibrator: Calibrator, x: np.ndarray | pd.DataFrame, r: np.ndarray, prompt: np.ndarray, **penalised: np.ndarray) -> np.ndarray:
    """Rewards without the bias; a prompt keeps its rewards where one of its responses has no estimate"""

def calibrate_responses(pairs: pd.DataFrame, calibrator: Calibrator, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', **options: Any) -> pd.DataFrame:
    """Take a characteristic out of all rewards of a table"""

def response_characteristics(pairs: pd.DataFrame, what: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', **options: Any) -> np.ndarray:
    """Characteristics of all responses, in the order of `flat`"""

def compare_accuracy(models: dict[str, pd.DataFrame], calibrator: Calibrator | None=None, *, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', reference: str | None=None, ties: str='lose', rng: np.random.Generator | int | None=0, level: float=0.95) -> ModelComparison:
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
    subsets: pd.DataFrame | None
    level: float

    def plot(self) -> ChartType:
        """Accuracies with their intervals"""
