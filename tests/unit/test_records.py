"""A record does what a dataclass of the standard library does."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar

import pytest

from goldassay import records


def made(decorator: Callable[..., Any], **options: bool) -> Any:
    """The same class by either decorator."""

    @decorator(**options)
    class Study:
        """A study."""

        name: str
        parts: tuple[int, ...] = (1, 2)
        notes: list[str] = field(default_factory=list)
        seen: int = field(default=0, compare=False, repr=False)
        later: int = field(init=False, default=7)
        KIND: ClassVar[str] = "study"

        def __post_init__(self) -> None:
            if not self.name:
                raise ValueError("a study has a name")

    return Study


OPTIONS = (
    {"frozen": True, "slots": True},
    {"frozen": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"slots": True},
    {},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_record_is_made_shown_and_compared_alike(options: dict[str, bool]) -> None:
    ours, theirs = made(records.dataclass, **options), made(dataclasses.dataclass, **options)
    signature = str(inspect.signature(ours)).replace(" object at", "")
    assert signature.split("notes")[0] == str(inspect.signature(theirs)).split("notes")[0]
    assert ours.__init__.__annotations__ == theirs.__init__.__annotations__
    assert [one.name for one in fields(ours)] == [one.name for one in fields(theirs)]
    assert hasattr(ours(name="a"), "__dict__") == hasattr(theirs(name="a"), "__dict__")
    for given in ({"name": "a"}, {"name": "b", "parts": (3,), "notes": ["x"], "seen": 4}):
        one, other = ours(**given), theirs(**given)
        assert repr(one) == repr(other)
        assert dataclasses.asdict(one) == dataclasses.asdict(other)
        assert one == ours(**given)
        assert one != ours(name="c")
        assert one != other
        assert one == replace(one, seen=9)
    first, second = ours(name="a"), ours(name="a")
    assert first.notes is not second.notes
    with pytest.raises(ValueError, match="has a name"):
        ours(name="")
    with pytest.raises(TypeError, match="missing 1 required"):
        ours()
    if "kw_only" in options:
        with pytest.raises(TypeError, match="positional"):
            ours("a")


@records.dataclass(frozen=True, slots=True)
class Place:
    x: float
    y: float = 0.0


@records.dataclass(frozen=True, slots=True)
class NamedPlace(Place):
    name: str = ""


def test_a_frozen_record_stays_as_it_is() -> None:
    place = NamedPlace(1.0, name="here")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        place.x = 2.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del place.x  # type: ignore[misc]
    assert hash(place) == hash((1.0, 0.0, "here"))
    assert {place: 1}[NamedPlace(1.0, 0.0, "here")] == 1
    for again in (pickle.loads(pickle.dumps(place)), copy.deepcopy(place), copy.copy(place)):
        assert again == place
        assert type(again) is NamedPlace


def test_either_kind_stands_below_the_other() -> None:
    @dataclasses.dataclass(frozen=True)
    class Below(Place):
        z: float = 1.0

    @records.dataclass(frozen=True)
    class Lowest(Below):
        w: float = 2.0

    assert repr(Lowest(0.0)).endswith("Lowest(x=0.0, y=0.0, z=1.0, w=2.0)")
    for one, name in ((Below(0.0), "z"), (Lowest(0.0), "w"), (Lowest(0.0), "x")):
        with pytest.raises(FrozenInstanceError):
            setattr(one, name, 3.0)
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):

        @records.dataclass
        class Loose(Place):  # type: ignore[misc]
            pass


def test_what_cannot_be_frozen_cannot_be_a_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(made(records.dataclass)("a"))


def test_a_class_below_a_record_has_attributes_of_its_own() -> None:
    class Marked(Place):
        mark: str

    marked = Marked(1.0)
    marked.mark = "m"
    assert marked.mark == "m"
    with pytest.raises(FrozenInstanceError):
        marked.y = 1.0  # type: ignore[misc]


def test_equal_numbers_that_are_none_are_equal_in_one_record() -> None:
    """As tuples are: the same NaN equals itself."""
    nan = float("nan")
    one, other = Place(nan), Place(nan)
    assert one == other

    @records.dataclass(frozen=True)
    class One:
        x: float

    alone, again = One(nan), One(nan)
    assert alone == again
    assert hash(One(2.0)) == hash((2.0,))


def test_methods_of_a_class_itself_stay() -> None:
    @records.dataclass(frozen=True)
    class Own:
        x: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "own"

    assert Own(1) == 3
    assert hash(Own(1)) == 5
    assert repr(Own(1)) == "own"
