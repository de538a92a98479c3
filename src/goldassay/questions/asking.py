"""What every question's `ask` shares: reading what it is given, and how findings were made."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast, get_args

from goldassay.errors import RatingsError, TaskError, UsageError, listed, nearest
from goldassay.questions.weighing import rater_weights_said
from goldassay.ratings.arrangement import MissingColumnError
from goldassay.ratings.declaring import Calibration
from goldassay.ratings.drawing import DRAWN
from goldassay.ratings.narrow_ratings import narrowed_ratings
from goldassay.ratings.narrowing import Narrowing, Where, narrowing_of
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task, read_task_keys
from goldassay.results import Exclusion, Provenance
from goldassay.sources.toml import dotted, read_inline
from goldassay.sources.writing import free_name
from goldassay.words import named

if TYPE_CHECKING:  # costly to load, and rarely needed
    from goldassay.proposals.declared import Declared
    from goldassay.questions.ground import GroundOfParts, GroundOfRatings
    from goldassay.read.table import Table

__all__ = [
    "RESAMPLES",
    "SEED",
    "CalibrationSource",
    "Columns",
    "Rated",
    "TaskSource",
    "Where",
    "declared_task",
    "filtered",
    "made",
    "one_of",
    "partial_task",
    "ratings_of",
    "require_judge",
    "several",
    "task_or_guess",
    "with_calibration",
]

#: Defaults of every question, in the library and on the command line.
SEED, RESAMPLES = 1, 2000

Word = TypeVar("Word", bound=str)

#: How labelled items are drawn.
CALIBRATIONS = get_args(Calibration)
#: One of these ways, or a file of labelled items.
CalibrationSource = str | os.PathLike[str] | None
#: What is declared of whose ratings: a column, a rater's name, a file; `{"names": "ratings"}`.
Rated = str | Sequence[str] | Mapping[str, str | Sequence[str]]


class Columns(TypedDict, total=False):
    """What a source holds (`docs/reading.md`): facts, which nothing overrules."""

    item: str | Sequence[str] | Sequence[tuple[str, ...]]
    human: Rated
    reference: Rated
    rater: str
    value: str | Sequence[str]
    criterion: str
    system: str
    opponent: str
    rows: str
    votes: str | Sequence[str]
    label: str | Sequence[str] | Mapping[str, str]


TaskSource = Task | str | os.PathLike[str] | Mapping[str, Any] | None


def declared_task(task: TaskSource, source: Any = "RATINGS") -> Task:
    """The task, its file or a mapping of its keys; else an error that says how to get one."""
    if isinstance(task, Task):
        return task
    if task is not None:
        said, place, _ = _said(task)
        return Task.from_mapping(said, place=place)
    raise TaskError(
        "--task",
        "must be given here: what the ratings mean is declared in a task file",
        next_step=f"Let goldassay propose one: goldassay check {_named(source)} "
        f"--write-task {free_name('task.toml')}",
    )


def partial_task(task: TaskSource) -> Declared | None:
    """What a task says that does not declare its options: the rest is guessed. Else None."""
    from goldassay.proposals.declared import Declared, is_partial

    if task is None or isinstance(task, Task):
        return None
    said, place, in_file = _said(task)
    return Declared.of(said, place, in_file=in_file) if is_partial(said) else None


def _is_file(path: str) -> bool:
    with suppress(OSError, ValueError):  # longer than a name may be, or with a sign that none has
        return Path(path).is_file()
    return False


def _said(task: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[Mapping[str, Any], str, bool]:
    """The keys of a task, where they stand, and whether that is a file: one that is there, or else
    anything without a sign of equality."""
    if isinstance(task, Mapping):
        return task, "task", False
    path = os.fspath(task)
    if "=" in path and not _is_file(path):
        return read_inline(path, called="task", wrong=TaskError), "--task", False
    return read_task_keys(path), path, True


def task_or_guess(
    task: TaskSource, source: Any, narrowing: Narrowing | None = None
) -> tuple[Task, tuple[str, ...]]:
    """The task; without one what the ratings suggest, with every guess as a line."""
    partial = partial_task(task) if source else None
    if (task is not None and partial is None) or not source:
        return declared_task(task, source or "RATINGS"), ()
    from goldassay.proposals.declared import NOTHING
    from goldassay.proposals.propose import guessed_ratings

    ratings, draft = guessed_ratings(source, narrowing, partial or NOTHING)
    return Task.from_mapping(draft.task, place="the drafted task"), ratings.assumed


def one_of(name: str, known: Sequence[Word], option: str) -> Word:
    """The known word that an option names."""
    for one in known:
        if one == name:
            return one
    near = nearest(str(name), known)
    raise UsageError(
        f"{option} {name}",
        f"is one of {', '.join(known)}",
        next_step=f"Did you mean {near!r}?" if near else None,
    )


def several(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names that a caller gave, as one text or as several."""
    return (given,) if isinstance(given, str) else tuple(given)


