("The reward models of the calibration paper and the special ones of RewardBench, as tiny checkpoints in the "
 "layout of their makers' classes (tensor names, shapes, config keys), each against a few lines of its "
 "published formula and its text written out by hand.")
import contextlib, json
import numpy as np, pytest
from rate_nb.base.core import InputError, ModelError
from rate_nb.checkpoints.encoding import find_convention, known_models
from rate_nb.checkpoints.loading import quiet_transformers
from rate_nb.scoring.heads import find_head
from rate_nb.scoring.reward_models import RewardWarning
from rate_nb.scoring.sequence_rewards import load_reward_model

# the Bradley-Terry models that the paper's script calibrates on RewardBench (calibrate_rewardbench.sh of
# github.com/ZeroYuHuang/Reward-Calibration at aadcfe9, "as of Aug. 2024"): 36, of which the paper keeps the
# 33 that are right more often than not
CLASSIFIERS = {
    "NCSOFT/Llama-3-OffsetBias-RM-8B": "Llama", "Ray2333/GRM-llama3-8B-distill": "Llama",
    "Ray2333/reward-model-Mistral-7B-instruct-Unified-Feedback": "Mistral",
    "Ray2333/Gemma-2B-rewardmodel-baseline": "Gemma", "weqweasdas/RM-Gemma-2B": "Gemma",
    "weqweasdas/RM-Gemma-7B": "Gemma", "weqweasdas/RM-Gemma-7B-4096": "Gemma",
    "weqweasdas/RM-Mistral-7B": "Mistral", "hendrydong/Mistral-RM-for-RAFT-GSHF-v0": "Mistral",
    "weqweasdas/hh_rlhf_rm_open_llama_3b": "Llama", "sfairXC/FsfairX-LLaMA3-RM-v0.1": "Llama",
    "CIR-AMS/BTRM_Qwen2_7b_0613": "Qwen2", "allenai/tulu-v2.5-13b-uf-rm": "Llama",
    "allenai/tulu-v2.5-70b-uf-rm": "Llama", "allenai/tulu-v2.5-13b-preference-mix-rm": "Llama",
    "allenai/tulu-v2.5-70b-preference-mix-rm": "Llama", "allenai/llama-3-tulu-2-8b-uf-mean-rm": "Llama",
    "allenai/llama-3-tulu-2-70b-uf-mean-rm": "Llama"}
HEADED = ["openbmb/Eurus-RM-7b", "openbmb/UltraRM-13b", "berkeley-nest/Starling-RM-7B-alpha",
          "Nexusflow/Starling-RM-34B", "Ray2333/GRM-llama3-8B-sftreg", "Ray2333/GRM-Gemma-2B-sftreg",
          "PKU-Alignment/beaver-7b-v1.0-reward", "PKU-Alignment/beaver-7b-v2.0-reward",
          "PKU-Alignment/beaver-7b-v1.0-cost", "PKU-Alignment/beaver-7b-v2.0-cost",
          "OpenAssistant/oasst-rm-2-pythia-6.9b-epoch-1", "OpenAssistant/oasst-rm-2.1-pythia-1.4b-epoch-2.5"]
OTHERS = ["OpenAssistant/reward-model-deberta-v3-large-v2", "IDEA-CCNL/Ziya-LLaMA-7B-Reward",
          "internlm/internlm2-1_8b-reward", "internlm/internlm2-7b-reward", "internlm/internlm2-20b-reward",
          "RLHFlow/RewardModel-Mistral-7B-for-DPA-v1"]
LISTED = [*CLASSIFIERS, *HEADED, *OTHERS]
SPECIAL = ["infly/INF-ORM-Llama3.1-70B", "nicolinho/QRM-Llama3.1-8B", "nicolinho/QRM-Llama3-8B",
           "ShikaiChen/LDL-Reward-Gemma-2-27B-v0.1", "RLHFlow/ArmoRM-Llama3-8B-v0.1",
           "nvidia/Llama-3.1-Nemotron-70B-Reward-HF", "lab/trained-with-openrlhf"]
# one of each layout is enough for every change; all of them are a slow proof
QUICK = ["allenai/tulu-v2.5-13b-uf-rm", "CIR-AMS/BTRM_Qwen2_7b_0613", "Nexusflow/Starling-RM-34B",
         "Ray2333/GRM-llama3-8B-sftreg", "PKU-Alignment/beaver-7b-v2.0-cost",
         "OpenAssistant/oasst-rm-2-pythia-6.9b-epoch-1", *SPECIAL[1:4], *SPECIAL[5:]]

OWN = "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}\n{% endfor %}" # Tulu style, without a BOS
ROBIN = ("A chat between a curious human and an artificial intelligence assistant. The assistant gives "
         "helpful, detailed, and polite answers to the human's questions.")


# as RewardBench writes the text, where the makers write another: scripts/configs/eval_configs.yaml names the
# templates; rewardbench/chattemplates.py and fastchat/conversation.py spell them out
BENCH = {"weqweasdas/hh_rlhf_rm_open_llama_3b": f"{ROBIN}\n###Human:\n{{}}\n###Assistant:\n{{}}\n",
         "openbmb/Eurus-RM-7b": "[INST] {} [/INST] {}</s>",
         "openbmb/UltraRM-13b": "User: {}\n\nAssistant: {}\n\n"}


