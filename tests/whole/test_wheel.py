"What a user installs: a wheel, with models and without, beside the newest fastcore and no development pins."
import os, shutil, subprocess, sys, sysconfig, venv, zipfile
from configparser import ConfigParser
import pytest
from conftest import ROOT

MODELS = ["torch", "transformers", "tokenizers", "safetensors", "openai"]   # what loads models or asks them
BARE = f"""
import sys
class Absent:
    def find_spec(self, name, *where):
        if name.partition(".")[0] in {[*MODELS, "huggingface_hub", "vl_convert"]}:
            raise ModuleNotFoundError(f"No module named {{name!r}}")
sys.meta_path.insert(0, Absent())
"""
EVERYTHING_ELSE = BARE + """
import importlib, pkgutil
import numpy as np, rate_nb
from rate_nb import Audit, estimate_effects
from rate_nb.benchmarks import planted_reward_bench, recalibrate_reward_bench
from rate_nb.calibration import RCLWR
from rate_nb.theory import TextWorld
for found in pkgutil.walk_packages(rate_nb.__path__, "rate_nb."):
    module = importlib.import_module(found.name)
    [getattr(module, name) for name in getattr(module, "__all__", ())]
world = TextWorld("length")
audit = Audit(world.examples(60, np.random.default_rng(0)), "length", world.rewriter, world.reward, "run")
print(estimate_effects(audit.score()), audit.effects().plot(), audit.diagnose(), audit.calibrate())
scores = planted_reward_bench(8, np.random.default_rng(0), share=.1)
print(recalibrate_reward_bench(scores, {"RC-LWR": RCLWR(.9)}).summary())
"""
NEEDS = { # use → what pip is told to install
    "load_reward_model('org/model')": "torch transformers",
    "load_reward_model('model')": "torch transformers",
    "LocalRewriter('model')": "torch transformers",
    "LocalJudge('model')": "torch transformers",
    "LikelihoodReward('model')": "torch transformers",
    "demo_reward_model('demo')": "torch transformers",
    "untrained_writer()": "torch transformers",
    "token_counts(['a'], 'model')": "transformers",
    "double_rewrite(examples, 'length', OpenAIRewriter('m', base_url='http://127.0.0.1:9'))": "openai",
    "HTTPReward('http://127.0.0.1:9', 'vllm-classify').score_batch([('a', 'b')])": "openai",
    "to_png(Chart(examples).mark_bar().encode(x='w:Q'))": "vl-convert-python"}
SAID = BARE + f"""
from altair import Chart
import numpy as np
from rate_nb import OpenAIRewriter, load_reward_model
from rate_nb.base.core import InputError
from rate_nb.data.measures import token_counts
from rate_nb.plots.charts import to_png
from rate_nb.rewriting import LocalRewriter, double_rewrite
from rate_nb.scoring import HTTPReward, LocalJudge
from rate_nb.scoring.likelihood import LikelihoodReward
from rate_nb.studies import demo_reward_model
from rate_nb.studies.training import untrained_writer
from rate_nb.theory import TextWorld
examples = TextWorld("length").examples(4, np.random.default_rng(0))
for use in {list(NEEDS)}:
    try:
        eval(use)
    except InputError as e:
        print(use, e)
"""


def run(*command, cwd, **env):
    done = subprocess.run([str(c) for c in command], cwd=cwd, env=os.environ | env, capture_output=True,
                          text=True, timeout=1500)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def python(code, folder):
    return run(sys.executable, "-W", "ignore", "-c", code, cwd=folder, OPENAI_API_KEY="none")


def test_without_models_or_pictures_everything_else_runs(tmp_path):
    printed = python(EVERYTHING_ELSE, tmp_path)
    assert "rate" in printed and "RC-LWR" in printed


def test_what_lacks_a_package_says_how_to_get_it(tmp_path):
    (tmp_path / "model").mkdir()
    for file in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / "model" / file).write_text("{}")
    printed = python(SAID, tmp_path).splitlines()
    assert len(printed) == len(NEEDS)
    for line, (use, packages) in zip(printed, NEEDS.items()):
        assert line.startswith(use) and line.endswith(f"pip install {packages}"), line


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "source", ignore=shutil.ignore_patterns(".git", ".venv", "build",
        "*.egg-info", "audits", "__pycache__", ".ipynb_checkpoints"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, folder / "source",
        cwd=folder)
    # the locked versions of everything but what nbdev needs, as a user has it
    pins = [line for line in (ROOT / "lock.txt").read_text().splitlines()
            if line.split("==")[0] not in ("fastcore", "nbdev", "execnb", "ghapi")]
    (folder / "pins.txt").write_text("\n".join(pins))
    found, = folder.glob("rate_nb-*.whl")
    return found


