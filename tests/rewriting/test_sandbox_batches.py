("The wire format of files and batches, read by the official client and checked against its models; and "
 "every dial of trouble")
import json, socket, subprocess, sys, time, urllib.request
from collections import Counter
import openai, pytest
from openai.types import Batch
from rate_nb.rewriting.instructions import instruction_for
from rate_nb.rewriting.sandbox import Sandbox, Trouble
from rate_nb.rewriting.sandbox import BatchTrouble

END = ("completed", "failed", "expired", "cancelled")


def client(box, **options):
    return openai.OpenAI(base_url=box.base_url, api_key="any",
                         http_client=openai.DefaultHttpxClient(trust_env=False), **options)


def line(i, box, text=None, **other):
    body = dict(model=box.model,
                messages=instruction_for("sentiment").messages("", text or f"Film {i} was a dull film.", 1))
    return dict(custom_id=f"r{i}", method="POST", url="/v1/chat/completions", body=body) | other


def submit(c, lines, **fields):
    content = "".join(json.dumps(l) + "\n" for l in lines).encode()
    file = c.files.create(file=("requests.jsonl", content), purpose="batch")
    return c.batches.create(**dict(input_file_id=file.id, endpoint="/v1/chat/completions",
                                   completion_window="24h") | fields)


def wait(c, batch, seen=None, seconds=30):
    until = time.monotonic() + seconds
    while batch.status not in END:
        assert time.monotonic() < until, batch
        time.sleep(.01)
        batch = c.batches.retrieve(batch.id)
        if seen is not None and batch.status not in seen:
            seen.append(batch.status)
    return batch


def records(c, name): return [json.loads(l) for l in c.files.content(name).content.split(b"\n")
                              if l] if name else []


def raw(box, path): # the bytes of a page, whatever they are
    return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(box.base_url + path).read()


# the object as it goes over the wire, validated strictly, with no field that the model does not know
def checked(box, kind, path):
    sent = json.loads(raw(box, path))
    kind.model_validate(sent, strict=True)
    assert set(sent) <= set(kind.model_fields), set(sent) - set(kind.model_fields)
    return sent


def test_a_batch_from_upload_to_output():
    with Sandbox(batch_trouble=BatchTrouble(seconds=.4)) as box:
        c, seen = client(box), []
        batch = submit(c,
                       [line(i, box) for i in range(12)]
                       + [line(12, box, text="x",
                               body=dict(model=box.model, messages=[dict(role="user", content="Hello")]))],
                       metadata=dict(run="a"))
        assert (batch.status == "validating"
                and batch.metadata == dict(run="a")
                and batch.request_counts.total == 0
                and batch.output_file_id is None)
        while not seen or seen[-1] not in END:
            # every state on the way is a valid one
            sent = checked(box, Batch, f"/batches/{batch.id}")
            if sent["status"] not in seen:
                seen.append(sent["status"])
            time.sleep(.01)
        batch = c.batches.retrieve(batch.id)
        output, errors = records(c, batch.output_file_id), records(c, batch.error_file_id)
        assert seen == ["validating", "in_progress", "finalizing", "completed"]
        assert batch.request_counts.to_dict() == dict(total=13, completed=12,
                                                      failed=1) and batch.errors is None
        assert {r["custom_id"] for r in output} == {f"r{i}"
                                                    for i in range(12)} and all(set(r) == {"id", "custom_id",
                                                        "response", "error"} and r["error"] is None
                                                                                for r in output + errors)
        for r in output:
            assert set(r["response"]) == {"status_code", "request_id",
                                          "body"} and r["response"]["status_code"] == 200
            answer = openai.types.chat.ChatCompletion.model_validate(r["response"]["body"], strict=True)
            assert answer.choices[0].message.content == c.chat.completions.create(
                **line(int(r["custom_id"][1:]), box)["body"]).choices[0].message.content
        assert (errors[0]["custom_id"] == "r12"
                and errors[0]["response"]["status_code"] == 400
                and "<text>" in errors[0]["response"]["body"]["error"]["message"])
        assert batch.model == box.model
        assert [e["custom_id"] for e in box.log if "batch" in e] == [f"r{i}" for i in range(13)]


@pytest.mark.parametrize("harm, code, at",
                         [(lambda ls: ls[:3] + [dict(ls[3], custom_id="r0")], "duplicate_custom_id", 4),
                          (lambda ls: [dict(ls[0], url="/v1/embeddings")], "url_mismatch", 1),
    (lambda ls: ls[:1] + [dict(ls[1], body=dict(ls[1]["body"], model="gpt-9"))], "model_mismatch", 2),
                          (lambda ls: [dict(ls[0], method="GET")], "url_mismatch", 1),
    (lambda ls: [{k: v for k, v in ls[0].items() if k != "custom_id"}], "invalid_json_line", 1),
                          (lambda ls: ls[:1] + ["not an object"], "invalid_json_line", 2),
    (lambda ls: [], "empty_file", None), (lambda ls: ls, "too_many_tasks", None),
                          (lambda ls: [dict(ls[0], custom_id="r" * 9000)], "file_too_large", None)])
def test_a_file_with_a_mistake_fails_the_batch_and_does_nothing(harm, code, at):
    with Sandbox(max_requests=5, max_bytes=9000) as box:
        c = client(box)
        batch = wait(c, submit(c, harm([line(i, box) for i in range(6)])))
        assert batch.status == "failed" and not box.log and batch.output_file_id is None
        assert [(e.code, e.line) for e in batch.errors.data] == [(code, at)] and batch.errors.data[0].message
        checked(box, Batch, f"/batches/{batch.id}")


