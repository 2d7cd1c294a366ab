("Shared prefixes: the numbers of one-at-a-time scoring by transformers alone, for every architecture that "
 "can share, and full sequences for those that cannot.")
import dataclasses
import numpy as np, pandas as pd, pytest, torch
from hypothesis import given, settings, strategies as st
from rate_nb.base.core import InputError, ModelError
from rate_nb.checkpoints.encoding import Encoded
from rate_nb.scoring.prefix_sharing import BLOCK, share_prefix, shared_prefixes
from rate_nb.scoring.sequence_rewards import SequenceReward
from rate_nb.checkpoints.loading import quiet_transformers
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.scoring.rewards import check_scorer, score_rewrites
from rate_nb.base.store import Store
from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer

WORDS = ("[pad] [bos] [eos] [unk] user assistant : the film was very long good bad and plot music dull "
         "short quite".split())
CAN = {"Llama": {}, "Qwen2": {}, "Qwen3": dict(head_dim=8), "Gemma": dict(head_dim=8, num_key_value_heads=1),
       "Mistral": dict(sliding_window=None, num_key_value_heads=1),
       "GPT2": dict(n_embd=16, n_layer=2, n_head=2, n_positions=160)}
CANNOT = {"Mistral": dict(sliding_window=8), "Gemma2": dict(head_dim=8, sliding_window=8),
          "Llama": dict(rope_scaling=dict(rope_type="dynamic", factor=2.))}


def build(folder, architecture, **config):
    model = tiny_model(f"{architecture}ForSequenceClassification", seed=1, words=WORDS,
                       **{**dict(max_position_embeddings=160), **config})
    return save_tiny(folder, model, tiny_tokenizer(WORDS))


@pytest.fixture(scope="module")
def llama(tmp_path_factory): return build(tmp_path_factory.mktemp("llama") / "tiny", "Llama")


@pytest.fixture(scope="module")
# six prompts of very different lengths: with five, three, two and one response; duplicates; two that differ
# in their last word only
def texts():
    rng = np.random.default_rng(0)
    pick = lambda n: " ".join(rng.choice(WORDS[7:], n))
    rows = [(p, pick(n)) for p, k in zip(map(pick, (1, 3, 9, 20, 40, 60)), (5, 3, 5, 2, 4, 1))
            for n in rng.integers(1, 40, k)]
    rows += [(rows[0][0], rows[0][1] + " good"), (rows[0][0], rows[0][1] + " bad"), rows[2], rows[6]]
    return [p for p, _ in rows], [r for _, r in rows]


def one_at_a_time(folder, prompts, responses): # transformers alone, no padding, no cache, none of our code
    from transformers import AutoModelForSequenceClassification, PreTrainedTokenizerFast
    with quiet_transformers():
        m, t = AutoModelForSequenceClassification.from_pretrained(
            folder).eval(), PreTrainedTokenizerFast.from_pretrained(folder)
    m.config.use_cache = False
    def one(p, r):
        ids = t.apply_chat_template([dict(role="user", content=p), dict(role="assistant", content=r)],
                                    tokenize=True, return_dict=True, return_tensors="pt")
        with torch.inference_mode():
            return m(input_ids=ids["input_ids"]).logits[0, 0].item()
    return np.array([one(p, r) for p, r in zip(prompts, responses)])


