"estimate_effects against computations that share no code with it"
import numpy as np, pandas as pd, pytest
from scipy.stats import t
from plain_cr2 import cr2
from rate_nb.base.core import InputError, SchemaError
from rate_nb.estimators.effects import (
    correct_label_error, error_rate, estimate_contrastive_effects, estimate_effects)
from rate_nb.estimators.heterogeneity import compare_models, effect_regression, heterogeneity_test, panel


def scored_table(n=600, prompts=60, draws=1, missing=0., seed=0):
    rng = np.random.default_rng(seed)
    one = pd.DataFrame(dict(example_id=np.arange(n), prompt_id=rng.integers(0, prompts, n),
                            w=rng.integers(0, 2, n), topic=rng.choice(["a", "b"], n)))
    one["reward_original"] = rng.normal(size=n) + one.w
    df = pd.concat([one.assign(draw=k, model="m", reward_rewrite=rng.normal(size=n),
                               reward_rewrite_of_rewrite=rng.normal(size=n) + one.w,
                               reward_same_target=rng.normal(size=n)) for k in range(draws)],
                   ignore_index=True)
    for column in ("reward_rewrite", "reward_rewrite_of_rewrite"):
        df.loc[rng.random(len(df)) < missing*(1 + df.w), column] = np.nan
    return df


def by_hand(df):
    "The paper's formulas in pandas: naive, and ATT, ATU, ATE of single and rate"
    sign = 2*df.w - 1
    df = df.assign(single=sign*(df.reward_original - df.reward_rewrite),
                   rate=sign*(df.reward_rewrite_of_rewrite - df.reward_rewrite))
    per_text = df.groupby("example_id")[["w", "reward_original", "single", "rate"]].mean()
    means, share = per_text.groupby("w").mean(), per_text.w.mean()
    out = {("naive", "ATE"): means.reward_original[1] - means.reward_original[0]}
    for e in ("single", "rate"):
        out |= {(e, "ATT"): means[e][1], (e, "ATU"): means[e][0],
                (e, "ATE"): share*means[e][1] + (1 - share)*means[e][0]}
    return out


@pytest.mark.parametrize("draws", [1, 3])
@pytest.mark.parametrize("missing", [0., .15])
def test_point_estimates(draws, missing):
    df = scored_table(draws=draws, missing=missing)
    effects = estimate_effects(df)
    for (estimator, estimand), value in by_hand(df).items():
        assert abs(effects.get(estimator, estimand).estimate - value) < 1e-12, (estimator, estimand)


def test_row_order_and_labels_of_clusters_do_not_matter():
    df = scored_table(draws=2, missing=.1)
    shuffled = df.sample(frac=1, random_state=1).assign(prompt_id=lambda d: "p" + d.prompt_id.astype(str))
    a, b = (estimate_effects(d).table.select_dtypes("number") for d in (df, shuffled))
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


def test_standard_errors_are_cr2_of_the_regression():
    df = scored_table(n=300, prompts=25)
    df["contrast"] = (2*df.w - 1)*(df.reward_rewrite_of_rewrite - df.reward_rewrite)
    effects = estimate_effects(df)
    def agrees(ours, part, X, y, c):
        value, V, dof = cr2(X, y.to_numpy(), part.prompt_id.to_numpy(), c)
        assert abs(ours.estimate - value[0]) < 1e-12 and abs(ours.std_error - V[0, 0]**.5) < 1e-12
        assert abs(ours.df - dof[0]) < 1e-9
        assert abs(ours.ci_high - ours.estimate - t.ppf(.975, dof[0])*V[0, 0]**.5) < 1e-10
    for estimand, part in (("ATT", df[df.w == 1]), ("ATU", df[df.w == 0]), ("ATE", df)):
        agrees(effects.get("rate", estimand), part, np.ones((len(part), 1)), part.contrast, [1.])
    agrees(effects.get("naive", "ATE"), df, np.c_[df.w, 1. - df.w], df.reward_original, [1., -1.])


