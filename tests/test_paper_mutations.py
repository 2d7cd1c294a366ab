"""Break thirty functions that papers.ipynb names, and see what each row says turns red turn red.

The sample is drawn with a fixed seed from all functions named in the table that hold a sign, an arm or a
denominator (charts left out: there such numbers are layout). Each mutation is made in a temporary copy of the
package and, for a notebook, in the cell that exports the function.

    python tests/test_paper_mutations.py       # about a quarter of an hour; writes tests/paper_mutations.md
"""
import ast, gc, json, os, random, re, shutil, subprocess, sys, tempfile
from dataclasses import dataclass
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


def sites(node, text):
    "(kind, start, end, replacement) of every sign, arm and denominator in a function, in bytes of its module"
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line.encode()))
    silent = {id(n) for n in quiet(node)}
    for n in (n for n in ast.walk(node) if id(n) not in silent):
        if found := swapped(n, lambda k: ast.get_source_segment(text, k)):
            yield (found[0], lines[n.lineno - 1] + n.col_offset, lines[n.end_lineno - 1] + n.end_col_offset,
                   found[1])


def mutations():
    "Every mutation of every function that a row names, with what the row says turns red"
    found, out = definitions(), {}
    for place, where, red in rows():
        for name in re.findall(r"`([\w.]+)`", where):
            if name.startswith("plot") or not red:
                continue
            for method in (k for k in found if k == name or k.startswith(f"{name}.")):
                if not method.endswith(("__repr__", "_repr_markdown_", "_repr_html_", "plot")):
                    them = [m for d in found[method] for m in of_one(place, name, red, *d)]
                    out.setdefault(name, []).extend(them)
    return {name: them for name, them in out.items() if them}


# a mutated text that gives no other result, and why
EQUIVALENT = {
    "text_cards": ('("Rewrite", ((w) - (1)),', "it picks one of two words, and word[w − 1] is word[1 − w]"),
    "FiniteWorld.rewrites": ("if p*q*(((kept) - (1))):", "the condition asks only whether it is zero")}


def of_one(place, name, red, path, node, text):
    "The mutations of one definition that change a result"
    same = EQUIVALENT.get(name, ("nothing of the kind",))[0]
    data = text.encode()
    before = lambda line: sum(map(len, data.splitlines(keepends=True)[:line]))
    start, end = before(node.lineno - 1), before(node.end_lineno)
    for kind, a, b, new in sites(node, text):
        changed = " ".join(f"{data[a:b].decode()} → {new}".split())
        mutated = (data[start:a] + new.encode() + data[b:end]).decode()
        if same not in mutated:
            yield Mutation(place, name, path, kind, data[start:end].decode(), mutated, changed, red)


def sample(seed=SEED):
    "One mutation of each of `SAMPLED` functions"
    pool, rng = mutations(), random.Random(seed)
    return [rng.choice(pool[name]) for name in rng.sample(sorted(pool), SAMPLED)]


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
        shutil.copytree(ROOT/"rate_nb", folder/"rate_nb", ignore=shutil.ignore_patterns("__pycache__"))
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


def turned_red(mutation):
    "The first of the row's tests that fails on the mutated package and not on the sound one, or None"
    for red in mutation.red:
        if (said := said_by(red, mutation)) and not said_by(red):
            return red, said
    return None


def test_the_sample_can_be_drawn():
    drawn = sample()
    assert len(drawn) == SAMPLED == len({m.name for m in drawn}) and all(m.old != m.new for m in drawn)
    assert {m.kind for m in drawn} == {"sign", "arm", "denominator"}


def test_each_mutation_left_out_could_be_made(monkeypatch):
    left_out, kept = EQUIVALENT, mutations()
    monkeypatch.setitem(globals(), "EQUIVALENT", {})
    made = mutations()
    for name, (text, _) in left_out.items():
        assert any(text in m.new for m in made[name]) and not any(text in m.new for m in kept[name])


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
    same = [f"- `{name}`, `{text}`: {why}" for name, (text, why) in EQUIVALENT.items()]
    same = ["\nNot drawn, because no result changes:\n", *same]
    RESULT.write_text("\n".join([said, *head, *lines, *same]) + "\n", encoding="utf-8")
    return int(caught < SAMPLED)


if __name__ == "__main__":
    sys.exit(main())
