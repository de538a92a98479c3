"""Other tools' files to a table that goldassay reads: one entry per format.

A log is read by a module of `logs/`: `recognises(log)` and `ratings(log)`, a stream of ratings,
texts and what was left out. Published tables are read by a function `(connection, path) ->
relation` of DuckDB. To add a format, write the module and add its record to `IMPORTERS`.
"""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, cast

from goldassay.errors import SourceError, UsageError, nearest, shown
from goldassay.frozen import dataclass
from goldassay.sources.engine import connect, named
from goldassay.sources.files import expanded
from goldassay.sources.logs.collecting import JUDGES, Choices, Collected
from goldassay.sources.logs.parts import Part
from goldassay.sources.logs.reading import LogFile
from goldassay.sources.memory import as_relation, in_memory, write_lines
from goldassay.sources.opening import ordinary, status_of
from goldassay.sources.spreadsheet import csv_lines, neutral_rows
from goldassay.sources.writing import written

__all__ = [
    "IMPORTERS",
    "Imported",
    "Importer",
    "Log",
    "import_logs",
    "import_table",
    "ratings_on",
    "read_log",
    "taken_for",
]


@dataclass(frozen=True, slots=True)
class Importer:
    """A format: its name, its module in this package, what it reads and what it gives.

    The module of a log has `recognises(log)` and `ratings(log)`; that of a published table has the
    function that `table` names.
    """

    name: str
    module: str
    reads: str
    gives: str = "ratings"
    table: str = ""

    @property
    def is_log(self) -> bool:
        return not self.table

    def recognises(self, log: LogFile) -> bool:
        return bool(self._loaded().recognises(log))

    def parts(self, log: LogFile) -> Iterator[Part]:
        """The ratings, texts and omissions of a log."""
        return cast(Iterator[Part], self._loaded().ratings(log))

    def relation(self, connection: Any, path: Path) -> Any:
        """A published table as a relation of DuckDB."""
        return getattr(self._loaded(), self.table)(connection, path)

    def _loaded(self) -> Any:
        return import_module(f"goldassay.sources.{self.module}")


#: Rows of a relation that are in memory at once.
_FETCHED = 4_096

#: Every format, by name. A file of unknown kind is shown to the logs among them in this order.
IMPORTERS: Mapping[str, Importer] = {
    one.name: one
    for one in (
        Importer("inspect", "logs.inspect_ai", "inspect_ai's logs (.eval, .json)"),
        Importer("promptfoo", "logs.promptfoo", "promptfoo's results (.json, .jsonl)"),
        Importer("promptfoo-csv", "logs.promptfoo_table", "promptfoo's results (.csv)"),
        Importer("deepeval", "logs.deepeval", "deepeval's test runs (.json)"),
        Importer("ragas", "logs.ragas", "ragas' results (.csv, .jsonl, .parquet)"),
        Importer("langfuse", "logs.langfuse", "Langfuse's scores (.csv, .json)"),
        Importer("langsmith", "logs.langsmith", "LangSmith's feedback (.jsonl, .csv)"),
        Importer("phoenix", "logs.phoenix", "Phoenix' annotations (.csv, .json, .parquet)"),
        Importer("mlflow", "logs.mlflow", "MLflow's traces and evaluation tables"),
        Importer("opik", "logs.opik", "Opik's traces with scores (.json, .jsonl)"),
        Importer("braintrust", "logs.braintrust", "Braintrust's experiments (.json, .jsonl, .csv)"),
        Importer("argilla", "logs.argilla", "Argilla's records (.json)"),
        Importer("doccano", "logs.doccano", "Doccano's classifications (.jsonl, .json, .csv)"),
        Importer("labelbox", "logs.labelbox", "Labelbox' classifications (.ndjson)"),
        Importer("label-studio", "label_studio", "Label Studio's JSON export"),
        Importer("openai-evals", "logs.openai_evals", "OpenAI evals' records (.jsonl)"),
        Importer("batch", "logs.batch", "batch endpoints' results (.jsonl)"),
        Importer("lm-eval", "logs.lm_eval", "lm-evaluation-harness' samples (.jsonl)"),
        Importer("mt-bench", "logs.mt_bench", "MT-Bench's judgments, models' and people's"),
        Importer(
            "alpaca-eval", "logs.alpaca_eval", "AlpacaEval's annotations, models' and people's"
        ),
        Importer("mqm", "logs.mqm", "MQM's errors, as minus their weighted sum (major 5, minor 1)"),
        Importer("judge-bench", "logs.judge_bench", "JUDGE-BENCH's data sets: what people said"),
        Importer(
            "justrank",
            "justrank",
            "JuStRank's published judge scores (Parquet)",
            table="judge_scores",
        ),
        Importer(
            "arena-battles",
            "justrank",
            "Chatbot Arena battles (English hard prompts)",
            gives="gold for goldassay rank",
            table="arena_battles",
        ),
    )
}


