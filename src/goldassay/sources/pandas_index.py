"""Frames of pandas as tables: what stands in the index is read as columns."""

from __future__ import annotations

from typing import Any

from goldassay.errors import RatingsError, listed, shown
from goldassay.sources.layout import check_once

__all__ = ["index_as_columns"]

#: What pandas calls an index of numbers; without a name they are those of rows.
_NUMBERS = frozenset(["integer", "floating", "mixed-integer-float", "empty"])


def index_as_columns(native: Any, place: str) -> Any:
    """A frame of pandas, or of a library like it, with its index's levels as columns in front.

    A level without a name is `index` (`level_1` of several), as in pandas; numbers without a name
    count rows and are not read. A level that stands in a column as well is read once. The frame
    that was given stays as it is, and its cells are not copied.
    """
    if native.columns.nlevels > 1:
        raise RatingsError(
            place,
            "a table must have one row of column names",
            found=f"{native.columns.nlevels}, as {shown(tuple(native.columns[0]))}"
            if len(native.columns)
            else str(native.columns.nlevels),
            next_step='Take one block of them, frame["label"], or join them: '
            'frame.columns = [" ".join(map(str, one)) for one in frame.columns]',
        )
    own = [str(name) for name in native.columns]
    check_once(own, place)
    levels: dict[int, str] = {}
    for at in range(native.index.nlevels):
        level = native.index.get_level_values(at)
        named = level.name not in (None, "")
        if not named and level.inferred_type in _NUMBERS:
            continue
        name = str(level.name) if named else "index" if native.index.nlevels == 1 else f"level_{at}"
        if name not in own:
            levels[at] = name
        elif [*map(str, level)] != [*map(str, native.iloc[:, own.index(name)])]:
            raise RatingsError(
                place,
                "a level of the index and a column must not have one name and say different things",
                found=f"{shown(name)} beside {listed([one for one in own if one != name])}",
                next_step="Rename one, frame.rename_axis(index=...), or drop the index: "
                "frame.reset_index(drop=True)",
            )
    if not levels:
        return native
    check_once([*levels.values(), *own], place)
    wider = native.copy(deep=False)
    wider.columns = own  # categories of names take no other
    for at, (level, name) in enumerate(levels.items()):
        wider.insert(at, name, native.index.get_level_values(level))
    return wider
