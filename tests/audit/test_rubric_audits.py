"Audits of rubrics: planted biases and noise, ceilings, variance parts, the cheapest design, plan, resume."

import json, math, re
import numpy as np, pandas as pd
import sampling
from rate_nb.audit import Audit, Design
from rate_nb.audit.criteria import criteria_effects
from rate_nb.audit.manifest import manifest_of
from rate_nb.audit.sample_size import better_spent, plan_design, variance_parts
from rate_nb.estimators.effects import estimate_effects
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.rubrics import Criterion, RubricReward, endpoint_rubric
from rate_nb.stats.inference import t_quantile
from rate_nb.theory.text_world import TextWorld

LENGTH = TextWorld("length")
CRITERIA = [Criterion(n, f"Is it {n}?") for n in ("helpful", "concise", "polite", "right")]
EFFECTS = dict(helpful=0.45, concise=-0.25, polite=0.0, right=0.0)  # of a treated version, before rounding
WHERE = dict(helpful=3.0, concise=3.0, polite=4.9, right=2.5)
NOISE, DRAW = 0.6, 0.3  # of one repeat, of one rewrite


def scores(latent, rng, repeats):  # (…,) latent values → (…, repeats) whole numbers from 1 to 5
    return np.clip(np.round(latent[..., None] + NOISE * rng.normal(size=(*latent.shape, repeats))), 1, 5)


def population(rng, G, m, k, repeats, name):  # scores of both versions: (G, m, k, 2, repeats)
    base = WHERE[name] + 0.4 * rng.normal(size=(G, 1, 1)) + 0.3 * rng.normal(size=(G, m, 1))
    each = np.stack(
        [base + DRAW * rng.normal(size=(G, m, k)) + side * EFFECTS[name] / 2 for side in (-1, 1)], axis=-1
    )
    return scores(each, rng, repeats)


def audit(rng, G=40, m=2, k=1, repeats=2):  # a scored table of the four criteria
    g, e, d = np.unravel_index(np.arange(G * m * k), (G, m, k))
    w, tables = e % 2, []
    for name in EFFECTS:
        untreated, treated = np.moveaxis(
            population(rng, G, m, k, repeats, name).reshape(G * m * k, 2, repeats), 1, 0
        )
        own, other = (
            np.where(w[:, None] == 1, a, b) for a, b in ((treated, untreated), (untreated, treated))
        )
        table = pd.DataFrame(
            dict(
                example_id=[f"{a}-{b}" for a, b in zip(g, e)],
                prompt_id=g.astype(str),
                draw=d,
                model=f"judge · {name}",
                w=w,
                reward_original=own[:, 0],
                reward_rewrite=other.mean(1),
                reward_rewrite_of_rewrite=own.mean(1),
            )
        )
        if repeats > 1:
            for slot, values in (("rewrite", other), ("rewrite_of_rewrite", own)):
                table[f"repeat_variance_{slot}"], table[f"repeats_{slot}"] = values.var(1, ddof=1), repeats
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def truth(n=400_000):  # effect and win rate of each criterion
    rng, found = np.random.default_rng(0), {}
    for name in EFFECTS:
        low, high = np.moveaxis(population(rng, n, 1, 1, 2, name)[:, 0, 0], 1, 0)
        gap = high.mean(1) - low.mean(1)
        found[name] = gap.mean(), ((np.sign(gap) + 1) / 2).mean()
    return found


def test_planted_criteria_are_recovered_and_the_biased_ones_named():
    "2,000 audits are the whole study. The ceiling of `polite` binds: its win rate is covered"
    true, runs = truth(), sampling.repeats(200, 2000)
    rng, held, won, named, false = np.random.default_rng(1), {n: 0 for n in EFFECTS}, 0, 0, 0
    judge = RubricReward(lambda m: "", CRITERIA, "judge")
    for _ in range(runs):
        scored = audit(rng)
        table = criteria_effects(estimate_effects(scored, estimators=("rate",)), scored, [judge])
        of = table.set_index("criterion")
        for name in EFFECTS:
            held[name] += of.ci_low[name] <= true[name][0] <= of.ci_high[name]
        won += of.win_low["polite"] <= true["polite"][1] <= of.win_high["polite"]
        named += {*of.index[of.p_adjusted < 0.05]} >= {"helpful"}
        false += (of.p_adjusted[["polite", "right"]] < 0.05).any()
    slack = 4 * math.sqrt(0.95 * 0.05 / runs)
    low, high = (0.935, 0.965) if runs == 2000 else (0.95 - slack, 0.95 + slack)
    for share in (*(v / runs for v in held.values()), won / runs):
        assert low <= share <= high, (held, won, runs)
    assert named / runs >= 0.95 and false / runs <= 0.05 + slack
    assert of.at_highest["polite"] > 1 / 3 > of.at_highest["helpful"]


SD = dict(p=0.5, e=0.3, r=0.5)  # repeats: as much as all the others of one contrast together


