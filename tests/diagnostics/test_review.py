"A review through a real client: what a reader says of some pairs is measured in all rewrites"
import json, re, zlib
from collections import Counter
import numpy as np
import pandas as pd
import pytest
from sampling import repeats
from servers import Endpoint, Reader
from rate_nb.base import Store
from rate_nb.base.core import EndpointError, InputError, SchemaError
from rate_nb.data import make_attribute
from rate_nb.diagnostics.diagnosis import diagnose
from rate_nb.diagnostics.review import (
    ALL_TAGS, CHANGES, Codes, NOTHING, OVER_DRAWS, READ_COLUMNS, ReviewPairs, SIDES, code_rewrites,
    parse_reading, price_tags, read_ballot, read_pairs, reading_ballot, review_pairs, review_rewrites)

WARM = make_attribute("warmth", "warmer", "colder")
WISH = "Good luck!"
PARTS = ("the pump", "the belt", "the fuse", "the tank")


def words(rng, warm, wish):
    lines = [f"{rng.choice(['Turn', 'Lift', 'Clean'])} {p} for {rng.integers(2, 9)} minutes." for p in PARTS]
    return f"{'My dear' if warm else 'Well'}, {lines[0]}\n" + "\n".join(lines[1:]) + f"\n{WISH}"*bool(wish)


def audit(n=120, wishes=(.5, .5), pays=.6, draws=2, seed=0, stars=None, ends=0.):
    """`wishes`: share of rewrites to 0 and to 1 that end in a wish; the reward pays 1 for warmth. `stars`:
    how many rewrites to 0 and to 1 may have, of which the reward pays `ends` for none and for three"""
    rng, rewrites, scored = np.random.default_rng(seed), [], []
    w = rng.integers(0, 2, n)
    def starred(text, side): return text + "*"*rng.choice(stars[side]) if stars else text
    own = [starred(words(rng, a, rng.random() < .5), a) for a in w]
    ids = [f"r{i}" for i in range(n)]
    examples = pd.DataFrame(dict(example_id=ids, prompt_id=ids, prompt=[f"{i} is broken." for i in ids],
                                 response=own, w=w))
    def reward(text, warm):
        return warm + pays*(WISH in text) + ends*(text.count("*") in (0, 3)) + .3*rng.normal()
    for i, a in enumerate(w):
        for draw in range(draws):
            at = dict(example_id=ids[i], draw=draw)
            row = at | dict(prompt_id=ids[i], model="m", w=a, reward_original=reward(own[i], a))
            for depth, to, slot in ((1, 1 - a, "rewrite"), (2, a, "rewrite_of_rewrite")):
                text = starred(words(rng, to, rng.random() < wishes[to]), to)
                rewrites.append(at | dict(depth=depth, target_w=to, instruction_id="i", text=text,
                                          status="ok"))
                row[f"reward_{slot}"] = reward(text, to)
            scored.append(row)
    return examples, pd.DataFrame(rewrites), pd.DataFrame(scored)


@pytest.fixture
def reader():
    with Endpoint(Reader().say) as server:
        yield server


def test_a_habit_that_a_model_notices_over_http_is_worth_what_it_was_planted_with(reader):
    tables = audit(wishes=(.2, .8))
    found = review_rewrites(*tables, WARM, reader.engine())
    wish = found.tags.set_index("tag").loc["ends with a wish"]
    assert wish.way == OVER_DRAWS and wish.worth_low < .6*.6 < wish.worth_high and wish.worth_low > .15
    assert found.finding(.1).verdict == "failed" and found.reviewer == "judge" == found.coder
    assert not any("reward" in json.dumps(b["messages"]) for b in reader.bodies) # reader and coder see none


def function(reads): # without the client, whose calls take longer than all else
    def answers(messages): return reads.say(messages, 1)
    return answers


def test_a_healthy_rewriter_passes_and_an_invented_tag_is_worth_nothing():
    said = Counter()
    for seed in range(4):
        found = review_rewrites(*audit(240, seed=seed), WARM, function(Reader(invents=.3)), rng=seed)
        invented = found.tags.set_index("tag").loc["sounds tired"]
        assert invented.worth_low < .02 and invented.worth_high > -.02
        said[found.finding(.12).verdict] += 1
    assert said["passed"] >= 2 and not said["failed"]


