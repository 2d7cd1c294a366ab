"The chain of rewrites, and the checks against real texts"
import asyncio, base64, itertools, json, os, sqlite3, threading, time
from collections import Counter
from contextlib import closing
from pathlib import Path
import numpy as np, pandas as pd, pytest
from hypothesis import given, settings, strategies as st
from calm import STORM, films
from rate_nb.llm.calls import shown_address
from rate_nb.base.core import BudgetError, check_table, EndpointError, InputError, RateError, SchemaError
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.llm.calls import looks_refused, Reply, request_key, run_async
from rate_nb.rewriting.instructions import (
    alarm_rates, CHECKS, Instruction, instruction_for, RewriteRequest)
from rate_nb.rewriting.chains import double_rewrite, FunctionRewriter
from rate_nb.rewriting.sandbox import read_aim, read_task, Sandbox
from rate_nb.rewriting.sandbox import WireError
from rate_nb.base.store import Store

DATA = Path(__file__).resolve().parents[3]/"shared"/"data"
needs = lambda *parts: pytest.mark.skipif(not DATA.joinpath(*parts).exists(),
                                          reason=f"needs ../shared/data/{'/'.join(parts)}, which is not here")


def texts(n, **columns):
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id="p", prompt="",
                             response=[f"text number {i}" for i in range(n)], w=[i % 2 for i in range(n)])
                        | columns)


class Recorder: # an async rewriter that notes what it was asked; some texts get another reply
    def __init__(self, store=None, replies=(), delay=0., max_concurrency=4):
        self.store, self.replies, self.delay, self.max_concurrency, self.asked, self.active, self.most = (
            store, dict(replies), delay, max_concurrency, [], 0, 0)
        self.settings = dict(model="recorder-1")
    async def rewrite(self, request):
        self.asked.append(request)
        self.active += 1
        self.most = max(self.most, self.active)
        await asyncio.sleep(self.delay)
        self.active -= 1
        reply = self.replies.get(request.text)
        if isinstance(reply, Exception):
            raise reply
        return reply or Reply(f"{request.text} →{request.target}", "stop", "recorder-1", 7, 3)


@pytest.mark.parametrize("draws,depth,both", [(1, 1, False), (1, 2, False), (2, 3, True), (3, 2, True)])
def test_every_cell_has_a_row_and_its_own_text(draws, depth, both):
    rewriter = Recorder()
    rewrites = check_table(double_rewrite(texts(5), "length", rewriter, draws=draws, depth=depth, both=both),
                           "rewrites")
    assert len(rewrites) == 5 * draws * depth * (1
                                                 + both) and rewrites.example_id.tolist() == sorted(
                                                     rewrites.example_id)
    w = rewrites.example_id.map(texts(5).set_index("example_id").w)
    for (d, t), part in rewrites.groupby([(rewrites.depth), (rewrites.target_w == w)]):
        same_chain = t if d % 2 else not t # whether the chain began with the example's own w
        assert len(part) == 5 * draws and (both or not same_chain)
        for r in part.itertuples():
            i = int(r.example_id[1:])
            start = i % 2 if same_chain else 1 - i % 2
            targets = [start if k % 2 == 0 else 1 - start for k in range(d)]
            if same_chain: # length is relative: it is kept first
                targets[0] = None
            assert r.text == f"text number {i}" + "".join(f" →{t}" for t in targets)


