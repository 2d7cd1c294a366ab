"Audits that are out of the ordinary are published, verified, and leak nothing."
import hashlib, json, os, random, re, shutil, time
import numpy as np
import pandas as pd
import pytest
import yaml
from rate_nb.audit import Audit, publish_run, verify_published
from rate_nb.audit.publish import _leaks, public_config
from rate_nb.base.core import InputError
from rate_nb.base.files import write_file
from rate_nb.batch import combine_effects, grid_effects, read_runs
from rate_nb.plots.effects import plot_effects
from rate_nb.rewriting.chains import FunctionRewriter
from rate_nb.scoring import CallableReward

THINGS = "rent boat garden lamp winter letter bridge copper market river uncle candle violin harbour".split()


def texts(n=24, prompt=lambda i: i//2):
    pick = random.Random(3)
    line = lambda: "My {} stood near the {} of a {}.".format(*pick.choices(THINGS, k=3))
    return pd.DataFrame([dict(prompt_id=f"q{prompt(i)}", prompt=f"What of house {prompt(i)}?",
                              response=" ".join(line() for _ in range(2 + pick.randint(0, 2) + 4*(i % 2))))
                         for i in range(n)])


def longer_or_shorter(prompt, text, target):
    said = re.findall(r"[^.]+\.", text)
    return text + f" And the {THINGS[len(text) % 9]} went on for a long time, as it does there."*2 if target \
        else "".join(said[:2])


def per_character(prompts, responses): return [len(r)/100 for r in responses]


def reward(name, score=per_character): return CallableReward(name, score, key=name)


def run(folder, examples=None, **said):
    said = dict(attribute="length", rewriter=longer_or_shorter, reward=[reward("score")]) | said
    audit = Audit.from_config(said | dict(examples=texts() if examples is None else examples,
                                          run_dir=str(folder)))
    audit.report(folder/"report.html")
    audit.close()
    return folder


def checked(made):
    seen = verify_published(made.folder, made.digest)
    assert not seen.differs, seen
    return made.folder


def test_an_audit_about_new_prompts_is_published_as_one(tmp_path):
    uneven = texts(36, lambda i: int(i**.6))
    run(tmp_path/"run", uneven, grading=dict(estimand_over="new prompts", level=.8))
    folder = checked(publish_run(tmp_path/"run", tmp_path/"public"))
    assert "80% intervals, about new prompts" in (folder/"report.html").read_text()


def test_the_level_is_not_read_from_an_error_that_is_rounding(tmp_path):
    "naive: every original of an arm has the same reward, and its standard error is 0 or 1e-18"
    third = lambda p, responses: [(1 + (len(r) > 200))/9 + .1*(len(r) > 450) for r in responses]
    run(tmp_path/"run", reward=[reward("thirds", third), reward("score")])
    assert set(pd.read_parquet(tmp_path/"run"/"effects.parquet").model) == {"thirds", "score"}
    checked(publish_run(tmp_path/"run", tmp_path/"public"))


def test_a_reward_that_measured_nothing_is_published_beside_another(tmp_path):
    nothing = reward("none", lambda p, r: [float("nan")]*len(r))
    run(tmp_path/"run", reward=[nothing, reward("score")], design=dict(check=0))
    folder = checked(publish_run(tmp_path/"run", tmp_path/"public"))
    assert set(pd.read_parquet(folder/"verdicts.parquet").model) == {"score"}
    assert set(pd.read_parquet(folder/"scored.parquet").model) == {"none", "score"}


def test_names_of_rewards_are_no_file_names_and_no_markdown(tmp_path):
    names = ["Score", "score", "評"*99 + "\n# a heading in <b>"]
    run(tmp_path/"run", reward=[reward(n) for n in names])
    folder = checked(publish_run(tmp_path/"run", tmp_path/"public"))
    cards = [p.name for p in (folder/"cards").iterdir()]
    assert len({c.casefold() for c in cards}) == len(names) and max(map(len, cards)) < 100
    said = (folder/"README.md").read_text() + "".join((folder/"cards"/c).read_text().split("\n---\n")[1]
                                                      for c in cards)
    assert said.count("a heading") > 1 and "\n# a heading" not in said and "<b>" not in said


@pytest.mark.parametrize("where", ["in one line", "with quotes", "with line breaks"])
def test_an_instruction_that_quotes_a_response_is_not_published(tmp_path, where):
    "YAML breaks long lines, JSON marks quotes"
    said = texts()
    quoted = {"with quotes": 'He said "no" – isn\'t it: '}.get(where, "") + said.response[0]*3
    if where == "with line breaks":
        quoted = quoted.replace(". ", ".\n")
    said.loc[0, "response"] = quoted
    run(tmp_path/"run", said, attribute=dict(name="longish", treated="longer", untreated="shorter",
                                             instruction=f"Make it {{W}}, not like this: {quoted}",
                                             label=dict(regex="(?s).{200}")))
    with pytest.raises(InputError, match="nothing was published.*audit.yaml holds a text"):
        publish_run(tmp_path/"run", tmp_path/"public")
    written = yaml.safe_load((tmp_path/"run"/"audit.yaml").read_text())
    assert quoted in written["attribute"]["instruction"]


def test_a_reward_that_does_not_vary_within_an_arm_has_no_standard_deviation(tmp_path):
    "Scores of a rubric: 3 for every original without the attribute, 4 for every one with it"
    coarse = lambda p, responses: [3. + (len(r) > 200) + (len(r) > 450) for r in responses]
    run(tmp_path/"run", reward=[reward("coarse", coarse), reward("score")])
    made = pd.read_parquet(tmp_path/"run"/"effects.parquet")
    rate = made[(made.estimator == "rate") & (made.estimand == "ATE")].set_index("model")
    assert rate.estimate["coarse"] > .5 and np.isnan(rate.smd["coarse"]) and rate.smd["score"] > 1
    said = plot_effects(made).to_dict()["description"]
    assert "In points, without that unit: 'coarse'" in said and "effect on the verdict" not in said.lower()
    checked(publish_run(tmp_path/"run", tmp_path/"public"))


def test_looking_for_many_texts_takes_seconds(tmp_path):
    "60,000 texts in a page and 20,000 numbers: minutes if every text is looked for in every file"
    pd.DataFrame(dict(example_id=[f"e{i}" for i in range(20_000)])).to_parquet(tmp_path/"scored.parquet")
    (tmp_path/"report.html").write_text("<p>" + "words that say nothing "*15_000)
    many = [f"This is text {i} of an audit that is large. "*8 for i in range(60_000)]
    began = time.process_time()
    assert not _leaks(tmp_path, {"a text": many})
    assert time.process_time() - began < 20
    (tmp_path/"report.html").write_text(f"<p>so it is: {many[777]}")
    assert _leaks(tmp_path, {"a text": many}) == ["report.html holds a text"]


def test_what_a_judge_was_asked_is_published_as_it_was_asked():
    asked = dict(reward=dict(kind="pointwise", question="How good is it (1/10, 5/10 or 10/10)?",
                             base_url="http://10.0.0.7:8000/v1", template="yes / no / perhaps"))
    public, changed = public_config(asked)
    assert public["reward"] == {k: v for k, v in asked["reward"].items() if k != "base_url"}
    assert changed == ["reward.base_url"]
    long = "whether it is kind "*20 + "and/or right" # longer than the name of a file may be
    assert public_config(dict(name=long)) == (dict(name=long), [])


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    at = tmp_path_factory.mktemp("odd")
    return publish_run(run(at/"run"), at/"public").folder


def changed(folder, **fields): # the manifest, with these fields and the digests of the files as they are
    said = json.loads((folder/"manifest.json").read_text()) | fields
    digest = lambda p: hashlib.sha256(p.read_bytes()).hexdigest()
    said["files"] = {p.relative_to(folder).as_posix(): digest(p) for p in sorted(folder.rglob("*"))
                     if p.is_file() and p.name != "manifest.json"}
    (folder/"manifest.json").write_text(json.dumps(said))


@pytest.mark.parametrize("name", ["report.html", "scored.parquet", "cards/score.md"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda p: p.symlink_to("nowhere"), lambda p: p.symlink_to(p)],
                         ids=["pipe", "link to nowhere", "link to itself"])
def test_what_is_no_file_is_a_difference_and_is_not_read(public, tmp_path, name, make):
    folder = tmp_path/"copy"
    shutil.copytree(public, folder)
    (folder/name).unlink()
    make(folder/name)
    seen = verify_published(folder).table.set_index("what")
    assert seen.result[name] == "differs" and "no file" in seen.why[name]


def test_a_card_that_cannot_be_parsed_is_a_difference(public, tmp_path):
    folder = tmp_path/"copy"
    shutil.copytree(public, folder)
    card = folder/"cards"/"score.md"
    card.write_text(card.read_text().replace("model-index:", "model-index: [{"))
    changed(folder)
    assert verify_published(folder).differs


@pytest.mark.parametrize("old,new", [("verdict: inconclusive", "verdict: passed"), ("ci_low: ", "ci_low: 1")])
def test_a_card_with_another_interval_or_verdict_differs_from_the_tables(public, tmp_path, old, new):
    folder = tmp_path/"copy"
    shutil.copytree(public, folder)
    card = folder/"cards"/"score.md"
    assert old in card.read_text()
    card.write_text(card.read_text().replace(old, new))
    changed(folder)
    seen = verify_published(folder).table
    assert list(seen.what[seen.result == "differs"]) == ["cards/score.md"]


def test_verdicts_that_lack_a_reward_differ_from_the_effects(public, tmp_path):
    folder = tmp_path/"copy"
    shutil.copytree(public, folder)
    none = pd.read_parquet(folder/"verdicts.parquet")[:0]
    for kind in ("parquet", "json"):
        write_file(none, folder/f"verdicts.{kind}")
    shutil.rmtree(folder/"cards")
    changed(folder)
    seen = verify_published(folder).table.set_index("what")
    assert seen.result["effects and win rates of the verdicts"] == "differs"


def tampered(public, folder, name, old, new):
    "A copy with one text in one file changed, and a manifest that agrees"
    shutil.copytree(public, folder)
    path = folder/name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    changed(folder)
    seen = verify_published(folder).table
    return seen[seen.result == "differs"].set_index("what").why


@pytest.mark.parametrize("name,old,new", [
    ("report.html", "raises its reward by", "raises its reward by 9"), ("report.html", "<td", "<td class=x"),
    ("README.md", "24 responses", "2400 responses"), ("cards/score.md", "wins in", "wins in 9")])
def test_page_and_cards_are_written_again_and_compared(public, tmp_path, name, old, new):
    found = tampered(public, tmp_path/"copy", name, old, new)
    assert list(found.index) == [name] and "the tables give" in found[name]


def test_what_was_changed_is_named_with_both_values(public, tmp_path):
    rows = json.loads((public/"verdicts.json").read_text())
    held = f'"win_low": {rows[0]["win_low"]}'
    found = tampered(public, tmp_path/"a", "verdicts.json", held, '"win_low": 7.5')
    assert re.fullmatch(r"row 1, win_low: 7.5 in verdicts.json, [\d.]+ in verdicts.parquet",
                        found["verdicts.json"])
    verdict = pd.read_parquet(public/"verdicts.parquet").assign(verdict="passed")
    shutil.copytree(public, tmp_path/"b")
    for kind in ("parquet", "json"):
        write_file(verdict, tmp_path/"b"/f"verdicts.{kind}")
    changed(tmp_path/"b")
    why = verify_published(tmp_path/"b").table.set_index("what").why["verdicts"]
    assert "'passed' in verdicts.parquet, and its checks give 'inconclusive'" in why
    found = tampered(public, tmp_path/"c", "manifest.json", '"examples": 24', '"examples": 2400')
    assert "examples is 2400, and scored.parquet has 24" in found["counts in manifest.json"]


def test_a_manifest_of_another_digest_vouches_for_no_file(public, tmp_path):
    tampered(public, tmp_path/"copy", "report.html", "raises its reward by", "raises its reward by 9")
    own = hashlib.sha256((public/"manifest.json").read_bytes()).hexdigest()
    seen = verify_published(tmp_path/"copy", own).table
    why = seen.set_index("what").why["manifest.json"]
    assert own in why and "any file may have been changed" in why
    assert not seen.what.str.contains("files").any()


def test_a_page_of_another_version_cannot_be_checked(public, tmp_path):
    shutil.copytree(public, tmp_path/"copy")
    changed(tmp_path/"copy", writer="0")
    seen = verify_published(tmp_path/"copy")
    assert not seen.differs and seen.table.set_index("what").result["page and cards"] == "cannot be checked"
    card = tmp_path/"copy"/"cards"/"score.md" # a manifest that names another writer hides no other result
    card.write_text(card.read_text().replace("verdict: inconclusive", "verdict: passed"))
    changed(tmp_path/"copy", writer="0")
    seen = verify_published(tmp_path/"copy").table
    assert list(seen.what[seen.result == "differs"]) == ["results of cards/score.md"]


def test_a_summary_keeps_silent_about_no_published_audit(public, tmp_path):
    "One is damaged, one is of a version to come; a run folder is none"
    for name in ("sound", "damaged", "newer"):
        shutil.copytree(public, tmp_path/name)
    shutil.copytree(public.parent/"run", tmp_path/"run")
    (tmp_path/"damaged"/"manifest.json").write_text('{"format": "rate_nb publ')
    changed(tmp_path/"newer", format="rate_nb published audit 2")
    with pytest.raises(InputError, match="another version of rate_nb.*audit 2"):
        verify_published(tmp_path/"newer")
    _, runs = read_runs(tmp_path)
    assert runs.set_index("run").status.to_dict() == dict(sound="done", damaged="failed", newer="failed")
    assert set(combine_effects(tmp_path).run) == {"sound"}


def test_an_audit_that_is_there_twice_counts_once_and_a_dry_run_is_named(public, tmp_path):
    for name in ("a", "b copied"):
        shutil.copytree(public, tmp_path/name)
    dry = run(tmp_path.parent/f"{tmp_path.name}-dry", texts(26),
              rewriter=FunctionRewriter(longer_or_shorter, "sandbox-rewriter"))
    publish_run(dry, tmp_path/"dry")
    _, runs = read_runs(tmp_path)
    runs = runs.set_index("run")
    assert runs.status.to_dict() == {"a": "done", "b copied": "rejected", "dry": "done"}
    assert "audit of a again" in runs.note["b copied"] and "dry run" in runs.note["dry"]
    table = combine_effects(tmp_path)
    assert set(table.checks[table.run == "dry"]) == {"dry run"} and set(table.run) == {"a", "dry"}
    said = grid_effects(table, labels=["model", "run"]).sentence()
    assert "of dry runs, which say nothing about a reward: 1 effect" in said
