"""Frames in memory or on a cluster, and the one door through which every source comes."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import narwhals as nw

from goldassay.errors import RatingsError, SourceError, TaskError, listed, nearest, shown
from goldassay.frozen import dataclass
from goldassay.results import Input, frame_name
from goldassay.sources.engine import connect, kept, queried
from goldassay.sources.files import expanded, open_files
from goldassay.sources.form import Form
from goldassay.sources.formats import TEXT_SUFFIXES
from goldassay.sources.layout import check_once
from goldassay.sources.memory import relation_of_records
from goldassay.sources.nested import one_object_each
from goldassay.sources.opening import status_of
from goldassay.sources.packed import inner_name
from goldassay.sources.pandas_index import index_as_columns
from goldassay.sources.score_pairs import KEY, VERDICT, other_sides, sides_scored, verdicts_of
from goldassay.sources.winners import sides_of, winner_of
from goldassay.sources.workbook import is_workbook, sheets_alike
from goldassay.store import judges_run

__all__ = ["FILE", "ROW", "SMALL", "Source", "open_frame", "open_source", "told_apart"]

#: `[columns] item = "(row)"`: the number of the row names the item.
ROW = "(row)"
#: Of several files put together: the column of the frame that says from which file a row is.
FILE = "(file)"

#: Tables up to so many rows, from files of so many bytes, are copied into the engine rather than
#: made anew by every query.
SMALL, SMALL_FILES = 50_000, 8 * 2**20

#: Memory of the engine where it reads logs, whose records are long.
_FOR_LOGS = "1GB"
#: Columns that tell the units of an item apart.
_OF_UNIT = ("criterion", "system", "opponent")
#: Columns that mean something to goldassay: under another name they give it up, all others keep
#: the file's own name beside goldassay's.
_MEANING = frozenset(
    [
        "item",
        "rater",
        "kind",
        "value",
        "criterion",
        "system",
        "opponent",
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
        "stratum",
    ]
)
_REQUIRED = ("item", "rater", "kind", "value")
#: Columns that are made of those when a table is read.
_MADE = ("status", "state", "code", "number")
#: What rows that were given as Python's own are called.
RECORDS = "records"
#: Text files of a glob up to so many are put together as if each was named.
_FEW_FILES = 200


@dataclass(frozen=True)
class Source:
    """A lazy frame of text columns and what it was read from.

    `inputs` have no row numbers yet (`rows` is 0 until the ratings were counted).
    """

    frame: nw.LazyFrame[Any]
    columns: tuple[str, ...]
    inputs: tuple[Input, ...]
    name: str
    #: The file's own names of columns that had to be renamed -> their names here.
    renamed: Mapping[str, str] = field(default_factory=dict)
    #: Where it is several files: the name and the columns of each.
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    #: Columns that tell units apart and that some file lacks: why that is no table.
    unsaid: Mapping[str, SourceError] = field(default_factory=dict)
    #: The file's own columns, whatever they are called here.
    own: tuple[str, ...] = ()
    #: Whether it is small, and on a connection of goldassay's own: its rows may be kept there.
    may_keep: bool = False
    #: How files were read where they are not plain tables, to be told as assumptions.
    told: tuple[str, ...] = ()
    #: Judges whose calls a store holds: what they were asked is known.
    ran: frozenset[str] = frozenset()
    #: What was looked up in this very frame; another frame, made by `replace`, has a memory of its
    #: own.
    memory: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)


#: goldassay's name of a column -> the files' names of it.
Names = Mapping[str, tuple[str, ...]]


def open_source(source: Any, names: Names | None = None, form: Form | None = None) -> Source:
    """Open a path, a glob, several of them, a list of records, or any frame that narwhals knows
    (pandas, Polars, PyArrow, DuckDB, PySpark, Ibis, Dask). Columns get goldassay's `names`, file by
    file; `form` says how a text file is written."""
    names = names or {}
    if isinstance(source, Source):
        return _named(source, names)
    given = [source] if isinstance(source, str | Path) else source
    if isinstance(given, list | tuple) and all(isinstance(one, str | Path) for one in given):
        if form is not None and form.log is not None:
            logs, tables = _logs_and_tables(given, form.log)
            if tables:
                return open_together(tables, names, replace(form, log=None), (logs, form.log))
            return _named(_open_log(given, form.log), names)
        paths = [path for one in given for path in _each(one)]
        files = [Path(one) for one in paths if Path(one).is_file()]
        if len(files) == len(paths) and one_object_each(files):
            return _named(_filled(_open_path(_glob_of(files), form=form, paths=files), form), names)
        if len(paths) > 1:
            return _filled(open_together(paths, names, form), form)
        if paths:
            return _named(_filled(_open_path(paths[0], form=form), form), names)
    return _named(open_frame(source), names)


def _filled(source: Source, form: Form | None) -> Source:
    """The source, whose files must have every column of `[file] fill` among them."""
    for name in () if form is None else form.fill:
        if name not in (*source.own, *source.columns):
            near = nearest(name, source.own)
            raise TaskError(
                "[file] fill",
                f"must name columns of {source.name}; they are {listed(source.own)}",
                found=shown(name),
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    return source


def _logs_and_tables(
    given: Sequence[str | Path], tool: str
) -> tuple[list[str | Path], list[str | Path]]:
    """The paths that are logs of a tool, and those that are not; all are where there is one."""
    from goldassay.sources.importers import taken_for
    from goldassay.sources.logs.reading import LogFile

    paths = [path for one in given for path in _each(one)]
    if len(paths) < 2:
        return list(given), []
    files = [path for path in paths if Path(path).is_file()]
    logs = [path for path in files if taken_for(LogFile(Path(path))) == tool]
    return (logs, [path for path in paths if path not in logs]) if logs else (list(given), [])


def _open_log(paths: Sequence[str | Path], tool: str, connection: Any = None) -> Source:
    """Logs of another tool as the table that `goldassay import` makes of them; on a connection
    where other files are to stand beside them."""
    from goldassay.sources.importers import IMPORTERS, ratings_on

    if tool not in IMPORTERS or not IMPORTERS[tool].is_log:
        near = nearest(tool, IMPORTERS)
        raise TaskError(
            "[file] log",
            f"must be one of {listed([name for name, one in IMPORTERS.items() if one.is_log])}",
            found=shown(tool),
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    shared = connect(memory=_FOR_LOGS) if connection is None else connection
    ratings, told = ratings_on(shared, list(paths), tool)
    left = [f"of the log, {n:,} are left out: {why}" for why, n in told.left_out.items()]
    return replace(
        open_frame(ratings, may_keep=True),
        inputs=tuple(Input(Path(place).name, sha256, 0) for place, sha256 in told.logs),
        name=" + ".join(map(str, paths)),
        told=(f"{'it is' if len(paths) == 1 else 'they are'} {IMPORTERS[tool].reads}", *left),
    )


def _each(source: str | Path) -> list[str | Path]:
    """The text files of a glob, one by one: a file may be one rater's, and so may be a sheet."""
    path = Path(source)
    mode = status_of(path)
    if mode is not None and stat.S_ISREG(mode) and is_workbook(path):
        return [f"{source}::{sheet}" for sheet in sheets_alike(path)] or [source]
    if not any(sign in str(source) for sign in "*?[") or "::" in str(source):
        return [source]
    if status_of(source) is not None:
        return [source]
    paths = expanded(str(source))
    suffixes = {inner_name(path).suffix.lower() for path in paths}
    alike = len(suffixes) == 1 and suffixes <= TEXT_SUFFIXES
    return list(paths) if alike and 1 < len(paths) <= _FEW_FILES else [source]


