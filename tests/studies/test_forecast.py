"Forecasts of best-of-n and of DPO pairs are right about later runs of a policy of our own and a small model."
import json, math
from fractions import Fraction
from itertools import combinations
import numpy as np
import pandas as pd
import pytest
from rate_nb.audit import Audit, Design
from rate_nb.base.core import InputError, SchemaError
from rate_nb.data.attributes import ATTRIBUTES
from rate_nb.studies import Forecast, forecast
from rate_nb.studies.forecasting import (
    answers_alone, attribute_values, audited_attribute, causally_calibrated, without_effect)
from sampling import WHOLE, possible, repeats
from warm import run_command

STEPS = "fold whisk simmer drain season chop rest plate".split()


def kitchen(prompts, sizes, rng):
    "Recipes: care makes them longer, saltier and better; the reward also pays for steps and for salt"
    k = rng.choice(sizes, prompts)
    hard, n = np.repeat(rng.normal(size=prompts), k), k.sum()
    care = .6*hard + rng.normal(size=n)
    steps, salt = rng.poisson(np.exp(1.6 + .3*care)), rng.random(n) < 1/(1 + np.exp(1 - care))
    good = care + .5*rng.normal(size=n)
    reward = good + .4*rng.normal(size=n)
    text = [" ".join([*rng.choice(STEPS, s), *["salt"]*int(w)]) for s, w in zip(steps, salt)]
    return pd.DataFrame(dict(prompt_id=np.repeat(np.arange(prompts), k), prompt="a dish", response=text,
                             salt=1*salt, good=good, reward=reward + .15*steps + .8*salt, fair=reward))


def best(c, n, by): # n of the candidates of each prompt compete
    some = c[c.groupby("prompt_id").cumcount() < n].sort_values(by, kind="stable")
    return some.groupby("prompt_id").tail(1).assign(n=n)


def extremes(c, by, names=("salt", "good")): # chosen and rejected of each prompt, with their columns
    t = c.sort_values(by, kind="stable").groupby("prompt_id")
    top, low = t.tail(1).set_index("prompt_id"), t.head(1).set_index("prompt_id")
    out = dict(chosen=top.response, rejected=low.response)
    for name in names:
        out |= {f"{name}_chosen": top[name], f"{name}_rejected": low[name]}
    return pd.DataFrame(out).reset_index()


def one_run(seed, prompts=60):
    rng = np.random.default_rng([39, seed])
    found = forecast(kitchen(prompts, range(8, 15), rng), ["length", "salt"], gold="good", calibrated="fair",
                     sizes=[8])
    rows = []
    for name, column in (("raw", "reward"), ("calibrated", "fair")):
        told = found.against(best(kitchen(prompts, [8], rng), 8, column)).query("reward == @name")
        later = found.against(extremes(kitchen(prompts, range(8, 15), rng), column))
        pairs = later.query("reward == @name and pairs == 'best and worst'")
        for what, t in (("best of 8", told), ("pairs", pairs)):
            rows += [dict(what=what, by=name, quantity=r.quantity, inside=bool(r.inside),
                          width=r.band_high - r.band_low) for r in t.itertuples()]
    return rows


def study(runs):
    t = pd.DataFrame([row for seed in range(runs) for row in one_run(seed)])
    return t.groupby(["what", "by", "quantity"]).agg(held=("inside", "sum"), width=("width", "mean"))


@pytest.mark.slow("15 runs and their forecasts, or 200")
def test_a_later_run_lies_inside_the_90_percent_band_as_often_as_it_should():
    runs = repeats(15, 200)
    t = study(runs)
    print(t)
    assert len(t) == 12 and possible(t.held, runs, .87, .93)
    if WHOLE:
        assert (t.held >= 171).all(), t


def test_a_forecast_of_another_policy_is_wrong():
    "The bands are no net that holds everything: runs by a reward that is not the forecast's fall outside"
    rng, outside = np.random.default_rng(3), 0
    for _ in range(10):
        found = forecast(kitchen(60, [10], rng), "length", calibrated="fair", sizes=[8])
        told = found.against(best(kitchen(60, [8], rng), 8, "reward")).set_index("reward")
        outside += not told.inside["calibrated"]
    assert outside >= 5


