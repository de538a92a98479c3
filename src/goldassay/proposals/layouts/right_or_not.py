"""A column that says in every row whether a verdict is the key's: which column is the verdict.

`picked`, `gt` and `correct` with `raw_verdict` beside them: `correct` is true exactly where
`picked` equals `gt`, so that this is what was judged, and the flag says nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import TEXTS
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Table
from goldassay.ratings.vocabulary import folded, kind_of, plain_name, polarity, words
from goldassay.words import named

__all__ = ["compared_with_key"]

_ENOUGH = 10
#: Words of a flag that says whether something is right.
_RIGHT = frozenset(["correct", "match", "matches", "right"])


def compared_with_key(
    table: Table, roles: Mapping[str, str | None], draft: Draft
) -> dict[str, str | None]:
    """The verdict and the key of such a flag; the roles as they are where there is none."""
    few = {name: column for name, column in table.columns.items() if column.few}
    keys = [n for n in few if _is_key(n) and len(few[n].labels) < 5]
    alone = "human" not in roles.values()  # beside people's labels a judge's may be of anything
    flags = [
        n
        for n in few
        if n in roles
        and (kind_of(n) is None or (alone and {*words(n)} & _RIGHT))
        and len(few[n].labels) == 2
        and all(yes != no for yes, no in (polarity(folded(one)) for one in few[n].labels))
    ]
    for key in keys:
        theirs = {*map(_meant, few[key].labels)}
        verdicts = [
            n
            for n in few
            if n not in (key, *flags)
            and {*map(_meant, few[n].labels)} & theirs
            and not {*words(n)} & {*TEXTS}
        ]
        found = {
            flag: min(mine, key=lambda n: "raw" in words(n))  # several say the same in all rows
            for flag in flags
            if (mine := [n for n in verdicts if _says_whether(table, flag, n, key)])
        }
        if not found:
            continue
        for flag, verdict in found.items():
            draft.assume(
                Weight.COLUMNS,
                f"{named(flag)} says whether {named(verdict)} is {named(key)}, and is left out",
            )
        ask_of_others([n for n in roles if n not in (*found, *found.values(), key)], draft)
        judged = {verdict: roles.get(verdict) or "judge" for verdict in found.values()}
        return {**judged, key: "reference"}
    return dict(roles)


def _is_key(name: str) -> bool:
    """A name of the right answer, or of what is true."""
    return kind_of(name) == "reference" or plain_name(name) in ("true", "truth", "actual", "y_true")


#: "A>B" names the side that wins first, "A<B" last.
_PAIR = re.compile(r"(\w+)\s*(?:>+|<+)\s*(\w+)")


def _meant(label: str) -> str:
    """A label, and of two sides in an order (`A>B`) the one that wins.

    >>> _meant("A>B"), _meant("a << b"), _meant("Yes ")
    ('a', 'b', 'yes')
    """
    said = folded(label)
    pair = _PAIR.fullmatch(said)
    return said if pair is None else pair[1 if ">" in said else 2]


def _says_whether(table: Table, flag: str, verdict: str, key: str) -> bool:
    seen = {True: 0, False: 0}
    for (said, one, two), rows in counted(table.source, flag, verdict, key).items():
        yes, no = polarity(folded(said))
        if not said or not one or not two:
            continue
        equal = _meant(one) == _meant(two)
        if yes == no or yes != equal:
            return False
        seen[equal] += rows
    return all(seen.values()) and sum(seen.values()) >= _ENOUGH
