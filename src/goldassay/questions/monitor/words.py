"""Sentences: whether anything changed, since when, who it was, and on what evidence."""

from __future__ import annotations

from typing import Any

from goldassay.questions.monitor.study import CLAIM, Change, MonitorStudy, Watched
from goldassay.results import Sentence
from goldassay.words import between, counted, decimal, listed, named, percent, points

__all__ = ["STREAMS", "VERDICTS", "answer", "notes", "warnings"]

VERDICTS = {
    "unchanged": "no change found",
    "systems": "the systems changed",
    "judge": "the judge changed",
    "both": "systems and judge changed",
    "changed": "changed; whose, cannot tell",
    "unknown": "cannot tell",
}
#: The same within a sentence.
_SAID = {
    **VERDICTS,
    "changed": "something changed, and it cannot be told what,",
    "unknown": "it cannot be told",
}
STREAMS = {
    "verdicts": "verdicts of live items",
    "anchors": "verdicts of anchors",
    "errors": "the judge's errors where people labelled",
    "labels": "people's labels",
}
#: Rates of the judge's errors.
_ERRORS = ("sensitivity", "specificity", "agreement")
#: Names that a sentence lists; of more, the number.
MOST_NAMED = 4
#: Results that are a mean of grades where they are about no option.
_OF_SCALE = frozenset({"rate", "anchor_rate", "labelled_rate"})


def answer(found: MonitorStudy) -> tuple[Sentence, ...]:
    """The verdict on the first judge, since when and how surely, and how the others do."""
    first = found.watched[0]
    told = [_verdict(first, found), _evidence(first, found) or _errors(first), _others(found)]
    return tuple(one for one in told if one is not None)


def notes(found: MonitorStudy) -> tuple[Sentence, ...]:
    """Every other judge, and each rate before and after."""
    told: list[Sentence | None] = []
    for one in found.watched[1:]:
        told += [_verdict(one, found), _evidence(one, found) or _errors(one)]
    told += [_change(one, change) for one in found.watched for change in one.changes]
    return tuple(one for one in told if one is not None)


def _whom(one: Watched) -> str:
    criterion = one.streams.criterion
    return named(one.streams.judge) + (f" on {named(criterion)}" if criterion else "")


def _main(one: Watched, result: str = "rate") -> Change | None:
    """The rate that moved most."""
    mine = [change for change in one.changes if change.result == result]
    return max(mine, key=lambda change: abs(change.change.value), default=None)


def _said(change: Change, found: MonitorStudy) -> str:
    """What a rate is, in words."""
    if change.option is not None:
        return f"gives {named(change.option)} in"
    return f"has a {found.words} of"


def _level(one: Change) -> tuple[str, str]:
    """The rates before and since; a mean of grades is a share of the way up the scale."""
    ends = (min(one.before, one.after), max(one.before, one.after))
    of = "" if one.option is not None or one.result not in _OF_SCALE else " of the scale"
    return percent(one.before, ends), f"{percent(one.after, ends)}{of}"


def _verdict(one: Watched, found: MonitorStudy) -> Sentence:
    main = _main(one) or _main(one, "anchor_rate")
    facts: dict[str, Any] = {
        "verdict": one.verdict,
        "batches": len(one.batches),
        "verdicts": one.streams.n_live,
        "anchors": one.streams.n_anchors,
        "anchors_throughout": max((len(part.steady) for part in one.streams.anchors), default=0),
        "labels": one.streams.n_labels,
        "margin": found.settings.margin,
        "since": one.batches[one.at] if one.alarmed else None,
        "before": main.before if main else None,
        "after": main.after if main else None,
        "option": main.option if main else None,
        "probability_judge": one.judge,
        "probability_systems": one.systems,
    }
    about = one.about
    if one.verdict in ("unchanged", "unknown"):
        return Sentence("monitor.verdict", _steady(one, found), about, facts)
    since = f"since batch {named(one.batches[one.at])}"
    whom, moved = _whom(one), ""
    if main is not None and main.result == "rate":
        before, after = _level(main)
        live = "of live verdicts" if main.option is not None else "on live items"
        moved = f"{since} {whom} {_said(main, found)} {after} {live}, before {before}"
    fixed = _on_anchors(one, found)
    moved = moved or f"{since} {whom} {fixed or _FLIPPED}"
    text = {
        "systems": f"The systems changed: {moved}; {_not_the_judge(one)}.",
        "judge": f"The judge {whom} changed {since}: {_by_judge(one, fixed)}.",
        "both": f"The systems and the judge {whom} changed: {moved}"
        + (f"; {fixed}." if fixed and fixed not in moved else "."),
        "changed": f"Something changed: {moved}; whether the systems or the judge, cannot be told"
        f"{_why_not(one)}.",
    }[one.verdict]
    return Sentence("monitor.verdict", text, about, facts)


