# Written by `make export` from the module beside it. Edit the notebook.
"""Length penalty, RC-Mean, RC-LWR, joint and causal calibration, their checks."""
from .causal import CausalCalibrator as CausalCalibrator
from .causal import causal_calibration as causal_calibration
from .causal import dose_response as dose_response
from .causal import fit_causal as fit_causal
from .causal import recommended_gamma as recommended_gamma
from .calibrators import JointRCLWR as JointRCLWR
from .calibrators import LengthPenalty as LengthPenalty
from .calibrators import MarginCalibrator as MarginCalibrator
from .calibrators import RCLWR as RCLWR
from .calibrators import RCLWRPenalty as RCLWRPenalty
from .calibrators import RCMean as RCMean
from .evaluation import asks_for_length as asks_for_length
from .evaluation import bias_curve as bias_curve
from .evaluation import check_calibration as check_calibration
from .evaluation import gold_pairs as gold_pairs
from .score_tables import calibrate_rewards as calibrate_rewards
from .score_tables import calibrate_scores as calibrate_scores
from .score_tables import load_scores as load_scores
from .score_tables import make_calibrator as make_calibrator
from .studies import ALPHAS as ALPHAS
from .studies import compare_calibrations as compare_calibrations
from .studies import compare_densities as compare_densities
from .studies import data_efficiency as data_efficiency
from .studies import ensemble_matrix as ensemble_matrix
from .studies import FRACS as FRACS
from .studies import length_margins as length_margins
from .studies import study_calibrations as study_calibrations
from .studies import sweep as sweep
__all__ = ['ALPHAS', 'CausalCalibrator', 'FRACS', 'JointRCLWR', 'LengthPenalty', 'MarginCalibrator', 'RCLWR', 'RCLWRPenalty', 'RCMean', 'asks_for_length', 'bias_curve', 'calibrate_rewards', 'calibrate_scores', 'causal_calibration', 'check_calibration', 'compare_calibrations', 'compare_densities', 'data_efficiency', 'dose_response', 'ensemble_matrix', 'fit_causal', 'gold_pairs', 'length_margins', 'load_scores', 'make_calibrator', 'recommended_gamma', 'study_calibrations', 'sweep']
