"Before money is spent: what a model costs and how long it lives, and what stops a run before its first call."
import json, math, re, threading, warnings
from datetime import date
from http.server import BaseHTTPRequestHandler
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
from rate_nb.audit.audit import Audit
from rate_nb.audit.manifest import manifest_of
from rate_nb.base.core import EndpointError, InputError, RateError
from rate_nb.batch.cli import _parser, main
from rate_nb.checkpoints.loading import save_tiny, tiny_model
from rate_nb.llm import openai as openai_module, prices as prices_module
from rate_nb.llm.calls import run_async
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.llm.prices import (Price, ShutdownWarning, endpoint_prices, price_of, price_table, shutdown_note,
                                spending)
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.rewriting.planning import plan_rewriting
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.remote import HTTPReward
from rate_nb.scoring.sequence_rewards import load_reward_model
from servers import Quiet

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [f"Film number {i} was {'superb, long and loud' if i % 2 else 'dreadful'} and came from Lisbon."
         for i in range(12)]


def films(n=12, prompt="Review film number {}."):
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id=[f"p{i}" for i in range(n)],
                             prompt=[prompt.format(i) for i in range(n)], w=[i % 2 for i in range(n)],
                             response=[TEXTS[i % 12] + f" ({i})" for i in range(n)]))


class Endpoint: # an OpenAI-compatible server that says of usage, tiers and prices what it is told to
    def __init__(self, listed=(), usage=lambda body: {}, tier=None, score=None):
        self.listed, self.usage, self.tier, self.score = listed, usage, tier, score
        self.bodies, self.headers = [], []

    def __enter__(self):
        there = self
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *a): pass
            def say(self, answer, status=200):
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                there.headers.append({k.title(): v for k, v in self.headers.items()})
                self.say(dict(object="list", data=list(there.listed)))
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if there.score is not None:
                    return self.say(*there.score(body))
                there.bodies.append(body)
                there.headers.append({k.title(): v for k, v in self.headers.items()})
                text = "A rewritten film review."
                usage = dict(prompt_tokens=1000, completion_tokens=100) | there.usage(body)
                self.say(dict(model=body["model"], usage=usage, choices=[
                    dict(finish_reason="stop", message=dict(role="assistant", content=text))])
                    | (dict(service_tier=there.tier) if there.tier else {}))
        self.server = Quiet(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


def listed(model, **more): return dict(id=model, object="model", created=1, owned_by="me") | more


LUNA = Price(.1, .5, cached=.01, cache_write=.125, flex_discount=.5, priority_premium=1.)


def test_the_table_is_whole():
    "Every row is priced, dated and sourced; cached costs no more than new; a shutdown is a date"
    table = price_table()
    assert len(table) > 40 and table.index.is_unique
    assert (table.source.str.len() > 8).all() and table.checked.map(date.fromisoformat).notna().all()
    assert (table.cached.fillna(0) <= table.prompt).all()
    assert (table.cache_write.fillna(math.inf) >= table.prompt).all()
    assert set(table.reasoning) <= {"", "none", "minimal", "low", "medium", "high"}
    for column in ("shutdown_date", "until"):
        assert [date.fromisoformat(d) for d in table[column] if d]
    named = [m for m in table.replacement if m]
    assert named and set(named) <= set(table.index) and not table.loc[named].shutdown_date.any()
    for model in table.index[table.until == ""]:
        assert price_of(model).cost(1e6, 1e6) == pytest.approx(table.prompt[model] + table.completion[model])


ASKS = r"""(?:OpenAIRewriter\(|LLMJudge\(|rewriter[_-]model\\?["']?\s*[:= ])\s*\\?["']?"""


def said_to_users(): # (where, text, all of it is advice); in the rooms only what asks a model by name is
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        yield path, path.read_text(encoding="utf-8"), True
    for path in sorted((ROOT / "nbs").rglob("*.ipynb")):
        if path.name != "papers.ipynb": # which model a paper asked is history
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            text = "\n".join("".join(c["source"]) for c in cells)
            yield path, text, path.parent.name in ("labs", "runs", "nbs")


def advised(names, texts): # what names one of these models
    one = rf"(?:{'|'.join(map(re.escape, names))})(?![\w-]|\.\d)"
    anywhere, asked = re.compile(rf"(?<![\w.-]){one}"), re.compile(ASKS + one)
    return [f"{where}: {m[0]}" for where, text, advice in texts
            for m in (anywhere if advice else asked).finditer(text)]


def test_nothing_recommends_a_model_that_goes_off_within_three_months(capsys):
    "README, docs, notebooks, and the help of every command with its examples"
    soon, texts = [m for m in price_table().index if shutdown_note(m)], list(said_to_users())
    for command in [[], *([name] for name in _parser().commands())]:
        with pytest.raises(SystemExit):
            main([*command, "--help"])
        texts.append((f"rate_nb {' '.join(command)} --help", capsys.readouterr().out, True))
    assert "gpt-4o" in soon and "gpt-6-luna" not in soon and len(texts) > 100
    assert not advised(soon, texts)
    assert advised(["gpt-6-luna"], texts)            # it would have been seen
    assert advised(["gpt-5"], [("", 'OpenAIRewriter("gpt-5", url)', False)])
    assert not advised(["gpt-5"], [("", "gpt-5.4, gpt-5-mini and the old gpt-5x", True)])


def test_a_shutdown_is_said_in_the_plan_and_in_the_run(monkeypatch, tmp_path):
    "By the endpoint's own list; by the table for a provider's address, not for a server of one's own"
    monkeypatch.setattr(prices_module, "_today", lambda: date(2026, 12, 1))
    plan = plan_rewriting(films(), "sentiment", OpenAIRewriter("gpt-4o-mini", "https://api.example.org/v1"))
    assert [n for n in plan.notes if "goes off on 2027-01-14" in n and "gpt-6-luna" in n]
    with Endpoint([listed("m", shutdown_date="2027-01-14", pricing=dict(prompt="0", completion="0"))]) as e:
        with pytest.warns(ShutdownWarning, match="'m' goes off on 2027-01-14"):
            double_rewrite(films(2), "sentiment", OpenAIRewriter("m", e.url, api_key=lambda: "k"), depth=1)
    with Endpoint([listed("gpt-4o-mini")]) as e:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ShutdownWarning)
            ours = OpenAIRewriter("gpt-4o-mini", e.url, api_key=lambda: "k")
            double_rewrite(films(2), "sentiment", ours, depth=1)
            assert not [n for n in plan_rewriting(films(), "sentiment", ours).notes if "goes off" in n]


