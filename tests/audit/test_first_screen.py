"The first screen: an answer in a sentence, and no number for nothing: Python, a file, the command."
import json, re
from dataclasses import replace
from html import unescape
import numpy as np
import pandas as pd
import pytest
import yaml
from rate_nb.audit import Audit, Design
from rate_nb.audit.specification import advised, load_function
from rate_nb.base.core import InputError, ModelError
from rate_nb.base.store import Store
from rate_nb.batch import cli
from rate_nb.data.attributes import make_attribute
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import FunctionRewriter, double_rewrite
from rate_nb.rewriting.instructions import instruction_for
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.rewriting.usable import FIRST, UnusableRewritesError, check_usable, usability
from rate_nb.scoring.rewards import scores_from_file, texts_to_score
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.theory.text_world import TextWorld
from rate_nb.views.answer import answers

ASKS = instruction_for("length").request
USELESS = {
    "unchanged": lambda text, attribute, target, seed: text,
    "two words": lambda text, attribute, target, seed: " and ",
    "instruction": lambda text, attribute, target, seed: f"{text} {ASKS(target)}",
    "another text": lambda text, attribute, target, seed: f"Tomorrow brings sunshine, harbour {seed[:6]}."}


def letters(prompts, responses): return [float(len(r)) for r in responses]


def texts(n, seed=1): return TextWorld("length").examples(n, np.random.default_rng(seed))


def by(box): return OpenAIRewriter("sandbox-rewriter", base_url=box.base_url, api_key=lambda: "none")


def test_a_rewriter_that_speaks_before_the_text_is_stopped_and_fails_where_it_goes_on(tmp_path):
    world = TextWorld("length")
    def chatty(prompt, text, target): return f"Sure! Here is the text: {world.rewriter(prompt, text, target)}"
    rewriter, reward = FunctionRewriter(chatty, "chatty"), CallableReward("letters", letters, key="1")
    with pytest.raises(UnusableRewritesError, match="begin with “Sure! Here is the text:”.*the text alone"):
        kept = FunctionRewriter(chatty, "kept", store=Store(tmp_path/"store.sqlite"))
        Audit(texts(60), "length", kept, reward, tmp_path/"stopped").rewrite()
    goes_on = Design(keep_going=True)
    found = Audit(texts(60), "length", rewriter, reward, tmp_path/"whole", design=goes_on).diagnose()
    assert found.table.set_index("check").verdict["content"] == found.verdict() == "failed"
    assert "Tell the rewriter to answer with the text alone" in found.headline()


@pytest.mark.parametrize("wrapped, says", [
    (lambda text: json.dumps(dict(text=text)), r"begin with “\{\"text\":”"),
    (lambda text: f"```\n{text}\n```", "begin with “```”")])
def test_a_rewriter_that_wraps_its_texts_is_stopped(tmp_path, wrapped, says):
    world = TextWorld("length")
    def wraps(prompt, text, target): return wrapped(world.rewriter(prompt, text, target))
    with pytest.raises(UnusableRewritesError, match=f"{says}.*the text alone"):
        kept = FunctionRewriter(wraps, "wraps", store=Store(tmp_path/"store.sqlite"))
        Audit(texts(60), "length", kept, letters, tmp_path/"run").rewrite()


def in_japanese(text): return f"「{text.rstrip('.')}。」"


