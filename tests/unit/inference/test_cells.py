"""Tables held by their cells say what whole tables say."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from goldassay.formulas.agreement import Margins
from goldassay.formulas.reliability import coincidences
from goldassay.inference.cells import (
    Cells,
    coincidence_cells,
    hits_and_sizes,
    joined,
    margins,
    outer_cells,
    several_decisions,
    total_of,
)
from goldassay.inference.clusters import distinct_clusters

Array = NDArray[np.float64]


def some_tables(groups: int = 2, owners: int = 40, size: int = 5) -> Array:
    """Clusters of up to three decisions, some empty, some equal, some with halves."""
    rng = np.random.default_rng(3)
    tables = np.zeros((owners, groups, size, size))
    for owner in range(owners):
        for _ in range(rng.integers(0, 4)):
            at = rng.integers(0, (groups, 2, size))
            tables[owner, *at] += rng.choice([0.5, 1.0])
    return tables


def test_cells_are_those_of_the_tables() -> None:
    tables = some_tables()
    cells = Cells.of(tables)
    assert (cells.dense() == tables).all()
    weights = np.random.default_rng(1).random((7, len(tables)))
    flat = tables.reshape(len(tables), -1)
    np.testing.assert_allclose(cells.every_cell.under(weights), weights @ flat)
    for found, wanted in zip(hits_and_sizes(cells), hits_and_sizes(tables), strict=True):
        np.testing.assert_allclose(found, wanted)
    times = np.arange(len(tables))
    np.testing.assert_allclose(total_of(cells, times), total_of(tables, times))
    keep = times % 3 > 0
    assert (cells.kept(keep).dense() == tables[keep]).all()
    assert (cells.only(keep).dense()[~keep] == 0).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_margins_are_read_from_cells(weighted: bool) -> None:
    tables = some_tables()
    weights = np.random.default_rng(2).random((5, 5)) if weighted else None
    read = Cells.of(tables).read(weights).dense().reshape(len(tables), 2, -1)
    found, wanted = margins(read, 5, near=weighted), Margins.of(tables, weights)
    for name in ("rows", "columns", "hits", "near"):
        ours, theirs = getattr(found, name), getattr(wanted, name)
        if theirs is None:
            assert ours is None
        else:
            np.testing.assert_allclose(ours, theirs)


@pytest.mark.parametrize("most", [1, 3], ids=["one cell each", "several cells"])
def test_equal_owners_are_merged_as_whole_tables_are(most: int) -> None:
    tables = some_tables(groups=1, owners=300, size=3)
    tables = tables[(tables > 0).sum((1, 2, 3)) <= most]
    times = np.arange(1, len(tables) + 1)
    found, merged = Cells.of(tables).distinct(times)
    used = tables.any((1, 2, 3))
    dense, number = distinct_clusters(tables[used], times[used])
    assert merged.sum() == times[used].sum()
    ours = sorted(zip(found.dense().reshape(len(merged), -1).tolist(), merged, strict=True))
    theirs = sorted(zip(dense.reshape(len(number), -1).tolist(), number, strict=True))
    assert ours == theirs


def test_products_and_coincidences_are_the_dense_ones() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 2, (2, 30, 4)).astype(float)
    products = np.einsum("pr,pv->prv", first, second)
    assert (outer_cells(first, second).dense()[:, 0] == products).all()
    votes = rng.integers(0, 3, (30, 4))
    np.testing.assert_allclose(coincidence_cells(votes).dense()[:, 0], coincidences(votes))


def test_judges_side_by_side_and_clusters_of_one_decision() -> None:
    first, second = some_tables(groups=1)[:, :, :3, :3], some_tables(groups=1, size=4)
    both = joined([Cells.of(first), Cells.of(second)]).dense()
    assert (both[:, 0, :3, :3] == first[:, 0]).all()
    assert (both[:, 1] == second[:, 0]).all()
    assert several_decisions(both)
    assert not several_decisions(Cells.of(np.eye(3)[None, None] / 3))