def text_of(name, p, r): # the whole text, as its makers write it, or RewardBench where they are silent
    if "hh_rlhf_rm" in name:
        return f"###Human: {p} ###Assistant: {r}"
    if "Eurus" in name:
        return f"[INST] {p} [/INST] {r}"
    if "UltraRM" in name:
        return f"Human: {p}\nAssistant: {r}"
    if "Starling-RM-7B" in name:
        return f"[INST] {p} </s> [/INST] {r}</s>"
    if "Starling-RM-34B" in name:
        return f"<|im_start|>user\n{p}<|im_end|>\n<|im_start|>assistant\n{r}<|im_end|>\n"
    if "beaver" in name:
        return f"BEGINNING OF CONVERSATION: USER: {p} ASSISTANT:{r}"
    if "oasst-rm" in name:
        return f"<|prompter|>{p}<|endoftext|><|assistant|>{r}<|endoftext|>"
    if "Ziya" in name:
        return f"Human:{p}\n\nAssistant:{r}</s>"
    if "openrlhf" in name:
        return f"<|user|>\n{p}\n<|assistant|>\n{r} </s>"
    return f"<|user|>\n{p}\n<|assistant|>\n{r}\n"


def byte_tokenizer(bos=True): # one token a byte, besides a few special ones; it writes a BOS before a text
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast
    special = ["<pad>", "<s>", "</s>", "<|endoftext|>", "<unk>", "<|assistant|>", "<|user|>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    t = Tokenizer(models.BPE({w: i for i, w in enumerate([*special, *letters])}, []))
    t.pre_tokenizer, t.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    if bos:
        t.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B:1",
                                                         special_tokens=[("<s>", 1)])
    return PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
                                   unk_token="<unk>", additional_special_tokens=special[3:4] + special[5:],
                                   chat_template=OWN)


SIZE = dict(vocab_size=263, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
            num_key_value_heads=2, head_dim=8, max_position_embeddings=600, initializer_range=.3,
            pad_token_id=0, bos_token_id=1, eos_token_id=2)
BACKBONES = {}
GATE = [] # tokens that open the assistant's turn, filled by `gate_of`
# read without what the tokenizer adds: a chat template's own tokens are all there are
AS_WRITTEN = ("nvidia/Llama-3.1-Nemotron-70B-Reward-HF", "RLHFlow/ArmoRM-Llama3-8B-v0.1",
              "lab/trained-with-openrlhf")


def backbone(kind): # made once
    import torch, transformers
    if kind not in BACKBONES:
        newer = ("num_key_value_heads", "head_dim")
        size = {k: v for k, v in SIZE.items() if kind != "GPTNeoX" or k not in newer}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(7)
            config = getattr(transformers, f"{kind}Config")(**size)
            BACKBONES[kind] = getattr(transformers, f"{kind}Model")(config).eval()
    return BACKBONES[kind]


def draw(*shape, seed=0):
    import torch
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed + 31 * len(shape) + shape[0]))


