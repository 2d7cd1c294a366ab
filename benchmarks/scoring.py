"""Scoring against common practice, in one run: one text at a time, fixed batches of 8 in dataset order,
length-sorted rectangles, shared prefixes read once.

    python benchmarks/scoring.py                     # 600 RM-Bench prompts x 3, a 12M-parameter Llama
    python benchmarks/scoring.py --prompts 60 --rounds 3
    python benchmarks/scoring.py --threads 1         # on one core

Exits with 1 if a target is missed. A GPU has a benchmark of its own, `gpu/run.py`. Every scheme scores
the same texts with the same number of threads, so tokens a second are *unique* tokens a second: padding
does not count as work done, and what texts share counts once, for every scheme. The schemes go
through their batches in step, so that a busy moment meets all of them; what counts is the clock, CPU
seconds stand beside it, and ratios are the median over rounds. The tokenizer is trained on the texts; all
weights are random, which no timing can tell.
"""
import argparse, os, sys, tempfile, time
os.environ["HF_HUB_OFFLINE"] = "1"
from pathlib import Path
from types import SimpleNamespace
import numpy as np
import torch
from rate_nb.checkpoints.encoding import chat_text, Encoded
from rate_nb.scoring.prefix_sharing import in_token_order, shared_tokens
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.benchmarks.rm_bench import load_rm_bench
from rate_nb.checkpoints.loading import save_tiny

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "rm_bench"
TEMPLATE = "<s>{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}</s>{% endfor %}"
# 12M with 4,096 tokens
SMALL = dict(hidden_size=384, intermediate_size=1024, num_hidden_layers=6, num_attention_heads=6,
             num_key_value_heads=6)
# what is wanted: times common practice, padding, largest difference of a score
FASTER, WASTE, GAP = 2.5, .01, 1e-5


def texts(folder, n):
    ("n prompts drawn from all files, in the order of the dataset, each with its three chosen responses: "
     "concise, detailed, markdown")
    pairs = load_rm_bench(folder)
    pairs = pairs.iloc[np.sort(np.random.default_rng(0).permutation(len(pairs))[:n])]
    return [p for p in pairs.prompt for _ in range(3)], [r for three in pairs.chosen for r in three]


