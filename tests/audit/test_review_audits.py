"A review within an audit: asked for in three ways, paid once, kept in the folder, shown in the report"
import json
from html import escape
import numpy as np
import pandas as pd
import pytest
from servers import Endpoint, Reader
from rate_nb.audit import Audit, Grading, Reviewing
from rate_nb.audit.manifest import manifest_of
from rate_nb.base.core import EndpointError, InputError, SchemaError
from rate_nb.base.files import read_table, write_csv
from rate_nb.diagnostics.review import visible_space
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.theory.text_world import TextWorld

WISH = "\nGood luck!"
REWARD = CallableReward("taste", lambda prompts, responses: [len(r)/200 + .5*(WISH in r) for r in responses],
                        key="taste-1")


def rewriter(prompt, text, target, draw=0): # longer or shorter; a wish after three of four long ones
    body = text.replace(WISH, "")
    rng = np.random.default_rng([len(body), target, draw, len(prompt)])
    words = body.split()
    new = words + ["and", "so", "on"]*int(rng.integers(2, 6)) if target else words[:max(len(words)//2, 3)]
    return " ".join(new) + WISH*(rng.random() < (.75 if target else .25))


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.csv"
    columns = ["example_id", "prompt_id", "prompt", "response", "w"]
    TextWorld("length").examples(60, np.random.default_rng(5))[columns].to_csv(path, index=False)
    return path


@pytest.fixture
def reader():
    with Endpoint(Reader().say) as server:
        yield server


def an_audit(texts, folder, **more): return Audit(texts, "length", rewriter, REWARD, folder, draws=2, **more)


def test_a_ballot_that_is_not_there_is_missed_before_anything_is_paid(texts, tmp_path):
    calls = []
    def counting(prompt, text, target):
        calls.append(text)
        return text
    with pytest.raises(InputError, match="nope.csv"):
        Audit(texts, "length", counting, REWARD, tmp_path / "run").review("nope.csv")
    assert not calls


def test_a_review_is_read_once_kept_and_shown(texts, tmp_path, reader):
    with_reader = dict(review=Reviewing(20, reviewer=reader.engine()))
    audit = an_audit(texts, tmp_path / "run", **with_reader)
    finding = next(f for f in audit.diagnose().findings["taste"] if f.check == "review")
    assert "judge read 20 pairs" in finding.finding and finding.verdict != "passed"
    asked, folder = sum(reader.asked.values()), tmp_path / "run"
    kept = json.loads((folder / "review.json").read_text())["taste"]
    assert kept["pairs"] == 20 and "ends with a wish" in [t["tag"] for t in kept["tags"]]
    read = read_table(folder / "review.parquet")
    assert {"first", "second", "tag", "kind"} <= set(read) and read.kind.eq("pair").any()
    page = audit.report().read_text()
    assert "What a reader saw" in page and page.count("<details><summary>Pair ") == 5 and "¶" in page
    assert manifest_of(audit)["reviewing"]["judge"]["calls"] >= asked == audit.accounts.paid()["review_calls"]
    audit.close()
    again = an_audit(texts, folder, **with_reader)
    assert again.review()["taste"].k == 20 and sum(reader.asked.values()) == asked


def test_a_reader_that_its_endpoint_does_not_have_is_told_before_a_rewrite_is_paid(texts, tmp_path, reader):
    "And not asked for where all rewrites are there"
    reader.say = lambda *_: 404
    unknown = Reviewing(20, reviewer=OpenAIRewriter("reeder", reader.engine().base_url))
    with Sandbox() as box:
        writer = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "test")
        def audit(**more): return Audit(texts, "length", writer, REWARD, tmp_path / "run", **more)
        with pytest.raises(EndpointError, match="does not know the model 'reeder'.*Its list has 'judge'"):
            audit(review=unknown).rewrite()
        assert not box.served
        audit().rewrite()
    asked = sum(reader.asked.values())
    assert len(audit(review=unknown).rewrite()) and sum(reader.asked.values()) == asked


@pytest.mark.parametrize("says, words", [("Sorry?", "none of the first 3 answers of judge is a reading"),
                                         (401, "wants an API key .HTTP 401., and none is set"),
                                         (500, "failed 3 requests")])
def test_a_reader_that_gives_no_reading_is_found_before_any_rewrite(texts, tmp_path, reader, says, words):
    reader.say = lambda *_: says
    with Sandbox() as box:
        writer = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "test")
        for writer_reads in (False, True)[:1 + (says == "Sorry?")]: # also the rewriter's own model
            review = Reviewing(20, reviewer=None if writer_reads else reader.engine())
            audit = Audit(texts, "length", reader.engine() if writer_reads else writer, REWARD,
                          tmp_path / f"run {writer_reads}", review=review)
            assert "after 3 on trial" in audit.plan().reviewing[0]["of_what"]
            with pytest.raises(EndpointError, match=words):
                audit.rewrite()
        assert not box.served
    assert sum(reader.asked.values()) <= 3*4


