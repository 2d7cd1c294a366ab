# Written by `make export` from the module beside it. Edit the notebook.
"""The labs, as views over pure functions."""
from .labs import AssumptionLab as AssumptionLab
from .labs import CalibrationLab as CalibrationLab
from .labs import calibration_at as calibration_at
from .labs import simulation_at as simulation_at
from .prompt_lab import PromptLab as PromptLab
from .reading_lab import ReadingLab as ReadingLab
from .reading_lab import TagLab as TagLab
from .trials import try_instruction as try_instruction
__all__ = ['AssumptionLab', 'CalibrationLab', 'PromptLab', 'ReadingLab', 'TagLab', 'calibration_at', 'simulation_at', 'try_instruction']
