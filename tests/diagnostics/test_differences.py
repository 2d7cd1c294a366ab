"Open-vocabulary differences: what a simulation of its own plants is found, what it leaves alone passes"
import ast, re, zlib
import numpy as np
import pandas as pd
import pytest
from sampling import possible, repeats
from rate_nb.base.core import InputError
from rate_nb.diagnostics import open_vocabulary
from rate_nb.diagnostics.diagnosis import _with_number
from rate_nb.diagnostics.open_vocabulary import SHAPES, _pattern, differences, vocabulary, without
from rate_nb.diagnostics.verdicts import Finding, Part

SYNONYMS = [s.split("/") for s in (
    "ferry/boat", "harbour/port", "captain/skipper", "gusty/windy", "departed/left/sailed", "quickly/swiftly",
    "ticket/pass", "cabin/berth", "evening/night", "travellers/passengers", "crossing/voyage", "meal/supper",
    "tasty/savoury", "crew/staff", "helped/assisted", "deck/platform", "distant/remote", "island/isle",
    "begin/start", "costly/pricey", "usually/often", "silent/quiet", "large/big", "route/line")]
FILLER = "all in all it was worth it"


class Journal:
    "Reports of voyages: each response has a fixed plan, each text draws its synonyms anew"
    def __init__(self, rng, weights=None):
        self.rng = rng
        self.pays = {w: v for s in SYNONYMS for w, v in zip(s, rng.normal(0, .15, len(s)))} | (weights or {})

    def plan(self): # which groups of synonyms stand in which sentence
        return [self.rng.choice(len(SYNONYMS), 4, replace=False) for _ in range(self.rng.integers(2, 5))]

    def text(self, plan, first): # `first` stands for the attribute
        words = [["the", *(str(self.rng.choice(SYNONYMS[k])) for k in sentence)] for sentence in plan]
        lines = [" ".join(w) for w in words]
        lines[0] = f"{first} {lines[0]}"
        return ". ".join(line[0].upper() + line[1:] for line in lines) + "."

    def reward(self, text): return sum(self.pays.get(w, 0.) for w in re.findall(r"[a-z]+", text.lower()))


def audit(n, rng, alter=lambda text, target, rng: text, filler_pays=0., noise=.4, draws=2, treated=.5,
          first=("dockside", "dockside"), weights=None):
    "Tables of one audit; `alter(text, target, rng)` is the rewriter's habit"
    rng = np.random.default_rng(rng)
    journal, rewrites, scored = Journal(rng, weights), [], []
    labels, plans = (rng.random(n) < treated).astype(int), [journal.plan() for _ in range(n)]
    own = [journal.text(p, first[w]) for p, w in zip(plans, labels)]
    examples = pd.DataFrame(dict(example_id=[f"r{i}" for i in range(n)],
                                 prompt_id=[f"q{i//2}" for i in range(n)],
                                 prompt="Report.", response=own, w=labels))
    for i, (plan, w) in enumerate(zip(plans, labels)):
        quality = rng.normal(0, .8)
        def score(text, side):
            return (quality + .5*side + journal.reward(text) + filler_pays*text.lower().count(FILLER)
                    + noise*rng.normal())
        for draw in range(draws):
            row = dict(example_id=f"r{i}", prompt_id=f"q{i//2}", draw=draw, model="reward", w=w,
                       reward_original=score(own[i], w))
            for depth, target, slot in ((1, 1 - w, "reward_rewrite"), (2, w, "reward_rewrite_of_rewrite")):
                text = alter(journal.text(plan, first[target]), target, rng)
                rewrites.append(dict(example_id=f"r{i}", draw=draw, depth=depth, target_w=target,
                                     instruction_id="0", text=text, status="ok"))
                row[slot] = score(text, target)
            scored.append(row)
    return examples, pd.DataFrame(rewrites), pd.DataFrame(scored)


def filler(to_1, to_0): # appended at these rates
    def alter(text, target, rng):
        return f"{text} {FILLER.capitalize()}." if rng.random() < (to_0, to_1)[target] else text
    return alter


def row(found, feature): return found.table.set_index("feature").loc[feature]


@pytest.fixture(scope="module")
def polite(): # one treated rewrite in two ends on the filler, and the reward pays for it
    return audit(120, 1, filler(.5, 0.), filler_pays=1.)


