"Grids of runs: checked before they start, killed, resumed, divided, and never paid for twice."
import json, os, shutil, signal, subprocess, sys, time
from collections import Counter
from pathlib import Path
import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from rate_nb.batch import cli
from rate_nb.batch.notebooks import (
    write_run_notebook as notebook)
from rate_nb.base.core import InputError, in_dollars
from rate_nb.batch.grid_plan import chosen_runs, read_grid
from rate_nb.batch.grid import (
    combine_effects, LiveTable, read_runs, run_grid, stand_table, takes_locks)
from rate_nb.diagnostics.verdicts import CLAIMS
from rate_nb.theory.text_world import planted_grid
from rate_nb.batch.grid import grid_effects, grid_report
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.base.store import Store
from rate_nb.base.store import lock
from rate_nb.theory.text_world import TextWorld

RATE_NB = str(Path(sys.executable).parent / "rate_nb")
ADD = '''a: int = 1 # a number [at least 0]
b: int = 1 # another
wait: float = 0.0 # seconds
words: str = "" # a file that is read [file]
run_dir: str = "runs/add" # folder for the sum''', '''import csv, time
from pathlib import Path
print(f"adding {a} and {b}", flush=True); time.sleep(wait)
assert b != 13, "13 is not added here"
with open(Path(run_dir) / "effects.csv", "w", newline="") as f:
    csv.writer(f).writerows([["model", "estimate"], ["sum", a + b]])'''
AUDIT = '''examples: str = "" # required: a file of prompts and responses
n: int = 6 # how many of them
attribute: str = "length" # whose effect is measured
reward: str = "r1" # a reward model; its number is how much it likes a character
base_url: str = "" # of the rewriter
scored: str = "" # file that gets a line for each text that is scored
run_dir: str = "runs/small" # folder for the effects
store: str = "" # shared''', '''import hashlib
from pathlib import Path
import pandas as pd
from rate_nb.batch.notebooks import check_injected
from rate_nb.estimators.effects import estimate_effects
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.base.store import Store
from rate_nb.base.store import lock
def like(prompts, responses):
    keys = [hashlib.sha256((p + chr(0) + r).encode()).hexdigest() for p, r in zip(prompts, responses)]
    with open(scored, "a") as f:
        f.writelines(f"{reward} {key}\\n" for key in keys)
    return [int(reward[1:]) * len(r) / 100 for r in responses]
table, kept = pd.read_csv(examples).head(n), Store(store)
rewriter = OpenAIRewriter("sandbox-rewriter", base_url=base_url, store=kept, max_concurrency=2)
with lock(kept, "rewrite", attribute):
    rewrites = double_rewrite(table, attribute, rewriter)
model = CallableReward(reward, like, key="1", batch_size=4)
with lock(kept, "reward", reward):
    rewards = score_rewrites(table, rewrites, model, store=kept, progress=False)
effects = estimate_effects(to_scored(table, rewrites, rewards))
effects.table.to_csv(Path(run_dir) / "effects.csv", index=False)'''


@pytest.fixture
def add(tmp_path): return notebook(tmp_path / "add.ipynb", *ADD)


def started(folder): return sum("adding" in p.read_text() for p in folder.glob("runs/*/log.txt"))


def wait_for(ready, process=None, timeout=120):
    end = time.monotonic() + timeout
    while not ready() and time.monotonic() < end and (process is None or process.poll() is None):
        time.sleep(.05)
    assert ready(), "it did not come to that"


def left(tag):
    "Processes that a tagged command has started, and theirs"
    found = []
    for p in Path("/proc").glob("[0-9]*"):
        try:
            found += [int(p.name)] * (f"GRID_TAG={tag}".encode() in (p / "environ").read_bytes()
                                      and b"\nState:\tZ" not in (p / "status").read_bytes())
        except OSError:
            pass
    return found


