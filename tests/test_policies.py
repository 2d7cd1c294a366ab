"Training a model directory: what is read, what is wrong, trained and answered once, compared by prompt."
import json
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError
from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer
from rate_nb.stats.inference import paired_effect
from rate_nb.studies.training import (
    as_the_model_reads, compare_answers, generated, load_preferences, train_policy)

WORDS = "[pad] [bos] [eos] [unk] user assistant : say something good bad".split()
PAIRS = pd.DataFrame(dict(prompt=["say something"]*8, chosen=["good"]*8, rejected=["bad"]*8))


@pytest.mark.parametrize("row, words", [
    (dict(prompt="p", chosen="a"), "lacks rejected"),
    (dict(prompt="p", chosen=["a"], rejected="b"), "`chosen` must be a text or a list of messages"),
    (dict(prompt=None, chosen="a", rejected="b"), "`prompt` must be a text"),
])
def test_what_is_wrong_with_preferences_is_said(tmp_path, row, words):
    (tmp_path/"p.jsonl").write_text(json.dumps(row))
    with pytest.raises(InputError, match=words):
        load_preferences(tmp_path/"p.jsonl")


def test_a_chat_model_reads_messages():
    got = as_the_model_reads(PAIRS.head(1), tiny_tokenizer())
    assert got.prompt[0] == [dict(role="user", content="say something")]
    assert got.chosen[0] == [dict(role="assistant", content="good")]


def test_answers_are_compared_within_prompts():
    rng = np.random.default_rng(0)
    base = pd.DataFrame(dict(prompt_id=np.repeat(np.arange(20), 3), length=rng.normal(100, 30, 60)))
    base["length"] += 50*base.prompt_id
    other = base.assign(length=base.length - 5 + rng.normal(size=60))
    got = compare_answers(dict(before=base, after=other), ["length"], .9).set_index("model")
    x, y = (t.groupby("prompt_id").length.mean().to_numpy() for t in (other, base))
    want = paired_effect(x, y, level=.9)
    e = got.loc["after − before"]
    assert (e.estimate, e.ci_low, e.ci_high) == pytest.approx((want.estimate, want.ci_low, want.ci_high))
    assert e.ci_high - e.ci_low < 2 and got.loc["after"].ci_high - got.loc["after"].ci_low > 100
    assert compare_answers(dict(a=base.assign(length=np.nan)), ["length"]).estimate.isna().all()


def test_settings_and_a_missing_peft(tmp_path, monkeypatch):
    import sys
    base = save_tiny(tmp_path/"base", tiny_model("LlamaForCausalLM", 0, WORDS), tiny_tokenizer(WORDS))
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(InputError, match="`lora` needs the `peft` package"):
        train_policy(base, PAIRS, tmp_path/"policy", lora=4)
    with pytest.raises(InputError, match="`beta` must be above 0"):
        train_policy(base, PAIRS, tmp_path/"policy", beta=0)
    with pytest.raises(InputError, match="`samples` and `max_new_tokens`"):
        generated(base, ["say"], tmp_path/"a.parquet", samples=0)
    assert not (tmp_path/"policy").exists()


@pytest.mark.slow
def test_lora_learns_the_preference_and_leaves_a_whole_model(tmp_path):
    pytest.importorskip("peft", reason="needs the extra `train`")
    from rate_nb.scoring import implicit_reward
    from rate_nb.scoring.reward_models import score_texts
    base = save_tiny(tmp_path/"base", tiny_model("LlamaForCausalLM", 0, WORDS), tiny_tokenizer(WORDS))
    policy = train_policy(base, PAIRS, tmp_path/"policy", lora=4, epochs=4, lr=1e-2)
    assert not list(policy.glob("adapter*"))
    good, bad = score_texts(["say something"]*2, ["good", "bad"], implicit_reward(str(policy), str(base)))
    assert good > 0 > bad
