"""The question as a whole: ratings counted, every judge corrected, and the answer in words."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.counts import Units
from goldassay.errors import UsageError, nearest
from goldassay.questions.estimate import binary
from goldassay.questions.estimate.classes import add_classes
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.parts import add_strata, add_systems, percent
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate, Gathered, Table, Undefined

__all__ = ["estimate"]


def estimate(
    units: Units,
    *,
    judges: Sequence[str] = (),
    strata: Sequence[str] = (),
    labels: str | None = None,
    draws: int = 4_000,
    seed: int = 1,
) -> Gathered:
    """The true rate behind each judge's rate, by criterion, system and stratum.

    `strata` are columns within which error rates may differ; `labels` says whether a system is
    corrected with its "own" labels or with those of all systems ("shared"), by default with its own
    where there are enough. `draws` and `seed` serve the intervals of more than two classes.
    """
    known = units.judge_names
    if not known:
        raise UsageError(
            "the table of ratings",
            "has no judge's verdict to correct",
            next_step='The judge\'s rows have kind = "judge"',
        )
    for judge in judges:
        if judge not in known:
            near = nearest(judge, known)
            raise UsageError(
                f"the judge {judge!r}",
                f"is not in the table; its judges are {', '.join(known)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    for column in strata:
        if column not in units.by:
            raise UsageError(
                f"the stratum {column!r}",
                "is not a column that was counted",
                next_step=f"The columns are: {', '.join(units.by) or 'none'}",
            )
    findings = Gathered()
    if units.task.calibration is None:
        findings.warnings.append(
            "How the labelled items were drawn is not declared, and it decides which estimator is "
            "right. Declare calibration = random, by_verdict, by_label or separate; the headline "
            "is the estimator that holds under most of them."
        )
    criteria = units.by["criterion"].labels if "criterion" in units.by else ()
    for criterion in criteria or (None,):
        part = units if criterion is None else units.only("criterion", criterion)
        for judge in judges or known:
            about: dict[str, str | None] = {"judge": judge, "criterion": criterion}
            if len(units.options) > 2:
                add_classes(findings, part, judge, about=about, draws=draws, seed=seed)
            else:
                _add_binary(findings, part, judge, about, strata, labels, draws, seed)
    return findings


def _add_binary(
    findings: Gathered,
    units: Units,
    judge: str,
    about: dict[str, str | None],
    strata: Sequence[str],
    labels: str | None,
    draws: int,
    seed: int,
) -> None:
    task, level = units.task, units.task.confidence_level
    sample = sample_of(units, judge)
    systems = "system" in units.by and len([s for s in units.by["system"].labels if s]) > 1
    if sample.n_items == 0:
        findings.add(Undefined("prevalence", "no item has a verdict that counts", 0), **about)
        return
    design = task.calibration
    verdicts = binary.every_estimator(
        sample, design, confidence_level=level, draws=draws, seed=seed
    )
    headline = verdicts[0]
    main = binary.corrected(
        headline.estimator,
        sample,
        design,
        confidence_level=level,
        draws=draws,
        seed=seed,
        name="prevalence",
    )
    findings.add(main, **about)
    for verdict in verdicts[1:]:
        findings.add(verdict.result, **about)
    if design != "by_verdict" and len(sample.verdicts) == 2:
        for result in binary.error_rates(sample, confidence_level=level):
            findings.add(result, **about)
    bounds = binary.missing_bounds(sample, main, confidence_level=level)
    if bounds is not None:
        findings.add(bounds, **about)
    findings.answer.append(
        _sentence(judge, about.get("criterion"), sample, main, headline.estimator)
    )
    _add_trust(findings, judge, about, verdicts, main, design)
    _add_notes(findings, judge, sample, main, bounds, design)
    if strata:
        add_strata(
            findings, units, judge, headline.estimator, strata, about=about, confidence_level=level
        )
    if systems:
        add_systems(
            findings,
            units,
            judge,
            headline.estimator,
            about=about,
            labels=labels,
            confidence_level=level,
        )


def _sentence(
    judge: str, criterion: str | None, sample: Sample, main: Estimate | Undefined, estimator: str
) -> str:
    pool = sample.test + sample.calibration.sum(-2)
    where = f" on {criterion}" if criterion else ""
    called = f"{judge}{where} calls {percent(float(pool[1] / pool.sum()))} {sample.options[1]}"
    if isinstance(main, Undefined):
        return f"{called}; the true rate cannot be told: {main.reason}."
    assert main.interval is not None
    low, high = main.interval.low, main.interval.high
    labels = f"{sample.n_labelled:.0f} label" + ("" if sample.n_labelled == 1 else "s")
    return (
        f"{called}; the true rate is likely {percent(low)} to {percent(high)} (best estimate "
        f"{percent(main.value)}, {binary.NAMES[estimator]}, {labels})."
    )


def _add_trust(
    findings: Gathered,
    judge: str,
    about: dict[str, str | None],
    verdicts: Sequence[binary.Verdict],
    main: Estimate | Undefined,
    design: str | None,
) -> None:
    label = " · ".join(str(v) for v in (judge, about.get("criterion")) if v)
    words = {True: "yes", False: "no", None: "not declared"}
    rows = []
    chart = []
    for place, verdict in enumerate(verdicts):
        result = main if place == 0 else verdict.result
        name = binary.NAMES[verdict.estimator] + (" (headline)" if place == 0 else "")
        length = None
        if isinstance(result, Estimate) and result.interval is not None:
            length = result.interval.length
            chart.append(
                {
                    "label": name,
                    "value": result.value,
                    "low": result.interval.low,
                    "high": result.interval.high,
                    "group": "holds here" if verdict.holds else "needs more than was declared",
                }
            )
        rows.append((name, length, words[verdict.holds], binary.NEEDS[verdict.estimator]))
    declared = design or "not declared"
    findings.tables[f"estimators {label}"] = Table(
        f"Which estimator to trust ({label}; labels drawn: {declared})",
        ("estimator", "length", "holds here", "needs"),
        tuple(rows),
    )
    findings.charts.append(
        {
            "kind": "dot_interval",
            "title": f"The rate by every estimator ({label})",
            "x_label": "rate",
            "rows": chart,
            "references": [],
            "alt": "Estimates of the true rate with intervals: "
            + ", ".join(f"{row['label']} {row['value']:.3f}" for row in chart),
        }
    )


def _add_notes(
    findings: Gathered,
    judge: str,
    sample: Sample,
    main: Estimate | Undefined,
    bounds: Estimate | Undefined | None,
    design: str | None,
) -> None:
    """Warnings and sentences that go with a headline."""
    if isinstance(main, Estimate):
        findings.warnings.extend(f"{judge}: {warning}." for warning in main.warnings)
    if isinstance(bounds, Estimate) and bounds.interval is not None:
        missing = ", ".join(f"{n:g} {why}" for why, n in sample.without_verdict.items())
        findings.answer.append(
            f"{judge} gives no verdict on some items ({missing}); whatever these are, the rate "
            f"over all items lies between {percent(bounds.interval.low)} and "
            f"{percent(bounds.interval.high)}."
        )
        labelled = float(sample.labels_without_verdict.sum())
        if labelled > 0:
            positive = float(sample.labels_without_verdict[1])
            findings.answer.append(
                f"Of these, people labelled {labelled:g}, {positive:g} of them "
                f"{sample.options[1]}; declared as a class of their own, they would be used."
            )
    shifted = binary.shift(sample, design)
    if shifted is not None and shifted.p_value < binary.SHIFT_LEVEL:
        broken = ", ".join(binary.NAMES[name] for name in shifted.breaks)
        findings.warnings.append(
            f"{judge} calls {percent(shifted.calibration_rate)} of the labelled items positive and "
            f"{percent(shifted.test_rate)} of the test items (p = {shifted.p_value:.2g}): the "
            f"labelled items are not like the test items. This breaks {broken}. Rogan-Gladen holds "
            "if only the true rates differ and the judge errs alike."
        )
    labelled = float(sample.test_labels.sum())
    if labelled > 0 and sample.apart:
        rate = float(sample.test_labels[1] / labelled)
        findings.answer.append(
            f"People labelled {labelled:g} test items too; {percent(rate)} of these are "
            f"{sample.options[1]}. These labels are not used here (their split is test)."
        )
