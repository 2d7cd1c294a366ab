"""Run a notebook's tests in a process of its own that need not import everything first.

Each notebook runs in a fork of a server that has imported the libraries, and nothing of this package: as
alone as in a new process, ten seconds sooner.
"""
import json, os, signal, subprocess, sys, tempfile, warnings
from contextlib import contextmanager, suppress
from multiprocessing import forkserver, get_context
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingUnixStreamServer
from threading import Thread
from types import SimpleNamespace
from unittest import mock

LIBRARIES = """nbdev.test IPython.display pandas pyarrow.parquet scipy.stats scipy.optimize torch altair
               vl_convert hypothesis httpx openai papermill statsmodels.api
               transformers.models.auto.modeling_auto transformers.models.auto.tokenization_auto
               transformers.models.llama.modeling_llama settled""".split()
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(LIBRARIES)
CRASHES = (-signal.SIGSEGV, -signal.SIGABRT) # a library's threads, when a process ends under them


def _enter(folder, said, env): # work there; what is printed goes to the file `said`
    os.environ.update(env)
    with open(said, "w") as f:
        os.dup2(f.fileno(), 1)
        os.dup2(f.fileno(), 2)
    os.chdir(folder)


def _test(notebook, flags, folder, said, outputs, env):
    _enter(folder, said, env)
    from execnb.shell import CaptureShell
    from nbdev.test import nbdev_test
    whole = CaptureShell.cell

    def cell(self, cell, **kwargs): # nbdev forgets what a cell shows: here it goes to a file, a line a cell
        cell.outputs = []
        whole(self, cell, **kwargs)
        with open(outputs, "a", encoding="utf-8") as f:
            f.write(json.dumps([cell.get("id"), cell.outputs], default=list) + "\n")

    CaptureShell.cell = cell
    nbdev_test(path=str(notebook), n_workers=0, flags=flags) # exits with 1 where a cell fails


def _ended(job, timeout): # run it, and end it when its time is over
    job.start()
    try:
        job.join(timeout)
    finally:
        job.kill()
        job.join()


def run_notebook(notebook, folder, flags="", timeout=1500, ran=None, **env):
    """Run the cells of one notebook as `nbdev_test` does; (exit code, what was printed)

    A dict `ran` receives the outputs of each cell that ran, by the cell's id.
    """
    with tempfile.NamedTemporaryFile(suffix=".txt") as said, tempfile.NamedTemporaryFile() as outputs:
        job = FORKS.Process(target=_test, args=(notebook, flags, folder, said.name, outputs.name, env))
        _ended(job, timeout)
        with open(said.name, encoding="utf-8", errors="replace") as f:
            text = f.read()
        if ran is not None:
            ran.update(json.loads(line) for line in Path(outputs.name).read_text().splitlines())
        if job.exitcode in CRASHES and text.rstrip().endswith("Success."):
            warnings.warn(f"{notebook}: every cell passed, then its process ended with {job.exitcode}")
            return 0, text
        # who leaves early, or finds nothing to run, has not succeeded
        return job.exitcode or int("Success." not in text), text


def _python(code, words, folder, paths, said, env):
    _enter(folder, said, env)
    sys.argv[1:], sys.path[:0] = words, paths
    exec(code, {"__name__": "__main__"})


def run_python(code, *words, folder, paths=(), timeout=600, **env):
    "What `python -c CODE WORDS` does with these paths in front; (exit code, what was printed)"
    with tempfile.NamedTemporaryFile(suffix=".txt") as said:
        job = FORKS.Process(target=_python, args=(code, words, folder, [*map(str, paths)], said.name, env))
        _ended(job, timeout)
        return job.exitcode, Path(said.name).read_text(encoding="utf-8", errors="replace")


def run_with(notebook, folder, parameters, **env):
    """Run a run notebook with parameters, put in as papermill does; (exit code, what was printed)

    Without papermill, a kernel and the imports of both. What these add, the notebook with its outputs and one
    sentence for what went wrong, is proven where `rate_nb.batch` runs a notebook.
    """
    book = json.loads(Path(notebook).read_text(encoding="utf-8"))
    at, = (i for i, c in enumerate(book["cells"]) if "parameters" in c["metadata"].get("tags", []))
    source = "# Parameters\n" + "\n".join(f"{name} = {value!r}" for name, value in parameters.items())
    book["cells"].insert(at + 1, dict(cell_type="code", source=source, metadata={}, outputs=[],
                                      execution_count=None, id="injected"))
    copy = Path(folder)/Path(notebook).name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(json.dumps(book), encoding="utf-8")
    return run_notebook(copy, Path(__file__).resolve().parent.parent, **env)


def _cells(pipe, folder, env):
    import here
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    run = here.shell()
    while True:
        try:
            source = pipe.recv()
        except EOFError: # the one who asked is done
            os._exit(0)
        pipe.send(json.dumps(run(source), default=str))


@contextmanager
def kernel(options):
    """What runs a notebook's cells instead of a kernel: a process of its own, too, and a fork of the server

    It has imported the libraries, which takes most of the time of a small run.
    """
    ours, theirs = FORKS.Pipe()
    job = FORKS.Process(target=_cells, args=(theirs, options.get("cwd") or os.getcwd(), dict(os.environ)))
    job.start()
    theirs.close()

    def run(source):
        from nbclient.exceptions import DeadKernelError
        try:
            ours.send(source)
            return json.loads(ours.recv())
        except (EOFError, OSError):
            raise DeadKernelError("Kernel died") from None
    try:
        yield run
    finally:
        ours.close()
        job.join(5)
        job.kill()
        job.join()


