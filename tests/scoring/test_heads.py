("Heads of other shapes: each registry entry on a tiny checkpoint of the same form, against a computation "
 "without our code.")
import json
import numpy as np, pytest
from rate_nb.base.core import InputError, ModelError
from rate_nb.scoring.heads import Head, HEADS, register_head
from rate_nb.scoring.reward_models import objective_scores
from rate_nb.scoring.reward_models import RewardWarning
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.scoring.rewards import by_objective, check_scorer, score_rewrites
from rate_nb.checkpoints.loading import save_tiny, tiny_model, WORDS

TURN = [WORDS.index(w) for w in ("assistant", ":")]
RNG = np.random.default_rng(0)
TEXTS = [" ".join(RNG.choice(WORDS[7:], n)) for n in RNG.integers(1, 40, 14)] + ["good", "good"]
PROMPTS = ["the film", "was very long"] * 8


def checkpoint(folder, architecture, prefix, head, backbone="LlamaModel", drop=(), **config):
    from safetensors.torch import save_file
    save_tiny(folder, tiny_model(backbone, seed=5))
    weights = {prefix + k: v.contiguous()
               for k, v in tiny_model(backbone, seed=5).state_dict().items()} | head
    save_file({k: v for k, v in weights.items() if k not in drop}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(json.loads((folder / "config.json").read_text())
                                                   | dict(architectures=[architecture]) | config))
    return folder


def hidden(model, prompt, text, backbone="LlamaModel"):
    import torch
    ids = torch.tensor(model.prepare([(prompt, text)])[0].ids)[None]
    with torch.inference_mode():
        return ids[0].tolist(), tiny_model(backbone, seed=5)(ids).last_hidden_state[0]


def linear(*shape, seed=0):
    import torch
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


SCALARS = {"eurus": ("EurusRewardModel", "model.", "regression_head", "MistralModel", False, {}),
           "ultra": ("LlamaRewardModel", "model.", "regression_head", "LlamaModel", False, {}),
           "starling": ("LlamaForCausalLM", "transformer.", "v_head", "LlamaModel", False,
                        dict(head="scalar")),
           "value_head": ("LlamaForCausalLM", "model.", "v_head.summary", "LlamaModel", True,
                          dict(head="scalar"))}


def scalar(folder, kind):
    architecture, prefix, weight, backbone, bias, options = SCALARS[kind]
    head = {f"{weight}.weight": linear(1, 16),
            "lm_head.weight": linear(13, 16)} | ({f"{weight}.bias": linear(1, seed=3)} if bias else {})
    return checkpoint(folder, architecture, prefix, head, backbone), backbone, head, options


def same_in_any_company(folder, wanted, **options):
    order = np.random.default_rng(1).permutation(len(TEXTS))
    for side in ("right", "left"):
        for budget in (1, 150, 5000):
            m = load_reward_model(folder, device="cpu", token_budget=budget, padding_side=side, **options)
            found = m.score([PROMPTS[i] for i in order], [TEXTS[i] for i in order])
            assert np.abs(found - wanted[order]).max() < 1e-5, (side, budget)
            assert m.forward_passes == len(set(zip(PROMPTS, TEXTS)))
    verdict = check_scorer(m, PROMPTS, TEXTS)
    assert verdict.passed and "padded on either side" in verdict.table.check.tolist()


def test_options_of_classification_heads_are_refused_for_others(tmp_path):
    folder, *_ = scalar(tmp_path / "m", "eurus")
    for bad in (dict(label_index="helpfulness"), dict(label_index={0: 1.}), dict(output="probability")):
        with pytest.raises(InputError, match=f"`{next(iter(bad))}` is for classification heads.*'scalar'"):
            load_reward_model(folder, device="cpu", **bad)


