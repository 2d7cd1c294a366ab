"""Servers that lie, hang, drown and send elsewhere, over chat, batch and reward: a line of `FAULTS` each.

The server is forty lines over a raw socket and shares nothing with the package. It plays one fault; the
client must come to the named end in time, in little memory, and without a byte to any other host.
"""
import asyncio, gzip, json, os, re, signal, socket, subprocess, sys, threading, time, warnings, zlib
from functools import partial
from unittest import mock
import numpy as np, pandas as pd, pytest
from servers import Endpoint
from rate_nb.base.core import BudgetError, EndpointError
from rate_nb.base.display import Progress
from rate_nb.base.store import Store
from rate_nb.llm.batch_api import BatchLimits
from rate_nb.llm.calls import Patience, run_async
from rate_nb.llm.chat import Question
from rate_nb.llm.openai import OpenAIRewriter, UnlistedWarning
from rate_nb.llm.prices import Budget, price_of, spending
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.judges import LLMJudge
from rate_nb.scoring.labellers import label_with_judge
from rate_nb.scoring.remote import HTTPReward

HANG, CUT = "hang", "cut"               # pieces of an answer beside bytes and numbers (seconds of silence)
DEADLINE, PATIENCE, SLACK = .4, 1., 5.  # seconds; the slack is for a busy machine
MEMORY = 100e6


