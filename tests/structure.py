"What the structural tests read: rooms, modules, their imports and the names that they bring."
import ast, importlib.util, json, re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE, NBS = ROOT / "rate_nb", ROOT / "nbs"
ROOMS = re.findall(r"^\| `(\w+)` \| (.+) \|$", (ROOT / "docs" / "rooms.md").read_text(encoding="utf-8"), re.M)
ORDER = {room: i for i, (room, _) in enumerate(ROOMS, 1)}


def cells(notebook): return json.loads(notebook.read_text(encoding="utf-8"))["cells"]
def source(cell): return "".join(cell["source"])


def code_of(notebook):
    "The code cells of a notebook as one Python text; lines for the shell or the kernel are left out"
    codes = [source(c) for c in cells(notebook) if c["cell_type"] == "code"]
    return "\n".join(re.sub(r"(?m)^\s*(%|!(?!=)).*$", "", code) for code in codes)


def notebooks(folder): return sorted(p for p in (NBS / folder).glob("*.ipynb"))
def room_folder(room): return f"{ORDER[room]:02d}_{room}"


def exports(notebook):
    "(module that the notebook begins, set of modules that its cells fill)"
    begins, fills = None, set()
    for cell in cells(notebook):
        if cell["cell_type"] != "code":
            continue
        if found := re.search(r"^#\|\s*default_exp\s+(\S+)", source(cell), re.M):
            begins = found[1]
        if found := re.match(r"#\|\s*exporti?\b[ ]*(\S*)", source(cell)):
            fills.add(found[1] or begins)
    return begins, fills


def modules():
    "Dotted name → path of every module, faces and `__main__` included"
    paths = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "_modidx.py")
    dotted = lambda p: ".".join(p.relative_to(ROOT).with_suffix("").parts)
    return {dotted(p).removesuffix(".__init__"): p for p in paths}


def imports(name, path):
    "Modules of this package that a module imports, at its top or inside a function"
    package, known, out = name if path.name == "__init__.py" else name.rpartition(".")[0], modules(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            out |= {a.name for a in node.names if a.name.startswith("rate_nb")}
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[:len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            if origin.startswith("rate_nb"):
                out |= {_home(origin, a.name, known) for a in node.names}
    return out


def _home(origin, name, known):
    "The module that `from origin import name` loads; through a face, the one that holds the name"
    if f"{origin}.{name}" in known:
        return f"{origin}.{name}"
    shown = getattr(importlib.import_module(origin), "_HOME",
                    {}) if known[origin].name == "__init__.py" else {}
    module = next((m for m, names in shown.items() if name in names), None)
    return importlib.util.resolve_name(module, origin) if module else origin


def room_of(module): return module.split(".")[1] if module.count(".") else None


def imported_names(code):
    "(module, name) of every `from rate_nb… import …` of a text"
    nodes = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.ImportFrom)]
    return {(n.module, a.name) for n in nodes if (n.module or "").startswith("rate_nb") for a in n.names}
