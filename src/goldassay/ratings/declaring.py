"""One key of a task at a time: what it may hold, and the value as it is kept."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Literal, cast, get_args

from goldassay.errors import TaskError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.glossary import method_of, methods
from goldassay.ratings.cut import Cut
from goldassay.ratings.scale import SCALES
from goldassay.sources.form import Form

__all__ = [
    "KINDS",
    "READ",
    "Wide",
    "as_spelled",
    "read_options",
    "read_table",
    "read_worded",
    "with_criteria",
]

Abstentions = Literal["exclude", "recode", "class"]
Invalids = Literal["exclude", "wrong", "class"]
Ties = Literal["half", "exclude", "class"]
Level = Literal["micro", "macro", "item"]
Reference = Literal["each", "majority", "median", "mean", "soft", "response_set", "adjudicated"]
ReferenceTies = Literal["exclude", "half"]
Calibration = Literal["random", "by_verdict", "by_label", "separate"]
Goal = Literal["prevalence", "filter", "ranking"]
Duplicates = Literal["error", "exclude"]
Undeclared = Literal["error", "invalid"]
Asked = Literal["all", "rows"]
#: What a reference is, since it is no independent person.
ReferenceKind = Literal["answer key", "adjudicated", "AI", "unknown"]

KINDS = ("human", "judge", "reference")


@dataclass(frozen=True, slots=True)
class Wide:
    """Names by kind: columns of a table with one per rater, or raters by name."""

    human: tuple[str, ...] = ()
    judge: tuple[str, ...] = ()
    #: No independent people: answer keys, adjudicated labels, labels made by an AI.
    reference: tuple[str, ...] = ()

    def kind_of(self, name: str) -> str:
        return next((k for k in KINDS if name in getattr(self, k)), "")

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.human, *self.judge, *self.reference)


def _choice(allowed: tuple[str, ...], value: Any, where: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise TaskError(where, f"must be one of {', '.join(allowed)}", found=shown(value))
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        raise TaskError(
            where,
            "must be text in quotes",
            found=shown(value),
            next_step=f'Write "{value}"' if plain else None,
        )
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise TaskError(where, "must be text that UTF-8 can hold", found=shown(value))
    return value


def _option(value: Any, where: str) -> str:
    """An option: a text, or true or false as JSON and frames write them."""
    return str(value).lower() if isinstance(value, bool) else _text(value, where)


def as_spelled(option: str, options: Sequence[str]) -> str:
    """True and false as the options spell them, which files and frames do differently.

    >>> as_spelled("true", ["True", "False"]), as_spelled("Yes", ["yes", "no"])
    ('True', 'Yes')
    """
    plain = option.lower()
    if option in options or plain not in ("true", "false"):
        return option
    return next((one for one in options if one.lower() == plain), option)


def read_options(value: Any, where: str) -> tuple[str, ...]:
    return _texts(value, where, _option)


def read_worded(value: Any, where: str) -> str:
    """What a name means: a text, or a table with `text`."""
    if not isinstance(value, Mapping):
        return _text(value, where)
    if unknown := set(value) - {"text"}:
        keys = "the keys text and weight" if ", criteria" in where else "the key text"
        raise TaskError(where, f"has {keys}", found=", ".join(sorted(map(str, unknown))))
    return _text(value.get("text", ""), where)


def read_texts(value: Any, where: str) -> tuple[str, ...]:
    return _texts(value, where, _text)


def _texts(value: Any, where: str, read: Callable[[Any, str], str]) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise TaskError(where, "must be a list of texts", found=shown(value))
    return tuple(read(item, where) for item in value)


def _names(value: Any, where: str) -> str | tuple[str, ...]:
    """A name, or each of several once."""
    if not isinstance(value, list | tuple):
        return _text(value, where)
    names = read_texts(value, where)
    if not names or len(set(names)) != len(names):
        raise TaskError(where, "lists each name of the column once", found=shown(value))
    return names


def _judges(value: Any, where: str) -> tuple[str, ...]:
    """A judge, or several."""
    return read_texts([value] if isinstance(value, str) else value, where)


def _levels(value: Any, where: str) -> tuple[str, ...]:
    levels = read_texts(value, where)
    for level in levels:
        if level not in get_args(Level):
            raise TaskError(where, "are micro, macro, item", found=repr(level))
    return levels


def read_table(
    read: Callable[[Any, str], Any], rule: str, value: Any, where: str
) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TaskError(where, rule, found=shown(value))
    keys = {key: str(key).lower() if isinstance(key, bool) else str(key) for key in value}
    return {keys[key]: read(one, f"{where}.{keys[key]}") for key, one in value.items()}


def _sets(value: Any, where: str) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list | tuple):
        raise TaskError(where, "must be a list of lists of options", found=shown(value))
    return tuple(read_texts(one, where) for one in value)


def _by_kind(value: Any, where: str) -> Wide:
    if isinstance(value, Wide):
        value = {key: getattr(value, key) for key in KINDS}
    if not isinstance(value, Mapping) or not set(value) <= set(KINDS) or not value:
        raise TaskError(
            where,
            "must list the raters, as human = [...], judge = [...] and reference = [...]",
            found=shown(value),
        )
    wide = Wide(**{key: read_texts(names, f"{where}.{key}") for key, names in value.items()})
    both = sorted({name for name in wide.names if wide.names.count(name) > 1})
    if both:
        raise TaskError(where, "must list each rater once", found=", ".join(both))
    return wide


_CELL = (
    *("rater", "kind", "criterion", "system", "opponent", "sample", "order", "mirrored"),
    *("cut", "score", "means", "item", "empty", "empty_as"),
)


def _cells(value: Any, where: str) -> Mapping[str, Mapping[str, str]]:
    rule = 'must be tables, as human_score = { rater = "human", kind = "human" }'
    cells = read_table(partial(read_table, _text, rule), rule, value, where)
    for column, cell in cells.items():
        for key, said in cell.items():
            if key not in _CELL:
                raise TaskError(
                    f"{where}.{column}", f"must hold {', '.join(_CELL)}", found=shown(key)
                )
            if key == "mirrored":
                _choice(("yes", "no"), said, f"{where}.{column}.mirrored")
            if key == "cut":
                _cut(said, f"{where}.{column}.cut")
            if key == "kind" and said not in KINDS:
                raise TaskError(
                    f"{where}.{column}.kind",
                    f"must be one of {', '.join(KINDS)}",
                    found=shown(said),
                )
    return cells


def _form(value: Any, where: str) -> Form:
    if isinstance(value, Form):
        return value
    known = (
        *("header", "separator", "decimal", "thousands", "fill", "totals", "rows", "votes"),
        *("times", "several", "pairs", "members", "log"),
    )
    if not isinstance(value, Mapping) or not set(value) <= set(known):
        raise TaskError(where, f"must hold {', '.join(known)}", found=shown(value))
    header = value.get("header")
    if header is not None and not isinstance(header, bool):
        header = read_texts(header, f"{where}.header")
    separator, decimal = value.get("separator"), value.get("decimal", ".")
    if separator is not None and (not isinstance(separator, str) or len(separator) != 1):
        raise TaskError(f"{where}.separator", "must be one sign", found=shown(separator))
    fill = read_texts(value["fill"], f"{where}.fill") if "fill" in value else ()
    totals = read_texts(value["totals"], f"{where}.totals") if "totals" in value else ()
    log = _text(value["log"], f"{where}.log") if "log" in value else None
    thousands = value.get("thousands")
    if thousands is not None:
        _choice((",", ".", " ", "'"), thousands, f"{where}.thousands")
    if thousands == _choice((".", ","), decimal, f"{where}.decimal"):
        raise TaskError(
            f"{where}.thousands", "must be another sign than decimal", found=shown(thousands)
        )
    rows = read_texts(value["rows"], f"{where}.rows") if "rows" in value else ()
    counts = 'must hold columns and what they count, as yes_votes = "yes"'
    votes = _pairs(value["votes"], f"{where}.votes", 2, counts) if "votes" in value else ()
    times = _text(value["times"], f"{where}.times") if "times" in value else None
    signs = 'must hold columns and the sign between their labels, as labels = ";"'
    several = _pairs(value["several"], f"{where}.several", 1, signs) if "several" in value else ()
    made = 'must hold columns and what they are made of, as winner = "best > worst"'
    pairs = _pairs(value["pairs"], f"{where}.pairs", 1, made) if "pairs" in value else ()
    members = read_texts(value["members"], f"{where}.members") if "members" in value else ()
    plain = (header, separator, decimal, thousands, fill, totals)
    return Form(*plain, rows, votes, times, several, pairs, members, log)


def _pairs(value: Any, where: str, fewest: int, rule: str) -> tuple[tuple[str, str], ...]:
    """Column -> text; a task that is read again holds the pairs."""
    pairs = value.items() if isinstance(value, Mapping) else value
    if not isinstance(value, Mapping | list | tuple) or len(value) < fewest:
        raise TaskError(where, rule, found=shown(value))
    return tuple((str(column), _text(option, f"{where}.{column}")) for column, option in pairs)


def _cut(value: Any, where: str) -> str:
    text = _text(value, where)
    if Cut.of(text) is None:
        raise TaskError(where, 'must be a comparison, as ">= 3"', found=shown(value))
    return text


def _reads(value: Any, where: str) -> str:
    text = _text(value, where)
    if text != "verdict":
        try:
            groups = re.compile(text).groups
        except re.error as error:
            raise TaskError(where, f"must be a pattern ({error})", found=shown(value)) from None
        if groups > 1:
            raise TaskError(where, "must have one group, the label", found=f"{groups} groups")
    return text


def _weights(value: Any, where: str) -> str | tuple[tuple[float, ...], ...]:
    if isinstance(value, str):
        if value not in ("unweighted", "linear", "quadratic"):
            raise TaskError(
                where, "are unweighted, linear, quadratic or a matrix", found=shown(value)
            )
        return value
    rule = "a matrix of agreement weights is square, finite, 1 on its diagonal, and within [0, 1]"
    if not isinstance(value, list | tuple) or not all(isinstance(r, list | tuple) for r in value):
        raise TaskError(where, rule, found=shown(value))
    size = len(value)
    for i, row in enumerate(value):
        if len(row) != size:
            raise TaskError(where, rule, found=f"row {i + 1} of length {len(row)}")
        for j, weight in enumerate(row):
            if not _is_number(weight) or not 0 <= weight <= 1:
                raise TaskError(where, rule, found=f"{shown(weight)} in row {i + 1}")
            if i == j and weight != 1:
                raise TaskError(where, rule, found=f"{weight!r} on the diagonal")
    return cast(tuple[tuple[float, ...], ...], tuple(tuple(map(float, row)) for row in value))


def _confidence_level(value: Any, where: str) -> float:
    if not _is_number(value) or not 0 < value < 1:
        raise TaskError(where, "must be a number between 0 and 1, as 0.95", found=shown(value))
    return float(value)


def read_margin(value: Any, where: str) -> float:
    """How much worse is no worse, as a size: 0.02 allows a loss of 0.02."""
    if not _is_number(value) or not 0 <= value < math.inf:
        raise TaskError(
            where,
            "must be a number of at least 0, without a sign: by how much a system may be worse and "
            "still be called no worse",
            found=shown(value),
            next_step="Write 0.02 for two points of a rate",
        )
    return float(value)


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise TaskError(where, "must be true or false", found=shown(value))
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _item_rule(value: Any, where: str) -> str:
    text = _text(value, where)
    if text != "all" and Cut.of(text) is None:
        raise TaskError(where, 'must be "all" or a comparison, as ">= 0.7"', found=shown(value))
    return text


def _weight(value: Any, where: str) -> float:
    if not _is_number(value) or not math.isfinite(value) or value == 0:
        raise TaskError(where, "must be a number other than 0", found=shown(value))
    return float(value)


def _rater_weight(value: Any, where: str) -> float:
    if not _is_number(value) or not math.isfinite(value) or value < 0:
        raise TaskError(where, "must be a number of at least 0", found=shown(value))
    return float(value)


def _share(value: Any, where: str) -> float:
    if not _is_number(value) or not 0 <= value <= 1:
        raise TaskError(where, "must be a share from 0 to 1", found=shown(value))
    return float(value)


def _use(value: Any, where: str) -> Mapping[str, Any]:
    """[use] metric = "cohen_kappa", at_least = 0.6: what its user calls good enough."""
    if not isinstance(value, Mapping):
        raise TaskError(where, "must be a table with metric and at_least", found=shown(value))
    if not value:
        return {}
    if set(value) != {"metric", "at_least"}:
        found = ", ".join(map(str, value))
        raise TaskError(where, "must have the keys metric and at_least", found=shown(found))
    if not _is_number(value["at_least"]):
        raise TaskError(f"{where}, at_least", "must be a number", found=shown(value["at_least"]))
    metric = _text(value["metric"], f"{where}, metric")
    names = {name.rpartition(".")[2] for name in methods()}
    if metric not in names and method_of(metric) is None:
        like = nearest(metric, sorted(names))
        raise TaskError(
            f"{where}, metric",
            "must be the name of a result",
            found=shown(metric),
            next_step=f"Did you mean {like!r}?" if like else "goldassay agree --json names them",
        )
    return {"metric": metric, "at_least": value["at_least"]}


def _expires(value: Any, where: str) -> str | int:
    """The day on which a passport ends, or the number of verdicts for which it holds."""
    rule = "must be a day, as 2027-01-31, or a number of verdicts, as 50000"
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    text = value.isoformat() if type(value) is date else value
    try:
        return date.fromisoformat(text).isoformat()
    except (ValueError, TypeError):
        raise TaskError(where, rule, found=shown(value)) from None


def with_criteria(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A task that lists its criteria's columns (`[columns] criterion = ["tone", "depth"]`), with
    what that stands for: in `[cells]` each with its criterion, by whom `[constants]` names.

    >>> task = {"columns": {"criterion": ["tone"]}, "constants": {"kind": "judge"}}
    >>> with_criteria(task)["cells"]
    {'tone': {'kind': 'judge', 'criterion': 'tone'}}
    """
    columns, constants = raw.get("columns"), raw.get("constants", {})
    names = columns.get("criterion") if isinstance(columns, Mapping) else None
    texts = isinstance(names, list | tuple) and all(isinstance(one, str) for one in names)
    tables = isinstance(constants, Mapping) and isinstance(raw.get("cells", {}), Mapping)
    if not columns or not names or not texts or not tables:
        return raw
    whose = {key: constants[key] for key in ("rater", "kind") if key in constants}
    listed = {name: {**whose, "criterion": name} for name in names}
    made = {
        "columns": {key: value for key, value in columns.items() if key != "criterion"},
        "constants": {key: value for key, value in constants.items() if key not in whose},
        "cells": {**listed, **raw.get("cells", {})},
    }
    return {key: value for key, value in {**raw, **made}.items() if value or key not in made}


