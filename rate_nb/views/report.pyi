# Written by `make export` from the module beside it. Edit the notebook.
"""How does a result reach a reader who has neither this notebook nor a course in causal inference?"""
from pathlib import Path
import pandas as pd

def size_in_words(smd) -> str:
    """Cohen's words for a standardised difference"""

def answer(effect, attribute, unit=...) -> str:
    """The effect of an attribute, in a sentence"""

def foils(effects, model) -> str:
    """How far the naive and the single-rewrite estimates are from RATE's"""

def page(title, sections) -> str:
    """One self-contained page"""

def html_table(df, caption='') -> str:
    """A table, every cell escaped"""

def figure(chart, caption='') -> str:
    """A chart that needs no script"""

def forest(rows, heads, caption='', domain=None, band=None) -> str:
    """A table of estimates, each drawn on the same axis"""

def text_cards(examples, rewrites, scored, attribute, n=4, rng=None) -> str:
    """A sample of originals and their rewrites, side by side"""

def failures_by_arm(examples, rewrites) -> pd.DataFrame:
    """How the rewrites ended, by arm and depth"""

def data_section(attribute, tables, effects, manifest) -> str:
    """How many rows there were, and what became of them"""

def scorer_section(scorers) -> str:
    """What the self-test of each reward model found"""

def cost_line(manifest) -> str:
    """What the rewrites cost when they were made"""

def method_section(attribute, models, diagnosis=None) -> str:
    """The method as a causal graph, with the assumptions at the edges they concern"""

def verdict(diagnosis, model) -> str:
    """The headline of each claim"""

def checks_section(diagnosis) -> str:
    """Every check of every model on one axis, with its finding below it"""

def report_tables(effects, examples, rewrites, scored, verdicts=None) -> dict:
    """What a report shows of the tables that grow with the data"""

def audit_report(attribute, effects, tables, manifest, texts, truth=None, people=None, diagnosis=None) -> str:
    """The report of one audit"""

def to_pdf(html_file, pdf_file) -> Path:
    """Print a report, through the Chromium of this machine"""

def run_report(path, title, said, sections, *, again='', files=None) -> Path:
    """Write the report of a run: one self-contained page"""
