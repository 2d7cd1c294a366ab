"The labs without a browser: state, errors, stopping, what the audit makes of flags and used examples."
import json, subprocess, sys, time
import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from rate_nb.audit import Audit, Design
from rate_nb.base.core import InputError, RateError
from rate_nb.views.explorer import diff_html
from rate_nb.widgets.trials import choice, try_instruction
from rate_nb.rewriting.instructions import instruction_for
from rate_nb.rewriting.instructions import (
    flag, flagged, flags, get_version, exclude_tuned_examples, remember_used)
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import double_rewrite, FunctionRewriter
from rate_nb.rewriting.sandbox import Sandbox, Trouble
from rate_nb.base.store import Store
from rate_nb.widgets.prompt_lab import PromptLab
from rate_nb.widgets.labs import AssumptionLab, CalibrationLab
from rate_nb.theory.text_world import TextWorld

WORLD = TextWorld("length")
EXAMPLES = WORLD.examples(80, np.random.default_rng(0))
BAD = "<img src=x onerror=alert(1)></script><script>alert(1)</script>$$\\href{javascript:alert(1)}{x}$$"


def test_a_person_may_come_back_another_day(tmp_path):
    "Version, flag and used examples are in the file: another process finds them, and so does the audit"
    store = Store(tmp_path / "s.sqlite")
    rewriter = FunctionRewriter(WORLD.rewriter, "world-1", store)
    lab = PromptLab(EXAMPLES, "length", rewriter, WORLD.reward, state=dict(k=6, instruction="Make it {W}."))
    lab.rewrite()
    lab.wait()
    lab.reason.value, lab.note.value = "lost the point", "short"
    lab.flag_shown()
    version = lab.save_version()
    code = ("import sys; from rate_nb.rewriting.instructions import *; from rate_nb.base.store import "
            "Store; s = "
            "Store(sys.argv[1]);"
            "print(saved_versions(s).index.tolist(), [v['reason'] for v in flags(s).values()], "
            "len(s.records('used')))")
    said = subprocess.run([sys.executable, "-c", code, str(store.path)], capture_output=True, text=True,
                          check=True, cwd=ROOT).stdout
    assert said.strip() == f"['{version}'] ['lost the point'] 6"
    seen = lab.trial.examples.example_id
    assert set(exclude_tuned_examples(EXAMPLES, store,
                                      "length").example_id) == set(EXAMPLES.example_id) - set(seen)
    rewrites = flagged(double_rewrite(EXAMPLES, "length", rewriter, instruction=get_version(store, version)),
                       store)
    assert (rewrites[rewrites.example_id == seen.iloc[0]].status.tolist() == ["flagged", "flagged"]
            and (rewrites.status == "flagged").sum() == 2)


def test_the_audit_leaves_out_what_was_looked_at(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    rewriter = FunctionRewriter(WORLD.rewriter, "world-1", store)
    remember_used(EXAMPLES[:10], store, "length", instruction_for("length"))
    made = double_rewrite(EXAMPLES[10:12], "length", rewriter)
    flag(store, made.key[0], "garbled")
    audit = Audit(EXAMPLES, "length", rewriter, WORLD.reward, tmp_path / "run", store=store,
                  design=Design(check=0))
    assert len(audit.examples) == 70 and (audit.rewrite().status == "flagged").sum() == 2 
    rate = audit.effects().table.query("estimator == 'rate' and estimand == 'ATE'").iloc[0]
    assert rate.n_missing_treated + rate.n_missing_untreated == 1
    whole = Audit(EXAMPLES, "length", rewriter, WORLD.reward, tmp_path / "all", store=store,
                  design=Design(check=0, exclude_tuned_examples=False))
    assert len(whole.examples) == 80


def test_the_choice_is_what_an_audit_accepts(tmp_path):
    from rate_nb.batch.notebooks import check_parameters, run_notebooks
    store = Store(tmp_path / "s.sqlite")
    given = choice("length", instruction_for("length", template="Make it {W}."), store)
    assert (json.loads(json.dumps(given)) == given
            and check_parameters(run_notebooks()["audit"], given) == given)


def test_stop_keeps_what_has_arrived_and_asks_for_no_more(tmp_path):
    with Sandbox(latency=.05) as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                  api_key=lambda: "none", max_concurrency=4)
        lab = PromptLab(EXAMPLES, "length", rewriter, state=dict(k=80))
        began = time.monotonic()
        lab.go.click()
        returned = time.monotonic() - began
        with pytest.raises(RateError, match="still running"):
            lab.job.start(_nothing())
        while rewriter.calls < 8:
            time.sleep(.01)
        lab.halt.click()
        lab.wait()
        asked = box.requests
        time.sleep(.3)
        assert (returned < 1.5 and box.requests == asked < 160 and "stopped" in lab.status.value
                and not lab.job.running)
        kept = rewriter.store.counts()["rewrite"]
        lab.go.click()
        lab.wait() # and goes on where it was
        assert (lab.trial.complete
                and rewriter.store.counts()["rewrite"] == 160 >= kept + 1
                and box.requests <= 160 + 4)


