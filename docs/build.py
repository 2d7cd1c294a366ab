"""`make docs`: the notebooks in the order of the rooms, and every public name, documented by its docments."""
import argparse, base64, importlib, inspect, json, pkgutil, re, shutil, sys
from importlib.util import resolve_name
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

ROOT = Path(__file__).resolve().parent.parent
NBS = ROOT / "nbs"
sys.path.insert(0, str(ROOT))
from fastcore.docments import docments, empty

GUIDE = ["docs/guide", *(f"docs/{page}" for page in re.findall(
    r"^\| \[[^]]+\]\((guide/\w+)\.md\)", (ROOT / "docs" / "guide.md").read_text(encoding="utf-8"), re.M))]
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md", *(f"{page}.md" for page in GUIDE), "docs/recipes.md",
         "docs/teaching.md", "docs/verdicts.md",
         "docs/coverage.md", "docs/threat_model.md")  # come along as they are
GALLERY = "docs/gallery"  # made of the studies' kept outputs


def rooms():  # folder of nbs/ → what a stranger looks for there, in reading order
    "The rooms of docs/rooms.md, by the folders of their notebooks"
    table = (ROOT / "docs" / "rooms.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", table, re.M))
    folders = {p.name[3:]: p.name for p in sorted(NBS.glob("[0-9][0-9]_*"))}
    if list(said) != list(folders):
        raise ValueError(f"docs/rooms.md names {list(said)}, nbs/ has {list(folders)}")
    return {folders[room]: words for room, words in said.items()}


def notebooks(folder):  # document names, in reading order
    names = sorted((NBS / folder).glob("*.ipynb"), key=lambda p: (p.stem != "index", p.stem))
    return [f"{folder}/{p.stem}" for p in names]


def sections():  # page → (title, what it holds, [document names]), in reading order
    "The table of contents: the course, the notebooks for work, then room by room"
    elsewhere = ("index", "papers", "glossary")
    own = sorted(p.stem for p in NBS.glob("*.ipynb") if p.stem not in elsewhere)
    house = {f"{folder}/index": (folder[3:], f"{said[0].upper()}{said[1:]}.", notebooks(folder))
             for folder, said in rooms().items()}
    return {"course": ("The course", "From the question to the theorem, and what breaks it.",
                       [*notebooks("lessons"), "glossary", "docs/teaching"]),
            "guide": ("The guide", "From a file of responses to a result that you can use, page by page.",
                      GUIDE),
            "work": ("At work", "Notebooks to run, in JupyterLab or in batch.",
                     [*notebooks("labs"), *notebooks("runs"), *own, "docs/recipes",
                      "docs/verdicts"]),
            "studies": ("Real models", "Audits of real models on real texts, and what each found.",
                        ["docs/gallery", *notebooks("studies")]),
            **house,
            "rooms": ("The rooms", "The package, room by room: a room imports only from rooms before it.",
                      list(house)),
            "reference": ("Reference", "Every public name, how often intervals hold, what is protected, the "
                          "four papers, and how to contribute.",
                          ["api/index", "docs/coverage", "docs/threat_model", "papers", "CONTRIBUTING",
                           "CHANGELOG"])}


def opening(name):  # title, question
    "What a notebook or page is called, and what it asks"
    if name == GALLERY:
        return "Gallery", "One picture of each real study"
    page = next(p for p in (NBS / f"{name}.ipynb", ROOT / f"{name}.md") if p.exists())
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        text = "".join(json.loads(text)["cells"][0]["source"])
    title, *rest = text.splitlines()
    return title.lstrip("# "), " ".join(line.lstrip("> ") for line in rest if line.startswith(">"))


def site_path(path):  # the same, as the site has it
    "Where a file or folder of the repository stands on the site"
    path = path.removeprefix("nbs/")
    folders = {"lessons": "course.md", "lessons/solutions": "course.md", "labs": "work.md", "runs": "work.md",
               "studies": "studies.md",
               "docs/rooms.md": "rooms.md", "docs/audit.schema.json": "api/specification.md"}
    return folders.get(path, f"{path}/index.md" if path in rooms() else path)


def relinked(text, page):
    "Links between files of the repository, as they read on the site; page: path of the file that holds them"
    def link(m):
        path, anchor, section = m[1].partition("#")
        target = normpath(join(dirname(page), path))
        if not (ROOT / target).exists():
            return m[0]
        return f"]({relpath(site_path(target), dirname(site_path(page)) or '.')}{anchor}{section})"
    return re.sub(r"\]\((?![a-z]+:|#)([^)\s]+)\)", link, text)