@dataclass(frozen=True)
class Imported:
    """What an import read, wrote and left out."""

    name: str
    #: The path and SHA-256 of each log.
    logs: tuple[tuple[str, str], ...]
    rows: int
    outputs: int
    #: Ratings by (kind, rater, criterion, status); labels by (rater, criterion), a few.
    counts: Mapping[tuple[str, str, str, str], int]
    labels: Mapping[tuple[str, str], tuple[str, ...]]
    left_out: Mapping[str, int]
    notes: tuple[str, ...]


def taken_for(log: LogFile) -> str | None:
    """The importer that recognises a log."""
    known = (one for one in IMPORTERS.values() if one.is_log and one.recognises(log))
    return next((one.name for one in known), None)


@contextmanager
def collected_logs(
    name: str | None, paths: Sequence[str | Path], choices: Choices | None = None
) -> Iterator[tuple[Imported, Collected]]:
    """The ratings and texts in logs of one tool, while they are read.

    Without a `name` the tool is told by the content of the files. Paths are files, folders and
    globs. Raises a `SourceError` where a file is damaged, or where there is no rating.
    """
    name, logs, others = _logs(name, paths)
    known = IMPORTERS[name]
    with Collected(choices) as collected:
        for log in logs:
            for part in known.parts(log):
                collected.take(part, log.place if len(logs) > 1 else None)
        collected.check_names()
        if not collected.ratings:
            reasons = "; ".join(f"{n} x {why}" for why, n in collected.left_out.items())
            raise SourceError(
                ", ".join(log.place for log in logs[:3]), "holds no rating", found=reasons or None
            )
        told = Imported(
            name,
            tuple((log.place, log.sha256) for log in logs),
            collected.ratings,
            collected.outputs,
            dict(collected.counts),
            {key: tuple(one) for key, one in collected.labels.items()},
            dict(collected.left_out),
            (*collected.sentences(), *others),
        )
        yield told, collected


def import_logs(
    name: str | None,
    paths: Sequence[str | Path],
    out: str | Path,
    *,
    texts: str | Path | None = None,
    judges: str | Path | None = None,
    choices: Choices | None = None,
) -> Imported:
    """Read logs of one tool, and write `out` (`texts`, `judges`) whole or not at all."""
    target = _target("--out", out, (".csv", ".jsonl", ".parquet"))
    beside = {
        option: _target(option, path, (".csv", ".jsonl"))
        for option, path in (("--texts", texts), ("--judges", judges))
        if path is not None
    }
    with collected_logs(name, paths, choices) as (told, collected), ExitStack() as whole:
        _write(
            whole.enter_context(written(target)), target.suffix, collected.columns, collected.rows()
        )
        for option, path in beside.items():
            held = (
                (collected.text_columns, collected.texts())
                if option == "--texts"
                else (JUDGES, collected.judges(told.name))
            )
            _write(whole.enter_context(written(path)), path.suffix, *held)
        return told


@dataclass(frozen=True)
class Log:
    """Ratings and texts out of other tools' logs, in memory.

    `ratings`, `texts` (None where the log holds none) and `judges` (who they are) are DuckDB
    relations: every question takes them as they are, and `.df()`, `.pl()` and `.arrow()` give them
    to another library.
    """

    ratings: Any
    texts: Any
    judges: Any
    imported: Imported

    def __repr__(self) -> str:
        told = self.imported
        raters = ", ".join(dict.fromkeys(rater for _, rater, _, _ in told.counts))
        return f"Log of {told.name}: {told.rows:,} ratings of {told.outputs:,} outputs by {raters}"


