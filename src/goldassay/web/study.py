"""Opening a study: the files, the store, the order of the units."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import narwhals as nw

from goldassay.errors import SourceError, TaskError, UsageError, shown
from goldassay.frozen import dataclass
from goldassay.ratings.narrowing import Narrowing
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.store import check_sides, open_store, store_errors
from goldassay.web.cases import Cases, Texts, cases_of, read_texts
from goldassay.web.desk import Desk, Settings
from goldassay.web.live import Live, Reporter
from goldassay.web.news import News
from goldassay.web.order import ByVerdict, Order, listed, shuffled
from goldassay.web.raters import alike, checked
from goldassay.web.site import Site

__all__ = ["Study", "is_store", "open_site"]

#: Endings of the files of a folder that are tables of ratings.
TABLES = frozenset(
    {".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".db", ".sqlite", ".duckdb"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is served: where ratings, texts and labels are, and in which order units come."""

    #: Files, globs or folders that are one table.
    ratings: str | tuple[str, ...] | None = None
    items: str | None = None
    labels: str | None = None
    #: plan | random | given, or the path of a list; "" means plan where it is valid, else random.
    order: str = ""
    judge: str = ""
    seed: int = 1
    #: Which rows of the tables are looked at; labels that are given here are of what is left.
    narrowing: Narrowing | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The files of ratings, those of a folder one by one."""
        given = (self.ratings,) if isinstance(self.ratings, str) else self.ratings or ()
        return tuple(file for one in given for file in _files(one))

    @property
    def journal(self) -> str | None:
        """The store of `goldassay run` among the ratings, where there is just one."""
        stores = [one for one in self.sources if is_store(one)]
        return stores[0] if len(stores) == 1 else None

    @property
    def store(self) -> Path:
        """Where labels go: into the store itself where it is all there is, or beside the table."""
        if self.labels:
            return Path(self.labels)
        given = self.sources
        if given == (self.journal,):
            return Path(given[0])
        beside = given[0] if given else self.items
        if beside is None or any(sign in beside for sign in "*?[") or "::" in beside:
            raise UsageError(
                "--labels",
                "names the file in which labels are kept",
                next_step="Give --labels labels.db",
            )
        return Path(beside).with_suffix(".labels.db")


def _files(given: str) -> list[str]:
    """The tables of a folder, or what is given; labels that were made here are read live."""
    folder = Path(given)
    if not folder.is_dir():
        return [given]
    found = sorted(
        str(path)
        for path in folder.iterdir()
        if path.is_file()
        and path.suffix.lower() in TABLES
        and not path.name.endswith(".labels.db")
        and path.stem != "items"
    )
    if not found:
        raise SourceError(given, "is a folder without a table of ratings")
    return found


def is_store(path: str) -> bool:
    """Whether a file is a store of goldassay's own."""
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(72)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and head[68:72] == b"gold"


def open_site(
    study: Study, task: Task, settings: Settings, *, reporter: Reporter | None = None
) -> Site:
    """Read the ratings and texts, open the store, lay out the units."""
    if not study.sources and study.items is None:
        raise UsageError(
            "goldassay serve",
            "needs ratings, or items to label",
            next_step="Give RATINGS, or --items FILE",
        )
    store = study.store
    texts = read_texts(study.items) if study.items else Texts()
    read = _read(study, task, store, texts)
    if not read.cases.units:
        raise SourceError(
            ", ".join(study.sources) or study.items or "",
            "holds no unit to label",
            next_step="Give --items FILE with an item on each line",
        )
    settings = replace(settings, raters=_raters(settings.raters, read.cases.judges))
    connection = open_store(store, create=True, any_thread=True)
    with store_errors(store):
        check_sides(connection, store)
    drawn = study.order in ("", "plan", "random")
    desk = Desk(
        task,
        read.cases,
        connection,
        texts=texts,
        order=read.order,
        settings=replace(settings, drawn=drawn),
    )
    live = Live(task, store=store, table=read.table, reporter=reporter)
    judged = study.journal
    if judged is None:
        return Site(desk, live)

    def again() -> None:
        found = _read(study, task, store, texts)
        live.adopt(found.table)
        desk.adopt(found.cases, found.order)

    news = News(Path(judged), again)
    desk.look = news.look
    return Site(desk, live, news)


def _raters(names: tuple[str, ...], judges: tuple[str, ...]) -> tuple[str, ...]:
    """The names that may label, as they are stored."""
    found = tuple(dict.fromkeys(checked(name) for name in names))
    for name in found:
        if name in judges:
            raise UsageError("--rater", "must not be a judge's name", found=shown(name))
    for one, other in combinations(found, 2):
        if alike(one, other):
            raise UsageError(
                "--rater", "names must not look alike", found=f"{shown(one)} and {shown(other)}"
            )
    return found


@dataclass(frozen=True, slots=True)
class _Read:
    """What the files say at a moment."""

    table: Ratings | None
    cases: Cases
    order: Order


def _read(study: Study, task: Task, store: Path, texts: Texts) -> _Read:
    table = _table(study, task, store)
    # The store's labels are read live; a table's human ratings are read once.
    own = study.sources == (str(store),)
    cases = cases_of(table, people=not own) if table else texts.units()
    if table and own:
        judged = table.frame.filter(nw.col("kind") == nw.lit("judge"))
        table = replace(table, frame=judged)
    return _Read(table, cases, _order(study, task, cases))


def _table(study: Study, task: Task, store: Path) -> Ratings | None:
    """The ratings that there are before anybody labels here."""
    found = [one for one in study.sources if Path(one) != store or _has_ratings(store)]
    if not found:
        return None
    return read_ratings(found[0] if len(found) == 1 else found, task, study.narrowing)


def _has_ratings(store: Path) -> bool:
    connection = sqlite3.connect(f"{store.resolve().as_uri()}?mode=ro", uri=True)
    try:
        return connection.execute("SELECT 1 FROM ratings LIMIT 1").fetchone() is not None
    finally:
        connection.close()


def _order(study: Study, task: Task, cases: Cases) -> Order:
    judge = study.judge or (cases.judges[0] if cases.judges else "")
    if study.judge and study.judge not in cases.judges:
        raise UsageError(
            "--judge",
            "must be a judge of the ratings",
            found=shown(study.judge),
            next_step=f"They are: {', '.join(cases.judges)}",
        )
    planned = task.scale == "binary" and task.calibration == "by_verdict" and bool(judge)
    order = study.order or ("plan" if planned else "random")
    if order == "plan":
        if task.scale != "binary":
            raise TaskError(
                "--order plan",
                "is for a binary task",
                found=f"scale = {task.scale!r}",
                next_step="Use --order random, or a list",
            )
        planner = ByVerdict(cases, task, judge=judge, seed=study.seed)
        return Order(tuple(cases.units), planner)
    if order == "random":
        return Order(tuple(shuffled(cases.units, seed=study.seed)))
    if order == "given":
        return Order(tuple(cases.units))
    return Order(tuple(listed(order, cases)))
