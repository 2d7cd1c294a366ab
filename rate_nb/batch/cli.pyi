# Written by `make export` from the module beside it. Edit the notebook.
"""What do I type for a batch run, and what does the exit code mean?"""
from typing import Any
import argparse

def several_attributes(value: Any) -> list:
    """The attributes of one command"""

def main(argv: list[str] | None=None) -> int:
    """The `rate_nb` command"""

class _Parser(argparse.ArgumentParser):
    """Help on one screen, and errors that suggest what was probably meant"""
    has_specification: bool
    show_all: bool

    def format_help(self):
        ...

    def commands(self):
        ...

    def parse_args(self, args=None, namespace=None):
        ...

    def format_usage(self):
        ...

    def error(self, message):
        ...

class _Tee:
    always: Any
    at_line_start: Any
    log: Any
    shown: Any
    stream: Any

    def __init__(self, stream, log=None, shown=True):
        ...

    def write(self, text):
        ...

    def flush(self):
        ...

    def isatty(self):
        ...

    def __getattr__(self, name):
        ...

class _HelpAll(argparse.Action):

    def __call__(self, parser, *given):
        ...