def test_a_second_run_asks_nothing_and_an_interrupted_one_asks_the_rest(tmp_path, reader):
    tables, store, reads, left = audit(60), Store(tmp_path / "store.sqlite"), Reader(), Counter(calls=40)
    def stops(messages, attempt):
        left["calls"] -= 1
        return 401 if left["calls"] < 0 else reads.say(messages, attempt)
    with Endpoint(stops) as broken, pytest.raises(EndpointError):
        review_rewrites(*tables, WARM, broken.engine(), store=store)
    first = review_rewrites(*tables, WARM, reader.engine(), store=store)
    asked = Counter(reader.asked)
    again = review_rewrites(*tables, WARM, reader.engine(), store=store)
    assert reader.asked == asked and set(asked.values()) == {1} # nothing twice, and a second run nothing
    assert len(broken.answered) >= 20 and not set(broken.answered) & set(asked)
    assert again.tags.equals(first.tags) and again.reads.equals(first.reads)


def test_an_answer_that_is_no_reading_counts_in_no_number():
    reads = Reader()
    def sulks(messages):
        reading = "<first>" in messages[-1]["content"]
        sulks_now = reading and reads.chance(.3, messages)
        return "I would rather not say." if sulks_now else reads.say(messages, 1)
    found = review_rewrites(*audit(), WARM, sulks)
    assert 0 < found.k < 40 and found.sensitivity.planted.sum() < 96
    assert any("could not be read" in note for note in found.notes)


def test_the_pairs_are_of_distinct_prompts():
    examples, rewrites, _ = audit()
    examples["prompt_id"] = [f"q{i//3}" for i in range(len(examples))]
    pairs = review_pairs(examples, rewrites, WARM, k=40)
    read = pairs.key[pairs.key.kind.eq("pair")]
    assert len(read) == 40 and read.example_id.map(examples.set_index("example_id").prompt_id).is_unique


@pytest.mark.parametrize("text", ["def f(x):\n    y = x + 1\n    return y", "One. Two.\n\nThree. Four.",
                                  "- first\n- second\n- third"])
def test_a_doubled_line_stands_on_a_line_of_its_own_and_a_doubled_sentence_beside_itself(text):
    "In code, lists and prose: the whole stands there as it was, and one piece of it once more"
    pieces = [s for s in re.split(r"(?<=[.]) |\n+ *", text) if s]
    for seed in range(20):
        doubled = CHANGES["sentence doubled"](text, np.random.default_rng(seed))
        parts = [s for s in re.split(r"(?<=[.]) |\n+ *", doubled) if s]
        [(twice, n)] = (Counter(parts) - Counter(pieces)).items()
        assert n == 1 and len(parts) == len(pieces) + 1 and parts.index(twice) + 1 < len(parts)
        assert parts[parts.index(twice) + 1] == twice
        assert {line.rstrip() for line in doubled.splitlines()} >= {*text.splitlines()} or "." in text


def test_both_rewrites_to_the_own_side_make_same_target_pairs_where_draws_do_not():
    examples, rewrites, _ = audit(60, draws=1)
    own = examples.set_index("example_id").w
    more = rewrites[rewrites.depth.eq(1)].assign(target_w=lambda d: d.example_id.map(own),
                                                 text=lambda d: d.text + " Once more.")
    key = review_pairs(examples, pd.concat([rewrites, more], ignore_index=True), WARM).key
    assert key.kind.eq("same target").sum() == 10


