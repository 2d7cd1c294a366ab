"Loads the package that a file of this folder stands before."
import os, sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

kernels = None # what starts a kernel for papermill in this process; None: what does so for everybody
HERE = os.path.dirname(os.path.abspath(__file__))


def found(name):
    "Where the real package is; None: it is not installed"
    return PathFinder.find_spec(name, [p for p in sys.path if os.path.abspath(p or ".") != HERE])


def load(name):
    "The real package, in its place; what imports it gets it, and not the file here"
    if (spec := found(name)) is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
