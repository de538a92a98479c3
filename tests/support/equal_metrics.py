"""Results of `goldassay.metrics` against those of `goldassay.agree` for the same ratings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from internals import Result

from goldassay import Estimate, Interval, Undefined, metrics


def assert_same(found: Result, expected: Result, *, exact: bool = True, unit: str = "") -> None:
    """Value, interval, sizes, warnings and reason are equal: to the last bit where `exact`.

    `unit` is what the verb calls a cluster, where an interval's method says so.
    """
    assert type(found) is type(expected), (found, expected)
    assert found.n_items == expected.n_items or not exact
    if isinstance(found, Undefined):
        assert isinstance(expected, Undefined)
        assert found.reason == expected.reason
        return
    assert isinstance(expected, Estimate)
    assert found.warnings == expected.warnings
    assert found.n_clusters == expected.n_clusters
    if exact:
        interval = found.interval
        if unit and interval is not None:
            interval = replace(interval, method=interval.method.replace("cluster", unit))
        assert (found.value, interval) == (expected.value, expected.interval)
        return
    assert found.value == pytest.approx(expected.value, rel=1e-12, abs=1e-12)
    assert numbers(found.interval) == pytest.approx(numbers(expected.interval), rel=1e-9, abs=1e-12)


def numbers(interval: Interval | None) -> list[float]:
    return [] if interval is None else [interval.low, interval.high]


def on_table(
    name: str, *, positive: Any, weights: Any, prevalence: Any = None
) -> Callable[..., Result]:
    """The public function of a table metric, told what its record needs."""
    function: Callable[..., Result] = getattr(metrics, name)
    takes = inspect.signature(function).parameters
    needed = {"positive": positive, "weights": weights, "prevalence": prevalence}
    if name == "krippendorff_alpha":
        needed["difference"] = "ordinal"
    if name == "cohen_kappa":  # weighted, it is `weighted_kappa`
        del needed["weights"]
    told = {key: one for key, one in needed.items() if key in takes}
    return lambda *args, **more: function(*args, **told, **more)


def micro(rows: Any, judge: str) -> Mapping[str, Result]:
    """The pooled results of a judge in the declared handling, by name."""
    about = {"judge": judge, "level": "micro"}
    return {row.result.name: row.result for row in rows if dict(row.about) == about}
