"""References: what is held against judges and is no independent person."""

from __future__ import annotations

from typing import Any

import narwhals as nw

from goldassay.frozen import dataclass
from goldassay.ratings.census import Census
from goldassay.ratings.task import Task
from goldassay.results import Exclusion
from goldassay.words import listed, named

__all__ = ["Apart", "references_apart"]


@dataclass(frozen=True, slots=True)
class Apart:
    """Ratings without the references among them, and what was done with these."""

    frame: nw.LazyFrame[Any]
    census: Census
    exclusions: tuple[Exclusion, ...] = ()
    said: tuple[str, ...] = ()
    #: Whether references are still among the rows, as the resolutions where people differ.
    resolves: bool = False
    #: References that stand where there are no people.
    instead: tuple[str, ...] = ()


def references_apart(frame: nw.LazyFrame[Any], census: Census, task: Task) -> Apart:
    """A reference is no person, and it is said so: it stands where there are no people; with
    `reference = "adjudicated"` it is what was resolved where people differ; else it is apart."""
    names = census.raters("reference")
    if not names:
        return Apart(frame, census)
    usual = "adjudicated" if task.reference == "adjudicated" else "answer key"
    who = listed([f"{named(name)} ({task.references.get(name, usual)})" for name in names])
    rows = sum(n for (kind, _, _), n in census.counts.items() if kind == "reference")
    is_reference = nw.col("kind") == nw.lit("reference")
    if not census.raters("human"):
        kind = nw.when(is_reference).then(nw.lit("human")).otherwise(nw.col("kind"))
        counts = {
            ("human" if k == "reference" else k, r, s): n for (k, r, s), n in census.counts.items()
        }
        alone = "the reference, not an independent person"
        alone = alone if len(names) == 1 else "references, not independent persons"
        if len(names) == 1 and task.references.get(names[0]) == "unknown":
            who, alone = named(names[0]), "the reference; nothing says who gave it"
        return Apart(
            frame.with_columns(kind=kind),
            Census(census.rows, counts),
            said=(f"Judges are held against {who}: {alone}.",),
            instead=tuple(names),
        )
    people = {k: n for k, n in census.counts.items() if k[0] != "reference"}
    used = task.reference == "adjudicated" and task.scale != "continuous"
    if used:
        said = f"{who} is the reference where it resolves what people differ on; elsewhere it is "
        said += "their majority. People's agreement is of their own labels alone."
        reason = "a resolution where people differ, used as the reference"
    else:
        said = f"{who} is no independent person and is kept apart from people's ratings."
        reason = "of a reference, kept apart from people"
    return Apart(
        frame if used else frame.filter(~is_reference),
        Census(census.rows - rows, people),
        (Exclusion(reason, rows),),
        (said,),
        used,
    )
