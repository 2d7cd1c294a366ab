"Likelihood rewards of tiny language models of several architectures, against one forward pass per token."
from functools import lru_cache
import numpy as np, pytest
from rate_nb.base.core import InputError, ModelError
from rate_nb.scoring.likelihood import (
    decoder_layers, encode_response, implicit_reward, load_language_model, log_ratio, steered)
from rate_nb.scoring.reward_models import objective_scores
from rate_nb.scoring.rewards import check_scorer
from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer

RNG = np.random.default_rng(0)
WORDS = "the film was very long good bad".split()
TEXTS = [" ".join(RNG.choice(WORDS, n)) for n in RNG.integers(0, 25, 14)]
ARCHITECTURES = {"Llama": {}, "Qwen2": {}, "Qwen3": dict(head_dim=8), "Gemma": dict(head_dim=8),
                 "Gemma2": dict(head_dim=8, sliding_window=8), "Mistral": dict(sliding_window=None),
                 "GPT2": dict(n_embd=16, n_layer=2, n_head=2, n_positions=64)}


def language_model(folder, architecture="Llama", seed=1, tokenizer=None, **config):
    return save_tiny(folder,
                     tiny_model("GPT2LMHeadModel" if architecture == "GPT2" else f"{architecture}ForCausalLM",
                                seed=seed, **(ARCHITECTURES[architecture] | config)), tokenizer)


def tokens(text): return ["[bos]", "user", ":", "the", "film", "[eos]", "assistant", ":", *text.split(),
                          "[eos]"]


@lru_cache(None)
def plain(folder):
    from transformers import AutoModelForCausalLM
    from rate_nb.checkpoints.loading import quiet_transformers
    with quiet_transformers():
        return AutoModelForCausalLM.from_pretrained(folder).eval()


@lru_cache(None)
def slow(folder, text, start=8): # transformers alone: one prefix at a time
    import torch
    m, ids, total = plain(folder), tiny_tokenizer().convert_tokens_to_ids(tokens(text)), 0.
    for i in range(start, len(ids)):
        with torch.inference_mode():
            total += float(m(torch.tensor([ids[:i]])).logits[0, -1].double().log_softmax(-1)[ids[i]])
    return total


def official(folder, text, way, start=8): # rewardbench/dpo.py at 05a9005: labels of the prompt are masked
    import torch
    ids = torch.tensor([tiny_tokenizer().convert_tokens_to_ids(tokens(text))])
    with torch.inference_mode():
        logp = plain(folder)(ids).logits.double().log_softmax(-1)
    masked = torch.where(torch.arange(1, ids.shape[1]) >= start, 1., 0.)[None]
    each = logp[:, :-1].gather(2, ids[:, 1:, None])[..., 0] * masked
    return float({"sum": each.sum(-1), "mean": each.sum(-1) / masked.sum(-1),
                  "norm": -torch.norm(each, p=2, dim=-1)}[way])


@pytest.mark.parametrize("way", ["sum", "mean", "norm"])
def test_scores_without_a_reference_are_the_official_formula(way, tmp_path):
    policy, other = language_model(tmp_path / "p"), language_model(tmp_path / "r", seed=2)
    wanted = np.array([official(policy, t, way) for t in TEXTS])
    for reuse in (True, False):
        m = implicit_reward(policy, beta=1., per_token=way, device="cpu", reuse_prefixes=reuse)
        assert np.abs(m.score("the film", TEXTS) - wanted).max() < 2e-5 and np.ptp(wanted) > .05
    summed = implicit_reward(policy, beta=1., device="cpu")
    assert (m.key == summed.key) == (way == "sum") and m.facts.set_index("fact").value["per_token"] == way
    if way == "norm":
        with pytest.raises(InputError, match="only without `reference`"):
            implicit_reward(policy, other, per_token=way, device="cpu")
    else:
        ratio = implicit_reward(policy, other, 1., per_token=way, device="cpu").score("the film", TEXTS)
        theirs = np.array([official(other, t, way) for t in TEXTS])
        assert np.abs(ratio - (wanted - theirs)).max() < 4e-5
    with pytest.raises(InputError, match="`per_token` must be"):
        implicit_reward(policy, per_token="median", device="cpu")


