"Scoring: tiny random models of many architectures, loaded from disk like hub models."
import json, re, signal, subprocess, sys, warnings
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import check_table, InputError, ModelError, SchemaError
from rate_nb.checkpoints.loading import quiet_transformers
from rate_nb.scoring.reward_models import CallableReward, RewardWarning, score_texts
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.scoring.rewards import check_scorer, score_rewrites, to_scored
from rate_nb.base.store import Store

WORDS = ("<pad> <s> </s> <unk> [CLS] [SEP] user assistant : the a film book was is very quite good bad dull "
         "long short and plot music".split())
CHAT = "<s> {% for m in messages %}{{ m['role'] }} : {{ m['content'] }} </s> {% endfor %}"
ROPE = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
            num_key_value_heads=1, head_dim=8, max_position_embeddings=128, initializer_range=.2)
BERT = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2,
            max_position_embeddings=128, initializer_range=.2)
DECODERS = {"Llama": ROPE, "Qwen2": ROPE, "Qwen3": ROPE, "Gemma": ROPE,
            "Gemma2": dict(ROPE, sliding_window=8), "Mistral": dict(ROPE, sliding_window=None),
            "GPT2": dict(n_embd=16, n_layer=2, n_head=2, n_positions=128, initializer_range=.2)}
ENCODERS = {"DebertaV2": dict(BERT, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=16,
                              type_vocab_size=0, pooler_hidden_size=16),
            "DistilBert": dict(dim=16, hidden_dim=24, n_layers=2, n_heads=2, max_position_embeddings=128,
                               initializer_range=.2),
            "Bert": BERT, "Roberta": dict(BERT, max_position_embeddings=130)}


def tokenizer(kind, template=None):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast
    t = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="<unk>"))
    t.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if kind == "encoder":
        t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 "
                                                                                       "[SEP]:1",
                                                         special_tokens=[("[CLS]", 4), ("[SEP]", 5)])
        return PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<pad>", unk_token="<unk>",
                                       cls_token="[CLS]", sep_token="[SEP]",
                                       model_input_names=["input_ids", "token_type_ids", "attention_mask"])
    t.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A $B",
                                                     special_tokens=[("<s>", 1)])
    return PreTrainedTokenizerFast(tokenizer_object=t, pad_token="<pad>", unk_token="<unk>", bos_token="<s>",
                                   eos_token="</s>", chat_template=template)


def build(folder, architecture, head="ForSequenceClassification", seed=0, template=CHAT, spoil=None,
          **config):
    import torch, transformers
    size = {**DECODERS, **ENCODERS}[architecture]
    torch.manual_seed(seed)
    c = getattr(transformers,
                f"{architecture}Config")(**{**dict(vocab_size=len(WORDS), num_labels=1, pad_token_id=0,
                                                   bos_token_id=1, eos_token_id=2), **size, **config})
    m = getattr(transformers, architecture + head)(c)
    with torch.no_grad():
        if spoil:
            spoil(m)
    with quiet_transformers():
        m.save_pretrained(folder)
        tokenizer("encoder" if architecture in ENCODERS else "decoder", template if architecture in DECODERS
                  else None).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def texts():
    rng = np.random.default_rng(0)
    pick = lambda n: " ".join(rng.choice(WORDS[9:], n))
    prompts, responses = [pick(n)
                          for n in rng.integers(1, 12, 24)], [pick(n) for n in rng.integers(1, 40, 24)]
    return prompts + prompts[:4], responses + responses[:4]                 # the last four are duplicates


@pytest.fixture(scope="module")
def llama(tmp_path_factory): return build(tmp_path_factory.mktemp("llama") / "tiny", "Llama")


def one_at_a_time(folder, prompts, responses, encode): # transformers alone, no padding, none of our code
    import torch
    from transformers import AutoModelForSequenceClassification, PreTrainedTokenizerFast
    with quiet_transformers():
        m, t = AutoModelForSequenceClassification.from_pretrained(
            folder).eval(), PreTrainedTokenizerFast.from_pretrained(folder)
    out = []
    for p, r in zip(prompts, responses):
        with torch.inference_mode():
            out.append(m(**encode(t, p, r)).logits[0, 0].item())
    return np.array(out)


