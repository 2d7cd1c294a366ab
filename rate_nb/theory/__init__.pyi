# Written by `make export` from the module beside it. Edit the notebook.
"""Exact and simulated data-generating processes, identification, what breaks it."""
from .finite import FiniteWorld as FiniteWorld
from .text_world import LengthTaste as LengthTaste
from .text_world import Surface as Surface
from .text_world import TextWorld as TextWorld
from .text_world import planted_grid as planted_grid
from .text_world import planted_rewards as planted_rewards
from .text_world import read_draft as read_draft
from .text_world import simulated_benchmark as simulated_benchmark
from .text_world import true_effects as true_effects
__all__ = ['FiniteWorld', 'LengthTaste', 'Surface', 'TextWorld', 'planted_grid', 'planted_rewards', 'read_draft', 'simulated_benchmark', 'true_effects']
