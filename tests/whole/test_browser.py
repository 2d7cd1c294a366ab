"What a person sees: the labs and the charts in a real JupyterLab in a real Chromium."
import json, os, re
from itertools import groupby
from pathlib import Path
import pandas as pd
import pytest
from browser import (
    SHOWN, Window, chromium, copy_notebook, jupyter_lab, needs_chromium, write_notebook)
from conftest import ROOT
from rate_nb.rewriting.instructions import flags, saved_versions
from rate_nb.base.store import Store
from structure import NBS, cells, source

SCREENS = Path(os.environ.get("RATE_NB_SCREENS") or ROOT / "build" / "screens")   # to be looked at
BAD = ("<img src=x onerror=alert(1)></script><script>alert(1)</script>$$\\href{javascript:alert(1)}{x}$$ "
       "$$\\href{}{}$$")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    "A folder of notebooks, the server on it, and a browser"
    needs_chromium()
    folder, work = tmp_path_factory.mktemp("jupyter"), tmp_path_factory.mktemp("notebooks")
    SCREENS.mkdir(parents=True, exist_ok=True)
    with jupyter_lab(folder, work) as (address, token), chromium() as browser:
        yield work, lambda **size: Window(browser, address, token, **size)


@pytest.fixture
def window(place, request):
    w = place[1]()
    yield w
    w.page.screenshot(path=SCREENS / f"end-of-{request.node.name}.png")
    w.close()


def calm(window):
    "Nothing went wrong in the console, and nothing left the machine"
    assert not window.errors, window.errors
    assert not window.away, window.away


def says(window, words, selector=".rate-lab", timeout=120_000):
    window.page.wait_for_function("([s, w]) => document.querySelector(s)?.innerText.includes(w)",
                                  arg=[selector, words], timeout=timeout)


def pictures(window, name):
    "Light and dark, 1280 and 1920 pixels wide, where RATE_NB_SCREENS names a folder for them"
    if not os.environ.get("RATE_NB_SCREENS"):
        return
    for theme in ("Light", "Dark"):
        window.theme(f"JupyterLab {theme}")
        for width in (1280, 1920):
            window.size(width, 1700)
            window.page.wait_for_timeout(400)
            window.page.locator(".rate-lab").first.evaluate("e => e.scrollIntoView({block: 'start'})")
            window.page.screenshot(path=SCREENS / f"{name}-{theme.lower()}-{width}.png")
    window.theme("JupyterLab Light")
    window.size(1280, 1000)


def readable(window):
    "The least contrast of the lab's text and what is behind it (WCAG asks for 4.5)"
    return window.page.evaluate("""() => {
        const rgb = c => (c.match(/[\\d.]+/g) || []).map(Number);
        const linear = x => (x /= 255) <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4;
        const lum = c => {
            const v = c.slice(0, 3).map(linear);
            return .2126 * v[0] + .7152 * v[1] + .0722 * v[2];
        };
        const behind = e => {
            for (; e; e = e.parentElement) {
                const c = rgb(getComputedStyle(e).backgroundColor);
                if (c.length === 3 || c[3] > .9) return c;
            }
            return [255, 255, 255];
        };
        const found = [];
        const parts = '.body .rate-tag td th .rate-note h4 textarea label select'.split(' ');
        for (const e of document.querySelectorAll(parts.map(p => `.rate-lab ${p}`).join(', '))) {
            if (!e.offsetParent || e.closest('[disabled]')) continue;
            const [a, b] = [lum(rgb(getComputedStyle(e).color)), lum(behind(e))];
            found.push([(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.className || e.tagName]);
        }
        return found.sort((a, b) => a[0] - b[0])[0] }""")


