"""Columns that are one judge's: asked in both orders of a pair, or several times.

`verdict_ab` and `verdict_ba` are one judge that saw the two answers in both orders, `gpt4_run1` and
`gpt4_run2` one judge that was asked twice. Read as two judges, each would be held against people
alone, and neither the effect of the order nor the noise of a judge could be seen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.numbered_names import numbered_series
from goldassay.proposals.profile import counted
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import (
    GENERIC,
    TIES,
    folded,
    kind_of,
    plain_name,
    sides_among,
    words,
)
from goldassay.words import named

__all__ = ["in_both_orders", "numbered_scores", "one_judge"]

#: Marks of the two orders, the one in which the sides are named first; "" is no mark.
_ORDERS = (
    *(("ab", "ba"), ("12", "21"), ("original", "swapped"), ("orig", "swapped"), ("orig", "swap")),
    *(("original", "swap"), ("original", "reversed"), ("original", "reverse")),
    *(("original", "flipped"), ("orig", "flip"), ("normal", "swapped"), ("normal", "reversed")),
    *(("forward", "backward"), ("forward", "reverse"), ("forward", "reversed"), ("fwd", "rev")),
    *(("order1", "order2"), ("order_1", "order_2"), ("pos1", "pos2"), ("a_first", "b_first")),
    *(("game1", "game2"), ("game_1", "game_2"), ("g1", "g2"), ("base", "swapped")),
    *(("swap_false", "swap_true"), ("swapped_false", "swapped_true")),
    *(("", "swapped"), ("", "swap"), ("", "reversed"), ("", "flipped"), ("", "inverted")),
)
#: Marks of one of several runs.
_RUN = re.compile(
    r"(?:^|_)(?:run|trial|sample|rep|repeat|repetition|replicate|attempt|iter|iteration|seed|try|"
    r"epoch|generation|gen|call|temp0|pass|vote|draw|resample)_?(\d+)(?=_|$)"
)
#: Words of what is numbered where each number is a judge of its own.
_VERSIONS = frozenset(
    [
        *("v", "ver", "version", "prompt", "template", "variant", "config", "setting", "setup"),
        *("experiment", "exp", "condition", "rubric", "strategy"),
    ]
)
#: A member of the records in a list of judgments.
_IN_A_LIST = re.compile(r"^(judge?ments?|evaluations?|verdicts|votes|games)_(\d+)_\w+$")
#: Names of lists of judgments, whose two members are the two orders where the labels say so.
_JUDGMENTS = frozenset(
    [
        *("judgment", "judgments", "judgement", "judgements", "evaluation", "evaluations"),
        *("verdicts", "games"),
    ]
)
#: How many standard errors tell the two ways of naming sides apart.
_CLEAR = 2.0


def one_judge(table: Table, shape: Shape, draft: Draft) -> None:
    """Mark columns of one judge by `order` or `sample`, in the cells of a shape."""
    _in_both_orders(table, shape, draft)
    _in_runs(shape, draft)


def in_both_orders(names: Sequence[str]) -> list[str]:
    """The columns that go together in pairs by the mark of an order.

    >>> in_both_orders(["fwd_verdict", "rev_verdict", "score"])
    ['fwd_verdict', 'rev_verdict']
    """
    pairs = [pair for pair in _pairs({name: plain_name(name) for name in names}) if pair[3]]
    return [name for name in names if any(name in pair[:2] for pair in pairs)]


def numbered_scores(names: Sequence[str]) -> list[str]:
    """Columns such as score_0, score_1 and score_2 that say nothing but that they are ratings,
    numbered from 0 or 1 without a gap; else nothing.

    >>> numbered_scores(["score_1", "score_2", "comment"]), numbered_scores(["ann_1", "ann_2"])
    (['score_1', 'score_2'], [])
    """
    for stem, found in numbered_series(names).items():
        if {*stem.split("_")} <= GENERIC and _are_counted(found):
            return list(found.values())
    return []


def _are_counted(numbers: Collection[str]) -> bool:
    """Numbers from 0 or 1 on without a gap, two at least."""
    if len(numbers) < 2 or not all(map(str.isdigit, numbers)):
        return False
    found = sorted(map(int, numbers))
    return found[0] in (0, 1) and found == list(range(found[0], found[0] + len(found)))


def _in_both_orders(table: Table, shape: Shape, draft: Draft) -> None:
    """Pairs of judges' columns that differ in the mark of an order, or are numbered judgments of
    which the second names the sides the other way round."""
    judges = {
        n: plain_name(n)
        for n, cell in shape.cells.items()
        if cell.get("kind") == "judge" and _sides(table, n) is not None
    }
    people = [n for n, c in shape.cells.items() if c.get("kind") != "judge" and _sides(table, n)]
    for first, second, stem, sure in _pairs(judges):
        mirrored = _mirrored(table, first, second, people)
        if not sure and mirrored is not True:
            continue
        for name, order in ((first, "system_first"), (second, "opponent_first")):
            shape.cells[name] |= {"rater": stem, "order": order}
        shape.sides = True
        draft.assume(
            Weight.WHO,
            f"{named(first)} and {named(second)} are one judge, {named(stem)}, that was shown the "
            "two answers in both orders",
        )
        side = "the side that was shown first, as `A`, is the second of the row"
        if mirrored:
            shape.cells[second]["mirrored"] = "yes"
            draft.assume(
                Weight.POSITIVE,
                f"{named(second)} names sides as they were shown, the other way round (with that "
                "the two orders agree more often); it is turned back",
            )
        elif mirrored is None and "mirrored" not in draft.declared.cells(table.source).get(
            second, ()
        ):
            draft.lack(
                f"In {named(second)}, which answers were shown in the other order, is {side}?",
                *({"cells": {table.own(second): {"mirrored": said}}} for said in ("yes", "no")),
            )


def _pairs(judges: Mapping[str, str]) -> list[tuple[str, str, str, bool]]:
    """(first order, second order, what both are called, whether the names say so) of columns."""
    by_plain = {plain: name for name, plain in judges.items()}
    found: list[tuple[str, str, str, bool]] = []
    used: set[str] = set()
    for name, plain in judges.items():
        for one, two, sure in (*((a, b, True) for a, b in _ORDERS), ("1", "2", False)):
            if not sure and not set(plain.split("_")) & _JUDGMENTS:
                continue
            other = by_plain.get(_replaced(plain, two, one) or "")
            if other is None or other == name or {name, other} & used:
                continue
            if not sure and by_plain.get(_replaced(plain, two, "3") or ""):
                continue  # three judgments are no two orders
            stem = _replaced(plain, two, "") or plain
            found.append((other, name, stem.strip("_") or "judge", sure))
            used |= {name, other}
    return found


def _replaced(plain: str, mark: str, other: str) -> str | None:
    """A name with one mark in place of another; None where it has no such mark."""
    made = re.sub(rf"(^|_){re.escape(mark)}(?=_|$)", rf"\g<1>{other}", plain, count=1)
    return None if made == plain else re.sub(r"_+", "_", made).strip("_")


def _sides(table: Table, name: str) -> tuple[str, str] | None:
    """The two folded labels with which a column names sides; None where it does not."""
    labels = {_plain_side(label) for label in table.columns[name].labels}
    for one, two in sides_among(labels):
        if {one, two} <= labels <= {one, two, *TIES} and one not in ("0", "win", "chosen"):
            return one, two
    return None


def _plain_side(label: str) -> str:
    return re.sub(r">>|<<", lambda m: m[0][0], folded(label))


def _mirrored(table: Table, first: str, second: str, people: Sequence[str]) -> bool | None:
    """Whether the second column names sides the other way round: then it differs from the first,
    and from people, more often than not. None where that cannot be told."""
    same = other = 0
    for name in (first, *people):
        mine, theirs = _sides(table, second), _sides(table, name)
        if mine is None or theirs is None:
            continue
        for (a, b), rows in counted(table.source, second, name).items():
            said, held = _plain_side(a), _plain_side(b)
            if said in mine and held in theirs:
                if mine.index(said) == theirs.index(held):
                    same += rows
                else:
                    other += rows
    if not same + other or abs(same - other) < _CLEAR * math.sqrt(same + other):
        return None
    return other > same


def _in_runs(shape: Shape, draft: Draft) -> None:
    """Judges' columns that are numbered runs of one judge."""
    judges = [n for n, c in shape.cells.items() if c.get("kind") == "judge" and "order" not in c]
    runs: dict[str, dict[str, str]] = {}
    for name in judges:
        plain = plain_name(name)
        if match := _RUN.search(plain):
            stem = (plain[: match.start()] + plain[match.end() :]).strip("_")
            runs.setdefault(stem or "judge", {})[match[1]] = name
        elif match := _IN_A_LIST.match(plain):
            runs.setdefault(match[1], {})[match[2]] = name
    rest = [name for name in judges if not any(name in one.values() for one in runs.values())]
    for stem, found in numbered_series(rest).items():
        if not _are_counted(found) or {*stem.split("_")} & _VERSIONS:
            continue
        if _says_one(stem):
            runs[stem] = found
        else:
            times = len(found)
            draft.ask(
                f"Are {some(list(found.values()))} one judge that was asked {times} times? They "
                f"are read as {times} judges; if so",
                {"cells": {n: {"rater": stem, "sample": at} for at, n in found.items()}},
            )
    for stem, found in runs.items():
        if len(found) < 2:
            continue
        for number, name in found.items():
            shape.cells[name] |= {"rater": stem, "sample": number}
        draft.assume(
            Weight.WHO,
            f"{some(list(found.values()))} are one judge, {named(stem)}, asked {len(found)} times",
        )


def _says_one(stem: str) -> bool:
    """Whether a numbered name is of one judge: what is numbered is its verdict (`judge_score_1`),
    or a model with its version (`gpt4_1`); `judge_1` and `claude_2` may be different ones."""
    parts = stem.split("_")
    verdict = parts[-1] in GENERIC
    version = kind_of(stem) == "judge" and bool(re.search(r"\d", stem))
    return verdict or (version and not set(words(stem)) & {"judge", "rater", "evaluator"})
