"""Put what `run.py` needs beside torch and transformers into a folder that can be carried to the GPU.

    python benchmarks/gpu/pack.py wheels --python 3.12
    # there: python -m pip install --no-index --no-deps --target site wheels/*.whl
    #        PYTHONPATH=site python benchmarks/gpu/run.py --out results
"""
import argparse, subprocess, sys
from pathlib import Path

# imported on the way to scoring, and not brought by torch and transformers
LIGHT = ("pandas", "python-dateutil", "six", "tzdata", "fastcore")
LIMIT = 40 # MB
PLATFORMS = [f"manylinux_2_{n}_x86_64" for n in (28, 27, 24, 17)] + ["manylinux2014_x86_64"]
ROOT = Path(__file__).resolve().parents[2]


def main(argv=None):
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("folder", type=Path)
    ask.add_argument("--python", default=f"3.{sys.version_info.minor}", help="of the machine with the GPU")
    a = ask.parse_args(argv)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    platforms = [word for p in PLATFORMS for word in ("--platform", p)]
    subprocess.run([*pip, "download", "--quiet", "--no-deps", "--only-binary=:all:", "--implementation", "cp",
                    "--python-version", a.python, *platforms, "-d", str(a.folder), *LIGHT], check=True)
    subprocess.run([*pip, "wheel", "--quiet", "--no-deps", "-w", str(a.folder), str(ROOT)], check=True)
    size = sum(p.stat().st_size for p in a.folder.glob("*.whl"))/2**20
    print(f"{len(list(a.folder.glob('*.whl')))} wheels, {size:.1f} MB of at most {LIMIT}: {a.folder}")
    return int(size > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
