"Scoring over real HTTP against a small server on this machine, files of scores, and ensembles."
import json, threading
from http.server import BaseHTTPRequestHandler
import numpy as np, pandas as pd, pytest
from servers import Handler, Quiet, Server, truth
from rate_nb.base.core import check_table, EndpointError, InputError, ModelError, SchemaError
from rate_nb.scoring.remote import HTTPReward, WIRES
from rate_nb.scoring.rewards import ensemble, scores_from_file, texts_to_score
from rate_nb.scoring.reward_models import objective_scores
from rate_nb.scoring.reward_models import CallableReward, RewardWarning, score_texts
from rate_nb.scoring.rewards import check_scorer, score_rewrites, try_reward
from rate_nb.base.store import Store
from rate_nb.audit import Audit

TEXTS = [f"{'good ' * (i % 4)}{'bad ' * (i % 3)}film {i}" for i in range(60)] + ["good", "good"]
PROMPTS = ["the film" if i % 3 else "the plot" for i in range(62)]


@pytest.fixture
def serve():
    made = []
    def make(**kw):
        made.append(Server(**kw))
        return made[-1]
    yield make
    for s in made:
        s.shutdown()
        s.server_close()


def model(server, wire, **kw):
    label = {"tei-predict": "POSITIVE", "vllm-classify": 0}.get(wire)
    return HTTPReward(server.url, wire, "tiny" if wire.startswith("vllm") else None, name="http",
                      **(dict(label=label) | kw))


@pytest.mark.parametrize("wire", WIRES)
def test_every_wire_gives_each_text_its_raw_score(wire, serve):
    server = serve()
    found = model(server, wire, per_request=7).score(PROMPTS, TEXTS)
    np.testing.assert_allclose(found, [truth(t) for t in TEXTS], atol=1e-12)
    distinct = len(set(zip(PROMPTS, TEXTS)))
    requests = [r for _, r, _ in server.seen]
    assert {p for p, _, _ in server.seen} == {WIRES[wire].path or "/"}
    sizes = [1 if {"messages", "response"} & {*r} else
             len(r.get("texts") or r.get("text_2") or r.get("inputs") or r.get("input")) for r in requests]
    assert sum(sizes) == distinct and max(sizes) <= 7                         # twins travel once
    if wire in ("vllm-classify", "vllm-pooling"):
        assert all([m["role"] for m in r["messages"]] == ["user", "assistant"]
                   and r["add_generation_prompt"] is False for r in requests)
    verdict = check_scorer(model(server, wire), PROMPTS[:10], TEXTS[:10])
    assert verdict.passed


@pytest.mark.parametrize("wire", ["vllm-classify", "vllm-pooling", "tei-predict"])
def test_text_of_your_making_travels_as_it_stands(wire, serve):
    server = serve()
    m = model(server, wire, show=lambda p, r: f"<s>{p}</s>{r}", per_request=5)
    np.testing.assert_allclose(m.score(PROMPTS[:12], TEXTS[:12]),
                               [truth(f"<s>{p}</s>{t}") for p, t in zip(PROMPTS, TEXTS[:12])], atol=1e-12)
    if wire.startswith("vllm"):
        assert all(r["add_special_tokens"] is False for _, r, _ in server.seen) # the text has its own
    assert m.key is None                                                     # a function of yours: not stored


def test_labels_are_chosen_and_the_others_kept(serve):
    server = serve()
    parts = objective_scores(PROMPTS[:6], TEXTS[:6], model(server, "tei-predict"))
    np.testing.assert_allclose(parts["NEGATIVE"], [-truth(t) for t in TEXTS[:6]])
    for wire, label in (("vllm-classify", None), ("tei-predict", "NEUTRAL")):
        with pytest.raises(InputError, match="`label` must be one of"):
            model(server, wire, label=label).score("p", ["good"])


def test_a_squashed_score_is_said_aloud(serve, recwarn):
    shrink = lambda rows: rows | dict(data=[d | dict(score=1 / (1 + np.exp(-d["score"])))
                                            for d in rows["data"]])
    with pytest.warns(RewardWarning, match="between 0 and 1"):
        model(serve(break_it=shrink), "vllm-score").score(PROMPTS, TEXTS)
    recwarn.clear()
    model(serve(), "vllm-score").score(PROMPTS, TEXTS)
    assert not [w for w in recwarn if "between 0 and 1" in str(w.message)]


