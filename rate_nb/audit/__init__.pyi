# Written by `make export` from the module beside it. Edit the notebook.
"""One audit from question to report; its size and levels."""
from .audit import Audit as Audit
from .audit import human_effects as human_effects
from .inputs import AuditTables as AuditTables
from .inputs import Design as Design
from .inputs import Grading as Grading
from .inputs import Reviewing as Reviewing
from .publish import publish_run as publish_run
from .publish import upload_published as upload_published
from .publish import verify_published as verify_published
from .sample_size import plan_sample_size as plan_sample_size
from .multivalued import dose_curve as dose_curve
from .multivalued import rewrite_levels as rewrite_levels
from .multivalued import score_levels as score_levels
from .multivalued import TONE as TONE
__all__ = ['Audit', 'AuditTables', 'Design', 'Grading', 'Reviewing', 'TONE', 'dose_curve', 'human_effects', 'plan_sample_size', 'publish_run', 'rewrite_levels', 'score_levels', 'upload_published', 'verify_published']
