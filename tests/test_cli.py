"The command: every run notebook is a subcommand, tools for stores and rehearsals, and an end that can be read."
import json, os, signal, subprocess, sys, time, urllib.request
from pathlib import Path
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from rate_nb import cli
from rate_nb.batch import notebook_parameters, run_notebooks
from rate_nb.store import Store

RATE_NB = str(Path(sys.executable).parent / "rate_nb")
PARAMETERS = '''numbers: str = "" # required: a file of numbers
times: int = 2 # how often each is taken
wait: float = 0.0 # seconds to sleep first
run_dir: str = "runs/total" # folder for the sum'''
WORK = '''import json, time
from pathlib import Path
print("at work", flush=True); time.sleep(wait)
from rate_nb.core import BudgetError
if not times: raise BudgetError("the budget is used up")
total = times * sum(map(float, Path(numbers).read_text().split()))
Path(run_dir, "summary.json").write_text(json.dumps(dict(total=total, table=[dict(n=1, total=total)])))'''


@pytest.fixture
def job(tmp_path):
    "A run notebook of somebody else"
    path = tmp_path / "total.ipynb"
    cells = [new_markdown_cell("# Total\n\n> How much is it all together?"), new_code_cell(PARAMETERS, metadata=dict(tags=["parameters"])), new_code_cell(WORK)]
    nbformat.write(new_notebook(cells=cells, metadata=dict(kernelspec=dict(name="python3", display_name="python3", language="python"))), path)
    (tmp_path / "numbers.txt").write_text("1 2 3.5")
    return path


def test_every_run_notebook_is_a_command(capsys):
    for name, path in run_notebooks().items():
        with pytest.raises(SystemExit) as end: cli.main([name, "--help"])
        said = capsys.readouterr().out
        assert end.value.code == 0 and all(f"--{p.replace('_', '-')}" in said for p in notebook_parameters(path)), name


def test_what_a_job_is_about_needs_no_flag(tmp_path, monkeypatch, capsys):
    "And its results do not land in the demo's folder"
    monkeypatch.chdir(tmp_path)
    ran = {}
    monkeypatch.setattr(cli, "run_notebook", lambda notebook, output, values, stream: ran.update({Path(notebook).stem: (output, values)}))
    for name, path in run_notebooks().items():
        if name == "audit": continue                      # needs more than its examples
        known = notebook_parameters(path); first = next(iter(known))
        assert cli.main([name, "my scores.csv"]) == 0 and ran[name][1][first] == "my scores.csv"
        if known["run_dir"].default.endswith("/demo"): assert ran[name][0] == Path(known["run_dir"].default).parent / "my-scores" / f"{name}.ipynb"
        assert cli.main([name]) == 0 and ran[name][0].parent == Path(known["run_dir"].default)
    assert cli.main(["audit", "texts.csv", "--examples", "texts.csv"]) == 2 and "given twice" in capsys.readouterr().err


