# Written by `make export` from the module beside it. Edit the notebook.
"""How does an audit that was tried in a notebook become a batch run, without typing it again?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from pydantic import BaseModel
from pydantic import ConfigDict
from rate_nb.base.options import AboveZero
from rate_nb.base.options import FilePath
from rate_nb.base.options import Is
from rate_nb.base.options import NotNegative
from rate_nb.base.options import Positive
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.diagnosis import Diagnosis
from typing import Any
from typing import ClassVar
from typing import Literal
import pandas as pd
RENAMED: dict[str, str]
Value = Any
Examples = Any
Values = list[Value]
AttributeKind = Any
Rewriter = Any
Reward = Any
Words = list[str]
Reviewed = Any
FailOn = Literal['', 'failed', 'inconclusive']
SHORT: dict[str, str]
MOVED: dict[str, str]
SHORT_FORMS: dict[str, Any]

def marks_of(annotation: Any, metadata: Iterable=()) -> list[Is]:
    ...

def type_in_file(annotation: Any) -> Any:
    ...

def section_of(make: Callable, group: str='', kind: str='', base: type=...) -> type:
    """A section whose fields are the arguments of a signature"""

def meanings(section: type) -> dict:
    """What the comments beside the fields say"""

def sections_of(group: str) -> list:
    ...

def sections_in(annotation: Any, metadata: Sequence=()) -> list:
    ...

def below(field: Any) -> list:
    ...

def kind_of(section: type) -> str:
    ...

def short_examples(given: Any) -> Any:
    ...

def short_label(given: Any) -> Any:
    ...

def short_attribute(given: Any) -> Any:
    ...

def short_rewriter(given: Any) -> Any:
    ...

def short_reward(given: Any) -> Any:
    ...

def short_rewards(given: Any) -> Any:
    ...

def own_prices(prompt: NotNegative | None=None, completion: NotNegative | None=None, batch_discount: NotNegative | None=None, models: dict[str, list[float]]=..., table: FilePath='') -> Any:
    """Dollars per million tokens"""

def short_prices(given: Any) -> Any:
    ...

def short_review(given: Any) -> Any:
    ...

def path_of(name: str) -> str:
    """Where a name lies in a specification"""

def put(nested: dict[str, Any], path: str, value: Any) -> None:
    ...

def nested(values: dict[str, Any]) -> dict[str, Any]:
    ...

def one_layer(said: dict) -> dict:
    """Names and values of one author"""

def over(said: dict, more: dict) -> dict:
    """One layer of names and values above another"""

def inside(section: Section, path: str='') -> Iterator[tuple[str, Section]]:
    ...

def lookup_faults(specification: Section) -> Iterator[tuple[str, str]]:
    ...

def all_kinds() -> tuple:
    ...

def specification_faults(said: dict, look: bool=True) -> tuple:
    """Check a specification"""

def read_specification(said: Any, **overrides: Any) -> Specification:
    """Read and check a specification"""

def is_path(name: str) -> bool:
    """Is this a path of a specification, or the beginning of one?"""

def layered(parameters: dict) -> dict:
    """What the parameters of the run notebook say, its `specification` above the others"""

def typed_as(path: str) -> str:
    """What a user of the command types who means it"""

def remedies(words: str, said: dict, typed: Callable=...) -> str:
    """Name what can be said here, where an error names an argument of Python"""

def advised(diagnosis: Diagnosis, said: dict) -> Diagnosis:
    """Word the advice of the checks for the command: `--both`, not `both=True`"""

def json_schema() -> dict:
    """The schema of a specification: editors complete and check a YAML file by it"""

def paths_of(section: type | None=None, path: str='') -> list:
    """All paths of a specification, for the help"""

def help_text() -> str:
    """What `rate_nb audit --help` says of the specification"""

def load_function(said: str | Callable, path: str='function') -> Callable:
    """The function that is meant"""

def load_examples_of(section: Section, attribute: Any='length') -> pd.DataFrame:
    ...

def object_of(section: Section, by: Building, path: str='') -> Any:
    ...

def make_attribute_of(section: Section, by: Building | None=None) -> Attribute:
    ...

def make_rewriter(section: Section, by: Building) -> Any:
    ...

def make_reward(section: Section, by: Building) -> Any:
    ...

def check_parts(said: Specification, by: Building) -> None:
    """Look at rewriter, rewards and store as far as no model is loaded, and no function of the user's run"""