def test_a_model_is_priced_by_its_endpoint(tmp_path):
    "Plan, budget and bill; nothing is sent for it but the question for the list"
    price = dict(prompt="0.000002", completion="0.000004", input_cache_read="0.0000002")
    with Endpoint([listed("house/model", pricing=price), listed("house/other")],
                  lambda body: dict(prompt_tokens_details=dict(cached_tokens=400))) as e:
        assert endpoint_prices(e.url)["house/model"]["price"] == Price(2, 4, 0., cached=.2)
        asked = OpenAIRewriter("house/model", e.url, api_key=lambda: "sk-secret-key")
        audit = Audit(films(), "sentiment", asked, lambda p, r: [float(len(t)) for t in r], tmp_path / "a")
        assert audit.accounts.price is None          # it is not asked for before somebody wants to know
        assert audit.plan().rewriting.price == Price(2, 4, 0., cached=.2) == audit.accounts.price
        assert not e.bodies
        audit.rewrite()
        calls = len(e.bodies)
        each = (600 * 2 + 400 * .2 + 100 * 4) / 1e6
        assert audit.accounts.paid()["dollars"] == pytest.approx(calls * each)
        assert spending(audit.store)["dollars"] == pytest.approx(calls * each)
        distinct = audit.rewrite().key.dropna().nunique()
        assert manifest_of(audit)["cost_in_dollars"] == pytest.approx(distinct * each, abs=1e-6)
        with pytest.raises(InputError, match="a `budget` needs a price"):
            Audit(films(), "sentiment", OpenAIRewriter("house/other", e.url), lambda p, r: [1.],
                  tmp_path / "b", budget=1)
        OpenAIRewriter("house/model", e.url, budget=1.)
        with pytest.raises(InputError, match="no price is known"):
            OpenAIRewriter("house/other", e.url, budget=1.)
    assert endpoint_prices("http://127.0.0.1:9/v1") is None