def test_prompt_lab_from_opening_to_the_store(place, window):
    work, page = place[0], window.page
    notebook = copy_notebook(ROOT / "nbs" / "labs" / "prompt_lab.ipynb", work)
    # slow enough to be stopped
    notebook.write_text(notebook.read_text(encoding="utf-8").replace("Sandbox().__enter__()",
        "Sandbox(latency=.3).__enter__()"), encoding="utf-8")
    window.open("prompt_lab.ipynb").run_all()
    lab, button = page.locator(".rate-lab").first, lambda name: page.locator(".rate-lab").first.get_by_role(
        "button", name=name, exact=True)
    page.wait_for_selector(".rate-lab .rate-text")
    assert lab.locator(".rate-text").count() == 3 and "Not asked for yet" in lab.inner_text()

    # type, press, read
    lab.locator("textarea").fill("Make this answer {W}, and keep all the rest.")
    button("Rewrite").click()
    says(window, "done after")
    assert lab.locator(".rate-text .body").count() == 3 and "Not asked for yet" not in lab.inner_text()
    assert lab.locator(".rate-text ins").count() > 0 and lab.locator(".rate-text del").count() > 0
    assert ("drift" in lab.inner_text() and "reward" in lab.inner_text()
            and "The whole run" in lab.inner_text())

    lab.get_by_placeholder("what is wrong with it").fill("lost the meaning")                 # flag
    button("Flag").click()
    says(window, "flagged: lost the meaning")
    lab.get_by_placeholder("a note: why this wording").fill("plain words")                   # save, hand on
    button("Save version").click()
    says(window, "Saved as version")
    button("Use this instruction").click()
    says(window, '"instruction": "Make this answer {W}, and keep all the rest."')
    pictures(window, "prompt-lab")
    for theme in ("Light", "Dark"):
        window.theme(f"JupyterLab {theme}")
        page.wait_for_timeout(200)
        contrast, where = readable(window)
        assert contrast >= 4.5, (theme, contrast, where)
        assert not unreadable(page)

    store = Store(work / "audits" / "prompt_lab.sqlite")
    [version] = saved_versions(store, "length").index
    [found] = flags(store).values()
    assert found["reason"] == "lost the meaning" and found["instruction_id"] == version and saved_versions(
        store).note[version] == "plain words"

    # a long run, stopped midway
    before = store.counts()["rewrite"]
    lab.get_by_label("how many").fill("200")
    lab.get_by_label("how many").press("Tab")
    page.wait_for_function("document.querySelector('.rate-lab').innerHTML.includes('1 of 200')")
    button("Rewrite").click()
    page.wait_for_function("/[1-9]\\d* of \\d+/.test([...document.querySelectorAll('.rate-lab "
                           "[role=status]')].map(e => e.innerText).join(' '))")
    button("Stop").click()
    says(window, "stopped after")
    after = store.counts()["rewrite"]
    page.wait_for_timeout(1000)
    # five examples by hand, and two in the cell below the lab
    assert (14 == before < after < 414
            and store.counts()["rewrite"] == after), "what had arrived is kept, and nothing came later"
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    window.size(400, 1000)
    page.wait_for_timeout(500)
    box = lab.bounding_box()
    assert box["x"] + box["width"] <= 400 and not unreadable(page)
    beyond = """e => [...e.querySelectorAll('button, textarea, input, .rate-text')].filter(
        k => k.offsetWidth && k.getBoundingClientRect().right > 401).map(k => k.outerHTML.slice(0, 120))"""
    assert not lab.evaluate(beyond), "everything that one presses or reads is within the screen"
    calm(window)


def test_keyboard_alone(place, window):
    work, page = place[0], window.page
    write_notebook(work / "keys.ipynb", SMALL + "lab = PromptLab(examples, 'length', world.rewriter, "
                                                "world.reward, 'audits/keys.sqlite', state=dict(k=2)); lab",
                   "1 + 1")
    window.open("keys.ipynb").run_all()
    page.wait_for_selector(".rate-lab .rate-text")
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    page.locator(".rate-lab").get_by_role("button", name="Save version").focus()
    for key in ("d", "d", "a", "x", "0", "0"):
        page.keyboard.press(key) # in JupyterLab: delete, insert, cut, restart
    page.wait_for_timeout(300)
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells and not page.locator(".jp-Dialog").count()
    page.locator(".rate-lab textarea").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" Really.")
    # the main button, not the cell
    page.keyboard.press("Control+Enter")
    says(window, "done after")
    seen = set()
    page.locator(".rate-lab textarea").focus()
    for _ in range(30):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.innerText || document.activeElement.tagName"))
    assert {"Save version", "Use this instruction", "Rewrite", "Flag", "Remove flag", "▶", "INPUT",
            "SELECT"} <= {s.split("\n")[0] if s not in ("INPUT", "SELECT") else s for s in seen} | ({"SELECT"}
                if any("random" in s for s in seen) else set())
    page.locator(".rate-lab textarea").fill("No place for it.")
    page.keyboard.press("Tab")
    page.wait_for_selector(".rate-lab [role=alert]")
    assert "must contain {W}" in page.locator(".rate-lab [role=alert]").inner_text()
    calm(window)


