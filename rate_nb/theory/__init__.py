"""Exact and simulated data-generating processes, identification, what breaks it."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".finite": ["FiniteWorld"],
    ".text_world": ["LengthTaste", "Surface", "TextWorld", "read_draft", "true_effects"],
    ".planted": ["planted_grid", "planted_rewards", "simulated_benchmark"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
