"Examples from every kind of source and layout: files, datasets, lists, chats, pairs, filters, samples"
import json, re
import pandas as pd, pytest
from hypothesis import given, settings, strategies as st
from servers import Endpoint
from rate_nb.base.core import InputError, SchemaError
from rate_nb.audit import Audit
from rate_nb.data.attributes import make_attribute
from rate_nb.data.examples import load_examples
from rate_nb.rewriting.sandbox import read_task
from rate_nb.scoring.reward_models import CallableReward

user = lambda text: dict(role="user", content=text)
bot = lambda text, **more: dict(role="assistant", content=text, **more)
CALL = bot(None, tool_calls=[dict(id="1", type="function",
                                  function=dict(name="rain", arguments=dict(city="X")))])
TOOL = dict(role="tool", tool_call_id="1", content="yes")


def told(examples, i): # the messages that ride along with an example
    return json.loads(examples.conversation[i])["messages"]


def table(): return [dict(question=f"q{i % 3}", answer=f"answer {i}", stars=i, topic="ab"[i % 2])
                     for i in range(12)]


def test_a_dataset_is_a_source_and_a_dict_of_splits_says_which_to_pass():
    datasets = pytest.importorskip("datasets", reason="needs the extra `hub`")
    rows = [dict(prompt=[user("Rain?")], chosen=[CALL, TOOL, bot("It rains.")], rejected=[bot("No idea.")]),
            dict(prompt=[user("Snow?")], chosen=[bot("Yes.")], rejected=[bot("No.")])]
    dataset = datasets.Dataset.from_list(rows)
    loaded, plain = load_examples(dataset), load_examples(rows)
    drop = lambda turns: [{k: v for k, v in m.items() if v is not None} for m in turns]
    whole = drop([user("Rain?"), CALL, TOOL, dict(role="assistant")])
    assert drop(told(loaded, 0)) == drop(told(plain, 0)) == whole
    assert loaded.prompt_id.tolist() == plain.prompt_id.tolist() == ["Rain?"]*2 + ["Snow?"]*2
    assert loaded.conversation.isna().tolist() == [False, True, True, True]
    with pytest.raises(InputError, match="pass one of them: source\\['train'\\]"):
        load_examples(datasets.DatasetDict(train=dataset))


@pytest.mark.parametrize("row", [
    dict(prompt="Hi", chosen="Hello!", rejected="What?"),
    dict(prompt=[user("Hi")], chosen=[bot("Hello!")], rejected=[bot("What?")]),
    dict(chosen=[user("Hi"), bot("Hello!")], rejected=[user("Hi"), bot("What?")]),
    dict(prompt="Hi", chosen=[user("Hi"), bot("Hello!")], rejected=[user("Hi"), bot("What?")],
         messages=[user("Hi"), bot("Hello!")]),
    dict(chosen="\n\nHuman: Hi\n\nAssistant: Hello!", rejected="\n\nHuman: Hi\n\nAssistant: What?")],
    ids=["texts", "conversational", "implicit prompt", "UltraFeedback", "transcripts"])
def test_every_layout_of_a_pair_becomes_the_same_two_examples(row):
    loaded = load_examples([row | dict(reference="ref", score_chosen=8.)])
    assert loaded[["prompt_id", "prompt", "response", "chosen"]].to_dict("records") == [
        dict(prompt_id="Hi", prompt="Hi", response="Hello!", chosen=1),
        dict(prompt_id="Hi", prompt="Hi", response="What?", chosen=0)]
    assert loaded.example_id.tolist() == ["0-chosen", "0-rejected"] and loaded.w.isna().all()
    assert set(loaded.reference) == {"ref"} and "rejected" not in loaded
    assert "1 row of `chosen` and `rejected` became 2 examples" in loaded.attrs["read"][0]


def test_chat_rows_keep_every_key():
    asked = [dict(role="system", content="Be brief."), user("Rain?"), CALL, TOOL]
    rows = [dict(messages=asked + [bot("It rains.", reasoning_content="hm", name="b")], tools=["t"]),
            dict(messages=[user("Hi"), bot([dict(type="text", text="Hel"), dict(type="text", text="lo")])])]
    loaded = load_examples(rows)
    assert loaded.response.tolist() == ["It rains.", "Hello"] and loaded.prompt[1] == "Hi"
    last = dict(role="assistant", reasoning_content="hm", name="b")
    assert json.loads(loaded.conversation[0]) == dict(messages=[*asked, last], turn=4, tools=["t"])
    assert loaded.prompt[0].startswith("System: Be brief.\n\nHuman: Rain?\n\nAssistant: {")
    assert "2 examples of several turns, or with tools" in loaded.attrs["read"][0] and "tools" not in loaded
    cluster = load_examples([dict(messages=[user("Rain?"), CALL, TOOL, bot("a")]),
                             dict(messages=[user("Rain?"), bot("b")])])
    assert cluster.prompt_id.nunique() == 1 and cluster.conversation.isna().tolist() == [False, True]


