from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.importers import read_log
from goldassay.sources.label_studio import from_label_studio
from goldassay.sources.spreadsheet import neutral
from goldassay.store import Label, add_label, open_store
from goldassay.web.cases import Texts
from goldassay.web.exports import COLUMNS, exported, label_rows, to_csv, to_jsonl, to_studio

TASK = Task.from_mapping(
    {"scale": "nominal", "options": ["yes", "no", "a|b"], "abstain": ["unsure"]}
)
HOSTILE, NUMBERS = ("=1+1", '=HYPERLINK("http://x")', "-2+3", " =1", "＝1"), ("-1", "+1.5", "3")


def filled(path: Path) -> list[dict[str, object]]:
    store = open_store(path, create=True)
    for number, word in enumerate(HOSTILE + NUMBERS):
        add_label(
            store,
            Label(
                item=f"{word}{number}",
                rater=word.strip() or "r",
                value="yes",
                comment=word,
                cluster=word,
            ),
        )
    add_label(
        store,
        Label(item="b", rater="anna", value="yes|no", elicitation="response_set", seconds=1.5),
    )
    add_label(store, Label(item="c", rater="anna", value=None, status="abstained", comment="hm"))
    add_label(store, Label(item="d", rater="ben", value="a|b", elicitation="forced_choice"))
    rows = label_rows(store)
    store.close()
    return rows


def test_a_table_of_labels_reads_back(tmp_path: Path) -> None:
    rows = filled(tmp_path / "l.db")
    assert rows
    (tmp_path / "l.jsonl").write_text(to_jsonl(rows), encoding="utf-8")
    table = read_ratings(tmp_path / "l.jsonl", TASK)
    assert table.census.rows == len(rows)
    assert "anna" in table.humans
    cells = list(csv.reader(io.StringIO(to_csv(rows), newline="")))
    assert cells[0] == list(COLUMNS)
    assert len(cells) == len(rows) + 1
    for row in cells:
        assert all(neutral(cell) == cell for cell in row)


def test_label_studio_there_and_back(tmp_path: Path) -> None:
    rows = filled(tmp_path / "l.db")
    texts = Texts({("b", "", ""): {"item": "b", "input": "in", "output": "out"}})
    tasks = json.loads(to_studio(rows, texts, TASK))
    assert next(t for t in tasks if t["data"]["item"] == "b")["data"]["input"] == "in"
    assert all(isinstance(t["annotations"][0]["result"], list) for t in tasks)
    back = from_label_studio(tasks, place="test")
    names = ("item", "rater", "kind", "criterion", "system", "status")
    sent = [tuple(row[name] or None for name in names) for row in rows]
    assert [tuple(row[name] for name in names) for row in back] == sent
    for row, again in zip(rows, back, strict=True):
        assert (again["value"] or None) == (row["value"] or None)
        assert again["comment"] == (row["comment"] or None)
        if row["elicitation"]:
            assert again["elicitation"] == row["elicitation"]


def test_argilla_records_come_back(tmp_path: Path) -> None:
    """What is written for Argilla is what the importer reads: items, criteria, people, sets."""
    task = Task(scale="nominal", options=("A", "B"))
    store = open_store(tmp_path / "l.db", create=True)
    given = [
        ("q1", "clear", "anna", "A", "forced_choice", "why not"),
        ("q1", "true", "anna", "A|B", "response_set", ""),
        ("q1", "clear", "ben", "B", "forced_choice", ""),
    ]
    for item, criterion, rater, value, form, comment in given:
        add_label(
            store,
            Label(
                item=item,
                criterion=criterion,
                rater=rater,
                value=value,
                elicitation=form,
                comment=comment,
            ),
        )
    add_label(store, Label(item="q1", criterion="clear", rater="carl", kind="reference", value="A"))
    texts = Texts({("q1", "", ""): {"item": "q1", "input": "?", "output": "!"}})
    text = exported("argilla.json", label_rows(store), texts, task)
    (record,) = json.loads(text)
    assert record["fields"] == {"input": "?", "output": "!"}
    assert record["responses"]["true"] == [{"value": ["A", "B"], "user_id": "anna"}]
    (tmp_path / "records.json").write_text(text)
    found = read_log(tmp_path / "records.json").ratings.project("criterion, rater, value")
    rows = {(c, rater): value for c, rater, value in found.fetchall() if "comment" not in c}
    assert rows == {("clear", "anna"): "A", ("true", "anna"): "A|B", ("clear", "ben"): "B"}