def pilot(rng, G=150, m=2, k=2, q=3):
    noise = math.sqrt(sum(v**2 for v in SD.values()))
    g, e, d = np.unravel_index(np.arange(G * m * k), (G, m, k))
    v = (
        SD["p"] * rng.normal(size=(G, 1, 1))
        + SD["e"] * rng.normal(size=(G, m, 1))
        + SD["r"] * rng.normal(size=(G, m, k))
    ).ravel()
    each = v[:, None] + noise * rng.normal(size=(len(v), q))
    w = e % 2
    return pd.DataFrame(
        dict(
            example_id=[f"{a}-{b}" for a, b in zip(g, e)],
            prompt_id=g.astype(str),
            draw=d,
            model="m",
            w=w,
            reward_original=0.0,
            reward_rewrite=0.0,
            reward_rewrite_of_rewrite=np.where(w == 1, 1, -1) * each.mean(1),
            repeat_variance_rewrite=0.0,
            repeats_rewrite=np.inf,
            repeat_variance_rewrite_of_rewrite=each.var(1, ddof=1),
            repeats_rewrite_of_rewrite=q,
        )
    ), noise**2


COSTS = dict(cost_prompt=0.01, cost_response=0.002, cost_chain=0.02, cost_repeat=0.003)


def cheapest(noise, width, design=None):  # by brute force, at the true variances
    best = math.inf
    for m, k, q in [design] if design else np.ndindex(12, 8, 8):
        m, k, q = (m, k, q) if design else (m + 1, k + 1, q + 1)
        D = SD["p"] ** 2 + (SD["e"] ** 2 + (SD["r"] ** 2 + noise / q) / k) / m
        G = next(G for G in range(2, 100_000) if 2 * t_quantile(0.95, G - 1) * math.sqrt(D / G) <= width)
        each = COSTS["cost_prompt"] + m * (
            COSTS["cost_response"] + k * (COSTS["cost_chain"] + q * COSTS["cost_repeat"])
        )
        best = min(best, G * each)
    return best


def test_variance_parts_and_the_cheapest_design_with_repeats():
    rng, costs, parts = np.random.default_rng(2), [], []
    noise = pilot(rng)[1]
    least = cheapest(noise, 0.3)
    for _ in range(12):
        designs, found = plan_design(pilot(rng)[0], 0.3, **COSTS)
        best = tuple(int(v) for v in designs.loc[0, ["responses", "draws", "repeats"]])
        costs.append(cheapest(noise, 0.3, best) / least)
        parts.append(variance_parts(found).variance)
    assert max(costs) <= 1.1, costs
    mean, error = np.mean(parts, axis=0), np.std(parts, axis=0, ddof=1) / math.sqrt(12)
    true = [SD["p"] ** 2, SD["e"] ** 2, SD["r"] ** 2, noise]
    assert (np.abs(mean - true) < 4 * error + 0.01).all(), (mean, true)
    said = better_spent(designs, (2, 2, 3))
    assert said.startswith("Cheapest for this width:") and "instead of" in said and "of the cost less" in said


def test_repeats_are_no_help_where_they_agree():
    rng = np.random.default_rng(3)
    table, _ = pilot(rng, 60)
    quiet = table.assign(repeat_variance_rewrite_of_rewrite=0.0)
    designs, found = plan_design(quiet, 0.3, **COSTS)
    assert designs.repeats[0] == 1 and variance_parts(found).variance[3] == 0
    plain, _ = plan_design(table.drop(columns=[c for c in table if c.startswith("repeat")]), 0.3, **COSTS)
    assert "repeats" not in plain and better_spent(plain, (2, 2, 1)) == ""


PRICES = {"sandbox-rewriter": (1.0, 1.0)}


def rubric(box, **options):
    return endpoint_rubric(
        "sandbox-rewriter",
        [
            dict(name="helpful", question="How helpful?", weight=2),
            dict(name="right", question="Is it right?", scale="yes/no"),
        ],
        base_url=box.base_url,
        api_key=lambda: "x",
        name="judge",
        prices=PRICES,
        **options,
    )


def test_a_rubric_over_http_its_plan_its_price_and_a_second_run_that_pays_nothing(tmp_path):
    examples = LENGTH.examples(30, np.random.default_rng(1))
    with Sandbox() as box:

        def made(where="run", **options):
            rewriter = OpenAIRewriter("sandbox-rewriter", box.base_url, api_key=lambda: "x", max_tokens=200)
            return Audit(
                examples,
                "length",
                rewriter,
                rubric(box, repeats=2, **options),
                tmp_path / where,
                design=Design(prices=PRICES),
            )

        first = made()
        plan = first.plan().judging[0]
        assert plan["step"] == "scores" and plan["calls"] == 30 * 3 * 2 and plan["dollars"] > 0
        effects = first.effects()
        assert set(effects.table.model) == {"judge", "judge · helpful", "judge · right"}
        assert effects.get("rate", "ATE", model="judge · helpful").estimate > 0
        table = pd.read_csv(tmp_path / "run" / "criteria.csv")
        assert table.alpha.dropna().eq(1).all()  # the rules say the same again
        bill, n = first.accounts.judging()["judge"], box.requests
        assert 0 < bill["calls"] <= plan["calls"] and bill["dollars"] > 0 and n == bill["calls"] + 60
        first.close()
        again = made()
        assert again.plan().judging[0]["calls"] == 0
        pd.testing.assert_frame_equal(again.effects().table, effects.table)
        assert box.requests == n and again.accounts.paid()["judge_calls"] == 0
        manifest = json.loads(json.dumps(manifest_of(again), default=str))
        assert manifest["judging"]["judge"]["calls"] == bill["calls"]
        assert any("at an end of the scale" in note for note in again.effects().notes)
        assert any("by criterion" in note for note in again.effects().notes)


