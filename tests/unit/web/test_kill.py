"""Whatever the server acknowledged is on the disk, however it dies."""

from __future__ import annotations

import http.client
import random
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from patience import PATIENCE
from serving import Server
from studies import write_study


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_acknowledged_labels_survive_kills(tmp_path: Path, kills: int) -> None:
    files = write_study(tmp_path, n=2_000)
    server = Server([str(files.ratings), "--task", str(files.task), "--order", "given"]).start()
    acknowledged: list[tuple[str, str]] = []
    stop = threading.Event()

    def label(rater: str) -> None:
        while not stop.is_set():
            try:
                page = server.get(f"/label?rater={rater}").text
                key = page.split('name="unit" value="')[1][:16]
                item = page.split("<bdi>")[1].split("<")[0]
                fields = {"rater": rater, "unit": key, "choice": "0"}
                if server.post("/label", fields).status == 303:
                    acknowledged.append((rater, item))
            except (OSError, IndexError, http.client.HTTPException):
                time.sleep(0.05)  # it is down; the new one has another token

    threads = [threading.Thread(target=label, args=(name,)) for name in ("anna", "ben")]
    for thread in threads:
        thread.start()
    rng = random.Random(4)
    for _ in range(kills):
        before = len(acknowledged)
        while len(acknowledged) < before + 5:
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.3))
        server.kill()
        server.start()
    stop.set()
    for thread in threads:
        thread.join(PATIENCE)
    server.kill()
    with sqlite3.connect(files.labels) as store:
        kept = store.execute("SELECT rater, item FROM current_labels").fetchall()
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(acknowledged) >= 5 * kills
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))  # and none twice
    assert len(kept) - len(acknowledged) <= 2 * kills  # at most what was in flight
