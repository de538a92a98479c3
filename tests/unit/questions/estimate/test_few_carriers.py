"""A rare answer that one or two clusters have: more of it is never thought less."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.inference.clusters import distinct_clusters
from goldassay.questions.estimate.binary import corrected
from goldassay.questions.estimate.classes import option_rates
from goldassay.questions.estimate.design import Drawing, drawing
from goldassay.questions.estimate.estimators import STRATIFIED, Settings
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.subject import Subject
from goldassay.results import Estimate, Interval

DRAWN: Drawing = drawing("random", apart=False)


def sample(*yes: int, size: int = 30, options: int = 2) -> Sample:
    """60 clusters of which 20 are labelled whole, the first with so many of the second option; the
    judge is right but for every twentieth item."""
    cells = np.zeros((60, 1, options + 1, options))
    for cluster in range(60):
        number = yes[cluster] if cluster < len(yes) else 0
        label = (np.arange(size) < number).astype(int)
        verdict = np.where(np.arange(size) % 20 == 7, 1 - label, label)
        row = label if cluster < 20 else np.full(size, options)
        np.add.at(cells, (cluster, 0, row, verdict), 1.0)
    merged, times = distinct_clusters(cells, np.ones(60, np.int64))
    names = tuple(map(str, range(options)))
    return Sample(
        names, names, ("",), merged, times, 60 * size, independent=False, apart=False,
        test_labels=np.zeros(options), without_verdict={}, labels_without_verdict=np.zeros(options),
    )  # fmt: skip


def ends(of: Sample) -> Interval:
    found = corrected(STRATIFIED, of, DRAWN, Settings())
    assert isinstance(found, Estimate)
    assert found.interval is not None
    return found.interval


@pytest.mark.parametrize("yes", [(1,), (2,), (5,), (1, 1), (30,)])
def test_the_upper_end_is_no_lower_than_where_nobody_has_the_answer(yes: tuple[int, ...]) -> None:
    assert ends(sample(*yes)).high >= ends(sample()).high
    mirrored = sample(*(30 - n for n in yes), *[30] * (20 - len(yes)))
    assert ends(mirrored).low <= ends(sample(*[30] * 20)).low


def test_many_clusters_with_the_answer_tell_how_it_hangs_together() -> None:
    """One item of each of 12 clusters: these came one by one, and the end is far below."""
    assert ends(sample(*[1] * 12)).high < 0.8 * ends(sample()).high


def test_the_number_says_that_it_hangs_on_few_clusters() -> None:
    few, many = (
        corrected(STRATIFIED, one, DRAWN, Settings()) for one in (sample(3), sample(*[3] * 9))
    )
    assert isinstance(few, Estimate)
    assert isinstance(many, Estimate)
    assert "one or two clusters" in " ".join(few.warnings)
    assert not many.warnings


def test_rates_of_options_have_the_same_ends() -> None:
    def high(*yes: int) -> float:
        found = option_rates(
            Subject("j"), sample(*yes, options=3), DRAWN, Settings(), ordinal=False
        ).rates[1]
        assert isinstance(found, Estimate)
        assert found.interval is not None
        return found.interval.high

    assert high(1) >= high() - 1e-12
    assert high(*[1] * 12) < 0.8 * high(1)
