"What may be claimed of an audit: the collected checks, their verdicts, and how an audit uses them."
import math
import re
from dataclasses import replace
import numpy as np
import pandas as pd
import pytest
from planted import KINDS, PAID, Planted
from reader import Reader
from rate_nb.diagnostics import diagnose, review_rewrites
from rate_nb.diagnostics.verdicts import CLAIMS, Part, VERDICTS, enough_examples, reward_margin
from rate_nb.data.attributes import get_attribute, make_attribute
from rate_nb.data.examples import load_examples
from rate_nb.audit import Audit, Design, Grading
from rate_nb.audit.inputs import Reviewing
from rate_nb.audit.specification import advised, remedies, typed_as
from rate_nb.calibration.calibrators import RCLWR
from rate_nb.calibration.causal import CausalCalibrator
from rate_nb.base.core import InputError, RunFolderError
from rate_nb.theory.text_world import read_draft
from rate_nb.rewriting import FunctionRewriter
from rate_nb.rewriting.instructions import instruction_for
from rate_nb.rewriting.instructions import remember_used
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.base.store import Store
from rate_nb.theory.text_world import Taste, TextWorld

WORLD = TextWorld("length")
READER = Reader(0, relative=True)
RICH = dict(both=True, depth=3, draws=2, # every check
            review=Reviewing(pairs=40, reviewer=READER, coder=READER.code, planted=60))


def audit(folder, n=120, rewriter=None, models=None, **options):
    return Audit(WORLD.examples(n, np.random.default_rng(4)), "length", rewriter or WORLD.rewriter,
                 models or WORLD.reward, folder, **options)


def test_two_models_have_their_own_grades_of_two_claims(tmp_path):
    "A reward that minds typos only where a text is long breaks additivity; the taste beside it does not"
    def uneven(prompts, responses):
        return [(1 - .6*d.surface.typos) * any(d.elaborations) for d in map(read_draft, responses)]

    found = audit(tmp_path, 300,
                  models=[CallableReward("taste", WORLD.reward), CallableReward("uneven", uneven)]).diagnose()
    assert found.verdict("uneven", CLAIMS[1]) != VERDICTS[0]
    with pytest.raises(InputError, match="one of"):
        found.verdict()
    assert set(found.table.model) == {"taste", "uneven"} and ("additivity", "uneven") in found.results
    told = found.claims().set_index(["model", "claim"])
    assert len(told) == 4 and set(told.verdict) <= set(VERDICTS)
    assert "No check failed, but 3 of" in found._repr_markdown_()
    # a check that failed and bears on neither claim is in the sentence, and decides nothing
    controls = replace(found.findings["taste"][0], check="controls", verdict="failed", claim="none")
    other = replace(found, findings=found.findings | dict(taste=[*found.findings["taste"], controls]))
    assert other.verdict("taste") == "inconclusive" and (
        "No check of this claim failed (controls failed, but bears on neither claim), but 3 of"
        in other.headline("taste"))
    fine = [replace(f, verdict="passed", parts=()) for f in found.findings["taste"]]
    fine = replace(found, findings=found.findings | dict(taste=[*fine, controls])).headline("taste")
    assert fine.startswith("Passed.") and "controls failed, but bears on neither claim" in fine
    # of several failed checks the first is explained, and each of the others is there with what it means
    bad = [replace(f, verdict="failed") if f.check in ("content", "attrition", "differences") else f
           for f in found.findings["taste"]]
    said = replace(found, findings=found.findings | dict(taste=bad)).headline("taste")
    assert said.startswith("Failed. Do not use this number: 3 checks failed (content, attrition, "
                           "differences).\n\n" + bad[0].finding)
    assert ("Attrition: lost rewrites may hide another effect. Differences: the reward pays for something "
            "else in which the rewrites differ.\n") in said
    # what closes the open checks of both rewards can be said once, and then each says only what differs
    both = found.closing_all()
    assert both and set(both) <= set(found.closing("taste")) & set(found.closing("uneven"))
    assert all(one in found.headline("taste") and one not in found.headline("taste", besides=both)
               for one in both)
    shared = found.closing_sentence() # which names beside it what one of them needs alone
    for m in found.findings:
        alone = [one for one in found.closing(m) if one not in both]
        assert ("\n- ".join([f"Of {m} also:", *alone]) in shared) == bool(alone)
    assert " also:\n- " in shared
    assert "To decide them also:\n- " + found.closing("taste")[0] in found.headline(
        "taste", besides=found.closing("taste")[1:])
    # without the placebo and a second draw, a pass is out of reach, and both are named
    needed = found.needs("taste").what.str.cat()
    assert "both=True" in needed and "draws=2" in needed
    # what somebody who types is told to give can be typed: no argument is left that no run has
    said = [*found.table.finding, *found.table.advice, *found.table.needs, *told.headline]
    typed = remedies(" ".join(said), dict(examples="demo", rewriter="demo", reward="demo"), typed_as)
    assert "--both" in typed and "--draws 2" in typed
    assert not re.search(r"(?<![\w.-])[a-z_]+=|`characteristics`", typed)


