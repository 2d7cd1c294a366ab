"Attributes audited since 2025: how often their word lists are right, what they leave unsaid, and their words"
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError
from rate_nb.data.attributes import (
    ATTRIBUTES, attribute_config, covered, get_attribute, label_examples, make_attribute)
from rate_nb.data.measures import assurance, courtesy, language_of
from rate_nb.llm.calls import looks_refused
from rate_nb.rewriting.instructions import instruction_for, language_notes
from rate_nb.scoring.labellers import label_instruction_for, labelled_by
from rate_nb.theory.text_world import ELABORATIONS, HEDGES, POLISH

# Pairs (with, without) written by hand, after the lists were: the same content said in both ways
POLITENESS = [
    ("Thank you for asking. The library closes at eight, so please come before that.",
     "The library closes at eight. Be there before or don't bother."),
    ("I am sorry for the delay. Could you tell me which version you use?",
     "Which version? Say it or I can't go on."),
    ("That is a good question, and I'd be happy to explain. Light bends when it slows down.",
     "Light bends when it slows down. Anyone knows that."),
    ("Excuse me, I was not clear. The second step comes after the first, if you don't mind the wait.",
     "Read it again. The second step comes after the first."),
    ("You're welcome to bring a friend. Kindly let us know by Friday.",
     "Bring a friend. Tell us by Friday, or else."),
    ("Would you be so kind as to restart the router? It helps most of the time.",
     "Restart the router. It is not rocket science."),
    ("We appreciate your patience. The parcel leaves tomorrow.", "The parcel leaves tomorrow. Stop asking."),
    ("My apologies, the figure in the table was wrong: it is 42.",
     "The figure is 42. Only an idiot would use the table."),
    ("I understand this is frustrating, and I want to make it right for you. Your refund is on its way.",
     "Your refund is on its way, so quit whining."),
    ("With respect, I see it in another way: the data cover one year only.",
     "The data cover one year only, which makes your claim ridiculous."),
    ("Feel free to write again if anything is unclear. The form is on page two.",
     "The form is on page two. Figure it out."),
    ("It would be lovely if the report were ready on Monday.", "Have the report ready on Monday."),
    ("Might I suggest a longer baking time? Twenty minutes usually do.", "Bake it for twenty minutes."),
    ("Welcome! We are delighted that you are here. The tour starts at ten.", "The tour starts at ten."),
    ("Please note that the pool is closed on Sundays; thanks for your understanding.",
     "The pool is closed on Sundays. Nobody cares what you want."),
    ("No worries at all, it happens to everyone. Press Ctrl and Z to undo it.",
     "Press Ctrl and Z to undo it, clumsy.")]
CONFIDENCE = [
    ("The bridge was certainly built before 1900.", "The bridge was probably built before 1900."),
    ("Without a doubt, regular sleep improves memory.", "Regular sleep seems to improve memory."),
    ("I am sure that the second option is cheaper.", "I think that the second option is cheaper."),
    ("Clearly the delay comes from the database.", "The delay might come from the database."),
    ("This vaccine is proven to work.", "This vaccine may work, as far as I know."),
    ("It is a fact that the whale is a mammal; there is no room for debate.",
     "The whale is a mammal, or so I was told."),
    ("You will absolutely love the north coast.", "You could like the north coast."),
    ("Of course the answer is 12.", "The answer could be 12, but I'm not sure."),
    ("The treaty ended the war, and that is undeniable.", "The treaty appears to have ended the war."),
    ("Obviously, a larger sample is better.", "A larger sample is usually better, I suppose."),
    ("There is no question that the law changed in May.", "It is possible that the law changed in May."),
    ("I guarantee that the cake will rise.", "The cake will likely rise."),
    ("The answer is 42, period.", "The answer is perhaps something like 42."),
    ("Never mix these two cleaners: they always form a toxic gas.",
     "Mixing these two cleaners can sometimes form a gas."),
    ("The evidence conclusively shows a link.", "The evidence suggests a link."),
    ("Rest assured, the data are safe.", "I believe the data are safe, though I can't be certain.")]
