"A published audit holds no texts and no places, and a change to any of its files is found."
import hashlib, json, os, re, shutil, subprocess, sys, threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
import numpy as np
import pandas as pd
import pytest
import yaml
from conftest import ROOT
from rate_nb.audit import Audit, publish_run, verify_published
from rate_nb.base.core import InputError
from rate_nb.base.files import write_file
from rate_nb.batch import cli, combine_effects, read_runs
from rate_nb.rewriting import Sandbox
from rate_nb.theory import TextWorld
from servers import Quiet

KEY = "sk-not-for-the-public-42"
SCORE = "def score(prompts, responses):\n    return [len(r)/100 for r in responses]\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    "A folder of a user, with an audit that was asked for by absolute paths, an address and a key"
    folder = tmp_path_factory.mktemp("ada-lovelace")
    shutil.copy(ROOT/"docs"/"examples"/"responses.csv", folder/"secret-texts.csv")
    (folder/"score.py").write_text(SCORE)
    os.environ["ADAS_API_KEY"] = KEY
    with Sandbox() as box:
        audit = Audit.from_config(dict(
            examples=str(folder/"secret-texts.csv"), attribute="length",
            rewriter=dict(model="sandbox-rewriter", base_url=box.base_url, api_key_env="ADAS_API_KEY"),
            reward=f"{folder/'score.py'}:score", run_dir=str(folder/"run")))
        audit.report()
        audit.close()
    yield folder, box.base_url
    del os.environ["ADAS_API_KEY"]


@pytest.fixture(scope="module")
def published(home, tmp_path_factory):
    return publish_run(home[0]/"run", tmp_path_factory.mktemp("public")/"length", license="cc-by-4.0")


def everything(folder):
    "file → all that it holds: its bytes as text, and the cells of a table"
    out = {}
    for path in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
        held = path.read_bytes().decode("utf-8", "replace")
        if path.suffix == ".parquet":
            held += "\n".join(map(str, pd.read_parquet(path).astype(object).to_numpy().ravel()))
        out[path.relative_to(folder).as_posix()] = held
    return out


def sentences(run):
    examples, rewrites = (pd.read_parquet(run/f"{n}.parquet") for n in ("examples", "rewrites"))
    texts = pd.concat([examples.prompt, examples.response, rewrites.text])
    whole = {s.strip() for t in texts for s in re.split(r"(?<=[.!?])\s", t)}
    return {s for s in whole if len(s) >= 20}


def test_no_text_leaves(home, published):
    texts = sentences(home[0]/"run")
    assert len(texts) > 50
    for name, held in everything(published.folder).items():
        assert not [t for t in texts if t in held], name


def test_texts_leave_where_that_is_wanted_and_nowhere_else(home, tmp_path):
    made = publish_run(home[0]/"run", tmp_path/"whole", with_texts=True)
    texts = sentences(home[0]/"run")
    with_some = {name for name, held in everything(made.folder).items() if any(t in held for t in texts)}
    assert with_some == {"texts/examples.parquet", "texts/rewrites.parquet"}
    assert not verify_published(made.folder, made.digest).differs
    examples = pd.read_parquet(made.folder/"texts"/"examples.parquet")
    assert set(examples.example_id) == set(pd.read_parquet(made.folder/"scored.parquet").example_id)


def test_no_place_address_or_key_leaves(home, published):
    folder, address = home
    port = address.split(":")[-1].split("/")[0]
    for name, held in everything(published.folder).items():
        found = [s for s in (KEY, "ADAS_API_KEY", "ada-lovelace", str(folder), f":{port}", "127.0.0.1",
                             str(Path.home()) + "/", str(ROOT)) if s in held]
        assert not found, (name, found)
    said = yaml.safe_load((published.folder/"audit.yaml").read_text())
    assert said["examples"] == "secret-texts.csv" and said["reward"] == "score.py:score"
    assert said["rewriter"] == dict(kind="endpoint", model="sandbox-rewriter")
    assert any("audit.yaml" in line and "base_url" in line for line in published.left_out)


