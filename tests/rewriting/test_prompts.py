"Rewriting prompts: what is asked, what is generated, what is estimated"
import pandas as pd, pytest
from servers import Endpoint
from rate_nb.llm.chat import FunctionEndpoint
from rate_nb.base.core import check_table, InputError
from rate_nb.rewriting.chains import rewrite_prompts, prompt_compliance
from rate_nb.llm.calls import Reply
from rate_nb.rewriting.chains import FunctionRewriter, tokens_used
from rate_nb.base.store import Store


def examples(n=8, prompt=lambda i: f"Tell me about topic {i}."):
    return pd.DataFrame(dict(example_id=[f"e{i}" for i in range(n)], prompt_id=[f"p{i}" for i in range(n)],
                             prompt=[prompt(i) for i in range(n)],
                             response=[f"By people, {i}." for i in range(n)],
                             w=[i % 2 for i in range(n)]))


def reword(prompt, text,
           target): return text.removesuffix(" At length.").removesuffix(" Briefly.") + (" At length."
               if target else " Briefly.")
def answer(messages): return "Well. " + "Details. " * (3 if "At length" in messages[-1]["content"]
                                                       else 0) + messages[-1]["content"].split(" ")[-2]


@pytest.mark.parametrize("draws,depth,both", [(1, 2, False), (2, 3, False), (1, 2, True)])
def test_every_cell_holds_the_response_to_its_own_prompt(draws, depth, both):
    table = rewrite_prompts(examples(), "length", reword, answer, draws=draws, depth=depth, both=both)
    assert (check_table(table, "rewrites") is table
            and len(table) == 8 * draws * depth * (1 + both)
            and table.status.eq("ok").all())
    for r in table.itertuples():
        assert (r.prompt_text.endswith(" At length." if r.target_w else " Briefly.")
                and r.text == answer([dict(content=r.prompt_text)])
                and r.prompt_status == "ok")
    plain = rewrite_prompts(examples(), "length", reword, answer)
    assert plain.target_w.tolist() == [1, 0, 0, 1] * 4 and plain.depth.tolist() == [1, 2] * 8


def test_statuses_of_prompts_and_of_responses():
    ex = examples(6)
    def bad(prompt, text, target):
        if "topic 0" in text:
            return "I'm sorry, but I can't help with that."
        if "topic 1" in text:
            return " "
        return text if "topic 2" in text else reword(prompt, text, target)
    said = {"topic 3": Reply("Details and th", "length"),
            "topic 4": Reply("I'm sorry, but I can't help with that.", "stop"),
            "topic 5": Reply(error="HTTP 400")}
    class Generator(FunctionEndpoint):
        def rewrite(self, q): return next((r for k, r in said.items() if k in q.messages()[-1]["content"]),
                                          super().rewrite(q))
    table = rewrite_prompts(ex, "length", bad, Generator(answer)).set_index(["example_id", "depth"])
    assert table.status.unstack().to_numpy().tolist() == [["refused"] * 2, ["empty"] * 2, ["ok"] * 2,
                                                          ["truncated"] * 2, ["ok"] * 2, ["failed"] * 2]
    assert table.prompt_status.unstack()[1].tolist() == ["refused", "empty", "unchanged", "ok", "ok", "ok"]
    assert (table.loc[["e0", "e1"]].text.isna().all()
            and table.text[("e4", 1)].startswith("I'm sorry")
            and table.error[("e5", 1)] == "HTTP 400")


def test_over_the_wire_and_once(tmp_path):
    # one prompt for all, as in IMDB
    ex = examples(6, prompt=lambda i: "Write a movie review.")
    with Endpoint(lambda messages, attempt: f"Review {attempt}: " + answer(messages)) as box:
        rewriter = FunctionRewriter(reword, "reword-1", store=tmp_path / "s.sqlite")
        run = lambda **kw: rewrite_prompts(ex, "length", rewriter, box.engine(store=tmp_path / "s.sqlite"),
                                           **kw)
        table, again = run(), run()
        calls = rewriter.calls, len(box.bodies)
        more = run(draws=2)
        paid = tokens_used(table)
    assert calls == (4,
                     12) and again.text.equals(table.text) and again.cached.all() and not table.cached.any()
    # six independent generations of each of two prompts
    assert len({b["seed"] for b in box.bodies[:12]}) == 6
    # a second draw leaves the first as it was
    assert len(box.bodies) == 24 and more[more.draw == 0].text.tolist() == table.text.tolist()
    # the function that rewrote the prompts used none
    assert paid == dict(prompt=12 * 11, completion=12 * 2) and table.key.is_unique
    assert table.prompt_tokens.ge(11).all() and set(table.model) == {"judge-0612"} and Store(
        tmp_path / "s.sqlite").counts()["rewrite"] == 24 + rewriter.calls


def test_the_rewriter_sees_the_prompt_as_its_text_and_nothing_else():
    seen = []
    rewrite_prompts(examples(2), "length", lambda prompt, text, target: seen.append((prompt, text))
                    or reword(prompt, text, target), answer)
    assert {p for p, _ in seen} == {""} and not any("By people" in t for _, t in seen)


def test_a_system_message_is_part_of_what_is_asked():
    seen = []
    a, b = (rewrite_prompts(examples(2), "length", reword, lambda m: seen.append(m) or "Well.", system=s)
            for s in ("", "You are terse."))
    assert ([m["role"] for m in seen[-1]] == ["system", "user"]
            and len(seen[0]) == 1
            and a.instruction_id[0] != b.instruction_id[0])


def test_uptake_takes_its_cut_from_the_originals():
    ex = examples(40).assign(response=["x" * (5 + i % 20) for i in range(40)])
    # three of four, in both arms
    willing = lambda asked: "At length" in asked and int(asked.split("topic ")[1].split(".")[0]) // 2 % 4
    table = rewrite_prompts(ex, "length", reword, lambda m: "y" * 50 if willing(m[-1]["content"]) else "y")
    told = prompt_compliance(ex, table, "length")
    # all longer than people's
    assert prompt_compliance(ex,
                             rewrite_prompts(ex, "length", reword,
                                             lambda m: "y" * (50 if willing(m[-1]["content"]) else 30)),
                             "length").treated.eq(1).all()
    assert told.treated.to_dict() == {(1, 0): 0, (1, 1): .75, (2, 0): 0, (2, 1): .75} and told.n.sum() == 80
    with pytest.raises(InputError, match="no label rule"):
        prompt_compliance(ex, table, "formality")
