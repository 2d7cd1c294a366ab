# Written by `make export` from the module beside it. Edit the notebook.
"""How can I ask a language model one short question ten thousand times, and have every reply parsed strictly, paid for once and stored?"""
from collections.abc import Callable
from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.llm.calls import Reply
from typing import Any
ASKED: int
UNREADABLE: int

def fenced(parts: dict[str, str]) -> str:
    """Texts as material, delimited by tags that none of them contains"""

def one_of(choices: dict | Iterable, after: str | None=None) -> Callable[[str], Any]:
    """A parser that accepts one of a few answers, and nothing else"""

def as_endpoint(endpoint: Any) -> Any:
    """An endpoint from whatever answers"""

def read_answer(reply: Reply, parse: Callable[[str], Any], allow_cut: bool=False, cached: bool=False) -> Answer:
    """Read one reply"""

def ask_many(endpoint: Any, conversations: Iterable[list], *, parse: Callable[[str], Any], store: Store | str | Path | None=None, draws: Iterable[int] | None=None, fields: dict | None=None, allow_cut: bool=False, label: str='Asking') -> list:
    """Ask every question once, whatever happens on the way"""

def due_now(endpoint: Any, store: Store | None, questions: list[Question], status_of: Callable[[Reply], str]) -> tuple[list[str], list[Question], dict[str, Reply]]:
    """Ask questions whose stored reply could not be read again, as further draws"""

def choice_probabilities(answer: Answer, choices: Iterable, after: str | None=None) -> dict | None:
    """The probability of each choice at the token that decides"""

@dataclass(frozen=True)
class Question:
    """One conversation, as an engine takes it"""
    conversation: tuple
    draw: int = ...
    fields: dict | None = ...
    prompt: str = field(init=False)
    show_prompt: bool = field(init=False)
    target: int = field(init=False)
    text: str = field(init=False)

    @property
    def instruction(self) -> Question:
        ...

    @property
    def id(self) -> str:
        ...

    def messages(self, *request: Any) -> list[dict]:
        ...

@dataclass
class FunctionEndpoint:
    """A Python function in the place of an endpoint"""
    function: object
    name: str | None = ...
    store: object = ...
    calls: int = field(init=False)

    def __post_init__(self):
        ...

    @property
    def settings(self) -> dict:
        ...

    def rewrite(self, question: Question) -> Reply:
        ...

@dataclass(frozen=True)
class Answer:
    """One reply, read"""
    value: object
    status: str
    raw: str | None = ...
    finish_reason: str | None = ...
    model: str | None = ...
    prompt_tokens: int = ...
    completion_tokens: int = ...
    logprobs: list | None = ...
    cached: bool = ...
    error: str | None = ...
    thoughts: str | None = ...
