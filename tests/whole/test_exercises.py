"The exercises of the lessons: solutions are right, mistakes are told, no page gives an answer away."
import importlib, re, sys
from fractions import Fraction
import pytest
from conftest import ROOT
from structure import code_of, notebooks, source, cells

LESSONS = ROOT/"nbs"/"lessons"
PAGES = [p for p in notebooks("lessons") if p.stem[:2].isdigit()]


@pytest.fixture(scope="module", autouse=True)
def beside_the_lessons():
    sys.path.insert(0, str(LESSONS))
    yield
    sys.path.remove(str(LESSONS))


def exercises(page): # name → Exercise
    number = int(page.stem[:2])
    of = importlib.import_module(f"exercises.lesson_{number:02d}").EXERCISES
    return {f"{number}{letter}": e for letter, e in of.items()}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_solutions_are_right_and_mistakes_are_told(page):
    from exercises import exercise
    solutions = (LESSONS/"solutions"/f"{page.stem}.md").read_text(encoding="utf-8")
    solved = dict(re.findall(r'```python\nexercise\("(\d+\w)"\)\.check\((.+)\)\n```', solutions))
    own = exercises(page)
    assert list(solved) == list(own) and 2 <= len(own) <= 3
    for name, e in own.items():
        assert exercise(name).check(eval(solved[name], dict(F=Fraction))).right, name
        told = [e.check(value() if callable(value) else value) for value, _ in e.mistakes]
        assert told and [t.words for t in told] == [why for _, why in e.mistakes], name
        assert not any(t.right for t in told) and not e.check(...).right


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_the_page_asks_and_does_not_answer(page):
    code = code_of(page)
    assert re.findall(r'exercise\("(\d+\w)"\)\.check\(\.\.\.\)', code) == list(exercises(page))
    words = "\n".join(source(c) for c in cells(page) if c["cell_type"] == "markdown")
    assert all(f"**{name}.**" in words for name in exercises(page))
    assert "def check(" not in code and "answer = None" not in code


@pytest.mark.parametrize("answer, said", [
    (..., "in the place of the dots"), ("five", "is not"), (float("nan"), "is not"), (None, "is not"),
    (True, "is not"), (10**30, "too large"), (-10**30, "too small")])
def test_odd_answers_are_answered(answer, said):
    from exercises import exercise
    verdict = exercise("4b").check(answer)
    assert not verdict.right and said in verdict.words