@pytest.mark.parametrize("architecture", ["Llama", "Qwen2", "Gemma2", "GPT2"])
def test_ratios_equal_one_token_at_a_time(architecture, tmp_path):
    policy, reference = language_model(tmp_path / "p", architecture), language_model(tmp_path / "r",
        architecture, seed=2)
    wanted = .3 * np.array([slow(policy, t) - slow(reference, t) for t in TEXTS[:4]])
    assert np.ptp(wanted) > .05
    order = np.random.default_rng(1).permutation(4)
    for budget in (1, 100, 5000):
        m = implicit_reward(policy, reference, .3, device="cpu", token_budget=budget)
        assert np.abs(m.score("the film", [TEXTS[i] for i in order]) - wanted[order]).max() < 1e-5
    assert check_scorer(m, "the film", TEXTS).passed
    alone = implicit_reward(policy, beta=1., device="cpu")
    np.testing.assert_allclose(alone.score("the film", TEXTS[:3]), [slow(policy, t) for t in TEXTS[:3]],
                               atol=2e-5)
    parts = objective_scores("the film", TEXTS[:3], log_ratio(policy, reference, device="cpu"))
    np.testing.assert_allclose(parts["log_policy"], [slow(policy, t) for t in TEXTS[:3]], atol=2e-5)
    np.testing.assert_allclose(parts["log_reference"], [slow(reference, t) for t in TEXTS[:3]], atol=2e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_zero_vector_is_exactly_nothing_and_others_are_not(architecture, tmp_path):
    lm = load_language_model(language_model(tmp_path / "p", architecture), device="cpu")
    for layer in range(len(decoder_layers(lm.model))):
        assert (log_ratio(steered(lm, layer, np.zeros(16)), lm).score("the film", TEXTS) == 0).all()
        assert (log_ratio(steered(lm, layer, np.arange(16) / 20), lm).score("the film", TEXTS) != 0).all()
    assert (log_ratio(lm, lm).score("the film", TEXTS) == 0).all()          # nothing stays hooked in


def test_steering_is_an_addition_to_the_residual_stream(tmp_path):
    import torch
    lm = load_language_model(language_model(tmp_path / "p"), device="cpu")
    v = torch.linspace(-1, 1, 16)
    ids = torch.tensor([tiny_tokenizer().convert_tokens_to_ids(tokens("was good"))])
    inner, causal = lm.model.model, torch.full((ids.shape[1],) * 2, -torch.inf).triu(1)[None, None]
    # the forward pass written out, no hook
    with torch.inference_mode():
        h = inner.embed_tokens(ids)
        at = dict(attention_mask=causal,
                  position_embeddings=inner.rotary_emb(h, torch.arange(ids.shape[1])[None]))
        logits = lm.model.lm_head(inner.norm(inner.layers[1](inner.layers[0](h, **at) + v, **at)))
    wanted = sum(float(logits[0, i - 1].log_softmax(-1)[ids[0, i]]) for i in range(8, ids.shape[1]))
    assert np.isclose(implicit_reward(steered(lm, 0, v), beta=1.).score("the film", ["was good"])[0], wanted,
                      atol=1e-5)
    assert (steered(lm, -1, v).layer == 1
            and steered(lm, -1, v).key == steered(lm, 1, v).key != steered(lm, 0, v).key)


def merging_tokenizer(template):
    ("A byte-pair tokenizer in which ': g' and 'good' merge: a prompt's tokens are not the first tokens of "
     "the pair")
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast
    letters = ["<pad>", "<s>", "</s>", "<unk>"] + list("abcdefghijklmnopqrstuvwxyz: .\n") + [": ", ": g",
        "oo", "ood"]
    t = Tokenizer(models.BPE({w: i for i, w in enumerate(letters)},
                             [(":", " "), (": ", "g"), ("o", "o"), ("oo", "d")], unk_token="<unk>"))
    return PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
                                   unk_token="<unk>", chat_template=template)


def test_tokens_that_merge_across_the_border_are_the_responses():
    t = merging_tokenizer("<s>{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}</s>\n{% endfor %}")
    e = encode_response(t, "hi", "good", t.chat_template)
    pieces = t.convert_ids_to_tokens(e.ids.tolist())
    # the line break behind it is the template's
    assert pieces[e.start:] == [": g", "ood", "</s>"] and pieces[-1] == "</s>"
    prompt_alone = t("<s>user: hi</s>\nassistant: ", add_special_tokens=False)["input_ids"]
    # a longest common prefix would have been off by one
    assert e.ids.tolist()[:len(prompt_alone)] != prompt_alone
    assert t.convert_ids_to_tokens(encode_response(t, "hi", "bad",
                                                   t.chat_template).ids.tolist())[-4:] == ["b", "a", "d",
                                                       "</s>"]


