"""A second look at a reading that is found: the whole of it against what the table holds.

Every rule that finds a reading looks at a part of the table. Here the ratings are taken as they
would be read, whatever way was found, and held against what ratings are like: raters of one item
share labels, a scale has two, what several give to the same items is a label, and somebody differs
from somebody. What is not so is taken back and asked about, and the table is read once more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from goldassay.proposals.draft import Draft
from goldassay.proposals.empty_cells import ask_of_empty_cells
from goldassay.proposals.layouts.column_names import TEXTS, about_of, asks, is_aside, of_one_thing
from goldassay.proposals.layouts.one_scale import alike
from goldassay.proposals.layouts.unlike_people import is_computed
from goldassay.proposals.profile import Column, counted
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.fetch import fetch
from goldassay.ratings.vocabulary import GENERIC, folded, kind_of, number, plain_name, words
from goldassay.sources.frames import ROW
from goldassay.words import listed, named

__all__ = ["Doubts", "second_look"]

#: So many rows are looked at.
_ROWS = 20_000
#: The fewest items of which something can be said.
_ENOUGH = 10


@dataclass(frozen=True)
class Doubts:
    """What a second look takes back."""

    #: Column that is no rater's and no rating -> why, as a sentence.
    left_out: Mapping[str, str] = field(default_factory=dict)
    #: Folded words for "no rating" that are options, and how raters write them.
    options: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.left_out or self.options)

    def __or__(self, other: Doubts) -> Doubts:
        return Doubts({**self.left_out, **other.left_out}, {**self.options, **other.options})

    def left(self, columns: Mapping[str, Column]) -> dict[str, Column]:
        """The columns that may hold ratings still."""
        return {name: column for name, column in columns.items() if name not in self.left_out}

    def ask(self, draft: Draft) -> None:
        """One question for each reason."""
        for why in dict.fromkeys(self.left_out.values()):
            names = [name for name, one in self.left_out.items() if one == why]
            verb = "Does" if len(names) == 1 else "Do"
            draft.ask(f"{verb} {some(names)} hold ratings? {why}: not read", left_out=names)
        for unanswered in (False, True):
            spelled = [s for word, s in self.options.items() if (word in _UNANSWERED) == unanswered]
            why = (
                "People say it of what they rate"
                if unanswered
                else "Raters give it to the same items"
            )
            if spelled:
                draft.ask(
                    f"Is {listed([named(one) for one in spelled], 'or')} no rating? {why}: it is "
                    "read as an option. If it is none",
                    {"invalid": spelled},
                )


@dataclass(frozen=True)
class _Said:
    """One rating as it would be read: of which item, by whom, in which column, what."""

    unit: tuple[str, ...]
    rater: str
    column: str
    label: str


def second_look(table: Table, shape: Shape, draft: Draft) -> Doubts:
    """What is to be taken back of a reading; nothing where it may be as it is."""
    if draft.declared.table("cells") or draft.declared.table("columns").keys() & {"value", "item"}:
        return Doubts()
    for look in (_of_a_factor, _of_several_words, _of_no_common_word, _of_lone_users):
        if found := look(table, shape):
            return found
    if draft.missing or not shape.rated or draft.declared.table("wide"):
        return Doubts()
    if _of_an_unnamed_judge(table, shape, draft) or _of_nobody_named(table, shape, draft):
        return Doubts()
    if _of_what_was_computed(table, shape, draft) or _of_no_name(table, shape, draft):
        return Doubts()
    said = list(_ratings(table, shape))
    if ask_of_empty_cells(table, _by_column(said), shape, draft):
        return Doubts()
    if _of_a_judge_again(said, shape, draft):
        return Doubts()
    return (
        _of_other_labels(said, draft)
        or _of_an_echo(said, shape)
        or _of_another_key(said, shape, draft)
        or _of_strangers(table, shape, draft)
        or _of_one_label(said, shape, draft)
        or _of_the_item(said, shape, draft)
        or _given_alike(said, shape, draft)
    )


def _ratings(table: Table, shape: Shape) -> Iterator[_Said]:
    """The ratings of the first rows, as the shape reads them."""
    item = shape.columns.get("item", ROW)
    key = [item] if isinstance(item, str) else list(item)
    key += [
        one for ours in ("criterion", "system") if isinstance(one := shape.columns.get(ours), str)
    ]
    rater, alone = shape.columns.get("rater"), shape.constants.get("rater", "")
    value = shape.columns.get("value")
    values = {value: {}} if isinstance(value, str) else shape.cells
    wanted = [*dict.fromkeys([*key, *([rater] if isinstance(rater, str) else []), *values])]
    names = [name for name in wanted if name in table.columns]
    if not values or not names or table.source.parts:
        return
    rows = fetch(table.source.frame.select(*names).head(_ROWS), place=table.source.name)
    cells: dict[str, list[Any]] = {name: list(rows[name]) for name in names}
    for row in range(len(cells[names[0]])):
        unit = tuple(str(cells[one][row]) if one in cells else str(row) for one in key)
        for column, about in values.items():
            label = folded(str(cells[column][row] or "")) if column in cells else ""
            who = about.get("rater") or (str(cells[rater][row]) if rater in cells else alone)
            if label and who:
                of = (*unit, *(about.get(one, "") for one in ("item", "criterion", "system")))
                yield _Said(of, who, column, label)


def _by_column(said: Sequence[_Said]) -> dict[str, dict[tuple[str, ...], str]]:
    """Column -> unit -> what it says there."""
    by: dict[str, dict[tuple[str, ...], str]] = {}
    for one in said:
        by.setdefault(one.column, {})[one.unit] = one.label
    return by


def _of_an_unnamed_judge(table: Table, shape: Shape, draft: Draft) -> bool:
    """One judge, whose column says neither who it is nor what people rated, and another column of
    numbers that says as little and was passed over: which of them is the judge's is asked."""
    judges = [n for n, cell in shape.cells.items() if cell.get("kind") == "judge"]
    people = [n for n, cell in shape.cells.items() if cell.get("kind") != "judge"]
    if len(judges) != 1 or not people or draft.task.get("scale") != "binary":
        return False
    rated = {word for name in people for word in about_of(name)}
    about = about_of(judges[0])
    if kind_of(judges[0]) or rated & {*about} or table.source.parts:
        return False
    if any(of_one_thing(about, about_of(name)) for name in people):
        return False
    told = " ".join((*draft.assumed, *draft.questions))
    others = [
        name
        for name, column in table.columns.items()
        if name not in shape.taken and column.scores and f"`{name}`" not in told
        if not (is_aside(name) or column.counter or column.times or kind_of(name))
    ]
    if others:
        values = [
            v for label in table.columns[others[0]].labels if (v := number(label)) is not None
        ]
        cut = f">= {(min(values) + max(values)) / 2:.2g}"
        cells: dict[str, dict[str, str]] = {
            n: {"rater": n, "kind": shape.cells[n]["kind"]} for n in people
        }
        cells[others[0]] = {"rater": others[0], "kind": "judge", "cut": cut}
        wide = {"judge": judges, "human": people}
        draft.lack(
            f"Which column is a judge's, {named(judges[0])} or {named(others[0])}? No name says it",
            {"wide": wide},
            {"cells": cells},
        )
    return bool(others)


