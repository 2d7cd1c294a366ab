# Written by `make export` from the module beside it. Edit the notebook.
"""How does a room list everything it offers without importing anything, and say what each argument means?"""

def lazy(package, home) -> tuple:
    """A package that imports a module when one of its names is first used"""

def arguments_of(function) -> tuple:
    """What the comments beside a signature say"""

def fields_of(cls) -> tuple:
    """What the comments beside the fields say"""

def numpydoc(summary, arguments, result) -> str:
    """A docstring with its arguments and its result"""

def explained(value):
    """The same object, with its docstring and those of its public methods rendered"""
