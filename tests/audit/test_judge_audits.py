"Audits of judges: both orders, position beside the attribute, trial, price, resume, what it cannot say."
import hashlib, json, math, pickle, re
import numpy as np, pandas as pd, pytest
from rate_nb.audit import Audit, Design, Grading
from rate_nb.audit.manifest import check_scorers
from rate_nb.base.core import BudgetError, InputError, RateError
from rate_nb.base.store import Store
from rate_nb.checkpoints.loading import WORDS, save_tiny, tiny_model, tiny_tokenizer
from rate_nb.diagnostics.diagnosis import diagnose
from rate_nb.estimators.effects import estimate_effects
from rate_nb.llm.chat import FunctionEndpoint
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import FunctionRewriter, double_rewrite
from rate_nb.rewriting.sandbox import Sandbox, longer_wins, read_comparison
from rate_nb.scoring.judges import (
    CallableJudge, DifferenceJudge, LLMJudge, LocalJudge, PairJudge, judge_messages, judge_rewrites,
    position_effects, verdicts_to_scored)
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.scoring.rewards import score_rewrites, to_scored
from rate_nb.theory.text_world import TextWorld

LENGTH, FEELING = TextWorld("length"), TextWorld("sentiment")


def some(n=12, world=LENGTH, seed=1): return world.examples(n, np.random.default_rng(seed))


def always_a(prompts, firsts, seconds): return np.ones(len(firsts))


def by_length(prompts, firsts, seconds): return [np.sign(len(a) - len(b)) for a, b in zip(firsts, seconds)]


def characters(): return CallableReward("characters", lambda prompts, rs: [len(r)/100 for r in rs], key="1")


class Counting(FunctionRewriter):
    "A rewriter that counts what it is asked"
    def __init__(self, world=LENGTH):
        self.asked = 0
        def rewrite(prompt, text, target):
            self.asked += 1
            return world.rewriter(prompt, text, target)
        super().__init__(rewrite, "counting")


def test_a_judge_that_always_says_a_has_position_effect_1_and_is_refuted(tmp_path):
    audit = Audit(some(), "length", LENGTH.rewriter, [LLMJudge(lambda m: "A", "says A")], tmp_path)
    effects, found = audit.effects(), audit.diagnose()
    place = found.table[found.table.check == "position"].iloc[0]
    assert position_effects(audit.tables.verdicts).position_effect.tolist() == [1.]
    assert effects.get("rate", "ATE").estimate == 0 and found.verdict() == "failed"
    assert (place.verdict, place.estimate, place.equivalence_margin) == ("failed", 1., .25)
    assert "Up to 0.25 would not matter" in place.finding and "position" in found.headline()
    assert not (effects.table.estimator == "naive").any() and effects.table.smd.isna().all()
    assert any("position effect +1.000" in note for note in effects.notes)


def test_what_needs_levels_is_named_as_not_possible(tmp_path):
    audit = Audit(some(), "length", LENGTH.rewriter, CallableJudge("longer", by_length, "1", True), tmp_path)
    table = audit.diagnose().table.set_index("check")
    assert "not possible with a judge" in table.finding["additivity of words"]
    assert audit.diagnose().verdict(claim="originals' style") != "passed"
    with pytest.raises(InputError, match="gives contrasts"):
        audit.calibrate()


def test_a_difference_of_rewards_is_audited_as_the_reward_is():
    "Every check that allows contrasts gives the same numbers from verdicts as from rewards"
    examples = some(40, FEELING)
    rewrites = double_rewrite(examples, "sentiment", FunctionRewriter(FEELING.rewriter, "rules"), both=True,
                              depth=3, draws=2)
    reward = CallableReward("taste", FEELING.reward)
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, reward, progress=False))
    judge = DifferenceJudge(reward)
    verdicts = judge_rewrites(examples, rewrites, [judge])
    assert (verdicts.first_chosen == 0).all()
    judged = verdicts_to_scored(examples, rewrites, verdicts, [judge])
    names = ("single", "rate", "same_depth")
    a, b = estimate_effects(scored, estimators=names), estimate_effects(judged, estimators=names)
    columns = ["estimator", "estimand", "estimate", "std_error", "ci_low", "ci_high", "df", "n"]
    pd.testing.assert_frame_equal(a.table[columns], b.table[columns])
    judged = judged.assign(judge_unit=scored.reward_original.std()) # the same unit, for the same margins
    parts = [diagnose(examples, rewrites, t, "sentiment").parts.set_index(["check", "part"]).estimate
             for t in (scored, judged)]
    for check in ("compliance", "same-target placebo", "drift with depth", "attrition"):
        np.testing.assert_allclose(parts[0][check], parts[1][check], atol=1e-10)


