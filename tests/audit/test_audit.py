"Audits from the command line: real reviews, killed runs, bad input."
import json, os, re, signal, subprocess, sys, time
from pathlib import Path
from types import SimpleNamespace
import numpy as np
import pandas as pd
import pytest
from warm import run_command, run_with
import rate_nb.audit.audit
from rate_nb.audit import Audit, Design, Grading, publish_run, verify_published
from rate_nb.audit.manifest import manifest_of
from rate_nb.estimators.effects import estimate_effects
from rate_nb.base.core import InputError, ModelError, RateError
from rate_nb.batch.notebooks import run_notebooks
from rate_nb.diagnostics import diagnose
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.scoring.reward_models import CallableReward
from rate_nb.base.store import Store
from rate_nb.theory.text_world import TextWorld
from rate_nb.views.answer import answers

RATE_NB = str(Path(sys.executable).parent / "rate_nb")


@pytest.fixture
def texts(tmp_path):
    "A CSV of 120 examples"
    path = tmp_path / "texts.csv"
    TextWorld("length").examples(120, np.random.default_rng(5))[["example_id", "prompt_id", "prompt",
        "response", "w"]].to_csv(path, index=False)
    return path


def audit(*args, **env):
    code, said, errors = run_command(["audit", *args], Path.cwd(), apart=True, **env)
    return SimpleNamespace(returncode=code, stdout=said, stderr=errors)


def flags(texts, model, url, folder):
    return ["--examples", str(texts), "--attribute", "length", "--base-url", url, "--rewriter-model",
            "sandbox-rewriter", "--reward-model", str(model),
            "--run-dir", str(folder), "--max-concurrency", "4"]