def test_a_strange_endpoint_without_a_price_is_asked_for_nothing(monkeypatch):
    "The error says how to give one; an endpoint of our own network is taken to cost what it costs"
    with Endpoint([listed("their-model")]) as e:
        monkeypatch.setattr(openai_module, "on_own_network", lambda url: False)
        def ask(**options):
            rewriter = OpenAIRewriter("their-model", e.url, **options)
            return double_rewrite(films(2), "sentiment", rewriter, depth=1)
        with pytest.raises(InputError, match=r"no price is known for model 'their-model'.*\[0, 0\]"):
            ask()
        assert not e.bodies
        assert (ask(prices={"their-model": (0, 0)}).status == "ok").all() and e.bodies
        monkeypatch.undo()
        before = len(e.bodies)
        ask(seed=7)
        assert len(e.bodies) > before


@pytest.mark.parametrize("tier, told, factor", [
    ("flex", "flex", .5), ("priority", "priority", 2.), ("fast", "fast", 2.), ("priority", "default", 1.),
    ("flex", None, .5), (None, None, 1.), ("auto", "priority", 2.)])
def test_a_call_is_priced_by_the_tier_that_served_it(tier, told, factor, tmp_path):
    "And the budget sets aside what the call could cost without the discount"
    with Endpoint([listed("gpt-6-luna")], tier=told) as e:
        rewriter = OpenAIRewriter("gpt-6-luna", e.url, store=tmp_path / "s.sqlite", service_tier=tier,
                                  budget=None if tier == "auto" else 1.)
        double_rewrite(films(2), "sentiment", rewriter, depth=1)
        calls = len(e.bodies)
        assert all(b.get("service_tier") == tier for b in e.bodies)
        assert "service_tier" not in rewriter.settings
        assert rewriter.dollars == pytest.approx(calls * factor * LUNA.cost(1000, 100))
        assert spending(rewriter.store)["dollars"] == pytest.approx(rewriter.dollars)
        if rewriter.budget:
            assert rewriter.budget.spent == pytest.approx(rewriter.dollars)
            most = LUNA.dearest(10, e.bodies[0]["max_tokens"])
            assert rewriter.budget.most(e.bodies[0]) >= most * max(1, factor)
        plan = plan_rewriting(films(), "sentiment", OpenAIRewriter("gpt-6-luna", e.url, service_tier=tier))
        usual = plan_rewriting(films(), "sentiment", OpenAIRewriter("gpt-6-luna", e.url))
        asked = {"flex": .5, "priority": 2., "fast": 2.}.get(tier, 1.)
        assert plan.cost()[1] == pytest.approx(asked * usual.cost()[1])


def test_cached_and_written_tokens_are_priced():
    with Endpoint([listed("gpt-6-luna")], lambda body: dict(prompt_tokens_details=dict(
            cached_tokens=300, cache_write_tokens=500))) as e:
        rewriter = OpenAIRewriter("gpt-6-luna", e.url)
        double_rewrite(films(2), "sentiment", rewriter, depth=1)
        each = (200 * .1 + 300 * .01 + 500 * .125 + 100 * .5) / 1e6
        assert rewriter.dollars == pytest.approx(len(e.bodies) * each)


def test_several_keys_take_turns_and_are_seen_nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("KEY_A", "sk-first-secret")
    monkeypatch.setenv("KEY_B", "sk-second-secret")
    monkeypatch.setenv("TITLE_KEY", "hidden-header-value")
    with Endpoint([listed("gpt-6-luna")]) as e:
        rewriter = OpenAIRewriter("gpt-6-luna", e.url, api_key_env=["KEY_A", "KEY_B"],
                                  reasoning_effort="low", headers={"X-Title": "audit", "X-Own": "$TITLE_KEY"})
        audit = Audit(films(6), "sentiment", rewriter, lambda p, r: [float(len(t)) for t in r],
                      tmp_path / "run")
        audit.effects()
        audit.folder.write_json("manifest.json", manifest_of(audit))
        keys = [h.get("Authorization") for h in e.headers[-8:]]
        assert set(keys) == {"Bearer sk-first-secret", "Bearer sk-second-secret"}
        assert all(h.get("X-Own") == "hidden-header-value" for h in e.headers if "Authorization" in h)
        assert {b["reasoning_effort"] for b in e.bodies} == {"low"} == {rewriter.settings["reasoning_effort"]}
    files = b"".join(p.read_bytes() for p in (tmp_path / "run").rglob("*") if p.is_file())
    for secret in (b"first-secret", b"second-secret", b"hidden-header-value"):
        assert secret not in files and secret.decode() not in repr(rewriter) + repr(vars(rewriter))


