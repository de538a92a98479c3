"""Which candidates may be compared, and on which items."""

from __future__ import annotations

import numpy as np

from goldassay.inference.comparable import shared_items


def test_who_decides_too_little_is_not_compared() -> None:
    """Of 10 items a decides all, b eight, c four: less than half of the most."""
    decided = np.arange(10) < np.array([[10], [8], [4]])
    found = shared_items(decided, np.ones(10, np.int64))
    assert found.compared.tolist() == [True, True, False]
    assert (found.n_items, found.all_alike) == (8, False)
    alone = shared_items(decided[[0, 2]], np.ones(10, np.int64))
    assert alone.compared.tolist() == [True, True]  # there is no other that would lose items
    assert (alone.n_items, alone.all_alike) == (4, False)
    apart = shared_items(np.array([[True, False], [False, True]]), np.ones(2, np.int64))
    assert (apart.n_items, apart.all_alike) == (0, False)


def test_who_leaves_out_a_label_is_not_compared() -> None:
    """Of 100 items people call 40 so: a decides all, b 10 of the 40, c half of everything."""
    label = np.arange(100) < 40
    people = np.stack([label, ~label], 1).astype(float)
    every = np.arange(100)
    decided = np.stack([every >= 0, (every < 10) | ~label, every % 2 == 0])
    n = np.ones(100, np.int64)
    found = shared_items(decided, n, people)
    assert found.compared.tolist() == [True, False, True]
    assert (found.n_items, found.all_alike) == (50, False)
    lack = found.lacks[1]
    assert (lack.least, lack.least_share, lack.most, lack.most_share) == (0, 0.25, 1, 1.0)
    # Half as much is enough, and what nobody decides is nobody's lack.
    half = decided.copy()
    half[1] = (every < 20) | ~label
    assert shared_items(half, n, people).compared.all()
    nobody = decided[[1, 1]]
    assert shared_items(nobody, n, people).compared.all()
    # Where each leaves out another label, none are compared.
    other = np.stack([decided[1], label | (every > 90)])
    assert shared_items(other, n, people).n_items == 0
    # Judges of different items are that, whatever people call these.
    apart = shared_items(np.stack([label, ~label]), n, people)
    assert (apart.n_items, apart.lacks) == (0, {})
    # Of few items nothing is made; a label may be shared out between people.
    few = every % 5 == 0
    assert shared_items(decided[:, few], n[few], people[few]).compared.all()
    assert shared_items(decided, n, 3 * people).lacks == found.lacks
