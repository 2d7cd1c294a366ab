"""Break every notebook at the place of its guarantee, and see its own lessons turn red.

Of each notebook that exports code, three mutations are drawn: a sign, an arm, a comparison, an off-by-one, a
denominator or a dropped check in a function that its prose or its lessons name. The draw hashes the notebook,
the function and the mutation, so that a change elsewhere does not redraw it. `NAMED` adds mutations that are
made each time. The mutated cell and the mutated module are put in as the notebook is read and the module is
imported; nothing is copied.

    python tests/mutants.py [--results FILE] [NOTEBOOK ...]    # an hour; resumes from FILE

It writes tests/mutants.md. A notebook counts as red only if it is green without the mutation.
"""
import argparse, ast, hashlib, importlib.machinery, json, os, re, sys, tempfile, time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from conftest import ROOT
from structure import NBS, PACKAGE, exports, source
from test_paper_mutations import is_text, parsed, quiet
from warm import FORKS

RESULT = ROOT/"tests"/"mutants.md"
SEED, EACH, LIMIT = 23, 3, 240      # LIMIT: seconds that a notebook may take; a mutation that hangs is seen
DISPLAY = re.compile(r"_repr|repr__|plot|html|markdown|chart|card|picture|sentence|words|headline|alt_text|"
                     r"_title|caption|_format|describe|_say|_why|_note")


@dataclass(frozen=True)
class Mutant:
    notebook: str   # path under nbs/
    cell: str       # id of the exported cell
    function: str   # the function, or `Class.method`
    kind: str       # sign, arm, comparison, off by one, denominator or dropped check
    changed: str    # before → after
    site: int       # which of the cell's sites
    name: str = ""  # of those that are made each time

    @property
    def key(self): return hashlib.sha256(f"{SEED}|{self.notebook}|{self.function}|{self.kind}|{self.changed}|"
                                         f"{self.name}".encode()).hexdigest()


# made each time: (notebook, function, text in the function, what takes its place)
NAMED = {
    "same_depth's sign": (
        "06_estimators/01_effects", "CONTRASTS", '{"reward_same_target": 1., "reward_rewrite": -1.}',
        '{"reward_same_target": -1., "reward_rewrite": 1.}'),
    "a same-target rewrite is put on the main chain": (
        "10_scoring/09_rewards", "_slot", "if on_chain:", "if True:"),
    "the main chain is put on the same-target one": (
        "10_scoring/09_rewards", "to_scored", "depth % 2 == 0, w, 1 - w)", "depth % 2 == 1, w, 1 - w)"),
    "same-target texts of a table are on the main chain": (
        "10_scoring/14_scored_tables", "_TEXTS", '"same_target": (1, False)', '"same_target": (1, True)'),
    "a budget forgets earlier runs": (
        "08_llm/05_budget", "Budget.covers", "self.spent += max(0., earlier - self._given)",
        "self.spent += 0.*earlier"),
    "a ledger forgets earlier runs": (
        "08_llm/05_budget", "Ledger.so_far", "return self.earlier + ", "return 0. + "),
    "`paid` counts what the store held": (
        "16_audit/01_audit", "Audit.paid", "v - self._before[k]", "v"),
    "tokens of this run count what the store held": (
        "09_rewriting/04_chains", "tokens_used", "paid &= ~rewrites.cached.astype(bool)", "pass"),
    "examples of the instruction come back": (
        "09_rewriting/03_instruction_versions", "exclude_tuned_examples", "examples[~seen]",
        "examples[~seen | seen]"),
    "examples of the instruction come back to an audit": (
        "16_audit/01_audit", "_fresh", "kept = exclude_tuned_examples(examples, store, attribute)",
        "kept = examples"),
    "doubts are not widened for their number": (
        "12_diagnostics/01_verdicts", "judge_parts", "adjust_pvalues(outside[tested])", "outside[tested]"),
    "a band over few prompts is not widened for its number of levels": (
        "16_audit/04_multivalued", "band_reach", "return widest", "return single"),
    "a weak instrument is taken": (
        "11_calibration/04_causal", "_check_first_stage", "not F >= 10", "not F >= 0"),
    "the prompt lab's next goes back": (
        "15_widgets/04_prompt_lab", "PromptLab._listen", "self.next: lambda: self.step(1)",
        "self.next: lambda: self.step(-1)"),
    "the prompt lab's previous goes on": (
        "15_widgets/04_prompt_lab", "PromptLab._listen", "self.back: lambda: self.step(-1)",
        "self.back: lambda: self.step(1)"),
}

