("What leaves the house: reports and the documentation site, read by a real browser, an HTML parser and an "
 "accessibility checker.")
import functools, http.server, importlib, re, subprocess, sys, threading
from html import unescape
from urllib.parse import unquote, urldefrag
import numpy as np
import pandas as pd
import pytest
from browser import CHROMIUM, FLAGS, needs_chromium
from conftest import ROOT
from structure import ROOMS, notebooks, room_folder
from rate_nb.data.attributes import get_attribute
from rate_nb.estimators.effects import claim_words
from rate_nb.audit.audit import Audit
from rate_nb.theory.text_world import planted_grid
from rate_nb.batch.grid import grid_effects, grid_report
from rate_nb.views.report import html_table, page as whole_page, text_cards, to_pdf
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
    audit = Audit(examples, "length", rewriter, world.reward, folder, parameters={h: h for h in HOSTILE})
    return audit.report()


def test_a_report_is_one_well_formed_file_without_network(report):
    text = report.read_text(encoding="utf-8")
    tree = well_formed(text)
    assert (len(text) < 3e6
            and not {"script", "link", "iframe", "img", "object", "embed"} & {e.tag for e in tree})
    assert not [v for e in tree for k, v in e.attrib.items() if str(k).endswith(("src", "href"))
                and not v.startswith("#")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_inert_and_can_be_read_by_all(browser, report, scheme):
    page, seen = opened(browser, report.as_uri(), scheme)
    assert not seen and not serious(page)
    assert page.locator("svg").first.is_visible() and "alert(1)" in page.inner_text("body")
    assert page.locator("img, script").count() == 0
    page.close()


def test_a_report_prints_as_pdf(browser, report, tmp_path):
    made = to_pdf(report, tmp_path / "report.pdf")
    assert made.read_bytes()[:5] == b"%PDF-" and made.stat().st_size > 20_000


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
                and box["y"] < page.locator(".verdict + p").last.bounding_box()["y"]
                and not seen)
        page.close()
    assert said["healthy"].startswith("That RATE is the effect in the rewriter's style is undecided")
    assert "both=True" in said["healthy"]
    whole = unescape((tmp_path / "healthy" / "report.html").read_text())
    assert claim_words(["rate"]) in whole and "bears on" in whole
    assert "</b>, in the rewriter's style (95% interval" in whole
    assert "rewriter's style is refuted by compliance" in said["broken"] and "flip" in said["broken"]
    refused = (tmp_path / "broken" / "report.html").read_text()
    # no effect is stated as a fact
    assert "class=answer" not in refused and "not to be relied on" in refused


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


def test_both_arms_are_among_the_texts():
    world = TextWorld("length")
    examples = world.examples(40, np.random.default_rng(1)).assign(response=lambda d: "שלום " + d.response)
    w = examples.w.to_numpy()
    rewrites = pd.DataFrame([dict(example_id=e, draw=0, depth=d, target_w=int(v if d == 2 else 1 - v),
                                  text="Words.") for e, v in zip(examples.example_id, w) for d in (1, 2)])
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(40)
        scored = pd.DataFrame(dict(example_id=examples.example_id, draw=0, model="m", w=w, reward_original=1.,
                                   reward_rewrite=1., reward_rewrite_of_rewrite=1.)).iloc[order]
        cards = text_cards(examples, rewrites, scored, get_attribute("length"))
        assert (cards.count("Original: longer") == cards.count("Original: shorter") == 2
                and "dir=auto" in cards)


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
    ("Nothing is wider than the screen but what scrolls in its own box; charts stay legible there; a table "
     "of sentences is a list")
    page, seen = opened(browser, report.as_uri(), viewport=dict(width=390, height=800))
    assert not seen and not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("figure svg").first.bounding_box()["width"] >= 500
    assert page.locator("table.long td").first.evaluate("e => getComputedStyle(e).display") == "block"
    page.close()


def test_a_report_without_an_effect_is_a_report(tmp_path):
    def fails(prompt, text, target): raise ValueError("no")
    world = TextWorld("length")
    examples = world.examples(12, np.random.default_rng(3))
    failed = Audit(examples, "length", fails, world.reward, tmp_path / "failed",
                   check=0).report().read_text(encoding="utf-8")
    alone = Audit(examples.assign(prompt_id="p"), "length", world.rewriter, world.reward, tmp_path / "alone",
                  check=0).report().read_text(encoding="utf-8")
    for text in (failed, alone):
        well_formed(text)
    assert ("could be estimated" in failed and "A single prompt gives an estimate" in alone
            and "+nan" not in alone.split("What may be claimed?")[0])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    "The documentation, built from nothing with every warning an error"
    out = tmp_path_factory.mktemp("docs") / "site"
    made = subprocess.run([sys.executable, str(ROOT / "docs" / "build.py"), "--out", str(out)],
                          capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-3000:]
    return out


@pytest.mark.slow("builds the site")
def test_the_site_has_a_page_for_every_notebook_and_no_broken_link(site):
    names = [p.relative_to(ROOT / "nbs").with_suffix("") for p in (ROOT / "nbs").rglob("*.ipynb")
             if not {".ipynb_checkpoints", "audits"} & set(p.parts)]
    assert not [n for n in [*names, "docs/recipes", "CONTRIBUTING"] if not (site / f"{n}.html").exists()]
    broken = set()
    for page in (p for p in site.rglob("*.html") if "_static" not in p.parts):
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
                  check=0)
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
