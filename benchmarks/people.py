"""Does the interval of the excess over people cover its truth, and has it the power that was planned? A jury
hears exhibits, and a machine decides the same ones. The truth is known in closed form: a juror says yes when
strength + taste + noise lies above a bar, all three normal.

    python benchmarks/people.py                 # coverage and power, 2,000 samples each; 1 if a bar is missed
    python benchmarks/people.py 200             # fewer samples
    python benchmarks/people.py docket          # a jury hears some of many exhibits, the machine all of them
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


# exhibits heard by a jury, exhibits in all, agreement of machine and strength, jurors (0: another at every
# hearing), their spread, hearings of each, exhibits of a case, how often a juror shrugs, kinds of machine
DOCKETS = [(40, 200, 0., 0, 0., 1, 1, 0., 1), (40, 200, .5, 0, 0., 1, 1, 0., 1),
           (40, 200, .9, 0, 0., 1, 1, 0., 1), (40, 1000, .7, 0, 0., 3, 1, .2, 1),
           (60, 90, .8, 0, 0., 3, 1, 0., 1), (120, 480, .7, 0, 0., 2, 3, .1, 1),
           (80, 400, .7, 0, 0., 2, 1, 0., 3), (80, 400, 0., 0, 0., 2, 1, 0., 3),
           (100, 400, .7, 20, .3, 3, 1, 0., 1), (100, 400, 0., 20, .3, 3, 1, 0., 1),
           (200, 1000, .7, 50, .3, 2, 2, .1, 2), (20, 200, .7, 0, 0., 2, 1, 0., 1)]
ABOUT = "heard exhibits agree jurors taste times per_case shrug machines".split()

def docket(heard, exhibits, agree, jurors, taste, times, per_case, shrug, machines, rng):
    "Who said what of the exhibits that were heard, and the machines' opinions of all; these have heavy tails"
    case = np.arange(exhibits)//per_case
    strength = .6**.5*rng.normal(size=case.max() + 1)[case] + .4**.5*rng.normal(size=exhibits)
    opinion = [agree*strength + np.sqrt(1 - agree**2)*rng.normal(size=exhibits) for _ in range(machines)]
    opinion = np.array([.5 + v*np.abs(v)*rng.uniform(.5, 2) for v in opinion]) # far out, any scale
    exhibit = np.repeat(np.arange(heard), times)
    leaning = taste*rng.normal(size=max(jurors, 1))
    juror = (np.concatenate([rng.choice(jurors, times, replace=False) for _ in range(heard)]) if jurors
             else np.arange(len(exhibit)))
    lean = leaning[juror] if jurors else 0.
    says = np.sign(BAR + strength[exhibit] + lean + .5*rng.normal(size=len(exhibit)))
    return exhibit, juror, np.where(rng.random(len(says)) < shrug, 0, says).astype(int), opinion, case


def pressed(opinion):
    return 2*norm.cdf(opinion/np.median(np.abs(opinion))) - 1


def by_tables(exhibit, juror, says, opinion, case, known, rng):
    "The effect on jurors as a user of the package gets it: of all machines, where there are several"
    from rate_nb.audit.people import effect_on_people
    w, order = rng.integers(0, 2, len(case)), rng.permutation(len(case)) # who is treated is drawn
    scored = pd.concat([pd.DataFrame(dict(
        example_id=[f"e{k}" for k in order], prompt_id=[f"c{k}" for k in case[order]], draw=0, w=w[order],
        model=f"machine {m}", reward_original=0., reward_rewrite=0.,
        reward_rewrite_of_rewrite=np.where(w == 1, o, -o)[order])) for m, o in enumerate(opinion)])
    votes = pd.DataFrame(dict(example_id=[f"e{k}" for k in exhibit], vote=says,
                              voter=[f"j{k}" for k in juror] if known else None))
    t = effect_on_people(votes, scored).powered
    return t[t.estimand.eq("ATE")].iloc[-1]


def on_scale(e):
    "Ends between -1 and 1, as for a share"
    from dataclasses import replace
    from rate_nb.stats.inference import within_unit
    share = within_unit(replace(e, estimate=(1 + e.estimate)/2, std_error=e.std_error/2,
                                ci_low=(1 + e.ci_low)/2, ci_high=(1 + e.ci_high)/2), e.n_clusters)
    return 2*share.ci_low - 1, 2*share.ci_high - 1


def assisted(samples, dockets=DOCKETS):
    """Coverage of the effect on jurors from few hearings and all opinions, and widths against hearings alone;
    the first few times by the package's tables, then by the estimator alone"""
    from rate_nb.stats.powered import prediction_powered
    rows = []
    for trial in dockets:
        rng, other = np.random.default_rng([9, DOCKETS.index(trial)]), np.random.default_rng(0)
        of, seen = dict(zip(ABOUT, trial)), []
        truth = (1 - of["shrug"])*(2*norm.cdf(BAR/np.sqrt(1.25 + of["taste"]**2)) - 1)
        for k in range(samples):
            exhibit, juror, says, opinion, case = docket(*trial, rng)
            both = prediction_powered(says, exhibit, np.array([pressed(o) for o in opinion]).T, case,
                                      juror if of["jurors"] else None)
            ends, alone = on_scale(both.effect), on_scale(both.alone)
            if k < 3:
                e = by_tables(exhibit, juror, says, opinion, case, of["jurors"], other)
                assert np.allclose([*ends, *alone], [e.ci_low, e.ci_high, e.alone_low, e.alone_high])
                assert (e.caution != "") == (len(set(case[exhibit])) < 40)
            seen.append([*(low <= truth <= high for low, high in (ends, alone)), np.ptp(ends), np.ptp(alone)])
        hit, alone, wide, before = np.mean(seen, axis=0)
        rows.append(of | dict(covered=hit, alone=alone, width=wide/before, in_theory=gain(**of)))
        print({k: round(float(v), 3) for k, v in rows[-1].items()}, flush=True)
    return pd.DataFrame(rows)


def gain(heard, exhibits, agree, jurors, taste, times, per_case, shrug, machines, n=40_000):
    "Width against hearings alone, by a large sample of cases; unknown with several machines or known jurors"
    if jurors or machines > 1:
        return np.nan
    large = n*per_case
    _, _, says, (opinion,), _ = docket(large, large, agree, 0, 0., times, per_case, shrug, 1,
                                       np.random.default_rng(12))
    y, f = says.reshape(n, -1).mean(1), pressed(opinion).reshape(n, -1).mean(1)
    return np.sqrt(1 - np.corrcoef(y, f)[0, 1]**2*(1 - heard/exhibits))


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
    if asked == "docket":
        samples = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
        c = assisted(samples)
        print(c.round(3).to_string(index=False))
        firm, slack = c[c.heard >= 40*c.per_case], 2*np.sqrt(.95*.05/samples)
        sys.exit(bool(((firm.covered - .95).abs() > .015 + slack).any()
                      or (c.width[c.agree.eq(0)] > 1.01).any()
                      or ((firm.width - firm.in_theory).abs() > .03).any()))
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