# (notebook, mutation) that gives no other result, and why; the next one is drawn in its place
EQUIVALENT = {
    ("01_base/04_store", "new < len(rows) → (new <= len(rows))"):
        "where all values are new it looks whether they are sound, and they are",
    ("01_base/04_store", "len(good) < len(there) → (len(good) <= len(there))"):
        "it mends a store in which nothing is damaged, which changes nothing",
    ("01_base/04_store", "len(found) < len(keys) → (len(found) <= len(keys))"):
        "where every key was found it looks which were not: none",
    ("02_stats/05_local_lines", "BLOCK + GROUP*groups + LINE*(j - i) < PAIR*(j - i)*groups → "
     "(BLOCK + GROUP*groups + LINE*(j - i) >= PAIR*(j - i)*groups)"):
        "it chooses the faster of two ways to the same lines",
    ("02_stats/05_local_lines", "i + 1 → (i)"):
        "a bandwidth changes no faster than x₀, so that each block holds its first line anyway",
    ("02_stats/05_local_lines", "self.edges[2, which[j - 1]] - self.edges[0, which[i]] → "
     "((self.edges[0, which[i]]) - (self.edges[2, which[j - 1]]))"):
        "it chooses the faster of two ways to the same lines",
    ("09_rewriting/03_instruction_versions", "len(old) + 1 → (len(old))"):
        "versions are ordered by their place, from 1 or from 0",
    ("10_scoring/01_prefix_sharing",
     "_gap(model, _made_up(model), lean=True) <= 1 → (_gap(model, _made_up(model), lean=True) < 1)"):
        "a gap in rounding errors is no whole number",
    ("10_scoring/02_workers", "len(ahead) > 2*len(workers) → (len(ahead) >= 2*len(workers))"):
        "one batch less waits ahead; the rewards are the same",
    ("09_rewriting/07_sandbox_batches", "len(self.files) + 1 → (len(self.files))"):
        "the number only makes an id that no other file has",
    ("07_checkpoints/01_loading", 'model.device.type == "cpu" → (model.device.type != "cpu")'):
        "one thread or several: time, and no number",
    ("07_checkpoints/01_loading",
     "sum(p.numel() for p in model.parameters()) < SMALL → "
     "(sum(p.numel() for p in model.parameters()) <= SMALL)"):
        "one thread or several at exactly five million parameters: time, and no number",
    ("08_llm/09_local", 'self.device.type == "cuda" → (self.device.type != "cuda")'):
        "it empties the GPU's cache, and changes no text",
    ("04_data/05_correlation", "int(bound) + 1 → (int(bound))"):
        "the largest sample lies below the bound, so the whole number above it is never the answer",
    ("11_calibration/01_calibrators", "-np.inf → (np.inf)"):
        "both ends are infinitely far from every text, on whichever side",
    ("11_calibration/09_choosing", "sums**2/(below*(n - below)) → ((sums**2)/(2*(below*(n - below))))"):
        "the largest of halves is the half of the largest",
    ("13_benchmarks/08_score_files", "n < rows.prompt_id.nunique() → (n <= rows.prompt_id.nunique())"):
        "as many prompts as there are, drawn without replacement, are all of them, in their own order",
    ("17_studies/06_demo", "rng.random(N) < .5 → (rng.random(N) >= .5)"):
        "a fair coin, whichever of its sides counts",
}

# survivors, and why they stay
KNOWN = {
    ("01_base/02_display", "now - self._printed >= self.every → (now - self._printed < self.every)"):
        "how often a line is printed; a lesson would have to wait for it",
    ("04_data/03_corpora", 'attribute == "sentiment" → (attribute != "sentiment")'):
        "seen only where the developers' data are",
}


def exporting():
    "Notebooks of the rooms that export code, as paths under nbs/"
    books = sorted(p for p in NBS.glob("[0-9]*/*.ipynb"))
    return [str(p.relative_to(NBS)).removesuffix(".ipynb") for p in books if exports(p)[1]]


def exported_cells(notebook):
    "(id, module, text) of every exported cell"
    path, begins = NBS/f"{notebook}.ipynb", exports(NBS/f"{notebook}.ipynb")[0]
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and (
                found := re.match(r"#\|\s*exporti?\b[ ]*(\S*)", text := source(cell))):
            yield cell["id"], found[1] or begins, text


def told(notebook):
    "Prose and lessons of a notebook"
    out = []
    for cell in json.loads((NBS/f"{notebook}.ipynb").read_text(encoding="utf-8"))["cells"]:
        if not re.match(r"#\|\s*(exporti?|hide)\b", source(cell)):
            out.append(source(cell))
    return "\n".join(out)


