"""Which columns name an item: by their names, by what tells rows apart, by who shares it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import narwhals as nw

from goldassay.errors import shown
from goldassay.proposals.draft import Answer, Draft, Weight
from goldassay.proposals.profile import MANY
from goldassay.proposals.units.item_ways import WAYS, of_both_kinds, only_key, query_and_document
from goldassay.proposals.units.looked import (
    TRIES,
    Looked,
    ends_as_id,
    key_in_files,
    missing_somewhere,
    shared_name,
)
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import SYNONYMS, plain_name
from goldassay.sources.choices import SET
from goldassay.sources.frames import ROW
from goldassay.words import listed, named

__all__ = ["name_item"]


#: The rows of which a copy is told from chance, and those of which it is looked for.
_FEWEST_OF_A_COPY, _MOST_OF_A_COPY = 10, 10_000


def name_item(looked: Looked, draft: Draft) -> None:
    """The column, or the smallest key, that names the item; every row where nothing does."""
    file = draft.task.get("file", {})
    if looked.by_raters and "pairs" in file and "members" not in file:
        # Which orders of several raters are of the same must be said.
        looked = replace(looked, columns={n: c for n, c in looked.columns.items() if n != SET})
    shape, columns = looked.shape, looked.columns
    if "item" in shape.columns or any("item" in cell for cell in shape.cells.values()):
        return
    if "item" in columns and columns["item"].filled and not missing_somewhere(looked, "item"):
        shape.columns["item"] = "item"
        _item_of_groups(looked, draft)
        return
    ids = _called_ids(looked)
    if _of_files(looked, draft):
        return
    for way in WAYS:
        if key := way(looked, draft, ids):
            _take(looked, draft, _shared_key(looked, key))
            return
    votes = {"system", "opponent"} <= shape.columns.keys()
    alone = not votes or "pairs" in file
    if looked.by_raters and alone and not of_both_kinds(looked):
        _ask_for_item(looked, draft)
        return
    shape.columns["item"] = ROW
    if "times" in file:  # said already: a row stands for several
        return
    why = _repeats(looked, draft, ids[0]) if ids and not votes else ""
    row = "vote" if votes else "row"
    draft.assume(
        Weight.UNITS, f"every {row} is an item of its own ({why or 'no column names items'})"
    )
    _ask_of_a_copy(looked, draft)


def _called_ids(looked: Looked) -> list[str]:
    """The columns that are called as items are, the likeliest first."""
    columns = looked.columns
    ids = [n for n in looked.called(SYNONYMS["item"]) if columns[n].filled == columns[n].rows]
    ids = [n for n in ids if columns[n].distinct > 1 or looked.rows == 1]  # a run's own id
    ids = _shared_by_raters(looked, ids)
    if looked.by_raters:  # an item has several ratings; what differs in all rows is a row's
        ids.sort(key=lambda name: (columns[name].unique, -columns[name].distinct))
    if looked.by_raters and ids and all(plain_name(n).startswith("unnamed") for n in ids):
        # The index of a data frame, beside what is called a number of something.
        others = [n for n, c in columns.items() if ends_as_id(n) and n not in looked.shape.taken]
        ids = [*(n for n in others if columns[n].filled == looked.rows), *ids]
    return _shared_first(looked, ids)


def _shared_first(looked: Looked, ids: list[str]) -> list[str]:
    """The ids with those first that several systems share, and that tell rows apart with them:
    `item_id` before `sample_id`, which is of one system's output."""
    system = looked.shape.columns.get("system")
    if not isinstance(system, str) or len(ids) < 2 or looked.source.parts or looked.shape.sides:
        return ids
    shared = [
        n
        for n in ids[:TRIES]
        if looked.columns[n].distinct < looked.keys([n, system])
        and looked.keys([n, *looked.beside]) == looked.rows
    ]
    return [*shared, *(n for n in ids if n not in shared)]


def _of_files(looked: Looked, draft: Draft) -> bool:
    """What names the item in every one of several files, be it under names of their own."""
    if not looked.source.parts or query_and_document(looked, draft, []):
        return False
    ids = looked.called(SYNONYMS["item"])
    everywhere = [n for n in ids if not missing_somewhere(looked, n)]
    each = [[n for n in ids if n in names] for _, names in looked.source.parts]
    if everywhere or all(each):
        names = key_in_files(looked, everywhere) or list(dict.fromkeys(one[0] for one in each))
        looked.shape.columns["item"] = names[0] if len(names) == 1 else names
        said = listed([named(name) for name in names])
        together = "together " if everywhere and names[1:] else ""
        verb = "name" if names[1:] else "names"
        draft.assume(Weight.COLUMNS, f"{said} {together}{verb} the item")
        return True
    shared = shared_name(looked) or _of_stacked_files(looked)
    if shared is not None:
        _take(looked, draft, [shared])
    return shared is not None


def _of_stacked_files(looked: Looked) -> str | None:
    """The first column of files that all have the same ones, as one for each day, where it names
    every row of all of them apart."""
    names = [tuple(columns) for _, columns in looked.source.parts]
    first = next((n for n in names[0] if n not in looked.shape.taken), None)
    column = looked.columns.get(first or "")
    if len({*names}) > 1 or first is None or column is None:
        return None
    return first if column.unique and not (column.text or column.times) else None


def _ask_for_item(looked: Looked, draft: Draft) -> None:
    known = {"kind", *SYNONYMS["value"], *SYNONYMS["rater"]}
    free = [n for n in looked.columns if n not in looked.shape.taken and n.casefold() not in known]
    own = {here: theirs for theirs, here in looked.source.renamed.items()}
    together = _smallest_key(looked, free)
    answers: list[Answer] = [{"columns": {"item": own.get(n, n)}} for n in free]
    if together:
        answers.insert(0, {"columns": {"item": [own.get(n, n) for n in together]}})
    draft.lack(
        "Which column names the item?",
        *answers[:2],
        *(() if free else ("give the table with a column that names the item",)),
    )


