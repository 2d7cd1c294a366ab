# Written by `make export` from the module beside it. Edit the notebook.
"""How does one signature serve Python, configuration files, flags and help?"""
from collections.abc import Callable
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
Positive = int
Natural = int
Fraction = float
NotNegative = float
AboveZero = float
Model = str
FilePath = str
Function = Any
Url = str
Variables = str | list[str]
PythonOnly: InFile
KINDS: dict[Any, Any]
GROUPS: tuple[str, ...]

def remembers(make: Callable) -> Callable:
    """Let what is made remember its arguments"""

def maker_name(make: Callable) -> str:
    ...

def takes_options_of(other: Callable, but: Iterable[str]=(), further: bool=True) -> Callable[[Callable], Callable]:
    """Let `**kwargs` stand for the options of another signature"""

def option_kind(group: str, name: str, loads: bool=False) -> Callable[[Callable], Callable]:
    """Let a file name what this makes"""

@dataclass(frozen=True)
class Is:
    """What a text must name"""
    what: str

@dataclass(frozen=True)
class InFile:
    """What a file holds in place of an object of Python"""
    type: object

@dataclass(frozen=True)
class Kind:
    """What one kind of section makes"""
    group: str
    name: str
    make: object
    loads: bool
