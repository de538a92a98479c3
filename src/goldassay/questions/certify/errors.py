"""How often the judge errs, as counts that a passport carries to new verdicts."""

from __future__ import annotations

from goldassay.counts import Units
from goldassay.passport import Errors
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.design import DESIGNS
from goldassay.questions.estimate.sample import Sample

__all__ = ["error_counts"]


def error_counts(units: Units, judge: str) -> tuple[Errors, ...]:
    """The judge's verdicts by label, criterion by criterion, with the declared clusters."""
    parts: dict[str | None, Units] = {None: units}
    if criteria := units.by.get("criterion"):
        parts = {name: units.only("criterion", name) for name in criteria.labels}
    return tuple(
        _errors(name, sample_of(part, judge), units.task.calibration)
        for name, part in parts.items()
    )


def _errors(criterion: str | None, sample: Sample, design: str | None) -> Errors:
    cells = tuple(
        (int(n), tuple(tuple(float(x) for x in row) for row in cell[0]))
        for n, cell in zip(sample.multiplicity, sample.cells, strict=True)
        if cell.any()
    )
    return Errors(
        criterion,
        sample.options,
        sample.verdicts,
        design,
        sample.n_items,
        sample.independent,
        cells,
        _untold(sample, design),
    )


def _untold(sample: Sample, design: str | None) -> str | None:
    """Why the labels do not tell how often the judge errs on a label; None where they do."""
    if sample.n_labelled <= 0:
        return "no item has both a label and a verdict"
    if sample.test.sum() <= 0:
        return None  # all is labelled: nothing was drawn
    if design is None:
        return "how the labelled items were drawn is not declared (calibration)"
    if not DESIGNS[design].tells_errors:
        return (
            "labels drawn by verdict tell how often a verdict is right, not how often the judge "
            "errs on a label"
        )
    return None
