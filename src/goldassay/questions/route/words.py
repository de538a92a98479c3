"""Sentences: where the judge may decide alone, how many items that is, and what is left."""

from __future__ import annotations

import math
from typing import Any

from goldassay.questions.facts import MOST_TIMES
from goldassay.questions.route.study import JudgeRoute, RouteStudy
from goldassay.questions.route.thresholds import Part
from goldassay.results import Sentence
from goldassay.words import counted, listed, named, number, p_said, percent, rounded_up

__all__ = ["answer", "condition", "notes", "threshold_text", "warnings"]

#: Names of judges that a sentence lists; of more, the number.
MOST_NAMED = 6


def answer(found: RouteStudy) -> tuple[Sentence, ...]:
    """What the first judge may decide, what its labels show, and how the other judges do."""
    first = found.judges[0]
    told = [_rule(first, found), _evidence(first, found), _others(found)]
    return tuple(one for one in told if one is not None)


def notes(found: RouteStudy) -> tuple[Sentence, ...]:
    """The other judges one by one, and each verdict by itself."""
    told: list[Sentence | None] = []
    for one in found.judges[1:]:
        told += [_rule(one, found), _evidence(one, found)]
    for one in found.judges:
        told += [_sides(one, found), _shift(one, found)]
    told += [_left_out(found)]
    return tuple(one for one in told if one is not None)


def _rule(one: JudgeRoute, found: RouteStudy) -> Sentence:
    settings = found.settings
    facts: dict[str, Any] = {
        "holds": one.holds,
        "signal": one.signal.name,
        "voters": one.signal.voters,
        "risk": settings.risk,
        "confidence": settings.confidence,
        "thresholds": {p.verdict or "": p.at_least for p in one.parts},
        "decided": one.decided,
        "items": one.items,
        "labels": one.labels,
    }
    about = {"judge": one.judge}
    limit = f"at most {percent(settings.risk)} ({percent(settings.confidence)} confidence)"
    if not one.holds:
        text = (
            f"Where both {_pair_of(one)} agree, the error is not shown to be {limit}"
            if one.signal.both
            else f"No threshold of {_signal(one)} is shown to hold the error of {_who(one)} to "
            f"{limit}"
        )
        text += f"{_instead(one, facts)}."
        return Sentence("route.rule", text, about, facts)
    share = one.decided / max(one.items, 1)
    text = (
        f"{_who(one, first=True)} may decide alone where {condition(one)}: "
        f"{one.decided:,} of {counted(one.items, found.unit)} ({percent(share)}), with an error of "
        f"{limit}."
    )
    return Sentence("route.rule", text, about, facts)


def _instead(one: JudgeRoute, facts: dict[str, Any]) -> str:
    """What would do: more labels, or another limit."""
    parts = [part for part in one.parts if part.steps is not None]
    risk = one.risk_instead
    # Labels of a side come with those of the others.
    more = [
        math.ceil(labels * one.labels / part.labels - 1e-9)
        for part in parts
        if (labels := part.labels_instead) is not None
    ]
    facts |= {"risk_instead": risk, "labels_instead": min(more, default=None)}
    told = []
    fewest = min(part.limit.fewest for part in one.parts)
    # From so much less than it takes nothing can be foretold.
    foretold = bool(more) and min(more) <= MOST_TIMES * one.labels
    if one.labels < fewest:
        facts["fewest"] = fewest
        are = "is" if one.labels == 1 else "are"
        least = f"fewer than the {fewest:,} that it takes at least"
        told.append(f"{counted(one.labels, 'label')} {are} {least}")
    if risk is not None:
        told.append(f"a limit of {percent(risk)} would be held")
    if foretold and not (one.labels < fewest and min(more) <= fewest):
        facts["labels_about"] = rounded_up(min(more))
        told.append(
            f"about {counted(facts['labels_about'], 'label')} instead of {one.labels:,} would show "
            f"{percent(facts['risk'])}, were errors as rare as they look"
        )
    return "; " + ", and ".join(told) if told else ""


def condition(one: JudgeRoute) -> str:
    """Where a decision stands, in words."""
    signal, rule = one.signal, one.rule
    if signal.name in ("repeats", "judges"):
        who = "its answers" if signal.name == "repeats" else f"the {signal.voters:,} judges"
        if not one.by_side and one.common is not None and one.common.at_least is not None:
            return _agreeing(one.common.at_least, who) + _unless(one)
        said = [
            f"{_agreeing(part.at_least, who)} on {named(part.verdict)}"
            for part in one.sides
            if part.at_least is not None
        ]
        return listed(said, "or")
    if signal.name == "score":
        low, high = float(rule[0]), float(rule[1])
        said = []
        if high < float("inf"):
            said.append(
                f"it says {named(signal.options[1])} with a score of {_number(high)} or more"
            )
        if low < float("inf"):
            most = 1 - low if signal.symmetric else -low
            said.append(f"{named(signal.options[0])} with {_number(most)} or less")
            if len(said) == 1:
                said = [
                    f"it says {named(signal.options[0])} with a score of {_number(most)} or less"
                ]
        return listed(said, "or")
    if not one.by_side and one.common is not None and one.common.at_least is not None:
        return f"its score is {_number(one.common.at_least)} or more{_unless(one)}"
    said = [
        f"{_number(part.at_least)} or more on {named(part.verdict)}"
        for part in one.sides
        if part.at_least is not None
    ]
    return f"its score is {listed(said, 'or')}"