def _plain(text):  # Markdown that shows the text as it is, but for code in backticks
    parts = re.split(r"(`[^`]+`)", " ".join(str(text).split()))
    return "".join(p if p.startswith("`") and len(p) > 1 else re.sub(r"([*_`|<>$\\])", r"\\\1", p)
                   for p in parts)


def _signature(name, obj):
    try:
        said = str(inspect.signature(obj))
    except (TypeError, ValueError):
        said = ""
    return name + re.sub(r"<(?:class|function) '?([\w.]+)'?(?: at 0x[0-9a-f]+)?>", r"\1", said)


def entry(name, obj, level=3):  # Markdown
    "One public name: signature, docstring, and a line an argument"
    lines = [f"{'#' * level} {_plain(name)}", ""]
    if not callable(obj):
        return "\n".join([*lines, f"`{type(obj).__name__}`", ""])
    lines += ["```python", _signature(name, obj), "```", ""]
    if said := (inspect.getdoc(obj) or "").splitlines():
        lines += [_plain(said[0]), ""]
    try:
        about = docments(obj, full=True)
    except Exception:
        about = {}  # a class of another library
    for argument, what in about.items():
        if what.get("docment") and what["docment"] is not empty:
            shown = "returns" if argument == "return" else argument
            lines.append(f"- **{_plain(shown)}**: {_plain(what['docment'])}")
    return "\n".join([*lines, ""])


def methods(name, obj):  # (name, function) of each, those patched on by later notebooks among them
    "The public methods of a class"
    own = vars(obj) if inspect.isclass(obj) else {}
    return [(f"{name}.{m}", f) for m, f in sorted(own.items())
            if inspect.isfunction(f) and not m.startswith("_")]


