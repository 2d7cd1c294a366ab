# Written by `make export` from the module beside it. Edit the notebook.
"""Some rewrites were refused or failed. How far could the ones we never saw have moved the estimate?"""
from dataclasses import dataclass
import pandas as pd
FLOOR: float
FOLDS: int

def reward_limits(rewards, given, model) -> tuple:
    """The range that a missing reward is taken to lie in"""

def contrast_bounds(scored, weights, low, high) -> tuple:
    """The contrasts that the observed rewards allow, row by row"""

def imbens_manski(low, high, se_low, se_high, df, level=0.95) -> tuple:
    """Confidence interval for an effect that is only bounded"""

def bounded_mean(low, high, codes, level=0.95) -> dict:
    """Bounds of a mean of contrasts, with cluster-robust errors"""

def attrition_by_arm(df, weights) -> pd.DataFrame:
    """Missing contrasts by arm and reason"""

def pseudo_outcomes(c, s1, s2, m1, m2, e1, e2):
    """Augmented inverse-probability weighting with two stages"""

def basis(X):
    """What the regressions see of the predictors"""

def ridge(A, y):
    """Least squares, shrunk by generalised cross-validation"""

def logistic(A, s):
    """Logistic regression, shrunk by Schwarz's criterion"""

def predicted(A, b):
    ...

def chance(A, b):
    ...

def prompt_folds(labels):
    """Folds of whole clusters"""

def cross_fitted(X, r1, c, folds) -> tuple:
    """Pseudo-outcomes of one arm, each from regressions that did not see its prompt"""

def recorded(df, examples=None, measured=None, columns=(), cluster=None) -> pd.DataFrame:
    """What loss may depend on, besides the arm"""

def attrition_bounds(scored, examples=None, *, measured=None, columns=(), limits=None, estimator='rate', margin=0.1, delta=1.0, cluster='prompt_id', level=0.95) -> AttritionBounds:
    """The effect of complete cases, adjusted for recorded loss, and in worst-case (Manski) bounds"""

@dataclass(frozen=True, repr=False, eq=False)
class AttritionBounds:
    """What the missing rewrites could have done to an effect"""
    table: pd.DataFrame
    arms: pd.DataFrame
    contrasts: pd.DataFrame
    estimator: str
    delta: float
    level: float
    notes: tuple
    told: dict

    def row(self, estimand='ATE', model=None) -> pd.Series:
        """The bounds of one estimand of one model"""

    def finding(self, model=None):
        """Can the missing rewrites have changed the answer?"""

    def summary(self) -> pd.DataFrame:
        """The table as people read it"""

    def __repr__(self):
        ...

    def plot(self):
        """Estimates, bounds and intervals as a chart"""