# JSON has no NaN: text-embeddings-inference writes null
def test_a_null_score_is_one_row_that_is_not_finite(serve, tmp_path):
    ex = pd.DataFrame(dict(example_id=range(3), prompt_id=range(3), prompt="p",
                           response=["good", "bad", "plot"], w=[0, 1, 0]))
    for wire, field in (("tei-rerank", "score"), ("vllm-score", "score")):
        def break_it(rows):
            rows = rows if isinstance(rows, list) else rows["data"]
            rows[0][field] = None
            return rows if wire == "tei-rerank" else dict(data=rows)
        rewards = score_rewrites(ex, None, model(serve(break_it=break_it), wire), progress=False)
        assert sorted(rewards.status) == ["not_finite", "ok", "ok"] and rewards.reward.isna().sum() == 1
    nothing = HTTPReward(serve(break_it=lambda answer: dict(score=None)).url, "plain")
    with pytest.raises(ModelError, match=r"The service answered \(“{\"score\": null}”\). Make it answer"):
        try_reward(nothing, ["p"]*3, ["good", "bad", "plot"])


def asked(server, tmp_path):
    rows = [dict(prompt=f"Review film {i}.", response=f"A {'good ' * (i % 3)}film, number {i}. "*(1 + i % 2))
            for i in range(24)]
    return dict(examples=rows, attribute="length", rewriter="sandbox", run_dir=str(tmp_path / "run"),
                reward=dict(url=f"{server.url}/", wire="plain"), draws=1)


def test_a_service_of_ten_lines_is_audited(serve, tmp_path):
    "A prompt and a response in, a score out: the effects are those of the formula behind the service"
    server = serve()
    audit = Audit.from_config(asked(server, tmp_path))
    effects = audit.effects()
    scored = audit.tables.scored
    texts = audit.examples.set_index("example_id").response
    np.testing.assert_allclose(scored.reward_original, [truth(texts[i]) for i in scored.example_id])
    assert {*effects.table.model} == {audit.models[0].name} and all(
        set(r) == {"prompt", "response"} for _, r, _ in server.seen)
    audit.services.close()


def test_rewards_of_two_checkpoints_are_not_mixed(serve, tmp_path):
    "A run that goes on, after another model was started behind the same address"
    server = serve()
    http = lambda **kw: HTTPReward(f"{server.url}/", "plain", name="http", **kw)
    with Store(tmp_path / "store.sqlite") as store:
        score_texts(PROMPTS[:30], TEXTS[:30], http(), store)
        score_texts(PROMPTS[:40], TEXTS[:40], http(), store) # the same one
        server.break_it = lambda rows: dict(score=.8*rows["score"] + .1)
        with pytest.raises(ModelError, match="gives other rewards now .*revision='step-2000'"):
            score_texts(PROMPTS, TEXTS, http(), store)
        found = score_texts(PROMPTS, TEXTS, http(revision="step-2"), store)
    np.testing.assert_allclose(found, [.8*truth(t) + .1 for t in TEXTS])


def test_a_new_audit_does_not_take_the_rewards_of_an_earlier_checkpoint(serve, tmp_path):
    "All of them are stored, so nothing would be scored"
    server = serve()
    def run(folder):
        audit = Audit.from_config(asked(server, tmp_path) | dict(
            store=str(tmp_path / "store.sqlite"), run_dir=str(tmp_path / folder)))
        try:
            return audit.effects().table.estimate.to_list()
        finally:
            audit.services.close()
    assert run("one") == run("two")
    server.break_it = lambda rows: dict(score=.8*rows["score"] + .1)
    with pytest.raises(ModelError, match="gives other rewards now"):
        run("three")


@pytest.mark.parametrize("trouble, quoted", [
    (dict(break_it=lambda a: dict(scores=[1])), '{"scores": [1]}'),
    (dict(break_it=lambda a: dict(score="0.5 of 1")), "0.5 of 1"),
    (dict(trouble=[(422, dict(detail=[dict(loc=["body", "reply"], msg="Field required")]))]*99),
     "Field required"),
    (dict(trouble=[(500, dict(detail="no gpu left"))]*99), "no gpu left")])
