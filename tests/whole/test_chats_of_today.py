"""Chats of today: thoughts, tool calls, content in parts, trajectories, reference answers.

Nothing of a chat is lost in silence: what a reward model's own template shows is scored, what it would not
show is refused by row and key before anything is paid, and a model's thoughts are no part of what it says.
"""
import json

import numpy as np
import pandas as pd
import pytest

from rate_nb import Audit, load_examples
from rate_nb.base.core import InputError, content_key
from rate_nb.base.store import Store
from rate_nb.checkpoints.encoding import chat_text, find_convention, known_models
from rate_nb.checkpoints.loading import save_tiny, tiny_model, tiny_tokenizer
from rate_nb.data.examples import prompts_of, trajectory, whole_chat
from rate_nb.llm.batch_api import BatchLimits
from rate_nb.llm.calls import Reply, read_completion
from rate_nb.llm.chat import FunctionEndpoint, ask_many, one_of
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.rewriting.sandbox import Sandbox, Trouble
from rate_nb.scoring.judges import LLMJudge, to_contrasts
from rate_nb.scoring.remote import HTTPReward
from rate_nb.scoring.reward_models import as_pairs, score_texts
from rate_nb.scoring.rewards import score_rewrites, scores_from_file, texts_of, texts_to_score
from rate_nb.scoring.sequence_rewards import load_reward_model

FILMS = ["It was a dull film and a waste of two hours.",
         "A superb film, warm and funny from the first minute.",
         "The plot is clumsy and the cast is bored.", "I loved every minute of this charming story."]
FILM_TABLE = pd.DataFrame(dict(example_id=list("abcd"), prompt_id=list("abcd"), prompt="Review the film.",
                               response=FILMS, w=[0, 1, 0, 1]))


# ---- thoughts

def rewritten(store=None, **dials):
    with Sandbox(**dials) as box:
        rewriter = OpenAIRewriter(box.model, box.base_url, store=store, api_key=lambda: "none")
        return double_rewrite(FILM_TABLE, "sentiment", rewriter), rewriter


@pytest.fixture(scope="module")
def plain():
    return rewritten()[0]


@pytest.mark.parametrize("way", ["tags", "prefill", "field"])
def test_a_thinking_rewriter_gives_the_rewrites_of_one_that_does_not(plain, way, tmp_path):
    store = Store(tmp_path/"store.sqlite")
    made, rewriter = rewritten(store, thinking=way)
    assert made.text.tolist() == plain.text.tolist() and made.status.tolist() == plain.status.tolist()
    assert made.thoughts.str.startswith("The text is").all() and (made.reasoning_tokens > 0).all()
    assert (made.completion_tokens > made.reasoning_tokens).all()
    kept = store.get_many("rewrite", made.key)
    assert len(kept) == len(made) and not any("think" in v["text"] or "The text is" in v["text"]
                                             for v in kept.values())
    assert all(v["thoughts"] and v["reasoning_tokens"] for v in kept.values())
    again = double_rewrite(FILM_TABLE, "sentiment", rewriter) # from the store: nobody answers any more
    assert again.cached.all() and again.thoughts.tolist() == made.thoughts.tolist()


def test_a_thinking_rewriter_in_a_batch(plain, tmp_path):
    with Sandbox(thinking="field") as box:
        rewriter = OpenAIRewriter(box.model, box.base_url, store=tmp_path/"store.sqlite", mode="batch",
                                  api_key=lambda: "none", batch=BatchLimits(poll=.02, poll_longest=.06))
        made = double_rewrite(FILM_TABLE, "sentiment", rewriter)
    assert made.text.tolist() == plain.text.tolist() and made.thoughts.notna().all()


@pytest.mark.parametrize("way", ["tags", "field"])
def test_who_thinks_until_the_limit_is_truncated(way):
    made, _ = rewritten(thinking=way, trouble=Trouble(overthink=1.))
    first = made[made.depth == 1]
    assert set(made.status) == {"truncated"} and set(first.text) == {""} and first.thoughts.notna().all()


def test_thoughts_stored_before_they_were_known_are_no_part_of_a_rewrite(plain, tmp_path):
    store = Store(tmp_path/"store.sqlite")
    made, rewriter = rewritten(store)
    old = {k: v | dict(text=f"<think>Hm.</think>\n{v['text']}")
           for k, v in store.get_many("rewrite", made.key).items()}
    other = Store(tmp_path/"old.sqlite")
    other.put_many("rewrite", old)
    rewriter.store = other
    again = double_rewrite(FILM_TABLE, "sentiment", rewriter)
    assert again.cached.all() and again.text.tolist() == plain.text.tolist()


