"""Records are what the standard library makes of the same class."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from goldassay.frozen import dataclass


def _two(make: Callable[..., Any], **options: Any) -> type:
    @make(frozen=True, **options)
    class Two:
        """A class of two kinds of fields."""

        first: int
        seen: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)
        second: tuple[int, ...] = (1, 2)
        third: list[int] = field(default_factory=list, compare=False)

        def __post_init__(self) -> None:
            self.seen["times"] = self.seen.get("times", 0) + 1

    return Two


KINDS: list[dict[str, Any]] = [
    {},
    {"slots": True},
    {"kw_only": True},
    {"slots": True, "kw_only": True},
]


@pytest.fixture(params=KINDS, ids=str)
def pair(request: pytest.FixtureRequest) -> tuple[type, type]:
    return _two(dataclass, **request.param), _two(dataclasses.dataclass, **request.param)


def test_it_takes_shows_and_compares_as_the_library_s(pair: tuple[type, type]) -> None:
    ours, theirs = pair
    takes, wanted = (inspect.signature(kind).parameters for kind in pair)
    assert list(takes) == list(wanted)
    for name, one in takes.items():
        assert (one.kind, one.annotation) == (wanted[name].kind, wanted[name].annotation)
    for given in ({"first": 1}, {"first": 1, "second": (3,)}, {"first": 1, "third": [4]}):
        mine, other = ours(**given), theirs(**given)
        assert repr(mine) == repr(other)
        assert hash(mine) == hash(other)
        assert dataclasses.asdict(mine) == dataclasses.asdict(other)
        assert mine.seen == {"times": 1}
        same = ours(**given)
        assert mine == same != other
        assert dataclasses.replace(mine, first=2) != mine
    assert ours(first=1) == ours(first=1, third=[9]) != ours(first=1, second=())
    one, two = ours(first=1), ours(first=1)
    assert one.third is not two.third
    with pytest.raises(TypeError, match="first"):
        ours()


def test_nothing_in_it_is_set_or_deleted(pair: tuple[type, type]) -> None:
    for one in (kind(first=1) for kind in pair):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
            one.first = 2
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'first'"):
            del one.first
        assert one.first == 1


@dataclass(frozen=True, slots=True)
class Slotted:
    """Fields without a `__dict__`."""

    first: int
    rest: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Derived:
    """What a class inherits."""

    first: int


@dataclass(frozen=True)
class Deriving(Derived):
    """What it adds, and says itself."""

    second: int = 2

    def __repr__(self) -> str:
        return "mine"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Derived)

    def __hash__(self) -> int:
        return 7


@dataclass
class Plain:
    """One that is not frozen."""

    first: int


def test_it_is_copied_and_pickled() -> None:
    for one in (Slotted(1, (2, 3)), Deriving(1, 3)):
        for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert dataclasses.astuple(other) == dataclasses.astuple(one)
    inside = Slotted(1, (Slotted(2),))
    assert repr(inside).endswith("rest=(Slotted(first=2, rest=()),))")
    match inside:
        case Slotted(first, _):
            assert first == 1


def test_what_a_class_says_itself_stays() -> None:
    one = Deriving(1)
    assert (repr(one), hash(one), one == Derived(5)) == ("mine", 7, True)
    assert dataclasses.astuple(one) == (1, 2)
    plain = Plain(1)
    plain.first = 2
    assert plain == Plain(2)
