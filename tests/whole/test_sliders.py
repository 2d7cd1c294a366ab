"The sliders of lessons 1 to 12: each is there, moves its picture, and leaves a picture and no widget behind."
import json, sys
import pytest
from conftest import ROOT
sys.path.insert(0, str(ROOT / "nbs" / "lessons"))
from outputs import slim
from sliders import Slide, bars, dots, ends_on_slider, needed, of_lesson, slide

LESSONS = {p.stem[:2]: p for p in sorted((ROOT / "nbs" / "lessons").glob("[01]*.ipynb")) if p.stem[:2] < "13"}
LONG = ("10", "12") # what they need takes seconds: the site's test has their pictures
told = lambda picture: (picture.title, json.dumps(picture.in_page()["datasets"]))


def test_twelve_lessons_have_one_slider_each():
    for lesson in LESSONS.values():
        cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
        code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        assert sum(map(ends_on_slider, code)) == 1, lesson.stem
    assert len(LESSONS) == 12


@pytest.mark.parametrize("lesson", sorted(set(LESSONS) - set(LONG)))
def test_each_value_has_its_own_picture_and_the_axes_stay(lesson):
    _, shown = of_lesson(LESSONS[lesson])
    some = sorted({0, len(shown.values) - 1, shown.values.index(shown.start)})
    pictures = [shown.function(shown.values[i]) for i in some]
    assert len(set(map(told, pictures))) == len(pictures) > 1
    assert all(p.spec == pictures[0].spec for p in pictures), "its data move, and the axes stay"
    assert told(shown.function(shown.start)) == told(shown.function(shown.start)), "drawn twice, it differs"
    assert 10 <= len(shown.shown()) <= 13 and shown.start in shown.shown()


def test_only_what_the_slider_needs_is_run():
    cells = ["import math\nassert False\nkept = {}\nlost = 1/0",
             "def f(x): return x + math.pi + len(kept) + sum(lost for lost in ())\nkept['a'] = 1",
             "slide(f, 'x', [1, 2], 1)"]
    world = {"slide": lambda f, *rest: f(1)}
    for statement in needed(cells):
        exec(compile(__import__("ast").Module([statement], []), "", "exec"), world)
    assert "lost" not in world and world["kept"] == {"a": 1}


def test_hostile_names_and_titles_are_inert_on_the_page():
    bad = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    page = slide(lambda v: dots({bad: v}, bad, (0, 9)), bad, [1, 2], 2).page("key")
    assert page.count("<script") == page.count("</script>") == 1 and "<img" not in page
    frames = json.loads(page.split('json">')[1].split("</script>")[0])
    assert frames[1]["title"] == bad and not any("<img" in f["svg"] or "<script" in f["svg"] for f in frames)


def test_a_picture_is_kept_and_no_widget(tmp_path):
    shown = slide(lambda v: bars({v: 1}, f"At {v}", (0, 4), 2), "value", [1, 2, 3], 2).wait()
    data = shown._repr_mimebundle_()
    assert data["text/plain"].startswith("At 2.") and isinstance(shown, Slide)
    kept = dict(cells=[dict(cell_type="code", outputs=[dict(output_type="execute_result", data=dict(data))])])
    (tmp_path / "a.ipynb").write_text(json.dumps(kept))
    slim(tmp_path / "a.ipynb")
    left = json.loads((tmp_path / "a.ipynb").read_text())["cells"][0]["outputs"][0]["data"]
    assert set(left) == {"image/png"}


def test_a_start_that_is_no_value_is_refused():
    with pytest.raises(ValueError, match="`start` must be one of `values`: 1, 2, 3"):
        slide(lambda v: dots({"a": v}, "", (0, 9)), "value", [1, 2, 3], 5)
