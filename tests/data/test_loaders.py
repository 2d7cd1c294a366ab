"The field's datasets, from small files of their own schema, and what a wrong file says"
import gzip, json, warnings
import pandas as pd, pytest
from hypothesis import given, settings, strategies as st
from rate_nb.data.attributes import Contrast, label_examples
from rate_nb.audit.audit import Audit
from rate_nb.base.core import check_table, InputError, SchemaError
from rate_nb.data.examples import (
    as_messages, CORPORA, load_eli5, load_helpsteer, load_hh_rlhf, load_imdb, read_transcript)
from rate_nb.data.examples import (
    correlate, FORMATS, largest_n, load_examples, load_imdb_counterfactual, REVIEW_PROMPT)
from rate_nb.base.files import read_table, TableWarning

IMDB = [dict(text="Dull.", label=0), dict(text='A "feast", for the eyes.<br /><br />See it!', label=1),
        dict(text="None", label=1), dict(text="001", label=0)]
HELPSTEER = [dict(prompt=p, response=r, helpfulness=h, correctness=h, coherence=4, complexity=c, verbosity=1)
             for p, r, h, c in (("Fold?", "Use a board.", 4, 1), ("Fold?", "No.", 0, 0),
                                ("Why?", "Because\nof this.", 2, 3), ("How?", "So.", 3, 2))]
ELI5 = [dict(q_id="007", title="Why is the sky blue?", selftext="Asking for my kid.",
             subreddit="explainlikeimfive",
             answers=dict(a_id=["a", "b"], text=["Scattering.", "Blue light scatters more."], score=[3, 40])),
        dict(q_id="8", title="Why rain?", selftext="", subreddit="explainlikeimfive",
             answers=dict(a_id=["c"], text=["Clouds get heavy."], score=[1]))]
turn = lambda *said: "".join(f"\n\n{('Human', 'Assistant')[i % 2]}: {s}" for i, s in enumerate(said))
HH = [dict(chosen=turn("How do I fold?", "Use a board."), rejected=turn("How do I fold?", "No.")),
      dict(chosen=turn("Hi", "Hello!", "A joke?", "Knock knock."),
           rejected=turn("Hi", "Hello!", "A joke?", ""))]


def save(rows, path):
    df = pd.DataFrame(rows)
    if path.suffix == ".parquet":
        df.to_parquet(path, index=False)
    elif path.suffix == ".csv":
        df.map(lambda v: json.dumps(v) if isinstance(v, (dict, list)) else v).to_csv(path, index=False)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress("".join(json.dumps(r) + "\n" for r in rows).encode()))
    else:
        path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".csv", ".parquet"])
@pytest.mark.parametrize("name,rows",
                         [("imdb-sentiment", IMDB), ("imdb-length", IMDB),
                          ("helpsteer-helpfulness", HELPSTEER), ("helpsteer-complexity", HELPSTEER),
                          ("eli5-length", ELI5),
                                       ("hh-rlhf-helpfulness", HH), ("hh-rlhf-harmlessness", HH),
                          ("hh-rlhf-sentiment", HH)])
def test_every_format_from_every_kind_of_file(name, rows, ending, tmp_path):
    loaded = load_examples(save(rows, tmp_path / f"data{ending}"), name)
    reference = load_examples(save(rows, tmp_path / "reference.jsonl"), name)
    assert check_table(loaded, "examples") is loaded and loaded.astype(str).equals(reference.astype(str))
    assert set(loaded.w_attribute) == {CORPORA[name].attribute} == {name.rpartition("-")[2]}


