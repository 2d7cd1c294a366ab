"The coverage atlas: its page shows its table, every function of it runs, and a sample of its cells is "
"drawn anew."

import math, re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
import numpy as np
import pytest
from sampling import repeats

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def atlas():
    spec = spec_from_file_location("coverage_atlas", ROOT / "benchmarks" / "coverage_atlas.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_shows_the_table(atlas):
    rows = atlas.load(atlas.TABLE)
    undated = lambda text: re.sub(r"Last renewed [\w ]+\.", "", text)
    assert undated(atlas.PAGE.read_text(encoding="utf-8")) == undated(atlas.page(rows))
    assert {r["function"] for r in rows} == set(atlas.FUNCTIONS)
    assert "<svg" in atlas.CHART.read_text(encoding="utf-8")


def test_cells_of_the_table_that_are_judged_keep_their_promise(atlas):
    "Symmetric noise: 2.5 points below the promise and no more, but for what chance does"
    t = atlas.as_table(atlas.load(atlas.TABLE))
    own = t[t.symmetric]
    odd = own[own.off < atlas.BAR - 3 * own.error]
    assert not len(odd), odd
    assert (own.off >= atlas.NEARLY - 2 * own.error).mean() > 0.9


def held(atlas, function, structure, tail, replicates):
    "quantity → coverage minus promise, in standard errors of this sample beyond the bar"
    for r in atlas.cell(function, structure, tail, 0, replicates, seed=5):
        known = r["replicates"] - r["undefined"]
        error = math.sqrt(r["promise"] * (1 - r["promise"]) / known)
        yield r["quantity"], (r["held"] / known - r["promise"] - atlas.BAR) / error


@pytest.mark.parametrize(
    "function,structure",
    [("effects", "20 prompts, 3 of them treated"), ("mean", "20 prompts, lognormal sizes")],
)
def test_a_small_sample(atlas, function, structure):
    for quantity, off in held(atlas, function, structure, "normal", 50):
        assert off > -3, (quantity, off)


def test_a_group_that_one_prompt_dominates_is_not_compared():
    "Four groups of ten prompts: with the 104 rows of one prompt in a group of 140 the size was .105, "
    "promised .05"
    from rate_nb.stats.inference import group_means

    rng, prompt = np.random.default_rng(0), np.repeat(np.arange(40), np.r_[104, np.full(39, 4)])
    differ = np.c_[-np.ones(3), np.eye(3)]
    p = lambda codes: (
        group_means(rng.normal(size=len(codes)), codes % 4, codes).combine(differ).test().p_value
    )
    assert math.isnan(p(prompt)) and 0 < p(prompt[80:]) < 1


SAMPLE = 12  # functions, drawn with their cells


@pytest.mark.slow(reason="80 audits of each cell; the whole study has 600")
def test_a_sample_of_cells(atlas):
    rng = np.random.default_rng(3)
    dear = {"attrition", "bootstrap", "sequential", "gamma", "rewriters"}
    cells = {n: [s for s, tail in o["cells"] if tail == "normal"] for n, (_, o) in atlas.FUNCTIONS.items()}
    judged = [n for n, structures in cells.items() if structures and n not in dear]
    names = [*rng.permutation(judged)[:SAMPLE]]
    for name in names:
        structure = cells[name][rng.integers(len(cells[name]))]
        for quantity, off in held(atlas, name, structure, "normal", repeats(80, 600)):
            assert off > -3.5, (quantity, structure, off)


@pytest.mark.slow(reason="every function of the atlas")
def test_every_function_runs(atlas):
    for name, (f, o) in atlas.FUNCTIONS.items():
        rows = atlas.cell(name, *o["cells"][-1], 0, 4)
        assert rows and all(0 <= r["held"] <= r["replicates"] == 4 or name == "label error" for r in rows), (
            name
        )
