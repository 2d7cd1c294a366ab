"Preferences: best and worst by hand, length margins, the files that TRL reads, and malformed candidates."
import json
import numpy as np
import pandas as pd
import pytest
from rate_nb.calibration.calibrators import RCLWR, RCMean
from rate_nb.base.core import SchemaError
from rate_nb.calibration.calibrators import AdditiveRCLWR
from rate_nb.benchmarks.preferences import (
    load_candidates, pick_preferences, relabel_preferences, write_preferences)


def candidates(rng, prompts=200, answers=5, pays=.004):
    n = prompts*answers
    length, quality = rng.integers(20, 900, n), rng.normal(size=n)
    return pd.DataFrame(dict(prompt_id=np.repeat(np.arange(prompts), answers),
                             prompt=[f"p{i}" for i in np.repeat(np.arange(prompts), answers)],
                             response=["x"*int(k - 5) + f"{i:05d}" for i, k in enumerate(length)],
                             reward=quality + pays*length, quality=quality)).sample(frac=1, random_state=0)


def test_relabelling_takes_length_out_and_keeps_quality():
    table = candidates(np.random.default_rng(0))
    before = table.copy(deep=True)
    raw, lwr = pick_preferences(table), pick_preferences(table, RCLWR())
    quality = table.set_index("response").quality
    worth = lambda p: (quality[p.table.chosen].to_numpy() - quality[p.table.rejected].to_numpy()).mean()
    assert (table.equals(before)
            and raw.margin.ci_low > 200
            and abs(lwr.margin.estimate) < 60
            and lwr.change.ci_high < -200
            and worth(lwr) > 1.2*worth(raw))
    assert (lwr.margin.estimate - lwr.margin_before.estimate == pytest.approx(lwr.change.estimate)
            and lwr.margin_before.estimate == pytest.approx(raw.margin.estimate))


def test_a_fitted_calibrator_is_used_and_unknown_lengths_are_left():
    table = pd.DataFrame(dict(prompt_id=[1, 1, 2, 2], prompt=["p", "p", "q", "q"],
                              response=["a"*10, "b"*11, "c"*10, "d"*500], reward=[3., 2., 1., 5.]))
    narrow = RCMean(distance=5, min_count=2).fit([10, 10, 11, 11], [9., 9., 1., 1.])
    got = relabel_preferences(table, narrow).set_index("prompt_id")
    assert (got.chosen[1] == "a"*10
            and got.reward_chosen[1] == pytest.approx(3 - 5)
            and got.reward_chosen[2] == 5
            and got.reward_rejected[2] == 1)


def test_files_that_trl_reads(tmp_path):
    table = relabel_preferences(candidates(np.random.default_rng(2), 20))
    path = write_preferences(table, tmp_path/"dpo.jsonl")
    assert [sorted(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()] == [["chosen",
        "prompt", "rejected"]]*20
    assert pd.read_parquet(write_preferences(table, tmp_path/"dpo.parquet")).columns.tolist() == ["prompt",
        "chosen", "rejected"]
    datasets = pytest.importorskip("datasets", reason="needs the extra `hub`")
    folder = write_preferences(table, tmp_path/"dpo")
    assert datasets.load_from_disk(str(folder)).column_names == ["prompt", "chosen", "rejected"]


@pytest.mark.parametrize("rows, said", [
    ([dict(prompt="p", response="a", reward=None), dict(prompt="p", response="b", reward=1.)],
     "`reward` must be a finite number; 1 row does not: row 1"),
    ([dict(prompt="p", all_generated_responses=["a"], all_rm_scores=[1., 2.])],
     "`all_rm_scores` must have a score for each of `all_generated_responses`; 1 row does not: row 1"),
    ([dict(instruction="p", completions=[dict(response="a")])],
     "`completions` must be a list of objects with `response` and a finite `overall_score`")])
def test_malformed_candidates_are_named(tmp_path, rows, said):
    (tmp_path/"c.json").write_text(json.dumps(rows))
    with pytest.raises(SchemaError) as error:
        load_candidates(tmp_path/"c.json")
    assert said in str(error.value) and "c.json" in str(error.value)


def test_answers_to_two_prompts_make_no_pair():
    table = candidates(np.random.default_rng(0), 4, 3).sort_index()
    with pytest.raises(SchemaError, match=r"`prompt` must be the same in all rows of a `prompt_id`; 1 row "
                                          r"does not: row 2 \('other'\)"):
        relabel_preferences(table.assign(prompt=["p0", "other"] + list(table.prompt[2:])))
    with pytest.raises(SchemaError, match="`prompt_id` must not be missing; 1 row does not: row 1"):
        relabel_preferences(table.assign(prompt_id=[None] + list(table.prompt_id[1:])))
    with pytest.raises(SchemaError, match="3 columns missing: prompt, chosen, rejected"):
        write_preferences(table[["reward"]], "x.jsonl")


def test_several_characteristics_are_taken_out_together():
    table = candidates(np.random.default_rng(0))
    table["marks"] = np.random.default_rng(1).poisson(4, len(table))
    table["reward"] += table.marks
    both = relabel_preferences(table, AdditiveRCLWR(.9), characteristic=["length", "marks"])
    marks = table.set_index("response").marks
    apart = lambda t: (marks[t.chosen].to_numpy() - marks[t.rejected].to_numpy()).mean()
    assert abs(apart(both)) < .4 < apart(relabel_preferences(table))


def test_half_a_character_is_written_as_the_sign_for_it(tmp_path):
    pair = pd.DataFrame(dict(prompt=["p"], chosen=["good"], rejected=["x"])).astype(object)
    pair.loc[0, "chosen"] = "a\ud800b"
    assert json.loads(write_preferences(pair,
                                        tmp_path/"p.jsonl").read_text(encoding="utf-8"))[
                                            "chosen"] == "a\ufffdb"