def test_cancelling_keeps_what_was_done():
    with Sandbox(batch_trouble=BatchTrouble(seconds=1.5, steps=20)) as box:
        c = client(box)
        batch = submit(c, [line(i, box) for i in range(200)])
        while not c.batches.retrieve(batch.id).request_counts.completed:
            time.sleep(.01)
        assert c.batches.cancel(batch.id).status == "cancelling"
        batch = wait(c, batch)
        output, errors = records(c, batch.output_file_id), records(c, batch.error_file_id)
        assert (batch.status == "cancelled"
                and 0 < len(output) < 200 == len(output) + len(errors))
        assert {(r["response"], r["error"]["code"])
                for r in errors} == {(None, "batch_cancelled")} and len(box.log) == len(output)
        with pytest.raises(openai.ConflictError):
            client(box, max_retries=0).batches.cancel(batch.id)


def test_the_first_batches_expire_with_partial_output():
    with Sandbox(batch_trouble=BatchTrouble(expire=2, expire_after=.25)) as box:
        c = client(box)
        ends = [wait(c, submit(c, [line(i, box) for i in range(k, k + 8)])) for k in (0, 8, 16)]
        assert ([b.status for b in ends] == ["expired", "expired", "completed"]
                and ends[0].request_counts.to_dict() == dict(total=8, completed=2, failed=0))
        assert [r["custom_id"] for r in records(c, ends[1].output_file_id)] == ["r8", "r9"]
        assert [(r["custom_id"], r["error"]["code"]) for r in records(c, ends[1].error_file_id)] == [(f"r{i}",
            "batch_expired") for i in range(10, 16)]


def test_lines_get_lost_doubled_shuffled_and_struck():
    dials = BatchTrouble(shuffle=True, missing=.1, duplicate=.1, line_error=.1)
    with Sandbox(batch_trouble=dials, trouble=Trouble(refuse=.1, truncate=.1)) as box:
        c, n = client(box), 300
        batch = wait(c, submit(c, [line(i, box) for i in range(n)]))
        output, errors = records(c, batch.output_file_id), records(c, batch.error_file_id)
        there, fates = Counter(r["custom_id"] for r in output), Counter(e["trouble"] for e in box.log)
        assert ([r["custom_id"] for r in output] != sorted(there, key=lambda i: int(i[1:]))
                and set(there.values()) == {1, 2})
        assert (sum(v == 2 for v in there.values()) == fates["duplicate"] > 10
                and len(errors) == fates["line_error"] > 10
                and n - len(there) - len(errors) == fates["missing"] > 10)
        assert {r["response"]["status_code"]
                for r in errors} == {500} and fates["refuse"] > 5 and fates["truncate"] > 5
        assert ({r["response"]["body"]["choices"][0]["finish_reason"] for r in output} == {"stop", "length"}
                and len(box.succeeded) == box.served == len(there))
        twins = [r for r in output if there[r["custom_id"]] == 2]
        assert len({json.dumps(r) for r in twins}) == len(twins) / 2


def test_a_lost_reply_leaves_a_batch_that_its_metadata_finds():
    with Sandbox(batch_trouble=BatchTrouble(lost_reply=1.)) as box:
        c = client(box, max_retries=0)
        with pytest.raises(openai.APIConnectionError):
            c.files.create(file=("a.jsonl", json.dumps(line(0, box)).encode()), purpose="batch")
        file, = box.desk.files.values()                              # it is there all the same
        with pytest.raises(openai.APIConnectionError):
            c.batches.create(input_file_id=file["id"], endpoint="/v1/chat/completions",
                             completion_window="24h", metadata=dict(run="mine"))
        assert ([b.metadata for b in c.batches.list()] == [dict(run="mine")]
                and wait(c, c.batches.list().data[0]).status == "completed")
        assert [e["trouble"] for e in box.calls].count("lost_reply") == 2


def test_another_process_submits_dies_and_the_next_finds_its_batch():
    "State is the server's: a client comes back to it by address alone, and reads the server's log"
    serve = ("from rate_nb.rewriting.sandbox import *; serve(0, "
             "batch_trouble=BatchTrouble(seconds=.5))")
    child = subprocess.Popen([sys.executable, "-c", serve], stdout=subprocess.PIPE, text=True)
    try:
        url = child.stdout.readline().split()[2].rstrip(",")
        box = type("Far", (), dict(base_url=url, model="sandbox-rewriter"))
        # and that client is gone
        submit(client(box), [line(i, box) for i in range(4)], metadata=dict(run="mine"))
        batch = wait(client(box),
                     next(b for b in client(box).batches.list() if b.metadata == dict(run="mine")))
        log = json.loads(urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            url.removesuffix("/v1") + "/sandbox/log").read())
        assert (len(records(client(box), batch.output_file_id)) == 4
                and [e["custom_id"] for e in log["log"]] == ["r0", "r1", "r2", "r3"]
                and log["calls"])
    finally:
        child.terminate()
        child.wait(10)


def test_an_upload_has_a_limit():
    with Sandbox() as box:
        with socket.create_connection(("127.0.0.1", box.port), 10) as line:
            head = ["POST /v1/files HTTP/1.1", f"Host: 127.0.0.1:{box.port}", f"Content-Length: {10**12}"]
            line.sendall("\r\n".join([*head, "", ""]).encode() + b"x" * 1000)
            assert b"413" in line.recv(1000).split(b"\r\n")[0]
        assert not box.desk.files and raw(box, "/models")
