# Written by `make export` from the module beside it. Edit the notebook.
"""How people look: report pages, marked differences, the explorer's data and front end."""
from .report import failures_by_arm as failures_by_arm
__all__ = ['failures_by_arm']
