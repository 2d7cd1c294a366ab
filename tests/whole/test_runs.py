"The run notebooks that start from a user's own files, and the files that go from one to the next."
import json, re, shlex
from types import SimpleNamespace
import numpy as np, pandas as pd, pytest
from paper_files import write_paper_files
from warm import run_with
from rate_nb.audit import Audit
from rate_nb.audit.sample_size import plan_design
from rate_nb.base.core import InputError, RateError, SchemaError
from rate_nb.batch import cli
from rate_nb.batch.notebooks import (
    broken_rule, command_of, parameter_faults, rewards_of, run_files, run_graph,
    run_notebooks, write_run_notebook)
from rate_nb.benchmarks.preferences import (
    layout_of, load_responses, read_pairs, response_rows, score_rows, scored_pairs, storable_rows,
    write_pairs)
from rate_nb.benchmarks.reward_bench import load_reward_scores, recalibrate_reward_bench
from rate_nb.benchmarks.rm_bench import miniature_rm_bench
from rate_nb.calibration.score_tables import counted_scores, load_scores, write_calibrated
from rate_nb.base.store import Store
from rate_nb.diagnostics.diagnosis import diagnose
from rate_nb.estimators import correct_label_error
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.scoring.rewards import (
    columns_of_examples, parquet_columns, read_scored, rows_of_examples, texts_in)
from rate_nb.stats.power import pilot_variance
from rate_nb.theory.text_world import TextWorld

TASTE = """
def likes(prompts, responses): return [len(r)/100 + r.count("!") for r in responses]
def prefers(prompts, first, second): return [len(a) - len(b) for a, b in zip(first, second)]
"""
NASTY = "<script>alert(1)</script> \u202e`| {{x}}`"


@pytest.fixture
def taste(tmp_path):
    (tmp_path / "taste.py").write_text(TASTE)
    return dict(kind="function", function=f"{tmp_path / 'taste.py'}:likes", name="likes", key="1")


def preferences(path, n=12, chat=True):
    said = (lambda role, text: [dict(role=role, content=text)]) if chat else (lambda role, text: text)
    rows = [dict(prompt=said("user", f"Question {i}? {NASTY}"),
                 chosen=said("assistant", "Good! "*(i % 4 + 1)),
                 rejected=said("assistant", "Bad. "*(i % 3 + 1) + str(i))) for i in range(n)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def ran(name, folder, **parameters):
    return run_with(run_notebooks()[name], folder / "book", parameters | dict(run_dir=str(folder / "out")))


def summary(folder): return json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))


# the graph

def test_bullets_are_read_as_they_stand(tmp_path):
    book = write_run_notebook(tmp_path / "a.ipynb", 'x: str = "" # a file', "1")
    told = json.loads(book.read_text())
    told["cells"][0]["source"] = ("# a\n\n> What?\n\n**Takes**\n\n- `x`: rows;\n  `f.csv` of [b](b.ipynb)\n"
                                  "- nothing else\n\n**Gives**\n\n* `g.csv`: a table; taken by [b](b.ipynb), "
                                  "[c](c.ipynb)\n\nMore words with `code`.")
    book.write_text(json.dumps(told))
    said = run_files(book)
    words = "rows; `f.csv` of [b](b.ipynb)"
    assert said["takes"] == [dict(parameter="x", words=words, files=[("f.csv", "b")])]
    assert said["gives"][0]["taken_by"] == ["b", "c"] and len(said["gives"]) == 1
    assert run_graph({"a": book}) == [("a", "g.csv", "b"), ("a", "g.csv", "c"), ("b", "f.csv", "a")]