def test_a_person_reads_from_a_file(tmp_path):
    tables = audit(wishes=(.2, .8))
    pairs = review_pairs(*tables[:2], WARM)
    table, ballot = pairs.table, reading_ballot(pairs).assign(reader="Ada", differs="no")
    assert not set(ballot) & {"kind", "planted", "first_is", "example_id"}
    for i in np.flatnonzero(table["first"].str.contains(WISH) != table["second"].str.contains(WISH)):
        side = "first" if WISH in table["first"][i] else "second"
        ballot.loc[i, ["differs", "tags", "shown_by", "belongs"]] = "yes", "Wishes luck", side, "no"
    ballot.to_csv(tmp_path / "filled.csv", index=False)
    found = review_rewrites(*tables, WARM, tmp_path / "filled.csv", rules={"wishes luck": "exclamations"})
    assert found.reviewer == "Ada" and found.confirmed and found.coder == ""
    assert found.tags.coded_by.tolist() == ["measure exclamations"] and found.finding(.1).verdict == "failed"
    uncoded = review_rewrites(*tables, WARM, ballot)
    assert uncoded.finding(.1).verdict == "inconclusive" and "rule" in uncoded.parts(.1)[-1].lacks
    with pytest.raises(SchemaError, match="`pair_id` must be a pair of this review"):
        read_ballot(ballot.assign(pair_id="p001-000000"), pairs)


def test_a_judge_has_no_levels_and_its_contrasts_price_the_tags():
    answers = function(Reader())
    examples, rewrites, scored = audit(wishes=(.2, .8))
    pairs = review_pairs(examples, rewrites, WARM)
    reads = read_pairs(pairs, WARM, answers)
    codes = code_rewrites(pairs, reads, examples, rewrites, WARM, answers)
    gap = scored.reward_rewrite_of_rewrite - scored.reward_rewrite
    verdicts = scored.assign(reward_original=np.nan, reward_rewrite=0., reward_rewrite_of_rewrite=gap,
                             judge_unit=1.)
    wish = price_tags(pairs, reads, codes, verdicts).tags.set_index("tag").loc["ends with a wish"]
    assert wish.worth_low < .36 < wish.worth_high


def test_marks_of_quality_are_of_the_reader_and_never_of_the_counted_pairs():
    answers = function(Reader())
    found = review_rewrites(*audit(), WARM, answers)
    assert found.k == 40 and set(found.sensitivity["class"]) >= {"closing added", "number changed", NOTHING}
    assert found.weakest in set(found.sensitivity["class"]) and 0 <= found.sensitivity_low < 1
    assert found.tags.pairs.max() <= 40 and found.false_alarms[1] == 10
    with pytest.raises(InputError, match="`banked` holds counts of the reviewer 'other'"):
        review_rewrites(*audit(), WARM, answers, banked=found.sensitivity.assign(reviewer="other"))


def shown(messages, name): # what a conversation shows between two tags
    return re.search(f"<{name}((?:-[0-9a-f]+)?)>\n(.*?)\n</{name}\\1>", messages[-1]["content"], re.S)[2]

def sees_the_wish(messages): # a careful reader, who looks for one thing
    has = [WISH in shown(messages, side) for side in ("first", "second")]
    seen = [dict(tag="ends warmly", shown_by="first" if has[0] else "second", belongs=False, phrase="")]
    return json.dumps(dict(says="", differences=seen*(has[0] != has[1])))

def codes_the_wish(messages):
    text = shown(messages, "version")
    asked = re.findall(r"(?m)^(\d+)\. (.+)$", messages[-1]["content"])
    holds = {k: ("8" if "longer" in tag else WISH) in text for k, tag in asked}
    return "\n".join(f"{k}: {'yes' if there else 'no'}" for k, there in holds.items())

def never(messages): return re.sub("yes", "no", codes_the_wish(messages))
def silent_where_it_is(messages):
    return "Hard to say." if WISH in shown(messages, "version") else never(messages)

ALONE = dict(planted=0, same_target=0) # no pair that measures the reader


@pytest.mark.parametrize("coder", [never, silent_where_it_is])
def test_a_coder_that_does_not_find_what_the_reader_saw_lets_nothing_pass(coder):
    "Its codes agree on both sides, so that the worth of the tag is exactly 0"
    said = review_rewrites(*audit(wishes=(.2, .8)), WARM, sees_the_wish, coder=coder, **ALONE).finding(.1)
    assert said.verdict == "inconclusive" and "code" in said.needs


def sees_that_they_end_otherwise(messages): # and not which of them has it
    return sees_the_wish(messages).replace("ends warmly", "ends otherwise").replace("second", "first")

