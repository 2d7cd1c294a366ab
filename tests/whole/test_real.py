"Real models, data and people: what is said where a part is missing, and what the markup rewriter keeps."
import re
import pytest
from rate_nb.batch import cli
from rate_nb.data.measures import markdown
from rate_nb.studies import real


@pytest.fixture
def nothing_here(monkeypatch, tmp_path):
    "No package that holds the model, and no data"
    monkeypatch.setitem(real.REAL_MODELS, "smollm2",
                        real.REAL_MODELS["smollm2"] | dict(package="no_such_package", sha256="0"*64))
    monkeypatch.setenv("RATE_NB_DATA", str(tmp_path))


def test_the_real_demo_names_every_part_that_is_missing(nothing_here, capsys, tmp_path):
    assert cli.main(["demo", "--real", "--run-dir", str(tmp_path/"run")]) == 2
    said = capsys.readouterr().err
    assert all(part in said for part in ("real-models", "SmolLM2", "CC BY-NC 4.0", "RATE_NB_DATA")), said
    assert not (tmp_path/"run").exists()


HOSTILE = ["", " ", "#", "- ", "**", "****", "```", "~~~\nx", "| a |", "---", "1.", "* * *", "__a__ **b",
           "<b>x</b>", "a\r\nb", "\x00", "- - - x", "## ## x", "1. 2. 3. x", "a: - b", "`**a**`", "> # q",
           "é. “Ünï” – ok."]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_rewritten_without_an_error_and_stays_put(text):
    plain = real.without_markup(text)
    assert real.without_markup(plain) == plain and real.without_markup(real.with_markup(text)) == plain
    letters = lambda t: re.findall(r"[^\W\d_]+", t)
    assert letters(plain) == letters(text) or "<" in text or "`" in text


def test_markup_is_off_and_on():
    text = "# A plan\n\nFirst we look. Then:\n\n* **one** thing\n* another\n\nDone"
    assert markdown(real.without_markup(text)) == 0 < markdown(real.with_markup(text))


def test_sizes_and_sources_say_what_they_may_be():
    with pytest.raises(real.InputError, match="sample"):
        real.study_size("huge")
    with pytest.raises(real.InputError, match="alpaca_eval"):
        real.real_data("nothing")
    with pytest.raises(real.InputError, match="smollm2"):
        real.real_model("nothing")


@pytest.mark.slow("trains adapters in a small random model")
def test_a_reward_with_adapters_is_an_ordinary_directory(tmp_path):
    "It scores as transformers itself scores it, and fits its comparisons better than the head alone"
    pytest.importorskip("peft", reason="needs the extra `train`")
    import numpy as np, pandas as pd, torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer
    from rate_nb.scoring import load_reward_model
    words = "[pad] [bos] [eos] [unk] say it good bad fine film long short".split()
    base = save_tiny(tmp_path/"base", tiny_model("LlamaForCausalLM", 1, words, initializer_range=.3),
                     tiny_tokenizer(words, template=None))
    rng = np.random.default_rng(0)
    draw = lambda: " ".join(rng.choice(words[6:], 6))
    texts = [(draw(), draw()) for _ in range(40)]
    pairs = pd.DataFrame(dict(prompt_id=[f"p{i//4}" for i in range(40)], prompt="say it",
                              first=[a for a, _ in texts], second=[b for _, b in texts], train=True))
    pairs["preferred"] = [.5 + .4*np.sign(b.count("good") - a.count("good")) for a, b in texts]
    loss, folders = {}, {}
    for name, settings in dict(head={}, lora=dict(lora=True, epochs=10, lr=.003)).items():
        folders[name] = real.train_preference_reward(pairs, base, tmp_path, None, **settings)
        reward = load_reward_model(folders[name], dtype="float32", name=name)
        asked = pairs.prompt.tolist()
        scores = [np.array(reward.score(asked, pairs[c].tolist())) for c in ("first", "second")]
        m = scores[1] - scores[0]
        loss[name] = (np.logaddexp(0, m) - pairs.preferred*m).mean()
    assert loss["lora"] < loss["head"] - .01, loss
    plain = AutoModelForSequenceClassification.from_pretrained(folders["lora"], dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folders["lora"])
    for text, score in zip(pairs.second[:5], scores[1]):
        ids = tokenizer.apply_chat_template([dict(role="user", content="say it"),
                                             dict(role="assistant", content=text)],
                                            return_tensors="pt", return_dict=True)
        with torch.no_grad():
            assert abs(float(plain(**ids).logits[0, 0]) - score) < 1e-4
    with pytest.raises(real.InputError, match="rnk.*rank.*only with `lora`"):
        real.train_preference_reward(pairs, base, tmp_path, None, lora=True, rnk=2)
    with pytest.raises(real.InputError, match="epochs.*only with `lora`"):
        real.train_preference_reward(pairs, base, tmp_path, None, epochs=2)
