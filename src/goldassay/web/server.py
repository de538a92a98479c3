"""Opening a study and serving it: the files, the store, the address, the process."""

from __future__ import annotations

import ipaddress
import logging
import os
import re
import secrets
import socket
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import narwhals as nw

from goldassay.errors import SourceError, TaskError, UsageError, shown
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.store import open_store
from goldassay.web.cases import Cases, Texts, cases_of, read_texts
from goldassay.web.desk import Desk, Settings
from goldassay.web.live import Live, Reporter
from goldassay.web.news import News
from goldassay.web.order import ByVerdict, Order, listed, shuffled
from goldassay.web.site import Site

__all__ = ["Address", "Study", "is_store", "link", "listen", "new_token", "open_site", "serve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What is served: where ratings, texts and labels are, and in which order units come."""

    ratings: str | None = None
    items: str | None = None
    labels: str | None = None
    #: plan | random | given, or the path of a list; "" means plan where it is valid, else random.
    order: str = ""
    judge: str = ""
    seed: int = 1

    @property
    def store(self) -> Path:
        """Where labels go: into the store itself, or beside the table."""
        if self.labels:
            return Path(self.labels)
        if self.ratings and is_store(self.ratings):
            return Path(self.ratings)
        beside = self.ratings or self.items
        if beside is None or any(sign in beside for sign in "*?[") or "::" in beside:
            raise UsageError(
                "--labels",
                "names the file in which labels are kept",
                next_step="Give --labels labels.db",
            )
        return Path(beside).with_suffix(".labels.db")


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
    if study.ratings is None and study.items is None:
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
            study.ratings or study.items or "",
            "holds no unit to label",
            next_step="Give --items FILE with an item on each line",
        )
    for name in settings.raters:
        if name in read.cases.judges:
            raise UsageError("--rater", "must not be a judge's name", found=shown(name))
    connection = open_store(store, create=True, any_thread=True)
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
    judged = study.ratings if study.ratings and is_store(study.ratings) else None
    if judged is None:
        return Site(desk, live)

    def again() -> None:
        found = _read(study, task, store, texts)
        live.adopt(found.table)
        desk.adopt(found.cases, found.order)

    news = News(Path(judged), again)
    desk.look = news.look
    return Site(desk, live, news)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the files say at a moment."""

    table: Ratings | None
    cases: Cases
    order: Order


def _read(study: Study, task: Task, store: Path, texts: Texts) -> _Read:
    table = _table(study, task, store)
    # The store's labels are read live; a table's human ratings are read once.
    own = study.ratings is not None and Path(study.ratings) == store
    cases = cases_of(table, people=not own) if table else texts.units()
    if table and own:
        judged = table.frame.filter(nw.col("kind") == nw.lit("judge"))
        table = replace(table, frame=judged)
    return _Read(table, cases, _order(study, task, cases))


def _table(study: Study, task: Task, store: Path) -> Ratings | None:
    """The ratings that there are before anybody labels here."""
    if study.ratings is None or (Path(study.ratings) == store and not _has_ratings(store)):
        return None
    return read_ratings(study.ratings, task)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where to listen. Anything but loopback needs `expose`, and the names it is known by."""

    host: str = "127.0.0.1"
    port: int = 0
    expose: bool = False
    names: tuple[str, ...] = ()

    def check(self) -> None:
        try:
            bound = ipaddress.ip_address(self.host)
        except ValueError:
            raise UsageError(
                "--host",
                "is an IP address",
                found=shown(self.host),
                next_step="Use 127.0.0.1, or ::1",
            ) from None
        if bound.is_loopback:
            return
        if not self.expose:
            raise UsageError(
                f"--host {self.host}",
                "opens this study to the network: whoever has the link can read every text and "
                "every judge's answer, and label, and the connection is not encrypted",
                next_step="If that is wanted, add --expose",
            )
        if bound.is_unspecified and not self.names:
            raise UsageError(
                f"--host {self.host}",
                "answers only to names that are given",
                next_step="Add --name 192.0.2.7, or the name by which this machine is reached",
            )

    def hosts(self, port: int) -> tuple[str, ...]:
        """The values of the Host header that are ours."""
        bound = ipaddress.ip_address(self.host)
        names = [*self.names]
        if bound.is_loopback:
            names += ["127.0.0.1", "localhost", "[::1]"]
        elif not bound.is_unspecified:
            names.append(f"[{bound}]" if bound.version == 6 else str(bound))
        return tuple(f"{name}:{port}" for name in names) + (tuple(names) if port == 80 else ())


def listen(address: Address) -> socket.socket:
    """A listening socket, so that the port is known and ours before the link is printed."""
    address.check()
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((address.host, address.port))
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise UsageError(
            f"{address.host}:{address.port}",
            f"cannot be listened on ({error.strerror})",
            next_step="Leave out --port and a free one is taken",
        ) from None
    sock.set_inheritable(True)
    return sock


def serve(site: Site, address: Address, sock: socket.socket, *, token: str) -> None:
    """Serve until interrupted. Nothing is lost by it: labels are on the disk already."""
    import uvicorn

    from goldassay.web.app import make_app

    port = sock.getsockname()[1]
    app: Any = make_app(site, token=token, hosts=address.hosts(port), cookie=f"goldassay-{port}")
    logging.basicConfig(format="goldassay serve: %(message)s")
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        limit_concurrency=100,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=16 * 1024,
    )
    with suppress(KeyboardInterrupt):  # uvicorn has shut down and passes the signal on
        uvicorn.Server(config).run(sockets=[sock])


def new_token(path: str | None = None) -> str:
    """A random token, or the one kept in a file that only its owner can read.

    With a file the link stays the same when the server is started again.
    """
    token = secrets.token_urlsafe(32)
    if path is None:
        return token
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = Path(path).read_text(encoding="ascii", errors="replace").strip()
        if not re.fullmatch(r"[A-Za-z0-9_-]{40,100}", kept):
            raise UsageError(
                "--token-file",
                "holds a token that goldassay wrote",
                found=path,
                next_step="Name a file that does not exist yet",
            ) from None
        if os.name == "posix" and Path(path).stat().st_mode & 0o077:
            raise UsageError(
                "--token-file",
                "must be readable by its owner only",
                found=path,
                next_step=f"Run: chmod 600 {path}",
            ) from None
        return kept
    except OSError as error:
        raise UsageError(
            "--token-file", f"cannot be written ({error.strerror})", found=path
        ) from None
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(token)
    return token


def link(address: Address, port: int, token: str) -> str:
    name = address.names[0] if address.names else address.host
    host = f"[{name}]" if ":" in name and not name.startswith("[") else name
    return f"http://{host}:{port}/?token={token}"