#: What anchors show that are not judged throughout, and so have no common rate.
_FLIPPED = "anchors that were judged before and after have other verdicts"


def _on_anchors(one: Watched, study: MonitorStudy) -> str:
    """What moved most on the same items: their rate, or how often their verdicts turn."""
    found = [c for name in ("anchor_rate", "anchors_turned") if (c := _main(one, name))]
    if not found:
        return ""
    most = max(found, key=lambda change: abs(change.change.value))
    before, after = _level(most)
    same = f"on the same {counted(len(one.streams.anchors[0].steady), 'anchor')}"
    if most.result == "anchor_rate":
        return f"{same} it {_said(most, study)} {after}, before {before}"
    return f"{same} {after} of its verdicts are not what it began with, before {before}"


def _by_judge(one: Watched, fixed: str) -> str:
    """How the judge shows that it changed."""
    moved = [c for c in one.changes if c.result in _ERRORS]
    raised = {alarm.stream for alarm in one.alarmed}
    parts = [f"{fixed}"] if fixed else []
    if moved and ("errors" in raised or not fixed):
        most = max(moved, key=lambda change: abs(change.change.value))
        before, after = _level(most)
        parts.append(f"its {most.result} {after}, before {before}")
    return "; ".join(parts) or _FLIPPED


def _not_the_judge(one: Watched) -> str:
    if any(alarm.stream == "labels" for alarm in one.alarmed):
        return "people's labels changed with it"
    if one.streams.n_anchors:
        items = counted(one.streams.n_anchors, "anchor")
        return f"its verdicts of the same {items} do not explain that"
    return "its errors where people labelled do not explain that"


def _why_not(one: Watched) -> str:
    if not one.streams.n_anchors and not one.streams.n_labels:
        return " without anchors or people's labels"
    return " yet from its anchors and labels" if one.streams.n_labels else " yet from its anchors"


def _steady(one: Watched, found: MonitorStudy) -> str:
    margin, whom = points(found.settings.margin), _whom(one)
    size = counted(len(one.batches), "batch", "batches")
    number = (
        counted(one.streams.n_live, "verdict")
        if one.streams.n_live
        else counted(one.streams.n_anchors, "anchor")
    )
    if one.verdict == "unchanged":
        return (
            f"No change was found for {whom}: no alarm was raised in {number} of {size}, and a "
            f"move of its rate by {margin} {_middle(one, found)} is ruled out; one in the last "
            "batches is not."
        )
    if len(one.batches) < 2:
        have = "has" if number.startswith("1 ") else "have"
        return (
            f"It cannot be told yet whether anything changed for {whom}: {number} of one batch "
            f"{have} nothing to be compared with."
        )
    what = listed([STREAMS[name] for name in one.open])
    return (
        f"It cannot be told yet whether anything changed for {whom}: no alarm was raised in "
        f"{number} of {size}, and a move of its rate by {margin} {_middle(one, found)} is not "
        f"ruled out by {what}."
    )


def _middle(one: Watched, found: MonitorStudy) -> str:
    place = named(one.batches[one.at])
    when = "after the reference" if found.settings.reference else "halfway"
    return f"{when} (from batch {place} on)"


def _evidence(one: Watched, found: MonitorStudy) -> Sentence | None:
    if not one.alarmed or one.begun is None:
        return None
    first = min(alarm.first for alarm in one.alarmed if alarm.first is not None)
    raised = [alarm.stream for alarm in one.alarmed]
    early, late = (one.batches[place] for place in one.begun)
    level = percent(1 - found.task.confidence_level)
    facts = {
        "alarm_after": one.batches[first],
        "streams": raised,
        "begun_from": early,
        "begun_to": late,
        "begun_probability": CLAIM,
        "false_alarms": 1 - found.task.confidence_level,
        "judges": len(found.watched),
    }
    began = (
        f"with batch {named(early)}"
        if early == late
        else f"between batch {named(early)} and {named(late)}"
    )
    text = (
        f"The alarm came after batch {named(one.batches[first])}, from "
        f"{listed([STREAMS[name] for name in raised])}; if it was one sudden change, it began "
        f"{began} with {percent(CLAIM)} probability. With nothing changed, the chance of any "
        f"alarm, ever, is at most {level}."
    )
    return Sentence("monitor.evidence", text, one.about, facts)


