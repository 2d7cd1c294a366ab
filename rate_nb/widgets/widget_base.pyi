# Written by `make export` from the module beside it. Edit the notebook.
"""What does every widget here share, so that it can be stopped, works by keyboard, is legible in the dark theme, and never swallows an error?"""
from dataclasses import dataclass
from typing import Any
CSS: str
SHIELD: str
MOVING: str

def kit():
    """The widget library, or how to get it"""

def framed(*rows):
    """Rows in the common look, behind the shield"""

def row(*widgets):
    ...

def words(text=''):
    ...

def filled_state(state, defaults, choices=..., ranges=...) -> dict:
    """A state with every name, each value one that can be shown"""

def charted(**parts) -> dict:
    """The common look of moving charts: the colours of the page"""

class Lab:
    """What a lab has: a place for errors, and the last one"""
    error: Any
    trouble: Any

    def __init__(self):
        ...

    def say(self, e):
        ...

    def guard(self, handler):
        ...

class Job:
    """One piece of work at a time on the background loop"""
    ended: Any
    future: Any

    def __init__(self, ended):
        ...

    @property
    def running(self) -> bool:
        ...

    def start(self, coroutine):
        """Start, unless something is running"""

    def stop(self):
        """Ask it to end; it does so at its next pause"""

    def wait(self, seconds=60.0):
        """Wait until it has ended"""

class Latest:
    """Compute the newest request, show every result"""
    ended: Any
    work: Any

    def __init__(self, work, ended):
        ...

    @property
    def waiting(self) -> bool:
        ...

    def ask(self, request):
        """Compute this, unless something newer comes before it is begun"""

    def wait(self, seconds=None):
        ...

@dataclass(frozen=True)
class Picture:
    """A chart in two parts: what stays and what moves"""
    spec: dict
    data: dict
    title: str
    description: str

    def columns(self) -> dict:
        ...

    def to_dict(self) -> dict:
        ...

class MovingLab(Lab):
    """A lab whose dials move a chart"""
    chart: Any
    frame: dict[str, Any]
    numbers: Any
    picture: Any
    place: Any
    result: Any
    status: Any

    def __init__(self, compute):
        ...

    @property
    def state(self) -> dict:
        ...

    def set(self, state):
        """Change several settings at once"""

    @property
    def box(self):
        ...

    def wait(self, seconds=None):
        """Wait for what was asked last, in a script"""
