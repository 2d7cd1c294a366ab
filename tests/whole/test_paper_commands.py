"The commands of papers.ipynb's column do on small files what the page says, through the real command line."
import json, shlex
from pathlib import Path
import pytest
from conftest import ROOT
from paper_files import paper_commands, write_paper_files
from warm import run_command


def test_the_script_holds_every_command_of_the_column(tmp_path):
    folder = write_paper_files(tmp_path)
    script = (folder/"commands.sh").read_text().splitlines()
    commands = [line for line in script if line.startswith("rate_nb ")]
    page = "".join("".join(c["source"]) for c in json.loads((ROOT/"nbs"/"papers.ipynb").read_text())["cells"])
    assert commands == paper_commands() and len(commands) > 30 and all(c in page for c in commands)
    endings = (".yaml", ".csv", ".tsv", ".jsonl")
    files = {w for c in commands for w in shlex.split(c) if Path(w).suffix in endings}
    assert files and not {f for name in files for f in name.split(",") if not (folder/f).exists()}


@pytest.mark.slow("all commands of the page, three minutes")
def test_every_command_of_the_page_runs(tmp_path):
    folder, failed = write_paper_files(tmp_path), []
    for command in paper_commands():
        code, said = run_command([*shlex.split(command)[1:], "--quiet"], folder)
        if code:
            failed.append(f"{command}\n  exit code {code}: {said[-800:]}")
    assert not failed, "\n".join(failed)
