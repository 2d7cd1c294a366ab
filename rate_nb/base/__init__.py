"""Table schemas, errors, how results show themselves, the store of rewrites and rewards, file formats."""
from .faces import lazy

_HOME = { # module → the names it brings
    ".core": ["InputError", "RateError", "SchemaError", "write_atomic"],
    ".display": ["Progress"],
    ".store": ["Store", "lock"],
    ".files": ["read_table"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