def read_log(
    path: str | Path | Sequence[str | Path],
    *,
    tool: str | None = None,
    criterion: Mapping[str, str] | Sequence[str] = (),
    rater: Mapping[str, str] | Sequence[str] = (),
    human: Sequence[str] = (),
    judge: str | None = None,
    system: str | None = None,
) -> Log:
    """Other tools' logs as ratings: inspect_ai, promptfoo, deepeval, ragas, Langfuse and more.

    Parameters
    ----------
    path
        A file, a folder, a glob, or several of them.
    tool
        Whose logs they are (`goldassay import --list`); else told by their content.
    criterion, rater
        Only these, and their names here where a mapping gives them.
    human
        Raters that are people.
    judge, system
        Names to use where the log has none.
    connection
        A DuckDB connection to put the tables on, where they are to be joined with others there.

    Returns
    -------
    Log
        `log.ratings` goes to any question: `goldassay.agree(log.ratings, task)`; `log.texts` are
        the rated texts, `log.judges` says who the judges are. Errors and unreadable verdicts are
        ratings with the status failed or invalid, never a score of 0.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "gpt-4_single.jsonl"
    >>> judged = '{"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"], "score": 8, '
    >>> _ = path.write_text(judged + '"turn": 1, "user_prompt": "?", "judgment": "[[8]]"}')
    >>> log = read_log(path, tool="mt-bench")
    >>> log.ratings.project("item, system, rater, value").fetchall()
    [('81 turn 1', 'm', 'gpt-4 (single-v1)', '8')]
    """
    paths = [path] if isinstance(path, str | Path) else list(path)
    choices = Choices(_names(criterion), _names(rater), tuple(human), judge, system)
    with collected_logs(tool, paths, choices) as (told, collected):
        ratings = in_memory(collected.columns, collected.rows())
        named = collected.text_columns
        texts = in_memory(named, collected.texts()) if named else None
        return Log(ratings, texts, in_memory(JUDGES, collected.judges(told.name)), told)


def ratings_on(connection: Any, paths: Sequence[str | Path], tool: str) -> tuple[Any, Imported]:
    """The ratings in logs of one tool as a table of a connection, beside others there; and what
    was read."""
    with collected_logs(tool, paths) as (told, collected):
        return in_memory(collected.columns, collected.rows(), connection), told


