"""Two reports compared: what changed, with paired uncertainty where the items are the same."""

from goldassay.questions.diff.changes import (
    Joint,
    independent_change,
    joint_counts,
    paired_changes,
    statistics_of,
)
from goldassay.questions.diff.pairing import MAX_UNITS, fingerprint, joined

__all__ = [
    "MAX_UNITS",
    "Joint",
    "fingerprint",
    "independent_change",
    "joined",
    "joint_counts",
    "paired_changes",
    "statistics_of",
]
