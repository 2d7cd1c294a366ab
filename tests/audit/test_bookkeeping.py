"Counts, prices, names and waits that an audit or a run keeps beside its numbers: each against a sum by hand"
import re, time
from concurrent.futures import CancelledError
from types import SimpleNamespace as Some
import numpy as np
import pytest
from rate_nb.audit import Audit, Design
from rate_nb.audit.accounts import Accounts
from rate_nb.audit.judging import judge_on_trial
from rate_nb.base.store import Store
from rate_nb.llm.batch_api import BatchRun
from rate_nb.llm.calls import Failure
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.llm.prices import Budget, Price
from rate_nb.rewriting.chains import FunctionRewriter
from rate_nb.theory.text_world import TextWorld
from rate_nb.widgets.prompt_lab import PromptLab

WORLD = TextWorld("length")
EXAMPLES = WORLD.examples(6, np.random.default_rng(3))


def audit(folder, **options):
    rewriter = FunctionRewriter(WORLD.rewriter, "rules", store=options.get("store"))
    return Audit(EXAMPLES, "length", rewriter, WORLD.reward, folder, design=Design(check=0), **options)


def test_what_an_audit_did_and_what_a_person_marks(tmp_path):
    a = audit(tmp_path/"a", store=Store(tmp_path/"s.sqlite"))
    assert a.rewrite().status.eq("ok").sum() == a.accounts.paid()["rewrite_calls"] == 12
    a.folder.write_text("told.txt", "once")
    assert (tmp_path/"a"/"told.txt").read_text() == "once"
    a.flag(EXAMPLES.example_id[1], "adds a claim")
    marked = a.rewrite()[a.rewrite().status == "flagged"]
    assert set(marked.example_id) == {EXAMPLES.example_id[1]} and marked.depth.tolist() == [1, 2]


def test_audits_beside_each_other_are_told_apart_only_where_they_must(tmp_path, monkeypatch):
    monkeypatch.setattr("rate_nb.views.explorer.explorer_widget", lambda data, *_: data)
    monkeypatch.setattr("rate_nb.audit.audit.explorer_data", lambda *_: _[-1])
    a, b, c = (audit(tmp_path/k) for k in ("a", "b", "old/a"))
    assert a.explore(b) == dict(audits=["a", "b"])
    assert a.explore(b, c) == dict(audits=["a (1)", "b", "a (3)"])


def test_rewriter_and_judges_share_one_budget(monkeypatch):
    spent = {"j1": 2., "j2": .5}
    monkeypatch.setattr("rate_nb.audit.accounts.spending",
                        lambda store, account: dict(dollars=spent[account]))
    judges = [Some(endpoint=Some(account=k, store=None, budget=None, price=Price(1, 1))) for k in spent]
    rewriter = Some(budget=Budget(9., Price(1, 1)))
    rewriter.budget.spent = 1.
    whole = Some(asked=Some(budget=5.), rewriter=rewriter, asking=judges, readers=[])
    Accounts.share(whole, rewriter)
    assert rewriter.budget.dollars == 5 - 2.5
    Accounts.share(whole, judges[0].endpoint) # what the other judge and the rewriter have spent
    assert judges[0].endpoint.budget.dollars == 5 - .5 - 1
    rewriter.account, rewriter.store, spent["r"] = "r", None, 1.25 # of which another process paid .25
    Accounts.share(whole, judges[0].endpoint)
    assert judges[0].endpoint.budget.dollars == 5 - .5 - 1.25


def test_one_more_example_costs_its_share():
    accounts = Some(asked=Some(draws=1, depth=2, both=0, examples=[0]*4), cost=lambda rewrites: 6.,
                    judging=lambda: dict(judge=dict(calls=8, dollars=2.)), reviewing=dict)
    assert Accounts.per_example(accounts, None) == dict(calls=2 + 8/4, dollars=(6. + 2.)/4)


@pytest.mark.parametrize("values, verdict", [([1., .5, 1.], "note"), ([1., -1., 1.], "ok"), ([1.], "ok")])
def test_a_judge_that_always_takes_one_place_is_noted(values, verdict, monkeypatch):
    rows = [dict(status="ok", value=v) for v in values]
    monkeypatch.setattr("rate_nb.audit.judging.try_judge", lambda *_: rows)
    tried = judge_on_trial(Some(endpoint=Some(), name="judge"), EXAMPLES, 3, None, lambda endpoint: None)
    assert {f["check"]: f["verdict"] for f in tried["findings"]}["place"] == verdict


def test_waits_keys_and_counts_of_an_endpoint(tmp_path):
    rewriter = OpenAIRewriter("m", "http://127.0.0.1:9/v1", api_key=lambda: "sk-kept-to-itself")
    rewriter._seconds, rewriter.calls = 3., 2
    assert rewriter.seconds_per_call == 1.5
    rewriter.gate.resume_at = time.monotonic() + 30
    assert re.match("waiting (29|30) s", rewriter.note)
    rewriter._key()
    refused = Failure("text", "HTTP 400", 400, said="refused: sk-kept-to-itself")
    assert "kept" not in rewriter._explained(refused)
    with rewriter.keeping(Store(tmp_path/"s.sqlite")) as twin:
        twin.calls += 4
    assert rewriter.calls == 2 + 4


def test_what_a_batch_that_ended_early_is_taken_to_cost():
    run = Some(prices=dict(a=.1, b=.2, c=.3, d=.4))
    batch, record = Some(request_counts=Some(completed=3)), dict(keys=[*"abcd"], status="expired", most=9.)
    # a has its bill; of b, c and d two were done and said nothing, and the last was never begun
    assert BatchRun.cost(run, record, batch, dict(a=Some(cost=.05)), {}) == pytest.approx(.05 + .2 + .3)


@pytest.mark.parametrize("n, said", [(1, "1 batch goes on at there"), (3, "3 batches go on at there")])
def test_batches_left_behind_are_counted(n, said):
    flying = {k: dict(status="in_progress", completed=1, requests=2) for k in range(n)}
    run = Some(flying=flying, rewriter=Some(_where=lambda: "there"))
    BatchRun.show(run)
    assert run.rewriter.left_behind.startswith(said) and f"{n:,} of {2*n:,} lines" in run.rewriter._note


def test_a_prompt_lab_lists_its_examples():
    shown = Some(value=7) # of an earlier and longer list
    PromptLab._list(Some(shown=shown), EXAMPLES.head(4))
    assert shown.value == 3 and [i for _, i in shown.options] == [0, 1, 2, 3]


def test_a_prompt_lab_draws_four_times_a_second_at_most():
    drawn = []
    lab = Some(_went=0, _total=5, _drawn=time.monotonic() - 1, bar=Some(value=0), status=Some(),
               show=lambda: drawn.append(1))
    PromptLab._tick(lab)
    assert lab.bar.value == lab._went == 1 and drawn == [1]
    lab._drawn = time.monotonic() + 60 # just drawn
    PromptLab._tick(lab)
    assert lab.bar.value == 1 and lab._went == 2 and drawn == [1]
    ended = Some(_went=3, status=Some(), show_plan=lambda: None)
    PromptLab._say_how(ended, time.monotonic() - 2, CancelledError())
    assert re.search(r"stopped after 3 rewrites in [2-9]\.\d s", ended.status.value)
