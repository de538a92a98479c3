"""Which columns tell the units of an item apart, and bind ratings together."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.column_names import is_aside
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Shape, beside_ratings, members_by_name, some
from goldassay.proposals.units.clusters import cluster_of, clusters_in_files
from goldassay.proposals.units.items import name_item
from goldassay.proposals.units.looked import (
    TEXTS_OF_ITEMS,
    TRIES,
    Looked,
    ends_as_id,
    missing_somewhere,
)
from goldassay.ratings.distinct import distinct_keys, is_of_items
from goldassay.ratings.vocabulary import (
    ABSTAIN,
    ASIDE,
    BLIND,
    CLUSTERS,
    CRITERIA,
    GENERIC,
    INVALID,
    SYNONYMS,
    SYSTEMS,
    are_splits,
    folded,
    kind_of,
    numbers_repeats,
    plain_name,
    words,
)
from goldassay.sources.frames import ROW, Source
from goldassay.words import listed, named

__all__ = ["draft_keys"]


def draft_keys(source: Source, columns: Mapping[str, Column], shape: Shape, draft: Draft) -> None:
    """The item, its criteria and systems, repeats, and the cluster."""
    looked = Looked(source, columns, shape)
    _units(looked, draft)
    name_item(looked, draft)
    _system_of_items(looked, draft)
    _may_be_system(looked, draft)
    _ask_of_versions(looked, draft)
    _once(looked, draft)
    _time(looked, draft)
    _weight(looked, draft)
    _split(looked, draft)
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
        for name in [*looked.called(SYNONYMS[ours]), *_others(looked, ours)]:
            column = columns[name]
            if column.text or len(column.labels) < 2 or column.unique or column.times:
                continue
            if any(label.startswith(("{", "[")) for label in column.labels):
                continue  # a record
            shown = _is_order(name) or _is_shown_order(looked, name)
            if ours == "sample" and not (column.few and (column.numeric or shown)):
                continue
            if ours == "sample" and _is_order(name) and _are_pairs_apart(looked):
                continue  # the order in which the one comparison was shown
            each = 3 if {*words(name)} & {"rubric", "criterion"} else 2  # may be of one item
            if ours == "criterion" and name != ours and each * column.distinct > column.rows:
                continue  # each is of hardly more than one item: it is part of its name
            if ours == "system" and shape.sides and shape.columns.get("system") is None:
                continue
            if ours == "system" and missing_somewhere(looked, name):
                continue
            if ours == "system" and _says_the_criterion(looked, name):
                continue
            if ours == "system" and _says_the_rater(looked, name):
                continue
            if ours == "system" and column.numeric and plain_name(name) in SYNONYMS["sample"]:
                continue
            shape.columns[ours] = name
            if name != ours:
                said = {"criterion": "the criterion", "system": "the system that was rated"}
                draft.assume(Weight.COLUMNS, f"{named(name)} names {said.get(ours, 'the repeat')}")
            if ours == "sample" and plain_name(name) in _ORDERS:
                draft.ask(
                    f"Do labels name the side as it was shown in each {named(name)}? They are read "
                    "as the same side in both; if not, write the winner by its name"
                )
            if name != ours == "system" and "rater" in shape.constants and _judges(column):
                draft.ask(f"Does {named(name)} name the judge? Then", {"columns": {"rater": name}})
            break


def _says_the_rater(looked: Looked, name: str) -> bool:
    """Whether a column says who rated once more: one name of it for each of several raters."""
    rater = looked.shape.columns.get("rater")
    if not isinstance(rater, str) or rater not in looked.columns or rater == name:
        return False
    raters = looked.columns[rater].distinct
    alike = raters == looked.columns[name].distinct > 1
    return alike and looked.keys([rater, name]) == raters


def _are_pairs_apart(looked: Looked) -> bool:
    """Whether every row is of another item and pair of systems: none of them is there twice."""
    shape = looked.shape
    if "rater" in shape.columns or not {"system", "opponent"} <= shape.columns.keys():
        return False
    pair = [shape.columns["system"], shape.columns["opponent"]]
    rows = max(column.rows for column in looked.columns.values())
    ids = [n for n in looked.columns if plain_name(n).endswith("id") or plain_name(n) in _TURNS]
    return bool(ids) and distinct_keys(looked.source, [*ids, *pair]) == rows


#: What counts within a dialog, beside its id.
_TURNS = frozenset(["turn", "round"])


def _ask_of_versions(looked: Looked, draft: Draft) -> None:
    """What is read as systems may be versions of the judges' prompt, where people said one thing of
    an item under all of them, and the judges, who are named in rows, did not."""
    shape = looked.shape
    name, item = shape.columns.get("system"), shape.columns.get("item", "item")
    if not isinstance(name, str) or not {*words(name)} & _VERSIONS or "rater" not in shape.columns:
        return
    if not isinstance(item, str) or item not in looked.columns:
        return
    same: dict[str, list[bool]] = {"human": [], "judge": []}
    for column, cell in shape.cells.items():
        kind = "judge" if cell.get("kind") == "judge" else "human"
        if "kind" in cell:
            same[kind].append(is_of_items(looked.source, item, column))
    if same["human"] and all(same["human"]) and False in same["judge"]:
        draft.ask(
            f"Does {named(name)} name a version of the judge? People say the same of all of them; "
            "if so, write it and the judge into one column"
        )


#: Words of what has versions beside the system that is rated.
_VERSIONS = frozenset(["version", "prompt", "template", "variant"])


def _others(looked: Looked, ours: str) -> list[str]:
    """Columns of other names that may be it: a member of a record that names a system; under a word
    for systems, names of models or what every prompt has once; the number of a repeat, or the
    order of two sides."""
    free = [n for n in looked.columns if n not in looked.shape.taken]
    if ours == "sample":
        orders = [n for n in free if _is_order(n) or _is_shown_order(looked, n)]
        return [n for n in free if numbers_repeats(n) or (n in orders and looked.shape.sides)]
    if ours == "system":
        few = [n for n in free if looked.columns[n].few]
        said = [n for n in few if _says_system(n)]
        models = [n for n in said if _judges(looked.columns[n]) or _is_crossed(looked, n)]
        keys = [n for n in few if n == "list" and _names_models(looked.columns[n])]
        return [*looked.inner_systems, *models, *(n for n in keys if _is_crossed(looked, n))]
    members = members_by_name(looked.source, free)  # of a list of ratings: `feedback.key`
    keys = [members[name] for name in _KEYS if name in members]
    called = [n for n in free if _names_criteria(looked.columns[n])]
    called = [n for n in called if _is_crossed(looked, n, looked.columns)]
    return [*(name for name in keys if looked.columns[name].few), *called]


def _names_criteria(column: Column) -> bool:
    """Whether every label is a known criterion, whatever the column is called (`axis`)."""
    return column.few and all({*words(one)} <= CRITERIA for one in column.labels)


def _is_crossed(looked: Looked, name: str, prompts: Collection[str] = ()) -> bool:
    """Whether every prompt has each of the column's labels once, or nearly every: outputs of
    several systems for the same prompts. These are what is called so, or one of `prompts`."""
    column = looked.columns[name]
    if looked.source.parts or column.numeric or column.filled < column.rows:
        return False
    asked = [n for n in looked.columns if ends_as_id(n) or plain_name(n) in _PROMPTS]
    asked = [n for n in prompts or asked if n != name and _is_free(looked, n)]
    asked = [n for n in asked if column.distinct < looked.columns[n].distinct < looked.rows]
    for prompt in asked[:TRIES]:
        things = looked.columns[prompt].distinct
        nearly_all = 1.25 * looked.keys([prompt, name]) >= things * column.distinct
        if nearly_all and looked.keys([prompt, name, *looked.beside]) == looked.rows:
            return True
    return False


def _is_free(looked: Looked, name: str) -> bool:
    """Whether a column has no part yet, but that of naming the item together with others."""
    item = looked.shape.columns.get("item")
    return name not in looked.shape.taken or (isinstance(item, list) and name in item)


def _says_system(name: str) -> bool:
    """A name with a word for systems, and none for what was said of them: `Model Tested`; or of
    what raters could not see: `blinded_label`."""
    said = {*words(name)}
    return bool(said & BLIND) or (bool(said & SYSTEMS) and not said & (GENERIC | _DONE))


#: Words of what a system did, or of how it was: `agent_status`.
_DONE = frozenset(["action", "decision", "outcome", "reply", "state", "status", "tool"])


#: What records of ratings call the criterion, beside words for it.
_KEYS = ("key", "name")
#: Columns that say what was asked of every system.
_PROMPTS = frozenset(
    [*TEXTS_OF_ITEMS, *CLUSTERS, *SYNONYMS["item"], "audio", "clip", "image", "video"]
)

#: Words of columns that say how two sides were shown.
_ORDER = frozenset(["swap", "swapped", "flip", "flipped", "reversed"])


def _is_order(name: str) -> bool:
    return bool({*words(name)} & _ORDER)


def _is_shown_order(looked: Looked, name: str) -> bool:
    """Whether a column called an order has one of two labels for each time that a pair was shown:
    `AB` and `BA`, both of nearly every pair."""
    two = len(looked.columns[name].labels) == 2
    return two and plain_name(name) in _ORDERS and _is_crossed(looked, name)


_ORDERS = frozenset(["order", "presentation_order", "display_order", "pair_order", "shown_order"])


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


def _may_be_system(looked: Looked, draft: Draft) -> None:
    """A column that every prompt has once, under a name that says nothing of it, is asked about;
    so is one under a word for systems whose labels are of different prompts (`bot`: v1, v2)."""
    shape = looked.shape
    about = {key for cell in shape.cells.values() for key in cell}
    if "system" in {*shape.columns, *about} or shape.sides or looked.source.parts:
        return
    for name, column in looked.columns.items():
        named_few = column.few and len(column.labels) > 1 and not column.verdicts
        if not named_few or not _is_free(looked, name) or {*words(name)} & (ASIDE | _WHEN):
            continue  # yes and no name nothing
        if all(label[:1] in "[{" for label in column.labels):
            continue  # a record is no name
        if name == "kind" or _says_the_rater(looked, name):
            continue
        plain = kind_of(name) is None
        if _says_system(name) or (plain and _is_crossed(looked, name)):
            answer = {"columns": {"system": name}}
            draft.ask(f"Does {named(name)} name the system that was rated? Then", answer)
            return


def _says_the_criterion(looked: Looked, name: str) -> bool:
    """Whether each criterion has one such label, and each label one criterion: an experiment for
    each question that was asked, and no system."""
    criterion = looked.shape.columns.get("criterion")
    if not isinstance(criterion, str):  # or columns that were declared to be criteria
        return False
    pairs = looked.keys([criterion, name])
    return pairs == looked.columns[criterion].distinct == looked.columns[name].distinct


#: Words of columns that say when a rating was given.
_WHEN = frozenset(
    ["date", "time", "timestamp", "datetime", "day", "created", "at", "when", "tstamp"]
)


#: Words of what is done with a rating at a time.
_OF_RATINGS = frozenset(
    [
        *("annotated", "labeled", "labelled", "judged", "rated", "reviewed", "graded", "scored"),
        *("submitted", "submit", "completed", "completion", "start", "end", "utc", "updated"),
        *("annotation", "judgment", "rating", "review", "last", "started", "timestamp", "decision"),
    ]
)


def _time(looked: Looked, draft: Draft) -> None:
    """The column that says when: by its name, where every cell of it is a date or a time."""
    if "time" in looked.columns:
        return
    for name, column in looked.columns.items():
        free = name not in looked.shape.taken and column.filled == column.rows
        dated = column.times and not column.numeric
        item = looked.shape.columns.get("item")
        shared = isinstance(item, str) and item in looked.columns and not looked.source.parts
        shared = shared and 2 * looked.columns[str(item)].distinct <= looked.rows
        other = {*words(name)} - _WHEN - _OF_RATINGS  # `order_date`
        if other and shared and free and dated and is_of_items(looked.source, str(item), name):
            continue  # the item's own
        if free and set(words(name)) & _WHEN and dated and column.distinct > 1:
            looked.shape.columns["time"] = name
            draft.assume(Weight.COLUMNS, f"{named(name)} says when a rating was given")
            return


def _weight(looked: Looked, draft: Draft) -> None:
    """A column that may weigh items is asked about: what it weighs cannot be seen."""
    if "weight" in looked.columns:
        return
    for name, column in looked.columns.items():
        if words(name)[-1:] == ("weight",) and column.numeric and name not in looked.shape.taken:
            draft.ask(f"Does {named(name)} weigh the items? Then", {"columns": {"weight": name}})


def _split(looked: Looked, draft: Draft) -> None:
    """The column that says which items are a calibration set, whatever it is called."""
    if "split" in looked.columns or "split" in looked.shape.columns:
        return
    for name in looked.called(SYNONYMS["split"]):
        if name not in looked.shape.taken and are_splits(looked.columns[name].labels):
            looked.shape.columns["split"] = name
            said = f"{named(name)} says which items are a calibration set and which the test"
            draft.assume(Weight.COLUMNS, said)
            return


def _empty(looked: Looked, draft: Draft) -> None:
    """Raters' columns without a single rating are named: somebody meant to fill them."""
    empty = [n for n, c in looked.columns.items() if not c.filled and c.rows and not is_aside(n)]
    for kind, who in (("human", "people"), ("judge", "a judge"), ("reference", "an answer key")):
        if mine := [name for name in empty if kind_of(name) == kind]:
            verb, they = ("Is", "It is") if len(mine) == 1 else ("Are", "They are")
            draft.ask(f"{verb} {some(mine)} to hold ratings of {who}? {they} empty")


