"""Raw files whose readings were written down before they were tried are read so, or asked about."""

from __future__ import annotations

from typing import Any

import narwhals as nw
from cells_of_files import misread, unaccounted
from held_out_files import FILES, FOLDER, each, paths_of

from goldassay.proposals.declared import Declared
from goldassay.proposals.propose import guessed_ratings, propose
from goldassay.ratings.fetch import fetch


@each(FILES)
def test_the_reading(one: dict[str, Any]) -> None:
    if "open" in one:
        assert propose(paths_of(one)).missing[0].question == one["open"]
        return
    ratings, draft = guessed_ratings(paths_of(one))
    assert ratings.assumed
    assert (len(ratings.judges), len(ratings.humans)) == (one["judges"], one["people"])
    items = fetch(ratings.frame.select(n=nw.col("item").n_unique()), place="")
    assert int(items["n"][0]) == one["items"]
    assert draft.task["scale"] == one["scale"]
    assert draft.task.get("positive") == one.get("positive")
    if "references" in one:
        cells = [cell["kind"] for cell in draft.task.get("cells", {}).values()]
        keys = len(draft.task.get("wide", {}).get("reference", [])) + cells.count("reference")
        assert keys == one["references"]
    assert one.get("judge") in (None, *ratings.judges)
    assert draft.task["cluster"] == one.get("cluster", draft.task["cluster"])
    if "system" in one:
        assert draft.task.get("columns", {}).get("system", "") == one["system"]
    if "criteria" in one:
        named = {cell.get("criterion") for cell in draft.task.get("cells", {}).values()}
        assert sorted(named) == one["criteria"]
    turned = [name for name, cell in draft.task.get("cells", {}).items() if "mirrored" in cell]
    assert turned == one.get("mirrored", [])
    for asked in one.get("asked", []):
        assert any(question.startswith(asked) for question in draft.questions)
    assert not misread(ratings, draft, [FOLDER / name for name in one["names"]])
    if len(one["names"]) == 1 and one["names"][0].endswith(".csv"):
        assert not unaccounted(ratings, draft, FOLDER / one["names"][0])
    for said in draft.offered:  # what a question offers can be pasted, and is so then
        again, other = guessed_ratings(paths_of(one), None, Declared.of(said, "--task"))
        assert again.assumed
        kept = {key: value for key, value in said.items() if isinstance(value, str)}
        assert kept.items() <= other.task.items()


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 800
