"""Does the judge agree with people, and how sure are we?

Formulas are in `karat.coefficients`, `karat.correlations` and `karat.reliability`, intervals in
`karat.intervals`; here they meet the task's declarations.
"""

from karat.agreement.checklist import Facts, checklist, methods
from karat.agreement.continuous import study_scores
from karat.agreement.judges import Draw
from karat.agreement.metrics import METRICS, Metric, Setting
from karat.agreement.modes import Mode, declared_mode, resolved
from karat.agreement.study import Extras, Study, study
from karat.agreement.texts import Texts

__all__ = [
    "METRICS",
    "Draw",
    "Extras",
    "Facts",
    "Metric",
    "Mode",
    "Setting",
    "Study",
    "Texts",
    "checklist",
    "declared_mode",
    "methods",
    "resolved",
    "study",
    "study_scores",
]