@pytest.mark.parametrize("architecture", CAN)
def test_every_architecture_that_can_scores_as_it_does_alone(architecture, tmp_path, texts):
    prompts, responses = texts
    folder, distinct = build(tmp_path / "m", architecture, **CAN[architecture]), len(set(zip(*texts)))
    alone = one_at_a_time(folder, prompts, responses)
    assert np.ptp(alone) > .01
    rng, used = np.random.default_rng(1), {}
    loaded = load_reward_model(folder, device="cpu")
    for budget in (1, 200, 5000):
        for reuse, side in ((None, "right"), (True, "right"), (False, "right"), (False, "left")):
            m, order = SequenceReward(loaded.model, loaded.tokenizer, "m", token_budget=budget,
                                      padding_side=side, reuse_prefixes=reuse), rng.permutation(len(prompts))
            found = m.score([prompts[i] for i in order], [responses[i] for i in order])
            assert np.abs(found - alone[order]).max() < 1e-5, (side, budget, reuse)
            assert m.forward_passes == distinct and m.lean == (reuse is not False)
            assert m.scheme.startswith("full" if reuse is False else "shared")
            assert reuse is False or m.padding == 0
            used[budget, reuse] = m.reused
    assert used[5000, True] > used[5000, None] > 0 == used[5000, False] and used[200, True] > .5 * used[5000,
        True]
    assert check_scorer(m, prompts, responses).passed


@pytest.mark.parametrize("architecture", CANNOT)
def test_a_decoder_that_cannot_reads_full_sequences_and_says_why(architecture, tmp_path, texts):
    folder = build(tmp_path / "m", architecture, **CANNOT[architecture])
    m = load_reward_model(folder, device="cpu", token_budget=300, reuse_prefixes=True)
    whole = load_reward_model(folder, device="cpu", token_budget=1, reuse_prefixes=False)
    gap = np.abs(m.score(*texts) - whole.score(*texts)).max()
    assert m.reused == 0 and gap < 1e-5
    assert ("whole past" if architecture != "Llama"
            else "length of the whole text") in m.scheme and m.scheme == m.facts.set_index("fact").value[
                "scheme"]


def test_encoders_and_heads_of_their_own_read_full_sequences(tmp_path, texts):
    from rate_nb.scoring.heads import Head
    encoder = load_reward_model(save_tiny(tmp_path / "e",
                                          tiny_model("DistilBertForSequenceClassification", words=WORDS,
                                                     dim=16, n_heads=2, hidden_dim=24, n_layers=2,
                                                     max_position_embeddings=160), tiny_tokenizer(WORDS)),
                                device="cpu", reuse_prefixes=True)
    def body(folder, config, dtype):
        m = tiny_model("LlamaForSequenceClassification", seed=1, words=WORDS, max_position_embeddings=160)
        real = m.forward
        m.forward = lambda input_ids, attention_mask, position_ids=None: dict(reward=real(input_ids=input_ids,
            attention_mask=attention_mask, position_ids=position_ids).logits[:, 0])
        return m
    headed = load_reward_model(build(tmp_path / "h", "Llama"), device="cpu", head=Head("own", "", body),
                               reuse_prefixes=True)
    for m, why in ((encoder, "does not read from left to right"), (headed, "its head reads full sequences")):
        m.score(*texts)
        assert m.reused == 0 and why in m.scheme and not m.lean and check_scorer(m, *texts).passed


def test_what_is_shared_is_found_in_whole_texts(tmp_path):
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast
    letters = ["[pad]", "[bos]", "[eos]", "[unk]", *"abcxyz", "xa", "xab", "yz"]
    t = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(letters)},
                             merges=[("x", "a"), ("xa", "b"), ("y", "z")], unk_token="[unk]"))
    t = PreTrainedTokenizerFast(tokenizer_object=t, pad_token="[pad]", bos_token="[bos]", eos_token="[eos]",
                                unk_token="[unk]",
                                chat_template="[bos]{% for m in messages %}{{ m['content'] }}{% endfor "
                                              "%}[eos]")
    folder = save_tiny(tmp_path / "m", tiny_model(seed=1, words=letters), t)
    # the prompt's last letter melts into three of the responses
    prompt, responses = "cyzcbx", ["abc", "aac", "cab", "ba"]
    m = load_reward_model(folder, device="cpu", reuse_prefixes=True)
    items = m.prepare([(prompt, r) for r in responses])
    tokens = [t.convert_ids_to_tokens(e.ids.tolist()) for e in items]
    assert tokens[0] == ["[bos]", "c", "yz", "c", "b", "xab", "c", "[eos]"] and tokens[2][5] == "x"
    # c yz c b x, which is how none of these texts goes on after its four
    assert len(t(prompt)["input_ids"]) == 5
    plan, = m.plan(items)
    row = share_prefix([items[i] for i in plan], [len(items[i].ids) - 1 for i in plan], least=1)
    assert all((row.ids[at] == items[i].ids).all() for i, at in zip(plan, row.lies)) and row.reused >= 15
    assert (np.abs(m.score(prompt, responses) - one_at_a_time(folder, [prompt] * 4,
                                                              responses)).max() < 1e-5
            and m.reused == row.reused)


