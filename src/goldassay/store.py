"""The store: one SQLite file with judges' calls and people's labels, read as one ratings table.

`goldassay run` writes calls and verdicts, `goldassay serve` writes labels; the view `ratings` is
the union of both, with the columns of the ratings table. The file is in WAL mode with full
synchronisation: what a commit has returned for is on the disk, and readers never wait for writers.

    judges    definitions that were run, with the digest of the program that answers where there
              is one; the newest of a name is the current one
    slots     what was asked for: a definition, a unit, a sample, an order -> the key of a call
    calls     one row per key: the raw response or the failure, tokens, cost, latency, attempts
    verdicts  what the parser read in a call's response (written again by `goldassay reparse`)
    attempts  tries that did not give a response, with the reason
    claims    keys that a live run is asking for now
    runs      one row per process that worked on the store
    labels    people's ratings; append-only, a revision or an undo is a row that supersedes another;
              of kind `reference`, what was resolved where people differ
    flags     units that a rater wants to talk about; append-only, the newest row holds
    batches   batch files at a provider, so that an interrupted batch is found again
    endpoints what an endpoint was found to offer
    monitors  how a monitor was begun; monitored is what it has seen, append-only: a row for each
              batch, rater and criterion that a look added; monitored_judges says who a judge is
"""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

from goldassay.errors import SourceError
from goldassay.frozen import dataclass

__all__ = [
    "SCHEMA_VERSION",
    "Label",
    "add_flag",
    "add_label",
    "add_labels",
    "check_sides",
    "is_store",
    "is_store_file",
    "judges_run",
    "now",
    "open_store",
    "store_errors",
    "transaction",
    "undo_label",
    "used_columns",
]

#: Marks a SQLite file as goldassay's ("gold" in ASCII), so that no other database is written to.
APPLICATION_ID = 0x676F6C64
#: The mark of stores from before the product had its name; nothing was released under the old one.
_EARLIER_ID = 0x6B726174