def _worker(code, tasks, said, log, folder, env):
    os.setsid()
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    with open(log, "a") as f:
        for ours, theirs in enumerate((tasks, said, f)):
            os.dup2(theirs.fileno(), ours)
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    import here
    here.use(here.here)
    exec(code, {})


class Worker:
    """A worker of a grid as its `Popen` shows it, but a fork of the server that starts no kernel

    What ends workers, and what they are told, is proven where processes of their own do the work.
    """
    def __init__(self, command, stderr, env, **_):
        (tasks, give), (hear, said) = FORKS.Pipe(False), FORKS.Pipe(False)
        self.job = FORKS.Process(target=_worker,
                                 args=(command[-1], tasks, said, stderr.name, os.getcwd(), env))
        self.job.start()
        self.stdin, self.stdout = os.fdopen(os.dup(give.fileno()), "w"), os.fdopen(os.dup(hear.fileno()))
        for end in (tasks, give, hear, said):
            end.close()

    def wait(self, timeout=None):
        self.job.join(timeout)
        if self.job.exitcode is None:
            raise subprocess.TimeoutExpired("a worker", timeout)
        return self.job.exitcode

    def send_signal(self, number): os.kill(self.job.pid, number)

    def kill(self): self.job.kill()


def forked_workers():
    "Where grids of this process get their workers, until it is undone"
    from rate_nb.batch import grid_plan
    return mock.patch.object(grid_plan, "subprocess", SimpleNamespace(
        Popen=Worker, PIPE=subprocess.PIPE, TimeoutExpired=subprocess.TimeoutExpired))


def _commands(pipe):
    import here
    forkserver._forkserver.ensure_running = lambda: None # there is one: ours
    forked_workers().start()
    while True:
        try:
            words, folder, said, errors, env = pipe.recv()
        except EOFError: # the one who asked is done
            os._exit(0)
        os.environ.clear()
        os.environ.update(env, RATE_NB_HERE="1") # what this command starts, starts no kernel either
        for number, path in ((1, said), (2, errors)):
            with open(path, "a") as f:
                os.dup2(f.fileno(), number)
        os.chdir(folder)
        here.use(here.here)
        from rate_nb.batch import cli
        code = cli.main(words)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        pipe.send(code)


@contextmanager
def commands():
    """A function that runs `rate_nb WORDS` in a fork of the server; it gives (exit code, what was printed)

    All of it is real but the kernel and the process of each command, whose starts and imports take most of
    the time of a small run: one command after another runs in the same fork. One that ends this process, or
    takes longer than `timeout` seconds, has the process's exit code, or its signal; the next gets a new fork.
    `apart`: what went to stderr comes after what was printed, and not among it.
    """
    at = []

    def end():
        ours, job = at.pop()
        ours.close()
        job.join(5)
        job.kill()
        job.join()
        return job.exitcode

    def run(words, folder, timeout=600, apart=False, env=None, **more):
        with tempfile.NamedTemporaryFile(suffix=".txt") as said, tempfile.NamedTemporaryFile() as errors:
            files = said.name, errors.name if apart else said.name
            if not at:
                ours, theirs = FORKS.Pipe()
                job = FORKS.Process(target=_commands, args=(theirs,))
                job.start()
                theirs.close()
                at.append((ours, job))
            ours, job = at[0]
            env = dict(os.environ) if env is None else env
            ours.send(([*map(str, words)], folder, *files, env | more))
            try:
                code = ours.recv() if ours.poll(timeout) else end()
            except (EOFError, OSError):
                code = end()
            texts = [Path(f).read_text(encoding="utf-8", errors="replace") for f in files[:1 + apart]]
            return code, *texts
    try:
        yield run
    finally:
        if at:
            end()


def run_command(words, folder, **options):
    "One command, in a fork of its own"
    with commands() as run:
        return run(words, folder, **options)


class _Draws(StreamRequestHandler):
    def handle(self):
        import vl_convert
        name, spec, options = json.loads(self.rfile.read())
        with suppress(ValueError): # the one who asked tries for itself, and is told
            picture = getattr(vl_convert, name)(spec, **options)
            self.wfile.write(picture if isinstance(picture, bytes) else picture.encode())


@contextmanager
def drawing():
    "The forks that are started from now on have their pictures drawn by this process: see settled.py"
    with (tempfile.TemporaryDirectory() as folder,
          ThreadingUnixStreamServer(at := f"{folder}/s", _Draws) as server,
          mock.patch.dict(os.environ, RATE_NB_DRAWS=at)):
        Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


class _Asked(StreamRequestHandler):
    def handle(self):
        words, folder, env = json.loads(self.rfile.read())
        self.wfile.write(json.dumps(run_command(words, folder, apart=True, env=env)).encode())


@contextmanager
def listening():
    "What a shell script calls instead of `rate_nb`: client.py, which asks for a fork of the server"
    with (tempfile.TemporaryDirectory() as folder,
          ThreadingUnixStreamServer(at := f"{folder}/s", _Asked) as server):
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"{sys.executable} -S {Path(__file__).with_name('client.py')} {at}"
        server.shutdown()
