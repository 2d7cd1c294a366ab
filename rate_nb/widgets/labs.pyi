# Written by `make export` from the module beside it. Edit the notebook.
"""How much of the bias should be taken out, and what does that do to the preferences?"""
from dataclasses import dataclass
from rate_nb.calibration.evaluation import Outcome
from rate_nb.widgets.widget_base import MovingLab
from rate_nb.widgets.widget_base import Picture
from typing import Any
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

def characteristics_of(table) -> list:
    """Columns that could be a characteristic: numeric, and no id, reward or label"""

def as_rewards(table, examples=None) -> pd.DataFrame:
    """A table of rewards out of any table that holds some"""

def thinned(table, most=..., seed=0) -> tuple:
    """Few enough rows to compute while a slider moves"""

def calibration_at(table, state=None) -> Calibrated:
    """Calibrate with this setting"""

def calibration_html(made) -> str:
    """One setting at a glance"""

def calibration_picture(made) -> Picture:
    """The curve, and what is left of it"""

def interacting(world, strength):
    """A reward in which the attribute and the style do not simply add up"""

def simulation_at(state=None) -> SimulationResult:
    """Draw a population, rewrite it twice, and estimate"""

def table_at(scored, state=None) -> TableResult:
    """Estimate, and say how far failures of the assumptions could move RATE"""

def simulation_picture(result) -> Picture:
    """One simulation at a glance"""

def table_picture(result) -> Picture:
    """A scored table at a glance"""

def scored_html(result) -> str:
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

    def __init__(self, table, characteristics=None, state=None, examples=None, most=...):
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

    def __init__(self, scored=None, state=None, most=...):
        ...
