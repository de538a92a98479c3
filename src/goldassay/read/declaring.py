"""Files and what is declared of them, as a table of ratings."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from goldassay.errors import UsageError, listed, shown
from goldassay.frozen import dataclass
from goldassay.read.arguments import Arguments, Where
from goldassay.read.claims import Claim, Sort, claims, files_of, need, owners
from goldassay.read.contents import Content, contents, text_of, unfolded
from goldassay.read.once import labelled, once, voters
from goldassay.read.patterns import ROLES, Captured, fits, fixed, is_pattern, joined
from goldassay.read.records import LAST, ROW, Entry, File, Row, opened
from goldassay.read.table import Rating, Table
from goldassay.words import named

__all__ = ["declared_contents", "declared_table"]

#: Columns that name the item where nothing else does.
IDS = ("item_id", "id")
_NAME = re.compile(r"\{(\w+)\}")
_COUNT = re.compile(r"\d*(\.0+)?")


@dataclass(frozen=True, slots=True)
class Part:
    """A column of a file whose cells are ratings of a claim, and what its name says of them."""

    claim: Claim
    file: File
    column: str
    kept: Mapping[str, tuple[str, ...]]
    #: Whether it is one of several columns of one rater: a criterion.
    several: bool


def declared_table(source: Any, declared: Arguments) -> Table:
    """The ratings of a path, several, or a frame, by what is declared of them."""
    return declared_contents(contents(source), declared)


def declared_contents(given: Sequence[Content], declared: Arguments) -> Table:
    """The same of contents that are open."""
    return Declaration(given, declared).table()


class Declaration:
    """Files under what is declared of them: the claims, the roles of columns, what was used."""

    def __init__(self, given: Sequence[Content], declared: Arguments) -> None:
        self.declared = declared
        self.files = [opened(one, declared.rows) for one in given]
        self._by_places()
        if declared.rows and not any(file.found for file in self.files):
            raise UsageError(
                f"--rows {declared.rows}", "no file has such records", next_step=self._tops()
            )
        self.kept_names = {
            name
            for text in (part for one in declared.raters for part in (one.who, one.what or ""))
            for name in _NAME.findall(text)
        }
        self._check_columns()
        self.names = {
            name: file
            for file in self.files
            for column in self.role("rater", file)
            for _, name in file.texts(column)
        }
        self.claims = claims(self.files, declared, self.names)
        self.by_files = any(one.sort is Sort.file for one in self.claims)
        self.left_out: Counter[str] = Counter()
        self.used: dict[str, set[str]] = {file.name: set() for file in self.files}
        self.taken = {
            (file.name, column)
            for claim in self.claims
            for file in self.files
            for column, _ in self._columns_of(claim, file)
        }

    # ------------------------------------------------------------ columns
    def _by_places(self) -> None:
        """Files of text whose columns are named by their places are read without a header."""
        declared = self.declared
        texts = [*declared.texts("item"), *declared.value]
        texts += [part for one in declared.raters for part in (one.who, one.what or "")]
        parts = {part.strip() for text in texts for part in re.split(r"[,=]", text)}
        places = {part for part in parts if part.isdigit()}
        if any(not any(file.find(place) for file in self.files) for place in places):
            again = [file.content.by_place for file in self.files]
            self.files = [
                file if make is None else opened(make(), declared.rows)
                for file, make in zip(self.files, again, strict=True)
            ]

    def _tops(self) -> str:
        """The keys at the top of files of records within records."""
        roots = (file.content.root for file in self.files)
        keys = [key for root in roots if isinstance(root, dict) for key in root]
        return f"The keys at the top: {listed(list(dict.fromkeys(keys)), 10)}" if keys else ""

    def _check_columns(self) -> None:
        """Every column that an option names is one, or a `{name}`."""
        declared = self.declared
        for option in ("item", "value", "criterion", "rater", "system", "opponent", "votes"):
            for text in declared.texts(option):
                parts = [text] if any(file.has(text) for file in self.files) else text.split(",")
                asked = [part for part in parts if part.strip() not in self.kept_names]
                for part in asked if option == "item" else [text]:
                    need(self.files, f"--{option} {text}", part.strip())
        for option, where in (("only", declared.only), ("exclude", declared.exclude)):
            for column, _ in where:
                need(self.files, f"--{option} {column}", column)

    def role(self, name: str, file: File) -> list[str]:
        """The columns of a role in a file: the first that is declared and there, else the one of
        the role's own name, unless it holds ratings."""
        for text in self.declared.texts(name):
            whole = file.has(text) or is_pattern(text)
            found = [self._found(file, one, name) for one in ([text] if whole else text.split(","))]
            if all(found):
                return [column for columns in found for column in columns]
        if name not in file.columns or (file.name, name) in getattr(self, "taken", ()):
            return []
        by_key = name == "item" and bool(file.rows) and "item" in file.rows[0].keys
        return [name] if by_key or not self.declared.texts(name) else []

    def _found(self, file: File, text: str, role: str) -> list[str]:
        text = text.strip()
        columns = [column for column, _ in file.find(text)]
        return columns or ([text] if role == "item" and text in self.kept_names else [])

    def key(self, file: File, kept: Mapping[str, tuple[str, ...]]) -> list[str]:
        """The columns of the item's key; none where they are declared and not there."""
        if (found := self.role("item", file)) or self.declared.item:
            return found
        if "item" in kept:
            return []
        return [next((name for name in IDS if name in file.columns), ROW)]

    def _columns_of(self, claim: Claim, file: File) -> list[tuple[str, Captured]]:
        """The columns of a file that hold the ratings of a claim."""
        declared = self.declared
        if claim.sort is Sort.names and not file.find(claim.who):
            return []
        if claim.sort is Sort.column:
            beside = [one for one in self.claims if one.sort is Sort.column]
            return [
                (column, kept)
                for column, kept in file.find(claim.who)
                if any(one is claim for one in self._owners(beside, column, file))
            ]
        asked = (claim.what,) if claim.what else declared.votes or declared.value or ("value",)
        return [one for text in asked for one in file.find(text)]

    @staticmethod
    def _owners(beside: Sequence[Claim], column: str, file: File) -> list[Claim]:
        def hits(claim: Claim) -> bool:
            return any(name == column for name, _ in file.find(claim.who))

        return owners(beside, f"the column {named(column)}", hits)

    def _of_file(self, claim: Claim, file: File) -> bool:
        """Whether a file is a claim's, where files are raters."""
        if not self.by_files or self.names or claim.sort not in (Sort.file, Sort.rest):
            return True
        beside = [one for one in self.claims if one.sort in (Sort.file, Sort.rest)]
        owned = owners(
            beside,
            f"the file {named(file.name)}",
            lambda one: any(file is other for other, _ in files_of(self.files, one.who)),
        )
        return any(one is claim for one in owned)

    # ------------------------------------------------------------ ratings
    def table(self) -> Table:
        """All ratings, each once."""
        found: list[Rating] = []
        for file in self.files:
            for claim in self.claims:
                for part in self._parts(claim, file):
                    found += self._ratings(part)
        self._check(found)
        votes = bool(self.declared.votes)
        ratings = voters(found) if votes else once(found, self.declared, self.left_out)
        ratings = labelled(ratings, self.declared.label)
        unused = {
            file.name: tuple(c for c in file.columns if c not in self.used[file.name])
            for file in self.files
        }
        return Table(
            tuple(ratings),
            {why: n for why, n in self.left_out.items() if n},
            {name: columns for name, columns in unused.items() if columns},
            tuple(self._said(ratings)),
            self._beside(ratings),
            {file.name: file.content.digest for file in self.files},
        )

    def _beside(self, ratings: Sequence[Rating]) -> dict[tuple[str, int], dict[str, str]]:
        """What the columns that hold no ratings say in each row, but for those in lists."""
        rated = {(one.file, one.row) for one in ratings}
        if all(file.plain(c) is not None for file in self.files for c in file.columns):
            found: dict[tuple[str, int], dict[str, str]] = {}
            for file in self.files:
                free = [c for c in file.columns if (file.name, c) not in self.taken]
                cells = [file.plain(c) or [] for c in free]
                rows = zip(*cells, strict=True) if cells else iter(())
                for row, texts in zip(file.rows, rows, strict=False):
                    if (file.name, row.number) in rated:
                        found[file.name, row.number] = dict(zip(free, texts, strict=True))
            return found
        columns = {
            file.name: [c for c in file.columns if (file.name, c) not in self.taken]
            for file in self.files
        }
        return {
            (file.name, row.number): {
                column: text_of(held[0].value)
                for column in columns[file.name]
                if (held := file.entries(row, column)) and not held[0].axes
            }
            for file in self.files
            for row in file.rows
            if (file.name, row.number) in rated
        }

    def _said(self, ratings: Sequence[Rating]) -> Iterator[str]:
        for file in self.files:
            yield from file.content.told
        rated = {one.file for one in ratings}
        without = [file.name for file in self.files if file.name not in rated]
        if without:
            holds = "holds" if len(without) == 1 else "hold"
            yield f"{listed(without, 5)} {holds} no declared column of ratings: items"
        if not self.declared.votes and (again := sum(one.time > 1 for one in ratings)):
            yield f"{again:,} ratings are repeats: their rater rated the same before"

    def _parts(self, claim: Claim, file: File) -> Iterator[Part]:
        if not self._of_file(claim, file):
            return
        columns = self._columns_of(claim, file)
        rated = claim.what or self.declared.value or self.declared.votes
        here = claim.sort is not Sort.names or file.find(claim.who)
        if not columns and not rated and claim.sort is not Sort.column and here:
            raise UsageError(
                claim.option,
                f"which column of {file.name} holds the ratings is not said",
                next_step=f"Add --value COLUMN, or write {claim.who}=COLUMN; its columns: "
                f"{listed(list(file.columns))}",
            )
        of_file: Captured = {}
        if claim.sort is Sort.file:
            of_file = next((k for f, k in files_of(self.files, claim.who) if f is file), {})
        for column, kept in columns:
            both: Captured = {**of_file, **kept}
            several = len(columns) > 1 and claim.sort is not Sort.column and not both
            yield Part(claim, file, column, both, several)

    def _namer(self, part: Part) -> tuple[str | None, Callable[[Entry], str | None]]:
        """The column that names the raters of a part, and their name where there is none."""
        claim, file, sort = part.claim, part.file, part.claim.sort
        if sort is Sort.names:
            return file.find(claim.who)[0][0], lambda entry: None
        if sort in (Sort.rater, Sort.rest) and (column := self.role("rater", file)):
            return column[0], lambda entry: None
        if "rater" in part.kept:
            name = joined(part.kept["rater"])
            return None, lambda entry: name
        if sort is Sort.column:
            return None, self._by_column(part)
        if self.by_files and sort in (Sort.file, Sort.rest):
            name = self._file_name(file)
            return None, lambda entry: name
        own = claim.who if sort in (Sort.own, Sort.rater) else None
        return None, lambda entry: own

    def _by_column(self, part: Part) -> Callable[[Entry], str]:
        """A column's own name, or the fixed text of a pattern; of a list one rater a place."""
        who, key = part.claim.who, self.key(part.file, part.kept)
        if _NAME.search(who):
            name = fixed(who).strip("_-. ") or part.column
        else:
            name = part.file.last_level(part.column) if is_pattern(who) else part.column
        shared = self._axes(part.file, key)

        def of(entry: Entry) -> str:
            if part.file.alone or _NAME.search(who):
                return name
            places = [at + 1 for axis, at in entry.axes.items() if axis not in shared]
            single = entry.size == 1 and len(places) == 1
            return name if single or not places else f"{name} {joined(map(str, places))}"

        return of

    @staticmethod
    def _axes(file: File, columns: Sequence[str]) -> set[str]:
        """The lists in which columns stand."""
        return {
            axis
            for column in columns
            for row in file.rows[:20]
            for entry in file.entries(row, column)
            for axis in entry.axes
        }

    def _file_name(self, file: File) -> str:
        """A file's stem without the words that all stems share at both ends."""
        stems = {one.name: re.split(r"[_ ]+", one.content.stem) for one in self.files}
        if len(stems) < 2:
            return file.content.stem
        words = stems[file.name]
        first = _alike([*stems.values()])
        last = _alike([one[::-1] for one in stems.values()])
        return "_".join(words[first : len(words) - last]) or file.content.stem

    def _ratings(self, part: Part) -> Iterator[Rating]:
        file, claim = part.file, part.claim
        key = self.key(file, part.kept)
        if not key and "item" not in part.kept:
            raise UsageError(
                f"--item {' / '.join(self.declared.texts('item'))}",
                f"{file.name} has ratings and none of these columns",
                next_step="Say its key by --item once more; its columns: "
                f"{listed(list(file.columns))}",
            )
        namer, name_of = self._namer(part)
        roles = {role: self.role(role, file)[:1] for role in ROLES[2:]}
        beside = [*key, *([namer] if namer else []), *(c for one in roles.values() for c in one)]
        self.used[file.name].update([part.column, *beside])
        about = About(self, part, key, roles)
        by_names = [one for one in self.claims if one.sort in (Sort.rater, Sort.rest)]
        texts = {column: file.plain(column) for column in (part.column, *beside)}
        if about.plain(texts):
            owned = functools.cache(lambda by: self._owns(claim, by_names, by))
            named_by = texts[namer] if namer else None
            all_own = claim.sort is Sort.names
            yield from about.rows(texts, named_by, lambda by: all_own or owned(by), name_of)
            return
        for row in file.rows:
            cells = {column: Cells(file.entries(row, column)) for column in beside}
            for entry in file.entries(row, part.column):
                by = name_of(entry)
                if namer:
                    by = text_of(about.beside(row, cells[namer], namer, entry)) or None
                    if by is None:
                        self.left_out["no rater is named"] += 1
                        continue
                    if claim.sort is not Sort.names and not self._owns(claim, by_names, by):
                        continue
                yield from about.ratings(row, cells, entry, by)

    @staticmethod
    def _owns(claim: Claim, beside: Sequence[Claim], rater: str) -> bool:
        owned = owners(beside, f"the rater {named(rater)}", lambda one: fits(rater, one.who))
        return any(one is claim for one in owned)

    def values(self, part: Part, row: Row, entry: Entry) -> list[str]:
        """The values of a cell; an option as often as it is counted."""
        texts = [text_of(value) for value in _flat(unfolded(entry.value))]
        if self.declared.votes:
            (count,) = texts or [""]
            if not _COUNT.fullmatch(count):
                raise UsageError(
                    f"--votes {part.column}",
                    f"row {row.number} of {part.file.name} holds no count",
                    found=shown(entry.value),
                )
            option = part.kept.get("option", (part.file.last_level(part.column),))
            return [joined(option)] * int(float(count or 0))
        filled = [text for text in texts if text]
        if not filled:
            self.left_out["empty cells"] += 1
        return filled

    def dropped(self, file: File, row: Row, criterion: str, axes: Mapping[str, int]) -> str | None:
        """Why a rating is not looked at, by --only and --exclude."""
        for column, wanted in self.declared.only:
            if self._holds((column, wanted), file, row, criterion, axes) is False:
                return "not asked for (--only)"
        for column, wanted in self.declared.exclude:
            if self._holds((column, wanted), file, row, criterion, axes):
                return "asked to be left out (--exclude)"
        return None

    def _holds(
        self, where: Where, file: File, row: Row, criterion: str, axes: Mapping[str, int]
    ) -> bool | None:
        """Whether a column has one of the values in a row; None where the file has no such."""
        column = where[0].replace("{criterion}", criterion)
        if not file.has(column):
            return None
        self.used[file.name].add(column)
        wanted = {way for value in where[1] for way in (value, value.lower())}
        texts = [
            text_of(entry.value)
            for entry in file.entries(row, column)
            if all(axes.get(axis, at) == at for axis, at in entry.axes.items())
        ]
        return any(text in wanted for text in texts or [""])

    def _check(self, found: Sequence[Rating]) -> None:
        """Every option has ratings, every rater an option, and some item two raters."""
        there = {one.option for one in found}
        for claim in self.claims:
            if claim.option not in there:
                empty = self.left_out["empty cells"]
                why = f"; {empty:,} cells are empty" if empty else ""
                raise UsageError(claim.option, f"no rating is theirs{why}")
        narrowed = self.declared.only or self.declared.exclude
        left = sorted(set(self.names) - {one.rater for one in found if one.rater})
        if left and not narrowed and any(one.sort is Sort.rater for one in self.claims):
            raise UsageError(
                "--human, --judge, --reference",
                f"one of them must say whose the ratings of {listed(left, 5)} are",
                next_step=f"Or leave them out, as --exclude "
                f"'{self.role('rater', self.files[0])[0]}={left[0]}'",
            )
        raters: dict[object, set[str | None]] = {}
        for one in found:
            raters.setdefault(one.unit, set()).add(one.rater)
        alone = len({one.rater for one in found}) > 1 and max(map(len, raters.values())) < 2
        if alone and not self.declared.item and not self.declared.votes:
            raise UsageError(
                "--item",
                "must be given: every row is an item of its own, and no item has two raters",
                next_step=f"The columns: {listed(list(self.files[0].columns))}",
            )


