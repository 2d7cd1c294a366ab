"The slides of `make slides`: no network, no error, formulas that show, links to one another."
import sys
import pytest
from conftest import ROOT
from browser import chromium, needs_chromium

LESSONS = [ROOT/"nbs"/"lessons"/f"{name}.ipynb" for name in ("02_why_naive_fails", "06_theorem")]


@pytest.fixture(scope="module")
def slides(tmp_path_factory):
    pytest.importorskip("sphinx_revealjs", reason="needs the extra `docs`")
    sys.path.insert(0, str(ROOT/"docs"))
    from slides import make
    return make(LESSONS, tmp_path_factory.mktemp("slides"))


def test_formulas_are_marked_up_and_code_is_not():
    sys.path.insert(0, str(ROOT/"docs"))
    pytest.importorskip("latex2mathml", reason="needs the extra `docs`")
    import slides
    kept = []
    assert slides.without_formulas("the $n$ of `$x`, $$a^2$$ and 5 $", kept) == (
        "the FORMULA0HERE of `$x`, FORMULA1HERE and 5 $")
    assert len(kept) == 2 and all("<math" in k for k in kept)


@pytest.mark.slow("opens a browser")
def test_slides_show_without_a_network(slides):
    needs_chromium()
    for lesson in LESSONS:
        with chromium() as browser:
            page, wrong = browser.new_page(viewport=dict(width=1280, height=800)), []
            page.on("pageerror", lambda e: wrong.append(str(e)))
            page.on("request",
                    lambda r: r.url.startswith(("file:", "data:")) or wrong.append(r.url))
            page.goto((slides/f"{lesson.stem}.html").as_uri())
            page.wait_for_selector(".reveal.ready")
            total, seen = page.evaluate("Reveal.getTotalSlides()"), 0
            while not page.evaluate("Reveal.isLastSlide()"):
                page.keyboard.press("Space")
                seen += 1
                assert page.locator("section.present:not(.stack)").inner_text().strip()
            assert seen >= total - 1 > 5 and not wrong
            assert page.locator("math").count() > 2 and "FORMULA" not in page.content()
            assert lesson.stem[:2] != "02" or page.locator("a[href='03_backdoor.html']").count() == 1