def killed_when(command, ready, timeout=240):
    "Start a command in its own process group, SIGKILL all of it once `ready()` holds"
    process = subprocess.Popen(command, env=os.environ | dict(OPENAI_API_KEY="test"), start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + timeout
    while not ready() and process.poll() is None and time.monotonic() < end:
        time.sleep(.01)
    assert process.poll() is None, "the run ended before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(1)                            # the server still answers the few calls that were under way


def stored(folder, kind):
    path = folder / "store.sqlite"
    try:
        return Store(path).counts().get(kind, 0) if path.exists() else 0
    except Exception:
        return 0 # the other process is just making the file


@pytest.mark.slow
def test_killed_audit_goes_on_where_it_was(texts, demo_model, tmp_path):
    "kill -9 halfway through rewriting and through scoring: no finished call again, and the same result"
    with Sandbox() as calm:
        assert audit(*flags(texts, demo_model, calm.base_url, tmp_path / "calm"),
                     OPENAI_API_KEY="test").returncode == 0
        undisturbed = calm.served
    with Sandbox(latency=.05) as server:
        command = [RATE_NB, "audit", *flags(texts, demo_model, server.base_url, tmp_path / "killed")]
        killed_when(command, lambda: stored(tmp_path / "killed", "rewrite") > 60)
        kept = stored(tmp_path / "killed", "rewrite")
        assert 0 < kept < undisturbed
        before = server.served
        # the second run finishes the rewrites and is killed in scoring, as soon as the first rewards are
        # there
        killed_when(command, lambda: stored(tmp_path / "killed", "reward") > 0)
        assert server.served - before == undisturbed - kept     # what was kept is not asked for again
        before = server.served
        done = audit(*flags(texts, demo_model, server.base_url, tmp_path / "killed"), OPENAI_API_KEY="test")
        assert done.returncode == 0, done.stderr
        assert server.served == before
    for name in ("effects.csv", "scored.parquet"):
        assert (tmp_path / "calm" / name).read_bytes() == (tmp_path / "killed" / name).read_bytes(), name
    assert "test" not in [w
                          for w in (tmp_path / "killed" / "manifest.json").read_text().split(
                              '"')], "a key reached the manifest"


def broken_inputs(tmp_path, texts):
    good = pd.read_csv(texts)
    def csv(name, df):
        df.to_csv(tmp_path / name, index=False)
        return tmp_path / name
    (tmp_path / "latin.csv").write_bytes("prompt,response,w\nWhy?,Déjà,1\n".encode("latin1"))
    (tmp_path / "empty.csv").write_text("")
    return [(csv("columns.csv", good.drop(columns="response")), "missing: response"),
            (csv("w.csv", good.assign(w=[2] + [1] * 119)), "`w` must be 0 or 1; 1 row holds 2"),
            (csv("twice.csv", good.assign(example_id="a")), "120 rows share theirs"),
            (tmp_path / "empty.csv", "the file is empty"),
            (tmp_path / "latin.csv", "not UTF-8; line 2"), (tmp_path / "none.csv", "no such file")]


def test_bad_examples_are_named_before_anything_is_spent(texts, demo_model, tmp_path):
    with Sandbox() as server:
        for path, said in broken_inputs(tmp_path, texts):
            with pytest.raises(RateError, match=re.escape(said)):
                Audit(path, "length", lambda *asked: pytest.fail("a rewrite was asked for"), letters,
                      tmp_path / "refused")
            assert not (tmp_path / "refused").exists()
        for path, said in broken_inputs(tmp_path, texts)[::5]: # the same through the command
            done = audit(*flags(path, demo_model, server.base_url, tmp_path / f"run-{path.stem}"),
                         OPENAI_API_KEY="test")
            assert (done.returncode != 0
                    and said in done.stderr
                    and path.name in done.stderr), (path.name, done.stderr)
            assert "Traceback" not in done.stderr and not (
                tmp_path / f"run-{path.stem}" / "report.html").exists()
        assert server.requests == 0


def asked_of(texts, model, url, folder): # parameters of the run notebook
    return dict(examples=str(texts), attribute="length", base_url=url, rewriter_model="sandbox-rewriter",
                reward_model=str(model), run_dir=str(folder), max_concurrency=4)


def refused(texts, model, url, folder, key):
    "What the run notebook says of an audit that cannot be, without the command and its kernel around it"
    code, said = run_with(run_notebooks()["audit"], folder.parent / f"book-{folder.name}",
                          asked_of(texts, model, url, folder), OPENAI_API_KEY=key)
    assert code, said
    return said


def test_bad_models_and_endpoints(texts, demo_model, tmp_path):
    import shutil
    headless = tmp_path / "headless"
    shutil.copytree(demo_model, headless)
    from transformers import LlamaConfig, LlamaForCausalLM
    LlamaForCausalLM(LlamaConfig(vocab_size=3000, hidden_size=16, intermediate_size=16, num_hidden_layers=1,
                                 num_attention_heads=2)).save_pretrained(headless)
    with Sandbox(api_key="right") as server:
        said = refused(texts, headless, server.base_url, tmp_path / "a", "right")
        assert "headless" in said and "head" in said and server.requests == 0, said
        said = refused(texts, demo_model, server.base_url, tmp_path / "b", "kept-secret")
        assert "key" in said and "kept-secret" not in said and server.served == 0, said
        url = server.base_url
    said = refused(texts, demo_model, url, tmp_path / "c", "right")
    assert url in said and "nothing answers there" in said, said


def test_the_folder_of_another_audit_is_left_as_it_was(texts, demo_model, tmp_path):
    "Through the command, which keeps a notebook of each run"
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "manifest.json").write_text(json.dumps(dict(audit=dict(draws=7), status="complete",
        rewrites={})))
    (tmp_path / "d" / "audit.ipynb").write_text("its notebook")
    with Sandbox() as server:
        done = audit(*flags(texts, demo_model, server.base_url, tmp_path / "d"), OPENAI_API_KEY="right")
        assert (done.returncode != 0 and "belongs to another audit" in done.stderr
                and "draws: 7 there, 1 here" in done.stderr and server.requests == 0
                and "Traceback" not in done.stderr), done.stderr
    assert json.loads((tmp_path / "d" / "manifest.json").read_text())["audit"] == dict(draws=7) and (
        tmp_path / "d" / "audit.ipynb").read_text() == "its notebook"
    assert [p.name for p in (tmp_path / "d").glob("*.ipynb")] == ["audit.ipynb"]
    assert "Notebook:" not in done.stderr # none was kept


