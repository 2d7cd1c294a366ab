("Additivity: exact in finite worlds, sized and powered in the text world, and the demo transformer's own "
 "failing reported")
from dataclasses import replace
from fractions import Fraction as F
import re
import numpy as np, pandas as pd, pytest
from plain_cr2 import cr2
from sampling import possible, repeats
from test_balance import SURFACE, latent_audit
from test_differences import Journal
from rate_nb.diagnostics.off_target import (
    _biases, additivity, arm_slopes, contrast_slopes, given_slopes, memory_slopes)
from rate_nb.base.core import InputError
from rate_nb.data.attributes import Attribute
from rate_nb.data.examples import load_examples
from rate_nb.diagnostics.diagnosis import diagnose
from rate_nb.diagnostics.open_vocabulary import phrase_interactions
from rate_nb.diagnostics.verdicts import CLAIMS, VERDICTS
from rate_nb.theory.finite import FiniteWorld
from rate_nb.diagnostics.off_target import Pairs, joint_test, measure_texts, pair_up
from rate_nb.rewriting.chains import double_rewrite, FunctionRewriter
from rate_nb.scoring.reward_models import as_reward_model, CallableReward, score_texts
from rate_nb.scoring.sequence_rewards import load_reward_model
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import TextWorld, true_effects

DUMMY = [{0: 0, 1: 1, 2: 0}, {0: 0, 1: 0, 2: 1}]                                  # ξ, whole


def law(world, c): # (probability, contrast, (arms, c of the original, Δc, mean c))
    for p, x, z, (a, b, e) in world.chains():
        w, s = a[0], 2*a[0] - 1
        one, zero = (e[1], b[1]) if w else (b[1], e[1])
        yield p, s*(world.reward(x, *e[:1], z, e[1]) - world.reward(x, *b[:1], z, b[1])), (w, 1 - w,
            *(f[a[1]] for f in c), *(f[one] - f[zero] for f in c), *(F(f[one] + f[zero], 2) for f in c))


def same_w(world, c, x): # (probability, original minus rewrite of rewrite, (arms, Δc, w·Δc)) of one prompt
    for p, x_, z, (a, b, e) in world.chains():
        if x_ == x:
            d = [f[a[1]] - f[e[1]] for f in c]
            yield p, world.reward(x, *a[:1], z, a[1]) - world.reward(x, *e[:1], z, e[1]), (a[0], 1 - a[0], *d,
                *(a[0]*v for v in d))


def test_interaction_is_read_exactly_and_its_bias_follows():
    for seed in range(3):
        lam = [int(v) for v in np.random.default_rng([seed, 6]).integers(1, 6, 2)]
        world = FiniteWorld.random(seed, interaction=lambda x, w, z,
                                   k: w*sum(a*f[k] for a, f in zip(lam, DUMMY)),
                             strength=F(1))
        world = replace(world, reward_xi=lambda x, k: sum(f[k]*v for f, v in zip(DUMMY, (3, -2))))
        assert FiniteWorld.least_squares(list(law(world,
                                                  DUMMY)))[6:] == lam == FiniteWorld.least_squares(
                                                      list(same_w(world, DUMMY, 0)))[4:]
        for e, arms in (("ATT", (1,)), ("ATU", (0,)), ("ATE", (0, 1))):
            inside = [(p, u) for u, p in world.population.items() if u[1] in arms]
            share = sum(p for p, _ in inside)
            shift = [world.rewrite(0, 0, 1, 1)[k] - sum(p*f[u[3]] for p, u in inside)/share
                     for k, f in ((1, DUMMY[0]), (2, DUMMY[1]))]
            assert world.bias("rate", e) == sum(a*s for a, s in zip(lam, shift))


