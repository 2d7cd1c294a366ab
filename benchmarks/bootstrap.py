"""Cluster bootstrap of RATE's ATE: the package against the obvious pandas loop, in the same run.

    python benchmarks/bootstrap.py            # 25,000 and 1,000,000 rows; exits with 1 if a target is missed
    python benchmarks/bootstrap.py 25000      # one size

The loop draws prompts with replacement, gathers their rows and recomputes the estimate; it is timed on 20
replicates and scaled. The package turns the signs of what each prompt contributes (wild bootstrap). Its time
covers everything a user waits for: sums per prompt, weights, totals, and the interval from them.
"""
import sys, time
import numpy as np
import pandas as pd
from rate_nb.stats.inference import bootstrap_effects, cluster_sums

TARGETS = {25_000: 30, 1_000_000: 6}  # rows → how many times faster per replicate
PER_PROMPT, LOOP = 10, 20


def scored_table(n, rng):
    prompts = rng.integers(0, n//PER_PROMPT, n)
    return pd.DataFrame(dict(example_id=np.arange(n), prompt_id=prompts, draw=0, model="m",
                             w=rng.integers(0, 2, n), reward_original=rng.normal(size=n),
                             reward_rewrite=rng.normal(size=n), reward_rewrite_of_rewrite=rng.normal(size=n)))


def ate(df):
    sign = 2*df["w"] - 1
    effect = (sign*(df["reward_rewrite_of_rewrite"] - df["reward_rewrite"])).groupby(df["w"]).mean()
    share = df["w"].mean()
    return share*effect[1] + (1 - share)*effect[0]


def pandas_loop(df, replicates, rng):
    rows = df.groupby("prompt_id").indices
    prompts = np.array(list(rows))
    start, out = time.perf_counter(), []
    for _ in range(replicates):
        drawn = rng.choice(prompts, size=len(prompts), replace=True)
        out.append(ate(df.iloc[np.concatenate([rows[p] for p in drawn])]))
    return (time.perf_counter() - start)/replicates, np.std(out, ddof=1)


def package(df, replicates, seed):
    start = time.perf_counter()
    codes, names = pd.factorize(df["prompt_id"])
    w = df["w"].to_numpy()
    c = (2*w - 1)*(df["reward_rewrite_of_rewrite"] - df["reward_rewrite"]).to_numpy()
    sums = cluster_sums(np.c_[np.ones(len(c)), c], codes)
    mean = lambda t: (t[..., 1]/t[..., 0])[..., None]
    (e, _), = bootstrap_effects(mean, sums, sums[:, 0], replicates=replicates, rng=seed, names=names)
    # the standard error that the interval stands for
    return (time.perf_counter() - start)/replicates, (e.ci_high - e.ci_low)/2/1.96


def main(sizes):
    missed = []
    # the first call imports and fills caches
    package(scored_table(500, np.random.default_rng(0)), 10, 0)
    print(f"{'rows':>10} {'prompts':>9} {'loop, ms':>10} {'package, ms':>12} {'faster':>8} {'target':>7}   "
          "std. error: loop, package")
    for n in sizes:
        df = scored_table(n, np.random.default_rng(0))
        loop, se_loop = pandas_loop(df, LOOP, np.random.default_rng(1))
        ours, se_ours = package(df, 2000 if n <= 100_000 else 500, 2)
        target = TARGETS.get(n, 1)
        print(f"{n:>10,} {df.prompt_id.nunique():>9,} {loop*1e3:>10.2f} {ours*1e3:>12.3f} "
              f"{loop/ours:>7.0f}x {target:>6}x   {se_loop:.5f}, {se_ours:.5f}", flush=True)
        if loop/ours < target:
            missed.append(n)
        if not .5 < se_loop/se_ours < 2:
            missed.append(n) # 20 replicates know a standard error to about ±16%
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([int(a) for a in sys.argv[1:]] or list(TARGETS)))
