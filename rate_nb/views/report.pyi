# Written by `make export` from the module beside it. Edit the notebook.
"""How can a result be reported to a reader without this notebook and without a course in causal inference?"""
from altair.typing import ChartType
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Sequence
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

def style_sheet() -> str:
    ...

def page(title: str, sections: Iterable[tuple[str, str]]) -> str:
    """One self-contained page"""

def html_table(df: pd.DataFrame, caption: str='') -> str:
    """A table, every cell escaped"""

def figure(chart: ChartType, caption: str='') -> str:
    """A chart that needs no script"""

def forest(rows: list[dict], heads: Sequence[str], caption: str='', domain: tuple[float, float] | None=None, band: tuple[float, float] | None=None) -> str:
    """A table of estimates, each drawn on the same axis"""

def failures_by_arm(examples: pd.DataFrame, rewrites: pd.DataFrame) -> pd.DataFrame:
    """How the rewrites ended, by arm and depth"""

def data_section(attribute: Attribute, tables: dict, effects: Effects, manifest: dict) -> str:
    """How many rows there were, and what became of them"""

def scorer_section(scorers: dict) -> str:
    """What the self-test of each reward model found"""

def cost_line(manifest: dict) -> str:
    """What the rewrites cost when they were made"""

def method_section(attribute: Attribute, models: Sequence[str], diagnosis: Diagnosis | None=None) -> str:
    """The method as a causal graph, with the assumptions at the edges they concern"""

def verdict(diagnosis: Diagnosis, model: str, claims: tuple[str, ...]=..., besides: Collection[str]=()) -> str:
    """The headline of each claim"""

def checks_section(diagnosis: Diagnosis) -> str:
    """Every check of every model on one axis, with its finding below it"""

def review_sections(diagnosis: Diagnosis | None) -> list:
    """What a reader noticed, what it is worth, and some pairs as they were read"""

def report_tables(effects: Effects, examples: pd.DataFrame, rewrites: pd.DataFrame, scored: pd.DataFrame, verdicts: pd.DataFrame | None=None) -> dict:
    """What a report shows of the tables that grow with the data"""

def audit_report(attribute: Attribute, effects: Effects, answers: Sequence[Answer], tables: dict, manifest: dict, texts: str, truth: pd.DataFrame | None=None, people: Effects | None=None, diagnosis: Diagnosis | None=None, votes: PeopleEffects | None=None) -> str:
    """The report of one audit"""

def to_pdf(html_file: str | Path, pdf_file: str | Path) -> Path:
    """Print a report, through the Chromium of this machine"""

def run_report(path: str | Path, title: str, said: str | Iterable[str], sections: Iterable[tuple], *, again: str='', files: dict[str, str] | None=None) -> Path:
    """Write the report of a run: one self-contained page"""
