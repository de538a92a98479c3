"""What is declared of files: the options of the command, or the arguments of Python.

In Python a mapping says `WHO=WHAT` without a sign, a tuple a composite key, and a list what the
command says by an option given again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from goldassay.errors import UsageError, shown
from goldassay.frozen import dataclass
from goldassay.read.patterns import KINDS

__all__ = ["Arguments", "Said", "Where", "arguments", "from_options", "options_of"]

#: Options that name columns, and those whose texts are COLUMN=VALUE.
COLUMNS = ("item", "value", "criterion", "rater", "system", "opponent", "votes")
WHERE = ("only", "exclude")
#: Texts of a column, and the values that are asked for.
Where = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """One text of --human, --judge or --reference; `what` where Python gave it apart."""

    kind: str
    who: str
    what: str | None = None

    @property
    def option(self) -> str:
        """As it is written on the command line."""
        return f"--{self.kind} {self.who}" + ("" if self.what is None else f"={self.what}")


@dataclass(frozen=True)
class Arguments:
    """All that is declared; each text as it was written."""

    raters: tuple[Said, ...] = ()
    item: tuple[str | tuple[str, ...], ...] = ()
    value: tuple[str, ...] = ()
    criterion: tuple[str, ...] = ()
    rater: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    opponent: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    rows: str | None = None
    only: tuple[Where, ...] = ()
    exclude: tuple[Where, ...] = ()
    label: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.raters or self.rows or any(getattr(self, name) for name in COLUMNS))

    def texts(self, name: str) -> tuple[str, ...]:
        """What an option that names columns says; a tuple with commas between."""
        given = getattr(self, name)
        return tuple(one if isinstance(one, str) else ",".join(one) for one in given)


def arguments(**given: Any) -> Arguments:
    """The arguments of Python, or the options of the command by their names.

    >>> found = arguments(human="label", judge={"judge": "verdict"}, item=("id", "turn"))
    >>> [one.option for one in found.raters], found.item
    (['--human label', '--judge judge=verdict'], (('id', 'turn'),))
    """
    unknown = set(given) - {*KINDS, *COLUMNS, *WHERE, "rows", "label"}
    if unknown:
        raise UsageError(f"{min(unknown)}=", "is not an argument that declares a column")
    made: dict[str, Any] = {name: _texts(given.get(name), name) for name in COLUMNS[1:]}
    made["item"] = _items(given.get("item"))
    made["raters"] = tuple(one for kind in KINDS for one in _said(given.get(kind), kind))
    made |= {name: _where(given.get(name), name) for name in WHERE}
    made["rows"] = _rows(given.get("rows"))
    made["label"] = _labels(given.get("label"))
    return Arguments(**made)


def _several(given: Any) -> list[Any]:
    if given is None:
        return []
    return list(given) if isinstance(given, list | tuple | set | frozenset) else [given]


def _text(given: Any, name: str) -> str:
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise UsageError(f"{name}=", "must name a column", found=shown(given))
    if not str(given).strip():
        raise UsageError(f"--{name}", "must name a column, and is empty")
    return str(given)


def _texts(given: Any, name: str) -> tuple[str, ...]:
    return tuple(_text(one, name) for one in _several(given))


def _items(given: Any) -> tuple[str | tuple[str, ...], ...]:
    """Keys: a tuple is one key of several columns, a list is keys of several files."""
    if isinstance(given, tuple):
        return (tuple(_text(one, "item") for one in given),)
    return tuple(
        tuple(_text(part, "item") for part in one) if isinstance(one, tuple) else _text(one, "item")
        for one in _several(given)
    )


def _said(given: Any, kind: str) -> Iterable[Said]:
    for one in [given] if isinstance(given, Mapping) else _several(given):
        if isinstance(one, Mapping):
            for who, what in one.items():
                yield Said(kind, _text(who, kind), ",".join(_texts(what, kind)))
        else:
            yield Said(kind, _text(one, kind))


def _where(given: Any, option: str) -> tuple[Where, ...]:
    """Columns and the values asked for: those of one column are alternatives."""
    found: dict[str, tuple[str, ...]] = {}
    if isinstance(given, Mapping):
        for column, asked in given.items():
            found[str(column)] = tuple(map(str, _several(asked)))
        return tuple(found.items())
    for text in _several(given):
        column, sign, value = str(text).partition("=")
        if not sign or not column.strip():
            raise UsageError(f"--{option}", "must be COLUMN=VALUE", found=shown(text))
        found[column.strip()] = (*found.get(column.strip(), ()), value.strip())
    return tuple(found.items())


def _rows(given: Any) -> str | None:
    several = _several(given)
    if len(several) > 1:
        raise UsageError("--rows", "is given once", found=shown(given))
    return _text(several[0], "rows") if several else None


def _labels(given: Any) -> tuple[tuple[str, str], ...]:
    if isinstance(given, Mapping):
        return tuple((str(one), str(other)) for one, other in given.items())
    pairs = []
    for text in _several(given):
        for part in str(text).split(","):
            one, sign, other = part.partition("=")
            if not sign or not one.strip() or not other.strip():
                raise UsageError("--label", "must be FROM=TO", found=shown(part))
            pairs.append((one.strip(), other.strip()))
    return tuple(pairs)


def options_of(declared: Arguments) -> list[str]:
    """The options of the command that say the same, in the order in which people say them.

    >>> import shlex
    >>> shlex.join(options_of(arguments(item="id", human=["a", "b c"], exclude={"a": "N/A"})))
    "--item id --human a --human 'b c' --exclude a=N/A"
    """
    words: list[str] = [] if declared.rows is None else ["--rows", declared.rows]
    for text in declared.texts("item"):
        words += ["--item", text]
    for said in declared.raters:
        option, _, text = said.option.partition(" ")
        words += [option, text]
    for name in COLUMNS[1:]:
        for text in declared.texts(name):
            words += [f"--{name}", text]
    for name in WHERE:
        for column, values in getattr(declared, name):
            for value in values:
                words += [f"--{name}", f"{column}={value}"]
    for one, other in declared.label:
        words += ["--label", f"{one}={other}"]
    return words


def from_options(words: Sequence[str]) -> Arguments:
    """The arguments that options of the command say.

    >>> from_options(["--item", "id", "--human", "a=b"]) == arguments(item="id", human="a=b")
    True
    """
    given: dict[str, list[str]] = {}
    for option, text in zip(words[::2], words[1::2], strict=True):
        given.setdefault(option.removeprefix("--"), []).append(text)
    return arguments(**given)
