"""What a task that does not say all says of the layout, in the columns of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from goldassay.frozen import dataclass
from goldassay.proposals.declared import Declared, merged
from goldassay.proposals.shape import Shape, Table, used_of

__all__ = ["Declaration"]


@dataclass(frozen=True)
class Declaration:
    """What is declared of columns, whose ratings they hold, and of who rated."""

    table: Table
    columns: Mapping[str, Any] = field(default_factory=dict)
    #: Column -> whose ratings it holds, and what else is said of them.
    kinds: Mapping[str, str] = field(default_factory=dict)
    cells: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    said: Declared = field(default_factory=Declared)

    @classmethod
    def of(cls, said: Declared, table: Table) -> Declaration:
        source = table.source
        return cls(table, said.columns(source), said.kinds(source), said.cells(source), said)

    def __bool__(self) -> bool:
        return bool(self.columns or self.kinds)

    @property
    def values(self) -> tuple[str, ...]:
        """The columns that hold the ratings, where that is declared."""
        found = self.columns.get("value", ())
        return (found,) if isinstance(found, str) else tuple(found)

    @property
    def rater(self) -> str | None:
        """The column that says who rated, where one is declared."""
        found = self.columns.get("rater")
        return found if isinstance(found, str) else None

    @property
    def both_kinds(self) -> bool:
        """Whether columns of judges and of people are declared: then no other is a rater's."""
        said = set(self.said.table("wide"))
        return "judge" in said and bool(said & {"human", "reference"})

    @property
    def criteria(self) -> bool:
        """Whether all columns of ratings are declared, each with its rater and criterion."""
        whole = all({"rater", "kind", "criterion"} <= cell.keys() for cell in self.cells.values())
        return len(self.cells) > 1 and whole and self.kinds.keys() == self.cells.keys()

    def place_columns(self, shape: Shape) -> None:
        """Columns that have their place already; ratings and raters are looked at first."""
        shape.columns |= {o: t for o, t in self.columns.items() if o not in ("value", "rater")}
        shape.sides |= {"system", "opponent"} <= self.columns.keys()

    def place_raters(self, shape: Shape) -> None:
        shape.cells = {name: {"rater": name, "kind": kind} for name, kind in self.kinds.items()}
        shape.used = [used_of(self.table, name, kind) for name, kind in self.kinds.items()]

    def place_criteria(self, shape: Shape) -> None:
        shape.cells = {name: dict(cell) for name, cell in self.cells.items()}
        shape.used = [used_of(self.table, name, kind) for name, kind in self.kinds.items()]

    def put_into(self, shape: Shape) -> None:
        """Put what is declared in the place of what was guessed."""
        if not self.said:
            return
        shape.columns |= {o: t for o, t in self.columns.items() if o not in ("value", "rater")}
        if self.kinds and not shape.cells:
            for key in ("value", "rater"):
                shape.columns.pop(key, None)
            shape.constants, shape.files, shape.used = {}, {}, []
        for name in {**self.kinds, **self.cells}:
            if name not in shape.cells and (name in self.kinds or shape.cells):
                shape.cells[name] = {"rater": name, "kind": self.kinds.get(name, "human")}
                shape.used.append(used_of(self.table, name, shape.cells[name]["kind"]))
        for name, kind in self.kinds.items():
            shape.cells[name]["kind"] = kind
        for name, cell in self.cells.items():
            if name in shape.cells:
                shape.cells[name] |= cell
        self._of_raters(shape)
        constants = self.said.table("constants")
        shape.constants |= constants
        shape.cells = {  # what is so in every row is not said of single columns
            name: {
                k: v for k, v in cell.items() if k not in constants or k in self.cells.get(name, {})
            }
            for name, cell in shape.cells.items()
        }
        shape.files = merged(shape.files, self.said.table("files"))
        self._labels(shape)

    def _of_raters(self, shape: Shape) -> None:
        if raters := self.said.table("raters"):
            shape.raters = {kind: list(names) for kind, names in raters.items()}
            shape.constants.pop("kind", None)

    def _labels(self, shape: Shape) -> None:
        """Who used which labels: kinds as declared, and what a cut makes of numbers."""
        kind = self.said.table("constants").get("kind")
        kinds = self.kinds if kind is None else {one.rater: kind for one in shape.used}
        shape.used = [replace(one, kind=kinds.get(one.rater, one.kind)) for one in shape.used]
        cut = {name for name, cell in self.cells.items() if "cut" in cell}
        rest = [one for one in shape.used if one.rater not in cut]
        if cut and rest:
            shape.used = rest
