"""People's ranking: given scores, battles between systems, or scores on the same prompts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import GoldBattles, GoldFile
from goldassay.errors import InputError, nearest, shown
from goldassay.formulas.agreement import ratio
from goldassay.formulas.comparisons import (
    Comparisons,
    TieRule,
    battle_rows,
    comparisons_from_battles,
    comparisons_from_rows,
    comparisons_from_scores,
    pairs_of,
    untied_shares,
    win_rates,
)
from goldassay.formulas.strength import components, fit, fit_resamples
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.clusters import distinct_rows
from goldassay.questions.rank.aggregation import mean_scores
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.resampling import Draw

__all__ = [
    "CountedRates",
    "GivenGold",
    "Gold",
    "PairRules",
    "Unmatched",
    "aligned_battles",
    "aligned_scores",
    "given_gold",
    "gold_of",
    "hint",
    "merged_battles",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Win rates in resamples that are held as such: 80 MB of them.
HELD = 10_000_000
#: Random halves of the gold that are ranked against each other.
SPLITS = 100


@dataclass(frozen=True, slots=True)
class Unmatched:
    """What a file with people's ranking and the judges' ratings do not share."""

    #: Systems of the file that no judge rated, and the judged ones that they may mean.
    gold_only: tuple[str, ...] = ()
    meant: Mapping[str, str] = field(default_factory=dict)
    #: Judged systems that the file does not have.
    judged_only: tuple[str, ...] = ()
    #: Battles of the file; those with a system that no judge rated which link the judged ones, and
    #: so count for people's order only; those that link nothing, and are left out.
    battles: float = 0.0
    battles_linking: float = 0.0
    battles_dropped: float = 0.0


@dataclass(frozen=True, slots=True)
class GivenGold:
    """People's ranking from a file, for the judged systems: scores [S] or battles.

    Battles are between the judged systems, in their order, and others after them.
    """

    scores: Floats | None = None
    battles: Comparisons | None = None
    unmatched: Unmatched = field(default_factory=Unmatched)


@dataclass(frozen=True, slots=True)
class PairRules:
    """What a tie is, and the untied comparisons by people that a pair of systems must have."""

    ties: TieRule
    min_battles: int


@dataclass(frozen=True, slots=True)
class CountedRates:
    """Win rates [B, P], made where they are looked at: of many pairs, counts take half the memory.

    `decided` are the comparisons that are no ties; 0 where there are not enough.
    """

    wins: NDArray[np.uint16]
    decided: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.wins)

    def __getitem__(self, rows: slice) -> Floats:
        return ratio(self.wins[rows], self.decided[rows])


@dataclass(frozen=True, slots=True)
class Gold:
    """Scores [S] and win rates [P] of people, over resamples too where people were sampled.

    NaN for a system (pair) that people did not rate (too seldom). `resampled_*` are None when the
    gold is taken as given.
    """

    source: str
    scores: Floats
    rates: Floats
    resampled_scores: Floats | None = None
    resampled_rates: Floats | CountedRates | None = None
    n_pairs_dropped: int = 0
    #: Scores of people's halves, [R, S] twice, to say how well people agree with themselves.
    halves: tuple[Floats, Floats] | None = None
    #: Resamples of people's battles in which some system was undefeated or winless.
    n_separated: int = 0
    unmatched: Unmatched = field(default_factory=Unmatched)
    #: The share of comparisons of each pair [P] on the judges' own prompts that are no tie.
    untied: Floats | None = None

    @property
    def of_same_prompts(self) -> bool:
        """Whether people compared systems on the judges' own prompts."""
        return self.untied is not None


def gold_of(
    contest: Contest,
    given: GivenGold | None,
    draw: Draw,
    rules: PairRules,
    own_stream: Callable[[str], np.random.Generator],
) -> Gold | None:
    """The gold that is given, else people's ratings in the contest, else None.

    A given file's battles were sampled apart from the judges' prompts and are drawn on their own;
    people's ratings of the same prompts are drawn with them.
    """
    if given is not None and given.scores is not None:
        return replace(_of_scores(given.scores), unmatched=given.unmatched)
    if given is not None and given.battles is not None:
        battles = given.battles
        weights = _own_weights(battles, len(draw.weights), own_stream("battles"))
        halves = _split_half(battles.multiplicity, own_stream("halves"))
        gold = _of_battles(battles, weights, halves, rules, len(contest.systems))
        return replace(gold, source="battles", unmatched=given.unmatched)
    halves = _split_half(np.ones(contest.n_clusters, np.int64), own_stream("halves"))
    if (scores := contest.human_means()) is not None:
        gold = _of_items(scores, contest.item_cluster, draw, halves, rules)
        return (
            replace(gold, source="people's scores of the same answers") if contest.apart else gold
        )
    if contest.human_battles is not None:
        people = contest.human_battles
        gold = _of_battles(people, draw.weights, halves, rules, len(contest.systems))
        judged = people.pairs.second < len(contest.systems)
        return replace(gold, untied=untied_shares(people.observed())[judged])
    return None