def layout(name): # (backbone, prefix of its weights, head's tensors, config.json, formula of hidden states)
    w = draw(1, 16)
    last = lambda h, ids: float(w[0] @ h[-1])
    if name in CLASSIFIERS:
        kind = CLASSIFIERS[name]
        return kind, "model.", {"score.weight": w}, dict(architectures=[f"{kind}ForSequenceClassification"],
                                                         id2label={"0": "LABEL_0"}), last
    if "Eurus" in name or "UltraRM" in name:
        made = "EurusRewardModel" if "Eurus" in name else "LlamaRewardModel"
        kind = "Mistral" if "Eurus" in name else "Llama"
        return kind, "model.", {"regression_head.weight": w}, dict(architectures=[made]), last
    if "Starling-RM" in name: # 34B declares a classifier; 7B stores a language model beside
        made = "LlamaForSequenceClassification" if "34B" in name else "LlamaForCausalLM"
        more = {} if "34B" in name else {"model.lm_head.weight": draw(263, 16)}
        return "Llama", "transformer.", {"v_head.weight": w} | more, dict(architectures=[made]), last
    if "sftreg" in name: # ValueHead: summary = Linear, ReLU, Linear
        kind = "Gemma" if "Gemma" in name else "Llama"
        a, b, c, d = draw(32, 16), draw(32), draw(1, 32), draw(1)
        head = {"v_head.summary.0.weight": a, "v_head.summary.0.bias": b, "v_head.summary.2.weight": c,
                "v_head.summary.2.bias": d}
        config = dict(architectures=[f"{kind}ForCausalLM"], vhead_layer_type="mlp", vhead_num_neurons=32,
                      vhead_num_layers=1)
        return kind, "model.", head, config, lambda h, ids: float(c[0] @ (a @ h[-1] + b).clamp(min=0) + d)
    if "beaver" in name: # ScoreModelMixin: affine for a reward, scale for a cost, the sign of which is turned
        cost = "cost" in name
        config = dict(architectures=["LlamaModelForScore" if "v1" in name else "LlamaForScore"], score_dim=1,
                      bias=True, score_type="cost" if cost else "reward", do_normalize=True,
                      normalizer_type="ExponentialMovingAverage", mean=[.7], var=[2.25])
        bias = draw(1)
        raw = lambda h: float(w[0] @ h[-1] + bias)
        formula = (lambda h, ids: -raw(h) / 1.5) if cost else (lambda h, ids: (raw(h) - .7) / 1.5)
        return "Llama", "model.", {"score_head.weight": w, "score_head.bias": bias}, config, formula
    if "oasst-rm" in name: # GPTNeoXRewardModel; the larger takes the mean, here, so that both are tried
        mean, bias = "6.9b" in name, draw(1)
        config = dict(architectures=["GPTNeoXRewardModel"], model_type="gpt_neox_reward_model",
                      pooling="mean" if mean else "last")
        pool = (lambda h: h.mean(0)) if mean else (lambda h: h[-1])
        return "GPTNeoX", "gpt_neox.", {"out_proj.weight": w, "out_proj.bias": bias}, config, \
            lambda h, ids: float(w[0] @ pool(h) + bias)
    if "INF-ORM" in name: # score = Linear, ReLU, Linear
        a, b, c, d = draw(16, 16), draw(16), draw(1, 16), draw(1)
        head = {"score.0.weight": a, "score.0.bias": b, "score.2.weight": c, "score.2.bias": d}
        return "Llama", "model.", head, dict(architectures=["INFORMForSequenceClassification"]), \
            lambda h, ids: float(c[0] @ (a @ h[-1] + b).clamp(min=0) + d)
    if "QRM" in name or "ArmoRM" in name:
        return gated(quantiles=5 if "QRM" in name else 1)
    if "LDL" in name:
        return graded()
    if "Nemotron-70B" in name: # a language model; the logit of token 0 behind the last token
        rows = draw(263, 16)
        return "Llama", "model.", {"lm_head.weight": rows}, dict(architectures=["LlamaForCausalLM"]), \
            lambda h, ids: float(rows[0] @ h[-1])
    if "openrlhf" in name: # _get_reward_model: mean and std in config.json, num_labels unset
        config = dict(architectures=["RewardModel"], normalize_reward=True, mean=.5, std=2.,
                      value_head_prefix="score")
        return "Qwen2", "model.", {"score.weight": w}, config, lambda h, ids: (float(w[0] @ h[-1]) - .5) / 2
    raise AssertionError(name)


# ArmoRM: ReLU between its layers; QRM: no bias, batch normalisation, mean of quantiles
def gated(quantiles, n=3, width=8):
    import torch
    r = draw(n * quantiles, 16)
    m = torch.eye(n) + .1 * draw(n, n)
    head = {"regression_layer.weight": r, "reward_transform_matrix": m,
            "gating.logit_scale": torch.tensor([1.3])}
    sizes, at, steps = [16, width, width, n], 0, []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        weight, bias = draw(b, a, seed=i), draw(b, seed=i)
        head[f"gating.layers.{at}.weight"] = weight
        inner, norm = i + 2 < len(sizes), None
        if not inner or quantiles == 1:
            head[f"gating.layers.{at}.bias"] = bias
        else:
            bias = 0
        if inner and quantiles > 1: # Linear, ReLU, BatchNorm: three places
            norm = [draw(b, seed=9), draw(b, seed=10), draw(b, seed=11), draw(b, seed=12).abs() + .5]
            names = ("weight", "bias", "running_mean", "running_var")
            head |= {f"gating.layers.{at + 2}.{k}": v for k, v in zip(names, norm)}
            head[f"gating.layers.{at + 2}.num_batches_tracked"] = torch.tensor(4)
            at += 2
        at += 1
        steps.append((weight, bias, inner, norm))

    def formula(h, ids):
        at = max(i for i in range(len(ids)) if ids[i:i + 2] == GATE)
        x = h[at]
        for weight, bias, inner, norm in steps:
            x = weight @ x + bias
            x = x.clamp(min=0) if inner else x
            if norm:
                x = (x - norm[2]) / (norm[3] + 1e-5).sqrt() * norm[0] + norm[1]
        gates = torch.softmax(x / 4, 0) * 1.3
        objectives = (r @ h[-1]).reshape(n, quantiles).mean(1)
        return float((gates * (objectives @ m)).sum())
    config = dict(architectures=["LlamaForRewardModelWithGating"], num_objectives=n, gating_hidden_dim=width,
                  gating_n_hidden=2, gating_temperature=4, gating_pattern=GATE)
    return "Llama", "model.", head, config | (dict(num_quantiles=quantiles) if quantiles > 1 else {}), formula