SMALL = """import numpy as np, pandas as pd
from rate_nb.widgets import *
from rate_nb.theory.text_world import TextWorld
world = TextWorld("length"); examples = world.examples(20, np.random.default_rng(0))
"""


def test_a_person_reads_pairs(place, window):
    "Tags are typed, sides pressed, and the file holds it"
    work, page = place[0], window.page
    write_notebook(work / "reading.ipynb", SMALL + """from rate_nb.audit import Audit, Design
audit = Audit(examples, "length", world.rewriter, world.reward, "audits/reading", design=Design(check=0))
lab = audit.lab("reading"); lab""")
    window.open("reading.ipynb").run_all()
    page.wait_for_selector(".rate-lab .rate-text")
    lab = page.locator(".rate-lab").first
    button = lambda name: lab.get_by_role("button", name=name, exact=True)
    lab.get_by_placeholder("your name").fill("Ada")
    lab.get_by_placeholder("e.g. adds a closing").fill("says more")
    button("first").click()
    lab.get_by_label("belongs to the attribute").check()
    button("Save and next").click()
    says(window, "pair 2 of")
    button("Nothing differs").click()
    says(window, "pair 3 of")
    pictures(window, "reading-lab")
    assert readable(window)[0] >= 4.5
    filled = pd.read_csv(work / "audits" / "reading" / "review_ballot.csv", dtype=str, keep_default_na=False)
    assert list(filled.differs[:3]) == ["yes", "no", ""] and filled.tags[0] == "says more"
    assert filled.belongs[0] == "yes" and filled.shown_by[0] == "first" and filled.reader[0] == "Ada"
    calm(window)


def test_hostile_texts_are_inert(place, window):
    work, page = place[0], window.page
    setup = (SMALL + f"bad = {BAD!r}\n"
             + """examples = pd.DataFrame(dict(example_id=[bad, bad + '2'], prompt_id=bad, prompt=bad,
                                    response=[bad + ' one', bad + ' two and more'], w=[0, 1]))
def worse(prompt, text, target): return (text + bad) if target else text[:-5]
def reward(prompts, responses): return np.zeros(len(prompts))
reward.__name__ = reward.__qualname__ = 'reward'
lab = PromptLab(examples, 'length', worse, reward, 'audits/hostile.sqlite',
                state=dict(instruction=bad + ' {W}', k=2))
lab.note.value = bad
lab.save_version()
lab.compare.value = lab.version.options[-1][1]
lab.rewrite()
lab.wait()
lab.reason.value = bad
lab.flag_shown()
lab.use_instruction()
lab""")
    write_notebook(work / "hostile.ipynb", setup, "lab.trial", "lab.say(ValueError(bad)); "
                                                               "lab.trial.links()[['example_id', "
                                                               "'text']].head(2).style.format(escape='html')",
        "from rate_nb.base.display import markdown_table\nfrom IPython.display import Markdown\nfrom "
        "rate_nb.estimators import estimate_effects\n"
        "s = pd.DataFrame(dict(example_id=range(8), prompt_id=range(8), draw=0, model=bad, w=[0, 1]*4, "
        "reward_original=np.arange(8.), reward_rewrite=np.arange(8.)**2, "
        "reward_rewrite_of_rewrite=1.))\nestimate_effects(s)",
        "from rate_nb.rewriting.planning import plan_rewriting\nfrom rate_nb.rewriting import "
        "FunctionRewriter\nplan_rewriting(examples, 'length', FunctionRewriter(worse, bad))",
        "CalibrationLab(pd.DataFrame({'reward': np.arange(50.), bad: np.arange(50.)**2}))")
    window.open("hostile.ipynb").run_all()
    page.wait_for_selector(".rate-lab .rate-text ins")
    page.wait_for_selector(".rate-lab .rate-moving svg")
    page.wait_for_timeout(500)
    outputs = ".jp-OutputArea-output"
    acts = page.evaluate("o => [...document.querySelectorAll(o)].flatMap((out, i) => "
                         "[...out.querySelectorAll('img[src=\\'x\\'], script, [onerror]')].map(e => `output "
                         "${i}: ` + e.parentElement.outerHTML.slice(0, 300)))", outputs)
    assert not acts, acts
    assert page.locator(f"{outputs} a[href^='javascript']").count() == 0
    assert page.locator(
        ".rate-lab mjx-container, .rate-lab a").count() == 0, "no formula is set from a model's text"
    assert "$$\\href{}{}$$" in page.locator(".rate-lab .rate-text").first.inner_text()
    assert not [e for e in window.errors if "dialog" in e], window.errors
    calm(window)


