"""Naive, single, RATE, same-depth, contrastive, CATE, panels, label error, anytime intervals."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".effects": ["CONTRASTS", "Effects", "contrast", "correct_label_error", "estimate_contrastive_effects",
        "estimate_effects"],
    ".heterogeneity": ["compare_models", "effect_regression", "heterogeneity_test"],
    ".anytime": ["anytime_interval", "audit_until", "sequential_effects"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
