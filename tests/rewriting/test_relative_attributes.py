("Relative attributes: a request to keep, chains that keep first, a placebo and a compliance rate that do "
 "not mistake a step for an artefact. The simulations count tokens and share nothing with the package.")
import asyncio
from dataclasses import replace
from random import Random
import numpy as np
import pandas as pd
import pytest
from sampling import possible, repeats
from rate_nb.base.core import InputError, content_key
from rate_nb.base.store import Store
from rate_nb.data.attributes import ATTRIBUTES, Attribute
from rate_nb.diagnostics.compliance_rates import compliance, label_rewrites, wald_effects
from rate_nb.diagnostics.diagnosis import diagnose
from rate_nb.diagnostics.placebo_tests import drift, placebo
from rate_nb.llm.calls import Reply
from rate_nb.rewriting.chains import FunctionRewriter, double_rewrite
from rate_nb.rewriting.instructions import (Instruction, get_version, instruction_for,
                                            save_version, saved_versions)
from rate_nb.rewriting.planning import plan_rewriting
from rate_nb.scoring.rewards import score_rewrites, to_scored

LENGTH = ATTRIBUTES["length"]


def shopping(n, rng):
    "Lists of things to buy: long ones have more"
    many = rng.integers(6, 30, n)
    return pd.DataFrame(dict(example_id=[f"list {i}" for i in range(n)],
                             prompt_id=[f"shop {i//2}" for i in range(n)], prompt="What do we need?",
                             w=(many > 17).astype(int), response=[_list(i, m) for i, m in enumerate(many)]))


def _list(shopper, things):
    return ", ".join(f"item{shopper}x{k}" for k in range(things))


class Clerk:
    "Adds two things, drops two, or copies; signs a share of its lists; `creep` tips more at each pass"
    def __init__(self, creep=0, signs=.5, seed=0):
        self.creep, self.signs, self.seed = creep, signs, seed

    def _hand_back(self, things, tips, salt):
        signed = Random(f"{self.seed}|{salt}|{tips}|{things}").random() < self.signs
        return ", ".join(things) + " +tip"*(tips + self.creep) + (" /clerk" if signed else "")

    def _read(self, text):
        tips = text.count(" +tip")
        return text.replace(" +tip", "").removesuffix(" /clerk").split(", "), tips

    def change(self, prompt, text, target, draw):
        things, tips = self._read(text)
        grown = [*things, f"extra{len(things)}", f"more{len(things)}"]
        return self._hand_back(grown if target else things[:max(len(things) - 2, 1)], tips, f"{draw}{target}")

    def copy(self, prompt, text, draw):
        things, tips = self._read(text)
        return self._hand_back(things, tips, f"{draw}copy")


def pay(prompts, responses):
    return [.15*r.count(",") + .6*r.endswith("/clerk") + .5*r.count("+tip") for r in responses]


def audited(clerk, n=240, attribute="length", seed=1, draws=2, **kw):
    examples = shopping(n, np.random.default_rng(seed))
    rewriter = FunctionRewriter(clerk.change, "clerk", keep=clerk.copy)
    rewrites = double_rewrite(examples, attribute, rewriter, both=True, draws=draws, **kw)
    rewards = score_rewrites(examples, rewrites, pay, progress=False)
    return examples, rewrites, to_scored(examples, rewrites, rewards)


def test_what_is_stored_today_keeps_its_name():
    "The words that keep are no part of an instruction's id: `Instruction` hashes as it did without them"
    for name, a in ATTRIBUTES.items():
        told = instruction_for(name)
        old = dict(template=told.template, treated=a.treated, untreated=a.untreated, show_prompt=False,
                   system=told.system, examples=())
        assert told.id == content_key(**old)[:12] and told.keep == a.keep
    kept = instruction_for("length").keeping
    assert kept.id != instruction_for("length").id and kept.keeping.request(None) != kept.request(None)


