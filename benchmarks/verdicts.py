"""How often does a verdict say what it should? Planted kinds of audits × verdicts, as a table.

    python benchmarks/verdicts.py --check              # bias and footprint of each kind, by simulation; exits
                                                       # with 1 if a kind is not what it says
    python benchmarks/verdicts.py --audits 20 --n 300  # and the verdicts of 20 audits of each kind
    python benchmarks/verdicts.py --kinds bar --n 300 1000 0 --jobs 4 --keep verdicts.jsonl
    python benchmarks/verdicts.py --keep verdicts.jsonl --write docs/verdicts.md

The kinds stand in tests/planted.py and share nothing with the package; `bar` are those that the bar speaks
of. Every audit goes through `Audit` and `diagnose` as a user's would, at both=True, depth=3, and is read by
the imperfect reader of tests/reader.py, which sees 40 pairs. Where --n holds
0, the healthy kinds are audited at the n that the plan announces after a pilot of 50 of its own, and at no
other. With --keep, audits that a file holds are not run again; where --seconds stops a run, every kind has
about as many.
"""
import argparse, gc, json, math, os, sys, tempfile, time
os.environ.setdefault("OMP_NUM_THREADS", "1")
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from planted import BAR, KINDS, Planted, differences, limit, read, truth
from reader import Reader

VERDICTS = ("failed", "inconclusive", "passed")
MOST, POOLED, LEAST = .09, .05, .8 # passes of a harmful kind, of all of them, of a healthy one
NO_PLAN = "no plan" # the pilot could not say how many it takes
MARGIN = .1 # standard deviations of the original rewards, the package's default
PAIRS, PLANTED = 40, 280 # pairs that the reader compares, and others with a planted change: 35 of each class
PILOT = 50 # responses of a pilot
BARS = dict(harmful="at most 9 of 100 passes, 5 of 100 pooled", healthy="at least 80 of 100",
            unmarked="at most 9 of 100: inconclusive is right", **{"unseen loss": "never failed"},
            apart="no bar: shown to say what a verdict does not see")


