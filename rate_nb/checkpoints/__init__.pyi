# Written by `make export` from the module beside it. Edit the notebook.
"""What a model directory is: finding, loading, dtype, device, chat template, tiny twins."""
from .loading import good_minus_bad as good_minus_bad
from .loading import locate_model as locate_model
__all__ = ['good_minus_bad', 'locate_model']
