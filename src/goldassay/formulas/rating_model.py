"""The rating model: stable response sets, lapses, forced choices, and what they hide.

A rater who reads an item carefully finds a stable set of options reasonable; theta* is the
distribution of that set over raters. Lapses turn it into the observed set, theta = E theta*, and
a forced choice picks one option of it, O = F theta (Guerdan et al. 2025, section 3, theorem 3.3).
Reverse matrices run the other way, theta* = E'(F' O). The multi-label vector Omega = Lambda theta
holds, per option, the share of raters whose set contains it.

Shapes: K options, S response sets; matrices act on the last axis of `(..., S)` or `(..., K)`
arrays, so that one call serves one item or all of them. Columns of E, F, E', F' are distributions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.errors import TaskError
from goldassay.frozen import dataclass

__all__ = [
    "Specification",
    "estimate_reverse",
    "hiding_matrix",
    "lapses",
    "membership",
    "multi_label",
    "observed_choices",
    "selection_effect",
    "singletons",
    "specification",
]

Array = NDArray[np.float64]
Sets = Sequence[Sequence[str]]


def membership(options: Sequence[str], sets: Sets) -> Array:
    """Lambda, (K, S): 1 where the option is in the response set."""
    return np.array([[option in one for one in sets] for option in options], dtype=np.float64)


def multi_label(lambda_: ArrayLike, theta: ArrayLike) -> Array:
    """Omega = Lambda theta: per option, the share of raters whose set contains it."""
    return np.asarray(theta, dtype=np.float64) @ np.asarray(lambda_, dtype=np.float64).T


def observed_choices(forced: ArrayLike, error: ArrayLike | None, theta_star: ArrayLike) -> Array:
    """O = F(E theta*) (theorem 3.3). `error=None` means no lapses."""
    theta = np.asarray(theta_star, dtype=np.float64)
    if error is not None:
        theta = theta @ np.asarray(error, dtype=np.float64).T
    return theta @ np.asarray(forced, dtype=np.float64).T


def singletons(options: Sequence[str], sets: Sets) -> Array:
    """F' of raters who find nothing reasonable but what they chose (beta = 0), (S, K)."""
    return hiding_matrix(options, sets, {}, 0.0)


def hiding_matrix(
    options: Sequence[str],
    sets: Sets,
    may_hide: Mapping[str, Sequence[str]],
    beta: float,
    *,
    replaces: bool = False,
) -> Array:
    """F'(beta), (S, K): with probability beta a choice hides its `may_hide` options too.

    beta = P(hidden option in the response set | the option chosen). The set then is the choice
    together with what it hides. With `replaces` it is the hidden option alone, as in table 2 of
    the paper: the hidden option's share is the same, that of the chosen option falls.
    """
    if not 0 <= beta <= 1:
        raise ValueError(f"beta is a probability, not {beta}")
    index = {frozenset(one): v for v, one in enumerate(sets)}
    out = np.zeros((len(sets), len(options)))
    for k, option in enumerate(options):
        hidden = tuple(may_hide.get(option, ()))
        weight = beta if hidden else 0.0
        whole = frozenset(hidden) if replaces else frozenset((option, *hidden))
        for one, share in ((frozenset((option,)), 1 - weight), (whole, weight)):
            if share == 0:
                continue
            if one not in index:
                names = ", ".join(sorted(one, key=list(options).index))
                raise TaskError(
                    "task, response_sets",
                    f"the sensitivity sweep needs the set {{{names}}} among the response sets",
                    next_step="Add it to response_sets, or change may_hide",
                )
            out[index[one], k] += share
    return out


def lapses(
    lambda_: ArrayLike, error: float, skew: float = 0.0, options: tuple[int, ...] = (0,)
) -> Array:
    """E, (S, S): with probability `error` a rater gives another response set than their own.

    Sets that hold one of `options` are taken in the ratio 1 + skew to 1 - skew: 0 is no leaning,
    1 always towards them, -1 always away from them. Where the leaning excludes every other set, the
    rater does not lapse. With Lambda the identity it is about options alone.
    """
    members = np.asarray(lambda_, dtype=np.float64)
    sets = members.shape[1]
    weight = np.where(members[list(options)].any(0), 1 + skew, 1 - skew)
    off = np.tile(weight[:, None], (1, sets)) * (1 - np.eye(sets))
    total = off.sum(0)
    rate = np.where(total > 0, error, 0.0)
    return np.asarray(np.diag(1 - rate) + rate * off / np.where(total > 0, total, 1.0))


def selection_effect(pairs: ArrayLike, lambda_: ArrayLike, option: int = 0) -> float:
    """Gamma: how much likelier than chance the option is chosen from a set that holds it.

    The mean over sets of several options that hold it of |S| P(chosen | S), from (K, S) counts of
    raters who gave both kinds of rating; sets that nobody gave are left out, NaN without any. 1 is
    chance, 2 twice as likely. (The paper prints 1/|S| in the place of |S|.)
    """
    joint, members = np.asarray(pairs, dtype=np.float64), np.asarray(lambda_, dtype=np.float64)
    size, given = members.sum(0), joint.sum(0)
    seen = (members[option] > 0) & (size > 1) & (given > 0)
    if not seen.any():
        return float("nan")
    return float((size[seen] * joint[option, seen] / given[seen]).mean())


def estimate_reverse(pairs: ArrayLike, assumed: ArrayLike) -> tuple[Array, NDArray[np.bool_]]:
    """F', (S, K), from (K, S) counts of raters who gave both kinds of rating.

    An option that no such rater chose takes its column from `assumed`; the mask says which options
    were estimated.
    """
    joint = np.asarray(pairs, dtype=np.float64)
    total = joint.sum(1)
    seen = total > 0
    out = np.array(assumed, dtype=np.float64, copy=True)
    out[:, seen] = (joint[seen] / total[seen, None]).T
    return out, seen


@dataclass(frozen=True, slots=True)
class Specification:
    """Whether forced choices can tell what raters find reasonable (theorem 3.4)."""

    fully_specified: bool
    ambiguous: tuple[tuple[str, ...], ...]

    def sentence(self, asked_people_for_sets: bool) -> str | None:
        """What cannot be known from forced choices, and how to mend the task."""
        if self.fully_specified:
            return None
        shown = ["{" + ", ".join(one) + "}" for one in self.ambiguous[:2]]
        more = f" and {len(self.ambiguous) - 2} more" if len(self.ambiguous) > 2 else ""
        text = f"A rater may accept several options ({' or '.join(shown)}{more}) and chooses one; "
        if asked_people_for_sets:
            return f"{text}single choices do not show the others, response sets do."
        return (
            f"{text}how often is unknown: results on response sets assume a share (--beta). Ask "
            "some raters for all that they accept (elicitation = response_set), or add an option "
            "for it (Maybe)."
        )


def specification(options: Sequence[str], sets: Sets) -> Specification:
    """Theorem 3.4: theta* is identified from O exactly when every set has one option.

    (The theorem assumes that each option alone is a response set; then F has full column rank if
    and only if there is no other set.)
    """
    ambiguous = tuple(tuple(one) for one in sets if len(one) > 1)
    unknown = set(chain.from_iterable(sets)) - set(options)
    if unknown:
        raise ValueError(f"response sets hold options that are not declared: {sorted(unknown)}")
    return Specification(not ambiguous, ambiguous)
