"The demo: a newcomer's first minutes, and whether what it says about itself is true."
import json, os, subprocess, sys
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
from sampling import possible, repeats
from warm import run_with
from rate_nb.batch import cli
from rate_nb.estimators.effects import estimate_effects
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.reward_models import score_texts
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.studies.demo import demo_reward_model
from rate_nb.theory.text_world import TextWorld, true_effects

RATE_NB = str(Path(sys.executable).parent / "rate_nb")


def command(*args, **env):
    return subprocess.run([RATE_NB, *map(str, args)], env=os.environ | env, capture_output=True, text=True,
                          timeout=900)


@pytest.fixture(scope="module")
def demo(demo_model, tmp_path_factory):
    "Run folder of the demo, run once as a user runs it"
    folder = tmp_path_factory.mktemp("demo") / "run"
    done = command("demo", "--run-dir", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def truth_of(demo):
    "The truth table, recomputed from the store's rewards by a fresh process of the library"
    model = load_reward_model(demo_reward_model(), name="demo-reward-model")
    from rate_nb.base.store import Store
    score = lambda p, r: score_texts(p, r, model, store=Store(demo / "store.sqlite"))
    return true_effects(TextWorld("length"), score, np.random.default_rng([0, 1]),
                        n=300).set_index("estimand"), model


def test_demo_leaves_a_whole_run_folder(demo):
    assert {"audit.ipynb", "report.html", "effects.csv", "scored.parquet", "manifest.json"} <= {p.name
        for p in demo.iterdir()}
    manifest = json.loads((demo / "manifest.json").read_text())
    assert (manifest["status"] == "complete"
            and manifest["rewrites"]["depth 2, ok"] == manifest["rewrites"]["depth 3, ok"] == 1200)
    # a response that was told to stay as long as it is may come back as it was
    assert {k for k in manifest["rewrites"] if "depth 1" in k} <= {"depth 1, ok", "depth 1, unchanged"}
    assert sum(manifest["rewrites"].values()) == 3600
    assert manifest["tokens"]["prompt"] > 0 and manifest["cost_in_dollars"] == 0 and manifest["versions"][
        "torch"]
    assert (manifest["scorers"]["demo-reward-model"]["passed"]
            and manifest["scorers"]["demo-reward-model"]["texts_cut_by_its_context"] == 0)
    report = (demo / "report.html").read_text()
    graded = "no check failed" in report or "rewrites were not read" in report # the review is open, at least
    assert graded and len(report) < 3e6
    for word in ("additivity gap", "demo-reward-model: scores as it should"):
        said = word in report # a page of megabytes is no part of a failure's message
        assert said, word
    elsewhere, scripts = report.count("src="), report.count("<script") # the explorer's data and its module
    links = [a[:99] for a in report.split('href="')[1:] if not a.startswith("#")]
    assert (elsewhere, scripts, links) == (0, 2, [])


def test_naive_is_wrong_one_rewrite_is_wrong_and_rate_is_right(demo):
    effects, (truth,
              _) = pd.read_csv(demo / "effects.csv").set_index(["estimator", "estimand"]), truth_of(demo)
    for estimand in ("ATT", "ATU", "ATE"):
        e = effects.loc[("rate", estimand)]
        assert e.ci_low <= truth.truth[estimand] <= e.ci_high, (estimand, e, truth)
    naive = effects.loc[("naive", "ATE")]
    outside = max(naive.ci_low - truth.truth["ATE"], truth.truth["ATE"] - naive.ci_high)
    assert outside > naive.ci_high - naive.ci_low
    assert any(not effects.loc[("single", k)].ci_low <= truth.truth[k] <= effects.loc[("single", k)].ci_high
               for k in ("ATT", "ATU"))


def test_point_estimates_are_ten_lines_of_pandas(demo):
    s = pd.read_parquet(demo / "scored.parquet")
    treated, untreated = s[s.w == 1], s[s.w == 0]
    o, r1, r2 = "reward_original", "reward_rewrite", "reward_rewrite_of_rewrite"
    expect = {("naive", "ATE"): treated[o].mean() - untreated[o].mean(),
              ("single", "ATT"): (treated[o] - treated[r1]).mean(),
              ("single", "ATU"): (untreated[r1] - untreated[o]).mean(),
              ("rate", "ATT"): (treated[r2] - treated[r1]).mean(),
              ("rate", "ATU"): (untreated[r1] - untreated[r2]).mean()}
    for name in ("single", "rate"):
        expect[name, "ATE"] = (len(treated) * expect[name, "ATT"] + len(untreated) * expect[name,
            "ATU"]) / len(s)
    effects = pd.read_csv(demo / "effects.csv").set_index(["estimator", "estimand"]).estimate
    assert set(effects.index) == set(expect)
    for key, value in expect.items():
        assert abs(effects[key] - value) < 1e-12, key


def test_second_demo_pays_for_nothing(demo, tmp_path, monkeypatch, capsys):
    "The command, its notebook without papermill and a kernel: these the first demo had"
    def warm(notebook, saved, values, stream):
        code, said = run_with(notebook, tmp_path, values)
        assert code == 0, said
    monkeypatch.setattr(cli, "run_notebook", warm)
    before = {name: (demo / name).read_bytes()
              for name in ("effects.csv", "manifest.json", "report.html", "rewards.parquet", "scored.parquet",
                           "scorers.json")}
    assert cli.main(["demo", "--run-dir", str(demo), "--json"]) == 0
    paid = json.loads(capsys.readouterr().out.strip().splitlines()[-1])["paid"]
    assert paid == {"rewrite_calls": 0, "prompt_tokens": 0, "completion_tokens": 0, "dollars": 0,
                    "forward_passes": 0, "tested_passes": 0}
    changed = [name for name, old in before.items() if (demo / name).read_bytes() != old]
    assert not changed, f"a rerun changed {changed}"


def test_the_shipped_model_is_that_of_the_recipe(demo_model, tmp_path):
    "A recipe that was changed without making the model again would train a new one, for every user"
    from rate_nb.studies import demo
    assert demo_model.parent == Path(demo.__file__).parent
    assert {p.name for p in demo_model.iterdir()} == {
        "chat_template.jinja", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}


@pytest.mark.slow
def test_training_gives_the_shipped_model(demo_model, tmp_path):
    again = demo_reward_model(tmp_path)
    assert again.name == demo_model.name and again.parent == tmp_path
    for name in ("config.json", "tokenizer.json"):
        assert (again / name).read_bytes() == (demo_model / name).read_bytes(), name
    texts = TextWorld("length").examples(300, np.random.default_rng(5))
    shipped, new = (load_reward_model(p).score(texts.prompt.tolist(), texts.response.tolist())
                    for p in (demo_model, again))
    # weights are equal on the processor that made them; others round otherwise, and 625 steps add that up
    assert abs(np.asarray(new) - shipped).max() < 1e-3*np.std(shipped)


def populations(attribute, reward, k, n):
    "Effects of k fresh populations of n, with rewrites by the world's own rewriter"
    world = TextWorld(attribute)
    for seed in range(k):
        examples = world.examples(n, np.random.default_rng([seed, 9]))
        rewrites = double_rewrite(examples, attribute, world.rewriter)
        yield estimate_effects(to_scored(examples, rewrites,
                                         score_rewrites(examples, rewrites, reward, progress=False))).table


def coverage(tables, truth):
    covers = [(r.estimator, r.ci_low <= truth[r.estimand] <= r.ci_high) for t in tables
              for r in t.itertuples()]
    return pd.DataFrame(covers, columns=["estimator", "covers"])


@pytest.mark.slow
def test_coverage_on_the_trained_model(demo_model):
    "Fresh populations of 300, 4 per attribute: RATE's intervals hold the truth, the naive ones do not"
    model, parts = load_reward_model(demo_model, name="demo"), []
    for attribute in ("length", "sentiment"):
        truth = true_effects(TextWorld(attribute), lambda p, r: score_texts(p, r, model),
                             np.random.default_rng([1, 1]), n=4000).set_index("estimand").truth
        parts.append(coverage(populations(attribute, model, repeats(4, 12), 300), truth))
    covered = pd.concat(parts).groupby("estimator").covers
    rate = covered.get_group("rate")
    # the three intervals of a population may stand or fall together
    assert possible(rate.sum()//3, len(rate)//3, .95) and covered.mean()["naive"] < .2, covered.mean()


@pytest.mark.slow
def test_coverage_on_the_planted_utility():
    "An additive reward: nominal coverage, within the Monte Carlo error of 20 populations"
    parts = []
    for attribute in ("length", "sentiment"):
        world = TextWorld(attribute)
        truth = true_effects(world, world.reward, np.random.default_rng([2, 2]),
                             n=repeats(4000, 20_000)).set_index("estimand")
        assert (truth.additivity_gap.abs() < 1e-9).all()
        found = populations(attribute, world.reward, repeats(10, 12), repeats(300, 3000))
        parts.append(coverage(found, truth.truth))
    covered = pd.concat(parts).query("estimator == 'rate'").covers
    assert possible(covered.sum()//3, len(covered)//3, .95), covered.mean()
