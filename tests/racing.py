"""Races for one run folder: processes and threads that start together, are killed, or stopped and woken.

The endpoint that is asked counts the calls, and a file the texts that are scored; neither trusts what an
audit says of itself. `race` makes one race from a seed.
"""
import hashlib, json, multiprocessing, os, random, signal, threading, time, warnings
from collections import Counter
from pathlib import Path
import openai, pandas as pd, pyarrow.parquet, scipy.stats # noqa: F401 — imported once, for all who are forked
from rate_nb.audit import Audit, Design, Grading
from rate_nb.audit.manifest import manifest_of
from rate_nb.base.core import RateError, RunFolderError
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.reward_models import CallableReward

KINDS = ("same", "other", "threads", "killed", "stopped")
N = 8 # examples, so 16 rewrites and 24 texts


def examples():
    words = ["a film that was long and dull", "a plot that one forgets", "the actors did what they could"]
    return pd.DataFrame([dict(example_id=f"e{i}", prompt_id=f"p{i // 2}", prompt="Say something.",
                              response=f"{words[i % 3]}, number {i}. " * (1 + i % 2 * 2), w=i % 2)
                         for i in range(N)])


def take_part(url, folder, settings, result, gate=None, pause=0.):
    "One audit from start to effects; what came of it goes into a file"
    scored = Path(folder).parent / "scored.txt"
    def reward(prompts, responses):
        with open(scored, "a") as f:
            f.write("".join(hashlib.md5(r.encode()).hexdigest() + "\n" for r in responses))
        return [float(len(r)) for r in responses]
    said = dict(outcome="done", error="")
    try:
        rewriter = OpenAIRewriter("sandbox-rewriter", base_url=url, max_concurrency=2, api_key=lambda: "none")
        if gate is not None:
            gate.wait(60)
        time.sleep(pause)
        audit = Audit(examples(), "length", rewriter, CallableReward("chars", reward, "1"), folder,
                      design=Design(check=0),
                      **settings)
        Path(f"{result}.begun").touch()
        said["ate"] = audit.effects().get("rate", "ATE").estimate
        audit.folder.write_json("manifest.json", manifest_of(audit))
    except RunFolderError as e:
        said = dict(outcome="refused", error=str(e))
    except RateError as e:
        said = dict(outcome="stopped", error=f"{type(e).__name__}: {e}")
    except BaseException as e:
        said = dict(outcome="raw", error=f"{type(e).__name__}: {e}")
    Path(result).write_text(json.dumps(said))


def _context(): # children are forked from a process that has imported everything, and has no threads
    tests = str(Path(__file__).parent)
    if tests not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [tests, os.environ.get("PYTHONPATH")]))
    here = multiprocessing.get_context("forkserver")
    here.set_forkserver_preload(["racing"])
    return here


def _results(paths):
    return [json.loads(p.read_text()) if p.exists() else dict(outcome="killed", error="") for p in paths]


def _in_threads(url, folder, plans, results):
    gate = threading.Barrier(len(plans))
    threads = [threading.Thread(target=take_part, args=(url, folder, s, r, gate, p))
               for (s, p), r in zip(plans, results)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(120)


def _in_processes(url, folder, plans, results, kind, rng):
    here = _context()
    gate = here.Barrier(len(plans))
    people = [here.Process(target=take_part, args=(url, folder, s, r, gate, p))
              for (s, p), r in zip(plans, results)]
    for p in people:
        p.start()
    if kind in ("killed", "stopped"):
        begun = [Path(f"{r}.begun") for r in results]
        end = time.monotonic() + 60
        while not any(b.exists() for b in begun) and time.monotonic() < end:
            time.sleep(.005)
        time.sleep(rng.uniform(0, .4))
        victim = next((i for i, b in enumerate(begun) if b.exists()), 0)
        os.kill(people[victim].pid, signal.SIGKILL if kind == "killed" else signal.SIGSTOP)
        if kind == "stopped": # the others wait for it
            time.sleep(1)
            os.kill(people[victim].pid, signal.SIGCONT)
    for p in people:
        p.join(120)


def race(
    kind,   # one of KINDS
    folder, # an empty one
    n,      # how many take part
    seed=0,
    latency=.02, # seconds that the endpoint takes for a call
):          # dict: twice (calls), rescored (texts), mixed, outcomes, errors …
    "One race, and how it ended"
    rng, folder = random.Random(f"{kind}|{n}|{seed}"), Path(folder)
    run = folder / "run"
    results = [folder / f"result-{i}.json" for i in range(n)]
    other = [dict(grading=Grading(level=.9), draws=2) if kind == "other" and i % 2 else {} for i in range(n)]
    plans = [(s, rng.choice((0., rng.uniform(0, .05)))) for s in other]
    facts = dict(kind=kind, n=n, seed=seed)
    with Sandbox(latency=latency) as server, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "threads":
            _in_threads(server.base_url, run, plans, results)
        else:
            _in_processes(server.base_url, run, plans, results, kind, rng)
        time.sleep(3 * latency) # calls that were under way at a kill
        times = Counter(e["key"] for e in server.log if e["status"] == 200)
    ended = _results(results)
    facts["outcomes"] = dict(Counter(e["outcome"] for e in ended))
    facts["errors"] = [e["error"] for e in ended if e["outcome"] in ("raw", "stopped")]
    facts["twice"] = sum(k - 1 for k in times.values())
    lines = Counter((folder / "scored.txt").read_text().split()) if (folder / "scored.txt").exists() else {}
    facts["rescored"] = sum(k - 1 for k in lines.values())
    facts["ates"] = len({e["ate"] for e in ended if "ate" in e and e["outcome"] == "done"})
    facts["mixed"] = int(_mixed(run))
    return facts


def _mixed(run):
    "Does the folder hold something of another audit than its manifest names?"
    manifest = json.loads((run / "manifest.json").read_text())
    if not (run / "rewrites.parquet").exists():
        return False
    rewrites = pd.read_parquet(run / "rewrites.parquet")
    draws = manifest["audit"]["draws"]
    return len(rewrites) != 2 * N * draws or rewrites.draw.nunique() != draws


def wrong(facts):
    "What a race must not show; calls that a kill left under way may be paid again"
    allowed = 2 if facts["kind"] == "killed" else 0 # 2 calls at once
    found = []
    if facts["twice"] > allowed:
        found.append(f"{facts['twice']} calls paid twice")
    if facts["rescored"] > (3*N if facts["kind"] == "killed" else 0):
        found.append(f"{facts['rescored']} texts scored twice")
    if facts["mixed"]:
        found.append("mixed folder")
    if facts["errors"]:
        found += facts["errors"]
    if facts["ates"] > (2 if facts["kind"] == "other" else 1):
        found.append("two results")
    if not facts["outcomes"].get("done"):
        found.append(f"nobody finished: {facts['outcomes']}")
    if facts["kind"] in ("same", "threads", "stopped") and facts["outcomes"] != dict(done=facts["n"]):
        found.append(f"not all finished: {facts['outcomes']}")
    return found
