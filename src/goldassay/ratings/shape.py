"""How a table is laid out, by what its columns hold and then by their names.

Four layouts are told apart: a row per rating (long); a row per item with a column per rater (wide);
with a column per criterion, per rater and criterion, or per system (cells); and pairs of systems
with a winner. Names alone decide nothing: a column `judge` that holds names says who rated, one
that holds yes and no is what the judge said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goldassay.ratings.draft import Draft, Weight
from goldassay.ratings.options import Used
from goldassay.ratings.profile import MANY, Column, counted
from goldassay.ratings.vocabulary import (
    ASIDE,
    CRITERIA,
    GENERIC,
    NAMED_RATERS,
    SYNONYMS,
    SYSTEMS,
    folded,
    kind_of,
    words,
)
from goldassay.sources.frames import Source
from goldassay.words import listed, named

__all__ = ["Shape", "shape_of"]

#: Names of columns that say how sure a judge was.
_SCORES = ("score", "confidence", "probability", "prob", "judge_score", "p_yes", "p")
_SIDE = (("a", "b"), ("1", "2"), ("left", "right"), ("x", "y"), ("first", "second"))
_QUESTION = re.compile(r"^[a-z]{0,3}q\d+$", re.IGNORECASE)


@dataclass
class Shape:
    """Which column is what, in the keys of a task; who used which labels."""

    columns: dict[str, Any] = field(default_factory=dict)
    #: Column -> what its ratings are about (rater, kind, criterion, system).
    cells: dict[str, dict[str, str]] = field(default_factory=dict)
    raters: dict[str, list[str]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    #: File name -> constants.
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    used: list[Used] = field(default_factory=list)
    sides: bool = False

    @property
    def taken(self) -> set[str]:
        """The file's columns that have a place already."""
        named_ = {n for t in self.columns.values() for n in ([t] if isinstance(t, str) else t)}
        return named_ | set(self.cells)


@dataclass(frozen=True)
class _Table:
    """A source with its columns looked at."""

    source: Source
    columns: Mapping[str, Column]

    def called(self, names: Iterable[str], *, but: Iterable[str] = ()) -> list[str]:
        """The columns of these names, in the order of the names."""
        lower = {name.casefold().strip(): name for name in reversed(list(self.columns))}
        left = set(but)
        return [lower[name] for name in names if name in lower and lower[name] not in left]

    @property
    def stem(self) -> str:
        return _stem(self.source.name)


def shape_of(source: Source, columns: Mapping[str, Column], draft: Draft) -> Shape:
    """The layout of a table; what cannot be told is put into the draft as missing."""
    table, shape = _Table(source, columns), Shape()
    if _own_names(table, shape, draft):
        return shape
    _systems(table, shape)
    ratings = _ratings(table, shape)
    rater = _rater(table, shape, ratings)
    if rater is not None:
        ratings = [name for name in ratings if name != rater]
    roles = {name: kind_of(name) or _kind_of_file(table, name) for name in ratings}
    raters = [name for name, kind in roles.items() if kind]
    value = next(iter(table.called(SYNONYMS["value"], but=set(columns) - set(ratings))), None)
    own = {"rater", "value"} <= set(columns)
    if rater is not None and (own or len(ratings) == 1 or (value and not _criteria(ratings))):
        _long(table, shape, draft, (rater, "value" if own else value or ratings[0]))
    elif rater is not None and len(ratings) > 1:
        _per_criterion(table, shape, draft, (rater, ratings))
    elif len(ratings) > 1 and _of_systems(table, ratings):
        _per_system(table, shape, draft, ratings)
    elif len(ratings) > 1 and (raters or not _criteria(ratings)) and not _same_value(table):
        _wide(table, shape, draft, roles)
    elif len(ratings) > 1 and _criteria(ratings):
        _per_criterion(table, shape, draft, (None, ratings))
    elif ratings:
        _alone(table, shape, draft, value or ratings[0])
    else:
        likely = [name for name in table.called(SYNONYMS["value"]) if columns[name].labels]
        likely += [n for n in columns if n.casefold() not in SYNONYMS["item"] and n not in likely]
        answers = [f'[columns] value = "{name}"' for name in likely[:2]]
        draft.lack("Which column holds the ratings?", *answers)
    return shape


