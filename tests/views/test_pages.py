("What leaves the house: reports and the documentation site, read by a real browser, an HTML parser and an "
 "accessibility checker.")
import ast, functools, http.server, importlib, json, re, subprocess, sys, threading
from html import unescape
from urllib.parse import unquote, urldefrag
import numpy as np
import pandas as pd
import pytest
from markupsafe import Markup
from browser import CHROMIUM, FLAGS, needs_chromium
from conftest import ROOT
from structure import ROOMS, notebooks, room_folder
from warm import run_python
from rate_nb.data.examples import load_examples
from rate_nb.estimators.effects import claim_words, counting
from rate_nb.audit import Audit, Design, publish_run
from rate_nb.audit.manifest import manifest_of
from rate_nb.theory.text_world import planted_grid
from rate_nb.batch.grid import grid_effects, grid_report
from rate_nb.base.core import InputError
from rate_nb.base.display import html_table, render
from rate_nb.views.answer import answers
from rate_nb.views.report import (
    ForestRow, audit_report, forest, page as whole_page, report_tables, run_report, to_pdf)
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.theory.text_world import TextWorld

HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>",
           r"$$\href{javascript:alert(3)}{click}$$", "\"'><svg onload=alert(4)>"]
ACTING = "\x00\x1b[31m\u202e"


@pytest.fixture(scope="module")
def browser():
    needs_chromium()
    from playwright.sync_api import sync_playwright
    with sync_playwright() as p:
        b = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield b
        b.close()


def opened(browser, url, scheme="light", **options):
    "A page, and what went wrong while it loaded"
    page, seen = browser.new_page(color_scheme=scheme, **options), []
    page.on("dialog", lambda d: (seen.append(f"dialog {d.message}"), d.dismiss()))
    page.on("pageerror", lambda e: seen.append(f"error {e}"))
    page.on("console", lambda m: seen.append(f"console {m.text}") if m.type == "error" else None)
    page.on("request", lambda r: seen.append(f"request {r.url}")
            if not r.url.startswith(("file:", "data:", "http://127.0.0.1")) else None)
    page.goto(url)
    return page, seen


def serious(page):
    "What axe-core finds that keeps somebody from reading the page"
    from axe_playwright_python.sync_playwright import Axe
    return [(v["id"], v["nodes"][0]["html"][:160]) for v in Axe().run(page).response["violations"]
            if v["impact"] in ("serious", "critical")]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    "A report with hostile texts in every field"
    world, folder = TextWorld("length"), tmp_path_factory.mktemp("audit")
    examples = world.examples(60, np.random.default_rng(3))
    for i, bad in enumerate(HOSTILE):
        examples.loc[i, "response"] = f"{bad} {examples.response[i]}"
        examples.loc[i, "prompt"] = f"{bad} {examples.prompt[i]}"
    examples["example_id"] = [f"{HOSTILE[i % 4]} {i}" for i in range(len(examples))]
    rewriter = lambda prompt, text, target, seed: world.rewriter(prompt, text, target,
        seed) + " " + HOSTILE[seed % 4]
    audit = Audit(examples, "length", rewriter, world.reward, folder)
    audit.parameters = {h: h for h in HOSTILE}
    return audit.report()


