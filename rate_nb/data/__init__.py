"""Attributes and characteristics of a response; loaders of examples."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".attributes": ["Attribute", "Predicate", "Threshold", "get_attribute", "label_examples",
        "make_attribute"],
    ".measures": ["characteristics", "sentiment"],
    ".examples": ["load_examples"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
