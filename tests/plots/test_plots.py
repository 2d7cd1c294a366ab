"Charts: their words follow from their numbers, and they show offline."
import json, re
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError, SchemaError
from rate_nb.batch.grid import grid_effects
from rate_nb.plots.charts import _drawn, enable_charts, save_chart, to_png, to_svg
from rate_nb.plots.effects import plot_effects, plot_panel, plot_rewards
from rate_nb.theory.text_world import planted_grid


def table(rows, model="m"):
    t = pd.DataFrame(rows, columns=["estimator", "estimand", "estimate", "ci_low", "ci_high"])
    return t.assign(model=model, smd=t.estimate / 2, smd_low=t.ci_low / 2, smd_high=t.ci_high / 2)


ROWS = [("naive", "ATE", 2., 1.8, 2.2), ("single", "ATE", .5, .4, .6), ("rate", "ATE", 1., .9, 1.1),
        ("single", "ATT", .2, .1, .3), ("rate", "ATT", 1.1, .9, 1.3)]
said = lambda chart: chart.to_dict()["title"]["text"]


@pytest.mark.parametrize("truth, title", [
    (dict(ATE=1., ATT=1.), "RATE covers the truth; the naive comparison and one rewrite miss it"),
    (dict(ATE=2., ATT=.2), "The naive comparison covers the truth; one rewrite does so only for ATT; RATE "
                           "misses it"),
    (dict(ATE=1.), "RATE covers the truth; the naive comparison and one rewrite miss it"),
    (dict(ATE=7., ATT=7.), "No estimator covers the truth throughout")])
def test_title_follows_from_the_numbers(truth, title):
    assert said(plot_effects(table(ROWS), truth=truth)) == title
    frame = pd.DataFrame(dict(estimand=list(truth), truth=list(truth.values())))
    assert said(plot_effects(table(ROWS), truth=frame)) == title


def test_truth_of_each_model_is_its_own():
    both = pd.concat([table(ROWS, "a"), table(ROWS, "b")])
    truth = pd.DataFrame(dict(model=["a", "b"], estimand="ATE", truth=[1., 2.]))
    d = pd.concat(pd.DataFrame(v)
                  for v in plot_effects(both, truth=truth, scale="reward").to_dict()["datasets"].values())
    assert set(d.truth.dropna()) == {1., 2.}


def test_description_holds_every_number():
    text = plot_effects(table(ROWS), truth=dict(ATE=1.), level=.9).to_dict()["description"]
    assert ("90% intervals" in text and "+2.00 [+1.80, +2.20]" in text and "truth +1.00" in text
            and "+1.10 [+0.90, +1.30]" in text)


def test_missing_intervals_and_estimates_do_not_break_the_chart():
    t = table(ROWS)
    t.loc[0, ["ci_low", "ci_high"]] = np.nan
    t.loc[1, ["estimate", "ci_low", "ci_high"]] = np.nan
    assert to_png(plot_effects(t)).startswith(b"\x89PNG")
    with pytest.raises(InputError, match="no estimate"):
        plot_effects(t.assign(estimate=np.nan))


def test_refusals():
    with pytest.raises(SchemaError, match="'ci_high', 'estimand'"):
        plot_effects(table(ROWS).drop(columns=["ci_high", "estimand"]))
    with pytest.raises(InputError, match="one group at a time"):
        plot_effects(pd.concat([table(ROWS)] * 2))
    with pytest.raises(InputError, match="'reward', 'smd'"):
        plot_effects(table(ROWS), scale="euros")


def scored(n=60, shift=1., seed=0):
    rng = np.random.default_rng(seed)
    r = rng.normal(size=n)
    return pd.DataFrame(dict(example_id=range(n), prompt_id=range(n), draw=0, model="m", w=np.arange(n) % 2,
                             reward_original=r,
                             reward_rewrite=r, reward_rewrite_of_rewrite=r + shift + rng.normal(0, .1, n)))


