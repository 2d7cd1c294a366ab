"Training a model directory: what is read, what is wrong, trained and answered once, compared by prompt."
import json
from pathlib import Path
import pandas as pd, pytest
from rate_nb.base.core import InputError, ModelError
from rate_nb.base.files import TableWarning
from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer
from rate_nb.studies import repair, training
from rate_nb.studies.training import (
    as_the_model_reads, generated, load_preferences, load_prompts, train_policy)

WORDS = "[pad] [bos] [eos] [unk] user assistant : say something good bad".split()
PAIRS = pd.DataFrame(dict(prompt=["say something"]*8, chosen=["good"]*8, rejected=["bad"]*8))


@pytest.mark.parametrize("row, words", [
    (dict(prompt="p", chosen="a", reject="b"), r"lacks rejected \(it has: prompt, chosen, reject\)"),
    (dict(prompt="p", chosen=["a"], rejected="b"), r"`chosen` must be a text, or .*: row 1 \(\['a'\]\)"),
    (dict(prompt=None, chosen="a", rejected="b"), r"`prompt` must be a text, .*: row 1 \(None\)"),
    (dict(prompt=" ", chosen="a", rejected="b"), r"`prompt` must be .* something; .*: row 1 \(' '\)"),
    (dict(prompt="p", chosen="a", rejected=None), r"`rejected` must be .*: row 1 \(None\)\s+- mend"),
    (dict(prompt="p", chosen=3, rejected="b"), r"`chosen` must be .*: row 1 \(3\)"),
    (dict(prompt="p", chosen=[dict(role="assistant", content=None)], rejected="b"), "`chosen` must be"),
    (dict(prompt="p", chosen=[dict(role="assistant", content=3)], rejected="b"), "`chosen` must be"),
    (dict(prompt="p", chosen=[dict(role="user", content="a")], rejected="b"), "`chosen` must, as messages"),
    (dict(chosen=[dict(role="user", content="p"), dict(role="assistant", content="a")], rejected="b"),
     "lacks prompt"),
    (dict(prompt="You are a pirate.",
          **{c: [dict(role="user", content="p"), dict(role="assistant", content=c)]
             for c in ("chosen", "rejected")}),
     r"`prompt` must, as a text beside .* or leave this column out; .*: row 1 \('You are a pirate.'\)"),
    (dict(prompt="p", chosen="a", rejected="a"), "must differ; they are the same in every row"),
])
def test_what_is_wrong_with_preferences_is_said(tmp_path, row, words):
    (tmp_path/"p.jsonl").write_text(json.dumps(row))
    with pytest.raises(InputError, match=words):
        load_preferences(tmp_path/"p.jsonl")


def test_an_empty_answer_is_an_answer(tmp_path):
    rows = [dict(prompt="p", chosen="a", rejected=""),
            dict(prompt=say("user", "p"), chosen=say("assistant", "a"), rejected=say("assistant", ""))]
    for k, row in enumerate(rows):
        path = tmp_path / f"{k}.jsonl"
        path.write_text(json.dumps(row) + "\n")
        assert load_preferences(path).to_dict("records") == [row]


def say(role, *texts): return [dict(role=role, content=t) for t in texts]


def written(rows, path):  # a file of any kind; messages in a CSV are JSON
    table = pd.DataFrame(rows)
    if path.suffix == ".parquet":
        table.to_parquet(path)
    elif path.suffix == ".csv":
        table.map(lambda v: v if isinstance(v, str) else json.dumps(v)).to_csv(path, index=False)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    else:
        path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return path


TEXTS = dict(prompt="say é 漢", chosen="1", rejected="2")  # numbers in texts stay texts
CHATS = dict(prompt=say("user", "say é 漢"), chosen=say("assistant", "1"), rejected=say("assistant", "2"))
WHOLE = {c: CHATS["prompt"] + CHATS[c] for c in ("chosen", "rejected")}  # TRL's implicit prompt


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "parquet"])
@pytest.mark.parametrize("row, want", [(TEXTS, TEXTS), (CHATS, CHATS), (WHOLE, CHATS),
                                       (WHOLE | dict(prompt="say é 漢"), CHATS)])
def test_preferences_are_read_from_every_kind_of_file(tmp_path, ending, row, want):
    path = written([row]*2, tmp_path/f"p.{ending}")
    assert load_preferences(path).to_dict("records") == [want]*2
    assert load_prompts(path) == [want["prompt"]]*2


