# Written by `make export` from the module beside it. Edit the notebook.
"""Which lab answers the question that an audit raises, and what does it need from the audit?"""
from rate_nb.audit.inputs import AuditInputs
from rate_nb.audit.inputs import AuditTables
from rate_nb.base.store import Store
from rate_nb.widgets.labs import AssumptionLab
from rate_nb.widgets.labs import CalibrationLab
from rate_nb.widgets.prompt_lab import PromptLab
from rate_nb.widgets.reading_lab import ReadingLab
from rate_nb.widgets.reading_lab import TagLab
from typing import Any
LABS: tuple[str, ...]

def check_lab(about: str | None) -> None:
    ...

def instruction_lab(asked: AuditInputs, rewriter: Any, replies: Store, state: dict[str, Any] | None=None) -> PromptLab:
    """Try the wording of the instruction"""

def assumptions_lab(asked: AuditInputs, tables: AuditTables, state: dict[str, Any] | None=None) -> AssumptionLab:
    """How far a failure would move the effect"""

def calibration_lab(asked: AuditInputs, tables: AuditTables, state: dict[str, Any] | None=None) -> CalibrationLab:
    """Take a bias out of the rewards"""

def reading_lab(audit: Any, pairs: Any, path: Any, state: dict[str, Any] | None=None) -> ReadingLab:
    """A person reads pairs of rewrites"""

def confirmation_lab(audit: Any) -> TagLab:
    """A person says what belongs to the attribute"""