def test_reward_shift_is_paired_and_counts_what_is_left_out():
    s = scored()
    s.loc[[3, 4], "reward_rewrite_of_rewrite"] = np.nan
    spec = plot_rewards(s).to_dict()
    d = (s.reward_rewrite_of_rewrite - s.reward_original).dropna()
    assert f"+{d.mean():.3f}"[:5] in spec["title"]["text"]
    assert "2 responses without" in spec["title"]["subtitle"][0]
    assert "where it was" in said(plot_rewards(scored(shift=0., seed=3)))


def test_histograms_hold_every_text_once_and_draws_do_not_count_twice():
    s = pd.concat([scored(), scored(seed=1).assign(draw=1, reward_original=scored().reward_original)])
    bars = [pd.DataFrame(v) for v in plot_rewards(s).to_dict()["datasets"].values() if "share" in v[0]]
    assert len(bars) == 2 and all(np.allclose(b.groupby("side").share.sum(), 1) for b in bars)


def test_one_arm_and_constant_rewards():
    s = scored().assign(w=1, reward_original=2., reward_rewrite_of_rewrite=2.)
    assert to_png(plot_rewards(s)).startswith(b"\x89PNG")
    with pytest.raises(InputError, match="nothing to compare"):
        plot_rewards(s.assign(reward_original=np.nan))


def test_names_from_outside_stay_text(tmp_path):
    evil = "<script>alert(1)</script>"
    chart = plot_effects(pd.concat([table(ROWS, evil), table(ROWS, "b")]))
    assert evil not in to_svg(chart)
    assert evil not in save_chart(chart, tmp_path / "c.html").read_text()


def test_a_control_character_in_a_name_ends_no_process(tmp_path):
    "In a process of its own, because the converter aborts on such a character and takes Python with it"
    import subprocess, sys
    code = r"""import numpy as np, pandas as pd, sys
from rate_nb.plots.charts import save_chart
from rate_nb.plots.effects import plot_effects
t = pd.DataFrame([("naive", "ATE", 2., 1.8, 2.2), ("rate", "ATE", 1., .9, 1.1)],
                 columns=["estimator", "estimand", "estimate", "ci_low", "ci_high"])
bad = "m\x1b[31m\x00\u202e\n\uffff"
chart = plot_effects(pd.concat([t.assign(model=m, smd=.1, smd_low=0., smd_high=.2) for m in (bad, "b")]))
for end in ("png", "svg", "html"): save_chart(chart, f"{sys.argv[1]}/c.{end}")
chart._repr_mimebundle_()"""
    made = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-800:]
    text = (tmp_path / "c.svg").read_text(encoding="utf-8") + (tmp_path / "c.html").read_text(
        encoding="utf-8")
    assert "⟨U+202E⟩" in text and not set("\x1b\x00\u202e") & set(
        (tmp_path / "c.svg").read_text(encoding="utf-8"))


