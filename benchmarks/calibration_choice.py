"""Does the default calibration find the right curve, and leave alone what has no bias? Ten simulations whose
truth is known: the bias of length is none, linear, logarithmic, a hump or a step; quality is independent of
length, or correlated .4 with it. 150 questions with 2 essays each.

    python benchmarks/calibration_choice.py          # 40 samples of each; exits with 1 if a bar is missed
    python benchmarks/calibration_choice.py 200      # more samples

A number is the share of questions whose better essay gets the higher mark, in points above or below the marks
without their bias. "With" uses essays rewritten longer and shorter, "without" the marks alone. The simulation
is plain numpy: it shares neither code nor words with the package, which sees only its tables.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import sys, warnings
import numpy as np
import pandas as pd

SHAPES = ("none", "linear", "log", "hump", "step")
RELATIONS = (0., .4)
QUESTIONS = 150
NOISE = .5 # of a mark, in standard deviations of quality


def favour(shape, size):
    "What the marker adds for the number of characters; z is the standardised logarithm"
    z = (np.log(size) - 6.5)/.5
    return {"none": 0*z, "linear": (size - 750)/400, "log": z, "hump": 2.4*np.exp(-z*z/.8),
            "step": 2.*(size > 775)}[shape]


def essays(shape, relation, seed, questions=QUESTIONS, bond=0., stretch=1.6):
    """Essays, each once rewritten the other way and once back. `bond`: what a rewriter's whim, which makes
    the essay longer, adds to its mark by itself"""
    rng = np.random.default_rng(seed)
    n = 2*questions
    z = rng.normal(size=n)
    size = np.exp(6.5 + .5*z).round()
    worth = relation*z + np.sqrt(1 - relation**2)*rng.normal(size=n)
    is_long = (z + rng.normal(size=n) > 0).astype(int)
    whim = rng.normal(size=(2, n))
    there = size*np.where(is_long, 1/stretch, stretch)*np.exp(.2*whim[0])
    back = there*np.where(is_long, stretch, 1/stretch)*np.exp(.2*whim[1])
    sizes = [size, np.maximum(there, 20).round(), np.maximum(back, 20).round()]
    marks = [worth + favour(shape, s) + NOISE*rng.normal(size=n) for s in sizes]
    for i in (0, 1):
        marks[i + 1] = marks[i + 1] + bond*whim[i]
    return dict(question=np.repeat(np.arange(questions), 2), is_long=is_long, worth=worth, sizes=sizes,
                marks=marks, fair=marks[0] - favour(shape, size), score=z)


def right(marks, worth):
    "Points: how often the better of two essays has the higher mark"
    return 100*np.mean((marks[::2] - marks[1::2])*(worth[::2] - worth[1::2]) > 0)


def as_tables(sample):
    "The sample as the package's three tables of an audit"
    n = len(sample["worth"])
    ids = [f"e{i}" for i in range(n)]
    made = pd.DataFrame(dict(example_id=ids*3, draw=0, depth=np.repeat([0, 1, 2], n),
                             target_w=np.r_[sample["is_long"], 1 - sample["is_long"], sample["is_long"]],
                             text=["x"*int(s) for s in np.concatenate(sample["sizes"])],
                             reward=np.concatenate(sample["marks"]), model="marker", status="ok"))
    examples = pd.DataFrame(dict(example_id=ids, prompt_id=sample["question"], prompt="?",
                                 response=made.text[:n], w=sample["is_long"]))
    rewrites = made[made.depth > 0].drop(columns=["model", "reward"]).assign(instruction_id="i")
    return examples, rewrites, made.drop(columns="text")


def with_rewrites(sample):
    "Marks after the package's default where there are rewrites"
    from rate_nb.calibration import causal_calibration
    done = causal_calibration(*as_tables(sample))
    return done.reward[done.depth == 0].to_numpy()


def without_rewrites(sample):
    "Marks after the package's default for a file of scores, and its line of sensitivity"
    from rate_nb.calibration import calibrate_scores
    table = pd.DataFrame(dict(prompt_id=sample["question"], length=sample["sizes"][0],
                              reward=sample["marks"][0]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = calibrate_scores(table)
    return done.table.calibrated.to_numpy(), done.sensitivity["model"]


def line_of(sample, fixed, line, relation):
    "From where the line expects harm; what it says of the planted relation, in points; what happened"
    worth, marks = sample["worth"], sample["marks"][0]
    said, happened = line.at(relation), right(fixed, worth) - right(marks, worth)
    may, does = line.harmful["above"]
    return dict(may=may, does=does, low=100*said.ci_low, high=100*said.ci_high, happened=happened,
                within=100*said.ci_low - 1e-9 <= happened <= 100*said.ci_high + 1e-9)


def simulate(shape, relation, seeds, **options):
    "Points of every sample"
    rows = []
    for seed in seeds:
        s = essays(shape, relation, seed, **options)
        fixed, line = without_rewrites(s)
        rows.append(dict(oracle=right(s["fair"], s["worth"]), nothing=right(s["marks"][0], s["worth"]),
                         without=right(fixed, s["worth"]), **{"with": right(with_rewrites(s), s["worth"])},
                         **line_of(s, fixed, line, relation)))
    return pd.DataFrame(rows)


def missed(mean, shape, relation):
    "Which bars the means of one simulation miss"
    out, of = [], f"{shape}, {relation:g}"
    for way in ("with", "without") if relation == 0 else ("with",):
        if mean[way] < mean.oracle - 2:
            out.append(f"{of}: {way} rewrites {mean.oracle - mean[way]:.1f} below the oracle")
        if mean[way] < mean.nothing - .5:
            out.append(f"{of}: {way} rewrites {mean.nothing - mean[way]:.1f} below doing nothing")
    if relation and mean.within < .9:
        out.append(f"{of}: the line holds what happened in {mean.within:.0%} of the samples")
    return out


def main(samples=40):
    bad = []
    print("| bias | relation | oracle | nothing | with rewrites | without | may harm, harms above | "
          "line says | happened | held |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for shape in SHAPES:
        for relation in RELATIONS:
            t = simulate(shape, relation, range(samples))
            m = t.mean()
            harm = [t[k].median() if t[k].notna().mean() > .5 else np.nan for k in ("may", "does")]
            harm = ", ".join("–" if np.isnan(h) else f"{h:+.2f}" for h in harm)
            print(f"| {shape} | {relation:g} | {m.oracle:.1f} | {m.nothing - m.oracle:+.1f} | "
                  f"{m['with'] - m.oracle:+.1f} | {m.without - m.oracle:+.1f} | {harm} | "
                  f"{m.low:+.1f} to {m.high:+.1f} | {m.happened:+.1f} | {m.within:.0%} |", flush=True)
            bad += missed(m, shape, relation)
    for what in bad:
        print("MISSED:", what)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
