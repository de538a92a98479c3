"""What sentences claim, computed again from the rows of a table: slowly, plainly, and apart.

Dictionaries and loops over rows; nothing here knows goldassay's counts, formulas, metrics or
questions, so that an error there is no error here. What the conventions are stands in
docs/conventions.md and in the docstrings of the functions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from typing import Any, TypeVar, cast

__all__ = ["NaiveStudy", "Number", "enough"]

#: A unit: what one rater rates once.
Unit = tuple[str, ...]
Number = float | int | None
#: Reference class -> verdict class -> how much.
Table = dict[tuple[str, str], float]

F = TypeVar("F", bound=Callable[..., Any])

UNIT = ("item", "criterion", "system", "opponent")
ABSTAINED, INVALID, FAILED = "abstained", "invalid", "failed"
#: A judge that decides less than half as much as the busiest is not compared; where that leaves
#: one judge alone, as the second.
ENOUGH = 0.5
LEAST_OF_LABEL = 20


def enough(decided: Mapping[str, int]) -> list[str]:
    """The judges that decide enough to be compared, of how much each of them decides."""
    judged = {judge: number for judge, number in decided.items() if number}
    for most in sorted(judged.values(), reverse=True)[:2]:
        compared = [judge for judge, number in judged.items() if number >= ENOUGH * most]
        if len(compared) > 1:
            return compared
    return list(judged)


def remembered(method: F) -> F:
    """The method, whose answer is kept for the same arguments."""

    @wraps(method)
    def asked(self: NaiveStudy, *arguments: Any) -> Any:
        key = (method.__name__, *arguments)
        if key not in self.known:
            self.known[key] = method(self, *arguments)
        return self.known[key]

    return cast(F, asked)


class NaiveStudy:
    """The rows of a table, by unit, under the task that declares them."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], task: Mapping[str, Any]) -> None:
        self.rows = [{key: _text(cell) for key, cell in row.items()} for row in rows]
        self.task = dict(task)
        self.known: dict[tuple[Any, ...], Any] = {}
        self.scale = str(task["scale"])
        self.options = [str(one) for one in task.get("options", ())]
        self.abstentions = task.get("abstentions", "exclude")
        self.invalids = task.get("invalids", "exclude")
        self.ties = task.get("ties", "half")
        self.tie = task.get("tie")
        self.reference = task.get("reference", "majority")
        self.recode_to = task.get("recode_to")
        if self.abstentions == "recode" and self.recode_to is None and self.scale == "binary":
            self.recode_to = next(one for one in self.options if one != self.positive)

    @property
    def positive(self) -> str:
        """The counted option of two: the declared one, or the first."""
        return str(self.task.get("positive") or self.options[0])

    # --- rows by unit ---------------------------------------------------------------------------

    def state(self, row: Mapping[str, str]) -> str | None:
        """What a row says: an option (a number), abstained, invalid, failed; None for nothing."""
        status, value = row.get("status", ""), row.get("value", "")
        if status in (ABSTAINED, INVALID, FAILED):
            return status
        if value in self.task.get("abstain", ()):
            return ABSTAINED
        if value in self.task.get("invalid", ()):
            return INVALID
        return value or None

    @staticmethod
    def unit(row: Mapping[str, str]) -> Unit:
        return tuple(row.get(name, "") for name in UNIT)

    @cached_property
    def units(self) -> list[Unit]:
        return list(dict.fromkeys(self.unit(row) for row in self.rows))

    @cached_property
    def people(self) -> dict[Unit, list[str]]:
        """People's ratings of each unit, with what is no option."""
        return {unit: [said for _, said in given] for unit, given in self.by_person.items()}

    @cached_property
    def by_person(self) -> dict[Unit, list[tuple[str, str]]]:
        found: dict[Unit, list[tuple[str, str]]] = defaultdict(list)
        for row in self.rows:
            said = self.state(row)
            if row["kind"] == "human" and said is not None:
                found[self.unit(row)].append((row["rater"], said))
        return dict(found)

    @cached_property
    def verdicts(self) -> dict[str, dict[Unit, list[str]]]:
        """A judge's verdicts on each unit, one for each time it was asked."""
        found: dict[str, dict[Unit, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in self.rows:
            said = self.state(row)
            if row["kind"] == "judge" and said is not None:
                found[row["rater"]][self.unit(row)].append(said)
        return {judge: dict(given) for judge, given in found.items()}

    @property
    def judges(self) -> list[str]:
        return sorted(self.verdicts)

    @cached_property
    def weights(self) -> dict[Unit, float]:
        """How much a unit counts: the largest of its weights."""
        found: dict[Unit, float] = {}
        for row in self.rows:
            weight = float(row.get("weight") or 1.0)
            found[self.unit(row)] = max(found.get(self.unit(row), 0.0), weight)
        return found

    def within(self, about: Mapping[str, str]) -> NaiveStudy:
        """The rows of a criterion or a system only."""
        keys = [key for key in ("criterion", "system") if about.get(key)]
        rows = [row for row in self.rows if all(row.get(key) == about[key] for key in keys)]
        if not keys:
            return self
        key = ("within", *(about[key] for key in keys))
        return self.known.setdefault(key, NaiveStudy(rows, self.task))

    # --- the reference ----------------------------------------------------------------------------

    def votes(self, unit: Unit) -> Counter[str]:
        """People's ratings that count towards the reference."""
        found: Counter[str] = Counter()
        for said in self.people.get(unit, ()):
            if said == ABSTAINED and self.abstentions == "recode":
                found[str(self.recode_to)] += 1
            elif said in self.options or (said == ABSTAINED and self.abstentions == "class"):
                found[said] += 1
        return found

    @remembered
    def label(self, unit: Unit) -> dict[str, float]:
        """The reference of a unit: class -> weight; nothing where nobody rated or votes tie."""
        return self.label_of(self.votes(unit))

    def label_of(self, votes: Mapping[str, int]) -> dict[str, float]:
        number = sum(votes.values())
        if not number:
            return {}
        if self.reference == "each":
            return {said: float(n) for said, n in votes.items()}
        if self.reference == "soft":
            return {said: n / number for said, n in votes.items()}
        if self.reference not in ("majority",):
            raise NotImplementedError(self.reference)
        most = max(votes.values())
        winners = [said for said in [*self.options, ABSTAINED] if votes.get(said, 0) == most]
        if len(winners) > 1 and self.task.get("reference_ties", "exclude") == "exclude":
            return {}
        return {one: 1 / len(winners) for one in winners}

    # --- a judge against people -------------------------------------------------------------------

    def shares(self, judge: str, unit: Unit) -> dict[str, float]:
        """A judge's verdicts on a unit: class -> share of the times that it was asked."""
        given = self.verdicts[judge].get(unit, [])
        found: dict[str, float] = defaultdict(float)
        for said in given:
            at = said
            if said == ABSTAINED and self.abstentions == "recode":
                at = str(self.recode_to)
            found[at] += 1 / len(given)
        return found

    @remembered
    def cells(self, judge: str, unit: Unit) -> Table:
        """Reference against verdict on one unit, resolved as the task declares; unweighted."""
        found: Table = defaultdict(float)
        for truth, part in self.label(unit).items():
            for said, share in self.shares(judge, unit).items():
                for at, much in self._resolved(truth, said):
                    found[at] += part * share * much
        return found

    def _resolved(self, truth: str, said: str) -> Iterator[tuple[tuple[str, str], float]]:
        if said == FAILED or (said == ABSTAINED and self.abstentions != "class"):
            return
        if said == INVALID:
            if self.invalids == "exclude":
                return
            if self.invalids == "wrong" and len(self.options) == 2:
                if truth in self.options:
                    yield (truth, next(one for one in self.options if one != truth)), 1.0
                return
        if self.tie is None or self.ties == "class" or self.tie not in (truth, said):
            yield (truth, said), 1.0
            return
        if self.ties == "exclude":
            return
        sides = [one for one in self.options if one != self.tie]
        for side in sides:  # half a vote to each side; two ties agree whichever side is drawn
            if truth == said:
                yield (side, side), 0.5
            elif truth == self.tie:
                yield (side, said), 0.5
            else:
                yield (truth, side), 0.5

    @remembered
    def decided(self, judge: str) -> list[Unit]:
        """Units with something to count."""
        return [unit for unit in self.units if any(self.cells(judge, unit).values())]

    def table(self, judge: str, units: Iterable[Unit] | None = None) -> Table:
        """All decisions; declared weights count relative to their mean over all units, labels that
        were drawn by verdict for as many units as have theirs."""
        weights = {unit: self.weights[unit] * self.drawn.get(unit, 1.0) for unit in self.units}
        mean = sum(weights.values()) / len(weights)
        found: Table = defaultdict(float)
        for unit in self.units if units is None else units:
            for at, much in self.cells(judge, unit).items():
                found[at] += much * weights[unit] / mean
        return found

    @property
    def drawn(self) -> dict[Unit, float]:
        return self.draw[1]

    @property
    def drawn_judges(self) -> tuple[str, ...]:
        return self.draw[0]

    @cached_property
    def draw(self) -> tuple[tuple[str, ...], dict[Unit, float]]:
        """For how many units a labelled one stands, where labels were drawn by verdict: by those of
        the judge, or by whether all agree, which tell most of which units are labelled, within each
        criterion. Of more kinds of verdicts more is to be told."""
        if self.task.get("calibration") != "by_verdict" or self.scale == "continuous":
            return (), {}
        states = [*self.options, ABSTAINED, INVALID, FAILED]
        each = {
            judge: {unit: min(given, key=states.index) for unit, given in said.items()}
            for judge, said in ((judge, self.verdicts[judge]) for judge in self.judges)
        }
        ways: dict[tuple[str, ...], dict[Unit, str]] = {(j,): said for j, said in each.items()}
        if len(each) > 1:
            together = {
                unit: [said[unit] for said in each.values() if unit in said] for unit in self.units
            }
            ways[tuple(each)] = {
                unit: given[0] if len(set(given)) == 1 else "they differ"
                for unit, given in together.items()
                if len(given) > 1
            }
        found: tuple[tuple[str, ...], dict[Unit, float]] = (), {}
        most = -math.inf
        for judges, verdicts in ways.items():
            said = {u: (u[UNIT.index("criterion")], one) for u, one in verdicts.items()}
            met = {said[unit][0] for unit in said if unit in self.people}
            said = {unit: key for unit, key in said.items() if key[0] in met}
            if not said:
                continue
            kinds = len(set(said.values())) - len(met)
            told = _told_of_labels(said, set(self.people)) - kinds
            if told > most + 1e-9:
                most, found = told, (judges, _stood_for(said, set(self.people)))
        return found

    def classes(self, table: Table) -> list[str]:
        """The classes that tables have: options, less a resolved tie, and what is one beside."""
        options = [o for o in self.options if o != self.tie or self.ties == "class"]
        found = [*options, ABSTAINED] if self.abstentions == "class" else options
        return [*found, INVALID] if any(said == INVALID for _, said in table) else found

    # --- numbers of a table -----------------------------------------------------------------------

    @remembered
    def shared(self) -> tuple[list[str], list[Unit]]:
        """The judges that are compared, and the units that all of them decide."""
        own = {judge: self.decided(judge) for judge in self.judges}
        compared = enough({judge: len(units) for judge, units in own.items()})
        kept = [judge for judge in compared if not self._leaves_out(judge, compared)]
        if kept or (compared and set.intersection(*(set(own[j]) for j in compared))):
            compared = kept
        if not compared:
            return [], []
        every = set(self.units).intersection(*(own[j] for j in compared))
        return compared, [unit for unit in self.units if unit in every]

    def of_label(self, judge: str | None, label: str) -> float:
        """Units of a label of people's that a judge decides, or all; in parts where they differ."""
        units = self.units if judge is None else self.decided(judge)
        found = [self.label(unit) for unit in units]
        return sum(one.get(label, 0.0) / sum(one.values()) for one in found if one)

    def _leaves_out(self, judge: str, compared: Sequence[str]) -> bool:
        """Whether it decides less than half as much of one label as of another, as others go."""
        parts = []
        for label in [*self.options, ABSTAINED]:
            most = max(self.of_label(one, label) for one in compared)
            if most >= LEAST_OF_LABEL:
                parts.append(self.of_label(judge, label) / most)
        return len(parts) > 1 and min(parts) < ENOUGH * max(parts)

    def silent_on(self, judge: str, label: str) -> Number:
        """The share of what people call so alone of which a judge gives no verdict."""
        lost = []
        for unit in self.units:
            given = self.verdicts[judge].get(unit, [])
            if given and list(self.label(unit)) == [label]:
                lost.append(sum(one not in self.options for one in given) / len(given))
        return _ratio(sum(lost), len(lost))

    def with_no_verdict_wrong(self, judge: str, criterion: str) -> Number:
        """What it gets right of all that it was asked, on average over labels or not."""
        right, every = defaultdict(float), defaultdict(float)

        def decision(said: str) -> str:
            by_side = criterion != "balanced_accuracy" and self.task.get("positive")
            return str(said == self.positive) if by_side else said

        for unit in self.units:
            if self.verdicts[judge].get(unit):
                for label, much in self.label(unit).items():
                    every[label] += much
                for (label, said), much in self.cells(judge, unit).items():
                    right[label] += much * (decision(label) == decision(said))
        if criterion == "balanced_accuracy":
            return sum(right[one] / every[one] for one in every) / len(every)
        return _ratio(sum(right.values()), sum(every.values()))

    def accuracy(self, table: Table) -> Number:
        return _ratio(sum(n for (a, b), n in table.items() if a == b), sum(table.values()))

    def chance_agreement(self, table: Table) -> Number:
        total = sum(table.values())
        expected = sum(
            _row(table, one) * _column(table, one) for one in {at for both in table for at in both}
        )
        return _ratio(expected, total * total)

    def cohen_kappa(self, table: Table) -> Number:
        seen, chance = self.accuracy(table), self.chance_agreement(table)
        if seen is None or chance is None or math.isclose(chance, 1.0):
            return None
        return (seen - chance) / (1 - chance)

    def weighted_kappa(self, table: Table) -> Number:
        """Cohen's kappa with credit for near misses; a class beside the options earns none."""
        total, classes = sum(table.values()), self.classes(table)
        seen = chance = 0.0
        for one in classes:
            for other in classes:
                credit = self._credit(one, other)
                seen += credit * table.get((one, other), 0.0) / total
                chance += credit * _row(table, one) * _column(table, other) / total**2
        return None if math.isclose(chance, 1.0) else (seen - chance) / (1 - chance)

    def _credit(self, one: str, other: str) -> float:
        if one == other:
            return 1.0
        if one not in self.options or other not in self.options:
            return 0.0
        far = abs(self.options.index(one) - self.options.index(other)) / (len(self.options) - 1)
        return {"unweighted": 0.0, "linear": 1 - far, "quadratic": 1 - far * far}[
            self.task.get("weights", "unweighted")
        ]

    def phi(self, table: Table) -> Number:
        yes = self.positive
        no = next(one for one in self.options if one not in (yes, self.tie))
        a, b, c, d = (table.get(at, 0.0) for at in ((yes, yes), (yes, no), (no, yes), (no, no)))
        root = math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
        return _ratio(a * d - b * c, root)

    def kappa_phi_gap(self, table: Table) -> Number:
        phi, kappa = self.phi(table), self.cohen_kappa(table)
        return None if phi is None or kappa is None else phi - kappa

    def reference_rate(self, table: Table) -> Number:
        return _ratio(_row(table, self.positive), sum(table.values()))

    def verdict_rate(self, table: Table) -> Number:
        return _ratio(_column(table, self.positive), sum(table.values()))

    def positive_rate_difference(self, table: Table) -> Number:
        judge, people = self.verdict_rate(table), self.reference_rate(table)
        return None if judge is None or people is None else judge - people

    def recall(self, table: Table, one: str) -> Number:
        return _ratio(table.get((one, one), 0.0), _row(table, one))

    def right_elsewhere(self, table: Table, one: str) -> Number:
        """The share of equal verdicts on what people call something else."""
        others = {both: n for both, n in table.items() if both[0] != one}
        return self.accuracy(others)

    def sensitivity(self, table: Table) -> Number:
        return self.recall(table, self.positive)

    def specificity(self, table: Table) -> Number:
        """Of what people do not call positive, the share that the judge does not either."""
        others = sum(n for (truth, _), n in table.items() if truth != self.positive)
        called = _column(table, self.positive) - table.get((self.positive, self.positive), 0.0)
        wrong = _ratio(called, others)
        return None if wrong is None else 1 - wrong

    def false_positive_rate(self, table: Table) -> Number:
        found = self.specificity(table)
        return None if found is None else 1 - found

    def youden_j(self, table: Table) -> Number:
        one, two = self.sensitivity(table), self.specificity(table)
        return None if one is None or two is None else one + two - 1

    def balanced_accuracy(self, table: Table) -> Number:
        """The mean of the shares recovered of each class that the reference has."""
        found = [self.recall(table, one) for one in self.classes(table)]
        known = [one for one in found if one is not None]
        return None if len(known) < 2 else sum(known) / len(known)

    def decision_consistency(self, table: Table) -> Number:
        """Equal decisions: the positive option or not, where one is declared; else the option."""
        positive = self.task.get("positive")

        def decision(said: str) -> str:
            counts = positive is not None and said in self.options
            return str(said == positive) if counts else said

        alike = sum(n for (a, b), n in table.items() if decision(a) == decision(b))
        return _ratio(alike, sum(table.values()))

    # --- what a judge leaves open -----------------------------------------------------------------

    @cached_property
    def rated(self) -> set[Unit]:
        """The units that people rated, abstaining or not; all where they rated none."""
        found = set()
        for unit, given in self.people.items():
            number, plain = self.scale == "continuous", {ABSTAINED, *self.options}
            if any(
                said not in (ABSTAINED, INVALID, FAILED) if number else said in plain
                for said in given
            ):
                found.add(unit)
        return found or set(self.units)

    def asked(self, judge: str, unit: Unit) -> bool:
        return bool(self.verdicts[judge].get(unit)) or unit in self.rated

    def seen(self, judge: str) -> list[Unit]:
        """What a judge's coverage is of: all that people rated."""
        return [unit for unit in self.units if unit in self.rated]

    @remembered
    def coverage(self, judge: str) -> Number:
        """The share of its verdicts that are options; repeats share a unit's one."""
        return self._rate(judge, lambda said: said not in (ABSTAINED, INVALID, FAILED))

    def tie_rate(self, judge: str) -> Number:
        return self._rate(judge, lambda said: said == self.tie)

    def _rate(self, judge: str, hit: Any) -> Number:
        shares = []
        for unit in self.seen(judge):
            given = self.verdicts[judge].get(unit, [])
            shares.append(sum(bool(hit(said)) for said in given) / max(len(given), 1))
        return _mean(shares)

    # --- people -----------------------------------------------------------------------------------

    def human_tie_rate(self) -> Number:
        """The mean tied share of people's references, one for each unit that has one."""
        labels = [self.label_of(self._options_of(unit)) for unit in self.units]
        return _mean([one.get(str(self.tie), 0.0) / sum(one.values()) for one in labels if one])

    @remembered
    def pairs(self) -> list[tuple[str, str]]:
        """Every two ratings of a unit by people that count as ratings."""
        found = []
        for unit in self.units:
            given = list(self.votes(unit).elements())
            found += [(one, two) for k, one in enumerate(given) for two in given[k + 1 :]]
        return found

    def human_observed_agreement(self) -> Number:
        """The mean over units with two ratings of the share of their pairs that are equal."""
        shares = []
        for unit in self.units:
            given = list(self.votes(unit).elements())
            same = [a == b for k, a in enumerate(given) for b in given[k + 1 :]]
            shares += [sum(same) / len(same)] if same else []
        return _mean(shares)

    @remembered
    def human_krippendorff_alpha(self) -> Number:
        """1 - observed / expected difference, over the units with two ratings or more."""
        if self.scale == "continuous":
            raise NotImplementedError
        ordered = self.scale == "ordinal" and self.abstentions != "class"
        classes = [*self.options, ABSTAINED]
        together: dict[tuple[str, str], float] = defaultdict(float)
        for unit in self.units:
            votes = self.votes(unit)
            number = sum(votes.values())
            if number < 2:
                continue
            for one in classes:
                for two in classes:
                    pairs = votes[one] * (votes[two] - (one == two))
                    together[one, two] += pairs / (number - 1)
        marginal = {one: sum(together[one, two] for two in classes) for one in classes}
        total = sum(marginal.values())

        def apart(one: str, two: str) -> float:
            if not ordered:
                return float(one != two)
            low, high = sorted((classes.index(one), classes.index(two)))
            between = sum(marginal[classes[k]] for k in range(low, high + 1))
            return (between - (marginal[one] + marginal[two]) / 2) ** 2

        seen = sum(n * apart(*both) for both, n in together.items())
        chance = sum(marginal[a] * marginal[b] * apart(a, b) for a in classes for b in classes)
        return None if not chance else 1 - (total - 1) * seen / chance

    def agreement(self, one: str, two: str) -> float | None:
        """How far two ratings agree under the declared handling; None where they do not count."""
        if self.abstentions == "recode":
            one, two = (str(self.recode_to) if said == ABSTAINED else said for said in (one, two))
        for said in (one, two):
            if said not in self.options and not (said == ABSTAINED and self.abstentions == "class"):
                return None
        if self.tie in (one, two) and self.tie is not None:
            if self.ties == "exclude":
                return None
            if self.ties == "half" and one != two:
                return 0.0 if ABSTAINED in (one, two) else 0.5
        return float(one == two)

    @remembered
    def beside(self, judge: str) -> dict[str, float]:
        """A judge with a person, and two people, on the units where both can be told."""
        own, theirs = [], []
        for unit in self.units:
            people = self.people.get(unit, [])
            # Every two different ratings, both ways round.
            pairs = [
                self.agreement(one, two)
                for i, one in enumerate(people)
                for j, two in enumerate(people)
                if i != j
            ]
            same = [one for one in pairs if one is not None]
            given = self.verdicts[judge].get(unit, [])
            hits = [self._with_person(said, person) for said in given for person in people]
            met = [one for one in hits if one is not None]
            if same and met:
                own.append(sum(met) / len(met))
                theirs.append(sum(same) / len(same))
        if not own:
            return {}
        with_a_person, of_two_people = sum(own) / len(own), sum(theirs) / len(theirs)
        return {
            "agreement_with_a_person": with_a_person,
            "agreement_of_two_people": of_two_people,
            "gap_to_people": with_a_person - of_two_people,
            "n_items": len(own),
        }

    def _with_person(self, said: str, person: str) -> float | None:
        if said == INVALID and self.invalids != "exclude":
            return None if self.agreement(person, person) is None else 0.0
        return self.agreement(said, person)

    # --- rates ------------------------------------------------------------------------------------

    @remembered
    def pool(self, judge: str) -> tuple[dict[str, float], Table, int]:
        """Verdicts of unlabelled items, labelled items (label, verdict), and how many there are.

        Where a split marks calibration items, labels of test items are not used.
        """
        marked = self.marked
        split = {self.unit(row): row.get("split", "") for row in self.rows}
        test: dict[str, float] = defaultdict(float)
        labelled: Table = defaultdict(float)
        weights = self.within_verdicts(judge)
        units = weight = 0.0
        for unit in self.units:
            label = self.label_of(self._options_of(unit))
            shares = self.counting(judge, unit)
            whole = sum(shares.values())
            calibration = bool(label) and not (marked and split[unit] == "test")
            tested = (
                not label
                if not marked
                else split[unit] == "test" or (split[unit] != "calibration" and not label)
            )
            if not whole or not (calibration or tested):
                continue
            units += 1
            weight += weights[unit]
            number = sum(label.values())
            for said, share in shares.items():
                much = weights[unit] * share / whole
                if not calibration:
                    test[said] += much
                    continue
                for truth, part in label.items():
                    labelled[truth, said] += much * part / number
        scale = units / weight if weight else 1.0  # so that weights add up to the items
        return (
            {said: n * scale for said, n in test.items()},
            {at: n * scale for at, n in labelled.items()},
            int(units),
        )

    @remembered
    def within_verdicts(self, judge: str) -> dict[Unit, float]:
        """Weights of units in a judge's rates: labels that were drawn by another judge's verdict
        count by that draw, relative to the others of this one's verdict in the same slice."""
        if not self.drawn or self.drawn_judges == (judge,):
            return self.weights
        states = [*self.options, ABSTAINED, INVALID, FAILED]
        slices = ("criterion", "system", "split", "stratum", *self.task.get("strata", ()))
        where = {self.unit(row): tuple(row.get(name) for name in slices) for row in self.rows}
        said = {
            unit: (where[unit], min(given, key=states.index))
            for unit, given in self.verdicts[judge].items()
            if unit in self.people
        }
        groups: dict[tuple[Any, str], list[float]] = defaultdict(list)
        for unit, key in said.items():
            groups[key].append(self.drawn.get(unit, 1.0))
        mean = {key: sum(all_of) / len(all_of) for key, all_of in groups.items()}
        return {
            unit: weight * (self.drawn.get(unit, 1.0) / mean[said[unit]] if unit in said else 1.0)
            for unit, weight in self.weights.items()
        }

    def _options_of(self, unit: Unit) -> Counter[str]:
        """People's options; what abstained is no label, whatever verdicts are."""
        return Counter(one for one in self.people.get(unit, ()) if one in self.options)

    def counting(self, judge: str, unit: Unit) -> dict[str, float]:
        """The verdicts that count in a rate: options, and what is declared a class."""
        kept = set(self.options)
        if self.abstentions == "class":
            kept.add(ABSTAINED)
        if self.invalids != "exclude":
            kept.add(INVALID)
        return {said: n for said, n in self.shares(judge, unit).items() if said in kept}

    def whole(self) -> NaiveStudy:
        """The same with no verdict as one more, where the judge was asked and gave none."""
        return _Whole(self.rows, self.task)

    def undecided(self, judge: str) -> list[Unit]:
        """The units of the pool that the judge was asked about without a verdict that counts."""
        whole = self.whole()
        return [unit for unit in whole.pool_units(judge) if not self.counting(judge, unit)]

    def from_pool(self) -> bool:
        """Whether the labelled items are items whose rate is wanted."""
        marked = self.marked
        declared = self.task.get("calibration")
        return declared in ("random", "by_verdict") or (declared is None and not marked)

    def given(self, judge: str) -> dict[str, float]:
        """How often the judge says what, of the items whose rate is wanted."""
        test, labelled, _ = self.pool(judge)
        found = dict(test)
        if self.from_pool():
            for (_, said), n in labelled.items():
                found[said] = found.get(said, 0.0) + n
        return found

    def called(self, judge: str, option: str) -> Number:
        """The judge's own rate over the items whose rate is wanted."""
        found = self.given(judge)
        return _ratio(found.get(option, 0.0), sum(found.values()))

    def grades(self, judge: str) -> dict[float, float]:
        """How often the judge gives each number, of the items whose mean is wanted."""
        given = self.given(judge)
        return {float(option): given.get(option, 0.0) for option in self.options}

    @remembered
    def everything(self, judge: str) -> dict[str, float] | None:
        """Labels by option, were all that this judge or none was asked about has one, and the judge
        leaves some without a verdict that counts."""
        if self.task.get("calibration") == "by_label":
            return None
        if any(row.get("split") == "calibration" for row in self.rows):
            return None
        seen: dict[Unit, set[str]] = defaultdict(set)
        for row in self.rows:
            if row["kind"] == "judge":
                seen[self.unit(row)].add(row["rater"])
        here = [unit for unit in self.units if self.asked(judge, unit) or not seen[unit]]
        labels = {unit: self.label_of(self._options_of(unit)) for unit in here}
        if not all(labels.values()) or all(self.counting(judge, unit) for unit in here):
            return None
        found: dict[str, float] = defaultdict(float)
        weight = sum(self.weights[unit] for unit in here)
        for unit, label in labels.items():
            for truth, part in label.items():
                share = part / sum(label.values())
                found[truth] += share * self.weights[unit] * len(here) / weight
        return dict(found)

    def rated_items(self, judge: str) -> int:
        """How many items a rate is of."""
        every = self.everything(judge)
        return self.pool(judge)[2] if every is None else round(sum(every.values()))

    def labelled(self, judge: str) -> float:
        """How many items that a rate is of have a label, whatever they weigh."""
        if (every := self.everything(judge)) is not None:
            return round(sum(every.values()))
        marked = self.marked
        split = {self.unit(row): row.get("split", "") for row in self.rows}
        return sum(
            bool(self.label_of(self._options_of(unit)))
            for unit in self.pool_units(judge)
            if not (marked and split[unit] == "test")
        )

    def calibration_only(self, judge: str, option: str) -> Number:
        if (every := self.everything(judge)) is not None:
            return _ratio(every.get(option, 0.0), sum(every.values()))
        return self.calibration_only_of_decided(judge, option)

    def calibration_only_of_decided(self, judge: str, option: str) -> Number:
        """The labelled rate of the items that the judge decides."""
        labelled = self.pool(judge)[1]
        return _ratio(_row(labelled, option), sum(labelled.values()))

    def stratified(self, judge: str, option: str) -> Number:
        """The labelled rate within each verdict, weighted by all items with that verdict."""
        if self.everything(judge) is not None:
            return self.calibration_only(judge, option)
        return self.stratified_of_decided(judge, option)

    def stratified_of_decided(self, judge: str, option: str) -> Number:
        test, labelled, _ = self.pool(judge)
        overall = self.calibration_only_of_decided(judge, option)
        if overall is None:
            return None
        verdicts = {*test, *(said for _, said in labelled)}
        total = rate = 0.0
        for said in verdicts:
            known = _column(labelled, said)
            size = test.get(said, 0.0) + known
            within = labelled.get((option, said), 0.0) / known if known else overall
            total += size
            rate += size * within
        return _ratio(rate, total)

    def rogan_gladen(self, judge: str, option: str) -> Number:
        """(rate + specificity - 1) / (sensitivity + specificity - 1), held within 0 and 1."""
        test, labelled, _ = self.pool(judge)
        (other,) = (one for one in self.options if one != option)
        rate = _ratio(test.get(option, 0.0), sum(test.values()))
        found = _ratio(labelled.get((option, option), 0.0), _row(labelled, option))
        wrong = _ratio(labelled.get((other, option), 0.0), _row(labelled, other))
        if rate is None or found is None or wrong is None or found <= wrong:
            return None
        return min(max((rate - wrong) / (found - wrong), 0.0), 1.0)

    @property
    def marked(self) -> bool:
        """Whether a split marks items for calibration."""
        return any(row.get("split") == "calibration" for row in self.rows)

    def by_errors(self, judge: str, option: str, of: NaiveStudy | None = None) -> Number:
        """Rogan and Gladen's rate of all items, labelled ones too, by the errors on others."""
        _, labelled, _ = (of or self).pool(judge)
        (other,) = (one for one in self.options if one != option)
        found = _ratio(labelled.get((option, option), 0.0), _row(labelled, option))
        wrong = _ratio(labelled.get((other, option), 0.0), _row(labelled, other))
        rate = self.called(judge, option)
        if rate is None or found is None or wrong is None or found <= wrong:
            return None
        return min(max((rate - wrong) / (found - wrong), 0.0), 1.0)

    def without_verdict(self, judge: str) -> dict[str, float]:
        """Items of the pool without a verdict that counts, by reason: how many."""
        found: dict[str, float] = defaultdict(float)
        for unit in self._judged_pool():
            given, shares = self.verdicts[judge].get(unit, []), self.shares(judge, unit)
            if not given:
                found["not judged"] += 1
            elif not self.counting(judge, unit):  # by what most of its answers are
                found[max((ABSTAINED, INVALID, FAILED), key=lambda one: shares.get(one, 0.0))] += 1
        return dict(found)

    def missing_weight(self, judge: str) -> float:
        """What they weigh, where the items with a verdict weigh one each on average."""
        weights = self.within_verdicts(judge)
        units = self.pool_units(judge)
        mean = sum(weights[unit] for unit in units) / len(units)
        found = 0.0
        for unit in self._judged_pool():
            found += 0.0 if self.counting(judge, unit) else weights[unit] / mean
        return found

    def pool_units(self, judge: str) -> list[Unit]:
        """The units of the pool on which the judge's verdict counts."""
        return [unit for unit in self._judged_pool() if self.counting(judge, unit)]

    def _judged_pool(self) -> list[Unit]:
        """Units that are labelled items or test items, whoever judged them."""
        marked = self.marked
        split = {self.unit(row): row.get("split", "") for row in self.rows}
        return [
            unit
            for unit in self.units
            if not marked or split[unit] != "calibration" or self.label_of(self._options_of(unit))
        ]

    def labels_without_verdict(self, judge: str, option: str) -> tuple[float, float]:
        marked = self.marked
        split = {self.unit(row): row.get("split", "") for row in self.rows}
        every = positive = 0.0
        for unit in self.units:
            label = self.label_of(self._options_of(unit))
            if not label or self.counting(judge, unit) or (marked and split[unit] == "test"):
                continue
            every += 1
            positive += label.get(option, 0.0) / sum(label.values())
        return every, positive

    # --- scores -----------------------------------------------------------------------------------

    @remembered
    @remembered
    def ranked(self, judge: str) -> list[tuple[float, bool]]:
        """A judge's mean score, and whether more than half of the people say positive."""
        own, found = self.scores("judge", judge), []
        for unit in self.units:
            said = [one for _, one in self.by_person.get(unit, ()) if one in self.options]
            share = said.count(self.positive) / len(said) if said else 0.5
            if unit in own and share != 0.5:
                found.append((own[unit], share > 0.5))
        return found

    def roc_auc(self, judge: str) -> Number:
        pairs = [
            (a > b) + (a == b) / 2
            for a, up in self.ranked(judge)
            if up
            for b, high in self.ranked(judge)
            if not high
        ]
        return _mean(pairs)

    def average_precision(self, judge: str) -> Number:
        found = []
        for score, up in self.ranked(judge):
            above = [hit for other, hit in self.ranked(judge) if other >= score]
            found += [sum(above) / len(above)] if up else []
        return _mean(found)

    def scores(self, kind: str, rater: str | None = None) -> dict[Unit, float]:
        """The mean score of each unit, of the means of each rater."""
        found: dict[Unit, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in self.rows:
            if row["kind"] == kind and rater in (None, row["rater"]):
                number = self._number(row)
                if number is not None:
                    found[self.unit(row)][row["rater"]].append(number)
        return {
            unit: sum(sum(one) / len(one) for one in given.values()) / len(given)
            for unit, given in found.items()
        }

    def _number(self, row: Mapping[str, str]) -> float | None:
        said = self.state(row)
        if said in (None, ABSTAINED, INVALID, FAILED):
            return None
        if row.get("score"):
            return float(row["score"])
        if self.scale == "continuous":
            return float(str(said))
        if self.scale == "ordinal":
            try:
                return [float(one) for one in self.options][self.options.index(str(said))]
            except ValueError:  # words: their places in the declared order
                return self.options.index(str(said)) + 1.0
        return float(said == self.positive)

    def pearson(self, judge: str) -> Number:
        pairs = self.paired(judge)
        if len(pairs) < 2:
            return None
        x, y = (sum(one[k] for one in pairs) / len(pairs) for k in (0, 1))
        top = sum((a - x) * (b - y) for a, b in pairs)
        root = math.sqrt(sum((a - x) ** 2 for a, _ in pairs) * sum((b - y) ** 2 for _, b in pairs))
        return _ratio(top, root)

    def lin_concordance(self, judge: str) -> Number:
        pairs = self.paired(judge)
        x, y = (sum(one[k] for one in pairs) / len(pairs) for k in (0, 1))
        top = 2 * sum((a - x) * (b - y) for a, b in pairs)
        spread = sum((a - x) ** 2 for a, _ in pairs) + sum((b - y) ** 2 for _, b in pairs)
        return _ratio(top, spread + len(pairs) * (x - y) ** 2)

    def paired(self, judge: str) -> list[tuple[float, float]]:
        people, own = self.scores("human"), self.scores("judge", judge)
        return [(people[unit], own[unit]) for unit in self.units if unit in people and unit in own]

    def behind_mean(self, judge: str) -> dict[Unit, float]:
        """People's scores of the units whose mean is told: those that the judge scored too, or
        all that it or no judge was asked about, where people scored every one of them."""
        people, own = self.scores("human"), self.scores("judge", judge)
        seen: dict[Unit, set[str]] = defaultdict(set)
        for row in self.rows:
            if row["kind"] == "judge":
                seen[self.unit(row)].add(row["rater"])
        scored = {*people, *(u for one in self.judges for u in self.scores("judge", one))}
        here = [unit for unit in self.units if self.asked(judge, unit) or not seen[unit]]
        here = [unit for unit in here if unit in scored]
        whole = self.task.get("calibration") != "by_label" and all(unit in people for unit in here)
        return {unit: people[unit] for unit in (here if whole else own) if unit in people}

    # --- systems ----------------------------------------------------------------------------------

    def systems_in_battles(self, judge: str | None = None) -> set[str]:
        """Systems of which people (or a judge) decide a battle otherwise than as a tie."""
        sides = {self.unit(row): (row["system"], row["opponent"]) for row in self.rows}
        found: set[str] = set()
        for unit in self.units:
            said = (
                self.label_of(self._options_of(unit))
                if judge is None
                else {one for one in self.verdicts[judge].get(unit, ()) if one in self.options}
            )
            if set(said) - {self.tie}:
                found |= set(sides[unit])
        return found

    def answers(self, kind: str, rater: str | None = None) -> dict[tuple[str, str], float]:
        """What a rater (people: their mean) gives each system's answer to each item."""
        found: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for row in self.rows:
            if row["kind"] == kind and rater in (None, row["rater"]):
                number = self._number(row)
                if number is not None:
                    answer = (row.get("system", ""), row.get("prompt") or row["item"])
                    found[answer][row["rater"]].append(number)
        return {
            answer: sum(sum(one) / len(one) for one in given.values()) / len(given)
            for answer, given in found.items()
        }

    def jury(self, members: Sequence[str]) -> dict[tuple[str, str], float]:
        """The mean of members' scores of each answer, each brought to mean 0 and spread 1."""
        found: dict[tuple[str, str], list[float]] = defaultdict(list)
        for judge in members:
            own = self.answers("judge", judge)
            mean = sum(own.values()) / len(own)
            spread = math.sqrt(sum((one - mean) ** 2 for one in own.values()) / len(own))
            for answer, score in own.items():
                found[answer].append((score - mean) / (spread or 1.0))
        return {answer: sum(scores) / len(scores) for answer, scores in found.items()}

    def pairs_in_order(self, judge: str) -> Number:
        """The share of pairs of systems that a judge's means put as people's do; none if level."""
        own = _system_means(self.answers("judge", judge))
        people = _system_means(self.answers("human"))
        names = sorted(people.keys() & own.keys())
        signs = [
            _sign(people[one] - people[two]) * _sign(own[one] - own[two])
            for k, one in enumerate(names)
            for two in names[k + 1 :]
        ]
        return None if 0 in signs else _ratio(signs.count(1), len(signs))

    def tau_by_mean(self, judge: str | Sequence[str]) -> Number:
        """Kendall's tau-b of people's order of systems and a judge's, or that of a jury."""
        alone = isinstance(judge, str)
        own = _system_means(self.answers("judge", str(judge)) if alone else self.jury(judge))
        people = _system_means(self.answers("human"))
        names = sorted(people.keys() & own.keys())
        score = one_sided = other_sided = 0
        for k, one in enumerate(names):
            for two in names[k + 1 :]:
                a = _sign(people[one] - people[two])
                b = _sign(own[one] - own[two])
                score += a * b
                one_sided += a != 0
                other_sided += b != 0
        return _ratio(score, math.sqrt(one_sided * other_sided))

    # --- an audit's decisions -------------------------------------------------------------------

    def spread(self, given: Iterable[str]) -> list[str]:
        """What a distribution is made of: options, and abstentions as they are declared."""
        if self.abstentions == "recode":
            given = [str(self.recode_to) if one == ABSTAINED else one for one in given]
        kept = {*self.options, *([ABSTAINED] if self.abstentions == "class" else [])}
        return [one for one in given if one in kept]

    @remembered
    def spread_options(self) -> list[str]:
        """The task's options, and abstentions where they are a class and somebody abstained."""
        said = [*self.people.values(), *(v for j in self.judges for v in self.verdicts[j].values())]
        abstained = any(ABSTAINED in self.spread(one) for one in said)
        return [*self.options, *([ABSTAINED] if abstained else [])]

    @remembered
    def spreads(self, judge: str | None) -> dict[Unit, tuple[float, ...]]:
        """A judge's (or people's) shares of these, of the units with any."""
        found = {}
        for unit, given in (self.people if judge is None else self.verdicts[judge]).items():
            kept = self.spread(given)
            if kept:
                counts = [kept.count(option) for option in self.spread_options()]
                found[unit] = tuple(count / len(kept) for count in counts)
        return found

    def decisions(self, judge: str, options: Sequence[str], threshold: float) -> dict[str, float]:
        """On units that both rated: how often people and the judge count, and decide alike."""
        halves = self.task.get("reference_ties") == "half"  # else just the threshold is enough
        both = []
        for unit in self.units:
            people = self.spread(self.people.get(unit, ()))
            own = self.spread(self.verdicts[judge].get(unit, ()))
            if people and own:
                shares = (sum(one in options for one in said) / len(said) for said in (people, own))
                both.append(
                    tuple(
                        0.5
                        if halves and threshold == 0.5 and abs(share - threshold) < 1e-12
                        else float(share >= threshold - 1e-12)
                        for share in shares
                    )
                )
        if not both:
            return {}
        people_rate = sum(one for one, _ in both) / len(both)
        judge_rate = sum(two for _, two in both) / len(both)
        return {
            "decision_consistency": sum(1 - abs(one - two) for one, two in both) / len(both),
            "people_rate": people_rate,
            "judge_rate": judge_rate,
            "all_alike": max(people_rate, 1 - people_rate),
            "estimation_bias": judge_rate - people_rate,
            "n_items": len(both),
            "level": any(0.5 in one for one in both),
        }


class _Whole(NaiveStudy):
    def counting(self, judge: str, unit: Unit) -> dict[str, float]:
        kept = super().counting(judge, unit)
        return kept or ({"none": 1.0} if self.asked(judge, unit) else {})


def _system_means(answers: Mapping[tuple[str, str], float]) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for (system, _), score in answers.items():
        found[system].append(score)
    return {system: sum(scores) / len(scores) for system, scores in found.items()}


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _sign(difference: float) -> int:
    return 0 if abs(difference) < 1e-12 else 1 if difference > 0 else -1


def _row(table: Mapping[tuple[str, str], float], one: str) -> float:
    return sum(n for (truth, _), n in table.items() if truth == one)


def _column(table: Mapping[tuple[str, str], float], one: str) -> float:
    return sum(n for (_, said), n in table.items() if said == one)


def _mean(values: Sequence[float]) -> Number:
    return sum(values) / len(values) if values else None


def _ratio(top: float, bottom: float) -> Number:
    return top / bottom if abs(bottom) > 1e-12 else None


def _told_of_labels(said: Mapping[Unit, tuple[str, str]], labelled: set[Unit]) -> float:
    """Units x information of verdicts on whether units are labelled, summed over criteria."""
    found = 0.0
    for criterion in {key[0] for key in said.values()}:
        here = [unit for unit in said if said[unit][0] == criterion]
        cells = Counter((said[unit][1], unit in labelled) for unit in here)
        verdicts = Counter(said[unit][1] for unit in here)
        rated = Counter(unit in labelled for unit in here)
        for (verdict, is_rated), n in cells.items():
            found += n * math.log(n * len(here) / (verdicts[verdict] * rated[is_rated]))
    return found


def _stood_for(said: Mapping[Unit, tuple[str, str]], labelled: set[Unit]) -> dict[Unit, float]:
    """Labelled unit -> the inverse of the share of its verdict that is labelled, 1 on average."""
    judged = Counter(said.values())
    rated = Counter(key for unit, key in said.items() if unit in labelled)
    each = {unit: judged[key] / rated[key] for unit, key in said.items() if unit in labelled}
    mean = sum(each.values()) / len(each)
    return {unit: one / mean for unit, one in each.items()}
