"""Does the verdict follow the position or the length of an answer, rather than its quality?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.inference.draw import Draw
from goldassay.inference.proportions import normal_quantile
from goldassay.questions.agree.abstention import rate
from goldassay.questions.agree.texts import Texts
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import listed, named

__all__ = ["length_bias", "logistic", "position_bias", "shown_first"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Words for the order of a pair beside the name of the option shown first.
_GIVEN = ("given", "original", "forward", "as given", "false", "0", "ab", "system_first")
_SWAPPED = ("swapped", "reversed", "backward", "true", "1", "ba", "opponent_first")


def shown_first(order: str, sides: Sequence[str]) -> int | None:
    """Which of the two sides an `order` label says was shown first; None when it does not say."""
    if order in sides:
        return sides.index(order)
    word = order.strip().casefold()
    if word in _GIVEN:
        return 0
    if word in _SWAPPED:
        return 1
    return None


def position_bias(units: Units, judge: str, draw: Draw) -> list[Result]:
    """Same verdict in both orders, and how often the side shown first wins.

    `position_consistency`: over units judged in two orders, the share with one verdict in both.
    `first_position_rate`: over the same units, the share of verdicts (ties left out) for the side
    shown first; 1/2 without position bias, whatever the quality of the answers.
    """
    task, size = units.task, len(units.options)
    columns = units.columns_of(judge)
    labels = sorted({units.orders[c] for c in columns})
    if task.scale != "pairwise" or len(labels) != 2:
        return []
    sides = [option for option in task.options if option != task.tie]
    code = [units.options.index(side) for side in sides]
    votes = []
    for label in labels:
        mine = units.verdict[:, [c for c in columns if units.orders[c] == label]]
        votes.append(np.stack([(mine == k).sum(1) for k in range(size)], 1).astype(float))
    number = [v.sum(1) for v in votes]
    both = (number[0] > 0) & (number[1] > 0)
    shares = [v / np.maximum(n, 1)[:, None] for v, n in zip(votes, number, strict=True)]
    same = np.where(both, (shares[0] * shares[1]).sum(1), 0.0)
    out = [rate(units, "position_consistency", same, both.astype(float), draw)]
    first = [shown_first(label, sides) for label in labels]
    if None in first or first[0] == first[1]:
        reason = (
            f"the order labels {listed([named(one) for one in labels])} do not name the option "
            f"shown first ({listed([named(one) for one in sides], 'or')}, or given and swapped)"
        )
        return [*out, Undefined("first_position_rate", reason, 0)]
    hit = np.zeros(len(units.n))
    base = np.zeros(len(units.n))
    for share, side in zip(shares, first, strict=True):
        assert side is not None
        hit += np.where(both, share[:, code[side]], 0.0) / 2
        base += np.where(both, share[:, code].sum(1), 0.0) / 2
    return [*out, rate(units, "first_position_rate", hit, base, draw)]


# --- length -----------------------------------------------------------------------------------


def logistic(x: Floats, y: Floats, cluster: Ints) -> tuple[Floats, Floats] | None:
    """Logistic regression of y on x, with cluster-robust standard errors; None if separated."""
    beta = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        information = x.T @ (x * (p * (1 - p))[:, None])
        if np.linalg.cond(information) > 1e12:
            return None
        step = np.linalg.solve(information, x.T @ (y - p))
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    else:
        return None
    _, code = np.unique(cluster, return_inverse=True)
    scores = np.zeros((int(code.max()) + 1, x.shape[1]))
    np.add.at(scores, code.reshape(-1), x * (y - p)[:, None])
    groups = len(scores)
    if groups < 2:
        return None
    inverse = np.linalg.inv(information)
    robust = inverse @ (scores.T @ scores) @ inverse * groups / (groups - 1)
    return beta, np.sqrt(np.diag(robust))


def length_bias(units: Units, verdict: Ints, reference: Floats, texts: Texts, draw: Draw) -> Result:
    """Change in the log-odds of a verdict when the text is twice as long, given people's verdict.

    Binary: the positive verdict against the length of the item's text. Pairwise: the first side
    against the ratio of the two sides' lengths. Logistic regression on the reference and log2
    length, standard errors by cluster.
    """
    name, task = "length_log_odds", units.task
    if task.scale not in ("binary", "pairwise") or "item" not in units.by:
        return Undefined(name, f"is not defined on a {task.scale} scale", 0)
    sides = [option for option in task.options if option != task.tie]
    target = task.positive if task.positive in sides else sides[0]
    a = units.options.index(target)
    b = next(units.options.index(side) for side in sides if side != target)
    known = [texts.length(units, pattern) for pattern in range(len(units.n))]
    width = 2 if task.scale == "pairwise" else 1
    usable = np.array(
        [one is not None and len(one) >= width and min(one[:width]) > 0 for one in known]
    )
    votes = np.stack([(verdict == k).sum(1) for k in (a, b)], 1).astype(float)
    people = reference[:, [a, b]]
    usable &= (votes.sum(1) > 0) & (people.sum(1) > 0)
    rows = np.flatnonzero(usable)
    if len(rows) < 10:
        return Undefined(name, "fewer than ten items have a text, a verdict and a reference", 0)
    long = np.array([np.log2(known[row][:width]) for row in rows])  # type: ignore[index]
    z = long[:, 0] - long[:, 1] if width == 2 else long[:, 0]
    y = votes[rows, 0] / votes[rows].sum(1)
    truth = people[rows, 0] / people[rows].sum(1)
    fitted = logistic(
        np.column_stack([np.ones(len(rows)), truth, z]),
        y,
        units.cluster[rows] if not units.single else rows,
    )
    if fitted is None:
        return Undefined(name, "verdicts are separated by people's verdict and length", len(rows))
    value, error = float(fitted[0][2]), float(fitted[1][2])
    reach = float(normal_quantile((1 + draw.confidence_level) / 2)) * error
    interval = Interval(
        value - reach, value + reach, draw.confidence_level, "logistic regression, by cluster"
    )
    declared = {"per": "doubling of length", "verdict": target, "given": "people's verdict"}
    return Estimate(name, value, interval, len(rows), 0, declared)
