"""What several items share, so that their ratings depend on each other: what a resample draws."""

from __future__ import annotations

import math
from collections.abc import Sequence

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.shape import by_plain_name
from goldassay.proposals.units.looked import Looked, ends_as_id, missing_somewhere
from goldassay.ratings.distinct import is_of_items
from goldassay.ratings.vocabulary import CLUSTERS, SYNONYMS, SYSTEMS, kind_of, plain_name, words
from goldassay.sources.frames import ROW
from goldassay.words import named

__all__ = ["cluster_of", "clusters_in_files"]

#: Names of items that may be groups of rows where another column names the rows.
GROUPS = ("item_id", "example_id", "doc_id", "case_id", "question_id", "task_id")


def cluster_of(looked: Looked, draft: Draft) -> str:
    """A column that several items share, each item once; else the item."""
    item = looked.shape.columns.get("item", "item")
    key = [item] if isinstance(item, str) else list(item)
    items = looked.rows if item == ROW else looked.keys(key) if key[0] in looked.columns else 0
    lower = by_plain_name(looked.columns)
    names = [lower[name] for name in CLUSTERS if name in lower]
    if looked.shape.columns.get("cluster") == "item":
        draft.assume(Weight.UNITS, _depend("item", looked.columns["item"].distinct))
        return "cluster"
    if len(key) > 1:
        names = [_outer(looked, key), *names]
    elif item != ROW and key[0] in looked.columns:
        whole = looked.columns[key[0]].unique or looked.by_raters
        names += [n for n in looked.called(GROUPS) if n not in names] if whole else []
        names += [n for n in _around_lists(looked, draft) if n not in names]
        names += [n for n in _ids_again(looked) if n not in names] if whole else []
        names += [n for n in _crossed(looked) if n not in names] if whole else []
    elif item == ROW:
        ids = [n for n in looked.columns if n.casefold() in SYNONYMS["item"]]
        ends = ("_path", "_file", "_name", "_id", "_key")
        paths = [n for n in looked.columns if plain_name(n).endswith(ends)]
        free = [n for n in paths if n not in looked.shape.taken and not looked.columns[n].numeric]
        names = [
            *names,
            *ids,
            *(n for n in free if {"system", "opponent"} <= looked.shape.columns.keys()),
            *_texts_again(looked),
        ]
    for name in names:
        column = looked.columns[name]
        if name in looked.shape.cells or [name] == key or column.filled < column.rows:
            continue
        if not 1 < column.distinct < items:
            continue
        if item != ROW and looked.keys([*key, name]) != items:
            continue
        if column.distinct < _FEWEST and items >= _EACH * column.distinct:
            draft.ask(
                f"Do ratings of one {named(name)} depend on each other? There are but "
                f"{column.distinct} of them, too few to draw from, and items are drawn; if they do",
                {"cluster": name},
            )
            continue
        draft.assume(Weight.UNITS, _depend(name, column.distinct))
        return _name_of(looked, name)
    return "item"


def _ids_again(looked: Looked) -> list[str]:
    """Ids of something that rows have in common (`dilemma_id`), and that neither rates nor was
    rated. The one with most groups first."""
    others = {*SYNONYMS["rater"], *SYNONYMS["system"], *SYNONYMS["criterion"], *SYNONYMS["sample"]}
    again = [
        name
        for name, column in looked.columns.items()
        if ends_as_id(name) and plain_name(name) not in others and kind_of(name) is None
        if name not in looked.shape.taken and 2 * column.distinct <= column.rows
        if not {*words(name)} & (SYSTEMS | _RUNS | {*SYNONYMS["criterion"]})
    ]
    return sorted(again, key=lambda name: -looked.columns[name].distinct)


def _crossed(looked: Looked) -> list[str]:
    """What every system was tried on, by whatever name (`chain`): with the system, and perhaps one
    more column of few labels, it tells all rows apart."""
    system = looked.shape.columns.get("system")
    if not isinstance(system, str) or system not in looked.columns or looked.source.parts:
        return []
    few = [n for n, c in looked.columns.items() if c.few and n not in looked.shape.taken]
    found = []
    for name, column in looked.columns.items():
        taken = name in looked.shape.taken or name == system or column.text or column.numeric
        if taken or not _FEWEST < column.distinct <= column.rows // 2 or column.times:
            continue
        beside = [[system], *([system, n] for n in few[:_TRIES] if n != name)]
        # So many as rows there may be only of labels that make as many: most are not counted.
        keys = ([name, *one] for one in beside if _most(looked, [name, *one]) >= looked.rows)
        if any(looked.keys(key) == looked.rows for key in keys):
            found.append(name)
    return found