def test_a_report_is_one_well_formed_file_without_network(report):
    text = report.read_text(encoding="utf-8")
    tree = well_formed(text)
    assert (len(text) < 3e6
            and not {"link", "iframe", "img", "object", "embed"} & {e.tag for e in tree})
    # the explorer's data and its module, and no other script
    assert [e.attrib["type"] for e in tree if e.tag == "script"] == ["application/json", "module"]
    assert not [v for e in tree for k, v in e.attrib.items() if str(k).endswith(("src", "href"))
                and not v.startswith("#")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_inert_and_can_be_read_by_all(browser, report, scheme):
    page, seen = opened(browser, report.as_uri(), scheme)
    assert not seen and not serious(page)
    assert page.locator("svg").first.is_visible() and "alert(1)" in page.inner_text("body")
    assert page.locator("img, script[src]").count() == 0 and page.locator("script").count() == 2
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_published_page_can_be_read_by_all_and_holds_no_text(browser, report, tmp_path, scheme):
    made = publish_run(report.parent, tmp_path / "public")
    for size in (dict(width=400, height=800), dict(width=1280, height=720)):
        page, seen = opened(browser, (made.folder / "report.html").as_uri(), scheme, viewport=size)
        assert not seen and not serious(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.locator("svg").first.is_visible() and page.locator("script, img").count() == 0
        page.close()
    held = "".join(p.read_text(errors="replace") for p in made.folder.rglob("*") if p.is_file())
    assert "alert(1)" not in held and "alert(2)" not in held # texts and identifiers stay at home


def test_pages_are_written_in_templates_that_escape():
    "No tag in a string of the code that makes pages, and no template that lets a text through as it is"
    tag = re.compile(r"</?(a|b|p|h\d|li|ul|ol|td|th|tr|div|pre|span|table|figure|details|svg|style)\b[^<]*>")
    for path in [*(ROOT / "rate_nb" / "views").glob("*.py"), ROOT / "rate_nb" / "batch" / "grid.py",
                 ROOT / "rate_nb" / "estimators" / "effects.py"]:
        strings = [n.value for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                   if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        assert not [s for s in strings if tag.search(s)], path
    templates = list((ROOT / "rate_nb" / "templates").glob("*.html"))
    assert len(templates) > 10 and not [p for p in templates if re.search(
        r"\|\s*safe\b|autoescape|Markup", p.read_text(encoding="utf-8"))]


def test_a_value_is_escaped_wherever_a_template_prints_it():
    "In text, in attributes, between backticks, and in what is joined, formatted or passed to a macro"
    bad = "".join(HOSTILE) + ACTING
    row = ForestRow([bad, bad], .1, 0., .2, bad, bad, bad, finding=f"`{bad}` {bad}", takes=bad, advice=bad,
                    part=bad)
    pair = dict(named=bad, prompt=bad, first=bad, second=bad)
    read = dict(sentences=[bad], worth={bad: pd.DataFrame({bad: [bad]}), "b": pd.DataFrame()}, pairs=[pair])
    parts = [(bad, forest([row], [bad, bad, bad], bad)), (bad, render("review.html", review=read)), ("", bad)]
    pages = [whole_page(bad, parts), render("run.html", title=bad, said=[bad], sections=[(bad, [bad])],
                                            files={bad: bad}, again=bad)]
    for page, places in zip(pages, (22, 8)):
        tags = {e.tag for e in well_formed(page)}
        assert not {"img", "script"} & tags and page.count("alert(4)") >= places
        assert not any(acts in page for acts in ("<img", "<script", "<svg onload", "\x1b", "\u202e"))


def test_a_report_prints_as_pdf(browser, report, tmp_path):
    made = to_pdf(report, tmp_path / "report.pdf")
    assert made.read_bytes()[:5] == b"%PDF-" and made.stat().st_size > 20_000


def fails(prompt, text, target): raise ValueError("no")


@pytest.mark.parametrize("rewriter", [None, fails])
def test_a_report_does_without_checks(tmp_path, rewriter):
    world = TextWorld("length")
    examples = world.examples(40, np.random.default_rng(0))
    audit = Audit(examples, "length", rewriter or world.rewriter, world.reward, tmp_path,
                  design=Design(check=0, keep_going=True))
    effects, tables = audit.effects(), audit.tables
    shown = report_tables(effects, audit.examples, tables.rewrites, tables.scored)
    text = audit_report(audit.attribute, effects, answers(effects, audit.attribute, tables.scored), shown,
                        manifest_of(audit), Markup("<p>None.</p>"))
    well_formed(text)
    assert "What may be claimed?" not in text and "<h2>The texts</h2>" in text
    assert ("could be estimated" if rewriter else "class=answer") in text


def test_the_first_screen_says_whether_to_believe_it(browser, tmp_path):
    ("A rewriter that flips two texts in three: as precise a result as any, and the report opens with its "
     "refusal")
    world = TextWorld("length")
    whole, lazy = world.rewriter, lambda prompt, text, target, seed: text if len(
        text) % 3 == 0 else world.rewriter(prompt, text, target, seed)
    said = {}
    for name, rewriter in dict(healthy=whole, broken=lazy).items():
        audit = Audit(world.examples(200, np.random.default_rng(3)), "length", rewriter, world.reward,
                      tmp_path / name)
        page, seen = opened(browser, audit.report().as_uri(), viewport=dict(width=1280, height=720))
        first = page.locator(".verdict").first
        box, said[name] = first.bounding_box(), first.inner_text()
        assert (box["y"] + box["height"] < 720
                and page.locator(".answer, .soft").first.bounding_box()["y"] < box["y"]
                and not seen)
        page.close()
    assert said["healthy"].startswith("? Inconclusive. Do not act on this number yet")
    assert "both=True" in said["healthy"]
    whole = unescape((tmp_path / "healthy" / "report.html").read_text())
    assert claim_words(["rate"]) in whole and "bears on" in whole
    assert "not confirmed: making a response longer raises its reward by" in whole
    assert said["broken"].startswith("✕ Failed. Do not use this number: 1 check failed (compliance)")
    refused = (tmp_path / "broken" / "report.html").read_text()
    # no effect is stated as a fact
    assert "class=answer" not in refused and "Not to be relied on" in refused
    assert "Do not quote" in whole and "Do not quote" not in refused # it compares with that effect


def well_formed(text):
    import html5lib
    return list(html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text).iter())


def test_no_character_of_a_text_acts_on_the_page():
    ("Control characters and marks that turn the line, wherever a page takes a text in; half a surrogate "
     "pair is no crash")
    text = whole_page(ACTING + "\ud800",
                      [(ACTING, html_table(pd.DataFrame({"a" + ACTING: ["b" + ACTING, None]}), ACTING))])
    assert text.encode() and not set("\x00\x1b\u202e") & set(text) and "⟨U+202E⟩" in text
    well_formed(text)


@pytest.mark.parametrize("scheme, width", [("light", 1280), ("dark", 1280), ("light", 390)])
def test_the_report_of_a_grid_can_be_read_by_all(browser, tmp_path, scheme, width):
    "Hostile names in every field, on a wide page, a dark one and a phone"
    table = planted_grid(attributes=(*HOSTILE[:2], "length"), models=(HOSTILE[2] + ACTING, "model B"),
                         datasets=(HOSTILE[3], "chat"), rng=1)
    runs = pd.DataFrame(dict(run=["a", HOSTILE[0]], status=["done", "failed"], seconds=[1., None],
                             note=["", HOSTILE[1] + " a long reason" * 20]))
    path = tmp_path / "grid.html"
    path.write_text(grid_report(grid_effects(table), runs, title="A grid " + ACTING,
                                places=dict(a="a/report.html")), encoding="utf-8")
    tree = well_formed(path.read_text(encoding="utf-8"))
    assert not {"script", "link", "iframe", "img"} & {e.tag
                                                      for e in tree} and not set("\x00\x1b\u202e") & set(
                                                          path.read_text(encoding="utf-8"))
    page, seen = opened(browser, path.as_uri(), scheme, viewport=dict(width=width, height=900))
    assert not seen and not serious(page) and page.locator("svg").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_a_report_fits_a_phone(browser, report):
    ("Nothing is wider than the screen but what scrolls in its own box; every estimate is drawn on the "
     "screen, the naive one too; charts stay legible")
    page, seen = opened(browser, report.as_uri(), viewport=dict(width=390, height=800))
    assert not seen and not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("figure svg").first.bounding_box()["width"] >= 500
    boxes = [m.bounding_box() for m in page.locator(".forest .mark").all()]
    assert len(boxes) > 7 and all(0 <= b["x"] and b["x"] + b["width"] <= 390 for b in boxes)
    assert page.locator(".forest td").first.evaluate("e => getComputedStyle(e).display") == "block"
    page.close()


def test_a_report_without_an_effect_is_a_report(tmp_path):
    world = TextWorld("length")
    examples = world.examples(12, np.random.default_rng(3))
    failed = Audit(examples, "length", fails, world.reward, tmp_path / "failed",
                   design=Design(check=0, keep_going=True)).report().read_text(encoding="utf-8")
    alone = Audit(examples.assign(prompt_id="p"), "length", world.rewriter, world.reward, tmp_path / "alone",
                  design=Design(check=0)).report().read_text(encoding="utf-8")
    for text in (failed, alone):
        well_formed(text)
    assert ("could be estimated" in failed and "Too few prompts: making a response longer gives" in alone
            and "+nan" not in alone.split("What may be claimed?")[0])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    "The documentation, built from nothing with every warning an error"
    out = tmp_path_factory.mktemp("docs") / "site"
    build = f"import runpy; runpy.run_path({str(ROOT / 'docs' / 'build.py')!r}, run_name='__main__')"
    code, said = run_python(build, "--out", str(out), folder=ROOT)
    assert code == 0, said[-3000:]
    return out


@pytest.mark.slow("builds the site")
def test_the_site_has_a_page_for_every_notebook_and_no_broken_link(site):
    names = [p.relative_to(ROOT / "nbs").with_suffix("") for p in (ROOT / "nbs").rglob("*.ipynb")
             if not {".ipynb_checkpoints", "audits"} & set(p.parts)]
    assert not [n for n in [*names, "docs/recipes", "CONTRIBUTING"] if not (site / f"{n}.html").exists()]
    broken = set()
    for page in (p for p in site.rglob("*.html") if "_static" not in p.parts):
        assert "<p>|" not in page.read_text(encoding="utf-8"), f"{page} shows a table as text"
        for kind, link in re.findall(r"<(?:a|link|script|img)\b[^>]*?\s(href|src)=\"([^\"]+)\"",
                                     page.read_text(encoding="utf-8")):
            target, _ = urldefrag(link)
            if re.match(r"[a-z]+:", target):
                assert kind == "href", f"{page} loads {link}"
            elif target and not (page.parent / unquote(target).split("?")[0]).exists():
                broken.add((page.name, link))
    assert not broken


@pytest.mark.slow("builds the site")
def test_the_site_follows_the_rooms(site):
    "Each room is a section in the order of docs/rooms.md, and its reference has every name of its face"
    def content(page):
        return (site / page).read_text(encoding="utf-8").split("<article")[1].split("</article>")[0]
    shown = re.findall(r'href="(\w+)/index.html"', content("rooms.html"))
    assert shown == [room_folder(room) for room, _ in ROOMS]
    for room, _ in ROOMS:
        own = re.findall(r'href="(\w+)\.html"', content(f"{room_folder(room)}/index.html"))
        assert own == [p.stem for p in notebooks(room_folder(room))]
        headings = re.findall(r"<h3>([\w.]+)<", content(f"api/{room}.html"))
        assert set(importlib.import_module(f"rate_nb.{room}").__all__) <= set(headings), room


@pytest.mark.slow("builds the site")
def test_each_lesson_s_slider_holds_its_pictures(site):
    for page in sorted((site / "lessons").glob("[01]*.html")):
        text = page.read_text(encoding="utf-8")
        held = re.findall(r'class="rate-slide".*?<script type="application/json">(.*?)</script>', text, re.S)
        assert len(held) == (page.name < "13"), page.name
        for frames in map(json.loads, held):
            assert 10 <= len(frames) == len({f["value"] for f in frames}) == len({f["svg"] for f in frames})


@pytest.fixture(scope="module")
def served(site):
    "The same site from a server on this machine, as a host would show it"
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.slow("builds the site")
@pytest.mark.parametrize("name", ["index", "lessons/06_theorem", "api/estimators"])
def test_the_site_can_be_read_by_all(browser, served, name):
    page, seen = opened(browser, f"{served}/{name}.html")
    assert not seen and not serious(page)
    if name.startswith("lessons"):                            # its slider moves, by keyboard
        before = page.locator(".rate-frame").inner_html()
        seen.clear()                                          # what axe-core asked the server for
        page.locator(".rate-slide input").focus()
        page.keyboard.press("End")
        assert page.locator(".rate-frame").inner_html() != before and not seen
    page.close()


@pytest.mark.slow("builds the site")
def test_the_site_searches_offline(browser, site):
    page, seen = opened(browser, (site / "search.html").as_uri() + "?q=rewrite")
    page.locator("#search-results li").nth(5).wait_for(timeout=20_000)
    # from a file a browser refuses the excerpts, and says so; the hits are there
    assert not [s for s in seen if s.startswith(("request", "dialog"))]
    page.close()


def test_hostile_results_are_inert_on_the_site(browser, tmp_path):
    ("Results whose names and texts are hostile, as the notebook format keeps them, through the site's own "
     "configuration")
    import nbformat as nbf
    world = TextWorld("length")
    audit = Audit(world.examples(40, np.random.default_rng(3)), "length", world.rewriter,
                  CallableReward(" ".join(HOSTILE), lambda p, r: [float(len(t)) for t in r]), tmp_path / "a",
                  design=Design(check=0))
    shown = [audit.effects(), audit.diagnose(), audit.plan(), pd.DataFrame(dict(text=HOSTILE))]
    outputs = []
    for value in shown:
        data = {k: v for k,
                v in {"text/plain": repr(value),
                      "text/markdown": getattr(value, "_repr_markdown_", lambda: None)(),
                      "text/html": getattr(value, "_repr_html_", lambda: None)()}.items() if v}
        outputs.append(nbf.v4.new_code_cell("result",
                                            outputs=[nbf.v4.new_output("execute_result", data,
                                                execution_count=1)], execution_count=1))
    source = tmp_path / "source"
    source.mkdir()
    nbf.write(nbf.v4.new_notebook(cells=[nbf.v4.new_markdown_cell("# Hostile"), *outputs]),
              source / "index.ipynb")
    made = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", "-c", str(ROOT / "docs"),
                           str(source), str(tmp_path / "out")], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-2000:]
    page, seen = opened(browser, (tmp_path / "out" / "index.html").as_uri())
    assert not seen and page.locator("main img, main script, main a[href^='javascript']").count() == 0
    assert "alert(1)" in page.inner_text("main")
    page.close()


