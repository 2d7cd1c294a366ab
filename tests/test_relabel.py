"Relabelling files of any size: the same pairs as in memory, chats, hostile rows, what changed."
import json
import numpy as np, pandas as pd, pyarrow.parquet as pq, pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.batch.notebooks import run_notebook, run_notebooks
from rate_nb.benchmarks import preferences
from rate_nb.benchmarks.preferences import pick_preferences, relabel_file, response_batches
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


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
def test_batches_bundles_and_order_change_nothing(tmp_path, ending, monkeypatch):
    table = candidates(np.random.default_rng(1))
    want = pick_preferences(table, LengthPenalty(.004)).table
    monkeypatch.setattr(preferences._Texts.bundles, "__defaults__", (7,)) # prompts at a time
    done = relabel_file(written(table, tmp_path/f"scores{ending}"), tmp_path/"out", LengthPenalty(.004),
                        rows=11)
    got = lines(done.files["after train"], done.files["after test"])
    assert {(p["prompt"], p["chosen"], p["rejected"]) for p in got} == set(
        zip(want.prompt, want.chosen, want.rejected))
    raw = pick_preferences(table).table
    was = lines(done.files["before train"], done.files["before test"])
    assert {(p["chosen"], p["rejected"]) for p in was} == set(zip(raw.chosen, raw.rejected))
    assert not [p for p in (tmp_path/"out").iterdir() if p.name.startswith(".")]
    assert done.change.estimate == pytest.approx(pick_preferences(table, LengthPenalty(.004)).change.estimate)


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


def test_flips_are_counted_by_hand(tmp_path):
    table = pd.DataFrame([("p", "a"*9, 1.), ("p", "b", .5), ("q", "c", 1.), ("q", "dd", 0.),
                          ("r", "e"*5, 1.), ("r", "f"*5, 1.), ("s", "g", 3.), ("s", "h"*8, 2.8),
                          ("s", "i"*20, 2.9),
                          ("t", "j", 1.), ("t", "k", np.nan)], columns=["prompt", "response", "reward"])
    done = relabel_file(written(table, tmp_path/"a.jsonl"), tmp_path, LengthPenalty(.1), test=0.)
    # p turns around; q stays; r prefers nothing; s has another rejected response; t has one reward
    assert done.flips == dict(kept=1, another=1, flipped=1, new=0, lost=0, none=2)
    assert done.without_reward == 1 and done.responses == 11 and "after test" not in done.files
    told = pd.read_parquet(tmp_path/"changes.parquet").set_index("change")
    assert sorted(told.index) == ["another", "flipped", "kept"]
    assert told.length_chosen_before["flipped"] == told.length_rejected_after["flipped"] == 9


def test_chat_messages_stay_messages(tmp_path):
    ask, say = (lambda t: dict(role="user", content=t)), (lambda t: dict(role="assistant", content=t))
    rows = [dict(prompt=[ask("Hi <script>"), say("Yes?"), ask("More")], response="a"*9, reward=1.),
            dict(prompt=[ask("Hi <script>"), say("Yes?"), ask("More")], response=[say("b")], reward=.5),
            dict(prompt="plain", response="c\udc00", reward=1.),
            dict(prompt="plain", response="dd", reward=0.)]
    done = relabel_file(written(pd.DataFrame(rows), tmp_path/"a.jsonl"), tmp_path, LengthPenalty(.1), test=0.)
    first, second = sorted(lines(done.files["after train"]), key=lambda r: -len(r["prompt"]))
    assert first == dict(prompt=rows[0]["prompt"], chosen=[say("b")], rejected=[say("a"*9)])
    assert second["prompt"] == [ask("plain")] and second["rejected"] == [say("dd")]
    other = relabel_file(tmp_path/"a.jsonl", tmp_path/"p", LengthPenalty(.1), test=0., format="parquet")
    assert pq.read_table(other.files["after train"]).num_rows == 2


