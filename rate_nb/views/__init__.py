"""How people look: report pages, marked differences, the explorer's data and front end."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".answer": ["answers"],
    ".report": ["failures_by_arm"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
