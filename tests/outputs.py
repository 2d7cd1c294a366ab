"Keep what a reader of a committed notebook sees: tables, and charts as PNG without their data. `make outputs` calls it."
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def slim(notebook):
    "Drop warnings, and chart specifications: the picture beside them stays"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if "outputs" in cell: cell["outputs"] = [o for o in cell["outputs"] if o.get("name") != "stderr"]
        for output in cell.get("outputs", []): output.get("data", {}).pop("application/vnd.vegalite.v5+json", None)
    notebook.write_text(json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for notebook in (ROOT / "nbs").rglob("*.ipynb"):
        if ".ipynb_checkpoints" not in notebook.parts: slim(notebook)