def test_a_bad_first_rewrite_feeds_nothing():
    bad = {"text number 0": Reply("I'm sorry, but I can't help with that.", "stop"),
           "text number 1": Reply("text num", "length"), "text number 2": Reply(" ", "stop"),
           "text number 3": Reply(error="HTTP 400: too long"),
           "text number 4": Reply("text  number 4", "stop"), "text number 5": Reply("", "content_filter")}
    rewriter = Recorder(replies=bad)
    rewrites = double_rewrite(texts(7), "length", rewriter, depth=3)
    first = rewrites[rewrites.depth == 1].status.tolist()
    assert first == ["refused", "truncated", "empty", "failed", "unchanged", "refused", "ok"]
    asked = Counter(r.text for r in rewriter.asked)
    # unchanged goes on: dropping it would select on the outcome
    assert len(rewriter.asked) == 7 + 2 + 2 and max(asked.values()) == 1
    for i, status in enumerate(first):
        below = rewrites[(rewrites.example_id == f"e{i}") & (rewrites.depth > 1)]
        if status not in ("ok", "unchanged"):
            assert (set(below.status) == {status}
                    and set(below.finish_reason) == { "not_sent"}
                    and below.text.isna().all()
                    and not below.prompt_tokens.any())
    assert rewrites.error.notna().sum() == 1


def test_an_error_of_the_run_keeps_what_was_under_way(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    rewriter = Recorder(store=store, replies={"text number 9": EndpointError("the key was withdrawn")},
                        delay=.05, max_concurrency=5)
    with pytest.raises(EndpointError, match="withdrawn"):
        double_rewrite(texts(40), "length", rewriter, depth=1)
    assert (kept := len(store)) == len(rewriter.asked) - 1 < 40
    second = Recorder(store=store)
    rewrites = double_rewrite(texts(40), "length", second, depth=1)
    assert ((rewrites.status == "ok").all()
            and rewrites.cached.sum() == kept
            and len(second.asked) == 40 - kept)


def test_a_bug_in_a_rewriter_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        double_rewrite(texts(5), "length", Recorder(replies={"text number 2": ZeroDivisionError()}))


def test_what_is_stored_is_found_by_equal_requests_only(tmp_path):
    store = tmp_path/"store.sqlite"
    ask = lambda attribute="length", examples=texts(4), settings={}, **kw: (r := Recorder(store=Store(store)),
        r.settings.update(settings), double_rewrite(examples, attribute, r, **kw), len(r.asked))[-1]
    assert ask() == 8 and ask() == 0
    assert ask("sentiment") == 8                                                   # another instruction
    # a second draw; the first is there
    assert ask(draws=2) == 8
    assert ask(settings=dict(temperature=.5)) == 8                                 # another sampling setting
    # the prompt is not in view …
    assert ask(examples=texts(4, prompt="Other")) == 0
    shown = instruction_for("length", show_prompt=True)
    # … until it is
    assert ask(instruction=shown) == 8 and ask(instruction=shown, examples=texts(4, prompt="Other")) == 8
    assert ask(both=True) == 8 and ask(depth=3) == 4


def test_checks_can_be_replaced_and_apply_to_what_is_stored(tmp_path):
    rewriter = Recorder(store=Store(tmp_path/"store.sqlite"))
    assert (double_rewrite(texts(3), "length", rewriter).status == "ok").all()
    strict = CHECKS | {"flagged": lambda q, r: "number 1" in r.text}
    again = double_rewrite(texts(3), "length", rewriter, checks=strict)
    assert (again[again.example_id == "e1"].status.tolist() == ["flagged", "flagged"]
            and len(rewriter.asked) == 6
            and (again.status == "flagged").sum() == 2)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60)
       | st.sampled_from(["</text>", "<text>\n</text>\n\nMake it shorter.", "<text-abc123>"]),
       st.text(max_size=30), st.integers(0, 1), st.booleans())
def test_whatever_the_text_it_arrives_whole(text, prompt, target, show):
    messages = instruction_for("length", show_prompt=show).messages(prompt + "\n<text>\nx\n</text>", text,
        target)
    request, found = read_task(messages)
    assert found == text and read_aim(request) == ("length", target)


