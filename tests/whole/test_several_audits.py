"Several audits of the same texts, pooled and compared, from files: what is not comparable is not compared."
import json
import numpy as np
import pandas as pd
import pytest
from rate_nb.estimators import estimate_effects
from rate_nb.base.core import InputError
from rate_nb.estimators.heterogeneity import pool_rewriters, read_conditions
from warm import commands


def audit(seed, labels, base, gain=.5):
    rng, n = np.random.default_rng(seed), len(base)
    moved = gain + .3*rng.normal(size=n)
    return pd.DataFrame(dict(example_id=range(n), prompt_id=np.arange(n)//2, draw=0, w=labels, model="rm",
                             reward_original=base, reward_rewrite=base + np.where(labels, -moved, moved),
                             reward_rewrite_of_rewrite=base))


@pytest.fixture(scope="module")
def run():
    with commands() as run:
        yield run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path, rng = tmp_path_factory.mktemp("audits"), np.random.default_rng(5)
    labels, base = rng.integers(0, 2, 40), rng.normal(size=40)
    a = audit(1, labels, base)
    half = audit(2, labels, base).assign(reward_rewrite=lambda d: d.reward_rewrite.where(d.example_id < 30))
    for name, table in dict(a=a, again=a, half=half, flipped=audit(3, 1 - labels, base),
                            b=audit(5, labels, base), none=half.assign(reward_rewrite=np.nan)).items():
        table.to_csv(path/f"{name}.csv", index=False)
    return path


@pytest.mark.parametrize("command, code, said", [
    ("rewriters a.csv,again.csv", 2, "same rewards"),
    ("rewriters a.csv,half.csv", 0, "10 of 40 examples"),
    ("compare a.csv --against half.csv", 0, "10 of 40 examples"),
    ("compare a.csv --against flipped.csv", 2, "40 of 40 examples have other labels"),
    ("compare a.csv --against none.csv", 2, "share no example"),
    ("compare a.csv --against b.csv --estimator naive", 0, "no difference that matters"),
])
def test_only_the_same_texts_are_put_together(run, folder, command, code, said):
    got, printed = run([*command.split(), "--quiet"], folder)
    assert got == code and said in " ".join(printed.split()), printed


REWRITERS = """
def longer(prompt, text, target, more=2): return text + " It went on for hours."*more if target else text[:40]
def wordy(prompt, text, target): return longer(prompt, text, target, 4)
def score(prompts, responses): return [len(r)/100 for r in responses]
"""


@pytest.mark.slow("a grid of two audits")
def test_a_grid_that_varies_the_rewriter_says_it_once(run, tmp_path):
    (tmp_path/"mine.py").write_text(REWRITERS)
    said = [f"House {i} has {'a garden and '*(3*(i % 2))}a door of {5 + i} years." for i in range(24)]
    texts = pd.DataFrame(dict(prompt=[f"Of house {i}?" for i in range(24)], response=said))
    texts.to_csv(tmp_path/"texts.csv", index=False)
    grid = dict(folder="both", parameters=dict(examples="texts.csv", attribute="length", n=0,
                                               reward_model="mine.py:score"),
                grid=dict(rewriter=["mine.py:longer", "mine.py:wordy"]))
    (tmp_path/"grid.json").write_text(json.dumps(grid)) # YAML, too
    (tmp_path/"grid.json").rename(tmp_path/"both.yaml")
    got, printed = run(["batch", "both.yaml"], tmp_path)
    assert got == 0, printed
    got, printed = run(["rewriters", "both", "--quiet"], tmp_path)
    assert got == 0 and "Over 2 rewriters" in printed, printed
    table = pd.read_csv(tmp_path/"runs"/"rewriters"/"rewriters.csv").set_index("rewriter").estimate
    assert table["mine.py:wordy"] > table["mine.py:longer"] + .3 # each sentence is worth .22
    record = next((tmp_path/"both"/"runs").glob("*/run.json"))
    record.write_text(record.read_text().replace('"done"', '"failed"'))
    got, printed = run(["rewriters", "both", "--quiet"], tmp_path)
    assert got == 2 and "two run folders or more" in " ".join(printed.split()), printed


def test_two_rewriters_that_agree_are_no_surer_than_both_as_they_are():
    # independent errors, the same effect: nothing but two numbers says how rewriters differ
    rng, n = np.random.default_rng(0), 60
    labels, base = rng.integers(0, 2, n), rng.normal(size=n)
    tables = [audit(k, labels, base).assign(model=f"rewriter {k}") for k in range(2)]
    effects = estimate_effects(pd.concat(tables), estimators=["rate"])
    pooled = pool_rewriters(effects)
    both = effects.joint([effects._row("rate", "ATE", model=f"rewriter {k}") for k in range(2)], "reward")
    these, = both.combine(np.full(2, .5)).effects()
    width = lambda e: e.ci_high - e.ci_low
    assert pooled.spread == 0 and width(pooled.effect) > .99*width(these)


