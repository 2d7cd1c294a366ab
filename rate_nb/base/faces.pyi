# Written by `make export` from the module beside it. Edit the notebook.
"""How does a room list its public names without importing anything, and explain each argument?"""
from collections.abc import Callable
from typing import Any

def lazy(package: str, home: dict[str, list[str]]) -> tuple:
    """A package that imports a module when one of its names is first used"""

def arguments_of(function: Callable) -> tuple:
    """What the comments beside a signature say"""

def fields_of(cls: type) -> tuple:
    """What the comments beside the fields say"""

def numpydoc(summary: str | None, arguments: dict, result: tuple[str, str]) -> str:
    """A docstring with its arguments and its result"""

def explained(value: Any) -> Any:
    """The same object, with its docstring and those of its public methods rendered"""
