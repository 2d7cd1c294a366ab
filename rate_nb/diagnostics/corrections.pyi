# Written by `make export` from the module beside it. Edit the notebook.
"""The bias is taken out of the rewards. What did that change, and was it the bias?"""
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.calibration.calibrators import Calibrator
from rate_nb.data.attributes import Attribute
from rate_nb.diagnostics.diagnosis import Diagnosis
from rate_nb.estimators.effects import AttributeEffect
from rate_nb.estimators.effects import Effects
from typing import Any
import numpy as np
import pandas as pd
Characteristic = Any

def attribute_in_texts(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, attribute: str | Attribute) -> tuple[str, np.ndarray]:
    """The audited attribute as a number: counted, labelled, or as the instruction named it"""

def audited_calibrators(folder: str | Path, models: Sequence[str], attribute: str | Attribute, gamma: float=1.0) -> dict:
    """The causal curves of the audited attribute itself"""

def corrected_rewards(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, attribute: str | Attribute, calibrator: Calibrator | None=None, fit_on: str='originals', characteristic: Characteristic | None=None) -> tuple[str, pd.DataFrame, list[str]]:
    """Take a bias out of the rewards of an audit"""

def correction(examples: pd.DataFrame, rewrites: pd.DataFrame, rewards: pd.DataFrame, attribute: str | Attribute, calibrator: Calibrator | None=None, fit_on: str='originals', characteristic: Characteristic | None=None, diagnosis: Diagnosis | None=None, level: float=0.95) -> Correction:
    """Take a bias out of the rewards of an audit, and say what that changed"""

@dataclass(frozen=True)
class Correction:
    """The rewards of an audit after a calibration, and what it changed"""
    taken_out: str
    before: Effects
    after: Effects
    scored: pd.DataFrame
    table: pd.DataFrame
    notes: tuple[str, ...] = ...

    def get(self, estimator: str, estimand: str, model: str | None=None, **by: Any) -> AttributeEffect:
        """One effect of the corrected rewards"""

    def __str__(self) -> str:
        ...
