"RM-Bench: the authors' conventions against ten plain lines, on hand-built scores and on the real files."
import copy, json
import numpy as np
import pandas as pd
import pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.benchmarks.pairs import score_responses
from rate_nb.benchmarks.rm_bench import (
    DOMAINS, load_rm_bench, rm_bench_accuracy, rm_bench_leaderboard, style_matrix)


def plainly(rows):
    "hard, normal, easy of a list of dicts, with nothing but loops"
    won = {"hard": [], "normal": [], "easy": []}
    for r in rows:
        for i, a in enumerate(r["score_chosen"]):
            for j, b in enumerate(r["score_rejected"]):
                won["hard" if i < j else "easy" if i > j else "normal"].append(1 if a > b else 0)
    return {k: sum(v)/len(v) for k, v in won.items()}


def made_up(rng, n=30, levels=5):
    domains = ["chat", "code", "math", "safety-refuse", "safety-response"]
    return [dict(id=i, domain=domains[int(rng.integers(5))] if i > 4 else domains[i], prompt=f"q{i}",
                 score_chosen=rng.integers(0, levels, 3).tolist(),
                 score_rejected=rng.integers(0, levels, 3).tolist()) for i in range(n)]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("levels", [2, 1000])
def test_equals_ten_plain_lines(seed, levels):
    rows = made_up(np.random.default_rng(seed), levels=levels)
    before = copy.deepcopy(rows)
    # the authors' code pops `domain`; asking twice must not matter
    for _ in range(2):
        table = rm_bench_accuracy(rows).set_index("domain")
        want = {d: plainly([r for r in before if r["domain"].startswith(d)]) for d in DOMAINS}
        for m in ("hard", "normal", "easy"):
            for d in DOMAINS:
                assert table.loc[d, m] == pytest.approx(want[d][m], abs=1e-12)
            assert table.loc["Overall", m] == pytest.approx(sum(want[d][m] for d in DOMAINS)/4, abs=1e-12)
        assert table.loc["Overall",
                         "average"] == pytest.approx(np.mean([np.mean(list(want[d].values()))
                                                              for d in DOMAINS]), abs=1e-12)
    assert rows == before


def test_hand_built_matrix_and_ties():
    rows = [dict(domain=d, score_chosen=[1, 2, 3], score_rejected=[1, 2, 3])
            for d in ("chat", "code", "math", "safety-refuse")]
    assert style_matrix(pd.DataFrame(rows)).to_numpy().tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    assert rm_bench_accuracy(rows).iloc[-1][["hard", "normal", "easy"]].tolist() == [0, 0, 1]
    assert (rm_bench_accuracy(rows, ties="half").iloc[-1].normal == .5
            and rm_bench_accuracy(rows, ties="win").iloc[-1].normal == 1)


def test_missing_domains_are_said():
    rows = [r for r in made_up(np.random.default_rng(1)) if r["domain"] not in ("math", "code")]
    with pytest.warns(UserWarning, match="no prompts of code, math"):
        table = rm_bench_accuracy(rows).set_index("domain")
    assert table.loc[["math", "code", "Overall"],
                     ["hard", "average"]].isna().all(axis=None) and table.loc["math", "prompts"] == 0
    assert table.missing[["code", "math", "Overall", "chat"]].tolist() == ["no prompts", "no prompts",
                                                                            "no prompts of code, math", ""]
    assert rm_bench_accuracy(rows, domains=("chat", "safety")).iloc[-1].hard == pytest.approx(
        np.mean([plainly([r for r in rows if r["domain"].startswith(d)])["hard"]
                 for d in ("chat", "safety")]))


@pytest.mark.parametrize("spoil, said", [
    (lambda r: r[1].pop("chosen"), "`chosen` is missing in 1 row (row 2)"),
    (lambda r: r[0].update(rejected=["a", "b"]), "`rejected` must be a list of 3 texts"),
    (lambda r: r[2].update(id=r[0]["id"]), "must name one row; 1 row does not: row 3"),
    (lambda r: r[1].update(prompt=None), "`prompt` must be text")])
def test_malformed_files_are_named(tmp_path, spoil, said):
    rows = [dict(id=i, prompt=f"q{i}", chosen=["a", "b", "c"], rejected=["d", "e", "f"]) for i in range(3)]
    spoil(rows)
    (tmp_path/"chat_filtered.json").write_text(json.dumps(rows))
    with pytest.raises(SchemaError) as error:
        load_rm_bench(tmp_path)
    assert said in str(error.value) and "chat_filtered.json" in str(error.value)


def test_scores_that_are_not_numbers_are_named():
    rows = made_up(np.random.default_rng(3))
    rows[6]["score_chosen"][1] = float("nan")
    with pytest.raises(SchemaError, match=r"`score_chosen` must hold finite numbers; 1 row does not: row 7"):
        rm_bench_accuracy(rows)
    rows[6]["score_chosen"] = [1, 2]
    with pytest.raises(SchemaError, match="`score_chosen`: all rows must hold equally many numbers; there "
                                          "are 2, 3"):
        rm_bench_accuracy(rows)