def listed(values, rewards, n): # the mean over all subsets of the mean over those with the highest reward
    out = []
    for s in combinations(range(len(values)), n):
        top = max(rewards[i] for i in s)
        tied = [values[i] for i in s if rewards[i] == top]
        out.append(Fraction(sum(tied), len(tied)))
    return sum(out)/len(out)


@pytest.mark.parametrize("seed", range(6))
def test_every_n_is_the_mean_over_all_subsets(seed):
    "Equal rewards, one candidate, prompts with different numbers of candidates, rows in any order"
    rng = np.random.default_rng(seed)
    k = [1, 2, 7, 7, 5]
    c = pd.DataFrame(dict(prompt_id=np.repeat(list("abcde"), k), x=rng.integers(0, 9, sum(k)),
                          reward=rng.integers(0, 4, sum(k))))
    found = forecast(c.sample(frac=1, random_state=seed), "x", sizes=range(1, 8))
    for n in range(1, 8):
        t = c.groupby("prompt_id").filter(lambda d: len(d) >= n).groupby("prompt_id")
        hand = [float(listed(d.x.tolist(), d.reward.tolist(), n)) for _, d in t]
        row = found.get("x", n)
        assert row["mean"] == pytest.approx(np.mean(hand), rel=1e-12) and row.prompts == len(hand)
        assert row.drift == pytest.approx(np.mean(hand) - t.x.mean().mean(), abs=1e-12)
    assert found.get("x", 1).drift == 0 and any("1 to 7 candidates" in n for n in found.notes)


def test_the_interval_is_students_over_prompts_and_the_calibrated_change_is_paired():
    from scipy.stats import ttest_1samp
    c = kitchen(30, [6], np.random.default_rng(0))
    found = forecast(c, "salt", calibrated="fair", sizes=[6], level=.9)
    top = {k: best(c, 6, k).set_index("prompt_id").salt for k in ("reward", "fair")}
    base = c.groupby("prompt_id").salt.mean()
    for name, d in dict(raw=top["reward"] - base, calibrated=top["fair"] - base,
                        **{"calibrated − raw": top["fair"] - top["reward"]}).items():
        row, wanted = found.get("salt", 6, name), ttest_1samp(d, 0).confidence_interval(.9)
        assert (row.drift, row.ci_low, row.ci_high) == pytest.approx((d.mean(), *wanted))


def small(**columns):
    c = pd.DataFrame(dict(prompt_id=np.repeat(range(4), 4), prompt="p", response=["a", "bb", "ccc", "dddd"]*4,
                          reward=np.tile([1., 2, 3, 4], 4)))
    return c.assign(**columns)


def test_a_constant_attribute_does_not_move_and_all_equal_rewards_choose_nothing():
    found = forecast(small(x=1.), "x")
    assert (found.table[["drift", "std_error", "ci_low", "ci_high", "spread"]] == 0).all(None)
    assert (found.pairs[["difference", "more", "less"]] == 0).all(None)
    found.plot().to_dict()
    assert "is not shown to move x" in found.sentences()[0]
    top = forecast(small(w=[0, 0, 0, 1]*4), "w") # what is always chosen here need not always be chosen
    assert top.get("w", 4).band_low == top.get("w", 4).band_high and "too narrow" in top.notes[0]
    with pytest.raises(InputError, match="no prompt prefers one candidate"):
        forecast(small(reward=1.), "length")
    half = small(reward=np.where(np.arange(16) < 8, 1., np.arange(16)))
    assert forecast(half, "length").pairs.prompts.tolist() == [2, 2]
    assert forecast(half, "length").get("length", 4).drift == .75 # nothing chosen in two, the longest in two


