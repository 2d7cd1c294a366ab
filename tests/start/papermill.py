"""The real papermill; where RATE_NB_HERE is set, it runs a notebook's cells in the process that asks.

No kernel starts and imports everything anew, which takes most of the time of a small run. All else is real. Tests
of signals, of kernels that die and of what is installed leave it unset.
"""
import os
from real import load

load(__name__)
if os.environ.get("RATE_NB_HERE"):
    from here import in_this_process
    in_this_process()
