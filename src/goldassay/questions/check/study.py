"""What is in a table of ratings, and what would be left out of which question."""

from __future__ import annotations

import narwhals as nw
import numpy as np

from goldassay.counts import Units, count_units, pairing_exclusions
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion, Gathered, Table

__all__ = ["inspect_ratings"]


def inspect_ratings(ratings: Ratings) -> tuple[Gathered, tuple[Exclusion, ...]]:
    """Raters, options, repeats, missing cells, clusters, overlap; and the exclusions of `agree`."""
    findings = Gathered()
    findings.tables["raters"] = _raters(ratings)
    if ratings.task.scale == "continuous":
        items = fetch(ratings.frame.select(n=nw.col("item").n_unique()), place=ratings.name)
        findings.answer.append(_sentence(ratings, int(items["n"][0])))
        return findings, (*ratings.exclusions, *ratings.not_rated())
    units = count_units(ratings)
    findings.answer.append(_sentence(ratings, int(units.n.sum())))
    findings.tables["options"] = _options(units)
    if units.judge_names and ratings.humans:
        findings.tables["overlap"] = _overlap(units)
        for judge in units.judge_names:
            if _shared(units, judge) == 0:
                findings.warnings.append(
                    f"{judge} shares no unit with any person: nothing can be said about it."
                )
    _clusters(ratings, units, findings)
    if "cluster" in ratings.columns and ratings.cluster == "item":
        findings.warnings.append(
            'The table has a column cluster, but the task says cluster = "item".'
        )
    return findings, (*units.exclusions, *pairing_exclusions(units))


def _sentence(ratings: Ratings, units: int) -> str:
    people, judges = len(ratings.humans), len(ratings.judges)
    return (
        f"{ratings.census.rows:,} ratings of {units:,} units by {people} "
        f"{'person' if people == 1 else 'people'} and {judges} judge{'s'[: judges != 1]}."
    )


def _raters(ratings: Ratings) -> Table:
    rows = []
    census = ratings.census
    for kind in ("judge", "human"):
        for rater in census.raters(kind):
            states = [
                census.total(kind=kind, rater=rater, status=s)
                for s in ("rated", "abstained", "invalid", "failed", "empty")
            ]
            share = states[1] / max(sum(states[:4]), 1)
            rows.append((rater, kind, sum(states), *states, f"{share:.1%}"))
    shown = rows[:60]
    notes = (f"and {len(rows) - 60} more raters",) if len(rows) > 60 else ()
    columns = (
        "rater",
        "kind",
        "rows",
        "rated",
        "abstained",
        "invalid",
        "failed",
        "empty",
        "abstains",
    )
    return Table("Raters", columns, tuple(shown), notes)


def _options(units: Units) -> Table:
    size = len(units.options)
    people = (units.human * units.n[:, None]).sum(axis=0)
    rows = []
    for code, label in enumerate((*units.options, "(abstained)", "(invalid)", "(failed)")):
        judged = int(((units.verdict == code).sum(axis=1) * units.n).sum())
        if code < size or judged or people[code]:
            rows.append((label, int(people[code]), judged))
    return Table("Labels", ("label", "by people", "by judges"), tuple(rows))


def _shared(units: Units, judge: str) -> int:
    size = len(units.options)
    rated = (
        (units.verdict[:, units.columns_of(judge)] >= 0)
        & (units.verdict[:, units.columns_of(judge)] < size)
    ).any(axis=1)
    people = units.human[:, :size].any(axis=1)
    return int(units.n[rated & people].sum())


def _overlap(units: Units) -> Table:
    size, total = len(units.options), int(units.n.sum())
    rows = []
    for judge in units.judge_names:
        columns = units.columns_of(judge)
        present = (units.verdict[:, columns] >= 0).any(axis=1)
        seen = int(units.n[present].sum())
        rows.append((judge, len(columns), seen, total - seen, _shared(units, judge)))
    people = units.human.sum(axis=1)
    labelled = int(units.n[people > 0].sum())
    most = int(people.max()) if len(people) else 0
    notes = (
        f"People rated {labelled:,} of {total:,} units, at most {most} ratings a unit; "
        f"{int(units.n[(units.human[:, :size] > 0).sum(axis=1) > 1].sum()):,} units divide them.",
    )
    columns_ = ("judge", "repeats", "units rated", "units missing", "units with people")
    return Table("Overlap", columns_, tuple(rows), notes)


def _clusters(ratings: Ratings, units: Units, findings: Gathered) -> None:
    total = int(units.n.sum())
    if units.single:
        findings.answer.append(f"Each unit is a cluster of its own ({ratings.cluster}).")
        return
    sizes = np.bincount(units.cluster, weights=units.n, minlength=units.n_clusters)
    findings.answer.append(
        f"{units.n_clusters:,} clusters by {ratings.cluster}, of {int(sizes.min())} to "
        f"{int(sizes.max())} units (mean {total / max(units.n_clusters, 1):.1f})."
    )