@pytest.mark.parametrize("pad", [2, None])
def test_the_token_that_is_read_is_never_in_the_cache(pad, tmp_path):
    # a text ends in [eos]: padding for one of them, the token to read for the other
    folder = build(tmp_path / "m", "Llama", pad_token_id=pad)
    prompts, responses = ["the film was very very long"] * 4, ["", "good", "good [eos] [eos]",
        "good [eos] bad"]
    alone = one_at_a_time(folder, prompts, responses)
    m = load_reward_model(folder, device="cpu", reuse_prefixes=True)
    assert np.abs(m.score(prompts, responses) - alone).max() < 1e-5 and m.reused > 0
    items = m.prepare(list(zip(prompts, responses)))
    ends = [len(e.ids) - 1 if pad is None else int(np.flatnonzero(e.ids != pad)[-1]) for e in items]
    plan, = m.plan(items)
    row = share_prefix([items[i] for i in plan], [ends[i] for i in plan], 1)
    # each has a token of its own
    assert min(ends) == (12 if pad is None else 11) and len(set(row.read)) == 4
    assert all(own.start <= read < own.stop and row.places[read] == ends[i] for i, own,
               read in zip(plan, row.own, row.read))


def test_texts_that_are_cut_share_what_is_left(tmp_path):
    folder = build(tmp_path / "m", "Llama")
    prompts, responses = ["the film was very long " * 4] * 3, ["good " * 20, "bad " * 5, "dull " * 30]
    reused = {}
    for side in ("left", "right"):
        m, whole = (load_reward_model(folder, device="cpu", max_length=40, truncation=side, reuse_prefixes=r)
                    for r in (None, False))
        assert np.abs(m.score(prompts, responses) - whole.score(prompts, responses)).max() < 1e-5
        assert m.truncated == whole.truncated == 2
        reused[side] = m.reused
    # cut on the left, they begin differently
    assert reused["left"] == 0 < reused["right"]


def test_long_texts_go_through_several_blocks(tmp_path):
    folder = build(tmp_path / "m", "Llama", max_position_embeddings=900, num_key_value_heads=1)
    rng = np.random.default_rng(0)
    prompt, responses = " ".join(rng.choice(WORDS[7:], 150)), [" ".join(rng.choice(WORDS[7:], n))
        for n in (1, BLOCK - 1, 2 * BLOCK, 3 * BLOCK + 7, 500)]
    m = load_reward_model(folder, device="cpu", token_budget=4096)
    assert np.abs(m.score(prompt, responses) - one_at_a_time(folder, [prompt] * 5,
                                                             responses)).max() < 1e-5 and m.reused > 4 * 150


ids = st.lists(st.integers(0, 2), min_size=1, max_size=30)

@given(st.lists(st.tuples(st.integers(0, 3), ids), min_size=1, max_size=25), st.integers(1, 40),
       st.integers(1, 120))
