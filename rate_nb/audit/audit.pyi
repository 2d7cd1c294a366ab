# Written by `make export` from the module beside it. Edit the notebook.
"""How does one question become one folder that can be killed, resumed, checked and handed on?"""
from altair.typing import ChartType
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.calibration.causal import CausalCalibrator
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.estimators.effects import Effects
from rate_nb.rewriting.instructions import Instruction
from rate_nb.rewriting.planning import Plan
from rate_nb.scoring.ray_engine import RayOptions
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.widgets.labs import AssumptionLab
from rate_nb.widgets.labs import CalibrationLab
from rate_nb.widgets.prompt_lab import PromptLab
from typing import Any
import pandas as pd
import re
UNLOADED: str
LABS: tuple[str, ...]

def versions() -> dict:
    """The versions an audit ran with"""

def usable_folder(path: str | Path, name: str='run_dir') -> Path:
    """A folder that can be written to, or an error that says why not"""

def claim_folder(run_dir: str | Path, identity: dict[str, Any], take: bool=True) -> Path:
    """Take a run folder, or say whose it is"""

def as_marks(names: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]) -> tuple[str | re.Pattern[str], ...]:
    ...

def check_grading(margin: float, delta: float, itself: Sequence[str | re.Pattern[str]], artefacts: Sequence[str | re.Pattern[str]], position_margin: float=0.25) -> None:
    ...

def write_parquet(table: pd.DataFrame, path: str | Path) -> None:
    ...

def spread_sample(examples: pd.DataFrame, n: int) -> pd.DataFrame:
    ...

def human_effects(audit: Audit) -> Effects:
    """The effect of the counterfactuals that people wrote, and RATE's difference from it"""

class UnloadedReward(RewardModel):
    """A reward model by its name alone: enough to plan with, not to score"""

    def __init__(self, name: str | Path):
        ...

    def score_batch(self, pairs):
        ...

class Audit:
    """One audit of one attribute: examples → rewrites → rewards → effects → report, resumable in `run_dir`"""
    accepted: Any
    attribute: Any
    check: int
    examples: Any
    grading: dict[str, Any]
    identity: Any
    instruction: Any
    level: float
    models: Any
    parameters: Any
    price: Any
    prices: Any
    rewriter: Any
    run_dir: Any
    scoring: dict[str, Any]
    settings: dict[str, Any]
    store: Any

    def __init__(self, examples: Any, attribute: str | dict[str, Any] | Attribute, rewriter: Any, reward_models: Any, run_dir: str | Path, *, draws: int=1, depth: int=2, both: bool=False, level: float=0.95, margin: float=0.1, delta: float=1.0, position_margin: float=0.25, itself: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), artefacts: str | re.Pattern[str] | Iterable[str | re.Pattern[str]]=(), prices: Any=None, budget: float | None=None, instruction: Instruction | str | None=None, check: int=8, exclude_tuned_examples: bool=True, first_draw: int=0, accept_stored: bool | str=False, engine: str='local', ray: RayOptions | None=None, store: Store | str | Path | None=None, parameters: dict[str, Any] | None=None, **old: Any):
        ...

    @property
    def judges(self) -> list:
        ...

    @property
    def rewards(self) -> list:
        ...

    def judging_cost(self) -> dict:
        """What the verdicts of this audit cost, whichever run paid for them"""

    def close(self) -> None:
        """Let go of the run folder; the next step takes it again"""

    def n_for_best_grade(self, pilot: Diagnosis | None=None, noise: float=0.5, power: float=0.95, icc: float=0.1) -> int | None:
        """How many examples would let a healthy audit reach the best grade?"""

    def plan(self, pilot: Diagnosis | None=None, noise: float=0.5, icc: float=0.1, **limits: float | None) -> AuditPlan:
        """What the audit will do and cost, before anything is sent"""

    def rewrite(self) -> pd.DataFrame:
        """Rewrite every example and rewrite it back"""

    def score(self) -> pd.DataFrame:
        """Reward originals and rewrites with every model; a judge's rows are verdicts against the first rewrite"""

    def sources(self) -> list:
        """Who sent the rewrites of this audit"""

    def effects(self) -> Effects:
        """Naive, single-rewrite and RATE estimates with their intervals"""

    def check_scorers(self) -> dict:
        """Check each reward model on a handful of originals, once"""

    def cost(self) -> float | None:
        """What all rewrites of this audit cost, at its price and mode, whichever run paid for them"""

    def diagnose(self, calibrator: Calibrator | CausalCalibrator | None=None, fit_on: str='originals', characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length', **options: Any) -> Diagnosis:
        """Check what the result rests on"""

    def manifest(self) -> dict:
        """What ran, with what, how it ended and what it cost"""

    def paid(self) -> dict:
        """What this run had to do, rather than find in the store"""

    def report(self, path: str | Path | None=None, truth: pd.DataFrame | None=None, people: Effects | None=None) -> Path:
        """Write the report and the manifest"""

    def plot_rewards(self) -> ChartType | None:
        """Distributions of the rewards of originals and rewrites of rewrites (RATE paper, figure 4)"""

    def __repr__(self) -> str:
        ...

    def calibrated(self, calibrator: Calibrator | CausalCalibrator | None=None, fit_on: str='originals', characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length') -> pd.DataFrame:
        """The rewards of this audit after calibration (calibration paper, equation 7)"""

    def calibrate(self, calibrator: Calibrator | CausalCalibrator | None=None, fit_on: str='originals', characteristic: str | Callable[[str], float] | Sequence[str | Callable[[str], float]]='length') -> Effects:
        """Effects of the calibrated rewards, on the same rewrites; arguments as for `calibrated`"""

    @classmethod
    def from_config(cls, said: str | Path | dict[str, Any], plan: bool=False, store: Store | str | Path | None=None, **overrides: Any) -> Audit:
        """The audit that a specification asks for"""

    def to_config(self, path: str | Path | None=None) -> dict:
        """Everything that this audit was asked for"""

    def verdicts(self) -> pd.DataFrame | None:
        """Ask every judge about the versions of every text, in both orders"""

    def position_effects(self) -> pd.DataFrame | None:
        """P(first chosen) − P(second chosen) of each judge, with its interval, and what it said by order"""

    def notes(self) -> pd.DataFrame:
        """What people said of responses in the explorer or in the prompt lab"""

    def flag(self, example_id: str | int, note: str='', flagged: bool=True) -> str:
        """Exclude a response, or keep a note on it; the next step of this audit and its next run honour it"""

    def exclusions(self) -> pd.DataFrame:
        """RATE without what a person excluded (estimate, ci_low, ci_high) and with it (with_estimate, …)"""

    def explore(self, *others: Audit, most: int=2000, select: str='') -> Any:
        """Sort, filter, read and flag the responses of this audit"""

    def lab(self, about: str | None=None, state: dict[str, Any] | None=None) -> PromptLab | AssumptionLab | CalibrationLab:
        """Open a lab on this audit"""

@dataclass(frozen=True)
class AuditPlan:
    """What an audit will do"""
    steps: pd.DataFrame
    rewriting: Plan
    notes: tuple = ...
    n_best: int | None = ...
    judging: tuple = ...

    def __repr__(self) -> str:
        ...