def p_values(pairs, given=("film",)): # the five tests and the bias, as `additivity` runs them
    found = contrast_slopes(pairs, given), memory_slopes(pairs, given)
    lam, own, (apart, psi_apart, df_apart) = found[0][:3], arm_slopes(pairs, given), found[0][3:]
    tests = [lam, own, found[1][:3], given_slopes(pairs, given), found[1][3:],
             (np.array([apart]), psi_apart[:, None], np.array([df_apart]))]
    some = [np.isfinite(v) for v, _, _ in tests]
    joint = [joint_test(v[k], p[:, k], d[k].min())["p_value"] for (v, p, d), k in zip(tests, some)]
    bias = _biases(pairs, *(np.where(some[0], a, b) for a, b in zip(lam, own)), .95)["ATE"]
    return [*joint, bias.p_value()], bias


NAMES = ("interaction", "interaction, originals", "memory", "given", "dependence", "arms", "bias")


@pytest.mark.slow("120 audits of 1,000 texts; the whole study has 2,000")
def test_size_is_five_percent():
    "With an error of its own on every reward, as a real reward has"
    rng = np.random.default_rng(21)
    noisy = lambda W, C: rng.normal(0, .3, len(W))
    p = np.array([p_values(latent_audit(1000, rng, extra=noisy)[0])[0] for _ in range(repeats(120, 2000))])
    alarms = (p < .05).sum(0)
    assert possible(alarms, len(p), .045, .055), dict(zip(NAMES, alarms))


AUDITS = 20

def test_power_at_planted_violations():
    rng = np.random.default_rng(22)
    at = {n: i for i, n in enumerate(NAMES)}
    noise = lambda W: rng.normal(0, .3, len(W))
    mixed = [p_values(latent_audit(1000, rng, extra=lambda W, C: .3*W*C[:, 4] + noise(W))[0])
             for _ in range(AUDITS)]
    p = np.array([m[0] for m in mixed])
    assert ((p[:, at["interaction"]] < .05).mean() > .9
            and (p[:, at["interaction, originals"]] < .05).mean() > .9)
    shift = np.mean([m[1].estimate for m in mixed])
    assert abs(shift - .3*(.7 - .2)) < .02*2**.5 # λ times how far rewriting moved closings
    typos = np.array([p_values(latent_audit(1000, rng, extra=lambda W, C: .2*W*C[:, 0] + noise(W))[0])[0]
                      for _ in range(AUDITS)])
    # rewrites hold no typos: only the second route can see
    assert ((typos[:, at["interaction, originals"]] < .05).mean() > .9
            and (typos[:, at["bias"]] < .05).mean() > .9)
    sticky = np.array([p_values(latent_audit(1000, rng, keeps=.2)[0])[0] for _ in range(AUDITS)])
    assert (sticky[:, at["memory"]] < .05).mean() > .9


def test_repeated_draws_settle_what_one_draw_confounds():
    ("A rewriter that closes politely where sentiment counts more looks like an interaction; two draws of "
     "each text say it is none")
    rng = np.random.default_rng(23)
    out = {1: [], 2: []}
    for draws in out:
        for _ in range(40):
            pairs, _ = latent_audit(600, rng, draws=draws)
            film = pairs.rows.film.to_numpy()
            C = pairs.C.copy()
            C[:, 1:, 4] = rng.random((len(film), 2)) < np.where(film, .9, .3)[:, None]
            # the taste's own price of a closing
            R = pairs.R + .2*(C[:, :, 4] - pairs.C[:, :, 4]) + rng.normal(0, .3, pairs.R.shape)
            lam, psi, *_ = contrast_slopes(replace(pairs, C=C, R=R))
            some = np.isfinite(lam)
            out[draws].append(joint_test(lam[some], psi[:, some])["p_value"] < .05)
    assert np.mean(out[1]) > .9 and np.mean(out[2]) < .2


@pytest.fixture(scope="module")
def audit():
    world = TextWorld()
    texts = world.examples(200, np.random.default_rng(4))
    made = double_rewrite(texts, "sentiment", world.rewriter)
    return world, texts, made, to_scored(texts, made,
                                         score_rewrites(texts, made, as_reward_model(world.reward),
                                                        progress=False))


