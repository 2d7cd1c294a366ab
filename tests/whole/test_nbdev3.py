"A contributor's nbdev 3 reads pyproject.toml, and exports what nbdev 2 exports."
import shutil, subprocess, sys, tomllib, venv
from configparser import ConfigParser
import pytest
from conftest import ROOT

# nbdev 3 would respell two lines of pyproject.toml, which nbdev 2 respells back, and drop the sizes of images
ONLY_NBDEV3 = {"update_pyproject", "allowed_out_metadata_keys"}


def in_settings(value):
    "A value of pyproject.toml as settings.ini spells it"
    return " ".join(value) if isinstance(value, list) else str(value)


def test_both_configurations_say_the_same():
    settings = ConfigParser(delimiters=["="], interpolation=None)
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    ours, project = settings["DEFAULT"], tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    theirs = project["tool"]["nbdev"]
    assert theirs.keys() - ours.keys() == ONLY_NBDEV3
    shared = theirs.keys() & ours.keys()
    assert {k: in_settings(theirs[k]) for k in shared} == {k: ours[k] for k in shared}
    assert project["project"]["name"] == ours["lib_name"]
    assert project["project"]["requires-python"] == f">={ours['min_python']}"


def code_of(module):
    "Its lines but for comments: where a cell comes from, and what it is for"
    return [line for line in module.read_text(encoding="utf-8").splitlines()
            if not line.lstrip().startswith("#")]


@pytest.mark.slow("installs nbdev 3")
def test_nbdev_3_exports_the_same_modules(tmp_path):
    venv.create(tmp_path / "env")
    nbdev = tmp_path / "env" / "bin"
    subprocess.run([sys.executable, "-m", "pip", "--python", nbdev / "python", "install", "--quiet",
                    "--no-compile", "nbdev==3.3.*"], check=True, timeout=600)
    copy = tmp_path / "repository"
    shutil.copytree(ROOT / "nbs", copy / "nbs", ignore=shutil.ignore_patterns(".ipynb_checkpoints", "audits"))
    for name in ("settings.ini", "setup.py", "pyproject.toml"):
        shutil.copy(ROOT / name, copy)
    for face in (ROOT / "rate_nb").rglob("__init__.py"):
        (copy / face.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(face, copy / face.relative_to(ROOT))
    for command in ("nbdev-export", "nbdev-clean"):
        done = subprocess.run([nbdev / command], cwd=copy, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-4000:]
    modules = {p.relative_to(ROOT) for p in (ROOT / "rate_nb").rglob("*.py") if p.name != "_modidx.py"}
    assert modules == {p.relative_to(copy) for p in (copy / "rate_nb").rglob("*.py")
                       if p.name != "_modidx.py"}
    assert not [m for m in sorted(modules) if code_of(ROOT / m) != code_of(copy / m)]
    assert not [p for p in copy.rglob("*") if p.is_file() and p.suffix in (".ipynb", ".toml", ".ini")
                and p.read_bytes() != (ROOT / p.relative_to(copy)).read_bytes()]
