"""Which columns name an item: by their names, by what tells rows apart, by who shares it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, islice

import narwhals as nw

from goldassay.errors import shown
from goldassay.proposals.draft import Answer, Draft, Weight
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
from goldassay.proposals.units.outputs import prompt_and_outputs
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import (
    CLUSTERS,
    SYNONYMS,
    kind_of,
    number,
    numbers_repeats,
    plain_name,
    words,
)
from goldassay.sources.choices import SET
from goldassay.sources.exploded import PLACE
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
    for way in _WAYS:
        if key := way(looked, draft, ids):
            _take(looked, draft, _shared_key(looked, key))
            return
    votes = {"system", "opponent"} <= shape.columns.keys()
    alone = not votes or "pairs" in file
    if looked.by_raters and alone and not _of_both_kinds(looked):
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
    if not looked.source.parts or _query_and_document(looked, draft, []):
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


def _query_and_document(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    pair = [n for n in ("query", "document") if n in looked.columns and n not in looked.shape.taken]
    whole = len(pair) == 2 and not any(missing_somewhere(looked, n) for n in pair)
    return pair if whole else None


def _by_outputs(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    return prompt_and_outputs(looked, ids)


def _by_name(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """A column that is called as items are and tells the rows apart."""
    shape = looked.shape
    for name in ids[:TRIES]:
        unique = looked.columns[name].unique
        if unique or looked.keys([name, *looked.beside]) == looked.rows:
            if unique and shape.cells and "sample" in shape.columns:
                repeat = shape.columns.pop("sample")  # a row of its own repeats nothing
                draft.take_back(f"{named(repeat)} names the repeat")
            return [name]
    return None


def _by_name_and_another(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """Such a column with one more; where raters are named, alone: one may have rated twice, which
    is told when the table is read."""
    if not ids:
        return _by_an_id_that_is_there_again(looked)
    key = _resolving(looked, ids[0])
    if key is None:
        return [ids[0]] if looked.by_raters else None
    # Where the raters are not needed to tell rows apart, the other column numbers repeats.
    repeats = looked.by_raters and looked.keys(key) == looked.rows
    counts = looked.columns[key[1]].numeric or numbers_repeats(key[1])
    counts = counts and not looked.numbers_within(key[1])
    if repeats and counts and "sample" not in looked.shape.columns:
        looked.shape.columns["sample"] = key[1]
        draft.assume(Weight.COLUMNS, f"{named(key[1])} numbers a rater's repeats")
        return key[:1]
    return key


def _by_an_id_that_is_there_again(looked: Looked) -> list[str] | None:
    """With a column for each rater, one that ends as ids do, is there in several rows, and tells
    them apart with another: `study_id` and `error_type`."""
    if looked.by_raters or "sample" in looked.shape.columns or looked.source.parts:
        return None
    ids = [n for n in looked.columns if plain_name(n).endswith("_id")]
    ids = [n for n in ids if n not in looked.shape.taken and _is_there_again(looked, n)]
    return _resolving(looked, ids[0]) if ids else None


def _is_there_again(looked: Looked, name: str) -> bool:
    """Whether a column names something in every row, and each in two rows or more."""
    column = looked.columns[name]
    return (
        column.filled == looked.rows and column.distinct > 1 and 2 * column.distinct <= looked.rows
    )


def _like_an_id_of_raters(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    found = _like_an_id(looked) if looked.by_raters else None
    return [found] if found else None


def _by_content(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """Where raters are named and no column is called as items are: what tells their rows apart."""
    if not looked.by_raters or ids or looked.source.parts:
        return None
    columns = looked.columns
    alike = [n for n in columns if ends_as_id(n) and n not in looked.shape.taken]
    alike = [n for n in alike if columns[n].filled == looked.rows and columns[n].distinct > 1]
    if alike and (key := _resolving(looked, alike[0])):
        return key
    only = _only_key(looked)
    return None if only is None else [only]


def _by_text(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """A text that tells the rows apart, short where no raters are named; of two columns that do, an
    id is the name of the item."""
    columns = looked.columns
    for name in _texts(looked)[:TRIES]:
        long = columns[name].longest > LONGEST_NAME and not looked.by_raters
        here = not looked.source.parts or (looked.by_raters and not missing_somewhere(looked, name))
        if not long and here and looked.keys([name, *looked.beside]) == looked.rows:
            by_id = (_like_an_id(looked) if columns[name].unique else None) or name
            is_id = plain_name(by_id).split("_")[-1] in ("id", "uuid")  # `answer_fid` is none
            return [by_id if is_id else name]
    return None


def _texts(looked: Looked) -> list[str]:
    """The columns that are called as texts of items are, or end so."""
    ends = [
        n
        for n in looked.columns
        if plain_name(n).split("_")[-1] in TEXTS_OF_ITEMS and n not in looked.shape.taken
    ]
    texts = dict.fromkeys([*looked.called(TEXTS_OF_ITEMS), *ends])
    return [n for n in texts if looked.columns[n].filled == looked.columns[n].rows]


def _like_an_id_of_rows(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    found = None if looked.by_raters else _like_an_id(looked)
    return [found] if found else None


def _like_an_id_and_a_number(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """A column that ends as ids do and repeats, with one that counts within it: `summary_id` and
    `sentence_no`."""
    columns = looked.columns
    if looked.by_raters or looked.source.parts or ids:
        return None
    for name in [n for n in columns if ends_as_id(n) and n not in looked.shape.taken][:TRIES]:
        counts = [n for n in columns if n != name and n not in looked.shape.taken]
        counts = [n for n in counts if _counts(n, columns[n])]
        for other in counts[:TRIES] if columns[name].filled == looked.rows else ():
            if looked.keys([name, other, *looked.beside]) == looked.rows:
                return [name, other]
    return None


def _counts(name: str, column: Column) -> bool:
    """Whole numbers without a gap from 0 or 1 on, each there more than once, under any name."""
    values = [number(one) for one in column.labels]
    whole = sorted(int(v) for v in values if v is not None and v % 1 == 0)
    if len(whole) < len(values) or len(whole) < 2 or kind_of(name) or column.unique:
        return False
    return whole[0] in (0, 1) and whole[-1] - whole[0] == len(whole) - 1 == column.distinct - 1


def _by_first_column(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """The first column, where each of its cells is short, no number, and there once."""
    shape = looked.shape
    votes = {"system", "opponent"} <= shape.columns.keys()
    if votes or (looked.by_raters and not _of_both_kinds(looked)):
        return None
    name = next(iter(looked.columns), "")
    column = looked.columns.get(name)
    if column is None or name in shape.taken or looked.source.parts or not column.unique:
        return None
    return None if column.text or column.numeric or column.times else [name]


def _of_both_kinds(looked: Looked) -> bool:
    """Whether a row has a judge's verdict beside the rating of whoever is named in it."""
    return len({cell.get("kind") for cell in looked.shape.cells.values()}) > 1


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
    if len(found) > 1 and looked.keys(found) == columns[found[0]].distinct:
        found = found[:1] if len({columns[n].distinct for n in found}) == 1 else found
    return found[0] if len(found) == 1 else None  # several that say one thing are one


