"""The store: creation, refusal of foreign files, labels with revisions and undo, the view."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from goldassay.errors import SourceError
from goldassay.sources.frames import open_source
from goldassay.store import (
    SCHEMA_VERSION,
    STEPS,
    Label,
    add_label,
    open_store,
    transaction,
    undo_label,
    used_columns,
)


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
    for opened in (open_store, open_source):
        with pytest.raises(SourceError, match="newer goldassay"):
            opened(str(tmp_path / "r.db"))


def test_a_store_from_before_the_product_had_its_name_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    store.execute(f"PRAGMA application_id = {0x6B726174}")
    store.close()
    for opened in (open_store, open_source):
        with pytest.raises(SourceError, match="before goldassay had its name") as told:
            opened(str(tmp_path / "r.db"))
        assert "Make it again" in str(told.value)
        assert "\n" not in str(told.value)


def test_an_empty_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "r.db")
    other.execute("PRAGMA user_version = 7")
    other.close()
    with pytest.raises(SourceError, match="not a store made by goldassay"):
        open_store(tmp_path / "r.db", create=True)


# --- versions


def _of_version(path: Path, version: int) -> sqlite3.Connection:
    """A store as the goldassay of that version made it."""
    connection = sqlite3.connect(path, isolation_level=None)
    for number, step in enumerate(STEPS[:version], start=1):
        step(connection)
        connection.execute(f"PRAGMA user_version = {number}")
    return connection


def _tables(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {name: connection.execute(f"PRAGMA table_info({name})").fetchall() for (name,) in names}


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_an_old_store_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    old = _of_version(tmp_path / "old.db", version)
    blank = "criterion system opponent sample elicitation order comment prompt cluster stratum"
    names = [*blank.split(), "split", "weight", "time"]
    columns = ", ".join(f'"{name}"' for name in names)
    old.execute(
        f"INSERT INTO labels (item, rater, value, status, {columns}) "
        f"VALUES ('q1', 'ann', 'MET', 'rated', {', '.join(['?'] * len(names))})",
        [""] * len(names),
    )
    old.close()
    store, new = open_store(tmp_path / "old.db"), open_store(tmp_path / "new.db", create=True)
    assert _ratings(store) == [("q1", "ann", "human", "MET", None, "rated")]
    assert store.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert _tables(store) == _tables(new)
    store.close()
    new.close()


def test_a_judge_of_version_1_has_an_unknown_source(tmp_path: Path) -> None:
    old = _of_version(tmp_path / "r.db", 1)
    old.execute("INSERT INTO judges VALUES (1, 'tiny', 'd', '{}', 1, 't')")
    old.close()
    store = open_store(tmp_path / "r.db")
    assert store.execute("SELECT name, digest, source FROM judges").fetchall() == [
        ("tiny", "d", "")
    ]
    store.close()


def test_a_step_is_done_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise sqlite3.OperationalError("the disk went away")

    _of_version(tmp_path / "r.db", 1).close()
    with monkeypatch.context() as patch:
        patch.setattr("goldassay.store.STEPS", (*STEPS[:1], dies))
        with pytest.raises(SourceError, match="the disk went away"):
            open_store(tmp_path / "r.db")
    left = sqlite3.connect(tmp_path / "r.db")
    assert left.execute("PRAGMA user_version").fetchone() == (1,)
    assert "half" not in _tables(left)
    left.close()
    open_store(tmp_path / "r.db").close()


def test_many_who_open_an_old_store_at_once_bring_it_up_to_date_once(tmp_path: Path) -> None:
    _of_version(tmp_path / "r.db", 1).close()
    with ThreadPoolExecutor(8) as pool:
        for store in pool.map(lambda _: open_store(tmp_path / "r.db", any_thread=True), range(8)):
            assert store.execute("SELECT count(source) FROM judges").fetchone() == (0,)
            store.close()


def test_columns_that_hold_nothing_are_not_read(tmp_path: Path) -> None:
    store = open_store(tmp_path / "r.db", create=True)
    assert used_columns(store) == ["item", "rater", "kind", "value", "status"]
    add_label(store, Label(item="q1", rater="ann", value="MET", prompt="p1"))
    store.close()
    opened = open_source(str(tmp_path / "r.db"))
    assert "prompt" in opened.columns
    assert "cluster" not in opened.columns
