# Written by `make export` from the module beside it. Edit the notebook.
"""What will an audit do, what will it cost, and can it pass all checks?"""
from dataclasses import dataclass
from rate_nb.audit.accounts import Accounts
from rate_nb.audit.inputs import AuditInputs
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.diagnostics.review import ReviewPairs
from rate_nb.rewriting.planning import Plan
import pandas as pd
TRIED: int

def n_to_pass(asked: AuditInputs, pilot: Diagnosis | None=None, noise: float=0.5, power: float=0.95, icc: float=0.1) -> int | None:
    """How many examples would let a healthy audit pass all checks?"""

def trial_pairs(asked: AuditInputs) -> ReviewPairs:
    """What tells before any rewrite whether a reader answers, and can be read"""

def plan_reviewing(asked: AuditInputs, accounts: Accounts) -> tuple:
    """What a review will ask, at most, and what it costs; nothing is sent"""

def plan_audit(asked: AuditInputs, accounts: Accounts, pilot: Diagnosis | None=None, noise: float=0.5, icc: float=0.1, **endpoint: float | None) -> AuditPlan:
    """Steps, calls and cost of an audit, and whether it can pass all checks; nothing is sent"""

@dataclass(frozen=True)
class AuditPlan:
    """What an audit will do"""
    steps: pd.DataFrame
    rewriting: Plan
    notes: tuple = ...
    n_best: int | None = ...
    judging: tuple = ...
    reviewing: tuple = ...

    def __repr__(self) -> str:
        ...
