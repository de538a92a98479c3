"""An audit in pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from goldassay.charts import Chart, Dot, DotInterval, HeatMap, Line, Reference, Series
from goldassay.glossary import is_rate
from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.sensitivity import Hidden, Prevalence, Sweep
from goldassay.questions.audit.study import AuditStudy, RankConsistency, RatersNeeded
from goldassay.questions.audit.unsaid_words import definition_words
from goldassay.results import Estimate
from goldassay.words import listed, percent

__all__ = ["charts"]

ACCEPT = "how often raters accept more than they chose"


def charts(study: AuditStudy) -> tuple[Chart, ...]:
    """All pictures, that of the decisions first."""
    return tuple(_charts(study))


def _charts(study: AuditStudy) -> Iterator[Chart]:
    dots = sorted(_dots(study.compared, study.judges), key=lambda dot: -(dot.value or 0.0))
    if dots:
        yield DotInterval(
            title="Decision consistency with people",
            x_label="share of items decided alike",
            rows=dots,
            rate=True,
            alt="Share of items on which each judge decides as people do, with intervals.",
        )
    if study.rank_consistency is not None and not study.rank_consistency.same_order:
        yield _orders(study.rank_consistency)
    if study.hidden is not None:
        yield from _hidden(study.hidden, study.judges)
    if study.raters is not None:
        yield _raters(study.raters)


def _dots(compared: Sequence[Performance], judges: Sequence[str]) -> list[Dot]:
    return [
        Dot(
            judge,
            result.value,
            result.interval.low if result.interval else None,
            result.interval.high if result.interval else None,
            group=one.definition.aggregation,
        )
        for one in compared
        if one.definition.name == "decision_consistency"
        for judge, result in zip(judges, one.results, strict=True)
        if isinstance(result, Estimate)
    ]


def _orders(found: RankConsistency) -> HeatMap:
    labels = [one.label for one in found.definitions]
    return HeatMap(
        title="Share of pairs of judges ordered differently",
        x_label="",
        y_label="",
        x_labels=labels,
        y_labels=labels,
        values=found.orders.discordance.tolist(),
        format=".0%",
        alt="For each pair of definitions, the share of pairs of judges they order differently.",
    )


def _hidden(hidden: Hidden, judges: Sequence[str]) -> Iterator[Line]:
    for found in hidden.sweeps:
        yield _by_beta(found, judges)
    if hidden.prevalence is not None:
        yield _prevalence(hidden.prevalence)


def _by_beta(found: Sweep, judges: Sequence[str]) -> Line:
    """Figure 7 as lines: the downstream measure of each judge as beta grows."""
    name = found.target.name.replace("_", " ").capitalize()
    reached, rate = found.values[:, -1], is_rate(found.target.name)
    return Line(
        title=f"{name} as raters accept more than they chose",
        x_label=ACCEPT,
        y_label=definition_words(found.target),
        series=[
            Series(judges[j], list(map(float, found.steps)), reached[:, j].tolist())
            for j in np.argsort(-reached[0] if rate else np.abs(reached[0]), kind="stable")
            if np.isfinite(reached[:, j]).all()
        ],
        rates="xy" if rate else "x",
        references=() if rate else (Reference(0.0, "no bias", axis="y"),),
        alt=f"{name} of each judge against people as they accept more.",
    )


def _prevalence(found: Prevalence) -> Line:
    return Line(
        title=f"Prevalence of {_options(found)} as raters accept more than they chose",
        x_label=ACCEPT,
        y_label="share of items",
        rates="xy",
        series=[
            Series(
                f"threshold {percent(tau)}",
                list(map(float, found.betas)),
                found.values[:, t].tolist(),
            )
            for t, tau in enumerate(found.thresholds)
        ],
        alt=f"How the share of items counted as {_options(found)} grows with what raters accept.",
    )


def _options(found: Prevalence) -> str:
    return listed(found.options, "or")


def _raters(found: RatersNeeded) -> Line:
    series = Series("people", list(map(float, found.numbers)), found.consistency.tolist())
    return Line(
        title="How many ratings an item needs",
        x_label="ratings per item",
        y_label="same decision as the whole population",
        series=[series],
        rates="y",
        references=[Reference(found.here, "here", axis="x")],
        alt="Share of items decided as the whole population would, by ratings per item.",
    )
