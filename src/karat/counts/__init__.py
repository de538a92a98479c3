"""Ratings turned into counts, by group-bys that run where the data is.

Everything statistical starts from these small arrays; `docs/architecture.md` has their shapes.
"""

from karat.counts.counting import count_units
from karat.counts.distributions import Distributions, count_distributions
from karat.counts.gold import GoldBattles, GoldFile, JudgesFile, read_gold, read_judges
from karat.counts.modes import Modes, Tables, declared_modes, resolved_tables
from karat.counts.paired_scores import (
    PairedScores,
    count_paired_scores,
    count_scored,
    scored_columns,
)
from karat.counts.pairs import ElicitationPairs, count_pairs
from karat.counts.scores import ScoreMatrix, count_scores
from karat.counts.spending import count_spending
from karat.counts.statuses import count_statuses
from karat.counts.units import (
    By,
    Confusion,
    Units,
    column_shares,
    confusion,
    pairing_exclusions,
    reference_weights,
    verdict_shares,
)
from karat.counts.unlabelled import Unlabelled, list_unlabelled
from karat.counts.wins import Wins, count_wins

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
    "ScoreMatrix",
    "Tables",
    "Units",
    "Unlabelled",
    "Wins",
    "column_shares",
    "confusion",
    "count_distributions",
    "count_paired_scores",
    "count_pairs",
    "count_scored",
    "count_scores",
    "count_spending",
    "count_statuses",
    "count_units",
    "count_wins",
    "declared_modes",
    "list_unlabelled",
    "pairing_exclusions",
    "read_gold",
    "read_judges",
    "reference_weights",
    "resolved_tables",
    "scored_columns",
    "verdict_shares",
]