_VERSION_1 = """
CREATE TABLE judges (
  judge INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, definition TEXT NOT NULL,
  current INTEGER NOT NULL, time TEXT NOT NULL, UNIQUE (name, digest));
CREATE TABLE slots (
  slot INTEGER PRIMARY KEY, judge INTEGER NOT NULL REFERENCES judges, item TEXT NOT NULL,
  criterion TEXT NOT NULL, system TEXT NOT NULL, opponent TEXT NOT NULL, sample INTEGER NOT NULL,
  "order" TEXT NOT NULL, elicitation TEXT NOT NULL, prompt TEXT NOT NULL, cluster TEXT NOT NULL,
  stratum TEXT NOT NULL, split TEXT NOT NULL, weight TEXT NOT NULL, key TEXT NOT NULL,
  run INTEGER NOT NULL, UNIQUE (judge, item, criterion, system, opponent, sample, "order"));
CREATE INDEX slots_key ON slots (key);
CREATE TABLE calls (
  call INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, judge INTEGER NOT NULL, form TEXT NOT NULL,
  response TEXT, quoted TEXT, failure TEXT, http_status INTEGER, model TEXT, prompt_tokens INTEGER,
  completion_tokens INTEGER, cost REAL, latency REAL, criteria INTEGER NOT NULL,
  attempt INTEGER NOT NULL, time TEXT NOT NULL, run INTEGER NOT NULL);
CREATE TABLE verdicts (
  key TEXT NOT NULL, criterion TEXT NOT NULL, status TEXT NOT NULL, value TEXT, score REAL,
  reason TEXT, parser INTEGER NOT NULL, PRIMARY KEY (key, criterion)) WITHOUT ROWID;
CREATE TABLE attempts (
  attempt INTEGER PRIMARY KEY, key TEXT NOT NULL, number INTEGER NOT NULL, failure TEXT NOT NULL,
  http_status INTEGER, latency REAL, time TEXT NOT NULL, run INTEGER NOT NULL);
CREATE TABLE claims (
  key TEXT PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
  run INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, process TEXT NOT NULL,
  command TEXT NOT NULL, started TEXT NOT NULL, beat TEXT NOT NULL, ended TEXT, outcome TEXT,
  summary TEXT);
CREATE TABLE batches (
  batch TEXT PRIMARY KEY, judge INTEGER NOT NULL, remote TEXT, requests INTEGER NOT NULL,
  time TEXT NOT NULL, collected TEXT);
CREATE TABLE batch_keys (
  batch TEXT NOT NULL, key TEXT NOT NULL, form TEXT NOT NULL, texts TEXT NOT NULL,
  PRIMARY KEY (batch, key));
CREATE INDEX batch_keys_key ON batch_keys (key);
CREATE TABLE endpoints (
  endpoint TEXT NOT NULL, model TEXT NOT NULL, capabilities TEXT NOT NULL, time TEXT NOT NULL,
  PRIMARY KEY (endpoint, model));
CREATE TABLE labels (
  label INTEGER PRIMARY KEY, item TEXT NOT NULL, rater TEXT NOT NULL, criterion TEXT NOT NULL,
  system TEXT NOT NULL, opponent TEXT NOT NULL, sample TEXT NOT NULL, elicitation TEXT NOT NULL,
  "order" TEXT NOT NULL, status TEXT NOT NULL, value TEXT, score REAL, comment TEXT NOT NULL,
  prompt TEXT NOT NULL, cluster TEXT NOT NULL, stratum TEXT NOT NULL, split TEXT NOT NULL,
  weight TEXT NOT NULL, seconds REAL, time TEXT NOT NULL,
  supersedes INTEGER UNIQUE REFERENCES labels,
  CHECK (status IN ('rated', 'abstained', 'invalid', 'failed', 'undone')),
  CHECK (status <> 'rated' OR value IS NOT NULL));
CREATE INDEX labels_unit ON labels (item, rater, criterion);
CREATE TRIGGER labels_are_kept BEFORE DELETE ON labels
  BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END;
CREATE TRIGGER labels_are_final BEFORE UPDATE ON labels
  BEGIN SELECT RAISE(ABORT, 'labels are append-only'); END;
CREATE VIEW current_labels AS
  SELECT * FROM labels AS l WHERE status <> 'undone'
    AND NOT EXISTS (SELECT 1 FROM labels AS later WHERE later.supersedes = l.label);
CREATE VIEW ratings AS
  SELECT s.item AS item, j.name AS rater, 'judge' AS kind, v.value AS value,
    nullif(s.criterion, '') AS criterion, nullif(s.system, '') AS system,
    nullif(s.opponent, '') AS opponent, nullif(s.prompt, '') AS prompt,
    nullif(s.cluster, '') AS cluster, nullif(s.stratum, '') AS stratum,
    CAST(s.sample AS TEXT) AS sample, nullif(s.split, '') AS split,
    nullif(s.elicitation, '') AS elicitation, v.score AS score, v.status AS status,
    nullif(s.weight, '') AS weight, c.time AS time, nullif(s."order", '') AS "order",
    v.reason AS reason, c.model AS model, c.cost / c.criteria AS cost, c.latency AS latency
  FROM slots AS s JOIN judges AS j ON j.judge = s.judge AND j.current
    JOIN verdicts AS v ON v.key = s.key AND v.criterion = s.criterion
    JOIN calls AS c ON c.key = s.key
  UNION ALL
  SELECT item, rater, 'human', value, nullif(criterion, ''), nullif(system, ''),
    nullif(opponent, ''), nullif(prompt, ''), nullif(cluster, ''), nullif(stratum, ''),
    nullif(sample, ''), nullif(split, ''), nullif(elicitation, ''), score, status,
    nullif(weight, ''), time, nullif("order", ''), nullif(comment, ''), NULL, NULL, seconds
  FROM current_labels;
"""


def _first(connection: sqlite3.Connection) -> None:
    """Version 1: the tables and views."""
    _all(connection, _VERSION_1)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _all(connection: sqlite3.Connection, statements: str) -> None:
    """Several statements within the transaction that is open (`executescript` would end it)."""
    statement = ""
    for line in statements.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def _source_of_judges(connection: sqlite3.Connection) -> None:
    """Version 2: the program behind a judge tells two definitions apart; '' where none is known."""
    connection.execute("ALTER TABLE judges ADD COLUMN source TEXT NOT NULL DEFAULT ''")