def test_a_plan_sends_nothing_and_stands_in_nobodys_way(texts, demo_model, tmp_path):
    with Sandbox() as server:
        # a plan reads no weights, and asks no hub for them
        nowhere = flags(texts, "no/such-model", server.base_url, tmp_path / "run")
        done = audit(*nowhere, "--plan", "--json", OPENAI_API_KEY="test", HF_HUB_OFFLINE="1")
        assert done.returncode == 0 and server.requests == 0, done.stderr
        said = json.loads(done.stdout)
        assert (said["plan"].startswith("240 calls to sandbox-rewriter")
                and [row["at most"] for row in said["table"]] == [120, 240, 360, 240, 240]
                and any("To run all checks, add --both, --draws 2" in n for n in said["notes"]))
        assert not (tmp_path / "run" / "report.html").exists() and not (
            tmp_path / "run" / "audit.ipynb").exists()
        # what follows a plan: the notebook without the command, which test_demo runs as a user does
        code, said = run_with(run_notebooks()["audit"], tmp_path / "book",
                              asked_of(texts, demo_model, server.base_url, tmp_path / "run"),
                              OPENAI_API_KEY="test")
        assert code == 0 and server.served == 240, said


def test_a_plan_says_that_the_reward_is_still_the_demos(texts, tmp_path):
    for examples, told in ((str(texts), True), ("demo", False)):
        said = dict(examples=examples, attribute="length", rewriter="sandbox", reward="demo")
        for of in (dict(plan=True), {}):
            plan = Audit.from_config(said | dict(run_dir=str(tmp_path / "run")), **of).plan()
            assert any("is the demo's small model" in note for note in plan.notes) == told


def test_texts_that_do_not_fit_are_counted_in_the_report(demo_model, tmp_path):
    from rate_nb.scoring.sequence_rewards import load_reward_model
    short = load_reward_model(demo_model, max_length=40, name="short-sighted")
    finished = Audit(small(), "length", double, short, tmp_path)
    report, cut = finished.report().read_text(), manifest_of(finished)["scorers"]["short-sighted"][
        "texts_cut_by_its_context"]
    assert (0 < cut <= 24
            and f"{cut} text{'s' * (cut > 1)} did not fit into the context of short-sighted" in report
            and "Can the rewards be trusted?" in report)


def small(n=8): return TextWorld("length").examples(n, np.random.default_rng(1))
double = lambda prompt, text, target: text + text if target else text[:len(text) // 2]
letters = lambda prompts, responses: [float(len(r)) for r in responses]

TROUBLE = {"every rewrite comes back empty": dict(rewriter=lambda prompt, text, target: "",
                                                  said="Nothing was measured"),
           "one side comes back empty": dict(rewriter=lambda prompt, text, target: text + text if target
                                             else "", said="could not be used"),
           "one example": dict(examples=small(1), said="no interval"),
           "one arm": dict(examples=small(40).query("w == 1"), said="mong responses that have"),
           "a constant reward": dict(reward=lambda prompts, responses: [1.] * len(responses),
                                     check=0, said="do not vary"),
           "two models": dict(reward=[CallableReward("a<b>", letters), CallableReward("b", letters)],
                              said="Do a&lt;b&gt; and b pay for length?"),
           "a reward that is not finite": dict(reward=lambda prompts,
                                               responses: [float("nan") if len(r) > 470 else float(len(r))
                                                           for r in responses],
                                               keep_going=True, said="no finite number")}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=list(TROUBLE))
def test_a_run_that_went_wrong_has_a_report_that_says_so(trouble, tmp_path):
    audit = Audit(trouble.get("examples", small()), "length", trouble.get("rewriter", double),
                  trouble.get("reward", letters), tmp_path,
                  design=Design(check=trouble.get("check", 8), keep_going=trouble.get("keep_going", False)))
    assert trouble["said"] in audit.report().read_text()


@pytest.mark.parametrize("reward, said", [
    (lambda prompts, responses: [1.] * len(responses), "tells no two texts apart"),
    (lambda prompts, responses: [float("nan")] * len(responses), "gives no finite reward"),
    (lambda prompts, responses: [1.], "one number per response"),
    (lambda prompts, responses: prompts[0]["missing"], "TypeError")],
    ids=["constant", "nan", "shape", "raises"])
def test_a_reward_that_cannot_be_audited_costs_no_rewrite(reward, said, tmp_path):
    called = []
    audit = Audit(small(), "length", lambda p, t, w: called.append(t) or t, reward, tmp_path)
    with pytest.raises(RateError, match=said):
        audit.report()
    assert not called


