"The recipes, as the schedulers would run them."
import json, os, shutil, subprocess, sys
from pathlib import Path
import pytest
import yaml
from conftest import CI
from rate_nb import cli
from rate_nb.core import InputError
from rate_nb.recipes import cron_line, kubernetes_job, slurm_script
from test_grid import ADD, notebook

BIN = Path(sys.executable).parent


@pytest.fixture
def grid(tmp_path):
    file = tmp_path / "sums.yaml"
    file.write_text(yaml.safe_dump(dict(notebook=str(notebook(tmp_path / "add.ipynb", *ADD)), folder=str(tmp_path / "out"), grid=dict(a=[1, 2]))))
    return file


def statuses(grid): return sorted(json.loads(p.read_text())["status"] for p in (grid.parent / "out").glob("runs/*/run.json"))


@pytest.mark.slow("two tasks, four kernels")
def test_a_slurm_array_does_every_run_once(grid):
    "Two tasks with the variables that SLURM sets, then the call that summarises"
    script = grid.parent / "sums.slurm"
    script.write_text(slurm_script(str(grid), shards=2))
    assert "#SBATCH --array=1-2\n" in script.read_text() and subprocess.run(["bash", "-n", script]).returncode == 0
    env = os.environ | dict(PATH=f"{BIN}:{os.environ['PATH']}", SLURM_ARRAY_TASK_MIN="1", SLURM_ARRAY_TASK_COUNT="2")
    ends = []
    for task in ("1", "2"):
        done = subprocess.run(["bash", str(script)], env=env | dict(SLURM_ARRAY_TASK_ID=task), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        ends.append(statuses(grid))
    assert ends == [["done"], ["done"] * 2]                                # each did its own share, the second nothing of the first's
    assert len(list((grid.parent / "out" / "runs").glob("*/log.txt"))) == 2 and all(p.read_text().count("adding") == 1 for p in (grid.parent / "out" / "runs").glob("*/log.txt"))
    wrap = next(line for line in script.read_text().splitlines() if "--wrap" in line).split("--wrap ")[1].strip("'")
    assert wrap == f"rate_nb batch {grid}"


@pytest.mark.parametrize("version", ["1.33", "1.35"])
@pytest.mark.parametrize("gpus", [0, 1])
def test_the_kubernetes_job_is_valid(version, gpus, capsys):
    "Against Kubernetes' own schema of batch/v1 Job, with nothing it does not know"
    if not CI: pytest.importorskip("kubernetes_validate", reason="needs kubernetes-validate, of the extra dev")
    import kubernetes_validate as schema
    assert cli.main(["recipe", "kubernetes", "My grid.yaml", "--image", "registry.example/rate_nb:1", "--shards", "3", "--gpus", str(gpus)]) == 0
    job = yaml.safe_load(capsys.readouterr().out)
    schema.validate(job, version, strict=True)
    assert job["metadata"]["name"] == "rate-nb-my-grid" and job == kubernetes_job("My grid.yaml", "registry.example/rate_nb:1", 3, gpus=gpus)
    job["spec"]["completion"] = 3
    with pytest.raises(schema.ValidationError): schema.validate(job, version, strict=True)       # the schema does look


def test_the_pod_takes_its_share(grid):
    "The container's own command, with the number that Kubernetes gives a pod"
    command = kubernetes_job(str(grid), "x", shards=3)["spec"]["template"]["spec"]["containers"][0]["command"]
    said = grid.parent / "bin"; said.mkdir()
    (said / "rate_nb").write_text('#!/bin/sh\necho "$@"\n'); (said / "rate_nb").chmod(0o755)
    done = subprocess.run(command, env=dict(PATH=f"{said}:{os.environ['PATH']}", JOB_COMPLETION_INDEX="2"), capture_output=True, text=True)
    assert done.stdout.split() == ["batch", str(grid), "--shard", "3/3", "--jobs", "1"], done.stderr


def test_the_cron_line_runs_with_what_cron_has(grid):
    "No path, no folder of its own, /bin/sh; percent signs are cron's"
    shutil.copy(grid, odd := grid.with_name("50% sums.yaml"))
    line = cron_line(odd.name, folder=grid.parent)
    assert line.startswith("17 2 * * * ")
    command = line.split(" ", 5)[5]
    assert "%" not in command.replace(r"\%", "")
    done = subprocess.run(["/bin/sh", "-c", command.replace(r"\%", "%").replace("--jobs 1", "--check")], env=dict(PATH="/usr/bin:/bin", HOME=str(grid.parent)), capture_output=True, text=True)
    log = (grid.parent / "50% sums.yaml.log").read_text()
    assert done.returncode == 0 and not done.stderr and "2 runs: 2 waiting" in log, log


def test_recipes_refuse_what_a_scheduler_would():
    name = kubernetes_job("a" * 39 + "-bcd.yaml", "x")["metadata"]["name"]
    assert name[-1].isalnum()                                                # Kubernetes allows no hyphen at the end
    for wrong in (dict(shards=0), dict(cpus=0), dict(gpus=-1), dict(jobs=1.5), dict(grid="two\nlines.yaml")):
        with pytest.raises(InputError): slurm_script(**(dict(grid="g.yaml") | wrong))
    with pytest.raises(InputError): cron_line("two\nlines.yaml")