def test_public_function_runs_the_same_tests(audit):
    world, texts, made, scored = audit
    measured = measure_texts(texts, made, SURFACE)
    found = additivity(texts, made, scored, attribute="sentiment", measured=measured, given="domain")
    p, bias = p_values(pair_up(scored, measured, SURFACE), ["domain"])
    assert dict(zip(found.joint.check, found.joint.p_value)) == pytest.approx(dict(zip(NAMES[:5], p)),
        nan_ok=True) and found.bias["ATE"].estimate == pytest.approx(bias.estimate)
    # a closed-form reward leaves nothing to chance
    said = found.finding()
    assert said.verdict == "inconclusive" and "do not show" in said.finding and "misspellings" in said.needs
    row = found.table.dropna(subset="bias").set_index("characteristic")
    assert (list(row.check["misspellings":"misspellings"]) == ["interaction, originals"]
            and row.check["bold"] == "interaction")
    assert (row.bias.sum() == pytest.approx(found.bias["ATE"].estimate)
            and "harmless alone" in found._repr_markdown_())


def test_errors_say_what_to_do(audit):
    world, texts, made, scored = audit
    few = texts.head(60)
    some = made[made.example_id.isin(few.example_id)]
    s = scored[scored.example_id.isin(few.example_id)]
    with pytest.raises(InputError, match="take more prompts. In Python"):
        additivity(few, some, s, characteristics=SURFACE)
    with pytest.raises(InputError, match="varies between texts"):
        additivity(few, some, s, characteristics=["headers"])
    with pytest.raises(InputError, match="`given` names"):
        additivity(few, some, s, characteristics=["bold"], given="topic")
    with pytest.raises(InputError, match="several models"):
        additivity(few, some, pd.concat([s, s.assign(model="other")]), characteristics=["bold"])


@pytest.mark.slow("a trained transformer scores thousands of texts")
def test_the_demo_transformer_is_measured_not_excused(demo_model, attribute="length"):
    ("Its gap from perfect counterfactuals lies within the interval of the measured interactions' bias, and "
     "is within the equivalence_margin")
    model, world, rng = load_reward_model(demo_model), TextWorld(attribute), np.random.default_rng(1)
    texts = world.examples(500, rng)
    made = double_rewrite(texts, attribute, world.rewriter)
    scored = to_scored(texts, made, score_rewrites(texts, made, model, progress=False))
    found = additivity(texts, made, scored, attribute=attribute, characteristics=SURFACE, given="domain")
    truth = true_effects(world, lambda p, r: score_texts(p, r, model), np.random.default_rng(2),
                         n=400).set_index("estimand").loc["ATE"]
    b = found.bias["ATE"]
    # it is not additive, and that shows
    assert found.joint.p_value[0] < .05
    assert abs(b.estimate - truth.additivity_gap) < 4*(b.std_error**2 + truth.gap_std_error**2)**.5, (b,
        truth.additivity_gap)
    assert found.finding().verdict != "failed" and "may move RATE by" in found.finding().finding


def shouts(text, loud): return text[:-1] + "!" if loud else text

def weather(text, loud): # equally long, no measure moves
    return ("Come rain, " if loud else "Come snow, ") + text[0].lower() + text[1:]


def exclaiming(n, rng, lam, people=.25, rewriter=.7, say=shouts, first=("dockside", "dockside")):
    "Originals `say` it at .25, rewrites at .7; it pays `lam` where w is 1; the first word is the attribute"
    rng = np.random.default_rng(rng)
    journal = Journal(rng)
    def made(plan, share, side):
        loud = rng.random() < share
        return say(journal.text(plan, first[side]), loud), loud
    labels, plans = rng.integers(0, 2, n), [journal.plan() for _ in range(n)]
    own, rewrites, scored = [made(p, people, w) for p, w in zip(plans, labels)], [], []
    examples = pd.DataFrame(dict(example_id=[f"r{i}" for i in range(n)],
                                 prompt_id=[f"q{i//2}" for i in range(n)],
                                 prompt="Report.", response=[text for text, _ in own], w=labels))
    for i, w in enumerate(labels):
        quality = rng.normal(0, .8)
        def score(text, loud, side):
            return quality + .5*side + lam*side*loud + journal.reward(text) + .4*rng.normal()
        for draw in (0, 1):
            row = dict(example_id=f"r{i}", prompt_id=f"q{i//2}", draw=draw, model="reward", w=w,
                       reward_original=score(*own[i], w))
            for depth, target, slot in ((1, 1 - w, "reward_rewrite"), (2, w, "reward_rewrite_of_rewrite")):
                text, loud = made(plans[i], rewriter, target)
                rewrites.append(dict(example_id=f"r{i}", draw=draw, depth=depth, target_w=target,
                                     instruction_id="0", text=text, status="ok"))
                row[slot] = score(text, loud, target)
            scored.append(row)
    return examples, pd.DataFrame(rewrites), pd.DataFrame(scored)