def _shared_key(looked: Looked, key: list[str]) -> list[str]:
    """In place of an id that is there once, what alone tells rows apart with who rated, where each
    is rated by several: `stimulus` beside `submission_id`."""
    if not looked.by_raters or looked.source.parts or not looked.columns[key[0]].unique:
        return key
    only = _only_key(looked)
    if only is None or 2 * looked.columns[only].distinct > looked.rows:
        return key
    return [only]


def _shared_by_systems(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """Ids of prompts that each system has once: the item, of which there is an output by every
    system. Where repeats are numbered too, they may be the systems' own."""
    shape = looked.shape
    made = "pairs" in draft.task.get("file", {})  # of what was said of each prompt at once
    if looked.by_raters or "sample" in shape.columns or ("opponent" in shape.columns and not made):
        return None
    if not isinstance(shape.columns.get("system"), str) or looked.source.parts:
        return None
    free = [n for n in looked.columns if n not in shape.taken and looked.columns[n].distinct > 1]
    alike = [name for name in (*looked.called(CLUSTERS), *free) if ends_as_id(name)]
    for name in list(dict.fromkeys(alike))[:TRIES]:
        column = looked.columns[name]
        short = column.filled == column.rows and not column.text and column.distinct < column.rows
        if short and looked.keys([name, *looked.beside]) == looked.rows:
            return [name]
    return None


def _by_set(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """What was chosen from at once, where choices were read as pairs and nothing else names it."""
    return [SET] if "pairs" in draft.task.get("file", {}) and SET in looked.columns else None


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
    columns, rated = looked.columns, looked.by_raters
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


def _with_place(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """The id of a record and the place in its lists, where rows are the members of lists."""
    if PLACE not in looked.columns or looked.source.parts:
        return None
    alike = [n for n in looked.columns if ends_as_id(n) and n not in looked.shape.taken]
    for name in alike[:TRIES]:
        if looked.keys([name, PLACE, *looked.beside]) == looked.rows:
            return [name, PLACE]
    return None


def _by_crossing(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """Two columns of names each of which has every one of the other's once (`submission`, `part`):
    together they name the item, the many first."""
    columns = looked.columns
    if looked.by_raters or looked.source.parts or "opponent" in looked.shape.columns:
        return None
    free = [
        n
        for n, c in columns.items()
        if n not in looked.shape.taken
        and c.filled == looked.rows
        and 1 < c.distinct < looked.rows
        and not (c.times or c.text or kind_of(n) or _is_measured(n, c))
    ]
    for one, two in combinations(free[: 2 * TRIES], 2):
        many, few = sorted((one, two), key=lambda name: -columns[name].distinct)
        crossed = columns[many].distinct * columns[few].distinct == looked.rows
        if crossed and columns[many].distinct >= _MANY and looked.keys([many, few]) == looked.rows:
            return [many, few]
    return None


#: So many names are hardly crossed with others by chance.
_MANY = 10


def _by_copies(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """What tells rows apart but for those that repeat another in every cell: they were pasted
    twice, and are counted once when the table is read."""
    if looked.by_raters or looked.source.parts or len(looked.shape.cells) < 2:
        return None
    columns = looked.columns
    different = looked.keys(list(columns))
    if different == looked.rows:
        return None
    like_ids = [n for n in columns if ends_as_id(n) and n not in looked.shape.taken]
    whole = [n for n in (*ids, *like_ids, *_texts(looked)) if columns[n].filled == looked.rows]
    for name in list(dict.fromkeys(whole))[:TRIES]:
        if looked.keys([name, *looked.beside]) == different:
            copies = looked.rows - different
            said, counts = (
                (f"{copies:,} rows repeat", "count") if copies > 1 else ("1 row repeats", "counts")
            )
            draft.assume(Weight.UNITS, f"{said} another in every cell, and {counts} once")
            return [name]
    return None


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


def _resolving(looked: Looked, name: str) -> list[str] | None:
    """The smallest key that tells rows apart: the name and one column more."""
    texts = _texts(looked)
    free = [
        n
        for n, c in looked.columns.items()
        if n not in looked.shape.taken and n != name and len(c.labels) > 1 and c.filled == c.rows
        if not _is_measured(n, c) and not (c.text and looked.by_raters)
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
    """Scores, times, reasons: they tell rows apart by chance, and are no part of a key. Numbers of
    sections (1.1, 1.2, 2.1) that come about equally often are names."""
    often = column.labels.values()
    sections = column.numeric and len(often) > 2 and 2 * min(often) >= max(often) > 1
    fractions = column.numeric and any((number(one) or 0.0) % 1 for one in column.labels)
    return (fractions and not sections) or column.times or bool(set(words(name)) & _OF_RATINGS)


#: What may name the item, the likeliest first.
_WAYS: tuple[Callable[[Looked, Draft, Sequence[str]], list[str] | None], ...] = (
    _query_and_document,
    _by_outputs,
    _by_name,
    _by_name_and_another,
    _like_an_id_of_raters,
    _by_content,
    _by_text,
    _like_an_id_of_rows,
    _with_place,
    _like_an_id_and_a_number,
    _by_first_column,
    _shared_by_systems,
    _by_set,
    _by_copies,
    _by_crossing,
)