async def _nothing(): pass


def test_a_broken_endpoint_shows_in_the_lab(tmp_path):
    lab = PromptLab(EXAMPLES, "length",
                    OpenAIRewriter("m", "http://127.0.0.1:9/v1", store=tmp_path / "s.sqlite",
                                   api_key=lambda: "none", max_retries=0), state=dict(k=2))
    lab.go.click()
    lab.wait()
    assert (isinstance(lab.error,
                       RateError) and "127.0.0.1:9" in lab.trouble.value and not lab.go.disabled
            and lab.halt.disabled)


def test_a_reward_model_that_fails_shows_in_the_lab(tmp_path):
    def broken(prompts, responses): raise RuntimeError(BAD)
    lab = PromptLab(EXAMPLES, "length", FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite"), broken,
                    state=dict(k=2))
    lab.go.click()
    lab.wait()
    assert ("<img" not in lab.trouble.value + lab.texts.value + lab.glance.value
            and lab.texts.value.count("<section") == 3
            and not lab.job.running)


def test_state_is_plain_and_opens_the_same_lab(tmp_path):
    rewriter = FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite")
    lab = PromptLab(EXAMPLES, "length", rewriter,
                    state=dict(k=4, seed=3, pick="both arms", shown=2, against="rewrite"))
    state = json.loads(json.dumps(lab.state))
    again = PromptLab(EXAMPLES, "length", rewriter, state=state)
    assert again.state == state and state["shown"] == 2 and again.texts.value == lab.texts.value
    seen = []
    again._beside = lambda trial, example: (seen.append(example), ("", ""))[1]
    for at in (0, 3):
        again.shown.value = at
        again.show()
        assert seen[-1] == again.trial.examples.example_id.iloc[at]
    with pytest.raises(InputError, match="no place for"):
        PromptLab(EXAMPLES, "length", rewriter, state=dict(many=4))


@pytest.mark.parametrize("change, words",
                         [(dict(text="no place"), "must contain {W}"), (dict(pick="flagged"), "flagged yet")])
