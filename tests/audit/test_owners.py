"One owner a run folder: races, threads, processes, and whose replies a folder holds."
import gc, json, os, shutil, signal, subprocess, sys, time, warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import numpy as np
import pytest
import racing
from rate_nb.audit import Audit, Design
from rate_nb.audit.manifest import manifest_of
from rate_nb.audit.run_folder import RunFolder, usable_folder
from rate_nb.base.core import BudgetError, InputError, RateError, RunFolderError, write_atomic
from rate_nb.base.store import lock, network_file_system, own_folder, Store
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.llm.prices import spending
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
    assert not (tmp_path / ".owner").exists()                        # it is held no more
    second = ruled(tmp_path)
    with pytest.raises(RunFolderError, match="belongs to another audit"):
        ruled(tmp_path, draws=2)                                      # something was made
    second.score()                                                    # and the refused one changed nothing


def test_a_folder_of_other_labels_is_refused_by_that_name(tmp_path):
    examples = small()
    asked = dict(attribute="length", rewriter=lambda p, t, w: f"{t} {w}", reward=lengths,
                 run_dir=tmp_path / "run", design=Design(check=0))
    Audit(examples, **asked).rewrite()
    with pytest.raises(RunFolderError, match="examples: other texts, ids or labels there"):
        Audit(examples.assign(w=1 - examples.w), **asked).rewrite()


def test_the_last_one_owns_and_says_so(tmp_path):
    first = ruled(tmp_path)
    first.folder.take() # by its first step, which has made nothing in it yet
    last = ruled(tmp_path, draws=2)
    last.folder.take()
    with pytest.raises(RunFolderError, match="by a later audit of this process"):
        first.rewrite()
    assert last.rewrite().draw.nunique() == 2
    assert json.loads((tmp_path / "manifest.json").read_text())["audit"]["draws"] == 2