def longer_is_better(messages):
    a, b = (messages[-1]["content"].split(f"<{name}>\n")[1].split(f"\n</{name}>")[0]
            for name in ("answer-A", "answer-B"))
    return "A" if len(a) > len(b) else "B"


def test_a_thinking_judge_gives_the_verdicts_of_one_that_does_not(plain):
    def aloud(messages): return f"<think>A? Or B?</think>\n\n{longer_is_better(messages)}"
    def inside(messages): return f"A? Or B?</think>\n\n{longer_is_better(messages)}"
    said = [to_contrasts(FILM_TABLE, plain, LLMJudge(FunctionEndpoint(f), name="judge"))
            for f in (longer_is_better, aloud, inside)]
    assert said[0].contrast.abs().sum() > 0
    for other in said[1:]:
        pd.testing.assert_frame_equal(said[0], other)


def test_a_judge_that_thinks_until_the_limit_gives_no_verdict():
    class Deep(FunctionEndpoint):
        def rewrite(self, question):
            return Reply(self.function(question), "length", "deep")
    question = [dict(role="user", content="A or B?")]
    answers = ask_many(Deep(lambda q: "<think>A is better, or is it B"), [question], parse=one_of(["A", "B"]))
    assert answers[0].status == "truncated" and answers[0].thoughts.startswith("A is better")


def test_reasoning_tokens_are_kept_and_counted_once():
    def usage_of(**usage):
        message = dict(content="Fine.", reasoning="Hm.")
        reply = read_completion(json.dumps(dict(usage=usage, choices=[dict(message=message,
                                                                           finish_reason="stop")])))
        return reply.completion_tokens, reply.reasoning_tokens, reply.estimated
    within = dict(prompt_tokens=5, completion_tokens=30, total_tokens=35,
                  completion_tokens_details=dict(reasoning_tokens=28))
    assert usage_of(**within) == (30, 28, False)
    assert usage_of(prompt_tokens=5, completion_tokens=2, total_tokens=35) == (30, 28, False) # counted apart
    assert usage_of(prompt_tokens=5, completion_tokens=2) == (2, None, False)
    assert usage_of(prompt_tokens=5, completion_tokens=2, completion_tokens_details="none")[1] is None


# ---- conversations with tools, many turns and content in parts

WORDS = ("[pad] [bos] [eos] [unk] user assistant tool system : the film was very long good bad weather city "
         "Oslo coat warm cold reference tools").split()
KNOWS = ("[bos] {% if tools %}tools : {% for t in tools %}{{ t.function.name }} {% endfor %}[eos] "
         "{% endif %}"
         "{% for m in messages %}{{ m.role }} : {% if m.content is string %}{{ m.content }} "
         "{% elif m.content %}{% for part in m.content %}{{ part.text }} {% endfor %}{% endif %}"
         "{% if m.tool_calls %}{% for c in m.tool_calls %}{{ c.function.name }} "
         "{% for k, v in c.function.arguments.items() %}"
         "{{ k }} {{ v }} {% endfor %}{% endfor %}{% endif %}[eos] {% endfor %}")
BEFORE_TOOLS = "{% for m in messages %}{{ m.role }} : {{ m.content }} [eos] {% endfor %}"
TOOLS = [dict(type="function", function=dict(name="weather", parameters=dict(type="object")))]


def call(city):
    return dict(role="assistant", content=None,
                tool_calls=[dict(type="function", function=dict(name="weather", arguments=dict(city=city)))])


def trip(answer, city="Oslo", weather="cold"):
    return [call(city), dict(role="tool", content=weather), dict(role="assistant", content=answer)]


ASKED = [dict(role="user", content="coat")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}
    for name, template in dict(knows=KNOWS, old=BEFORE_TOOLS).items():
        words = tiny_tokenizer(WORDS, template)
        made[name] = save_tiny(tmp_path_factory.mktemp(name), tiny_model(words=WORDS), words)
    return made


def loaded(folder, **options):
    return load_reward_model(folder, device="cpu", **options)


