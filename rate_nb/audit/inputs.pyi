# Written by `make export` from the module beside it. Edit the notebook.
"""Which choices determine a result, and which only affect how it is shown?"""
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
from pathlib import Path
from rate_nb.base.options import AboveZero
from rate_nb.base.options import Fraction
from rate_nb.base.options import Natural
from rate_nb.base.options import NotNegative
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.estimators.effects import Effects
from rate_nb.rewriting.instructions import Instruction
from rate_nb.scoring.judges import Judge
from rate_nb.scoring.ray_engine import RayOptions
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
from typing import Literal
import numpy as np
import pandas as pd
Mark = Any

def as_marks(names: Mark | Iterable[Mark], argument: str) -> tuple[Mark, ...]:
    """Several names, whatever was said"""

def as_reviewing(review: Reviewing | int) -> Reviewing:
    """What `Audit(review=…)` takes"""

def check_texts_differ(examples: pd.DataFrame) -> None:
    """Equal responses have no differences that an attribute could make"""

def prompt_note(examples: pd.DataFrame) -> str:
    """What to know where all examples share a prompt"""

def exchanged(examples: pd.DataFrame, attribute: Attribute) -> Iterator[str]:
    """What seems to stand in each other's place: labels that the attribute's own rule contradicts, columns"""

def exchanged_columns(examples: pd.DataFrame) -> Iterator[str]:
    """What seems to stand in the wrong column"""

def example_warnings(examples: pd.DataFrame, attribute: Attribute) -> Iterator[str]:
    """What a run says of its examples before anything is paid"""

def draw_warnings(rewriter: Any, draws: int) -> Iterator[str]:
    """What a run says of draws that cannot differ"""

def example_notes(examples: pd.DataFrame, attribute: Attribute) -> Iterator[str]:
    """What a reader must know about the examples"""

def spread_sample(examples: pd.DataFrame, n: int) -> pd.DataFrame:
    """A few texts on which a reward is tried"""

def key_of(model: RewardModel | Judge) -> str:
    ...

def as_models(given: Sequence) -> list:
    """Rewards and judges, each with a name of its own"""

def checked_inputs(examples: Any, attribute: Any, rewriter: Any, reward: Any, run_dir: str | Path, draws: int, depth: int, both: bool, budget: float | None, store: Any, design: Design, grading: Grading, left_out_before: list[str] | None=None, review: Reviewing | int=0) -> AuditInputs:
    """Check all settings of an audit; nothing is written or sent"""

@dataclass(frozen=True)
class Design:
    """How an audit rewrites and scores, besides draws, depth and direction"""
    instruction: Instruction | str | None = ...
    first_draw: Natural = ...
    exclude_tuned_examples: bool = ...
    keep_going: bool = ...
    accept_stored: bool | str | list[str] = ...
    prices: Any = ...
    check: Natural = ...
    engine: Literal['local', 'ray'] = ...
    ray: RayOptions | None = ...

    def __post_init__(self):
        ...

@dataclass(frozen=True)
class Grading:
    """What a result is measured against, set before the data"""
    level: Fraction = ...
    estimand_over: Literal['prompts of these sizes', 'new prompts', 'each prompt once'] = ...
    margin: AboveZero = ...
    delta: NotNegative = ...
    position_margin: Fraction = ...
    itself: Mark | Iterable[Mark] = ...
    artefacts: Mark | Iterable[Mark] = ...

    def __post_init__(self):
        ...

    def not_usual(self) -> dict[str, float]:
        ...

@dataclass(frozen=True)
class Reviewing:
    """Who compares pairs of rewrites, and how many"""
    pairs: Natural = ...
    reviewer: Any = ...
    coder: Any = ...
    planted: Natural = ...
    same_target: Natural = ...
    seed: Natural = ...
    confirm: dict[str, Literal['attribute', 'artefact']] | None = ...

    def __post_init__(self):
        ...

class Models:
    """What has `models`, rewards and judges together"""

    @property
    def rewards(self) -> list:
        ...

    @property
    def judges(self) -> list:
        ...

    @property
    def asking(self) -> list:
        ...

@dataclass(frozen=True)
class AuditInputs(Models):
    """All settings of an audit, checked"""
    examples: pd.DataFrame
    attribute: Attribute
    rewriter: Any
    models: list
    run_dir: Path
    draws: int
    depth: int
    both: bool
    budget: float | None
    store: Store | Path
    design: Design
    grading: Grading
    instruction: Instruction | None
    left_out: list[str]
    review: Reviewing = ...

    @property
    def readers(self) -> list:
        ...

    @property
    def scoring(self) -> dict[str, Any]:
        ...

    @property
    def chains(self) -> dict[str, Any]:
        ...

    @property
    def what(self) -> dict[str, Any]:
        ...

    @cached_property
    def identity(self) -> dict[str, Any]:
        ...

@dataclass(frozen=True)
class PlannedLabels:
    """A label rule that a plan asks nothing: every second response stands on each side"""
    words: str
    calls: int
    judge: str = ...
    second: Any = ...
    looks_at_all: bool = field(init=False)

    def __call__(self, responses, prompts) -> np.ndarray:
        ...

    def says(self, responses: Sequence[str]) -> str:
        ...

@dataclass(frozen=True, eq=False)
class AuditTables:
    """What an audit has made so far"""
    examples: pd.DataFrame
    as_made: pd.DataFrame | None = ...
    flags: dict | None = ...
    rewrites: pd.DataFrame | None = ...
    rewards: pd.DataFrame | None = ...
    verdicts: pd.DataFrame | None = ...
    scored: pd.DataFrame | None = ...
    exclusions: pd.DataFrame | None = ...
    effects: Effects | None = ...
    diagnosis: Diagnosis | None = ...

    @property
    def status(self) -> str:
        ...
