"Repair: pairs by hand, what is wrong, the minimum of the loss, and a planted length effect that goes."
import json
import numpy as np, pandas as pd, pytest
from rate_nb.scoring.reward_models import as_reward_model
from rate_nb.studies.repair import (
    _accuracy_rows, augmentation_pairs, held_out, write_pairs)


def tables(n, rng):
    "Audits of n prompts with two responses; texts are numbers in words, so that rewards can be computed"
    ids = [f"e{i}" for i in range(2*n)]
    w = rng.integers(0, 2, 2*n)
    examples = pd.DataFrame(dict(example_id=ids, prompt_id=np.repeat(np.arange(n), 2), prompt="?",
                                 response=[f"y {i}" for i in ids], w=w, votes=rng.integers(0, 4, 2*n)))
    rows = [dict(example_id=i, draw=0, depth=d, target_w=t, status="ok",
                 text=f"{i} {'long' if t else 'short'}")
            for i, own in zip(ids, w) for d, t in ((1, 1 - own), (2, own))]
    return examples, pd.DataFrame(rows)


def test_votes_pair_responses_of_equal_label_and_failures_are_left_out():
    examples, rewrites = tables(60, np.random.default_rng(1))
    rewrites.loc[rewrites.example_id.isin(["e0", "e1", "e2"]), "status"] = "refused"
    got = augmentation_pairs(examples, rewrites, preferred="votes")
    e = examples.set_index("response")
    causal = got[got.kind == "causal"]
    assert (got.kind == "neutral").sum() == 117 and len(causal) > 10
    assert (e.votes[causal.chosen].to_numpy() > e.votes[causal.rejected].to_numpy()).all()
    assert (e.w[causal.chosen].to_numpy() == e.w[causal.rejected].to_numpy()).all()


def test_a_quality_audit_gives_causal_pairs():
    examples, rewrites = tables(10, np.random.default_rng(2))
    better, rewritten = tables(5, np.random.default_rng(3))
    got = augmentation_pairs(examples, rewrites, quality=(better, rewritten))
    causal = got[got.kind == "causal"]
    assert len(causal) == 10 and (causal.label == 1).all() and causal.chosen.str.endswith("long").all()


def test_the_interval_of_an_accuracy_is_one_that_a_share_can_have():
    pairs = pd.DataFrame(dict(prompt="q", prompt_id=[f"p{i//2}" for i in range(24)], rejected="b",
                              chosen=["a"*(i + 2) for i in range(24)]))
    model = lambda least: as_reward_model(lambda prompts, texts: [float(len(t) > least) for t in texts])
    rows = _accuracy_rows(pairs, dict(before=model(1), after=model(2)), None, .95)
    found = {reward: ends for _, reward, _, *ends in rows}
    assert 0 < found["after"][0] < found["after"][1] <= 1
    assert found["before"][1] == 1 and found["before"][0] < 1

def test_hostile_texts_survive_the_file(tmp_path):
    examples, rewrites = tables(3, np.random.default_rng(0))
    rewrites["text"] = [f"<script>{i}\u2028\n" for i in range(len(rewrites))]
    pairs = augmentation_pairs(examples, rewrites)
    lines = write_pairs(pairs, tmp_path/"a.jsonl").read_bytes().split(b"\n")
    rows = [json.loads(line) for line in lines if line]
    assert len(rows) == 6 and rows[0]["chosen"].startswith("<script>") and rows[0]["margin"] is None
    assert len(held_out([1, 1, "1", 2])) == 4 and held_out([1, "1"]).tolist() in ([True]*2, [False]*2)


@pytest.mark.slow
def test_the_planted_effect_goes_under_another_rewriter(tmp_path):
    import sys
    from pathlib import Path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]/"benchmarks"))
    from repair import one_seed
    from rate_nb.scoring import load_reward_model
    from rate_nb.studies import demo_reward_model
    got = one_seed(0, load_reward_model(demo_reward_model(), name="before"), tmp_path)
    assert abs(got["other causal"]) < .2*got["other before"]
    assert got["right causal"] > got["right before"] - .01
    assert abs(got["other plain"]) > .5*got["other before"]     # ties alone shrink everything alike


@pytest.mark.slow
def test_lora_takes_the_effect_out_too(tmp_path):
    pytest.importorskip("peft", reason="needs the extra `train`")
    from rate_nb.rewriting import double_rewrite
    from rate_nb.scoring import load_reward_model
    from rate_nb.scoring.reward_models import score_texts
    from rate_nb.studies import demo_reward_model
    from rate_nb.studies.repair import repair_reward
    from rate_nb.theory import TextWorld
    world, model = TextWorld("length"), load_reward_model(demo_reward_model(), name="before")
    examples = world.examples(120, np.random.default_rng(0))
    rewrites = double_rewrite(examples, "length", world.rewriter)
    pairs = augmentation_pairs(examples, rewrites, reward=lambda p, t: score_texts(p, t, model))
    folder = repair_reward(model, pairs, tmp_path/"repaired", train="lora", lr=3e-3, epochs=3)
    repaired, ties = load_reward_model(str(folder), name="after"), pairs[pairs.kind == "neutral"]

    def effect(m): # of length, in standard deviations of the originals' rewards
        long, short = (np.array(score_texts(ties.prompt.tolist(), ties[s].tolist(), m))
                       for s in ("chosen", "rejected"))
        originals = score_texts(examples.prompt.tolist(), examples.response.tolist(), m)
        return (long - short).mean()/np.std(originals)

    assert abs(effect(repaired)) < .25*effect(model)
