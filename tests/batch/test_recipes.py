"The recipes of docs/recipes.md, as the schedulers would run them."
import json, os, re, shlex, subprocess, sys
from pathlib import Path
import pytest
import yaml
from conftest import CI, ROOT
from rate_nb.batch import cli
from test_grid import ADD, notebook

BIN = Path(sys.executable).parent
FENCED = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8"),
                    re.M | re.S)
RECIPES = dict(reversed(FENCED)) # the first of its kind
JOB = yaml.safe_load(RECIPES["yaml"])


def blocks(title): # of one section
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8").partition(f"\n## {title}\n")[2]
    return re.findall(r"^```\w+\n(.*?)^```$", page.partition("\n## ")[0], re.M | re.S)


def test_every_block_is_a_recipe_that_a_test_knows():
    kinds = ["bash", "sh", "yaml", "console", "text", *["python"]*3, "sh", "yaml", "text", "python"]
    assert [kind for kind, _ in FENCED] == kinds


def test_the_workflow_and_the_forecast_ask_for_what_the_commands_know():
    compared, workflow = blocks("A regression test of a reward")
    forecast, = blocks("A forecast before optimising")
    steps = yaml.safe_load(workflow)["jobs"]["length"]["steps"]
    commands = [shlex.split(s["run"]) for s in steps if s.get("run", "").startswith("rate_nb")]
    commands += [shlex.split(line) for line in (compared, forecast)]
    asked = [cli._parser().parse_args(words[1:]) for words in commands]
    assert [a.command for a in asked] == ["audit", "compare", "compare", "forecast"]
    assert asked[0].run_dir == asked[1]._first and asked[1].fail_on == "length > 0.1"


@pytest.fixture
def folder(tmp_path):
    "A folder with grid.yaml: two runs, each an addition"
    grid = dict(notebook=str(notebook(tmp_path / "add.ipynb", *ADD)), folder="out", grid=dict(a=[1, 2]))
    (tmp_path / "grid.yaml").write_text(yaml.safe_dump(grid))
    return tmp_path


def stand_in(folder, name, script):
    "A program of that name in a folder of its own; the folder"
    place = folder / "bin"
    place.mkdir(exist_ok=True)
    (place / name).write_text(script)
    (place / name).chmod(0o755)
    return place


def statuses(folder):
    return sorted(json.loads(p.read_text())["status"] for p in folder.glob("out/runs/*/run.json"))


def slurm(task, tasks, first=1):
    "The variables that SLURM sets"
    return {"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_MIN": str(first),
            "SLURM_ARRAY_TASK_COUNT": str(tasks)}


