# Written by `make export` from the module beside it. Edit the notebook.
"""What was subtracted, what remains, and what does the strength of the calibration change?"""
from altair.typing import ChartType
from collections.abc import Sequence
from rate_nb.benchmarks.pairs import ModelComparison
from rate_nb.benchmarks.reward_bench import Recalibration
from rate_nb.calibration.evaluation import BiasCurve
from rate_nb.calibration.evaluation import Comparison
from rate_nb.calibration.studies import Densities
from rate_nb.calibration.studies import Sweep
from rate_nb.studies.forecasting import Forecast
from rate_nb.studies.shift import DynamicBenchmark
from rate_nb.studies.training import TrainingResult
from typing import Any
import numpy as np
import pandas as pd
BLUE: str
ORANGE: str
GREEN: str
PURPLE: str
METHOD_COLOURS: dict[str, Any]
BASELINES: tuple[str, ...]
DIFFICULTIES: tuple[str, ...]

def plot_bias(curve: BiasCurve, characteristic: str='length (characters)') -> ChartType:
    """The estimated bias, its band, and where the responses are"""

def density_grid(x: np.ndarray, y: np.ndarray, x_range: tuple[float, float], y_range: tuple[float, float], shape: tuple[int, int]=(44, 34)) -> pd.DataFrame:
    """A kernel density on a grid: counts smoothed by a Gaussian of Scott's width"""

def plot_densities(densities: Densities, characteristic: str='length (characters)', width: int=230) -> ChartType:
    """Rewards against a characteristic, before and after (calibration paper, figures 17 to 26)"""

def plot_sweep(sweep: Sweep) -> ChartType:
    """Outcomes along one parameter (calibration paper, figures 7, 8 and 15)"""

def plot_comparison(comparison: Comparison) -> ChartType:
    """Gains of one model, or preferences overturned in several models (calibration paper, figures 1 and 4)"""

def method_scale(names: Sequence[str]) -> Any:
    """Colours of calibration methods"""

def percent_text(v: float, low: float, high: float) -> str:
    ...

def plot_accuracy(comparison: ModelComparison) -> ChartType:
    """Accuracies of models as scored and calibrated"""

def plot_rm_bench(board: pd.DataFrame, level: float=0.95) -> ChartType:
    """Hard, normal and easy accuracies"""

def plot_style_matrix(matrix: pd.DataFrame, name: str='the model') -> ChartType:
    """RM-Bench's 3×3 matrix"""

def plot_gains(result: Recalibration) -> ChartType:
    """Scores before and after, and the gain of each model (calibration paper, figures 1, 5, 6 and 11)"""

def plot_overturned(result: Recalibration) -> ChartType:
    """Preferences overturned against length preference (calibration paper, figure 4)"""

def plot_section(result: Recalibration, section: str='Chat Hard', method: str='RC-LWR') -> ChartType:
    """A section's score, and its gain, against length preference (calibration paper, figure 10)"""

def plot_gameability(table: pd.DataFrame) -> ChartType:
    """Gameability against length-bias accuracy (calibration paper, figure 2)"""

def plot_rank_heatmap(table: pd.DataFrame, value: str='spearman') -> ChartType:
    """Judge × method, a panel a ranking (calibration paper, figure 3 and table 1)"""

def plot_dynamic(benchmark: DynamicBenchmark) -> ChartType:
    """Merits of reward models on fresh texts, with their intervals"""

def plot_training(result: TrainingResult) -> ChartType:
    """Generated length and true quality against γ (calibration paper, tables 2 and 4)"""

def plot_forecast(found: Forecast) -> ChartType:
    """Attributes and quality against the n of best-of-n"""

def plot_watch(table: pd.DataFrame, margins: dict[str, float], words: str='', unit: str='reward points', level: float=0.95) -> ChartType:
    """How effects changed while a reward was trained"""
