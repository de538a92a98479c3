"""Self-preference: a judge's bias towards systems of its own making or family.

The bias is the decisiveness-corrected B' of Gera et al. (2025). Two tests: theirs (paired t over
opponents, one-sided, Bonferroni), which takes the win rates of pairs as independent observations,
and a cluster-aware one, which draws the prompts anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Pairs
from goldassay.questions.rank.behaviour import PairedTest, beta_curve, paired_t_test
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.judged import Judged
from goldassay.questions.rank.uncertainty import percentile_ends

__all__ = ["Kinship", "family_bias", "kin_systems"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kinship:
    """Bias of a judge towards its kin: the systems, B', its interval, and two one-sided p-values.

    `p_opponents` is Bonferroni's over all judges with kin, None where the test cannot be made.
    """

    judge: str
    systems: tuple[str, ...]
    bias: float
    low: float
    high: float
    p_opponents: float | None
    p_prompts: float


def kin_systems(
    judges: Sequence[str], systems: Sequence[str], families: Mapping[str, str]
) -> dict[str, tuple[int, ...]]:
    """The systems of each judge's family; a judge that is itself a system is its own kin."""
    kin = {}
    for judge in judges:
        family = families.get(judge)
        own = [
            index
            for index, system in enumerate(systems)
            if system == judge or (family is not None and families.get(system) == family)
        ]
        if own and len(own) < len(systems):
            kin[judge] = tuple(own)
    return kin


def family_bias(
    judged: Sequence[Judged],
    gold: Gold,
    pairs: Pairs,
    systems: Sequence[str],
    kin: Mapping[str, tuple[int, ...]],
    *,
    confidence_level: float,
    n_clusters: int,
) -> list[Kinship]:
    """Self- or family-bias of every judge that has kin among the systems with gold."""
    found: list[tuple[Kinship, PairedTest | None]] = []
    for one in judged:
        behaviour = one.behaviour
        own = [
            s for s in kin.get(one.name, ()) if behaviour and not np.isnan(behaviour.corrected[s])
        ]
        if behaviour is None or behaviour.decisiveness is None or not own:
            continue
        bias = float(behaviour.corrected[own].mean())
        with np.errstate(invalid="ignore"):
            drawn = behaviour.resampled_corrected[:, own].mean(axis=1)
        drawn = drawn[~np.isnan(drawn)]
        low, high = percentile_ends(drawn, confidence_level=confidence_level, n_clusters=n_clusters)
        # Share of resamples, shifted to no bias, at least as biased as what was seen.
        p_prompts = float((1 + (drawn - bias >= bias).sum()) / (1 + len(drawn)))
        test = _over_opponents(behaviour.rates, gold.rates, behaviour.decisiveness, pairs, own)
        names = tuple(systems[s] for s in own)
        found.append(
            (Kinship(one.name, names, bias, float(low), float(high), None, p_prompts), test)
        )
    tests = sum(test is not None for _, test in found)
    return [
        kinship
        if test is None
        else Kinship(
            kinship.judge,
            kinship.systems,
            kinship.bias,
            kinship.low,
            kinship.high,
            min(1.0, tests * test.p_greater),
            kinship.p_prompts,
        )
        for kinship, test in found
    ]


def _over_opponents(
    judge: Floats, gold: Floats, shape: float, pairs: Pairs, own: Sequence[int]
) -> PairedTest | None:
    """The paper's test: the judge's against the expected win rates of kin over other systems."""
    expected = beta_curve(gold, shape)
    first, second = np.isin(pairs.first, own), np.isin(pairs.second, own)
    ours, theirs = first & ~second, second & ~first
    return paired_t_test(
        np.concatenate([judge[ours], 1 - judge[theirs]]),
        np.concatenate([expected[ours], 1 - expected[theirs]]),
    )
