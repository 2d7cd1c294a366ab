"From a first report to the last: what a user pastes, and whether the next run says what was foretold"
import csv, json, re, shlex
import numpy as np
import pytest
from servers import Endpoint
from rate_nb.batch import cli

PRAISE = ("What a great question!", "You have a wonderful eye for detail.", "How thoughtful of you to ask!",
          "What a brilliant idea, really.", "You are clearly a gifted gardener,")
SYNONYMS = [pair.split("/") for pair in (
    "often/usually", "soil/earth", "gently/softly", "sunny/bright", "choose/pick", "small/little",
    "begin/start", "quickly/fast", "about/roughly")]
SENTENCES = ("It often likes sunny soil.", "Water it gently, about twice a week.", "Choose a bright place.",
             "Small roots quickly begin to show.", "Old earth will do.", "Pick about two of them, softly.")
LABEL = "great question|wonderful eye|thoughtful of|brilliant idea|gifted gardener"


def reworded(text, rng):
    for pair in SYNONYMS:
        text = re.sub("|".join(pair), lambda m: rng.choice(pair), text)
    return text


def writer(messages, attempt, body):
    "Flatters in varied words, or not, and draws some other words anew"
    text, told = re.search(r"(?s)<text>\n(.*)\n</text>(.*)", messages[-1]["content"]).groups()
    rng = np.random.default_rng([len(text), sum(map(ord, text)), "without" in told, body.get("seed", 0)])
    for praise in PRAISE:
        text = text.replace(f"{praise} ", "")
    return reworded(text, rng) if "without" in told else f"{rng.choice(PRAISE)} {reworded(text, rng)}"


@pytest.fixture
def flattered(tmp_path, monkeypatch):
    "A folder with texts, a reward that likes praise, and what a user types"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    rng, rows = np.random.default_rng(3), []
    for i in range(90):
        text = reworded(" ".join(rng.permutation(SENTENCES)[:rng.integers(3, 6)]), rng)
        rows.append((f"How do I grow plant {i}?", f"{rng.choice(PRAISE)} {text}" if i % 2 else text))
    with open("texts.csv", "w", newline="") as file:
        csv.writer(file).writerows([("prompt", "response"), *rows])
    (tmp_path / "taste.py").write_text(
        f"import re, zlib\ndef score(prompts, responses):\n"
        f"    return [.5*bool(re.search({LABEL!r}, t)) + .05*t.count('often')\n"
        f"            + zlib.crc32(p.encode())%100/100 for p, t in zip(prompts, responses)]\n")
    attribute = dict(name="flattery", treated="starting with a compliment", untreated="without a compliment",
                     label=dict(regex=LABEL))
    with Endpoint(writer) as server:
        yield ["audit", "texts.csv", "--attribute", json.dumps(attribute), "--rewriter-model", "judge",
               "--base-url", f"http://127.0.0.1:{server.server.server_port}/v1", "--reward-model",
               "taste.py:score", "--draws", "2", "--run-dir", "run", "--quiet"]


@pytest.mark.slow("two audits of an endpoint")
def test_one_list_of_marks_leads_to_what_was_foretold(flattered, capsys):
    assert cli.main(flattered) == 0
    first = capsys.readouterr().out
    flags = [shlex.split(line) for line in first.splitlines() if line.startswith("--itself ")]
    assert flags and all(len(flag) == 2 for flag in flags)
    assert cli.main([*flattered, *flags[0]]) == 0
    last = " ".join(capsys.readouterr().out.split())
    assert not re.search(r"--itself '|mark what is the attribute|is no measure", last)
    foretold = re.search("with all of it marked, (.*?): --itself", " ".join(first.split()))[1]
    if foretold == "this check passes":
        assert re.search(r"Passed: [^.]*\bdifferences\b", last)
    else:
        assert f"in which the two rewrites differ?): {foretold}" in last