def test_each_decision_is_the_documented_one(tmp_path):
    load = lambda name, rows: load_examples(save(rows, tmp_path / "d.jsonl"), name)
    feeling, length = load("imdb-sentiment", IMDB), load("imdb-length", IMDB)
    assert (feeling.w.tolist() == [0, 1, 1, 0]
            and length.w.tolist() == [0 if len(r["text"]) <= 4.5 else 1 for r in IMDB]
            and set(length.w_source) == {"characters > 4.5 (median)"})
    assert (set(feeling.prompt) == {REVIEW_PROMPT}
            and feeling.prompt_id.nunique() == 4
            and feeling.response[3] == "001"
            and feeling.response[2] == "None")
    helpful, complexity = load("helpsteer-helpfulness", HELPSTEER), load("helpsteer-complexity", HELPSTEER)
    assert (helpful.w.tolist() == [1, 0, 0, 1]
            and complexity.w.tolist() == [0, 0, 1, 0]
            and helpful.prompt_id.nunique() == 3
            and set(helpful.w_source) == {"HelpSteer's helpfulness > 2"})
    eli5 = load("eli5-length", ELI5)
    assert (eli5.w.tolist() == [0, 1, 0]
            and eli5.prompt_id.tolist() == ["eli5-007", "eli5-007", "eli5-8"]
            and eli5.prompt[0] == "Why is the sky blue?"
            and eli5.score.tolist() == [3, 40, 1])
    hh = load("hh-rlhf-helpfulness", HH)
    assert (hh.w.tolist()[:3] == [1, 0, 1]
            and pd.isna(hh.w[3])
            and hh.w_source[3] == "not applicable: an empty text"
            and hh.prompt_id.nunique() == 2)
    assert (hh.prompt[2] == "Human: Hi\n\nAssistant: Hello!\n\nHuman: A joke?"
            and hh.response[2] == "Knock knock.")
    # a prompt that comes twice is one cluster
    assert load("hh-rlhf-harmlessness", HH + HH[:1]).prompt_id.nunique() == 2
    feelings = load("hh-rlhf-sentiment", HH)
    assert (feelings.response.tolist() == ["No.", "Hello!"]
            and feelings.prompt.tolist() == ["How do I fold?", "Hi"]
            and feelings.w.isna().all())
    whole, half = (load_examples(save(IMDB, tmp_path/"imdb.jsonl"), "imdb-sentiment", where=where)
                   for where in (None, dict(w=1)))
    assert half.attrs["rows"]["left_out_by_where"] == len(whole) - len(half) > 0


def test_the_dials_of_the_loaders(tmp_path):
    imdb, eli5, helpsteer, hh = (save(r, tmp_path / f"{i}.jsonl")
                                 for i, r in enumerate((IMDB, ELI5, HELPSTEER, HH)))
    assert load_imdb(imdb, "length", cut=970).w.sum() == 0 and load_eli5(eli5, cut=5).w.tolist() == [1, 1, 1]
    assert load_eli5(eli5,
                     selftext=True).prompt.tolist()[::2] == ["Why is the sky blue?\n\nAsking for my kid.",
                                                             "Why rain?"]
    extremes = load_helpsteer(helpsteer, cut=Contrast((3, 4), (0, 1), "helpfulness"))
    assert (extremes.w.isna().tolist() == [False, False, True, False]
            and set(extremes.w_source) == {"HelpSteer's helpfulness 3, 4 against 0, 1"})
    assert (set(load_helpsteer(helpsteer, cut=None).w_source) == { "HelpSteer's helpfulness > 2.5 (median)"}
            and load_helpsteer(helpsteer, "coherence").w.tolist() == [1] * 4)
    assert (load_hh_rlhf(hh, side="chosen").chosen.tolist() == [1, 1]
            and len(load_hh_rlhf(hh, reply="first")) == 4)
    for wrong in (lambda: load_imdb(imdb, "helpfulness"), lambda: load_helpsteer(helpsteer, "sentiment"),
                  lambda: load_hh_rlhf(hh, side="left")):
        with pytest.raises(InputError, match="must be .*'(length|helpfulness|chosen)'"):
            wrong()


