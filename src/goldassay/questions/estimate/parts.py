"""Gathered about parts of the pool: the systems' leaderboard, and error rates by stratum."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.formulas.rates import stratified
from goldassay.questions.estimate.binary import NAMES, SHIFT_LEVEL
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.design import POINTS
from goldassay.questions.estimate.linear import Functional
from goldassay.questions.estimate.strata import homogeneity, rogan_gladen_by, stratified_by
from goldassay.questions.estimate.systems import Board, leaderboard, rank_ranges
from goldassay.results import Estimate, Gathered, Interval, Table, Undefined

__all__ = ["add_strata", "add_systems"]

Array = NDArray[np.float64]

#: Labels in every verdict (or true label) of every system for it to be corrected by its own.
OWN_LABELS = 5


def percent(value: float) -> str:
    """A share in words: 22 %, 0.4 %, 99.6 %."""
    if 0 < value < 0.01:
        return f"{100 * value:.2g} %"
    return f"{100 * value:.3g} %" if 0.99 < value < 1 else f"{100 * value:.0f} %"


# --- systems ----------------------------------------------------------------------------------


def add_systems(
    findings: Gathered,
    units: Units,
    judge: str,
    estimator: str,
    *,
    about: dict[str, str | None],
    labels: str | None,
    confidence_level: float,
) -> None:
    """The corrected rate of each system, the differences, and both rankings."""
    sample = sample_of(units, judge, by=("system",))
    # Labelled items of no system, or of one that is not in the test, only lend their labels.
    total = sample.total
    items = total[:, -1].sum(-1) if sample.apart else total.sum((-1, -2))
    listed = [g for g, name in enumerate(sample.groups) if name and items[g] > 0]
    if len(listed) < 2 or sample.n_labelled <= 0:
        return
    shared = labels == "shared" or (labels is None and not _own_labels(total[listed], estimator))
    board = leaderboard(
        sample, estimator, listed=listed, shared=shared, confidence_level=confidence_level
    )
    method = f"{NAMES[estimator]}, {'labels of all systems' if shared else 'own labels'}"
    assumption = (
        "the judge errs alike on every system: labels of all systems are used for each"
        if shared
        else "each system is corrected with its own labels"
    )
    for index, system in enumerate(board.systems):
        value, items = float(board.value[index]), round(board.n_items[index])
        if math.isnan(value):
            reason = "the judge carries no information here, or a label is missing"
            findings.add(
                Undefined("prevalence", reason, items),
                **{**about, "system": system, "detail": "yes"},
            )
            continue
        ends = Interval(float(board.low[index]), float(board.high[index]), confidence_level, method)
        estimate = Estimate(
            "prevalence",
            value,
            ends,
            items,
            sample.n_clusters,
            declared={"estimator": estimator, "labelled": float(board.n_labelled[index])},
            assumptions=(assumption,),
        )
        findings.add(estimate, **{**about, "system": system, "detail": "yes"})
    for one in board.differences:
        ends = Interval(one.low, one.high, confidence_level, f"{method}, MOVER with covariance")
        estimate = Estimate(
            "prevalence_difference",
            one.value,
            ends,
            sample.n_items,
            sample.n_clusters,
            assumptions=(assumption,),
        )
        findings.add(
            estimate, **{**about, "system": one.first, "opponent": one.second, "detail": "yes"}
        )
    _board_words(findings, board, judge, about, assumption)
    label = " · ".join(str(v) for v in (judge, about.get("criterion")) if v)
    findings.tables[f"differences {label}"] = Table(
        f"Differences between systems ({label})",
        ("first", "second", "judge's difference", "corrected", "low", "high"),
        tuple((d.first, d.second, d.naive, d.value, d.low, d.high) for d in board.differences),
        ("Labels and items that systems share are accounted for.",),
    )


def _own_labels(total: Array, estimator: str) -> bool:
    calibration = total[:, :-1]
    by_class = calibration.sum(-1) if estimator == "rogan_gladen" else calibration.sum(-2)
    seen = by_class.sum(0) > 0
    return bool((by_class[:, seen] >= OWN_LABELS).all())


def _board_words(
    findings: Gathered, board: Board, judge: str, about: dict[str, str | None], assumption: str
) -> None:
    naive_rank = _ranks(board.naive)
    true_rank = _ranks(board.value)
    ranges = rank_ranges(board)
    rows = []
    order = np.argsort(-np.nan_to_num(board.value, nan=-1.0), kind="stable")
    for index in order:
        span = ranges[index]
        rows.append(
            (
                board.systems[index],
                float(board.naive[index]),
                naive_rank[index],
                None if np.isnan(board.value[index]) else float(board.value[index]),
                float(board.low[index]),
                float(board.high[index]),
                true_rank[index],
                None if span is None else "-".join(str(end) for end in sorted(set(span))),
                round(board.n_labelled[index]),
            )
        )
    label = " · ".join(str(v) for v in (judge, about.get("criterion")) if v)
    findings.tables[f"systems {label}"] = Table(
        f"Systems by their corrected rate ({label})",
        (
            "system",
            "judge's rate",
            "its rank",
            "corrected",
            "low",
            "high",
            "rank",
            "rank range",
            "labels",
        ),
        tuple(rows),
        (
            assumption.capitalize() + ".",
            "Rank range: the ranks that the differences' intervals leave open.",
        ),
    )
    findings.charts.append(
        {
            "kind": "dot_interval",
            "title": f"Corrected rate of each system ({label})",
            "x_label": "rate",
            "rows": [
                {"label": r[0], "value": r[3], "low": r[4], "high": r[5]}
                for r in rows
                if r[3] is not None
            ],
            "references": [],
            "alt": "Corrected rates of the systems with intervals, highest first: "
            + ", ".join(f"{r[0]} {r[3]:.2f}" for r in rows if r[3] is not None),
        }
    )
    moved = [
        f"{board.systems[i]} from {naive_rank[i]} to {true_rank[i]}"
        for i in order
        if true_rank[i] is not None and naive_rank[i] != true_rank[i]
    ]
    turned = [
        one for one in board.differences if (one.low > 0 > one.naive) or (one.high < 0 < one.naive)
    ]
    if moved:
        findings.answer.append(
            f"Correcting {judge} changes the ranking of systems: {'; '.join(moved)}."
        )
    else:
        findings.answer.append(f"Correcting {judge} leaves the ranking of systems as it was.")
    for one in turned:
        findings.warnings.append(
            f"{judge} ranks {one.first} and {one.second} the wrong way round: by the judge "
            f"{one.naive:+.3f}, corrected {one.value:+.3f} ({one.low:+.3f} to {one.high:+.3f})."
        )


def _ranks(values: Array) -> list[int | None]:
    return [None if np.isnan(v) else int((values > v).sum()) + 1 for v in values]


# --- strata -----------------------------------------------------------------------------------


def _whole(by_label: bool) -> Functional:
    """The rate over all strata without borrowing, from cells [..., G, 3, V]."""

    def values(cells: Array) -> Array:
        test, calibration = cells[..., -1, :], cells[..., :-1, :]
        if by_label:
            total = cells.sum(-3)
            return POINTS["rogan_gladen"](total[..., -1, :], total[..., :-1, :])
        labelled = calibration.sum(-2)
        flat = [
            part.reshape(*part.shape[:-2], -1)
            for part in (test + labelled, calibration[..., 1, :], labelled)
        ]
        return stratified(flat[0], flat[1], flat[2])

    return values


def add_strata(
    findings: Gathered,
    units: Units,
    judge: str,
    estimator: str,
    strata: Sequence[str],
    *,
    about: dict[str, str | None],
    confidence_level: float,
) -> None:
    """Rates corrected within strata, put together, and whether strata are needed."""
    sample = sample_of(units, judge, by=tuple(strata))
    name = " x ".join(strata)
    if len(sample.groups) < 2 or sample.n_labelled <= 0:
        findings.warnings.append(f"{name} has one value among the judged items: no strata to tell.")
        return
    total = sample.total
    calibration, test = total[:, :-1], total[:, -1]
    parts: list[tuple[float, float | None, float | None]]
    by_label = estimator == "rogan_gladen" and len(sample.verdicts) == 2
    labelled = calibration.sum(-2)
    inflation = sample.inflation(_whole(by_label), confidence_level=confidence_level)
    inflation = 1.0 if math.isnan(inflation) else inflation
    if by_label:
        verdict = homogeneity(calibration[..., 1], calibration.sum(-1))
        value, whole, low, high = rogan_gladen_by(
            test, calibration, confidence_level=confidence_level, inflation=inflation
        )
        parts = [(float(v), None, None) for v in np.clip(value, 0, 1)]
        method = "Rogan-Gladen within strata, error rates partially pooled"
    else:
        verdict = homogeneity(calibration[:, 1], labelled)
        found = stratified_by(
            test + labelled,
            calibration[:, 1],
            labelled,
            confidence_level=confidence_level,
            inflation=inflation,
        )
        whole, low, high = found.whole
        parts = [
            (float(v), float(a), float(b))
            for v, a, b in zip(found.value, found.low, found.high, strict=True)
        ]
        method = "stratified by verdict and stratum, partially pooled"
    result: Estimate | Undefined
    if math.isnan(whole):
        result = Undefined(
            "prevalence_by_strata",
            "in some stratum the judge carries no information",
            sample.n_items,
        )
    else:
        value_ = min(max(whole, 0.0), 1.0)
        result = Estimate(
            "prevalence_by_strata",
            value_,
            Interval(min(low, value_), max(high, value_), confidence_level, method),
            sample.n_items,
            sample.n_clusters,
            declared={"strata": list(strata)},
            assumptions=("error rates are the same within a stratum only",),
        )
    findings.add(result, **about)
    label = " · ".join(str(v) for v in (judge, about.get("criterion")) if v)
    pool = test + labelled
    rows = [
        (
            group,
            round(pool[g].sum()),
            round(labelled[g].sum()),
            float(pool[g, 1] / max(pool[g].sum(), 1e-300)),
            None if math.isnan(parts[g][0]) else parts[g][0],
            parts[g][1],
            parts[g][2],
        )
        for g, group in enumerate(sample.groups)
    ]
    findings.tables[f"strata {label}"] = Table(
        f"Rates by {name} ({label})",
        (name, "items", "labels", "judge's rate", "corrected", "low", "high"),
        tuple(rows),
        ("Thin strata borrow labels from the others as far as the strata are alike.",),
    )
    if verdict is None:
        findings.answer.append(f"Too few labels to tell whether {judge}'s errors differ by {name}.")
        return
    differ = verdict.p_value < SHIFT_LEVEL
    seen = f"p = {verdict.p_value:.2g}, {verdict.method}"
    findings.answer.append(
        f"{judge}'s error rates differ by {name} ({seen}): use the rate corrected within strata."
        if differ
        else f"There is no sign that {judge}'s error rates differ by {name} ({seen})."
    )