def graded(n=2): # LDL: distributions over ten grades, mixed
    import torch
    leak = lambda x: torch.where(x > 0, x, .01 * x)
    sizes = dict(regression_layer=[16, 12, 12, 10 * n], gating_layer=[16, 12, 12, n])
    step = dict(regression_layer=2, gating_layer=3) # Linear, LeakyReLU; and a Dropout in the gate
    beside = {name: {f"network.{i * step[name]}.{k}": draw(*((b, a) if k == "weight" else (b,)), seed=i)
                     for i, (a, b) in enumerate(zip(s, s[1:])) for k in ("weight", "bias")}
              for name, s in sizes.items()}

    def climb(name, x):
        for i in range(3):
            at = f"network.{i * step[name]}"
            x = beside[name][f"{at}.weight"] @ x + beside[name][f"{at}.bias"]
            x = leak(x) if i < 2 else x
        return x

    def formula(h, ids):
        grades = torch.softmax(climb("regression_layer", h[-1]).reshape(n, 10), 1)
        return float((climb("gating_layer", h[-1]) @ grades) @ torch.linspace(0, 1, 10))
    config = dict(architectures=["Gemma2Model"], num_objectives=10 * n)
    return "Gemma2", "", {"beside": beside}, config, formula


def checkpoint(folder, name): # a directory as on the hub, and its formula
    import torch
    from safetensors.torch import save_file
    folder = folder / name.split("/")[-1]
    kind, prefix, head, config, formula = layout(name)
    tokenizer = byte_tokenizer(bos="pythia" not in name)
    with quiet_transformers():
        backbone(kind).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    for part, tensors in head.pop("beside", {}).items():
        torch.save(tensors, folder / f"{part}.pt")
    weights = {prefix + k: v.contiguous() for k, v in backbone(kind).state_dict().items()} | head
    save_file(weights, folder / "model.safetensors")
    there = json.loads((folder / "config.json").read_text())
    there = {k: v for k, v in there.items() if k not in ("id2label", "label2id", "num_labels")}
    (folder / "config.json").write_text(json.dumps(there | config))
    return folder, kind, formula


PAIRS = [("How far is it?", "Two miles."), ("How far is it?", "Ask someone who lives here, I do not."),
         ("Name a colour", "Blue")]


def by_hand(name, kind, formula, tokenizer, text=text_of): # one text at a time, with the tokenizer's BOS
    import torch
    out = []
    for p, r in PAIRS:
        ids = tokenizer(text(name, p, r), add_special_tokens=name not in AS_WRITTEN)["input_ids"]
        with torch.inference_mode():
            out.append(formula(backbone(kind)(torch.tensor([ids])).last_hidden_state[0], ids))
    return np.array(out)


def gate_of(tokenizer): # the tokens that open the assistant's turn
    GATE[:] = tokenizer("<|assistant|>\n", add_special_tokens=False)["input_ids"]


def scores_as_published(name, folder):
    gate_of(byte_tokenizer())
    folder, kind, formula = checkpoint(folder, name)
    with pytest.warns() if find_convention(name, [], known_models()).expected else contextlib.nullcontext():
        model = load_reward_model(folder, device="cpu")
    found = model.score(*zip(*PAIRS))
    wanted = by_hand(name, kind, formula, model.tokenizer)
    assert np.ptp(wanted) > .01 and np.abs(found - wanted).max() < 1e-5 * max(1, np.abs(wanted).max()), name
    return model


def test_every_listed_model_has_a_row_and_the_right_kind():
    rows = known_models()
    assert len(LISTED) == 36 == len(set(LISTED))
    for name in [*LISTED, *SPECIAL]:
        made = layout(name)[3]["architectures"] if name not in OTHERS else []
        row = find_convention(name, made, rows)
        assert row.source, name
        kind = find_head(row.head, made)
        wanted = None if name in CLASSIFIERS else "scalar"
        wanted = {"QRM": "gate", "Arm": "gate", "LDL": "mean_grade", "Lla": "token_0"}.get(
            name.split("/")[1][:3] if name in SPECIAL else "", wanted)
        if name not in OTHERS:
            assert (kind and kind.name) == wanted, name
    assert find_convention(OTHERS[0], [], rows).template == "pair"
    assert {find_convention(n, [], rows).head for n in OTHERS[2:5]} == {"internlm2"}
    assert find_convention(OTHERS[5], [], rows).refused


@pytest.mark.parametrize("name", QUICK)
def test_a_layout_scores_as_its_makers_publish(name, tmp_path): scores_as_published(name, tmp_path)


@pytest.mark.parametrize("name", BENCH)
def test_the_makers_convention_is_the_default_and_rewardbenchs_is_named(name, tmp_path, recwarn):
    folder, kind, formula = checkpoint(tmp_path, name)
    bench = load_reward_model(folder, device="cpu", template="rewardbench")
    assert not [w for w in recwarn if issubclass(w.category, RewardWarning)] # a card says nothing of it
    wanted = by_hand(name, kind, formula, bench.tokenizer, lambda name, p, r: BENCH[name].format(p, r))
    assert np.abs(bench.score(*zip(*PAIRS)) - wanted).max() < 1e-5 * max(1, np.abs(wanted).max())
    makers = scores_as_published(name, tmp_path / "makers")
    assert np.abs(makers.score(*zip(*PAIRS)) - wanted).max() > .01
    assert "RewardBench" in bench.reading and "RewardBench" not in makers.reading and bench.key != makers.key
    with pytest.raises(InputError, match="'rewardbnch' .*'rewardbench'"):
        load_reward_model(folder, device="cpu", template="rewardbnch")


