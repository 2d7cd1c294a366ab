"""How many functions of the package a step of an audit enters, and what help and a wrong column cost.

    python benchmarks/entered.py                 # this checkout
    python benchmarks/entered.py SOMEWHERE/else  # another one
"""
import os, resource, subprocess, sys, tempfile
from pathlib import Path

ENTERED = """
import sys, tempfile
from pathlib import Path
from rate_nb.audit import Audit
import rate_nb
home = str(Path(rate_nb.__file__).parent)
def entered(step):
    seen = set()
    def look(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(home) and not code.co_name.startswith("<"):
            seen.add((code.co_filename, code.co_name, code.co_firstlineno))
    sys.setprofile(look)
    try:
        return step(), len(seen)
    finally:
        sys.setprofile(None)
with tempfile.TemporaryDirectory() as folder:
    said = dict(examples=dict(kind="demo", n=12), rewriter="demo", reward="demo", run_dir=folder)
    audit, n = entered(lambda: Audit.from_config(said))
    print("from_config", n)
    for name in ("rewrite", "score", "effects", "report"):
        print(name, entered(getattr(audit, name))[1])
"""
COMMANDS = {"rate_nb --help": ["--help"], "rate_nb audit --help": ["audit", "--help"],
            "a wrong column": ["calibrate", "rows.csv"]}


def run(words: list[str], root: Path, folder: str) -> tuple[str, float]: # what it says; seconds of CPU
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(root)})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(root: Path):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rows.csv").write_text("promt,response\na,b\n")
        print(run(["-c", ENTERED], root, folder)[0])
        for name, words in COMMANDS.items():
            print(f"{name}: {run(['-m', 'rate_nb', *words], root, folder)[1]:.1f} s of CPU")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