def armo(folder, **more):
    n, width = 4, 8
    head = {"regression_layer.weight": linear(n, 16), "reward_transform_matrix": linear(n, n, seed=1),
            "gating.logit_scale": linear(1, seed=2).abs()}
    for i, (a, b) in enumerate([(16, width), (width, width), (width, n)]):
        head |= {f"gating.layers.{i}.weight": linear(b, a, seed=10 + i),
                 f"gating.layers.{i}.bias": linear(b, seed=20 + i)}
    settings = dict(num_objectives=n, gating_hidden_dim=width, gating_n_hidden=2, gating_temperature=3,
                    gating_pattern=TURN) | more
    return checkpoint(folder, "LlamaForRewardModelWithGating", "model.", head, **settings), head


def test_armorm_keeps_every_objective(tmp_path):
    import torch
    folder, head = armo(tmp_path / "m")
    m, wanted, parts = load_reward_model(folder, device="cpu"), [], []
    # two turns open: the last counts
    turns = [dict(role="user", content="the film"), dict(role="assistant", content="was very long"),
             dict(role="user", content="good")]
    for p, t in [*zip(PROMPTS, TEXTS), (turns, "bad")]:
        ids, h = hidden(m, p, t)
        at = max(i for i in range(len(ids) - 1) if ids[i:i + 2] == TURN)
        x = h[at]
        for i in range(2):
            x = (head[f"gating.layers.{i}.weight"] @ x + head[f"gating.layers.{i}.bias"]).clamp(min=0)
        gate = torch.softmax((head["gating.layers.2.weight"] @ x + head["gating.layers.2.bias"]) / 3,
                             0) * head["gating.logit_scale"]
        parts.append(head["regression_layer.weight"] @ h[-1])
        wanted.append(float((gate * (parts[-1] @ head["reward_transform_matrix"])).sum()))
    assert abs(m.score([turns], ["bad"])[0] - wanted.pop()) < 1e-5 and len(parts.pop()) == 4
    same_in_any_company(folder, np.array(wanted))
    found = objective_scores(PROMPTS, TEXTS, m)
    assert list(found) == [f"objective_{i}" for i in range(4)]
    for i, values in enumerate(found.values()):
        np.testing.assert_allclose(values, [p[i] for p in parts], atol=1e-5)


def test_an_audit_per_objective(tmp_path):
    import pandas as pd
    from rate_nb.scoring.rewards import to_scored
    from rate_nb.base.store import Store
    folder, _ = armo(tmp_path / "m")
    ex = pd.DataFrame(dict(example_id=["a", "b"], prompt_id=["p", "q"], prompt="the film",
                           response=["was good", "bad"], w=[1, 0]))
    rw = pd.DataFrame([("a", 0, 1, 0, "was bad", "ok"), ("a", 0, 2, 1, "was very good", "ok"),
                       ("b", 0, 1, 1, "sorry", "refused")],
                      columns=["example_id", "draw", "depth", "target_w", "text",
                               "status"]).assign(instruction_id="i")
    with Store(tmp_path / "s.sqlite") as store:
        one = score_rewrites(ex, rw, load_reward_model(folder, device="cpu"), store=store, progress=False)
        two = score_rewrites(ex, rw, again := load_reward_model(folder, device="cpu"), store=store,
                             progress=False)
    assert again.forward_passes == 0
    # objectives come back from the store too
    pd.testing.assert_frame_equal(one, two, check_exact=True)
    apart = by_objective(one, keep=False)
    assert apart.model.nunique() == 4 and apart.groupby("model").size().eq(
        5).all() and apart.status.value_counts()["refused"] == 4
    scored = to_scored(ex, rw, apart)
    value = one.set_index(["example_id", "depth"]).objective_objective_2
    row = scored[(scored.model == "m · objective_2") & (scored.example_id == "a")].iloc[0]
    assert row.reward_rewrite == value["a", 1] and row.reward_original == value["a", 0]
    with pytest.raises(InputError, match="no column"):
        by_objective(one[["example_id", "draw", "depth", "target_w", "model", "reward", "status"]])


def test_a_template_without_the_turn_is_refused(tmp_path):
    folder, _ = armo(tmp_path / "m")
    with pytest.raises(ModelError, match="open the assistant's turn"):
        load_reward_model(folder, device="cpu", template="[bos] {% for m in messages %}{{ m['content'] }} "
                                                         "[eos] {% endfor %}").score("the film", ["good"])


