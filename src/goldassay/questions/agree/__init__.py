"""Does the judge agree with people, and how sure are we?

Formulas are in `goldassay.formulas.agreement`, `goldassay.formulas.correlation` and
`goldassay.formulas.reliability`, intervals in `goldassay.inference.posterior`; here they meet the
task's declarations.
"""

from goldassay.questions.agree.continuous import study_scores
from goldassay.questions.agree.judges import Draw
from goldassay.questions.agree.metrics import METRICS, Metric, Setting
from goldassay.questions.agree.modes import Mode, declared_mode, resolved
from goldassay.questions.agree.study import AgreeStudy, Extras, study
from goldassay.questions.agree.texts import Texts

__all__ = [
    "METRICS",
    "AgreeStudy",
    "Draw",
    "Extras",
    "Metric",
    "Mode",
    "Setting",
    "Texts",
    "declared_mode",
    "resolved",
    "study",
    "study_scores",
]
