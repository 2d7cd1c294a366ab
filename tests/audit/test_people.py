"Votes of people beside a reward's choices: what is read, what is refused, and how sure the excess is."
import json
import numpy as np, pandas as pd, pytest
from conftest import ROOT
from rate_nb.audit import Audit
from rate_nb.audit.people import _on_scale, effect_on_people, make_ballot, read_votes
from rate_nb.base.core import InputError, SchemaError
from rate_nb.scoring.judges import CallableJudge
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.stats.inference import Effect
from rate_nb.theory.text_world import TextWorld


def scored(n=40, seed=0, model="m"):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(dict(
        example_id=[f"e{k}" for k in range(n)], prompt_id=[f"q{k//2}" for k in range(n)], draw=0, model=model,
        w=np.arange(n) % 2, reward_original=rng.normal(size=n), reward_rewrite=rng.normal(size=n),
        reward_rewrite_of_rewrite=rng.normal(size=n)))


def cast(n=40, voters=6, each=3, seed=1):
    rng = np.random.default_rng(seed)
    rows = [(f"e{k}", f"v{v}", rng.choice(["treated", "untreated", "tie"], p=[.5, .4, .1]))
            for k in range(n) for v in rng.choice(voters, each, replace=False)]
    return pd.DataFrame(rows, columns=["example_id", "voter", "choice"])


def test_a_pair_with_many_votes_weighs_no_more():
    v = pd.concat([cast(), pd.DataFrame(dict(example_id="e0", voter=[f"w{k}" for k in range(200)],
                                             choice="treated"))])
    few, many = (effect_on_people(read_votes(x), scored()).get("people").estimate for x in (cast(), v))
    assert abs(many - few) < 2/40


def test_several_models_draws_and_a_missing_reward():
    t = pd.concat([scored(model="a"), scored(seed=5, model="b").assign(
        reward_rewrite=lambda d: d.reward_rewrite.where(d.example_id != "e0"))])
    t = pd.concat([t, t.assign(draw=1, reward_rewrite=t.reward_rewrite + .3)])
    v = pd.concat([cast().assign(draw=0), cast(seed=9).assign(draw=1)])
    found = effect_on_people(read_votes(v), t)
    assert set(found.table.model) == {"a", "b"} and any("without a reward by b" in n for n in found.notes)
    assert found.get(model="a").n_pairs == 80 and found.get(model="b").n_pairs == 78
    with pytest.raises(InputError, match="2 rows of 'excess over people'"):
        found.get()
    found.plot().to_dict()
    assert "undefined" not in found._repr_markdown_()


@pytest.mark.parametrize("change, said", [
    (dict(choice=1), r"`choice` must be one of treated, untreated, tie; 120 rows do not: row 1, 2, 3, … \(1"),
    (dict(choice="first"), "must be one of treated"),       # without a ballot nobody knows which was first
    (dict(voter=[None, *["v1"]*119]), "must name the person who voted in every row, or in none"),
    (dict(voter="x"), "may vote once on a pair"),
    (dict(draw=.5), "`draw` must be a whole number"),
    (dict(draw=7), "must be a pair of the audit, draw included"),
    (dict(example_id="<b>zz</b>"), "must be a pair of the audit|may vote once"),
    (dict(choice=np.nan), "no row has a `choice`")])
def test_what_is_wrong_is_said_by_row_column_and_value(change, said):
    with pytest.raises(SchemaError, match=said):
        effect_on_people(read_votes(cast().assign(**change)), scored())


def test_missing_columns_empty_tables_and_no_reward_at_all(tmp_path):
    with pytest.raises(SchemaError, match="choice"):
        read_votes(cast().drop(columns="choice"))
    (tmp_path/"votes.csv").write_text("example_id,voter,choice\n")
    with pytest.raises(InputError, match="no rows"):
        read_votes(tmp_path/"votes.csv")
    with pytest.raises(SchemaError, match="no vote is on a pair that has a reward"):
        effect_on_people(read_votes(cast()), scored().assign(reward_rewrite=np.nan))
    with pytest.raises(SchemaError, match="ballot_key"):
        read_votes(cast().rename(columns=dict(example_id="pair_id")))
    with pytest.raises(InputError, match="`versions` must be 'rewrites' or 'single'"):
        effect_on_people(read_votes(cast()), scored(), versions="original")
    with pytest.raises(InputError, match="`margin`"):
        effect_on_people(read_votes(cast()), scored(), margin=0)


