"""Are rewards on this device those of float32, each text read alone?"""
import tempfile, warnings
from importlib.util import find_spec
import numpy as np
import torch
from rate_nb.checkpoints.loading import save_tiny
from rate_nb.scoring.rewards import check_scorer
from rate_nb.scoring.sequence_rewards import load_reward_model

TINY = dict(hidden_size=256, intermediate_size=512, num_hidden_layers=4, num_attention_heads=4)
GROUPED = dict(num_key_value_heads=2, max_position_embeddings=8192)
# with the usual weights of random encoders, rewards differ by less than 16 bits can tell
APART = dict(initializer_range=.1)
ARCHITECTURES = { # name → what its configuration holds beyond `TINY`
    "Llama": GROUPED, "Mistral": GROUPED | dict(sliding_window=None), "Qwen2": GROUPED,
    "Qwen3": GROUPED | dict(head_dim=64), "Gemma2": GROUPED | dict(head_dim=64),
    "DebertaV2": dict(max_position_embeddings=512, relative_attention=True, position_buckets=256,
                      pos_att_type=["p2c", "c2p"], **APART),
    "Roberta": dict(max_position_embeddings=514, **APART)}
EAGER = ("DebertaV2", "Gemma2") # transformers knows one attention for them, or warns of the others
# what float32, and plain full sequences in 16 bits, may differ by, in standard deviations of the rewards; and
# how much worse shared prefixes, another attention or compiled code may be than those in the same 16 bits
EXACT, ROUNDED, WORSE = 1e-3, .25, 3.


def has_flash(): return find_spec("flash_attn") is not None


def random_model(kind, vocabulary, shape):
    "A sequence classifier of an architecture, with random weights"
    import transformers
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(vocab_size=vocabulary, num_labels=1, pad_token_id=0,
                                                    bos_token_id=1, eos_token_id=2, **shape)
    return getattr(transformers, f"{kind}ForSequenceClassification")(config).eval()


def ways(kind, device):
    "Name → options of `load_reward_model`; the first of each precision is the plain one"
    gpu = device.type == "cuda"
    kinds = {"eager": dict(loading=dict(attn_implementation="eager"))}
    if kind not in EAGER:
        kinds["sdpa"] = dict(loading=dict(attn_implementation="sdpa"))
    for dtype in ("float32", "bfloat16", "float16") if gpu else ("float32", "bfloat16"):
        for name, options in kinds.items():
            yield f"{dtype}, {name}", dict(dtype=dtype, reuse_prefixes=False) | options
        if gpu and has_flash() and dtype != "float32" and kind not in EAGER:
            yield f"{dtype}, flash", dict(dtype=dtype, reuse_prefixes=False,
                                          loading=dict(attn_implementation="flash_attention_2"))
        yield f"{dtype}, shared prefixes", dict(dtype=dtype, reuse_prefixes=True)
    if gpu:
        yield "bfloat16, compiled", dict(dtype="bfloat16", reuse_prefixes=False, compiled=True)


def flips(reference, got):
    "Share of pairs of responses to one prompt (three each) that change their order"
    a, b = (np.asarray(v).reshape(-1, 3) for v in (reference, got))
    pairs = [(0, 1), (0, 2), (1, 2)]
    return float(np.mean([np.sign(a[:, i] - a[:, j]) != np.sign(b[:, i] - b[:, j]) for i, j in pairs]))


def rewards(prompts, responses, tokenizer, device, clock, names=tuple(ARCHITECTURES)):
    "A row for each architecture and way to score"
    for kind in names:
        with tempfile.TemporaryDirectory() as folder:
            save_tiny(folder, random_model(kind, len(tokenizer), TINY | ARCHITECTURES[kind]), tokenizer)
            alone = _load(folder, device, dtype="float32", reuse_prefixes=False, token_budget=1,
                          loading=dict(attn_implementation="eager"))
            reference = alone.score(prompts, responses)
            spread, plain = reference.std(), {}
            for way, options in ways(kind, device):
                if not clock.allows(60 if "compiled" in way else 5, f"{kind}, {way}"):
                    continue
                yield _row(kind, way, options, folder, device, prompts, responses, reference, spread, plain)


def _load(folder, device, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_reward_model(folder, name="random", device=str(device), **options)


def _row(kind, way, options, folder, device, prompts, responses, reference, spread, plain):
    row = dict(architecture=kind, way=way)
    try:
        model = _load(folder, device, **options)
        got = model.score(prompts, responses)
        checked = check_scorer(model, prompts[:8], responses[:8])
    except Exception as e:
        return row | dict(right=False, said=f"{type(e).__name__}: {str(e).splitlines()[0][:200]}")
    gap, dtype = float(np.abs(got - reference).max()/spread), options["dtype"]
    first = dtype not in plain
    allowed = EXACT if dtype == "float32" else ROUNDED if first else WORSE*plain[dtype]
    plain.setdefault(dtype, gap)
    return row | dict(scheme=model.scheme, gap=gap, allowed=allowed, flips=flips(reference, got),
                      right=bool(gap <= allowed and checked.passed and np.isfinite(got).all()),
                      said=checked.verdict)


def table(rows):
    out = ["| architecture | way | gap, sd | order changed | right |", "|:--|:--|--:|--:|:--|"]
    for r in rows:
        numbers = f"{r['gap']:.1e} | {r['flips']:.1%}" if "gap" in r else "- | -"
        out.append(f"| {r['architecture']} | {r['way']} | {numbers} | {'yes' if r['right'] else 'NO'} |")
    return "\n".join(out)


def does_not_fit(prompts, responses, tokenizer, device):
    "A batch that is too large for the memory there is must be split, and give the same rewards"
    if device.type != "cuda":
        return dict(right=None, said="not tried: a CPU's memory has no limit that could be set")
    with tempfile.TemporaryDirectory() as folder:
        save_tiny(folder, random_model("Llama", len(tokenizer), TINY | GROUPED), tokenizer)
        model = _load(folder, device, dtype="float32", reuse_prefixes=False,
                      loading=dict(attn_implementation="eager"))
        reference = model.score(prompts, responses)
        model.token_budget = asked = 10**7
        torch.cuda.empty_cache()
        total = torch.cuda.get_device_properties(device).total_memory
        used = torch.cuda.memory_reserved(device)
        torch.cuda.set_per_process_memory_fraction(min(1., (used + 2**28)/total), device)
        try:
            got = model.score(prompts, responses)
            split, gap = model.token_budget < asked, float(np.abs(got - reference).max()/reference.std())
            said = (f"split until {model.token_budget:,} tokens fitted, gap {gap:.0e} sd" if split
                    else "it fitted, so nothing was shown")
            return dict(right=bool(gap <= EXACT) if split else None, said=said)
        except Exception as e:
            return dict(right=False, said=f"{type(e).__name__}: {str(e).splitlines()[0][:200]}")
        finally:
            torch.cuda.set_per_process_memory_fraction(1., device)