@pytest.mark.parametrize("wrong", [
    dict(api_key_env="sk-real-key-1234"), dict(api_key_env=["A", "b c"]), dict(headers={"X": 1}),
    dict(api_key_env="A", api_key=lambda: "k"), dict(service_tier="express"),
    dict(service_tier="flex", mode="batch", store="s")])
def test_wrong_settings_name_the_way_out(wrong):
    with pytest.raises(InputError) as error:
        OpenAIRewriter("gpt-6-luna", **wrong)
    assert "sk-real" not in str(error.value)


def test_a_key_that_is_not_there_is_named(monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with Endpoint([listed("gpt-6-luna")]) as e:
        for options in (dict(api_key_env="NO_SUCH_KEY"), dict(headers={"X": "$NO_SUCH_KEY"})):
            with pytest.raises(EndpointError, match="NO_SUCH_KEY"):
                double_rewrite(films(2), "sentiment", OpenAIRewriter("gpt-6-luna", e.url, **options), depth=1)
        assert not e.bodies


def test_thoughts_are_in_the_plan():
    "Of a model that thinks by itself, or is told to; not of one that does not; within a completion's limit"
    def out(model, **options):
        rewriter = OpenAIRewriter(model, "http://127.0.0.1:9/v1", **options)
        return plan_rewriting(films(), "sentiment", rewriter)
    quiet, usual, hard = out("gpt-6-luna", reasoning_effort="none"), out("gpt-6-luna"), out(
        "gpt-6-luna", reasoning_effort="high")
    assert quiet.completion_tokens[2] < usual.completion_tokens[1] <= hard.completion_tokens[1]
    assert usual.completion_tokens[2] > usual.calls * 2000 and hard.completion_tokens[2] > hard.calls * 3200
    assert out("gpt-6-luna", max_tokens=800).completion_tokens[2] < usual.completion_tokens[2]
    assert "billed as output" in usual.notes[0] and "billed as output" not in quiet.notes[0]
    assert out("gpt-5.1").completion_tokens == quiet.completion_tokens # it thinks only when told to


# a broken reward, by function, by server and by model

def by_function(fault, url):
    def fails(prompts, responses): raise RuntimeError("boom")
    return dict(raises=fails, shape=lambda p, r: [1.], constant=lambda p, r: [1.] * len(r),
                nan=lambda p, r: [math.nan] * len(r))[fault]


def by_server(fault, url):
    return HTTPReward(url, "vllm-score", "m", timeout=5., patience=1., max_retries=0)


def score(fault): # what a broken server says
    def answer(body):
        given = body.get("text_2") or body.get("documents") or [0]
        n = len(given) if isinstance(given, list) else 1
        rows = dict(raises=[], shape=[0.], constant=[.5] * n, nan=[None] * n)[fault]
        if fault == "raises":
            return dict(error=dict(message="boom")), 500
        if fault == "shape":
            return dict(data=[dict(index=0, score=[.1, .2, .3])] * (n + 1)), 200
        return dict(data=[dict(index=i, score=s) for i, s in enumerate(rows)]), 200
    return answer


def by_model(fault, url):
    import torch
    folder = url # where its checkpoint goes
    save_tiny(folder, tiny_model())
    reward = load_reward_model(folder, name="broken")
    head = next(m for n, m in reward.model.named_modules() if n in ("score", "classifier"))
    if fault in ("constant", "nan"):
        with torch.no_grad():
            head.weight.fill_(0. if fault == "constant" else math.nan)
    elif fault == "raises":
        head.forward = lambda *a, **k: (_ for _ in ()).throw(RuntimeError("boom"))
    else:
        head.forward = lambda x: torch.zeros(*x.shape[:-1], 3)
    return reward


@pytest.mark.parametrize("kind", [by_function, by_server, by_model])
@pytest.mark.parametrize("fault", ["raises", "shape", "constant", "nan"])
def test_a_broken_reward_costs_no_paid_call(kind, fault, tmp_path):
    with Sandbox() as box, Endpoint(score=score(fault)) as e:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, prices={"sandbox-rewriter": (3, 9)})
        reward = kind(fault, tmp_path / "model" if kind is by_model else e.url.removesuffix("/v1"))
        audit = Audit(films(), "sentiment", rewriter, reward, tmp_path / "run")
        with pytest.raises(RateError):
            audit.report()
        assert box.requests == 0 and rewriter.calls == 0


