("Off-target balance and its tipping point: exact in finite worlds, sized and powered in the text world, "
 "drawn and worded")
from dataclasses import replace
from fractions import Fraction as F
import numpy as np, pandas as pd, pytest
from rate_nb.diagnostics.covariate_balance import balance, tipping_point
from rate_nb.base.core import InputError
from rate_nb.theory.text_world import MOST_BREAKS, MOST_TYPOS, rewrite, REWRITER
from rate_nb.theory.finite import FiniteWorld
from rate_nb.stats.inference import cluster_sums
from rate_nb.theory.finite import FiniteWorld
from rate_nb.data.measures import COUNTS
from rate_nb.diagnostics.off_target import joint_test, pair_up, Pairs, coefficients
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.reward_models import as_reward_model
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import Taste, TextWorld, XI

# the measures of XI, in its order
SURFACE = ("misspellings", "tags", "hedges", "bold", "closing_phrases")
TOPS = np.array([MOST_TYPOS, MOST_BREAKS, 1, 1, 1])


def taste_of(positive, long, film, xi, t=Taste()):
    "`Taste` on latents: the same number that it reads off the rendered text"
    f = np.where(film, .5, -.5)
    return (t.sentiment + f*t.film_sentiment)*positive + (t.length
                                                          + f*t.film_length)*long + xi @ np.array([getattr(t,
                                                              n) for n in XI])


