"""The words are plain English, in prose and in code: turns that readers stumbled over do not come back.

The list is short and reviewed. A turn is retired when a plainer one says the same; each entry gives it.
Headings are left out, because links use them, and so are code in prose and `docs/verdicts.md` and
`docs/coverage.md`, which scripts write. Comments and docstrings of the studies are not read yet.
"""
import ast, json, re, tokenize
from functools import cache
import pytest
from conftest import ROOT

# turn: (pattern, what to write)
RETIRED = {
    "somebody": (r"\b[Ss]omebody('s|\b)", "a person, a user, you"),
    "nobody": (r"\b[Nn]obody('s|\b)", "say what is missing: 'not measured', 'unknown'"),
    "whoever": (r"\b[Ww]hoever\b|^Who (wants|has|only)\b", "if you, anyone who"),
    "as well": (r"\bas well\b(?! as)", "also, too"),
    "is told": (r"\b(is|are|was|were|been) told\b", "gets the instruction, sees, is explained"),
    "is asked": (r"\b(is|are|was|were|been) asked\b", "an active verb: 'the rewriter gets'"),
    "stands beside": (r"\b([Ss]tands?|stood|standing) beside\b|\bBeside it stand", "next to"),
    "one's own": (r"\bone's own\b", "your own"),
    "not refuted": (r"\brefuted\b|\b[Nn]ot decided\b", "passed, inconclusive, failed"),
    "of it there": (r"\bof it there\b", "name the thing"),
    "held still": (r"\b(held|holds?|holding) still\b", "held fixed"),
    "goes along with": (r"\b(goes|go|went|going) along with\b", "is correlated with"),
    "lies off": (r"\binterval widths\b|\bno further off\b|\blies off\b", "a number: 'five times'"),
    "Nor, So, Such": (r"(?:^|(?<=[.!?:] ))(?:[-*] |\*\*|> )?(?:Nor|So|Such)\b",
                      "therefore, these, 'neither … nor'"),
}
# the few true uses: a quotation or a question that other pages and tests repeat, and in the package a stored
# value, a text of a corpus, a part of an instruction
KEPT = {
    "nbs/lessons/05_two_rewrites.ipynb": ["an error that nobody can measure"],
    "nbs/lessons/index.ipynb": ["an error that nobody can measure"],
    "rate_nb/calibration/evaluation.py": ["may go along with"], # lessons and runs print it
    "rate_nb/data/attributes.py": ["clear for whoever asked"], # a judge reads it
    "rate_nb/diagnostics/verdicts.py": ["not refuted", "refuted"], # of earlier versions
    "rate_nb/rewriting/usable.py": ["did not do what was asked"],
    "rate_nb/studies/closed_loop.py": ["length goes along with quality"], # a world's name
    "rate_nb/studies/training.py": ["were asked for"],
    "rate_nb/theory/text_world.py": ["on the second day as well"], # of a corpus
    "rate_nb/widgets/prompt_lab.py": ["did not do what was asked"],
}
GENERATED = {"docs/verdicts.md", "docs/coverage.md"}


def prose(markdown):
    "Markdown without code and headings"
    without_code = re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.S)
    return "\n".join(line for line in without_code.splitlines() if not line.startswith("#"))


def template(text):
    "The sentences of a template, without tags, values and comments"
    return re.sub(r"{[{%#].*?[#%}]}|<[^>]*>", " ", text, flags=re.S)


def pages():
    "(path, its prose) of every notebook, every template and every page that people write"
    for path in sorted((ROOT / "rate_nb" / "templates").glob("*.html")):
        yield path.relative_to(ROOT).as_posix(), template(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "nbs").rglob("*.ipynb")):
        if ".ipynb_checkpoints" not in path.parts:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
            yield path.relative_to(ROOT).as_posix(), prose(text)
    solutions = (ROOT / "nbs" / "lessons" / "solutions").glob("*.md")
    pages = [p for p in (ROOT / "docs").rglob("*.md") if "published" not in p.parts] # those are records
    for path in sorted([ROOT / "CONTRIBUTING.md", *pages, *solutions]):
        name = path.relative_to(ROOT).as_posix()
        if name not in GENERATED:
            yield name, prose(path.read_text(encoding="utf-8"))


def docstrings(tree):
    "The nodes of a module's docstrings"
    return [node.body[0].value for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
            and node.body and isinstance(node.body[0], ast.Expr)
            and isinstance(node.body[0].value, ast.Constant)]


def modules():
    "(path, its source, its tree) of every module of the package"
    for path in sorted((ROOT / "rate_nb").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        yield path.relative_to(ROOT).as_posix(), source, ast.parse(source)


def strings():
    "(path, string) of every string of the package that is not a docstring"
    for path, _, tree in all_of(modules):
        docs = set(map(id, docstrings(tree)))
        yield from ((path, node.value) for node in ast.walk(tree) if id(node) not in docs
                    and isinstance(node, ast.Constant) and isinstance(node.value, str))


def comments_of(source):
    "The comments of a source, without their sign"
    tokens = tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__)
    return [t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT]


def comments():
    "(path, comment or docstring) of every module, without the studies"
    for path, source, tree in all_of(modules):
        if not path.startswith("rate_nb/studies/"):
            yield from ((path, node.value) for node in docstrings(tree))
            yield from ((path, comment) for comment in comments_of(source))


@cache
def all_of(read): return tuple(read()) # once, for every turn


def uses(pattern, texts):
    "path: the words around each use"
    found = []
    for path, text in texts:
        for kept in KEPT.get(path, ()):
            text = text.replace(kept, "")
        found += [f"{path}: …{text[max(0, m.start() - 50):m.end() + 50]}…".replace("\n", " ")
                  for m in re.finditer(pattern, text, re.M)]
    return found


@pytest.mark.parametrize("turn", RETIRED)
def test_a_retired_turn_stays_retired(turn):
    pattern, instead = RETIRED[turn]
    found = [use for read in (pages, strings, comments) for use in uses(pattern, all_of(read))]
    assert not found, f"write instead: {instead}\n" + "\n".join(found)


def test_the_check_reads_prose_and_nothing_else():
    text = "# Nobody\n\nSo it is.\n\n```python\nsomebody = 1\n```\n`is told` and what the rewriter is told."
    assert prose(text).split() == ["So", "it", "is.", "and", "what", "the", "rewriter", "is", "told."]
    hits = {turn for turn, (pattern, _) in RETIRED.items() if uses(pattern, [("page", prose(text))])}
    assert hits == {"Nor, So, Such", "is told"}
    assert not uses(RETIRED["as well"][0], [("page", "prompts as well as responses")])
    assert comments_of('a = "# nobody" # whoever\n#| x\n# So\n') == ["whoever", "| x", "So"]


@pytest.mark.parametrize("path", KEPT)
def test_every_exception_is_still_used(path):
    texts = [text for read in (pages, strings) for name, text in all_of(read) if name == path]
    for kept in KEPT[path]:
        assert any(kept in text for text in texts), kept