def test_a_report_counts_every_row(tmp_path):
    "A messy file: what the plan says of its rows stands in the report, and every row is accounted for"
    world = TextWorld("length")
    table = world.examples(40, np.random.default_rng(3))[["prompt", "response"]]
    table = pd.concat([table, table.iloc[:4], pd.DataFrame(dict(prompt=["Why?", "How?", "Who?", ""],
                                                                response=["", " ", "\t", "So it is."]))])
    table = table.assign(topic=["kept"]*47 + ["kept"])
    more = table.head(5).assign(topic="other", response=lambda d: d.response + " Indeed.")
    path = tmp_path / "messy.csv"
    pd.concat([table, more]).to_csv(path, index=False)
    examples = load_examples(path, where=dict(topic="kept"))
    audit = Audit(examples, "length", world.rewriter, world.reward, tmp_path / "run", design=Design(check=0))
    page = audit.report()
    text = unescape(page.read_text(encoding="utf-8"))
    told = text.split("The data</h2>")[1].partition("</table>")[0]
    rows = dict(re.findall(r"<tr><td[^>]*>([^<]*)</td><td[^>]*>([^<]*)</td>", told))
    wanted = {"rows read": "53", "left out by `where`": "5", "examples in the audit": "48",
              "empty responses": "3", "empty prompts": "1", "duplicates": "4", "unlabelled": "3"}
    assert {k: rows[k] for k in wanted} == wanted
    treated, untreated = map(int, rows["labelled longer / shorter"].split(" / "))
    assert treated + untreated == 45 and re.search(r"characters > [\d.]+, the median", text)
    assert "from messy.csv" in text and "last changed on 20" in text
    for said in audit.plan().notes:
        k = re.match(r"(\d+) (?:response|prompt|example)s? (?:is|are) ", said)
        assert not k or k[1] in rows.values(), said
    of = {r.estimand: n for r, n in zip(audit.effects().table.itertuples(), counting(audit.effects().table))}
    assert of == dict(ATE=45, ATT=treated, ATU=untreated) and f"<td data-label=\"n\">{treated}</td>" in text
    assert page.read_bytes() == audit.report(tmp_path / "again.html").read_bytes()


