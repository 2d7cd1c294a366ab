"""Write the stubs that editors and type checkers read: `python tests/stubs.py`.

Beside each module a `.pyi`, from the syntax trees alone: nothing is imported. Faces become ordinary imports,
and what fastcore's `@patch` adds to a class stands in the class.
"""
import ast, builtins, sys
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTE = "# Written by `make export` from the module beside it. Edit the notebook.\n"
# what annotations may name without an import at run time
WELL_KNOWN = """
import numpy as np
import pandas as pd
import re
import torch
from altair.typing import ChartType
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from markupsafe import Markup
from pathlib import Path
from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerBase
from typing import Any, Literal
"""
FUNCTION = ast.FunctionDef, ast.AsyncFunctionDef
# the decorators that change how a name is used; others are left out
DECORATORS = {"property", "cached_property", "classmethod", "staticmethod", "contextmanager",
              "asynccontextmanager", "dataclass"}
PATCHED = {"as_prop": "property", "cls_method": "classmethod"}


def parsed(text): return ast.parse(text, mode="eval").body
def public(name): return not name.startswith("_") or name.startswith("__") and name.endswith("__")
def decorator(node): return getattr(node.func if isinstance(node, ast.Call) else node, "id", "")
def patch_of(node): return next((d for d in node.decorator_list if decorator(d) == "patch"), None)


# ---- types

class Unquoted(ast.NodeTransformer):
    "An annotation without quotes, and without what `Annotated` adds for pydantic"
    def visit_Constant(self, node): return parsed(node.value) if isinstance(node.value, str) else node
    def visit_Call(self, node): return parsed("Any") # a type that is made when the module is imported

    def visit_Subscript(self, node):
        kind = ast.unparse(node.value)
        if kind == "Annotated":
            return self.visit(node.slice.elts[0])
        return node if kind == "Literal" else self.generic_visit(node)


def unquoted(annotation): return annotation and Unquoted().visit(annotation)


def type_of(value):
    "The type of a plain literal or of a new object, and Any for everything else"
    def common(values):
        kinds = set(map(type_of, values))
        return kinds.pop() if len(kinds) == 1 else "Any"
    match value:
        case ast.Constant(value=v) if v is not None:
            return type(v).__name__
        case ast.UnaryOp(operand=operand):
            return type_of(operand)
        case ast.List(elts=parts):
            return f"list[{common(parts)}]"
        case ast.Tuple(elts=parts):
            return f"tuple[{common(parts)}, ...]"
        case ast.Dict(keys=keys, values=values):
            return f"dict[{common(keys)}, {common(values)}]"
        case ast.Call(func=ast.Name(id="dict")):
            return "dict[str, Any]"
        case ast.Call(func=ast.Name(id=name)) if name[0].isupper() and not name.isupper():
            return name
    return "Any"


def assigned(nodes):
    "(target, value) of every assignment; one without its own value in `a, b = f()` has None"
    for node in nodes:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [None]*len(parts)
            yield from zip(parts, values) if isinstance(target, ast.Tuple) else [(target, node.value)]


def attributes(methods):
    "{name: type} of what methods write to self: as annotated, or the type of an argument, or of a literal"
    found, annotated = {}, {}
    for method in methods:
        nodes = list(ast.walk(method))
        kinds = {a.arg: a.annotation for a in (*method.args.args, *method.args.kwonlyargs) if a.annotation}
        for n in nodes: # an argument that gets another value may get another type
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                kinds.pop(n.id, None)
            if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Attribute) and public(n.target.attr):
                annotated[n.target.attr] = ast.unparse(unquoted(n.annotation))
        for target, value in assigned(nodes):
            match target:
                case ast.Attribute(value=ast.Name(id="self"), attr=name) if public(name):
                    given = kinds.get(getattr(value, "id", ""))
                    kind = ast.unparse(unquoted(given)) if given else type_of(value)
                    found.setdefault(name, set()).add(kind)
    return {name: kinds.pop() if len(kinds) == 1 else "Any" for name, kinds in found.items()} | annotated


