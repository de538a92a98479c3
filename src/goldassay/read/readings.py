"""Complete readings of one file's rows: each the arguments that would say it, and what is open.

A reading is a set of arguments, so that what is shown is what its options give. Evidence of the
data comes first: uniqueness of keys, shared scales, who varies within items; names are a prior.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from goldassay.frozen import dataclass
from goldassay.read.arguments import Arguments, Said
from goldassay.read.profile import Profile, determines
from goldassay.read.records import ROW, File
from goldassay.read.words import are_labels, head, heads, is_version, tokens, who

__all__ = ["Open", "Reading", "readings"]

#: Log-odds above which a column is taken for ratings.
ENOUGH = 0.0
#: And above which it is asked whether it holds ratings, where no other does.
DOUBTFUL = -0.7
#: The roles of columns that hold ratings.
RATED = ("rating", "list of ratings")
#: Raters of a list without names.
MOST_PLACES = 12
KIND_WORDS = {
    **dict.fromkeys(("human", "person", "people", "expert", "crowd"), "human"),
    **dict.fromkeys(("judge", "llm", "model", "ai", "machine", "auto"), "judge"),
    **dict.fromkeys(("reference", "gold", "truth", "key"), "reference"),
}


@dataclass(frozen=True, slots=True)
class Open:
    """What a person must say: its type (whose, repeat, criterion, join, value, ratings, item,
    unused), and the question."""

    type: str
    text: str


@dataclass(frozen=True)
class Reading:
    """Arguments that say what a file holds, how good the evidence is, and what is open."""

    arguments: Arguments
    score: float
    #: The rows that it is of.
    file: File
    open: tuple[Open, ...] = ()
    #: Column -> its role.
    roles: tuple[tuple[str, str], ...] = ()
    #: Columns that are not used and could be ratings, or cannot be explained.
    unexplained: tuple[str, ...] = ()


def readings(file: File, known: Mapping[str, Profile], rows: str | None) -> list[Reading]:
    """The readings of a view, best first."""
    return sorted(View(file, known, rows).readings(), key=lambda one: -one.score)


class View:
    """The rows of one view and the profiles of its columns."""

    def __init__(self, file: File, known: Mapping[str, Profile], rows: str | None) -> None:
        self.file, self.rows = file, rows
        self.profiles = known
        self.taken = set(file.rows[0].keys) if file.rows else set()
        self.rated = [
            one
            for one in self.profiles.values()
            if one.evidence > ENOUGH and one.name not in self.taken and one.longest <= 1
        ]

        if file.alone:  # lists of one record may be anything
            named = any(who(one.name).kind for one in self.rated)
            self.rated = self.rated if named else []
        self.doubtful = not self.rated and not file.alone
        if self.doubtful:  # the best that there is, and asked about
            may = [one for one in known.values() if one.evidence > DOUBTFUL and one.longest <= 1]
            self.rated = [one for one in may if one.name not in self.taken]
        first = {tokens(one.name)[:1] for one in self.rated if who(one.name).kind}
        self.rated += [
            one  # what begins with the same word for who rated is theirs too
            for one in self.profiles.values()
            if one not in self.rated
            and one.may_rate
            and one.longest <= 1
            and tokens(one.name)[:1] in first
            and who(tokens(one.name)[0]).kind
            and not heads(one.name) & {"derived", "confidence", "meta", "item"}
        ]

    def readings(self) -> Iterator[Reading]:
        """One reading for each layout that the columns allow."""
        size = max((len(one.cells) for one in self.profiles.values()), default=0)
        yield from self._lists()
        if size < 2 or not self.rated:
            return
        names = self._rater_columns()
        for name in names:
            found = self._long(name)
            if found is not None:
                yield found
        self.rated = [one for one in self.rated if one not in names]
        if self.rated:
            yield self._wide()

    def _lists(self) -> Iterator[Reading]:
        """A list of labels in each row, a rater a place."""
        for one in self.profiles.values():
            if not 1 < one.longest <= MOST_PLACES or one.name in self.taken:
                continue
            flat = Profile(one.name, one.elements)
            if flat.evidence <= ENOUGH or flat.distinct > MOST_PLACES:
                continue
            key, missing = self._key([], {one.name})
            kind = who(one.name).kind or "human"
            said = Arguments(
                raters=(Said(kind, one.name),), item=(key,) if key else (), rows=self.rows
            )
            places = Open("repeat", f"is each place in {_tick(one.name)} a rater, or a repeat?")
            roles = {one.name: "rating"}
            yield self._complete(said, 1.5 + flat.evidence, [places, *missing], roles, self.rated)

    # ------------------------------------------------------------ raters in rows
    def _rater_columns(self) -> list[Profile]:
        """Columns that may name who rated."""
        found = []
        for one in self.profiles.values():
            words = head(one.name) | (heads(one.name) if "item" in head(one.name) else set())
            named = "rater" in words or ({"judge"} & set(tokens(one.name)) and "system" in words)
            others = [other for other in self.rated if other.name != one.name]
            letters = all(len(value) == 1 for value in one.counts) and bool(others)
            labels = are_labels(one.counts) and not letters
            labels = labels or any(one.scale <= other.scale for other in others)
            again = one.filled > one.distinct or one.distinct == 1
            few = one.distinct <= max(200, one.filled // 2) and one.kind not in ("time", "text")
            fits = named and again and few and not labels and bool(one.counts)
            if fits and "value" not in head(one.name):
                found.append(one)
        return sorted(found, key=lambda one: one.distinct == 1)[:2]

    def _long(self, by: Profile) -> Reading | None:
        """Who rated stands in a column."""
        rated = [one for one in self.rated if one.name != by.name]
        if not rated:
            return None
        criterion = self._one("criterion", {by.name, *(one.name for one in rated)})
        beside = [by.name, *([criterion] if criterion else [])]
        busy = {one.name for one in rated} | set(beside)
        pair = self._pair(busy)
        key, missing = self._key(beside, busy | set(pair))
        systems = self._systems(busy) if missing and not pair else []
        if systems:
            again, still = self._key([*beside, *systems], busy | set(systems))
            key, missing, systems = (key, missing, []) if still else (again, [], systems)
        cells = self._joined(key or (["item"] if "item" in self.taken else []))
        varying = [one for one in rated if not (cells and determines(cells, one.cells))]
        fixed = [one for one in rated if one not in varying]
        several = by.distinct > 1 and len(set(cells)) < len(cells)
        if several and not varying:
            return None  # nothing varies with the rater
        if not several:
            varying, fixed = rated, []
        main, other = self._one_scale(varying, criteria=True)
        kinds = self._kinds(by)
        names = [who(name) for name in by.counts] if kinds is None else []
        said, opened = self._by_names(by, main, kinds)
        if len(main) > 1:
            opened.append(Open("criterion", f"are {_listing(main)} criteria, or is one a key?"))
        for one in fixed:
            whose = who(one.name)
            if whose.kind == "reference":
                said.append(Said("reference", one.name))
            else:
                other.append(one)
        long = kinds is not None or len({one.kind for one in names}) > 1
        arguments = Arguments(
            raters=tuple(said),
            item=(key,) if key else (),
            value=tuple(one.name for one in main) if long else (),
            rater=(by.name,) if long else (),
            criterion=(criterion,) if criterion else (),
            system=tuple(pair[:1] or systems),
            opponent=tuple(pair[1:]),
            rows=self.rows,
        )
        score = (
            2.0
            + sum(one.evidence for one in main) / len(main)
            + (1.0 if several else self._alone(by))
        )
        used = {by.name: "rater", **{one.name: "rating" for one in main}}
        return self._complete(arguments, score, [*opened, *missing], used, other)

    @staticmethod
    def _alone(by: Profile) -> float:
        """How good a column of raters is where no item has two: one name for all is as good."""
        return 0.5 if by.distinct == 1 else -1.0

    def _kinds(self, by: Profile) -> dict[str, str] | None:
        """Rater -> kind, where a column says it of each."""
        for one in self.profiles.values():
            values = {value.casefold() for value in one.counts}
            if (
                0 < len(values) <= 3
                and values <= set(KIND_WORDS)
                and determines(by.cells, one.cells)
            ):
                pairs = zip(by.cells, one.cells, strict=True)
                return {name: KIND_WORDS[kind.casefold()] for name, kind in pairs if name and kind}
        return None

    def _by_names(
        self, by: Profile, main: Sequence[Profile], kinds: dict[str, str] | None
    ) -> tuple[list[Said], list[Open]]:
        """Whose the ratings of each rater are: by a column of kinds, by names, by the column's."""
        column = who(by.name)
        if kinds is not None:
            return [Said(kind, name) for name, kind in kinds.items()], []
        named = {name: who(name) for name in by.counts}
        told = {one.kind for one in named.values()}
        value = ",".join(one.name for one in main)
        if len(told) == 1 or (column.sure and not (told - {column.kind, ""})):
            kind = next(iter(told)) or column.kind or _likely(main)
            sure = (column.sure and column.kind == kind) or all(one.sure for one in named.values())
            asked = [] if sure else [_whose(by.name)]
            return [Said(kind, by.name, value)], asked
        said, asked = [], []
        for name, one in named.items():
            said.append(Said(one.kind or "human", name))
            if not one.sure:
                asked.append(_whose(name))
        return said, asked[:3]

    # ------------------------------------------------------------ a column for each rater
    def _wide(self) -> Reading:
        """Ratings stand in columns: of raters, of criteria, or both."""
        named = [one for one in self.rated if who(one.name).kind]
        grid = _grid(named)
        alone = len({who(one.name).kind for one in named}) < 2 and not _are_raters(named)
        main, other = self._one_scale(named or self.rated, criteria=bool(grid) or alone)
        grid = _grid(main)
        if not grid and named:
            main, other = self._with_the_rest(main, other, named)
        opened: list[Open] = []
        if grid:
            said, opened = self._by_grid(grid)
        elif _are_raters(main):
            known = {who(one.name).kind for one in main}
            rest = "judge" if "human" in known else "human" if "judge" in known else ""
            said = [Said(who(one.name).kind or rest or _likely([one]), one.name) for one in main]
            opened = [_whose(one.name) for one in main if not who(one.name).sure]
        else:
            said, opened = self._by_criteria(main)
        pair = self._pair({one.name for one in main})
        beside = self._systems({one.name for one in main}) if not pair else []
        by = self._one("criterion", {one.name for one in main}) if len(main) == 1 else None
        beside += [by] if by else []
        key, missing = self._key([*beside], {one.name for one in main} | {*pair})
        if pair:
            missing = [one for one in missing if one.type != "repeat"]
        arguments = Arguments(
            raters=tuple(said),
            item=(key,) if key else (),
            system=tuple(pair[:1]) or tuple(one for one in beside if one != by),
            criterion=(by,) if by else (),
            opponent=tuple(pair[1:]),
            rows=self.rows,
        )
        score = 2.0 + sum(one.evidence for one in main) / len(main)
        used = {one.name: "rating" for one in main}
        used |= dict.fromkeys(pair or beside, "system")
        left = [one for one in self.rated if one not in main and one not in other]
        return self._complete(arguments, score, [*opened, *missing], used, [*other, *left])

    def _with_the_rest(
        self, main: list[Profile], other: list[Profile], named: Sequence[Profile]
    ) -> tuple[list[Profile], list[Profile]]:
        """Where one kind alone has ratings, with the others' best, or those of nobody by name that
        share its scale."""
        kinds = {who(one.name).kind for one in main}
        if len(kinds) > 1:
            return main, other
        rest = [one for one in named if who(one.name).kind not in kinds]
        more = [max(rest, key=lambda one: one.evidence)] if rest else []
        if not rest:
            free = [one for one in self.rated if one not in named]
            more = [one for one in free if any(_share(one, mine) for mine in main)]
        return [*main, *more], [one for one in other if one not in more]

    def _by_grid(self, grid: dict[str, list[Profile]]) -> tuple[list[Said], list[Open]]:
        """A pattern for each rater, where it fits the columns of the grid and no others."""
        said, opened = [], []
        for name, columns in grid.items():
            whose = who(name)
            names = [one.name for one in columns]
            patterns = (f"{name}_{{criterion}}", f"{{criterion}}_{name}")
            hit = [p for p in patterns if [c for c, _ in self.file.find(p)] == names]
            said += [Said(whose.kind or "human", one) for one in hit[:1]]
            said += [] if hit else [Said(whose.kind or "human", f"rater:{name}", ",".join(names))]
            if not whose.sure:
                opened.append(_whose(name))
        return said, opened

    def _by_criteria(self, main: Sequence[Profile]) -> tuple[list[Said], list[Open]]:
        """Columns of one rater: one is a rating, several are criteria."""
        by_kind: dict[str, list[Profile]] = defaultdict(list)
        for one in main:
            by_kind[who(one.name).kind].append(one)
        said, opened = [], []
        for kind, columns in by_kind.items():
            if len(columns) == 1:
                said.append(Said(kind or _likely(columns), columns[0].name))
            else:
                what = ",".join(one.name for one in columns)
                whose = kind or _likely(columns)
                said.append(Said(whose, f"rater:{kind or 'rater'}", what))
                opened.append(Open("criterion", _listing(columns) + " are criteria, or raters?"))
            if not all(who(one.name).sure for one in columns):
                opened.insert(0, _whose(columns[0].name))
        return said, opened

    def _one_scale(
        self, rated: Sequence[Profile], *, criteria: bool
    ) -> tuple[list[Profile], list[Profile]]:
        """The columns of the main scale, and the others; criteria may have scales of their own."""
        best = max(rated, key=lambda one: one.evidence)
        if criteria:
            alike = [
                one
                for one in rated
                if one.evidence > best.evidence - 2.5 or _begin_alike(one.name, best.name)
            ]
        else:
            alike = [one for one in rated if _share(one, best)]
            rest = [one for one in rated if one not in alike]
            if not any(who(one.name).kind for one in alike) and rest:
                alike = list(rated)
        return alike, [one for one in rated if one not in alike]

    def _pair(self, used: set[str]) -> list[str]:
        """Two columns that name the sides of a pair, where ratings say who wins."""
        systems = [
            one
            for one in self.profiles.values()
            if one.name not in used
            and "system" in heads(one.name)
            and one.kind in ("label", "constant", "name", "id")
        ]
        for one, other in combinations(systems, 2):
            if _stem(one.name) == _stem(other.name) and one.name != other.name:
                return [one.name, other.name]
        return []

    def _systems(self, used: set[str]) -> list[str]:
        """The column that names the rated system, where its items come again under each."""
        for one in self.profiles.values():
            system = "system" in head(one.name) or tokens(one.name)[-1:] == ("system",)
            few = 1 < one.distinct <= max(50, one.filled // 3)
            names = one.kind in ("label", "name", "id")
            if one.name not in used and system and few and names:
                return [one.name]
        return []

    # ------------------------------------------------------------ items
    def _key(self, beside: Sequence[str], used: set[str]) -> tuple[tuple[str, ...], list[Open]]:
        """The smallest set of columns that is unique with those beside it; nothing is the row."""
        if "item" in self.taken:
            outer = [name for name in self.taken if name.startswith("level")]
            return ((*sorted(outer), "item") if outer else ()), []
        free = [
            one
            for one in self.profiles.values()
            if one.name not in used
            and one.kind in ("id", "name", "label", "grade", "number", "bool")
            and one.longest <= 1
            and (one.whole or one.numbers is None)
            and not head(one.name) & {"meta", "derived", "confidence"}
        ]
        ids = [one for one in free if "item" in head(one.name)]
        ids.sort(key=lambda one: (-one.distinct, len(one.name)))
        others = [
            one for one in free if one not in ids and (one.unique or one.kind in ("id", "name"))
        ]
        systems = self._systems(used)
        for one in [*ids, *others]:
            if self._unique([one.name, *beside]):
                return (one.name,), []
        for size in (2, 3):
            for some in combinations(ids[:6], size):
                if self._unique([*(one.name for one in some), *beside]):
                    return tuple(one.name for one in some), []
        texts = [
            one
            for one in self.profiles.values()
            if one.name not in used
            and one.kind in ("text", "name")
            and one.filled == len(one.cells)
        ]
        if beside and not ids:
            for one in texts:
                if one.distinct < len(one.cells) and self._unique([one.name, *beside]):
                    return (one.name,), [Open("item", f"is {_tick(one.name)} what is rated?")]
        if ids and (beside or systems):
            best = ids[0].name
            return (best,), [
                Open("repeat", f"one rater has several ratings of one {_tick(best)}: repeats?")
            ]
        if ids and not ids[0].unique and ids[0].distinct < len(ids[0].cells):
            best = ids[0].name
            return (best,), [
                Open("repeat", f"rows share one {_tick(best)}: other raters, or repeats?")
            ]
        if beside:
            return (ROW,), [Open("item", "which column names what is rated?")]
        return ((ROW,) if {"id", "item_id"} & set(self.profiles) else ()), []

    def _unique(self, columns: Iterable[str]) -> bool:
        cells = self._joined(columns)
        return len(set(cells)) == len(cells) > 0 and all(any(one) for one in cells)

    def _joined(self, columns: Iterable[str]) -> list[str]:
        known = [self.profiles[one].cells for one in columns if one in self.profiles]
        return ["\0".join(one) for one in zip(*known, strict=True)] if known else []

    def _one(self, role: str, used: set[str]) -> str | None:
        """The column of a role by its name."""
        for one in self.profiles.values():
            fits = role in head(one.name) and one.kind == "label" and one.distinct > 1
            if one.name not in used and fits and not are_labels(one.counts):
                return one.name
        return None

    # ------------------------------------------------------------ what is left
    def _complete(
        self,
        arguments: Arguments,
        score: float,
        opened: list[Open],
        used: dict[str, str],
        left: Sequence[Profile],
    ) -> Reading:
        roles = dict(used)
        for name in (part for one in arguments.item for part in one if part != ROW):
            roles[name] = "item"
        for option in ("criterion", "system", "opponent"):
            roles |= dict.fromkeys(getattr(arguments, option), option)
        for name in [one for one, role in roles.items() if role == "rating"]:
            roles[name] = "list of ratings" if self.profiles[name].longest else "rating"
        main = [self.profiles[name] for name, role in roles.items() if role in RATED]
        kinds = (
            {one for one in self.profiles.values() if _says_kind(one)} if arguments.rater else set()
        )
        if self.doubtful:
            opened = [Open("ratings", "are these ratings at all?"), *opened]
            score -= 1.0
        unexplained = [
            one.name
            for one in self.profiles.values()
            if one.name not in roles and one not in kinds and not self._explained(one, main)
        ]
        if unexplained:
            shown = ", ".join(map(_tick, unexplained[:4]))
            verb = (
                "looks like ratings and is"
                if len(unexplained) == 1
                else "look like ratings and are"
            )
            opened = [*opened, Open("unused", f"{shown} {verb} not used")]
        if left:
            score -= 0.3 * len(left)
        lasts = [self.file.last_level(one.name) for one in main]
        if len(lasts) > 2 and len(set(lasts)) < len(lasts) / 2:
            score -= 3.0  # one field of many records: their keys are values
        if self.rows is not None:
            score -= 0.5 * (1 + self.rows.count("."))
        score -= 0.4 * sum(one.type in ("repeat", "item") for one in opened)
        every = tuple(roles.items())
        return Reading(arguments, score, self.file, tuple(opened), every, tuple(unexplained))

    def _explained(self, one: Profile, main: Sequence[Profile]) -> bool:
        """Whether a column that is not used is plainly no rating."""
        if one.longest > 1:
            return False
        if one.kind in ("empty", "text", "time", "id", "name"):
            return not (one.kind == "id" and one.numbers is not None and "value" in heads(one.name))
        names = head(one.name)
        if one.kind == "constant":
            return not who(one.name).kind and not names & {"value", "derived"}
        if who(one.name).kind or heads(one.name) & {"value", "derived", "confidence"}:
            return False
        if (
            any(_share(one, other) for other in main)
            and "meta" not in names
            and "item" not in names
        ):
            return False
        return bool(names & {"meta", "item", "attribute", "system", "text"})


def _says_kind(one: Profile) -> bool:
    values = {value.casefold() for value in one.counts}
    return 0 < len(values) <= 3 and values <= set(KIND_WORDS)


def _share(one: Profile, other: Profile) -> bool:
    """Whether two columns have one scale."""
    if one is other:
        return True
    if (one.numbers is None) != (other.numbers is None):
        return False
    if one.numbers is not None and other.numbers is not None:
        if {one.kind, other.kind} <= {"bool"} or "bool" in (one.kind, other.kind):
            return one.scale == other.scale
        span = [max(x.numbers) - min(x.numbers) for x in (one, other) if x.numbers]
        low = max(min(one.numbers), min(other.numbers))
        high = min(max(one.numbers), max(other.numbers))
        return high - low >= 0.5 * max(*span, 1e-9) and one.whole == other.whole
    return len(one.scale & other.scale) >= 0.5 * min(len(one.scale), len(other.scale))


def _are_raters(columns: Sequence[Profile]) -> bool:
    """Whether columns are told apart by who rated: by kind, a number, or a model's name."""
    if len(columns) == 1:
        return True
    kinds = [who(one.name).kind for one in columns]
    if kinds.count("") == 1 and len(set(kinds)) == len(kinds):
        return True  # one that nobody names, beside a rater
    if all(kinds) and len(set(kinds)) == len(kinds):
        return True
    by_kind: dict[str, list[Profile]] = defaultdict(list)
    for one, kind in zip(columns, kinds, strict=True):
        by_kind[kind].append(one)
    return all(_alike(some) for some in by_kind.values()) and all(kinds)


def _alike(columns: Sequence[Profile]) -> bool:
    """Whether the names of a kind's columns differ in a number, a letter, or a judge's name."""
    if len(columns) == 1:
        return True
    stems = {_stem(one.name) for one in columns}
    if len(stems) == 1:
        return True
    return all(is_version(one.name) or _names_judge(one.name) for one in columns)


def _names_judge(name: str) -> bool:
    families = {
        "gpt",
        "claude",
        "gemini",
        "llama",
        "mistral",
        "qwen",
        "deepseek",
        "gemma",
        "mixtral",
        "grok",
    }
    return any(
        token.rstrip("0123456789") in families or token[:3] == "gpt" for token in tokens(name)
    )


def _begin_alike(one: str, other: str) -> bool:
    """Whether two names begin with the same word for who rated."""
    first = [tokens(name)[:1] for name in (one, other)]
    return first[0] == first[1] != () and bool(who(first[0][0]).kind)


def _stem(name: str) -> tuple[str, ...]:
    """The words of a name but for numbers and single letters."""
    return tuple(one for one in tokens(name) if not one.isdigit() and len(one) > 1)


def _grid(columns: Sequence[Profile]) -> dict[str, list[Profile]]:
    """Rater -> its columns, where names are a rater and a criterion, each with each."""
    for turn in (0, 1):
        found: dict[str, dict[str, Profile]] = defaultdict(dict)
        for one in columns:
            parts = one.name.split("_", 1) if turn == 0 else one.name.rsplit("_", 1)
            if len(parts) < 2:
                return {}
            rater, criterion = parts if turn == 0 else parts[::-1]
            found[rater][criterion] = one
        criteria = [set(some) for some in found.values()] or [set()]
        same = all(some == criteria[0] for some in criteria)
        raters = all(who(name).kind for name in found)
        said = not any(one.isdigit() or who(one).kind for one in criteria[0])
        if len(found) > 1 and len(criteria[0]) > 1 and same and raters and said:
            return {name: list(some.values()) for name, some in found.items()}
    return {}


def _likely(columns: Sequence[Profile]) -> str:
    """Whose ratings are that nothing says: fractions are rather a judge's."""
    return "judge" if all(one.kind == "number" and not one.whole for one in columns) else "human"


def _whose(name: str) -> Open:
    return Open("whose", f"whose ratings are {_tick(name)}: a person's, a judge's, or a key?")


def _listing(columns: Sequence[Profile]) -> str:
    return ", ".join(_tick(one.name) for one in columns[:6])


def _tick(name: str) -> str:
    return f"`{name}`"
