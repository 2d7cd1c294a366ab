"The commands of papers.ipynb's column do on small files what the page says, through the real command line."
import json, shlex
from pathlib import Path
import pytest
from conftest import ROOT
from paper_files import paper_commands, write_paper_files
from warm import commands


def test_the_script_holds_every_command_of_the_column(tmp_path):
    folder = write_paper_files(tmp_path)
    script = (folder/"commands.sh").read_text().splitlines()
    commands = [line for line in script if line.startswith("rate_nb ")]
    page = "".join("".join(c["source"]) for c in json.loads((ROOT/"nbs"/"papers.ipynb").read_text())["cells"])
    assert commands == paper_commands() and len(commands) > 30 and all(c in page for c in commands)
    endings = (".yaml", ".csv", ".tsv", ".jsonl")
    files = {w for c in commands for w in shlex.split(c) if Path(w).suffix in endings}
    assert files and not {f for name in files for f in name.split(",") if not (folder/f).exists()}


@pytest.mark.slow("all commands of the page, two minutes")
def test_every_command_of_the_page_runs(tmp_path):
    folder, failed = write_paper_files(tmp_path), []
    with commands() as run:
        for command in paper_commands():
            code, said = run([*shlex.split(command)[1:], "--quiet"], folder)
            if code != 0:
                failed.append(f"{command}\n  exit code {code}: {said[-800:]}")
    assert not failed, "\n".join(failed)


def test_a_command_that_fails_or_ends_its_process_is_seen(tmp_path):
    (tmp_path/"mine.py").write_text("import os\ndef ends(prompts, responses): os._exit(7)")
    (tmp_path/"texts.csv").write_text("prompt,response\nWhy?,Because.\n")
    with commands() as run:
        ran = [run(words.split(), tmp_path) for words in ("runs --json", "effects nothing.csv",
                                                          "score texts.csv --reward mine.py:ends", "runs")]
    assert [code for code, _ in ran] == [0, 2, 7, 0] and json.loads(ran[0][1]) and "nothing.csv" in ran[1][1]
