"What editors see: the stubs, read by a type checker and by the completion of Jupyter."
import ast, importlib, inspect, json, subprocess, sys
from pathlib import Path
import jedi
import pytest
from conftest import ROOT
from structure import ORDER, modules

GENERATED = {m: p for m, p in modules().items() if p.name not in ("__init__.py", "__main__.py")}
FACES = ["rate_nb", *(f"rate_nb.{room}" for room in ORDER)]
STRICTNESS = dict(typeCheckingMode="standard", pythonVersion="3.11", extraPaths=[str(ROOT)],
                  reportIncompatibleMethodOverride=False, reportIncompatibleVariableOverride=False)


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    "[(file, severity, message)] of what basedpyright says of the files, all read in one go"
    folder = tmp_path_factory.mktemp("types")
    lines = [f"from {face} import {', '.join(importlib.import_module(face).__all__)}" for face in FACES]
    (folder / "faces.py").write_text("\n".join(lines))
    (folder / "revealed.py").write_text(
        "from rate_nb import Audit\n"
        "def of(audit: Audit):\n"
        "    reveal_type(audit.effects())\n"
        "    reveal_type(audit.effects().get('rate'))\n"
        "    reveal_type(audit.tables.scored)\n"
        "    reveal_type(audit.inputs.attribute)\n"
        "    reveal_type(Audit.from_config('audit.yaml'))\n")
    (folder / "wrong.py").write_text(
        "from rate_nb import Audit, Audits\n"
        "def of(audit: Audit):\n"
        "    audit.efects()\n"
        "    audit.effects().get(estimand='ATE')\n")
    files = [*map(str, folder.glob("*.py")), str(ROOT / "tests" / "user_code.py"),
             *map(str, (ROOT / "rate_nb").rglob("*.pyi"))]
    (folder / "pyrightconfig.json").write_text(json.dumps(STRICTNESS | dict(include=files)))
    done = subprocess.run([sys.executable, "-m", "basedpyright", "--project", folder, "--outputjson",
                           "--pythonpath", sys.executable], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout[-3000:] + done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] >= len(files)
    return [(Path(d["file"]).name, d["severity"], f"{d['range']['start']['line'] + 1}: {d['message']}")
            for d in found["generalDiagnostics"]]


def said(checked, severity, *files): return [(f, m) for f, s, m in checked if s == severity and f in files]


def test_user_code_has_no_error(checked):
    assert not said(checked, "error", "user_code.py", "faces.py", "revealed.py")


def test_stubs_have_no_error(checked):
    assert not [(f, m) for f, s, m in checked if s == "error" and f.endswith(".pyi")]


def test_types_are_revealed(checked):
    kinds = [m.split('" is "')[1].rstrip('"') for _, m in said(checked, "information", "revealed.py")]
    assert kinds == ["Effects", "AttributeEffect", "DataFrame | None", "Attribute", "Audit"]


def test_mistakes_are_seen(checked):
    lines = [m.split(":")[0] for _, m in said(checked, "error", "wrong.py")]
    assert lines == ["1", "3", "4"]


def public_methods(cls):
    return {name for name, part in vars(cls).items() if not name.startswith("_")
            and (inspect.isfunction(part) or isinstance(part, (property, classmethod)))}


@pytest.mark.parametrize("module", sorted(GENERATED))
def test_every_public_method_stands_in_its_class(module):
    "Whatever way it got there: methods that were patched on are in the class when all modules are loaded"
    for name in GENERATED:
        importlib.import_module(name)
    stub = ast.parse(GENERATED[module].with_suffix(".pyi").read_text(encoding="utf-8"))
    written = {n.name: {m.name for m in n.body if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef))}
               for n in stub.body if isinstance(n, ast.ClassDef)}
    for name, cls in vars(sys.modules[module]).items():
        if inspect.isclass(cls) and cls.__module__ == module and cls.__qualname__ in written:
            assert public_methods(cls) <= written[name], name
    ours = {n for n, c in vars(sys.modules[module]).items() if inspect.isclass(c) and c.__module__ == module}
    assert {n for n in ours if not n.startswith("_")} <= set(written)


def completed(code): return {c.name for c in jedi.Script(code, project=jedi.Project(ROOT)).complete()}


@pytest.mark.parametrize("face", FACES)
def test_jedi_completes_each_face(face):
    assert set(importlib.import_module(face).__all__) <= completed(f"from {face} import ")


@pytest.mark.parametrize("code, module, name", [
    ("from rate_nb import Audit\naudit = Audit()\naudit.", "rate_nb.audit.audit", "Audit"),
    ("from rate_nb import Audit\naudit = Audit()\neffects = audit.effects()\neffects.",
     "rate_nb.estimators.effects", "Effects"),
    ("from rate_nb import PromptLab\nlab = PromptLab()\nlab.", "rate_nb.widgets.prompt_lab", "PromptLab"),
    ("from rate_nb.base import Store\nstore = Store()\nstore.", "rate_nb.base.store", "Store"),
])
def test_jedi_completes_methods_that_were_patched_on(code, module, name):
    cls = getattr(importlib.import_module(module), name)
    methods = public_methods(cls)
    assert len(methods) > 3 and methods <= completed(code)