def test_a_name_without_a_direction_keeps_the_check_open_unless_any_two_rewrites_have_it():
    "It leans to no side and its codes do not find it; of an invention that would be right"
    for wishes, named in (((.05, .95), True), ((.5, .5), False)):
        found = review_rewrites(*audit(240, wishes, pays=.3), WARM, sees_that_they_end_otherwise, coder=never,
                                planted=0, same_target=40).finding(.1)
        assert found.verdict == "inconclusive" and ("“ends otherwise”" in found.needs) == named


def test_the_coder_sees_the_prompt_as_the_reader_does():
    seen = []
    def coder(messages):
        seen.append(shown(messages, "prompt"))
        return codes_the_wish(messages)
    examples, *tables = audit(40)
    review_rewrites(examples, *tables, WARM, sees_the_wish, coder=coder, **ALONE)
    assert set(seen) == set(examples.prompt)


def sees_stars(messages):
    n = [shown(messages, side).count("*") for side in ("first", "second")]
    seen = dict(tag="has more stars", shown_by="first" if n[0] > n[1] else "second", belongs=False, phrase="")
    return json.dumps(dict(says="", differences=[seen]*(n[0] != n[1])))

def counts_stars(messages): # if it is asked how many; else against the original
    n, before = (shown(messages, name).count("*") for name in ("version", "original"))
    return f"1: {n}" if "how many" in messages[-1]["content"] else f"1: {'yes' if n > before else 'no'}"


MIDDLE, ENDS = (0, 1, 1, 1, 1, 2, 2, 2, 2, 3), (0, 0, 0, 0, 1, 2, 3, 3, 3, 3)

@pytest.mark.parametrize("stars, ends, passes", [((MIDDLE, ENDS), .4, False), ((ENDS, ENDS), .4, True),
                                                 (((0, 1, 2), (1, 2, 3)), 0., True)])
def test_how_many_there_are_is_coded_and_priced_at_each_number(stars, ends, passes):
    "Equal means and another spread, paid at both ends, do not pass; an equal spread and unpaid stars do"
    said = [review_rewrites(*audit(240, pays=0., stars=stars, ends=ends, seed=seed), WARM, sees_stars,
                            coder=counts_stars, **ALONE).finding(.15).verdict for seed in range(3)]
    assert said.count("passed") >= 2 if passes else "passed" not in said


def test_what_a_reader_named_by_a_phrase_is_looked_for_in_one_sentence_with_marks():
    tables = audit(60, stars=((0, 1, 2), (0, 1, 2)))
    def quotes(messages): return sees_the_wish(messages).replace('"phrase": ""', f'"phrase": "{WISH}"')
    read = review_rewrites(*tables, WARM, quotes, coder=codes_the_wish, **ALONE)
    tag, = read.codes.patterns
    def pairs(review): # of the tag, as the diagnosis shows them
        table = diagnose(*tables, WARM, review=review).results["differences", "m"].table
        return set(table.feature[table.kind.eq("pair") & table.feature.str.contains(tag)])
    assert f"“{tag}” with “*” in one sentence" in pairs(read)
    assert not pairs(read.confirm({tag: "attribute"})) # what belongs to the attribute is none of its business
    by_coder = review_rewrites(*tables, WARM, sees_the_wish, coder=codes_the_wish, **ALONE)
    assert not by_coder.codes.patterns # a sentence does not show what a coder says of a text


def test_one_difference_under_two_names_does_not_hide_what_all_are_worth():
    def twice(messages):
        said = json.loads(sees_the_wish(messages))["differences"]
        second = [dict(d, tag="has a second name") for d in said]
        longer = dict(tag="is longer", shown_by="second", belongs=False, phrase="")
        return json.dumps(dict(says="", differences=[*said, *second, longer]))
    found = review_rewrites(*audit(wishes=(.2, .8)), WARM, twice, coder=codes_the_wish, **ALONE)
    assert ALL_TAGS in set(found.worths.tag)


