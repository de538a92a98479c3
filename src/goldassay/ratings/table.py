"""The ratings table: one row is one rating.

`read_ratings` opens a source, maps its columns to goldassay's, checks the rules of the table with a
few group-bys where the data lives, and gives `Ratings`: a lazy frame of known columns, with a
census of what is in it. Nothing is dropped in silence: what does not count is an `Exclusion`.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Sequence
from dataclasses import field, replace
from typing import Any

import narwhals as nw

from goldassay.errors import RatingsError, listed, nearest
from goldassay.frozen import dataclass
from goldassay.ratings.arrangement import (
    REQUIRED,
    arranged,
    check_declared_columns,
    empty_cells,
    said_of_empty,
)
from goldassay.ratings.census import NUMBERS, STATUSES, Census, own_name, take_census
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.labelling import match_labels, parse_response_set
from goldassay.ratings.likely import likely_systems
from goldassay.ratings.narrowing import Narrowing, narrowed
from goldassay.ratings.references import references_apart
from goldassay.ratings.rewriting import (
    MIRRORED,
    as_counted,
    rewritten,
    turned_back,
    with_splits,
    with_winners,
)
from goldassay.ratings.task import KINDS, Task
from goldassay.ratings.weighted_votes import check_raters, weighted_majority
from goldassay.results import Exclusion, Input
from goldassay.sources.engine import kept
from goldassay.sources.frames import FILE, SMALL, open_source
from goldassay.sources.numbers import NUMBER
from goldassay.words import named

__all__ = [
    "KINDS",
    "REQUIRED",
    "STATUSES",
    "Census",
    "Ratings",
    "parse_response_set",
    "read_ratings",
]

OPTIONAL = (
    "criterion",
    "system",
    "opponent",
    "prompt",
    "cluster",
    "stratum",
    "sample",
    "split",
    "elicitation",
    "order",
    "score",
    "status",
    "weight",
    "time",
    "cost",
    "latency",
)
#: What one rater rates once: the columns that tell ratings of one rater apart.
UNIT = ("item", "criterion", "system", "opponent")
REPEAT = ("sample", "elicitation", "order")


@dataclass(frozen=True)
class Ratings:
    """A checked table. `frame` is lazy and has the columns of `columns`, plus `code` and `number`.

    `code` is the index of the option (-1 when the value is not one option), after them K for
    abstained, K + 1 for invalid and K + 2 for failed. `number` is the real value of a rating:
    its score, or on a continuous scale the value itself.

    >>> import goldassay as ga
    >>> ratings = ga.simulate(prompts=5).ratings()
    >>> ratings.judges, ratings.census.rows
    (('judge',), 60)
    """

    frame: nw.LazyFrame[Any]
    task: Task
    columns: tuple[str, ...]
    inputs: tuple[Input, ...]
    census: Census
    exclusions: tuple[Exclusion, ...]
    name: str
    #: Guesses that stand for a declaration; with any, what is found is provisional.
    assumed: tuple[str, ...] = ()
    #: What may be meant otherwise than it was guessed, or was left out: questions to a person.
    asked: tuple[str, ...] = ()
    #: How labels and raters were read, where it is not as they stand.
    readings: tuple[str, ...] = ()
    #: Which rows are looked at, in options: `--only topic=law`.
    narrowed: tuple[str, ...] = ()
    #: The task as it was declared, where a cut or several positive options made it binary.
    declared: Task | None = None
    #: Judges that were asked about the units of their rows alone; others about all labelled ones.
    by_rows: frozenset[str] = frozenset()
    #: References that stand where there are no people: `humans` are these.
    references: tuple[str, ...] = ()
    #: Labels that name several options: their ratings have the code -1.
    sets: tuple[str, ...] = ()
    #: The file's own columns.
    own: tuple[str, ...] = ()
    #: What was resolved where people differ (`reference = "adjudicated"`): not among people's
    #: ratings, and what `count_units` takes for the reference of its units.
    resolved: nw.LazyFrame[Any] | None = None
    #: What was found of this very table, by name: `replace` begins with none.
    found: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def judges(self) -> tuple[str, ...]:
        return self.census.raters("judge")

    @property
    def humans(self) -> tuple[str, ...]:
        return self.census.raters("human")

    @property
    def unit(self) -> tuple[str, ...]:
        """The columns that name a unit."""
        return tuple(name for name in UNIT if name in self.columns)

    @property
    def repeat(self) -> tuple[str, ...]:
        """The columns that tell apart several ratings of a unit by one rater."""
        return tuple(name for name in REPEAT if name in self.columns)

    @property
    def cluster(self) -> str:
        """The column of the declared resampling unit."""
        return self.task.cluster

    def require(self, *names: str) -> None:
        """Refuse, naming the table's columns, when a column to count by is missing or a number."""
        for name in names:
            if name in NUMBERS and name in self.columns:
                raise RatingsError(
                    f"{self.name}, column {name}",
                    "must hold names of groups to be counted by; it is read as numbers",
                    next_step="Write the groups (low, high) into a column of another name",
                )
            if name not in self.columns:
                step = None
                if name in OPTIONAL:
                    step = f'Add it, or map it in the task file: [columns] {name} = "..."'
                    step = (name == "system" and self._likely_systems()) or step
                elif near := nearest(name, self.columns):
                    here = f"file_{name.lower()}"
                    step = f"Did you mean {(here if here in self.columns else near)!r}?"
                own = listed(self.own or self.columns)
                raise RatingsError(
                    self.name, f"must have a column {name!r}; its columns are {own}", next_step=step
                )

    def _likely_systems(self) -> str:
        """The columns to choose from where none is known to name the rated system."""
        parts = {column for columns in self.task.column_names.values() for column in columns}
        parts |= {*REQUIRED, *OPTIONAL}
        free = [name for name in self.own if name in self.columns and name not in parts]
        likely = likely_systems(self.frame, free, place=self.name)
        said = (f"columns.system = {json.dumps(name, ensure_ascii=False)}" for name in likely)
        offered = " or ".join(f"--task {shlex.quote(part)}" for part in said)
        return f"Say which column names the rated system: {offered}" if offered else ""

    def not_rated(self) -> tuple[Exclusion, ...]:
        """Rows whose status is not `rated`, as exclusions by status and rater."""
        out = []
        for status in STATUSES[1:]:
            by = self.census.by_rater(status)
            if by:
                out.append(Exclusion(status, sum(by.values()), {"rater": by}))
        return tuple(out)