@pytest.mark.parametrize("mark", [FILLER, FILLER.title() + ".", re.compile("all in all [a-z ]*[.]", re.I)])
def test_a_marked_phrase_takes_its_words_marks_and_length_along(polite, mark):
    found = differences(*polite, itself=[mark])
    assert not found.table.feature.isin([".", "words", "sentences", "all", "worth it"]).any()


def test_measures_are_marked_by_name(polite):
    found = differences(*polite, itself=["words", "characters"], artefacts=["sentences"])
    t = found.table.set_index("feature")
    assert "words" not in t.index and "characters" not in t.index and t.marked["sentences"] == "artefact"
    assert "words" not in differences(*polite, attribute="length").table.feature.tolist()


def test_equal_columns_are_one_feature(polite):
    features = set(differences(*polite).table.feature)
    assert "all it was worth it" in features and not {"all in all it", "worth", "worth it"} & features


def test_measured_values_may_be_handed_over(polite):
    from rate_nb.diagnostics.off_target import measure_texts
    examples, rewrites, scored = polite
    measured = measure_texts(examples, rewrites)
    pd.testing.assert_frame_equal(differences(*polite, measured=measured).table, differences(*polite).table)


def test_a_measure_that_is_silent_of_some_texts_is_read_where_it_speaks(polite):
    def share(text): return text.count("e")/len(text) if len(text) % 5 else np.nan
    line = row(differences(*polite, extra=dict(share=share)), "share")
    assert np.isfinite([line.difference, line.price]).all()


def test_one_arm_and_own_clusters(polite):
    examples, rewrites, scored = polite
    one = differences(examples, rewrites, scored[scored.w == 1], cluster=None)
    assert one.n == (examples.w == 1).sum() == one.finding().parts[0].n


def test_errors_and_notes_name_the_way_out(polite):
    from rate_nb.base.core import InputError
    with pytest.raises(InputError, match="names of measures"):
        differences(*polite, itself=[3])
    with pytest.raises(InputError, match="one or the other"):
        differences(*polite, itself="words", artefacts="words")
    examples, rewrites, scored = polite
    with pytest.raises(InputError, match="nothing to compare"):
        differences(examples, rewrites.assign(status="refused"), scored)
    assert "never said" in str(differences(*polite, itself="never said").notes)


def test_model_text_is_escaped(polite):
    examples, rewrites, scored = polite
    text = rewrites.text.where(rewrites.target_w == 0, rewrites.text + " <script>alert(1)</script>")
    assert "<script" not in differences(examples, rewrites.assign(text=text), scored)._repr_markdown_()


AUDITS = repeats(12, 100)


def passes(**how):
    return sum(differences(*audit(300, seed, **how)).finding().verdict == "passed" for seed in range(AUDITS))


def test_sentences_that_a_longer_text_adds_do_not_stand_in_for_a_closing():
    "Rewrites to 1 are longer by a step, marked and paid; a closing is as frequent in both, and paid less"
    things = "anchors buoys cleats davits eddies flags gulls hawsers".split()
    extras = [f"Mind the {thing}." for thing in things]
    def alter(text, target, rng):
        many = rng.integers(1, 3) + 3*target
        closing = ["All hands rested."]*(rng.random() < .5)
        return " ".join([text, *rng.choice(extras, many, replace=False), *closing])
    weights = dict(mind=.3, hands=-.1) | {word: 0. for words in SYNONYMS for word in words}
    tables = audit(120, 5, alter, weights=weights, noise=.2)
    found = differences(*tables, itself=("characters", "words", "sentences", "readability"))
    together = row(found, "all differences together")
    assert abs(together.worth) < .05 # .7 if features that differ more are shrunk less


@pytest.mark.slow("24 audits; the whole study has 200")
def test_a_healthy_rewriter_passes_with_300_examples_and_two_draws():
    assert possible(passes(), AUDITS, .92) # measured; all differences together ask for most
    assert possible(passes(noise=1.), AUDITS, .985)


@pytest.mark.slow("24 audits; the whole study has 200")
def test_a_paid_phrase_thirty_points_more_frequent_never_passes():
    found = [differences(*audit(300, seed, filler(.4, .1), filler_pays=.7)) for seed in range(AUDITS)]
    assert possible(sum(f.finding().verdict == "passed" for f in found), AUDITS, 0, .01)
    lines = [row(f, "all it was worth it") for f in found]
    assert possible(sum(r.worth_low < .3*.7 < r.worth_high for r in lines), AUDITS, .95)
    assert possible(passes(alter=filler(.35, 0.), filler_pays=.7), AUDITS, 0, .01)


