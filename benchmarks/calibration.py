"""Calibration against the usual way of doing the same thing, in the same run: CPU time of one thread,
ratios.

    python benchmarks/calibration.py                   # every section; exits with 1 if a target is missed
    python benchmarks/calibration.py lengths growth    # some sections

A section is a function that yields rows `(case, usual seconds, our seconds, target ratio, note)`; a target
of None is only reported. Our time is the median of several runs, the usual way's of one (it is long).
statsmodels is called with `delta=0`, the only setting that computes what is computed here.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import sys, time
import numpy as np
from statsmodels.nonparametric.smoothers_lowess import lowess as statsmodels_lowess
from rate_nb.stats.local_regression import lowess

SEED = 0


def seconds(f, repeat=1):
    "Median CPU time of `f` and its last result"
    times = []
    for _ in range(repeat):
        start = time.process_time()
        result = f()
        times.append(time.process_time() - start)
    return np.median(times), result


def texts(n, rng, whole=True):
    "Lengths and rewards: skewed lengths, a smooth bias, heavy-tailed noise"
    x = rng.lognormal(7, .6, n)
    if whole:
        x = x.round()
    return x, np.log(x) + rng.standard_t(4, n)


def against_statsmodels(x, y, frac, it, target, case, repeat=5):
    ours, fit = seconds(lambda: lowess(y, x, frac=frac, it=it), repeat)
    usual, theirs = seconds(lambda: statsmodels_lowess(y, x, frac=frac, it=it, delta=0, return_sorted=False))
    gap = np.abs(fit - theirs).max()/np.ptp(theirs)
    return case, usual, ours, target, f"largest difference {gap:.0e}" + ("" if gap < 1e-9
        else "  DISAGREES"), gap < 1e-9


def lengths():
    "300,000 whole lengths, the paper's largest set, and 6,000, its smallest"
    rng = np.random.default_rng(SEED)
    yield against_statsmodels(*texts(300_000, rng), 1/3, 3, 150, "300,000 whole lengths, frac 1/3, it 3")
    yield against_statsmodels(*texts(6_000, rng), .9, 3, 12, "6,000 whole lengths, frac 0.9, it 3")


def continuous():
    "Values without ties, for which the usual way is quadratic"
    rng = np.random.default_rng(SEED)
    yield against_statsmodels(*texts(20_000, rng, whole=False), 1/3, 3, 30, "20,000 continuous values, frac "
                                                                            "1/3, it 3")


def growth():
    "How cost grows with the number of texts; a ratio at or below its limit is what is wanted"
    rng = np.random.default_rng(SEED)
    for whole, small, large, limit in ((True, 300_000, 3_000_000, 15), (False, 20_000, 300_000, 30)):
        data = [texts(n, rng, whole) for n in (small, large)]
        few, many = (seconds(lambda: lowess(y, x), 5)[0] for x, y in data)
        kind = "whole lengths" if whole else "continuous values"
        (yield f"{small:,} to {large:,} {kind}", few, many, -limit, f"{large//small} times the texts, "
                                                                    f"{many/few:.1f} times the time",
         many/few <= limit)


def planes():
    ("Two characteristics, 50,000 texts; the usual way is a weighted solve for each row, timed on 200 rows "
     "and scaled")
    rng = np.random.default_rng(SEED)
    n, rows = 50_000, 200
    x, y = texts(n, rng)
    x = np.c_[x, rng.poisson(x/300)]
    x = (x - x.mean(0))/x.std(0)
    y = y + np.sin(x[:, 1])
    ours, fit = seconds(lambda: lowess(y, x, it=3))
    once = lowess(y, x, it=0)
    some = rng.choice(n, rows, replace=False)
    usual, values = seconds(lambda: np.array([one_plane(y, x, x[i], n//3) for i in some]))
    gap = np.abs(values - once[some]).max()/np.ptp(once)
    (yield "50,000 texts, two characteristics, frac 1/3, it 3", usual*n/rows*4, ours, 5,
     f"largest difference {gap:.0e}", gap < 1e-9)


def one_plane(y, x, at, k):
    "The usual way in two dimensions: nearest neighbours, tricube weights, weighted normal equations"
    distance = np.sqrt((x[:, 0] - at[0])**2 + (x[:, 1] - at[1])**2)
    near = np.argpartition(distance, k - 1)[:k]
    d = distance[near]
    u = d/d.max()
    w = 1 - u*u*u
    w *= w*w
    design = np.column_stack([np.ones(k), x[near] - at])
    weighted = design*w[:, None]
    return np.linalg.solve(design.T@weighted, weighted.T@y[near])[0]


def means():
    ("RC-Mean, 300,000 texts; the usual way bisects the sorted lengths and averages a slice for each text, "
     "timed on 3,000 and scaled")
    from rate_nb.calibration.calibrators import RCMean
    rng = np.random.default_rng(SEED)
    n, some = 300_000, 3_000
    x, y = texts(n, rng)
    pick = rng.integers(0, n, some)
    ours, (method, fit) = seconds(lambda: (m := RCMean().fit(x, y), m.predict(x)), 5)
    usual, theirs = seconds(lambda: bisect_and_average(x, y, method.distance_, 10, x[pick]))
    right = np.allclose(fit[pick], theirs, equal_nan=True)
    yield "300,000 texts, RC-Mean", usual*n/some, ours, 70, "the same means" if right else "DISAGREES", right


def bisect_and_average(x, y, distance, least, at):
    "Equation 6 as usually written: sort once, then bisect and average for each text"
    from bisect import bisect_left, bisect_right
    order = np.argsort(x, kind="stable")
    sorted_x, y = x[order].tolist(), y[order]
    ends = [(bisect_right(sorted_x, q - distance), bisect_left(sorted_x, q + distance)) for q in at.tolist()]
    return np.array([y[a:b].mean() if b - a >= least else np.nan for a, b in ends])


def notebook():
    "The run notebook on a file of 300,000 scores: all of it against its fit, which should be under 5%"
    import json, tempfile
    from pathlib import Path
    from rate_nb.batch.notebooks import run_notebook, run_notebooks
    from rate_nb.theory.text_world import planted_rewards
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        scores, out = Path(folder)/"scores.csv", Path(folder)/"out"
        planted_rewards(60_000, np.random.default_rng(SEED),
                        answers=5)[["prompt_id", "length", "reward", "preferred"]].to_csv(scores, index=False)
        run_notebook(run_notebooks()["calibrate"], out/"calibrate.ipynb",
                     dict(scores=str(scores), run_dir=str(out)), stream=nowhere)
        spent = json.loads((out/"calibration.json").read_text())["seconds"]
    whole, fit = sum(spent[k] for k in ("read", "calibrate", "write", "draw")), spent["cpu of the fit"]
    yield "run notebook, 300,000 scores: all of it, its fit", whole, fit, 20, ", ".join(f"{k} {v:.1f} s"
        for k, v in spent.items()), True


SECTIONS = dict(lengths=lengths, continuous=continuous, growth=growth, planes=planes, means=means,
                notebook=notebook)


def main(names):
    missed = []
    print(f"{'case':<52} {'usual, s':>9} {'ours, s':>9} {'ratio':>7} {'target':>8}")
    for name in names or SECTIONS:
        for case, usual, ours, target, note, right in SECTIONS[name]():
            ratio, growing = usual/ours, target is not None and target < 0
            if growing:
                ratio, goal, right = ours/usual, f"at most {-target}", right
            else:
                goal, right = "" if target is None else f"{target}x", right and (target is None
                    or ratio >= target)
            print(f"{case:<52} {usual:>9.3f} {ours:>9.3f} {ratio:>6.1f}x {goal:>8}   {note}", flush=True)
            if not right:
                missed.append(case)
    for case in missed:
        print("MISSED:", case)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
