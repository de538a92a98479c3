"""Is a judge's bias towards systems explained by the length and style of their texts?

The corrected bias of each system is regressed on an attribute of its texts, beside people's own win
rate of the system: what people reward as well is no bias. That win rate is known from a sample, so
that plain least squares would find long texts favoured wherever the better systems write them; the
noise is taken out of the normal equations (Fuller 1987, Measurement Error Models, section 2.2). The
systems are the sample: intervals leave out one system at a time, with Student's t.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import pairs_of
from goldassay.frozen import dataclass
from goldassay.inference.clusters import student_quantile
from goldassay.questions.rank.attributes import Attributes
from goldassay.questions.rank.behaviour import system_bias
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.record import Judged
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["MIN_SYSTEMS", "StyleEffect", "StyleSample", "slope", "style_effect", "style_effects"]

Floats = NDArray[np.float64]

#: Fewest systems from which a slope beside another is told, with three degrees of freedom left.
MIN_SYSTEMS = 6
#: Least share of the spread of people's win rates that must not be noise.
LEAST_SHARE = 0.1
METHOD = "errors in variables, jackknife over systems, all attributes at once"


@dataclass(frozen=True, slots=True)
class StyleEffect:
    """How much more a judge favours systems with a standard deviation more of an attribute."""

    judge: str
    attribute: str
    effect: Result


@dataclass(frozen=True, slots=True)
class StyleSample:
    """Systems [S]: their bias, attribute and people's win rate, and the noise of what is sampled.

    `noise` is the variance of the win rate, `shared` its covariance with the bias.
    """

    bias: Floats
    attribute: Floats
    people: Floats
    noise: Floats
    shared: Floats


def slope(sample: StyleSample, kept: NDArray[np.bool_] | None = None) -> float | None:
    """The slope of bias on the attribute beside people's win rate, noise taken out.

    None where too little of the spread of people's win rates is left, or the attribute is level.
    """
    chosen = slice(None) if kept is None else kept
    bias, attribute, people = (
        values[chosen] - values[chosen].mean()
        for values in (sample.bias, sample.attribute, sample.people)
    )
    # Centring takes its share of the noise too.
    share = 1 - 1 / len(bias)
    spread = people @ people - share * sample.noise[chosen].sum()
    if spread < LEAST_SHARE * (people @ people):
        return None
    across = people @ bias - share * sample.shared[chosen].sum()
    both = attribute @ people
    determinant = (attribute @ attribute) * spread - both**2
    if determinant <= 1e-9 * (attribute @ attribute) * spread:
        return None
    return float((spread * (attribute @ bias) - both * across) / determinant)


def style_effects(
    judges: Sequence[Judged], gold: Gold, attributes: Attributes, *, confidence_level: float
) -> tuple[StyleEffect, ...]:
    """The effect of every attribute on every judge's bias, the level shared out over all."""
    level = 1 - (1 - confidence_level) / max(len(judges) * len(attributes.names), 1)
    return tuple(
        StyleEffect(one.name, name, style_effect(sample, level, confidence_level))
        for one in judges
        for name, sample in _samples(one, gold, attributes)
    )


def _samples(
    judge: Judged, gold: Gold, attributes: Attributes
) -> Iterator[tuple[str, StyleSample | None]]:
    bias, drawn = judge.bias, gold.resampled_rates
    if bias is None or drawn is None:
        yield from ((name, None) for name in attributes.names)
        return
    pairs = pairs_of(len(bias.corrected))
    shared = ~np.isnan(bias.rates) & ~np.isnan(gold.rates)
    half = np.full(len(pairs), 0.5)
    people = system_bias(pairs, np.where(shared, gold.rates, np.nan), half)
    resampled = system_bias(pairs, np.where(shared, drawn[:], np.nan), half)
    for name, level in zip(attributes.names, attributes.levels, strict=True):
        known = ~(np.isnan(bias.corrected) | np.isnan(people) | np.isnan(level))
        one = _deviations(resampled[:, known])
        two = _deviations(bias.resampled_corrected[:, known])
        spread = level[known].std()
        scaled = level[known] / spread if spread > 0 else level[known]
        yield (
            name,
            StyleSample(
                bias.corrected[known],
                scaled,
                people[known],
                np.nanmean(one**2, axis=0),
                np.nanmean(one * two, axis=0),
            ),
        )


def _deviations(replicates: Floats) -> Floats:
    return np.asarray(replicates - np.nanmean(replicates, axis=0))


def style_effect(sample: StyleSample | None, level: float, confidence_level: float) -> Result:
    """The slope with its interval at `level`, which holds for all attributes at another."""
    name = "style_effect"
    if sample is None:
        return Undefined(name, "the judge's bias towards systems is not known")
    number = len(sample.bias)
    if number < MIN_SYSTEMS:
        reason = f"{number} systems have texts and win rates by people; it takes {MIN_SYSTEMS}"
        return Undefined(name, reason, number)
    if np.ptp(sample.attribute) == 0:
        return Undefined(name, "the texts of all systems are alike in it", number)
    value = slope(sample)
    left_out = [slope(sample, ~row) for row in np.eye(number, dtype=np.bool_)]
    known = np.array([one for one in left_out if one is not None])
    if value is None or len(known) < number:
        reason = "people's order is too noisy, or the attribute follows it too closely"
        return Undefined(name, reason, number)
    error = float(np.sqrt((number - 1) / number * ((known - known.mean()) ** 2).sum()))
    reach = student_quantile(number - 3, (1 + level) / 2) * error
    interval = Interval(value - reach, value + reach, confidence_level, METHOD)
    return Estimate(name, value, interval, number, number, {"per": "standard deviation"})
