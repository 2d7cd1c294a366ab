"The house is as its plan says: rooms, arrows that run downwards, faces, and names that mean one thing."
import importlib, json, re, subprocess, sys
from collections import Counter
import pytest
from structure import (
    NBS, ORDER, PACKAGE, ROOMS, ROOT, cells, code_of, exports, imported_names, imports, modules, notebooks,
    room_folder, room_of)

MODULES = modules()
USES = {name: imports(name, path) for name, path in MODULES.items()}
GENERATED = {name: path for name, path in MODULES.items() if path.name not in ("__init__.py", "__main__.py")}
OUTSIDE = [*notebooks("lessons"), *notebooks("runs"), *notebooks("labs"), NBS / "index.ipynb",
           NBS / "papers.ipynb"]
DRY_RUN = "rate_nb.rewriting.sandbox"       # the dry-run endpoint really rewrites, by the simulator's rules
# views that a person opens on finished tables; they simulate only where they are given none
LABS = {"rate_nb.widgets.labs"}


def face(room): return importlib.import_module(f"rate_nb.{room}")


def test_the_list_of_rooms_is_the_folders_and_the_packages():
    numbered = sorted(p.name for p in NBS.iterdir() if re.match(r"\d", p.name))
    assert numbered == [room_folder(room) for room, _ in ROOMS]
    assert sorted(ORDER) == sorted(p.name for p in PACKAGE.iterdir() if (p / "__init__.py").exists())
    assert {p.stem for p in NBS.glob("*.ipynb")} == {"index", "papers", "glossary"}


@pytest.mark.parametrize("room", ORDER)
def test_a_notebook_fills_modules_of_its_own_room(room):
    begun = set()
    for notebook in notebooks(room_folder(room)):
        begins, fills = exports(notebook)
        assert begins not in begun, f"{notebook.name}: {begins} was begun before and would be overwritten"
        begun |= {begins} - {None}
        for module in fills:
            assert module == "__main__" or module.split(".")[0] == room, f"{notebook.name} fills {module}"
            assert module in begun, f"{notebook.name} adds to {module} before a notebook began it"


def test_rooms_import_from_earlier_rooms_only():
    up = {(m, u) for m, uses in USES.items() for u in uses
          if room_of(m) in ORDER and room_of(u) in ORDER and ORDER[room_of(u)] > ORDER[room_of(m)]
          and m in GENERATED}
    assert not up


def test_modules_of_a_room_import_from_earlier_notebooks_only():
    places = {}
    for room in ORDER:
        for place, notebook in enumerate(notebooks(room_folder(room))):
            begins, _ = exports(notebook)
            if begins:
                places[f"rate_nb.{begins}"] = place
    late = {(m, u) for m, uses in USES.items() for u in uses
            if m in places and u in places and room_of(m) == room_of(u) and places[u] >= places[m]}
    assert not late


def test_there_is_no_circle():
    seen, path = set(), []
    def walk(module):
        assert module not in path, f"circle: {' → '.join([*path[path.index(module):], module])}"
        if module in seen:
            return
        path.append(module)
        for used in USES.get(module, ()):
            walk(used)
        path.pop()
        seen.add(module)
    for module in GENERATED:
        walk(module)


def test_production_does_not_look_through_the_simulators_eyes():
    def reached(module, seen):
        for used in USES.get(module, set()) - seen - {DRY_RUN} - LABS:
            seen.add(used)
            reached(used, seen)
        return seen
    allowed = {"theory", "widgets", "studies"}
    for module in GENERATED:
        if room_of(module) not in allowed and module != DRY_RUN:
            there = {u for u in reached(module, set()) if room_of(u) == "theory"}
            assert not there, f"{module} reaches {there}"
    # the endpoint itself is started by the command `rate_nb sandbox`, and by nothing else of production
    users = {m for m, uses in USES.items() if DRY_RUN in uses and m in GENERATED
             and room_of(m) not in allowed}
    assert users <= {"rate_nb.batch.cli"}, users
    assert {m for m, uses in USES.items() if uses & LABS and m in GENERATED} <= {"rate_nb.audit.labs"}


