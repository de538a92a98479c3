"""What is in a table, in sentences."""

from __future__ import annotations

from goldassay.questions.check.study import CheckStudy
from goldassay.results import Sentence

__all__ = ["sentences", "warnings"]


def sentences(found: CheckStudy) -> tuple[Sentence, ...]:
    """How much there is, and what a resample draws."""
    people = "person" if found.people == 1 else "people"
    judges = f"judge{'s'[: found.judges != 1]}"
    read = Sentence(
        "check.read",
        f"{found.rows_read:,} ratings of {found.units:,} units by {found.people} {people} and "
        f"{found.judges} {judges}.",
        facts={
            "ratings": found.rows_read,
            "units": found.units,
            "people": found.people,
            "judges": found.judges,
        },
    )
    return (read, *([_clusters(found)] if found.clusters else []))


def _clusters(found: CheckStudy) -> Sentence:
    one = found.clusters
    assert one is not None
    facts = {"column": one.column, "clusters": one.number, "single": one.single}
    if one.single:
        text = f"Each unit is a cluster of its own ({one.column})."
        return Sentence("check.clusters", text, facts=facts)
    text = (
        f"{one.number:,} clusters by {one.column}, of {one.smallest} to {one.largest} units "
        f"(mean {one.mean:.1f})."
    )
    sizes = {"smallest": one.smallest, "largest": one.largest, "mean": one.mean}
    return Sentence("check.clusters", text, facts=facts | sizes)


def warnings(found: CheckStudy) -> tuple[str, ...]:
    """What looks wrong."""
    said = [
        f"{one.judge} shares no unit with any person: nothing can be said about it."
        for one in found.overlaps or ()
        if one.with_people == 0
    ]
    if found.unused_cluster:
        said.append('The table has a column cluster, but the task says cluster = "item".')
    return tuple(said)