def http(body=b"", status="200 OK", length=None, **headers): # an answer, as bytes
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    lines += [f"{k.replace('_', '-')}: {v}" for k, v in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

def bare(head, body=b""): return head.encode() + b"\r\n\r\n" + body
def says(status, **headers): return [http(dict(error=dict(message="no")), status, **headers)]
def packed(body, kind="gzip"): return [http(body, Content_Encoding=kind)]
def chunked(body): return bare("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", body)
BOMB = gzip.compress(bytes(40_000_000), 1)
def forever(piece, pause=.002): return [bare("HTTP/1.1 200 OK"), *[piece, pause] * 4000]


USAGE = dict(prompt_tokens=20, completion_tokens=5)

def chat(usage=USAGE, more=(), **message): # a completion
    said = dict(role="assistant", content="A grim film from Lisbon. Really.") | message
    choice = dict(index=0, finish_reason="stop", message=said)
    return [http(dict(id="c", model="m", usage=usage, choices=[choice]) | dict(more))]

def scores(*rows): return [http(dict(data=list(rows)))]
def row(index, score): return dict(index=index, score=score)

FINE = {"chat": chat(), "reward": scores(row(0, 1.), row(1, 2.))}


class Fault: # of one or more services; `ends`: in what, each
    def __init__(self, name, service, pieces, ends, fast=False):
        self.name, self.service, self.pieces, self.ends, self.fast = name, service, pieces, ends, fast
    def __repr__(self): return f"{self.service}: {self.name}"


def both(name, pieces, chat_ends="failed", reward_ends="error", fast=False):
    return [Fault(name, "chat", pieces, chat_ends, fast), Fault(name, "reward", pieces, reward_ends, fast)]

def chats(name, pieces, ends="failed", fast=False): return [Fault(name, "chat", pieces, ends, fast)]
def reward(name, pieces, ends="error", fast=False): return [Fault(name, "reward", pieces, ends, fast)]
def batch(name, ends, fast=False, **steps): return [Fault(name, "batch", steps, ends, fast)]


AWAY = "http://localhost:{elsewhere}/v1/x"

def lines(*records): return [http(b"\n".join(json.dumps(r).encode() for r in records))]
def answered(asked, text=None, **response): # a line of an output file
    if text is None:
        text = asked["body"]["messages"][-1]["content"].split("<text>")[-1].split("</text>")[0]
    body = dict(model="m", usage=USAGE, choices=[dict(finish_reason="stop", message=dict(content=text))])
    return dict(custom_id=asked["custom_id"], response=dict(status_code=200, body=body) | response)
def under(asked, ids): return [answered(a) | dict(custom_id=b["custom_id"]) for a, b in zip(asked, ids)]
def swapped(asked): return under(asked, asked[::-1])
def turned(asked): return under(asked, asked[1:] + asked[:1])
def stands(status, **more): return [http(dict(id="b1", object="batch", status=status, created_at=1) | more)]
OUT = dict(output_file_id="f2", request_counts=dict(total=4, completed=4, failed=0))


DAY = 503, 86_400

FAULTS = sum([
    # ---- what comes over the line
    both("silence", [HANG]),
    both("closed at once", []),
    both("reset", [CUT]),
    both("a head of one byte at a time", [p for b in http(b"{}") for p in (bytes([b]), .05)]),
    chats("a drip", [http(b"", length=500), *[b" ", .05] * 500], fast=True),
    both("a body of one byte at a time", [http(b"", length=500), *[b" ", .05] * 500]),
    both("a header that does not end", [b"HTTP/1.1 200 OK\r\nX: ", *[b"x" * 60_000, .002] * 800]),
    both("headers that do not end", [b"HTTP/1.1 200 OK\r\n", *[b"X: y\r\n" * 5000, .002] * 800]),
    both("a hundred thousand times 'continue'", [bare("HTTP/1.1 100 Continue") * 1000, .002] * 100),
    both("no HTTP", [b"220 smtp.example ready\r\n"]),
    both("HTTP/0.9", [b"{}"]),
    both("HTTP/3.0", [bare("HTTP/3.0 200 OK")]),
    both("a status of one digit", [bare("HTTP/1.1 2 OK")]),
    both("a status in words", [bare("HTTP/1.1 fine OK")]),
    both("half of what its length says", [http(b"{}", length=999)]),
    both("a negative length", [http(b"{}", length=-2)]),
    both("a length in words", [http(b"{}", length="two")]),
    both("two lengths", [http(b"{}", Content_length="1")]),
    both("chunks of no size", [chunked(b"zz\r\n{}\r\n")]),
    both("a chunk of petabytes", [chunked(b"fffffffffffff\r\n" + b"x" * 9999), HANG]),
    both("chunks that do not end", [chunked(b""), *[b"2\r\n  \r\n" * 20_000, .002] * 400]),
    both("a body that does not end", forever(b" " * 60_000)),
    both("a body of three million blanks", [http(b" " * 3_000_000)]),
    both("a gzip bomb", packed(BOMB), fast=True),
    both("a deflate bomb", packed(zlib.compress(bytes(40_000_000), 1), "deflate")),
    both("a bomb in a bomb", packed(gzip.compress(BOMB), "gzip, gzip")),
    both("brotli that nobody asked for", packed(b"\x8b\x02\x80{}\x03", "br")),
    both("no gzip", packed(b"{}")),
    [Fault("packed, though not asked for", service, packed(gzip.compress(fine[0].split(b"\r\n\r\n", 1)[1])),
           "ok", service == "chat") for service, fine in FINE.items()],
    both("half a gzip", packed(gzip.compress(b"{}" * 999)[:20])),
    # ---- where it sends us
    *(both(f"{code} to another host", [http(b"", f"{code} Moved", Location=AWAY)], "error", fast=code == 307)
      for code in (301, 302, 303, 307, 308)),
    both("a redirect to itself", [http(b"", "302 Found", Location="/")], "error"),
    both("300 with a list", says("300 Multiple Choices", Location=AWAY), "error"),
    chats("200 with a place to go to", [http(b"{}", Location=AWAY, Refresh=f"0; url={AWAY}")], "error"),
    chats("another service for next time", [http(chat()[0].split(b"\r\n\r\n")[1], Alt_Svc='h2="x:1"',
                                                 Set_Cookie="a=b; Domain=localhost", Link=AWAY)], "ok"),
    # ---- what the status says
    *(both(f"status {code}", says(f"{code} No"), "error") for code in (401, 402, 403, 404)),
    *(both(f"status {code}", says(f"{code} No"), "failed", "error") for code in (400, 413, 422, 405, 410)),
    *(both(f"status {code}", says(f"{code} No")) for code in (408, 409, 425, 500, 502, 503, 504, 529, 599)),
    both("201", [http(b"{}", "201 Created")]),
    both("204", [bare("HTTP/1.1 204 No Content")]),
    both("an error of a megabyte", [http(b"no " * 600_000, "500 No")]),
    both("an error as a list", [http([1], "500 No")]),
    both("an error that is nested deeply", [http(b"[" * 90_000, "500 No")]),
    chats("no credit", [http(dict(error=dict(type="insufficient_quota")), "429 No")], "error", True),
    # ---- how long it asks to wait
    *(both(f"{code}, retry after {after}", says(f"{code} No", Retry_After=after), fast=(code, after) == DAY)
      for code in (429, 503) for after in (0, 86400, -1, "nan", "inf", "1e308", "soon",
                                       "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT")),
    both("retry after a day in milliseconds", says("429 No", Retry_After_Ms="86400000")),
    # ---- what the body holds
    *(both(name, [http(body)], fast=name == "nested deeply") for name, body in {
        "nothing": b"", "null": b"null", "a number": b"7", "words": b'"fine"', "a list": b"[]",
        "half a document": b'{"choices": [{"mess',
        "Latin-1": b'{"a": "\xe9"}',
        "NUL": b"\0" * 99, "nested deeply": b"[" * 90_000,
        "nested and closed": b"[" * 50_000 + b"]" * 50_000,
        "a million lists": b"[" + b"[]," * 500_000 + b"[]]",
        "a number of 5,000 digits": b'{"data": ' + b"9" * 5000 + b"}",
        "events": b"data: {}\n\ndata: [DONE]\n\n",
    }.items()),
    both("an object", [http(b"{}")], "error"),
    both("UTF-16", [http('{"a": 1}'.encode("utf-16"))], "error"),
    both("a page", [http(b"<html>Bad gateway</html>")], "error"),
    # ---- completions
    chats("an error with 200", [http(dict(error=dict(message="overloaded")))]),
    chats("an error in words with 200", [http(dict(error="overloaded"))]),
    chats("no credit, with 200", [http(dict(error=dict(code="insufficient_quota")))], "error", True),
    chats("too fast, with 200", [http(dict(error=dict(code=429, message="slower")))]),
    chats("a wrong key, with 200", [http(dict(error=dict(code=401, message="no")))], "error"),
    chats("no choices", [http(dict(choices=[]))]),
    chats("choices in words", [http(dict(choices="fine"))]),
    chats("a message in words", [http(dict(choices=[dict(message="fine")]))]),
    chats("content as a number", chat(content=7)),
    chats("content in parts", chat(content=[dict(text="A film"), dict(text=" from Lisbon.")]), "ok", True),
    chats("content as pictures", chat(content=[dict(image_url="x")])),
    chats("content as objects", chat(content=dict(text="x"))),
    chats("a refusal as an object", chat(content=None, refusal=dict(a=1)), "ok"),
    chats("a million words", chat(content="word " * 380_000), "ok"),
    chats("half a surrogate and a bell", chat(content="A grim film \ud800\x07\x1b[2J from Lisbon."), "ok"),
    chats("a model without end", chat(more=dict(model="m" * 100_000)), "ok"),
    chats("a model as a list", chat(more=dict(model=["m"])), "ok"),
    chats("log-probabilities of nothing", chat(more=dict(logprobs=[[[]]])), "ok"),
    chats("two answers at once", chat() + chat(content="Not yours."), "ok", True),
    chats("a second answer, later", [*chat(), .05, *chat(content="Not yours.")], "ok"),
    *(chats(f"usage {said!r:.40}", chat(usage=said), "ok", said is None) for said in (
        None, {}, "12", [], dict(prompt_tokens="9"), dict(prompt_tokens=9.5), dict(prompt_tokens=True),
        dict(prompt_tokens=-9, completion_tokens=-9), dict(prompt_tokens=10**400, completion_tokens=10**400),
        dict(prompt_tokens=0, completion_tokens=0), dict(prompt_tokens=None))),
    chats("a bill of a million", chat(usage=USAGE | dict(completion_tokens=90_000_000)), "budget", True),
    # ---- scores
    reward("fine, in another order", scores(row(1, 2.), row(0, 1.)), "ok"),
    reward("two answers at once", FINE["reward"] * 2, "ok", True),
    *(reward(name, scores(*rows)) for name, rows in {
        "one too few": [row(0, 1.)], "one too many": [row(0, 1.), row(1, 1.), row(2, 1.)],
        "a place twice": [row(0, 1.), row(0, 2.), row(1, 1.)], "places from one": [row(1, 1.), row(2, 1.)],
        "negative places": [row(0, 1.), row(-1, 1.)], "places in words": [row("0", 1.), row("1", 1.)],
        "scores in words": [row(0, "1.5"), row(1, "high")], "true": [row(0, True), row(1, False)],
        "lists": [row(0, [[1.]]), row(1, [[]])], "numbers without end": [row(0, 10**299), row(1, 10**4000)],
        "no score": [dict(index=0), dict(index=1)], "no rows": ["x", None],
    }.items()),
    *(reward(f"score {value}", [http(b'{"data": [{"index":0,"score":%s},{"index":1,"score":2}]}'
                                     % value.encode())], "rows")
      for value in ("NaN", "Infinity", "1e999", "null")),
    reward("scores as an object", [http(dict(data=dict(a=1)))]),
    # ---- batches
    batch("as it should be", "ok", True, retrieve=stands("completed", **OUT)),
    batch("ids exchanged", "error", True, retrieve=stands("completed", **OUT), output=swapped),
    batch("ids turned by one", "error", retrieve=stands("completed", **OUT), output=turned),
    batch("a state in capitals", "ok", retrieve=stands("COMPLETED", **OUT)),
    batch("IN_PROGRESS for ever", "error", retrieve=stands("IN_PROGRESS")),
    batch("a state nobody knows", "error", retrieve=stands("paused\x1b[2J")),
    batch("a state as a number", "error", retrieve=stands(7)),
    batch("another batch's state", "error", retrieve=stands("completed", **OUT | dict(id="b9"))),
    batch("failed, for garbage", "error", retrieve=stands("failed", errors=dict(data=[7, None]))),
    batch("failed, for no reason", "error", retrieve=stands("failed", errors="none")),
    batch("completed without a file", "error", retrieve=stands("completed")),
    batch("counts in words", "ok", retrieve=stands("completed", **OUT | dict(request_counts="many"))),
    batch("negative counts", "ok",
          retrieve=stands("completed", **OUT | dict(request_counts=dict(completed=-4)))),
    batch("a redirect to the file", "error", retrieve=stands("completed", **OUT),
          content=[http(b"", "307 No", Location=AWAY)]),
    batch("a bomb as the file", "error", retrieve=stands("completed", **OUT), content=packed(BOMB)),
    batch("a file that drips", "error", retrieve=stands("completed", **OUT), about=[http(dict(id="f2"))],
          content=[http(b"", length=900), *[b" ", .05] * 900]),
    batch("another size than it says", "error", retrieve=stands("completed", **OUT),
          about=[http(dict(id="f2", bytes=10**9))]),
    batch("a size in words", "ok", retrieve=stands("completed", **OUT),
          about=[http(dict(id="f2", bytes="x"))]),
    batch("lines of garbage", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [7, None, [], {}, dict(custom_id=7), dict(custom_id=[])]),
    batch("nobody's lines", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a) | dict(custom_id="x") for a in asked]),
    batch("every line twice, differently", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a, t) for a in asked for t in ("One film.", "Another film.")]),
    batch("every line twice", "ok", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a) for a in asked] * 2),
    batch("lines with a status in words", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a, status_code="200") for a in asked]),
    batch("errors with 200", "failed", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a, body=dict(error=dict(message="overloaded"))) for a in asked]),
    batch("lines without a body", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a, body=None) for a in asked]),
    batch("an upload without an id", "error", upload=[http({})]),
    batch("an upload that hangs", "error", upload=[HANG]),
    batch("a batch without an id", "error", create=[http({})]),
    batch("a list of batches without an end", "error", create=says("500 No"),
          listing=[http(dict(object="list", data=[dict(id="b0", created_at=1)], has_more=True))]),
    # ---- what a second hostile mind thought of
    both("an answer to switch away from", [bare("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c")]),
    both("hints without an end", [bare(f"HTTP/1.1 103 Early Hints\r\nLink: <{AWAY}>") * 500, .002] * 100),
    both("206, a part", [http(b"{}", "206 Partial Content", Content_Range="bytes 0-1/999")]),
    both("status 407", says("407 No", Proxy_Authenticate="Basic"), "failed", "error"),
    *(both(f"status {code}", says(f"{code} No"), "failed", "error") for code in (418, 421, 451)),
    both("raw deflate", packed(zlib.compress(b"{}")[2:-4], "deflate")),
    both("a second member in a gzip", packed(gzip.compress(b"{}") + BOMB), "error"),
    both("a chunk extension without end", [chunked(b"2;x="), *[b"x" * 60_000, .002] * 800]),
    both("trailers without end", [chunked(b"2\r\n{}\r\n0\r\n"), *[b"X: y\r\n" * 5000, .002] * 800]),
    *(both(f"503, retry after {after!r}", says("503 No", Retry_After=after))
      for after in ("5, 86400", "+86400", "1e400", "0x15180", "\u0661", "-0", "")),
    chats("a mark before the text", [http(b"\xef\xbb\xbf" + chat()[0].split(b"\r\n\r\n")[1])], "ok"),
    chats("every name twice", [http(b'{"choices": 7, ' + chat()[0].split(b"\r\n\r\n")[1][1:])], "ok"),
    chats("an error beside an answer", chat(more=dict(error=dict(message="overloaded"))), "ok"),
    chats("a reason as an object", [http(dict(usage=USAGE, choices=[
        dict(message=dict(content="A film from Lisbon."), finish_reason=dict(a=1))]))], "ok"),
    chats("a fingerprint that turns", chat(more=dict(system_fingerprint="\u202e\x1b]0;x\x07" * 99)), "ok"),
    chats("usage as NaN", [http(chat()[0].split(b"\r\n\r\n")[1].replace(b": 20", b": NaN"))], "ok"),
    chats("a hundred thousand choices", [http(json.loads(chat()[0].split(b"\r\n\r\n")[1])
                                              | dict(choices=[7] * 100_000))]),
    chats("content in parts of lists", chat(content=[[["A film"]]])),
    chats("content of one blank", chat(content=" "), "ok"),
    chats("a role of its own", chat(role="system"), "ok"),
    *(batch(name, end, retrieve=stands("completed", **OUT | more)) for name, end, more in (
        ("a file of another place", "ok", dict(output_file_id="../../v1/files/f2")),
        ("a file as a number", "ok", dict(output_file_id=7)),
        ("a file with a line break", "ok", dict(output_file_id="f2\r\nHost: evil.example\x1b[2J")),
        ("counts beyond all numbers", "ok", dict(request_counts=dict(total=4, completed=10**30, failed=0))),
        ("a date beyond all dates", "ok", dict(created_at=10**40)))),
    batch("a state of nothing", "error", retrieve=stands(None)),
    batch("ids of a megabyte", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a) | dict(custom_id="x" * 1_000_000) for a in asked]),
    batch("metadata as a list", "error", create=says("500 No"),
          listing=[http(dict(object="list", data=[dict(id="b0", metadata=[1])], has_more=False))]),
    batch("batches as words", "error", create=says("500 No"),
          listing=[http(dict(object="list", data=["b0", None, 7], has_more=False))]),
    batch("half of the lines under one id", "error", retrieve=stands("completed", **OUT),
          output=lambda asked: [answered(a) | dict(custom_id=asked[i // 2 * 2]["custom_id"])
                                for i, a in enumerate(asked)]),
], [])


