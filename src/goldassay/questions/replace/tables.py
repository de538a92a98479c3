"""A line for each judge, and a table of every person it was held against."""

from __future__ import annotations

from goldassay.questions.replace.study import JudgeStudy, ReplaceStudy
from goldassay.results import Estimate, Line, Summary, Table
from goldassay.words import counted, figure, interval_text, p_value, percent, points

__all__ = ["VERDICTS", "summary", "tables"]

VERDICTS = {"yes": "yes", "no": "no", "unknown": "cannot tell", "few": "too few ratings"}
#: The columns of a test.
TESTED = ("advantage", "interval", "p", "matched")


def summary(found: ReplaceStudy) -> Summary:
    """The judges, the one that is most often as close to the others as a person first."""
    lines = []
    for one in found.judges:
        matched = f"{len(one.matched)} of {len(one.people)}" if one.people else None
        cells = (one.advantage_probability, matched, VERDICTS[one.verdict], one.n_items)
        lines.append(Line(one.judge, cells))
    epsilon, level = points(found.settings.epsilon), percent(1 - found.task.confidence_level)
    return Summary(
        "judge",
        ("advantage_probability", "people matched", "may stand in", f"{found.unit}s"),
        tuple(lines),
        (
            f"matched: shown to be at least as close to the other people, less {epsilon}; false "
            f"discoveries held at {level}",
        ),
    )


def tables(found: ReplaceStudy) -> dict[str, Table]:
    """By judge, the people it was held against, and those left out."""
    made = {}
    for one in found.judges:
        if one.people:
            made[f"people_{one.judge}"] = _people(one, found)
    for column in dict.fromkeys(part.column for part in found.slices):
        made[f"by_{column}"] = _slices(found, column)
    least = found.settings.min_items
    rows = tuple(
        (one.judge, person, number) for one in found.judges for person, number in one.left_out
    )
    if rows:
        made["left_out"] = Table(
            "People left out",
            ("judge", "person", f"{found.unit}s"),
            rows,
            (
                f"Fewer than {counted(least, found.unit)} that another person and the judge rated "
                "too; their ratings still count among the others'.",
            ),
        )
    return made


def _slices(found: ReplaceStudy, column: str) -> Table:
    rows = []
    for part in found.slices:
        for one in part.judges if part.column == column else ():
            close = one.advantage_probability
            rows.append(
                (
                    part.label,
                    one.judge,
                    figure(close) if isinstance(close, Estimate) else None,
                    f"{len(one.matched)} of {len(one.people)}" if one.people else None,
                    VERDICTS[one.verdict],
                    one.n_items,
                )
            )
    return Table(
        f"By {column}",
        (column, "judge", "advantage probability", "matched", "may stand in", f"{found.unit}s"),
        tuple(rows),
        (f"Each {column} by itself: of many, some may pass or fail by chance.",),
    )


def _people(one: JudgeStudy, found: ReplaceStudy) -> Table:
    rows = []
    for person in one.people:
        interval = person.advantage.interval
        span = interval_text(interval.low, interval.high, rate=True) if interval else None
        told = "yes" if person.matched else "no" if person.worse else "cannot tell"
        shares = (person.judge_wins, person.person_wins, person.advantage.value)
        rows.append(
            (person.person, person.advantage.n_items, *shares, span, p_value(person.p_value), told)
        )
    return Table(
        f"Who is as close to the others, the judge or the person: {one.judge}",
        ("person", f"{found.unit}s", "judge", "person as close", *TESTED),
        tuple(rows),
        (
            f"judge, person as close: share of {found.unit}s on which it is at least as close to "
            "the other people; matched: the advantage is shown to exceed "
            f"-{points(found.settings.epsilon)}",
        ),
    )