def _of_nobody_named(table: Table, shape: Shape, draft: Draft) -> bool:
    """One rater whom nothing names and no column that names items, in rows that are the same but
    for the ratings: several people rated each, and who is asked."""
    raters = {cell.get("rater") for cell in shape.cells.values()} | {shape.constants.get("rater")}
    rest = [n for n, c in table.columns.items() if n not in shape.rated and c.filled]
    rest = [name for name in rest if not table.columns[name].counter]
    rows = max((column.rows for column in table.columns.values()), default=0)
    if shape.columns.get("item") != ROW or "rater" in shape.columns or table.source.parts:
        return False
    if len(raters - {None}) != 1 or rows < _ENOUGH or not any(table.columns[n].text for n in rest):
        return False
    things = distinct_keys(table.source, rest)
    if 2 * things > rows:
        return False
    draft.lack(
        f"Who rated in each row? {rows:,} rows hold {things:,} different things to rate, and no "
        "column says who rated or tells the rows of one apart",
        "write who rated into a column",
        {"columns": {"item": ROW}},
    )
    return True


def _of_what_was_computed(table: Table, shape: Shape, draft: Draft) -> bool:
    """Numbers with more decimals than anybody writes, of one person whom nothing names: a machine's
    scores, or no ratings at all; which is asked."""
    rated = [name for name in table.columns if name in shape.rated]
    kinds = {shape.constants.get("kind")} | {c.get("kind") for c in shape.cells.values()}
    if kinds - {None} != {"human"} or "rater" in shape.columns or table.source.parts:
        return False
    if not rated or any(map(kind_of, rated)) or kind_of(table.stem) == "judge":
        return False
    if draft.declared.table("constants") or not all(is_computed(table.columns[n]) for n in rated):
        return False
    value = {"constants": {"kind": "judge"}, "columns": {"value": table.own(rated[0])}}
    draft.lack(
        f"Are the numbers in {some(rated)} a judge's scores? They were computed, by their "
        "decimals, and no name says by whom",
        value if len(rated) == 1 else {"constants": {"kind": "judge"}},
        "give the table with a row for each rating or item",
    )
    return True


