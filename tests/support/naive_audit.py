"""What an audit says of forced choices, computed again from the rows: slowly, plainly, and apart.

Lists and loops over items; nothing here knows goldassay. Items on which a judge and people have the
same shares are looked at once, with their number. Conventions: docs/audit.md and the table
of definitions in Guerdan and others (2025).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, repeat

import numpy as np
from naive_ratings import NaiveStudy, Unit

__all__ = ["BETAS", "NaiveAudit"]

Vector = tuple[float, ...]
#: Name, the judge's and people's aggregation, and the options and threshold of a decision.
Key = tuple[str, str, str]

NEAR = 1e-9
BETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4)
THRESHOLD = 0.5
#: Rates of lapses that are tried.
RATES = (0.0, 0.05, 0.1, 0.2, 0.3)
EVERY = ("h", "s", "hrs", "srs")


def _log(weight: float, probability: float) -> float:
    if weight <= 0:
        return 0.0
    return math.inf if probability <= 0 else -weight * math.log(probability)


def _entropy(one: Vector, other: Vector) -> float:
    return sum(_log(a, b) for a, b in zip(one, other, strict=True))


def _shared(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _js(j: Vector, h: Vector) -> float:
    middle = tuple((a + b) / 2 for a, b in zip(j, h, strict=True))
    return max(_entropy(middle, middle) - (_entropy(j, j) + _entropy(h, h)) / 2, 0.0)


def _binary(j: Vector, h: Vector) -> float:
    rest = _entropy(tuple(1 - b for b in h), tuple(1 - a for a in j))
    return _entropy(h, j) + rest


PER_ITEM: Mapping[str, Callable[[Vector, Vector], float | None]] = {
    "hit_rate": _shared,
    "coverage": lambda j, h: float(_shared(j, h) > 0),
    "recall": lambda j, h: _shared(j, h) / sum(h) if sum(h) else None,
    "precision": lambda j, h: _shared(j, h) / sum(j) if sum(j) else None,
    "kl_divergence": lambda j, h: max(_entropy(h, j) - _entropy(h, h), 0.0),
    "reverse_kl_divergence": lambda j, h: max(_entropy(j, h) - _entropy(j, j), 0.0),
    "cross_entropy": lambda j, h: _entropy(h, j),
    "reverse_cross_entropy": _entropy,
    "jensen_shannon": _js,
    "binary_cross_entropy": _binary,
    "mean_squared_error": lambda j, h: sum((a - b) ** 2 for a, b in zip(j, h, strict=True)),
}
#: Of whom less is better; of the others more, and of a bias what is nearest to 0.
LOWER = {
    "kl_divergence",
    "reverse_kl_divergence",
    "cross_entropy",
    "reverse_cross_entropy",
    "jensen_shannon",
    "binary_cross_entropy",
    "mean_squared_error",
    "predictive_efficiency",
}
TABLES = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "scott_pi")
KEYS: tuple[Key, ...] = (
    ("hit_rate", "h", "h"),
    *((name, "h", "h") for name in TABLES),
    *(
        (name, "s", "s")
        for name in (
            "kl_divergence",
            "reverse_kl_divergence",
            "cross_entropy",
            "reverse_cross_entropy",
            "jensen_shannon",
        )
    ),
    *(
        (name, j, h)
        for name in ("coverage", "recall", "precision")
        for h in ("h", "hrs")
        for j in ("h", "hrs")
    ),
    ("predictive_efficiency", "hrs", "-"),
    *(("binary_cross_entropy", j, h) for h in ("h", "hrs") for j in EVERY),
    ("binary_cross_entropy", "srs", "srs"),
    *(("mean_squared_error", j, h) for h in EVERY for j in EVERY),
    *(("decision_consistency", one, one) for one in ("h", "s", "srs")),
)
#: Those that are compared with one another where nobody gave response sets, in their order.
COMPARED: tuple[Key, ...] = (
    ("hit_rate", "h", "h"),
    ("cohen_kappa", "h", "h"),
    ("krippendorff_alpha", "h", "h"),
    ("kl_divergence", "s", "s"),
    ("reverse_kl_divergence", "s", "s"),
    ("jensen_shannon", "s", "s"),
    ("coverage", "h", "hrs"),
    ("mean_squared_error", "s", "s"),
    ("decision_consistency", "s", "s"),
)


@dataclass
class NaiveAudit:
    """An audit of the options counted, by a study's rows; people may be changed (`shares`)."""

    naive: NaiveStudy
    counted: Sequence[str]
    #: People's shares by unit where they are not the observed ones.
    shares: Mapping[Unit, Vector] | None = None
    #: How often a choice hides another option.
    beta: float = 0.0
    #: Units that count, where not all do.
    only: set[Unit] | None = None
    known: dict[tuple[str, Key], float | None] = field(default_factory=dict)
    together: dict[str, Counter[tuple[Vector, Vector]]] = field(default_factory=dict)

    @cached_property
    def judges(self) -> list[str]:
        """By how many items each decides that people rated, then by name: the first of level ones
        is selected."""
        rated = set(self.naive.spreads(None))
        own = {judge: len(rated & set(self.naive.spreads(judge))) for judge in self.naive.judges}
        return sorted(own, key=lambda judge: (-own[judge], judge))

    @property
    def options(self) -> list[str]:
        return self.naive.spread_options()

    @cached_property
    def shared(self) -> set[Unit]:
        """Units on which every judge decides: judges are compared on these."""
        decided = [set(self.naive.spreads(judge)) for judge in self.judges]
        return set.intersection(*decided) if decided else set()

    def compared(self) -> NaiveAudit:
        """The same audit on the units that every judge decides."""
        people = {unit: one for unit, one in self.people.items() if unit in self.shared}
        return NaiveAudit(self.naive, self.counted, people, self.beta, only=self.shared)

    def _own(self, judge: str) -> Mapping[Unit, Vector]:
        own = self.naive.spreads(judge)
        return own if self.only is None else {u: own[u] for u in own if u in self.only}

    def _both(self, judge: str) -> Counter[tuple[Vector, Vector]]:
        """The judge's shares and people's on the units that both rated: how many have them."""
        if judge not in self.together:
            own, people = self._own(judge), self.people
            self.together[judge] = Counter((own[u], people[u]) for u in people if u in own)
        return self.together[judge]

    @cached_property
    def people(self) -> Mapping[Unit, Vector]:
        """People's shares of the options, of the units that somebody rated."""
        return self.naive.spreads(None) if self.shares is None else self.shares

    @cached_property
    def ratings_per_item(self) -> list[int]:
        numbers = [len(self.naive.spread(said)) for said in self.naive.people.values()]
        return sorted(number for number in numbers if number)

    @property
    def median(self) -> float:
        numbers = self.ratings_per_item
        half = len(numbers) // 2
        return numbers[half] if len(numbers) % 2 else (numbers[half - 1] + numbers[half]) / 2

    def _decided(self, share: float) -> float:
        """1 where half of the raters say so or more do; a half at just half, where declared."""
        if self.naive.task.get("reference_ties") == "half" and abs(share - THRESHOLD) < NEAR:
            return 0.5
        return float(share >= THRESHOLD - NEAR)

    def _vector(self, shares: Vector, how: str, hidden: Vector) -> Vector | None:
        """A rating vector; `hidden` is what is added to each option's share of response sets."""
        accepted = tuple(min(a + b, 1.0) for a, b in zip(shares, hidden, strict=True))
        if how == "s":
            return shares
        if how == "srs":
            return accepted
        if how == "hrs":
            return tuple(float(share >= 0.5 - NEAR) for share in accepted)
        best = [share >= max(shares) - NEAR for share in shares]
        if sum(best) > 1 and self.naive.task.get("reference_ties", "exclude") != "half":
            return None
        return tuple(one / sum(best) for one in best)

    @cached_property
    def may_hide(self) -> dict[str, list[str]]:
        """Which option may hide which, by the scale."""
        options, scale = self.naive.options, self.naive.scale
        if scale == "binary":
            return {one: [self.naive.positive] for one in options if one != self.naive.positive}
        if scale == "ordinal":
            return {low: [options[k + 1]] for k, low in enumerate(options[:-1])}
        if scale == "pairwise":
            wins = [one for one in options if one != self.naive.tie]
            return {**{one: [str(self.naive.tie)] for one in wins}, str(self.naive.tie): wins}
        return {one: list(self.counted) for one in options if one not in self.counted}

    def _hidden(self, shares: Vector) -> Vector:
        """The shares of raters who accept each option beside the one that they chose."""
        options, more = self.options, [0.0] * len(shares)
        for chosen, hidden in self.may_hide.items():
            for one in hidden:
                more[options.index(one)] += self.beta * shares[options.index(chosen)]
        return tuple(more)

    def _accepting(self, shares: Vector, how: str, beta: float) -> float | None:
        """The share of raters who choose, or accept, an option that is counted."""
        options = self.options
        if how == "h":
            mode = self._vector(shares, "h", (0.0,) * len(shares))
            return None if mode is None else sum(mode[options.index(one)] for one in self.counted)
        share = sum(shares[options.index(one)] for one in self.counted)
        if how == "srs":
            for chosen, hidden in self.may_hide.items():
                if chosen not in self.counted and set(hidden) & set(self.counted):
                    share += beta * shares[options.index(chosen)]
        return share

    def decisions(self, judge: str, how: str) -> list[tuple[float, float]]:
        """How far the judge and people count each unit that both rated: level votes by half."""
        found: list[tuple[float, float]] = []
        for (own, people), units in self._both(judge).items():
            one = self._accepting(own, how, 0.0)
            two = self._accepting(people, how, self.beta)
            if one is not None and two is not None:
                found += [(self._decided(one), self._decided(two))] * units
        return found

    def value(self, judge: str, key: Key) -> float | None:
        """A definition's value for a judge; None where it is undefined."""
        if (judge, key) not in self.known:
            self.known[judge, key] = self._value(judge, key)
        return self.known[judge, key]

    def _value(self, judge: str, key: Key) -> float | None:
        name, j, h = key
        if name in ("decision_consistency", "estimation_bias"):
            decided = self.decisions(judge, j)
            if not decided:
                return None
            if name == "estimation_bias":
                return sum(one - two for one, two in decided) / len(decided)
            return sum(1 - abs(one - two) for one, two in decided) / len(decided)
        nothing = (0.0,) * len(self.options)
        if name == "predictive_efficiency":
            own = [x for unit, x in self._own(judge).items() if unit in self.people]
            if not own:
                return None
            return sum(sum(self._vector(x, "hrs", nothing) or ()) for x in own) / len(own)
        pairs = []
        for (own_shares, people), units in self._both(judge).items():
            one = self._vector(own_shares, j, nothing)
            two = self._vector(people, h, self._hidden(people))
            if one is not None and two is not None:
                pairs.append((one, two, units))
        if name in TABLES:
            hard = [[(a.index(1), b.index(1))] * units for a, b, units in pairs]
            return _beyond_chance(name, [one for some in hard for one in some])
        found = [
            (value, units) for a, b, units in pairs if (value := PER_ITEM[name](a, b)) is not None
        ]
        if not found or any(math.isinf(value) for value, _ in found):
            return None
        # An exact sum: the same items in another order score alike.
        every = chain.from_iterable(repeat(value, units) for value, units in found)
        return math.fsum(every) / sum(units for _, units in found)

    def selected(self, key: Key) -> str | None:
        """The first of the judges that are best by a definition; None where one has no value."""
        values = [self.value(judge, key) for judge in self.judges]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or len(values) < 2:
            return None
        scores = [_score(key[0], value) for value in known]
        # Sums in another order are the same score.
        best = [score > max(scores) - 1e-12 for score in scores]
        return self.judges[best.index(True)]

    def selects(self, key: Key) -> str | None:
        """The same, None where all judges score alike."""
        values = [value for j in self.judges if (value := self.value(j, key)) is not None]
        spread = max(values, default=0.0) - min(values, default=0.0)
        return self.selected(key) if spread > 1e-12 else None

    def selections(self) -> dict[str, int]:
        """How many of all definitions select each judge."""
        picks = [self.selects(key) for key in KEYS]
        return {judge: picks.count(judge) for judge in self.judges}

    def label(self, key: Key) -> str:
        name, j, h = key
        decided = f" {', '.join(self.counted)} {THRESHOLD:g}" if name.startswith("decision") else ""
        return f"{name} {j}/{h}{decided}"

    def same_order(self) -> list[Key]:
        """The definitions compared; empty where two of them order judges differently."""
        kept = [k for k in COMPARED if all(self.value(j, k) is not None for j in self.judges)]
        orders = []
        for key in kept:
            values = [_score(key[0], self.value(j, key) or 0.0) for j in self.judges]
            orders.append([_sign(a - b) for k, a in enumerate(values) for b in values[k + 1 :]])
        apart = any(
            a * b < 0 for one in orders for two in orders for a, b in zip(one, two, strict=True)
        )
        return [] if apart else kept

    def at_beta(self, beta: float) -> NaiveAudit:
        """The same audit where forced choices hide another option so often."""
        return NaiveAudit(self.naive, self.counted, self.shares, beta, self.only)

    def without_lapses(self, rate: float, leaning: float) -> NaiveAudit:
        """The same audit on people's shares turned back through their lapses."""
        options = self.options
        size = len(options)
        error = np.eye(size)
        for held in range(size):
            weights = [
                0.0 if k == held else 1 + leaning if options[k] in self.counted else 1 - leaning
                for k in range(size)
            ]
            if sum(weights) > 0:
                error[:, held] = [rate * weight / sum(weights) for weight in weights]
                error[held, held] = 1 - rate
        back = np.linalg.inv(error)
        stable = {}
        for unit, shares in self.people.items():
            cut = [max(float(row @ np.array(shares)), 0.0) for row in back]
            stable[unit] = tuple(one / sum(cut) for one in cut)
        return NaiveAudit(self.naive, self.counted, stable, self.beta, self.only)

    # --- what sentences say ------------------------------------------------------------------

    @property
    def measure(self) -> str:
        """What the judge is for."""
        goal = self.naive.task.get("goal", "prevalence")
        return "estimation_bias" if goal == "prevalence" else "decision_consistency"

    def winner(self) -> str | None:
        """The judge that is best at what it is for, by response sets."""
        return self.selected((self.measure, "srs", "srs"))

    def chosen(self) -> tuple[str, dict[str, list[str]]]:
        """The judge that most definitions select, and which of those compared select each."""
        by_judge: dict[str, list[str]] = {}
        for key in COMPARED:
            if (judge := self.selects(key)) is not None:
                by_judge.setdefault(judge, []).append(self.label(key))
        every = self.selections()
        best = sorted(
            self.judges,
            key=lambda judge: (
                -every[judge],
                -len(by_judge.get(judge, ())),
                -(self.value(judge, ("decision_consistency", "s", "s")) or 0.0),
            ),
        )[0]
        order = sorted(by_judge, key=lambda judge: (judge != best, -len(by_judge[judge])))
        return best, {judge: by_judge[judge] for judge in order}

    def level_with(self, chosen: str) -> list[str]:
        """Judges with the chosen one's value by every definition compared."""
        keys = [*COMPARED, ("estimation_bias", "s", "s")]
        rows = {judge: [self.value(judge, key) for key in keys] for judge in self.judges}

        def alike(one: str) -> bool:
            both = zip(rows[one], rows[chosen], strict=True)
            return all(a == b or (a and b and abs(a - b) < NEAR) for a, b in both)

        return [judge for judge in self.judges if judge != chosen and alike(judge)]

    def as_good(self) -> list[str]:
        """The judges that nobody is better than at what they are for, by response sets."""
        worth = {
            judge: _score(self.measure, value)
            for judge in self.judges
            if (value := self.value(judge, (self.measure, "srs", "srs"))) is not None
        }
        return [judge for judge, one in worth.items() if one >= max(worth.values()) - NEAR]

    def winners_by_beta(self) -> list[tuple[float, str | None, list[str]]]:
        """Where the best judge changes as forced choices hide more, and who is as good there."""
        found: list[tuple[float, str | None, list[str]]] = []
        for beta in BETAS:
            there = self.at_beta(beta)
            winner, good = there.winner(), there.as_good()
            if found and found[-1][1] in good:
                found[-1] = (*found[-1][:2], [one for one in found[-1][2] if one in good])
            else:
                found.append((beta, winner, [one for one in good if one != winner]))
        return found

    def prevalence(self, beta: float) -> float:
        """The share of rated units that people count."""
        shares = [self._accepting(one, "srs", beta) or 0.0 for one in self.people.values()]
        return sum(map(self._decided, shares)) / len(shares)

    def costs(self) -> dict[tuple[float, str], float]:
        """How much worse than the best the judge is that a definition selects, by beta."""
        found = {}
        for beta in BETAS:
            there = self.at_beta(beta)
            worth = {
                judge: _score(self.measure, value)
                for judge in self.judges
                if (value := there.value(judge, (self.measure, "srs", "srs"))) is not None
            }
            for key in COMPARED[:-1]:
                if (judge := there.selects(key)) is not None:
                    found[beta, self.label(key)] = max(worth.values()) - worth[judge]
        return found

    def level_despite_lapses(self, up_to: float) -> list[str]:
        """The judges that are as good as the best one whatever lapses there are."""
        rates = sorted({0.0, *(one for one in RATES if one <= up_to), min(up_to, RATES[-1])})
        first, level = self.without_lapses(0.0, 0.0).winner(), list(self.judges)
        for leaning in (0.0, 1.0, -1.0):
            for rate in rates:
                good = self.without_lapses(rate, leaning).as_good()
                level = [one for one in level if one in good]
        return [one for one in level if one != first]

    def first_flip(self, up_to: float) -> tuple[str | None, float | None, float | None]:
        """The least rate of lapses at which another judge is best, with it and the leaning."""
        rates = sorted({0.0, *(one for one in RATES if one <= up_to), min(up_to, RATES[-1])})
        first = self.without_lapses(0.0, 0.0).winner()
        flips = []
        for order, leaning in enumerate((0.0, 1.0, -1.0)):
            for rate in rates:
                there = self.without_lapses(rate, leaning)
                winner = there.winner()
                if winner is not None and first not in there.as_good():
                    flips.append((rate, abs(leaning), order, leaning, winner))
        if not flips:
            return None, None, None
        rate, _, _, leaning, winner = sorted(flips)[0]
        return winner, rate, leaning


def _score(name: str, value: float) -> float:
    if name in LOWER:
        return -value
    return -abs(value) if name.endswith("bias") else value


def _sign(difference: float) -> int:
    rounded = round(difference, 12)
    return (rounded > 0) - (rounded < 0)


def _beyond_chance(name: str, pairs: Sequence[tuple[int, int]]) -> float | None:
    """Agreement beyond chance of two hard ratings."""
    if not pairs:
        return None
    number = len(pairs)
    agree = sum(a == b for a, b in pairs) / number
    options = {one for pair in pairs for one in pair}
    first = {k: sum(a == k for a, _ in pairs) / number for k in options}
    second = {k: sum(b == k for _, b in pairs) / number for k in options}
    if name == "cohen_kappa":
        chance = sum(first[k] * second[k] for k in options)
    else:
        chance = sum(((first[k] + second[k]) / 2) ** 2 for k in options)
    if chance >= 1 - 1e-12:
        return None
    pi = (agree - chance) / (1 - chance)
    return pi + (1 - pi) / (2 * number) if name == "krippendorff_alpha" else pi
