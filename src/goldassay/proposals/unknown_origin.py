"""Labels beside judges' of which nothing says who gave them: the reference, and not people's."""

from __future__ import annotations

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.shape import Shape, Table
from goldassay.ratings.vocabulary import kind_of, words
from goldassay.words import named

__all__ = ["of_unknown_origin"]


def of_unknown_origin(table: Table, shape: Shape, draft: Draft) -> None:
    """The only column that judges are held against, where neither its name nor the file's says
    people (`label` beside `gpt4`): it may be a key, people's majority or another model's, so that
    "agrees with people" would be more than the table says."""
    judges = [name for name, cell in shape.cells.items() if cell.get("kind") == "judge"]
    others = [name for name in shape.cells if name not in judges]
    if not judges or len(others) != 1 or "rater" in shape.columns or table.source.parts:
        return
    (name,) = others
    cell = shape.cells[name]
    said = kind_of(table.own(name)) or kind_of(cell["rater"]) or _is_of_people(table.stem)
    declared = draft.declared.table("wide") or draft.declared.table("cells")
    if cell.get("kind") != "human" or said or declared:
        return
    cell["kind"] = "reference"
    draft.task["references"] = {cell["rater"]: "unknown"}
    draft.take_back(f"{named(name)} holds people's ratings")
    draft.assume(Weight.WHO, f"{named(name)} is what judges are held against")
    if {*cell} == {"rater", "kind"}:
        mine = {"human": [name], "judge": judges}
        draft.ask(f"Did annotators give {named(name)}? Then", {"wide": mine})


def _is_of_people(stem: str) -> bool:
    """Whether a file is called people's, and not a judge's too (`tutor_judge_results`)."""
    return kind_of(stem) == "human" and "judge" not in map(kind_of, words(stem))
