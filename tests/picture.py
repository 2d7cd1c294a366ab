"The README's picture: the beginning of the demo's report, as a browser shows it. `make picture` takes it."
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORT, PICTURE = ROOT / "audits" / "demo" / "report.html", ROOT / "docs" / "report.png"
WIDTH, HEIGHT, SCALE, MOST = 1010, 1090, .75, 150_000  # pixels of the page, of the picture to each, and bytes


def take(report=REPORT, picture=PICTURE):
    "A PNG of what stands at the top; its size in bytes"
    from browser import CHROMIUM, FLAGS
    from playwright.sync_api import sync_playwright
    flags = ["--no-sandbox", "--disable-lcd-text", *FLAGS]
    if not Path(report).is_file():
        raise SystemExit(f"{report}: no such file; `make demo` writes it")
    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=flags)
        page = chromium.new_page(viewport=dict(width=WIDTH, height=HEIGHT), device_scale_factor=SCALE,
                                 color_scheme="light")
        page.goto(Path(report).resolve().as_uri())
        page.screenshot(path=str(picture))
        chromium.close()
    return Path(picture).stat().st_size


if __name__ == "__main__":
    size = take(*sys.argv[1:])
    print(f"{PICTURE.relative_to(ROOT)}: {size:,} bytes")
    sys.exit(size > MOST and f"it must have at most {MOST:,} bytes: make SCALE or HEIGHT smaller")