def as_chat(t, p,
            r): return t.apply_chat_template([dict(role="user", content=p),
                                              dict(role="assistant", content=r)], tokenize=True,
                                             return_dict=True, return_tensors="pt")
def as_pair(t, p, r): return t(p, r, return_tensors="pt")


@pytest.mark.parametrize("architecture, layout",
                         [*((a, "chat") for a in DECODERS), ("Llama", "pair"),
                          *((a, "pair") for a in ENCODERS)])
def test_every_architecture_scores_as_it_does_alone(architecture, layout, tmp_path, texts):
    prompts, responses = texts
    folder = build(tmp_path / "m", architecture, template=CHAT if layout == "chat" else None)
    alone = one_at_a_time(folder, prompts, responses, as_chat if layout == "chat" else as_pair)
    assert np.ptp(alone) > .01
    order = np.random.default_rng(1).permutation(len(prompts))
    # prompts read once; padded on either side
    ways = [(None, "right"), (False, "right"),
            (False, "left")] if architecture in DECODERS else [(None, "right")]
    for reuse, side in ways:
        for budget in (1, 150, 5000):
            m = load_reward_model(folder, device="cpu", token_budget=budget, padding_side=side,
                                  reuse_prefixes=reuse)
            found = m.score([prompts[i] for i in order], [responses[i] for i in order])
            assert np.abs(found - alone[order]).max() < 1e-5, (reuse, side, budget)
            assert m.layout == layout and m.forward_passes == 24 and m.truncated == 0
    assert check_scorer(m, prompts, responses).passed


def test_encoders_refuse_left_padding(tmp_path):
    with pytest.raises(InputError, match="reads its first"):
        load_reward_model(build(tmp_path / "m", "DistilBert"), device="cpu", padding_side="left")


@pytest.mark.parametrize("architecture", ["Llama", "GPT2"])
def test_a_model_without_a_padding_token_reads_its_last_token(architecture, tmp_path, texts):
    folder = build(tmp_path / "m", architecture, pad_token_id=None)
    alone = one_at_a_time(folder, *texts, as_chat)
    for reuse, side in ((None, "right"), (False, "right"), (False, "left")):
        m = load_reward_model(folder, device="cpu", token_budget=400, padding_side=side, reuse_prefixes=reuse)
        assert np.abs(m.score(*texts) - alone).max() < 1e-5
        # borrowed for the batch, given back
        assert m.model.config.pad_token_id is None


def test_a_tokenizer_without_padding_token_and_template_says_what_is_done(tmp_path, texts):
    folder = build(tmp_path / "m", "Llama", template=None, pad_token_id=None)
    config = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps({k: v for k,
                                                              v in config.items() if k != "pad_token"}))
    m = load_reward_model(folder, device="cpu", reuse_prefixes=False, template="pair")
    with pytest.warns(RewardWarning) as warned: # at the line of the user, however deep it is found
        load_reward_model(folder, device="cpu", trust_remote_code=True)
    assert {w.filename for w in warned} == {__file__}
    said = "\n".join(str(w.message) for w in warned)
    assert re.search("no chat template.*`template=` as Jinja text, or say template='pair'", said)
    assert "trust_remote_code=True runs" in said
    facts = m.facts.set_index("fact").value
    assert (m.tokenizer.pad_token is None
            and facts["layout"] == "pair"
            and "an id that the batch does not use" in facts["padding"])
    assert np.abs(m.score(*texts) - one_at_a_time(folder, *texts, as_pair)).max() < 1e-5
    with pytest.raises(InputError, match="3 messages.*no chat template.*pass `template=`"):
        m.score([[dict(role="user", content="a"), dict(role="assistant", content="b"),
                  dict(role="user", content="c")]], ["good"])


def refused(folder, match, **kwargs):
    with pytest.raises(ModelError, match=match):
        load_reward_model(folder, device="cpu", **kwargs)


