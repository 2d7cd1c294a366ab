"Servers on this machine that tests of several rooms ask: a chat endpoint, and one of rewards."
import inspect, json, re, sys, threading, time, zlib
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import numpy as np
from rate_nb.llm.openai import OpenAIRewriter


class Quiet(ThreadingHTTPServer):
    "A client that has stopped waiting writes no traceback among what the next test reads"
    daemon_threads = True
    request_queue_size = 128 # of five, a client of more connections waits a second for the next
    def handle_error(self, *_):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(*_)


class Endpoint:
    """A loopback chat endpoint: `say(messages, attempt)` gives text, an HTTP status, or fields of the choice;
    one with a third argument gets the whole request. Fields that it `refuses` are errors"""
    def __init__(self, say, refuses=()):
        self.say, self.asked, self.answered, self.bodies = say, Counter(), Counter(), []
        self.refuses, self.whole = refuses, len(inspect.signature(say).parameters) > 2

    def __enter__(self):
        outer, lock = self, threading.Lock()
        class Handler(BaseHTTPRequestHandler):
            protocol_version, disable_nagle_algorithm = "HTTP/1.1", True
            def log_message(self, *a): pass
            def send(self, status, body, **headers):
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for k, v in dict(headers, Content_Type="application/json", Content_Length=len(raw)).items():
                    self.send_header(k.replace("_", "-"), str(v))
                self.end_headers()
                self.wfile.write(raw)
            def do_GET(self): self.send(200,
                                        dict(object="list",
                                             data=[dict(id="judge", object="model", created=0,
                                                        owned_by="t")]))
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                key = json.dumps(body["messages"])
                with lock:
                    outer.asked[key] += 1
                    outer.bodies.append(body)
                    attempt = outer.asked[key]
                if unknown := [f for f in outer.refuses if f in body]:
                    return self.send(400, dict(error=dict(message=f"Unsupported parameter: {unknown[0]}",
                                                          code=None)))
                said = outer.say(body["messages"], attempt, *[body]*outer.whole)
                if isinstance(said, int):
                    return self.send(said, dict(error=dict(message="trouble", code=None)),
                                     **({"Retry_After": ".02"} if said == 429 else {}))
                if isinstance(said, (bytes, tuple)): # (status, bytes)
                    return self.send(*said if isinstance(said, tuple) else (200, said))
                choice = dict(index=0, finish_reason="stop", logprobs=None) | (said if isinstance(said, dict)
                    else dict(message=dict(role="assistant", content=said)))
                with lock:
                    outer.answered[key] += 1
                self.send(200,
                          dict(id="x", object="chat.completion", created=0, model="judge-0612",
                               choices=[choice],
                               usage=dict(prompt_tokens=11, completion_tokens=2, total_tokens=13)))
        self.server = Quiet(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=[.02], daemon=True).start()
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()

    def engine(self, **settings): return OpenAIRewriter("judge",
                                                        f"http://127.0.0.1:{self.server.server_port}/v1",
                                                        temperature=0, **settings)


def truth(text): return text.count("good") - 1.5 * text.count("bad") + len(text) / 100


class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True
    def log_message(self, *args): pass
    def say(self, code, body, **headers):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(raw)))
        for k, v in headers.items():
            self.send_header(k.replace("_", "-"), v)
        self.end_headers()
        self.wfile.write(raw)
    def do_POST(self):
        s, r = self.server, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with s.lock:
            s.seen.append((self.path, r, dict(self.headers)))
            s.now += 1
            s.most = max(s.most, s.now)
        try:
            time.sleep(s.pause)
            if s.trouble:
                code, body, *headers = s.trouble.pop(0)
                return self.say(code, body, **(headers[0] if headers else {}))
            self.say(200, s.answer(self.path, r))
        finally:
            with s.lock:
                s.now -= 1