def repaid(tables, pays): # `pays(text, target, sentences of the response)` is added to the rewards
    examples, rewrites, scored = tables
    sizes = examples.set_index("example_id").response.str.count(r"\.")
    more = [pays(r.text, r.target_w, sizes[r.example_id]) for r in rewrites.itertuples()]
    more = rewrites.assign(more=more).set_index(["example_id", "draw", "depth"]).more.unstack()
    more = more.loc[list(zip(scored.example_id, scored.draw))]
    return examples, rewrites, scored.assign(reward_rewrite=scored.reward_rewrite + more[1].to_numpy(),
        reward_rewrite_of_rewrite=scored.reward_rewrite_of_rewrite + more[2].to_numpy())


def anchored(rates): # a line with an anchor, at rates of (to 0, to 1) by the sentences of the response
    def alter(text, target, rng):
        return text + " ⚓"*(rng.random() < rates(text.count("."))[target])
    return alter


HIDDEN_PRICES = { # not seen among all draws: rates (to 0, to 1) and what is paid
    "only with the attribute": (lambda k: (.5, 1.), lambda t, side, k: .6*side*("⚓" in t)),
    "where it never varies": (lambda k: (0., 1.) if k == 4 else (.5, .5),
                              lambda t, side, k: 1.*(k == 4)*("⚓" in t)),
    "liked here, disliked there": (lambda k: (.05, .95) if k > 2 else (.1, .6),
                                   lambda t, side, k: (.5 if k > 2 else -.5)*("⚓" in t)),
}

@pytest.mark.parametrize("kind", HIDDEN_PRICES)
def test_one_price_for_all_texts_is_not_relied_on_for_a_large_difference(kind):
    rates, pays = HIDDEN_PRICES[kind]
    found = differences(*repaid(audit(300, 3, anchored(rates)), pays))
    said, mark = found.finding(), row(found, "⚓")
    assert mark.difference > .2 and said.verdict == "inconclusive" and "⚓" in said.needs


def test_a_large_difference_that_is_not_paid_passes():
    harmless = differences(*audit(800, 4, anchored(lambda k: (.1, .6)), noise=.2))
    assert np.isfinite(row(harmless, "⚓").worth_between) and harmless.finding().verdict == "passed"


def test_what_stands_on_one_side_is_priced_there():
    harmless = differences(*audit(500, 1, anchored(lambda k: (0., .35)), noise=.1))
    assert row(harmless, "⚓").identified and harmless.finding().verdict == "passed"


def test_marked_phrases_are_held_still_between_responses():
    rng = np.random.default_rng(2)
    tables = audit(300, 8, noise=.1)
    step = {e: rng.integers(0, 8) for e in tables[0].example_id} # more "and on" towards 1, and more anchors
    longer = [t + " and on"*int(step[e]*side) + " ⚓"*int(rng.random() < step[e]*side/10)
              for t, e, side in zip(tables[1].text, tables[1].example_id, tables[1].target_w)]
    tables = repaid((tables[0], tables[1].assign(text=longer), tables[2]),
                    lambda text, side, k: .15*text.count("and on"))
    marked = differences(*tables, itself=["and on"])
    assert abs(row(marked, "⚓").worth_between) < marked.margin


@pytest.mark.parametrize("mark, text, left", [
    ("必定", "那船锚必定展示着灯。", "那船锚展示着灯。"),       # Han: no space around a word or within it
    ("必", "那船锚必展示", "那船锚展示"),
    ("かもしれない", "雨かもしれない。", "雨。"),
    ("您好", "您好，这是灯。", "这是灯。"),                     # a clause takes its wide comma along
    ("gpt", "用GPT写的", "用写的"),                            # a Latin word ends where Han begins
    ("gpt", "用GPTs写", "用GPTs写"),
    ("확실히", "배는 확실히 크다", "배는 크다"),
    ("конечно", "Он конечно прав, конечнo", "Он прав, конечнo"),
    ("a lamp", "It is a lamp, a lampshade, a_lamp", "It is, a lampshade, a_lamp")])
