"Each promise of docs/threat_model.md names tests, and they are there"
import ast, re
from pathlib import Path
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT/"docs"/"threat_model.md").read_text(encoding="utf-8")
PROMISES = re.findall(r"^\| (?!promise|:--|who|accidents)(.+?) \| .+ \| (.+?) \|$",
                      PAGE.split("## Endpoints")[1], re.M)


def functions_of(path): # names of its test functions
    tree = ast.parse((ROOT/path).read_text(encoding="utf-8"))
    return {f.name for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))}


@pytest.mark.parametrize("promise, shown", PROMISES, ids=range(len(PROMISES)))
def test_a_promise_has_its_tests(promise, shown):
    named = re.findall(r"`(tests/\w+\.py)::(test_\w+)`", shown)
    assert named and shown.count("`") == 2 * len(named), promise
    for path, name in named:
        assert name in functions_of(path), f"{promise}: {path}::{name} is gone"
