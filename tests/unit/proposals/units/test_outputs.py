"""Several answers to one prompt, which their texts alone tell apart, are several items."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from goldassay.proposals.propose import propose


def _text(*of: object) -> str:
    return f"an answer that is long enough to be one, and its number is {'-'.join(map(str, of))}"


def _draft(
    folder: Path, head: Sequence[str], rows: Sequence[Sequence[object]]
) -> dict[str, object]:
    path = folder / "table.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return dict(propose(str(path)).task["columns"])


_LONG = ("prompt_id", "response", "annotator", "label")


def test_answers_to_one_prompt_are_items(tmp_path: Path) -> None:
    rows = [
        (f"p{n}", _text(n, k), f"a{(n + k) % 4}", ("good", "bad")[(n * k) % 2])
        for n in range(15)
        for k in range(3)
    ]
    assert _draft(tmp_path, _LONG, rows)["item"] == ["prompt_id", "response"]


def test_one_answer_that_all_rate_is_one_item(tmp_path: Path) -> None:
    rows = [
        (f"p{n}", _text(n), f"a{k}", ("good", "bad")[(n * k) % 2])
        for n in range(15)
        for k in range(3)
    ]
    assert _draft(tmp_path, _LONG, rows)["item"] == "prompt_id"


def test_a_text_that_is_written_a_little_otherwise_is_the_same(tmp_path: Path) -> None:
    rows = [
        (f"p{n}", _text(n) + "." * k, f"a{k}", ("good", "bad")[(n * k) % 2])
        for n in range(15)
        for k in range(3)
    ]
    assert _draft(tmp_path, _LONG, rows)["item"] == "prompt_id"


def test_a_pair_that_is_shown_in_both_orders_is_one(tmp_path: Path) -> None:
    rows = []
    for n in range(15):
        pair = [_text(n, "a"), _text(n, "b")]
        rows += [
            (f"p{n}", *(pair[::-1] if k % 2 else pair), f"w{k}", "AB"[k % 2]) for k in range(4)
        ]
    head = ("post_id", "summary_a", "summary_b", "worker", "choice")
    assert _draft(tmp_path, head, rows).get("item") != ["post_id", "summary_a", "summary_b"]


def test_what_raters_write_is_no_part_of_an_item(tmp_path: Path) -> None:
    rows = [
        (f"p{n}", _text(n, k), f"a{k}", ("good", "bad")[(n * k) % 2])
        for n in range(15)
        for k in range(3)
    ]
    head = ("prompt_id", "rewritten_response", "annotator", "label")
    assert _draft(tmp_path, head, rows)["item"] == "prompt_id"