def test_without_labels_of_the_rewrites_a_claim_stays_undecided(tmp_path):
    "An attribute without a rule: compliance is unknown, so is the answer"
    from dataclasses import replace
    examples = WORLD.examples(60, np.random.default_rng(4))
    mute = replace(get_attribute("length"), name="presence", label=None, complies=None)
    found = Audit(examples, mute, WORLD.rewriter, WORLD.reward, tmp_path).diagnose()
    assert found.verdict() == "inconclusive"
    row = found.table[found.table.check == "compliance"].iloc[0]
    assert row.verdict == "inconclusive" and "Not run" in row.finding


def test_a_calibrated_reward_is_diagnosed_on_the_same_rewrites(tmp_path):
    a = audit(tmp_path)
    before = a.diagnose()
    paid = a.accounts.paid()
    after = a.diagnose(calibrator=RCLWR())
    assert (a.accounts.paid() == paid
            and after.table[after.table.check == "attrition"].model.str.contains("RC-LWR").all())
    assert before.table.equals(a.diagnose().table) and (tmp_path / "diagnosis.csv").exists()


def test_a_causal_calibration_is_cross_fitted_by_the_audit(tmp_path):
    ("Length is what this reward pays for; on the audit's own rewrites nothing of it is left, and RC-LWR "
     "takes off more than there was")
    a = audit(tmp_path, 300, design=Design(check=0))
    before, after, line = (e.get("rate", "ATE")
                           for e in (a.effects(), a.calibrate(CausalCalibrator()), a.calibrate(RCLWR())))
    assert (before.ci_low > .2
            and after.ci_low < .03
            and after.ci_high > -.03
            and abs(after.estimate) < .1*before.estimate)
    assert line.ci_high < -.2


def test_a_margin_that_hangs_on_one_original_is_said(tmp_path):
    "A reward of -999 where a reply could not be read: its tenth of a standard deviation holds any bias"
    texts = WORLD.examples(60, np.random.default_rng(4))
    odd = texts.response[0]
    def read(prompts, responses):
        return [-999. if r == odd else v for r, v in zip(responses, WORLD.reward(prompts, responses))]
    def run(name, reward):
        model = CallableReward(name, reward)
        return Audit(texts, "length", WORLD.rewriter, model, tmp_path / name).diagnose()
    said, usual = run("odd", read), run("usual", WORLD.reward)
    passed = replace(said, findings={"odd": [f for f in said.findings["odd"] if f.verdict == "passed"]})
    assert passed.headline().endswith("of the variance of the original rewards.")
    assert repr(texts.example_id[0]) in passed.headline() and usual.doubts == dict(usual="")


def test_rewards_that_do_not_vary_measure_no_margin(tmp_path):
    flat = CallableReward("flat", lambda prompts, texts: [1.]*len(texts))
    found = audit(tmp_path, 24, models=[flat], design=Design(check=0)).diagnose()
    assert found.verdict() == "inconclusive" and "do not vary within the arms" in found.headline()
    assert "fewer lost" not in found.table.needs.str.cat()