def read_ratings(source: Any, task: Task, narrowing: Narrowing | None = None) -> Ratings:
    """Open and check a table of ratings under a task.

    Parameters
    ----------
    source
        A path, a glob, `FILE::TABLE`, a list of them, or a frame (pandas, Polars, PyArrow, DuckDB
        relation, PySpark).
    task
        What the ratings mean.
    narrowing
        Which rows are looked at (`--only` and `--exclude`); all where it is not given.

    Returns
    -------
    Ratings
        The table, for any question; reading it once serves several. `SourceError`, `RatingsError`
        and `TaskError` name the rule that is broken.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame(
    ...     {
    ...         "item": ["q1", "q1", "q2", "q2"],
    ...         "rater": ["ann", "gpt", "ann", "gpt"],
    ...         "kind": ["human", "judge", "human", "judge"],
    ...         "value": ["yes", "yes", "no", "yes"],
    ...     }
    ... )
    >>> ratings = read_ratings(frame, Task(scale="binary", options=("yes", "no"), positive="yes"))
    >>> ratings.judges, ratings.humans
    (('gpt',), ('ann',))
    """
    opened = open_source(source, task.column_names, task.file)
    frame, columns = arranged(opened, task)
    check_declared_columns(columns, task, opened)
    exclusions: list[Exclusion] = []
    readings: list[str] = []
    sets: tuple[str, ...] = ()
    if narrowing:
        own = {name: ours for ours, theirs in task.column_names.items() for name in theirs}
        frame, left_out = narrowed(
            frame,
            columns,
            narrowing,
            place=opened.name,
            names=own,
            own=opened.own or opened.columns,
        )
        exclusions += left_out
    else:
        empty = empty_cells(opened, task)
        readings += [empty] if empty else []
    readings += said_of_empty(opened, task)
    frame = _filled(frame, columns)
    if "split" in columns:
        frame = with_splits(frame)
    if any(task.cluster not in names for _, names in opened.parts):
        frame = _with_the_items_cluster(frame, task.cluster)
    frame = frame.drop(FILE) if opened.parts else frame
    frame = with_winners(frame, task, columns)
    frame = frame.with_columns(state=_state(task, columns))
    census = take_census(frame, columns, opened, task, narrowed=bool(narrowing))
    if census.total(status="unknown"):
        unknown = frame.filter(nw.col("state") == nw.lit("unknown"))
        matched = match_labels(unknown, task, opened.name, own_name(task, "value"))
        frame = rewritten(frame, matched, lambda: _state(task, columns))
        census = take_census(frame, columns, opened, task)
        readings += matched.said
        sets = tuple(matched.sets)
    if MIRRORED in columns:
        frame, columns = turned_back(frame, task), tuple(c for c in columns if c != MIRRORED)
    declared = task
    if (two := task.as_two) is not None:
        frame, columns = as_counted(frame, columns, task, two)
        task = two[0]
        readings.append(
            f"{named(task.options[0])} is counted, against {named(task.options[1])}: every rating "
            "was read as one of the two."
        )
    states = {state for _, _, state in census.counts}
    apart = references_apart(frame, census, task)
    frame, census = apart.frame, apart.census
    exclusions += apart.exclusions
    readings += apart.said
    census = Census(census.rows + sum(one.rows for one in exclusions), census.counts)
    frame = _as_number(frame, columns, opened.name)
    frame = _with_number_of(frame, task, columns)
    if blank := census.total(status="empty"):
        exclusions.append(Exclusion("empty value", blank, {"rater": census.by_rater("empty")}))
        frame = frame.filter(nw.col("state") != nw.lit("empty"))
    code = _code(task, states)
    frame = frame.with_columns(status=nw.col("state"), code=code).drop("state")
    if opened.may_keep and census.rows <= SMALL:
        frame = nw.from_native(kept(frame.to_native()))
    inputs = tuple(
        Input(one.name, one.sha256, census.rows if len(opened.inputs) == 1 else 0)
        for one in opened.inputs
    )
    columns = columns if "status" in columns else (*columns, "status")
    ratings = Ratings(frame, task, columns, inputs, census, tuple(exclusions), opened.name)
    ratings = replace(ratings, readings=tuple(readings), declared=declared, own=opened.own)
    ratings = replace(ratings, narrowed=narrowing.said() if narrowing else ())
    ratings = replace(ratings, references=apart.instead, sets=sets)
    every = ratings.judges if task.asked == "rows" else opened.ran if task.asked is None else ()
    ratings = replace(ratings, by_rows=frozenset(every))
    if task.rater_weights:
        check_raters(task, census)
        weighted = weighted_majority(frame, task, ratings.unit)
        return replace(ratings, resolved=weighted)
    if not apart.resolves:
        return ratings
    is_reference = nw.col("kind") == nw.lit("reference")
    return replace(ratings, frame=frame.filter(~is_reference), resolved=frame.filter(is_reference))


