"""The coverage atlas: how often do the package's intervals hold, for every inferential function, cluster
structure and tail?

    python benchmarks/coverage_atlas.py --list                  # the functions
    python benchmarks/coverage_atlas.py                         # everything; a line per cell
    python benchmarks/coverage_atlas.py --only mean effects     # some functions
    python benchmarks/coverage_atlas.py --jobs 2 --write        # and renew docs/coverage.csv, .md and .svg

Audits are drawn by plain numpy around planted effects, and the package's own functions are called on tables
of them (many audits side by side, as models of one table). Contrasts are an effect plus noise of a prompt
(30% of the variance) plus noise of a response. A function is a generator of (quantity, held) for one `Draw`:
held is 1 where the interval held the truth (or a test of a true hypothesis did not reject), 0 where not, NaN
where the function gave no answer.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
import argparse, csv, math, sys, time, warnings, zlib
from copy import copy
from datetime import date
from functools import lru_cache
from itertools import product
from pathlib import Path
import numpy as np
import pandas as pd

DOCS = Path(__file__).resolve().parent.parent / "docs"
TABLE, PAGE, CHART = (DOCS / f"coverage.{e}" for e in ("csv", "md", "svg"))
REPLICATES, BATCH, SEED = 2000, 25, 17
OWN, TOGETHER = 0.7, 0.3  # variance of a response's noise and of its prompt's
RARE = 0.05  # rate of a rare event
COLUMNS = ("function", "quantity", "promise", "structure", "tail", "replicates", "undefined", "held")

# ---------------------------------------------------------------------------------------------------- designs


def shapes():  # structure → function of rng: rows of each prompt
    "The cluster structures; a response's arm is drawn within its prompt, but where a name says otherwise"
    equal = lambda G, m: lambda rng: np.full(G, m)
    big = lambda G: lambda rng: np.r_[round(4 * (G - 1) * 2 / 3), np.full(G - 1, 4)]
    uneven = lambda G: lambda rng: np.maximum(np.round(8 * rng.lognormal(-0.5, 1, G)).astype(int), 1)
    out = {f"{G} equal prompts": equal(G, 8) for G in (5, 10, 20, 40)}
    out |= {f"{G} prompts, one with 40%": big(G) for G in (5, 10, 20, 40)}
    out |= {f"{G} prompts, lognormal sizes": uneven(G) for G in (10, 20, 40)}
    out |= {f"20 prompts, {k} of them treated": equal(20, 4) for k in (2, 3, 5)}
    return out | {"200 single responses": equal(200, 1)}


def large_shapes():  # the same, where few prompts hold many rows
    "Few large prompts among small ones, one that dominates, Pareto's sizes"
    among = lambda k, L, m, s: lambda rng: np.r_[np.full(k, L), np.full(m, s)]
    out = {f"{k} prompts of {L}, {m} of {s}": among(k, L, m, s) for k, L, m, s in
           ((2, 60, 30, 3), (4, 40, 40, 4), (3, 50, 40, 1))}
    out["40 prompts, one with 60%"] = among(1, 234, 39, 4)
    out["40 prompts, Pareto sizes"] = lambda rng: np.minimum(np.ceil(rng.pareto(1, 40)), 200).astype(int)
    return out | {f"{k}, {ALIKE}": v for k, v in out.items()}


ALIKE = "nearly alike"  # responses of a prompt: 90% of the variance is its own
SHAPES = shapes()
ALL = tuple(SHAPES)
SHAPES |= large_shapes()
LARGE = tuple(SHAPES)[len(ALL):]
MIXED = tuple(s for s in ALL if "of them" not in s)  # both arms in a prompt
SOME = (
    "10 equal prompts",
    "40 equal prompts",
    "20 prompts, one with 40%",
    "20 prompts, lognormal sizes",
    "200 single responses",
)
FEW = ("20 equal prompts", "20 prompts, lognormal sizes", "200 single responses")
SYMMETRIC, SKEWED = ("normal", "t3"), ("lognormal", "rare binary")
TAILS = SYMMETRIC + SKEWED
WITH_SIZE = "rises with size"  # normal noise around an effect that is larger in larger prompts
SKEWED_SHARE = 0.25  # of the replicates that symmetric noise gets: skewed noise is measured, not judged


def unit_noise(tail, size, rng):
    "Mean 0, variance 1"
    if tail in ("normal", WITH_SIZE):
        return rng.standard_normal(size)
    if tail == "t3":
        return rng.standard_t(3, size) / math.sqrt(3)
    return (rng.lognormal(size=size) - math.exp(0.5)) / math.sqrt((math.e - 1) * math.e)


class Draw:
    "R audits of one structure and tail"

    def __init__(self, structure, tail, R, rng):
        self.structure, self.tail, self.R, self.rng = structure, tail, R, rng
        sizes = SHAPES[structure](rng)
        self.G, self.n = len(sizes), int(sizes.sum())
        self.prompt = np.repeat(np.arange(self.G), sizes)
        self.share = sizes / self.n
        if "of them" in structure:
            self.w = (self.prompt < int(structure.split(", ")[1].split()[0])).astype(int)
        else:
            self.w = (np.arange(self.n) + rng.integers(0, 2, self.G)[self.prompt]) % 2

    @property
    def sd(self):
        return math.sqrt(RARE * (1 - RARE)) if self.tail == "rare binary" else 1.0

    def noise(self):
        "(R, n) mean 0: a prompt's part and a response's part"
        if self.tail == "rare binary":
            own, together = (self.rng.random((self.R, k)) < RARE for k in (self.n, self.G))
            alike = self.rng.random((self.R, self.n)) < TOGETHER
            return np.where(alike, together[:, self.prompt], own) - RARE
        own, together = (unit_noise(self.tail, (self.R, k), self.rng) for k in (self.n, self.G))
        share = 0.9 if self.structure.endswith(ALIKE) else TOGETHER
        return math.sqrt(1 - share) * own + math.sqrt(share) * together[:, self.prompt]

    def table(self, w=None, **columns):
        "A scored table, one model per audit; columns are (R, n)"
        w = np.broadcast_to(self.w if w is None else w, (self.R, self.n))
        flat = {k: np.asarray(v, dtype=float).ravel() for k, v in columns.items()}
        for name in ("reward_original", "reward_rewrite", "reward_rewrite_of_rewrite"):
            flat.setdefault(name, np.zeros(self.R * self.n))
        return pd.DataFrame(
            dict(
                example_id=np.tile(np.arange(self.n), self.R),
                draw=0,
                w=w.ravel(),
                prompt_id=np.tile(self.prompt, self.R),
                model=self.models,
                **flat,
            )
        )

    @property
    def models(self):
        return np.repeat([f"m{i:04d}" for i in range(self.R)], self.n)

    def chain(self, contrast, w=None):
        "Original, rewrite and rewrite of the rewrite with these RATE contrasts; single's are noise around 1"
        sign = 2 * np.asarray(self.w if w is None else w) - 1
        original = self.noise() + (sign > 0)
        rewrite = original - sign * (1 + self.noise())
        return dict(
            reward_original=original,
            reward_rewrite=rewrite,
            reward_rewrite_of_rewrite=rewrite + sign * contrast,
        )


def inside(table, truth, low="ci_low", high="ci_high"):
    "1 where an interval holds the truth, 0 where not, NaN where there is none"
    a, b = (np.asarray(table[k], dtype=float) for k in (low, high))
    slack = 1e-9 * (1 + np.abs(truth))  # a rounded end is no miss
    return np.where(np.isnan(a) | np.isnan(b), np.nan, (a - slack <= truth) & (truth <= b + slack))


FUNCTIONS = {}  # name → (function, its options)


def measured(name, structures=SOME, tails=TAILS, batch=BATCH, promise=0.95, large=()):
    "Register a function; promise: what its intervals promise; large: structures with symmetric noise alone"

    def keep(f):
        cells = (*product(structures, tails), *product(large, SYMMETRIC))
        FUNCTIONS[name] = (f, dict(cells=cells, batch=batch, promise=promise))
        return f

    return keep


# -------------------------------------------------------------------------------------------------- functions


@measured("effects", structures=ALL, large=LARGE)
def effects(d):
    "`estimate_effects`: naive, RATE, and RATE where 15% of the second rewrites are missing"
    from rate_nb.estimators import estimate_effects

    att, atu = 1.0, 0.5
    chain = d.chain(np.where(d.w, att, atu) + d.noise())
    late = np.where(d.rng.random((d.R, d.n)) < 0.15, np.nan, chain["reward_rewrite_of_rewrite"])
    rate = {"reward_rewrite_of_rewrite": 1.0, "reward_rewrite": -1.0}
    missing = {"reward_late": 1.0, "reward_rewrite": -1.0}
    t = estimate_effects(
        d.table(**chain, reward_late=late),
        estimators=dict(naive={"reward_original": 1.0}, rate=rate, missing=missing),
    ).table
    ate = d.w.mean() * att + (1 - d.w.mean()) * atu
    yield "naive", inside(t[t.estimator == "naive"], 1.0)
    for name, truth in (("ATT", att), ("ATU", atu), ("ATE", ate)):
        yield f"RATE {name}", inside(t[(t.estimator == "rate") & (t.estimand == name)], truth)
    yield "RATE ATE, 15% missing", inside(t[(t.estimator == "missing") & (t.estimand == "ATE")], ate)
    yield (
        "RATE ATE, Cohen's d",
        inside(t[(t.estimator == "rate") & (t.estimand == "ATE")], ate / d.sd, "smd_low", "smd_high"),
    )


@lru_cache
def weight_of_size(structure):  # mean logarithm of a prompt's size, over responses
    rng = np.random.default_rng(3)
    sizes = np.concatenate([SHAPES[structure](rng) for _ in range(50_000)])
    return float(np.average(np.log(sizes), weights=sizes))


LINKED = (*(s for s in ALL if "lognormal" in s), "40 prompts, Pareto sizes")


@measured("sizes", structures=LINKED, tails=(WITH_SIZE,), batch=10)
def sizes(d):
    "`estimate_effects` where the effect rises with the logarithm of a prompt's size, by half a deviation"
    from rate_nb.estimators import estimate_effects

    audits = [Draw(d.structure, d.tail, 1, d.rng) for _ in range(d.R)]  # sizes drawn anew for each
    tables = [
        a.table(**a.chain(0.5 * np.log(a.share * a.n)[a.prompt] + a.noise())).assign(model=f"m{i}")
        for i, a in enumerate(audits)
    ]
    truth, table = 0.5 * weight_of_size(d.structure), pd.concat(tables)
    kinds = {"": {}, ", new prompts": dict(estimand_over="new prompts"), ", bootstrap": dict(bootstrap=499)}
    for kind, options in kinds.items():
        t = estimate_effects(table, estimators="rate", **options).table
        yield f"ATE, effects that rise with size{kind}", inside(t[t.estimand == "ATE"], truth)


@measured("single")
def single(d):
    "`estimate_effects`: one rewrite"
    from rate_nb.estimators import estimate_effects

    t = estimate_effects(d.table(**d.chain(d.noise())), estimators="single").table
    yield "single ATE", inside(t[t.estimand == "ATE"], 1.0)


@measured("contrastive")
def contrastive(d):
    "`estimate_contrastive_effects`"
    from rate_nb.estimators import estimate_contrastive_effects

    t = d.table(contrast=0.3 + d.noise())
    t = estimate_contrastive_effects(t[["example_id", "prompt_id", "draw", "model", "w", "contrast"]]).table
    yield "contrastive ATE", inside(t[t.estimand == "ATE"], 0.3)


@measured("mean", structures=MIXED, large=LARGE)
def mean(d):
    "`paired_effect`, a mean in clusters"
    from rate_nb.stats import paired_effect

    found = [paired_effect(v, 0 * v, d.prompt) for v in 1 + d.noise()]
    yield "clustered mean", np.concatenate([inside(vars(e), 1.0) for e in map(_listed, found)])


def _listed(e):
    return argparse.Namespace(ci_low=[e.ci_low], ci_high=[e.ci_high])


@measured("bootstrap")
def bootstrap(d):
    "`estimate_effects(..., bootstrap=999)`"
    from rate_nb.estimators import estimate_effects

    t = estimate_effects(d.table(**d.chain(1 + d.noise())), estimators="rate", bootstrap=999, rng=d.rng).table
    yield "wild bootstrap, RATE ATE", inside(t[t.estimand == "ATE"], 1.0)


@measured("label error")
def label_error(d):
    "`correct_label_error` with error rates from 200 hand-labelled responses each"
    from rate_nb.estimators import correct_label_error

    sens, spec, rng = 0.9, 0.85, d.rng
    z = rng.random((d.R, d.n)) < 0.5
    w = np.where(z, rng.random(z.shape) < sens, rng.random(z.shape) >= spec).astype(int)
    chain = d.chain(np.where(z, 1.0, 0.5) + d.noise(), w)
    chain["reward_original"] = d.noise() + z
    t = d.table(w, **chain)
    out = {}
    for m, part in t.groupby("model"):
        known = [(int(rng.binomial(200, p)), 200) for p in (sens, spec)]
        try:
            found = correct_label_error(part, *known).set_index(["estimator", "estimand"])
        except ValueError:  # the observed share is impossible under these rates
            continue
        for (e, name), truth in {("rate", "ATT"): 1.0, ("rate", "ATE"): 0.75, ("naive", "ATE"): 1.0}.items():
            row = found.loc[(e, name)]
            out.setdefault(f"label error, {e} {name}", []).append(float(row.ci_low <= truth <= row.ci_high))
    yield from ((k, np.array(v)) for k, v in out.items())


GROUPS = {
    "10 equal prompts": 2,
    "20 equal prompts": 5,
    "40 equal prompts": 10,
    "40 prompts, one with 40%": 4,
    "40 prompts, lognormal sizes": 4,
    "200 single responses": 4,
    f"6 prompts of 40, 60 of 4, {ALIKE}": 2,
}
SHAPES[f"6 prompts of 40, 60 of 4, {ALIKE}"] = lambda rng: np.r_[np.full(6, 40), np.full(60, 4)]


@measured("heterogeneity", structures=tuple(GROUPS), batch=10)
def heterogeneity(d):
    "`heterogeneity_test`: size with groups of prompts (the structure's name, then the number of groups)"
    from rate_nb.estimators import estimate_effects, heterogeneity_test

    t = d.table(**d.chain(1 + d.noise()))
    k = GROUPS[d.structure]
    effects = estimate_effects(t.assign(group=t.prompt_id % k), estimators="rate", by="group")
    p = np.array([heterogeneity_test(effects, model=m).p_value for m in pd.unique(t.model)])
    yield "heterogeneity test, no false alarm", np.where(np.isnan(p), np.nan, p >= 0.05)


@measured(
    "regression",
    structures=(
        "10 equal prompts",
        "40 equal prompts",
        "20 prompts, one with 40%",
        "40 prompts, lognormal sizes",
        "200 single responses",
    ),
    large=LARGE,
)
def regression(d):
    "`effect_regression` on a covariate of responses and one of prompts"
    from rate_nb.estimators.heterogeneity import effect_regression

    own, shared, size, one = [], [], [], copy(d)
    one.R = 1
    for _ in range(d.R):
        x, z = d.rng.standard_normal(d.n), d.rng.standard_normal(d.G)[d.prompt]
        t = one.table(**one.chain(1 + 0.5 * x + one.noise()), x=x, z=z)
        terms, _ = effect_regression(t, ["x", "z"])
        own.append(terms.ci_low["x"] <= 0.5 <= terms.ci_high["x"])
        shared.append(terms.ci_low["z"] <= 0.0 <= terms.ci_high["z"])
        size.append(np.isnan(terms.ci_low["z"]))
    yield "regression, slope on responses", np.array(own, dtype=float)
    yield "regression, slope on prompts", np.where(size, np.nan, shared)


@measured("difference", batch=10, large=LARGE)
def difference(d):
    "`difference` and `compare_models`: two models on the same responses"
    from rate_nb.estimators import estimate_effects
    from rate_nb.estimators.heterogeneity import difference

    both, a, b = d.noise(), d.chain(0.0), d.chain(0.0)
    for chain, effect in ((a, 1.0), (b, 0.6)):
        sign = 2 * d.w - 1
        chain["reward_rewrite_of_rewrite"] = chain["reward_rewrite"] + sign * (
            effect + (both + d.noise()) / 2
        )
    t = pd.concat([d.table(**a).assign(model=d.models + "a"), d.table(**b).assign(model=d.models + "b")])
    e = estimate_effects(t, estimators="rate")
    row = lambda m: dict(estimator="rate", estimand="ATE", model=m)
    for unit, truth in (("reward", 0.4), ("sd", 0.4 / d.sd)):
        found = [difference(e, row(m + "a"), row(m + "b"), unit) for m in pd.unique(d.models)]
        yield (
            f"difference of two models, {'d' if unit == 'sd' else 'reward'}",
            np.array([inside(vars(_listed(f)), truth)[0] for f in found]),
        )


@measured("wald")
def wald(d):
    "`wald_effects`: effect among compliers where four of five flip"
    from rate_nb.diagnostics.compliance_rates import wald_effects

    flips = d.rng.random((d.R, d.n)) < 0.8
    t = d.table(**d.chain(flips * 1.0 + d.noise()))
    t["example_id"] = t.model + "-" + t.example_id.astype(str)
    w = t.w.to_numpy()
    labels = t[["example_id", "draw"]].assign(
        label_original=w, label_rewrite_of_rewrite=w, label_rewrite=np.where(flips.ravel(), 1 - w, w)
    )
    t = wald_effects(t, labels).table
    t = t[t.estimand == "ATE"]
    yield "compliers (Wald), delta method", inside(t, 1.0)
    yield "compliers (Wald), Fieller", inside(t, 1.0, "fieller_low", "fieller_high")


@measured("attrition", structures=FEW, tails=("normal", "t3", "lognormal"))
def attrition(d):
    "`attrition_bounds`: loss that depends on the original reward, adjusted (AIPW), and worst-case bounds"
    from rate_nb.diagnostics import attrition_bounds

    level = d.noise()
    chain = d.chain(0.0)
    contrast = 1 + 0.5 * level + d.noise()
    chain["reward_original"] = level + d.w
    chain["reward_rewrite_of_rewrite"] = chain["reward_rewrite"] + (2 * d.w - 1) * contrast
    lost = d.rng.random(level.shape) < 1 / (1 + np.exp(1.7 - level))
    for name in ("reward_rewrite", "reward_rewrite_of_rewrite"):
        chain[name] = np.where(lost, np.nan, chain[name])
    t = attrition_bounds(d.table(**chain), reward_range=(-1e3, 1e3)).table
    t = t[t.estimand == "ATE"]
    yield "adjusted for attrition (AIPW), ATE", inside(t, 1.0, "adjusted_low", "adjusted_high")


@measured("bounds", structures=FEW)
def bounds(d):
    "`attrition_bounds` where the effect lies at an end of its worst-case bounds (Imbens and Manski)"
    from rate_nb.diagnostics import attrition_bounds

    original = d.noise() * 0 + d.rng.random((d.R, d.n)) / 10
    gone = d.rng.random(original.shape) < 0.3  # each of them would have had the largest contrast there can be
    contrast, far = np.clip(0.3 + d.noise(), -60, 60), 30.0
    sign = 2 * d.w - 1
    rewrite = -sign * contrast / 2
    chain = dict(
        reward_original=original,
        reward_rewrite=np.where(gone, np.nan, rewrite),
        reward_rewrite_of_rewrite=np.where(gone, np.nan, -rewrite),
    )
    t = attrition_bounds(d.table(**chain), reward_range=(-far, far)).table
    t = t[t.estimand == "ATE"]
    yield "bounds (Imbens–Manski), ATE at an end", inside(t, 0.7 * 0.3 + 0.3 * 2 * far)


@measured("sequential", structures=("130 prompts in order",))
def sequential(d):
    "`sequential_effects(burn_in=30)`: does the band hold at all looks up to 130 prompts?"
    from rate_nb.estimators import sequential_effects

    t = sequential_effects(d.table(**d.chain(1 + d.noise())), burn_in=30).table
    t = t[t.estimand == "ATE"]
    yield "anytime band, all looks, ATE", inside(t, 1.0).reshape(d.R, -1).min(1)


SHAPES["130 prompts in order"] = lambda rng: np.full(130, 2)


@measured(
    "pilot",
    structures=("25 equal prompts of 2", "50 single responses", "25 prompts, lognormal sizes"),
    promise=0.9,
)
def pilot(d):
    "`plan_sample_size`: the stated range of the interval's width in an audit of 10,000 responses"
    from scipy.stats import t as student
    from rate_nb.audit import plan_sample_size
    from rate_nb.base import InputError

    t = d.table(**d.chain(1 + d.noise()))
    V = d.sd**2 * (OWN + TOGETHER * (d.share**2).sum() * d.n)
    if d.tail == "rare binary":
        V = d.sd**2 * (1 + TOGETHER**2 * ((d.share**2).sum() * d.n - 1))
    held = []
    for _, part in t.groupby("model"):
        try:
            plan = plan_sample_size(part)
        except InputError:  # all contrasts are equal
            held.append(np.nan)
            continue
        _, low, high = plan.width(10_000)
        truth = 2 * student.ppf(0.975, plan.size(10_000).df) * math.sqrt(V / 10_000)
        held.append(low <= truth <= high)
    yield "pilot's range of the width", np.array(held, dtype=float)


SHAPES["25 equal prompts of 2"] = lambda rng: np.full(25, 2)
SHAPES["50 single responses"] = lambda rng: np.full(50, 1)
SHAPES["25 prompts, lognormal sizes"] = lambda rng: np.maximum(
    np.round(3 * rng.lognormal(-0.5, 1, 25)), 1
).astype(int)


@measured("gamma")
def gamma(d):
    """`recommended_gamma` and `dose_response`: length works along a straight line, and nothing else goes
    with it"""
    from rate_nb.calibration.causal import dose_response, recommended_gamma
    from rate_nb.calibration.calibrators import RCLWR

    rng = d.rng
    base, w = 200 + rng.integers(0, 80, d.n), d.w
    length = {0: base + 150 * w, 1: base + 150 * (1 - w), 2: base + 150 * w}
    examples = pd.DataFrame(
        dict(
            example_id=np.arange(d.n),
            prompt_id=d.prompt,
            prompt="?",
            w=w,
            response=["x" * c for c in length[0]],
        )
    )
    step = lambda k: dict(example_id=np.arange(d.n), draw=0, depth=k, target_w=w if k != 1 else 1 - w)
    rewrites = pd.concat(
        [
            pd.DataFrame(step(k)).assign(text=["x" * c for c in length[k]], status="ok", instruction_id="i")
            for k in (1, 2)
        ]
    )
    slope = 0.01
    own = slope * length[0] + d.noise()
    first = d.noise() * 0
    second = (2 * w - 1) * (150 * slope + d.noise())
    rewards = {0: own, 1: first, 2: second}
    parts = [
        pd.DataFrame(step(k)).assign(model=f"m{i:04d}", reward=rewards[k][i], status="ok")
        for i in range(d.R)
        for k in (0, 1, 2)
    ]
    tables = examples, rewrites, pd.concat(parts, ignore_index=True)
    yield "recommended γ", inside(recommended_gamma(*tables, RCLWR.paper()), 1.0)
    t = dose_response(*tables).table
    yield "dose–response, causal slope", inside(t[t.quantity == "causal slope"], slope)


@measured("multivalued")
def multivalued(d):
    "`level_effects` of three levels: one interval, and the band over all"
    from rate_nb.audit.multivalued import LevelAttribute, level_effects

    tone = LevelAttribute("tone", {k: k for k in ("plain", "formal", "casual")}, "plain")
    examples = pd.DataFrame(dict(example_id=np.arange(d.n), prompt_id=d.prompt))
    parts, truth, common = [], dict(formal=1.0, casual=-0.5), d.noise()
    for level in tone.others:
        contrast = truth[level] + math.sqrt(0.5) * (common + d.noise())
        for target in (0, 1):
            parts.append(
                pd.DataFrame(
                    dict(
                        example_id=np.tile(np.arange(d.n), d.R),
                        draw=0,
                        level=level,
                        target_w=target,
                        model=d.models,
                        reward=(target * contrast).ravel(),
                    )
                )
            )
    t = level_effects(examples, pd.concat(parts, ignore_index=True), tone).table
    truths = t.level.map(truth).to_numpy()
    one = (t.level == "formal").to_numpy()
    yield "several levels, one interval", inside(t[one], truths[one])
    band = inside(t, truths, "band_low", "band_high").reshape(d.R, -1)
    yield "several levels, band over both", band.min(1)


@measured("rewriters", structures=FEW)
def rewriters(d):
    "`compare_rewriters`: the difference of two rewriters of the same responses"
    from rate_nb.base import InputError
    from rate_nb.diagnostics import compare_rewriters

    common, held = d.noise(), []
    chains = [d.chain((common + d.noise()) / math.sqrt(2) + shift) for shift in (1.0, 0.8)]
    tables = [
        dict(list(d.table(**c).assign(reward_original=chains[0]["reward_original"].ravel()).groupby("model")))
        for c in chains
    ]
    for m in pd.unique(d.models):
        try:
            r = compare_rewriters({k: t[m].assign(model="r") for k, t in zip("ab", tables)}).pairs.iloc[0]
        except InputError:  # the originals do not vary
            held.append(np.nan)
            continue
        held.append(
            inside(dict(ci_low=[r.ci_low], ci_high=[r.ci_high]), 0.2 if r.rewriter == "a" else -0.2)[0]
        )
    yield "difference of two rewriters", np.array(held)


@lru_cache
def many(tail, n=1_000_000):  # (n,) noise of one response each, to integrate by brute force
    big = Draw.__new__(Draw)
    big.__dict__ |= dict(
        structure="", R=1, n=n, G=n, prompt=np.arange(n), tail=tail, rng=np.random.default_rng(1)
    )
    return big.noise()[0]


def chance_to_win(d, shift):
    return RARE if d.tail == "rare binary" else float((shift + many(d.tail) > 0).mean())


def won(d, shift):  # (R, n) 0 or 1
    return (d.noise() > 0 if d.tail == "rare binary" else shift + d.noise() > 0).astype(float)


@measured("accuracy")
def accuracy(d):
    "`accuracy` and `accuracy_gain`: shares of wins and their paired difference (calibration, comparisons)"
    from rate_nb.stats.inference import accuracy, accuracy_gain

    p, q = chance_to_win(d, 0.5), chance_to_win(d, 0.2)
    now, before = won(d, 0.5), won(d, 0.2)
    one = [accuracy(v, d.prompt) for v in now]
    two = [accuracy_gain(v, u, d.prompt) for v, u in zip(now, before)]
    yield "accuracy", np.concatenate([inside(vars(_listed(e)), p) for e in one])
    yield "accuracy gain", np.concatenate([inside(vars(_listed(e)), p - q) for e in two])


@measured("RM-Bench", structures=("40 equal prompts", "200 single responses"))
def rm_bench(d):
    "`rm_bench_accuracy`: hard accuracy overall and the average of one domain"
    from rate_nb.benchmarks import rm_bench_accuracy

    domains = np.array(["chat", "code", "math", "safety-refuse"])[d.prompt % 4]
    edge = np.array(
        [1.0, 0.5, 0.0]
    )  # what style is worth: concise, detailed, markdown lose to each other less
    p = {s: chance_to_win(d, s) for s in {a - b for a in edge[::-1] for b in edge}}
    hard = np.mean([p[edge[::-1][i] - edge[::-1][j]] for i in range(3) for j in range(i + 1, 3)])
    whole = np.mean([p[a - b] for a in edge for b in edge])
    held, average = [], []
    for level in d.noise():
        # one noise for a prompt's nine comparisons: the chosen side carries it
        side = level[:, None] + edge[::-1]
        if d.tail == "rare binary":
            side = np.where(level[:, None] > 0, 5.0, -5.0) + 0 * edge
        pairs = pd.DataFrame(
            dict(
                domain=domains,
                prompt=[f"p{g}" for g in d.prompt],
                score_chosen=list(side),
                score_rejected=list(np.tile(edge[::-1], (d.n, 1))),
            )
        )
        t = rm_bench_accuracy(pairs).set_index("domain")
        held.append(t.hard_low["Overall"] <= hard <= t.hard_high["Overall"])
        average.append(t.average_low["chat"] <= whole <= t.average_high["chat"])
    yield "RM-Bench, hard, overall", np.array(held, dtype=float)
    yield "RM-Bench, average of a domain", np.array(average, dtype=float)


@measured("RewardBench", structures=("200 single responses",))
def reward_bench(d):
    "`reward_bench_scores`: a weighted section"
    from rate_nb.benchmarks import reward_bench_scores

    subsets = np.array(
        ["alpacaeval-easy", "alpacaeval-length", "alpacaeval-hard", "mt-bench-easy", "mt-bench-med"]
    )[d.prompt % 5]
    truth, held = 100 * chance_to_win(d, 0.5), []
    for v in won(d, 0.5):
        pairs = pd.DataFrame(
            dict(
                id=np.arange(d.n),
                subset=subsets,
                prompt=[f"p{g}" for g in d.prompt],
                score_chosen=v,
                score_rejected=0.5,
            )
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            t = reward_bench_scores(pairs).set_index("section")
        held.append(t.ci_low["Chat"] <= truth <= t.ci_high["Chat"])
    yield "RewardBench, section Chat", np.array(held, dtype=float)


@measured("AlpacaEval", structures=("200 single responses",))
def alpaca_eval(d):
    "`win_rates`: mean preference of a generator"
    from rate_nb.benchmarks.alpaca_eval import win_rates

    squash = lambda m: 1 / (1 + np.exp(-m)) if d.tail != "rare binary" else 1.0 * (m > 0)
    shift = 0.0 if d.tail == "rare binary" else -1.0
    truth = 100 * (RARE if d.tail == "rare binary" else squash(shift + 2 * many(d.tail)).mean())
    t = win_rates(
        pd.DataFrame(
            dict(
                generator=d.models,
                instruction_id=np.tile(np.arange(d.n), d.R),
                length=1.0,
                baseline_length=1.0,
                preference=1 + squash(shift + 2 * d.noise()).ravel(),
            )
        )
    )
    yield "AlpacaEval, win rate", inside(t, truth)


# ---------------------------------------------------------------------------------------------------- the run


def cell(function, structure, tail, have, want, seed=SEED):
    "Replicates `have` to `want` of one function, structure and tail: rows, dicts of `COLUMNS`"
    f, options = FUNCTIONS[function]
    rng = np.random.default_rng([seed, zlib.crc32(f"{function}|{structure}|{tail}".encode()), have])
    held = {}
    for at in range(have, want, options["batch"]):
        d = Draw(structure, tail, min(options["batch"], want - at), rng)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for quantity, h in f(d):
                held.setdefault(quantity, []).append(np.asarray(h, dtype=float))
    rows = []
    for quantity, parts in held.items():
        h = np.concatenate(parts)
        known = ~np.isnan(h)
        rows.append(
            dict(
                function=function,
                quantity=quantity,
                promise=options["promise"],
                structure=structure,
                tail=tail,
                replicates=len(h),
                undefined=int((~known).sum()),
                held=int(h[known].sum()),
            )
        )
    return rows


STEPS = (100, 250, 500, 1000)  # every cell reaches a step before any goes on to the next


def tasks(only, replicates, rows):
    "(function, structure, tail, replicates that are there, wanted) of what is lacking, thinnest cells first"
    have = {(r["function"], r["structure"], r["tail"]): r["replicates"] for r in rows}
    for goal in (*(k for k in STEPS if k < replicates), replicates):
        for name, (_, o) in FUNCTIONS.items():
            for s, t in o["cells"] if not only or name in only else ():
                want = max(round(goal * (1 if t in SYMMETRIC else SKEWED_SHARE)), 1)
                if (there := have.get((name, s, t), 0)) < want:
                    have[name, s, t] = want
                    yield name, s, t, there, want


def _task(task):
    started = time.process_time()
    try:
        rows, fault = cell(*task), ""
    except Exception as e:  # one function that fails must not lose the others' cells
        rows, fault = [], f"{type(e).__name__}: {e}"
    return task, rows, time.process_time() - started, fault


def run(work, jobs):
    "All tasks, as they come"
    if jobs > 1:
        from multiprocessing import get_context

        with get_context("fork").Pool(jobs) as pool:
            yield from pool.imap_unordered(_task, work)
    else:
        yield from map(_task, work)


def _key(r):
    return r["function"], r["quantity"], r["structure"], r["tail"]


def load(path):
    "The rows that are there"
    if not path.exists():
        return []
    whole = dict(replicates=int, undefined=int, held=int, promise=float)
    return [
        {k: whole.get(k, str)(v) for k, v in r.items()} for r in csv.DictReader(path.open(encoding="utf-8"))
    ]


def added(old, new):
    "Replicates of the same cell together, in the order of the functions"
    out = {_key(r): r for r in old}
    for r in new:
        if before := out.get(_key(r)):
            r = r | {k: r[k] + before[k] for k in ("replicates", "undefined", "held")}
        out[_key(r)] = r
    place = lambda names: {k: i for i, k in enumerate(names)}.get
    by = place(FUNCTIONS), place(SHAPES), place((*TAILS, WITH_SIZE))
    first = {}
    for i, r in enumerate(out.values()):
        first.setdefault(r["quantity"], i)
    return sorted(
        out.values(),
        key=lambda r: (by[0](r["function"]), first[r["quantity"]], by[1](r["structure"]), by[2](r["tail"])),
    )


def save(rows, path):
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def coverage(r):  # share of the intervals that were given; NaN where there were none
    known = r["replicates"] - r["undefined"]
    return r["held"] / known if known else math.nan


# --------------------------------------------------------------------------------------------------- the page

BAR, NEARLY = -0.025, -0.015  # every symmetric cell is to be above the first, nine of ten above the second


def as_table(
    rows,
):  # what the page and the chart show: also `coverage`, `off` (from the promise) and its `error`
    t = pd.DataFrame(rows)
    known = t.replicates - t.undefined
    t = t.assign(coverage=t.held / known, symmetric=t["tail"].isin(SYMMETRIC))[known > 0]
    near = t.promise * (1 - t.promise)
    return t.assign(off=t.coverage - t.promise, error=np.sqrt(near / (t.replicates - t.undefined)))


def finding(t):  # a sentence
    own = t[t.symmetric]
    worst = t[~t.symmetric].sort_values("off").iloc[0]
    return (
        f"Symmetric noise: {(own.off >= BAR).sum():,} of {len(own):,} cells hold within 2.5 points of the "
        f"promise; skewed noise costs up to {-100 * worst.off:.0f}"
    )


def chart(rows):  # an Altair chart
    "Coverage minus promise, a point per cell"
    import altair as alt
    from rate_nb.plots.charts import SOFT, finish_chart

    t = as_table(rows)
    t = t.assign(points=100 * t.off, noise=np.where(t.symmetric, "symmetric", "skewed"))
    order = list(dict.fromkeys(t.quantity))
    y = alt.Y("quantity:N", sort=order, title=None, axis=alt.Axis(labelLimit=320, grid=True, ticks=False))
    x = alt.X(
        "points:Q",
        title="coverage minus promise (percentage points)",
        scale=alt.Scale(domain=[min(-30.0, math.floor(t.points.min())), 6]),
    )
    colours = alt.Scale(domain=["symmetric", "skewed"], range=["#0072B2", "#D55E00"])
    shapes = alt.Scale(domain=["symmetric", "skewed"], range=["circle", "diamond"])
    legend = alt.Legend(title="noise", orient="top")
    points = (
        alt.Chart(t[["quantity", "points", "noise"]])
        .mark_point(filled=True, size=34, opacity=0.55)
        .encode(
            x=x,
            y=y,
            color=alt.Color("noise:N", scale=colours, legend=legend),
            shape=alt.Shape("noise:N", scale=shapes, legend=legend),
        )
    )
    rules = alt.Chart(pd.DataFrame(dict(at=[0.0, 100 * BAR], kind=["promise", "bar"])))
    rules = rules.mark_rule(color=SOFT).encode(
        x="at:Q", strokeDash=alt.condition(alt.datum.kind == "promise", alt.value([1, 0]), alt.value([4, 3]))
    )
    title = finding(t)
    note = (
        "A point is one cluster structure and tail. Solid line: as promised. Dashed: the bar for symmetric "
        "noise, 2.5 points below."
    )
    by = t.groupby("quantity", sort=False)
    said = "; ".join(f"{q}: {g.points.min():+.1f} to {g.points.max():+.1f}" for q, g in by)
    return finish_chart(
        alt.layer(rules, points).properties(width=460, height=17 * len(order)),
        title,
        [note],
        f"{title}. {note} {said}.",
    )


def mean_and_lowest(t):  # of some cells, in per cent
    return f"{100 * t.coverage.mean():.1f} ({100 * t.coverage.min():.1f})" if len(t) else "–"


def by_interval(t):  # rows of a Markdown table
    parts = [
        t.symmetric & ~t.structure.isin(LARGE),
        t.symmetric & t.structure.isin(LARGE),
        ~t.symmetric & (t["tail"] != WITH_SIZE),
        t["tail"] == WITH_SIZE,
    ]
    yield "| interval | cells | symmetric noise | few large prompts | skewed noise | effects go with size |"
    yield "|:--|--:|--:|--:|--:|--:|"
    for q, g in t.groupby("quantity", sort=False):
        promise = " (90%)" if g.promise.iloc[0] == 0.9 else ""
        shares = " | ".join(mean_and_lowest(g[part[g.index]]) for part in parts)
        yield f"| {q}{promise} | {len(g)} | {shares} |"


def by_large(t):  # rows of a Markdown table: the structures where few prompts hold many rows
    t = t[t.structure.isin(LARGE) & t.symmetric]
    quantities = [q for q in pd.unique(t.quantity) if q != "RATE ATE, 15% missing"]
    held = t.groupby(["structure", "quantity"]).coverage.mean()
    yield "| prompts | " + " | ".join(quantities) + " |"
    yield "|:--|" + "--:|" * len(quantities)
    for s in LARGE:
        yield f"| {s} | " + " | ".join(f"{100 * held.get((s, q), math.nan):.1f}" for q in quantities) + " |"


def page(rows):  # Markdown
    "The atlas as a page"
    t = as_table(rows)
    own, skewed = t[t.symmetric], t[~t.symmetric & (t["tail"] != WITH_SIZE)]
    many = t.replicates.describe()
    lines = [
        "# Coverage atlas",
        "",
        "> How often do the intervals hold, by function, cluster structure and noise?",
        "",
        "Audits are drawn with numpy around known effects and analysed with the package's functions. A cell "
        "is the share of intervals that hold the truth, for one structure of prompts and one kind of noise.",
        "",
        f"- **Symmetric noise** (normal, t with 3 degrees of freedom): {(own.off >= NEARLY).mean():.1%} of "
        f"{len(own):,} cells lie at most 1.5 points below the promise of 95%, the lowest at "
        f"{100 * own[own.promise > 0.9].coverage.min():.1f}%.",
        "- **Few large prompts**: intervals are longer than they need be, because the degrees of freedom "
        "must serve responses that are alike and responses that are not. They are up to 1.65 times as long "
        "as with independent responses alone, which would hold in 89% of audits in the worst structure.",
        f"- **Skewed noise** (lognormal, or an event of {RARE:.0%} probability) in few prompts: half of "
        f"{len(skewed):,} cells lie below {100 * skewed.coverage.median():.1f}%. Results note contrasts "
        "that are so skewed.",
        "- **Effects that rise with the size of prompts**: intervals for prompts of these sizes are not "
        "about other prompts. `estimand_over=\"new prompts\"` helps in part, the bootstrap does not, and "
        "with Pareto's sizes nothing does.",
        "",
        "![Coverage minus promise of every cell](coverage.svg)",
        "",
        "Mean coverage in per cent, lowest cell in parentheses. Intervals promise 95% but where 90% is "
        f"written. A prompt's noise is {TOGETHER:.0%} of the variance.",
        "",
        *by_interval(t),
        "",
        "Where few prompts hold many responses, mean over symmetric noise; *nearly alike*: a prompt's noise "
        "is 90% of the variance.",
        "",
        *by_large(t),
        "",
        f"A cell has {many['min']:,.0f} to {many['max']:,.0f} audits (median {many['50%']:,.0f}), which "
        f"leaves a standard error of {100 * math.sqrt(0.95 * 0.05 / many['50%']):.1f} points at the median "
        f"and {100 * math.sqrt(0.95 * 0.05 / many['min']):.0f} at most. `docs/coverage.csv` has all "
        "cells. `python benchmarks/coverage_atlas.py --write` adds audits; `--only` renews single functions. "
        f"Last renewed {date.today():%d %B %Y}.",
        "",
    ]
    return "\n".join(lines)


def write_page(rows):
    from rate_nb.plots.charts import save_chart

    PAGE.write_text(page(rows), encoding="utf-8")
    save_chart(chart(rows), CHART)


# ---------------------------------------------------------------------------------------------- the
# command line


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="functions, as --list names them")
    parser.add_argument(
        "--replicates",
        type=int,
        default=REPLICATES,
        help="of a cell with symmetric noise; skewed noise gets a quarter",
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--write",
        action="store_true",
        help="go on from docs/coverage.csv: only replicates that it lacks; renew it and the page",
    )
    parser.add_argument(
        "--fresh", action="store_true", help="with --write: forget the old ones of these functions"
    )
    parser.add_argument("--list", action="store_true")
    a = parser.parse_args(arguments)
    if a.list:
        for name, (f, o) in FUNCTIONS.items():
            print(
                f"{name:<14} {len(o['cells']):>3} cells   {f.__doc__}"
            )
        return 0
    if unknown := set(a.only) - set(FUNCTIONS):
        parser.error(f"no such function: {', '.join(sorted(unknown))}; --list names them")
    rows, seconds, failed = load(TABLE) if a.write else [], {}, []
    if a.fresh:
        rows = [r for r in rows if a.only and r["function"] not in a.only]
    for task, new, cpu, fault in run([(*t, a.seed) for t in tasks(a.only, a.replicates, rows)], a.jobs):
        seconds[task[0]] = seconds.get(task[0], 0) + cpu
        failed += [f"{task}: {fault}"] * bool(fault)
        rows = added(rows, new)
        cells = {_key(r) for r in new}
        for r in (r for r in rows if _key(r) in cells):
            print(
                f"{r['quantity']:<36} {r['structure']:<30} {r['tail']:<12} {r['replicates']:>5} "
                f"{coverage(r):.4f}" + (f"  undefined {r['undefined']}" if r["undefined"] else ""),
                flush=True,
            )
        if a.write:
            save(rows, TABLE)
    print("CPU seconds:", ", ".join(f"{k} {v:.0f}" for k, v in seconds.items()))
    for f in failed:
        print("FAILED", f)
    if a.write:
        write_page(rows)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