def test_a_prompt_of_several_turns_stands_once_before_the_answers(tmp_path):
    before = say("system", "s") + say("user", "a") + say("assistant", "b") + say("user", "c")
    for prompt in (before, before[:2], None):
        rows = [dict(prompt=prompt, chosen=before + CHATS["chosen"], rejected=before + CHATS["rejected"])]
        rows = rows if prompt else [{k: v for k, v in rows[0].items() if k != "prompt"}]
        assert load_preferences(written(rows, tmp_path/"p.jsonl")).prompt[0] == before
    plain = as_the_model_reads(pd.DataFrame(dict(prompt=[before])), tiny_tokenizer(template=None)).prompt[0]
    assert plain == "system: s\n\nuser: a\n\nassistant: b\n\nuser: c\n\n"


def test_a_pair_that_prefers_nothing_is_left_out_and_said(tmp_path):
    path = written([TEXTS, TEXTS | dict(chosen="2"), CHATS | dict(chosen=say("assistant", "3"))],
                   tmp_path/"p.jsonl")
    with pytest.warns(TableWarning, match=r"`chosen` equal to `rejected` .*: 1 row of 3 left out \(row 2\)"):
        assert len(load_preferences(path)) == 2
    with pytest.raises(InputError, match="file is empty"):
        load_preferences(written([], tmp_path/"none.jsonl"))
    with pytest.raises(InputError, match="needs the column prompt; it has asked"):
        load_prompts(written([dict(asked="a")], tmp_path/"q.jsonl"))
    with pytest.raises(InputError, match=r"`prompt` must be a text, or .*: row 2 \(3\)"):
        load_prompts(written([dict(prompt="a"), dict(prompt=3)], tmp_path/"q.json"))


STRICT = ("{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('no system') }}"
          "{% endif %}{{ m['content'] }}{% endfor %}")


