"""The real papermill, with a faster start where the tests ask for it.

With RATE_NB_HERE it runs a notebook's cells in the process that asks: no kernel starts and imports everything
anew. In the tests' own process conftest.py says what starts instead of a kernel. All else is real. Tests of signals, of
kernels that die and of what is installed start processes without it.
"""
import os
import here, real

real.load(__name__)
if real.kernels:
    here.use(real.kernels)
elif os.environ.get("RATE_NB_HERE"):
    here.use(here.here)
