"""One audit from question to report; its size and levels."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".audit": ["Audit", "human_effects"],
    ".inputs": ["AuditTables", "Design", "Grading", "Reviewing"],
    ".publish": ["publish_run", "upload_published", "verify_published"],
    ".sample_size": ["plan_sample_size"],
    ".multivalued": ["dose_curve", "rewrite_levels", "score_levels", "TONE"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
