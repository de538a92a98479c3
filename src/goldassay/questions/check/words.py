"""What is in a table, in sentences."""

from __future__ import annotations

import shlex

from goldassay.questions.check.study import CheckStudy
from goldassay.results import Sentence
from goldassay.words import counted, decimal, listed, named, percent

__all__ = ["answer", "notes", "warnings"]

#: Options, judges or raters that one sentence names.
NAMED = 5


def answer(found: CheckStudy) -> tuple[Sentence, ...]:
    """How much there is, and which questions it answers."""
    return (_read(found), _answers(found))


def _read(found: CheckStudy) -> Sentence:
    people = counted(found.people, "person", "people")
    who = [
        counted(found.references, "reference") if found.references else people,
        counted(found.judges, "judge"),
    ]
    article = "an" if found.scale[:1] in "aeiou" else "a"
    scale = f", on {article} {found.scale} scale" if found.scale else ""
    if found.options:
        more = len(found.options) - NAMED
        shown = [named(option) for option in found.options[:NAMED]]
        scale += f" ({', '.join(shown)}{f' and {more} more' if more > 0 else ''})"
    return Sentence(
        "check.read",
        f"{counted(found.rows_read, 'rating')} of {counted(found.units, found.unit)} by "
        f"{listed(who)}{scale}.",
        facts={
            "ratings": found.rows_read,
            "units": found.units,
            "unit": found.unit,
            "people": found.people,
            **({"references": found.references} if found.references else {}),
            "judges": found.judges,
            "scale": found.scale,
            "options": list(found.options),
        },
    )


def _answers(found: CheckStudy) -> Sentence:
    now = [one.verb for one in found.questions if one.now]
    later = [one for one in found.questions if not one.now]
    said = [f"It answers {listed([named(verb) for verb in now])} now"] if now else []
    if later:
        names = listed([named(one.verb) for one in later])
        start = f"{names} not yet" if now else "It answers no question yet"
        said.append(f"{start}: {named(later[0].verb)} needs {later[0].unlock}")
    text = "; ".join(said)
    not_yet = {one.verb: one.unlock for one in later}
    more = {one.verb: one.more for one in found.questions if one.more}
    facts: dict[str, object] = {"now": now, "not_yet": not_yet, "more": more}
    if lacks := _lacks(found):
        facts["lacks"] = lacks
    return Sentence("check.answers", f"{text}.", facts=facts)


def _lacks(found: CheckStudy) -> str | None:
    """Whose ratings are not there at all: another file may hold them."""
    labelled = found.people or found.references
    if labelled and found.judges:
        return None
    return "a judge's ratings" if labelled else "people's labels" if found.judges else None


def _next(found: CheckStudy) -> Sentence:
    """A command for a document: the same in every folder, it names no file that may be there."""
    files, framed = shlex.join(found.files), not found.files  # no command can name a frame
    same = shlex.join([*found.files, *found.asked])
    if (lacks := _lacks(found)) and not framed:
        command = f"goldassay check {files} OTHER.csv{_after(found.asked)}"
        why = f"give the file with {lacks} of the same items beside it"
    elif found.guessed:
        command = f"goldassay check {same} --write-task TASK.toml"
        why = "write down what was assumed, and correct it"
        command = "goldassay.check(table, task)" if framed else command
    elif any(one.now for one in found.questions):
        command, why = f"goldassay report {same}", "ask everything"
        command = "goldassay.report(table, task)" if framed else command
    else:
        command, why = f"goldassay plan {same}", "see how many labels are needed"
        command = "goldassay.plan(table, task)" if framed else command
    return Sentence("check.next", f"Next, {why}: {command}", facts={"command": command})


def _after(options: tuple[str, ...]) -> str:
    return f" {shlex.join(options)}" if options else ""


def notes(found: CheckStudy) -> tuple[Sentence, ...]:
    """The next command, and what a resample draws."""
    one = found.clusters
    if one is None:
        return (_next(found),)
    facts = {"column": one.column, "clusters": one.number, "single": one.single}
    if one.single:
        text = f"Each {found.unit} is a cluster of its own ({named(one.column)})."
        return (_next(found), Sentence("check.clusters", text, facts=facts))
    sizes_said = f"{one.smallest:,} to {one.largest:,} {found.unit}s (mean {decimal(one.mean)})"
    if one.smallest == one.largest:
        sizes_said = f"{counted(one.smallest, found.unit)} each"
    text = f"{counted(one.number, 'cluster')} by {named(one.column)}, of {sizes_said}."
    sizes = {"smallest": one.smallest, "largest": one.largest, "mean": one.mean}
    return (_next(found), Sentence("check.clusters", text, facts=facts | sizes))


def warnings(found: CheckStudy) -> tuple[str, ...]:
    """What looks wrong."""
    said = [
        f"{named(one.judge)} shares no item with any person: nothing can be said about it."
        for one in found.overlaps or ()
        if one.with_people == 0
    ]
    if found.unused_cluster:
        said.append('The table has a column cluster, but the task says cluster = "item".')
    if found.doubts.same:
        label, rows = found.doubts.same
        said.append(
            f"All {rows:,} of people's labels are {named(label)}: what judges say of items that "
            "people call otherwise cannot be told."
        )
    said += [
        f"{named(judge)} never says {named(label)}, which is {percent(share)} of people's labels: "
        "is it another scale?"
        for judge, label, share in found.doubts.never[:NAMED]
    ]
    said += [
        f"{named(label)} stands in {rows:,} of {total:,} ratings: is it a slip?"
        for label, rows, total in found.doubts.rare[:NAMED]
    ]
    said += [
        f"{named(rater)} rated {counted(items, 'item')}, all of which divide people: an "
        f"adjudicator is no independent rater ([raters] reference)."
        for rater, items in found.doubts.disputed[:NAMED]
    ]
    return tuple(said)