@pytest.mark.parametrize("name,rows,said", [
    ("imdb-length", [dict(text="a", label=-1)], "`label` must be 0 or 1 .* 1 row does not: row 1 .-1."),
    ("imdb-sentiment", [dict(text="a", label=1), dict(text=None, label=1)], "`text` must be text; 1 row "
                                                                            "does not: row 2"),
    ("imdb-sentiment", [dict(review="a", label=1)], "1 column missing: text .it has: review, label."),
    ("helpsteer-complexity", [dict(HELPSTEER[0], complexity=2.5)], "`complexity` must be a whole number "
                                                                   "from 0 to 4"),
    ("helpsteer-helpfulness", [HELPSTEER[0], dict(HELPSTEER[1], helpfulness=None)], "`helpfulness` .*row 2"),
    ("helpsteer-helpfulness", [dict(HELPSTEER[0], response=7)], "`response` must be text; 1 row does not: "
                                                                "row 1 .7."),
    ("eli5-length", [dict(ELI5[0], answers="none")], "`answers` must hold lists `text` and `score`"),
    ("eli5-length", [dict(ELI5[0], answers=dict(text=["a"], score=[1, 2]))], "`answers` .*row 1"),
    ("eli5-length", [dict(ELI5[0], answers=dict(text=[], score=[]))], "none of its 1 question has an answer"),
    ("eli5-length", [ELI5[0], ELI5[0]], "rows share theirs"),
    ("hh-rlhf-helpfulness", [HH[0], dict(HH[0], rejected="How do I fold? No.")], "`rejected` must be a "
                                                                                 "transcript .*row 2"),
    ("hh-rlhf-helpfulness", [dict(HH[0], chosen=turn("Hi", "Hello!", "Bye"))],
     "`chosen` must be a transcript"),
    ("hh-rlhf-harmlessness", [dict(chosen=3, rejected=turn("a", "b"))], "`chosen` must be a transcript "
                                                                        ".*row 1 .3."),
    ("hh-rlhf-sentiment", [dict(chosen="x")], "1 column missing: rejected")])
def test_a_wrong_file_says_where(name, rows, said, tmp_path):
    path = save(rows, tmp_path / "wrong.jsonl")
    with pytest.raises(SchemaError, match=said) as error:
        load_examples(path, name)
    assert "wrong.jsonl" in str(error.value)


def test_all_faults_are_told_at_once(tmp_path):
    rows = [dict(HELPSTEER[0], response=None, helpfulness=9), dict(HELPSTEER[1], prompt=4),
            dict(HELPSTEER[2], verbosity=-1)]
    with pytest.raises(SchemaError) as error:
        load_helpsteer(save(rows, tmp_path / "h.jsonl"))
    assert all(f"`{field}`" in str(error.value)
               for field in ("response", "helpfulness", "prompt",
                             "verbosity")) and str(error.value).count("\n") == 4


WHY = "prompt,response\nWhy?,Déjà vu\nHow?,a — b\n"

@pytest.mark.parametrize("raw,said", [
    (WHY.replace("—", "-").encode("latin1"), "line 2 holds byte 0xe9.*`iconv -f latin1 -t utf-8 "),
    (WHY.encode("cp1252"), "`iconv -f windows-1252 -t utf-8 "),
    (WHY.encode("utf-16-le"), "`iconv -f utf-16le "), (WHY.encode("utf-16-be"), "`iconv -f utf-16be "),
    (WHY.encode() + b"\xff", "byte 0xff. Is it a text file"),
    ("prompt,response\nПочему?,Потому\n".encode("cp1251"), "byte 0xcf. Is it a text file"),
    ("prompt,response\n为什么,因为\n".encode("gbk"), "Is it a text file"),
    (b"PK\x03\x05" + bytes(range(256)), "holds NUL characters. Is it a text file"),
    (b"PK\x03\x04" + bytes(range(256)), "an Excel workbook, or another zip archive: save it as CSV")])
def test_another_encoding_is_named_where_it_is_likely(raw, said, tmp_path):
    (file := tmp_path/"mine.csv").write_bytes(raw)
    with pytest.raises(InputError, match=said):
        read_table(file)
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        file.write_text(WHY, encoding=encoding)
        assert read_table(file).response.tolist() == ["Déjà vu", "a — b"]