def declares(judge: Rated, columns: Columns) -> bool:
    """Whether anything is declared of a source: `judge` alone names judges that are looked at, but
    where it says more than a name."""
    texts = [judge] if isinstance(judge, str) else judge
    return bool(columns) or isinstance(judge, Mapping) or any("=" in one for one in texts)


def filtered(judge: Rated, columns: Columns) -> tuple[str, ...]:
    """The judges that are looked at, where `judge` declares none."""
    return () if declares(judge, columns) else several(cast(Sequence[str], judge))


def ratings_of(
    source: Any,
    task: TaskSource,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    columns: Mapping[str, Any] | None = None,
) -> Ratings:
    """A checked table from a path, several, a frame of any library, or `Ratings` as they are.

    Without a task, what the ratings mean is guessed, and every guess is in `Ratings.assumed`.
    `only` and `exclude` say which rows are looked at, `columns` what the source holds (`judge` is
    one of them, and alone names judges that are looked at), `calibration` how the labelled ones
    were drawn (`with_calibration`).
    """
    source, task = with_calibration(source, task, calibration)
    others = dict(columns or {})
    judge: Rated = others.pop("judge", ())
    if declares(judge, cast(Columns, others)):
        said = {**others, "judge": judge, "only": only, "exclude": exclude}
        return _declared(source, task, said)
    narrowing = narrowing_of(only, exclude)
    if isinstance(source, Ratings):
        known = (source.task, source.declared)
        if task is not None and declared_task(task) not in known:
            raise UsageError(
                "task",
                "is given with the ratings already",
                next_step="Read the ratings again under the other task: read_ratings(source, task)",
            )
        return narrowed_ratings(source, narrowing) if narrowing else source
    return _read(source, task, narrowing)


#: Keys of a task that say what a file holds, as the options that declare it do.
_SAID = ("columns", "wide", "cells", "raters", "file", "files", "constants", "labels")


def _declared(source: Any, task: TaskSource, said: Mapping[str, Any]) -> Ratings:
    """The table of a source as it is declared, under its task; the meaning of labels is guessed
    where that does not say it, and never who rated what."""
    from goldassay.read.arguments import arguments
    from goldassay.read.declaring import declared_table
    from goldassay.read.frame import source_of

    if isinstance(source, Ratings):
        raise UsageError(
            ", ".join(f"{name}=" for name, one in said.items() if one),
            "say what a file or frame holds, and these ratings are read already",
        )
    keys = task.to_json() if isinstance(task, Task) else _said(task)[0] if task is not None else {}
    if both := [key for key in _SAID if keys.get(key)]:
        raise UsageError(
            f"--task, [{both[0]}]",
            "says what the file holds, and so do the options",
            next_step="Keep one of the two",
        )
    table = declared_table(source, arguments(**said))
    ratings = _read(source_of(table), task, narrowing_of())
    whose = {(one.kind, one.rater or one.kind) for one in table.ratings}
    census = ratings.census.counts
    read = {(kind, rater) for kind, rater, _ in census}
    kinds = dict.fromkeys(ratings.references, "reference")
    read = {(kinds.get(rater, kind), rater) for kind, rater in read}
    if read - whose or ratings.census.rows != len(table.ratings):
        raise TaskError(
            "--task",
            "must say what the labels mean here: it cannot be assumed of these columns",
            next_step="As --task 'scale = \"nominal\"', or with the options in order",
        )
    said_so = tuple(f"declared: {one}" for one in (*table.said, *_left(table)))
    return replace(ratings, readings=(*said_so, *ratings.readings), asked=())


def _left(table: Table) -> list[str]:
    """What was left out of a declared table, and the columns that nothing uses."""
    left = [f"{count:,} left out: {why}" for why, count in table.left_out.items()]
    unused = [column for columns in table.unused.values() for column in columns]
    return [*left, *([f"not used: {listed(unused, 12)}"] if unused else [])]


def _read(source: Any, task: TaskSource, narrowing: Narrowing) -> Ratings:
    """The table under its task; what that does not declare is guessed. A task with options may be
    silent about columns that the table has under other names."""
    partial = partial_task(task)
    lacking: MissingColumnError | None = None
    if task is not None and partial is None:
        try:
            return read_ratings(source, declared_task(task, source), narrowing)
        except MissingColumnError as error:
            if isinstance(task, Task) or not error.undeclared:
                raise
            lacking = error
    from goldassay.proposals.declared import NOTHING, Declared
    from goldassay.proposals.draft import OpenQuestionError
    from goldassay.proposals.propose import guessed_ratings  # costly to load, and rarely needed

    if lacking is not None and task is not None and not isinstance(task, Task):
        said, place, in_file = _said(task)
        partial = Declared.of(said, place, in_file=in_file)
    try:
        return guessed_ratings(source, narrowing, partial or NOTHING)[0]
    except OpenQuestionError:
        if lacking is not None:
            raise lacking from None
        raise


