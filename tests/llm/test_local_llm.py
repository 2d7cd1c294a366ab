("A causal model on this machine: each row is what it would have been alone, nothing is made twice, and "
 "what cannot be used says so")
import asyncio, shutil, threading, time
import pandas as pd, pytest
from rate_nb.base.core import InputError, ModelError
from rate_nb.llm.chat import ask_many
from rate_nb.llm.local import LocalRewriter
from rate_nb.rewriting.instructions import instruction_for, RewriteRequest
from rate_nb.llm.calls import run_async
from rate_nb.rewriting.chains import double_rewrite

CHATML = ("{% for m in messages %}<|begin|>{{ m.role }}\n{{ m.content }}<|end|>\n{% endfor %}"
          "{% if add_generation_prompt %}<|begin|>assistant\n{% endif %}")
USER_ONLY = ("{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% "
             "endif %}<|begin|>{{ m.content }}<|end|>{% endfor %}"
             "{% if add_generation_prompt %}<|begin|>{% endif %}")


def quiet(save):
    from transformers.utils import logging
    logging.disable_progress_bar()
    try:
        save()
    finally:
        logging.enable_progress_bar()


def byte_tokenizer(template=CHATML): # any text goes in and comes out: one token a byte
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    names = ["<|pad|>", "<|begin|>", "<|end|>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({w: i for i, w in enumerate(names)}, []))
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(
        add_prefix_space=False), decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|pad|>",
                                   bos_token="<|begin|>", chat_template=template)


def tiny_chat_model(folder, kind="llama", template=CHATML, context=2048, seed=0):
    "A random causal model of one of three architectures, saved as a hub would hold it"
    import torch
    from transformers import (
        GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM)
    torch.manual_seed(seed)
    tokenizer, ids = byte_tokenizer(template), dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
    many = dict(vocab_size=len(tokenizer), hidden_size=48, intermediate_size=96, num_hidden_layers=2,
                num_attention_heads=4, max_position_embeddings=context,
                initializer_range=.3, **ids)
    model = {"llama": lambda: LlamaForCausalLM(LlamaConfig(**many)),
             "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(num_key_value_heads=2, tie_word_embeddings=True,
                                                           **many)),
             "gpt2": lambda: GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_embd=48, n_layer=2,
                                                        n_head=4, n_positions=context, initializer_range=.3,
                                                        **ids))}[kind]()
    quiet(lambda: (model.save_pretrained(folder), tokenizer.save_pretrained(folder)))
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory): return tiny_chat_model(tmp_path_factory.mktemp("models")/"tiny")


def films(n): # texts of different lengths, some with signs of several bytes
    return pd.DataFrame(dict(example_id=[f"f{i}" for i in range(n)], prompt_id=[f"f{i}" for i in range(n)],
                             prompt="Review this.", w=[i % 2 for i in range(n)],
                             response=[f"Film {i} was {('dull', 'süß 🙂')[i % 2]}{' and long' * (i % 5)}."
                                       for i in range(n)]))


def request(text, target=1, draw=0, attribute="sentiment"): return RewriteRequest("", text, target, draw,
    instruction_for(attribute))


# greedy decoding as one writes it without batches, caches or this package
def reference(folder, request, limit):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder,
        dtype=torch.float32).eval()
    messages = request.instruction.messages(request.prompt, request.text, request.target)
    ids = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=True)["input_ids"]
    new = []
    while len(new) < limit and 2 not in new:
        with torch.no_grad():
            new.append(int(model(torch.tensor([ids + new])).logits[0, -1].argmax()))
    return tokenizer.decode(new,
                            skip_special_tokens=True), "stop" if 2 in new else "length", len(ids), len(new)


@pytest.mark.parametrize("kind", ["llama", "gpt2", "qwen2"])
def test_batched_is_what_a_plain_loop_over_single_rows_gives(tmp_path, kind):
    folder = tiny_chat_model(tmp_path/kind, kind)
    asked = [request(t, i % 2) for i, t in enumerate(films(6).response)]
    rewriter = LocalRewriter(folder, batch_size=6, max_new_tokens=24)
    async def all_of_them(): return await asyncio.gather(*map(rewriter.rewrite, asked))
    got = [(r.text, r.finish_reason, r.prompt_tokens, r.completion_tokens) for r in run_async(all_of_them())]
    assert got == [reference(folder, q, 24) for q in asked] and len({g[0] for g in got}) == 6
    assert rewriter.note.endswith(" tokens/s") and not rewriter.note.startswith("-")


def test_the_key_names_everything_that_decides(tiny, tmp_path):
    base = LocalRewriter(tiny).settings
    changed = [LocalRewriter(tiny, **kw).settings for kw in (dict(max_new_tokens=9), dict(dtype="bfloat16"),
                                                             dict(temperature=.5), dict(template=USER_ONLY),
               dict(template_options=dict(x=1)), dict(repetition_penalty=1.2), dict(temperature=.5, seed=1),
                                                             dict(temperature=.5, top_p=.5))]
    other = LocalRewriter(tiny_chat_model(tmp_path/"tiny", seed=1)).settings
    assert len({repr(s) for s in (base, *changed, other)}) == len(changed) + 2 and LocalRewriter(tiny,
        batch_size=3).settings == base
    assert LocalRewriter(shutil.copytree(tiny, tmp_path/"copy"/tiny.name)).settings == base


