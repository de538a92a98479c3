"""Why a file has no ratings, in words that are true of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.read.contents import Content
from goldassay.read.profile import Profile
from goldassay.read.records import File
from goldassay.read.words import head, heads, tokens
from goldassay.words import named

__all__ = ["marks", "refusal", "sums_up"]

#: Words of what sums up, beside those that are derived.
_MEASURES = frozenset(
    ["accuracy", "precision", "recall", "f1", "kappa", "alpha", "auc", "auroc", "bleu", "rouge",
     "n", "win", "wins", "losses", "ties", "rate", "std", "mean", "avg", "average", "total", "ci",
     "low", "high", "lower", "upper", "correlation", "pearson", "spearman", "kendall", "elo",
     "rank"]
)  # fmt: skip
#: Rows up to which a table of measures sums something up.
_FEW = 200
_SPANS = re.compile(
    r"(^|[._])(start|end|span|spans|offset|offsets|begin|(start|end|input|output|char)_idx)([._]|$)"
)


def sums_up(profiles: Mapping[str, Profile]) -> tuple[str, list[str]] | None:
    """What each row sums up, and by which measures; None where rows are no summaries."""
    rows = max((len(one.cells) for one in profiles.values()), default=0)
    numbers = [one for one in profiles.values() if one.numbers is not None and one.longest <= 1]
    measures = [
        one.name
        for one in numbers
        if (set(tokens(one.name)) & _MEASURES or "derived" in head(one.name))
        and not one.whole | (one.kind in ("bool", "grade"))
    ]
    counts = [
        one.name
        for one in numbers
        if one.whole and set(tokens(one.name)) & {"n", "count", "total", "num", "items"}
    ]
    fractions = [one for one in numbers if one.kind == "number" and not one.whole]
    rated = [one for one in profiles.values() if one.evidence > 1.5 and one.kind != "number"]
    texts = any(one.kind == "text" for one in profiles.values())
    if rows > _FEW or rated or texts or not numbers:
        return None
    enough = (
        len(measures) >= 2
        or (measures and counts)
        or (measures and len(fractions) >= 1 and rows <= 30)
    )
    if not enough:
        return None
    what = next(
        (
            one.name
            for one in profiles.values()
            if one.kind in ("id", "name", "label", "constant") and one.numbers is None
        ),
        "group",
    )
    return what, [*counts[:1], *measures[:3]]


def marks(file: File) -> list[str]:
    """The columns that mark places in texts."""
    return [name for name in file.columns if _SPANS.search(name.lower())]


def refusal(content: Content, views: Sequence[tuple[File, Mapping[str, Profile]]]) -> str:
    """Why there is nothing to read."""
    file, first = views[0]
    if not content.root:
        return "has no ratings: it is empty"
    for _, profiles in views:
        if summed := sums_up(profiles):
            what, measures = summed
            shown = ", ".join(map(named, measures))
            rows = max(len(one.cells) for one in profiles.values())
            each = f"each of its {rows:,} rows sums up one {named(what)}"
            said = each if rows > 1 else "it sums results up"
            return f"has no ratings: {said} ({shown}). Give the file with one row per answer"
    if file.alone and isinstance(content.root, dict) and _share_of_numbers(content.root) > 0.4:
        keys = ", ".join(named(key) for key in list(content.root)[:4])
        return (
            f"has no ratings: it holds results by name ({keys}). Give the file with one row per "
            "answer"
        )
    for other, _ in views:
        if marked := marks(other):
            shown = ", ".join(map(named, marked[:3]))
            return (
                f"has no ratings: it holds places in texts that are marked ({shown}), not one "
                "rating per item. Count or weigh them into a column first"
            )
    empty = [
        one.name
        for one in first.values()
        if one.kind == "empty" and heads(one.name) & {"value", "rater"}
    ]
    constant = [
        one.name for one in first.values() if one.kind == "constant" and "value" in heads(one.name)
    ]
    if empty or constant:
        shown = ", ".join(map(named, (empty or constant)[:3]))
        if empty:
            return f"has no ratings: {shown} is empty. Give the file again when somebody has rated"
        return f"has no ratings that differ: {shown} says the same everywhere, and no more is rated"
    kinds = sorted({_called(one) for one in first.values()} - {""})
    shown = " and ".join(kinds) or "nothing that varies"
    columns = ", ".join(map(named, list(file.columns)[:6]))
    return (
        f"has no ratings: its columns ({columns}) hold {shown} only. Give the file of the ratings"
    )


def _called(one: Profile) -> str:
    return {
        "text": "texts",
        "name": "texts",
        "id": "ids",
        "time": "times",
        "label": "attributes",
        "bool": "attributes",
        "grade": "numbers",
        "number": "numbers",
    }.get(one.kind, "")


def _share_of_numbers(root: Any) -> float:
    """How many of the scalars within are numbers."""
    leaves = list(_leaves(root))[:5_000]
    numbers = sum(isinstance(one, int | float) and not isinstance(one, bool) for one in leaves)
    return numbers / max(1, len(leaves))


def _leaves(node: Any) -> Iterator[Any]:
    if isinstance(node, dict | list):
        for one in node.values() if isinstance(node, dict) else node:
            yield from _leaves(one)
    else:
        yield node
