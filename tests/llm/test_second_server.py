"The same client code, unchanged, against an OpenAI-compatible server that is not ours: `transformers serve`"
import importlib.util, os, socket, subprocess, sys, time, urllib.request
from pathlib import Path
import pytest
from rate_nb.llm.local import LocalRewriter
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.base.store import Store
from test_local_llm import films, tiny_chat_model

pytestmark = [pytest.mark.slow("a server of another make is started"),
              pytest.mark.skipif(any(importlib.util.find_spec(m) is None
                                     for m in ("fastapi", "uvicorn", "accelerate")),
                                 reason="needs transformers[serving]")]


def wait_for(url, child, log, seconds=300):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert child.poll() is None, log.read_text()[-2000:]
        try:
            return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5)
        except OSError:
            time.sleep(.3)
    raise AssertionError(f"the server did not come up in {seconds} s: {log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    ("(address, model): a server in a process of its own, and the model it serves, which is the path of a "
     "tiny one")
    place = tmp_path_factory.mktemp("server")
    folder, log = tiny_chat_model(place/"tiny"), place/"log.txt"
    (place/"hf"/"hub").mkdir(parents=True)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with log.open("w") as out:
        child = subprocess.Popen([Path(sys.executable).parent/"transformers", "serve", folder, "--host",
                                  "127.0.0.1", "--port", str(port), "--device", "cpu"],
                                 env=os.environ | dict(HF_HOME=str(place/"hf"), HF_HUB_OFFLINE="1",
                                                       OMP_NUM_THREADS="1"), stdout=out,
                                 stderr=subprocess.STDOUT)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", child, log)
        yield f"http://127.0.0.1:{port}/v1", str(folder)
    finally:
        child.terminate()
        child.wait(20)


def test_every_row_has_a_status_and_a_second_run_makes_no_call(server, tmp_path):
    url, model = server
    run = lambda: OpenAIRewriter(model, url, store=tmp_path/"store.sqlite", max_concurrency=4, max_tokens=24)
    first = run()
    rewrites = double_rewrite(films(6), "sentiment", first)
    sent = rewrites.finish_reason != "not_sent"
    assert (len(rewrites) == 12
            and rewrites.status.notna().all()
            and not (rewrites.status == "failed").any()
            and first.calls == sent.sum() >= 6)
    assert (rewrites.finish_reason[sent].isin(["stop", "length"]).all()
            and (rewrites.completion_tokens[sent] <= 24).all()
            and (rewrites.prompt_tokens[sent] > 0).all())
    second = run()
    again = double_rewrite(films(6), "sentiment", second)
    assert (second.attempts == second.calls == 0
            and again.text.equals(rewrites.text)
            and again.status.equals(rewrites.status)
            and again.cached[sent].all())
    assert Store(tmp_path/"store.sqlite").verify() == sent.sum()


def test_greedy_text_is_what_the_same_model_writes_without_a_server(server):
    url, model = server
    far = double_rewrite(films(6), "sentiment",
                         OpenAIRewriter(model, url, temperature=0., max_tokens=24, seed=None))
    near = double_rewrite(films(6), "sentiment", LocalRewriter(model, max_new_tokens=24))
    columns = ["example_id", "depth", "text", "prompt_tokens", "completion_tokens"]
    assert near.text.nunique() > 4 and far[columns].equals(near[columns]), far[columns].compare(near[columns])
    # where the end token is the last one that is allowed, this server says "length" and we say "stop"
    early = near.completion_tokens < 24
    assert early.sum() > 4 and far.finish_reason[early].equals(near.finish_reason[early]) and far.status[
        early].equals(near.status[early])
