"""Run a notebook's tests in a process of its own that need not import everything first.

Each notebook runs in a fork of a server that has imported the libraries, and nothing of this package: as
alone as in a new process, ten seconds sooner.
"""
import os, tempfile
from multiprocessing import get_context

LIBRARIES = """nbdev.test IPython.display pandas pyarrow.parquet scipy.stats scipy.optimize torch altair
               vl_convert hypothesis httpx openai papermill statsmodels.api
               transformers.models.auto.modeling_auto transformers.models.auto.tokenization_auto
               transformers.models.llama.modeling_llama""".split()
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(LIBRARIES)


def _test(notebook, flags, folder, said):
    with open(said, "w") as f:
        os.dup2(f.fileno(), 1)
        os.dup2(f.fileno(), 2)
    os.chdir(folder)
    from nbdev.test import nbdev_test
    nbdev_test(path=str(notebook), n_workers=0, flags=flags) # exits with 1 where a cell fails


def run_notebook(notebook, folder, flags="", timeout=1500):
    "Run the cells of one notebook as `nbdev_test` does; (exit code, what was printed)"
    with tempfile.NamedTemporaryFile(suffix=".txt") as said:
        job = FORKS.Process(target=_test, args=(notebook, flags, folder, said.name))
        job.start()
        try:
            job.join(timeout)
        finally:
            job.kill()
            job.join()
        with open(said.name, encoding="utf-8", errors="replace") as f:
            text = f.read()
        # who leaves early, or finds nothing to run, has not succeeded
        return job.exitcode or int("Success." not in text), text
