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
from .criteria import criteria_effects as criteria_effects
from .probes import probe_judge as probe_judge
from .sample_size import better_spent as better_spent
from .sample_size import plan_design as plan_design
from .sample_size import plan_sample_size as plan_sample_size
from .sample_size import variance_parts as variance_parts
from .multivalued import dose_curve as dose_curve
from .multivalued import rewrite_levels as rewrite_levels
from .multivalued import score_levels as score_levels
from .multivalued import TONE as TONE
__all__ = ['Audit', 'AuditTables', 'Design', 'Grading', 'Reviewing', 'TONE', 'better_spent', 'criteria_effects', 'dose_curve', 'human_effects', 'plan_design', 'plan_sample_size', 'probe_judge', 'publish_run', 'rewrite_levels', 'score_levels', 'upload_published', 'variance_parts', 'verify_published']
