"""A flag that says whether a verdict is the key's tells which column the verdict is."""

from __future__ import annotations

from pathlib import Path

from goldassay.proposals.propose import guessed_ratings


def test_the_verdict_that_the_flag_is_about(tmp_path: Path) -> None:
    rows = []
    for n in range(48):
        key = "AB"[n // 4 % 2]
        picked = key if n % 3 else "AB"[key == "A"]
        shown = picked if n % 2 else "AB"[picked == "A"]
        rows.append(f"p{n // 4},{n % 2 + 1},{n // 2 % 2},{shown},{picked},{key},{picked == key}")
    path = tmp_path / "table.csv"
    head = "pair_id,order,rep_idx,raw_verdict,picked_original,gt,correct"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["wide"] == {"judge": ["picked_original"], "reference": ["gt"]}
    assert draft.task["columns"]["sample"] == "rep_idx"
    assert ratings.judges == ("picked_original",)
    said = "`correct` says whether `picked_original` is `gt`, and is left out"
    assert said in draft.assumed