def by_hand(model, messages, tools=None):
    "The number that transformers gives the conversation as the template renders it"
    import torch
    t = model.tokenizer
    text = t.apply_chat_template(messages, tools=tools, tokenize=False)
    ids = torch.tensor([t(text, add_special_tokens=False)["input_ids"]])
    with torch.no_grad():
        return float(model.model(input_ids=ids).logits[0, 0])


def test_trajectories_with_tools_are_scored_as_the_template_renders_them(folders):
    model = loaded(folders["knows"])
    whole = dict(messages=[*ASKED, *trip("")[:2], dict(role="assistant")], turn=3, tools=TOOLS)
    calls = [trip("very warm"), trip("very warm", weather="warm"), trip("very warm", city="film"),
             trip("bad")]
    r = model.score([ASKED] * 4, calls)
    assert np.allclose(r, [by_hand(model, ASKED + c) for c in calls], atol=1e-5) and len(set(r.round(6))) == 4
    with_tools = model.score([whole], ["very warm"])
    assert np.allclose(with_tools, by_hand(model, ASKED + calls[0], TOOLS), atol=1e-5)
    assert abs(with_tools[0] - r[0]) > 1e-6
    texts = [dict(type="text", text="the film"), dict(type="text", text="was long")]
    parts = [dict(role="user", content=texts)]
    assert np.allclose(model.score([parts], ["good"]),
                       by_hand(model, parts + [dict(role="assistant", content="good")]), atol=1e-5)


def test_a_turn_in_the_middle_is_audited_in_its_place(folders):
    model = loaded(folders["knows"])
    after = [dict(role="user", content="the film"), dict(role="assistant", content="was long")]
    whole = dict(messages=[*ASKED, dict(role="assistant"), *after], turn=1)
    said = model.score([whole, whole], ["good", "very bad"])
    assert np.allclose(said, [by_hand(model, [*ASKED, dict(role="assistant", content=c), *after])
                              for c in ("good", "very bad")], atol=1e-5)


@pytest.mark.parametrize("what, prompt, response, key", [
    ("tool_calls", ASKED, trip("warm"), "`tool_calls` of message 2"),
    ("tools", dict(messages=[*ASKED, dict(role="assistant")], turn=1, tools=TOOLS), "warm",
     "`tools` ('weather')"),
    ("reasoning", [dict(role="assistant", content="good", reasoning_content="bad"), *ASKED], "warm",
     "`reasoning_content` of message 1"),
    ("parts", [dict(role="user", content=[dict(type="text", text="coat")])], "warm", "join its parts")])
def test_what_a_template_would_drop_is_refused_by_row_and_key(folders, what, prompt, response, key):
    model = loaded(folders["old"])
    with pytest.raises(InputError) as e:
        model.score(["coat", prompt], ["warm", response])
    assert "row 1" in str(e.value) and key in str(e.value)


ARGUED = ("{% for m in messages %}{{ m.role }} : {{ m.content or '' }} {% for c in m.tool_calls or [] %}"
          "{{ c.function.name }} ARGUMENTS {% endfor %}[eos] {% endfor %}")


def test_arguments_that_no_template_can_show_are_refused():
    tokenizer = tiny_tokenizer(WORDS, ARGUED.replace("ARGUMENTS", "{{ c.function.arguments.no.such.place }}"))
    with pytest.raises(InputError, match="neither as a mapping nor as JSON text"):
        chat_text(tokenizer, [*ASKED, *trip("")[:2]], "warm")


def test_plain_chats_keep_their_keys(folders, tmp_path):
    model, store = loaded(folders["knows"]), Store(tmp_path/"store.sqlite")
    turns = [dict(role="user", content="the film"), dict(role="assistant", content="was long"), ASKED[0]]
    for prompt in ("coat", ASKED, turns): # as they were stored before conversations were known
        old = content_key(kind="reward", model=model.key, prompt=prompt, response="warm")
        store.put_many("reward", {old: dict(reward=7., status="ok", tokens=1, truncated=False)})
    whole = dict(messages=[*turns, dict(role="assistant", tool_calls=None)], turn=3, tools=[])
    asked = ["coat", ASKED, turns, whole, dict(prompt="coat", reference="cold")]
    assert score_texts(asked, ["warm"] * 5, model, store).tolist() == [7.] * 5 and model.forward_passes == 0
    assert score_texts([ASKED], [[dict(role="assistant", content="warm")]], model, store)[0] == 7.
    assert score_texts([ASKED], [trip("warm")], model, store)[0] != 7.