def test_memory_that_does_not_suffice_halves_the_batch(tiny):
    import torch
    calm = double_rewrite(films(8), "sentiment", LocalRewriter(tiny, max_new_tokens=8, batch_size=8), depth=1)
    rewriter, sizes = LocalRewriter(tiny, max_new_tokens=8, batch_size=8), []
    generate = rewriter._generate
    def tight(jobs):
        sizes.append(len(jobs))
        if len(jobs) > 3:
            raise torch.OutOfMemoryError("no")
        return generate(jobs)
    rewriter._generate = tight
    table = double_rewrite(films(8), "sentiment", rewriter, depth=1)
    assert table.text.equals(calm.text) and sizes == [8, 4, 2, 2, 4, 2, 2] and rewriter.batch_size == 2
    def none(jobs): raise torch.OutOfMemoryError("no")
    rewriter._generate = none
    table = double_rewrite(films(2), "sentiment", rewriter, depth=1)
    assert (table.status == "failed").all() and table.error.str.contains("memory").all()


def test_a_model_that_breaks_ends_the_run_with_its_reason(tiny):
    rewriter = LocalRewriter(tiny, max_new_tokens=8)
    def broken(jobs): raise RuntimeError("device-side assert")
    rewriter._generate = broken
    with pytest.raises(ModelError, match="device-side assert"):
        double_rewrite(films(3), "sentiment", rewriter)


def test_an_interrupt_stops_generation_and_keeps_what_was_there(tiny, tmp_path):
    rewriter = LocalRewriter(tiny, store=tmp_path/"s.sqlite", max_new_tokens=64, batch_size=2)
    import _thread
    def stop():
        while rewriter.calls < 6:
            time.sleep(.005)
        _thread.interrupt_main()
    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        double_rewrite(films(60), "sentiment", rewriter)
    time.sleep(.3)
    calls = rewriter.calls
    time.sleep(.3)
    # nothing goes on in the background
    assert rewriter.calls == calls < 60 and 0 < len(rewriter.store) <= calls
    # and the same rewriter can be used again
    table = double_rewrite(films(6), "sentiment", rewriter, depth=1)
    assert (table.status != "failed").all() and table.cached.any()


def test_it_answers_questions_too(tiny): # as a judge, a labeller or a generator
    rewriter = LocalRewriter(tiny, max_new_tokens=8)
    asked = [[dict(role="user", content=f"Is {t} good?")]
             for t in "abc"] + [[dict(role="system", content="Say yes.")],
                                [dict(role="user", content="Hi.")] * 3]
    answers = ask_many(rewriter, asked, parse=lambda text: text)
    assert [a.status for a in answers].count("failed") == 0 and rewriter.calls == 5 and all(a.prompt_tokens
        == len(rewriter.encode(q)) for a, q in zip(answers, asked))


@pytest.mark.parametrize("text",
                         ["", " \n", "nul \x00", "lone \ud800 surrogate", "\u202eright to left", "👩‍👩‍👧‍👦",
                          "</text>\n<|end|>", "x" * 1_000_000], ids=lambda t: ascii(t[:12]))
def test_no_text_crashes_a_run(tiny, text):
    examples = films(2).assign(response=pd.Series(["A dull film.", text], dtype=object))
    table = double_rewrite(examples, "sentiment", LocalRewriter(tiny, max_new_tokens=8))
    assert len(table) == 4 and table.status.notna().all() and (table.status
        == "failed").sum() == 2 * (len(text) > 1000)


def test_what_cannot_be_used_says_so(tiny, tmp_path):
    from transformers import LlamaConfig, LlamaForSequenceClassification
    def copy(name, harm):
        folder = shutil.copytree(tiny, tmp_path/name)
        harm(folder)
        return folder
    def nan(folder):
        from safetensors.torch import load_file, save_file
        weights = load_file(folder/"model.safetensors")
        weights["model.norm.weight"][0] = float("nan")
        save_file(weights, folder/"model.safetensors", dict(format="pt"))
    def classify(folder): quiet(
        lambda: LlamaForSequenceClassification(LlamaConfig.from_pretrained(folder)).save_pretrained(folder))
    cases = [("/not/there", "is not there"),
             (copy("a", lambda f: (f/"tokenizer.json").unlink()), "lacks a tokenizer"),
             (tiny/"config.json", "a file, not a directory"),
             (copy("b", lambda f: (f/"chat_template.jinja").unlink()), "no chat template"),
             (copy("c", lambda f: (f/"model.safetensors").write_bytes(b"version")), "gives no causal"),
             (copy("f", nan), "NaN"), (copy("d", lambda f: (f/"config.json").write_text("{}")), "gives no"),
             (copy("e", classify), "no trained language model"), ("no-org/no-model", "hub name")]
    for source, said in cases:
        with pytest.raises(ModelError, match=said):
            LocalRewriter(source).check()
    for bad in (dict(temperature=-1), dict(top_p=0.), dict(max_new_tokens=0), dict(batch_size=0),
                dict(do_sample=True), dict(dtype="float99"), dict(device="moon")):
        with pytest.raises(InputError):
            LocalRewriter(tiny, **bad)
