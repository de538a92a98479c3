"""What is served of the tables that are given."""

from __future__ import annotations

from pathlib import Path

from goldassay.ratings.narrowing import narrowing_of
from goldassay.ratings.task import Task
from goldassay.web.desk import Settings
from goldassay.web.study import Study, open_site


def test_only_the_rows_that_are_asked_for_are_served(tmp_path: Path) -> None:
    rows = [f"q{n},{'law' if n % 3 else 'tax'},{'yes' if n % 2 else 'no'}" for n in range(12)]
    table = tmp_path / "verdicts.csv"
    table.write_text("item,topic,judge\n" + "\n".join(rows) + "\n")
    task = Task.from_mapping(
        {
            "scale": "binary",
            "options": ["yes", "no"],
            "positive": "yes",
            "wide": {"judge": ["judge"]},
        },
        place="a task",
    )
    counts = {}
    for topic in ("", "law", "tax"):
        study = Study(
            ratings=str(table),
            labels=str(tmp_path / f"labels{topic}.db"),
            order="given",
            narrowing=narrowing_of({"topic": topic} if topic else ()),
        )
        counts[topic] = len(open_site(study, task, Settings()).desk.order)
    assert counts == {"": 12, "law": 8, "tax": 4}