@pytest.mark.parametrize("text,said", [
    ("id,Question,Answer\n1,Why?,So.\n",
     r"2 columns missing: prompt, response .it has: id, Question, Answer.. Did you mean 'Question' for "
     r"`prompt` and 'Answer' for `response`.*columns={'prompt': 'Question', 'response': 'Answer'}.*, or "
     r"rename them in the first line"),
    ("question,response,w\nWhy?,So.,1\n",
     "1 column missing: prompt .*with no prompts at all, add an empty column `prompt`"),
    ("prompt, response, W\nWhy?,So.,1\n", r"columns={'response': ' response', 'w': ' W'}.*, or rename them"),
    ("ticket,reply,n\nWhy does it stop?,It is old and worn.,1\n", # one other column holds sentences
     r"columns={'prompt': 'ticket', 'response': 'reply'}.*, or"),
    ("prompt,prompt_id,stars\nWhy?,1,5\n",
     r"1 column missing: response \(it has: prompt, prompt_id, stars\)\n"
     r".*columns={'response': 'their name'}"),
    ("prompt,response,w\nWhy?,a,yes\nWhy?,b,False\n",
     "2 rows hold 'yes', 'False' .*; write 1 for WITH the attribute and 0 for WITHOUT it")])
@pytest.mark.filterwarnings("ignore::rate_nb.base.files.TableWarning")
def test_a_table_of_ones_own_under_other_names(text, said, tmp_path):
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(SchemaError, match="(?s)mine.csv is not a table of examples.*" + said):
        load_examples(tmp_path / "mine.csv")


@pytest.mark.parametrize("text,said", [
    ("prompt,response,w\nWhy?,a,1\nWhy, really?,b,1,0\n",
     r"the header has 3 fields, row 2 \(line 3\) has 5; a text that holds ','"),
    ("prompt,response\nWhy,a,b\nWhy,a,b\n", r"row 1 \(line 2\) has 3, row 2"),
    ("prompt,response,w\n\nWhy?,\"a\nb\",1\nWhy?,c\nd,1\n",
     r"the header has 3 fields, row 2 \(line 5\) has 2, row 3 \(line 6\) has 2; .* an empty field still "
     r"needs its separator"),
    ("prompt;response, mine\nWhy?;a\nWhy?;b,c,d\n",
     "the rows fit the header when separated by ';': save with commas, or with tabs"),
    ("prompt,response\nWhy?,\"a\nWhy?,b\n", "row 1: a quote opens and never closes")])
def test_a_ragged_file_says_which_row(text, said, tmp_path):
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(InputError, match=said) as error:
        load_examples(tmp_path / "mine.csv")
    assert "C error" not in str(error.value) and str(error.value) == str(error.value).strip()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("sep", [";", "\t", ",", "|"])
def test_semicolons_and_wide_letters_are_read(encoding, sep, tmp_path):
    rows = [["prompt", "response", "w"], ['"Pourquoi, déjà?"', '"Parce; que\t""oui""."', "1"],
            ["Why?", "None", ""]]
    text = "\n".join(sep.join(r) for r in rows)
    mark = "\ufeff" if encoding[-2:] in ("be", "le") else ""
    for name in ("mine.csv", "mine.tsv"):
        (tmp_path / name).write_bytes((mark + text).encode(encoding))
        loaded = load_examples(tmp_path / name)
        assert (loaded.prompt.tolist() == ["Pourquoi, déjà?", "Why?"]
                and loaded.response.tolist() == ['Parce; que\t"oui".', "None"]
                and loaded.w.tolist() == [1, pd.NA])
    if not mark:
        return
    (tmp_path / "mine.csv").write_bytes(text.encode(encoding))
    with pytest.raises(InputError, match="looks like UTF-16 without its mark"):
        load_examples(tmp_path / "mine.csv")
    (tmp_path / "mine.csv").write_bytes((mark + text).encode(encoding)[:-1])
    with pytest.raises(InputError, match="begins as UTF-16, but byte [0-9]+ is not; is the file whole"):
        load_examples(tmp_path / "mine.csv")


def test_columns_that_nobody_uses_are_named_once(tmp_path):
    (tmp_path / "mine.csv").write_text("id,prompt,response,Labels\na7,Why?,So.,1\n")
    with pytest.warns(TableWarning) as told:
        loaded = load_examples(tmp_path / "mine.csv")
    assert len(told) == 1 and told[0].filename == __file__ and loaded.w.isna().all()
    assert str(told[0].message).endswith("mine.csv: column 'id' is not used; rename it to `example_id` if "
                                         "it names the rows; column 'Labels' is not used; rename it to `w` "
                                         "if it holds 1 for WITH the attribute and 0 for WITHOUT it")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        renamed = load_examples(tmp_path / "mine.csv", columns=dict(example_id="id", w="Labels"))
        assert renamed.example_id.tolist() == ["a7"] and renamed.w.tolist() == [1] and load_examples(
            loaded).equals(loaded)