def _smallest_key(looked: Looked, free: Sequence[str]) -> list[str]:
    """Columns that tell the rows of each rater apart together, none of which is too many; nothing
    where all of them do not."""
    key = [n for n in free if not (looked.columns[n].text or looked.columns[n].times)][:TRIES]
    if looked.source.parts or looked.keys([*key, *looked.beside]) < looked.rows:
        return []
    for name in key[::-1]:
        less = [n for n in key if n != name]
        if less and looked.keys([*less, *looked.beside]) == looked.rows:
            key = less
    return key if len(key) > 1 else []


def _shared_by_raters(looked: Looked, names: list[str]) -> list[str]:
    """Names of items that several raters share; those of which each is one rater's, and repeats,
    name a rater's runs where another column ends as ids do and is shared."""
    rater = looked.shape.columns.get("rater")
    if not isinstance(rater, str) or looked.columns[rater].distinct < 2 or looked.source.parts:
        return names
    columns = looked.columns
    runs = [
        n for n in names if not columns[n].unique and looked.keys([n, rater]) == columns[n].distinct
    ]
    rest = [name for name in names if name not in runs]
    most = max((columns[name].distinct for name in runs), default=0)
    others = [
        n
        for n in columns
        if ends_as_id(n)
        and n not in (*looked.shape.taken, *names)
        and columns[n].filled == columns[n].rows
        and most < columns[n].distinct < looked.keys([n, rater])
        and looked.keys([n, *looked.beside]) == looked.rows
    ]
    return [*rest, *others] if runs and (rest or others) else names


def _shared_key(looked: Looked, key: list[str]) -> list[str]:
    """In place of an id that is there once, what alone tells rows apart with who rated, where each
    is rated by several: `stimulus` beside `submission_id`."""
    if not looked.by_raters or looked.source.parts or not looked.columns[key[0]].unique:
        return key
    only = only_key(looked)
    if only is None or 2 * looked.columns[only].distinct > looked.rows:
        return key
    return [only]


def _item_of_groups(looked: Looked, draft: Draft) -> None:
    """A column `item` that names groups of rows, where another column names the rows: the items
    are the rows, and the groups their clusters."""
    shape, columns = looked.shape, looked.columns
    wide = shape.cells and "rater" not in shape.columns and "cluster" not in columns
    if not wide or looked.source.parts or looked.keys(["item", *looked.beside]) == looked.rows:
        return
    ids = [n for n in (*looked.called(SYNONYMS["item"]), *columns) if ends_as_id(n)]
    unique = [n for n in ids if columns[n].unique and n not in shape.taken]
    if unique:
        shape.columns |= {"item": unique[0], "cluster": "item"}
        draft.assume(Weight.COLUMNS, f"{named(unique[0])} names the item: `item` names groups")


def _repeats(looked: Looked, draft: Draft, name: str) -> str:
    """How a column of ids that repeat names no items. Where most are there once, the others may be
    there again by mistake, which is asked."""
    rows = (
        looked.source.frame.group_by(name)
        .agg(nw.len().alias("(rows)"))
        .filter(nw.col("(rows)") > 1)
    )
    rows = rows.sort(["(rows)", name], descending=[True, False])
    again = fetch(rows.head(MANY), place=looked.source.name)
    if not len(again[name]):
        return ""
    one, times = str(again[name][0]), int(again["(rows)"][0])
    once = looked.columns[name].distinct
    there = "twice" if times == 2 else f"{times:,} times"
    if 2 * len(again[name]) < once:
        rated = sorted(looked.shape.rated)
        mine = looked.source.frame.filter(nw.col(name) == nw.lit(one))
        labels = distinct_keys(replace(looked.source, frame=mine), rated)
        others = len(again[name]) - 1
        more = f", and {others:,}{'' if others < MANY - 1 else ' or more'} others repeat"
        draft.ask(
            f"Is {named(name)} {shown(one, 40)} there {there} by mistake? Its rows have "
            f"{'the same' if labels == 1 else 'different'} labels{more if others else ''}"
        )
    return f"{named(name)} names groups of them: {shown(one, 40)} occurs {there}"


def _ask_of_a_copy(looked: Looked, draft: Draft) -> None:
    """A table that stands twice in its file, one copy below the other, where nothing names its
    rows: nobody can tell it from items that are alike, and it is asked."""
    if looked.source.parts or not 2 * _FEWEST_OF_A_COPY <= looked.rows <= _MOST_OF_A_COPY:
        return
    cells = fetch(looked.source.frame.select(*looked.columns), place=looked.source.name)
    rows = list(zip(*(column.tolist() for column in cells.values()), strict=True))
    half = len(rows) // 2
    # What repeats within the first half, too, follows some order.
    if rows[:half] == rows[half:] and rows[: half // 2] != rows[half - half // 2 : half]:
        draft.ask(
            f"Was the table pasted twice? Its last {half:,} rows are its first {half:,} again, and "
            "all are counted: leave them out of the file if so"
        )


def _take(looked: Looked, draft: Draft, names: Sequence[str]) -> None:
    looked.shape.columns["item"] = names[0] if len(names) == 1 else list(names)
    said = listed([named(name) for name in names])
    what = "names the item" if len(names) == 1 else "together name the item"
    draft.assume(Weight.COLUMNS, f"{said} {what}")