@pytest.mark.parametrize("what", ["text", "key", "place", "address"])
def test_what_would_leak_is_not_published(home, tmp_path, what):
    "The files are read again before the folder appears"
    folder, address = home
    run = tmp_path/"run"
    shutil.copytree(folder/"run", run)
    text = pd.read_parquet(run/"examples.parquet").response[0]
    told = dict(text=text, key=KEY, place=f"{Path.home()}/x", address=address.split("//")[1])[what]
    answers = json.loads((run/"answers.json").read_text())
    answers[0]["sentence"] += f" ({told})"
    (run/"answers.json").write_text(json.dumps(answers))
    with pytest.raises(InputError, match="nothing was published"):
        publish_run(run, tmp_path/"public")
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def rewritten(folder):
    "The manifest agrees with the files again"
    from hashlib import sha256
    said = json.loads((folder/"manifest.json").read_text())
    there = {p.relative_to(folder).as_posix(): sha256(p.read_bytes()).hexdigest()
             for p in sorted(folder.rglob("*")) if p.is_file() and p.name != "manifest.json"}
    (folder/"manifest.json").write_text(json.dumps(said | dict(files=there), indent=1, ensure_ascii=False))


def tampered(folder, rng):
    "One change to one file, of any kind; what was done"
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != "manifest.json"]
    path = files[rng.integers(len(files))]
    raw, at = bytearray(path.read_bytes()), int(rng.integers(path.stat().st_size))
    kind = rng.choice(["a byte", "cut", "longer", "removed", "another file", "swapped", "a number",
                       "renamed"])
    if kind == "a byte":
        raw[at] ^= int(rng.integers(1, 256))
        path.write_bytes(raw)
    elif kind == "cut":
        path.write_bytes(raw[:at])
    elif kind == "longer":
        path.write_bytes(raw + b"\n")
    elif kind == "removed":
        path.unlink()
    elif kind == "another file":
        (path.parent/f"more-{at}.txt").write_text("read me")
    elif kind == "swapped":
        other = next(p for p in files if p.read_bytes() != bytes(raw))
        path.write_bytes(other.read_bytes())
        other.write_bytes(raw)
    elif kind == "renamed":
        path.rename(path.with_name(f"old-{path.name}"))
    else: # one number of a table, by a thousandth
        path = folder/f"{rng.choice(['scored', 'effects', 'verdicts', 'checks'])}.parquet"
        table = pd.read_parquet(path)
        column = rng.choice(table.select_dtypes("float").dropna(axis=1, how="all").columns)
        row = rng.choice(table.index[table[column].notna()])
        table.loc[row, column] += .001
        write_file(table, path)
    return f"{kind}: {path.name}"


@pytest.mark.parametrize("rewrite", [False, True], ids=["manifest untouched", "manifest rewritten"])
def test_a_hundred_tamperings_are_found(published, tmp_path, rewrite):
    "With the manifest untouched; and against the printed digest where the manifest was rewritten, too"
    rng, missed, done = np.random.default_rng(41 + rewrite), [], []
    for k in range(100):
        folder = tmp_path/str(k)
        shutil.copytree(published.folder, folder)
        done.append(tampered(folder, rng))
        if rewrite:
            rewritten(folder)
        if not verify_published(folder, published.digest if rewrite else None).differs:
            missed.append(done[-1])
        shutil.rmtree(folder)
    assert not missed
    assert len({d.split(":")[0] for d in done}) == 8 and len({d.split(": ")[1] for d in done}) >= 10


def test_a_changed_manifest_is_found_by_its_digest(published, tmp_path):
    shutil.copytree(published.folder, tmp_path/"copy")
    path = tmp_path/"copy"/"manifest.json"
    path.write_text(path.read_text().replace('"level": 0.95', '"level": 0.9'))
    assert verify_published(tmp_path/"copy", f"sha256:{published.digest}").differs
    found = verify_published(tmp_path/"copy").table.set_index("what").result
    assert found["effects"] == "differs", "intervals of another level do not follow from the scores"
    with pytest.raises(InputError, match="64"):
        verify_published(tmp_path/"copy", "abc")


def test_numbers_that_do_not_follow_from_the_scores_are_found_without_any_digest(published, tmp_path):
    for k, name in enumerate(("scored", "effects", "verdicts")):
        folder = tmp_path/name
        shutil.copytree(published.folder, folder)
        table = pd.read_parquet(folder/f"{name}.parquet")
        column = ["reward_rewrite", "estimate", "win_rate"][k]
        changed = table.assign(**{column: table[column] + .01*(1 + np.arange(len(table)))})
        write_file(changed, folder/f"{name}.parquet")
        rewritten(folder)
        found = verify_published(folder)
        assert found.differs and not found.table.why.str.contains("digest is not").any(), name


def test_effects_of_another_run_are_not_published(home, tmp_path):
    shutil.copytree(home[0]/"run", tmp_path/"run")
    effects = pd.read_parquet(tmp_path/"run"/"effects.parquet")
    write_file(effects.assign(estimate=effects.estimate + 1), tmp_path/"run"/"effects.parquet")
    with pytest.raises(InputError, match="effects.parquet is not what scored.parquet gives.*naive ATE"):
        publish_run(tmp_path/"run", tmp_path/"public")


