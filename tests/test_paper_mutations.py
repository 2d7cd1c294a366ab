"""Break thirty functions that papers.ipynb names, and see what each row says turns red turn red.

The sample is drawn with a fixed seed from all functions named in the table that hold a sign, an arm or a
denominator (charts left out: there such numbers are layout). A hash of seed and name orders the functions,
and one of seed, name and mutation orders a function's mutations: to change one function redraws no other.
Each mutation is made in a temporary copy of the package and, for a notebook, in the cell that exports the
function.

    python tests/test_paper_mutations.py       # minutes; writes tests/paper_mutations.md
"""
import ast, functools, gc, hashlib, itertools, json, os, re, shutil, subprocess, sys, tempfile
from dataclasses import dataclass, replace
from pathlib import Path
import pytest

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT/"tests"/"paper_mutations.md"
SAMPLED, SEED = 30, 20


@dataclass(frozen=True)
class Mutation:
    place: str      # the row
    name: str       # the function, as the row names it
    module: Path    # where it stands
    kind: str       # sign, arm or denominator
    old: str        # its text
    new: str        # its text with the mutation
    changed: str    # the piece that was changed, before → after
    red: tuple      # what the row says turns red


def rows():
    "(place, where, red) of every row of papers.ipynb"
    notebook = json.loads((ROOT/"nbs"/"papers.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for line in "".join(cell["source"]).splitlines():
                if line.startswith("|") and not line.startswith(("| place", "|:--")):
                    place, _, where, red = (c.strip() for c in line.strip("|").split("|"))
                    named = re.findall(r"\]\(([^)]+)\)|`([^`]+)`", red)
                    yield place, where, tuple(link or test for link, test in named)


def parsed(text):
    "Syntax tree; a collection while Python builds one may end in a SystemError (gh-106905)"
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        gc.enable()


@functools.cache
def definitions():
    "Name, or `Class.method` → [(module, its node, text of the module)]"
    found = {}
    for path in sorted((ROOT/"rate_nb").glob("*/*.py")):
        text = path.read_text(encoding="utf-8")
        tree = parsed(text)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                owner = node.args.args and node.args.args[0].arg == "self" and node.args.args[0].annotation
                name = f"{ast.unparse(owner)}.{node.name}" if owner else node.name
                found.setdefault(name, []).append((path, node, text))
            if isinstance(node, ast.ClassDef):
                for method in (m for m in node.body if isinstance(m, ast.FunctionDef)):
                    found.setdefault(f"{node.name}.{method.name}", []).append((path, method, text))
    return found


def quiet(node):
    "Parts of a function whose numbers mean nothing: messages, annotations, defaults"
    for inner in ast.walk(node):
        called = ast.unparse(inner.func) if isinstance(inner, ast.Call) else ""
        message = called.endswith(("warn", "listing", "counted"))
        if message or isinstance(inner, (ast.Raise, ast.JoinedStr, ast.Assert, ast.arguments)):
            yield from ast.walk(inner)


def is_text(node):
    "Does a text, or a path, stand in this expression?"
    constants = [n for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return any(isinstance(n, ast.JoinedStr) for n in ast.walk(node)) or any(
        isinstance(n.value, str) for n in constants)


def swapped(node, piece):
    "(kind, replacement) of one expression, or None"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return "sign", f"(({piece(node.right)}) - ({piece(node.left)}))"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not is_text(node):
        return "denominator", f"(({piece(node.left)})/(2*({piece(node.right)})))"
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and ast.unparse(
            node.comparators[0]) in ("0", "1") and len(node.ops) == 1:
        return "arm", f"({piece(node.left)} == {1 - node.comparators[0].value})"
    if isinstance(node, ast.Tuple) and ast.unparse(node) in ("(0, 1)", "(1, 0)", "('ATT', 'ATU')"):
        return "arm", f"({piece(node.elts[1])}, {piece(node.elts[0])})"
    return None


@functools.cache
def line_starts(text):
    "Where each line begins, in bytes"
    sizes = [len(line.encode()) for line in text.splitlines(keepends=True)]
    return [0, *itertools.accumulate(sizes)]


def span(node, text):
    "Where an expression begins and ends, in bytes"
    starts = line_starts(text)
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def sites(node, text):
    "(kind, start, end, replacement) of every sign, arm and denominator in a function, in bytes of its module"
    data, silent = text.encode(), {id(n) for n in quiet(node)}
    for n in (n for n in ast.walk(node) if id(n) not in silent):
        if found := swapped(n, lambda k: data[slice(*span(k, text))].decode()):
            yield found[0], *span(n, text), found[1]


@functools.cache
def mutations():
    "Every mutation of every function that a row names, with what the row says turns red"
    found, out = definitions(), {}
    for place, where, red in rows():
        for name in re.findall(r"`([\w.]+)`", where):
            if name.startswith("plot") or not red:
                continue
            for method in (k for k in found if k == name or k.startswith(f"{name}.")):
                if not method.endswith(("__repr__", "_repr_markdown_", "_repr_html_", "plot")):
                    made = of_one(method, found[method])
                    them = [replace(m, place=place, name=name, red=red) for m in made]
                    out.setdefault(name, []).extend(them)
    return {name: them for name, them in out.items() if them}


# definition → {mutated text that gives no other result: why}
EQUIVALENT = {
    "AdditiveRCLWR._estimate": {
        "np.abs(((before) - (fitted)))": "a distance has no sign"},
    "Attribute.words": {
        "not in (1, 0)": "membership has no order"},
    "FiniteWorld.__post_init__": {
        "for t in (1, 0)}": "a table by target, in whatever order it was made"},
    "FiniteWorld._check": {
        "for t in (1, 0))": "all chances are looked at, in either order"},
    "FiniteWorld.regression_slope": {
        "((mc) - (c(*u))))**2": "a square has no sign"},
    "FiniteWorld.rewrites": {
        "if p*q*(((kept) - (1))):": "the condition asks only whether it is zero"},
    "JointEstimates.test": {
        "((V)/(2*(np.outer(size, size))))": "the rank of a matrix does not depend on its scale"},
    "JointRCLWR._z": {
        "((self.mean_) - (x))": "windows and weights see distances, which a mirror keeps",
        "((x - self.mean_)/(2*(": "windows hold a share of the texts; weights see shares of their reach"},
    "LocalRewriter._next": {
        "abs(((len(first.ids)) - (len(job.ids))))": "a distance has no sign"},
    "TextWorld.__post_init__": {
        "for t in (1, 0))": "both chances are looked at, in either order"},
    "check_labels": {
        "(1, 0)).all()": "membership has no order"},
    "check_smoothness": {
        "(((1 - calibrator.gamma)*calibrator.predict(x)) - (after))":
            "what is left changes its sign, and only its mean squares are looked at"},
    "default_distance": {
        "np.abs(((full[pairs[:, 1]]) - (full[pairs[:, 0]])))": "a distance has no sign"},
    "foils": {
        "abs(((rate.estimate) - (other.estimate)))": "a distance has no sign"},
    "largest_n": {
        "for a in (1, 0)": "a table by cell, in whatever order it was made",
        "for b in (1, 0)": "likewise"},
    "length_margins": {
        "np.abs(((c[p[:, 1]]) - (c[p[:, 0]])))": "a distance has no sign"},
    "lowess": {
        "x.shape[1] == 0": "a plane over one characteristic is a line: the same fit, found more slowly"},
    "rank_correlations": {
        "rankdata(r))[(1, 0)]": "a matrix of correlations is symmetric"},
    "text_cards": {
        '("Rewrite", ((w) - (1)),': "it picks one of two words, and word[w − 1] is word[1 − w]"},
    "window": {
        "np.abs(((q) - (ends[": "a distance has no sign"},
}


def of_one(method, found):
    "The mutations of one definition that change a result"
    for path, node, text in found:
        data, starts = text.encode(), line_starts(text)
        start, end = starts[node.lineno - 1], starts[node.end_lineno]
        for kind, a, b, new in sites(node, text):
            changed = " ".join(f"{data[a:b].decode()} → {new}".split())
            mutated = (data[start:a] + new.encode() + data[b:end]).decode()
            if not any(same in mutated for same in EQUIVALENT.get(method, ())):
                yield Mutation("", method, path, kind, data[start:end].decode(), mutated, changed, ())


def digest(*words):
    "Place of a name or of a mutation in the order of the draw"
    return hashlib.sha256("\0".join(map(str, words)).encode()).digest()


def sample(seed=SEED, pool=None):
    "One mutation of each of `SAMPLED` functions; what is drawn of one does not depend on the others"
    pool = pool or mutations()
    names = sorted(pool, key=lambda name: digest(seed, name))[:SAMPLED]
    return [min(pool[name], key=lambda m: digest(seed, name, m.place, m.changed)) for name in names]


RUN = '''
import json, os, sys
import rate_nb; assert rate_nb.__file__.startswith(sys.argv[2]), rate_nb.__file__
space = {"__name__": "__main__"}
old, new = json.load(open(sys.argv[3], encoding="utf-8"))
os.chdir(os.path.dirname(sys.argv[1]))
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "code": exec(source.replace(old, new) if old else source, space)
'''


def said_by(red, mutation=None):
    "Run one test or notebook against a copy of the package, mutated or not: None if green, or what failed"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        stale = shutil.ignore_patterns(f"{mutation.module.stem}.*.pyc") if mutation else None
        shutil.copytree(ROOT/"rate_nb", folder/"rate_nb", ignore=stale)
        pair = ["", ""]
        if mutation:
            path = folder/mutation.module.relative_to(ROOT)
            source, pair = path.read_text(encoding="utf-8"), [mutation.old.rstrip(), mutation.new.rstrip()]
            assert source.count(mutation.old) == 1
            path.write_text(source.replace(mutation.old, mutation.new), encoding="utf-8")
        (folder/"nbs").symlink_to(ROOT/"nbs")
        (folder/"pair.json").write_text(json.dumps(pair), encoding="utf-8")
        command = ["-m", "pytest", str(ROOT/"tests"/red), "-x", "-q", "-n0", "-p", "no:cacheprovider",
                   "-c", str(ROOT/"pytest.ini"), "--rootdir", str(ROOT)]
        if red.endswith(".ipynb"):
            command = ["-c", RUN, str(ROOT/"nbs"/red), str(folder), str(folder/"pair.json")]
        env = os.environ | dict(PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1", CI="1",
                                OMP_NUM_THREADS="1")
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=folder, env=env)
    said = [k for k in (done.stdout + done.stderr).splitlines() if re.match(r"E  |\w*(Error|Exc)", k)]
    return " ".join((said or ["?"])[0].split()) if done.returncode else None


said_of_the_sound = functools.cache(said_by)


def turned_red(mutation):
    "The first of the row's tests that fails on the mutated package and not on the sound one, or None"
    for red in mutation.red:
        if (said := said_by(red, mutation)) and not said_of_the_sound(red):
            return red, said
    return None


def test_the_sample_can_be_drawn():
    drawn = sample()
    assert len(drawn) == SAMPLED == len({m.name for m in drawn}) and all(m.old != m.new for m in drawn)
    assert {m.kind for m in drawn} == {"sign", "arm", "denominator"}


def test_what_is_drawn_of_a_function_does_not_depend_on_the_others():
    pool = mutations()
    drawn = {m.name: m for m in sample(pool=pool)}
    changed = next(iter(drawn)) # in the sample: its other mutations come and go, and it moves no other
    fewer = pool | {changed: [m for m in pool[changed] if m != drawn[changed]] or pool[changed]}
    assert {m.name: m for m in sample(pool=fewer) if m.name != changed} == {
        name: m for name, m in drawn.items() if name != changed}
    # a function without a row any more makes room for one, and the other 29 stay as they were
    without = {m.name: m for m in sample(pool={k: v for k, v in pool.items() if k != changed})}
    assert len(without) == SAMPLED and {m for m in drawn.values() if m.name != changed} < {*without.values()}
    # neither does the order of rows, nor what is in a function beside the mutation drawn
    turned = {k: v[::-1] for k, v in reversed(pool.items())}
    assert [(m.name, m.place, m.changed) for m in sample(pool=turned)] == [
        (m.name, m.place, m.changed) for m in drawn.values()]
    assert sample(SEED + 1, pool) != sample(SEED, pool)


def test_each_mutation_left_out_could_be_made(monkeypatch):
    left_out, found = EQUIVALENT, definitions()
    kept = {name: [m.new for m in of_one(name, found[name])] for name in left_out}
    monkeypatch.setitem(globals(), "EQUIVALENT", {})
    for name, texts in left_out.items():
        made = [m.new for m in of_one(name, found[name])]
        # each text leaves out one mutation at least, and none that another text leaves out
        assert all(any(text in new for new in made) for text in texts)
        assert not any(text in new for text in texts for new in kept[name])
        assert len(made) - len(kept[name]) >= len(texts)


@pytest.mark.slow
@pytest.mark.parametrize("i", range(SAMPLED))
def test_a_row_turns_red(i):
    mutation = sample()[i]
    assert turned_red(mutation), f"{mutation.place}: nothing noticed {mutation.name}: {mutation.changed}"


def main():
    lines, caught = [], 0
    for i, m in enumerate(sample()):
        red = turned_red(m)
        caught += bool(red)
        by = f"`{red[0]}`: {red[1]}" if red else "**nothing**"
        cells = (str(i), m.place, f"`{m.name}`", m.kind, f"`{m.changed[:150]}`", by[:230])
        lines.append("| " + " | ".join(c.replace("|", "∣") for c in cells) + " |")
        print(lines[-1], flush=True)
    head = ["| | row | function | kind | mutation | turned red |", "|--:|:--|:--|:--|:--|:--|"]
    said = ("# Mutations of functions that papers.ipynb names\n\n"
            f"{caught} of {SAMPLED} turned their own row's test or lesson red (which is green without the "
            f"mutation). Drawn with seed {SEED} from {len(mutations())} functions; made again by "
            "`make mutations`.\n")
    same = [f"- `{name}`, `{text}`: {why}" for name, texts in EQUIVALENT.items()
            for text, why in texts.items()]
    same = ["\nNot drawn, because no result changes:\n", *same]
    RESULT.write_text("\n".join([said, *head, *lines, *same]) + "\n", encoding="utf-8")
    return int(caught < SAMPLED)


if __name__ == "__main__":
    sys.exit(main())
