"""The gallery's results: committed as they were made, without a text, and rendered from them."""

from __future__ import annotations

import gzip
import json
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from published_ratings import shared_data
from scripted import script

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "docs" / "gallery"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in GALLERY.glob("*.json.gz"))


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    return script("gallery")


@pytest.fixture(scope="module")
def digests() -> dict[str, Any]:
    return tomllib.loads((GALLERY / "digests.toml").read_text(encoding="utf-8"))


def columns(document: dict[str, Any]) -> Iterator[str]:
    """The columns of every table, of the document and of its parts."""
    for part in (document, *document["parts"]):
        for table in part["tables"].values():
            yield from table["columns"]


def test_six_sets_at_least(gallery: ModuleType, digests: dict[str, Any]) -> None:
    assert len(NAMES) >= 6
    assert sorted(one.name for one in gallery.SETS) == NAMES == sorted(digests)
    schemes = ("light", "dark")
    assert all((GALLERY / f"{n}-{scheme}.png").exists() for n in NAMES for scheme in schemes)


@pytest.mark.parametrize("name", NAMES)
def test_results_are_those_that_were_made(
    name: str, gallery: ModuleType, digests: dict[str, Any]
) -> None:
    data = gzip.decompress((GALLERY / f"{name}.json.gz").read_bytes())
    assert gallery.digest(data) == digests[name]["results"]
    document = json.loads(data)
    assert document["schema"] == "goldassay/1"
    assert not document["provisional"]
    assert document["units"] is None  # no verdicts of single items
    assert not {"item", "text", "texts", "input", "output"} & set(columns(document))


@pytest.mark.parametrize("name", NAMES)
def test_the_data_are_those_that_were_read(
    name: str, gallery: ModuleType, digests: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDASSAY_SHARED", str(shared_data().parent))
    (one,) = gallery.chosen([name])
    assert gallery.read_files(one) == digests[name]["read"]


def test_they_stay_small() -> None:
    assert sum(path.stat().st_size for path in GALLERY.glob("*.gz")) < 1_000_000
    assert sum(path.stat().st_size for path in GALLERY.glob("*.png")) < 400_000


EXACT = 1e-9
#: The lowest point of a curve that is flat there: what rounds otherwise finds another near it, and
#: an end is that of one resample or its neighbour (2.4e-5 apart on two processors).
SEARCHED = {"decisiveness": 1e-3}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dices", "pandalm"])
def test_results_come_out_again(
    name: str, gallery: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDASSAY_SHARED", str(shared_data().parent))
    (one,) = gallery.chosen([name])
    again, kept = json.loads(gallery.made(one)), gallery.results(name)
    assert len(again["results"]) == len(kept["results"])
    for new, old in zip(again["results"], kept["results"], strict=True):
        digits = SEARCHED.get(new["name"], EXACT)
        assert near(new, old, digits), f"{old}: python scripts/gallery.py make, then page"


def near(one: Any, other: Any, digits: float = EXACT) -> bool:
    """The same to nine digits: on another processor the last ones of a sum are others."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key], digits) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(
            near(mine, its, digits) for mine, its in zip(one, other, strict=True)
        )
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=digits, abs_tol=1e-12)
    return bool(one == other)


def test_near_is_not_far() -> None:
    old = {"value": 0.1 + 0.2, "declared": {"labelled": [350.0, 7]}, "name": "x"}
    assert near({"value": 0.3, "declared": {"labelled": [349.99999999999994, 7]}, "name": "x"}, old)
    for other in ({"value": 0.31}, {"declared": {"labelled": [350.0, 8]}}, {"name": "y"}, {"n": 1}):
        assert not near({**old, **other}, old)