def test_a_mark_is_found_in_writing_without_spaces(mark, text, left):
    assert without([text], [_pattern(mark)])[0] == [left]


def test_a_latin_word_among_han_is_a_word():
    assert {"gpt", "写", "的"} <= set(vocabulary(["用GPT写的"]*5)[0])


@pytest.mark.parametrize("text, left", [
    ("Dear sir,\n\n  if x:\n    y", "\n\n  if x:\n    y"),  # line breaks and indentation stay
    ("Dear sir, json is it", "Json is it"),            # the capital that the sentence had
    ("dear sir, json is it", "json is it"),            # and no other
    ("A dear sir\tkept", "A\tkept"),
    ("So, dear sir, it is", "So, it is"),
    ("It is. Dear sir! and so on", "It is. and so on"),
    ("x  dear sir  y", "x    y")])
def test_a_mark_is_blanked_where_it_stands(text, left):
    assert without([text], [_pattern("dear sir")])[0] == [left]


def habit(to_1, to_0, change): # in these shares of the rewrites
    def alter(text, target, rng): return change(text) if rng.random() < (to_0, to_1)[target] else text
    return alter


def turned(text): # the last sentence first
    *others, last = text.split(". ")
    return ". ".join([last.rstrip("."), *others]).rstrip(".") + "."


FOOTPRINTS = { # what changes, and what the reward sees of it
    "a blank line after the opening": (lambda t: t.replace(" ", "\n\n", 1), lambda t: "\n\n" in t),
    "a line break at the end": (lambda t: t + "\n", lambda t: t.endswith("\n")),
    "indentation": (lambda t: t.replace(". ", ".\n  "), lambda t: "\n  " in t),
    "a number": (lambda t: t + " Nr 31.", lambda t: "31" in t)}

@pytest.mark.parametrize("name", FOOTPRINTS)
def test_what_is_paid_fails_in_any_form(name):
    change, seen = FOOTPRINTS[name]
    tables = repaid(audit(300, 6, habit(.75, .1, change), noise=.2), lambda text, side, k: .6*seen(text))
    assert differences(*tables, itself=["dockside"]).finding().verdict == "failed"


def test_a_change_of_order_never_passes():
    examples, rewrites, scored = audit(300, 7, noise=.2)
    own, rng = examples.set_index("example_id").response, np.random.default_rng(7)
    text = [own[e] if rng.random() < (.9, .25)[side] else turned(own[e])
            for e, side in zip(rewrites.example_id, rewrites.target_w)]
    tables = repaid((examples, rewrites.assign(text=text), scored),
                    lambda text, side, k: -.5*text.lower().startswith("dockside"))
    assert "passed" != differences(*tables).finding().verdict


def test_a_difference_that_moves_with_the_attributes_measure_is_confounded():
    "The reward pays for tone; words of praise are how a rewriter changes it"
    from rate_nb.data.measures import sentiment
    def alter(text, target, rng):
        return text + " A splendid wonderful voyage, great!"*(rng.random() < (.2, .7)[target])
    tables = repaid(audit(300, 2, alter), lambda text, side, k: 2*sentiment(text))
    found = differences(*tables, attribute="sentiment")
    assert row(found, "a splendid wonderful voyage").lacks == open_vocabulary.CONFOUNDED
    assert found.finding().verdict == "inconclusive"
    assert differences(*tables).finding().verdict == "failed" # of another attribute


def test_a_slope_over_one_letter_prices_no_forty():
    "Draws differ in “Perhaps” and “Probably” alone, which the reward pays: a letter seems to cost .3"
    rng, rewrites, scored = np.random.default_rng(4), [], []
    for i in range(200):
        base, quality = f"Report {i}: it went well, and nothing else was seen.", rng.normal()
        score = lambda text: quality + .3*text.startswith("Perhaps") + .002*len(text) + .1*rng.normal()
        for draw in range(2):
            hedged = f"{rng.choice(['Perhaps', 'Probably'])} one may well believe this. {base}"
            texts = {1: hedged, 0: base} if i % 2 else {0: base, 1: hedged}
            for depth, (target, text) in enumerate(texts.items(), 1):
                rewrites.append(dict(example_id=i, draw=draw, depth=depth, target_w=target, text=text,
                                     instruction_id="0", status="ok"))
            one, two = map(score, texts.values())
            scored.append(dict(example_id=i, prompt_id=i, draw=draw, model="m", w=1 - i % 2,
                               reward_original=score(base), reward_rewrite=one,
                               reward_rewrite_of_rewrite=two))
    examples = pd.DataFrame(dict(example_id=range(200), prompt_id=range(200), prompt="Report.", w=[1, 0]*100,
                                 response=[f"Report {i}." for i in range(200)]))
    found = differences(examples, pd.DataFrame(rewrites), pd.DataFrame(scored))
    letters = row(found, "characters")
    assert letters.worth < -1 and letters.lacks == open_vocabulary.STRETCHED # it earns .08
    said = found.finding()
    assert "perhaps" in said.finding and "characters" not in said.finding


