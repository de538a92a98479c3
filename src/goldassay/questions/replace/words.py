"""Sentences: whether a judge may stand in for a person, how close it is, and what would tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldassay.inference.selected import Selected
from goldassay.questions.facts import MOST_TIMES
from goldassay.questions.replace.study import JudgeStudy, ReplaceStudy
from goldassay.results import Estimate, Sentence
from goldassay.words import counted, figure, listed, named, percent, points, rounded_up

__all__ = ["answer", "notes", "warnings"]

#: Names of people that a sentence lists; of more, the number.
MOST_NAMED = 6
#: Below this few people "the others" is one person, or hardly more.
FEW_PEOPLE = 3


def answer(found: ReplaceStudy) -> tuple[Sentence, ...]:
    """The verdict on the first judge, how often it is as close, and how the other judges do."""
    first = found.judges[0]
    counted_votes = _counted_votes(found)
    told = [_verdict(first, found), counted_votes, _probability(first, found), _others(found)]
    if counted_votes is not None and all(told):  # at most three: the notes have what is left out
        told.pop(2)
    return tuple(one for one in told if one is not None)


def notes(found: ReplaceStudy) -> tuple[Sentence, ...]:
    """The other judges one by one, and who was left out."""
    told: list[Sentence | None] = []
    first = answer(found)
    for one in found.judges:
        told += [
            part for part in (_verdict(one, found), _probability(one, found)) if part not in first
        ]
    told += [_slices(found, column) for column in dict.fromkeys(p.column for p in found.slices)]
    told += [_left_out(one, found) for one in found.judges]
    return tuple(one for one in told if one is not None)


def _counted_votes(found: ReplaceStudy) -> Sentence | None:
    """That those who are called people are places in a count of votes, where so."""
    columns = [column for column, _ in found.task.file.votes] if found.task.file else []
    if not columns:
        return None
    text = (
        f"Whose vote is whose was not kept: the votes counted in "
        f"{listed([named(one) for one in columns])} are dealt out to made-up people, and how "
        "single people differ is lost."
    )
    return Sentence("replace.counted_votes", text, {}, {"columns": columns})


def _verdict(one: JudgeStudy, found: ReplaceStudy) -> Sentence:
    facts: dict[str, Any] = {
        "verdict": one.verdict,
        "epsilon": found.settings.epsilon,
        "people": len(one.people),
        "matched": list(one.matched),
        "worse": list(one.worse),
        "needed": one.needed,
        "items": one.n_items,
        "items_needed": one.items_needed,
        "min_items": found.settings.min_items,
    }
    judge, margin, size = named(one.judge), _margin(found), len(one.people)
    if one.verdict == "few":
        most = max(one.left_out, key=lambda left: left[1], default=None)
        facts |= {"most": most[1] if most else 0, "who": most[0] if most else None}
        text = (
            f"Too few ratings to tell whether {judge} may stand in for a person: two people need "
            f"{counted(found.settings.min_items, found.unit)} each that another person and {judge} "
            "rated too"
        )
        text += f"; the most is {most[1]:,}, by {named(most[0])}." if most else "."
        return Sentence("replace.verdict", text, {"judge": one.judge}, facts)
    if one.verdict == "yes":
        where = "here"
        if one.silent:
            given = counted(one.decided + one.silent, found.unit)
            where = f"where it decides ({one.decided:,} of {given})"
            facts |= {"decided": one.decided, "silent": one.silent}
        text = (
            f"{judge} may stand in for one of {_people(size)} {where}: it is at least as close to "
            f"the others as {_number(len(one.matched), size)}{margin}."
        )
        if one.constant is not None:
            text += f" It says {named(one.constant)} of every {found.unit}."
            facts["constant"] = one.constant
        elif one.always is not None:
            text += f" So might a rater that says {named(one.always)} of every {found.unit}."
        if one.always is not None:
            facts["always"] = one.always
    elif one.verdict == "no":
        text = (
            f"{judge} may not stand in for one of {_people(size)} here: "
            f"{_number(len(one.worse), size)} {'is' if len(one.worse) == 1 else 'are'} closer to "
            f"the others than it is{_by_more(found)}."
        )
    elif len(one.matched) >= one.needed:
        text = (
            f"It cannot be told whether {judge} may stand in for one of {_people(size)}: one by "
            f"one it is at least as close to the others as {_number(len(one.matched), size)}"
            f"{margin}; that this holds for half of them together is not shown."
        )
        text += _would_tell(one, found.unit, facts)
    else:
        text = (
            f"It cannot be told whether {judge} may stand in for one of {_people(size)}: that it "
            f"is at least as close to the others{margin}, is shown for "
            f"{_number(len(one.matched), size)} and needed for {one.needed}."
        )
        text += _would_tell(one, found.unit, facts)
    return Sentence("replace.verdict", text, {"judge": one.judge}, facts)


def _would_tell(one: JudgeStudy, unit: str, facts: dict[str, Any]) -> str:
    if one.items_needed is None:
        return f" More {unit}s would not show it, were the judge as far off as it looks here."
    most = max(person.advantage.n_items for person in one.people)
    if one.items_needed <= most:
        return f" A few more {unit}s by each of them may show it."
    if one.items_needed > MOST_TIMES * most:
        facts["more_than"] = MOST_TIMES * most
        return (
            f" More than {MOST_TIMES * most:,} {unit}s rated by each of them would be needed to "
            "show it, were the judge as close as it looks here."
        )
    facts["items_about"] = rounded_up(one.items_needed)
    return (
        f" About {counted(facts['items_about'], unit)} rated by each of them would show it 8 times "
        "in 10, were the judge as close as it looks here."
    )


def _margin(found: ReplaceStudy) -> str:
    epsilon = found.settings.epsilon
    return f", less {points(epsilon)}" if epsilon else ""


def _by_more(found: ReplaceStudy) -> str:
    epsilon = found.settings.epsilon
    return f", by more than {points(epsilon)}" if epsilon else ""


def _people(size: int) -> str:
    return counted(size, "person", "people")


def _number(number: int, size: int) -> str:
    if number == size:
        return "both of them" if size == 2 else f"all {size:,} of them"
    return f"{number or 'none'} of them"


def _probability(one: JudgeStudy, found: ReplaceStudy) -> Sentence | None:
    result = one.advantage_probability
    if not isinstance(result, Estimate):
        return None
    facts: dict[str, Any] = {"value": result.value, "items": result.n_items}
    if result.interval is not None:
        facts |= {"low": result.interval.low, "high": result.interval.high}
    text = (
        f"{named(one.judge)} is at least as close to the other people as the person it would "
        f"replace on {figure(result)} of the {found.unit}s; equally close counts."
    )
    return Sentence("replace.advantage_probability", text, {"judge": one.judge}, facts)


def _others(found: ReplaceStudy) -> Sentence | None:
    """Which of the other judges may stand in."""
    rest = found.judges[1:]
    if not rest:
        return None
    may = [one.judge for one in rest if one.verdict == "yes"]
    few = [one.judge for one in rest if one.verdict == "few"]
    facts = {"judges": [one.judge for one in rest], "may": may, "few": few}
    if len(few) == len(rest):
        text = (
            f"Nor are there enough to tell it of {_names(few, 'or')}."
            if found.judges[0].verdict == "few"
            else f"For {_names(few, 'or')} there are too few ratings to tell."
        )
    elif may and len(may) == len(rest) and found.judges[0].verdict == "yes":
        text = f"So may {_names(may)}{_partly(rest)}."
    elif may:
        text = f"Of the other judges {_names(may)} may stand in{_partly(rest)}."
    elif all(one.verdict == "no" for one in (found.judges[0], *rest)):
        text = f"Nor may {_names([one.judge for one in rest], 'or')} stand in."
    elif len(rest) > 1:
        text = "Of the other judges none is shown to be close enough."
    elif rest[0].verdict == "no":
        text = f"{named(rest[0].judge)} may not stand in."
    else:
        text = f"{named(rest[0].judge)} is not shown to be close enough."
    return Sentence("replace.others", text, {}, facts)


def _partly(judges: Sequence[JudgeStudy]) -> str:
    """That those which may stand in, or some, do where they decide alone."""
    may = [one for one in judges if one.verdict == "yes"]
    silent = [one.judge for one in may if one.silent]
    if not silent:
        return ""
    who = "it decides" if len(silent) == 1 else "they decide"
    return f", where {who}" if len(silent) == len(may) else f", {_names(silent)} where {who}"


def _slices(found: ReplaceStudy, column: str) -> Sentence | None:
    """Within which labels of a column the first judge may stand in."""
    judge = found.judges[0].judge
    verdicts = {
        part.label: one.verdict
        for part in found.slices
        if part.column == column
        for one in part.judges
        if one.judge == judge
    }
    said = [
        f"{words} in {_names([label for label, one in verdicts.items() if one in kinds])}"
        for words, kinds in (
            ("may stand in", ("yes",)),
            ("may not", ("no",)),
            ("it cannot be told", ("unknown", "few")),
        )
        if any(one in kinds for one in verdicts.values())
    ]
    text = f"By {column}, each by itself, for {named(judge)}: {'; '.join(said)}."
    return Sentence("replace.slices", text, {"judge": judge}, {"by": column, "verdicts": verdicts})


def _names(names: list[str], word: str = "and") -> str:
    shown = [named(name) for name in names[:MOST_NAMED]]
    more = len(names) - len(shown)
    return listed([*shown, *([f"{more:,} more"] if more else [])], word)


def _left_out(one: JudgeStudy, found: ReplaceStudy) -> Sentence | None:
    if not one.left_out or one.verdict == "few":
        return None
    people = [person for person, _ in one.left_out]
    are = "is" if len(people) == 1 else "are"
    least, judge = counted(found.settings.min_items, found.unit), named(one.judge)
    text = (
        f"{_names(people)} {are} not compared with {judge}: fewer than {least} that another person "
        f"and {judge} rated too."
    )
    items = [n for _, n in one.left_out]
    facts = {"people": people, "items": items, "min_items": found.settings.min_items}
    return Sentence("replace.left_out", text, {"judge": one.judge}, facts)


def _selection(one: Selected, unit: str) -> str:
    return (
        f"{named(one.rater)} rated {counted(one.units, unit)}, on {percent(one.differ)} of which "
        f"the others differ ({percent(one.differ_elsewhere)} elsewhere): a selection, on which "
        f"everybody is less close to people. Without: --exclude rater={one.rater}"
    )


def warnings(found: ReplaceStudy) -> tuple[str, ...]:
    """What weakens the answer: a constant that passes, two people, a selection, few clusters."""
    told = []
    passing = list(dict.fromkeys(one.always for one in found.judges if one.always is not None))
    if passing:
        told.append(
            f"To say {listed(list(map(named, passing)), 'or')} of every {found.unit} is enough "
            "here: another answer is so rare, beside that margin, that closeness tells little of a "
            "judge. Agreement beyond chance tells more: goldassay agree"
        )
    compared = [one for one in found.judges if one.people]
    if len(found.people) < FEW_PEOPLE:
        told.append(
            "Two people: each is held against the other alone, so that what one of them prefers "
            "decides. Three or more give a group to be close to."
        )
    spoken_of = {p.person for one in compared for p in one.people}
    told += [_selection(one, found.unit) for one in found.selected if one.rater in spoken_of]
    few = [p.advantage.n_clusters for one in compared for p in one.people]
    if found.clustered and few and min(few) < 10:
        told.append(
            f"{found.unit.capitalize()}s come in {counted(min(few), 'cluster')} for some people: "
            "so few hardly tell how much the next ones would differ."
        )
    return tuple(told)
