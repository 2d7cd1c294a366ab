"Whether an audit can be believed: the collected checks, and how an audit uses them."
import numpy as np
import pytest
from rate_nb.diagnostics.diagnosis import negligible
from rate_nb.data.attributes import get_attribute
from rate_nb.audit.audit import Audit
from rate_nb.calibration.calibrators import RCLWR
from rate_nb.calibration.causal import CausalCalibrator
from rate_nb.base.core import InputError
from rate_nb.theory.text_world import read_draft
from rate_nb.rewriting.instructions import instruction_for
from rate_nb.rewriting.instructions import flag, remember_used
from rate_nb.rewriting.chains import FunctionRewriter
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.base.store import Store
from rate_nb.theory.text_world import TextWorld

WORLD = TextWorld("length")


def audit(folder, n=120, rewriter=None, models=None, **options):
    return Audit(WORLD.examples(n, np.random.default_rng(4)), "length", rewriter or WORLD.rewriter,
                 models or WORLD.reward, folder, **options)


def test_one_of_two_models_may_be_believed_and_the_other_not(tmp_path):
    "A reward that minds typos only where a text is long breaks additivity; the taste beside it does not"
    def uneven(prompts, responses):
        return [(1 - .6*d.surface.typos) * any(d.elaborations) for d in map(read_draft, responses)]

    found = audit(tmp_path, 300,
                  models=[CallableReward("taste", WORLD.reward), CallableReward("uneven", uneven)]).diagnose()
    assert found.believable("taste") == "yes" and found.believable("uneven") in ("no", "with care")
    with pytest.raises(InputError, match="name one of"):
        found.believable()
    assert set(found.table.model) == {"", "taste", "uneven"} and ("additivity", "uneven") in found.results
    assert "taste: This audit can be believed" in found._repr_markdown_()


def test_without_labels_of_the_rewrites_nothing_is_called_believable(tmp_path):
    "An attribute without a rule: compliance is unknown, so is the answer"
    from dataclasses import replace
    examples = WORLD.examples(60, np.random.default_rng(4))
    mute = replace(get_attribute("length"), name="presence", label=None, complies=None)
    found = Audit(examples, mute, WORLD.rewriter, WORLD.reward, tmp_path).diagnose()
    assert found.believable() != "yes"
    row = found.table[found.table.check == "compliance"].iloc[0]
    assert row.verdict == "cannot tell" and "Not run" in row.finding


def test_a_calibrated_reward_is_diagnosed_on_the_same_rewrites(tmp_path):
    a = audit(tmp_path)
    before = a.diagnose()
    paid = a.paid()
    after = a.diagnose(calibrator=RCLWR())
    assert (a.paid() == paid
            and after.table[after.table.check == "attrition"].model.str.contains("RC-LWR").all())
    assert before.table.equals(a.diagnose().table) and (tmp_path / "diagnosis.csv").exists()


def test_a_causal_calibration_is_cross_fitted_by_the_audit(tmp_path):
    ("Length is what this reward pays for; on the audit's own rewrites nothing of it is left, and RC-LWR "
     "takes off more than there was")
    a = audit(tmp_path, 300, check=0)
    before, after, line = (e.get("rate", "ATE")
                           for e in (a.effects(), a.calibrate(CausalCalibrator()), a.calibrate(RCLWR())))
    assert (before.ci_low > .2
            and after.ci_low < .03
            and after.ci_high > -.03
            and abs(after.estimate) < .1*before.estimate)
    assert line.ci_high < -.2


def test_what_would_not_matter_follows_the_effect_and_has_a_floor(tmp_path):
    scored = audit(tmp_path).score()
    sd = scored.reward_original.std()
    assert negligible(scored.assign(reward_rewrite=scored.reward_rewrite_of_rewrite),
                      "Taste") == pytest.approx(.05*sd)
    assert negligible(scored.assign(reward_rewrite=0.,
                                    reward_rewrite_of_rewrite=np.where(scored.w == 1, 5., -5.)),
                      "Taste") == pytest.approx(1.)


def test_a_plan_prices_the_rewrites_that_further_checks_need(tmp_path):
    steps = audit(tmp_path, 50).plan().steps.set_index("step")
    assert (steps.loc["optional: placebo and drift", "at most"] == 100
            and steps.loc["optional: third rewrite", "at most"] == 50)
    assert "both=True" in steps.loc["optional: placebo and drift", "of what"]
    full = audit(tmp_path / "full", 50, both=True, depth=3).plan().steps
    assert not full.step.str.startswith("optional").any()


def test_texts_on_which_a_wording_was_tried_are_left_out(tmp_path):
    store, examples = Store(tmp_path / "s.sqlite"), WORLD.examples(60, np.random.default_rng(4))
    remember_used(examples.iloc[:7], store, "length", instruction_for("length"))
    make = lambda **o: Audit(examples, "length", WORLD.rewriter, WORLD.reward, store=store, **o)
    held = make(run_dir=tmp_path / "a")
    assert len(held.examples) == 53 and set(held.identity["left_out"]) == set(examples.example_id[:7])
    assert len(make(run_dir=tmp_path / "b", exclude_tuned_examples=False).examples) == 60
    held.effects()
    held.report()
    # looked at after the audit began
    remember_used(examples.iloc[20:30], store, "length", instruction_for("length"))
    assert (len(make(run_dir=tmp_path / "a").examples) == 53
            and len(make(run_dir=tmp_path / "c").examples) == 43)


def test_a_flagged_rewrite_leaves_the_audit_and_is_counted(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    rewriter = FunctionRewriter(WORLD.rewriter, "world-1", store=store)
    first = audit(tmp_path / "a", 60, rewriter, store=store)
    rewrites = first.rewrite()
    bad = rewrites[rewrites.depth == 1].iloc[3]
    flag(store, bad.key, "adds a claim")
    second = audit(tmp_path / "b", 60, rewriter, store=store)
    assert (second.rewrite().query("example_id == @bad.example_id").status == "flagged").all()
    e = second.effects().get("rate", "ATE")
    assert e.n_missing_treated + e.n_missing_untreated == 1 and "flagged" in second.report().read_text()


def test_an_audit_takes_what_the_prompt_lab_hands_on(tmp_path):
    "The choice of a PromptLab is a plain dict; its instruction is text"
    choice = dict(attribute="length", instruction="Make this {W}, and nothing else.",
                  store=str(tmp_path / "s.sqlite"))
    a = Audit(WORLD.examples(20, np.random.default_rng(4)), rewriter=WORLD.rewriter,
              reward_models=WORLD.reward, run_dir=tmp_path / "a", **choice)
    assert a.rewrite().instruction_id.nunique() == 1
    assert set(a.rewrite().instruction_id) != set(audit(tmp_path / "b", 20).rewrite().instruction_id)
