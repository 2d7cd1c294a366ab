"""The pages of the guide, run from top to bottom in one folder; `python tests/guide.py` renews them.

A block `sh` is a command, or a file of Python that is run, the block `text` below it is what it prints, and a
block that begins with `# NAME.py` or `# NAME.yaml` is a file.
"""
import os, re, shlex, shutil, subprocess, sys, tempfile
from pathlib import Path
from warm import commands

ROOT = Path(__file__).resolve().parent.parent
INDEX = ROOT/"docs"/"guide.md"
PAGES = [INDEX.parent/name for name in re.findall(r"^\| \[[^]]+\]\((guide/\w+\.md)\)", INDEX.read_text(
    encoding="utf-8"), re.M)] # in reading order
SHOWN = re.compile(r"```sh\n((?:rate_nb|python) [^\n]+)\n```\n\n```text\n(.*?)```", re.S)
FILES = re.compile(r"```\w+\n# (\w+\.(?:py|yaml))\n(.*?)```", re.S)
# what differs from run to run: digests, days, how long something took
ROUGH = ((r"\b[0-9a-f]{64}\b", "…"), (r"\b20\d\d-\d\d-\d\d\b", "…"), (r"127\.0\.0\.1:\d+", "127.0.0.1:…"),
         (r"\b[\d.]+ (s|min|minutes|seconds)\b", "…"),
         (r"(?m)^(\S+ +.*\bdone +)\d+.*$", r"\1…"))


def prepared(folder):
    "The files that the pages use"
    for ours, theirs in dict(texts="responses", scores="scores").items():
        shutil.copy(ROOT/"docs"/"examples"/f"{theirs}.csv", folder/f"{ours}.csv")
    shutil.copytree(ROOT/"docs"/"published", folder/"studies")
    return folder


def printed(run, command, folder):
    "What a command prints, without what differs from run to run"
    env = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")} | {"COLUMNS": "110"}
    program, *words = shlex.split(command)
    if program == "python":
        env["PYTHONPATH"] = str(ROOT)
        done = subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True)
        code, said, errors = done.returncode, done.stdout, done.stderr
    else:
        code, said, errors = run(words, folder, timeout=900, apart=True, env=env)
    assert code == 0, f"{command}\n{said}\n{errors}"
    said = said.replace(f"{folder}/", "")
    for pattern, instead in ROUGH:
        said = re.sub(pattern, instead, said)
    return "\n".join(line.rstrip() for line in said.strip().splitlines()) + "\n"


def ran(run, page, folder):
    "[(command, what the page shows, what it prints)], after writing the page's files"
    text = page.read_text(encoding="utf-8")
    for name, held in FILES.findall(text):
        (folder/name).write_text(held, encoding="utf-8")
    return [(command, shown, printed(run, command, folder)) for command, shown in SHOWN.findall(text)]


if __name__ == "__main__":
    import conftest # noqa: F401, the environment in which the tests run commands
    with tempfile.TemporaryDirectory() as folder, commands() as run:
        prepared(Path(folder))
        for page in PAGES:
            print(page.name, flush=True)
            text = page.read_text(encoding="utf-8")
            for command, shown, said in ran(run, page, Path(folder).resolve()):
                block = f"```sh\n{command}\n```\n\n```text\n"
                text = text.replace(f"{block}{shown}```", f"{block}{said}```")
            page.write_text(text, encoding="utf-8")
