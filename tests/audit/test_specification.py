"One specification: every kind is reached from the command, comes back, and errors name what there is."

import inspect, json, re, shlex
from contextlib import closing
from dataclasses import replace
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
import yaml
from rate_nb.audit import Audit, Design, Grading
from rate_nb.audit import specification as S
from rate_nb.base.core import InputError, RateError
from rate_nb.batch import cli, notebooks
from rate_nb.batch.grid_plan import read_grid
from rate_nb.calibration import RCLWR, calibrate_scores
from rate_nb.calibration.score_tables import write_calibration
from rate_nb.checkpoints.loading import WORDS, save_tiny, tiny_model, tiny_tokenizer

FUNCTIONS = """
import numpy as np
def letters(prompts, responses): return [len(r)/100 for r in responses]
def longer(prompts, firsts, seconds):
    return [float(len(a) > len(b)) - float(len(a) < len(b)) for a, b in zip(firsts, seconds)]
def double(prompt, text, target): return text + " " + text + "." if target else text[:len(text)//2 + 1]
def has_code(response): return "```" in response
def make(factor):
    from rate_nb.scoring.reward_models import CallableReward
    return CallableReward("made", lambda prompts, responses: [factor*len(r) for r in responses])
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    "A folder with everything that a specification may name"
    folder = tmp_path_factory.mktemp("spec")
    (folder / "mine.py").write_text(FUNCTIONS)
    texts = [f"{'good film ' * (1 + i % 4)}and bad{' ```x```' * (i % 2)} {i}" for i in range(8)]
    table = pd.DataFrame(
        dict(
            prompt=[f"the film {i}" for i in range(8)],
            response=texts,
            w=[int(i % 4 > 1) for i in range(8)],
            mark=[i % 2 for i in range(8)],
        )
    )
    table.to_csv(folder / "texts.csv", index=False)
    double = lambda t, w: t + " " + t + "." if w else t[: len(t) // 2 + 1]
    rows, scores = [], []
    for prompt, text in zip(table.prompt, texts):
        for first in (0, 1):
            once = double(text, first)
            rows += [(text, first, once), (once, 1 - first, double(once, 1 - first))]
            scores += [(prompt, t, len(t)) for t in (text, once, double(once, 1 - first))]
    pd.DataFrame(rows, columns=["text", "target", "rewrite"]).drop_duplicates().to_csv(
        folder / "rewrites.csv", index=False
    )
    pd.DataFrame(scores, columns=["prompt", "response", "reward"]).drop_duplicates().to_csv(
        folder / "scores.csv", index=False
    )
    known = table[["prompt", "response"]].assign(reward=table.response.str.len() * 1.0)
    write_calibration(calibrate_scores(known, RCLWR(0.9)), folder / "calibrator.parquet")
    save_tiny(folder / "classifier", tiny_model(seed=1))
    words = (*WORDS, "A", "B")
    for name, seed in (("policy", 2), ("reference", 3)):
        save_tiny(
            folder / name,
            tiny_model("LlamaForCausalLM", seed=seed, words=words, max_position_embeddings=512),
            tiny_tokenizer(words),
        )
    np.save(folder / "vector.npy", np.linspace(-1, 1, 16))
    return folder


@pytest.fixture
def listening():
    "Addresses of two servers of rewards on this machine"
    from servers import Server

    made = [Server(), Server()]
    yield [server.url for server in made]
    for server in made:
        server.shutdown()
        server.server_close()


def rewards(place):  # name of a case → what is said under `reward`
    here = lambda name: str(place / name)
    of_file = lambda name: f"{place / 'mine.py'}:{name}"
    classifier = dict(kind="classifier", model=here("classifier"), device="cpu")
    return dict(
        classifier=classifier
        | dict(
            label_index=0,
            output="probability",
            dtype="float32",
            template="response",
            max_length=60,
            truncation="right",
        ),
        plain_folder=here("classifier"),
        implicit=dict(
            kind="implicit", policy=here("policy"), reference=here("reference"), beta=0.2, device="cpu"
        ),
        likelihood=dict(kind="likelihood", model=here("policy"), device="cpu"),
        edit=dict(kind="log_ratio", edited=here("policy"), base=here("reference"), device="cpu"),
        steered=dict(
            kind="log_ratio",
            base=here("policy"),
            device="cpu",
            steering=dict(layer=0, vector=here("vector.npy"), scale=2.0),
        ),
        function=of_file("letters"),
        named=dict(function=of_file("letters"), name="letters", key="1"),
        recipe=dict(kind="recipe", function=of_file("make"), options=dict(factor=2), name="made"),
        scores=dict(kind="file", path=here("scores.csv"), missing="failed"),
        ensemble=dict(kind="ensemble", models=[of_file("letters"), classifier], weights=[1.0, 2.0]),
        http=dict(kind="http", url="http://127.0.0.1:9/", wire="vllm-score", model="tiny"),
        servers=dict(
            kind="http", url=["http://127.0.0.1:9/", "http://127.0.0.1:8/"], model="tiny", label="1"
        ),
        judge=dict(kind="judge", model="sandbox-rewriter", base_url="sandbox", ties="missing", name="asked"),
        local_judge=dict(kind="local_judge", model=here("policy"), device="cpu", least=1e-9),
        rubric=dict(
            kind="rubric",
            model="sandbox-rewriter",
            base_url="sandbox",
            criteria=[
                dict(name="helpful", question="How helpful?", weight=2.0),
                dict(name="right", question="Is it right?", scale="yes/no"),
            ],
            repeats=2,
            think=True,
        ),
        pointwise=dict(kind="pointwise", model="sandbox-rewriter", base_url="sandbox", scale="1-100"),
        local_rubric=dict(
            kind="local_rubric",
            model=here("policy"),
            device="cpu",
            max_new_tokens=4,
            criteria=[dict(name="helpful", question="How helpful?")],
        ),
        pairwise=dict(kind="pairwise", model=classifier),
        judge_function=dict(kind="judge_function", function=of_file("longer")),
        difference=dict(kind="difference", reward=of_file("letters")),
        calibrated=dict(kind="calibrated", reward=of_file("letters"), calibration=here("calibrator.parquet")),
    )


FAST = ["function", "classifier", "judge_function", "http"]
REWARDS = list(rewards(Path(".")))
SCORED = [n for n in REWARDS if n != "local_rubric"]  # random weights write no scores


def rewriters(place):
    return dict(
        sandbox="sandbox",
        function=f"{place / 'mine.py'}:double",
        file=str(place / "rewrites.csv"),
        batch=dict(kind="batch", model="m", base_url="sandbox", limits=dict(poll=0.01, poll_longest=0.02)),
        endpoint=dict(
            model="m",
            base_url="http://127.0.0.1:9/v1",
            temperature=0.5,
            max_retries=0,
            seed=None,
            api_key_env=["FIRST_KEY", "SECOND_KEY"],
            headers={"X-Title": "audit", "X-Key": "$MY_KEY"},
            reasoning_effort="low",
            options=dict(top_p=0.9),
        ),
        local=dict(kind="local", model=str(place / "policy"), device="cpu", max_new_tokens=4),
    )


def labels(place):  # name of a case → what is said under `attribute.label`
    return dict(
        column=dict(column="mark"),
        regex=dict(regex="```"),
        function=dict(function=f"{place / 'mine.py'}:has_code"),
        characteristic=dict(characteristic="characters", above="median"),
        classifier=dict(classifier=str(place / "classifier"), device="cpu", threshold=None, label_index=0),
        of=dict(of="length"),
        judge=dict(judge=dict(model="sandbox-rewriter", base_url="sandbox"), draws=1),
    )


def said(place, folder, **changes):  # a whole specification
    return (
        dict(
            examples=str(place / "texts.csv"),
            rewriter=f"{place / 'mine.py'}:double",
            reward=f"{place / 'mine.py'}:letters",
            design=dict(check=0),
            run_dir=str(folder),
        )
        | changes
    )


def command(config, monkeypatch, *flags):
    "What the run notebook would be given by `rate_nb audit --config`, and the audit that it makes of it"
    asked = {}
    monkeypatch.setattr(
        cli,
        "run_notebook",
        lambda notebook, output, values, stream=None: asked.update(book=notebook, values=values),
    )
    monkeypatch.setattr(cli, "_print_summary", lambda *a, **k: 0)
    monkeypatch.setattr(cli, "_print_audit", lambda *a, **k: 0)
    file = Path(config["run_dir"]).with_suffix(".yaml")
    file.write_text(yaml.safe_dump(config))
    assert cli.main(["audit", "--config", str(file), *flags]) == 0
    return S.read_specification(S.layered(notebooks.check_parameters(asked["book"], asked["values"])))


def made_classes(thing, found):  # names of the classes of rewards and judges that a thing is made of
    found.add(type(thing).__name__)
    for name in ("reward_model", "models", "servers", "reader"):
        inner = getattr(thing, name, None)
        for one in inner if isinstance(inner, list) else [inner]:
            if one is not None and type(one).__module__.startswith("rate_nb"):
                made_classes(one, found)
    return found


def subclasses(cls):
    return {s for sub in cls.__subclasses__() for s in {sub, *subclasses(sub)}}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in FAST else pytest.mark.slow) for n in SCORED]
)
def test_every_reward_goes_from_the_command_to_a_report(name, place, tmp_path, monkeypatch, listening):
    asked = rewards(place)[name]
    if name in ("http", "servers"):
        asked = asked | dict(url=listening[0] if name == "http" else listening)
    config = said(place, tmp_path / "run", reward=asked, rewriter="sandbox")
    spec = command(config, monkeypatch)
    assert Audit.from_config(spec, plan=True).plan().rewriting.calls >= 0
    audit = Audit.from_config(spec)
    assert len(audit.effects().table)
    assert name in FAST or audit.report().exists()


def test_no_kind_of_reward_or_judge_is_out_of_reach(place, tmp_path):
    "A new subclass, whatever its name or visibility, fails here until a specification can name it"
    import importlib, pkgutil
    import rate_nb.scoring
    import rate_nb.calibration

    for package in (rate_nb.scoring, rate_nb.calibration):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    from rate_nb.scoring.judges import Judge
    from rate_nb.scoring.reward_models import RewardModel

    by = S.Building(examples=pd.read_csv(place / "texts.csv"), attribute=S.get_attribute("length"))
    reached, kinds = set(), set()
    with by.services:
        for config in rewards(place).values():
            section = S.read_specification(said(place, tmp_path, reward=config)).reward[0]
            kinds.add(section.kind)
            made_classes(S.make_reward(section, by), reached)
    there = {
        c.__name__ for c in subclasses(RewardModel) | subclasses(Judge)
        # one of a model that is being trained, in studies, is no kind
        if c.__module__.startswith("rate_nb.") and not c.__module__.startswith("rate_nb.studies.")
    }
    abstract = {"TokenReward"}
    by_name_alone = {"UnloadedReward"}  # what a plan makes of those that would have to be loaded
    assert there - abstract - by_name_alone <= reached, there - reached
    known = {S.kind_of(s) for s in S.sections_of("reward")}
    assert known - {"demo", "object"} == kinds


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if n in ("function", "file", "sandbox") else pytest.mark.slow)
        for n in rewriters(Path("."))
    ],
)
def test_every_rewriter(name, place, tmp_path, monkeypatch):
    for variable in ("FIRST_KEY", "SECOND_KEY", "MY_KEY"):
        monkeypatch.setenv(variable, f"secret-{variable}")
    monkeypatch.setattr(S.OpenAIRewriter, "reach", lambda self: None) # nothing answers there
    config = said(place, tmp_path / "run", rewriter=rewriters(place)[name])
    audit = Audit.from_config(command(config, monkeypatch))
    assert "secret" not in json.dumps(audit.to_config()) + json.dumps(audit.inputs.identity)
    if name != "endpoint":
        assert len(audit.effects().table)
        assert name in ("local", "batch", "sandbox") or set(audit.rewrite().status) == {"ok"}


def test_every_kind_of_rewriter_and_label_is_tried(place):
    kinds = {S.short_rewriter(r)["kind"] for r in rewriters(place).values()}
    assert {S.kind_of(s) for s in S.sections_of("rewriter")} - {"demo", "object"} == kinds | {"batch"}
    assert {S.kind_of(s) for s in S.sections_of("label")} == set(labels(place))
    import rate_nb.llm.local, rate_nb.llm.openai, rate_nb.rewriting.chains

    modules = (rate_nb.llm.local, rate_nb.llm.openai, rate_nb.rewriting.chains)
    classes = {
        c.__name__
        for m in modules
        for c in vars(m).values()
        if inspect.isclass(c) and c.__module__ == m.__name__ and hasattr(c, "settings")
    }
    assert classes == {"OpenAIRewriter", "LocalRewriter", "FunctionRewriter"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.slow if n in ("classifier", "judge") else ())
        for n in labels(Path("."))
    ],
)
def test_every_source_of_labels(name, place, tmp_path, monkeypatch):
    table = pd.read_csv(place / "texts.csv").drop(columns="w")
    table.to_csv(tmp_path / "bare.csv", index=False)
    attribute = dict(name="code", treated="with code", untreated="without code", label=labels(place)[name])
    config = said(place, tmp_path / "run", examples=str(tmp_path / "bare.csv"), attribute=attribute)
    audit = Audit.from_config(command(config, monkeypatch))
    assert audit.examples.w.notna().any() and audit.plan()
    assert name not in ("regex", "function", "column") or audit.examples.w.tolist() == [0, 1] * 4
    if name == "judge":  # by the dry run's rule, from the command to the report
        assert set(audit.examples.w_source) == {"judge sandbox-rewriter: with code or without code"}
        assert set(audit.examples.w) == {0, 1} and audit.report().exists()


def judged_code(place, tmp_path, **more):
    table = pd.read_csv(place / "texts.csv").drop(columns="w")
    table.to_csv(tmp_path / "bare.csv", index=False)
    label = dict(judge=dict(model="sandbox-rewriter", base_url="sandbox")) | more
    attribute = dict(name="code", treated="with code", untreated="without code", label=label)
    return said(place, tmp_path / "run", examples=str(tmp_path / "bare.csv"), attribute=attribute)


@pytest.mark.slow("four audits of a dry run")
@pytest.mark.parametrize("second", ["function", "regex", "judge", None])
def test_a_second_labeller_checks_the_judge(second, place, tmp_path, monkeypatch):
    said_of = dict(function=f"{place / 'mine.py'}:has_code", regex="```",
                   judge=dict(model="sandbox-second", base_url="sandbox"))
    config = judged_code(place, tmp_path, **({"second": {second: said_of[second]}} if second else {}))
    with closing(Audit.from_config(command(config, monkeypatch), plan=True)) as planned:
        steps = planned.plan().steps.set_index("step")
    assert ("second labels" in steps.index) == (second is not None)
    if second:
        row = steps.loc["second labels"]
        assert row["at most"] == 16 # eight texts, both ways
        assert ("by sandbox-second" in row["of what"] and "16 calls" in row["of what"]) == (second == "judge")
    audit = Audit.from_config(config)
    (model, findings), = audit.diagnose().findings.items()
    found, = [f.finding for f in findings if f.check == "compliance"]
    checked = audit.diagnose().results["compliance", model]
    if not second:
        assert found.endswith("no second labeller checked it.")
        return
    assert "The judge and a second labeller" in found and "drawn at random" in found
    assert dict(regex="```", function="has_code", judge="sandbox-second")[second] in found
    assert checked.labelling in found
    audit.report()
    audit.close()
    kept = yaml.safe_load((tmp_path / "run" / "audit.yaml").read_text(encoding="utf-8"))
    assert kept["attribute"]["label"]["second"]["kind"] == second
    with closing(Audit.from_config(tmp_path / "run" / "audit.yaml")) as same:
        assert same.diagnose().table.finding.tolist() == audit.diagnose().table.finding.tolist()


def test_a_second_labeller_of_python_comes_back_from_a_file(place):
    from rate_nb.data.attributes import label_rule, make_attribute
    from rate_nb.llm.openai import OpenAIRewriter

    url = "http://127.0.0.1:9/v1"
    judge = lambda model: OpenAIRewriter(model, base_url=url, temperature=0)
    has_code = S.load_function(f"{place / 'mine.py'}:has_code")
    for second in (has_code, dict(function=has_code), label_rule(dict(regex="```"), None), dict(regex="```"),
                   dict(judge=judge("n"), second=dict(regex="a"))):
        label = dict(judge=judge("m"), second=second)
        made = make_attribute("code", "with code", "without code", label=label)
        label = S._Written(None).attribute(made)["label"]
        again = yaml.safe_load(yaml.safe_dump(label)) # plain values
        assert again["judge"]["model"] == "m" and again["judge"]["base_url"] == url
        kept = again["second"]
        assert (kept.get("regex") == "```" or kept.get("function", "").endswith("mine.py:has_code")
                or kept["judge"]["model"] == "n" and kept["second"] == dict(regex="a"))


def test_a_second_labeller_is_another_one_and_reads_any_text(place, tmp_path):
    same = dict(judge=dict(model="sandbox-rewriter", base_url="sandbox"))
    for second, why in ((same, "must be another labeller"), (dict(column="mark"), "must read any text")):
        for plan in (True, False):
            with pytest.raises(InputError, match=why):
                Audit.from_config(judged_code(place, tmp_path, second=second), plan=plan)
    with pytest.raises(InputError, match="no regular expression"):
        Audit.from_config(judged_code(place, tmp_path, second=dict(regex="(")))


def test_questions_and_answers_about_code_need_no_python(place, tmp_path, monkeypatch):
    table = pd.read_csv(place / "texts.csv")
    table = table.rename(columns=dict(prompt="question", response="answer")).drop(columns=["w", "mark"])
    table.to_csv(tmp_path / "qa.csv", index=False)
    text = f"""
