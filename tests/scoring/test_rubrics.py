"Rubrics over HTTP: structured outputs, log-probabilities or neither; repeats, local models, the plain wire."

import json, math, re
import numpy as np, pandas as pd, pytest
from rate_nb.base.core import InputError
from rate_nb.base.store import Store
from rate_nb.scoring.remote import HTTPReward
from rate_nb.scoring.reward_models import objective_scores, score_texts
from rate_nb.scoring.rewards import criteria_apart, score_rewrites, to_scored
from rate_nb.scoring.judges import LLMJudge, compare_both_orders, judge_rewrites, verdicts_to_scored
from rate_nb.scoring.rubrics import (
    Criterion,
    RubricReward,
    endpoint_rubric,
    local_rubric,
    pointwise,
    self_agreement,
)
from servers import Endpoint, Server, truth

BOTH = [
    Criterion("helpful", "How helpful is the response?", weight=2),
    Criterion("concise", "Is it short?", "yes/no"),
]
TEXTS = [f"It is {'very ' * k}good." for k in range(6)]


def response(messages):
    return re.search(r"(?s)<response>\n(.*?)\n</response>", messages[-1]["content"])[1]


def scores(messages):  # 1 to 5 by words; yes where there are at most six
    words = len(response(messages).split())
    return dict(helpful=min(words - 2, 5), concise="yes" if words <= 6 else "no")


def true(text):
    words = len(text.split())
    return dict(helpful=float(min(words - 2, 5)), concise=float(words <= 6))


def structured(messages, attempt, body):  # what fits the schema, and nothing else
    schema = body["response_format"]["json_schema"]
    assert schema["strict"] and schema["schema"]["additionalProperties"] is False
    said = scores(messages) | dict(reasons="Because it is so.")
    return json.dumps({k: said[k] for k in schema["schema"]["properties"]})


def test_structured_outputs_over_http_and_nothing_is_paid_twice(tmp_path):
    with Endpoint(structured, refuses=["logprobs"]) as server, Store(tmp_path / "s.sqlite") as store:

        def rubric(**options):
            return RubricReward(server.engine(store=store), BOTH, "judge", think=True, repeats=3, **options)

        first = rubric().score_batch([("p", t) for t in TEXTS])
        assert [r["parts"] for r in first] == [true(t) for t in TEXTS]
        assert all(r["said"].count("Because") == 1 for r in first)  # kept aside
        paid = sum(server.answered.values())
        assert paid == 3 * len(TEXTS) and {b["seed"] for b in server.bodies} == {0, 1, 2}
        assert rubric().score_batch([("p", t) for t in TEXTS]) == first
        left = rubric().unanswered([("p", t) for t in TEXTS] + [("p", "new")])
        assert sum(server.answered.values()) == paid and len(left) == 3  # one text, three seeds


def test_log_probabilities_give_expectations(tmp_path):
    def say(messages, attempt, body):
        said, n = scores(messages), body["top_logprobs"]
        assert n == 5
        value = said["helpful"]
        other = value - 1 if value > 1 else 2
        tokens = ['{"helpful":', f" {value}", ', "concise": "', said["concise"], '"}']
        content = [dict(token=t, logprob=0.0, top_logprobs=[]) for t in tokens]
        content[1] |= dict(
            logprob=math.log(0.8), top_logprobs=[dict(token=f" {other}", logprob=math.log(0.2))]
        )
        return dict(message=dict(role="assistant", content="".join(tokens)), logprobs=dict(content=content))

    with Endpoint(say) as server:
        parts = objective_scores("p", TEXTS, RubricReward(server.engine(), BOTH, "judge"))
    helpful = [true(t)["helpful"] for t in TEXTS]
    assert parts["helpful"] == pytest.approx([0.8 * v + 0.2 * (v - 1 if v > 1 else 2) for v in helpful])
    assert parts["concise"].tolist() == [true(t)["concise"] for t in TEXTS]


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_endpoint_with_neither_is_asked_without(form):
    def say(messages, attempt, body):
        assert not {"response_format", "logprobs", "top_logprobs"} & set(body)
        said = scores(messages)
        return (
            f"Here:\n{json.dumps(said)}"
            if form == "json"
            else "\n".join(f"{k}: {v}" for k, v in said.items())
        )

    with Endpoint(say, refuses=["response_format", "logprobs", "top_logprobs"]) as server:
        rubric = RubricReward(server.engine(), BOTH, "judge", form=form)
        rows = rubric.score_batch([("p", t) for t in TEXTS])
    assert [r["parts"] for r in rows] == [true(t) for t in TEXTS]
    whole = [(2 * (true(t)["helpful"] - 1) / 4 + true(t)["concise"]) / 3 for t in TEXTS]
    assert [r["reward"] for r in rows] == pytest.approx(whole)