def test_bad_directories_are_refused(tmp_path, llama):
    import shutil
    def copy(name, drop=None):
        folder = shutil.copytree(llama, tmp_path / name)
        if drop:
            (folder / drop).unlink()
        return folder
    refused(tmp_path / "nowhere", "is not there")
    refused("./nowhere", "is not there")
    refused(llama / "config.json", "a file, not a directory")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "lacks config.json, weights .*tokenizer.*holds nothing")
    refused(copy("a", "config.json"), "lacks config.json")
    refused(copy("b", "model.safetensors"), "lacks weights")
    refused(copy("c", "tokenizer.json"), "lacks a tokenizer")
    d = copy("d")
    (d / "model.safetensors").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    refused(d, "LFS")
    e = copy("e")
    (e / "config.json").write_text("{}")
    refused(e, "gives no configuration")
    f = copy("f", "model.safetensors")
    (f / "model.safetensors.index.json").write_text('{"weight_map": {"a": "model-1-of-2.safetensors"}}')
    refused(f, "model-1-of-2")


NOBODY = """
import os, sys, time
os.environ["HF_ENDPOINT"] = "http://127.0.0.1:9"   # where nobody answers
os.environ.pop("HF_HUB_OFFLINE", None)
from rate_nb.checkpoints.loading import locate_model
from rate_nb.base.core import ModelError
import huggingface_hub
began = time.monotonic()
try: locate_model("org/model")
except ModelError as e: print(time.monotonic() - began < 15, "cannot be asked" in str(e))
"""


def test_an_unreachable_hub_is_noticed_in_seconds():
    done = subprocess.run([sys.executable, "-c", NOBODY], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"], done.stdout + done.stderr


def test_conversations_reach_the_model_whole(llama):
    m = load_reward_model(llama, device="cpu")
    turns = [dict(role="user", content="the film"), dict(role="assistant", content="was long"),
             dict(role="user", content="was the plot good")]
    ids = m.prepare([(turns, "very good")])[0].ids.tolist()
    said = ("<s> user : the film </s> assistant : was long </s> user : was the plot good </s> assistant : "
            "very good </s>")
    assert [WORDS[i] for i in ids] == said.split()
    assert abs(m.score([turns, turns[:1]], ["very good"] * 2)[1] - m.score("the film",
        ["very good"])[0]) < 1e-5
    pair = load_reward_model(llama, device="cpu", template="pair")
    with pytest.raises(InputError, match="3 messages"):
        pair.score([turns], ["good"])
    assert check_scorer(m, [turns] * 2 + ["the film"] * 2, ["good", "bad", "good plot", "bad"]).passed
    with pytest.raises(InputError, match="refuses a conversation"):
        load_reward_model(llama, device="cpu",
                          template="{{ raise_exception('roles must alternate') }}").score("p", ["good"])


def test_truncation_is_reported(llama):
    ex = pd.DataFrame(dict(example_id=["x", "y"], prompt_id=1, prompt="the film",
                           response=["good " * 200, "good"], w=[1, 0]))
    for side, end in (("left", "beginning"), ("right", "end")):
        m = load_reward_model(llama, device="cpu", truncation=side)
        with pytest.warns(RewardWarning, match=f"1 text of 2 did not fit and was cut, losing its {end}, "
                                               "before scoring.*'x'"):
            rewards = score_rewrites(ex, None, m, progress=False)
        assert rewards.truncated.tolist() == [True, False]
        note = check_scorer(m, ex.prompt, ex.response).table.set_index("check").loc["nothing cut"]
        assert (note.verdict == "note"
                and f"1 of 2 texts longer than 128 tokens lose their {end}" == note.finding)


def test_content_that_is_no_text_is_refused_and_half_surrogates_are_not(llama):
    m = load_reward_model(llama, device="cpu")
    for content in ([dict(type="text", text="the film")], None, 7):
        with pytest.raises(InputError, match="row 1.*(`content` of )?message 1"):
            m.score(["the film", [dict(role="user", content=content)]], ["good", "bad"])
    assert np.isfinite(m.score("the \udfff film", ["good \ud800 plot"])).all()


def test_a_head_of_another_shape_is_not_made_up(tmp_path):
    folder = build(tmp_path / "m", "Llama", num_labels=3)
    refused(folder, "score.weight.*random", loading=dict(num_labels=1, ignore_mismatched_sizes=True),
            label_index=0)


def test_options_are_checked_before_anything_is_loaded(tmp_path):
    for bad in (dict(output="score"), dict(truncation="middle"), dict(token_budget=0),
                dict(max_length="long")):
        with pytest.raises(InputError, match=f"`{next(iter(bad))}`"):
            load_reward_model(tmp_path / "nowhere", **bad)
    with pytest.raises(InputError, match="dtype"):
        load_reward_model(build(tmp_path / "m", "Llama"), device="cpu", dtype="int8")


def test_half_precision_is_another_key_and_a_wider_tolerance(llama, texts):
    full, half = load_reward_model(llama, device="cpu"), load_reward_model(llama, device="cpu",
        dtype="bfloat16")
    assert full.key != half.key and half.facts.set_index("fact").value["dtype"] == "bfloat16"
    assert check_scorer(half, *texts).passed and np.abs(full.score(*texts) - half.score(*texts)).max() < .2


def test_remote_code_is_said_loudly(llama):
    with pytest.warns(RewardWarning, match="trust_remote_code"):
        load_reward_model(llama, device="cpu", trust_remote_code=True)


# ---- the store, and being killed

def examples(texts, n=24):
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)],
                             prompt_id=[f"p{i // 2}" for i in range(n)], prompt=texts[0][:n],
                             response=texts[1][:n], w=np.arange(n) % 2))


