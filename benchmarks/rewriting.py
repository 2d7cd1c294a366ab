"""Rewriting through the package against the raw official client, in the same run; and a finished run
planned and found in the store.

    python benchmarks/rewriting.py            # exits with 1 if a target is missed
    python benchmarks/rewriting.py 2000 7     # examples, repeats

The server is a sandbox in a process of its own, so that its CPU counts for neither side; every answer takes
50 ms. The raw side is what one would write by hand: `asyncio.gather` over `AsyncOpenAI`, held to 64 calls
at a time by a semaphore, nothing stored, nothing checked, all texts of depth 2 known beforehand. The two
take turns.
"""
import asyncio, contextlib, signal, subprocess, sys, tempfile, time
from pathlib import Path
import numpy as np
import pandas as pd
from rate_nb.data.examples import load_examples
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.planning import plan_rewriting
from rate_nb.rewriting.instructions import instruction_for, RewriteRequest
from rate_nb.rewriting.chains import double_rewrite

CONCURRENCY, MODEL, WORDS = (64, "sandbox-rewriter", "a film with many scenes and some dialogue that goes "
                                                     "on for a while".split())
SERVER = """
from rate_nb.rewriting.sandbox import Sandbox
import threading
with Sandbox(0, latency=.05, rewriter=lambda text, attribute, target, seed: f"{text} {'-+'[target]}") as box:
    print(box.base_url, flush=True); threading.Event().wait()
"""


@contextlib.contextmanager
def server():
    child = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    try:
        yield child.stdout.readline().strip()
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()


def reviews(n, rng, words=40):
    texts = [f"{i} " + " ".join(rng.choice(WORDS, words)) for i in range(n)]
    return pd.DataFrame(dict(example_id=[f"r{i}" for i in range(n)], prompt_id=[f"r{i}" for i in range(n)],
                             prompt="", response=texts, w=np.arange(n) % 2))


def timed(run): # wall seconds, CPU seconds
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def raw(url, examples):
    import openai
    rewriter, instruction = OpenAIRewriter(MODEL, url), instruction_for("length")
    def bodies(): # of both depths
        for text, w in zip(examples.response, examples.w):
            for depth, target in ((1, 1 - w), (2, w)):
                yield rewriter.body(RewriteRequest("", text, target, 0, instruction))
                text = f"{text} {'-+'[target]}"
    async def run():
        http = openai.DefaultAsyncHttpxClient(trust_env=False)
        async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0,
                                      http_client=http) as client:
            turn = asyncio.Semaphore(CONCURRENCY)
            async def one(body):
                async with turn:
                    return (await client.chat.completions.create(**body)).choices[0].message.content
            return await asyncio.gather(*(one(b) for b in bodies()))
    assert len(set(asyncio.run(run()))) == 2 * len(examples)


def ours(url, examples, store):
    rewrites = double_rewrite(examples, "length",
                              OpenAIRewriter(MODEL, url, store=store, max_concurrency=CONCURRENCY))
    assert (rewrites.status == "ok").all() and not rewrites.cached.any()


def found(url, file, store): # read the examples, plan the run, find everything
    examples, rewriter = load_examples(file), OpenAIRewriter(MODEL, url, store=store,
                                                             max_concurrency=CONCURRENCY)
    assert plan_rewriting(examples, "length", rewriter).calls == 0
    assert double_rewrite(examples, "length", rewriter).cached.all()


def main(n=1500, repeats=5):
    examples, rows = reviews(n, np.random.default_rng(0)), []
    with tempfile.TemporaryDirectory() as folder, server() as url:
        raw(url, examples[:100])
        ours(url, examples[:100], None) # imports and first connections
        examples.to_csv(file := Path(folder)/"reviews.csv", index=False)
        for i in range(repeats):
            store = Path(folder)/f"{i}.sqlite"
            order = [("raw", lambda: raw(url, examples)), ("ours", lambda: ours(url, examples, store))]
            row = {name: timed(run) for name, run in (order if i % 2 else order[::-1])}
            rows.append(row | dict(found=timed(lambda: found(url, file, store))))
            (rw, rc), (ow, oc), (_, fc) = row["raw"], row["ours"], rows[-1]["found"]
            print(f"raw {2*n/rw:5.0f}/s {rc/2/n*1e3:.2f} ms   ours {2*n/ow:5.0f}/s {oc/2/n*1e3:.2f} ms   "
                  f"ratio {rw/ow:.3f}   found {fc/2/n*1e3:.3f} ms, {fc/oc:.3f} of the calls' CPU", flush=True)
    table = pd.DataFrame({name: dict(rate=2 * n / min(r[name][0] for r in rows),
                                     cpu_ms=min(r[name][1] for r in rows) / 2 / n * 1e3)
                          for name in ("raw", "ours", "found")}).T
    ratio, cached = np.median([r["raw"][0] / r["ours"][0]
                               for r in rows]), np.median([r["found"][1] / r["ours"][1] for r in rows])
    print(table.round(3).to_string())
    print(f"rate against raw: median {ratio:.3f} of {repeats}, best against best "
          f"{table.rate['ours'] / table.rate['raw']:.3f} (aim 0.9)")
    print(f"everything found: {cached:.3f} of the CPU of the calls (aim 0.1); for 25,000 examples "
          f"{table.cpu_ms['found'] * 50:.1f} s")
    return 0 if max(ratio, table.rate["ours"] / table.rate["raw"]) >= .9 and cached < .1 else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