def test_the_audit_without_a_review_says_how_to_get_one(texts, tmp_path):
    audit = an_audit(texts, tmp_path / "run")
    with pytest.raises(InputError, match="this audit has no reader.*review=40"):
        audit.review()
    finding = next(f for f in audit.diagnose().findings["taste"] if f.check == "review")
    assert finding.verdict == "inconclusive" and finding.needs.startswith("review=40, ")
    with pytest.raises(InputError, match="this rewriter is a function"):
        an_audit(texts, tmp_path / "other", review=40)


def test_a_person_reads_and_confirms(texts, tmp_path):
    audit = an_audit(texts, tmp_path / "run")
    ballot = pd.read_csv(audit.review_ballot(), keep_default_na=False, dtype=str)
    wishes = [ballot[side].str.contains(WISH.strip()) for side in ("first", "second")]
    apart = wishes[0] != wishes[1]
    ballot = ballot.assign(reader="Ada", differs=np.where(apart, "yes", "no"),
                           tags=np.where(apart, "wishes", ""), belongs=np.where(apart, "no", ""),
                           shown_by=np.where(~apart, "", np.where(wishes[0], "first", "second")))
    write_csv(ballot, tmp_path / "filled.csv")
    review = audit.review(tmp_path / "filled.csv")["taste"]
    assert review.reviewer == "Ada" and review.confirmed and review.tags.way.tolist() == ["not coded"]
    assert audit.review(confirm={"Wishes": "attribute"})["taste"].tags.belongs.tolist() == ["attribute"]
    audit.close()
    later = an_audit(texts, tmp_path / "run") # what was filled in and confirmed holds for later runs
    assert later.diagnose().results["review", "taste"].tags.belongs.tolist() == ["attribute"]
    later.close()
    said = an_audit(texts, tmp_path / "run", review=Reviewing(confirm={"wishes": "artefact"})) # as in a file
    assert said.review()["taste"].tags.belongs.tolist() == ["artefact"]
    said.close()
    with pytest.raises(InputError, match="names tags that the review does not have: 'wishs'.*'wishes'"):
        an_audit(texts, tmp_path / "run", review=Reviewing(confirm={"wishs": "attribute"})).review()
    with pytest.raises(InputError, match="'attribute' or 'artefact'; got 'yes'"):
        Reviewing(40, confirm={"wishes": "yes"})


