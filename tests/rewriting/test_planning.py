"Money before it is spent: tokens by a real tokenizer, the paper's own bill, and plans that runs keep to."
import json, sys, types
import numpy as np
import pandas as pd
import pytest
from rate_nb.llm import prices as prices_module
from rate_nb.audit import Audit, Design
from rate_nb.audit.manifest import manifest_of
from rate_nb.llm.batch_api import BatchLimits
from rate_nb.base.core import BudgetError, InputError
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.planning import plan_rewriting
from rate_nb.llm.prices import count_tokens, estimate_tokens, Price, token_counter
from rate_nb.rewriting.instructions import Instruction
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.theory.text_world import TextWorld


def imdb(data):
    return pd.concat([pd.read_csv(data / "imdb_counterfactual" / f"{part}_paired.tsv", sep="\t")
                      for part in ("dev", "test")])


def rm_bench(data, part, kind):
    rows = json.loads((data / "rm_bench" / f"{part}_filtered.json").read_text(encoding="utf-8"))
    return [r["prompt"] for r in rows] if kind == "prompt" else [r[side][kind]
                                                                 for r in rows
                                                                 for side in ("chosen", "rejected")]


# totals by o200k_base, taken once with tiktoken 0.14 on these very files
IMDB, RM_BENCH = 101_657 + 196_759, {("chat", 0): 9_866, ("chat", 1): 90_954, ("chat", 2): 104_108,
                                     ("code", "prompt"): 29_724, ("code", 0): 161_638, ("code", 1): 210_201,
    ("code", 2): 223_419, ("safety-refuse", 0): 13_631, ("safety-refuse", 1): 89_701,
                                     ("safety-refuse", 2): 211_836, ("safety-response", 1): 61_371,
                                     ("safety-response", 2): 115_686}


def test_estimated_totals_are_as_good_as_they_claim(data):
    "On real reviews, chats, code and refusals, concise, detailed and in Markdown"
    claimed, errors = token_counter("gpt-4o-2024-08-06").error or .06, {}
    for name, n, texts in [("imdb", IMDB, imdb(data).Text.tolist())] + [(key, n, rm_bench(data, *key))
        for key, n in RM_BENCH.items()]:
        errors[name] = sum(map(estimate_tokens, texts)) / n - 1
        by_characters = sum(map(len, texts)) / 4 / n - 1
        assert abs(errors[name]) <= claimed, (name, errors[name])
        # four characters a token is no rival
        assert abs(errors[name]) < abs(by_characters) or abs(by_characters) < .03, (name, errors[name],
            by_characters)
    assert np.std(list(errors.values())) > .005         # or the table above was made from the estimates


def test_the_papers_own_bill(data):
    """About $60 for 25,000 IMDB reviews, twice, at $1.25 and $5.00 per million tokens

    So says RATE in its implementation details. The reviews at hand are IMDB's too, of the length that people
    were given to rewrite; a rewrite is taken to be as long as its original.
    """
    reviews = imdb(data)
    examples = pd.DataFrame(dict(example_id=range(len(reviews)), prompt_id=range(len(reviews)),
                                 prompt="Write a movie review.", response=reviews.Text.to_numpy(),
                                 w=(reviews.Sentiment == "Positive").astype(int).to_numpy()))
    class Endpoint:
        settings, store, max_concurrency, mode = dict(model="gpt-4o-2024-08-06"), None, 32, "batch"
        async def rewrite(self, request): raise AssertionError("a plan sends nothing")
    bill = lambda instruction: 25_000 / len(examples) * np.array(plan_rewriting(examples, "sentiment",
        Endpoint(), instruction=instruction).cost())
    theirs = bill(Instruction("Adjust this response so it's {W}, but change *nothing* else.",
                              "Positive Sentiment", "Negative Sentiment", system=""))
    ours = bill(None)
    assert abs(theirs[1] / 60 - 1) < .15 and theirs[0] < 60 < theirs[2], theirs
    # what telling the model not to obey the text adds
    assert theirs[1] < ours[1] < 1.15 * theirs[1] and ours[0] < 60 < ours[2], ours


def test_counting_never_downloads(monkeypatch):
    "A tiktoken whose encodings are not there yet would fetch them, with no time limit"
    fetched = []
    loader = types.ModuleType("tiktoken.load")
    loader.read_file = fetched.append
    package = types.ModuleType("tiktoken")
    package.load, package.__path__ = loader, []
    package.encoding_for_model = lambda model: loader.read_file("https://example.invalid/encoding")
    monkeypatch.setitem(sys.modules, "tiktoken", package)
    monkeypatch.setitem(sys.modules, "tiktoken.load", loader)
    prices_module._encoding.cache_clear()
    try:
        assert token_counter("gpt-4o").name == "estimate" and count_tokens("Hello there.", "gpt-4o") > 0
        assert not fetched and loader.read_file == fetched.append
        package.encoding_for_model = lambda model: types.SimpleNamespace(name="at-hand", encode=lambda text,
            disallowed_special: text.split())
        prices_module._encoding.cache_clear()
        assert token_counter("gpt-4o").error == 0 and count_tokens("one two three", "gpt-4o") == 3
    finally:
        prices_module._encoding.cache_clear()


