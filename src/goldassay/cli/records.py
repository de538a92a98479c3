"""Records that are quick to declare, in a process that is the command's alone.

A verb loads some hundreds of `dataclasses.dataclass`, and the standard one compiles up to six
methods of text for each: that was a sixth of the answer about a small table. Here only `__init__`
is compiled; the others are functions over the names of the fields. A test holds every record of
the package equal under both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import Any

__all__ = ["dataclass", "quick_records"]

_standard = dataclasses.dataclass


def quick_records() -> None:
    """From now on goldassay's records are declared quickly; everybody else's as before."""
    dataclasses.dataclass = dataclass  # type: ignore[assignment]


def dataclass(cls: type | None = None, /, **options: bool) -> Any:
    """`dataclasses.dataclass`, for the options that goldassay's records have."""

    def declared(cls: type) -> type:
        own = cls.__module__.partition(".")[0] == "goldassay"
        if not own or not options.keys() <= {"frozen", "slots", "kw_only"}:
            return _standard(**options)(cls)  # type: ignore[no-any-return, call-overload]
        return _declared(cls, **options)

    return declared if cls is None else declared(cls)


def _declared(
    cls: type, *, frozen: bool = False, slots: bool = False, kw_only: bool = False
) -> type:
    written = dict(vars(cls))
    record: Any = _standard(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    parts = fields(record)
    compared = [one.name for one in parts if one.compare]
    hashed = [one.name for one in parts if (one.compare if one.hash is None else one.hash)]
    methods = {
        "__init__": _init(record, parts, frozen),
        "__repr__": _repr(parts),
        "__eq__": _eq(compared),
        "__hash__": _hash(hashed) if frozen else None,
    }
    if frozen:
        methods |= {"__setattr__": _fixed, "__delattr__": _fixed}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if written.get(name) is None:
            setattr(record, name, method)
    return record  # type: ignore[no-any-return]


def _init(record: type, parts: Sequence[Field[Any]], frozen: bool) -> Callable[..., None]:
    """The one method that is compiled: it is called most, and shows its parameters."""
    names: dict[str, Any] = {"_set": object.__setattr__}
    given: dict[bool, list[str]] = {False: [], True: []}  # by place, and by name alone
    body = []
    for one in parts:
        unset, value = f"_default_{one.name}", one.name
        made_anew = one.default_factory is not MISSING
        names[unset] = one.default_factory if made_anew else one.default
        if one.init:
            required = not made_anew and one.default is MISSING
            given[bool(one.kw_only)].append(one.name if required else f"{one.name}={unset}")
            if made_anew:
                value = f"{unset}() if {one.name} is {unset} else {one.name}"
        elif names[unset] is MISSING:
            continue
        else:
            value = f"{unset}()" if made_anew else unset
        body.append(
            f"_set(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}"
        )
    if hasattr(record, "__post_init__"):
        body.append("self.__post_init__()")
    apart = ["*"] if given[True] else []
    head = ", ".join(["self", *given[False], *apart, *given[True]])
    text = f"def __init__({head}):\n " + "\n ".join(body or ["pass"])
    made: dict[str, Any] = {}
    exec(text, names, made)
    made["__init__"].__qualname__ = f"{record.__qualname__}.__init__"
    return made["__init__"]  # type: ignore[no-any-return]


def _repr(parts: Sequence[Field[Any]]) -> Callable[[Any], str]:
    names = [one.name for one in parts if one.repr]

    def __repr__(self: Any) -> str:  # noqa: N807
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({shown})"

    return recursive_repr()(__repr__)


def _eq(names: Sequence[str]) -> Callable[[Any, Any], bool]:
    def __eq__(self: Any, other: Any) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return [getattr(self, name) for name in names] == [getattr(other, name) for name in names]

    return __eq__


def _hash(names: Sequence[str]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(tuple([getattr(self, name) for name in names]))

    return __hash__


def _fixed(self: Any, name: str, *value: Any) -> None:
    done = "assign to" if value else "delete"
    raise FrozenInstanceError(f"cannot {done} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: Sequence[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
