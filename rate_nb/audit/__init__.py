"""One audit from question to report; its size and levels."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".audit": ["Audit", "human_effects"],
    ".inputs": ["AuditTables", "Design", "Grading", "Reviewing"],
    ".publish": ["publish_run", "upload_published", "verify_published"],
    ".criteria": ["criteria_effects"],
    ".probes": ["probe_judge"],
    ".sample_size": ["better_spent", "plan_design", "plan_sample_size", "variance_parts"],
    ".multivalued": ["dose_curve", "rewrite_levels", "score_levels", "TONE"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
