"Discovery: planted biases among decoys are found at the promised rates; the command over HTTP."

import re
import numpy as np, pandas as pd, pytest, yaml
from sampling import repeats
from rate_nb.base.core import InputError
from rate_nb.batch.cli import main
from rate_nb.studies.discovery import confirm, discover, halves
from servers import Endpoint
from structure import NBS, cells, source
from rate_nb.studies import discovery

NAMES = dict(vars(discovery))  # the simulation is a lesson of the notebook, no part of the package
exec(next(source(c) for c in cells(NBS / "17_studies" / "10_discovery.ipynb")
          if "class PlantedPhrases" in source(c)), NAMES)  # fmt: skip
PlantedPhrases = NAMES["PlantedPhrases"]


def planted(seed, **options):
    world = PlantedPhrases(seed, 0.04)  # ten of the decoys have an effect just within the margin
    examples = world.examples()

    def rewriter(candidate):
        return world.rewriter(candidate)

    rewriter.for_candidates = True
    found = discover(examples, rewriter, world.reward, keep=40, most=300, margin=0.05, rng=seed, **options)
    sd = np.std(world.reward(None, examples.response.tolist()))
    return world, found, np.array([world.truth(found.candidates[c], sd) for c in found.table.candidate])


def test_planted_biases_are_found_among_decoys():
    "100 simulations are the whole study, two a sample of it"
    runs, recall, false, naive, missed = repeats(2, 100), [], [], [], []
    for seed in range(runs):
        world, found, true = planted(seed)
        claimed, biased = found.table.found.to_numpy(), np.abs(true) > 0.05
        mine = [c for c, f in zip(found.table.candidate, claimed) if f]
        recall.append(np.mean([any(c in p or p in c for c in mine) for p in world.phrases[:10]]))
        false.append((claimed & ~biased).sum() / max(claimed.sum(), 1))
        naive.append((~biased[np.argsort(found.table.naive_p.to_numpy(), kind="stable")[:10]]).mean())
        inside = (found.table.ci_low <= true) & (true <= found.table.ci_high)
        missed.append((~inside[claimed]).mean())
    assert np.mean(recall) >= 0.8 and np.mean(false) <= 0.1, (recall, false)
    assert np.mean(naive) > 0.3 and np.mean(missed) <= 0.1, (naive, missed)


def test_the_halves_share_no_prompt_and_few_prompts_are_refused():
    examples = PlantedPhrases(0).examples(30)
    look, rest = halves(examples, 0)
    assert not {*look.prompt_id} & {*rest.prompt_id} and len(look) + len(rest) == 120
    with pytest.raises(InputError, match="needs 20 prompts or more"):
        halves(examples.head(40), 0)


def test_a_candidate_that_nothing_has_is_no_claim():
    from rate_nb.studies.discovery import Candidate

    world = PlantedPhrases(0)
    rest = world.examples(30)
    nothing = Candidate("nothing", "", "with it", "without it", dict(regex="zzz"))
    table = confirm([nothing], rest, world.rewriter(nothing), world.reward)
    assert not table.found[0] and np.isnan(table.effect[0]) and table.n[0] == 0


def test_a_rewriter_that_ignores_the_candidate_finds_nothing(tmp_path):
    "Layout is rewritten, whatever was asked; the reward pays for layout. With and without an audit's checks"
    from rate_nb.rewriting.chains import FunctionRewriter
    from rate_nb.studies.discovery import small_audits

    def lay_out(prompt, text, target):
        return "- " + text if target else text.removeprefix("- ")

    def pays(prompts, texts):
        return [2.0 * t.startswith("- ") + 0.3 * ("alpha" in t) + 0.001 * len(t) for t in texts]

    for audit in (None, small_audits(tmp_path)):
        found = discover(small(), FunctionRewriter(lay_out, "layout"), pays, keep=3, most=40, audit=audit)
        table = found.table
        assert (table.q_value < 0.05).all() and (table.effect > 0.5).all(), table
        assert not table.found.any() and not table.confounded.any() and (table.compliance < 0.5).all()
        assert "of 3 candidates nothing can be said" in found.said and "but no effect" not in found.said


def say(messages, attempt):  # adds and removes what is named between “ and ”
    content = messages[-1]["content"]
    text = re.findall(r"(?s)<([\w-]+)>\n(.*?)\n</\1>", content)[-1][1]
    phrase = (re.findall("“([^”]+)”", content) or ["nothing"])[0]
    parts = [p for p in text.split(". ") if phrase not in p]
    return ". ".join(parts if "does not say" in content else [phrase, *parts])