def flips(ex, depth=2, draws=1):
    rows = [(e.example_id, k, d, (1 - e.w) if d % 2 else e.w, f"{e.response} {'and good' * d} {k}", "ok")
            for e in ex.itertuples() for k in range(draws) for d in range(1, depth + 1)]
    return pd.DataFrame(rows, columns=["example_id", "draw", "depth", "target_w", "text",
                                       "status"]).assign(instruction_id="i")


RESPONSES = [" ".join(["good", "plot"][i % 2] for _ in range(i % 37 + 1)) + " bad" * (i % 5)
             for i in range(150)]
KILLED = """
import json, os, sys, torch
from rate_nb.scoring.reward_models import score_texts
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.base.store import Store
folder, path, after, threads, responses = json.load(sys.stdin)
torch.set_num_threads(threads)
class Dying(Store):
    n = 0
    def put_many(self, *args, **kwargs):
        super().put_many(*args, **kwargs)
        Dying.n += 1
        if Dying.n == after: os.kill(os.getpid(), 9)
model = load_reward_model(folder, device="cpu", token_budget=120)
score_texts("the film", responses, model, store=Dying(path))
"""


def test_killed_scoring_resumes_to_the_same_bits(llama, tmp_path):
    import torch
    run = json.dumps([str(llama), str(tmp_path / "killed.sqlite"), 7, torch.get_num_threads(), RESPONSES])
    assert subprocess.run([sys.executable, "-c", KILLED], input=run, capture_output=True,
                          text=True).returncode == -signal.SIGKILL
    fresh = lambda: load_reward_model(llama, device="cpu", token_budget=120)
    whole, resumed = fresh(), fresh()
    with Store(tmp_path / "whole.sqlite") as store:
        undisturbed = score_texts("the film", RESPONSES, whole, store=store)
    with Store(tmp_path / "killed.sqlite") as store:
        again = score_texts("the film", RESPONSES, resumed, store=store)
    assert (again.tobytes() == undisturbed.tobytes()
            and 0 < resumed.forward_passes < whole.forward_passes == len(set(RESPONSES)))


def test_functions_are_stored_only_under_a_key_you_vouch_for(tmp_path):
    calls = []
    def length(prompts, responses):
        calls.append(len(responses))
        return [len(r) for r in responses]
    unkeyed = CallableReward("length", length)
    with Store(tmp_path / "s.sqlite") as store, warnings.catch_warnings(record=True) as said:
        for model in (unkeyed, unkeyed, CallableReward("length", length, key="v1"),
                      CallableReward("length", length, key="v1"), CallableReward("length", length, key="v2")):
            assert score_texts("p", ["a", "bb", "a"], model, store=store).tolist() == [1, 2, 1]
    assert calls == [2, 2, 2, 2]
    [once] = said
    assert re.search(r"'length' has no `key`.*every run.*CallableReward\('length', function, key=\"1\"\)",
                     str(once.message))


