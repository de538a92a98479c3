"""Ways to tell which columns name an item, the likeliest first: each gives a key, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.profile import Column
from goldassay.proposals.units.looked import (
    LIKE_IDS,
    LONGEST_NAME,
    TEXTS_OF_ITEMS,
    TRIES,
    Looked,
    ends_as_id,
    missing_somewhere,
)
from goldassay.proposals.units.outputs import prompt_and_outputs
from goldassay.ratings.vocabulary import (
    CLUSTERS,
    kind_of,
    number,
    numbers_repeats,
    plain_name,
    words,
)
from goldassay.sources.choices import SET
from goldassay.sources.exploded import PLACE
from goldassay.words import named

__all__ = ["WAYS", "of_both_kinds", "only_key", "query_and_document"]


def query_and_document(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
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
    only = only_key(looked)
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
    if votes or (looked.by_raters and not of_both_kinds(looked)):
        return None
    name = next(iter(looked.columns), "")
    column = looked.columns.get(name)
    if column is None or name in shape.taken or looked.source.parts or not column.unique:
        return None
    return None if column.text or column.numeric or column.times else [name]


def of_both_kinds(looked: Looked) -> bool:
    """Whether a row has a judge's verdict beside the rating of whoever is named in it."""
    return len({cell.get("kind") for cell in looked.shape.cells.values()}) > 1


def only_key(looked: Looked) -> str | None:
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
        and not (c.numeric and 3 * c.distinct > 2 * c.rows)  # a count, hardly shared by raters
    ]
    found = [n for n in free[: 2 * TRIES] if looked.keys([n, *looked.beside]) == looked.rows]
    if len(found) > 1 and looked.keys(found) == columns[found[0]].distinct:
        found = found[:1] if len({columns[n].distinct for n in found}) == 1 else found
    return found[0] if len(found) == 1 else None  # several that say one thing are one


def _shared_by_systems(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """Ids of prompts that each system, or criterion, has once: the item, of which there is an
    output by every system. Where repeats are numbered too, they may be the systems' own."""
    shape = looked.shape
    made = "pairs" in draft.task.get("file", {})  # of what was said of each prompt at once
    if looked.by_raters or "sample" in shape.columns or ("opponent" in shape.columns and not made):
        return None
    many = any(isinstance(shape.columns.get(one), str) for one in ("system", "criterion"))
    if not many or looked.source.parts:
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
    """A column of names of which each criterion (or system) has every one once (`submission`), or
    two each of which has every one of the other's once (`submission`, `part`): together they name
    the item, the many first."""
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
    if parts := [n for n in looked.beside if n in columns]:
        for name in free[: 2 * TRIES]:
            things = columns[name].distinct
            nearly_all = 1.25 * looked.rows >= things * looked.keys(parts)
            if things >= _MANY and nearly_all and looked.keys([name, *parts]) == looked.rows:
                return [name]
    for one, two in combinations(free[: 2 * TRIES], 2):
        many, few = sorted((one, two), key=lambda name: -columns[name].distinct)
        crossed = columns[many].distinct * columns[few].distinct == looked.rows
        if crossed and columns[many].distinct >= _MANY and looked.keys([many, few]) == looked.rows:
            return [many, few]
    return None


#: So many names are hardly crossed with others by chance.
_MANY = 10


def _by_shared_text(looked: Looked, draft: Draft, ids: Sequence[str]) -> list[str] | None:
    """Where raters are named, a text of any name that each rater has once and that is there several
    times: what they rated. Of several the first, where all are of the same rows."""
    columns = looked.columns
    if not looked.by_raters or looked.source.parts or ids:
        return None
    texts = [n for n, c in columns.items() if c.text and c.filled == c.rows >= 1.5 * c.distinct > 3]
    texts = [n for n in texts if n not in looked.shape.taken][:TRIES]
    found = [n for n in texts if looked.keys([n, *looked.beside]) == looked.rows]
    alike = bool(found) and looked.keys(found) == columns[found[0]].distinct
    return found[:1] if alike else None


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
WAYS: tuple[Callable[[Looked, Draft, Sequence[str]], list[str] | None], ...] = (
    query_and_document,
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
    _by_shared_text,
    _by_copies,
    _by_crossing,
)
