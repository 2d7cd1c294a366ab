# Written by `make export` from the module beside it. Edit the notebook.
"""Does my judge give another score when the question is put in other words, when the criteria change places, or when the response is by a relative of its own?"""
from rate_nb.base.store import Store
from typing import Any
import pandas as pd

def probe_judge(model: Any, examples: pd.DataFrame, *, store: Store | None=None, margin: float=0.1, level: float=0.95) -> pd.DataFrame:
    """What changes a judge's mind besides the response"""
