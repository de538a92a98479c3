import json
import math

import numpy as np
import pytest

from goldassay.findings import Findings
from goldassay.results import Estimate, Exclusion, Interval, Row, Undefined, dumps


def test_an_interval_never_inverts_and_holds_no_nan() -> None:
    with pytest.raises(ValueError, match="invert"):
        Interval(0.5, 0.4, 0.95, "x")
    with pytest.raises(ValueError, match="invert"):
        Interval(math.nan, 0.4, 0.95, "x")
    assert 0.5 in Interval(0.4, 0.6, 0.95, "x")
    assert Interval(0.25, 0.75, 0.95, "x").length == 0.5


def test_an_estimate_is_never_nan() -> None:
    with pytest.raises(ValueError, match="Undefined"):
        Estimate("kappa", math.nan)


def test_a_result_is_a_number_and_an_interval_its_ends() -> None:
    interval = Interval(0.25, 0.75, 0.95, "x")
    low, high = interval
    assert (low, high) == (interval.low, interval.high)
    assert float(Estimate("kappa", 0.5, interval)) == 0.5
    with pytest.raises(ValueError, match="kappa is undefined: one class"):
        float(Undefined("kappa", "one class", 3))


def test_reprs_are_one_line() -> None:
    estimate = Estimate("accuracy", 0.8, Interval(0.7, 0.9, 0.95, "Wilson"), 40)
    assert repr(estimate) == "accuracy = 0.8 (0.7, 0.9) 95% Wilson, 40 items"
    assert repr(Undefined("phi", "one class", 3)) == "phi is undefined: one class (3 items)"


def test_an_undefined_row_has_no_value_and_a_reason() -> None:
    row = Row(Undefined("phi", "one class", 3), {"judge": "a"}).to_json()
    assert row["value"] is None
    assert row["undefined"] == "one class"
    assert row["judge"] == "a"
    assert set(row) == set(Row(Estimate("phi", 0.1), {}).to_json())


def test_an_unbounded_end_is_null() -> None:
    row = Row(Estimate("s", 1.0, Interval(-math.inf, 2.0, 0.95, "x")), {}).to_json()
    assert row["low"] is None
    assert row["high"] == 2.0


def test_rows_read_are_rows_used_and_excluded() -> None:
    left_out = (Exclusion("invalid", 3), Exclusion("empty value", 2))
    document = Findings("agree", exclusions=left_out, rows_read=10).document()
    assert document["rows"] == {"read": 10, "used": 5, "excluded": 5}


def test_dumps_is_stable_and_takes_numpy_and_hostile_text() -> None:
    document = {"a": np.float64(0.1), "b": np.array([1, 2]), "c": "\ud800\u202e", "d": (1, None)}
    text = dumps(document)
    assert text == dumps(document)
    assert json.loads(text)["b"] == [1, 2]
    text.encode("utf-8")


def test_dumps_writes_what_the_library_writes_with_an_indent() -> None:
    deep: dict[str, object] = {
        "none": {}, "nothing": [], "one": [[]], "text": "a\n\"b\" \u20ac", "flag": True,
        "rows": [{"a": 1, "b": [1.5, 1e-7], "c": {"d": {"e": None}}, "f": "x"}, {"a": -0.0}],
        "mixed": [1, {"k": [{"l": []}, "m"]}, [2, [3, "n"]], None], "last": 1e22,
    }  # fmt: skip
    assert dumps(deep) == json.dumps(deep, ensure_ascii=False, indent=1) + "\n"
    numbers = {1: np.arange(3), "s": np.float32(0.5), "t": (np.int64(2), (np.bool_(True), {3}))}
    plain = {"1": [0, 1, 2], "s": 0.5, "t": [2, [True, [3]]]}
    assert dumps(numbers) == dumps(plain) == json.dumps(plain, indent=1) + "\n"


def test_dumps_refuses_nan() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        dumps({"a": math.nan})