def functions(text):
    "(name, node) of every function and method of a cell"
    for node in parsed(text).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.args.args[0] if node.args.args else None
            owner = first is not None and first.arg == "self" and first.annotation
            yield (f"{ast.unparse(owner)}.{node.name}" if owner else node.name), node
        if isinstance(node, ast.ClassDef):
            for m in node.body:
                if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield f"{node.name}.{m.name}", m


TURNED = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
          ast.In: "not in", ast.NotIn: "in"}
WIDENED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}


def whole(node):
    "Is this a small whole number, as far as one can see? A limit of 3,000 words is a choice, no guarantee"
    counts = isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("len", "sum", "nunique")
    return counts or isinstance(node, ast.Constant) and type(node.value) is int and 0 < abs(node.value) < 10


def _small(left, right): # both look whole where a constant is compared; a large constant is a choice
    constants = [k for k in (left, right) if isinstance(k, ast.Constant)]
    return all(map(whole, constants)) and (whole(left) or whole(right))


def idle(function):
    "Nodes whose mutation changes no result: words to choose from, what is squared or made positive"
    for n in ast.walk(function):
        if isinstance(n, ast.IfExp) and all(isinstance(k, ast.Constant) for k in (n.body, n.orelse)):
            if isinstance(n.body.value, str):
                yield from ast.walk(n.test)
        elif isinstance(n, ast.Call) and ast.unparse(n.func) in ("abs", "np.abs", "math.fabs") and n.args:
            yield n.args[0]
        elif isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow) and ast.unparse(n.right) == "2":
            yield from (n.left, getattr(n.left, "left", n.left))


def replacements(n, piece):
    "(kind, node to replace, its replacement) of one node"
    if isinstance(n, ast.If) and isinstance(n.body[-1], ast.Raise):
        yield "dropped check", n.test, "False"
    if isinstance(n, ast.BinOp) and isinstance(n.op, (ast.Sub, ast.Add)) and not is_text(n):
        one = lambda k: isinstance(k, ast.Constant) and k.value == 1
        if one(n.right):
            yield "off by one", n, f"({piece(n.left)})"
        elif isinstance(n.op, ast.Sub) and one(n.left):
            yield "arm", n, f"({piece(n.right)})"
        elif isinstance(n.op, ast.Sub):
            yield "sign", n, f"(({piece(n.right)}) - ({piece(n.left)}))"
    if isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub) and not isinstance(n.operand, ast.Constant):
        yield "sign", n, f"({piece(n.operand)})"
    if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div) and not is_text(n):
        yield "denominator", n, f"(({piece(n.left)})/(2*({piece(n.right)})))"
    if isinstance(n, ast.Compare) and len(n.ops) == 1:
        left, op, right = piece(n.left), type(n.ops[0]), piece(n.comparators[0])
        if op is ast.Eq and right in ("0", "1"):
            yield "arm", n, f"({left} == {1 - int(right)})"
        elif op in WIDENED and _small(n.left, n.comparators[0]):
            yield "off by one", n, f"({left} {WIDENED[op]} {right})"
        elif op in TURNED:
            yield "comparison", n, f"({left} {TURNED[op]} {right})"
    if isinstance(n, ast.Tuple) and ast.unparse(n) in ("(0, 1)", "(1, 0)", "('ATT', 'ATU')"):
        yield "arm", n, f"({piece(n.elts[1])}, {piece(n.elts[0])})"


def sites(text):
    "(function, kind, start, end, replacement) of every place of a cell, in bytes"
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line.encode()))
    at = lambda line, column: lines[line - 1] + column
    for name, function in functions(text):
        silent = {id(n) for n in (*quiet(function), *idle(function))}
        for n in (n for n in ast.walk(function) if id(n) not in silent):
            for kind, old, new in replacements(n, lambda k: ast.get_source_segment(text, k)):
                begin, end = at(old.lineno, old.col_offset), at(old.end_lineno, old.end_col_offset)
                yield name, kind, begin, end, new


def changed_text(text, site):
    "A cell with one of its places mutated"
    _, _, a, b, new = list(sites(text))[site]
    data = text.encode()
    return (data[:a] + new.encode() + data[b:]).decode()


def candidates(notebook):
    "Every mutation of a notebook"
    for cell, _, text in exported_cells(notebook):
        for i, (function, kind, a, b, new) in enumerate(sites(text)):
            changed = " ".join(f"{text.encode()[a:b].decode()} → {new}".split())
            plumbing = DISPLAY.search(function.split(".")[-1]) or re.search(r"\btime\b|began", changed)
            if not plumbing and (notebook, changed) not in EQUIVALENT:
                yield Mutant(notebook, cell, function, kind, changed, i)