def test_errors_stand_in_the_lab_and_go_away(tmp_path, change, words):
    lab = PromptLab(EXAMPLES, "length", FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite"))
    [(name, value)] = change.items()
    control = getattr(lab, name)
    good, control.value = control.value, value
    assert words in lab.trouble.value and 'role="alert"' in lab.trouble.value
    control.value = good
    assert lab.trouble.value == "" and lab.error is None
    lab.which.value = 1
    lab.flag_it.click()
    assert "press Rewrite first" in lab.trouble.value


def test_two_labs_share_their_flags(tmp_path):
    rewriter = FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite")
    one, two = (PromptLab(EXAMPLES, "length", rewriter, state=dict(k=2)) for _ in range(2))
    one.rewrite()
    one.wait()
    two.look()
    one.reason.value = "garbled"
    one.flag_shown()
    two.show()
    assert "flagged: garbled" in two.texts.value
    two.unflag_shown()
    one.show()
    assert "flagged" not in one.texts.value and not flags(rewriter.store)


def test_an_unlabelled_example_is_not_applicable_and_breaks_nothing(tmp_path):
    some = EXAMPLES[:3].assign(w=pd.array([1, None, 0], dtype="Int64"), w_source="people")
    trial = try_instruction(some, "length", WORLD.rewriter, reward=WORLD.reward)
    assert (trial.counts()["statuses"] == {"ok": 4,
                                           "not_applicable": 2} and trial.glance().notna().all().all()
            and "not_applicable" in trial._repr_html_())


def test_hostile_fields_are_escaped_everywhere(tmp_path):
    examples = pd.DataFrame(dict(example_id=[BAD, BAD + "2"], prompt_id=BAD, prompt=BAD,
                                 response=[BAD + " one", BAD + " two and more"], w=[0, 1]))
    lab = PromptLab(examples, "length", lambda p, t, w: t + BAD if w else t[:-4], store=tmp_path / "s.sqlite",
                    state=dict(instruction=BAD + "{W}", k=2))
    lab.note.value = BAD
    version = lab.save_version()
    lab.compare.value = version
    lab.rewrite()
    lab.wait()
    lab.reason.value = BAD
    lab.flag_shown()
    lab.use_instruction()
    lab.say(ValueError(BAD))
    pages = [w.value for w in (lab.plan, lab.glance, lab.beside, lab.prompt, lab.texts, lab.status,
                               lab.chosen, lab.trouble)] + [lab.trial._repr_html_()]
    assert not any("<img" in p or "<script" in p for p in pages) and sum("&lt;img" in p for p in pages) >= 5


def test_dials_report_errors_and_keep_the_last_result():
    table = pd.DataFrame(dict(length=np.arange(60.), reward=np.arange(60.) ** .5, note="text"))
    lab = CalibrationLab(table).wait()
    shown = lab.picture
    lab.table = table.drop(columns="reward")
    lab.set(dict(gamma=.5))
    lab.wait()
    assert isinstance(lab.error, InputError) and "no column" in lab.trouble.value and lab.picture is shown
    with pytest.raises(InputError, match="no numeric column"):
        CalibrationLab(table[["reward", "note"]])
    with pytest.raises(InputError, match="no place for colour"):
        AssumptionLab(dict(n=20)).wait().set(dict(colour=1))


ACTING = "\x00\x1b[31m\u202e"


@pytest.mark.parametrize("trouble, options, words",
                         [(dict(server_error=1.), dict(), "HTTP 500"),
                          (dict(malformed=1.), dict(), "the answer was malformed"),
                          (dict(), dict(timeout=.2), "timed out")])
def test_what_an_endpoint_said_stands_beside_the_text_it_did_not_send(tmp_path, trouble, options, words):
    with Sandbox(trouble=Trouble(**trouble), latency=.6 if options else 0.) as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                  api_key=lambda: "none", max_retries=0, **options)
        lab = PromptLab(EXAMPLES, "length", rewriter, state=dict(k=2))
        lab.go.click()
        lab.wait()
    assert (words in lab.glance.value and 'role="alert"' in lab.glance.value
            and "No text came back: " in lab.texts.value and words in lab.texts.value)
    assert "because the rewrite before it" in lab.texts.value and sum(lab.trial.troubles().values()) == 2


def test_a_key_that_is_refused_shows_in_the_lab(tmp_path):
    with Sandbox(api_key="right") as box:
        lab = PromptLab(EXAMPLES, "length",
                        OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                       api_key=lambda: "sk-wrong-and-secret"), state=dict(k=2))
        lab.go.click()
        lab.wait()
    assert "refuses the API key (HTTP 401" in lab.trouble.value and "secret" not in lab.trouble.value


def test_an_endpoint_that_asks_to_wait_is_said_to_be_silent(tmp_path, monkeypatch):
    pulse = PromptLab._pulse
    monkeypatch.setattr(PromptLab, "_pulse", lambda self: pulse(self, every=.05, patience=.1))
    with Sandbox(trouble=Trouble(rate_limit=1., retry_after=.2)) as box:
        lab = PromptLab(EXAMPLES, "length",
                        OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                       api_key=lambda: "none"), state=dict(k=2))
        lab.go.click()
        for _ in range(200):
            if "nothing has come" in lab.status.value:
                break
            time.sleep(.05)
        said = lab.status.value
        lab.halt.click()
        lab.wait()
    assert "asks to wait" in said and "stopped after 0" in lab.status.value


def test_nothing_in_a_text_acts_on_the_page(tmp_path):
    "Control characters and marks that turn the line are named, in texts, ids, notes, reasons and errors"
    examples = EXAMPLES.head(4).assign(example_id=lambda d: d.example_id + ACTING, prompt=ACTING,
                                       response=lambda d: d.response + ACTING)
    lab = PromptLab(examples, "length", lambda p, t, w: t + ACTING if w else t[:-3],
                    store=tmp_path / "s.sqlite", state=dict(k=4))
    lab.note.value = ACTING
    lab.save_version()
    lab.rewrite()
    lab.wait()
    lab.reason.value = "bad" + ACTING
    lab.flag_shown()
    lab.say(ValueError(ACTING))
    pages = [w.value
             for w in (lab.plan, lab.glance, lab.prompt, lab.texts, lab.trouble)] + [lab.trial._repr_html_(),
                 str(lab.shown.options), str(lab.version.options)]
    assert (not set(ACTING[:2] + "\u202e") & set("".join(pages))
            and "⟨U+202E⟩" in lab.texts.value
            and 'dir="auto"' in lab.texts.value)


