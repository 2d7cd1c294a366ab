# Written by `make export` from the module beside it. Edit the notebook.
"""The reward model runs on another machine; is the number that comes back the raw one, and does it belong to this text?"""
from dataclasses import dataclass
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
WIRES: dict[str, Wire]

@dataclass(frozen=True)
class Wire:
    """How one kind of endpoint is asked and read"""
    path: str
    layouts: tuple
    body: object
    read: object

class HTTPReward(RewardModel):
    """A scoring endpoint as a reward model"""
    api_key: Any
    extra: dict[str, Any]
    label: Any
    layout: Any
    max_concurrency: Any
    max_retries: Any
    model: Any
    needs_reference: Any
    patience: Any
    per_request: Any
    show: Any
    timeout: Any
    url: Any
    wire: Any
    wire_name: Any

    def __init__(self, url, wire, model=None, *, name=None, layout=None, show=None, needs_reference=False, label=None, api_key=None, revision='', extra=None, per_request=32, max_concurrency=8, timeout=120.0, max_retries=5, patience=600.0):
        ...

    def refusals(self, pairs):
        ...

    def plan(self, pairs):
        ...

    def score_batch(self, pairs):
        ...

class SharedReward(RewardModel):
    """Several servers of one model, which share the texts"""
    needs_reference: Any
    servers: Any

    def __init__(self, servers, name=None):
        ...

    def refusals(self, pairs):
        ...

    def score_batch(self, pairs):
        ...