def test_what_would_not_matter_is_set_before_the_data(tmp_path):
    "A tenth of a standard deviation of the original rewards within arms, whatever the effect"
    a = audit(tmp_path)
    scored = a.score()
    arms = scored.drop_duplicates("example_id").groupby("w").reward_original
    pooled = np.sqrt(sum((g.count() - 1)*g.var() for _, g in arms)/(arms.count().sum() - 2))
    assert reward_margin(scored) == pytest.approx(.1*pooled)
    assert reward_margin(scored.assign(reward_rewrite=99.)) == reward_margin(scored)
    assert set(a.diagnose().parts.margin.round(9)) == {round(reward_margin(scored), 9)}
    # another margin is another audit, and needs another folder
    with pytest.raises(RunFolderError, match="margin"):
        audit(tmp_path, grading=Grading(margin=.2))
    for wrong in (dict(margin=0), dict(delta=-1), dict(itself="words", artefacts=["words"])):
        with pytest.raises(InputError):
            Grading(**wrong)


def shared(folder, each): # so many responses to a prompt
    texts = WORLD.examples(100, np.random.default_rng(4))
    texts["prompt_id"] = [f"p{i//each}" for i in range(100)]
    return Audit(texts, "length", WORLD.rewriter, WORLD.reward, folder, **RICH)


def test_a_plan_says_which_grade_its_design_can_reach(tmp_path):
    poor = audit(tmp_path / "a", 100).plan()
    assert poor.n_best is None and "add both=True, draws=2, review=40" in poor.notes[-1]
    rich = audit(tmp_path / "b", 100, **RICH)
    few, many = (rich.plan(noise=noise).n_best for noise in (.3, .6))
    assert 300 <= few < many and f"{many:,} examples" in rich.plan(noise=.6).notes[-1]
    pilot = rich.diagnose()
    by_pilot = rich.plan(pilot=pilot)
    assert by_pilot.n_best >= 300 and "pilot of 100 examples" in by_pilot.notes[-1]
    # a pilot with more prompts to as many responses: that many prompts are needed here
    prompts = rich.examples.prompt_id.nunique()
    many = shared(tmp_path / "c", 10).plan(pilot).n_best
    needed = pilot.n_needed(power=.9, assurance=.9)
    assert many >= .9*needed*10*prompts/100 > by_pilot.n_best
    with pytest.raises(InputError, match="`pilot` must be a Diagnosis"):
        rich.plan(pilot=7)
    with pytest.raises(InputError, match="`noise` must be 0 or more"):
        rich.plan(noise=-1)


def test_a_plan_counts_prompts_where_responses_share_them(tmp_path):
    single, tens = shared(tmp_path / "a", 1), shared(tmp_path / "b", 10)
    assert single.plan(noise=.6, icc=0.).n_best == single.plan(noise=.6, icc=.9).n_best
    n = [tens.plan(noise=.6, icc=icc).n_best for icc in (0., .1, 1.)]
    assert 1.3*n[0] < n[1] < 1.6*n[0] and n[2] > 4*n[0] # five or six of an arm to a prompt: 1 + 4.5·ICC
    note = tens.plan(noise=.6).notes[-1]
    assert f"{n[1]:,} examples of {-(-n[1]//10):,} prompts" in note and ".1 (declared)" in note
    assert "intraclass" not in single.plan(noise=.6).notes[-1]
    with pytest.raises(InputError, match="`icc` is an intraclass correlation"):
        tens.plan(icc=2)


def test_a_small_pilot_does_not_rule_out_the_best_grade(tmp_path):
    "Few flips that all succeeded may hide failures; one prompt in an arm says nothing of how many are needed"
    small = audit(tmp_path / "a", 24, **RICH)
    pilot = small.diagnose()
    compliance = next(f for f in pilot.findings[next(iter(pilot.findings))] if f.check == "compliance")
    assert compliance.verdict == "inconclusive" and any(p.fading > p.margin for p in compliance.parts)
    assert math.isfinite(pilot.n_needed()) and small.plan(pilot).n_best >= 300
    texts = WORLD.examples(24, np.random.default_rng(4))
    one = texts[(texts.w == 0) | (texts.example_id == texts.example_id[texts.w == 1].iloc[0])]
    lone = Audit(one, "length", WORLD.rewriter, WORLD.reward, tmp_path / "b", **RICH)
    pilot = lone.diagnose()
    assert math.isnan(pilot.n_needed()) and pilot.needs().what.str.contains("more prompts in each arm").any()
    assert "pilot cannot say" in lone.plan(pilot=pilot).notes[-1]