def test_whole_conversations_of_pairs_are_split_where_they_part(tmp_path):
    ask, say = (lambda t: dict(role="user", content=t)), (lambda t: dict(role="assistant", content=t))
    pair = dict(prompt="2+2?", chosen=[ask("2+2?"), say("4")], rejected=[ask("2+2?"), say("no idea, sorry")],
                score_chosen=1., score_rejected=1.5)
    table = pd.DataFrame([pair, pair | dict(score_chosen=9.)])
    done = relabel_file(written(table, tmp_path/"a.parquet"), tmp_path, LengthPenalty(.1), test=0.)
    assert lines(done.files["after train"]) == [dict(prompt=[ask("2+2?")], chosen=[say("4")],
                                                     rejected=[say("no idea, sorry")])]*2
    right = done.table.set_index(["labels", "split"]).right
    assert (right["before", "train"], right["after", "train"]) == (.5, 1.)


def test_a_text_prompt_that_no_turn_says_is_not_dropped(tmp_path):
    ask, say = (lambda t: dict(role="user", content=t)), (lambda t: dict(role="assistant", content=t))
    turns = [ask("2+2?"), say("4?"), ask("Sure?")]
    pair = dict(prompt="2+2?", chosen=turns + [say("4")], rejected=turns + [say("no idea")], score_chosen=1.,
                score_rejected=1.5)
    parts = dict(pair, prompt="2+2?", **{c: [ask([dict(type="text", text="2+2?")]), *pair[c][1:]]
                                         for c in ("chosen", "rejected")})
    same = [pair, pair | dict(prompt="Sure?\n"), pair | dict(prompt="2+2?\n4?\nSure?"), parts]
    done = relabel_file(written(pd.DataFrame(same), tmp_path/"a.jsonl"), tmp_path, LengthPenalty(.1), test=0.)
    assert [r["prompt"][0]["role"] for r in lines(done.files["after train"])] == ["user"]*4
    lost = pd.DataFrame([*same, pair | dict(prompt="You are a pirate. 2+2?")])
    with pytest.raises(SchemaError, match="`prompt` must, as a text.* leave this column out; .* row 5 .'You"):
        relabel_file(written(lost, tmp_path/"b.jsonl"), tmp_path/"b", LengthPenalty(.1), test=0.)
    with pytest.raises(SchemaError, match="(?s)after the first 4.*row 1 "):
        list(response_batches(tmp_path/"b.jsonl", rows=4))


def test_the_split_is_by_prompt_and_by_seed(tmp_path):
    table = candidates(np.random.default_rng(2), 300, 2)
    table["prompt"] = "q" + (table.prompt_id//3).astype(str)         # three ids share a prompt
    path = written(table, tmp_path/"a.parquet")
    shuffled = written(table.sample(frac=1, random_state=5), tmp_path/"b.parquet")
    def held_out(f, i, s): return relabel_file(f, tmp_path/f"{i}", test=.3, seed=s).files["before test"]
    tests = [{r["prompt"] for r in lines(held_out(f, i, s))}
             for i, (f, s) in enumerate([(path, 0), (shuffled, 0), (path, 1)])]
    train = {r["prompt"] for r in lines(tmp_path/"0"/"original.jsonl")}
    assert tests[0] == tests[1] != tests[2] and not train & tests[0] and 15 < len(tests[0]) < 45


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
    ([dict(prompt="p", reward=1.)], "lacks 1 column: response"),
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


def test_numbers_in_lists_and_models(tmp_path):
    table = pd.DataFrame(dict(prompt=["p"]*4, response=["a", "b"]*2, reward=[[1.], [0.], [0.], [1.]],
                              model=["m", "m", "n", "n"]))
    path = written(table, tmp_path/"a.jsonl")
    done = [relabel_file(path, tmp_path/m, model=m, test=0.) for m in "mn"]
    got = [lines(d.files["after train"])[0]["chosen"] for d in done]
    assert got == ["a", "b"]
    with pytest.raises(InputError, match="no row is of `model` 'o'"):
        relabel_file(path, tmp_path/"o", model="o")


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
