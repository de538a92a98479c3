"""Do two definitions of performance put the judges in the same order?

Theorem 5.3 of Guerdan et al. (2025): two definitions that are not monotone transformations of one
another rank some judges differently. Here: how often they do so for the user's own judges
(`discordance`), examples that prove the theorem's point, and the exact condition under which lapses
of raters keep an order (lemma B.1, corrected).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.distributions import hit_rate, kl_divergence, mean_squared_error
from goldassay.formulas.rating_model import membership, multi_label, observed_choices
from goldassay.formulas.rating_vectors import Side
from goldassay.questions.audit.bounds import quantiles

__all__ = [
    "Counterexample",
    "Orders",
    "best_judge",
    "compare_orders",
    "discordance",
    "hit_rate_against_kl",
    "kl_against_squared_error",
    "lapses_keep_order",
    "same_best",
]

Array = NDArray[np.float64]


def discordance(scores: ArrayLike) -> Array:
    """Share of pairs of judges that two definitions order differently, (..., D, D).

    `scores` (..., D, J), higher is better. A pair that one definition ties is not discordant. NaN
    where a definition is undefined for a judge.
    """
    s = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(s.shape[-1], 1)
    order = np.sign(np.round(s[..., first] - s[..., second], 12))
    known = np.asarray(~np.isnan(order).any(-1))
    signs = np.nan_to_num(order)
    compared = np.abs(signs) @ np.abs(signs).swapaxes(-1, -2)
    agree = signs @ signs.swapaxes(-1, -2)
    out = (compared - agree) / (2 * max(1, len(first)))
    out[~(known[..., :, None] & known[..., None, :])] = np.nan
    return np.asarray(out)


def best_judge(scores: ArrayLike) -> NDArray[np.int64]:
    """The judge with the highest score, (...) from (..., J); -1 where one has no score."""
    s = np.asarray(scores, dtype=np.float64)
    undefined = np.isnan(s).any(-1)
    return np.where(undefined, -1, np.where(np.isnan(s), -np.inf, s).argmax(-1))


def same_best(scores: ArrayLike) -> Array:
    """Whether two definitions select a same judge, (..., D, D), 1.0 or 0.0.

    Judges that tie for the best are all selected. NaN where a definition is undefined for a judge:
    it selects nobody.
    """
    s = np.asarray(scores, dtype=np.float64)
    undefined = np.asarray(np.isnan(s).any(-1))
    best = np.where(undefined[..., None], 0.0, s >= s.max(-1, keepdims=True) - 1e-12)
    out = np.asarray(best @ best.swapaxes(-1, -2) > 0, dtype=np.float64)
    out[undefined[..., :, None] | undefined[..., None, :]] = np.nan
    return out


@dataclass(frozen=True, slots=True)
class Orders:
    """How far definitions order the judges differently, for every two of them, (D, D)."""

    #: Share of pairs of judges ordered differently, and its bounds over resamples.
    discordance: Array
    low: Array
    high: Array
    #: Share of resamples in which the two select different judges; NaN where never both do.
    otherwise: Array


def compare_orders(scores: Array, resampled: Array, *, confidence_level: float) -> Orders:
    """The orders by scores (D, J), higher is better, and over resamples of them (B, D, J)."""
    low, high = quantiles(discordance(resampled), confidence_level)
    same = same_best(resampled)
    known = np.isfinite(same)
    number = known.sum(0)
    share = np.where(known, same, 0.0).sum(0) / np.maximum(number, 1)
    return Orders(discordance(scores), low, high, np.where(number > 0, 1 - share, np.nan))


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two judges that two definitions order differently on one item."""

    human: dict[str, Array]
    z: dict[str, Array]
    w: dict[str, Array]
    prefers_z: tuple[str, float, float]
    prefers_w: tuple[str, float, float]


def hit_rate_against_kl() -> Counterexample:
    """Judge z has the people's mode and a poor distribution; w the reverse.

    The paper's own w, (.5, .4, .1), has the people's mode too, so that it hits; this one does not.
    """
    human, z, w = np.array([0.6, 0.3, 0.1]), np.array([0.8, 0.1, 0.1]), np.array([0.42, 0.48, 0.1])
    people = Side(human[None], human[None])
    hits = [hit_rate(Side(p[None], p[None])["h"], people["h"])[0] for p in (z, w)]
    divergences = [float(kl_divergence(p, human)) for p in (z, w)]
    return Counterexample(
        {"O": human},
        {"O": z},
        {"O": w},
        ("hit_rate h/h", float(hits[0]), float(hits[1])),
        ("kl_divergence s/s", divergences[0], divergences[1]),
    )


def kl_against_squared_error() -> Counterexample:
    """Judge z has the people's forced choices, from other response sets; w has their sets.

    The paper prints (.4, .6) for the multi-label vector of z; Lambda theta gives (.4, 1.0).
    """
    lambda_ = membership(("o1", "o2"), (("o1",), ("o2",), ("o1", "o2")))
    first = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    second = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])

    def rated(forced: Array, theta: tuple[float, float, float]) -> dict[str, Array]:
        stable = np.array(theta)
        choices = observed_choices(forced, None, stable)
        return {"theta": stable, "O": choices, "Omega": multi_label(lambda_, stable)}

    human = rated(second, (0.4, 0.5, 0.1))
    z, w = rated(first, (0.0, 0.6, 0.4)), rated(first, (0.4, 0.5, 0.1))
    divergences = [float(kl_divergence(one["O"], human["O"])) for one in (z, w)]
    errors = [float(mean_squared_error(one["Omega"], human["Omega"])) for one in (z, w)]
    return Counterexample(
        human,
        z,
        w,
        ("kl_divergence s/s", divergences[0], divergences[1]),
        ("mean_squared_error srs/srs", errors[0], errors[1]),
    )


def lapses_keep_order(
    lambda_: ArrayLike, stable: ArrayLike, observed: ArrayLike, z: ArrayLike, w: ArrayLike
) -> tuple[float, float, float]:
    """Squared-error difference of judges z and w against stable and observed sets, and the shift.

    delta = delta* - 2 x, x = (theta* - theta)' L'L (theta_w - theta_z): lapses keep the order if
    and only if delta* and delta* - 2 x have the same sign. The paper's lemma B.1 prints
    sign(x) = sign(delta*); its own proof gives the opposite sign, and that is sufficient only.
    Returns (delta*, delta, x).
    """
    lam = np.asarray(lambda_, dtype=np.float64)
    star, seen = np.asarray(stable, dtype=np.float64), np.asarray(observed, dtype=np.float64)
    one, two = np.asarray(z, dtype=np.float64), np.asarray(w, dtype=np.float64)

    def difference(people: Array) -> float:
        return float(
            mean_squared_error(multi_label(lam, one), multi_label(lam, people))
            - mean_squared_error(multi_label(lam, two), multi_label(lam, people))
        )

    x = float((star - seen) @ lam.T @ lam @ (two - one))
    return difference(star), difference(seen), x
