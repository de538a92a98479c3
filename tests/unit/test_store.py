"""The store: creation, refusal of foreign files, labels with revisions and undo, the view."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from goldassay.errors import SourceError
from goldassay.sources import open_source
from goldassay.store import Label, add_label, open_store, transaction, undo_label, used_columns


def _ratings(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT item, rater, kind, value, criterion, status FROM ratings ORDER BY item, rater"
    ).fetchall()


def test_a_label_is_a_rating_of_a_human(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    add_label(store, Label(item="q1", rater="ann", value="MET", criterion="correct"))
    assert _ratings(store) == [("q1", "ann", "human", "MET", "correct", "rated")]
    store.close()


def test_a_second_label_of_the_unit_supersedes_the_first_and_undo_withdraws_it(
    tmp_path: Path,
) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    add_label(store, Label(item="q1", rater="ann", value="MET"))
    second = add_label(store, Label(item="q1", rater="ann", value="UNMET"))
    add_label(store, Label(item="q1", rater="bob", value="MET"))
    assert [row[3] for row in _ratings(store)] == ["UNMET", "MET"]
    assert undo_label(store, second) is not None
    assert undo_label(store, second) is None  # only once
    assert [row[1] for row in _ratings(store)] == ["bob"]
    add_label(store, Label(item="q1", rater="ann", value="MET"))
    assert [row[1] for row in _ratings(store)] == ["ann", "bob"]
    assert store.execute("SELECT count(*) FROM labels").fetchone() == (5,)
    store.close()


@pytest.mark.parametrize("change", ["DELETE FROM labels", "UPDATE labels SET value = 'x'"])
def test_labels_are_append_only(tmp_path: Path, change: str) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    add_label(store, Label(item="q1", rater="ann", value="MET"))
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        store.execute(change)
    store.close()


def test_forced_choice_and_response_set_of_one_unit_are_two_labels(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    add_label(store, Label(item="q1", rater="ann", value="A", elicitation="forced_choice"))
    add_label(store, Label(item="q1", rater="ann", value="A|B", elicitation="response_set"))
    assert len(_ratings(store)) == 2
    store.close()


def test_no_label_is_rated_without_a_value(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    with pytest.raises(sqlite3.IntegrityError):
        add_label(store, Label(item="q1", rater="ann"))
    add_label(store, Label(item="q1", rater="ann", status="abstained"))
    assert _ratings(store)[0][3:] == (None, None, "abstained")
    store.close()


def test_a_judges_verdict_is_a_rating_of_the_current_definition_only(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    with transaction(store):
        for judge, current in ((1, 0), (2, 1)):
            store.execute(
                "INSERT INTO judges VALUES (?, 'tiny', ?, '{}', ?, 't', '')",
                [judge, judge, current],
            )
            store.execute(
                "INSERT INTO slots VALUES (NULL, ?, 'q1', '', 's1', '', 1, '', '', '', '', '', '',"
                " '', ?, 1)",
                [judge, f"k{judge}"],
            )
            store.execute(
                "INSERT INTO calls VALUES (NULL, ?, ?, '{}', '{}', NULL, NULL, 200, 'm', 1, 1, 0.1,"
                " 0.2, 1, 1, 't', 1)",
                [f"k{judge}", judge],
            )
            store.execute(
                "INSERT INTO verdicts VALUES (?, '', 'rated', ?, NULL, NULL, 1)",
                [f"k{judge}", f"v{judge}"],
            )
    assert _ratings(store) == [("q1", "tiny", "judge", "v2", None, "rated")]
    store.close()


def test_foreign_and_broken_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    other = sqlite3.connect(foreign)
    other.execute("CREATE TABLE mine (x)")
    other.commit()
    other.close()
    with pytest.raises(SourceError, match="not a store made by goldassay"):
        open_store(foreign, create=True)
    text = tmp_path / "text.db"
    text.write_text("item,rater,value\n" * 100)
    with pytest.raises(SourceError, match="not a readable SQLite file"):
        open_store(text, create=True)
    assert text.read_text().startswith("item,rater")
    with pytest.raises(SourceError, match="no such store"):
        open_store(tmp_path / "absent.db")
    with pytest.raises(SourceError, match="cannot be written"):
        open_store(tmp_path / "no" / "dir" / "r.db", create=True)


def test_a_store_of_a_newer_goldassay_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    store.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(SourceError, match="newer goldassay"):
        open_store(tmp_path / "r.db")


def test_columns_that_hold_nothing_are_not_read(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    assert used_columns(store) == ["item", "rater", "kind", "value", "status"]
    add_label(store, Label(item="q1", rater="ann", value="MET", prompt="p1"))
    store.close()
    opened = open_source(str(tmp_path / "r.db"))
    assert "prompt" in opened.columns
    assert "cluster" not in opened.columns
