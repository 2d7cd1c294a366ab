# Written by `make export` from the module beside it. Edit the notebook.
"""What does every call of a language model have in common, wherever the model runs?"""
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
import asyncio
REFUSAL_LANGUAGES: tuple[Any, ...]
MOST_TOKENS: int
LONGEST_WAIT: float
MOST_BYTES: int

def split_thoughts(text, inside=False) -> tuple:
    """What a reply says, and what its model thought before"""

def opens_thought(text):
    ...

def without_thoughts(reply):
    ...

def said_logprobs(logprobs, text):
    ...

def revised(key, revision) -> str:
    """The key of the same request to a named revision of the model"""

def request_key(rewriter, request) -> str:
    """The store's key for one reply"""

def stored_reply(rewriter, key):
    ...

def keep_replies(rewriter, replies) -> dict:
    """Store replies; failures are not kept, so they are tried again next time"""

async def ask_once(rewriter, key, request) -> tuple:
    """The reply to a request, from the store, from whoever is asking just now, or from the model"""

def ask_once_here(rewriter, key, request) -> tuple:
    """As `ask_once`, in the caller's thread"""

def background_loop() -> asyncio.AbstractEventLoop:
    """The one event loop on which engines run"""

def run_async(coroutine, tick=...):
    """Run a coroutine on the background loop, from anywhere"""

async def until_done(workers, wrong, rewriter):
    """Wait for workers; once something is wrong, only for the calls under way"""

def looks_refused(text) -> bool:
    """Does a reply decline?"""

def keep_arrived(store):
    ...

async def keep_together(rewriter, key, reply) -> Reply:
    """As `keep_replies`, in one transaction with the others that arrive in this round of the loop"""

def unkeyed(words, key=None) -> str:
    """Words that hold no key, fit for UTF-8"""

def read_usage(answer, text) -> tuple:
    """The tokens that a completion reports, checked; its thoughts are written, and paid, like its words"""

def read_completion(answer) -> Reply:
    """A completion, checked"""

def read_billing(answer) -> dict:
    """What a completion says of the rates it is billed at"""

def retry_after(e):
    ...

def codes_of(*said) -> list:
    ...

def plain_words(said, hide=()) -> str:
    """An explanation that holds no key, for the error that ends a run"""

def read_failure(e) -> Failure:
    """Whom a failure belongs to"""

def shown_address(url) -> str:
    ...

def is_loopback(url) -> bool:
    ...

def on_own_network(url) -> bool:
    ...

async def until_answered(attempt, patience=None):
    """Repeat a call until it is answered, or raise `GaveUp`"""

def source_of(request) -> str:
    ...

def words_of(text) -> frozenset:
    ...

@contextmanager
def answers_up_to(size):
    """Let the calls inside have answers of this size"""

def openai_client(url, timeout, key='', headers=None, query=None):
    """The client through which every endpoint is asked"""

def read_answer_json(raw):
    """The JSON of an answer, or `Malformed`"""

def address(url, path) -> str:
    ...

async def post_json(client, url, body, headers=None, most=...):
    """Ask once"""

async def get_json(client, url, most=...):
    """Ask once for what costs nothing"""

@dataclass(frozen=True)
class Reply:
    """What a model replied to one request"""
    text: str = ...
    finish_reason: str = ...
    model: str = ...
    prompt_tokens: int = ...
    completion_tokens: int = ...
    refusal: str = ...
    error: str = ...
    cached_tokens: int = ...
    cache_write_tokens: int = ...
    service_tier: str = ...
    fingerprint: str = ...
    endpoint: str = ...
    cost: float = ...
    estimated: bool = ...
    logprobs: list = ...
    thoughts: str = ...
    reasoning_tokens: int = ...

class Interrupted(Exception):
    """Ctrl-C, as a run on the loop is told of it"""

class _Round:
    """Replies that arrive together"""
    context: Any
    kept: Any
    replies: dict[Any, Any]
    rewriter: Any
    where: Any

    def __init__(self, rewriter, where):
        ...

    def keep(self):
        ...

class Malformed(Exception):
    """A reply that is not a completion"""

class ErrorBody(Exception):
    """An error that came with the status 200"""
    body: Any
    code: Any
    status_code: Any

    def __init__(self, said):
        ...

@dataclass(frozen=True)
class Failure:
    """What a call came to that was not answered"""
    kind: str
    words: str
    status: int = ...
    wait: float = ...
    free: bool = ...
    said: str = ...

@dataclass
class Patience:
    """How long an answer is waited for"""
    seconds: float = ...
    retries: int = ...
    first: float = ...
    longest: float = ...
    rng: object = ...
    pauses: dict = ...
    taken: float = ...

    @property
    def left(self) -> float:
        ...

class GaveUp(Exception):
    """There is no answer, and no further attempt"""
    attempts: Any
    failure: Any

    def __init__(self, failure, attempts=1):
        ...

class Pairing:
    """Recent texts, and the words that only one of them has"""
    asked: Counter
    circles: Any
    most: Any
    numbered: Any
    owner: Any
    points: dict[Any, Any]
    texts: Any
    words: Any

    def __init__(self, most=512):
        ...

    def add(self, text):
        ...

    def answered(self, text, answer):
        ...

    @contextmanager
    def asking(self, text):
        ...

    def astray(self, text, answer):
        ...

    def circle(self, me) -> bool:
        ...