def test_a_plan_does_not_count_a_duplicate_as_evidence(tmp_path):
    texts = WORLD.examples(40, np.random.default_rng(5)).drop_duplicates(["prompt", "response"])
    five = pd.concat([texts.assign(example_id=texts.example_id + f".{i}") for i in range(5)])
    made = [Audit(t, "length", WORLD.rewriter, WORLD.reward, tmp_path / str(len(t)), **RICH)
            for t in (texts, five)]
    n = [a.plan(noise=.6, icc=0.).n_best for a in made]
    assert 4.5*n[0] < n[1] < 5.5*n[0]


def test_a_plan_prices_the_rewrites_that_further_checks_need(tmp_path):
    world = TextWorld("sentiment") # a state, which a third rewrite brings back
    def planned(folder, **options):
        examples = world.examples(50, np.random.default_rng(4))
        return Audit(examples, "sentiment", world.rewriter, world.reward, folder, **options).plan().steps
    steps = planned(tmp_path / "poor").set_index("step")
    assert steps["at most"][["optional: placebo and drift", "optional: third rewrite",
                             "optional: second draw"]].tolist() == [100, 50, 100]
    assert "both=True" in steps.loc["optional: placebo and drift", "of what"]
    full = planned(tmp_path / "full", both=True, depth=3, draws=2)
    assert not full.step.str.startswith("optional").any()


def test_texts_on_which_a_wording_was_tried_are_left_out(tmp_path):
    store, examples = Store(tmp_path / "s.sqlite"), WORLD.examples(60, np.random.default_rng(4))
    remember_used(examples.iloc[:7], store, "length", instruction_for("length"))
    make = lambda **o: Audit(examples, "length", WORLD.rewriter, WORLD.reward, store=store, **o)
    held = make(run_dir=tmp_path / "a")
    assert len(held.examples) == 53 and set(held.inputs.identity["left_out"]) == set(examples.example_id[:7])
    assert len(make(run_dir=tmp_path / "b", design=Design(exclude_tuned_examples=False)).examples) == 60
    held.effects()
    held.report()
    # looked at after the audit began
    remember_used(examples.iloc[20:30], store, "length", instruction_for("length"))
    assert (len(make(run_dir=tmp_path / "a").examples) == 53
            and len(make(run_dir=tmp_path / "c").examples) == 43)


# ---- the verdict needs a reader --------------------------------------------------------------------------

@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    "Kind → tables of a planted audit with little noise, its attribute, its marks, and an imperfect reader"
    made = {}
    def tables(name, **changes):
        key = name, *changes.items()
        if key not in made:
            kind = replace(KINDS[name], noise=.1, law=dict(choice=0) | KINDS[name].law,
                           paid=dict.fromkeys(PAID, 0.) | KINDS[name].paid, **changes)
            plan = Planted(kind, 120, 3)
            audit = plan.audit(tmp_path_factory.mktemp("calm"))
            made[key] = (audit.examples, audit.rewrite(), audit.score(), audit.attribute), plan.marks, {}
        return made[key]
    return tables


def reviewed(tables, k=40, **sensitivity):
    reader = Reader(3, sensitivity=sensitivity)
    found = review_rewrites(*tables, reader, coder=reader.code, k=k, planted=150)
    belong = found.tags.tag[found.tags.belongs.eq("attribute")] # which a person confirms
    return found.confirm(dict.fromkeys(belong, "attribute"))


def test_no_audit_passes_unread_and_a_healthy_one_passes_read(calm):
    tables, itself, kept = calm("plain")
    unread = diagnose(*tables, itself=itself, kept=kept)
    assert unread.verdict() == "inconclusive" and "were not read" in unread.headline()
    assert unread.needs().set_index("check").what["review"].startswith("review=40, ")
    priced = replace(unread, prices=dict(review=1.25))
    assert "about $1.25" in priced.headline() and priced.needs().dollars.tolist() == [1.25]
    read = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables))
    assert read.verdict() == "passed" and "read 40 pairs" in read.headline()
    bound = read.results["unseen", "reward"]
    assert str(bound) in read.headline() and bound.bound < bound.effect.ci_low
    # what a check allows for and what a reader may have missed: in the unit and the digits of the effect
    assert read.headline().startswith("Passed. You can report this number as the effect on rewritten")
    limits = re.search(r"(?s)effect by ([\d.]+) .* or more\..* the effect \(([\d.]+)\) by up to ([\d.]+): it "
                       r"would be between [\d.]+ and [\d.]+\.", read.headline())
    assert [len(n.partition(".")[2]) for n in limits.groups()] == [3]*3
    assert float(limits[1]) == round(read.points["reward"], 3)