def test_a_service_that_answers_otherwise_ends_the_run_before_it_is_paid(trouble, quoted, serve, tmp_path):
    said = asked(serve(**trouble), tmp_path)
    said["reward"] |= dict(max_retries=1)
    with pytest.raises(EndpointError) as error:
        Audit.from_config(said).effects()
    assert quoted in str(error.value) and '{"score": 1.5}' in str(error.value)
    with pytest.raises(EndpointError) as error: # what it was sent, it does not repeat
        HTTPReward(serve(break_it=lambda a: dict(echo="a Bearer sesame-key")).url, "plain",
                   api_key=lambda: "sesame-key").score("p", ["good"])
    assert "sesame" not in str(error.value)


def test_a_scoring_server_that_asks_to_wait_is_quoted(serve, capsys):
    busy = serve(trouble=[(429, {}, dict(Retry_After="5.5"))])
    assert model(busy, "plain", max_concurrency=1).score("p", ["good"])[0] == truth("good")
    assert "before the next attempt, until" in capsys.readouterr().out


class Odd(BaseHTTPRequestHandler):
    "Answers as its server says: half an answer, no HTTP at all, a redirection, an echo of what it was sent"
    def do_POST(self):
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text_2"]
        self.server.seen.append(dict(self.headers))
        kind = self.server.kinds.pop(0) if len(self.server.kinds) > 1 else self.server.kinds[0]
        raw = json.dumps(dict(data=[dict(index=i, score=truth(t)) for i, t in enumerate(texts)])).encode()
        if kind == "garbage":
            self.wfile.write(b"what?\r\n\r\n")
            return
        if kind == "elsewhere":
            self.send_response(302)
            self.send_header("Location", self.server.other)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if kind in (401, 422):
            raw = json.dumps(dict(error=f"bad: {self.headers['Authorization']}")).encode()
        self.send_response(kind if isinstance(kind, int) else 200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw[:9] if kind == "half" else raw)
    do_GET = lambda self: self.server.seen.append(dict(self.headers))
    def log_message(self, *args): pass


@pytest.fixture
def odd():
    made = []
    def make(*kinds, other=None):
        s = Quiet(("127.0.0.1", 0), Odd)
        s.kinds, s.seen, s.other = list(kinds), [], other
        s.url = f"http://127.0.0.1:{s.server_port}"
        made.append(s)
        threading.Thread(target=s.serve_forever, daemon=True).start()
        return s
    yield make
    for s in made:
        s.shutdown()
        s.server_close()


def test_a_key_goes_nowhere_else_and_into_no_message(odd):
    other = odd("fine")
    with pytest.raises(EndpointError, match="302"):
        model(odd("elsewhere", other=f"{other.url.replace('127.0.0.1', 'localhost')}/score"), "vllm-score",
              api_key=lambda: "sesame").score("p", ["good"])
    assert other.seen == []
    with pytest.raises(EndpointError, match="401") as error:
        model(odd(401), "vllm-score", api_key=lambda: "sesame").score("p", ["good"])
    with pytest.warns(RewardWarning, match="HTTP 422") as said:
        model(odd(422), "vllm-score", api_key=lambda: "sesame").score("p", ["good"])
    assert "sesame" not in str(error.value) + "".join(str(w.message) for w in said)


def test_a_dead_address_and_a_silent_server(serve):
    dead = Server()
    dead.shutdown()
    dead.server_close()
    with pytest.raises(EndpointError, match=r"^nothing answers at http://127.0.0.1:\d+: is the server "
                                            r"running, and is the address right\?$"):
        model(dead, "vllm-score", max_retries=0).score("p", ["good"])
    with pytest.raises(EndpointError, match="gave no scores: timed out.*which `timeout` sets"):
        model(serve(pause=2.), "vllm-score", max_retries=0, timeout=.3).score("p", ["good"])


