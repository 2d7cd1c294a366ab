"""What a reader of a committed notebook sees below its cells: `make outputs` keeps it, CI compares it.

    python tests/outputs.py                                      # all notebooks
    python tests/outputs.py nbs/06_estimators/01_effects.ipynb   # one
    python tests/outputs.py --slim nbs/studies/*.ipynb           # of outputs there, what a reader wants

A notebook is run twice, and a cell keeps what both runs say: no time, port or number of a process stays.
Charts, and widgets that have a picture, are kept as small PNG without their data; a widget of texts as the
page that it gives beside itself. With CI=1 the tests run every notebook anyway, and ask whether it still says
what is kept.
"""
import base64, difflib, io, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 20_000 # characters of one text; a longer one is a page, not what a reader reads below a cell
ROUGH = ((r"0x[0-9a-f]{5,}", "0x…"), (r"127\.0\.0\.1:\d+|localhost:\d+", "127.0.0.1:…"),
         (r"(/[\w.-]+)*/(tmp|pytest-)[\w.-]*(?=[/\s'\"<)\],:]|$)", "…"), (re.escape(f"{ROOT}/"), ""))
PROGRESS = r"(?m)^.*: [\d,]+ of [\d,]+, .*(left|tokens/s).*\n?" # what long work prints now and then
OTHER = dict(PYTHONHASHSEED="2", OPENBLAS_CORETYPE="Haswell", ATEN_CPU_CAPABILITY="default")
TIMES = r"\d[\d.,]*\s*(µs|ms|s|sec|seconds?|min|minutes?|h|hours?)\b"


def small(png, colours=256):
    "The same picture (base64) in a palette: charts have few colours, and take a ninth of the space"
    image = Image.open(io.BytesIO(base64.b64decode(png)))
    if image.mode == "P":
        return png
    out = io.BytesIO()
    image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode()


def smooth(text):
    "A text without what differs from run to run: addresses of objects, ports, temporary folders"
    text = re.sub(r"<style scoped>.*?</style>\s*", "", "".join(text), flags=re.S)
    for pattern, instead in ROUGH:
        text = re.sub(pattern, instead, text)
    return text


def long(text):
    "Is this a page, a program or the name of an object, and nothing that a reader reads below a cell?"
    return (len(text) > LONGEST and " " in text[:1000] or re.search("<progress|<script|<iframe", text)
            or re.fullmatch(r"\s*<[\w.]+ (object|at 0x).*>", text, re.S))


def kept(outputs):
    "Of the outputs of a cell, what a reader wants to see, as the notebook holds it"
    out = []
    for o in outputs:
        if o["output_type"] == "stream" and o["name"] == "stdout":
            if said := re.sub(PROGRESS, "", smooth(o["text"])):
                out.append(dict(o, text=said.splitlines(keepends=True)))
        if "data" not in o:
            continue
        best = next((k for k in ("image/png", "text/markdown", "text/html", "text/latex", "text/plain")
                     if k in o["data"] and not long("".join(o["data"][k]))), None)
        widget = "application/vnd.jupyter.widget-view+json" in o["data"]
        if best is None or widget and best not in ("image/png", "text/html"):
            continue
        text = "".join(o["data"][best])
        data = {best: small(text)} if best == "image/png" else {best: smooth(text).splitlines(keepends=True)}
        out.append(dict(o, data=data))
    plain = dict(metadata={}, execution_count=None)
    return [dict(o, **{k: v for k, v in plain.items() if k in o}) for o in out]


def texts(outputs):
    "The texts among kept outputs, in order; pictures differ by the machine's fonts and are not compared"
    return [text for o in outputs for text in
            ([o["text"]] if "text" in o else [v for k, v in sorted(o["data"].items()) if k != "image/png"])]


NUMBER = r"\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+"


def differ(was, now):
    "Do two lists of kept outputs say different things? Times, a zero's sign and a fraction's last digit may"
    def plain(text):
        return re.sub(r"[+−-](0\.0+)(?!\d)", r"\1", re.sub(TIMES, "…", " ".join("".join(text).split())))
    a, b = ([piece for t in texts(k) for piece in re.split(f"({NUMBER})", plain(t))] for k in (was, now))
    return len(a) != len(b) or any(x != y and not near(x, y) for x, y in zip(a, b))


