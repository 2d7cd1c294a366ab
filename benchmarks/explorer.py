"""The explorer: how fast a page of 2,000 responses of five models opens, scrolls, searches and marks changes.

    python benchmarks/explorer.py             # in Chromium; exits with 1 if a target is missed
    python benchmarks/explorer.py --large     # and what a page of 50,000 and of 200,000 responses weighs

Texts are random words (200 each, three versions), rewards random numbers. Times in the browser are medians of
several rounds on the page as a report holds it. A step is one press of j: the next response is shown with its
changed words marked. A frame is one of 120 while the list scrolls from its start to its end.
"""
import argparse, statistics, sys, tempfile, time
from pathlib import Path
import numpy as np
import pandas as pd
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser import CHROMIUM, FLAGS
from rate_nb.data.attributes import Attribute
from rate_nb.views.explorer import explorer_data, explorer_html
from rate_nb.views.report import page

ODD = Attribute("oddness", "odd", "even", "Make it {W}.")
TARGETS = dict(open=1500, step=50, worst_step=150, search=300, sort=150, frame=34) # milliseconds


def tables(n, models=5, words=200, seed=0):
    "An audit's tables, every text its own"
    rng = np.random.default_rng(seed)
    vocabulary = np.array([f"word{i}" for i in range(300)])
    def texts(): return [" ".join(row) for row in rng.choice(vocabulary, (n, words))]
    ids, w = np.array([f"r{i}" for i in range(n)]), np.arange(n) % 2
    own = texts()
    examples = pd.DataFrame(dict(example_id=ids, prompt_id=ids, prompt="What do you think?", response=own,
                                 w=w))
    def rewritten(before): # a third of the words are others
        new, changed = texts(), rng.random((n, words)) < .3
        return [" ".join(np.where(c, b.split(), a.split())) for a, b, c in zip(before, new, changed)]
    one = rewritten(own)
    made = {1: one, 2: rewritten(one)}
    rewrites = pd.concat([pd.DataFrame(dict(
        example_id=ids, draw=0, depth=k, target_w=w if k == 2 else 1 - w, instruction_id="i", text=made[k],
        status="ok")) for k in made], ignore_index=True)
    rewards = ("reward_original", "reward_rewrite", "reward_rewrite_of_rewrite")
    scored = pd.concat([pd.DataFrame(dict(
        example_id=ids, prompt_id=ids, draw=0, model=f"model {m}", w=w,
        **{c: rng.normal(size=n) for c in rewards}))
        for m in range(models)], ignore_index=True)
    return examples, rewrites, scored


def built(n, **options):
    "A page of n responses: seconds to make its data, and its HTML"
    parts = tables(n, **options)
    start = time.perf_counter()
    data = explorer_data(*parts, ODD)
    made = time.perf_counter() - start
    return made, page("A page", [("The texts", explorer_html(data))]), data


STEP = """() => { const t = performance.now();
  document.querySelector('.rx-list').dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  document.querySelector('.rx-detail').getBoundingClientRect(); return performance.now() - t }"""
SORT = """v => { const e = document.querySelector('select[aria-label="Sort by"]'), t = performance.now();
  e.value = v; e.dispatchEvent(new Event('change')); document.body.getBoundingClientRect();
  return performance.now() - t }"""
SEARCH = """words => new Promise(done => { const e = document.querySelector('input[type=search]');
  const said = () => document.querySelector('#texts p[role=status]').textContent, before = said();
  const t = performance.now(); e.value = words; e.dispatchEvent(new Event('input'));
  const look = () => said() !== before ? done(performance.now() - t) : requestAnimationFrame(look);
  look() })"""
SCROLL = """() => new Promise(done => { const e = document.querySelector('.rx-list'), times = [];
  let k = 0, last = performance.now();
  const go = now => { times.push(now - last); last = now; e.scrollTop = e.scrollHeight * ++k / 120;
    k < 120 ? requestAnimationFrame(go) : done(times.slice(2)) }; requestAnimationFrame(go) })"""


def measured(path, rounds=3):
    "Milliseconds of each thing a reader does"
    from playwright.sync_api import sync_playwright
    found = {k: [] for k in TARGETS}
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(rounds):
            tab = browser.new_page(viewport=dict(width=1280, height=1200))
            tab.goto(path.as_uri())
            tab.wait_for_selector(".rx-row")
            found["open"].append(tab.evaluate("performance.now()"))
            steps = [tab.evaluate(STEP) for _ in range(30)]
            found["step"].append(statistics.median(steps))
            found["worst_step"].append(max(steps))
            found["sort"] += [tab.evaluate(SORT, v) for v in ("low", "spread", "off", "size")]
            found["frame"].append(float(np.quantile(tab.evaluate(SCROLL), .9)))
            found["search"] += [tab.evaluate(SEARCH, words) for words in ("word17 word2", "word299", "r19")]
            tab.close()
        browser.close()
    return {k: statistics.median(v) for k, v in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true", help="also 50,000 and 200,000 responses of one model")
    args = parser.parse_args()
    seconds, html, _ = built(2000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(html, encoding="utf-8")
        found = measured(path)
    print(f"2,000 responses of five models: data in {seconds:.1f} s, page of {len(html.encode())/1e6:.1f} MB")
    for k, ms in found.items():
        print(f"| {k.replace('_', ' ')} | {ms:.0f} ms | {TARGETS[k]} ms |")
    for n in (50_000, 200_000) if args.large else ():
        seconds, html, data = built(n, models=1, words=60)
        print(f"{n:,} responses: data in {seconds:.1f} s, page of {len(html.encode())/1e6:.1f} MB, "
              f"{len(data['responses']):,} with texts")
        assert len(html.encode()) < 30e6
    missed = {k: v for k, v in found.items() if v > TARGETS[k]}
    return print("missed:", missed) or 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
