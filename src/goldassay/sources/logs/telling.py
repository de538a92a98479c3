"""What a reader must know of labels that stand in one table: whether they are on one scale."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.sources.logs.parts import as_number

__all__ = ["MIXED", "mixed", "some_labels"]

MIXED = (
    "Not all ratings are on one scale, and a task declares one: import them apart, with "
    "--rater NAME or --criterion NAME. No task is drafted for them."
)


def mixed(groups: Sequence[tuple[str, ...]]) -> bool:
    """Whether words and numbers, or words that no other rater uses, stand in one table.

    >>> mixed([("yes", "no"), ("no",)]), mixed([("yes", "no"), ("1", "2")]), mixed([("1",), ("7",)])
    (False, True, False)
    """
    words = [set(labels) for labels in groups if any(as_number(one) is None for one in labels)]
    numbers = [labels for labels in groups if labels and set(labels) not in words]
    scales: list[set[str]] = []
    for group in words:  # labels are on one scale when a chain of raters uses them together
        shared = [one for one in scales if one & group]
        scales = [one for one in scales if not one & group] + [group.union(*shared)]
    return len(scales) + bool(numbers) > 1


def some_labels(labels: tuple[str, ...]) -> str:
    """A few labels of a rater, for a table.

    >>> some_labels(("yes", "no")), some_labels(("1", "2", "3", "4", "5"))
    ('no, yes', '5 or more')
    """
    return ", ".join(sorted(labels)) if len(labels) <= 4 else f"{len(labels)} or more"