def _named(source: Source, names: Names) -> Source:
    """The one source under goldassay's names."""
    for ours, theirs in names.items():
        if not any(source.renamed.get(name, name) in (*source.columns, ROW) for name in theirs):
            raise _unknown(ours, theirs[0], source.columns, source.name)
    return _with_names(source, names)


def _with_names(source: Source, names: Names) -> Source:
    """Its columns under goldassay's names where it has them; a column that had our name before
    gives way. Several columns are the parts of an item's key."""
    made: dict[str, nw.Expr] = {}
    used: list[str] = []
    if ROW in {name for theirs in names.values() for name in theirs}:
        source = _numbered(source)
    for ours, theirs in names.items():
        here = [source.renamed.get(name, name) for name in theirs]
        found = [name for name in here if name in source.columns]
        if not found:
            continue
        together = all(set(here) <= set(columns) for _, columns in source.parts)
        if len(found) > 1 and ours == "item" and len(found) == len(theirs) and together:
            made[ours] = nw.concat_str([nw.col(n) for n in found], separator=" | ")
            used += [*found, *found]  # they stay, for clusters
        elif len(found) > 1 and source.parts:
            made[ours] = nw.coalesce(*found)
            used += found
        elif len(found) > 1:
            raise TaskError(
                f"[columns] {ours}",
                f"must name one column of each file; {source.name} has several",
                found=", ".join(found),
                next_step="Keep one, or declare one column per rater: [wide]",
            )
        else:
            made[ours] = nw.col(found[0])
            used += found
    if not made:
        return source
    gone = {name for name in used if used.count(name) == 1 and name in _MEANING} | {ROW}
    gone |= set(made)
    lower = {name.lower() for name in made}  # `System` is `system` to the engine
    kept = [name for name in source.columns if name not in gone and name.lower() not in lower]
    hidden = [FILE] if source.parts else []
    frame = source.frame.select(*kept, *hidden, *(e.alias(o) for o, e in made.items()))
    here_by = {o: {source.renamed.get(name, name) for name in t} for o, t in names.items()}
    parts = tuple(
        (place, (*names_, *(o for o, t in here_by.items() if t & set(names_))))
        for place, names_ in source.parts
    )
    return replace(source, frame=frame, columns=(*kept, *made), parts=parts)


