"""Attributes and characteristics of a response; loaders of examples."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".attributes": ["Attribute", "Contrast", "get_attribute", "label_column", "label_examples",
                    "make_attribute", "Predicate", "reworded", "Threshold"],
    ".measures": ["characteristics", "sentiment"],
    ".examples": ["load_examples"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
