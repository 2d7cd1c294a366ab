"More than two levels: known truths, joint errors, real instructions."
import random, re
import numpy as np, pandas as pd, pytest
from rate_nb.audit.multivalued import (
    level_effects, LevelAttribute, rewrite_levels, score_levels, TONE)
from rate_nb.base.core import InputError
from rate_nb.estimators.effects import estimate_effects
from rate_nb.stats.inference import paired_effect, t_quantile
from rate_nb.llm.calls import Reply
from rate_nb.rewriting.chains import double_rewrite
from rate_nb.scoring.rewards import score_rewrites, to_scored

FOUR = LevelAttribute("grade", {k: f"of grade {k}" for k in "abcd"}, "a", "Make it {W}.")


def scores(effects, prompts, rng, sd=1., drift=0., attribute=FOUR):
    "A rewards table without texts: two rewrites per level, a shared part per prompt, and a drift with depth"
    n, rng = 2*prompts, np.random.default_rng(rng)
    shared = np.repeat(rng.normal(0, .5, prompts), 2)
    examples = pd.DataFrame(dict(example_id=np.arange(n), prompt_id=np.arange(n)//2))
    def side(level, t, start): # those who begin at the reference come to the level at depth 1
        depth = np.where(start == 1, 1 + t, 2 - t)
        return pd.DataFrame(dict(example_id=np.arange(n), draw=0, level=level, depth=depth, target_w=t,
                                 model="m", text="x",
            reward=t*(effects[level] + shared) + rng.normal(0, sd, n) + drift*depth))
    coins = {k: rng.integers(0, 2, n) for k in attribute.others}
    return examples, pd.concat([side(k, t, coins[k]) for k in attribute.others for t in (0, 1)],
                               ignore_index=True)


def test_effects_are_paired_and_clustered_by_prompt():
    examples, rewards = scores(dict(b=0., c=.5, d=1.), 50, 0)
    found = level_effects(examples, rewards, FOUR).table.set_index("level")
    for k in FOUR.others:
        r = rewards[rewards.level == k].pivot(index="example_id", columns="target_w", values="reward")
        e = paired_effect(r[1], r[0], examples.prompt_id)
        assert np.allclose(found.loc[k, ["estimate", "std_error", "ci_low", "ci_high"]].astype(float),
                           [e.estimate, e.std_error, e.ci_low, e.ci_high])
        assert np.isclose(found.p_value[k], e.p_value())


@pytest.mark.parametrize("prompts", [2, 3, 12, 80])
def test_the_band_is_never_inside_the_single_interval(prompts):
    t = level_effects(*scores(dict(b=0., c=.5, d=1.), prompts, 0), FOUR).table
    assert (t.band_low <= t.ci_low).all() and (t.band_high >= t.ci_high).all()
    reach, widest = (t.band_high - t.estimate)/t.std_error, t_quantile(1 - .05/3, prompts - 1)
    # Bonferroni is the widest that is needed
    assert (reach <= widest*(1 + 1e-9)).all() and (prompts > 50 or np.allclose(reach, widest))


def test_any_two_levels_share_their_texts():
    examples, rewards = scores(dict(b=0., c=.5, d=1.), 60, 1)
    found = level_effects(examples, rewards, FOUR)
    gap = found.between("d", "c")
    wide = rewards.pivot(index="example_id", columns=["level", "target_w"], values="reward")
    e = paired_effect(wide["d"][1] - wide["d"][0], wide["c"][1] - wide["c"][0], examples.prompt_id)
    assert np.allclose([gap.estimate, gap.std_error], [e.estimate, e.std_error])
    back = found.between("c", "d")
    assert np.isclose(back.estimate, -gap.estimate) and np.isclose(back.ci_low, -gap.ci_high)
    with pytest.raises(InputError, match="no level of 'grade'"):
        found.between("d", "e")
    with pytest.raises(InputError, match="`model` must be one of 'm'"):
        found.between("d", "c", "other")


class Worded:
    "A rewriter that sees nothing but the instruction's words, as an LLM does"
    store, settings = None, dict(engine="test", model="worded-1")
    def __init__(self): self.asked = []
    def rewrite(self, request):
        words = request.instruction.request(request.target)
        self.asked.append(words)
        tone = next(k for k, w in TONE.levels.items() if w in words)
        body = re.sub(r"^\w+: ", "", request.text).split(" ~")[0]
        return Reply(f"{tone}: {body} "
                     f"~{random.Random(words + request.text + str(request.draw)).randint(0, 9)}", "stop",
                     "worded-1")


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    level = rng.choice([*TONE.levels], n)
    good = rng.random(n) < np.where(level == "formal", .9, .3)
    return pd.DataFrame(dict(example_id=np.arange(n), prompt_id=np.arange(n)//2, prompt="?", level=level, w=0,
                             response=[f"{k}: case {i} {'good' if g else 'bad'} ~9" for i,
                                       (k, g) in enumerate(zip(level, good))]))
WORTH = dict(neutral=0., formal=-.7, casual=.4)
def reward(prompts,
           texts): return np.array([WORTH[t.split(":")[0]] + 2*("good" in t) + .1*int(t.split("~")[1])
                                    for t in texts])


def test_two_levels_are_what_rate_says():
    texts = people().query("level != 'casual'").assign(w=lambda d: (d.level == "formal").astype(int))
    two = LevelAttribute("tone", {k: TONE.levels[k] for k in ("neutral", "formal")}, "neutral")
    found = level_effects(texts, score_levels(texts, rewrite_levels(texts, two, Worded()), reward),
                          two).table.iloc[0]
    rewrites = double_rewrite(texts, two.contrast("formal"), Worded())
    ate = estimate_effects(to_scored(texts, rewrites,
                                     score_rewrites(texts, rewrites, reward, progress=False)),
                           estimators=("rate",)).get("rate", "ATE")
    assert np.isclose(found.estimate, ate.estimate) and np.isclose(found.std_error, ate.std_error, rtol=.02)


def test_failures_are_counted_models_kept_apart():
    texts = people(60)
    rewrites = rewrite_levels(texts, TONE, Worded())
    rewrites.loc[rewrites.index[:5], ["text", "status"]] = [None, "refused"]
    scored = score_levels(texts, rewrites, reward)
    assert scored.reward.isna().sum() == 5
    both = pd.concat([scored, scored.assign(model="double", reward=2*scored.reward)], ignore_index=True)
    t = level_effects(texts, both, TONE).table
    assert (t.n_missing.tolist()[:2] == t.n_missing.tolist()[2:]
            and 3 <= t.n_missing[0] <= 5
            and t.n_missing[1] == 0
            and np.allclose(t.estimate[2:], 2*t.estimate[:2]))
    assert (t.n + t.n_missing == 60).all()


def test_a_level_against_the_reference_is_its_row_though_prompts_lack_pairs():
    "Half of the prompts lost one level: its error and degrees of freedom are those of the half that has it"
    examples, rewards = scores(dict(b=0., c=.5, d=1.), 40, 3)
    lost = (rewards.level == "d") & (rewards.example_id < 40)
    found = level_effects(examples, rewards.assign(reward=rewards.reward.mask(lost)), FOUR)
    row, e = found.table.set_index("level").loc["d"], found.between("d", "a")
    assert abs(e.df - 19) < 1e-9 and np.allclose([e.estimate, e.std_error, e.ci_low],
                                                 row[["estimate", "std_error", "ci_low"]].astype(float))
    # either level's prompts count, and those that hold both count for more
    other = found.between("d", "b")
    assert other.n_clusters == 40 and 19 < other.df < 39


@pytest.mark.slow(reason="1,200 audits")
@pytest.mark.parametrize("sizes", ["equal", "lognormal", "one prompt of forty percent"])
@pytest.mark.parametrize("prompts", [10, 60])
def test_levels_cover_with_prompts_of_every_size(sizes, prompts):
    "Each interval, each difference of two levels and the band of all, a tenth of the pairs missing"
    rng, R, planted = np.random.default_rng(prompts), 200, dict(b=.5, c=-.2, d=0.)
    n = dict(equal=np.full(prompts, 3), lognormal=np.maximum(rng.lognormal(1, 1, prompts).round(), 1))
    n = n.get(sizes, np.r_[2*(prompts - 1), np.full(prompts - 1, 3)]).astype(int)
    p, singles, bands, gaps = np.repeat(np.arange(prompts), n), [], [], []
    N = len(p)
    examples = pd.DataFrame(dict(example_id=np.arange(N), prompt_id=p))
    for _ in range(R):
        shared, parts = .5*rng.normal(size=prompts)[p] + .4*rng.normal(size=N), []
        for level, effect in planted.items():
            d = effect + shared + .5*rng.normal(size=prompts)[p] + .5*rng.normal(size=N)
            for target, reward in ((0, np.zeros(N)), (1, np.where(rng.random(N) < .1, np.nan, d))):
                parts.append(pd.DataFrame(dict(example_id=np.arange(N), draw=0, level=level, target_w=target,
                                               model="m", reward=reward)))
        found = level_effects(examples, pd.concat(parts), FOUR, replicates=400)
        truth, t = found.table.level.map(planted), found.table
        singles += ((t.ci_low <= truth) & (truth <= t.ci_high)).tolist()
        bands.append(((t.band_low <= truth) & (truth <= t.band_high)).all())
        gap = found.between("b", "c")
        gaps.append(gap.ci_low <= .7 <= gap.ci_high)
    slack = lambda v: 3*np.sqrt(.05*.95/len(v))
    assert np.mean(singles) > .95 - 3*np.sqrt(.05*.95/R) and np.mean(gaps) > .95 - slack(gaps)
    assert np.mean(bands) > .95 - slack(bands), np.mean(bands)


def test_a_reward_is_handed_conversations_and_references_not_their_words():
    import json
    chats = [dict(messages=[dict(role="user", content=f"Ask {i}."), dict(role="assistant")], turn=1)
             for i in range(3)]
    texts = pd.DataFrame(dict(example_id=list("abc"), prompt_id=list("abc"), prompt="in words",
                              response=["one", "two", "three"], conversation=[json.dumps(c) for c in chats],
                              level="b"))
    write = lambda prompt, text, level: f"{text} {level}"
    seen = []
    def reward(prompts, responses):
        seen.extend(prompts)
        return [float(len(r)) for r in responses]
    two = LevelAttribute("grade", {k: f"of grade {k}" for k in "ab"}, "a", "Make it {W}.")
    scored = score_levels(texts, rewrite_levels(texts, two, write), reward)
    asked = {json.dumps(c["messages"][:1]) for c in chats} # all that stands before the response
    assert scored.reward.notna().all() and {json.dumps(p) for p in seen} == asked