def _names(given: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    return dict(given) if isinstance(given, Mapping) else {name: name for name in given}


def _logs(
    name: str | None, paths: Sequence[str | Path]
) -> tuple[str, list[LogFile], tuple[str, ...]]:
    """The logs of one tool among the paths, and a sentence about files that are none."""
    if name is not None and name not in IMPORTERS:
        raise _no_importer(name)
    given = [LogFile(path) for path in expanded_logs(paths)]
    in_folders = {str(p) for path in paths if _is_folder(path) for p in _files(Path(path))}
    if name is not None:
        for log in given:
            if not IMPORTERS[name].recognises(log):
                raise _unknown(log, name)
        return name, given, ()
    found: dict[str, list[LogFile]] = {}
    unknown: list[LogFile] = []
    for log in given:
        taken = taken_for(log)
        found.setdefault(taken, []).append(log) if taken else unknown.append(log)
    for log in unknown:
        if log.place not in in_folders or not found:
            raise _unknown(log)
    if len(found) > 1:
        listed = "; ".join(f"{tool}: {logs[0].place}" for tool, logs in found.items())
        raise UsageError(
            "goldassay import",
            "reads the logs of one tool at a time",
            found=listed,
            next_step="Import them apart, and give both tables: goldassay agree one.csv other.csv",
        )
    tool, logs = next(iter(found.items()))
    names = ", ".join(log.name for log in unknown[:5]) + (", ..." if len(unknown) > 5 else "")
    count = "1 file was" if len(unknown) == 1 else f"{len(unknown)} files were"
    left = (f"{count} taken for no log: {names}.",) if unknown else ()
    return tool, logs, left


def _unknown(log: LogFile, name: str | None = None) -> SourceError:
    """What is wrong with a file that is not taken for a log (of the tool `name`)."""
    keys = list(log.first or log.object)
    found = f"the fields {', '.join(map(str, keys[:12]))}" if keys else None
    taken = taken_for(log) if name else None
    if taken:
        return SourceError(
            log.place,
            f"is no log of {name}",
            found=f"one of {taken}",
            next_step=f"goldassay import {taken} {log.place}",
        )
    if {"item", "rater", "value"} <= set(keys):
        return SourceError(
            log.place, "is a ratings table already", next_step=f"Try goldassay check {log.place}"
        )
    return SourceError(
        log.place,
        f"is no log of {name}" if name else "is no log that goldassay knows",
        found=found,
        next_step="goldassay import --list shows what is read. A table with one row per rating "
        "needs no import: goldassay check FILE --write-task task.toml",
    )


def expanded_logs(paths: Sequence[str | Path]) -> list[str]:
    """The files named by paths, folders and globs, each once."""
    found: dict[str, None] = {}
    for path in paths:
        folder = Path(path)
        files = _files(folder) if _is_folder(path) else expanded(str(path))
        if not files:
            raise SourceError(str(path), "the folder holds no file")
        found |= dict.fromkeys(map(str, files))
    return list(found)


def _is_folder(path: str | Path) -> bool:
    mode = status_of(path)
    return mode is not None and stat.S_ISDIR(mode)


def _files(folder: Path) -> list[Path]:
    inside = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    hidden = [path.relative_to(folder).parts[:-1] for path in inside]
    return [
        path
        for path, parents in zip(inside, hidden, strict=True)
        if not any(part.startswith(".") for part in parents)
    ]


def _target(option: str, path: str | Path, suffixes: tuple[str, ...]) -> Path:
    target = Path(path)
    if target.suffix not in suffixes:
        raise UsageError(
            option,
            f"is written as {' or '.join(suffixes)}",
            found=shown(target.suffix or target.name),
        )
    return target


def _write(
    path: Path, suffix: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> None:
    if suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            cells = ([row.get(name) for name in columns] for row in rows)
            stream.writelines(csv_lines(neutral_rows(chain([columns], cells))))
        return
    if suffix == ".jsonl":
        write_lines(path, rows)
        return
    connection = connect(memory="1GB")
    try:
        with as_relation(connection, columns, rows) as whole:
            whole.write_parquet(str(path))
    finally:
        connection.close()


def import_table(name: str, path: str | Path, out: str | Path) -> int:
    """Convert a published table with the importer `name`; writes `out` (Parquet or CSV).

    Returns the number of rows.
    """
    target = _target("--out", out, (".parquet", ".csv"))
    source = Path(path)
    mode = status_of(source)
    if mode is None:
        raise SourceError(str(source), "does not exist")
    if not stat.S_ISDIR(mode):  # a published table may be a folder of files
        ordinary(source)
    connection = connect(memory="1GB")  # published files may be one long JSON array
    try:
        relation = IMPORTERS[name].relation(connection, source)
        with written(target) as temporary:
            if target.suffix == ".parquet":
                relation.write_parquet(str(temporary))
                return len(connection.table_function("read_parquet", [str(temporary)]))
            return _write_rows(temporary, connection, relation)
    except _engine_errors() as error:
        reason = str(error).splitlines()[0]
        raise SourceError(str(source), f"cannot be read ({shown(reason, 200)})") from None
    finally:
        connection.close()


def _write_rows(path: Path, connection: Any, relation: Any) -> int:
    """A relation as CSV, its cells as the engine writes them, a few thousand rows at a time."""
    texts = ", ".join(f"{one}::VARCHAR" for one in map(named, relation.columns))
    cursor = connection.execute(relation.project(texts).sql_query())
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(csv_lines(neutral_rows([relation.columns])))
        rows = 0
        while fetched := cursor.fetchmany(_FETCHED):
            rows += len(fetched)
            stream.writelines(csv_lines(neutral_rows(fetched)))
    return rows


def known_name(name: str) -> bool:
    """Whether a word names an importer; a word that nearly does, and is no file, is refused."""
    if name in IMPORTERS:
        return True
    near = nearest(name, IMPORTERS)
    if near and status_of(name) is None and not any(sign in name for sign in "*?[/.\\"):
        raise _no_importer(name)
    return False


def _no_importer(name: str) -> UsageError:
    near = nearest(name, IMPORTERS)
    return UsageError(
        f"the importer {name!r}",
        f"must be one of {', '.join(IMPORTERS)}",
        next_step=f"Did you mean {near!r}?" if near else None,
    )


def _engine_errors() -> Any:
    import duckdb

    return duckdb.Error