def test_an_earlier_turn_ends_as_in_training(): # the examples on cards have one turn
    turns = [dict(role=role, content=text) for role, text in
             zip(["user", "assistant"] * 2, ["Is it far?", "No.", "How far?", "Two miles."])]
    from rate_nb.checkpoints.encoding import chat_text
    wanted = {
        "hh_rlhf_rm": "###Human: Is it far? ###Assistant: No. ###Human: How far? ###Assistant: Two miles.",
        "Eurus": "[INST] Is it far? [/INST] No.</s>[INST] How far? [/INST] Two miles.",
        "UltraRM": "Human: Is it far?\nAssistant: No.\nHuman: How far?\nAssistant: Two miles."}
    templates = {row.family: row.template for row in known_models()}
    for family, text in wanted.items():
        assert chat_text(byte_tokenizer(), turns[:-1], turns[-1]["content"], templates[family]) == text


def test_a_margin_on_a_card_is_compared_in_the_text_of_its_example(tmp_path):
    folder, *_ = checkpoint(tmp_path, "allenai/tulu-v2.5-13b-uf-rm")
    typed = "{{ messages[0].content }} [\\A] {{ messages[1].content }}"
    model = load_reward_model(folder, device="cpu")
    (prompt, first), (_, second) = PAIRS[:2]
    found = load_reward_model(folder, device="cpu", template=typed).score([prompt]*2, [first, second])
    margin = dict(prompt=prompt, response=first, rejected=second, template=typed)
    for shift, verdict in ((0, "ok"), (1, "fails")):
        expected = [margin | dict(margin=float(found[0] - found[1]) + shift)]
        mine = card(folder, model, tmp_path / "mine.yaml", bos="once", expected=expected)
        with pytest.warns(RewardWarning, match="margin") if shift else contextlib.nullcontext():
            assert load_reward_model(folder, device="cpu", known_models=mine).card[0] == verdict
    with pytest.raises(InputError, match="rejected and margin"):
        load_reward_model(folder, device="cpu", known_models=card(
            folder, model, tmp_path / "mine.yaml", expected=[dict(prompt="a", response="b", margin=1)]))


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in [*CLASSIFIERS, *HEADED, *SPECIAL] if n not in QUICK])
def test_every_model_scores_as_its_makers_publish(name, tmp_path): scores_as_published(name, tmp_path)


REMOTE = """
import torch
from transformers import LlamaConfig, LlamaModel, PreTrainedModel
class {name}(PreTrainedModel):
    config_class = LlamaConfig
    def __init__(self, config):
        super().__init__(config)
        self.model, self.{head} = LlamaModel(config), torch.nn.Linear(config.hidden_size, 1, bias=False)
        self.post_init()
    def get_input_embeddings(self): return self.model.embed_tokens
    def forward(self, input_ids, attention_mask=None, position_ids=None):
        h = self.model(input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids)[0]
        values = self.{head}(h)[..., 0].gather(1, attention_mask.cumsum(1).argmax(1)[:, None])
        return {returns}
"""


def remote(folder, name, auto, made, head, returns, **config): # a checkpoint whose code lies beside it
    from safetensors.torch import save_file
    folder = folder / name.split("/")[-1]
    with quiet_transformers():
        backbone("Llama").save_pretrained(folder)
        byte_tokenizer().save_pretrained(folder)
    save_file({f"model.{k}": v for k, v in backbone("Llama").state_dict().items()}
              | {f"{head}.weight": draw(1, 16)}, folder / "model.safetensors")
    there = json.loads((folder / "config.json").read_text())
    there |= dict(architectures=[made], num_labels=1, auto_map={auto: f"code_{head}.{made}"}) | config
    (folder / "config.json").write_text(json.dumps(there))
    (folder / f"code_{head}.py").write_text(REMOTE.format(name=made, head=head, returns=returns))
    return folder


def remote_by_hand(name, text, add=True, behind=()):
    import torch
    out = []
    for p, r in PAIRS:
        ids = byte_tokenizer()(text(name, p, r), add_special_tokens=add)["input_ids"] + list(behind)
        with torch.inference_mode():
            h = backbone("Llama")(torch.tensor([ids])).last_hidden_state[0]
        out.append(float(draw(1, 16)[0] @ h[-1]))
    return np.array(out)


@pytest.mark.parametrize("name", [OTHERS[1], OTHERS[4], *(pytest.param(n, marks=pytest.mark.slow)
                                                          for n in OTHERS[2:4])])
def test_code_that_comes_with_a_model_is_refused_or_runs_when_trusted(name, tmp_path):
    if "Ziya" in name: # returns a tensor, one number a text
        folder = remote(tmp_path, name, "AutoModelForSequenceClassification", "LlamaRewardModel",
                        "value_head", "values[:, 0]")
        (folder / "config.json").write_text((folder / "config.json").read_text().replace(
            '"architectures": ["LlamaRewardModel"]', '"architectures": ["LlamaForSequenceClassification"]'))
        wanted = remote_by_hand(name, text_of)
    else: # reads a reward token behind the text
        folder = remote(tmp_path, name, "AutoModel", "InternLM2ForRewardModel", "v_head", "(values,)",
                        reward_token_id=40)
        wanted = remote_by_hand(name, text_of, add=False, behind=[40])
    with pytest.raises(ModelError, match="Python code that comes with.*trust_remote_code=True"):
        load_reward_model(folder, device="cpu")
    said = "does not reproduce the model card: .* expected .* ± .03"
    if not find_convention(name, [], known_models()).expected:
        said = "runs Python code that comes with the model"
    with pytest.warns(RewardWarning, match=said):
        model = load_reward_model(folder, device="cpu", trust_remote_code=True)
    assert np.ptp(wanted) > .01 and np.abs(model.score(*zip(*PAIRS)) - wanted).max() < 1e-5