def _of_no_name(table: Table, shape: Shape, draft: Draft) -> bool:
    """Marks that are not called ratings (`referred`: true), where a column that is called after
    what is rated, or a label, was passed over: which of them holds the ratings is asked."""
    rated = [name for name in table.columns if name in shape.rated]
    bare = all(table.folds(name) <= {"true", "false", "yes", "no"} for name in rated)
    if not bare or table.source.parts or any(map(_is_called_rating, rated)):
        return False
    told = " ".join((*draft.assumed, *draft.questions))
    others = [
        name
        for name, column in table.columns.items()
        if name not in shape.taken and column.few and len(column.labels) > 1
        if _is_called_rating(name) and not is_aside(name) and f"`{name}`" not in told
        if not {*words(name)} & {*TEXTS}
    ]
    if rated and others:
        draft.lack(
            f"Which column holds the ratings? {named(others[0])} is called so, and "
            f"{some(rated)} {'is' if len(rated) == 1 else 'are'} not",
            {"columns": {"value": table.own(others[0])}},
            {"columns": {"value": table.own(rated[0])}},
        )
    return bool(rated and others)


def _is_called_rating(name: str) -> bool:
    """A name of who rates, of what is rated, or of ratings."""
    said = {*words(name)} & GENERIC - {"a", "as", "by", "is", "of", "the"}
    return kind_of(name) is not None or asks(name) or bool(said)


def _of_a_factor(table: Table, shape: Shape) -> Doubts:
    """What the rows were laid out by, which nobody chose (`error_type`, `mode`): a column of
    ratings each of which every rater gives equally often, where another holds grades too; or each
    of which every query has once, or every query under every setting, where another is left."""
    if table.source.parts or shape.sides:
        return Doubts()
    rated = [name for name in table.columns if name in shape.rated]
    unsaid = [name for name in rated if not _is_called_rating(name)]
    for name in unsaid if len(rated) > 1 else ():
        if key := _crossed_with(table, name, rated):
            each = " and ".join(map(named, key))
            return Doubts({name: f"Every {each} has each of its labels once"})
    rater, value = shape.columns.get("rater"), shape.columns.get("value")
    if not isinstance(rater, str) or not isinstance(value, str):
        return Doubts()
    if rater not in table.columns or value not in table.columns:
        return Doubts()
    found = counted(table.source, rater, value)
    raters, labels = ({pair[k] for pair in found} for k in (0, 1))
    even = len({*found.values()}) == 1 and len(found) == len(raters) * len(labels)
    enough = min(len(raters), len(labels)) > 1 and len(found) >= _CELLS
    others = [n for n, c in table.columns.items() if n not in shape.taken and c.verdicts]
    if not even or not enough or not any(table.columns[n].numeric for n in others):
        return Doubts()
    return Doubts({value: "Every rater has each of its labels equally often"})