# ---- statements of a stub

def name_of(node): # what a statement, or the target of an assignment, brings; "_" for everything else
    return getattr(node, "name", "") or getattr(getattr(node, "target", node), "id", "_")


def documented(node, body=()): # the first line of the docstring, then these statements
    doc = ast.get_docstring(node)
    first = [ast.Expr(ast.Constant(doc.splitlines()[0]))] if doc else []
    return [*first, *body] or [ast.Expr(parsed("..."))]


def shown(default): # a default that is short and plain; an ellipsis for others
    plain = ast.Constant, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load
    short = len(ast.unparse(default)) <= 30 and all(isinstance(n, plain) for n in ast.walk(default))
    return default if short else parsed("...")


def signature(function):
    "A function without its inside; a patched one becomes the method that it is"
    if "asynccontextmanager" in map(decorator, function.decorator_list): # called like any other function
        function = ast.FunctionDef(**vars(function))
    patch, spec = patch_of(function), function.args
    for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
        if a:
            a.annotation = unquoted(a.annotation)
    spec.defaults = [shown(d) for d in spec.defaults]
    spec.kw_defaults = [d and shown(d) for d in spec.kw_defaults]
    function.returns, function.body = unquoted(function.returns), documented(function)
    function.decorator_list = [d for d in function.decorator_list if decorator(d) in DECORATORS]
    if patch:
        spec.args[0].annotation = None
        function.decorator_list += [parsed(PATCHED[k.arg]) for k in getattr(patch, "keywords", ())]
    return function


def variable(name, kind, default=None):
    return ast.AnnAssign(ast.Name(name, ast.Store()), kind, default, 1)


def field(node): # of a dataclass or a model
    hidden = isinstance(node.value, ast.Call) and any(k.arg == "init" for k in node.value.keywords)
    default = "field(init=False)" if hidden else "..."
    return variable(name_of(node), unquoted(node.annotation), node.value and parsed(default))


def class_stub(node):
    "A class with its fields, the other names that it holds, and its methods"
    methods = [n for n in node.body if isinstance(n, FUNCTION)]
    fields = [n for n in node.body if isinstance(n, ast.AnnAssign) and public(name_of(n))]
    values = {name_of(t): type_of(v) for t, v in assigned(node.body) if public(name_of(t))}
    others = attributes(methods) | values
    others = {name: others[name] for name in others.keys() - set(map(name_of, [*methods, *fields]))}
    node.decorator_list = [d for d in node.decorator_list if decorator(d) in DECORATORS]
    default = parsed("field(init=False)") if node.decorator_list else None # in a dataclass it is no argument
    # before Python 3.12 a path is subclassed as type(Path())
    node.bases = [b.args[0].func if isinstance(b, ast.Call) else b for b in node.bases]
    rest = [variable(name, parsed(kind), default) for name, kind in sorted(others.items())]
    methods = [signature(f) for f in methods if public(f.name)]
    node.body = documented(node, [*map(field, fields), *rest, *methods])
    return node


def value_stub(name, value):
    "What a module assigns: a variable, or an alias where it is a type"
    annotated = isinstance(value, ast.Subscript) and ast.unparse(value.value) == "Annotated"
    if annotated or name[0].isupper() and not name.isupper() and type_of(value) == "Any":
        kind = unquoted(value) if annotated else parsed("Any")
        return ast.Assign([ast.Name(name, ast.Store())], kind, lineno=0)
    return variable(name, parsed(type_of(value)))


# ---- modules

def imported(body, package=""):
    "{name: the statement that imports it}, with whole names for relative modules"
    found = {}
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            relative = "."*getattr(node, "level", 0) + (getattr(node, "module", "") or "")
            home = f"from {resolve_name(relative, package)} " if relative else ""
            found |= {a.asname or a.name: f"{home}import {ast.unparse(a)}" for a in node.names}
    return found


