"One owner a folder: races, threads, stopped processes, and whose replies a folder holds."
import gc, json, os, signal, subprocess, sys, time, warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import numpy as np
import pytest
import racing
from rate_nb.audit.audit import Audit, usable_folder
from rate_nb.base.core import InputError, RunFolderError, write_atomic
from rate_nb.base.store import FencedError, Held, Store, lock, network_file_system, unlock
from rate_nb.batch.cli import main
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.rewriting.chains import FunctionRewriter, double_rewrite
from rate_nb.rewriting.sandbox import Sandbox
from rate_nb.theory.text_world import TextWorld
from rate_nb.views.report import _senders, cost_line


def endpoint(server, **more):
    return OpenAIRewriter("sandbox-rewriter", base_url=server.base_url, api_key=lambda: "none", **more)


def lengths(prompts, responses): return [float(len(r)) for r in responses]


def small(n=8): return TextWorld("length").examples(n, np.random.default_rng(1))


def ruled(folder, **settings): # by a rewriter that follows rules
    return Audit(small(), "length", TextWorld("length").rewriter, lengths, folder, **settings)


def test_threads_with_one_rewriter_and_one_store_ask_for_each_rewrite_once(tmp_path):
    with Sandbox(latency=.01) as server, Store(tmp_path / "store.sqlite") as store:
        rewriter = endpoint(server, store=store)
        with ThreadPoolExecutor(16) as threads:
            tables = list(threads.map(lambda _: double_rewrite(small(10), "length", rewriter), range(16)))
        assert server.requests == 20 and rewriter.calls == 20
        assert all(list(t.text) == list(tables[0].text) for t in tables)
        # what was paid for is counted once
        assert sum((~t.drop_duplicates("key").cached.astype(bool)).sum() for t in tables) == 20


def test_the_next_asks_where_the_first_asker_was_stopped(tmp_path):
    from rate_nb.llm.calls import Reply, ask_once_here
    class Model:
        store, calls = None, 0
        def rewrite(self, request):
            self.calls += 1
            time.sleep(.05)
            if self.calls == 1:
                raise KeyboardInterrupt
            return Reply("Fine.")
    model = Model()
    def insist(_):
        try:
            while (got := ask_once_here(model, "key", None))[0] is None:
                pass
            return got[0].text
        except KeyboardInterrupt:
            return "interrupted"
    with ThreadPoolExecutor(4) as threads:
        said = list(threads.map(insist, range(4)))
    assert sorted(said)[-1] == "interrupted" and said.count("Fine.") == 3


def test_audits_in_threads_race_for_one_folder(tmp_path):
    facts = racing.race("threads", tmp_path, 4, latency=.005)
    assert not racing.wrong(facts), facts


