"The command: every run notebook is a subcommand, tools for stores and dry runs, and an end that can be read."
import json, os, re, shlex, signal, subprocess, sys, time, urllib.request
from pathlib import Path
from types import SimpleNamespace
import nbformat
import pandas as pd
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from conftest import ROOT
from rate_nb.batch import cli
from rate_nb.batch.notebooks import (
    RunError, _run_error, notebook_parameters, run_notebooks, write_run_notebook)
from rate_nb.base.core import InputError, RunFolderError
from rate_nb.batch.grid_plan import read_grid
from rate_nb.base.store import Store
from warm import commands

RATE_NB = str(Path(sys.executable).parent / "rate_nb")
PARAMETERS = '''numbers: str = "" # required: a file of numbers
times: int = 2 # how often each is taken
wait: float = 0.0 # seconds to sleep first
run_dir: str = "runs/total" # folder for the sum'''
WORK = '''import json, time
from pathlib import Path
from types import SimpleNamespace
print("at work", flush=True); time.sleep(wait)
from rate_nb.base.core import BudgetError
if not times: raise BudgetError("the budget is used up")
total = times * sum(map(float, Path(numbers).read_text().split()))
Path(run_dir, "summary.json").write_text(json.dumps(dict(total=total, table=[dict(n=1, total=total)])))'''


@pytest.fixture
def job(tmp_path):
    "A run notebook of somebody else"
    path = tmp_path / "total.ipynb"
    cells = [new_markdown_cell("# Total\n\n> How much is it all together?"),
             new_code_cell(PARAMETERS, metadata=dict(tags=["parameters"])), new_code_cell(WORK)]
    nbformat.write(new_notebook(cells=cells,
                                metadata=dict(kernelspec=dict(name="python3", display_name="python3",
                                                              language="python"))), path)
    (tmp_path / "numbers.txt").write_text("1 2 3.5")
    return path


def test_every_run_notebook_is_a_command(capsys):
    for name, path in run_notebooks().items():
        with pytest.raises(SystemExit) as end:
            cli.main([name, "--help"])
        said = capsys.readouterr().out
        assert end.value.code == 0 and all(f"--{p.replace('_', '-')}" in said
                                           for p in notebook_parameters(path)), name


def test_what_a_job_is_about_needs_no_flag(tmp_path, monkeypatch, capsys):
    "And its results do not land in the demo's folder"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my scores.csv").write_text("")
    ran = {}
    monkeypatch.setattr(cli, "run_notebook", lambda notebook, output, values,
                        stream: ran.update({Path(notebook).stem: (output, values)}))
    monkeypatch.setattr(cli, "_check_inputs", lambda notebook, values: None)
    for name, path in run_notebooks().items():
        if name == "audit":
            continue # needs more than its examples
        known = notebook_parameters(path)
        first = next(iter(known))
        assert cli.main([name, "my scores.csv"]) == 0 and ran[name][1][first] == "my scores.csv"
        if known["run_dir"].default.endswith("/demo"):
            assert ran[name][0] == Path(known["run_dir"].default).parent / "my-scores" / f"{name}.ipynb"
        assert cli.main([name]) == 0 and ran[name][0].parent == Path(known["run_dir"].default)
    assert cli.main(["audit", "texts.csv", "--examples",
                     "texts.csv"]) == 2 and "given twice" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["plain", "my run", "-x", "--dry run"])
def test_the_command_that_is_printed_is_one(tmp_path, monkeypatch, name):
    "Whatever a run folder is called: the shell's words lead to the file"
    monkeypatch.chdir(tmp_path)
    folder = Path(name)
    folder.mkdir()
    (folder / "audit.yaml").write_text("")
    said, = cli._repeat_line(folder)
    words = shlex.split(said.removeprefix("Again:").strip())
    asked = cli._parser().parse_args(cli._joined_dashes(words[1:]))
    assert asked.command == "audit" and Path(asked.config).samefile(folder / "audit.yaml")