def test_missing_rewards_are_left_out_and_said_and_infinite_ones_refused():
    c = small()
    c.loc[3, "reward"] = np.nan
    found = forecast(c, "length")
    assert any("1 candidate of 16 without `reward` left out" in n for n in found.notes)
    assert found.get("length", 4).prompts == 3 and found.get("length", 2).prompts == 4
    c = small(fixed=small().reward)
    c.loc[5, "fixed"] = None
    assert len(forecast(c, "length", calibrated="fixed").notes) >= 1
    for wrong in (np.inf, -np.inf):
        with pytest.raises(SchemaError, match=r"`reward` must be a finite number, or empty; 1 row"):
            forecast(small(reward=[wrong, *range(15)]), "length")
    with pytest.raises(SchemaError, match="finite number"):
        forecast(small(reward=["much", *range(15)]), "length")
    x = np.arange(16.)
    x[0] = np.nan
    found = forecast(small(x=x), "x")
    assert found.get("x", 4).prompts == 3 and "x: not known for all candidates of 1 prompt" in found.notes[0]


@pytest.mark.parametrize("change, asked, why", [
    (dict(), dict(attributes="tone of voice"), "neither a column of the table"),
    (dict(), dict(attributes=[]), "one or more different names"),
    (dict(), dict(attributes=["length", "length"]), "different names"),
    (dict(), dict(sizes=[0]), "whole numbers from 1 to 1,024"),
    (dict(), dict(sizes=[2.5]), "whole numbers"),
    (dict(), dict(sizes=[2000]), "whole numbers"),
    (dict(), dict(sizes=[]), "whole numbers"),
    (dict(), dict(gold="truth"), "`gold` names the column 'truth'"),
    (dict(), dict(calibrated="cured"), "1 column missing: cured"),
    (dict(), dict(prompts=0), "`prompts` must be a whole number"),
    (dict(), dict(band=1.5), "must lie strictly between"),
    (dict(prompt_id=range(16)), {}, "no prompt has two candidates"),
    (dict(prompt_id=[None]*16), {}, "`prompt_id` must not be missing"),
    (dict(reward=np.nan), {}, "no prompt has two candidates"),
    (dict(x=np.nan), dict(attributes="x"), "is missing for a candidate of every prompt"),
    (dict(x="yes"), dict(attributes="x"), "column `x` must hold numbers"),
])
def test_what_cannot_be_forecast_is_said(change, asked, why):
    with pytest.raises((InputError, SchemaError), match=why):
        forecast(small(**change), **dict(attributes="length") | asked)


def test_one_candidate_among_prompts_and_one_prompt_alone():
    c = pd.concat([small(), small().head(1).assign(prompt_id="alone")])
    found = forecast(c, "length")
    assert found.get("length", 1).prompts == 5 and found.get("length", 4).prompts == 4
    one = forecast(small().head(4), "length")
    assert math.isnan(one.get("length", 4).ci_low) and one.get("length", 4).drift == 1.5
    assert any("1 prompt:" in n for n in one.notes)
    str(one), one._repr_markdown_(), one.plot().to_dict()


def test_beyond_k_is_marked_without_a_band_and_never_beyond_what_was_seen():
    found = forecast(small(w=[0, 0, 1, 1]*4), ["length", "w"], sizes=[4, 8, 1024])
    t = found.table
    assert (t.extrapolated == (t.n > 4)).all() and t[t.n > 4].band_low.isna().all()
    assert t[t.quantity == "w"]["mean"].max() == 1 and t[t.quantity == "length"]["mean"].max() <= 4
    assert sum("n above 4 is extrapolated" in n for n in found.notes) == 2
    told = found.against(small(w=1).head(1), 8)
    assert told.inside.isna().all() # no band, no answer
    assert "(extrapolated)" in str(found)


def test_what_was_a_column_is_a_column_of_what_happened():
    found = forecast(small(length=np.tile([10, 20, 30, 40], 4)), "length")
    with pytest.raises(InputError, match="lacks the column 'length'"):
        found.against(small(), 4)
    judged = forecast(small(good=small().reward), "length", gold="good") # later, quality may not be known
    assert judged.against(small(), 4).quantity.tolist() == ["length"]
    assert judged.against(small(good=1), 4).quantity.tolist() == ["length", "good"]
    with pytest.raises(InputError, match="how many candidates"):
        found.against(small(length=1))
    with pytest.raises(InputError, match="no forecast for n = 3"):
        found.against(small(length=1), 3)
    with pytest.raises(InputError, match="no forecast of 'length' at n = 3"):
        found.get("length", 3)
    counted = forecast(small(), "length").against(small(length=999.), 4) # counted before, counted again
    assert counted.realised[0] == 2.5