# ---- words and phrases that no measure counts --------------------------------------------------------------

def phrases(n, rng, itself=(), **options):
    tables = exclaiming(n, rng, say=weather, **options)
    return {p.name: p for p in phrase_interactions(*tables, itself=itself)}


def test_an_interaction_with_a_phrase_that_no_measure_counts_is_seen():
    tables = exclaiming(160, 0, lam=1.2, people=.9, rewriter=.2, say=weather)
    voyage = Attribute("voyage", "a", "b", "Say {W}.", label=lambda texts, _: np.ones(len(texts)))
    found = diagnose(*tables, voyage)
    check = next(f for f in found.findings["reward"] if f.check == "additivity")
    part = next(p for p in check.parts if p.name == "come rain, ATT")
    assert abs(part.estimate + .7*1.2) < 4*part.std_error and part.p_inside > .99 and not part.can_fail
    assert check.verdict == "inconclusive" and "come rain" in check.finding
    assert found.verdict(claim=CLAIMS[1]) != VERDICTS[0]
    # it is nothing to the other claim: the rewriter says it as often towards both targets
    assert next(f for f in found.findings["reward"] if f.check == "differences").verdict == "passed"


def test_marked_words_do_not_reach_additivity():
    "Originals have the attribute's word in one arm, rewrites to one target"
    options = dict(lam=0., people=.5, rewriter=.5, first=("gangway", "lighthouse"))
    assert any("gangway" in name or "lighthouse" in name for name in phrases(100, 3, **options))
    marked = phrases(100, 3, itself=("gangway", "lighthouse"), **options)
    assert not any("gangway" in name or "lighthouse" in name for name in marked)


def few_decide(rng, prompts=24, each=5): # `Pairs` of two measures; the second differs in four prompts alone
    codes = np.repeat(np.arange(prompts), each)
    n, w = len(codes), rng.integers(0, 2, prompts*each).astype(float)
    C = rng.normal(size=(n, 3, 2))
    C[codes >= 4, :, 1] = 0
    gain = 1 + .7*rng.normal(size=n) + .7*rng.normal(size=prompts)[codes] # no interaction with either
    R = np.c_[rng.normal(size=n), np.zeros(n), (2*w - 1)*gain]
    return Pairs(("one", "few"), R, C, w, codes, pd.Index(range(prompts)), np.arange(n),
                 pd.DataFrame(dict(example_id=np.arange(n))))


def test_slopes_have_the_degrees_of_freedom_of_the_plain_matrices():
    pairs = few_decide(np.random.default_rng(0))
    lam, psi, df, _, _, df_apart = contrast_slopes(pairs)
    one, zero = pairs.at
    m = (one + zero)/2
    X = np.c_[pairs.w == 1, pairs.w == 0, pairs.C[:, 0] - pairs.C[:, 0].mean(0), one - zero, m - m.mean(0)]
    independent = lambda independent, alike: independent # the working model of the checks' slopes
    value, V, plain = cr2(X, pairs.contrast, pairs.codes, np.eye(8)[6:], independent)
    assert np.allclose(lam, value) and np.allclose(psi.T @ psi, V) and np.allclose(df, plain)
    assert df[1] < 3 < 10 < df[0] and 0 < df_apart < 24


# ---- named measures --------------------------------------------------------------------------------------

