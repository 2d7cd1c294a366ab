"""Break the package on purpose, and see a lesson go red.

Each mutation is made in a temporary copy of the exported modules; the lesson's cells run against that copy.
    python tests/whole/test_mutations.py        # prints what each mutation was caught by
"""
import os, shutil, subprocess, sys, tempfile
from pathlib import Path
import pytest

ROOT = Path(__file__).resolve().parents[2]
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
    "ATE without the weights n1/n": ("estimators/effects", "(N*mean).sum(-1, keepdims=True)/N.sum(-1, "
                                                           "keepdims=True)",
                                     "mean.mean(-1, keepdims=True)", "09_honest_intervals", ""),
    "ATT and ATU swapped": ("estimators/effects", '("ATT", "ATU")[i] for i in arms',
                            '("ATU", "ATT")[i] for i in arms', "09_honest_intervals", ""),
    "contrasts with the wrong sign": ("estimators/effects", 'return (2*column("w") - 1)*treated',
                                      'return (1 - 2*column("w"))*treated', "05_two_rewrites", ""),
    "rate is the single rewrite": ("estimators/effects", '{"reward_rewrite_of_rewrite": 1., '
                                                         '"reward_rewrite": -1.}',
                                   '{"reward_original": 1., "reward_rewrite": -1.}', "05_two_rewrites", ""),
    "prompts ignored": ("estimators/effects", "pd.factorize(units[cluster or \"example_id\"])",
                        "pd.factorize(units[\"example_id\"])", "09_honest_intervals", ""),
    "normal quantile": ("stats/inference", "float(t.ppf((1 + level)/2, df))", "1.959963984540054",
                        "09_honest_intervals", ""),
    "weights taken as known": ("estimators/effects", "(N*mean).sum(-1, keepdims=True)/N.sum(-1, "
                                                     "keepdims=True)",
                               "(N.real*mean).sum(-1, keepdims=True)/N.real.sum(-1, keepdims=True)",
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
    "Run a lesson against a copy of the package, mutated or not; the finished process"
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
        path = os.pathsep.join([folder, str(ROOT/"tests"/"start"), str(ROOT/"nbs"/"lessons")])
        command = [sys.executable, "-c", RUN, str(ROOT/"nbs"/"lessons"/f"{lesson}.ipynb"), folder]
        return subprocess.run(command, capture_output=True, text=True, cwd=folder,
                              env=os.environ | dict(PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1"))


@pytest.mark.slow
def test_a_lesson_is_green_without_a_mutation():
    done = run_lesson("05_two_rewrites")
    assert done.returncode == 0, done.stderr[-2000:]


ALWAYS = ("ATE without the weights n1/n", "ATT and ATU swapped", "errors forget the pairs")
OFTEN = ("contrasts with the wrong sign", "the world forgets stickiness", "variance without the mix of arms",
         "two styles are taken for one", "normal quantile") # one of each lesson; `make mutations` makes all


@pytest.mark.parametrize("name", [*ALWAYS, *(pytest.param(n, marks=pytest.mark.slow) for n in OFTEN)])
def test_a_lesson_goes_red(name):
    done = run_lesson(MUTATIONS[name][3], MUTATIONS[name])
    assert done.returncode != 0, f"{MUTATIONS[name][3]} did not notice: {name}"
    assert "AssertionError" in done.stderr, (
        f"{name} broke the lesson, but not through a claim:\n{done.stderr[-1500:]}")


if __name__ == "__main__":
    for name, mutation in MUTATIONS.items():
        done = run_lesson(mutation[3], mutation)
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:] or ["nothing"]
        print(f"{'caught' if done.returncode else 'MISSED':7} {name:42} by {mutation[3]}: {last[0][:90]}",
              flush=True)
