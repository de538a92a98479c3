"""One judge as a ranker: its system scores by every aggregation, and how these compare to gold."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Comparisons, Outcomes, Pairs, TieRule, pairs_of
from goldassay.formulas.orders import rank_agreement, win_rate_accuracy, win_rate_error
from goldassay.formulas.strength import BradleyTerry, fit, fit_resamples
from goldassay.frozen import dataclass
from goldassay.inference.order_model import Ends, Statistics
from goldassay.inference.orders import Side, agreement_ends, joint_level
from goldassay.inference.side_by_side import each
from goldassay.questions.rank.aggregation import (
    AGGREGATION_WORDS,
    Aggregation,
    mean_scores,
    median_scores,
    win_rate_scores,
)
from goldassay.questions.rank.behaviour import (
    at_lower_end,
    at_upper_end,
    beta_curve,
    bias_delta,
    decisiveness_resamples,
    shapes_of_resamples,
    system_bias,
)
from goldassay.questions.rank.contest import APART, Contest
from goldassay.questions.rank.gold import Gold
from goldassay.questions.rank.pair_rates import PairRates, PairSides, PeopleSide
from goldassay.questions.rank.record import Aggregated, Behaviour, Bias, Judged, RankAgreement
from goldassay.questions.rank.resampling import Draw
from goldassay.questions.rank.uncertainty import hull_ends
from goldassay.results import Estimate, Interval, Result
from goldassay.words import counted

__all__ = ["Ranker", "Settings", "tau_ends"]

Floats = NDArray[np.float64]

#: Outcomes of pairs in clusters, and weights of clusters in resamples, up to which two judges are
#: looked at side by side: of more, one judge alone fills the memory.
SIDE_BY_SIDE, WEIGHTS = 500_000, 20_000_000
#: Of fewer outcomes two threads wait for one another more than they compute.
WORTH_A_THREAD = 2_000
#: How intervals were made, in short.
ORDERS = "model of two noisy orders"
DECISIVENESS = "hull of percentile, basic and model of two noisy orders"
#: Errors up to this are those of rounding.
ALIKE = 1e-12


@dataclass(frozen=True, slots=True)
class Settings:
    """How rankings are made and compared."""

    aggregations: tuple[Aggregation, ...]
    #: Rule of ties for win rates and for Bradley-Terry; they may differ (the paper's do).
    win_rate_ties: TieRule
    bradley_terry_ties: TieRule
    #: False where intervals are not asked for (tables of many judges).
    intervals: bool = True


def _is_open(shapes: Floats, confidence_level: float) -> bool:
    """Whether resamples of a shape reach an end of its range."""
    tail = (1 - confidence_level) / 2
    low, high = np.nanquantile(shapes, [tail, 1 - tail])
    return bool(at_lower_end(low) or at_upper_end(high))


def _joined(parts: Sequence[Mapping[str, Floats]]) -> dict[str, Floats]:
    return {name: np.concatenate([one[name] for one in parts]) for name in parts[0]}


@dataclass(frozen=True)
class Ranker:
    """Ranks with each judge of a contest in turn, under one draw of the prompts for all of them."""

    contest: Contest
    gold: Gold | None
    draw: Draw
    settings: Settings

    @property
    def aggregations(self) -> tuple[Aggregation, ...]:
        """Those asked for that the contest allows: battles have neither mean nor median."""
        asked = self.settings.aggregations
        if self.contest.scores is not None:
            return asked
        return tuple(by for by in asked if by not in ("mean", "median"))

    @property
    def by(self) -> Aggregation:
        """The aggregation by which judges are put in order: the first one."""
        return self.aggregations[0]

    @cached_property
    def people(self) -> PeopleSide | None:
        """People's win rates of pairs; None where they are given or there are none."""
        gold = self.gold
        if gold is None or gold.resampled_rates is None:
            return None
        pairs = pairs_of(len(self.contest.systems))
        return PeopleSide(pairs, gold.rates, gold.resampled_rates, self.draw.worth)

    def judged(self) -> Iterator[Judged]:
        """Each judge in turn; two at once where their outcomes are many enough to gain by it and
        few enough to be held."""
        every = range(len(self.contest.judges))
        if self.people is not None and not np.isnan(self.people.rates).all():
            _ = self.people.effects, self.people.link  # made once, before threads look
        outcomes, weights = self.contest.n_clusters * len(self.contest.pairs), self.draw.weights
        both = WORTH_A_THREAD <= outcomes <= SIDE_BY_SIDE and weights.size <= WEIGHTS
        return each(self.judge, every, most=2 if both else 1)

    def judge(self, index: int) -> Judged:
        contest, ties = self.contest, self.settings.bradley_terry_ties
        compared = contest.comparisons(index)
        fitted = None
        if "bradley_terry" in self.aggregations:
            fitted = fit(compared.pairs, compared.observed(), ties=ties)
        same = self.gold is not None and self.gold.of_same_prompts
        beside = contest.beside_people(index) if same else None
        rates = PairSides(compared if beside is None else beside, self.gold, self.people)
        # Outcomes of all pairs in all resamples may be gigabytes; what follows from them is small.
        drawn = _joined(
            [
                self._of_outcomes(compared.pairs, outcomes, fitted)
                | rates.statistics(
                    rows, outcomes if beside is None else beside.resampled(self.draw.weights[rows])
                )
                for rows, outcomes in compared.in_blocks(self.draw.weights)
            ]
        )
        aggregated: dict[Aggregation, Aggregated] = {}
        for by in self.aggregations:
            if by == "bradley_terry":
                assert fitted is not None
                found = _anchored(fitted.strengths, drawn[by])
                one = Aggregated(*found, fitted, int(drawn["apart"].sum()))
            else:
                plain = np.ones((1, contest.n_clusters))
                observed = self.scores(by, index, compared, plain)[0]
                if by != "win_rate":
                    drawn[by] = self.scores(by, index, compared, self.draw.weights)
                one = Aggregated(observed, drawn[by])
            if self.gold is not None:
                one = replace(one, agreement=self._agreement(one, by, self.gold))
            aggregated[by] = one
        behaviour = None
        if self.gold is not None:
            behaviour = self._behaviour(rates, drawn, self.gold)
        return Judged(contest.judges[index], aggregated, behaviour)

    def _of_outcomes(
        self, pairs: Pairs, outcomes: Outcomes, fitted: BradleyTerry | None
    ) -> dict[str, Floats]:
        """Scores [b, S] of the systems by what rests on the outcomes of pairs."""
        found: dict[str, Any] = {}
        if "win_rate" in self.aggregations:
            found["win_rate"] = win_rate_scores(pairs, outcomes, self.settings.win_rate_ties)
        if fitted is not None:
            ties = self.settings.bradley_terry_ties
            found["bradley_terry"], found["apart"] = fit_resamples(
                pairs, outcomes, fitted, ties=ties
            )
        return found

    def scores(
        self, by: Aggregation, index: int, compared: Comparisons, weights: NDArray[Any]
    ) -> Floats:
        """A judge's scores [B, S] of the systems under weights [B, C]."""
        contest = self.contest
        if by in ("mean", "median"):
            assert contest.scores is not None
            score = mean_scores if by == "mean" else median_scores
            return score(contest.scores[index], weights, contest.item_cluster)
        pairs, outcomes = compared.pairs, compared.resampled(weights)
        if by == "win_rate":
            return win_rate_scores(pairs, outcomes, self.settings.win_rate_ties)
        ties = self.settings.bradley_terry_ties
        return fit_resamples(
            pairs, outcomes, fit(pairs, compared.observed(), ties=ties), ties=ties
        )[0]

    def _agreement(self, one: Aggregated, by: Aggregation, gold: Gold) -> RankAgreement:
        """Kendall's tau of one aggregation, and of the first Spearman's rho."""
        common = ~(np.isnan(one.observed) | np.isnan(gold.scores))
        number = int(common.sum())
        reason = ""
        if number < 2:
            reason = f"judge and gold share {counted(number, 'ranked system')}"
        elif len(np.unique(one.observed[common])) < 2:
            reason = f"all systems have the same {AGGREGATION_WORDS[by]}, which orders none"
        elif len(np.unique(gold.scores[common])) < 2:
            reason = "the reference puts all systems level"
        if reason:
            names = ("kendall_tau", "spearman_rho")
            tau, rho = (self.draw.undefined(name, reason) for name in names)
            return RankAgreement(tau, rho if by == self.by else None)
        judge, people = shared_sides(one, gold)
        value = rank_agreement(judge.observed, people.observed)
        found, joint = self._ends(judge, people, _agreements, joint=by == self.by)
        level = _level_pairs(judge.observed, people.observed)
        declared = {"gold": gold.source, "systems": number, "level_pairs": level}

        def estimate(name: str, key: str) -> Estimate:
            interval = self.draw.interval(*found[key], ORDERS) if found else None
            seen = float(getattr(value, key))
            return self.draw.estimate(name, seen, interval, declared)

        return RankAgreement(
            estimate("kendall_tau", "tau"),
            estimate("spearman_rho", "rho") if by == self.by else None,
            joint.get("tau"),
        )

    def _ends(
        self, judge: Side, people: Side, statistics: Statistics, *, joint: bool
    ) -> tuple[Mapping[str, Ends], Mapping[str, Ends]]:
        """Ends of the intervals of two orders' agreement, and those that all judges share.

        None where intervals are not asked for; the latter are made where they are looked at.
        """
        if not self.settings.intervals:
            return {}, {}
        level = self.draw.confidence_level
        shared = [joint_level(level, len(self.contest.judges))] if joint else []
        found, *others = agreement_ends(
            judge,
            people,
            statistics,
            n_clusters=self.draw.worth,
            confidence_levels=(level, *shared),
        )
        return found, others[0] if others else {}

    def _behaviour(self, seen: PairSides, drawn: Mapping[str, Floats], gold: Gold) -> Behaviour:
        """Win-rate accuracy and error, decisiveness, bias and its spread."""
        draw, rates, pairs = self.draw, seen.rates, seen.pairs
        if not seen.common.any():
            reason = (
                "the gold is a list of scores; give battles or people's scores for win rates"
                if np.isnan(gold.rates).all() and gold.source == "given scores"
                else APART
                if self.contest.apart
                else "judge and gold share no pair of systems with enough untied comparisons"
            )
            names = ("win_rate_accuracy", "win_rate_mse", "decisiveness", "bias_delta")
            accurate, squared, decided, spread = (draw.undefined(name, reason) for name in names)
            return Behaviour(accurate, squared, decided, spread, None)
        declared = {"gold": gold.source, "pairs": int(seen.common.sum())}
        shared = PairRates(
            pairs,
            np.where(seen.common, rates, np.nan),
            np.where(seen.common, gold.rates, np.nan),
            (drawn["effects"], drawn["people_effects"]),
            seen.some,
            draw.worth,
            seen.people,
        )
        accuracy = self._win_rate_accuracy(shared, declared)
        value = float(win_rate_error(rates, gold.rates))
        hull = self._never_apart(self._hull(value, drawn["error"], least=0.0))
        error = draw.estimate("win_rate_mse", value, hull, declared)
        if (shape := seen.shape) is None:
            settled = bool(np.isin(gold.rates[seen.common], (0.0, 0.5, 1.0)).all())
            reason = (
                "people's win rates are all 0, one half or 1, which every decisiveness fits"
                if settled
                else "every win rate of the judge is one half where people's is neither 0 nor 1"
            )
            decided, spread = (
                draw.undefined(name, reason) for name in ("decisiveness", "bias_delta")
            )
            return Behaviour(accuracy, error, decided, spread, None)
        ends = self._decisiveness_ends(shared, shape, drawn["shape"])
        is_open = _is_open(drawn["shape"], draw.confidence_level)
        bias = Bias(
            rates,
            shape,
            system_bias(pairs, rates, gold.rates),
            system_bias(pairs, rates, beta_curve(gold.rates, shape)),
            drawn["bias"],
            drawn["corrected_bias"],
            seen.untied,
            self._modelled_biases(shared) if is_open else None,
        )
        return Behaviour(
            accuracy,
            error,
            self._decisiveness(shape, ends, declared),
            self._bias_delta(bias, declared),
            bias,
        )

    def _win_rate_accuracy(self, shared: PairRates, declared: Mapping[str, object]) -> Estimate:
        """The share of pairs with the same winner, and the ends of (1 + tau) / 2."""

        def accuracy(judge: Floats, people: Floats) -> Mapping[str, Floats]:
            return {"accuracy": shared.accuracy((judge, people))}

        value = float(win_rate_accuracy(shared.judge, shared.people))
        interval = None
        if self.settings.intervals:
            level = self.draw.confidence_level
            low, high = shared.model.ends(accuracy, level)["accuracy"]
            interval = self.draw.interval(min(low, value), max(high, value), ORDERS)
        return self.draw.estimate("win_rate_accuracy", value, interval, declared)

    def _decisiveness_ends(self, shared: PairRates, shape: float, shapes: Floats) -> Ends | None:
        """Ends of the log shape: the hull of its draws by the model and of its resamples.

        And of the latter mirrored (the basic interval): where one system strays the error has two
        valleys, and resamples lie to the one side of the shape on which the truth does not.
        """
        if not self.settings.intervals:
            return None
        rng = np.random.default_rng(len(shared.systems))
        drawn = shared.statistic(shared.model.draws(rng), shapes_of_resamples)
        tail = (1 - self.draw.confidence_level) / 2
        resampled = hull_ends(
            float(np.log(shape)),
            np.log(shapes),
            confidence_level=self.draw.confidence_level,
            n_clusters=self.draw.worth,
        )
        modelled = np.nanquantile(np.log(drawn), [tail, 1 - tail]).tolist()
        if np.isnan(resampled).any():
            resampled = (modelled[0], modelled[1])
        return min(resampled[0], modelled[0]), max(resampled[1], modelled[1])

    def _modelled_biases(self, shared: PairRates) -> Floats:
        """Draws [n, S] of the biases beyond decisiveness by the model of two noisy orders.

        The curve of a resample is fitted to noise on top of noise, and is flatter or steeper than
        any that true rates have; the model takes the noise out first.
        """
        rng = np.random.default_rng(len(shared.systems))
        parts = []
        for judge, people in shared.drawn(shared.model.draws(rng)):
            curves = decisiveness_resamples(judge, people)[1]
            parts.append(system_bias(shared.pairs, judge, curves))
        return np.concatenate(parts)

    def _decisiveness(
        self, shape: float, ends: Ends | None, declared: Mapping[str, object]
    ) -> Estimate:
        """The shape of the beta curve, its interval made of logarithms.

        An end of the search is no end of the interval: that is open there (from 0, or endless).
        """
        interval = None
        if ends is not None:
            low, high = np.exp(ends).tolist()
            low = 0.0 if at_lower_end(low) else min(low, shape)
            high = math.inf if at_upper_end(high) else max(high, shape)
            interval = self.draw.interval(low, high, DECISIVENESS)
        return self.draw.estimate("decisiveness", shape, interval, declared)

    def _bias_delta(self, bias: Bias, declared: Mapping[str, object]) -> Result:
        """The spread of the bias. Squared, noise adds to it; so the interval is of the squares."""
        delta = float(bias_delta(bias.corrected))
        if np.isnan(delta):
            return self.draw.undefined("bias_delta", "needs two systems with gold win rates")
        squares = bias_delta(bias.resampled_corrected) ** 2
        interval = _transformed(self._hull(delta**2, squares, least=0.0), np.sqrt, "squares")
        return self.draw.estimate("bias_delta", float(np.sqrt(delta**2)), interval, declared)

    def _never_apart(self, hull: Interval | None) -> Interval | None:
        """The interval of a squared error, where no resample of the prompts shows one.

        A judge that was with people on n clusters of prompts may be against them on 3/n of others
        (one cluster more, of exponential weight), by which win rates would then differ.
        """
        if hull is None or hull.high > ALIKE:
            return hull
        more = -math.log((1 - self.draw.confidence_level) / 2)
        return replace(hull, high=(more / (self.draw.worth + more)) ** 2)

    def _hull(self, value: float, replicates: Floats, *, least: float = -np.inf) -> Interval | None:
        """The interval of a spread or an error, which resampling inflates."""
        if not self.settings.intervals:
            return None
        low, high = hull_ends(
            value,
            replicates,
            confidence_level=self.draw.confidence_level,
            n_clusters=self.draw.worth,
        )
        return self.draw.interval(max(low, least), max(high, least), "hull of percentile and basic")


