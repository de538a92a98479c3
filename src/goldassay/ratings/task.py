"""The declaration: what the ratings mean, said before any number is computed.

A `Task` is read from TOML, made from a mapping or written in Python, and held to the same rules
however it came. Where none is declared, `propose` drafts one, tells every guess, and what
is found with it is provisional.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, cast, get_args

from goldassay.errors import TaskError, nearest, shown
from goldassay.ratings.scale import SCALES, ScaleName
from goldassay.sources.form import Form
from goldassay.sources.toml import read_toml

__all__ = ["KINDS", "Task", "Wide", "read_task"]

Abstentions = Literal["exclude", "recode", "class"]
Invalids = Literal["exclude", "wrong", "class"]
Ties = Literal["half", "exclude", "class"]
Level = Literal["micro", "macro", "item"]
Reference = Literal["each", "majority", "median", "mean", "soft", "response_set", "adjudicated"]
ReferenceTies = Literal["exclude", "first"]
Calibration = Literal["random", "by_verdict", "by_label", "separate"]
Goal = Literal["prevalence", "filter", "ranking"]
Duplicates = Literal["error", "exclude"]
Undeclared = Literal["error", "invalid"]
#: What a reference is, since it is no independent person.
ReferenceKind = Literal["answer key", "adjudicated", "AI"]

KINDS = ("human", "judge", "reference")

MAX_OPTIONS = 100
#: Options of which all subsets are response sets when none are declared (1,023 sets).
MAX_SUBSETS_OF = 10
#: How messages call a task that comes from no file.
_PLACE = "task"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the numbers mean. Immutable; a broken rule is a `TaskError`, however it was made.

    >>> task = Task(scale="binary", options=("MET", "UNMET"), positive="MET", cluster="prompt")
    >>> task.negative
    'UNMET'
    """

    scale: ScaleName = "nominal"
    #: Options in order (ordinal: lowest first; pairwise: first system wins, second wins, tie).
    options: tuple[str, ...] = ()
    #: What options and criteria mean, in the words that people read who label.
    option_texts: Mapping[str, str] = field(default_factory=dict)
    criteria: Mapping[str, str] = field(default_factory=dict)
    positive: str | None = None
    #: What is counted, of several options; a list under `positive` in a task file.
    positives: tuple[str, ...] = ()
    #: What is counted, on an ordinal or continuous scale, as ">= 3".
    cut: str | None = None
    #: The option of a pairwise task that means a tie, and how ties count.
    tie: str | None = None
    ties: Ties = "half"
    #: Words that mean "abstained" and "invalid"; every other undeclared word is an error, or
    #: invalid too.
    abstain: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
    undeclared: Undeclared = "error"
    #: Other ways of writing a label -> the label.
    labels: Mapping[str, str] = field(default_factory=dict)
    #: "verdict" reads which option a sentence names; else a pattern whose group is the label.
    reads: str | None = None
    abstentions: Abstentions = "exclude"
    recode_to: str | None = None
    invalids: Invalids = "exclude"
    #: unweighted | linear | quadratic, or an explicit K x K matrix of agreement weights.
    weights: str | tuple[tuple[float, ...], ...] = "unweighted"
    levels: tuple[Level, ...] = ("micro", "macro", "item")
    cluster: str = "item"
    #: How several human ratings of one item become a reference, and what a tied vote becomes.
    reference: Reference = "majority"
    reference_ties: ReferenceTies = "exclude"
    calibration: Calibration | None = None
    goal: Goal = "prevalence"
    confidence_level: float = 0.95
    #: Admissible response sets; all non-empty subsets of the options when none is given.
    response_sets: tuple[tuple[str, ...], ...] = ()
    #: What joins the options of a response set in one value, as "A|C".
    separator: str = "|"
    #: Which options each option may hide when only one may be chosen (sensitivity of `audit`).
    may_hide: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: The options that `audit` counts, where it is not the positive one alone.
    counted: tuple[str, ...] = ()
    #: What is good enough: `metric` (a result's name) and `at_least`. Without it no page says yes.
    use: Mapping[str, Any] = field(default_factory=dict)
    #: Resample raters within items too, because other raters could have been asked.
    resample_raters: bool = False
    duplicates: Duplicates = "error"
    #: Columns within which error rates may differ (`estimate`, `plan`).
    strata: tuple[str, ...] = ()
    #: Judge -> family (of models), for self-preference.
    families: Mapping[str, str] = field(default_factory=dict)
    #: goldassay's column -> the file's; several names where several files differ.
    columns: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    wide: Wide | None = None
    #: Column -> what its ratings are about: rater, kind, criterion, system.
    cells: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Who is a person and who a judge; it wins over a column `kind`.
    raters: Wide | None = None
    #: Reference -> what it is.
    references: Mapping[str, ReferenceKind] = field(default_factory=dict)
    #: Fixed values for columns the file lacks, as kind = "judge"; and those of single files.
    constants: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: How a text file is written: header, separator, decimal.
    file: Form | None = None

    def __post_init__(self) -> None:
        given: Any = self.positive
        if isinstance(given, list | tuple):
            several = _texts(given, f"{_PLACE}, positive")
            object.__setattr__(self, "positive", several[0] if len(several) == 1 else None)
            object.__setattr__(self, "positives", several if len(several) > 1 else ())
        for spec in fields(self):
            value = getattr(self, spec.name)
            if value is None and spec.default is None:
                continue
            read = _READ[spec.name](value, f"{_PLACE}, {spec.name}")
            object.__setattr__(self, spec.name, read)
        rules = (_check_options, _check_words, _check_weights, _check_reference, _check_sets)
        for rule in (*rules, _check_counted, _check_labels):
            rule(self)
        # Response sets are written in the order of the options, whatever the file's order.
        order = {option: index for index, option in enumerate(self.options)}
        sets = tuple(tuple(sorted(one, key=order.__getitem__)) for one in self.response_sets)
        object.__setattr__(self, "response_sets", sets)

    @property
    def column_names(self) -> dict[str, tuple[str, ...]]:
        """goldassay's column -> the files' names of it."""
        return {ours: (t,) if isinstance(t, str) else t for ours, t in self.columns.items()}

    @property
    def negative(self) -> str | None:
        """The other option of a binary task."""
        if self.scale != "binary" or self.positive is None:
            return None
        return next(option for option in self.options if option != self.positive)

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The admissible response sets, each in the order of the options.

        All subsets where none are declared: 2^K - 1 of them, so that many options must declare.
        """
        if self.response_sets:
            return self.response_sets
        if len(self.options) > MAX_SUBSETS_OF:
            raise TaskError(
                f"{_PLACE}, options",
                f"all subsets are admissible response sets up to {MAX_SUBSETS_OF} options only",
                found=f"{len(self.options)} options",
                next_step='Declare those that may occur, as response_sets = [["1"], ["1", "2"]]',
            )
        sizes = range(1, len(self.options) + 1)
        return tuple(subset for size in sizes for subset in combinations(self.options, size))

    @property
    def as_two(self) -> tuple[Task, Callable[[str], str | None]] | None:
        """The binary task behind several positive options or a cut, and which of its two options
        a label (or number) is; None where the task counts one option as it is."""
        if self.cut is not None:
            sign, bound = _read_cut(self.cut)
            yes, no = f"{sign} {bound:g}", f"{_OPPOSITE[sign]} {bound:g}"
            compare = _COMPARED[sign]

            def side(label: str) -> str | None:
                try:
                    return yes if compare(float(label), bound) else no
                except ValueError:
                    return None
        elif self.positives:
            rest = [option for option in self.options if option not in self.positives]
            yes, no = " or ".join(self.positives), " or ".join(rest)

            def side(label: str) -> str | None:
                return yes if label in self.positives else no if label in rest else None
        else:
            return None
        binary = replace(
            self,
            scale="binary",
            options=(yes, no),
            positive=yes,
            positives=(),
            cut=None,
            weights="unweighted",
            labels={},
            response_sets=(),
            may_hide={},
            recode_to=None if self.recode_to is None else side(self.recode_to),
        )
        return binary, side

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON holds them; several positive options are a list under `positive`."""
        made = {spec.name: _plain(getattr(self, spec.name)) for spec in fields(self)}
        several = made.pop("positives")
        words = ("option_texts", "criteria", "use")  # most tasks have none
        kept = {key: value for key, value in made.items() if value or key not in words}
        return kept | {"positive": several or self.positive}

    def to_toml(self) -> str:
        """The declaration as TOML, defaults left out."""
        import json  # TOML basic strings and JSON strings are written alike

        lines: list[str] = []
        tables: list[str] = []
        for key, value in self.to_json().items():
            if value is None or value == _DEFAULTS[key]:
                continue
            if isinstance(value, dict):
                tables.append(f"\n[{key}]")
                tables += [
                    f"{json.dumps(k)} = {_inline(v)}"
                    for k, v in value.items()
                    if v not in ([], None)
                ]
            else:
                lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
        return "\n".join(lines + tables) + "\n"

    @classmethod
    def from_mapping(cls, raw: Mapping[str, Any], *, place: str = "task") -> Task:
        """A task from parsed TOML or JSON; the first broken rule is a `TaskError` at `place`."""
        keys = [key for key in _READ if key != "positives"]
        for key in raw:
            if key not in keys:
                near = nearest(str(key), keys)
                hint = f"Did you mean {near!r}?" if near else f"The keys are: {', '.join(keys)}"
                raise TaskError(place, f"{key!r} is not a key of a task", next_step=hint)
        if isinstance(raw.get("options"), Mapping):  # [options.MET] text = "..."
            told = _table(_worded, "must be options", raw["options"], f"{place}, options")
            texts = {name: text for name, text in told.items() if text}
            raw = {"option_texts": texts, **raw, "options": list(told)}
        try:
            return cls(**raw)
        except TaskError as error:
            raise error.at(place + error.place.removeprefix(_PLACE)) from None


