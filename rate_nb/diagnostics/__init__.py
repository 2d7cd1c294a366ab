"""Each assumption and its test (compliance, placebo, balance, attrition, sensitivity), and the verdict."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".diagnosis": ["Diagnosis", "diagnose"],
    ".placebo_tests": ["RATE3", "control_tests", "drift", "placebo"],
    ".off_target": ["additivity"],
    ".attrition": ["attrition_bounds"],
    ".covariate_balance": ["balance", "tipping_point"],
    ".open_vocabulary": ["differences"],
    ".sensitivity": ["compare_rewriters"],
    ".strength": ["required_strength", "sensitivity_limit", "told_apart", "unseen_bound"],
    ".review": ["Review", "code_rewrites", "price_tags", "read_ballot", "read_pairs", "reading_ballot",
                "review_pairs", "review_rewrites"],
    ".compliance_rates": ["compliance", "wald_effects"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
