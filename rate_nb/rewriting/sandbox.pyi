# Written by `make export` from the module beside it. Edit the notebook.
"""What does a provider do with a file of requests, and what can go wrong with it?"""
from dataclasses import dataclass
from typing import Any
ENDPOINT: str

def draw(chances, *what) -> str:
    """One of several fates, decided by a hash"""

def check_chances(owner, *groups):
    """Raise `InputError` unless the chances are chances"""

def read_form(content_type, body) -> dict:
    """The fields of a multipart form"""

def list_page(objects, query) -> dict:
    """One page of a list"""

def read_task(messages) -> tuple:
    """Find the request and the delimited text in a conversation"""

def read_comparison(messages):
    """Find the two answers that a judge should compare"""

def longer_wins(question, first, second):
    ...

def rule_based(text, attribute, target, seed):
    ...

def read_aim(request) -> tuple:
    """Which attribute should go which way"""

def read_labelling(messages):
    """Find the text that a judge should label, and the words for its two sides"""

def label_by_rule(text, first, second):
    ...

def serve(port=8765, **options):
    """Run a sandbox until interrupted"""

class WireError(Exception):
    """A refusal as OpenAI's API words it"""
    body: dict[str, Any]
    headers: Any
    status: Any

    def __init__(self, status, message, code=None, param=None, **headers):
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

    def of_line(self, key, seed, attempt):
        ...

    def __post_init__(self):
        ...

class BatchDesk:
    """Files and batches of one account, in memory"""
    batches: dict[Any, Any]
    complete: Any
    contents: dict[Any, Any]
    files: dict[Any, Any]
    log: Any
    max_bytes: Any
    max_requests: Any
    seed: Any
    trouble: Any

    def __init__(self, complete, trouble=..., seed=0, log=None, max_requests=50000, max_bytes=200000000):
        ...

    def add_file(self, name, content, purpose='batch') -> dict:
        ...

    def upload(self, fields) -> dict:
        ...

    def create(self, asked) -> dict:
        ...

    def cancel(self, name) -> dict:
        ...

    def respond(self, method, path, query, kind, body):
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

    def of_request(self, key, seed):
        ...

    def of_attempt(self, key, seed, attempt):
        ...

class Sandbox:
    """A loopback OpenAI-compatible server that really rewrites"""
    calls: list[Any]
    desk: BatchDesk
    judge: Any
    labeller: Any
    latency: Any
    log: list[Any]
    model: Any
    port: Any
    rewriter: Any
    seed: Any
    thinking: Any
    trouble: Any

    def __init__(self, port=0, latency=0.0, api_key=None, model='sandbox-rewriter', trouble=..., rewriter=..., judge=..., labeller=..., seed=0, thinking=None, batch_trouble=..., **limits):
        ...

    def __repr__(self):
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

    def __enter__(self):
        ...

    def __exit__(self, *error):
        ...
