# Written by `make export` from the module beside it. Edit the notebook.
"""Attributes and characteristics of a response; loaders of examples."""
from .attributes import Attribute as Attribute
from .attributes import Contrast as Contrast
from .attributes import get_attribute as get_attribute
from .attributes import label_column as label_column
from .attributes import label_examples as label_examples
from .attributes import make_attribute as make_attribute
from .attributes import Predicate as Predicate
from .attributes import reworded as reworded
from .attributes import Threshold as Threshold
from .measures import characteristics as characteristics
from .measures import sentiment as sentiment
from .examples import load_examples as load_examples
__all__ = ['Attribute', 'Contrast', 'Predicate', 'Threshold', 'characteristics', 'get_attribute', 'label_column', 'label_examples', 'load_examples', 'make_attribute', 'reworded', 'sentiment']
