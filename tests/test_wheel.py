"What a user installs: a wheel, beside the newest fastcore, without the development pins."
import os, shutil, subprocess, sys, venv
import pytest
from conftest import ROOT

pytestmark = pytest.mark.slow


def run(*command, cwd, **env):
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=os.environ | env, capture_output=True,
                          text=True, timeout=1500)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_wheel_beside_newest_fastcore_runs_the_demo(tmp_path, demo_model):
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".git", ".venv", "build", "*.egg-info",
        "audits", "__pycache__", ".ipynb_checkpoints"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", tmp_path, source, cwd=tmp_path)
    wheel, = tmp_path.glob("rate_nb-*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    # the locked versions of everything but what nbdev needs, as a user has it
    pins = [line for line in (ROOT / "lock.txt").read_text().splitlines()
            if line.split("==")[0] not in ("fastcore", "nbdev", "execnb", "ghapi")]
    (tmp_path / "pins.txt").write_text("\n".join(pins))
    run(python, "-m", "pip", "install", "--quiet", "-c", "pins.txt", wheel, "fastcore", "--upgrade",
        cwd=tmp_path)
    fastcore = run(python, "-c", "import fastcore; print(fastcore.__version__)", cwd=tmp_path).strip()
    assert int(fastcore.split(".")[0]) >= 2, f"fastcore {fastcore} is the development pin"
    listed = run(tmp_path / "env" / "bin" / "rate_nb", "runs", cwd=tmp_path)
    assert str(tmp_path / "env") in listed
    done = run(tmp_path / "env" / "bin" / "rate_nb", "demo", "--run-dir", tmp_path / "run", cwd=tmp_path)
    assert (tmp_path / "run" / "report.html").exists() and "Report:" in done
