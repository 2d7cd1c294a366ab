# Written by `make export` from the module beside it. Edit the notebook.
"""What ran, with which inputs, with replies from which endpoint, and at what cost?"""
from pathlib import Path
from rate_nb.audit.accounts import Accounts
from rate_nb.audit.audit import Audit
from rate_nb.audit.inputs import AuditInputs
from rate_nb.audit.run_folder import RunFolder
from rate_nb.base.store import Store
from typing import Any
import pandas as pd

def sources(rewrites: pd.DataFrame, replies: Store) -> list[dict]:
    """Who sent these rewrites"""

def check_sources(asked: AuditInputs, accounts: Accounts) -> None:
    """Before anything is sent: whose stored replies would be used?"""

def check_kept(asked: AuditInputs, accounts: Accounts) -> None:
    """Before anything is sent: would what this folder holds be paid again?"""

def check_keys(asked: AuditInputs, accounts: Accounts) -> None:
    """Before a reward reads anything: is there a key for the rewrites that are not stored?"""

def check_readers(asked: AuditInputs, accounts: Accounts, folder: RunFolder) -> None:
    """Before a rewrite is paid: do the endpoints of a review know their models, and can the reader be read?"""

def kept_verdicts(run_dir: Path) -> dict[str, dict]:
    ...

def check_scorers(asked: AuditInputs, accounts: Accounts, folder: RunFolder) -> dict[str, dict]:
    """Check each reward on a handful of originals, once"""

def manifest_of(audit: Audit) -> dict[str, Any]:
    """What ran, with what, how it ended and what it cost"""
