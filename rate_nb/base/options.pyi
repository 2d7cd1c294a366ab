# Written by `make export` from the module beside it. Edit the notebook.
"""How does one signature serve Python, configuration files, flags and help?"""
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

def remembers(make):
    """Let what is made remember its arguments"""

def maker_name(make) -> str:
    ...

def takes_options_of(other, but=(), further=True):
    """Let `**kwargs` stand for the options of another signature"""

def option_kind(group, name, loads=False):
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