def test_prices_of_words_from_contrasts_are_those_from_levels():
    "In pairs whose two texts are drawn apart, a price read from contrasts is the one read from rewards"
    from rate_nb.diagnostics.open_vocabulary import differences
    rng, n = np.random.default_rng(0), 120
    ids = [f"e{i}" for i in range(n)]
    examples = pd.DataFrame(dict(example_id=ids, prompt_id=ids, prompt="q", response="base text here",
                                 w=np.arange(n) % 2))
    def text(target): return " ".join(rng.choice(["plum", "pear", "fig", "nut"], 6)) + " yes"*int(target)
    rows = [(f"e{i}", k, d, (i + d) % 2, text((i + d) % 2), "ok") for i in range(n) for k in range(3)
            for d in (1, 2)]
    rewrites = pd.DataFrame(rows, columns=["example_id", "draw", "depth", "target_w", "text",
                                           "status"]).assign(instruction_id="i")
    def likes(prompts, responses): return [.3*("plum" in r.split()) + .1*r.count("yes") for r in responses]
    scored = to_scored(examples, rewrites, score_rewrites(examples, rewrites, likes, progress=False))
    judge = DifferenceJudge(likes)
    judged = verdicts_to_scored(examples, rewrites, judge_rewrites(examples, rewrites, [judge]), [judge])
    price = [differences(examples, rewrites, t, attribute="length").table.set_index("feature").price
             for t in (scored, judged)]
    assert abs(price[0]["plum"] - .3) < .05 and abs(price[1]["plum"] - .3) < .05


def test_judges_and_rewards_in_one_audit_and_a_second_run_that_asks_nothing(tmp_path):
    asked = []
    def talks(messages):
        asked.append(1)
        return longer_wins(*read_comparison(messages))
    def margin(prompts, pairs): return [len(r.split("B:")[0]) - len(r.split("B:")[1]) for r in pairs]
    def audit():
        talker = LLMJudge(FunctionEndpoint(talks, "v1"), "talker")
        pair = PairJudge(CallableReward("pair", margin, key="1"))
        return Audit(some(), "length", Counting(), [characters(), talker, pair], tmp_path)
    one = audit()
    first, n = one.effects(), len(asked)
    found, page = one.diagnose(), one.report().read_text(encoding="utf-8")
    two = audit()
    two.report()
    assert len(asked) == n > 0 and two.accounts.paid()["forward_passes"] == 0
    pd.testing.assert_frame_equal(first.table, two.effects().table)
    names = {"characters", "talker", "pair"}
    for file in ("effects.csv", "diagnosis.csv", "claims.csv"):
        assert set(pd.read_csv(tmp_path/file).model) == names
    assert set(pd.read_csv(tmp_path/"judges.csv").model) == names - {"characters"}
    assert {"verdicts", "scored"} <= {p.stem for p in tmp_path.glob("*.parquet")}
    assert found.verdict("characters") and (found.table.check == "position").sum() == 2
    assert "go by the place?" in page and "talker seems to pay for length" in page
    said = json.loads((tmp_path/"manifest.json").read_text(encoding="utf-8"))
    assert set(said["judging"]) == names - {"characters"} and set(said["scorers"]) == names
    assert first.get("naive", "ATE", "characters") and first.get("rate", "ATE", "talker").estimate > .9