# rewardbench/models/worldpm.py: no special tokens added; the first value of a tuple or a dict, or the tensor
@pytest.mark.parametrize("returns", ["{'score': values}", "(values, None)", "values"])
def test_worldpm_runs_its_own_code_when_trusted(returns, tmp_path):
    name = "Qwen/WorldPM-72B-HelpSteer2"
    folder = remote(tmp_path, name, "AutoModel", "Qwen2ForRewardModel", "score", returns)
    with pytest.raises(ModelError, match="WorldPM-72B.*Python code that comes with.*trust_remote_code=True"):
        load_reward_model(folder, device="cpu")
    with pytest.warns(RewardWarning, match="runs Python code that comes with the model"):
        model = load_reward_model(folder, device="cpu", trust_remote_code=True)
    wanted = remote_by_hand(name, text_of, add=False)
    assert model.convention.family == "WorldPM" and model.reads == "head 'remote'" and np.ptp(wanted) > .01
    assert np.abs(model.score(*zip(*PAIRS)) - wanted).max() < 1e-5


def test_a_pair_model_gets_question_and_answer_apart(tmp_path):
    import torch, transformers
    from transformers.activations import ACT2FN
    torch.manual_seed(0)
    config = transformers.DebertaV2Config(
        vocab_size=263, hidden_size=16, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2,
        max_position_embeddings=128, type_vocab_size=0, pooler_hidden_size=16, num_labels=1, pad_token_id=0,
        initializer_range=.3)
    model = transformers.DebertaV2ForSequenceClassification(config).eval()
    folder = tmp_path / "reward-model-deberta-v3-large-v2"
    with quiet_transformers():
        model.save_pretrained(folder)
        byte_tokenizer().save_pretrained(folder)
    loaded, wanted = load_reward_model(folder, device="cpu"), []
    for p, r in PAIRS:
        ids = loaded.tokenizer(p, r, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            h = model.deberta(ids).last_hidden_state[0, 0]
            h = ACT2FN["gelu"](model.pooler.dense.weight @ h + model.pooler.dense.bias)
            wanted.append(float(model.classifier.weight[0] @ h + model.classifier.bias))
    assert loaded.layout == "pair" and np.abs(loaded.score(*zip(*PAIRS)) - wanted).max() < 1e-5


def test_models_that_cannot_be_read_here_are_refused_by_name_with_the_way_out(tmp_path):
    reasons = {"RewardModel-Mistral-7B-for-DPA-v1": "gives several attributes.*`label_index=",
               "PairRM-hf": "compares two responses.*judge",
               "SteamSHP-flan-t5-xl": "compares two responses", "Skywork-VL-Reward-7B": "reads pictures",
               "Qwen-3-Nemotron-32B-Reward": "'/nothink'.*empty think block.*`template=`"}
    plain, *_ = checkpoint(tmp_path, "allenai/tulu-v2.5-13b-uf-rm")
    said = json.loads((plain / "config.json").read_text())
    foreign = said | dict(model_type="internlm2", auto_map={"AutoConfig": "code.InternLM2Config"})
    for name, why in reasons.items():
        folder = plain.rename(plain.with_name(name))
        with pytest.raises(ModelError, match=f"(?s){name}.*{why}"):
            load_reward_model(folder, device="cpu")
        plain = folder
    (plain / "config.json").write_text(json.dumps(foreign))
    plain = plain.rename(plain.with_name("internlm2-7b-reward"))
    with pytest.raises(ModelError, match="internlm2-7b-reward.*code that comes with it.*trust_remote_code"):
        load_reward_model(plain, device="cpu")
    (plain / "config.json").write_text(json.dumps(said))
    plain = plain.rename(plain.with_name("Qwen-3-Nemotron-32B-Reward"))
    assert load_reward_model(plain, device="cpu", template=OWN).score(*zip(*PAIRS)).shape == (3,)


def test_an_unset_number_of_labels_is_not_two(tmp_path):
    folder, kind, formula = checkpoint(tmp_path, "allenai/tulu-v2.5-13b-uf-rm")
    said = json.loads((folder / "config.json").read_text())
    assert said.pop("id2label")
    (folder / "config.json").write_text(json.dumps(said))
    model = load_reward_model(folder, device="cpu")
    wanted = by_hand("allenai/tulu-v2.5-13b-uf-rm", kind, formula, model.tokenizer)
    assert np.abs(model.score(*zip(*PAIRS)) - wanted).max() < 1e-5
    from safetensors.torch import load_file, save_file
    weights = load_file(folder / "model.safetensors")
    save_file(weights | {"score.weight": draw(2, 16)}, folder / "model.safetensors")
    with pytest.raises(ModelError, match="has 2 labels.*`label_index`"): # where it truly has
        load_reward_model(folder, device="cpu")
    assert load_reward_model(folder, device="cpu", label_index=1).score(*zip(*PAIRS)).shape == (3,)


def test_a_stored_value_head_is_named_and_not_taken_unasked(tmp_path):
    folder, *_ = checkpoint(tmp_path, "Ray2333/GRM-llama3-8B-sftreg")
    folder = folder.rename(folder.with_name("somebody-elses-policy"))
    with pytest.raises(ModelError, match="head called 'v_head.summary'.*not the critic.*head='scalar'"):
        load_reward_model(folder, device="cpu")
    assert load_reward_model(folder, device="cpu", head="scalar").head.name == "scalar"


def test_a_tokenizer_of_another_repository(tmp_path):
    name = "berkeley-nest/Starling-RM-7B-alpha"
    folder, kind, formula = checkpoint(tmp_path, name)
    other = tmp_path / "llama"
    with quiet_transformers():
        byte_tokenizer().save_pretrained(other)
    for file in other.iterdir():
        (folder / file.name).unlink()
    with pytest.warns(RewardWarning, match="that of meta-llama/Llama-2-7b-chat-hf.*`tokenizer=`"):
        with pytest.raises(ModelError):
            load_reward_model(folder, device="cpu")
    model = load_reward_model(folder, device="cpu", tokenizer=other)
    assert np.abs(model.score(*zip(*PAIRS)) - by_hand(name, kind, formula, model.tokenizer)).max() < 1e-5


def test_an_adapter_is_merged_into_its_base(tmp_path):
    import torch, transformers
    from safetensors.torch import save_file
    with quiet_transformers():
        torch.manual_seed(1)
        base = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZE)).eval()
        base.save_pretrained(tmp_path / "base")
        byte_tokenizer().save_pretrained(tmp_path / "base")
    folder, place = tmp_path / "base" / ".." / "adapter", "model.layers.1.mlp.down_proj"
    folder.mkdir()
    a, b, w = draw(2, 24), draw(16, 2), draw(1, 16)
    save_file({f"base_model.model.{place}.lora_A.weight": a, f"base_model.model.{place}.lora_B.weight": b,
               "base_model.model.score.weight": w}, folder / "adapter_model.safetensors")
    said = dict(peft_type="LORA", task_type="SEQ_CLS", r=2, lora_alpha=3, modules_to_save=["score"],
                base_model_name_or_path=str(tmp_path / "base"))
    (folder / "adapter_config.json").write_text(json.dumps(said))
    model = load_reward_model(folder, device="cpu")
    with torch.no_grad():
        base.get_submodule(place).weight += 3 / 2 * b @ a
    for (p, r), found in zip(PAIRS, model.score(*zip(*PAIRS))):
        ids = torch.tensor([model.tokenizer(text_of("", p, r), add_special_tokens=False)["input_ids"]])
        assert abs(found - float(w[0] @ base.model(ids).last_hidden_state[0, -1])) < 1e-5
    assert model.name == "adapter" and model.key
    from rate_nb.scoring.likelihood import implicit_reward
    with pytest.raises(ModelError, match="an adapter to another model"):
        implicit_reward(folder, tmp_path / "base", device="cpu")
    (folder / "adapter_config.json").write_text(json.dumps(said | dict(base_model_name_or_path="org/gone")))
    with pytest.raises(ModelError, match="an adapter to the model 'org/gone'.*base_model_name_or_path"):
        load_reward_model(folder, device="cpu")


