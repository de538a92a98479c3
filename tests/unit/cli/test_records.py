"""Records are the same however they are declared: by the standard library, or quickly."""

from __future__ import annotations

import dataclasses
import json
import pickle
import subprocess
import sys
from copy import copy
from dataclasses import Field, FrozenInstanceError, field, replace
from typing import Any

import pytest

from goldassay.cli import records

#: What can be seen of every record of the package without making one.
SEEN = """
import dataclasses, importlib, inspect, json, pkgutil, sys
{start}
import goldassay
seen = {{}}
for module in pkgutil.walk_packages(goldassay.__path__, "goldassay."):
    if module.name.endswith("__main__") or "spark" in module.name:
        continue
    try:
        loaded = importlib.import_module(module.name)
    except ImportError:
        continue
    for name, one in vars(loaded).items():
        if not (isinstance(one, type) and dataclasses.is_dataclass(one)):
            continue
        if one.__module__ != module.name:
            continue
        parameters = [
            (p.name, str(p.kind), p.default is not p.empty)
            for p in inspect.signature(one).parameters.values()
        ]
        seen[f"{{module.name}}.{{name}}"] = [
            parameters, one.__hash__ is None, "__slots__" in vars(one), list(one.__match_args__),
            "__setattr__" in vars(one), "__repr__" in vars(one), "__eq__" in vars(one),
            "__getstate__" in vars(one), [f.name for f in dataclasses.fields(one)],
        ]
print(json.dumps(seen))
"""
QUICK = "from goldassay.cli.records import quick_records; quick_records()"


def _seen(start: str) -> dict[str, Any]:
    code = SEEN.format(start=start)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_every_record_of_the_package_is_the_same() -> None:
    standard, quick = _seen(""), _seen(QUICK)
    assert len(standard) > 400
    assert quick == standard


class Frozen:
    """A pair."""

    first: int
    second: list[int] = field(default_factory=list)
    kept: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)
    last: str = "z"

    def __post_init__(self) -> None:
        self.kept["made"] = self.first


class Open:
    """What may be changed."""

    first: int
    last: str = "z"


def _declared(cls: type, decorate: Any, **options: bool) -> Any:
    """A copy of a class, as if goldassay had declared it."""
    kept = {key: one for key, one in vars(cls).items() if key not in ("__dict__", "__weakref__")}
    # A field remembers the class that it was declared in.
    fresh = {key: copy(one) if isinstance(one, Field) else one for key, one in kept.items()}
    fresh["__module__"] = records.__name__
    made = decorate(**options)(type(cls.__name__, (), fresh))
    made.__module__, made.__qualname__ = __name__, f"Made{cls.__name__}"
    return made


@pytest.mark.parametrize("decorate", [dataclasses.dataclass, records.dataclass])
@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize("kw_only", [True, False])
def test_a_frozen_record(
    decorate: Any, slots: bool, kw_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _declared(Frozen, decorate, frozen=True, slots=slots, kw_only=kw_only)
    one = made(first=1, last="y")
    assert repr(one) == "MadeFrozen(first=1, second=[], last='y')"
    assert one == made(first=1, last="y") != made(first=2, last="y")
    assert one != Frozen()
    assert one.second is not made(first=1).second
    assert one.kept == {"made": 1}
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'first'"):
        one.first = 3
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'first'"):
        del one.first
    with pytest.raises(TypeError):
        made()
    with pytest.raises(TypeError):
        made(first=1, kept={})
    changed = replace(one, second=[4])
    assert (changed.second, changed.last) == ([4], "y")
    assert len({replace(one, second=()), made(first=1, second=(), last="y")}) == 1
    if kw_only:
        with pytest.raises(TypeError):
            made(1)
    else:
        assert made(1, [2]).second == [2]
    monkeypatch.setitem(globals(), "MadeFrozen", made)
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("decorate", [dataclasses.dataclass, records.dataclass])
def test_an_open_record(decorate: Any) -> None:
    one = _declared(Open, decorate)(1)
    one.first = 5
    assert (one.first, one.last) == (5, "z")
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_others_are_declared_as_before() -> None:
    @records.dataclass(frozen=True)
    class Elsewhere:
        value: int

    assert Elsewhere.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert Elsewhere(1) == Elsewhere(value=1)
