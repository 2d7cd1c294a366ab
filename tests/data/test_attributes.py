"Attributes: wording, labels and where they come from, compliance"
from dataclasses import replace
import numpy as np, pandas as pd, pytest
from hypothesis import given, settings, strategies as st
from rate_nb.data.attributes import (
    Attribute, ATTRIBUTES, Contrast, get_attribute, label_column, label_examples, make_attribute, measure,
    reworded, unlabelled, WORDINGS)
from rate_nb.base.core import InputError, SchemaError
from rate_nb.rewriting.instructions import instruction_for
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.audit.specification import load_function


def texts(responses, **columns):
    n = len(responses)
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id=range(n), prompt="",
                             response=responses) | columns)


TABLE_2 = { # of the RATE paper, to the letter; what stands for {W} is a heading there, "Positive Sentiment"
    "sentiment": "Adjust this response so it's {W}, but change *nothing* else.",
    "length": "Adjust this answer so it's {W}, but change *nothing* else. If the above answer is phrased as "
              "a question do not answer it. Just rewrite the question following the same instructions."}


@pytest.mark.parametrize("name", TABLE_2)
def test_the_wording_is_table_2s(name):
    attribute = ATTRIBUTES[name]
    assert attribute.instruction == TABLE_2[name]
    for target, word in enumerate((attribute.untreated, attribute.treated)):
        assert instruction_for(name).request(target) == TABLE_2[name].replace("{W}", word)
    asked = {"sentiment": ("negative", "positive"), "length": ("shorter", "longer")}[name]
    assert all(a in w for a, w in zip(asked, (attribute.untreated, attribute.treated)))


def test_rewording_changes_the_intervention_and_its_identity():
    ids = {instruction_for(reworded("helpfulness", w)).id
           for w in WORDINGS} | {instruction_for("helpfulness").id}
    assert len(ids) == len(WORDINGS) + 1
    assert "providing additional relevant information or clarification" in instruction_for(
        reworded("helpfulness", "with information")).request(1)
    own = reworded("length", "Make it {W}.")
    assert own.instruction == "Make it {W}." and own.complies is ATTRIBUTES["length"].complies and ATTRIBUTES[
        "length"].instruction != own.instruction


def test_a_declined_label_is_an_answer_and_its_rewrites_are_not_applicable():
    examples = label_examples(texts(["Apple.", "42", "Bread."]), "starts_with_vowel")
    assert not unlabelled(examples).any() and label_examples(examples, "starts_with_vowel").equals(examples)
    asked = []
    rewrites = double_rewrite(examples, "starts_with_vowel", lambda prompt, text, target: asked.append(text)
                              or "Oh, " * target + "So, " * (1 - target) + text)
    assert ("42" not in asked
            and rewrites.groupby("example_id").status.first().tolist() == ["ok", "not_applicable", "ok"])
    # an empty cell of a CSV is nobody
    from_file = examples.assign(w_source=examples.w_source.where(examples.example_id != "e1", ""))
    assert unlabelled(from_file).tolist() == [False, True, False]


def test_labels_for_one_attribute_are_not_taken_for_another():
    examples = texts(["a", "bb"], w=[0, 1], w_attribute="sentiment")
    with pytest.raises(InputError, match="labels of 2 examples say 'sentiment' .*not 'length'"):
        label_examples(examples, "length")
    assert (label_examples(examples, "length", overwrite=True).w.tolist() == [0, 1]
            and label_examples(examples, "sentiment").w.tolist() == [0, 1])
    assert label_examples(examples.drop(columns="w_attribute"), "length").w_source.tolist() == ["given",
        "given"]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=5, max_size=25))
def test_blanks_are_labelled_as_in_a_table_without_any_label(rows):
    "whoever labelled the others: a median is that of the whole table, and given labels hold even against it"
    sizes, blank = (np.array(v) for v in zip(*rows))
    bare = texts(["x" * k for k in sizes], rating=sizes)
    given_w = [None if b else int(k % 2) for k, b in zip(sizes.tolist(), blank)]
    for label in (lambda t: label_examples(t, "length"), lambda t: label_column(t, "rating"),
                  lambda t: label_examples(t,
                                           replace(ATTRIBUTES["length"], label=lambda responses,
                                                   prompts: measure(responses)
                                                   > np.median(measure(responses))))):
        alone, partly = label(bare), label(bare.assign(w=pd.array(given_w, dtype="Int64")))
        assert partly.w[blank].tolist() == alone.w[blank].tolist() and partly.w_source[
            blank].tolist() == alone.w_source[blank].tolist()
        assert partly.w[~blank].tolist() == [int(k % 2)
                                             for k in sizes[~blank]] and set(partly.w_source[~blank]) <= {
                                                 "given"}