def test_ten_thousand_examples_put_no_more_on_the_page_than_a_hundred(place, window):
    work, page = place[0], window.page
    make = ("lab = PromptLab(sized[{n}], 'length', rewriter, store='audits/many.sqlite', "
            "state=dict(instruction='Make it {{W}}, please.', k=5)); lab")
    write_notebook(work / "many.ipynb", SMALL + """from rate_nb.rewriting import FunctionRewriter
from rate_nb.base.store import Store
rewriter = FunctionRewriter(world.rewriter, 'world-1', Store('audits/many.sqlite'))
base = world.examples(100, np.random.default_rng(1))
def copy(k):
    return base.assign(example_id=[f'{i}-{k}' for i in range(100)], response=base.response + f' Number {k}.')
sized = {n: pd.concat([copy(k) for k in range(n // 100)], ignore_index=True) for n in (100, 10_000)}
for n in sized:
    lab = PromptLab(sized[n], 'length', rewriter, store='audits/many.sqlite',
                    state=dict(instruction='Make it {W}, please.', k=5))
    lab.rewrite()
    lab.wait()
""", "0")
    window.open("many.ipynb").run_all()
    cell = ("() => { const p = window.jupyterapp.shell.currentWidget; p.content.activeCellIndex = 1; return "
            "p.content.activeCell.model.sharedModel }")
    # characters on the page with the first cached example and its rewrites, and then with the next one
    def opened(n):
        page.evaluate(f"source => {{ ({cell})().setSource(source) }}",
                      make.format(n=n).replace("{{", "{").replace("}}", "}"))
        page.evaluate("() => { window.jupyterapp.commands.execute('notebook:clear-cell-output') }")
        page.wait_for_function("!document.querySelector('.rate-lab')")
        return page.evaluate(
            """async () => {
                const began = performance.now(), lab = () => document.querySelector('.rate-lab');
                const until = async ok => {
                    while (!ok()) {
                        if (performance.now() - began > 30000) throw new Error('never');
                        await new Promise(r => setTimeout(r, 5));
                    }
                };
                window.jupyterapp.commands.execute('notebook:run-cell');
                await until(() => lab()?.querySelectorAll('.rate-text .body').length === 3
                                  && lab().querySelector('.rate-text ins, .rate-text del'));
                const open = lab().outerHTML.length;
                const first = lab().querySelector('.rate-text .body').innerText;
                const next = [...lab().querySelectorAll('button')].find(b => b.innerText === '▶');
                next.click();
                await until(() => lab().querySelector('.rate-text .body')?.innerText !== first);
                return [open, lab().outerHTML.length] }""")
    few, many = opened(100), opened(10_000)
    assert all(b < 1.2*a for a, b in zip(few, many)), (few, many)
    calm(window)