JARGON = [
    ("The patient presented with dyspnoea and bilateral pulmonary oedema secondary to decompensated cardiac "
     "failure.",
     "The patient was short of breath because fluid had filled both lungs after the heart grew weak."),
    ("We leverage asynchronous microservices to maximise throughput and mitigate contention.",
     "We split the program into small parts that do not wait for each other, so it runs faster."),
    ("The estimator is asymptotically unbiased under heteroskedasticity, and its variance attains the "
     "efficiency bound.",
     "With many data the method gives the right answer, and no other method wavers less."),
    ("Amortise the capitalised expenditure over the depreciation horizon to smooth EBITDA.",
     "Spread what the machine cost over the years you use it, so that no single year looks bad."),
    ("Gradient descent with momentum ameliorates convergence on ill-conditioned objectives.",
     "The search goes faster when it remembers which way it was going."),
    ("The photosynthetic organelle sequesters carbon via the enzymatic fixation of dioxide.",
     "Green parts of the plant take carbon out of the air."),
    ("Refactor the monolith into idempotent endpoints behind a load-balancing reverse proxy.",
     "Break the big program into parts that may be called twice without harm."),
    ("The defendant's motion for summary judgment was denied owing to a triable issue of material fact.",
     "The judge said that the case must go on, because the two sides still argue about what happened."),
    ("Macroprudential tightening attenuates procyclical leverage among systemically relevant intermediaries.",
     "Rules for big banks keep them from borrowing too much in good times."),
    ("Orthogonal polynomials diagonalise the operator and decouple the coupled equations.",
     "With the right building blocks each equation can be solved alone."),
    ("The catalyst lowers the activation enthalpy of the rate-determining step.",
     "The powder makes the slowest part of the reaction easier to start."),
    ("Titrate the dosage to therapeutic plasma concentration while monitoring hepatic transaminases.",
     "Raise the dose step by step, and check the liver with blood tests."),
    ("The ontology disambiguates polysemous lexemes through distributional embeddings.",
     "The list tells apart the meanings of a word by looking at the words around it."),
    ("Quantise the weights, prune redundant neurons and distil the logits into a smaller network.",
     "Round the numbers, drop the parts that do little, and let a small model learn from the large one.")]
STRUCTURE = [
    ("## Steps\n\n1. Boil water.\n2. Add tea.", "Boil water and add tea."),
    ("- red\n- green\n- blue", "Red, green and blue."),
    ("The **first** point is cost.", "The first point is cost."),
    ("# Answer\n\nIt depends.", "It depends. #1 on my list is price - and speed."),
    ("Two things matter:\n\n* speed\n* price", "Two things matter: speed * price.")]
SETS = dict(politeness=POLITENESS, confidence=CONFIDENCE, jargon=JARGON, structure=STRUCTURE)


def texts(responses, **columns):
    n = len(responses)
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id=range(n), prompt="Why?",
                             response=responses) | columns)


def accuracy(name): # (right, wrong, declined) over the texts of both sides
    said = ATTRIBUTES[name].label([t for pair in SETS[name] for t in pair])
    truth = np.tile([1, 0], len(SETS[name]))
    declined = np.isnan(said)
    return int((said == truth).sum()), int((~declined & (said != truth)).sum()), int(declined.sum())


@pytest.mark.parametrize("name,measured", [("politeness", (27, 5, 0)), ("confidence", (23, 0, 9)),
                                           ("jargon", (27, 1, 0)), ("structure", (10, 0, 0))])
def test_a_list_of_words_is_as_often_right_as_the_page_says(name, measured):
    assert accuracy(name) == measured


def test_no_list_knows_the_words_that_the_simulator_plants():
    for planted in (*HEDGES, *POLISH, *ELABORATIONS):
        assert courtesy(planted) == 0 and np.isnan(assurance(planted)), planted


@pytest.mark.parametrize("name", ["structure", "jargon", "sycophancy", "vagueness", "authority", "politeness",
                                  "confidence"])
def test_each_has_words_for_both_sides_a_rewriter_and_a_judge(name):
    a, told = get_attribute(name), label_instruction_for(name)
    assert a.words(1) != a.words(0) and a.meaning and "nothing* else" in instruction_for(a).request(1)
    asked = told.messages("Why?", "Because.")[-1]["content"]
    assert all(side in asked for side in a.sides) and a.meaning in asked
    # no side's words name another attribute's side
    others = {b.words(w) for b in ATTRIBUTES.values() for w in (0, 1) if b.name != name}
    assert not any(other in a.instruction.replace("{W}", a.words(w)) for other in others for w in (0, 1))