def test_what_no_policy_can_be_trained_from_is_said_before_training(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_trl", lambda: None)
    monkeypatch.setattr(training, "train_dpo", lambda *args, **options: pytest.fail("it was trained"))
    model = tiny_model("LlamaForCausalLM", 0, WORDS)
    endless, strict = tiny_tokenizer(WORDS), tiny_tokenizer(WORDS, template=STRICT)
    endless.eos_token = None
    folders = dict(base=(model, tiny_tokenizer(WORDS)), endless=(model, endless), strict=(model, strict),
                   head=(tiny_model(words=WORDS), tiny_tokenizer(WORDS)))
    at = {k: save_tiny(tmp_path/k, *v) for k, v in folders.items()}
    (tmp_path/"thesis").mkdir()
    (tmp_path/"thesis"/"chapter.txt").write_text("1")
    system = pd.DataFrame([TEXTS, CHATS | dict(prompt=say("system", "s") + CHATS["prompt"])])
    call = say("assistant", "so")[0] | dict(tool_calls=[dict(type="function", function=dict(name="look"))])
    calls = pd.DataFrame([CHATS | dict(chosen=[call] + CHATS["chosen"])])
    for error, words, base, pairs, folder in (
            (ModelError, "no language model", "head", PAIRS, "p"),
            (ModelError, "no `eos_token`", "endless", PAIRS, "p"),
            (InputError, "row 2: the chat template of 'strict' refuses .*no system", "strict", system, "p"),
            (InputError, "row 1: .* passes over their `tool_calls` of 'look'", "strict", calls, "p"),
            (InputError, "must be above 0, not '8'", "base", PAIRS, "p"),
            (InputError, r"`chosen` must be .* 8 rows do not: row 1, 2", "base", PAIRS.assign(chosen=3), "p"),
            (InputError, r"thesis holds something else \('chapter.txt'\)", "base", PAIRS, "thesis"),
            (InputError, "base is the base model itself", "base", PAIRS, "base"),
            (InputError, "chapter.txt is a file", "base", PAIRS, "thesis/chapter.txt")):
        with pytest.raises(error, match=words):
            train_policy(at[base], pairs, tmp_path/folder, batch="8" if "'8'" in words else 8)
    same = CHATS | dict(rejected=CHATS["chosen"])
    with pytest.warns(TableWarning, match=r"left out \(row 1\)"):
        rows = load_preferences(written([same, CHATS, *system.to_dict("records")], tmp_path/"rows.jsonl"))
    with pytest.raises(InputError, match="row 4: the chat template"): # as the file has it
        train_policy(at["strict"], rows.iloc[1:], tmp_path/"p")
    assert not (tmp_path/"p").exists() and len(list((tmp_path/"thesis").iterdir())) == 1


def test_a_base_without_padding_or_template_is_trained_and_asked(tmp_path, monkeypatch):
    seen = []
    def trained(model, tokenizer, pairs, *args, max_length):
        seen.append((tokenizer.pad_token, pairs.prompt[0], max_length))
        if len(seen) == 1:
            raise KeyboardInterrupt  # an interrupted training goes on in its folder
        return model
    monkeypatch.setattr(training, "_trl", lambda: None)
    monkeypatch.setattr(training, "train_dpo", trained)
    tokenizer = tiny_tokenizer(WORDS, template=None)
    tokenizer.pad_token = None
    base = save_tiny(tmp_path/"base", tiny_model("LlamaForCausalLM", 0, WORDS), tokenizer)
    with pytest.raises(KeyboardInterrupt):
        train_policy(base, PAIRS.head(1), tmp_path/"policy")
    policy = train_policy(base, PAIRS.head(1), tmp_path/"policy")
    assert seen == [("[eos]", "say something\n\n", 1024)]*2
    assert len(generated(policy, ["say", say("user", "bad")], tmp_path/"a.parquet", max_new_tokens=2)) == 2


def test_the_demo_has_a_base_model_of_its_own_for_each_seed(tmp_path, monkeypatch):
    small = training.TrainingSettings(texts=60, prompts=12, questions=2)
    monkeypatch.setattr(training, "TrainingSettings", lambda **_: small)
    (base, pairs), (other, others), (again, _) = (training.demo_policy(tmp_path, seed) for seed in (0, 1, 0))
    assert base == again != other and not pairs.equals(others)
    weights = [(folder/"model.safetensors").read_bytes() for folder in (base, other)]
    assert weights[0] != weights[1]


def parts(text): return [dict(type="text", text=text)]


def test_parts_of_text_are_trained_on_as_text(tmp_path):
    "A template prints a list as Python does, and no table holds texts beside lists"
    rows = [TEXTS, dict(prompt=[dict(role="user", content=parts("a") + parts("b"))],
                        chosen=say("assistant", parts("1")), rejected=say("assistant", "2"))]
    got = as_the_model_reads(load_preferences(written(rows, tmp_path/"p.jsonl")), tiny_tokenizer())
    assert got.to_dict("records")[1] == dict(prompt=say("user", "ab"), chosen=say("assistant", "1"),
                                             rejected=say("assistant", "2"))


def test_a_prompt_that_leaves_no_room_for_an_answer_is_said(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(training, "_trl", lambda: None)
    monkeypatch.setattr(training, "train_dpo",
                        lambda model, tokenizer, pairs, *args, **options: seen.append(len(pairs)) or model)
    base = save_tiny(tmp_path/"base", tiny_model("GPT2LMHeadModel", 0, WORDS),  # 64 places
                     tiny_tokenizer(WORDS, template=None))
    long = PAIRS.assign(prompt=["say "*80] + ["say"]*7)
    with pytest.raises(InputError, match="`max_length`: every prompt of `pairs` has 64 tokens or more"):
        train_policy(base, long.head(1), tmp_path/"policy")
    (tmp_path/"policy").mkdir()
    (tmp_path/"policy"/"training.json").write_text('{"key": "cut sho')
    with pytest.warns(TableWarning, match=r"`max_length`: .* 64 tokens .*: 1 row of 8 left out \(row 1\)"):
        policy = train_policy(base, long, tmp_path/"policy")
    assert seen == [7] and json.loads((policy/"training.json").read_text())["pairs"] == 7
    with pytest.raises(InputError, match="`prompts`: number 2 of 2 has 64 tokens or more"):
        generated(base, ["say", "say "*80], tmp_path/"a.parquet")
    assert len(generated(base, ["say"], tmp_path/"a.parquet", max_new_tokens=300)) == 1


def test_no_policy_is_trained_on_the_prompts_that_all_are_asked():
    "Neither the policy of `pairs` nor that of `against`, which holds the same prompts"
    from rate_nb.batch.notebooks import run_notebooks
    cells = json.loads(Path(run_notebooks()["train"]).read_text(encoding="utf-8"))["cells"]
    code = next(s for c in cells if "held_out(" in (s := "".join(c["source"])))
    pairs = pd.DataFrame(dict(prompt=[f"p{i}" for i in range(40)], chosen="a", rejected="b"))
    now = dict(vars(training), json=json, table=pairs, other=pairs.assign(chosen="b", rejected="a"), test="",
               against="raw.jsonl", seed=0, prompts=3, held_out=repair.held_out)
    exec(code, now)
    assert len(now["asked"]) == 3 and len(now["table"]) == len(now["other"]) == 36 and not now["overlap"]
    assert not set(now["asked"]) & {*now["table"].prompt, *now["other"].prompt}


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


@pytest.mark.slow
@pytest.mark.parametrize("row", [TEXTS, CHATS, WHOLE])
@pytest.mark.parametrize("template", [None, "{% for m in messages %}{{ m['content'] }} [eos] {% endfor %}"])
def test_every_legal_form_is_trained_on(tmp_path, row, template):
    base = save_tiny(tmp_path/"base", tiny_model("LlamaForCausalLM", 0, WORDS),
                     tiny_tokenizer(WORDS, template=template))
    pairs = load_preferences(written([row], tmp_path/"p.csv"))  # one pair
    assert (train_policy(base, pairs, tmp_path/"policy")/"model.safetensors").is_file()
