"""Ratings turned into counts, by group-bys that run where the data is.

Everything statistical starts from these small arrays; `docs/architecture.md` has their shapes.
"""

from goldassay.counts.alike import alike_clusters
from goldassay.counts.counting import count_units
from goldassay.counts.distributions import Distributions, count_distributions
from goldassay.counts.gold import GoldBattles, GoldFile, JudgesFile, read_gold, read_judges
from goldassay.counts.modes import (
    Modes,
    Resolution,
    Tables,
    by_cluster,
    compared,
    declared_modes,
    resolved_tables,
)
from goldassay.counts.paired_scores import (
    PairedScores,
    count_paired_scores,
    count_scored,
    judge_scores,
    scored_columns,
)
from goldassay.counts.pairs import ElicitationPairs, count_pairs
from goldassay.counts.persons import Persons, count_persons
from goldassay.counts.repeats import Repeats, count_repeats
from goldassay.counts.scores import ScoreMatrix, count_scores
from goldassay.counts.spending import count_spending
from goldassay.counts.statuses import count_statuses
from goldassay.counts.units import (
    By,
    Confusion,
    Units,
    column_shares,
    confusion,
    only_divided,
    pairing_exclusions,
    reference_weights,
    that_weigh,
    unit_word,
    verdict_shares,
)
from goldassay.counts.unlabelled import Unlabelled, list_unlabelled
from goldassay.counts.wins import Wins, count_wins

__all__ = [
    "By",
    "Confusion",
    "Distributions",
    "ElicitationPairs",
    "GoldBattles",
    "GoldFile",
    "JudgesFile",
    "Modes",
    "PairedScores",
    "Persons",
    "Repeats",
    "Resolution",
    "ScoreMatrix",
    "Tables",
    "Units",
    "Unlabelled",
    "Wins",
    "alike_clusters",
    "by_cluster",
    "column_shares",
    "compared",
    "confusion",
    "count_distributions",
    "count_paired_scores",
    "count_pairs",
    "count_persons",
    "count_repeats",
    "count_scored",
    "count_scores",
    "count_spending",
    "count_statuses",
    "count_units",
    "count_wins",
    "declared_modes",
    "judge_scores",
    "list_unlabelled",
    "only_divided",
    "pairing_exclusions",
    "read_gold",
    "read_judges",
    "reference_weights",
    "resolved_tables",
    "scored_columns",
    "that_weigh",
    "unit_word",
    "verdict_shares",
]