def _unless(one: JudgeRoute) -> str:
    """Verdicts that a common threshold leaves out, since none of them has a label."""
    return f", unless on {listed([*map(named, one.unknown)], 'or')}" if one.unknown else ""


def threshold_text(one: JudgeRoute, part: Part) -> str:
    """A threshold as it is applied to what the table holds."""
    if part.at_least is None:
        return "none"
    signal = one.signal
    if signal.name in ("repeats", "judges"):
        return f"{percent(part.at_least)} agree"
    sides = [option for option in signal.options if option not in one.unknown]
    side = sides[0] if part.verdict is None and len(sides) == 1 else part.verdict
    if signal.name == "score" and side == signal.options[0]:
        return f"≤ {_number(1 - part.at_least if signal.symmetric else -part.at_least)}"
    if signal.name == "score" and side is None:
        return f"≥ {_number(part.at_least)} or ≤ {_number(1 - part.at_least)}"
    return f"≥ {_number(part.at_least)}"


def _pair_of(one: JudgeRoute) -> str:
    return "judges" if one.signal.name == "judges" else f"answers of {named(one.judge)}"


def _agreeing(share: float, who: str) -> str:
    if who.endswith(" 2 judges"):
        return "both agree"
    return f"all of {who} agree" if share >= 1 else f"at least {percent(share)} of {who} agree"


def _number(value: float) -> str:
    """A threshold with the decimals that it has."""
    value = round(value, 9)
    digits = next(d for d in range(10) if round(value, d) == value)
    return number(value, max(digits, 1))


def _who(one: JudgeRoute, *, first: bool = False) -> str:
    if one.signal.name == "judges" and one.signal.both:
        return "The two judges" if first else "the two judges"
    if one.signal.name == "judges":
        return f"{'The' if first else 'the'} majority of {counted(one.signal.voters, 'judge')}"
    return named(one.judge)


def _says(one: JudgeRoute) -> str:
    return "say" if one.signal.name == "judges" and one.signal.both else "says"


def _signal(one: JudgeRoute) -> str:
    return {
        "score": "the score",
        "confidence": "the score",
        "repeats": "the share of agreeing answers",
        "judges": "the share of agreeing judges",
    }[one.signal.name]


def _whose(one: JudgeRoute) -> str:
    """Whose signal it is, where its name does not say so."""
    return "" if one.signal.name == "judges" else f" of {_who(one)}"


def _evidence(one: JudgeRoute, found: RouteStudy) -> Sentence | None:
    """What the labels beyond the threshold show, and what is left to people."""
    if not one.holds:
        return None
    held = [part for part in one.parts if part.at_least is not None]
    errors, labels = sum(part.errors for part in held), sum(part.labels_beyond for part in held)
    facts = {
        "errors": errors,
        "labels_beyond": labels,
        "left": one.items - one.decided,
        "left_unlabelled": one.left_unlabelled,
    }
    wrong = number(int(errors) if float(errors).is_integer() else float(errors), 1)
    text = (
        f"Of {counted(labels, 'labelled decision')} there, {wrong if errors else 'none'} "
        f"{'was' if errors == 1 else 'were'} wrong"
    )
    if one.left_unlabelled:
        text += (
            f"; {counted(one.left_unlabelled, found.unit)} without a label "
            f"{'is' if one.left_unlabelled == 1 else 'are'} left to people"
        )
    return Sentence("route.evidence", f"{text}.", {"judge": one.judge}, facts)


def _others(found: RouteStudy) -> Sentence | None:
    rest = found.judges[1:]
    if not rest:
        return None
    may = [one for one in rest if one.holds]
    facts = {
        "judges": [one.judge for one in rest],
        "decided": {one.judge: one.decided for one in rest},
    }
    if may:
        said = [
            f"{named(one.judge)} {percent(one.decided / max(one.items, 1))}"
            for one in may[:MOST_NAMED]
        ]
        said += [f"{len(may) - MOST_NAMED:,} more less"] if len(may) > MOST_NAMED else []
        text = f"Share of {found.unit}s that the other judges may decide: {listed(said)}."
    elif len(rest) > 1:
        text = f"None of the other {len(rest)} judges may decide anything alone at this limit."
    else:
        text = f"{named(rest[0].judge)} may decide nothing alone at this limit."
    if found.left_out:
        away = [judge for judge, _ in found.left_out]
        facts["left_out"] = away
        are = "is" if len(away) == 1 else "are"
        text += f" {counted(len(away), 'more judge')} {are} left out, whose sureness is not told."
    return Sentence("route.others", text, {}, facts)