@pytest.mark.parametrize("settings", [
    lambda: dict(draws=0), lambda: dict(depth=1), lambda: dict(both=1), lambda: dict(design=dict(check=0)),
    lambda: dict(grading=Design()), lambda: dict(grading=Grading(level=95)), lambda: dict(reward=[]),
    lambda: dict(design=Design(prices=(1,))), lambda: dict(budget=-1., design=Design(prices=(1, 2))),
    lambda: dict(design=Design(accept_stored=5)), lambda: dict(grading=Grading(itself=5)),
    lambda: dict(reward=[CallableReward("m", letters)] * 2)], ids=range(12))
def test_wrong_settings_cost_nothing_and_claim_nothing(settings, tmp_path):
    called = []
    with pytest.raises(InputError):
        Audit(**dict(examples=small(), attribute="length", rewriter=lambda p, t, w: called.append(t) or t,
                     reward=letters, run_dir=tmp_path / "run") | settings())
    assert not called and not (tmp_path / "run").exists()


def test_a_key_in_the_address_is_refused_before_it_is_written(tmp_path):
    done = audit("--examples", "x.csv", "--reward-model", "m", "--rewriter-model", "r", "--base-url",
                 "http://user:hunter2@127.0.0.1:9/v1", "--run-dir", tmp_path / "run")
    assert done.returncode == 2 and "OPENAI_API_KEY" in done.stderr and not (tmp_path / "run").exists()


def test_unknown_parameter_is_an_error(tmp_path):
    (tmp_path / "c.yaml").write_text("atribute: length\ndraws: two\n")
    done = audit("--config", tmp_path / "c.yaml", "--examples", "x.csv", "--reward-model", "m",
                 "--rewriter-model", "r")
    assert (done.returncode == 2
            and "did you mean 'attribute'?" in done.stderr
            and "`draws` in" in done.stderr and "must be of type int" in done.stderr)


@pytest.mark.slow
def test_imdb_reviews_with_their_human_counterfactuals(data, demo_model, tmp_path):
    "All 245 originals through the sandbox and a local model; the human counterfactual's effect beside RATE's"
    path = data / "imdb_counterfactual" / "dev_paired.tsv"
    done = audit("--examples", path, "--format", "imdb-counterfactual", "--attribute", "sentiment",
                 "--base-url", "sandbox",
                 "--reward-model", demo_model, "--run-dir", tmp_path / "imdb")
    assert done.returncode == 0, done.stderr
    scored = pd.read_parquet(tmp_path / "imdb" / "scored.parquet")
    assert len(scored) == 245 and scored.prompt_id.nunique() == 245 and scored.filter(
        like="reward_").notna().all(axis=None)
    report = (tmp_path / "imdb" / "report.html").read_text()
    assert ("For each of these texts a person has written its counterfactual" in report
            and "RATE minus people" in report)


def small_audit(folder, reward, prices=None, **columns):
    examples = TextWorld("length").examples(12, np.random.default_rng(3)).assign(**columns)
    return Audit(examples, "length", shortened, reward, folder, design=Design(prices=prices, check=0))


def shortened(prompt, text, target):
    return text + " And so on." if target == "longer" else " ".join(text.split()[:3])


def by_length(prompts, responses):
    return [len(r)/50 for r in responses]


def only_of_rewrites(prompts, responses):
    return [len(r)/50 if r.endswith("on.") or len(r.split()) < 4 else np.nan for r in responses]


def test_what_only_a_report_shows_stops_no_estimate(tmp_path, monkeypatch):
    "No original has a finite reward: RATE compares rewrites; a table that fails is the report's error"
    audit = small_audit(tmp_path / "a", only_of_rewrites)
    assert np.isfinite(audit.effects().get("rate", "ATE").estimate)
    page = audit.report().read_text()
    assert "What may be claimed?" in page and "What rewriting does to rewards" not in page
    monkeypatch.setattr("rate_nb.views.report.report_tables", lambda *args: 1/0)
    audit = small_audit(tmp_path / "b", by_length)
    assert np.isfinite(audit.effects().get("rate", "ATE").estimate)
    with pytest.raises(ZeroDivisionError):
        audit.report()


