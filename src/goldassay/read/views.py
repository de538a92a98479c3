"""The ways in which a file may be rows: as it stands, or below a path of `--rows`; a few."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from goldassay.read.contents import Content
from goldassay.read.records import File, opened

__all__ = ["MOST", "views"]

#: Views of one file, levels of records, and elements of a list that are looked at.
MOST, DEEPEST, ELEMENTS = 10, 4, 5


def views(content: Content) -> list[tuple[str | None, File]]:
    """The rows of a content under each path, the plainest first."""
    found: list[tuple[str | None, File]] = [(None, opened(content, None))]
    if isinstance(content.root, list):
        inner = [one for one in content.root[:ELEMENTS] if isinstance(one, dict)]
        paths = [path for one in inner for path in _paths(one, (), 1)]
    else:
        paths = list(_paths(content.root, (), 0))
    for path in dict.fromkeys(map(_named, paths)):
        if len(found) == MOST:
            break
        file = opened(content, path)
        if file.found and len(file.rows) > 1:
            found.append((path, file))
    return found


def _paths(node: Any, way: tuple[str, ...], depth: int) -> Iterator[str]:
    """The paths to lists of records, and through maps of records that are alike."""
    if depth > DEEPEST or not isinstance(node, dict):
        return
    records = [one for one in node.values() if isinstance(one, dict)]
    if len(records) > 1 and len(records) == len(node) and _maps(records):
        inner = len({key for one in records for key in one})
        pair = "{rater}.{item}" if len(records) < inner else "{item}.{rater}"
        yield ".".join((*way, pair))
    if len(records) > 1 and len(records) == len(node) and _alike(records):
        name = "{}"
        yield ".".join((*way, name))
        yield from _paths(records[0], (*way, name), depth + 1)
        return
    for key, value in node.items():
        if "." in key or any(sign in key for sign in "*?{}"):  # no part of a path
            continue
        if isinstance(value, list) and sum(isinstance(x, dict) for x in value[:ELEMENTS]) > 0:
            yield ".".join((*way, key))
            first = next(x for x in value if isinstance(x, dict))
            yield from _paths(first, (*way, key), depth + 1)
        elif isinstance(value, dict):
            yield from _paths(value, (*way, key), depth + 1)


def _named(path: str) -> str:
    """A path whose maps have names: the innermost one's keys are items.

    >>> _named("a.{}.{}.b")
    'a.{level1}.{item}.b'
    """
    *outer, last = path.split("{}")
    named = [f"{part}{{level{at}}}" for at, part in enumerate(outer, 1)]
    if named:
        named[-1] = f"{outer[-1]}{{item}}"
    return "".join(named) + last


def _maps(records: list[dict[str, Any]]) -> bool:
    """Whether records are maps of names to labels of one kind, and no records."""
    values = [value for one in records[:50] for value in list(one.values())[:50]]
    if len(values) < 4 or any(one is None or isinstance(one, dict | list) for one in values):
        return False
    return len({type(one) for one in values}) == 1 and len({str(one) for one in values}) <= 12


def _alike(records: list[dict[str, Any]]) -> bool:
    """Whether records have nearly the same keys, or are maps of records themselves."""
    first = set(records[0])
    others = [set(one) for one in records[1:50]]
    alike = sum(len(first & one) >= 0.6 * len(first | one) for one in others)
    if alike >= 0.8 * len(others):
        return True
    inner = [value for one in records[:ELEMENTS] for value in list(one.values())[:ELEMENTS]]
    return len(inner) > 1 and all(isinstance(one, dict) for one in inner) and _alike(inner)