def test_what_was_marked_is_said_beside_the_verdict_and_a_mark_of_everything_hides_nothing(calm):
    tables, itself, kept = calm("plain")
    read = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables))
    assert all(f"“{mark}”" in read.headline() for mark in itself[:3])
    assert read.headline().count("“Dear”. What they are worth counts as effect, not as bias.") == 1
    typo = diagnose(*tables, itself=["nosuchthing", *itself], review=reviewed(tables))
    assert "“nosuchthing”" not in typo.headline() # is worth nothing, and is named
    assert "No text or measure is called 'nosuchthing', which `itself` marks." in typo.headline()
    blanket = diagnose(*tables, itself=[*itself, re.compile(".+")], review=reviewed(tables))
    assert blanket.verdict() == "inconclusive" and "covers more than 75%" in blanket.headline()


def test_a_column_of_labels_never_gets_the_advice_to_take_more_examples(calm):
    (examples, rewrites, scored, attribute), itself, kept = calm("plain")
    column = make_attribute("greeting", "with it", "without it", label=dict(column="stars"))
    found = diagnose(examples, rewrites, scored, column, itself=itself)
    assert ": a label that reads any text" in found.headline()


def test_too_few_pairs_say_how_many_would_do(calm):
    tables, itself, kept = calm("plain", effect=.2)
    few = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables, k=8))
    assert few.verdict() == "inconclusive"
    pairs = int(re.search(r"review=(\d+)", few.headline())[1])
    bound = few.results["unseen", "reward"]
    assert bound.with_pairs(pairs) < bound.effect.ci_low <= bound.with_pairs(pairs - 1)
    enough = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables, k=min(pairs + 20, 60)))
    assert enough.results["unseen", "reward"].bound < bound.bound


def test_a_reader_who_notices_nothing_planted_bounds_nothing(calm):
    tables, itself, kept = calm("plain")
    blind = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables, **dict.fromkeys(
        ("sentence", "word", "mark", "layout", "order", "case", "number"), 0.)))
    assert blind.verdict() == "inconclusive" and "a reader who notices planted changes" in blind.headline()


def test_no_effect_is_claimed_with_margin_and_bound_together(calm):
    tables, itself, kept = calm("no effect")
    found = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables))
    bound, margin = found.results["unseen", "reward"].bound, found.points["reward"]
    assert found.verdict() == "passed" and f"smaller than {bound + margin:.3f}" in found.headline()


def test_what_a_reader_notices_and_the_reward_pays_for_keeps_an_audit_from_passing(calm):
    tables, itself, kept = calm("closing to 1", attribute="greeting")
    found = diagnose(*tables, itself=itself, kept=kept, review=reviewed(tables))
    said = next(f for f in found.findings["reward"] if f.check == "review")
    assert said.verdict != "passed" and found.verdict() != "passed"
    assert any("best of luck" in p.name and p.p_inside > .05 for p in said.parts)


def test_margins_are_numbers_above_0_and_a_large_one_is_said(calm):
    tables, itself, kept = calm("plain")
    for wrong in (0, -1, math.nan, True, None):
        with pytest.raises(InputError, match="`margin` must be a number above 0"):
            diagnose(*tables, itself=itself, kept=kept, margin=wrong)
    usual = diagnose(*tables, itself=itself, kept=kept)
    assert "larger than the effect" not in usual.headline()
    effect = usual.results["required strength", "reward"].effect
    points = (effect.estimate + effect.std_error/2)/usual.points["reward"]
    wide = diagnose(*tables, itself=itself, kept=kept, margin=.1*points) # not shown to be smaller, either
    assert "larger than the effect" in wide.headline()


def test_a_review_is_of_one_reward(calm):
    tables, itself, kept = calm("plain")
    review = reviewed(tables)
    examples, rewrites, scored, attribute = tables
    two = pd.concat([scored, scored.assign(model="other")])
    with pytest.raises(InputError, match="dict model → Review"):
        diagnose(examples, rewrites, two, attribute, itself=itself, review=review)
    with pytest.raises(InputError, match="names 'taste'"):
        diagnose(*tables, itself=itself, review=dict(taste=review))
    found = diagnose(examples, rewrites, two, attribute, itself=itself, kept=kept, review=dict(reward=review))
    assert found.verdict("reward") == "passed" and "were not read" in found.headline("other")