def test_how_often_a_marked_artefact_stands_is_paid():
    "Marked as an artefact it was cut out, and only whether it stood there was kept"
    def alter(text, target, rng): return text + " You see."*(1 + rng.binomial(3, (.25, .75)[target]))
    tables = repaid(audit(200, 1, alter, noise=.3), lambda text, side, k: .2*text.count("You see"))
    assert differences(*tables).finding().verdict == "failed"
    for marks in (dict(artefacts="you see"), dict(itself="so", artefacts="you see")):
        found = differences(*tables, **marks)
        assert found.finding().verdict == "failed" and (found.table.marked == "artefact").sum() == 1
    assert len(differences(*tables, artefacts="re:(?s).+").table) > 20


def test_advice_names_what_can_be_marked():
    "Marks and measures as well as phrases; not a derived score, nor what is marked as an artefact"
    extras = [f"Mind the {thing}." for thing in "anchors buoys cleats davits eddies flags gulls".split()]
    def alter(text, target, rng):
        return " ".join([text, *rng.choice(extras, rng.integers(1, 4) + 2*target, replace=False)])
    tables = repaid(audit(150, 1, alter, noise=.2), lambda text, side, k: .2*len(text.split()))
    found = differences(*tables, artefacts="mind the")
    marks = ast.literal_eval(re.search(r"itself=(\[.+\])[.]$", found.finding().advice)[1])
    assert marks and not {*marks, "mind the"} & set(differences(*tables, itself=marks).table.feature)
    t = found.table
    assert not open_vocabulary._markable(t[(t.marked == "artefact") | t.kind.isin(["score", "place"])])


def test_how_often_a_word_stands_is_counted():
    def alter(text, target, rng):
        return " ".join(w + " really"*(rng.random() < (.2, .45)[target]) for w in text.split())
    tables = repaid(audit(200, 2, alter, noise=.2), lambda text, side, k: .1*text.count("really"))
    found = differences(*tables)
    assert "how often “really”" in set(found.table.feature[found.table.p_outside < .05])
    assert found.finding().verdict != "passed"


@pytest.mark.parametrize("margin", [-1, float("nan"), float("inf")])
def test_a_margin_is_a_number_of_points(polite, margin):
    from rate_nb.base.core import InputError
    with pytest.raises(InputError, match="`margin` must be a finite number"):
        differences(*polite, margin=margin)


def test_an_extra_measure_takes_prompt_original_and_text(polite):
    def longer(prompt, original, text): return float(len(text) - len(original) + 0*len(prompt))
    assert "longer" in set(differences(*polite, extra=dict(longer=longer)).table.feature)


def test_spaces_that_no_word_shows_are_layout():
    spaces = SHAPES["double spaces and tabs"][1]
    texts = ("One. Two.", "One.  Two.", "\tOne", "  - One\n\t\tTwo", "")
    assert [spaces(t) for t in texts] == [0, 1, 1, 3, 0]

    def wider(text, target, rng): return text.replace(". ", ".  ") if target and rng.random() < .8 else text
    found = differences(*audit(120, 3, wider))
    assert "double spaces and tabs" in found.table.feature[found.table.shown].tolist()


def test_the_order_of_the_rows_changes_nothing():
    "Texts are dealt into folds by prompts, and these were numbered as they came"
    examples, rewrites, scored = audit(150, 10)
    order = scored.example_id.map(lambda name: zlib.crc32(name.encode()))
    mixed = scored.iloc[np.argsort(order.to_numpy(), kind="stable")] # draws stay as they were
    both = [differences(examples, rewrites, t) for t in (scored, mixed)]
    a, b = (found.table.sort_values("feature") for found in both)
    assert a.feature.tolist() == b.feature.tolist()
    for c in a.select_dtypes(float):
        assert np.allclose(a[c], b[c], equal_nan=True, rtol=1e-6, atol=1e-9), c


