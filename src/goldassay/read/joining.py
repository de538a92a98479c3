"""Several files as one reading: read one by one, then joined on the values of their keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from goldassay.read.arguments import Arguments, Said
from goldassay.read.contents import Content
from goldassay.read.readings import Open, Reading
from goldassay.read.records import ROW, File, opened
from goldassay.read.words import who

__all__ = ["joined_readings"]

#: The least share of keys that must find a partner.
PARTNERS = 0.3


def joined_readings(
    given: Sequence[Content], usable: Sequence[tuple[Content, Sequence[Reading]]]
) -> Iterator[Reading]:
    """Readings of all files together, best first."""
    first = usable[0][1][0]
    files = {content.path: opened(content, first.arguments.rows) for content in given}
    alike = len(usable) == len(given) and len({frozenset(f.columns) for f in files.values()}) == 1
    if alike:
        yield from _alike(list(files.values()), first)
    yield from _beside(usable)
    if alike:
        yield replace(first, open=(*first.open, Open("join", "are these files parts of one?")))
    yield replace(first, open=(*first.open, Open("join", "which files hold ratings?")))


def _alike(files: Sequence[File], first: Reading) -> Iterator[Reading]:
    """Files of the same columns: of the same items raters, else parts of one table."""
    key = [part for one in first.arguments.item for part in one if part != ROW]
    keys = [_values(file, key) for file in files]
    shared = set.intersection(*keys) if key or "item" in files[0].columns else set()
    least = min(map(len, keys))
    rated = [one.what or one.who for one in first.arguments.raters]
    wide = all(one.what is None for one in first.arguments.raters)
    if not shared or len(shared) < PARTNERS * least or not wide:
        yield replace(first, open=(*first.open, Open("join", "are these files parts of one?")))
        return
    said, asked = [], []
    for file in files:
        whose = who(_differing(file, files))
        whose = whose if whose.kind else who(file.content.stem)
        said.append(Said(whose.kind or "human", f"file:{file.name}", ",".join(rated)))
        if not whose.sure:
            asked.append(Open("whose", f"whose ratings are those of `{file.name}`?"))
    arguments = replace(first.arguments, raters=tuple(said))
    join = Open("join", f"is each file a rater? they share {len(shared):,} items")
    yield replace(first, arguments=arguments, open=(*asked, join))


def _beside(usable: Sequence[tuple[Content, Sequence[Reading]]]) -> Iterator[Reading]:
    """Files of different columns, each read as alone, their keys joined."""
    chosen = [found[0] for _, found in usable]
    rows = {one.arguments.rows for one in chosen}
    if len(rows - {None}) > 1:
        return
    files = [
        opened(content, one.arguments.rows)
        for (content, _), one in zip(usable, chosen, strict=True)
    ]
    items = _keys(files, chosen)
    said: list[Said] = []
    asked: list[Open] = []
    for file, one in zip(files, chosen, strict=True):
        others = [other for other in files if other is not file]
        for claim in one.arguments.raters:
            twice = any(other.has(claim.who) for other in others) and claim.what is None
            by_file = Said(claim.kind, f"file:{file.name}", claim.who)
            said.append(by_file if twice else claim)
        asked += one.open
    merged = Arguments(
        raters=tuple(dict.fromkeys(said)),
        item=tuple(dict.fromkeys(items)),
        value=_union(one.arguments.value for one in chosen),
        rater=_union(one.arguments.rater for one in chosen),
        criterion=_union(one.arguments.criterion for one in chosen),
        system=_union(one.arguments.system for one in chosen),
        opponent=_union(one.arguments.opponent for one in chosen),
        rows=next(iter(rows - {None}), None),
    )
    score = sum(one.score for one in chosen) / len(chosen)
    yield Reading(
        merged, score, files[0], (*asked, Open("join", "do these files belong together so?"))
    )


def _union(several: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for texts in several for text in texts))


def _keys(files: Sequence[File], chosen: Sequence[Reading]) -> list[tuple[str, ...]]:
    """A key for each file, so that their values meet most."""
    own = [next(iter(one.arguments.item), ()) for one in chosen]
    if len(files) < 2:
        return [key for key in own if key and not isinstance(key, str)]
    options = []
    for file, key in zip(files, own, strict=True):
        names = [
            name
            for name in file.columns
            if re.search(r"(^|_|\.)(id|key|uid|idx|qid)$", name.lower())
        ]
        options.append([tuple(key)] * bool(key) + [(name,) for name in names[:6]])
    best: tuple[float, tuple[tuple[str, ...], ...]] = (0.0, ())
    for some in product(*(one or [()] for one in options)):
        held = [_values(file, key) for file, key in zip(files, some, strict=True)]
        least = min(map(len, held))
        share = len(set.intersection(*held)) / least if least else 0.0
        bonus = 0.05 * sum(key == mine for key, mine in zip(some, own, strict=True))
        if share + bonus > best[0]:
            best = (share + bonus, some)
    return [key for key in best[1] or own if key and not isinstance(key, str)]


def _values(file: File, key: Sequence[str]) -> set[object]:
    """The keys of a file's rows."""
    columns = key or ("item",) if "item" in file.columns else key
    cells = [
        tuple(str(entry.value) for column in columns for entry in file.entries(row, column)[:1])
        for row in file.rows[:5_000]
    ]
    return {one for one in cells if any(one)} if columns else set()


def _differing(file: File, files: Sequence[File]) -> str:
    """The words of a file's name that the others do not have."""
    words = [set(re.split(r"[^A-Za-z0-9]+", other.content.stem)) for other in files]
    shared = set.intersection(*words)
    parts = [one for one in re.split(r"[^A-Za-z0-9]+", file.content.stem) if one not in shared]
    return "_".join(parts) or file.content.stem
