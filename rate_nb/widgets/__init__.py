"""The three labs, as views over pure functions."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".assumption_lab": ["AssumptionLab", "simulation_at"],
    ".calibration_lab": ["CalibrationLab", "calibration_at"],
    ".prompt_lab": ["PromptLab"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
