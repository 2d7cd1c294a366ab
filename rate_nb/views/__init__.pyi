# Written by `make export` from the module beside it. Edit the notebook.
"""How people look: report pages, marked differences, the explorer's data and front end."""
from .answer import answers as answers
from .report import failures_by_arm as failures_by_arm
__all__ = ['answers', 'failures_by_arm']
