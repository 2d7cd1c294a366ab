"""Papermill runs, grids, the command line."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".notebooks": ["check_injected", "run_notebook", "write_run_notebook"],
    ".grid": ["combine_effects", "grid_effects", "grid_report", "read_runs"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
