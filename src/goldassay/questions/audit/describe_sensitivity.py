"""What forced choices may hide, in words, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.counts import ElicitationPairs
from goldassay.formulas.distributions import Definition
from goldassay.inference.bootstrap import multiplicities
from goldassay.questions.audit.describe import words
from goldassay.questions.audit.sensitivity import (
    Family,
    Sweep,
    implied_beta,
    prevalence_by_beta,
    runs,
    sweep,
)
from goldassay.questions.audit.study import Study
from goldassay.results import Gathered, Table

__all__ = ["sensitivity"]

THRESHOLDS = (0.3, 0.5, 0.7)


def sensitivity(
    findings: Gathered,
    study: Study,
    definitions: Sequence[Definition],
    targets: Sequence[Definition],
    option: int,
    family: Family,
    *,
    betas: Sequence[float],
    thresholds: Sequence[float],
    pairs: ElicitationPairs | None,
    resamples: int,
    rng: np.random.Generator,
) -> None:
    """Selections, costs and prevalence as beta grows; nothing where nothing can be hidden.

    The first of the downstream `targets` is the goal's: the sentences are about it.
    """
    if not family.may_hide or not any(len(one) > 1 for one in study.counted.sets):
        return
    _implied(findings, study, family, pairs)
    if not study.forced_asked or study.human_sets == "observed":
        return
    ones = np.ones(study.counted.n_clusters, np.int64)
    weights = np.concatenate(list(multiplicities(ones, resamples, rng)))
    selecting = [one for one in definitions if not one.declared and one.better != "zero"]
    for target in targets:
        found = sweep(
            study.human.forced,
            study.judge,
            selecting,
            target,
            family=family,
            betas=betas,
            weights=weights,
            cluster=study.counted.cluster,
        )
        if len(study.counted.judges) > 1 and (found.winner >= 0).all():
            _selections(findings, study, found, target, family)
            if target is targets[0]:
                _sentences(findings, study, found, target, family)
        _picture(findings, study, found, target)
    shares = THRESHOLDS if len(thresholds) == 1 else tuple(thresholds)
    _prevalence(findings, study, option, family, betas, shares, thresholds[0])


def _picture(findings: Gathered, study: Study, found: Sweep, target: Definition) -> None:
    """Figure 7 as lines: the downstream measure of each judge as beta grows."""
    name = target.name.replace("_", " ").capitalize()
    findings.charts.append(
        {
            "kind": "line",
            "title": f"{name} as forced choices hide more",
            "x_label": "beta",
            "y_label": f"{name.lower()} ({target.aggregation})",
            "series": [
                {
                    "label": judge,
                    "x": list(map(float, found.betas)),
                    "y": [float(v) for v in found.values[:, -1, j]],
                }
                for j, judge in enumerate(study.counted.judges)
                if np.isfinite(found.values[:, -1, j]).all()
            ],
            "references": [],
            "alt": f"{name} of each judge against people as beta grows.",
        }
    )


def _selections(
    findings: Gathered, study: Study, found: Sweep, target: Definition, family: Family
) -> None:
    """Which judge each definition selects over which betas, and what that costs (tables 3, 4)."""
    names, betas = study.counted.judges, found.betas
    best = found.winner
    # A score is the measure itself, or minus the size of a bias.
    sign = 1 if target.better == "higher" else -1
    measure = target.name.split("_")[-1]
    rows: list[tuple[str | float | None, ...]] = []
    for first, last in runs(best):
        stays = min(found.stability[first : last + 1])
        rows.append(
            (
                "(the best)",
                _range(betas, first, last),
                names[best[first]],
                _span(sign * found.best[first : last + 1]),
                None,
                f"{stays:.0%}",
            )
        )
    for d, one in enumerate(found.definitions):
        for first, last in runs(found.selected[:, d]):
            judge = int(found.selected[first, d])
            if judge < 0:
                continue
            part = slice(first, last + 1)
            rows.append(
                (
                    one.label,
                    _range(betas, first, last),
                    names[judge],
                    _span(sign * found.reached[part, d]),
                    float(found.cost[part, d].max()),
                    None,
                )
            )
    findings.tables[f"sensitivity_{measure}"] = Table(
        f"The judge that each definition selects as forced choices hide more, and its {measure}",
        ("definition", "beta", "selects", measure, "cost at most", "in resamples"),
        tuple(rows),
        (
            f"beta: how often {family}. The {measure} is {target.label}, of the judge selected. "
            "Cost: "
            "how much worse than the best judge. In resamples: how often the best stays the best.",
        ),
    )


def _sentences(
    findings: Gathered, study: Study, found: Sweep, target: Definition, family: Family
) -> None:
    """Where the best judge changes, and what the worst selection costs."""
    names, betas = study.counted.judges, found.betas
    best, spans = found.winner, runs(found.winner)
    what = "best decision consistency" if target.better == "higher" else "least bias"
    if len(spans) == 1:
        findings.answer.append(
            f"{names[best[0]]} has the {what} whatever forced choices hide, up to beta = "
            f"{betas[-1]:g} ({family})."
        )
    else:
        parts = [f"{names[best[first]]} from beta = {betas[first]:g}" for first, _ in spans[1:]]
        findings.answer.append(
            f"The judge with the {what} depends on what forced choices hide ({family}): "
            f"{names[best[0]]} at beta = {betas[0]:g}, {', '.join(parts)}."
        )
    if np.isfinite(found.cost).any() and np.nanmax(found.cost) > 0.005:
        b, d = (int(i) for i in np.unravel_index(np.nanargmax(found.cost), found.cost.shape))
        findings.answer.append(
            f"Selecting by {words(found.definitions[d])} costs up to "
            f"{found.cost[b, d] * 100:.0f} points of {target.name.replace('_', ' ')} (at beta = "
            f"{betas[b]:g}, where it takes {names[found.selected[b, d]]})."
        )


def _prevalence(
    findings: Gathered,
    study: Study,
    option: int,
    family: Family,
    betas: Sequence[float],
    shares: Sequence[float],
    threshold: float,
) -> None:
    """Figure 8: people's prevalence by beta and threshold."""
    moved = prevalence_by_beta(
        study.human.forced, option=option, family=family, betas=betas, thresholds=shares
    )
    name = study.counted.options[option]
    findings.tables["prevalence"] = Table(
        f"People's prevalence of {name!r}, by what forced choices hide",
        ("beta", *(f"threshold {tau:g}" for tau in shares)),
        tuple((f"{beta:g}", *map(float, row)) for beta, row in zip(betas, moved, strict=True)),
        (f"Share of items of which at least the threshold finds {name!r} reasonable.",),
    )
    # In words at the threshold of the decisions, where it is among those shown.
    t = shares.index(threshold) if threshold in shares else 0
    if moved[-1, t] > moved[0, t]:
        findings.answer.append(
            f"What forced choices hide moves people's own prevalence of {name!r} (threshold "
            f"{shares[t]:g}): {moved[0, t]:.0%} of items at beta = {betas[0]:g}, "
            f"{moved[-1, t]:.0%} at beta = {betas[-1]:g}."
        )
    findings.charts.append(
        {
            "kind": "line",
            "title": f"Prevalence of {name} as forced choices hide more",
            "x_label": "beta",
            "y_label": "share of items",
            "series": [
                {
                    "label": f"threshold {tau:g}",
                    "x": list(map(float, betas)),
                    "y": [float(v) for v in moved[:, t]],
                }
                for t, tau in enumerate(shares)
            ],
            "references": [],
            "alt": f"How the share of items counted as {name} grows with beta, by threshold.",
        }
    )


