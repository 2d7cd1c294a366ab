# Written by `make export` from the module beside it. Edit the notebook.
"""I have a file of prompts and responses; what do I write to audit a reward on it?"""

def run_name(source: str) -> str:
    """What a run folder is called after a file"""

def choices(group: str) -> list[tuple[dict, str]]:
    """Every kind of a section"""

def starter(source: str, columns: dict[str, str] | None=None, path: str='audit.yaml') -> tuple[str, list[str]]:
    """A commented specification for a file of prompts and responses"""
