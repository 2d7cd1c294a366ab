"""Does a repair on one rewriter's pairs hold under another rewriter, and what does it cost?

    python benchmarks/repair.py          # ten seeds; exits with 1 where the claim fails
    python benchmarks/repair.py 2        # so many seeds

Each seed draws a population, rewrites it by a rewriter written here, which knows half of the sentences
that the planted length is made of and changes nothing else, makes pairs of the rewrites and fits the head of
the demo reward model. Then *other* prompts are audited with *other* rewriters: the simulation's own, which
redraws the style of each text; and one that pads with words the reward was never trained on. Wanted with the
first: the effect of length, in standard deviations of the reward, falls by 80% on average, and the accuracy
against the planted quality, of which length is no part, falls by at most one point. Beside it the same ties
without causal pairs, and pairs from rewrites that change style as well.
"""
import os
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import random, re, sys, tempfile
from pathlib import Path
import numpy as np
import pandas as pd
from rate_nb.rewriting import double_rewrite
from rate_nb.scoring import load_reward_model, score_texts
from rate_nb.stats.inference import paired_effect
from rate_nb.studies.demo import demo_reward_model
from rate_nb.studies.repair import augmentation_pairs, audit_repair, repair_reward
from rate_nb.theory import TextWorld
from rate_nb.theory.text_world import ELABORATIONS, Taste

COLUMNS = ["example_id", "prompt_id", "prompt", "response", "w"]
HALF = ELABORATIONS[::2]


def first_rewriter(prompt, text, target):
    "Half of the sentences that length is planted with, and nothing else changed"
    dice, out = random.Random(f"{target} {text}"), []
    for i, sentence in enumerate(re.split(r"(?<=[.!?])(?:\s+|(?=<br />))", text)):
        if sentence.replace("<br />", "").strip() in ELABORATIONS:
            continue
        out += [sentence] + [dice.choice(HALF)]*(target == 1 and i % 2 == 0)
    return " ".join(out)

PADDING = """The matter deserves another paragraph, so here it goes.
Let us dwell on that a moment longer.
To put it differently, the point stands as stated.
More could be written, and some of it is written down.
This part of the account is given in full for completeness.
What follows from it is spelled out one more time.""".splitlines()


def padded(text, seed):
    dice, out = random.Random(f"{seed} {text}"), []
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        out += [sentence, dice.choice(PADDING)]
    return " ".join(out)


def without_padding(text):
    for sentence in PADDING:
        text = text.replace(" " + sentence, "")
    return text


def another_rewriter(prompt, text, target):
    plain = without_padding(text)
    return padded(plain, "again") if target else plain


def population(n, rng, long_too):
    "Responses without confounding; or short ones only, half of them padded here"
    world = TextWorld("length", confounding=0., responses_per_prompt=2)
    rows = world.latents(n, rng)
    if long_too:
        return world.write(rows)
    table = world.write(rows.assign(length=0, w=0))
    w = rng.integers(2, size=n)
    return table.assign(w=w, response=[padded(r, "first") if v else r for r, v in zip(table.response, w)])


def one_seed(seed, model, folder, n=1000):
    "Effects of length and accuracies of the reward as it is and as it was repaired"
    rng = np.random.default_rng([seed, 22])
    examples, world = population(n, rng, long_too=True)[COLUMNS], TextWorld("length")
    def own(prompts, texts): return score_texts(prompts, texts, model)
    made = {}
    for name, rewriter in dict(causal=first_rewriter, style=world.rewriter).items():
        rewrites = double_rewrite(examples, "length", rewriter)
        made[name] = augmentation_pairs(examples, rewrites, reward=own, rng=seed)
    made["plain"] = made["causal"][made["causal"].kind == "neutral"].reset_index(drop=True)
    repaired = {}
    for name, pairs in made.items():
        where = repair_reward(model, pairs, Path(folder)/f"{name}-{seed}")
        repaired[name] = load_reward_model(where, name=name)
    out = {}
    for who, rewriter in dict(other=world.rewriter, alien=another_rewriter).items():
        asked = population(400, rng, long_too=who == "other")[COLUMNS]
        rewrites = double_rewrite(asked, "length", rewriter)
        for name, after in repaired.items():
            done = audit_repair(asked, rewrites, model, after)
            out[f"{who} before"] = done.get("effect in standard deviations", "before")
            out[f"{who} {name}"] = done.get("effect in standard deviations", "after")
    fresh = TextWorld("length", confounding=0.).examples(1600, rng)
    quality = Taste(length=0., film_length=0.)(fresh.prompt, fresh.response)
    first, second = np.arange(0, 1600, 2), np.arange(1, 1600, 2)
    differ = np.abs(quality[first] - quality[second]) > 1e-9
    for name, m in dict(before=model, **repaired).items():
        r = score_texts(fresh.prompt.tolist(), fresh.response.tolist(), m)
        right = np.sign(r[first] - r[second]) == np.sign(quality[first] - quality[second])
        out[f"right {name}"] = float(right[differ].mean())
    print(seed, {k: round(v, 3) for k, v in out.items()}, file=sys.stderr, flush=True)
    return out


def told(values):
    e = paired_effect(values, np.zeros(len(values)))
    return e, f"{e.estimate:.1f} [{e.ci_low:.1f}, {e.ci_high:.1f}]"


def main(seeds):
    model = load_reward_model(demo_reward_model(), name="before")
    with tempfile.TemporaryDirectory() as folder:
        t = pd.DataFrame([one_seed(s, model, folder) for s in range(seeds)])
    print(f"Effect before: {t['other before'].mean():.3f} standard deviations by the other rewriter, "
          f"{t['alien before'].mean():.3f} by the one with unseen words; accuracy before "
          f"{100*t['right before'].mean():.1f}%; {seeds} seeds, 95% intervals.\n")
    print("| trained on | effect falls by, %: other rewriter | unseen words | accuracy changes by, points |\n"
          "|:--|--:|--:|--:|")
    kept = {}
    for name, words in (("causal", "ties and causal pairs"), ("plain", "ties alone"),
                        ("style", "ties and causal pairs of rewrites that change style too")):
        falls = {w: told(100*(1 - t[f"{w} {name}"].abs()/t[f"{w} before"])) for w in ("other", "alien")}
        cost = told(100*(t[f"right {name}"] - t["right before"]))
        print(f"| {words} | {falls['other'][1]} | {falls['alien'][1]} | {cost[1]} |")
        kept[name] = falls["other"][0].estimate, cost[0].estimate
    sys.exit(not (kept["causal"][0] >= 80 and kept["causal"][1] >= -1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
