"""What is found about one judge as a ranker: records, and the rows that they come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.strength import BradleyTerry
from goldassay.frozen import dataclass
from goldassay.inference.order_model import Ends
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.results import Estimate, Result, Row

__all__ = ["Aggregated", "Behaviour", "Bias", "Judged", "RankAgreement", "value_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Agreement of one ranking with people's."""

    kendall_tau: Result
    #: By the aggregation that puts judges in order; and ends of tau by it, at the level that holds
    #: for all differences between judges at once.
    spearman_rho: Result | None = None
    joint: Ends | None = None


@dataclass(frozen=True, slots=True)
class Aggregated:
    """Scores of the systems by one aggregation: observed [S], resampled [B, S].

    A judge in short has no resamples but those by which judges are put in order.
    """

    observed: Floats
    resampled: Floats
    #: Bradley-Terry only: the fit, and how many resamples had an undefeated or winless system.
    fitted: BradleyTerry | None = None
    n_separated: int = 0
    #: None without gold.
    agreement: RankAgreement | None = None


@dataclass(frozen=True, slots=True)
class Bias:
    """A judge's win rates [P] and the shape of the beta curve that links them to gold's.

    Its bias towards systems [S], of the rates as they are and beyond the curve, over resamples too.
    `untied` [S] is the share of a system's comparisons that are no tie, whoever has more of them;
    where resamples leave the shape open, to one end of its range at least, `modelled` [n, S] has
    draws of the bias beyond the curve by the model of two noisy orders.
    """

    rates: Floats
    shape: float
    raw: Floats
    corrected: Floats
    resampled_raw: Floats
    resampled_corrected: Floats
    untied: Floats
    modelled: Floats | None = None

    @property
    def open_shape(self) -> bool:
        return self.modelled is not None


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a judge departs from people on pairs of systems."""

    win_rate_accuracy: Result
    win_rate_mse: Result
    decisiveness: Result
    bias_delta: Result
    #: None where no beta curve can be fitted.
    bias: Bias | None


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything about one judge; nothing about people where there is no gold."""

    name: str
    aggregated: Mapping[Aggregation, Aggregated]
    behaviour: Behaviour | None

    def in_short(self, by: Aggregation, *, biased: bool) -> Judged:
        """The judge without resamples that only one shown in full needs.

        Those of one aggregation stay, and those of its biases where it is `biased`: looked at for
        kin among the systems. Of 48 judges and 63 systems the others are 240 MB.
        """
        short = {
            name: one if name == by else replace(one, resampled=one.resampled[:0].copy())
            for name, one in self.aggregated.items()
        }
        seen = self.behaviour
        if seen is not None and seen.bias is not None and not biased:
            raw, corrected = seen.bias.resampled_raw, seen.bias.resampled_corrected
            bias = replace(
                seen.bias,
                resampled_raw=raw[:0].copy(),
                resampled_corrected=corrected[:0].copy(),
                modelled=None if seen.bias.modelled is None else seen.bias.modelled[:0].copy(),
            )
            seen = replace(seen, bias=bias)
        return replace(self, aggregated=short, behaviour=seen)

    def tau(self, by: Aggregation) -> Result | None:
        """Kendall's tau with people's ranking by one aggregation; None without gold."""
        agreement = self.aggregated[by].agreement
        return agreement.kendall_tau if agreement else None

    def tau_or_least(self, by: Aggregation) -> float:
        """Tau, or a number below any tau where it is undefined: to put judges in order."""
        value = value_of(self.tau(by))
        return -2.0 if value is None else value

    @property
    def decisiveness(self) -> Result | None:
        return self.behaviour.decisiveness if self.behaviour else None

    @property
    def bias_delta(self) -> Result | None:
        return self.behaviour.bias_delta if self.behaviour else None

    @property
    def bias(self) -> Bias | None:
        return self.behaviour.bias if self.behaviour else None

    def rows(self) -> Iterator[Row]:
        for by, one in self.aggregated.items():
            if (agreement := one.agreement) is not None:
                for result in (agreement.kendall_tau, agreement.spearman_rho):
                    if result is not None:
                        yield Row(result, {"judge": self.name, "aggregation": by})
        if (seen := self.behaviour) is not None:
            for result in (
                seen.win_rate_accuracy,
                seen.win_rate_mse,
                seen.decisiveness,
                seen.bias_delta,
            ):
                yield Row(result, {"judge": self.name, "aggregation": None})


def value_of(result: Result | None) -> float | None:
    """A result's number, None where it has none."""
    return result.value if isinstance(result, Estimate) else None
