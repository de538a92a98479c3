"""One column of ratings and nobody named: a file per rater, its name is the rater."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.labels.used import Used
from goldassay.proposals.layouts.roles import is_to_be_rated_after
from goldassay.proposals.profile import MANY
from goldassay.proposals.shape import Shape, Table, person, persons, raters_of_files, some, stem_of
from goldassay.ratings.vocabulary import SYNONYMS, kind_of, plain_name, words
from goldassay.sources.files import STANDARD_INPUT
from goldassay.words import named

__all__ = ["alone"]


#: Words of files with what a judge is held against, rather than what it said.
_HELD_AGAINST = frozenset(["agreement", "calibration", "validation"])


def _kind_of_file(name: str) -> str | None:
    kind = kind_of(name)
    return None if kind == "judge" and {*words(name)} & _HELD_AGAINST else kind


def alone(table: Table, shape: Shape, draft: Draft, value: str) -> None:
    """One column of ratings and nobody named: a file per rater, its name is the rater."""
    shape.columns["value"] = value
    parts = table.source.parts or ((table.source.name, table.source.columns),)
    by_file = raters_of_files(table) or {Path(table.source.name).name: _called(table, value)}
    values = set()
    for (name, columns), (file, who) in zip(parts, by_file.items(), strict=True):
        own = [n for n in (value, *SYNONYMS["value"]) if n in columns]
        values |= set(own[:1])
        # The file's own column may say it better than its name: `gpt_label` in results.csv.
        said = kind_of(own[0]) if own else None
        plain = not own or plain_name(own[0]) in SYNONYMS["value"]
        kind = _kind_of_file(who) or said if plain else said or _kind_of_file(who)
        kind = draft.declared.table("files").get(file, {}).get("kind") or kind
        kind = kind or draft.declared.table("constants").get("kind") or _of_assessors(table, name)
        kind = kind or ("judge" if is_to_be_rated_after(table, value) else None)
        if kind is None and len(parts) > 1:
            draft.lack(
                f"Who rated in {named(file)}, a person or a judge?",
                *({"files": {file: {"kind": one}}} for one in ("human", "judge")),
            )
        shape.files[file] = {"rater": who, "kind": kind or "human"}
        shape.used.append(_used_in(table, own[0] if own else value, who, kind or "human"))
    if len(parts) == 1:
        only = shape.files.popitem()[1]
        shape.constants |= only
        if kind is None and not draft.declared.table("raters"):
            draft.ask(f"Is {named(only['rater'])} a judge? Then", {"constants": {"kind": "judge"}})
        draft.assume(
            Weight.WHO,
            f"all ratings are by one {person(only['kind'])}, called {named(only['rater'])}",
        )
    else:
        for kind in ("human", "judge", "reference"):
            mine = [f for f, one in shape.files.items() if one["kind"] == kind]
            if mine:
                verb = "holds" if len(mine) == 1 else "hold"
                draft.assume(Weight.WHO, f"{some(mine)} {verb} the ratings of {persons(kind)}")
    if value != "value":
        draft.assume(Weight.COLUMNS, f"the column {named(value)} holds the ratings")
    if len(values) > 1:
        shape.columns["value"] = sorted(values)


def _called(table: Table, value: str) -> str:
    """Who rated in a table alone: whom its name names, or the column where only that says it, as
    in what comes from memory or by a pipe, which nobody named."""
    in_file = all(one.sha256 for one in table.source.inputs) and table.stem != STANDARD_INPUT
    plain = plain_name(value) in SYNONYMS["value"]
    told = not plain and kind_of(value) and not kind_of(table.stem)
    return value if told or not in_file else table.stem


def _of_assessors(table: Table, name: str) -> str | None:
    """A file of relevance judgments that names nobody, beside one that names a judge: people's."""
    others = [kind_of(stem_of(one)) for one, _ in table.source.parts if one != name]
    is_qrels = "qrel" in Path(name).name.casefold() and "document" in table.columns
    return "human" if is_qrels and "judge" in others else None


def _used_in(table: Table, value: str, who: str, kind: str) -> Used:
    return Used(who, kind, table.columns[value].labels, len(table.columns[value].labels) > MANY)
