"""People's columns that a team added to a tool's results: `human_faithful` for `faithfulness`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

__all__ = ["people_beside"]

#: With what the name of such a column begins.
PEOPLE = ("human", "annotator", "expert", "manual", "reviewer", "sme", "user")
#: How many first letters make two words one: `faithful` and `faithfulness`.
_ALIKE = 6


def people_beside(names: Iterable[str], metrics: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Column -> (rater, criterion): which of the metrics people rated too. The only metric, or the
    one of the column's own name; a column of something else is none.

    >>> people_beside(["human_faithful", "topic"], ["faithfulness", "answer_relevancy"])
    {'human_faithful': ('human', 'faithfulness')}
    >>> people_beside(["human_score", "user_input"], ["correctness/v1"])
    {'human_score': ('human', 'correctness/v1')}
    """
    found: dict[str, tuple[str, str]] = {}
    for name in names:
        who, _, what = str(name).casefold().partition("_")
        if who not in PEOPLE or name in ("user_input", "user_id") or what.endswith(("id", "name")):
            continue
        same = [m for m in metrics if what and _is_like(what, m.casefold())]
        criterion = metrics[0] if len(metrics) == 1 else same[0] if len(same) == 1 else None
        if criterion is not None:
            found[name] = (who, criterion)
    return found


def _is_like(one: str, other: str) -> bool:
    size = min(_ALIKE, len(one), len(other))
    return one == other or (size > 3 and one[:size] == other[:size])