def drag(window, handle, steps=40, pause=25):
    "Drag a slider's handle steadily over most of its width"
    handle.hover() # waits until it stands still, and lies on top
    page, box = window.page, handle.bounding_box()
    x, y = box["x"] + box["width"]/2, box["y"] + box["height"]/2
    page.mouse.move(x, y)
    page.mouse.down()
    for i in range(1, steps + 1):
        page.mouse.move(x + (-1)**(i > steps/2) * 3*min(i, steps - i), y)
        page.wait_for_timeout(pause)
    page.mouse.up()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["calibration_lab", "assumption_lab"])
def test_dials(place, window, name):
    work, page = place[0], window.page
    copy_notebook(ROOT / "nbs" / "labs" / f"{name}.ipynb", work)
    window.open(f"{name}.ipynb").run_all()
    shown = ".rate-lab .rate-moving svg"
    page.wait_for_selector(shown)
    # at once: while the page settles, one picture may give way to the next
    width, height, before = page.evaluate("s => { const e = document.querySelector(s), "
        "b = e.getBoundingClientRect(); return [b.width, b.height, e.outerHTML] }", shown)
    assert width > 300 and height > 100
    page.evaluate(SHOWN)
    page.locator(".rate-lab .noUi-handle").first.focus()                                     # by keyboard
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function("([s, before]) => document.querySelector(s).outerHTML !== before",
                           arg=[shown, before])
    drag(window, page.locator(".rate-lab .noUi-handle").first)
    page.wait_for_function("window.seen.length > 4")
    page.wait_for_timeout(1500)
    assert len({heard for heard, _ in page.evaluate("window.seen")}) > 4
    lab = page.locator(".rate-moving").first
    assert lab.locator(".rate-drawn").get_attribute("aria-label").startswith(
        lab.locator(".rate-finding").inner_text().rstrip("."))
    pictures(window, name.replace("_", "-"))
    for theme in ("Light", "Dark"):
        window.theme(f"JupyterLab {theme}")
        page.wait_for_timeout(200)
        contrast, where = readable(window)
        assert contrast >= 4.5, (theme, contrast, where)
        assert not unreadable(page)
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    window.size(400, 1000)
    page.wait_for_timeout(500)
    lab, dial = (page.locator(f".rate-lab{inside}").first.bounding_box() for inside in ("", " .noUi-target"))
    assert dial["width"] > 90 and lab["x"] + lab["width"] <= 400 and not unreadable(page)
    assert page.locator(".rate-moving svg").first.bounding_box()["width"] > 400, "it scrolls, and is legible"
    calm(window)


def unreadable(page):
    "What axe-core finds in a lab that keeps somebody from using it"
    from axe_playwright_python.sync_playwright import Axe
    found = Axe().run(page, context=".rate-lab").response["violations"]
    return [(v["id"], v["nodes"][0]["html"][:160]) for v in found if v["impact"] in ("serious", "critical")]


SLOW = SMALL + """import time
import rate_nb.widgets.labs as labs
fast, finished = labs.simulation_at, []
def slow(state):
    time.sleep(.3)
    result = fast(state)
    finished.append(state['confounding'])
    return result
labs.simulation_at = slow
lab = AssumptionLab(dict(n=50)).wait()
lab.box
told = [lab.picture.description]
lab.chart.observe(lambda change: told.append(change.new['description']), 'spec')
lab"""


