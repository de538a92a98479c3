"""What the texts of systems are like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from goldassay.errors import InputError
from goldassay.questions.rank.attributes import MEASURES, read_attributes, system_levels

STYLED = """# Title

Some **bold** words and __more__, a * star * and 2 * 3.

- one
* two
  1. nested
2) last
-not a list

```python
x = 1
```
## Again
"""


def test_what_is_measured_in_a_text() -> None:
    found = {name: measure(STYLED) for name, measure in MEASURES.items()}
    assert found == {"length": len(STYLED), "lists": 4, "headings": 2, "bold": 2, "code": 1}
    assert {measure("") for measure in MEASURES.values()} == {0}


def test_levels_are_differences_of_means_with_every_system_on_every_item() -> None:
    values = np.array([1.0, 4.0, 3.0, 8.0])  # a: 1, 3; b: 4, 8
    levels = system_levels(values, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 3)
    assert levels[:2].tolist() == pytest.approx([-2.0, 2.0])
    assert np.isnan(levels[2])


def test_a_system_on_other_items_is_compared_on_those_that_it_shares() -> None:
    # Item 0 is short, item 1 long. a wrote both, b the short and c the long: b is a's equal, and
    # c is twice beyond it; plain means would put b far below.
    values = np.array([1.0, 11.0, 1.0, 13.0])
    levels = system_levels(values, np.array([0, 1, 0, 1]), np.array([0, 0, 1, 2]), 3)
    assert (levels - levels[0]).tolist() == pytest.approx([0.0, 0.0, 2.0])


def test_texts_and_columns_of_numbers(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "item": ["1", "1", "2", "2"],
            "system": ["a", "b", "a", "b"],
            "text": ["abc", "a" * 15, "x" * 7, ""],
            "grade": ["2", "4", "", "4"],
            "note": ["2", "about", "", "4"],
        }
    )
    path = tmp_path / "texts.csv"
    frame.write_csv(path)
    found = read_attributes(str(path), ["b", "a", "c"])
    assert found.names == ("length", "grade")  # no text has a list, a heading, bold print, code
    assert found.n_texts == 4
    levels = dict(zip(found.names, found.levels, strict=True))
    # log2(1 + characters): a has 2 and 3, b 4 and 0; a is half a doubling longer on average.
    assert levels["length"][:2].tolist() == pytest.approx([-0.25, 0.25])
    # Only on item 1 do both have a grade; item 2 says nothing on the difference.
    assert levels["grade"][:2].tolist() == pytest.approx([1.0, -1.0])
    assert np.isnan(levels["length"][2])
    assert Path(found.input.name).name == "texts.csv"


def test_of_style_what_some_text_has() -> None:
    texts = {"system": ["a", "b"], "text": ["# T\n- one\n- two", "plain"]}
    found = read_attributes(pl.DataFrame(texts), ["a", "b"])
    assert found.names == ("length", "lists", "headings")
    # Without items a system's texts stand for all: log2(1 + 2) against 0, half to either side.
    assert found.levels[1].tolist() == pytest.approx([np.log2(3) / 2, -np.log2(3) / 2])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"item": ["1"], "text": ["a"]}, "need a column 'system'"),
        ({"system": ["a"], "title": ["x"]}, "neither a text"),
        ({"system": ["z"], "text": ["x"]}, "must name systems that the judges rated"),
    ],
)
def test_what_cannot_be_read(columns: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_attributes(pl.DataFrame(columns), ["a", "b"])
