"""What does a person wait for, now and before? CPU seconds of whole processes, in pairs.

    git worktree add ../before 2f087fa
    python benchmarks/waits.py ../before                    # everything: half an hour of CPU
    python benchmarks/waits.py ../before --waits help audit --times 1

Each wait is a process of its own with all that it starts (user and system seconds, so that other work on the
machine counts little), in the state before and in this one by turns; medians. Parts of an audit are measured
inside of its process. `same` says whether both states gave the same numbers: the digest of what the last
line of the process's output holds.
"""
import argparse, json, os, subprocess, sys, tempfile
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parents[1]
PYTHON = sys.executable

BEGIN = """
import hashlib, json, sys, time
import numpy as np
def timed(parts, name, run):
    start = time.process_time()
    made = run()
    parts[name] = time.process_time() - start
    return made
def said(parts, *tables): # the last line: seconds of the parts, digest of the numbers
    text = "".join(t.to_csv() for t in tables)
    print("\\n" + json.dumps(dict(parts=parts, digest=hashlib.md5(text.encode()).hexdigest())))
"""
AUDIT = BEGIN + """
from rate_nb.audit import Audit, Design
from rate_nb.scoring import CallableReward
from rate_nb.theory.text_world import Taste, TextWorld
world, n, rich = TextWorld("length"), int(sys.argv[1]), sys.argv[2] == "rich"
audit = Audit(world.examples(n, np.random.default_rng(0)), "length", world.rewriter,
              CallableReward("taste", Taste(), key="1"), "run", design=Design(check=0),
              **(dict(both=True, depth=3, draws=2) if rich else {}))
parts = {}
for stage in ("rewrite", "score", "effects", "diagnose", *(() if rich else ("report",))):
    timed(parts, stage, getattr(audit, stage))
said(parts, audit.effects().table, audit.diagnose().table)
"""
REVIEWED = BEGIN + """
sys.path.insert(0, f"{sys.argv[1]}/tests")
from planted import KINDS, Planted
from reader import Reader
from rate_nb.audit.inputs import Reviewing
reader, parts = Reader(0, False), {}
review = Reviewing(pairs=40, reviewer=reader, coder=reader.code, planted=280, seed=0)
audit = Planted(KINDS["connectives"], 300, 0).audit("run", review=review)
for stage in ("rewrite", "score", "effects", "review"):
    timed(parts, stage, getattr(audit, stage))
own = [t for r in audit.review().values() for t in r.tags.tag[r.tags.belongs.eq("attribute")]]
timed(parts, "confirm", lambda: audit.review(confirm=dict.fromkeys(own, "attribute")))
said(parts, timed(parts, "diagnose", audit.diagnose).table)
"""
STORED = BEGIN + """
from rate_nb.rewriting import FunctionRewriter, double_rewrite
from rate_nb.theory import TextWorld
world = TextWorld("length")
rewriter = FunctionRewriter(world.rewriter, "world, 1", store="rewrites.sqlite")
examples, parts = world.examples(3000, np.random.default_rng(0)), {}
rewrites = timed(parts, "rewriting", lambda: double_rewrite(examples, "length", rewriter))
said(parts, rewrites.drop(columns=["key"]))
"""
SCORES = """
import numpy as np, pandas as pd
rng = np.random.default_rng(0)
n, words = 300_000, np.array("red blue lamp chair works holds breaks".split())
texts = [" ".join(words[rng.integers(0, 7, k)]) for k in rng.integers(5, 60, n)]
pd.DataFrame(dict(prompt_id=np.arange(n)//2, prompt="?", response=texts, model="m",
                  reward=rng.normal(size=n) + np.array([len(t) for t in texts])/200)
             ).to_csv("scores.csv", index=False)
"""
CHARTS = "from rate_nb.plots import enable_charts; enable_charts()"
WAITS = { # name → arguments of Python, made of the checkout
    "demo": lambda root: ["-m", "rate_nb", "demo", "--run-dir", "run"],
    "help": lambda root: ["-m", "rate_nb", "--help"],
    "mistake": lambda root: ["-m", "rate_nb", "audit", "--atribute", "length"],
    "charts": lambda root: ["-c", CHARTS],
    "audit": lambda root: ["-c", AUDIT, "300", "plain"],
    "audit of 3,000": lambda root: ["-c", AUDIT, "3000", "rich"],
    "reviewed audit": lambda root: ["-c", REVIEWED, root],
    "stored rewrites": lambda root: ["-c", STORED],
    "calibrate": lambda root: ["-m", "rate_nb", "calibrate", "scores.csv", "--run-dir", "run"]}


def once(root, wait): # CPU seconds of the process and all it started, its parts, the digest of its numbers
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | dict(PYTHONPATH=str(root), OMP_NUM_THREADS="1", RATE_NB_CACHE=f"{folder}/cache",
                                TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1")
        if wait == "calibrate":
            subprocess.run([PYTHON, "-c", SCORES], cwd=folder, check=True)
        with open(f"{folder}/said", "w+") as said:
            run = subprocess.Popen([PYTHON, *WAITS[wait](str(root))], cwd=folder, env=env, stdout=said,
                                   stderr=subprocess.STDOUT)
            _, status, used = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read()
        if run.returncode != (2 if wait == "mistake" else 0):
            sys.exit(f"{wait} in {root} ended with {run.returncode}:\n{text[-3000:]}")
        last = text.rstrip().rpartition("\n")[2]
        found = json.loads(last) if last.startswith('{"parts"') else dict(parts={}, digest="")
        return dict(whole=used.ru_utime + used.ru_stime, **found["parts"]), found["digest"]


def compared(before, wait, times): # rows: what, before, now (medians), are the numbers the same?
    runs = [[once(root, wait) for root in (before, HERE)] for _ in range(times)]
    same = "" if not runs[0][0][1] else "yes" if len({d for pair in runs for _, d in pair}) == 1 else "NO"
    for part in runs[0][0][0]:
        old, new = (median(pair[k][0][part] for pair in runs) for k in (0, 1))
        yield (wait if part == "whole" else f"– {part}"), old, new, same if part == "whole" else ""


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("before", type=Path, help="a checkout of the state before")
    ask.add_argument("--waits", nargs="*", choices=WAITS, default=list(WAITS), metavar="WAIT",
                     help=", ".join(WAITS))
    ask.add_argument("--times", type=int, default=3)
    options = ask.parse_args()
    print("| wait | before, CPU s | now | now/before | same numbers |\n|:--|--:|--:|--:|:--|", flush=True)
    wrong = False
    for wait in options.waits:
        for what, old, new, same in compared(options.before.resolve(), wait, options.times):
            print(f"| {what} | {old:.2f} | {new:.2f} | {new/max(old, 1e-9):.2f} | {same} |", flush=True)
            wrong |= same == "NO"
    sys.exit(int(wrong))


if __name__ == "__main__":
    main()