def bash(script, folder, path, **variables):
    env = os.environ | {"PATH": f"{path}:{os.environ['PATH']}"} | variables
    done = subprocess.run(["bash", str(script)], cwd=folder, env=env, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("first", [0, 1])
def test_each_task_takes_its_share(tmp_path, first):
    (tmp_path / "grid.slurm").write_text(RECIPES["bash"])
    assert subprocess.run(["bash", "-n", tmp_path / "grid.slurm"]).returncode == 0
    echo = stand_in(tmp_path, "rate_nb", '#!/bin/sh\necho "$@"\n')
    said = [bash(tmp_path / "grid.slurm", tmp_path, echo, **slurm(task, 3, first))
            for task in range(first, first + 3)]
    assert said == [f"batch grid.yaml --shard {i}/3 --jobs 1\n" for i in (1, 2, 3)]


@pytest.mark.slow("two tasks, four kernels")
def test_a_slurm_array_does_every_run_once(folder):
    "Two tasks, then the two commands around them with an `sbatch` that runs what is wrapped"
    (folder / "grid.slurm").write_text(RECIPES["bash"])
    ends = []
    for task in (1, 2):
        bash(folder / "grid.slurm", folder, BIN, **slurm(task, 2))
        ends.append(statuses(folder))
    # each did its own share, the second nothing of the first's
    assert ends == [["done"], ["done"] * 2]
    logs = list(folder.glob("out/runs/*/log.txt"))
    assert len(logs) == 2 and all(p.read_text().count("adding") == 1 for p in logs)
    (folder / "submit.sh").write_text(RECIPES["sh"])
    sbatch = stand_in(folder, "sbatch", '#!/bin/bash\necho "$@" >> calls.txt\n'
                      'case "$1" in --parsable) echo 42;; *) exec bash -c "${@: -1}";; esac\n')
    said = bash(folder / "submit.sh", folder, f"{sbatch}:{BIN}")
    assert "Summary:" in said and all(p.read_text().count("adding") == 1 for p in logs)
    assert (folder / "calls.txt").read_text().splitlines() == [
        "--parsable grid.slurm", "--dependency=afterany:42 --wrap rate_nb batch grid.yaml"]


@pytest.mark.parametrize("version", ["1.33", "1.35"])
def test_the_kubernetes_job_is_valid(version):
    "Against Kubernetes' own schema of batch/v1 Job, with nothing it does not know"
    if not CI:
        pytest.importorskip("kubernetes_validate", reason="needs kubernetes-validate, of the extra dev")
    import kubernetes_validate as schema
    job = yaml.safe_load(RECIPES["yaml"])
    schema.validate(job, version, strict=True)
    job["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] = "1"
    schema.validate(job, version, strict=True)
    job["spec"]["completion"] = 4
    with pytest.raises(schema.ValidationError):
        schema.validate(job, version, strict=True)  # the schema does look


def test_each_pod_takes_its_share(tmp_path):
    "The container's own command, with the number that Kubernetes gives a pod"
    pods, command = JOB["spec"]["completions"], JOB["spec"]["template"]["spec"]["containers"][0]["command"]
    assert pods == JOB["spec"]["parallelism"]
    echo = stand_in(tmp_path, "rate_nb", '#!/bin/sh\necho "$@"\n')
    path = f"{echo}:{os.environ['PATH']}"
    said = [subprocess.run(command, env=dict(PATH=path, JOB_COMPLETION_INDEX=str(i)), capture_output=True,
                           text=True, check=True).stdout for i in range(pods)]
    assert said == [f"batch grid.yaml --shard {i + 1}/{pods} --jobs 1\n" for i in range(pods)]


def test_the_cron_line_runs_with_what_cron_has(folder):
    "No path, no folder of its own, /bin/sh; a percent sign would be cron's"
    line = RECIPES["text"].strip()
    assert "\n" not in line and "%" not in line and re.match(r"\d+ \d+ \* \* \* cd /srv/audits && ", line)
    command = line.split(" ", 5)[5]
    here = command.replace("/srv/audits/.venv/bin", str(BIN)).replace("/srv/audits", str(folder))
    done = subprocess.run(["/bin/sh", "-c", here.replace("--jobs 1", "--check")], cwd="/",
                          env=dict(PATH="/usr/bin:/bin", HOME=str(folder)), capture_output=True, text=True)
    log = (folder / "grid.yaml.log").read_text()
    assert done.returncode == 0 and not done.stderr and "2 runs: 2 waiting" in log, log


def argilla(answers): # as `to_datasets` names columns: lists of answers, users and statuses
    rows = [{"id": pair, "status": "completed", "prompt": "Q", "first": "a", "second": "b",
             "choice.responses": [c for _, c in some] or None,
             "choice.responses.users": [v for v, _ in some] or None,
             "choice.responses.status": ["submitted"]*len(some) or None, "choice.suggestion": None}
            for pair, some in answers.items()]
    rows[0]["choice.responses"] += ["second"]
    rows[0]["choice.responses.users"] += ["Eve"]
    rows[0]["choice.responses.status"] += ["discarded"]
    return "argilla.jsonl", "\n".join(map(json.dumps, rows))


def label_studio(answers): # completed_by: a number, or a person in exports of snapshots
    tasks = [{"id": k, "project": 83, "data": {"pair_id": pair, "prompt": "Q", "first": "a", "second": "b"},
              "annotations": [{"id": 10*k + i, "was_cancelled": False, "ground_truth": False, "task": k,
                               "completed_by": {"id": i, "email": v} if k else v,
                               "result": [{"id": "yes", "from_name": "choice", "to_name": "first",
                                           "type": "choices", "value": {"choices": [c]}, "origin": "manual"},
                                          {"id": "no", "from_name": "why", "to_name": "first",
                                           "type": "textarea", "value": {"text": ["long"]}}]}
                              for i, (v, c) in enumerate(some)], "predictions": []}
             for k, (pair, some) in enumerate(answers.items())]
    skipped = tasks[0]["annotations"][0] | dict(was_cancelled=True, completed_by="Eve", result=[])
    tasks[0]["annotations"].append(skipped)
    return "label_studio.json", json.dumps(tasks)


def inspect(answers):
    samples = [{"id": pair, "epoch": 1, "input": "Q", "target": "", "metadata": {"voter": v} if v else {},
                "scores": {"choice": {"value": c, "answer": None, "explanation": None, "metadata": None}}}
               for pair, some in answers.items() for v, c in some]
    samples.append(samples[0] | dict(scores=None)) # stopped before its score
    return "inspect.json", json.dumps(dict(version=2, status="success", eval=dict(task="votes"),
                                           samples=samples))


@pytest.mark.parametrize("k, export", enumerate([argilla, label_studio, inspect]))
@pytest.mark.parametrize("names", [True, False])
def test_exports_of_labelling_tools_become_votes(k, export, names, tmp_path, monkeypatch):
    from rate_nb.audit.people import read_votes
    if not names and export is label_studio:
        pytest.skip("Label Studio always names who answered")
    who = (lambda v: v) if names else lambda v: None
    answers = {"p1": [(who("Ann"), "first"), (who("Bob"), "tie")], "p2": [(who("Bob"), "second")], "p3": []}
    name, text = export(answers)
    (tmp_path/name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(blocks("Votes from a labelling tool")[k], {})
    key = tmp_path/"key.csv"
    key.write_text("pair_id,example_id,draw,first_is\np1,a,0,untreated\np2,b,0,treated\np3,c,0,treated\n")
    votes = read_votes(tmp_path/"votes.csv", key)
    if names:
        found = set(votes[["example_id", "voter", "vote"]].itertuples(index=False, name=None))
        assert found == {("a", "Ann", -1), ("a", "Bob", 0), ("b", "Bob", -1)}
    else:
        assert sorted(votes.vote) == [-1, -1, 0] and (votes.voter.isna().all() or export is argilla)
