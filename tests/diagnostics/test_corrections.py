"A correction takes out what was audited, says what it changed, and repeats what the checks found"
import numpy as np, pandas as pd, pytest
from rate_nb.audit import Audit, Design
from rate_nb.base.core import InputError
from rate_nb.calibration import RCLWR
from rate_nb.data.attributes import make_attribute

WORDS = np.array("tide harbour gull salt rope mast".split())
OPENING = "What a brilliant thing to ask! "


def flatters(prompts, responses): return [float(r.startswith(OPENING)) for r in responses]

COURTSHIP = make_attribute("courtship", "flattering", "matter-of-fact",
                           label=lambda responses, prompts: flatters(prompts, responses))


def chats(n=160, seed=1): # the longer an answer, the likelier it flatters
    rng = np.random.default_rng(seed)
    size = rng.integers(10, 60, n)
    w = (rng.random(n) < np.where(size > 35, .85, .15)).astype(int)
    return pd.DataFrame(dict(
        example_id=[f"c{i}" for i in range(n)], prompt_id=[f"p{i//2}" for i in range(n)],
        prompt=[f"Question {i//2}" for i in range(n)], w=w,
        response=[OPENING*k + " ".join(rng.choice(WORDS, s)) for k, s in zip(w, size)]))


def turned(prompt, text, target): return OPENING*target + text.removeprefix(OPENING)


def audit(folder, rewriter=turned, reward=flatters, **more):
    return Audit(chats(), COURTSHIP, rewriter, reward, folder, design=Design(check=0), **more)


def test_an_audit_of_flattery_takes_out_flattery(tmp_path):
    "Length goes with the reward here, and is worth nothing: it must keep its worth"
    a = audit(tmp_path)
    done = a.calibrate()
    own = a.tables.rewards.query("depth == 0")
    assert done.taken_out == "courtship" and abs(done.get("rate", "ATE").estimate) < 1e-9
    assert done.before.get("rate", "ATE").estimate == pytest.approx(1)
    assert done.table.look.tolist() == ["", "nearly gone", "", ""] # nothing but flattery was paid
    fixed = done.scored.reward_original.to_numpy(float)
    assert len(own) == len(fixed) and np.ptp(fixed) < .02 # nothing else was paid; folds differ a little
    assert "courtship" in done._repr_markdown_() and "correlation with length" in done._repr_markdown_()


def test_a_curve_needs_a_count_to_be_drawn_through(tmp_path):
    with pytest.raises(InputError, match="'courtship' is labelled, not counted.*characteristic='length'"):
        audit(tmp_path).calibrate(RCLWR())


