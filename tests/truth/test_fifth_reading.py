"""What was unsaid or unclear when every verb was read on shapes that nobody had tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
from internals import render_text

import goldassay as ga
from goldassay import Findings

BINARY: dict[str, Any] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
FEW: dict[str, Any] = {"resamples": 200}
Row = tuple[str, ...]


def frame(rows: Iterable[Row], *more: str) -> pl.DataFrame:
    return pl.DataFrame(list(rows), ["item", "rater", "kind", "value", *more], orient="row")


def other(value: str) -> str:
    return "no" if value == "yes" else "yes"


def simulated(items: int, judges: dict[str, float], cluster: Callable[[int], str]) -> pl.DataFrame:
    """A person's label of each item, and judges that are right so often."""
    rng, rows = np.random.default_rng(4), []
    for k in range(items):
        truth = "yes" if rng.random() < 0.5 else "no"
        rows.append((f"i{k}", "ann", "human", truth, cluster(k)))
        for judge, right in judges.items():
            said = truth if rng.random() < right else other(truth)
            rows.append((f"i{k}", judge, "judge", said, cluster(k)))
    return frame(rows, "cluster")


def warned(found: Findings, text: str) -> bool:
    return any(text in one for one in found.warnings)


def test_a_cluster_that_outweighs_the_others_is_told() -> None:
    task = {**BINARY, "cluster": "cluster"}
    giant = simulated(100, {"j": 0.8}, lambda k: "giant" if k < 60 else f"c{k}")
    found = ga.agree(giant, task, **FEW)
    assert warned(found, "one of 41 clusters (`cluster`) holds 60 % of the items")
    alike = simulated(100, {"j": 0.8}, lambda k: f"c{k // 2}")
    assert not warned(ga.agree(alike, task, **FEW), "holds")


def test_judges_that_are_copies_are_named() -> None:
    table = simulated(60, {"a": 0.8, "b": 0.8}, str)
    copy = table.filter(rater="a").with_columns(rater=pl.lit("again"))
    found = ga.agree(pl.concat([table, copy]), BINARY, **FEW)
    assert warned(found, "`a` and `again` gave the same verdict on every item")
    assert not warned(ga.agree(table, BINARY, **FEW), "the same verdict on every")


def test_the_first_of_many_level_judges_is_said_to_be_favoured() -> None:
    table = simulated(60, {f"j{k}": 0.8 for k in range(12)}, str)
    for verb in (ga.agree, ga.select):
        found = verb(table, BINARY, **FEW)
        first = found.answer[0].about["judge"]
        assert warned(found, f"`{first}` was found the first on these very items, and 11 others")
    two = simulated(60, {"a": 0.8, "b": 0.8}, str)
    assert not warned(ga.agree(two, BINARY, **FEW), "was found the first")


def test_a_criterion_without_a_verdict_is_told_and_not_counted() -> None:
    rng, rows = np.random.default_rng(5), []
    for k in range(50):
        for criterion in ("facts", "tone"):
            grade = int(rng.integers(1, 6))
            rows.append((f"i{k}", "ann", "human", str(grade), criterion))
            near = int(np.clip(grade + rng.integers(-1, 2), 1, 5))
            said = "pass" if criterion == "tone" else str(near)
            rows.append((f"i{k}", "j", "judge", said, criterion))
            rows.append((f"i{k}", "ann", "human", str(grade), f"{criterion} too"))
            rows.append((f"i{k}", "j", "judge", str(near), f"{criterion} too"))
    task = {"scale": "ordinal", "options": list("12345"), "abstain": ["pass"]}
    table = frame(rows, "criterion")
    found = ga.agree(table, task, **FEW)
    told = next(one for one in found.answer if one.key == "agree.silent")
    assert told.text.startswith("`j` gives no usable verdict on criterion `tone`: ")
    means = ga.estimate(table, task)
    assert "of the 3 criteria that a judge graded" in means.answer[0].text


def test_long_options_leave_room_for_the_numbers() -> None:
    rng, rows = np.random.default_rng(6), []
    options = [
        f"{name} of what was said is borne out by the passages that it cites, every word"
        for name in ("all", "some", "none")
    ]
    for k in range(60):
        true = int(rng.integers(3))
        rows.append((f"i{k}", "ann", "human", options[true]))
        rows.append((f"i{k}", "j", "judge", options[true if k % 3 else (true + 1) % 3]))
    found = ga.estimate(frame(rows), {"scale": "nominal", "options": options})
    assert "no room for" not in render_text(found.document())


def test_a_method_is_words() -> None:
    rng, rows = np.random.default_rng(7), []
    for k in range(80):
        true = "abc"[int(rng.integers(3))]
        rows += [(f"i{k}", "ann", "human", true), (f"i{k}", "j", "judge", "abc"[k % 3])]
    found = ga.estimate(frame(rows), {"scale": "nominal", "options": list("abc")})
    methods = {row.result.interval.method for row in found.rows if row.result.interval}
    assert methods
    assert not [one for one in methods if "[" in one or "'" in one]


def test_the_first_screen_says_how_many_of_the_systems_it_draws() -> None:
    rng, rows = np.random.default_rng(8), []
    for k in range(60):
        for s in range(12):
            true = "yes" if rng.random() < 0.2 + 0.05 * s else "no"
            rows.append((f"i{k}", "ann", "human", true, f"s{s:02}"))
            rows.append(
                (f"i{k}", "j", "judge", true if rng.random() < 0.9 else other(true), f"s{s:02}")
            )
    first = ga.report(frame(rows, "system"), BINARY, **FEW).document()["first"]
    drawn = [one["system"] for one in first["systems"]]
    values = [one["true"]["value"] for one in first["systems"]]
    assert (len(drawn), first["systems_in_all"]) == (8, 12)
    assert values == sorted(values, reverse=True)
    assert set(first["systems_level"]) <= set(drawn)