def drawn(notebook):
    "Three mutations of a notebook: other functions and other kinds first, those that it names before others"
    said = told(notebook)
    shown = lambda m: bool(re.search(rf"\b{re.escape(m.function.split('.')[-1])}\b", said)
                           or m.function.endswith("__init__") and m.function.split(".")[0] in said)
    pool, out = sorted(candidates(notebook), key=lambda m: m.key), []
    for named in (True, False):
        here = [m for m in pool if shown(m) == named]
        for new in (lambda m: all(m.function != o.function and m.kind != o.kind for o in out),
                    lambda m: all(m.function != o.function for o in out),
                    lambda m: all((m.cell, m.site) != (o.cell, o.site) for o in out)):
            for m in here:
                if len(out) < EACH and new(m):
                    out.append(m)
    return out


def named():
    "The mutations that are made each time"
    for name, (notebook, function, old, new) in NAMED.items():
        holding = [cell for cell, _, text in exported_cells(notebook) if text.count(old) == 1]
        assert len(holding) == 1, f"{name}: {old!r} stands in {len(holding)} cells; bring it up to date"
        yield Mutant(notebook, holding[0], function, "named", f"{old} → {new}", -1, name)


def everything(each=EACH):
    return [*named(), *(m for notebook in exporting() for m in drawn(notebook)[:each])]


# notebooks whose first mutation turns them red within a second or two, and so does not keep CI waiting
FAST = """02_stats/03_accuracy 02_stats/04_power 02_stats/05_local_lines 02_stats/06_local_planes
          02_stats/08_two_way 04_data/02_attributes 04_data/05_correlation 06_estimators/01_effects
          07_checkpoints/05_adapters 09_rewriting/01_instructions 09_rewriting/02_checks 10_scoring/02_workers
          10_scoring/07_remote 10_scoring/08_ray_engine 10_scoring/12_judges 10_scoring/13_labellers
          10_scoring/14_scored_tables 11_calibration/02_margins 11_calibration/05_evaluation
          11_calibration/06_checks""".split()
SAMPLE = 20


def sample():
    "Twenty mutations, one of each fast notebook: one that is made each time, or the first of its draw"
    own = {m.notebook: m for m in named() if m.notebook in FAST}
    return [own.get(n) or next(m for m in drawn(n) if (n, m.changed) not in KNOWN) for n in FAST]


def mutated(mutant):
    "(text of the mutated cell, path of the module, text of the mutated module)"
    module, text = next((m, t) for c, m, t in exported_cells(mutant.notebook) if c == mutant.cell)
    path = PACKAGE/f"{module.replace('.', '/')}.py"
    before, head, rest = re.split(rf"(?m)(^# %% .*#{mutant.cell}$\n)", path.read_text(encoding="utf-8"))
    own, *after = re.split(r"(?m)(?=^# %% )", rest, maxsplit=1)
    if mutant.name:
        _, _, old, new = NAMED[mutant.name]
        assert own.count(old) == text.count(old) == 1
        cell, own = text.replace(old, new), own.replace(old, new)
    else:
        cell, own = changed_text(text, mutant.site), changed_text(own, mutant.site)
    return cell, path, before + head + own + "".join(after)


class _Mutated(importlib.machinery.SourceFileLoader):
    "Loads a module from a text of our own"
    text = b""
    def get_data(self, path): return self.text
    def path_stats(self, path): raise OSError("no compiled module is kept")


class _Finder:
    def __init__(self, path, text):
        self.name, self.path, self.text = ".".join(path.relative_to(ROOT).with_suffix("").parts), path, text

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            loader = _Mutated(name, str(self.path))
            loader.text = self.text.encode()
            return importlib.machinery.ModuleSpec(name, loader, origin=str(self.path))


def _run(notebook, change, said, folder):
    "In a process of its own: the notebook's cells, one of them and its module changed"
    with open(said, "w") as f:
        os.dup2(f.fileno(), 1)
        os.dup2(f.fileno(), 2)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    sys.path.insert(0, str(ROOT))
    import nbdev.process, nbdev.test
    if change:
        cell, text, path, module = change
        sys.meta_path.insert(0, _Finder(Path(path), module))
        read = nbdev.process.read_nb
        def changed(path):
            book = read(path)
            next(c for c in book.cells if c.id == cell).source = text
            return book
        nbdev.process.read_nb = changed
    passed, _ = nbdev.test.test_nb(NBS/f"{notebook}.ipynb", skip_flags=["slow"], basepath=ROOT)
    sys.stdout.flush()
    os._exit(0 if passed else 3)