def one_prompt(folder): # a CSV of sixty reviews under one prompt, as people have them: without any ids
    table = films(60, prompt="Review this film.").drop(columns=["prompt_id", "example_id"])
    table.to_csv(folder / "films.csv", index=False)
    return folder / "films.csv"


def finite(effects):
    numbers = effects[["estimate", "std_error", "ci_low", "ci_high"]].to_numpy(dtype=float)
    return len(effects) and np.isfinite(numbers).all()


def test_sixty_reviews_under_one_prompt_cluster_by_example(tmp_path):
    "It is said in the plan, before anything is paid, and with the effects; no interval is NaN"
    examples = one_prompt(tmp_path)
    flip = lambda p, text, target: text.replace("dreadful", "superb") + "!" * (1 + len(text) % 5 + target)
    audit = Audit(examples, "sentiment", flip, lambda p, r: [float(len(t)) for t in r], tmp_path / "run")
    assert [n for n in audit.plan().notes if "answer one prompt, so each is its own cluster" in n]
    effects = audit.effects()
    assert finite(effects.table) and [n for n in effects.notes if "one prompt" in n]
    ids = pd.read_csv(examples).assign(prompt_id="p", example_id=range(60))
    same = Audit(ids, "sentiment", flip, lambda p, r: [float(len(t)) for t in r], tmp_path / "ids")
    assert finite(same.effects().table)              # an id for the prompt makes no difference


@pytest.mark.slow
def test_sixty_reviews_under_one_prompt_through_the_command(tmp_path):
    flags = ["--attribute", "sentiment", "--run-dir", str(tmp_path / "run"), "--reward-model", "demo",
             "--rewriter-model", "sandbox-rewriter", "--base-url", "sandbox"]
    assert main(["audit", str(one_prompt(tmp_path)), *flags]) in (0, None)
    assert finite(pd.read_csv(tmp_path / "run" / "effects.csv"))
    assert "answer one prompt" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_a_catalogue_is_asked_last(tmp_path):
    "You, the table and the endpoint's own list go before genai-prices; the plan says whose price it is"
    pytest.importorskip("genai_prices", reason="needs the extra `prices`")
    with Endpoint([listed("deepseek-chat")]) as e:
        asked = OpenAIRewriter("deepseek-chat", e.url, api_key=lambda: "k")
        plan = plan_rewriting(films(), "sentiment", asked)
        assert plan.price.prompt > 0 and any("'deepseek-chat' in genai-prices" in n for n in plan.notes)
        assert OpenAIRewriter("deepseek-chat", e.url, budget=1.).price.completion == plan.price.completion
        mine = plan_rewriting(films(), "sentiment", asked, prices={"deepseek-chat": (0, 0)})
        assert mine.price == Price(0, 0) and not any("genai-prices" in n for n in mine.notes)
    told = dict(prompt="0.000002", completion="0.000004")
    with Endpoint([listed("deepseek-chat", pricing=told)]) as e:
        asked = OpenAIRewriter("deepseek-chat", e.url, api_key=lambda: "k")
        plan = plan_rewriting(films(), "sentiment", asked)
        assert plan.price == Price(2, 4, 0.) and not any("genai-prices" in n for n in plan.notes)


def test_an_endpoint_without_a_list_of_models_is_asked_for_it_once():
    "A lab asks for the price on the loop that would bring the answer: a second question waits for ever"
    asked = []
    class Listless(BaseHTTPRequestHandler):
        def answer(self, status, body):
            raw = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
        def do_GET(self):
            asked.append(self.path)
            self.answer(404, dict(error=dict(message="no such path")))
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            said = dict(index=0, finish_reason="stop", message=dict(role="assistant", content="Hi."))
            self.answer(200, dict(id="x", object="chat.completion", created=0, model="m", choices=[said]))
        def log_message(self, *_): pass
    with Quiet(("127.0.0.1", 0), Listless) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        rewriter = OpenAIRewriter("m", f"http://127.0.0.1:{server.server_port}/v1")
        rewriter.check()
        async def on_the_loop(): return rewriter.listed()
        assert run_async(on_the_loop()) == {} and asked == ["/v1/models"]
        server.shutdown()
