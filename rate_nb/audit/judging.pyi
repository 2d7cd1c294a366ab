# Written by `make export` from the module beside it. Edit the notebook.
"""Does a judge prefer the attribute, or the response that it was shown first?"""
from collections.abc import Callable
from collections.abc import Iterator
from rate_nb.audit.inputs import AuditInputs
from rate_nb.base.store import Store
from rate_nb.scoring.judges import Judge
from typing import Any
import pandas as pd

def batched(endpoint: Any) -> bool:
    ...

def ask_judges(asked: AuditInputs, examples: pd.DataFrame, rewrites: pd.DataFrame, judges: list[Judge], **options: Any) -> Iterator[pd.DataFrame]:
    """Ask every judge about the versions of every text, in both orders"""

def position_notes(verdicts: pd.DataFrame, level: float) -> list[str]:
    """The position effects, to be said beside the effects"""

def judge_on_trial(judge: Judge, texts: pd.DataFrame, n: int, store: Store, share: Callable[[Any], None]) -> dict[str, Any]:
    """A few questions, before any rewrite is requested"""

def asked_versions(asked: AuditInputs) -> list[str]:
    ...

def judge_notes(judges: list[Judge]) -> Iterator[str]:
    """What a reader of the plan must know of who judges"""

def plan_judging(asked: AuditInputs, judge: Judge, rewriter: Any, rewriting_left: int) -> dict[str, Any]:
    """What a judge will be asked, and what it costs; nothing is sent"""