# ---- tables

def test_scored_equals_a_lookup_written_independently(texts):
    ex = examples(texts)
    rw = flips(ex, depth=3, draws=2)
    rw = pd.concat([rw, rw[rw.depth == 1].assign(target_w=lambda d: 1 - d.target_w,
                                                 text=lambda d: d.text + " same")])
    rw.loc[rw.example_id.eq("e3") & rw.depth.ge(1), "status"] = "truncated"
    model = CallableReward("m", lambda p, r: [hash(x) % 1000 / 7 for x in r])
    rewards = score_rewrites(ex, rw.sample(frac=1, random_state=1), model, progress=False)
    scored = to_scored(ex.sample(frac=1, random_state=2), rw.sample(frac=1, random_state=3),
                       rewards.sample(frac=1, random_state=4))
    check_table(rewards, "rewards")
    check_table(scored, "scored")
    assert len(scored) == 48 and scored.groupby("example_id").size().eq(2).all()
    text = {(r.example_id, r.draw, r.depth, r.target_w): r.text for r in rw.itertuples() if r.status == "ok"}
    want = lambda s, d, t: model.fn([], [text[s.example_id, s.draw, d, t]])[0] if (s.example_id, s.draw, d,
        t) in text else np.nan
    for s in scored.itertuples():
        original = ex.set_index("example_id").response[s.example_id]
        np.testing.assert_equal([s.reward_original, s.reward_rewrite, s.reward_rewrite_of_rewrite,
                                 s.reward_depth_3, s.reward_same_target],
                                [model.fn([], [original])[0], want(s, 1, 1 - s.w), want(s, 2, s.w),
                                 want(s, 3, 1 - s.w), want(s, 1, s.w)])
    assert (scored[scored.example_id == "e3"].reward_rewrite.isna().all()
            and scored[scored.example_id == "e3"].reward_original.notna().all())


def test_labels_may_be_floats_missing_or_booleans(texts):
    model = CallableReward("n", lambda p, r: [len(x) for x in r])
    for w in ([0., 1., np.nan], [False, True, True], pd.array([0, 1, None], dtype="Int64"), [0, 1, None]):
        ex = examples(texts, 3).assign(w=w)
        rw = flips(examples(texts, 3).assign(w=[0, 1, 0])[:2]).astype(dict(target_w=float))
        scored = to_scored(ex, rw, score_rewrites(ex, rw, model, progress=False))
        assert scored.reward_rewrite.notna().tolist() == [True, True,
                                                          False] and scored.reward_original.notna().all()


def test_originals_alone_and_several_models(texts):
    ex = examples(texts, 4)
    a, b = CallableReward("a", lambda p, r: [1.] * len(r)), CallableReward("b", lambda p, r: [2.] * len(r))
    scored = to_scored(ex, None, score_rewrites(ex, None, [a, b], progress=False))
    assert (scored.groupby("model").reward_original.first().to_dict() == dict(a=1., b=2.)
            and scored.reward_rewrite.isna().all()
            and len(scored) == 8)
    with pytest.raises(InputError, match="different names"):
        score_rewrites(ex, None, [a, a])


def test_columns_of_the_examples_ride_along_without_clashes(texts):
    ex = examples(texts, 2).assign(model="gpt", stars=[3, 4], reward_original=0.)
    scored = to_scored(ex, None, score_rewrites(ex, None, CallableReward("m", lambda p, r: [1.] * len(r)),
                                                progress=False))
    assert (scored.example_model.tolist() == ["gpt"] * 2
            and scored.stars.tolist() == [3, 4]
            and scored.reward_original.tolist() == [1., 1.]
            and scored.model.tolist() == ["m"] * 2)