@pytest.mark.parametrize("ends, stops", [
    (lambda text: text[:-len(text)//5], True), (lambda text: text, False), (lambda text: f"({text})", False),
    (lambda text: f"{text}\n\n- one\n- two", False), (lambda text: f"{text} ❤️", False),
    (in_japanese, False), (lambda text: in_japanese(text)[:-9], True), (lambda text: f"{text}\n```", False)])
def test_rewrites_that_a_server_cut_in_silence_stop_a_run(ends, stops):
    world, examples = TextWorld("length"), texts(20)
    def made(prompt, text, target): return ends(world.rewriter(prompt, text, target))
    found = usability(examples, double_rewrite(examples, "length", FunctionRewriter(made)), "length")
    assert bool(found.cut) == stops
    if stops:
        with pytest.raises(UnusableRewritesError, match="mid-sentence.*max_tokens"):
            check_usable(found)
    bare = examples.assign(response=examples.response.str.rstrip("."))
    assert not usability(bare, double_rewrite(bare, "length", FunctionRewriter(made)), "length").cut
    def one_side(prompt, text, target): return world.rewriter(prompt, text, target).rstrip("."*target)
    one = double_rewrite(examples, "length", FunctionRewriter(one_side))
    assert not usability(examples, one, "length").cut


HEDGE = "I am not sure, but "
BACKWARDS = { # rewriters that a label rule finds out, though the text changes and keeps its content
    "the opposite of what was asked": lambda text, target: HEDGE*(1 - target) + text + " So it is.",
    "always a hedge": lambda text, target: HEDGE + text,
    "never a hedge": lambda text, target: text + " So it is.",
}


def hedged(n=60):
    said = [f"Water plant number {i} well, keep pot {i} in the sun, and feed it in spring." for i in range(n)]
    return pd.DataFrame(dict(prompt=[f"How do I keep plant {i}?" for i in range(n)],
                             response=[HEDGE*(i % 2) + text for i, text in enumerate(said)]))


@pytest.mark.parametrize("kind", BACKWARDS)
@pytest.mark.parametrize("label", [dict(regex="not sure"), lambda text: "not sure" in text])
def test_rewrites_that_the_label_rule_does_not_confirm_measure_nothing(kind, label, tmp_path):
    def rewriter(prompt, text, target):
        return BACKWARDS[kind](text.replace(HEDGE, ""), target)
    asked = make_attribute("hedge", "with a hedge", "without a hedge", label=label)
    reward = CallableReward("short", lambda prompts, responses: [-len(r) for r in responses], key="1")
    if isinstance(label, dict) and kind == "the opposite of what was asked":
        with pytest.raises(UnusableRewritesError, match="`treated` and `untreated` may be exchanged"):
            kept = FunctionRewriter(rewriter, "kept", store=Store(tmp_path/"store.sqlite"))
            Audit(hedged(), asked, kept, reward, tmp_path/"stopped").rewrite()
    audit = Audit(hedged(), asked, rewriter, reward, tmp_path/"run", design=Design(keep_going=True))
    said, = answers(audit.effects(), asked, audit.tables.scored, audit.diagnose())
    assert said.verdict == "not usable" and said.sentence.startswith("Nothing was measured"), said
    assert audit.diagnose().verdict() == "failed"

@pytest.mark.parametrize("treated, untreated", [("in more words", "in fewer words"), ("brief", "wordy")])
def test_exchanged_words_of_a_count_stop_the_run(treated, untreated, tmp_path):
    "The text changes and keeps its content, and the count says that it moved the wrong way"
    def rewriter(prompt, text, target):
        more = (treated, untreated)[1 - target] in ("in more words", "wordy")
        return f"{text} So it is." if more else text.rpartition(",")[0]
    asked = make_attribute("words", treated, untreated, label=dict(characteristic="words"))
    kept = FunctionRewriter(rewriter, "kept", store=Store(tmp_path/"store.sqlite"))
    audit = Audit(hedged(), asked, kept, letters, tmp_path/"run")
    if treated == "in more words":
        assert len(audit.rewrite()) == 120
        return
    with pytest.raises(UnusableRewritesError, match="20 did not do what.*untreated` may be exchanged"):
        audit.rewrite()


@pytest.mark.parametrize("kind", USELESS)
def test_a_useless_rewriter_stops_the_run_after_its_first_rewrites(kind, tmp_path):
    with Sandbox(rewriter=USELESS[kind]) as box:
        audit = Audit(texts(80), "length", by(box), letters, tmp_path/"run", design=Design(check=0))
        with pytest.raises(UnusableRewritesError, match="0 of 20 first rewrites.*keep_going=True"):
            audit.effects()
        assert box.served == FIRST # and no text was scored
        again = Audit(texts(80), "length", by(box), letters, tmp_path/"again",
                      design=Design(check=0, keep_going=True))
        page = again.report().read_text(encoding="utf-8")
        assert box.served > FIRST
    said, = json.loads((tmp_path/"again"/"answers.json").read_text())
    assert said["verdict"] == "not usable" and said["estimate"] is None
    assert said["sentence"].startswith("Nothing was measured: 0 of 80 first rewrites can be used")
    assert said["sentence"] in page and "class=answer" not in page and "There is no number to use" in page
    _, shown = page.split("Not usable: ")
    assert "RATE" in shown.split("<h2>")[0] and "<svg" not in shown.split("<h2>")[0] # nothing was measured
    assert again.diagnose().verdict() == "failed" and "Nothing was measured" in again._repr_markdown_()


def test_a_small_run_stops_too(tmp_path):
    "Before the second half is paid: 30 responses are 60 rewrites"
    for n in (30, FIRST + 1):
        with Sandbox(rewriter=lambda text, attribute, target, seed: "…") as box:
            audit = Audit(texts(n), "length", by(box), letters, tmp_path/str(n), design=Design(check=0))
            with pytest.raises(UnusableRewritesError, match="0 of 20 first rewrites.*'…'"):
                audit.effects()
            assert box.served == FIRST


def test_the_command_stops_too_and_names_the_flag(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    texts(60)[["prompt", "response"]].to_csv(tmp_path/"texts.csv", index=False)
    (tmp_path/"mine.py").write_text("def score(prompts, responses): return [len(r) for r in responses]\n")
    with Sandbox(rewriter=USELESS["unchanged"]) as box:
        said = dict(examples=str(tmp_path/"texts.csv"), attribute="length",
                    reward=f"{tmp_path/'mine.py'}:score",
                    rewriter=dict(model="sandbox-rewriter", base_url=box.base_url),
                    run_dir=str(tmp_path/"run"), design=dict(check=0))
        (tmp_path/"audit.yaml").write_text(yaml.safe_dump(said))
        assert cli.main(["audit", "--config", str(tmp_path/"audit.yaml"), "--quiet"]) != 0
        told = capsys.readouterr().err
        assert "20 returned the text unchanged" in told and "--keep-going" in told and box.served == FIRST
        assert cli.main(["audit", "--config", str(tmp_path/"audit.yaml"), "--quiet", "--keep-going"]) == 0
    out = capsys.readouterr().out.strip()
    assert out.startswith("Nothing was measured: 0 of 60 first rewrites can be used")


IN_CODE = dict(name="code", treated="with code", untreated="in prose")


@pytest.mark.parametrize("attribute", ["formality", IN_CODE])
def test_a_dry_run_refuses_what_it_cannot_rewrite(attribute, tmp_path):
    said = dict(examples=texts(8), attribute=attribute, rewriter="sandbox", reward=letters,
                run_dir=str(tmp_path/"run"))
    with pytest.raises(InputError, match="length and sentiment only.*endpoint, a local model or a function"):
        Audit.from_config(said)
    assert not list((tmp_path/"run").glob("*.parquet"))


def test_three_examples_give_no_number_to_quote(tmp_path):
    audit = Audit(texts(3), "length", TextWorld("length").rewriter, letters, tmp_path, design=Design(check=0))
    audit.report()
    said, = json.loads((tmp_path/"answers.json").read_text())
    assert said["sentence"].startswith("Too few prompts")


def test_arms_of_opposite_signs_are_said_beside_the_average(tmp_path):
    examples = texts(120)
    treated = set(examples.response[examples.w == 1])
    beginning = {r[:25] for r in treated}
    def torn(prompts, responses): # pays for length where the original was long, and against it elsewhere
        return [len(r)*(1. if r[:25] in beginning else -1.) for r in responses]
    audit = Audit(examples, "length", lambda p, r, t: r + " " + r if t else r[:max(30, len(r)//2)], torn,
                  tmp_path, design=Design(check=0))
    att, atu = (audit.effects().get("rate", k) for k in ("ATT", "ATU"))
    assert att.ci_low > 0 > atu.ci_high
    audit.diagnose()
    assert "disagree" in audit._repr_markdown_()


def test_python_gives_the_answer_before_the_estimates(tmp_path):
    "In print, Markdown and HTML, softened until it is checked; and no number for nothing"
    world, reward = TextWorld("length"), CallableReward("letters", letters, key="1")
    audit = Audit(texts(60), "length", world.rewriter, reward, tmp_path/"sound")
    effects = audit.effects()
    said = "letters seems to pay for length, but this is not confirmed: making a response longer raises"
    checked = "Nothing is checked yet: `diagnose()` says whether this can be relied on."
    assert str(effects).startswith(said) and str(effects).index(checked) < str(effects).index("naive")
    for shown in (effects._repr_html_(), effects._repr_markdown_(), str(audit), audit._repr_markdown_()):
        assert said in shown and checked in re.sub("</?code>", "`", shown)
    found = audit.diagnose()
    first = answers(audit.effects(), audit.attribute, audit.tables.scored, found)
    assert list(audit.effects().answers) == first and checked not in str(audit.effects())
    assert found.headline() in str(audit)
    same = Audit(texts(60), "length", lambda prompt, text, target: text, reward, tmp_path/"same").effects()
    assert str(same).startswith("Nothing was measured: 0 of 60 first rewrites can be used (60 returned the "
                                "text unchanged). The effect is still unknown.\n\nEffect on")


def test_the_answer_is_the_same_in_every_place(tmp_path):
    world = TextWorld("length")
    audit = Audit(texts(90), "length", world.rewriter, [world.reward, letters], tmp_path, both=True,
                  design=Design(check=0))
    page = unescape(audit.report().read_text(encoding="utf-8"))
    said = json.loads((tmp_path/"answers.json").read_text())
    assert len(said) == 2 and page.index(">wins<") < page.index(said[0]["sentence"][:40]) # the table first
    for a in said:
        assert a["sentence"] in page and a["sentence"] in unescape(audit._repr_markdown_())
        assert 0 <= a["win_low"] <= a["win_rate"] <= a["win_high"] <= 1
    rate = audit.effects().get("rate", "ATE", said[1]["model"])
    assert said[1]["estimate"] == rate.estimate
    assert "making a response longer raises its reward" in said[1]["sentence"]
    won = audit.score().query("model == @rate.model")
    sides = np.sign((won.reward_rewrite_of_rewrite - won.reward_rewrite)*(2*won.w.astype(float) - 1))
    assert np.isclose(said[1]["win_rate"], ((sides + 1)/2).mean())


def test_advice_that_this_folder_would_refuse_names_another(tmp_path, capsys):
    (tmp_path/"mine.py").write_text("def score(prompts, responses): return [len(r) for r in responses]\n")
    texts(60)[["prompt", "response"]].to_csv(tmp_path/"texts.csv", index=False)
    said = ["audit", str(tmp_path/"texts.csv"), "--attribute", "length", "--base-url", "sandbox",
            "--reward-model", f"{tmp_path/'mine.py'}:score", "--run-dir", str(tmp_path/"run")]
    anew = "with --run-dir a new folder and --store the store.sqlite of this run"
    def told(*words):
        assert cli.main([*said, *words, "--quiet"]) == 0
        return " ".join(capsys.readouterr().out.split())
    before = told("--plan")
    assert "add --both" in before and f"now, or after this run {anew}" in before
    assert re.search(r"A healthy audit passes all checks in at least 4 of 5 cases with [\d,]+ ex", before)
    elsewhere = told("--plan", "--store", str(tmp_path/"kept.sqlite")) # and not beside the run
    assert f"with --run-dir a new folder and --store '{tmp_path/'kept.sqlite'}'" in elsewhere
    assert "kept.sqlite is empty: nothing of earlier runs is in it" in elsewhere # a plan makes no store
    assert not [*tmp_path.glob("kept.sqlite*"), *(tmp_path/"run").glob("store*")]
    done = told()
    assert "Do not act on this number yet" in done and ": --both" in done
    assert re.search(r": ([\d,]+ examples in all|more prompts in each arm)", done)
    page = unescape(re.sub("</?code[^>]*>", "", (tmp_path/"run"/"report.html").read_text()))
    assert f"Run again {anew}" in done and f"Run again {anew}" in page
    # what the plan counts is what was scored, but for the test of the reward, which both name
    scored, tested = (int(n) for n in re.search(r"(\d+) texts scored \((\d+) of them", done).groups())
    planned = int(re.search(r"rewards; at most: (\d+)", before)[1])
    assert "8 originals are scored a few times to test the reward" in before
    assert planned == 3*60 and .9*planned < scored - tested <= planned # equal texts are scored once
    def made(): # SQLite's log of a store that was opened may differ
        return {p.name: p.read_bytes() for p in (tmp_path/"run").iterdir() if "store.sqlite" not in p.name}
    there = made()
    assert cli.main([*said, "--both", "--quiet"]) == 2 and "Notebook:" not in capsys.readouterr().err
    assert made() == there


def test_a_plan_asks_no_judge_for_labels(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    texts(40)[["prompt", "response"]].to_csv(tmp_path/"texts.csv", index=False)
    (tmp_path/"mine.py").write_text("def score(prompts, responses): return [len(r) for r in responses]\n")
    with Sandbox() as box:
        endpoint = dict(model="sandbox-rewriter", base_url=box.base_url)
        label = dict(judge=endpoint, draws=2)
        said = dict(examples=str(tmp_path/"texts.csv"), attribute=dict(name="length", label=label),
                    rewriter=endpoint, reward=f"{tmp_path/'mine.py'}:score", run_dir=str(tmp_path/"run"))
        (tmp_path/"audit.yaml").write_text(yaml.safe_dump(said))
        assert cli.main(["audit", "--config", str(tmp_path/"audit.yaml"), "--plan", "--json", "--quiet"]) == 0
        assert box.requests == 0
        rows = {r["step"]: r for r in json.loads(capsys.readouterr().out)["table"]}
        assert rows["labels"]["at most"] == 40 and "80 calls" in rows["labels"]["of what"]


@pytest.mark.parametrize("label, named", [
    (dict(regx="the"), "regex"), (dict(), "must say one of"),
    (dict(column="tone", treated=["hot"], untreated=["cold"]), "none of the values that are called treated")])
def test_a_label_that_cannot_be_meant_is_told_in_words(label, named, tmp_path):
    rows = texts(8)[["prompt", "response"]].assign(tone=["warm", "cold"]*4)
    rows.to_csv(tmp_path/"texts.csv", index=False)
    with pytest.raises(InputError) as told:
        Audit.from_config(dict(examples=str(tmp_path/"texts.csv"), attribute=dict(name="length", label=label),
                               rewriter="sandbox", reward="demo", run_dir=str(tmp_path/"run")), plan=True)
    assert named in str(told.value) and "discriminator" not in str(told.value)


def test_an_attribute_is_written_as_python_took_it(tmp_path):
    rows = texts(8)[["prompt", "response"]].assign(tone=["warm", "cold"]*4)
    label = {"column": "tone", "treated": "warm", "untreated": "cold"}
    (tmp_path/"mine.py").write_text("def score(prompts, responses): return [len(r) for r in responses]\n")
    for k, attribute in enumerate((dict(name="length", label=label),
                                   dict(kind="builtin", name="length", label=label),
                                   dict(name="tone", treated="warmer", untreated="colder", label=label))):
        audit = Audit(rows, attribute, by_file(tmp_path), load_function(f"{tmp_path/'mine.py'}:score"),
                      tmp_path/f"run{k}", design=Design(check=0))
        again = Audit.from_config(audit.to_config())
        assert again.examples.w.tolist() == audit.examples.w.tolist() == [1, 0]*4
        again.close()

def by_file(folder):
    (folder/"rewriter.py").write_text(
        "def double(prompt, text, target): return text + text if target else text[:9]\n")
    return load_function(f"{folder/'rewriter.py'}:double")


def test_sentences_claim_no_more_than_the_numbers_hold():
    from rate_nb.data.attributes import get_attribute
    from rate_nb.diagnostics.beyond_length import BeyondLength
    from rate_nb.estimators.effects import AttributeEffect
    from rate_nb.stats.inference import t_effect
    from rate_nb.views.answer import effect_sentence
    length = get_attribute("length")
    def effect(estimate, error):
        return AttributeEffect(estimate, error, estimate - 2*error, estimate + 2*error, 59, model="m",
                               estimand="ATE", smd=estimate)
    won = t_effect(.45, .02, 199, .95, 200)
    assert "45% of pairs (a tie counts half)" in effect_sentence(effect(-.1, .02), length, won, 200, .01,
                                                                 ties=True)
    # an end that is not 0 is not printed as 0
    tiny = effect_sentence(effect(3e-9, 1e-9), length, None, 60, 1e-12)
    assert "by 3.00e-09 (95% CI 1.00e-09" in tiny
    assert "CI 0.001 to" in effect_sentence(effect(.1006, .05), length, None, 60)
    assert "For scale" not in effect_sentence(effect(.3, .05), length, None, 60, .1, yardstick=0.)
    whose = "with each prompt counted once"
    assert effect_sentence(effect(.3, .05), length, None, 10, whose=whose).startswith(
        "Too few prompts (10) to rely on: with each")
    assert effect_sentence(effect(.3, .05), length, None, 60, whose=whose).startswith("With each prompt")
    def of_length(rest, error, total):
        return str(BeyondLength(t_effect(rest, error, 50, .95, 60), total, .6, .3, 100))
    assert "is not known well" in of_length(.01, .5, .02) and "is not known well" in of_length(0., .1, 0.)
    assert of_length(.299, .01, .3).startswith("Hardly any of this is length")
    assert of_length(.301, .01, .3).startswith("Hardly any of this is length")
    assert of_length(.001, .01, .3).startswith("Nearly all of this is length")
    assert of_length(.15, .01, .3).startswith("About 50% of this is length")
    assert of_length(-.3, .01, .3).startswith("Between versions of equal length")


def test_a_reward_that_failed_its_trial_gets_no_pass_and_the_first_lines_say_so(tmp_path, capsys):
    "It scores a text otherwise beside other texts; and one that reads the prompts alone is refused"
    world, examples = TextWorld("length"), texts(60)
    by_place = lambda prompts, responses: [len(r) + 9.*i for i, r in enumerate(responses)]
    beside = CallableReward("beside", by_place, key="1")
    audit = Audit(examples, "length", world.rewriter, beside, tmp_path/"run")
    found = audit.diagnose()
    assert "times the rewards' usual spread with the texts that it is scored with" in capsys.readouterr().out
    assert "mend the reward" in found.headline("beside") and "moves by up to" in found.headline("beside")
    assert found.verdict("beside") == "inconclusive"
    assert "mend the reward" in audit.report().read_text(encoding="utf-8").split("Three estimates")[0]
    rng = np.random.default_rng(0) # noise of its own is in the interval, and takes no pass
    drawn = lambda prompts, responses: [len(r) + 100*rng.normal() for r in responses]
    noisy = CallableReward("noisy", drawn, key="1")
    of_noise = Audit(examples, "length", world.rewriter, noisy, tmp_path/"noisy").diagnose()
    assert "reward trial" not in set(of_noise.table.check)
    said = of_noise.headline("noisy") # before the list of what is open
    assert re.search(r"differs by up to .* times the effect\. This noise .*draws=2\)\. To ", said)
    run = dict(examples="demo", rewriter="sandbox", reward="demo")
    assert "--draws 2)" in advised(of_noise, run).headline("noisy")
    failed = [replace(f, verdict="failed") for f in of_noise.findings["noisy"]]
    assert "The reward is random" in replace(of_noise, findings=dict(noisy=failed)).headline("noisy")
    lacks = CallableReward("lacks", lambda prompts, responses: [
        float("nan") if len(r) % 4 == 0 else float(len(r)) for r in responses], key="1")
    of_gaps = Audit(examples, "length", world.rewriter, lacks, tmp_path/"lacks",
                    design=Design(keep_going=True)).diagnose()
    assert "rewards are finite numbers" in of_gaps.headline("lacks")
    sound = CallableReward("sound", lambda prompts, responses: [float(len(r)) for r in responses], key="1")
    plain = Audit(examples, "length", world.rewriter, sound, tmp_path/"sound").diagnose()
    assert "reward trial" not in set(plain.table.check)
    with pytest.raises(InputError, match="names its arguments .responses, prompts.*exchange them"):
        CallableReward("exchanged", lambda responses, prompts: [float(len(r)) for r in responses])
    of_prompts = CallableReward("of_prompts", lambda a, b: [float(len(x)) for x in a], key="1")
    asked = examples.assign(prompt=[f"Question {'?'*k}" for k in range(60)])
    with pytest.raises(ModelError, match="reads the prompt alone"):
        Audit(asked, "length", world.rewriter, of_prompts, tmp_path/"exchanged").diagnose()
    unread = Audit(asked, "length", world.rewriter, of_prompts, tmp_path/"untried",
                   design=Design(check=0)).diagnose()
    assert "Every rewrite got exactly the reward of its original" in unread.headline("of_prompts")
    for scale in (1e-8, 1e6): # what moves a reward is measured by its own spread; rounding takes no pass
        crowd = lambda prompts, responses: [scale*(len(r) + .5*max(map(len, responses))) for r in responses]
        rounded = lambda prompts, responses: [scale*(len(r) + 1e-3*len(responses)) for r in responses]
        trial = {name: Audit(examples, "length", world.rewriter, CallableReward(name, fn, key=str(scale)),
                             tmp_path/f"{name}{scale}").diagnose() for name, fn in
                 (("crowd", crowd), ("rounded", rounded))}
        assert [("reward trial" in set(d.table.check)) for d in trial.values()] == [True, False]


def test_a_file_of_scores_and_a_rare_reward_pass_the_trial(tmp_path):
    examples = texts(40)
    world = TextWorld("length")
    made = double_rewrite(examples, "length", world.rewriter)
    scores = texts_to_score(examples, made).assign(reward=lambda t: t.response.str.len().astype(float))
    scores.to_csv(tmp_path/"scores.csv", index=False)
    audit = Audit(examples, "length", world.rewriter, scores_from_file(tmp_path/"scores.csv"), tmp_path/"run")
    assert "reward trial" not in set(audit.diagnose().table.check)
    rare = CallableReward("rare", lambda prompts, responses: [
        float(r in set(examples.response[:5])) for r in responses], key="1")
    found = Audit(examples, "length", world.rewriter, rare, tmp_path/"rare").diagnose()
    assert "reward trial" not in set(found.table.check)
