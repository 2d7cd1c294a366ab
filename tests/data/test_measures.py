("Measures of a response: any script, English word lists that know nothing of the simulator, and what is "
 "left out elsewhere.")
import time
import numpy as np
import pandas as pd
import pytest
from rate_nb.base import InputError
from rate_nb.data import characteristics, get_attribute, sentiment
from rate_nb.data.attributes import covered
from rate_nb.data.measures import (
    COUNTS, ENGLISH, is_english, language_of, misspellings, sentences, type_token_ratio)
from rate_nb.diagnostics import diagnose, off_target
from rate_nb.diagnostics.off_target import MEASURES, chosen_measures, left_out
from rate_nb.scoring import CallableReward, score_rewrites, to_scored
from rate_nb.theory import TextWorld, read_draft

CHINESE = "今天天气很好。我们去公园散步！你想一起来吗？花都开了。真漂亮。"
SPANISH = ("El servicio fue excelente y la comida estaba muy rica. Volveremos pronto con toda la familia, "
           "porque "
           "el precio también nos pareció justo.")
RUSSIAN = "Этот фильм очень хорош. Актёры играют прекрасно, а музыка остаётся в памяти надолго."
ARABIC = "هذا الفيلم جميل جدا. هل شاهدته؟ أنصح الجميع بمشاهدته."


def table(texts):
    ids = [str(i) for i in range(len(texts))]
    return pd.DataFrame(dict(example_id=ids, prompt_id=ids, prompt="?", response=texts,
                             w=[i % 2 for i in range(len(texts))]))


@pytest.mark.parametrize("text, count", [
    (CHINESE, 5), (ARABIC, 3), (RUSSIAN, 2), ("Really?! Yes... no. \"Quite,\" he said.", 3), ("", 0),
    ("…", 0),
    ("Dr. Who paid 3.5 dollars", 2), ("It costs approx. 5 dollars.", 1), ("第一句.第二句.第三句.", 3),
    ("a line\nanother line\n\n- an item", 3),
    ("One.<br />Two.<BR>Three", 3)])
def test_sentences_of_any_script(text, count):
    assert sentences(text) == count


def test_sentences_agree_with_another_implementation_of_the_unicode_rules():
    uniseg = pytest.importorskip("uniseg.sentencebreak", reason="uniseg is a development requirement")
    texts = [CHINESE, RUSSIAN, ARABIC, SPANISH,
             *TextWorld("length").examples(40, np.random.default_rng(0)).response]
    texts = [t.replace("<br />", "\n") for t in texts]
    theirs = [sum(any(c.isalnum() for c in s) for s in uniseg.sentences(t)) for t in texts]
    assert [sentences(t) for t in texts] == theirs


def test_measures_without_a_word_list_read_every_script():
    names = ["characters", "sentences", "list_items", "headers", "bold", "code", "capitals", "digits",
             "type_token_ratio"]
    rich = f"# 标题\n\n- **{CHINESE}**\n- 第2项 `代码`\n"
    found = characteristics(table([rich]), names).iloc[0]
    assert (found.notna().all() and found.list_items == 2
            and found.headers == found.bold == found.code == found.digits == 1)
    assert 0 < type_token_ratio(CHINESE) < 1


def test_sentiment_is_general_english():
    bad, good = "This is horrendous, toxic, vile code.", "This is clear, helpful, beautiful code."
    assert sentiment(bad) < -.3 and sentiment(good) > .3 and sentiment("The function has ten lines.") == 0
    assert not any(w in bad.lower() for w in ("dreadful", "tedious")), "none of the simulator's own words"


def test_planted_typos_are_seen_by_the_dictionary():
    texts = TextWorld("sentiment").examples(300, np.random.default_rng(3)).response
    assert [misspellings(t) for t in texts] == [read_draft(t).surface.typos for t in texts]


def test_names_and_contractions_are_no_misspellings():
    assert misspellings(
        "Okonkwo and Szymborska didn't meet; it's well-known that they'd write NASA's e-mail") == 0


@pytest.mark.parametrize("texts", [[CHINESE], [SPANISH]*3, [RUSSIAN, ARABIC]],
                         ids=["Chinese", "Spanish", "others"])
def test_what_does_not_cover_the_language_is_left_out_by_name(texts):
    examples = table(texts)
    assert not is_english(texts) and set(ENGLISH) <= set(left_out(examples))
    assert not set(chosen_measures(examples)) & set(ENGLISH) and "sentences" in chosen_measures(examples)
    with pytest.raises(InputError, match="`characteristics` 'sentiment': the word lists cover English"):
        chosen_measures(examples, ["sentiment"])
    with pytest.raises(InputError, match="'misspellings' needs a list of words, which covers English"):
        characteristics(examples, "length,misspellings")
    assert covered(get_attribute("sentiment"), texts).complies is None