#: A text or a number within a list that JSON writes, and a list within a record.
_PART = re.compile(r'"([^"]*)"|(-?\d+(?:\.\d+)?)')
_LIST = re.compile(r'"([^"]+)"\s*:\s*\[([^\[\]{}]*)')


def _lists(looked: Looked, draft: Draft) -> None:
    """Lists of the labels that are rated with (a crowd's) are not read, and named."""
    labels = {folded(label) for one in looked.shape.used for label in one.labels}
    for name, column in looked.columns.items():
        if name in looked.shape.taken | beside_ratings(looked.columns):
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
    people = [n for n, cell in shape.cells.items() if cell.get("kind") == "human"]
    if people and not once and not shape.sides and not looked.by_raters:
        _repeated_outputs(looked, draft, item)
    if once:
        said = listed([named(name) for name in once])
        draft.assume(
            Weight.UNITS,
            f"{said} is the same in all repeats of an item, and counts as one rating of it",
        )


def _repeated_outputs(looked: Looked, draft: Draft, item: str) -> None:
    """Where people, too, say different things of an item's repeats, what was rated is another one
    each time (a trial, a run): the repeat is part of the item's name."""
    shape = looked.shape
    repeat = shape.columns.pop("sample")
    shape.columns["item"] = [item, repeat]
    draft.take_back(f"{named(item)} names the item")
    draft.take_back(f"{named(repeat)} names the repeat")
    draft.assume(
        Weight.UNITS,
        f"{named(item)} and {named(repeat)} together name the item: people's ratings of repeats "
        "differ, so that each is of another output",
    )


#: How large a model is, in its name: `otter-7b`.
_SIZED = re.compile(r"(?i)(?:^|[-_ .:])\d{1,3}(?:\.\d)?b(?:$|[-_ .:])")


def _names_models(column: Column) -> bool:
    """Whether every label, the name of a list of records, is a model's."""
    return all(kind_of(one) == "judge" or _SIZED.search(one) for one in column.labels)


def _judges(column: Column) -> bool:
    return any(kind_of(label) == "judge" for label in column.labels)


def _named_by_file(looked: Looked) -> bool:
    return bool(looked.shape.files) or bool(looked.source.parts)
