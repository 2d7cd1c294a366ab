"""The parameters cell of the audit's run notebook: what a signature says of an option is written there by it.

    python tests/parameters.py    # part of `make export`

Names, types and defaults of the cell are the notebook's: an empty text or 0 says nothing. Options that
several kinds share, such as `base_url`, are said in the cell alone.
"""
import json, re, textwrap
from pathlib import Path
from rate_nb.audit import specification as S

NOTEBOOK = Path(__file__).resolve().parent.parent / "nbs" / "runs" / "audit.ipynb"
LINE = re.compile(r"(?m)^(\w+): (\w+) = (.*?) # (.*(?:\n#   .*)*)$")


def meaning(name, kind, default):
    "What the signature says, in the words of a flag; None where no single signature does"
    if name not in S.SHORT and name not in S.Specification.model_fields:
        return None
    *parts, field = S.path_of(name).split(".")
    section = S.Specification
    for part in parts:
        inside = S.below(section.model_fields[part])
        if len(inside) != 1 or "kind" in inside[0].model_fields:
            return None
        section = inside[0]
    known = section.model_fields.get(field)
    if known is None or any("kind" in s.model_fields for s in S.below(known)):
        return None
    words = re.sub(r"\bnull:", "empty:" if default == '""' else f"{default.rstrip('.0') or 0}:",
                   S.meanings(section)[field])
    listed = kind == "str" and "list" in str(known.annotation)
    return 'with engine "ray": ' * (parts[-1:] == ["ray"]) + words + ", separated by commas" * listed


def written(cell):
    "The cell with the meanings of the signatures"
    def line(m):
        words = meaning(*m.group(1, 2, 3))
        return m[0] if words is None else textwrap.fill(f"{m[1]}: {m[2]} = {m[3]} # {words}", 110,
            subsequent_indent="#   ", break_long_words=False, break_on_hyphens=False)
    return LINE.sub(line, cell)


def main():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "parameters" in cell["metadata"].get("tags", ()):
            cell["source"] = written("".join(cell["source"])).splitlines(keepends=True)
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    NOTEBOOK.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
