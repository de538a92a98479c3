"""Which columns name an item: by their names, by what tells rows apart, by who shares it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import narwhals as nw

from goldassay.errors import shown
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import MANY, Column
from goldassay.proposals.units.looked import (
    LIKE_IDS,
    LONGEST_NAME,
    TEXTS_OF_ITEMS,
    TRIES,
    Looked,
    ends_as_id,
    key_in_files,
    missing_somewhere,
    shared_name,
)
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import CLUSTERS, SYNONYMS, kind_of, number, plain_name, words
from goldassay.sources.exploded import PLACE
from goldassay.sources.frames import ROW
from goldassay.words import listed, named

__all__ = ["name_item"]


def name_item(looked: Looked, draft: Draft) -> None:
    """The column, or the smallest key, that names the item; every row where nothing does."""
    shape, columns, rows = looked.shape, looked.columns, looked.rows
    if "item" in shape.columns or any("item" in cell for cell in shape.cells.values()):
        return
    if "item" in columns and columns["item"].filled:
        shape.columns["item"] = "item"
        _item_of_groups(looked, draft)
        return
    named_ids = [n for n in looked.called(SYNONYMS["item"]) if columns[n].filled == columns[n].rows]
    named_ids = [n for n in named_ids if columns[n].distinct > 1 or rows == 1]  # a run's own id
    named_ids = _shared_by_raters(looked, named_ids)
    pair = [n for n in ("query", "document") if n in columns and n not in shape.taken]
    if len(pair) == 2 and not any(missing_somewhere(looked, n) for n in pair):
        _take(looked, draft, pair)
        return
    if looked.source.parts:
        ids = looked.called(SYNONYMS["item"])
        everywhere = [n for n in ids if not missing_somewhere(looked, n)]
        each = [[n for n in ids if n in names] for _, names in looked.source.parts]
        if everywhere or all(each):
            names = key_in_files(looked, everywhere) or list(dict.fromkeys(one[0] for one in each))
            shape.columns["item"] = names[0] if len(names) == 1 else names
            said = listed([named(name) for name in names])
            together = "together " if everywhere and names[1:] else ""
            verb = "name" if names[1:] else "names"
            draft.assume(Weight.COLUMNS, f"{said} {together}{verb} the item")
            return
        if (shared := shared_name(looked)) is not None:
            _take(looked, draft, [shared])
            return
    if "rater" in shape.columns:  # an item has several ratings; what differs in all rows is a row's
        named_ids.sort(key=lambda name: (columns[name].unique, -columns[name].distinct))
    for name in named_ids[:TRIES]:
        if columns[name].unique or looked.keys([name, *looked.beside]) == rows:
            if columns[name].unique and shape.cells and "sample" in shape.columns:
                repeat = shape.columns.pop("sample")  # a row of its own repeats nothing
                draft.take_back(f"{named(repeat)} names the repeat")
            _take(looked, draft, [name])
            return
    ends = [
        n
        for n in columns
        if plain_name(n).split("_")[-1] in TEXTS_OF_ITEMS and n not in shape.taken
    ]
    texts = list(dict.fromkeys([*looked.called(TEXTS_OF_ITEMS), *ends]))
    texts = [n for n in texts if columns[n].filled == columns[n].rows]
    if named_ids:
        if resolved := _resolving(looked, named_ids[0], texts):
            name, other = resolved
            # Where the raters are not needed to tell rows apart, the other column numbers repeats.
            repeats = "rater" in shape.columns and looked.keys(resolved) == rows
            if repeats and "sample" not in shape.columns:
                shape.columns["sample"] = other
                draft.assume(Weight.COLUMNS, f"{named(other)} numbers a rater's repeats")
                resolved = [name]
            _take(looked, draft, resolved)
            return
        if "rater" in shape.columns:  # a rater may have rated twice: that is told when it is read
            _take(looked, draft, named_ids[:1])
            return
    if "rater" in shape.columns and (found := _like_an_id(looked)):
        _take(looked, draft, [found])
        return
    if "rater" in shape.columns and not named_ids and not looked.source.parts:
        ids = [n for n in columns if ends_as_id(n) and n not in shape.taken]
        ids = [n for n in ids if columns[n].filled == rows and columns[n].distinct > 1]
        if ids and (resolved := _resolving(looked, ids[0], texts)):
            _take(looked, draft, resolved)
            return
        if (only := _only_key(looked)) is not None:
            _take(looked, draft, [only])
            return
    for name in texts[:TRIES]:
        long = columns[name].longest > LONGEST_NAME and "rater" not in shape.columns
        here = not looked.source.parts or (
            "rater" in shape.columns and not missing_somewhere(looked, name)
        )
        if not long and here and looked.keys([name, *looked.beside]) == rows:
            # Of two columns that tell all rows apart, an id is the name of the item.
            by_id = (_like_an_id(looked) if columns[name].unique else None) or name
            is_id = plain_name(by_id).split("_")[-1] in ("id", "uuid")  # `answer_fid` is none
            _take(looked, draft, [by_id if is_id else name])
            return
    if "rater" not in shape.columns and (found := _like_an_id(looked)):
        _take(looked, draft, [found])
        return
    if placed := _with_place(looked):
        _take(looked, draft, placed)
        return
    votes = {"system", "opponent"} <= shape.columns.keys()
    beside = {cell.get("kind") for cell in shape.cells.values()}  # a judge's verdict in every row
    by_row = "rater" not in shape.columns or len(beside) > 1
    if by_row and not votes and (found := _first_names_rows(looked)):
        _take(looked, draft, [found])
        return
    if "rater" not in shape.columns and not votes and (shared := _shared_by_systems(looked)):
        _take(looked, draft, [shared])
        return
    if "rater" not in shape.columns or votes:
        shape.columns["item"] = ROW
        row = "vote" if votes else "row"
        why = _repeats(looked, draft, named_ids[0]) if named_ids and not votes else ""
        why = why or "no column names items"
        draft.assume(Weight.UNITS, f"every {row} is an item of its own ({why})")
        return
    known = {"kind", *SYNONYMS["value"], *SYNONYMS["rater"]}
    free = [n for n in columns if n not in shape.taken and n.casefold() not in known]
    own = {here: theirs for theirs, here in looked.source.renamed.items()}
    draft.lack(
        "Which column names the item?",
        *({"columns": {"item": own.get(n, n)}} for n in free[:2]),
        *(() if free else ("give the table with a column that names the item",)),
    )


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


def _only_key(looked: Looked) -> str | None:
    """The only column that tells rows apart with who rated and what: neither a text nor one that is
    there once in every row."""
    columns = looked.columns
    free = [
        n
        for n, c in columns.items()
        if n not in looked.shape.taken
        and c.filled == c.rows
        and c.distinct > 2
        and not (c.unique or c.text or c.times)
        and not _is_measured(n, c)
    ]
    found = [n for n in free[: 2 * TRIES] if looked.keys([n, *looked.beside]) == looked.rows]
    return found[0] if len(found) == 1 else None


def _shared_by_systems(looked: Looked) -> str | None:
    """Ids of prompts that each system has once: the item, of which there is an output by every
    system. Where repeats are numbered too, they may be the systems' own."""
    system = looked.shape.columns.get("system")
    if not isinstance(system, str) or "sample" in looked.shape.columns or looked.source.parts:
        return None
    ids = [name for name in looked.called(CLUSTERS) if ends_as_id(name)]
    for name in ids[:TRIES]:
        column = looked.columns[name]
        short = column.filled == column.rows and not column.text and column.distinct < column.rows
        if short and looked.keys([name, *looked.beside]) == looked.rows:
            return name
    return None


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