def test_a_report_prints_on_six_pages_and_names_the_command(browser, report):
    page, seen = opened(browser, report.as_uri())
    printed = page.pdf(format="A4")
    page.close()
    assert not seen and int(re.findall(rb"/Count (\d+)", printed)[0]) <= 6
    text = report.read_text(encoding="utf-8")
    again = text.split("How to do it again")[1]
    unfolded = re.sub(r"<details>.*?</details>", "", again, flags=re.S)
    assert again.count("<details>") >= 1 and "<pre" not in unfolded
    for word in ("ξ", "rate3", "summing_up", "nan%", "+nan", "….)"):
        assert word not in text, word
    words = unescape(re.sub(r"<(style|pre|svg|script).*?</\1>", "", text, flags=re.S))
    assert not re.search(r"[\s\[(]-\d", words)


def test_no_chart_brings_its_own_paper(browser, report):
    "In the dark nothing is painted white, and every ink is the page's or stands out against it"
    page, seen = opened(browser, report.as_uri(), "dark")
    paints = page.evaluate("""[...document.querySelectorAll('svg, svg *, figure, .card')].map(e => {
        const s = getComputedStyle(e)
        return [s.backgroundColor, e.tagName == 'rect' ? s.fill : '']}).flat()""")
    assert not seen and not {"rgb(255, 255, 255)", "#fff", "white"} & set(paints)
    page.close()