class Server(Quiet):
    "Speaks vLLM's and TEI's scoring paths, strictly: a field a real server would not know is an error"
    def __init__(self, trouble=(), pause=0., break_it=None):
        self.trouble, self.pause, self.break_it, self.seen, self.lock, self.now, self.most = list(
            trouble), pause, break_it, [], threading.Lock(), 0, 0
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=[.02], daemon=True).start()

    def answer(self, path, r):
        if path == "/": # a plain service
            assert set(r) == {"prompt", "response"}, r
            rows = dict(score=truth(r["response"]))
            return self.break_it(rows) if self.break_it else rows
        sigmoid = lambda z: 1 / (1 + np.exp(-z))
        if path in ("/predict", "/rerank"):
            assert set(r) <= {"inputs", "query", "texts", "truncate", "raw_scores", "return_text"}, r
            if path == "/rerank":
                rows = [dict(index=i, score=truth(t) if r.get("raw_scores") else sigmoid(truth(t)))
                        for i, t in enumerate(r["texts"])]
                rows = sorted(rows, key=lambda d: -d["score"])              # as the real one: best first
            else:
                assert all(isinstance(i, list) and len(i) in (1, 2) for i in r["inputs"])
                rows = [sorted([dict(score=truth(i[-1]), label="POSITIVE"),
                                dict(score=-truth(i[-1]), label="NEGATIVE")], key=lambda d: -d["score"])
                        for i in r["inputs"]]
        else:
            assert r["model"] == "tiny"
            texts = [r["messages"][-1]["content"]] if "messages" in r else r[
                "text_2"] if path == "/score" else r["input"]
            if path == "/score":
                assert len(r["text_1"]) == len(r["text_2"])
            raw = [truth(t) if r.get("use_activation") is False else sigmoid(truth(t)) for t in texts]
            shape = {"/score": lambda i, v: dict(index=i, object="score", score=v), "/classify": lambda i,
                     v: dict(index=i, label="L", probs=[v, -v], num_classes=2),
                     "/pooling": lambda i,
                     v: dict(index=i, object="pooling", data=[v] if i % 2 else [[0.], [1.], [v]])}[path]
            rows = dict(id="x", object="list", created=0, model="tiny",
                        data=[shape(i, v) for i, v in enumerate(raw)][::-1],
                        usage=dict(prompt_tokens=1, total_tokens=1))
        return self.break_it(rows) if self.break_it else rows


TRAITS = { # what the reading endpoint can notice of one text, by itself
    "ends with a wish": lambda text: bool(re.search(r"(?i)hope this|let me know|good luck", text[-60:])),
    "has more lines": lambda text: text.count("\n"),
    "says more": lambda text: len(re.findall(r"\w[.!?]", text)),
    "has larger numbers": lambda text: sum(map(int, re.findall(r"\d+", text))),
    "begins with the later letter": lambda text: (re.findall(r"(?m)^\W*(\w)", text) or [""])[1:2]}


class Reader:
    "Answers the questions of a review from the texts that it is shown, imperfectly: `say` for an `Endpoint`"
    def __init__(self, notices=.9, invents=.05, codes=.98):
        self.notices, self.invents, self.codes, self.seen = notices, invents, codes, []

    def chance(self, p, *key): # the same for the same texts
        return zlib.crc32(repr(key).encode()) / 2**32 < p

    def say(self, messages, attempt):
        content = messages[-1]["content"]
        texts = {name: text for name, _, text in
                 re.findall(r"(?s)<(\w+)(|-\w+)>\n(.*?)\n</\1\2>", content)}
        self.seen.append(texts)
        return self.read(texts["first"], texts["second"]) if "first" in texts else self.code(texts, content)

    def read(self, first, second):
        found = []
        for tag, trait in TRAITS.items():
            a, b = trait(first), trait(second)
            if a != b and self.chance(self.notices, tag, first, second):
                found.append(dict(tag=tag, shown_by="first" if a > b else "second", belongs=False, phrase=""))
        if self.chance(self.invents, "invents", first, second):
            found.append(dict(tag="sounds tired", shown_by="second", belongs=False, phrase=""))
        return json.dumps(dict(says=f"{len(found)} differences", differences=found))

    def code(self, texts, content):
        trait = lambda tag, text: TRAITS[tag](text) if tag in TRAITS else "e" in text
        def holds(tag):
            a, b = trait(tag, texts["version"]), trait(tag, texts["original"])
            if "more" in tag: # an amount, by itself
                return min(a, 9)
            true = bool(a) if isinstance(a, bool) else a > b
            return true == self.chance(self.codes, tag, texts["version"])
        asked = re.findall(r"(?m)^\d+\. (.+)$", content.rpartition("</")[2])
        return "\n".join(f"{i}: {('no', 'yes')[said] if isinstance(said, bool) else said}"
                         for i, said in enumerate(map(holds, asked), 1))
