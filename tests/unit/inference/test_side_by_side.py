"""Parts side by side: in order, on two cores where there are two, and the same on one."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from patience import PATIENCE

from goldassay.inference import side_by_side
from goldassay.inference.side_by_side import cores, each


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "cores", lambda: 2)


@pytest.mark.usefixtures("two")
def test_two_parts_are_worked_on_at_once() -> None:
    met = threading.Barrier(2)

    def work(part: int) -> int:
        met.wait(timeout=PATIENCE)  # broken, and an error, if the other never comes
        return part * part

    assert list(each(work, [1, 2, 3, 4])) == [1, 4, 9, 16]


@pytest.mark.usefixtures("two")
def test_the_order_is_that_of_the_parts_whoever_is_first() -> None:
    second_is_there = threading.Event()

    def work(part: int) -> int:
        if part == 0:
            assert second_is_there.wait(timeout=PATIENCE)
        second_is_there.set()
        return part

    assert list(each(work, range(5))) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("number", "most"), [(1, 2), (2, 1)])
def test_one_core_or_one_at_once_is_the_caller_itself(
    number: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_by_side, "cores", lambda: number)
    mine = threading.get_ident()
    assert set(each(lambda _: threading.get_ident(), range(3), most=most)) == {mine}


@pytest.mark.usefixtures("two")
def test_what_numpy_does_about_errors_holds_in_every_part() -> None:
    with np.errstate(divide="ignore"):
        found = list(each(lambda part: float(np.float64(part) / np.float64(0)), [1, 2, 3]))
    assert found == [np.inf] * 3


@pytest.mark.usefixtures("two")
def test_an_error_is_the_callers_and_ends_the_rest() -> None:
    begun = []

    def work(part: int) -> int:
        begun.append(part)
        if part == 1:
            raise KeyError(part)
        return part

    found = each(work, range(100))
    assert next(found) == 0
    with pytest.raises(KeyError):
        list(found)
    assert len(begun) < 10


def test_a_process_knows_its_cores() -> None:
    assert cores() >= 1