ODD = ("one prompt", "one arm", "several", "right to left")


@pytest.mark.parametrize("case", [pytest.param(c, marks=[pytest.mark.slow] if c != "one arm" else [])
                                  for c in ODD])
def test_a_report_of_an_odd_audit(browser, tmp_path, case):
    "Estimates without intervals, of one arm, of several models with long names, of a script from the right"
    world = TextWorld("length")
    examples = world.examples(24, np.random.default_rng(4))
    models = [world.reward]
    if case == "one prompt":
        examples = examples.assign(prompt_id="p")
    if case == "one arm":
        examples = examples[examples.w == 1]
    if case == "several":
        name = "a-model-with-a-name-that-does-not-end-"*3
        models = [CallableReward(f"{name}{k}", lambda p, r, k=k: [k*len(t) for t in r]) for k in range(1, 5)]
    if case == "right to left":
        examples = examples.assign(prompt="שאלה " + examples.prompt, response="תשובה " + examples.response)
    audit = Audit(examples, "length", world.rewriter, models, tmp_path / "run", design=Design(check=0))
    page, seen = opened(browser, audit.report().as_uri(), viewport=dict(width=400, height=800))
    text = page.inner_text("main")
    assert not seen and not serious(page) and "nan" not in text.lower()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.locator(".forest").count() >= (5 if case == "several" else 1)
    well_formed(audit.report().read_text(encoding="utf-8"))
    page.close()