def test_the_mark_that_ends_a_turn_need_not_be_the_tokenizers_end():
    from tokenizers import AddedToken
    ends = lambda t, r="very good": (lambda e: t.convert_ids_to_tokens(e.ids.tolist())[e.start:])(
        encode_response(t, "the film", r, t.chat_template))
    # as Llama 3 with <|end_of_text|> as its end
    t = tiny_tokenizer(template="[bos] {% for m in messages %}{{ m['role'] }} : {{ m['content'] }}<|eot|>{% "
                                "endfor %}")
    t.add_tokens([AddedToken("<|eot|>", special=True, normalized=False)])
    assert "<|eot|>" not in t.all_special_tokens and ends(t) == ["very", "good", "<|eot|>"]
    t = tiny_tokenizer(template=t.chat_template)
    # a mark that swallows the white space before it
    t.add_special_tokens(dict(eos_token=AddedToken("<|eot|>", special=True, normalized=False, lstrip=True)))
    assert ends(t, "very good ") == ends(t) == ["very", "good", "<|eot|>"]


def test_language_models_that_cannot_share_say_why(tmp_path):
    m = implicit_reward(language_model(tmp_path / "p", "Gemma2"), device="cpu", reuse_prefixes=True)
    m.score("the film", TEXTS)
    assert (m.reused == 0
            and "whole past" in m.scheme
            and m.facts.set_index("fact").value["scheme"] == m.scheme)
    folder = language_model(tmp_path / "l")
    key = lambda dtype, reuse: implicit_reward(folder, device="cpu", dtype=dtype, reuse_prefixes=reuse).key
    # in 16 bits the way moves a score
    assert key("float32", None) == key("float32", False) and key("bfloat16", None) != key("bfloat16", False)


def test_half_surrogates_and_missing_templates_are_no_crash(tmp_path):
    lm = load_language_model(language_model(tmp_path / "p", tokenizer=tiny_tokenizer(template=None)),
                             device="cpu")
    with pytest.warns(UserWarning, match="no chat template.*template='plain'"):
        m = implicit_reward(lm)
    assert np.isfinite(m.score("the film", ["good \ud800"])).all()


def test_plain_layout_ends_with_one_end_token_and_needs_a_beginning(tmp_path):
    from tokenizers import processors
    t = tiny_tokenizer(template=None)
    t.backend_tokenizer.post_processor = processors.TemplateProcessing(single="[bos] $A [eos]",
        special_tokens=[("[bos]", 1), ("[eos]", 2)])
    assert t.convert_ids_to_tokens(encode_response(t, "the film", "good").ids.tolist()) == ["[bos]", "the",
        "film", "good", "[eos]"]
    t.backend_tokenizer.post_processor = processors.TemplateProcessing(single="$A", special_tokens=[])
    lm = load_language_model(language_model(tmp_path / "p", tokenizer=t), device="cpu")
    assert implicit_reward(lm).score("the film", ["good"]).shape == (1,)
    with pytest.raises(InputError, match="nothing stands before"):
        implicit_reward(lm, separator="").score("", ["good"])


def test_what_cannot_be_a_ratio_is_refused(tmp_path):
    a = load_language_model(language_model(tmp_path / "a"), device="cpu")
    with pytest.raises(ModelError, match="no language model.*ForSequenceClassification"):
        load_language_model(save_tiny(tmp_path / "head", tiny_model()), device="cpu")
    with pytest.raises(ModelError, match="no language model.*ForSequenceClassification"):
        load_language_model(save_tiny(tmp_path / "tied", tiny_model(tie_word_embeddings=True)), device="cpu")
    foreign = language_model(tmp_path / "f",
                             tokenizer=tiny_tokenizer(
                                 "[pad] [bos] [eos] [unk] user assistant : a b c d e f g".split()))
    with pytest.raises(ModelError, match="share a vocabulary"):
        log_ratio(a, foreign, device="cpu")
    for bad in (0, -1):
        with pytest.raises(InputError, match="`beta`"):
            implicit_reward(a, beta=bad)
    with pytest.raises(InputError, match="`layer`"):
        steered(a, 2, np.zeros(16))
    with pytest.raises(InputError, match="16 finite numbers"):
        steered(a, 0, np.full(16, np.nan))
    with pytest.raises(InputError, match="steered already"):
        steered(steered(a, 0, np.ones(16)), 0, np.ones(16))
    with pytest.raises(ModelError, match="not there"):
        implicit_reward(tmp_path / "nowhere")
    nan = tiny_model("LlamaForCausalLM")
    nan.lm_head.weight.data[0, 0] = float("nan")
    with pytest.raises(ModelError, match="NaN or infinity"):
        load_language_model(save_tiny(tmp_path / "nan", nan), device="cpu")


def test_a_shrinking_vocabulary_is_noticed(tmp_path):
    small = load_language_model(save_tiny(tmp_path / "s", tiny_model("LlamaForCausalLM", vocab_size=9),
                                          tiny_tokenizer()), device="cpu")
    with pytest.raises(ModelError, match="the model knows 9"):
        implicit_reward(small).score("the film", ["good"])
