# Written by `make export` from the module beside it. Edit the notebook.
"""How does one question become one folder that can be interrupted, resumed, checked and shared?"""
from contextlib import ExitStack
from pathlib import Path
from rate_nb.audit.accounts import Accounts
from rate_nb.audit.inputs import AuditInputs
from rate_nb.audit.inputs import AuditTables
from rate_nb.audit.inputs import Design
from rate_nb.audit.inputs import Grading
from rate_nb.audit.inputs import Reviewing
from rate_nb.audit.people import PeopleEffects
from rate_nb.audit.planning import AuditPlan
from rate_nb.audit.run_folder import RunFolder
from rate_nb.audit.specification import Specification
from rate_nb.base.core import Pointing
from rate_nb.base.store import Store
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.calibration.causal import CausalCalibrator
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.corrections import Characteristic
from rate_nb.diagnostics.corrections import Correction
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.diagnostics.review import Review
from rate_nb.estimators.effects import Effects
from rate_nb.widgets.labs import AssumptionLab
from rate_nb.widgets.labs import CalibrationLab
from rate_nb.widgets.prompt_lab import PromptLab
from rate_nb.widgets.reading_lab import ReadingLab
from rate_nb.widgets.reading_lab import TagLab
from typing import Any
import pandas as pd

def human_effects(audit: Audit) -> Effects:
    """The effect of the counterfactuals that people wrote, and RATE's difference from it"""

class Audit(metaclass=Pointing):
    """One audit of one attribute: examples → rewrites → rewards → effects → report, resumable in `run_dir`"""
    __slots__: tuple[str, ...]
    accounts: Accounts
    folder: RunFolder
    inputs: AuditInputs
    parameters: dict[str, Any]
    services: ExitStack | None
    specification: Specification | None
    tables: AuditTables

    def __init__(self, examples: Any, attribute: str | dict[str, Any] | Attribute, rewriter: Any, reward: Any, run_dir: str | Path, *, draws: int=1, depth: int=2, both: bool=False, budget: float | None=None, store: Store | str | Path | None=None, design: Design=..., grading: Grading=..., review: Reviewing | int=0):
        ...

    @property
    def examples(self) -> pd.DataFrame:
        ...

    @property
    def attribute(self) -> Attribute:
        ...

    @property
    def run_dir(self) -> Path:
        ...

    @property
    def rewriter(self) -> Any:
        ...

    @property
    def models(self) -> list:
        ...

    @property
    def store(self) -> Store:
        ...

    def rewrite(self) -> pd.DataFrame:
        """Rewrite every example and rewrite it back"""

    def score(self) -> pd.DataFrame:
        """Reward originals and rewrites; a judge's rows are verdicts against the first rewrite"""

    def effects(self) -> Effects:
        """Naive, single-rewrite and RATE estimates with their intervals"""

    def close(self) -> None:
        """Let go of the run folder; the next step takes it again"""

    def __repr__(self) -> str:
        ...

    def plan(self, pilot: Diagnosis | None=None, noise: float=0.5, icc: float=0.1, requests_per_minute: float | None=None, tokens_per_minute: float | None=None, seconds_per_call: float | None=None) -> AuditPlan:
        """What the audit will do and cost, before anything is sent"""

    def review_ballot(self, path: str | Path | None=None) -> Path:
        """The pairs for a person to read"""

    def review(self, filled: str | Path | pd.DataFrame | None=None, confirm: dict[str, str] | None=None) -> dict[str, Review]:
        """Let a reader compare pairs of rewrites, and price what he notices in all of them"""

    def diagnose(self, calibrator: Calibrator | CausalCalibrator | None=None, fit_on: str='originals', characteristic: Characteristic | None=None, **options: Any) -> Diagnosis:
        """Check what the result rests on"""

    def report(self, path: str | Path | None=None, truth: pd.DataFrame | None=None, people: Effects | None=None) -> Path:
        """Write the report and the manifest"""

    def flag(self, example_id: str | int, note: str='', flagged: bool=True) -> str:
        """Exclude a response, or keep a note on it; the next step of this audit and its next run honour it"""

    def explore(self, *others: Audit, max_responses: int=2000, select: str='') -> Any:
        """Sort, filter, read and flag the responses of this audit"""

    def lab(self, about: str | None=None, state: dict[str, Any] | None=None) -> PromptLab | AssumptionLab | CalibrationLab | ReadingLab | TagLab:
        """Open a lab on this audit"""

    def calibrate(self, calibrator: Calibrator | CausalCalibrator | None=None, fit_on: str='originals', characteristic: Characteristic | None=None) -> Correction:
        """Take the bias out of the rewards (calibration paper, equation 7), and audit again on the same rewrites"""

    @classmethod
    def from_config(cls, said: str | Path | dict[str, Any] | Specification, plan: bool=False, store: Store | str | Path | None=None, **overrides: Any) -> Audit:
        """The audit that a specification asks for"""

    def to_config(self, path: str | Path | None=None) -> dict[str, Any]:
        """All settings of this audit"""

    def people(self, votes: str | Path | pd.DataFrame, ballot_key: str | Path | pd.DataFrame | None=None, *, versions: str='rewrites', margin: float=0.1) -> PeopleEffects:
        """The effect on people's choices, beside the rewards' and with their help"""