def _of_scores(scores: Floats) -> Gold:
    """A ranking taken as given; no win rates, so neither decisiveness nor bias."""
    return Gold("given scores", scores, np.full(len(pairs_of(len(scores))), np.nan))


def _of_items(
    items: Floats, cluster: Ints | None, draw: Draw, halves: Floats, rules: PairRules
) -> Gold:
    """Gold from people's scores [I, S] of the judges' own prompts, resampled with them.

    A system's gold score is its mean.
    """
    weights = draw.weights
    scores = mean_scores(items, np.ones((1, draw.n_clusters)), cluster)[0]
    compared = comparisons_from_scores(items, cluster)
    outcomes = compared.observed()
    enough = outcomes.wins + outcomes.losses >= rules.min_battles
    rates = np.where(enough, win_rates(outcomes), np.nan)
    return Gold(
        "people's scores on the same prompts",
        scores,
        rates,
        mean_scores(items, weights, cluster),
        _drawn_rates(compared, weights, enough),
        int((~enough & (outcomes.total > 0)).sum()),
        (mean_scores(items, halves, cluster), mean_scores(items, 1 - halves, cluster)),
        untied=untied_shares(outcomes),
    )


def _drawn_rates(
    compared: Comparisons, weights: NDArray[Any], enough: NDArray[np.bool_]
) -> Floats | CountedRates:
    """Win rates [B, P] in resamples of whole numbers of comparisons; NaN where not `enough`."""
    shape = len(weights), len(enough)
    largest = int(weights.max()) * int(compared.observed().total.max())
    if math.prod(shape) > HELD and largest <= np.iinfo(np.uint16).max:
        counts = CountedRates(np.empty(shape, np.uint16), np.empty(shape, np.uint16))
        for rows, some in compared.in_blocks(weights):
            counts.wins[rows] = some.wins
            counts.decided[rows] = np.where(enough, some.wins + some.losses, 0)
        return counts
    drawn = np.empty(shape)
    for rows, some in compared.in_blocks(weights):
        drawn[rows] = np.where(enough, win_rates(some), np.nan)
    return drawn


def _of_battles(
    compared: Comparisons, weights: NDArray[Any], halves: Floats, rules: PairRules, n_judged: int
) -> Gold:
    """Gold from battles: Bradley-Terry scores, and win rates of pairs with enough untied battles.

    `weights` [B, C] resample the clusters of the battles: the judges' own when shared. The judged
    systems come first; strengths are fitted to the battles of all, and the others' then left out.
    """
    pairs = compared.pairs
    outcomes = compared.observed()
    fitted = fit(pairs, outcomes, ties=rules.ties)
    met = pairs.per_system(outcomes.total[None], outcomes.total[None])[0] > 0
    judged = pairs.second < n_judged
    enough = outcomes.wins + outcomes.losses >= rules.min_battles
    drawn, strengths, n_apart = np.empty((len(weights), int(judged.sum()))), [], 0
    for rows, some in compared.in_blocks(weights):
        drawn[rows] = np.where(enough, win_rates(some), np.nan)[:, judged]
        found, apart = fit_resamples(pairs, some, fitted, ties=rules.ties)
        strengths.append(found)
        n_apart += int(apart.sum())
    both = [
        fit_resamples(pairs, compared.resampled(half), fitted, ties=rules.ties)[0]
        for half in (halves, compared.multiplicity - halves)
    ]

    def scores(strengths: Floats) -> Floats:
        return np.where(met, strengths, np.nan)[..., :n_judged]

    return Gold(
        "people's verdicts on the same prompts",
        scores(fitted.strengths),
        np.where(enough, win_rates(outcomes), np.nan)[judged],
        scores(np.concatenate(strengths)),
        drawn,
        int((judged & ~enough & (outcomes.total > 0)).sum()),
        (scores(both[0]), scores(both[1])),
        n_apart,
    )


def _split_half(multiplicity: Ints, rng: np.random.Generator) -> Floats:
    """Random halves of the clusters, as weights [R, C]; the other half is the rest."""
    return rng.binomial(multiplicity, 0.5, size=(SPLITS, len(multiplicity))).astype(np.float64)


def _own_weights(compared: Comparisons, resamples: int, rng: np.random.Generator) -> Floats:
    """Weights for gold that was sampled apart from the judges' prompts."""
    return np.concatenate(list(multiplicities(compared.multiplicity, resamples, rng)))


def given_gold(file: GoldFile, systems: Sequence[str]) -> GivenGold:
    """A file's scores or battles for the judged systems."""
    if file.scores is not None:
        return aligned_scores(file.scores, systems, place=file.input.name)
    assert file.battles is not None
    return aligned_battles(file.battles, systems, place=file.input.name)