def test_what_a_server_says_of_its_failure_is_quoted(serve):
    server = serve()
    def do_POST(self): self.say(500, dict(error="CUDA out of memory"))
    server.RequestHandlerClass = type("Full", (Handler,), dict(do_POST=do_POST))
    with pytest.raises(EndpointError, match="HTTP 500.*“CUDA out of memory”"):
        HTTPReward(server.url, "plain", max_retries=0).score("p", ["good"])


def test_a_header_that_is_missing_is_named_with_the_setting_of_the_key(serve):
    server = serve()
    def do_POST(self): self.say(401, dict(error="Missing X-API-Key header, not x-api-key-a or sk-API-Key"))
    server.RequestHandlerClass = type("Locked", (Handler,), dict(do_POST=do_POST))
    with pytest.raises(EndpointError, match="“Missing X-API-Key header, not … or …”.*`api_key_env` of the "
                                            "reward names, and is sent as Authorization: Bearer.*function"):
        HTTPReward(server.url, "plain").score("p", ["good"])
    with pytest.raises(EndpointError, match="HTTP 401") as error: # a key that reads like a header's name
        HTTPReward(server.url, "plain", api_key=lambda: "x-api-key").score("p", ["good"])
    assert "x-api-key" not in str(error.value).casefold()


@pytest.mark.parametrize("wire, model_of, said, answers", [
    ("vllm-score", "m", "Not Found", r"/score is not known there .*`wire` 'vllm-score' adds /score"),
    ("plain", None, "Not Found", r"is not known there \(HTTP 404\).*`wire` 'plain' adds nothing to `url`"),
    ("vllm-score", "m", "The model m does not exist", "it does not know the model or the path .HTTP 404"),
])
def test_a_path_that_is_not_known_is_told_from_a_model(wire, model_of, said, answers, serve):
    server = serve()
    def do_POST(self): self.say(404, dict(error=dict(message=said)))
    server.RequestHandlerClass = type("Lost", (Handler,), dict(do_POST=do_POST))
    with pytest.raises(EndpointError, match=answers):
        HTTPReward(server.url, wire, model_of).score("p", ["good"])


def test_a_refused_text_is_a_row_and_is_tried_again(serve, tmp_path):
    class Picky(Server):
        shy = True
        def answer(self, path, r):
            if self.shy and any("plot" in t for t in r["text_2"]):
                raise ValueError
            return super().answer(path, r)
    ex = pd.DataFrame(dict(example_id=range(6), prompt_id=range(6), prompt="p",
                           response=["good", "bad", "plot", "film", "so so", "fine"], w=[0, 1] * 3))
    server = Picky()
    def do_POST(self, post=Handler.do_POST):
        try:
            post(self)
        except ValueError:
            self.say(422, dict(error="input too long"))
    server.RequestHandlerClass = type("Polite", (Handler,), dict(do_POST=do_POST))
    try:
        with Store(tmp_path / "s.sqlite") as store:
            rewards = score_rewrites(ex, None, model(server, "vllm-score"), store=store, progress=False)
            assert check_table(rewards, "rewards").status.tolist() == ["ok", "ok", "failed", "ok", "ok",
                "ok"] and np.isnan(rewards.reward[2])
            with pytest.warns(RewardWarning, match="HTTP 422.*row 0"):
                score_texts("p", ["plot"], model(server, "vllm-score"), store=store)
            before, server.shy = len(server.seen), False
            again = score_rewrites(ex, None, model(server, "vllm-score"), store=store, progress=False)
        # only the refused text is asked for, after a request that looks whether the model is still the same
        assert again.status.eq("ok").all() and len(server.seen) == before + 2
    finally:
        server.shutdown()
        server.server_close()