def test_names_and_texts_of_strangers_are_shown_as_text():
    found = forecast(small(**{"<b>|x": small().reward}), "<b>|x", gold=None)
    assert "<b>" not in found._repr_markdown_() and isinstance(found, Forecast)


def test_attributes_by_a_rule_of_their_own():
    from rate_nb.data import Attribute
    from rate_nb.data.attributes import Predicate
    under = Predicate(lambda t: len(t) < 3, "under 3")
    short = Attribute("short", "short", "long", "Make it {W}.", label=under)
    assert attribute_values(small(), short).tolist() == [1, 1, 0, 0]*4
    assert forecast(small(), [short, "length"]).get("short", 4).drift == -.5
    bare = Attribute("odd", "odd", "even", "Make it {W}.")
    with pytest.raises(InputError, match="has no rule that labels"):
        forecast(small(), bare)
    assert forecast(small(odd=[1, 0, 1, 0]*4), "odd").get("odd", 4)["mean"] == 0


def dishes(n, rng): # examples of an audit, and a rewriter that adds or takes away salt
    c = kitchen(n, [2], rng)
    return c.assign(example_id=[f"e{i}" for i in range(len(c))], w=c.salt)[
        ["example_id", "prompt_id", "prompt", "response", "w"]]


def salting(prompt, text, target):
    words = [w for w in text.split() if w != "salt"]
    return " ".join([*words, "salt"] if target else words) or "rest"


def tasted(prompts, responses): return [.8*("salt" in r.split()) + .1*len(set(r.split())) for r in responses]


def test_an_audit_takes_its_effect_out_of_the_candidates(tmp_path):
    "A labelled attribute: the payment for salt goes, what goes along with it stays"
    from rate_nb.data import Attribute
    from rate_nb.data.attributes import Predicate
    from rate_nb.scoring import CallableReward
    rng = np.random.default_rng(8)
    salted = Predicate(lambda t: "salt" in t.split(), "salt")
    salt = Attribute("salt", "salted", "plain", "Make it {W}.", label=salted)
    audit = Audit(dishes(60, rng), salt, salting, CallableReward("taste", tasted, key="1"), tmp_path/"audit",
                  design=Design(check=0))
    audit.rewrite()
    audit.score()
    c = kitchen(50, [8], rng).drop(columns=["reward", "fair", "salt"])
    c["reward"] = tasted(c.prompt, c.response)
    c["true"] = c.reward - [.8*("salt" in r.split()) for r in c.response]
    tables = [pd.read_parquet(tmp_path/"audit"/f"{k}.parquet") for k in ("examples", "rewrites", "rewards")]
    fixed = without_effect(c, *tables, salt)
    gap = (fixed.calibrated - fixed.true).to_numpy()
    # a word that the rewriter adds may be new to the text: the audit's effect has it, too
    assert np.ptp(np.round(gap, 9)) < .15 and fixed.reward.equals(c.reward)
    found = forecast(fixed, salt, calibrated="calibrated")
    raw, out = (found.get("salt", 8, k).drift for k in ("raw", "calibrated"))
    assert raw > .3 and out < raw/2


