"What leaves the house: reports and the documentation site, read by a real browser, an HTML parser and an accessibility checker."
import functools, http.server, re, subprocess, sys, threading
from urllib.parse import unquote, urldefrag
import numpy as np
import pandas as pd
import pytest
from browser import CHROMIUM, FLAGS, needs_chromium
from conftest import ROOT
from rate_nb.audit import Audit
from rate_nb.reports import to_pdf
from rate_nb.scoring import CallableReward
from rate_nb.worlds import TextWorld

HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", r"$$\href{javascript:alert(3)}{click}$$", "\"'><svg onload=alert(4)>"]


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
    page.on("request", lambda r: seen.append(f"request {r.url}") if not r.url.startswith(("file:", "data:", "http://127.0.0.1")) else None)
    page.goto(url)
    return page, seen


def serious(page):
    "What axe-core finds that keeps somebody from reading the page"
    from axe_playwright_python.sync_playwright import Axe
    return [(v["id"], v["nodes"][0]["html"][:160]) for v in Axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    "A report with hostile texts in every field"
    world, folder = TextWorld("length"), tmp_path_factory.mktemp("audit")
    examples = world.examples(60, np.random.default_rng(3))
    for i, bad in enumerate(HOSTILE):
        examples.loc[i, "response"] = f"{bad} {examples.response[i]}"
        examples.loc[i, "prompt"] = f"{bad} {examples.prompt[i]}"
    examples["example_id"] = [f"{HOSTILE[i % 4]} {i}" for i in range(len(examples))]
    rewriter = lambda prompt, text, target, seed: world.rewriter(prompt, text, target, seed) + " " + HOSTILE[seed % 4]
    audit = Audit(examples, "length", rewriter, world.reward, folder, parameters={h: h for h in HOSTILE})
    return audit.report()


def test_a_report_is_one_well_formed_file_without_network(report):
    import html5lib
    text = report.read_text(encoding="utf-8")
    tree = list(html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text).iter())
    assert len(text) < 3e6 and not {"script", "link", "iframe", "img", "object", "embed"} & {e.tag for e in tree}
    assert not [v for e in tree for k, v in e.attrib.items() if str(k).endswith(("src", "href")) and not v.startswith("#")]


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
    "A rewriter that flips two texts in three: as precise a result as any, and the report opens with its refusal"
    world = TextWorld("length")
    whole, lazy = world.rewriter, lambda prompt, text, target, seed: text if len(text) % 3 == 0 else world.rewriter(prompt, text, target, seed)
    said = {}
    for name, rewriter in dict(healthy=whole, broken=lazy).items():
        audit = Audit(world.examples(200, np.random.default_rng(3)), "length", rewriter, world.reward, tmp_path / name)
        page, seen = opened(browser, audit.report().as_uri(), viewport=dict(width=1280, height=720))
        box, said[name] = page.locator(".verdict").bounding_box(), page.inner_text(".verdict")
        assert box["y"] + box["height"] < 720 and box["y"] < page.locator(".answer").bounding_box()["y"] and not seen
        page.close()
    assert said["healthy"].startswith("This audit can be believed") and "compliance" in said["healthy"]
    assert said["broken"].startswith("This audit cannot be believed") and "flip" in said["broken"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    "The documentation, built from nothing with every warning an error"
    out = tmp_path_factory.mktemp("docs") / "site"
    made = subprocess.run([sys.executable, str(ROOT / "docs" / "build.py"), "--out", str(out)], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-3000:]
    return out


def test_the_site_has_a_page_for_every_notebook_and_no_broken_link(site):
    names = [p.relative_to(ROOT / "nbs").with_suffix("") for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts]
    assert not [n for n in names if not (site / f"{n}.html").exists()] and (site / "api" / "estimators.html").exists()
    broken = set()
    for page in (p for p in site.rglob("*.html") if "_static" not in p.parts):
        for kind, link in re.findall(r"<(?:a|link|script|img)\b[^>]*?\s(href|src)=\"([^\"]+)\"", page.read_text(encoding="utf-8")):
            target, _ = urldefrag(link)
            if re.match(r"[a-z]+:", target): assert kind == "href", f"{page} loads {link}"
            elif target and not (page.parent / unquote(target).split("?")[0]).exists(): broken.add((page.name, link))
    assert not broken


@pytest.fixture(scope="module")
def served(site):
    "The same site from a server on this machine, as a host would show it"
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("name", ["index", "lessons/06_theorem", "api/estimators"])
def test_the_site_can_be_read_by_all(browser, served, name):
    page, seen = opened(browser, f"{served}/{name}.html")
    assert not seen and not serious(page)
    page.close()


def test_the_site_searches_offline(browser, site):
    page, seen = opened(browser, (site / "search.html").as_uri() + "?q=rewrite")
    page.locator("#search-results li").nth(5).wait_for(timeout=20_000)
    assert not [s for s in seen if s.startswith(("request", "dialog"))]        # from a file a browser refuses the excerpts, and says so; the hits are there
    page.close()


def test_hostile_results_are_inert_on_the_site(browser, tmp_path):
    "Results whose names and texts are hostile, as the notebook format keeps them, through the site's own configuration"
    import nbformat as nbf
    world = TextWorld("length")
    audit = Audit(world.examples(40, np.random.default_rng(3)), "length", world.rewriter, CallableReward(" ".join(HOSTILE), lambda p, r: [float(len(t)) for t in r]), tmp_path / "a", check=0)
    shown = [audit.effects(), audit.diagnose(), audit.plan(), pd.DataFrame(dict(text=HOSTILE))]
    outputs = []
    for value in shown:
        data = {k: v for k, v in {"text/plain": repr(value), "text/markdown": getattr(value, "_repr_markdown_", lambda: None)(), "text/html": getattr(value, "_repr_html_", lambda: None)()}.items() if v}
        outputs.append(nbf.v4.new_code_cell("result", outputs=[nbf.v4.new_output("execute_result", data, execution_count=1)], execution_count=1))
    source = tmp_path / "source"; source.mkdir()
    nbf.write(nbf.v4.new_notebook(cells=[nbf.v4.new_markdown_cell("# Hostile"), *outputs]), source / "index.ipynb")
    made = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", "-c", str(ROOT / "docs"), str(source), str(tmp_path / "out")], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-2000:]
    page, seen = opened(browser, (tmp_path / "out" / "index.html").as_uri())
    assert not seen and page.locator("main img, main script, main a[href^='javascript']").count() == 0
    assert "alert(1)" in page.inner_text("main")
    page.close()