def planted_facts(name, n=4000):
    "The truth of a kind, its bias and where it shows, without the package"
    kind = KINDS[name]
    true, found, seen = truth(kind, n)[kind.claim], limit(kind, n), differences(kind, max(n//2, 500))
    bias, shown = found["ATE"] - true, seen.get(kind.footprint)
    if kind.footprint == "reading":
        words, shows = kind.shows, True
    elif kind.footprint in ("contrast", "originals"):
        phrase, rate, measure, moved = shown
        words = f"“{phrase.strip()}” {100*rate:+.0f} points; {measure} {moved:+.2f} sd"
        shows = abs(rate) >= .3 or abs(moved) >= .5
    else:
        what = dict(labels="of rewrites are not on the side asked for", loss="of originals are lost")
        words, shows = f"{shown:.0%} {what[kind.footprint]}", shown >= .1
    return dict(kind=name, truth=true, bias=bias, bias_sd=bias/found["sd"], sd=found["sd"], footprint=words,
                shows=shows, error=found["error"]/found["sd"])


def wrong_about(facts): # what a kind claims and its simulation does not show; empty where all is well
    kind, bias = KINDS[facts["kind"]], abs(facts["bias_sd"])
    if kind.bar == "harmful":
        if abs(facts["bias"]) < .4*abs(facts["truth"]) or bias < 1.5*MARGIN:
            return "its bias is too small"
        return "" if facts["shows"] else "its footprint is too small"
    if kind.bar in ("healthy", "unmarked") and bias > 3*facts["error"] + .01:
        return "it is biased"
    return ""


def read_by(kind, seed, blind=()):
    "What lets an imperfect reader review an audit of a kind; what he is blind to he never notices"
    from rate_nb.audit.inputs import Reviewing
    reader = Reader(seed, kind.relative, dict.fromkeys(blind, 0.))
    return dict(review=Reviewing(pairs=PAIRS, reviewer=reader, coder=reader.code, planted=PLANTED,
                                 seed=seed))


def made(folder, kind, n, seed, blind=()):
    "An audit of a kind, read and confirmed as by a person"
    audit = Planted(kind, n, seed).audit(folder, **read_by(kind, seed, blind))
    own = [t for r in audit.review().values() for t in r.tags.tag[r.tags.belongs.eq("attribute")]]
    audit.review(confirm=dict.fromkeys(own, "attribute"))
    return audit


def announced(folder, kind, seed):
    "The n at which the plan says, after a pilot, that a healthy audit reaches a pass; None: it cannot say"
    pilot = made(folder / "pilot", kind, PILOT, 10_000 + seed).diagnose()
    return Planted(kind, 300, seed).audit(folder / "plan", **read_by(kind, seed)).plan(pilot=pilot).n_best


def verdict(name, n, seed, blind=(), **changes):
    "One audit: its verdict, and what stood in the way of the best one; `changes` are fields of the kind"
    kind, start = replace(KINDS[name], **changes), time.perf_counter()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    gc.freeze()
    gc.disable() # looking for garbage while rows pile up took a third of the time
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        size = n or announced(Path(folder), kind, seed)
        if size is None:
            return dict(kind=name, n=n, seed=seed, verdict=NO_PLAN, held_by={})
        audit = made(Path(folder) / "audit", kind, size, seed, blind)
        found, effect = audit.diagnose(), audit.effects().get("rate", "ATE")
    gc.enable()
    read.cache_clear()
    gc.collect()
    rows = found.table[(found.table.verdict != "passed") & found.table.claim.isin(("", kind.claim))]
    parts = found.parts[found.parts.verdict != "passed"]
    return dict(kind=name, n=n, seed=seed, verdict=found.verdict(claim=kind.claim), size=size,
                estimate=round(effect.estimate, 4), std_error=round(effect.std_error, 4),
                seconds=round(time.perf_counter() - start, 2), held_by=dict(zip(rows.check, rows.verdict)),
                parts=[f"{p.check}, {p.part}: {p.verdict}" for p in parts.itertuples()][:20],
                n_needed=found.n_needed(claim=kind.claim), bound=_bound(found))

def _bound(found): # what an unseen habit could still explain, in standard deviations
    held = found.results.get(("unseen", "reward"))
    return None if held is None or not math.isfinite(held.bound) else round(
        MARGIN*held.bound/found.points["reward"], 3)


def wilson(k, n, z=1.959964): # a 95% interval for a share
    if n == 0:
        return math.nan, math.nan
    p, c = k/n, z*z/n
    middle, half = p + c/2, z*math.sqrt(p*(1 - p)/n + c/(4*n))
    return max((middle - half)/(1 + c), 0.), min((middle + half)/(1 + c), 1.)


def graded(tasks, jobs, keep, seconds=math.inf, blind=()): # rows of `verdict`, those of the file included
    rows = [json.loads(line) for line in keep.read_text().splitlines()] if keep and keep.exists() else []
    there = {(r["kind"], r["n"], r["seed"]) for r in rows}
    wanted = [t for t in tasks if t not in there]
    rows = [r for r in rows if (r["kind"], r["n"], r["seed"]) in set(tasks)]
    end = time.monotonic() + seconds
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(verdict, *t, blind) for t in wanted]
        for i, future in enumerate(as_completed(futures), 1):
            if time.monotonic() > end:
                pool.shutdown(cancel_futures=True)
                break
            rows.append(future.result())
            if keep:
                with keep.open("a") as f:
                    f.write(json.dumps(rows[-1]) + "\n")
            if i % 50 == 0:
                print(f"{i:,} of {len(wanted):,} audits", file=sys.stderr)
    return rows


def confusion(facts, rows, sizes):
    "The table, as lines of Markdown; a size of 0 is the n that the plan announces"
    at = [f"n = {n:,}" if n else "announced n" for n in sizes]
    yield "| " + " | ".join(["kind", "true effect", "bias, sd", "where it shows", *at, "held up by"]) + " |"
    yield "|:--|--:|--:|:--|" + "--:|"*len(sizes) + ":--|"
    for bar, rule in BARS.items():
        named = [f for f in facts if KINDS[f["kind"]].bar == bar]
        if not named:
            continue
        of = [[r for f in named for r in _own(rows, f["kind"], n)] for n in sizes]
        yield f"| **{bar}** ({rule}) | | | | " + " | ".join(f"**{_share(own)}**" for own in of) + " | |"
        for f in named:
            kind, about = f["kind"], KINDS[f["kind"]].about
            of = [_own(rows, kind, n) for n in sizes]
            counts = " | ".join(_counts(own) + ("" if n else _sizes(own)) for n, own in zip(sizes, of))
            yield (f"| {kind}{': ' if about else ''}{about} | {f['truth']:.2f} | {f['bias_sd']:+.2f} | "
                   f"{f['footprint']} | {counts} | {_held_by(sum(of, []))} |")


def _own(rows, kind, n): # the audits of one kind and size of which a plan speaks
    return [r for r in rows if r["kind"] == kind and r["n"] == n and r["verdict"] != NO_PLAN]

def _sizes(own): # announced, from the fewest to the most
    sizes = sorted(r["size"] for r in own)
    return f" (n = {sizes[0]:,} to {sizes[-1]:,})" if own else ""

def _counts(own): # failed, inconclusive, passed
    return " / ".join(str(sum(r["verdict"] == g for r in own)) for g in VERDICTS) if own else "–"

def _share(own): # of passes, with Wilson's interval
    best = sum(r["verdict"] == "passed" for r in own)
    low, high = wilson(best, len(own))
    return f"{best} of {len(own)} best [{low:.0%}, {high:.0%}]" if own else "–"

def _held_by(own, most=3): # what stood in the way of a pass, and how often
    held = Counter(check for r in own for check in r["held_by"])
    return ", ".join(f"{check} {k}" for check, k in held.most_common(most))


def missed(rows): # kinds whose rate of passes is on the wrong side of the bar
    for n in sorted({r["n"] for r in rows}):
        harmful = [r["verdict"] for r in rows if r["n"] == n and KINDS[r["kind"]].bar == "harmful"]
        if harmful.count("passed") > POOLED*len(harmful):
            yield f"harmful kinds together, n = {n:,}: {harmful.count('passed')} passes of {len(harmful)}"
    for kind, n in sorted({(r["kind"], r["n"]) for r in rows}):
        own = [r["verdict"] for r in _own(rows, kind, n)]
        if not own:
            continue
        best, bar = own.count("passed")/len(own), KINDS[kind].bar
        if (bar in ("harmful", "unmarked") and best > MOST) or (bar == "healthy" and best < LEAST):
            yield f"{bar}: {kind}, n = {n:,}: {best:.0%} passes of {len(own)}"
        if bar in ("unseen loss", "healthy", "unmarked") and "failed" in own:
            share = own.count("failed")/len(own)
            if bar == "unseen loss" or share > .1:
                yield f"{bar}: {kind}, n = {n:,}: {share:.0%} failed of {len(own)}"


FACTS, TABLE = "A harmful kind must have", "| kind |" # how the lines begin between which people write


def by_hand(path): # what people wrote on an earlier page
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    first, last = (next((i for i, line in enumerate(lines) if line.startswith(start)), 0)
                   for start in (FACTS, TABLE))
    return "\n".join(lines[first + 1:last]).strip()


def page(facts, rows, lines, wrong, written):
    harmful = [f for f in facts if KINDS[f["kind"]].bar == "harmful"]
    least = min((abs(f["bias_sd"]) for f in harmful), default=math.nan)
    kinds = len({r["kind"] for r in rows})
    said = ("How often does a verdict say what it should? Each row is a kind of audit with a known answer, "
            "made by a generator that shares nothing with the package "
            f"({kinds} kinds, {len(rows):,} audits; `python benchmarks/verdicts.py`). "
            "Bias is that of RATE against the estimand that the graded claim names, in standard deviations "
            f"of the original rewards; the margin is {MARGIN}. "
            "Verdicts are counted as failed / inconclusive / passed. The last column says which checks "
            "stood in the way of a pass, and in how many audits. Each audit is read by an imperfect reader "
            f"(`tests/reader.py`), who compares {PAIRS} pairs, and {PLANTED} others with a planted change or "
            "none. In each audit he notices a sentence, a word, a mark, the layout, the order, capitals and "
            "numbers with chances of his own, drawn between 0.7 and 1, and in one pair of twenty he names a "
            "difference that is not there. He sees texts alone and shares no code with the generator.")
    checked = (f"{FACTS} a bias of at least 40% of the effect and 1.5 margins, and show: a "
               "phrase whose rate differs by 30 points, a measure by half a standard deviation, or a tenth "
               f"of the labels or of the originals. Simulation of {len(harmful)} harmful kinds confirms it"
               f"{' except for ' + '; '.join(wrong) if wrong else ''}; their smallest bias is {least:.2f}.")
    return "\n".join(["# Verdicts on planted audits", "", said, "", checked, "",
                      *([written, ""] if written else []), *lines, ""])


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kinds", nargs="*", help="names, or bar, harmful, healthy …; all if not given")
    ask.add_argument("--audits", type=int, default=100, help="of each kind and n")
    ask.add_argument("--n", type=int, nargs="*", default=[300, 1000], help="0: the n that the plan announces")
    ask.add_argument("--jobs", type=int, default=os.cpu_count())
    ask.add_argument("--check", action="store_true", help="bias and footprint only, no audits")
    ask.add_argument("--blind", nargs="*", default=(), help="what the reader never notices: order, number …")
    ask.add_argument("--seconds", type=float, default=math.inf, help="start no audit after so long")
    ask.add_argument("--keep", type=Path, help="a file that collects the verdicts: a run can be resumed")
    ask.add_argument("--write", type=Path, help="a Markdown file; what people wrote above its table stays")
    options = ask.parse_args()
    names = [k for k, kind in KINDS.items()
             if not options.kinds or k in options.kinds or kind.bar in options.kinds
             or k in BAR and "bar" in options.kinds]
    with ProcessPoolExecutor(options.jobs) as pool:
        facts = list(pool.map(planted_facts, names))
    wrong = [f"{f['kind']}: {why}" for f in facts if (why := wrong_about(f))]
    audits = range(0 if options.check else options.audits)
    def wanted(k, n): return 0 not in options.n or (n == 0) == (KINDS[k].bar == "healthy")
    tasks = [(k, n, s) for s in audits for n in options.n for k in names if wanted(k, n)]
    rows = graded(tasks, options.jobs, options.keep, options.seconds, options.blind)
    lines = list(confusion(facts, rows, options.n))
    print("\n".join(lines))
    if options.write:
        options.write.write_text(page(facts, rows, lines, wrong, by_hand(options.write)), encoding="utf-8")
    for said in [*wrong, *missed(rows)]:
        print("MISSED", said)
    sys.exit(1 if wrong or list(missed(rows)) else 0)


if __name__ == "__main__":
    main()