def test_columns_of_ones_own_may_mix_types(tmp_path):
    "A column that is now a number, now a word, now a list ends no audit after all is paid"
    mixed = [1, "a", [2], {"b": 3}, None, 1.5]*2
    audit = small_audit(tmp_path / "run", by_length, mine=mixed)
    audit.report()
    assert list(pd.read_parquet(tmp_path/"run/scored.parquet").mine)[:4] == ["1", "a", "[2]", '{"b": 3}']
    assert Audit.from_config(tmp_path/"run/audit.yaml").inputs.identity == audit.inputs.identity


def test_report_has_the_configuration_of_its_own_audit(tmp_path):
    "Another audit of the same folder wrote its audit.yaml"
    dear, cheap = (small_audit(tmp_path, by_length, prices=(p, p)) for p in (37., 1.))
    dear.effects(), cheap.effects()
    manifest_of(dear)["tokens"].clear() # is the caller's own
    page = dear.report().read_text()
    assert "prompt: 37.0" in (tmp_path/"audit.yaml").read_text() and "prompt: 37.0" in page


def test_the_files_of_a_run_follow_a_flag_and_its_removal(tmp_path):
    "As the manifest does, whichever audit of the folder set it"
    def excluded(): return int((pd.read_parquet(tmp_path / "rewrites.parquet").status == "flagged").sum())
    audit, other = (small_audit(tmp_path, by_length) for _ in range(2))
    audit.effects(), other.effects()
    audit.flag(audit.examples.example_id[0], "odd")
    assert excluded() == (audit.rewrite().status == "flagged").sum() == 2
    other.effects()
    other.flag(audit.examples.example_id[0], flagged=False)
    assert excluded() == 0
    audit.report()
    assert excluded() == 0 and "flagged" not in json.dumps(manifest_of(audit)["rewrites"])


@pytest.mark.parametrize("prices", [(1, 2), (1, 2, .5), {"m": (1, 2)}, {"m": (1, 2, .5)}], ids=str)
def test_prices_of_every_form_are_written_down_and_read_again(prices, tmp_path):
    audit = small_audit(tmp_path / "run", lambda p, r: [1.*len(t) for t in r], prices=prices)
    audit.report() # its reward is a function of a test, so no command repeats it
    audit = Audit(audit.examples, "length", shortened, by_length, tmp_path / "again",
                  design=Design(prices=prices))
    again = Audit.from_config(audit.to_config() | dict(run_dir=str(tmp_path / "third")))
    assert again.inputs.design.prices == prices


def test_a_diagnosis_of_before_a_flag_is_not_kept_as_one_of_after(tmp_path, monkeypatch):
    audit = small_audit(tmp_path, by_length)
    audit.effects()
    real = rate_nb.audit.audit.diagnose
    def meanwhile(*args, **options):
        found = real(*args, **options)
        if audit.tables.diagnosis is None and not flagged:
            flagged.append(audit.flag(audit.examples.example_id[0], "meanwhile"))
        return found
    flagged = []
    monkeypatch.setattr(rate_nb.audit.audit, "diagnose", meanwhile)
    before = audit.diagnose()
    after = audit.diagnose()
    assert flagged and after is not before and audit.diagnose() is after


def test_the_command_of_an_audit_with_an_instruction_goes_on_in_its_folder(tmp_path):
    examples = TextWorld("length").examples(8, np.random.default_rng(3))
    made = Audit(examples, "length", shortened, by_length, tmp_path / "run",
                 design=Design(instruction="Make it {W}, now."))
    made.report()
    made.close()
    again = Audit.from_config(tmp_path / "run/audit.yaml")
    assert again.effects().table.equals(made.effects().table)
    with pytest.raises(RateError, match="instruction_id"):
        Audit(examples, "length", shortened, by_length, tmp_path / "run",
              design=Design(instruction="Make it {W}, please."))


