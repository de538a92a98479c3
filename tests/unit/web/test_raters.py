"""Raters whose names look alike are told apart."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

import pytest
from serving import Server, served
from studies import write_study

from goldassay.errors import UsageError
from goldassay.ratings.task import read_task
from goldassay.store import Label, add_label, open_store
from goldassay.web.desk import Settings
from goldassay.web.raters import alike, told_apart
from goldassay.web.study import Study, open_site

CYRILLIC = "\u0430nna"  # the first letter is Cyrillic


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "Anna"),
        ("anna", CYRILLIC),
        ("ANNA", "\u0391NNA"),  # a Greek capital alpha
        ("anna", "\uff41nna"),  # full width
        ("a b", "a  b"),
        ("a b", "a\u00a0b"),
        ("Ian", "lan"),
        ("Ian", "ian"),
        ("rater 0", "rater O"),
        ("r1", "rl"),
    ],
)
def test_names_that_a_reader_takes_for_one(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("anna", "anne"), ("Jose", "José"), ("rater 1", "rater 2"), ("Ali", "All"), ("анна", "анне")],
)
def test_names_that_differ(one: str, other: str) -> None:
    assert not alike(one, other)


def test_what_tells_names_apart() -> None:
    found = told_apart(["anna", CYRILLIC, "ben", "Il", "ll", "a b", "a  b"])
    assert found[CYRILLIC] == f"{CYRILLIC} (\u0430 is U+0430)"
    assert found["anna"] == "anna (a is U+0061)"
    assert found["Il"] == "Il (I is U+0049)"
    assert found["a  b"] == "a  b (4 characters)"
    assert "ben" not in found
    assert told_apart(["Anna", "anna"]) == {}  # one sees which is which


def label(server: Server, rater: str) -> int:
    page = server.get(f"/label?rater={quote(rater)}")
    if page.status != 200:
        return page.status
    unit = page.text.split('name="unit" value="')[1].split('"')[0]
    return server.post("/label", {"rater": rater, "unit": unit, "choice": "0"}).status


def test_a_new_name_does_not_look_like_another(tmp_path: Path) -> None:
    files = write_study(tmp_path, n=4)
    with served(files.ratings, files.task, files.items) as server:
        assert label(server, "anna") == 303
        for name in ("Anna", CYRILLIC, "ANNA"):
            page = server.get(f"/label?rater={quote(name)}")
            assert page.status == 422
            assert "looks like &#x27;anna&#x27;, who is here already" in page.text
            fields = {"rater": name, "unit": "x", "choice": "0"}
            assert server.post("/label", fields).status == 422
        assert label(server, "anna") == 303
        assert label(server, "anne") == 303
        assert label(server, "  anna ") == 303
    with sqlite3.connect(files.labels) as connection:
        names = connection.execute("SELECT DISTINCT rater FROM labels").fetchall()
    connection.close()
    assert sorted(names) == [("anna",), ("anne",)]


def test_a_name_that_was_taken_back_is_free_again(tmp_path: Path) -> None:
    """Somebody labels under a slip of the pen, takes it back, and goes on under another name."""
    files = write_study(tmp_path, n=4)
    with served(files.ratings, files.task, files.items) as server:
        assert label(server, "Anna") == 303
        assert label(server, "anna") == 422
        assert server.post("/undo", {"rater": "Anna"}).status == 303
        assert label(server, "anna") == 303
        assert label(server, "Anna") == 303  # who was here before, is let in


def test_names_that_are_there_already_are_told_apart_on_the_pages(tmp_path: Path) -> None:
    """Labels of another process, or an import: nobody is renamed, and nobody mixed up."""
    files = write_study(tmp_path, n=4)
    store = open_store(files.labels, create=True)
    for name in ("anna", CYRILLIC):
        add_label(store, Label(item="q0", rater=name, value="MET"))
    store.close()
    with served(files.ratings, files.task, files.items) as server:
        start = server.get("/").text
        assert f"{CYRILLIC} (\u0430 is U+0430)" in start
        assert "anna (a is U+0061)" in start
        assert f"{CYRILLIC} (\u0430 is U+0430)" in server.get("/watch").text
        assert label(server, CYRILLIC) == 303
        assert label(server, "anna") == 303


def test_the_names_given_at_the_start_are_apart(tmp_path: Path) -> None:
    files = write_study(tmp_path, n=3)
    study, task = Study(ratings=str(files.ratings)), read_task(files.task)
    with pytest.raises(UsageError, match="--rater: names must not look alike; found 'a' and 'A'"):
        open_site(study, task, Settings(raters=("a", "b", "A")))
    with pytest.raises(UsageError, match="visible characters"):
        open_site(study, task, Settings(raters=("a\u202e",)))
    site = open_site(study, task, Settings(raters=("Rene\u0301",)))  # stored as one character
    assert site.desk.check_rater("Ren\u00e9") == "Ren\u00e9"
    site.close()
