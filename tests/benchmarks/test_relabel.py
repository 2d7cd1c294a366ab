"Relabelling files of any size: the same pairs as in memory, chats, hostile rows, what changed."
import json
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.batch.notebooks import run_notebook, run_notebooks
from rate_nb.benchmarks.preferences import relabel_file
from rate_nb.calibration.calibrators import LengthPenalty, RCLWR


def candidates(rng, prompts=60, answers=4, pays=.004):
    n = prompts*answers
    size, quality = rng.integers(20, 900, n), rng.normal(size=n)
    return pd.DataFrame(dict(prompt_id=np.arange(n)//answers, prompt=[f"p{i//answers}" for i in range(n)],
                             response=["x"*int(k) + f"{i:05d}" for i, k in enumerate(size)],
                             reward=quality + pays*size)).sample(frac=1, random_state=0)


def written(table, path):
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    elif path.suffix == ".csv":
        table.to_csv(path, index=False)
    else:
        path.write_text("".join(json.dumps(r) + "\n" for r in table.to_dict("records")))
    return path


def lines(*paths):
    return [json.loads(line) for p in paths for line in open(p, encoding="utf-8") if line.strip()]


def test_one_model_of_scored_preferences(tmp_path):
    "What `rate_nb score` writes of preferences keeps their column `chosen`, a number"
    rows = [dict(prompt=f"p{i}", response=text, chosen=k, score_chosen=9., score_rejected=1., model=model,
                 reward=float(k if model == "as said" else -k))
            for i in range(8) for model in ("as said", "against") for k, text in ((1, f"a{i}"), (0, f"b{i}"))]
    written(pd.DataFrame(rows), tmp_path/"scores.parquet")
    written(pd.DataFrame(dict(model=["against"], accuracy=[0.])), tmp_path/"accuracies.parquet")
    for source in (tmp_path/"scores.parquet", tmp_path): # the file, or the run folder
        done = relabel_file(source, tmp_path/"out", LengthPenalty(0.), model="against", test=0.)
        assert done.responses == 16 and done.fitted_on == 16
        assert {p["chosen"] for p in lines(done.files["before train"])} == {f"b{i}" for i in range(8)}
    with pytest.raises(InputError, match="2 models; name one with `model`"):
        relabel_file(tmp_path, tmp_path/"out")


def test_the_curve_of_a_sample_is_the_curve(tmp_path):
    table = candidates(np.random.default_rng(3), 1500, 2)
    path = written(table, tmp_path/"a.parquet")
    some, every = (relabel_file(path, tmp_path/str(n), RCLWR(), fit_rows=n) for n in (800, 10**6))
    assert 500 < some.fitted_on < 1100 and every.fitted_on == 3000
    assert abs(some.change.estimate - every.change.estimate) < 30


@pytest.mark.parametrize("rows, words", [
    ([dict(prompt="p", response="a", reward=None)], "no response has a finite reward"),
    ([dict(prompt="p", response="a", reward=1.), dict(prompt="p", response=7, reward=1.)],
     "`response` must be a text"),
    ([dict(prompt="p", reward=1.)], "1 column missing: response"),
    ([dict(prompt="p", response="a", reward=1.)], "no prompt prefers"),
    ([dict(prompt="p", response="a", reward=1., model="m"),
      dict(prompt="p", response="b", reward=1., model="n")],
     "2 models; name one with `model`"),
    ([dict(prompt_id=1, prompt="p", response="a", reward=1.),
      dict(prompt_id=1, prompt="q", response="b", reward=2.)],
     "`prompt` must be the same"),
    ([dict(prompt_id=1, prompt="p", response="a", reward=1.),
      dict(prompt="q", response="b", reward=2.)],
     "`prompt_id` is missing in 1 row"),
    ([dict(prompt=[dict(content="no role")], response="a", reward=1.)], "`prompt` must be a text or a list"),
])
def test_what_is_wrong_is_said(tmp_path, rows, words):
    path = tmp_path/"a.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    with pytest.raises((InputError, SchemaError), match=words):
        relabel_file(path, tmp_path/"out", LengthPenalty())
    assert not (tmp_path/"out"/"relabelled.jsonl").exists()


def test_an_empty_file_and_a_wrong_folder(tmp_path):
    (tmp_path/"a.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no responses"):
        relabel_file(tmp_path/"a.jsonl", tmp_path/"out")
    with pytest.raises(InputError, match="no such file or folder"):
        relabel_file(tmp_path/"b.jsonl", tmp_path/"out")
    with pytest.raises(InputError, match="`test` must be"):
        relabel_file(tmp_path/"a.jsonl", tmp_path/"out", test=1.)


@pytest.mark.slow
def test_raw_responses_are_scored_once(tmp_path):
    table = candidates(np.random.default_rng(4), 20, 3).drop(columns="reward")
    (tmp_path/"own.py").write_text("def f(prompts, responses): return [len(r) % 97 for r in responses]\n")
    reward = f"{tmp_path}/own.py:f"
    for again in (False, True):
        run_notebook(run_notebooks()["relabel"], tmp_path/"out"/"relabel.ipynb",
                     dict(candidates=str(written(table, tmp_path/"raw.jsonl")), run_dir=str(tmp_path/"out"),
                          reward=dict(kind="function", function=reward, key="1")))
        said = json.loads((tmp_path/"out"/"summary.json").read_text())
        assert said["forward_passes"] == (0 if again else 60)
    assert (tmp_path/"out"/"report.html").exists() and said["table"][0]["pairs"] > 0
