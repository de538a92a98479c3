"""What drives ranking quality: analysis of variance of tau over the parts of a judge pipeline.

Fixed effects, any number of factors, main effects and chosen interactions. Sums of squares of type
II compare least-squares fits; those of type III are Goodnight's (1978), as SAS and SPSS have them:
the estimable functions of a term that are orthogonal to those of the terms that contain it, so that
they are defined with empty cells too. Tukey's honestly significant differences compare the levels
of one factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass

__all__ = ["Anova", "Effect", "SumsOfSquares", "TukeyPair", "anova", "tukey_hsd"]

Floats = NDArray[np.float64]
#: Singular values of orthonormal rows below this are rounding.
ROUNDING = 1e-9
SumsOfSquares = Literal["II", "III"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One term: sum of squares, degrees of freedom, F, its p, and partial eta squared."""

    term: str
    sum_of_squares: float
    degrees: int
    f: float
    p: float
    partial_eta_squared: float


@dataclass(frozen=True, slots=True)
class Anova:
    effects: tuple[Effect, ...]
    error_sum_of_squares: float
    error_degrees: int
    n: int
    sums_of_squares: str

    @property
    def mean_square_error(self) -> float:
        return self.error_sum_of_squares / self.error_degrees


@dataclass(frozen=True, slots=True)
class TukeyPair:
    """Difference of two levels' means with its simultaneous interval and adjusted p.

    `p_alone` is Student's of the two, were they the only ones.
    """

    one: str
    two: str
    difference: float
    low: float
    high: float
    p: float
    p_alone: float


def _cells(factors: Mapping[str, Sequence[str]], term: str) -> Floats:
    """A column for each combination of levels that occurs, [n, cells]."""
    names = term.split(":")
    labels = np.array([[str(level) for level in factors[name]] for name in names])
    code = np.unique(labels, axis=1, return_inverse=True)[1].reshape(-1)
    return np.asarray(np.eye(int(code.max()) + 1)[code])


def _contains(one: str, other: str) -> bool:
    """Whether a term is made of another and more."""
    return set(other.split(":")) < set(one.split(":"))


def _fit(y: Floats, blocks: Sequence[Floats]) -> tuple[float, int]:
    """Residual sum of squares and rank of the least-squares fit with an intercept."""
    design = np.column_stack([np.ones(len(y)), *blocks])
    # Orthonormal columns keep the residual exact where the normal equations would not.
    left, singular, _ = np.linalg.svd(design, full_matrices=False)
    rank = int((singular > singular[0] * max(design.shape) * np.finfo(float).eps).sum())
    basis = left[:, :rank]
    residual = y - basis @ (basis.T @ y)
    residual -= basis @ (basis.T @ residual)
    return float(residual @ residual), rank


def anova(
    values: Sequence[float] | Floats,
    factors: Mapping[str, Sequence[str]],
    *,
    interactions: Sequence[str] = (),
    sums_of_squares: SumsOfSquares = "II",
) -> Anova | None:
    """Analysis of variance of `values` over `factors`, with interactions named as "a:b".

    Type II asks of a term what it adds to all that do not contain it; type III, what its levels do
    with every cell counted alike. They differ where cells are unequal. None when no degree of
    freedom is left for the error. A term emptied by missing cells is left out.

    >>> table = anova([1, 2, 3, 5, 6, 7], {"judge": ["a", "a", "a", "b", "b", "b"]})
    >>> round(table.effects[0].f, 3)
    24.0
    """
    from goldassay.formulas.compiled import fdtrc

    y = np.asarray(values, np.float64)
    y = y - y.mean()  # the intercept takes any constant; without it large offsets lose digits
    terms = [*factors, *interactions]
    blocks = {term: _cells(factors, term) for term in terms}
    error, rank = _fit(y, list(blocks.values()))
    degrees = len(y) - rank
    if degrees <= 0:
        return None
    effects = []
    for term in terms:
        if sums_of_squares == "III":
            square, freedom = _type_three(y, blocks, term)
        else:
            rest = [blocks[o] for o in terms if o != term and not _contains(o, term)]
            larger, larger_rank = _fit(y, [*rest, blocks[term]])
            smaller, smaller_rank = _fit(y, rest)
            square, freedom = max(smaller - larger, 0.0), larger_rank - smaller_rank
        if freedom == 0:
            continue
        f = square / freedom / (error / degrees) if error > 0 else np.inf
        p = float(fdtrc(freedom, degrees, f)) if np.isfinite(f) else 0.0
        effects.append(
            Effect(term, square, freedom, float(f), p, square / (square + error) if square else 0.0)
        )
    return Anova(tuple(effects), error, degrees, len(y), sums_of_squares)