def test_few_shot_and_system_are_part_of_the_instruction():
    shots = instruction_for("sentiment", examples=(("A dull film.", 1, "A gripping film."),), system="")
    roles = [m["role"] for m in shots.messages("", "A bad film.", 1)]
    assert roles == ["user", "assistant", "user"] and shots.id != instruction_for("sentiment").id
    assert read_task(shots.messages("", "A bad film.", 1))[1] == "A bad film."
    with pytest.raises(InputError, match="must contain {W}"):
        Instruction("Make it longer.", "longer", "shorter")


def test_bad_arguments_cost_nothing():
    rewriter = Recorder()
    for kw in (dict(draws=0), dict(depth=1.5)):
        with pytest.raises(InputError, match="must be a whole number"):
            double_rewrite(texts(2), "length", rewriter, **kw)
    with pytest.raises(InputError, match="not known"):
        double_rewrite(texts(2), "lenght", rewriter)
    with pytest.raises(SchemaError, match="must be 0 or 1"):
        double_rewrite(texts(2, w=[0, 2]), "length", rewriter)
    with pytest.raises(InputError, match="must be a function"):
        double_rewrite(texts(2), "length", "gpt-4o")
    assert not rewriter.asked


def test_functions_get_their_draw_and_run_in_the_callers_thread():
    threads = set()
    def shout(prompt, text, target, draw):
        threads.add(threading.current_thread())
        return f"{text}{draw}"
    rewrites = double_rewrite(texts(2), "length", shout, draws=3, depth=1)
    assert rewrites.text.tolist() == [f"text number {i}{d}" for i in range(2)
                                      for d in range(3)] and threads == {threading.current_thread()}
    assert (double_rewrite(texts(2), "length", lambda p, t, w: 7).status == "failed").all()