def _implied(
    findings: Gathered, study: Study, family: Family, pairs: ElicitationPairs | None
) -> None:
    """The beta that raters who gave both kinds of rating imply."""
    if pairs is None or pairs.human.sum() + pairs.judge.sum() == 0:
        return
    from scipy.special import betaincinv

    tail = (1 - study.task.confidence_level) / 2
    rows = []
    for name, joint in (("people", pairs.human), *zip(pairs.judges, pairs.judge, strict=True)):
        hits, total = implied_beta(joint, family)
        if not total:
            continue
        # Clopper-Pearson: ratings of one item are not independent, so this is the least there is.
        low = betaincinv(hits, total - hits + 1, tail) if hits else 0.0
        high = betaincinv(hits + 1, total - hits, 1 - tail) if hits < total else 1.0
        rows.append((name, hits / total, f"{low:.2f} to {high:.2f}", total))
    if not rows:
        return
    findings.tables["implied_beta"] = Table(
        "What forced choices hid, where both kinds of rating were given",
        ("rater", "beta", "interval", "forced choices"),
        tuple(rows),
        (
            "Share of forced choices whose rater also finds a hidden option reasonable. The "
            "interval "
            "takes the choices for independent.",
        ),
    )
    told = ", ".join(f"{name} {beta:.2f}" for name, beta, _, _ in rows[:5])
    findings.answer.append(f"Where both kinds of rating were given, beta is: {told}.")


def _range(betas: Sequence[float], first: int, last: int) -> str:
    if first == 0 and last == len(betas) - 1:
        return "all"
    return f"{betas[first]:g}" if first == last else f"{betas[first]:g} to {betas[last]:g}"


def _span(values: np.ndarray) -> str:
    low, high = float(np.min(values)), float(np.max(values))
    return f"{low:.2f}" if high - low < 0.005 else f"{low:.2f} to {high:.2f}"
