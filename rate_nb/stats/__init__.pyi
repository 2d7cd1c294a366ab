# Written by `make export` from the module beside it. Edit the notebook.
"""Statistics that know nothing of language: inference, multiplicity, power, local regression."""
from .inference import adjust_pvalues as adjust_pvalues
from .inference import equivalence_test as equivalence_test
from .inference import paired_effect as paired_effect
from .local_regression import lowess as lowess
from .ordinal import proportional_odds as proportional_odds
from .powered import prediction_powered as prediction_powered
from .power import minimum_detectable_effect as minimum_detectable_effect
from .power import power_n as power_n
__all__ = ['adjust_pvalues', 'equivalence_test', 'lowess', 'minimum_detectable_effect', 'paired_effect', 'power_n', 'prediction_powered', 'proportional_odds']