def _numbered(source: Source) -> Source:
    """The source with the number of each row, from 1, as the column `ROW`."""
    native: Any = source.frame.to_native()
    if source.frame.implementation is nw.Implementation.DUCKDB and source.may_keep:
        # A table of the embedded engine is scanned in the order of its rows.
        numbered = queried(
            native,
            lambda rows: f'SELECT *, CAST(row_number() OVER () AS VARCHAR) AS "{ROW}" FROM {rows}',
        )
        frame: nw.LazyFrame[Any] = nw.from_native(kept(numbered))
    elif source.frame.implementation is nw.Implementation.POLARS:
        indexed = native.with_row_index(ROW, offset=1)
        frame = nw.from_native(indexed).with_columns(nw.col(ROW).cast(nw.String))
    else:
        raise TaskError(
            f'[columns] item = "{ROW}"',
            f"rows are numbered in small files and in frames in memory; {source.name} is neither",
            next_step="Name the column (or columns) that name the item",
        )
    return replace(source, frame=frame, columns=(*source.columns, ROW))


def _unknown(ours: str, theirs: str, columns: Sequence[str], name: str) -> TaskError:
    near = nearest(theirs, columns)
    return TaskError(
        f"[columns] {ours} = {theirs!r}",
        f"is not a column of {name}; its columns are {listed(columns)}",
        next_step=f"Did you mean {near!r}?" if near else None,
    )


def _glob_of(paths: Sequence[Path]) -> str:
    """What files of one folder are called together."""
    folders = {path.parent for path in paths}
    return str((folders.pop() if len(folders) == 1 else Path()) / "*.json")


def _open_path(
    path: str | Path, connection: Any = None, form: Form | None = None, paths: Sequence[Path] = ()
) -> Source:
    opened = open_files(path, connection, form, paths)
    inputs = tuple(
        Input(path.name, digest, 0)
        for path, digest in zip(opened.paths, opened.digests, strict=True)
    )
    relation, columns, renamed = _plain_names(opened.relation)
    frame = _as_text(nw.from_native(relation), columns)
    small = sum(path.stat().st_size for path in opened.paths) <= SMALL_FILES
    return _with_winner(
        Source(
            frame,
            columns,
            inputs,
            opened.name,
            renamed,
            own=tuple(opened.columns),
            may_keep=small,
            told=opened.told,
            ran=frozenset(judge for one in opened.paths for judge in judges_run(one)),
        )
    )


def _with_winner(source: Source) -> Source:
    """Columns of zeros and ones that say which side wins, as one."""
    sides = sides_of(source.columns)
    if not sides:
        scored = sides_scored(source.columns)
        if scored is None or {VERDICT, KEY, "value"} & set(source.columns):
            return source
        made = verdicts_of(scored)
        names = [VERDICT, KEY][: len(made)]
        for pair in other_sides(source.columns, scored):  # another judge's
            names.append(f"{VERDICT} of {pair[0]}")
            made.append(verdicts_of(pair)[0].alias(names[-1]))
        wider = source.frame.with_columns(*made)
        return replace(source, frame=wider, columns=(*source.columns, *names))
    columns = (*(name for name in source.columns if name not in sides), "winner")
    frame = source.frame.with_columns(winner_of(sides)).select(*columns)
    return replace(source, frame=frame, columns=columns)


