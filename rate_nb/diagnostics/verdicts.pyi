# Written by `make export` from the module beside it. Edit the notebook.
"""When does a check pass, when does it fail, and what would settle an inconclusive one?"""
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from rate_nb.stats.inference import Effect
from typing import Any
import pandas as pd
VERDICTS: tuple[str, ...]
EARLIER: dict[str, str]
COLUMNS: tuple[str, ...]

def within_margin(effect: Effect, margin: float, level: float=0.95) -> bool:
    """Is an effect shown to be smaller than the margin (TOST)?"""

def check_margin(margin: float) -> float:
    """A margin is a bias that would not matter"""

def reward_margin(scored: pd.DataFrame, margin: float=0.1) -> float:
    """What would not matter, in reward points"""

def lone_spread(scored: pd.DataFrame) -> str:
    """Is the margin that of one response?"""

def margin_points(margin: float) -> str:
    """A margin as it is printed"""

def margin_words(margin: float, of_judge: bool=False) -> str:
    """What a margin is a share of"""

def power_to_pass(part: Part, times: float=1.0, level: float=0.95) -> float:
    """Power of the equivalence test at an estimate of 0"""

def times_to_pass(parts: Sequence[Part], power: float=0.8, level: float=0.95, assurance: float | None=None) -> float:
    """By what factor must a sample grow for a healthy audit to pass all its checks?"""

def judge_parts(parts: Sequence[Part], level: float=0.95) -> list:
    """Which numbers lie outside their margin, which inside, all looked at together"""

def worst(verdicts: Iterable[str]) -> str:
    """The worst of several verdicts; nothing looked at is inconclusive"""

def worst_part(parts: Sequence[Part], level: float=0.95) -> Part:
    """The part that is worst off: by its verdict, then by how much of its margin it may use"""

def enough_examples(parts: Sequence[Part], total: int, level: float=0.95, power: float=0.9) -> tuple[float, str]:
    """How many examples would decide a check"""

def finding_of(check: str, parts: Sequence[Part], said: str, advice: dict[str, str], level: float=0.95, **fields: Any) -> Finding:
    """A finding whose verdict follows from its parts"""

def not_run(check: str, why: str, needs: str, claim: str='') -> Finding:
    """A check that could not be run decides nothing"""

def judged_together(findings: Sequence[Finding], level: float=0.95) -> list:
    """Verdicts with one correction for all checks that decide a claim"""

def bearing_on(claim: str) -> tuple:
    ...

def verdict_of(findings: Sequence[Finding] | pd.DataFrame, claim: str) -> str:
    """Failed if one check failed, passed if all passed, else inconclusive"""

def findings_table(findings: Sequence[Finding]) -> pd.DataFrame:
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
    can_fail: bool = ...
    lacks: str = ...
    fading: float = ...

    def __post_init__(self):
        ...

    @property
    def known(self) -> bool:
        ...

    @property
    def p_outside(self) -> float:
        ...

    @property
    def p_inside(self) -> float:
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

    def __str__(self) -> str:
        ...