def length_only(folder, stem): # hard, normal, easy of the length of the text, from the file itself
    return plainly([dict(score_chosen=[len(t) for t in r["chosen"]],
                         score_rejected=[len(t) for t in r["rejected"]])
                    for r in json.loads((folder/f"{stem}_filtered.json").read_text(encoding="utf-8"))])


def test_length_only_row_of_the_real_files_from_first_principles(data):
    folder = data/"rm_bench"
    pairs = load_rm_bench(folder)
    assert pairs.groupby("domain").size().to_dict() == {"chat": 129, "code": 228, "safety-refuse": 284,
                                                        "safety-response": 157}
    scored = score_responses(pairs, lambda prompts, responses: [len(r) for r in responses])
    present = ("chat", "code", "safety")
    table = rm_bench_accuracy(scored, domains=present).set_index("domain")
    files = {s: json.loads((folder/f"{s}_filtered.json").read_text(encoding="utf-8"))
             for s in ("chat", "code", "safety-refuse", "safety-response")}
    lengths = lambda rows: [dict(score_chosen=[len(t) for t in r["chosen"]],
                                 score_rejected=[len(t) for t in r["rejected"]]) for r in rows]
    want = {"chat": plainly(lengths(files["chat"])), "code": plainly(lengths(files["code"])),
            "safety": plainly(lengths(files["safety-refuse"] + files["safety-response"]))}
    for m in ("hard", "normal", "easy"):
        for d in present:
            assert table.loc[d, m] == pytest.approx(want[d][m], abs=1e-12)
        mean = table.loc["Mean of chat, code, safety", m]                # no Overall without math
        assert mean == pytest.approx(np.mean([want[d][m] for d in present]), abs=1e-12)
    mean = rm_bench_accuracy(scored, domains=present, safety="mean").set_index("domain").loc["safety", "hard"]
    assert mean == pytest.approx((length_only(folder, "safety-refuse")["hard"] + length_only(folder,
        "safety-response")["hard"])/2)
    with pytest.warns(UserWarning, match="no prompts of math"):
        assert np.isnan(rm_bench_accuracy(scored).iloc[-1].hard)


def test_judges_and_models_meet_in_one_table():
    ("A judge's margins in both orders and a pointwise model's scores give the same table where they prefer "
     "the same")
    from rate_nb.benchmarks.pairs import judge_responses
    pairs = pd.DataFrame([dict(id=i, domain=d, prompt=f"{d} {i}", chosen=["a"*(i + 1), "bb", "c"*9],
                               rejected=["dd", "e"*5, "f"]) for d in ("chat", "code", "math", "safety-refuse")
                          for i in range(6)])
    pointwise = score_responses(pairs, lambda prompts, responses: [len(r) for r in responses])
    judged = judge_responses(pairs, lambda prompts, first, second: [len(a) - len(b) + 7.
                                                                    for a, b in zip(first, second)])
    pd.testing.assert_frame_equal(rm_bench_accuracy(pointwise), rm_bench_accuracy(judged))


def test_a_dpo_model_and_a_verdict_that_cannot_be_read(tmp_path):
    ("An implicit reward goes through the same table as a classifier; an unreadable verdict is an error, "
     "not a loss")
    from rate_nb.scoring.likelihood import implicit_reward
    from rate_nb.benchmarks.pairs import judge_responses
    from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer, WORDS
    folders = [save_tiny(tmp_path/str(seed), tiny_model("LlamaForCausalLM", seed=seed), tiny_tokenizer())
               for seed in (0, 1)]
    words = [str(w) for w in WORDS][:6]
    pairs = pd.DataFrame([dict(id=i, domain=d, prompt=words[0], chosen=[words[1], words[2], words[3]],
                               rejected=[words[4], words[5], words[1]])
                          for d in ("chat", "code", "math", "safety-refuse") for i in range(2)])
    scored = score_responses(pairs, implicit_reward(*folders, .1, device="cpu"))
    table = rm_bench_accuracy(scored)
    assert table.hard.between(0, 1).all() and len({round(v, 9) for v in scored.score_chosen[0]}) == 3
    blind = judge_responses(pairs, lambda prompts, first, second: [float("nan") if a == words[1] else 1.
                                                                   for a in first])
    with pytest.raises(SchemaError, match="`margin` must hold finite numbers"):
        rm_bench_accuracy(blind)


def test_words_domains_and_names_that_are_taken_are_named():
    rows = made_up(np.random.default_rng(3))
    rows[6]["score_chosen"][1] = "good"
    with pytest.raises(SchemaError, match=r"`score_chosen` must hold finite numbers; 1 row does not: row 7"):
        rm_bench_accuracy(rows)
    rows = made_up(np.random.default_rng(3))
    for wrong in (("maths",), ()):
        with pytest.raises(InputError, match="`domains` must be one or more of chat, code, math, safety"):
            rm_bench_accuracy(rows, domains=wrong)
    pairs = pd.DataFrame(rows).assign(chosen=[["a", "bb", "ccc"]]*len(rows),
                                      rejected=[["a", "bb", "ccc"]]*len(rows))
    with pytest.raises(InputError, match="named like a row that is added \\('random'\\)"):
        rm_bench_leaderboard({"random": pairs})
