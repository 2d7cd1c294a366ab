"""Statistics that know nothing of language: inference, multiplicity, power, local regression."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".inference": ["adjust_pvalues", "equivalence_test", "paired_effect"],
    ".local_regression": ["lowess"],
    ".ordinal": ["proportional_odds"],
    ".powered": ["prediction_powered"],
    ".power": ["minimum_detectable_effect", "power_n"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