def _own_names(table: _Table, shape: Shape, draft: Draft) -> bool:
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
        draft.assume(Weight.COLUMNS, f"the columns {_some(theirs)} {said[ours]}, file by file")
    kinds: dict[str, str] = {}
    by: dict[str, dict[str, int]] = {}
    for one in each:
        for who, label in counted(table.source, one["rater"], one["value"]):
            if who and label:
                kinds[who] = kind_of(who) or "human"
                by.setdefault(kinds[who], {})[label] = 1
    _declare_raters(kinds, shape)
    judges = [name for name, kind in kinds.items() if kind == "judge"]
    if judges:
        verb = "is a judge" if len(judges) == 1 else "are judges"
        draft.assume(Weight.WHO, f"of the raters, {_some(judges)} {verb}, every other is a person")
    else:
        draft.assume(Weight.WHO, "all raters are people; name judges in [raters]")
    shape.used = [Used(f"{kind}s", kind, labels) for kind, labels in sorted(by.items())]
    return True


def _only_file(table: _Table, name: str) -> str | None:
    """What the only file with this column is called, where there are several files."""
    places = [place for place, names in table.source.parts if name in names]
    return _stem(places[0]) if len(places) == 1 else None


def _kind_of_file(table: _Table, name: str) -> str | None:
    only = _only_file(table, name)
    return kind_of(only) if only else None


# --- which columns hold ratings -------------------------------------------------------------------


def _aside(name: str) -> bool:
    said = words(name)
    exact = {*SYNONYMS["item"], *SYNONYMS["sample"], *SYNONYMS["split"]}
    return bool(set(said) & ASIDE) or name.casefold() in exact


def _ratings(table: _Table, shape: Shape) -> list[str]:
    """Columns that hold verdicts or scores, or a few labels that another such column shares."""
    if "value" in table.columns and table.columns["value"].labels and "rater" in table.columns:
        return ["value"]
    taken = shape.taken
    known = set(SYNONYMS["value"])
    found = [
        name
        for name, column in table.columns.items()
        if name not in taken
        and not (_aside(name) and kind_of(name) is None)
        and not (_aside(name) and column.numeric and not _says_rating(name))
        and not column.counter
        and (column.rating or (column.few and (_like_a_value(name, known) or _only_who(name))))
        and (len(column.labels) > 1 or kind_of(name) or name.casefold() in known or _asks(name))
    ]
    few = {
        name: {folded(label) for label in column.labels}
        for name, column in table.columns.items()
        if column.few and name not in (*found, *taken) and not _aside(name)
    }
    labels = {name: {folded(label) for label in table.columns[name].labels} for name in found}
    for name, mine in few.items():
        others = [*labels.values(), *(o for n, o in few.items() if n != name)]
        if any(len(mine & theirs) >= 2 - (kind_of(name) is not None) for theirs in others):
            found.append(name)
    winners = [name for name in found if words(name)[:1] == ("winner",)]
    if shape.sides and winners:
        return [n for n in found if "winner" in words(n) or kind_of(n)]
    found = [name for name in table.columns if name in found]
    return _of_one_scale(table, found)


def _only_who(name: str) -> bool:
    """A name that says who rated and nothing else ("human", "gpt4"), and names no column of who."""
    others = {*SYNONYMS["rater"], *SYNONYMS["system"], *SYNONYMS["kind"]}
    about = [w for w in words(name) if kind_of(w) is None and w not in GENERIC and not w.isdigit()]
    texts = {*words(name)} & {*_TEXTS}
    return kind_of(name) is not None and not (about or texts) and name.casefold() not in others


def _asks(name: str) -> bool:
    """A name of something that is rated: Q1, fluency."""
    return bool(_QUESTION.match(name) or set(words(name)) & CRITERIA)


def _says_rating(name: str) -> bool:
    return bool(set(words(name)) & GENERIC)


def _like_a_value(name: str, known: set[str]) -> bool:
    """A name that says: here is a label."""
    said = words(name)
    return name.casefold() in known - {"answer", "response", "source", "type", "name"} or (
        kind_of(name) is not None and bool(set(said) & (GENERIC - {"answer", "response", "output"}))
    )


