"The whole loop on files, in a shell: every run takes the files of the one before, and nothing is paid twice."
import json, os, subprocess
from pathlib import Path
import numpy as np
import pytest
from rate_nb.benchmarks import miniature_rm_bench
from rate_nb.checkpoints.loading import WORDS, save_tiny, tiny_model, tiny_tokenizer
from rate_nb.theory import TextWorld
from warm import listening

TESTS = Path(__file__).resolve().parents[1]


def files(folder):
    rng, world = np.random.default_rng(0), TextWorld("length")
    table = world.examples(40, rng)[["prompt_id", "prompt", "response", "w"]]
    table.to_csv(folder/"examples.csv", index=False)
    pool = TextWorld("length", responses_per_prompt=3).examples(72, rng)
    pool[["prompt_id", "prompt", "response"]].to_json(folder/"responses.jsonl", orient="records", lines=True)
    domain, bench = next(iter(miniature_rm_bench(4, rng).items()))
    (folder/"rm_bench.json").write_text(json.dumps([r | dict(domain=domain) for r in bench]))
    pairs = world.examples(16, rng)
    rows = [dict(id=i, subset="alpacaeval-easy", prompt=p, chosen=a, rejected=b)
            for i, (p, a, b) in enumerate(zip(pairs.prompt[::2], pairs.response[::2],
                                              pairs.response[1::2]))]
    (folder/"reward_bench.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    for name, shift in (("one", 0), ("two", 1)):
        (folder/"alpaca_eval"/name).mkdir(parents=True)
        judged = [dict(instruction=r["prompt"], output_1=r["rejected"], generator_1="base",
                       output_2=rows[(i + shift) % 8]["chosen"], generator_2=name, annotator="judge",
                       preference=1.2 + .1*(i % 7))
                  for i, r in enumerate(rows)]
        (folder/"alpaca_eval"/name/"annotations.json").write_text(json.dumps(judged))
    words = list(dict.fromkeys([*WORDS, *" ".join([*table.prompt, *table.response]).split()]))
    save_tiny(folder/"base", tiny_model("LlamaForCausalLM", 0, words, max_position_embeddings=1024),
              tiny_tokenizer(words))


@pytest.mark.slow
def test_the_whole_loop_and_again(tmp_path):
    files(tmp_path)
    with listening() as rate_nb:
        done = subprocess.run(["sh", str(TESTS/"loop.sh"), str(tmp_path)], capture_output=True, text=True,
                              env=os.environ | dict(RATE_NB=rate_nb))
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "done again" in done.stdout and done.stdout.count("round 2") == 10
    paid = dict(line.rsplit(": ", 1) for line in (tmp_path/"said"/"paid.1.txt").read_text().splitlines())
    calls = {name for name, n in paid.items() if "rewrite_calls" in name and n != "0"}
    assert calls == {'runs/audit/summary.json:"rewrite_calls"'}, "the first audit alone asks for rewrites"
    assert sum(n != "0" for n in paid.values()) >= 8, paid
    again = paid['runs/audit_again/summary.json:"forward_passes"']
    assert again == "0", "a calibrated reward takes what the reward gave already"
    kinds = (tmp_path/"said"/"kept.1.txt").read_text()
    assert '"kind": "rewrite"' in kinds and '"kind": "reward"' in kinds