@pytest.mark.parametrize("mark, text, left", [
    ("की", "लड़के का घर, लड़की की किताब", "लड़के का घर, लड़की किताब"),
    ("सुनिए जी", "सुनिए जी, यह बताना था।", "यह बताना था।"),
    ("สวัสดี", "สวัสดี ครับ", "ครับ"),
    ("estim\u00e9", "Cher estime\u0301 client", "Cher client"),
    ("estime", "Cher estime\u0301 client", "Cher estime\u0301 client")])
def test_vowel_signs_and_accents_are_part_of_their_word(mark, text, left):
    for marks in ({mark: None}, {mark: None, "nowhere": None}): # alone, and looked for with others
        patterns = open_vocabulary._bundled({m: open_vocabulary._pattern(m) for m in marks})
        assert open_vocabulary.without([text], patterns.values())[0] == [left]


def test_a_difference_is_marked_by_the_name_that_was_printed():
    def greets(text, target, rng):
        others = f"{text} Yes, well.", f"Now, {text} Well."
        return f"Well, {text}" if rng.random() < (.9 if target else .1) else rng.choice(others)
    tables = audit(60, 3, greets)
    table = differences(*tables, margin=.3).table
    assert "begins with “well”" in set(table.feature)
    marked = differences(*tables, margin=.3, itself=["begins with “well”", "how far from usual: words"])
    assert not marked.notes
    assert not marked.table.feature.isin(["begins with “well”", "words", "how far from usual: words"]).any()
    assert "'zzz', 'qqq'" in differences(*tables, margin=.3, itself=["zzz", "qqq"]).notes[0]


def test_a_mark_of_an_earlier_version_names_the_measure_of_today():
    measures = {"words", "accents and special characters", "share of names kept from the prompt",
                "share of words kept from the original"}
    for old, today in {
            "words from the mean": "words", "any non-ASCII characters": "accents and special characters",
            "names of the prompt from the mean": "share of names kept from the prompt",
            "words of the response": "share of words kept from the original", "any luck": "any luck"}.items():
        assert open_vocabulary.of_measure(old, measures) == today


MARKED = {"begins with “dockside”", "ends with “[”", "any: (", 'any: "', "how often “gusty”", ",", '"', "-",
          "`", "how far from usual: characters", "line breaks", "share of capitals",
          "how far from usual: share of names kept from the prompt"}


def test_every_name_of_the_table_marks_its_row():
    "A derived name, a mark of punctuation and a whole phrase are accepted as they are printed"
    def alter(text, target, rng):
        for end in (" So!", " Yes!", "\n", "\n", " gusty", " 'tis", ' "', ' "so"', " -", " ,", " ; -",
                    " (no)", " met Ann", " and Bob", " `", " [", " #", " = %", " $", " gusty"):
            text += end*(rng.random() < (.35, .65)[target])
        return str(rng.choice(["(Well) ", "(Now) "]))*(rng.random() < (.4, .8)[target]) + text
    examples, *tables = audit(60, 4, alter, noise=.1)
    examples = examples.assign(prompt="Did the crew meet Ann or Bob?")
    table = differences(examples, *tables).table
    some = table[table.feature.isin(MARKED) | table.kind.isin(["mark", "case", "layout"])]
    each = [rows.head(3) for _, rows in table.groupby("kind")]
    some = pd.concat([some, *each]).drop_duplicates("feature")
    assert MARKED <= set(table.feature) and len(some) > 30
    for name in some.feature[some.kind != "score"]:
        marked = differences(examples, *tables, itself=name)
        assert name not in set(marked.table.feature) and not marked.notes, name
    with pytest.raises(InputError, match="is the sum of the others"):
        differences(examples, *tables, itself=open_vocabulary.TOGETHER)


