"The one connection of each call: encrypted, of a name, through a proxy; what comes late is no answer."
import asyncio, re, shutil, ssl, subprocess
import pytest
from rate_nb.base.core import InputError
from rate_nb.llm.calls import openai_client, post_json, read_failure, run_async
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.scoring.remote import HTTPReward


def http(body): return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def talk(*pieces, calls=1, scheme="http", host="127.0.0.1", url=None, tls=None, seconds=10.):
    "What calls of a server that sends these pieces (bytes, or seconds) end in; first lines; connections"
    async def both():
        heads, made = [], []
        async def connection(reader, writer):
            made.append(writer)
            try:
                while head := await reader.readuntil(b"\r\n\r\n"):
                    heads.append(head.decode().split("\r\n")[0])
                    for piece in pieces:
                        if isinstance(piece, bytes):
                            writer.write(piece)
                        else:
                            await asyncio.sleep(piece)
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
        server = await asyncio.start_server(connection, "127.0.0.1", 0, ssl=tls)
        port, ends = server.sockets[0].getsockname()[1], []
        where = url(port) if url else f"{scheme}://{host}:{port}/v1"
        async with openai_client(where, seconds) as client:
            for n in range(calls):
                try:
                    ends.append(await post_json(client, where, dict(n=n)))
                except Exception as e:
                    ends.append((read_failure(e), str(e.__cause__)))
        server.close()
        for writer in made:
            writer.close()
        return ends, heads, len(made)
    return run_async(both())


def test_a_second_answer_is_nobodys_whenever_it_comes():
    for pieces in ([http(b"1") + http(b"2")], [http(b"1"), .03, http(b"2")], [http(b"1"), 0, http(b"2") * 9]):
        ends, heads, connections = talk(*pieces, calls=4)
        assert ends == [1] * 4 and connections == 4 and len(heads) == 4


def test_an_answer_in_pieces_is_whole_or_none():
    whole = http(b'"' + b"0123456789" * 2_000 + b'"')
    cut = [part for i in range(0, len(whole), 4_000) for part in (whole[i:i + 4_000], .003)]
    assert talk(*cut)[0] == ["0123456789" * 2_000]
    assert talk(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 3, http(b"1"))[0] == [1]
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert talk(chunked + b"2\r\n12\r\n1\r\n3\r\n0\r\n\r\n")[0] == [123]
    late, = talk(whole[:-1], 5, seconds=.2)[0]
    assert "not whole after 0.2 s" in late[0].words and not late[0].free
    torn, = talk(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000)[0]
    assert torn[0].kind == "moment" and not torn[0].free


def test_a_first_answer_that_takes_long_is_announced_once(monkeypatch, capfd):
    monkeypatch.setattr("rate_nb.llm.calls.FIRST_SECONDS", .05)
    assert talk(.2, http(b"1"), calls=2, seconds=30.)[0] == [1, 1]
    said = capfd.readouterr().err.strip()
    assert re.fullmatch(r"no answer from http://127.* after 0.05 s: .*starting up. A call waits 30 s.*", said)


@pytest.mark.parametrize("url, meant", [("localhost:8000/v1", "http://localhost:8000/v1"),
                                        ("me:word@api.example.com/v1", "https://api.example.com/v1"),
                                        ("http:/localhost:8000/v1", "http://localhost:8000/v1"),
                                        ("ftp://x/v1", "")])
def test_an_address_without_http_is_refused_with_the_right_one(url, meant, monkeypatch):
    for name, make in dict(base_url=lambda: OpenAIRewriter("m", url), url=lambda: HTTPReward(url, "plain"),
                           OPENAI_BASE_URL=lambda: OpenAIRewriter("m")).items():
        monkeypatch.setenv("OPENAI_BASE_URL", url if name.isupper() else "")
        with pytest.raises(InputError, match=f"{name}` must begin with http://") as e:
            make()
        assert f"did you mean {meant!r}?" in str(e.value) if meant else "did you mean" not in str(e.value)
        assert "word" not in str(e.value)


def test_a_name_of_several_addresses_is_tried_in_turn():
    assert talk(http(b"1"), host="localhost")[0] == [1] # the server listens at one of its two


def test_nobody_there_is_told_from_a_call_that_may_be_paid():
    ends, _, _ = talk(url=lambda port: "http://127.0.0.1:1/v1")
    assert ends[0][0].words == "ConnectError" and ends[0][0].free # the ledger books nothing for it


def test_the_environments_proxy_is_asked(monkeypatch):
    for name in ("NO_PROXY", "no_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert talk(http(b"1"))[1] == ["POST /v1 HTTP/1.1"]
    def elsewhere(port): # an address that is nowhere, behind a proxy that is here
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
        return "http://endpoint.invalid/v1"
    ends, heads, _ = talk(http(b"1"), url=elsewhere)
    assert ends == [1] and heads == ["POST http://endpoint.invalid/v1 HTTP/1.1"]
    ends, heads, _ = talk(http(b"1")) # this machine is asked without it
    assert ends == [1] and heads == ["POST /v1 HTTP/1.1"]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_an_encrypted_connection_asks_for_a_certificate_that_is_trusted(tmp_path, monkeypatch):
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    key, certificate = tmp_path/"key.pem", tmp_path/"certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    unknown, = talk(http(b"1"), scheme="https", host="localhost", tls=tls)[0]
    assert "CERTIFICATE_VERIFY_FAILED" in unknown[1] and unknown[0].free
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert talk(http(b"1"), scheme="https", host="localhost", tls=tls, calls=2)[0] == [1, 1]
    other, = talk(http(b"1"), scheme="https", host="127.0.0.1", tls=tls)[0]
    assert "CERTIFICATE_VERIFY_FAILED" in other[1] # it is trusted for another name
