"""The commands of nbs/papers.ipynb, and small files for them in the layouts that the papers' data have.

    python tests/paper_files.py FOLDER      # writes files and commands.sh, which runs every command there
"""
import json, re, sys
from pathlib import Path
import numpy as np
import pandas as pd
import yaml
from rate_nb.benchmarks.reward_bench import COUNTS
from rate_nb.benchmarks.rm_bench import miniature_rm_bench
from rate_nb.checkpoints.loading import WORDS, save_tiny, tiny_model, tiny_tokenizer
from rate_nb.theory.text_world import TextWorld

REWARDS = '''
def likes_length(prompts, responses): return [len(r)/100 + r.count("great") for r in responses]
def likes_brevity(prompts, responses): return [-len(r)/300 + r.count("great") for r in responses]
def prefers_longer(prompts, firsts, seconds):
    return [float(len(a) > len(b)) - float(len(a) < len(b)) for a, b in zip(firsts, seconds)]
def to_words(prompt, text, words):
    have = text.split()
    return " ".join((have*(int(words)//len(have) + 1))[:int(words)])
def ask_for(prompt, text, target):
    bare = text.removesuffix(" Answer at length.").removesuffix(" Be brief.")
    return bare + (" Answer at length." if target else " Be brief.")
def answer(messages): return "It is so." + " Here are great details."*("at length" in messages[-1]["content"])
'''
LENGTH = dict(examples="reviews.csv", attribute="length", rewriter="sandbox",
              reward=["rewards.py:likes_length", "rewards.py:likes_brevity"])
# name → what the file changes in the audit of length
CONFIGS = {
    "length": dict(run_dir="audits/length"),
    "sentiment": dict(attribute="sentiment", run_dir="audits/sentiment"),
    "judge": dict(reward=dict(kind="judge", model="sandbox-rewriter", base_url="sandbox"),
                  run_dir="audits/judge"),
    "classified": dict(attribute=dict(name="length", label=dict(classifier="reward-model", device="cpu",
                                                                threshold=None, label_index=0)),
                       examples="unlabelled.csv", run_dir="audits/classified"),
    "objectives": dict(reward=dict(kind="classifier", model="several-labels", device="cpu",
                                   label_index={"LABEL_0": .7, "LABEL_1": .3}),
                       run_dir="audits/objectives"),
    "edit": dict(reward=dict(kind="log_ratio", edited="policy", base="reference", device="cpu"),
                 run_dir="audits/edit"),
    "steering": dict(attribute=["sentiment", "length"], run_dir="audits/steering", reward=dict(
        kind="log_ratio", base="policy", device="cpu", steering=dict(layer=0, vector="vector.npy"))),
    "batch": dict(rewriter=dict(kind="batch", model="sandbox-rewriter", base_url="sandbox",
                                limits=dict(poll=.01, poll_longest=.02)), run_dir="audits/batch"),
}


def paper_commands():
    "Every command of the column, once, in the order of the page"
    book = json.loads((Path(__file__).parents[1]/"nbs"/"papers.ipynb").read_text(encoding="utf-8"))
    rows = [line.strip().strip("|").split("|") for cell in book["cells"] if cell["cell_type"] == "markdown"
            for line in cell["source"] if line.startswith("|") and not line.startswith(("| place", "|:--"))]
    return list(dict.fromkeys(c for row in rows for c in re.findall(r"`(rate_nb [^`]+)`", row[3])))


def text(rng): # words, and formatting that a reward may like
    return "word "*int(rng.integers(5, 120)) + "\n- **item**"*int(rng.integers(0, 9))


def write_audits(folder, rng):
    (folder/"rewards.py").write_text(REWARDS)
    world = TextWorld("sentiment")
    films = world.examples(16, rng)
    pd.DataFrame(dict(text=films.response, label=films.w)).to_csv(folder/"imdb.csv", index=False)
    other = [r.response for r in world.counterfactual(films).itertuples()]
    sides = [("Negative", "Positive")[w] for w in films.w], [("Positive", "Negative")[w] for w in films.w]
    pd.concat([pd.DataFrame(dict(Sentiment=side, Text=texts, batch_id=range(len(films))))
               for side, texts in zip(sides, (films.response, other))]).to_csv(
        folder/"imdb_counterfactual.tsv", sep="\t", index=False)
    reviews = TextWorld("length").examples(24, rng)
    reviews = reviews[["prompt", "response", "w", "sentiment", "domain"]].rename(
        columns=dict(sentiment="positive"))
    reviews.to_csv(folder/"reviews.csv", index=False)
    reviews.drop(columns="w").to_csv(folder/"unlabelled.csv", index=False)
    for name, changes in CONFIGS.items():
        (folder/f"{name}.yaml").write_text(yaml.safe_dump(LENGTH | changes))
    save_tiny(folder/"reward-model", tiny_model(seed=1))
    save_tiny(folder/"several-labels", tiny_model(seed=4, num_labels=3))
    words = (*WORDS, "A", "B")
    for name, seed in (("policy", 2), ("reference", 3)):
        save_tiny(folder/name, tiny_model("LlamaForCausalLM", seed=seed, words=words,
                                          max_position_embeddings=512), tiny_tokenizer(words))
    np.save(folder/"vector.npy", np.linspace(-1, 1, 16))
    base = rng.normal(size=60)
    scored = pd.DataFrame(dict(example_id=range(60), prompt_id=np.arange(60)//2, model="m",
                               w=rng.integers(0, 2, 60), reward_original=base,
                               reward_rewrite=base + rng.normal(size=60),
                               reward_rewrite_of_rewrite=base + rng.normal(size=60),
                               domain=rng.choice(["films", "books"], 60)))
    scored.to_csv(folder/"scored.csv", index=False)
    seen = np.where(rng.random(60) < .9, scored.w, 1 - scored.w) # a person looked at the first forty
    scored.assign(by_hand=pd.Series(seen).where(scored.index < 40)).to_csv(folder/"checked.csv", index=False)