class Cells:
    """The values of a column in a row, to be looked up by the places of another."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.axes = tuple(entries[0].axes) if entries else ()
        self.size = entries[0].size if entries else 0
        self.by_place = {tuple(one.axes.get(a) for a in self.axes): one for one in entries}

    def at(self, axes: Mapping[str, int]) -> Any:
        """The value at the same places; None where there is none."""
        found = self.by_place.get(tuple(axes.get(axis) for axis in self.axes))
        return None if found is None else found.value


class About:
    """What the ratings of a part are about: item, criterion, system and opponent of each."""

    def __init__(
        self, of: Declaration, part: Part, key: Sequence[str], roles: Mapping[str, list[str]]
    ) -> None:
        self.of, self.part, self.key, self.roles = of, part, key, roles
        alone = key == [ROW] and not of.declared.item and "item" not in part.kept
        #: Rows without a key are those of their file; places in its one record are items.
        self.own = (part.file.name,) if alone and len(of.files) > 1 else ()
        self.places = alone and part.file.alone
        known = {"item", "rater", "criterion", "system", "opponent", "option"}
        kept = {name: joined(texts) for name, texts in part.kept.items()}
        self.more = {name: text for name, text in kept.items() if name not in known}
        self.kept = kept

    def plain(self, texts: Mapping[str, list[str] | None]) -> bool:
        """Whether each row has one text in each column, and all rows are looked at."""
        declared = self.of.declared
        whole = not (declared.votes or declared.only or declared.exclude or self.places)
        return whole and None not in texts.values() and all(name in texts for name in self.key)

    def rows(
        self,
        texts: Mapping[str, list[str] | None],
        names: Sequence[str] | None,
        owned: Callable[[str], bool],
        name_of: Callable[[Entry], str | None],
    ) -> Iterator[Rating]:
        """The ratings of a plain column, row by row."""
        part, left_out = self.part, self.of.left_out
        values = texts[part.column] or []
        nothing: list[str] = [""] * len(values)

        def column(role: str) -> list[str]:
            return next((texts[name] or nothing for name in self.roles[role]), nothing)

        keys = zip(*(texts[name] or nothing for name in self.key), strict=True)
        items = list(keys) if self.key else [()] * len(values)
        before = (*self.own, *part.kept.get("item", ()))
        by = name_of(Entry({}, None))
        single = part.several and not self.roles["criterion"]
        several = part.file.last_level(part.column) if single else None
        criteria, systems, opponents = map(column, ("criterion", "system", "opponent"))
        for at, value in enumerate(values):
            if names is not None:
                by = names[at] or None
                if by is None:
                    left_out["no rater is named"] += 1
                    continue
                if not owned(by):
                    continue
            item = (*before, *items[at])
            if not any(item):
                left_out["rows without a key"] += 1
            elif not value:
                left_out["empty cells"] += 1
            else:
                yield Rating(
                    part.claim.kind,
                    by,
                    value,
                    item,
                    self.kept.get("criterion") or criteria[at] or several,
                    self.kept.get("system") or systems[at] or None,
                    self.kept.get("opponent") or opponents[at] or None,
                    self.more,
                    part.file.name,
                    part.file.rows[at].number,
                    part.column,
                    part.claim.option,
                    part.claim.sort is Sort.column,
                )

    def beside(self, row: Row, cells: Cells, column: str, entry: Entry) -> Any:
        """What stands beside a rating in another column; lists go side by side."""
        if LAST in cells.axes and cells.size != entry.size:
            file = self.part.file.name
            raise UsageError(
                f"{file}, row {row.number}",
                f"lists side by side must have one length: {column} has {cells.size} elements, "
                f"{self.part.column} {entry.size or 1}",
            )
        return cells.at(entry.axes)

    def ratings(
        self, row: Row, cells: Mapping[str, Cells], entry: Entry, by: str | None
    ) -> Iterator[Rating]:
        """The ratings of a cell; none where it is left out."""
        part, file = self.part, self.part.file
        criterion = self._criterion(row, cells, entry)
        why = self.of.dropped(file, row, criterion or part.column, entry.axes)
        item = () if why else self._item(row, cells, entry)
        if why is None and not any(item):
            why = "rows without a key"
        if why is not None:
            self.of.left_out[why] += 1
            return
        sides = {
            role: self.kept.get(role)
            or (text_of(self.beside(row, cells[c], c, entry)) or None if (c := name) else None)
            for role, name in ((r, next(iter(self.roles[r]), "")) for r in ("system", "opponent"))
        }
        for value in self.of.values(part, row, entry):
            yield Rating(
                part.claim.kind,
                by,
                value,
                item,
                None if self.of.declared.votes else criterion,
                sides["system"],
                sides["opponent"],
                self.more,
                file.name,
                row.number,
                part.column,
                part.claim.option,
                part.claim.sort is Sort.column,
            )

    def _criterion(self, row: Row, cells: Mapping[str, Cells], entry: Entry) -> str | None:
        if "criterion" in self.kept:
            return self.kept["criterion"]
        for column in self.roles["criterion"]:
            return text_of(self.beside(row, cells[column], column, entry)) or None
        return self.part.file.last_level(self.part.column) if self.part.several else None

    def _item(self, row: Row, cells: Mapping[str, Cells], entry: Entry) -> tuple[str, ...]:
        kept = self.part.kept.get("item", ())
        parts: list[str] = [*self.own, *kept]
        for column in self.key:
            if column not in self.part.file.columns and column in self.part.kept:
                parts.append(self.kept[column])
                continue
            held = cells[column]
            if LAST in held.axes and held.size != entry.size:  # a list that is a composite key
                parts += [text_of(one) for each in held.entries for one in _flat(each.value)]
            else:
                parts += [text_of(one) for one in _flat(held.at(entry.axes))]
        if self.places:
            parts += [str(at + 1) for at in entry.axes.values()]
        return tuple(parts)


def _alike(words: Sequence[Sequence[str]]) -> int:
    """How many words all begin with."""
    return next(
        (at for at, same in enumerate(zip(*words, strict=False)) if len(set(same)) > 1),
        min(map(len, words)),
    )


def _flat(value: Any) -> Iterator[Any]:
    """A value, or those in lists of lists; a record is none."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _flat(one)
    elif not isinstance(value, dict):
        yield value
