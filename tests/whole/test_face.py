"What outsiders see first: citation, workflows, image, templates. What they repeat is what settings.ini says."
import ast, json, os, re, subprocess, sys
from configparser import ConfigParser
import pytest, yaml
from conftest import ROOT

SETTINGS = ConfigParser(delimiters=["="])
SETTINGS.read(ROOT/"settings.ini", encoding="utf-8")
CFG = SETTINGS["DEFAULT"]
REPOSITORY = f"https://github.com/{CFG['user']}/{CFG['repo']}"
WORKFLOWS = sorted((ROOT/".github"/"workflows").glob("*.yml"))
FORMS = sorted(p for p in (ROOT/".github"/"ISSUE_TEMPLATE").glob("*.yml") if p.name != "config.yml")


def read(*parts): return yaml.safe_load(ROOT.joinpath(*parts).read_text(encoding="utf-8"))


def steps(workflow): return [s for job in workflow["jobs"].values() for s in job["steps"]]


def test_the_citation_says_what_settings_say():
    said = read("CITATION.cff")
    assert said["cff-version"] == "1.2.0" and {"message", "title", "authors"} <= set(said)
    assert said["version"] == CFG["version"] and said["title"] == CFG["lib_name"]
    assert said["license"].lower().replace("-", "").startswith(CFG["license"].rstrip("0123456789"))
    assert said["abstract"] == CFG["description"] and said["keywords"] == CFG["keywords"].split()
    assert said["repository-code"] == REPOSITORY
    assert said["url"] == CFG["doc_host"] + CFG["doc_baseurl"]
    assert [a["name"] for a in said["authors"]] == [CFG["author"]]


def test_the_licence_is_said_alike_everywhere():
    licence = read("CITATION.cff")["license"]
    assert f'license="{licence}"' in (ROOT/"setup.py").read_text()
    assert "Apache License" in (ROOT/"LICENSE").read_text() and licence == "Apache-2.0"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_a_workflow_runs_what_is_here(path):
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    said["on"] = said.pop(True, said.get("on")) # YAML 1.1 reads `on` as true
    assert {"name", "on", "jobs"} <= set(said) and said["permissions"] == dict(contents="read")
    for step in steps(said):
        assert ("run" in step) != ("uses" in step), step
        assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "a/b@v1")), "a version is named"
        for file in re.findall(r"(?m)^(\.\S+)", step.get("run", "")):
            assert os.access(ROOT/file, os.X_OK), file


def test_ci_calls_the_one_command_and_the_wheel_is_checked():
    ci, wheel = (read(".github", "workflows", f"{n}.yml") for n in ("ci", "wheel"))
    assert [s["run"] for s in steps(ci) if "run" in s] == [".ci/run"]
    lines = "\n".join(s.get("run", "") for s in steps(wheel))
    assert "python -m build" in lines and "twine check --strict dist/*" in lines
    tested = wheel["jobs"]["wheel"]["strategy"]["matrix"]["python"]
    assert tested[0] == CFG["min_python"], "the oldest Python that is promised"
    assert f"python:{CFG['min_python']}" in ci["jobs"]["test"]["container"]


def test_the_commands_of_the_wheel_are_commands():
    from rate_nb.batch import cli
    lines = [s["run"] for s in steps(read(".github", "workflows", "wheel.yml")) if "run" in s]
    typed = re.findall(r"bin/rate_nb (.+)", "\n".join(lines))
    assert len(typed) >= 4
    for words in typed:
        if words != "--version":
            assert callable(cli._parser().parse_args(words.split()).run)


@pytest.mark.parametrize("path", FORMS, ids=lambda p: p.name)
def test_an_issue_form_has_what_github_needs(path):
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(said)
    ids = [part["id"] for part in said["body"]]
    assert len(set(ids)) == len(ids) and all(p["attributes"]["label"] for p in said["body"])
    assert {p["type"] for p in said["body"]} <= {"textarea", "input", "dropdown", "markdown", "checkboxes"}


def test_links_of_the_face_lead_somewhere():
    pages = [ROOT/"SECURITY.md", ROOT/".github"/"pull_request_template.md"]
    for path in pages:
        for link in re.findall(r"\]\((?!http)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent/link).exists(), link
    contact, = read(".github", "ISSUE_TEMPLATE", "config.yml")["contact_links"]
    assert contact["url"].startswith(REPOSITORY)
    assert "make export" in pages[1].read_text() and "make export" in (ROOT/"CONTRIBUTING.md").read_text()


def test_the_image_is_that_of_the_recipes():
    text = (ROOT/"Dockerfile").read_text(encoding="utf-8")
    assert f"FROM python:{CFG['min_python']}-" in text and "\nUSER 1000\n" in text
    recipes = (ROOT/"docs"/"recipes.md").read_text(encoding="utf-8")
    assert f"docker build -t {CFG['lib_name']}:{CFG['version']} ." in text
    assert f"docker build -t {CFG['lib_name']}:{CFG['version']} ." in recipes
    kept = [line[1:] for line in (ROOT/".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert all((ROOT/name).exists() for name in kept)
    assert {"nbs", "rate_nb", "lock.txt", "settings.ini", "setup.py", "pyproject.toml",
            "README.md"} <= set(kept)


def test_the_package_has_the_classifiers_of_the_settings():
    done = subprocess.run([sys.executable, "setup.py", "--classifiers"], cwd=ROOT, capture_output=True,
                          text=True, check=True)
    said = [line for line in done.stdout.splitlines() if " :: " in line]
    assert set(CFG["classifiers"].splitlines()) < set(said) and len(said) == len(set(said))
    assert f"Programming Language :: Python :: {CFG['min_python']}" in said


# "smollm2" is in a package that the studies install; "rest": the other generators judge
OURS = {"", "demo", "sandbox", "sandbox-rewriter", "smollm2", "rest"}


def test_no_model_is_a_default():
    "The user names the model that rewrites, judges, reads or labels; what is made here may be a default"
    found, role = [], re.compile(r"(^|_)(model|rewriter|reviewer|judge|coder|labeller|policy|reference)(_|$)")
    for path in sorted((ROOT/"rate_nb").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                a = node.args
                pairs = [*zip(reversed([*a.posonlyargs, *a.args]), reversed(a.defaults)),
                         *zip(a.kwonlyargs, a.kw_defaults)]
                pairs = [(arg.arg, value) for arg, value in pairs]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                pairs = [(node.target.id, node.value)]
            else:
                continue
            found += [f"{path.name}: {name}={value.value!r}" for name, value in pairs
                      if role.search(name) and isinstance(value, ast.Constant)
                      and isinstance(value.value, str) and value.value not in OURS]
    assert not found


def test_no_run_notebook_names_a_model():
    for path in (ROOT/"nbs"/"runs").glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if "parameters" in cell["metadata"].get("tags", ()):
                said = re.findall(r'(?m)^(\w*(?:model|rewriter|judge)\w*): \w+ = "([^"]*)"',
                                  "".join(cell["source"]))
                assert {value for _, value in said} <= OURS, path.name