def test_numbers_as_names_are_names(tmp_path):
    t = scored().assign(example_id=np.arange(40))
    v = cast().assign(example_id=lambda d: d.example_id.str[1:].astype(int), voter=7)
    v = v.drop_duplicates("example_id")
    v.to_csv(tmp_path/"votes.csv", index=False)
    found = effect_on_people(read_votes(tmp_path/"votes.csv"), t)
    lone = found.get("people")
    assert lone.n_voters == 1 and np.isnan(lone.ci_low) and lone.why.startswith("one voter")
    assert found.get("reward").ci_low < found.get("reward").ci_high and found.get("reward").why == ""
    assert np.isnan(found.get().ci_low) and not found.get().equivalent
    assert "no interval (one voter" in found.sentences()[0]
    said = effect_on_people(read_votes(tmp_path/"votes.csv"), t.assign(model="my-own-2-model")).sentences()[0]
    assert said.startswith("my-own-2-model: effect ") # a hyphen of its name is no minus


def test_one_prompt_has_no_interval_and_says_so():
    t = scored().assign(prompt_id="q")
    found = effect_on_people(read_votes(cast()), t)
    assert all(np.isnan(found.get(of).ci_low) and found.get(of).why.startswith("one prompt")
               for of in ("people", "reward", "excess over people"))
    found.plot().to_dict()


def test_hostile_words_stay_words():
    v = cast().assign(voter=lambda d: "<script>" + d.voter)
    found = effect_on_people(read_votes(v), scored(model="<img src=x onerror=1>|a"))
    assert "<img" not in found._repr_markdown_()


def audited(folder, n=30):
    world = TextWorld("length")
    audit = Audit(world.examples(n, np.random.default_rng(0)), "length", world.rewriter,
                  CallableReward("chars", lambda p, r: [len(x)/100 for x in r], key="chars"), folder)
    audit.score()
    audit.close()
    return audit


def test_a_ballot_is_blind_and_comes_back_as_votes(tmp_path):
    audit = audited(tmp_path)
    kept = [pd.read_parquet(tmp_path/f"{name}.parquet") for name in ("examples", "rewrites", "scored")]
    assert kept[0].example_id.tolist() == audit.examples.example_id.tolist()
    ballot, key = make_ballot(*kept[:2], 12, np.random.default_rng(3))
    assert len(ballot) == 12 and set(key.first_is) == {"treated", "untreated"}
    assert not {"example_id", "draw", "w"} & set(ballot)
    longer = np.where(ballot["first"].str.len() > ballot.second.str.len(), "first", "second")
    filled = pd.concat([ballot.assign(voter=v, choice=longer) for v in ("Ann", "Bob")])
    filled.to_csv(tmp_path/"votes.csv", index=False)
    key.to_csv(tmp_path/"key.csv", index=False)
    found = effect_on_people(read_votes(tmp_path/"votes.csv", tmp_path/"key.csv"), kept[2])
    assert found.get("people").estimate > .8 and found.get().estimate == 0  # both choose the longer text
    single, _ = make_ballot(*kept[:2], 5, np.random.default_rng(3), versions="single")
    originals = set(kept[0].response)
    assert all(len({a, b} & originals) == 1 for a, b in zip(single["first"], single.second))


def test_the_audit_keeps_its_examples_whatever_rides_along(tmp_path):
    world = TextWorld("length")
    table = world.examples(6, np.random.default_rng(0)).assign(
        odd=[1, "two", None, [3], {"four": 4}, "\ud800"], **{"7": 1.5})
    audit = Audit(table, "length", world.rewriter,
                  CallableReward("chars", lambda p, r: [len(x) for x in r], key="c"), tmp_path)
    audit.rewrite()
    kept = pd.read_parquet(tmp_path/"examples.parquet")
    assert kept.response.tolist() == table.response.tolist() and kept.odd[1] == "two" and kept.odd[3] == "[3]"


