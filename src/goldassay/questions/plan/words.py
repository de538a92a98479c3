"""The plan in sentences, and the warnings: pure functions of a study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from goldassay.inference.sequential import anytime_factor
from goldassay.questions.estimate.design import ERRS_ALIKE
from goldassay.questions.plan.comparison import Comparison
from goldassay.questions.plan.costs import FREE_VERDICTS, Plan
from goldassay.questions.plan.designs import BY_LABEL, BY_VERDICT, PEOPLE
from goldassay.questions.plan.pool import Pool
from goldassay.questions.plan.study import Chosen, NextItems, PlanStudy, PoolPlan, Step, ToldApart
from goldassay.results import Sentence
from goldassay.words import between, counted, decimal, listed, named, number, percent

__all__ = ["answer", "notes", "warnings"]

#: More strata than this are not told one by one.
FEW_STRATA = 4
#: Sentences of an answer.
MOST = 3


def answer(study: PlanStudy) -> tuple[Sentence, ...]:
    """How many labels and where; how sure that is; what comes next."""
    return tuple(_said(study))[:MOST]


def notes(study: PlanStudy) -> tuple[Sentence, ...]:
    """What else is worth a sentence: other ways to draw labels, and what they cost."""
    return (*tuple(_said(study))[MOST:], *_more(study))


def warnings(study: PlanStudy) -> tuple[str, ...]:
    """What to beware of."""
    return tuple(_beware(study))


def _said(study: PlanStudy) -> Iterator[Sentence]:
    """Sentences by merit."""
    compared = study.comparison
    if not study.pools:
        yield from _rates(compared)
    elif len(study.pools) == 1:
        yield _needed(study.pools[0], compared)
        yield from _now(study.pools[0], compared)
    else:
        yield from _criteria(study.pools, compared)
    if study.following is not None:
        yield _following(study.following, study.pools)
    if study.against is not None:
        yield _told_apart(study.against)
    if study.pools and not study.pools[0].chosen.given:
        yield _chosen(study.pools[0].chosen)
    for plan in study.pools:
        if plan.after is not None and math.isfinite(plan.after.length):
            yield _after(plan, compared)


def _more(study: PlanStudy) -> Iterator[Sentence]:
    if len(study.pools) > 1:
        for plan in study.pools:
            yield _needed(plan, study.comparison)
            yield from _now(plan, study.comparison)
    for plan in study.pools:
        other = plan.by_verdict
        # A way that takes as many labels is no advice.
        if other and other.labels and (not plan.reach or other.labels < plan.reach.labels):
            yield _by_verdict(plan, other)
    yield from _costs(study.comparison)
    for plan in study.pools:
        yield from _anytime(plan, study.comparison)


def _anytime(plan: PoolPlan, compared: Comparison) -> Iterator[Sentence]:
    """What it costs in labels to look as they come in, and to stop when it is enough."""
    if plan.reach is None or not plan.reach.labels:
        return
    fixed = plan.labelled + plan.reach.labels
    factor = anytime_factor(fixed, compared.confidence_level)
    facts = {"labels": fixed, "anytime_labels": round(factor * fixed), "factor": factor}
    text = (
        f"To look at {_who(plan)} as labels come in, and to stop when the interval is short "
        "enough, takes a band that holds at all moments (serve --anytime): about "
        f"{decimal(factor)} times "
        f"as many labels, {facts['anytime_labels']:,} in all in place of {fixed:,}"
    )
    if plan.way in ("random", "by_verdict") and facts["anytime_labels"] > plan.items:
        facts["items"] = plan.items
        text += f", more than the {counted(plan.items, plan.unit)} that there are"
    yield Sentence("plan.anytime", f"{text}.", plan.about, facts)


def _beware(study: PlanStudy) -> Iterator[str]:
    if not study.pools:
        if study.comparison.rates.youden_j <= 0:
            yield (
                "Sensitivity + specificity is 1 or less: this judge carries no information here, "
                "and its rate cannot be corrected."
            )
        return
    for plan in study.pools:
        if plan.unlike_others is not None:
            judge, shift = plan.unlike_others
            seen = shift.spread_said(named(judge), plan.unit, named(plan.pool.positive))
            on = f" on {named(plan.criterion)}" if plan.criterion else ""
            yield (
                f"The labels so far{on} are not a random draw, as declared: {seen}. What more "
                "labels give is forecast as if they were."
            )
    if not any(plan.labelled for plan in study.pools) and study.pools[0].pool.unsettled:
        yield (
            "People rated items and give none a label, being divided or having abstained: "
            'reference = "each" in the task keeps all of their ratings.'
        )
    elif not any(plan.labelled for plan in study.pools):
        yield (
            "No item is labelled yet: any share of each verdict's items may be positive, which "
            "asks for the most labels. Label a pilot (--next 20) and plan again."
        )


def _points(length: float) -> str:
    """A length of an interval of a rate, in percentage points."""
    said = percent(length).removesuffix(" %")
    return f"{said} point{'' if said == '1' else 's'}"


def _beyond(length: float, goal: float) -> str:
    """A length that is more than was asked for, with as many digits as show it.

    >>> _beyond(0.13, 0.1), _beyond(0.1004, 0.1), _beyond(0.100001, 0.1)
    ('13 points', '10.04 points', 'just over 10 points')
    """
    if _points(length) != _points(goal):
        return _points(length)
    for digits in (1, 2):
        if round(100 * length, digits) > 100 * goal:
            return f"{100 * length:.{digits}f} points"
    return f"just over {_points(goal)}"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


# --- from ratings -----------------------------------------------------------------------------


def _needed(plan: PoolPlan, compared: Comparison) -> Sentence:
    goal, level = compared.goal, compared.confidence_level
    facts: dict[str, Any] = {
        "length": goal.length,
        "assurance": goal.assurance,
        "confidence_level": level,
        "value": None,
        "n_items": plan.items,
        "drawn": plan.way,
        "unsettled": plan.pool.unsettled,
        "undecided": plan.pool.undecided,
    }
    interval = f"the {percent(level)} interval of the true rate behind {_who(plan)}"
    if plan.reach is None:
        text = _out_of_reach(plan, compared)
        if plan.everything is not None:
            facts |= {"most": plan.everything.labels, "least": _finite(plan.everything.length)}
    elif plan.reach.labels:
        facts |= {"value": plan.reach.labels, **_step(plan.pool, plan.reach)}
        text = (
            f"Label {counted(plan.reach.labels, f'more {plan.unit}')}{_how(plan, plan.reach)}"
            f"{_once_more(plan, plan.reach.labels)}: "
            f"with {percent(goal.assurance)} assurance {interval} is then at most "
            f"{_points(goal.length)} long."
        )
    else:
        assert plan.now is not None
        facts |= {"value": 0, "labelled": plan.labelled, "length_now": plan.now}
        text = (
            f"No more labels are needed: with the {plan.labelled:,} so far {interval} is "
            f"{_points(plan.now)} long, within the {_points(goal.length)} asked for."
        )
    return Sentence("plan.labels_needed", text, plan.about, facts)


def _who(plan: PoolPlan) -> str:
    judge = named(plan.chosen.judge)
    where = "" if plan.criterion is None else f" on {named(plan.criterion)}"
    return f"{judge}{where}{f' (if {ERRS_ALIKE})' if plan.errs_alike else ''}"


def _out_of_reach(plan: PoolPlan, compared: Comparison) -> str:
    length, everything = _points(compared.goal.length), plan.everything
    if everything is None:
        return (
            f"No number of labels can be told for {_who(plan)}: plan from labels drawn from the "
            f"judged {plan.unit}s, or label a pilot of the separate set first."
        )
    sure = percent(compared.goal.assurance)
    if plan.way in ("separate", "by_label"):
        return (
            f"No number of labels assures an interval of {length} for {_who(plan)}: correcting "
            f"with a separate set falls short of it. Judge more {plan.unit}s, or label some of the "
            f"judged {plan.unit}s by verdict."
        )
    if not everything.labels:
        on = f" on {named(plan.criterion)}" if plan.criterion else ""
        return (
            f"Every {plan.unit}{_decided([plan])}{on} is labelled, and the interval is longer than "
            f"{length}: judge and label more {plan.unit}s."
        )
    clustered = plan.n_clusters < plan.items
    if not math.isfinite(everything.length):
        return (
            f"No number of labels assures any interval for {_who(plan)}: "
            f"{counted(plan.n_clusters, 'cluster')} {'is' if plan.n_clusters == 1 else 'are'} too "
            f"few to say how clusters vary. Judge and label {plan.unit}s of more clusters."
        )
    return (
        f"No number of labels assures an interval of {length} for {_who(plan)}: with "
        f"{_all_left(everything.labels, plan.unit, plan.pool.unsettled)} it may still be "
        f"{_beyond(everything.length, compared.goal.length)} long ({sure} assurance). "
        + (
            "Enlarge the pilot or the pool"
            if plan.labelled
            else "Label a pilot, or enlarge the pool"
        )
        + (", with more clusters" if clustered else "")
        + (", or label by verdict." if plan.way == "random" else ".")
    )


def _decided(pools: Sequence[PoolPlan]) -> str:
    """Which items are meant, where the judge decides not all of them."""
    some = any(plan.pool.undecided for plan in pools)
    return f" that {named(pools[0].chosen.judge)} decides" if some else ""


def _now(plan: PoolPlan, compared: Comparison) -> Iterator[Sentence]:
    """The length so far, and the number that reaches the target as often as not."""
    if plan.now is None or (plan.reach is not None and not plan.reach.labels):
        return
    facts = {
        "name": "length_now",
        "value": plan.now,
        "labelled": plan.labelled,
        "confidence_level": compared.confidence_level,
        "labels_for_even_chance": plan.plain,
    }
    now = plan.now
    goal = compared.goal.length
    said = _beyond(now, goal) if now > goal else _points(now)
    text = f"With the {counted(plan.labelled, 'label')} so far it is {said} long"
    if plan.plain:
        text += f"; {plan.plain:,} more give an even chance of {_points(goal)}, no assurance"
    yield Sentence("plan.length_now", f"{text}.", plan.about, facts)


def _all_left(number: int, unit: str, unsettled: int) -> str:
    """Every item without a label; what people rated is not said to be left to them.

    >>> _all_left(1, "item", 0), _all_left(40, "output", 0)
    ('the 1 item that is left', 'all 40 outputs that are left')
    >>> _all_left(40, "item", 3)
    'labels for all 40 items without one (on 3 of them people were divided or abstained)'
    >>> _all_left(3, "item", 3)
    'labels for the 3 items on which people were divided or abstained'
    """
    if unsettled and unsettled >= number:
        some = counted(number, unit)
        return f"labels for the {some} on which people were divided or abstained"
    if unsettled:
        return (
            f"labels for all {number:,} {unit}s without one (on {unsettled:,} of them people were "
            "divided or abstained)"
        )
    return f"the 1 {unit} that is left" if number == 1 else f"all {number:,} {unit}s that are left"


def _once_more(plan: PoolPlan, labels: int) -> str:
    """That so many labels take items once more on which people were divided or abstained."""
    again = labels - (plan.pool.left - plan.pool.unsettled)
    if again <= 0 or plan.way not in ("random", "by_verdict"):
        return ""
    return f" ({again:,} of them where people were divided or abstained)"


def _after(plan: PoolPlan, compared: Comparison) -> Sentence:
    assert plan.after is not None
    sure = percent(compared.goal.assurance)
    return Sentence(
        "plan.length_after",
        f"{counted(plan.after.labels, 'more label')}{_how(plan, plan.after)} would make the "
        f"interval of {_who(plan)} at most {_points(plan.after.length)} long with {sure} assurance "
        f"({_points(plan.after.expected)} at even chances).",
        plan.about,
        {
            "name": "length_after",
            "value": plan.after.length,
            "expected": _finite(plan.after.expected),
            "labels": plan.after.labels,
            "assurance": compared.goal.assurance,
            **_step(plan.pool, plan.after),
        },
    )


def _by_verdict(plan: PoolPlan, step: Step) -> Sentence:
    return Sentence(
        "plan.by_verdict",
        f"Drawn by verdict, {counted(step.labels, 'more label')} would do"
        f'{_falls(plan.pool, step, " (")}; then declare calibration = "by_verdict".',
        plan.about,
        {"labels": step.labels, **_step(plan.pool, step)},
    )


def _how(plan: PoolPlan, step: Step) -> str:
    """How so many labels are drawn."""
    if plan.way == "random":
        return " drawn at random"
    if plan.way == "by_verdict":
        return _falls(plan.pool, step, ", ")
    return " of a separate set, drawn as those so far"


def _step(pool: Pool, step: Step) -> dict[str, Any]:
    if step.falls is None:
        return {"strata": None}
    strata = zip(pool.names, step.falls.tolist(), strict=True)
    return {"strata": [[name, count] for name, count in strata]}


def _falls(pool: Pool, step: Step, before: str) -> str:
    if step.falls is None:
        return ""
    parts = [
        f"{int(count):,} called {named(name)}"
        for name, count in zip(pool.names, step.falls, strict=True)
        if count
    ]
    after = ")" if before.endswith("(") else ""
    if len(parts) > FEW_STRATA:
        return f"{before}spread over {len(parts)} strata as the table says{after}"
    return f"{before}{listed(parts)}{after}" if parts else ""


def _criteria(pools: tuple[PoolPlan, ...], compared: Comparison) -> Iterator[Sentence]:
    """Several criteria: labels in all, and those for which no number can be assured."""
    goal = compared.goal
    told = [plan for plan in pools if plan.reach is not None]
    in_all = sum(plan.reach.labels for plan in told if plan.reach is not None)
    beyond = [plan.criterion for plan in pools if plan.reach is None]
    facts = {
        "length": goal.length,
        "assurance": goal.assurance,
        "confidence_level": compared.confidence_level,
        "value": in_all if told else None,
        "criteria": [plan.criterion for plan in told],
        "beyond": beyond,
    }
    about = {"judge": pools[0].chosen.judge}
    length, unit = _points(goal.length), pools[0].unit
    given = f" (if {ERRS_ALIKE})" if pools[0].errs_alike else ""
    rate = f"the true rate behind {named(pools[0].chosen.judge)}{given}"
    if len(told) == 1:  # of the others plan.beyond speaks
        over, each = f"on {named(str(told[0].criterion))}", f"the interval of {rate}"
    else:
        of = f"{len(told)} of {len(pools)}" if beyond else f"{len(told)}"
        over, each = f"over {of} criteria", f"the interval of {rate} on each of these"
    together = " in all," if len(told) > 1 else ""
    left = [plan.everything for plan in pools if plan.way in ("random", "by_verdict")]
    if not told and len(left) == len(pools) and not any(one and one.labels for one in left):
        text = (
            f"Every {unit}{_decided(pools)} is labelled and each criterion's interval is longer "
            f"than {length}: judge and label more {unit}s."
        )
    elif not told:
        text = f"For no criterion can any number of labels assure an interval of {length}."
    elif not in_all:
        text = f"No more labels are needed {over}: {each} is within {length}."
    else:
        text = (
            f"Label {counted(in_all, f'more {unit}')}{together} {over}: with "
            f"{percent(goal.assurance)} assurance {each} is then at most {length} long."
        )
    yield Sentence("plan.labels_needed", text, about, facts)
    if beyond and told:
        yield Sentence(
            "plan.beyond",
            f"No number of labels assures that for {listed([named(one) for one in beyond])}: "
            "enlarge the pilot or the pool.",
            about,
            {"criteria": beyond, "length": goal.length},
        )


def _chosen(chosen: Chosen) -> Sentence:
    best, judge = chosen.best, named(chosen.judge)
    text = (
        f"Planned for {judge}, {best.why}{' so far' if best.all_alike else ''}."
        if best is not None
        else f"Planned for {judge}, the first of {chosen.of} judges: labels do not tell yet which "
        "agrees best."
    )
    facts: dict[str, Any] = {"name": "balanced_accuracy", "value": None, "judges": chosen.of}
    if best is not None:
        facts |= {"name": best.name, "value": best.value, "judges": best.of}
        facts |= {} if best.all_alike else {"n_items": best.n_items}
        facts |= {"highest": best.level + 1} if best.level else {}
    return Sentence("plan.judge", text, {"judge": chosen.judge}, facts)


def _following(items: NextItems, pools: tuple[PoolPlan, ...]) -> Sentence:
    found, unit = len(items.units), pools[0].unit
    if not found:
        return Sentence(
            "plan.next",
            f"People have rated every judged {unit}: there is none to label next.",
            facts={"listed": 0, "asked": items.asked},
        )
    short = "" if found == items.asked else " (there are no more)"
    random = all(plan.way == "random" for plan in pools)
    design = "random" if random else "by_verdict"
    return Sentence(
        "plan.next",
        f"{counted(found, unit)} to label next {'is' if found == 1 else 'are'} listed{short}. "
        f'Label all of them, then declare calibration = "{design}".',
        facts={"listed": found, "asked": items.asked, "calibration": design},
    )


# --- from rates -------------------------------------------------------------------------------


def _rates(compared: Comparison) -> Iterator[Sentence]:
    goal, plans = compared.goal, compared.plans
    if not plans:
        text = (
            f"No design assures an interval of {_points(goal.length)} with these items: judge "
            "more of them."
        )
        yield Sentence("plan.design", text, facts={"length": goal.length, "design": None})
    else:
        yield _best(plans[0], compared)
        people = next((plan for plan in plans if plan.design is PEOPLE), None)
        if people is not None:
            worth = plans[0] is not people
            yield Sentence(
                "plan.people",
                f"People alone would need {counted(people.labels, 'label')}."
                if worth
                else "The judge does not pay for itself here.",
                facts={"labels": people.labels, "cost": people.cost, "judge_pays": worth},
            )
    if compared.rates.pilot is not None and plans:
        yield _separate_set(compared)
    if compared.budget is not None:
        design, at = compared.budget.shortest
        labels = compared.budget.labels
        yield Sentence(
            "plan.budget",
            f"With {counted(labels, 'label')} the shortest interval is at most "
            f"{_beyond(at, goal.length) if at > goal.length else _points(at)} long "
            f"({design.words}).",
            facts={"labels": labels, "value": at, "design": design.name},
        )


def _separate_set(compared: Comparison) -> Sentence:
    """What it takes to go on as the pilot began: labels of a set beside the judged items."""
    pilot, goal = compared.rates.pilot, compared.goal
    assert pilot is not None
    found = next((plan for plan in compared.plans if plan.design is BY_LABEL), None)
    facts: dict[str, Any] = {"length": goal.length, "pilot": pilot.labels, "labels": None}
    begun = f"the pilot's {counted(pilot.labels, 'label')}"
    if found is None:
        few = "judge more items, or label some of those that are judged"
        return Sentence(
            "plan.separate",
            f"More of a separate set, beside {begun}, assures it with no number: {few}.",
            facts=facts,
        )
    facts |= {"labels": found.labels, "shares": list(found.shares or ())}
    return Sentence(
        "plan.separate",
        f"Of a separate set it takes {found.labels:,} more than {begun}{_shares(found)}.",
        facts=facts,
    )


def _best(plan: Plan, compared: Comparison) -> Sentence:
    goal, level = compared.goal, compared.confidence_level
    return Sentence(
        "plan.design",
        f"Label {counted(plan.labels, 'item')}{_shares(plan)}{_items(plan, compared.items)}"
        f"{_price(plan, compared)}: with {percent(goal.assurance)} assurance the {percent(level)} "
        f"interval of the true rate is then at most {_points(goal.length)} long "
        f"({_expected(plan, compared)}).",
        facts={
            "length": goal.length,
            "assurance": goal.assurance,
            "confidence_level": level,
            "design": plan.design.name,
            "labels": plan.labels,
            "expected": plan.expected,
            "negatives": plan.shares[0] if plan.shares else None,
            "positives": plan.shares[1] if plan.shares else None,
            "items": plan.items if math.isfinite(plan.items) else None,
            "cost": plan.cost,
        },
    )


def _expected(plan: Plan, compared: Comparison) -> str:
    """The number without assurance."""
    if compared.rates.pilot is None:
        return f"{plan.expected:,} would do on average"
    return f"{plan.expected:,} give an even chance"


def _shares(plan: Plan) -> str:
    kind = plan.design.shared_by
    if plan.shares is None or kind is None:
        return " drawn at random"
    return f", {plan.shares[0]:,} {kind} negative and {plan.shares[1]:,} {kind} positive"


def _items(plan: Plan, judged: float) -> str:
    if plan.design is PEOPLE or math.isfinite(judged):
        return ""
    if math.isinf(plan.items):
        return ", and get as many verdicts as you can"
    return f", of {int(plan.items):,} judged items"


def _price(plan: Plan, compared: Comparison) -> str:
    return "" if compared.goal.costs == FREE_VERDICTS else f", for {plan.cost:,.2f}"


def _told_apart(told: ToldApart) -> Sentence:
    text = (
        "No number of items would tell these two judges apart by balanced accuracy."
        if told.items is None
        else f"{counted(told.items, 'labelled item')} would tell the two judges apart by balanced "
        f"accuracy (power {percent(told.power)}, errors taken as independent)."
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
        f"{number(by_verdict, 2)} times what people's labels alone cost for the same precision; "
        + (
            f"{way} cannot reach it."
            if math.isinf(corrected)
            else f"{way}, {number(corrected, 2)} times."
        ),
        facts={name: at if math.isfinite(at) else None for name, at in ratios.here.items()},
    )
    if ratios.region is not None:
        low, high = ratios.region
        yield Sentence(
            "plan.region",
            f"Correcting a judge whose sensitivity and specificity are {percent(ratios.accuracy)} "
            "with a separate set costs less than people alone at true rates of "
            f"{between(low, high, rate=True)}.",
            facts={"accuracy": ratios.accuracy, "low": low, "high": high},
        )
