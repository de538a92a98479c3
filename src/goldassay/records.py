"""Dataclasses that are made quickly: a verb has up to 260 of them, and makes them at every start.

The standard library writes and compiles six methods of each class, a fifth of what a verb on a
small table costs. Here `__init__` alone is compiled; the others are one function each, which read
the names of the fields from the class. What a class does is the same, to the texts of its errors.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False):
        """As `dataclasses.dataclass` with these options."""

        def made(given: type) -> type:
            return _made(given, frozen=frozen, slots=slots, kw_only=kw_only)

        return made if cls is None else made(cls)


#: Stands for a default that is made anew for each record.
_MADE = object()


def _made(given: type, *, frozen: bool, slots: bool, kw_only: bool) -> type:
    own = _has_own_hash(given)
    if not given.__doc__:
        given.__doc__ = f"{given.__name__}."  # else a signature is looked for, to write one
    # A class below a frozen one must say that it is frozen, and is then the library's own affair.
    below = any("__dataclass_params__" in base.__dict__ for base in given.__mro__[1:])
    bare = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, kw_only=kw_only, frozen=frozen and below
    )
    made: Any = bare(given)
    made.__dataclass_params__.frozen = frozen
    fields = dataclasses.fields(made)
    made._compared = staticmethod(_values([one.name for one in fields if one.compare]))
    methods: dict[str, Any] = {"__repr__": _written, "__eq__": _is_equal}
    if "__init__" not in made.__dict__:
        made.__init__ = _init(made, fields, frozen=frozen)
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if frozen and slots:  # pickles and copies, which would set attributes
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name, method in methods.items():
        if name not in made.__dict__:
            setattr(made, name, method)
    if not own:
        made.__hash__ = _hash if frozen else None
    return made  # type: ignore[no-any-return]


def _has_own_hash(given: type) -> bool:
    """Whether the class was written with one: Python itself puts None beside an `__eq__`."""
    found = given.__dict__.get("__hash__", _MADE)
    return found is not _MADE and not (found is None and "__eq__" in given.__dict__)


def _init(made: type, fields: tuple[dataclasses.Field[Any], ...], *, frozen: bool) -> Any:
    """`__init__`, with each field as a parameter."""
    known: dict[str, Any] = {"_set": object.__setattr__, "_MADE": _MADE}
    places: list[str] = []
    names: list[str] = []
    body = []
    for one in fields:
        value = one.name
        if one.init:
            parameter = one.name
            if one.default is not dataclasses.MISSING:
                known[f"_default_{one.name}"] = one.default
                parameter += f"=_default_{one.name}"
            elif one.default_factory is not dataclasses.MISSING:
                known[f"_factory_{one.name}"] = one.default_factory
                parameter += "=_MADE"
                value = f"_factory_{one.name}() if {one.name} is _MADE else {one.name}"
            (names if one.kw_only else places).append(parameter)
        elif one.default_factory is not dataclasses.MISSING:
            known[f"_factory_{one.name}"] = one.default_factory
            value = f"_factory_{one.name}()"
        elif one.default is not dataclasses.MISSING:
            known[f"_default_{one.name}"] = one.default
            value = f"_default_{one.name}"
        else:
            continue  # `__post_init__` gives it
        body.append(
            f"_set(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}"
        )
    if hasattr(made, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *places, *(["*", *names] if names else [])])
    exec(f"def __init__({parameters}):\n  " + "\n  ".join(body or ["pass"]), known)
    init = known["__init__"]
    init.__qualname__, init.__module__ = f"{made.__qualname__}.__init__", made.__module__
    init.__annotations__ = {one.name: one.type for one in fields if one.init} | {"return": None}
    return init


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What reads these attributes, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


@recursive_repr()
def _written(self: Any) -> str:
    shown = (one.name for one in dataclasses.fields(self) if one.repr)
    inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{self.__class__.__qualname__}({inner})"


def _is_equal(self: Any, other: Any) -> Any:
    if other.__class__ is self.__class__:
        return self._compared(self) == self._compared(other)
    return NotImplemented


def _hash(self: Any) -> int:
    return hash(self._compared(self))


def _refuse_to_set(self: Any, name: str, value: object) -> None:
    if _is_kept(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if _is_kept(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_kept(self: Any, name: str) -> bool:
    """A class that only inherits from a record may have attributes of its own."""
    kept = self.__dataclass_fields__
    return kept is type(self).__dict__.get("__dataclass_fields__") or name in kept


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