@pytest.mark.slow("two forecasts by the command")
def test_the_command_reads_candidates_an_audit_and_what_happened(tmp_path):
    from rate_nb.scoring import CallableReward
    from rate_nb.theory import TextWorld
    rng, world = np.random.default_rng(2), TextWorld("length")
    audit = Audit(world.examples(80, rng), "length", world.rewriter, CallableReward("taste", tasted, key="1"),
                  tmp_path/"audit", design=Design(check=0))
    audit.rewrite()
    audit.score()
    c = kitchen(40, [6], rng)
    c.drop(columns="prompt_id").assign(prompt=[f"dish {p}" for p in c.prompt_id]).to_json(
        tmp_path/"c.jsonl", orient="records", lines=True)
    best(kitchen(40, [6], rng), 6, "reward").to_csv(tmp_path/"later.csv", index=False)
    code, said = run_command([
        "forecast", "c.jsonl", "--run-dir", "out", "--attributes", "length,salt", "--gold", "good", "--audit",
        "audit", "--realised", "later.csv", "--json"], tmp_path)
    assert code == 0, said
    table = pd.read_csv(tmp_path/"out"/"forecast.csv")
    by_hand = causally_calibrated(c, tmp_path/"audit")
    wanted = forecast(by_hand, ["length", "salt"], gold="good", calibrated="calibrated").table
    assert table.drift.tolist() == pytest.approx(wanted.drift.tolist(), abs=1e-9)
    # recipes are shorter than all that was audited, where the curve is held: nothing is taken out
    assert np.ptp(by_hand.reward - by_hand.calibrated) < 1e-9
    told = pd.read_csv(tmp_path/"out"/"realised.csv")
    assert told.quantity.tolist() == ["length"]*2 + ["salt"]*2 + ["good"]*2
    summary = json.loads((tmp_path/"out"/"summary.json").read_text(encoding="utf-8"))
    assert summary["said"][0].startswith("What happened lies inside")
    assert any("100% of the candidates lie outside" in line for line in summary["said"])
    assert audited_attribute(tmp_path/"audit").name == "length"
    (tmp_path/"audit"/"audit.yaml").write_text("attribute: {name: length, label: {regex: a}}")
    assert audited_attribute(tmp_path/"audit").label.says([]) != ATTRIBUTES["length"].label.name
    code, said = run_command(["forecast", "c.jsonl", "--calibrated", "fair", "--audit", "audit"], tmp_path)
    assert code == 2 and "each say what the calibrated rewards are" in " ".join(said.split()), said


# ---- a small language model of the studies

def written(model, prompts, k, rng): # its answers, scored; the reward's noise belongs to the text
    from rate_nb.studies.training import draw_prompts, sample_answers, score_candidates
    out = score_candidates(sample_answers(model, draw_prompts(prompts, rng), rng, k), rng)
    return out.assign(fair=out.reward - np.log2((1 + out.length)/64))


@pytest.fixture(scope="module")
def writer():
    pytest.importorskip("trl", reason="needs the extra `train`")
    from rate_nb.studies.training import TrainingSettings, start_training
    return start_training(0, TrainingSettings(texts=1500, prompts=150, questions=10))


def runs_of(writer, runs):
    rows = []
    for seed in range(runs):
        rng = np.random.default_rng([40, seed])
        found = forecast(written(writer.model, 40, 12, rng), "length", gold="quality", calibrated="fair",
                         sizes=[8])
        for name, column in (("raw", "reward"), ("calibrated", "fair")):
            told = found.against(best(written(writer.model, 40, 8, rng), 8, column))
            pairs = found.against(extremes(written(writer.model, 40, 12, rng), column,
                                           ["length", "quality"]))
            for what, t in (("best of 8", told), ("pairs", pairs.query("pairs == 'best and worst'"))):
                rows += [dict(what=what, by=name, quantity=r.quantity, inside=bool(r.inside),
                              width=r.band_high - r.band_low) for r in t[t.reward == name].itertuples()]
    t = pd.DataFrame(rows).groupby(["what", "by", "quantity"])
    return t.agg(held=("inside", "sum"), width=("width", "mean"))


@pytest.mark.slow("10 runs of a small language model, or 200")
def test_best_of_n_and_pairs_of_a_small_language_model_lie_inside_the_band(writer):
    runs = repeats(10, 200)
    t = runs_of(writer, runs)
    print(t)
    assert len(t) == 8 and possible(t.held, runs, .87, .93)
    if WHOLE:
        assert (t.held >= 171).all(), t