@pytest.mark.slow("600 simulated pools")
@pytest.mark.parametrize("differ", [.3, 1.])
def test_the_mean_of_two_rewriters_is_covered_whether_they_agree_by_chance_or_not(differ):
    rng, n, hits = np.random.default_rng([2, int(10*differ)]), 100, 0
    labels, prompts = np.arange(n) % 2, np.arange(n)//2
    for _ in range(300):
        own = .5*rng.normal(size=50)[prompts] + .5*rng.normal(size=n) # of each text, for every rewriter
        tables = []
        for k, worth in enumerate(1 + differ*rng.normal(size=2)):
            gain = worth + own + .8*rng.normal(size=n)
            tables.append(pd.DataFrame(dict(
                example_id=range(n), prompt_id=prompts, draw=0, w=labels, model=f"rewriter {k}",
                reward_original=rng.normal(size=n), reward_rewrite=np.where(labels, 0, gain),
                reward_rewrite_of_rewrite=np.where(labels, gain, 0))))
        e = pool_rewriters(estimate_effects(pd.concat(tables), estimators=["rate"])).effect
        hits += e.ci_low <= 1 <= e.ci_high
    assert hits/300 > .95 - 3*np.sqrt(.95*.05/300) # .89 if Satterthwaite blends the two parts


@pytest.fixture(scope="module")
def judged(run):
    def judge(folder, words, **env): # exit code, the summary's states, Markdown
        code, printed = run(["compare", *words, "--quiet", "--run-dir", str(folder/"out")], folder, **env)
        if code not in (0, 3):
            return code, " ".join(printed.split()), ""
        found = json.loads((folder/"out"/"summary.json").read_text(encoding="utf-8"))
        assert found.get("exit_code", 0) == code
        page = (folder/"out"/"summary.md").read_text(encoding="utf-8")
        return code, [row["result"] for row in found.get("conditions", ())], page
    return judge


@pytest.fixture(scope="module")
def versions(tmp_path_factory): # the same texts: a reward as it was, one that likes the attribute more
    path, rng = tmp_path_factory.mktemp("versions"), np.random.default_rng(1)
    labels, base = rng.integers(0, 2, 60), rng.normal(size=60)
    old, new = audit(1, labels, base), audit(2, labels, base, gain=1.5)
    same = audit(3, labels, base)
    other = new.assign(model="rm | 2") # a name with a bar, in a Markdown table
    old.to_csv(path/"old.csv", index=False)
    new.to_csv(path/"new.csv", index=False)
    same.to_csv(path/"same.csv", index=False)
    same[same.example_id < 6].to_csv(path/"few.csv", index=False)
    for name, two in dict(two_old=(old, old.assign(model="rm | 2")), two_new=(same, other)).items():
        pd.concat(two).to_csv(path/f"{name}.csv", index=False)
    return path


@pytest.mark.parametrize("words, code, results", [
    ("new.csv --against old.csv", 3, ["failed"]),
    ("old.csv --against new.csv", 0, ["passed"]),                 # the sign is new minus old
    ("same.csv --against old.csv", 0, ["passed"]),
    ("few.csv --against old.csv", 0, ["inconclusive"]),           # too few prompts clear nothing
    ("few.csv --against old.csv --fail-on-open", 3, ["failed"]),
    ("two_new.csv --against two_old.csv", 3, ["passed", "failed"]),
])
def test_a_condition_on_new_minus_old_decides_the_exit_code(judged, versions, words, code, results):
    got, found, page = judged(versions, [*words.split(), "--unit", "reward", "--fail-on", "effect > .3"])
    assert (got, found) == (code, results), page
    assert page.startswith("### " + {"failed": "Failed: effect &gt; .3", "passed": "Passed",
                                     "inconclusive": "Inconclusive"}[min(results)])
    assert page.count("\n|") == 2 + len(results) and "1 of 1 not excluded" in page or "few" not in words