#: Key -> what reads it: the value as it is kept, or a `TaskError` that says what it must be.
READ: Mapping[str, Callable[[Any, str], Any]] = {
    "scale": partial(_choice, tuple(SCALES)),
    "options": read_options,
    "option_texts": partial(read_table, _text, "must be a table option = text"),
    "criteria": partial(read_table, read_worded, "must be a table of criteria with their texts"),
    "positive": _option,
    "positives": read_options,
    "cut": _cut,
    "tie": _text,
    "ties": partial(_choice, get_args(Ties)),
    "abstain": read_texts,
    "invalid": read_texts,
    "undeclared": partial(_choice, get_args(Undeclared)),
    "labels": partial(read_table, _option, "must be a table of labels"),
    "reads": _reads,
    "abstentions": partial(_choice, get_args(Abstentions)),
    "recode_to": _option,
    "invalids": partial(_choice, get_args(Invalids)),
    "weights": _weights,
    "levels": _levels,
    "item_rule": _item_rule,
    "criterion_weights": partial(read_table, _weight, "must be a table criterion = weight"),
    "cluster": _text,
    "reference": partial(_choice, get_args(Reference)),
    "reference_ties": partial(_choice, get_args(ReferenceTies)),
    "rater_weights": partial(read_table, _rater_weight, "must be a table rater = weight"),
    "calibration": partial(_choice, get_args(Calibration)),
    "drawn_by": _judges,
    "prevalence": partial(read_table, _share, "must be a table option = share"),
    "asked": partial(_choice, get_args(Asked)),
    "goal": partial(_choice, get_args(Goal)),
    "confidence_level": _confidence_level,
    "response_sets": _sets,
    "separator": _text,
    "may_hide": partial(read_table, read_texts, "must be a table option = [options]"),
    "counted": read_options,
    "use": _use,
    "population": _text,
    "expires": _expires,
    "margin": read_margin,
    "resample_raters": _truth,
    "duplicates": partial(_choice, get_args(Duplicates)),
    "shared_labels": _truth,
    "strata": read_texts,
    "families": partial(read_table, _text, "must be a table of names"),
    "columns": partial(read_table, _names, "must be a table of names"),
    "wide": _by_kind,
    "cells": _cells,
    "raters": _by_kind,
    "references": partial(
        read_table, partial(_choice, get_args(ReferenceKind)), "must be a table of references"
    ),
    "constants": partial(read_table, _text, "must be a table of names"),
    "files": partial(
        read_table,
        partial(read_table, _text, "must be a table of constants"),
        'must be tables, as [files."gpt.csv"] rater = "gpt"',
    ),
    "file": _form,
}