def test_one_option_in_a_file_in_a_flag_and_in_python(texts, tmp_path):
    said = dict(examples=str(texts), attribute="length", rewriter="sandbox", reward="demo",
                run_dir=str(tmp_path / "run"))
    assert Audit.from_config(said, plan=True, review=7).inputs.review == Reviewing(7)
    more = {"review": {"pairs": 7, "reviewer": {"model": "gpt-x", "base_url": "http://127.0.0.1:9/v1"}}}
    assert Audit.from_config(said, plan=True, review__pairs=7,
                             review__confirm={"ends warmly": "attribute"}).inputs.review.confirm
    audit = Audit.from_config(said | more, plan=True, review__planted=0)
    asked = audit.inputs.review
    assert (asked.pairs, asked.planted, asked.reviewer.settings["model"]) == (7, 0, "gpt-x")
    assert audit.to_config()["review"] == more["review"] | {"planted": 0}
    with pytest.raises(InputError, match="`review.pairs` must be at least 0, not -1"):
        Audit.from_config(said, review=-1)
    with pytest.raises(InputError, match="`review.pears` is not known here.*pairs"):
        Audit.from_config(said | {"review": {"pears": 7}})
    in_python = an_audit(texts, tmp_path / "other", review=Reviewing(9, reviewer=asked.reviewer))
    from rate_nb.audit.specification import specification_of
    assert specification_of(in_python).review.reviewer.model == "gpt-x"


def test_the_plan_counts_and_prices_its_calls(texts, tmp_path, reader):
    audit = an_audit(texts, tmp_path / "run",
                     review=Reviewing(20, reviewer=reader.engine(prices=(1., 2.))))
    reading, coding = audit.plan().reviewing
    audit.diagnose()
    paid = audit.accounts.reviewing()["judge"]
    assert reading["calls"] == 20 + 106 and paid["calls"] <= reading["calls"] + coding["calls"]
    assert reading["dollars"] > 0 and "review: coding" in audit.plan().steps.step.tolist()
    few = an_audit(texts, tmp_path / "few", review=Reviewing(20, reviewer=reader.engine(), planted=3))
    said = [note for a in (audit, few) for note in a.plan().notes if "says too little" in note]
    assert len(said) == 1 and said[0].startswith("`review.planted` 3 ") and "96" in said[0]


def test_a_dry_run_reads_too(texts, tmp_path):
    with Sandbox() as box:
        writer = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "test")
        review, = Audit(texts, "length", writer, REWARD, tmp_path / "run", review=10).review().values()
    assert review.k == 10 and review.reviewer == "sandbox-rewriter" and len(review.tags)
    assert any("family of the rewriter" in note for note in review.notes)


def test_excluding_a_response_changes_no_pair_that_was_read(texts, tmp_path, reader):
    audit = an_audit(texts, tmp_path / "run", review=Reviewing(20, reviewer=reader.engine()))
    before, asked = audit.review()["taste"], sum(reader.asked.values())
    audit.flag(before.reads.example_id[0], "not a response")
    after = audit.review()["taste"]
    assert after.pairs.shown.equals(before.pairs.shown) and sum(reader.asked.values()) == asked
    assert after.worths.n.max() == before.worths.n.max() - 1


def sulking(reader, share): # answers that are no readings, for this share of the pairs
    def say(messages, attempt):
        reading = "<first>" in messages[-1]["content"]
        return "I would rather not say." if reading and reader.chance(share, messages) else reader.say(
            messages, attempt)
    return say


def test_the_report_and_the_headline_say_which_pairs_were_not_read(texts, tmp_path):
    with Endpoint(sulking(Reader(), .5)) as server:
        audit = an_audit(texts, tmp_path / "run", review=Reviewing(20, reviewer=server.engine()),
                         grading=Grading(margin=4.)) # nothing fails: the headline speaks of the reader
        found, page = audit.diagnose(), audit.report().read_text()
    review = found.results["review", "taste"]
    table, reads = review.pairs.table, review.reads.drop_duplicates("pair_id").set_index("pair_id").status
    counted = table[table.kind.eq("pair")]
    unread = counted[counted.pair_id.map(reads).ne("ok")]
    assert len(unread) == 20 - review.k > 0 and f"{len(unread)} more could not be read" in found.headline()
    shown = [escape(visible_space(text)) in page.partition("What a reader saw")[2].partition("<h2")[0]
             for text in unread["first"]]
    assert not any(shown)