def test_the_models_word_on_what_belongs_is_not_enough():
    def belongs(messages): return sees_the_wish(messages).replace("false", "true")
    found = review_rewrites(*audit(wishes=(.2, .8)), WARM, belongs, coder=codes_the_wish, **ALONE)
    said = found.finding(.1)
    assert said.verdict == "inconclusive" and "confirm={'ends warmly': 'attribute'}" in said.needs
    assert found.confirm({"ends warmly": "attribute"}).finding(.1).verdict == "passed"


def test_what_a_coder_misses_is_given_back_to_difference_and_price():
    def errs(messages): # in one text of seven, by the text
        wrong = zlib.crc32(shown(messages, "version").encode()) % 7 == 0
        return re.sub("yes|no", lambda m: dict(yes="no", no="yes")[m[0]] if wrong else m[0],
                      codes_the_wish(messages))
    worths = [review_rewrites(*audit(240, (.2, .8), seed=seed), WARM, sees_the_wish, coder=errs, k=120,
                              **ALONE).tags.worth[0] for seed in range(4)]
    assert abs(np.mean(worths) - .6*.6) < .12 # .15 where neither is


@pytest.mark.parametrize("answer, n", [
    ('Here: {"says": "x", "differences": [{"tag": "A", "shown_by": "First", "belongs": "false"}]} Bye', 1),
    ('{"differences": [{"tag": "a", "shown_by": "both", "belongs": false}]}', None),
    ('{"differences": [{"tag": "a", "shown_by": "both", "belongs": false},'
     ' {"tag": "b", "shown_by": "second", "belongs": true}]}', 1),
    ("no difference", None)])
def test_usual_variants_of_an_answer_are_read(answer, n):
    said = parse_reading(answer)
    assert said is None if n is None else len(said["differences"]) == n
def test_confirming_says_what_a_person_said_and_no_more():
    tables = audit(60, wishes=(.2, .8))
    found = review_rewrites(*tables, WARM, function(Reader()))
    assert not found.confirmed and not found.confirm({}).confirmed
    tags = dict.fromkeys(found.tags.tag, "artefact")
    of_all = found.confirm(tags)
    assert of_all.confirmed and of_all.agreement == (len(tags), len(tags))
    ballot = reading_ballot(review_pairs(*tables[:2], WARM)).assign(
        reader="Ada", differs="yes", tags="a; b", shown_by="first; first", belongs="yes; no")
    by_person = review_rewrites(*tables, WARM, ballot).confirm({"a": "artefact"})
    assert by_person.confirmed and by_person.agreement == (0, 0)
    assert by_person.tags.belongs.tolist() == ["artefact", "artefact"]


def coded(one, zero, pays, seed=0, noise=.3):
    "Codes of tags in rewrites to 1 and to 0 of 300 responses in two draws, and rewards that pay for them"
    rng, k = np.random.default_rng(seed), len(one)//2
    ids, w = np.repeat(np.arange(k), 2), np.repeat(rng.integers(0, 2, k), 2)
    rows = pd.DataFrame(dict(example_id=ids, prompt_id=ids, draw=np.tile([0, 1], k), w=w))
    to_1, to_0 = (pays(x) + side + noise*rng.normal(size=len(x)) for side, x in ((1, one), (0, zero)))
    scored = rows.assign(model="m", reward_original=np.where(w, to_1, to_0),
                         reward_rewrite=np.where(w, to_0, to_1),
                         reward_rewrite_of_rewrite=np.where(w, to_1, to_0))
    tags = pd.DataFrame(dict(tag=[*"abcd"][:one.shape[1]], belongs="artefact", pairs=12, coded_by="pattern",
                             found=12, of=12))
    return Codes(tags, rows, one, zero), scored


@pytest.mark.parametrize("tags", [2, 3])
@pytest.mark.parametrize("habit", [True, False])
def test_tags_that_go_together_on_one_side_pass_only_with_a_clear_price(tags, habit):
    "Rewrites to 1 have an even number of them, those to 0 an odd one, and the reward pays for all or none"
    passed = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        one, zero = (rng.integers(0, 2, (600, tags)).astype(float) for _ in range(2))
        if habit:
            for x, even in ((one, 0), (zero, 1)):
                x[:, -1] = (x[:, :-1].sum(1) + even) % 2
        read = review_pairs(*audit(60)[:2], WARM, k=10, planted=0)
        reads = read_pairs(read, WARM, function(Reader()))
        codes, scored = coded(one, zero, lambda x: .5*(x.sum(1) % 2 == 0), seed)
        assert abs(one.mean(0) - zero.mean(0)).max() < .1 # one by one they are as frequent
        passed += price_tags(read, reads, codes, scored).finding(.1).verdict == "passed"
    assert passed == 0 if habit else passed >= 3


