"""The declaration: what the ratings mean, said before any number is computed.

A `Task` is read from TOML. It is declared, never inferred from the data that happens to be there:
`propose` (used by `goldassay check --write-task`) only drafts one for a person to read and correct.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, cast, get_args

from goldassay.errors import SourceError, TaskError, nearest, shown

__all__ = ["Task", "Wide", "read_task"]

Scale = Literal["binary", "nominal", "ordinal", "continuous", "pairwise"]
Abstentions = Literal["exclude", "recode", "class"]
Invalids = Literal["exclude", "wrong", "class"]
Ties = Literal["half", "exclude", "class"]
Level = Literal["micro", "macro", "item"]
Reference = Literal["each", "majority", "soft", "response_set"]
ReferenceTies = Literal["exclude", "first"]
Calibration = Literal["random", "by_verdict", "by_label", "separate"]
Goal = Literal["prevalence", "filter", "ranking"]
Duplicates = Literal["error", "exclude"]

MAX_OPTIONS = 100
#: Options of which all subsets are response sets when none are declared (1,023 sets).
MAX_SUBSETS_OF = 10


@dataclass(frozen=True, slots=True)
class Wide:
    """Names by kind: columns of a table with one per rater, or raters of one without `kind`."""

    human: tuple[str, ...] = ()
    judge: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the numbers mean. Immutable; `Task.from_mapping` validates, `to_json` writes it out."""

    scale: Scale = "nominal"
    #: Options in order (ordinal: lowest first; pairwise: first system wins, second wins, tie).
    options: tuple[str, ...] = ()
    positive: str | None = None
    #: The option of a pairwise task that means a tie, and how ties count.
    tie: str | None = None
    ties: Ties = "half"
    #: Words that mean "abstained" and "invalid"; every other undeclared word is an error.
    abstain: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
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
    #: Who is a person and who a judge, where no column `kind` says so.
    raters: Wide | None = None
    #: Fixed values for columns the file lacks, as kind = "judge".
    constants: Mapping[str, str] = field(default_factory=dict)

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
                "task, options",
                f"all subsets are admissible response sets up to {MAX_SUBSETS_OF} options only",
                found=f"{len(self.options)} options",
                next_step='Declare those that may occur, as response_sets = [["1"], ["1", "2"]]',
            )
        sizes = range(1, len(self.options) + 1)
        return tuple(subset for size in sizes for subset in combinations(self.options, size))

    def to_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for spec in fields(self):
            value = getattr(self, spec.name)
            if isinstance(value, Wide):
                value = {"human": list(value.human), "judge": list(value.judge)}
            elif isinstance(value, Mapping):
                value = {k: list(v) if isinstance(v, tuple) else v for k, v in value.items()}
            elif isinstance(value, tuple):
                value = [list(v) if isinstance(v, tuple) else v for v in value]
            out[spec.name] = value
        return out

    def to_toml(self) -> str:
        """The declaration as TOML, defaults left out."""
        import json  # TOML basic strings and JSON strings are written alike

        default = Task()
        lines: list[str] = []
        tables: list[str] = []
        for key, value in self.to_json().items():
            if value is None or value == default.to_json()[key]:
                continue
            if isinstance(value, dict):
                tables.append(f"\n[{key}]")
                tables += [f"{json.dumps(k)} = {json.dumps(v)}" for k, v in value.items() if v]
            else:
                lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
        return "\n".join(lines + tables) + "\n"

    @classmethod
    def from_mapping(cls, raw: Mapping[str, Any], *, place: str = "task") -> Task:
        """A validated task from parsed TOML; the first broken rule is a `TaskError`."""
        return _validated(raw, place)