def test_probes_names_and_loops_are_safe_under_races(tmp_path):
    def probe(i):
        usable_folder(tmp_path / "new" / str(i // 50))
        return write_atomic(tmp_path / "same.txt", lambda p: p.write_text("whole"))
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(probe, range(400)))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new", "same.txt"]


def test_a_notebook_may_make_its_audit_again_and_again(tmp_path):
    first = ruled(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = ruled(tmp_path)
    first.rewrite()
    again.rewrite()
    del first, again
    gc.collect()
    assert not list((tmp_path / ".owners").glob("process-*"))        # nobody holds it
    second = ruled(tmp_path)
    with pytest.raises(RunFolderError, match="belongs to another audit"):
        ruled(tmp_path, draws=2)                                      # something was made
    second.score()                                                    # and the refused one changed nothing


def test_an_audit_that_lost_its_folder_writes_no_table_of_its_examples(tmp_path, monkeypatch):
    "Woken between its estimates and what its report is drawn from"
    audit, real, before = ruled(tmp_path), Audit._repeated, {}
    def files(): return {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir() if p.is_file()}
    def lost(): raise FencedError("taken")
    def woken(self):
        monkeypatch.setattr(self._own(), "check", lost)
        before.update(files())
        return real(self)
    monkeypatch.setattr(Audit, "_repeated", woken)
    with pytest.raises(FencedError):
        audit.effects()
    assert "effects.csv" in before and files() == before


@pytest.mark.parametrize("moment", ["while it writes", "after its last look"])
def test_a_table_of_an_audit_that_lost_its_folder_never_comes_into_place(tmp_path, monkeypatch, moment):
    "Stopped with the temporary file there, and woken when somebody else has the folder"
    audit, real, there = ruled(tmp_path), Held.check, []
    def files(): return {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}
    def taken():
        subprocess.run([sys.executable, "-m", "rate_nb", "unlock", str(tmp_path)], check=True,
                       capture_output=True)
        there.append(files())
    def write(path):
        path.write_text("late")
        if moment == "while it writes":
            taken()
    def check(held):
        real(held)
        if moment == "after its last look":
            taken()
    audit._write("table.csv", lambda p: p.write_text("in time"))
    monkeypatch.setattr(Held, "check", check)
    with pytest.raises(FencedError, match="its lock was broken"):
        audit._write("table.csv", write)
    assert files() == there[0] and (tmp_path / "table.csv").read_text() == "in time"
    assert not list((tmp_path / ".owners").glob("*.files"))


def test_what_a_killed_process_was_writing_is_cleared_away(holder, tmp_path):
    run = tmp_path / "run"
    mine = next((run / ".owners").glob(f"process-{holder.pid}-*.holder")).with_suffix("")
    half = Path(f"{mine}.files") / ".rewrites.0123456789abcdef.parquet"
    half.parent.mkdir(exist_ok=True)
    half.write_bytes(b"half")
    holder.kill()
    holder.wait()
    assert unlock(run) == [] and not half.parent.exists()


def test_the_last_one_owns_and_says_so(tmp_path):
    first = ruled(tmp_path)
    with pytest.warns(UserWarning, match="an earlier audit of this process, with other settings, gives up"):
        last = ruled(tmp_path, draws=2)
    with pytest.raises(FencedError, match="by a later audit of this process"):
        first.rewrite()
    assert last.rewrite().draw.nunique() == 2
    assert json.loads((tmp_path / "manifest.json").read_text())["audit"]["draws"] == 2


HOLDS = """import sys, time
import pandas as pd
from rate_nb.audit import Audit
def rewrite(prompt, text, target):
    print("asked", flush=True)
    time.sleep(60)
table = pd.DataFrame(dict(example_id=["a", "b"], prompt_id="p", prompt="Say it.",
                          response=["one", "two three"], w=[0, 1]))
Audit(table, "length", rewrite, len, sys.argv[1], check=0).rewrite()"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(tmp_path / "run")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "asked\n"
    yield process
    process.kill()
    process.communicate()


def test_another_process_is_named_and_can_be_locked_out(holder, tmp_path, capsys):
    run = tmp_path / "run"
    other = lambda: ruled(run)
    before = (run / "manifest.json").read_bytes()
    with pytest.raises(RunFolderError, match=rf"by process {holder.pid} \(.*\) on .*, since 20.* UTC"):
        other()
    assert (run / "manifest.json").read_bytes() == before
    holder.send_signal(signal.SIGSTOP)
    os.waitpid(holder.pid, os.WUNTRACED)
    with pytest.raises(RunFolderError, match="now stopped.*rate_nb unlock"):
        other()
    assert main(["unlock", str(run), "--json"]) == 0
    assert str(holder.pid) in json.loads(capsys.readouterr().out)["taken_from"][0]
    assert main(["unlock", str(run)]) == 0 and "nobody is at work" in capsys.readouterr().out
    finished = other()
    finished.effects()
    kept = (run / "rewrites.parquet").read_bytes()
    holder.send_signal(signal.SIGCONT)
    assert (run / "rewrites.parquet").read_bytes() == kept


def test_a_mock_is_not_passed_off_as_the_real_endpoint(tmp_path):
    def audit(server, **settings):
        made = Audit(small(), "length", endpoint(server), lengths, tmp_path / "run", check=0, **settings)
        made.rewrite()
        made._save_manifest()
        return made
    with Sandbox() as mock, Sandbox() as real:
        where = lambda server: server.base_url.removeprefix("http://")
        assert audit(mock).sources() == [dict(endpoint=where(mock), model="sandbox-rewriter", replies=16)]
        with pytest.raises(InputError, match="`accept_stored`.*16 rewrites by 127.*first_draw=1") as error:
            audit(real)
        assert where(mock) in str(error.value) and where(real) in str(error.value) and real.requests == 0
        accepted = audit(real, accept_stored=True)
        assert real.requests == 0 and _senders(accepted.manifest()) == (
            " Rewrites came from the built-in endpoint of this machine (16 requests, served by "
            "sandbox-rewriter).")
        again = audit(real)                                      # the folder remembers the decision
        assert again.manifest() == accepted.manifest() and again.manifest()["accept_stored"] == ["*"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")                      # the audits before give the folder up
            anew = audit(real, first_draw=1)
        assert [s["endpoint"] for s in anew.sources()] == [where(real)] and real.requests == 16
        with pytest.raises(RunFolderError, match="first_draw: 1 there, None here"):
            audit(mock)


def test_the_report_says_what_was_spent(tmp_path):
    with Sandbox() as server:
        rewriter = endpoint(server, prices={"sandbox-rewriter": (1, 2)})
        audit = Audit(small(), "length", rewriter, lengths, tmp_path / "run", check=0)
        audit.rewrite()
        lost = dict(account="killed", calls=0, spent=.5, estimated=.5, unanswered=3, open={})
        Store(tmp_path / "run" / "store.sqlite").put_records("spending", dict(killed=lost))
        said = cost_line(audit.manifest())
    assert "16 calls ended" in said and ", $0.5 of it by estimate; 3 calls had no reply and may have" in said


def test_a_finished_run_is_read_while_somebody_holds_a_turn(tmp_path):
    make = lambda: FunctionRewriter(TextWorld("length").rewriter, "rules-1", store=tmp_path / "store.sqlite")
    audit = lambda: Audit(small(), "length", make(), lengths, tmp_path, check=0)
    expected = audit().rewrite()
    with ThreadPoolExecutor(1) as thread, lock(tmp_path / "store.sqlite", "rewrite", "length", "rules-1"):
        assert list(thread.submit(lambda: audit().rewrite()).result(20).text) == list(expected.text)


def test_locks_say_when_they_cannot_work(tmp_path):
    kinds = {k: network_file_system("/data/run", f"1 0 8:1 / / rw - ext4 a rw\n2 1 0:5 / /data rw - {k} b rw")
             for k in ("ext4", "nfs4", "cifs", "fuse.sshfs", "tmpfs")}
    assert kinds == dict(ext4="", nfs4="nfs4", cifs="cifs", tmpfs="", **{"fuse.sshfs": "fuse.sshfs"})
    if os.getuid():
        tmp_path.chmod(0o500)
        with pytest.raises((InputError, RunFolderError, OSError)):
            usable_folder(tmp_path / "run")


@pytest.mark.slow("ten races: processes that are killed, stopped and woken")
@pytest.mark.parametrize("kind", racing.KINDS)
@pytest.mark.parametrize("n", [3, 16])
def test_races(kind, n, tmp_path):
    facts = racing.race(kind, tmp_path, n, seed=n)
    assert not racing.wrong(facts), facts
