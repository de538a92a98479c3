"""Which columns name an item, tell its units apart, and bind ratings together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

import narwhals as nw

from goldassay.errors import shown
from goldassay.ratings.clusters import cluster_of, clusters_in_files
from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.fetch import fetch
from goldassay.ratings.looked import (
    LIKE_IDS,
    LONGEST_NAME,
    TEXTS_OF_ITEMS,
    TRIES,
    Looked,
    ends_as_id,
    is_of_items,
    key_in_files,
    missing_somewhere,
    shared_name,
)
from goldassay.ratings.profile import MANY, Column, distinct_keys
from goldassay.ratings.shape import Shape
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    INVALID,
    SYNONYMS,
    folded,
    kind_of,
    number,
    plain_name,
    words,
)
from goldassay.sources.exploded import PLACE
from goldassay.sources.frames import ROW, Source
from goldassay.words import listed, named

__all__ = ["draft_keys"]


def draft_keys(source: Source, columns: Mapping[str, Column], shape: Shape, draft: Draft) -> None:
    """The item, its criteria and systems, repeats, and the cluster."""
    looked = Looked(source, columns, shape)
    _units(looked, draft)
    _item(looked, draft)
    _system_of_items(looked, draft)
    _once(looked, draft)
    _time(looked, draft)
    _weight(looked, draft)
    _empty(looked, draft)
    _lists(looked, draft)
    if source.parts and _named_by_file(looked):
        draft.task["cluster"] = clusters_in_files(looked, draft)
    else:
        draft.task["cluster"] = cluster_of(looked, draft)


def _units(looked: Looked, draft: Draft) -> None:
    shape, columns = looked.shape, looked.columns
    about = {key for cell in shape.cells.values() for key in cell}
    for ours in ("criterion", "system", "sample"):
        if ours in about or (ours == "system" and "opponent" in shape.columns):
            continue
        for name in [*looked.called(SYNONYMS[ours]), *(looked.inner_systems * (ours == "system"))]:
            column = columns[name]
            if column.text or len(column.labels) < 2 or column.unique or column.times:
                continue
            if ours == "sample" and not (column.numeric and column.few):
                continue
            if ours == "system" and shape.sides and shape.columns.get("system") is None:
                continue
            if ours == "system" and missing_somewhere(looked, name):
                continue
            if ours == "system" and _says_the_criterion(looked, name):
                continue
            if ours == "system" and column.numeric and plain_name(name) in SYNONYMS["sample"]:
                continue
            shape.columns[ours] = name
            if name != ours:
                said = {"criterion": "the criterion", "system": "the system that was rated"}
                draft.assume(Weight.COLUMNS, f"{named(name)} names {said.get(ours, 'the repeat')}")
            if name != ours == "system" and "rater" in shape.constants and _judges(column):
                draft.ask(f'Does {named(name)} name the judge? Then: [columns] rater = "{name}"')
            break


def _system_of_items(looked: Looked, draft: Draft) -> None:
    """A system that one file names and another does not, where each item is of one system: the
    other file's ratings are of that one."""
    shape, item = looked.shape, looked.shape.columns.get("item")
    known = "system" in shape.columns or any("system" in cell for cell in shape.cells.values())
    if known or shape.sides or not looked.source.parts or not isinstance(item, str):
        return
    if item not in looked.columns:
        return
    for name in looked.called(SYNONYMS["system"]):
        column = looked.columns[name]
        if not missing_somewhere(looked, name) or column.text or not len(column.labels) > 1:
            continue
        if is_of_items(looked.source, item, name):
            shape.columns["system"] = name
            draft.assume(
                Weight.COLUMNS,
                f"{named(name)} names the system that was rated, by the item also in files that "
                "lack it",
            )
            return


def _says_the_criterion(looked: Looked, name: str) -> bool:
    """Whether each criterion has one such label, and each label one criterion: an experiment for
    each question that was asked, and no system."""
    criterion = looked.shape.columns.get("criterion")
    if criterion is None:
        return False
    pairs = looked.keys([criterion, name])
    return pairs == looked.columns[criterion].distinct == looked.columns[name].distinct


#: Words of columns that say when a rating was given.
_WHEN = frozenset(
    ["date", "time", "timestamp", "datetime", "day", "created", "at", "when", "tstamp"]
)


