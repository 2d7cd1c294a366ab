"The explorer: its data, its front end in a real browser, and what people say of responses."
import json, os, re
from pathlib import Path
import numpy as np
import pandas as pd
from markupsafe import Markup
import pytest
from browser import CHROMIUM, FLAGS, Window, jupyter_lab, needs_chromium, write_notebook
from conftest import ROOT
from test_pages import ACTING, HOSTILE, opened, serious, well_formed
from rate_nb.audit import Audit, Design
from rate_nb.audit.exclusions import explorer_data as shown_of, response_notes
from rate_nb.base.core import InputError, SchemaError
from rate_nb.base.files import read_table
from rate_nb.data.attributes import Attribute
from rate_nb.scoring.judges import CallableJudge
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.theory.text_world import TextWorld
from rate_nb.views.explorer import embedded_json, explorer_data, explorer_html, word_diff
from rate_nb.views.report import page as whole_page

SCREENS = Path(os.environ.get("RATE_NB_SCREENS") or ROOT / "build" / "screens")
WORLD = TextWorld("length")
COLOUR = "\x1b[31m![x](http://evil.test/x.png) http://evil.test \u2066\u2028 =1+1"


def tables(n, models=1, draws=1, seed=0, words=40):
    "An audit's tables by plain pandas: texts of random words, rewards that are random numbers"
    rng = np.random.default_rng(seed)
    vocabulary = np.array("the a film was good bad very long and odd".split())
    text = lambda: [" ".join(row) for row in rng.choice(vocabulary, (n, words))]
    ids, w = np.array([f"r{i}" for i in range(n)]), np.arange(n) % 2
    examples = pd.DataFrame(dict(example_id=ids, prompt_id=ids, prompt="What?", response=text(), w=w))
    rewrites = pd.concat([pd.DataFrame(dict(
        example_id=ids, draw=d, depth=k, target_w=w if k == 2 else 1 - w, instruction_id="i", text=text(),
        status="ok")) for d in range(draws) for k in (1, 2)], ignore_index=True)
    scored = pd.concat([pd.DataFrame(dict(
        example_id=ids, prompt_id=ids, draw=d, model=f"model {m}", w=w, reward_original=rng.normal(size=n),
        reward_rewrite=rng.normal(size=n), reward_rewrite_of_rewrite=rng.normal(size=n)))
        for m in range(models) for d in range(draws)], ignore_index=True)
    return examples, rewrites, scored


PLAIN = Attribute("oddness", "odd", "even", "Make it {W}.")


def small(n, folder):
    examples = WORLD.examples(n, np.random.default_rng(0))
    return Audit(examples, "length", WORLD.rewriter, WORLD.reward, folder, design=Design(check=0))


def explored(audit): return shown_of(audit.inputs, audit.accounts.replies, audit.tables)
def noted(audit): return response_notes(audit.inputs, audit.accounts.replies, audit.rewrite())


