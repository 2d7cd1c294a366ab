"The run notebook `dynamic`: attributes and rewards in, a benchmark on fresh rewrites out."
import json
from dataclasses import replace
import numpy as np, pandas as pd, pytest
from warm import run_with
from rate_nb.base.core import InputError
from rate_nb.batch.notebooks import run_notebooks
from rate_nb.data import get_attribute, load_examples
from rate_nb.stats.inference import rank_bootstrap
from rate_nb.studies.shift import _labelled, dynamic_benchmark, specified_benchmark, wanted_effects
from rate_nb.theory.text_world import TextWorld

BOOK = run_notebooks()["dynamic"]
REWARD = '''def characters(prompts, responses): return [len(r) for r in responses]
def pleased(prompts, responses): return [r.count("good") - r.count("bad") + .001*len(r) for r in responses]
'''


def test_new_numbers_ask_for_new_rewrites():
    world, asked = TextWorld("length"), []
    def counted(prompt, text, target):
        asked.append(text)
        return world.rewriter(prompt, text, target)
    def run(**more):
        return dynamic_benchmark(lambda p, r: [len(x) for x in r], dict(length=1), world.examples, counted,
                                 np.random.default_rng(0), n=8, **more)
    first = run()
    again = run(first_draw=4)
    assert len(asked) == 2*2*2*8 and len(again.effects) == len(first.effects)


def test_an_order_that_no_sample_of_models_can_change_has_no_interval():
    world, merits = TextWorld("length"), np.arange(5.)
    found = dynamic_benchmark(lambda p, r: [len(x) for x in r], dict(length=1), world.examples,
                              world.rewriter, np.random.default_rng(0), n=8)
    for second, tau in ((merits, "1.00"), (-merits, "−1.00")):
        said = replace(found, stability=rank_bootstrap(merits, second)).sentence()
        assert f"tau {tau}, which has no interval: it is the same in every sample of these 5 models" in said
    swapped = replace(found, stability=rank_bootstrap(merits, [0, 2, 1, 3, 4])).sentence()
    assert "tau 0.80 [" in swapped and "no interval" not in swapped


def test_judges_are_refused_and_so_is_an_unknown_reward(tmp_path):
    (tmp_path/"j.py").write_text("def f(prompts, firsts, seconds): return [1.]*len(prompts)\n")
    judge = dict(kind="function_judge", function=f"{tmp_path}/j.py:f")
    with pytest.raises(InputError):
        specified_benchmark(["length"], judge, "demo", "demo", None, None)
    with pytest.raises(InputError, match="no such"):
        specified_benchmark(["length"], "./nowhere", "demo", "demo", None, None)
    assert wanted_effects("length: -1") == dict(length=-1)


@pytest.mark.parametrize("several", [True, False])
def test_a_column_of_the_attributes_name_labels_a_file_without_w(tmp_path, several):
    rows = [dict(q=f"p{i}", a="good "*(i + 1), pleased=i % 2) for i in range(8)]
    pd.DataFrame(rows).to_csv(tmp_path/"t.csv", index=False)
    table = load_examples(tmp_path/"t.csv", columns=dict(prompt="q", response="a", sentiment="pleased"))
    assert _labelled(table, get_attribute("sentiment"), several).w.tolist() == [0, 1]*4

@pytest.mark.slow
def test_a_file_of_responses_two_rewards_and_the_dry_run_endpoint(tmp_path):
    (tmp_path/"mine.py").write_text(REWARD)
    TextWorld("sentiment").examples(60, np.random.default_rng(0)).drop(columns="w").to_csv(
        tmp_path/"reviews.csv", index=False)
    given = dict(attributes="length: 0", examples=str(tmp_path/"reviews.csv"), rewriter="sandbox", n=20,
                 reward=[f"{tmp_path}/mine.py:characters", f"{tmp_path}/mine.py:pleased"],
                 run_dir=str(tmp_path/"o"))
    code, printed = run_with(BOOK, tmp_path, given)
    assert code == 0, printed
    board = pd.read_csv(tmp_path/"o"/"leaderboard.csv")
    assert {"characters", "pleased", "random"} <= set(board.model) and len(board) == 4
    said = json.loads((tmp_path/"o"/"summary.json").read_text())
    assert isinstance(said["table"][0]["merit"], float) and said["attributes"] == dict(length=0)
    assert "Rewards by merit" in (tmp_path/"o"/"report.html").read_text()