def shared_sides(one: Aggregated, gold: Gold) -> tuple[Side, Side]:
    """A judge's and people's scores of the systems that both ranked."""
    common = ~(np.isnan(one.observed) | np.isnan(gold.scores))
    drawn = None if gold.resampled_scores is None else _finite(gold.resampled_scores[:, common])
    return (
        Side(_finite(one.observed[common]), _finite(one.resampled[:, common])),
        Side(_finite(gold.scores[common]), drawn),
    )


def tau_ends(one: Aggregated, gold: Gold, n_clusters: float, level: float) -> Ends:
    """Ends of the interval of tau at a level of one's own."""
    judge, people = shared_sides(one, gold)
    (found,) = agreement_ends(
        judge, people, _agreements, n_clusters=n_clusters, confidence_levels=(level,)
    )
    return found["tau"]


def _level_pairs(judge: Floats, people: Floats) -> int:
    """Pairs of systems that one of the two orders leaves level, of which tau is no share."""
    one, two = np.triu_indices(len(judge), 1)
    return int(((judge[one] == judge[two]) | (people[one] == people[two])).sum())


def _agreements(scores: Floats, gold: Floats) -> Mapping[str, Floats]:
    found = rank_agreement(scores, gold)
    return {"tau": found.tau, "rho": found.rho}


def _transformed(
    interval: Interval | None, to: Callable[[float], float], scale: str
) -> Interval | None:
    """An interval that was made on another scale, back on the estimate's own."""
    if interval is None:
        return None
    return Interval(
        float(to(interval.low)),
        float(to(interval.high)),
        interval.confidence_level,
        interval.method.replace("basic", f"basic of {scale}"),
    )


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