def test_scripts_are_kept_for_the_next_page_and_nothing_of_a_chart(tmp_path, monkeypatch):
    import vl_convert
    monkeypatch.setenv("RATE_NB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    first, second = (plot_effects(table(rows, m)) for rows, m in ((ROWS, "secret</script>"), (ROWS[2:], "b")))
    pages = [save_chart(c, tmp_path / f"{i}.html").read_text() for i, c in enumerate((first, second, first))]
    kept, = (tmp_path / "cache").iterdir()
    assert "secret" not in pages[1] + kept.read_text() and pages[2] == pages[0]
    for chart, page in ((first, pages[0]), (second, pages[1])):
        spec, _ = json.JSONDecoder().raw_decode(page, page.index("const spec = ") + len("const spec = "))
        assert spec == chart.to_dict() and page.count("const spec = ") == 1
    # of another version others are made; and where nothing can be kept, a page is the same
    monkeypatch.setattr(vl_convert, "__version__", "0")
    save_chart(first, tmp_path / "c.html")
    assert len(list((tmp_path / "cache").iterdir())) == 2
    monkeypatch.setenv("RATE_NB_CACHE", str(kept / "no folder"))
    assert save_chart(first, tmp_path / "d.html").read_text() == pages[0]


def test_files(tmp_path):
    chart = plot_effects(table(ROWS))
    assert (save_chart(chart, tmp_path / "c.PNG").read_bytes().startswith(b"\x89PNG")
            and "<svg" in save_chart(chart, tmp_path / "c.svg").read_text())
    page = re.sub(r"(<script[^>]*>).*?</script>", r"\1", save_chart(chart, tmp_path / "c.html").read_text(),
                  flags=re.S)
    assert not re.search(r"<(script|link|img)[^>]+(src|href)\s*=", page)
    adaptive = to_svg(chart, adaptive=True)
    assert "currentColor" in adaptive and 'fill="#FFFFFF"' not in adaptive.upper().replace("FILL", "fill")
    grids = re.findall(r'<line[^>]*stroke="currentColor"[^>]*stroke-opacity="([^"]*)"', adaptive)
    assert grids and min(map(float, grids)) <= .2 # rules are faint in the page's own ink as well
    assert not re.search(r'<[^>]*(stroke-opacity="[^>]*){2}', adaptive)


def test_a_report_draws_no_chart_again_that_its_notebook_showed():
    chart = plot_effects(table(ROWS))
    enable_charts()
    before = _drawn.cache_info().misses
    chart._repr_mimebundle_()
    assert to_svg(chart, adaptive=True) and to_png(chart) and _drawn.cache_info().misses <= before + 1


def test_importing_plots_needs_no_altair():
    import subprocess, sys
    code = ("import sys, rate_nb.plots.effects; assert not {'altair', 'vl_convert', 'torch', 'IPython'} & "
            "set(sys.modules), set(sys.modules)")
    subprocess.run([sys.executable, "-c", code], check=True)


def panel(names=("length", "complexity"), models=("A", "B"), estimators=("naive", "rate")):
    rows = [dict(attribute=a, model=m, estimator=e, estimate=.1*k, low=.1*k - .2, high=.1*k + .2,
                 stands="plain" if e == "naive" else ("found", "open", "failed")[k % 3])
            for k, (a, m, e) in enumerate((a, m, e) for a in names for m in models for e in estimators)]
    return pd.DataFrame(rows)


def test_all_attributes_models_and_estimators_in_one_picture():
    "RATE, figure 2: nothing is left out, and what is not known is told from a finding without its colour"
    t = panel(("length", "complexity", "a name " * 20), ("m " * 40, "B", "C", "D", "E"))
    spec = plot_panel(t, "Found.").to_dict()
    assert spec["description"].count("[") == len(t) and to_png(plot_panel(t, "Found.")).startswith(b"\x89PNG")
    marks = json.dumps(spec)
    assert all(f'"oneOf": ["{s}"' in marks for s in ("found", "open", "failed"))
    hollow = to_svg(plot_panel(t, "Found."), adaptive=True)
    assert 'fill="var(--paper, none)"' in hollow and "#ffffff" not in hollow.lower()
    whole = plot_panel(t[t.model == "B"].assign(dataset="d", far_low=-1., far_high=1.), "One.").to_dict()
    assert "facet" not in whole
    with pytest.raises(InputError, match="`stands` must be one of"):
        plot_panel(t.assign(stands="yes"), "")


@pytest.mark.parametrize("method", ["holm", "bh", "by"])
def test_the_interval_of_a_grid_says_what_its_decision_says(method):
    "Also with one test, with ties, and where some effects have no p-value"
    for seed in range(30):
        t = planted_grid(share=.5, rng=seed)
        t.loc[::5, "p_value"] = np.nan
        found = grid_effects(t, method=method).table
        tested = found.p_value.notna()
        outside = (found.wide_low > 0) | (found.wide_high < 0)
        assert (outside == (found.verdict != "not told from zero"))[tested].all()
        assert found.wide_low[~tested].isna().all()