_VERSION_3 = """
ALTER TABLE labels ADD COLUMN kind TEXT NOT NULL DEFAULT 'human';
CREATE TABLE flags (
  flag INTEGER PRIMARY KEY, rater TEXT NOT NULL, item TEXT NOT NULL, criterion TEXT NOT NULL,
  system TEXT NOT NULL, opponent TEXT NOT NULL, raised INTEGER NOT NULL, time TEXT NOT NULL);
DROP VIEW ratings;
DROP VIEW current_labels;
CREATE VIEW current_labels AS
  SELECT * FROM labels AS l WHERE status <> 'undone'
    AND NOT EXISTS (SELECT 1 FROM labels AS later WHERE later.supersedes = l.label);
"""


def _resolutions_and_flags(connection: sqlite3.Connection) -> None:
    """Version 3: what was resolved where people differ is a label of another kind; flags."""
    labels = "\n  SELECT item, rater, 'human', value"
    view = _VERSION_1[_VERSION_1.index("CREATE VIEW ratings") :]
    _all(connection, _VERSION_3 + view.replace(labels, labels.replace("'human'", "kind")))


_VERSION_4 = """
CREATE TABLE monitors (
  monitor INTEGER PRIMARY KEY CHECK (monitor = 1), settings TEXT NOT NULL, time TEXT NOT NULL);
CREATE TABLE monitored_judges (
  rater TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (rater, field));
CREATE TABLE monitored (
  part INTEGER PRIMARY KEY, batch TEXT NOT NULL, rater TEXT NOT NULL, kind INTEGER NOT NULL,
  criterion TEXT NOT NULL, rows INTEGER NOT NULL, cells BLOB NOT NULL, time TEXT NOT NULL);
CREATE TRIGGER monitored_is_kept BEFORE DELETE ON monitored
  BEGIN SELECT RAISE(ABORT, 'what was monitored is append-only'); END;
CREATE TRIGGER monitored_is_final BEFORE UPDATE ON monitored
  BEGIN SELECT RAISE(ABORT, 'what was monitored is append-only'); END;
"""


def _monitoring(connection: sqlite3.Connection) -> None:
    """Version 4: what a monitor has seen, batch by batch, and how it was begun."""
    _all(connection, _VERSION_4)


def _sides_shown(connection: sqlite3.Connection) -> None:
    """Version 5: which two answers of a pair were shown, left and right; '' where none were."""
    found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
    views = dict(found.fetchall())
    for name in ("ratings", "current_labels"):
        connection.execute(f"DROP VIEW {name}")
    connection.execute("ALTER TABLE labels ADD COLUMN sides TEXT NOT NULL DEFAULT ''")
    for name in ("current_labels", "ratings"):
        connection.execute(views[name])


#: What makes a store of version n out of one of version n - 1, in order. A new store is made by all
#: of them, so that it is the same as one that was brought up to date. A step that was ever released
#: is never changed: add another.
STEPS: Sequence[Callable[[sqlite3.Connection], None]] = (
    _first,
    _source_of_judges,
    _resolutions_and_flags,
    _monitoring,
    _sides_shown,
)
SCHEMA_VERSION = len(STEPS)


def now() -> str:
    """The time as the store writes it: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextmanager
def store_errors(path: str | Path) -> Iterator[None]:
    """SQLite's errors as one clear message. What was committed before the error is kept."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explained(path, error) from error
    except UnicodeDecodeError:  # SQLite's own message quotes what is broken
        raise _damaged(path, "broken text") from None
    except OSError as error:
        reason = error.strerror or error
        raise SourceError(str(path), f"the store cannot be opened ({reason})") from None


def _damaged(path: str | Path, reason: str) -> SourceError:
    return SourceError(
        str(path),
        f"is not a readable SQLite file ({reason})",
        next_step="Give another file for the store, or restore this one from a copy",
    )