def _crossed_with(table: Table, name: str, rated: Sequence[str]) -> tuple[str, ...]:
    """One column, or two, with which a column tells all rows apart, every label of it with every
    label of theirs; nothing where there are none."""
    labels, columns = table.columns[name].distinct, table.columns
    whole = [
        n for n, c in columns.items() if n not in rated and 1 < c.distinct < c.rows == c.filled
    ]
    for size in (1, 2):
        for key in combinations(whole, size):
            things = math.prod(columns[one].distinct for one in key)
            if labels < 2 or things < _THINGS or things * labels != columns[name].rows:
                continue
            if distinct_keys(table.source, [*key, name]) == columns[name].rows:
                return key
    return ()


#: So many things hardly have every label once by chance.
_THINGS = 5
#: So many counts are hardly equal by chance.
_CELLS = 9


def _of_other_labels(said: list[_Said], draft: Draft) -> Doubts:
    """A rater's column whose words nobody else uses, where others share theirs: names of people, or
    another question."""
    more = len(draft.task.get("options", ())) > 2  # than a scale of two that was declared
    if draft.task.get("scale") not in ("nominal", "binary") or not more:
        return Doubts()
    by: dict[str, set[str]] = {}
    for one in said:
        by.setdefault(one.column, set()).add(one.label)
    odd = [
        name
        for name, mine in by.items()
        if all(mine.isdisjoint(theirs) for other, theirs in by.items() if other != name)
    ]
    if len(by) < 3 or len(by) - len(odd) < 2:
        return Doubts()
    return Doubts(dict.fromkeys(odd, "No label in it is another rater's"))


def _of_several_words(table: Table, shape: Shape) -> Doubts:
    """Raters of one kind whose columns hold words of which none is another's, and are no yes and no
    either (`label_llm`, `framing_llm`; `score`: PASS beside `bucket`: 30): several questions. The
    only one that is called a label or a score is read, and of the others it is asked."""
    by: dict[str, list[str]] = {}
    for name, cell in shape.cells.items():
        if name in table.columns and {*cell} <= {"rater", "kind"}:
            by.setdefault(str(cell.get("kind")), []).append(name)
    for names in by.values():
        words_ = any(not table.columns[name].numeric for name in names)
        apart = not any(alike(table, one, two) for one, two in combinations(names, 2))
        called = [name for name in names if {*words(name)} & _CALLED]
        if len(names) > 1 and words_ and apart and len(called) == 1:
            rest = [name for name in names if name not in called]
            return Doubts(dict.fromkeys(rest, f"None of the labels of {named(called[0])} is there"))
    return Doubts()


def _of_no_common_word(table: Table, shape: Shape) -> Doubts:
    """People, or judges, whose columns share no label with the others', mean no yes and no either,
    and are not called ratings: nothing says that they rated."""
    by: dict[bool, list[str]] = {}
    for name, cell in shape.cells.items():
        if name in table.columns and {*cell} <= {"rater", "kind"}:
            by.setdefault(cell.get("kind") == "judge", []).append(name)
    if len(by) < 2 or any(alike(table, one, two) for one in by[True] for two in by[False]):
        return Doubts()
    for kind, names in by.items():
        if not any(map(_is_called_rating, names)):
            other = by[not kind][0]
            return Doubts(dict.fromkeys(names, f"None of the labels of {named(other)} is there"))
    return Doubts()


#: Words of a column that holds what somebody said of an item.
_CALLED = frozenset(["label", "labels", "score", "rating", "verdict", "grade", "judgment"])


def _of_lone_users(table: Table, shape: Shape) -> Doubts:
    """Users each of whom has one row, where another column names every row too: whose the item is,
    and not who rated it."""
    rater = shape.columns.get("rater")
    users = isinstance(rater, str) and plain_name(rater) in ("user", "user_id", "username")
    if not isinstance(rater, str) or not users or "value" not in shape.columns:
        return Doubts()
    others = [n for n, c in table.columns.items() if c.unique and is_aside(n) and n != rater]
    if rater not in table.columns or not table.columns[rater].unique or not others:
        return Doubts()
    return Doubts({rater: "Every row has another, so that nobody rated twice"})