def open_together(
    paths: Sequence[str | Path],
    names: Names | None = None,
    form: Form | None = None,
    beside: tuple[Sequence[str | Path], str] | None = None,
) -> Source:
    """Several files as one table: their rows one below the other, by the columns' names.

    A column that one file lacks is empty there. But a criterion, system or opponent tells units
    apart: where a file lacks one and the others name exactly one, that one is meant; where they
    name several, it would be a guess, and is refused (`unsaid`), but for a system that the item
    tells. `beside` are logs, and the tool they are of.
    """
    places = [Path(one).resolve() for one in paths]
    again = [one for one, at in zip(paths, places, strict=True) if places.count(at) > 1]
    if again:
        raise SourceError(str(again[-1]), "is given twice, and its ratings would count twice")
    connection = connect(memory=_FOR_LOGS) if beside else connect()
    own = [_open_path(path, connection, form) for path in paths]
    own += [_open_log(beside[0], beside[1], connection)] if beside else []
    every = [name for part in own for name in (*part.columns, *part.renamed)]
    for ours, theirs in (names or {}).items():
        for name in theirs:
            if name not in every and name != ROW:
                together = " + ".join(part.name for part in own)
                raise _unknown(ours, name, list(dict.fromkeys(every)), together)
    parts = [_with_names(part, names or {}) for part in own]
    columns = tuple(dict.fromkeys(name for part in parts for name in part.columns))
    filled: dict[str, str | None] = {}
    unsaid: dict[str, SourceError] = {}
    for name in columns:
        lacking = [p for p in parts if name not in p.columns]
        if name in _OF_UNIT and (lacking := [p for p in lacking if _first(p, p.columns[0])]):
            try:
                filled[name] = _only(name, [p for p in parts if name in p.columns], lacking[0])
            except SourceError as error:
                unsaid[name] = error
    frames = [
        part.frame.select(
            *(
                nw.col(name)
                if name in part.columns
                else nw.lit(filled.get(name)).cast(nw.String).alias(name)
                for name in columns
            ),
            nw.lit(file).alias(FILE),
        )
        for part, file in zip(parts, told_apart([part.name for part in parts]), strict=True)
    ]
    return Source(
        nw.concat(frames, how="vertical"),
        columns,
        tuple(one for part in parts for one in part.inputs),
        " + ".join(part.name for part in parts),
        {old: new for part in parts for old, new in part.renamed.items()},
        tuple((part.name, part.columns) for part in parts),
        own=tuple(dict.fromkeys(name for part in own for name in part.own)),
        unsaid=unsaid,
        may_keep=all(part.may_keep for part in parts),
        told=tuple(dict.fromkeys(line for part in own for line in part.told)),
        ran=frozenset(judge for part in own for judge in part.ran),
    )


def told_apart(places: Sequence[str]) -> list[str]:
    """The names of files, with as many of their folders as tell equal names apart.

    >>> told_apart(["runs/gpt/result.json", "runs/claude/result.json"])
    ['gpt/result.json', 'claude/result.json']
    """
    every = [Path(place).parts for place in places]
    for depth in range(1, max(map(len, every), default=1) + 1):
        names = ["/".join(parts[-depth:]) for parts in every]
        if len(set(names)) == len(names):
            break
    return names if every else []


def _only(name: str, parts: Sequence[Source], lacking: Source) -> str | None:
    """The one label of a column of units, for a file that does not have the column."""
    if name == "opponent" and any(_some_empty(part, name) for part in parts):
        return None  # outputs that stand alone are rated beside pairs: these do too
    found: set[str] = set()
    for part in parts:
        found |= {label for label in _first(part, name, 6) if label not in (None, "")}
    if len(found) > 1:
        raise SourceError(
            lacking.name,
            f"has no column {name!r}, and {parts[0].name} names several",
            found=", ".join(sorted(found)[:5]),
            next_step=f"Say in a column {name!r} which one each row is about",
        )
    return next(iter(found), None)


def _some_empty(part: Source, name: str) -> bool:
    """Whether a row holds nothing in this column."""
    empty = nw.col(name).is_null() | (nw.col(name) == nw.lit(""))
    return bool(part.frame.select(name).filter(empty).head(1).to_native().fetchall())


def _first(part: Source, name: str, number: int = 1) -> list[str | None]:
    """A few of a column's different labels; none when the file has no row."""
    # The engine's own way: narwhals would collect by PyArrow, which is not there by default.
    rows = part.frame.select(name).unique().head(number).to_native().fetchall()
    return [row[0] for row in rows]