REMOTE = '''
import torch
from transformers import LlamaConfig, LlamaModel, PreTrainedModel
class InternLM2ForRewardModel(PreTrainedModel):
    config_class = LlamaConfig
    def __init__(self, config):
        super().__init__(config)
        self.model, self.v_head = LlamaModel(config), torch.nn.Linear(config.hidden_size, 1, bias=False)
        self.reward_token_id = config.reward_token_id
        self.post_init()
    def get_input_embeddings(self): return self.model.embed_tokens
    def forward(self, input_ids, attention_mask=None, position_ids=None):
        out = self.model(input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids)
        values = self.v_head(out.last_hidden_state)[..., 0]
        return (values.gather(1, attention_mask.cumsum(1).argmax(1)[:, None]),)
    @torch.no_grad()
    def get_score(self, tokenizer, conversation):
        chat = tokenizer.apply_chat_template(conversation, tokenize=False)
        ids = tokenizer(chat, return_tensors="pt", add_special_tokens=False)["input_ids"]
        ids = torch.cat([ids, torch.tensor([[self.reward_token_id]])], dim=1)
        return self.forward(ids, torch.ones_like(ids))[0].item()
'''


def test_internlm2_equals_its_own_get_score(tmp_path, recwarn):
    folder = checkpoint(tmp_path / "intern", "InternLM2ForRewardModel", "model.",
                        {"v_head.weight": linear(1, 16)},
                        reward_token_id=WORDS.index("bad"),
                        auto_map={"AutoModel": "modeling_tiny_intern.InternLM2ForRewardModel"})
    (folder / "modeling_tiny_intern.py").write_text(REMOTE)
    with pytest.raises(ModelError, match="trust_remote_code=True"):
        load_reward_model(folder, device="cpu")
    with pytest.warns(RewardWarning, match="with your rights"):
        m = load_reward_model(folder, device="cpu", trust_remote_code=True)
    talk = lambda p, t: [dict(role="user", content=p), dict(role="assistant", content=t)]
    wanted = np.array([m.model.get_score(m.tokenizer, talk(p, t)) for p, t in zip(PROMPTS, TEXTS)])
    assert np.ptp(wanted) > .1
    same_in_any_company(folder, wanted, trust_remote_code=True)
    assert m.prepare([("the film", "good")])[0].ids[-1] == WORDS.index("bad")
    cut = load_reward_model(folder, device="cpu", trust_remote_code=True, max_length=12,
                            truncation="right").prepare([("the film", "good " * 30)])[0]
    assert cut.ids[-1] == WORDS.index("bad") and len(cut.ids) == 12


def test_missing_and_broken_heads_are_refused(tmp_path):
    head = {"regression_head.weight": linear(1, 16)}
    with pytest.raises(ModelError, match="holds no reward head: no tensor is called 'score'"):
        load_reward_model(checkpoint(tmp_path / "a", "EurusRewardModel", "model.", {}), device="cpu")
    with pytest.raises(ModelError, match="for its backbone"):
        load_reward_model(checkpoint(tmp_path / "b", "EurusRewardModel", "model.", head,
                                     drop=("model.norm.weight",)), device="cpu")
    with pytest.raises(ModelError, match="NaN or infinity"):
        load_reward_model(checkpoint(tmp_path / "c", "EurusRewardModel", "model.",
                                     {"regression_head.weight": linear(1, 16) * np.nan}), device="cpu")
    with pytest.raises(InputError, match="`head` must be one of"):
        load_reward_model(tmp_path / "c", device="cpu", head="nothing")


def test_a_registered_kind_is_found_by_pattern_and_by_name(tmp_path):
    folder, *_ = scalar(tmp_path / "m", "eurus")
    kept = dict(HEADS)
    try:
        register_head(Head("mine", "EurusRewardModel", HEADS["scalar"].build,
                           read=lambda out: dict(reward=-out["reward"])))
        HEADS["scalar"], first = Head("scalar", "", HEADS["scalar"].build), load_reward_model(folder,
            device="cpu", head="scalar")
        assert np.allclose(load_reward_model(folder, device="cpu").score("the film", TEXTS),
                           -first.score("the film", TEXTS))
        assert load_reward_model(folder, device="cpu").key != first.key
    finally:
        HEADS.clear()
        HEADS.update(kept)


