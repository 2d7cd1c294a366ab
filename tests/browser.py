"A real JupyterLab on 127.0.0.1 and a real Chromium, for tests that must see what a person sees."
import json, os, secrets, shutil, socket, subprocess, sys, time, urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
import pytest

CHROMIUM = next((p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                 if Path(p).exists()), None)
FLAGS = ("--disable-gpu --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync --disable-dev-shm-usage").split()
SETTINGS = {"notebook-extension/tracker": dict(windowingMode="none"),
            "apputils-extension/notification": dict(fetchNews="false", checkForUpdates=False,
                                                    doNotDisturbMode=True),
            "docmanager-extension/plugin": dict(autosave=False)}


def needs_chromium():
    "Skip where there is no Chromium or no Playwright; fail where there must be"
    try:
        import playwright, jupyterlab, anywidget # noqa: F401
    except ImportError as e:
        lacking = f"the package {e.name}"
    else:
        lacking = None if CHROMIUM else "Chromium (apt-get install chromium fonts-dejavu-core)"
    if lacking is None:
        return
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"CI must have {lacking}")
    pytest.skip(f"needs {lacking}")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextmanager
def jupyter_lab(folder, work):
    "A server on `work` with settings of its own in `folder`: yields its address and token"
    port, token = free_port(), secrets.token_hex(16)
    env = os.environ | {f"JUPYTER_{n}_DIR": str(folder / n.lower())
                        for n in ("CONFIG", "DATA", "RUNTIME")} | dict(
        JUPYTERLAB_SETTINGS_DIR=str(folder / "settings"),
                            JUPYTERLAB_WORKSPACES_DIR=str(folder / "workspaces"),
                            IPYTHONDIR=str(folder / "ipython"), NO_PROXY="127.0.0.1,localhost")
    for name, values in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    log = open(folder / "server.log", "w")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}",
               f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={work}",
               "--LabApp.expose_app_in_browser=True", "--LabApp.collaborative=False",
               "--ServerApp.allow_root=True", "--LabApp.news_url="]
    server = subprocess.Popen(command, env=env, stdout=log, stderr=log, cwd=work)
    try:
        for _ in range(240):
            if server.poll() is not None:
                raise RuntimeError(f"JupyterLab ended: {(folder / 'server.log').read_text()[-3000:]}")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={token}", timeout=1).read()
                break
            except OSError:
                time.sleep(.25)
        yield f"http://127.0.0.1:{port}", token
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
        log.close()


IDLE = ("() => { const s = window.jupyterapp?.shell.currentWidget?.context?.sessionContext; "
        "return s?.isReady && s.session?.kernel?.status === 'idle' }")


class Window:
    "One page of JupyterLab, and everything it said or asked for"
    def __init__(self, browser, address, token, width=1280, height=1000):
        self.address, self.token, self.errors, self.away = address, token, [], []
        self.context = browser.new_context(viewport=dict(width=width, height=height))
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda m: m.type == "error" and self.errors.append(m.text))
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("dialog", lambda d: (self.errors.append(f"dialog: {d.message}"), d.dismiss()))
        self.context.on("request", lambda r: urlsplit(r.url).scheme in ("http", "https", "ws", "wss")
                        and urlsplit(r.url).hostname != "127.0.0.1" and self.away.append(r.url))

    def open(self, notebook):
        "Open a notebook and wait for its kernel"
        self.page.goto(f"{self.address}/lab/tree/{notebook}?token={self.token}&reset")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
        self.page.wait_for_function("window.jupyterapp !== undefined")
        self.page.wait_for_function(IDLE, timeout=120_000)
        return self

    def command(self, name, **args):
        return self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)",
                                  [name, args])

    def run_all(self, timeout=180_000):
        "Run all cells and wait for the last"
        self.page.evaluate("() => { window.ran = false; "
                           "window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => { "
                           "window.ran = true }) }")
        self.page.wait_for_function("window.ran", timeout=timeout)

    def theme(self, name):
        self.command("apputils:change-theme", theme=name)
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=name)

    def size(self, width, height): self.page.set_viewport_size(dict(width=width, height=height))

    def close(self): self.context.close()


@contextmanager
def chromium():
    from playwright.sync_api import sync_playwright
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def write_notebook(path, *cells):
    "A notebook of code cells"
    import nbformat
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells],
                                  metadata=dict(kernelspec=dict(name="python3", display_name="Python 3",
                                      language="python")))
    nbformat.write(nb, path)
    return path


def copy_notebook(notebook, folder):
    return Path(shutil.copy(notebook, folder))


SHOWN = """() => { // window.seen: what a screen reader hears of each chart that is drawn, and when it was
    window.seen = []; window.computed = false;
    const known = new WeakSet();
    new MutationObserver(() => {
        window.computed ||= document.querySelector('.rate-lab')?.innerText.includes('computing');
        for (const picture of document.querySelectorAll('.rate-drawn svg.marks'))
            if (!known.has(picture)) {
                known.add(picture);
                const chart = picture.closest('.rate-drawn');
                requestAnimationFrame(now => window.seen.push([chart.ariaLabel, now]));
            }
    }).observe(document.body, {subtree: true, childList: true, characterData: true}) }"""