def _sides(one: JudgeRoute, found: RouteStudy) -> Sentence | None:
    """Each verdict by itself, where the rule is common to all."""
    if one.by_side or len(one.sides) < 2 or all(part.at_least is None for part in one.sides):
        return None
    facts: dict[str, Any] = {
        "risk": found.settings.risk,
        "confidence": found.settings.confidence,
        "voters": one.signal.voters,
        "thresholds": {part.verdict: part.at_least for part in one.sides},
        "decided": {part.verdict: part.decided for part in one.sides},
        "items": {part.verdict: part.items for part in one.sides},
    }
    said = [
        f"{named(part.verdict)} {threshold_text(one, part)} ({part.decided:,} of {part.items:,})"
        for part in one.sides
    ]
    text = (
        f"By side, so that the error within each verdict of {_who(one)} is "
        f"{percent(found.settings.risk)} or less, all of them together with "
        f"{percent(found.settings.confidence)} confidence: {listed(said)}."
    )
    return Sentence("route.sides", text, {"judge": one.judge}, facts)


def _shift(one: JudgeRoute, found: RouteStudy) -> Sentence | None:
    shift = one.shift
    if shift is None:
        return None
    facts = {
        "p_value": shift.p_value,
        "found": shift.found,
        "labelled": shift.labelled,
        "waiting": shift.waiting,
        "alone": shift.alone,
        "voters": one.signal.voters,
    }
    if shift.found:
        text = (
            f"Labelled and unlabelled {found.unit}s differ in what {_who(one)} {_says(one)} of "
            f"them, or how surely ({p_said(shift.p_value)}; sureness "
            f"{_number(round(shift.labelled, 3))} and {_number(round(shift.waiting, 3))} on "
            f"average): labels are weighed to be like the unlabelled ones, "
            f"and {found.unit}s of a verdict, equally sure, are taken to err alike."
        )
    else:
        text = (
            f"Labelled and unlabelled {found.unit}s cannot be told apart by what {_who(one)} "
            f"{_says(one)} of them and how surely ({p_said(shift.p_value)})."
        )
    return Sentence("route.shift", text, {"judge": one.judge}, facts)


def _unjudged(one: JudgeRoute) -> str:
    """What items lack that cannot be decided."""
    if one.signal.name == "judges":
        # One of the two may have given no verdict at all.
        both = one.signal.both
        return "on which the two do not say the same" if both else "without a commonest verdict"
    if one.signal.name == "repeats":
        if one.signal.both:
            return f"on which the two answers of {named(one.judge)} do not say the same"
        return f"on which no answer of {named(one.judge)} is the commonest"
    return "without a verdict or a score"


def _left_out(found: RouteStudy) -> Sentence | None:
    if not found.left_out:
        return None
    said = [f"{named(judge)} ({reason})" for judge, reason in found.left_out[:MOST_NAMED]]
    said += [f"{len(found.left_out) - len(said):,} more"] if len(found.left_out) > len(said) else []
    text = f"Left out: {listed(said)}."
    return Sentence("route.left_out", text, {}, {"judges": dict(found.left_out)})


def warnings(found: RouteStudy) -> tuple[str, ...]:
    """What the claim rests on and is not known."""
    told = []
    first = found.judges[0]
    if found.task.calibration is None and any(one.signal.unrated for one in found.judges):
        told.append(
            "How the labelled items were drawn is not declared: at random from the items to be "
            'decided is taken for granted. Declare it: calibration = "random" or "by_verdict".'
        )
    shift = first.shift
    if shift is not None and shift.found:
        told.append(
            f"The {found.unit}s to be decided are not like the labelled ones: what is claimed "
            "rests on verdicts and how sure they are, and on nothing else that may have changed."
        )
        if shift.alone:
            told.append(
                f"{counted(shift.alone, found.unit)} to be decided "
                f"{'is' if shift.alone == 1 else 'are'} unlike any labelled one: labels say "
                "nothing of them."
            )
    if unknown := {option: n for option, n in first.unknown.items() if n}:
        number = sum(unknown.values())
        these = listed([*map(named, unknown)], "or")
        told.append(
            f"{counted(number, found.unit)} with the verdict {these} "
            f"{'is' if number == 1 else 'are'} left to people: no label tells how often "
            f"{'it is' if len(unknown) == 1 else 'these are'} wrong."
        )
    if first.signal.unjudged:
        told.append(
            f"{counted(first.signal.unjudged, found.unit)} {_unjudged(first)} "
            f"{'is' if first.signal.unjudged == 1 else 'are'} left to people."
        )
    return tuple(told)