def test_weighted_labels_and_functions_of_logits(tmp_path):
    names = dict(enumerate("helpfulness correctness verbosity".split()))
    folder = save_tiny(tmp_path / "steer",
                       tiny_model(num_labels=3, id2label=names, label2id={v: k for k, v in names.items()}))
    z = {n: load_reward_model(folder, device="cpu", label_index=n).score(PROMPTS, TEXTS)
         for n in names.values()}
    m = load_reward_model(folder, device="cpu", label_index=dict(helpfulness=.65, verbosity=-.4))
    np.testing.assert_allclose(m.score(PROMPTS, TEXTS), .65 * z["helpfulness"] - .4 * z["verbosity"],
                               atol=1e-12)
    for n, values in objective_scores(PROMPTS, TEXTS, m).items():
        np.testing.assert_array_equal(values, z[n])
    assert m.key != load_reward_model(folder, device="cpu",
                                      label_index=dict(helpfulness=.65, verbosity=-.5)).key
    f = load_reward_model(folder, device="cpu", label_index=lambda logits: logits @ [1, 2, 3])
    np.testing.assert_allclose(f.score(PROMPTS, TEXTS),
                               z["helpfulness"] + 2 * z["correctness"] + 3 * z["verbosity"], atol=1e-9)
    assert f.key is None and "function" in f.reads or "lambda" in f.reads
    with pytest.raises(ModelError, match="'style' is not a label"):
        load_reward_model(folder, device="cpu", label_index=dict(style=1.))
    with pytest.raises(InputError, match="one number per text"):
        load_reward_model(folder, device="cpu", label_index=lambda logits: logits).score("", ["good"])


def kilobytes(folder): return (folder / "model.safetensors").stat().st_size // 1024


@pytest.mark.parametrize("kind", ["head", "classifier"])
def test_a_model_whose_layers_lie_on_several_devices_scores_as_on_one(kind, tmp_path):
    "A CPU that is said to hold half of the weights, and a disk for the rest: a split without a GPU"
    pytest.importorskip("accelerate", reason="needs accelerate, which the extra `train` brings")
    if kind == "head":
        folder, _, _, options = scalar(tmp_path / "m", "eurus")
    else:
        folder, options = save_tiny(tmp_path / "m", tiny_model("LlamaForSequenceClassification", seed=5)), {}
    loading = dict(max_memory={"cpu": f"{kilobytes(folder) // 2}KB"}, offload_folder=str(tmp_path / "disk"))
    one = load_reward_model(folder, device="cpu", **options)
    several = load_reward_model(folder, device="auto", loading=loading, **options)
    places = set(map(str, several.model.hf_device_map.values()))
    assert places == {"cpu", "disk"}, places # nothing moved it to one device afterwards
    assert np.abs(several.score(PROMPTS, TEXTS) - one.score(PROMPTS, TEXTS)).max() < 1e-5
    assert "several devices" in several.scheme and several.workers == 1
    assert several.facts.set_index("fact").value["device"] == "cpu and 1 more"
    whole = load_reward_model(folder, device="auto", **options)
    assert np.abs(whole.score(PROMPTS, TEXTS) - one.score(PROMPTS, TEXTS)).max() < 1e-5


def test_a_language_model_loads_wherever_there_is_room(tmp_path):
    pytest.importorskip("accelerate", reason="needs accelerate, which the extra `train` brings")
    from rate_nb.scoring.likelihood import implicit_reward
    folder = save_tiny(tmp_path / "m", tiny_model("LlamaForCausalLM", seed=5))
    one, several = (implicit_reward(folder, device=d) for d in ("cpu", "auto"))
    assert one.key == several.key # where a model lies is no part of what it says
    assert np.abs(several.score(PROMPTS, TEXTS) - one.score(PROMPTS, TEXTS)).max() < 1e-4