def read_task(path: str | Path) -> Task:
    """Read and validate a task file.

    Parameters
    ----------
    path
        A TOML file with the keys of `Task`.

    Returns
    -------
    Task
        What the ratings mean; a broken rule is a `TaskError` that names the file and the key.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "task.toml"
    >>> _ = path.write_text('scale = "binary"\\noptions = ["MET", "UNMET"]\\npositive = "MET"')
    >>> read_task(path).negative
    'UNMET'
    """
    raw = read_toml(path, called="task file", wrong=TaskError, next_step="Give --task FILE.toml")
    return Task.from_mapping(raw, place=str(path))


# --- one field: what it may hold ------------------------------------------------------------------


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


def _worded(value: Any, where: str) -> str:
    """What a name means: a text, or a table with `text`."""
    if not isinstance(value, Mapping):
        return _text(value, where)
    if unknown := set(value) - {"text"}:
        raise TaskError(where, "has the key text", found=", ".join(sorted(map(str, unknown))))
    return _text(value.get("text", ""), where)


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise TaskError(where, "must be a list of texts", found=shown(value))
    return tuple(_text(item, where) for item in value)


def _names(value: Any, where: str) -> str | tuple[str, ...]:
    """A name, or each of several once."""
    if not isinstance(value, list | tuple):
        return _text(value, where)
    names = _texts(value, where)
    if not names or len(set(names)) != len(names):
        raise TaskError(where, "lists each name of the column once", found=shown(value))
    return names