def test_one_call_for_each_criterion_and_what_cannot_be_read():
    def say(messages, attempt):
        content = messages[-1]["content"]
        said = {k: v for k, v in scores(messages).items() if f"- {k} (" in content}
        assert len(said) == 1
        return (
            json.dumps(said) if "very very very very" not in content else '{"helpful": 11, "concise": "no"}'
        )

    with Endpoint(say) as server:
        rows = RubricReward(server.engine(), BOTH, "judge", separately=True).score_batch(
            [("p", t) for t in TEXTS]
        )
        assert sum(server.answered.values()) == 2 * len(TEXTS)
    assert [r["status"] for r in rows] == ["ok"] * 4 + ["unparseable"] * 2 and rows[-1]["reward"] is None
    with Endpoint(lambda messages, attempt: '{"score": 7}') as server:
        url = f"http://127.0.0.1:{server.server.server_port}/v1"
        one = pointwise("judge", "How good?", base_url=url, name="points", api_key=lambda: "x")
        assert score_texts("p", TEXTS[:2], one).tolist() == [7, 7] and not one.by_criteria
    for wrong in ([], "helpful", [BOTH[0], BOTH[0]]):
        with pytest.raises(InputError, match="`criteria` must"):
            endpoint_rubric("judge", wrong)


def test_repeats_of_a_pairwise_judge_stay_beside_the_mean(tmp_path):
    def say(messages, attempt, body):  # by the seed, which differs between repeats
        first, second = (
            re.search(rf"(?s)<answer-{a}>\n(.*?)\n</answer-{a}>", messages[-1]["content"])[1] for a in "AB"
        )
        return ("A" if len(first) > len(second) else "B") if body["seed"] % 3 else "tie"

    with Endpoint(say) as server, Store(tmp_path / "s.sqlite") as store:

        def judge():
            return LLMJudge(server.engine(store=store), "judge", logprobs=False, repeats=3)

        table = compare_both_orders(["p"] * 2, ["longer text", "x"], ["short", "much longer"], judge(), store)
        assert table.contrast.tolist() == pytest.approx([2 / 3, -2 / 3])
        assert [list(v) for v in table.repeats] == [[0, 1, 1], [0, -1, -1]]
        paid = sum(server.answered.values())
        again = compare_both_orders(["p"] * 2, ["longer text", "x"], ["short", "much longer"], judge(), store)
        assert paid == 2 * 2 * 3 == sum(server.answered.values()) and again.equals(table)
        assert judge().unanswered([("p", "longer text", "short")]) == []


def rewritten(n=8):
    examples = pd.DataFrame(
        dict(
            example_id=[f"e{i}" for i in range(n)],
            prompt_id=[f"p{i // 2}" for i in range(n)],
            prompt="p",
            response=[f"It is {'very ' * (i % 4)}good." for i in range(n)],
            w=[i % 2 for i in range(n)],
        )
    )
    rows = [
        dict(
            example_id=r.example_id,
            draw=0,
            depth=d,
            target_w=(r.w + d) % 2,
            instruction_id="i",
            status="ok",
            text=f"It is {'very ' * (3 * ((r.w + d) % 2) + d % 2)}good.",
        )
        for r in examples.itertuples()
        for d in (1, 2)
    ]
    return examples, pd.DataFrame(rows)


def test_criteria_are_rewards_and_repeats_are_variances():
    def say(messages, attempt, body):
        said = scores(messages)
        return json.dumps(said | dict(helpful=int(np.clip(said["helpful"] + body["seed"] % 2, 1, 5))))

    examples, rewrites = rewritten()
    with Endpoint(say) as server:
        rubric = RubricReward(server.engine(), BOTH, "judge", repeats=2, logprobs=False)
        plain = score_rewrites(examples, rewrites, [rubric, lambda p, r: [len(t) for t in r]], progress=False)
    rewards = criteria_apart(plain, ["judge"])
    assert list(pd.unique(rewards.model)) == ["judge", "judge · helpful", "judge · concise", "<lambda>"]
    assert not any(c.startswith("objective_") and rewards[c].notna().any() for c in rewards)
    scored = to_scored(examples, rewrites, rewards)
    own = scored[scored.model == "judge · helpful"]
    assert (own.repeats_rewrite == 2).all() and own.repeat_variance_rewrite.max() == 0.5
    quiet = scored[scored.model == "judge · concise"]
    assert (quiet.repeat_variance_rewrite == 0).all()
    assert scored[scored.model == "<lambda>"].repeat_variance_rewrite.isna().all()
    judge = LLMJudge(lambda m: "A", "first", repeats=2)
    verdicts = judge_rewrites(examples, rewrites, [judge])
    judged = verdicts_to_scored(examples, rewrites, verdicts, [judge])
    assert (judged.repeat_variance_rewrite_of_rewrite == 0).all()


