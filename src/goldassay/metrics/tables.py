"""A coefficient of a table of reference against verdict: its record, and how its interval is made.

Tables [..., K, K] have the reference in rows and the verdict in columns. Draws of the table under
both priors (`goldassay.inference.posterior`) are shared by all coefficients of one table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from goldassay.errors import InputError, shown
from goldassay.formulas.agreement import accuracy, agreement_weights
from goldassay.formulas.reliability import Difference
from goldassay.frozen import dataclass
from goldassay.inference.cells import MOST_OPTIONS, Cells
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import (
    HedgedDraws,
    Prior,
    hedged_draws,
    hedged_interval,
    hedged_tail,
    leaning_on_each_option,
    share_draws,
    spread_of,
)
from goldassay.inference.proportions import BinomialMethod, binomial_interval, normal_quantile
from goldassay.inference.quantiles import quantile
from goldassay.metrics.inputs import Given, Tables, checked_draw, checked_method, one_of
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "BINARY",
    "CONSTANT",
    "ONE_OPTION",
    "ORDINAL",
    "ClosedForm",
    "Counted",
    "Setting",
    "TableMetric",
    "WeightsOption",
    "constant_side",
    "counts_shown",
    "degenerate",
    "items",
    "weights_named",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What a coefficient needs to be told beyond the table: which option is the positive one, in which
#: order options stand, how far apart they are, how near misses count, how common options are where
#: the judge is used; or that options are two.
Need = Literal["positive", "order", "difference", "weights", "prevalence", "two options"]
#: `hedged` is goldassay's own interval; `asymptotic` the textbook's normal one, for comparison.
ClosedForm = Literal["hedged", "asymptotic"]
#: How near misses count in part: by the options' distance, or a matrix of agreement weights.
WeightsOption = Literal["linear", "quadratic"] | Sequence[Sequence[float]] | NDArray[Any]

#: Scales on which a coefficient stands in the results of `agree`.
EVERY = ("binary", "nominal", "ordinal", "pairwise")
BINARY, ORDINAL = ("binary",), ("ordinal",)

#: Why a coefficient is undefined. With one option on one side only, the first are 0 instead.
ONE_OPTION = "people and judge use one and the same option only"
CONSTANT = "people or judge use a single option"


@dataclass(frozen=True)
class Setting:
    """What a table means: how many of its classes are options, and the declarations."""

    #: What a task declares; nothing from Python.
    scale: str
    size: int
    positive: int | None
    weights: Floats
    weights_name: str
    difference: Difference = "ordinal"
    #: The share of each class [L] where the judge is used, where it is declared.
    prevalence: Floats | None = None

    @property
    def at(self) -> int:
        """The index of the positive option; the first where none is named."""
        return 0 if self.positive is None else self.positive

    def positive_references(self, tables: Floats) -> Floats:
        """Items whose reference is positive."""
        return np.asarray(tables[..., self.at, :].sum(-1))

    def positive_verdicts(self, tables: Floats) -> Floats:
        """Items that the judge calls positive."""
        return np.asarray(tables[..., :, self.at].sum(-1))

    def true_positives(self, tables: Floats) -> Floats:
        return np.asarray(tables[..., self.at, self.at])

    def true_negatives(self, tables: Floats) -> Floats:
        positive = self.positive_references(tables) + self.positive_verdicts(tables)
        return np.asarray(items(tables) - positive + self.true_positives(tables))


def items(tables: Floats) -> Floats:
    """The items of each table."""
    return np.asarray(tables.sum((-1, -2)))


@dataclass(frozen=True)
class Counted:
    """One table, what it means, its draws, how many items stand behind it, and its clusters."""

    table: Floats
    setting: Setting
    drawn: HedgedDraws
    n_items: int
    #: Tables of the distinct clusters [C, K, K], and how many clusters have each.
    clusters: Floats | Cells
    times: Ints

    @property
    def alone(self) -> bool:
        """Whether the table counts whole decisions that stand alone, as textbooks have it."""
        return self.drawn.whole and not self.drawn.clustered


def _nothing(counted: Counted) -> Mapping[str, object]:
    return {}


def weights_named(counted: Counted) -> Mapping[str, object]:
    """The declaration of a coefficient with weights."""
    return {"weights": counted.setting.weights_name}


@dataclass(frozen=True)
class TableMetric:
    """A coefficient of a table: formula, what it needs, its interval, and when it is undefined."""

    name: str
    compute: Callable[[Any, Setting], Floats]
    #: Scales on which `agree` shows it; none for a coefficient that is there from Python only.
    scales: tuple[str, ...] = EVERY
    needs: tuple[Need, ...] = ()
    #: Whether `agree` also shows it by criterion and by item.
    main: bool = False
    #: (successes, trials) where it is a share of one margin of whole decisions.
    share: Callable[[Floats, Setting], tuple[Floats, Floats]] | None = None
    #: Whether it grows with agreement, so that the hedge knows which way is which.
    towards_agreement: bool = True
    #: Whether it is least where options are even. There it is flat, estimates lie above the truth,
    #: and draws as far above the estimate: the upper end mirrored at it is a lower one.
    least_where_even: bool = False
    #: Whether it is a mean over options, so that each needs a lean of its own.
    over_options: bool = False
    #: Whether it reads more of a table than margins, diagonal and the sum of agreement weights.
    every_cell: bool = False
    undefined: str = "0/0"
    #: The closed-form standard error of large samples, for comparison with other software.
    standard_error: Callable[[Floats, Setting], Floats] | None = None
    #: It is 0 where one of these is, and only there: its interval holds 0 while one of theirs does.
    zero_with: tuple[TableMetric, ...] = ()
    #: Its interval in closed form at a confidence level, where that serves better than draws.
    closed_form: Callable[[Counted, float], Interval] | None = None
    #: What it adds to the declarations of its estimate.
    declares: Callable[[Counted], Mapping[str, object]] = _nothing

    @property
    def needs_two_options(self) -> bool:
        """Whether it says nothing (is undefined, or 0 by construction) when a side is constant."""
        return self.undefined in (ONE_OPTION, CONSTANT)

    @property
    def methods(self) -> tuple[str, ...]:
        """The ways to an interval; the first is goldassay's own, the others are textbooks'."""
        if self.share is not None:
            return get_args(BinomialMethod)
        return get_args(ClosedForm) if self.standard_error is not None else ("hedged",)

    def of(
        self,
        given: Given,
        draw: Draw,
        *,
        positive: Any = None,
        weights: WeightsOption | Mapping[Any, float] | None = None,
        difference: Difference = "ordinal",
        method: str = "hedged",
    ) -> Result:
        """The coefficient of what a caller hands over, with what `needs` names.

        `weights` are those of near misses, or the shares of options.
        """
        checked_draw(self.name, draw)
        tables = given.tables(self.name, positive, binary="positive" in self.needs)
        at = None
        if "positive" in self.needs:
            at = self._positive(tables, positive)
            if len(tables.options) > 2:
                tables, at = tables.against_the_rest(at), 0
        self._check(tables, method)
        ordered = "order" in self.needs or ("difference" in self.needs and difference == "ordinal")
        if ordered and given.labels is None and given.counts is None:
            self._check_order(tables)
        matrix, named = self._weights(len(tables.options), weights)
        shares = self._shares(tables.options, weights) if "prevalence" in self.needs else None
        many = len(tables.options) > MOST_OPTIONS
        stack = Cells.of(tables.stack[:, None]) if many else tables.stack
        setting = Setting("", len(tables.options), at, matrix, named, difference, shares)
        counted = Counted(
            tables.total,
            setting,
            hedged_draws(
                stack,
                tables.times,
                draws=draw.draws,
                seed=draw.seed,
                clustered=tables.clustered,
                prior=Prior(setting),
            ),
            tables.n_items,
            stack,
            tables.times,
        )
        declared: dict[str, object] = {"labels": list(tables.options)}
        if at is not None:
            declared["positive"] = tables.options[at]
        declared["resampling_unit"] = "cluster" if tables.clustered else "decision"
        return self.estimate(
            counted, confidence_level=draw.confidence_level, declared=declared, method=method
        )

    def _positive(self, tables: Tables, positive: Any) -> int:
        place, options = f"{self.name}, positive", tables.options
        if positive is not None:
            return one_of(place, positive, options)
        if set(options) <= {0, 1}:
            return one_of(place, 1, options)
        raise InputError(
            place,
            "names the positive label; without it labels are 0 and 1, or False and True",
            found=f"the labels {', '.join(shown(label, 30) for label in options[:4])}",
        )

    def _check_order(self, tables: Tables) -> None:
        """Numbers have an order of their own; that of texts has to be told."""
        texts = [label for label in tables.options if not isinstance(label, int | float)]
        if texts:
            raise InputError(
                self.name,
                "depends on the order of the labels",
                found=f"text, as {shown(texts[0], 30)}",
                next_step="Give them in order: labels=[...]",
            )

    def _check(self, tables: Tables, method: str) -> None:
        options = tables.options
        if "two options" in self.needs and len(options) > 2:
            raise InputError(
                self.name,
                "is of two labels",
                found=f"{len(options)}",
                next_step="Take mcc or kappa",
            )
        checked_method(self.name, method, self.methods)
        if method != "hedged" and (tables.clustered or (tables.stack % 1).any()):
            raise InputError(
                f"{self.name}, method",
                "a closed form holds for whole decisions that stand alone",
                found=f"{method} with clusters or weights",
                next_step="Take the default, hedged",
            )

    def _shares(self, options: Sequence[Any], shares: Any) -> Floats:
        """The share of each option, from a mapping label -> share that sums to 1."""
        place = f"{self.name}, prevalence"
        if not isinstance(shares, Mapping) or set(shares) - set(options):
            labels = ", ".join(shown(label, 30) for label in options[:6])
            raise InputError(
                place, f"is a mapping label -> share of the labels {labels}", found=shown(shares)
            )
        found = np.array([float(shares.get(option, 0.0)) for option in options])
        if (found < 0).any() or abs(found.sum() - 1) > 1e-6:
            raise InputError(place, "are shares that sum to 1", found=shown(dict(shares)))
        return found

    def _weights(
        self, size: int, weights: WeightsOption | Mapping[Any, float] | None
    ) -> tuple[Floats, str]:
        """The matrix of agreement weights, and its name."""
        if "weights" not in self.needs:
            return np.eye(size), "unweighted"
        place = f"{self.name}, weights"
        if isinstance(weights, str):
            if weights not in ("linear", "quadratic"):
                raise InputError(place, "are linear, quadratic or a matrix", found=shown(weights))
            return agreement_weights(weights, size), weights
        try:
            matrix = np.asarray(weights, dtype=np.float64)
        except (TypeError, ValueError):
            matrix = np.empty(0)
        within = matrix.shape == (size, size) and bool(((matrix >= 0) & (matrix <= 1)).all())
        if not within or (np.diagonal(matrix) != 1).any():
            raise InputError(
                place,
                f"a matrix has a row and a column for each of {size} labels, 1 on its diagonal,"
                " and is within [0, 1]",
                found=shown(weights),
            )
        return matrix, str(matrix.tolist())

    def estimate(
        self,
        counted: Counted,
        *,
        confidence_level: float,
        declared: Mapping[str, object],
        method: str = "hedged",
    ) -> Result:
        """The coefficient of one table with its interval, or why there is none."""
        table = counted.table
        value = float(self.compute(table, counted.setting))
        if np.isnan(value):
            reason = constant_side(table) if self.undefined == CONSTANT else self.undefined
            return Undefined(self.name, f"{reason} ({counts_shown(table)})", counted.n_items)
        if method == "hedged":
            interval = self.interval(counted, value, confidence_level)
        else:
            interval = self._textbook(counted, value, confidence_level, method)
        warnings = [] if interval else ["no interval: too few clusters"]
        if self.undefined == ONE_OPTION and bool(degenerate(table)):
            warnings.append("one side uses a single option, so this is 0 whatever the other does")
        return Estimate(
            self.name,
            value,
            interval,
            counted.n_items,
            counted.drawn.n_clusters,
            {**declared, **self.declares(counted)},
            (),
            tuple(warnings),
        )

    def interval(self, counted: Counted, value: float, level: float) -> Interval | None:
        """The hedged interval; None where draws leave the coefficient undefined, or one cluster."""
        setting, drawn = counted.setting, counted.drawn
        if self.share is not None and counted.alone:
            successes, trials = (float(x) for x in self.share(counted.table, setting))
            return binomial_interval(successes, trials, confidence_level=level)
        if drawn.clustered and drawn.n_clusters < 2:
            return None
        if self.closed_form is not None:
            return self.closed_form(counted, level)
        clusters, times = counted.clusters, counted.times
        share = self.share if self.towards_agreement and not drawn.stratified else None
        if share is not None and not isinstance(clusters, Cells):
            own = share_draws(drawn, lambda t: share(t, setting), clusters, times)
            return hedged_interval(accuracy, own, value, confidence_level=level)
        drawn = spread_of(drawn, lambda t: self.compute(t, setting), clusters, times)
        if self.over_options:
            drawn = leaning_on_each_option(drawn)
        if self.towards_agreement:
            return hedged_interval(
                lambda t: self.compute(t, setting),
                drawn,
                value,
                confidence_level=level,
                every_cell=self.every_cell,
            )
        # No end is the agreeing one: each end is the further of the two priors'.
        tail = hedged_tail(drawn, level)
        ends = drawn.of(lambda t: self.compute(t, setting), every_cell=self.every_cell)
        both = [values[np.isfinite(values)] for values in ends]
        if min(len(values) for values in both) < len(drawn.lower) // 2:
            return None
        low = min(value, *(quantile(values, tail) for values in both))
        high = max(value, *(quantile(values, 1 - tail) for values in both))
        if self.least_where_even:
            low = max(min(low, 2 * value - high), 0.0)
        for other in self.zero_with:
            # What is drawn is above 0 even when the truth is not.
            there = float(other.compute(counted.table, setting))
            found = other.interval(counted, there, level)
            low = 0.0 if found is None or 0.0 in found else max(low, 0.0)
        return Interval(low, high, level, drawn.method)

    def _textbook(
        self, counted: Counted, value: float, level: float, method: str
    ) -> Interval | None:
        """A closed-form interval, of decisions that stand alone."""
        if self.share is not None:
            successes, trials = (float(x) for x in self.share(counted.table, counted.setting))
            return binomial_interval(
                successes, trials, confidence_level=level, method=cast(BinomialMethod, method)
            )
        assert self.standard_error is not None
        error = float(self.standard_error(counted.table, counted.setting))
        reach = float(normal_quantile((1 + level) / 2)) * error
        return Interval(value - reach, value + reach, level, "large-sample normal")


def degenerate(tables: Floats) -> NDArray[np.bool_]:
    """People or judge use one option only; kappa is then 0 by construction, or undefined."""
    used = [(tables.sum(axis) > 0).sum(-1) for axis in (-1, -2)]
    return np.asarray(np.minimum(*used) < 2)


def constant_side(table: Floats) -> str:
    """Who uses a single option.

    >>> constant_side(np.array([[37.0, 0.0], [3.0, 0.0]]))
    'the judge uses a single option'
    """
    people, judge = (bool((table.sum(axis) > 0).sum() < 2) for axis in (-1, -2))
    if people == judge:
        return "people and judge use a single option" if people else CONSTANT
    return f"{'people use' if people else 'the judge uses'} a single option"


def counts_shown(table: Floats) -> str:
    """The counts behind an undefined coefficient: where one side has one option these tell all.

    >>> counts_shown(np.array([[37.0, 0.0], [3.0, 0.0]]))
    'both say the same on 37 of 40'
    """
    same, in_all = float(np.trace(table)), float(table.sum())
    return f"both say the same on {round(same):,} of {round(in_all):,}"
