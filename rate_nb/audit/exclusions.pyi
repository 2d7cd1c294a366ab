# Written by `make export` from the module beside it. Edit the notebook.
"""Which responses drive the effect, and how large is it without those that a person would exclude?"""
from collections.abc import Callable
from rate_nb.audit.inputs import AuditInputs
from rate_nb.audit.inputs import AuditTables
from rate_nb.base.store import Store
from typing import Any
import pandas as pd

def response_notes(asked: AuditInputs, replies: Store, rewrites: pd.DataFrame) -> pd.DataFrame:
    """What people said of responses in the explorer or in the prompt lab"""

def flag_response(asked: AuditInputs, replies: Store, rewrites: pd.DataFrame, example_id: str | int, note: str='', flagged: bool=True) -> None:
    """What `Audit.flag` does to the store"""

def honoured(tables: AuditTables, replies: Store) -> AuditTables:
    """Tables without what was made before a person's flag was set or taken back, by whomever"""

def exclusions(tables: AuditTables, level: float, score: Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame], estimand_over: str=...) -> pd.DataFrame:
    """RATE without what a person excluded (estimate, ci_low, ci_high) and with it (with_estimate, …)"""

def exclusion_notes(table: pd.DataFrame) -> list[str]:
    """What is said beside the effects"""

def explorer_data(asked: AuditInputs, replies: Store, tables: AuditTables, max_responses: int=2000, name: str='') -> dict[str, Any]:
    """The tables of an audit, as the explorer shows them"""
