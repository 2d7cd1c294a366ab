"""The lessons as slides, in _slides: one page each, shown without a network.

    python docs/slides.py [--out FOLDER] [LESSON.ipynb …]

A heading begins a slide with its first code cell; each further code cell stands on one below it. Formulas
become MathML, links between lessons lead to their slides.
"""
import argparse, ast, re, shutil
from importlib.resources import files
from pathlib import Path
import nbformat
from latex2mathml.converter import convert
from nbconvert import SlidesExporter

ROOT = Path(__file__).resolve().parent.parent
LESSONS = ROOT/"nbs"/"lessons"
FORMULA = re.compile(r"(?<!\\)\$\$(.+?)\$\$|(?<![\\$`])\$([^$\n]+?)\$(?!\d)", re.S)


def without_formulas(text, kept):  # Markdown with a mark for each formula; its MathML goes into `kept`
    "nbconvert would take MathML out of Markdown, so it is put in afterwards"
    def marked(m):
        kept.append(convert(m[1] or m[2], display="block" if m[1] else "inline"))
        return f"FORMULA{len(kept) - 1}HERE"
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else FORMULA.sub(marked, p) for p in parts)


def only_imports(cell):
    return all(isinstance(n, (ast.Import, ast.ImportFrom)) for n in ast.parse(cell.source).body)


def as_slides(notebook, kept):  # a NotebookNode
    "Say of each cell which slide it stands on"
    shown, code_before = [], False
    for cell in notebook.cells:
        if cell.cell_type == "code" and ("#| hide" in cell.source or only_imports(cell)):
            continue
        headed = cell.cell_type == "markdown" and cell.source.lstrip().startswith("#")
        below = cell.cell_type == "code" and code_before
        cell.metadata["slideshow"] = dict(slide_type="slide" if headed else "subslide" if below else "-")
        code_before = cell.cell_type == "code" or code_before and not headed
        if cell.cell_type == "markdown":
            linked = re.sub(r"\]\((\d\d_\w+)\.ipynb\)", r"](\1.html)", cell.source)
            cell.source = without_formulas(linked, kept)
        shown.append(cell)
    notebook.cells = shown
    return notebook


def make(lessons, out):
    "Write the slides of some lessons, and what they need beside them"
    out.mkdir(parents=True, exist_ok=True)
    source = Path(str(files("sphinx_revealjs")))/"_static"/"revealjs"
    for part in ("dist", "plugin/notes"):
        shutil.copytree(source/part, out/"reveal.js"/part, dirs_exist_ok=True)
    shutil.copy(source/"LICENSE", out/"reveal.js"/"LICENSE")
    exporter = SlidesExporter(extra_template_basedirs=[str(ROOT/"docs")],
                              template_name="slides", reveal_url_prefix="reveal.js",
                              reveal_theme="white", embed_images=True)
    for lesson in lessons:
        kept = []
        slides = as_slides(nbformat.read(lesson, 4), kept)
        page, _ = exporter.from_notebook_node(slides, dict(metadata=dict(name=lesson.stem)))
        page = re.sub(r"FORMULA(\d+)HERE", lambda m: kept[int(m[1])], page)
        (out/f"{lesson.stem}.html").write_text(page, encoding="utf-8")
    return out


if __name__ == "__main__":
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("lessons", nargs="*", type=Path, help="default: all")
    ask.add_argument("--out", type=Path, default=ROOT/"_slides")
    told = ask.parse_args()
    lessons = told.lessons or sorted(LESSONS.glob("[0-9]*.ipynb"))
    print(f"{len(lessons)} lessons in {make(lessons, told.out)}")