def _most(looked: Looked, names: Sequence[str]) -> int:
    """How many different keys columns can make together."""
    return math.prod(looked.columns[name].distinct for name in names)


#: So many columns of few labels are tried beside the system.
_TRIES = 6
#: Words of ids of how rows were made, and not of what they are about.
_RUNS = frozenset(
    [
        *("run", "batch", "job", "experiment", "seed", "config", "file", "dataset", "version"),
        *("fold", "group", "category", "class", "label", "status", "split", "worker", "project"),
        "assignment",
    ]
)


#: With fewer groups no interval says anything, where each holds so many items that these would.
_FEWEST, _EACH = 4, 5


def _texts_again(looked: Looked) -> list[str]:
    """Columns of texts that several rows have in common: what was answered, or translated, several
    times. The one with most texts first."""
    again = [
        name
        for name, column in looked.columns.items()
        if column.text and name not in looked.shape.taken and 2 * column.distinct <= column.rows
    ]
    return sorted(again, key=lambda name: -looked.columns[name].distinct)


#: A part of a key with fewer values than this, and than half of another's, counts within that one.
_FEW = 10


#: What documents are found for, and words of these.
_ASKED = ("query_id", "query", "qid", "topic_id", "topic")
_FOUND = frozenset(["doc", "docid", "docno", "document", "passage"])


def _outer(looked: Looked, key: Sequence[str]) -> str:
    """The part of an item's name that others count within: `dialogue` of `turn` and `dialogue`."""
    asked = [name for one in _ASKED for name in key if plain_name(name) == one]
    if asked and any({*words(name)} & _FOUND for name in key):
        return asked[0]
    items = looked.keys(list(key))
    named_ = [n for n in key if not looked.numbers_within(n)]
    key = named_ or key
    groups = {name: looked.columns[name].distinct for name in key if name in looked.columns}
    largest = max(groups, key=lambda name: groups[name], default=key[0])
    first = groups.get(key[0], _FEW)
    most = groups.get(largest, 0)
    again = 2 * most <= items  # what hardly comes again holds nothing together
    return largest if first < _FEW and 2 * first < most and again else key[0]


def _around_lists(looked: Looked, draft: Draft) -> list[str]:
    """Ids of the records whose lists were read as rows: what stands in one list goes together."""
    lists = draft.task.get("file", {}).get("rows", ())
    within = tuple(f"{path.split('.')[0]}." for path in lists)
    own = {here: theirs for theirs, here in looked.source.renamed.items()}
    ids = [n for n in looked.columns if ends_as_id(n)] if within else []
    return [n for n in ids if not own.get(n, n).startswith(within)]


def _depend(name: str, groups: int) -> str:
    return (
        f"ratings of one {named(name)} depend on each other, so that it is what a resample draws "
        f"({groups:,} of them)"
    )


def _name_of(looked: Looked, name: str) -> str:
    """What the table calls a column after it was renamed."""
    ours = [o for o, theirs in looked.shape.columns.items() if theirs == name]
    return ours[0] if ours else name


def clusters_in_files(looked: Looked, draft: Draft) -> str:
    item = looked.shape.columns.get("item")
    if isinstance(item, list) and not any(missing_somewhere(looked, n) for n in item):
        draft.assume(
            Weight.UNITS, f"ratings of one {named(item[0])} depend on each other (cluster)"
        )
        return str(item[0])
    if isinstance(item, str) and (found := _shared_in_a_file(looked, item)):
        name, groups = found
        draft.assume(Weight.UNITS, _depend(name, groups))
        return _name_of(looked, name)
    for name in ("cluster", "prompt", "prompt_id"):
        if name in looked.columns and not missing_somewhere(looked, name) and name != item:
            draft.assume(Weight.UNITS, f"ratings of one {named(name)} depend on each other")
            return _name_of(looked, name)
    return "item"


def _shared_in_a_file(looked: Looked, item: str) -> tuple[str, int] | None:
    """A column that several items share, which says one thing of every item; a file that lacks it
    has it from those that have the item. With it, how many groups it makes."""
    if item == ROW or item not in looked.columns or missing_somewhere(looked, item):
        return None
    lower, items = by_plain_name(looked.columns), looked.keys([item])
    for name in (lower[one] for one in CLUSTERS if one in lower):
        column = looked.columns[name]
        if name == item or name in looked.shape.cells or not 1 < column.distinct < items:
            continue
        if is_of_items(looked.source, item, name):
            return name, column.distinct
    return None
