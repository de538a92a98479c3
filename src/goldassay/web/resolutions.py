"""Where people differ, and what was resolved there."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.web.cases import Given, Unit
from goldassay.web.desk import Desk

__all__ = ["differ", "disputes"]


def differ(given: Sequence[Given]) -> bool:
    """Whether at least two people said something, and not all the same."""
    said = {(one.elicitation, one.value) for one in given if one.status == "rated"}
    gave_up = any(one.status == "abstained" for one in given)
    return len({one.rater for one in given}) > 1 and len(said) + gave_up > 1


def disputes(desk: Desk, rater: str = "") -> list[tuple[Unit, tuple[Given, ...]]]:
    """The units on which people differ, those left out that are still this rater's to label."""
    found = []
    for key, given in desk.people_by_unit().items():
        unit = desk.cases.units[key]
        if differ(given) and not (rater and desk.is_open_to(rater, unit)):
            found.append((unit, given))
    return sorted(found, key=lambda one: (one[0].item, one[0].criterion, one[0].system))
