"""Packed sums: what was put in comes out, and what runs over does not go unseen."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from goldassay.counts import count_units
from goldassay.counts.packing import PACK_BITS, Slot, digits, packed, unpacked
from goldassay.errors import RatingsError
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task


@pytest.mark.parametrize("bits", [2, 7, 13, PACK_BITS])
def test_every_place_comes_back(bits: int) -> None:
    rng = np.random.default_rng(bits)
    slots = [Slot(nw.col("who") == nw.lit(k), nw.col("much"), bits) for k in range(9)]
    who, group = rng.permutation(np.repeat(np.arange(9), 3)), np.tile([0, 1, 2], 9)
    much = rng.integers(0, 2 ** min(bits, 20) // 3 + 1, 27)
    frame = nw.from_native(pl.LazyFrame({"who": who, "much": much, "group": group}))
    names = [f"w{n}" for n in range(len(packed(slots)))]
    parts = dict(zip(names, packed(slots), strict=True))
    summed = frame.with_columns(**parts).group_by("group").agg(*(nw.col(n).sum() for n in names))
    asked = dict(zip("abcdefghi", digits(slots, names), strict=True))
    out = summed.with_columns(**asked).sort("group").collect()
    want = np.zeros((9, 3), np.int64)
    np.add.at(want, (who, group), much)
    got = unpacked(slots, [out[name].to_numpy().astype(np.int64) for name in names])
    np.testing.assert_array_equal(got, want)
    for place, letter in enumerate("abcdefghi"):
        np.testing.assert_array_equal(out[letter].to_numpy(), want[place])


def test_many_options_and_judges_stay_exact() -> None:
    options = [f"o{k:02d}" for k in range(70)]
    task = Task.from_mapping({"scale": "nominal", "options": options})
    rng = np.random.default_rng(0)
    verdict = rng.integers(0, 70, (40, 12))
    rows = [
        {"item": f"i{i}", "rater": f"j{j:02d}", "kind": "judge", "value": options[verdict[i, j]]}
        for i in range(40)
        for j in range(12)
    ]
    rows += [{"item": f"i{i}", "rater": "p", "kind": "human", "value": "o69"} for i in range(40)]
    units = count_units(read_ratings(pl.DataFrame(rows), task))
    got = np.repeat(units.verdict, units.n, axis=0)
    np.testing.assert_array_equal(np.unique(got, axis=0), np.unique(verdict, axis=0))


@pytest.mark.parametrize("kind", ["human", "judge"])
@pytest.mark.parametrize("people", [1, 3, 8])
@pytest.mark.parametrize("copies", [2, 3, 15, 16, 17, 32, 64, 128, 256])
def test_a_rater_who_repeats_is_seen_however_often(kind: str, people: int, copies: int) -> None:
    """Also when the copies run over into the place of another rater or option."""
    task = Task.from_mapping({"scale": "binary", "options": ["yes", "no"], "positive": "yes"})
    rows = [
        {"item": item, "rater": f"p{p}", "kind": "human", "value": "yes"}
        for item in ("a", "b")
        for p in range(people)
    ]
    rows += [{"item": i, "rater": "gpt", "kind": "judge", "value": "no"} for i in ("a", "b")]
    repeated = {"item": "a", "rater": "gpt" if kind == "judge" else "p0", "kind": kind}
    value = "no" if kind == "judge" else "yes"
    rows += [{**repeated, "value": value}] * (copies - 1)
    units = count_units(read_ratings(pl.DataFrame(rows), task))
    assert units.human.sum(1).tolist() == [people]
    assert units.n.tolist() == [2]
    assert [(e.reason, e.rows) for e in units.exclusions] == [("equal to another row", copies - 1)]
    rows += [{**repeated, "value": "yes" if kind == "judge" else "no"}]
    with pytest.raises(RatingsError, match="must rate a unit once"):
        count_units(read_ratings(pl.DataFrame(rows), task))