def _of_one_scale(table: _Table, found: list[str]) -> list[str]:
    """Of columns with words and columns with numbers beside them, those that people and judges
    share; a score beside verdicts is how sure the judge was."""
    kinds = {name: kind_of(name) for name in found}
    verdicts = [n for n in found if table.columns[n].few]
    scores = [n for n in found if n not in verdicts]
    people = [n for n in verdicts if kinds[n] in ("human", "reference")]
    judges = [n for n in verdicts if kinds[n] == "judge"]
    if scores and people and judges:
        return verdicts
    plain = [n for n in verdicts if kinds[n] or n.casefold() in SYNONYMS["value"]]
    if scores and len(plain) >= 1 and not any(kinds[n] for n in scores):
        return verdicts
    return found


def _criteria(names: Sequence[str]) -> bool:
    """Whether columns are named after what is rated rather than after who rates."""
    hits = [n for n in names if _asks(n)]
    return len(hits) > 1 and len(hits) * 2 >= len(names)


def _same_value(table: _Table) -> bool:
    """Several files that hold the ratings under one name."""
    parts = table.source.parts
    shared = [n for n in SYNONYMS["value"] if parts and all(n in columns for _, columns in parts)]
    return bool(shared)


# --- who rated ------------------------------------------------------------------------------------


def _rater(table: _Table, shape: Shape, ratings: Sequence[str]) -> str | None:
    """The column that names who rated: by its name, where it holds names and not verdicts."""
    if "rater" in table.columns and table.columns["rater"].labels:
        return "rater"
    for name in table.called(SYNONYMS["rater"], but=shape.taken):
        column = table.columns[name]
        others = [one for one in ratings if one != name]
        if not column.labels or column.text or column.times or not others:
            continue
        if name.casefold() not in NAMED_RATERS and (column.unique or column.filled < column.rows):
            continue
        if column.verdicts and not column.numeric:
            continue
        if column.numeric and name.casefold() not in NAMED_RATERS:
            continue
        if name.casefold() in ("source", "name", "author", "email", "user") and not _says_who(
            column
        ):
            continue
        return name
    for name in table.called(SYNONYMS["kind"], but=shape.taken):
        column = table.columns[name]
        if column.few and len(column.labels) > 1 and all(kind_of(one) for one in column.labels):
            return name
    return None


def _says_who(column: Column) -> bool:
    return any(kind_of(label) for label in column.labels)


def _kinds(table: _Table, rater: str, shape: Shape, draft: Draft) -> dict[str, str]:
    """Rater -> kind: by a column that says it, by the raters' names, by the column's name."""
    columns = table.columns
    if "kind" in columns and set(columns["kind"].labels) <= {"human", "judge", "reference"}:
        return {row[0]: row[1] for row in counted(table.source, rater, "kind")}
    names = list(columns[rater].labels)
    for name in table.called(SYNONYMS["kind"], but=[*shape.taken, rater]):
        said = {label: kind_of(label) for label in columns[name].labels}
        if columns[name].few and said and all(said.values()):
            found = {
                w: str(said[label]) for w, label in counted(table.source, rater, name) if label
            }
            _declare_raters(found, shape)
            draft.assume(Weight.WHO, f"the column {named(name)} says who is a person, who a judge")
            return found
    if len(columns[rater].labels) > MANY:
        names = [who for (who,) in counted(table.source, rater)]
    kinds = {name: kind_of(name) for name in names}
    if not any(kinds.values()):
        kind = (
            "judge" if kind_of(rater) == "judge" and "user" not in " ".join(names[:3]) else "human"
        )
        shape.constants["kind"] = kind
        people = "people" if kind == "human" else "judges"
        draft.assume(
            Weight.WHO, f"all raters in {named(rater)} are {people}; name others in [raters]"
        )
        return dict.fromkeys(names, kind)
    found = {name: kind or "human" for name, kind in kinds.items()}
    _declare_raters(found, shape)
    judges = [name for name, kind in found.items() if kind == "judge"]
    gold = [name for name, kind in found.items() if kind == "reference"]
    text = f"{_some(judges)} {'is a judge' if len(judges) == 1 else 'are judges'}" if judges else ""
    text += ("; " if judges and gold else "") + (f"{_some(gold)} is an answer key" if gold else "")
    draft.assume(Weight.WHO, f"of the raters, {text}, and every other is a person")
    return found


