"""The labs, as views over pure functions."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".labs": ["AssumptionLab", "CalibrationLab", "calibration_at", "simulation_at"],
    ".prompt_lab": ["PromptLab"],
    ".reading_lab": ["ReadingLab", "TagLab"],
    ".trials": ["try_instruction"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
