"""Monte Carlo proofs: a seeded sample in every run of CI, the whole study with RATE_NB_STUDIES=whole.

A whole study takes hours: `RATE_NB_STUDIES=whole CI=1 python -m pytest tests/stats/test_inference.py`
"""
import os
import numpy as np
from scipy.stats import binom

WHOLE = os.environ.get("RATE_NB_STUDIES") == "whole"


def repeats(few, whole): return whole if WHOLE else few


def possible(hits, n, low, high=1.):
    "Each of these numbers of hits in n: not rarer than once in 1,000 where a hit has a chance of low to high"
    hits = np.asarray(hits)
    return bool(np.all((binom.cdf(hits, n, low) > .001) & (binom.sf(hits - 1, n, high) > .001)))