KNOWN = imported(ast.parse(WELL_KNOWN).body)


class Module:
    "A module: its tree, and where its names come from"
    def __init__(self, name, path):
        self.name, self.path, self.tree = name, path, ast.parse(path.read_text(encoding="utf-8"))
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        self.imports = imported(self.tree.body, package)
        self.classes = {n.name: n for n in self.tree.body if isinstance(n, ast.ClassDef)}
        values = {name_of(t): v for t, v in assigned(self.tree.body)}
        self.values = {name: v for name, v in values.items() if public(name) and name != "__all__"}
        self.functions = [n for n in self.tree.body if isinstance(n, FUNCTION) and not patch_of(n)]
        self.patches = [n for n in self.tree.body if isinstance(n, FUNCTION) and patch_of(n)]

    def origin(self, name, modules):
        "The statement that imports what this module calls by this name"
        homes = [m.name for m in modules if name in m.classes]
        if name in self.classes or name in self.values:
            homes = [self.name]
        elif name in self.imports or name in KNOWN:
            return self.imports.get(name) or KNOWN[name]
        if len(homes) != 1:
            sys.exit(f"{self.path}: an annotation names {name!r}, which is neither imported there nor one "
                     f"class of this package; if everyone knows it, add it to WELL_KNOWN in {__file__}")
        return f"from {homes[0]} import {name}"


def names_in(part):
    names = {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)}
    return names - set(vars(builtins))


def patches(modules):
    "{statement that imports a class: [(method, the module that adds it)]}"
    found = {}
    for module in modules:
        for function in module.patches:
            for name in names_in(function.args.args[0].annotation):
                found.setdefault(module.origin(name, modules), []).append((function, module))
    return {home: [(signature(f), m) for f, m in added if public(f.name)] for home, added in found.items()}


def module_stub(module, modules, patched):
    "Values, functions and classes of a module, and the imports that their types need"
    body, uses = [], {}
    def add(part, source):
        for name in names_in(part):
            if uses.setdefault(name, origin := source.origin(name, modules)) != origin:
                sys.exit(f"{module.path}: in its stub {name} means two things: {uses[name]}, {origin}")
        return part
    body += [add(value_stub(name, value), module) for name, value in module.values.items()]
    body += [add(signature(f), module) for f in module.functions if public(f.name)]
    for name, node in module.classes.items():
        body.append(add(class_stub(node), module))
        for method, source in patched.get(f"from {module.name} import {name}", []):
            node.body = [n for n in node.body if name_of(n) != method.name] + [add(method, source)]
    imports = {s for name, s in uses.items() if s != f"from {module.name} import {name}"}
    return [*ast.parse("\n".join(sorted(imports))).body, *body]


def face_stub(module):
    "The lazy table of a face as imports"
    table = next(ast.literal_eval(n) for n in ast.walk(module.tree) if isinstance(n, ast.Dict))
    lines = ["__version__: str"]*("__version__" in module.values)
    lines += [f"from {home} import {name} as {name}" for home, names in table.items() for name in names]
    return ast.parse("\n".join([*lines, f"__all__ = {sorted(sum(table.values(), []))}"])).body


def write_stubs(root):
    "A stub beside every module of the package in this folder"
    paths = [p for p in (root / "rate_nb").rglob("*.py") if p.name not in ("_modidx.py", "__main__.py")]
    dotted = lambda p: ".".join(p.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    modules = [Module(dotted(p), p) for p in sorted(paths)]
    patched, stubs = patches(modules), {}
    for module in modules:
        face = "lazy" in module.imports
        body = face_stub(module) if face else module_stub(module, modules, patched)
        stub = ast.Module(documented(module.tree, body), [])
        stubs[module.path.with_suffix(".pyi")] = NOTE + ast.unparse(stub) + "\n"
    for stale in {*(root / "rate_nb").rglob("*.pyi")} - {*stubs}:
        stale.unlink()
    for path, text in stubs.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_stubs(ROOT)
