# Written by `make export` from the module beside it. Edit the notebook.
"""How can a result be reported to a reader without this notebook and without a course in causal inference?"""
from altair.typing import ChartType
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from markupsafe import Markup
from pathlib import Path
from rate_nb.audit.people import PeopleEffects
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.estimators.effects import Effects
from rate_nb.views.answer import Answer
import pandas as pd

def size_in_words(smd: float) -> str:
    """Cohen's words for a standardised difference"""

def foils(effects: Effects, model: str) -> str:
    """How far the naive and the single-rewrite estimates are from RATE's"""

def page(title: str, sections: Iterable[tuple[str, Markup]]) -> str:
    """One self-contained page"""

def figure(chart: ChartType, caption: str='') -> Markup:
    """A chart that needs no script"""

def forest(rows: list[ForestRow], heads: Sequence[str], caption: str='', domain: tuple[float, float] | None=None, band: tuple[float, float] | None=None) -> Markup:
    """A table of estimates, each drawn on the same axis"""

def failures_by_arm(examples: pd.DataFrame, rewrites: pd.DataFrame) -> pd.DataFrame:
    """How the rewrites ended, by arm and depth"""

def data_section(attribute: Attribute, tables: dict, effects: Effects, manifest: dict) -> dict:
    """How many rows there were, and what became of them"""

def scorer_section(scorers: dict) -> list[dict]:
    """What the self-test of each reward model found"""

def cost_line(manifest: dict) -> str:
    """What the rewrites cost when they were made"""

def method_section(attribute: Attribute, models: Sequence[str], diagnosis: Diagnosis | None=None) -> dict:
    """The assumptions of the method, with what the checks say of each"""

def headlines(diagnosis: Diagnosis, model: str, besides: Collection[str]=()) -> list[dict]:
    """What may be claimed, in a sentence"""

def checks_section(diagnosis: Diagnosis) -> dict:
    """Every check of every model on one axis, with its finding below it"""

def review_section(diagnosis: Diagnosis | None) -> dict | None:
    """What a reader noticed, what it is worth, and some pairs as they were read"""

def report_tables(effects: Effects, examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, verdicts: pd.DataFrame | None=None) -> dict:
    """What a report shows of the tables that grow with the data"""

def audit_report(attribute: Attribute, effects: Effects, answers: Sequence[Answer], tables: dict, manifest: dict, texts: Markup, truth: pd.DataFrame | None=None, people: Effects | None=None, diagnosis: Diagnosis | None=None, votes: PeopleEffects | None=None) -> str:
    """The report of one audit"""

def to_pdf(html_file: str | Path, pdf_file: str | Path) -> Path:
    """Print a report, through the Chromium of this machine"""

def run_report(path: str | Path, title: str, said: str | Iterable[str], sections: Iterable[tuple], *, again: str='', files: dict[str, str] | None=None) -> Path:
    """Write the report of a run: one self-contained page"""

@dataclass(frozen=True)
class ForestRow:
    """An estimate, as a row of a page draws it"""
    cells: Sequence[str]
    estimate: float
    low: float
    high: float
    look: str
    group: str = ...
    known: str = ...
    truth: float = ...
    finding: str = ...
    takes: str = ...
    advice: str = ...
    part: str = ...