def _time(looked: Looked, draft: Draft) -> None:
    """The column that says when: by its name, where every cell of it is a date or a time."""
    if "time" in looked.columns:
        return
    for name, column in looked.columns.items():
        free = name not in looked.shape.taken and column.filled == column.rows
        if free and set(words(name)) & _WHEN and column.times and column.distinct > 1:
            looked.shape.columns["time"] = name
            draft.assume(Weight.COLUMNS, f"{named(name)} says when a rating was given")
            return


def _weight(looked: Looked, draft: Draft) -> None:
    """A column that may weigh items is asked about: what it weighs cannot be seen."""
    if "weight" in looked.columns:
        return
    for name, column in looked.columns.items():
        if words(name)[-1:] == ("weight",) and column.numeric and name not in looked.shape.taken:
            draft.ask(f'Does {named(name)} weigh the items? Then: [columns] weight = "{name}"')


def _empty(looked: Looked, draft: Draft) -> None:
    """A rater's column without a single rating is named: somebody meant to fill it."""
    for name, column in looked.columns.items():
        if not column.filled and column.rows and (kind := kind_of(name)):
            who = {"human": "people", "judge": "a judge", "reference": "an answer key"}[kind]
            draft.ask(f"Is {named(name)} to hold ratings of {who}? It is empty")


#: A text or a number within a list that JSON writes, and a list within a record.
_PART = re.compile(r'"([^"]*)"|(-?\d+(?:\.\d+)?)')
_LIST = re.compile(r'"([^"]+)"\s*:\s*\[([^\[\]{}]*)')


def _lists(looked: Looked, draft: Draft) -> None:
    """Lists of the labels that are rated with (a crowd's) are not read, and named."""
    labels = {folded(label) for one in looked.shape.used for label in one.labels}
    for name, column in looked.columns.items():
        if name in looked.shape.taken:
            continue
        for key, parts in _parts_of_lists(column).items():
            place = f"{name}.{key}" if key else name
            said = f"{named(key)} in {named(name)}" if key else named(name)
            inner = any(
                plain_name(rated).startswith(f"{plain_name(place)}_")
                for rated in looked.shape.rated
            )
            if len(parts & labels) > 1 and parts - ABSTAIN - INVALID <= labels and not inner:
                draft.ask(
                    f"Does {said} hold the labels of several raters in one cell? It is "
                    "left out: to use them, write a row for each"
                )


def _parts_of_lists(column: Column) -> dict[str, set[str]]:
    """What is in a column's lists, or in those of its records by their key."""
    found: dict[str, set[str]] = {}
    for cell in column.labels:
        lists = [("", cell)] if cell.startswith("[") else _LIST.findall(cell)
        for key, body in lists if cell[:1] in ("[", "{") else ():
            found.setdefault(key, set()).update(folded(a or b) for a, b in _PART.findall(body))
    return found


def _once(looked: Looked, draft: Draft) -> None:
    """People rated an item once where only the judge repeats itself: a column of theirs that is
    the same in all rows of an item holds one rating, not one for each repeat."""
    shape, item = looked.shape, looked.shape.columns.get("item")
    if not shape.cells or "sample" not in shape.columns or not isinstance(item, str) or item == ROW:
        return
    items = looked.keys([item, *looked.beside[:-1]])
    once = [
        name
        for name, cell in shape.cells.items()
        if cell.get("kind") in ("human", "reference")
        and looked.keys([item, name, *looked.beside[:-1]]) == items
    ]
    if len(once) == len(shape.cells):
        return
    for name in once:
        shape.cells[name]["sample"] = "1"
    if once:
        said = listed([named(name) for name in once])
        draft.assume(
            Weight.UNITS,
            f"{said} is the same in all repeats of an item, and counts as one rating of it",
        )


def _judges(column: Column) -> bool:
    return any(kind_of(label) == "judge" for label in column.labels)


def _named_by_file(looked: Looked) -> bool:
    return bool(looked.shape.files) or bool(looked.source.parts)


def _item(looked: Looked, draft: Draft) -> None:
    shape, columns, rows = looked.shape, looked.columns, looked.rows
    if "item" in shape.columns or any("item" in cell for cell in shape.cells.values()):
        return
    if "item" in columns and columns["item"].filled:
        shape.columns["item"] = "item"
        _item_of_groups(looked, draft)
        return
    named_ids = [n for n in looked.called(SYNONYMS["item"]) if columns[n].filled == columns[n].rows]
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
    if "rater" not in shape.columns and not votes and (found := _first_names_rows(looked)):
        _take(looked, draft, [found])
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
    draft.lack(
        "Which column names the item?", *(f'[columns] item = "{n}"' for n in free[:2] or ["..."])
    )


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
