# Written by `make export` from the module beside it. Edit the notebook.
"""What does every call of a language model have in common, wherever the model runs?"""
from collections import Counter
from collections.abc import Awaitable
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from rate_nb.base.store import Store
from rate_nb.llm.chat import Question
from rate_nb.rewriting.instructions import RewriteRequest
from typing import Any
import asyncio
REFUSAL_LANGUAGES: tuple[Any, ...]
MOST_TOKENS: int
LONGEST_WAIT: float
MOST_BYTES: int
FIRST_SECONDS: float

def split_thoughts(text: str, inside: bool=False) -> tuple:
    """What a reply says, and what its model thought before"""

def opens_thought(text: str) -> bool:
    ...

def without_thoughts(reply: Reply) -> Reply:
    ...

def said_logprobs(logprobs: list | None, text: str) -> list | None:
    ...

def revised(key: str, revision: str | None) -> str:
    """The key of the same request to a named revision of the model"""

def request_key(rewriter: Any, request: RewriteRequest | Question) -> str:
    """The store's key for one reply"""

def stored_reply(rewriter: Any, key: str) -> Reply | None:
    ...

def keep_replies(rewriter: Any, replies: dict[str, Reply]) -> dict:
    """Store replies; failures are not kept, so they are tried again next time"""

async def ask_once(rewriter: Any, key: str, request: RewriteRequest | Question) -> tuple:
    """The reply to a request, from the store, from a caller who is asking just now, or from the model"""

def ask_once_here(rewriter: Any, key: str, request: RewriteRequest | Question) -> tuple:
    """As `ask_once`, in the caller's thread"""

def background_loop() -> asyncio.AbstractEventLoop:
    """The one event loop on which engines run"""

def run_async(coroutine: Awaitable, tick: Callable[[], Any]=...) -> Any:
    """Run a coroutine on the background loop, from anywhere"""

async def until_done(workers: Collection[asyncio.Task], wrong: list, rewriter: Any) -> None:
    """Wait for workers; once something is wrong, only for the calls under way"""

def looks_refused(text: str) -> bool:
    """Does a reply decline?"""

def keep_arrived(store: Store | None) -> None:
    ...

async def keep_together(rewriter: Any, key: str, reply: Reply) -> Reply:
    """As `keep_replies`, in one transaction with the others that arrive in this round of the loop"""

def unkeyed(words: str, key: str | None=None) -> str:
    """Words that hold no key, fit for UTF-8"""

def is_page(said: Any) -> bool:
    """Is it HTML?"""

def read_usage(answer: dict, text: str) -> tuple:
    """The tokens that a completion reports, checked; its thoughts are written, and paid, like its words"""

def read_completion(answer: Any) -> Reply:
    """A completion, checked"""

def read_billing(answer: Any) -> dict:
    """What a completion says of the rates it is billed at"""

def retry_after(e: Any) -> float | None:
    ...

def codes_of(*said: Any) -> list:
    ...

def plain_words(said: str, hide: Iterable[str]=()) -> str:
    """An explanation that holds no key, for the error that ends a run"""

def read_failure(e: Any) -> Failure:
    """Whom a failure belongs to"""

def shown_address(url: str | None) -> str:
    ...

def is_loopback(url: str | None) -> bool:
    ...

def on_own_network(url: str | None) -> bool:
    ...

def bad_address(url: Any) -> str:
    """Can requests be sent there?"""

def check_address(name: str, url: str | None) -> None:
    """Refuse what is no address before anything is sent"""

def wait_words(until: float) -> str:
    """How long the endpoint lets us wait"""

def too_long(failure: Failure, patience: float) -> bool:
    """Does a limit stand for longer than we wait?"""

async def until_answered(attempt: Callable[[], Awaitable], patience: Patience | None=None) -> Any:
    """Repeat a call until it is answered, or raise `GaveUp`"""

def source_of(request: RewriteRequest | Question) -> str:
    ...

def words_of(text: str | None) -> frozenset:
    ...

@contextmanager
def answers_up_to(size: float) -> Iterator[None]:
    """Let the calls inside have answers of this size"""

def openai_client(url: str | None, timeout: float, key: str='', headers: dict | None=None, query: dict | None=None) -> Any:
    """The client that sends the requests to every endpoint"""

def read_answer_json(raw: bytes | str) -> Any:
    """The JSON of an answer, or `Malformed`"""

def address(url: str | None, path: str) -> str:
    ...

async def post_json(client: Any, url: str, body: Any, headers: dict | None=None, max_bytes: int=...) -> Any:
    """Ask once"""

async def get_json(client: Any, url: str, max_bytes: int=...) -> Any:
    """Ask once for what costs nothing"""

@dataclass(frozen=True)
class Reply:
    """What a model replied to one request"""
    text: str | None = ...
    finish_reason: str | None = ...
    model: str | None = ...
    prompt_tokens: int = ...
    completion_tokens: int = ...
    refusal: str | None = ...
    error: str | None = ...
    cached_tokens: int | None = ...
    cache_write_tokens: int | None = ...
    service_tier: str | None = ...
    fingerprint: str | None = ...
    endpoint: str | None = ...
    cost: float | None = ...
    estimated: bool = ...
    logprobs: list | None = ...
    thoughts: str | None = ...
    reasoning_tokens: int | None = ...

class Interrupted(Exception):
    """Ctrl-C, as a run on the loop receives it"""

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
    body: Any

    def __init__(self, why: str, answer: Any=None):
        ...

class WebPage(Malformed):
    """A web page in place of an answer"""

    def __init__(self, what: str='a web page, not JSON'):
        ...

class NoCompletion(WebPage):
    """JSON in place of a completion"""

    def __init__(self):
        ...

class ErrorBody(Exception):
    """An error that came with the status 200"""
    body: Any
    code: Any
    status_code: Any

    def __init__(self, said: Any):
        ...

@dataclass(frozen=True)
class Failure:
    """What a call came to that was not answered"""
    kind: str
    words: str
    status: int | None = ...
    wait: float | None = ...
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
    attempts: int
    failure: Failure

    def __init__(self, failure: Failure, attempts: int=1):
        ...

class Pairing:
    """Recent texts, and the words that only one of them has"""
    asked: Counter
    circles: Any
    most: int
    numbered: Any
    owner: Any
    points: dict[Any, Any]
    texts: Any
    words: Any

    def __init__(self, most: int=512):
        ...

    def add(self, text: str) -> None:
        ...

    def answered(self, text: str, answer: str) -> None:
        ...

    @contextmanager
    def asking(self, text: str) -> Iterator[None]:
        ...

    def astray(self, text: str, answer: str) -> tuple[int, bool] | None:
        ...

    def circle(self, me: int) -> bool:
        ...