def test_versions_saved_before_there_was_anything_to_keep_are_still_read(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    new = instruction_for("length", template="Make it {W}.")
    old = Instruction("Make it {W}, please.", "longer", "shorter")
    save_version(store, new, "length")
    save_version(store, old, "length")
    record = store.records("version")[old.id]
    del record["keep"]
    store.put_records("version", {old.id: record})
    assert get_version(store, old.id) == old and get_version(store, new.id) == new
    assert saved_versions(store).keep.tolist() == ["as long as it is now", ""]


def test_chains_of_a_relative_attribute_keep_first():
    "keep(y), then one step to 1-w, then one back; the rows' targets say so, and scoring finds the columns"
    examples, rewrites, scored = audited(Clerk(signs=0), n=20, draws=1, depth=3)
    w = rewrites.example_id.map(examples.set_index("example_id").w)
    second = rewrites[rewrites.target_w == w.where(rewrites.depth % 2 == 1, 1 - w)]
    second = second.set_index(["example_id", "depth"])
    size = lambda text: text.count(",")
    for e, text, side in examples[["example_id", "response", "w"]].itertuples(index=False):
        step = 2 if not side else -2
        assert second.text[e, 1] == text
        assert [size(second.text[e, d]) - size(text) for d in (2, 3)] == [step, 0]
    assert scored.reward_same_target.notna().all() and scored.reward_same_target_depth_2.notna().all()


class Remote:
    "An asynchronous rewriter that only knows the conversation"
    settings, store, max_concurrency = dict(model="remote"), None, 4
    def __init__(self, store=None): self.store, self.heard = store, []

    async def rewrite(self, request):
        await asyncio.sleep(0)
        said = request.instruction.messages(request.prompt, request.text, request.target)[-1]["content"]
        self.heard.append((request.target, "as long as" in said, "longer" in said, "shorter" in said))
        return Reply(request.text + ".", "stop", "remote")


def test_models_are_told_to_keep_and_nothing_is_asked_twice(tmp_path):
    examples = shopping(6, np.random.default_rng(0))
    remote = Remote(Store(tmp_path/"store.sqlite"))
    plan = plan_rewriting(examples, "length", remote, both=True)
    assert plan.calls == 24
    assert any("as long as it is now" in note and "as many calls" in note for note in plan.notes)
    double_rewrite(examples, "length", remote, both=True)
    assert len(remote.heard) == 24 and sum(h == (None, True, False, False) for h in remote.heard) == 6
    assert sum(h[0] is None for h in remote.heard) == sum(h[1] for h in remote.heard) == 6
    again = double_rewrite(examples, "length", remote, both=True)
    assert again.cached.all() and len(remote.heard) == 24 and not plan_rewriting(examples, "length", remote,
                                                                                 both=True).calls
    # other words to keep by: only what keeps, and what follows from it, is asked again
    other = replace(LENGTH, keep="no longer and no shorter than it is")
    assert plan_rewriting(examples, other, remote, both=True).calls == 6 + 6
    assert double_rewrite(examples, other, remote, both=True).cached.sum() >= 12


def test_a_function_that_cannot_keep_has_no_placebo():
    examples = shopping(10, np.random.default_rng(0))
    clerk = Clerk()
    unable = FunctionRewriter(clerk.change, "clerk")
    rewrites = double_rewrite(examples, "length", unable, both=True)
    w = rewrites.example_id.map(examples.set_index("example_id").w)
    second = rewrites.target_w == w.where(rewrites.depth == 1, 1 - w)
    assert (rewrites.status[second] == "not_applicable").all() and (rewrites.status[~second] == "ok").all()
    assert unable.calls == 20
    plan = plan_rewriting(examples, "length", unable, both=True)
    assert plan.calls == 20 and any("not available" in note and "keep=g" in note for note in plan.notes)
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, pay, progress=False))
    with pytest.raises(InputError, match="keep=g"):
        placebo(scored, "length")

@pytest.mark.slow
def test_a_diagnosis_says_what_would_bring_the_placebo():
    "and looks for no drift in a third rewrite, which would be another step"
    examples = shopping(40, np.random.default_rng(0))
    clerk = Clerk()
    for rewriter, verdict in ((FunctionRewriter(clerk.change, "clerk"), "a rewriter that can also leave the"),
                              (FunctionRewriter(clerk.change, "clerk", keep=clerk.copy), "")):
        rewrites = double_rewrite(examples, "length", rewriter, both=True, depth=3)
        scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, pay, progress=False))
        found = diagnose(examples, rewrites, scored, "length").table.set_index("check")
        assert verdict in found.needs["same-target placebo"] and "drift with depth" not in found.index