def test_no_module_imports_behind_the_back_of_these_tests():
    for module, path in GENERATED.items():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"import_module\([^)]*rate_nb|__import__\(", text), module
        reached = set(re.findall(r"\brate_nb\.(\w+)\.\w+\(", re.sub(r"(\"|').*?\1", "", text))) & set(ORDER)
        assert not reached, f"{module} calls rate_nb.{reached}… without importing it"


@pytest.mark.parametrize("room, says", ROOMS)
def test_a_face_says_what_its_room_is_for(room, says):
    assert " ".join(face(room).__doc__.split()).lower().strip(".") == says.lower()
    assert all(getattr(face(room), name) is not None for name in face(room).__all__)


def test_each_name_of_the_faces_means_one_thing():
    names = Counter(name for room in ORDER for name in face(room).__all__)
    assert set(names.values()) == {1}, names.most_common(3)
    top = importlib.import_module("rate_nb").__all__
    assert set(top) <= set(names)
    hidden = {f"{room}.{name}" for room in ORDER for name in face(room).__all__
              if f"rate_nb.{room}.{name}" in MODULES}
    assert not hidden, f"a module of this name would hide the name of the face: {hidden}"


def test_constants_of_the_faces_are_explained():
    for room in ORDER:
        for name in face(room).__all__:
            if name.isupper() and not callable(getattr(face(room), name)):
                text = "\n".join(p.read_text(encoding="utf-8") for p in GENERATED.values())
                assert re.search(rf"(?m)(^# .*\n)?^{name} = .*#|^# .*\n{name} = ",
                                 text), f"{name} has no comment"


@pytest.mark.parametrize("notebook", OUTSIDE, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_lessons_and_runs_use_the_faces(notebook):
    texts = [code_of(notebook)] + [block for c in cells(notebook) if c["cell_type"] == "markdown"
                                   for block in re.findall(r"```python\n(.*?)```", "".join(c["source"]),
                                                           re.S)]
    for module, name in set().union(*map(imported_names, texts)):
        there = importlib.import_module(module)
        shown = name in there.__all__ and module.count(".") <= 1
        # the faces have no place for what one run uses
        of_run = notebook.parent.name == "runs" and hasattr(there, name) and not name.startswith("_")
        assert shown or of_run, f"from {module} import {name}"


HEAVY = ("torch transformers ray openai altair statsmodels papermill IPython vaderSentiment spellchecker "
         "sklearn".split())


@pytest.mark.parametrize("imported",
                         ["rate_nb", *[f"rate_nb.{room}" for room in ORDER], "rate_nb.estimators.effects"])
def test_a_face_is_cheap(imported):
    code = f"import {imported}, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_names_of_the_readme_are_at_hand():
    code = ("from rate_nb import Audit, estimate_effects, load_reward_model, load_examples, PromptLab\n"
            f"import sys; print([m for m in {HEAVY!r} if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_progress_bar_stands_in_an_output():
    bars = [p.name for p in NBS.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts
            for c in cells(p) if "<progress" in json.dumps(c.get("outputs", []))]
    assert not bars, "run `python tests/outputs.py`"


def test_ruff_finds_nothing_in_notebooks_and_hand_written_files():
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "--no-cache", "."], cwd=ROOT,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_no_module_level_name_is_dead(tmp_path):
    "Names that neither the package, nor a face, a lesson, a run or a page uses"
    for notebook in [*OUTSIDE, *notebooks("studies")]:
        (tmp_path / f"{notebook.parent.name}_{notebook.stem}.py").write_text(code_of(notebook),
            encoding="utf-8")
    (tmp_path / "faces.py").write_text("\n".join(name for room in ORDER for name in face(room).__all__))
    done = subprocess.run([sys.executable, "-m", "vulture", "rate_nb", str(tmp_path), "docs", "benchmarks",
                           "--ignore-decorators", "@patch*,@property,@_tool*,@option_kind*",
                           "--min-confidence", "60"],
                          cwd=ROOT, capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr       # 3: it found something; other codes: it did not run
    dead = [line for line in done.stdout.splitlines()
            if re.match(r"rate_nb/\w+/\w+\.py:\d+: unused (function|class|variable)", line) and _at_top(line)]
    assert not dead, "\n".join(dead)


def _at_top(line):
    path, number = line.split(":")[:2]
    text = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    return not text.startswith((" ", "\t"))
