"""How ratings lie in files: what is shown of each layout, whatever must still be asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from goldassay.read.decision import Answer, Decision, decide

N = 30
TEXT = "The answer says that it was not in time for this case and so the model went on and on."
YES = ["yes", "no"]


def nested(tmp_path: Any, root: Any) -> Decision:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(root), encoding="utf-8")
    return decide(path)


def label(n: int, step: int = 1) -> str:
    return YES[(n * step + n // 4 + step) % 2]


#: Layout -> what the file holds, whose ratings, criteria, items, rated systems.
LAYOUTS: dict[str, tuple[Any, set[tuple[str, str | None]], int, int, int]] = {
    "a map of labels for each rater": (
        {who: {f"q{n}": label(n, k) for n in range(N)} for k, who in enumerate(("ann", "gpt-4o"))},
        {("human", "ann"), ("judge", "gpt-4o")},
        1,
        N,
        0,
    ),
    "a list of labels in each row": (
        [{"id": n, "text": TEXT, "labels": [label(n, k) for k in (1, 2, 3)]} for n in range(N)],
        {("human", f"labels {n}") for n in (1, 2, 3)},
        1,
        N,
        0,
    ),
    "a list of records of raters": (
        [
            {"id": n, "said": [{"annotator": f"w{k}", "label": label(n, k)} for k in range(3)]}
            for n in range(N)
        ],
        {("human", f"w{k}") for k in range(3)},
        1,
        N,
        0,
    ),
    "parallel lists": (
        {
            "pair_index": list(range(N)),
            "human_scores": [n % 5 for n in range(N)],
            "judges": {"gpt": [(n + n // 4) % 5 for n in range(N)]},
        },
        {("human", "human_scores"), ("judge", "judges.gpt")},
        1,
        N,
        0,
    ),
    "records in a wrapper": (
        {
            "config": {"version": 1},
            "results": [{"id": n, "judge_label": label(n), "human": label(n, 2)} for n in range(N)],
        },
        {("judge", "results.judge_label"), ("human", "results.human")},
        1,
        N,
        0,
    ),
    "raters in rows, criteria in columns": (
        [
            {"id": n // 2, "annotator": "ab"[n % 2], "fluency": n % 5, "coherence": (n * 3) % 5}
            for n in range(2 * N)
        ],
        {("human", "a"), ("human", "b")},
        2,
        N,
        0,
    ),
    "a criterion and a system in columns": (
        [
            {"question_id": q, "model": f"m{m}", "dimension": d, "judge": "gpt-4o", "score": q % 4}
            for q in range(N)
            for m in range(2)
            for d in ("help", "safe")
        ],
        {("judge", "gpt-4o")},
        2,
        2 * N,
        2,
    ),
    "pairs with one judge": (
        [
            {"id": n, "model_a": "x", "model_b": "y", "winner": "abt"[n % 3], "judge": "gpt-4"}
            for n in range(N)
        ],
        {("judge", "gpt-4")},
        1,
        N,
        1,
    ),
    "records by keys, on three levels": (
        {
            part: {
                f"s{k}": {f"q{n}": {"text": TEXT, "score": (n + k) % 5} for n in range(N)}
                for k in range(2)
            }
            for part in ("dev", "test")
        },
        {("human", "score")},
        1,
        4 * N,
        0,
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_is_shown_as_it_is(layout: str, tmp_path: Any) -> None:
    root, raters, criteria, items, systems = LAYOUTS[layout]
    decision = nested(tmp_path, root)
    table = decision.table
    assert table is not None, decision.why
    assert {(one.kind, one.rater) for one in table.ratings} == raters
    assert len({one.criterion for one in table.ratings}) == criteria
    assert table.items == items
    assert len({one.system for one in table.ratings} - {None}) == systems


@pytest.mark.parametrize("layout", [one for one in LAYOUTS if LAYOUTS[one][2:] == (1, N, 0)])
def test_what_is_nested_is_never_read_in_silence(layout: str, tmp_path: Any) -> None:
    assert nested(tmp_path, LAYOUTS[layout][0]).answer is Answer.ask


def test_attributes_are_no_ratings(tmp_path: Any) -> None:
    rows = [{"id": n, "text": f"{TEXT} {n}", "category": "abc"[n % 3]} for n in range(N)]
    assert nested(tmp_path, rows).answer is Answer.refuse


def test_names_of_raters_are_no_ratings(tmp_path: Any) -> None:
    rows = [{"id": n, "text": f"{TEXT} {n}", "annotator": f"rater{n % 4}"} for n in range(N)]
    assert nested(tmp_path, rows).answer is Answer.refuse
