# Written by `make export` from the module beside it. Edit the notebook.
"""Talking to language models: endpoints, Batch API, local models, token prices, budgets."""
from .prices import count_tokens as count_tokens
from .prices import price_table as price_table
__all__ = ['count_tokens', 'price_table']
