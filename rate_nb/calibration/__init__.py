"""Length penalty, RC-Mean, RC-LWR, joint and causal calibration, their checks."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".causal": ["CausalCalibrator", "causal_calibration", "dose_response", "fit_causal", "recommended_gamma"],
    ".calibrators": ["JointRCLWR", "LengthPenalty", "MarginCalibrator", "RCLWR", "RCLWRPenalty", "RCMean"],
    ".evaluation": ["asks_for_length", "bias_curve", "check_calibration", "gold_pairs"],
    ".score_tables": ["calibrate_rewards", "calibrate_scores", "load_scores", "make_calibrator"],
    ".studies": ["ALPHAS", "compare_calibrations", "compare_densities", "data_efficiency", "ensemble_matrix",
                 "FRACS", "length_margins", "study_calibrations", "sweep"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
