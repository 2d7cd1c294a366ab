"Every result that holds an effect names which of two claims it makes, in the same words."
import ast
from html import unescape
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
from rate_nb.audit.multivalued import LevelEffects
from rate_nb.batch.grid import grid_effects, grid_report
from rate_nb.diagnostics.attrition import attrition_bounds
from rate_nb.diagnostics.compliance_rates import wald_effects
from rate_nb.diagnostics.sensitivity import compare_rewriters
from rate_nb.estimators.anytime import StoppedAudit, sequential_effects
from rate_nb.estimators.effects import CLAIMS, claim_words, estimate_effects
from rate_nb.estimators.heterogeneity import panel
from rate_nb.studies.closed_loop import Loop
from rate_nb.studies.shift import DynamicBenchmark
from rate_nb.studies.shift import shift_experiment
from rate_nb.theory.text_world import planted_grid

SAID = ("RATE: the effect for texts in the rewriter's style. It holds for unedited responses only if the "
        "attribute is worth as much in those.")


def table(seed=0, n=120, **columns):
    rng = np.random.default_rng(seed)
    w = np.arange(n) % 2
    noise = lambda: rng.normal(size=n)
    return pd.DataFrame(dict(example_id=np.arange(n), prompt_id=np.arange(n)//2, prompt="Why?",
                             response="Because.", draw=0, model="m", w=w, other=rng.integers(0, 2, n),
                             reward_original=w + noise(), reward_rewrite=1 - w + noise(),
                             reward_rewrite_of_rewrite=w + noise(),
                             reward_same_target=w + noise())).assign(**columns)


def wald(estimators=("rate",)):
    df = table()
    return wald_effects(df, df[["example_id", "draw"]].assign(label_rewrite=1 - df.w,
                        label_rewrite_of_rewrite=df.w, label_original=df.w), estimators=estimators)


def levels(): # as `level_effects` gives them
    row = dict(model="m", level="b", estimate=1., std_error=.1, ci_low=.8, ci_high=1.2, band_low=.7,
               band_high=1.3, p_value=.01, p_adjusted=.01, n=9, n_missing=0)
    attribute = type("Attribute", (), dict(name="tone", reference="a"))()
    return LevelEffects(attribute, pd.DataFrame([row]), .95, "holm", {})


def stopped():
    looks = pd.DataFrame([dict(texts=120, estimate=1., ci_low=.5, ci_high=1.5, width=1.)])
    return StoppedAudit(sequential_effects(table(), burn_in=20), looks, table(), True, 1.)


def benchmark():
    row = dict(place=1, model="m", merit=1., ci_low=.5, ci_high=1.5, behind=0., behind_low=0., behind_high=0.)
    return DynamicBenchmark(pd.DataFrame([row]), pd.DataFrame(), {}, .95)


def loop():
    row = dict(world="w", effect_of="length", stage="before", estimate=1., ci_low=.5, ci_high=1.5,
               predicted=1.)
    return Loop(pd.DataFrame([row]), pd.DataFrame(), .95)


RESULTS = {
    "effects": lambda: estimate_effects(table()),
    "panel": lambda: panel({"length": estimate_effects(table())}),
    "sequence": lambda: sequential_effects(table(), burn_in=20),
    "stopped audit": stopped,
    "compliers": wald,
    "attrition": lambda: attrition_bounds(table(status_rewrite="ok")),
    "rewriters": lambda: compare_rewriters({"a": table(), "b": table(1)}),
    "levels": levels,
    "shift": lambda: shift_experiment(table(n=400), "other", levels=(.3, .5, .7), rng=0),
    "dynamic benchmark": benchmark,
    "closed loop": loop,
    "grid": lambda: grid_effects(planted_grid(rng=0))}
WITHOUT_REPR = ("compliers", "levels", "closed loop") # shown as a page alone


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_names_the_claim_it_makes(name):
    result = RESULTS[name]()
    shown = [result._repr_markdown_(), *([] if name in WITHOUT_REPR else [repr(result)]),
             *([result._repr_html_()] if hasattr(result, "_repr_html_") else [])]
    for text in shown:
        assert unescape(text).count(SAID) == 1, text


def test_a_comparison_with_originals_makes_neither_claim():
    for effects in (estimate_effects(table(), estimators=("naive", "single")),
                    panel({"length": estimate_effects(table())}, estimator="single")):
        for text in (repr(effects), effects._repr_markdown_()):
            assert "style" not in text.replace("style=", "")
    assert claim_words(["naive", "single", "people"]) == ""
    assert claim_words(["same_depth", "naive", "rate"]).startswith("RATE, same_depth: the effect for texts")


def test_a_panel_names_what_it_estimates():
    said = repr(panel({"length": estimate_effects(table())}, estimator="rate", estimand="ATT"))
    assert said.startswith("rate ATT, Cohen’s d with 95% intervals")


def test_the_page_of_a_grid_names_the_claim_and_whose_grade_it_shows():
    found = grid_effects(planted_grid(rng=3, refused=.3))
    page = unescape(grid_report(found))
    assert SAID in page and ">checks<" in page
    assert "passed the checks of their own audits" in page
    single = grid_effects(planted_grid(rng=3).assign(estimator="single"), estimator="single")
    assert "effect in the" not in single._repr_markdown_()


def test_the_words_of_the_claims_stand_in_one_place():
    "No string of the package but `CLAIMS` itself spells a claim"
    spelt = []
    for path in sorted((Path(__file__).parents[2]/"rate_nb").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        explained = {id(node.body[0].value) for node in ast.walk(tree)
                     if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
                     and node.body and isinstance(node.body[0], ast.Expr)}
        spelt += [(path.name, node.value) for node in ast.walk(tree)
                  if isinstance(node, ast.Constant) and isinstance(node.value, str)
                  and id(node) not in explained and any(claim in node.value for claim in CLAIMS)]
    assert sorted(spelt) == sorted(("effects.py", claim) for claim in CLAIMS)