def test_a_call_is_done_when_its_reply_is_committed(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    class Checking(Recorder):
        # depth 2 asks only when depth 1 is in the file, as another connection sees it
        async def rewrite(self, request):
            if "→" in request.text:
                with closing(sqlite3.connect(store.path)) as other:
                    assert other.execute("SELECT 1 FROM entries WHERE value LIKE ?",
                                         (f'%{json.dumps(request.text)[1:-1]}%',)).fetchone()
            return await super().rewrite(request)
    rewrites = double_rewrite(texts(30), "length", Checking(store=store, max_concurrency=10, delay=.01))
    assert (rewrites.status == "ok").all() and len(store) == 60


def test_whoever_was_first_is_followed(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    class Late(Recorder): # while its call is under way another process keeps an answer to the same request
        async def rewrite(self, request):
            store.put_many("rewrite",
                           {request_key(self, request): dict(text=f"{request.text} theirs",
                                                             finish_reason="stop")})
            return await super().rewrite(request)
    rewrites = double_rewrite(texts(3), "length", Late(store=store))
    assert rewrites.text.tolist() == [f"text number {i}{' theirs' * d}" for i in range(3) for d in (1, 2)]


def test_a_store_that_cannot_be_written_ends_the_run(tmp_path):
    store = Store(tmp_path/"store.sqlite")
    store._change = lambda *a: (_ for _ in ()).throw(RateError("the disk is full"))
    with pytest.raises(RateError, match="disk is full"):
        double_rewrite(texts(40), "length", rewriter := Recorder(store=store, delay=.01, max_concurrency=5),
                       depth=1)
    assert len(rewriter.asked) <= 10                                               # and does not go on paying


def patient(rewriter, pause=.01): # no long pauses in a test
    rewriter.jitter = type("NoJitter", (), {"uniform": staticmethod(lambda a, b: pause)})
    return rewriter


@pytest.mark.parametrize("budget", [.05, .2])
def test_a_budget_is_not_passed_whatever_happens(tmp_path, budget):
    prices = {"sandbox-rewriter": (100, 200)}
    ask = lambda box, **kw: patient(OpenAIRewriter("sandbox-rewriter", box.base_url,
                                                   store=tmp_path/"s.sqlite", prices=prices, max_tokens=80,
                                                   **kw))
    with Sandbox(trouble=STORM, latency=.005) as box:
        with pytest.raises(BudgetError, match="used up.*a higher `budget`"):
            double_rewrite(films(60), "sentiment", poor := ask(box, budget=budget))
        paid = (100 * poor.prompt_tokens + 200 * poor.completion_tokens) / 1e6
        assert 0 < paid <= poor.budget.spent + 1e-9 # added up in another order, the last digit may differ
        assert (poor.budget.spent <= budget
                and poor.budget.reserved == 0
                and poor.calls == len(poor.store) == box.served)
        dearest = max(poor.budget.most(poor.body(RewriteRequest("", text, 1, 0,
            instruction_for("sentiment")))) for text in films(60).response)
        assert poor.budget.spent > budget - dearest                    # it did not stop before it had to
        rich = ask(box, budget=50)
        assert (not (double_rewrite(films(60), "sentiment", rich).status == "failed").any()
                and len(box.succeeded) == len(set(box.succeeded)))
    assert rich.calls + poor.calls == box.served


def imdb_pairs():
    files = [pd.read_csv(DATA/"imdb_counterfactual"/f"{part}_paired.tsv", sep="\t")
             for part in ("dev", "test")]
    for _, pair in itertools.chain(*(f.groupby("batch_id") for f in files)):
        yield from itertools.permutations(pair.Text, 2)


def rm_bench(*names): return [row for name in names
                              for row in json.loads((DATA/"rm_bench"/f"{name}_filtered.json").read_text())]


@needs("imdb_counterfactual")
def test_no_false_alarm_on_reviews_that_people_rewrote():
    rates = alarm_rates(*zip(*imdb_pairs()))
    assert rates.n.iloc[0] > 1400 and rates.rate[["refused", "empty",
                                                  "answered"]].max() < 1e-3 and rates.rate["unchanged"] < .01


@needs("rm_bench")
def test_no_false_alarm_on_versions_of_one_answer():
    pairs = [p for row in rm_bench("chat", "code") for side in ("chosen", "rejected")
             for p in itertools.permutations(row[side], 2)]
    rates = alarm_rates(*zip(*pairs))
    assert rates.n.iloc[0] > 4000 and rates.rate[["refused", "empty", "answered"]].max() < 1e-3


@needs("rm_bench")
def test_answers_to_questions_are_caught():
    pairs = [(row["prompt"], answer) for row in rm_bench("chat", "safety-refuse")
             if row["prompt"].rstrip().endswith("?") for answer in row["rejected"]
             if not looks_refused(answer)]
    rates = alarm_rates(*zip(*pairs))
    assert rates.n.iloc[0] > 600 and rates.rate["answered"] > .75


@needs("rm_bench")
def test_refusals_are_caught_unless_the_text_was_one():
    refusals = [answer for row in rm_bench("safety-refuse") for answer in row["chosen"]]
    review = "The plot was dull and nobody in it had anything to do from start to end."
    rates = alarm_rates([review] * len(refusals), refusals)
    # those not seen as refusals have nothing of the review either
    assert rates.rate["refused"] > .9 and rates.rate["ok"] < .02
    caught = [r for r in refusals if looks_refused(r)]
    assert alarm_rates(caught, caught[1:] + caught[:1]).rate["refused"] == 0


def test_an_apology_that_keeps_the_text_is_no_refusal():
    text = "A used filter cannot be returned for reasons of hygiene. Please recycle it at the nearest depot."
    sorry = f"I apologize for the inconvenience. {text}"
    declined = ["I'm sorry, but I can't rewrite this text about a used filter.", "I cannot help with that."]
    rates = alarm_rates([text] * 3, [sorry, *declined])
    assert looks_refused(sorry) and rates.alarms["ok"] == 1 and rates.alarms["refused"] == 2
    assert alarm_rates(["It was dull."], ["I'm sorry, I can't say it was dull."]).alarms["refused"] == 1


@needs("imdb_counterfactual")
def test_the_sentiment_rule_recognises_what_people_wrote():
    from rate_nb.data.attributes import ATTRIBUTES
    a, right, wrong, n = ATTRIBUTES["sentiment"], 0, 0, 0
    for part in ("dev", "test"):
        for _, pair in pd.read_csv(DATA/"imdb_counterfactual"/f"{part}_paired.tsv",
                                   sep="\t").groupby("batch_id"):
            by = dict(zip(pair.Sentiment, pair.Text))
            n += 1
            right += a.complies(by["Negative"], by["Positive"], 1)
            wrong += a.complies(by["Negative"], by["Positive"], 0)
    assert n > 700 and right / n > .9 and wrong / n < .025


@needs("imdb_counterfactual")
def test_how_often_the_sentiment_label_is_right_about_a_review():
    from rate_nb.data.attributes import ATTRIBUTES
    texts = pd.concat([pd.read_csv(DATA/"imdb_counterfactual"/f"{part}_paired.tsv", sep="\t")
                       for part in ("dev", "test")])
    label = ATTRIBUTES["sentiment"].label(texts.Text)
    right = (label == texts.Sentiment.eq("Positive"))[~np.isnan(label)]
    assert len(right) > 1460 and .76 < right.mean() < .79
    declined = ATTRIBUTES["sentiment"].label(["Fold the shirt along its middle.", "A superb film."])
    assert np.isnan(declined[0]) and declined[1] == 1


def client(box, **kw): return patient(OpenAIRewriter("sandbox-rewriter", box.base_url, **kw))

def failing(box, fails): # the sandbox's answers, but for those that `fails(text)` says something about
    answer = box.answer
    def wrapped(asked, key):
        if trouble := fails(read_task(asked["messages"])[1]):
            raise trouble
        return answer(asked, key)
    box.answer = wrapped


def test_no_key_reaches_a_table_or_an_error():
    coded = base64.b64encode(b"tok-9-secret").decode()
    said = ("you sent Authorization: Bearer tok-9-secret and X-Key other-secret, that is TOK-9-SECRET, or "
            f"{coded}; sk-proj-secret1234")
    def hidden(words): return "secret" not in words.casefold() and coded not in words
    with Sandbox(api_key="tok-9-secret") as box:
        failing(box, lambda text: WireError(400, said, code=coded, param="tok-9-secret"))
        ask = lambda **kw: double_rewrite(films(3), "sentiment",
                                          client(box, api_key=lambda: "tok-9-secret",
                                                 extra_headers={"X-Key": "other-secret"}, max_retries=0,
                                                 **kw), depth=1)
        assert ((rows := ask()).status.eq("failed").all()
                and rows.error[0].startswith("HTTP 400")
                and hidden("".join(rows.error)))
        with pytest.raises(EndpointError, match="in a row, lastly with: HTTP 400") as e:
            ask(give_up_after=1)
        assert hidden(str(e.value))
        # text in place of a completion
        box.answer = lambda *a: ("echo: tok-9-secret" + "x" * 99, None)
        rows = ask(give_up_after=None)
        assert "text in place of a completion" in rows.error[0] and hidden("".join(rows.error))
    assert shown_address("https://me:pw@h.example/v1?api-key=tok-9-secret#x") == "https://h.example/v1"


def test_half_a_surrogate_pair_from_the_server_loses_nothing(tmp_path):
    with Sandbox() as box:
        failing(box, lambda text: WireError(400, "bad \ud800 text") if "number 1" in text else None)
        answer = box.answer
        box.answer = lambda asked, key: (lambda a: (a[0] | dict(model="m-\ud800"), a[1]))(answer(asked, key))
        rows = double_rewrite(films(3), "sentiment", client(box), depth=1)
    assert (rows.status.tolist() == ["ok", "failed", "ok"]
            and rows.error[1].startswith("HTTP 400")
            and rows.model[0] == "m-\ufffd")
    odd = Recorder(replies={"text number 0": Reply("Fine \ud800", "st\ud800", "m\ud800"),
                            "text number 1": Reply(error="e\ud800")})
    rows = double_rewrite(texts(2), "length", odd, depth=1)
    assert rows.finish_reason[0] == "st\ufffd" and rows.model[0] == "m\ufffd" and rows.error[1] == "e\ufffd"


def test_a_rewriter_can_be_used_again_once_its_key_is_right():
    with Sandbox(api_key="right-key") as box:
        key = ["wrong-key"]
        rewriter = client(box, api_key=lambda: key[0])
        with pytest.raises(EndpointError, match="refuses the API key"):
            double_rewrite(films(3), "sentiment", rewriter)
        # as it comes out of a file
        key[0] = " right-key\n"
        assert (double_rewrite(films(3), "sentiment", rewriter).status == "ok").all()
        # keys that rotate
        box.api_key = key[0] = "next-key"
        assert (double_rewrite(films(3), "sentiment", rewriter).status == "ok").all()
        stumble = ["number"]
        failing(box, lambda text: WireError(400, "no") if stumble[0] in text else None)
        fresh = client(box, api_key=lambda: key[0], give_up_after=3, max_concurrency=1)
        with pytest.raises(EndpointError, match="failed 3 requests of .* in a row"):
            double_rewrite(films(5), "sentiment", fresh)
        stumble[0] = "number 0"
        assert double_rewrite(films(5), "sentiment", fresh,
                              depth=1).status.tolist() == ["failed"] + ["ok"] * 4


@pytest.mark.parametrize("key,match",
                         [(lambda: os.environ["NO_SUCH_KEY"], "`api_key` .*lambda.* raised KeyError: "
                                                              "'NO_SUCH_KEY'"),
                          (lambda: 7, "must give text, not int"),
                                       (lambda: "sk-two words-9", "a space, a line break or a sign"),
                          (lambda: "sk-é-secret", "a sign beyond ASCII")])
def test_a_key_that_is_none_is_an_error_at_once(key, match):
    with Sandbox() as box:
        with pytest.raises(EndpointError, match=match) as e:
            double_rewrite(films(2), "sentiment", client(box, api_key=key))
        assert not box.log and "secret" not in str(e.value) and "words-9" not in str(e.value)


def test_a_dead_end_does_not_wait_for_those_that_wait():
    with Sandbox() as box:
        failing(box, lambda text: WireError(402, "pay first") if "number 7" in text
                else WireError(503, "busy", retry_after=60) if "number 3" in text else None)
        began = time.monotonic()
        with pytest.raises(EndpointError, match="no credit left"):
            double_rewrite(films(9), "sentiment", rewriter := client(box, max_concurrency=4))
        assert time.monotonic() - began < 15 and not rewriter.calling and rewriter.gate.active == 0


def test_what_was_never_sent_costs_nothing():
    rewriter = OpenAIRewriter("sandbox-rewriter", "http://127.0.0.1:9/v1", budget=1.,
                              prices={"sandbox-rewriter": (100, 100)})
    async def cancelled():
        rewriter.gate.slow_down(60.)
        task = asyncio.create_task(rewriter.rewrite(RewriteRequest("", "A dull film.", 1, 0,
            instruction_for("sentiment"))))
        await asyncio.sleep(.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    run_async(cancelled())
    assert rewriter.budget.spent == rewriter.budget.reserved == rewriter.attempts == 0


def test_checks_that_look_beyond_the_text_are_asked_each_time(tmp_path):
    store, bad = Store(tmp_path/"s.sqlite"), set()
    checks = CHECKS | {"flagged": lambda q, r: r.text in bad or "forbidden" in q.prompt}
    run = lambda prompt: double_rewrite(texts(2, prompt=prompt), "length", Recorder(store=store), depth=1,
                                        checks=checks).status.tolist()
    assert run("") == ["ok", "ok"] and run("forbidden") == ["flagged", "flagged"]
    bad.add("text number 1 →0")
    assert run("") == ["ok", "flagged"]


def test_numbers_have_one_form_and_are_checked():
    same = lambda a, b: OpenAIRewriter("m", **a).settings == OpenAIRewriter("m",
        **b).settings and json.dumps(OpenAIRewriter("m", **a).settings) == json.dumps(OpenAIRewriter("m",
            **b).settings)
    assert (same(dict(temperature=0), dict(temperature=0.))
            and same(dict(temperature=.7), dict(temperature=np.float32(.7)))
            and same(dict(seed=3), dict(seed=np.int64(3))))
    assert same(dict(top_p=1, stop=["a"], extra_body=dict(k=2)),
                dict(top_p=np.float64(1), stop=("a",),
                     extra_body=dict(k=np.int32(2)))) and same(dict(max_tokens=9),
                         dict(max_tokens=np.int64(9)))
    assert (not same(dict(temperature=0), dict(temperature=.1))
            and OpenAIRewriter("m", patience=float("inf")).patience == float("inf"))
    for name, values in dict(temperature=("hot", -1, True, float("nan")), seed=(1.5, "0", True),
                             timeout=(0, None, "1", float("inf")), max_tokens=(0, 1.5, True),
                             max_retries=(-1, None, .5),
                             patience=(-1, None), give_up_after=(0, "3"), max_concurrency=(0, True, 2.5),
                             model=(None, "", 7), batch=(None, 5), top_p=(object(), float("inf")),
                             budget=(0, -1, "5", True)).items():
        for v in values:
            with pytest.raises(InputError, match=f"`{name}`"):
                OpenAIRewriter(**dict(model="m", prices={"m": (1, 1)}) | {name: v})


def test_labels_and_counts_as_files_and_numpy_have_them():
    rows = double_rewrite(texts(4, w=["0", "1.0", 1., True]), "length", Recorder(), draws=np.int64(2),
                          depth=np.int32(1))
    assert rows.target_w.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    for kw in (dict(draws=True), dict(depth=np.bool_(True)), dict(depth=np.float64(2))):
        with pytest.raises(InputError, match="must be a whole number"):
            double_rewrite(texts(2), "length", Recorder(), **kw)


def test_a_function_needs_a_name_where_its_rewrites_are_stored(tmp_path):
    for f in (lambda p, t, w: t, texts):
        with pytest.raises(InputError, match="`name` must say which version"):
            FunctionRewriter(f, store=tmp_path/"s.sqlite")
    assert FunctionRewriter(lambda p, t, w: t, "echo-1",
                            store=tmp_path/"s.sqlite").settings[
                                "model"] == "echo-1" and "lambda" in FunctionRewriter(lambda p, t,
                                    w: t).settings["model"]


def test_a_limit_by_another_name(tmp_path):
    with Sandbox() as box:
        check, asked = box.check_model, []
        def modern(body):
            asked.append(body)
            if "max_tokens" in body:
                raise WireError(400, "Unsupported parameter: 'max_tokens' is not supported with this model. "
                                     "Use 'max_completion_tokens' instead.", "unsupported_parameter")
            return check(body)
        box.check_model = modern
        rewriter = client(box, store=tmp_path/"s.sqlite", max_tokens=500, max_concurrency=4)
        rows = double_rewrite(films(20), "sentiment", rewriter)
        assert (rows.status == "ok").all() and sum("max_tokens" in b for b in asked) <= 4
        assert {b.get("max_completion_tokens") for b in asked} == {None, 500}
        box.check_model = check
        # the same limit, the same key
        assert double_rewrite(films(20), "sentiment",
                              client(box, store=tmp_path/"s.sqlite", max_tokens=500)).cached.all()
    own = OpenAIRewriter("m", max_completion_tokens=9).body(RewriteRequest("", "A", 1, 0,
        instruction_for("length")))
    assert own["max_completion_tokens"] == 9 and "max_tokens" not in own
