"What a person meets who knows only the commands: the files of one run in the hands of the next."
import json, re
import numpy as np, pandas as pd, pytest
from warm import run_with
from rate_nb.audit import Audit
from rate_nb.audit.people import make_ballot, read_votes
from rate_nb.base.core import InputError, SchemaError
from rate_nb.batch.notebooks import run_files, run_notebooks
from rate_nb.benchmarks.preferences import write_pairs
from rate_nb.benchmarks.rm_bench import miniature_rm_bench
from rate_nb.rewriting import double_rewrite
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.studies import dynamic_benchmark
from rate_nb.theory.text_world import TextWorld


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    folder, world = tmp_path_factory.mktemp("audit"), TextWorld("sentiment")
    examples = world.examples(40, np.random.default_rng(0)).assign(domain=["a", "b", "b", "a"]*10)
    reward = CallableReward("r", lambda p, r: [len(x)/100 for x in r], key="r")
    audit = Audit(examples, "sentiment", world.rewriter, reward, folder)
    audit.score()
    audit.report()
    audit.close()
    return folder


def ran(name, folder, **parameters):
    code, printed = run_with(run_notebooks()[name], folder, parameters | dict(run_dir=str(folder/"o")))
    return code, printed, folder/"o"


def test_no_run_writes_a_summary_that_json_does_not_know():
    for name, path in run_notebooks().items():
        cells = "\n".join("".join(c["source"]) for c in json.loads(path.read_text())["cells"])
        if "summary.json" in cells:
            assert not re.search(r"json\.dumps\((summary|record|written)", cells), name
            assert "write_file(" in cells, name # which makes NaN null


@pytest.mark.slow("a notebook")
def test_effects_by_a_column_of_the_audits_examples_and_by_a_count(tmp_path, audited):
    code, printed, out = ran("effects", tmp_path, scored=str(audited), by="domain, words", diagnose=False)
    assert code == 0, printed
    cate = pd.read_csv(out/"cate.csv")
    assert {"a", "b"} <= set(cate.group[cate["by"] == "domain"])
    assert "words, at its quartiles" in set(cate["by"])
    assert json.loads((out/"summary.json").read_text())["verdicts"] == []


@pytest.mark.slow("three times a notebook")
def test_shift_is_about_what_the_audit_measured(tmp_path, audited):
    told = dict(audit=str(audited), levels="0.3,0.5,0.7")
    code, printed, out = ran("shift", tmp_path, other="formality", **told)
    assert code and "no attribute with a rule" in printed and "lack `w`" not in printed
    code, printed, out = ran("shift", tmp_path, other="domain_b", **told)
    assert code and "domain" in printed, "its columns are named"
    code, printed, out = ran("shift", tmp_path, other="words", **told)
    assert code == 0, printed
    page = (out/"report.html").read_text()
    assert "effect of sentiment move with words" in page and "effect of length" not in page


@pytest.mark.slow("a notebook with a benchmark")
def test_close_the_loop_takes_the_folder_of_pairs_that_other_runs_write(tmp_path):
    world = TextWorld("length")
    audit = Audit(world.examples(30, np.random.default_rng(0)), "length", world.rewriter,
                  CallableReward("r", lambda p, r: [len(x)/100 for x in r], key="r"), tmp_path/"audit")
    audit.score()
    audit.close()
    bench = pd.concat([pd.DataFrame(rows).assign(domain=d) for d, rows in
                       miniature_rm_bench(3, np.random.default_rng(0)).items()], ignore_index=True)
    def scored(sign): return bench.assign(**{f"score_{s}": bench[s].map(lambda t: [sign*len(x) for x in t])
                                             for s in ("chosen", "rejected")})
    write_pairs({"other": scored(-1), "r": scored(1)}, tmp_path/"pairs")
    asked = dict(audit=str(tmp_path/"audit"), seeds=0, benchmark=str(tmp_path/"pairs"))
    code, printed, out = ran("close_the_loop", tmp_path, **asked)
    assert code == 0, printed
    board = pd.read_csv(out/"benchmark.csv").query("rewards == 'raw'")
    assert board.easy.max() == 1 and board.hard.min() == 0, "the audited model's pairs, not the other's"
    write_pairs({"other": scored(-1), "s": scored(1)}, tmp_path/"others")
    code, printed, out = ran("close_the_loop", tmp_path, **asked | dict(benchmark=str(tmp_path/"others")))
    assert code and "none of r, the audited model" in printed