TRL = [dict(prompt=[dict(role="user", content=f"coat {w}")], tools=TOOLS,
            chosen=[*trip(f"very {w}", weather=w)], rejected=[*trip("bad", weather=w)])
       for w in ("warm", "cold", "long", "good", "bad", "very")]


def turned(prompt, text, target): return f"{text} {'good' if target else 'bad'}"


def trl_examples(tmp_path):
    "The rows of a file in TRL's tool-calling preference format as an examples table"
    path = tmp_path/"preferences.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in TRL))
    rows = []
    for i, row in enumerate(map(json.loads, path.read_text().splitlines())):
        for w, side in ((1, "chosen"), (0, "rejected")):
            prompt, text = trajectory(row["prompt"], row[side])
            rows.append(dict(example_id=f"{i}-{side}", prompt_id=str(i), prompt=row["prompt"][0]["content"],
                             w=w, response=text, conversation=json.dumps(prompt | dict(tools=row["tools"]))))
    return pd.DataFrame(rows)


def test_the_prompt_in_words_keeps_the_calls_beside_an_empty_text():
    told = [*ASKED, call("Oslo") | dict(content=""), dict(role="tool", content="cold"),
            dict(role="assistant", content="warm")]
    assert '"city": "Oslo"' in load_examples([dict(messages=told, w=1)]).prompt[0]


def test_no_tool_call_of_preference_rows_is_lost(folders, tmp_path):
    examples, model = trl_examples(tmp_path), loaded(folders["knows"])
    made = double_rewrite(examples, "sentiment", turned)
    rewards = score_rewrites(examples, made, model, progress=False)
    texts = texts_of(examples, made, rewards)
    prompts = dict(zip(examples.example_id, prompts_of(examples)))
    wanted = [by_hand(model, *whole_chat(prompts[e], t)[:2]) for e, t in zip(rewards.example_id, texts)]
    assert np.allclose(rewards.reward, wanted, atol=1e-5)
    kept = [whole_chat(prompts[e], t)[0] for e, t in zip(rewards.example_id, texts)]
    assert sum(bool(m.get("tool_calls")) for chat in kept for m in chat) == len(rewards) == 36
    with pytest.raises(InputError, match="0-chosen.*tool_calls"):
        score_rewrites(examples, made, loaded(folders["old"]), progress=False)


def test_a_turn_that_only_calls_tools_is_not_paid_for(tmp_path):
    asked = []
    def rewriter(prompt, text, target):
        asked.append(text)
        return turned(prompt, text, target)
    rows = [dict(messages=[*ASKED, *trip(f"very {w}")], w=i % 2) for i, w in enumerate(WORDS[9:13])]
    examples = load_examples([*rows, dict(messages=[*ASKED, call("Oslo")], w=1)])
    audit = Audit(examples, "sentiment", rewriter, [lambda prompts, rs: [len(r) for r in rs]], tmp_path)
    assert "cannot be rewritten" in str(audit.plan())
    assert audit.effects().get("rate", "ATE").n == 4 and len(asked) == 8 and "" not in asked
    assert audit.examples.w_source.iloc[-1] == "not applicable: an empty text"


def test_score_files_hold_conversations_whole(folders, tmp_path):
    examples, model = trl_examples(tmp_path), loaded(folders["knows"])
    todo = texts_to_score(examples, None)
    assert all("tool_calls" in p for p in todo.prompt)
    prompts = [json.loads(p) for p in todo.prompt]
    for suffix, write in ((".csv", todo.assign(reward=model.score(prompts, todo.response)).to_csv),
                          (".parquet", todo.assign(reward=model.score(prompts, todo.response)).to_parquet)):
        write(tmp_path/f"scores{suffix}", index=False)
        found = score_rewrites(examples, None, scores_from_file(tmp_path/f"scores{suffix}"), progress=False)
        assert np.allclose(found.reward, score_rewrites(examples, None, model, progress=False).reward)


def test_a_server_is_sent_the_whole_or_refuses_by_row_and_key():
    [(prompt, text)] = as_pairs([ASKED], [trip("warm")])
    server = HTTPReward("http://127.0.0.1:9", "vllm-classify")
    assert server.wire.body([(prompt, text)], "messages", None)["messages"] == [*ASKED, *trip("warm")]
    for wire, whole, key in (("vllm-classify", prompt | dict(tools=TOOLS), "key `tools`"),
                             ("tei-predict", prompt, "keys 'tool_calls'")):
        with pytest.raises(InputError, match=f"row 1.*{key}"):
            HTTPReward("http://127.0.0.1:9", wire).score(["coat", whole], ["warm", text])