def test_a_dataframe_is_a_source_and_texts_under_other_names_stay_texts(tmp_path):
    rows = [dict(question="007", answer="1", w=1), dict(question="8", answer="", w=0)]
    names = dict(prompt="question", response="answer")
    from_file, from_frame = load_examples(save(rows, tmp_path / "m.csv"),
                                          columns=names), load_examples(pd.DataFrame(rows), columns=names)
    assert (from_file.equals(from_frame)
            and from_file.prompt.tolist() == ["007", "8"]
            and from_file.response.tolist() == ["1", ""])
    assert load_examples(pd.DataFrame(IMDB),
                         "imdb-length").equals(load_examples(save(IMDB, tmp_path / "i.jsonl"), "imdb-length"))
    mine = pd.DataFrame(dict(prompt=["p", "q"], response=["a", "bb"]), index=[5, 5])
    fills_in = (r"missing: example_id, prompt_id, w .*; rate_nb.load_examples\(table\) fills "
                r"in example_id, prompt_id and w")
    with pytest.raises(SchemaError, match=fills_in):
        check_table(mine, "examples")
    filled = label_examples(load_examples(mine), "length")
    assert (filled.example_id.tolist() == ["0", "1"]
            and filled.prompt_id.tolist() == ["p", "q"]
            and filled.w.tolist() == [0, 1]
            and list(mine) == ["prompt", "response"])
    for wrong, said in ((lambda: load_examples([1, 2]), "`source` must be a path, .* this list holds 'int'"),
                        (lambda: load_examples(pd.DataFrame(dict(a=[1]))), "the DataFrame is not a table of "
                                                                           "examples"),
                        (lambda: load_examples(pd.DataFrame(dict(text=["a"], label=[7])), "imdb-length"),
                         "the DataFrame:\n"),
                        (lambda: load_examples(mine, columns=dict(b="a")),
                         "the DataFrame: `columns` names 'a'")):
        with pytest.raises((InputError, SchemaError), match=said):
            wrong()


said = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1,
               max_size=20).map(str.strip).filter(bool)