def _of_an_echo(said: list[_Said], shape: Shape) -> Doubts:
    """A judge's column that names nobody and says in every row what a person's says, beside another
    judge's: that person again under another name. And one that is not even called a rating, and
    whose labels stand for another's one by one: what follows from that (`filtered`)."""
    by = _by_column(said)
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    judges = [n for n in by if kinds.get(n) == "judge"]
    people = [n for n in by if kinds.get(n) in ("human", "reference")]
    unnamed = [n for n in judges if kind_of(n) is None and len(judges) > 1]
    unnamed = [n for n in unnamed if "sample" not in shape.cells[n]]  # one of a judge's runs
    pairs = [(name, other) for name in unnamed for other in people]
    called = [name for name in by if _is_called_rating(name)]
    follows = [(name, other) for name in by if name not in called for other in called]
    for name, other in [*pairs, *follows]:
        mine, both = by[name], by[name].keys() & by[other].keys()
        if len(both) < max(_ENOUGH, len(mine)) or len({*mine.values()}) < 2:
            continue
        if (name, other) in pairs and all(mine[u] == by[other][u] for u in both):
            return Doubts({name: f"It says in every row what {named(other)} says"})
        if (name, other) in follows and _stand_for(mine, by[other]):
            return Doubts({name: f"Every label of it stands for one of {named(other)}"})
    return Doubts()


def _of_a_judge_again(said: list[_Said], shape: Shape, draft: Draft) -> bool:
    """The only person, whom nothing names, says in every row what one of several judges says, and
    another judge does not (`label` beside `judge_label`): whether somebody said it is asked."""
    by = _by_column(said)
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    people = [name for name in by if kinds.get(name) != "judge"]
    judges = [name for name in by if kinds.get(name) == "judge"]
    if len(people) != 1 or len(judges) < 2 or kind_of(people[0]) is not None:
        return False
    mine = by[people[0]]
    again = [n for n in judges if mine.keys() == by[n].keys() and mine == by[n]]
    if len(mine) < _ENOUGH or len({*mine.values()}) < 2 or not 0 < len(again) < len(judges):
        return False
    draft.lack(
        f"Whose labels are in {named(people[0])}? It says in every row what {named(again[0])} says",
        {"wide": {"judge": judges}},
        {"wide": {"human": people, "judge": judges}},
    )
    return True