def with_calibration(source: Any, task: TaskSource, calibration: Any) -> tuple[Any, TaskSource]:
    """The source and the task under `calibration`: how the labelled items were drawn, or a file (or
    frame) of them, which is then a set of its own beside the source."""
    if calibration is None:
        return source, task
    drawn = str(calibration)
    if drawn not in CALIBRATIONS:
        path = isinstance(calibration, str | os.PathLike)
        if path and not Path(calibration).exists():
            near = nearest(drawn, CALIBRATIONS)
            raise UsageError(
                f"--calibration {drawn}",
                f"is {', '.join(CALIBRATIONS[:-1])} or {CALIBRATIONS[-1]}, or a file of labelled "
                "items",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
        if source is None or isinstance(source, Ratings):
            raise UsageError(f"--calibration {drawn}", "needs a table of ratings beside it")
        given = list(source) if isinstance(source, list | tuple) else [source]
        if not path or not all(isinstance(one, str | os.PathLike) for one in given):
            raise UsageError(
                "calibration",
                "is a file beside files of ratings",
                next_step='Put frames together, with a column split ("calibration" or "test")',
            )
        source, drawn = [*map(os.fspath, given), os.fspath(calibration)], "separate"
    if isinstance(source, Ratings):
        known = source.task.calibration
        if known is None or source.assumed:
            task = replace(source.task, calibration=drawn)  # type: ignore[arg-type]
            declared = source.declared and replace(source.declared, calibration=task.calibration)
            return replace(source, task=task, declared=declared), None
    else:
        said = {} if task is None else _keys_of(task)
        known = said.get("calibration")
        if known is None:
            if isinstance(task, Task):
                return source, replace(task, calibration=drawn)  # type: ignore[arg-type]
            return source, {**said, "calibration": drawn}
    if known != drawn:
        raise UsageError(
            f"--calibration {calibration}",
            f'contradicts the task, which declares calibration = "{known}"',
            next_step="Drop the option, or change the task",
        )
    return source, task


def _keys_of(task: Task | str | os.PathLike[str] | Mapping[str, Any]) -> Mapping[str, Any]:
    """What a task says of itself, wherever it stands."""
    return {"calibration": task.calibration} if isinstance(task, Task) else _said(task)[0]


def require_judge(ratings: Ratings, rule: str) -> None:
    """Refuse a table without a judge. Where it was guessed who rated, a judge may be among those
    who were taken for people: then what was guessed of them is told, and what would say otherwise.
    """
    if ratings.judges:
        return
    found, step = "no rating of kind judge", 'Name the judge in the task: [raters] judge = ["..."]'
    people = ratings.humans
    if ratings.assumed:
        guesses = [one for one in ratings.assumed if any(named(who) in one for who in people)]
        found += f", as guessed: {'; '.join(guesses[:2])}" if guesses else ""
        beside = "give the judge's file beside it"
        if said := _as_judge(ratings):
            step = f"If one of the raters is a judge, add --task {shlex.quote(said)}; or {beside}"
        else:
            step = f"{beside[0].upper()}{beside[1:]}"
    raise RatingsError(ratings.name, rule, found=found, next_step=step)


def _as_judge(ratings: Ratings) -> str:
    """What a task says where the last of several who were taken for people is a judge; "" where
    there is one, or columns are of several things."""
    *first, last = ratings.humans or ("",)
    if not first or ratings.task.cells:
        return ""
    if ratings.task.wide is None:
        return ", ".join(dotted({"raters": {"judge": [last]}}))
    return ", ".join(dotted({"wide": {"human": first, "judge": [last]}}))


def made(
    ratings: Ratings,
    exclusions: Iterable[Exclusion],
    *,
    seed: int | None = None,
    weighs_raters: bool = True,
    said: Iterable[str] = (),
    ground: GroundOfRatings | GroundOfParts | None = None,
) -> dict[str, Any]:
    """How findings were made: task, provenance, what was assumed, read and left out.

    `weighs_raters` says that the question looks at the reference, which declared weights of raters
    make, and not at single persons; `said` is what else the question says of how it read them.
    Every question stands on its ratings: `ground` is for those that know more.
    """
    return {
        "task": ratings.task.to_json(),
        "provenance": Provenance(inputs=ratings.inputs, seed=seed),
        "exclusions": tuple(exclusions),
        "rows_read": ratings.census.rows,
        "assumed": ratings.assumed,
        "readings": (
            *(f"asked: {one}" for one in ratings.asked),
            *ratings.readings,
            *rater_weights_said(ratings, used=weighs_raters),
            *said,
        ),
        "references": ratings.references,
        "columns": tuple(name for name in ratings.columns if name != DRAWN),
        "ground": ground or ground_of(ratings),
    }


def ground_of(ratings: Ratings, steady: Iterable[str] = ()) -> GroundOfRatings:
    """What gates on a question stand on; `steady` names its results that no verdict which is
    missing could change."""
    from goldassay.questions.ground import GroundOfRatings  # costly to load, and needed by gates

    return GroundOfRatings(ratings, steady=frozenset(steady))


def _named(source: Any) -> str:
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    several = isinstance(source, list | tuple) and all(isinstance(one, str) for one in source)
    return shlex.join(source) if several else "RATINGS"
