"""Where a judge and people say the same of a unit, and where they do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from goldassay.ratings.task import Task
from goldassay.web.cases import Given, Unit, Verdict
from goldassay.web.desk import Desk
from goldassay.web.reference import mode

__all__ = ["RELATIONS", "Case", "Filters", "compared", "relation"]

#: How a judge's verdict stands to people's ratings of the same unit, with the words for it.
RELATIONS = {
    "differ": "judge and people differ",
    "same": "judge and people say the same",
    "divided": "people are divided",
    "no_verdict": "the judge gave no verdict",
    "unlabelled": "nobody has labelled it",
}


class Case(NamedTuple):
    """A unit and a judge: what the judge said, what people said, and how the two stand."""

    unit: Unit
    judge: str
    verdicts: tuple[Verdict, ...]
    people: tuple[Given, ...]
    relation: str
    distance: float = 0.0


@dataclass(frozen=True, slots=True)
class Filters:
    """What the reader asked to see; empty means all."""

    judge: str = ""
    system: str = ""
    criterion: str = ""
    relation: str = ""


def relation(verdicts: Sequence[Verdict], people: Sequence[Given], task: Task) -> tuple[str, float]:
    """How the verdicts of one judge stand to people's ratings, and how far apart they are.

    Both sides speak by their commonest answer (their mean on a continuous scale). A verdict that is
    within a person's response set says the same.
    """
    said = [one.value for one in people if one.status == "rated"]
    if not said:
        return "unlabelled", 0.0
    found = [one.value for one in verdicts if one.status == "rated"]
    if not found:
        return "no_verdict", 0.0
    if task.scale == "continuous":
        distance = abs(sum(map(float, found)) / len(found) - sum(map(float, said)) / len(said))
        return ("same" if distance == 0 else "differ"), distance
    reference, verdict = mode(said), mode(found)
    if reference is None:
        return "divided", 0.0
    if verdict is None:
        return "no_verdict", 0.0
    sets = reference not in task.options and verdict in reference.split(task.separator)
    if verdict == reference or sets:
        return "same", 0.0
    order = {option: index for index, option in enumerate(task.options)}
    far = abs(order.get(verdict, 0) - order.get(reference, 0)) if task.scale == "ordinal" else 1
    return "differ", float(far)


def compared(desk: Desk, filters: Filters, *, rater: str = "") -> tuple[list[Case], int]:
    """The cases that pass the filters, widest apart first, and how many are kept from this rater.

    A rater sees nothing of a unit that is still theirs to label.
    """
    cases: list[Case] = []
    hidden = 0
    waiting = desk.open_to(rater) if rater else set()
    said = desk.people_by_unit()
    for key, unit in desk.cases.units.items():
        if filters.system and filters.system not in (unit.system, unit.opponent):
            continue
        if filters.criterion and filters.criterion != unit.criterion:
            continue
        if key in waiting:
            hidden += 1
            continue
        people = said.get(key, ())
        for judge, verdicts in _by_judge(desk.cases.verdicts.get(key, ())):
            if filters.judge and filters.judge != judge:
                continue
            stand, distance = "unlabelled", 0.0
            if people:
                stand, distance = relation(verdicts, people, desk.task)
            if not filters.relation or filters.relation == stand:
                cases.append(Case(unit, judge, verdicts, people, stand, distance))
    cases.sort(key=attrgetter("distance"), reverse=True)
    return cases, hidden


def _by_judge(verdicts: Sequence[Verdict]) -> Iterable[tuple[str, tuple[Verdict, ...]]]:
    found: dict[str, tuple[Verdict, ...]] = {}
    for one in verdicts:
        found[one.judge] = (*found.get(one.judge, ()), one)
    return found.items()
