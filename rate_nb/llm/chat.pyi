# Written by `make export` from the module beside it. Edit the notebook.
"""How is one short question put to a language model ten thousand times, and every reply read strictly, paid once and kept?"""
from dataclasses import dataclass
from dataclasses import field
from rate_nb.llm.calls import Reply

def fenced(parts) -> str:
    """Texts as material, delimited by tags that none of them contains"""

def one_of(choices, after=None):
    """A parser that accepts one of a few answers, and nothing else"""

def as_endpoint(endpoint):
    """An endpoint from whatever answers"""

def read_answer(reply, parse, allow_cut=False, cached=False) -> Answer:
    """Read one reply"""

def ask_many(endpoint, conversations, *, parse, store=None, draws=None, allow_cut=False, label='Asking') -> list:
    """Ask every question once, whatever happens on the way"""

def choice_probabilities(answer, choices, after=None) -> dict:
    """The probability of each choice at the token that decides"""

@dataclass(frozen=True)
class Question:
    """One conversation, as an engine takes it"""
    conversation: tuple
    draw: int = ...
    prompt: str = field(init=False)
    show_prompt: bool = field(init=False)
    target: int = field(init=False)
    text: str = field(init=False)

    @property
    def instruction(self):
        ...

    @property
    def id(self) -> str:
        ...

    def messages(self, *request):
        ...

@dataclass
class FunctionEndpoint:
    """A Python function in the place of an endpoint"""
    function: object
    name: str = ...
    store: object = ...
    calls: int = field(init=False)

    def __post_init__(self):
        ...

    @property
    def settings(self):
        ...

    def rewrite(self, question) -> Reply:
        ...

@dataclass(frozen=True)
class Answer:
    """One reply, read"""
    value: object
    status: str
    raw: str = ...
    finish_reason: str = ...
    model: str = ...
    prompt_tokens: int = ...
    completion_tokens: int = ...
    logprobs: list = ...
    cached: bool = ...
    error: str = ...
    thoughts: str = ...