def near(x, y):
    """Are two fractions equal but for the last of the digits shown, or the seventh? Or is each but rounding?

    A reward model computes in 32 bits: its rewards near 0 agree to about 1e-5 between processors.
    """
    if not all(re.fullmatch(NUMBER, t) for t in (x, y)):
        return False
    digits = 0 if "e" in x + y else min(len(t.split(".")[1]) for t in (x, y))
    a, b = float(x), float(y)
    return abs(a - b) <= max(1.01*10.**-digits, 1e-5)*(digits > 0) + 1e-6*a or max(a, b) < 1e-9


def otherwise(notebook, ran):
    """Where the kept texts are not what a run says ({cell id: outputs}): a difference to read, or nothing

    A notebook that says that its data are not here is not compared.
    """
    if re.search("SKIPPED|not found beside the repository", str(ran)):
        return ""
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    for cell in (c for c in cells if c.get("outputs") and c.get("id") in ran):
        was, now = kept(cell["outputs"]), kept(ran[cell["id"]])
        if differ(was, now):
            lines = [[line for t in texts(k) for line in "".join(t).splitlines()] for k in (was, now)]
            said = f"run, cell {cell['id']}"
            return "\n".join(difflib.unified_diff(*lines, "kept", said, lineterm="", n=1))
    return ""


def unequal(first, second):
    "The ids of the cells of which two runs ({cell id: outputs}) say different things"
    return [k for k in first if differ(kept(first[k]), kept(second.get(k, [])))]


def outputs_of(notebooks):
    "{notebook: {cell id: outputs}} of a run of each; None for one that fails"
    from warm import run_notebook

    def one(notebook):
        code, said = run_notebook(notebook, ROOT, ran=(ran := {}))
        print(Path(notebook).relative_to(ROOT), said[-3000:] if code else "", flush=True)
        return None if code else ran
    with ThreadPoolExecutor(2) as both:
        return dict(zip(notebooks, both.map(one, notebooks)))


def keep(notebook, first, second):
    "Write into a notebook what two runs of it say; the ids of the cells whose outputs differed"
    content, restless = json.loads(Path(notebook).read_text(encoding="utf-8")), unequal(first, second)
    for cell in (c for c in content["cells"] if c["cell_type"] == "code" and c.get("id") in first):
        cell["outputs"] = [] if cell["id"] in restless else kept(first[cell["id"]])
    write(notebook, content)
    return restless


def slim(notebook):
    "Of the outputs that a notebook holds, keep what a reader wants to see"
    content = json.loads(Path(notebook).read_text(encoding="utf-8"))
    for cell in (c for c in content["cells"] if c["cell_type"] == "code"):
        cell["outputs"] = kept(cell["outputs"])
    content.get("metadata", {}).pop("widgets", None) # of progress bars; a page would load scripts for them
    write(notebook, content)


def write(notebook, content):
    Path(notebook).write_text(json.dumps(content, sort_keys=True, indent=1, ensure_ascii=False) + "\n",
                              encoding="utf-8")


def main(*chosen):
    chosen = [str(Path(p).resolve()) for p in chosen or sorted((ROOT/"nbs").rglob("*.ipynb"))
              if not {".ipynb_checkpoints", "studies"} & set(Path(p).parts)]
    if missing := [p for p in chosen if not Path(p).is_file()]:
        sys.exit(f"no such notebook: {', '.join(missing)}")
    first = outputs_of(chosen)
    with tempfile.TemporaryDirectory() as folder:
        done = Path(folder)/"second.json" # as on another processor, in another order of hashes
        sound = [p for p in chosen if first[p] is not None]
        command = [sys.executable, __file__, "--into", str(done), *sound]
        subprocess.run(command, env=os.environ | OTHER, check=True)
        second = json.loads(done.read_text(encoding="utf-8"))
    for notebook in (p for p in second if second[p] is not None):
        if restless := keep(notebook, first[notebook], second[notebook]):
            print(Path(notebook).relative_to(ROOT), "is otherwise in another run:", *restless)
    return int(any(second.get(p) is None for p in chosen))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT/"tests"))
    import conftest # noqa: F401, the environment in which the tests run notebooks
    if sys.argv[1:2] == ["--slim"]:
        for name in sys.argv[2:]:
            slim(name)
    elif sys.argv[1:2] == ["--into"]:
        Path(sys.argv[2]).write_text(json.dumps(outputs_of(sys.argv[3:])), encoding="utf-8")
    else:
        sys.exit(main(*sys.argv[1:]))
