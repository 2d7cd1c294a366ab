"What people type or hand in wrong: an error that names it, exit code 2, before anything is paid for."
import json, shlex
import numpy as np
import pandas as pd
import pytest
from rate_nb.audit.multivalued import level_attribute
from rate_nb.base.core import InputError, SchemaError
from rate_nb.calibration.score_tables import check_scores, make_calibrator
from rate_nb.estimators.effects import estimate_effects, hand_checked
from rate_nb.studies.shift import labels_by, wanted_effects
from warm import commands

FUNCTIONS = """
def score(prompts, responses): return [len(r)/100 for r in responses]
def longer(prompt, text, target): return text + " It went on for hours."*2 if target else text[:40]
def broken(prompt, text, level): raise ValueError("no")
def silent(messages): return None
def number(messages): return 3
"""


def scored():
    rng, w = np.random.default_rng(0), np.arange(24) % 2
    base = rng.normal(size=24)
    return pd.DataFrame(dict(example_id=range(24), prompt_id=np.arange(24)//2, draw=0, model="m", w=w,
                             reward_original=base, reward_rewrite=base + rng.normal(size=24),
                             reward_rewrite_of_rewrite=base + rng.normal(size=24), by_hand=1 - w))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("typed")
    (path/"mine.py").write_text(FUNCTIONS)
    told = [f"House {i} has {'a garden and '*(3*(i % 2))}a door of {5 + i} years." for i in range(24)]
    pd.DataFrame(dict(prompt=[f"Of house {i}?" for i in range(24)], response=told, w=np.arange(24) % 2,
                      mood=np.where(np.arange(24)//2 % 2, "good", "bad"),
                      calm=np.arange(24)//2 % 2)).to_csv(path/"texts.csv", index=False)
    scored().to_csv(path/"reversed.csv", index=False)
    scored().assign(reward_rewrite=lambda t: t.reward_rewrite + .1).to_csv(path/"other.csv", index=False)
    pd.DataFrame(dict(prompt_id=np.arange(24)//2, response=told, reward=range(24), preferred=1)).to_csv(
        path/"scores.csv", index=False)
    models = ["strong", "middle", "weak"]
    pd.DataFrame(dict(model=models, elo=[3, 2, 1])).to_csv(path/"arena.csv", index=False)
    pd.DataFrame(dict(model=["x", "y", "z"], elo=[3, 2, 1])).to_csv(path/"strangers.csv", index=False)
    pd.DataFrame(dict(model=models, elo=1)).to_csv(path/"flat.csv", index=False)
    pd.DataFrame(dict(model=models, elo=["a", "b", "c"])).to_csv(path/"words.csv", index=False)
    (path/"mine.yaml").write_text("examples: texts.csv\nattribute: length\nrewriter: mine.py:longer\n"
                                  "reward: {url: 'localhost:9/score', wire: plain}\n")
    return path


@pytest.fixture(scope="module")
def run():
    with commands() as run:
        yield run


LEVELS = "levels texts.csv --levels '{name: length, targets: [20, 40]}' --rewriter mine.py:broken"
PROMPTS = "prompts texts.csv --rewriter mine.py:longer --reward mine.py:score --generator"
SHIFT = "shift texts.csv --reward-model mine.py:score --levels 0.3,0.5,0.7 --sample"


@pytest.mark.parametrize("command, said", [
    ("audit mine.yaml --plan", "mine.yaml is a configuration: --config mine.yaml"),
    ("audit --config texts.csv --plan", "is a table; give it without --config, as the first argument"),
    ("audit --config mine.yaml --plan", "`reward.url` in mine.yaml must begin with http:// or https://"),
    ("audit --config mine.yaml --plan -p rewriter.base_url=localhost:8000/v1",
     "must begin with http:// or https://; did you mean 'http://localhost:8000/v1'?"),
    ("audit demo --attribute sycophancy --rewriter-model demo --reward-model demo --plan",
     "the demo has examples of 'length' and 'sentiment' alone"),
    ("audit texts.csv --attribute length --rewriter-model mine.py:lnger --reward-model mine.py:score --plan",
     "the file defines no 'lnger'; did you mean 'longer'?"),
    ("audit --config mine.yaml --budget 0.00", "--budget 0 would be no limit"),
    # a person's 1 is the classifier's 0
    ("effects reversed.csv --truth by_hand --no-diagnose",
     "has 1 for 0 of 12 responses whose by_hand is 1, and 0 for 0 of 12 whose by_hand is 0"),
    # the second of two rankings is looked at before anything is fitted
    ("alpaca_eval demo --ranking arena.csv,strangers.csv", "--ranking strangers shares 0 models"),
    ("alpaca_eval demo --ranking flat.csv", "--ranking flat gives all 3 models"),
    ("alpaca_eval demo --ranking words.csv", "no column holds numbers alone (it has: model, elo)"),
    ("alpaca_eval arena.csv", "the annotations table: 5 columns missing"),
    ("alpaca_eval demo --frac 0.000001", "--frac 1e-06 of 1,050 rows makes windows of fewer than 3"),
    ("rewriters reversed.csv,other.csv --estimator same_depth", "needs the column 'reward_same_target'"),
    (f"{LEVELS} --reward mine.py:score,mine.py:score", "of different names, not 'score', 'score'"),
    ("calibrate scores.csv --study", "two pairs or more of a response with 1 and one with 0"),
    (f"{SHIFT} 8 --other '{{}}'", "--other must be a column of the examples, an attribute, a count"),
    (f"{SHIFT} 8 --other w", "the four combinations with the attribute are needed, and 2 are missing"),
    (f"{SHIFT} 8 --other calm --truth mood", "not 'mood', where 24 of 24 rows hold 'bad', 'good'"),
    (f"{SHIFT} 8 --other calm --truth nan", "must be a number or a column of the examples"),
    # what was lost, and how
    (f"{LEVELS} --reward mine.py:score", "has 0 pairs of rewrites with a reward of score"),
    (f"{PROMPTS} mine.py:silent", "no response that can be used: 48 "),
    (f"{PROMPTS} mine.py:number", "must return a text for the messages it is given; got 3"),
    (f"{PROMPTS} demo", "--generator: demo answers no prompt"),
    # four texts have one of each combination, whatever the level
    (f"{SHIFT} 4 --other calm", "4 responses in a sample are too few"),
    (f"{SHIFT} 8 --other mood", "24 of 24 rows hold 'bad', 'good'. Say which is which"),
])
def test_an_error_says_what_was_typed_wrong(folder, run, command, said):
    code, printed = run([*shlex.split(command), "--quiet"], folder)
    assert code == 2 and said in " ".join(printed.split()), printed


def test_labels_by_hand_are_read_or_refused():
    table = scored().assign(by_hand=lambda t: t.w.where(t.example_id > 2))
    assert hand_checked(table, "by_hand") == [(11, 11), (10, 10)]
    # an example whose value stands in another row of it
    twice = pd.concat([table.assign(by_hand=np.nan, model="first"), table])
    assert hand_checked(twice, "by_hand") == [(11, 11), (10, 10)]
    for wrong, said in ((table.by_hand.astype(object).where(table.index != 5, "maybe"), "'maybe'"),
                        (table.by_hand.where(table.index != 5, 2), "hold 2.0"),
                        (table.by_hand.map({1.: "yes", 0.: "no"}), "21 rows hold 'yes', 'no'"),
                        (table.by_hand.where(table.by_hand == 1), "0 is missing")):
        with pytest.raises(InputError, match=said):
            hand_checked(table.assign(by_hand=wrong), "by_hand")
    draws = pd.concat([table, table.assign(draw=1, by_hand=1 - table.by_hand)])
    with pytest.raises(InputError, match="one value for each example"):
        hand_checked(draws, "by_hand")
    with pytest.raises(InputError, match="another column than w"):
        hand_checked(table, "w")


def test_levels_labels_and_windows_are_read_or_refused():
    for targets in (["20", "40"], [True, 40], "20,40", [20]):
        with pytest.raises(InputError, match="two different numbers or more, without quotes"):
            level_attribute(dict(name="length", targets=targets))
    with pytest.raises(InputError, match="`reference` of 'length' must be one of its targets, a number"):
        level_attribute(dict(name="length", targets=[20, 40], reference="short"))
    for levels in (["warm", "cold"], dict(warm=None, cold="cold")):
        with pytest.raises(InputError, match="mapping of each level to words"):
            level_attribute(dict(name="tone", levels=levels, reference="warm"))
    with pytest.raises(InputError, match="says 'sentiment' twice"):
        wanted_effects("sentiment: 1, length: 0, sentiment: 0")
    texts = pd.DataFrame(dict(prompt="p", response=["a", "b"], mood=["good", "bad"]))
    with pytest.raises(InputError, match="labels of calm .* not 'treted'"):
        labels_by(texts, "calm", dict(column="mood", treted=["good"], untreated=["bad"]))
    with pytest.raises(InputError, match="0.0075 or more"):
        make_calibrator("rc-lwr", 400, frac=.001)
    assert make_calibrator("rc-lwr", 400, frac=.0075).frac == .0075


def test_rewards_whose_squares_are_infinite_are_refused():
    with pytest.raises(SchemaError, match="below 1e100 in size; 24 rows hold"):
        estimate_effects(scored().assign(reward_rewrite=1e200))
    with pytest.raises(SchemaError, match="must be below 1e100 in size; 1 row does not: row 2"):
        check_scores(pd.DataFrame(dict(reward=[1., -1e100, None])))


def test_a_grid_of_one_rewriter_is_not_pooled(run, folder):
    "Its runs differ by something else, or too few of them ended"
    for name, varying, statuses in (("draws", ["draws"], ["done", "done"]),
                                    ("half", ["rewriter"], ["done", "failed"])):
        runs = [dict(number=k, id=f"r{k}", values={varying[0]: k}, faults=[]) for k in (1, 2)]
        for one, status in zip(runs, statuses):
            (place := folder/name/"runs"/one["id"]).mkdir(parents=True)
            (place/"run.json").write_text(json.dumps(dict(status=status, values=one["values"], error="")))
        record = dict(notebook="audit.ipynb", varying=varying, runs=runs)
        (folder/name/"grid.json").write_text(json.dumps(record))
    for name, said in (("draws", "do not differ by their rewriter, but by 'draws'"),
                       ("half", "1 of 2 runs of half are done; the others are left out")):
        code, printed = run(["rewriters", name, "--quiet"], folder)
        assert code == 2 and said in " ".join(printed.split()), printed
