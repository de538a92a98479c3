"""What nobody declared is read, asked or refused; what is offered gives back what is shown."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldassay.read.arguments import from_options, options_of
from goldassay.read.decision import Answer, Decision, decide
from goldassay.read.declaring import declared_table
from goldassay.read.preview import arguments_said, document, preview

TEXT = "The answer says that it was not in time for this case, and so the model went on and on."
N = 24


def cycle(*values: Any, size: int = N, step: int = 1) -> list[Any]:
    return [values[(n * step + n // 5) % len(values)] for n in range(size)]


IDS = [f"q{n}" for n in range(N)]
PLAIN = {"id": IDS, "human": cycle("yes", "no"), "judge": cycle("yes", "no", step=2)}

#: What must be asked, and the type of the question.
ASKED: dict[str, tuple[dict[str, list[Any]], str]] = {
    "whose": ({"id": IDS, "label": cycle("yes", "no"), "judge": cycle("yes", "no")}, "whose"),
    "two people or one": (
        {"id": IDS, "label_1": cycle("yes", "no"), "label_2": cycle("yes", "no", step=2)},
        "whose",
    ),
    "a confidence": ({**PLAIN, "confidence": [0.5 + n / 100 for n in range(N)]}, "unused"),
    "a majority": ({**PLAIN, "majority": cycle("yes", "no")}, "unused"),
    "a key beside people": ({**PLAIN, "gold": cycle("yes", "no", step=3)}, "whose"),
    "a column that nobody explains": ({**PLAIN, "zeta": cycle("yes", "no")}, "unused"),
    "other labels": (
        {"id": IDS, "human": cycle("yes", "no"), "judge": cycle("good", "bad")},
        "value",
    ),
    "an item twice": ({**PLAIN, "id": [f"q{n // 2}" for n in range(N)]}, "repeat"),
    "a copy": ({**PLAIN, "judge": PLAIN["human"]}, "whose"),
}


@pytest.mark.parametrize("case", ASKED)
def test_what_is_not_plain_is_asked(case: str) -> None:
    columns, kind = ASKED[case]
    decision = decide(columns)
    assert decision.answer is Answer.ask
    assert kind in {one.type for one in decision.open}, decision.open


def test_a_plain_table_is_read() -> None:
    decision = decide({**PLAIN, "prompt": [f"{TEXT} {n}" for n in range(N)]})
    assert decision.answer is Answer.read
    assert arguments_said(decision) == "--item id --human human --judge judge"


REFUSED: dict[str, Any] = {
    "texts": {"id": IDS, "prompt": [f"{TEXT} {n}" for n in range(N)]},
    "rates": [
        {"model": f"m{n}", "accuracy": 0.71 + n / 97, "f1": 0.6 + n / 89, "n": 100 + n}
        for n in range(9)
    ],
    "marks": [
        {"id": n, "text": TEXT, "edits": [{"start": 1, "end": 5, "category": "a"}] * 2}
        for n in range(9)
    ],
    "a template": {"id": IDS, "prompt": [f"{TEXT} {n}" for n in range(N)], "rating": [""] * N},
    "one label": {"id": IDS, "prompt": [f"{TEXT} {n}" for n in range(N)], "winner": ["tie"] * N},
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_ratings_is_refused(case: str) -> None:
    decision = decide(REFUSED[case])
    assert decision.answer is Answer.refuse, preview(decision)
    assert "has no ratings" in preview(decision)
    told = {"rates": "sums up one `model`", "marks": "marked", "a template": "`rating` is empty"}
    assert told.get(case, "") in preview(decision)


def test_results_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"accuracy": 0.8, "by": {"a": 0.1, "b": 0.7}, "n": 4}), "utf-8")
    assert decide(path).answer is Answer.refuse


def written(folder: Path, name: str, columns: dict[str, list[Any]]) -> Path:
    rows = [",".join(columns)]
    rows += [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    path = folder / name
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def one_file(folder: Path) -> list[Path]:
    return [written(folder, "all.csv", ASKED["two people or one"][0])]


def raters(folder: Path) -> list[Path]:
    names = ("human_ann", "judge_gpt4", "judge_claude")
    columns = [{"id": IDS, "score": cycle(1, 2, 3, step=step)} for step in (1, 2, 1)]
    return [written(folder, f"{n}.csv", c) for n, c in zip(names, columns, strict=True)]


def beside(folder: Path) -> list[Path]:
    people = {"prompt_id": IDS, "human_label": cycle("yes", "no")}
    judge = {"id": IDS[::-1], "judge_label": cycle("yes", "no", step=2)}
    return [written(folder, "people.csv", people), written(folder, "judge.csv", judge)]


def shards(folder: Path) -> list[Path]:
    both = [{**PLAIN, "id": [f"{part}{n}" for n in range(N)]} for part in "ab"]
    return [written(folder, f"part{n}.csv", c) for n, c in enumerate(both)]


def nested(folder: Path) -> list[Path]:
    rows = [
        {"id": n, "scores": {"human": n % 3, "judge": (n + n // 4) % 3}, "text": TEXT}
        for n in range(N)
    ]
    path = folder / "all.json"
    path.write_text(json.dumps({"meta": {"by": "us"}, "rows": rows}), encoding="utf-8")
    return [path]


SETS = [one_file, raters, beside, shards, nested]


@pytest.mark.parametrize("make", SETS)
def test_what_is_offered_gives_back_what_is_shown(
    make: Callable[[Path], list[Path]], tmp_path: Path
) -> None:
    paths = make(tmp_path)
    decision = decide(paths)
    assert decision.answer is Answer.ask
    assert decision.table is not None
    words = shlex.split(arguments_said(decision))
    again = declared_table(paths, from_options(words))
    assert again.ratings == decision.table.ratings
    assert arguments_said(decision) in preview(decision)


def kinds(decision: Decision) -> set[tuple[str, str | None]]:
    assert decision.table is not None
    return {(kind, rater) for kind, rater, _ in decision.table.counts()}


def test_files_of_the_same_items_are_raters(tmp_path: Path) -> None:
    decision = decide(raters(tmp_path))
    assert {kind for kind, _ in kinds(decision)} == {"human", "judge"}
    assert len(kinds(decision)) == 3
    assert decision.table is not None
    assert decision.table.items == N


def test_files_are_joined_on_the_values_of_their_keys(tmp_path: Path) -> None:
    decision = decide(beside(tmp_path))
    assert kinds(decision) == {("human", "human_label"), ("judge", "judge_label")}
    assert decision.table is not None
    assert decision.table.items == N


def test_parts_of_one_table_are_one(tmp_path: Path) -> None:
    decision = decide(shards(tmp_path))
    assert decision.table is not None
    assert decision.table.items == 2 * N
    assert "join" in {one.type for one in decision.open}


def test_the_preview_shows_all_that_is_checked() -> None:
    decision = decide(
        {**PLAIN, "confidence": [0.5 + n / 100 for n in range(N)], "note": [TEXT] * N}
    )
    shown = preview(decision)
    for words in (
        "`human`",
        "`judge`",
        "`confidence` (0.5 to 0.73)",
        "`note`",
        "`id`, 24",
        "case 1",
    ):
        assert words in shown, shown
    assert "yes 1" in shown
    assert preview(decision, waits=True).endswith("[Enter] yes   [q] quit")


def test_the_document_says_one_of_three() -> None:
    found = [document(decide(one)) for one in (PLAIN, ASKED["whose"][0], REFUSED["texts"])]
    assert [one["answer"] for one in found] == ["read", "ask", "refuse"]
    assert found[1]["arguments"] == options_of(decide(ASKED["whose"][0]).arguments)
    json.dumps(found)
