"""Whose ratings each text of --human, --judge and --reference names, by a fixed precedence.

1. The whole text as a column; then as a pattern; then split at commas; then at its first `=`.
2. A column, else a rater's name, else a file; `column:`, `rater:`, `file:` force one.
3. What several texts fit belongs to the whole name, then to the pattern with most fixed text, then
   to `'*'`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain

from goldassay.errors import UsageError, listed, nearest
from goldassay.frozen import dataclass
from goldassay.read.arguments import Arguments, Said
from goldassay.read.patterns import Captured, fits, fixed, is_pattern, matched
from goldassay.read.records import File
from goldassay.words import named

__all__ = ["REST", "Claim", "Sort", "claims", "files_of", "need", "owners"]

#: Everyone else.
REST = "*"
_FORCED = re.compile(r"(column|rater|file):(.+)", re.DOTALL)


class Sort(StrEnum):
    """What a text names: a column of ratings, one of raters' names, a rater in one, a file, a rater
    whose name stands in no file, or everyone else."""

    column = "column"
    names = "names"
    rater = "rater"
    file = "file"
    own = "own"
    rest = "rest"


@dataclass(frozen=True, slots=True)
class Claim:
    """Whose ratings are claimed for a kind, and which columns hold them, where that is said."""

    said: Said
    sort: Sort
    who: str
    what: str | None = None

    @property
    def kind(self) -> str:
        return self.said.kind

    @property
    def option(self) -> str:
        return self.said.option

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Where it stands among those that fit one thing: the first has it."""
        return (self.sort is Sort.rest, is_pattern(self.who), -len(fixed(self.who)))


def files_of(files: Sequence[File], text: str) -> list[tuple[File, Captured]]:
    """The files that a text names, by name, name without ending, or path."""
    ways = [(file, (file.name, file.content.stem, file.content.path)) for file in files]
    if exact := [file for file, names in ways if text in names]:
        return [(file, {}) for file in exact]
    hits = ((file, matched(names, text)) for file, names in ways)
    return [(file, next(iter(found.values()))) for file, found in hits if found]


def need(files: Sequence[File], option: str, text: str) -> None:
    """An error where a part of a text is no column of any file."""
    whole = any(file.has(text) for file in files)
    for part in [text] if whole else text.split(","):
        if not any(file.find(part.strip()) for file in files):
            raise _no_such(files, option, part.strip(), "column", ())


def owners(claimed: Sequence[Claim], thing: str, hits: Callable[[Claim], bool]) -> list[Claim]:
    """Of the claims that fit a thing those that have it; an error where they are of two kinds."""
    fitting = [one for one in claimed if one.sort is Sort.rest or hits(one)]
    first = min((one.rank for one in fitting), default=None)
    own = [one for one in fitting if one.rank == first]
    if len({one.kind for one in own}) > 1:
        raise UsageError(
            " and ".join(dict.fromkeys(one.option for one in own)),
            f"both claim {thing}",
            next_step="Write its whole name for one of them",
        )
    return own


def claims(files: Sequence[File], declared: Arguments, names: Mapping[str, File]) -> list[Claim]:
    """The claims of all options; `names` are those of raters in their column."""
    if not declared.raters:
        raise UsageError(
            "--human, --judge, --reference",
            "one of them must say whose the ratings are",
            next_step=f"The columns: {_columns(files)}",
        )
    found = [claim for said in declared.raters for claim in _of(said, files, declared, names)]
    by_value = [one for one in found if one.sort is Sort.names and one.what is None]
    if len(by_value) > 1:
        both = " and ".join(named(one.who) for one in by_value)
        raise UsageError(
            f"--value {declared.value[0]}",
            f"{both} would both name its rater in a row",
            next_step="Write NAMES=VALUES for each, and without --value what holds ratings itself",
        )
    told = all(one.what is not None or one.sort is Sort.column for one in found)
    if declared.value and told:
        raise UsageError(
            f"--value {declared.value[0]}", "every option says itself what its ratings are"
        )
    return found