def _levels(value: Any, where: str) -> tuple[str, ...]:
    levels = _texts(value, where)
    for level in levels:
        if level not in get_args(Level):
            raise TaskError(where, "are micro, macro, item", found=repr(level))
    return levels


def _table(read: Callable[[Any, str], Any], rule: str, value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TaskError(where, rule, found=shown(value))
    return {str(key): read(one, f"{where}.{key}") for key, one in value.items()}


def _sets(value: Any, where: str) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list | tuple):
        raise TaskError(where, "must be a list of lists of options", found=shown(value))
    return tuple(_texts(one, where) for one in value)


def _by_kind(value: Any, where: str) -> Wide:
    if isinstance(value, Wide):
        value = {key: getattr(value, key) for key in KINDS}
    if not isinstance(value, Mapping) or not set(value) <= set(KINDS) or not value:
        raise TaskError(
            where,
            "must list the raters, as human = [...], judge = [...] and reference = [...]",
            found=shown(value),
        )
    wide = Wide(**{key: _texts(names, f"{where}.{key}") for key, names in value.items()})
    both = sorted({name for name in wide.names if wide.names.count(name) > 1})
    if both:
        raise TaskError(where, "must list each rater once", found=", ".join(both))
    return wide


_CELL = ("rater", "kind", "criterion", "system", "opponent", "sample")


