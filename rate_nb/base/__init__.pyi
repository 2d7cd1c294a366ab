# Written by `make export` from the module beside it. Edit the notebook.
"""Table schemas, errors, how results show themselves, the store of rewrites and rewards, file formats."""
from .core import InputError as InputError
from .core import RateError as RateError
from .core import SchemaError as SchemaError
from .core import write_atomic as write_atomic
from .display import Progress as Progress
from .store import Store as Store
from .store import lock as lock
from .files import read_table as read_table
__all__ = ['InputError', 'Progress', 'RateError', 'SchemaError', 'Store', 'lock', 'read_table', 'write_atomic']