def test_a_rule_sees_no_more_than_it_needs():
    examples, seen = texts(["a", "bb", "", "dddd"], w=[0, None, None, None],
                           w_source=[None, None, "not applicable: an empty text", None]), []
    rule = lambda responses, prompts: seen.append(responses) or [len(r) > 1 for r in responses]
    # nobody asks about what was declined
    assert label_examples(examples, replace(ATTRIBUTES["formality"], label=rule)).w.tolist() == [0, 1, pd.NA,
        1] and seen.pop() == ["a", "bb", "dddd"]
    rule.looks_at_all = False
    label_examples(examples, replace(ATTRIBUTES["formality"], label=rule))
    assert seen.pop() == ["bb", "dddd"]
    with pytest.raises(InputError, match="one label for each text; it gave 1 for 3"):
        label_examples(examples, replace(ATTRIBUTES["formality"], label=lambda responses, prompts: [1]))


def test_errors_say_what_is_wrong():
    for wrong, said in ((lambda: Attribute("tone", "warm", "warm", "Make it {W}."), "must differ; both are "
                                                                                    "'warm'"),
                        (lambda: Attribute("tone", "warm", "cold", "Warm it."), "must contain {W}"),
                        (lambda: Attribute("tone", "warm", "cold", "Make it {W}.", sides=("warm",)),
                         "two different words"),
                        (lambda: get_attribute("lenght"), "Known are length, sentiment"),
                        (lambda: label_column(texts(["a"]), "rating"),
                         "no column 'rating'; besides its texts it has none"),
                        (lambda: measure(["a"], "letters"), "characters"),
                        (lambda: Contrast("news", "blog"), "tuples of values"),
                        (lambda: label_examples(texts(["a", "b"]), "formality"), "label_with_judge")):
        with pytest.raises(InputError, match=said):
            wrong()
    with pytest.raises(SchemaError, match="2 rows hold 'yes', 'no' .*; write 1 for long and 0 for short"):
        label_examples(texts(["a", "b"], w=["yes", "no"]), "length")
    with pytest.raises(SchemaError, match="`w` must be 0 or 1"):
        label_examples(texts(["a", "b"]),
                       replace(ATTRIBUTES["length"], label=lambda responses, prompts: [0, 2]))


def test_a_side_of_a_contrast_holds_values_of_cells():
    from rate_nb.data.attributes import Contrast
    for treated in ((["a"],), ({"a": 1},), ("a", ("b",))):
        with pytest.raises(InputError, match="take its values out"):
            Contrast(treated, ("c",))
    assert Contrast(("a",), ("b",)).of(["a", "b", "c"])[0].tolist()[:2] == [1., 0.]


def test_a_label_function_has_one_form_in_python_and_in_files(tmp_path):
    "Of one response, of a prompt and a response, or of all responses and prompts"
    (tmp_path / "mine.py").write_text(
        "def one(response): return 'x' in response\n"
        "def pair(prompt, response): return prompt in response\n"
        "def every(responses, prompts): return [len(r) > 1 for r in responses]\n")
    ex = texts(["x", "y", "xy"], prompt="x")
    words = dict(name="mine", treated="with x", untreated="without x")
    for name, labels in (("one", [1, 0, 1]), ("pair", [1, 0, 1]), ("every", [0, 0, 1])):
        function = load_function(f"{tmp_path / 'mine.py'}:{name}")
        made = [make_attribute(**words, label=dict(function=function))]
        if name != "pair":
            made += [make_attribute(**words, label=function),
                     Attribute(**words, instruction="{W}", label=function)]
        for attribute in made:
            assert label_examples(ex, attribute).w.tolist() == labels, name