def test_cards_are_read_by_the_hubs_own_classes(published):
    from huggingface_hub import DatasetCard, ModelCard
    card = DatasetCard.load(published.folder/"README.md")
    assert card.data.license == "cc-by-4.0"
    for config in card.data.configs:
        assert (published.folder/config["data_files"]).is_file()
    path, = (published.folder/"cards").iterdir()
    card = ModelCard.load(path)
    effects = pd.read_parquet(published.folder/"effects.parquet").set_index(["estimator", "estimand"])
    found = {e.metric_type: e for e in card.data.eval_results}
    ate = effects.loc[("rate", "ATE")]
    assert found["rate_ate"].metric_value == pytest.approx(ate.estimate)
    assert found["rate_ate"].metric_args["ci_low"] == pytest.approx(ate.ci_low)
    assert found["rate_ate"].metric_args["verdict"] == "inconclusive"
    assert 0 < found["win_rate"].metric_value <= 1
    assert "What it pays for: length" in card.text and "A dry run" in card.text, "the sandbox rewrote"


class Hub:
    "What `create_repo` and `upload_folder` ask of a hub, on this machine"
    def __enter__(self):
        outer, self.asked, self.files, self.tokens = self, [], {}, set()
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *a): pass
            def send(self, said):
                raw = json.dumps(said).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            def do_GET(self): # what is there already
                outer.asked.append(self.path)
                self.send(dict(id="ada/audit", sha="0"*40, siblings=[]))
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.asked.append(self.path)
                outer.tokens.add(self.headers["Authorization"])
                url = f"http://{self.headers['Host']}"
                if self.path == "/api/repos/create":
                    outer.made = json.loads(body)
                    return self.send(dict(url=f"{url}/datasets/ada/audit", id="ada/audit"))
                if self.path == "/api/validate-yaml":
                    outer.card = json.loads(body)["content"]
                    return self.send(dict(warnings=[], errors=[]))
                if "/preupload/" in self.path:
                    way = dict(uploadMode="regular", shouldIgnore=False, oid=None)
                    return self.send(dict(files=[dict(path=f["path"], **way)
                                                 for f in json.loads(body)["files"]]))
                from base64 import b64decode
                for line in map(json.loads, body.splitlines()):
                    if line["key"] == "file":
                        outer.files[line["value"]["path"]] = b64decode(line["value"]["content"])
                self.send(dict(success=True, commitOid="1"*40,
                               commitUrl=f"{url}/datasets/ada/audit/commit/1"))
        self.server = Quiet(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.server.server_close()


def command(*words, **env):
    kept = {k: v for k, v in os.environ.items() if k not in ("HF_HUB_OFFLINE", "HF_TOKEN")}
    return subprocess.run([sys.executable, "-m", "rate_nb", *map(str, words)], capture_output=True, text=True,
                          env=kept | env, cwd=ROOT, timeout=300)


def test_the_command_publishes_sends_and_verifies(home, tmp_path):
    to = tmp_path/"public"
    with Hub() as hub:
        env = dict(HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path/"hf"), HF_TOKEN="hf_not_a_real_token",
                   HF_HUB_DISABLE_TELEMETRY="1")
        done = command("publish", home[0]/"run", "--to", to, "--repo", "ada/audit", "--private", "--json",
                       **env)
        assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert hub.card == (to/"README.md").read_text()
    assert hub.made["type"] == "dataset" and hub.made["name"] == "audit"
    assert hub.made.get("visibility") == "private" or hub.made.get("private") is True
    assert hub.tokens == {"Bearer hf_not_a_real_token"}
    assert said["sent"].endswith("/datasets/ada/audit/commit/1")
    assert hub.files == {
        p.relative_to(to).as_posix(): p.read_bytes() for p in to.rglob("*") if p.is_file()}
    got = tmp_path/"got"                                       # as another person downloads it
    for name, raw in hub.files.items():
        (got/name).parent.mkdir(parents=True, exist_ok=True)
        (got/name).write_bytes(raw)
    (got/".gitattributes").write_text("*.parquet filter=lfs\n")
    done = command("verify", got, "--digest", said["digest"])
    assert done.returncode == 0 and "No difference found" in done.stdout, done.stdout + done.stderr
    (got/"effects.json").write_text("[]")
    done = command("verify", got, "--digest", said["digest"])
    assert done.returncode == 1 and "differs: effects.json" in done.stdout