@settings(max_examples=200, deadline=None)
def test_a_row_holds_every_text_whole_and_what_it_shares_once(rows, least, budget):
    items = [Encoded(np.array([7, p, *r])) for p, r in rows]
    # some are read at their last token but one
    ends = [len(e.ids) - 1 - (len(e.ids) % 3 == 0) for e in items]
    planned = shared_prefixes(items, ends, budget, least)
    assert sorted(np.concatenate(planned)) == list(range(len(rows)))
    for p in planned:
        part, end = [items[i] for i in p], [ends[i] for i in p]
        row = share_prefix(part, end, least)
        assert len(p) == 1 or len(row.ids) <= budget
        assert len(row.ids) + row.reused == sum(len(e.ids) for e in part)
        for e, stop, lies, own, read in zip(part, end, row.lies, row.own, row.read):
            assert (row.ids[lies] == e.ids).all() and (row.places[lies]
                                                       == np.arange(len(e.ids))).all() and lies[stop] == read
            assert own.start <= read < own.stop == lies[-1] + 1
        # nothing is there twice but where a whole text would be shared
        if least == 1 and end == [len(e.ids) - 1 for e in part]:
            assert len(row.ids) <= len({tuple(e.ids[:k]) for e in part
                                        for k in range(1, len(e.ids) + 1)}) + len(part)
        # the texts of one row make one row again
        assert [q.tolist() for q in shared_prefixes(part, end, budget, least)] == [list(range(len(p)))]


def flips(n=6): # examples of long prompts, each with rewrites of both depths
    rng = np.random.default_rng(2)
    pick = lambda n: " ".join(rng.choice(WORDS[7:], n))
    ex = pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id=[f"p{i}" for i in range(n)],
                           prompt=[pick(30) for _ in range(n)], response=[pick(9) for _ in range(n)],
                           w=np.arange(n) % 2))
    rows = [(e.example_id, k, d, (1 - e.w) if d % 2 else e.w, pick(int(rng.integers(4, 20))), "ok")
            for e in ex.itertuples() for k in range(2) for d in (1, 2)]
    return ex, pd.DataFrame(rows, columns=["example_id", "draw", "depth", "target_w", "text",
                                           "status"]).assign(instruction_id="i")


def test_what_is_stored_serves_both_schemes_where_numbers_agree_and_neither_where_they_may_not(llama,
    tmp_path):
    ex, rw = flips()
    make = lambda **options: load_reward_model(llama, device="cpu", **options)
    assert make().key == make(reuse_prefixes=True).key == make(reuse_prefixes=False).key
    assert make(dtype="bfloat16").key == make(dtype="bfloat16",
                                              reuse_prefixes=True).key != make(dtype="bfloat16",
                                                  reuse_prefixes=False).key
    for dtype in ("float32", "bfloat16"):
        with Store(tmp_path / f"{dtype}.sqlite") as store:
            first, second, third, off = (make(dtype=dtype, reuse_prefixes=r)
                                         for r in (None, None, None, False))
            # originals alone: nothing to share
            score_rewrites(ex, None, first, store=store, progress=False)
            two = score_rewrites(ex, rw, second, store=store, progress=False)
            three = score_rewrites(ex, rw, third, store=store, progress=False)
            whole = score_rewrites(ex, rw, off, store=store, progress=False)
            assert (first.reused == 0 < second.reused and second.forward_passes == 24
                    and third.forward_passes == 0)
            pd.testing.assert_frame_equal(two, three, check_exact=True)
            assert off.forward_passes == (0 if dtype == "float32"
                                          else 30) and np.abs(whole.reward - two.reward).max() < (1e-5
                                              if dtype == "float32" else .2)