@pytest.mark.parametrize("judge, said", [
    (CallableJudge("raises", lambda p, a, b: 1/0), "ZeroDivisionError"),
    (CallableJudge("one number", lambda p, a, b: 1.), "one number per pair"),
    (CallableJudge("nothing", lambda p, a, b: [math.nan]*len(a)), "no verdict to 8 of 8"),
    (CallableJudge("ties", lambda p, a, b: [0.]*len(a)), "a tie"),
    (CallableJudge("beyond", lambda p, a, b: [3.]*len(a), bounded=True), "bounded"),
    (LLMJudge(lambda m: "Both are fine.", "chats"), "unparseable")])
def test_a_judge_that_cannot_be_audited_costs_no_rewrite(judge, said, tmp_path):
    rewriter = Counting()
    with pytest.raises(RateError, match=said):
        Audit(some(), "length", rewriter, judge, tmp_path).effects()
    assert rewriter.asked == 0


def test_ties_and_what_cannot_be_read_are_counted_by_order(tmp_path):
    def odd(messages): # silent where the longer is first, and a tie now and then
        question, a, b = read_comparison(messages)
        if len(a) > len(b):
            return "hard to say" if len(a) % 3 == 0 else "A"
        return "tie" if len(b) % 5 == 0 else "B"
    audit = Audit(some(30), "length", LENGTH.rewriter, LLMJudge(odd, "odd"), tmp_path, design=Design(check=0))
    audit.score()
    verdicts = audit.tables.verdicts
    row = position_effects(verdicts).iloc[0]
    rate = verdicts[verdicts.comparison == "rewrite_of_rewrite"]
    assert row.unparseable_treated_first == (rate.status_treated_first == "unparseable").sum() > 0
    assert row.ties_untreated_first == (rate.untreated_first == 0).sum() > 0
    assert row.unparseable_untreated_first == 0 and row.ties_treated_first == 0
    assert row.n + row.n_without_verdict == len(rate) == 30
    page = audit.report().read_text(encoding="utf-8")
    assert "unparseable" in page and "untreated first" in page


def test_a_judge_that_falls_silent_where_it_dislikes_the_first_is_refuted(tmp_path):
    "Half of the longer responses win: the effect is 0, and that of the pairs with both verdicts is 1"
    def graded(silent):
        def talks(messages):
            question, a, b = read_comparison(messages)
            wins = coin(.5, 0, *sorted([a, b])) == 1
            if silent(a, b, wins):
                return "hard to say"
            return "A" if (len(a) > len(b)) == wins else "B"
        where = tmp_path/silent.__name__
        audit = Audit(some(80), "length", LENGTH.rewriter, LLMJudge(talks), where, design=Design(check=0))
        found = audit.diagnose().table.set_index("check").loc["position"]
        return audit.effects().get("rate", "ATE").estimate, found
    def where_it_loses(a, b, wins): return len(a) > len(b) and not wins
    def at_random(a, b, wins): return coin(.06, a, b) == 1
    effect, found = graded(where_it_loses)
    assert effect == 1 and found.verdict == "failed" and found.estimate > .8
    effect, found = graded(at_random)
    assert abs(effect) < .3 and found.verdict == "passed" and "shifts the effect" in found.finding


def test_verdicts_that_are_all_equal_do_not_vouch_for_those_that_are_missing(tmp_path):
    "Silent in both orders where the longer loses: what is left has no spread, and half is missing"
    def audit(share):
        def talks(messages):
            question, a, b = read_comparison(messages)
            wins = coin(share, 0, *sorted([a, b])) == 1
            return longer_wins(question, a, b) if wins else "hard to say"
        return Audit(some(80), "length", LENGTH.rewriter, LLMJudge(talks), tmp_path/f"{share}",
                     design=Design(check=0))
    assert audit(.5).effects().get("rate", "ATE").estimate == 1
    verdicts = [audit(share).diagnose().table.set_index("check").verdict["attrition"] for share in (.5, .96)]
    assert verdicts == ["inconclusive", "passed"]


def openai(box, mode="chat", store=None, **options):
    return OpenAIRewriter("sandbox-rewriter", base_url=box.base_url, api_key=lambda: "x", mode=mode,
                          store=store, **options)


PRICES = {"sandbox-rewriter": (1., 1.)}


