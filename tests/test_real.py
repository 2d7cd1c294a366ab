"Real models, data and people: what is said where a part is missing, and what the markup rewriter keeps."
import re
import pytest
from rate_nb.batch import cli
from rate_nb.data.measures import markdown
from rate_nb.studies import real


@pytest.fixture
def nothing_here(monkeypatch, tmp_path):
    "No package that holds the model, and no data"
    monkeypatch.setitem(real.REAL_MODELS, "smollm2",
                        real.REAL_MODELS["smollm2"] | dict(package="no_such_package", sha256="0"*64))
    monkeypatch.setenv("RATE_NB_DATA", str(tmp_path))


def test_the_real_demo_names_every_part_that_is_missing(nothing_here, capsys, tmp_path):
    assert cli.main(["demo", "--real", "--run-dir", str(tmp_path/"run")]) == 2
    said = capsys.readouterr().err
    assert all(part in said for part in ("real-models", "SmolLM2", "CC BY-NC 4.0", "RATE_NB_DATA")), said
    assert not (tmp_path/"run").exists()


HOSTILE = ["", " ", "#", "- ", "**", "****", "```", "~~~\nx", "| a |", "---", "1.", "* * *", "__a__ **b",
           "<b>x</b>", "a\r\nb", "\x00", "- - - x", "## ## x", "1. 2. 3. x", "a: - b", "`**a**`", "> # q",
           "é. “Ünï” – ok."]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_rewritten_without_an_error_and_stays_put(text):
    plain = real.without_markup(text)
    assert real.without_markup(plain) == plain and real.without_markup(real.with_markup(text)) == plain
    letters = lambda t: re.findall(r"[^\W\d_]+", t)
    assert letters(plain) == letters(text) or "<" in text or "`" in text


def test_markup_is_off_and_on():
    text = "# A plan\n\nFirst we look. Then:\n\n* **one** thing\n* another\n\nDone"
    assert markdown(real.without_markup(text)) == 0 < markdown(real.with_markup(text))


def test_sizes_and_sources_say_what_they_may_be():
    with pytest.raises(real.InputError, match="sample"):
        real.study_size("huge")
    with pytest.raises(real.InputError, match="alpaca_eval"):
        real.real_data("nothing")
    with pytest.raises(real.InputError, match="smollm2"):
        real.real_model("nothing")