def _declare_raters(found: Mapping[str, str], shape: Shape) -> None:
    """[raters]: judges and references by name; every other is a person, unless there is none."""
    shape.raters = {
        kind: sorted(name for name, one in found.items() if one == kind)
        for kind in ("judge", "reference")
        if kind in found.values()
    }
    if "human" not in found.values() and "reference" in found.values():
        return
    if not shape.raters:
        shape.constants["kind"] = "human"
    elif set(found.values()) == {"judge"}:
        shape.raters, shape.constants["kind"] = {}, "judge"


# --- layouts --------------------------------------------------------------------------------------


def _long(table: _Table, shape: Shape, draft: Draft, named_by: tuple[str, str]) -> None:
    rater, value = named_by
    shape.columns |= {"rater": rater, "value": value}
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if rater != "rater":
        draft.assume(Weight.COLUMNS, f"the column {named(rater)} says who rated")
    kinds = _kinds(table, rater, shape, draft)
    by: dict[str, dict[str, int]] = {}
    for (who, label), rows in counted(table.source, rater, value).items():
        if label:
            mine = by.setdefault(kinds.get(who, "human"), {})
            mine[label] = mine.get(label, 0) + rows
    many = len(table.columns[value].labels) > MANY
    shape.used = [Used(f"{kind}s", kind, labels, many) for kind, labels in sorted(by.items())]
    scores = [n for n in table.called(_SCORES, but=shape.taken) if table.columns[n].numeric]
    if scores and table.columns[value].few and "score" not in table.columns:
        shape.columns["score"] = scores[0]
        draft.assume(
            Weight.COLUMNS, f"{named(scores[0])} says how sure the rater was of its verdict"
        )


def _wide(table: _Table, shape: Shape, draft: Draft, roles: Mapping[str, str | None]) -> None:
    """A column per rater, or per rater and criterion."""
    known = {name: kind for name, kind in roles.items() if kind}
    others = [name for name, kind in roles.items() if not kind]
    judges = [name for name, kind in known.items() if kind == "judge"]
    standard = [name for name, kind in known.items() if kind != "judge"]
    if judges and standard:
        taken = [name for name in others if _like_raters(table, name, list(known))]
        known |= dict.fromkeys(taken, "human")
        if left := [name for name in others if name not in taken]:
            draft.ask(f"Does {_some(left)} hold ratings too? It was not read as such")
    elif (
        len(others) == 1
        and known
        and (
            judges
            or _like_a_value(others[0], set(SYNONYMS["value"]))
            or words(others[0])[0] in ("actual", "output")
        )
    ):
        known[others[0]] = "human" if judges else "judge"
    else:
        known |= dict.fromkeys(others, "human")
    kinds = {name: known[name] for name in roles if name in known}
    cells = _by_criterion(kinds)
    shape.cells = cells or {
        n: {"rater": n if kind_of(n) else _only_file(table, n) or n, "kind": kind}
        for n, kind in kinds.items()
    }
    for kind, said in (
        ("human", "people's"),
        ("judge", "judges'"),
        ("reference", "an answer key's"),
    ):
        mine = [name for name, one in kinds.items() if one == kind]
        if mine:
            verb = "holds" if len(mine) == 1 else "hold"
            draft.assume(Weight.WHO, f"{_some(mine)} {verb} {said} ratings")
    shape.used = [_used(table, name, kind) for name, kind in kinds.items()]


def _like_raters(table: _Table, name: str, known: Sequence[str]) -> bool:
    """A name that says nothing (a person's), over labels that the raters use."""
    theirs = {folded(label) for one in known for label in table.columns[one].labels}
    mine = {folded(label) for label in table.columns[name].labels}
    return mine <= theirs and not set(words(name)) & GENERIC


def _used(table: _Table, name: str, kind: str) -> Used:
    column = table.columns[name]
    return Used(name, kind, column.labels, len(column.labels) > MANY)


