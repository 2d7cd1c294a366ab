"Characteristics: what a Markdown reader shows is counted, and nothing else."
import numpy as np, pandas as pd, pytest
from hypothesis import given, settings, strategies as st
from rate_nb.data.measures import (
    bold, characteristic, characteristics, COUNTS, headers, list_items, markdown, markdown_counts,
    markdown_regex, token_counts)
from rate_nb.base.core import InputError


@pytest.mark.parametrize("text, counts", [
    ("", (0, 0, 0)), ("plain", (0, 0, 0)), ("#include <stdio.h>", (0, 0, 0)), ("#1 of 3", (0, 0, 0)),
    ("# Title", (1, 0, 0)), ("Title\n=====", (1, 0, 0)),
    ("a * b * c", (0, 0, 0)), ("2 ** 3 ** 2", (0, 0, 0)), ("int **p, **q;", (0, 0, 0)),
    ("**so** and __so__", (0, 0, 2)), ("snake__case__name", (0, 0, 0)), ("`**kwargs**`", (0, 0, 0)),
    ("```\n# no\n- no\n**no**\n```", (0, 0, 0)), ("    # no\n    - no", (0, 0, 0)),
    ("- a\n- b\n  1. c\n  2. d", (0, 4, 0)), ("It was 1990. Then 1991. Then", (0, 0, 0)),
    ("####### seven", (0, 0, 0)), ("> ## quoted\n> - item", (1, 1, 0)), ("**open", (0, 0, 0)),
    ("- **a**: b\n- **c**: d", (0, 2, 2)), ("***", (0, 0, 0)), ("+ plus", (0, 1, 0)),
    ("3) three", (0, 1, 0))])
def test_counts_by_hand(text, counts):
    assert (markdown_counts(text) == counts
            and markdown(text) == sum(counts) == headers(text) + list_items(text) + bold(text))


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab #*_-+=1.)`\n>\t"), max_size=60))
def test_the_shortcut_never_skips_what_the_parser_sees(text):
    from markdown_it import MarkdownIt
    tokens = MarkdownIt("commonmark").parse(text)
    strong = sum(c.type == "strong_open" for t in tokens if t.type == "inline" for c in t.children)
    assert markdown_counts(text) == (sum(t.type == "heading_open" for t in tokens),
                                     sum(t.type == "list_item_open" for t in tokens), strong)


@given(st.text(st.sampled_from("ab #*_-+1.\n"), max_size=80))
def test_nothing_in_a_fenced_block_is_formatting(text):
    assert markdown_counts(f"~~~\n{text}\n~~~") == (0, 0, 0)


def test_the_papers_patterns_are_there_by_name():
    assert (markdown_regex("# a\n- b\n1. c\n**d**") == 4
            and markdown_regex("In 1990. In 1991. So") == 2
            and markdown("In 1990. In 1991. So") == 0)
    assert COUNTS["markdown_regex"] is markdown_regex


def test_columns_counts_functions_and_tokens():
    df = pd.DataFrame(dict(response=["one two", None, "# three"], length=[1, 2, 3]), index=[7, 8, 9])
    # the user's column, not the count
    assert characteristic(df, "length").tolist() == [1, 2, 3]
    assert (characteristic(df["response"], "length")[[0, 2]].tolist() == [7, 7]
            and np.isnan(characteristic(df, "words")[1]))
    t = characteristics(df, "length, words,headers")
    assert (list(t) == ["length", "words", "headers"]
            and list(t.index) == [7, 8, 9]
            and t.headers.tolist()[::2] == [0, 1])
    assert characteristic(df, lambda text: text.count("e"))[[0, 2]].tolist() == [1, 2]
    for wrong in ("lines", "prompt"):
        with pytest.raises(InputError, match=f"'{wrong}' is neither a count"):
            characteristic(df, wrong)


def test_many_texts_with_repeats_and_gaps():
    texts = ["- a", np.nan, "- a", None, "b"]*700
    out = characteristic(texts, "list_items")
    assert np.array_equal(out, np.array([1, np.nan, 1, np.nan, 0]*700), equal_nan=True)


def test_tokens_of_a_transformers_tokenizer():
    from rate_nb.studies.demo import demo_tokenizer
    tok = demo_tokenizer(["a film, a good film"]*50, vocab_size=300)
    texts = ["a good film", "", "<s> is text?"]
    assert token_counts(texts, tok).tolist() == [len(tok.encode(t, add_special_tokens=False)) for t in texts]
    assert np.isnan(characteristic([None, "a film"], "tokens", tokenizer=tok)[0])
    with pytest.raises(InputError, match="needs a `tokenizer`"):
        characteristic(texts, "tokens")