def test_a_hub_that_does_not_answer_is_said_in_one_line(published, tmp_path, home):
    done = command("publish", home[0]/"run", "--to", tmp_path/"public", "--repo", "ada/audit",
                   HF_ENDPOINT="http://127.0.0.1:9", HF_HOME=str(tmp_path/"hf"),
                   HF_TOKEN="hf_not_a_real_token")
    assert done.returncode == 2 and "the hub did not take ada/audit" in done.stderr
    assert "Traceback" not in done.stderr and (tmp_path/"public"/"manifest.json").exists()


def test_without_a_token_nothing_is_sent(home, tmp_path):
    with Hub() as hub:
        done = command("publish", home[0]/"run", "--to", tmp_path/"public", "--repo", "ada/audit",
                       HF_ENDPOINT=hub.url, HF_HOME=str(tmp_path/"hf"))
    assert done.returncode == 2 and "HF_TOKEN" in done.stderr and not hub.asked


def test_what_cannot_be_published_says_why(home, published, tmp_path, capsys):
    (tmp_path/"there").mkdir()
    (tmp_path/"there"/"x").write_text("")
    assert cli.main(["publish", str(home[0]/"run"), "--to", str(tmp_path/"there")]) == 2
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["publish", str(tmp_path/"there"), "--to", str(tmp_path/"new")]) == 2
    assert "manifest.json" in capsys.readouterr().err
    assert cli.main(["publish", str(home[0]/"run"), "--to", str(tmp_path/"new"), "--private"]) == 2
    assert "--repo" in capsys.readouterr().err
    assert cli.main(["verify", str(home[0]/"run")]) == 2
    assert "another kind" in capsys.readouterr().err


def test_published_audits_of_several_people_are_summed_up_like_runs(published, tmp_path, capsys):
    for name in ("ada", "grace", "mallory"):
        shutil.copytree(published.folder, tmp_path/"all"/name)
    grace = tmp_path/"all"/"grace" # her own audit, with the same effects
    pd.read_parquet(grace/"scored.parquet").sample(frac=1, random_state=0).to_parquet(grace/"scored.parquet")
    manifest = json.loads((grace/"manifest.json").read_text())
    manifest["files"]["scored.parquet"] = hashlib.sha256((grace/"scored.parquet").read_bytes()).hexdigest()
    (grace/"manifest.json").write_text(json.dumps(manifest))
    (tmp_path/"all"/"mallory"/"effects.json").write_text("[]")
    said, runs = read_runs(tmp_path/"all")
    assert dict(zip(runs.run, runs.status)) == dict(ada="done", grace="done", mallory="failed")
    assert "effects.json" in runs.note[2]
    table = combine_effects(tmp_path/"all")
    assert set(table.run) == {"ada", "grace"} and set(table.attribute) == {"length"}
    verdicts = pd.read_parquet(published.folder/"verdicts.parquet")
    ate = table[(table.estimator == "rate") & (table.estimand == "ATE")]
    assert ate.win_rate.tolist() == [verdicts.win_rate[0]]*2 and set(ate.checks) == {"dry run"}
    with pytest.raises(InputError, match="itself a published audit"):
        combine_effects(published.folder)
    assert cli.main(["grid_summary", str(tmp_path/"all"), "--json"]) == 0
    page = (tmp_path/"all"/"report.html").read_text()
    assert "mallory" in page and "pairs won" in page and f"{verdicts.win_rate[0]:.0%}" in page
    assert 'href="ada/report.html"' in page and json.loads(capsys.readouterr().out)["table"][0]["win_rate"]


def test_where_nothing_was_measured_no_effect_is_published_as_one(tmp_path):
    world = TextWorld("length")
    audit = Audit(world.examples(30, np.random.default_rng(0)), "length", lambda p, t, w: t, world.reward,
                  tmp_path/"run")
    audit.report()
    audit.close()
    made = publish_run(tmp_path/"run", tmp_path/"public")
    assert not verify_published(made.folder, made.digest).differs
    assert pd.read_parquet(made.folder/"verdicts.parquet").estimate.isna().all()
    page = (made.folder/"report.html").read_text()
    assert "The effect is still unknown" in page and "<h2>Effects</h2>" not in page
    for card in [made.folder/"README.md", *(made.folder/"cards").iterdir()]:
        assert "model-index" not in card.read_text() and "The effect holds" not in card.read_text()


@pytest.mark.parametrize("folder", sorted((ROOT/"docs"/"published").iterdir()), ids=lambda p: p.name)
def test_the_studies_of_this_repository_are_what_was_published(folder):
    assert not verify_published(folder).differs
