"""The prose of notebooks and docs is plain English: turns that readers stumbled over do not come back.

The list is short and reviewed. A turn is retired when a plainer one says the same; each entry gives it.
Headings are left out, because links use them, and so are code and `docs/verdicts.md` and `docs/coverage.md`,
which scripts write.
"""
import ast, json, re
from functools import cache
import pytest
from conftest import ROOT

# turn: (pattern, what to write, whether user-facing strings of the package are free of it, too)
RETIRED = {
    "somebody": (r"\b[Ss]omebody('s|\b)", "a person, a user, you", True),
    "nobody": (r"\b[Nn]obody('s|\b)", "say what is missing: 'not measured', 'unknown'", False),
    "whoever": (r"\b[Ww]hoever\b|^Who (wants|has|only)\b", "if you, anyone who", False),
    "as well": (r"\bas well\b(?! as)", "also, too", False),
    "is told": (r"\b(is|are|was|were|been) told\b", "gets the instruction, sees, is explained", False),
    "is asked": (r"\b(is|are|was|were|been) asked\b", "an active verb: 'the rewriter gets'", False),
    "stands beside": (r"\b([Ss]tands?|stood|standing) beside\b|\bBeside it stand", "next to", False),
    "one's own": (r"\bone's own\b", "your own", True),
    "not refuted": (r"\brefuted\b|\b[Nn]ot decided\b", "passed, inconclusive, failed", False),
    "of it there": (r"\bof it there\b", "name the thing", True),
    "held still": (r"\b(held|holds?|holding) still\b", "held fixed", False),
    "goes along with": (r"\b(goes|go|went|going) along with\b", "is correlated with", False),
    "lies off": (r"\binterval widths\b|\bno further off\b|\blies off\b", "a number: 'five times'", True),
    "Nor, So, Such": (r"(?:^|(?<=[.!?:] ))(?:[-*] |\*\*|> )?(?:Nor|So|Such)\b",
                      "therefore, these, 'neither … nor'", True),
}
# the few true uses: a quotation or a question that other pages and tests repeat
KEPT = {
    "nbs/lessons/05_two_rewrites.ipynb": ["an error that nobody can measure"],
    "nbs/lessons/index.ipynb": ["an error that nobody can measure"],
}
GENERATED = {"docs/verdicts.md", "docs/coverage.md"}


def prose(markdown):
    "Markdown without code and headings"
    without_code = re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.S)
    return "\n".join(line for line in without_code.splitlines() if not line.startswith("#"))


def pages():
    "(path, its prose) of every notebook and every page that people write"
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


def strings():
    "(path, string) of every string of the package that is not a docstring"
    for path in sorted((ROOT / "rate_nb").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.body[0].value) for node in ast.walk(tree)
                if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
                and node.body and isinstance(node.body[0], ast.Expr)}
        yield from ((path.relative_to(ROOT).as_posix(), node.value) for node in ast.walk(tree)
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                    and id(node) not in docs)


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
    pattern, instead, in_strings = RETIRED[turn]
    found = uses(pattern, all_of(pages)) + (uses(pattern, all_of(strings)) if in_strings else [])
    assert not found, f"write instead: {instead}\n" + "\n".join(found)


def test_the_check_reads_prose_and_nothing_else():
    text = "# Nobody\n\nSo it is.\n\n```python\nsomebody = 1\n```\n`is told` and what the rewriter is told."
    assert prose(text).split() == ["So", "it", "is.", "and", "what", "the", "rewriter", "is", "told."]
    hits = {turn for turn, (pattern, _, _) in RETIRED.items() if uses(pattern, [("page", prose(text))])}
    assert hits == {"Nor, So, Such", "is told"}
    assert not uses(RETIRED["as well"][0], [("page", "prompts as well as responses")])


@pytest.mark.parametrize("path", KEPT)
def test_every_exception_is_still_used(path):
    text = dict(pages())[path]
    assert all(kept in text for kept in KEPT[path])
