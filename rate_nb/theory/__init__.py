"""Exact and simulated data-generating processes, identification, what breaks it."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".finite": ["FiniteWorld"],
    ".text_world": ["LengthTaste", "Surface", "TextWorld", "planted_grid", "planted_rewards", "read_draft",
                    "simulated_benchmark", "true_effects"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