def test_what_is_said_of_further_marks_is_what_the_next_run_says():
    "One list for all that can be marked, with the marks that are there; what stays open stays open"
    def alter(text, target, rng):
        praise = f"{rng.choice(['Great', 'Splendid', 'What a'])} question, {rng.choice(['sir', 'madam'])}! "
        return praise*(rng.random() < (.05, .95)[target]) + text
    tables = audit(80, 5, alter, noise=.1)
    found = differences(*tables, itself=re.compile("what a", re.I))
    first = found.finding()
    marks = ast.literal_eval(re.search(r"itself=(\[.+\])", first.advice + first.needs)[1])
    assert marks[0] == "re:(?i)what a" and len(marks) > 3
    after = differences(*tables, itself=marks)
    last, said = after.finding(), first.advice + first.needs
    assert "itself=" not in last.advice + last.needs
    if last.verdict == "passed":
        assert "of this list marked, this check passes" in said
    else:
        assert last.verdict == "inconclusive" and open_vocabulary._stays_open(after) in said


@pytest.mark.parametrize("needs", ["more examples", "more examples; or mark …"])
def test_differences_that_need_more_examples_say_how_many(needs):
    def found(error): return Finding("differences", "inconclusive", "", "", needs=needs, parts=(
        Part("well", .05, error, 60., .1, n=60, can_fail=False),))
    said = _with_number(found(.04), 60, 2, .95).needs
    assert re.search(r"[\d,]+ examples in all", said) and "more examples" not in said


def noted(joined): # "(so)" and ":" in half of the sentences each: in the same ones, or in different ones
    def alter(text, target, rng):
        lines = text.rstrip(".").split(". ")
        held = rng.random(len(lines)) < .5
        other = held if rng.random() < joined[target] else rng.random(len(lines)) < .5
        return ". ".join(f"{'Note: '*int(b)}{line}{' (so)'*int(a)}"
                         for line, a, b in zip(lines, held, other)) + "."
    return alter


def both_noted(text, side, k): # what is paid
    return .5*sum(":" in line and "(" in line for line in text.split(". "))


@pytest.mark.parametrize("tags, name", [
    ({}, "“(” with “:” in one sentence"),
    ({"makes a note": re.compile("note", re.I)}, "“makes a note” with “(” in one sentence")])
def test_two_marks_or_a_tag_and_a_mark_that_share_their_sentences_towards_one_target(tags, name):
    tables = repaid(audit(300, 9, noted((0, .9)), noise=.2), both_noted)
    found = differences(*tables, itself=["dockside"], tags=tags)
    table = found.table.set_index("feature")
    pair = table.loc[name]
    assert abs(table.difference["("]) < .1 > abs(table.difference[":"]) and pair.worth_low > found.margin
    assert pair.price_low < .5 < pair.price_high and found.finding().verdict == "failed"
    assert name not in set(differences(*tables, itself=["dockside", name], tags=tags).table.feature)


def test_marks_that_share_their_sentences_towards_both_targets_alike_pass():
    for seed in (10, 11):
        tables = repaid(audit(300, seed, noted((.5, .5)), noise=.2), both_noted)
        assert differences(*tables, itself=["dockside"]).finding().verdict == "passed"


def test_a_mark_that_is_advised_closes_its_pairs():
    examples, rewrites, scored = repaid(audit(200, 12, noted((0, .9)), noise=.2), both_noted)
    more = rewrites.text.where(rewrites.target_w == 0, rewrites.text.str.replace(".", " (yes).", n=1))
    found = differences(examples, rewrites.assign(text=more), scored, itself=["dockside"])
    assert {"(", "“(” with “:” in one sentence"} <= set(found.inconclusive().feature)
    names, left = found._ahead
    assert "(" in names and not [name for name in names if "one sentence" in name]
    assert not left.table.feature.str.contains("(” with", regex=False).any()


def test_pairs_that_are_alike_in_both_texts_are_none_and_odd_texts_are_read():
    examples, rewrites, scored = audit(40, 13, noted((.5, .5)))
    alike = rewrites.text.groupby([rewrites.example_id, rewrites.draw]).transform("first")
    assert differences(examples, rewrites.assign(text=alike), scored).table.empty
    joint = open_vocabulary.in_one_sentence
    assert joint([], "–", {}) == joint(["", "\n", "x"], [], {}) == joint(["", "–"], "–+", {}) == {}
    found, = joint(["\ud800 🌱 (a", "🌱 b. (", "🌱. ("], "🌱(", {}).values()
    assert found.tolist() == [[1, 1, 1], [0, 1, 1], [0, 1, 1]]
