# Written by `make export` from the module beside it. Edit the notebook.
"""What do all widgets need in common to be stoppable, usable by keyboard, legible in the dark theme, and never to hide an error?"""
from collections.abc import Callable
from collections.abc import Coroutine
from dataclasses import dataclass
from markupsafe import Markup
from typing import Any

def front_end(name: str) -> str:
    ...

def kit() -> Any:
    """The widget library, or how to get it"""

def framed(*rows: Any) -> Any:
    """Rows in the common look, behind the shield"""

def row(*widgets: Any) -> Any:
    ...

def words(text: str='') -> Any:
    ...

def line(text: str, tag: str='div', look: str='rate-note', role: str='') -> Markup:
    """A line of a lab"""

def heading(text: str) -> Markup:
    ...

def note(text: str) -> Markup:
    ...

def filled_state(state: dict | None, defaults: dict, choices: dict=..., ranges: dict=...) -> dict:
    """A state with every name, each value one that can be shown"""

def charted(**parts: Any) -> dict:
    """The common look of moving charts: the colours of the page"""

class Lab:
    """What a lab has: a place for errors, and the last one"""
    error: Any
    trouble: Any

    def __init__(self):
        ...

    def say(self, e: Exception | None) -> None:
        ...

    def guard(self, handler: Callable) -> Callable:
        ...

class Job:
    """One piece of work at a time on the background loop"""
    ended: Callable
    future: Any

    def __init__(self, ended: Callable):
        ...

    @property
    def running(self) -> bool:
        ...

    def start(self, coroutine: Coroutine) -> None:
        """Start, unless something is running"""

    def stop(self) -> None:
        """Ask it to end; it does so at its next pause"""

    def wait(self, seconds: float=60.0) -> None:
        """Wait until it has ended"""

class Latest:
    """Compute the newest request, show every result"""
    ended: Callable
    work: Callable

    def __init__(self, work: Callable, ended: Callable):
        ...

    @property
    def waiting(self) -> bool:
        ...

    def ask(self, request: Any) -> None:
        """Compute this, unless something newer comes before it is begun"""

    def wait(self, seconds: float | None=None) -> None:
        ...

@dataclass(frozen=True)
class Picture:
    """A chart, its rows and its finding"""
    spec: dict
    data: dict
    title: str
    description: str

    def in_page(self) -> dict:
        ...

    def to_dict(self) -> dict:
        ...

class MovingLab(Lab):
    """A lab whose dials move a chart"""
    chart: Any
    finding: Any
    numbers: Any
    picture: Any
    place: Any
    result: Any
    status: Any

    def __init__(self, compute: Callable[[dict], tuple]):
        ...

    @property
    def state(self) -> dict:
        ...

    def set(self, state: dict) -> None:
        """Change several settings at once"""

    @property
    def box(self) -> Any:
        ...

    def wait(self, seconds: float | None=None) -> MovingLab:
        """Wait for the last request, in a script"""