def test_criteria_of_a_plain_server_are_audited_too():
    def answer(rows):
        return dict(score=rows["score"], criteria=dict(good=rows["score"] / 2, short=None))

    server = Server(break_it=answer)
    try:
        reward = HTTPReward(server.url, "plain", name="mine")
        parts = objective_scores("p", ["good", "bad"], reward)
        assert (
            parts["good"].tolist() == [truth("good") / 2, truth("bad") / 2] and np.isnan(parts["short"]).all()
        )
        examples, rewrites = rewritten(4)
        rewards = criteria_apart(score_rewrites(examples, rewrites, reward, progress=False), ["mine"])
        assert list(pd.unique(rewards.model)) == ["mine", "mine · good"]
    finally:
        server.shutdown()
        server.server_close()


def test_a_local_model_is_asked_by_a_rubric(tmp_path):
    from rate_nb.checkpoints.loading import WORDS, save_tiny, tiny_model, tiny_tokenizer

    save_tiny(tmp_path, tiny_model("LlamaForCausalLM", max_position_embeddings=512), tiny_tokenizer(WORDS))
    rubric = local_rubric(str(tmp_path), BOTH, device="cpu", max_new_tokens=8)
    rows = rubric.score_batch([("the film", "good"), ("the film", "bad")])
    assert {r["status"] for r in rows} <= {
        "unparseable",
        "truncated",
        "empty",
    }  # random weights know no scores
    assert rubric.key and rubric.name == tmp_path.name


def test_agreement_is_undefined_where_nothing_differs():
    assert math.isnan(self_agreement([[3, 3], [3, 3]], [0, 1]).estimate)
    assert math.isnan(self_agreement([[3], [4]], [0, 1]).estimate)
    sure = self_agreement([[1, 1], [2, 2], [5, 5]], [0, 1, 2])
    assert sure.estimate == 1 and math.isnan(sure.ci_low)
    rng = np.random.default_rng(2)
    coin = self_agreement(rng.integers(1, 6, (400, 3)), np.arange(400))
    assert coin.ci_low < 0 < coin.ci_high


def test_expectations_of_look_alikes():
    "A name within another, letters whose lower case is longer, tokens that begin several scores"
    import math
    from rate_nb.llm.chat import Answer
    from rate_nb.scoring.rubrics import Criterion, expected_scores, weighted_whole

    safe, unsafe = Criterion("safe", "Is it?"), Criterion("unsafe", "Is it?")
    half = {"4": math.log(0.5), "5": math.log(0.5)}
    sure = {"4": 0.0}
    tokens = [{"safe": 0.0}, {":": 0.0}, half, {"\n": 0.0}, {"unsafe": 0.0}, {":": 0.0}, sure]
    answer = Answer(dict(safe=4.0, unsafe=4.0), "ok", logprobs=tokens)
    assert expected_scores(answer, [safe, unsafe], "text") == dict(safe=4.5, unsafe=4.0)
    begin = '{"reasons": "' + "ß" * 30 + '", "safe":'
    german = [{begin: 0.0}, half, {', "unsafe":': 0.0}, sure, {"}": 0.0}]
    answer = Answer(dict(safe=4.0, unsafe=4.0), "ok", logprobs=german)
    assert expected_scores(answer, [safe, unsafe]) == dict(safe=4.5, unsafe=4.0)
    digits = [{'{"deep":': 0.0}, {"9": math.log(0.6), "1": math.log(0.4)}, {"}": 0.0}]
    deep = [Criterion("deep", "Is it?", "1-10")]
    assert expected_scores(Answer(dict(deep=9.0), "ok", logprobs=digits), deep) == dict(deep=9)
    digits[1] = {"9": math.log(0.5), "10": math.log(0.25), "1": math.log(0.25)}
    found = expected_scores(Answer(dict(deep=9.0), "ok", logprobs=digits), deep)
    assert found["deep"] == pytest.approx(7.25)
    below = [Criterion("mood", "Is it?", "-2-2")]
    tokens = [{'{"mood":': 0.0}, {"1": math.log(0.6), "-": math.log(0.4)}, {"}": 0.0}]
    assert expected_scores(Answer(dict(mood=1.0), "ok", logprobs=tokens), below) == dict(mood=1)
    assert weighted_whole([Criterion("rude", "Is it?", weight=-2)], dict(rude=5)) == -5


def test_a_service_that_leaves_out_a_criterion():
    "It is a lost score of that criterion, in its row"
    import pandas as pd
    from rate_nb.scoring.rewards import by_objective

    rewards = pd.DataFrame(dict(example_id=["1", "2", "1"], draw=0, depth=0, model=["a", "a", "b"],
                                reward=[1.0, 2.0, 3.0], status="ok"))  # fmt: skip
    apart = by_objective(rewards.assign(objective_x=[1.0, None, None]))
    x = apart[apart.model == "a · x"]
    assert x.status.tolist() == ["ok", "not_finite"] and "b · x" not in set(apart.model)