def _of_another_key(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """An answer key of several options that never has the one which judges give most (`safe`): what
    was tried (`target_harm`), and not what is right."""
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    keys = [name for name, kind in kinds.items() if kind == "reference"]
    given = Counter(one.label for one in said if kinds.get(one.column) == "judge")
    if len(keys) != 1 or "human" in kinds.values() or len(draft.task.get("options", ())) < 3:
        return Doubts()
    usual, rows = given.most_common(1)[0] if given else ("", 0)
    labels = {one.label for one in said if one.column == keys[0]}
    if 2 * rows <= given.total() or given.total() < _ENOUGH or usual in labels or len(labels) < 2:
        return Doubts()
    return Doubts({keys[0]: f"It never has {named(usual)}, which judges give most"})


def _stand_for(mine: Mapping[tuple[str, ...], str], theirs: Mapping[tuple[str, ...], str]) -> bool:
    """Whether labels go with others one by one, and none is the same."""
    pairs = {(mine[unit], theirs[unit]) for unit in mine.keys() & theirs.keys()}
    one, two = ({pair[k] for pair in pairs} for k in (0, 1))
    return len(pairs) == len(one) == len(two) and one.isdisjoint(two)


#: So many columns of numbers that name nobody are hardly judges.
_MANY_STRANGERS = 3


def _of_strangers(table: Table, shape: Shape, draft: Draft) -> Doubts:
    """Columns of numbers that were taken for judges because they are no people's, and are many:
    what else was measured. Their names say neither who rates nor what people rated."""
    kinds = {name: cell.get("kind") for name, cell in shape.cells.items()}
    rated = {word for n, kind in kinds.items() if kind != "judge" for word in about_of(n)}
    strange = [
        name
        for name, kind in kinds.items()
        if kind == "judge" and kind_of(name) is None and table.columns[name].numeric
        if not {*words(name)} & GENERIC and not {*about_of(name)} & rated
        if "criterion" not in shape.cells[name]
    ]
    if len(strange) < _MANY_STRANGERS or table.source.parts:
        return Doubts()
    return Doubts(
        dict.fromkeys(strange, "Their names say nothing of who rates or what people rated")
    )


def _of_one_label(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """A column of ratings all of which say one thing, words for "no rating" aside, where another
    column was passed over."""
    value = shape.columns.get("value")
    options = draft.task.get("options", ())
    if not isinstance(value, str) or len(options) != 1 or not _passed_over(draft):
        return Doubts()
    return Doubts({value: f"It says nothing but {named(options[0])}"})


def _of_the_item(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """Of a table that names its raters in rows, columns in which nobody ever differs from another
    rater of the item, where others do, or one was passed over: properties of the item."""
    if "rater" not in shape.columns:
        return Doubts()
    by: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for one in said:
        if "rater" not in shape.cells.get(one.column, {}):
            by.setdefault(one.column, {}).setdefault(one.unit, []).append(one.label)
    several = {c: [x for x in units.values() if len(x) > 1] for c, units in by.items()}
    differ = {c for c, found in several.items() if any(len({*one}) > 1 for one in found)}
    same = [c for c, found in several.items() if len(found) >= _ENOUGH and c not in differ]
    if not same or not (differ or _passed_over(draft)):
        return Doubts()
    return Doubts(dict.fromkeys(same, "An item has the same in it whoever rates it"))


def _passed_over(draft: Draft) -> bool:
    """Whether a column was left out that may hold the ratings."""
    return any("hold ratings too?" in question for question in draft.questions)


#: Words by which raters agree that yes and no do not apply: no third grade beside these.
_NOT_ASKED = frozenset(
    [
        *(
            "n/a",
            "na",
            "n.a.",
            "not applicable",
            "not_applicable",
            "inapplicable",
            "skip",
            "skipped",
        ),
        *("none", "null", "nan", "-", "--", "nil", "no answer", "blank", "empty", "n / a"),
    ]
)
#: Two raters who give a word to the same items this often more than by chance mean something.
_TIMES, _FEWEST = 2.0, 3


def _given_alike(said: list[_Said], shape: Shape, draft: Draft) -> Doubts:
    """Words for "no rating" that several raters give to the same items: what cannot be read, or is
    abstained from, one rater's slip is not another's. And words for a machine that gives no answer
    (`refused`) which people give: they say it of what they rate."""
    if draft.declared.task.keys() & {"abstain", "invalid", "options", "scale"}:
        return Doubts()
    out = {folded(one): one for key in ("abstain", "invalid") for one in draft.task.get(key, ())}
    if draft.task.get("scale") == "binary":
        out = {word: spelled for word, spelled in out.items() if word not in _NOT_ASKED}
    if not out:
        return Doubts()
    by: dict[str, dict[tuple[str, ...], str]] = {}
    for one in said:
        by.setdefault(one.rater, {})[one.unit] = one.label
    found = {word: spelled for word, spelled in out.items() if _is_shared(word, by)}
    if {one.kind for one in shape.used} == {"human"}:
        often = Counter(one.label for one in said)
        found |= {w: s for w, s in out.items() if w in _UNANSWERED and often[w] >= _FEWEST}
    return Doubts(options=found)


#: What a machine does that was asked and gives no answer.
_UNANSWERED = frozenset(["refusal", "refused", "refuse", "refuses", "timeout", "garbage"])


def _is_shared(word: str, by: Mapping[str, Mapping[tuple[str, ...], str]]) -> bool:
    """Whether two raters give a word to the same items far oftener than chance would have it."""
    counts: Counter[str] = Counter()
    expected = 0.0
    users = [labels for labels in by.values() if word in labels.values()]
    for one, two in combinations(users[:8], 2):
        units = one.keys() & two.keys()
        first, second = (sum(labels[u] == word for u in units) for labels in (one, two))
        counts["both"] += sum(one[u] == two[u] == word for u in units)
        counts["fewer"] += min(first, second)
        expected += first * second / len(units) if units else 0.0
    both = counts["both"]
    return both >= _FEWEST and 2 * both >= counts["fewer"] and both >= _TIMES * expected