def _cells(value: Any, where: str) -> Mapping[str, Mapping[str, str]]:
    rule = 'must be tables, as human_score = { rater = "human", kind = "human" }'
    cells = _table(partial(_table, _text, rule), rule, value, where)
    for column, cell in cells.items():
        for key, said in cell.items():
            if key not in _CELL:
                raise TaskError(
                    f"{where}.{column}", f"must hold {', '.join(_CELL)}", found=shown(key)
                )
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
    known = ("header", "separator", "decimal")
    if not isinstance(value, Mapping) or not set(value) <= set(known):
        raise TaskError(where, f"must hold {', '.join(known)}", found=shown(value))
    header = value.get("header")
    if header is not None and not isinstance(header, bool):
        header = _texts(header, f"{where}.header")
    separator, decimal = value.get("separator"), value.get("decimal", ".")
    if separator is not None and (not isinstance(separator, str) or len(separator) != 1):
        raise TaskError(f"{where}.separator", "must be one sign", found=shown(separator))
    return Form(header, separator, _choice((".", ","), decimal, f"{where}.decimal"))


_CUT = re.compile(r"^\s*(>=|<=|>|<|≥|≤)\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*$")
_OPPOSITE = {">=": "<", ">": "<=", "<=": ">", "<": ">="}
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


def _read_cut(text: str) -> tuple[str, float]:
    match = _CUT.match(text)
    assert match is not None
    return match.group(1).replace("≥", ">=").replace("≤", "<="), float(match.group(2))


def _cut(value: Any, where: str) -> str:
    text = _text(value, where)
    if not _CUT.match(text):
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


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise TaskError(where, "must be true or false", found=shown(value))
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


#: Field -> what reads it: the value as it is kept, or a `TaskError` that says what it must be.
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
    return {"metric": _text(value["metric"], f"{where}, metric"), "at_least": value["at_least"]}


_READ: Mapping[str, Callable[[Any, str], Any]] = {
    "scale": partial(_choice, tuple(SCALES)),
    "options": _texts,
    "option_texts": partial(_table, _text, "must be a table option = text"),
    "criteria": partial(_table, _worded, "must be a table of criteria with their texts"),
    "positive": _text,
    "positives": _texts,
    "cut": _cut,
    "tie": _text,
    "ties": partial(_choice, get_args(Ties)),
    "abstain": _texts,
    "invalid": _texts,
    "undeclared": partial(_choice, get_args(Undeclared)),
    "labels": partial(_table, _text, "must be a table of labels"),
    "reads": _reads,
    "abstentions": partial(_choice, get_args(Abstentions)),
    "recode_to": _text,
    "invalids": partial(_choice, get_args(Invalids)),
    "weights": _weights,
    "levels": _levels,
    "cluster": _text,
    "reference": partial(_choice, get_args(Reference)),
    "reference_ties": partial(_choice, get_args(ReferenceTies)),
    "calibration": partial(_choice, get_args(Calibration)),
    "goal": partial(_choice, get_args(Goal)),
    "confidence_level": _confidence_level,
    "response_sets": _sets,
    "separator": _text,
    "may_hide": partial(_table, _texts, "must be a table option = [options]"),
    "counted": _texts,
    "use": _use,
    "resample_raters": _truth,
    "duplicates": partial(_choice, get_args(Duplicates)),
    "strata": _texts,
    "families": partial(_table, _text, "must be a table of names"),
    "columns": partial(_table, _names, "must be a table of names"),
    "wide": _by_kind,
    "cells": _cells,
    "raters": _by_kind,
    "references": partial(
        _table, partial(_choice, get_args(ReferenceKind)), "must be a table of references"
    ),
    "constants": partial(_table, _text, "must be a table of names"),
    "files": partial(
        _table,
        partial(_table, _text, "must be a table of constants"),
        'must be tables, as [files."gpt.csv"] rater = "gpt"',
    ),
    "file": _form,
}


