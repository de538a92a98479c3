"""While another process keeps the store locked, labels wait for it and pages do not."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from patience import PATIENCE
from serving import Answer, Server, served
from studies import write_study

from goldassay.web.app import SAVES


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """What a long write of another process does."""
    other = sqlite3.connect(store, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def unit_of(page: str) -> str:
    return page.split('name="unit" value="')[1].split('"', maxsplit=1)[0]


def test_a_locked_store_holds_no_page(tmp_path: Path) -> None:
    files = write_study(tmp_path, n=12)
    with served(files.ratings, files.task, files.items) as server:
        units = {f"rater {k}": unit_of(server.get(f"/label?rater=rater+{k}").text) for k in "abc"}
        saved: dict[str, Answer] = {}
        others = [f"rater {k}" for k in range(2, SAVES + 2)]  # more than there are threads for it
        with locked(files.labels):
            threads = [
                threading.Thread(target=save, args=(server, saved, name, units["rater a"]))
                for name in (*units, *others)
            ]
            for thread in threads:
                thread.start()
            time.sleep(1)  # all of them wait now
            for path in ("/", "/label?rater=rater+b", "/watch", "/explore", "/version"):
                assert server.get(path).status == 200
            assert server.get("/export/labels.csv").status == 200
            # Saves give up after 60 s: had a page waited for the lock, they would have answered.
            assert not saved
        for thread in threads:
            thread.join(PATIENCE)
        assert {answer.status for answer in saved.values()} == {303}
        assert len(saved) == len(threads)
        assert server.get("/export/labels.jsonl").text.count("\n") == len(threads)


def save(server: Server, saved: dict[str, Answer], name: str, unit: str) -> None:
    saved[name] = server.post("/label", {"rater": name, "unit": unit, "choice": "0"})


def test_the_same_label_twice_at_once_is_one(tmp_path: Path) -> None:
    """A page that sends again what it is not sure of: one label, whatever waits where."""
    files = write_study(tmp_path, n=3)
    with served(files.ratings, files.task, files.items) as server:
        unit = unit_of(server.get("/label?rater=anna").text)
        saved: dict[str, Answer] = {}
        with locked(files.labels):
            threads = [
                threading.Thread(
                    target=lambda k=k: saved.update(
                        {k: server.post("/label", {"rater": "anna", "unit": unit, "choice": "1"})}
                    )
                )
                for k in "xyz"
            ]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
        for thread in threads:
            thread.join(PATIENCE)
        assert [answer.status for answer in saved.values()] == [303, 303, 303]
    with sqlite3.connect(files.labels) as connection:
        assert connection.execute("SELECT count(*) FROM labels").fetchone() == (1,)
    connection.close()
