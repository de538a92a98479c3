"""Columns that count the votes for each option, as one column for every voter (`[file] votes`).

`yes_votes, no_votes` of a row with 3 and 2 are five people, `person 1` to `person 5`. Whose vote is
whose was not kept. The votes of a row go round by its number, so that no name stands for one
option; what is said of a single name means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.errors import SourceError, listed
from goldassay.sources.engine import kept, named, queried, quoted

__all__ = ["MOST_VOTES", "VOTER", "with_voters"]

#: What the columns of voters are called, before their number; and how many there may be.
VOTER, MOST_VOTES = "person", 100


def with_voters(relation: Any, votes: Mapping[str, str], place: str) -> Any:
    """The table with a column for each voter instead of the counts; a file that has none of the
    columns stays as it is."""
    there = [name for name in votes if name in relation.columns]
    if not there:
        return relation
    if len(there) < len(votes):
        lacking = [name for name in votes if name not in there]
        raise SourceError(
            place, f"[file] votes: must have the columns {listed(lacking)} as well as {there[0]}"
        )
    counts = {name: f"TRY_CAST(trim(CAST({named(name)} AS VARCHAR)) AS DOUBLE)" for name in there}
    bad = " OR ".join(
        f"(nullif(trim(CAST({named(name)} AS VARCHAR)), '') IS NOT NULL AND "
        f"({count} IS NULL OR {count} < 0 OR {count} <> floor({count})))"
        for name, count in counts.items()
    )
    total = " + ".join(f"coalesce({count}, 0)" for count in counts.values())
    found = relation.aggregate(f"count(*) FILTER (WHERE {bad}), max({total})").fetchall()[0]
    wrong, most = int(found[0]), int(found[1] or 0)
    if wrong:
        raise SourceError(
            place, "[file] votes: counts must be whole numbers", found=f"{wrong:,} rows"
        )
    if not 0 < most <= MOST_VOTES:
        raise SourceError(
            place,
            f"[file] votes: an item must have from 1 to {MOST_VOTES} votes",
            found=f"{most:,}",
            next_step="Give the share or the majority in a column of its own",
        )
    return kept(_voters(relation, votes, counts, most))


def _voters(relation: Any, votes: Mapping[str, str], counts: Mapping[str, str], most: int) -> Any:
    so_far, sums = "0", []
    for at, count in enumerate(counts.values()):
        so_far = f"{so_far} + coalesce({count}, 0)"
        sums.append(f"CAST({so_far} AS INTEGER) AS {named(f'=sum {at}')}")
    rest = [name for name in relation.columns if name not in votes]
    last = named(f"=sum {len(counts) - 1}")
    voters = []
    for place in range(most):
        turn = f"(({place} + {named('=row')}) % {last}) + 1"
        cases = " ".join(
            f"WHEN {turn} <= {named(f'=sum {at}')} THEN {quoted(votes[name])}"
            for at, name in enumerate(counts)
        )
        voters.append(
            f"CASE WHEN {place} < {last} THEN CASE {cases} END END AS "
            f"{named(f'{VOTER} {place + 1}')}"
        )
    inner = f"SELECT *, {', '.join(sums)}, row_number() OVER () AS {named('=row')} FROM"
    return queried(
        relation,
        lambda rows: f"SELECT {', '.join([*map(named, rest), *voters])} FROM ({inner} {rows})",
    )