@pytest.mark.slow
def test_the_wheel_holds_the_demo_model(wheel):
    "Without it a user's first demo would train for a minute"
    from rate_nb.studies import demo_reward_model
    model = demo_reward_model()
    with zipfile.ZipFile(wheel) as held:
        for file in model.iterdir():
            assert held.read(f"rate_nb/studies/{model.name}/{file.name}") == file.read_bytes()


@pytest.mark.slow
def test_wheel_and_source_archive_hold_every_template_and_style(wheel, tmp_path):
    files = [p for p in (ROOT / "rate_nb").rglob("*") if p.suffix in (".html", ".css", ".js")]
    with zipfile.ZipFile(wheel) as held:
        for file in files:
            assert held.read(file.relative_to(ROOT).as_posix()) == file.read_bytes()
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path,
        wheel.parent / "source", cwd=tmp_path)
    archive, = tmp_path.glob("*.tar.gz")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir",
        tmp_path, archive, cwd=tmp_path)
    built, = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as held, zipfile.ZipFile(built) as again: # as a release is built
        assert {n for n in held.namelist() if "dist-info" not in n} == {
            n for n in again.namelist() if "dist-info" not in n}


def install(env, wheel, *packages):
    "By this environment's pip; few of the modules are imported, so none is compiled beforehand"
    run(sys.executable, "-m", "pip", "--python", env / "bin" / "python", "install", "--quiet", "--no-compile",
        "-c", wheel.with_name("pins.txt"), *packages, cwd=wheel.parent)


@pytest.fixture(scope="module")
def bare(wheel):
    "An environment with everything that the package needs but what loads models or asks them"
    settings = ConfigParser(interpolation=None)
    settings.read(ROOT / "settings.ini")
    env = wheel.with_name("env")
    venv.create(env)
    install(env, wheel, *(p for p in settings["DEFAULT"]["requirements"].split()
                          if p.split(">=")[0] not in MODELS))
    install(env, wheel, "--no-deps", wheel)
    return env


TASTE = """
def reward(prompts, responses): return [len(r)/100 for r in responses]
def rewrite(prompt, text, target): return text + " There is more to say." if target else text[:len(text)//2]
"""
AUDIT = """
examples: responses.csv
attribute: length
rewriter: {kind: function, function: "taste.py:rewrite"}
reward: {kind: function, function: "taste.py:reward"}
"""


@pytest.mark.slow("700 MB are installed, and five commands run")
def test_a_bare_environment_is_small_and_runs_what_has_scores(tmp_path, bare):
    files = [f for f in bare.rglob("*") if f.is_file() and not f.is_symlink()]
    assert sum(f.stat().st_size for f in files) < .9e9
    for name in MODELS:
        assert not (bare / "lib" / f"python3.{sys.version_info[1]}" / "site-packages" / name).exists()
    for name in ("responses.csv", "scores.csv"):
        shutil.copy(ROOT / "docs" / "examples" / name, tmp_path)
    (tmp_path / "taste.py").write_text(TASTE)
    (tmp_path / "audit.yaml").write_text(AUDIT)
    for command in ("calibrate scores.csv --characteristic length --run-dir calibrate",
                    "audit --config audit.yaml --run-dir audit", "effects audit --run-dir effects",
                    "score demo --layout rm_bench --reward taste.py:reward --run-dir score",
                    "rm_bench --scores score/pairs --run-dir rm_bench"):
        run(bare / "bin" / "rate_nb", *command.split(), cwd=tmp_path, PYTHONPATH="")
        assert (tmp_path / command.split()[-1] / "report.html").exists(), command


@pytest.mark.slow("the rest is installed, and the demo runs")
def test_wheel_beside_newest_fastcore_runs_the_demo(tmp_path, wheel, bare, demo_model):
    "After the test above, whose environment gets the models' packages of this one, which are a gigabyte"
    site = bare / "lib" / f"python3.{sys.version_info[1]}" / "site-packages"
    (site / "models.pth").write_text(sysconfig.get_path("purelib"))
    install(bare, wheel, wheel, "fastcore", "--upgrade")
    fastcore, package = run(bare / "bin" / "python", "-c",
                            "import fastcore, rate_nb; print(fastcore.__version__, rate_nb.__file__)",
                            cwd=tmp_path, PYTHONPATH="").split()
    assert int(fastcore.split(".")[0]) >= 2, f"fastcore {fastcore} is the development pin"
    assert package.startswith(str(site))
    assert str(bare) in run(bare / "bin" / "rate_nb", "runs", cwd=tmp_path, PYTHONPATH="")
    done = run(bare / "bin" / "rate_nb", "demo", "--n", "60", "--run-dir", tmp_path / "run", cwd=tmp_path,
               PYTHONPATH="")
    assert (tmp_path / "run" / "report.html").exists() and "Report:" in done