def _explained(path: str | Path, error: sqlite3.Error) -> SourceError:
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the primary code
    place = str(path)
    kept = "What was stored is kept; run the same command again to go on"
    if code == sqlite3.SQLITE_FULL:
        return SourceError(place, "the disk is full", next_step=f"Free some space. {kept}")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return SourceError(
            place,
            f"the store cannot be written ({error})",
            next_step="Give a path in a directory that exists and may be written to",
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return _damaged(path, str(error))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return SourceError(
            place, "another process has kept the store locked for a minute", next_step=kept
        )
    if code == sqlite3.SQLITE_IOERR:
        return SourceError(place, f"reading or writing failed ({error})", next_step=kept)
    return SourceError(place, f"the store gave an error ({error})", next_step=kept)


def open_store(
    path: str | Path, *, create: bool = False, any_thread: bool = False
) -> sqlite3.Connection:
    """Open a store; with `create`, make it where there is none.

    Transactions are explicit (`transaction`). `any_thread` allows use from another thread than the
    opener's, one at a time.
    """
    path = Path(path)
    if "\0" in str(path):
        raise SourceError(str(path), "the name of a store holds no NUL")
    with store_errors(path):
        if not create and not path.exists():
            raise SourceError(
                str(path),
                "there is no such store",
                next_step="Give the file that goldassay run or goldassay serve wrote",
            )
        connection = sqlite3.connect(
            path, timeout=60, isolation_level=None, check_same_thread=not any_thread
        )
        try:
            connection.execute("PRAGMA busy_timeout = 60000")
            _prepare(connection, path, create=create)
        except BaseException:
            connection.close()
            raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, *, create: bool) -> None:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    empty = not tables and not _version(connection)
    if not is_store(connection, path) and not (empty and create):
        raise SourceError(
            str(path),
            "is not a store made by goldassay, and is left as it is",
            next_step="Give another path, or read it as a table of ratings",
        )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = OFF")  # keys are checked where they are written
    while _version(connection) < SCHEMA_VERSION:
        with transaction(connection):
            version = _version(connection)  # another process may have done it while we waited
            if version < SCHEMA_VERSION:
                STEPS[version](connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def is_store(connection: sqlite3.Connection, path: str | Path) -> bool:
    """Whether a SQLite file was made by goldassay; a store that this one cannot read is refused."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    if mark == _EARLIER_ID:
        raise SourceError(
            str(path),
            "is a store from before goldassay had its name, and is not read any more",
            next_step="Make it again with goldassay run or goldassay serve",
        )
    if mark == APPLICATION_ID and (version := _version(connection)) > SCHEMA_VERSION:
        raise SourceError(
            str(path),
            f"was written by a newer goldassay (store version {version}, this one reads "
            f"{SCHEMA_VERSION})",
            next_step="Upgrade goldassay",
        )
    return bool(mark == APPLICATION_ID)


def is_store_file(path: str | Path) -> bool:
    """Whether an ordinary file is marked as a store of goldassay's own."""
    try:
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as stream:
            head = stream.read(72)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return False
    mark = APPLICATION_ID.to_bytes(4, "big")
    return head.startswith(b"SQLite format 3\0") and head[68:72] == mark


def check_sides(connection: sqlite3.Connection, path: str | Path) -> None:
    """Refuse labels of pairs of which it is not known what was shown: they may be the opposite of
    what was chosen."""
    known = "sides" in {row[1] for row in connection.execute("PRAGMA table_info(labels)")}
    (number,) = connection.execute(
        "SELECT count(*) FROM current_labels WHERE \"order\" <> ''"
        + (" AND sides = ''" if known else "")
    ).fetchone()
    if number:
        raise SourceError(
            str(path),
            "a label of a pair says which two answers were shown, left and right",
            found=f"{number:,} that may be the opposite of what was chosen",
            next_step="Label these pairs again with goldassay serve and another store, as --labels "
            "new.labels.db. Were both answers on the page (the items had the fields output and "
            "output_b), the labels are right: write them out and read that, goldassay export "
            f"{shlex.quote(str(path))} --sides output,output_b --out labels.jsonl",
        )


def judges_run(path: str | Path) -> tuple[str, ...]:
    """The judges whose calls a file holds; none where it is no store of goldassay's own."""
    if not is_store_file(path):
        return ()
    with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)) as store:
        rows = store.execute(
            "SELECT DISTINCT j.name FROM slots AS s JOIN judges AS j ON j.judge = s.judge"
        )
        return tuple(row[0] for row in rows)


