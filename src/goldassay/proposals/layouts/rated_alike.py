"""Whether two columns rate one thing, by what they hold."""

from __future__ import annotations

from collections import Counter

from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import VERDICTS, folded, number, sides_among

__all__ = ["rate_alike"]

#: So far beyond chance two columns of numbers agree only if they rate one thing (Cohen's kappa);
#: and so many rows show it.
_BEYOND_CHANCE, _ENOUGH_ROWS = 0.3, 10


def rate_alike(table: Table, name: str, other: str) -> bool:
    """Whether a column says what another does, whatever stands above it: in two or more words of
    verdicts that name no side of a pair, or in numbers that agree beyond chance."""
    shared = table.folds(name) & table.folds(other)
    if len(shared) < 2:
        return False
    if not (table.columns[name].numeric and table.columns[other].numeric):
        labels = {folded(label) for label in table.columns[name].labels}
        sides = any({*pair} <= labels for pair in sides_among(labels))
        return bool(shared & VERDICTS) and not sides
    said = counted(table.source, name, other)
    rows = [(number(one), number(two), n) for (one, two), n in said.items() if one and two]
    left, right = Counter[float | None](), Counter[float | None]()
    for first, second, n in rows:
        left[first] += n
        right[second] += n
    total, alike = left.total(), sum(n for first, second, n in rows if first == second)
    chance = sum(n * right[value] for value, n in left.items()) / max(total, 1)
    return total >= _ENOUGH_ROWS and alike - chance > _BEYOND_CHANCE * (total - chance)