def test_english_responses_keep_every_measure():
    examples = TextWorld("length").examples(20, np.random.default_rng(0))
    assert left_out(examples) == () and set(MEASURES) <= set(chosen_measures(examples)) and set(
        MEASURES) <= set(COUNTS)


def test_language_is_judged_by_responses_from_everywhere_in_the_table():
    english = list(TextWorld("length").examples(200, np.random.default_rng(0)).response)
    assert not is_english(english + [SPANISH]*2000)


def test_british_spelling_is_no_mistake():
    text = ("We realised that our favourite colour was organised at the centre, and analysed our "
            "neighbour's programme.")
    assert misspellings(text) == 0 and is_english([text])


def test_sentences_of_a_hostile_text_take_no_time():
    start = time.process_time()
    assert sentences("."*200_000 + "x") >= 1 and time.process_time() - start < 5


def test_questions_are_english_too():
    "Portuguese has “do” and “a”, of which English questions are full"
    for texts in (["What do cats eat?", "How do I clean a pan?"]*9, ["How do I look after a bike?"]*9):
        assert language_of(texts) == "en"
    assert language_of(["O que faço para a casa do João?"]*9) == "pt"


def test_a_short_text_is_taken_for_no_other_language():
    short = dict(
        de=["Probieren Sie es morgen noch einmal.", "Im Sommer regnet es hier selten.", "Es gibt mehrere "
            "Gründe dafür.", "Man muss es mehrfach lesen.", "Mein Bruder arbeitet in Los Angeles."],
        en=["Los Angeles has nearly four million residents.", "He said no, she said yes."],
        fr=["Paris se trouve au bord de la Seine.", "Mon frère travaille à Los Angeles."],
        it=["Risolvi prima entrambe le equazioni.", "Mandami i tuoi documenti entro venerdì."],
        nl=["Dank je wel voor je vraag!", "Mijn broer werkt in Los Angeles."])
    for language, texts in short.items():
        assert {language_of([t]) for t in texts} <= {language, None}
        assert language_of(texts) == language
    for unknown in ("Nie, to niestety nie jest prawda.", "No, això malauradament no és cert."):
        assert language_of([unknown]) is None


def test_an_audit_of_sentiment_in_another_language_is_not_judged_by_english_words():
    from rate_nb.diagnostics import compliance, control_tests
    from rate_nb.rewriting import double_rewrite
    texts = [f"Der Film Nummer {i} war {'wunderbar' if i % 2 else 'furchtbar'}, und die Musik war sehr laut."
             for i in range(40)]
    def turned(prompt, text,
               target): return text.replace(*(("furchtbar", "wunderbar") if target
                                              else ("wunderbar", "furchtbar")))
    examples = table(texts)
    rewrites = double_rewrite(examples, "sentiment", turned)
    with pytest.raises(InputError, match="nothing tells on which side a rewrite for 'sentiment' stands"):
        compliance(examples, rewrites, "sentiment")
    scored = to_scored(examples, rewrites,
                       score_rewrites(examples, rewrites, CallableReward("length", LENGTHS), progress=False))
    found = diagnose(examples, rewrites, scored, "sentiment").table.set_index("check").verdict
    assert found["compliance"] == "inconclusive"
    assert control_tests(examples, rewrites, scored, "sentiment").finding().verdict != "failed"


def test_a_measure_that_reads_no_response_is_left_out_by_name():
    chinese = table([f"第{i}部电影很好看。我们都喜欢它！" for i in range(6)])
    assert "starts_with_vowel" in left_out(chinese) and "starts_with_vowel" not in chosen_measures(chinese)


def LENGTHS(prompts, responses): return np.array([len(r) for r in responses], dtype=float)


def test_texts_in_blocks_measure_the_same(monkeypatch):
    ex = table(["One **two**. Three!", "perhaps\n- a\n- b", "", "Well, it is bad.", "Good!"]*5)
    rewrites = ex.assign(draw=0, depth=1, target_w=1 - ex.w, instruction_id="i", text=ex.response.str.upper(),
                         status="ok")
    rewrites = rewrites.drop(columns=["prompt_id", "prompt", "response", "w"])
    once = off_target.measure_texts(ex, rewrites)
    monkeypatch.setattr(off_target, "TEXTS_AT_ONCE", 7)
    pd.testing.assert_frame_equal(off_target.measure_texts(ex, rewrites), once)
