# Written by `make export` from the module beside it. Edit the notebook.
"""How does every response get its rewrite, and its rewrite of a rewrite, with nothing lost and nothing paid twice?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from pathlib import Path
from rate_nb.base.options import FilePath
from rate_nb.base.options import Function
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.llm.calls import Reply
from rate_nb.rewriting.instructions import Instruction
from rate_nb.rewriting.instructions import RewriteRequest
from typing import Any
import pandas as pd
REWRITE_COLUMNS: Any
ASK_FOR: str
ASK_FOR_IN: dict[str, str]

def rewrites_from_file(path: FilePath, name: str | None=None) -> FunctionRewriter:
    """Rewrites that were made elsewhere"""

def as_rewriter(rewriter: Any) -> Any:
    """A rewriter from a rewriter or a function"""

def start_chains(examples: pd.DataFrame, draws: int, both: bool, relative: bool=False, able: bool=True, first: int=0) -> Iterator:
    ...

def told_of(attribute: str | Attribute, instruction: Instruction | None) -> Instruction:
    ...

def open_chains(examples: pd.DataFrame, rewriter: Any, instruction: Instruction, draws: int, depth: int, both: bool, checks: dict, first: int=0) -> tuple[list, list]:
    ...

def stop_chain(chain: Any, instruction: Instruction, status: str, depth: int) -> None:
    ...

def advance_from_store(chains: list, rewriter: Any, instruction: Instruction, depth: int, checks: dict, done: Callable=...) -> list:
    ...

async def walk_chains_async(chains: list, rewriter: Any, instruction: Instruction, depth: int, checks: dict, done: Callable) -> None:
    ...

def walk_chains(chains: list, rewriter: Any, instruction: Instruction, depth: int, checks: dict, done: Callable) -> None:
    ...

def rewrite_rows(cells: Iterable) -> pd.DataFrame:
    ...

def double_rewrite(examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, *, draws: int=1, depth: int=2, both: bool=False, instruction: Instruction | None=None, checks: dict[str, Callable[..., bool]]=..., first_draw: int=0, alone: Callable[[], Any]=...) -> pd.DataFrame:
    """Rewrite every response, and rewrite the rewrite back"""

def tokens_used(rewrites: pd.DataFrame, now: bool=False) -> dict:
    """The tokens of a table, each request counted once"""

def status_counts(rewrites: pd.DataFrame) -> pd.DataFrame:
    """How many rewrites have which status, by depth and target"""

def prompt_instruction_for(attribute: str | Attribute, **changes: Any) -> Instruction:
    """The instruction that rewrites a prompt"""

def rewrite_prompts(examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, generator: Any, *, draws: int=1, depth: int=2, both: bool=False, instruction: Instruction | None=None, checks: dict[str, Callable[..., bool]]=..., system: str='', store: Store | str | Path | None=None) -> pd.DataFrame:
    """Rewrite every prompt, and back, and generate the responses"""

def prompt_compliance(examples: pd.DataFrame, rewrites: pd.DataFrame, label: str | Attribute | Callable[..., Any]) -> pd.DataFrame:
    """How often the generated responses have what the prompt requests"""

@dataclass
class FunctionRewriter:
    """A Python function"""
    function: Function
    name: str | None = ...
    store: Any = ...
    keep: Function | None = ...
    calls: int = field(init=False)

    def __post_init__(self):
        ...

    @property
    def settings(self) -> dict[str, Any]:
        ...

    @property
    def keeps(self) -> bool:
        ...

    def rewrite(self, request: RewriteRequest) -> Reply:
        ...

@dataclass
class _Chain:
    example_id: object
    prompt: str
    texts: list
    start: object
    draw: int
    keeps: bool = ...
    possible: bool = ...
    first: int = ...
    cells: list = ...

    @property
    def depth(self) -> int:
        ...

    @property
    def target(self) -> int | None:
        ...

    def target_at(self, depth: int) -> int | None:
        ...

    def asks(self, depth, instruction):
        ...

    def request(self, instruction):
        ...
