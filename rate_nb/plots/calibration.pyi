# Written by `make export` from the module beside it. Edit the notebook.
"""What was subtracted, what is left, and what does the strength of the calibration change?"""
from typing import Any
import pandas as pd
BLUE: str
ORANGE: str
GREEN: str
PURPLE: str
METHOD_COLOURS: dict[str, Any]
BASELINES: tuple[str, ...]
DIFFICULTIES: tuple[str, ...]

def plot_bias(curve, characteristic='length (characters)'):
    """The estimated bias, its band, and where the responses are"""

def density_grid(x, y, x_range, y_range, shape=(44, 34)) -> pd.DataFrame:
    """A kernel density on a grid: counts smoothed by a Gaussian of Scott's width"""

def plot_densities(densities, characteristic='length (characters)', width=230):
    """Rewards against a characteristic, before and after (calibration paper, figures 17 to 26)"""

def plot_sweep(sweep):
    """Outcomes along one parameter (calibration paper, figures 7, 8 and 15)"""

def plot_comparison(comparison):
    """Gains of one model, or preferences overturned in several models (calibration paper, figures 1 and 4)"""

def method_scale(names):
    """Colours of calibration methods"""

def percent_text(v, low, high):
    ...

def plot_accuracy(comparison):
    """Accuracies of models as scored and calibrated"""

def plot_rm_bench(board, level=0.95):
    """Hard, normal and easy accuracies"""

def plot_style_matrix(matrix, name='the model'):
    """RM-Bench's 3×3 matrix"""

def plot_gains(result):
    """Scores before and after, and the gain of each model (calibration paper, figures 1, 5, 6 and 11)"""

def plot_overturned(result):
    """Preferences overturned against length preference (calibration paper, figure 4)"""

def plot_section(result, section='Chat Hard', method='RC-LWR'):
    """A section's score, and its gain, against length preference (calibration paper, figure 10)"""

def plot_gameability(table):
    """Gameability against length-bias accuracy (calibration paper, figure 2)"""

def plot_rank_heatmap(table, value='spearman'):
    """Judge × method, a panel a ranking (calibration paper, figure 3 and table 1)"""

def plot_dynamic(benchmark):
    """Merits of reward models on fresh texts, with their intervals"""

def plot_training(result):
    """Generated length and true quality against γ (calibration paper, tables 2 and 4)"""
