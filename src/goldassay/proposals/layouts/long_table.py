"""A row per rating: who rated and what was said stand in columns of their own."""

from __future__ import annotations

from goldassay.proposals.cells.within import label_within
from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.used import Used
from goldassay.proposals.layouts.column_names import CALLED_RATINGS, is_aside
from goldassay.proposals.layouts.kinds_of_raters import declare_raters, kinds_of_raters
from goldassay.proposals.layouts.mixed_scales import ask_which_criterion
from goldassay.proposals.layouts.scored_verdicts import SCORES
from goldassay.proposals.layouts.who_rated import rater_column
from goldassay.proposals.profile import MANY, counted
from goldassay.proposals.shape import Shape, Table, person, raters_of_files, some, used_of
from goldassay.ratings.distinct import is_of_items
from goldassay.ratings.vocabulary import NAMED_RATERS, SYNONYMS, kind_of, plain_name, words
from goldassay.words import named

__all__ = ["files_of_one", "long_table", "own_names", "value_left"]

#: Up to so many raters are looked at one by one.
_FEW_RATERS = 50


def long_table(table: Table, shape: Shape, draft: Draft, named_by: tuple[str, str]) -> None:
    rater, value = named_by
    shape.columns |= {"rater": rater, "value": value}
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if rater != "rater":
        draft.assume(Weight.COLUMNS, f"the column {named(rater)} says who rated")
    ask_which_criterion(table, shape, draft, value)
    kinds = kinds_of_raters(table, rater, shape, draft)
    each = len(kinds) <= _FEW_RATERS  # a judge may write the options in its own way
    by: dict[tuple[str, str], dict[str, int]] = {}
    for (who, label), rows in counted(table.source, rater, value).items():
        if label:
            said = label_within(label, table.columns[value].reads)
            mine = by.setdefault((who if each else "", kinds.get(who, "human")), {})
            mine[said] = mine.get(said, 0) + rows
    many = len(table.columns[value].labels) > MANY
    shape.used = [
        Used(who or f"{kind}s", kind, labels, many) for (who, kind), labels in sorted(by.items())
    ]
    scores = [n for n in table.called(SCORES, but=shape.taken) if table.columns[n].numeric]
    if scores and table.columns[value].few and "score" not in table.columns:
        shape.columns["score"] = scores[0]
        draft.assume(
            Weight.COLUMNS, f"{named(scores[0])} says how sure the rater was of its verdict"
        )


#: Columns of ratings tables that hold names, and no ratings.
_NAMES = {name for ours in ("rater", "kind", "system", "criterion") for name in SYNONYMS[ours]}


def value_left(table: Table, shape: Shape) -> tuple[str, str] | None:
    """Where no column is called a rating: the one that names who rated, and the only other with a
    few labels, which raters of an item do not share (`coder` and `code`); else nothing."""
    if table.source.parts:
        return None
    items = table.called(SYNONYMS["item"])
    left = [
        name
        for name, column in table.columns.items()
        if column.few and len(column.labels) > 1 and name not in shape.taken
        if plain_name(name) not in _NAMES and kind_of(name) is None and not is_aside(name)
        if not any(map(kind_of, column.labels)) and not column.times
    ]
    left = [n for n in left if not any(is_of_items(table.source, item, n) for item in items[:2])]
    called = [n for n in left if {*words(n)[-1:]} & CALLED_RATINGS]  # `response_label`
    left = called if len(called) == 1 else left
    rater = rater_column(table, shape, left) if len(left) == 1 and items else None
    return (rater, left[0]) if rater is not None and rater != left[0] else None


def files_of_one(table: Table, shape: Shape, draft: Draft) -> None:
    """Beside files with a row per rating, files that name no rater and hold one column of ratings:
    whose it is, its name or the file's says."""
    called = raters_of_files(table)
    for (_, names), (file, who) in zip(table.source.parts, called.items(), strict=True):
        if {"rater", "value"} & set(names):
            continue
        here = [n for n in names if n in table.columns and table.columns[n].rating]
        mine = [n for n in here if kind_of(n)] or table.called(
            SYNONYMS["value"], but=set(table.columns) - set(here)
        )
        if len(mine) != 1:
            continue
        name = mine[0]
        kind = kind_of(name) or kind_of(who) or "human"
        shape.files[file] = {"rater": who, "kind": kind}
        value = shape.columns["value"]
        shape.columns["value"] = [*([value] if isinstance(value, str) else value), name]
        shape.used.append(used_of(table, name, kind))
        draft.assume(
            Weight.WHO,
            f"{named(name)} in {named(file)} holds the ratings of one {person(kind)}, called "
            f"{named(who)}",
        )


def own_names(table: Table, shape: Shape, draft: Draft) -> bool:
    """Several files with a row per rating, each with names of its own."""
    each: list[dict[str, str]] = []
    for _, names in table.source.parts:
        mine: dict[str, str] = {}
        for ours in ("item", "value", "rater"):
            there = [n for n in table.called((ours, *SYNONYMS[ours])) if n in names]
            there = [n for n in there if n not in mine.values()]
            if ours == "rater":
                there = [n for n in there if not table.columns[n].rating or n in NAMED_RATERS]
            mine |= {ours: there[0]} if there else {}
        each.append(mine)
    if not each or not all(len(one) == 3 for one in each) or len({*map(str, each)}) == 1:
        return False
    for ours in ("item", "rater", "value"):
        theirs = list(dict.fromkeys(one[ours] for one in each))
        shape.columns[ours] = theirs[0] if len(theirs) == 1 else theirs
        said = {"item": "name the item", "rater": "say who rated", "value": "hold the ratings"}
        draft.assume(Weight.COLUMNS, f"the columns {some(theirs)} {said[ours]}, file by file")
    kinds: dict[str, str] = {}
    by: dict[str, dict[str, int]] = {}
    for one in each:
        for who, label in counted(table.source, one["rater"], one["value"]):
            if who and label:
                kinds[who] = kind_of(who) or "human"
                by.setdefault(kinds[who], {})[label] = 1
    declare_raters(kinds, shape)
    judges = [name for name, kind in kinds.items() if kind == "judge"]
    if judges:
        verb = "is a judge" if len(judges) == 1 else "are judges"
        draft.assume(Weight.WHO, f"of the raters, {some(judges)} {verb}, every other is a person")
    else:
        draft.assume(Weight.WHO, "all raters are people; name judges in [raters]")
    shape.used = [Used(f"{kind}s", kind, labels) for kind, labels in sorted(by.items())]
    return True