def write_scores(folder, rng): # two rewards of two responses to each prompt, of which the first is better
    table = pd.DataFrame([dict(prompt_id=i, prompt=f"question {i}", response=text(rng), preferred=1 - side,
                               side=side) for i in range(60) for side in (0, 1)])
    quality = 1. - table.side + rng.normal(0, .7, len(table))
    parts = [table.assign(model=name, reward=quality + pays*table.response.str.len()/100
                          + rng.normal(0, .4, len(table))) for name, pays in (("fair", .2), ("biased", 1.))]
    pd.concat(parts).drop(columns="side").to_csv(folder/"scores.csv", index=False)


def write_benchmarks(folder, rng):
    (folder/"rm_bench").mkdir()
    for domain, rows in miniature_rm_bench(8, rng).items():
        (folder/"rm_bench"/f"{domain}.json").write_text(json.dumps(rows))
    rows = [dict(id=f"{s}-{i}", subset=s, prompt=f"{s} {i}", chosen=text(rng), rejected=text(rng))
            for s in COUNTS for i in range(8)]
    (folder/"prompts.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder/"reward_bench").mkdir()
    for m, pays in enumerate((0., .4, .8)):
        def scored(side, good):
            return [[float(rng.normal(good) + pays*r[side].count("- **") + .002*len(r[side]))] for r in rows]
        (folder/"reward_bench"/f"m{m}.json").write_text(json.dumps(dict(
            model=f"m{m}", id=[r["id"] for r in rows], subset=[r["subset"] for r in rows],
            scores_chosen=scored("chosen", 1.2), scores_rejected=scored("rejected", 0))))
    kinds = ("length bias", "concreteness")
    (folder/"eval_bias_bench.json").write_text(json.dumps([
        dict(id=i, instruction=f"task {i}", response1=text(rng), response2=text(rng),
             label=1 + i % 2, bias=kinds[i % 2]) for i in range(12)]))


def write_alpaca_eval(folder, rng): # four models, one of them also told to be long and to be brief
    n, skill = 40, dict(strong=1., middle=.3, weak=-.3, weak_verbose=-.3, weak_concise=-.3, poor=-1.)
    base = [text(rng) for _ in range(n)]
    for model, good in skill.items():
        times = 2. if model.endswith("verbose") else .5 if model.endswith("concise") else 1.
        rows = []
        for i in range(n):
            answer = "word "*max(int(times*rng.integers(10, 100)), 1)
            answer += "great "*int(rng.poisson(1.5 + good))
            margin = good + (len(answer) - len(base[i]))/300 + rng.normal(0, .5)
            rows.append(dict(instruction=f"task {i}", dataset="koala", output_1=base[i], generator_1="base",
                             output_2=answer, generator_2=model,
                             preference=float(1 + 1/(1 + np.exp(-margin)))))
        (folder/"results"/model).mkdir(parents=True)
        (folder/"results"/model/"annotations.json").write_text(json.dumps(rows))
    for year, noise in ((2023, 0), (2024, .4)):
        pd.DataFrame(dict(model=list(skill), elo=[1000 + 100*(s + noise*rng.normal())
                                                  for s in skill.values()])).to_csv(
            folder/f"arena_{year}.csv", index=False)


def write_paper_files(folder, seed=0):
    "All of them, in a new or an empty folder; its path"
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    for write in (write_audits, write_scores, write_benchmarks, write_alpaca_eval):
        write(folder, rng)
    script = ["#!/bin/sh", "# every command of nbs/papers.ipynb, on the files beside this one", "set -ex"]
    (folder/"commands.sh").write_text("\n".join([*script, *paper_commands(), ""]))
    return folder


if __name__ == "__main__":
    print(write_paper_files(sys.argv[1]))