def test_votes_are_never_read_by_another_ballots_key():
    world = TextWorld("length")
    examples = world.examples(20, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "length", world.rewriter)
    one, key = make_ballot(examples, rewrites, 5, np.random.default_rng(0))
    _, wrong = make_ballot(examples, rewrites, 5, np.random.default_rng(1))
    votes = one.assign(voter="Ann", choice="first")
    assert len(read_votes(votes, key)) == 5
    with pytest.raises(SchemaError, match="must stand in `ballot_key`"):
        read_votes(votes, wrong)
    again, same = make_ballot(examples, rewrites, 5, np.random.default_rng(0))
    assert again.equals(one) and same.equals(key)


@pytest.mark.slow("three times a notebook")
def test_a_ballot_that_people_fill_in_is_not_replaced(tmp_path, audited):
    ask = dict(audit=str(audited), ballot=6)
    assert ran("people", tmp_path, **ask)[2]
    path = tmp_path/"o"/"ballot.csv"
    pd.read_csv(path).assign(voter="Ann", choice="first").to_csv(path, index=False)
    ran("people", tmp_path, **ask)
    assert (pd.read_csv(path).voter == "Ann").all()
    code, printed, out = ran("people", tmp_path, **ask | dict(ballot=8))
    assert code and "holds another ballot" in printed and (pd.read_csv(path).voter == "Ann").all()


def test_a_dynamic_benchmark_takes_labels_from_the_file_where_no_rule_gives_them():
    world = TextWorld("sentiment")
    table = world.examples(24, np.random.default_rng(0))
    table = table[["example_id", "prompt_id", "prompt", "response", "w"]]
    def run(examples): return dynamic_benchmark(
        [CallableReward("r", lambda p, r: [len(x)/100 for x in r])], dict(helpfulness=1, length=0), examples,
        {"helpfulness": world.rewriter, "length": TextWorld("length").rewriter},
        np.random.default_rng(0), n=8)
    with pytest.raises(InputError, match="no rule labels responses by helpfulness; give `examples` a column"):
        run(table)
    found = run(table.rename(columns=dict(w="helpfulness")))
    assert set(found.effects.attribute) == {"helpfulness", "length"} and "d_helpfulness" in found.leaderboard


def test_only_a_model_is_repaired(tmp_path):
    cells = ["".join(c["source"]) for c in json.loads(run_notebooks()["repair"].read_text())["cells"]]
    begins, = (c for c in cells if "is a reward of kind" in c)
    given = dict(audit="a", reward_model="taste.py:f", train="", store="", run_dir=str(tmp_path/"o"))
    with pytest.raises(InputError, match="is a reward of kind function; only a model directory"):
        exec(begins, given)


@pytest.mark.slow("a notebook, and a head is fitted")
def test_the_report_of_a_repair_links_every_file_that_it_gives(tmp_path):
    code, printed, out = ran("repair", tmp_path, train="head")
    assert code == 0, printed
    linked = set(re.findall('<a href="([^"]+)"', (out/"report.html").read_text().split("The files")[-1]))
    promised = {part["file"] for part in run_files(run_notebooks()["repair"])["gives"]}
    assert {name.rstrip("/") for name in linked} == promised and all((out/name).exists() for name in promised)


@pytest.mark.slow("a notebook")
def test_rm_bench_of_one_domain_shows_that_domain(tmp_path):
    bench = pd.DataFrame(miniature_rm_bench(3, np.random.default_rng(0))["chat"]).assign(domain="chat")
    scored = bench.assign(**{f"score_{s}": bench[s].map(lambda t: [len(x) for x in t])
                             for s in ("chosen", "rejected")})
    write_pairs({"r": scored}, tmp_path/"pairs")
    code, printed, out = ran("rm_bench", tmp_path, scores=str(tmp_path/"pairs"))
    assert code == 0, printed
    told = json.loads((out/"summary.json").read_text())
    assert {(r["domain"], r["calibrated"]) for r in told["table"]} == {("chat", False), ("chat", True)}
    assert all(isinstance(r["hard"], float) for r in told["table"]) and "not known" not in (
        out/"report.html").read_text().split("What this rests on")[0].split("By domain")[0]