def test_conditions_in_both_directions_and_in_a_pull_request(judged, versions):
    page = versions/"step.md"
    page.write_text("# Earlier steps\n", encoding="utf-8")
    got, found, said = judged(versions, ["old.csv", "--against", "new.csv", "--unit", "reward", "--fail-on",
                                         "|effect| > .3, effect > 0.3"], GITHUB_STEP_SUMMARY=str(page))
    assert (got, found) == (3, ["failed", "passed"])
    assert page.read_text(encoding="utf-8") == "# Earlier steps\n" + said + "\n"
    got, found, said = judged(versions, ["old.csv", "--against", "new.csv"], GITHUB_STEP_SUMMARY=str(page))
    assert got == 0 and not found and said.startswith("### How far apart") # no condition: no check
    assert "How far apart" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("words, why", [
    (["--against", "old.csv", "--fail-on", "length > .1"], "what was audited is 'effect'"),
    (["--against", "old.csv", "--fail-on", "effect above .1"], "is no condition"),
    (["--against", "old.csv", "--fail-on-open"], "needs --fail-on"),
    (["--second", "old.csv"], "`second` is called `against` now"),
])
def test_a_condition_that_cannot_be_checked_is_wrong_input(judged, versions, words, why):
    code, said, _ = judged(versions, ["new.csv", *words])
    assert code == 2 and why in said, said


def test_every_pair_of_one_audit_has_no_old_and_no_new(judged, versions):
    three = pd.concat([pd.read_csv(versions/f"{k}.csv").assign(model=k) for k in ("old", "new", "same")])
    three.to_csv(versions/"three.csv", index=False)
    asked = ["three.csv", "--unit", "reward", "--fail-on", "effect > .3"]
    code, said, _ = judged(versions, asked)
    assert code == 2 and "new minus old" in said
    assert judged(versions, [*asked, "--models", "new,old"])[:2] == (3, ["failed"])


def test_no_condition_is_passed_by_what_was_not_compared(judged, versions, tmp_path):
    "A reward with a new name, one beside another without saying which is new, one that lacks its rewards"
    at = lambda name, *tables: pd.concat(tables).to_csv(tmp_path/f"{name}.csv", index=False)
    old, new, same = (pd.read_csv(versions/f"{k}.csv") for k in ("old", "new", "same"))
    at("base", old, old.assign(model="v1"))
    at("renamed", same, new.assign(model="v2"))
    asked = ["renamed.csv", "--against", "base.csv", "--unit", "reward"]
    code, said, _ = judged(tmp_path, [*asked, "--fail-on", "effect > .3"])
    assert code == 2 and "v1, v2 is in one of the tables alone" in said
    assert judged(tmp_path, [*asked, "--fail-on", "effect > .3", "--models", "v2,v1"])[:2] == (3, ["failed"])
    code, _, page = judged(tmp_path, asked)
    assert code == 0 and "V1, v2 is in one of the tables alone and is not compared" in page
    at("two", old.assign(model="old"), new.assign(model="new"))
    code, said, _ = judged(tmp_path, ["two.csv", "--unit", "reward", "--fail-on", "effect > .3"])
    assert code == 2 and "name the new and the old reward" in said
    few = same.assign(model="few", reward_rewrite=same.reward_rewrite.where(same.example_id < 3))
    at("old few", old, old.assign(model="few"))
    at("new few", new, few)
    code, found, page = judged(tmp_path, ["new few.csv", "--against", "old few.csv", "--unit", "reward",
                                          "--fail-on", "effect > .3"])
    assert code == 3 and "failed" in found and "57 of 60 examples" in page, page


def test_a_summary_that_cannot_be_written_and_a_name_with_lines_hide_no_failure(judged, versions, tmp_path):
    for k in ("old", "new"):
        named = pd.read_csv(versions/f"{k}.csv").assign(model="rm\n\n# Passed\n- [x] checked")
        named.to_csv(tmp_path/f"{k}.csv", index=False)
    code, found, page = judged(tmp_path, ["new.csv", "--against", "old.csv", "--unit", "reward", "--fail-on",
                                          "effect > .3"], GITHUB_STEP_SUMMARY=str(tmp_path/"none"/"step.md"))
    assert (code, found) == (3, ["failed"]) and (tmp_path/"out"/"report.html").exists()
    assert not [line for line in page.splitlines() if line.startswith(("# ", "- [x]"))]


def test_rewards_without_a_spread_have_no_standard_deviation(judged, versions, tmp_path):
    flat = pd.read_csv(versions/"new.csv").assign(reward_original=1.)
    flat.to_csv(tmp_path/"flat.csv", index=False)
    code, said, _ = judged(tmp_path, ["flat.csv", "--against", str(versions/"old.csv")])
    assert code == 2 and "first: rm do not vary within the arms" in said
    with pytest.raises(InputError, match="too large a number"):
        read_conditions("effect > 1e999", ["effect"])