def on_disk(folder, data, name="page.html"):
    path = folder / name
    path.write_text(whole_page("A page", [("The texts", explorer_html(data))]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser():
    needs_chromium()
    from playwright.sync_api import sync_playwright
    SCREENS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as p:
        b = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield b
        b.close()


# ── data ──────────────────────────────────────────────────────────────────────────────────────────────────

def test_effects_statuses_and_orders_are_those_of_the_tables():
    examples, rewrites, scored = tables(40, models=2, draws=2)
    rewrites.loc[(rewrites.example_id == "r3") & (rewrites.draw == 1), ["status", "text"]] = ["refused", None]
    lost = (scored.example_id == "r3") & (scored.draw == 1)
    scored.loc[lost, ["reward_rewrite", "reward_rewrite_of_rewrite"]] = np.nan
    examples.loc[4, "w"], scored.loc[scored.example_id == "r4", "w"] = np.nan, np.nan
    scored.loc[scored.example_id == "r5", "reward_rewrite"] = np.nan
    data = explorer_data(examples, rewrites, scored, PLAIN)
    by = {r["id"]: r for r in data["responses"]}
    rows = scored[(scored.example_id == "r1") & (scored.model == "model 1")]
    mean = (rows.reward_rewrite_of_rewrite - rows.reward_rewrite).mean()
    assert abs(by["r1"]["effect"][1] - mean) < 1e-4 and by["r1"]["status"] == "ok"
    assert by["r3"]["status"] == "refused" and by["r3"]["effect"][0] is not None # the other draw counts
    assert by["r4"]["status"] == "unlabelled" and by["r4"]["effect"] == [None, None]
    assert by["r5"]["status"] == "no reward" and by["r5"]["spread"] is None and by["r1"]["spread"] > 0
    assert json.loads(embedded_json(data)) == json.loads(json.dumps(data))


@pytest.mark.parametrize("spoilt", ["all failed", "no reward", "no label", "one row"])
def test_a_page_of_nothing_is_a_page(spoilt):
    examples, rewrites, scored = tables(1 if spoilt == "one row" else 6)
    if spoilt == "all failed":
        rewrites = rewrites.assign(status="failed", text=None)
        scored = scored.assign(reward_rewrite=np.nan, reward_rewrite_of_rewrite=np.nan)
    if spoilt == "no reward":
        scored = scored.assign(**{c: np.nan for c in scored if c.startswith("reward_")})
    if spoilt == "no label":
        examples["w"], scored["w"] = np.nan, np.nan
    data = explorer_data(examples, rewrites, scored, PLAIN)
    assert len(data["responses"]) == len(examples)
    well_formed(whole_page("A page", [("The texts", explorer_html(data))]))
    with pytest.raises(SchemaError, match="no rows"):
        explorer_data(examples, rewrites[:0], scored, PLAIN)


def test_measures_of_the_audit_are_taken_where_they_are_given():
    from rate_nb.diagnostics.off_target import measure_texts
    examples, rewrites, scored = tables(30)
    known = measure_texts(examples, rewrites, ["words", "exclamations", "characters"], [])
    known.loc[(known.model == "characters") & (known.example_id == "r7"), "reward_rewrite"] += 1000
    data = explorer_data(examples, rewrites, scored, PLAIN, measures=known)
    assert data["measures"] == ["characters"] # the other two are the same in every text
    assert max(data["responses"], key=lambda r: r["off"])["id"] == "r7"
    own = explorer_data(examples, rewrites, scored, PLAIN, measures=known, itself=("characters",))
    assert all(r["off"] is None for r in own["responses"])


def test_flags_by_hand_are_told_with_and_without(tmp_path):
    audit = small(30, tmp_path)
    before, ids = audit.effects().get("rate").estimate, audit.examples.example_id
    for e in ids[:2]:
        audit.flag(e, "=cmd|' /C calc'!A0 <b>")
    with pytest.raises(InputError, match="`example_id` 'nobody'"):
        audit.flag("nobody")
    after = audit.effects()
    found = audit.tables.exclusions.set_index("estimand").loc["ATE"]
    assert found.n_excluded == 2 and abs(found.with_estimate - before) < 1e-9 and found.estimate != before
    assert any("person" in note for note in after.notes)
    kept = pd.read_csv(tmp_path / "exclusions.csv").set_index("estimand")
    assert abs(kept.with_estimate["ATE"] - before) < 1e-6
    text = explorer_html(explored(audit))
    assert "Excluded by a person: 2 responses" in text and "<b>" not in re.findall(r"cmd.{30}", text)[0]
    reopened = small(30, tmp_path)
    assert reopened.effects().get("rate").estimate == audit.effects().get("rate").estimate
    assert reopened.flag(ids[0], "", flagged=False).startswith("Kept. Excluded by a person: 1.")


def test_a_flag_set_elsewhere_reaches_an_audit_that_is_open(tmp_path):
    "By another audit of the folder, and in the prompt lab: rewrites in memory are looked at again"
    first, second = small(30, tmp_path), small(30, tmp_path)
    before, ids = first.effects().get("rate").estimate, first.examples.example_id
    first.diagnose()
    second.flag(ids[0], "odd")
    now, data = first.effects().get("rate").estimate, explored(first)
    assert first.tables.exclusions.n_excluded.tolist() == [1]*3
    assert [r["id"] for r in data["responses"] if r["flagged"]] == [ids[0]]
    assert now == second.effects().get("rate").estimate != before
    assert abs(data["models"][0]["estimate"]["estimate"] - now) < 1e-6
    assert "rewrites flagged" in first.report().read_text(encoding="utf-8")
    second.flag(ids[0], flagged=False)
    assert first.effects().get("rate").estimate == before
    lab = first.lab("instruction")
    lab.go.click()
    lab.wait()
    lab.reason.value = "lost the meaning"
    lab.flag_shown()
    shown = lab.trial.examples.example_id.iloc[0]
    assert first.effects().get("rate").estimate != before
    assert first.tables.exclusions.n_excluded.tolist() == [1]*3
    assert first.rewrite().query("status == 'flagged'").example_id.unique().tolist() == [shown]


def test_everything_excluded_is_still_a_result(tmp_path):
    audit = small(8, tmp_path)
    for e in audit.examples.example_id:
        audit.flag(e)
    audit.effects()
    found = audit.tables.exclusions
    assert found.estimate.isna().all() and found.with_estimate.notna().all()
    assert "Excluded by a person: 8 responses" in explorer_html(explored(audit))


def test_explore_refuses_what_it_cannot_show(tmp_path):
    audit = small(8, tmp_path)
    with pytest.raises(InputError, match="`others`"):
        audit.explore("another")
    with pytest.raises(InputError, match="`max_responses`"):
        audit.explore(max_responses=0)


def test_the_widget_says_what_was_not_kept(tmp_path, monkeypatch):
    pytest.importorskip("anywidget", reason="needs the extra `lab`")
    audit = small(8, tmp_path)
    shown, sent = audit.explore(), []
    keep = lambda self, message, buffers=None: sent.append((message, buffers))
    monkeypatch.setattr(type(shown), "send", keep)
    say = lambda **message: shown._handle_custom_msg(message, [])
    say(kind="ready")
    assert json.loads(sent[0][1][0])["responses"][0]["id"] == audit.examples.example_id[0]
    say(kind="mark", audit=0, id="nobody\x1b", flagged=True, note="")
    say(kind="mark", audit=0, id=audit.examples.example_id[0], flagged=True, note="why")
    (_, _), (bad, _), (good, _) = sent
    assert bad["kind"] == "failed" and "Not kept" in bad["said"] and "\x1b" not in bad["said"]
    assert good["kind"] == "marked" and noted(audit).note.tolist() == ["why"]


# ── in a browser ──────────────────────────────────────────────────────────────────────────────────────────

@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    "The report of an audit of a reward and a judge, with hostile words in every field"
    folder = tmp_path_factory.mktemp("hostile")
    examples = WORLD.examples(60, np.random.default_rng(3))
    bad = lambda i: f"{HOSTILE[i % 4]} {ACTING} {COLOUR}"
    for c in ("response", "prompt"):
        examples[c] = [f"{bad(i)} {t}" for i, t in enumerate(examples[c])]
    examples["example_id"] = [f"{bad(i)} {i}" for i in range(60)]
    examples[HOSTILE[0]] = [HOSTILE[i % 2] for i in range(60)]
    examples["w_source"] = HOSTILE[1]
    sided = Attribute(HOSTILE[0], HOSTILE[1], HOSTILE[2], "Make it {W}.")
    rewriter = lambda prompt, text, target, seed: f"{WORLD.rewriter(prompt, text, target, seed)} {bad(seed)}"
    longer = lambda p, a, b: [float(np.sign(len(x) - len(y))) for x, y in zip(a, b)]
    judge = CallableJudge(HOSTILE[3], longer)
    models = [CallableReward(HOSTILE[2] + ACTING, lambda p, r: [len(t)/100 for t in r]), judge]
    audit = Audit(examples, sided, rewriter, models, folder, design=Design(check=0), both=True, depth=3)
    audit.flag(audit.examples.example_id[0], HOSTILE[1] + COLOUR)
    return audit.report(), audit


@pytest.mark.slow("axe reads a long page four times; test_pages reads a shorter one in every run")
@pytest.mark.parametrize("scheme, width", [("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400)])
def test_hostile_texts_are_inert_and_all_can_read_them(browser, hostile, scheme, width):
    page, seen = opened(browser, hostile[0].as_uri(), scheme, viewport=dict(width=width, height=1000))
    page.wait_for_selector(".rx-row")
    page.locator("#texts details summary").first.click()
    for k in range(4):
        page.locator(".rx-row").nth(k).click()
        page.wait_for_timeout(20)
    assert not seen and not serious(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#texts :is(img, script, iframe, [onerror], [onload])").count() == 0
    assert page.locator("#texts a:not([href^='#response-'])").count() == 0
    words = page.inner_text("#texts")
    assert "<img src=x onerror=alert(1)>" in words and "⟨U+202E⟩" in words and "␛[31m" in words
    assert not set("\x00\x1b\u202e\u2066\u2028") & set(page.inner_text("#texts"))
    page.locator("#texts").screenshot(path=SCREENS / f"explorer-hostile-{scheme}-{width}.png")
    page.close()


@pytest.mark.slow("shares the page of the test above")
def test_a_report_without_scripts_shows_some_texts(browser, hostile):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(hostile[0].as_uri())
    assert page.locator("#texts .texts :is(del, ins)").count() and not page.locator("#texts img").count()
    context.close()


def test_the_ten_largest_effects_by_keyboard_alone(browser, tmp_path):
    "They are listed when the page is open, the first one's changes are marked, and j walks through them"
    examples, rewrites, scored = tables(300, models=2)
    data = explorer_data(examples, rewrites, scored, PLAIN)
    page, seen = opened(browser, on_disk(tmp_path, data).as_uri(), viewport=dict(width=1280, height=1400))
    page.wait_for_selector(".rx-row")
    largest = sorted(data["responses"], key=lambda r: -abs(r["effect"][0]))[:10]
    shown = lambda: page.inner_text(".rx-detail h3")
    for k, r in enumerate(largest):
        assert shown() == r["id"] and page.locator(".rx-body ins").count() > 0
        assert page.locator(".rx-row[aria-selected=true]").count() == 1
        box = page.locator(".rx-row[aria-selected=true]").bounding_box()
        assert 0 < box["y"] < 1400, k
        page.keyboard.press("j")
    page.keyboard.press("k")
    page.wait_for_function("id => location.hash === '#response-' + id", arg=largest[-1]["id"])
    page.keyboard.press("/") # search, and back to the list
    page.keyboard.type("r17 ")
    page.keyboard.press("Backspace")
    page.wait_for_function("document.querySelector('.rx-row') && /^11 of/.test("
                           "document.querySelector('#texts [role=status]').innerText)")
    page.keyboard.press("Escape")
    for key in ("End", "Home", "ArrowDown", "PageDown", "ArrowUp"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.className") == "rx-list" and not seen
    assert page.locator(".rx-list").get_attribute("aria-activedescendant")
    reached = set()
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.className"))
    assert {"SELECT ", "INPUT ", "A "} <= reached | {"SELECT ", "INPUT "} and "DIV rx-body" in reached
    page.close()


@pytest.mark.slow("many steps in a browser")
def test_sorting_filters_brush_and_links(browser, tmp_path):
    examples, rewrites, scored = tables(200, models=3)
    examples["topic"] = np.where(np.arange(200) % 4 == 0, "films", "books")
    rewrites.loc[rewrites.example_id.isin(["r0", "r1"]) & (rewrites.depth == 1), "status"] = "unchanged"
    data = explorer_data(examples, rewrites, scored, PLAIN, flags={"r2": dict(flagged=True, note="odd one")})
    url = on_disk(tmp_path, data).as_uri()
    page, seen = opened(browser, url + "#response-r77", viewport=dict(width=1000, height=1200))
    page.wait_for_selector(".rx-row")
    title, said = lambda: page.inner_text(".rx-detail h3"), lambda: page.inner_text("#texts p[role=status]")
    assert title() == "r77" and "excluded by a person: 1" in said()
    choose = lambda label, value: page.get_by_label(label, exact=True).select_option(value)
    for name, key in (("high", lambda r: -r["effect"][0]), ("low", lambda r: r["effect"][0]),
                      ("spread", lambda r: -r["spread"]), ("off", lambda r: -r["off"])):
        choose("Sort by", name)
        best = min(data["responses"], key=key)
        assert key(next(r for r in data["responses"] if r["id"] == title())) == key(best), name
    for label, value, n in (("Status", "unchanged", 2), ("Arm", "odd", 100), ("Group", "topic: films", 50),
                            ("Person", "with a note", 1)):
        choose(label, value)
        assert said().startswith(f"{n} of 200"), (label, said())
        choose(label, "")
    # two models side by side
    choose("Beside", "1")
    choose("Sort by", "apart")
    assert page.locator(".rx-histogram").count() == 2
    far = max(data["responses"], key=lambda r: abs(r["effect"][0]/data["models"][0]["unit"]
                                                   - r["effect"][1]/data["models"][1]["unit"]))
    assert title() == far["id"]
    box = page.locator(".rx-histogram").first.bounding_box() # brush the right half
    page.mouse.move(box["x"] + .6*box["width"], box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 50, steps=4)
    page.mouse.up()
    some = int(said().split(" of ")[0])
    m = data["models"][0]["histogram"]
    across = (.6*box["width"] - 12)/(box["width"] - 24)
    least = m["low"] + across*(m["high"] - m["low"])
    assert abs(some - sum(r["effect"][0] >= least for r in data["responses"])) <= 3 and 0 < some < 120
    page.get_by_label("effect from").fill("99")
    page.keyboard.press("Tab")
    assert "No response fits" in page.inner_text("#texts") and not serious(page)
    page.goto(url + "#response-nobody")
    page.reload()
    page.wait_for_selector(".rx-row")
    assert "not among the texts" in said() and not seen
    page.close()


def test_the_listed_responses_are_saved_as_a_table(browser, tmp_path):
    examples, rewrites, scored = tables(50, models=2)
    examples["status"] = np.where(np.arange(50) % 5 == 0, "a, \"b\"", "c") # a name that the file has, too
    examples.loc[examples.example_id == "r0", "response"] = '=HYPERLINK("x")\r\n-two, "lines"\n'
    data = explorer_data(examples, rewrites, scored, PLAIN, flags={"r5": dict(flagged=True, note="+1")})
    page, seen = opened(browser, on_disk(tmp_path, data).as_uri(), viewport=dict(width=1000, height=1200))
    page.wait_for_selector(".rx-row")
    page.get_by_label("Group", exact=True).select_option('status: a, "b"')
    with page.expect_download() as begun:
        page.get_by_role("button", name="Save 10 as CSV").click()
    path = tmp_path / begun.value.suggested_filename
    begun.value.save_as(path)
    saved, raw = read_table(path), path.read_bytes().decode("utf-8-sig")
    assert path.suffix == ".csv" and saved.example_id.nunique() == 10 and len(saved) == 30
    assert ',"=' not in raw and ',"+' not in raw # what a spreadsheet would run
    texts = saved.set_index(["example_id", "depth"]).text
    shown = {(r["id"], t["depth"]): t["text"] for r in data["responses"] for t in r["texts"]}
    assert all(text == shown[key] for key, text in texts.items()) and set(saved["group status"]) == {'a, "b"'}
    assert texts["r0", 0].startswith('=HYPERLINK("x")\n-two') # `visible` made one line end of the two
    assert saved.note[saved.example_id == "r5"].eq("+1").all()
    model = data["models"][1]["name"]
    known = scored[scored.model == model].set_index("example_id")
    for depth, column in enumerate(("reward_original", "reward_rewrite", "reward_rewrite_of_rewrite")):
        kept = saved[saved.depth == depth].set_index("example_id")[f"reward {model}"]
        assert len(kept) == 10 and np.allclose(kept, known.loc[kept.index, column], rtol=1e-4)
    assert not seen
    page.get_by_label("Search", exact=True).fill("no such words")
    page.wait_for_selector("text=No response fits")
    assert not page.get_by_role("button", name="as CSV").is_visible()
    page.get_by_label("Search", exact=True).fill("")
    page.wait_for_selector(".rx-detail")
    page.screenshot(path=str(SCREENS / "explorer_saved.png"))
    page.close()


def test_marked_changes_lose_no_word(browser, tmp_path):
    "Without the removed words the new text is left, without the added ones the old; as the Python marks"
    page, _ = opened(browser, on_disk(tmp_path, explorer_data(*tables(4), PLAIN)).as_uri())
    script = (ROOT / "rate_nb" / "views" / "explorer.js").read_text(encoding="utf-8")
    diff = page.evaluate_handle(
        "src => import(URL.createObjectURL(new Blob([src], {type: 'text/javascript'})))", script)
    rng = np.random.default_rng(0)
    words = ["good", "it's", "the", ",", "—", "日本", "film", "\n", "🎬", "שלום"]
    pairs = [[" ".join(rng.choice(words, rng.integers(0, 14))) for _ in range(2)] for _ in range(150)]
    pairs += [["", "x"], ["x", ""], ["same", "same"], ["日本語です", "日本人です"],
              ["a " * 3000, "b " * 3000]]
    squeeze = lambda t: "".join(t.split())
    for (a, b), runs in zip(pairs, page.evaluate("([m, pairs]) => pairs.map(p => m.wordDiff(...p))",
                                                 [diff, pairs])):
        assert "".join(w for how, w in runs if how != "gone") == b
        assert squeeze("".join(w for how, w in runs if how != "new")) == squeeze(a)
        if "日" not in a + b:
            same = lambda runs: sum(len(squeeze(w)) for how, w in runs if how == "same")
            assert same(runs) >= .5*same(word_diff(a, b)) - 8 # it finds about as much that stayed
    page.close()


@pytest.mark.slow("axe")
def test_two_audits_stand_side_by_side(browser, tmp_path):
    one, two = (explorer_data(*tables(30, seed=s), PLAIN, name=f"audit {s}") for s in (0, 1))
    two["responses"] = two["responses"][:20]
    path = tmp_path / "two.html"
    path.write_text(explorer_page(dict(audits=[one, two])), encoding="utf-8")
    page, seen = opened(browser, path.as_uri())
    page.wait_for_selector(".rx-row")
    page.get_by_label("Beside", exact=True).select_option("1")
    page.get_by_label("Sort by", exact=True).select_option("order")
    assert page.locator(".rx-detail").count() == 2
    assert page.locator(".rx-audit").all_inner_texts() == ["audit 0", "audit 1"]
    said = page.locator(".rx-histogram").all_text_contents() # each distribution says whose it is
    assert "audit 0: model 0" in said[0] and "audit 1: model 0" in said[1]
    page.locator(".rx-list").focus()
    page.keyboard.press("End")
    assert "not in audit 1" in page.inner_text(".rx-pane") and not seen and not serious(page)
    page.close()


@pytest.mark.slow("a browser")
def test_long_words_and_short_lists_fit(browser, tmp_path):
    "Words of an attribute without a space pushed the page aside; a list of two had the room of ten"
    long = Attribute("oddness", "o" * 90, "e" * 90, "Make it {W}.")
    path = tmp_path / "long.html"
    both = dict(audits=[explorer_data(*tables(30, draws=2), long)])
    path.write_text(explorer_page(both), encoding="utf-8")
    for width in (1280, 400):
        page, seen = opened(browser, path.as_uri(), viewport=dict(width=width, height=900))
        page.wait_for_selector(".rx-row")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        full = page.locator(".rx-list").bounding_box()["height"]
        page.keyboard.press("/")
        page.keyboard.type("r29")
        page.wait_for_function("document.querySelectorAll('.rx-row').length === 1")
        assert full > 300 and page.locator(".rx-list").bounding_box()["height"] < 60 and not seen
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.wait_for_function("document.querySelectorAll('.rx-row').length > 9")
        page.close()


def explorer_page(data):
    "Several audits on one page, which a report does not have"
    whole = explorer_html(data["audits"][0])
    both = lambda m: m[1] + embedded_json(data) + "</script>"
    whole = re.sub(r'(<script type="application/json"[^>]*>).*?</script>', both, whole, flags=re.S)
    return whole_page("Two", [("The texts", Markup(whole))])


@pytest.mark.slow("starts JupyterLab")
def test_in_jupyterlab_a_flag_is_kept_and_honoured(browser, tmp_path):
    folder, work = tmp_path / "jupyter", tmp_path / "work"
    folder.mkdir()
    work.mkdir()
    write_notebook(work / "explore.ipynb", """import numpy as np
from rate_nb.audit import Audit, Design
from rate_nb.audit.exclusions import response_notes
from rate_nb.theory.text_world import TextWorld
world = TextWorld("length")
examples = world.examples(60, np.random.default_rng(0))
audit = Audit(examples, "length", world.rewriter, world.reward, "run", design=Design(check=0))
said = lambda: response_notes(audit.inputs, audit.accounts.replies, audit.rewrite()).to_dict("records")
shown = audit.explore(); shown""", "print('flags', said(), shown.selected)",
                   "audit.effects()", "audit.report()")
    with jupyter_lab(folder, work) as (address, token):
        window = Window(browser, address, token)
        page = window.page
        window.open("explore.ipynb").run_all()
        page.wait_for_selector(".rx-row")
        cells = page.locator(".jp-Notebook .jp-Cell").count()
        page.locator(".rx-list").focus()
        for key in ("j", "j", "k", "d", "d", "a"): # in JupyterLab: cells chosen, deleted, inserted
            page.keyboard.press(key)
        assert page.locator(".jp-Notebook .jp-Cell").count() == cells
        page.get_by_label("note", exact=True).fill("not a rewrite")
        page.get_by_role("button", name="Exclude this response").click()
        says = "([where, words]) => document.querySelector(where).innerText.includes(words)"
        page.wait_for_function(says, arg=[".rate-explorer", "Kept. Excluded by"])
        for theme in ("Light", "Dark"):
            window.theme(f"JupyterLab {theme}")
            page.wait_for_timeout(300)
            page.locator(".rate-explorer").first.evaluate("e => e.scrollIntoView()")
            page.screenshot(path=SCREENS / f"explorer-lab-{theme.lower()}.png")
        window.run_all()
        for words in ("not a rewrite", "Excluded by a person"):
            page.wait_for_function(says, arg=[".jp-Notebook", words])
        page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
        page.locator(".jp-OutputArea-output a[title$='report.html']").click()
        opened = page.frame_locator("iframe").locator("h1")          # in a tab of JupyterLab
        assert opened.inner_text().startswith("Does ")
        # until the reader trusts the page, JupyterLab runs none of its scripts
        window.errors[:] = [e for e in window.errors if "Blocked script execution" not in e]
        saved = (work / "explore.ipynb").read_text(encoding="utf-8")
        assert len(saved) < 200_000 and not window.errors and not window.away, (window.errors, window.away)
        window.close()