def test_any_turn_may_be_the_response():
    row = dict(messages=[user("a"), bot("b"), user("c"), CALL, TOOL, bot("d")])
    first, called, last = (load_examples([row], turn=k) for k in (0, 1, -1))
    assert (first.response[0], first.prompt[0], called.response[0], last.response[0]) == ("b", "a", "", "d")
    assert json.loads(first.conversation[0]) == dict(messages=[user("a"), dict(role="assistant"),
                                                               *row["messages"][2:]], turn=1)
    with pytest.raises(SchemaError, match="`messages`: has 3 turns of the assistant, none of them turn 3"):
        load_examples([row], turn=3)
    answer = dict(prompt=row["messages"][:3], chosen=row["messages"][3:], rejected=[bot("e")])
    with pytest.raises(SchemaError, match="`rejected`: has 1 turn of the assistant, none of them turn 1"):
        load_examples([answer], turn=1)
    assert load_examples([answer], turn=0).response.tolist() == ["", "e"]


def test_prompt_and_response_may_be_message_lists_and_files_hold_them(tmp_path):
    rows = [dict(prompt=[user("a"), bot("b"), user("c")], response=[CALL, TOOL, bot("d")]),
            dict(prompt=[user("e")], response=[bot("f")])]
    from_list = load_examples(rows)
    assert from_list.response.tolist() == ["d", "f"]
    assert told(from_list, 0) == [*rows[0]["prompt"], CALL, TOOL, dict(role="assistant")]
    assert from_list.prompt_id.tolist() == ["Human: a\n\nAssistant: b\n\nHuman: c", "e"]
    as_text = [{k: json.dumps(v) for k, v in r.items()} for r in rows]
    pd.DataFrame(as_text).to_csv(tmp_path / "c.csv", index=False)
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for name in ("c.csv", "c.jsonl"):
        assert load_examples(tmp_path / name).equals(from_list)
    whole = pd.DataFrame([dict(messages=r["prompt"] + r["response"]) for r in rows])
    whole.to_parquet(tmp_path / "c.parquet")
    packed = load_examples(tmp_path / "c.parquet")
    assert packed.response.tolist() == ["d", "f"] and packed.prompt[1] == "e"
    assert told(packed, 0)[3]["tool_calls"] == CALL["tool_calls"]
    completion = load_examples([dict(prompt=[user("a")], completion=[bot("b")], label=True)])
    assert completion.response.tolist() == ["b"] and completion.label.tolist() == [True]


@pytest.mark.parametrize("row,said", [
    (dict(messages=[user("a"), bot([dict(type="image_url")])]),
     r"row 2, column `messages`: message 2: key `content` must be text, .* it holds 'image_url'"),
    (dict(messages=[user("a"), bot(None)]), "column `messages`: message 2: key `content`.* holds None"),
    (dict(messages=[user("a")]), "column `messages`: must end with a turn of the assistant"),
    (dict(messages=[user("a"), bot("b")], tools="junk"), "`tools`: must be a list of tools"),
    (dict(messages="hello"), "row 2, column `messages`: must be a list of messages"),
    (dict(messages=[{"from": "human", "value": "a"}]), r"message 1 has 'from', 'value'")])
def test_a_fault_names_row_column_value_rule_and_way_out(row, said):
    with pytest.raises(SchemaError, match=said) as error:
        load_examples([dict(messages=[user("a"), bot("b")]), row])
    assert "`where`" in str(error.value)


def test_a_pair_must_answer_one_prompt():
    with pytest.raises(SchemaError, match="row 1, column `rejected`: .*share no message"):
        load_examples([dict(chosen=[user("a"), bot("b")], rejected=[user("c"), bot("b")])])
    with pytest.raises(SchemaError, match="column `rejected`: must be of the same kind as `chosen`"):
        load_examples([dict(prompt="a", chosen=[user("a"), bot("b")], rejected="c")])
    with pytest.raises(SchemaError, match="column `chosen`: must begin with the assistant or with"):
        load_examples([dict(prompt=[user("x")], chosen=[user("a"), bot("b")], rejected=[bot("c")])])