def open_frame(native: Any, *, may_keep: bool = False) -> Source:
    """A frame that is already open; it stays on its own engine. What stands in the index of a frame
    of pandas is read as columns.

    `may_keep` says that it is a small relation of a connection of goldassay's own.
    """
    records = relation_of_records(native)
    if records is not None:
        opened = open_frame(records, may_keep=True)
        return replace(opened, name=RECORDS, inputs=(Input(RECORDS, None, 0),))
    native = nw.to_native(native, pass_through=True)
    library = frame_name(type(native).__module__.partition(".")[0])
    if nw.dependencies.is_pandas_like_dataframe(native):
        native = index_as_columns(native, library)
    elif nw.dependencies.is_pyarrow_table(native):
        check_once(native.column_names, library)
    try:
        frame = nw.from_native(native)
    except TypeError:
        raise SourceError(
            f"a {type(native).__name__}",
            "is neither a path nor a frame",
            next_step="Give a file name, a list of records, or a frame of pandas, Polars, PyArrow, "
            "DuckDB or PySpark",
        ) from None
    name = frame_name(frame.implementation.name.lower())
    if frame.implementation in (nw.Implementation.PANDAS, nw.Implementation.PYARROW):
        # Their group-bys lack conditional sums; DuckDB scans both in place, and copies small ones:
        # every query over a frame in place looks at each of its columns anew.
        small, arrow = len(native) <= SMALL, frame.implementation is nw.Implementation.PYARROW
        connection = connect(threads=1) if small else connect()
        relation = _scanned(connection, native, name, arrow=arrow)
        frame, may_keep = nw.from_native(kept(relation) if small else relation), small
    renamed: Mapping[str, str] = {}
    embedded = frame.implementation is nw.Implementation.DUCKDB
    if embedded or frame.implementation.is_spark_like():
        check_once(frame.to_native().columns, name)
    if embedded:
        relation, _, renamed = _plain_names(frame.to_native())
        frame = nw.from_native(relation)
    lazy = frame.lazy() if isinstance(frame, nw.DataFrame) else frame
    columns = tuple(lazy.collect_schema().names())
    inputs = (Input(name, None, 0),)
    made = Source(
        _as_text(lazy, columns), columns, inputs, name, renamed, own=columns, may_keep=may_keep
    )
    return _with_winner(made)


def _scanned(connection: Any, native: Any, place: str, *, arrow: bool) -> Any:
    """A frame as a relation of the engine; a column of a type that it does not know is named."""
    import duckdb

    scan = connection.from_arrow if arrow else connection.from_df
    try:
        return scan(native)
    except duckdb.Error:
        for at, column in enumerate(map(str, native.columns if not arrow else native.column_names)):
            one = native.select([at]) if arrow else native.iloc[:0, [at]]
            try:
                scan(one)
            except duckdb.Error:
                kind = one.schema.types[0] if arrow else one.dtypes.iloc[0]
                raise RatingsError(
                    f"{place}, column {column}",
                    "must be of a type that the embedded engine reads",
                    found=str(kind),
                    next_step=f"Write it as text: frame[{column!r}].astype(str)"
                    if not arrow
                    else "Write it as text, or leave it out",
                ) from None
        raise


def _plain_names(relation: Any) -> tuple[Any, tuple[str, ...], dict[str, str]]:
    """Columns without dots and quotes, which narwhals takes for a table's name and a delimiter, and
    goldassay's own in small letters, or apart: the engine does not tell `RATER` from `rater`."""
    names = list(relation.columns)
    renamed: dict[str, str] = {}
    for name in names:
        if name.lower() in _REQUIRED and name not in _REQUIRED:
            renamed[name] = name.lower()
            continue
        made = name.lower() in _MADE and name not in _MADE
        if made or "." in name or '"' in name:
            plain = f"file_{name.lower()}" if made else name.replace(".", "_").replace('"', "'")
            while plain in names or plain in renamed.values():
                plain += "_"
            renamed[name] = plain
    if not renamed:
        return relation, tuple(names), renamed
    quoted = {name: '"' + name.replace('"', '""') + '"' for name in names}
    parts = [f'{quoted[name]} AS "{renamed.get(name, name)}"' for name in names]
    columns = tuple(renamed.get(name, name) for name in names)
    return relation.project(", ".join(parts)), columns, renamed


def _as_text(frame: nw.LazyFrame[Any], columns: Iterable[str]) -> nw.LazyFrame[Any]:
    schema = frame.collect_schema()
    other = [name for name in columns if schema[name] != nw.String]
    return frame.with_columns(*(_text(name, schema[name]) for name in other)) if other else frame


def _text(name: str, dtype: Any) -> nw.Expr:
    column = nw.col(name)
    if dtype.is_float():
        # 1.0 in a float column is the label "1": pandas turns integers with gaps into floats.
        whole = (column == column.round(0)) & (column.abs() < 1e15)
        digits = nw.when(whole).then(column).cast(nw.Int64).cast(nw.String)
        return nw.when(whole).then(digits).otherwise(column.cast(nw.String)).alias(name)
    return column.cast(nw.String)
