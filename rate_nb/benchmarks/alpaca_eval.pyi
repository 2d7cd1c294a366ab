# Written by `make export` from the module beside it. Edit the notebook.
"""Which model responds best, when the judge prefers long responses and any model can be instructed to write them?"""
from collections.abc import Callable
from collections.abc import Sequence
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import numpy as np
import pandas as pd
CLIPS: Any
STRENGTHS: Any
FEW: int
PUBLIC_SLOPES: tuple[Any, ...]
FORMS: dict[str, tuple[float, ...]]
GAMEABILITY: tuple[str, ...]
ALPACA_METHODS: dict[str, Any]

def annotated(generator: Path) -> list[Path]:
    ...

def annotation_files(results_dir: str | Path, annotator: str | None=None) -> dict:
    """Annotation files of all generators"""

def instruction_id(instruction: str) -> str:
    """The same instruction has the same id in every file"""

def load_alpaca_eval(results_dir: str | Path, annotator: str | None=None, *, characteristics: Sequence[str]=('length',), missing: str='error', names: str='folder', texts: bool=False) -> pd.DataFrame:
    """Read AlpacaEval's annotations"""

def check_annotations(annotations: pd.DataFrame) -> pd.DataFrame:
    """Columns and ranges of an annotations table"""

def win_rates(annotations: pd.DataFrame, level: float=0.95) -> pd.DataFrame:
    """Win rates in per cent"""

def clip_rates(annotations: pd.DataFrame, calibrator: Calibrator | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', clips: np.ndarray=...) -> pd.DataFrame:
    """What the clip does to calibrated win rates"""

def steadiest_clip(rates: pd.DataFrame) -> float:
    """The clip that decides least"""

def calibrate_annotations(annotations: pd.DataFrame, calibrator: Calibrator | None=None, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length') -> pd.DataFrame:
    """Preferences without what a characteristic explains"""

def with_clip(annotations: pd.DataFrame, calibrator: Calibrator, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]) -> Calibrator:
    """A calibrator of margins whose clip is decided"""

def l1_logistic(X: np.ndarray, p: np.ndarray, weight: np.ndarray, C: float, tol: float=1e-10) -> np.ndarray:
    """Logistic regression on probabilities with an L1 penalty"""

def l1_logistic_cv(X: np.ndarray, p: np.ndarray, weight: np.ndarray, folds: int=5) -> tuple:
    """The same, with the penalty's strength chosen by cross-validation"""

def joint_regression(t: np.ndarray, p: np.ndarray, generator: np.ndarray, instruction: np.ndarray, weak: float=0.01) -> tuple:
    """Difficulties and slopes of length from one logistic regression, by Newton steps"""

def given_difficulty(annotations: pd.DataFrame, difficulty: Any) -> np.ndarray:
    """Difficulties that are known"""

def slope_range(slopes: np.ndarray, variances: np.ndarray, level: float=0.95, error: float=0.0) -> tuple:
    """What slope one more generator would have before this judge"""

def stand_ins(difficulty: np.ndarray, slope: float) -> tuple:
    """Rows in place of the gamed baselines'"""

def length_controlled(annotations: pd.DataFrame, difficulty: Any=None, gamed: Any=None, strength: float=0.2, level: float=0.95) -> pd.DataFrame:
    """Length-controlled win rates, fitted as AlpacaEval 2 does"""

def read_ranking(source: Any, score: str | None=None, name: str | None=None) -> pd.Series:
    """Scores of models from elsewhere"""

def alpaca_eval_leaderboard(annotations: pd.DataFrame, calibrator: Calibrator | None=None, *, characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', length_controlled: bool | dict[str, Any]=False, official: Any=None, level: float=0.95) -> pd.DataFrame:
    """AlpacaEval's leaderboard, with intervals, before and after calibration"""

def prompt_styles(prompts: Sequence[str] | dict[str, dict[str, str]]) -> dict:
    """Names of each model's three prompt styles"""

def gameability(leaderboard: pd.DataFrame, prompts: Sequence[str] | dict[str, dict[str, str]], metric: str='win_rate', definition: str='code') -> float:
    """How far a win rate moves when prompts request length"""

def rank_agreement(leaderboard: pd.DataFrame, ranking: Any, metric: str='win_rate', *, score: str | None=None, replicates: int=1000, rng: np.random.Generator | int=0, level: float=0.95) -> dict:
    """Rank correlation of two leaderboards"""

def score_alpaca_eval(results_dir: str | Path, reward: RewardModel | Callable[[list[str], list[str]], Any], baseline: str | None=None, *, generators: Sequence[str] | None=None, instructions: Sequence[str] | None=None, annotator: str | None=None, characteristics: Sequence[str]=('length',), store: Store | None=None) -> pd.DataFrame:
    """Let a pointwise reward model judge"""

def compare_alpaca_eval(judges: dict[str, pd.DataFrame], rankings: dict[str, Any] | None=None, prompts: Sequence[str] | dict[str, dict[str, str]] | None=None, methods: dict[str, Any] | None=None, *, definition: str='code', replicates: int=1000, rng: np.random.Generator | int=0, level: float=0.95) -> pd.DataFrame:
    """Calibrations of several judges against several rankings"""
