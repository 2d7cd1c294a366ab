"The labs without a browser: state, errors, stopping, what the audit makes of flags and used examples."
import json, subprocess, sys, time
import numpy as np
import pandas as pd
import pytest
import browser
from conftest import ROOT
from rate_nb.audit import Audit
from rate_nb.core import InputError, RateError
from rate_nb.diff import diff_html, word_diff
from rate_nb.frame import Job, kit
from rate_nb.instruction_trials import Attempt, choice, estimate_run, pick_examples, try_instruction
from rate_nb.instructions import instruction_for
from rate_nb.iteration import flag, flagged, flags, get_version, held_out, remember_used, save_version, saved_versions, unflag
from rate_nb.openai_engine import OpenAIRewriter
from rate_nb.rewriting import FunctionRewriter, double_rewrite
from rate_nb.sandbox import Sandbox
from rate_nb.store import Store
from rate_nb.widgets import AssumptionLab, CalibrationLab, PromptLab
from rate_nb.worlds import TextWorld

WORLD = TextWorld("length")
EXAMPLES = WORLD.examples(80, np.random.default_rng(0))
BAD = "<img src=x onerror=alert(1)></script><script>alert(1)</script>$$\\href{javascript:alert(1)}{x}$$"


def test_a_person_may_come_back_another_day(tmp_path):
    "Version, flag and used examples are in the file: another process finds them, and so does the audit"
    store = Store(tmp_path / "s.sqlite")
    rewriter = FunctionRewriter(WORLD.rewriter, "world-1", store)
    lab = PromptLab(EXAMPLES, "length", rewriter, WORLD.reward, state=dict(k=6, instruction="Make it {W}."))
    lab.rewrite(); lab.wait()
    lab.reason.value, lab.note.value = "lost the point", "short"
    lab.flag_shown(); version = lab.save_version()
    code = ("import sys; from rate_nb.iteration import *; from rate_nb.store import Store; s = Store(sys.argv[1]);"
            "print(saved_versions(s).index.tolist(), [v['reason'] for v in flags(s).values()], len(s.records('used')))")
    said = subprocess.run([sys.executable, "-c", code, str(store.path)], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said.strip() == f"['{version}'] ['lost the point'] 6"
    seen = lab.trial.examples.example_id
    assert set(held_out(EXAMPLES, store, "length").example_id) == set(EXAMPLES.example_id) - set(seen)
    rewrites = flagged(double_rewrite(EXAMPLES, "length", rewriter, instruction=get_version(store, version)), store)
    assert rewrites[rewrites.example_id == seen.iloc[0]].status.tolist() == ["flagged", "flagged"] and (rewrites.status == "flagged").sum() == 2


def test_the_audit_leaves_out_what_was_looked_at(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    rewriter = FunctionRewriter(WORLD.rewriter, "world-1", store)
    remember_used(EXAMPLES[:10], store, "length", instruction_for("length"))
    made = double_rewrite(EXAMPLES[10:12], "length", rewriter)
    flag(store, made.key[0], "garbled")
    audit = Audit(EXAMPLES, "length", rewriter, WORLD.reward, tmp_path / "run", store=store, check=0)
    assert len(audit.examples) == 70 and (audit.rewrite().status == "flagged").sum() == 2 
    rate = audit.effects().table.query("estimator == 'rate' and estimand == 'ATE'").iloc[0]
    assert rate.n_missing_treated + rate.n_missing_untreated == 1
    whole = Audit(EXAMPLES, "length", rewriter, WORLD.reward, tmp_path / "all", store=store, check=0, held_out=False)
    assert len(whole.examples) == 80


def test_the_choice_is_what_an_audit_accepts(tmp_path):
    from rate_nb.batch import check_parameters, run_notebooks
    store = Store(tmp_path / "s.sqlite")
    given = choice("length", instruction_for("length", template="Make it {W}."), store)
    assert json.loads(json.dumps(given)) == given and check_parameters(run_notebooks()["audit"], given) == given


def test_stop_keeps_what_has_arrived_and_asks_for_no_more(tmp_path):
    with Sandbox(latency=.05) as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite", api_key=lambda: "none", max_concurrency=4)
        lab = PromptLab(EXAMPLES, "length", rewriter, state=dict(k=80))
        began = time.monotonic(); lab.go.click(); returned = time.monotonic() - began
        with pytest.raises(RateError, match="still running"): lab.job.start(_nothing())
        while rewriter.calls < 8: time.sleep(.01)
        lab.halt.click(); lab.wait()
        asked = box.requests
        time.sleep(.3)
        assert returned < 1.5 and box.requests == asked < 160 and "stopped" in lab.status.value and not lab.job.running
        kept = rewriter.store.counts()["rewrite"]
        lab.go.click(); lab.wait()                                                           # and goes on where it was
        assert lab.trial.complete and rewriter.store.counts()["rewrite"] == 160 >= kept + 1 and box.requests <= 160 + 4


async def _nothing(): pass


def test_a_broken_endpoint_shows_in_the_lab(tmp_path):
    lab = PromptLab(EXAMPLES, "length", OpenAIRewriter("m", "http://127.0.0.1:9/v1", store=tmp_path / "s.sqlite", api_key=lambda: "none", max_retries=0), state=dict(k=2))
    lab.go.click(); lab.wait()
    assert isinstance(lab.error, RateError) and "127.0.0.1:9" in lab.trouble.value and not lab.go.disabled and lab.halt.disabled


def test_a_reward_model_that_fails_shows_in_the_lab(tmp_path):
    def broken(prompts, responses): raise RuntimeError(BAD)
    lab = PromptLab(EXAMPLES, "length", FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite"), broken, state=dict(k=2))
    lab.go.click(); lab.wait()
    assert "<img" not in lab.trouble.value + lab.texts.value + lab.glance.value and lab.texts.value.count("<section") == 3 and not lab.job.running


def test_state_is_plain_and_opens_the_same_lab(tmp_path):
    rewriter = FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite")
    lab = PromptLab(EXAMPLES, "length", rewriter, state=dict(k=4, seed=3, pick="both arms", shown=2, against="rewrite"))
    state = json.loads(json.dumps(lab.state))
    again = PromptLab(EXAMPLES, "length", rewriter, state=state)
    assert again.state == state and state["shown"] == 2 and again.texts.value == lab.texts.value
    with pytest.raises(InputError, match="no place for"): PromptLab(EXAMPLES, "length", rewriter, state=dict(many=4))


@pytest.mark.parametrize("change, words", [(dict(text="no place"), "must contain {W}"), (dict(pick="flagged"), "flagged yet")])
def test_errors_stand_in_the_lab_and_go_away(tmp_path, change, words):
    lab = PromptLab(EXAMPLES, "length", FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite"))
    [(name, value)] = change.items()
    control = getattr(lab, name); good, control.value = control.value, value
    assert words in lab.trouble.value and 'role="alert"' in lab.trouble.value
    control.value = good
    assert lab.trouble.value == "" and lab.error is None
    lab.which.value = 1; lab.flag_it.click()
    assert "press Rewrite first" in lab.trouble.value


def test_two_labs_share_their_flags(tmp_path):
    rewriter = FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite")
    one, two = (PromptLab(EXAMPLES, "length", rewriter, state=dict(k=2)) for _ in range(2))
    one.rewrite(); one.wait(); two.look()
    one.reason.value = "garbled"; one.flag_shown(); two.show()
    assert "flagged: garbled" in two.texts.value
    two.unflag_shown(); one.show()
    assert "flagged" not in one.texts.value and not flags(rewriter.store)


def test_ten_thousand_examples_take_the_kernel_no_longer(tmp_path):
    rewriter = FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite")
    many = pd.concat([EXAMPLES.assign(example_id=EXAMPLES.example_id + f"-{k}", response=EXAMPLES.response + f" {k}.") for k in range(125)], ignore_index=True)
    def spent(examples):
        began = time.process_time(); lab = PromptLab(examples, "length", rewriter, state=dict(k=5)); lab.show_plan(); lab.step(1)
        return time.process_time() - began
    spent(EXAMPLES), spent(many)
    few, lots = (min(spent(e) for _ in range(5)) for e in (EXAMPLES, many))
    assert lots < 2.5 * few + .05, (few, lots)                                               # the browser test holds the whole of it to 1.5


@pytest.mark.parametrize("how", ["random", "both arms", "treated", "untreated", "longest"])
def test_picks_are_repeatable_and_from_the_table(how):
    a, b = (pick_examples(EXAMPLES, how, 7, seed=5) for _ in range(2))
    assert a.example_id.tolist() == b.example_id.tolist() and a.example_id.isin(EXAMPLES.example_id).all() and a.example_id.is_unique and len(a) == 7


def test_an_unlabelled_example_is_not_applicable_and_breaks_nothing(tmp_path):
    some = EXAMPLES[:3].assign(w=pd.array([1, None, 0], dtype="Int64"), w_source="people")
    trial = try_instruction(some, "length", WORLD.rewriter, reward_model=WORLD.reward)
    assert trial.counts()["statuses"] == {"ok": 4, "not_applicable": 2} and trial.glance().notna().all().all() and "not_applicable" in trial._repr_html_()


def test_hostile_fields_are_escaped_everywhere(tmp_path):
    examples = pd.DataFrame(dict(example_id=[BAD, BAD + "2"], prompt_id=BAD, prompt=BAD, response=[BAD + " one", BAD + " two and more"], w=[0, 1]))
    lab = PromptLab(examples, "length", lambda p, t, w: t + BAD if w else t[:-4], store=tmp_path / "s.sqlite", state=dict(instruction=BAD + "{W}", k=2))
    lab.note.value = BAD; version = lab.save_version(); lab.compare.value = version
    lab.rewrite(); lab.wait(); lab.reason.value = BAD; lab.flag_shown(); lab.use_instruction(); lab.say(ValueError(BAD))
    pages = [w.value for w in (lab.plan, lab.glance, lab.beside, lab.prompt, lab.texts, lab.status, lab.chosen, lab.trouble)] + [lab.trial._repr_html_()]
    assert not any("<img" in p or "<script" in p for p in pages) and sum("&lt;img" in p for p in pages) >= 5


def test_dials_report_errors_and_keep_the_last_result():
    table = pd.DataFrame(dict(length=np.arange(60.), reward=np.arange(60.) ** .5, note="text"))
    lab = CalibrationLab(table).wait()
    shown = lab.chart.value
    lab.table = table.drop(columns="reward"); lab.gamma.value = .5; lab.wait()
    assert isinstance(lab.error, InputError) and "no column" in lab.trouble.value and lab.chart.value == shown
    with pytest.raises(InputError, match="no numeric column"): CalibrationLab(table[["reward", "note"]])
    with pytest.raises(KeyError): AssumptionLab().wait().set(dict(colour=1))


def test_chromium_is_required_in_ci_and_optional_elsewhere(monkeypatch):
    monkeypatch.setattr(browser, "CHROMIUM", None)
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="CI must have Chromium"): browser.needs_chromium()
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="needs Chromium"): browser.needs_chromium()
