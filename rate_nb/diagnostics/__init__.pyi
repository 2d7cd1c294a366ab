# Written by `make export` from the module beside it. Edit the notebook.
"""Each assumption and its test (compliance, placebo, balance, attrition, sensitivity), and the verdict."""
from .diagnosis import Diagnosis as Diagnosis
from .diagnosis import diagnose as diagnose
from .placebo_tests import RATE3 as RATE3
from .placebo_tests import control_tests as control_tests
from .placebo_tests import drift as drift
from .placebo_tests import placebo as placebo
from .off_target import additivity as additivity
from .attrition import attrition_bounds as attrition_bounds
from .covariate_balance import balance as balance
from .covariate_balance import tipping_point as tipping_point
from .open_vocabulary import differences as differences
from .sensitivity import compare_rewriters as compare_rewriters
from .strength import required_strength as required_strength
from .strength import sensitivity_limit as sensitivity_limit
from .strength import told_apart as told_apart
from .strength import unseen_bound as unseen_bound
from .review import Review as Review
from .review import code_rewrites as code_rewrites
from .review import price_tags as price_tags
from .review import read_ballot as read_ballot
from .review import read_pairs as read_pairs
from .review import reading_ballot as reading_ballot
from .review import review_pairs as review_pairs
from .review import review_rewrites as review_rewrites
from .compliance_rates import compliance as compliance
from .compliance_rates import wald_effects as wald_effects
__all__ = ['Diagnosis', 'RATE3', 'Review', 'additivity', 'attrition_bounds', 'balance', 'code_rewrites', 'compare_rewriters', 'compliance', 'control_tests', 'diagnose', 'differences', 'drift', 'placebo', 'price_tags', 'read_ballot', 'read_pairs', 'reading_ballot', 'required_strength', 'review_pairs', 'review_rewrites', 'sensitivity_limit', 'tipping_point', 'told_apart', 'unseen_bound', 'wald_effects']
