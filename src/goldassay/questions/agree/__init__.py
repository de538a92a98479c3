"""Does the judge agree with people, and how sure are we?

The metrics and their intervals are in `goldassay.metrics`; here they meet the task's declarations.
"""

from goldassay.questions.agree.continuous import study_scores
from goldassay.questions.agree.modes import Mode, declared_mode, resolved
from goldassay.questions.agree.record import AgreeStudy
from goldassay.questions.agree.study import Extras, study
from goldassay.questions.agree.texts import Texts

__all__ = [
    "AgreeStudy",
    "Extras",
    "Mode",
    "Texts",
    "declared_mode",
    "resolved",
    "study",
    "study_scores",
]