def test_where_is_data_and_never_code():
    rows, names = table(), dict(prompt="question", response="answer")
    load = lambda where, **more: load_examples(rows, columns=names, where=where, **more)
    assert load(dict(stars={"min": 3, "max": 5})).example_id.tolist() == ["3", "4", "5"]
    assert load(dict(topic="a", stars=[0, 2, 3])).stars.tolist() == [0, 2]
    assert load(dict(answer={"matches": "1[01]$"})).example_id.tolist() == ["10", "11"]
    assert load(dict(response={"matches": "1[01]$"})).attrs["read"][-1].endswith(
        "2 of 12 rows kept (response: {'matches': '1[01]$'})")
    for where, said in ((dict(colour=1), "`where` names 'colour', which it does not have"),
                        (dict(stars="3 or __import__('os')"), "leaves none of 12 rows"),
                        (dict(stars={"eval": "1"}), "must be a value, a list of values"),
                        (dict(stars={"min": "3"}), "`min` and `max` must be numbers, not '3'"),
                        (dict(topic={"min": 3}), "range of 'topic', which must hold numbers; row 1, 2, 3"),
                        (dict(topic={"matches": "("}), "no regular expression"),
                        ("stars > 3", "must be {column: condition}")):
        with pytest.raises((InputError, SchemaError), match=said):
            load(where)


def test_clusters_and_samples():
    rows, names = table(), dict(prompt="question", response="answer")
    load = lambda **more: load_examples(rows, columns=names, **more)
    assert load(cluster="topic").prompt_id.tolist() == ["a", "b"] * 6
    some = load(n=5, seed=3)
    assert len(some) == 5 and some.equals(load(n=5, seed=3)) and not some.equals(load(n=5, seed=4))
    assert some.attrs["read"][-1] == "5 of 12 examples drawn at random (seed 3)"
    assert len(load(n=0)) == len(load(n=99)) == 12
    pairs = load_examples([dict(prompt=f"{i}", chosen="a", rejected="b") for i in range(9)], n=6)
    assert len(pairs) == 6 and (pairs.groupby("prompt_id").size() == 2).all()
    rows[1]["topic"] = ""
    for wrong, said in ((dict(n=-1), "`n` must be a whole number"), (dict(n=2.5), "`n` must be a whole"),
                        (dict(cluster="colour"), "`cluster` names 'colour'"),
                        (dict(cluster="topic"), "1 row hold nothing: row 2")):
        with pytest.raises((InputError, SchemaError), match=said):
            load(**wrong)


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
@settings(max_examples=60, deadline=None)
@given(st.lists(words, min_size=1, max_size=5), words)
def test_messages_come_back_from_a_table_as_they_went_in(turns, reply):
    asked = [(user, bot)[i % 2](t) for i, t in enumerate(turns)]
    loaded = load_examples([dict(messages=[*asked, bot(reply)])])
    assert loaded.response[0] == reply and load_examples(loaded).equals(loaded)
    if len(asked) > 1:
        assert told(loaded, 0) == [*asked, dict(role="assistant")]
    elif asked == [user(loaded.prompt[0])]:
        assert "conversation" not in loaded


@pytest.mark.slow
def test_from_a_file_of_questions_and_answers_to_a_report(tmp_path):
    "Columns under other names, an attribute by a regular expression, the loopback endpoint, a report"
    rows = [dict(question=f"How do I sort list {i}?", topic=f"t{i % 9}",
                 answer=f"Sort it with care, item {i} comes first." + f" Use `sorted(x{i})`." * (i % 2))
            for i in range(36)]
    pd.DataFrame(rows).to_csv(tmp_path / "answers.csv", index=False)
    examples = load_examples(tmp_path / "answers.csv", columns=dict(prompt="question", response="answer"),
                             cluster="topic", where=dict(answer={"matches": "Sort"}), n=30)
    code = make_attribute("contains code", "illustrated with code such as `f(x)`", "told in words alone",
                          label={"regex": "`[^`]+`"})
    reward = CallableReward("likes code", lambda prompts, responses: [r.count("`") + len(r) / 99
                                                                      for r in responses])
    def illustrate(messages, attempt):
        request, text = read_task(messages)
        bare = re.sub(r" Use `[^`]+`\.", "", text)
        return bare + " Use `sorted(x)`."*("illustrated" in request)
    with Endpoint(illustrate) as box:
        rewriter = box.engine()
        audit = Audit(examples, code, rewriter, reward, tmp_path / "run")
        plan = audit.plan()
        audit.rewrite()
    assert sum("answers.csv" in note for note in plan.notes) == 3 and "30 of 36 examples drawn" in str(plan)
    assert set(audit.examples.w_source) == {"a match of `[^`]+`"} and audit.examples.prompt_id.nunique() == 9
    audit.score()
    assert audit.effects().get("rate", "ATE").estimate > 1
    audit.diagnose()
    audit.report()
    assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