def batch(file, *flags, tag="none", **options):
    return subprocess.Popen([RATE_NB, "batch", str(file), *flags],
                            env=os.environ | dict(GRID_TAG=tag, OPENAI_API_KEY="test"),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_a_grid_is_read_strictly(add, tmp_path):
    said = dict(notebook=str(add), parameters=dict(wait=0), grid=dict(a=[1, 2], b=[3]))
    grid = read_grid(said)
    assert [r.values for r in grid.good] == [dict(wait=0., a=1, b=3),
                                             dict(wait=0., a=2, b=3)] and grid.varying == ("a",)
    for wrong, words in ((dict(grids={}), "did you mean 'grid'"), (dict(grid=dict(a=1)), "lists of values"),
                         (dict(runs={}), "must be a list"), (dict(runs=[1]), "does not"),
                         (dict(jobs=0), "1 or more"), (dict(timeout=-1), "0 or more"),
                         (dict(notebook="no such"), "neither a file")):
        with pytest.raises(InputError, match=words):
            read_grid(said | wrong)
    for text, words in (("a: [", "cannot be read"), ("3", "it holds neither")):
        (tmp_path / "g.yaml").write_text(text)
        with pytest.raises(InputError, match=words):
            read_grid(tmp_path / "g.yaml")
    bad = read_grid([dict(a=-1), dict(words="nowhere.txt"), dict(a=1), dict(a=1.0), dict(run_dir="x"),
                     dict(a=[1])], notebook=add)
    assert [bool(r.faults) for r in bad.runs] == [True, True, False, True, True, True]
    assert ("at least 0" in bad.runs[0].faults[0]
            and "is no file" in bad.runs[1].faults[0]
            and "same as set 3" in bad.runs[3].faults[0]
            and "set by the grid" in bad.runs[4].faults[0])
    with pytest.raises(InputError, match="no run '7'"):
        chosen_runs(bad, ["7", "3"])


def test_what_was_not_read_as_it_was_meant(add, tmp_path):
    "Each of these ran something else than was asked for, or ended in a traceback"
    said = dict(notebook=str(add))
    for wrong, words in ((dict(share="no"), "true or false"), (dict(runs=[]), "nothing to do"),
                         (dict(folder=3), "a name or a path"), (dict(notebook=["a"]), "a name or a path"),
                         (dict(jobs=float("inf")), "whole number"),
                         (dict(timeout=float("nan")), "0 or more")):
        with pytest.raises(InputError, match=words):
            read_grid(said | wrong)
    for text, words in (("[]", "nothing to do"), ("grid: {a: [1, 2]}\ngrid: {a: [3]}", "stands there twice"),
                        ("runs:\n- {a: 1, a: 2}", "stands there twice")):
        (tmp_path / "g.yaml").write_text(text)
        with pytest.raises(InputError, match=words):
            read_grid(tmp_path / "g.yaml", notebook=add)
    # `share:` with nothing behind it says nothing
    assert read_grid(said | dict(share=None, jobs=None)).share
    (tmp_path / "base.yaml").write_text("parameters: &p {a: 1}\nruns: [{<<: *p, b: 2}, {<<: *p, b: 3}]")
    # merging is no repetition
    assert [r.values
            for r in read_grid(tmp_path / "base.yaml", notebook=add).good] == [dict(a=1, b=2), dict(a=1, b=3)]
    (tmp_path / "no.ipynb").write_text("{}")
    with pytest.raises(InputError, match="not a notebook"):
        read_grid([dict(a=1)], notebook=tmp_path / "no.ipynb")
    long = read_grid([dict(words="x" * 300)], notebook=add)
    assert "cannot be looked at" in long.rejected[0].faults[0]


def test_names_of_runs_can_be_folders_and_flags(tmp_path):
    odd = notebook(tmp_path / "odd.ipynb", 'text: str = "" # any\nstatus: str = "" # a word of the '
                                           'table\nnote: str = "" # another', "1")
    grid = read_grid(dict(notebook=str(odd), folder=str(tmp_path),
                          grid=dict(text=["", "!!", "\ud83d\ude00", "漢" * 99, "\ud83d"], status=["x", "y"])))
    # half a character is none
    assert (all(r.id[0] not in "-." and len(r.id.encode()) < 256 for r in grid.good)
            and [r.number for r in grid.rejected] == [9, 10])
    for r in grid.good:
        grid.run_folder(r).mkdir(parents=True)
    assert (grid.good[4].values["text"] == "😀"
            and list(stand_table(grid, {})) == ["run", "text", "asked_status", "status", "seconds", "note"])
    alike = read_grid(dict(notebook=str(odd),
                           grid=dict(text=["the same beginning " * 4 + str(i) for i in range(20_000)])))
    # none is taken for another
    assert not alike.rejected


@pytest.mark.slow
def test_failures_timeouts_and_reruns(add, tmp_path, capsys):
    "Each bad end is told apart, keeps its notebook, and holds up nobody"
    sets = [dict(a=1), dict(b=13), dict(a=2), dict(aa=1)]
    file, slow = tmp_path / "grid.yaml", tmp_path / "slow.yaml"
    file.write_text(yaml.safe_dump(dict(notebook=str(add), folder=str(tmp_path / "out"), runs=sets, jobs=2)))
    slow.write_text(yaml.safe_dump(dict(notebook=str(add), folder=str(tmp_path / "slow"), timeout=2,
                                        runs=[dict(wait=900), dict(wait=901)])))
    assert cli.main(["batch", str(file), "--check"]) == 2 and not (tmp_path / "out").exists()
    assert cli.main(["batch", str(file), "--strict"]) == 2 and not (tmp_path / "out").exists()
    capsys.readouterr()
    began = time.monotonic()
    assert cli.main(["batch", str(slow), "--json"]) == 1 and time.monotonic() - began < 120
    late = json.loads(capsys.readouterr().out)["runs"] # one that is stopped does not hold up the next
    assert all(r["status"] == "failed" and "longer than 2 s" in r["note"] for r in late) and len(late) == 2
    assert cli.main(["batch", str(file), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [r["status"] for r in said["runs"]] == ["done", "failed", "done", "rejected"]
    assert (said["exit_code"] == 1 and "13 is not added" in said["runs"][1]["note"]
            and "did you mean 'a'" in said["runs"][3]["note"])
    grid = read_grid(file)
    failed = grid.run_folder(grid.runs[1]) / "add.failed.ipynb"
    assert any(o.get("ename") == "AssertionError" for c in nbformat.read(failed, 4).cells
               if c.cell_type == "code" for o in c.outputs)
    assert Path(said["summary"]).exists() and (grid.folder / "report.html").exists() and pd.read_parquet(
        grid.folder / "effects.parquet").estimate.tolist() == [2, 3]
    stamps = [(grid.run_folder(grid.runs[i]) / "add.ipynb").stat().st_mtime_ns for i in (0, 2)]
    # what is finished is finished
    assert cli.main(["batch", str(file), "--only", "1,3", "--no-summary"]) == 0
    assert cli.main(["batch", str(file), "--only", "4", "--no-summary"]) == 2
    assert stamps == [(grid.run_folder(grid.runs[i]) / "add.ipynb").stat().st_mtime_ns for i in (0, 2)]
    with lock(grid.folder / "workers.log", 1, 1):
        assert subprocess.run([RATE_NB, "batch", str(file)], capture_output=True, text=True).returncode == 75


def test_a_blocked_folder_stops_one_run_only(add, tmp_path):
    grid = read_grid(dict(notebook=str(add), folder=str(tmp_path / "o ut/é"), grid=dict(a=[1, 2])))
    (grid.folder / "runs").mkdir(parents=True)
    grid.run_folder(grid.runs[0]).touch()
    done = run_grid(grid, summary=False, quiet=True)
    assert (done.table.status.tolist() == ["failed", "done"]
            and "cannot be used as a folder" in done.table.note[0]
            and done.exit_code == 1)


def test_a_refused_process_changes_nothing(add, tmp_path):
    "Another grid on a folder that is taken leaves the first one's list of runs alone"
    first = read_grid(dict(notebook=str(add), folder=str(tmp_path / "out"), grid=dict(a=[1, 2])))
    first.save()
    said = (tmp_path / "out" / "grid.json").read_text()
    with lock(first.folder / "workers.log", 1, 1):
        other = subprocess.run([sys.executable, "-c", "from rate_nb.batch import grid; take = grid.lock; "
                                                      "grid.lock = lambda *a, **k: take(*a, patience=.1); "
                                                      f"grid.run_grid(dict(notebook={str(add)!r}, "
                                                      f"folder={str(tmp_path / 'out')!r}, "
                                                      "grid=dict(a=[7])), quiet=True)"], capture_output=True,
                               text=True)
    assert "LockedError" in other.stderr and (tmp_path / "out" / "grid.json").read_text() == said


def test_nobody_has_to_look(add, tmp_path, monkeypatch):
    "A screen that is gone costs the picture; what a run says cannot steer one"
    class Gone:
        def write(self, text): raise BrokenPipeError
        def flush(self): pass
        def isatty(self): return False
    grid = read_grid(dict(notebook=str(add), folder=str(tmp_path), grid=dict(a=[1, 2])))
    table = stand_table(grid,
                        {grid.good[0].id: dict(status="failed", error="two\nlines \x1b[2J\x9b2J\u202e")})
    assert table.note[0] == "two lines 2J"
    monkeypatch.setattr(sys, "stderr", Gone())
    LiveTable()(table)
    LiveTable()(table, last=True)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("how",
                         ["SIGTERM", *(pytest.param(s, marks=pytest.mark.slow("a stop like the other"))
                                       for s in ("SIGINT", "SIGKILL"))])
def test_nothing_is_left_running(add, tmp_path, how):
    "A stop, even kill -9 of the parent alone, takes workers and kernels with it"
    file = tmp_path / "grid.yaml"
    file.write_text(yaml.safe_dump(dict(notebook=str(add), folder=str(tmp_path / "out"),
                                        parameters=dict(wait=90), grid=dict(a=[1, 2]), jobs=1)))
    process = batch(file, tag=f"{tmp_path.name}{how}")
    wait_for(lambda: started(tmp_path / "out") == 1, process)
    # parent, worker, kernel
    assert len(left(f"{tmp_path.name}{how}")) >= 3
    process.send_signal(getattr(signal, how))
    out, err = process.communicate(timeout=60)
    assert process.returncode == dict(SIGINT=130, SIGTERM=143,
                                      SIGKILL=-9)[how] and "Traceback" not in err, err
    wait_for(lambda: not left(f"{tmp_path.name}{how}"), timeout=30)
    statuses = [json.loads(p.read_text())["status"] for p in (tmp_path / "out").glob("runs/*/run.json")]
    assert statuses == ["interrupted"]


def small_grid(tmp_path, url):
    "11 sets, 3 of them bad; rewrites are shared by four rewards, and examples by two sizes"
    TextWorld("length").examples(10, np.random.default_rng(5))[["example_id", "prompt_id", "prompt",
        "response", "w"]].to_csv(tmp_path / "texts.csv", index=False)
    sets = [dict(n=n, reward=f"r{k}") for n in (6, 8) for k in range(1, 5)]
    sets = [*sets[:4], dict(n="six", reward="r1"), *sets[4:6], dict(rewrad="r2"), *sets[6:],
            dict(examples=str(tmp_path / "text.csv"))]
    said = dict(notebook=str(notebook(tmp_path / "small.ipynb", *AUDIT)), folder=str(tmp_path / "out"),
                jobs=2, runs=sets,
                parameters=dict(examples=str(tmp_path / "texts.csv"), base_url=url,
                                scored=str(tmp_path / "scored.txt")))
    (tmp_path / "grid.yaml").write_text(yaml.safe_dump(said))
    return tmp_path / "grid.yaml"


@pytest.mark.slow("8 kernels, and a kill in between")
def test_11_sets_3_bad_and_a_kill(tmp_path):
    ("Rejected ones are named before anything runs; the rerun finishes the rest; nothing is rewritten or "
     "scored twice")
    out, log = tmp_path / "out", tmp_path / "scored.txt"
    with Sandbox(latency=.02) as server:
        file = small_grid(tmp_path, server.base_url)
        with open(tmp_path / "err", "w") as err:
            process = subprocess.Popen([RATE_NB, "batch", str(file)],
                                       env=os.environ | dict(OPENAI_API_KEY="test", GRID_TAG=tmp_path.name),
                                       stdout=err, stderr=err, start_new_session=True)
            wait_for(lambda: sum(json.loads(p.read_text()).get("status") == "done"
                                 for p in out.glob("runs/*/run.json")) >= 3, process, 400)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        wait_for(lambda: not left(tmp_path.name), timeout=30)
        said = (tmp_path / "err").read_text()
        # all three before the first run
        assert said.index("set 11 is rejected") < said.index(": running")
        assert [w in said
                for w in ("set 5 is rejected: `n` must be of type int, not 'six'", "set 8 is rejected: "
                                                                                   "there is no parameter "
                                                                                   "'rewrad'; did you mean "
                                                                                   "'reward'?",
                          "is no file")] == [True, True, False] or "text.csv" in said
        kept = {k: v for k, v in Store(out / "store.sqlite").counts().items()}
        finished = {p.parent.name: (p.parent / "small.ipynb").stat().st_mtime_ns
                    for p in out.glob("runs/*/run.json") if json.loads(p.read_text())["status"] == "done"}
        assert 3 <= len(finished) < 8
        asked, scored = server.served, len(log.read_text().splitlines())
        again = subprocess.run([RATE_NB, "batch", str(file), "--json"],
                               env=os.environ | dict(OPENAI_API_KEY="test"), capture_output=True, text=True,
                               timeout=500)
        assert again.returncode == 2, again.stderr
        keys = server.succeeded
    after = Store(out / "store.sqlite").counts()
    # the rerun asked for what was not kept, each once
    assert len(keys) - asked == after["rewrite"] - kept["rewrite"] and len(set(keys)) == after["rewrite"]
    lines = log.read_text().splitlines()
    assert len(lines) - scored == after["reward"] - kept["reward"] and len(set(lines)) == after["reward"]
    # only a call under way at the kill may have been answered in vain
    assert max(Counter(keys).values()) <= 2 and len(keys) - len(set(keys)) <= asked - kept["rewrite"]
    said = json.loads(again.stdout)
    assert Counter(r["status"] for r in said["runs"]) == dict(done=8,
                                                              rejected=3) and Path(said["summary"]).exists()
    assert all((out / "runs" / run / "small.ipynb").stat().st_mtime_ns == at for run, at in finished.items())
    effects = pd.read_parquet(out / "effects.parquet")
    assert (effects.run.nunique() == 8
            and len(effects) == 8 * 7
            and set(effects.estimator) == {"naive", "single", "rate"})
    summary = nbformat.read(out / "summary.ipynb", 4)
    assert not [o for c in summary.cells if c.cell_type == "code"
                for o in c.outputs if o.output_type == "error"]
    assert "11 runs: 8 done, 3 rejected" in (out / "report.html").read_text()


def test_two_jobs_share_one_store_without_doing_anything_twice(tmp_path):
    "Two runs that want the same rewrites and the same rewards, at the same moment"
    with Sandbox(latency=.02) as server:
        file = small_grid(tmp_path, server.base_url)
        said = yaml.safe_load(file.read_text())
        said["runs"] = [dict(n=6, reward="r1"), dict(n=8, reward="r1")]
        assert takes_locks(tmp_path / "small.ipynb")
        done = run_grid(said, summary=False, quiet=True)
        assert done.exit_code == 0 and len(server.succeeded) == len(set(server.succeeded)) > 0
    lines = (tmp_path / "scored.txt").read_text().splitlines()
    assert len(lines) == len(set(lines)) > 0


@pytest.mark.slow("two whole audits in a grid")
def test_a_grid_of_real_audits(tmp_path, demo_model, forked_workers):
    TextWorld("length").examples(8, np.random.default_rng(5))[["example_id", "prompt_id", "prompt",
        "response", "w"]].to_csv(tmp_path / "texts.csv", index=False)
    grid = read_grid(dict(folder=str(tmp_path / "out"),
                          parameters=dict(examples=str(tmp_path / "texts.csv"), reward_model=str(demo_model)),
                          grid=dict(draws=[1, 2]), jobs=2))
    done = run_grid(grid, quiet=True)
    assert done.exit_code == 0 and set(done.table.status) == {"done"}
    effects = combine_effects(grid.folder)
    assert effects.run.nunique() == 2 and len(effects) == 14 and (
        grid.folder / "report.html").exists() and all((grid.run_folder(r) / "manifest.json").exists()
                                                      for r in grid.good)
    paid = [json.loads((grid.run_folder(r) / "paid.json").read_text())["rewrite_calls"] for r in grid.good]
    # the second draw was paid for, the first was not paid for again
    assert sum(paid) == Store(grid.store_path()).counts()["rewrite"]


def test_a_custom_attribute_has_its_name_in_the_table(tmp_path):
    "Not its whole specification; but where two are called alike, what tells them apart"
    job = notebook(tmp_path / "e.ipynb", 'attribute: object = None # audited\nrun_dir: str = "" # folder',
                   "1")
    code = dict(name="code", treated="with code", untreated="without code")
    for values, shown in (([code, "length"], ["code", "length"]),
                          ([code, code | dict(treated="with a block")], None),
                          ([code | dict(name="length"), "length"], None)):
        folder = tmp_path / f"out {values}".replace("'", "")[:60]
        grid = read_grid(dict(notebook=str(job), folder=str(folder), grid=dict(attribute=values)))
        grid.save()
        for r in grid.good:
            (at := grid.run_folder(r)).mkdir(parents=True)
            (at / "run.json").write_text('{"status": "done"}')
            pd.DataFrame([dict(model="m", estimator="rate", estimand="ATE", estimate=.3, std_error=.1,
                               ci_low=.1, ci_high=.5, df=20., p_value=.01, smd=.3, smd_low=.1,
                               smd_high=.5)]).to_csv(at / "effects.csv", index=False)
        found = combine_effects(folder).attribute.tolist()
        assert found == shown if shown else len(found) == len(set(found)) == 2, found
        shutil.rmtree(folder)


def test_an_effect_that_its_own_audit_refuses_is_no_finding(tmp_path):
    "The verdicts of a run's checks reach the table, the sentence, the picture and the page"
    job = notebook(tmp_path / "e.ipynb", 'a: int = 1 # a number\nrun_dir: str = "" # folder', "1")
    grid = read_grid(dict(notebook=str(job), folder=str(tmp_path / "out"), grid=dict(a=[1, 2, 3])))
    grid.save()
    effects = planted_grid(attributes=["length"], models=["m1", "m2"], datasets=["d"], share=1, size=3.,
                           rng=0).drop(columns=["truth", "checks"])
    def graded(**verdicts): # model → verdict in the rewriter's style
        return [dict(model=m, claim=c, verdict=g if c == CLAIMS[0] else "inconclusive", headline="As seen.")
                for m, g in verdicts.items() for c in CLAIMS]
    for r, said in zip(grid.good, [graded(m1="failed", m2="failed"), graded(m1="failed", m2="passed"),
                                   None]):
        at = grid.run_folder(r)
        at.mkdir(parents=True)
        (at / "run.json").write_text('{"status": "done"}')
        effects.to_csv(at / "effects.csv", index=False)
        if said:
            pd.DataFrame(said).to_csv(at / "claims.csv", index=False)
    table = combine_effects(grid.folder)
    assert table.checks.tolist() == ["failed", "failed", "failed", "passed", "", ""]
    found = grid_effects(table, labels=["a", "model"])
    assert ("6 of 6 effects can be told from zero once the number of tests is counted; 1 of them "
            "passed the checks of their own audits (3 failed, 2 unchecked); "
            "the largest whose audit has not failed"
            in found.sentence())
    verdicts = found.summary().checks.tolist()
    assert verdicts == ["passed", "unchecked", "unchecked", *["failed"]*3]
    assert len(found.found) == 6
    assert found.plot().to_dict()["description"].count("its own audit failed") == 3
    html = grid_report(found)
    kept, apart = html.split("Their own audits failed")[0], html.split("Their own audits failed")[-1]
    assert "<td>failed</td>" not in kept and apart.count("<td>failed</td>") == 3
    (grid.run_folder(grid.good[0]) / "claims.csv").write_text("claim,model\n1,2\n")
    # a file of that name which is none of an audit's
    assert combine_effects(grid.folder).checks.tolist() == ["", "", "failed", "passed", "", ""]
    (grid.run_folder(grid.good[0]) / "claims.csv").write_text("")
    with pytest.raises(InputError, match="cannot be read as a table"):
        combine_effects(grid.folder)


def test_counting_the_tests_changes_what_is_claimed():
    "A barely significant effect among many is no longer one; a strong one stays"
    table = planted_grid(share=0, rng=1)
    table.loc[0, ["estimate", "smd", "p_value"]] = 1.5, 1.5, 1e-12
    table.loc[1:, "p_value"] = .2
    table.loc[1, "p_value"] = .02
    for method in ("holm", "bh", "by"):
        found = grid_effects(table, method=method)
        assert found.found.index.tolist() == [0], method
    one = grid_effects(table.iloc[[1]])
    # alone it pays for nobody else
    assert len(one.found) == 1 and one.table.wide_low[0] == pytest.approx(one.table.ci_low[0])
    nothing = grid_effects(table.assign(p_value=np.nan))
    assert "nothing can be said" in nothing.sentence() and not len(nothing.found)
    for wrong in (dict(method="bonferroni"), dict(level=95), dict(estimator="other")):
        with pytest.raises(InputError):
            grid_effects(table, **wrong)


def test_a_folder_that_is_no_grid(tmp_path):
    with pytest.raises(InputError, match="not the folder of a grid"):
        read_runs(tmp_path)


def test_a_plan_of_a_grid_sends_nothing_and_adds_up(tmp_path, capsys):
    "Two attributes, two rewards, a judge: each run's cost, shared rewrites paid once, a counting endpoint"
    with Sandbox() as box:
        fixed = dict(examples="demo", n=12, base_url=box.base_url, rewriter_model=box.model,
                     prices=[1, 2])
        judge = dict(kind="judge", model="j", base_url=box.base_url)
        asked = dict(parameters=fixed, grid=dict(attribute=["length", "sentiment", "lenght"],
                                                 reward=["demo", "org/other", judge]))
        (tmp_path / "grid.yaml").write_text(json.dumps(asked))
        words = ["batch", str(tmp_path / "grid.yaml"), "--folder", str(tmp_path / "out"), "--plan"]
        assert cli.main([*words, "--json"]) == 2 # an attribute is misspelt
        runs = json.loads(capsys.readouterr().out)["runs"]
        assert [r["calls"] for r in runs] == [24, 0, 0]*2 + [None]*3
        assert [bool(r["judge_calls"]) for r in runs[:3]] == [False, False, True]
        assert cli.main([*words, "--only", "1"]) == 0
        said, dollars = capsys.readouterr().out, runs[0]["dollars"]
        assert "24 calls to rewriters" in said and in_dollars(dollars) in said and dollars > 0
        assert box.requests == 0 and not (tmp_path / "out").exists()
        (tmp_path / "grid.yaml").write_text(json.dumps(asked | dict(share=False)))
        cli.main([*words, "--json"])
        assert [r["calls"] for r in json.loads(capsys.readouterr().out)["runs"][:3]] == [24]*3
        assert box.requests == 0