def test_a_healthy_relative_attribute_passes_and_drift_does_not():
    "As a state its steps look like artefacts; as a step they are none; what piles up at each pass is found"
    said = {}
    for name, clerk in (("healthy", Clerk()), ("creeping", Clerk(creep=1))):
        _, _, scored = audited(clerk)
        said[name] = placebo(scored, "length").finding().verdict
    assert said == {"healthy": "passed", "creeping": "failed"}
    # as if "longer" were a state
    state = replace(LENGTH, keep="")
    assert placebo(audited(Clerk(), attribute=state)[2], state).finding().verdict == "failed"
    with pytest.raises(InputError, match="another step"):
        drift(scored, "length")


def test_a_response_that_came_back_word_for_word_is_no_placebo():
    "Nothing was rewritten once more, so nothing was tested"
    examples = shopping(20, np.random.default_rng(0))
    clerk = Clerk(creep=1)
    idle = FunctionRewriter(clerk.change, "clerk", keep=lambda prompt, text: text)
    rewrites = double_rewrite(examples, "length", idle, both=True)
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, pay, progress=False))
    assert scored.reward_same_target_depth_2.notna().all()
    with pytest.raises(InputError, match="reward_same_target_depth_2"):
        placebo(scored, "length")


def test_compliance_is_a_change_and_its_size_is_told():
    examples, rewrites, scored = audited(Clerk(), n=100)
    found = compliance(examples, rewrites, "length")
    assert (found.first_stage.compliance[found.first_stage.estimator == "rate"] == 1).all()
    own = found.table.set_index(["rewrite", "w"])
    labelled = label_rewrites(examples, rewrites, "length")
    back = labelled[labelled.depth == 2].merge(examples[["example_id", "w"]])
    back = back[(back.target_w == back.w) & (back.w == 1)]
    assert own.moved["rewrite_of_rewrite", 1] == pytest.approx(back.moved.mean())
    assert own.moved["rewrite_of_rewrite", 1] > .05 > -.05 > own.moved["rewrite_of_rewrite", 0]
    assert np.isnan(own.share["same_target", 1]) and np.isnan(own.share["same_target", 0])
    said = wald_effects(scored, found).finding()
    assert said.verdict == "passed" and "One step moved the attribute by: ATT +" in said.finding
    # half the steps are not taken, whichever way they were to go
    lazy = Clerk(signs=0)
    def half(prompt, text, target, draw):
        idle = Random(f"{text}|{target}").random() < .5
        return lazy.copy(prompt, text, draw) if idle else lazy.change(prompt, text, target, draw)
    rewrites = double_rewrite(examples, "length", FunctionRewriter(half, "half", keep=lazy.copy), both=True)
    some = compliance(examples, rewrites, "length").first_stage
    assert some.compliance[some.estimator == "rate"].between(.3, .7).all()


def test_an_attribute_of_your_own_can_be_relative():
    with pytest.raises(InputError, match="leaves the attribute alone"):
        Attribute("zeal", "keener", "calmer", "Make it {W}.", keep="calmer")
    zeal = Attribute("zeal", "keener", "calmer", "Make it {W}.", keep="as keen as it is")
    told = instruction_for(zeal)
    assert told.keeping.request(None) == "Make it as keen as it is." and told.request(1) == "Make it keener."
    assert [name for name, a in ATTRIBUTES.items() if a.keep] == ["length"]


@pytest.mark.slow
def test_false_alarms_and_power_of_the_relative_placebo():
    n = repeats(12, 40)
    said = {creep: [placebo(audited(Clerk(creep, seed=s), n=240, seed=s)[2], "length").finding().verdict
                    for s in range(n)] for creep in (0, 1)}
    assert possible(said[0].count("failed"), n, 0, .01), said[0]
    assert possible(said[0].count("passed"), n, .88), said[0]
    assert possible(said[1].count("failed"), n, .99)