HOLDS = """import sys, time
import pandas as pd
from rate_nb.audit import Audit, Design
def rewrite(prompt, text, target):
    print("asked", flush=True)
    time.sleep(60)
table = pd.DataFrame(dict(example_id=["a", "b"], prompt_id="p", prompt="Say it.",
                          response=["one", "two three"], w=[0, 1]))
Audit(table, "length", rewrite, len, sys.argv[1], design=Design(check=0)).rewrite()"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", HOLDS, str(tmp_path / "run")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "asked\n"
    yield process
    process.kill()
    process.communicate()


def test_another_process_is_named_also_when_it_is_stopped(holder, tmp_path):
    run = tmp_path / "run"
    before = (run / "manifest.json").read_bytes()
    with pytest.raises(RunFolderError, match=rf"by process {holder.pid} \(.*\)\."):
        ruled(run).rewrite()
    holder.send_signal(signal.SIGSTOP)
    os.waitpid(holder.pid, os.WUNTRACED)
    with pytest.raises(RunFolderError, match=f"process {holder.pid} .*now stopped"):
        ruled(run).rewrite()
    assert (run / "manifest.json").read_bytes() == before
    holder.kill()
    holder.wait()
    ruled(run).effects()                                              # a killed process holds nothing


def test_a_lock_is_on_the_folder_and_not_on_a_file_in_it(holder, tmp_path):
    (tmp_path / "run" / ".owner").unlink()
    with pytest.raises(RunFolderError, match="used with other settings by another process"):
        ruled(tmp_path / "run").rewrite()


def test_a_forked_child_neither_owns_the_folder_nor_frees_it(tmp_path):
    held = own_folder(tmp_path, "length", lambda: None)
    if (pid := os.fork()) == 0:
        refused = 0
        for use in (held.check, lambda: own_folder(tmp_path, "other", lambda: None)):
            try:
                use()
            except RunFolderError:
                refused += 1
        os._exit(refused)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 2
    held.check()
    code = "import sys; from rate_nb.base.store import own_folder; own_folder(sys.argv[1], 'other', int)"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert f"by process {os.getpid()}" in done.stderr


def test_a_run_folder_is_found_again_after_chdir_and_under_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "run", target_is_directory=True)
    audit = ruled("run")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    audit.effects()
    assert not list((tmp_path / "other").iterdir()) and (tmp_path / "run" / "effects.csv").exists()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunFolderError, match="belongs to another audit"):
        ruled("link", draws=2)


def test_a_folder_that_is_removed_under_an_audit_is_not_made_again(tmp_path):
    audit = ruled(tmp_path / "run")
    audit.rewrite()
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(RateError, match="removed or replaced while it was in use"):
        audit.effects()


@pytest.mark.parametrize("text", ["[1, 2]", "[" * 100_000, "{", '{"audit": 3}', '"text"'])
def test_a_manifest_that_is_none_is_named(tmp_path, text):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(RunFolderError, match="is not the manifest of an audit"):
        ruled(tmp_path)


def test_a_folder_name_that_is_too_long_is_named(tmp_path):
    with pytest.raises(RunFolderError, match="cannot be used as a folder .*File name too long"):
        ruled(tmp_path / ("x" * 300))


def test_a_mock_is_not_passed_off_as_the_real_endpoint(tmp_path):
    def audit(server, **settings):
        made = Audit(small(), "length", endpoint(server), lengths, tmp_path / "run",
                     design=Design(check=0, **settings))
        made.rewrite()
        made.folder.write_json("manifest.json", manifest_of(made))
        return made
    with Sandbox() as mock, Sandbox() as real:
        where = lambda server: server.base_url.removeprefix("http://")
        by_the_mock = dict(endpoint=where(mock), model="sandbox-rewriter", replies=16)
        assert manifest_of(audit(mock))["sources"] == [by_the_mock]
        with pytest.raises(InputError, match="`accept_stored`.*16 rewrites by 127.*first_draw=1") as error:
            audit(real)
        assert where(mock) in str(error.value) and where(real) in str(error.value) and real.requests == 0
        accepted = audit(real, accept_stored=True)
        assert real.requests == 0 and _senders(manifest_of(accepted)) == (
            "the built-in endpoint of this machine (16 requests, served by sandbox-rewriter)")
        again = audit(real)                                      # the folder remembers the decision
        assert manifest_of(again) == manifest_of(accepted) and manifest_of(again)["accept_stored"] == ["*"]
        anew = audit(real, first_draw=1)
        assert [s["endpoint"] for s in manifest_of(anew)["sources"]] == [where(real)] and real.requests == 16
        with pytest.raises(RunFolderError, match="first_draw: 1 there, None here"):
            audit(mock)


def test_the_report_says_what_was_spent(tmp_path):
    with Sandbox() as server:
        rewriter = endpoint(server, prices={"sandbox-rewriter": (1, 2)})
        audit = Audit(small(), "length", rewriter, lengths, tmp_path / "run", design=Design(check=0))
        audit.rewrite()
        lost = dict(account="killed", calls=0, spent=.5, estimated=.5, unanswered=3, open={})
        Store(tmp_path / "run" / "store.sqlite").put_records("spending", dict(killed=lost))
        said = cost_line(manifest_of(audit))
    assert "16 calls ended" in said and ", $0.50 of it by estimate; 3 calls had no reply and may have" in said


PAYS = """import sys
from pathlib import Path
from rate_nb.audit.run_folder import RunFolder
RunFolder(Path(sys.argv[1]), {}, "s").write_paid(dict(rewrite_calls=9, dollars=2.5)) # a run of yesterday
folder = RunFolder(Path(sys.argv[1]), {}, "s")
folder.write_paid(dict(rewrite_calls=3, dollars=.5, judge_calls=1))
print("paid", flush=True)
sys.stdin.read()"""


def test_runs_at_the_same_time_add_up_what_they_paid(tmp_path):
    paid = lambda: {k: v for k, v in json.loads((tmp_path / "paid.json").read_text()).items() if k != "runs"}
    other = subprocess.Popen([sys.executable, "-c", PAYS, str(tmp_path)], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "paid\n"
    ours = RunFolder(tmp_path, {}, "s")
    for _ in range(2): # a second report of the same run counts once
        ours.write_paid(dict(rewrite_calls=1, dollars=.25))
        assert paid() == dict(rewrite_calls=4, dollars=.75, judge_calls=1)
    other.communicate("")
    ours.close()
    RunFolder(tmp_path, {}, "s").write_paid(dict(rewrite_calls=0, dollars=None))
    assert paid() == dict(rewrite_calls=0, dollars=None)


def test_two_runs_at_the_same_time_keep_one_budget(tmp_path, monkeypatch):
    first, spent, asked = Audit._first_rewrites, [], []
    def between(self, alone): # the other run has its turn between the first rewrites of this one and the rest
        first(self, alone)
        spent.append(spending(Store(tmp_path / "run" / "store.sqlite"))["dollars"])
        if len(spent) == 1:
            run()
            asked.append(server.requests)
    def run():
        audit = Audit(small(40), "length", endpoint(server, max_tokens=100), lengths,
                      tmp_path / "run", budget=.03, design=Design(prices=(2.5, 10), check=0))
        with pytest.raises(BudgetError, match="is used up"):
            audit.rewrite()
    monkeypatch.setattr(Audit, "_first_rewrites", between)
    with Sandbox() as server:
        run()
        assert asked == [server.requests] # this one went on, and sent nothing
    assert 0 < spent[0] < spending(Store(tmp_path / "run" / "store.sqlite"))["dollars"] <= .03


def test_a_finished_run_is_read_while_somebody_holds_a_turn(tmp_path):
    make = lambda: FunctionRewriter(TextWorld("length").rewriter, "rules-1", store=tmp_path / "store.sqlite")
    audit = lambda: Audit(small(), "length", make(), lengths, tmp_path, design=Design(check=0))
    expected = audit().rewrite()
    with ThreadPoolExecutor(1) as thread, lock(tmp_path / "store.sqlite", "rewrite", "length", "rules-1"):
        assert list(thread.submit(lambda: audit().rewrite()).result(20).text) == list(expected.text)


def test_network_file_systems_are_known():
    kinds = {k: network_file_system("/data/run", f"a / ext4 rw 0 0\nb /data {k} rw 0 0")
             for k in ("ext4", "nfs4", "cifs", "fuse.sshfs", "tmpfs")}
    assert kinds == dict(ext4="", nfs4="nfs4", cifs="cifs", tmpfs="", **{"fuse.sshfs": "fuse.sshfs"})


def test_a_folder_that_may_not_be_written_is_an_error(tmp_path):
    closed = tmp_path if os.getuid() else Path("/proc") # root may write anywhere else
    if os.getuid():
        closed.chmod(0o500)
    for folder in (closed, closed/"run"):
        with pytest.raises(RunFolderError, match="cannot be used as a folder to write to"):
            usable_folder(folder)


@pytest.mark.slow("ten races: processes that are killed, stopped and woken")
@pytest.mark.parametrize("kind", racing.KINDS)
@pytest.mark.parametrize("n", [3, 16])
def test_races(kind, n, tmp_path):
    facts = racing.race(kind, tmp_path, n, seed=n)
    assert not racing.wrong(facts), facts