def test_a_new_run_notebook_needs_nothing_but_itself(job, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cli, "run_notebooks", lambda: {"total": job})
    monkeypatch.setattr(cli, "_jobs", lambda real=cli._jobs: (j for j in real() if j[1] == "total"))
    assert cli.main(["total", "--times", "4", "--run-dir", str(tmp_path / "x")]) == 2
    assert "still needed: --numbers (a file of numbers)" in capsys.readouterr().err and not (tmp_path / "x").exists()
    assert cli.main(["total", str(tmp_path / "numbers.txt"), "--times", "4", "--run-dir", str(tmp_path / "x"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["total"] == 26 and (tmp_path / "x" / "total.ipynb").exists() and said["notebook"].endswith("total.ipynb")
    (tmp_path / "c.yaml").write_text(f"numbers: {tmp_path / 'numbers.txt'}\ntimes: 1\n")
    assert cli.main(["total", "--config", str(tmp_path / "c.yaml"), "--times", "3", "--run-dir", str(tmp_path / "x")]) == 0      # a flag outranks the file
    said = capsys.readouterr().out
    assert "total: 19.5" in said and "Notebook: " in said
    assert cli.main(["total", str(tmp_path / "numbers.txt"), "--times", "0", "--run-dir", str(tmp_path / "x")]) == 1            # it stopped; the input was right
    assert "rate_nb total: the budget is used up" in capsys.readouterr().err


def test_an_interrupt_ends_in_one_line(job, tmp_path):
    code = (f"import sys; from pathlib import Path; from rate_nb import cli; job, real = Path({str(job)!r}), cli._jobs\n"
            "cli.run_notebooks = lambda: dict(total=job); cli._jobs = lambda: (j for j in real() if j[1] == 'total'); sys.exit(cli.main(sys.argv[1:]))")
    process = subprocess.Popen([sys.executable, "-c", code, "total", str(tmp_path / "numbers.txt"), "--wait", "60", "--run-dir", str(tmp_path / "x")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    for line in process.stdout:
        if "at work" in line: break
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted; the same command goes on from here" in err and "Traceback" not in err, err


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    began = time.monotonic()
    assert cli.main(["demo", "--run-dir", str(tmp_path / "file" / "run")]) == 2
    assert "cannot be used as a folder to write to" in capsys.readouterr().err and time.monotonic() - began < 5


def test_stores_travel(tmp_path, capsys):
    kept = Store(tmp_path / "a.sqlite")
    kept.put_many("rewrite", {f"k{i}": dict(text=f"text {i}\u2028\x00 🙂", model=f"m{i % 2}") for i in range(30)})
    kept.put_many("reward", {"r": dict(reward=.1 + .2)})
    for suffix in ("parquet", "jsonl"):
        assert cli.main(["store", str(kept.path), "--export", str(tmp_path / f"all.{suffix}")]) == 0
        assert cli.main(["store", str(tmp_path / f"{suffix}.sqlite"), "--import", str(tmp_path / f"all.{suffix}"), "--verify", "--json"]) == 0
        said = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert said["done"] == [f"imported 31 new values from {tmp_path / f'all.{suffix}'}", "verified: 31 values can be read"]
        other = Store(tmp_path / f"{suffix}.sqlite")
        assert all(other.get_many(kind, ["k7", "r"]) == kept.get_many(kind, ["k7", "r"]) for kind in ("rewrite", "reward"))
    assert cli.main(["store", str(other.path), "--prune", "rewrite", "--where", "model=m1"]) == 0 and other.counts()["rewrite"] == 30
    assert cli.main(["store", str(other.path), "--prune", "rewrite", "--where", "model=m1", "--yes"]) == 0 and other.counts()["rewrite"] == 15


def test_a_rehearsal_from_the_command_line():
    "The dials reach the server; Ctrl-C ends it in peace"
    process = subprocess.Popen([RATE_NB, "sandbox", "--port", "0", "--latency", ".3", "--refuse", "1", "--batch-shuffle"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().split()[2].rstrip(",")
        body = dict(model="sandbox-rewriter", messages=[dict(role="user", content="<text>\nA film.\n</text>\n\nAdjust this response so it's positive.")])
        opener, began = urllib.request.build_opener(urllib.request.ProxyHandler({})), time.monotonic()
        answer = json.load(opener.open(urllib.request.Request(f"{url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json", "Authorization": "Bearer k"})))
        assert time.monotonic() - began >= .3
        assert "A film" not in answer["choices"][0]["message"]["content"]         # it declined
    finally: process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and "Traceback" not in err and "1 requests" in out
    done = subprocess.run([RATE_NB, "sandbox", "--refuse", "2"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "refuse" in done.stderr


COMMANDS = [*run_notebooks(), "demo", "run", "batch", "recipe", "completion", "store", "batches", "sandbox", "runs"]

@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_the_exit_codes(name, capsys):
    with pytest.raises(SystemExit): cli.main([name, "--help"])
    said = capsys.readouterr().out
    assert f"example: " in said and f"rate_nb {name}" in said.split("example: ")[1] and "exit codes: 0" in said and "--json" in said
    with pytest.raises(SystemExit) as end: cli.main([name, "--no-such-flag"])
    assert end.value.code == 2


def test_every_command_is_known():
    parser = cli._parser()
    assert {name for a in parser._actions if hasattr(a, "choices") and isinstance(a.choices, dict) for name in a.choices} == set(COMMANDS)


def test_a_notebook_of_ones_own(job, tmp_path, capsys):
    with pytest.raises(SystemExit): cli.main(["run", str(job), "--help"])
    assert "--times" in (said := capsys.readouterr().out) and "a file of numbers" in said
    assert cli.main(["run", str(job)]) == 2 and "still needed: --numbers" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end: cli.main(["run", str(job), "--tims", "3"])
    assert end.value.code == 2 and "--tims" in capsys.readouterr().err           # a misspelt name is an error
    assert cli.main(["run", str(tmp_path / "no.ipynb")]) == 2 and "neither a file" in capsys.readouterr().err
    assert cli.main(["run", str(job), str(tmp_path / "numbers.txt"), "--times", "4", "--run-dir", str(tmp_path / "y"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 26 and (tmp_path / "y" / "total.ipynb").exists()


def test_papermill_alone_says_what_it_does_not_know(tmp_path):
    "A run notebook that begins with check_injected turns papermill's warning into an error"
    run = lambda *p: subprocess.run([sys.executable, "-m", "papermill", "--no-progress-bar", str(run_notebooks()["grid_summary"]), str(tmp_path / "out.ipynb"), *p], capture_output=True, text=True, cwd=tmp_path)
    done = run("-p", "metod", "bh")
    assert done.returncode != 0 and "did you mean 'method'?" in done.stderr and not (tmp_path / "grids").exists()


def test_bash_completes_commands_and_flags(tmp_path, capsys):
    assert cli.main(["completion", "bash"]) == 0
    (tmp_path / "rate_nb.sh").write_text(capsys.readouterr().out)
    ask = """source {f}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=(); $(complete -p rate_nb | sed -E 's/.*-F ([^ ]+).*/\\1/') rate_nb; printf '%s\\n' "${{COMPREPLY[@]}}" """
    complete = lambda *words: subprocess.run(["bash", "-c", ask.format(f=tmp_path / "rate_nb.sh", words=" ".join(words))], capture_output=True, text=True).stdout.split()
    assert complete("rate_nb", "cal") == ["calibrate"] and "batch" in complete("rate_nb", "ba")
    assert "--reward-model" in complete("rate_nb", "audit", "--rew") and complete("rate_nb", "recipe", "sl") == ["slurm"]
    for shell, sign in (("zsh", "#compdef rate_nb"), ("fish", "complete -c rate_nb")):
        assert cli.main(["completion", shell, "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert said["shell"] == shell and sign in said["script"] and "calibrate" in said["script"]


def test_a_rehearsal_in_json():
    process = subprocess.Popen([RATE_NB, "sandbox", "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try: assert json.loads(process.stdout.readline())["base_url"].startswith("http://127.0.0.1:")
    finally: process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and json.loads(out) == dict(requests=0, answered=0), err