def _by_criterion(kinds: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Columns such as human_fluency, gpt4_fluency: whom and what each is about; else nothing."""
    parts: dict[str, tuple[str, str]] = {}
    for name in kinds:
        said = [w for w in re.split(r"[\s_\-.:/]+", name) if w]
        about = [w for w in said if kind_of(w) is None and w.casefold() not in GENERIC]
        about = [w for w in about if not w.isdigit()]
        who = [w for w in said if w not in about and w.casefold() not in GENERIC]
        parts[name] = ("_".join(who), "_".join(about))
    whos = {who for who, _ in parts.values()}
    abouts = {about for _, about in parts.values()}
    each = len(set(parts.values())) == len(parts)
    shared = [a for a in abouts if a and sum(a == about for _, about in parts.values()) > 1]
    if not (each and len(abouts) > 1 and len(whos) > 1 and "" not in abouts | whos):
        return {}
    if len(shared) < 2:
        return {}
    return {
        name: {"rater": who, "kind": kinds[name], "criterion": about}
        for name, (who, about) in parts.items()
    }


def _per_criterion(
    table: _Table, shape: Shape, draft: Draft, found: tuple[str | None, Sequence[str]]
) -> None:
    """A column per criterion; who rated is a column, or the file."""
    rater, names = found
    hits = [n for n in names if _asks(n)]
    criteria = hits if len(hits) > 1 else list(names)
    rest = [name for name in names if name not in criteria]
    others = {name: kind for name in rest if (kind := kind_of(name)) and rater is not None}
    if left := [name for name in rest if name not in others]:
        draft.ask(f"Is {_some(left)} rated too? It was not read as a criterion")
    draft.assume(Weight.COLUMNS, f"{_some(criteria)} are criteria, each with a rating in every row")
    if rater is None:
        who, kind = table.stem, kind_of(table.stem) or "human"
        shape.cells = {n: {"rater": who, "kind": kind, "criterion": n} for n in criteria}
        draft.assume(Weight.WHO, f"all ratings are by one {_word(kind)}, called {named(who)}")
        shape.used = [_used(table, name, kind) for name in criteria]
        return
    shape.columns["rater"] = rater
    shape.cells = {name: {"criterion": name} for name in criteria}
    kinds = _kinds(table, rater, shape, draft)
    kind = "judge" if set(kinds.values()) == {"judge"} else "human"
    shape.used = [_used(table, name, kind) for name in criteria]
    # Beside them a column of another rater, whose criterion the row names.
    for name, other in others.items():
        shape.cells[name] = {"rater": name, "kind": other}
        shape.used.append(_used(table, name, other))
        draft.assume(Weight.WHO, f"{named(name)} holds the ratings of one {_word(other)}")


def _of_systems(table: _Table, ratings: Sequence[str]) -> dict[str, str]:
    """Columns such as judge_gpt4 beside answer_gpt4: column -> system; else nothing."""
    found = {}
    for name in ratings:
        _head, _, tail = name.partition("_")
        beside = [c for c in table.columns if c != name and c.endswith(f"_{tail}")]
        if tail and any(table.columns[c].text or c.startswith(_TEXTS) for c in beside):
            found[name] = tail
    heads = {name.partition("_")[0] for name in found}
    rest = [name for name in ratings if name not in found]
    return found if len(found) > 1 and len(heads) == 1 and not any(map(kind_of, rest)) else {}


_TEXTS = ("answer", "response", "output", "text", "completion")


def _per_system(table: _Table, shape: Shape, draft: Draft, ratings: Sequence[str]) -> None:
    systems = _of_systems(table, ratings)
    if rest := [name for name in ratings if name not in systems]:
        draft.ask(f"Does {_some(rest)} hold ratings too? It was not read as such")
    head = next(iter(systems)).partition("_")[0]
    kind = kind_of(head) or "human"
    shape.cells = {n: {"rater": head, "kind": kind, "system": s} for n, s in systems.items()}
    draft.assume(
        Weight.WHO,
        f"{_some(list(systems))} hold the ratings of one {_word(kind)}, called {named(head)}, a "
        "column per system",
    )
    shape.used = [_used(table, name, kind) for name in systems]


def _alone(table: _Table, shape: Shape, draft: Draft, value: str) -> None:
    """One column of ratings and nobody named: a file per rater, its name is the rater."""
    shape.columns["value"] = value
    parts = table.source.parts or ((table.source.name, table.source.columns),)
    values = set()
    for name, columns in parts:
        own = [n for n in (value, *SYNONYMS["value"]) if n in columns]
        values |= set(own[:1])
        who = _stem(name)
        # The file's own column may say it better than its name: `gpt_label` in results.csv.
        kind = kind_of(who) or (kind_of(own[0]) if own else None)
        if kind is None and len(parts) > 1:
            draft.lack(
                f"Who rated in {named(Path(name).name)}, a person or a judge?",
                f'[files."{Path(name).name}"] kind = "human"',
                f'[files."{Path(name).name}"] kind = "judge"',
            )
        shape.files[Path(name).name] = {"rater": who, "kind": kind or "human"}
        shape.used.append(_used_in(table, value, who, kind or "human"))
    if len(parts) == 1:
        only = shape.files.popitem()[1]
        shape.constants |= only
        draft.assume(
            Weight.WHO,
            f"all ratings are by one {_word(only['kind'])}, called {named(only['rater'])}",
        )
    else:
        for kind in ("human", "judge", "reference"):
            mine = [f for f, one in shape.files.items() if one["kind"] == kind]
            if mine:
                verb = "holds" if len(mine) == 1 else "hold"
                draft.assume(Weight.WHO, f"{_some(mine)} {verb} the ratings of {_words(kind)}")
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if len(values) > 1:
        shape.columns["value"] = sorted(values)


def _used_in(table: _Table, value: str, who: str, kind: str) -> Used:
    return Used(who, kind, table.columns[value].labels, len(table.columns[value].labels) > MANY)


# --- pairs of systems -----------------------------------------------------------------------------


def _systems(table: _Table, shape: Shape) -> None:
    """`model_a` and `model_b`, and pairs of texts: ratings are of pairs."""
    if {"system", "opponent"} <= set(table.columns):
        shape.columns |= {"system": "system", "opponent": "opponent"}
        shape.sides = True
        return
    lower = {name.casefold(): name for name in table.columns}
    for name in table.columns:
        for one, two in _SIDE:
            if (other := _other_side(name, one, two, lower)) is None:
                continue
            mine, theirs = table.columns[name], table.columns[other]
            if mine.rating or theirs.rating:
                continue
            texts = mine.text or theirs.text
            named_ = mine.labels and theirs.labels and not texts
            if set(words(name)) & SYSTEMS and named_:
                shape.columns |= {"system": name, "opponent": other}
                shape.sides = True
                return
            like_texts = texts or bool({*words(name)} & {*_TEXTS, "conversation", "summary"})
            shape.sides |= like_texts and kind_of(name) in (None, "judge")


def _other_side(name: str, one: str, two: str, lower: Mapping[str, str]) -> str | None:
    text = name.casefold()
    tries = [text[: -len(one)] + two] if text.endswith(one) and len(text) > len(one) else []
    if text.startswith(f"{one}_"):
        tries.append(two + text[len(one) :])
    if f"_{one}_" in text:
        tries.append(text.replace(f"_{one}_", f"_{two}_"))
    return next((lower[t] for t in tries if t in lower and lower[t] != name), None)


def _stem(name: str) -> str:
    """What a file's name calls its rater: without its folder, ending and general words."""
    stem = re.sub(
        r"\.(csv|tsv|tab|jsonl|ndjson|json|parquet|pq|txt|xlsx|gz|zst)$", "", Path(name).name
    )
    stem = re.sub(r"\.(csv|tsv|jsonl|json|txt|qrels?|run|trec)$", "", stem)
    return stem or "rater"


def _some(names: Sequence[str], most: int = 6) -> str:
    shown = [named(name) for name in names[:most]]
    more = len(names) - most
    return listed([*shown, f"{more} more"] if more > 0 else shown)


def _word(kind: str) -> str:
    return {"human": "person", "judge": "judge", "reference": "answer key"}[kind]


def _words(kind: str) -> str:
    return {"human": "people", "judge": "judges", "reference": "an answer key"}[kind]
