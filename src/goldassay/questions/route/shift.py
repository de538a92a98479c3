"""Are the items to be decided like those that people labelled, as far as sureness tells?

What labels show of the error holds for items like them. Verdicts and their sureness are known of
all items: where labelled and unlabelled ones differ in them by more than chance, labels are weighed
so that each verdict and bin of sureness counts as it does among the items to be decided. That mends
what these show (items of a verdict, equally sure, err alike), and nothing else.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.formulas.special import chi_square_tail
from goldassay.frozen import dataclass
from goldassay.questions.route.signals import Signal

__all__ = ["Shift", "shift_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Bins of sureness, and labels that a bin has at least on average.
BINS, LEAST = 8, 15
#: Unlabelled items below which nothing is compared.
FEWEST = 30
#: A difference is believed at this p-value.
BELIEVED = 0.05


@dataclass(frozen=True)
class Shift:
    """The test of a difference, and the shares of both kinds of items among the sure half."""

    p_value: float
    #: Mean sureness of labelled items, and of those to be decided.
    labelled: float
    waiting: float
    #: How many items to be decided a label stands for, relative to the others [N].
    weight: Floats
    #: Items to be decided in bins without any label.
    alone: int = 0

    @property
    def found(self) -> bool:
        return self.p_value < BELIEVED


def shift_of(signal: Signal, weight: Floats, *, within: Ints) -> Shift | None:
    """Compare labelled with unlabelled units; None where there are too few of either.

    `within` numbers the groups (verdicts, strata) within which labels were drawn at random;
    `weight` is each unit's by design. The test is Wald's, of the labels in each bin against those
    expected, with the variance over clusters.
    """
    label, waiting = signal.labelled, signal.pool & ~signal.labelled
    labels, others = int(label.sum()), int(waiting.sum())
    if labels < 2 * LEAST or others < FEWEST:
        return None
    used = label | waiting
    sort = _sorts(signal.verdict[used], signal.sure[used], labels / int(used.sum()))
    _, group = np.unique(within[used], return_inverse=True)
    cell = group.reshape(-1) * (int(sort.max()) + 1) + sort
    _, cell = np.unique(cell, return_inverse=True)
    cell, group = cell.reshape(-1), group.reshape(-1)
    drawn = label[used]
    cluster = np.arange(len(cell)) if signal.cluster is None else signal.cluster[used]
    p_value = _wald(drawn, cell, group, cluster)
    size = int(cell.max()) + 1
    pool = np.bincount(cell[~drawn], minlength=size)
    known = np.bincount(cell[drawn], weights=weight[used][drawn], minlength=size)
    factor = np.where(known > 0, pool / np.maximum(known, 1e-12), 0.0)
    out = weight.copy()
    out[used] *= factor[cell]
    return Shift(
        p_value,
        float(np.average(signal.sure[label], weights=weight[label])),
        float(signal.sure[waiting].mean()),
        out,
        int(pool[known == 0].sum()),
    )


def _sorts(verdict: Ints, sure: Floats, rate: float) -> Ints:
    """Bins of sureness within verdicts, each with `LEAST` labels or more, were `rate` labelled.

    Verdicts too rare for that stand together, and with the most frequent one where they still are.
    """
    _, code, count = np.unique(verdict, return_inverse=True, return_counts=True)
    rare = count * rate < LEAST
    apart = np.where(rare, -1, np.arange(len(count)))
    if count[rare].sum() * rate < LEAST:
        apart[rare] = count.argmax()
    kind = apart[code.reshape(-1)]
    found = np.zeros(len(verdict), np.int64)
    for place, one in enumerate(np.unique(kind)):
        here = kind == one
        number = min(BINS, int(here.sum() * rate / LEAST))
        found[here] = place * BINS + (_bins_of(sure[here], number) if number > 1 else 0)
    return found


def _bins_of(sure: Floats, number: int) -> Ints:
    """The bin of each item: about equally many in each, equal values in the same one."""
    order = np.argsort(sure, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) * number // max(len(order), 1)
    # Equal values go where the first of them does.
    _, at = np.unique(sure, return_inverse=True)
    first = np.full(int(at.max(initial=-1)) + 1, number)
    np.minimum.at(first, at.reshape(-1), place)
    _, bins = np.unique(first[at.reshape(-1)], return_inverse=True)
    return bins.reshape(-1).astype(np.int64)


def _wald(drawn: Bools, cell: Ints, group: Ints, cluster: Ints) -> float:
    """The p-value of labels falling into cells of their group at random."""
    cells, groups = int(cell.max()) + 1, int(group.max()) + 1
    of_group = np.zeros(cells, np.int64)
    of_group[cell] = group
    sizes = np.bincount(group).astype(np.float64)
    rate = np.bincount(group, weights=drawn) / sizes
    residual = drawn - rate[group]
    _, cluster = np.unique(cluster, return_inverse=True)
    cluster = cluster.reshape(-1)
    clusters = int(cluster.max()) + 1
    each = np.bincount(cluster * cells + cell, weights=residual, minlength=clusters * cells)
    each = each.reshape(clusters, cells)
    of_clusters = np.bincount(
        cluster * groups + group, weights=residual, minlength=clusters * groups
    ).reshape(clusters, groups)
    share = np.bincount(cell).astype(np.float64) / sizes[of_group]
    total = each.sum(0)
    moved = each - share * of_clusters[:, of_group]
    covariance = moved.T @ moved * clusters / max(clusters - 1, 1)
    free = cells - groups
    if free < 1:
        return 1.0
    statistic = float(total @ np.linalg.pinv(covariance, rcond=1e-9, hermitian=True) @ total)
    # As F with few clusters: the statistic shrinks as Hotelling's does.
    statistic *= max(clusters - free, 1) / max(clusters - 1, 1)
    return chi_square_tail(free, statistic)
