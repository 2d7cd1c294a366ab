# Written by `make export` from the module beside it. Edit the notebook.
"""Which model responds best, when the judge prefers long responses and a model can be asked for them?"""
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

def annotation_files(results_dir, annotator=None) -> dict:
    """Annotation files of all generators"""

def instruction_id(instruction) -> str:
    """The same instruction has the same id in every file"""

def load_alpaca_eval(results_dir, annotator=None, *, characteristics=('length',), missing='error', names='folder', texts=False) -> pd.DataFrame:
    """Read AlpacaEval's annotations"""

def check_annotations(annotations):
    """Columns and ranges of an annotations table"""

def win_rates(annotations, level=0.95) -> pd.DataFrame:
    """Win rates in per cent"""

def clip_rates(annotations, calibrator=None, characteristic='length', clips=...) -> pd.DataFrame:
    """What the clip does to calibrated win rates"""

def steadiest_clip(rates) -> float:
    """The clip that decides least"""

def calibrate_annotations(annotations, calibrator=None, characteristic='length') -> pd.DataFrame:
    """Preferences without what a characteristic explains"""

def with_clip(annotations, calibrator, characteristic):
    """A calibrator of margins whose clip is decided"""

def l1_logistic(X, p, weight, C, tol=1e-10) -> np.ndarray:
    """Logistic regression on probabilities with an L1 penalty"""

def l1_logistic_cv(X, p, weight, folds=5) -> tuple:
    """The same, with the penalty's strength chosen by cross-validation"""

def joint_regression(t, p, generator, instruction, weak=0.01) -> tuple:
    """Difficulties and slopes of length from one logistic regression, by Newton steps"""

def given_difficulty(annotations, difficulty) -> np.ndarray:
    """Difficulties that are known"""

def slope_range(slopes, variances, level=0.95, error=0.0) -> tuple:
    """What slope one more generator would have before this judge"""

def stand_ins(difficulty, slope) -> tuple:
    """Rows in place of the gamed baselines'"""

def length_controlled(annotations, difficulty=None, gamed=None, strength=0.2, level=0.95) -> pd.DataFrame:
    """Length-controlled win rates, fitted as AlpacaEval 2 does"""

def read_ranking(source, score=None, name=None) -> pd.Series:
    """Scores of models from elsewhere"""

def alpaca_eval_leaderboard(annotations, calibrator=None, *, characteristic='length', length_controlled=False, official=None, level=0.95) -> pd.DataFrame:
    """AlpacaEval's leaderboard, with intervals, before and after calibration"""

def prompt_styles(prompts) -> dict:
    """Names of each model's three prompt styles"""

def gameability(leaderboard, prompts, metric='win_rate', definition='paper') -> float:
    """How far a win rate moves when models are asked for length"""

def rank_agreement(leaderboard, ranking, metric='win_rate', *, score=None, replicates=1000, rng=0, level=0.95) -> dict:
    """Rank correlation of two leaderboards"""

def score_alpaca_eval(results_dir, reward_model, baseline=None, *, generators=None, instructions=None, annotator=None, characteristics=('length',), store=None) -> pd.DataFrame:
    """Let a pointwise reward model judge"""

def compare_alpaca_eval(judges, rankings=None, prompts=None, methods=None, *, definition='paper', replicates=1000, rng=0, level=0.95) -> pd.DataFrame:
    """Calibrations of several judges against several rankings"""
