"""One judge as a ranker: its system scores by every aggregation, and how these compare to gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons, Outcomes, TieRule, win_rates
from goldassay.formulas.orders import Agreement, rank_agreement, win_rate_accuracy, win_rate_error
from goldassay.formulas.strength import BradleyTerry, fit, fit_resamples
from goldassay.questions.rank.aggregation import (
    Aggregation,
    mean_scores,
    median_scores,
    win_rate_scores,
)
from goldassay.questions.rank.behaviour import (
    BOUNDS,
    beta_curve,
    bias_delta,
    decisiveness,
    decisiveness_resamples,
    system_bias,
)
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.study import Study
from goldassay.questions.rank.uncertainty import (
    TEST_RESAMPLES,
    Side,
    Worlds,
    agreement_interval,
    hull_ends,
    order_worlds,
    percentile_ends,
    rate_worlds,
)
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["Aggregated", "Behaviour", "Judged", "Ranker", "Settings"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """How rankings are made and compared."""

    aggregations: tuple[Aggregation, ...]
    #: Rule of ties for win rates and for Bradley-Terry; they may differ (the paper's do).
    win_rate_ties: TieRule
    bradley_terry_ties: TieRule
    confidence_level: float
    top: int
    #: False where intervals are not asked for (tables of many judges, stability curves).
    intervals: bool = True


@dataclass(frozen=True, slots=True)
class Aggregated:
    """Scores of the systems by one aggregation: observed [S], resampled [B, S]."""

    observed: Floats
    resampled: Floats
    #: Bradley-Terry only: the fit, and how many resamples had an undefeated or winless system.
    fitted: BradleyTerry | None = None
    n_separated: int = 0
    tau: Floats | None = None


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A judge's win rates against gold's: the fitted curve, bias by system, over resamples too."""

    rates: Floats
    decisiveness: float | None
    bias: Floats
    corrected: Floats
    resampled_bias: Floats
    resampled_corrected: Floats


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything about one judge."""

    name: str
    outcomes: Outcomes
    aggregated: Mapping[Aggregation, Aggregated]
    results: tuple[tuple[Result, Aggregation | None], ...]
    behaviour: Behaviour | None

    def value(self, name: str, aggregation: Aggregation | None = None) -> float | None:
        for result, by in self.results:
            if result.name == name and by == aggregation and isinstance(result, Estimate):
                return result.value
        return None

    def result(self, name: str, aggregation: Aggregation | None = None) -> Result | None:
        return next((r for r, by in self.results if r.name == name and by == aggregation), None)


class Ranker:
    """Ranks with each judge of a study in turn, under one draw of the clusters for all of them."""

    def __init__(
        self, study: Study, gold: Gold | None, weights: Floats, settings: Settings
    ) -> None:
        self.study, self.gold, self.weights, self.settings = study, gold, weights, settings
        #: The data, then the resamples.
        self.with_data = np.concatenate([np.ones((1, study.n_clusters)), weights])

    def judge(self, index: int) -> Judged:
        study, settings = self.study, self.settings
        compared = study.comparisons(index)
        outcomes = compared.observed()
        drawn = compared.resampled(self.weights)
        results: list[tuple[Result, Aggregation | None]] = []
        aggregated: dict[Aggregation, Aggregated] = {}
        for by in settings.aggregations:
            if by in ("mean", "median") and study.scores is None:
                continue
            one = self.aggregate(by, index, compared, drawn)
            if self.gold is not None:
                found, tau = self.against_gold(one)
                results += [(result, by) for result in found]
                one = Aggregated(one.observed, one.resampled, one.fitted, one.n_separated, tau)
            aggregated[by] = one
        behaviour = None
        if self.gold is not None:
            found, behaviour = self.behave(compared, outcomes, drawn)
            results += [(result, None) for result in found]
        return Judged(study.judges[index], outcomes, aggregated, tuple(results), behaviour)

    def aggregate(
        self, by: Aggregation, index: int, compared: Comparisons, drawn: Outcomes
    ) -> Aggregated:
        study = self.study
        if by in ("mean", "median"):
            assert study.scores is not None
            score = mean_scores if by == "mean" else median_scores
            found = score(study.scores[index], self.with_data, study.item_cluster)
            return Aggregated(found[0], found[1:])
        if by == "win_rate":
            found = win_rate_scores(compared, self.with_data, self.settings.win_rate_ties)
            return Aggregated(found[0], found[1:])
        ties = self.settings.bradley_terry_ties
        fitted = fit(compared.pairs, compared.observed(), ties=ties)
        strengths, apart = fit_resamples(compared.pairs, drawn, fitted, ties=ties)
        observed, strengths = _anchored(fitted.strengths, strengths)
        return Aggregated(observed, strengths, fitted, int(apart.sum()))

    def against_gold(self, one: Aggregated) -> tuple[list[Result], Floats | None]:
        """Kendall's tau, Spearman's rho and top-k agreement of one aggregation."""
        assert self.gold is not None
        gold, settings = self.gold, self.settings
        names = ("kendall_tau", "spearman_rho", "top_k_agreement")
        common = ~(np.isnan(one.observed) | np.isnan(gold.scores))
        number = int(common.sum())
        reason = ""
        if number < 2:
            reason = f"judge and gold share {number} ranked systems"
        elif len(np.unique(one.observed[common])) < 2:
            reason = "all systems are tied: this aggregation does not tell them apart"
        elif len(np.unique(gold.scores[common])) < 2:
            reason = "the gold ties all systems"
        if reason:
            return [Undefined(name, reason, self.study.n_prompts) for name in names], None
        top = min(settings.top, number)
        observed, fixed = _finite(one.observed[common]), _finite(gold.scores[common])
        drawn = _finite(one.resampled[:, common])
        drawn_gold = (
            None if gold.resampled_scores is None else _finite(gold.resampled_scores[:, common])
        )
        value = rank_agreement(observed, fixed, k=top)
        replicates = rank_agreement(drawn, fixed if drawn_gold is None else drawn_gold, k=top)
        judge, people = Side(observed, drawn), Side(fixed, drawn_gold)
        declared = {"gold": gold.source, "systems": number}
        known: dict[tuple[bytes, bytes], Agreement] = {}
        out: list[Result] = []
        for name, key in zip(names, ("tau", "rho", "top"), strict=True):
            out.append(
                self._tested(
                    name,
                    float(getattr(value, key)),
                    np.asarray(getattr(replicates, key)),
                    partial(_one_agreement, k=top, key=key, known=known),
                    lambda towards: order_worlds(judge, people, towards=towards),
                    declared | ({"k": top} if key == "top" else {}),
                    null=float(value.top) if key == "top" else 0.0,
                )
            )
        return out, np.asarray(replicates.tau)

    def behave(
        self, compared: Comparisons, outcomes: Outcomes, drawn: Outcomes
    ) -> tuple[list[Result], Behaviour | None]:
        """Win-rate accuracy and error, decisiveness, bias and its spread."""
        assert self.gold is not None
        gold, n_prompts = self.gold, self.study.n_prompts
        names = ("win_rate_accuracy", "win_rate_mse", "decisiveness", "bias_delta")
        rates = win_rates(outcomes)
        common = ~(np.isnan(rates) | np.isnan(gold.rates))
        if not common.any():
            reason = (
                "the gold is a list of scores; give battles or people's scores for win rates"
                if np.isnan(gold.rates).all() and gold.source == "given scores"
                else "judge and gold share no pair of systems with enough untied comparisons"
            )
            return [Undefined(name, reason, n_prompts) for name in names], None
        drawn_rates = win_rates(drawn)
        gold_rates = gold.rates if gold.resampled_rates is None else gold.resampled_rates
        declared = {"gold": gold.source, "pairs": int(common.sum())}
        side = Side(rates[common], _tested_rates(drawn_rates, common))
        people = Side(gold.rates[common], _tested_rates(gold.resampled_rates, common))
        accuracy = float(win_rate_accuracy(rates, gold.rates))
        out: list[Result] = [
            self._tested(
                "win_rate_accuracy",
                accuracy,
                win_rate_accuracy(drawn_rates, gold_rates),
                win_rate_accuracy,
                lambda towards: rate_worlds(side, people, towards=towards),
                declared,
                null=0.5,
            )
        ]
        error = float(win_rate_error(rates, gold.rates))
        out.append(
            self._smooth("win_rate_mse", error, win_rate_error(drawn_rates, gold_rates), declared)
        )
        shape = decisiveness(rates, gold.rates)
        if shape is None:
            reason = "every win rate of the judge or of the gold is one half"
            out += [Undefined(name, reason, n_prompts) for name in names[2:]]
            return out, None
        shapes, curves = decisiveness_resamples(drawn_rates, gold_rates)
        log = self._smooth("decisiveness", float(np.log(shape)), np.log(shapes), declared)
        out.append(_transformed(log, lambda x: float(np.clip(np.exp(x), *BOUNDS)), "logarithms"))
        bias = system_bias(compared.pairs, rates, gold.rates)
        corrected = system_bias(compared.pairs, rates, beta_curve(gold.rates, shape))
        drawn_bias = system_bias(compared.pairs, drawn_rates, gold_rates)
        drawn_corrected = system_bias(compared.pairs, drawn_rates, curves)
        delta = float(bias_delta(corrected))
        if np.isnan(delta):
            out.append(Undefined("bias_delta", "needs two systems with gold win rates", n_prompts))
        else:
            # Squared, noise adds to it; so the interval is made of the squares.
            square = self._smooth(
                "bias_delta", delta**2, bias_delta(drawn_corrected) ** 2, declared, least=0.0
            )
            out.append(_transformed(square, np.sqrt, "squares"))
        return out, Behaviour(rates, shape, bias, corrected, drawn_bias, drawn_corrected)

    def _tested(
        self,
        name: str,
        value: float,
        replicates: Floats,
        statistic: Callable[[Floats, Floats], Floats],
        worlds: Callable[[int], Worlds],
        declared: Mapping[str, object],
        *,
        null: float,
    ) -> Estimate:
        interval = None
        level = self.settings.confidence_level
        if self.settings.intervals:
            low, high = agreement_interval(
                statistic,
                value,
                replicates,
                worlds,
                confidence_level=level,
                n_clusters=self.study.n_clusters,
                null=null,
            )
            floor = -1.0 if null == 0.0 else 0.0
            interval = self._interval(max(floor, low), min(1.0, high), "test along agreement")
        return self._estimate(name, value, interval, declared)

    def _smooth(
        self,
        name: str,
        value: float,
        replicates: Floats,
        declared: Mapping[str, object],
        *,
        least: float | None = None,
    ) -> Estimate:
        interval = None
        if self.settings.intervals:
            low, high = hull_ends(
                value,
                replicates,
                confidence_level=self.settings.confidence_level,
                n_clusters=self.study.n_clusters,
            )
            if name == "win_rate_mse":
                least = 0.0
            if least is not None:
                low, high = max(low, least), max(high, least)
            interval = self._interval(low, high, "hull of percentile and basic")
        return self._estimate(name, value, interval, declared)

    def _interval(self, low: float, high: float, kind: str) -> Interval | None:
        if np.isnan(low) or np.isnan(high):
            return None
        method = f"prompt bootstrap ({kind}, {len(self.weights)})"
        return Interval(low, high, self.settings.confidence_level, method)

    def _estimate(
        self, name: str, value: float, interval: Interval | None, declared: Mapping[str, object]
    ) -> Estimate:
        study = self.study
        return Estimate(name, value, interval, study.n_prompts, study.n_clusters, dict(declared))

    def system_interval(self, replicates: Floats) -> tuple[Floats, Floats]:
        """Ends of the interval of each system's score, [S] each; NaN where there is none."""
        return percentile_ends(
            replicates,
            confidence_level=self.settings.confidence_level,
            n_clusters=self.study.n_clusters,
        )