def latent_audit(n, rng, styles=(REWRITER, REWRITER), extra=None, keeps=0., taste=Taste(), misses=0.,
                 draws=1):
    ("A sentiment audit of `TextWorld` with two responses a prompt, without its texts: `Pairs`, and who had "
     "the attribute")
    world = TextWorld()
    c, people = world.confounding, world.people
    film = np.repeat(rng.random(n//2) < .5, 2)
    w = (rng.random(n) < .5 + .2*c*np.where(film, 1, -1)).astype(int)
    lean = c*(2*w - 1)
    long = (rng.random(n) < .5 + .3*lean).astype(int)
    chance = np.stack([p + s*lean*min(p, 1 - p)*k for p, s,
                       k in ((people.typos, -1, .6), (people.breaks, -1, .6), (people.hedge, 1, .5),
                             (people.bold, 1, .5), (people.polish, 1, .5))], axis=1)
    law = np.array([[getattr(s, name) for name in XI] for s in styles])             # by target
    if draws > 1:
        film, w, long, chance = (np.repeat(v, draws, axis=0) for v in (film, w, long, chance))
    own = rng.binomial(TOPS, chance[::draws]).repeat(draws, axis=0)
    draw = lambda target, old: np.where(rng.random(len(w))[:, None] < keeps, old,
                                        rng.binomial(TOPS, law[target]))
    first = draw(1 - w, own)
    second = draw(w, first)
    w1 = np.where(rng.random(len(w)) < misses, w, 1 - w)
    w2 = np.where(rng.random(len(w)) < misses, w1, w)
    C, W = np.stack([own, first, second], axis=1).astype(float), np.stack([w, w1, w2], axis=1)
    R = np.stack([taste_of(W[:, d], long, film, C[:, d], taste)
                  + (0 if extra is None else extra(W[:, d], C[:, d])) for d in range(3)], axis=1)
    codes, example = np.repeat(np.arange(n//2), 2*draws), np.repeat(np.arange(n), draws)
    return Pairs(SURFACE, R, C, w.astype(float), codes, pd.Index(range(n//2)), example,
                 pd.DataFrame(dict(film=film))), W


def differences(pairs): # what `balance` hands to its joint test: imbalances and the influence of each prompt
    one, zero = pairs.at
    d = one - zero
    d = d[:, np.ptp(d, axis=0) > 0]
    n = len(d)
    return d.mean(0), cluster_sums(d - d.mean(0), pairs.codes)/n






def test_latents_are_the_rendered_texts():
    "The vectorised reward is Taste on rendered texts, originals and rewrites, for both attributes"
    for attribute in ("sentiment", "length"):
        world, rng = TextWorld(attribute), np.random.default_rng(3)
        texts = world.examples(150, rng)
        made = double_rewrite(texts, attribute, world.rewriter)
        for depth in (0, 1, 2):
            rows = texts.assign(text=texts.response) if not depth else texts.merge(made.loc[made.depth
                == depth, ["example_id", "text"]], on="example_id", validate="1:1")
            xi = np.stack([rows.text.map(COUNTS[m]) for m in SURFACE], axis=1)
            now = rows.w if depth != 1 else 1 - rows.w
            z = {attribute: now, world.other: rows[world.other]}
            assert np.allclose(taste_of(z["sentiment"], z["length"], rows.domain == "film", xi),
                               world.reward(rows.prompt, rows.text), atol=1e-12), (attribute, depth)


def test_balance_is_the_test_on_latents():
    "The public function's joint test is the one that the simulations run"
    world = TextWorld()
    texts = world.examples(120, np.random.default_rng(1))
    made = double_rewrite(texts, "sentiment", world.rewriter)
    b = balance(texts, made, attribute="sentiment", characteristics=SURFACE)
    scored = to_scored(texts, made,
                       score_rewrites(texts, made, as_reward_model(world.reward), progress=False))
    pairs = pair_up(scored, b.measured, SURFACE)
    assert joint_test(*differences(pairs))["p_value"] == pytest.approx(b.joint["p_value"])
    t = tipping_point(b, scored)
    D, beta = differences(pairs)[0], coefficients(pairs)[0]
    assert set(b.still) == {"misspellings", "tags"} and t.bias.estimate == pytest.approx(D @ beta[2:])
    assert np.allclose(beta, [getattr(world.reward, x) for x in XI])


def test_exact_functionals():
    ("Null when one law makes every ξ; price × imbalance is the bias when laws depend on the target; prices "
     "exact whatever W, Z and the prompt do")
    of = lambda world, c, e: replace(world, reward_wz=lambda x, w, z: 0, reward_xi=lambda x, k: c[k],
                                     strength=F(0)).expected("rate", e)
    dummy = [{0: 0, 1: 1, 2: 0}, {0: 0, 1: 0, 2: 1}]
    for seed in range(8):
        rng = np.random.default_rng([seed, 4])
        laws = [{k: F(int(v), int(sum(m))) for k, v in enumerate(m)} for m in rng.integers(1, 9, (2, 3))]
        pay = [int(v) for v in rng.integers(-5, 6, 2)]
        fair = replace(FiniteWorld.random(seed), reward_xi=lambda x,
                       k: sum(p*c[k] for p, c in zip(pay, dummy)))
        tilted = replace(fair, rewrite=lambda x, z, target, depth: laws[target])
        by_text = replace(fair, rewrite=lambda x, z, target, depth: laws[(x + z) % 2])
        for e in ("ATT", "ATU", "ATE"):
            assert all(of(w, c, e) == 0 for w in (fair, by_text) for c in dummy)
            assert tilted.bias("rate", e) == sum(p*of(tilted, c, e) for p,
                                                 c in zip(pay, dummy)) == sum(p*(laws[1][k] - laws[0][k])
                                                     for p, k in zip(pay, (1, 2)))
        rows = [(p, tilted.reward(x, a[0], z, a[1]) - tilted.reward(x, e[0], z, e[1]),
                 (a[0], 1 - a[0], *(c[a[1]] - c[e[1]] for c in dummy))) for p, x, z,
                (a, _, e) in tilted.chains()]
        assert FiniteWorld.least_squares(rows)[2:] == pay


@pytest.mark.parametrize("dial", ["interaction", "misses", "unmeasured"])
def test_blind_spots_leave_it_null(dial):
    c = {0: 0, 1: 1, 2: 1}
    laws = [{0: F(1, 2), 1: F(1, 8), 2: F(3, 8)}, {0: F(1, 2), 1: F(3, 8), 2: F(1, 8)}]
    how = dict(interaction=dict(interaction=lambda x, w, z, k: w*k, strength=F(2)),
               misses=dict(misses=F(1, 5)), unmeasured=dict(rewrite=lambda x, z, t, d: laws[t]))[dial]
    wrong = 0
    for seed in range(10):
        w = FiniteWorld.random(seed, **how)
        seen = replace(w, reward_wz=lambda x, w, z: 0, reward_xi=lambda x, k: c[k], strength=F(0))
        assert all(seen.expected("rate", e) == 0 for e in ("ATT", "ATU", "ATE"))
        wrong += w.bias("rate", "ATE") != 0
    assert wrong >= 8


# p-value of the joint test, p of the measured bias, does the adjusted interval cover, does RATE's
def simulate(replicates, rng, truth=.9, **how):
    from rate_nb.diagnostics.covariate_balance import _sum_effect
    out = []
    for _ in range(replicates):
        pairs, _ = latent_audit(1000, rng, **how)
        n = len(pairs.w)
        D, psi = differences(pairs)
        beta, spread = coefficients(pairs)
        beta, spread = beta[2:], spread[:, 2:]
        bias = _sum_effect(D @ beta, psi @ beta + spread @ D, .95)
        d = pairs.contrast
        own = cluster_sums(d - d.mean(), pairs.codes)[:, 0]/n
        rate, less = _sum_effect(d.mean(), own, .95), _sum_effect(d.mean() - D @ beta,
            own - psi @ beta - spread @ D, .95)
        out.append((joint_test(D, psi)["p_value"], bias.p_value(), less.ci_low < truth < less.ci_high,
                    rate.ci_low < truth < rate.ci_high))
    return np.array(out, float)


@pytest.mark.slow("2,000 audits of 1,000 texts")
def test_size_is_five_percent():
    found = simulate(2000, np.random.default_rng(11))
    size, of_bias = (found[:, :2] < .05).mean(0)
    covers = found[:, 2:].mean(0)
    assert (.03 <= size <= .07
            and .03 <= of_bias <= .07
            and (.93 <= covers).all()
            and (covers <= .97).all()), (size, of_bias, covers)


def test_power_and_adjustment_at_planted_asymmetries():
    ("Closings under .9 of rewrites to 1 and .3 of those to 0: RATE .12 too high; and a tenth of that span "
     "is still seen most of the time it matters")
    rng = np.random.default_rng(5)
    strong = simulate(60, rng, styles=(replace(REWRITER, polish=.3), replace(REWRITER, polish=.9)))
    assert (strong[:, 0] < 1e-6).all() and strong[:, 2].mean() >= .85 and strong[:, 3].mean() <= .1
    slight = simulate(100, rng, styles=(replace(REWRITER, polish=.62), replace(REWRITER, polish=.78)))
    assert (slight[:, 0] < .05).mean() > .9


def partial(attribute, high=.9, low=.3): return lambda prompt, text, target, seed=0: rewrite(text, attribute,
    target, seed, replace(REWRITER, polish=high if target else low))


@pytest.fixture(scope="module")
def audit(): # rendered texts, a rewriter with a habit that depends on the target
    world = TextWorld()
    texts = world.examples(1000, np.random.default_rng(8))
    made = double_rewrite(texts, "sentiment", partial("sentiment"))
    return world, texts, made, to_scored(texts, made,
                                         score_rewrites(texts, made, as_reward_model(world.reward),
                                                        progress=False))


def test_target_asymmetry_is_recovered_with_its_tipping_point(audit):
    ("On rendered texts: .6 more closings, worth .2 each, explain .12 of the effect; at the tipping point "
     "the interval ends at 0")
    world, texts, made, scored = audit
    b = balance(texts, made, attribute="sentiment", characteristics=SURFACE)
    t = tipping_point(b, scored)
    row, tip = b.table.set_index("characteristic").loc["closing_phrases"], t.table.set_index(
        "characteristic").loc["closing_phrases"]
    assert (abs(row.difference - .6) < 4*row.std_error
            and tip.price == pytest.approx(.2)
            and abs(t.bias.estimate - .12) < 4*t.bias.std_error)
    assert (tip.tips_at*tip.price == pytest.approx(t.effect.ci_low)
            and b.finding().verdict == "broken"
            and t.finding(.05).verdict == "broken")
    assert "closing_phrases" in b.finding().finding and b.finding(tip=t).verdict == t.finding().verdict
    shown = b._repr_markdown_() + t._repr_markdown_()
    assert ("less measured asymmetries" in shown and "under other assumptions" in shown
            and "<script" not in shown)


def test_own_measures_are_not_artefacts_and_users_bring_their_own(audit):
    world, texts, made, scored = audit
    few = texts.head(150)
    some = made[made.example_id.isin(few.example_id)]
    b = balance(few, some, attribute="sentiment", characteristics=["sentiment", "bold"],
                attributes=["starts_with_vowel"],
                extra=dict(kept=lambda original, text: len(set(original.split()) & set(text.split()))))
    assert (list(b.table.characteristic) == ["sentiment", "bold", "kept"]
            and b.off_target == ("bold", "kept")
            and b.still == ("starts_with_vowel",))
    assert np.isnan(b.table.p_adjusted[0]) and (b.table.p_adjusted[1:] >= b.table.p_value[1:]).all()
    assert balance(few, some, attribute="sentiment", characteristics="bold", estimand="ATT").table.n[0] == 150
    with pytest.raises(InputError, match="no label rule"):
        balance(few, some, attributes=["politeness"])
    with pytest.raises(InputError, match="not known"):
        balance(few, some, characteristics=["charm"])
    with pytest.raises(InputError, match="nothing to compare"):
        balance(few, some, characteristics=["headers"])
    with pytest.raises(InputError, match="estimand"):
        balance(few, some, estimand="LATE")
    with pytest.raises(InputError, match="the attribute itself"):
        tipping_point(balance(few, some, attribute="sentiment", characteristics="sentiment"),
                      scored[scored.example_id.isin(few.example_id)])


def test_lost_rewrites_are_lost_for_balance_too(audit):
    world, texts, made, _ = audit
    few = texts.head(100)
    some = made[made.example_id.isin(few.example_id)].copy()
    gone = some.example_id.isin(few.example_id[:30]) & (some.depth == 2)
    some.loc[gone, ["text", "status"]] = None, "refused"
    b = balance(few, some, characteristics=["bold"])
    t = b.effects.table.query("estimator == 'rate' and estimand == 'ATE'").iloc[0]
    assert t.n_missing_treated + t.n_missing_untreated == 30


LINES = {"tags": "\n\nSources: [1] <ref>", "headers": "# Review\n\n"}


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("share", [1., .9])
def test_what_the_target_decides_has_no_price_and_is_not_called_fine(name, share):
    ("All, or nine tenths, of the rewrites to 1 carry a line that is paid 2, and those to 0 never: the "
     "verdict is broken where it can be priced, and names it where not; a fair rewriter under the same "
     "reward is not accused")
    line, world = LINES[name], TextWorld()
    texts = world.examples(80, np.random.default_rng(2))
    add = lambda t: t + line if name == "tags" else line + t
    carries = lambda prompt, text, target: (add if target and hash_of(text) < share
                                            else str)(world.rewriter(prompt, text.replace(line, ""), target))
    hash_of = lambda s: sum(map(ord, s))*7919 % 1000/1000
    paid = as_reward_model(lambda prompts,
                           responses: world.reward(prompts, responses)
                           + 2.*np.array([line.strip() in r for r in responses]))
    def tip(rewriter):
        made = double_rewrite(texts, "sentiment", rewriter)
        b = balance(texts, made, attribute="sentiment")
        return b, tipping_point(b, to_scored(texts, made, score_rewrites(texts, made, paid, progress=False)))
    b, t = tip(carries)
    said = t.finding()
    assert b.finding(tip=t).verdict == said.verdict
    if share < 1:
        assert said.verdict == "broken" and t.unpriced == ("headers",)*(name == "headers")
        return # among originals nobody has a header
    assert name in t.unpriced and said.verdict == t.finding(
        100.).verdict == "cannot tell" and name in said.finding and name in said.advice and any(
            "without a coefficient" in n and name in n for n in t.notes)
    _, fair = tip(world.rewriter)
    assert fair.unpriced == () and fair.finding().verdict == "holds"