@pytest.mark.slow("two trainings by DPO")
def test_pairs_that_are_longer_train_longer_answers(writer):
    "What a forecast of pairs says of training: which of two rewards lengthens the answers more"
    from rate_nb.studies.training import train_dpo, writer_tokenizer
    rng = np.random.default_rng(41)
    c = written(writer.model, 150, 5, rng)
    found = forecast(c, "length", gold="quality", calibrated="fair").pairs.query("pairs == 'best and worst'")
    ahead = found.set_index(["quantity", "reward"]).difference
    lengths = {}
    for name, column in (("raw", "reward"), ("calibrated", "fair")):
        t = c.sort_values(column, kind="stable").groupby("prompt_id")
        top, low = t.tail(1).set_index("prompt_id"), t.head(1).set_index("prompt_id")
        pairs = pd.DataFrame(dict(prompt=top.prompt, chosen=top.response, rejected=low.response))
        assert (top.length - low.length).mean() == pytest.approx(ahead["length", name]) # as forecast, exactly
        model = train_dpo(writer.model, writer_tokenizer(), pairs)
        lengths[name] = written(model, 100, 4, np.random.default_rng(42)).length.mean()
    base = written(writer.model, 100, 4, np.random.default_rng(42)).length.mean()
    print(base, lengths, ahead)
    assert ahead["length", "raw"] > ahead["length", "calibrated"] + 20
    assert lengths["raw"] > lengths["calibrated"] + 10 and lengths["raw"] > base


def test_one_name_for_two_prompts_is_an_error():
    two = pd.concat([small(prompt="A"), small(prompt="B")])
    with pytest.raises(SchemaError, match="`prompt` must be the same in all rows of a `prompt_id`"):
        forecast(two, "length")


def test_what_cannot_be_compared_is_neither_inside_nor_outside():
    found = forecast(small(good=small().reward), "length", gold="good")
    told = found.against(small(good=np.nan), 4).set_index("quantity")
    assert told.prompts["good"] == 0 and told.inside["good"] is None and told.inside["length"] is not None
    with pytest.raises(InputError, match="no forecast for n = 999"):
        found.against(pd.concat([small().assign(n=4), small().assign(n=999)]))
    assert found.against(small().assign(n="4")).equals(found.against(small(), 4)) # text, as a CSV may have it
    with pytest.raises(InputError, match="holds no pair"):
        found.against(pd.DataFrame(dict(chosen=[], rejected=[])))


def test_a_prompt_counts_once_in_what_happened():
    found = forecast(kitchen(40, [6], np.random.default_rng(0)), "length", sizes=[4])
    later = best(kitchen(5, [6], np.random.default_rng(1)), 4, "reward")
    once, many = found.against(later, 4), found.against(pd.concat([later]*20), 4)
    assert once.equals(many) and (once.prompts == 5).all()
    files = pd.DataFrame(dict(prompt=list("abcde")*9, chosen="a longer one", rejected="short"))
    assert (found.against(files).prompts == 5).all() # TRL's files have no ids


def test_an_attribute_that_was_counted_is_counted_again():
    table = small(length=999.)
    found = forecast(table, ATTRIBUTES["length"])
    assert not found.columns and found.against(small(), 4).realised[0] == 2.5


def test_large_numbers_keep_their_spread_and_few_prompts_no_headline():
    c = kitchen(60, [8], np.random.default_rng(3))
    near = forecast(c.assign(x=c.good), "x", sizes=[4]).get("x", 4)
    far = forecast(c.assign(x=c.good + 1e8), "x", sizes=[4]).get("x", 4)
    assert far.spread == pytest.approx(near.spread, rel=1e-4)
    assert far.band_high - far.band_low == pytest.approx(near.band_high - near.band_low, rel=1e-3)
    one = kitchen(1, [64], np.random.default_rng(4)).assign(prompt_id="one")
    some = forecast(pd.concat([c, one]), "length", sizes=[4, 64])
    assert some.sentences()[0].startswith("Best of 8 ")
    assert any("few prompts have 64" in n for n in some.notes)
    wide = forecast(c, "length", sizes=[128])
    assert wide.sentences()[0].startswith("Best of 8 ") and set(wide.table.n) == {1, 8, 128}


def test_messages_are_measured_without_their_roles():
    say = lambda role, text: dict(role=role, content=text)
    table = answers_alone(pd.DataFrame(dict(response=[[say("assistant", "hi")], "hi"])))
    assert table.response.tolist() == ["hi", "hi"]
    ask = [say("user", "LOUD")]
    pair = answers_alone(pd.DataFrame(dict(chosen=[[*ask, say("assistant", "yes")]],
                                           rejected=[[*ask, say("assistant", "no")]])))
    assert pair.chosen[0] == "yes" and pair.rejected[0] == "no"
    assert forecast(small(reward=[[v] for v in small().reward]), "length").table.equals(
        forecast(small(), "length").table)