def test_plan_price_and_budget_of_a_judge_over_http(tmp_path):
    with Sandbox() as box:
        def audit(where, **options):
            judge = LLMJudge(openai(box, temperature=0, prices=PRICES), "judge")
            return Audit(some(8), "length", openai(box, max_tokens=200), judge, tmp_path/where,
                         design=Design(prices=PRICES), **options)
        whole = audit("whole")
        plan = whole.plan().judging[0]
        assert plan["verdicts"] == plan["calls"] == 8*2*2 and 0 < plan["dollars"] < .1
        effects = whole.effects()
        bill = whole.accounts.judging()["judge"]
        assert 28 <= bill["calls"] <= 32 + 8 and bill["dollars"] > 0 # and 8 for the trial
        n = box.requests
        again = audit("whole")
        assert again.plan().judging[0]["calls"] == 0
        pd.testing.assert_frame_equal(again.effects().table, effects.table)
        assert box.requests == n and again.accounts.judging() == whole.accounts.judging()
        with pytest.raises(BudgetError):
            audit("poor", budget=.004).effects()
        rich = audit("poor", budget=5.)
        rich.effects()
        spent = rich.rewriter.budget.spent + rich.accounts.judging()["judge"]["dollars"]
        assert 0 < spent < 5


def test_a_judge_through_the_batch_api(tmp_path):
    with Sandbox() as box, Store(tmp_path/"s.sqlite") as store:
        from rate_nb.llm.batch_api import BatchLimits
        quick = BatchLimits(poll=.05, poll_longest=.2)
        judge = LLMJudge(openai(box, "batch", store, batch=quick), "batched")
        audit = Audit(some(6), "length", FunctionRewriter(LENGTH.rewriter, "rules"), judge, tmp_path/"run",
                      store=store)
        # a few questions are put call by call, at once; the batch finds their verdicts in the store
        tried = check_scorers(audit.inputs, audit.accounts, audit.folder)
        assert tried["batched"]["verdict"] == "batched: gives verdicts"
        tried = box.requests
        assert 0 < tried <= 8 and not box.desk.batches
        assert audit.effects().get("rate", "ATE").estimate == 1 and len(box.desk.batches) >= 1
        keys = [entry["key"] for entry in box.log]
        assert len(keys) == len(set(keys)) > tried # none was asked twice
        assert audit.accounts.judging()["batched"]["calls"] == len(keys)


def local(folder, **options):
    words = (*WORDS, "A", "B", "or", "word:", "Reply", "with", "one", "better?", "Which", "answer", "is")
    model = tiny_model("LlamaForCausalLM", seed=2, words=words, max_position_embeddings=512)
    save_tiny(folder, model, tiny_tokenizer(words))
    return LocalJudge(folder, device="cpu", name="tiny", least=0, **options)


def test_a_local_judge_reads_the_logits_of_its_answers(tmp_path):
    import torch
    judge = local(tmp_path/"m")
    with Store(tmp_path/"s.sqlite") as store:
        triples = [("the film", "good film", "bad"), ("the film", "bad", "good film")]
        values = [r["value"] for r in judge.compare(triples, store)]
        reader = judge.reward_model.reader
        for (p, a, b), value in zip(triples, values):
            ids = reader.encode(judge_messages(p, a, b, words=("A", "B")))
            with torch.no_grad():
                logits = reader.model(torch.tensor([ids])).logits[0, -1].double()
            pa, pb = (logits[reader.tokenizer.convert_tokens_to_ids(w)].exp().item() for w in "AB")
            assert value == pytest.approx((pa - pb)/(pa + pb), abs=1e-6)
        n = judge.reward_model.forward_passes
        assert [r["value"] for r in judge.compare(triples, store)] == values
        assert judge.reward_model.forward_passes == n == 2
    shy = LocalJudge(tmp_path/"m", device="cpu", least=.999)
    assert {r["status"] for r in shy.compare(triples)} == {"unparseable"}
    long = [("the film", "good " * 600, "bad")]
    assert judge.compare(long)[0]["status"] == "truncated"
    sent = pickle.loads(pickle.dumps(judge.reward_model)) # as to a worker
    assert sent.key == judge.reward_model.key and judge.identity != shy.identity


