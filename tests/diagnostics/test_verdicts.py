"""Verdicts on planted audits: the kinds are what they say, and the verdicts keep the bar.

The kinds stand in planted.py, which shares nothing with the package; the whole table is made by
benchmarks/verdicts.py and stands in docs/verdicts.md.
"""
import ast, re, sys
from pathlib import Path
import numpy as np
import pytest
import planted
from planted import KINDS, State, read, write
from sampling import possible, repeats

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
import verdicts


# ---- the generator -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("attribute", planted.OPENINGS)
def test_what_is_written_can_be_read(attribute):
    rng = np.random.default_rng(1)
    most = dict(connective=2, extra=2**len(planted.EXTRAS), pile=len(planted.PILE) + 1, signature=3,
                number=50, echo=len(planted.NOUNS) + 1)
    for _ in range(200):
        said = tuple(tuple(int(rng.integers(len(words))) for words in
                           (planted.VERBS, planted.NOUNS, planted.PLACES, planted.TIMES))
                     for _ in range(rng.integers(2, 7)))
        most |= dict(choice=2**len(said), typo=len(said) + 1)
        style = tuple(int(rng.integers(most.get(name, 2))) for name in planted.STYLE)
        state = State(int(rng.integers(2)) if attribute != "relative length" else 0, said, style)
        assert read(write(state, attribute), attribute) == state


def test_the_generator_shares_nothing_with_the_package():
    "It imports the public surface alone, and none of its sentences or telling words occur in the package"
    tree = ast.parse(Path(planted.__file__).read_text(encoding="utf-8"))
    taken = {(node.module, name.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
             for name in node.names if node.module.startswith("rate_nb")}
    assert taken == {*(("rate_nb.audit", name) for name in ("Audit", "Design", "Grading")),
                     ("rate_nb.data", "Attribute"),
                     ("rate_nb.rewriting", "FunctionRewriter"), ("rate_nb.scoring", "CallableReward")}
    ours = [*planted.NOUNS, *planted.PLACES, *planted.EXTRAS, *planted.PILE, *planted.ASIDES.values(),
            *(word for pair in planted.VERBS for word in pair[1:]), *planted.SIGNATURES[1:], " befor "]
    theirs = "\n".join(p.read_text(encoding="utf-8").lower() for p in (ROOT / "rate_nb").glob("*/*.py"))
    words = set(re.findall(r"[a-z]+", theirs))
    assert not [w for w in ours if (w.lower() in words if w.isalpha() else w.lower() in theirs)]


def checked(names, n):
    return {name: why for name in names if (why := verdicts.wrong_about(verdicts.planted_facts(name, n)))}


def test_a_few_kinds_have_the_bias_and_the_footprint_that_they_claim():
    assert not checked(["filler to 1", "flips fail", "plain"], 400)


@pytest.mark.slow("every ninth kind; the whole study has all")
def test_kinds_have_the_bias_and_the_footprint_that_they_claim():
    assert not checked(list(KINDS)[::repeats(9, 1)], 4000)


# ---- the verdicts --------------------------------------------------------------------------------

def test_a_healthy_audit_gets_the_best_grade_and_a_harmful_one_does_not():
    "Little noise and few synonyms, so that few examples will do"
    def verdict(name):
        kind = KINDS[name]
        paid, law = dict.fromkeys(planted.PAID, 0.) | kind.paid, dict(choice=0) | kind.law
        return verdicts.verdict(name, 100, 0, noise=.1, paid=paid, law=law)["verdict"]
    assert verdict("plain") == "passed" and verdict("filler to 1") == "failed"


@pytest.mark.slow("one audit of some kinds; the whole study has a hundred of each")
# n = 0: the n that the plan announces
@pytest.mark.parametrize("bar, n, some", [("harmful", 300, 24), ("harmful", 1000, 80), ("healthy", 0, 21),
                                          ("unmarked", 1000, 3), ("unseen loss", 1000, 3)])
def test_the_bar(bar, n, some):
    "Each kind within what chance allows at the bar, and all kinds of a bar together"
    names = [name for name, kind in KINDS.items() if kind.bar == bar][::repeats(some, 1)]
    audits = repeats(1, 100) # with one of each only their sum can fail
    rows = verdicts.graded([(name, n, seed) for seed in range(audits) for name in names], 2, None)
    rows = [r for r in rows if r["verdict"] != verdicts.NO_PLAN]
    best = {name: sum(r["verdict"] == "passed" for r in rows if r["kind"] == name) for name in names}
    if bar in ("harmful", "unmarked"):
        assert possible(list(best.values()), audits, 0, verdicts.MOST), best
        assert sum(best.values()) <= verdicts.POOLED*len(rows)
    if bar == "healthy":
        assert possible(list(best.values()), audits, verdicts.LEAST), best
        assert sum(best.values()) >= verdicts.LEAST*len(rows)
    if bar == "unseen loss":
        assert not {r["kind"] for r in rows if r["verdict"] == "failed"}