def _type_three(y: Floats, blocks: Mapping[str, Floats], term: str) -> tuple[float, int]:
    """Sum of squares and degrees of freedom of a term's hypotheses of type III.

    Rows that can be estimated from the data span the design's row space. Of those without any
    coefficient outside the term and the terms that contain it, the term's own are orthogonal to all
    that concern the containing terms alone.
    """
    design = np.column_stack([np.ones(len(y)), *blocks.values()])
    owner = np.array(["", *(name for name, block in blocks.items() for _ in block[0])])
    outside = [name for name in ("", *blocks) if name != term and not _contains(name, term)]
    own = _without(_rows(design), np.isin(owner, outside))
    containing = _without(own, owner == term)
    own = _rows(own - own @ containing.T @ containing)
    if not len(own):
        return 0.0, 0
    # y along the directions in which the hypotheses are estimated.
    directions, singular, _ = np.linalg.svd(np.linalg.pinv(design).T @ own.T, full_matrices=False)
    estimated = singular > 0
    along = directions.T[estimated] @ y
    return float(along @ along), int(estimated.sum())


def _rows(matrix: Floats) -> Floats:
    """An orthonormal basis of a matrix's rows."""
    if not len(matrix):
        return matrix
    _, singular, rows = np.linalg.svd(matrix, full_matrices=False)
    return np.asarray(rows[singular > ROUNDING * max(1.0, float(singular.max(initial=0.0)))])


def _without(rows: Floats, columns: NDArray[np.bool_]) -> Floats:
    """A basis of the combinations of orthonormal rows that are 0 in some columns."""
    left, singular, _ = np.linalg.svd(rows[:, columns], full_matrices=True)
    rank = int((singular > ROUNDING).sum())
    return np.asarray(left[:, rank:].T @ rows)


def tukey_hsd(
    groups: Mapping[str, Sequence[float] | Floats],
    *,
    confidence_level: float = 0.95,
    mean_square_error: float | None = None,
    error_degrees: int | None = None,
) -> list[TukeyPair]:
    """All differences of group means (later minus earlier) with Tukey and Kramer's intervals.

    The error is that within the groups, or the given one of a larger analysis of variance.
    """
    data = {name: np.asarray(values, np.float64) for name, values in groups.items()}
    if mean_square_error is None or error_degrees is None:
        within = sum(float(((x - x.mean()) ** 2).sum()) for x in data.values())
        error_degrees = sum(len(x) for x in data.values()) - len(data)
        mean_square_error = within / error_degrees if error_degrees else 0.0
    if not mean_square_error > 0:
        return []
    critical = studentized_range_quantile(confidence_level, len(data), error_degrees)
    results = []
    for one, two in combinations(data, 2):
        difference = float(data[two].mean() - data[one].mean())
        error = float(np.sqrt(mean_square_error / 2 * (1 / len(data[one]) + 1 / len(data[two]))))
        p, alone = (
            studentized_range_tail(abs(difference) / error, size, error_degrees)
            for size in (len(data), 2)
        )
        margin = critical * error
        low, high = difference - margin, difference + margin
        results.append(TukeyPair(two, one, difference, low, high, p, alone))
    return results


def studentized_range_tail(value: float, groups: int, degrees: int) -> float:
    """P(Q > value): Q is the range of `groups` standard normals over an independent estimate of
    their standard deviation with `degrees` of freedom.

    The range's distribution given the estimate s, then its mean over s, by Gauss's quadrature.
    """
    from goldassay.formulas.compiled import gammainccinv, gammaincinv, gammaln, ndtr

    ends = [float(inverse(degrees / 2, 1e-17)) for inverse in (gammaincinv, gammainccinv)]
    s, s_weight = _gauss(*(float(np.sqrt(2 * end / degrees)) for end in ends), points=128)
    half = degrees / 2
    log_density = np.log(2) + half * np.log(half) - gammaln(half)
    log_density += (degrees - 1) * np.log(s) - half * s**2
    z, z_weight = _gauss(-8.5, 8.5, points=128)
    inside = ndtr(z) - ndtr(z - value * s[:, None])  # the others lie within the range below z
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    within = groups * inside ** (groups - 1) @ (density * z_weight)
    return float(np.clip((1 - within) @ (np.exp(log_density) * s_weight), 0.0, 1.0))


def studentized_range_quantile(level: float, groups: int, degrees: int) -> float:
    """The value that Q (see `studentized_range_tail`) stays below with probability `level`."""
    low, high = 0.0, 1.0
    while studentized_range_tail(high, groups, degrees) > 1 - level:
        low, high = high, 2 * high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        if studentized_range_tail(middle, groups, degrees) > 1 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _gauss(low: float, high: float, *, points: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre's quadrature on an interval."""
    node, weight = _legendre(points)
    return low + (high - low) * (node + 1) / 2, weight * (high - low) / 2


@lru_cache(maxsize=1)
def _legendre(points: int) -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(points)