def used_columns(connection: sqlite3.Connection) -> list[str]:
    """The columns of `ratings` that hold something: the view has them all, a table its own."""
    names = [row[1] for row in connection.execute("PRAGMA table_info(ratings)")]
    held = connection.execute(
        f"SELECT {', '.join(f'max({chr(34)}{name}{chr(34)} IS NOT NULL)' for name in names)}"
        " FROM ratings"
    ).fetchone()
    needed = ("item", "rater", "kind", "value", "status")
    return [name for name, any_ in zip(names, held, strict=True) if any_ or name in needed]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; when it returns, the change is on the disk."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One person's rating of one unit. Empty text means that the column does not apply.

    In a pairwise task the value speaks of `system` and `opponent` whichever was shown first;
    `order` is `system_first` or `opponent_first`, and `sides` the fields that were shown, in JSON:
    the left one's and the right one's. A response set joins its options with the task's
    separator. `seconds` is how long the person took. A label of kind `reference` is what was
    resolved where people differ: a unit has one, whoever made it, and its comment says why.
    """

    item: str
    rater: str
    value: str | None = None
    status: str = "rated"
    criterion: str = ""
    system: str = ""
    opponent: str = ""
    sample: str = ""
    elicitation: str = ""
    order: str = ""
    score: float | None = None
    comment: str = ""
    prompt: str = ""
    cluster: str = ""
    stratum: str = ""
    split: str = ""
    weight: str = ""
    seconds: float | None = None
    kind: str = "human"
    sides: str = ""


_LABEL_COLUMNS = tuple(spec.name for spec in fields(Label))
_UNIT = ("item", "kind", "criterion", "system", "opponent", "sample", "elicitation", "rater")


def add_label(connection: sqlite3.Connection, label: Label, *, time: str | None = None) -> int:
    """Append a label and return its number. The rater's earlier label of the unit is superseded."""
    return add_labels(connection, [label], time=time)[0]


def add_labels(
    connection: sqlite3.Connection, labels: Sequence[Label], *, time: str | None = None
) -> list[int]:
    """Append labels that were given together: all of them, at one time, or none."""
    time, numbers = time or now(), []
    with transaction(connection):
        for label in labels:
            # One resolution stands for a unit, and one label for a unit and a rater.
            names = _UNIT[:-1] if label.kind == "reference" else _UNIT
            unit = " AND ".join(f"{column} = ?" for column in names)
            earlier = connection.execute(
                f"SELECT label FROM current_labels WHERE {unit} ORDER BY label DESC LIMIT 1",
                [getattr(label, column) for column in names],
            ).fetchone()
            numbers.append(_append(connection, label, time, earlier[0] if earlier else None))
    return numbers


def add_flag(connection: sqlite3.Connection, rater: str, unit: Sequence[str], raised: bool) -> None:
    """Mark a unit (item, criterion, system, opponent) for discussion, or take the mark away."""
    with transaction(connection):
        connection.execute(
            "INSERT INTO flags (rater, item, criterion, system, opponent, raised, time) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [rater, *unit, int(raised), now()],
        )


def undo_label(
    connection: sqlite3.Connection, number: int, *, time: str | None = None
) -> int | None:
    """Withdraw a current label by a superseding row; None when it is not current (any more)."""
    columns = ", ".join(f'"{column}"' for column in _LABEL_COLUMNS)
    with transaction(connection):
        row = connection.execute(
            f"SELECT {columns} FROM current_labels WHERE label = ?", [number]
        ).fetchone()
        if row is None:
            return None
        values = dict(zip(_LABEL_COLUMNS, row, strict=True))
        label = Label(**{**values, "status": "undone"})
        return _append(connection, label, time or now(), number)


def _append(connection: sqlite3.Connection, label: Label, time: str, supersedes: int | None) -> int:
    columns = ", ".join(f'"{column}"' for column in (*_LABEL_COLUMNS, "time", "supersedes"))
    marks = ", ".join("?" * (len(_LABEL_COLUMNS) + 2))
    values = [getattr(label, column) for column in _LABEL_COLUMNS]
    cursor = connection.execute(
        f"INSERT INTO labels ({columns}) VALUES ({marks})", [*values, time, supersedes]
    )
    number = cursor.lastrowid
    assert number is not None
    return number
