# Written by `make export` from the module beside it. Edit the notebook.
"""How does every response get its rewrite, and its rewrite of a rewrite, with nothing lost and nothing paid twice?"""
from dataclasses import dataclass
from dataclasses import field
from rate_nb.llm.calls import Reply
from typing import Any
import pandas as pd
REWRITE_COLUMNS: Any
ASK_FOR: str
ASK_FOR_IN: dict[str, str]

def as_rewriter(rewriter):
    """A rewriter from a rewriter or a function"""

def start_chains(examples, draws, both, relative=False, able=True, first=0):
    ...

def told_of(attribute, instruction):
    ...

def open_chains(examples, rewriter, instruction, draws, depth, both, checks, first=0):
    ...

def stop_chain(chain, instruction, status, depth):
    ...

def advance_from_store(chains, rewriter, instruction, depth, checks, done=...):
    ...

async def walk_chains_async(chains, rewriter, instruction, depth, checks, done):
    ...

def walk_chains(chains, rewriter, instruction, depth, checks, done):
    ...

def rewrite_rows(cells):
    ...

def double_rewrite(examples, attribute, rewriter, *, draws=1, depth=2, both=False, instruction=None, checks=..., first_draw=0, alone=...) -> pd.DataFrame:
    """Rewrite every response, and rewrite the rewrite back"""

def tokens_used(rewrites, now=False) -> dict:
    """The tokens of a table, each request counted once"""

def status_counts(rewrites) -> pd.DataFrame:
    """How many rewrites have which status, by depth and target"""

def prompt_instruction_for(attribute, **changes):
    """The instruction that rewrites a prompt"""

def rewrite_prompts(examples, attribute, rewriter, generator, *, draws=1, depth=2, both=False, instruction=None, checks=..., system='', store=None) -> pd.DataFrame:
    """Rewrite every prompt, and back, and generate the responses"""

def prompt_compliance(examples, rewrites, label) -> pd.DataFrame:
    """How often the generated responses have what was asked for"""

@dataclass
class FunctionRewriter:
    """A Python function as a rewriter"""
    function: object
    name: str = ...
    store: object = ...
    keep: object = ...
    calls: int = field(init=False)

    def __post_init__(self):
        ...

    @property
    def settings(self):
        ...

    @property
    def keeps(self):
        ...

    def rewrite(self, request) -> Reply:
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
    def depth(self):
        ...

    @property
    def target(self):
        ...

    def target_at(self, depth):
        ...

    def asks(self, depth, instruction):
        ...

    def request(self, instruction):
        ...