HUB = """
import json, os, sys, threading, warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
home, hub = Path(sys.argv[1]), Path(sys.argv[1])/"hub"
asked = []

class Hub(BaseHTTPRequestHandler): # the few answers of a model hub that a download needs
    def log_message(self, *a): pass
    def say(self, code, body=b"", **headers):
        self.send_response(code)
        for k, v in (headers | {"Content-Length": len(body), "X-Repo-Commit": "c" * 40}).items():
            self.send_header(k.replace("_", "-"), str(v))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)
    def do_GET(self):
        parts = self.path.split("?")[0].strip("/").split("/")
        asked.append(self.path)
        if parts[:2] == ["api", "models"] and (hub/parts[2]/parts[3]).is_dir():
            files = list((hub/parts[2]/parts[3]).iterdir())
            said = dict(id="/".join(parts[2:4]), sha="c" * 40)
            said["siblings"] = [dict(rfilename=p.name) for p in files]
            if "tree" in parts:
                said = [dict(type="file", path=p.name, size=p.stat().st_size, oid=p.name) for p in files]
            return self.say(200, json.dumps(said).encode(), Content_Type="application/json")
        file = hub/parts[0]/parts[1]/parts[-1]
        if "resolve" in parts and file.is_file():
            return self.say(200, file.read_bytes(), ETag=f'"{parts[-1]}-{file.stat().st_size}"')
        self.say(404, X_Error_Code="EntryNotFound")
    do_HEAD = do_GET

server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ |= dict(HF_ENDPOINT=f"http://127.0.0.1:{server.server_port}", HF_HOME=str(home/"cache"),
                   HF_HUB_DISABLE_XET="1", HF_HUB_DISABLE_TELEMETRY="1")
for k in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE"):
    os.environ.pop(k, None)
from rate_nb.scoring.sequence_rewards import load_reward_model
first = load_reward_model("org/adapter", device="cpu", revision="main")
said = [first.name, first.score(["How far is it?"], ["Two miles."])[0]]
before = len(asked)
server.shutdown()
server.server_close()
from huggingface_hub import constants
constants.HF_HUB_OFFLINE = True # what is here is not asked for again
again = load_reward_model("org/adapter", device="cpu")
said += [again.score(["How far is it?"], ["Two miles."])[0], len(asked) - before, before > 0]
print(json.dumps([said[0], *map(float, said[1:])]))
"""