def test_the_proxy_is_not_for_this_machine(serve, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert model(serve(), "vllm-score").score("p", ["good"])[0] == truth("good")


def test_keys_hold_what_decides_the_number():
    make = lambda **kw: HTTPReward("http://x:1", "vllm-score", "tiny", **kw).key
    keys = [make(), make(revision="2"), make(extra=dict(truncate_prompt_tokens=9)),
            HTTPReward("http://x:1", "vllm-score", "other").key,
            HTTPReward("http://x:1", "vllm-classify", "tiny", label=0).key]
    assert len(set(keys)) == 5 and make(per_request=3, timeout=9, name="other name") == keys[0]
    for bad, match in ((dict(wire="soap"), "`wire`"), (dict(url="x:1"), "`url`"),
                       (dict(layout="pair", wire="vllm-classify"), "`layout`"),
                       (dict(layout="text", wire="vllm-classify"), "`show`"),
                       (dict(api_key="k"), "`api_key`")):
        with pytest.raises(InputError, match=match):
            HTTPReward(**(dict(url="http://x:1", wire="vllm-score") | bad))


# ---- files

def audit():
    ex = pd.DataFrame(dict(example_id=list("abc"), prompt_id=list("abc"),
                           prompt=["p, \"q\"", "p\nnew line", "007"], response=["NA", "", "3.50"],
                           w=[1, 0, 1]))
    rw = pd.DataFrame([(e, 0, 1, 1 - w, f"{e} ümlaut\t", "ok") for e, w in zip(ex.example_id, ex.w)]
                      + [("a", 0, 2, 1, None, "refused")],
                      columns=["example_id", "draw", "depth", "target_w", "text",
                               "status"]).assign(instruction_id="i")
    return ex, rw


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_files_are_joined_by_text_whatever_the_text(kind, tmp_path):
    ex, rw = audit()
    table = texts_to_score(ex, rw)
    # the refused rewrite is not listed
    assert len(table) == 6
    table = table.assign(reward=[i / 8 for i in range(6)]).sample(frac=1, random_state=3)
    path = tmp_path / f"scores.{kind}"
    dict(csv=lambda: table.to_csv(path, index=False), tsv=lambda: table.to_csv(path, index=False, sep="\t"),
         parquet=lambda: table.to_parquet(path),
         jsonl=lambda: table.to_json(path, orient="records", lines=True, double_precision=15))[kind]()
    found = score_rewrites(ex, rw, scores_from_file(path), progress=False)
    assert found.model.eq("scores").all() and found.status.tolist() == ["ok"] * 6 + ["refused"]
    np.testing.assert_allclose(found.reward[:6], [i / 8 for i in range(6)], atol=1e-14)
    assert scores_from_file(path).key == scores_from_file(table).key != scores_from_file(
        table.assign(reward=1.)).key


def test_files_that_cannot_be_joined_are_refused(tmp_path):
    ex, rw = audit()
    table = texts_to_score(ex, rw).assign(reward=1.)
    with pytest.raises(InputError, match="no score for 2 texts of 6"):
        score_rewrites(ex, rw, scores_from_file(table[:4]), progress=False)
    partial = score_rewrites(ex, rw, scores_from_file(table[:4], "half", missing="failed"), progress=False)
    assert partial.status.value_counts().to_dict() == dict(ok=4, failed=2, refused=1)
    empty = score_rewrites(ex, rw, scores_from_file(table.assign(reward=[np.nan] + [1.] * 5)), progress=False)
    assert empty.status[0] == "failed"
    for bad, match in ((pd.concat([table, table[:1].assign(reward=2.)]), "two different"),
                       (table.drop(columns="response"), "1 column missing: response"),
                       (table.assign(reward=["high"] + ["1"] * 5), "must be a number; 1 row does not")):
        with pytest.raises(SchemaError, match=match):
            scores_from_file(bad)
    for path, match in ((tmp_path / "no.csv", "no such file"), (tmp_path / "x.xlsx", "ends in")):
        if path.suffix == ".xlsx":
            path.write_text("")
        with pytest.raises(InputError, match=match):
            scores_from_file(path)
    with pytest.raises(InputError, match="`missing`"):
        scores_from_file(table, missing="ignore")


# ---- ensembles

def test_an_ensemble_is_the_mean_of_standardised_rewards(tmp_path):
    a, b = CallableReward("a", lambda p, r: [len(x) for x in r], key="1"), CallableReward("b", lambda p,
        r: [50 - 9. * x.count("good") for x in r], key="1")
    ra, rb = (np.array(m.score("p", TEXTS)) for m in (a, b))
    z = lambda v: (v - v.mean()) / v.std(ddof=1)
    with Store(tmp_path / "s.sqlite") as store:
        both, tilted = ensemble([a, b], "p", TEXTS, store=store), ensemble([a, b], "p", TEXTS, weights=[3, 1])
        np.testing.assert_allclose(score_texts("p", TEXTS, both, store=store), (z(ra) + z(rb)) / 2,
                                   atol=1e-12)
        calls = a.forward_passes
        score_texts("p", TEXTS, ensemble([a, b], "p", TEXTS, store=store), store=store)
        # the members' rewards were stored
        assert a.forward_passes == calls
    np.testing.assert_allclose(tilted.score("p", TEXTS), (3 * z(ra) + z(rb)) / 4, atol=1e-12)
    assert (check_scorer(both, "p", TEXTS[:9]).passed
            and both.key != tilted.key
            and ensemble([a, lambda p, r: [len(x) for x in r]], "p", TEXTS).key is None)
    parts = objective_scores("p", TEXTS, both)
    np.testing.assert_allclose(parts["a"], z(ra), atol=1e-12)


def test_what_a_member_failed_on_is_not_kept_as_a_number_that_is_not_there(tmp_path):
    texts, table = ["a", "bb",
                    "cccc"], pd.DataFrame(dict(prompt="p", response=["a", "bb", "cccc"], reward=[1., 2., 3.]))
    length = CallableReward("length", lambda p, r: [len(x) for x in r], key="1")
    both = lambda: ensemble([scores_from_file(table, "file", missing="failed"), length], "p", texts)
    ex = pd.DataFrame(dict(example_id=range(2), prompt_id=range(2), prompt="p", response=["a", "new"],
                           w=[0, 1]))
    with Store(tmp_path / "s.sqlite") as store, pytest.warns(RewardWarning, match="file: not in the file"):
        for _ in range(2):
            again = both()
            rewards = score_rewrites(ex, None, again, store=store, progress=False)
            assert rewards.status.tolist() == ["ok", "failed"] and np.isnan(rewards.reward[1])
    # only the failed one is tried again
    assert again.forward_passes == 1


def test_an_ensemble_is_checked_without_its_store(tmp_path):
    centred = CallableReward("centred", lambda p,
                             r: np.array([len(x) for x in r]) - np.mean([len(x) for x in r]), key="1")
    plain = CallableReward("plain", lambda p, r: [len(x) for x in r], key="1")
    with Store(tmp_path / "s.sqlite") as store:
        assert not check_scorer(ensemble([centred, plain], "p", TEXTS[:9], store=store), "p",
                                TEXTS[:9]).passed


def test_an_ensemble_needs_scales_and_names():
    a = CallableReward("a", lambda p, r: [len(x) for x in r])
    odd = CallableReward("odd", lambda p, r: [np.nan if "bad" in x else len(x) for x in r])
    flat = CallableReward("flat", lambda p, r: [0.] * len(r))
    for models, match in (([a], "two or more"), ([a, a], "different names"),
                          ([a, flat], "'flat' give every one"), ([a, odd], "'odd' give no finite")):
        with pytest.raises(InputError, match=match):
            ensemble(models, "p", TEXTS)
    b = CallableReward("b", lambda p, r: [x.count("g") for x in r])
    for weights in ([1], [1, -1], [0, 0], [1, np.nan]):
        with pytest.raises(InputError, match="`weights`"):
            ensemble([a, b], "p", TEXTS, weights=weights)
    some = ensemble([a, CallableReward("late", lambda p, r: [np.inf if x == "new" else x.count("g")
                                                             for x in r])], "p", TEXTS)
    with pytest.warns(RewardWarning, match="1 reward not finite"):
        assert np.isnan(some.score("p", ["new", "good"])[0])


class TwoNumbers(Handler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.say(200, dict(score=[1.5, 2.5]))


def test_a_service_that_gives_two_numbers_for_one_text_is_told_which_shape_is_wanted():
    with Quiet(("127.0.0.1", 0), TwoNumbers) as service:
        threading.Thread(target=service.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{service.server_port}/score"
        with pytest.raises(InputError, match="gave 2 numbers for one text.*{\"score\": 1.5}$") as told:
            HTTPReward(url, "plain").score("p", ["good"])
        service.shutdown()
    assert url in str(told.value) and "label" not in str(told.value)
