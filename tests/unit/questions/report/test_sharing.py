"""What a report that is passed on says that it holds, and does hold."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from goldassay.cli import command_line
from goldassay.findings import Findings
from goldassay.questions.report.ask import report
from goldassay.questions.report.sharing import holds, without_items
from goldassay.rendering.html import render_html
from goldassay.rendering.markdown import render_markdown

PEOPLE = ("Anna Quist", "Bertil Øst", "Cleo Zamora")
TASK = """scale = "binary"
options = ["yes", "no"]
positive = "yes"
[raters]
human = ["Anna Quist", "Bertil Øst", "Cleo Zamora"]
judge = ["gpt"]
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("secret-project")
    lines = ["item,rater,value"]
    for item in range(40):
        for step, rater in enumerate((*PEOPLE, "gpt"), start=1):
            value = "" if (item * step) % 11 == 10 else "yes" if (item * step) % 5 < 3 else "no"
            lines.append(f"confidential-{item},{rater},{value}")
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "task.toml").write_text(TASK, encoding="utf-8")
    return folder / "ratings.csv", folder / "task.toml"


@pytest.fixture(scope="module")
def plain(files: tuple[Path, Path]) -> Findings:
    return report(*files, resamples=200)


def numbers(document: dict[str, Any]) -> list[Any]:
    return [(row["name"], row["value"], row["low"], row["high"]) for row in document["results"]]


def test_pseudonyms_are_everywhere_and_change_no_value(
    files: tuple[Path, Path], plain: Findings
) -> None:
    hidden = report(*files, resamples=200, pseudonyms=True)
    assert any(name in plain.to_json() for name in PEOPLE)
    told = hidden.document()
    for form in (hidden.to_json(), render_html(told), render_markdown(told)):
        assert not any(name in form for name in PEOPLE)
        assert not any(part in form for name in PEOPLE for part in name.split())
    assert "person 1" in hidden.to_json()
    for (name, value, low, high), other in zip(
        numbers(told), numbers(plain.document()), strict=True
    ):
        assert (name, value) == other[:2]
        if low is not None and high is not None:  # draws of raters come in another order
            assert (low, high) == pytest.approx(other[2:], abs=0.05)
    assert told["task"]["raters"]["human"] != list(PEOPLE)


def test_it_is_said_on_the_page(files: tuple[Path, Path], plain: Findings) -> None:
    assert plain.more["holds"][:2] == [
        "The names of 3 people, as raters.",
        "No name and no text of an item.",
    ]
    hidden = report(*files, resamples=200, texts=False, pseudonyms=True).document()
    page = render_html(hidden)
    assert "What this document holds" in page
    assert "3 people under pseudonyms, as raters." in page
    assert "for each verdict" not in page
    assert hidden["units"] is None


def test_a_table_of_items_goes(files: tuple[Path, Path], plain: Findings) -> None:
    found = copy.deepcopy(plain)
    table = {"title": "", "columns": ["item", "n"], "rows": [["confidential-1", 2]], "notes": []}
    found.more["parts"][0]["tables"]["items"] = table  # type: ignore[index]
    assert "Names or texts of items, in tables." in holds(found, _read(files), pseudonyms=False)
    assert "confidential" in found.to_json()
    assert "confidential" not in without_items(found).to_json()


def _read(files: tuple[Path, Path]) -> Any:
    from goldassay.ratings.table import read_ratings
    from goldassay.ratings.task import read_task

    return read_ratings(str(files[0]), read_task(files[1]))


def test_no_folder_is_named(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ratings, task = map(str, files)
    out = tmp_path / "shared.json"
    words = ["report", ratings, f"--task={task}", "--resamples", "200", "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["goldassay", *words])
    assert command_line(words) == 0
    text = out.read_text()
    assert "secret-project" not in text
    document = json.loads(text)
    assert document["provenance"]["argv"][:3] == ["report", "ratings.csv", "--task=task.toml"]
    assert document["parts"][0]["command"].startswith(
        "goldassay agree ratings.csv --task task.toml"
    )
    assert all("/" not in one["reason"].split(": ")[0] for one in document["not_run"])