@pytest.mark.slow
def test_an_adapter_by_hub_name_is_downloaded_and_merged(tmp_path):
    import subprocess, sys, torch, transformers
    from safetensors.torch import save_file
    base, folder = tmp_path / "hub" / "org" / "base", tmp_path / "hub" / "org" / "adapter"
    with quiet_transformers():
        torch.manual_seed(1)
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZE)).eval()
        model.save_pretrained(base)
        byte_tokenizer().save_pretrained(base)
    folder.mkdir()
    place = "model.layers.1.mlp.down_proj"
    a, b, w = draw(2, 24), draw(16, 2), draw(1, 16)
    save_file({f"base_model.model.{place}.lora_A.weight": a, f"base_model.model.{place}.lora_B.weight": b,
               "base_model.model.score.weight": w}, folder / "adapter_model.safetensors")
    (folder / "adapter_config.json").write_text(json.dumps(dict(
        peft_type="LORA", task_type="SEQ_CLS", r=2, lora_alpha=3, modules_to_save=["score"],
        base_model_name_or_path="org/base", revision=None)))
    done = subprocess.run([sys.executable, "-c", HUB, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    name, score, again, asked, online = json.loads(done.stdout.splitlines()[-1])
    with torch.no_grad():
        model.get_submodule(place).weight.add_(3 / 2 * b @ a)
    tokens = byte_tokenizer()(text_of("", *PAIRS[0]), add_special_tokens=False)["input_ids"]
    wanted = float(w[0] @ model.model(torch.tensor([tokens])).last_hidden_state[0, -1].detach())
    assert name == "org/adapter" and abs(score - wanted) < 1e-5 and again == score
    assert online and asked == 0


def test_bos_is_followed_chosen_and_said(tmp_path):
    folder, kind, formula = checkpoint(tmp_path, "allenai/tulu-v2.5-13b-uf-rm")
    known = load_reward_model(folder, device="cpu")
    chosen = load_reward_model(folder, device="cpu", bos="template")
    nameless = load_reward_model(folder.rename(folder.with_name("mine")), device="cpu")
    begins = {m: [e.ids[0] == 1 for e in m.prepare(PAIRS)] for m in (known, chosen, nameless)}
    assert all(begins[known]) and not any(begins[chosen]) and not any(begins[nameless])
    assert [sum(e.ids == 1) for e in known.prepare([("<s>", "<s>a")])] == [3] # one more than the texts have
    assert np.abs(known.score(*zip(*PAIRS)) - chosen.score(*zip(*PAIRS))).max() > .01
    assert known.key != chosen.key and "one '<s>' at the beginning (Tulu 2.5" in known.reading
    assert nameless.reading == "as its template writes it (no convention known)"
    from rate_nb.scoring.rewards import check_scorer
    found = check_scorer(chosen, *map(list, zip(*PAIRS))).table.set_index("check").finding
    assert "bos='once' adds it" in found["begins once"] and found["model card"] == "no reference score known"


def card(folder, model, path, shift=0., **row): # a row of the user's own with this model's scores
    scored = [dict(prompt=p, response=r, score=float(s) + shift)
              for (p, r), s in zip(PAIRS[:2], model.score(*zip(*PAIRS[:2])))]
    row = dict(family="ours", models=folder.name, source="our log", expected=scored, tolerance=.01,
               scores="our log", dtype="float32") | row
    path.write_text(json.dumps([row])) # JSON is YAML
    return path


def test_longer_texts_and_system_prompts_than_in_training(tmp_path):
    folder, *_ = checkpoint(tmp_path, "allenai/tulu-v2.5-13b-uf-rm")
    model = load_reward_model(folder, device="cpu")
    mine = card(folder, model, tmp_path / "mine.yaml", context=60, system=False, bos="once")
    model = load_reward_model(folder, device="cpu", known_models=mine)
    with pytest.warns(RewardWarning, match="1 text of up to .* tokens, but it was trained on at most 60"):
        model.score(["a", "a"], ["b" * 100, "b"])
    system = [dict(role="system", content="Be kind."), dict(role="user", content="a")]
    with pytest.raises(InputError, match="without system prompts.*1 prompt .*user's turn"):
        model.score([system, "a"], ["b", "c"])
    with pytest.warns(RewardWarning, match="does not reproduce"): # another template, other scores
        model = load_reward_model(folder, device="cpu", known_models=mine, template=OWN + " ")
    assert model.score([system], ["b"]).size == 1