def _plain(value: Any) -> Any:
    """A field's value as JSON holds it."""
    if isinstance(value, Wide):
        kinds = {kind: list(getattr(value, kind)) for kind in KINDS}
        return {kind: names for kind, names in kinds.items() if names or kind != "reference"}
    if isinstance(value, Form):
        return {k: _plain(getattr(value, k)) for k in ("header", "separator", "decimal")}
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return [list(v) if isinstance(v, tuple) else v for v in value]
    return value


def _inline(value: Any) -> str:
    """A value of a table in TOML, tables in one line."""
    import json

    if isinstance(value, Mapping):
        cells = [f"{json.dumps(k)} = {_inline(v)}" for k, v in value.items() if v is not None]
        return "{ " + ", ".join(cells) + " }"
    return json.dumps(value, ensure_ascii=False)


def _default(spec: Field[Any]) -> Any:
    return spec.default if spec.default_factory is MISSING else spec.default_factory()


#: What a task says of itself where nothing is declared (which alone is no task: it has no options).
_DEFAULTS: Mapping[str, Any] = {spec.name: _plain(_default(spec)) for spec in fields(Task)}


# --- fields together ------------------------------------------------------------------------------


def _check_options(task: Task) -> None:
    options, scale, where = task.options, SCALES[task.scale], f"{_PLACE}, options"
    if len(set(options)) != len(options):
        twice = next(option for option in options if options.count(option) > 1)
        raise TaskError(where, "names each option once", found=f"{twice!r} twice")
    if len(options) > MAX_OPTIONS:
        raise TaskError(
            where,
            f"at most {MAX_OPTIONS} options",
            found=str(len(options)),
            next_step='A real-valued rating is scale = "continuous"',
        )
    if scale.options == 0 and options:
        raise TaskError(where, f"a {scale.name} scale has none", found=shown(options))
    if scale.options != 0 and not options:
        raise TaskError(
            _PLACE,
            f"a {scale.name} scale declares its options",
            next_step='Add, for example, options = ["yes", "no"]',
        )
    if scale.may_tie and len(options) - (task.tie is not None) != scale.options:
        raise TaskError(
            where,
            "a pairwise scale has two options (first wins, second wins) and may have a tie",
            found=shown(options),
            next_step="Name the tie option: tie = ...",
        )
    if scale.options == 2 and not scale.may_tie and len(options) != scale.options:
        raise TaskError(where, f"a {scale.name} scale has two", found=shown(options))
    _check_positives(task)
    if scale.needs_positive and task.positive is None:
        raise TaskError(
            _PLACE,
            f"a {scale.name} scale declares which option is positive",
            next_step=f"Add positive = {options[0]!r}, or whichever option you count",
        )
    for value in task.option_texts:
        if value not in options:
            raise TaskError(f"{_PLACE}, option_texts", "are of options", found=shown(value))
    for key in ("positive", "tie", "recode_to"):
        value = getattr(task, key)
        if value is not None and value not in options:
            raise TaskError(
                f"{_PLACE}, {key}",
                f"must be one of the options {', '.join(options)}",
                found=shown(value),
                next_step=_meant(value, options),
            )


