# Written by `make export` from the module beside it. Edit the notebook.
"""Papermill runs, grids, the command line."""
from .notebooks import check_injected as check_injected
from .notebooks import run_notebook as run_notebook
from .notebooks import write_run_notebook as write_run_notebook
from .grid import combine_effects as combine_effects
from .grid import grid_effects as grid_effects
from .grid import grid_report as grid_report
from .grid import read_runs as read_runs
__all__ = ['check_injected', 'combine_effects', 'grid_effects', 'grid_report', 'read_runs', 'run_notebook', 'write_run_notebook']