def test_a_new_run_notebook_needs_nothing_but_itself(job, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cli, "run_notebooks", lambda: {"total": job})
    real = cli._run_commands
    monkeypatch.setattr(cli, "_run_commands", lambda: (j for j in real() if j[1] == "total"))
    assert cli.main(["total", "--times", "4", "--run-dir", str(tmp_path / "x")]) == 2
    assert "still needed: --numbers (a file of numbers)" in capsys.readouterr().err and not (
        tmp_path / "x").exists()
    assert cli.main(["total", str(tmp_path / "numbers.txt"), "--times", "4", "--run-dir", str(tmp_path / "x"),
                     "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["total"] == 26 and (tmp_path / "x" / "total.ipynb").exists() and said["notebook"].endswith(
        "total.ipynb")
    (tmp_path / "c.yaml").write_text(f"numbers: {tmp_path / 'numbers.txt'}\ntimes: 1\n")
    # a flag outranks the file
    assert cli.main(["total", "--config", str(tmp_path / "c.yaml"), "--times", "3", "--run-dir",
                     str(tmp_path / "x")]) == 0
    said = capsys.readouterr().out
    assert "total: 19.5" in said and "Notebook: " in said
    # it stopped; the input was right
    assert cli.main(["total", str(tmp_path / "numbers.txt"), "--times", "0", "--run-dir",
                     str(tmp_path / "x")]) == 1
    assert "rate_nb total: the budget is used up" in capsys.readouterr().err


def test_an_interrupt_ends_in_one_line(job, tmp_path):
    code = ("import sys; from pathlib import Path; from rate_nb.batch import cli; job, real = "
            f"Path({str(job)!r}), cli._run_commands\n"
            "cli.run_notebooks = lambda: dict(total=job)\n"
            "cli._run_commands = lambda: (j for j in real() if j[1] == 'total')\n"
            "sys.exit(cli.main(sys.argv[1:]))")
    process = subprocess.Popen([sys.executable, "-c", code, "total", str(tmp_path / "numbers.txt"), "--wait",
                                "60", "--run-dir", str(tmp_path / "x")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    for line in process.stdout:
        if "at work" in line:
            break
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode == 130 and "interrupted; the same command goes on from here" in err
            and "Traceback" not in err), err


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    began = time.monotonic()
    assert cli.main(["demo", "--run-dir", str(tmp_path / "file" / "run")]) == 2
    assert ("cannot be used as a folder to write to" in capsys.readouterr().err
            and time.monotonic() - began < 5)


def test_stores_travel(tmp_path, capsys):
    kept = Store(tmp_path / "a.sqlite")
    kept.put_many("rewrite",
                  {f"k{i}": dict(text=f"text {i}\u2028\x00 🙂", model=f"m{i % 2}") for i in range(30)})
    kept.put_many("reward", {"r": dict(reward=.1 + .2)})
    for suffix in ("parquet", "jsonl"):
        assert cli.main(["store", str(kept.path), "--export", str(tmp_path / f"all.{suffix}")]) == 0
        assert cli.main(["store", str(tmp_path / f"{suffix}.sqlite"), "--import",
                         str(tmp_path / f"all.{suffix}"), "--verify", "--json"]) == 0
        said = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert said["done"] == [f"imported 31 new values from {tmp_path / f'all.{suffix}'}",
                                "verified: 31 values can be read"]
        other = Store(tmp_path / f"{suffix}.sqlite")
        assert all(other.get_many(kind, ["k7", "r"]) == kept.get_many(kind, ["k7", "r"])
                   for kind in ("rewrite", "reward"))
    assert cli.main(["store", str(other.path), "--prune", "rewrite", "--where",
                     "model=m1"]) == 0 and other.counts()["rewrite"] == 30
    assert cli.main(["store", str(other.path), "--prune", "rewrite", "--where", "model=m1",
                     "--yes"]) == 0 and other.counts()["rewrite"] == 15


def test_a_dry_run_from_the_command_line():
    "The dials reach the server; Ctrl-C ends it in peace"
    process = subprocess.Popen([RATE_NB, "sandbox", "--port", "0", "--latency", ".3", "--refuse", "1",
                                "--batch-shuffle"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().split()[2].rstrip(",")
        body = dict(model="sandbox-rewriter",
                    messages=[dict(role="user", content="<text>\nA film.\n</text>\n\nAdjust this response "
                                                        "so it's positive.")])
        opener, began = urllib.request.build_opener(urllib.request.ProxyHandler({})), time.monotonic()
        answer = json.load(opener.open(urllib.request.Request(f"{url}/chat/completions",
                                                              json.dumps(body).encode(),
                                                              {"Content-Type": "application/json",
                                                               "Authorization": "Bearer k"})))
        assert time.monotonic() - began >= .3
        assert "A film" not in answer["choices"][0]["message"]["content"]         # it declined
    finally:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and "Traceback" not in err and "1 requests" in out
    done = subprocess.run([RATE_NB, "sandbox", "--refuse", "2"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "refuse" in done.stderr


COMMANDS = [*run_notebooks(), "demo", "run", "batch", "completion", "store", "batches", "sandbox",
            "runs", "schema", "init", "publish", "verify", "probe", "discover"]

@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_the_exit_codes(name, capsys):
    with pytest.raises(SystemExit):
        cli.main([name, "--help"])
    said = capsys.readouterr().out
    assert said.count("\n") <= 60
    assert ("example: " in said
            and f"rate_nb {name}" in said.split("example: ")[1]
            and "exit codes: 0" in said
            and "--json" in said)
    with pytest.raises(SystemExit) as end:
        cli.main([name, "--no-such-flag"])
    assert end.value.code == 2


def test_help_all_says_everything(capsys):
    with pytest.raises(SystemExit):
        cli.main(["audit", "--help-all"])
    said = capsys.readouterr().out
    assert "(default: 0.95)" in said and "reward.label_index: " in said


def test_every_command_is_known():
    parser = cli._parser()
    assert {name for a in parser._actions if hasattr(a, "choices") and isinstance(a.choices, dict)
            for name in a.choices} == set(COMMANDS)


def test_a_notebook_of_ones_own(job, tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["run", str(job), "--help"])
    assert "--times" in (said := capsys.readouterr().out) and "a file of numbers" in said
    assert cli.main(["run", str(job)]) == 2 and "still needed: --numbers" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        cli.main(["run", str(job), "--tims", "3"])
    assert end.value.code == 2 and "--tims" in capsys.readouterr().err           # a misspelt name is an error
    with pytest.raises(SystemExit):
        cli.main(["run", str(job), "--nombers", "3"])
    assert "did you mean --numbers?" in capsys.readouterr().err
    assert cli.main(["run", str(tmp_path / "no.ipynb")]) == 2 and "neither a file" in capsys.readouterr().err
    assert cli.main(["run", str(job), str(tmp_path / "numbers.txt"), "--times", "4", "--run-dir",
                     str(tmp_path / "y"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 26 and (tmp_path / "y" / "total.ipynb").exists()


def test_words_of_the_command_are_no_parameters(tmp_path, capsys):
    for word in ("json", "command"):
        path = write_run_notebook(tmp_path / f"{word}.ipynb", f'{word}: str = "" # taken', "1")
        assert cli.main(["run", str(path)]) == 2 and f"cannot be called {word}" in capsys.readouterr().err
    (tmp_path / "broken.ipynb").write_text("{ nope")
    assert cli.main(["run",
                     str(tmp_path / "broken.ipynb")]) == 2 and "not a notebook" in capsys.readouterr().err
    (tmp_path / "c.yaml").write_text("n: 1\nn: 2")
    assert cli.main(["demo", "--config",
                     str(tmp_path / "c.yaml")]) == 2 and "stands there twice" in capsys.readouterr().err


def test_an_empty_choice_is_not_all(tmp_path, capsys):
    "`--only \"$RUNS\"` with nothing in RUNS"
    path = write_run_notebook(tmp_path / "n.ipynb", "a: int = 1 # a number", "1")
    (tmp_path / "g.yaml").write_text(f"notebook: {path}\nfolder: {tmp_path / 'out'}\ngrid: {{a: [1, 2]}}")
    for flag in ("--only", "--shard"):
        assert cli.main(["batch", str(tmp_path / "g.yaml"), flag,
                         ""]) == 2 and not (tmp_path / "out").exists()


def test_json_has_no_nan(tmp_path, capsys):
    (tmp_path / "summary.json").write_text('{"found": NaN, "table": [{"effect": Infinity, "n": 1}]}')
    assert cli._print_summary(tmp_path, tmp_path / "n.ipynb", SimpleNamespace(json=True)) == 0
    said = json.loads(capsys.readouterr().out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert said["found"] is None and said["table"] == [dict(effect=None, n=1)]


def test_a_reader_that_has_read_enough():
    done = subprocess.run(f"{sys.executable} -c 'import sys; from rate_nb.batch.cli import main; "
                          f"sys.exit(main([\"runs\"]))' | head -1; exit ${{PIPESTATUS[0]}}", shell=True,
                          executable="/bin/bash", capture_output=True, text=True)
    assert not done.stderr and done.returncode in (0, 141) and done.stdout.count("\n") == 1, done.stderr


def test_papermill_alone_says_what_it_does_not_know(tmp_path):
    "A run notebook that begins with check_injected turns papermill's warning into an error"
    run = lambda *p: subprocess.run([sys.executable, "-m", "papermill", "--no-progress-bar",
                                     str(run_notebooks()["grid_summary"]), str(tmp_path / "out.ipynb"), *p],
                                    capture_output=True, text=True, cwd=tmp_path)
    done = run("-p", "metod", "bh")
    assert done.returncode != 0 and "did you mean 'method'?" in done.stderr and not (
        tmp_path / "grids").exists()


def test_bash_completes_commands_and_flags(tmp_path, capsys):
    assert cli.main(["completion", "bash"]) == 0
    (tmp_path / "rate_nb.sh").write_text(capsys.readouterr().out)
    ask = ("source {f}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=(); "
           "$(complete -p rate_nb | sed -E 's/.*-F ([^ ]+).*/\\1/') rate_nb; "
           """printf '%s\\n' "${{COMPREPLY[@]}}" """)
    complete = lambda *words: subprocess.run(["bash", "-c",
                                              ask.format(f=tmp_path / "rate_nb.sh", words=" ".join(words))],
                                             capture_output=True, text=True).stdout.split()
    assert complete("rate_nb", "cal") == ["calibrate"] and "batch" in complete("rate_nb", "ba")
    assert "--reward-model" in complete("rate_nb", "audit", "--rew")
    assert complete("rate_nb", "completion", "z") == ["zsh"]
    for shell, sign in (("zsh", "#compdef rate_nb"), ("fish", "complete -c rate_nb")):
        assert cli.main(["completion", shell, "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert said["shell"] == shell and sign in said["script"] and "calibrate" in said["script"]


def test_a_dry_run_in_json():
    process = subprocess.Popen([RATE_NB, "sandbox", "--port", "0", "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        assert json.loads(process.stdout.readline())["base_url"].startswith("http://127.0.0.1:")
    finally:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and json.loads(out) == dict(requests=0, answered=0), err


def test_the_verdict_stands_above_the_numbers(tmp_path, monkeypatch, capsys):
    ("What the checks of an audit refuse is not printed as if it were a finding; the demo says the truth "
     "beside it")
    verdicts = pd.DataFrame([("m", "rewriter's style", "failed", "Failed: compliance."),
                           ("m", "originals' style", "failed", "Failed, too.")],
                          columns=["model", "claim", "verdict", "headline"])
    effects = pd.DataFrame(dict(model="m", estimator=["naive", "rate"], estimand="ATE", estimate=[1.5, .29],
                                ci_low=[1., .2], ci_high=[2., .4], n=9, n_treated=4, n_untreated=5,
                                n_missing_treated=0, n_missing_untreated=0))
    def run(notebook, output, values, stream):
        effects.to_csv(output.parent / "effects.csv")
        verdicts.to_csv(output.parent / "claims.csv", index=False)
        (output.parent / "diagnosis.csv").write_text("check\n")
        pd.DataFrame(dict(estimand=["ATE"], truth=[.305])).to_csv(output.parent / "truth.csv")
        (output.parent / "paid.json").write_text('{"rewrite_calls": 0, "dollars": 0, "forward_passes": 0}')
    monkeypatch.setattr(cli, "run_notebook", run)
    demo = ["demo", "--run-dir", str(tmp_path / "x")]
    assert cli.main(demo) == 0
    said = capsys.readouterr()
    assert said.out.index("Failed: compliance.") < said.out.index("estimator")
    assert "True effect +0.305 · RATE +0.290 · naive +1.500" in said.out and "already" not in said.err
    assert cli.main([*demo, "--json"]) == 0
    said = capsys.readouterr()
    words = json.loads(said.out)
    assert (words["verdicts"] == {"rewriter's style": "failed", "originals' style": "failed"}
            and words["headlines"]["rewriter's style"] == "Failed: compliance."
            and Path(words["diagnosis"]).exists()
            and "what is there already" in said.err)
    # the command's exit code follows the verdict where that was asked for
    assert [cli.main([*demo, "--fail-on", worst]) for worst in ("failed", "inconclusive")] == [3, 3]
    assert "`fail_on`" not in capsys.readouterr().err
    open_ = verdicts.assign(model="a", verdict="inconclusive", headline="Inconclusive.")
    verdicts = pd.concat([open_, verdicts])
    (tmp_path / "texts.csv").write_text("prompt,response,w\na,b,1\nc,d,0\n")
    # a truth that was left there is not that of these texts
    assert cli.main([*demo, "--examples", str(tmp_path / "texts.csv")]) == 0
    said = capsys.readouterr().out
    assert ("True effect" not in said
            and "a: Inconclusive." in said
            and "m: Failed: compliance." in said)
    assert cli.main([*demo, "--json"]) == 0
    graded = json.loads(capsys.readouterr().out)["verdicts"]
    assert {m: said["rewriter's style"] for m, said in graded.items()} == dict(a="inconclusive", m="failed")


def test_what_is_wrong_is_said_in_flags(tmp_path, capsys):
    run_dir = ["--run-dir", str(tmp_path / "x")]
    assert cli.main(["demo", "--examples", "missing.csv", "--n", "six", "--draws", "0", *run_dir]) == 2
    said = capsys.readouterr().err
    assert ("--examples: no such file 'missing.csv'" in said and "--n must be of type int" in said
            and "--draws: must be at least 1" in said and ".ipynb" not in said)
    # and no kernel was started
    assert not (tmp_path / "x").exists()
    for words, meant, usage in ((["audit", "--atribute", "length"], "--attribute", "rate_nb audit"),
                                (["adit"], "audit", "rate_nb")):
        with pytest.raises(SystemExit) as end:
            cli.main(words)
        assert (end.value.code == 2
                and f"did you mean {meant}?" in (said := capsys.readouterr().err)
                and f"usage: {usage} [" in said and said.count("\n") <= 2)
    with pytest.raises(SystemExit):
        cli.main(["batch", "--only"])
    assert "did you mean" not in capsys.readouterr().err


def test_a_misspelt_word_is_answered_with_the_nearest_one(tmp_path, capsys):
    "Flag, command, choice, value, key of a file, column"
    texts, config, grid = tmp_path / "texts.csv", tmp_path / "a.yaml", tmp_path / "grid.yaml"
    texts.write_text("question,answer\nWhy?,Because.\nHow?,Slowly.")
    config.write_text("atribute: length\ngrading: {margn: .1}")
    grid.write_text("grid: {attribute: [lenght]}")
    audit = ["audit", str(texts), "--reward-model", "demo", "--rewriter-model", "m", "--run-dir",
             str(tmp_path / "x")]
    for words, meant in (
        (["audit", "--no-boht"], ["--no-both"]), (["store", "x.sqlite", "--verfy"], ["--verify"]),
        (["completion", "bsh"], ["bash"]), (["run", "adit"], ["'audit'"]),
        ([*audit, "--attribute", "Lenght"], ["'length'"]), ([*audit, "--mode", "btach"], ["'batch'"]),
        ([*audit, "--engine", "rey"], ["'ray'"]), ([*audit, "--fail-on", "faild"], ["'failed'"]),
        ([*audit, "--format", "imdb-lenght"], ["'imdb-length'"]),
        ([*audit, "--config", str(config)], ["'attribute'"]),
        ([*audit, "-p", "grading.margn=1"], ["'margin'"]),
        ([*audit, "-p", "examples.columns={prompt: qestion, response: anser}"], ["'question'", "'answer'"]),
        (["batch", str(grid), "--notebook", "adit"], ["'audit'"]),
        (["batch", str(grid), "--folder", str(tmp_path / "y"), "--check"], ["'length'"]),
    ):
        try:
            code = cli.main(words)
        except SystemExit as end:
            code = end.code
        said = capsys.readouterr()
        assert code == 2 and all(f"did you mean {m}?" in said.err + said.out for m in meant), (words, said)
    assert not (tmp_path / "x").exists()


def test_the_grid_in_the_help_is_one(capsys, tmp_path):
    with pytest.raises(SystemExit):
        cli.main(["batch", "--help"])
    text = capsys.readouterr().out.split("a grid.yaml:\n")[1].split("exit codes")[0]
    (tmp_path / "texts.csv").write_text("")
    for m in "ab":
        (tmp_path / f"model-{m}").mkdir()
        (tmp_path / f"model-{m}" / "config.json").write_text("{}")
    said = yaml.safe_load(text)
    said["parameters"]["examples"] = str(tmp_path / "texts.csv")
    said["grid"]["reward_model"] = [str(tmp_path / "model-a"), str(tmp_path / "model-b")]
    grid = read_grid(said)
    assert len(grid.good) == 4 and not grid.rejected
    with pytest.raises(InputError, match="under `grid:`"):
        read_grid(dict(attribute=["length"]))


def test_the_command_can_be_called_without_its_script():
    done = subprocess.run([sys.executable, "-m", "rate_nb", "runs", "--json"], capture_output=True, text=True)
    assert done.returncode == 0 and set(json.loads(done.stdout)) == set(run_notebooks()), done.stderr
    assert subprocess.run([sys.executable, "-m", "rate_nb", "nothing"], capture_output=True).returncode == 2


SLEEPER = """import os, time
from pathlib import Path
Path(run_dir, "pid").write_text(str(os.getpid()))
time.sleep(90)"""


def appears(path, process, seconds=60):
    "What a file holds, as soon as it does"
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        if path.is_file() and (said := path.read_text()):
            return said
        time.sleep(.1)
    raise AssertionError((path, process.communicate(timeout=5)))


@pytest.mark.slow("ten commands that are stopped, each with a kernel")
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("who", ["parent", "kernel", "the grid's parent", "worker", "the worker's kernel"])
def test_a_stop_ends_in_one_line_whichever_process_gets_it(tmp_path, who, how):
    path = write_run_notebook(tmp_path / "sleeper.ipynb", 'a: int = 1 # a number\nrun_dir: str = "x" # where',
                              SLEEPER)
    words, at = ["run", str(path), "--run-dir", str(tmp_path / "out")], tmp_path / "out" / "pid"
    if "parent" != who != "kernel":
        (tmp_path / "g.yaml").write_text(f"notebook: {path}\nfolder: {tmp_path / 'out'}\ngrid: {{a: [1, 2]}}")
        words = ["batch", str(tmp_path / "g.yaml")]
    process = subprocess.Popen([sys.executable, "-m", "rate_nb", *words], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    if words[0] == "batch":
        until = time.monotonic() + 60
        while not (found := list(tmp_path.glob("out/runs/*/pid"))) and time.monotonic() < until:
            time.sleep(.1)
        at = found[0]
    kernel = int(appears(at, process))
    record = at.parent / "run.json"
    number = {"kernel": kernel, "the worker's kernel": kernel,
              "worker": record.exists() and json.loads(record.read_text())["process"]}.get(who, process.pid)
    os.kill(number, getattr(signal, how))
    began = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert process.returncode == dict(SIGINT=130, SIGTERM=143)[how], (process.returncode, out, err)
    word = dict(SIGINT="interrupted", SIGTERM="stopped")[how]
    last = err.strip().splitlines()[-1]
    assert last == f"rate_nb {words[0]}: {word}; the same command goes on from here"
    assert "Traceback" not in err + out and "Exception" not in err + out, err
    assert time.monotonic() - began < 30
    if words[0] == "run":
        assert len(err.strip().splitlines()) == 2, err # where it runs, and that it was stopped
    else:
        assert json.loads(record.read_text())["status"] == "interrupted"
    until = time.monotonic() + 15
    while Path(f"/proc/{kernel}").exists() and time.monotonic() < until:
        time.sleep(.1)
    assert not Path(f"/proc/{kernel}").exists()


README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPED = [shlex.split(line, comments=True)
         for block in re.findall(r"```sh\n(.*?)```", README, re.S)
         for line in block.replace("\\\n", " ").splitlines() if line.strip()]
TYPED += [shlex.split(c) for c in re.findall(r"`(rate_nb [a-z][^`]+)`", README)]
OURS = [words for words in TYPED if words[0] == "rate_nb"]


@pytest.fixture
def clone(tmp_path, monkeypatch):
    "A folder as the README's reader has it, where runs may be left"
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", OURS, ids=" ".join)
def test_each_command_of_the_readme_is_one(words, clone):
    "As typed: every flag is known, every file is there, no value breaks a rule"
    if "--help" in words:
        return
    args = cli._parser().parse_args(words[1:])
    if words[1] == "batch":
        grid = read_grid(args.grid)
        assert grid.good and not grid.rejected, grid.rejected
    elif words[1] in run_notebooks():
        defaults, needed = next((d, n) for name, _, _, d, n in cli._run_commands() if name == words[1])
        assert cli._validated(args, run_notebooks()[words[1]], defaults, needed)


def test_the_readme_says_how_the_command_is_found():
    make = [words[1] for words in TYPED if words[0] == "make"]
    targets = re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert make and set(make) <= set(targets)
    assert 0 <= TYPED.index([".", ".venv/bin/activate"]) < TYPED.index(OURS[0])
    for name in ("code.yaml", "grid.yaml"):
        said = re.search(rf"```yaml\n# docs/examples/{name}\n(.*?)```", README, re.S)[1]
        assert said == (ROOT / "docs" / "examples" / name).read_text(encoding="utf-8")


@pytest.mark.slow("the commands of the README, as typed")
def test_each_command_of_the_readme_runs(clone):
    with commands() as run:
        for words in OURS:
            code, said = run(words[1:], clone, OPENAI_API_KEY="...")
            missing = "--real" in words and "missing: " in said # real models or data are not here
            assert code == (2 if missing else 0), (words, said)
            assert "Traceback" not in said, (words, said)
    for report in ("audits/dry", "grids/example", "calibrations/scores"):
        assert (clone / report / "report.html").exists(), report


def test_a_newcomer_sees_what_there_is(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    said = capsys.readouterr().out
    headings = re.findall(r"(?m)^(\w[\w ]+):$", said)
    assert end.value.code == 0 and headings[0] == "audit" and said.count("\n") <= 40 # a screen
    tools = re.search(r"(?m)^tools: (.*)$", said)[1].split(", ")
    assert {line.split()[0] for line in re.findall(r"(?m)^  \w.*$", said)} | set(tools) == set(COMMANDS)
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert end.value.code == 2 and "which command?" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["adit"])
    said = capsys.readouterr().err
    assert "there is no command 'adit'; `rate_nb --help` lists them; did you mean audit?" in said


def test_quiet_says_the_result_alone_and_a_log_keeps_all(tmp_path, monkeypatch, capsys):
    def run(notebook, output, values, stream):
        print("at work", file=stream or sys.stdout)
        (output.parent / "summary.json").write_text('{"total": 2.5, "of": {"a": 1}, "none": null}')
    monkeypatch.setattr(cli, "run_notebook", run)
    words = ["calibrate", "--run-dir", str(tmp_path / "x"), "--log-file", str(tmp_path / "log.txt")]
    assert cli.main([*words, "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert not err and "total: 2.5\nof: a: 1" in out and "none" not in out and "at work" not in out
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    assert "Running calibrate" in err and "at work" in out
    log = (tmp_path / "log.txt").read_text()
    assert log.count("at work") == 2 and log.count("Running calibrate") == 2 and log.count("total: 2.5") == 2
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", line) for line in log.splitlines())
    assert cli.main([*words[:3], "--quiet", "--gamma", "x"]) == 2 and "--gamma" in capsys.readouterr().err
    assert cli.main([*words[:3], "--log-file", str(tmp_path)]) == 2
    assert "`--log-file`" in capsys.readouterr().err


def test_an_empty_run_dir_is_no_folder(tmp_path, monkeypatch):
    from rate_nb.audit.run_folder import usable_folder
    from rate_nb.batch.notebooks import parameter_faults
    monkeypatch.chdir(tmp_path)
    for empty in ("", "  "):
        with pytest.raises(RunFolderError, match="is empty; name a folder"):
            usable_folder(empty)
        for name in ("calibrate", "audit"):
            assert "`run_dir` is empty" in parameter_faults(run_notebooks()[name], dict(run_dir=empty))[1][0]
    assert not list(tmp_path.iterdir())


def test_the_readme_has_two_small_pictures():
    shown = re.findall(r"!\[([^\]]+)\]\(([^)]+)\)", README)
    assert [path for _, path in shown] == ["docs/report.png", "docs/formatting.png"]
    assert all(len(words) > 40 for words, _ in shown) # for those who cannot see them
    for _, path in shown:
        picture = (ROOT / path).read_bytes()
        assert picture.startswith(b"\x89PNG") and len(picture) < 150_000


def test_a_run_that_failed_was_not_stopped():
    "Its kernel is ended by a signal as well, but after the error"
    of = lambda ename: _run_error(SimpleNamespace(ename=ename, evalue="why"), "x.failed.ipynb", [-15])
    assert isinstance(of("InputError"), RunError) and isinstance(of("ZeroDivisionError"), RunError)
    assert of("DeadKernelError").code == 143 and of("KeyboardInterrupt").code == 130
    killed = _run_error(SimpleNamespace(ename="DeadKernelError", evalue=""), "x.failed.ipynb", [-9])
    assert isinstance(killed, RunError) and "out of memory" in str(killed)


def test_a_plan_in_json_has_numbers_and_flags(tmp_path, monkeypatch, capsys):
    "Notes name flags, not arguments of Python; what is unknown is null"
    (tmp_path / "t.csv").write_text("prompt,response,w\na,b,0\nc,d d d,1\n")
    def run(notebook, output, values, stream):
        said = dict(plan="8 calls", notes=["Add both=True, draws=2", "4 labels are yours"],
                    table=[{"step": "rewrites", "at most": 8, "of what": "both=True: 8 more"}],
                    numbers=dict(calls=8, dollars=None, prompt_tokens=dict(low=1, expected=2, high=3)))
        (output.parent / "plan.json").write_text(json.dumps(said))
    monkeypatch.setattr(cli, "run_notebook", run)
    words = ["audit", str(tmp_path / "t.csv"), "--base-url", "sandbox", "--reward-model", "demo", "--plan",
             "--run-dir", str(tmp_path / "x")]
    assert cli.main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["numbers"]["calls"] == 8 and said["numbers"]["dollars"] is None
    assert said["notes"][0] == "Add --both, --draws 2" and said["table"][0]["at most"] == 8
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    assert "--both: 8 more" in shown and "True" not in shown and "{" not in shown and "  - 4 labels" in shown


def test_a_grade_names_flags(tmp_path):
    headline = "inconclusive. Not decided, and what would decide it: same-target placebo (both=True)."
    said = dict(model="m", claim="rewriter's style", verdict="inconclusive", headline=headline)
    pd.DataFrame([said]).to_csv(
        tmp_path / "claims.csv", index=False)
    asked = dict(examples="demo", rewriter="demo", reward="demo")
    lines, words = cli._verdict_lines(tmp_path, SimpleNamespace(run_values=asked))
    assert lines == [headline.replace("both=True", "--both")] == list(words["headlines"].values())
    no_audit = SimpleNamespace(run_values=None)  # it has no such flag
    assert cli._verdict_lines(tmp_path, no_audit)[0] == [headline]


def test_an_audit_ends_with_its_effects_and_its_grade_in_flags(tmp_path, monkeypatch, capsys):
    "What is printed once the notebook has run, on the files that it leaves"
    (tmp_path / "t.csv").write_text("prompt,response,w\na,b,0\nc,d d d,1\n")
    row = dict(model="m", estimator="rate", estimand="ATE", estimate=.3, ci_low=.2, ci_high=.4, n=2,
               n_treated=1, n_untreated=1, n_missing_treated=0, n_missing_untreated=0)
    headline = "inconclusive. Not decided, and what would decide it: same-target placebo (both=True)."
    def run(notebook, output, values, stream):
        pd.DataFrame([row]).to_parquet(output.parent / "effects.parquet")
        verdicts = [dict(model="m", claim="rewriter's style", verdict="inconclusive", headline=headline)]
        pd.DataFrame(verdicts).to_csv(output.parent / "claims.csv", index=False)
        paid = dict(dollars=0, rewrite_calls=4, forward_passes=6)
        (output.parent / "paid.json").write_text(json.dumps(paid))
    monkeypatch.setattr(cli, "run_notebook", run)
    words = ["audit", str(tmp_path / "t.csv"), "--base-url", "sandbox", "--reward-model", "demo",
             "--run-dir", str(tmp_path / "x")]
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    assert "placebo (--both)" in shown and "4 rewrite calls" in shown and "both=True" not in shown
    assert cli.main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdicts"] == {"rewriter's style": "inconclusive"}
    assert cli.main([*words, "--fail-on", "inconclusive"]) == 3


def test_a_recipe_says_at_once_which_option_it_does_not_know():
    from rate_nb.scoring.ray_engine import RewardRecipe
    load = lambda path, dtype="float32": None
    with pytest.raises(InputError, match="unexpected keyword argument 'dtyp'; it takes path, dtype"):
        RewardRecipe(load, "a-model", dtyp="float16")
    assert RewardRecipe(load, "a-model", dtype="float16").name == "a-model"


@pytest.mark.parametrize("words, says", [
    (("audit", "rows.csv", "--rewriter-model", "m", "--reward-model", "demo", "--base-url", "http://[::1]:9/v1"),
     r"""Did you mean 'promt' for `prompt`\?.* -p "examples\.columns={'prompt': 'promt'}", or"""),
    (("calibrate", "rows.csv"), "has no column `reward`"),
    (("rm_bench", "rows.json"), "`chosen` is missing in every row"),
])
def test_a_wrong_column_starts_no_kernel_and_leaves_no_file(words, says, tmp_path, monkeypatch, capsys):
    (tmp_path / "rows.csv").write_text("promt,response,w\na,b,1\nc,d,0\n")
    (tmp_path / "rows.json").write_text('[{"id": 1, "promt": "x"}]')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "run_notebook", lambda *_, **__: pytest.fail("a kernel was started"))
    assert cli.main(list(words)) == 2
    assert re.search(says, capsys.readouterr().err, re.S)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rows.csv", "rows.json"]


def test_a_summary_stands_in_the_folder_of_its_grid(tmp_path, monkeypatch):
    asked = {}
    def run(notebook, output, values, stream):
        asked.update(output=output, **values)
    monkeypatch.setattr(cli, "run_notebook", run)
    monkeypatch.setattr(cli, "_print_summary", lambda *a, **k: 0)
    monkeypatch.setattr(cli, "_check_inputs", lambda notebook, values: None) # it is the folder of no grid
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g").mkdir()
    assert cli.main(["grid_summary", "g"]) == 0
    assert asked["grid"] == asked["run_dir"] == "g" and Path(asked["output"]).parent == Path("g")


def test_init_writes_a_file_whose_plan_runs(tmp_path, capsys, monkeypatch):
    "Columns under other names, a label column, preference pairs; and nothing that is there is lost"
    monkeypatch.chdir(tmp_path)
    rows = [dict(Question=f"Why {i}?", answer="Because " + "it is so. "*i, label=i % 2) for i in range(1, 7)]
    pd.DataFrame(rows).to_csv("my texts.csv", index=False)
    pairs = pd.DataFrame(dict(prompt=["Why?", "How?"], chosen=["It is so, you see.", "Slowly and well."],
                              rejected=["So.", "Fast."]))
    pairs.to_json("pairs.jsonl", orient="records", lines=True)
    (tmp_path / "audit.yaml").write_text("mine")
    assert cli.main(["init", "my texts.csv"]) == 2 and "--force" in capsys.readouterr().err
    assert (tmp_path / "audit.yaml").read_text() == "mine"
    assert cli.main(["init", "my texts.csv", "--force"]) == 0
    assert "column 'Question' is the prompt, column 'answer' is the response" in capsys.readouterr().out
    assert "# w: label" in (tmp_path / "audit.yaml").read_text()
    assert cli.main(["init", "pairs.jsonl", "--to", "pairs.yaml"]) == 0
    assert cli.main(["init", "my texts.csv", "--to", str(tmp_path), "--force"]) == 2
    assert cli.main(["init", "my texts.csv", "--to", "x.yaml", "--response", "anser"]) == 2
    assert "did you mean 'answer'" in capsys.readouterr().err and not (tmp_path / "x.yaml").exists()
    for config, folder, n in (("audit.yaml", "my-texts", 6), ("pairs.yaml", "pairs", 4)):
        assert cli.main(["audit", "--config", config, "--plan"]) == 0
        planned = json.loads((tmp_path / "audits" / folder / "plan.json").read_text())
        assert planned["table"][0]["at most"] == n
        # a column is no option, whatever it is called
        assert "-p rewriter" not in capsys.readouterr().out


def two_attributes(folder):
    return ["demo", "--n", "24", "--draws", "1", "--depth", "2", "--no-both", "--run-dir", str(folder)]


def test_several_attributes_are_planned_as_a_grid(tmp_path, capsys):
    folder = tmp_path / "two"
    demo = two_attributes(folder)
    assert cli.main([*demo, "--attribute", "length,sentimnt"]) == 2
    assert "--attribute: 'sentimnt'" in capsys.readouterr().err and not folder.exists()
    assert cli.main([*demo, "--attribute", "length, sentiment", "--plan"]) == 0
    assert "sentiment  waiting" in capsys.readouterr().out and not folder.exists()


@pytest.mark.slow("a demo")
def test_a_demo_counts_each_prompt_once(tmp_path, capsys):
    flags = two_attributes(tmp_path / "run")
    assert cli.main([*flags, "-p", "grading.estimand_over=each"]) == 2
    assert "'each prompt once', not 'each'" in capsys.readouterr().err
    assert cli.main([*flags, "-p", "grading.estimand_over=each prompt once"]) == 0
    assert "each prompt counted once" in capsys.readouterr().out.lower()
    run = tmp_path / "run"
    assert json.loads((run / "manifest.json").read_text())["intervals"]["estimand_over"] == "each prompt once"
    assert "estimand_over: each prompt once" in (run / "audit.yaml").read_text()


@pytest.mark.slow
def test_several_attributes_end_in_one_table(tmp_path, capsys, forked_workers):
    folder = tmp_path / "two"
    demo = two_attributes(folder)
    (tmp_path / "two.yaml").write_text("attribute: [length, sentiment]\nfail_on: inconclusive")
    assert cli.main([*demo, "--config", str(tmp_path / "two.yaml"), "--json"]) == 3 # few prompts, one draw
    said = json.loads(capsys.readouterr().out)
    assert list(said["attributes"]) == ["length", "sentiment"] == [r["attribute"] for r in said["effects"]]
    for name, words in said["attributes"].items():
        assert name in words["answers"][0]["sentence"] and "itself=" not in str(words["headlines"])
    reports = list(folder.glob("runs/*/report.html"))
    assert len(reports) == 2 and (folder / "report.html").exists()
    # the same command again has nothing left to do
    assert cli.main([*demo, "--config", str(tmp_path / "two.yaml"), "--plan"]) == 0
    assert capsys.readouterr().out.count(" done ") == 2


def test_a_reward_by_a_path_from_the_root_is_looked_for(tmp_path, capsys):
    "A function, scores and a server: none is a folder"
    (tmp_path / "f.py").write_text("def reward(prompts, responses): return [len(r) for r in responses]")
    audit = ["demo", "--n", "12", "--run-dir", str(tmp_path / "x"), "--plan", "--reward-model"]
    assert cli.main([*audit, f"{tmp_path / 'f.py'}:reward"]) == 0
    for wrong, why in ((f"{tmp_path / 'f.py'}:rewrad", "did you mean 'reward'"),
                       (f"{tmp_path / 'no.py'}:reward", "no such file"),
                       (str(tmp_path / "s.csv"), "no such file"),
                       (str(tmp_path / "no"), "no such folder")):
        assert cli.main([*audit, wrong]) == 2 and why in capsys.readouterr().err


def test_no_minus_stands_before_zero():
    table = cli._rounded(pd.DataFrame(dict(model=["m"], n=[0], a=[-.00001], b=[-.5])), 3)
    assert "-0.0" not in table[["a"]].to_string() and table.b[0] == -.5 and table.n.dtype == int


def test_a_fault_of_a_file_is_named_by_its_key(tmp_path, capsys):
    "What a flag says instead is the flag's fault"
    config = tmp_path / "a.yaml"
    config.write_text("examples: demo\nrewriter: sandbox\nreward: {kind: demo, nam: x}\n"
                      "engine: rey\ngrading: {margin: -1}\nfail_on: never")
    audit = ["audit", "--config", str(config), "--run-dir", str(tmp_path / "x"), "--plan"]
    assert cli.main([*audit, "--delta", "-1", "--fail-on", "ever"]) == 2
    said = capsys.readouterr().err
    for place in ("reward.nam", "engine", "grading.margin"):
        assert f"`{place}` in {config} " in said, said
    assert "--delta must be at least 0" in said and "--fail-on must be one of" in said
    assert "--engine" not in said
    config.write_text("examples: demo\nrewriter: sandbox\nreward: demo\ndraws: two")
    assert cli.main(audit) == 2 and f"`draws` in {config} must be of type int" in capsys.readouterr().err
    assert cli.main([*audit, "--draws", "three"]) == 2 and "--draws must be" in capsys.readouterr().err
    # by a dotted name, in `specification`, or by a name that nothing has: the file is named, and no flag
    for text, place in (("reward.nam: x", "reward.nam"), ("specification: {reward.nam: x}", "reward.nam"),
                        ("reward: demo\nname: x", "name")):
        config.write_text(f"examples: demo\nrewriter: sandbox\n{text}")
        assert cli.main(audit) == 2
        said = capsys.readouterr().err
        assert f"`{place}` in {config} " in said and "-p " not in said, said


def test_a_remedy_names_the_key_of_the_file_that_says_it():
    asked = dict(examples="rows.csv", rewriter="demo", reward="demo")
    args = SimpleNamespace(run_values=asked, sources=("a.yaml", dict(draws=1, examples=dict(n=9)), ["depth"]))
    assert cli._advice_in_flags("draws=2, `columns`, both=True, depth=3", args) == (
        "`draws: 2` in a.yaml, `examples.columns` in a.yaml, --both, --depth 3")


def test_every_field_is_listed_once_and_below_its_own_section():
    from rate_nb.audit.specification import help_text
    lines = help_text().splitlines()
    assert lines.count("  attribute.label of kind regex:") == 1 and "  attribute of kind regex:" not in lines
    assert lines.count("  reward of kind classifier:") == lines.count("  attribute of kind custom:") == 1


@pytest.mark.parametrize("words", [["--help"], ["audit", "--help"], ["audit", "--atribute", "length"]])
def test_help_and_a_mistake_in_a_flag_load_no_tables(words):
    "They are what a person waits for most often: a fifth of a second instead of one and a half"
    code = """
import sys
from rate_nb.batch.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("LOADED", {"pandas", "torch", "openai"} & set(sys.modules))"""
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60)
    assert done.stdout.endswith("LOADED set()\n"), done.stdout[-300:] + done.stderr[-300:]


@pytest.mark.parametrize("ending", ["", "import os; os.kill(os.getpid(), 9)"])
def test_a_run_saves_its_notebook_a_few_times_and_whole(ending, tmp_path, monkeypatch):
    import nbformat, papermill.engines
    from rate_nb.batch import run_notebook
    saves, write = [], papermill.engines.write_ipynb
    monkeypatch.setattr(papermill.engines, "write_ipynb", lambda *a: saves.append(a) or write(*a))
    path = write_run_notebook(tmp_path / "n.ipynb", "a: int = 1 # a number", "print(0)")
    book = nbformat.read(path, 4)
    book.cells += [nbformat.v4.new_code_cell(f"print({i})") for i in range(1, 20)]
    book.cells.append(nbformat.v4.new_code_cell(ending))
    nbformat.write(book, path)
    if ending:
        with pytest.raises(RunError, match="the kernel died") as error:
            run_notebook(path, tmp_path / "out.ipynb")
        saved = error.value.notebook
    else:
        saved = run_notebook(path, tmp_path / "out.ipynb")
    outputs = [o for c in nbformat.read(saved, 4).cells for o in c.get("outputs", ())]
    said = [o.text.strip() for o in outputs if "text" in o]
    assert said == [str(i) for i in range(20)]
    assert len(saves) <= (2 if ending else 1) # not two a cell; the last one is papermill's own


@pytest.mark.parametrize("config, said", [
    (dict(rewriter=dict(base_url="http://x/v1", model="m")), "`rewriter.base_url` in c.yaml"),
    ({"rewriter.base_url": "http://x/v1", "rewriter.model": "m"}, "`rewriter.base_url` in c.yaml"),
    (dict(examples="demo"), "`--base-url`")])
def test_advice_names_the_key_of_a_file_that_holds_the_setting(config, said):
    values = dict(examples="demo", reward="demo", rewriter=dict(base_url="http://x/v1", model="m"))
    args = SimpleNamespace(flags=[], run_source="demo", run_values=values, sources=("c.yaml", config, []))
    assert cli._advice_in_flags("a web page: is `base_url` the address?", args) == (
        f"a web page: is {said} the address?")