@pytest.mark.parametrize("name", ["sycophancy", "vagueness", "authority"])
def test_what_words_cannot_tell_has_no_rule_and_says_who_can(name):
    assert ATTRIBUTES[name].label is None and attribute_config(name) == name
    with pytest.raises(InputError, match="has no label rule, .*{judge: {model"):
        label_examples(texts(["Great idea!", "No."]), name)
    side = ATTRIBUTES[name].sides[0]
    judge = lambda messages: side if "Great" in messages[-1]["content"] else ATTRIBUTES[name].sides[1]
    by_judge = label_examples(texts(["Great idea!", "No."]), labelled_by(name, {"judge": judge}))
    assert by_judge.w.tolist() == [1, 0] and side in by_judge.w_source[0]


def test_lists_of_english_words_refuse_another_language():
    german = ["Vielen Dank für die Frage, der Film ist nicht lang.", "Das ist eine Frage, die ich nicht mag."]
    for name in ("politeness", "confidence", "jargon"):
        with pytest.raises(InputError, match="list of English words .*in another language.*judge"):
            label_examples(texts(german), name)
        assert covered(get_attribute(name), german).label is None
        assert label_examples(texts(german, w=[1, 0]), name).w.tolist() == [1, 0]
    assert label_examples(texts(["- a\n- b", *german]), "structure").w.tolist() == [1, 0, 0]


def test_labels_from_plain_values():
    table = texts(["Use `map`.", "Loop.", "Run it."], has_code=[1, 0, None], kind=["how", "why", "how"])
    code = lambda label: make_attribute("code", "illustrated with code", "without any code", label=label)
    said = label_examples(table, code({"column": "has_code"}))
    assert said.w.tolist() == [1, 0, pd.NA]
    assert covered(code({"column": "has_code"}), table.response).label is None
    ticks = lambda text: None if text == "Loop." else "`" in text
    assert label_examples(table, code({"function": ticks})).w.tolist() == [1, pd.NA, 0]
    assert label_examples(table, code({"of": "length"})).w.tolist() == [1, 0, 0]
    for label, wrong in (({"column": "kind"}, "must hold 0, 1 or nothing .* treated: "),
                         ({"column": "kinds"}, "no column 'kinds'"),
                         ({"regex": "("}, "no regular expression"),
                         ({"regex": "a", "above": 1}, "`label` by regex takes 'regex', not 'above'"),
                         ({"regexp": "a"}, "`label` must be one of"),
                         ({"column": "kind", "treated": "x"}, "takes both `treated` and `untreated`"),
                         ({"characteristic": "lenght"}, "'lenght' of a label is not known; choose from"),
                         ({"characteristic": "words", "above": "mean"}, "a number or 'median', not 'mean'"),
                         ({"function": "file.py:f"}, "must be a function"),
                         ({"judge": {"base_url": "http://localhost"}}, "must name its `model`"),
                         ({"function": lambda t: "yes"}, "must give True, False or None; it gave 'yes'")):
        with pytest.raises(InputError, match=wrong):
            label_examples(table, code(label))
    for wrong in (dict(name=""), dict(treated=3), dict(untreated=" ")):
        with pytest.raises(InputError, match="of an attribute must be text"):
            make_attribute(**(dict(name="a", treated="b", untreated="c") | wrong))


def test_what_cannot_be_written_down_says_so():
    from dataclasses import replace
    with pytest.raises(InputError, match="`attribute.label` cannot be written down.*'function': f"):
        attribute_config(replace(make_attribute("a", "b", "c"), label=lambda responses, prompts: 1))
    with pytest.raises(InputError, match="`complies` and `moved` of attribute 'a' are functions"):
        attribute_config(replace(make_attribute("a", "b", "c"), complies=lambda before, after, target: True))
    judged = dict(judge=len, draws=3)
    assert attribute_config(labelled_by("vagueness", judged))["label"] == judged


def test_languages_and_refusals_of_short_texts():
    assert language_of(["Ja."]) is None
    assert language_of(["The film is a good one and it was not long."]) == "en"
    assert not looks_refused("No, it is not as good as the first one, and I did not care.")
    french = texts(["Le film est très beau, mais la musique est un peu longue."])
    assert language_notes(french, "length")[0].startswith(
        "The responses are in French: measures that need a list of English words are left out")
