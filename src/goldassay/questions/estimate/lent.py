"""Labels that a passport lends: its judge's errors on labelled items correct new verdicts.

The new items have no label that is used; the passport's labelled items are a separate set
(`design`), on which the judge is taken to err as on the new items. Whether the new verdicts look
like those of the passport's population is tested; that they do does not prove that nothing changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.errors import UsageError
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.passport import Errors
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.design import DESIGNS
from goldassay.questions.estimate.linear import Functional
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.shift import ShiftTest, shift_test
from goldassay.questions.estimate.subject import Subject

__all__ = ["DESIGN", "Lent", "Population", "populations", "with_lent_labels"]

Array = NDArray[np.float64]

#: How labels that a passport lends were drawn, seen from the new items.
DESIGN = "separate"


@dataclass(frozen=True, slots=True)
class Lent:
    """What a passport lends: counts by criterion, and its name for messages."""

    errors: tuple[Errors, ...]
    name: str

    def of(self, criterion: str | None) -> Errors:
        """The counts of a criterion; a passport that has none, or that cannot lend, is refused."""
        found = next((one for one in self.errors if one.criterion == criterion), None)
        if found is None:
            known = [one.criterion or "all criteria together" for one in self.errors]
            raise UsageError(
                self.name,
                "must hold how the judge errs"
                + (f" on the criterion {criterion!r}" if criterion else " without criteria"),
                found=", ".join(known[:10]) or "nothing: its scale has no options",
            )
        if found.reason is not None:
            raise UsageError(
                self.name,
                f"cannot correct new verdicts: {found.reason}",
                next_step="Certify the judge on labels drawn at random",
            )
        return found


def with_lent_labels(sample: Sample, errors: Errors, *, place: str) -> Sample:
    """New items of a judge, none of them labelled, beside the passport's labelled items.

    The labelled items are a group of no name, which lends its labels to the others. Labels of the
    new items are told apart and not used.
    """
    if set(errors.options) != set(sample.options) or errors.options[-1] != sample.options[-1]:
        raise UsageError(
            place,
            "holds the judge's errors for other options",
            found=f"{', '.join(errors.options)} there, {', '.join(sample.options)} here",
        )
    verdicts = tuple(dict.fromkeys([*sample.verdicts, *errors.verdicts]))
    new = _columns(sample.cells, sample.verdicts, verdicts)
    old, times = _labelled(errors, sample.options, verdicts)
    new = new * (sample.n_items / max(float(sample.multiplicity @ new.sum((1, 2, 3))), 1e-300))
    groups = sample.groups if sample.groups == ("all",) else (*sample.groups, "")
    size = len(sample.options)
    cells = np.zeros((len(new) + len(old), len(groups), size + 1, len(verdicts)))
    cells[: len(new), : new.shape[1], size] = new.sum(2)
    cells[len(new) :, len(groups) - 1, :size] = old
    lent = float(times @ old.sum((1, 2)))
    labels = sample.test_labels + np.tensordot(
        sample.multiplicity.astype(float), sample.cells[:, :, :size].sum((1, 3)), axes=1
    )
    return replace(
        sample,
        verdicts=verdicts,
        groups=groups,
        cells=cells,
        multiplicity=np.concatenate([sample.multiplicity, times]),
        n_items=sample.n_items + round(lent),
        independent=sample.independent and errors.independent,
        items=None,
        apart=True,
        test_labels=labels,
        labels_without_verdict=np.zeros(size),
    )


@dataclass(frozen=True, slots=True)
class Population:
    """Whether a judge's new verdicts are spread as those of its passport's population."""

    subject: Subject
    option: str
    shift: ShiftTest


def populations(units: Units, judge: str, lent: Lent) -> tuple[Population, ...]:
    """The test of each criterion, where there is something to compare; the surest shift first.

    Of several criteria each p-value is Bonferroni's, so that all of them together are called
    shifted by chance as seldom as one.
    """
    criteria = units.by["criterion"].labels if "criterion" in units.by else ()
    found = []
    for criterion in criteria or (None,):
        part = units if criterion is None else units.only("criterion", criterion)
        sample = sample_of(part, judge)
        shift = _shift(sample, lent.of(criterion))
        if shift is not None:
            found.append(Population(Subject(judge, criterion), sample.options[1], shift))
    return tuple(
        sorted(
            (replace(one, shift=_of_several(one.shift, len(found))) for one in found),
            key=lambda one: one.shift.p_value if one.shift.shifted else 1.0,
        )
    )


def _of_several(shift: ShiftTest, tests: int) -> ShiftTest:
    return replace(shift, p_value=min(1.0, tests * shift.p_value))


def _shift(sample: Sample, errors: Errors) -> ShiftTest | None:
    """Pearson's test that the new verdicts are spread as those of the passport's population.

    `sample` is of the new items as they were counted. Clusters of both count by their design
    effect, the largest over verdicts. None where there is nothing to compare.
    """
    verdicts = tuple(dict.fromkeys([*sample.verdicts, *errors.verdicts]))
    new = _columns(sample.cells, sample.verdicts, verdicts).sum((1, 2))
    held, times = _population(errors, verdicts)
    cells = np.zeros((len(new) + len(held), 1, 2, len(verdicts)))
    cells[: len(new), 0, 1] = new
    cells[len(new) :, 0, 0] = held
    both = replace(
        sample,
        verdicts=verdicts,
        groups=("all",),
        cells=cells,
        multiplicity=np.concatenate([sample.multiplicity, times]),
        n_items=sample.n_items + round(float(times @ held.sum(1))),
        independent=sample.independent and errors.independent,
        items=None,
    )
    if min(both.test.sum(), both.calibration.sum()) <= 0:
        return None
    found = [both.inflation(_gap(v), confidence_level=0.95) for v in range(len(verdicts))]
    inflation = max([1.0, *(one for one in found if not math.isnan(one))])
    return shift_test(both.test, both.calibration, inflation=inflation)


def _gap(verdict: int) -> Functional:
    """How much more often a verdict is given to the new items."""

    def values(cells: Array) -> Array:
        total = cells.sum(-3)
        old, new = total[..., 0, :], total[..., 1, :]
        return ratio(new[..., verdict], new.sum(-1)) - ratio(old[..., verdict], old.sum(-1))

    return values


def _columns(cells: Array, names: Sequence[str], wanted: Sequence[str]) -> Array:
    """Cells [..., V] with their verdicts in the wanted order; one that is not there has none."""
    found = np.zeros((*cells.shape[:-1], len(wanted)))
    for place, name in enumerate(names):
        found[..., wanted.index(name)] = cells[..., place]
    return found


def _cells(errors: Errors, verdicts: Sequence[str]) -> tuple[Array, NDArray[np.int64]]:
    """The passport's cells [C, K + 1, V], and how many clusters have them."""
    shape = (len(errors.cells), len(errors.options) + 1, len(errors.verdicts))
    cells = np.array([cell for _, cell in errors.cells], dtype=float).reshape(shape)
    times = np.array([n for n, _ in errors.cells], dtype=np.int64)
    scale = errors.n_items / max(float(times @ cells.sum((1, 2))), 1e-300)
    return _columns(cells * scale, errors.verdicts, verdicts), times


def _labelled(
    errors: Errors, options: Sequence[str], verdicts: Sequence[str]
) -> tuple[Array, NDArray[np.int64]]:
    """Clusters with labelled items [C, K, V], labels in the order of the options."""
    cells, times = _cells(errors, verdicts)
    found = cells[:, [errors.options.index(name) for name in options]]
    kept = found.any((1, 2))
    return found[kept], times[kept]


def _population(errors: Errors, verdicts: Sequence[str]) -> tuple[Array, NDArray[np.int64]]:
    """Verdicts [C, V] of the items whose rate the passport is about.

    All of them where labels were drawn from the pool; else those without a label, and where
    everything is labelled the labelled ones, unless their numbers were chosen by label.
    """
    cells, times = _cells(errors, verdicts)
    pool, labelled = cells[:, -1], cells[:, :-1].sum(1)
    design = DESIGNS[errors.design] if errors.design else None
    if design is None or design.from_pool:
        held = pool + labelled
    elif pool.any():
        held = pool
    else:
        held = labelled if design.same_verdicts else np.zeros_like(labelled)
    kept = held.any(1)
    return held[kept], times[kept]