def test_a_reader_without_one_readable_answer_is_left_after_twenty(texts, tmp_path):
    with Endpoint(sulking(Reader(), 1.)) as server:
        audit = an_audit(texts, tmp_path / "run", review=Reviewing(20, reviewer=server.engine()))
        with pytest.raises(EndpointError, match="none of the first 20 answers.*I would rather not say"):
            audit.diagnose()
        assert sum(server.asked.values()) == 20


def test_a_ballot_of_other_pairs_is_an_error_that_names_the_way_out(texts, tmp_path):
    audit = an_audit(texts, tmp_path / "run")
    ballot = pd.read_csv(audit.review_ballot(), keep_default_na=False, dtype=str)
    audit.review(ballot.assign(reader="Ada", differs="no"))
    audit.close()
    other = an_audit(texts, tmp_path / "run", review=Reviewing(7, reviewer=OpenAIRewriter("gpt-x")))
    with pytest.raises(SchemaError, match="review_filled.csv.*\n.*restore the number of pairs.*or delete"):
        other.review()


def test_what_the_review_cost_is_in_what_the_run_paid(texts, tmp_path, reader):
    with Sandbox() as box:
        writer = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "test", prices=(1., 2.))
        review = Reviewing(10, reviewer=reader.engine(prices=(100., 200.)))
        audit = Audit(texts, "length", writer, REWARD, tmp_path / "run", review=review)
        audit.rewrite()
        before = audit.accounts.paid()
        before = before["dollars"] - before["review_dollars"] # three pairs were read on trial
        audit.review()
        paid = audit.accounts.paid()
    cost = paid["review_calls"]*(11*100 + 2*200)/1e6 # the endpoint reports 11 and 2 tokens a call
    assert cost > 0 and paid["review_dollars"] == pytest.approx(cost)
    assert paid["dollars"] == pytest.approx(before + cost)


def test_a_reader_without_an_address_is_asked_where_the_rewriter_is(texts, tmp_path):
    url = "http://127.0.0.1:9/v1"
    said = dict(examples=str(texts), attribute="length", reward="demo", run_dir=str(tmp_path / "run"),
                rewriter=dict(model="w", base_url=url, api_key_env="MY_KEY"))
    def readers(reviewer, **more):
        return Audit.from_config(said | more | dict(review=dict(pairs=7, reviewer=reviewer)), plan=True)
    audit = readers(dict(model="x"))
    one, = audit.inputs.readers
    assert (one.model, one.base_url, one.api_key_env) == ("x", url, audit.rewriter.api_key_env)
    assert all(" by x at 127.0.0.1:9/v1: " in step["of_what"] for step in audit.plan().reviewing)
    assert audit.to_config()["review"]["reviewer"] == dict(model="x")
    other = readers(dict(model="x", base_url="http://127.0.0.1:8/v1")).inputs.readers[0]
    assert other.base_url == "http://127.0.0.1:8/v1" and other.api_key_env != audit.rewriter.api_key_env
    # a key of its own goes to its own endpoint
    assert readers(dict(model="x", api_key_env="OTHER")).inputs.readers[0].base_url is None
    dry = readers(dict(model="x"), rewriter="sandbox") # a dry run asks nobody outside
    assert dry.inputs.readers[0].base_url.startswith("http://127.0.0.1")


@pytest.mark.parametrize("review", [True, "40", 2.5, {"planted": 10}])
def test_a_review_in_a_file_says_how_many_pairs(texts, tmp_path, review):
    said = dict(examples=str(texts), rewriter="sandbox", reward="demo", run_dir=str(tmp_path / "run"))
    with pytest.raises(InputError, match="`review` must say how many pairs are read, a whole number"):
        Audit.from_config(said | {"review": review}, plan=True)
