# Written by `make export` from the module beside it. Edit the notebook.
"""What does a provider do with a file of requests, and what can go wrong with it?"""
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.base.options import NotNegative
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.instructions import Instruction
from typing import Any
ENDPOINT: str
CAN_REWRITE: tuple[str, ...]
NOTICED: dict[str, Any]

def draw(chances: dict[str, float], *what: Any) -> str | None:
    """One of several fates, decided by a hash"""

def check_chances(owner: Any, *groups: Sequence[str]) -> None:
    """Raise `InputError` unless the chances are chances"""

def read_form(content_type: str, body: bytes) -> dict:
    """The fields of a multipart form"""

def list_page(objects: list[dict[str, Any]], query: dict[str, Any]) -> dict:
    """One page of a list"""

def read_task(messages: list[dict[str, Any]]) -> tuple:
    """Find the request and the delimited text in a conversation"""

def read_comparison(messages: list[dict[str, Any]]) -> tuple[str, str, str] | None:
    """Find the two answers that a judge should compare"""

def longer_wins(question: str, first: str, second: str) -> str:
    ...

def read_aim(request: str) -> tuple[str, int | None]:
    """Which attribute should go which way"""

def check_dry_run(instruction: Instruction) -> None:
    """Can the sandbox rewrite for this attribute?"""

def read_labelling(messages: list[dict[str, Any]]) -> tuple | None:
    """Find the text that a judge should label, and the words for its two sides"""

def label_by_rule(text: str, first: str, second: str) -> str:
    ...

def read_review(messages: list[dict[str, Any]]) -> tuple[dict, str] | None:
    """Find the versions that a reader should compare, or the one that he should code"""

def review_by_rule(texts: dict[str, str], question: str) -> str:
    ...

def read_rubric(messages: list[dict[str, Any]]) -> tuple[str, list[tuple], bool] | None:
    """Find what a rubric asks"""

def score_by_rule(text: str, criteria: list[tuple], as_json: bool) -> str:
    ...

def sandbox_rewriter(model: str='sandbox-rewriter', *, services, attribute: Any=None, latency: NotNegative=0.0, trouble: Trouble=..., **kwargs: Any) -> OpenAIRewriter:
    """A rule-based endpoint on this machine, started for the run: a dry run"""

def serve(port: int=8765, **options: Any) -> None:
    """Run a sandbox until interrupted"""

class WireError(Exception):
    """A refusal as OpenAI's API words it"""
    body: dict[str, Any]
    headers: Any
    status: int

    def __init__(self, status: int, message: str, code: str | None=None, param: str | None=None, **headers: Any):
        ...

@dataclass(frozen=True)
class BatchTrouble:
    """What goes wrong with batches, how often, and how long they take"""
    shuffle: bool = ...
    missing: float = ...
    duplicate: float = ...
    line_error: float = ...
    lost_reply: float = ...
    expire: int = ...
    expire_after: float = ...
    seconds: float = ...
    steps: int = ...

    def of_line(self, key: str, seed: int, attempt: int) -> str | None:
        ...

    def __post_init__(self):
        ...

class BatchDesk:
    """Files and batches of one account, in memory"""
    batches: dict[Any, Any]
    complete: Callable[..., Any]
    contents: dict[Any, Any]
    files: dict[Any, Any]
    log: Any
    max_bytes: int
    max_requests: int
    seed: int
    trouble: BatchTrouble

    def __init__(self, complete: Callable[..., Any], trouble: BatchTrouble=..., seed: int=0, log: list[dict[str, Any]] | None=None, max_requests: int=50000, max_bytes: int=200000000):
        ...

    def add_file(self, name: str, content: bytes, purpose: str='batch') -> dict:
        ...

    def upload(self, fields: dict[str, Any]) -> dict:
        ...

    def create(self, asked: dict[str, Any]) -> dict:
        ...

    def cancel(self, name: str) -> dict:
        ...

    def respond(self, method: str, path: str, query: dict[str, Any], kind: str, body: bytes) -> dict[str, Any] | bytes:
        """Answer one call; must run on an event loop"""

@dataclass(frozen=True)
class Trouble:
    """Chances of each kind of trouble, and how it looks"""
    rate_limit: float = ...
    server_error: float = ...
    reset: float = ...
    malformed: float = ...
    slow: float = ...
    refuse: float = ...
    truncate: float = ...
    answer: float = ...
    overthink: float = ...
    retry_after: float = ...
    slow_for: float = ...

    def __post_init__(self):
        ...

    def of_request(self, key: str, seed: int) -> str | None:
        ...

    def of_attempt(self, key: str, seed: int, attempt: int) -> str | None:
        ...

class Sandbox:
    """A loopback OpenAI-compatible server that really rewrites"""
    api_key: str | None
    calls: list[Any]
    desk: BatchDesk
    judge: Callable[..., str]
    labeller: Callable[..., str]
    latency: float
    log: list[Any]
    model: str | None
    port: int
    rewriter: Callable[..., str]
    seed: int
    thinking: str | None
    trouble: Trouble

    def __init__(self, port: int=0, latency: float=0.0, api_key: str | None=None, model: str | None='sandbox-rewriter', trouble: Trouble=..., rewriter: Callable[..., str]=..., judge: Callable[..., str]=..., labeller: Callable[..., str]=..., seed: int=0, thinking: str | None=None, batch_trouble: BatchTrouble=..., **limits: int):
        ...

    def __repr__(self) -> str:
        ...

    @property
    def base_url(self) -> str:
        ...

    @property
    def requests(self) -> int:
        ...

    @property
    def succeeded(self) -> list:
        """What a client could have received"""

    @property
    def served(self) -> int:
        ...

    def __enter__(self) -> Sandbox:
        ...

    def __exit__(self, *error: Any) -> None:
        ...

    def check_model(self, asked: dict[str, Any]) -> None:
        """Refuse what this endpoint does not serve"""

    def answer(self, asked: dict[str, Any], key: str) -> tuple[dict[str, Any], str | None]:
        """Answer one request"""