def _of(
    said: Said, files: Sequence[File], declared: Arguments, names: Mapping[str, File]
) -> Iterator[Claim]:
    """The claims of one text."""
    if said.what is not None:
        yield _who_and_what(said, said.who, said.what, files, names)
        return
    sort, body = _sort(said.who, files, names)
    if sort is None and "," in said.who:
        parts = [_sort(part.strip(), files, names) for part in said.who.split(",")]
        if all(one for one, _ in parts):
            for part, of in parts:
                yield from _whole(said, part, of, declared)
            return
    if sort is None and "=" in said.who:
        who, _, what = said.who.partition("=")
        yield _who_and_what(said, who.strip(), what.strip(), files, names)
        return
    if sort is None:
        raise _no_such(files, said.option, body, "column, rater or file", names)
    yield from _whole(said, sort, body, declared)


def _whole(said: Said, sort: Sort | None, body: str, declared: Arguments) -> Iterator[Claim]:
    """A text that is one thing: beside --value, and where no column has raters, one of names."""
    if sort is Sort.column and declared.value and not declared.rater:
        sort = Sort.names
    if sort is not None:
        yield Claim(said, sort, body)


def _who_and_what(
    said: Said, who: str, what: str, files: Sequence[File], names: Mapping[str, File]
) -> Claim:
    """`WHO=WHAT`: a column of names, a file, a rater, or a name of the user's own."""
    need(files, said.option, what)
    forced = _FORCED.fullmatch(who)
    if forced and forced[1] == "rater" and forced[2] not in names:
        return Claim(said, Sort.own, forced[2], what)
    sort, body = _sort(who, files, names)
    if sort is None:
        near = [one for one in _known(files, names) if _one_letter(one, body)]
        if is_pattern(body) or near or not body:
            rule = f"no column, rater or file is called {named(body)}"
            step = f"Did you mean {named(near[0])}? " if near else ""
            step += f"A new rater is --{said.kind} 'rater:{body}={what}'" if body else ""
            raise UsageError(said.option, rule, next_step=step or None)
        sort = Sort.own
    return Claim(said, Sort.names if sort is Sort.column else sort, body, what)


def _sort(text: str, files: Sequence[File], names: Mapping[str, File]) -> tuple[Sort | None, str]:
    """What a text names, and the text without a word that forces it."""
    if text == REST:
        return Sort.rest, text
    if forced := _FORCED.fullmatch(text):
        sort, body = Sort(forced[1]), forced[2]
        there = {
            Sort.column: lambda: any(file.find(body) for file in files),
            Sort.rater: lambda: any(fits(name, body) for name in names),
            Sort.file: lambda: bool(files_of(files, body)),
        }
        return (sort if there[sort]() else None), body
    column = any(file.has(text) for file in files)
    if column and text in names:
        raise UsageError(
            text, "is a column and a rater's name", next_step=f"Write column:{text} or rater:{text}"
        )
    if column:
        return Sort.column, text
    if text in names:
        return Sort.rater, text
    if is_pattern(text) and any(file.find(text) for file in files):
        return Sort.column, text
    if is_pattern(text) and any(fits(name, text) for name in names):
        return Sort.rater, text
    return (Sort.file if files_of(files, text) else None), text


def _known(files: Sequence[File], names: Mapping[str, File]) -> list[str]:
    own = chain.from_iterable((*file.columns, file.name) for file in files)
    return list(dict.fromkeys((*own, *names)))


def _one_letter(one: str, other: str) -> bool:
    """Whether two names are the same but for one letter, or for capitals and signs.

    >>> _one_letter("human_label", "humanLabel"), _one_letter("label", "lable2")
    (True, False)
    """

    def plain(text: str) -> str:
        return re.sub(r"[\W_]", "", text).casefold()

    if plain(one) == plain(other) and plain(one):
        return True
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 3:
        return False
    operations = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    changed = [max(b - a, d - c) for tag, a, b, c, d in operations if tag != "equal"]
    return sum(changed) == 1


def _no_such(
    files: Sequence[File], option: str, text: str, what: str, names: Mapping[str, File] | tuple[()]
) -> UsageError:
    place = listed([file.name for file in files], 3)
    near = nearest(text, [*(c for file in files for c in file.columns), *names])
    step = f"Did you mean {named(near)}? " if near else ""
    has = "have" if len(files) > 1 else "has"
    return UsageError(
        option,
        f"{place} {has} no {what} {named(text)}",
        next_step=f"{step}{'Their' if len(files) > 1 else 'Its'} columns: {_columns(files)}",
    )


def _columns(files: Sequence[File]) -> str:
    return listed(list(dict.fromkeys(c for file in files for c in file.columns)), 20)
