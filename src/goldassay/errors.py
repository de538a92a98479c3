"""What can go wrong, and what to do about it.

    GoldassayError
    ├── InputError            the user can mend it; exit code 2
    │   ├── SourceError       a file or frame cannot be read
    │   ├── RatingsError      the table breaks a rule of the ratings table
    │   ├── TaskError         the declaration breaks a rule, or lacks what was asked for
    │   ├── UsageError        arguments that do not go together
    │   └── MissingExtraError an optional part of goldassay is not installed
    ├── Fault                 goldassay itself went wrong; exit code 3
    ├── OutputLost            writing began and could not end, as on a full disk; exit code 3
    ├── GateNotMet            a `--require` gate was not met; exit code 1
    └── GateInconclusive      what is missing could turn a gate; exit code 4

Every message names the place, the rule, the value that broke it and the next step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Self

__all__ = [
    "ConflictError",
    "Fault",
    "GateInconclusive",
    "GateNotMet",
    "GoldassayError",
    "InputError",
    "MissingExtraError",
    "OutputLost",
    "RatingsError",
    "SourceError",
    "TaskError",
    "UsageError",
    "listed",
    "nearest",
    "shown",
]


class GoldassayError(Exception):
    """Base of every error that goldassay raises on purpose."""

    exit_code = 2


class InputError(GoldassayError):
    """Input that breaks a rule: where, which rule, what was found, what to do next."""

    def __init__(
        self, place: str, rule: str, *, found: str | None = None, next_step: str | None = None
    ) -> None:
        self.place = place
        self.rule = rule
        self.found = found
        self.next_step = next_step
        message = f"{place}: {rule}"
        if found:
            message += f"; found {found}"
        message += "."
        if next_step:
            message += f" {next_step}" + ("" if next_step[-1] in ".?" else ".")
        super().__init__(message)

    def at(self, place: str) -> Self:
        """The same error, found elsewhere: a rule does not know from which file its value came."""
        moved = type(self).__new__(type(self))
        InputError.__init__(moved, place, self.rule, found=self.found, next_step=self.next_step)
        return moved


class SourceError(InputError):
    """A file, table or frame cannot be read."""


class RatingsError(InputError):
    """A table of ratings breaks a rule."""


class ConflictError(RatingsError):
    """The table says two things of one rating."""


class TaskError(InputError):
    """A task declaration breaks a rule, or does not declare what the question needs."""


class UsageError(InputError):
    """Arguments that do not go together."""


class MissingExtraError(InputError):
    """A part of goldassay that is installed on request only."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"the package {package!r}",
            "is needed for this and is not installed",
            next_step=f"Run: pip install 'goldassay[{extra}]'",
        )


class Fault(GoldassayError):  # noqa: N818 - what there is beside it is right
    """Something that nobody foresaw: what it was, and where."""

    exit_code = 3

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """The fault that an error is a sign of, with the last line of goldassay it passed."""
        trace, place = error.__traceback__, ""
        while trace is not None:
            code = trace.tb_frame.f_code
            if "goldassay" in code.co_filename:
                name = code.co_filename.rpartition("goldassay")[2][1:].replace("\\", "/")
                place = f" at {name}:{trace.tb_lineno}"
            trace = trace.tb_next
        from goldassay import __version__

        what = f"{type(error).__name__}: {error}"[:300]
        return cls(f"a fault of goldassay {__version__}, not of yours ({what}{place})")


class OutputLost(GoldassayError):  # noqa: N818 - the input was right
    """Output that began and was lost: the disk is full, a stream was closed."""

    exit_code = 3

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: output was lost ({reason}).")


class GateNotMet(GoldassayError):  # noqa: N818 - it is an outcome, not a fault
    """A required bound on a result does not hold."""

    exit_code = 1


class GateInconclusive(GoldassayError):  # noqa: N818 - it is an outcome, not a fault
    """A required bound on a result neither holds nor fails: what is not known could turn it."""

    exit_code = 4


def shown(value: object, limit: int = 80) -> str:
    """A value quoted for a message: one line, bounded, control characters escaped."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def listed(names: Collection[object], most: int = 20) -> str:
    """Names for a message, of very many the first.

    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], 2)
    ('a, b, c', 'a, b and 1 more')
    """
    first = ", ".join(_cut(str(name)) for name in islice(names, most))
    return first + (f" and {len(names) - most:,} more" if len(names) > most else "")


def _cut(name: str, limit: int = 80) -> str:
    return name if len(name) <= limit else name[: limit - 1] + "…"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, or None when none is like it."""
    candidates = {str(name).casefold(): str(name) for name in known}
    matches = get_close_matches(word[:200].casefold(), list(candidates), n=1, cutoff=0.5)
    return candidates[matches[0]] if matches else None