def _first_names_rows(looked: Looked) -> str | None:
    """The first column, where each of its cells is short, no number, and there once."""
    name = next(iter(looked.columns), "")
    column = looked.columns.get(name)
    if column is None or name in looked.shape.taken or looked.source.parts or not column.unique:
        return None
    return None if column.text or column.numeric or column.times else name


def _repeats(looked: Looked, draft: Draft, name: str) -> str:
    """How a column of ids that repeat names no items. Where most are there once, the others may be
    there again by mistake, which is asked."""
    rows = looked.source.frame.group_by(name).agg(n_rows=nw.len()).filter(nw.col("n_rows") > 1)
    rows = rows.sort(["n_rows", name], descending=[True, False])
    again = fetch(rows.head(MANY), place=looked.source.name)
    if not len(again[name]):
        return ""
    one, times = str(again[name][0]), int(again["n_rows"][0])
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


def _like_an_id(looked: Looked) -> str | None:
    """A column that ends as names of ids do and tells the rows apart: where raters are named, with
    them, and rather one that repeats than one that numbers the rows."""
    columns, rated = looked.columns, "rater" in looked.shape.columns
    names = [n for n in columns if plain_name(n).endswith(LIKE_IDS)]
    names = [n for n in names if n not in looked.shape.taken and columns[n].filled == looked.rows]
    if looked.source.parts:
        return None
    if rated:
        names.sort(key=lambda name: (columns[name].unique, -columns[name].distinct))
    for name in names[:TRIES]:
        if columns[name].unique or (rated and looked.keys([name, *looked.beside]) == looked.rows):
            return name
    return None


def _with_place(looked: Looked) -> list[str] | None:
    """The id of a record and the place in its lists, where rows are the members of lists."""
    if PLACE not in looked.columns or looked.source.parts:
        return None
    ids = [n for n in looked.columns if ends_as_id(n) and n not in looked.shape.taken]
    for name in ids[:TRIES]:
        if looked.keys([name, PLACE, *looked.beside]) == looked.rows:
            return [name, PLACE]
    return None


def _take(looked: Looked, draft: Draft, names: Sequence[str]) -> None:
    looked.shape.columns["item"] = names[0] if len(names) == 1 else list(names)
    said = listed([named(name) for name in names])
    what = "names the item" if len(names) == 1 else "together name the item"
    draft.assume(Weight.COLUMNS, f"{said} {what}")


def _resolving(looked: Looked, name: str, texts: Sequence[str]) -> list[str] | None:
    """The smallest key that tells rows apart: the name and one column more."""
    free = [
        n
        for n, c in looked.columns.items()
        if n not in looked.shape.taken and n != name and len(c.labels) > 1 and c.filled == c.rows
        if not _is_measured(n, c) and not (c.text and "rater" in looked.shape.columns)
        if kind_of(n) is None  # what a rater said, or who it is, tells no items apart
    ]
    free.sort(key=lambda n: (looked.columns[n].text, n in texts, looked.columns[n].distinct))
    for other in islice(free, TRIES):
        if looked.columns[other].unique:
            continue
        if looked.keys([name, other, *looked.beside]) == looked.rows:
            return [name, other]
    return None


#: Words of columns that say something of a rating, and name no item.
_OF_RATINGS = frozenset(
    [
        *("comment", "comments", "confidence", "cost", "duration", "explanation", "justification"),
        *("latency", "logprob", "note", "notes", "prob", "probability", "rationale", "reason"),
        *("reasoning", "reward", "score", "seconds", "time", "timestamp", "token", "tokens"),
    ]
)


def _is_measured(name: str, column: Column) -> bool:
    """Scores, times, reasons: they tell rows apart by chance, and are no part of a key."""
    fractions = column.numeric and any((number(one) or 0.0) % 1 for one in column.labels)
    return fractions or column.times or bool(set(words(name)) & _OF_RATINGS)
