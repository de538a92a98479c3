"""Which two answers of a pair a page shows, where, and what is stored when one is chosen.

Pages and the store ask here alone: a choice between sides that nobody saw cannot be made.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from goldassay.errors import TaskError, UsageError, listed, shown
from goldassay.frozen import dataclass
from goldassay.ratings.task import Task
from goldassay.ratings.vocabulary import folded, sides_among
from goldassay.sources.two_answers import alone_among, answers_among
from goldassay.web.cases import NOT_TEXT, Cases, Texts, Unit

__all__ = ["Pairs", "Shown", "Side", "two_fields"]

#: Labels whose order says nothing: a task may well mean that the second of them is the first's.
_EITHER_WAY = frozenset({"0", "1", "-1", "baseline", "candidate", "chosen", "rejected"})


@dataclass(frozen=True, slots=True)
class Side:
    """An answer: the option that says that it is better, where it stands in the items, its text."""

    option: int
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair as a rater sees it."""

    left: Side
    right: Side

    @property
    def order(self) -> str:
        """As the column `order` of a ratings table has it."""
        return "system_first" if self.left.option < self.right.option else "opponent_first"

    @property
    def fields(self) -> str:
        """What stood left and what right, as a label keeps it."""
        return json.dumps([self.left.field, self.right.field], ensure_ascii=False)

    @property
    def mark(self) -> str:
        """Tells a page with these answers in these places from any other."""
        sides = [[one.option, one.field, one.text] for one in (self.left, self.right)]
        return hashlib.blake2b(json.dumps(sides).encode(), digest_size=8).hexdigest()


def two_fields(given: str | None) -> tuple[str, str] | None:
    """The fields that `--sides FIRST,SECOND` names."""
    if given is None:
        return None
    found = tuple(one.strip() for one in given.split(","))
    if len(found) != 2 or not all(found) or found[0] == found[1]:
        raise UsageError(
            "--sides",
            "names two fields of the items, the first system's answer first",
            found=shown(given),
            next_step="Write them as --sides output_a,output_b",
        )
    return (found[0], found[1])


