# Written by `make export` from the module beside it. Edit the notebook.
"""How are rewrites asked for by the day, at half the price, when files, batches, lines and processes may all get lost?"""
from collections import Counter
from dataclasses import dataclass
from rate_nb.base.core import EndpointError
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Positive
from typing import Any
import pandas as pd
ENDPOINT: str
SLOWEST: int
OPEN: tuple[str, ...]
ENDS: tuple[str, ...]

def request_line(key, body) -> bytes:
    ...

def shards(lines, limits):
    """Cut requests into files"""

def read_line(record) -> tuple:
    """What became of one request"""

def read_lines(*contents) -> tuple:
    """What became of all requests; a line that is there twice counts once, two that differ are none"""

def batches(store) -> pd.DataFrame:
    """The batches a store knows of, as they were last seen"""

def batches_in_flight(store) -> pd.DataFrame:
    """Those that have not been collected yet"""

def forget_batch(store, id):
    """Give a batch up: its requests will be sent again"""

def exchanged(sources, texts) -> list:
    """Answers that came back under another's id"""

@dataclass(frozen=True)
class BatchLimits:
    """What one batch may hold, and how patiently it is waited for"""
    max_requests: Positive = ...
    max_bytes: Positive = ...
    rounds: Positive = ...
    poll: AboveZero = ...
    poll_longest: AboveZero = ...
    longest: AboveZero = ...

    def __post_init__(self):
        ...

class BatchRun:
    """Gets replies by batch, and picks up what other processes have under way"""
    arrived: Any
    flying: dict[Any, Any]
    held_until: float
    host: Any
    limits: Any
    prices: dict[Any, Any]
    refused: int
    rewriter: Any
    sent: Counter
    store: Any
    wanted: dict[Any, Any]

    def __init__(self, rewriter, arrived):
        ...

    def client(self):
        ...

    def todo(self):
        ...

    def receive(self, replies, cached=False):
        ...

    def most(self, key):
        ...

    def affordable(self, lines):
        ...

    def cost(self, record, batch, good, bad) -> float:
        ...

    def seen(self, name, record, batch):
        ...

    def fly(self, name, record, keys):
        ...

    def close(self, name, record, status, cost=0.0) -> bool:
        ...

    async def find(self, name):
        ...

    def unclear(self, name, why) -> EndpointError:
        ...

    async def ask(self, call, what, ok):
        ...

    def sendable(self, requests):
        ...

    async def create(self, lines):
        ...

    async def adopt(self):
        """Take over the open batches of this endpoint that were sent with these settings"""

    async def submit(self):
        ...

    async def look(self, name):
        ...

    def lost(self, record, error) -> EndpointError:
        ...

    def failed(self, name, record, batch):
        ...

    async def download(self, id, lines) -> bytes:
        ...

    def again(self, record, bad):
        ...

    async def collect(self, name, record, batch):
        ...

    def accounted(self, key, reply):
        ...

    def unreadable(self, record, why) -> EndpointError:
        ...

    async def run(self, requests):
        """Send, wait, collect, until every request has a reply or no hope"""

    def stalled(self) -> EndpointError:
        ...

    def show(self):
        ...