def _check_positives(task: Task) -> None:
    """Several positive options, or a cut: on which scales, and of what."""
    if task.positives and (task.positive is not None or task.cut is not None):
        raise TaskError(f"{_PLACE}, positive", "must be declared once, as options or as a cut")
    if task.positives and task.scale not in ("nominal", "ordinal"):
        raise TaskError(
            f"{_PLACE}, positive",
            f"must be one option on a {task.scale} scale",
            found=shown(list(task.positives)),
        )
    for option in task.positives:
        if option not in task.options:
            raise TaskError(
                f"{_PLACE}, positive",
                f"must be of the options {', '.join(task.options)}",
                found=shown(option),
                next_step=_meant(option, task.options),
            )
    if len(task.positives) and len(task.positives) == len(task.options):
        raise TaskError(f"{_PLACE}, positive", "must leave an option that is not counted")
    if task.cut is None:
        return
    if task.scale not in ("ordinal", "continuous"):
        raise TaskError(f"{_PLACE}, cut", "must be of an ordinal or a continuous scale")
    if task.positive is not None:
        raise TaskError(f"{_PLACE}, cut", "must stand alone: positive says what is counted already")
    if task.scale == "ordinal":
        sign, bound = _read_cut(task.cut)
        try:
            sides = {_COMPARED[sign](float(option), bound) for option in task.options}
        except ValueError:
            raise TaskError(
                f"{_PLACE}, cut",
                "must be of options that are numbers",
                found=", ".join(task.options[:6]),
                next_step="List the options that are counted: positive = [...]",
            ) from None
        if len(sides) == 1:
            raise TaskError(
                f"{_PLACE}, cut",
                "must divide the options",
                found=f"{task.cut} of {', '.join(task.options)}",
            )


def _check_labels(task: Task) -> None:
    declared = (*task.options, *task.abstain, *task.invalid)
    if task.scale == "continuous":
        return
    for alias, label in task.labels.items():
        if label not in declared:
            raise TaskError(
                f"{_PLACE}, labels.{alias}",
                f"must be one of the declared labels {', '.join(declared[:20])}",
                found=shown(label),
                next_step=_meant(label, declared),
            )
        if alias in declared:
            raise TaskError(
                f"{_PLACE}, labels", "must not rename a declared label", found=repr(alias)
            )


def _check_words(task: Task) -> None:
    for key in ("abstain", "invalid"):
        for word in getattr(task, key):
            if word in task.options:
                raise TaskError(
                    f"{_PLACE}, {key}", "a word cannot be an option too", found=repr(word)
                )
    if both := set(task.abstain) & set(task.invalid):
        raise TaskError(
            f"{_PLACE}, abstain and invalid", "share no word", found=", ".join(sorted(both))
        )
    if task.abstentions == "recode" and task.recode_to is None:
        raise TaskError(
            _PLACE,
            'abstentions = "recode" declares the option that abstentions become',
            next_step=f"Add recode_to = {task.options[-1]!r}" if task.options else None,
        )


def _check_weights(task: Task) -> None:
    size = len(task.options)
    if isinstance(task.weights, str) or len(task.weights) in (size, size + bool(task.abstain)):
        return
    raise TaskError(
        f"{_PLACE}, weights",
        f"a matrix has a row and a column per option ({size}); one more, the last, may be "
        "abstention's",
        found=f"{len(task.weights)} rows",
    )


def _check_reference(task: Task) -> None:
    graded = {"median": ("ordinal",), "mean": ("ordinal", "continuous")}.get(task.reference)
    if graded is not None and task.scale not in graded:
        raise TaskError(
            f"{_PLACE}, reference",
            f"the {task.reference} of several ratings needs scale = {' or '.join(graded)}",
            found=f"scale = {task.scale!r}",
            next_step='Use reference = "majority", "each" or "soft"',
        )


def _check_sets(task: Task) -> None:
    for one in task.response_sets:
        if not one:
            raise TaskError(f"{_PLACE}, response_sets", "holds no empty set")
        for option in one:
            if option not in task.options:
                raise TaskError(
                    f"{_PLACE}, response_sets",
                    "hold declared options only",
                    found=repr(option),
                    next_step=_meant(option, task.options),
                )
    for option, hidden in task.may_hide.items():
        for name in (option, *hidden):
            if name not in task.options:
                raise TaskError(
                    f"{_PLACE}, may_hide", "holds declared options only", found=repr(name)
                )


def _check_counted(task: Task) -> None:
    for option in task.counted:
        if option not in task.options:
            raise TaskError(
                f"{_PLACE}, counted",
                f"must be among the options {', '.join(task.options)}",
                found=shown(option),
                next_step=_meant(option, task.options),
            )
    if task.counted and set(task.counted) == set(task.options):
        raise TaskError(f"{_PLACE}, counted", "leaves some option out", found=shown(task.counted))


def _meant(word: str, known: tuple[str, ...]) -> str | None:
    near = nearest(word, known)
    return f"Did you mean {near!r}?" if near else None
