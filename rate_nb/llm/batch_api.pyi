# Written by `make export` from the module beside it. Edit the notebook.
"""How do rewrites by batch work, within a day at half the price, if files, batches, lines and processes may all get lost?"""
from collections import Counter
from collections.abc import Awaitable
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.core import EndpointError
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.llm.calls import Failure
from rate_nb.llm.calls import Reply
from rate_nb.llm.openai import OpenAIRewriter
from typing import Any
import pandas as pd
ENDPOINT: str
UPLOADING: str
LISTING: str
SLOWEST: int
OPEN: tuple[str, ...]
ENDS: tuple[str, ...]

def request_line(key: str, body: dict) -> bytes:
    ...

def shards(lines: dict[str, bytes], limits: BatchLimits) -> Iterator[dict[str, bytes]]:
    """Cut requests into files"""

def read_line(record: dict) -> tuple:
    """What became of one request"""

def read_lines(*contents: bytes) -> tuple:
    """What became of all requests; a line that is there twice counts once, two that differ are none"""

def batches(store: Store | str | Path) -> pd.DataFrame:
    """The batches a store knows of, as they were last seen"""

def batches_in_flight(store: Store | str | Path) -> pd.DataFrame:
    """Those that have not been collected yet"""

def forget_batch(store: Store | str | Path, id: str) -> None:
    """Give a batch up: its requests will be sent again"""

def exchanged(sources: dict[str, str], texts: dict[str, str]) -> list:
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
    arrived: Callable[[dict, bool], dict]
    flying: dict[Any, Any]
    held_until: float
    host: Any
    limits: Any
    prices: dict[Any, Any]
    refused: int
    rewriter: OpenAIRewriter
    sent: Counter
    store: Any
    wanted: dict[Any, Any]

    def __init__(self, rewriter: OpenAIRewriter, arrived: Callable[[dict, bool], dict]):
        ...

    def client(self) -> Any:
        ...

    def todo(self) -> dict:
        ...

    def receive(self, replies: dict[str, Reply], cached: bool=False) -> None:
        ...

    def most(self, key: str) -> float:
        ...

    def affordable(self, lines: dict[str, bytes]) -> dict[str, bytes]:
        ...

    def cost(self, record: dict, batch: Any, good: dict[str, Reply], bad: dict[str, Failure]) -> float:
        ...

    def seen(self, name: str, record: dict, batch: Any) -> dict:
        ...

    def fly(self, name: str, record: dict, keys: Sequence[str]) -> None:
        ...

    def close(self, name: str, record: dict, status: str, cost: float=0.0) -> bool:
        ...

    async def find(self, name: str) -> Any:
        ...

    def unclear(self, name: str, why: str) -> EndpointError:
        ...

    async def ask(self, call: Callable[[], Awaitable], what: str, ok: Callable[[Any], Any]) -> Any:
        ...

    def sendable(self, requests: dict) -> dict[str, bytes]:
        ...

    async def create(self, lines: dict[str, bytes]) -> None:
        ...

    async def adopt(self) -> None:
        """Take over the open batches of this endpoint that were sent with these settings"""

    async def submit(self) -> int:
        ...

    async def look(self, name: str) -> bool:
        ...

    def lost(self, record: dict, error: EndpointError) -> EndpointError:
        ...

    def failed(self, name: str, record: dict, batch: Any) -> None:
        ...

    async def download(self, id: str, lines: int) -> bytes:
        ...

    def again(self, record: dict, bad: dict[str, Failure]) -> None:
        ...

    async def collect(self, name: str, record: dict, batch: Any) -> None:
        ...

    def accounted(self, key: str, reply: Reply) -> Reply:
        ...

    def unreadable(self, record: dict, why: str) -> EndpointError:
        ...

    async def run(self, requests: dict) -> None:
        """Send, wait, collect, until every request has a reply or no hope"""

    def stalled(self) -> EndpointError:
        ...

    def show(self) -> None:
        ...