def aligned_scores(scores: Mapping[str, float], systems: Sequence[str], *, place: str) -> GivenGold:
    """Gold scores in the order of the judged systems."""
    unmatched = _unmatched(list(scores), systems, place)
    in_order = np.array([scores.get(name, np.nan) for name in systems])
    return GivenGold(scores=in_order, unmatched=unmatched)


def aligned_battles(battles: GoldBattles, systems: Sequence[str], *, place: str) -> GivenGold:
    """Gold battles: of the judged systems, and of others that link them through their battles."""
    names = sorted({*battles.first, *battles.second})
    unmatched = _unmatched(names, systems, place)
    everyone = [*systems, *unmatched.gold_only]
    code = {name: index for index, name in enumerate(everyone)}
    first = np.array([code[name] for name in battles.first], np.int64)
    second = np.array([code[name] for name in battles.second], np.int64)
    judged = np.maximum(first, second) < len(systems)
    if not judged.any():
        raise InputError(place, "has no battle between two systems that a judge rated")
    linking = _linking(len(everyone), len(systems), first, second, battles.wins)
    kept = linking[first] & linking[second]
    # Systems that link nothing are left out, and the others follow the judged ones.
    new = np.cumsum(linking) - 1
    chosen = int(linking.sum()), new[first[kept]], new[second[kept]], battles.wins[kept]
    if battles.cluster is None:
        compared = _single_battles(*chosen)
    else:
        compared = merged_battles(*chosen, battles.cluster[kept])
    unmatched = replace(
        unmatched,
        battles=float(battles.wins.sum()),
        battles_linking=float(battles.wins[kept & ~judged].sum()),
        battles_dropped=float(battles.wins[~kept].sum()),
    )
    return GivenGold(battles=compared, unmatched=unmatched)


def _linking(
    n_systems: int, n_judged: int, first: Ints, second: Ints, wins: Floats
) -> NDArray[np.bool_]:
    """The judged systems, and the others that finite strengths link with most of those.

    Strengths are comparable within a component of the battles. With other systems in it more of the
    judged ones are linked, and all are compared through more battles; a component of its own that
    is larger than theirs would leave the judged systems without a strength.
    """
    total = comparisons_from_battles(
        n_systems, first, second, wins, np.zeros(len(first), np.int64), n_clusters=1
    )
    groups = components(total.pairs, total.observed(), ties="exclude").members
    most = max(groups, key=lambda group: sum(system < n_judged for system in group))
    linking = np.arange(n_systems) < n_judged
    linking[list(most)] = True
    return linking


def merged_battles(
    n_systems: int, first: Ints, second: Ints, wins: Floats, cluster: Ints
) -> Comparisons:
    """Battles in clusters of their own: those with the very same outcomes become one row."""
    rows = battle_rows(n_systems, first, second, wins, cluster, int(cluster.max(initial=-1)) + 1)
    kept, multiplicity = distinct_rows(rows)
    return comparisons_from_rows(n_systems, rows[kept], multiplicity)


def _single_battles(n_systems: int, first: Ints, second: Ints, wins: Floats) -> Comparisons:
    """Battles that are each their own cluster: a row per pair and outcome, with a multiplicity."""
    pairs = pairs_of(n_systems)
    outcome = np.eye(3)
    rows = [(f, s, o) for f, s in zip(first, second, strict=True) for o in range(3)]
    number = wins.reshape(-1)
    used = number > 0
    one = comparisons_from_battles(
        n_systems,
        np.array([r[0] for r in rows])[used],
        np.array([r[1] for r in rows])[used],
        outcome[[r[2] for r in rows]][used],
        np.arange(int(used.sum())),
        n_clusters=int(used.sum()),
    )
    return Comparisons(pairs, number[used].astype(np.int64), one.wins, one.losses, one.ties)


def _unmatched(names: Sequence[str], systems: Sequence[str], place: str) -> Unmatched:
    """Which names are on one side only; gold that names other systems is refused."""
    common = set(names) & set(systems)
    gold_only = tuple(name for name in names if name not in common)
    judged_only = tuple(name for name in systems if name not in common)
    meant = {name: near for name in gold_only if (near := nearest(name, judged_only))}
    if len(common) < 2:
        hints = [hint(name, near) for name, near in meant.items()]
        raise InputError(
            place,
            "must name at least two of the systems that the judges rated",
            found=f"{len(common)}; gold names {', '.join(map(shown, names[:4]))}",
            next_step=("Mend " + "; ".join(hints[:3]))
            if hints
            else f"The judged systems are {', '.join(map(shown, systems[:6]))}",
        )
    return Unmatched(gold_only, meant, judged_only)


def hint(name: str, near: str) -> str:
    """A name that is not known, and the one that it may mean."""
    return f"{shown(name)} (did you mean {near!r}?)"