def test_out_of_memory_halves_the_budget_and_keeps_the_scheme(llama):
    ex, rw = flips(10)
    m, roomy = (load_reward_model(llama, device="cpu", token_budget=2000, reuse_prefixes=True)
                for _ in range(2))
    real = m.model.base_model.forward
    def cramped(input_ids=None, **inputs):
        if input_ids.numel() > 150:
            raise torch.cuda.OutOfMemoryError("out of memory")
        return real(input_ids=input_ids, **inputs)
    # tried before the memory shrinks
    m.scheme, m.lean
    m.model.base_model.forward = cramped
    assert np.abs(score_rewrites(ex, rw, m, progress=False).reward - score_rewrites(ex, rw, roomy,
        progress=False).reward).max() < 1e-5
    assert 75 < m.token_budget <= 150 and m.reused > .3 * roomy.reused > 0
    m.model.base_model.forward = lambda **inputs: (_
                                                   for _ in ()).throw(
                                                       torch.cuda.OutOfMemoryError("out of memory"))
    with pytest.raises(ModelError, match="does not fit"):
        m.score(["the film was good " * 5] * 2, ["good", "bad"])


# ---- the self-test, and options

def test_the_self_test_tries_prefix_reuse_and_catches_a_wrong_one(llama, texts, monkeypatch):
    from rate_nb.scoring import sequence_rewards
    row = check_scorer(load_reward_model(llama, device="cpu"),
                       *texts).table.set_index("check").loc["prefix reuse"]
    assert row.verdict == "ok" and "shared prefixes" in row.finding
    def astray(*args):
        row = share_prefix(*args)
        return dataclasses.replace(row, places=np.arange(len(row.ids)))
    broken = load_reward_model(llama, device="cpu")
    broken.scheme # believed before it breaks
    monkeypatch.setattr(sequence_rewards, "share_prefix", astray)
    verdict = check_scorer(broken, *texts)
    failed = verdict.table.check[verdict.table.verdict == "fails"].tolist()
    assert not verdict.passed and "prefix reuse" in failed


def test_a_model_that_is_not_what_it_claims_is_not_believed(tmp_path, texts):
    m = load_reward_model(build(tmp_path / "m", "Llama"), device="cpu", reuse_prefixes=True)
    real = m.model.base_model.forward
    def forward(input_ids=None, **inputs): # what it says of a token depends on how many came at once
        out = real(input_ids=input_ids, **inputs)
        out.last_hidden_state = out.last_hidden_state + .1 * input_ids.shape[1]
        return out
    m.model.base_model.forward = forward
    m.score(*texts)
    assert m.reused == 0 and "scores move" in m.scheme


def test_a_model_with_an_attention_of_its_own_is_not_believed(tmp_path, texts):
    m = load_reward_model(build(tmp_path / "m", "Llama"), device="cpu")
    layer = m.model.model.layers[0].self_attn
    real, config = layer.forward, layer.config
    def forward(hidden_states, **inputs): # one layer goes past the attention that was asked for
        asked, config._attn_implementation = config._attn_implementation, "eager"
        try:
            return real(hidden_states, **inputs)
        finally:
            config._attn_implementation = asked
    layer.forward = forward
    m.score(*texts)
    assert m.reused == 0 and m.scheme == "full sequences (prefix sharing failed: ModelError)"


def test_sharing_lost_to_a_library_is_warned_of_once_and_changes_no_reward(tmp_path, texts, monkeypatch):
    from rate_nb.scoring import prefix_sharing
    from rate_nb.scoring.reward_models import RewardWarning
    folder = build(tmp_path / "m", "Llama")
    wanted = load_reward_model(folder, device="cpu").score(*texts)
    # the next name that transformers gives its cache
    monkeypatch.setattr(prefix_sharing, "CACHE", ("memory",))
    m = load_reward_model(folder, device="cpu")
    with pytest.warns(RewardWarning, match="cache was not found") as told:
        checked = check_scorer(m, *texts)
        found = m.score(*texts)
    assert len([w for w in told if w.category is RewardWarning]) == 1 and m.reused == 0
    assert np.abs(found - wanted).max() < 1e-5
    row = checked.table.set_index("check").loc["prefix reuse"]
    assert checked.passed and row.verdict == "note" and "its cache was not found" in row.finding


def test_options_are_checked(llama):
    with pytest.raises(InputError, match="`reuse_prefixes`"):
        load_reward_model(llama, device="cpu", reuse_prefixes="yes")