def _tested_rates(rates: Floats | None, pairs: NDArray[np.bool_]) -> Floats | None:
    """As many resampled rates as a test uses; a pair that a resample leaves out is at one half."""
    if rates is None:
        return None
    rates = rates[:TEST_RESAMPLES, pairs]
    return np.where(np.isnan(rates), 0.5, rates)


def _one_agreement(
    scores: Floats, gold: Floats, *, k: int, key: str, known: dict[tuple[bytes, bytes], Agreement]
) -> Floats:
    """One of the three statistics; they are computed together, and often asked for the same."""
    inputs = (scores.tobytes(), gold.tobytes())
    if inputs not in known:
        known[inputs] = rank_agreement(scores, gold, k=k)
    return np.asarray(getattr(known[inputs], key))


def _transformed(estimate: Estimate, to: Callable[[float], float], scale: str) -> Estimate:
    """An estimate whose interval was made on another scale, back on its own."""
    interval = estimate.interval
    if interval is not None:
        interval = Interval(
            float(to(interval.low)),
            float(to(interval.high)),
            interval.confidence_level,
            interval.method.replace("basic", f"basic of {scale}"),
        )
    return replace(estimate, value=float(to(estimate.value)), interval=interval)


def _finite(scores: Floats) -> Floats:
    """Scores with infinite strengths moved just beyond the finite ones, their order kept."""
    if np.isfinite(scores).all():
        return scores
    finite = np.where(np.isfinite(scores), scores, np.nan)
    with np.errstate(invalid="ignore"):
        largest = np.nanmax(np.abs(finite)) if np.isfinite(finite).any() else 0.0
    return np.clip(scores, -largest - 1, largest + 1)


def _anchored(observed: Floats, replicates: Floats) -> tuple[Floats, Floats]:
    """Strengths relative to the mean of the systems that are finite everywhere.

    Bradley-Terry strengths have no zero of their own. A zero that moved with the systems that
    happen to be finite in a resample would shift all the others.
    """
    steady = np.isfinite(observed) & np.isfinite(replicates).all(axis=0)
    if not steady.any():
        return observed, replicates
    return (
        observed - observed[steady].mean(),
        replicates - replicates[:, steady].mean(axis=1, keepdims=True),
    )
