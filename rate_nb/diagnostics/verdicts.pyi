# Written by `make export` from the module beside it. Edit the notebook.
"""When is an assumption refuted, when not refuted, and what would decide the rest?"""
from dataclasses import dataclass
import pandas as pd
GRADES: tuple[str, ...]
VERDICTS: tuple[str, ...]
COLUMNS: tuple[str, ...]

def reward_margin(scored, margin=0.1) -> float:
    """What would not matter, in reward points"""

def lone_spread(scored) -> str:
    """Is the margin that of one response?"""

def margin_points(margin) -> str:
    """A margin as it is printed"""

def margin_words(margin, of_judge=False) -> str:
    """What a margin is a share of"""

def power_to_pass(part, times=1.0, level=0.95) -> float:
    """Power of the equivalence test at an estimate of 0"""

def times_to_pass(parts, power=0.8, level=0.95) -> float:
    """By what factor must a sample grow for a healthy audit to pass all its checks?"""

def judge_parts(parts, level=0.95) -> list:
    """Which numbers lie outside their margin, which inside, all looked at together"""

def worst(verdicts) -> str:
    """The worst of several verdicts; nothing looked at is undecided"""

def worst_part(parts, level=0.95):
    """The part that is worst off: by its verdict, then by how much of its margin it may use"""

def finding_of(check, parts, said, advice, level=0.95, **fields) -> Finding:
    """A finding whose verdict follows from its parts"""

def not_run(check, why, needs, claim='') -> Finding:
    """A check that could not be run decides nothing"""

def judged_together(findings, level=0.95) -> list:
    """Verdicts with one correction for all checks that govern a grade"""

def grade_of(findings, claim) -> str:
    """Refuted by one check, not refuted by all, or undecided"""

def findings_table(findings) -> pd.DataFrame:
    """Findings as a table, the worst first"""

@dataclass(frozen=True)
class Part:
    """One number that a check compares with its equivalence margin"""
    name: str
    estimate: float
    std_error: float
    df: float
    margin: float
    slack: float = ...
    n: float = ...
    can_refute: bool = ...
    lacks: str = ...
    fading: float = ...

    def __post_init__(self):
        ...

    @property
    def known(self):
        ...

    @property
    def p_outside(self):
        ...

    @property
    def p_inside(self):
        ...

@dataclass(frozen=True)
class Finding:
    """What one check says about one assumption"""
    check: str
    verdict: str
    finding: str
    advice: str
    blind_to: str = ...
    estimate: float = ...
    ci_low: float = ...
    ci_high: float = ...
    equivalence_margin: float = ...
    claim: str = ...
    needs: str = ...
    parts: tuple = ...
    advices: dict = ...

    def __post_init__(self):
        ...

    def __str__(self):
        ...