def test_the_report_of_a_run_takes_any_table(tmp_path):
    some = [1, "a", np.nan, None, pd.NaT, True, 1e300, {"a": [1]}]
    more = [2, "b", np.inf, pd.NA, pd.Timestamp("2026-01-01"), None, 1e-300, ACTING + HOSTILE[0]]
    odd = pd.DataFrame([some, more], columns=list("aabcdefg"))
    big = pd.DataFrame(dict(x=np.linspace(0, 1, 300_000), t=HOSTILE[1]))
    tables = [odd, odd.iloc[:0], pd.DataFrame(), odd.set_index(["b", "c"]), odd.rename_axis("a"),
              pd.DataFrame(dict(k=pd.Categorical(["a", None]), z=[1 + 2j, 3])), (big, HOSTILE[2])]
    text = run_report(tmp_path/"report.html", HOSTILE[0], HOSTILE[1], [(HOSTILE[3], tables), ("none", None)],
                      again=HOSTILE[0], files={HOSTILE[0]: HOSTILE[1]}).read_text(encoding="utf-8")
    tested = pd.DataFrame(dict(p_value=[0., 3e-9, .0123, np.nan, 1.], p_adjusted=[0.]*5))
    told = run_report(tmp_path/"p.html", "t", ["s"], [("h", tested)]).read_text(encoding="utf-8")
    assert re.findall("<td[^>]*>(.*?)</td>", told)[::2] == ["&lt; 0.001", "&lt; 0.001", "0.012", "–", "1"]
    assert "The first 200 of 300,000 rows." in text and text.count("<tr>") < 250
    assert "1e+300" in text and "∞" in text and ">yes<" in text and "none" not in text.split("<main>")[1]
    assert not any(bad in text for bad in ("<img", "<script", "<svg", "\u202e", "\x1b", "nan", "NaT", "NA<"))
    for wrong in ({}, 3, [["a"]]):
        with pytest.raises(InputError, match="an item is a sentence, a DataFrame"):
            run_report(tmp_path/"x.html", "t", ["s"], [("h", wrong)])