@pytest.mark.slow
def test_no_finished_slider_result_is_skipped(place, window):
    "Under a deliberately slow function each finished result reaches the screen, in order; the last one wins"
    work, page = place[0], window.page
    write_notebook(work / "slow.ipynb", SLOW,
                   "import json; lab.wait(); print('FINISHED', len(finished), len(told), "
                   "finished[-1] == lab.dials['confounding'].value, json.dumps(told), 'END')")
    window.open("slow.ipynb")
    page.evaluate(SHOWN)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
    page.wait_for_selector(".rate-lab .rate-moving svg")
    drag(window, page.locator(".rate-lab .noUi-handle").first, steps=60, pause=50)
    page.wait_for_function("window.computed") # it said so while the slider moved
    page.wait_for_function("!document.querySelector('.rate-lab').innerText.includes('computing')")
    page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; "
                  "return window.jupyterapp.commands.execute('notebook:run-cell') }")
    page.wait_for_function("/FINISHED \\d/.test(document.querySelector('.jp-Notebook').innerText)")
    words = re.search(r"FINISHED (\d+) (\d+) (\w+) (.*?) END", page.locator(".jp-Notebook").inner_text(),
                      re.S)
    assert words[1] == words[2] and words[3] == "True" and int(words[1]) >= 4, words
    page.wait_for_function("n => window.seen.length >= n", arg=int(words[1]))
    page.wait_for_timeout(500)
    seen = [heard for heard, _ in page.evaluate("window.seen")]
    assert [heard for heard, _ in groupby(seen)] == [told for told, _ in groupby(json.loads(words[4]))]
    calm(window)


MARKS = """import numpy as np, pandas as pd
from rate_nb.plots.effects import *
from rate_nb.calibration import compare_densities
from rate_nb.calibration.calibrators import RCLWR
from rate_nb.plots.calibration import plot_gameability, plot_rank_heatmap
from rate_nb.plots.charts import enable_charts
enable_charts()
t = pd.DataFrame([("naive", "ATE", 2., 1.8, 2.2), ("single", "ATE", .5, .4, .6),
                  ("rate", "ATE", 1., .9, 1.1)],
                 columns=["estimator", "estimand", "estimate", "ci_low", "ci_high"]).assign(model="m")
rng = np.random.default_rng(0); r = rng.normal(size=60); c = np.exp(rng.normal(6, .5, 300))
s = pd.DataFrame(dict(example_id=range(60), prompt_id=range(60), draw=0, model="m", w=np.arange(60) % 2,
                      reward_original=r, reward_rewrite=r, reward_rewrite_of_rewrite=r + 1))
board = pd.DataFrame([dict(judge=j, method=m, ranking="arena", spearman=.7 + .1*(m == "RC-LWR"))
                      for j in "ab" for m in ("Original", "RC-LWR")])"""


def see_charts(window, least):
    "Every chart in the page is drawn: large enough, and of several colours"
    page, shown = (window.page, ".jp-OutputArea-output .vega-embed canvas, .jp-OutputArea-output "
                                ".vega-embed svg.marks, .jp-RenderedImage img")
    page.wait_for_function("([s, n]) => document.querySelectorAll(s).length >= n", arg=[shown, least],
                           timeout=120_000)
    page.wait_for_timeout(300)
    drawn = page.evaluate("""s => [...document.querySelectorAll(s)].map(e => {
        const box = e.getBoundingClientRect(); let colours = 9;
        if (e.tagName === 'CANVAS') {
            const d = e.getContext('2d').getImageData(0, 0, e.width, e.height).data, seen = new Set();
            for (let i = 0; i < d.length; i += 4 * 97) seen.add(d[i] << 16 | d[i+1] << 8 | d[i+2]);
            colours = seen.size;
        }
        return [box.width, box.height, colours] })""", shown)
    assert len(drawn) >= least and all(w > 150 and h > 60 and colours > 2 for w, h, colours in drawn), drawn


@pytest.mark.slow
def test_every_mark_shows_live_and_reopened(place, window):
    ("Rules, ticks, points, bars, areas, lines, rectangles, text, facets: drawn by JupyterLab itself, and "
     "again when the saved notebook is opened anew")
    work, page = place[0], window.page
    cells = ("plot_effects(t, truth=dict(ATE=1.))", "plot_rewards(s)",
             "plot_curves(pd.concat([t.assign(dial=d) for d in (0., .5, 1.)]), 'dial', 'A title', 'a dial')",
             "compare_densities(c, np.log(c) + rng.normal(size=300), {'RC-LWR': RCLWR(frac=.9)}).plot()",
             "plot_rank_heatmap(board)")
    write_notebook(work / "marks.ipynb", MARKS, *cells)
    window.open("marks.ipynb").run_all()
    see_charts(window, len(cells))
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    nb = json.loads((work / "marks.ipynb").read_text(encoding="utf-8"))
    assert all({"image/png", "application/vnd.vegalite.v5+json"} <= set(c["outputs"][0]["data"])
               for c in nb["cells"][1:])
    (work / "elsewhere").mkdir()
    (work / "elsewhere" / "untrusted.ipynb").write_text(json.dumps(nb
        | dict(metadata=nb["metadata"] | dict(from_elsewhere=1))), encoding="utf-8")
    window.open("elsewhere/untrusted.ipynb")
    see_charts(window, len(cells))
    calm(window)


