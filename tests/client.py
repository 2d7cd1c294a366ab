"""`rate_nb WORDS` for a shell script that a test runs: `python -S tests/client.py SOCKET WORDS…`

Whoever listens at the socket (`warm.listening`) runs the command in a fork of the server. `sandbox`, which
waits to be stopped, is a process of its own.
"""
import json, os, socket, sys

at, words = sys.argv[1], sys.argv[2:]
if words[0] == "sandbox":
    os.execv(sys.executable, [sys.executable, "-m", "rate_nb", *words])
with socket.socket(socket.AF_UNIX) as s:
    s.connect(at)
    s.sendall(json.dumps([words, os.getcwd(), dict(os.environ)]).encode())
    s.shutdown(socket.SHUT_WR)
    code, said, errors = json.loads(b"".join(iter(lambda: s.recv(65536), b"")))
sys.stdout.write(said)
sys.stderr.write(errors)
sys.exit(code)