@settings(max_examples=150, deadline=None)
@given(st.lists(said, min_size=2, max_size=8).filter(lambda t: len(t) % 2 == 0))
def test_a_transcript_is_taken_apart_as_it_was_put_together(turns):
    assert ([t for _, t in read_transcript(turn(*turns))] == turns
            and [r for r, _ in read_transcript(turn(*turns))] == ["human", "assistant"] * (len(turns) // 2))
    if len(turns) > 2:
        messages = as_messages("\n\n".join(f"{('Human', 'Assistant')[i % 2]}: {t}"
                                           for i, t in enumerate(turns[:-1])))
        assert [m["content"] for m in messages] == turns[:-1] and messages[-1]["role"] == "user"


def test_neighbours_of_one_role_are_one_turn_and_a_quoted_speaker_is_none():
    assert read_transcript("\n\nHuman: a\n\nHuman: b\n\nAssistant: c") == [("human", "a\n\nb"),
        ("assistant", "c")]
    assert read_transcript("\n\nHuman: a\nAssistant: not a turn\n\nAssistant: c")[0][
        1] == "a\nAssistant: not a turn"
    for text in ("", "Hello", "\n\nAssistant: a", "x\n\nHuman: a\n\nAssistant: b", None):
        assert read_transcript(text) is None
    assert as_messages("Human nature?") == [dict(role="user", content="Human nature?")]


def test_through_the_datasets_package(tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets", reason="needs the extra `hub`")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    folder, parts = tmp_path / "someone" / "reviews", tmp_path / "someone" / "hh"
    folder.mkdir(parents=True)
    (parts / "helpful-base").mkdir(parents=True)
    (parts / "harmless-base").mkdir()
    save(IMDB, folder / "train.jsonl")
    save(IMDB[:2], folder / "test.jsonl")
    save(HH, parts / "helpful-base" / "train.jsonl")
    save(HH[:1], parts / "harmless-base" / "train.jsonl")
    monkeypatch.chdir(tmp_path)
    local = load_examples(folder / "train.jsonl", "imdb-length")
    assert load_examples("hub:someone/reviews:train", "imdb-length").astype(str).equals(local.astype(str))
    assert len(load_examples("hub:someone/reviews:test", "imdb-sentiment")) == 2
    assert load_examples("hub:someone/hh/helpful-base", "hh-rlhf-helpfulness").w.tolist()[:3] == [1, 0, 1]
    assert len(load_examples("hub:someone/hh/harmless-base:train", "hh-rlhf-harmlessness")) == 2
    with pytest.raises(InputError, match="hub:someone/reviews:valid: the hub did not give it"):
        load_examples("hub:someone/reviews:valid", "imdb-length")


def test_an_audit_takes_every_named_format(tmp_path):
    assert {"table", "imdb-counterfactual", *CORPORA} == set(FORMATS)
    examples = load_examples(save([dict(text="word " * (3 + i % 5 * 3), label=i % 2) for i in range(12)],
                                  tmp_path / "imdb.jsonl"), "imdb-length")
    audit = Audit(examples, "length", lambda prompt, text, target: text + "word " * 5 if target
                  else text[:len(text) // 2], lambda prompts, responses: [len(r) / 5 for r in responses],
                  tmp_path / "run")
    audit.rewrite()
    audit.score()
    assert audit.effects().get("rate",
                               "ATE").estimate > 0 and set(audit.examples.w_source) == {examples.w_source[0]}
    with pytest.raises(InputError, match="say 'length' .*not 'sentiment'"):
        Audit(examples, "sentiment", lambda p, t, w: t, len, tmp_path / "other")
    with pytest.raises(InputError, match="`format` must be one of 'table', 'imdb-sentiment'"):
        load_examples(tmp_path / "imdb.jsonl", "imdb")
    with pytest.raises(InputError, match="names of its own"):
        load_examples(tmp_path / "imdb.jsonl", "imdb-length", columns=dict(response="text"))


def test_real_reviews_load_and_split_at_their_median(data):
    pairs = load_imdb_counterfactual(data / "imdb_counterfactual" / "test_paired.tsv")
    assert len(pairs) == 488 and pairs.w_source.eq("IMDB label").all() and 200 < pairs.w.sum() < 288
    long = label_examples(pairs.drop(columns=["w", "w_source", "w_attribute"]), "length")
    assert abs(long.w.mean() - .5) < .01 and long.w_source.nunique() == 1
    both = pairs.assign(long=long.w)
    n = largest_n(both, "long")
    for p in (0, .5, 1):
        sample = correlate(both, "long", p, 0, n)
        assert len(sample) == n and sample[sample.w == 1].long.mean() == pytest.approx(p, abs=1 / n * 2)


def test_half_a_surrogate_pair_is_read_and_can_be_carried(tmp_path):
    "JSON may hold what no UTF-8 file can: it becomes U+FFFD, and the rest of the row stays"
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(dict(prompt="p", response="half \ud800 here", w=1)) + "\n"
                    + json.dumps(dict(prompt="p", response="whole \U0001f600", w=0)) + "\n")
    assert read_table(path).response.tolist() == ["half \ufffd here", "whole \U0001f600"]


def test_a_dataset_saved_to_disk_is_a_source(tmp_path):
    datasets = pytest.importorskip("datasets", reason="needs the extra `hub`")
    rows = datasets.Dataset.from_dict(dict(prompt=["Why?", "How?"], response=["So.", "Slowly."]))
    rows.save_to_disk(tmp_path / "saved")
    datasets.DatasetDict(train=rows, test=rows).save_to_disk(tmp_path / "splits")
    assert load_examples(tmp_path / "saved").response.tolist() == ["So.", "Slowly."]
    assert len(load_examples(str(tmp_path / "splits" / "test"))) == 2
    with pytest.raises(InputError, match="holds the splits 'test', 'train'.*splits/test"):
        load_examples(tmp_path / "splits")
    with pytest.raises(InputError, match="is a folder, and no dataset"):
        load_examples(tmp_path)
