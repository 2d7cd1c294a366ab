"""Talking to language models: endpoints, Batch API, local models, token prices, budgets."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".prices": ["count_tokens", "price_table"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