def said_by(notebook, mutant=None, limit=LIMIT):
    "Run a notebook, mutated or not: None if it is green, or what failed"
    change = None
    if mutant:
        text, path, module = mutated(mutant)
        change = mutant.cell, text, str(path), module
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder)/"said.txt"
        job = FORKS.Process(target=_run, args=(notebook, change, str(said), folder))
        job.start()
        try:
            job.join(limit)
            late = job.is_alive()
        finally:
            job.kill()
            job.join()
        text = said.read_text(encoding="utf-8", errors="replace") if said.exists() else ""
    if late:
        return f"it does not end within {limit} s"
    if job.exitcode == 0:
        return None
    errors = [k for k in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()
              if re.match(r"[\w.]*(Error|Exception|Warning|NotMoved|Failed|Interrupt|Exit)\b", k)]
    said = " ".join(errors[-1].split()) if errors else f"process ended with {job.exitcode}"
    return re.sub(r" in /\S+", "", said)


@cache
def _green(notebook): return said_by(notebook) is None


def table(done):
    "The page of all results"
    mutants = everything()
    rows = [(m, done[m.key]) for m in mutants if m.key in done]
    red, always = [r for _, r in rows if r["red"]], [r for m, r in rows if m.name]
    alive = [m for m, r in rows if not r["red"]]
    short = lambda text, n: " ".join(text.split())[:n].replace("|", "∣").replace("`", "´")
    cell = lambda text, n: f"`{short(text, n)}`" if text else "**nothing**"
    lines = [
        "# Mutations of every notebook, and what its own lessons say\n",
        f"{len(red)} of {len(rows)} mutations turn their own notebook red ("
        f"{len(red)/max(1, len(rows)):.0%}), of {len({m.notebook for m, _ in rows})} notebooks that export "
        f"code; of those made each time {sum(bool(r['red']) for r in always)} of {len(always)}. "
        f"Drawn with seed {SEED}, at most {EACH} a "
        "notebook, in functions that its prose or lessons name (in others where these hold fewer); made "
        f"again by `make mutants`. Not run yet: {len(mutants) - len(rows)}.\n",
        "## Survivors\n"]
    for m in alive:
        why = KNOWN.get((m.notebook, m.changed), "no lesson sees it")
        lines.append(f"- {m.notebook}, `{m.function}`, {m.kind}: {cell(m.changed, 160)}: {why}")
    lines.append("\n## Not drawn, because no result changes\n")
    for (notebook, changed), why in EQUIVALENT.items():
        lines.append(f"- {notebook}: {cell(changed, 160)}: {why}")
    lines += ["\n## All\n", "| notebook | function | kind | mutation | turned red |", "|:--|:--|:--|:--|:--|"]
    for m, r in rows:
        lines.append(f"| {m.notebook} | `{m.function}` | {m.name or m.kind} | {cell(m.changed, 110)} | "
                     f"{cell(r['red'], 100)} |")
    return "\n".join(lines) + "\n"


def kept(path):
    "Key of a mutant → what was found"
    lines = Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []
    return {r["key"]: r for r in map(json.loads, lines)}


def keep(path, **row):
    with open(path, "a", encoding="utf-8") as f:
        f.write(json.dumps(row) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", help="such as 06_estimators; none: all")
    parser.add_argument("--results", default=str(Path(tempfile.gettempdir())/"rate_nb_mutants.jsonl"))
    parser.add_argument("--each", type=int, default=EACH, help="so many of a notebook's mutations")
    parser.add_argument("--again", action="store_true", help="run survivors again")
    parser.add_argument("--table", action="store_true", help="run nothing, write the table of what is kept")
    a = parser.parse_args()
    done, alive = kept(a.results), set()
    for m in [] if a.table else everything(a.each):
        old = done.get(m.key)
        if not m.notebook.startswith(tuple(a.notebooks or [""])) or old and (old["red"] or not a.again):
            continue
        began = time.monotonic()
        row = dict(key=m.key, notebook=m.notebook, red=said_by(m.notebook, m))
        if not row["red"]:
            alive.add(m.notebook) # and so it is green without a mutation
        elif m.notebook not in alive and not _green(m.notebook):
            print(f"{m.notebook} is red without a mutation", flush=True)
            continue
        done[m.key] = row
        keep(a.results, **row)
        took = f"({time.monotonic() - began:.1f} s)"
        print("red  " if row["red"] else "ALIVE", m.notebook, m.function, f"[{m.name or m.kind}]",
              m.changed[:120], "::", (row["red"] or "")[:80], took, flush=True)
    RESULT.write_text(table(done), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
