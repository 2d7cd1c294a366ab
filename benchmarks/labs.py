"""How often does a moving slider show a new chart, and how long after the hand stops is the last one there?

    python benchmarks/labs.py [--seconds 5] [--screens FOLDER] [--only lesson]

A real JupyterLab in Chromium. The first slider of each lab, and that of lessons 1 to 12, is dragged to and
fro in steps of 25 ms, and each chart that the page draws is counted. Prints charts per second, the longest
wait between two of them, how long after the last step the last chart came, whether every chart that was
computed was painted, and the load of the machine (the figure counts where nothing else runs).
"""
import argparse, json, os, sys, tempfile, time
from pathlib import Path
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from browser import SHOWN, Window, chromium, jupyter_lab, write_notebook # noqa: E402

SETUP = """import numpy as np, pandas as pd
from rate_nb.theory import TextWorld, planted_rewards
from rate_nb.widgets import AssumptionLab, CalibrationLab
def scores(n): return planted_rewards(n // 2, np.random.default_rng(0), bias=np.log)
def scored(n): return TextWorld("length").simulate(n, np.random.default_rng(0))
"""
LABS = {"calibration, 2,000 rows": "CalibrationLab(scores(2_000))",
        "calibration, 50,000 rows (thinned)": "CalibrationLab(scores(50_000))",
        "simulation, 2,000 responses": "AssumptionLab(state=dict(n=2_000))",
        "scored table, 2,000 rows": "AssumptionLab(scored(2_000), dict(margin=.5))",
        "scored table, 50,000 rows (thinned)": "AssumptionLab(scored(50_000), dict(margin=.5))"}
SLIDERS = f"import sys; sys.path.insert(0, {str(ROOT/'nbs'/'lessons')!r})\nfrom sliders import of_lesson"
LESSONS = {f"lesson {p.stem[:2]}": f"of_lesson({str(p)!r})[1]"
           for p in sorted((ROOT/"nbs"/"lessons").glob("[01]*.ipynb")) if p.stem[:2] < "13"}


def drag(page, seconds):
    "Drag the first slider to and fro; when the first and the last step were made, on the page's clock"
    box = page.locator(".rate-lab .noUi-handle").first.bounding_box()
    x, y = box["x"] + box["width"]/2, box["y"] + box["height"]/2
    page.mouse.move(x, y)
    page.mouse.down()
    began, ends, at, way = page.evaluate("performance.now()"), time.monotonic() + seconds, 0, -1
    while time.monotonic() < ends:
        at += way
        way = -way if abs(at) > 40 else way
        page.mouse.move(x + at, y)
        time.sleep(.025)
    stopped = page.evaluate("performance.now()")
    page.mouse.up()
    return began, stopped


def measure(window, work, name, code, seconds, screens):
    page, notebook = window.page, f"{'-'.join(name.split()).replace(',', '')}.ipynb"
    write_notebook(work / notebook, SETUP if name in LABS else SLIDERS,
                   f"lab = {code}\nlab.box; shown = [1]\n"
                   "lab.chart.observe(lambda change: shown.append(1), 'spec')\nlab",
                   "lab.wait(); print('COMPUTED', len(shown))")
    window.open(notebook)
    page.evaluate(SHOWN)
    run = """i => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i;
                    return window.jupyterapp.commands.execute('notebook:run-cell') }"""
    page.evaluate(run, 0)
    began = time.monotonic()
    page.evaluate(run, 1)
    page.wait_for_selector(".rate-moving svg")
    opened = time.monotonic() - began
    page.wait_for_timeout(1000)
    began, stopped = drag(page, seconds)
    page.wait_for_timeout(2500)
    page.evaluate(run, 2)
    page.wait_for_function("/COMPUTED \\d/.test(document.querySelector('.jp-Notebook').innerText)")
    made = page.evaluate("+/COMPUTED (\\d+)/.exec(document.querySelector('.jp-Notebook').innerText)[1]")
    page.wait_for_timeout(500)
    seen = page.evaluate("window.seen")
    moving = [t for _, t in seen if began <= t <= stopped]
    gaps = [b - a for a, b in zip(moving, moving[1:])]
    if screens:
        page.locator(".rate-lab").first.screenshot(path=Path(screens) / f"{notebook}.png")
    return dict(lab=name, charts_per_second=round(1000*len(gaps)/max(sum(gaps), 1), 1),
                longest_wait_ms=round(max(gaps, default=0)), last_after_ms=round(seen[-1][1] - stopped),
                opened_s=round(opened, 1), computed=made, painted=len(seen),
                load=round(os.getloadavg()[0], 1))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--seconds", type=float, default=5., help="how long each slider moves")
    options.add_argument("--screens", help="folder for a picture of each lab")
    options.add_argument("--only", default="", help="part of a lab's name")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as work:
        with jupyter_lab(Path(folder), Path(work)) as (address, token), chromium() as browser:
            for name, code in (LABS | LESSONS).items():
                if asked.only in name:
                    window = Window(browser, address, token)
                    found = measure(window, Path(work), name, code, asked.seconds, asked.screens)
                    print(json.dumps(found), flush=True)
                    assert not window.away and not window.errors, (window.away, window.errors)
                    window.close()


if __name__ == "__main__":
    main()
