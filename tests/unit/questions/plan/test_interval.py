"""Planned lengths are those of the interval that `estimate` gives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from goldassay.questions.estimate.binary import corrected
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings, headline
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.strata import strata_rates
from goldassay.questions.plan.interval import Rule, length_of

RANDOM = drawing("random", apart=False)
SEPARATE = drawing("separate", apart=True)
CLUSTERS, SIZE = 40, 12


def study(*yes: int, labelled: int = 15) -> NDArray[np.float64]:
    """Cells [C, 1, 3, 2]: the first clusters are labelled whole and have so many positives, the
    others nobody rated; the judge errs on the eighth item of each."""
    cells = np.zeros((CLUSTERS, 1, 3, 2))
    for cluster in range(CLUSTERS):
        number = yes[cluster] if cluster < len(yes) else 0
        label = (np.arange(SIZE) < number).astype(int)
        verdict = np.where(np.arange(SIZE) == 7, 1 - label, label)
        row = label if cluster < labelled else np.full(SIZE, 2)
        np.add.at(cells, (cluster, 0, row, verdict), 1.0)
    return cells


def sample(cells: NDArray[np.float64], *, independent: bool = False) -> Sample:
    times = np.ones(len(cells), np.int64)
    names, items = ("no", "yes"), round(float(cells.sum()))
    groups = tuple(map(str, range(cells.shape[1])))
    return Sample(
        names, names, groups, cells, times, items, independent=independent, apart=False,
        test_labels=np.zeros(2), without_verdict={}, labels_without_verdict=np.zeros(2),
    )  # fmt: skip


STUDIES = {
    "nobody": (),
    "one of many clusters": (3,),
    "all but one": (SIZE - 2, *[SIZE] * 14),
    "two": (1, 1),
    "many": (1,) * 9,
}


def test_a_rare_answer_of_few_clusters_is_planned_with_the_wider_ends() -> None:
    rule = Rule(headline(RANDOM), RANDOM, 0.95, within_strata=False)
    cells = np.array([study(*yes) for yes in STUDIES.values()])
    planned = rule.clustered_lengths(cells, CLUSTERS * SIZE, 1.0)
    few = []
    for name, one, length in zip(STUDIES, cells, planned, strict=True):
        given = sample(one)
        found = corrected(rule.estimator, given, RANDOM, Settings())
        assert length == pytest.approx(length_of(found), rel=1e-9), name
        few.append(given.design(rule.rate_of_cells).hangs_on_few)
    assert few == [True, True, True, True, False]
    # Without them the first positive would shorten the interval.
    assert planned[1] > planned[0]


def test_where_every_item_is_labelled_few_clusters_reach_no_further() -> None:
    rule = Rule(headline(RANDOM), RANDOM, 0.95, within_strata=False)
    cells = study(3, labelled=CLUSTERS)
    (planned,) = rule.clustered_lengths(cells[None], CLUSTERS * SIZE, 1.0)
    one = sample(cells)
    (plain,) = rule.lengths(
        cells.sum(0)[None], np.array([one.inflation(rule.rate_of_cells, confidence_level=0.95)])
    )
    assert planned == pytest.approx(plain)


def strata() -> Iterator[NDArray[np.float64]]:
    """Two strata's cells [2, 3, 2], some without labels of a verdict, some without any error."""
    rng = np.random.default_rng(3)
    for most in (1, 4, 30):
        for _ in range(8):
            cells = rng.integers(0, most + 1, (2, 3, 2)).astype(float)
            cells[:, :2] += 2 * rng.integers(0, most + 1) * np.eye(2)  # mostly right
            cells[:, -1] += 5
            yield cells


@pytest.mark.parametrize("drawn", [RANDOM, SEPARATE], ids=["by verdict", "by label"])
def test_within_strata_all_studies_at_once_are_as_each_alone(drawn: object) -> None:
    rule = Rule(headline(drawn), drawn, 0.95, within_strata=True)  # type: ignore[arg-type]
    studies = [one for one in strata() if one[:, :-1].sum() > 0]
    lengths = rule.lengths(np.array(studies), np.ones(len(studies)))
    for cells, length in zip(studies, lengths, strict=True):
        # Each item once: a study of lone items.
        eye = np.eye(cells.size).reshape(-1, *cells.shape)
        alone = np.repeat(eye, cells.reshape(-1).astype(int), axis=0)
        found = strata_rates(
            sample(alone, independent=True), rule.estimator, ("part",), confidence_level=0.95
        )
        assert found is not None
        assert length == pytest.approx(length_of(found.whole), rel=1e-9)
    assert np.isfinite(lengths).sum() > 8
