"""Self-preference: a judge's bias towards systems of its own making or family.

The bias is the decisiveness-corrected B' of Gera et al. (2025). Two tests: theirs (paired t over
opponents, one-sided, Bonferroni), which takes the win rates of pairs as independent observations,
and a cluster-aware one, which draws the prompts anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Pairs, pairs_of
from goldassay.frozen import dataclass
from goldassay.questions.rank.behaviour import PairedTest, beta_curve, paired_t_test
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.record import Bias, Judged
from goldassay.questions.rank.resampling import HEDGED, Draw
from goldassay.questions.rank.signs import OPEN_SHAPE
from goldassay.results import Estimate

__all__ = ["Kinship", "family_bias", "kin_systems"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kinship:
    """Bias of a judge towards its kin: the systems, B' with its interval, two one-sided p-values.

    `p_opponents` is Bonferroni's over all judges with kin, None where the test cannot be made.
    """

    judge: str
    systems: tuple[str, ...]
    bias: Estimate
    p_opponents: float | None
    p_prompts: float


def kin_systems(
    judges: Sequence[str],
    systems: Sequence[str],
    families: Mapping[str, str],
    described: Mapping[str, Mapping[str, str]],
) -> dict[str, tuple[int, ...]]:
    """The systems of each judge's family; a judge that is itself a system is its own kin.

    `families` names the family of judges and systems; `described` may give a judge's `family` too,
    or its own `system`, which is then all of its kin.
    """
    known = {j: about["family"] for j, about in described.items() if about.get("family")}
    family_of = {**known, **families}
    kin = {}
    for judge in judges:
        family = family_of.get(judge)
        own = [
            index
            for index, system in enumerate(systems)
            if system == judge or (family is not None and family_of.get(system) == family)
        ]
        if own and len(own) < len(systems):
            kin[judge] = tuple(own)
    for judge, about in described.items():
        if about.get("system") in systems:
            kin[judge] = (systems.index(about["system"]),)
    return kin


@dataclass(frozen=True, slots=True)
class _Kin:
    """A judge's kin among the systems with gold, and the test over opponents."""

    judge: str
    systems: list[int]
    bias: Bias
    test: PairedTest | None


def family_bias(
    judges: Sequence[Judged],
    gold: Gold,
    systems: Sequence[str],
    kin: Mapping[str, tuple[int, ...]],
    draw: Draw,
) -> tuple[Kinship, ...]:
    """Self- or family-bias of every judge that has kin among the systems with gold."""
    pairs = pairs_of(len(systems))
    found: list[_Kin] = []
    for one in judges:
        if (bias := one.bias) is None:
            continue
        own = [s for s in kin.get(one.name, ()) if not np.isnan(bias.corrected[s])]
        if own:
            found.append(_Kin(one.name, own, bias, _over_opponents(bias, gold.rates, pairs, own)))
    tests = sum(one.test is not None for one in found)
    return tuple(_kinship(one, tests, systems, draw) for one in found)


def _kinship(kin: _Kin, tests: int, systems: Sequence[str], draw: Draw) -> Kinship:
    value = float(kin.bias.corrected[kin.systems].mean())
    with np.errstate(invalid="ignore"):
        drawn = kin.bias.resampled_corrected[:, kin.systems].mean(axis=1)
    untied = np.array([kin.bias.untied[kin.systems].mean()])
    modelled = kin.bias.modelled
    if modelled is not None:
        modelled = modelled[:, kin.systems].mean(axis=1, keepdims=True)
    low, high = draw.ends_beyond_decisiveness(np.array([value]), drawn[:, None], untied, modelled)
    drawn = drawn[~np.isnan(drawn)]
    # Share of resamples, shifted to no bias, at least as biased as what was seen.
    p_prompts = float((1 + (drawn - value >= value).sum()) / (1 + len(drawn)))
    p_opponents = None if kin.test is None else min(1.0, tests * kin.test.p_greater)
    names = tuple(systems[s] for s in kin.systems)
    declared = {"systems": list(names), "p_opponents": p_opponents, "p_prompts": p_prompts}
    interval = draw.around(value, float(low[0]), float(high[0]), HEDGED)
    warnings = (OPEN_SHAPE,) if kin.bias.open_shape else ()
    bias = replace(draw.estimate("kin_bias", value, interval, declared), warnings=warnings)
    return Kinship(kin.judge, names, bias, p_opponents, p_prompts)


def _over_opponents(
    bias: Bias, gold: Floats, pairs: Pairs, own: Sequence[int]
) -> PairedTest | None:
    """The paper's test: the judge's against the expected win rates of kin over other systems."""
    judge, expected = bias.rates, beta_curve(gold, bias.shape)
    first, second = np.isin(pairs.first, own), np.isin(pairs.second, own)
    ours, theirs = first & ~second, second & ~first
    return paired_t_test(
        np.concatenate([judge[ours], 1 - judge[theirs]]),
        np.concatenate([expected[ours], 1 - expected[theirs]]),
    )
