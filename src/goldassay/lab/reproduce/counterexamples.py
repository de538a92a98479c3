"""Guerdan et al. (2025), appendices B and C: two judges that two definitions order differently.

Theorem 5.3's examples, put right where the paper's numbers do not show what they are to show, and
the exact condition under which lapses of raters keep an order (lemma B.1, corrected).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.distributions import hit_rate, kl_divergence, mean_squared_error
from goldassay.formulas.rating_model import membership, multi_label, observed_choices
from goldassay.formulas.rating_vectors import Side
from goldassay.frozen import dataclass
from goldassay.results import Table

__all__ = [
    "Counterexample",
    "appendix_c",
    "hit_rate_against_kl",
    "kl_against_squared_error",
    "lapses_keep_order",
]

Array = NDArray[np.float64]


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


def appendix_c() -> Table:
    """Both examples: what each definition gives the two judges, and whom it prefers."""
    rows = []
    for number, one in enumerate((hit_rate_against_kl(), kl_against_squared_error()), start=1):
        for (name, z, w), judge in ((one.prefers_z, "z"), (one.prefers_w, "w")):
            rows.append((number, name, round(z, 3), round(w, 3), judge))
    return Table(
        "Appendix C: two judges that two definitions order differently",
        ("example", "definition", "judge z", "judge w", "prefers"),
        tuple(rows),
        (
            "Example 1 with w = (.42, .48, .10): the paper's has the people's mode and hits. "
            "Example 2: the multi-label vector of z is (.4, 1.0), not (.4, .6).",
        ),
    )
