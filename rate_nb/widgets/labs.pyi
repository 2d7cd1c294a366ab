# Written by `make export` from the module beside it. Edit the notebook.
"""How much of the bias should be removed, and how does that change the preferences?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.calibration.evaluation import Outcome
from rate_nb.theory.text_world import TextWorld
from rate_nb.widgets.widget_base import MovingLab
from rate_nb.widgets.widget_base import Picture
from typing import Any
import numpy as np
import pandas as pd
COUNTED: tuple[str, ...]
MOST: int
CALIBRATION_STATE: dict[str, Any]
METHODS_HERE: dict[str, Any]
BLUE: str
ORANGE: str
CALIBRATION_DIALS: dict[str, Any]
STYLE: tuple[str, ...]
SIMULATION_STATE: dict[str, Any]
TABLE_STATE: dict[str, Any]
TABLE_DIALS: dict[str, Any]
SIMULATION_DIALS: dict[str, Any]

def characteristics_of(table: pd.DataFrame) -> list:
    """Columns that could be a characteristic: numeric, and no id, reward or label"""

def as_rewards(table: pd.DataFrame, examples: pd.DataFrame | None=None) -> pd.DataFrame:
    """A table of rewards out of any table that holds some"""

def thinned(table: pd.DataFrame, max_points: int=..., seed: int=0) -> tuple:
    """Few enough rows to compute while a slider moves"""

def calibration_at(table: pd.DataFrame, state: dict | None=None) -> Calibrated:
    """Calibrate with this setting"""

def calibration_html(made: Calibrated) -> str:
    """One setting at a glance"""

def calibration_picture(made: Calibrated) -> Picture:
    """The curve, and what is left of it"""

def interacting(world: TextWorld, strength: float) -> Callable[[pd.DataFrame], np.ndarray]:
    """A reward in which the attribute and the style do not simply add up"""

def simulation_at(state: dict | None=None) -> SimulationResult:
    """Draw a population, rewrite it twice, and estimate"""

def table_at(scored: pd.DataFrame, state: dict | None=None) -> TableResult:
    """Estimate, and say how far failures of the assumptions could move RATE"""

def simulation_picture(result: SimulationResult) -> Picture:
    """One simulation at a glance"""

def table_picture(result: TableResult) -> Picture:
    """A scored table at a glance"""

def scored_html(result: TableResult) -> str:
    """The numbers behind the picture"""

@dataclass(frozen=True)
class Calibrated:
    """What one setting does to one table of rewards"""
    state: dict
    before: Outcome
    after: Outcome
    calibrator: object
    table: pd.DataFrame

class CalibrationLab(MovingLab):
    """Change the settings of a calibration and see the result while the slider moves"""
    sample: Any
    table: Any

    def __init__(self, table: pd.DataFrame, characteristics: Sequence[str] | None=None, state: dict | None=None, examples: pd.DataFrame | None=None, most: int=...):
        ...

@dataclass(frozen=True)
class SimulationResult:
    """What the estimators say in one simulation, and the truth"""
    state: dict
    effects: object
    truth: pd.DataFrame

    @property
    def table(self) -> pd.DataFrame:
        ...

@dataclass(frozen=True)
class TableResult:
    """What a scored table says if its assumptions fail by so much"""
    state: dict
    table: pd.DataFrame
    margin: float
    unit: float
    lost: float

class AssumptionLab(MovingLab):
    """Break an assumption and see what it does to the estimates: of a simulation, or of a scored table"""
    sample: Any
    table: Any

    def __init__(self, scored: pd.DataFrame | dict | None=None, state: dict | None=None, most: int=...):
        ...