def test_a_correction_that_turns_the_reward_against_length_says_so_first(tmp_path):
    "Taking out twice what length earns: the correlation with length grows in size, with the other sign"
    wordy = lambda prompts, responses: [len(r)/100 for r in responses]
    a = Audit(chats(), "length", lambda p, t, w: t + t if w else t[:len(t)//2], wordy, tmp_path,
              design=Design(check=0))
    done = a.calibrate(RCLWR(gamma=2.5))
    looks = done.table.set_index("quantity").look
    row = done.table.set_index("quantity").loc["correlation with length"]
    assert row.before > .99 and row.after < -.9 and looks["correlation with length"] == "turned round"
    assert looks["effect"] == "worse" and done.notes[0].startswith("Worse: effect")
    assert "worse" not in set(a.calibrate().table.look)


def test_an_audit_that_is_inconclusive_makes_a_correction_that_is(tmp_path):
    "The rewriter adds bold type where it flatters, and bold type is what is paid"
    bold = lambda p, t, w: turned(p, t.replace("**", ""), w).replace("tide", "**tide**" if w else "tide")
    paid = lambda prompts, responses: [r.count("**") for r in responses]
    done = audit(tmp_path, bold, paid).calibrate()
    assert "inconclusive, and so is its correction" in done.notes[-1]


def test_nothing_is_taken_out_where_nothing_was_measured(tmp_path):
    idle = audit(tmp_path, lambda prompt, text, target: text)
    with pytest.raises(InputError, match="there is no effect on the reward of .* to take out"):
        idle.calibrate()


def test_the_first_screen_says_how_much_of_it_is_length(tmp_path):
    "The opening makes every flattering version longer, so the two cannot be told apart"
    a = audit(tmp_path/"a")
    a.effects(), a.diagnose()
    shown = a._repr_markdown_()
    assert "merely length cannot be told apart here" in shown and "100% of pairs" in shown
    rng = np.random.default_rng(3)
    def reworded(prompt, text, target):
        body = text.removeprefix(OPENING).split()
        size = max(len(body) + int(rng.integers(-15, 16)), 3)
        return OPENING*target + " ".join((body*size)[:size])
    both = lambda prompts, responses: [float(r.startswith(OPENING)) + len(r)/50 for r in responses]
    b = Audit(chats(), COURTSHIP, reworded, both, tmp_path/"b", design=Design(check=0))
    b.effects(), b.diagnose()
    left = b.diagnose().results["beyond length", b.models[0].name]
    assert left.effect.estimate == pytest.approx(1, abs=1e-6) and left.total > 1.3
    page = b.report().read_text(encoding="utf-8")
    assert "etween versions of equal length" in page


def test_a_misspelt_characteristic_is_named_and_no_regression_advised(tmp_path):
    with pytest.raises(InputError, match="'lenght' is neither a count") as error:
        audit(tmp_path).calibrate(characteristic="lenght")
    assert "RCLWR" not in str(error.value)


def test_several_rewards_are_corrected_one_by_one(tmp_path):
    "One without a reward of any rewrite is left as it is, and that is said"
    from rate_nb.scoring import CallableReward
    texts = set(chats().response)
    only = lambda prompts, responses: [len(r)/100 if r in texts else np.nan for r in responses]
    models = [CallableReward("only originals", only, key="1"),
              CallableReward("flatterable", flatters, key="1")]
    reworded = lambda prompt, text, target: turned(prompt, text, target) + " indeed"
    done = audit(tmp_path, reworded, models).calibrate()
    assert abs(done.get("rate", "ATE", "flatterable, causal calibration").estimate) < 1e-9
    assert any("only originals is not corrected for courtship: no rewrite has" in n for n in done.notes)


def test_texts_without_a_label_lose_their_reward_and_are_counted(tmp_path):
    some = make_attribute("courtship", "flattering", "matter-of-fact", label=lambda responses, prompts: [
        np.nan if r.count("mast") > 6 else float(r.startswith(OPENING)) for r in responses])
    a = Audit(chats(), some, turned, flatters, tmp_path, design=Design(check=0))
    done = a.calibrate()
    assert abs(done.get("rate", "ATE").estimate) < 1e-9
    assert any("have no value of courtship; their rewards are left out" in n for n in done.notes)


def test_rewrites_that_do_not_change_a_count_are_refused_in_words(tmp_path):
    "Headings, counted: the rewriter changes the words and no heading; and no regression comes in its place"
    structured = make_attribute("headings", "with headings", "without", label=dict(
        characteristic="headers"))
    texts = chats()
    texts["response"] = ["# T\n"*int(k) + r for k, r in zip(np.arange(160) % 4, texts.response)]
    a = Audit(texts, structured, lambda p, t, w: t.replace("tide", "rope" if w else "gull"),
              lambda p, r: [t.count("#") + len(t)/100 for t in r], tmp_path,
              design=Design(check=0, keep_going=True))
    with pytest.raises(InputError, match="not corrected for headers: .*hardly move.*calibrator=RCLWR()"):
        a.calibrate()


def test_the_label_of_a_threshold_is_what_is_taken_out(tmp_path):
    "Polite or not, by a cut: the reward pays for being polite, not for each polite word"
    polite = lambda prompts, responses: [float("please" in r) for r in responses]
    rude = chats().assign(response=lambda t: ["please "*(1 + i % 3)*w + r.removeprefix(OPENING) for i, (w, r)
                                              in enumerate(zip(t.w, t.response))])
    def rewrite(prompt, text, target): return "please "*3*target + text.replace("please ", "")
    done = Audit(rude, "politeness", rewrite, polite, tmp_path, design=Design(check=0)).calibrate()
    fixed = done.scored.reward_original.to_numpy(float)
    assert done.taken_out == "politeness" and np.ptp(fixed) < .05
