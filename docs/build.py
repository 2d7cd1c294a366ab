"""`make docs`: the notebooks, in the order of the floors, and a reference of every public name from its docments."""
import argparse, importlib, inspect, json, re, shutil, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from fastcore.docments import docments, empty

FLOORS = {"0": "Effects and worlds", "1": "Texts and the store", "2": "Rewriting", "3": "Scoring", "4": "Calibration and benchmarks",
          "5": "Can it be believed?", "6": "Charts, reports and the audit", "7": "Widgets, batch and the command"}


def sections():  # page name → (title, question, [document names]), in reading order
    "The table of contents: the course, the notebooks for work, then the house floor by floor"
    names = sorted(p.stem for p in (ROOT / "nbs").glob("*.ipynb"))
    folder = lambda f: sorted(f"{f}/{p.stem}" for p in (ROOT / "nbs" / f).glob("*.ipynb"))
    house = {f"floor_{d}": (said, "", [n for n in names if n.startswith(d)]) for d, said in FLOORS.items()}
    own = [n for n in names if not n[0].isdigit() and n not in ("index", "papers")]
    return {"course": ("The course", "From the question to the theorem, and what breaks it.", folder("lessons")),
            "work": ("At work", "Notebooks to run: in JupyterLab, or in batch.", folder("labs") + folder("runs") + own),
            **{k: v for k, v in house.items() if v[2]},
            "house": ("The house", "The package, floor by floor: a notebook uses only what stands below it.", [k for k, v in house.items() if v[2]]),
            "reference": ("Reference", "Every public name, the four papers, and how to contribute.", ["api/index", "papers", "CONTRIBUTING", "CHANGELOG"])}