def test_what_the_intervals_are_about_can_be_said_in_a_file(tmp_path):
    "Prompts of unequal size: an interval about new prompts is the jackknife's, and another number"
    world = TextWorld("length")
    texts = world.examples(60, np.random.default_rng(1))
    texts["prompt_id"] = [f"p{int(i**.5)}" for i in range(60)]
    said = dict(attribute="length", rewriter=world.rewriter, reward=world.reward, design=dict(check=0))
    usual, new = (Audit.from_config(said | dict(examples=texts, run_dir=str(tmp_path / name), **more))
                  for name, more in (("a", {}), ("b", dict(grading=dict(estimand_over="new prompts")))))
    same = estimate_effects(new.score(), estimand_over="new prompts").get("rate", "ATE")
    assert new.effects().get("rate", "ATE") == same
    assert same.std_error != usual.effects().get("rate", "ATE").std_error
    assert new.diagnose().table.equals(usual.diagnose().table)
    with pytest.raises(InputError, match="estimand_over.*one of 'prompts of these sizes', 'new prompts', "):
        Grading(estimand_over="all")


def test_each_prompt_once_goes_from_a_file_to_the_headline(tmp_path):
    "Effects, wins and what was taken out count prompts; the checks say that they count responses"
    world = TextWorld("length")
    texts = world.examples(80, np.random.default_rng(1))
    texts["prompt_id"] = [f"p{int(i**.75)}" for i in range(80)]
    said = dict(attribute="length", rewriter=world.rewriter, reward=world.reward, design=dict(check=0),
                examples=texts, run_dir=str(tmp_path / "run"), grading=dict(estimand_over="each prompt once"))
    audit = Audit.from_config(said)
    audit.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    scored, effects = audit.score(), audit.effects()
    c = (2*scored.w - 1)*(scored.reward_rewrite_of_rewrite - scored.reward_rewrite)
    means = c.groupby(scored.example_id).mean().groupby(texts.set_index("example_id").prompt_id).mean()
    e, G = effects.get("rate", "ATE"), len(means)
    assert (e.estimate, e.std_error) == pytest.approx((means.mean(), means.std(ddof=1)/G**.5))
    first, = answers(effects, audit.attribute, scored, audit.diagnose())
    wins = ((np.sign(c) + 1)/2).groupby(scored.example_id).mean()
    wins = wins.groupby(texts.set_index("example_id").prompt_id).mean()
    assert "With each prompt counted once, " in first.sentence
    assert first.win_rate == pytest.approx(wins.mean())
    assert first.estimate == e.estimate and np.isnan(first.yardstick) and not first.length # one draw
    assert "The effect counts each prompt once, the checks each response" in audit.diagnose().headline()
    assert "each prompt counted once" in page.lower() and "each prompt counts once" in page.lower()
    assert "the checks each response" in page
    kept = audit.calibrate()
    assert kept.before.get("rate", "ATE").estimate == pytest.approx(e.estimate)
    usual = diagnose(audit.examples, audit.rewrite(), scored, audit.attribute)
    both = usual.table, audit.diagnose().table
    assert both[0].equals(both[1][both[1].check != "prompt sizes"].reset_index(drop=True))
    assert len(both[0]) == len(both[1]) - 1 and "each prompt once" not in usual.headline()
    with pytest.raises(InputError, match="`estimand_over` must be one of"):
        diagnose(None, None, scored, audit.attribute, estimand_over="prompts")
    assert manifest_of(audit)["intervals"]["estimand_over"] == "each prompt once"
    audit.close()
    folder = publish_run(tmp_path / "run", tmp_path / "public").folder
    assert not verify_published(folder).differs
    assert "95% intervals, each prompt counts once" in (folder / "report.html").read_text(encoding="utf-8")


def test_a_reward_that_loses_a_number_by_its_place_stops_the_run_before_a_rewrite(tmp_path):
    "And goes on where that is wanted"
    world = TextWorld("length")
    examples = world.examples(40, np.random.default_rng(0))
    asked = []
    def rewriter(prompt, text, target): return asked.append(1) or world.rewriter(prompt, text, target)
    for place in (3, 0, -1):
        def score(prompts, responses):
            rewards = [len(r)/10 for r in responses]
            if len(rewards) > abs(place):
                rewards[place] = float("nan")
            return rewards
        reward = CallableReward("loses", score, key=str(place), batch_size=8)
        with pytest.raises(ModelError, match="'loses' (cannot be relied on|gives no finite reward)"):
            Audit(examples, "length", rewriter, reward, tmp_path/str(place)).rewrite()
        assert not asked
