"""Frozen dataclasses whose making does not hold up a command that needs a few hundred of them.

The standard library compiles some seven functions for each frozen class. All but
`__init__` are the same for every class and stand here. What else `dataclasses` does with a class
(`fields`, `replace`, `asdict`, matching) it does with these: they are its own, left bare.
"""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

__all__ = ["dataclass"]

Made = TypeVar("Made")


@overload
def dataclass(cls: type[Made], /) -> type[Made]: ...
@overload
def dataclass(
    *, frozen: bool = ..., slots: bool = ..., kw_only: bool = ...
) -> Callable[[type[Made]], type[Made]]: ...


@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, kw_only: bool = False
) -> Any:
    """As that of the standard library.

    >>> @dataclass(frozen=True, slots=True)
    ... class Point:
    ...     "A place."
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), hash(Point(1)) == hash(Point(1))
    (Point(x=1, y=0), True, True)
    >>> Point(1).x = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """
    if not frozen:
        plain = dataclasses.dataclass(slots=slots, kw_only=kw_only)
        return plain if cls is None else plain(cls)

    def made(cls: type) -> type:
        own = vars(cls)
        written = {name for name in _SHARED if own.get(name) is not None}
        begins = "__init__" in own
        bare: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
        )(cls)
        for name, function in (_SHARED | (_PICKLED if slots else {})).items():
            if name not in written:
                setattr(bare, name, function)
        bare._compared_by = staticmethod(_compared(bare))
        if not begins:
            bare.__init__ = _init(bare)
        return bare  # type: ignore[no-any-return]

    return made if cls is None else made(cls)


def _compared(cls: Any) -> Callable[[Any], Any]:
    """What makes two of a class equal."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else lambda _: ()


def _init(cls: Any) -> Any:
    """The one function that depends on the fields; it sets them past `__setattr__`."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING}
    takes = ["self"]
    named: list[str] = []
    body: list[str] = []
    for field in dataclasses.fields(cls):
        name, given = field.name, field.name
        if field.default_factory is not MISSING:
            known[f"_make_{name}"] = field.default_factory
            made = f"_make_{name}()"
            taken, given = f"{name}=_MISSING", f"{made} if {name} is _MISSING else {name}"
            given = given if field.init else made
        elif field.default is not MISSING:
            known[f"_default_{name}"] = field.default
            taken = f"{name}=_default_{name}"
        else:
            taken = name
        if field.init:
            (named if field.kw_only else takes).append(taken)
        if field.init or given != name:
            body.append(f" _set(self, {name!r}, {given})")
    body += [" self.__post_init__()"] * hasattr(cls, "__post_init__")
    signature = ", ".join([*takes, *(["*", *named] if named else [])])
    exec(f"def __init__({signature}):\n" + "\n".join(body or [" pass"]), known)
    init = known["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    init.__annotations__ = {one.name: one.type for one in dataclasses.fields(cls) if one.init}
    return init


# --- what all of them share -------------------------------------------------------------------


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self._compared_by(self) == self._compared_by(other)


def _hash(self: Any) -> int:
    return hash(self._compared_by(self))


def _shown(self: Any) -> str:
    fields = (field.name for field in dataclasses.fields(self) if field.repr)
    cells = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
    return f"{self.__class__.__qualname__}({cells})"


def _no_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _stated(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_SHARED: dict[str, Any] = {
    "__eq__": _equal,
    "__hash__": _hash,
    "__repr__": reprlib.recursive_repr()(_shown),
    "__setattr__": _no_set,
    "__delattr__": _no_delete,
}
#: Fields in slots are not in a `__dict__` that a copy could be made from.
_PICKLED: dict[str, Any] = {"__getstate__": _state, "__setstate__": _stated}
