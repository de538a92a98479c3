"""Joint counts of judges and panels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.counts import confusion
from goldassay.questions.select.candidates import gather, panel_shares, panels_of

TRUTH = [1, 1, 1, 0, 0, 0]
VERDICTS = {"a": [1, 1, 0, 0, 0, 1], "b": [1, 0, 1, 0, 1, 0], "c": [1, 1, 1, 0, -1, 0]}


@pytest.mark.parametrize("cluster", ["item", "thread"])
def test_joint_counts_are_each_judges_confusion(tmp_path: Path, cluster: str) -> None:
    rows = judged(TRUTH, VERDICTS, thread=[0, 0, 1, 1, 2, 2])
    counted = units(tmp_path, rows, cluster=cluster)
    found = gather(counted)
    assert found.names == ("a", "b", "c")
    assert found.n_items.tolist() == [6, 6, 5]
    assert found.clustered == (cluster == "thread")
    assert found.n_clusters == (6 if cluster == "item" else 3)
    for index, judge in enumerate(found.names):
        assert found.totals[index].tolist() == confusion(counted, judge).square.tolist()


def test_a_panel_votes_and_a_tied_panel_abstains(tmp_path: Path) -> None:
    counted = units(tmp_path, judged(TRUTH, VERDICTS))
    found = gather(counted, panels=True)
    assert found.names[3] == "panel of all"
    # By hand: the votes are yes yes yes no tie no; the tie is excluded as an abstention.
    assert found.totals[3].tolist() == [[3, 0], [0, 2]]
    assert found.n_items[3] == 5


def test_panel_shares_ignore_states_unless_nobody_answers() -> None:
    yes, no, invalid, none = np.eye(5)[0], np.eye(5)[1], np.eye(5)[3], np.zeros(5)
    votes = panel_shares(
        [
            np.array([yes, yes, yes, invalid, none]),
            np.array([no, yes, invalid, invalid, none]),
            np.array([yes, no, no, invalid, none]),
        ]
    )
    assert votes.tolist() == [
        [1, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
    ]


def test_which_panels_are_tried() -> None:
    assert panels_of("ab") == []
    assert panels_of("abc") == [("a", "b", "c")]
    assert len(panels_of("abcde")) == 11
    assert panels_of("abcdefg") == [tuple("abcdefg")]
