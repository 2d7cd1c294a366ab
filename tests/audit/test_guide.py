"What the guide shows a newcomer: files are read, commands run, and print what stands below them."
import re, shlex
from pathlib import Path
import pytest, yaml
from guide import FILES, INDEX, PAGES, SHOWN, prepared, printed, ran
from rate_nb.audit.specification import read_specification
from rate_nb.batch import cli
from rate_nb.batch.notebooks import run_notebooks
from rate_nb.diagnostics.review import CHANGES, NOTHING
from warm import commands

TEXTS = {p.stem: p.read_text(encoding="utf-8") for p in PAGES}
LINES = sorted({line for text in TEXTS.values()
                for line in re.findall(r"`((?:attribute|reward|rewriter): .+?)`", text)})
COMMANDS = [(name, command) for name, text in TEXTS.items() for command in
            re.findall(r"(?m)^(rate_nb .+)$", text) + re.findall(r"`(rate_nb [a-z][^`…]+)`", text)]


def test_the_guide_shows_every_choice(): assert len(LINES) >= 14 and len(PAGES) == 8


def test_every_page_is_listed_and_leads_on():
    assert sorted(INDEX.with_suffix("").glob("*.md")) == sorted(PAGES)
    for page, after in zip(PAGES, PAGES[1:]):
        assert f"]({after.name})" in TEXTS[page.stem], f"{page.name} does not lead to {after.name}"


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_guide_is_read(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("texts.csv").write_text("prompt,response,flatters\nWhy?,Because.,yes\n", encoding="utf-8")
    Path("score.py").write_text("def score(prompts, responses): return map(len, responses)", encoding="utf-8")
    Path("labels.py").write_text("def flatters(response): return 'great' in response", encoding="utf-8")
    for folder in ("my-reward-model", "calibrations/scores"):
        Path(folder).mkdir(parents=True)
    Path("my-reward-model", "config.json").write_text("{}", encoding="utf-8")
    Path("calibrations/scores/calibrator.parquet").write_bytes(b"")
    line = line.replace("http://…", "http://127.0.0.1:8000")
    said = dict(examples="texts.csv", attribute="length", rewriter="gpt-6-luna", reward="score.py:score",
                run_dir=str(tmp_path)) | yaml.safe_load(line.replace("model: …", "model: m"))
    read_specification(said)


@pytest.mark.parametrize("name, command", COMMANDS, ids=lambda v: v[:60])
def test_a_command_of_the_guide_is_one(name, command):
    known = {*run_notebooks(), *cli._parser().commands()}
    words = shlex.split(command)
    assert words[1] in known
    cli._parser().parse_args(words[1:])


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_of_a_page_shows_what_it_prints(name):
    assert TEXTS[name].count("```sh") == len(SHOWN.findall(TEXTS[name])) >= 1
    assert all(shown.strip() for _, shown in SHOWN.findall(TEXTS[name]))


def test_what_to_do_when_a_check_fails_is_three_clicks_away():
    page = (INDEX.parent.parent/"README.md").read_text(encoding="utf-8")
    assert "(docs/guide.md)" in page
    for check in ("compliance", "content", "differences", "attrition", "review"):
        assert f"(guide/checks.md#{check})" in INDEX.read_text(encoding="utf-8")
        assert f"\n## {check.capitalize()}\n" in TEXTS["checks"]


def test_a_page_shows_what_an_endpoint_is_sent(tmp_path):
    page = TEXTS["audit"]
    (tmp_path/"sent.py").write_text(dict(FILES.findall(page))["sent.py"], encoding="utf-8")
    shown = dict(SHOWN.findall(page))["python sent.py"]
    assert printed(None, "python sent.py", tmp_path) == shown
    assert all(words in shown for words in ("the rewritten text alone", '"differences"', "“1: yes”"))


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    folder = prepared(tmp_path_factory.mktemp("guide").resolve())
    with commands() as run:
        return {page.stem: ran(run, page, folder) for page in PAGES}


@pytest.mark.slow("every command of the guide, as typed")
@pytest.mark.parametrize("name", TEXTS)
def test_the_pages_print_what_they_show(outputs, name):
    "After a change: `python tests/guide.py` renews the pages"
    for command, shown, said in outputs[name]:
        assert said == shown, command


def test_a_person_who_reviews_can_read_what_is_planted():
    "Every kind of planted change has its row"
    rows = re.findall(r"^\| ([\w ]+) \| .+ \| .+ \|$", (INDEX.parent/"guide"/"checks.md").read_text(
        encoding="utf-8"), re.M)
    at = rows.index("planted")
    assert rows[at + 1:at + 2 + len(CHANGES)] == [*CHANGES, NOTHING]