def homes():  # module → document names
    "The notebooks that fill each module, the one that founds it first"
    found = {}
    for name in (n for folder in rooms() for n in notebooks(folder)):
        cells = json.loads((NBS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        for module in re.findall(r"^#\|\s*(?:default_exp|exporti?)[ \t]+([\w.]+)", code, re.M):
            kept = found.setdefault(f"rate_nb.{module}", [])
            kept += [name] * (name not in kept)
    return found


def room_page(folder, told):  # Markdown
    "The public names of a room: those of its face, module by module"
    package = f"rate_nb.{folder[3:]}"
    face = importlib.import_module(package)
    lines = [f"# {folder[3:]}", "", _plain(face.__doc__), "", f"Import these names from `{package}`.", ""]
    modules = {resolve_name(module, package): names for module, names in face._HOME.items()}
    for module in sorted(modules, key=lambda m: told[m]):
        shown = ", ".join(f"[{opening(name)[0]}](../{name}.ipynb)" for name in told[module])
        lines += [f"## {_plain(module.removeprefix('rate_nb.'))}", "", f"Shown at work in {shown}.", ""]
        for name in modules[module]:
            obj = getattr(importlib.import_module(module), name)
            lines.append(entry(name, obj))
            lines += [entry(n, f, level=4) for n, f in methods(name, obj)]
    return "\n".join(lines)


def room_names(folder, words):  # Markdown
    "What a room is for, and each of its names with a line"
    room = folder[3:]
    face, lines = importlib.import_module(f"rate_nb.{room}"), [f"## [{room}]({room}.md)", "", f"{words}.", ""]
    for name in sorted((n for names in face._HOME.values() for n in names), key=str.lower):
        obj = getattr(face, name)
        said = (inspect.getdoc(obj) or "").splitlines() if callable(obj) else []
        lines.append(f"- `{name}`" + (f": {_plain(said[0])}" if said else ""))
    return "\n".join([*lines, ""])


def reference(source):
    "Write a page for each room's face"
    import rate_nb
    # so that every patched method is there
    for module in pkgutil.walk_packages(rate_nb.__path__, "rate_nb."):
        if not module.name.rpartition(".")[2].startswith("_"):
            importlib.import_module(module.name)
    api, told = source / "api", homes()
    api.mkdir()
    for folder in rooms():
        (api / f"{folder[3:]}.md").write_text(room_page(folder, told), encoding="utf-8")
    (api / "specification.md").write_text(specification_page(), encoding="utf-8")
    pages = "\n".join(["specification", *(folder[3:] for folder in rooms())])
    names = "\n".join(room_names(folder, words) for folder, words in rooms().items())
    direct = ", ".join(f"`{name}`" for name in rate_nb.__all__)
    (api / "index.md").write_text(
        "# Public names\n\nEvery name that a room shows, with the comments beside its arguments. "
        f"`rate_nb` itself gives {direct}.\n\n```{{toctree}}\n:maxdepth: 1\n:hidden:\n\n{pages}\n```\n\n"
        f"The fields of a file: [specification](specification.md).\n\n{names}",
        encoding="utf-8")


def _title(name):  # "ClassifierReward" → "classifier reward"
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=HTTP)(?=S)", " ", name).replace("HTTP", "http").lower()


_TYPES = dict(object="a mapping", string="text", integer="whole number", boolean="true or false",
              null="`null`")


def _allowed(said):  # what a field may be, in words
    if "$ref" in said:
        name = said["$ref"].rpartition("/")[2]
        return f"[{_title(name)}](#specification-{name.lower()})"
    if options := said.get("anyOf") or said.get("oneOf"):
        return " or ".join(dict.fromkeys(map(_allowed, options)))
    if said.get("type") == "array":
        return f"a list of {_allowed(said.get('items', {}))}"
    words = said.get("enum") or ([said["const"]] if "const" in said else [])
    kind = said.get("type", "anything")
    return ", ".join(f"`{json.dumps(word)}`" for word in words) or _TYPES.get(kind, kind)


def _fields(section):  # Markdown
    rows = ["| field | what it may be | default | meaning |", "|:--|:--|:--|:--|"]
    for name, said in section["properties"].items():
        default = f"`{json.dumps(said['default'])}`" if "default" in said else ""
        if name in section.get("required", ()):
            default = "needed"
        if name != "kind":
            meaning = _plain(said.get("description", ""))
            rows.append(f"| `{name}` | {_allowed(said)} | {default} | {meaning} |")
    return "\n".join([*rows, ""])


def specification_page():  # Markdown
    "The specification of an audit, field by field, from its JSON Schema"
    schema = json.loads((ROOT / "docs" / "audit.schema.json").read_text(encoding="utf-8"))
    lines = ["# The specification of an audit", "",
             "> What can be asked for, in a file, in Python, on the command line and in a grid?", "",
             "`rate_nb audit --config FILE`, `-p PATH=VALUE` and `Audit.from_config` read it; its JSON "
             "Schema is `docs/audit.schema.json`, which `rate_nb schema` prints. Where a section can be of "
             "several kinds, `kind` says which.", "", _fields(schema)]
    for name, section in schema["$defs"].items():
        kind = section["properties"].get("kind", {}).get("const")
        said = _plain(section.get("description", _title(name))) + (f", `kind: {kind}`" if kind else "")
        lines += [f"(specification-{name.lower()})=", "", f"## {_title(name).capitalize()}", "", f"{said}.",
                  "", _fields(section)]
    return "\n".join(lines)


def _last_picture(notebook):  # base64 of the last PNG that its kept outputs hold, and what it shows; None
    outputs = [o.get("data", {}) for c in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
               for o in c.get("outputs", [])]
    shown = [data["image/png"] for data in outputs if "image/png" in data]
    return "".join(shown[-1]) if shown else None


def gallery(source):
    "One picture of each study, with its question and the way to it"
    lines = ["# Gallery", "", "> One picture of each real study", "",
             "What each rests on, and what not to conclude, stands in the study.", ""]
    (source / "docs").mkdir(exist_ok=True)
    for name in notebooks("studies"):
        title, question = opening(name)
        lines += [f"## [{title}](../{name}.ipynb)", "", question, ""]
        if png := _last_picture(NBS / f"{name}.ipynb"):
            picture = f"gallery_{Path(name).stem}.png"
            (source / "docs" / picture).write_bytes(base64.b64decode(png))
            lines += [f"![{title}]({picture})", ""]
    (source / f"{GALLERY}.md").write_text("\n".join(lines), encoding="utf-8")


def _tree(documents):
    return "```{toctree}\n:hidden:\n:maxdepth: 1\n\n" + "\n".join(f"/{d}" for d in documents) + "\n```\n"


def contents(source):
    "Write a page for each section, and let the front page lead to them"
    all_sections = sections()
    for name, (title, said, documents) in all_sections.items():
        to = lambda target, page=name: relpath(target, dirname(page) or ".")
        told = []
        for d in documents:
            if d in all_sections:
                told.append(f"- [{all_sections[d][0]}]({to(d)}.md): {all_sections[d][1]}")
            elif d != "api/index":
                shown, question = opening(d)
                kind = ".ipynb" if (NBS / f"{d}.ipynb").exists() else ".md"
                told.append(f"- [{shown}]({to(d)}{kind})" + (f": {question}" if question else ""))
            else:
                told.append(f"- [Public names]({to(d)}.md)")
        text = "\n\n".join([f"# {title}", said, "\n".join(told), _tree(documents)])
        (source / f"{name}.md").write_text(text, encoding="utf-8")
    path = source / "index.ipynb"
    front = json.loads(path.read_text(encoding="utf-8"))
    front["cells"].append(dict(cell_type="markdown", id="contents", metadata={},
                               source=_tree(["guide", "course", "work", "studies", "rooms", "reference"])))
    path.write_text(json.dumps(front), encoding="utf-8")


def _shown(cell):  # what a cell with `#| echo: false` shows, as prose; any other cell as it is
    if cell["cell_type"] != "code" or not re.match(r"#\|\s*echo: false", "".join(cell["source"])):
        return cell
    text = ["".join(o["data"]["text/markdown"]) for o in cell["outputs"]]
    return dict(cell_type="markdown", id=cell["id"], metadata={}, source="\n\n".join(text))


def sliders(source):
    "The slider of each lesson, with the pictures that the lesson's own function makes now"
    sys.path.insert(0, str(NBS / "lessons"))
    from sliders import of_lesson
    for path in sorted((source / "lessons").glob("[0-9]*.ipynb")):
        if found := of_lesson(path):
            at, shown = found
            nb = json.loads(path.read_text(encoding="utf-8"))
            page = {"text/html": shown.page(f"slider-{path.stem}")}
            nb["cells"][at]["outputs"] = [dict(output_type="display_data", metadata={}, data=page)]
            path.write_text(json.dumps(nb), encoding="utf-8")


def without_plumbing(source):
    "Leave out what nbdev hides: cells that begin with `#| hide`, and directive lines; mend the links"
    for path in source.rglob("*.ipynb"):
        nb = json.loads(path.read_text(encoding="utf-8"))
        code = lambda c: "".join(c["source"])
        nb["cells"] = [_shown(c) for c in nb["cells"]
                       if not (c["cell_type"] == "code" and re.match(r"#\|\s*(hide|default_exp)\b", code(c)))]
        for c in nb["cells"]:
            if c["cell_type"] == "code":
                c["source"] = re.sub(r"^#\|.*\n?", "", code(c), flags=re.M)
            else:
                c["source"] = relinked(code(c), f"nbs/{path.relative_to(source).as_posix()}")
        path.write_text(json.dumps(nb), encoding="utf-8")


def pages(source):
    "The Markdown pages of the repository that are part of the site, and their pictures"
    for page in PAGES:
        (source / page).parent.mkdir(exist_ok=True)
        text = (ROOT / page).read_text(encoding="utf-8")
        (source / page).write_text(relinked(text, page), encoding="utf-8")
    for picture in (*(ROOT / "docs").glob("*.svg"), *(ROOT / "docs").glob("*.png")):
        shutil.copy(picture, source / "docs" / picture.name)


_FOLD = '<summary><span class="toctree-toggle"'


def name_the_folding_buttons(out):
    "The theme's folding buttons have no name for those who listen"
    named = _FOLD.replace("<summary>", '<summary aria-label="Show the pages below">')
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if _FOLD in text:
            page.write_text(text.replace(_FOLD, named), encoding="utf-8")


def build(out, strict=True):  # exit status of sphinx
    "Build the site into a folder; with `strict`, a broken link is an error"
    from sphinx.cmd.build import main
    out = Path(out).resolve()
    source = out.parent / f"{out.name}_source"
    shutil.rmtree(source, ignore_errors=True)
    # what runs have left beside the notebooks, such as a summary.md, is no page
    shutil.copytree(NBS, source, ignore=shutil.ignore_patterns(
        ".ipynb_checkpoints", "audits", "*.yml", "*.md", "exercises", "solutions"))
    reference(source)
    contents(source)
    sliders(source)
    without_plumbing(source)
    pages(source)
    gallery(source)
    status = main(["-q", "-b", "html", "-c", str(ROOT / "docs"), "-d", str(source / ".doctrees"),
                   *(["-W", "--keep-going"] if strict else []), str(source), str(out)])
    name_the_folding_buttons(out)
    return status


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=ROOT / "_docs", help="where the site goes")
    out = Path(parser.parse_args().out)
    status = build(out)
    said = "The site was built with the errors above." if status else f"The site is at {out / 'index.html'}"
    print(said)
    sys.exit(status)