def opening(name):  # title, question
    "What a notebook is called, and what it asks"
    first = "".join(json.loads((ROOT / "nbs" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"][0]["source"]).splitlines()
    return first[0].lstrip("# "), " ".join(line.lstrip("> ") for line in first if line.startswith(">"))


def module_of(name):  # "rate_nb.store", or None where a notebook exports nothing
    for cell in json.loads((ROOT / "nbs" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
        if found := re.search(r"^#\|\s*default_exp\s+(\S+)", "".join(cell["source"]), re.M): return f"rate_nb.{found[1]}"


def _plain(text): # Markdown that shows the text as it is, but for code in backticks
    parts = re.split(r"(`[^`]+`)", " ".join(str(text).split()))
    return "".join(p if p.startswith("`") and len(p) > 1 else re.sub(r"([*_`|<>$\\])", r"\\\1", p) for p in parts)


def entry(name, obj):  # Markdown
    "One public name: signature, docstring, and a line an argument"
    lines, said = [f"## {_plain(name)}", ""], (inspect.getdoc(obj) or "").splitlines()
    try: signature = re.sub(r"<(?:class|function) '?([\w.]+)'?(?: at 0x[0-9a-f]+)?>", r"\1", str(inspect.signature(obj)))
    except (TypeError, ValueError): signature = ""
    if callable(obj): lines += ["```python", f"{name}{signature}", "```", ""]
    if callable(obj) and said: lines += [_plain(said[0]), ""]
    if not callable(obj): return "\n".join([*lines, f"`{type(obj).__name__}`", ""])
    try: about = docments(obj, full=True)
    except Exception: about = {}                           # a class of another library, re-exported
    for k, v in about.items():
        if v.get("docment") and v["docment"] is not empty: lines += [f"- **{_plain('returns' if k == 'return' else k)}**: {_plain(v['docment'])}"]
    return "\n".join([*lines, ""])


def members(module):  # (name, object) defined here: the exported names, then the methods patched onto classes of any module
    "What a module brings"
    own = [(n, getattr(module, n)) for n in getattr(module, "__all__", []) if getattr(getattr(module, n), "__module__", module.__name__) == module.__name__]
    return [(n, o) for n, o in own] + [(f"{n}.{m}", f) for n, o in own if inspect.isclass(o) for m, f in sorted(vars(o).items())
                                      if inspect.isfunction(f) and not m.startswith("_")]


def reference(source):
    "Write a page for each module"
    api, pages = source / "api", []
    api.mkdir()
    for name in sorted(p.stem for p in (ROOT / "nbs").glob("[0-9]*.ipynb")):
        module = module_of(name)
        if not module: continue
        loaded, stem = importlib.import_module(module), module.removeprefix("rate_nb.")
        body = "\n".join(entry(n, o) for n, o in members(loaded))
        (api / f"{stem}.md").write_text(f"# {stem}\n\n{_plain(loaded.__doc__)} [The notebook](../{name}.ipynb) shows it at work.\n\n{body}", encoding="utf-8")
        pages.append(stem)
    (api / "index.md").write_text("# Public names\n\nAll of them, from the comments beside its arguments.\n\n```{toctree}\n:maxdepth: 1\n"
                                  + "\n".join(pages) + "\n```\n", encoding="utf-8")


def contents(source):
    "Write a page for each section, and let the front page lead to them"
    tree = lambda docs: "```{toctree}\n:hidden:\n:maxdepth: 1\n\n" + "\n".join(docs) + "\n```\n"
    for name, (title, said, docs) in sections().items():
        told = [f"- [{t}]({d}.ipynb): {q}" for d in docs if (ROOT / "nbs" / f"{d}.ipynb").exists() for t, q in [opening(d)]]
        told += [f"- [{sections()[d][0]}]({d}.md)" for d in docs if d in sections()]
        (source / f"{name}.md").write_text("\n\n".join([f"# {title}", said, "\n".join(told), tree(docs)]), encoding="utf-8")
    path = source / "index.ipynb"
    front = json.loads(path.read_text(encoding="utf-8"))
    for c in front["cells"]: c["source"] = "".join(c["source"]).replace("](../", "](")  # CONTRIBUTING.md comes along
    front["cells"].append(dict(cell_type="markdown", id="contents", metadata={}, source=tree(["course", "work", "house", "reference"])))
    path.write_text(json.dumps(front), encoding="utf-8")


def without_plumbing(source):
    "Leave out what nbdev hides: cells that begin with `#| hide`, and directive lines"
    for path in source.rglob("*.ipynb"):
        nb = json.loads(path.read_text(encoding="utf-8"))
        code = lambda c: "".join(c["source"])
        nb["cells"] = [c for c in nb["cells"] if not (c["cell_type"] == "code" and re.match(r"#\|\s*(hide|default_exp)\b", code(c)))]
        for c in nb["cells"]:
            if c["cell_type"] == "code": c["source"] = re.sub(r"^#\|.*\n?", "", code(c), flags=re.M)
        path.write_text(json.dumps(nb), encoding="utf-8")


_FOLD = '<summary><span class="toctree-toggle"'


def build(out, strict=True):  # exit status of sphinx
    "Build the site into a folder; with `strict`, a broken link is an error"
    from sphinx.cmd.build import main
    out = Path(out).resolve(); source = out.parent / f"{out.name}_source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "nbs", source, ignore=shutil.ignore_patterns(".ipynb_checkpoints", "audits", "*.yml"))
    reference(source); contents(source); without_plumbing(source)
    for page in ("CONTRIBUTING.md", "CHANGELOG.md"): shutil.copy(ROOT / page, source / page)
    status = main(["-q", "-b", "html", "-c", str(ROOT / "docs"), "-d", str(source / ".doctrees"), *(["-W", "--keep-going"] if strict else []), str(source), str(out)])
    for page in out.rglob("*.html"):  # the theme's folding buttons have no name for those who listen
        text = page.read_text(encoding="utf-8")
        if _FOLD in text: page.write_text(text.replace(_FOLD, _FOLD.replace("<summary>", '<summary aria-label="Show the pages below">')), encoding="utf-8")
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=ROOT / "_docs", help="where the site goes")
    out = Path(parser.parse_args().out)
    status = build(out)
    print(f"The site is at {out / 'index.html'}" if not status else "The site was built with the errors above.")
    sys.exit(status)
