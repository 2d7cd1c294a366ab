"""Break the package on purpose, and see a lesson go red.

Each mutation is made in a temporary copy of the exported modules; the lesson's cells run against that copy.
    python tests/whole/test_mutations.py        # prints what each mutation was caught by
"""
import json, re, shutil, sys, tempfile
from pathlib import Path
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT/"tests")) # where `make mutations` runs this file
from warm import run_python # noqa: E402
UNPAIR = '''

def _unpaired(scored, column):
    "The rewards of a column, dealt to other texts of the same arm: all means stay, all pairs are lost"
    values = pd.to_numeric(scored[column]).to_numpy(dtype=float, na_value=np.nan).copy()
    if column == "reward_rewrite":
        for arm in (0, 1):
            rows = np.flatnonzero(scored["w"].to_numpy() == arm)
            values[rows] = values[np.roll(rows, len(rows)//2)]
    return values
'''

# name: (module, what stands there, what is put there, lesson that must go red, appended code)
MUTATIONS = {
    "errors forget the pairs": ("estimators/effects", "b*column(c) for c, b",
                                "b*_unpaired(scored, c) for c, b",
                                "09_honest_intervals", UNPAIR),
    "ATE without the weights n1/n": ("estimators/effects", "(N*both).sum(-1, keepdims=True)/N.sum(-1, "
                                                           "keepdims=True)",
                                     "both.mean(-1, keepdims=True)", "09_honest_intervals", ""),
    "ATT and ATU swapped": ("estimators/effects", '("ATT", "ATU")[i] for i in arms',
                            '("ATU", "ATT")[i] for i in arms', "09_honest_intervals", ""),
    "contrasts with the wrong sign": ("estimators/effects", 'return (2*column("w") - 1)*treated',
                                      'return (1 - 2*column("w"))*treated', "05_two_rewrites", ""),
    "rate is the single rewrite": ("estimators/effects", '{"reward_rewrite_of_rewrite": 1., '
                                                         '"reward_rewrite": -1.}',
                                   '{"reward_original": 1., "reward_rewrite": -1.}', "05_two_rewrites", ""),
    "prompts ignored": ("estimators/effects", "pd.factorize(units[cluster or \"example_id\"])",
                        "pd.factorize(units[\"example_id\"])", "09_honest_intervals", ""),
    "normal quantile": ("stats/inference", "float(stdtrit(df, (1 + level)/2))", "1.959963984540054",
                        "09_honest_intervals", ""),
    "weights taken as known": ("estimators/effects", "(N*both).sum(-1, keepdims=True)/N.sum(-1, "
                                                     "keepdims=True)",
                               "(N.real*both).sum(-1, keepdims=True)/N.real.sum(-1, keepdims=True)",
                               "09_honest_intervals", ""),
    "the world forgets stickiness": ("theory/finite", "law[w_new, xi] += p*kept",
                                     "law[w_new, next(iter(self.rewrite(x, z, target, depth)))] += p*kept",
                                     "07_breaking", ""),
    "bias formula without its square": ("theory/finite", '"rate": s*t*g(w) + (1 - s)*t*g(w, o, 1)',
                                        '"rate": s*g(w) + 0*g(w, o, 1)', "07_breaking", ""),
    "variance without the mix of arms": ("theory/finite", "return (p*s1 + (1 - p)*s0 - (p*m1 + (1 - "
                                                          "p)*m0)**2)/n",
                                         "return (p*v1 + (1 - p)*v0)/n", "06_theorem", ""),
    "a rewrite that misses is taken for a hit": ("theory/finite", "missed = self.misses[target] if w != "
                                                                  "target "
                                                           "else Fraction(0)", "missed = Fraction(0)",
                                                 "07_breaking", ""),
    "the style of one arm is taken for both": ("theory/finite", "u[:3] == (x, w, z) and given(*u)",
                                               "(u[0], u[2]) == (x, z)", "22_in_whose_style", ""),
    "two styles are taken for one": ("theory/finite", "if own != other:", "if False:", "22_in_whose_style",
                                     ""),
}

# name: (row of nbs/papers.ipynb, module, what stands there, what is put there); the row says what goes red
OF_PAPERS = {
    "Cohen's d divides by n, not n - 2": ("Section 5, Cohen's d", "estimators/effects",
                                          "within/(Q.sum(-1) - held.sum(-1))", "within/Q.sum(-1)"),
    "the window is a third for every size": ("Appendix C, bandwidth $f$", "calibration/calibrators",
                                             "1/3 if n >= 10_000 else .9", "1/3 if n >= 10_000 else 1/3"),
    "the distance is half of the mean margin": ("Appendix C, distance $d$", "calibration/calibrators",
                                                "float(np.nanmean(gaps)/4)", "float(np.nanmean(gaps)/2)"),
    "γ is not used": ("Equation 8", "calibration/calibrators",
                      "r - checked_gamma(self.gamma)*np.where(", "r - np.where("),
    "hard and easy swapped": ("Accuracy, hard", "benchmarks/rm_bench", "_UPPER, _LOWER = np.triu",
                              "_LOWER, _UPPER = np.triu"),
    "gameability by n": ("Section 4.2, gameability", "benchmarks/alpaca_eval", ".std(1, ddof=1)", ".std(1)"),
    "the baseline's reward first": ("Appendix C, AlpacaEval by reward", "benchmarks/alpaca_eval",
                                    "preference=1 + sigmoid(r - r0)", "preference=1 + sigmoid(r0 - r)"),
    "four medians, not six": ("Section 3.2, robust LOWESS", "stats/local_regression",
                              "bisquare(residuals, 6*spread)", "bisquare(residuals, 4*spread)"),
    "prices of a thousand tokens": ("Section 5, cost", "llm/prices", "* self.completion) / 1e6",
                                    "* self.completion) / 1e3"),
    "a log ratio is a product": ("Section 6, model edits (equations)", "scoring/likelihood",
                                 "reward = policy - reference", "reward = policy + reference"),
    "ensembles of raw rewards": ("Figure 16", "calibration/studies", "sd = np.nanstd(x, axis=0)",
                                 "sd = np.ones(x.shape[1])"),
    "judged by the fitted pairs": ("Figures 12–14", "calibration/studies",
                                   'order[:k] if judge == "subset" else order[k:]', "order[:k]"),
}