def test_a_rubric_from_a_file_reaches_a_report_without_python(tmp_path, monkeypatch, capsys):
    import yaml
    from rate_nb.batch.cli import main

    examples = LENGTH.examples(24, np.random.default_rng(2))
    examples[["prompt", "response", "w"]].to_csv(tmp_path / "texts.csv", index=False)
    with Sandbox() as box:
        said = dict(
            examples=str(tmp_path / "texts.csv"),
            attribute="length",
            rewriter="sandbox",
            run_dir=str(tmp_path / "run"),
            reward=dict(
                kind="rubric",
                model="sandbox-rewriter",
                base_url=box.base_url,
                name="three",
                criteria=[dict(name=n, question=f"Is it {n}?") for n in ("clear", "right", "kind")],
            ),
        )
        (tmp_path / "audit.yaml").write_text(yaml.safe_dump(said))
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        assert main(["audit", "--config", str(tmp_path / "audit.yaml"), "--quiet"]) == 0
        shown = capsys.readouterr().out
    paid = json.loads((tmp_path / "run" / "paid.json").read_text())
    fewer = paid["judge_questions"] - paid["judge_calls"] # the self-test scores some texts again
    assert fewer == paid["judge_stored_answers"] > 0 and paid["judge_questions"] == paid["forward_passes"]
    assert f"({fewer} of its {paid['judge_questions']} answers took no call" in shown
    assert shown.count("What would decide the open checks of each reward") == 1
    assert shown.count("Do not act on this number yet") == 4 and shown.count("--review 40") == 1, shown
    report = re.sub("</?code[^>]*>", "", (tmp_path / "run" / "report.html").read_text(encoding="utf-8"))
    assert "three · clear" in report and "adjusted for 3 criteria" in report
    # what would decide the checks is said once for all criteria, and as the command takes it
    assert report.count("What would decide the open checks of each reward") == 1
    opening = report.partition("Three estimates")[0]
    assert opening.count("--review 40") == 1 and "=True" not in opening, opening[-3000:]
    assert "--both" in report and "both=True" not in report.partition("The texts")[0]


def test_probes_of_a_file_are_asked_once(tmp_path, monkeypatch, capsys):
    import yaml
    from rate_nb.batch.cli import main

    examples = LENGTH.examples(24, np.random.default_rng(2)).assign(
        prompt_id=[f"p{i // 2}" for i in range(24)]
    )
    examples[["prompt_id", "prompt", "response", "w"]].to_csv(tmp_path / "texts.csv", index=False)
    with Sandbox() as box:
        where = dict(model="sandbox-rewriter", base_url=box.base_url)
        criteria = [dict(name=n, question=f"Is it {n}?") for n in ("clear", "right")]
        reward = [
            dict(kind="rubric", name="scores", criteria=criteria, **where),
            dict(kind="judge", name="pairs", **where),
        ]
        said = dict(
            examples=str(tmp_path / "texts.csv"),
            attribute="length",
            rewriter="sandbox",
            reward=reward,
            run_dir=str(tmp_path / "run"),
        )
        (tmp_path / "audit.yaml").write_text(yaml.safe_dump(said))
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        asked = ["probe", str(tmp_path / "audit.yaml"), "--to", str(tmp_path / "probes.csv")]
        assert main(asked) == 0
        n, table = box.requests, pd.read_csv(tmp_path / "probes.csv").set_index(["model", "probe"])
        assert n > 0 and main(asked) == 0 and box.requests == n
    assert {*table.index} == {
        *(("scores", p) for p in ("order", "template", "verbosity")),
        *(("scores", p) for p in ("label flip", "length", "self-preference")),
        *(("pairs", p) for p in ("position", "template", "label flip", "length", "self-preference")),
        *((f"scores · {c['name']}", "length") for c in criteria),
    }
    assert table.verdict["scores", "order"] == "passed" and table.estimate["pairs", "length"] == 1
    assert table.verdict["scores", "label flip"] == "failed"  # its rules read no question
    ran = table.verdict != "not run"
    assert table.detectable[ran].notna().all() and table.note[~ran].str.contains("`author`").all()
