"""The plan in sentences, and the warnings: pure functions of a study."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from goldassay.questions.plan.comparison import Comparison
from goldassay.questions.plan.costs import FREE_VERDICTS, Plan
from goldassay.questions.plan.designs import BY_LABEL, BY_VERDICT, PEOPLE
from goldassay.questions.plan.pool import Pool
from goldassay.questions.plan.study import Chosen, NextItems, PlanStudy, PoolPlan, Step, ToldApart
from goldassay.results import Sentence

__all__ = ["sentences", "warnings"]

#: More strata than this are not told one by one.
FEW_STRATA = 4


def sentences(study: PlanStudy) -> tuple[Sentence, ...]:
    """How many labels and where; what that costs; what comes next."""
    compared = study.comparison
    return (
        *(_pool(study.pool, compared) if study.pool is not None else _rates(compared)),
        *_costs(compared),
        *((_following(study.following),) if study.following is not None else ()),
        *((_told_apart(study.against),) if study.against is not None else ()),
    )


def warnings(study: PlanStudy) -> tuple[str, ...]:
    """What to beware of."""
    return tuple(_beware(study))


def _beware(study: PlanStudy) -> Iterator[str]:
    if study.pool is None:
        if study.comparison.rates.youden_j <= 0:
            yield (
                "Sensitivity + specificity is 1 or less: this judge carries no information here, "
                "and its rate cannot be corrected."
            )
        return
    if not study.pool.labelled:
        yield (
            "No item is labelled yet: half of each verdict's items are taken as positive, which "
            "asks for the most labels. Label a pilot (--next 20) and plan again."
        )
    if study.pool.design in ("separate", "by_label"):
        yield (
            f'The task declares calibration = "{study.pool.design}". These numbers are for labels '
            'drawn from the judged pool, by verdict (calibration = "by_verdict").'
        )


# --- from ratings -----------------------------------------------------------------------------


def _pool(plan: PoolPlan, compared: Comparison) -> Iterator[Sentence]:
    judge, level = plan.chosen.judge, compared.confidence_level
    about = {"judge": judge}
    if plan.now is not None:
        yield Sentence(
            "plan.length_now",
            f"With the {plan.labelled:,} labels so far, the {level:.0%} interval of the true rate "
            f"behind {judge} is about {plan.now:.3f} long.",
            about,
            {"value": plan.now, "labelled": plan.labelled, "confidence_level": level},
        )
    yield _needed(plan, compared.goal.length)
    if plan.after is not None:
        labels = compared.goal.labels
        yield Sentence(
            "plan.length_after",
            f"{labels:,} more labels make it about {plan.after.length:.3f} long"
            f"{_falls(plan.pool, plan.after)}.",
            about,
            {"value": plan.after.length, "labels": labels, **_step(plan.pool, plan.after)},
        )
    if not plan.chosen.given:
        yield _chosen(plan.chosen)


def _needed(plan: PoolPlan, length: float) -> Sentence:
    facts: dict[str, Any] = {"length": length, "value": None, "n_items": plan.items}
    if plan.reach is None:
        text = (
            f"{length:g} is out of reach: with all {plan.items:,} judged items labelled the "
            f"interval would still be {plan.least:.3f} long. Judge and label more items."
        )
        facts["least"] = plan.least
    else:
        facts |= {"value": plan.reach.labels, **_step(plan.pool, plan.reach)}
        text = (
            f"{plan.reach.labels:,} more labels bring it to {length:g}"
            f"{_falls(plan.pool, plan.reach)}."
            if plan.reach.labels
            else f"That is within the {length:g} asked for: no more labels are needed."
        )
    return Sentence("plan.labels_needed", text, {"judge": plan.chosen.judge}, facts)


def _step(pool: Pool, step: Step) -> dict[str, Any]:
    strata = zip(pool.names, step.falls.tolist(), strict=True)
    return {"strata": [[name, count] for name, count in strata]}


def _falls(pool: Pool, step: Step) -> str:
    parts = [
        f"{int(count):,} on items called {name}"
        for name, count in zip(pool.names, step.falls, strict=True)
        if count
    ]
    if len(parts) > FEW_STRATA:
        return f": spread over {len(parts)} strata as the table says"
    return f": {', '.join(parts)}" if parts else ""


def _chosen(chosen: Chosen) -> Sentence:
    known = chosen.balanced_accuracy is not None
    text = (
        f"Planned for {chosen.judge}, the judge that agrees best so far."
        if known
        else f"Planned for {chosen.judge}, the first of {chosen.of} judges: no label tells yet "
        "which agrees best."
    )
    facts = {"name": "balanced_accuracy", "value": chosen.balanced_accuracy, "judges": chosen.of}
    return Sentence("plan.judge", text, {"judge": chosen.judge}, facts)


def _following(items: NextItems) -> Sentence:
    listed = len(items.units)
    short = "" if listed == items.asked else " (there are no more)"
    return Sentence(
        "plan.next",
        f"{listed:,} items to label next are listed{short}. Label all of them, then declare "
        'calibration = "by_verdict".',
        facts={"listed": listed, "asked": items.asked},
    )


# --- from rates -------------------------------------------------------------------------------


def _rates(compared: Comparison) -> Iterator[Sentence]:
    length, plans = compared.goal.length, compared.plans
    if not plans:
        text = f"No design reaches a length of {length:g} with these items."
        yield Sentence("plan.design", text, facts={"length": length, "design": None})
    else:
        yield _best(plans[0], compared)
        people = next((plan for plan in plans if plan.design is PEOPLE), None)
        if people is not None:
            worth = plans[0] is not people
            yield Sentence(
                "plan.people",
                f"People alone would need {people.labels:,} labels."
                if worth
                else "The judge does not pay for itself here.",
                facts={"labels": people.labels, "cost": people.cost, "judge_pays": worth},
            )
    if compared.budget is not None:
        design, at = compared.budget.shortest
        labels = compared.budget.labels
        yield Sentence(
            "plan.budget",
            f"With {labels:,} labels the shortest interval is {at:.3f} long ({design.words}).",
            facts={"labels": labels, "value": at, "design": design.name},
        )


def _best(plan: Plan, compared: Comparison) -> Sentence:
    length, level = compared.goal.length, compared.confidence_level
    return Sentence(
        "plan.design",
        f"For a {level:.0%} interval no longer than {length:g}, {plan.design.words}: "
        f"{plan.labels:,} labels{_shares(plan)}{_items(plan, compared.items)}"
        f"{_price(plan, compared)}.",
        facts={
            "length": length,
            "confidence_level": level,
            "design": plan.design.name,
            "labels": plan.labels,
            "negatives": plan.shares[0] if plan.shares else None,
            "positives": plan.shares[1] if plan.shares else None,
            "items": plan.items if math.isfinite(plan.items) else None,
            "cost": plan.cost,
        },
    )


def _shares(plan: Plan) -> str:
    kind = plan.design.shared_by
    if plan.shares is None or kind is None:
        return ""
    return f" ({plan.shares[0]:,} on items {kind} negative, {plan.shares[1]:,} {kind} positive)"


def _items(plan: Plan, judged: float) -> str:
    if plan.design is PEOPLE or math.isfinite(judged):
        return ""
    if math.isinf(plan.items):
        return " and as many verdicts as you can get"
    return f" and {int(plan.items):,} judged items"


def _price(plan: Plan, compared: Comparison) -> str:
    return "" if compared.goal.costs == FREE_VERDICTS else f", for {plan.cost:,.2f}"


def _told_apart(told: ToldApart) -> Sentence:
    text = (
        "No number of items would tell these two judges apart by balanced accuracy."
        if told.items is None
        else f"{told.items:,} labelled items would tell the two judges apart by balanced accuracy "
        f"(power {100 * told.power:.0f} %, errors taken as independent)."
    )
    return Sentence("plan.told_apart", text, facts={"items": told.items, "power": told.power})


# --- from both --------------------------------------------------------------------------------


def _costs(compared: Comparison) -> Iterator[Sentence]:
    ratios, free = compared.ratios, compared.goal.costs.verdict == 0
    corrected, by_verdict = ratios.here[BY_LABEL.name], ratios.here[BY_VERDICT.name]
    way = "correcting the rate with a separate set"
    yield Sentence(
        "plan.costs",
        f"{'With verdicts free' if free else 'At these prices'}, labels drawn by verdict cost "
        f"{by_verdict:.2f} times what people alone cost for the same precision; "
        + (
            f"{way} cannot reach it." if math.isinf(corrected) else f"{way}, {corrected:.2f} times."
        ),
        facts={name: at if math.isfinite(at) else None for name, at in ratios.here.items()},
    )
    if ratios.region is not None:
        low, high = ratios.region
        yield Sentence(
            "plan.region",
            f"A judge with sensitivity and specificity {ratios.accuracy:.2f} beats people by "
            f"correction at true rates from {low:.2f} to {high:.2f}.",
            facts={"accuracy": ratios.accuracy, "low": low, "high": high},
        )