def test_a_local_judge_is_audited_and_resumed(tmp_path):
    examples = some(6).assign(response=lambda d: d.response.str[:80])
    def run(): return Audit(examples, "length", FunctionRewriter(LENGTH.rewriter, "rules"),
                            local(tmp_path/"m"), tmp_path/"run")
    one = run()
    effects = one.effects()
    assert one.accounts.paid()["forward_passes"] > 0 and one.inputs.identity["reward_models"][0]["key"]
    two = run()
    pd.testing.assert_frame_equal(two.effects().table, effects.table)
    assert two.accounts.paid()["forward_passes"] == 0


def test_where_judges_run(tmp_path):
    from rate_nb.scoring.ray_engine import RayOptions
    def audit(judge): return Audit(some(), "length", LENGTH.rewriter, judge, tmp_path,
                                   design=Design(engine="ray", ray=RayOptions()))
    with pytest.raises(InputError, match="cannot run the judge"):
        audit(CallableJudge("own", always_a))
    assert audit(LLMJudge(lambda m: "A", "asked from here")).inputs.judges
    with pytest.raises(InputError, match="position_margin"):
        Audit(some(), "length", LENGTH.rewriter, always_a, tmp_path/"x", grading=Grading(position_margin=2))


def test_a_judge_that_never_reads_has_its_numbers_under_their_heads(tmp_path):
    page = Audit(some(), "length", LENGTH.rewriter, always_a, tmp_path).report().read_text(encoding="utf-8")
    beside = re.search(r"0: all pairs alike</td>\s*<td[^>]*>(.*?)</td>", page)[1]
    assert beside.isdecimal() # n: a judge has no Cohen's d


@pytest.mark.slow
def test_a_local_judge_on_rays_workers_says_the_same(tmp_path):
    pytest.importorskip("ray", reason="needs the extra `scale`")
    from rate_nb.scoring.ray_engine import RayOptions
    examples = some(6).assign(response=lambda d: d.response.str[:80])
    judge = local(tmp_path/"m")
    tables = [Audit(examples, "length", FunctionRewriter(LENGTH.rewriter, "rules"), judge, tmp_path/where,
                    design=Design(engine=where, ray=ray)).effects().table
              for where, ray in (("local", None), ("ray", RayOptions(workers=1)))]
    columns = ["estimate", "std_error", "ci_low", "ci_high"] # batches differ, and rounding with them
    np.testing.assert_allclose(*(t[columns] for t in tables), atol=1e-5)


# A planted judge: chooses what is shown first with probability (1 + position ± effect)/2.
POSITION, EFFECT = .2, .3


def coin(chance, *words): # +1 with this chance, by a hash of the words
    u = int(hashlib.sha256("|".join(map(str, words)).encode()).hexdigest()[:13], 16)/16**13
    return 1 if u < chance else -1


def test_a_planted_judge_over_http(tmp_path):
    def planted(question, first, second):
        lean = EFFECT if len(first) > len(second) else -EFFECT
        return "A" if coin((1 + POSITION + lean)/2, question, first, second) == 1 else "B"
    with Sandbox(judge=planted) as box:
        audit = Audit(some(240), "length", FunctionRewriter(LENGTH.rewriter, "rules"),
                      LLMJudge(openai(box, temperature=0), "planted"), tmp_path)
        e, place = audit.effects().get("rate", "ATE"), position_effects(audit.tables.verdicts).iloc[0]
    assert abs(e.estimate - EFFECT) < 3*e.std_error and e.ci_low > 0
    assert abs(place.position_effect - POSITION) < 3*place.std_error and place.ci_low > 0


def test_a_tie_that_is_no_verdict_is_counted_as_a_tie():
    examples = some(6)
    rewrites = double_rewrite(examples, "length", FunctionRewriter(LENGTH.rewriter, "rules"))
    judge = LLMJudge(lambda m: "tie", ties="missing")
    row = position_effects(judge_rewrites(examples, rewrites, [judge])).iloc[0]
    assert (row.ties_treated_first, row.ties_untreated_first, row.n, row.n_without_verdict) == (6, 6, 0, 6)
