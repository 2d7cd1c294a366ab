"The benchmark for GPUs runs on a CPU in small, with nothing but torch, transformers and what it packs"
import json, os, re, subprocess, sys
from importlib.metadata import PackageNotFoundError, distribution
import pytest
from conftest import ROOT

sys.path.append(str(ROOT/"benchmarks"))
from gpu.pack import LIGHT


def with_needs(names):
    "Distributions, and all that they require without extras"
    found, todo = {}, list(names)
    while todo:
        name = re.sub("[-_.]+", "-", todo.pop()).lower()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        todo += [re.match(r"[\w.-]+", r)[0] for r in found[name].requires or [] if "extra ==" not in r]
    return found.values()


def folder_of(names, folder):
    "A folder that holds these distributions and nothing else"
    folder.mkdir()
    for d in with_needs(names):
        for top in {f.parts[0] for f in d.files or [] if f.parts[0] not in ("..", "__pycache__")}:
            if not (folder/top).exists(): # one folder of several
                (folder/top).symlink_to(d.locate_file(top))
    return folder


@pytest.mark.slow("builds and scores small models of two architectures")
def test_it_runs_on_a_cpu_with_nothing_but_what_is_packed(tmp_path):
    there = folder_of(["torch", "transformers", *LIGHT], tmp_path/"site")
    done = subprocess.run(
        [sys.executable, "-S", str(ROOT/"benchmarks"/"gpu"/"run.py"), "--device", "cpu", "--small",
         "--prompts", "5", "--out", str(tmp_path), "--data", str(tmp_path/"none"),
         "--architectures", "Llama", "Roberta"],
        capture_output=True, text=True, timeout=600, env={**os.environ, "PYTHONPATH": str(there)})
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path/"gpu.json").read_text())
    assert found["of"] == "made texts" and found["texts"] == 15 and all(r["right"] for r in found["rewards"])
    assert {r["architecture"] for r in found["rewards"]} == {"Llama", "Roberta"}
    by = {(r["shape"], r["scheme"]): r for r in found["throughput"]}
    llama = [by["8B Llama", s] for s in ("8 a batch, dataset order", "shared prefixes")]
    assert llama[0]["padding"] > .1 and llama[1]["padding"] == 0
    assert llama[1]["unique_tokens"] < llama[1]["tokens"]
    assert all(r["gap"] < .2 and r["of_the_floor"] > 0 for r in found["throughput"])
    assert any("0.4B DeBERTa v3, shared prefixes" in said for said in found["left_out"])


def test_without_a_gpu_it_says_so(tmp_path):
    import torch
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    from gpu.run import main
    assert main(["--out", str(tmp_path/"out")]) == 2 and not (tmp_path/"out").exists()
