"Outputs kept in notebooks: what stays, what is scrubbed, what counts as another result"
import json
import pytest
from outputs import differ, kept, otherwise


def shown(text, kind="text/plain"):
    return [dict(output_type="execute_result", data={kind: text}, metadata={}, execution_count=3)]


@pytest.mark.parametrize("text, stays", [
    ("<a.B object at 0x7f1c2d3e4f50>", []), ("f at 0x7f1c2d3e4f50", ["f at 0x…"]),
    ("http://127.0.0.1:40123/v1", ["http://127.0.0.1:…/v1"]),
    ("saved in /tmp/tmpab12cd/run/x.html", ["saved in …/run/x.html"]),
    ("effect +0.31", ["effect +0.31"])])
def test_what_differs_from_run_to_run_is_not_kept(text, stays):
    assert [o["data"]["text/plain"] for o in kept(shown(text))] == ([stays] if stays else [])


def test_bare_widgets_warnings_and_progress_are_not_kept():
    widget = [dict(output_type="display_data", metadata={}, data={
        "application/vnd.jupyter.widget-view+json": {}, "text/plain": "IntSlider()"})]
    warned = [dict(output_type="stream", name="stderr", text="careful")]
    worked = [dict(output_type="stream", name="stdout", text="Reading: 160 of 234, 00:06 left\n")]
    assert not kept(widget) and not kept(warned) and not kept(worked)
    widget[0]["data"]["text/html"] = "<p>what it shows</p>"
    assert [o["data"] for o in kept(widget)] == [{"text/html": ["<p>what it shows</p>"]}]
    assert not kept(shown("<progress value=1>", "text/html"))


@pytest.mark.parametrize("was, now, other", [
    ("0.123456789", "0.123456788", False), ("0.1234", "0.1235", False), ("0.1234", "0.1236", True),
    ("done in 1.2 s", "done in 35 s", False), ("off by 5e-15", "off by 4.1e-15", False),
    ("p = 2e-3", "p = 3e-3", True),
    ("n = 300", "n = 301", True), ("raises", "lowers", True), ("a", "a b", True), ("-0.5", "0.5", True)])
def test_a_number_a_sign_and_a_word_count_a_time_does_not(was, now, other):
    assert bool(differ(kept(shown(was)), kept(shown(now)))) is other


def test_a_changed_output_is_told_with_its_cell(tmp_path):
    cell = dict(cell_type="code", id="c1", source="", metadata={}, execution_count=None,
                outputs=kept(shown("1 of 2")))
    (tmp_path/"a.ipynb").write_text(json.dumps(dict(cells=[cell])))
    assert not otherwise(tmp_path/"a.ipynb", {"c1": shown("1 of 2")})
    assert not otherwise(tmp_path/"a.ipynb", {}) # a cell that did not run
    said = otherwise(tmp_path/"a.ipynb", {"c1": shown("2 of 2")})
    assert "-1 of 2" in said and "+2 of 2" in said and "c1" in said
    assert otherwise(tmp_path/"a.ipynb", {"c1": []})
    without = {"c1": [], "c0": shown("IMDB pairs not found beside the repository")}
    assert not otherwise(tmp_path/"a.ipynb", without)
