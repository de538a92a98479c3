"""People's ranking: given scores, battles between systems, or scores on the same prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import GoldBattles
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
    win_rates,
)
from goldassay.formulas.strength import fit, fit_resamples
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.clusters import distinct_rows
from goldassay.questions.rank.aggregation import mean_scores

__all__ = [
    "Gold",
    "aligned_battles",
    "aligned_scores",
    "gold_of_battles",
    "gold_of_items",
    "gold_of_scores",
    "merged_battles",
    "own_weights",
    "split_half",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
    resampled_rates: Floats | None = None
    n_pairs_dropped: int = 0
    #: Scores of people's halves, [R, S] twice, to say how well people agree with themselves.
    halves: tuple[Floats, Floats] | None = None
    notes: tuple[str, ...] = field(default=())


def gold_of_scores(scores: Floats) -> Gold:
    """A ranking taken as given; no win rates, so neither decisiveness nor bias."""
    return Gold("given scores", scores, np.full(len(pairs_of(len(scores))), np.nan))


def gold_of_items(
    human: Floats, cluster: Ints | None, weights: Floats, *, min_battles: int, halves: Floats
) -> Gold:
    """Gold from people's scores [H, I, S] on the judges' own prompts, resampled with them.

    Several people's scores of one answer are averaged; a system's gold score is its mean.
    """
    items = _mean_over_people(human)
    n_clusters = weights.shape[1]
    scores = mean_scores(items, np.ones((1, n_clusters)), cluster)[0]
    compared = comparisons_from_scores(items, cluster)
    outcomes = compared.observed()
    enough = outcomes.wins + outcomes.losses >= min_battles
    rates = np.where(enough, win_rates(outcomes), np.nan)
    drawn = np.where(enough, win_rates(compared.resampled(weights)), np.nan)
    return Gold(
        "people's scores on the same prompts",
        scores,
        rates,
        mean_scores(items, weights, cluster),
        drawn,
        int((~enough & (outcomes.total > 0)).sum()),
        (mean_scores(items, halves, cluster), mean_scores(items, 1 - halves, cluster)),
    )


def _mean_over_people(human: Floats) -> Floats:
    known = ~np.isnan(human)
    number = known.sum(axis=0)
    total = np.where(known, human, 0.0).sum(axis=0)
    return ratio(total, number)


def gold_of_battles(
    compared: Comparisons,
    weights: Floats,
    *,
    source: str,
    ties: TieRule,
    min_battles: int,
    halves: Floats,
) -> Gold:
    """Gold from battles: Bradley-Terry scores, and win rates of pairs with enough untied battles.

    `weights` [B, C] resample the clusters of the battles: the judges' own when shared.
    """
    pairs = compared.pairs
    outcomes = compared.observed()
    fitted = fit(pairs, outcomes, ties=ties)
    drawn = compared.resampled(weights)
    strengths, apart = fit_resamples(pairs, drawn, fitted, ties=ties)
    met = pairs.per_system(outcomes.total[None], outcomes.total[None])[0] > 0
    enough = outcomes.wins + outcomes.losses >= min_battles
    notes = []
    if apart.any():
        notes.append(
            f"In {int(apart.sum())} of {len(apart)} resamples of people's battles some system was "
            "undefeated or winless; it then ranks first or last."
        )
    both = [
        fit_resamples(pairs, compared.resampled(half), fitted, ties=ties)[0]
        for half in (halves, compared.multiplicity - halves)
    ]
    return Gold(
        source,
        np.where(met, fitted.strengths, np.nan),
        np.where(enough, win_rates(outcomes), np.nan),
        np.where(met, strengths, np.nan),
        np.where(enough, win_rates(drawn), np.nan),
        int((~enough & (outcomes.total > 0)).sum()),
        (np.where(met, both[0], np.nan), np.where(met, both[1], np.nan)),
        tuple(notes),
    )


def split_half(multiplicity: Ints, splits: int, rng: np.random.Generator) -> Floats:
    """Random halves of the clusters, as weights [R, C]; the other half is the rest."""
    return rng.binomial(multiplicity, 0.5, size=(splits, len(multiplicity))).astype(np.float64)


def own_weights(compared: Comparisons, resamples: int, rng: np.random.Generator) -> Floats:
    """Weights for gold that was sampled apart from the judges' prompts."""
    return np.concatenate(list(multiplicities(compared.multiplicity, resamples, rng)))


def aligned_scores(
    scores: Mapping[str, float], systems: Sequence[str], *, place: str
) -> tuple[Floats, list[str]]:
    """Gold scores in the order of the judged systems, and words on names that did not match."""
    warnings = _matched(list(scores), systems, place)
    return np.array([scores.get(name, np.nan) for name in systems]), warnings


def aligned_battles(
    battles: GoldBattles, systems: Sequence[str], *, place: str
) -> tuple[Comparisons, list[str]]:
    """Gold battles between judged systems, and words on those left out."""
    names = sorted({*battles.first, *battles.second})
    warnings = _matched(names, systems, place)
    code = {name: index for index, name in enumerate(systems)}
    first = np.array([code.get(name, -1) for name in battles.first], np.int64)
    second = np.array([code.get(name, -1) for name in battles.second], np.int64)
    kept = (first >= 0) & (second >= 0)
    dropped = float(battles.wins[~kept].sum())
    if dropped:
        warnings.append(
            f"{dropped:,.0f} of {battles.wins.sum():,.0f} gold battles involve a system that no "
            "judge rated; they are left out."
        )
    if not kept.any():
        raise InputError(place, "has no battle between two systems that a judge rated")
    if battles.cluster is None:
        compared = _single_battles(len(systems), first[kept], second[kept], battles.wins[kept])
    else:
        compared = merged_battles(
            len(systems), first[kept], second[kept], battles.wins[kept], battles.cluster[kept]
        )
    return compared, warnings


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


def _matched(names: Sequence[str], systems: Sequence[str], place: str) -> list[str]:
    """Refuse gold that names other systems; say which names are on one side only."""
    common = set(names) & set(systems)
    strange = [name for name in names if name not in common]
    hints = [
        f"{shown(name)} (did you mean {near!r}?)"
        for name in strange
        if (near := nearest(name, [s for s in systems if s not in common]))
    ]
    if len(common) < 2:
        raise InputError(
            place,
            "must name at least two of the systems that the judges rated",
            found=f"{len(common)}; gold names {', '.join(map(shown, names[:4]))}",
            next_step=("Mend " + "; ".join(hints[:3]))
            if hints
            else f"The judged systems are {', '.join(map(shown, systems[:6]))}",
        )
    warnings = []
    if strange:
        text = f"{len(strange)} gold systems were not judged: "
        text += ", ".join(hints[:3] or map(shown, strange[:5]))
        warnings.append(text + (", ..." if len(strange) > 5 else "") + ".")
    silent = [name for name in systems if name not in common]
    if silent:
        more = ", ..." if len(silent) > 8 else ""
        warnings.append(
            f"{len(silent)} judged systems have no gold: {', '.join(map(shown, silent[:8]))}{more}"
            ". They are ranked, and left out of the comparison with people."
        )
    return warnings