def _filled(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> nw.LazyFrame[Any]:
    """Absent cells of optional columns become "" so that they group alike on every engine."""
    keys = [c for c in columns if c not in (*NUMBERS, *REQUIRED)]
    return frame.with_columns(*(nw.col(c).fill_null(nw.lit("")) for c in keys)) if keys else frame


def _with_the_items_cluster(frame: nw.LazyFrame[Any], cluster: str) -> nw.LazyFrame[Any]:
    """Rows of a file without the cluster's column are in the cluster that another file gives to
    their item."""
    if cluster == "item":
        return frame
    of_item = nw.col(cluster).max().over("item")
    empty = nw.col(cluster) == nw.lit("")
    own = nw.when(empty).then(of_item).otherwise(nw.col(cluster))
    return frame.with_columns(own.alias(cluster))


def _state(task: Task, columns: Sequence[str]) -> nw.Expr:
    """rated | abstained | invalid | failed | empty | unknown (not a declared word)."""
    value = nw.col("value")
    if task.scale == "continuous":
        known = value.str.contains(NUMBER)
        if "score" in columns:  # a label with a score beside it is rated by the score
            known = known | ~nw.col("score").is_null()
    else:
        known = value.is_in(list(task.options))
    state = nw.when(known).then(nw.lit("rated")).otherwise(nw.lit("unknown"))
    if task.invalid:
        state = nw.when(value.is_in(list(task.invalid))).then(nw.lit("invalid")).otherwise(state)
    if task.abstain:
        state = nw.when(value.is_in(list(task.abstain))).then(nw.lit("abstained")).otherwise(state)
    blank = value.is_null() | (value == nw.lit(""))
    empty = "abstained" if "" in task.abstain else "invalid" if "" in task.invalid else "empty"
    state = nw.when(blank).then(nw.lit(empty)).otherwise(state)
    if "status" in columns:
        status = nw.col("status")
        given = status.is_in(["abstained", "invalid", "failed"])
        state = nw.when(given).then(status).otherwise(state)
    return state


def _as_number(frame: nw.LazyFrame[Any], columns: Sequence[str], name: str) -> nw.LazyFrame[Any]:
    """The numeric columns as real numbers; weights are at least 0."""
    for column in NUMBERS:
        if column in columns:
            text = nw.col(column).str.strip_chars()
            number = nw.when(text != nw.lit("")).then(text).cast(nw.Float64)
            frame = frame.with_columns(number.alias(column))
    if "weight" in columns:
        low = fetch(frame.select(low=nw.col("weight").min()), place=name)["low"]
        if float(filled(low, 0.0)[0]) < 0:
            raise RatingsError(
                f"{name}, column weight", "must be at least 0", found=str(float(low[0]))
            )
    return frame


def _with_number_of(
    frame: nw.LazyFrame[Any], task: Task, columns: Sequence[str]
) -> nw.LazyFrame[Any]:
    """`number`: the score, or on a continuous scale the value where it is rated."""
    missing = nw.lit(None, nw.Float64)
    number = nw.col("score") if "score" in columns else missing
    if task.scale == "continuous":
        rated = (nw.col("state") == nw.lit("rated")) & nw.col("value").str.contains(NUMBER)
        value = nw.when(rated).then(nw.col("value").str.strip_chars()).cast(nw.Float64)
        number = nw.coalesce(value, number) if "score" in columns else value
    return frame.with_columns(number=number)


def _code(task: Task, states: Collection[str]) -> nw.Expr:
    """The option's index, or that of the status; only the states that occur are asked for."""
    size = len(task.options)
    code = nw.lit(-1)
    for index, option in reversed(list(enumerate(task.options))):
        code = nw.when(nw.col("value") == nw.lit(option)).then(nw.lit(index)).otherwise(code)
    for offset, status in enumerate(STATUSES[1:]):
        if status in states:
            given = nw.col("state") == nw.lit(status)
            code = nw.when(given).then(nw.lit(size + offset)).otherwise(code)
    return code
