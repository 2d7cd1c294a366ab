"What Shift-Tab shows: every public name of every face says what each of its arguments means."
import dataclasses, importlib, inspect, subprocess, sys
import pytest
from conftest import ROOT
from rate_nb.base import faces
from structure import ORDER


def given(thing):
    "(name, comment) of each argument in the docstring"
    text = (thing.__doc__ or "").partition("Parameters\n----------\n")[2]
    lines = text.partition("\n\nReturns")[0].split("\n")
    names = [(i, line.partition(" : ")[0]) for i, line in enumerate(lines) if line and line[0] != " "]
    return {name: lines[i + 1].strip() if len(lines) > i + 1 and lines[i + 1].startswith("    ") else ""
            for i, name in names}


def arguments(thing):
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = inspect.signature(thing).parameters.values()
    return [marks.get(p.kind, "") + p.name for p in found if p.name not in ("self", "cls")]


def takes_arguments(thing):
    own = dataclasses.is_dataclass(thing) or inspect.isfunction(getattr(thing, "__init__", None))
    return own if inspect.isclass(thing) else inspect.isfunction(thing)


@pytest.mark.parametrize("room", ["", *ORDER])
def test_every_argument_of_every_public_name_is_explained(room):
    face = importlib.import_module(f"rate_nb.{room}".strip("."))
    for thing in (getattr(face, name) for name in face.__all__):
        if takes_arguments(thing):
            shown = given(thing)
            assert list(shown) == arguments(thing), thing
            assert not [name for name, comment in shown.items() if not comment], thing
            assert thing.__doc__.count("Parameters\n----") == bool(shown), thing


def test_public_methods_are_explained_where_they_have_comments():
    from rate_nb import Audit
    pilot = given(Audit.plan)["pilot"]
    assert pilot.startswith("a `Diagnosis` of a pilot")
    assert given(Audit.from_config)["plan"].startswith("load no reward model")
    assert given(Audit.report)["path"].startswith("where the HTML goes")
    from rate_nb.calibration import RCLWR
    assert given(RCLWR)["frac"] and "Parameters" not in (RCLWR.__repr__.__doc__ or "")


def test_what_jupyter_shows_holds_the_comments():
    from IPython.core.oinspect import getdoc
    from rate_nb import Audit
    shown = getdoc(Audit)
    assert "dollars that rewriting and judging may cost, all runs of this audit together" in shown


def test_a_direct_import_pays_nothing_and_has_the_docstring_as_written():
    code = ("import sys\nfrom rate_nb.stats.power import power_n\n"
            "print('Parameters' in power_n.__doc__, 'tokenize' in sys.modules and 0, "
            "len(sys.modules['rate_nb.base.faces']._EXPLAINED))")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "False" and done.stdout.split()[-1] == "0"


def test_without_its_source_a_name_still_works(tmp_path, monkeypatch):
    path = tmp_path / "gone.py"
    path.write_text("def f(\n    a, # a number\n    *b, c=1, # two\n    **d, # the rest\n)->int: # more\n"
                    "    'Adds'\n\ndef g(x, y): # one line\n    return x\n\nclass K: pass\n")
    space = dict(__name__=f"{faces.__name__.partition('.')[0]}.gone")
    exec(compile(path.read_text(), str(path), "exec"), space)
    faces.explained(space["f"])
    assert given(space["f"]) == {"a": "a number", "*b": "two", "c": "two", "**d": "the rest"}
    assert space["f"].__doc__.endswith("Returns\n-------\nint\n    more")
    assert "c : default 1" in space["f"].__doc__
    path.unlink()
    faces._classes.cache_clear()
    import linecache
    linecache.clearcache()
    faces.explained(space["g"])
    assert space["g"].__doc__ is None and space["g"](1, 2) == 1
    assert faces.explained(space["K"]) is space["K"] and faces.explained(7) == 7