@pytest.mark.slow("15 audits of 300 responses; the whole study has 100")
def test_a_measured_style_that_interacts_hardly_ever_passes():
    found = [additivity(*exclaiming(300, seed, lam=.5)).finding() # 45% of the effect
             for seed in range(repeats(15, 100))]
    passed = sum(f.verdict == "passed" for f in found)
    assert possible(passed, len(found), 0, .05) and found[0].claim == "originals' style"


def test_a_small_audit_says_how_large_it_must_be():
    few = additivity(*exclaiming(120, 3, lam=0.), characteristics=["exclamations", "words"]).finding()
    assert few.verdict == "inconclusive" and "examples of this design would decide" in few.needs


@pytest.mark.slow("8 audits of 1,600 responses; the whole study has 20")
def test_an_audit_of_some_size_decides_what_is_in_range():
    found = [additivity(*exclaiming(1600, seed, lam=0.), characteristics=["exclamations", "words"]).finding()
             for seed in range(repeats(8, 20))]
    assert sum(f.verdict == "passed" for f in found) >= .8*len(found)


# ---- what a measure stands for ---------------------------------------------------------------------------

PARCEL = ("the parcel left our depot on monday and a courier will bring it to you please keep the number at "
          "hand we looked into your account and found that the second invoice was sent twice this has been "
          "corrected you may return the item within thirty days using the label in the box").split()
SORRY = ("I'm sorry about that.", "We apologize for the trouble this has caused.", "Sorry!",
         "My apologies for the inconvenience.", "I am so sorry that this happened to you.")
THUMB = "\N{THUMBS UP SIGN}"
STYLES = "", f" {THUMB}", f" {THUMB} {THUMB}", " Thank you for your patience!", " certainly"

def is_sorry(text): return "sorry" in text.lower() or "apolog" in text.lower()

APOLOGY = Attribute("apology", "with an apology", "without an apology", "Rewrite this answer {W}.",
                    label=lambda texts, prompts: [is_sorry(t) for t in texts])

def help_desk(seed, n=600):
    """Answers with or without an apology; their reward is a sum of words, thumbs and apology. The rewriter
    forgets what style an answer had; its apology is the longer, the longer the answer is"""
    rng = np.random.default_rng(seed)
    def said():
        starts, sizes = rng.integers(0, 30, 5), rng.integers(6, 14, rng.integers(3, 6))
        told = [" ".join(PARCEL[a:a + k]).capitalize() + "." for a, k in zip(starts, sizes)]
        return " ".join(told + [THUMB]*int(rng.integers(1, 4)*(rng.random() < .4)))
    def rewrite(prompt, response, target):
        for style in STYLES:
            response = response.replace(style, "")
        plain = [s for s in re.split(r"(?<=[.!])\s+", response) if not is_sorry(s)]
        text = " ".join(plain) + rng.choice(STYLES)
        return f"{SORRY[min(len(text.split())//14, 4)]} {text}" if target else text
    own = [said() for _ in range(n)]
    texts = load_examples(pd.DataFrame(dict(
        prompt=[f"Where is order {i}?" for i in range(n)], w=[i % 2 for i in range(n)],
        response=[f"{rng.choice(SORRY)} {t}" if i % 2 else t for i, t in enumerate(own)])))
    return texts, double_rewrite(texts, APOLOGY, FunctionRewriter(rewrite, "desk"), draws=2)


@pytest.mark.slow("4 audits of 600 responses; the whole study has 20")
def test_a_measure_that_holds_the_attributes_own_words_never_fails_an_additive_reward():
    clear = []
    for seed in range(repeats(4, 20)):
        texts, made = help_desk(seed)
        reward = CallableReward("words", lambda prompts, responses: [
            len(r.split())/15 + .8*is_sorry(r) - .25*r.count(THUMB) for r in responses], key="1")
        scored = to_scored(texts, made, score_rewrites(texts, made, reward, progress=False))
        found = additivity(texts, made, scored)
        assert found.finding().verdict == "inconclusive"
        clear += [replace(p, can_fail=True).p_outside < .05 for p in found.parts if p.name in ("ATT", "ATU")]
    assert any(clear) # the slopes alone would have failed it
