"Reading pairs and confirming tags in a lab: what a person may do wrong, and what a file may hold"
import numpy as np
import pandas as pd
import pytest
from reader import Reader
from rate_nb.audit import Audit, Design
from rate_nb.audit.inputs import Reviewing
from rate_nb.base.core import RateError
from rate_nb.diagnostics.review import read_ballot
from rate_nb.theory.text_world import TextWorld
from rate_nb.widgets.reading_lab import ReadingLab

WORLD = TextWorld("length")
BAD = "<img src=x onerror=alert(1)></script>"


def audit(folder, **more):
    return Audit(WORLD.examples(60, np.random.default_rng(0)), "length", WORLD.rewriter, WORLD.reward, folder,
                 design=Design(check=0), **more)


def name(lab, tag, side, belongs=False):
    controls = lab.named[-1]
    for control, value in zip(controls, (tag, side, belongs)):
        control.value = value


def test_a_spreadsheet_and_the_lab_share_one_file(tmp_path):
    "Read two rows in a spreadsheet, the rest in the lab; the audit takes the whole"
    a = audit(tmp_path)
    path = a.review_ballot()
    by_hand = pd.read_csv(path, dtype=str, keep_default_na=False)
    by_hand.loc[:1, ["reader", "differs"]] = "Ada", "no"
    by_hand.to_csv(path, index=False)
    lab = a.lab("reading")
    assert lab.at == 2 and lab.left == len(by_hand) - 2 and lab.reader.value == "Ada"
    while lab.left:
        name(lab, f"{BAD} closes", "first")
        lab.save.click()
    assert lab.error is None and "<img" not in lab.texts.value
    lab.use.click()
    lab.job.wait()
    review, = lab.result.values()
    assert review.reviewer == "Ada" and f"{BAD} closes".casefold() in set(review.tags.tag)


def test_unread_pairs_may_stay_unread_and_are_said(tmp_path):
    lab = audit(tmp_path).lab("reading", dict(reader="Ada"))
    assert lab.use.disabled
    for _ in range(8):
        lab.same.click()
    lab.use.click()
    lab.job.wait()
    review, = lab.result.values()
    assert review.k < lab.pairs.k and "could not be read" in " ".join(review.notes)


@pytest.mark.parametrize("wrong, said", [(dict(differs="maybe"), "must be yes or no"),
                                         (dict(pair_id="p999"), "must be a pair of this review"),
                                         (dict(reader=""), "must name the person")])
def test_a_file_with_faults_names_them_before_anything_is_shown(tmp_path, wrong, said):
    a = audit(tmp_path)
    path = a.review_ballot()
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table.loc[0, ["reader", "differs"]] = "Ada", "no"
    for column, value in wrong.items():
        table.loc[0, column] = value
    table.to_csv(path, index=False)
    with pytest.raises(RateError, match=said):
        a.lab("reading")


def test_a_reading_can_be_changed_and_a_fault_in_pricing_shows(tmp_path):
    a = audit(tmp_path)
    def fails(path): raise RuntimeError("the disk is full")
    lab = ReadingLab(a._review_pairs(), tmp_path / "mine.csv", dict(reader="Ada"), fails)
    name(lab, "first; second", "first")
    lab.save.click()
    assert "no semicolon" in lab.trouble.value
    name(lab, "adds a closing", "first")
    lab.save.click()
    lab.show(0)
    name(lab, "adds a greeting", "second", True)
    lab.save.click()
    read = read_ballot(lab.path, lab.pairs)
    assert list(read.tag) == ["adds a greeting"] and read.belongs.all() and lab.left == len(lab.pairs) - 1
    lab.use.click()
    lab.job.wait()
    assert isinstance(lab.error, RuntimeError) and "the disk is full" in lab.trouble.value


def test_a_person_confirms_what_a_model_said(tmp_path):
    "Only what is decided is kept, and the diagnosis counts it"
    reader = Reader(0, relative=True)
    a = audit(tmp_path, review=Reviewing(pairs=20, reviewer=reader, coder=reader.code))
    with pytest.raises(RateError, match="nothing was read yet"):
        a.lab("confirmation")
    before, = a.review().values()
    own = list(before.tags.tag[before.tags.belongs.eq("attribute")])
    lab = a.lab("confirmation")
    assert set(lab.answers) == set(before.tags.tag) and not lab.said and own
    for tag in own:
        lab.answers[tag].value = "attribute"
    lab.go.click()
    after, = a.review().values()
    assert lab.error is None and after.confirmed and after.agreement == (len(own), len(own))