LESSONS = """import json, ast, types
from IPython.display import display
import altair
from rate_nb.plots.charts import enable_charts
enable_charts()
def lessons(path): # run a notebook's code in a module of its own, show the charts its cells end on
    module, shown = types.ModuleType('__lesson__'), 0
    for cell in json.load(open(path, encoding='utf-8'))['cells']:
        source = ''.join(cell['source'])
        if cell['cell_type'] != 'code' or source.startswith('#| default_exp'): continue
        body = ast.parse(source).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), path, 'exec'), module.__dict__)
        if last is None: continue
        value = eval(compile(ast.Expression(last.value), path, 'eval'), module.__dict__)
        if isinstance(value, altair.TopLevelMixin): display(value); shown += 1
    print('charts:', shown)"""


@pytest.mark.slow("runs every notebook that draws")
def test_every_chart_kind_shows(place, window):
    ("The lessons of the notebooks that draw, in one kernel: each chart they end on is a visible canvas or "
     "picture")
    work, page = place[0], window.page
    drawing = [p for p in (ROOT / "nbs" / "03_plots").glob("*.ipynb") if p.stem != "01_charts"]
    files = [*sorted(drawing), ROOT / "nbs" / "17_studies" / "05_loop_chart.ipynb"]
    write_notebook(work / "charts.ipynb", LESSONS, *(f"lessons({str(f)!r})" for f in files))
    window.open("charts.ipynb").run_all(timeout=500_000)
    made = list(map(int, re.findall(r"charts: (\d+)", page.locator(".jp-Notebook").inner_text())))
    assert len(made) == len(files) and min(made) >= 1, (made, [f.name for f in files])
    see_charts(window, sum(made))
    page.locator(".jp-Notebook").screenshot(path=SCREENS / "charts.png")
    calm(window)


TRAINING = """
from rate_nb.studies.watch import AuditCallback
rng, model = np.random.default_rng(0), tiny_model(initializer_range=.05)
watch = dict(audits=dict(length=length_audit(160, rng)), every=5, prompts=40, margin=.3)
trainer, callback = trained(model, preferences(8*40, rng, begins=0), watch=watch)
"""


@pytest.mark.slow("a training, watched in a browser")
def test_the_chart_of_a_watch_grows_while_a_reward_is_trained(place):
    work, opened = place
    notebook = cells(NBS / "17_studies" / "11_watch.ipynb")
    lesson = next(source(c) for c in notebook if "def trained(" in source(c))
    setup = lesson.partition("from rate_nb.studies.watch import AuditCallback")[0]
    imports = "import tempfile, warnings\nimport numpy as np\nimport pandas as pd\n"
    window = opened().open(write_notebook(work / "watched.ipynb", imports + setup, TRAINING).name)
    window.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => { "
                         "window.ran = true }) }")
    charts = ".jp-CodeCell:nth-of-type(2) .jp-OutputArea-output [aria-label*='length']"
    seen = []
    for _ in range(600):
        labels = window.page.eval_on_selector_all(charts, "all => all.map(e => e.getAttribute('aria-label'))")
        if labels and labels[0] not in seen:
            seen.append(labels[0])
        if window.page.evaluate("window.ran === true"):
            break
        window.page.wait_for_timeout(100)
    window.page.locator(charts).first.scroll_into_view_if_needed()
    window.page.screenshot(path=SCREENS / "watch.png")
    assert len(seen) >= 4 and len(labels) == 1, seen # one chart in place, drawn anew at each look
    calm(window)
    window.close()