letters = lambda prompts, responses: [float(len(r)) for r in responses]


def test_an_audit_knows_its_price_and_refuses_a_budget_without_one(tmp_path):
    examples = TextWorld("length").examples(4, np.random.default_rng(3))
    same = lambda prompt, text, target: text + "!"
    with pytest.raises(InputError, match="no price is known"):
        Audit(examples, "length", same, letters, tmp_path / "a", budget=1.)
    assert not (tmp_path / "a").exists()
    audit = Audit(examples, "length", same, letters, tmp_path / "b", design=Design(prices=(3, 7)))
    # a function reports no tokens
    assert audit.accounts.price == Price(3, 7) and audit.plan().rewriting.calls == 8
    assert manifest_of(audit)["cost_in_dollars"] == 0
    steps = audit.plan().steps.set_index("step")["at most"] # 4 originals, 4 rewrites and 4 of these
    assert [steps[k] for k in ("examples", "rewrites", "rewards")] == [4, 8, 12]
    free = Audit(examples, "length", same, letters, tmp_path / "c")
    assert free.accounts.price is None and manifest_of(free)["cost_in_dollars"] is None


def test_a_budget_is_kept_and_the_next_one_goes_on(tmp_path):
    "Stopped before it is passed; with more money no call is repeated, and the manifest holds the whole bill"
    examples = TextWorld("length").examples(50, np.random.default_rng(8))
    with Sandbox() as box:
        def audit(budget):
            rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                      api_key=lambda: "k", max_tokens=400, max_concurrency=8)
            return Audit(examples, "length", rewriter, letters, tmp_path / "run",
                         design=Design(prices=(2.5, 10)),
                         budget=budget)
        poor = audit(.06)
        assert "enough for about" in str(poor.plan().steps["of what"][1])
        with pytest.raises(BudgetError, match="Run again with a higher `budget`"):
            poor.rewrite()
        first = poor.accounts.paid()
        assert 0 < first["dollars"] <= .06 and first["rewrite_calls"] == box.requests < 100
        with pytest.raises(BudgetError, match="Run again with a higher `budget`"):
            audit(.06).rewrite()
        assert first["rewrite_calls"] == box.requests, "the same budget, spent once, is spent"
        rich = audit(1.)
        assert rich.plan().rewriting.calls == 100 - box.requests
        bill = manifest_of(rich)["cost_in_dollars"]
        assert box.requests == 100 and rich.accounts.paid()["rewrite_calls"] == 100 - first["rewrite_calls"]
        assert (abs(bill - first["dollars"] - rich.accounts.paid()["dollars"]) < 1e-5
                and not audit(None).rewrite().cached.eq(False).any())


def test_a_rewriter_without_a_store_is_not_paid_twice_and_stays_as_it_was(tmp_path):
    "Two runs, one bill; another audit's calls are not counted as this one's"
    examples = TextWorld("length").examples(6, np.random.default_rng(8))
    with Sandbox() as box:
        rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "k")
        first = Audit(examples, "length", rewriter, letters, tmp_path / "run", budget=5.,
                      design=Design(prices=(2.5, 10)))
        first.effects()
        again = Audit(examples, "length", rewriter, letters, tmp_path / "run",
                      design=Design(prices=(2.5, 10)))
        assert (again.rewrite().cached.all()
                and again.accounts.paid()["rewrite_calls"] == 0
                and again.plan().rewriting.calls == 0)
        assert (box.requests == first.accounts.paid()["rewrite_calls"] == 12
                and rewriter.store is None
                and rewriter.budget is None)
        shared = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "k",
                                store=tmp_path / "s.sqlite")
        for k in (2, 4):
            audit = Audit(examples.head(k), "length", shared, letters, tmp_path / f"part{k}")
            audit.rewrite()
        assert shared.calls == 8 and audit.accounts.paid()["rewrite_calls"] == 4


def test_batch_mode_finds_what_chat_has_paid_for(tmp_path):
    "One folder, two modes: the same rewrites, half the price"
    examples = TextWorld("length").examples(6, np.random.default_rng(8))
    with Sandbox() as box:
        def audit(mode, n):
            rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, store=tmp_path / "s.sqlite",
                                      api_key=lambda: "k", mode=mode, batch=BatchLimits(poll=.05))
            return Audit(examples.head(n), "length", rewriter, letters, tmp_path / f"run{n}",
                         design=Design(prices=(2.5, 10)))
        chat = manifest_of(audit("chat", 4))
        assert (audit("batch", 4).rewrite().cached.all()
                and manifest_of(audit("batch", 4))["cost_in_dollars"]
                == round(chat["cost_in_dollars"] / 2, 6))
        whole = audit("batch", 6)
        assert whole.plan().rewriting.calls == 4 and whole.plan().rewriting.cost()[1] * 2 == pytest.approx(
            whole.plan().rewriting.cost(batch=False)[1])
        assert whole.effects().get("rate", "ATE").n == 6 and whole.accounts.paid()["rewrite_calls"] == 4
