"""How close a judge is to people beside each of them, computed again from the rows by loops."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from naive_ratings import NaiveStudy, Unit

__all__ = ["NaivePersons"]

#: What is no option, as a label.
NO_OPTION = ("abstained", "invalid")


class NaivePersons:
    """Usable ratings of units that two people and a judge rated: unit -> rater -> answers."""

    def __init__(self, naive: NaiveStudy) -> None:
        self.naive = naive
        people: dict[Unit, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.given: dict[str, set[Unit]] = defaultdict(set)
        judges: dict[Unit, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in naive.rows:
            said = self._label(row)
            if row["kind"] == "judge" and naive.state(row) is not None:
                self.given[row["rater"]].add(naive.unit(row))
            if said is None or row["kind"] not in ("human", "judge"):
                continue
            side = people if row["kind"] == "human" else judges
            side[naive.unit(row)][row["rater"]].append(said)
        self.several = {u for u in people if len(people[u]) > 1}
        units = [u for u in people if u in self.several and judges.get(u)]
        self.people = {unit: dict(people[unit]) for unit in units}
        self.judges = {unit: dict(judges[unit]) for unit in units}

    def _label(self, row: dict[str, str]) -> str | None:
        """A row's label under the task's modes; None where it is left out."""
        naive, said = self.naive, self.naive.state(row)
        if said is None or said == "failed":
            return None
        if naive.scale == "continuous":
            return None if said in NO_OPTION else said
        if said == "abstained":
            if naive.abstentions == "recode":
                return str(naive.recode_to)
            return said if naive.abstentions == "class" else None
        if said == "invalid":
            return said if naive.invalids != "exclude" and row["kind"] == "judge" else None
        if said == naive.tie and naive.ties == "exclude":
            return None
        return said

    def _apart(self, one: str, other: str) -> Fraction:
        naive, options = self.naive, self.naive.options
        if one == other:
            return Fraction(0)
        steps = len(options) - 1
        if naive.scale == "ordinal":
            power = 1 if naive.task.get("weights") == "linear" else 2
            if one in NO_OPTION or other in NO_OPTION:
                return Fraction(steps**power)
            return Fraction(abs(options.index(one) - options.index(other)) ** power)
        half = naive.tie is not None and naive.ties == "half"
        if half and naive.tie in (one, other) and not {one, other} & set(NO_OPTION):
            return Fraction(1, 2)
        return Fraction(1)

    def _distance(self, answers: list[str], others: list[list[str]]) -> Fraction:
        """The mean distance of answers to the other people, each of whom counts once."""
        if self.naive.scale == "continuous":
            middle = _mean([_mean([Fraction(a) for a in one]) for one in others])
            return abs(_mean([Fraction(a) for a in answers]) - middle)
        each = [_mean([_mean([self._apart(a, b) for b in one]) for a in answers]) for one in others]
        return _mean(each)

    def compared(self, judge: str) -> dict[str, list[Fraction]]:
        """By person, on each unit that the judge rated too, the share of its answers that win."""
        found: dict[str, list[Fraction]] = defaultdict(list)
        for unit, given in self.people.items():
            answers = self.judges[unit].get(judge)
            for person, own in given.items() if answers else ():
                others = [said for other, said in given.items() if other != person]
                mine = self._distance(own, others)
                assert answers
                wins = [self._distance([one], others) <= mine for one in answers]
                found[person].append(Fraction(sum(wins), len(wins)))
        return found

    def enough(self, judge: str, least: int) -> dict[str, list[Fraction]]:
        return {who: wins for who, wins in self.compared(judge).items() if len(wins) >= least}

    def units_of(self, judge: str, least: int) -> int:
        """Units behind the people who are compared; none where fewer than two are."""
        people = set(self.enough(judge, least))
        return sum(
            bool(people & set(given)) for u, given in self.people.items() if judge in self.judges[u]
        )

    def decided(self, judge: str) -> int:
        """Units that two people rated and the judge decides."""
        return sum(judge in given for given in self.judges.values())

    def silent(self, judge: str) -> int:
        """Units that two people rated and the judge was given, without a verdict that counts."""
        return len(self.given[judge] & self.several) - self.decided(judge)

    def advantage_probability(self, judge: str, least: int) -> float:
        return float(_mean([_mean(wins) for wins in self.enough(judge, least).values()]))

    def left_out(self, judge: str, least: int) -> dict[str, int]:
        """People with fewer units, and how many they have."""
        known = self.compared(judge)
        every = {person for given in self.people.values() for person in given}
        return {
            who: len(known.get(who, ())) for who in sorted(every) if len(known.get(who, ())) < least
        }


def _mean(values: list[Any]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