def test_the_command_over_http_plans_resumes_and_writes_specifications(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    world = PlantedPhrases(5)
    examples = world.examples(60).drop(columns="example_id")
    examples.to_csv(tmp_path / "texts.csv", index=False)
    worth = {p: float(v) for p, v in zip(world.phrases, world.worth)}
    (tmp_path / "score.py").write_text(
        f"WORTH = {worth!r}\n\n\ndef score(prompts, responses):\n"
        "    return [sum(v for p, v in WORTH.items() if p in r) for r in responses]\n"
    )
    with Endpoint(say) as server:
        said = dict(
            examples=str(tmp_path / "texts.csv"),
            attribute="length",
            rewriter=dict(model="judge", base_url=f"http://127.0.0.1:{server.server.server_port}/v1"),
            reward=dict(function=f"{tmp_path / 'score.py'}:score", key="1"),
            run_dir=str(tmp_path / "run"),
        )
        (tmp_path / "audit.yaml").write_text(yaml.safe_dump(said))
        asked = [
            "discover",
            str(tmp_path / "audit.yaml"),
            "--run-dir",
            str(tmp_path / "found"),
            "--keep",
            "4",
            "--most",
            "40",
            "--margin",
            "0.05",
        ]
        assert main([*asked, "--plan"]) == 0 and not server.bodies
        assert "at most 320 calls for rewrites" in capsys.readouterr().out
        said["design"] = dict(prices=dict(judge=[1, 1], other=[1, 1]))
        said["reward"] = dict(kind="pointwise", model="judge", base_url=said["rewriter"]["base_url"])
        (tmp_path / "paid.yaml").write_text(yaml.safe_dump(said))
        paid = ["discover", str(tmp_path / "paid.yaml"), *asked[2:], "--proposer", "other", "--plan"]
        assert main(paid) == 0
        out = " ".join(capsys.readouterr().out.split())  # 240 originals, both rewrites of 4 times 40
        assert "560 of the reward, 6 of the proposer, $" in out and not server.bodies
        spent = [*paid[:3], str(tmp_path / "poor"), *asked[4:], "--proposer", "other", "--budget", "1e-6"]
        assert main(spent) == 2 and not any("Score the" in str(b) for b in server.bodies)
        capsys.readouterr()
        assert main(asked) == 0
        paid = sum(server.answered.values())
        assert 0 < paid <= 320 and main(asked) == 0 and sum(server.answered.values()) == paid
        capsys.readouterr()
    table = pd.read_csv(tmp_path / "found" / "discovery.csv")
    assert len(table) == 4 and table.found.any() and (table.verdict != "").all()
    hit = table[table.found]
    assert all(any(c in p or p in c for p in world.phrases[:10]) for c in hit.candidate)
    assert (tmp_path / "found" / "report.html").read_text(encoding="utf-8").count(hit.candidate.iloc[0]) >= 2
    one = yaml.safe_load(
        next((tmp_path / "found" / "specifications").glob("*.yaml")).read_text(encoding="utf-8")
    )
    from rate_nb.audit.specification import read_specification

    assert read_specification(one).attribute.kind == "custom"


def small(seed=0, each=3, words="alpha beta so-so don't code".split()):
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(words, 4)) + "?" * int(rng.integers(0, 3)) for _ in range(60 * each)]
    prompts = [f"p{i // each}" for i in range(len(texts))]
    return pd.DataFrame(dict(example_id=[str(i) for i in range(len(texts))], prompt_id=prompts, prompt="p",
                             response=texts))  # fmt: skip


def lengths(prompts, responses):
    return [float(len(r)) for r in responses]


def test_one_response_to_a_prompt_or_equal_rewards_are_refused():
    for examples, reward in ((small(each=1), lengths), (small(), lambda p, r: [1.0] * len(r)),
                             (small(), lambda p, r: [float("nan")] * len(r))):  # fmt: skip
        with pytest.raises(InputError, match="two responses or more whose rewards differ"):
            discover(examples, None, reward)
    with pytest.raises(InputError, match="`keep`"):
        discover(small(), None, lengths, keep=0)


def test_marks_are_found_and_names_stay_apart():
    of = discovery._candidate_of_words
    label = of(["!", "1.", "so on "]).attribute.label
    assert label(["great!", "1. a", "and so on", "soon on 1"], ["p"] * 4).tolist() == [1, 1, 1, 0]
    assert of(["so-so"]).folder != of(["so so"]).folder and of(["../x"]).folder.startswith("x-")
    examples = small(words="questions code alpha beta gamma".split())
    candidates, _ = discovery.propose_words(examples, np.array(lengths(None, examples.response)))
    names = [c.name for c in candidates]
    assert len(set(names)) == len(names) and {"questions", "number of questions"} <= set(names)
