"""Recall, precision and F1 of each option, where a table has more than two classes.

Each option stands against all others taken together. Which option a judge misses is what accuracy
and kappa hide, and what balanced accuracy averages (Collot et al., section 5.1; Rao and
Callison-Burch 2026, Appendix B).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from goldassay.frozen import dataclass
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.questions.agree.judges import Reading, counted, estimates, setting_of
from goldassay.questions.agree.modes import Tables
from goldassay.results import Estimate, Result
from goldassay.words import named, percent

__all__ = ["MOST_OPTIONS", "OptionAgreement", "each_option", "far_below"]

#: Beyond so many options, one by one they are a long list that tells less than the matrix.
MOST_OPTIONS = 12
#: A recall whose interval lies further than this below that of all other items is worth a sentence.
FAR_BELOW = 0.1

#: Where several ratings of an item each count as a share of it: such shares add up to no items.
SHARED_OUT = frozenset({"each", "soft", "response_set"})

_NAMES = ("recall", "precision", "f1")
#: Why there is none, with the counts that tell it.
_UNDEFINED = {
    "recall": "people never say {option} (the judge does on {judge:,} of {total:,})",
    "precision": "the judge never says {option} ({people})",
    "f1": "neither people nor judge say {option} on any of {total:,}",
}


@dataclass(frozen=True)
class OptionAgreement:
    """A judge on one option: how many items people and judge give it, how far these are the same.

    `elsewhere` is the share of right verdicts on all items to which people give another option.
    """

    option: str
    people: float
    judge: float
    recall: Result
    precision: Result
    f1: Result
    elsewhere: float | None

    @property
    def results(self) -> tuple[Result, ...]:
        return self.recall, self.precision, self.f1


def each_option(tables: Tables, reading: Reading) -> tuple[OptionAgreement, ...]:
    """The options one by one; none where two classes, one positive, say it all.

    An abstention that is a class of its own has its numbers too; an invalid verdict, which people
    never give, has none and lowers the recalls.
    """
    total = tables.total
    kept = [
        (at, label)
        for at, label in enumerate(tables.labels)
        if at < tables.size or label == "abstained"
    ]
    if not 2 < len(kept) <= MOST_OPTIONS or not total.any():
        return ()
    hits, references = np.diagonal(total), total.sum(1)
    found = []
    for at, label in kept:
        others = float(references.sum() - references[at])
        people, judge = float(references[at]), float(total[:, at].sum())
        said = {
            "people": _by_people(people, total.sum(), reading.task.reference),
            "judge": round(judge),
            "total": round(total.sum()),
        }
        recall, precision, f1 = (
            _with_counts(one, option=named(label), **said)
            for one in _against_the_rest(tables, reading, at)
        )
        right = float(hits.sum() - hits[at]) / others if others else None
        found.append(OptionAgreement(label, people, judge, recall, precision, f1, right))
    return tuple(found)


def _by_people(people: float, total: float, reference: str) -> str:
    """How often people say what the judge never says."""
    if reference in SHARED_OUT:
        return f"{percent(people / total)} of people's ratings do"
    return f"people do on {round(people):,} of {round(total):,}"


def _with_counts(result: Result, **said: str | int) -> Result:
    if isinstance(result, Estimate):
        return result
    return replace(result, reason=_UNDEFINED[result.name].format(**said))


def _against_the_rest(tables: Tables, reading: Reading, at: int) -> tuple[Result, Result, Result]:
    """Recall, precision and F1 of one class, from the very table that `goldassay.metrics` makes."""
    cells = tables.cells
    folded = replace(
        cells,
        row=(cells.row != at).astype(np.int64),
        column=(cells.column != at).astype(np.int64),
        shape=(*cells.shape[:2], 2),
    )
    label = tables.labels[at]
    two = replace(tables, labels=(label, "the rest"), size=2, cells=folded)
    setting = replace(setting_of(reading.task, tables), size=2, positive=0, weights=np.eye(2))
    decided = counted(two, setting, reading.draw)
    assert decided is not None  # a table that is all 0 is asked for nothing
    recall, precision, f1 = estimates(decided, [TABLE_METRICS[name] for name in _NAMES], reading)
    return recall, precision, f1


def far_below(options: tuple[OptionAgreement, ...]) -> OptionAgreement | None:
    """The option with the lowest recall, if its whole interval lies far below the other items'."""
    found = [
        (one.recall.value, place)
        for place, one in enumerate(options)
        if isinstance(one.recall, Estimate)
        and one.recall.interval is not None
        and one.elsewhere is not None
        and one.recall.interval.high < one.elsewhere - FAR_BELOW
    ]
    return options[min(found)[1]] if found else None
