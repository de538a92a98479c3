"""A table that was looked at, and the shape it has so far: what keys are found with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.frozen import dataclass
from goldassay.proposals.profile import Column
from goldassay.proposals.shape import Shape, by_plain_name, members_by_name
from goldassay.ratings.distinct import distinct_keys
from goldassay.ratings.vocabulary import SYNONYMS, plain_name, words
from goldassay.sources.exploded import PLACE
from goldassay.sources.frames import FILE, Source

__all__ = [
    "LIKE_IDS",
    "LONGEST_NAME",
    "TEXTS_OF_ITEMS",
    "TRIES",
    "Looked",
    "ends_as_id",
    "key_in_files",
    "missing_somewhere",
    "shared_name",
]

#: Columns of texts that may stand for the item where nothing else names it.
TEXTS_OF_ITEMS = (
    *("question", "prompt", "query", "input", "instruction", "text", "sentence", "claim", "title"),
    *("user_prompt", "problem", "example", "content", "message", "document", "name"),
)
#: How a column ends that may name the item, where its cells are all different.
LIKE_IDS = ("id", "_key", "_no", "index", "idx", "uuid", "number", "hash")
#: Words of numbers that count what stands within something.
_PLACES = frozenset(["idx", "index", "no", "number", "position", "step", "turn", "utterance"])
#: How long a text may be to name an item, and how many columns are tried.
LONGEST_NAME, TRIES = 200, 8


@dataclass(frozen=True)
class Looked:
    source: Source
    columns: Mapping[str, Column]
    shape: Shape

    @property
    def rows(self) -> int:
        return max((column.rows for column in self.columns.values()), default=0)

    @property
    def by_raters(self) -> bool:
        """Whether a column names several who rated: an item has as many rows as raters. Where every
        row has a rater of its own, or all have one, raters share nothing that would tell."""
        rater = self.columns.get(str(self.shape.columns.get("rater")))
        shared = rater is None or rater.rows == 1 or 1 < rater.distinct < rater.rows
        return "rater" in self.shape.columns and (shared or "opponent" in self.shape.columns)

    def called(self, names: Sequence[str]) -> list[str]:
        lower = members_by_name(self.source, self.columns) | by_plain_name(self.columns)
        found = [lower[name] for name in names if name in lower]
        return [n for n in found if n not in self.shape.taken and self.columns[n].filled]

    def numbers_within(self, name: str) -> bool:
        """Whether a column counts what stands within something: `turn_index`, 0, 1, 2 of each
        transcript."""
        column = self.columns.get(name)
        return column is not None and column.numeric and bool({*words(name)} & _PLACES)

    def keys(self, names: Sequence[str]) -> int:
        return distinct_keys(self.source, list(dict.fromkeys(names)))

    @property
    def inner_systems(self) -> list[str]:
        """Members of records that name a system: `responses.model`."""
        ends = tuple(f".{name}" for name in SYNONYMS["system"][:6])
        here = [
            self.source.renamed.get(n, n) for n in self.source.own if n.casefold().endswith(ends)
        ]
        return [n for n in here if n in self.columns and n not in self.shape.taken]

    @property
    def beside(self) -> list[str]:
        """The columns that tell rows of one item apart, the item aside."""
        parts = ("criterion", "system", "opponent", "rater", "sample")
        named = [self.shape.columns[p] for p in parts if p in self.shape.columns]
        # What files call by different names is all of these.
        return [n for one in named for n in ([one] if isinstance(one, str) else one)]


def missing_somewhere(looked: Looked, name: str) -> bool:
    return any(name not in columns for _, columns in looked.source.parts)


def ends_as_id(name: str) -> bool:
    return plain_name(name).endswith(LIKE_IDS)


def key_in_files(looked: Looked, ids: Sequence[str]) -> list[str]:
    """Of ids that all files have, the first that names every row of a file apart; else the smallest
    key that does, with the place in a list or with a column of few labels that all files have
    (`question_id` and `style`); else the first."""

    def apart(names: Sequence[str]) -> bool:
        return looked.keys([*names, FILE, *looked.beside]) == looked.rows

    if not all(isinstance(one, str) for one in looked.shape.columns.values()):
        return list(ids[:1])  # something is called otherwise in each file
    for name in ids[:TRIES]:
        if apart([name]):
            return [name]
    placed = [PLACE] if PLACE in looked.columns and not missing_somewhere(looked, PLACE) else []
    for names in ([*ids[:1], *placed], [*ids[:2], *placed]) if placed else ():
        if apart(names):
            return names
    few = [
        n
        for n, c in looked.columns.items()
        if n not in (*looked.shape.taken, *ids)
        and c.few
        and len(c.labels) > 1
        and c.filled == c.rows
        and not missing_somewhere(looked, n)
    ]
    for name in few[:TRIES] if ids else ():
        if apart([ids[0], name]):
            return [ids[0], name]
    return list(ids[:1])


def shared_name(looked: Looked) -> str | None:
    """A column of all files that ends as ids do, or holds what was asked, and names every row of a
    file apart; some of its cells are in several files."""
    columns, shape = looked.columns, looked.shape
    free = [
        n
        for n, c in columns.items()
        if n not in shape.taken and c.filled == c.rows and not missing_somewhere(looked, n)
    ]
    ids = [n for n in free if ends_as_id(n)]
    texts = [n for n in free if plain_name(n).split("_")[-1] in TEXTS_OF_ITEMS and n not in ids]
    for name in [*ids, *texts][:TRIES]:
        once = looked.keys([name, FILE, *looked.beside]) == looked.rows
        if once and columns[name].distinct < looked.keys([name, FILE]):
            return name
    return None