def test_a_name_for_every_change_notices_none_and_one_habit_with_many_names_leans():
    "A reader who compares strings has seen nothing; one who quotes each instance has named no habit"
    def compares(messages):
        said = messages[-1]["content"]
        if "<first>" not in said:
            return "1: yes"
        a, b = (re.search(rf"(?s)<{n}>\n(.*?)\n</{n}>", said)[1] for n in ("first", "second"))
        d = dict(tag="is worded otherwise", shown_by="first" if zlib.crc32(a.encode()) % 2 else "second",
                 belongs=False, phrase="")
        return json.dumps(dict(says="", differences=[d]*(a != b)))
    found = review_rewrites(*audit(120), WARM, compares)
    assert found.sensitivity_low == 0 and any("does not count as noticing" in s for s in found.sentences())

    def quotes(messages): # the wish, by a name of its own each time
        said = messages[-1]["content"]
        if "<first>" not in said:
            return "\n".join(f"{i}: no" for i in re.findall(r"(?m)^(\d+)[.:)]", said))
        texts = [re.search(rf"(?s)<{n}>\n(.*?)\n</{n}>", said)[1] for n in ("first", "second")]
        has = [WISH in t for t in texts]
        d = dict(tag=f"has ending no. {zlib.crc32(texts[0].encode())}", belongs=False, phrase="",
                 shown_by="first" if has[0] else "second")
        return json.dumps(dict(says="", differences=[d]*(has[0] != has[1])))
    for wishes, leans in (((.1, .8), True), ((.5, .5), False)):
        parts = review_rewrites(*audit(200, wishes), WARM, quotes).parts(.1)
        assert any("differences named once" in p.name and "many names" in p.lacks for p in parts) == leans


def test_a_function_that_reads_may_fail_at_some_pairs_and_is_quoted_where_it_always_does():
    says = function(Reader())
    def shaky(messages): return says(messages) if zlib.crc32(str(messages).encode()) % 20 else 1/0
    found = review_rewrites(*audit(60), WARM, shaky, planted=0)
    assert 30 < found.k < 40 and any("could not be read" in s for s in found.sentences())
    with pytest.raises(EndpointError, match="none of the first 20 .*ZeroDivisionError: division by zero"):
        review_rewrites(*audit(60), WARM, lambda messages: 1/0)


@pytest.mark.parametrize("draws, said", [(1, "draws=2"), (2, "more data cannot price it")])
def test_a_habit_without_a_price_is_closed_by_draws_or_by_no_data(draws, said):
    "Parity that the target fixes: rewrites to 1 have both tags or none, rewrites to 0 have one"
    rng = np.random.default_rng(0)
    x, z = (rng.integers(0, 2, 600).astype(float) for _ in range(2))
    codes, scored = coded(np.c_[x, x], np.c_[z, 1 - z], lambda x: .5*(x[:, 0] == x[:, 1]))
    first = codes.rows.draw < draws
    codes = Codes(codes.tags, codes.rows[first], codes.one[first], codes.zero[first])
    read = review_pairs(*audit(60)[:2], WARM, k=10, planted=0)
    found = price_tags(read, read_pairs(read, WARM, function(Reader())), codes, scored[first])
    assert said in found.finding(.1).needs