class Pairs:
    """The two answers of each pair, by what the items' fields are called."""

    def __init__(
        self, task: Task, cases: Cases, texts: Texts, named: tuple[str, str] | None = None
    ) -> None:
        self._asked = task.scale == "pairwise"
        if named is not None and not self._asked:
            raise UsageError("--sides", "is for pairs", found=f"a task with scale = {task.scale!r}")
        self._task, self._texts = task, texts
        self._options = tuple(i for i, option in enumerate(task.options) if option != task.tie)
        self._units: dict[str, Unit] = dict(cases.units)
        self._contests: dict[str, Counter[tuple[str, str]]] = {}
        if not self._asked:
            return
        self._fields = tuple(dict.fromkeys(name for row in texts.rows.values() for name in row))
        if named is not None and (missing := [one for one in named if one not in self._fields]):
            raise UsageError(
                "--sides",
                "names two fields of the items",
                found=", ".join(map(shown, missing)),
                next_step=f"They have {listed(self._fields)}",
            )
        words = [task.options[index] for index in self._options]
        self._found = [named] if named else answers_among(self._fields, words)
        self._alone = None if self._found else alone_among(self._fields)
        for unit in {(u.item, u.system, u.opponent) for u in cases.units.values()}:
            self._contests.setdefault(unit[0], Counter())[unit[1:]] += 1

    def check(self, keys: Iterable[str]) -> None:
        """Refuse to label pairs of which a page could not show two answers."""
        if not self._asked:
            return
        self._check_options()
        keys = list(keys)
        missing = [self._units[key] for key in keys if self.of(self._units[key]) is None]
        if not missing:
            return
        given = [field for field in self._fields if field not in NOT_TEXT]
        ask = "Say which: --sides output_a,output_b, with your fields, the first system's first"
        where = f"{len(missing):,} of {len(keys):,} pairs"
        if not self._fields:
            rule = "both answers stand on the page, and their texts are not known"
            step = "Give them: --items FILE, with the fields output and output_b"
            raise UsageError(where, rule, next_step=step)
        if len(self._found) > 1:
            one, two = self._found[0]
            raise UsageError(
                where,
                "both answers stand on the page, and several fields may be they",
                found=listed([f"{a} and {b}" for a, b in self._found]),
                next_step=f"Say which: --sides {one},{two}",
            )
        if not self._found and self._alone is None:
            raise UsageError(
                where,
                "both answers stand on the page, and no two fields of the items are known as they",
                found=f"the fields {listed(given)}",
                next_step=ask,
            )
        lead = missing[0]
        about = f" ({lead.system} against {lead.opponent})" if lead.opponent else ""
        wanted = " and ".join(self._found[0]) if self._found else f"{self._alone} for each system"
        raise UsageError(
            where,
            f"both answers stand on the page: the items have {wanted}, and say whose they are",
            found=f"no two answers of item {shown(lead.item)}{about}",
            next_step="Add them to the items, or leave the pair out: --order LIST",
        )

    def known(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Those of the units that can be labelled."""
        return tuple(k for k in keys if not self._asked or self.of(self._units[k]) is not None)

    def of(self, unit: Unit) -> tuple[Side, Side] | None:
        """The first system's answer and the second's; None where the items do not tell them."""
        if not self._asked or len(self._options) != 2:
            return None
        found = self._together(unit) or self._apart(unit)
        if found is None:
            return None
        (one, first), (two, second) = found
        return Side(self._options[0], one, first), Side(self._options[1], two, second)

    def shown(self, rater: str, unit: Unit) -> Shown | None:
        """Where this rater sees the two: half of the pairs each way, all criteria of one alike."""
        sides = self.of(unit)
        if sides is None:
            return None
        lead = replace(unit, criterion="") if unit.criterion else unit
        digest = hashlib.blake2b(f"{rater}\0{lead.key}".encode(), digest_size=1).digest()
        return Shown(*(reversed(sides) if digest[0] & 1 else sides))

    def texts(self, unit: Unit) -> dict[str, str]:
        """All texts of a unit; of a pair its two answers last, the first system's first."""
        found = self._texts.of(unit)
        sides = self.of(unit)
        if sides is None:
            return found
        fields = {*(self._found[0] if self._found else ("output", "output_b", self._alone))}
        rest = {name: text for name, text in found.items() if name not in fields}
        return rest | {one.field: one.text for one in sides}

    def _together(self, unit: Unit) -> tuple[tuple[str, str], tuple[str, str]] | None:
        """Both answers from one row of the items."""
        if len(self._found) != 1:
            return None
        first, second = self._found[0]
        row, swapped = self._row(unit)
        if row is None or first not in row or second not in row:
            return None
        found = ((first, row[first]), (second, row[second]))
        if not any(text.strip() for _, text in found):
            return None
        return (found[1], found[0]) if swapped else found

    def _row(self, unit: Unit) -> tuple[Mapping[str, str] | None, bool]:
        """The row of the items that has a pair, and whether it names the second system first."""
        rows, item, pair = self._texts.rows, unit.item, (unit.system, unit.opponent)
        if (item, *pair) in rows:
            return rows[item, *pair], False
        if pair[0] != pair[1] and (item, pair[1], pair[0]) in rows:
            return rows[item, pair[1], pair[0]], True
        contests = self._contests.get(item, Counter())
        of_system = sum(system == unit.system for system, _ in contests)
        if of_system == 1 and (item, unit.system, "") in rows and unit.system:
            return rows[item, unit.system, ""], False
        # A row that names no system, or a rating that names none, says whose answers they are only
        # where the item has one contest.
        of_item = self._texts.by_item.get(item, ())
        if len(contests) == 1 and len(of_item) == 1 and _consistent(pair, of_item[0]):
            return rows[item, *of_item[0]], False
        return None, False

    def _apart(self, unit: Unit) -> tuple[tuple[str, str], tuple[str, str]] | None:
        """The two answers from the rows of the two systems."""
        if self._found or self._alone is None or unit.system == unit.opponent:
            return None
        rows = [self._texts.rows.get((unit.item, s, "")) for s in (unit.system, unit.opponent)]
        one, two = ((row or {}).get(self._alone) for row in rows)
        if not (unit.system and unit.opponent) or one is None or two is None:
            return None
        return ((f"{self._alone} ({unit.system})", one), (f"{self._alone} ({unit.opponent})", two))

    def _check_options(self) -> None:
        """Options that are called after the sides name the first side first."""
        words = [folded(self._task.options[index]) for index in self._options]
        if len(words) != 2 or _EITHER_WAY.intersection(words):
            return
        if (words[1], words[0]) in sides_among(words):
            options = [self._task.options[index] for index in reversed(self._options)]
            options += [self._task.tie] if self._task.tie else []
            raise TaskError(
                "options",
                "of pairs name the first system's side first",
                found=", ".join(map(shown, self._task.options)),
                next_step=f"Write options = {options}",
            )


def _consistent(one: tuple[str, str], two: tuple[str, str]) -> bool:
    """Whether two accounts of a contest may be of one, in one order: what both name is the same."""
    alike = all(a == b or not a or not b for a, b in zip(one, two, strict=True))
    crossed = any(a and a == b for a, b in zip(one, reversed(two), strict=True))
    return alike and not crossed
