"""Which decisions of a judge stand, computed again from the rows, by loops and exact fractions.

Shares nothing with goldassay. `NaiveRoute` reads a study's verdicts and sureness, `holds_until`
walks down a list of labelled decisions as the fixed sequence of tests does, for decisions that
stand alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from naive_ratings import ABSTAINED, NaiveStudy, Unit

__all__ = ["NaiveRoute", "holds_until", "most_errors"]

#: Tests begin at this share of the labels, and are made at every step beyond the second.
FIRST, COARSE, GROWTH = 0.25, 0.6, 1.02


class NaiveRoute:
    """A judge's decisions on the units to be decided: unit -> (option, sureness)."""

    def __init__(self, naive: NaiveStudy, judge: str, signal: str) -> None:
        self.naive, self.judge, self.signal = naive, judge, signal
        marked = any(row.get("split") == "calibration" for row in naive.rows)
        split = {naive.unit(row): row.get("split", "") for row in naive.rows}
        self.labels: dict[Unit, dict[str, float]] = {}
        self.waiting: list[Unit] = []
        for unit in naive.units:
            votes = Counter(one for one in naive.people.get(unit, ()) if one in naive.options)
            label = naive.label_of(votes)
            test = split[unit] == "test"
            if label and not (marked and test):
                whole = sum(label.values())
                self.labels[unit] = {said: n / whole for said, n in label.items()}
            elif not marked or test or split[unit] != "calibration":
                self.waiting.append(unit)
        if marked and self.waiting:
            self.pool = list(self.waiting)
        else:
            self.pool = [
                unit for unit in naive.units if unit in self.labels or unit in self.waiting
            ]
        self.decisions = self._decisions()

    def _decisions(self) -> dict[Unit, tuple[str, float]]:
        found = {}
        for unit in {*self.pool, *self.labels}:
            votes = self._votes(unit)
            most = max(votes.values(), default=0.0)
            said = [one for one, n in votes.items() if abs(n - most) < 1e-9]
            if most <= 0 or len(said) > 1:
                continue
            if self.voters == 2 and most < 1:  # of two, what one alone says is no verdict
                continue
            sure = self._sure(unit, said[0], most)
            if sure is not None:
                found[unit] = (said[0], round(sure, 12))
        return found

    @cached_property
    def voters(self) -> int:
        """Judges, or answers of the judge (samples, orders), whose agreement is the signal."""
        if self.signal == "judges":
            return len(self.naive.judges)
        if self.signal != "repeats":
            return 0
        mine = [row for row in self.naive.rows if row["kind"] == "judge"]
        return len(
            {
                (row.get("sample", ""), row.get("order", ""))
                for row in mine
                if row["rater"] == self.judge
            }
        )

    def _votes(self, unit: Unit) -> dict[str, float]:
        naive = self.naive
        if self.signal != "judges":
            own = naive.shares(self.judge, unit)
            return {said: n for said, n in own.items() if said in naive.options}
        votes: dict[str, float] = defaultdict(float)
        for judge in naive.judges:
            shares = naive.counting(judge, unit)
            options = {said: n for said, n in shares.items() if said in naive.options}
            most = max(options.values(), default=0.0)
            said = [one for one, n in options.items() if abs(n - most) < 1e-9]
            if len(said) == 1:
                votes[said[0]] += 1 / len(naive.judges)
        return votes

    def _sure(self, unit: Unit, said: str, share: float) -> float | None:
        if self.signal in ("repeats", "judges"):
            return share
        score = self._scores.get(unit)
        if score is None or self.signal == "confidence" or said == self.naive.positive:
            return score
        return 1 - score if self.probability else -score

    @cached_property
    def _scores(self) -> Mapping[Unit, float]:
        found: dict[Unit, list[float]] = defaultdict(list)
        for row in self.naive.rows:
            said = self.naive.state(row)
            rated = said not in (None, ABSTAINED, "invalid", "failed")
            if row["kind"] == "judge" and row["rater"] == self.judge and rated and row.get("score"):
                found[self.naive.unit(row)].append(float(row["score"]))
        return {unit: sum(given) / len(given) for unit, given in found.items()}

    @cached_property
    def probability(self) -> bool:
        return all(0 <= score <= 1 for score in self._scores.values())

    def beyond(self, thresholds: Mapping[str, float | None]) -> list[Unit]:
        """Decisions that stand under a threshold for all ("") or for each option."""
        found = []
        known = {said for unit, (said, _) in self.decisions.items() if unit in self.labels}
        for unit, (said, sure) in self.decisions.items():
            least = thresholds.get(said, thresholds.get(""))
            if said in known and least is not None and sure >= least:
                found.append(unit)
        return found

    def facts(self, thresholds: Mapping[str, float | None]) -> dict[str, Any]:
        """What the sentences say of a rule."""
        beyond = set(self.beyond(thresholds))
        pool = set(self.pool)
        known = [unit for unit in self.decisions if unit in self.labels]
        wrong = {unit: 1 - self.labels[unit].get(self.decisions[unit][0], 0.0) for unit in known}
        return {
            "holds": any(least is not None for least in thresholds.values()),
            "decided": len(beyond & pool),
            "items": len(pool),
            "labels": len(known),
            "labels_beyond": sum(unit in beyond for unit in known),
            "errors": sum(wrong[unit] for unit in known if unit in beyond),
            "left": len(pool - beyond),
            "left_unlabelled": sum(unit not in self.labels for unit in pool - beyond),
        }


def most_errors(size: int, risk: float, level: float) -> int:
    """The most errors among `size` labels that a binomial at the limit has with chance `level`."""
    chance, errors = 0.0, -1
    for k in range(size + 1):
        chance += math.comb(size, k) * risk**k * (1 - risk) ** (size - k)
        if chance > level:
            break
        errors = k
    return errors


def holds_until(
    decisions: Sequence[tuple[float, float]], risk: float, level: float
) -> tuple[float, int, float] | None:
    """The last threshold of the sequence with its labels and errors; decisions (sure, wrong)."""
    ranked = sorted(decisions, key=lambda one: -one[0])
    every = len(ranked)
    steps, last = [], 0
    for k in range(1, every + 1):
        ends = k == every or ranked[k][0] != ranked[k - 1][0]
        if ends and (k >= last * GROWTH or k == every):
            steps.append(k)
            last = k
    found, allowed_before = None, -1
    for k in steps:
        allowed = most_errors(k, risk, level) if k >= FIRST * every else -1
        tested = allowed > allowed_before or (k >= COARSE * every and allowed >= 0)
        allowed_before = max(allowed_before, allowed)
        if not tested:
            continue
        errors = sum(wrong for _, wrong in ranked[:k])
        if errors > allowed:
            break
        found = (ranked[k - 1][0], k, errors)
    return found
