"""What share of a training does a watch take, and does the training notice?

    python benchmarks/watch.py           # three trainings with a watch, three without, by turns
    python benchmarks/watch.py 5 800     # so many, of so many steps

A Llama of one million weights is trained by TRL's RewardTrainer on a CPU, on pairs of texts of 30 to 100
words, 8 pairs a step. Two audits of 200 prompts are watched, with four looks after the first; `AuditCallback`
chooses the number of prompts from its share (2% by default). Stated are its own count, and the wall time with
and without it. The script exits with 1 where the median of its own count is above 2% or any weight differs.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import sys, tempfile, time, warnings
import numpy as np
import pandas as pd
import torch
from datasets import Dataset, disable_progress_bars
from transformers import PrinterCallback
from trl import RewardConfig, RewardTrainer
from rate_nb.checkpoints.loading import tiny_model, tiny_tokenizer
from rate_nb.studies import AuditCallback

torch.set_num_threads(1)
WORDS = ["[pad]", "[bos]", "[eos]", "[unk]", "user", "assistant", ":", *(f"w{i}" for i in range(500))]


def text(rng, words): return " ".join(rng.choice(WORDS[7:], words))


def audit(rng, prompts=200):
    n = 2*prompts
    w = rng.integers(0, 2, n)
    first = pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt="w1 w2 w3", w=w,
                              prompt_id=[f"p{i//2}" for i in range(n)],
                              response=[text(rng, 75 if t else 30) for t in w]))
    rows = [dict(example_id=f"e{i}", draw=0, depth=d, target_w=t, instruction_id="x", status="ok",
                 text=text(rng, 75 if t else 30)) for i in range(n) for d, t in ((1, 1 - w[i]), (2, w[i]))]
    return first, pd.DataFrame(rows)


def trained(steps, audits):
    "(seconds, weights, callback)"
    rng = np.random.default_rng(0)
    turn = lambda role, said: [dict(role=role, content=said)]
    data = Dataset.from_list([dict(prompt=turn("user", "w1 w2 w3"),
                                   chosen=turn("assistant", text(rng, rng.integers(30, 100))),
                                   rejected=turn("assistant", text(rng, rng.integers(30, 100))))
                              for _ in range(8*steps)])
    model = tiny_model(words=WORDS, hidden_size=160, intermediate_size=480, num_hidden_layers=3,
                       num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=256,
                       initializer_range=.02, attention_dropout=.1)
    with tempfile.TemporaryDirectory() as folder:
        args = RewardConfig(folder, per_device_train_batch_size=8, learning_rate=1e-4, report_to="none",
                            save_strategy="no", disable_tqdm=True, bf16=False, gradient_checkpointing=False,
                            use_cpu=True, max_length=None, seed=0, num_train_epochs=1, logging_steps=50)
        trainer = RewardTrainer(model, args=args, train_dataset=data, processing_class=tiny_tokenizer(WORDS))
        trainer.remove_callback(PrinterCallback)
        callback = AuditCallback(trainer, audits, every=steps//4) if audits else None
        if callback:
            trainer.add_callback(callback)
        since = time.monotonic()
        trainer.train()
        return time.monotonic() - since, model.state_dict(), callback


if __name__ == "__main__":
    disable_progress_bars()
    warnings.simplefilter("ignore")
    times, steps = int((sys.argv[1:] or [3])[0]), int((sys.argv[2:] or [400])[0])
    audits = {name: audit(np.random.default_rng(i)) for i, name in enumerate(("length", "tone"))}
    shares, seconds, same = [], dict(with_=[], without=[]), True
    for _ in range(times):
        took, plain, _ = trained(steps, None)
        seconds["without"].append(took)
        took, weights, callback = trained(steps, audits)
        seconds["with_"].append(took)
        shares.append(callback.time_share)
        same &= all(torch.equal(a, b) for a, b in zip(plain.values(), weights.values()))
        used = callback.table.prompts
        print(f"share {shares[-1]:.2%}, {len(callback.watch.steps)} looks of {used.iloc[0]} to {used.min()} "
              f"prompts; {took:.0f} s with, {seconds['without'][-1]:.0f} s without", flush=True)
    share = float(np.median(shares))
    print(f"median share {share:.2%}; weights {'identical' if same else 'DIFFER'}; wall time with / without "
          f"{np.median(seconds['with_'])/np.median(seconds['without']):.3f}")
    sys.exit(0 if share <= .02 and same else 1)