def bpe(prompts, responses, vocabulary):
    "A byte-level BPE tokenizer, as Llama 3 has one, trained on the texts"
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.train_from_iterator([*prompts[::3], *responses],
                          trainers.BpeTrainer(vocab_size=vocabulary, special_tokens=["<pad>", "<s>", "</s>"],
                                              show_progress=False,
                                                                           initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    return PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
                                   chat_template=TEMPLATE)


def llama(vocabulary, shape, **config):
    from transformers import LlamaConfig, LlamaForSequenceClassification
    torch.manual_seed(0)
    return LlamaForSequenceClassification(LlamaConfig(vocab_size=vocabulary, max_position_embeddings=8192,
                                                      num_labels=1, pad_token_id=0, bos_token_id=1,
                                                      eos_token_id=2,
                                                      **shape, **config)).eval()


def unique_tokens(tokenizer, prompts, responses):
    "Tokens of all texts, and tokens of all texts where what texts begin with alike counts once"
    ids = tokenizer([chat_text(tokenizer, p, r) for p, r in zip(prompts, responses)],
                    add_special_tokens=False)["input_ids"]
    items = [Encoded(np.array(t)) for t in ids]
    items = [items[i] for i in in_token_order(items)]
    useful = sum(len(e.ids) for e in items)
    return useful, useful - sum(shared_tokens(items, [len(e.ids) - 1 for e in items], least=1))


def fixed(model, tokenizer, prompts, responses, found, size):
    "Batches as they come, padded to the longest: of 8, common practice; of 1, one text at a time"
    for i in range(0, len(prompts), size):
        x = tokenizer([chat_text(tokenizer, p, r) for p,
                       r in zip(prompts[i:i + size], responses[i:i + size])], add_special_tokens=False,
                      padding=True, return_tensors="pt")
        x = {k: x[k].to(model.device) for k in ("input_ids", "attention_mask")}
        with torch.inference_mode():
            found.rewards[i:i + size] = model(**x).logits[:, 0].float().cpu().numpy()
        found.tokens, found.padding = found.tokens + x["input_ids"].numel(), found.padding + int((1
            - x["attention_mask"]).sum())
        yield min(1., (i + size) / len(prompts))


def ours(scorer, prompts, responses, found, step=24):
    ("The package: its batches in its order, by all its workers; they stand still after each step, so that "
     "other schemes have the machine to themselves")
    scorer.tokens = scorer.padding = done = 0
    items = scorer.prepare(list(zip(prompts, responses)))
    plan = scorer.plan(items)
    for part in (plan[i:i + step] for i in range(0, len(plan), step)):
        for batch, rows in zip(part,
                               list(scorer.score_batches([[items[i] for i in batch] for batch in part],
                                                         len(plan)))):
            found.rewards[batch], done = [row["reward"] for row in rows], done + len(batch)
        found.tokens, found.padding = scorer.tokens, scorer.padding
        yield done / len(items)


def in_step(schemes, n):
    "Run schemes side by side, always the one that is behind; what each found, and its seconds"
    found = {s: SimpleNamespace(rewards=np.full(n, np.nan), tokens=0, padding=0, cpu=0., wall=0.)
             for s in schemes}
    steps, at = {s: run(found[s]) for s, run in schemes.items()}, dict.fromkeys(schemes, 0.)
    while min(at.values()) < 1:
        s = min(at, key=at.get)
        cpu, wall = time.process_time(), time.perf_counter()
        at[s] = next(steps[s])
        found[s].cpu, found[s].wall = found[s].cpu + time.process_time() - cpu, found[
            s].wall + time.perf_counter() - wall
    return found


def compare(prompts, responses, rounds):
    tokenizer = bpe(prompts, responses, 4096)
    model = llama(4096, SMALL)
    useful, unique = unique_tokens(tokenizer, prompts, responses)
    print(f"{len(prompts):,} texts of {len(set(prompts)):,} prompts, {useful:,} tokens, {unique:,} of them "
          f"unique; {sum(p.numel() for p in model.parameters()):,} parameters, "
          f"float32, {torch.get_num_threads()} thread(s)", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        save_tiny(folder, model, tokenizer)
        padded, packed = load_reward_model(folder, device="cpu",
                                           reuse_prefixes=False), load_reward_model(folder, device="cpu")
        packed.scheme, packed.lean # tried once for each model, not once for each run
        schemes = {"8 a batch, dataset order": lambda f: fixed(model, tokenizer, prompts, responses, f, 8),
                   "one text at a time": lambda f: fixed(model, tokenizer, prompts, responses, f, 1),
                   "rectangles, sorted by length": lambda f: ours(padded, prompts, responses, f),
                   "shared prefixes, prompts read once": lambda f: ours(packed, prompts, responses, f)}
        runs = []
        for k in range(rounds):
            start = time.perf_counter()
            runs.append(in_step(schemes, len(prompts)))
            print(f"round {k + 1}, {time.perf_counter() - start:.0f} s: " + "; ".join(f"{s} {f.wall:.1f} s, "
                                                                                      f"{f.cpu:.1f} s of CPU"
                                                                                      for s, f in runs[
                                                                                          -1].items()),
                  flush=True)
    usual, *_, best = schemes
    print("\n| scheme | s | CPU s | unique tokens/s | faster | faster by CPU | tokens computed | padding | "
          "largest difference |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|")
    for s in schemes:
        cpu, wall, last = np.median([r[s].cpu for r in runs]), np.median([r[s].wall
                                                                          for r in runs]), runs[-1][s]
        ratio, by_cpu = (np.median([getattr(r[usual], m) / getattr(r[s], m) for r in runs])
                         for m in ("wall", "cpu"))
        gap = np.abs(last.rewards - runs[-1][usual].rewards).max()
        print(f"| {s} | {wall:.1f} | {cpu:.1f} | {unique / wall:,.0f} | {ratio:.2f}× | {by_cpu:.2f}× | "
              f"{last.tokens:,} | {last.padding / last.tokens:.1%} | {gap:.0e} |")
    missed = [name for name,
              bad in ((f"{FASTER}×", ratio < FASTER),
                      (f"padding {WASTE:.0%}", last.padding > WASTE * last.tokens),
                      (f"differences {GAP:g}", not gap <= GAP)) if bad]
    print(f"missed: {', '.join(missed)}" if missed else f"every target met: {FASTER}×, padding {WASTE:.0%}, "
                                                        f"differences {GAP:g}")
    return int(bool(missed))


def main(argv=None):
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--prompts", type=int, default=600)
    ask.add_argument("--rounds", type=int, default=1)
    ask.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of torch")
    ask.add_argument("--data", default=DATA, help="folder with RM-Bench's files")
    a = ask.parse_args(argv)
    if not Path(a.data).is_dir():
        print(f"no RM-Bench in {a.data}; name its folder with --data")
        return 2
    torch.set_num_threads(a.threads)
    return compare(*texts(a.data, a.prompts), a.rounds)


if __name__ == "__main__":
    sys.exit(main())
