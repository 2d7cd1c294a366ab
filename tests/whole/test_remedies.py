"""What an error tells somebody to do can be done, where it is said."""
import ast, re
from functools import cache
from pathlib import Path
from rate_nb.audit.specification import SHORT, Section, _all_sections, json_schema
from rate_nb.batch.cli import _parser

ROOT = Path(__file__).resolve().parents[2]
REACHED = ("checkpoints", "data", "llm", "rewriting", "scoring", "audit")  # by the command that audits
IN_PYTHON_ALONE = {"overwrite", "complies", "moved"}  # the message says so, or it is about `to_config`


@cache
def parsed():
    "module → its syntax"
    return {path.relative_to(ROOT / "rate_nb"): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted((ROOT / "rate_nb").rglob("*.py"))}


def raised():
    "(module, line, words) of every error that the package raises"
    for module, tree in parsed().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and node.exc is not None:
                words = [part.value for part in ast.walk(node.exc)
                         if isinstance(part, ast.Constant) and isinstance(part.value, str)]
                yield module, node.lineno, "".join(words)


def arguments():
    "The names of all arguments and fields of the package"
    names = set()
    for tree in parsed().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.arguments):
                names |= {a.arg for a in (*node.posonlyargs, *node.args, *node.kwonlyargs)}
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
    return names


def told(words):  # arguments that it says to give: `name=`, name='value', name=True
    return set(re.findall(r"(?<![\w-])([a-z_]{2,})=(?!=)", words))


def test_every_argument_that_an_error_names_exists():
    known, wrong = arguments(), []
    for module, line, words in raised():
        wrong += [f"{module}:{line}: {name}=" for name in told(words) - known]
    assert not wrong, wrong


def test_every_flag_that_an_error_names_exists():
    parsers = [_parser(), *_parser().commands().values()]
    known = {flag for p in parsers for flag in p._option_string_actions} | {"--head"}  # `ray start --head`
    wrong = [f"{module}:{line}: {flag}" for module, line, words in raised()
             for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]+", words) if flag not in known]
    assert not wrong, wrong


def test_what_an_audit_is_told_to_give_has_a_place_in_its_specification():
    json_schema() # it makes all sections
    fields = {name for section in _all_sections(Section) for name in section.model_fields} | set(SHORT)
    wrong = {f"{module}:{line}: {name}=" for module, line, words in raised() if module.parts[0] in REACHED
             for name in told(words) - fields - IN_PYTHON_ALONE}
    assert not wrong, "\n".join(sorted(wrong))