def check_keys_of(section: Section, path: str='') -> None:
    """Are the environment variables set that its endpoints and those of its sections name?"""

def given_examples(examples: Any, rewriter: Any, reward: Any, attribute: str='length', new: bool=False) -> tuple:
    """Examples of a run that is no audit, where its rewriter and rewards are said as they should be"""

def given_parts(examples: Any, rewriter: Any, reward: Any, attribute: str, store: Store, services: ExitStack) -> tuple:
    """Examples, rewriter and rewards of a run that is no audit, loaded"""

def check_tables(said: Specification, plan: bool=False) -> pd.DataFrame:
    """Look at examples, attribute, labels, rewriter and keys before anything is started"""

def check_endpoints_of(said: Specification, examples: pd.DataFrame, by: Building) -> None:
    """Do its addresses answer, take their keys and know their models, and does the budget pay for a call?"""

def audit_arguments(said: Specification, plan: bool=False, store: Any=None) -> tuple:
    """What `Audit` takes, as a specification asks for it"""

def said_shortly(specification: Specification) -> dict:
    ...

def as_specification(said: Any, **overrides: Any) -> Specification:
    """What `Audit.from_config` reads"""

def try_runs(runs: dict) -> dict:
    """Load and try what each run would load, each reward and endpoint once, before anything is paid"""

def maker_of(thing: Any) -> tuple:
    ...

def specification_of(audit: Any) -> Specification:
    ...

def repeated(audit: Any) -> tuple[str, str]:
    """How to repeat an audit"""

def to_config(audit: Any, path: str | Path | None=None) -> dict:
    """What `Audit.to_config` does"""

class Section(BaseModel):
    """Part of a specification"""
    group: ClassVar[str] = ...
    makes: ClassVar[Any] = ...
    model_config: ConfigDict

@dataclass(frozen=True)
class OneOf:
    """A field that holds a section of one of several kinds"""
    group: str
    short: object

    def __get_pydantic_core_schema__(self, source, handler):
        ...

class OrShape:
    shapes: Any

    def __init__(self, *shapes: dict[str, Any]):
        ...

    def __get_pydantic_json_schema__(self, core, handler):
        ...

class OrText(OrShape):

    def __init__(self, *shapes: dict[str, Any]):
        ...

class OrOne:

    def __get_pydantic_json_schema__(self, core, handler):
        ...

class LiveAttribute(Section):
    """An `Attribute` in Python"""
    kind: Literal['object'] = ...
    object: Any

class Rewriting(Section):
    """What every rewriter has"""
    show_prompt: bool = ...

class LiveRewriter(Rewriting):
    """A rewriter in Python"""
    kind: Literal['object'] = ...
    object: Any

class LiveReward(Section):
    """A reward, a judge or a function in Python"""
    kind: Literal['object'] = ...
    object: Any

class Specification(Section):
    """All settings of one audit"""
    examples: Examples
    attribute: AttributeKind = ...
    rewriter: Rewriter
    reward: list[Reward]
    draws: Positive = ...
    depth: int = ...
    both: bool = ...
    budget: AboveZero | None = ...
    design: Any = ...
    grading: Any = ...
    review: Reviewed = ...
    noise: NotNegative = ...
    fail_on: FailOn = ...
    report: str = ...
    run_dir: str = ...
    store: str = ...
    model_config: ConfigDict

@dataclass(frozen=True)
class Fault:
    """What is wrong at one place of a specification"""
    path: str
    words: str

    def __str__(self):
        ...

@dataclass
class Building:
    """What sections need to become objects"""
    examples: object = ...
    attribute: object = ...
    store: object = ...
    plan: bool = ...
    services: ExitStack = ...

    def given(self, names: Iterable[str]) -> dict[str, Any]:
        ...

    def dry_run(self, model: str) -> dict[str, Any]:
        ...

class _Trials:
    asked: dict[Any, Any]
    by: Any
    rewards: dict[Any, Any]
    tables: dict[Any, Any]

    def __init__(self, by):
        ...

    def add(self, name, values):
        ...

    def ask(self, section):
        ...

class _Written:
    audit: Any

    def __init__(self, audit):
        ...

    def __call__(self, thing, path):
        ...

    def attribute(self, a):
        ...

    def label(self, label, path):
        ...

    def made(self, thing, path):
        ...

    def argument(self, value, path):
        ...