def test_tables_that_do_not_belong_together(texts):
    ex, model = examples(texts, 4), CallableReward("m", lambda p, r: [1.] * len(r))
    rw = flips(ex)
    rewards = score_rewrites(ex, rw, model, progress=False)
    with pytest.raises(SchemaError, match="not in the examples table"):
        score_rewrites(ex.assign(example_id=range(4)), rw, model)
    with pytest.raises(SchemaError, match="lacks 4 rows.*depth 2"):
        to_scored(ex, rw, rewards[rewards.depth < 2])
    one = rw[rw.depth == 1] # without a label no text is on the main chain, and two would share a column
    both = pd.concat([one, one.assign(target_w=1 - one.target_w)])
    unlabelled = ex.assign(w=pd.array([pd.NA]*4, "Int64")), both
    with pytest.raises(SchemaError, match="several rewrites for the column `reward_same_target`"):
        to_scored(*unlabelled, score_rewrites(*unlabelled, model, progress=False))
    with pytest.raises(SchemaError, match="one instruction at a time"):
        score_rewrites(ex, pd.concat([rw, rw.assign(instruction_id="j")]), model)
    with pytest.raises(SchemaError, match="usable that have no `text`"):
        score_rewrites(ex, rw.assign(text=None), model)
    with pytest.raises(InputError, match="engine"):
        score_rewrites(ex, rw, model, engine="cloud")
    with pytest.raises(InputError, match="RewardModel or a function"):
        score_rewrites(ex, rw, "model")


def test_importing_scoring_needs_no_torch():
    code = "import sys, rate_nb.scoring.rewards; assert not {'torch', 'transformers'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_how_a_model_is_loaded_is_part_of_its_key(tmp_path):
    "Other kernels, the same scores; but what was asked of the loader stays known"
    folder = build(tmp_path / "m", "Llama")
    plain, eager = load_reward_model(folder), load_reward_model(folder,
        loading=dict(attn_implementation="eager"))
    assert eager.model.config._attn_implementation == "eager" and eager.key != plain.key
    ask = ["the film"]*3, ["good", "bad book", "very long and dull"]
    np.testing.assert_allclose(eager.score(*ask), plain.score(*ask), atol=1e-5)
    with pytest.raises(ModelError, match="no_such_attention"):
        load_reward_model(folder, loading=dict(attn_implementation="no_such_attention"))


@pytest.mark.slow("a model is compiled")
def test_a_compiled_model_scores_as_before(tmp_path):
    folder = build(tmp_path / "m", "Llama")
    ask = ["the film"]*3, ["good", "bad book", "very long and dull"]
    compiled = load_reward_model(folder, compiled=True)
    np.testing.assert_allclose(compiled.score(*ask), load_reward_model(folder).score(*ask), atol=1e-5)
    assert compiled.scheme == "full sequences (it is compiled)" and not compiled.lean


@pytest.mark.parametrize("odd", [1j, {}, 10**400, "high", [1., 2.], np.array([1j])[0]], ids=repr)
def test_rewards_that_are_no_numbers_are_one_error(odd, tmp_path):
    odd_one = CallableReward("odd", lambda p, r: [odd] * len(r), key="1")
    with pytest.raises(InputError, match="`odd` must return"):
        score_texts("p", ["a", "b"], odd_one, store=Store(tmp_path/"s.sqlite"))
    from rate_nb.scoring.reward_models import score_row
    if not isinstance(odd, list):
        with pytest.raises(InputError, match="numbers that fit into a float"):
            score_row(odd)


def test_a_reward_that_is_no_number_today_is_asked_for_again(tmp_path):
    values, store = {"a": np.nan, "b": 1.}, Store(tmp_path/"s.sqlite")
    model = CallableReward("moody", lambda p, r: [values[t] for t in r], key="1")
    with pytest.warns(RewardWarning, match="not finite"):
        assert np.isnan(score_texts("p", ["a", "b"], model, store=store)[0])
    values["a"] = 2.
    assert score_texts("p", ["a", "b"], model, store=store).tolist() == [2., 1.]
    assert model.forward_passes == 3
