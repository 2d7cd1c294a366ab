"""How large the package is: a thermometer, not a target.

    python benchmarks/size.py                # rate_nb and tests, room by room
    python benchmarks/size.py SOMEWHERE/else # another checkout

Code lines are lines with a token that is no comment, docstring or line break.
"""
import ast, io, sys, tokenize
from pathlib import Path

EMPTY = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
         tokenize.ENDMARKER, tokenize.ENCODING}
SCOPES = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef


def docstring_lines(tree: ast.Module) -> set[int]:
    "The lines of every docstring"
    lines = set()
    for node in ast.walk(tree):
        if isinstance(node, SCOPES) and ast.get_docstring(node, clean=False) is not None:
            lines |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


def measure(
    path: Path, # a module
) -> dict: # lines: with code; tokens; arguments and annotated: of all functions, without self and cls
    "Count one module"
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    said = docstring_lines(tree)
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline)
              if t.type not in EMPTY and t.start[0] not in said]
    lines = {row for t in tokens for row in range(t.start[0], t.end[0] + 1)}
    functions = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    arguments = [a for f in functions for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)
                 if a.arg not in ("self", "cls")]
    return dict(lines=len(lines), tokens=len(tokens), arguments=len(arguments),
                annotated=sum(a.annotation is not None for a in arguments))


def total(paths: list[Path]) -> dict:
    counts = [measure(path) for path in paths]
    return {key: sum(c[key] for c in counts) for key in ("lines", "tokens", "arguments", "annotated")}


def main(root: Path):
    folders = sorted(p for p in (root / "rate_nb").iterdir() if (p / "__init__.py").exists())
    rows = [(f.name, list(f.glob("*.py"))) for f in folders]
    rows.append(("rate_nb", [p for p in (root / "rate_nb").rglob("*.py") if p.name != "_modidx.py"]))
    rows.append(("tests", list((root / "tests").rglob("*.py"))))
    print(f"{'':14}{'lines':>8}{'tokens':>10}{'a line':>8}{'arguments':>11}{'annotated':>11}")
    for name, paths in rows:
        c = total(paths)
        print(f"{name:14}{c['lines']:8,}{c['tokens']:10,}{c['tokens']/c['lines']:8.1f}{c['arguments']:11,}"
              f"{c['annotated']/max(1, c['arguments']):11.0%}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
