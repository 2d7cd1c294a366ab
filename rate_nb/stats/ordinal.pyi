# Written by `make export` from the module beside it. Edit the notebook.
"""Most texts have the highest score already. How is an effect on a scale from 1 to 5 stated when a mean has no room to move?"""
from numpy.typing import ArrayLike
from rate_nb.stats.inference import Effect
MOST_STEPS: int

def proportional_odds(scores: ArrayLike, treated: ArrayLike, clusters: ArrayLike, level: float=0.95) -> Effect:
    """Proportional-odds effect with errors clustered by prompt (McCullagh 1980; sandwich)"""
