"EvalBiasBench: the real file, its six kinds, and a length-only row by hand."
import json
import numpy as np
import pandas as pd
import pytest
from rate_nb.calibration.calibrators import RCLWR
from rate_nb.base.core import InputError, SchemaError
from rate_nb.benchmarks.pairs import baselines, calibrate_responses, score_responses
from rate_nb.benchmarks.rm_bench import BIASES, eval_bias_accuracy, length_bias_accuracy, load_eval_bias


def test_the_real_file(data):
    path = data/"evalbiasbench"/"biasbench.json"
    pairs, raw = load_eval_bias(path), json.loads(path.read_text(encoding="utf-8"))
    assert (set(pairs.bias) == set(BIASES)
            and (pairs.bias == "length bias").sum() == 17
            and len(pairs) == sum(map(len, raw.values())))
    got = eval_bias_accuracy(baselines(pairs, 0)["length only"]).set_index("bias")
    for kind, cases in raw.items():
        right = [len(c[f"response{c['label']}"]) > len(c[f"response{3 - c['label']}"]) for c in cases]
        assert got.accuracy[kind] == pytest.approx(np.mean(right)) and got.n[kind] == len(cases)
    assert got.accuracy["all kinds"] == pytest.approx(np.average(got.accuracy[:-1], weights=got.n[:-1]))
    # in these cases the better answer is the shorter one
    assert got.accuracy["length bias"] < .2


def test_length_bias_accuracy_rises_when_length_goes(data):
    pairs = load_eval_bias(data/"evalbiasbench"/"biasbench.json")
    good = {t: 1. for t in pairs.chosen}
    liked = score_responses(pairs, lambda p, r: [good.get(t, 0.) + .02*len(t) for t in r])
    before, after = length_bias_accuracy(liked), length_bias_accuracy(calibrate_responses(liked, RCLWR(.9)))
    assert (after["accuracy"] > before["accuracy"] + .5
            and 0 <= after["ci_low"] <= after["accuracy"] <= after["ci_high"] <= 1)


@pytest.mark.parametrize("spoil, said", [
    (lambda d: d["length bias"][1].pop("response2"), "`response2` is missing in 1 row (row 2)"),
    (lambda d: d["length bias"][0].update(label=0), "`label` must be 1 or 2"),
    (lambda d: d["length bias"][2].update(instruction=None), "`instruction` must be text")])
def test_malformed_files_are_named(tmp_path, spoil, said):
    made = {"length bias": [dict(bias="length bias", instruction="q", response1="a", response2="b", label=1)
                            for _ in range(3)]}
    spoil(made)
    (tmp_path/"biasbench.json").write_text(json.dumps(made))
    with pytest.raises(SchemaError) as error:
        load_eval_bias(tmp_path/"biasbench.json")
    assert said in str(error.value) and "biasbench.json, 'length bias'" in str(error.value)


def test_no_length_case_is_said(tmp_path):
    (tmp_path/"x.json").write_text(json.dumps([dict(bias="concreteness", instruction="q", response1="a",
                                                    response2="b", label=2)]))
    pairs = load_eval_bias(tmp_path/"x.json")
    assert pairs.chosen.tolist() == ["b"]
    with pytest.raises(InputError, match="no case of 'length bias'"):
        length_bias_accuracy(pairs.assign(score_chosen=1., score_rejected=0.))


def test_a_table_without_kinds_is_named():
    table = pd.DataFrame(dict(score_chosen=[1.], score_rejected=[0.]))
    for f in (eval_bias_accuracy, length_bias_accuracy):
        with pytest.raises(SchemaError, match="1 column missing: bias"):
            f(table)