def _errors(one: Watched) -> Sentence | None:
    """Without an alarm: by how much the judge's errors may have moved that people's labels show."""
    ends = {
        c.result: (c.change.interval.low, c.change.interval.high)
        for c in one.changes
        if c.result in _ERRORS and c.change.interval is not None
    }
    if one.alarmed or not ends:
        return None
    parts = [
        f"its {name} by {between(*pair, rate=True).removesuffix(' %')} points"
        for name, pair in ends.items()
    ]
    facts: dict[str, Any] = {"labels": one.streams.n_labels, "since": one.batches[one.at]}
    for name, (low, high) in ends.items():
        facts |= {f"{name}_low": low, f"{name}_high": high}
    text = (
        f"{counted(one.streams.n_labels, 'label')} leave open that from batch "
        f"{named(one.batches[one.at])} on {_whom(one)} moved {listed(parts)}."
    )
    return Sentence("monitor.errors", text, one.about, facts)


def _others(found: MonitorStudy) -> Sentence | None:
    rest = found.watched[1:]
    if not rest:
        return None
    groups: dict[str, list[Watched]] = {}
    for one in rest:
        groups.setdefault(one.verdict, []).append(one)
    parts = [f"{_SAID[verdict]} for {_names(each)}" for verdict, each in groups.items()]
    facts = {verdict: [one.about for one in each] for verdict, each in groups.items()}
    text = "; ".join(parts)
    return Sentence("monitor.others", f"Of the others: {text}.", {}, facts)


def _names(each: list[Watched]) -> str:
    shown = [_whom(one) for one in each[:MOST_NAMED]]
    more = len(each) - len(shown)
    return listed([*shown, *([f"{more:,} more"] if more else [])])


def _change(one: Watched, change: Change) -> Sentence:
    ends = change.change.interval
    assert ends is not None
    before, after = _level(change)
    facts = {
        "result": change.result,
        "option": change.option,
        "before": change.before,
        "after": change.after,
        "low": ends.low,
        "high": ends.high,
        "split": one.batches[one.at],
    }
    what = _WORDS[change.result] + (f" of {named(change.option)}" if change.option else "")
    text = (
        f"{_whom(one)}, {what}: {before} before batch {named(one.batches[one.at])}, {after} since; "
        f"the change is {between(ends.low, ends.high, rate=True).removesuffix(' %')} points."
    )
    return Sentence("monitor.change", text, one.about, facts)


_WORDS = {
    "rate": "rate of live verdicts",
    "anchor_rate": "rate on anchors",
    "anchors_turned": "verdicts of anchors that are not what it began with",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "agreement": "agreement with people",
    "labelled_rate": "people's rate",
}


def warnings(found: MonitorStudy, *, declared: bool) -> tuple[str, ...]:
    """What the answer rests on."""
    told = []
    anchors = max(one.streams.n_anchors for one in found.watched)
    if anchors and not declared:
        told.append(
            f"Taken for anchors: {counted(anchors, 'item')} judged in several batches, whose "
            "content stays the same. If answers to the same prompts are made anew in each batch, "
            "say --anchors none, or which are anchors: --anchors COLUMN=VALUE."
        )
    wide = max(e.effect for one in found.watched for e in (*one.streams.verdicts,))
    if wide > 1.05:
        told.append(
            f"Verdicts come in clusters: they count as {decimal(wide)} times fewer independent "
            "ones."
        )
    between = max(e.between for one in found.watched for e in one.streams.verdicts)
    if between > 1.05:
        told.append(
            f"Batches vary from one to the next by more than chance: verdicts count as "
            f"{decimal(between)} times fewer independent ones. That an alarm without a change has "
            f"a chance of at most {percent(1 - found.task.confidence_level)} rests on batches that "
            "go on to vary so."
        )
    return tuple(told)
