"""Every metric's record, in the order in which `agree` shows them."""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.metrics import (
    beyond_chance,
    class_rates,
    correlation,
    positives,
    probabilities,
    rater_pairs,
    raters,
    rates,
)
from goldassay.metrics.correlation import ScoreMetric
from goldassay.metrics.positives import TableTest
from goldassay.metrics.probabilities import ProbabilityMetric
from goldassay.metrics.rater_pairs import PairMetric
from goldassay.metrics.rater_sums import RaterMetric
from goldassay.metrics.tables import TableMetric

__all__ = [
    "PAIR_METRICS",
    "PROBABILITY_METRICS",
    "RATER_METRICS",
    "SCORE_METRICS",
    "TABLE_METRICS",
    "TESTS",
]

#: Coefficients of a table of reference against verdict.
TABLE_METRICS: Mapping[str, TableMetric] = {
    record.name: record
    for module in (rates, class_rates, beyond_chance, raters, correlation, positives)
    for record in module.RECORDS
}
#: Correlations of scores.
SCORE_METRICS: Mapping[str, ScoreMetric] = {
    record.name: record for record in correlation.SCORE_RECORDS
}
#: Coefficients among several raters.
RATER_METRICS: Mapping[str, RaterMetric] = {record.name: record for record in raters.RATER_RECORDS}
#: Numbers over all pairs of raters.
PAIR_METRICS: Mapping[str, PairMetric] = {
    record.name: record for record in rater_pairs.PAIR_RECORDS
}
#: Numbers about scores of yes-or-no items.
PROBABILITY_METRICS: Mapping[str, ProbabilityMetric] = {
    record.name: record for record in probabilities.PROBABILITY_RECORDS
}
#: Tests that are no coefficient.
TESTS: Mapping[str, TableTest] = {record.name: record for record in positives.TESTS}
