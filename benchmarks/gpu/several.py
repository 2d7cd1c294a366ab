"""Does a model whose layers lie on several GPUs give the scores that it gives on one?

    python benchmarks/gpu/several.py [MODEL]

Without MODEL: a small classifier and a small head, laid over all GPUs that are here (with one GPU: over it
and the CPU), against the same on one device. With MODEL, a folder or a hub name such as
allenai/tulu-v2.5-70b-uf-rm: it is loaded with device="auto", and its places, the scores of its card and the
seconds for 32 texts are printed. Exits with 1 where the small ones differ by more than 1e-3.
Needs accelerate.
"""
import json, sys, tempfile, time
from collections import Counter
from pathlib import Path
import numpy as np
import torch
from safetensors.torch import load_file, save_file
from rate_nb.checkpoints.loading import WORDS, save_tiny, tiny_model
from rate_nb.scoring.sequence_rewards import load_reward_model

RNG = np.random.default_rng(0)
TEXTS = [" ".join(RNG.choice(WORDS[7:], n)) for n in RNG.integers(1, 40, 32)]


def headed(folder): # a checkpoint with one row called regression_head
    save_tiny(folder, tiny_model("LlamaModel", seed=5))
    weights = {f"model.{k}": v for k, v in load_file(folder/"model.safetensors").items()}
    save_file(weights | {"regression_head.weight": torch.randn(1, 16)}, folder/"model.safetensors")
    config = json.loads((folder/"config.json").read_text()) | dict(architectures=["LlamaRewardModel"])
    (folder/"config.json").write_text(json.dumps(config))
    return folder


def small(home):
    gpus = torch.cuda.device_count()
    worst = 0.
    for folder in (save_tiny(home/"classifier", tiny_model("LlamaForSequenceClassification", seed=5)),
                   headed(home/"head")):
        each = (folder/"model.safetensors").stat().st_size//(2 if gpus < 2 else gpus)
        room = {i: each for i in range(gpus)} | {"cpu": 10**9}
        one = load_reward_model(folder, device="cuda", dtype="float32")
        several = load_reward_model(folder, device="auto", dtype="float32", loading=dict(max_memory=room))
        gap = np.abs(several.score("the film", TEXTS) - one.score("the film", TEXTS)).max()
        places = Counter(map(str, several.model.hf_device_map.values()))
        print(f"{folder.name}: {dict(places)}, gap {gap:.2g}")
        worst = max(worst, gap)
    return int(worst > 1e-3)


def large(model):
    reward = load_reward_model(model, device="auto")
    print(reward.facts.to_string(index=False))
    start = time.time()
    reward.score("Is it far?", TEXTS)
    print(f"{len(TEXTS)} texts in {time.time() - start:.1f} s; "
          + ", ".join(f"GPU {i}: {torch.cuda.max_memory_allocated(i)/2**30:.1f} GiB"
                      for i in range(torch.cuda.device_count())))
    return int(bool(reward.card) and reward.card[0] == "fails")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(large(sys.argv[1]))
    with tempfile.TemporaryDirectory() as home:
        sys.exit(small(Path(home)))