def read_task(path: str | Path) -> Task:
    """Read and validate a task file.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "task.toml"
    >>> _ = path.write_text('scale = "binary"\\noptions = ["MET", "UNMET"]\\npositive = "MET"')
    >>> read_task(path).negative
    'UNMET'
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(
            str(path), f"the task file cannot be read ({reason})", next_step="Give --task FILE.toml"
        ) from None
    except UnicodeDecodeError as error:
        raise TaskError(
            str(path), "a task file is UTF-8", found=f"a wrong byte at {error.start}"
        ) from None
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TaskError(str(path), f"is not valid TOML ({error})") from None
    return Task.from_mapping(raw, place=str(path))


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "scale": get_args(Scale),
    "abstentions": get_args(Abstentions),
    "invalids": get_args(Invalids),
    "ties": get_args(Ties),
    "reference": get_args(Reference),
    "reference_ties": get_args(ReferenceTies),
    "calibration": get_args(Calibration),
    "goal": get_args(Goal),
    "duplicates": get_args(Duplicates),
}


def _validated(raw: Mapping[str, Any], place: str) -> Task:
    known = [spec.name for spec in fields(Task)]
    for key in raw:
        if key not in known:
            near = nearest(key, known)
            hint = f"Did you mean {near!r}?" if near else f"The keys are: {', '.join(known)}"
            raise TaskError(place, f"{key!r} is not a key of a task", next_step=hint)
    values: dict[str, Any] = {}
    for key, value in raw.items():
        where = f"{place}, {key}"
        if key in _CHOICES:
            if value not in _CHOICES[key]:
                allowed = ", ".join(_CHOICES[key])
                raise TaskError(where, f"must be one of {allowed}", found=shown(value))
            values[key] = value
        elif key in ("options", "abstain", "invalid", "levels", "strata"):
            values[key] = _texts(value, where)
        elif key in ("positive", "tie", "recode_to", "cluster", "separator"):
            values[key] = _text(value, where)
        elif key == "response_sets":
            if not isinstance(value, list) or not value:
                raise TaskError(where, "must be a list of lists of options", found=shown(value))
            values[key] = tuple(_texts(one, where) for one in value)
        elif key in ("families", "constants", "columns"):
            if not isinstance(value, dict):
                raise TaskError(where, "must be a table of names", found=shown(value))
            values[key] = {
                str(k): _names(v, f"{where}.{k}")
                if key == "columns" and isinstance(v, list)
                else _text(v, f"{where}.{k}")
                for k, v in value.items()
            }
        elif key == "may_hide":
            if not isinstance(value, dict):
                raise TaskError(where, "must be a table option = [options]", found=shown(value))
            values[key] = {str(k): _texts(v, f"{where}.{k}") for k, v in value.items()}
        elif key in ("wide", "raters"):
            values[key] = _by_kind(value, where)
        elif key == "weights":
            values[key] = _weights(value, where)
        elif key == "confidence_level":
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
                raise TaskError(
                    where, "must be a number between 0 and 1, as 0.95", found=shown(value)
                )
            values[key] = float(value)
        elif key == "resample_raters":
            if not isinstance(value, bool):
                raise TaskError(where, "must be true or false", found=shown(value))
            values[key] = value
    task = Task(**values)
    _check(task, place)
    if task.response_sets:  # written in the order of the options, whatever the file's order
        order = {option: index for index, option in enumerate(task.options)}
        sets = tuple(tuple(sorted(one, key=order.__getitem__)) for one in task.response_sets)
        values["response_sets"] = sets
        task = Task(**values)
    return task


def _check(task: Task, place: str) -> None:
    options = task.options
    if len(set(options)) != len(options):
        twice = next(option for option in options if options.count(option) > 1)
        raise TaskError(f"{place}, options", "names each option once", found=f"{twice!r} twice")
    if len(options) > MAX_OPTIONS:
        raise TaskError(
            f"{place}, options",
            f"at most {MAX_OPTIONS} options",
            found=str(len(options)),
            next_step='A real-valued rating is scale = "continuous"',
        )
    if task.scale == "continuous":
        if options:
            raise TaskError(
                f"{place}, options", "a continuous scale has none", found=shown(options)
            )
    elif not options:
        raise TaskError(
            place,
            f"a {task.scale} scale declares its options",
            next_step='Add, for example, options = ["yes", "no"]',
        )
    if task.scale == "binary":
        if len(options) != 2:
            raise TaskError(f"{place}, options", "a binary scale has two", found=shown(options))
        if task.positive is None:
            raise TaskError(
                place,
                "a binary scale declares which option is positive",
                next_step=f"Add positive = {options[0]!r}, or whichever option you count",
            )
    if task.scale == "pairwise" and len(options) - (task.tie is not None) != 2:
        raise TaskError(
            f"{place}, options",
            "a pairwise scale has two options (first wins, second wins) and may have a tie",
            found=shown(options),
            next_step="Name the tie option: tie = ...",
        )
    for key in ("positive", "tie", "recode_to"):
        value = getattr(task, key)
        if value is not None and value not in options:
            near = nearest(value, options)
            raise TaskError(
                f"{place}, {key}",
                f"must be one of the options {', '.join(options)}",
                found=shown(value),
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    for key in ("abstain", "invalid"):
        for word in getattr(task, key):
            if word in options:
                raise TaskError(
                    f"{place}, {key}", "a word cannot be an option too", found=repr(word)
                )
    if both := set(task.abstain) & set(task.invalid):
        raise TaskError(
            f"{place}, abstain and invalid", "share no word", found=", ".join(sorted(both))
        )
    if task.abstentions == "recode" and task.recode_to is None:
        raise TaskError(
            place,
            'abstentions = "recode" declares the option that abstentions become',
            next_step=f"Add recode_to = {options[-1]!r}" if options else None,
        )
    for level in task.levels:
        if level not in get_args(Level):
            raise TaskError(f"{place}, levels", "are micro, macro, item", found=repr(level))
    sizes = {len(options), len(options) + bool(task.abstain)}
    if not isinstance(task.weights, str) and len(task.weights) not in sizes:
        raise TaskError(
            f"{place}, weights",
            f"a matrix has a row and a column per option ({len(options)}); one more, the last, may"
            " be abstention's",
            found=f"{len(task.weights)} rows",
        )
    for one in task.response_sets:
        if not one:
            raise TaskError(f"{place}, response_sets", "holds no empty set")
        for option in one:
            if option not in options:
                near = nearest(option, options)
                raise TaskError(
                    f"{place}, response_sets",
                    "hold declared options only",
                    found=repr(option),
                    next_step=f"Did you mean {near!r}?" if near else None,
                )
    for option, hidden in task.may_hide.items():
        for name in (option, *hidden):
            if name not in options:
                raise TaskError(
                    f"{place}, may_hide", "holds declared options only", found=repr(name)
                )


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise TaskError(
            where, "must be text in quotes", found=shown(value), next_step=f"Write {str(value)!r}"
        )
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TaskError(where, "must be a list of texts", found=shown(value))
    return tuple(_text(item, where) for item in value)


def _names(value: Any, where: str) -> tuple[str, ...]:
    names = _texts(value, where)
    if not names or len(set(names)) != len(names):
        raise TaskError(where, "lists each name of the column once", found=shown(value))
    return names


def _by_kind(value: Any, where: str) -> Wide:
    if not isinstance(value, dict) or not set(value) <= {"human", "judge"} or not value:
        raise TaskError(
            where, "lists the raters, as human = [...] and judge = [...]", found=shown(value)
        )
    wide = Wide(**{key: _texts(names, f"{where}.{key}") for key, names in value.items()})
    if both := set(wide.human) & set(wide.judge):
        raise TaskError(where, "each is a human or a judge", found=", ".join(sorted(both)))
    return wide


def _weights(value: Any, where: str) -> str | tuple[tuple[float, ...], ...]:
    if isinstance(value, str):
        if value not in ("unweighted", "linear", "quadratic"):
            raise TaskError(
                where, "are unweighted, linear, quadratic or a matrix", found=shown(value)
            )
        return value
    rule = "a matrix of agreement weights is square, finite, 1 on its diagonal, and within [0, 1]"
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise TaskError(where, rule, found=shown(value))
    size = len(value)
    for i, row in enumerate(value):
        if len(row) != size:
            raise TaskError(where, rule, found=f"row {i + 1} of length {len(row)}")
        for j, weight in enumerate(row):
            number = isinstance(weight, int | float) and not isinstance(weight, bool)
            if not number or not math.isfinite(weight) or not 0 <= weight <= 1:
                raise TaskError(where, rule, found=f"{weight!r} in row {i + 1}")
            if i == j and weight != 1:
                raise TaskError(where, rule, found=f"{weight!r} on the diagonal")
    return cast(tuple[tuple[float, ...], ...], tuple(tuple(map(float, row)) for row in value))