def test_rewrites_that_leave_nothing_to_tell_interactions_from_are_diagnosed(tmp_path):
    "Every text ends the same, or is cut to its first words: what rewriting changed does not vary"
    texts = pd.DataFrame([dict(prompt_id=i, prompt=f"Of house {i}?", response=f"House {i} has "
                               f"{'a garden and '*(3*(i % 2))}a door that is {5 + i} years old.")
                          for i in range(24)])
    ends = lambda prompt, text, target: text + " It went on like this."*2 if target else text[:40]
    reward = CallableReward("characters", lambda p, responses: [len(r)/100 for r in responses], key="1")
    made = Audit(load_examples(texts), "length", ends, reward, tmp_path, design=Design(check=0)).diagnose()
    said = made.table.set_index("check")
    assert said.verdict["additivity"] in ("inconclusive", "failed") and len(made._repr_markdown_())


def test_a_rewriter_that_keeps_by_doing_nothing_leaves_the_placebo_unrun_and_says_why(tmp_path):
    world = TextWorld("length")
    idle = FunctionRewriter(world.rewriter, "idle", keep=lambda prompt, text: text)
    diagnosis = Audit(world.examples(60, np.random.default_rng(0)), "length", idle,
                      CallableReward("taste", Taste(), key="1"), tmp_path, both=True,
                      design=Design(check=0)).diagnose()
    said = next(f for f in diagnosis.findings["taste"] if f.check == "same-target placebo")
    assert said.verdict == "inconclusive" and "came back from the rewriter as it was" in said.finding
    assert "temperature above 0" in diagnosis.headline()


def test_the_advice_on_a_placebo_says_what_to_type(tmp_path):
    "Open: how many examples; failed: what it means; in words of the command where that is how it was run"
    run = dict(examples="demo", rewriter="sandbox", reward="demo")
    for n, drift, verdict, has in ((24, 0., "inconclusive", r"\(--n \d+; these are 24\), .*--draws 2"),
                                   (200, .6, "failed", "`--instruction`")):
        world = TextWorld("sentiment", drift=drift)
        found = Audit(world.examples(n, np.random.default_rng(4)), "sentiment", world.rewriter, world.reward,
                      tmp_path/verdict, both=True, depth=3).diagnose()
        for check in ("same-target placebo", "drift with depth"):
            told = advised(found, run).findings[next(iter(found.findings))]
            one = next(f for f in told if f.check == check)
            assert one.verdict == verdict and "contrast" not in one.advice
            assert re.search(has, one.advice), one.advice
            starts = "Not clear yet" if n == 24 else ("A part of the effect", "Each further")
            assert one.advice.startswith(starts)


def test_a_reader_who_was_tried_on_few_planted_changes_is_tried_on_more(calm):
    tables, itself, kept = calm("plain")
    reader = Reader(3)
    few = review_rewrites(*tables, reader, coder=reader.code, k=40, planted=3)
    belong = few.tags.tag[few.tags.belongs.eq("attribute")]
    read = diagnose(*tables, itself=itself, kept=kept, review=few.confirm(dict.fromkeys(belong, "attribute")))
    said = read.needs().set_index("check").what["review"]
    assert said.startswith("planted=96") and "prompts" not in said


def test_examples_are_advised_only_where_they_can_close_a_check():
    outside = Part("order", .04, .002, 900, .02, can_fail=False)
    n, said = enough_examples([outside], 600)
    assert math.isnan(n) and said == "no number of examples while “order” stays outside of the margin"
    inside = replace(outside, estimate=.012, std_error=.006) # 600 would do if it were 0
    n, said = enough_examples([outside, inside][1:], 600)
    estimates = np.random.default_rng(0).normal(.012, .006*math.sqrt(600/n), 4000)
    closed = [replace(inside, estimate=e, std_error=.006*math.sqrt(600/n)).p_inside <= .05 for e in estimates]
    assert 1200 < n < 6000 and said == f"{n:,} examples in all" and abs(np.mean(closed) - .9) < .02
