"Off-target balance and the tipping point: exact in finite worlds, sized and powered in the text world"
from dataclasses import replace
import numpy as np, pandas as pd, pytest
from rate_nb.diagnostics.covariate_balance import balance, tipping_point
from rate_nb.base.core import InputError
from rate_nb.theory.text_world import MOST_BREAKS, MOST_TYPOS, rewrite, REWRITER
from rate_nb.diagnostics.open_vocabulary import differences as all_differences
from rate_nb.estimators.effects import estimate_effects
from rate_nb.stats.inference import cluster_sums, t_effect
from rate_nb.data.measures import COUNTS
from rate_nb.diagnostics.off_target import joint_test, pair_up, Pairs
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
    G = len(pairs.clusters)
    return d.mean(0), (G/(G - 1))**.5*cluster_sums(d - d.mean(0), pairs.codes)/len(d)


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
    assert joint_test(*differences(pairs))["p_value"] == pytest.approx(b.joint["p_value"], rel=.05)


def p_values(replicates, rng, **how): # of the joint test
    return np.array([joint_test(*differences(latent_audit(1000, rng, **how)[0]))["p_value"]
                     for _ in range(replicates)])


@pytest.mark.slow("2,000 audits of 1,000 texts")
def test_size_is_five_percent():
    assert .03 <= (p_values(2000, np.random.default_rng(11)) < .05).mean() <= .07


def test_power_at_planted_asymmetries():
    "Closings under .9 of rewrites to 1 and .3 of those to 0; a quarter of that is still seen mostly"
    rng = np.random.default_rng(5)
    strong = p_values(60, rng, styles=(replace(REWRITER, polish=.3), replace(REWRITER, polish=.9)))
    slight = p_values(100, rng, styles=(replace(REWRITER, polish=.62), replace(REWRITER, polish=.78)))
    assert (strong < 1e-6).all() and (slight < .05).mean() > .9


def partial(attribute, high=.9, low=.3): return lambda prompt, text, target, seed=0: rewrite(text, attribute,
    target, seed, replace(REWRITER, polish=high if target else low))


@pytest.fixture(scope="module")
def audit(): # rendered texts, a rewriter with a habit that depends on the target
    world = TextWorld()
    texts = world.examples(150, np.random.default_rng(8))
    return world, texts, double_rewrite(texts, "sentiment", partial("sentiment"))


def test_a_tipping_point_takes_its_prices_from_draws():
    "On rendered texts: .6 more closings, worth .2 each, explain .12 of the effect"
    world = TextWorld()
    texts = world.examples(200, np.random.default_rng(8))
    made = double_rewrite(texts, "sentiment", partial("sentiment"), draws=2)
    scored = to_scored(texts, made,
                       score_rewrites(texts, made, as_reward_model(world.reward), progress=False))
    found = all_differences(texts, made, scored, attribute="sentiment")
    effect = estimate_effects(scored, estimators=("rate",)).get("rate", "ATE")
    t = tipping_point(found, effect)
    tip = t.set_index("feature").loc["closing_phrases"]
    assert abs(tip.difference - .6) < .1 and abs(tip.price - .2) < .05 and abs(tip.worth - .12) < .04
    assert tip.tips_at*tip.price == pytest.approx(effect.ci_low) and tip.share == tip.worth/effect.estimate
    assert (t.share.abs().diff().dropna() <= 0).all()
    assert tipping_point(found, t_effect(.1, 1., 50)).tips_at.isna().all() # the interval holds 0


def test_own_measures_are_not_artefacts_and_users_bring_their_own(audit):
    world, texts, made = audit
    few = texts.head(150)
    some = made[made.example_id.isin(few.example_id)]
    b = balance(few, some, attribute="sentiment", characteristics=["sentiment", "bold"],
                attributes=["starts_with_vowel"],
                extra=dict(kept=lambda original, text: len(set(original.split()) & set(text.split()))))
    assert (list(b.table.characteristic) == ["sentiment", "bold", "kept"]
            and b.off_target == ("bold", "kept")
            and "starts_with_vowel" in b.notes[0])
    assert np.isnan(b.table.p_adjusted[0]) and (b.table.p_adjusted[1:] >= b.table.p_value[1:]).all()
    assert balance(few, some, attribute="sentiment", characteristics="bold", estimand="ATT").table.n[0] == 150
    with pytest.raises(InputError, match="no label rule"):
        balance(few, some, attributes=["formality"])
    with pytest.raises(InputError, match="not known"):
        balance(few, some, characteristics=["charm"])
    with pytest.raises(InputError, match="nothing to compare"):
        balance(few, some, characteristics=["headers"])
    with pytest.raises(InputError, match="estimand"):
        balance(few, some, estimand="LATE")
    assert "the attribute itself" in b._repr_markdown_() and "<script" not in b._repr_markdown_()


def test_lost_rewrites_are_lost_for_balance_too(audit):
    world, texts, made = audit
    few = texts.head(100)
    some = made[made.example_id.isin(few.example_id)].copy()
    gone = some.example_id.isin(few.example_id[:30]) & (some.depth == 2)
    some.loc[gone, ["text", "status"]] = None, "refused"
    b = balance(few, some, characteristics=["bold"])
    t = b.effects.table.query("estimator == 'rate' and estimand == 'ATE'").iloc[0]
    assert t.n_missing_treated + t.n_missing_untreated == 30