def test_a_stuttering_text_and_megabytes_do_not_hold_up_the_page(tmp_path):
    began = time.process_time()
    diff_html(" ".join(f"x {i}u" for i in range(500)), " ".join(f"x {i}v" for i in range(500)))
    assert time.process_time() - began < 2
    long = EXAMPLES.head(2).assign(response=[r + " word! and more" * 35_000 for r in EXAMPLES.response[:2]])
    trial = try_instruction(long, "length", lambda p, t, w: t + " More." * 50 if w else t[:-300])
    trial.glance()
    began = time.process_time()
    page = trial._repr_html_()
    assert time.process_time() - began < 2 and len(page) < 200_000


def test_a_page_that_is_closed_during_a_run_stops_nothing(tmp_path):
    def slow(prompt, text, target):
        time.sleep(.01)
        return WORLD.rewriter(prompt, text, target)
    lab = PromptLab(EXAMPLES, "length", FunctionRewriter(slow, "slow-1", tmp_path / "s.sqlite"),
                    state=dict(k=3))
    lab.go.click()
    lab.box.close()
    for part in (lab.texts, lab.status, lab.bar, lab.glance):
        part.close()
    lab.wait()
    assert lab.error is None and lab.store.counts()["rewrite"] == 6
    again = PromptLab(EXAMPLES, "length", lab.rewriter, state=lab.state)
    assert again.trial.complete


def test_columns_may_be_called_anything():
    table = pd.DataFrame({"reward": np.arange(60.) ** .5, 0: np.arange(60.), "<b>\x1b": np.arange(60.) % 7})
    for name in (0, "<b>\x1b"):
        lab = CalibrationLab(table, state=dict(characteristic=name)).wait()
        assert lab.error is None and lab.picture is not None and "<b>" not in lab.numbers.value


def scored(n, **columns):
    return TextWorld("length").simulate(n, np.random.default_rng(0)).assign(**columns)


@pytest.mark.parametrize("change, words",
    [(lambda t: t.drop(columns="w"), "w"), (lambda t: t.assign(w=np.nan), "no labelled example"),
     (lambda t: t.head(0), "it has no rows"), (lambda t: t.drop(columns="reward_rewrite"), "reward_rewrite"),
     (lambda t: "a file", "DataFrame")])
def test_a_table_that_is_no_scored_table_is_refused_in_words(change, words):
    with pytest.raises(RateError, match=words):
        lab = AssumptionLab(change(scored(40))).wait()
        if lab.error is not None:
            raise lab.error


@pytest.mark.parametrize("change",
    [lambda t: t[t.w == 1], lambda t: t.assign(prompt_id=1), lambda t: t.assign(reward_original=0.),
     lambda t: t.assign(model="<script>"),
     lambda t: t.assign(reward_rewrite=t.reward_rewrite.where(t.w == 1)),
     lambda t: t.assign(w=t.w.where(t.index > 9)), lambda t: t.assign(draw=np.arange(len(t)) % 2),
     lambda t: t.astype(dict(w="Int64")), lambda t: t.assign(reward_rewrite=np.nan)])
def test_any_scored_table_opens_a_lab_or_says_why_not(change):
    try:
        lab = AssumptionLab(change(scored(40)))
    except RateError:
        return
    lab.set(dict(gap=.3, margin=0., delta=3.))
    lab.wait()
    if lab.error is None:
        json.dumps(lab.picture.in_page(), allow_nan=False)
    else:
        assert isinstance(lab.error, RateError), lab.error


def test_a_lab_reopened_without_its_kernel_says_what_to_do(tmp_path):
    lab = PromptLab(EXAMPLES, "length", FunctionRewriter(WORLD.rewriter, "w", tmp_path / "s.sqlite"))
    shown = lab._repr_mimebundle_()
    assert shown["text/plain"] == "PromptLab: run this cell to open it"
    assert "application/vnd.jupyter.widget-view+json" in shown and "Not asked for yet" in shown["text/html"]
    lab.text.value = "no place"
    assert "must contain {W}" in lab._repr_mimebundle_()["text/html"]