@pytest.mark.parametrize("cluster", ["prompt_id", None])
def test_intervals_are_the_classical_ones_where_every_prompt_has_the_same_rows(cluster):
    "G/(G-1) and G-1, written out; four rows of each arm in every prompt"
    df = scored_table(n=240).assign(prompt_id=np.arange(240) % 30, w=np.arange(240)//30 % 2)
    prompt = df.prompt_id if cluster else df.example_id
    effects = estimate_effects(df, cluster=cluster)
    rows = [("naive", "ATE"), ("rate", "ATT"), ("rate", "ATU"), ("rate", "ATE")]
    sd = np.sqrt((df.reward_original[df.w == 1].var() + df.reward_original[df.w == 0].var())/2)
    c = (2*df.w - 1)*(df.reward_rewrite_of_rewrite - df.reward_rewrite)
    for estimator, estimand in rows if cluster else rows[1:]:
        y, use = (df.reward_original, df.w >= 0) if estimator == "naive" else (c, df.w >= 0)
        use = use & (df.w == dict(ATT=1, ATU=0).get(estimand, df.w))
        if estimator == "naive":
            mean = y.groupby(df.w).transform("mean")
            psi = ((y - mean)*np.where(df.w == 1, 1/(df.w == 1).sum(), -1/(df.w == 0).sum()))
        else:
            psi = (y[use] - y[use].mean())/use.sum()
        per = psi.groupby(prompt[use]).sum()
        G = len(per)
        old = np.sqrt(G/(G - 1)*(per**2).sum())
        e = effects.get(estimator, estimand)
        assert abs(e.std_error - old) < 1e-12 and abs(e.df - (G - 1)) < 1e-9 and e.n_clusters == G
        assert abs(e.ci_high - e.estimate - t.ppf(.975, G - 1)*old) < 1e-12
        assert abs(e.smd - e.estimate/sd) < 1e-12


def test_a_mean_over_prompts_of_equal_size_has_the_classical_interval_whatever_their_arms():
    df = scored_table(n=240).assign(prompt_id=np.arange(240) % 30)
    per = ((2*df.w - 1)*(df.reward_rewrite_of_rewrite - df.reward_rewrite)).groupby(df.prompt_id).mean()
    e = estimate_effects(df, estimators=["rate"]).get("rate", "ATE")
    assert abs(e.std_error - per.std(ddof=1)/30**.5) < 1e-12 and abs(e.df - 29) < 1e-9


def test_std_error_with_missing_rewrites_is_the_numerical_influence():
    "Each row's influence by weighting it a little more; the prompt's share of the weights corrects"
    df = scored_table(missing=.15)
    d = ((2*df.w - 1)*(df.reward_rewrite_of_rewrite - df.reward_rewrite)).to_numpy()
    seen = ~np.isnan(d)
    sd = df.reward_original.to_numpy()

    def ate_and_smd(weight):
        mean = lambda a: np.average(d[(df.w == a) & seen], weights=weight[(df.w == a) & seen])
        share = np.average(df.w, weights=weight)
        ate = share*mean(1) + (1 - share)*mean(0)
        within = 0.
        for a in (0, 1):
            k, x = weight[df.w == a], sd[df.w == a]
            within += (k*(x - np.average(x, weights=k))**2).sum()
        return np.array([ate, ate/np.sqrt(within/(weight.sum() - 2))])

    bump, psi = 1e-5, []
    for g in df.prompt_id.unique():
        up, down = np.ones(len(df)), np.ones(len(df))
        up[df.prompt_id == g] += bump
        down[df.prompt_id == g] -= bump
        weighs = sum(np.mean(df.w == a)*(seen & (df.w == a) & (df.prompt_id == g)).sum()
                     / (seen & (df.w == a)).sum() for a in (0, 1))
        psi.append((ate_and_smd(up) - ate_and_smd(down))/(2*bump)/np.sqrt(1 - weighs))
    ate, d_error = np.sqrt(np.sum(np.square(psi), axis=0))
    e = estimate_effects(df).get("rate", "ATE")
    assert e.std_error == pytest.approx(ate, rel=1e-7)
    # the degrees of freedom of a standard deviation are constants here, and move by 1/n there
    assert e.standardised().std_error == pytest.approx(d_error, rel=1e-4)


def test_cohens_d_is_the_papers():
    df = scored_table()
    s1, s0 = (df.reward_original[df.w == a].var(ddof=1) for a in (1, 0))
    n1, n0 = (df.w == 1).sum(), (df.w == 0).sum()
    pooled = np.sqrt(((n1 - 1)*s1 + (n0 - 1)*s0)/(n1 + n0 - 2))
    for row in estimate_effects(df).table.itertuples():
        assert row.smd == pytest.approx(row.estimate/pooled, rel=1e-12)


def test_groups_are_the_same_as_running_on_each_subset():
    df = scored_table(missing=.1)
    together = estimate_effects(df, by="topic").table
    for topic, part in df.groupby("topic"):
        alone = estimate_effects(part).table
        pd.testing.assert_frame_equal(together[together.topic
                                               == topic].drop(columns="topic").reset_index(drop=True), alone)


def test_missing_rewrites_are_counted_by_arm_and_keep_the_weights():
    df = scored_table()
    gone = df.index[df.w == 1][:40]
    df.loc[gone, "reward_rewrite"] = np.nan
    e = estimate_effects(df).get("rate", "ATE")
    assert (e.n, e.n_treated, e.n_missing_treated, e.n_missing_untreated) == (600, (df.w == 1).sum(), 40, 0)
    att, atu = (estimate_effects(df).get("rate", k).estimate for k in ("ATT", "ATU"))
    assert e.estimate == pytest.approx(df.w.mean()*att + (1 - df.w.mean())*atu, abs=1e-12)


def test_same_depth_needs_its_column_and_uses_it():
    df = scored_table()
    effects = estimate_effects(df, estimators=["same_depth"])
    assert effects.get("same_depth",
                       "ATT").estimate == pytest.approx((df.reward_same_target - df.reward_rewrite)[df.w
                           == 1].mean(), abs=1e-12)
    with pytest.raises(SchemaError, match="reward_same_target"):
        estimate_effects(df.drop(columns="reward_same_target"), estimators=["same_depth"])


def test_only_the_rewards_that_are_read_must_be_there():
    df = scored_table(draws=2, missing=.1)
    once = df.drop(columns=["reward_rewrite_of_rewrite", "reward_same_target"])
    mine = {"mine": {"reward_original": 1., "reward_rewrite": -1.}}
    for names in ("naive", "single", ("naive", "single"), mine):
        here = estimate_effects(once, estimators=names, bootstrap=20, rng=0)
        there = estimate_effects(df, estimators=names, bootstrap=20, rng=0)
        pd.testing.assert_frame_equal(here.table, there.table)
    assert set(estimate_effects(once, estimators=(k for k in ["single"])).table.estimator) == {"single"}
    rewrites = df.drop(columns="reward_original")
    found, whole = (estimate_effects(d, estimators="rate").table for d in (rewrites, df))
    assert found.smd.isna().all() and whole.smd.notna().all()
    pd.testing.assert_frame_equal(found.drop(columns=[c for c in found if c.startswith("smd")]),
                                  whole.drop(columns=[c for c in whole if c.startswith("smd")]))
    for table, names, lacks in ((once, ("single", "rate"), "1 column missing: reward_rewrite_of_rewrite"),
                                (once[["example_id", "w"]], "naive", "missing: prompt_id, draw, model, "
                                                                     "reward_original"),
                                ([], "rate", "expected a pandas DataFrame, got list")):
        with pytest.raises(SchemaError, match=lacks):
            estimate_effects(table, estimators=names)


@pytest.mark.parametrize("change, options, says", [
    (lambda d: d, dict(estimators=["rats"]), "unknown estimator 'rats'"),
    (lambda d: d, dict(estimators=[]), "`estimators` is empty"),
    (lambda d: d, dict(level=95), "Write 0.95"),
    (lambda d: d, dict(cluster="topics"), "`cluster` names the column 'topics'"),
    (lambda d: d, dict(by="colour"), "`by` names the column 'colour'"),
    (lambda d: d.assign(topic=None), dict(by="topic"), "is missing in 600 rows"),
    *((lambda d, c=c: d.assign(**{c: d.topic}), dict(by=["topic", c]),
       f"`by` names the column '{c}', .*rename")
      for c in ("n", "estimate", "df", "p_value", "estimand", "estimator", "original", "contrast rate")),
    (lambda d: d.assign(w=np.nan), {}, "no labelled example"),
    (lambda d: d.assign(w=2), {}, "`w` must be 0 or 1"),
    (lambda d: d.assign(reward_rewrite=np.inf), {}, "must be a finite number"),
    (lambda d: d.assign(reward_original=np.nan, reward_rewrite=np.nan), {}, "no estimator has a usable "
                                                                            "contrast"),
    (lambda d: pd.concat([d, d.assign(draw=1, w=1 - d.w)]), {}, "`w` must be the same in every draw"),
    (lambda d: pd.concat([d.assign(size="low"), d[3:5].assign(draw=1, size="high")]), dict(by="size"),
     r"`size` must be the same .* within 2 examples \(3, 4\): example_id 3 holds 'low', 'high'. Give all "),
])
def test_errors_say_what_to_do(change, options, says):
    with pytest.raises((InputError, SchemaError), match=says):
        estimate_effects(change(scored_table()), **options)


def test_contrastive_effects_are_the_pointwise_ones_for_a_subtracting_judge():
    from rate_nb.estimators.effects import contrast, estimate_contrastive_effects
    df = scored_table(draws=2, missing=.1)
    judged = df.drop(columns=["reward_original", "reward_rewrite", "reward_rewrite_of_rewrite",
                              "reward_same_target"]).assign(contrast=contrast(df, "rate"))
    for options in ({}, dict(by="topic"), dict(cluster=None, level=.9), dict(bootstrap=50, rng=1)):
        same = ["estimand", "estimate", "std_error", "ci_low", "ci_high", "n", "n_missing_treated"]
        a, b = estimate_effects(df, estimators=["rate"],
                                **options).table, estimate_contrastive_effects(judged, **options).table
        pd.testing.assert_frame_equal(a[same], b[same])
        assert b.smd.isna().all()
    with pytest.raises(SchemaError, match="contrast"):
        estimate_contrastive_effects(df)


def test_dtypes_and_models():
    df = scored_table()
    plain = estimate_effects(df).table
    for w in (df.w.astype(bool), df.w.astype("Int64"), df.w.astype(float), df.w.astype(object)):
        pd.testing.assert_frame_equal(estimate_effects(df.assign(w=w)).table, plain)
    nullable = df.assign(reward_rewrite=df.reward_rewrite.astype("Float64"))
    pd.testing.assert_frame_equal(estimate_effects(nullable).table, plain)
    two = estimate_effects(pd.concat([df.assign(model="b"),
                                      df.assign(model="a", reward_original=2*df.reward_original)]))
    assert list(two.table.model.unique()) == ["b", "a"]
    with pytest.raises(InputError, match="Name one of 'b', 'a'"):
        two.get("rate", "ATE")
    assert two.get("naive", "ATE",
                   model="a").estimate == pytest.approx(2*two.get("naive", "ATE", model="b").estimate)


def test_partly_unlabelled_and_partly_lost():
    df = scored_table()
    some = df.assign(w=df.w.astype(float).where(df.index % 3 != 0))
    effects = estimate_effects(some)
    assert (effects.get("rate",
                        "ATE").n == some.w.notna().sum()
            and "200 examples without a label are left out." in effects.notes)
    pd.testing.assert_frame_equal(effects.table, estimate_effects(some.dropna(subset="w")).table)
    gone = df.assign(reward_rewrite=df.reward_rewrite.where(df.w == 1))
    effects = estimate_effects(gone)
    assert (set(effects.table.query("estimator == 'rate'").estimand) == {"ATT"}
            and effects.get("naive", "ATE").n == 600)
    # both arms' originals still count
    assert effects.get("rate", "ATT").smd == pytest.approx(estimate_effects(df).get("rate", "ATT").smd)
    with pytest.raises(InputError, match="lack a reward it needs"):
        effects.get("rate", "ATE")


# --- Cohen's d, whose denominator is estimated

def test_models_that_differ_by_their_scale_alone_do_not_differ():
    "In standard deviations they are equal but for rounding, and rounding has no p-value"
    df = scored_table(60, 20)
    rewards = [c for c in df if c.startswith("reward_")]
    for k in (.3, 7, 10):
        scaled = df.assign(model="scaled", **{c: k*df[c] + 1 for c in rewards})
        both = estimate_effects(pd.concat([df, scaled]))
        row, = compare_models(both).itertuples()
        assert (row.difference, row.ci_low, row.ci_high, row.p_value) == (0, 0, 0, 1)
        same = heterogeneity_test(both)
        assert (same.statistic, same.p_value) == (0, 1) and "inconclusive" not in str(same)


def test_a_bootstraps_p_value_goes_with_its_interval():
    "The row, the panel and the table say the same, in rewards and in standard deviations"
    found = estimate_effects(scored_table(60, 12), bootstrap=99, rng=0)
    row, closed = found.get("rate"), estimate_effects(scored_table(60, 12)).get("rate")
    t = found.table.set_index(["estimator", "estimand"]).loc[("rate", "ATE")]
    assert row.p_value() == t.p_value != closed.p_value() == row.p_value(1e-300)
    for unit, own in (("reward", t.p_value), ("sd", t.smd_p_value)):
        assert panel({"a": found}, unit=unit).table.p_value[0] == own
        once = estimate_effects(scored_table(60, 12))
        joint, = once.joint([once._row("rate", "ATE")], unit).effects()
        assert panel({"a": once}, unit=unit).table.p_value[0] == pytest.approx(joint.p_value(), rel=1e-9)


@pytest.mark.parametrize("value", [.1, .7, 4.1, 1e6 + .1])
def test_a_constant_reward_has_no_effect(value):
    "Rounding is no difference"
    table = scored_table(120, 20)
    t = estimate_effects(table.assign(**{c: value for c in table if c.startswith("reward_")})).table
    assert (t.estimate == 0).all() and (t.p_value == 1).all() and t.smd.isna().all()


@pytest.mark.parametrize("by", ["group", "level", "p_zero"])
def test_groups_may_have_the_names_of_fields(by):
    table = scored_table()
    found, same = (estimate_effects(table.assign(**{c: table.topic}), by=c).get("rate", **{c: "b"})
                   for c in (by, "colour"))
    assert found == same and found.group == ("b",) and found.level == .95


def test_a_regression_ignores_categories_that_no_row_has():
    table = scored_table()
    for estimand, lone in (("ATE", []), ("ATU", table.index[table.w == 1][:9])):
        words = table.topic.mask(table.index.isin(lone), "c")
        held = table.assign(topic=pd.Categorical(words, ["x", "b", "a", "c"]))
        text, kinds = (effect_regression(d, "topic", estimand=estimand)[0].estimate
                       for d in (table.assign(topic=words), held))
        assert list(kinds.index) == ["effect at 0", "topic_a"]
        assert kinds.sum() == pytest.approx(text["effect at 0"]) # of topic a
    for asked, says in ((dict(model="zz"), "`model` must be one of 'm', not 'zz'"),
                        (dict(estimand="AT"), "'ATE', not 'AT'")):
        with pytest.raises(InputError, match=says):
            effect_regression(table, "topic", **asked)


def test_error_rates_are_shares_or_counts_and_a_perfect_sample_is_not_perfect_knowledge():
    for wrong in ((1, 0), (-5, -10), (11, 10), (1, 2, 3), (True, 2), True, "0.9", 0, 1.2, np.nan):
        with pytest.raises(InputError, match="must be a share above 0"):
            error_rate(wrong, "sensitivity")
    assert error_rate(1, "sensitivity") == (1., 0.)
    assert error_rate((9, 10), "sensitivity") == (.9, .9*(1 - .9)/10)
    assert error_rate((40, 40), "sensitivity")[1] == pytest.approx(40/41*1/41/41)
    known, checked = (correct_label_error(scored_table(), r, r).std_error for r in (1., (40, 40)))
    assert (checked > known).tolist() == [True, True, False, True] # rates do not enter the ATE of rate


ONCE = dict(estimand_over="each prompt once")


def of_unequal_prompts(missing=0., seed=0): # contrasts rise with the size of the prompt
    rng = np.random.default_rng(seed)
    sizes = np.maximum(rng.lognormal(1, 1, 40).round().astype(int), 1)
    prompts = np.repeat(np.arange(40), sizes)
    df = scored_table(n=len(prompts), missing=missing, seed=seed).assign(prompt_id=prompts)
    return df.assign(reward_rewrite_of_rewrite=df.reward_rewrite_of_rewrite
                     + (2*df.w - 1)*np.log(sizes)[df.prompt_id])


def test_each_prompt_once_is_the_t_interval_over_prompts():
    "Plain numpy, and statsmodels' weighted least squares with cluster-robust errors"
    import statsmodels.api as sm
    df = of_unequal_prompts()
    effects, usual = estimate_effects(df, **ONCE), estimate_effects(df)
    sign, pooled = 2*df.w - 1, usual.get("rate", "ATE").estimate/usual.get("rate", "ATE").smd
    kwds = lambda part: dict(cov_type="cluster", cov_kwds=dict(groups=part.prompt_id, use_correction=False))
    for name, second in (("single", df.reward_original), ("rate", df.reward_rewrite_of_rewrite)):
        df["c"] = sign*(second - df.reward_rewrite)
        for estimand, part in (("ATT", df[df.w == 1]), ("ATU", df[df.w == 0]), ("ATE", df)):
            means = part.groupby("prompt_id").c.mean()
            G, e = len(means), effects.get(name, estimand)
            half = t.ppf(.975, G - 1)*means.std(ddof=1)/G**.5
            np.testing.assert_allclose([e.estimate, e.ci_low, e.ci_high, e.df, e.n_clusters],
                                       [means.mean(), means.mean() - half, means.mean() + half, G - 1, G],
                                       rtol=1e-10, atol=1e-12)
            size = part.groupby("prompt_id").c.transform("size")
            fit = sm.WLS(part.c, np.ones(len(part)), weights=1/size).fit(**kwds(part))
            assert e.std_error == pytest.approx(fit.bse.iloc[0]*(G/(G - 1))**.5, rel=1e-10)
            assert e.smd == pytest.approx(e.estimate/pooled), "in the unit of d over responses"
    assert abs(usual.get("rate", "ATE").estimate - e.estimate) > .1, "another estimand"
    size = df.groupby(["prompt_id", "w"]).w.transform("size")
    fit = sm.WLS(df.reward_original, np.c_[np.ones(len(df)), df.w], weights=1/size).fit(**kwds(df))
    naive = effects.get("naive")
    assert naive.estimate == pytest.approx(fit.params.iloc[1], rel=1e-10)
    assert 1 < naive.std_error/fit.bse.iloc[1] < 1.1 # CR2 against CR0
    prompts = pd.DataFrame(dict(example_id=np.arange(40), prompt_id=np.arange(40), draw=0, model="m", w=1,
                                contrast=df.groupby("prompt_id").c.mean().to_numpy()))
    boot = dict(bootstrap=199, rng=3)
    same = estimate_contrastive_effects(prompts, **boot).get("rate", "ATT")
    e = estimate_effects(df, estimators="rate", **ONCE, **boot).get("rate", "ATE")
    assert (e.ci_low, e.ci_high) == pytest.approx((same.ci_low, same.ci_high), rel=1e-5)


def test_each_prompt_once_with_missing_rewrites_keeps_the_weights():
    "Of a prompt: its labelled arms' shares; arms that lack every contrast are those of the other prompts"
    df = of_unequal_prompts(missing=.15, seed=2)
    effects = estimate_effects(df, estimators="rate", **ONCE)
    df["c"] = (2*df.w - 1)*(df.reward_rewrite_of_rewrite - df.reward_rewrite)
    cells = df.groupby(["prompt_id", "w"]).agg(n=("c", "size"), mean=("c", "mean")).reset_index()
    cells["share"] = cells.n/cells.groupby("prompt_id").n.transform("sum")
    seen, total = cells[cells["mean"].notna()], cells.groupby("w").share.sum()
    assert len(seen) < len(cells)
    arm = lambda a: np.average(seen["mean"][seen.w == a], weights=seen.share[seen.w == a])
    assert effects.get("rate", "ATE").estimate == pytest.approx((total*[arm(0), arm(1)]).sum()/total.sum())
    for estimand, a in (("ATT", 1), ("ATU", 0)):
        e, own = effects.get("rate", estimand), seen["mean"][seen.w == a]
        assert (e.estimate, e.std_error) == pytest.approx((own.mean(), own.std(ddof=1)/len(own)**.5))
        assert e.n == len(df) and e.n_missing_treated == df.c[df.w == 1].isna().sum()
    def ate(keep): # the same from its definition, without one prompt
        some = cells[cells.prompt_id != keep]
        there, share = some[some["mean"].notna()], some.groupby("w").share.sum()
        by_arm = [np.average(there["mean"][there.w == a], weights=there.share[there.w == a]) for a in (0, 1)]
        return (share*by_arm).sum()/share.sum()
    left = np.array([ate(g) for g in df.prompt_id.unique()])
    jackknife = (39/40*((left - left.mean())**2).sum())**.5
    assert effects.get("rate", "ATE").std_error == pytest.approx(jackknife, rel=.03)


def test_each_prompt_once_is_response_by_response_where_prompts_are_equal():
    df = scored_table(n=240).assign(prompt_id=np.arange(240)//4, w=np.arange(240) % 2)
    a, b = estimate_effects(df).table, estimate_effects(df, **ONCE).table
    np.testing.assert_allclose(a.select_dtypes("number"), b.select_dtypes("number"), rtol=1e-9)
    alone = estimate_effects(df.assign(prompt_id=df.example_id), cluster=None, **ONCE).table
    np.testing.assert_allclose(estimate_effects(df, cluster=None).table.estimate, alone.estimate)


def test_each_prompt_once_in_groups_draws_models_and_clusters():
    df = of_unequal_prompts(seed=4)
    whole = estimate_effects(df, by="topic", **ONCE)
    for topic, part in df.groupby("topic"):
        e, own = whole.get("rate", "ATE", topic=topic), estimate_effects(part, **ONCE).get("rate", "ATE")
        assert (e.estimate, e.std_error, e.smd) == pytest.approx((own.estimate, own.std_error, own.smd))
    assert 0 <= heterogeneity_test(whole).p_value <= 1
    twice = pd.concat([df, df.assign(draw=1)], ignore_index=True)
    two = estimate_effects(pd.concat([twice, twice.assign(model="n")]).sample(frac=1, random_state=1), **ONCE)
    for m in "mn":
        e, own = two.get("rate", "ATT", model=m), estimate_effects(df, **ONCE).get("rate", "ATT")
        assert (e.estimate, e.std_error, e.df) == pytest.approx((own.estimate, own.std_error, own.df))
    sites = df.assign(site=df.prompt_id % 8)
    df["c"] = (2*df.w - 1)*(df.reward_rewrite_of_rewrite - df.reward_rewrite)
    means = df.groupby("prompt_id").c.mean().to_numpy()
    e = estimate_effects(sites, cluster="site", **ONCE).get("rate", "ATE")
    value, V, _ = cr2(np.ones((40, 1)), means, np.arange(40) % 8, np.ones(1))
    assert (e.estimate, e.std_error) == pytest.approx((value[0], V[0, 0]**.5)) and e.n_clusters == 8
    for cluster in (None, "topic"):
        with pytest.raises(InputError, match="all responses to a prompt in one cluster"):
            estimate_effects(df, cluster=cluster, **ONCE)


def test_each_prompt_once_is_named_and_its_notes_are_about_prompts():
    df = of_unequal_prompts(seed=6)
    big = df.assign(prompt_id=np.where(df.index < len(df)//2, 0, df.prompt_id + 1))
    usual, once = estimate_effects(big), estimate_effects(big, **ONCE)
    for said in (repr(once), once._repr_html_(), once._repr_markdown_()):
        assert "each prompt counts once" in said and "Each prompt counts once" in said and "prompts" in said
    assert any("Large prompts" in n for n in usual.notes)
    assert not any("Large prompts" in n or "size of their prompts" in n for n in once.notes)
    assert list(once.summary().prompts)[-1] == str(big.prompt_id.nunique())
    rare = df.assign(reward_rewrite=0., reward_rewrite_of_rewrite=(2*df.w - 1)*(df.prompt_id == 3)*9.)
    notes = estimate_effects(rare, estimators="rate", **ONCE).notes
    assert any("Skewed means of prompts, rate ATE" in n for n in notes)
    flat = df.assign(reward_rewrite=.1, reward_rewrite_of_rewrite=.1 + (2*df.w - 1)*.7)
    e = estimate_effects(flat, estimators="rate", **ONCE)
    assert not any("Skewed" in n for n in e.notes) and e.get("rate").std_error == pytest.approx(0, abs=1e-12)
