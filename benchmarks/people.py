"""Does the interval of the excess over people cover its truth, and has it the power that was planned? A jury
hears exhibits, and a machine decides the same ones. The truth is known in closed form: a juror says yes when
strength + taste + noise lies above a bar, all three normal.

    python benchmarks/people.py                 # coverage and power, 2,000 samples each; 1 if a bar is missed
    python benchmarks/people.py 200             # fewer samples
    python benchmarks/people.py imdb            # real pairs and a real reward; the votes are planted

The simulation is plain numpy and shares neither code nor words with the package, which sees only its tables.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import sys, time
from pathlib import Path
import numpy as np
import pandas as pd
from scipy.stats import norm

# jurors, exhibits, hearings of each exhibit (a pair: from … to, at random), spread of tastes, of strengths,
# ragged: a few jurors hear most
TRIALS = [(3, 100, (1, 1), 0., 1., False), (3, 100, (3, 3), 0., 0., False), (3, 100, (3, 3), .3, 1., False),
          (3, 100, (1, 3), .3, 1., True), (10, 50, (2, 2), 0., 0., False), (10, 100, (3, 3), .3, 1., False),
          (10, 100, (1, 5), .5, 1., True), (10, 20, (10, 10), .3, 2., False),
          (50, 100, (1, 1), .3, 1., False), (50, 200, (1, 5), .3, 1., True),
          (50, 200, (5, 5), 0., 1., False), (50, 500, (2, 2), .5, 2., False)]
BAR, MACHINE_BAR, GRIP = .1, .4, .7 # what jurors and the machine add to the strength; its share of that


def truth(taste, strength):
    "Yes less no, of jurors and of the machine"
    jurors = 2*norm.cdf(BAR/np.sqrt(1 + taste**2 + strength**2)) - 1
    machine = 2*norm.cdf(MACHINE_BAR/np.sqrt(1 + (GRIP*strength)**2)) - 1
    return jurors, machine


def hearing(jurors, exhibits, times, taste, strength, ragged, rng, bar=MACHINE_BAR):
    "Who heard what and said what; what the machine said of each exhibit"
    appeal, leaning = strength*rng.normal(size=exhibits), taste*rng.normal(size=jurors)
    eager = 1/np.arange(1, jurors + 1) if ragged else np.ones(jurors)
    often = rng.integers(times[0], times[1] + 1, exhibits)
    order = np.argsort(np.log(rng.random((exhibits, jurors)))/eager, axis=1)[:, ::-1] # weighted, no repeats
    exhibit = np.repeat(np.arange(exhibits), often)
    juror = np.concatenate([order[k, :m] for k, m in enumerate(often)])
    says = np.sign(BAR + appeal[exhibit] + leaning[juror] + rng.normal(size=len(exhibit))).astype(int)
    machine = bar + GRIP*appeal + rng.normal(size=exhibits)
    return exhibit, juror, says, machine


def tables(exhibit, juror, says, machine, rng):
    "The same as the package reads it: who is treated is drawn"
    w = rng.integers(0, 2, len(machine))
    turned = np.where(w == 1, machine, -machine) # second rewrite less first
    scored = pd.DataFrame(dict(example_id=[f"e{k}" for k in range(len(machine))], draw=0, w=w,
                               model="machine", reward_original=0., reward_rewrite=0.,
                               reward_rewrite_of_rewrite=turned))
    scored["prompt_id"] = scored.example_id
    votes = pd.DataFrame(dict(example_id=[f"e{k}" for k in exhibit], voter=[f"j{k}" for k in juror],
                              vote=says))
    return votes, scored


def interval(heard, rng, first):
    "The excess as the package finds it; the first few times by its tables, then by the estimator alone"
    from rate_nb.audit.people import effect_on_people
    from rate_nb.stats.inference import two_way_effect
    exhibit, juror, says, machine = heard
    alone = two_way_effect(np.sign(machine)[exhibit] - says, exhibit, juror,
                           1/np.bincount(exhibit)[exhibit])
    if first:
        whole = effect_on_people(*tables(*heard, rng)).get()
        assert np.allclose([whole.estimate, whole.std_error, whole.df],
                           [alone.estimate, alone.std_error, alone.df])
    return alone


def coverage(samples, trials=TRIALS):
    rows = []
    for trial in trials:
        rng, other = np.random.default_rng([7, TRIALS.index(trial)]), np.random.default_rng(0)
        people, machine = truth(trial[3], trial[4])
        hit, wide, votes = 0, [], 0
        for k in range(samples):
            heard = hearing(*trial, rng)
            e = interval(heard, other, k < 5)
            hit += e.ci_low <= machine - people <= e.ci_high
            wide.append(e.ci_high - e.ci_low)
            votes += len(heard[0])/samples
        rows.append(dict(zip(("jurors", "exhibits", "times", "taste", "strength", "ragged"), trial))
                    | dict(votes=votes, covered=hit/samples, width=np.median(wide)))
        print({k: v if isinstance(v, (str, tuple)) else round(float(v), 3) for k, v in rows[-1].items()},
              flush=True)
    return pd.DataFrame(rows)


def parts_of(taste, strength, bar=MACHINE_BAR, n=400_000):
    "Variances of machine less juror, per exhibit, per juror and what is left; by a large sample"
    rng = np.random.default_rng(11)
    x, b = strength*rng.normal(size=n), taste*rng.normal(size=n)
    m = 2*norm.cdf(bar + GRIP*x) - 1
    j = 2*norm.cdf((BAR + x)/np.sqrt(1 + taste**2)) - 1
    own = 2*norm.cdf((BAR + b)/np.sqrt(1 + strength**2)) - 1
    same = np.mean(1 - m*m) + np.var(m - j) # the machine's coin is the exhibit's
    whole = 2 - 2*np.mean(m*j) - np.mean(m - j)**2
    return same, np.var(own), whole - same - np.var(own)


def power(samples, designs=((10, 100, 2), (10, 200, 1), (50, 100, 3), (50, 300, 1), (30, 150, 4))):
    "How often an excess is found, and how often one of nought is shown to lie within .3"
    from rate_nb.stats.power import votes_power
    from rate_nb.stats import equivalence_test
    taste, strength, rows = .3, 1., []
    people, machine = truth(taste, strength)
    # the machine's bar at which there is no excess
    even = BAR*np.sqrt(1 + (GRIP*strength)**2)/np.sqrt(1 + taste**2 + strength**2)
    for jurors, exhibits, times in designs:
        rng, other = np.random.default_rng([8, jurors, exhibits]), np.random.default_rng(0)
        design, found, shown = (jurors, exhibits, (times, times), taste, strength, False, rng), 0, 0
        for k in range(samples):
            e = interval(hearing(*design), other, k < 5)
            found += e.ci_low > 0 or e.ci_high < 0
            shown += equivalence_test(interval(hearing(*design, even), other, False), .3).equivalent
        rows.append(dict(jurors=jurors, exhibits=exhibits, times=times, excess=machine - people,
                         planned=votes_power(exhibits, times, jurors, parts_of(taste, strength),
                                             machine - people), happened=found/samples,
                         planned_none=votes_power(exhibits, times, jurors, parts_of(taste, strength, even),
                                                  margin=.3), happened_none=shown/samples))
        print({k: round(float(v), 3) for k, v in rows[-1].items()}, flush=True)
    return pd.DataFrame(rows)


def imdb(folder=Path(__file__).resolve().parents[2] / "shared" / "data" / "imdb_counterfactual"):
    "Human counterfactual reviews: the reward's side is real (VADER's compound score), the votes are planted"
    from rate_nb.audit.people import effect_on_people
    from rate_nb.data import load_examples, sentiment
    pairs = load_examples(folder / "test_paired.tsv", "imdb-counterfactual")
    first, second = (np.array([sentiment(t) for t in v]) for v in (pairs.response, pairs.counterfactual))
    scored = pd.DataFrame(dict(example_id=pairs.example_id, prompt_id=pairs.prompt_id, draw=0, model="VADER",
                               w=pairs.w, reward_original=first, reward_rewrite=second,
                               reward_rewrite_of_rewrite=first))
    rng, rows = np.random.default_rng(0), []
    for k, e in enumerate(pairs.example_id): # planted: 9 of 10 choose the positive review, whoever they are
        for j in rng.choice(20, 2, replace=False):
            rows.append((e, f"planted {j}", 1 if rng.random() < .9 else -1))
    votes = pd.DataFrame(rows, columns=["example_id", "voter", "vote"])
    return effect_on_people(votes, scored, versions="single")


if __name__ == "__main__":
    asked = sys.argv[1] if len(sys.argv) > 1 else "2000"
    if asked == "imdb":
        print(imdb())
        sys.exit()
    samples, began = int(asked), time.perf_counter()
    a, b = coverage(samples), power(samples)
    print(a.round(3).to_string(index=False), b.round(3).to_string(index=False), sep="\n\n")
    print(f"{time.perf_counter() - began:.0f} s")
    slack = 3*np.sqrt(.95*.05/samples) # what a finite number of samples may add to either bar
    low, high = (.93, .97) if samples >= 2000 else (.95 - .02 - slack, .95 + .02 + slack)
    off = a[(a.covered < low) | (a.covered > high)]
    missed = b[((b.planned - b.happened).abs() > .05) | ((b.planned_none - b.happened_none).abs() > .05)]
    print("outside 93–97%:\n", off.to_string(index=False), "\npower missed:\n", missed.to_string(index=False))
    sys.exit(bool(len(off) or len(missed)))