def test_a_judge_reads_the_whole_conversation(tmp_path):
    examples, seen = trl_examples(tmp_path), []
    def asked(messages):
        seen.append(messages[-1]["content"])
        return "A"
    made = double_rewrite(examples, "sentiment", turned)
    to_contrasts(examples, made, LLMJudge(FunctionEndpoint(asked), name="judge"))
    assert seen and all('"city": "Oslo"' in s and "tools: " in s and "tool: " in s for s in seen)


# ---- a reward that reads a reference answer

REFERS = ("[bos] user : {{ messages[0].content }} [eos] reference : {{ reference }} [eos] assistant : "
          "{{ messages[-1].content }} [eos]")


def test_a_reward_reads_the_reference_that_its_template_writes(folders):
    model = loaded(folders["old"], template=REFERS)
    assert model.needs_reference and not loaded(folders["old"]).needs_reference
    asked = [dict(prompt="coat", reference=r) for r in ("warm", "cold", "cold")]
    r = model.score(asked, ["warm", "warm", "bad"])
    assert len(set(r.round(6))) == 3
    plain = loaded(folders["old"], template=REFERS.replace("{{ reference }}", "cold"))
    assert np.allclose(plain.score(["coat"], ["warm"]), r[1], atol=1e-6)
    with pytest.raises(InputError, match="row 1.*column `reference`"):
        model.score([asked[0], "coat"], ["warm", "warm"])


def test_a_reference_in_a_file_is_text(tmp_path):
    path = tmp_path/"sums.csv"
    path.write_text("prompt,response,w,answer\n1+1,it is two,1,2\nhalf,it is .50,0,0.50\n")
    found = prompts_of(load_examples(path, columns=dict(reference="answer")))
    assert [p["reference"] for p in found] == ["2", "0.50"]


def test_an_audit_with_reference_answers(folders, tmp_path):
    calls = []
    def rewriter(prompt, text, target):
        calls.append(text)
        return f"{text} {'good' if target else 'bad'}"
    examples = pd.DataFrame(dict(prompt=["coat", "the film", "weather", "city"] * 2, w=[0, 1] * 4,
                                 response=[f"the film was {w} long" for w in WORDS[9:17]]))
    examples = load_examples(examples)
    model = loaded(folders["old"], template=REFERS)
    with pytest.raises(InputError, match="row .0..*column `reference`"):
        Audit(examples, "sentiment", rewriter, [model], tmp_path/"without").effects()
    assert not calls # nothing was asked for
    blank = examples.assign(reference=["cold"] * 7 + [""])
    with pytest.raises(InputError, match="1 row have none .row '7'"):
        Audit(blank, "sentiment", rewriter, [model], tmp_path/"blank").effects()
    told = examples.assign(reference=["cold", "warm"] * 4)
    audit = Audit(told, "sentiment", rewriter, [model], tmp_path/"with")
    effect = audit.effects().get("rate", "ATE")
    assert np.isfinite(effect.estimate) and "reference" not in audit.score()
    other = Audit(examples.assign(reference="city"), "sentiment", rewriter, [model], tmp_path/"other")
    assert other.effects().get("rate", "ATE").estimate != effect.estimate


def test_the_known_reward_with_a_reference_is_read_as_its_makers_write_it(folders):
    known = find_convention("internlm/POLAR-7B", ["InternLM2ForRewardModel"], known_models())
    words = loaded(folders["old"]).tokenizer
    asked = dict(prompt=[dict(role="user", content="the film"), dict(role="assistant", content="was long"),
                         dict(role="user", content="coat")], reference="warm")
    p = "the film\nwas long\ncoat" # POLAR's client: all contents, a line each, then the answer
    assert chat_text(words, asked, "very bad", known.template) == f"{p}\nwarm<|reward|>{p}\nvery bad"
    assert known.reference and known.refused is None and all("reference" in e for e in known.expected)
    model = loaded(folders["old"], template=known.template)
    assert model.needs_reference and np.isfinite(model.score([asked], ["very bad"])).all()
