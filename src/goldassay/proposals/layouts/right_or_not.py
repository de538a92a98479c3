"""A column that says in every row whether a verdict is the key's: which column is the verdict.

`picked`, `gt` and `correct` with `raw_verdict` beside them: `correct` is true exactly where
`picked` equals `gt`, so that this is what was judged, and the flag says nothing of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import TEXTS
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import folded, kind_of, polarity, words
from goldassay.words import named

__all__ = ["compared_with_key"]

_ENOUGH = 10


def compared_with_key(
    table: Table, roles: Mapping[str, str | None], draft: Draft
) -> dict[str, str | None]:
    """The verdict and the key of such a flag; the roles as they are where there is none."""
    few = {name: column for name, column in table.columns.items() if column.few}
    keys = [n for n in few if kind_of(n) == "reference" and 1 < len(few[n].labels) < 5]
    flags = [
        n
        for n in few
        if n in roles
        and kind_of(n) is None
        and len(few[n].labels) == 2
        and all(yes != no for yes, no in (polarity(folded(one)) for one in few[n].labels))
    ]
    for key in keys:
        theirs = {folded(label) for label in few[key].labels}
        verdicts = [
            n
            for n in few
            if n not in (key, *flags)
            and {folded(label) for label in few[n].labels} & theirs
            and not {*words(n)} & {*TEXTS}
        ]
        for flag in flags:
            mine = [n for n in verdicts if _says_whether(table, flag, n, key)]
            if len(mine) != 1:
                continue
            draft.assume(
                Weight.COLUMNS,
                f"{named(flag)} says whether {named(mine[0])} is {named(key)}, and is left out",
            )
            ask_of_others([n for n in roles if n not in (flag, mine[0], key)], draft)
            return {mine[0]: roles.get(mine[0]) or "judge", key: "reference"}
    return dict(roles)


def _says_whether(table: Table, flag: str, verdict: str, key: str) -> bool:
    seen = {True: 0, False: 0}
    for (said, one, two), rows in counted(table.source, flag, verdict, key).items():
        yes, no = polarity(folded(said))
        if not said or not one or not two:
            continue
        equal = folded(one) == folded(two)
        if yes == no or yes != equal:
            return False
        seen[equal] += rows
    return all(seen.values()) and sum(seen.values()) >= _ENOUGH