RUN = '''
import json, sys
from hypothesis import Phase, settings
# a claim that fails need not fail in its smallest example
settings.register_profile("first", phases=[Phase.generate])
settings.load_profile("first")
import rate_nb; assert rate_nb.__file__.startswith(sys.argv[2]), rate_nb.__file__
space = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code": exec("".join(cell["source"]), space)
'''


def run_lesson(lesson, mutation=None):
    "Run a lesson against a copy of the package, mutated or not; (exit code, what was printed)"
    with tempfile.TemporaryDirectory() as folder:
        folder = str(Path(folder).resolve())
        shutil.copytree(ROOT/"rate_nb", Path(folder)/"rate_nb", ignore=shutil.ignore_patterns("__pycache__"))
        if mutation:
            module, old, new, _, more = mutation
            mutated = Path(folder)/"rate_nb"/f"{module}.py"
            source = mutated.read_text(encoding="utf-8")
            assert source.count(old) == 1, (
                f"{module}.py holds {old!r} {source.count(old)} times; bring the mutation up to date")
            mutated.write_text(source.replace(old, new) + more, encoding="utf-8")
        return run_python(RUN, str(ROOT/"nbs"/"lessons"/f"{lesson}.ipynb"), folder, folder=folder,
                          paths=[folder, ROOT/"nbs"/"lessons"])


@pytest.mark.slow
def test_a_lesson_is_green_without_a_mutation():
    code, said = run_lesson("05_two_rewrites")
    assert code == 0, said[-2000:]


def red_of(place):
    "What must go red, by the row of the page: notebooks and tests"
    cells = json.loads((ROOT/"nbs"/"papers.ipynb").read_text(encoding="utf-8"))["cells"]
    rows = [[c.strip() for c in line.strip().strip("|").split("|")] for cell in cells
            if cell["cell_type"] == "markdown" for line in cell["source"] if line.startswith("| ")]
    red, = (row[-1] for row in rows if row[0] == place)
    return [a or b for a, b in re.findall(r"\]\(([^)]+)\)|`([^`]+)`", red)]


def run_red(red, module, old, new):
    "A notebook or a test of the page against a mutated copy of the package; (exit code, what was printed)"
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        shutil.copytree(ROOT/"rate_nb", folder/"rate_nb", ignore=shutil.ignore_patterns("__pycache__"))
        mutated = folder/"rate_nb"/f"{module}.py"
        source = mutated.read_text(encoding="utf-8")
        assert source.count(old) == 1, f"{module}.py holds {old!r} {source.count(old)} times"
        mutated.write_text(source.replace(old, new), encoding="utf-8")
        if red.endswith(".ipynb"):
            book = json.loads((ROOT/"nbs"/red).read_text(encoding="utf-8"))
            for cell in book["cells"]: # a room's notebook defines what it shows
                cell["source"] = "".join(cell["source"]).replace(old, new)
            (folder/"book.ipynb").write_text(json.dumps(book), encoding="utf-8")
            code, words = RUN, [str(folder/"book.ipynb"), str(folder)]
        else:
            file, name = red.split("::")
            path, = (ROOT/"tests").rglob(Path(file).name)
            code = "import pytest, sys; sys.exit(pytest.main(sys.argv[1:]))"
            words = [*"-n 0 -q --tb=native -p no:cacheprovider".split(), f"{path}::{name}"]
        return run_python(code, *words, folder=folder, paths=[folder, ROOT/"nbs"/"lessons"], CI="1")


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) for n in OF_PAPERS])
def test_a_row_of_the_papers_goes_red(name):
    place, *mutation = OF_PAPERS[name]
    for red in red_of(place):
        code, said = run_red(red, *mutation)
        if code:
            assert "AssertionError" in said, (
                f"{name} broke {red}, but not through a claim:\n{said[-1500:]}")
            return
    raise AssertionError(f"{place}: {', '.join(red_of(place))} did not notice: {name}")


ALWAYS = ("ATE without the weights n1/n", "ATT and ATU swapped", "errors forget the pairs")
OFTEN = ("contrasts with the wrong sign", "the world forgets stickiness", "variance without the mix of arms",
         "two styles are taken for one", "normal quantile") # one of each lesson; `make mutations` makes all


@pytest.mark.parametrize("name", [*ALWAYS, *(pytest.param(n, marks=pytest.mark.slow) for n in OFTEN)])
def test_a_lesson_goes_red(name):
    code, said = run_lesson(MUTATIONS[name][3], MUTATIONS[name])
    assert code != 0, f"{MUTATIONS[name][3]} did not notice: {name}"
    assert "AssertionError" in said, f"{name} broke the lesson, but not through a claim:\n{said[-1500:]}"


if __name__ == "__main__":
    for name, mutation in MUTATIONS.items():
        code, said = run_lesson(mutation[3], mutation)
        last = [line for line in said.splitlines() if "Error" in line][-1:] or ["nothing"]
        print(f"{'caught' if code else 'MISSED':7} {name:42} by {mutation[3]}: {last[0][:90]}",
              flush=True)
