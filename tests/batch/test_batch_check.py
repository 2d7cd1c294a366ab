"`rate_nb batch --check` loads what the runs would load, each reward once, and names those that would fail."
import json
import pytest
import yaml
from rate_nb.batch import cli
from rate_nb.batch.notebooks import parameter_faults, run_notebooks
from rate_nb.rewriting.sandbox import Sandbox

MINE = '''from pathlib import Path
with open(Path(__file__).with_name("loads.txt"), "a") as f:
    f.write("loaded\\n")
def good(prompts, responses): return [len(r) for r in responses]
def flat(prompts, responses): return [1. for r in responses]
def nothing(prompts, responses): return [float("nan")] * len(responses)
def short(prompts, responses): return [1.]
def breaks(prompts, responses): raise RuntimeError("boom")'''
SAYS = dict(good="", flat="tells no two texts apart", nothing="no finite reward", breaks="boom",
            short="one number per response")


def checked(folder, capsys, **words):
    (folder / "grid.yaml").write_text(yaml.safe_dump(words))
    where = ["--folder", str(folder / "runs")]
    code = cli.main(["batch", str(folder / "grid.yaml"), "--check", "--json", *where])
    return code, json.loads(capsys.readouterr().out)


def test_each_broken_reward_is_named_and_nothing_is_run(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(MINE)
    rewards = [f"{tmp_path}/mine.py:{name}" for name in SAYS]
    code, said = checked(tmp_path, capsys, parameters=dict(examples="demo", n=12, attribute="length"),
                         grid=dict(reward=rewards, draws=[1, 2]))
    assert code == 2 == said["exit_code"] and len(said["runs"]) == 10
    for run in said["runs"]:
        why = SAYS[run["reward"].rpartition(":")[2]]
        assert (run["status"] == "rejected") == bool(why) and why in run["note"]
    assert (tmp_path / "loads.txt").read_text().count("loaded") <= len(SAYS)     # not once a run
    assert not list(tmp_path.rglob("effects.csv"))


@pytest.mark.parametrize("key, says", [
    (None, "it wants an API key (HTTP 401), and none is set"), ("sk-wrong", "refuses the API key")])
def test_an_endpoint_that_refuses_the_key_is_named_before_anything_is_paid(key, says, tmp_path, monkeypatch,
                                                                           capsys):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if key:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    (tmp_path / "mine.py").write_text(MINE)
    with Sandbox(api_key="sk-right") as box:
        fixed = dict(examples="demo", n=12, attribute="length", reward=f"{tmp_path}/mine.py:good")
        asked = fixed | dict(base_url=box.base_url)
        code, said = checked(tmp_path, capsys, parameters=asked, grid=dict(draws=[1, 2]))
        assert code == 2 and all(says in run["note"] for run in said["runs"])
        assert box.requests == 0
    code, said = checked(tmp_path, capsys, parameters=fixed, grid=dict(draws=[1, 2]))
    assert code == 0 and {run["status"] for run in said["runs"]} == {"waiting"}


def test_a_parameter_that_is_a_file_in_one_notebook_may_be_names_in_another():
    faults = lambda notebook, **values: parameter_faults(run_notebooks()[notebook], values)[1]
    assert faults("alpaca_eval", prompts="alpaca-7b,claude-2") == []
    assert "no file or folder" in faults("recalibrate_reward_bench", prompts="nowhere.jsonl")[0]
