# Written by `make export` from the module beside it. Edit the notebook.
"""How does one question become one folder that can be killed, resumed, checked and handed on?"""
from dataclasses import dataclass
from pathlib import Path
from rate_nb.rewriting.planning import Plan
from rate_nb.scoring.reward_models import RewardModel
from typing import Any
import pandas as pd
UNLOADED: str
LABS: tuple[str, ...]

def versions() -> dict:
    """The versions an audit ran with"""

def usable_folder(path, name='run_dir') -> Path:
    """A folder that can be written to, or an error that says why not"""

def claim_folder(run_dir, identity, take=True) -> Path:
    """Take a run folder, or say whose it is"""

def as_marks(names):
    ...

def check_grading(margin, delta, itself, artefacts, position_margin=0.25):
    ...

def write_parquet(table, path):
    ...

def spread_sample(examples, n):
    ...

def human_effects(audit):
    """The effect of the counterfactuals that people wrote, and RATE's difference from it"""

class UnloadedReward(RewardModel):
    """A reward model by its name alone: enough to plan with, not to score"""

    def __init__(self, name):
        ...

    def score_batch(self, pairs):
        ...

class Audit:
    """One audit of one attribute: examples → rewrites → rewards → effects → report, resumable in `run_dir`"""
    accepted: Any
    attribute: Any
    check: Any
    examples: Any
    grading: dict[str, Any]
    identity: Any
    instruction: Any
    level: Any
    models: Any
    parameters: Any
    price: Any
    prices: Any
    rewriter: Any
    run_dir: Any
    scoring: dict[str, Any]
    settings: dict[str, Any]
    store: Any

    def __init__(self, examples, attribute, rewriter, reward_models, run_dir, *, draws=1, depth=2, both=False, level=0.95, margin=0.1, delta=1.0, position_margin=0.25, itself=(), artefacts=(), prices=None, budget=None, instruction=None, check=8, exclude_tuned_examples=True, first_draw=0, accept_stored=False, engine='local', ray=None, store=None, parameters=None, **old):
        ...

    @property
    def judges(self) -> list:
        ...

    @property
    def rewards(self) -> list:
        ...

    def judging_cost(self) -> dict:
        """What the verdicts of this audit cost, whichever run paid for them"""

    def close(self):
        """Let go of the run folder; the next step takes it again"""

    def n_for_best_grade(self, pilot=None, noise=0.5, power=0.95, icc=0.1):
        """How many examples would let a healthy audit reach the best grade?"""

    def plan(self, pilot=None, noise=0.5, icc=0.1, **limits) -> AuditPlan:
        """What the audit will do and cost, before anything is sent"""

    def rewrite(self) -> pd.DataFrame:
        """Rewrite every example and rewrite it back"""

    def score(self) -> pd.DataFrame:
        """Reward originals and rewrites with every model; a judge's rows are verdicts against the first rewrite"""

    def sources(self) -> list:
        """Who sent the rewrites of this audit"""

    def effects(self):
        """Naive, single-rewrite and RATE estimates with their intervals"""

    def check_scorers(self) -> dict:
        """Check each reward model on a handful of originals, once"""

    def cost(self) -> float:
        """What all rewrites of this audit cost, at its price and mode, whichever run paid for them"""

    def diagnose(self, calibrator=None, fit_on='originals', characteristic='length', **options):
        """Check what the result rests on"""

    def manifest(self) -> dict:
        """What ran, with what, how it ended and what it cost"""

    def paid(self) -> dict:
        """What this run had to do, rather than find in the store"""

    def report(self, path=None, truth=None, people=None) -> Path:
        """Write the report and the manifest"""

    def plot_rewards(self):
        """Distributions of the rewards of originals and rewrites of rewrites (RATE paper, figure 4)"""

    def __repr__(self):
        ...

    def calibrated(self, calibrator=None, fit_on='originals', characteristic='length') -> pd.DataFrame:
        """The rewards of this audit after calibration (calibration paper, equation 7)"""

    def calibrate(self, calibrator=None, fit_on='originals', characteristic='length'):
        """Effects of the calibrated rewards, on the same rewrites; arguments as for `calibrated`"""

    @classmethod
    def from_config(cls, said, plan=False, store=None, **overrides) -> Audit:
        """The audit that a specification asks for"""

    def to_config(self, path=None) -> dict:
        """Everything that this audit was asked for"""

    def verdicts(self):
        """Ask every judge about the versions of every text, in both orders"""

    def position_effects(self):
        """P(first chosen) − P(second chosen) of each judge, with its interval, and what it said by order"""

    def notes(self) -> pd.DataFrame:
        """What people said of responses in the explorer or in the prompt lab"""

    def flag(self, example_id, note='', flagged=True) -> str:
        """Exclude a response, or keep a note on it; the next step of this audit and its next run honour it"""

    def exclusions(self) -> pd.DataFrame:
        """RATE without what a person excluded (estimate, ci_low, ci_high) and with it (with_estimate, …)"""

    def explore(self, *others, most=2000, select=''):
        """Sort, filter, read and flag the responses of this audit"""

    def lab(self, about=None, state=None):
        """Open a lab on this audit"""

@dataclass(frozen=True)
class AuditPlan:
    """What an audit will do"""
    steps: pd.DataFrame
    rewriting: Plan
    notes: tuple = ...
    n_best: int = ...
    judging: tuple = ...

    def __repr__(self):
        ...