class Server:
    "Plays one fault on 127.0.0.1, and counts who calls the host that its redirects name"
    def __init__(self, fault):
        self.fault, self.requests, self.elsewhere, self.asked, self.bodies = fault, [], 0, [], []
    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        start = lambda handler: asyncio.run_coroutine_threadsafe(
            asyncio.start_server(handler, "127.0.0.1", 0, limit=2**24), self.loop).result()
        self.servers = [start(self.connection), start(self.other)]
        self.port, self.other_port = (s.sockets[0].getsockname()[1] for s in self.servers)
        self.url = f"http://127.0.0.1:{self.port}"
        return self
    def __exit__(self, *error):
        async def end():
            for s in self.servers:
                s.close()
            tasks = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
            for t in tasks:
                t.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        asyncio.run_coroutine_threadsafe(end(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
    async def other(self, reader, writer):
        self.elsewhere += 1
        writer.close()
    async def connection(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                size = re.search(r"content-length: (\d+)", head, re.I)
                body = await reader.readexactly(int(size[1]) if size else 0)
                self.requests.append(head.split("\r\n")[0])
                self.bodies.append(body)
                for piece in self.answer(*head.split(" ")[:2], body):
                    if piece == CUT:
                        return writer.transport.abort()
                    if isinstance(piece, bytes):
                        writer.write(piece.replace(b"{elsewhere}", str(self.other_port).encode()))
                        await writer.drain()
                    else:
                        await asyncio.sleep(60 if piece == HANG else piece)
                if not self.fault.pieces:
                    return
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError,
                asyncio.CancelledError):
            pass
        finally:
            writer.close()
    def answer(self, method, path, body):
        if path.endswith("/models"):
            return [http(dict(object="list", data=[dict(id="m", object="model")]))]
        if self.fault.service != "batch":
            return self.fault.pieces
        steps, path = self.fault.pieces, path.partition("?")[0].removeprefix("/v1")
        if (method, path) == ("POST", "/files"):
            self.asked = [json.loads(line) for line in re.findall(rb'^\{"custom_id".*$', body, re.M)]
            return steps.get("upload", [http(dict(id="f1", object="file"))])
        if (method, path) == ("POST", "/batches"):
            return steps.get("create", stands("validating"))
        if path == "/batches":
            return steps.get("listing", [http(dict(object="list", data=[], has_more=False))])
        if path.startswith("/batches/"):
            return steps.get("retrieve", stands("in_progress"))
        made = lines(*steps.get("output", lambda asked: [answered(a) for a in asked])(self.asked))
        if path.endswith("/content"):
            return steps.get("content", made)
        return steps.get("about", [http(dict(id="f2", bytes=len(made[0].split(b"\r\n\r\n", 1)[1])))])


TEXTS = ["The dull film of Lisbon ran long.", "A superb play about boats won prizes.",
         "Loud music spoils every single dinner.", "My garden feeds eleven hungry rabbits."]
PRICES = dict(prices={"m": (10, 10)})


def films(n):
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id="p", prompt="",
                             w=[0, 1] * (n // 2), response=TEXTS[:n]))


class Hasty: # short pauses between attempts, where the endpoint asks for none
    @staticmethod
    def uniform(a, b): return .02

def hasty(rewriter):
    rewriter.jitter = Hasty
    return rewriter


def statuses(table):
    found = set(table.status)
    return "failed" if found <= {"failed", "expired"} else "/".join(sorted(found))


def play(server, fault, folder): # in what the client's run ends
    waits = dict(timeout=DEADLINE, patience=PATIENCE)
    if not isinstance(fault.pieces, dict) and {HANG, .05} & {*fault.pieces} and fault.ends != "ok":
        waits = {name: seconds/2 for name, seconds in waits.items()} # time alone can end it
    options = dict(base_url=f"{server.url}/v1", store=folder/"s.sqlite", **waits, max_retries=2,
                   give_up_after=None, budget=5., max_tokens=500,
                   api_key=lambda: "sk-secret-key-1", extra_headers={"X-Api-Key": "secret-two"}, **PRICES)
    try:
        if fault.service == "chat":
            return statuses(double_rewrite(films(2), "sentiment", hasty(OpenAIRewriter("m", **options)),
                                           depth=1, checks={}))
        if fault.service == "batch":
            limits = BatchLimits(poll=.02, poll_longest=.1, rounds=2, longest=.6)
            rewriter = hasty(OpenAIRewriter("m", mode="batch", batch=limits, **options))
            return statuses(double_rewrite(films(4), "sentiment", rewriter, depth=1, checks={}))
        model = HTTPReward(server.url, "vllm-score", "m", **waits, max_retries=2,
                           api_key=lambda: "sk-secret-key-1")
        with mock.patch("rate_nb.scoring.remote.Patience", partial(Patience, rng=Hasty)):
            rows = model.score_batch([("p", "a"), ("p", "b")])
        return "ok" if all(r["status"] == "ok" for r in rows) else "rows"
    except BudgetError:
        return "budget"
    except EndpointError as e:
        assert "secret" not in str(e) and "\x1b" not in str(e)
        return "error"


class Memory: # the largest growth of this process, sampled
    def __enter__(self):
        self.most, self.stop, self.base = 0, False, self.now()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self
    def now(self): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    def watch(self):
        while not self.stop:
            self.most = max(self.most, self.now() - self.base)
            time.sleep(.01)
    def __exit__(self, *error):
        self.stop = True
        self.thread.join()


def suffers(fault, folder):
    "One fault: the end it should come to, in time, in memory, and nobody else was called"
    with Server(fault) as server, Memory() as memory:
        began = time.monotonic()
        ended = play(server, fault, folder)
        took = time.monotonic() - began
    several = 4 if fault.service == "batch" else 1 # an upload, a creation, a look and a download
    assert ended == fault.ends, f"{fault!r} ended in {ended!r}"
    assert took < several * (DEADLINE + PATIENCE) + SLACK, f"{fault!r} took {took:.1f} s"
    assert server.elsewhere == 0, f"{fault!r} was followed to another host"
    assert memory.most < MEMORY, f"{fault!r} took {memory.most / 1e6:.0f} MB"
    if fault.service != "reward" and ended == "ok":
        store = Store(folder/"s.sqlite")
        about = store.provenance("rewrite")
        assert all(a.cost > 0 and a.endpoint == f"127.0.0.1:{server.port}/v1" for a in about.values())
        assert spending(store)["dollars"] == pytest.approx(sum(a.cost for a in about.values()))
        assert all(a.estimated for a in about.values()) or "usage" not in fault.name


@pytest.mark.parametrize("fault", [f for f in FAULTS if f.fast], ids=repr)
def test_a_fault_ends_as_it_should(fault, tmp_path): suffers(fault, tmp_path)


@pytest.mark.slow("every fault of the table")
@pytest.mark.parametrize("fault", [f for f in FAULTS if not f.fast], ids=repr)
def test_every_fault_ends_as_it_should(fault, tmp_path): suffers(fault, tmp_path)


# ---- answers of other requests, over chat: every second pair of calls gets each other's answers

class Mixing(Sandbox):
    "Answers in pairs that are exchanged"
    waiting = None
    async def _complete(self, body):
        mine = asyncio.get_running_loop().create_future()
        answer = await super()._complete(body)
        if self.waiting is None:
            self.waiting = answer, mine
            return await mine
        (other, theirs), self.waiting = self.waiting, None
        theirs.set_result(answer)
        return other

NUMBERED = [f"Film {i} was {('dreadful', 'superb')[i % 2]} and the cast came from Lisbon." for i in range(32)]

@pytest.mark.parametrize("texts", [TEXTS, NUMBERED], ids=["words", "numbers"])
def test_no_exchanged_answer_is_kept(texts, tmp_path):
    table = pd.DataFrame(dict(example_id=range(len(texts)), prompt_id="p", prompt="", response=texts,
                              w=[i % 2 for i in range(len(texts))]))
    with Mixing() as box:
        rewriter = hasty(OpenAIRewriter(box.model, box.base_url, store=tmp_path/"s.sqlite", max_retries=1))
        try:
            rows = double_rewrite(table, "sentiment", rewriter, depth=1)
            assert set(rows.status) == {"failed"} and rows.error.str.contains("another request").all()
        except EndpointError as e:
            assert "exchanges answers" in str(e) or "belongs to another request" in str(e)
        assert len(rewriter.store) == 0 and box.served >= 2


# ---- an error explains itself, and holds no key

@pytest.mark.parametrize("message, shown", [
    ("max_tokens is too large: 4096; ask with id K-12ab",
     "HTTP 400 (“max_tokens is too large: 4096; ask with id …”)"),
    ("the key ZXCVBNMKEY is not for max_tokens",
     "HTTP 400. It refuses this max_tokens: say max_tokens=None to send none. What has arrived"),
    ([7], "HTTP 400")])
def test_an_error_repeats_plain_words_of_the_endpoint(message, shown):
    answer = [http(dict(error=dict(message=message)), "400 No")]
    with Server(Fault("explains", "chat", answer, "")) as server:
        rewriter = OpenAIRewriter("m", f"{server.url}/v1", give_up_after=2, api_key=lambda: "zxcvbnmkey",
                                  **PRICES)
        with pytest.raises(EndpointError) as e:
            double_rewrite(films(4), "sentiment", rewriter, depth=1)
        assert shown in str(e.value) and "zxcvbnmkey" not in str(e.value).casefold()


# ---- everyone asks through it; no clock matters; the wait is announced

def test_judges_and_labellers_follow_no_redirect(tmp_path):
    with Server(Fault("away", "chat", [http(b"", "307 Moved", Location=AWAY)], "")) as server:
        ask = lambda: OpenAIRewriter("m", f"{server.url}/v1", timeout=DEADLINE, api_key=lambda: "k")
        for run in (lambda: LLMJudge(ask()).compare([("p", *TEXTS[:2])]),
                    lambda: label_with_judge(films(2).assign(w=pd.NA), "sentiment", ask())):
            with pytest.raises(EndpointError, match="redirects to another address"):
                run()
        assert server.elsewhere == 0 and len(server.requests) > 1


@pytest.mark.parametrize("status", [200, 404])
def test_a_web_page_in_place_of_every_answer_ends_the_run_soon(status):
    "And one before the first answer does not"
    page = b"\n<!DOCTYPE html>\n<html><body>Welcome</body></html>"
    question = Question((dict(role="user", content="Hi"),))
    with Endpoint(lambda messages, attempt: (status, page)) as box:
        with pytest.raises(EndpointError, match=r"127.0.0.1:\d+/v1 .*a web page, not JSON.*: is `base_url`"):
            run_async(hasty(box.engine()).rewrite(question))
        assert 1 <= sum(box.asked.values()) <= 3
        rootless = OpenAIRewriter("judge", f"http://127.0.0.1:{box.server.server_port}", max_retries=0)
        with pytest.raises(EndpointError, match="a web page.*Many end in /v1"):
            run_async(rootless.rewrite(question))
    with Endpoint(lambda messages, attempt: "Yes." if attempt > 1 else (200, page)) as box:
        assert run_async(hasty(box.engine()).rewrite(question)).text == "Yes."


def test_json_without_choices_in_place_of_every_answer_ends_the_run_soon():
    "Before the first answer; later, and once, it is asked again"
    other, question = b'{"status": "ok"}', Question((dict(role="user", content="Hi"),))
    with Endpoint(lambda messages, attempt: (200, other)) as box:
        said = r"127.0.0.1:\d+/v1 .*JSON without `choices`.* is `base_url` the address of the API\? What has"
        with pytest.raises(EndpointError, match=said):
            run_async(hasty(box.engine()).rewrite(question))
        assert 1 <= sum(box.asked.values()) <= 3
    with Endpoint(lambda messages, attempt: (200, other) if attempt in (1, 3, 4, 5, 6) else "Yes.") as box:
        engine = hasty(box.engine())
        assert [run_async(engine.rewrite(question)).text for _ in range(2)] == ["Yes."]*2
        assert sum(box.asked.values()) == 7


def test_a_clock_that_jumps_moves_no_wait(tmp_path, monkeypatch):
    dates = dict(Date="Sun, 06 Nov 1994 12:00:00 GMT", Retry_After="Sun, 06 Nov 1994 12:00:00 GMT")
    clock = iter(np.cumsum([1e9, -2e9] * 5000))
    with Server(Fault("jumps", "chat", says("503 No", **dates), "failed")) as server:
        monkeypatch.setattr("rate_nb.llm.calls.time.time", lambda: float(next(clock)))
        began = time.monotonic()
        assert play(server, server.fault, tmp_path) == "failed" and time.monotonic() - began < SLACK


def test_the_progress_says_when_it_goes_on():
    rewriter = OpenAIRewriter("m", "http://127.0.0.1:9/v1")
    rewriter.gate.slow_down(86_400. * 9)
    assert re.fullmatch(r"waiting \d+ s before the next attempt, until \d\d:\d\d:\d\d "
                        r"\(it gets too many requests\)", rewriter.note)


@pytest.mark.parametrize("headers, words", [
    (dict(Retry_After="2"), r"0 of 4, waiting \d+ s before the next attempt, until \d\d:\d\d:\d\d"),
    ({}, r"0 of 4, the endpoint said \d+ times in a row that it gets too many requests")])
def test_a_wait_is_announced_while_nothing_is_answered(headers, words, monkeypatch, capsys):
    "A log gets its line even though no rewrite ends"
    monkeypatch.setattr("rate_nb.rewriting.chains.Progress", lambda *args, every: Progress(*args, every=.5))
    with Server(Fault("slow", "chat", [http(dict(error="slow down"), "429 Slow", **headers)], "")) as server:
        rewriter = OpenAIRewriter("m", f"{server.url}/v1", patience=3., api_key=lambda: "k")
        double_rewrite(films(4), "sentiment", rewriter, depth=1)
    assert re.search(words, capsys.readouterr().out)


SPENT = [http(dict(error=dict(message="Limit 200, Used 200 for zxcvbnmkey. Please try again in 1h0m0s")),
              "429 Slow", Retry_After="3600")]

@pytest.mark.parametrize("lanes", [1, 4])
def test_a_limit_that_stands_beyond_the_patience_ends_the_run_at_once(lanes):
    with Server(Fault("spent", "chat", SPENT, "")) as server:
        rewriter = OpenAIRewriter("m", f"{server.url}/v1", max_concurrency=lanes, api_key=lambda: "k")
        began = time.monotonic()
        with pytest.raises(EndpointError, match=r"HTTP 429 .it wants a pause of 3,600 s, and the "
                                                r"`patience` is 3,600 s in all. .“Limit 200, Used 200 for "):
            double_rewrite(films(4), "sentiment", rewriter, depth=1)
        assert rewriter.attempts <= 4 and time.monotonic() - began < SLACK


@pytest.mark.parametrize("key", ["k", "zxcvbnmkey"])
def test_a_wait_quotes_the_limit_and_no_key(key):
    with Server(Fault("spent", "chat", SPENT, "")) as server:
        rewriter = OpenAIRewriter("m", f"{server.url}/v1", patience=1., api_key=lambda: key)
        double_rewrite(films(2), "sentiment", rewriter, depth=1)
        rewriter.gate.slow_down(60.)
    assert "too many requests: HTTP 429" in rewriter.note
    assert ("Limit 200, Used 200 for zxcvbnmkey" in rewriter.note) == (key == "k")
    assert key == "k" or key not in rewriter.note


def test_an_endpoint_that_names_no_time_gets_ever_fewer_requests():
    "In eight seconds six or seven attempts of each of two calls; there had been twenty"
    with Server(Fault("slow", "chat", says("429 Slow"), "")) as server:
        rewriter = OpenAIRewriter("m", f"{server.url}/v1", patience=8., api_key=lambda: "k")
        double_rewrite(films(2), "sentiment", rewriter, depth=1)
    assert 8 <= rewriter.attempts <= 22


def test_a_list_of_models_that_never_comes_ends_the_look(monkeypatch):
    "Though a reply may take minutes"
    monkeypatch.setattr("rate_nb.llm.openai.LOOK", .3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url, began = f"http://127.0.0.1:{silent.getsockname()[1]}/v1", time.monotonic()
        with pytest.raises(EndpointError, match="nothing answers there"):
            OpenAIRewriter("m", url, timeout=60., api_key=lambda: "k").reach()
    assert time.monotonic() - began < 30


def test_what_failed_is_said_while_it_is_tried_again(monkeypatch, capsys):
    monkeypatch.setattr("rate_nb.rewriting.chains.Progress", lambda *args, every: Progress(*args, every=.5))
    with Server(Fault("500", "chat", says("500 Oh"), "")) as server:
        rewriter = OpenAIRewriter("m", f"{server.url}/v1", patience=8., max_retries=3, api_key=lambda: "k")
        double_rewrite(films(2), "sentiment", rewriter, depth=1)
    assert re.search(r"before the next attempt, until [\d:]+ \(HTTP 500\)", capsys.readouterr().out)


def slowly(prompt, text, target):
    time.sleep(1.6)
    return f"{text} And more."

@pytest.mark.parametrize("by", ["an endpoint", "a function"])
def test_a_long_call_says_that_it_is_waited_for(by, monkeypatch, capsys):
    "Nothing has come yet, and nothing else would be printed"
    monkeypatch.setattr("rate_nb.rewriting.chains.Progress", lambda *args, every: Progress(*args, every=.5))
    with Server(Fault("slow", "chat", [1.6, *FINE["chat"]], "")) as server:
        endpoint = OpenAIRewriter("m", f"{server.url}/v1", patience=5., api_key=lambda: "k")
        double_rewrite(films(2), "sentiment", endpoint if by == "an endpoint" else slowly, depth=1)
    assert re.search("0 of 2, nothing new for 00:0[12]", capsys.readouterr().out)


# ---- a server that is broken from the start

@pytest.mark.parametrize("broken", [2, 5, 99]) # how many attempts of each call it answers with HTTP 500
def test_a_server_that_has_only_answered_500_is_given_up_early(broken):
    answers = lambda messages, attempt: 500 if attempt <= broken else "A grim film from Lisbon. Really."
    with Endpoint(answers) as server:
        rewriter = hasty(server.engine(max_concurrency=4))
        rewriter.calls = int(broken == 5) # where it has answered before, the usual patience holds
        run = lambda: double_rewrite(films(4), "sentiment", rewriter, depth=1, checks={})
        if broken == 99:
            with pytest.raises(EndpointError, match="failed 3 requests.*HTTP 500 .“trouble”"):
                run()
            assert max(server.asked.values()) == 4 and sum(server.asked.values()) <= 16
        else:
            assert statuses(run()) == "ok"


@pytest.mark.parametrize("answer, words, most", [
    (b"data: {}", "a stream of events", 12),
    (b'{"choices": []}', r"without choices\[0\].message.content \(“{\"choices\": \[\]}”\)", 12),
    (b'{"choices": [{"text": "Yes."}]}', r"`text` of the old /completions \(“.*\"text\": \"Yes.\"", 12),
    ((400, b'{"error": {"message": "Unsupported parameter: seed"}}'), "say seed=None", 3),
    ((422, b'{"detail": [{"loc": ["body", "seed"], "msg": "extra fields"}]}'), "say seed=None", 3),
    ((400, b'{"error": {"message": "max_tokens is too large: 4096. This model supports at most 2048"}}'),
     "say max_tokens=2048", 3),
    ((400, b'{"error": {"message": "System role not supported"}}'),
     "“System role not supported”.. It takes no system messages: serve .* a chat template", 3),
    ((400, b'{"message": "Only user and assistant roles are supported!"}'), "no system messages", 3)])
def test_a_server_that_can_never_be_read_is_given_up_early(answer, words, most):
    texts = pd.concat([films(4).assign(example_id=lambda t: t.example_id + str(i),
                                       response=lambda t: t.response + f" {i}") for i in range(4)])
    with Endpoint(lambda messages, attempt: answer) as server:
        with pytest.raises(EndpointError, match=words):
            double_rewrite(texts, "sentiment", hasty(server.engine(max_concurrency=1)), depth=1, checks={})
        assert sum(server.asked.values()) <= most
    later = lambda messages, attempt: answer if attempt <= 2 else "A grim film from Lisbon. Really."
    with Endpoint(later) as server: # unlike one that recovers after an odd answer or two
        if not isinstance(answer, tuple):
            rewriter = hasty(server.engine(max_concurrency=4))
            assert statuses(double_rewrite(films(4), "sentiment", rewriter, depth=1, checks={})) == "ok"


# ---- a server that answers to any name

def test_a_name_that_is_not_on_the_list_is_said_once_where_the_server_takes_it():
    with Endpoint(lambda messages, attempt: "Fine.") as server:
        def said(model):
            rewriter = OpenAIRewriter(model, server.engine().base_url)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                rewriter.check()
            return [str(w.message) for w in caught if w.category is UnlistedWarning]
        first, *more = said("jugde")
        assert "which its list does not have ('judge')" in first and "did you mean 'judge'?" in first
        assert not more + said("jugde") + said("judge") + said("vendor/Judge") + said("judge:free")


# ---- the budget, over answers that do not come, and over restarts

@pytest.mark.parametrize("pieces", [[HANG], [http(b"fine")]], ids=["silence", "garbage"])
def test_a_budget_takes_what_is_not_answered_for_paid(pieces, tmp_path):
    with Server(Fault("unanswered", "chat", pieces, "")) as server:
        rewriter = hasty(OpenAIRewriter("m", f"{server.url}/v1", store=tmp_path/"s.sqlite", timeout=.05,
                                        budget=.05, max_tokens=500, api_key=lambda: "k", **PRICES))
        with pytest.raises(BudgetError):
            double_rewrite(films(4), "sentiment", rewriter, depth=1)
        sent = [json.loads(b) for r, b in zip(server.requests, server.bodies) if "/chat/" in r]
        worst = sum(map(rewriter.budget.most, sent)) # some may have been given up before they were sent
        assert 0 < worst <= spending(rewriter.store)["dollars"] * (1 + 1e-9) <= .05 * (1 + 2e-9)


# ---- the budget, over restarts

RUN = """
import json, os, sys, openai, pandas as pd
from rate_nb.base.core import BudgetError
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.rewriting.sandbox import Sandbox
films = pd.read_json(sys.argv[1])
for line in sys.stdin:
    url, store = json.loads(line)
    if (pid := os.fork()) == 0:
        sys.stderr = open(os.devnull, "w")
        try:
            rewriter = OpenAIRewriter("m", url, store=store, max_tokens=40, max_concurrency=4, timeout=30.,
                                      budget=.02, prices={"m": (10, 10)}, api_key=lambda: "k")
            double_rewrite(films, "sentiment", rewriter, depth=1)
            os._exit(0)
        except BudgetError:
            os._exit(3)
        except BaseException:
            os._exit(1)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


def wait_until(done, seconds=60.):
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(.01)


@pytest.mark.slow("twenty runs are killed with their calls under way")
@pytest.mark.parametrize("pieces", [[HANG], [.3, *chat()]], ids=["no answers", "late answers"])
def test_no_number_of_restarts_passes_the_budget(pieces, tmp_path):
    few = films(4)
    examples = pd.concat([few.assign(response=few.response + f" {i}", example_id=few.example_id + f"-{i}")
                          for i in range(10)])
    examples.to_json(tmp_path/"films.json", orient="records")
    child = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path/"films.json")], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    rng, codes, store = np.random.default_rng(0), [], tmp_path/"s.sqlite"
    with Server(Fault("restarts", "chat", pieces, "")) as server:
        calls = lambda: [b for r, b in zip(server.requests, server.bodies) if "/chat/" in r]
        for _ in range(20):
            before = len(calls())
            child.stdin.write(json.dumps([f"{server.url}/v1", str(store)]) + "\n")
            child.stdin.flush()
            pid = int(child.stdout.readline())
            over = threading.Event()
            end = []
            threading.Thread(target=lambda: (end.append(int(child.stdout.readline())), over.set())).start()
            wait_until(lambda: len(calls()) > before or over.is_set())
            over.wait(rng.uniform(.05, .5))
            if not over.is_set():
                os.kill(pid, signal.SIGKILL)
            over.wait(30)
            codes += end
        most = lambda body: Budget(1., price_of("m", {"m": (10, 10)})).most(json.loads(body))
        reserved, twice = sum(map(most, calls())), len(calls()) - len(set(calls()))
        billed = reserved if pieces == [HANG] else len(calls()) * sum(USAGE.values()) * 10e-6
    child.stdin.close()
    child.wait()
    told = spending(Store(store))
    assert codes.count(-signal.SIGKILL) >= 3 and 3 in codes and 1 not in codes, codes
    assert billed <= .02 and told["dollars"] <= .02 * (1 + 1e-9)
    assert twice <= told["may_have_been_paid"] <= 4 * codes.count(-signal.SIGKILL)
