"""The real papermill, with a faster start where the tests ask for it.

With RATE_NB_HERE a notebook runs in the process that asks: no kernel starts and imports everything anew. In
the tests' own process conftest.py says what starts instead. All else is real. Tests of signals, of
kernels that die and of what is installed start processes without it.
"""
import os, runpy
import here, real

real.load("papermill")
if __name__ == "__main__":
    runpy.run_module("papermill", run_name="__main__", alter_sys=True)
elif real.kernels:
    here.use(real.kernels)
elif os.environ.get("RATE_NB_HERE"):
    here.use(here.here)