def test_runs_prints_the_graph(capsys):
    assert cli.main(["runs"]) == 0
    said = capsys.readouterr().out
    assert "takes --scores" in said and "gives scores.parquet -> calibrate" in said
    assert "](" not in said # links are for the notebooks
    assert cli.main(["runs", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["score"]["gives"] and told["score"]["parameters"]["data"]["default"] == "demo"


def test_a_command_repeats_its_run():
    said = command_of("score", dict(data="my file's.csv", reward={"kind": "demo"}, n=3, level=.95))
    words = shlex.split(said)
    assert words[:2] == ["rate_nb", "score"] and words[words.index("--data") + 1] == "my file's.csv"
    assert json.loads(words[words.index("--reward") + 1]) == {"kind": "demo"} and "--level" not in words
    assert command_of("effects", dict(diagnose=False)) == "rate_nb effects --no-diagnose"


def test_every_report_repeats_its_run_with_all_settings():
    "The command is made before a cell can change a parameter, by the one function that knows all of them"
    for name, path in run_notebooks().items():
        code = "".join("".join(c["source"]) for c in json.loads(path.read_text(encoding="utf-8"))["cells"]
                       if c["cell_type"] == "code")
        if "run_report(" in code:
            assert "again=again" in code and "again = c" in code, name
    said = command_of("dynamic", dict(reward=[{"kind": "demo", "name": "ä b"}], level=.9, run_dir="-x"))
    words = shlex.split(said)
    assert json.loads(words[words.index("--reward") + 1])[0]["name"] == "ä b"
    assert "--run-dir=-x" in words and words[words.index("--level") + 1] == "0.9"


# rewards by the specification

def test_a_wrong_reward_is_refused_before_a_kernel_starts(tmp_path, capsys):
    score = run_notebooks()["score"]
    for wrong, word in (({"kind": "clasifier", "model": "a"}, "classifier"),
                        ({"policy": "./nowhere"}, "no such folder"), ([], "one or more"),
                        ("nowhere/at/all", "no such folder"), ({"kind": "demo", "nam": "x"}, "did you mean"),
                        ({"reward": "demo", "calibration": "nowhere"}, "no such folder or file"),
                        ({"reward": "demo", "calibration": str(tmp_path)}, "`rate_nb calibrate` writes one")):
        faults = parameter_faults(score, dict(reward=wrong))[1]
        assert len(faults) == 1 and word in faults[0], (wrong, faults)
    assert parameter_faults(score, dict(reward="{kind: demo, name: x}"))[1] == []
    assert cli.main(["score", "--reward", "{kind: demo", "--run-dir", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err.startswith("rate_nb score: --reward cannot be read as YAML")
    with pytest.raises(InputError, match="of different names"):
        rewards_of([dict(kind="object", object=lambda p, r: [0.]*len(r))]*2)
    assert broken_rule("reward", "demo") == ""


# score files

def test_layouts_are_told_by_their_fields(tmp_path):
    pairs = [dict(id=0, prompt="a", chosen="b", rejected="c")]
    cases = {"rm.json": [pairs[0] | dict(chosen=list("abc"), rejected=list("def"))],
             "rb.jsonl": [pairs[0] | dict(subset="Focus")], "plain.jsonl": pairs,
             "eb.json": {"length bias": [dict(instruction="i", response1="a", response2="b", label=1)]}}
    for name, rows in cases.items():
        text = json.dumps(rows) if name.endswith(".json") else "\n".join(map(json.dumps, rows))
        (tmp_path / name).write_text(text)
    told = ["rm_bench", "reward_bench", "table", "eval_bias_bench"]
    assert [layout_of(tmp_path / n) for n in cases] == told
    (tmp_path / "r" / "gpt").mkdir(parents=True)
    (tmp_path / "r" / "gpt" / "annotations.json").write_text("[]")
    assert layout_of(tmp_path / "r") == "alpaca_eval"
    assert layout_of("hub:allenai/reward-bench:x") == "reward_bench"
    with pytest.raises(InputError, match="`layout` must be one of"):
        load_responses(tmp_path / "rm.json", "rmbench")


def test_scores_become_pairs_and_back_without_a_loss(tmp_path, taste):
    made = pd.concat([pd.DataFrame(r).assign(domain=d) for d, r in miniature_rm_bench(
        3, np.random.default_rng(0)).items()], ignore_index=True)
    rows = response_rows(made)
    assert rows.example_id.is_unique and len(rows) == 6*len(made) and rows.preferred.mean() == .5
    model, = rewards_of(taste)
    kept = Store(tmp_path / "s.sqlite")
    scored = score_rows(rows, model, kept)
    assert model.forward_passes == scored.drop_duplicates(["prompt", "response"]).shape[0]
    again, = rewards_of(taste)
    score_rows(rows, again, kept)
    assert again.forward_passes == 0                                  # nothing is scored twice
    back = scored_pairs(scored.sample(frac=1, random_state=1))["likes"]
    assert back.chosen.tolist() == made.chosen.tolist() and back.domain.tolist() == made.domain.tolist()
    assert back.score_rejected.map(len).eq(3).all()
    for r in back.itertuples():
        assert r.score_chosen == [len(t)/100 + t.count("!") for t in r.chosen]
    write_pairs({"org/likes": back, "org:likes": back}, tmp_path / "pairs")
    assert set(read_pairs(tmp_path / "pairs")) == {"org/likes", "org:likes"}
    (tmp_path / "summary.json").write_text('{"table": [1], "files": ["pairs/a.json", "pairs/b.json"]}')
    assert set(read_pairs(tmp_path)) == {"org/likes", "org:likes"}            # the run folder holds pairs/
    scored.to_parquet(tmp_path / "scores.parquet")
    there = read_pairs(tmp_path / "scores.parquet")["likes"]
    assert there.score_chosen.tolist() == back.score_chosen.tolist()
    assert len(load_scores(tmp_path / "scores.parquet")) == len(scored)       # what calibrate reads
    with pytest.raises(SchemaError, match="lack a chosen or a rejected"):
        scored_pairs(scored[scored.side == "chosen"])
    with pytest.raises(SchemaError, match="1 column missing: pair"):
        scored_pairs(scored.drop(columns=["pair"]))


def test_ids_of_two_kinds_and_half_letters_are_stored(tmp_path):
    columns = dict(id=[1, "b", None], text=["a", "\ud83d", NASTY], parts=[[1], None, {"a": 2}])
    rows = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    storable_rows(rows).to_parquet(tmp_path / "t.parquet")
    assert pd.read_parquet(tmp_path / "t.parquet").id.isna().tolist() == [False, False, True]
    broken = dict(prompt="q", chosen=["a\ud83d", "b", "c"], rejected=["d", "e", "f"], id=1, domain="chat")
    (tmp_path / "rm.json").write_text(json.dumps([broken]))
    assert len(load_responses(tmp_path / "rm.json")) == 6


def test_a_text_without_a_reward_keeps_its_row(tmp_path):
    rows = load_responses(preferences(tmp_path / "p.jsonl"))
    half = CallableReward("half", lambda p, r: [np.nan if "Bad" in t else 1. for t in r])
    scored = score_rows(rows, half)
    assert len(scored) == 24 and scored.reward.isna().sum() == 12
    assert set(scored.status[scored.reward.isna()]) != {"ok"}
    assert load_responses(tmp_path / "p.jsonl", n=3).prompt_id.nunique() == 3


def test_scores_of_a_run_are_read_as_reward_bench(tmp_path):
    subsets = ["alpacaeval-easy", "llmbar-natural", "donotanswer", "hep-cpp"]
    rng = np.random.default_rng(0)
    rows = pd.DataFrame([dict(id=i, subset=s, prompt=f"Q{i}", chosen="y"*int(rng.integers(5, 90)),
                              rejected="n"*int(rng.integers(5, 90))) for i, s in enumerate(subsets*10)])
    rows["score_chosen"] = rows.chosen.str.len() + 30.
    rows["score_rejected"] = rows.rejected.str.len()*1.
    write_pairs({"a": rows}, tmp_path)
    read = load_reward_scores(tmp_path)
    for column in ("chosen", "score_chosen"):
        assert read[column].tolist() == rows[column].tolist()
    assert len(recalibrate_reward_bench(read, at_least=0).table) == 4 # lengths come from the file itself


# scored tables

def table_of(n=40, draws=1, seed=0, per_prompt=2):
    rng = np.random.default_rng(seed)
    i = np.repeat(np.arange(n*per_prompt), draws)
    w, z = i % 2, rng.normal(size=n*per_prompt)[i]
    noise = lambda: rng.normal(size=len(i))*.2
    return pd.DataFrame(dict(
        example_id=i.astype(str), prompt_id=(i//per_prompt).astype(str),
        draw=np.tile(np.arange(draws), n*per_prompt), model="m", w=w,
        reward_original=w + z, reward_rewrite=.5*(1 - w) + z + noise(),
        reward_rewrite_of_rewrite=.5*w + z + noise(), group=np.where(i//per_prompt % 2, "a", "b"),
        length=rng.normal(size=n*per_prompt)[i]))


def test_checks_without_texts_say_what_they_lack():
    table = table_of()
    found = diagnose(None, None, table, "sentiment")
    said = found.table.set_index("check").finding
    assert "without the texts" in said["compliance"] and "without the texts" in said["differences"]
    assert "reward_same_target" in said["same-target placebo"] and "missing" in said["attrition"]
    assert found.verdict(claim="rewriter's style") == "inconclusive"
    labelled = table.assign(label_rewrite=1 - table.w, label_rewrite_of_rewrite=table.w,
                            reward_same_target=table.reward_rewrite_of_rewrite)
    two = pd.concat([labelled, labelled.assign(model="other")])
    said = diagnose(None, None, two, "sentiment").table
    ran = said[said.check.isin(["compliance", "same-target placebo"])]
    assert len(ran) == 4 and not ran.finding.str.startswith("Not run").any()


def test_a_scored_table_from_elsewhere(tmp_path):
    table = table_of(5)
    table.drop(columns=["example_id", "prompt_id", "draw", "model"]).rename(columns=dict(w="long")).to_csv(
        tmp_path / "t.csv", index=False)
    read, notes = read_scored(tmp_path / "t.csv", dict(w="long"))
    assert len(read) == 10 and read.prompt_id.nunique() == 10 and any("too narrow" in n for n in notes)
    with pytest.raises(InputError, match="has a column 'w' already"):
        table.assign(long=1).to_csv(tmp_path / "u.csv", index=False)
        read_scored(tmp_path / "u.csv", dict(w="long"))
    both = pd.concat([table, table.assign(model="n")]).drop(columns="example_id")
    both.to_csv(tmp_path / "v.csv", index=False)
    with pytest.raises(SchemaError, match="add example_id"):
        read_scored(tmp_path / "v.csv")
    told = table.assign(prompt="p", response="r", rewrite="s", rewrite_of_rewrite="t", same_target="u")
    examples, rewrites = texts_in(told)
    w = rewrites.example_id.map(dict(zip(examples.example_id, examples.w)))
    assert len(rewrites) == 30 and (rewrites.target_w == w.where(rewrites.text != "s", 1 - w)).all()


def spoiled(path, columns): # the same Parquet file with the pages of these columns overwritten
    import pyarrow.parquet as pq
    held, told = bytearray(path.read_bytes()), pq.read_metadata(path)
    for g in range(told.num_row_groups):
        for c in (told.row_group(g).column(k) for k in range(told.num_columns)):
            if c.path_in_schema in columns:
                start = min(o for o in (c.dictionary_page_offset, c.data_page_offset) if o is not None)
                held[start:start + c.total_compressed_size] = b"\xff"*c.total_compressed_size
    path.write_bytes(held)
    return path


def test_texts_stay_in_their_file_where_nobody_needs_them(tmp_path):
    texts = dict(prompt="p", response="two words", rewrite="s", rewrite_of_rewrite="t")
    told = table_of(20, 2).assign(**texts)
    told.to_parquet(tmp_path / "a.parquet", index=False)
    examples, rewrites = texts_in(read_scored(tmp_path / "a.parquet", ids=["3", "0"])[0])
    assert set(examples.example_id) == {"0", "3"} and len(rewrites) == 2*2*2
    assert columns_of_examples(tmp_path / "a.parquet", ["words", "group"]).words.eq(2).all()
    theirs = told.rename(columns=dict(example_id="id", response="answer"))
    theirs["id"] = told.example_id.astype(int)
    theirs.to_parquet(tmp_path / "b.parquet", index=False, row_group_size=7)
    names = dict(example_id="id", response="answer")
    assert rows_of_examples(tmp_path / "b.parquet", ["3"], called="id").id.tolist() == ["3", "3"]
    assert len(columns_of_examples(tmp_path / "b.parquet", ["words"], names)) == 40
    lean, _ = read_scored(spoiled(tmp_path / "a.parquet", texts), texts=False)
    assert lean.reward_rewrite.tolist() == told.reward_rewrite.tolist() and not set(texts) & set(lean)
    with pytest.raises(InputError, match="cannot be read"):
        read_scored(tmp_path / "a.parquet")
    assert len(read_scored(tmp_path / "b.parquet", names, texts=False)[0]) == len(told)
    with pytest.raises(InputError, match="`columns` names 'nobody'"):
        read_scored(tmp_path / "b.parquet", names | dict(prompt="nobody"), texts=False)
    told.drop(columns="example_id").query("draw == 0").drop(columns=["draw", "model"]).to_parquet(
        tmp_path / "c.parquet", index=False)
    assert "response" in read_scored(tmp_path / "c.parquet", texts=False)[0] # where texts may tell rows apart


@pytest.mark.parametrize("ids", [[0., .5, 1., 1.5], [0., 1., 2., 3.], pd.date_range("2020-01-01", periods=4),
                                 [1, None, 2, 3], ["a", "b", "c", "d"]],
                         ids=["parts", "whole", "days", "lost", "texts"])
def test_ids_of_any_type_name_the_same_rows_in_batches(ids, tmp_path):
    told = pd.DataFrame(dict(example_id=ids, prompt="p", response="two words", n=range(4)))
    told.to_parquet(tmp_path / "a.parquet", index=False, row_group_size=1)
    wanted = pd.read_parquet(tmp_path / "a.parquet").example_id.astype(str)
    some = rows_of_examples(tmp_path / "a.parquet", wanted[1:3])
    assert some.n.tolist() == [1, 2] and some.example_id.tolist() == wanted[1:3].tolist()
    counted = columns_of_examples(tmp_path / "a.parquet", ["words"])
    assert counted.example_id.tolist() == wanted.tolist() and counted.words.eq(2).all()


def tried(file, texts): # what reading gives, or how it is refused
    try:
        return read_scored(file, texts=texts)[0].to_dict("list")
    except RateError as e:
        return str(e)


def test_a_file_with_an_index_is_read_as_pandas_reads_it(tmp_path):
    told = table_of(10)
    told.set_index("example_id").to_parquet(tmp_path / "indexed.parquet")
    assert "example_id" not in parquet_columns(tmp_path / "indexed.parquet")
    both = [tried(tmp_path / "indexed.parquet", texts) for texts in (True, False)]
    assert both[0] == both[1]
    with pytest.raises(SchemaError, match="no column example_id"):
        columns_of_examples(tmp_path / "indexed.parquet", ["w"])
    told.head(0).to_parquet(tmp_path / "empty.parquet", index=False)
    with pytest.raises(RateError, match="no rows"):
        columns_of_examples(tmp_path / "empty.parquet", ["w"])


def test_a_text_that_is_asked_for_is_read(tmp_path):
    told = table_of(10).assign(prompt="p", response="r")
    told.to_parquet(tmp_path / "a.parquet", index=False)
    lean, _ = read_scored(tmp_path / "a.parquet", texts=["prompt"])
    assert "prompt" in lean and "response" not in lean


@pytest.mark.parametrize("reward", [pd.array([True, False, True, False]*5, dtype="boolean"),
                                    [str(i % 3) for i in range(20)]], ids=["boolean", "text"])
def test_calibrated_rewards_are_numbers_whatever_the_file_held(reward, tmp_path):
    told = pd.DataFrame(dict(reward=reward, response=["x"*(i % 7 + 1) for i in range(20)]))
    told.assign(calibrated=pd.array(range(20), dtype="Int64")).to_parquet(tmp_path / "scores.parquet")
    table, _ = counted_scores(tmp_path / "scores.parquet", "length")
    done = SimpleNamespace(table=table.assign(calibrated=.25), names=["length"], penalised="")
    back = pd.read_parquet(write_calibrated(done, tmp_path / "scores.parquet", tmp_path / "out.parquet"))
    assert back.calibrated.eq(.25).all() and back.reward.dtype == back.calibrated.dtype == np.float64
    assert back.reward.tolist() == [float(v) for v in reward]


@pytest.mark.slow("a notebook")
def test_effects_of_an_audit_read_none_of_its_texts(tmp_path):
    told, folder = table_of(30), tmp_path / "audit"
    folder.mkdir()
    told.to_parquet(folder / "scored.parquet", index=False)
    examples, rewrites = texts_in(told.assign(prompt="p", response="r", rewrite="s", rewrite_of_rewrite="t"))
    examples.assign(domain="a").to_parquet(folder / "examples.parquet", index=False)
    rewrites.to_parquet(folder / "rewrites.parquet", index=False)
    spoiled(folder / "examples.parquet", {"prompt", "response"})
    spoiled(folder / "rewrites.parquet", {"text"})
    code, said = ran("effects", tmp_path, scored=str(folder), by="group, domain", diagnose=False)
    assert code == 0, said[-3000:]


@pytest.mark.slow("a notebook")
def test_effects_that_count_each_prompt_once(tmp_path, capsys):
    table = table_of(60, 1)
    table["prompt_id"] = np.minimum(table.index//2, 12) # the last prompt has most responses
    table["reward_rewrite_of_rewrite"] += (2*table.w - 1)*(table.prompt_id == 12)
    table.to_csv(tmp_path / "t.csv", index=False)
    flags = ["effects", str(tmp_path / "t.csv"), "--no-diagnose", "--run-dir", str(tmp_path / "out")]
    assert cli.main([*flags, "--estimand-over", "each prompt"]) == 2
    assert "must be one of prompts of these sizes, new prompts, each prompt once" in capsys.readouterr().err
    assert cli.main([*flags, "--estimand-over", "each prompt once"]) == 0
    c = (2*table.w - 1)*(table.reward_rewrite_of_rewrite - table.reward_rewrite)
    saved = pd.read_csv(tmp_path / "out" / "effects.csv")
    found = saved[(saved.estimator == "rate") & (saved.estimand == "ATE")].estimate.item()
    assert found == pytest.approx(c.groupby(table.prompt_id).mean().mean()) and abs(found - c.mean()) > .2
    assert summary(tmp_path)["estimand_over"] == "each prompt once"
    assert "Each prompt counts once" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


# pilots

def test_what_costs_nothing_is_planned_with_the_fewest_chains():
    free, _ = plan_design(table_of(30, 2), .3, cost_chain=0.)
    counted, _ = plan_design(table_of(30, 2), .3)
    assert free.chains.tolist() == counted.chains.tolist() and free.chains[0] == free.chains.min()
    assert (free.dollars == 0).all() and counted.dollars.isna().all()


@pytest.mark.parametrize("sizes", [(30, 2, 2), (40, 3, 4)])
def test_mean_squares_are_those_of_a_balanced_table(sizes):
    G, m, k = sizes
    v = np.random.default_rng(1).normal(size=sizes) + np.random.default_rng(2).normal(size=(G, 1, 1))
    g, e, _ = np.unravel_index(np.arange(v.size), sizes)
    found = pilot_variance(v.ravel(), g*m + e, g)
    assert found.prompts.value == pytest.approx(v.mean((1, 2)).var(ddof=1))
    assert found.responses.value == pytest.approx(v.mean(2).var(axis=1, ddof=1).mean())
    assert found.draws.value == pytest.approx(v.var(axis=2, ddof=1).mean())
    assert (found.a, found.h) == pytest.approx((1/m, 1/k)) and found.b == pytest.approx(1/(m*k))


def test_a_small_pilot_plans_its_own_design_alone():
    full, found = plan_design(table_of(30, 2), .3)
    assert found.full and len(full) == 12*8 and (full.prompts >= full.prompts_expected).all()
    assert full.sort_values(["responses", "draws"]).groupby("draws").prompts.apply(
        lambda p: p.is_monotonic_decreasing).all()
    lost = table_of(30, 2)
    lost.loc[[3, 40], "reward_rewrite"] = np.nan # two rewrites failed, and the pilot is a pilot still
    assert plan_design(lost, .3)[1].full
    for few in (table_of(24, 2), table_of(30, 1), table_of(60, 2, per_prompt=1)):
        few = few.assign(w=lambda t: np.where(t.prompt_id.astype(int) % 2, t.w, t.w))
        plan, found = plan_design(few, .3)
        assert len(plan) == 1 and not found.full
    with pytest.raises(InputError, match="`width` must be a number above 0"):
        plan_design(table_of(30, 2), 0)
    for name, odd in dict(estimand="LATE", cost_prompt=-1., cost_response=-.01, cost_chain="1").items():
        with pytest.raises(InputError, match=f"`{name}` must be"):
            plan_design(table_of(30, 2), .3, **{name: odd})
    flat = table_of(30, 2).assign(reward_rewrite=0., reward_rewrite_of_rewrite=lambda t: t.w*1.)
    with pytest.raises(InputError, match="do not vary"):
        plan_design(flat.assign(reward_rewrite=lambda t: 1. - t.w), .3)
    limited, _ = plan_design(table_of(30, 2), .1, max_prompts=5)
    assert not limited.possible.any()


# the notebooks, each by its own command or cells

def test_score_any_preferences_by_any_reward(tmp_path, taste):
    file = preferences(tmp_path / "p.jsonl")
    code, said = ran("score", tmp_path, data=str(file), reward=taste)
    assert code == 0, said[-3000:]
    assert summary(tmp_path)["forward_passes"] == 24
    scores = pd.read_parquet(tmp_path / "out" / "scores.parquet")
    assert {"prompt_id", "example_id", "prompt", "response", "model", "reward", "preferred"} <= set(scores)
    assert (scores.reward == scores.response.str.len()/100 + scores.response.str.count("!")).all()
    assert "<script>alert" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8").replace(
        "&lt;script", "")
    promised = {part["file"] for part in run_files(run_notebooks()["score"])["gives"]}
    assert promised == {"scores.parquet", "pairs/*.json", "annotations.parquet", "accuracies.csv"}
    assert list((tmp_path / "out").glob("pairs/*.json")) and (tmp_path / "out" / "accuracies.csv").exists()


@pytest.mark.slow("runs five notebooks")
def test_what_score_gives_is_what_others_take(tmp_path, taste, data):
    code, said = ran("score", tmp_path / "a", data=str(data / "rm_bench"), reward=taste, n=60)
    assert code == 0, said[-3000:]
    assert summary(tmp_path / "a")["forward_passes"] > 0
    out = tmp_path / "a" / "out"
    told = (tmp_path / "a" / "out" / "report.html").read_text(encoding="utf-8")
    assert "no Overall" in told and "Mean of chat, code, safety" in told # math is not among the files
    of_pairs, of_scores = (read_pairs(out / name)["likes"] for name in ("pairs", "scores.parquet"))
    for column in ("score_chosen", "score_rejected"):
        assert of_pairs[column].tolist() == of_scores[column].tolist()
    code, said = ran("calibrate", tmp_path / "b", scores=str(out), replicates=0)
    assert code == 0, said[-3000:]
    there = ",".join(sorted({d.split("-")[0] for d in pd.read_parquet(out / "scores.parquet").domain}))
    code, said = ran("rm_bench", tmp_path / "c", domains=there,
                     scores=str(tmp_path / "b" / "out"))
    assert code == 0 and summary(tmp_path / "c")["forward_passes"] == 0, said[-3000:]
    code, said = ran("score", tmp_path / "d", data=str(data / "alpaca_eval"), reward=taste)
    assert code == 0, said[-3000:]
    code, said = ran("alpaca_eval", tmp_path / "e", length_controlled=False,
                     results=str(tmp_path / "d" / "out"))
    assert code == 0 and summary(tmp_path / "e")["generators"] >= 3, said[-3000:]


@pytest.mark.slow("two notebooks")
def test_a_judge_is_scored_on_pairs_alone(tmp_path):
    (tmp_path / "taste.py").write_text(TASTE)
    judge = dict(kind="judge_function", function=f"{tmp_path / 'taste.py'}:prefers", name="j", key="1")
    file = preferences(tmp_path / "p.jsonl", chat=False)
    code, said = ran("score", tmp_path / "a", data=str(file), reward=judge)
    assert code == 0, said[-3000:]
    assert "margin" in read_pairs(tmp_path / "a" / "out" / "pairs")["j"]
    assert not (tmp_path / "a" / "out" / "scores.parquet").exists()
    pd.DataFrame(dict(prompt=["a"], response=["b"])).to_csv(tmp_path / "t.csv", index=False)
    code, said = ran("score", tmp_path / "b", data=str(tmp_path / "t.csv"), reward=judge)
    assert code != 0 and "holds no pairs" in said


@pytest.mark.slow("a notebook with two attributes and their groups")
def test_effects_of_tables_from_elsewhere(tmp_path):
    table_of(60, 2).to_parquet(tmp_path / "length.parquet")
    table_of(60, 1, seed=3).assign(model=NASTY).to_csv(tmp_path / "mine.csv", index=False)
    code, said = ran("effects", tmp_path, scored=f"{tmp_path / 'length.parquet'}, {tmp_path / 'mine.csv'}",
                     by="group, length")
    assert code == 0, said[-3000:]
    found = summary(tmp_path)
    assert [r["attribute"] for r in found["table"]] == ["length", "mine"]
    assert all(abs(r["estimate"] - .5/r_sd(tmp_path, r)) < .2 for r in found["table"])
    assert len(found["heterogeneity"]) == 4 and found["not_run"]
    assert {r["by"] for r in found["heterogeneity"]} == {"group", "length, at its quartiles"}
    for part in run_files(run_notebooks()["effects"])["gives"]:
        assert (tmp_path / "out" / part["file"]).exists() or part["words"].startswith("with `"), part
    assert "<script>alert(1)" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def r_sd(folder, row): # pooled standard deviation of the originals, by hand
    name = "length.parquet" if row["attribute"] == "length" else "mine.csv"
    t = pd.read_parquet(folder / name) if name.endswith("parquet") else pd.read_csv(folder / name)
    arms = t.drop_duplicates("example_id").groupby("w").reward_original
    return float(np.sqrt(((arms.size() - 1)*arms.var()).sum()/(arms.size() - 1).sum()))


@pytest.mark.slow("three notebooks that stop")
@pytest.mark.parametrize("parameters, said", [
    (dict(by="nowhere"), "`by`: the table of length has no column nowhere"),
    (dict(by="draw"), "example_id '0' holds '0', '1'. Give all draws of an example one value, or leave"),
    (dict(attributes="a, b"), "`attributes` must name one attribute for each of 1 files"),
    (dict(columns=dict(w="nowhere")), "`columns` names 'nowhere'")])
def test_effects_name_what_is_missing(tmp_path, parameters, said):
    table_of(12, draws=2).to_csv(tmp_path / "length.csv", index=False)
    code, told = ran("effects", tmp_path, scored=str(tmp_path / "length.csv"), **parameters)
    assert code != 0 and said in told, told[-2000:]


@pytest.mark.slow("one notebook")
def test_a_pilot_becomes_a_plan(tmp_path):
    table_of(30, 2).to_csv(tmp_path / "pilot.csv", index=False)
    code, said = ran("pilot", tmp_path, scored=str(tmp_path / "pilot.csv"), width=.3, unit="reward")
    assert code == 0, said[-3000:]
    found = summary(tmp_path)
    assert found["full_pilot"] and found["prompts"] > 10 and found["dollars"] is None
    table_of(12, 1).to_csv(tmp_path / "small.csv", index=False)
    code, said = ran("pilot", tmp_path, scored=str(tmp_path / "small.csv"), width=.3, unit="reward")
    assert code == 0 and not summary(tmp_path)["full_pilot"], said[-3000:]


@pytest.mark.slow("one notebook")
def test_a_judges_pilot_is_planned_in_points_of_the_verdict(tmp_path):
    table_of(30, 2).assign(judge_unit=1.).to_csv(tmp_path / "pilot.csv", index=False)
    widths = []
    for unit in ("sd", "reward"): # it has no standard deviation, whatever is asked
        code, said = ran("pilot", tmp_path, scored=str(tmp_path / "pilot.csv"), width=.3, unit=unit)
        page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
        assert code == 0 and "0.3 points of the verdict" in page, said[-3000:]
        widths.append((summary(tmp_path)["unit"], summary(tmp_path)["prompts"]))
    assert widths[0] == widths[1] and widths[0][0] == "reward"


@pytest.mark.slow("one notebook that stops")
def test_shift_takes_examples_or_an_audit(tmp_path):
    table_of(12, draws=2).to_csv(tmp_path / "mine.csv", index=False)
    (tmp_path / "audit").mkdir()
    code, said = ran("shift", tmp_path, examples=str(tmp_path / "mine.csv"), audit=str(tmp_path / "audit"))
    assert code != 0 and "are both given, and an audit brings its own" in said, said[-2000:]


def contrasts(table): # rewrite of rewrite minus rewrite, towards the attribute
    return (2*table.w - 1)*(table.reward_rewrite_of_rewrite - table.reward_rewrite)


@pytest.mark.slow("three notebooks")
def test_two_rewriters_are_compared_on_the_texts_that_both_rewrote(tmp_path):
    "Paired: what both rewriters leave of a text's own reward falls out of the error"
    from rate_nb.stats.inference import paired_effect
    first = table_of(40)
    second = first.assign(reward_rewrite=first.reward_rewrite + .01*np.sin(np.arange(len(first))))
    first.to_csv(tmp_path / "first.csv", index=False)
    second.iloc[4:].to_csv(tmp_path / "second.csv", index=False)
    asked = dict(first=str(tmp_path / "first.csv"), against=str(tmp_path / "second.csv"), unit="reward",
                 margin=.05)
    code, said = ran("compare", tmp_path, **asked)
    assert code == 0, said[-3000:]
    found, = summary(tmp_path)["table"]
    a, b = first.iloc[4:], second.iloc[4:]
    # both arms are equally large, so that the ATE is the mean over responses
    wanted = paired_effect(contrasts(a), contrasts(b), a.prompt_id)
    assert found["difference"] == pytest.approx(wanted.estimate, abs=1e-12)
    assert found["std_error"] == pytest.approx(wanted.std_error, rel=.05) and found["equivalent"]
    alone = pd.read_csv(tmp_path / "out" / "effects.csv").query("estimand == 'ATE'").std_error
    finding, note = summary(tmp_path)["said"]
    assert found["std_error"] < .2*alone.min() and "no difference that matters" in finding
    assert "4 of 80 examples are not in every table" in note
    first.assign(example_id="other" + first.example_id).to_csv(tmp_path / "second.csv", index=False)
    code, said = ran("compare", tmp_path, **asked)
    assert code != 0 and "share no example" in said
    first.to_csv(tmp_path / "one.csv", index=False)
    code, said = ran("compare", tmp_path, first=str(tmp_path / "one.csv"))
    assert code != 0 and "one reward alone, m, is compared with nothing" in said


@pytest.mark.slow("two notebooks")
def test_the_rewards_of_one_audit_are_compared_and_a_judge_with_judges_alone(tmp_path):
    one = table_of(40)
    cured = one.assign(model="cured", reward_rewrite=one.reward_original,
                       reward_rewrite_of_rewrite=one.reward_original)
    judge = one.assign(model="judge", reward_original=np.nan)
    pd.concat([one, cured, judge]).to_csv(tmp_path / "all.csv", index=False)
    asked = dict(first=str(tmp_path / "all.csv"), unit="reward")
    code, said = ran("compare", tmp_path, **asked, models="m,cured")
    assert code == 0, said[-3000:]
    found, = summary(tmp_path)["table"]
    assert found["difference"] == pytest.approx(contrasts(one).mean()) and not found["equivalent"]
    assert found["p_adjusted"] < .001 and "The first effect is higher" in summary(tmp_path)["said"][0]
    code, said = ran("compare", tmp_path, **asked, models="m,judge")
    assert code != 0 and "m and judge are a reward and a judge" in said


def run_folder(folder, table, over):
    "What an audit leaves, as far as effects need it"
    folder.mkdir()
    table.to_parquet(folder / "scored.parquet", index=False)
    said = dict(audit=dict(attribute=dict(name="length")), intervals=dict(estimand_over=over))
    (folder / "manifest.json").write_text(json.dumps(said), encoding="utf-8")
    return str(folder)


@pytest.mark.slow("five notebooks")
def test_audits_that_count_each_prompt_once_stay_so(tmp_path):
    "Small prompts earn more in the new one, the large prompt less"
    old = table_of(60, 1)
    old["prompt_id"] = np.minimum(old.index//2, 12).astype(str)
    gain = (2*old.w - 1)*np.where(old.prompt_id == "12", -.1, .8)
    new = old.assign(reward_rewrite_of_rewrite=old.reward_rewrite_of_rewrite + gain)
    places = [run_folder(tmp_path / n, t, "each prompt once") for n, t in (("new", new), ("old", old))]
    code, said = ran("compare", tmp_path, first=places[0], against=places[1], unit="reward",
                     fail_on="length > 0.2")
    assert code == 0, said[-3000:]
    found, = summary(tmp_path)["table"]
    assert found["difference"] == pytest.approx((12*.8 - .1)/13) and summary(tmp_path)["exit_code"] == 3
    assert "each prompt counts once" in (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    usual = run_folder(tmp_path / "usual", old, "prompts of these sizes")
    code, said = ran("compare", tmp_path, first=places[0], against=usual)
    assert code and "audits differ in `estimand_over`" in said
    mean = lambda t: contrasts(t).groupby(t.prompt_id).mean().mean()
    for more, counted in (({}, mean(new)), (dict(estimand_over="new prompts"), contrasts(new).mean())):
        code, said = ran("effects", tmp_path, scored=places[0], diagnose=False, **more)
        assert code == 0, said[-3000:]
        table = pd.read_csv(tmp_path / "out" / "effects.csv").set_index(["estimator", "estimand"])
        assert table.estimate["rate", "ATE"] == pytest.approx(counted, abs=.02)
    code, said = ran("rewriters", tmp_path, audits=",".join(places))
    assert code == 0, said[-3000:]
    each = [row["estimate"] for row in summary(tmp_path)["rewriters"]]
    assert each == pytest.approx([mean(new), mean(old)])


@pytest.mark.slow("a leaderboard of real results")
def test_alpaca_eval_from_a_folder_of_results(tmp_path, data):
    ranking = "model,elo\nclaude-2,1130\nvicuna-7b,1005\nalpaca-7b,900\n"
    (tmp_path / "ranking.csv").write_text(ranking)
    code, said = ran("alpaca_eval", tmp_path, results=str(data / "alpaca_eval"), length_controlled=False,
                     ranking=str(tmp_path / "ranking.csv"), replicates=100)
    assert code == 0, said[-3000:]
    found = summary(tmp_path)
    assert found["agreement"][0]["n"] == 3 and found["gameability"][0]["low"] is not None
    assert any("shares 3 models" in note and "too narrow" in note for note in found["notes"])
    games = {r["metric"]: r["gameability"] for r in found["gameability"]}
    assert games["calibrated"] < games["win rate"]
    (tmp_path / "two.csv").write_text("model,elo\nx,1\ny,2\nz,3\n")
    code, said = ran("alpaca_eval", tmp_path, results=str(data / "alpaca_eval"),
                     ranking=str(tmp_path / "two.csv"))
    assert code != 0 and "shares 0 models" in said
    code, said = ran("alpaca_eval", tmp_path, method="rc-mean", frac=.5)
    assert code != 0 and "`frac` is not used by `method` rc-mean" in re.sub("--(frac|method)", r"`\1`", said)


@pytest.mark.slow("two leaderboards")
def test_alpaca_eval_compares_judges_methods_and_rankings(tmp_path):
    "The calibration paper's table 1 and figure 3, from rewards of the same responses"
    files = write_paper_files(tmp_path / "files")
    asked = dict(data=str(files / "results"), reward=[f"{files}/rewards.py:likes_length",
                                                      f"{files}/rewards.py:likes_brevity"])
    code, said = ran("score", tmp_path, **asked)
    assert code == 0, said[-3000:]
    (tmp_path / "out").rename(tmp_path / "scored")
    arenas = ",".join(str(files / f"arena_{year}.csv") for year in (2023, 2024))
    asked = dict(results=str(tmp_path / "scored"), ranking=arenas, length_controlled=False, replicates=100)
    code, said = ran("alpaca_eval", tmp_path, **asked)
    assert code and "must be all, or name judges" in said and "likes_brevity" in said
    code, said = ran("alpaca_eval", tmp_path, **asked, annotator="all", methods="original,rc-lwr")
    assert code == 0, said[-3000:]
    table = pd.read_csv(tmp_path / "out" / "comparison.csv").set_index(["judge", "method", "ranking"])
    assert len(table) == 2*2*2
    games = table.gameability.xs("arena_2023", level="ranking")
    for judge in ("likes_length", "likes_brevity"): # both are gamed by length, calibrated ones less
        assert games[judge, "RC-LWR"] < games[judge, "Original"]
    # one judge at a time gives the same row
    alone = pd.read_csv(tmp_path / "out" / "gameability.csv").set_index("metric").gameability
    assert alone["win rate"] == pytest.approx(games["likes_length", "Original"])
    assert "plot" not in said and "RC-LWR" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow("a notebook")
def test_calibrate_studies_the_scores(tmp_path):
    files = write_paper_files(tmp_path / "files")
    code, said = ran("calibrate", tmp_path, scores=str(files / "scores.csv"), study=True, method="rc-lwr",
                     frac=.9, replicates=0)
    assert code == 0, said[-3000:]
    read = lambda name: pd.read_csv(tmp_path / "out" / f"{name}.csv")
    sweeps, few, pairs = read("sweeps"), read("data_efficiency"), read("ensembles").set_index("model")
    assert set(sweeps.study) == {"γ", "window", "α", "α in standard deviations"}
    assert set(sweeps.model) == {"fair", "biased"} == set(pairs)
    raw = read("outcomes").query("method == 'raw'").set_index("model").accuracy
    at = sweeps.set_index(["model", "study", "value"]).accuracy
    for model in ("fair", "biased"): # the dial at 0, the diagonal and the table of outcomes are one number
        assert at[model, "γ", 0] == pytest.approx(raw[model]) == pytest.approx(pairs[model][model]/100)
    assert at["biased", "γ", 1] > raw["biased"] + .05 and set(few.method) == {
        "RC-LWR-Penalty", "RC-LWR", "RC-Mean"}
    assert "After fitting on few pairs" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    lacking = pd.read_csv(files / "scores.csv").drop(columns="preferred")
    lacking.to_csv(tmp_path / "lacking.csv", index=False)
    code, said = ran("calibrate", tmp_path, scores=str(tmp_path / "lacking.csv"), study=True)
    assert code and "`study` needs one `characteristic`" in said


# several rewriters, levels, prompts

def audited_by(folder, name, more, w=None):
    "A scored table of one rewriter, in a folder of its own"
    rng = np.random.default_rng(int(100*more))
    table = pd.DataFrame(dict(example_id=range(40), prompt_id=range(40), draw=0, model="r",
                              w=np.arange(40) % 2 if w is None else w, reward_original=rng.normal(size=40)))
    ends = 2*table.w - 1
    table = table.assign(reward_rewrite=table.reward_original - ends*(1 + more)*(.9 + .2*rng.random(40)),
                         reward_rewrite_of_rewrite=table.reward_original)
    (folder / name).mkdir()
    table.to_parquet(folder / name / "scored.parquet", index=False)
    return str(folder / name / "scored.parquet")


@pytest.mark.slow("four notebooks")
def test_several_rewriters_say_one_thing(tmp_path):
    places = [audited_by(tmp_path, f"r{k}", k/4) for k in range(3)]
    code, said = ran("rewriters", tmp_path, audits=",".join(places))
    assert code == 0, said[-3000:]
    found = summary(tmp_path)
    pooled, = found["table"]
    each = [row["estimate"] for row in found["rewriters"]]
    assert pooled["effect"] == pytest.approx(np.mean(each)) and pooled["rewriters"] == 3
    assert pooled["spread"] == pytest.approx(np.std(each, ddof=1), rel=.05) and pooled["p_same"] < .001
    assert pooled["ci_high"] - pooled["ci_low"] > 1 # three rewriters that differ by .25
    assert "does not exclude an artefact that all of them share" in found["said"][0]
    code, said = ran("rewriters", tmp_path, audits=places[0])
    assert code and "needs two run folders or more" in said
    other = audited_by(tmp_path, "other", 0, w=[1]*20 + [0]*20)
    code, said = ran("rewriters", tmp_path, audits=f"{places[0]},{other}")
    assert code and "have other labels in one table than in" in said


@pytest.mark.slow("two notebooks")
def test_levels_and_prompts_from_files(tmp_path):
    files = write_paper_files(tmp_path / "files")
    of = lambda name: f"{files}/rewards.py:{name}"
    code, said = ran("levels", tmp_path, examples=str(files / "reviews.csv"), rewriter=of("to_words"),
                     reward=of("likes_length"), levels=dict(name="length", targets=[20, 40, 80]))
    assert code == 0, said[-3000:]
    rows = {row["level"]: row for row in summary(tmp_path)["table"]}
    assert set(rows) == {20, 80} and rows[80]["dose"] == 80 # the middle one is the reference
    assert rows[20]["ci_high"] < 0 < rows[80]["ci_low"]
    (tmp_path / "idle.py").write_text("def idle(prompt, text, words): return text + ' Indeed.'")
    code, said = ran("levels", tmp_path / "idle", examples=str(files / "reviews.csv"),
                     rewriter=f"{tmp_path}/idle.py:idle", reward=of("likes_length"),
                     levels=dict(name="length", targets=[20, 80]))
    assert code == 0, said[-3000:]
    first, second, *_ = summary(tmp_path / "idle")["said"]
    assert first.startswith("Nothing was measured of length 20: its rewrites have ")
    assert "changes" not in second
    code, said = ran("prompts", tmp_path, examples=str(files / "reviews.csv"), rewriter=of("ask_for"),
                     generator=of("answer"), reward=of("likes_length"))
    assert code == 0, said[-3000:]
    rate, = summary(tmp_path)["table"]
    added = " Here are great details."
    assert rate["estimate"] == pytest.approx(len(added)/100 + 1)
    shares = {(row["depth"], row["target_w"]): row["treated"] for row in summary(tmp_path)["compliance"]}
    assert len(shares) == 4


@pytest.mark.slow("three notebooks")
def test_effects_of_objectives_and_without_the_errors_of_labels(tmp_path):
    files = write_paper_files(tmp_path / "files")
    code, said = ran("effects", tmp_path, scored=str(files / "checked.csv"), truth="by_hand", diagnose=False)
    assert code == 0, said[-3000:]
    seen = pd.read_csv(files / "checked.csv").dropna(subset="by_hand")
    rates = [(int((side.w == side.by_hand).sum()), len(side))
             for side in (seen[seen.by_hand == 1], seen[seen.by_hand == 0])]
    wanted = correct_label_error(read_scored(files / "checked.csv")[0], *rates)
    found = pd.read_csv(tmp_path / "out" / "corrected.csv")
    assert np.allclose(found.estimate, wanted.estimate) and np.allclose(found.ci_low, wanted.ci_low)
    assert f"{rates[0][0]} of {rates[0][1]} are right" in summary(tmp_path)["notes"][-1]
    code, said = ran("effects", tmp_path, scored=str(files / "checked.csv"), objectives=True)
    assert code and "needs the run folder of an audit" in said
    world = TextWorld("length")
    reward = CallableReward("r", lambda p, r: [len(x)/100 for x in r], key="r")
    audit = Audit(world.examples(30, np.random.default_rng(0)), "length", world.rewriter, reward,
                  tmp_path / "audit")
    audit.score()
    audit.close()
    rewards = pd.read_parquet(tmp_path / "audit" / "rewards.parquet") # as a model with objectives leaves them
    rewards.assign(objective_twice=2*rewards.reward).to_parquet(tmp_path / "audit" / "rewards.parquet")
    code, said = ran("effects", tmp_path, scored=str(tmp_path / "audit"), objectives=True, diagnose=False)
    assert code == 0, said[-3000:]
    by = pd.read_csv(tmp_path / "out" / "effects.csv").query("estimator == 'rate' and estimand == 'ATE'")
    by = by.set_index("model").estimate
    assert by["r · twice"] == pytest.approx(2*by["r"])


@pytest.mark.slow("three notebooks")
def test_labels_are_said_alike_in_shift_and_dynamic(tmp_path):
    "The words of an audit's label: a column whose values are treated or untreated"
    files = write_paper_files(tmp_path / "files")
    reviews = pd.read_csv(files / "reviews.csv")
    reviews["mood"] = np.where(reviews.positive == 1, "good", "bad")
    reviews.to_csv(files / "moods.csv", index=False)
    label = dict(column="mood", treated=["good"], untreated=["bad"])
    reward = f"{files}/rewards.py:likes_length"
    tables = []
    for other in ("positive", label):
        code, said = ran("shift", tmp_path, examples=str(files / "moods.csv"), other=other, sample=8,
                         levels="0.3,0.5,0.7", reward_model=reward)
        assert code == 0, said[-3000:]
        tables.append(pd.read_csv(tmp_path / "out" / "shift.csv"))
    assert np.allclose(tables[0].estimate, tables[1].estimate)
    code, said = ran("dynamic", tmp_path, examples=str(files / "moods.csv"), attributes="length: 0", n=4,
                     reward=[reward, f"{files}/rewards.py:likes_brevity"], rewriter="sandbox",
                     labels=dict(sentiment=label))
    assert code and "`labels` must be a mapping of attributes" in said
    code, said = ran("dynamic", tmp_path, examples=str(files / "moods.csv"), attributes="sentiment: 1", n=4,
                     reward=[reward, f"{files}/rewards.py:likes_brevity"], rewriter="sandbox",
                     labels=dict(sentiment=label))
    assert code == 0, said[-3000:]


def test_score_asks_whether_columns_are_exchanged_and_names_pairs_of_one_text(tmp_path, taste):
    rows = pd.DataFrame(dict(prompt=[f"Es ist {i}." for i in range(24)],
                             response=[f"Was ist {i}?" for i in range(24)]))
    rows.to_csv(tmp_path / "crossed.csv", index=False)
    code, said = ran("score", tmp_path, data=str(tmp_path / "crossed.csv"), reward=taste)
    assert not code and "columns of prompt and response exchanged?" in summary(tmp_path)["notes"][0], said
    pairs = pd.DataFrame(dict(prompt=[f"Was {i}?" for i in range(24)], chosen="Gut! Gut!",
                              rejected=["Gut! Gut!"]*8 + ["Nein."]*16))
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    code, said = ran("score", tmp_path, data=str(tmp_path / "pairs.csv"), reward=taste)
    found = summary(tmp_path)
    assert not code and found["accuracies"][0]["accuracy"] == 1, said
    assert found["notes"] == ["8 of 24 pairs hold one text as chosen and as rejected and are left out of the "
                              "accuracies: is one column a copy of the other?"]
