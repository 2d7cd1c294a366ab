"What docs/guide.md tells a newcomer to write is what a file takes"
import re
from pathlib import Path
import pytest, yaml
from rate_nb.audit.specification import read_specification

GUIDE = (Path(__file__).parents[2]/"docs"/"guide.md").read_text(encoding="utf-8")
LINES = re.findall(r"`((?:attribute|reward|rewriter): .+?)`", GUIDE)


def test_the_guide_shows_every_choice(): assert len(LINES) >= 11


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_the_guide_is_read(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("texts.csv").write_text("prompt,response,flatters\nWhy?,Because.,yes\n", encoding="utf-8")
    Path("score.py").write_text("def score(prompts, responses): return map(len, responses)", encoding="utf-8")
    Path("my-reward-model").mkdir()
    Path("my-reward-model", "config.json").write_text("{}", encoding="utf-8")
    line = line.replace("http://…", "http://127.0.0.1:8000")
    said = dict(examples="texts.csv", attribute="length", rewriter="gpt-6-luna", reward="score.py:score",
                run_dir=str(tmp_path)) | yaml.safe_load(line.replace("model: …", "model: m"))
    read_specification(said)
