"""What a model directory is: finding, loading, dtype, device, chat template, tiny twins."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".loading": ["good_minus_bad", "locate_model"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
