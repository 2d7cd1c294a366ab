"Render nbs/index.ipynb as README.md: `python tests/readme.py`."
import json, re
from posixpath import normpath
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def outputs(cell):
    "What a cell shows: its Markdown, or its text; progress bars are left out"
    for o in cell["outputs"]:
        data = o.get("data", {})
        if "text/markdown" in data:
            yield at_home("".join(data["text/markdown"]).strip())
        elif o["output_type"] in ("execute_result", "stream"):
            yield "```\n" + "".join(data.get("text/plain", o.get("text", ""))).rstrip() + "\n```"


def at_home(prose):
    ("Links as they read from the top of the repository; the notebook's own are relative to nbs/, so that "
     "they work in JupyterLab")
    return re.sub(r"\]\((?![a-z]+:|#)([^)]+)\)", lambda m: f"]({normpath('nbs/' + m[1])})", prose)


def render(notebook):
    "Markdown of a notebook: prose, visible code, and what it printed (of `#| echo: false` that alone)"
    parts = []
    for cell in json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"]).strip()
        if source.startswith("#| hide"):
            continue
        if cell["cell_type"] == "markdown":
            parts.append(at_home(source))
        elif source.startswith("#| echo: false"):
            parts += outputs(cell)
        else:
            parts += ["```python\n" + source + "\n```", *outputs(cell)]
    return ("\n\n".join(parts)
            + "\n\n<!-- rendered from nbs/index.ipynb by `make export`: edit the notebook -->\n")


if __name__ == "__main__":
    (ROOT / "README.md").write_text(render(ROOT / "nbs" / "index.ipynb"), encoding="utf-8")