def erring(habit, pays, sensitivity, specificity, seed, n=300, read=40):
    """A review of tag a, in these shares of rewrites to 0 and to 1, and of an invention. Reads, codes (with
    errors at these rates) and rewards are made directly; the margin is .1 sd"""
    rng = np.random.default_rng(seed)
    ids, w = np.repeat(np.arange(n), 2), np.repeat(rng.integers(0, 2, n), 2)
    own = np.repeat(rng.normal(0, .8, n), 2)
    has = {a: rng.random(2*n) < habit[a] for a in (0, 1)}
    code = {a: rng.random(2*n) < np.where(x, sensitivity, 1 - specificity) for a, x in has.items()}
    rewards = {a: own + .5*a + pays*has[a] + .3*rng.normal(size=2*n) for a in has}
    rows = pd.DataFrame(dict(example_id=ids, prompt_id=ids, draw=np.tile([0, 1], n), w=w))
    scored = rows.assign(model="m", reward_original=np.where(w, rewards[1], rewards[0])[2*ids],
                         reward_rewrite=np.where(w, rewards[0], rewards[1]),
                         reward_rewrite_of_rewrite=np.where(w, rewards[1], rewards[0]))
    some = 2*rng.permutation(n)[:read]
    key = pd.DataFrame(dict(pair_id=[f"p{i}" for i in some], kind="pair", planted="", example_id=some//2,
                            draw=0, first_is="treated"))
    differs = (has[1] != has[0])[some] & (rng.random(read) < .85)
    says = dict(reader="r", status="ok", says="", belongs=False, phrase="")
    seen = [says | dict(pair_id=f"p{i}", differs=bool(d), tag="a"*bool(d), shown_by=SIDES[int(has[0][i])])
            for i, d in zip(some, differs)]
    seen += [says | dict(pair_id=f"p{i}", differs=True, tag="b", shown_by=SIDES[rng.integers(2)])
             for i in some if rng.random() < .05]
    codes, named, at = np.array([code[1], code[0]])*1., has[0][some[differs]]*1, some[differs]
    first, second = codes[named, at], codes[1 - named, at]
    b = sum(s["tag"] == "b" for s in seen)
    tags = pd.DataFrame(dict(tag=["a", "b"], belongs="artefact", pairs=[len(at), b], coded_by="coder",
                             found=[(first > second).sum(), 0], of=[len(at), b]))[:1 + (b > 0)]
    pairs = ReviewPairs(pd.DataFrame(dict(pair_id=key.pair_id, prompt="", first="", second="")), key)
    one, zero = (np.column_stack([c, 0*c])[:, :len(tags)] for c in codes)
    found = price_tags(pairs, pd.DataFrame(seen)[READ_COLUMNS], Codes(tags, rows, one, zero), scored)
    return found.finding(.1*found.sd), found


@pytest.mark.parametrize("habit", [(.3, .7), (.1, .4), (.6, .95), (.4, .6)])
def test_a_coder_that_misses_one_in_five_lets_no_harmful_habit_pass(habit):
    "It is worth 1.7 margins, of which its codes may show hardly more than half"
    worth = 1.7*.09
    said = [erring(habit, worth/(habit[1] - habit[0]), .8, 1., seed) for seed in range(repeats(15, 100))]
    assert sum(f.verdict == "passed" for f, _ in said) <= .09*len(said)


def test_a_coder_that_misses_one_in_five_lets_healthy_audits_pass():
    n = repeats(15, 100)
    for habit, pays in (((.5, .5), .3), ((.3, .6), 0.)):
        assert sum(erring(habit, pays, .8, 1., s)[0].verdict == "passed" for s in range(n)) >= .8*n


def test_a_coder_that_errs_too_often_keeps_the_check_open_over_all_tags():
    "Of one tag the pairs are too few to lean; of all together they say how often the coder errs"
    for sensitivity, specificity, at_least, at_most in ((.75, .75, .5, 1.), (1., 1., 0., .1)):
        told = [(finding.verdict, finding.needs, [p.name for p in found.parts(.1*found.sd)])
                for finding, found in (erring((.4, .6), .3, sensitivity, specificity, s) for s in range(20))]
        open_ = [(verdict, needs) for verdict, needs, names in told if "the coder" in names]
        assert at_least*20 <= len(open_) <= at_most*20
        assert all(verdict != "passed" for verdict, _ in open_)
        assert all("agree with the reader in only" in needs for verdict, needs in open_
                   if verdict == "inconclusive")