examples: {{source: {tmp_path / "qa.csv"}, columns: {{prompt: question, response: answer}}}}
attribute: {{name: contains code, treated: with code, untreated: without code, label: {{regex: '```'}}}}
rewriter: {place / "rewrites.csv"}
reward: {{kind: file, path: {place / "scores.csv"}}}
checks: {{check: 0}}
run_dir: {tmp_path / "run"}
"""
    # the rewrites of the file go by the length of a text; nobody minds here what they change
    config = yaml.safe_load(text) | dict(
        rewriter=f"{place / 'mine.py'}:double", reward=f"{place / 'mine.py'}:letters"
    )
    audit = Audit.from_config(command(config, monkeypatch))
    assert audit.examples.w.tolist() == [0, 1] * 4 and audit.report().exists()
    assert "rate_nb audit --config" in (tmp_path / "run" / "report.html").read_text()
    again = Audit.from_config(tmp_path / "run" / "audit.yaml")
    assert again.inputs.identity == audit.inputs.identity and again.accounts.paid()["rewrite_calls"] == 0


def test_one_prompt_for_all_is_said_before_anything_is_paid(place, tmp_path):
    table = pd.read_csv(place / "texts.csv").assign(prompt="Write a review.")
    audit = Audit.from_config(said(place, tmp_path / "run", examples=table))
    assert any("answer one prompt" in note for note in audit.plan().notes)
    assert audit.effects().table.ci_low.notna().all()


@pytest.mark.parametrize("name", REWARDS)
def test_what_was_said_comes_back(name, place, tmp_path):
    spec = S.read_specification(
        said(
            place,
            tmp_path / "run",
            reward=rewards(place)[name],
            draws=2,
            attribute=dict(name="code", treated="a", untreated="b", label=labels(place)["regex"]),
        )
    )
    words = S._of_section(spec, "", S._Written(tmp_path))
    assert S._of_section(S.read_specification(yaml.safe_load(yaml.safe_dump(words))), "", None) == words


LIVE = [
    "classifier",
    "implicit",
    "likelihood",
    "edit",
    "steered",
    "function",
    "named",
    "recipe",
    "scores",
    "ensemble",
    "http",
    "servers",
    "local_judge",
    "pairwise",
    "judge_function",
    "difference",
    "calibrated",
]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            n, marks=() if n in ("function", "classifier", "steered", "judge_function") else pytest.mark.slow
        )
        for n in LIVE
    ],
)
def test_what_a_notebook_did_is_written_down(name, place, tmp_path):
    "Objects, a table in memory, a function of a file: to words, and from them the same audit"
    by = S.Building(examples=pd.read_csv(place / "texts.csv"), attribute=S.get_attribute("length"))
    made = S.make_reward(
        S.read_specification(said(place, tmp_path, reward=rewards(place)[name])).reward[0], by
    )
    double = S.load_function(f"{place / 'mine.py'}:double")
    audit = Audit(by.examples, "length", double, made, tmp_path / "run", both=True,
                  design=Design(check=0), grading=Grading(margin=0.2))
    words = audit.to_config(tmp_path / "again.yaml")
    assert words["examples"].endswith(".parquet") and words["both"] and words["design"] == {"check": 0}
    assert words["rewriter"].endswith("mine.py:double")
    again = Audit.from_config(tmp_path / "again.yaml")
    assert again.inputs.identity["reward_models"] == audit.inputs.identity["reward_models"]
    assert again.inputs.identity == audit.inputs.identity


def test_what_no_file_can_name_is_refused_by_its_field(place, tmp_path):
    from rate_nb.llm.openai import OpenAIRewriter

    double = S.load_function(f"{place / 'mine.py'}:double")
    table = pd.read_csv(place / "texts.csv")
    audits = (
        ("reward.0.function", "a lambda", dict(reward=lambda p, r: [len(t) for t in r])),
        ("rewriter.function", "a lambda", dict(rewriter=lambda p, t, w: t)),
        ("rewriter.api_key", "environment variable", dict(rewriter=OpenAIRewriter("m", api_key=lambda: "x"))),
    )
    for path, words, changes in audits:
        audit = Audit(
            **dict(
                examples=table,
                attribute="length",
                rewriter=double,
                run_dir=tmp_path / path,
                reward=S.load_function(f"{place / 'mine.py'}:letters"),
                design=Design(check=0),
            )
            | changes
        )
        with pytest.raises(InputError, match=re.escape(f"`{path}`")) as error:
            audit.to_config()
        assert words in str(error.value)


def test_a_grid_varies_any_field(place, tmp_path):
    grid = dict(
        parameters=said(place, tmp_path) | {"run_dir": None},
        grid={
            "reward": [f"{place / 'mine.py'}:letters", rewards(place)["classifier"]],
            "draws": [1, 2],
            "grading.margin": [0.1, 0.2],
        },
    )
    grid["parameters"].pop("run_dir")
    read = read_grid(grid)
    assert len(read.good) == 8 and len({r.id for r in read.runs}) == 8, read.rejected
    wrong = read_grid(grid | dict(grid={"reward.dtpye": ["float32"], "grading.margin": [0]}))
    assert "`reward.dtpye` is not known" in " ".join(wrong.runs[0].faults)
    assert any("above 0" in f for f in wrong.runs[0].faults)
    assert len(read.mine()) == 8


def test_errors_are_said_in_the_words_of_the_interface(place, tmp_path, capsys):
    base = [
        "audit",
        str(place / "texts.csv"),
        "--rewriter-model",
        "m",
        "--reward-model",
        str(place / "classifier"),
        "--run-dir",
        str(tmp_path / "x"),
    ]
    for flags, words in (
        (["-p", "reward.dtpye=bfloat16"], ["-p reward.dtpye", "did you mean 'dtype'"]),
        (["-p", "reward.output=odds"], ["-p reward.output", "'logit', 'probability'"]),
        (["-p", "design.draws=0"], ["--draws must be at least 1"]),
        (["-p", "rewriter.api_key_env=sk-123"], ["-p rewriter.api_key_env", "environment variable"]),
        (["-p", "reward"], ["PATH=VALUE"]),
        (["-p", "rewrd.dtype=x"], ["did you mean"]),
    ):
        assert cli.main([*base, *flags]) == 2
        err = capsys.readouterr().err
        assert all(w in err for w in words) and "sk-123" not in err, err
    assert not (tmp_path / "x").exists()  # before a kernel was started


def test_an_object_that_no_field_holds_is_refused(place, tmp_path):
    "A wire of one's own is no plain value, and a judge of one's own function has no endpoint"
    from dataclasses import replace
    from rate_nb.scoring.judges import LLMJudge
    from rate_nb.scoring.remote import WIRES, HTTPReward

    table = pd.read_csv(place / "texts.csv")
    double = S.load_function(f"{place / 'mine.py'}:double")
    wire = replace(WIRES["vllm-score"], path="/mine")
    for reward in (HTTPReward("http://127.0.0.1:9/", wire), LLMJudge(lambda messages: "A")):
        audit = Audit(table, "length", double, reward, tmp_path / type(reward).__name__,
                      design=Design(check=0))
        with pytest.raises(InputError, match="`reward.0"):
            audit.to_config()


OLD_FILES = [  # what the version before read, and what it means
    (dict(ray=dict(workers=3)), lambda s: (s.design.engine, s.design.ray) == ("local", None)),
    (dict(level=0.9, checks=dict(margin=0.3)), lambda s: (s.grading.level, s.grading.margin) == (0.9, 0.3)),
    (dict(checks=dict(noise=0.2, check=3)), lambda s: (s.noise, s.design.check) == (0.2, 3)),
    (dict(design=dict(draws=2, first_draw=1)), lambda s: (s.draws, s.design.first_draw) == (2, 1)),
    (dict(prices=[1, 2], accept_stored=True), lambda s: s.design.accept_stored and s.design.prices.prompt),
    (
        dict(rewriter=dict(kind="batch", mode="batch", model="m", base_url="", limits=dict(poll=0.5))),
        lambda s: s.rewriter.batch.poll == 0.5 and s.rewriter.mode == "batch",
    ),
    (
        dict(ray=dict(address=""), engine="ray"),
        lambda s: S.object_of(s.design, S.Building()).ray.address is None,
    ),
    (dict(reward=dict(kind="judge", model="m", criterion=None)), lambda s: s.reward[0].criterion is None),
    (
        dict(reward=dict(kind="local_judge", model="org/m", words=None, least=None, criterion=None)),
        lambda s: s.reward[0].words is None,
    ),
    (
        dict(reward=dict(kind="recipe", function="mine.py:make", name="r", options=dict(store=1, limits=2))),
        lambda s: s.reward[0].options == dict(store=1, limits=2),
    ),
    (
        {"rewriter": dict(kind="batch", model="m", limits=dict(poll=1.0)), "rewriter.batch.rounds": 2},
        lambda s: (s.rewriter.batch.poll, s.rewriter.batch.rounds) == (1.0, 2),
    ),
]


@pytest.mark.parametrize("changes, means", OLD_FILES, ids=range(len(OLD_FILES)))
def test_files_of_the_version_before_are_read(changes, means, place, tmp_path, monkeypatch):
    monkeypatch.chdir(place)
    assert means(S.read_specification(said(place, tmp_path, **changes)))


def test_the_usual_key_is_no_demand(place, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    asked = dict(model="m", base_url="http://127.0.0.1:9/v1", api_key_env="OPENAI_API_KEY")
    section = S.read_specification(said(place, tmp_path, rewriter=asked)).rewriter
    assert S.make_rewriter(section, S.Building()).api_key_env == ()


def live(reward, place, folder, rewriter=None):
    table = pd.read_csv(place / "texts.csv")
    double = rewriter or S.load_function(f"{place / 'mine.py'}:double")
    return Audit(table, "length", double, reward, folder, design=Design(check=0))


def test_endpoints_come_back_as_they_are(place, tmp_path):
    from rate_nb.llm.openai import OpenAIRewriter
    from rate_nb.scoring.judges import LLMJudge

    here = "http://127.0.0.1:9/v1"
    asks = OpenAIRewriter("m", here, logprobs=True, top_logprobs=5)
    judges = LLMJudge(OpenAIRewriter("m", here)), LLMJudge(asks), LLMJudge(asks, logprobs=False)
    for i, judge in enumerate(judges):
        audit = live(judge, place, tmp_path / f"judge{i}")
        words = audit.to_config(tmp_path / "again.yaml")
        again = Audit.from_config(words | dict(run_dir=str(tmp_path / f"again{i}")))
        assert again.inputs.identity == audit.inputs.identity
    letters = S.load_function(f"{place / 'mine.py'}:letters")
    rewriter = OpenAIRewriter("m", here, top_p=None, seed=np.int64(3), min_p=np.float64(0.5))
    rewriter.temperature = 0.9  # after it was made
    words = live(letters, place, tmp_path / "changed", rewriter).to_config()["rewriter"]
    assert (words["temperature"], words["seed"], words["options"]) == (0.9, 3, dict(top_p=None, min_p=0.5))


def test_what_is_secret_or_of_python_alone_is_not_written(place, tmp_path):
    from rate_nb.llm.openai import OpenAIRewriter
    from rate_nb.scoring.judges import LLMJudge

    here, letters = "http://127.0.0.1:9/v1", S.load_function(f"{place / 'mine.py'}:letters")
    secret = {"Authorization": "Bearer sk-secret-secret"}
    endpoints = [
        OpenAIRewriter("m", here, extra_headers=secret),
        OpenAIRewriter("m", here, extra_body=dict(api_key="sk-secret-secret")),
    ]
    audits = [live(letters, place, tmp_path / str(i), r) for i, r in enumerate(endpoints)]
    judge = LLMJudge(OpenAIRewriter("m", here), messages=lambda p, a, b: [])
    for audit in (*audits, live(judge, place, tmp_path / "judge")):
        with pytest.raises(InputError) as error:
            audit.to_config(tmp_path / "again.yaml")
        assert "sk-secret" not in str(error.value)
    assert not (tmp_path / "again.yaml").exists()


@pytest.mark.parametrize(
    "changes, path",
    [
        (dict(reward=dict(kind="function", function=None)), "reward.function"),
        (dict(rewriter=dict(kind="function", function=[])), "rewriter.function"),
        (dict(reward=dict(kind="classifier", model="a/b", head=dict(name="a", pattern="b"))), "reward.head"),
        (dict(reward=dict(url="http://127.0.0.1:9/", wire=dict(path="/x"))), "reward.wire"),
        (dict(reward=dict(url="ftp://x")), "reward.url"),
        (dict(rewriter=dict(model="m", base_url="ftp://x")), "rewriter.base_url"),
        (dict(rewriter=dict(model="m", limtis=dict(poll=1.0))), "rewriter.limtis"),
    ],
)
def test_one_mistake_is_one_fault_at_its_place(changes, path, place, tmp_path):
    made, faults = S.specification_faults(said(place, tmp_path, **changes))
    assert [f.path for f in faults] == [path], faults


def test_a_kind_that_cannot_be_is_refused_where_it_is_registered():
    from functools import partial
    from rate_nb.base.options import option_kind

    wrong = ("rewards", "x", print), ("reward", "object", len), ("reward", "x", partial(len))
    for group, name, make in wrong:
        with pytest.raises(InputError):
            option_kind(group, name)(make)
    with pytest.raises(InputError, match="cannot be called kind"):
        option_kind("reward", "x")(lambda kind=1: 0)


def test_a_kind_is_registered_again(request, tmp_path):
    "As a cell of a notebook that is run again; without a docstring, and with arguments that no file holds"
    from rate_nb.base.options import KINDS, option_kind

    request.addfinalizer(lambda: KINDS.pop(("reward", "twice")))
    asked = dict(examples="demo", rewriter="demo", reward=dict(kind="twice", b=2))
    for names in (("a",), ("a", "b")):
        options = ", ".join(f"{n}: int = 1" for n in names)
        file = tmp_path / f"twice{len(names)}.py"
        file.write_text(
            f"@option_kind('reward', 'twice')\ndef twice(*args, {options}, more: object = None): return 1\n"
        )
        exec(compile(file.read_text(), str(file), "exec"), dict(option_kind=option_kind, __name__="__main__"))
        made, faults = S.specification_faults(asked)
        assert bool(faults) == (names == ("a",)), faults


def test_configurations_that_are_written_fit_the_schema(place, tmp_path):
    import jsonschema
    words = live(S.load_function(f"{place / 'mine.py'}:letters"), place, tmp_path).to_config()
    jsonschema.validate(words, S.json_schema())


def test_the_kinds_of_the_contributing_page_work(tmp_path, request):
    from rate_nb.base import options
    from rate_nb.data.attributes import Predicate, make_attribute
    from rate_nb.scoring.reward_models import CallableReward

    page = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    known = vars(options) | dict(CallableReward=CallableReward, Predicate=Predicate,
                                 vowels=lambda text: sum(c in "aeiou" for c in text))
    for k, code in enumerate(re.findall(r"```python\n(@option_kind.*?)```", page, re.S)):
        (file := tmp_path / f"kind{k}.py").write_text(code) # comments are read from files
        exec(compile(code, str(file), "exec"), known | dict(__name__="__main__"))
    for kind in (("reward", "vowels"), ("label", "ends_with")):
        request.addfinalizer(lambda kind=kind: options.KINDS.pop(kind))
    texts = pd.DataFrame(dict(prompt=["a", "b"], response=["so it is!", "no"]))
    loud = dict(name="loud", treated="louder", untreated="calmer", label=dict(ends_with="!"))
    (tmp_path / "mine.py").write_text(FUNCTIONS)
    config = said(tmp_path, tmp_path / "run", examples=texts, attribute=loud,
                  rewriter=f"{tmp_path / 'mine.py'}:double", reward=dict(kind="vowels", worth=2))
    audit = Audit.from_config(config)
    assert audit.models[0].score("a", ["aei"]).tolist() == [6] and audit.examples.w.tolist() == [1, 0]
    assert audit.to_config()["attribute"]["label"] == dict(kind="ends_with", ends_with="!")
    for label, wrong in ((dict(ends_wiht="!"), "did you mean 'ends_with'"),
                         (dict(ends_with="!", cut=1), "'cut'|label.cut")):
        with pytest.raises(InputError, match=wrong):
            Audit.from_config(config | dict(attribute=loud | dict(label=label)))
        with pytest.raises(InputError, match=wrong):
            make_attribute("loud", "louder", "calmer", label=label)


def test_a_new_kind_is_one_edit(tmp_path, request):
    "A reward with an option of its own: known in Python, a file, the schema, the help, a grid, and back"
    from rate_nb.base.options import KINDS, Positive, option_kind
    from rate_nb.scoring.reward_models import CallableReward

    @option_kind("reward", "vowels")
    def vowel_reward(
        worth: Positive = 1,  # what one vowel adds
    ) -> CallableReward:
        "Counts vowels"
        return CallableReward("vowels", lambda p, r: [worth * sum(c in "aeiou" for c in t) for t in r])

    request.addfinalizer(lambda: KINDS.pop(("reward", "vowels")))
    texts = pd.DataFrame(dict(prompt=["a", "b"], response=["so it is", "no"], w=[1, 0]))
    vowels = dict(kind="vowels", worth=3)
    config = said(tmp_path, tmp_path / "run", examples=texts, rewriter="demo", reward=vowels)
    audit = Audit.from_config(config)
    assert audit.models[0].score("a", ["aei"]).tolist() == [9]
    assert audit.to_config()["reward"] == vowels
    assert S.read_specification(config, reward__worth=2).reward[0].worth == 2
    worth = S.json_schema()["$defs"]["VowelsReward"]["properties"]["worth"]
    assert worth["description"] == "what one vowel adds" and worth["minimum"] == 1
    assert "reward.worth: what one vowel adds" in S.help_text()
    fixed = dict(examples="demo", rewriter="demo", reward=dict(kind="vowels"))
    assert len(read_grid(dict(grid={"reward.worth": [1, 2]}, parameters=fixed)).good) == 2
    with pytest.raises(InputError, match="`reward.worht` is not known here; did you mean 'worth'"):
        S.read_specification(config | dict(reward=dict(kind="vowels", worht=3)))
    with pytest.raises(InputError, match="`reward.worth` must be at least 1, not 0"):
        S.read_specification(config | dict(reward=dict(kind="vowels", worth=0)))


def test_a_number_of_pairs_keeps_the_reader_that_a_file_names():
    "`--review 100` above a file's mapping; and advice to read more names the field, not the mapping"
    reader = dict(model="r", base_url="http://127.0.0.1:9/v1")
    review = dict(pairs=40, reviewer=reader, confirm=dict(a="artefact"))
    said = dict(examples="demo", rewriter="demo", reward="demo", review=review)
    made = S.read_specification(S.over(said, dict(review=100))).review
    assert (made.pairs, made.reviewer.model, made.confirm) == (100, "r", dict(a="artefact"))
    assert S.read_specification(S.over(said | dict(review=40), dict(review=100))).review.pairs == 100
    assert S.over(said, dict(review="100"))["review.pairs"] == 100 # a flag
    dotted = {"review.pairs": 40, "review.reviewer": dict(review["reviewer"])}
    assert S.over(dotted, dict(review=5))["review.reviewer"] == review["reviewer"]
    grid = read_grid(dict(parameters=said, runs=[dict(draws=2), dict(review=5)])).good # a grid keeps it, too
    audit = notebooks.run_notebooks()["audit"]
    values = [notebooks.parameter_faults(audit, r.values)[0] for r in grid]
    made = [S.read_specification(S.layered(v)).review for v in values]
    assert [(r.reviewer.model, r.pairs) for r in made] == [("r", 40), ("r", 5)]
    assert "review.pairs=100" in S.remedies("Reading 100 pairs (review=100) would", said)
    assert "--review 100" in S.remedies("Reading 100 pairs (review=100) would", said | dict(review=40))


def test_short_names_and_defaults_are_those_of_the_run_notebook():
    known = notebooks.notebook_parameters(notebooks.run_notebooks()["audit"])
    assert {*S.SHORT} <= {*known}
    other = {"examples", "reward_model", "base_url", "rewriter_model", "run_dir"}  # the demo's
    assert all(
        S._is_default(p.name, p.default) for p in known.values() if p.name in S.SHORT and p.name not in other
    )


def test_the_schema_is_published():
    kept = json.loads(
        (Path(__file__).parents[2] / "docs" / "audit.schema.json").read_text(encoding="utf-8")
    )
    assert kept == json.loads(json.dumps(S.json_schema())), "rate_nb schema > docs/audit.schema.json"


def test_the_help_names_every_field(capsys):
    with pytest.raises(SystemExit):
        cli.main(["audit", "--help-all"])
    text = capsys.readouterr().out
    assert all(f"{path}: " in text for path, _, _ in S.paths_of())


SECRET = "sk-verysecret1"


@pytest.mark.parametrize(
    "changes",
    [
        dict(rewriter=dict(model="m", headers={"X-Password": "hunter2"})),
        dict(rewriter=dict(model="m", headers={"X-Org": f"Bearer {SECRET}"})),
        dict(rewriter=dict(model="m", headers={"Authorization": f"${SECRET}"})),
        dict(rewriter=dict(model="m", options=dict(api_key=SECRET))),
        dict(rewriter=dict(model="m", options=dict(extra_headers=dict(Authorization="hunter2")))),
        dict(reward=dict(url="http://127.0.0.1:9/", extra=dict(meta=[SECRET]))),
        dict(reward=dict(model="m", loading=dict(token="hf_hunter2hunter2"))),
        {"engine": "ray", "ray.init": dict(password="hunter2")},
    ],
)
def test_a_secret_written_out_is_refused(changes, place, tmp_path):
    "It would stand in audit.yaml, manifest, report and notebook"
    made, faults = S.specification_faults(said(place, tmp_path / "run") | changes)
    words = " ".join(map(str, faults))
    assert len(faults) == 1 and "saved with the run" in words
    assert "hunter2" not in words and SECRET not in words
    plain = dict(headers={"X-Title": "audit", "X-Key": "$MY_KEY"}, options=dict(stop_token="</s>"))
    plain["options"]["extra_headers"] = dict(Authorization="$MY_KEY")
    assert not S.specification_faults(said(place, tmp_path, rewriter=dict(model="m") | plain))[1]


def test_an_instruction_alone_is_for_the_usual_attribute(place, tmp_path):
    spec = S.read_specification(said(place, tmp_path, instruction="Make it {W}."))
    assert (spec.attribute.name, spec.attribute.instruction) == ("length", "Make it {W}.")


def test_a_field_is_said_once_by_whoever_says_it(place, tmp_path):
    "Two names of one field in one file contradict each other; those of another layer outrank it"
    base = said(place, tmp_path / "run")
    table = str(place / "texts.csv")
    twice = (
        {"n": 5, "examples.n": 6},
        dict(n=5, examples=dict(source=table, n=6)),
        dict(reward_model="demo"),
        {"reward": ["a", dict(model="b", dtype="float32")], "reward.1.dtype": "float16"},
    )
    for changes in twice:
        with pytest.raises(InputError, match="leave one of them out"):
            Audit.from_config(base | changes)
        (tmp_path / "twice.yaml").write_text(yaml.safe_dump(base | changes))
        with pytest.raises(InputError, match="leave one of them out"):
            S.read_specification(tmp_path / "twice.yaml")
    assert S.read_specification(base | dict(examples=dict(source=table, n=6)), n=5).examples.n == 5
    assert S.read_specification(base | {"reward.batch_size": 3}, reward="m").reward[0].kind == "classifier"
    for path in ("reward.1.key", "reward.1", "reward.²"):
        assert S.specification_faults(base | {path: "x"})[1]
    for odd in (5, None, [], "a\nb", "- a\n- b", "reward: a\nreward: b"):
        with pytest.raises(InputError):
            S.read_specification(odd)


@pytest.mark.parametrize(
    "below, axis",
    [
        (dict(reward="letters"), "reward_model"),
        (dict(reward_model="letters"), "reward"),
        (dict(specification=dict(reward="letters")), "reward_model"),
    ],
)
def test_a_grid_outranks_its_parameters_under_any_name(below, axis, place, tmp_path):
    "Runs that differ in their folders' names alone audited one reward under the names of several"
    base = {n: v for n, v in said(place, tmp_path).items() if n not in ("reward", "run_dir")}
    grid = read_grid(dict(parameters=base | below, grid={axis: ["one", "two"]}))
    usual = {p.name: p.default for p in notebooks.notebook_parameters(grid.notebook).values()}
    asked = [notebooks.parameter_faults(grid.notebook, r.values) for r in grid.runs]
    assert not any(faults for _, faults in asked)
    assert [S.read_specification(S.layered(usual | v)).reward[0].model for v, _ in asked] == ["one", "two"]


def test_what_would_fail_after_models_are_loaded_fails_before(place, tmp_path):
    for changes, words in (
        (dict(rewriter=dict(kind="sandbox", trouble=dict(refusal=0.1))), "rewriter.trouble.refusal"),
        (dict(rewriter=dict(kind="sandbox", trouble=dict(refuse="much"))), "rewriter.trouble"),
        (dict(rewriter=dict(kind="batch", model="m", limits=dict(pol=1))), "did you mean 'poll'"),
        (dict(rewriter=dict(kind="batch", model="m", limits=dict(rounds=0))), "rewriter.limits"),
        (dict(rewriter=dict(model="m", options=dict(temperature=1))), "`rewriter.temperature`"),
        (dict(rewriter=dict(model="m", options=dict(store="x"))), "rewriter.options.store"),
        (dict(rewriter=dict(model="m", api_key_env=[])), "rewriter.api_key_env"),
        (dict(prices=dict(prompt=1.0)), "prices.completion"),
        (dict(report="report.docx"), ".html or .pdf"),
        (dict(examples="~no-such-user-9/x.csv"), "no such file"),
        (dict(examples="x" * 5000), "cannot be looked at"),
    ):
        faults = S.specification_faults(said(place, tmp_path / "run") | changes)[1]
        assert len(faults) == 1 and words in str(faults[0]), faults
    assert not S.specification_faults(said(place, tmp_path, prices=dict(prompt=1.0, completion=0.0)))[1]
    (tmp_path / "mine.py").write_text("letters = 3\n")
    with pytest.raises(InputError, match="must be a function"):
        Audit.from_config(said(place, tmp_path / "run", reward=f"{tmp_path / 'mine.py'}:letters"))


def test_a_rule_that_would_label_nothing_is_refused(place, tmp_path):
    "The file's `w` says how long a text is; the attribute is another"
    attribute = dict(name="code", treated="with code", untreated="without code", label=dict(regex="```"))
    config = said(place, tmp_path / "run", attribute=attribute)
    with pytest.raises(InputError, match="would label nothing"):
        Audit.from_config(config)
    renamed = dict(source=str(place / "texts.csv"), columns=dict(old_w="w"))
    audit = Audit.from_config(config | dict(examples=renamed))
    assert audit.examples.w.tolist() == [0, 1] * 4
    assert Audit.from_config(audit.to_config()).inputs.identity == audit.inputs.identity


def test_what_yaml_reads_otherwise_is_said(place, tmp_path):
    for text, words in (
        ("checks: {margin: 1e-3}", "write 0.001"),
        ("design: {draws: 1e1}", "write 10"),
        ("attribute: {name: a, treated: yes, untreated: '0'}", "in quotes"),
        ("rewriter: {model: 2024-01-01}", "in quotes"),
    ):
        fault = S.specification_faults(said(place, tmp_path) | yaml.safe_load(text))[1][0]
        assert words in str(fault), fault


def test_a_remedy_is_typed_as_the_command_takes_it(place, tmp_path):
    config = said(place, tmp_path, attribute=dict(name="length"), reward=dict(model="m"))
    for words, typed in (
        ("which needs both=True, draws=2", "which needs --both, --draws 2"),
        ("mark: itself=['a', 'b c'].", "mark: --itself 'a, b c'."),
        ("mark it with itself= or artefacts=: 'a='", "mark it with --itself or --artefacts: 'a='"),
        ("belongs to the attribute (itself=): “words”.", "belongs to the attribute (--itself): “words”."),
        ("say exclude_tuned_examples=False", "say --no-exclude-tuned-examples"),
        ("load_reward_model takes `name=`", "load_reward_model takes `name=`"),  # not the attribute's
        ("`path` '/tmp' is a folder", "`path` '/tmp' is a folder"),
        ("`reward` must be one", "`--reward-model` must be one"),
        ("say check=0, or `dtype`", "say -p design.check=0, or `-p reward.dtype`"),
        ("`Question` for `prompt`. Name them with `columns`: {}", # a column, and no price of prompts
         "`Question` for `prompt`. Name them with `-p examples.columns`: {}"),
    ):
        assert S.remedies(words, config, S.typed_as) == typed


def test_what_reads_like_a_function_or_a_cell_and_is_none_is_said(place, tmp_path):
    mine = place / "mine.py"
    nested_list = dict(name="k", treated="a", untreated="b", label=dict(column="mark", treated=[[1]]))
    for changes, words in (
        (dict(rewriter=str(mine)), f"is written {mine}:name (it defines 'letters'"),
        (dict(rewriter=f"{mine}::double"), f"is written {mine}:double;"),
        (dict(rewriter=dict(model="mine.py:", base_url="http://127.0.0.1:9/v1")), "is written mine.py:name;"),
        (dict(reward=str(mine)), f"is written {mine}:name"),
        (dict(reward=f"{mine}::letters"), f"is written {mine}:letters"),
        (dict(attribute=nested_list), "must be one value of the column, not [1]"),
    ):
        faults = S.specification_faults(said(place, tmp_path / "run") | changes)[1]
        assert len(faults) == 1 and words in str(faults[0]), faults
    assert not S.specification_faults(said(place, tmp_path, rewriter=dict(model="a.python")))[1]


def test_numbers_that_yaml_reads_otherwise_are_refused(tmp_path):
    file = tmp_path / "c.yaml"
    for text, words in (("n: 010", "takes 010 for the number 8"), ("n: -0_17", "the number -15"),
                        ("n: 1:30", "takes 1:30 for the number 90"), ("n: [1:30.5]", "the number 90.5")):
        file.write_text(text)
        with pytest.raises(InputError, match=re.escape(words)):
            S.read_specification(file)
    from rate_nb.base.files import read_yaml

    file.write_text("a: [0, -0, 0.5, 10, 0x10, 1_000, '010', 1:30 h]")
    assert read_yaml(file, "it") == dict(a=[0, 0, 0.5, 10, 16, 1000, "010", "1:30 h"])


def test_columns_are_turned_round_where_they_were_said_the_wrong_way(place, tmp_path):
    table = pd.read_csv(place / "texts.csv")
    there = table.rename(columns=dict(prompt="question"))
    for data, columns, words in (
        (there, dict(question="prompt"), "write columns={'prompt': 'question'}"),
        (
            there,
            dict(question="prompt", response="response"),
            "{'prompt': 'question', 'response': 'response'}",
        ),
        (table, dict(prompt="query"), "names 'query', which it does not have"),
        (table, dict(their="prompt_"), "names 'prompt_', which it does not have"),
    ):
        with pytest.raises(RateError, match=re.escape(words)):
            Audit.from_config(said(place, tmp_path / "run", examples=dict(source=data, columns=columns)))


def test_a_rule_beside_labels_that_come_with_the_texts_is_refused(place, tmp_path):
    attribute = dict(name="length", label=dict(regex="```"))
    config = said(place, tmp_path / "run", examples="demo", attribute=attribute)
    with pytest.raises(InputError, match="come with labels of their own"):
        Audit.from_config(config, plan=True)


def test_two_judges_of_one_name_are_told_what_takes_a_name(place, tmp_path):
    judge = dict(kind="judge_function", function=f"{place / 'mine.py'}:longer")
    with pytest.raises(InputError, match="CallableJudge takes `name=`"):
        Audit.from_config(said(place, tmp_path / "run", reward=[judge, judge]))
    letters = f"{place / 'mine.py'}:letters"
    with pytest.raises(InputError, match="load_reward_model takes `name=`"):
        Audit.from_config(said(place, tmp_path / "run", reward=[letters, letters]))


def test_two_judges_from_a_file_to_the_report(place, tmp_path):
    "The command ends with a chart of contrasts, which have no standard deviations"
    judge = dict(kind="judge_function", function=f"{place / 'mine.py'}:longer")
    asked = dict(kind="judge", model="sandbox-rewriter", base_url="sandbox", name="asked")
    config = said(place, tmp_path / "run", rewriter="sandbox", examples=dict(kind="demo", n=12),
                  reward=[asked, judge | dict(name="longer")])
    file = tmp_path / "audit.yaml"
    file.write_text(yaml.safe_dump(config))
    assert cli.main(["audit", "--config", str(file)]) == 0
    effects = pd.read_csv(tmp_path / "run" / "effects.csv")
    assert set(effects.model) == {"asked", "longer"} and effects.smd.isna().all()
    answers = json.loads((tmp_path / "run" / "summary.json").read_text())["answers"]
    assert [a["model"] for a in answers] == ["asked", "longer"]
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert all(f"{name} seems to pay for length" in page for name in ("asked", "longer"))
    assert ">nan<" not in page


def test_the_plan_counts_what_a_thinking_judge_writes(place, tmp_path):
    plans = {}
    for effort in (None, "high"):
        asked = dict(kind="judge", model="m", base_url="http://127.0.0.1:9/v1", reasoning_effort=effort)
        audit = Audit.from_config(said(place, tmp_path / f"run-{effort}", reward=asked), plan=True)
        plans[effort], = audit.plan().judging
    assert plans[None]["completion_tokens"] == 4 * plans[None]["calls"]
    assert "one word out" in plans[None]["of_what"]
    assert plans["high"]["completion_tokens"] > 100 * plans["high"]["calls"]
    assert "tokens of thought" in plans["high"]["of_what"]


@pytest.mark.slow
def test_a_grid_of_judges_is_run_and_summed_up(place, tmp_path, forked_workers):
    "A judge of the dry run and a function that compares, from one file to effects and their report"
    from rate_nb.batch.grid import combine_effects, run_grid

    parameters = said(place, tmp_path, rewriter="sandbox", examples=dict(kind="demo", n=12))
    parameters.pop("run_dir")
    judges = [
        dict(kind="judge", model="sandbox-rewriter", base_url="sandbox", name="asked"),
        dict(kind="judge_function", function=f"{place / 'mine.py'}:longer", name="longer"),
    ]
    grid = dict(
        folder=str(tmp_path / "grid"),
        parameters=parameters,
        grid={"reward": judges, "checks.position_margin": [0.1, 0.2]},
    )
    done = run_grid(read_grid(grid), quiet=True)
    assert done.exit_code == 0 and set(done.table.status) == {"done"} and len(done.table) == 4, done
    effects = combine_effects(grid["folder"])
    assert effects.dataset.eq("kind: demo, n: 12").all() and effects.reward.nunique() == 2
    rate = effects[(effects.estimator == "rate") & (effects.estimand == "ATE")]
    assert sorted(rate.model) == ["asked", "asked", "longer", "longer"] and (rate.estimate == 1).all()
    assert "checks.position_margin" in (tmp_path / "grid" / "report.html").read_text()


def test_specifications_of_a_grid_are_told_apart_in_its_table():
    "A dict was laid against the index of the table and became NaN: no dataset, so no picture and no summary"
    from rate_nb.batch.grid import _with_what_was_asked, grid_effects

    row = dict(model="m", estimator="rate", estimand="ATE", estimate=0.3, std_error=0.1, ci_low=0.1,
               ci_high=0.5, df=20.0, p_value=0.01, smd=0.3, smd_low=0.1, smd_high=0.5)
    part = pd.DataFrame([row])
    asked = [
        dict(examples=dict(kind="demo", n=n), attribute=attribute, reward=[dict(kind="judge"), "b"])
        for n in (12, 24)
        for attribute in ("length", None, dict(name="code"))
    ]
    table = pd.concat(
        [_with_what_was_asked(part, dict(id=str(k), values=v), v) for k, v in enumerate(asked)],
        ignore_index=True,
    )
    assert table.dataset.drop_duplicates().tolist() == ["kind: demo, n: 12", "kind: demo, n: 24"]
    assert table.attribute.tolist()[:3] == ["length", "default", "name: code"]
    assert table.reward.eq("kind: judge + b").all()
    found = grid_effects(table)
    assert "kind: demo, n: 24" in str(found.plot().to_dict()["title"]) + str(found.summary())


def priced(spec): return S.object_of(spec.design, S.Building()).prices


def test_prices_are_said_alike_by_a_file_a_flag_and_python(place, tmp_path, monkeypatch):
    config = said(place, tmp_path / "run", rewriter=dict(model="gpt-99", base_url="http://127.0.0.1:9/v1"))
    by_model = {"gpt-99": (1.0, 2.0)}
    monkeypatch.setattr(S.OpenAIRewriter, "reach", lambda self: None) # nothing answers there
    for prices, flags, held in (
        (dict(prompt=1.0, completion=2.0), (), (1, 2)),
        ([0, 0], (), (0, 0)),
        ({}, ("-p", "prices.prompt=0", "-p", "prices.completion=0"), (0, 0)),
        ({"gpt-99": [1.0, 2.0]}, (), by_model),
        ({}, ("--prices", "{gpt-99: [1, 2]}"), by_model),
    ):
        spec = command(config | (dict(prices=prices) if prices else {}), monkeypatch, *flags)
        assert priced(spec) == held, (prices, flags)
        assert priced(S.read_specification(S.said_shortly(spec))) == held
    for prices, words in (
        ({"gpt-99": [1.0]}, "`design.prices.models.gpt-99` must be [prompt, completion]"),
        (dict(prompt=3.0), "`design.prices.completion` is still needed"),
        (dict(models={"gpt-99": [1.0, 2.0]}, prompt=3.0, completion=1.0), "`design.prices.models` says all"),
    ):
        assert words in str(S.specification_faults(config | dict(prices=prices))[1][0])
    monkeypatch.undo()
    with pytest.raises(InputError) as e: # what it says to give is what is taken
        Audit.from_config(config | dict(budget=1.0), plan=True)
    assert "`prices`: {'gpt-99': [prompt, completion]}" in str(e.value)


def test_names_of_differences_come_through_a_shell_and_a_file(place, tmp_path):
    names = [",", '"', "'", "“", "`", "$", "\\", "#", "a", "re:(?i)a, b", "begins with “,”", 'ends with “"”',
             "any: !", "how far from usual: words", "what a", "=", "[", "]", "%", "é"]
    config = said(place, tmp_path)
    words = f"mark: itself={names!r}."
    flag = re.fullmatch(r"mark: (--itself .*)[.]", S.remedies(words, config, S.typed_as), re.S)[1]
    _, value = shlex.split(flag)
    assert Audit.from_config(config | dict(itself=value)).inputs.grading.itself == tuple(names)
    in_file = S.remedies(words, config, lambda path: "`itself` in a.yaml")
    assert yaml.safe_load(re.fullmatch("mark: `(.*)` in a.yaml[.]", in_file, re.S)[1]) == {"itself": names}
    assert cli._wrapped(f"{'x ' * 90}{flag}. Passed.").split("\n")[-2:] == [flag, "Passed."]


def test_lists_that_a_flag_cannot_hold_come_from_a_file(place, tmp_path, monkeypatch):
    config = said(place, tmp_path / "run")
    spec = command(config | dict(itself=["words", "re:a, b"], accept_stored=["127.0.0.1:*/v1"]), monkeypatch)
    assert spec.grading.itself == ["words", "re:a, b"] and spec.design.accept_stored == ["127.0.0.1:*/v1"]


def test_prices_of_two_models_and_a_judge_as_the_notebook_has_them(place, tmp_path):
    "A judge whose endpoint is not asked for log-probabilities comes back as it was"
    from rate_nb.llm.openai import OpenAIRewriter
    from rate_nb.scoring.judges import LLMJudge

    own, url = {"one": (1.0, 2.0), "two": (3.0, 4.0)}, "http://127.0.0.1:9/v1"
    pd.DataFrame([(m, *p) for m, p in own.items()], columns=["model", "prompt", "completion"]).to_csv(
        tmp_path / "prices.csv", index=False
    )
    table = pd.read_csv(place / "texts.csv")
    for prices in (own, str(tmp_path / "prices.csv")):
        for options in ({}, dict(logprobs=True, top_logprobs=20)):
            judge = LLMJudge(OpenAIRewriter("two", url, temperature=0, **options), "asked")
            asked = Audit(table, "length", OpenAIRewriter("one", url), judge, tmp_path / "run", budget=1.0,
                          design=Design(prices=prices))
            with closing(asked) as audit:
                kept = audit.to_config()
                assert (audit.accounts.price.prompt, audit.models[0].endpoint.price.prompt) == (1, 3)
            with closing(Audit.from_config(kept, plan=True)) as again:
                assert again.inputs.identity == audit.inputs.identity
                assert again.models[0].identity == judge.identity
                assert (again.accounts.price.prompt, again.models[0].endpoint.price.prompt) == (1, 3)


def test_a_rule_is_heard_where_the_built_in_one_cannot_read_the_language():
    from rate_nb.diagnostics.compliance_rates import compliance
    from rate_nb.rewriting.chains import double_rewrite
    from rate_nb.rewriting.instructions import language_notes

    german = "der Film war schön und lang und ist aber nicht mit der Musik auf das Beste zu sehen".split()
    rows = [dict(example_id=f"e{i}", prompt_id=f"p{i}", prompt="Wie war der Film?", w=1 - i % 2,
                 response=" ".join(german[: 9 + i % 6]) + " schlecht" * (i % 2)) for i in range(12)]
    texts, shipped = pd.DataFrame(rows), S.get_attribute("sentiment")
    said = S.read_specification(dict(examples="demo", rewriter="demo", reward="demo", attribute=dict(
        name="sentiment", label=dict(regex="^(?!.*schlecht)"))))
    mine = S.make_attribute_of(said.attribute)
    def turn(prompt, text, target): return text.replace(" schlecht", "") + ("" if target else " schlecht")
    made = compliance(texts, double_rewrite(texts, mine, turn), mine)
    assert made.by == "label" and (made.first_stage.compliance == 1).all()
    assert not any("cannot be told" in note for note in language_notes(texts, mine))
    assert any("in place of the column `w`" in note for note in language_notes(texts, shipped))


def test_the_plan_warns_of_a_judge_that_goes_off_or_has_no_price_and_of_no_labels(place, tmp_path):
    url = "http://127.0.0.1:9/v1"
    judges = [dict(kind="judge", model="gpt-5-mini", name="old"),
              dict(kind="judge", model="gpt-99", name="new", base_url=url)]
    config = said(place, tmp_path / "run", reward=judges)
    with closing(Audit.from_config(config, plan=True)) as audit:
        notes = audit.plan().notes
    assert any("judge 'old': shutdown: 'gpt-5-mini' " in n and "gpt-6.1-terra" in n for n in notes)
    assert any("judge 'new': cost: no price is known for model 'gpt-99'" in n for n in notes)
    bare = pd.read_csv(place / "texts.csv").drop(columns="w")
    none = dict(examples=bare, attribute="confidence", run_dir=str(tmp_path / "none"))
    with closing(Audit.from_config(said(place, tmp_path) | none, plan=True)) as audit:
        notes = [n for n in audit.plan().notes if n.startswith("No example")]
    assert len(notes) == 1 and "none can be rewritten" in notes[0]


def test_editors_know_every_way_to_say_prices():
    known = S.json_schema()["$defs"]["Design"]["properties"]["prices"]["anyOf"]
    assert [part.get("type", "section") for part in known] == ["string", "array", "object", "section", "null"]



def test_a_pattern_marks_what_is_part_of_the_attribute_and_comes_back(place, tmp_path):
    config = said(place, tmp_path/"run", checks={"itself": [r"re:(?i)\*\*.+?\*\*", "bold"]})
    audit = Audit.from_config(config)
    assert audit.to_config()["grading"]["itself"] == [r"re:(?i)\*\*.+?\*\*", "bold"]
    marks = re.compile(r"\*\*.+?\*\*", re.I), "bold" # as Python takes them
    audit.inputs = replace(audit.inputs, grading=Grading(itself=marks))
    audit.specification = None
    assert S.specification_of(audit).grading.itself == [r"re:(?i)\*\*.+?\*\*", "bold"]
    with pytest.raises(InputError, match="no regular expression"):
        Audit.from_config(said(place, tmp_path/"other", checks={"artefacts": ["re:("]}))
    for joins_words in ("re:x*", r"re:\b", "re:(?=very)"):
        with pytest.raises(InputError, match="`grading.itself` .* matches where nothing stands"):
            Audit.from_config(said(place, tmp_path/"third", checks={"itself": ["bold", joins_words]}))


def test_flags_stand_beside_the_section_of_a_file(place, tmp_path, monkeypatch):
    file = said(place, tmp_path, grading=dict(level=0.9), design=dict(check=3), prices=[1, 2])
    spec = command(file, monkeypatch, "--margin", "0.3", "--first-draw", "1")
    assert (spec.grading.level, spec.grading.margin) == (0.9, 0.3)
    assert (spec.design.check, spec.design.first_draw, spec.design.prices.completion) == (3, 1, 2)
    assert command(file, monkeypatch, "--level", "0.8").grading.level == 0.8


def test_what_outranks_a_section_replaces_it_whole(place, tmp_path):
    file = said(place, tmp_path, grading=dict(level=0.9, margin=0.3), design=dict(check=3, first_draw=1))
    spec = S.read_specification(file, grading=dict(margin=0.2), design=dict(check=0))
    assert (spec.grading.level, spec.grading.margin, spec.design.first_draw) == (0.95, 0.2, 0)
    spec = S.read_specification(S.read_specification(file), level=0.8, draws=2)
    assert (spec.grading.level, spec.grading.margin, spec.design.check, spec.draws) == (0.8, 0.3, 3, 2)
    local = S.read_specification(dict(file, engine="ray", ray=dict(workers=2)), engine="local")
    assert local.design.ray is None
    for a, b in (({"design.draws": 2}, dict(draws=3)), (dict(checks=dict(margin=0.2)), dict(margin=0.3))):
        with pytest.raises(InputError, match="both say what"):
            S.as_specification(a | b)


def test_the_parameters_cell_says_what_the_signatures_say():
    "`make export` writes it"
    import parameters
    cells = json.loads(parameters.NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    cell = next("".join(c["source"]) for c in cells if "parameters" in c["metadata"].get("tags", ()))
    assert parameters.written(cell) == cell
    assert parameters.written(cell.replace("confidence level", "what")) == cell


def test_an_audit_and_its_plan_make_no_file_before_the_first_step(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def score(prompts, responses): return [len(r) for r in responses]\n")
    audit = Audit.from_config(dict(examples=dict(kind="demo", n=12), rewriter="sandbox", prices=[1., 1.],
                                   budget=1., store="new/s.sqlite", reward="mine.py:score", run_dir="run"))
    assert audit.plan().rewriting.calls == 24 and audit.to_config() and not len(audit.store)
    audit.store.close()
    assert {p.name for p in tmp_path.iterdir()} <= {"mine.py", "__pycache__"}
    assert len(audit.rewrite()) == 24 and Path("new/s.sqlite").is_file() and len(audit.store)
