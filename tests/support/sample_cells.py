"""Samples of a judge from cells that are written out."""

from __future__ import annotations

import numpy as np

from goldassay.questions.estimate.sample import Sample


def sample_of_cells(*groups: list[list[int]]) -> Sample:
    """Independent items; a group of each table, rows negative, positive and not labelled."""
    total = np.array(groups, float)
    used = total.reshape(-1) > 0
    cells = np.eye(total.size).reshape(-1, *total.shape)[used]
    times = total.reshape(-1)[used].astype(np.int64)
    rows, verdicts = total.shape[1] - 1, total.shape[2]
    return Sample(
        options=("no", "yes"),
        verdicts=tuple("abc"[:verdicts]),
        groups=tuple(f"s{g}" for g in range(len(groups))),
        cells=cells,
        multiplicity=times,
        n_items=int(times.sum()),
        independent=True,
        apart=False,
        test_labels=np.zeros(rows),
        without_verdict={},
        labels_without_verdict=np.zeros(rows),
    )