def test_people_with_prompts_of_their_own_have_an_interval():
    t = scored()                                        # two responses to a prompt
    v = cast(each=6)
    v = v[v.voter.str[1:].astype(int).eq(v.example_id.str[1:].astype(int) // 2 % 6)]
    v = v[v.example_id != "e3"]                         # uneven
    e = effect_on_people(read_votes(v), t).get()
    assert e.n_voters == 6 and e.ci_low < e.estimate < e.ci_high and e.why == "" and 2 < e.df < 6


def test_few_voters_are_a_caution():
    few = effect_on_people(read_votes(cast(voters=3, each=2)), scored())
    assert any("3 voters for m: intervals from so few" in n for n in few.notes)
    assert not any("voters for m" in n for n in effect_on_people(read_votes(cast()), scored()).notes)


def juries():
    import importlib.util
    spec = importlib.util.spec_from_file_location("juries", ROOT/"benchmarks"/"people.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_excess_covers_its_truth_and_has_its_planned_power():
    "A seeded sample of benchmarks/people.py, whose figures for 2,000 samples stand in benchmarks/README.md"
    sim = juries()
    found = sim.coverage(250, [sim.TRIALS[k] for k in (2, 5, 6, 9)])
    assert found.covered.between(.95 - .055, .99).all(), found
    happened = sim.power(250, [(10, 100, 2), (50, 100, 3)])
    slack = .05 + 3*(.25/250)**.5
    assert (happened.planned - happened.happened).abs().max() < slack, happened
    assert (happened.planned_none - happened.happened_none).abs().max() < slack, happened


def test_real_pairs_with_planted_votes(data):
    found = juries().imdb(data/"imdb_counterfactual")
    assert found.versions == "single rewrite, editor's style included" and found.get().n_pairs == 488
    assert found.get("reward").estimate > .85 and abs(found.get("people").estimate - .8) < .08


@pytest.mark.slow
def test_the_run_from_ballot_to_report(tmp_path):
    from rate_nb.batch.notebooks import RunError, check_inputs, run_notebook, run_notebooks
    audited(tmp_path/"audit")
    book, at = run_notebooks()["people"], dict(audit=str(tmp_path/"audit"), run_dir=str(tmp_path/"out"))
    run_notebook(book, tmp_path/"out"/"ballot.ipynb", at | dict(ballot=20))
    ballot = pd.read_csv(tmp_path/"out"/"ballot.csv")
    filled = pd.concat([ballot.assign(voter=v, choice=["first", "second", "tie", "first"]*5)
                        for v in ("Ann", "Bob", "Eve")])
    filled.to_csv(tmp_path/"votes.csv", index=False)
    check_inputs(book, at | dict(votes=str(tmp_path/"votes.csv"))) # the key lies in the run folder
    run_notebook(book, tmp_path/"out"/"people.ipynb", at | dict(votes=str(tmp_path/"votes.csv")))
    said = json.loads((tmp_path/"out"/"summary.json").read_text())
    excess = next(r for r in said["table"] if r["of"] == "excess over people" and r["estimand"] == "ATE")
    assert excess["n_votes"] == 60 and isinstance(excess["estimate"], float) and not said["planted"]
    page = (tmp_path/"out"/"report.html").read_text()
    assert "excess over people" in page and "planted by a simulation" not in page
    with pytest.raises(RunError, match="ballot was made of rewrites"):
        run_notebook(book, tmp_path/"out"/"x.ipynb", at | dict(votes=str(tmp_path/"votes.csv"),
                                                              versions="single"))


@pytest.mark.parametrize("rounding", [0., 1e-17])
def test_choices_all_alike_have_no_interval_whatever_the_rounding(rounding):
    alike = Effect(1. - 2*rounding, rounding, 1. - 4*rounding, 1., df=20., level=.95, n_clusters=21)
    assert _on_scale(alike).ci_low == _on_scale(alike).ci_high == 1.


def on(pairs, **options): # votes on these pairs alone
    v = cast(200, **options)
    return v[v.example_id.isin([f"e{k}" for k in pairs])]


def planted(n=200, seed=0, **columns): # people and the reward like the same versions, more or less
    rng = np.random.default_rng(seed)
    liked = rng.normal(size=n)
    w = np.arange(n) % 2
    t = scored(n).assign(reward_rewrite=0., reward_rewrite_of_rewrite=np.where(w == 1, 1, -1)*(liked + 1))
    votes = pd.DataFrame([(f"e{k}", f"v{v}", "treated" if liked[k] + .3*rng.normal() > 0 else "untreated")
                          for k in range(n) for v in rng.choice(12, 2, replace=False)],
                         columns=["example_id", "voter", "choice"])
    return votes, t.assign(**columns)


def test_margins_of_all_pairs_help_few_votes_and_say_how_much():
    v, t = planted(400)
    some = v[v.example_id.str[1:].astype(int) % 4 == 0]
    found = effect_on_people(read_votes(some), t)
    assert set(found.powered.estimand) == {"ATU"} and any("no ATE" in n for n in found.notes)
    few = v[v.example_id.isin([f"e{k}" for k in np.random.default_rng(1).permutation(400)[:100]])]
    r = effect_on_people(read_votes(few), t).powered.set_index("estimand").loc["ATE"]
    assert r.votes_worth > 1.3*r.n_votes and r.votes_saved == r.votes_worth - r.n_votes
    assert r.ci_high - r.ci_low < .9*(r.alone_high - r.alone_low) and r.n_all_pairs == 400
    whole = effect_on_people(read_votes(v), t)
    assert whole.powered.empty and whole.transport.empty
    assert not any("margins" in s for s in whole.sentences())


@pytest.mark.parametrize("change", [
    dict(reward_rewrite_of_rewrite=0.),                                       # a judge of ties
    dict(reward_rewrite_of_rewrite=np.where(np.arange(200) % 2, 3., -3.))])   # one margin for all
def test_a_judge_that_says_one_thing_changes_nothing(change):
    t = planted(**change)[1]
    r = effect_on_people(read_votes(on(range(100))), t).powered
    assert (r.weight == "0.00").all() and np.allclose(r.ci_low, r.alone_low) and (r.votes_saved == 0).all()


@pytest.mark.parametrize("votes, said", [
    (on(range(100)).assign(choice="treated"), "all alike"),
    (on(range(100)).assign(choice="tie"), "all alike"),
    (on(range(100)).drop_duplicates("example_id").assign(voter="v"), "one voter"), (on([3]), "one prompt")])
def test_votes_that_carry_no_error_get_no_interval_from_margins(votes, said):
    found = effect_on_people(read_votes(votes), planted()[1])
    first = found.powered.iloc[0]
    assert first.why.startswith(said) and np.isnan(first.ci_low) and np.isnan(first.votes_worth)
    assert not any("count like" in s for s in found.sentences())


def test_few_prompts_are_rough_and_one_large_prompt_is_no_many():
    r = effect_on_people(read_votes(on(range(78))), planted()[1]).powered.iloc[0]
    assert r.n_prompts == 39 and r.caution == "rough interval: 39 prompts with votes, fewer than 40"
    assert not effect_on_people(read_votes(on(range(80))), planted()[1]).powered.iloc[0].caution
    big = planted(prompt_id=["big"]*150 + [f"q{k}" for k in range(50)])[1]
    r = effect_on_people(read_votes(on(range(0, 200, 3))), big).powered.iloc[0]
    assert r.ci_high - r.ci_low > 1 and "degrees of freedom" in r.caution


def test_several_rewards_one_of_them_lost_or_named_like_the_row_of_all():
    t = planted()[1]
    lost = pd.concat([t.assign(model="all together"), t.assign(model="b", reward_rewrite=np.nan)])
    found = effect_on_people(read_votes(on(range(100))), lost)
    assert set(found.powered.model) == {"all together"}
    assert not found.transport.recorded.str.endswith(" b").any()
    twins = pd.concat([t.assign(model="all together"), t.assign(model="b")])
    found = effect_on_people(read_votes(on(range(100))), twins)
    names = found.powered.drop_duplicates("model").model.tolist()
    assert names == ["all together", "b", "(all together)"]
    one, two, both = (found.powered[found.powered.model.eq(m)].iloc[0] for m in names)
    assert np.isclose(both.ci_low, one.ci_low) and two.ci_low == one.ci_low and both.rewards == 2
    assert sum("margins" in s for s in found.sentences()) == 1 # of both together


def test_where_people_voted_is_said_first_if_it_is_elsewhere(tmp_path):
    v, t = planted()
    best = t.example_id[np.argsort(-contrast_of(t))[:60]]
    found = effect_on_people(read_votes(v[v.example_id.isin(best)]), t)
    assert found.sentences()[0].startswith("Pairs with votes are not like the others (p < 0.001")
    title = found.plot().to_dict()["title"]["text"]
    assert "".join(title).startswith("Effect ") # the finding, not the warning
    two = pd.concat([t.assign(draw=0), t.assign(draw=1)])
    found = effect_on_people(read_votes(on(range(100)).assign(draw=0)), two)
    assert "draw differs" in found.sentences()[0]
    audit = audited(tmp_path, 60)
    ids = audit.examples.example_id
    short = audit.examples.response.str.len().argsort()
    votes = pd.DataFrame(dict(example_id=ids.iloc[short[:25]], draw=0, choice="treated"))
    found = audit.people(pd.concat([votes, votes.assign(choice="untreated")]))
    assert found.transport.recorded.tolist()[-2:] == ["characters, treated", "characters, untreated"]
    assert found.sentences()[0].startswith("Pairs with votes are not like the others")
    assert (tmp_path/"people_powered.csv").is_file() and found.get("people").n_voters == 0


def contrast_of(t): return ((2*t.w - 1)*(t.reward_rewrite_of_rewrite - t.reward_rewrite)).to_numpy()


def test_anonymous_votes_need_no_names():
    v, t = planted()
    some = v[v.example_id.isin([f"e{k}" for k in range(100)])]
    named, unnamed = (effect_on_people(read_votes(x), t) for x in (some, some.drop(columns="voter")))
    assert unnamed.get("people").estimate == named.get("people").estimate and unnamed.get().n_voters == 0
    assert any("anonymous" in n for n in unnamed.notes) and not any("anonymous" in n for n in named.notes)
    assert unnamed.agreement.people_agree[0] == named.agreement.people_agree[0]
    assert unnamed.agreement[["per_prompt", "per_voter", "per_vote"]].isna().all(axis=None)
    assert read_votes(some.assign(voter=" ")).voter.isna().all()
    with pytest.raises(SchemaError, match="in every row, or in none"):
        read_votes(some.assign(voter=lambda d: d.voter.mask(d.index % 2 == 0)))


@pytest.mark.parametrize("choice", [0, .5, 1, "0", "1.0"])
def test_numbers_are_no_choices(choice):
    with pytest.raises(SchemaError, match="must be one of treated, untreated, tie"):
        read_votes(on(range(10)).assign(choice=choice))


@pytest.mark.slow("a sample of the simulation in benchmarks/people.py")
def test_few_votes_and_all_margins_cover_the_effect_on_people():
    sim = juries()
    found = sim.assisted(150, [sim.DOCKETS[k] for k in (0, 2, 5, 6, 8)])
    assert found.covered.between(.95 - .055, 1).all() and (found.covered < 1).any(), found
    assert (found.width[found.agree.eq(0)] < 1.015).all(), found
    assert ((found.width - found.in_theory).abs().dropna() < .04).all(), found


def test_a_judge_and_a_reward_help_the_votes_on_one_audit(tmp_path):
    "A judge's verdicts stand in the scored table; its contrasts are margins like a reward's"
    world = TextWorld("length")
    prefer = lambda p, a, b: [float(np.sign(len(x) - len(y))) for x, y in zip(a, b)]
    longer = CallableJudge("longer", prefer, "1", True)
    audit = Audit(world.examples(80, np.random.default_rng(0)), "length", world.rewriter,
                  [longer, CallableReward("chars", lambda p, r: [len(x)/100 for x in r], key="c")], tmp_path)
    t = audit.score()
    rng = np.random.default_rng(1)
    pairs = t.drop_duplicates(["example_id", "draw"]).sample(45, random_state=0)
    votes = pd.concat([pairs[["example_id", "draw"]].assign(
        voter=f"v{k}", choice=np.where(rng.random(45) < .6, "treated", "untreated")) for k in range(4)])
    found = audit.people(votes)
    assert found.powered.drop_duplicates("model").model.tolist()[-1] == "all together"
    assert {"longer", "chars"} <= set(found.powered.model)
    assert (found.powered.n_all_pairs[found.powered.estimand.eq("ATE")] > 50).all()
    page = audit.report().read_text()
    assert "What people choose" in page and "margins of all rewards" in page
