("Keep what a reader of a committed notebook sees: tables, and charts as small PNG without their data. "
 "`make outputs` calls it.")
import base64, io, json
from pathlib import Path
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent


def small(png, colours=256):
    "The same picture (base64) in a palette: charts have few colours, and take a ninth of the space"
    image = Image.open(io.BytesIO(base64.b64decode(png)))
    if image.mode == "P":
        return png
    out = io.BytesIO()
    image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()


def slim(notebook):
    "Drop warnings, progress bars, and chart specifications: the picture beside them stays"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if "outputs" in cell:
            cell["outputs"] = [o for o in cell["outputs"] if o.get("name") != "stderr"
                               and "<progress" not in "".join(o.get("data", {}).get("text/html", ""))]
        for data in (o["data"] for o in cell.get("outputs", []) if "data" in o):
            data.pop("application/vnd.vegalite.v5+json", None)
            if "image/png" in data:
                data["image/png"] = small("".join(data["image/png"]))
    notebook.write_text(json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False) + "\n",
                        encoding="utf-8")


if __name__ == "__main__":
    for notebook in (ROOT / "nbs").rglob("*.ipynb"):
        if ".ipynb_checkpoints" not in notebook.parts:
            slim(notebook)
